"""`gridsage replay`: watch a recorded game again, or verify it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridsage.arena.conditions import Conditions
from gridsage.cli import flags, output, running, share
from gridsage.cli.watch import Cinema
from gridsage.core.amounts import amount, counted
from gridsage.core.errors import OptionError, TraceError
from gridsage.core.game import Closing, Decision
from gridsage.core.room import RecordedGame
from gridsage.core.trace import Trace, content_hash, encode, states, verify


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("replay", epilog=EXAMPLE)(flags.under_conditions(replay))


NOTHING_SAID = "the recording says nothing to compare with"
EXAMPLE = "Example: gridsage replay 1f3a9c --verify, or gridsage replay game.trace --html game.html"


def replay(
    trace: Annotated[str, typer.Argument(help="The id of a trace (its first digits are enough) or a file.")],
    check: Annotated[bool, typer.Option("--verify", help="Play it again and compare every recorded hash.")] = False,
    agents: Annotated[
        bool, typer.Option("--agents", help="With --verify: let its agents play again, and compare their moves.")
    ] = False,
    log: Annotated[bool, typer.Option("--log", help="Print what the agents printed, and nothing else.")] = False,
    speed: Annotated[
        float,
        typer.Option(help="Steps per second in a terminal or film; 0 means as fast as possible.", min=0.0, max=1e6),
    ] = 4.0,
    save: Annotated[Path | None, typer.Option(help="Write the trace to this file.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page that plays the game anywhere, offline.")] = None,
    gif: Annotated[Path | None, typer.Option(help="Write a film of the whole game.")] = None,
    png: Annotated[Path | None, typer.Option(help="Write a picture of a position.")] = None,
    svg: Annotated[Path | None, typer.Option(help="Write a picture of a position as vectors.")] = None,
    cast: Annotated[Path | None, typer.Option(help="Write what the terminal shows, for asciinema.")] = None,
    step: Annotated[
        int | None, typer.Option(help="The position that --png, --svg or --html shows; by default the last.", min=0)
    ] = None,
    thoughts: Annotated[
        bool, typer.Option("--thoughts", help="With --png, --svg, --gif: draw the path and the danger the agent saw.")
    ] = False,
    theme: Annotated[
        str, typer.Option(help="Look of --png, --svg, --gif: dark, light, contrast, paper or terminal.")
    ] = share.Manner().theme,
    language: Annotated[str, typer.Option(help="Language of --html: en or fr.")] = share.Manner().language,
    json: flags.AsJson = False,
    *,
    conditions: Conditions,
) -> None:
    """Show a recorded game, or prove that its moves lead to its recorded states under the rules."""
    if agents and not check:
        raise OptionError("--agents says who is to be verified: use it with --verify")
    game = running.find_game(trace)
    found = game.trace if isinstance(game, RecordedGame) else game
    given = {"html": html, "gif": gif, "png": png, "svg": svg, "cast": cast}
    wishes = [share.Wish(kind, path) for kind, path in given.items() if path is not None]
    manner = share.Manner(step, speed, thoughts, theme, language)
    share.check(wishes, manner, found)
    if save is not None:
        try:
            save.write_bytes(encode(found))
        except OSError as error:
            raise OptionError(f"--save {save}: {error.strerror}") from None
    if log:
        typer.echo(running.find_log(found) or "no agent of this game has printed anything that was kept", nl=False)
    elif check:
        _verify(game, agents, json, conditions)
    elif wishes:
        _write(wishes, found, manner, json)
    else:
        _show(found, speed)


def _write(wishes: list[share.Wish], found: Trace, manner: share.Manner, json: bool) -> None:
    for wish in wishes:
        size = share.write(wish, found, manner)
        if json:
            output.print_json({"trace": content_hash(found), "file": str(wish.path), "bytes": size})
        else:
            typer.echo(f"{wish.path}: {counted(size, 'byte')}")


def _verify(game: Trace | RecordedGame, agents: bool, json: bool, conditions: Conditions) -> None:
    """Say whether the states are what the rules make of the moves, and the moves what the agents make."""
    from gridsage.arena import again
    from gridsage.games import catalog

    told, found = (game, game.trace) if isinstance(game, RecordedGame) else (None, game)
    room = output.ready(found.game)
    name = content_hash(found)
    try:
        if told is not None and told.difference:
            raise TraceError(told.difference)
        steps = verify(found, room.rules.game(), catalog.options(room, found.options))
        if agents:
            running.announce_walls([again.episode_of(found)], conditions)
            again.verify_agents(found, conditions)
    except TraceError as error:
        if json:
            output.print_json({"trace": name, "verified": False, "error": str(error)})
        else:
            typer.echo(f"not verified: {error}", err=True)
        raise typer.Exit(1) from None
    compared = told is None or bool(told.compared)
    if json:
        more: dict[str, object] = {"agents": "same moves"} if agents else {}
        if told is not None:
            more["compared"] = told.compared
        verified = True if compared else None
        output.print_json(
            {"trace": name, "verified": verified, "steps": steps, "outcome": found.outcome.reason, **more}
        )
    else:
        words = [f"{found.game} {found.level_name}, {counted(steps, 'step')}, {found.outcome.reason}"]
        if told is not None:
            words.append(" and ".join(told.compared) + " as it says" if compared else NOTHING_SAID)
        if agents:
            words.append("its agents make the same moves")
        typer.echo(f"{'verified' if compared else 'played'}: {'; '.join(words)}")


def _show(found: Trace, speed: float) -> None:
    from gridsage.games import catalog

    room = output.ready(found.game)
    options = catalog.options(room, found.options)
    game, thoughts = room.rules.game(), dict(found.thoughts)
    try:
        with Cinema(room, speed) as cinema:
            for number, state in enumerate(states(found, game, options)):
                decision = Decision(found.actions[number - 1], thoughts.get(number - 1)) if number else None
                cinema.show(number, state, decision, ())
    finally:
        if isinstance(game, Closing):
            game.close()
    typer.echo(f"{found.outcome.reason}, score {amount(found.outcome.scores[0])}")
