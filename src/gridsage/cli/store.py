"""`gridsage store`: look at the stored games, check, rebuild, prune, pack and merge them."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gridsage.cli import flags, output, tables
from gridsage.core.amounts import counted
from gridsage.core.errors import GridsageError, OptionError, shown

if TYPE_CHECKING:
    from gridsage.core.trace import Trace

app = typer.Typer(help="Look at the stored games, check, rebuild, prune, pack and merge them.", no_args_is_help=True)

MB = 1e6
DAY = 86_400.0
AGES = {"h": DAY / 24, "d": DAY, "w": 7 * DAY, "y": 365 * DAY}
MOST_NAMED = 20  # problems that people read; --json has all

Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@app.command("info", epilog="Example: gridsage store info")
def info(json: flags.AsJson = False) -> None:
    """Say where the games are, how many of each game, how large they are, and in which formats."""
    from gridsage.store import Store
    from gridsage.store.upkeep import describe

    store = Store()
    found = describe(store.index, store.files)
    if json:
        output.print_json({"home": str(store.home), "read_only": store.read_only, **_plain(found)})
        return
    tables.say(
        f"{counted(found.games, 'game')} in {store.home}" + (", which can only be read" if store.read_only else "")
    )
    tables.say(
        f"index {found.index_bytes / MB:,.1f} MB (format {found.index_format}); "
        f"{counted(found.single, 'single game')} {found.single_bytes / MB:,.1f} MB, "
        f"{counted(found.packs, 'pack')} {found.pack_bytes / MB:,.1f} MB (format {found.file_format})"
    )
    if found.imported:
        tables.say(f"{counted(found.imported, 'imported game')}: who played is what the files claim")
    rows = [[game, f"{count:,}", _day(newest)] for game, (count, newest) in found.by_game.items()]
    if rows:
        tables.show("", ["game", "games", "newest"], rows)
    output.warn(store.warnings)


@app.command("check", epilog="Example: gridsage store check --json")
def check(json: flags.AsJson = False) -> None:
    """Read every game and compare it with the index. Exit code 1 if something is damaged."""
    from gridsage.store import Store, Wanted

    store = Store()
    with store.selected(Wanted()) as everything:
        total = everything.total()
    with output.progress("check", total) as advance:
        found = store.check(advance)
    if json:
        output.print_json(_plain(found))
    else:
        _name("damaged; `gridsage store rebuild` takes it out of the index, and a bench plays it again", found.damaged)
        _name("not in the index (an older game of its episode, or one for `gridsage store rebuild`)", found.unknown)
        problems = f"{len(found.damaged):,} damaged, {len(found.unknown):,} unknown"
        tables.say(f"{counted(found.games, 'game')} checked, {problems}")
    if found.damaged:
        raise typer.Exit(1)


@app.command("rebuild", epilog="Example: gridsage store rebuild")
def rebuild(json: flags.AsJson = False) -> None:
    """Make the index anew from the files of the games, which hold everything that it needs."""
    from gridsage.store import default_home
    from gridsage.store.store import rebuild as made_anew

    home, warnings = default_home(), list[str]()
    if not home.is_dir():
        raise OptionError(f"no games are stored in {home}")
    with output.progress("rebuild", None) as advance:
        games = made_anew(home, warnings.append, advance)
    if json:
        output.print_json({"games": games, "skipped": warnings})
        return
    _name("skipped", warnings)
    tables.say(f"the index of {home} was made anew: {counted(games, 'game')}")


@app.command("prune", epilog="Example: gridsage store prune --game nethack --older-than 90d")
def prune(
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    agent: Annotated[str | None, typer.Option(help="Only games that this agent played.")] = None,
    older_than: Annotated[str | None, typer.Option(metavar="AGE", help="Such as 12h, 30d, 8w, 1y.")] = None,
    imported: Annotated[bool, typer.Option("--imported", help="Only imported games.")] = False,
    yes: Yes = False,
    json: flags.AsJson = False,
) -> None:
    """Delete stored games, by game, agent and age. Asks first."""
    from gridsage.store import Store, Wanted

    if game is None and agent is None and older_than is None and not imported:
        raise OptionError("say which games: --game, --agent, --older-than or --imported")
    if game is not None:
        flags.known_game(game)
    before = None if older_than is None else time.time() - read_age(older_than)
    store = Store()
    wanted = Wanted(game=game, agent=agent, before=before, imported=True if imported else None)
    with store.selected(wanted) as found:
        total = found.total()
    if total and not yes and not typer.confirm(f"Delete {counted(total, 'game')} for ever?", err=True):
        typer.echo("nothing was deleted", err=True)
        raise typer.Exit(1)
    with output.progress("prune", total) as advance:
        removed = store.prune(wanted, advance)
    if json:
        output.print_json({"removed": removed})
    else:
        tables.say(f"{counted(removed, 'game')} deleted")


@app.command("pack", epilog="Example: gridsage store pack")
def pack(json: flags.AsJson = False) -> None:
    """Gather games in files of their own into packs, which take a seventh of the disk and are copied quickly."""
    from gridsage.store import Store

    store = Store()
    with output.progress("pack", None) as advance:
        gathered = store.pack(advance)
    if json:
        output.print_json({"packed": gathered})
    else:
        tables.say(f"{counted(gathered, 'game')} gathered into packs")


@app.command("merge", epilog="Example: gridsage store merge shards/*")
def merge(
    homes: Annotated[list[Path], typer.Argument(help="Folders of stored games.")],
    verify: Annotated[int, typer.Option(help="How many games of each are played again first.", min=0, max=10_000)] = 5,
    json: flags.AsJson = False,
) -> None:
    """Take over the games of other stores. Doing it twice changes nothing; games that differ are named, ours stay."""
    from gridsage.store import Store
    from gridsage.store.merge import Merged, size
    from gridsage.store.merge import merge as join

    store, done = Store(), dict[str, Merged]()
    for home in homes:
        if not home.is_dir():
            raise OptionError(f"no folder {shown(str(home))}")
    for home in homes:
        with output.progress(f"merge {home.name}", size(home)) as advance:
            done[str(home)] = join(store, home, verify=_wrong, sample=verify, advance=advance)
    for name, merged in done.items():
        if json:
            output.print_json({"home": name, **_plain(merged)})
            continue
        _name("conflict", merged.conflicts)
        _name("damaged and left out", merged.damaged)
        tables.say(
            f"{name}: {counted(merged.added, 'game')} added, {merged.known:,} were there already, "
            f"{counted(len(merged.conflicts), 'conflict')}, {len(merged.damaged):,} damaged; "
            f"{merged.verified} played again"
        )
    if any(merged.conflicts or merged.damaged for merged in done.values()):
        raise typer.Exit(1)


def _wrong(recorded: Trace) -> str:
    """What playing a game again shows to be wrong; a game that cannot be played here shows nothing."""
    from gridsage.core.errors import TraceMismatch
    from gridsage.core.trace import verify
    from gridsage.games import catalog

    if recorded.game not in catalog.names() or catalog.room(recorded.game).rules.missing() is not None:
        return ""
    room = output.ready(recorded.game)
    try:
        verify(recorded, room.rules.game(), catalog.options(room, recorded.options))
    except TraceMismatch as error:
        return str(error)
    except GridsageError:
        return ""  # other rules than today's: nothing can be said
    return ""


def read_age(text: str) -> float:
    """`30d` -> its seconds."""
    found = re.fullmatch(r"(\d{1,6})([hdwy])", text.strip())
    if found is None:
        raise OptionError(f"--older-than {shown(text)}: expected an age such as 12h, 30d, 8w or 1y")
    return int(found[1]) * AGES[found[2]]


def _day(stored: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(stored))


def _name(what: str, sentences: list[str]) -> None:
    for sentence in sentences[:MOST_NAMED]:
        tables.say(f"{what}: {sentence}")
    if len(sentences) > MOST_NAMED:
        tables.say(f"... and {len(sentences) - MOST_NAMED:,} more (--json names all)")


def _plain(value: object) -> dict[str, object]:
    import msgspec

    found: dict[str, object] = msgspec.to_builtins(value)
    return found
