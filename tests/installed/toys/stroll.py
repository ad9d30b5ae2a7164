"""A walk along a line to its end; one cell is a trap that the walker cannot see."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from gridsage.core.errors import IllegalAction, LevelError
from gridsage.core.frame import Entity, Frame
from gridsage.core.game import Action, Briefing, Budget, Decision, Event, Game, Outcome, Thoughts, action_labelled
from gridsage.core.rng import generator
from gridsage.core.room import AgentEntry, Levels, NamedLevel, Players, Room, Rules, View

LEFT, RIGHT = 0, 1


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    patience: int = 30


@dataclass(frozen=True)
class Level:
    text: str  # S start, . floor, T trap, X end


@dataclass(frozen=True)
class State:
    level: Level
    options: Options
    col: int
    steps: int = 0


class Stroll:
    name = "stroll"
    rules_version = 1

    def parse(self, text: str) -> Level:
        line = text.strip()
        for col, cell in enumerate(line, 1):
            if cell not in "S.TX":
                raise LevelError(f"line 1, column {col}: {cell!r} is no cell, expected one of S . T X")
        if line.count("S") != 1 or line.count("X") != 1:
            raise LevelError(f"expected one S and one X: {line!r}")
        return Level(line)

    def start(self, level: Level, options: Options, seed: int) -> State:
        return State(level, options, level.text.index("S"))

    def seat(self, state: State) -> int:
        return 0

    def legal(self, state: State) -> Sequence[Action]:
        last = len(state.level.text) - 1
        return [action for action, free in ((LEFT, state.col > 0), (RIGHT, state.col < last)) if free]

    def step(self, state: State, action: Action) -> State:
        if action not in self.legal(state):
            raise IllegalAction(f"cannot go {self.label(action)} from column {state.col}")
        return replace(state, col=state.col + (1 if action == RIGHT else -1), steps=state.steps + 1)

    def outcome(self, state: State) -> Outcome | None:
        cell = state.level.text[state.col]
        if cell == "X":
            return Outcome("arrived", (1.0,), 0)
        if cell == "T":
            return Outcome("fell into the trap", (0.0,))
        return Outcome("out of patience", (0.0,)) if state.steps >= state.options.patience else None

    def observe(self, state: State, seat: int) -> State:
        return replace(state, level=Level(state.level.text.replace("T", ".")))

    def events(self, before: State, action: Action, after: State) -> Sequence[Event]:
        return [Event("moved", before.col, after.col, "walker")]

    def label(self, action: Action) -> str:
        return {LEFT: "left", RIGHT: "right"}.get(action, f"action {action}")

    def action(self, label: str) -> Action:
        return action_labelled(label, {"left": LEFT, "right": RIGHT}, self.name)

    def key(self, state: State) -> Hashable:
        return state.col, state.steps

    def fingerprint(self, state: State) -> bytes:
        return f"{state.col} {state.steps}".encode()


class Drunk:
    """Goes anywhere."""

    name = "drunk"

    def begin(self, briefing: Briefing) -> None:
        self.random = generator(briefing.seed)

    def decide(self, observation: State, budget: Budget) -> Decision:
        return Decision(self.random.choice(Stroll().legal(observation)), Thoughts(nodes=1, text="hic"))


class Straight:
    """Goes right, a step a time."""

    name = "straight"

    def __init__(self, *, stop_at: int = 999) -> None:
        if stop_at < 0:
            raise ValueError(f"stop_at={stop_at} must not be negative")
        self.stop_at = stop_at

    def decide(self, observation: State, budget: Budget) -> Decision:
        return Decision(RIGHT if observation.col < self.stop_at else LEFT, Thoughts(nodes=1))


class Backwards:
    """Goes left until it is told that it cannot."""

    name = "backwards"

    def decide(self, observation: State, budget: Budget) -> Decision:
        return Decision(LEFT)


class Crashing:
    """Divides by nothing."""

    name = "crashing"

    def decide(self, observation: State, budget: Budget) -> Decision:
        raise ZeroDivisionError("no luck")


class Deadly:
    """Ends its whole process, as a bad C extension would."""

    name = "deadly"

    def decide(self, observation: State, budget: Budget) -> Decision:
        os._exit(3)


class StepCounter:
    def __init__(self) -> None:
        self.lefts = 0

    def add(self, before: State, action: Action, after: State) -> None:
        self.lefts += action == LEFT

    def figures(self) -> dict[str, float | str]:
        return {"lefts": float(self.lefts)}


class StrollRules(Rules[Level, Options, State]):
    options = Options
    max_steps = 50

    def game(self) -> Stroll:
        return Stroll()

    def tally(self, game: Game[Level, Options, State]) -> StepCounter:
        return StepCounter()


class StrollLevels(Levels):
    shipped = {"short": "S...X", "trap": "XS.T"}

    def names(self) -> Sequence[str]:
        return list(self.shipped)

    def text(self, name: str) -> str:
        return self.shipped[name]

    def of_seed(self, seed: int) -> NamedLevel:
        return NamedLevel(f"line-{seed}", "." * (seed % 4) + "S" + "." * (seed % 5) + "X")


class StrollPlayers(Players):
    default = "straight"

    def agents(self) -> Mapping[str, AgentEntry]:
        return {
            "drunk": AgentEntry(Drunk, "goes anywhere"),
            "straight": AgentEntry(Straight, "goes right"),
            "crashing": AgentEntry(Crashing, "divides by nothing"),
            "deadly": AgentEntry(Deadly, "ends its process"),
        }


class StrollView(View[State]):
    glyphs = {"floor": (".", "dim"), "exit": ("X", "green"), "hero": ("@", "bold")}
    keys = {"ArrowLeft": "left", "ArrowRight": "right"}

    def frame(self, state: State) -> Frame:
        sprites = {"S": "floor", ".": "floor", "T": "floor", "X": "exit"}
        cells = tuple(sprites[cell] for cell in state.level.text)
        walker = Entity("walker", "hero", 0, state.col)
        return Frame(1, len(cells), cells, (walker,), status={"steps": str(state.steps)}, text=f"column {state.col}")


ROOM = Room(
    name="stroll",
    title="Stroll",
    summary="Walk to the end of the line.",
    rules=StrollRules(),
    levels=StrollLevels(),
    players=StrollPlayers(),
    view=StrollView(),
)
