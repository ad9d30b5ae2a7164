"""Monte Carlo tree search (UCT) over any pure Model: a tree grown one playout at a time."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from gridsage.core.budget import Meter
from gridsage.core.game import Action, Budget, Model, Outcome
from gridsage.search.result import UNLIMITED

S = TypeVar("S")
DEFAULT_PLAYOUTS = 400  # where the budget says nothing


@dataclass(slots=True)
class TreeNode(Generic[S]):
    """A position in the tree. `total` sums the results for the seat that moved into it."""

    state: S
    seat: int  # at turn here
    outcome: Outcome | None
    mover: int  # the seat whose action led here
    untried: list[Action]
    visits: int = 0
    total: float = 0.0
    children: dict[Action, TreeNode[S]] = field(default_factory=dict)


@dataclass
class TreeSearch(Generic[S]):
    """UCT with playouts of random actions, cut after some steps and then estimated.

    Args:
        estimate: the expected score (0 to 1) of every seat in a position where a playout is cut.
        exploration: the constant of UCB1; larger looks wider.
        playout_steps: actions in a playout before it is cut.
    """

    model: Model[S]
    estimate: Callable[[S], tuple[float, ...]]
    random: random.Random
    exploration: float = 0.9
    playout_steps: int = 40
    steps: int = 0  # calls of model.step so far

    def grow(self, state: S, budget: Budget) -> TreeNode[S]:
        """Return a tree of as many playouts as the budget allows (its nodes count playouts)."""
        root = self._node(state, mover=self.model.seat(state))
        meter = Meter(Budget(nodes=DEFAULT_PLAYOUTS) if budget == UNLIMITED else budget)
        while meter.spend():
            self._playout(root)
        return root

    def best_line(self, root: TreeNode[S]) -> list[Action]:
        """Return the most visited actions from the root down; the first legal action if nothing was tried."""
        line, node = [], root
        while node.children:
            action = max(node.children, key=lambda each: (node.children[each].visits, node.children[each].total))
            line.append(action)
            node = node.children[action]
        return line or [self.model.legal(root.state)[0]]

    def _playout(self, root: TreeNode[S]) -> None:
        path, node = [root], root
        while not node.untried and node.children:
            node = self._most_promising(node)
            path.append(node)
        if node.untried:
            action = node.untried.pop(self.random.randrange(len(node.untried)))
            child = self._node(self._step(node.state, action), mover=node.seat)
            node.children[action] = child
            node = child
            path.append(node)
        scores = self._finish(node)
        for each in path:
            each.visits += 1
            each.total += scores[each.mover]

    def _most_promising(self, node: TreeNode[S]) -> TreeNode[S]:
        log_visits = math.log(node.visits)

        def bound(child: TreeNode[S]) -> float:
            return child.total / child.visits + self.exploration * math.sqrt(log_visits / child.visits)

        return max(node.children.values(), key=bound)

    def _finish(self, node: TreeNode[S]) -> tuple[float, ...]:
        """Return the scores of every seat after random actions from here."""
        state, outcome = node.state, node.outcome
        for _ in range(self.playout_steps):
            if outcome is not None:
                return outcome.scores
            state = self._step(state, self.random.choice(self.model.legal(state)))
            outcome = self.model.outcome(state)
        return outcome.scores if outcome is not None else self.estimate(state)

    def _step(self, state: S, action: Action) -> S:
        self.steps += 1
        return self.model.step(state, action)

    def _node(self, state: S, mover: int) -> TreeNode[S]:
        outcome = self.model.outcome(state)
        untried = [] if outcome is not None else list(self.model.legal(state))
        return TreeNode(state, self.model.seat(state), outcome, mover, untried)
