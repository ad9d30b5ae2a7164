"""`gridsage stats`: what the stored games say."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from gridsage.cli import flags, output

if TYPE_CHECKING:
    from gridsage.store import Row


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("stats", epilog=EXAMPLE)(stats)


EXAMPLE = "Example: gridsage stats loderunner --agent master --lost"


def stats(
    game: Annotated[str | None, typer.Argument(help="Only this game.")] = None,
    agent: Annotated[str | None, typer.Option(help="Only games this agent played.")] = None,
    level: Annotated[str | None, typer.Option(help="Only this level.")] = None,
    lost: Annotated[
        bool, typer.Option("--lost", help="List the games that were not won, ready to be replayed.")
    ] = False,
    deaths: Annotated[
        bool, typer.Option("--deaths", help="Group the deaths of heroes by cause, with one replay of each.")
    ] = False,
    last: Annotated[int, typer.Option(help="With --lost: how many of them, newest first.", min=1)] = 50,
    json: flags.AsJson = False,
) -> None:
    """Sum up the stored games: wins with intervals per game, agent and budget; or list the lost ones."""
    from gridsage.games import catalog
    from gridsage.store import Store

    if game is not None:
        catalog.room(game)
    rows = Store().rows(game=game, agent=agent, level=level)
    if lost:
        _list_lost([row for row in rows if not row.won][:last], json)
        return
    if deaths:
        _list_deaths([row for row in rows if row.figures.get("death")], json)
        return
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        budget = row.budgets[0] if row.budgets else {}
        words = ", ".join(f"{value:g} {key}" for key, value in budget.items() if value is not None) or "no limit"
        groups.setdefault((row.game, " - ".join(dict.fromkeys(row.agents)), words), []).append(row)
    _show(groups, json)


def _list_lost(rows: list[Row], json: bool) -> None:
    for row in rows:
        if json:
            output.print_json(row)
        else:
            agents = " - ".join(row.agents)
            typer.echo(
                f"{row.game} {row.level} seed {row.seed} {agents}: {row.outcome}; gridsage replay {row.trace[:12]}"
            )
    if not rows and not json:
        typer.echo("no lost game is stored")


def _list_deaths(rows: list[Row], json: bool) -> None:
    """Print each cause of death with how often, how deep, in which roles, how often helpless, and the newest replay."""
    causes: dict[str, list[Row]] = {}
    for row in rows:
        causes.setdefault(str(row.figures["death"]), []).append(row)
    for cause, dead in sorted(causes.items(), key=lambda item: -len(item[1])):
        depths = sorted(int(row.figures.get("death_depth", 0)) for row in dead)
        roles = Counter(str(row.figures.get("character", "?")).partition("-")[0] for row in dead)
        helpless = Counter(str(words) for row in dead if (words := row.figures.get("helpless")))
        newest = max(dead, key=lambda row: row.stored)
        if json:
            record = {"cause": cause, "deaths": len(dead), "depths": depths, "roles": roles, "helpless": helpless}
            output.print_json({**record, "traces": [row.trace for row in dead]})
            continue
        how = "; ".join(f"{words} {count}" for words, count in helpless.most_common())
        who = ", ".join(f"{role} {count}" for role, count in roles.most_common())
        where = f"level {depths[0]}" if depths[0] == depths[-1] else f"levels {depths[0]} to {depths[-1]}"
        typer.echo(
            f"{len(dead)} {cause}{f' ({how})' if how else ''}, {where}, {who}; gridsage replay {newest.trace[:12]}"
        )
    if not rows and not json:
        typer.echo("no death of a hero is stored")


def _show(groups: dict[tuple[str, str, str], list[Row]], json: bool) -> None:
    from rich.table import Table

    from gridsage.arena import stats as numbers

    grid = Table(title="stored games: 95 % intervals", title_justify="left")
    for heading in ("game", "agents", "budget", "episodes", "won by the first", "steps", "how it ended"):
        grid.add_column(heading)
    for (game, agents, budget), played in sorted(groups.items()):
        rate = numbers.win_rate(sum(row.won for row in played), len(played))
        steps = numbers.median([row.steps for row in played])
        outcomes: dict[str, int] = {}
        for row in played:
            outcomes[row.outcome] = outcomes.get(row.outcome, 0) + 1
        if json:
            record = {"game": game, "agents": agents, "budget": budget, "episodes": len(played)}
            output.print_json({**record, "win_rate": rate, "steps": steps, "outcomes": outcomes})
        ends = ", ".join(f"{reason} {count}" for reason, count in sorted(outcomes.items(), key=lambda item: -item[1]))
        grid.add_row(game, agents, budget, str(len(played)), output.percent(rate), output.interval(steps), ends)
    if not json:
        if groups:
            output.console().print(grid)
        else:
            typer.echo("no stored game matches: try `gridsage bench ricochet`")
