"""`gridsage match`: two agents over pairs of games with swapped seats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gridsage.arena.conditions import Conditions
from gridsage.cli import flags, output, running
from gridsage.core.errors import OptionError

if TYPE_CHECKING:
    from gridsage.arena.tournament import MatchSummary
    from gridsage.core.trace import Result


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("match", context_settings=flags.EXTRA, epilog=EXAMPLE)(flags.under_conditions(match))


MOST_GAMES = 2 * flags.MAX_SEEDS
EXAMPLE = "Example: gridsage match pushem master aggressive --games 40 --seconds 0.2"


def match(
    context: typer.Context,
    game: flags.GameName,
    first: Annotated[str, typer.Argument(help="An agent.")],
    second: Annotated[str, typer.Argument(help="Another agent.")],
    games: Annotated[
        int, typer.Option(help="Number of games; each opening is played twice.", min=2, max=MOST_GAMES)
    ] = 20,
    level: flags.Level = None,
    first_seed: Annotated[
        int, typer.Option(help="Seed of the first pair.", min=0, max=flags.MAX_SEED - MOST_GAMES)
    ] = 1,
    nodes: flags.Nodes = None,
    seconds: flags.Seconds = None,
    elo1: Annotated[
        float,
        typer.Option(help="SPRT tests an advantage of this many Elo points against none.", min=-4000, max=4000),
    ] = 10.0,
    option: flags.Options = None,
    jobs: flags.Jobs = 0,
    executor: flags.Executor = None,
    json: flags.AsJson = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Play episodes again that are already stored.")] = False,
    salt: flags.Salt = None,
    *,
    conditions: Conditions,
) -> None:
    """Let two agents play pairs of games (same seed, seats swapped) and report Elo with its interval, and SPRT."""
    from gridsage.arena import tournament

    room = output.known(game)
    if room.rules.seats != 2:
        raise OptionError(f"{game} is a game for one: use `gridsage bench {game} --agents {first},{second}`")
    (one,), (two,) = flags.agents(None, room, [first]), flags.agents(None, room, [second])
    options = {**room.rules.match_options, **flags.rule_options(room, option, context)}
    budget = flags.budget(nodes, seconds)
    chosen = flags.one_level(room, level, first_seed)
    pairs = (games + 1) // 2
    output.ready(game)
    episodes = tournament.match_episodes(room, chosen, one, two, pairs, options, budget, first_seed)
    episodes = tournament.salted(episodes, flags.salt(salt))

    def show(results: list[Result]) -> None:
        summary = tournament.match_summary(running.paired(episodes, results), one, two, elo1)
        if json:
            output.print_json({"summary": summary})
        else:
            _show(summary, elo1)

    words = f"{first} against {second}"
    running.played(
        episodes, words, show, jobs=jobs, as_json=json, fresh=fresh, executor=executor, conditions=conditions
    )


def _show(summary: MatchSummary, elo1: float) -> None:
    output.console().print(
        f"{summary.first} against {summary.second}: {summary.wins} won, {summary.draws} drawn, {summary.losses} lost "
        f"of {summary.games}\n"
        f"score  {output.percent(summary.score)}\n"
        f"Elo    {output.interval(summary.elo, '.0f')}\n"
        f"SPRT   {summary.sprt.verdict} (0 against {elo1:g} Elo; ratio {summary.sprt.ratio:.2f} "
        f"in {summary.sprt.lower:.2f} .. {summary.sprt.upper:.2f})\n"
        f"moving first scores {output.percent(summary.first_seat)}\n"
        f"ended by {', '.join(f'{reason} {count}' for reason, count in summary.outcomes.items())}",
        markup=False,
    )
