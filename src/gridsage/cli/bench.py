"""`gridsage bench`: agents on levels and seeds, as a table with intervals."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from gridsage.arena.conditions import Conditions
from gridsage.cli import flags, output, running, tables

if TYPE_CHECKING:
    from gridsage.arena.stats import Paired
    from gridsage.arena.tournament import AgentLine
    from gridsage.core.room import Room
    from gridsage.core.trace import Result


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("bench", context_settings=flags.EXTRA, epilog=EXAMPLE)(flags.under_conditions(bench))


EXAMPLE = "Example: gridsage bench ricochet --agents dfs,bfs,astar,master --seeds 50 --nodes 200000"


def bench(
    context: typer.Context,
    game: flags.GameName,
    agents: flags.Agents = None,
    agent: flags.Agent = None,
    levels: flags.Levels = None,
    seeds: flags.Seeds = "20",
    nodes: flags.Nodes = None,
    seconds: flags.Seconds = None,
    option: flags.Options = None,
    jobs: flags.Jobs = 0,
    executor: flags.Executor = None,
    json: flags.AsJson = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Play episodes again that are already stored.")] = False,
    dungeon_of: Annotated[
        str | None, typer.Option("--dungeon-of", "--same-as", help="Take level, seed and options from this trace.")
    ] = None,
    salt: flags.Salt = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="K/N", help="Play only every N-th episode from the K-th on, into shards/K-of-N."),
    ] = None,
    *,
    conditions: Conditions,
) -> None:
    """Measure agents: every agent on every level and seed. A run that was interrupted resumes where it stopped."""
    from gridsage.arena import tournament

    room = output.known(game)
    specs = flags.agents(agents, room, agent)
    options = flags.rule_options(room, option, context)
    budget = flags.budget(nodes, seconds)
    if dungeon_of is not None:
        level, seed, recorded = flags.like_trace(running.find_trace(dungeon_of), room)
        episodes = tournament.bench_episodes(room, [level], specs, [seed], {**recorded, **options}, budget)
    else:
        chosen, wanted = flags.levels(room, levels), flags.seed_range(seeds)
        output.ready(game)
        episodes = tournament.bench_episodes(room, chosen, specs, wanted, options, budget)
    output.ready(game)
    episodes = tournament.salted(episodes, flags.salt(salt))
    home = None
    if shard is not None:
        part = flags.Shard.read(shard)
        episodes, home = part.of(episodes), part.home

    def show(results: list[Result]) -> None:
        table, pairs = tournament.bench_table(results), tournament.pairings(results)
        if json:
            paired = [{"first": a, "second": b, "paired": pair} for (a, b), pair in pairs.items()]
            output.print_json({"summary": {"game": game, "budget": budget, "agents": table, "paired": paired}})
        else:
            _show(room, table, pairs)
            _remarks(results)

    words = f"bench {game}"
    running.played(
        episodes,
        words,
        show,
        jobs=jobs,
        as_json=json,
        fresh=fresh,
        home=home,
        executor=executor,
        conditions=conditions,
    )


def _remarks(results: list[Result]) -> None:
    """Print what went wrong, and who does not keep to the time."""
    faults = Counter(
        f"{result.trace.agents[0]}: {result.trace.outcome.reason}: {result.figures['fault']}"
        for result in results
        if "fault" in result.figures
    )
    for words, count in faults.most_common(10):
        tables.say(f"{count} x {words}")
    late: dict[str, list[Result]] = {}
    for result in results:
        if result.decisions.get("overruns"):
            late.setdefault(str(result.trace.agents[0]), []).append(result)
    for agent, games in late.items():
        decisions = sum(int(game.decisions["overruns"]) for game in games)
        worst = output.duration(max(game.decisions["max"] for game in games))
        tables.say(
            f"{agent} overran its budget by more than half in {decisions} decisions of {len(games)} games, "
            f"at worst with {worst}"
        )


def _show(room: Room, table: list[AgentLine], pairs: dict[tuple[str, str], Paired]) -> None:
    figures = [name for name in room.rules.main_figures if any(name in line.figures for line in table)]
    headings = ["agent", "episodes", "won", "score", "moves\nwhen won", *figures, "time per\nepisode"]
    headings += ["p95 per\ndecision", "nodes", "how it ended"]
    rows = [
        [
            line.agent,
            f"{line.episodes:,}",
            output.stacked(output.percent(line.win_rate)),
            output.stacked(output.interval(line.score)),
            output.stacked(output.interval(line.steps)),
            *(f"{line.figures[name]:.3g}" if name in line.figures else "-" for name in figures),
            output.duration(line.seconds.value),
            output.duration(line.decision_p95),
            f"{line.nodes:,.0f}",
            "\n".join(f"{reason} {count:,}" for reason, count in line.outcomes.items()),
        ]
        for line in table
    ]
    tables.show(f"{room.title}: medians and rates with 95 % intervals", headings, rows)
    for line in table:
        if line.figures:
            words = ", ".join(f"{name} {value:.3g}" for name, value in line.figures.items())
            tables.say(f"{line.agent}: mean {words}")
    for (first, second), pair in pairs.items():
        tables.say(
            f"{first} against {second} on the same {pair.pairs}: only {first} won {pair.only_first}, "
            f"only {second} {pair.only_second}; difference {output.percent(pair.difference)}, p = {pair.p_value:.2g}"
        )
