"""`gridsage match`: two agents over pairs of games with swapped seats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gridsage.arena.conditions import Conditions
from gridsage.cli import flags, output, running
from gridsage.core.amounts import amount
from gridsage.core.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridsage.arena.tournament import MatchSummary
    from gridsage.core.game import Outcome
    from gridsage.core.trace import AgentSpec, Episode, Result


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
    running.played(
        list({episode.id: episode for episode in episodes}.values()),  # an agent against itself has one game per seed
        f"{first} against {second}",
        _MatchReport(episodes, one, two, elo1, as_json=json),
        jobs=jobs,
        as_json=json,
        fresh=fresh,
        executor=executor,
        conditions=conditions,
    )


class _MatchReport:
    """Keeps how the games of a match ended, and shows the account of the pairs of which both were played."""

    def __init__(
        self, episodes: Sequence[Episode], first: AgentSpec, second: AgentSpec, elo1: float, *, as_json: bool
    ) -> None:
        self._episodes, self._first, self._second = episodes, first, second
        self._elo1, self._as_json = elo1, as_json
        self._ended: dict[str, Outcome] = {}

    def take(self, result: Result) -> None:
        self._ended[result.trace.episode] = result.trace.outcome

    def show(self) -> None:
        from gridsage.arena import tournament

        summary = tournament.match_account(self._pairs(), self._first, self._second, self._elo1)
        if self._as_json:
            output.print_json({"summary": summary})
        else:
            _show(summary, self._elo1)

    def _pairs(self) -> list[Outcome]:
        ended = [self._ended.get(episode.id) for episode in self._episodes]
        pairs = zip(ended[::2], ended[1::2], strict=True)
        return [outcome for one, two in pairs if one is not None and two is not None for outcome in (one, two)]


def _show(summary: MatchSummary, elo1: float) -> None:
    output.console().print(
        f"{summary.first} against {summary.second}: {summary.wins} won, {summary.draws} drawn, {summary.losses} lost "
        f"of {summary.games}\n"
        f"score  {output.percent(summary.score)}\n"
        f"Elo    {output.interval(summary.elo, 1)}\n"
        f"SPRT   {summary.sprt.verdict} (0 against {amount(elo1)} Elo; ratio {summary.sprt.ratio:.2f} "
        f"in {summary.sprt.lower:.2f} .. {summary.sprt.upper:.2f})\n"
        f"moving first scores {output.percent(summary.first_seat)}\n"
        f"ended by {', '.join(f'{reason} {count}' for reason, count in summary.outcomes.items())}",
        markup=False,
    )
