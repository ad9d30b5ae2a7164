"""What the verbs print: JSON lines, tables, progress bars, and the announced first compilation."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ParamSpec

import msgspec

from gridsage.core.amounts import DIGITS, amount
from gridsage.core.errors import MissingPart
from gridsage.core.progress import heard_by
from gridsage.core.room import Room
from gridsage.core.trace import Result, content_hash
from gridsage.games import catalog

P = ParamSpec("P")
STOPPED_CODE = 130  # as shells say for ctrl-C
PIPE_COLUMNS = 200  # a table in a file or a pipe is not folded

if TYPE_CHECKING:
    from rich.console import Console

    from gridsage.arena.stats import Interval


def stoppable(verb: Callable[P, None]) -> Callable[P, None]:
    """Return the verb with an answer to ctrl-C: a word and exit code 130. A verb that can say more does so itself."""

    @functools.wraps(verb)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            verb(*args, **kwargs)
        except KeyboardInterrupt:
            print("\ngridsage: stopped", file=sys.stderr)
            sys.exit(STOPPED_CODE)

    return run


def console(*, stderr: bool = False) -> Console:
    """Return Rich's console, which prints plain text where the output is no terminal."""
    from rich.console import Console as Plain

    class Console(Plain):
        def on_broken_pipe(self) -> None:
            raise  # as print does; Rich would end the process, in the middle of a game too

    is_terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(
        stderr=stderr,
        highlight=False,
        emoji=False,  # bots.py:Sleepy: is a class in a file, and no face
        soft_wrap=not is_terminal,
        width=None if is_terminal else PIPE_COLUMNS,
    )


def warn(sentences: Iterable[str]) -> None:
    """Say on the error stream what was named and skipped."""
    for sentence in sentences:
        console(stderr=True).print(f"warning: {sentence}", markup=False)


def print_json(value: object) -> None:
    """Print one JSON object on one line, at once."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    sys.stdout.flush()


def episode_record(result: Result) -> dict[str, object]:
    """Return the object that `--json` prints per episode."""
    trace = result.trace
    return {
        "game": trace.game,
        "level": trace.level_name,
        "seed": trace.seed,
        "agents": [str(agent) for agent in trace.agents],
        "outcome": trace.outcome.reason,
        "won": trace.outcome.winner == 0,
        "winner": trace.outcome.winner,
        "score": trace.outcome.scores[0],
        "steps": len(trace.actions),
        "seconds": round(result.seconds, 6),
        "decisions": result.decisions,
        "figures": result.figures,
        "trace": content_hash(trace),
    }


@contextmanager
def progress(words: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar on the error stream if it is a terminal; yields `advance(by)`."""
    if not sys.stderr.isatty():
        yield lambda by: None
        return
    from rich import progress as bars

    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeElapsedColumn(),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=total)
        with heard_by(lambda told: bar.update(task, description=f"{words}: {told}")):
            yield lambda by: bar.advance(task, by)


def known(name: str) -> Room:
    """Return the room of that name if this machine can play it, not yet compiled: bad input must not wait."""
    room = catalog.room(name)
    if (sentence := room.rules.missing()) is not None:
        raise MissingPart(sentence)
    return room


def rooms(game: str | None) -> Iterator[Room]:
    """Yield the room asked for, or every one; a broken package is named on the error stream and the others go on."""
    for name in [game] if game is not None else catalog.names():
        try:
            yield catalog.room(name)
        except MissingPart as error:
            if game is not None:
                raise
            print(f"{name}: {error}", file=sys.stderr)


def ready(name: str) -> Room:
    """Return the room with its kernels compiled; the first compilation on a machine is announced and shown."""
    room = catalog.room(name)
    if room.rules.warm_up is None or catalog.is_compiled(room) or room.rules.missing() is not None:
        return catalog.ready_room(name)
    screen = console(stderr=True)
    screen.print(f"compiling the kernels of {room.title} for this machine; this happens once ...")
    with progress(room.title, len(room.rules.warm_up())) as advance:
        catalog.ready_room(name, lambda words, done, total: advance(1 if done else 0))
    return room


def interval(value: Interval, digits: int = DIGITS) -> str:
    """`0.95 [0.91; 0.97]`, or a dash when nothing is known."""
    if value.value != value.value:
        return "-"
    return f"{amount(value.value, digits)} [{amount(value.low, digits)}; {amount(value.high, digits)}]"


def stacked(words: str) -> str:
    """An interval on two lines, for a narrow cell: `0.95` above `[0.91; 0.97]`."""
    return words.replace(" [", "\n[")


def percent(value: Interval) -> str:
    """`95 % [91; 97]`."""
    if value.value != value.value:
        return "-"
    return f"{100 * value.value:.1f} % [{100 * value.low:.1f}; {100 * value.high:.1f}]"


def duration(seconds: float) -> str:
    """Return a time that people can read: `0.4 ms`, `12 ms`, `3.2 s`."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"
