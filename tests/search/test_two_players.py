from __future__ import annotations

import random

import pytest

from gridsage.core.game import Budget
from gridsage.search.alphabeta import WIN, AlphaBeta
from gridsage.search.mcts import TreeSearch
from search.nim import RAISE, Matches, Nim, wins


def nothing_known(state: Matches, seat: int) -> float:
    return 0.0


def even(state: Matches) -> tuple[float, float]:
    return 0.5, 0.5


@pytest.mark.parametrize("left", range(1, 10))
def test_alpha_beta_knows_who_wins(left: int) -> None:
    answer = AlphaBeta(Nim(), nothing_known).best_action(Matches(left), depth=12)
    assert answer.score == (WIN if wins(Matches(left)) else -WIN)
    if wins(Matches(left)):
        assert answer.line[:2] == (RAISE, left % 4)


@pytest.mark.parametrize(("depth", "nodes"), [(1, 5), (2, 18), (3, 47), (4, 104), (8, 840)])
def test_the_number_of_positions_alpha_beta_looks_at_does_not_change(depth: int, nodes: int) -> None:
    answer = AlphaBeta(Nim(), nothing_known).best_action(Matches(10), depth)
    assert (answer.nodes, answer.depth) == (nodes, depth)


def test_alpha_beta_keeps_its_budget_and_the_last_complete_depth() -> None:
    search = AlphaBeta(Nim(), nothing_known)
    assert search.best_action(Matches(10), 8, Budget(nodes=0)).action == RAISE
    cut = search.best_action(Matches(10), 8, Budget(nodes=60))
    assert (cut.nodes, cut.depth < 8) == (60, True)


def tree() -> TreeSearch[Matches]:
    return TreeSearch(Nim(), even, random.Random(1), playout_steps=30)


@pytest.mark.parametrize("left", [5, 6, 7, 9])
def test_tree_search_finds_the_winning_take(left: int) -> None:
    search = tree()
    root = search.grow(Matches(left), Budget(nodes=1_500))
    assert search.best_line(root)[:2] == [RAISE, left % 4]


def test_the_tree_that_a_seed_grows_does_not_change() -> None:
    search = tree()
    root = search.grow(Matches(10), Budget(nodes=300))
    takes = root.children[RAISE].children
    assert root.visits == 300
    assert {action: child.visits for action, child in takes.items()} == {1: 41, 2: 247, 3: 11}
    assert search.steps == 701


def test_tree_search_answers_on_a_budget_of_zero() -> None:
    search = tree()
    for budget in (Budget(nodes=0), Budget(seconds=0.0)):
        assert search.best_line(search.grow(Matches(10), budget)) == [RAISE]
