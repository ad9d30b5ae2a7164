"""The master's search as an object: it owns the arrays, starts the clock, and reads the answer."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from gridsage.games.pushem.kernels import evaluation, lines, search, search_v1, tree
from gridsage.games.pushem.kernels.turns import MAX_TURNS, ROW_WORDS, play_turn
from gridsage.games.pushem.level import CARD_NAMES
from gridsage.games.pushem.state import NO_CARD, State

Version = Literal["v1", "v2"]
VERSIONS: tuple[Version, ...] = ("v1", "v2")
WEIGHTS_FILE = Path(__file__).parent.parent / "weights.json"
LINES_FILE = Path(__file__).parent.parent / "lines.npz"
TABLE_BITS = 18  # 4 MB: larger tables were no stronger at 0.2 s a turn
ANY_NODES = 1 << 60
CLOCK_MARGIN = 0.002  # seconds kept for waking up, reading the answer and the arena
PLAIN_UP = NO_CARD << 3  # the turn to play when there is no time to look at any

# How the search cuts, in the order of the kernel's places S_*.
FIRST_SETTINGS = {
    "card_depth": 2,  # card turns are tried where at least so many turns are left
    "width_base": 8,  # so many card turns there
    "width_step": 6,  # and so many more for each further turn of depth; all at the root
    "reduce_plain": 1,  # late steps are tried so much shallower at first
    "reduce_after": 4,  # card turns after this place one turn shallower
    "reduce_far": 8,  # and after this one two
    "much_more": 40,  # hundredths of a pawn that a card turn must gain at once to be tried before the steps
}
DEFAULT_SETTINGS = {
    **FIRST_SETTINGS,
    "early": 60,  # card turns are listed before the steps where the position lacks so much
    "margin": 120,  # so much above the window, for each turn of depth, a position needs no search
    "window": 60,  # the next depth is expected to score within so much of the last
}


@dataclass(frozen=True, slots=True)
class BestTurn:
    """What a search found: the turn, its score for the side at turn, and how far it looked."""

    turn: int
    score: int
    depth: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned by self-play: the kernel's weights of the clock and of lines, and those of cards in hand."""

    lines: NDArray[np.int16]  # (LEARNED_WORDS,)
    cards: NDArray[np.int16]  # (40,): by rings that are cracking, then by card


class EvaluationWeights(TypedDict):
    """What the evaluation counts, as the file of weights has it."""

    rings: list[list[int]]  # by stage, then by ring
    cards: dict[str, list[int]]  # by card, then by the number of broken rings
    tempo: list[int]


class Engine:
    """The compiled search with its memory of one game; `v1` is the search and the evaluation of the first master."""

    def __init__(
        self,
        weights: EvaluationWeights | None = None,
        settings: dict[str, int] | None = None,
        version: Version = "v2",
        learned: Learned | None = None,
    ) -> None:
        self._version = version
        self._stack: NDArray[np.uint64] = np.zeros((tree.HEIGHTS, ROW_WORDS), np.uint64)
        self._table: NDArray[np.uint64] = np.zeros((1 << TABLE_BITS, 2), np.uint64)
        self._lists: NDArray[np.int64] = np.zeros((tree.HEIGHTS, MAX_TURNS), np.int64)
        self._frames: NDArray[np.int64] = np.zeros((tree.HEIGHTS, search.FRAME_WORDS), np.int64)
        self._memory: NDArray[np.int64] = np.zeros(search.MEMORY_WORDS, np.int64)
        vector = weight_vector(weights or shipped_weights())
        self._memory[evaluation.WEIGHTS : evaluation.WEIGHTS + evaluation.WEIGHT_COUNT] = vector
        if learned is None and weights is None and version != "v1":
            learned = shipped_lines()
        self._lines = lines_by_rings(weights or shipped_weights()) if learned is None else learned.lines
        if learned is not None:
            self._memory[evaluation.W_CARDS : evaluation.W_TEMPO] = learned.cards
        usual = FIRST_SETTINGS if version == "v1" else DEFAULT_SETTINGS
        for place, value in enumerate({**usual, **(settings or {})}.values()):
            self._memory[tree.SETTINGS + place] = value

    def think(
        self, state: State, nodes: int | None = None, seconds: float | None = None, depth: int = tree.MAX_DEPTH
    ) -> BestTurn:
        """The best turn found within the budget; without any budget the search goes to `depth`."""
        memory = self._memory
        self._stack[:] = position_row(state)
        memory[tree.LIMIT] = ANY_NODES if nodes is None else nodes
        memory[tree.STOP] = 0
        memory[tree.DEEPEST] = depth
        memory[tree.BEST], memory[tree.BEST_SCORE] = PLAIN_UP, 0
        if seconds is None:
            self._run()
        elif seconds > CLOCK_MARGIN:
            timer = threading.Timer(seconds - CLOCK_MARGIN, self._stop)
            timer.start()
            self._run()
            timer.cancel()
            timer.join()
        else:
            memory[tree.LIMIT] = 0
            self._run()
        best, score, reached, spent = (
            int(memory[place]) for place in (tree.BEST, tree.BEST_SCORE, tree.BEST_DEPTH, tree.NODES)
        )
        return BestTurn(best, score, reached, spent)

    def line(self, state: State, turn: int, length: int) -> list[int]:
        """The turns expected from `state` on, beginning with `turn`, as far as the table still knows them."""
        self._stack[:] = position_row(state)
        turns: list[int] = []
        while turn >= 0 and len(turns) < length:
            turns.append(turn)
            play_turn(self._stack, 0, turn)
            self._stack[0] = self._stack[1]
            turn = tree.stored_turn(self._stack, self._table)
        return turns

    def _run(self) -> None:
        arrays = (self._stack, self._table, self._lists, self._frames, self._memory)
        if self._version == "v1":
            search_v1.deepen(*arrays)
        else:
            search.deepen(*arrays, self._lines)

    def _stop(self) -> None:
        self._memory[tree.STOP] = 1


def position_row(state: State) -> NDArray[np.uint64]:
    """The position as the search sees it, from the side at turn."""
    boards = (state.first, state.second) if state.turn == 0 else (state.second, state.first)
    hands = (state.first_hand, state.second_hand) if state.turn == 0 else (state.second_hand, state.first_hand)
    rings = (state.ring1, state.ring2, state.ring3, state.last_ply)
    return np.array((*boards, state.abyss, state.frozen, *hands, state.reversed, state.ply, 0, 0, *rings), np.uint64)


@cache
def shipped_weights() -> EvaluationWeights:
    """The evaluation's weights as tuned by self-play (bench/pushem_tune.py)."""
    weights: EvaluationWeights = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return weights


def weight_vector(weights: EvaluationWeights) -> list[int]:
    """The weights in the order of the kernel's places W_*."""
    rings = [value for stage in weights["rings"] for value in stage]
    cards = [weights["cards"][name][broken] for broken in range(4) for name in CARD_NAMES]
    return [*rings, *cards, *weights["tempo"]]


def lines_by_rings(weights: EvaluationWeights) -> NDArray[np.int16]:
    """The evaluation's second part if nothing was learned: pawns count by their rings, lines for nothing."""
    learned = np.zeros(lines.LEARNED_WORDS, np.int16)
    for phase in range(lines.PHASES):
        for left in range(lines.LATEST + 1):
            stage = 2 * phase + (left <= evaluation.SOON)
            begin = (phase * (lines.LATEST + 1) + left) * lines.CLOCK_WORDS
            learned[begin : begin + lines.CLOCK_WORDS] = [*weights["rings"][stage], weights["tempo"][stage]]
    return learned


@cache
def shipped_lines() -> Learned:
    """What was learned about lines by self-play (bench/pushem_learn.py)."""
    return read_lines(LINES_FILE)


def read_lines(path: Path) -> Learned:
    """The learned weights in a file."""
    with np.load(path) as arrays:
        return Learned(arrays["learned"], arrays["cards"])
