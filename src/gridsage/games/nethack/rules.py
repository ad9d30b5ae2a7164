"""NetHack as a Game: keys go to a child process, copied observations come back. It is no Model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gridsage.core.amounts import counted
from gridsage.core.errors import IllegalAction
from gridsage.core.game import Action, Event, Outcome, action_labelled
from gridsage.games.nethack import level as lv
from gridsage.games.nethack import state as st
from gridsage.games.nethack.keys import LABELS, LEGAL
from gridsage.games.nethack.level import Level, Options
from gridsage.games.nethack.session.client import PATIENCE, ProcessLost, Session
from gridsage.games.nethack.session.protocol import Report, setup_of
from gridsage.games.nethack.state import State

ACTION_OF = {label: action for action, label in LABELS.items()}


class NetHack:
    """The rules are the real game's; `step` consumes the state, because the game lives on in its process."""

    name = "nethack"
    rules_version = 2

    def __init__(self, patience: float = PATIENCE, recording: Path | None = None) -> None:
        self._patience = patience  # seconds without an answer after which the game counts as hung
        self._recording = str(recording) if recording is not None else ""
        self._session: Session | None = None
        self._now: State | None = None

    def parse(self, text: str) -> Level:
        return lv.parse(text)

    def start(self, level: Level, options: Options, seed: int) -> State:
        self.close()
        chosen = lv.with_changes(options, level)
        try:
            self._session = Session(setup_of(level, chosen, lv.seeds_of(seed), self._recording), self._patience)
            data = self._session.first
        except ProcessLost as lost:
            data = bytes([lost.status]).ljust(st.RECORD.itemsize, b"\0")
        self._now = State(data, 0)
        return self._now

    def seat(self, state: State) -> int:
        return 0

    def legal(self, state: State) -> Sequence[Action]:
        return LEGAL if state.status == st.RUNNING else ()

    def step(self, state: State, action: Action) -> State:
        if state is not self._now or self._session is None:
            raise IllegalAction(f"the state after {counted(state.step, 'key')} is consumed: NetHack cannot go back")
        if state.status != st.RUNNING:
            raise IllegalAction(f"the game is over: {st.REASONS[state.status]}")
        if action not in LABELS:
            raise IllegalAction(f"{action} is no key of this game; keys are 27, 32 to 126 and a few more")
        try:
            data = self._session.press(action)
        except ProcessLost as lost:
            data = bytes([lost.status]) + state.data[1:]
        self._now = State(data, state.step + 1)
        return self._now

    def outcome(self, state: State) -> Outcome | None:
        status = state.status
        if status == st.RUNNING:
            return None
        winner = 0 if status == st.ASCENDED else None
        return Outcome(st.REASONS[status], (float(state.stats[st.SCORE]),), winner)

    def observe(self, state: State, seat: int) -> State:
        return state

    def events(self, before: State, action: Action, after: State) -> Sequence[Event]:
        found = []
        if before.stats[st.DUNGEON : st.DUNGEON_LEVEL + 1] != after.stats[st.DUNGEON : st.DUNGEON_LEVEL + 1]:
            found.append(Event("new level", before.cell, after.cell, "hero"))
        elif before.cell != after.cell:
            found.append(Event("moved", before.cell, after.cell, "hero"))
        if after.stats[st.HP] < before.stats[st.HP]:
            found.append(Event("hurt", after.cell, who="hero"))
        if after.status >= st.KILLED:
            found.append(Event("died", after.cell, who="hero"))
        return found

    def label(self, action: Action) -> str:
        return LABELS.get(action, f"key {action}")

    def action(self, label: str) -> Action:
        return action_labelled(label, ACTION_OF, self.name)

    def fingerprint(self, state: State) -> bytes:
        return state.data

    def close(self) -> None:
        """End the game's process."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def report(self) -> Report | None:
        """The referee's counts, for statistics only; None when the game's process is gone."""
        if self._session is None:
            return None
        try:
            return self._session.report()
        except ProcessLost:
            return None

    @property
    def process_id(self) -> int | None:
        """The process of the running game."""
        return self._session.process_id if self._session is not None else None
