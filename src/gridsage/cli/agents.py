"""`gridsage agents`: who can play what."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer

from gridsage.cli import flags, output
from gridsage.core.room import AgentEntry


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("agents", epilog="Example: gridsage agents ricochet")(agents)


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
