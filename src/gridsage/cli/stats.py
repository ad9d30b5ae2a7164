"""`gridsage stats`: what the stored games say."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from gridsage.cli import flags, output, tables
from gridsage.core.amounts import amount, counted
from gridsage.core.errors import OptionError

if TYPE_CHECKING:
    from gridsage.arena.stats import Interval
    from gridsage.store import Row, Store, Summary, Wanted


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("stats", epilog=EXAMPLE)(stats)


EXAMPLE_GAME = "ricochet"
EXAMPLE = "Example: gridsage stats loderunner --agent master --lost"


def stats(
    game: Annotated[str | None, typer.Argument(help="Only this game.")] = None,
    agent: Annotated[str | None, typer.Option(help="Only games that this agent played.")] = None,
    level: Annotated[str | None, typer.Option(help="Only this level.")] = None,
    lost: Annotated[
        bool, typer.Option("--lost", help="List the games that were not won, ready to be replayed.")
    ] = False,
    deaths: Annotated[
        bool, typer.Option("--deaths", help="Group the deaths of heroes by cause, with one replay of each.")
    ] = False,
    last: Annotated[int, typer.Option(help="With --lost: how many of them, newest first.", min=1, max=1_000_000)] = 50,
    imported: Annotated[
        bool, typer.Option("--imported", help="Count imported games too, on lines of their own.")
    ] = False,
    html: Annotated[Path | None, typer.Option(help="Write the table as a page that others can open.")] = None,
    json: flags.AsJson = False,
) -> None:
    """Sum up the stored games: wins with intervals per game, agent, budget, options and code; or list the lost ones."""
    from gridsage.store import Store, Wanted

    asked = [flag for flag, given in (("--lost", lost), ("--deaths", deaths), ("--html", html is not None)) if given]
    if len(asked) > 1:
        raise OptionError(f"{' and '.join(asked)} ask for different things: expected one of them")
    if game is not None:
        flags.known_game(game)
    store = Store()
    wanted = Wanted(
        game=game, agent=agent, level=level, won=False if lost else None, imported=None if imported else False
    )
    if lost:
        _list_lost(store.rows(wanted, limit=last), json)
    elif deaths:
        _list_deaths([row for row in store.rows(wanted) if row.figures.get("death")], json)
    else:
        _sum_up(store, wanted, json, html)
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


def _list_deaths(rows: Sequence[Row], json: bool) -> None:
    """Print each cause of death with how often, how deep, in which roles, how often helpless, and the newest replay.

    Depths and roles are left out where a game knows none.
    """
    causes: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        causes.setdefault((row.game, str(row.figures["death"])), []).append(row)
    for (game, cause), dead in sorted(causes.items(), key=lambda item: -len(item[1])):
        depths = sorted(int(row.figures["death_depth"]) for row in dead if "death_depth" in row.figures)
        characters = [str(row.figures["character"]) for row in dead if "character" in row.figures]
        roles = Counter(character.partition("-")[0] for character in characters)
        helpless = Counter(str(words) for row in dead if (words := row.figures.get("helpless")))
        newest = max(dead, key=lambda row: row.stored)
        if json:
            record = {
                "game": game,
                "cause": cause,
                "deaths": len(dead),
                "depths": depths,
                "roles": roles,
                "helpless": helpless,
            }
            output.print_json({**record, "traces": [row.trace for row in dead]})
            continue
        how = "; ".join(f"{words} {count}" for words, count in helpless.most_common())
        facts = [f"{game}: {len(dead):,} {cause}{f' ({how})' if how else ''}", *_levels(depths)]
        facts += [f"{role} {count}" for role, count in roles.most_common()]
        typer.echo(f"{', '.join(facts)}; gridsage replay {newest.trace[:12]}")
    if not rows and not json:
        typer.echo("no death of a hero is stored")


def _levels(depths: Sequence[int]) -> list[str]:
    """Return the levels from the first to the last in words; nothing if there is none."""
    if not depths:
        return []
    return [f"level {depths[0]}" if depths[0] == depths[-1] else f"levels {depths[0]} to {depths[-1]}"]


def _sum_up(store: Store, wanted: Wanted, json: bool, html: Path | None) -> None:
    from gridsage.store.lines import summaries
    from gridsage.store.queries import ENDS

    with store.selected(wanted) as found:
        lines = summaries(found, store.line_names(wanted.game), flags.main_figures, ENDS)
    records = [_record(line) for line in lines]
    if json:
        for record in records:
            output.print_json(record)
    elif not records:
        typer.echo(f"no stored game fits: try `gridsage bench {wanted.game or EXAMPLE_GAME}`")
    else:
        groups = [
            _table(game, list(group)) for game, group in itertools.groupby(records, lambda record: record["game"])
        ]
        if html is not None:
            _write(html, tables.page(groups))
        for group in groups if html is None else []:
            tables.show(*group)


def _write(path: Path, text: str) -> None:
    if path.suffix.lower() != ".html":
        raise OptionError(f"--html {path}: the name of the file has to end with .html")
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OptionError(f"--html {path}: {error.strerror}") from None
    typer.echo(f"{path}: {counted(len(text.encode()), 'byte')}")


class LineRecord(TypedDict):
    """A line as `--json` prints it."""

    game: str
    agents: str
    budget: str
    rules: str
    code: str
    episodes: int
    wins: float
    win_rate: Interval
    score: Interval
    steps: Interval
    figures: dict[str, float]
    outcomes: dict[str, int]


def _record(line: Summary) -> LineRecord:
    from gridsage.arena import stats as numbers

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
        "figures": line.figures,
        "outcomes": line.outcomes,
    }


def _table(game: str, records: Sequence[LineRecord]) -> tuple[str, list[str], list[list[str]]]:
    figures = list(dict.fromkeys(name for record in records for name in record["figures"]))
    headings = ["agents", "games", "won by\nthe first", "score", "steps", *figures, "how it ended"]
    rows = [
        [
            "\n".join([record["agents"], record["budget"], record["rules"]]),
            f"{record['episodes']:,}",
            output.stacked(output.percent(record["win_rate"])),
            output.stacked(output.interval(record["score"])),
            output.stacked(output.interval(record["steps"])),
            *(amount(record["figures"][name]) if name in record["figures"] else "-" for name in figures),
            "\n".join(f"{reason} {count:,}" for reason, count in record["outcomes"].items()),
        ]
        for record in records
    ]
    words = f"{game}: medians and rates with 95 % intervals" + (f", means of {', '.join(figures)}" if figures else "")
    return words, headings, rows
