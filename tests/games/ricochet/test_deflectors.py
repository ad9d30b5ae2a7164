"""Diagonal deflectors: drawn positions, every form of a level, and the solver beside an exhaustive twin."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from gridsage.core.errors import LevelError
from gridsage.core.game import Budget
from gridsage.games.ricochet import ROOM, deflected
from gridsage.games.ricochet.agents import Astar, Master
from gridsage.games.ricochet.level import (
    Deflector,
    Goal,
    Level,
    Options,
    closed_walls,
    draw,
    parse,
    to_game_id,
    to_line,
    to_record,
)
from gridsage.games.ricochet.missions import rate_missions, solution, start_of
from gridsage.games.ricochet.rules import Ricochet
from gridsage.pictures.sprites import layers_of

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "naive"))
import ricochet_bent_twin as twin

GAME = Ricochet()

MIRRORS = r"""
mission: red circle
+---+---+---+---+
|R        g\    |
+   +   +   +   +
|               |
+   +   +   +   +
|G    rc  g/    |
+---+---+---+---+
"""

RECORD = '{"walls":"000","robots":[0],"target":2,"width":3,"height":1,"deflectors":[[1,1,"/"]]}'


def after(text: str, *labels: str, must_ricochet: bool = False):
    state = GAME.start(parse(text), Options(must_ricochet=must_ricochet), 1)
    for label in labels:
        state = GAME.step(state, GAME.action(label))
    return state


def places(state) -> str:
    return " ".join(f"{cell // state.level.cols},{cell % state.level.cols}" for cell in state.robots)


def test_a_robot_of_another_colour_turns_at_each_deflector_and_slides_on():
    assert places(after(MIRRORS, "red right")) == "2,1 2,0"  # right, down, left, and before the green one


def test_a_robot_of_the_same_colour_passes():
    assert places(after(MIRRORS, "green right")) == "0,0 2,3"


def test_a_robot_stops_on_a_deflector_where_the_way_behind_it_is_closed():
    state = after(MIRRORS.replace("|R        g", "|    R    b").replace("g/", "b/"), "green right")
    assert places(state) == "0,1 0,2"  # turned upwards by the first, to the left by the second, red stands there
    assert places(GAME.step(state, GAME.action("green right"))) == "0,1 0,3"  # it leaves as from any cell


def test_a_robot_that_would_slide_round_and_round_does_not_move():
    text = r"""
+---+---+---+
| b/ R    b\|
+   +   +   +
|     rc    |
+   +   +   +
| b\      b/|
+---+---+---+
"""
    state = GAME.start(parse(text), Options(), 1)
    assert [GAME.label(action) for action in GAME.slides(state)] == ["red down"]


def test_being_turned_by_a_deflector_is_a_ricochet():
    assert GAME.outcome(after(MIRRORS, "red right", must_ricochet=True)).reason == "solved"
    assert after(MIRRORS, "red down").headings[0] == 2
    assert solution(start_of(parse(MIRRORS), Options(must_ricochet=True))).length == 1


def test_every_form_of_a_level_keeps_its_deflectors():
    level = parse(MIRRORS)
    assert level.deflectors == (Deflector(2, 1, rises=False), Deflector(10, 1, rises=True))
    assert parse(draw(level)) == level
    assert parse(to_line(level)) == level
    assert to_line(level).endswith("_g0.2d-g2.2u")
    assert parse(to_record(level)).deflectors == level.deflectors
    assert "deflectors" not in to_record(parse(MIRRORS.replace("g\\", "  ").replace("g/", "  ")))


def test_a_printed_board_with_deflectors_has_no_game_id():
    line = "1A-2A-3A-4A_R0.0-G0.15-B15.0-Y15.15_r1.4c"
    assert to_game_id(parse(line))
    assert to_line(parse(line + "_k3.3u")) == line + "_k3.3u"
    with pytest.raises(LevelError, match="only missions of the printed boards"):
        to_game_id(parse(line + "_k3.3u"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MIRRORS.replace(r"g\ ", r"x\ "), r"line 4, column 11: expected a deflector's colour \(r g b y k\), found 'x'"),
        (MIRRORS.replace(r" g\ ", r"Bg\ "), "the green deflector is on cell 2, where the blue robot is"),
        ("1x3.000_R0.0_r0.2_g0.2u", "the green deflector is on cell 2, where the goal of red is"),
        ("1x3.000_R0.0_r0.2_g0.1x", "column 19: expected a deflector like r3.14u"),
        ("1x3.000_R0.0_r0.2_g1.1u", "the green deflector is on cell 4, expected 0 to 2"),
        ("1x3.000_R0.0_r0.2_g0.1u-b0.1d", "the blue deflector is on cell 1, where the green deflector is"),
        (
            '{"walls":"000","robots":[0],"target":2,"width":3,"height":1,"deflectors":[[1,7,"/"]]}',
            "robot 7, expected 0",
        ),
        (
            '{"walls":"000","robots":[0],"target":2,"width":3,"height":1,"deflectors":[[1,1,"|"]]}',
            "not a position in JSO",
        ),
    ],
)
def test_bad_deflectors_are_refused_with_their_place(text, words):
    with pytest.raises(LevelError, match=words):
        parse(text)


def wild_level(seed: int) -> Level:
    """A small board of pure chance, a third of its cells with a deflector or a wall."""
    dice = random.Random(seed)
    rows, cols = dice.randint(1, 6), dice.randint(2, 6)
    cells = rows * cols
    walls = closed_walls(rows, cols, [dice.choice((0, 0, 0, 1, 2, 4, 8)) for _ in range(cells)])
    robots = dice.randint(1, min(3, cells - 1))
    *people, goal = dice.sample(range(cells), robots + 1)
    left = [cell for cell in range(cells) if cell not in (*people, goal)]
    bends = dice.sample(left, min(len(left), dice.randint(1, 6)))
    deflectors = tuple(Deflector(cell, dice.randrange(5), dice.random() < 0.5) for cell in bends)
    mission = Goal(goal, dice.randrange(-1, robots))
    return Level(rows, cols, walls, tuple(people), mission, (), deflectors)


@pytest.mark.compiled
@pytest.mark.parametrize("must_ricochet", [False, True])
def test_the_solver_and_the_exhaustive_twin_agree_on_wild_boards(must_ricochet):
    for seed in range(60):
        level = wild_level(seed)
        if not level.deflectors:
            continue
        wanted = twin.all_shortest(level, must_ricochet)
        found = solution(start_of(level, Options(must_ricochet=must_ricochet)), all_solutions=True, max_solutions=10**6)
        assert found.status == ("solved" if wanted else "unsolvable"), seed
        assert found.complete, seed
        assert set(found.solutions) == wanted, seed
        if wanted:
            assert found.moves in wanted and found.length == len(found.moves), seed


def test_the_rules_and_the_twin_play_alike_on_wild_boards():
    for seed in range(60):
        level, dice = wild_level(seed), random.Random(seed)
        state = GAME.start(level, Options(max_moves=10_000), 1)
        for _ in range(20):
            ways = {action: node for action, *node in twin.moves(level, state.robots, state.headings)}
            if GAME.outcome(state) is not None or not ways:
                break
            assert GAME.slides(state) == list(ways)
            action = dice.choice(list(ways))
            state = GAME.step(state, action)
            assert [state.robots, state.headings] == ways[action]


def test_astar_finds_what_the_master_proves_among_deflectors():
    for seed in range(40):
        state = start_of(wild_level(seed), Options())
        best = Master().search(state, Budget())
        assert len(Astar().search(state, Budget(nodes=100_000)).plan) == len(best.plan)


def test_budgets_end_the_search_among_deflectors():
    line = "1A-2A-3A-4A_R0.0-G0.15-B15.0-Y15.15_r1.4c_k3.3u-k5.5d-r8.2u"
    found = solution(start_of(parse(line), Options()), max_nodes=3)
    assert found.status == "budget" and found.nodes <= 3 and found.length is None


def test_missions_among_deflectors_are_rated_by_the_bent_search():
    level = parse(MIRRORS)
    assert rate_missions(level) == {level.mission: 1}
    assert rate_missions(level, 0) == {level.mission: None}


def test_deflectors_are_shown_and_told():
    frame = ROOM.view.frame(after(MIRRORS))
    assert frame.cells[2] == "deflector-green-falling" and frame.cells[10] == "deflector-green-rising"
    assert "Deflectors: green \\ at row 0, column 2; green / at row 2, column 2." in frame.text
    for sprite in {*frame.cells}:
        assert sprite in ROOM.view.glyphs
    (layer,) = layers_of("deflector-blue-rising", False, "ricochet")
    assert layer.sprite == "goal-rising" and layer.bound["sign"] == "B"
    assert {tile.sign for tile in ROOM.levels.sheet.tiles} >= {"r/", "r\\", "k/", "k\\"}


def test_boards_without_deflectors_never_come_to_the_bent_search(monkeypatch):
    monkeypatch.setattr(deflected, "solve", None)
    assert solution(start_of(parse(MIRRORS.replace("g\\", "  ").replace("g/", "  ")), Options())).length == 3


def test_the_fingerprint_tells_deflectors_apart():
    plain, bent = (start_of(parse(text), Options()) for text in (MIRRORS, MIRRORS.replace("g/", "g\\")))
    assert GAME.fingerprint(plain) != GAME.fingerprint(bent)
