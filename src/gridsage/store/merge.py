"""Joins stores: what shards of a bench have played goes into one home."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.errors import StoreError, TraceError
from gridsage.core.trace import Trace
from gridsage.store.files import Draft, Location, read
from gridsage.store.schema import entry
from gridsage.store.store import PLACE, Store

BATCH = 2_000  # games that become one pack
MOST_NAMED = 1_000  # conflicts and damaged games told one by one

Advance = Callable[[int], None]
Verify = Callable[[Trace], str]  # what playing a game again has shown to be wrong; empty if nothing


class Merged(msgspec.Struct):
    """What a merge has done."""

    added: int = 0
    known: int = 0  # were there already
    verified: int = 0  # of the sample
    conflicts: list[str] = []  # episodes that went differently here and there, in words; ours were kept
    damaged: list[str] = []


class _Theirs(NamedTuple):
    episode: str
    name: str
    place: Location


def merge(
    ours: Store, home: Path, *, verify: Verify | None = None, sample: int = 0, advance: Advance | None = None
) -> Merged:
    """Take over every game of another store that this one lacks. Doing it twice changes nothing.

    Args:
        verify: plays a game again; if one of the sample turns out wrong, nothing is taken over.
        sample: how many of their games are played again.
    """
    if not (home / "traces").is_dir() and not (home / "index.sqlite").is_file():
        raise StoreError(f"{home} is no folder of stored games: expected index.sqlite or traces in it")
    if home.resolve() == ours.home.resolve():
        raise StoreError(f"{home} cannot be merged with itself")
    theirs, done = Store(home), Merged()
    if verify is not None:
        done.verified = _check_sample(theirs, verify, sample)
    for batch in _batches(theirs):
        _take(ours, theirs, batch, done)
        if advance is not None:
            advance(len(batch))
    return done


def size(home: Path) -> int:
    """How many games another store has."""
    with Store(home).index.reading() as connection:
        return int(connection.execute("SELECT COALESCE(SUM(games), 0) FROM kinds").fetchone()[0])


def _check_sample(theirs: Store, verify: Verify, sample: int) -> int:
    with theirs.index.reading() as connection:
        last = connection.execute("SELECT MAX(id) FROM games").fetchone()[0] or 0
        chance = random.Random(last)  # the same games every time
        picks = {chance.randint(1, last) for _ in range(sample)} if last else set()
        query = "SELECT trace FROM games WHERE id >= ? ORDER BY id LIMIT 1"
        names = sorted({name for pick in sorted(picks) for (name,) in connection.execute(query, (pick,))})
    for name in names:
        try:
            problem = verify(theirs.load(name))
        except TraceError:
            continue  # a damaged game is named when it is not taken over
        if problem:
            raise StoreError(f"nothing was merged from {theirs.home}: playing game {name} again shows: {problem}")
    return len(names)


def _batches(theirs: Store) -> Iterator[list[_Theirs]]:
    query = f"""SELECT games.id, episode, trace, {PLACE} FROM games LEFT JOIN packs ON packs.id = pack
        WHERE games.id > ? ORDER BY games.id LIMIT {BATCH}"""
    last = 0
    while True:
        with theirs.index.reading() as connection:
            rows = connection.execute(query, (last,)).fetchall()
        if not rows:
            return
        last = rows[-1][0]
        yield [_Theirs(episode, name, Location(*place)) for _, episode, name, *place in rows]


def _take(ours: Store, theirs: Store, batch: Sequence[_Theirs], done: Merged) -> None:
    """Take over those of a batch that are new here."""
    here = {episode: name for episode, name, _ in ours.places([game.episode for game in batch])}
    new: list[tuple[Draft, bytes]] = []
    for game in batch:
        if here.get(game.episode) == game.name:
            done.known += 1
        elif game.episode in here:
            _name(done.conflicts, _conflict(ours, theirs, here[game.episode], game))
        else:
            try:
                new.append(_read(theirs, game))
            except (TraceError, OSError) as error:
                _name(done.damaged, f"{game.name}: {error}")
    if new:
        places = ours.files.save_pack([(draft.name, data) for draft, data in new])
        _copy_checks(ours, theirs, [draft.name for draft, _ in new])
        ours.insert([entry(draft, place) for (draft, _), place in zip(new, places, strict=True)])
        done.added += len(new)


def _read(theirs: Store, game: _Theirs) -> tuple[Draft, bytes]:
    """A game of theirs, read and compared with its name, and its bytes."""
    data = theirs.files.bytes_of(game.name, game.place)
    found = read(data, game.name)
    if found.name != game.name or found.notes is None:
        raise TraceError("the content does not fit the name, the file was changed")
    return Draft(found.name, found.trace, found.notes), data


def _copy_checks(ours: Store, theirs: Store, names: Sequence[str]) -> None:
    for check in theirs.checks(names).values():
        ours.put_check(check)


def _conflict(ours: Store, theirs: Store, name: str, game: _Theirs) -> str:
    """Two games of one episode, in words."""
    try:
        one, two = ours.load(name), theirs.load(game.name)
    except TraceError as error:
        return f"episode {game.episode}: {error}"
    agents = " - ".join(str(agent) for agent in one.agents)
    reason = "its budget is a time, so it may" if any(each.seconds for each in one.budgets) else "with equal code"
    return (
        f"{one.game} {one.level_name} seed {one.seed} {agents} went differently ({reason}): "
        f"here {one.outcome.reason} after {counted(len(one.actions), 'step')} ({name[:12]}), "
        f"there {two.outcome.reason} after {len(two.actions)} ({game.name[:12]})"
    )


def _name(sentences: list[str], sentence: str) -> None:
    if len(sentences) < MOST_NAMED:
        sentences.append(sentence)
