"""`gridsage levels`: list, check, convert, generate and solve levels."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from gridsage.cli import flags, output
from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError, OptionError, unknown
from gridsage.core.game import Budget, Decision, Observation, Own
from gridsage.core.room import LevelReport, NamedLevel, Room, generator_settings

app = typer.Typer(help="List, check, convert, generate and solve levels.", no_args_is_help=True)

Where = Annotated[str | None, typer.Argument(help=flags.LEVELS_HELP)]
NOT_CHECKED = "not checked"
CheckSeconds = Annotated[float, typer.Option(help="Seconds per level.", min=0.0, max=flags.MAX_SECONDS)]


@app.command("list", epilog="Example: gridsage levels list ricochet")
def list_levels(
    game: Annotated[str | None, typer.Argument(help="Only this game.")] = None, json: flags.AsJson = False
) -> None:
    """List the shipped levels, easiest first, and then those of books."""
    for room in output.rooms(game):
        name = room.name
        for level in [*room.levels.names(), *(level for book in room.levels.books() for level in book.levels)]:
            if json:
                output.print_json({"game": name, "level": level})
            else:
                typer.echo(f"{name} {level}")
        if not room.levels.names() and not json:
            typer.echo(f"{name}: every seed makes a level of its own")


@app.command(
    "check", context_settings=flags.EXTRA, epilog="Example: gridsage levels check delirium 'my/*.xml' --seconds 10"
)
def check(
    context: typer.Context,
    game: flags.GameName,
    levels: Where = None,
    seconds: CheckSeconds = 10.0,
    option: flags.Options = None,
    save: Annotated[Path | None, typer.Option(help="Folder for the winning traces that prove it.")] = None,
    json: flags.AsJson = False,
) -> None:
    """Read levels and report if they can be won, with a winning trace as proof; exit code 1 if one was not won."""
    _check(context, game, levels, seconds, option, save, json, show_plan=False)


@app.command("solve", context_settings=flags.EXTRA, epilog="Example: gridsage levels solve ricochet all")
def solve(
    context: typer.Context,
    game: flags.GameName,
    levels: Where = None,
    seconds: CheckSeconds = 60.0,
    nodes: Annotated[int | None, typer.Option(help="Positions for a level, instead of seconds.", min=0)] = None,
    option: flags.Options = None,
    save: Annotated[Path | None, typer.Option(help="Folder for the winning traces.")] = None,
    json: flags.AsJson = False,
) -> None:
    """Do the same as check, with more time, and print the plan; with --nodes it is the same plan every time."""
    _check(context, game, levels, seconds, option, save, json, show_plan=True, nodes=nodes)


@app.command("convert", epilog="Example: gridsage levels convert delirium cave.bd cave.xml")
def convert(
    game: flags.GameName,
    source: Annotated[
        Path, typer.Argument(help="A file in any format the room reads (FILE#2: its second level), or a shipped one.")
    ],
    target: Annotated[str, typer.Argument(help="A file to write, or `-` for the screen.")] = "-",
    form: Annotated[str | None, typer.Option("--to", help="A format of the room; default: its own text form.")] = None,
) -> None:
    """Read a level in any format the room knows and write it in another."""
    from gridsage.games import catalog

    room = catalog.room(game)
    wanted = form or _form_of(room, target)
    if wanted is not None and wanted not in room.levels.write:
        raise OptionError(str(unknown(f"format of {game}", wanted, room.levels.write)))
    texts = [level.text for level in flags.source_levels(room, str(source))]
    if wanted is not None:
        with output.progress(f"writing {wanted}", len(texts)) as advance:
            for place, text in enumerate(texts):
                texts[place] = room.levels.write[wanted](text)
                advance(1)
    text = "\n".join(part.rstrip("\n") + "\n" for part in texts)
    if target == "-":
        typer.echo(text, nl=False)
    else:
        try:
            Path(target).write_text(text, encoding="utf-8")
        except OSError as error:
            raise LevelError(f"{target}: {error.strerror}") from None


def _form_of(room: Room, target: str) -> str | None:
    """Return the format that the ending of a file stands for; None for the room's own text form."""
    ending = Path(target).suffix
    own = dict.fromkeys([room.levels.suffix, ".txt"])
    if target == "-" or not ending or ending in own:
        return None
    if ending[1:] not in room.levels.write:
        words = f"ending of a {room.name} level"
        hint = "--to names the format whatever the ending"
        raise OptionError(f"{unknown(words, ending, [*own, *(f'.{name}' for name in room.levels.write)])}; {hint}")
    return ending[1:]


@app.command("draw", epilog="Example: gridsage levels draw ricochet 16_quartet board.png")
def draw(
    game: flags.GameName,
    source: Annotated[
        Path, typer.Argument(help="A shipped level by its name or number, or a file (FILE#2: its second level).")
    ],
    target: Annotated[Path, typer.Argument(help="The file to write: .html, .svg or .png.")],
    seed: Annotated[int, typer.Option(help="The seed with which it begins.", min=0)] = 1,
) -> None:
    """Write the first position of a level as a page or a picture that others can open."""
    from gridsage.cli import share

    room = output.ready(flags.room_for(game, str(source)).name)
    level, *others = flags.source_levels(room, str(source))
    if others:
        typer.echo(f"{source}: level 1 of {len(others) + 1} is taken; {source}#2 names the second", err=True)
    size = share.write_level(room, level, target, seed)
    typer.echo(f"{level.name}: {target}, {counted(size, 'byte')}")


@app.command(
    "generate", context_settings=flags.EXTRA, epilog="Example: gridsage levels generate ricochet --seed 5 --moves 9"
)
def generate(
    context: typer.Context,
    game: flags.GameName,
    seed: flags.Seed = 1,
    count: Annotated[int, typer.Option(help="Number of levels, from this seed on.", min=1)] = 1,
    folder: Annotated[Path | None, typer.Option(help="Write each level to a file in this folder.")] = None,
) -> None:
    """Make new levels. Further flags are the generator's settings, such as --moves 9; a wrong one lists them."""
    room = output.known(game)
    if room.levels.generate is None:
        raise OptionError(f"{game} has no generator of levels")
    settings = _settings(room, context.args)
    flags.folder_to_write("--folder", folder)
    output.ready(game)
    with output.progress("generating", count) as advance:
        for number in range(seed, seed + count):
            level: NamedLevel = room.levels.generate(seed=number, **settings)
            advance(1)
            if folder is None:
                typer.echo(level.text.rstrip("\n"))
            else:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{level.name}.txt").write_text(level.text, encoding="utf-8")
    if folder is not None:
        typer.echo(f"{counted(count, 'level')} written to {folder}")


def _settings(room: Room, words: list[str]) -> dict[str, object]:
    """`--moves 9` -> {"moves": 9}, typed as the generator's signature says."""
    assert room.levels.generate is not None
    known = [name for name in inspect.signature(room.levels.generate).parameters if name != "seed"]
    settings: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        key = word.lstrip("-").partition("=")[0].replace("-", "_")
        if not word.startswith("--") or key not in known:
            raise OptionError(
                str(unknown(f"setting of the {room.name} generator", word, [f"--{name}" for name in known]))
            )
        if key in settings:
            raise OptionError(f"--{key} is given twice: expected once")
        settings[key] = word.partition("=")[2] or (rest.pop(0) if rest and not rest[0].startswith("--") else "true")
    return generator_settings(room.levels.generate, settings, room.name)


def _check(
    context: typer.Context,
    game: str,
    levels: str | None,
    seconds: float,
    option: list[str] | None,
    save: Path | None,
    json: bool,
    show_plan: bool,
    nodes: int | None = None,
) -> None:
    from gridsage.games import catalog

    room = flags.room_for(game, levels, *context.args)
    game = room.name
    if show_plan and room.levels.check is None:
        raise OptionError(f"{game} has no solver: try `gridsage watch {game}`")
    pairs, levels = flags.rule_options_and_level(room, option, context, levels)
    flags.folder_to_write("--save", save)
    chosen = flags.levels(room, "all" if levels is None else levels)
    assert chosen is not None
    for level in chosen:
        room.rules.game().parse(level.text)
    output.ready(game)
    all_won = True
    with output.progress(f"checking {game}", len(chosen)) as advance:
        for level in chosen:
            report = _report(room, level, catalog.options(room, pairs), seconds, nodes)
            advance(1)
            all_won &= report.verdict in ("won", NOT_CHECKED)
            _tell(room, level, report, json, show_plan)
            if save is not None and report.verdict == "won":
                _save(room, level, report, pairs, save)
    if not all_won:
        raise typer.Exit(1)


def _report(room: Room, level: NamedLevel, options: Own, seconds: float, nodes: int | None) -> LevelReport:
    if room.levels.check is None:
        return LevelReport(NOT_CHECKED, "read without complaint; this room has no solver")
    if nodes is None:
        return room.levels.check(level.text, options, seconds)
    check: Callable[..., LevelReport] = room.levels.check
    if "nodes" not in inspect.signature(check).parameters:
        raise OptionError(f"the levels of {room.name} are solved by the clock: use --seconds, not --nodes")
    return check(level.text, options, nodes=nodes)


def _tell(room: Room, level: NamedLevel, report: LevelReport, json: bool, show_plan: bool) -> None:
    labels = [room.rules.game().label(action) for action in report.plan]
    if json:
        record = {"game": room.name, "level": level.name, "verdict": report.verdict, "text": report.text}
        output.print_json({**record, "length": len(labels) or None, "moves": labels, "figures": dict(report.figures)})
        return
    typer.echo(f"{level.name}: {report.verdict}: {report.text}")
    if show_plan and labels:
        typer.echo(f"  {', '.join(labels)}")


def _save(room: Room, level: NamedLevel, report: LevelReport, pairs: dict[str, object], folder: Path) -> None:
    """Return the plan played out as a trace."""
    from gridsage.arena import match, tournament
    from gridsage.core.trace import AgentSpec, encode

    episode = tournament.episode(room, level, [AgentSpec("plan")], report.seed, pairs, Budget())
    result = match.play(episode, agents=[_Plan(report.plan)])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{level.name}.trace").write_bytes(encode(result.trace))


class _Plan:
    """Plays a list of actions."""

    name = "plan"

    def __init__(self, actions: tuple[int, ...]) -> None:
        self._actions = iter(actions)

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        return Decision(next(self._actions))
