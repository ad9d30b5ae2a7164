"""The tree of goals: how it keeps to a budget, and what it forgets when the miner has chosen."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from gridsage.core.game import Budget
from gridsage.games import catalog
from gridsage.games.delirium.agents.planner import SURVIVAL_TICKS, Planner, Waypoint, new_meter
from gridsage.games.delirium.generator import generate
from gridsage.games.delirium.level import parse
from gridsage.games.delirium.level.cells import Options
from gridsage.games.delirium.rules import arrays

MOST_ACTIONS = 9  # of one position: a chunk of a search ends between two positions


def planner_of(seed: int, difficulty: int) -> tuple[Planner, Waypoint]:
    cells, facts, rules = arrays(parse(generate(seed, difficulty).text).galleries[0], Options())
    planner = Planner(rules, len(facts), pool_bytes=1 << 24)
    return planner, planner.start(cells, facts)


def think(planner: Planner, nodes: int) -> int:
    """Think for so many nodes and return those that were spent."""
    meter = new_meter(Budget(nodes=nodes))
    planner.think(meter)
    return meter.spent


def lines(nodes: list[Waypoint], root: Waypoint) -> list[list[int]]:
    return sorted(node.line(root) for node in nodes)


def waypoint(value: float) -> Waypoint:
    return Waypoint(np.zeros(1, np.uint8), np.zeros(1, np.int64), None, (), value=value)


@pytest.mark.parametrize(("seed", "difficulty"), [(1, 3), (3, 5)])
def test_thinking_goes_over_its_budget_by_one_goal_at_most(seed, difficulty):
    planner, _ = planner_of(seed, difficulty)
    for _ in range(30):
        assert think(planner, 500) <= 500 + SURVIVAL_TICKS + MOST_ACTIONS


def test_many_short_thoughts_grow_the_tree_of_a_long_one():
    short, root = planner_of(1, difficulty=3)
    long, other = planner_of(1, difficulty=3)
    think(long, 100_000)
    while short.won is None:
        think(short, 500)
    assert short.won.line(root) == long.won.line(other)
    assert lines(root.children, root) == lines(other.children, other)
    assert lines([entry[2] for entry in short.heap], root) == lines([entry[2] for entry in long.heap], other)


def test_a_node_knows_the_lowest_value_of_all_that_comes_after_it():
    root, child, sister, grandchild = (waypoint(value) for value in (9, 7, 8, 3))
    root.add(child)
    root.add(sister)
    assert (root.lowest, child.lowest, sister.lowest) == (7, 7, 8)
    grandchild.parent = sister
    sister.parent = child.parent = root
    sister.add(grandchild)
    assert (root.lowest, child.lowest, sister.lowest) == (3, 7, 3)


def test_after_a_choice_only_what_comes_after_it_is_kept():
    planner, root = planner_of(2, difficulty=5)
    think(planner, 30_000)
    chosen, sister = sorted(root.children, key=lambda child: len(child.children))[:: len(root.children) - 1]
    below = [entry[2] for entry in planner.heap if entry[2].descends_from(chosen)]
    assert 0 < len(below) < len(planner.heap) and sister.children
    planner.keep_below(chosen)
    think(planner, 1)
    assert root.children == [chosen] and not sister.children
    left = [entry[2] for entry in planner.heap]
    assert lines([planner.running, *left] if planner.running else left, root) == lines(below, root)


def test_a_search_outside_of_the_choice_ends_with_it():
    planner, root = planner_of(2, difficulty=5)
    while planner.running is None or planner.running is root:
        think(planner, 100)
    chosen = next(child for child in root.children if not planner.running.descends_from(child))
    planner.keep_below(chosen)
    assert planner.running is None


def test_a_new_beginning_lets_go_of_the_old_tree():
    planner, root = planner_of(2, difficulty=5)
    think(planner, 10_000)
    planner.start(root.cells, root.facts)
    think(planner, 1)
    assert not root.children


def test_a_tree_ends_with_its_planner():
    planner, root = planner_of(2, difficulty=5)
    think(planner, 10_000)
    assert root.children
    del planner
    assert not root.children


def test_no_collection_goes_through_all_that_is_loaded_in_the_midst_of_a_decision():
    catalog.ready_room("delirium")
    assert gc.get_freeze_count() > 10_000


def test_a_planner_that_has_seen_another_map_plans_as_a_new_one():
    planner, _ = planner_of(2, difficulty=5)
    think(planner, 10_000)
    cells, facts, rules = arrays(parse(generate(3, 5, rows=30, cols=35).text).galleries[0], Options())
    store = planner.store
    planner.fit(rules, len(facts))
    assert planner.store is store  # new memory would cost some 20 ms of a decision
    fresh = Planner(rules, len(facts), pool_bytes=1 << 24)
    roots = [each.start(cells, facts) for each in (planner, fresh)]
    assert think(planner, 20_000) == think(fresh, 20_000)
    assert roots[0].children and lines(roots[0].children, roots[0]) == lines(roots[1].children, roots[1])
