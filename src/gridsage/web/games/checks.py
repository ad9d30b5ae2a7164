"""Kept games and files of others, played again to see if they hold."""

from __future__ import annotations

from gridsage.core import trace
from gridsage.core.errors import GridsageError, TraceError
from gridsage.games import catalog
from gridsage.store import NOT_CHECKABLE, VERIFIED, Row, Store
from gridsage.web import kept, messages
from gridsage.web.games import uploads
from gridsage.web.games.session import Session, Stopped


def audit(session: Session, message: messages.Audit) -> None:
    """Play kept games again, one after the other, and remember what each has shown."""
    store = Store(session.home)
    rows = kept.chosen(store, message)
    todo = _unchecked(store, rows)
    counts = {"total": len(todo), "skipped": len({row.trace for row in rows}) - len(todo)}
    session.send({"m": "audit", **counts})
    for done, row in enumerate(todo, 1):
        if session.stopped.is_set():
            raise Stopped
        verdict, text = _verdict(session, store, row.trace)
        kept.remember(store, row.trace, row.game, verdict, text)
        found = {"id": row.trace, "verdict": verdict, "text": text}
        session.send({"m": "checked", **found, "done": done, "total": len(todo)})
    session.send({"m": "audited", **counts})


def _unchecked(store: Store, rows: list[Row]) -> list[Row]:
    """Return the games to play again; the file of one found true may have been damaged since."""
    marks = kept.verdicts(store, rows)

    def is_to_check(name: str) -> bool:
        verdict = marks[name]["verdict"]
        return verdict == kept.UNCHECKED or (verdict == VERIFIED and not store.is_whole(name))

    return list({row.trace: row for row in rows if is_to_check(row.trace)}.values())


def _verdict(session: Session, store: Store, name: str) -> tuple[str, str]:
    try:
        recorded = store.load(name)
        if recorded.game in catalog.names():
            session.ready_room(recorded.game)
    except GridsageError as problem:
        return NOT_CHECKABLE, str(problem)
    return kept.checked(recorded)


def verify(session: Session, message: messages.Verify) -> None:
    """Take in a game that somebody brings, if it plays again as it says."""
    source = message.source
    recorded = trace.decode(uploads.unpacked(message.data, source), source)
    if recorded.game not in catalog.names():
        raise TraceError(f"{source} is a game of {recorded.game!r}, which is not installed here")
    if problem := uploads.unbelievable(recorded):
        raise TraceError(f"{source}: {problem}")
    session.ready_room(recorded.game)
    verdict, text = kept.checked(recorded)
    if verdict != VERIFIED:
        raise TraceError(f"{source}: {text}")
    store = Store(session.home)
    name = store.add_foreign(recorded)
    kept.remember(store, name, recorded.game, verdict, text)
    session.send({"m": "verified", "id": name, "steps": len(recorded.actions), "game": recorded.game})
