"""The rules of a match: think, claim, hourglass, show; robots stay where the winning solution left them.

Seats are asked in turn while they think: `wait`, or `claim n`. When everybody has waited since the last claim, the
clock may run out: `time is up` is an action like any other, so a match can be replayed. Whoever runs a real clock lets
the silent seats wait and then plays it; among agents the next one that has nothing to add does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import msgspec

from gridsage.core.errors import IllegalAction
from gridsage.core.game import Action, Event, Outcome, action_labelled
from gridsage.core.rng import generator
from gridsage.games.ricochet.level import Goal, Level, Options, parse
from gridsage.games.ricochet.rounds.state import (
    CALL,
    HOURGLASS,
    MAX_CLAIM,
    OVER,
    SHOWING,
    THINKING,
    TIME_WORD,
    WAIT_WORD,
    Claim,
    RoundsOptions,
    RoundsState,
)
from gridsage.games.ricochet.rules import GIVE_UP, Ricochet, is_solved
from gridsage.games.ricochet.state import State

RESET: Action = GIVE_UP + 1
WAIT: Action = GIVE_UP + 2
TIME_UP: Action = GIVE_UP + 3
CLAIM: Action = 100  # claiming n moves is CLAIM + n
HIDDEN_SEED = 0  # what a player is told instead
MAX_RESETS = 3  # of one demonstration
MAX_LAPS = 100  # of waiting, after which only the clock can run out

MISSION = Ricochet()
_WORDS = {RESET: "reset", WAIT: WAIT_WORD, TIME_UP: TIME_WORD}


class Rounds:
    """Ricochet Robots for several players: a point a round for the lowest claim that is shown."""

    name = "ricochet-rounds"
    rules_version = 1

    def parse(self, text: str) -> Level:
        return parse(text)

    def start(self, level: Level, options: RoundsOptions, seed: int) -> RoundsState:
        table = RoundsState(level, options, seed, (0,) * options.players)
        return _draw_mission(table) if _is_done(table, level.mission) else table

    def seat(self, table: RoundsState) -> int:
        return table.turn

    def legal(self, table: RoundsState) -> Sequence[Action]:
        if table.phase == OVER:
            return []
        if table.showing is not None:
            can_reset = table.showing.moves > 0 and table.resets < MAX_RESETS
            return [*MISSION.legal(table.showing), *([RESET] if can_reset else [])]
        limit = min((claim.moves - 1 for claim in table.claims if claim.seat == table.turn), default=None)
        claims = range(1, (table.options.max_claim if limit is None else limit) + 1)
        waiting = [] if table.waits >= table.options.players * MAX_LAPS else [WAIT]
        clock = [TIME_UP] if table.waits >= table.options.players else []
        return [*waiting, *clock, *(CLAIM + moves for moves in claims)]

    def step(self, table: RoundsState, action: Action) -> RoundsState:
        if action not in self.legal(table):
            raise IllegalAction(f"{self.label(action)}: not possible in round {table.round} while {table.phase}")
        if table.showing is not None:
            return _show(table, table.showing, action)
        if action == TIME_UP:
            return _begin_showing(table) if table.claims else _next_round(table, "nobody claimed")
        following = (table.turn + 1) % table.options.players
        if action == WAIT:
            return replace(table, turn=following, waits=table.waits + 1)
        claims = (*table.claims, Claim(table.turn, action - CLAIM))
        return replace(table, turn=following, waits=0, claims=claims, phase=HOURGLASS)

    def outcome(self, table: RoundsState) -> Outcome | None:
        if table.phase != OVER:
            return None
        best = max(table.scores)
        leaders = [seat for seat, score in enumerate(table.scores) if score == best]
        winner = leaders[0] if best and len(leaders) == 1 else None
        return Outcome("match over", tuple(map(float, table.scores)), winner)

    def observe(self, table: RoundsState, seat: int) -> RoundsState:
        """Everything but the seed: it decides the missions to come."""
        return replace(table, seed=HIDDEN_SEED)

    def events(self, before: RoundsState, action: Action, after: RoundsState) -> Sequence[Event]:
        events: list[Event] = []
        if before.showing is None or action == RESET:
            events.append(Event(self.label(action), who=str(before.turn)))
        else:
            # The last move of a demonstration is followed at once by the next round: play it again to see it.
            events += MISSION.events(before.showing, action, MISSION.step(before.showing, action))
        if after.scores != before.scores:
            events.append(Event("scored", who=str(before.turn)))
        if after.round != before.round or after.phase == OVER:
            events.append(Event("round over"))
        return events

    def label(self, action: Action) -> str:
        if CLAIM < action <= CLAIM + MAX_CLAIM:
            return f"{CALL} {action - CLAIM}"
        return _WORDS.get(action) or MISSION.label(action)

    def action(self, label: str) -> Action:
        return action_labelled(label, _action_of(), self.name)

    def key(self, table: RoundsState) -> object:
        return table

    def fingerprint(self, table: RoundsState) -> bytes:
        mission = MISSION.fingerprint(table.showing or mission_state(table))
        claims = [(claim.seat, claim.moves) for claim in table.claims]
        rest = (table.seed, table.scores, table.round, table.drawn, table.turn, table.waits, claims, table.resets)
        return mission + msgspec.json.encode((rest, table.phase, table.options))


@cache
def _action_of() -> dict[str, Action]:
    actions = [*range(GIVE_UP + 1), *_WORDS, *range(CLAIM + 1, CLAIM + MAX_CLAIM + 1)]
    return {Rounds().label(action): action for action in actions}


def mission_state(table: RoundsState, max_moves: int | None = None) -> State:
    """The round's mission as a game for one, with the claim's number of moves."""
    limit = table.options.max_claim if max_moves is None else max_moves
    return MISSION.start(table.level, Options(table.options.must_ricochet, limit), seed=0)


def _show(table: RoundsState, showing: State, action: Action) -> RoundsState:
    if action == RESET:
        assert table.best is not None
        return replace(table, showing=mission_state(table, table.best.moves), resets=table.resets + 1)
    after = MISSION.step(showing, action)
    outcome = MISSION.outcome(after)
    if outcome is None:
        return replace(table, showing=after)
    if outcome.winner is not None:
        scores = tuple(score + (seat == table.turn) for seat, score in enumerate(table.scores))
        moved = replace(table.level, robots=after.robots)
        news = f"player {table.turn + 1} did it in {after.moves}"
        return _next_round(replace(table, level=moved, scores=scores), news)
    left = tuple(claim for claim in table.claims if claim != table.best)
    if not left:
        return _next_round(table, "no claim could be shown")
    return _begin_showing(replace(table, claims=left))


def _begin_showing(table: RoundsState) -> RoundsState:
    assert table.best is not None
    showing = mission_state(table, table.best.moves)
    return replace(table, turn=table.best.seat, showing=showing, resets=0, phase=SHOWING)


def _next_round(table: RoundsState, news: str) -> RoundsState:
    """The table when the round is over: the next mission, or the end. Another seat is asked first each time."""
    table = replace(table, claims=(), showing=None, waits=0, resets=0, news=f"round {table.round}: {news}")
    if table.round >= table.options.rounds:
        return replace(table, phase=OVER)
    following = replace(table, round=table.round + 1, turn=table.round % table.options.players, phase=THINKING)
    return _draw_mission(following)


def _draw_mission(table: RoundsState) -> RoundsState:
    """The next goal out of the bag that is not done already; the match is over when there is none."""
    goals = [goal for goal in table.level.goals if goal.robot < len(table.level.robots)]
    for drawn in range(table.drawn, table.drawn + len(goals)):
        bag, taken = divmod(drawn, len(goals))
        goal = generator(table.seed, "missions", bag).sample(goals, len(goals))[taken]
        if not _is_done(table, goal):
            return replace(table, level=replace(table.level, mission=goal), drawn=drawn + 1)
    return replace(table, phase=OVER, news=f"{table.news}; no mission is left".removeprefix("; "))


def _is_done(table: RoundsState, goal: Goal) -> bool:
    return is_solved(mission_state(replace(table, level=replace(table.level, mission=goal))))
