"""The AI of a 2008 course project, done right: every card, selection and direction, and the four replies.

What it likes is a behaviour: an object that turns the scores after the four replies into one number.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gridsage.core.game import Budget, Thoughts
from gridsage.games.pushem.agents.engine import position_row
from gridsage.games.pushem.agents.planned import Plan, TurnPlanner
from gridsage.games.pushem.agents.turns import actions_of, ways_to_finish, written_actions
from gridsage.games.pushem.kernels.turns import (
    CARD_SHIFT,
    MAX_TURNS,
    R_ENEMY,
    R_OWN,
    R_RESULT,
    ROW_WORDS,
    SLEEPING,
    card_turns,
    plain_turns,
    play_turn,
)
from gridsage.games.pushem.level import CARD_NAMES
from gridsage.games.pushem.rules import turn_text
from gridsage.games.pushem.state import CHOOSE_STEP, DIRECTIONS, NO_CARD, REPLAY, State

REPLIES = [direction | NO_CARD << CARD_SHIFT for direction in range(len(DIRECTIONS))]
LAST_PAWN = 100.0  # losing all pawns, or leaving the enemy none, outweighs any count


@dataclass(frozen=True, slots=True)
class Score:
    """The project's score: pawns left and eliminated on both sides, always against the board before the turn."""

    own_left: int
    own_eliminated: int
    enemy_left: int
    enemy_eliminated: int


class Taste(Protocol):
    """What a player of this family likes."""

    @property
    def name(self) -> str: ...

    def heuristic(self, replies: Sequence[Score]) -> float:
        """The worth of a turn by the scores after the opponent's replies (one score if the game is over)."""
        ...


@dataclass(frozen=True, slots=True)
class Weighted:
    """The worst reply counts; enemy pawns eliminated against own pawns left."""

    name: str
    eliminated: float
    left: float

    def heuristic(self, replies: Sequence[Score]) -> float:
        return min(self._value(score) for score in replies)

    def _value(self, score: Score) -> float:
        value = self.eliminated * score.enemy_eliminated + self.left * score.own_left
        if score.enemy_left == 0:
            value += LAST_PAWN
        return value - LAST_PAWN if score.own_left == 0 else value


AGGRESSIVE = Weighted("aggressive", eliminated=2.0, left=1.0)
DEFENSIVE = Weighted("defensive", eliminated=1.0, left=2.0)


@dataclass(frozen=True, slots=True)
class Configuration:
    """The project's configuration: a card, a selection, two directions, and their score."""

    turn: int
    score: float
    reply: int  # index of the worst reply, -1 where the game is over

    def words(self) -> str:
        """One sentence that names all parts."""
        text = turn_text(written_actions(self.turn))
        card = self.turn >> CARD_SHIFT & 15
        direction = self.turn & 7
        second = text.partition(",")[2] if card == REPLAY else ""
        selection = text.partition("@")[2]
        return (
            f"card {CARD_NAMES[card] if card != NO_CARD else 'none'}, selection {selection or 'none'}, "
            f"direction {DIRECTIONS[direction] if direction != SLEEPING else 'none'}, "
            f"direction2 {second or 'none'}, score {self.score:g}"
        )


class Baseline(TurnPlanner):
    """Tries every configuration and keeps the best; of equal ones the first in the order of generation."""

    def __init__(self, behaviour: Taste) -> None:
        super().__init__()
        self.name = behaviour.name
        self._behaviour = behaviour
        self._stack: NDArray[np.uint64] = np.zeros((3, ROW_WORDS), np.uint64)
        self._turns: NDArray[np.int64] = np.zeros(MAX_TURNS, np.int64)

    def plan(self, state: State, budget: Budget) -> Plan:
        if state.choosing == CHOOSE_STEP:
            best, nodes = self._best(state, budget)
            line = [turn_text(written_actions(best.turn))]
            if best.reply >= 0:
                line.append(DIRECTIONS[best.reply])
            thoughts = Thoughts(
                line=tuple(line), nodes=nodes, score=best.score, text=best.words(), figures={"score": best.score}
            )
            return actions_of(best.turn, state), thoughts
        return self._finish(state, budget)

    def _best(self, state: State, budget: Budget) -> tuple[Configuration, int]:
        """The best configuration (its score starts at minus infinity) and the positions looked at."""
        deadline = math.inf if budget.seconds is None else time.perf_counter() + budget.seconds
        limit = math.inf if budget.nodes is None else budget.nodes
        self._stack[:] = position_row(state)
        found = card_turns(self._stack, 0, self._turns, plain_turns(self._turns))
        best = Configuration(int(self._turns[0]), -math.inf, -1)
        nodes = 0
        for turn in self._turns[:found].tolist():
            if nodes >= limit or time.perf_counter() >= deadline:
                break
            play_turn(self._stack, 0, turn)
            configuration = self._rated(turn, state)
            nodes += 1 + len(REPLIES)
            if configuration.score > best.score:
                best = configuration
        return best, nodes

    def _rated(self, turn: int, state: State) -> Configuration:
        """The configuration of a turn whose result stands in row 1."""
        if self._stack[1, R_RESULT]:
            return Configuration(turn, self._behaviour.heuristic([self._score(state, 1)]), -1)
        scores = []
        for reply in REPLIES:
            play_turn(self._stack, 1, reply)
            scores.append(self._score(state, 2))
        single = [self._behaviour.heuristic([score]) for score in scores]
        return Configuration(turn, self._behaviour.heuristic(scores), single.index(min(single)))

    def _score(self, before: State, row: int) -> Score:
        """Pawns in a row of the stack (row 1 is seen by the opponent) against the board before the turn."""
        own_word, enemy_word = (R_ENEMY, R_OWN) if row == 1 else (R_OWN, R_ENEMY)
        own_left = int(self._stack[row, own_word]).bit_count()
        enemy_left = int(self._stack[row, enemy_word]).bit_count()
        own, enemy = (before.first, before.second) if before.turn == 0 else (before.second, before.first)
        return Score(own_left, own.bit_count() - own_left, enemy_left, enemy.bit_count() - enemy_left)

    def _finish(self, state: State, budget: Budget) -> Plan:
        """Finish a turn that began without this player, by the same rule."""
        best, best_score, nodes = None, -math.inf, 0
        for actions, after in ways_to_finish(state):
            if best is not None and budget.nodes is not None and nodes >= budget.nodes:
                break
            self._stack[:] = position_row(after)
            self._stack[1] = self._stack[0]
            scores = []
            for reply in REPLIES:
                play_turn(self._stack, 1, reply)
                scores.append(self._score(state, 2))
            nodes += len(REPLIES)
            score = self._behaviour.heuristic(scores)
            if score > best_score:
                best, best_score = actions, score
        assert best is not None, "a turn can always be finished"
        return best, Thoughts(nodes=nodes, score=best_score)


def aggressive() -> Baseline:
    """The project's aggressive behaviour: eliminated enemies before own pawns left."""
    return Baseline(AGGRESSIVE)


def defensive() -> Baseline:
    """The project's defensive behaviour: own pawns left before eliminated enemies."""
    return Baseline(DEFENSIVE)
