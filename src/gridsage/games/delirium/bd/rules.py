"""A Boulder Dash cave as a Game: start, step, outcome, and what happened in words."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from gridsage.core.errors import IllegalAction
from gridsage.core.game import Action, Event, Outcome, action_labelled
from gridsage.games.delirium.bd.bdcff import parse
from gridsage.games.delirium.bd.cells import (
    ACTIVE,
    AMOEBA,
    BUTTERFLY,
    EXIT_SHUT,
    FIREFLY,
    KIND_MASK,
    MARKED,
    ROCKFORD,
    STEEL,
)
from gridsage.games.delirium.bd.kernels import tick as kernels
from gridsage.games.delirium.bd.kernels.chance import IN_A_MILLION, stream_of
from gridsage.games.delirium.bd.level import PACES, Cave, Level, Options, time_points
from gridsage.games.delirium.bd.state import (
    AMOEBA_CHANCE,
    AMOEBA_LEFT,
    CAUSES,
    COST,
    DIAMONDS,
    FACTS_LENGTH,
    HATCH,
    IS_OPEN,
    KILLS,
    LABELS,
    MADE,
    MAGIC_LEFT,
    PLAYING,
    POINTS,
    PUSHES,
    ROCKFORD_AT,
    SLIME_HIGH,
    SLIME_LOW,
    TICK_COST,
    TIME,
    WON,
    Observation,
    State,
)

STAY, RIGHT, UP, LEFT, DOWN, SNAP_RIGHT, SNAP_UP, SNAP_LEFT, SNAP_DOWN = range(9)
ACTION_OF = {label: action for action, label in enumerate(LABELS)}
WON_SCORE = 1_000_000.0  # above any points a cave can bring
# Microseconds a tick for each kind of thing that stood in the start picture, and milliseconds without any work.
FLY_START_COST, AMOEBA_START_COST = 2600, 5200
CAVE_FRAME, INTERMISSION_FRAME = 88, 60
DELAY_HUNDREDTHS = 366
PART_2_DELAY = 20
SCAN_STRIDE = 32  # cells that the scan may skip at once


class BoulderDash:
    """Rules of Boulder Dash, parts 1 and 2, as GDash plays them; pure, so a Model too."""

    name = "delirium-bd"
    rules_version = 1

    def parse(self, text: str) -> Level:
        return parse(text)

    def start(self, level: Level, options: Options, seed: int) -> State:
        cave = level.caves[options.difficulty - 1]
        cells, facts, rules = arrays(cave, options.push)
        return State(level, options, cave, cells, facts, rules, stream_of(seed))

    def seat(self, state: State) -> int:
        return 0

    def legal(self, state: State) -> Sequence[Action]:
        return range(len(LABELS)) if state.status == PLAYING else ()

    def step(self, state: State, action: Action) -> State:
        if state.status != PLAYING:
            raise IllegalAction(f"the game is over: {CAUSES[state.status]}")
        if not 0 <= action < len(LABELS):
            raise IllegalAction(f"no action {action}; expected 0 to {len(LABELS) - 1}: " + ", ".join(LABELS))
        cells, facts, stream = state.cells.copy(), state.facts.copy(), state.stream.copy()
        kernels.tick(cells, facts, state.rules, stream, journal_of(state.cave), action)
        for array in (cells, facts, stream):
            array.setflags(write=False)
        return State(state.level, state.options, state.cave, cells, facts, state.rules, stream)

    def outcome(self, state: State) -> Outcome | None:
        if state.status == PLAYING:
            return None
        points = float(state.facts[POINTS])
        if state.status == WON:
            return Outcome("won", (WON_SCORE + points + time_points(state.cave, int(state.facts[TIME])),), 0)
        return Outcome(CAUSES[state.status], (points,), None)

    def observe(self, state: State, seat: int) -> Observation:
        """Everything but the random stream: a player knows the chances and not what they will bring."""
        kinds = (state.cells[: state.cave.size] & KIND_MASK).astype(np.uint8)
        kinds.setflags(write=False)
        return Observation(state.cave, state.options, kinds, state.facts[:COST])

    def events(self, before: State, action: Action, after: State) -> Sequence[Event]:
        """What a person would notice: birth, steps, pushes, diamonds, kills, the exit, the end."""
        found = []
        if before.rockford < 0 <= after.rockford:
            found.append(Event("born", after.rockford))
        elif before.rockford != after.rockford and after.rockford >= 0:
            found.append(Event("moved", before.rockford, after.rockford, "rockford"))
        for fact, word in ((PUSHES, "pushed"), (DIAMONDS, "collected"), (KILLS, "killed"), (IS_OPEN, "exit opened")):
            if after.facts[fact] > before.facts[fact]:
                found.append(Event(word, after.rockford))
        if after.facts[MADE] > before.facts[MADE]:
            found.append(Event("diamonds made"))
        if after.status == WON:
            found.append(Event("won", after.rockford))
        elif after.status != PLAYING:
            found.append(Event("died", before.rockford, who=CAUSES[after.status]))
        return found

    def label(self, action: Action) -> str:
        return LABELS[action] if 0 <= action < len(LABELS) else f"action {action}"

    def action(self, label: str) -> Action:
        return action_labelled(label, ACTION_OF, self.name)

    def fingerprint(self, state: State) -> bytes:
        kinds = state.cells & KIND_MASK
        return state.facts[:COST].tobytes() + kinds.tobytes() + state.stream.tobytes()

    def key(self, state: State) -> Hashable:
        return self.fingerprint(state)


def tick_milliseconds(facts: NDArray[np.int64], rules: NDArray[np.int64]) -> int:
    """Return how long a tick that begins with this picture takes on the machine of 1984."""
    work = facts.copy()
    work[TICK_COST] = work[COST]
    return int(kernels.frame_milliseconds(work, rules))


def journal_of(cave: Cave) -> NDArray[np.int64]:
    """Return a journal with room for every change of one tick, each cell a few times."""
    return np.zeros(16 * cave.size + 64, dtype=np.int64)


def rules_of(cave: Cave, push: float) -> NDArray[np.int64]:
    """Return everything about a cave that a tick asks for."""
    pace = PACES.index(cave.pace)
    rules = np.zeros(kernels.RULES_LENGTH, dtype=np.int64)
    rules[kernels.COLS], rules[kernels.SIZE] = cave.cols, cave.size
    rules[kernels.NEEDED] = cave.needed
    rules[kernels.VALUE], rules[kernels.EXTRA_VALUE] = cave.value, cave.extra_value
    rules[kernels.PACE] = pace
    rules[kernels.FRAME] = (
        cave.frame_ms,
        100 * (INTERMISSION_FRAME if cave.is_intermission else CAVE_FRAME) + DELAY_HUNDREDTHS * cave.delay,
        PART_2_DELAY * cave.delay,
    )[pace]
    kinds = set(cave.kinds)
    flies = bool(kinds & set(range(FIREFLY, BUTTERFLY))) + bool(kinds & set(range(BUTTERFLY, BUTTERFLY + 4)))
    rules[kernels.START_COST] = FLY_START_COST * flies + AMOEBA_START_COST * (AMOEBA in kinds)
    rules[kernels.PUSH] = round(push * IN_A_MILLION)
    rules[kernels.AMOEBA_MAX], rules[kernels.AMOEBA_FAST] = cave.amoeba_max, cave.amoeba_fast
    rules[kernels.AMOEBA_AT_ONCE] = cave.amoeba_at_once
    rules[kernels.SLIME_PREDICTABLE] = cave.slime_predictable
    rules[kernels.SLIME_MASK], rules[kernels.SLIME_CHANCE] = cave.slime_mask, cave.slime_chance
    return rules


def arrays(cave: Cave, push: float) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Return fresh cells, facts and rules of a cave."""
    facts = np.zeros(FACTS_LENGTH, dtype=np.int64)
    facts[ROCKFORD_AT] = cave.kinds.find(ROCKFORD)
    facts[TIME] = cave.time
    facts[HATCH] = cave.hatch_ticks if cave.pace == PACES[0] else cave.hatch
    facts[MAGIC_LEFT], facts[AMOEBA_LEFT] = cave.magic_time, cave.amoeba_time
    facts[AMOEBA_CHANCE] = cave.amoeba_slow
    facts[SLIME_HIGH], facts[SLIME_LOW] = cave.slime_state
    cells = cells_of(np.frombuffer(cave.kinds, dtype=np.uint8), cave, facts)
    rules = rules_of(cave, push)
    if cave.needed <= 0:
        kernels.open_exit(cells, facts, rules)
    return cells, facts, rules


def cells_of(kinds: NDArray[np.uint8], cave: Cave, facts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the cells of a picture, everything that can act to be looked at, and note in `facts` what it costs."""
    cells = np.full(-(-cave.size // SCAN_STRIDE) * SCAN_STRIDE, STEEL, dtype=np.uint8)
    cells[: cave.size] = kinds | (kernels.FLAGS[kinds] & (0xFF ^ MARKED)).astype(np.uint8)
    if facts[IS_OPEN]:
        cells[cells == EXIT_SHUT] |= ACTIVE
    facts[COST] = kernels.COSTS[kinds[cave.cols : cave.size - cave.cols]].sum()
    return cells


def position_arrays(seen: Observation) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Return cells, facts and rules of what a player sees, to be played on in mind."""
    facts = np.zeros(FACTS_LENGTH, dtype=np.int64)
    facts[: len(seen.facts)] = seen.facts
    cells = cells_of(seen.kinds, seen.cave, facts)
    return cells, facts, rules_of(seen.cave, seen.options.push)
