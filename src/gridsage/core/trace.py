"""A finished game as data: enough to replay it, score it and draw it. No clock times inside."""

from __future__ import annotations

import gzip
import hashlib
import io
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import UNSET, UnsetType

from gridsage.core.amounts import counted
from gridsage.core.complaints import in_words
from gridsage.core.errors import IllegalAction, TraceError, TraceMismatch, shown
from gridsage.core.files import NO_FILE, is_other_than_a_file
from gridsage.core.game import Action, AnyGame, Budget, Closing, Outcome, Own, Thoughts
from gridsage.core.rng import child_seed

TRACE_VERSION = 1
HASH_EVERY = 10  # steps between two state hashes; the first and the last state always have one
HASH_BYTES = 8
MAX_BYTES = 64 * 2**20  # of an unpacked trace file: some ten times the longest game that was ever kept
NOTES = b'{"kept":'  # how the second line of a kept file begins: what is known beside the trace

# How a game can end other than by its rules.
CUT_OFF = "cut off"  # the arena's limit of steps
CRASHED = "agent crashed"
GAME_CRASHED = "game crashed"  # a fault of the rules themselves
ILLEGAL = "illegal action"
TIMED_OUT = "timeout"
MALFORMED = "malformed answer"
OUT_OF_MEMORY = "out of memory"
DIED = "agent died"  # its process was gone without a word
REFUSED = "refused to start"
WORKER_DIED = "worker died"  # the process that played the game was killed, and not because of an agent
STOPPED = "stopped"  # by a person
LEFT = "left"  # a person has left the table
FAULTS = frozenset({CRASHED, ILLEGAL, TIMED_OUT, MALFORMED, OUT_OF_MEMORY, DIED, REFUSED})  # of one player
ARENA_ENDINGS = FAULTS | {CUT_OFF, GAME_CRASHED, WORKER_DIED, STOPPED, LEFT}
PEOPLE = frozenset({"person", "human"})  # as agents that people are
MOST_LOG = 64 << 10  # bytes of what the agents of a game have printed


class AgentSpec(msgspec.Struct, frozen=True):
    """Which agent sat there: its name as typed on the command line, and its settings."""

    name: str
    settings: dict[str, str] = {}

    def __str__(self) -> str:
        return ":".join([self.name, *(f"{key}={value}" for key, value in self.settings.items())])


class Episode(msgspec.Struct, frozen=True):
    """Everything that decides how a game goes; with node budgets the game is a function of it."""

    game: str
    level_name: str
    level: str  # the text itself
    seed: int
    agents: tuple[AgentSpec, ...]  # one per seat
    options: dict[str, object] = {}
    budgets: tuple[Budget, ...] = ()  # one per seat
    code: str = ""  # digest of the code that plays it
    max_steps: int = 10_000
    salt: int | UnsetType = UNSET  # 64 bits that no agent is told; left out of the id where there is none

    @property
    def id(self) -> str:
        """The hash of the spec: two runs of the same episode have the same id."""
        return hashlib.blake2b(msgspec.json.encode(self, order="deterministic"), digest_size=16).hexdigest()

    @property
    def chance(self) -> int:
        """The number from which the rules draw: the seed itself, or what a salt makes of it."""
        return _chance(self.seed, self.salt)


class Trace(msgspec.Struct, frozen=True):
    """One game, move by move, with hashes that let anyone check it by playing it again."""

    game: str
    rules_version: int
    options: dict[str, object]
    level_name: str
    level: str
    seed: int
    agents: tuple[AgentSpec, ...]
    budgets: tuple[Budget, ...]
    actions: tuple[Action, ...]
    hashes: tuple[tuple[int, str], ...]  # (number of actions played, state hash)
    outcome: Outcome
    episode: str  # id of the Episode
    thoughts: tuple[tuple[int, Thoughts], ...] = ()  # (actions played before, thoughts), where they were kept
    version: int = TRACE_VERSION
    salt: int | UnsetType = UNSET

    @property
    def chance(self) -> int:
        """The number from which the rules draw: the seed itself, or what a salt makes of it."""
        return _chance(self.seed, self.salt)

    @property
    def repeats(self) -> bool:
        """True if its episode always goes like this: with agents on node budgets, unless a person ended it."""
        by_nodes = all(budget.nodes is not None and budget.seconds is None for budget in self.budgets)
        played_out = self.outcome.reason not in (STOPPED, LEFT)
        return by_nodes and played_out and not any(spec.name in PEOPLE for spec in self.agents)


def _chance(seed: int, salt: int | UnsetType) -> int:
    """An agent's own seed can be traced back to `seed`; without the salt it leads no further."""
    return seed if salt is UNSET else child_seed(seed, "salt", salt) >> 1  # 63 bits, as seeds have


class Result(msgspec.Struct, frozen=True):
    """A played episode: its trace, the statistics' figures, and how long it took (never part of the trace)."""

    trace: Trace
    figures: dict[str, float | str]
    seconds: float
    decisions: dict[str, float] = {}  # seat 0: p50, p95 and max of seconds per decision, nodes in all
    code: str = ""  # digest of the code that played it
    log: str = ""  # what the agents printed, at most MOST_LOG bytes


class Sink(Protocol):
    """Where results go. The arena knows no more of the store than this."""

    def known(self, ids: list[str]) -> dict[str, Result]: ...
    def put_many(self, results: Sequence[Result]) -> object: ...


def state_hash(game: AnyGame, state: Own) -> str:
    """The short hash of a state that traces keep."""
    return hashlib.blake2b(game.fingerprint(state), digest_size=HASH_BYTES).hexdigest()


def encode(trace: Trace) -> bytes:
    """The trace as compressed bytes for a file."""
    return gzip.compress(msgspec.json.encode(trace, order="deterministic"), mtime=0)


def content_hash(trace: Trace) -> str:
    """The hash of the trace itself; its file carries it as name."""
    return hashlib.blake2b(msgspec.json.encode(trace, order="deterministic"), digest_size=16).hexdigest()


def on_its_own(trace: Trace) -> Trace:
    """Return the same game as an episode of its own: it neither takes the place of another game, nor is taken for one
    that a bench has still to play.
    """
    return msgspec.structs.replace(trace, episode=content_hash(trace))


def load(path: Path) -> Trace:
    """Return the trace in a file; a TraceError says why there is none."""
    try:
        if is_other_than_a_file(path):
            raise TraceError(f"{path} {NO_FILE}")
        if path.stat().st_size > MAX_BYTES:
            raise TraceError(f"{path} has {counted(path.stat().st_size, 'byte')}, which no trace needs")
        return decode(path.read_bytes(), str(path))
    except OSError as error:
        raise TraceError(f"{shown(str(path))}: {error.strerror}") from None


def decode(data: bytes, source: str = "trace") -> Trace:
    """Return the trace in `data` (compressed or plain JSON); a TraceError says what is wrong with it."""
    plain = unpacked(data, source)
    head, _, rest = plain.partition(b"\n")
    return decode_plain(head if rest.startswith(NOTES) else plain, source)


def unpacked(data: bytes, source: str) -> bytes:
    """Return the plain bytes of a file, which is unpacked no further than a trace can be long."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:  # all of its members: the second one may be the bomb
            plain = packed.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise TraceError(f"{source}: damaged compression") from None
    if len(plain) > MAX_BYTES:
        raise TraceError(f"{source} unpacks to more than {MAX_BYTES // 2**20} MB, which no trace needs")
    return plain


def decode_plain(plain: bytes, source: str) -> Trace:
    """Return the trace that this JSON text is."""
    try:
        version = msgspec.json.decode(plain, type=_VersionOnly).version
        if version != TRACE_VERSION:
            raise TraceError(f"{source} has trace format {version}, this build reads {TRACE_VERSION}")
        return msgspec.json.decode(plain, type=Trace)
    except UnicodeDecodeError:  # bytes of anything: that it is no text says less
        raise TraceError(f"{source} is not a gridsage trace: it is not JSON") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise TraceError(f"{source} is not a gridsage trace: {in_words(error)}") from None


def plain_figures(found: Mapping[str, float | str]) -> dict[str, float | str]:
    """Return figures as every executor gives them: words, and finite numbers that are floats."""
    numbers = {name: value if isinstance(value, str) else float(value) for name, value in found.items()}
    return {name: value for name, value in numbers.items() if isinstance(value, str) or math.isfinite(value)}


class _VersionOnly(msgspec.Struct):
    version: int


def check_rules(trace: Trace, game: AnyGame) -> None:
    """Complain if the trace was recorded under other rules than `game` has."""
    if trace.rules_version != game.rules_version:
        raise TraceError(
            f"the trace was recorded with {trace.game} rules v{trace.rules_version}, "
            f"this build has v{game.rules_version}: it cannot be replayed here"
        )


def states(trace: Trace, game: AnyGame, options: Own) -> Iterator[Own]:
    """Yield every state of `trace`, first to last, by playing it again. The caller closes `game`."""
    check_rules(trace, game)
    state = game.start(game.parse(trace.level), options, trace.chance)
    yield state
    for number, action in enumerate(trace.actions, 1):
        try:
            state = game.step(state, action)
        except IllegalAction as error:
            raise TraceMismatch(f"step {number}: {error}") from None
        yield state


def verified_states(trace: Trace, game: AnyGame, options: Own) -> Iterator[Own]:
    """Yield every state as `states` does, and raise a TraceMismatch after the first that is not as recorded."""
    wanted = dict(trace.hashes)
    steps, state = 0, None
    for steps, state in enumerate(states(trace, game, options)):
        yield state
        if steps in wanted and state_hash(game, state) != wanted[steps]:
            last_good = max((s for s in wanted if s < steps), default=0)
            raise TraceMismatch(
                f"step {steps}: the state differs from the recorded one (last equal hash at step {last_good})"
            )
    if not {0, len(trace.actions)} <= set(wanted):
        raise TraceMismatch("the trace has no hash of its first or last state: there is nothing to compare with")
    outcome = game.outcome(state)
    mover = game.seat(state) if outcome is None else 0
    if problem := outcome_problem(outcome, trace.outcome, len(trace.agents), mover if steps else None):
        raise TraceMismatch(f"step {steps}: {problem}")


def verify(trace: Trace, game: AnyGame, options: Own) -> int:
    """Play `trace` again and return its number of steps; a TraceMismatch names the first step that differs."""
    try:
        return sum(1 for _ in verified_states(trace, game, options)) - 1
    finally:
        if isinstance(game, Closing):
            game.close()


def outcome_problem(found: Outcome | None, told: Outcome, seats: int, mover: int | None) -> str:
    """Why `told` cannot be the end of a game whose rules say `found`, in words; empty if it can.

    Args:
        mover: the seat whose turn it is, in a game that the rules have not ended; None before the first step, where
            any seat may have failed to start.
    """
    if found is not None:
        return "" if found == told else f"the game ends with {found}, the trace says {told}"
    if told.reason not in ARENA_ENDINGS:
        return f"the game goes on, the trace says {told}"
    believed = [forfeit(told.reason, seats, None)]
    if told.reason in FAULTS or told.reason == LEFT:
        anybody = mover is None or told.reason == LEFT  # whoever waits for the others can leave too
        believed += [forfeit(told.reason, seats, seat) for seat in (range(seats) if anybody else (mover,))]
    return "" if told in believed else f"the game goes on and nobody has scored, the trace says {told}"


def forfeit(reason: str, seats: int, at_fault: int | None) -> Outcome:
    """The outcome of a game that the rules did not end; with two seats the other one wins a fault."""
    winner = 1 - at_fault if seats == 2 and at_fault is not None else None
    return Outcome(reason, tuple(1.0 if winner == seat else 0.0 for seat in range(seats)), winner)
