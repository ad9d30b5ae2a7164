"""The rules of Lights Out."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import msgspec

from gridsage.core.errors import IllegalAction, LevelError
from gridsage.core.game import Action, Event, Outcome, action_labelled
from gridsage.core.options import note

MOST_COLS = 9  # an action is row * 9 + column, so that it means the same on every board


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    patience: Annotated[int, note("presses after which the game is lost", ge=1)] = 40


@dataclass(frozen=True)
class Level:
    rows: int
    cols: int
    lit: frozenset[int]


@dataclass(frozen=True)
class State:
    level: Level
    options: Options
    lit: frozenset[int]  # cells of the lamps that are on
    presses: int = 0


class LightsOut:
    """Every method is pure: searches may use it."""

    name = "lights"
    rules_version = 1

    def parse(self, text: str) -> Level:
        lines = text.split()
        if not lines or not all(len(line) == len(lines[0]) <= MOST_COLS for line in lines):
            raise LevelError(f"expected lines of equal length, at most {MOST_COLS} lamps each: {text!r}")
        for number, line in enumerate(lines, 1):
            if strange := set(line) - set(".*"):
                raise LevelError(f"line {number} has {min(strange)!r}, expected . (dark) or * (lit): {line!r}")
        joined = "".join(lines)
        return Level(len(lines), len(lines[0]), frozenset(at for at, sign in enumerate(joined) if sign == "*"))

    def start(self, level: Level, options: Options, seed: int) -> State:
        return State(level, options, level.lit)

    def seat(self, state: State) -> int:
        return 0

    def legal(self, state: State) -> Sequence[Action]:
        return [row * MOST_COLS + col for row in range(state.level.rows) for col in range(state.level.cols)]

    def step(self, state: State, action: Action) -> State:
        row, col = divmod(action, MOST_COLS)
        level = state.level
        if not (0 <= row < level.rows and col < level.cols):
            raise IllegalAction(f"{self.label(action)}: there is no such lamp ({action})")
        near = ((row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
        changed = {r * level.cols + c for r, c in near if 0 <= r < level.rows and 0 <= c < level.cols}
        return replace(state, lit=state.lit ^ changed, presses=state.presses + 1)

    def outcome(self, state: State) -> Outcome | None:
        if not state.lit:
            return Outcome("all dark", (1.0,), 0)
        return Outcome("out of patience", (0.0,)) if state.presses >= state.options.patience else None

    def observe(self, state: State, seat: int) -> State:
        return state

    def events(self, before: State, action: Action, after: State) -> Sequence[Event]:
        row, col = divmod(action, MOST_COLS)
        return [Event("pressed", row * before.level.cols + col)]

    def label(self, action: Action) -> str:
        row, col = divmod(action, MOST_COLS)
        return f"{'abcdefghi'[col]}{row + 1}"

    def action(self, label: str) -> Action:
        return action_labelled(label, {self.label(action): action for action in range(MOST_COLS**2)}, self.name)

    def key(self, state: State) -> Hashable:
        return state.lit

    def fingerprint(self, state: State) -> bytes:
        return repr((sorted(state.lit), state.presses)).encode()
