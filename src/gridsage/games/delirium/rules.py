"""The mine as a Game: start, step, outcome, what the miner sees, and what happened in words."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from gridsage.core.errors import IllegalAction
from gridsage.core.game import Action, Event, Outcome, action_labelled
from gridsage.games.delirium.kernels import tick as kernels
from gridsage.games.delirium.level import parse
from gridsage.games.delirium.level.cells import (
    DIAMOND,
    FALLING,
    KIND_MASK,
    MONSTERS,
    STONE,
    UNKNOWN,
    Gallery,
    Level,
    Options,
)
from gridsage.games.delirium.state import (
    CAUSES,
    DIAMONDS,
    FIRST_MONSTER,
    KILLS,
    LABELS,
    MINER_AT,
    MONSTER_COUNT,
    NOT_MOVED,
    PLAYING,
    PUSHES,
    STATUS,
    TICKS,
    TIME,
    WON,
    Observation,
    State,
    Totals,
)

STAY, RIGHT, UP, LEFT, DOWN, DIG_RIGHT, DIG_UP, DIG_LEFT, DIG_DOWN, WIDEN = range(10)
ACTION_OF = {label: action for action, label in enumerate(LABELS)}
PACES = {"each tick": kernels.EACH_TICK, "every second tick": kernels.EVERY_SECOND_TICK, "never": kernels.NEVER}
WON_SCORE = 1000.0  # above any number of diamonds a map can hold in points


class Delirium:
    """Rules of Delirium 2, profile d2; pure, so a Model too."""

    name = "delirium"
    rules_version = 2

    def parse(self, text: str) -> Level:
        return parse(text)

    def start(self, level: Level, options: Options, seed: int) -> State:
        """The first position; nothing in this game is random, the seed changes nothing."""
        return open_gallery(level, options, 0, options.view_rows, options.view_cols, Totals())

    def seat(self, state: State) -> int:
        return 0

    def legal(self, state: State) -> Sequence[Action]:
        if self.outcome(state) is not None:
            return ()
        return range(WIDEN + 1) if can_widen(state) else range(WIDEN)

    def step(self, state: State, action: Action) -> State:
        if self.outcome(state) is not None:
            raise IllegalAction(f"the game is over: {CAUSES[state.status]}")
        if action not in self.legal(state):
            raise IllegalAction(self._why_illegal(state, action))
        cells, facts = state.cells.copy(), state.facts.copy()
        journal = np.zeros(journal_length(state.rules), dtype=np.int64)
        status = int(kernels.tick(cells, facts, state.rules, journal, action))
        view_rows, view_cols = state.view_rows, state.view_cols
        if action == WIDEN:
            widest = state.options.widest_view
            view_rows, view_cols = (
                max(view_rows, min(view_rows + 1, widest)),
                max(view_cols, min(view_cols + 1, widest)),
            )
        after = position(
            state.level, state.options, state.number, cells, facts, state.rules, view_rows, view_cols, state.totals
        )
        if status == WON and state.number + 1 < len(state.level.galleries):
            totals = Totals(
                after.totals.ticks + after.ticks,
                after.totals.diamonds + after.diamonds,
                after.totals.kills + after.kills,
                after.totals.pushes + after.pushes,
            )
            return open_gallery(state.level, state.options, state.number + 1, view_rows, view_cols, totals)
        return after

    def outcome(self, state: State) -> Outcome | None:
        if state.status == PLAYING:
            return None
        diamonds = float(state.totals.diamonds + state.diamonds)
        if state.status == WON:
            return Outcome("won", (WON_SCORE + diamonds,), 0)
        return Outcome(CAUSES[state.status], (diamonds,), None)

    def observe(self, state: State, seat: int) -> Observation:
        """Everything in the miner's view and nothing else; headings and falling are for him to find out."""
        cells = np.where(
            np.isin(state.cells & KIND_MASK, (STONE, DIAMOND)), state.cells & KIND_MASK, state.cells & (FALLING - 1)
        ).astype(np.uint8)
        if state.view_rows >= 0:
            cells = within_view(cells, state)
        cells.setflags(write=False)
        return Observation(
            rows=state.rows,
            cols=state.cols,
            cells=cells,
            miner=state.miner,
            diamonds=state.diamonds,
            needed=state.needed,
            time=state.time,
            ticks=state.ticks,
            gallery=state.number,
            galleries=len(state.level.galleries),
            most_rows=max(gallery.rows for gallery in state.level.galleries),
            most_cols=max(gallery.cols for gallery in state.level.galleries),
            view_rows=state.view_rows,
            view_cols=state.view_cols,
            can_widen=can_widen(state),
            options=state.options,
        )

    def events(self, before: State, action: Action, after: State) -> Sequence[Event]:
        """What a person would notice: steps, pushes, collected diamonds, kills, widening, the end."""
        if before.number != after.number:
            return (Event("next gallery", before.miner),)
        found = []
        if before.miner != after.miner:
            found.append(Event("moved", before.miner, after.miner, "miner"))
        if after.pushes > before.pushes:
            found.append(Event("pushed", after.miner, 2 * after.miner - before.miner))
        if after.diamonds > before.diamonds:
            found.append(Event("collected", after.miner))
        if after.kills > before.kills:
            found.extend([Event("killed")] * (after.kills - before.kills))
        if action == WIDEN:
            found.append(Event("widened", after.miner))
        if after.status == WON:
            found.append(Event("won", after.miner))
        elif after.status != PLAYING:
            found.append(Event("died", after.miner, who=CAUSES[after.status]))
        return found

    def label(self, action: Action) -> str:
        return LABELS[action] if 0 <= action < len(LABELS) else f"action {action}"

    def action(self, label: str) -> Action:
        return action_labelled(label, ACTION_OF, self.name)

    def fingerprint(self, state: State) -> bytes:
        monsters = FIRST_MONSTER + int(state.rules[MONSTER_COUNT])
        head = np.array([state.number, state.view_rows, state.view_cols], dtype=np.int64)
        return head.tobytes() + state.facts[:monsters].tobytes() + state.cells.tobytes()

    def key(self, state: State) -> Hashable:
        return self.fingerprint(state)

    def _why_illegal(self, state: State, action: Action) -> str:
        if action == WIDEN:
            return "widen view: the view is the whole map or as wide as it may be"
        return f"no action {action}; expected 0 to {WIDEN}: " + ", ".join(LABELS)


def can_widen(state: State) -> bool:
    """Return True if the view is limited and may grow."""
    return state.view_rows >= 0 and min(state.view_rows, state.view_cols) < state.options.widest_view


def within_view(cells: NDArray[np.uint8], state: State) -> NDArray[np.uint8]:
    """A copy of the cells with `UNKNOWN` in place of all the miner cannot see."""
    row, col = divmod(state.miner, state.cols)
    shown = np.full((state.rows, state.cols), UNKNOWN, dtype=np.uint8)
    rows = slice(max(0, row - state.view_rows), row + state.view_rows + 1)
    cols = slice(max(0, col - state.view_cols), col + state.view_cols + 1)
    shown[rows, cols] = cells.reshape(state.rows, state.cols)[rows, cols]
    return shown.ravel()


def journal_length(rules: NDArray[np.int64]) -> int:
    """Room for every change of one tick, each cell a few times, and at the end for what a tick defers."""
    return 10 * int(rules[kernels.SIZE]) + 64


def rules_array(gallery: Gallery, options: Options, monsters: int) -> NDArray[np.int64]:
    """Everything about this gallery and these options that a tick asks for."""
    size = gallery.rows * gallery.cols
    words = -(-size // kernels.WORD_BITS)
    summary = -(-words // kernels.WORD_BITS)
    first_map = FIRST_MONSTER + 2 * monsters
    rules = np.zeros(kernels.PLACES + size, dtype=np.int64)
    rules[kernels.PLACES :] = np.arange(size).reshape(gallery.rows, gallery.cols)[::-1].ravel()
    rules[kernels.COLS] = gallery.cols
    rules[kernels.SIZE] = size
    rules[kernels.NEEDED] = gallery.needed
    rules[MONSTER_COUNT] = monsters
    rules[kernels.BLUE_RESTS] = options.blue_rests
    rules[kernels.OTHERS_PACE] = PACES[options.others_move]
    rules[kernels.ROLL_FIRST] = -1 if options.roll_first == "left" else 1
    rules[kernels.CRUSH_ON_ARRIVAL] = options.crush_on_arrival
    rules[kernels.PASSING_UNDER] = options.passing_under
    rules[kernels.MAGIC_TURNS] = options.magic_wall == "turns"
    rules[kernels.PUSH_UP] = options.push_up
    rules[kernels.PUSH_ROWS] = options.push_rows
    rules[kernels.BLAST_TICKS] = options.explosion_ticks
    rules[kernels.EXPLODE_ON_ARRIVAL] = options.explode_on_arrival
    rules[kernels.EVEN_MAP] = first_map
    rules[kernels.ODD_MAP] = first_map + summary + words
    rules[kernels.SUMMARY_WORDS] = summary
    return rules


def facts_length(rules: NDArray[np.int64]) -> int:
    """How many numbers the facts of a position under these rules have."""
    return int(2 * rules[kernels.ODD_MAP] - rules[kernels.EVEN_MAP])


def arrays(gallery: Gallery, options: Options) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Fresh cells, facts and rules of a gallery."""
    cells = np.frombuffer(gallery.cells, dtype=np.uint8).copy()
    monsters = np.flatnonzero(np.isin(cells, MONSTERS))
    rules = rules_array(gallery, options, len(monsters))
    facts = np.zeros(facts_length(rules), dtype=np.int64)
    facts[MINER_AT] = gallery.miner
    facts[TIME] = gallery.time
    facts[FIRST_MONSTER : FIRST_MONSTER + len(monsters)] = monsters * 8 + NOT_MOVED
    kernels.mark_all(cells, facts, rules)
    return cells, facts, rules


def open_gallery(level: Level, options: Options, number: int, view_rows: int, view_cols: int, totals: Totals) -> State:
    """The first position of one gallery of the level."""
    cells, facts, rules = arrays(level.galleries[number], options)
    return position(level, options, number, cells, facts, rules, view_rows, view_cols, totals)


def position(
    level: Level,
    options: Options,
    number: int,
    cells: NDArray[np.uint8],
    facts: NDArray[np.int64],
    rules: NDArray[np.int64],
    view_rows: int,
    view_cols: int,
    totals: Totals,
) -> State:
    """The state around arrays that nobody will write to any more."""
    for array in (cells, facts):
        array.setflags(write=False)
    return State(
        level=level,
        options=options,
        number=number,
        cells=cells,
        facts=facts,
        rules=rules,
        view_rows=view_rows,
        view_cols=view_cols,
        totals=totals,
        status=int(facts[STATUS]),
        ticks=int(facts[TICKS]),
        miner=int(facts[MINER_AT]),
        diamonds=int(facts[DIAMONDS]),
        time=int(facts[TIME]),
        kills=int(facts[KILLS]),
        pushes=int(facts[PUSHES]),
    )
