"""`gridsage agents`: who can play what, a new player to begin with, and whether one plays by the protocol."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from gridsage.arena.conditions import Conditions
from gridsage.cli import flags, output
from gridsage.core.room import AgentEntry


class _Agents(TyperGroup):
    """`gridsage agents ricochet` lists, as it always has; only known verbs are verbs."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # Any: click's own, which typer keeps inside
        if args and args[0] not in self.commands:
            args = ["list", *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if "--help" not in args and not (args and args[0] in self.commands):
            args = ["list", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_Agents,
    help="List games and their agents; write a new player; check one. `gridsage agents ricochet` lists one game's.",
    rich_markup_mode="rich",
)


@app.command("list", epilog="Example: gridsage agents ricochet")
def agents(
    game: Annotated[str | None, typer.Argument(help="Only this game.")] = None, json: flags.AsJson = False
) -> None:
    """List games and their agents, weakest first, with the settings that each takes (`name:key=value`)."""
    from gridsage.games import catalog

    for room in output.rooms(game):
        name = room.name
        missing = room.rules.missing()
        entries = catalog.agent_entries(room) if missing is None else {}
        listed = [
            {"game": name, "agent": agent, "summary": entry.summary, "settings": _settings(entry)}
            for agent, entry in entries.items()
        ]
        if json:
            for record in listed:
                output.print_json(record)
            continue
        typer.echo(f"{name}: {room.summary}")
        if missing is not None:
            typer.echo(f"  {missing}")
        for record in listed:
            settings = "".join(f" [{key}={value}]" for key, value in _settings(entries[str(record["agent"])]).items())
            typer.echo(f"  {record['agent']:<12} {record['summary']}{settings}")


def _settings(entry: AgentEntry) -> dict[str, str]:
    try:
        parameters = inspect.signature(entry.make).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {p.name: str(p.default) for p in parameters if p.default is not inspect.Parameter.empty}


@app.command("new", epilog="Example: gridsage agents new python mybot")
def new(
    language: Annotated[str, typer.Argument(help="python, c, cpp, javascript, java, rust or prolog.")],
    name: Annotated[str, typer.Argument(help="The player's name; a folder of that name is made.")],
    folder: Annotated[Path, typer.Option(help="Where the folder is made.")] = Path(),
) -> None:
    """Write a small working player, one file with comments that teach, and say how to try it."""
    from gridsage.arena.external import kits

    files = kits.write(language, name, folder)
    kit = kits.KITS[language]
    place = files[0].parent
    for path in files:
        typer.echo(f"written: {path}")
    build = "make && " if kit.has_makefile else ""
    typer.echo(f"try it:  cd {place} && {build}gridsage agents check '{kit.command.format(name=name)}'")


@app.command("check", epilog="Example: gridsage agents check 'python mybot/mybot.py'")
@flags.under_conditions
def check(
    command: Annotated[str, typer.Argument(help="A command, or path/to/file.py:ClassName.")],
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    json: flags.AsJson = False,
    *,
    conditions: Conditions,
) -> None:
    """Let an agent play every room's shortest level with usual and strange budgets, and say what is wrong."""
    from gridsage.arena.external import check as trials
    from gridsage.arena.external import walls
    from gridsage.games import catalog

    spec = catalog.parse_agent(command)
    rooms = list(output.rooms(game))
    for room in rooms:
        catalog.check_agent(room, spec)
        if room.rules.missing() is None:
            output.ready(room.name)
    typer.echo(walls.standing(conditions.walls).sentence(), err=True)
    wrong = 0
    for finding in trials.check(rooms, spec, conditions):
        wrong += bool(finding.problem)
        if json:
            output.print_json(finding)
        else:
            mark = "wrong" if finding.problem else "good "
            more = finding.problem or finding.words
            words = f": {more}" if more else ""
            output.console().print(f"{mark} {finding.game}, {finding.trial}{words}", markup=False)
    if wrong:
        typer.echo(f"{wrong} of the trials went wrong", err=True)
        raise typer.Exit(1)


@app.command("schema", epilog="Example: gridsage agents schema loderunner")
def schema(game: flags.GameName) -> None:
    """Print the JSON schema of a game's observations."""
    output.print_json(output.known(game).rules.schema())
