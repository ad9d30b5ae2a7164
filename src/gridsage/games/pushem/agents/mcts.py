"""The generic Monte Carlo tree search of `gridsage.search`, let loose on Push'em All."""

from __future__ import annotations

import math

from gridsage.core.game import Briefing, Budget, Thoughts
from gridsage.core.rng import generator
from gridsage.games.pushem.agents.planned import Plan, TurnPlanner
from gridsage.games.pushem.rules import GAME, turn_text
from gridsage.games.pushem.state import CHOOSE_STEP, END_ACTION, State
from gridsage.search.mcts import TreeNode, TreeSearch

PAWNS_FOR_73_PERCENT = 2.0  # the logistic scale: so many pawns ahead are worth 73 %


class Mcts(TurnPlanner):
    """UCT over small actions; its nodes are playouts."""

    name = "mcts"

    def __init__(self, exploration: float = 0.9, playout_steps: int = 12) -> None:
        super().__init__()
        if not exploration >= 0:
            raise ValueError(f"exploration={exploration} is negative")
        if playout_steps < 0:
            raise ValueError(f"playout_steps={playout_steps} is negative")
        self._search = TreeSearch(GAME, _estimate, generator(0, self.name), exploration, playout_steps)

    def begin(self, briefing: Briefing) -> None:
        self._search.random = generator(briefing.seed, self.name)

    def plan(self, state: State, budget: Budget) -> Plan:
        root = self._search.grow(state, budget)
        actions, after = [], state
        for action in self._search.best_line(root):
            actions.append(action)
            after = GAME.step(after, action)
            if after.choosing == CHOOSE_STEP:
                break
        else:
            actions += _shortest_end(after)
        return actions, _thoughts(root, state, actions)


def _shortest_end(state: State) -> list[int]:
    """The tree ended inside the turn: take the first legal action until the turn is over (`end` comes first)."""
    actions = []
    while state.choosing != CHOOSE_STEP:
        actions.append(GAME.legal(state)[0])
        state = GAME.step(state, actions[-1])
    return actions


def _thoughts(root: TreeNode[State], state: State, actions: list[int]) -> Thoughts:
    child = root.children.get(actions[0])
    score = child.total / child.visits if child is not None and child.visits else None
    words = " ".join(GAME.label(action) for action in actions if action != END_ACTION)
    line = (turn_text(actions),) if state.choosing == CHOOSE_STEP else (words,)
    share = "" if score is None else f", expected score {score:.0%}"
    return Thoughts(line=line, nodes=root.visits, score=score, text=f"{line[0]}{share} after {root.visits} playouts")


def _estimate(state: State) -> tuple[float, float]:
    """Expected scores by the pawns left."""
    lead = state.first.bit_count() - state.second.bit_count()
    first = 1 / (1 + math.exp(-lead / PAWNS_FOR_73_PERCENT))
    return first, 1 - first
