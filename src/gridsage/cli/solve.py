"""`gridsage solve`: a winning plan for a level, or for every position of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Protocol, runtime_checkable

import typer

from gridsage.cli import flags, output
from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError, OptionError
from gridsage.core.files import NO_FILE, is_other_than_a_file
from gridsage.core.game import Own
from gridsage.core.room import Room


@runtime_checkable
class PositionSolver(Protocol):
    """The help of a room that solves whole files of positions."""

    def solve_positions(
        self,
        lines: Iterable[str],
        options: Own,
        threads: int,
        all_solutions: bool,
        max_nodes: int | None,
        max_seconds: float | None,
    ) -> Iterator[dict[str, object]]:
        """Return one answer per line, in order."""


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("solve", context_settings=flags.EXTRA, epilog=EXAMPLE)(solve)


NOT_SOLVED = {"unsolvable": "no solution exists", "budget": "not solved within the budget"}
EXAMPLE = "Example: gridsage solve ricochet --seed 7, or gridsage solve ricochet --positions FILE.jsonl --json"


def solve(
    context: typer.Context,
    game: flags.GameName,
    level: Annotated[str | None, typer.Argument(help=flags.LEVEL_HELP)] = None,
    positions: Annotated[Path | None, typer.Option(help="A file with one position per line (JSON).")] = None,
    seed: flags.Seed = 1,
    threads: Annotated[int, typer.Option(help="Number of threads of the solver.", min=1)] = 1,
    every: Annotated[bool, typer.Option("--all", help="Print all best solutions, if the room can find them.")] = False,
    nodes: flags.Nodes = None,
    seconds: Annotated[float, typer.Option(help="Seconds per level.", min=0.0, max=flags.MAX_SECONDS)] = 60.0,
    option: flags.Options = None,
    json: flags.AsJson = False,
) -> None:
    """Find a winning plan and print it; the exit code is 1 if there is none or it was not found."""
    room = flags.room_for(game, level, *context.args)
    game = room.name
    options, level = flags.rule_options_and_level(room, option, context, level)
    if positions is not None:
        _solve_file(room, positions, options, threads, every, nodes, seconds, json)
        return
    if room.levels.check is None:
        raise OptionError(f"{game} has no solver: try `gridsage watch {game}`")
    chosen = flags.one_level(room, level, seed)
    output.ready(game)
    report = room.levels.check(chosen.text, catalog_options(room, options), seconds)
    labels = [room.rules.game().label(action) for action in report.plan]
    if json:
        record = {"game": game, "level": chosen.name, "status": report.verdict, "length": len(labels) or None}
        output.print_json({**record, "moves": labels, "text": report.text, "figures": dict(report.figures)})
    else:
        from gridsage.cli.screen import draw

        screen = output.console()
        made = room.rules.game()
        state = made.start(made.parse(chosen.text), catalog_options(room, options), report.seed)
        screen.print(draw(room.view.frame(state), room.view.glyphs))
        screen.print(f"{chosen.name}: {report.text}", markup=False)
        if labels:
            screen.print(", ".join(labels), markup=False)
    if report.verdict != "won":
        raise typer.Exit(1)


def catalog_options(room: Room, pairs: dict[str, object]) -> object:
    """Return the room's options struct."""
    from gridsage.games import catalog

    return catalog.options(room, pairs)


def _solve_file(
    room: Room,
    path: Path,
    options: dict[str, object],
    threads: int,
    every: bool,
    nodes: int | None,
    seconds: float,
    json: bool,
) -> None:
    if not isinstance(room.help, PositionSolver):
        raise OptionError(f"{room.name} does not solve files of positions")
    try:
        if is_other_than_a_file(path):
            raise LevelError(f"{path} {NO_FILE}")
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise LevelError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LevelError(f"{path}: not a text file") from None
    parsed = catalog_options(room, options)
    output.ready(room.name)
    answers = room.help.solve_positions(lines, parsed, threads, every, nodes, seconds)
    counts: dict[str, int] = {}
    with output.progress(f"solving {path.name}", len(lines)) as advance:
        for answer in answers:
            advance(1)
            counts[str(answer["status"])] = counts.get(str(answer["status"]), 0) + 1
            if json:
                output.print_json(answer)
            else:
                output.console().print(_answer_words(answer), markup=False, soft_wrap=True)
    if not json:
        output.console().print(", ".join(f"{status} {count}" for status, count in counts.items()))
    if counts.get("error"):
        raise typer.Exit(2)


def _answer_words(answer: dict[str, object]) -> str:
    """Return an answer as a line for people: `line 3 (hard-7): 2 moves: red up, green left`."""
    if "error" in answer:
        return str(answer["error"])
    begin = f"line {answer['line']}" + (f" ({answer['id']})" if "id" in answer else "")
    moves = answer["moves"]
    if not isinstance(moves, list):
        return f"{begin}: {NOT_SOLVED.get(str(answer['status']), answer['status'])}"
    number = counted(len(moves), "move")
    return f"{begin}: {number}: {', '.join(moves)}" if moves else f"{begin}: {number}"
