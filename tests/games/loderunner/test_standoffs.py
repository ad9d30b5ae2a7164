"""Enemies who stand in the only way for good: the table beside its plain twin, and the master that foresees them."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from gridsage.core.game import Budget
from gridsage.games.loderunner.agents.distances import Distances, Watch, guide
from gridsage.games.loderunner.agents.master import STAND, Beam, Master
from gridsage.games.loderunner.agents.plans import PATIENCE, SAFE_ROUNDS, Leanings, Plan, Scene, prices
from gridsage.games.loderunner.checker import lost_for_good
from gridsage.games.loderunner.kernels import lookahead, standoffs
from gridsage.games.loderunner.kernels.rounds import BONUSES_LEFT, FAR, FIRST_BONUS, RUNNER, neighbour
from gridsage.games.loderunner.level import Options, parse
from gridsage.games.loderunner.rules import LodeRunner, pack, tables
from gridsage.games.loderunner.state import NONE, REASONS

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "naive"))
from loderunner_standoffs import EXIT, Duels
from loderunner_twin import wild_level

GAME = LodeRunner()
MOST_OPEN = 45


def small_level(seed: int) -> list[str]:
    """A level of pure chance with few cells to be in: its twin plays every duel."""
    dice = random.Random(seed)
    while True:
        rows = wild_level(dice)
        if sum(letter not in "WF" for row in rows for letter in row) <= MOST_OPEN:
            return rows


@pytest.mark.parametrize("seed", range(6))
def test_the_table_and_its_twin_agree_on_wild_levels(seed):
    rows = small_level(seed)
    level = parse("\n".join(rows) + "\n")
    hints = guide(level, Options())
    goals = [divmod(cell, level.cols)[::-1] for cell in level.bonuses] + [EXIT]
    alone, duels = Duels(rows).tables()
    for (runner, enemy, parity), rounds in duels.items():
        places = [hints.duels.places[y * level.cols + x] for x, y in (runner, enemy)]
        lost = int(hints.duels.lost[places[0], places[1], parity])
        for number, goal in enumerate(goals):
            bit = standoffs.EXIT_BIT if goal == EXIT else number
            lone = alone[runner, None, 0].get(goal)
            assert bool(lost >> bit & 1) == (goal not in rounds and lone is not None), (runner, enemy, parity, goal)
            if goal in rounds and lone is not None:
                extra = hints.duels.extra[number, places[0], places[1], parity]
                assert extra == max(0, rounds[goal] - lone), (runner, enemy, parity, goal)


@pytest.mark.parametrize("seed", range(6))
def test_what_two_keep_together_and_its_twin_agree_on_wild_levels(seed):
    rows = small_level(seed)
    level = parse("\n".join(rows) + "\n")
    found, table = tables(level, Options()), guide(level, Options()).duels
    goals = [divmod(cell, level.cols)[::-1] for cell in level.bonuses] + [EXIT]
    twin = Duels(rows)
    alone, duels = twin.tables()
    standing = sorted({enemy for _, enemy, _ in duels})
    for post in random.Random(seed).sample(standing, 3):
        beside = table.lost_beside(found, post[1] * level.cols + post[0])
        for (runner, enemy, parity), kept in twin.kept_beside(post, alone, duels).items():
            places = [table.places[y * level.cols + x] for x, y in (runner, enemy)]
            bits = sum(1 << (standoffs.EXIT_BIT if goal == EXIT else goals.index(goal)) for goal in kept)
            assert int(beside[places[0], places[1], parity]) == bits, (post, runner, enemy, parity)


# The enemy cannot walk over the wall in the middle of the floor, and comes no further than its edge.
EDGE = """
WWWWWWWWWWWWW
WX..E.....R.W
WFFFFFWFFFFFW
WFFFFFFFFFFFW
WWWWWWWWWWWWW
"""


def blocked(text: str, actions: str = "") -> int:
    state = GAME.start(parse(text), Options(), 1)
    for label in actions.split():
        state = GAME.step(state, GAME.action(label))
    found, hints = tables(state.seen.level, Options()), guide(state.seen.level, Options())
    return Scene(found, hints).shut_out(pack(state.seen, found))


def test_an_enemy_at_the_edge_of_what_it_can_walk_blocks_the_way_for_good():
    assert blocked(EDGE) == 0  # from the wall he can still dig before it comes
    assert blocked(EDGE.replace("E.....R", ".E....R")) == 1


def test_an_enemy_in_a_hole_blocks_nothing():
    lured = EDGE.replace("E.....R", "E.R....")
    assert blocked(lured, "bomb-left") == 0  # it fell into the hole under the edge
    assert blocked(lured, "none right right") == 1  # lured to the edge instead


def test_every_enemy_in_the_way_counts():
    text = EDGE.replace("X..E.....R.", "BX.EE....R.")
    assert blocked(text) == 1  # the second one stands at the edge
    assert blocked(text.replace("FFFFFWF", "FFWFFWF").replace("X.EE", "XE.E")) == 2  # and one on a wall never moves


def test_what_was_taken_is_not_missed():
    text = "WWWWWWWWWWWWW\nW.B.E.....RXW\nWFFFFWFFFFFFW\nWWWWWWWWWWWWW\n"
    assert blocked(text) == 1
    assert blocked(text.replace("B", ".")) == 0


def test_large_levels_are_not_looked_at():
    wide = "W" * 60
    rows = [wide, "WX.E." + "." * 52 + "R.W", "WFFFWF" + "F" * 53 + "W"]
    small = "\n".join([*rows, wide]) + "\n"
    large = "\n".join([*rows, *["W" + "." * 58 + "W"] * 8, wide]) + "\n"
    assert (blocked(small), blocked(large)) == (1, 0)


def test_duels_are_played_in_portions_and_known_when_all_are_played():
    level = parse(LURES)
    begun, whole = Distances(level, Options()), guide(level, Options())
    looks = iter([True, True, False])
    begun.duels.play(lambda: next(looks))
    assert not begun.duels.is_ready and (begun.duels.places < 0).all()
    begun.duels.play(lambda: True)
    assert begun.duels.is_ready
    assert (begun.duels.lost == whole.duels.lost).all() and (begun.duels.extra == whole.duels.extra).all()


def test_steps_of_the_chase_are_counted():
    level = parse(LURES)
    found, steps = tables(level, Options()), guide(level, Options()).steps
    for enemy, runner in [(enemy, runner) for enemy in level.enemies for runner in range(len(level.cells))]:
        cell, count = enemy, 0
        while cell != runner and found.chase[cell, runner] != NONE:
            cell, count = neighbour(cell, found.chase[cell, runner], level.cols), count + 1
        assert steps[enemy, runner] == (count if cell == runner else FAR)


# Made by the generator; a master without foresight lures enemies into the only way to the exit.
LURES = """
WWWWWWWWWWWWWWWWWWWWWWWWWWWW
WCCCCCCC...CCC........CCCC.W
W................EXE.E.....W
W.......FLL...FFFFFFFF....LW
W........LL.......CCCCC...LW
W........LL.....E.........LW
WFFFFLWFFFFFFFFFFF.....FFFFW
W....L.CCCCCCCCC...CCCCC...W
WB..EL.....................W
WFLWFLF.........FFF.....WFFW
W.L..L.....................W
W.L..L.BB.R...BB..E......EBW
WFFFFFFFFFFFFFFFFFFFFFFFFFFW
WWWWWWWWWWWWWWWWWWWWWWWWWWWW
"""


# The only way to the exit is to drop from the upper cable to the lower one. The enemy above cannot leave the floor
# between the two walls, and keeps the runner from dropping farther to the right, where he would be past the one below.
CABLE = """
WWWWWWWWWWWWWWWWWWWW
W.CCC..............W
WR.....E...........W
WL...FWFFFFWFFFFFFFW
WL..CCCCC..........W
WL.......{}XW
WL.......FFFFFFFFFFW
WL.................W
WL.................W
WFFFFFFFFFFFFFFFFFFW
WWWWWWWWWWWWWWWWWWWW
"""


def watched(watch: Watch, text: str) -> Scene:
    """The scene of a level, after the watch has looked at every enemy of it."""
    level = parse(text)
    found, hints = tables(level, Options()), guide(level, Options())
    for _ in level.enemies:
        watch.look(found, hints.duels, list(level.enemies), lambda: True)
    return Scene(found, hints, watch.posts)


def kept_by_two(text: str) -> bool:
    """Return True if two enemies shut him out together of whom neither does alone."""
    seen = GAME.start(parse(text), Options(), 1).seen
    row = pack(seen, tables(seen.level, Options()))
    return blocked(text) == 0 and watched(Watch(), text).shut_out(row) == 1


@pytest.mark.parametrize(("below", "is_kept"), [("E........", True), ("..E......", True), ("...E.....", False)])
def test_two_enemies_shut_him_out_together(below, is_kept):
    text = CABLE.format(below)
    assert kept_by_two(text) == is_kept
    assert bool(lost_for_good(GAME.start(parse(text), Options(), 1).seen)) == is_kept, "the proof says the same"
    assert not kept_by_two(text.replace("R.....E", "R......")), "the one below alone can be trapped"


def test_nothing_is_kept_beside_an_enemy_who_would_leave_its_post():
    assert not kept_by_two(CABLE.format("E........").replace("R.....E..", "R.......E"))


def test_the_master_says_that_two_enemies_keep_the_way():
    state = GAME.start(parse(CABLE.format("E........")), Options(), 1)
    thoughts = Master().decide(GAME.observe(state, 0), Budget(nodes=3000)).thoughts
    assert thoughts is not None and "an enemy will stand in the only way for good" in thoughts.text


def test_a_post_is_manned_while_an_enemy_waits_on_it_who_can_do_harm():
    text = CABLE.format("...E.....")
    above, below = sorted(parse(text).enemies)
    watch = Watch()
    assert not watch.is_manned([above]), "nobody has looked yet"
    watched(watch, text)
    assert watch.is_manned([above]) and not watch.is_manned([below])


@pytest.mark.parametrize(("nodes", "manned"), [(3000, 6), (60_000, 64 // STAND)])
def test_more_positions_per_cell_are_kept_while_a_post_is_manned(monkeypatch, nodes, manned):
    quotas, begin = [], Beam.begin

    def noted(self, row, width, seed, most, leanings):
        quotas.append(leanings.quota)
        begin(self, row, width, seed, most, leanings)

    monkeypatch.setattr(Beam, "begin", noted)
    harmless = CABLE.format("E........").replace("R.....E", "R......")
    for text, expected in ((CABLE.format("E........"), manned), (harmless, 3)):
        quotas.clear()
        Master().decide(GAME.observe(GAME.start(parse(text), Options(), 1), 0), Budget(nodes=nodes))
        assert quotas[0] == expected, text


def test_no_post_is_looked_at_when_the_time_is_over():
    level = parse(CABLE.format("E........"))
    watch, found, duels = Watch(), tables(level, Options()), guide(level, Options()).duels
    watch.look(found, duels, list(level.enemies), lambda: False)
    assert not watch.is_manned(list(level.enemies))


def test_a_post_that_nobody_stands_on_gives_way_to_another_one():
    text, watch = CABLE.format("E........"), Watch(most=1)
    farther = text.replace("R.....E", "R....E.")
    old, new = min(parse(text).enemies), min(parse(farther).enemies)
    watched(watch, text)
    assert watch.is_manned([old])
    scene = watched(watch, farther)
    assert watch.is_manned([new]) and not watch.is_manned([old])
    rows = [pack(GAME.start(parse(level), Options(), 1).seen, scene.found) for level in (text, farther)]
    assert [scene.shut_out(row) for row in rows] == [0, 1]


def end_of(text: str, agent: Master, seed: int) -> str:
    state = GAME.start(parse(text), Options(turn_cap=400), seed)
    while state.status == 0:
        state = GAME.step(state, agent.decide(GAME.observe(state, 0), Budget(nodes=10_000)).action)
    return REASONS[state.status]


@pytest.mark.parametrize("seed", [pytest.param(11, marks=pytest.mark.long), 12])
def test_the_master_does_not_lure_enemies_into_the_only_way(seed):
    assert end_of(LURES, Master(), seed) == "won"
    assert end_of(LURES, Master(foresight=False), seed) == "out of turns"


def test_the_master_says_that_the_way_is_lost():
    state = GAME.start(parse(EDGE.replace("E.....R", ".E....R")), Options(), 1)
    thoughts = Master().decide(GAME.observe(state, 0), Budget(nodes=3000)).thoughts
    assert thoughts is not None and "an enemy will stand in the only way for good" in thoughts.text


SHUT_OUT = EDGE.replace("E.....R", ".E....R")


@pytest.mark.parametrize(("foresight", "goes_on"), [(True, True), (False, False)])
def test_a_plan_that_does_not_win_is_thought_over_in_every_round(foresight, goes_on):
    state = GAME.start(parse(SHUT_OUT), Options(), 1)
    agent = Master(foresight=foresight)
    state = GAME.step(state, agent.decide(GAME.observe(state, 0), Budget(nodes=3000)).action)
    thoughts = agent.decide(GAME.observe(state, 0), Budget(nodes=3000)).thoughts
    assert thoughts is not None and (thoughts.nodes > 0) == goes_on


def test_a_plan_that_leads_nowhere_is_no_longer_than_it_need_be():
    state = GAME.start(parse(SHUT_OUT), Options(), 1)
    thoughts = Master().decide(GAME.observe(state, 0), Budget(nodes=3000)).thoughts
    assert thoughts is not None and thoughts.text.startswith(f"alive for {SAFE_ROUNDS} rounds, but")


def test_what_enemies_cost_on_the_way_adds_up():
    rows = "WWWWWWWWWWWWWW\nWX.{}R.W\nWFFFFFFFFFFFFW\nWFFFFFFFFFFFFW\nWWWWWWWWWWWWWW\n"
    near, far, both = (cost_to_exit(rows.format(people)) for people in (".....E..", "..E.....", "..E..E.."))
    assert near > 0 and far > 0 and both == near + far
    assert cost_to_exit(rows.format("........")) == 0


@pytest.mark.parametrize("bonuses", [1, 2, 9, 10])
def test_the_way_ahead_is_the_best_order_from_every_cell_and_set_of_bonuses(bonuses):
    top, below = f"WX..L{'B' * bonuses:.<10}W", "WFFFLFFFFFFFFFFW\nWR..L........E.W\nWFFFFFFFFFFFFFFW"
    text = f"{'W' * 16}\n{top}\n{below}\n{'W' * 16}\n"
    state = GAME.start(parse(text), Options(), 1)
    found, hints = tables(state.seen.level, Options()), guide(state.seen.level, Options())
    scene, row = Scene(found, hints), pack(state.seen, found)
    assert (len(hints.ahead) == 1) == (bonuses == 10), "no table that takes long to make"
    for left in range(1 << bonuses):
        row[FIRST_BONUS], row[BONUSES_LEFT] = left, left.bit_count()
        for row[RUNNER] in range(16, 64):
            assert scene.to_go(row, 0) == lookahead.tour_from(found.info, hints.walk, hints.tour, row)[0]


def test_a_plan_is_judged_by_a_share_of_what_enemies_cost():
    text = "WWWWWWWWWWWWWW\nWX.....E..R..W\nWFFFFFFFFFFFFW\nWFFFFFFFFFFFFW\nWWWWWWWWWWWWWW\n"
    state = GAME.start(parse(text), Options(), 1)
    found = tables(state.seen.level, Options())
    scene, row = Scene(found, guide(state.seen.level, Options())), pack(state.seen, found)
    assert scene.to_go(row, 0) == 9
    assert scene.to_go(row, 50) == 9 + cost_to_exit(text) // 2


def test_a_small_risk_is_taken_once_waiting_has_led_nowhere():
    at_first, later, at_last = (prices(waited) for waited in (PATIENCE - 1, PATIENCE, 2 * PATIENCE))
    assert at_first[0] > later[0] == at_last[0] == 0
    assert at_first[1] == later[1] > at_last[1] > 0
    long = Plan([0] * 150, [], won=False, lives=True, luck=0, to_go=50, wasted=100, shut_out=0)
    for (_, risk_cost, _), is_bold in ((at_first, False), (at_last, True)):
        risky = Plan(
            [0] * 60, [], won=True, lives=True, luck=1, to_go=0, wasted=0, shut_out=0, risk=60, risk_cost=risk_cost
        )
        assert (risky.worth > long.worth) == is_bold


def plan(length: int, **details: int) -> Plan:
    """A plan that lives, with a way of 50 rounds left unless told otherwise."""
    known = {"luck": 1, "to_go": 50, "wasted": 0, "shut_out": 0, "reach": length, "lives": True, "won": False}
    return Plan([0] * length, [], **known | details)


def test_plans_that_do_not_win_for_sure_are_compared_by_one_sum():
    assert plan(140, bonuses_left=1).worth > plan(60, bonuses_left=2).worth
    assert plan(30, risk=10).worth > plan(38, risk=978).worth, "a short plan is not judged by its length alone"
    assert plan(30, lives=False).worth > plan(1).worth, "one round of a search that was cut short is no promise"
    assert plan(30).worth > plan(30, lives=False).worth
    assert plan(20, reach=45).worth > plan(21, to_go=49).worth, "a plan that is followed keeps its rank"


@pytest.mark.parametrize("waited", [0, PATIENCE, 2 * PATIENCE, 20 * PATIENCE])
def test_nobody_is_buried_for_its_own_sake_while_a_win_is_at_hand(waited):
    luck_cost, _, _ = prices(waited)
    win = Plan([0] * 33, [], won=True, lives=True, luck=4, to_go=0, wasted=0, shut_out=0, luck_cost=luck_cost)
    siege = Plan([0] * 100, [], won=False, lives=True, luck=20, to_go=27, wasted=100, shut_out=0, luck_cost=luck_cost)
    assert win.worth > siege.worth


def cost_to_exit(text: str) -> int:
    state = GAME.start(parse(text), Options(), 1)
    found, hints = tables(state.seen.level, Options()), guide(state.seen.level, Options())
    return standoffs.detour(
        found.info, hints.duels.places, hints.duels.extra, pack(state.seen, found), len(hints.walk) - 1
    )


@pytest.mark.parametrize(("curiosity", "explores"), [(0, False), (8, True)])
def test_a_curious_search_leaves_the_place_from_which_it_gets_no_farther(curiosity, explores):
    floor = "F" * 5 + "W" + "F" * 30
    rows = ["W" * 38, "WX...E....R" + "." * 26 + "W", f"W{floor}W", "W" * 38]
    level = parse("\n".join(rows) + "\n")
    found = tables(level, Options())
    scene = Scene(found, guide(level, Options()))
    row = pack(GAME.start(level, Options(), 1).seen, found)
    beam = Beam(len(row), scene.hints.walk.shape)
    beam.begin(row, 6, 1, 100_000, Leanings(danger=0, quota=1, curiosity=curiosity))
    beam.grow(scene, 120)
    assert bool(beam.visits[0, level.runner + 10 :].any()) == explores
