"""Ways, frontiers and searches on drawn levels, and against slow plain twins on random ones."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "naive"))

import nethack_twin as twin
from drawing import EYE, LEFT, NEWT, TOP, drawn, far

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.level import CELLS, COLS, ROWS


def random_memory(seed: int) -> np.ndarray:
    """A level of noise: every kind of square, thing and monster."""
    chance = np.random.default_rng(seed)
    memory = np.zeros((kn.PLANES, CELLS), np.int32)
    ground = [kn.FLOOR] * 8 + [kn.CORRIDOR] * 4 + [kn.COVERED, kn.DOORWAY, kn.UP, kn.DOWN]
    other = [kn.UNKNOWN, kn.STONE, kn.WALL, kn.WATER, kn.OBSTACLE, kn.OPEN_DOOR, kn.CLOSED_DOOR, kn.LOCKED_DOOR]
    memory[kn.TERRAIN] = chance.choice(ground * 2 + other, CELLS)
    rare = chance.random((6, CELLS)) < 0.06
    memory[kn.OBJECT] = np.where(rare[0], kn.BOULDER + 1, 0)
    monsters = chance.choice([NEWT + 1, EYE + 1, kn.PET + 31, kn.INVISIBLE + 1, 268], CELLS)
    memory[kn.MONSTER] = np.where(rare[1], monsters, 0)
    memory[kn.TRAP] = np.where(rare[2], chance.choice([52, kn.HOLE, kn.TRAP_DOOR, 56], CELLS), 0)
    memory[kn.BLOCKED] = np.where(rare[3], chance.integers(0, 256, CELLS), 0)
    memory[kn.SHUNNED] = np.where(rare[4], chance.integers(0, 3, CELLS), 0)
    memory[kn.TRIES] = np.where(rare[5], kn.LOCK_TRIES, 0)
    memory[kn.PEACEFUL, NEWT] = chance.integers(0, 10)
    memory[kn.WALKED] = chance.random(CELLS) < 0.4
    memory[kn.SEARCHED] = chance.integers(0, 30, CELLS)
    return memory


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("brave", [0, 1, 2])
def test_distances_are_those_of_the_plain_twin(seed, brave):
    memory = random_memory(seed)
    start = 10 * COLS + 40
    dist, _ = far(memory, start, brave, turn=5)
    assert dist.tolist() == twin.all_distances(memory.tolist(), start, 5, brave)


@pytest.mark.parametrize("seed", range(4))
def test_frontiers_are_those_of_the_plain_twin(seed):
    memory = random_memory(seed)
    plain = memory.tolist()
    assert [bool(kn.is_frontier(memory, cell)) for cell in range(CELLS)] == [
        twin.frontier(plain, cell) for cell in range(CELLS)
    ]


@pytest.mark.parametrize("seed", range(8))
def test_the_cheapest_frontier_is_that_of_the_plain_twin(seed):
    memory = random_memory(seed)
    weights = np.random.default_rng(seed).integers(0, 12, kn.OBSTACLE + 1).astype(np.int32)
    start = 10 * COLS + 40
    dist, came = np.empty(CELLS, np.int32), np.empty(CELLS, np.int32)
    found = kn.flood(memory, start, 5, 1, weights, kn.NEAREST, dist, came)
    plain = memory.tolist()
    far_from_here = twin.all_distances(plain, start, 5, 1)
    costs = {
        cell: far_from_here[cell] + int(weights[plain[kn.TERRAIN][cell]])
        for cell in range(CELLS)
        if far_from_here[cell] < kn.FAR and twin.frontier(plain, cell)
    }
    assert costs[found] == min(costs.values())
    assert dist[found] == far_from_here[found]
    assert kn.flood(memory, start, 5, 1, weights, found, dist, came) == found


@pytest.mark.parametrize("seed", range(4))
def test_the_best_search_is_that_of_the_plain_twin(seed):
    memory = random_memory(seed)
    dist, _ = far(memory, 10 * COLS + 40)
    odds = np.random.default_rng(seed).random(CELLS)
    best = kn.best_search(memory, dist, odds)
    values = [twin.search_value(memory, dist, odds, cell) for cell in range(CELLS)]
    assert values[best] == pytest.approx(max(values))


@pytest.mark.parametrize("seed", range(4))
def test_nobody_searches_in_a_shop(seed):
    memory = random_memory(seed)
    dist, _ = far(memory, 10 * COLS + 40)
    odds = np.random.default_rng(seed).random(CELLS)
    best = kn.best_search(memory, dist, odds)
    memory[kn.SHUNNED, best] = 1
    assert kn.best_search(memory, dist, odds) != best


@pytest.mark.parametrize("seed", range(3))
def test_room_for_a_hidden_room_is_that_of_the_plain_twin(seed):
    memory = np.zeros((kn.PLANES, CELLS), np.int32)
    known = np.random.default_rng(seed).choice(CELLS, 60, replace=False)
    memory[kn.TERRAIN, known] = kn.FLOOR
    found = np.empty(CELLS, np.uint8)
    kn.mark_roomy(memory, found)
    assert found.tolist() == twin.roomy(memory.tolist())
    assert 0 < found.sum() < CELLS


def test_no_diagonal_step_through_a_door():
    memory, cells = drawn("""
-----
|.@.|
--+--
|A..|
-----
""")
    dist, _ = far(memory, cells["@"])
    # Down into the door (opening it), down again, one step left: 1 + DOOR_COST + 1 + 1.
    assert dist[cells["A"]] == 3 + kn.DOOR_COST


def test_an_empty_doorway_lets_diagonals_through():
    memory, cells = drawn("""
-----
|.@.|
|-d--
|A..|
-----
""")
    dist, _ = far(memory, cells["@"])
    assert dist[cells["A"]] == 2


def test_a_boulder_is_pushed_along_a_corridor_but_not_into_another():
    one, cells = drawn(":@#0##A:")
    assert far(one, cells["@"])[0][cells["A"]] == 5 + kn.BOULDER_COST
    two, cells = drawn(":@#00#A:")
    assert far(two, cells["@"])[0][cells["A"]] == kn.FAR


def test_a_boulder_is_not_pushed_into_rock():
    memory, cells = drawn("""
:::::
:@0::
::A::
:::::
""")
    dist, _ = far(memory, cells["@"])
    assert dist[cells["A"]] == 1  # past it, diagonally
    assert dist[cells["@"] + 1] == kn.FAR


def test_traps_are_avoided_until_the_bot_is_brave():
    memory, cells = drawn(":@.^.A:")
    assert far(memory, cells["@"], brave=0)[0][cells["A"]] == kn.FAR
    assert far(memory, cells["@"], brave=1)[0][cells["A"]] == 4 + kn.TRAP_COST
    memory, cells = drawn(":@.v.A:")
    assert far(memory, cells["@"], brave=1)[0][cells["A"]] == kn.FAR
    assert far(memory, cells["@"], brave=2)[0][cells["A"]] == 4 + kn.TRAP_COST


def test_pets_are_swapped_foes_cost_and_floating_eyes_stop_us():
    for drawing, cost in ((":@.p.A:", 4 + kn.PET_COST), (":@.n.A:", 4 + kn.FOE_COST), (":@.e.A:", kn.FAR)):
        memory, cells = drawn(drawing)
        assert far(memory, cells["@"])[0][cells["A"]] == cost


def test_peaceful_monsters_are_left_alone_until_the_belief_ends():
    memory, cells = drawn(":@.n.A:")
    memory[kn.PEACEFUL, NEWT] = 50
    assert far(memory, cells["@"], turn=49)[0][cells["A"]] == kn.FAR
    assert far(memory, cells["@"], turn=50)[0][cells["A"]] == 4 + kn.FOE_COST


def test_the_shorter_of_two_ways_is_taken():
    memory, cells = drawn("""
#########
#:::::::#
@:###:::A
#:#:#::#:
:#:::##::
""")
    dist, came = far(memory, cells["@"])
    route = np.empty(CELLS, np.int32)
    length = kn.trace_route(came, cells["@"], cells["A"], route)
    assert length == dist[cells["A"]] == 9  # over the top it would be 10
    assert route[length - 1] == cells["A"]


def test_a_square_out_of_reach_has_no_route():
    memory, cells = drawn(":@|A:")
    _, came = far(memory, cells["@"])
    assert kn.trace_route(came, cells["@"], cells["A"], np.empty(CELLS, np.int32)) == 0


def test_a_dead_end_is_searched_before_the_walls_of_a_finished_room():
    memory, cells = drawn("""
::::::::::::::::::::
::-----:::::::::::::
::|..@d######A::::::
::|...|:::::::::::::
::-----:::::::::::::
::::::::::::::::::::
""")
    dist, _ = far(memory, cells["@"])
    memory[kn.TERRAIN, cells["A"]] = kn.CORRIDOR
    odds = np.zeros(CELLS)
    kn.secret_odds(memory, odds)
    assert abs(kn.best_search(memory, dist, odds) - cells["A"]) <= 1


def test_a_corridor_that_ends_beside_its_own_bend_is_a_dead_end():
    memory, cells = drawn("""
::::::::
:###::::
:::##:::
::::A:::
::::::::
""")
    assert kn.is_dead_end(memory, cells["A"])
    assert kn.is_dead_end(memory, cells["A"] - 2 * COLS - 3)
    assert not kn.is_dead_end(memory, cells["A"] - 2 * COLS - 2)
    assert not kn.is_dead_end(memory, cells["A"] - COLS - 1)


def test_a_dead_end_on_the_lowest_row_of_the_map_is_searched_and_nothing_beyond_it():
    memory = np.zeros((kn.PLANES, CELLS), np.int32)
    end = CELLS - COLS + 40
    memory[kn.TERRAIN, [end - 3 * COLS, end - 2 * COLS, end - COLS, end]] = (
        kn.FLOOR,
        kn.DOORWAY,
        kn.CORRIDOR,
        kn.CORRIDOR,
    )
    assert kn.is_dead_end(memory, end)
    odds = np.zeros(CELLS)
    kn.secret_odds(memory, odds)
    assert odds[end - 1] == odds[end + 1] == kn.DEAD_END_ODDS
    assert odds[:COLS].max() == 0.0  # the row that follows in memory if one counts on


def test_a_thing_at_the_end_of_a_corridor_does_not_hide_the_dead_end_and_one_in_a_room_makes_none():
    memory, cells = drawn("""
::::::::::::::::::::
::-----:::::::::::::
::|..@d######A::::::
::|..B|:::::::::::::
::-----:::::::::::::
::::::::::::::::::::
""")
    memory[kn.TERRAIN, [cells["A"], cells["B"]]] = kn.COVERED
    assert kn.is_corridor(memory, cells["A"]) and not kn.is_corridor(memory, cells["B"])
    odds = np.zeros(CELLS)
    kn.secret_odds(memory, odds)
    assert odds[cells["A"] + 1] == kn.DEAD_END_ODDS > odds[cells["B"] + 1] > 0.0


def test_a_door_with_rock_before_it_that_is_seen_from_aside_is_reached_by_a_hidden_square():
    memory, cells = drawn("""
::::::::
:##:::::
:::A::::
:::B::::
::::::::
""")
    memory[kn.TERRAIN, cells["A"]], memory[kn.TERRAIN, cells["B"]] = kn.STONE, kn.CLOSED_DOOR
    memory[kn.TERRAIN, cells["B"] + COLS] = kn.UNKNOWN  # the room behind it
    odds = np.zeros(CELLS)
    kn.secret_odds(memory, odds)
    assert odds[cells["A"]] == kn.BLIND_DOOR_ODDS == odds.max()
    memory[kn.TERRAIN, cells["A"]] = kn.CORRIDOR
    kn.secret_odds(memory, odds)
    assert odds.max() <= kn.DEAD_END_ODDS


def test_only_the_bravest_go_up_to_the_peaceful():
    memory, cells = drawn("""
-----
|.@.A
-----
""")
    nymph = 67
    east = cells["@"] + 1
    memory[kn.MONSTER, east], memory[kn.PEACEFUL, nymph] = nymph + 1, 500
    costs = [int(kn.ground_cost(memory, east, 400, brave)) for brave in range(4)]
    assert costs == [kn.FAR, kn.FAR, kn.FAR, 1 + kn.PEACE_COST]
    assert int(kn.ground_cost(memory, east, 600, 0)) == 1 + kn.FOE_COST  # what was believed is too old


def test_walls_facing_a_hole_in_the_map_are_searched_first():
    memory, cells = drawn("""
-----
|...|
|.@.|
|...|
-----
""")
    odds = np.zeros(CELLS)
    kn.secret_odds(memory, odds)
    west, east = cells["@"] - 2, cells["@"] + 2
    assert odds[east] > 4 * odds[west]  # the drawing stands at the left edge of the map


def test_searching_lowers_the_hope_of_the_same_place():
    memory, cells = drawn("""
-----
|...|
|.@.|
|...|
-----
""")
    dist, _ = far(memory, cells["@"])
    odds = np.zeros(CELLS)
    kn.secret_odds(memory, odds)
    first = kn.best_search(memory, dist, odds)
    kn.note_search(memory, first, 30)
    assert kn.best_search(memory, dist, odds) != first


def test_a_glyph_that_changes_is_remembered_and_neighbours_of_the_hero_become_rock():
    memory = np.zeros((kn.PLANES, CELLS), np.int32)
    before = np.full(CELLS, kn.MAP, np.int16)
    glyphs = before.copy()
    hero = 10 * COLS + 40
    glyphs[hero] = 27
    glyphs[hero + 1] = kn.MAP + 21  # corridor
    glyphs[hero + 2] = kn.MAP + 24  # stairs down
    glyphs[hero + 3] = kn.BOULDER
    glyphs[hero + 4] = NEWT
    glyphs.flags.writeable = False
    assert kn.look(glyphs, before, memory, hero, True) == 5
    kinds = memory[kn.TERRAIN, hero - 1 : hero + 5].tolist()
    assert kinds == [kn.STONE, kn.COVERED, kn.CORRIDOR, kn.DOWN, kn.COVERED, kn.COVERED]
    assert memory[kn.OBJECT, hero + 3] == kn.BOULDER + 1
    assert memory[kn.MONSTER, hero + 4] == NEWT + 1
    assert kn.look(glyphs, before, memory, hero, True) == 0


def test_an_unseen_hero_remembers_what_it_stands_on_and_not_the_boulder_it_pushed_away():
    memory = np.zeros((kn.PLANES, CELLS), np.int32)
    before = np.full(CELLS, kn.MAP, np.int16)
    hero, corridor = 10 * COLS + 40, kn.MAP + 21
    glyphs = before.copy()
    glyphs[hero : hero + 2] = corridor, kn.BOULDER
    kn.look(glyphs, before, memory, hero, True)
    assert memory[kn.OBJECT, hero + 1] == kn.BOULDER + 1
    glyphs = before.copy()
    glyphs[hero + 1 : hero + 3] = corridor, kn.BOULDER  # one step on: the hero itself is not shown
    kn.look(glyphs, before, memory, hero + 1, True)
    assert memory[kn.OBJECT, hero : hero + 3].tolist() == [0, 0, kn.BOULDER + 1]
    assert memory[kn.TERRAIN, hero + 1] == kn.CORRIDOR


@pytest.mark.parametrize("below", [kn.MAP + 21, kn.THING + 7], ids=["corridor", "dart"])
def test_a_mold_in_a_dark_corridor_is_remembered_when_it_is_out_of_sight(below):
    memory = np.zeros((kn.PLANES, CELLS), np.int32)
    before = np.full(CELLS, kn.MAP, np.int16)
    hero, brown_mold, corridor = 10 * COLS + 40, 156, kn.MAP + 21

    def seen(at: int, glyph: int) -> None:
        glyphs = before.copy()
        glyphs[hero + 1 : hero + 4] = corridor
        glyphs[hero + 3] = glyph
        kn.look(glyphs, before, memory, at, True)

    seen(hero + 2, brown_mold)
    seen(hero + 1, below)
    assert memory[kn.MONSTER, hero + 3] == brown_mold + 1
    seen(hero + 2, below)
    assert memory[kn.MONSTER, hero + 3] == 0, "beside it we see that it is gone"


def test_the_map_has_the_size_of_the_game():
    assert (ROWS, COLS, CELLS) == (21, 79, 1659)
    assert TOP * COLS + LEFT < CELLS


@pytest.mark.parametrize("seed", range(4))
def test_monsters_in_sight_are_those_of_the_plain_twin(seed):
    chance = np.random.default_rng(seed)
    glyphs = chance.choice([3, kn.PET + 3, kn.INVISIBLE, kn.DETECTED, kn.WARNING, kn.STATUE - 1, kn.STATUE], CELLS)
    glyphs = glyphs.astype(np.int16)
    glyphs.flags.writeable = False
    found = np.empty(CELLS, np.int32)
    for hero in (5 * COLS, 10 * COLS + 40, CELLS - 1):
        count = kn.seen_monsters(glyphs, hero, found)
        assert found[:count].tolist() == twin.monsters_in_sight(glyphs.tolist(), hero)


@pytest.mark.parametrize("seed", range(4))
def test_wanted_things_are_those_of_the_plain_twin_once_all_were_judged(seed):
    memory = random_memory(seed)
    memory[kn.OBJECT, ::7] = 9
    wanted, judged = np.zeros(kn.GLYPHS + 1, np.bool_), np.zeros(kn.GLYPHS + 1, np.bool_)
    found = np.empty(CELLS, np.int32)
    for entry in (9, kn.BOULDER + 1):
        asked = -int(kn.wanted_things(memory, wanted, judged, found))
        assert asked in (9, kn.BOULDER + 1) and not judged[asked]
        judged[asked], wanted[asked] = True, asked == entry or wanted[asked]
    wanted[9] = True
    count = kn.wanted_things(memory, wanted, judged, found)
    assert found[:count].tolist() == twin.things_wanted(memory.tolist(), wanted.tolist())
