"""`gridsage stats`: what the stored games say."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gridsage.cli import flags, output, tables

if TYPE_CHECKING:
    from gridsage.store import Row, Selection, Store, Summary, Wanted


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("stats", epilog=EXAMPLE)(stats)


EXAMPLE = "Example: gridsage stats loderunner --agent master --lost"


def stats(
    game: Annotated[str | None, typer.Argument(help="Only this game.")] = None,
    agent: Annotated[str | None, typer.Option(help="Only games that this agent played.")] = None,
    level: Annotated[str | None, typer.Option(help="Only this level.")] = None,
    lost: Annotated[
        bool, typer.Option("--lost", help="List the games that were not won, ready to be replayed.")
    ] = False,
    last: Annotated[int, typer.Option(help="With --lost: how many of them, newest first.", min=1, max=1_000_000)] = 50,
    imported: Annotated[
        bool, typer.Option("--imported", help="Count imported games too, on lines of their own.")
    ] = False,
    json: flags.AsJson = False,
) -> None:
    """Sum up the stored games: wins with intervals per game, agent, budget, options and code; or list the lost ones."""
    from gridsage.store import Store, Wanted

    if game is not None:
        flags.known_game(game)
    store = Store()
    wanted = Wanted(
        game=game, agent=agent, level=level, won=False if lost else None, imported=None if imported else False
    )
    if lost:
        _list_lost(store.rows(wanted, limit=last), json)
    else:
        _sum_up(store, wanted, json)
    output.warn(store.warnings)


def _list_lost(rows: Sequence[Row], json: bool) -> None:
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


def _sum_up(store: Store, wanted: Wanted, json: bool) -> None:
    from gridsage.store.lines import summaries

    with store.selected(wanted) as found:
        lines = summaries(found, store.line_names(wanted.game))
        records = [_record(found, line) for line in lines]
    if json:
        for record in records:
            output.print_json(record)
    elif not records:
        typer.echo("no stored game fits: try `gridsage bench ricochet`")
    else:
        for game, group in itertools.groupby(records, lambda record: record["game"]):
            _show(game, list(group))


def _record(found: Selection, line: Summary) -> dict[str, Any]:
    """A line as `--json` prints it."""
    from gridsage.arena import stats as numbers
    from gridsage.store.lines import mean_figures

    return {
        "game": line.name.game,
        "agents": line.name.players,
        "budget": line.name.budget,
        "rules": line.name.rules,
        "code": line.lines[0].code,
        "episodes": line.games,
        "wins": line.wins,
        "win_rate": numbers.win_rate(line.wins, line.games),
        "score": numbers.median(line.numbers["score"]),
        "steps": numbers.median(line.numbers["steps"]),
        "figures": mean_figures(found, line.kinds, flags.main_figures(line.name.game)),
        "outcomes": line.outcomes,
    }


def _show(game: str, records: Sequence[dict[str, Any]]) -> None:
    figures = list(dict.fromkeys(name for record in records for name in record["figures"]))
    headings = ["agents", "games", "won by\nthe first", "score", "steps", *figures, "how it ended"]
    rows = [
        [
            "\n".join([record["agents"], record["budget"], record["rules"]]),
            f"{record['episodes']:,}",
            output.stacked(output.percent(record["win_rate"])),
            output.stacked(output.interval(record["score"])),
            output.stacked(output.interval(record["steps"])),
            *(f"{record['figures'][name]:.3g}" if name in record["figures"] else "-" for name in figures),
            "\n".join(f"{reason} {count:,}" for reason, count in record["outcomes"].items()),
        ]
        for record in records
    ]
    words = f"{game}: medians and rates with 95 % intervals" + (f", means of {', '.join(figures)}" if figures else "")
    tables.show(words, headings, rows)
