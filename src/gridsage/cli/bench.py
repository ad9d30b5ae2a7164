"""`gridsage bench`: agents on levels and seeds, as a table with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from gridsage.arena.conditions import Conditions
from gridsage.cli import flags, output, running, tables
from gridsage.core.amounts import amount, counted

if TYPE_CHECKING:
    from gridsage.arena.standings import AgentLine
    from gridsage.arena.stats import Paired
    from gridsage.core.game import Budget
    from gridsage.core.room import Room
    from gridsage.core.trace import Result


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("bench", context_settings=flags.EXTRA, epilog=EXAMPLE)(flags.under_conditions(bench))


LEAST_CHANCE = 0.0001  # a p-value below it is not told
MOST_FAULTS = 1_000  # different ones that are counted
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

    room = flags.room_for(game, levels)
    game = room.name
    specs = flags.agents(agents, room, agent)
    options = flags.rule_options(room, option, context)
    budget, drawn = flags.budget(nodes, seconds), flags.salt(salt)
    if dungeon_of is not None:
        level, seed, recorded = flags.like_trace(running.find_trace(dungeon_of), room)
        episodes = tournament.bench_episodes(room, [level], specs, [seed], {**recorded, **options}, budget, drawn)
    else:
        chosen, wanted = flags.levels(room, levels), flags.seed_range(seeds)
        output.ready(game)
        episodes = tournament.bench_episodes(room, chosen, specs, wanted, options, budget, drawn)
    output.ready(game)
    report = _BenchReport(room, budget, [str(kind.agents[0]) for kind in episodes.kinds], as_json=json)
    part = flags.Shard.read(shard) if shard is not None else None
    running.played(
        episodes if part is None else part.of(episodes),
        f"bench {game}",
        report,
        jobs=jobs,
        as_json=json,
        fresh=fresh,
        home=None if part is None else part.home,
        executor=executor,
        conditions=conditions,
    )


class _BenchReport:
    """Sums up results while they come, and shows the table."""

    def __init__(self, room: Room, budget: Budget, agents: Sequence[str], *, as_json: bool) -> None:
        from gridsage.arena.standings import Standings

        self._room, self._budget, self._as_json = room, budget, as_json
        self._standings, self._remarks = Standings(agents), _Remarks()

    def take(self, result: Result) -> None:
        self._standings.take(result)
        self._remarks.take(result)

    def show(self) -> None:
        table, pairs = self._standings.table(), self._standings.pairings()
        if not self._as_json:
            _show(self._room, table, pairs)
            self._remarks.show()
            return
        paired = [{"first": a, "second": b, "paired": pair} for (a, b), pair in pairs.items()]
        summary = {"game": self._room.name, "budget": self._budget, "agents": table, "paired": paired}
        output.print_json({"summary": summary})


class _Late(NamedTuple):
    """How an agent overran its budget."""

    decisions: int = 0
    games: int = 0
    worst: float = 0.0  # seconds


class _Remarks:
    """What went wrong, and who does not keep to the time."""

    def __init__(self) -> None:
        self._faults: Counter[str] = Counter()
        self._late: dict[str, _Late] = {}

    def take(self, result: Result) -> None:
        agent, decisions = str(result.trace.agents[0]), result.decisions
        if "fault" in result.figures:
            words = f"{agent}: {result.trace.outcome.reason}: {result.figures['fault']}"
            if words in self._faults or len(self._faults) < MOST_FAULTS:
                self._faults[words] += 1
        if overruns := decisions.get("overruns"):
            before = self._late.get(agent, _Late())
            worst = max(before.worst, decisions["max"])
            self._late[agent] = _Late(before.decisions + int(overruns), before.games + 1, worst)

    def show(self) -> None:
        for words, count in sorted(self._faults.items(), key=lambda item: (-item[1], item[0]))[:10]:
            tables.say(f"{count} x {words}")
        for agent, late in self._late.items():
            tables.say(
                f"{agent} overran its budget by more than half in {counted(late.decisions, 'decision')} "
                f"of {counted(late.games, 'game')}, "
                f"at worst with {output.duration(late.worst)}"
            )


def _chance(p_value: float) -> str:
    """Return how a sentence tells a p-value: `= 0.61`, or only that it is smaller than anybody minds."""
    return f"= {amount(p_value, 2)}" if p_value >= LEAST_CHANCE else f"< {amount(LEAST_CHANCE)}"


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
            *(amount(line.figures[name]) if name in line.figures else "-" for name in figures),
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
            words = ", ".join(f"{name} {amount(value)}" for name, value in line.figures.items())
            tables.say(f"{line.agent}: mean {words}")
    for (first, second), pair in pairs.items():
        tables.say(
            f"{first} against {second} on the same {pair.pairs}: only {first} won {pair.only_first}, "
            f"only {second} {pair.only_second}; difference {output.percent(pair.difference)}, p {_chance(pair.p_value)}"
        )
