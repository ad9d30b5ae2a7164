from __future__ import annotations

import pytest

from games.ricochet.boards import CORRIDORS, GAME, begin, play
from gridsage.core.game import Budget
from gridsage.games.ricochet.agents import Astar, Bfs, Dfs, Master, agents, minimum_moves
from gridsage.games.ricochet.level import Options, draw, parse
from gridsage.games.ricochet.level.chance import random_position
from gridsage.games.ricochet.missions import robots_used
from gridsage.games.ricochet.missions import solution as solved
from gridsage.games.ricochet.notation import parse_moves
from gridsage.games.ricochet.rules import GIVE_UP, Ricochet
from naive.ricochet_drawing import Twin

UNLIMITED = Budget()
BOXED_IN = """
mission: red circle
+---+---+---+
|R  |     rc|
+---+   +   +
|           |
+---+---+---+
"""


def solution(agent, state, budget=UNLIMITED):
    """Play to the end; the final state and the first thoughts."""
    decision = agent.decide(state, budget)
    first = decision.thoughts
    while True:
        state = GAME.step(state, decision.action)
        if GAME.outcome(state) is not None:
            return state, first
        decision = agent.decide(state, budget)


@pytest.mark.parametrize("name", list(agents()))
def test_every_agent_solves_a_small_board_and_tells_its_figures(name):
    end, thoughts = solution(agents()[name].make(), begin(CORRIDORS))
    assert GAME.outcome(end).reason == "solved"
    assert thoughts.figures["states"] == thoughts.nodes
    assert thoughts.figures["moves_planned"] == len(thoughts.line) == end.moves
    assert thoughts.timings["seconds"] > 0
    assert thoughts.timings["states_per_second"] == pytest.approx(thoughts.nodes / thoughts.timings["seconds"])


@pytest.mark.parametrize("name", list(agents()))
def test_a_mission_that_cannot_be_solved_is_given_up(name):
    decision = agents()[name].make().decide(begin(BOXED_IN), UNLIMITED)
    assert decision.action == GIVE_UP
    assert "no plan exists" in decision.thoughts.text


@pytest.mark.parametrize("name", list(agents()))
@pytest.mark.parametrize("budget", [Budget(nodes=0), Budget(seconds=0.0)])
def test_no_budget_still_gives_a_legal_action(name, budget):
    state = begin(CORRIDORS)
    assert agents()[name].make().decide(state, budget).action in GAME.legal(state)


@pytest.mark.parametrize("name", list(agents()))
def test_an_agent_plans_anew_when_the_board_is_not_what_it_expected(name):
    agent = agents()[name].make()
    agent.decide(begin(CORRIDORS), UNLIMITED)
    elsewhere = play(begin(CORRIDORS), "G<")
    end, _ = solution(agent, elsewhere)
    assert GAME.outcome(end).reason == "solved"


def test_the_plan_is_drawn_as_path_stops_and_line():
    thoughts = Astar().decide(begin(CORRIDORS), UNLIMITED).thoughts
    assert thoughts.line == ("red down", "red right", "red up")
    assert thoughts.path == (0, 8, 10, 6)
    assert thoughts.values == ((8, "R1"), (10, "R2"), (6, "R3"))
    assert thoughts.text == "a plan of 3 moves"


def test_astar_and_complete_bfs_find_the_fewest_moves_of_the_twin():
    for seed in range(1, 9):
        level = random_position(seed)
        state = Ricochet().start(level, begin(CORRIDORS).options, 0)
        twin = Twin(draw(level))
        target = divmod(level.mission.cell, level.cols)
        fewest = twin.fewest_moves(target, level.mission.robot, must_ricochet=False, limit=4)
        if fewest is None:
            continue
        for agent in (Astar(), Bfs(visit_once=False)):
            end, _ = solution(agent, state)
            assert (GAME.outcome(end).reason, end.moves) == ("solved", fewest)


def test_the_early_test_of_the_report_saves_states():
    early = Bfs().decide(begin(CORRIDORS), UNLIMITED).thoughts
    late = Bfs(test_early=False).decide(begin(CORRIDORS), UNLIMITED).thoughts
    assert early.nodes < late.nodes and early.line == late.line


def test_with_visit_once_no_robot_comes_to_a_cell_twice():
    nodes = Bfs().decide(begin(BOXED_IN), UNLIMITED).thoughts.nodes
    assert nodes <= 6, "one robot on six cells"


def test_dfs_needs_fewer_states_and_more_moves_than_bfs():
    """The report's own observation: 26 states against 487, 26 moves against 5."""
    pairs = []
    for seed in range(1, 21):
        state = begin(draw(random_position(seed)))
        deep, broad = (agent.decide(state, UNLIMITED).thoughts for agent in (Dfs(), Bfs()))
        if deep.line and broad.line:
            pairs.append((deep, broad))
    assert len(pairs) >= 10
    assert sum(len(deep.line) for deep, _ in pairs) > 2 * sum(len(broad.line) for _, broad in pairs)


def test_the_minimum_moves_grid_counts_slides_that_may_stop_anywhere():
    grid = minimum_moves(parse(CORRIDORS))
    assert grid == (2, 2, 3, 2, 1, 1, 0, 1, 2, 2, 1, 2)


def test_with_sum_robots_helpers_keep_off_the_cells_next_to_the_target():
    state = begin("""
mission: red circle
+---+---+---+---+
|R           G  |
+   +   +   +   +
|               |
+   +   +   +---+
|             rc|
+   +   +   +   +
|               |
+---+---+---+---+
""")
    level = state.level
    grid = minimum_moves(level)
    end, thoughts = solution(Astar(sum_robots=True), state)
    assert GAME.outcome(end).reason == "solved"
    assert all(grid[cell] >= 2 for cell, sign in thoughts.values if sign[0] != "R")


def test_give_up_is_not_part_of_a_plan():
    for name in agents():
        thoughts = agents()[name].make().decide(begin(CORRIDORS), UNLIMITED).thoughts
        assert parse_moves(", ".join(thoughts.line))


def test_master_out_of_budget_slides_on_and_often_arrives():
    state = begin(draw(random_position(16)))
    budget = Budget(nodes=5)
    first = Master().decide(state, budget)
    assert first.thoughts.text.startswith("no plan within the budget; it takes more than")
    assert first.action != GIVE_UP and first.action in GAME.legal(state)
    at_once = arrived = 0
    for seed in range(1, 21):
        end, thoughts = solution(Master(), begin(draw(random_position(seed))), budget)
        at_once += bool(thoughts.line)
        arrived += GAME.outcome(end).reason == "solved"
    assert arrived > 2 * at_once > 0, "most arrivals were found on the way"


def test_a_plan_longer_than_the_moves_left_is_played_as_far_as_it_goes():
    level = parse(draw(random_position(16)))
    end, thoughts = solution(Master(), GAME.start(level, Options(max_moves=2), 1))
    assert len(thoughts.line) > 2 == len(thoughts.values)
    assert GAME.outcome(end).reason == "out of moves"


def test_master_is_never_above_the_fewest_with_enough_budget():
    for seed in range(1, 11):
        state = begin(draw(random_position(seed)))
        end, thoughts = solution(Master(), state)
        assert end.moves == len(thoughts.line)
        assert thoughts.text == f"{end.moves} moves, and no fewer"


def test_of_all_shortest_plans_the_one_that_moves_the_fewest_robots_can_be_asked_for():
    better = 0
    for seed in range(1, 25):
        state = Ricochet().start(random_position(seed), Options(), 0)
        every = solved(state, all_solutions=True).solutions
        plain, few = (Master(few_robots=few).search(state, Budget()).plan for few in (False, True))
        assert len(plain) == len(few)
        assert len(robots_used(few)) == min(len(robots_used(moves)) for moves in every)
        better += len(robots_used(few)) < len(robots_used(plain))
    assert better > 0
