"""`gridsage watch`: an agent plays in the terminal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gridsage.arena.conditions import Conditions
from gridsage.cli import flags, output, running
from gridsage.core.amounts import amount, counted
from gridsage.core.errors import OptionError
from gridsage.core.game import Decision, Event, Own
from gridsage.core.room import Room
from gridsage.core.trace import STOPPED, Result, forfeit

if TYPE_CHECKING:
    from gridsage.store import Store


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("watch", context_settings=flags.EXTRA, epilog=EXAMPLE)(flags.under_conditions(watch))


LONGEST_PAUSE = 3600.0
EXAMPLE = "Example: gridsage watch ricochet --agents master --seed 4 --speed 2"


def watch(
    context: typer.Context,
    game: flags.GameName,
    agents: Annotated[str | None, typer.Option(help="One agent per seat, separated by commas.")] = None,
    level: flags.Level = None,
    seed: flags.Seed = 1,
    speed: Annotated[
        float, typer.Option(help="Steps per second in a terminal; 0 means as fast as possible.", min=0.0, max=1e6)
    ] = 4.0,
    nodes: flags.Nodes = None,
    seconds: flags.Seconds = None,
    option: flags.Options = None,
    dungeon_of: Annotated[
        str | None, typer.Option("--dungeon-of", "--same-as", help="Take level, seed and options from this trace.")
    ] = None,
    agent: flags.Agent = None,
    salt: flags.Salt = None,
    *,
    conditions: Conditions,
) -> None:
    """Watch an agent play. The game is stored, also if ctrl-C ends it; `gridsage replay` takes the printed id."""
    from gridsage.arena import match, recorder, tournament
    from gridsage.games import catalog
    from gridsage.store import Store

    room = flags.room_for(game, level)
    game = room.name
    specs = flags.agents(agents, room, agent)
    options: dict[str, object] = flags.rule_options(room, option, context)
    if dungeon_of is not None:
        chosen, seed, recorded = flags.like_trace(running.find_trace(dungeon_of), room)
        options = {**recorded, **options}
    else:
        chosen = flags.one_level(room, level, seed)
    count = room.rules.seats_with(catalog.options(room, options))
    if len(specs) not in (1, count):
        raise OptionError(f"--agents names {counted(len(specs), 'agent')}, the game has {counted(count, 'seat')}")
    seats = [specs[seat % len(specs)] for seat in range(count)]
    budget = flags.budget(nodes, seconds)
    store = Store()
    output.ready(game)
    (episode,) = tournament.salted([tournament.episode(room, chosen, seats, seed, options, budget)], flags.salt(salt))
    running.announce_walls([episode], conditions)
    moves: list[int] = []

    def show(steps: int, state: Own, decision: Decision | None, events: Sequence[Event]) -> bool:
        if decision is not None:
            moves.append(decision.action)
        try:
            cinema.show(steps, state, decision, events)
        except BrokenPipeError:  # nobody looks any more
            return False
        return True

    def stopped() -> None:  # the agent is deep in thought, and does not come back to be told
        _keep(store, recorder.cut_short(episode, moves, forfeit(STOPPED, count, None), {}))

    with running.prompt_stop(stopped), Cinema(room, speed) as cinema:
        result = match.play(episode, watch=show, keep_thoughts=True, conditions=conditions, stoppable=True)
    _keep(store, result)
    if result.trace.outcome.reason == STOPPED:
        raise typer.Exit(output.STOPPED_CODE)


def _keep(store: Store, result: Result) -> None:
    """Store the game, and print how it ended and under which id it is found."""
    name = store.put_single(result)
    outcome = result.trace.outcome
    fault = f": {result.figures['fault']}" if "fault" in result.figures else ""
    output.console().print(
        f"{outcome.reason}{fault} after {counted(len(result.trace.actions), 'step')}, "
        f"score {amount(outcome.scores[0])}; gridsage replay {name[:12]}",
        markup=False,
    )


class Cinema:
    """Shows the frames of a running game: redrawn in place on a terminal, one after the other elsewhere."""

    def __init__(self, room: Room, speed: float) -> None:
        self.room, self.pause = room, min(1 / speed, LONGEST_PAUSE) if speed else 0.0
        self.screen = output.console()
        self.labels = room.rules.game()

    def __enter__(self) -> Cinema:
        if self.screen.is_terminal:
            from rich.live import Live

            self.live: Any = Live(console=self.screen, auto_refresh=False)
            self.live.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        if self.screen.is_terminal:
            self.live.__exit__(*error)

    def show(self, steps: int, state: Own, decision: Decision | None, events: Sequence[Event]) -> None:
        """Draw `state`; called by the match after every step."""
        from gridsage.cli.screen import draw

        text = draw(self.room.view.frame(state), self.room.view.glyphs, decision.thoughts if decision else None)
        words = self.labels.label(decision.action) if decision else "start"
        text.append(f"step {steps}: {words}\n", "dim")
        if self.screen.is_terminal:
            self.live.update(text, refresh=True)
            time.sleep(self.pause)
        else:
            self.screen.print(text)
