"""Nim with one heap: take one to three, whoever takes the last one wins."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from gridsage.core.errors import IllegalAction, LevelError
from gridsage.core.frame import Frame
from gridsage.core.game import Action, Briefing, Budget, Decision, Event, Outcome, action_labelled
from gridsage.core.rng import generator
from gridsage.core.room import AgentEntry, Levels, Players, Room, Rules, View


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


@dataclass(frozen=True)
class State:
    heap: int
    seat: int = 0


class Nim:
    name = "nim"
    rules_version = 1

    def parse(self, text: str) -> int:
        if not text.strip().isdigit():
            raise LevelError(f"line 1: expected the number of matches: {text!r}")
        return int(text)

    def start(self, level: int, options: Options, seed: int) -> State:
        return State(level + seed % 4)

    def seat(self, state: State) -> int:
        return state.seat

    def legal(self, state: State) -> Sequence[Action]:
        return list(range(1, min(3, state.heap) + 1))

    def step(self, state: State, action: Action) -> State:
        if action not in self.legal(state):
            raise IllegalAction(f"cannot {self.label(action)} of {state.heap}")
        return State(state.heap - action, 1 - state.seat)

    def outcome(self, state: State) -> Outcome | None:
        if state.heap:
            return None
        winner = 1 - state.seat
        return Outcome("took the last", (1.0 - winner, float(winner)), winner)

    def observe(self, state: State, seat: int) -> State:
        return state

    def events(self, before: State, action: Action, after: State) -> Sequence[Event]:
        return []

    def label(self, action: Action) -> str:
        return f"take {action}"

    def action(self, label: str) -> Action:
        return action_labelled(label, {"take 1": 1, "take 2": 2, "take 3": 3}, self.name)

    def key(self, state: State) -> Hashable:
        return state

    def fingerprint(self, state: State) -> bytes:
        return f"{state.heap} {state.seat}".encode()


class Anyhow:
    name = "anyhow"

    def begin(self, briefing: Briefing) -> None:
        self.random = generator(briefing.seed)

    def decide(self, observation: State, budget: Budget) -> Decision:
        return Decision(self.random.choice(Nim().legal(observation)))


class Modulo:
    name = "modulo"

    def decide(self, observation: State, budget: Budget) -> Decision:
        return Decision(observation.heap % 4 or 1)


class NimRules(Rules[int, Options, State]):
    options = Options
    seats = 2

    def game(self) -> Nim:
        return Nim()


class NimLevels(Levels):
    def names(self) -> Sequence[str]:
        return ["heap"]

    def text(self, name: str) -> str:
        return "9"


class NimPlayers(Players):
    default = "modulo"

    def agents(self) -> Mapping[str, AgentEntry]:
        return {"anyhow": AgentEntry(Anyhow, "takes any"), "modulo": AgentEntry(Modulo, "plays right")}


class NimView(View[State]):
    glyphs = {"floor": ("|", "yellow")}
    keys = {"1": "take 1", "2": "take 2", "3": "take 3"}

    def frame(self, state: State) -> Frame:
        return Frame(1, max(1, state.heap), ("floor",) * max(1, state.heap), text=f"{state.heap} left")


ROOM = Room("nim", "Nim", "Take the last match.", NimRules(), NimLevels(), NimPlayers(), NimView())
