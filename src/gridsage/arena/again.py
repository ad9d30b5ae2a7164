"""Let the agents of a recorded game play it again, and see whether they make the same moves."""

from __future__ import annotations

from gridsage.arena import match
from gridsage.arena.conditions import Conditions
from gridsage.core.errors import TraceError, TraceMismatch
from gridsage.core.game import Budget
from gridsage.core.trace import FAULTS, PEOPLE, STOPPED, WORKER_DIED, Episode, Trace
from gridsage.games import catalog


def verify_agents(trace: Trace, conditions: Conditions) -> int:
    """Play the game again with its agents and return the number of moves; a TraceMismatch names the first other one."""
    room = catalog.ready_room(trace.game)
    _complain_if_unrepeatable(trace)
    game = room.rules.game()
    played = match.play(episode_of(trace), conditions=conditions).trace
    for turn, (told, found) in enumerate(zip(trace.actions, played.actions, strict=False), 1):
        if told != found:
            words = f"the trace says {game.label(told)!r}, its agents play {game.label(found)!r}"
            raise TraceMismatch(f"move {turn}: {words}")
    if len(played.actions) < len(trace.actions):
        raise TraceMismatch(f"move {len(played.actions) + 1}: its agents end there with {played.outcome.reason!r}")
    if trace.outcome.reason in FAULTS and played.outcome.reason != trace.outcome.reason:
        raise TraceMismatch(f"the trace ends with {trace.outcome.reason!r}, its agents with {played.outcome.reason!r}")
    return len(played.actions)


def episode_of(trace: Trace) -> Episode:
    """Return the game of a trace as something to be played, not longer than the trace is."""
    return Episode(
        game=trace.game,
        level_name=trace.level_name,
        level=trace.level,
        seed=trace.seed,
        agents=trace.agents,
        options=trace.options,
        budgets=trace.budgets,
        max_steps=len(trace.actions) + (trace.outcome.reason in FAULTS),  # a fault takes one more question
        salt=trace.salt,
    )


def _complain_if_unrepeatable(trace: Trace) -> None:
    """Complain about a game that nobody could play again: a person's, one on a clock, one of an agent that is gone."""
    room = catalog.room(trace.game)
    for spec, budget in zip(trace.agents, trace.budgets or (Budget(),) * len(trace.agents), strict=True):
        if spec.name in PEOPLE:
            raise TraceError("a person played this game: only agents can be asked again")
        if budget.nodes is None or budget.seconds is not None:
            raise TraceError(f"{spec} played by the clock: only node budgets repeat exactly")
        catalog.check_agent(room, spec)
    if trace.outcome.reason in (STOPPED, WORKER_DIED):
        raise TraceError(f"the game ended with {trace.outcome.reason!r}: its agents had no say in it")
