"""The strongest player: it plans a whole turn by deep alpha-beta at the turn's first action, and then follows it."""

from __future__ import annotations

from gridsage.core.amounts import counted
from gridsage.core.game import Budget, Thoughts
from gridsage.games.pushem.agents.engine import Engine, Version
from gridsage.games.pushem.agents.planned import Plan, TurnPlanner
from gridsage.games.pushem.agents.turns import actions_of, ways_to_finish, written_actions
from gridsage.games.pushem.kernels.tree import MAX_DEPTH, WIN, WIN_BOUND
from gridsage.games.pushem.rules import GAME, turn_text
from gridsage.games.pushem.state import CHOOSE_STEP, State

LINE_LENGTH = 8
MOST_NODES_EACH = 20_000  # for each way to finish a turn that somebody else began


class Master(TurnPlanner):
    """Alpha-beta on bitboards; the budget is for a whole turn. `search=v1` is the first master, for comparisons."""

    name = "master"

    def __init__(self, depth: int = MAX_DEPTH, search: Version = "v2") -> None:
        if not 1 <= depth <= MAX_DEPTH:
            raise ValueError(f"depth={depth} is not between 1 and {MAX_DEPTH}")
        super().__init__()
        self._depth = depth
        self._engine = Engine(version=search)

    def plan(self, state: State, budget: Budget) -> Plan:
        if state.choosing == CHOOSE_STEP:
            return self._plan_turn(state, budget)
        return self._plan_rest(state, budget)

    def _plan_turn(self, state: State, budget: Budget) -> Plan:
        found = self._engine.think(state, budget.nodes, budget.seconds, self._depth)
        line = tuple(turn_text(written_actions(turn)) for turn in self._engine.line(state, found.turn, LINE_LENGTH))
        thoughts = Thoughts(
            line=line,
            nodes=found.nodes,
            score=found.score / 100,
            text=f"{line[0]}: {score_words(found.score)}, {turns(found.depth)} deep, "
            f"{counted(found.nodes, 'position')}",
            figures={"depth": float(found.depth)},
        )
        return actions_of(found.turn, state), thoughts

    def _plan_rest(self, state: State, budget: Budget) -> Plan:
        """Finish a turn that began without this player: look at the answer to every way of finishing it."""
        ways = list(ways_to_finish(state))
        nodes = MOST_NODES_EACH if budget.nodes is None else min(MOST_NODES_EACH, budget.nodes // len(ways))
        seconds = None if budget.seconds is None else budget.seconds / len(ways)
        best, best_score, spent = ways[0][0], -WIN - 1, 0
        for actions, after in ways:
            if (outcome := GAME.outcome(after)) is not None:
                score = round(WIN * (2 * outcome.scores[state.turn] - 1))
            else:
                found = self._engine.think(after, nodes, seconds, self._depth)
                score, spent = -found.score, spent + found.nodes
            if score > best_score:
                best, best_score = actions, score
        words = " ".join(GAME.label(action) for action in best)
        return best, Thoughts(nodes=spent, score=best_score / 100, text=f"{words}: {score_words(best_score)}")


def score_words(score: int) -> str:
    """A score in words: pawns ahead or behind, or the turns to a certain end."""
    if score > WIN_BOUND:
        return f"wins in {turns(WIN - score)}"
    if score < -WIN_BOUND:
        return f"loses in {turns(WIN + score)}"
    return f"{score / 100:+.2f} pawns"


def turns(number: int) -> str:
    """`1 turn`, `2 turns`."""
    return counted(number, "turn")
