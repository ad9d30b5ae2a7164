from __future__ import annotations

import pytest

from gridsage.core.game import Budget
from gridsage.search.astar import astar
from gridsage.search.beam import beam
from gridsage.search.bfs import bfs
from gridsage.search.dfs import dfs
from gridsage.search.ida import ida
from search.maze import Maze

ROOMS = """
.......
.S####.
.##G.#.
.#~#.#.
.#...#.
......."""
SHORTEST = 13
WALLED_IN = """
S..#.
...#G
"""
SEARCHES = {
    "bfs": lambda maze, budget: bfs(maze, maze.start, budget),
    "dfs": lambda maze, budget: dfs(maze, maze.start, budget),
    "astar": lambda maze, budget: astar(maze, maze.start, maze.distance, budget),
    "ida": lambda maze, budget: ida(maze, maze.start, maze.distance, budget),
    "beam": lambda maze, budget: beam(maze, maze.start, maze.distance, 2, budget),
}
OPTIMAL = ("bfs", "astar", "ida")


@pytest.mark.parametrize(("name", "nodes"), [("bfs", 28), ("dfs", 24), ("astar", 23), ("ida", 89), ("beam", 24)])
def test_the_number_of_nodes_to_the_goal_does_not_change(name, nodes):
    maze = Maze(ROOMS)
    found = SEARCHES[name](maze, Budget())
    assert found.status == "solved"
    assert maze.walk(found.plan) == maze.goal
    assert found.nodes == nodes


@pytest.mark.parametrize("name", OPTIMAL)
def test_optimal_searches_find_the_shortest_plan(name):
    assert len(SEARCHES[name](Maze(ROOMS), Budget()).plan) == SHORTEST


@pytest.mark.parametrize("name", SEARCHES)
def test_a_goal_behind_walls_exhausts_the_search(name):
    found = SEARCHES[name](Maze(WALLED_IN), Budget())
    assert (found.status, found.plan) == ("exhausted", ())


@pytest.mark.parametrize("name", SEARCHES)
def test_no_search_spends_more_nodes_than_it_has(name):
    for nodes in (0, 1, 7):
        found = SEARCHES[name](Maze(ROOMS), Budget(nodes=nodes))
        assert (found.status, found.plan, found.nodes) == ("budget", (), nodes)


@pytest.mark.parametrize("name", SEARCHES)
def test_no_time_means_no_nodes(name):
    assert SEARCHES[name](Maze(ROOMS), Budget(seconds=0.0)).nodes == 0


@pytest.mark.parametrize("name", SEARCHES)
def test_a_game_that_is_won_needs_no_plan(name):
    maze = Maze(ROOMS)
    maze.start = maze.goal
    found = SEARCHES[name](maze, Budget(nodes=0))
    assert (found.status, found.plan) == ("solved", ())


def test_a_pit_is_the_end_of_a_plan():
    maze = Maze("S~G")
    assert bfs(maze, maze.start).status == "exhausted"


def test_bfs_with_a_late_test_looks_at_more_states():
    maze = Maze("...S..G\n.......\n.......")
    early, late = bfs(maze, maze.start), bfs(maze, maze.start, test_early=False)
    assert len(early.plan) == len(late.plan)
    assert early.nodes < late.nodes


def test_a_coarser_mark_keeps_fewer_states():
    maze = Maze(ROOMS)
    by_column = bfs(maze, maze.start, mark=lambda before, action, after: after[1], seen=[maze.start[1]])
    assert by_column.status == "exhausted"
    assert by_column.nodes <= len(maze.rows[0])
