"""The players of Boulder Dash caves, the checker, and what screens and programs are shown."""

from __future__ import annotations

import pytest

from gridsage.core.game import Briefing, Budget
from gridsage.games import catalog
from gridsage.games.delirium.bd.agents.baseline import Baseline
from gridsage.games.delirium.bd.agents.master import Master
from gridsage.games.delirium.bd.bdcff import parse
from gridsage.games.delirium.bd.checker import check
from gridsage.games.delirium.bd.level import Options
from gridsage.games.delirium.bd.rules import RIGHT, BoulderDash
from gridsage.games.delirium.bd.state import KILLS, MADE, PUSHES

ROOM = catalog.room("delirium-bd")
NODES = Budget(nodes=20_000)


def played(text: str, player, seed: int = 1, most: int = 2000, **options):
    game = BoulderDash()
    state = game.start(parse(text), Options(**options), seed)
    while game.outcome(state) is None and state.ticks < most:
        state = game.step(state, player.decide(game.observe(state, 0), NODES).action)
    return state, game.outcome(state)


def cave(rows: str, needed: int = 1, time: int = 100) -> str:
    lines = rows.strip("\n").split("\n")
    size = f"Size={len(lines[0])} {len(lines)}\nDiamondsRequired={needed}\nCaveTime={time}\n"
    return "[cave]\n" + size + "[map]\n" + "\n".join(lines) + "\n[/map]\n[/cave]\n"


@pytest.mark.parametrize("name", ["01_first_dig", "02_pushes_may_fail", "04_the_patrol"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_master_wins_shipped_caves_whatever_chance_brings(name, seed):
    _, outcome = played(ROOM.levels.text(name), Master(), seed)
    assert outcome is not None and outcome.winner == 0, outcome


def test_the_master_crushes_a_butterfly_for_its_diamonds():
    state, outcome = played(ROOM.levels.text("05_a_butterfly_in_the_shaft"), Master())
    assert outcome is not None and outcome.winner == 0
    assert state.facts[KILLS] == 1 and state.facts[MADE] >= 6


def test_the_master_drops_boulders_through_the_magic_wall_while_it_runs():
    state, outcome = played(ROOM.levels.text("06_the_magic_wall"), Master())
    assert outcome is not None and outcome.winner == 0
    assert state.facts[MADE] >= 3


def test_the_master_pushes_again_when_a_push_fails():
    text = cave("WWWWWWWW\nWPr    W\nWW.WWWWW\nW...d.XW\nWWWWWWWW")
    for seed in range(1, 4):
        state, outcome = played(text, Master(), seed, push=0.1)
        assert outcome is not None and outcome.winner == 0
        assert state.facts[PUSHES] >= 1


def test_the_master_answers_on_nothing_at_all():
    game = BoulderDash()
    state = game.start(parse(ROOM.levels.text("01_first_dig")), Options(), 1)
    player = Master()
    for _ in range(40):
        decision = player.decide(game.observe(state, 0), Budget(nodes=0))
        assert decision.action in game.legal(state)
        state = game.step(state, decision.action)


def test_he_waits_as_long_as_patience_and_clock_allow():
    rows = "\n".join(["W" * 12, "WP.r.......W", "W.....WWWWWW", "W.....WdW.XW", "W" * 12])
    text = f"[cave]\nSize=12 5\nDiamondsRequired=1\nCaveTime={{}}\n[map]\n{rows}\n[/map]\n[/cave]\n"

    def waits(seconds: int, wanted: int) -> list[int]:
        player, found = Master(patience=400), []
        game = BoulderDash()
        state = game.start(parse(text.format(seconds)), Options(), 1)
        while len(found) < wanted and game.outcome(state) is None:
            before = player.patience
            action = player.decide(game.observe(state, 0), Budget(nodes=300)).action
            found += [before - player.patience] if player.patience < before else []
            state = game.step(state, action)
        return found

    assert waits(999, wanted=7) == [60] * 6 + [40]
    assert 60 <= sum(waits(40, wanted=7)) < 200, "half of the clock is kept"


def test_games_of_other_seeds_have_other_dice_and_those_of_one_seed_the_same():
    game = BoulderDash()
    state = game.start(parse(ROOM.levels.text("04_the_patrol")), Options(), 1)

    def dice(seed: int) -> int:
        player = Master()
        player.begin(Briefing("delirium-bd", Options(), 0, seed))
        player.decide(game.observe(state, 0), Budget(nodes=1))
        assert player.explorer is not None
        return player.explorer.dice

    assert dice(1) == dice(1) != dice(2)


def waiting_master(rows: list[str]) -> Master:
    """Return a master that has begun to think about a drawn cave in which nothing can be won."""
    head = f"[cave]\nSize={len(rows[0])} {len(rows)}\nDiamondsRequired=1\nCaveTime=999\n[map]\n"
    text = head + "\n".join(rows) + "\n[/map]\n[/cave]\n"
    player, game = Master(), BoulderDash()
    state = game.start(parse(text), Options(), 1)
    while not player.has_waited:
        state = game.step(state, player.decide(game.observe(state, 0), Budget(nodes=300)).action)
    return player


def test_he_waits_for_whole_rounds_of_flies_and_the_search_goes_on():
    ring = ["W" * 12, "WP.WQ  WWWWW", "W..W W WdWXW", "W..W   WWWWW", "W" * 12]  # eight cells around a wall
    player = waiting_master(ring)
    assert player.patience == 800 - 56
    assert player.explorer is not None and player.explorer.runs == 1
    lanes = ["W" * 40, "WP.WQ" + " " * 34 + "W", "W..W" + "WdWXW".center(35, "W") + "W", "W" * 40]  # a round of 70
    assert waiting_master(lanes).patience == 800 - 60, "a round is longer than the first wait"


def test_patience_must_not_be_negative():
    with pytest.raises(ValueError, match="patience"):
        Master(patience=-1)


def test_the_baseline_walks_to_the_nearest_diamond():
    game = BoulderDash()
    state = game.start(parse(cave("WWWWWWWW\nWP.d...W\nW.....XW\nWWWWWWWW")), Options(), 1)
    while state.rockford < 0:
        state = game.step(state, 0)
    assert Baseline().decide(game.observe(state, 0), Budget()).action == RIGHT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (cave("WWWWW\nWP.dW\nWWWWW"), "no exit"),
        (cave("WWWWW\nWPdXW\nWWWWW", needed=5), "it asks for 5 diamonds"),
    ],
)
def test_a_check_says_why_a_cave_is_impossible(text, words):
    report = check(text, Options(), 5.0)
    assert report.verdict == "impossible" and words in report.text


def test_a_check_proves_a_win_by_a_seed_and_a_line_that_wins():
    text = ROOM.levels.text("01_first_dig")
    report = check(text, Options(), 60.0)
    game = BoulderDash()
    state = game.start(parse(text), Options(), report.seed)
    for action in report.plan:
        state = game.step(state, action)
    assert report.verdict == "won" and game.outcome(state).winner == 0


def test_players_see_the_chances_and_not_the_stream():
    game = BoulderDash()
    one, two = (game.start(parse(ROOM.levels.text("01_first_dig")), Options(), seed) for seed in (1, 2))
    first, second = (ROOM.rules.encode(game.observe(state, 0)) for state in (one, two))
    assert first == second
    again = ROOM.rules.decode(first)
    assert ROOM.rules.encode(again) == first


def test_the_picture_names_what_is_there():
    game = BoulderDash()
    state = game.start(parse(cave("WWWWWWW\nWPaQBMW\nWsxrdXW\nWWWWWWW")), Options(), 1)
    frame = ROOM.view.frame(state)
    assert set(frame.cells) <= set(ROOM.view.glyphs)
    assert [(entity.sprite, entity.row, entity.col) for entity in frame.entities] == [("red", 1, 3), ("blue", 1, 4)]
    assert frame.status["diamonds"] == "0/1" and frame.status["time"] == "100"
    assert "not born yet" in frame.text
    assert ROOM.view.seen_frame(game.observe(state, 0)) == frame
