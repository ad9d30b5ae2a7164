"""The rules of the classic game as a Game and a Model: one key per tick."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gridsage.core.errors import IllegalAction
from gridsage.core.game import Action, Event, Outcome, action_labelled
from gridsage.core.rng import child_seed
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic import level as level_module
from gridsage.games.loderunner.classic.kernels import ticks
from gridsage.games.loderunner.classic.level import Level, Options
from gridsage.games.loderunner.classic.state import Observation, State, seen_in

RULES_VERSION = 1
ACTION_OF = {label: action for action, label in enumerate(layout.KEY_LABELS)}
NOTHING_FED = np.zeros((2, 0), np.int16)
NO_ACTION_YET = -1


def first_row(level: Level, options: Options, seed: int) -> ticks.Row:
    """Return the flat position at the start; the seed decides all chances."""
    row = np.zeros(layout.SIZE, np.int16)
    made = np.full((layout.ROWS + 2, layout.WIDE), layout.SOLID, np.int16)
    codes = np.array(level.codes, np.int16).reshape(layout.ROWS, layout.COLS)
    inside = (slice(1, layout.ROWS + 1), slice(1, layout.COLS + 1))
    made[inside] = np.where(codes >= layout.GUARD, layout.EMPTY, codes)
    row[: layout.CELLS] = made.ravel()
    made[inside] = np.where(codes >= layout.HIDDEN_LADDER, layout.EMPTY, codes)
    row[layout.WHO : layout.WHO + layout.CELLS] = made.ravel()
    for number, cell in enumerate(map(layout.framed, level.guards)):
        row[layout.WHO + cell] = layout.GUARD
        row[layout.FIRST_GUARD + number * layout.GUARD_FIELDS + layout.CELL] = cell
    row[layout.RUNNER_CELL] = layout.framed(level.runner)
    row[layout.WHO + row[layout.RUNNER_CELL]] = layout.RUNNER
    row[layout.RUNNER_ACTION] = NO_ACTION_YET
    row[layout.GUARDS], row[layout.GOLD_LEFT] = len(level.guards), len(level.gold)
    row[layout.TICK_CAP] = options.tick_cap
    row[layout.TRAP_TICKS] = layout.NEW_TRAP_TICKS if options.ai == 4 else layout.OLD_TRAP_TICKS
    chance = child_seed(seed, "chances")
    mask = (1 << layout.CHANCE_BITS) - 1
    row[layout.CHANCE_LOW], row[layout.CHANCE_HIGH] = chance & mask, chance >> layout.CHANCE_BITS & mask
    if not level.gold:  # nothing to take: the way out is open at once
        ticks.open_ladders(row)
    return row


def array_of(state: State) -> ticks.Row:
    """Return a copy of the state's flat position."""
    return np.frombuffer(state.row, np.int16).copy()


def share_earned(state: State) -> float:
    """Return the score so far: every piece of gold counts the same, and so does the way out; 1 is a win."""
    row = memoryview(state.row).cast("h")
    total = len(state.level.gold) + 1
    left = max(0, row[layout.GOLD_LEFT])
    return (total - left - (row[layout.STATUS] != layout.WON)) / total


class ClassicLodeRunner:
    """The game of 1983, exact to the tick."""

    name = "loderunner-classic"
    rules_version = RULES_VERSION

    def parse(self, text: str) -> Level:
        """Return the level drawn in `text`."""
        return level_module.parse(text)

    def start(self, level: Level, options: Options, seed: int) -> State:
        """Return the first position; the seed decides how long gold is carried and where the buried come back."""
        return State(level, options, first_row(level, options, seed).tobytes())

    def seat(self, state: State) -> int:
        """Always the runner's turn."""
        return 0

    def legal(self, state: State | Observation) -> Sequence[Action]:
        """Return the keys: each may be pressed at any tick, and does nothing where it does not fit."""
        return [] if state.status != layout.ALIVE else range(layout.KEYS)

    def step(self, state: State, action: Action) -> State:
        """Return the position after a tick with that key."""
        if not 0 <= action < layout.KEYS:
            raise IllegalAction(f"no action {action}: expected 0 to 6 ({', '.join(layout.KEY_LABELS)})")
        return self.play(state, action, NOTHING_FED)

    def play(self, state: State, action: Action, fed: NDArray[np.int16]) -> State:
        """Return the position after a tick in which known chances are fed, as recordings have them."""
        if state.status != layout.ALIVE:
            raise IllegalAction(f"{self.label(action)} after the end of the game ({layout.REASONS[state.status]})")
        row = array_of(state)
        ticks.play_tick(row, action, fed)
        return State(state.level, state.options, row.tobytes())

    def outcome(self, state: State) -> Outcome | None:
        """Return how it ended; the score is 1 for a win, otherwise the share of gold taken, below 1."""
        if state.status == layout.ALIVE:
            return None
        return Outcome(layout.REASONS[state.status], (share_earned(state),), 0 if state.status == layout.WON else None)

    def observe(self, state: State, seat: int) -> Observation:
        """Return everything but the chances to come."""
        return seen_in(state)

    def events(self, before: State, action: Action, after: State) -> Sequence[Event]:
        """Return what a person would notice in this tick."""
        return _events(seen_in(before), seen_in(after))

    def label(self, action: Action) -> str:
        """Return the action in words."""
        return layout.KEY_LABELS[action] if 0 <= action < layout.KEYS else f"action {action}"

    def action(self, label: str) -> Action:
        """Return the action of these words."""
        return action_labelled(label, ACTION_OF, self.name)

    def fingerprint(self, state: State) -> bytes:
        """Return bytes that differ whenever positions of one level differ."""
        return state.row

    def key(self, state: State) -> bytes:
        """Return what decides the future: all but the key that was held."""
        row = array("h", state.row)
        row[layout.LASTING_KEY] = layout.NONE
        return row.tobytes()


def _events(old: Observation, new: Observation) -> list[Event]:
    found = []
    if old.runner.cell != new.runner.cell:
        kind = "fell" if new.runner.action == layout.FALL else "moved"
        found.append(Event(kind, old.runner.cell, new.runner.cell, "runner"))
    if old.dig[0] < 0 <= new.dig[0]:
        found.append(Event("dug", new.dig[0], who="runner"))
    if new.gold_left < old.gold_left:
        found.append(Event("collected", new.runner.cell, who="runner"))
    for number, (guard, now) in enumerate(zip(old.guards, new.guards, strict=True)):
        found += _guard_events(f"guard{number}", guard.action, now.action, guard.cell, now.cell)
        if now.carries != guard.carries and 1 in (now.carries, guard.carries):
            found.append(Event("took gold" if now.carries == 1 else "dropped gold", now.cell, who=f"guard{number}"))
    still_open = {hole.cell for hole in new.holes}
    found += [Event("closed", hole.cell) for hole in old.holes if hole.cell not in still_open]
    if new.is_complete and not old.is_complete:
        found.append(Event("opened"))
    if new.status != layout.ALIVE:
        found.append(Event("won" if new.status == layout.WON else "died", new.runner.cell, who="runner"))
    return found


def _guard_events(name: str, was: int, now: int, cell: int, to: int) -> list[Event]:
    if now == layout.REBORN and was != layout.REBORN:
        return [Event("reborn", cell, to, name)]
    found = [Event("moved", cell, to, name)] if cell != to else []
    if now == layout.IN_HOLE and was != layout.IN_HOLE:
        found.append(Event("trapped", to, who=name))
    return found
