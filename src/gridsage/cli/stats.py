"""`gridsage stats`: what the stored games say."""

from __future__ import annotations

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
