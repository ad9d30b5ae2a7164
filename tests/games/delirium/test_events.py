"""What a person would notice of a tick: steps, pushes, diamonds, kills, a wider view, the end."""

from __future__ import annotations

import pytest

from gridsage.games.delirium.level import parse
from gridsage.games.delirium.level.cells import Options
from gridsage.games.delirium.rules import RIGHT, STAY, WIDEN, Delirium

WALL = "#######"


def seen(line: str, action: int, time: int = -1, **options) -> list[tuple[str, int, int, str]]:
    """The events of one action in a gallery of one row."""
    game = Delirium()
    before = game.start(parse(f"diamonds: 0\ntime: {time}\n{WALL}\n{line}\n{WALL}\n"), Options(**options), 1)
    after = game.step(before, action)
    return [(event.kind, event.cell, event.to, event.who) for event in game.events(before, action, after)]


@pytest.mark.parametrize(
    ("line", "action", "kinds"),
    [
        ("#@    #", STAY, []),
        ("#@    #", RIGHT, ["moved"]),
        ("#@o   #", RIGHT, ["moved", "pushed"]),
        ("#@d   #", RIGHT, ["moved", "collected"]),
        ("#@X   #", RIGHT, ["moved", "won"]),
        ("#@#   #", RIGHT, []),
    ],
)
def test_an_action_is_seen_as_its_events(line, action, kinds):
    assert [kind for kind, *_ in seen(line, action)] == kinds


def test_events_say_where():
    assert seen("#@o   #", RIGHT)[0][:3] == ("moved", 8, 9)
    assert seen("#@o   #", RIGHT)[1][:3] == ("pushed", 9, 10)
    assert seen("#@d   #", RIGHT)[1][:2] == ("collected", 9)
    assert seen("#@X   #", RIGHT)[1][:2] == ("won", 9)


def test_a_lost_game_says_of_what():
    (event,) = seen("#@    #", STAY, time=1)
    assert (event[0], event[1], event[3]) == ("died", 8, "out of time")


def test_widening_a_limited_view_is_seen():
    assert [kind for kind, *_ in seen("#@    #", WIDEN, view_rows=1, view_cols=1)] == ["widened"]


def test_the_way_to_the_next_gallery_is_seen_from_where_the_miner_left():
    game = Delirium()
    gallery = f"diamonds: 0\ntime: -1\n{WALL}\n#@X   #\n{WALL}\n"
    before = game.start(parse(f"{gallery}===\n{gallery}"), Options(), 1)
    after = game.step(before, RIGHT)
    (event,) = game.events(before, RIGHT, after)
    assert (event.kind, event.cell) == ("next gallery", 8)
