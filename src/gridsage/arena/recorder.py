"""The one place that assembles a trace: it steps the game, notes what happened and makes the result of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gridsage.core.game import Action, AnyGame, Budget, Closing, Outcome, Own, Tally, Thoughts
from gridsage.core.room import Room
from gridsage.core.trace import HASH_EVERY, Episode, Result, Trace, plain_figures, state_hash
from gridsage.games import catalog


class Recorder:
    """A game being played, and everything its trace will say."""

    def __init__(self, episode: Episode, room: Room) -> None:
        self.episode, self.room = episode, room
        self.options = catalog.options(room, episode.options)
        self.game: AnyGame = room.rules.game()
        self.state: Own = self.game.start(self.game.parse(episode.level), self.options, episode.chance)
        self.tally: Tally[Own] | None = room.rules.tally(self.game) if room.rules.tally is not None else None
        self.actions: list[Action] = []
        self.hashes = [(0, state_hash(self.game, self.state))]
        self.thoughts: list[tuple[int, Thoughts]] = []
        self.nodes = 0

    def step(self, action: Action) -> None:
        """Play `action`; an IllegalAction error leaves everything as it was."""
        before = self.state
        self.state = self.game.step(before, action)
        self.actions.append(action)
        if self.tally is not None:
            self.tally.add(before, action, self.state)
        if len(self.actions) % HASH_EVERY == 0:
            self.hashes.append((len(self.actions), state_hash(self.game, self.state)))

    def keep(self, thoughts: Thoughts) -> None:
        """Keep the thoughts behind the last action, without what a clock said."""
        self.thoughts.append((len(self.actions) - 1, msgspec.structs.replace(thoughts, timings={})))

    def trace(self, outcome: Outcome) -> Trace:
        """Return the trace of the game up to here."""
        steps = len(self.actions)
        if self.hashes[-1][0] != steps:
            self.hashes.append((steps, state_hash(self.game, self.state)))
        return assembled(
            self.episode, self.game.rules_version, self.actions, self.hashes, outcome, tuple(self.thoughts)
        )

    def figures(self) -> dict[str, float | str]:
        """Return what the room's statistics counted."""
        return plain_figures(self.tally.figures()) if self.tally is not None else {}

    def close(self) -> None:
        """Give back what the game holds."""
        if isinstance(self.game, Closing):
            self.game.close()


def assembled(
    episode: Episode,
    rules_version: int,
    actions: Sequence[Action],
    hashes: Sequence[tuple[int, str]],
    outcome: Outcome,
    thoughts: tuple[tuple[int, Thoughts], ...] = (),
) -> Trace:
    """Return the trace of an episode from its parts."""
    return Trace(
        game=episode.game,
        rules_version=rules_version,
        options=episode.options,
        level_name=episode.level_name,
        level=episode.level,
        seed=episode.seed,
        agents=episode.agents,
        budgets=episode.budgets or (Budget(),) * len(episode.agents),
        actions=tuple(actions),
        hashes=tuple(hashes),
        outcome=outcome,
        episode=episode.id,
        thoughts=thoughts,
        salt=episode.salt,
    )


def cut_short(episode: Episode, actions: Sequence[Action], outcome: Outcome, notes: dict[str, float | str]) -> Result:
    """Return the result of a game whose player did not come back, by playing again what is known of it.

    Args:
        outcome: how it ended, unless the rules themselves had ended it by then.
        notes: what the figures shall say about that end.
    """
    recorder = Recorder(episode, catalog.ready_room(episode.game))
    try:
        for action in actions:
            recorder.step(action)
        ended = recorder.game.outcome(recorder.state)
        figures = recorder.figures() | (notes if ended is None else {})
        return Result(recorder.trace(ended or outcome), figures, 0.0, code=episode.code)
    finally:
        recorder.close()
