"""What a first message asks for: each kind is answered by one function."""

from __future__ import annotations

import contextlib
import logging

from gridsage.core.complaints import in_words
from gridsage.core.errors import GridsageError
from gridsage.games import catalog
from gridsage.web import messages
from gridsage.web.games import bench, checks, export, hosting, play, preview, replay, watch, workshop
from gridsage.web.games.session import Session, Stopped, load

log = logging.getLogger(__name__)


def run(session: Session, message: messages.FromServer) -> None:
    """Do what the first message asks, report errors in words, and say when it is over."""
    with contextlib.suppress(Stopped):
        _guarded(session, message)
    session.end()


def _guarded(session: Session, message: messages.FromServer) -> None:
    try:
        game = getattr(message, "game", "")
        if game in catalog.names():
            load(game)
        _answer(session, message)
    except Stopped:
        raise
    except GridsageError as problem:
        session.complain(str(problem))
    except OSError as problem:
        log.exception("session %s failed", session.number)
        session.complain(f"a file cannot be read or written: {in_words(problem)}")
    except Exception as problem:  # our own mistake must not take the other games of this process along
        log.exception("session %s failed", session.number)
        name = type(problem).__name__
        session.complain(f"gridsage itself failed here ({name}); its log says more, please report it")


def _answer(session: Session, message: messages.FromServer) -> None:
    match message:
        case messages.Watch():
            watch.watch(session, message)
        case messages.Replay():
            replay.replay(session, message)
        case messages.Play():
            play.play(session, message)
        case messages.Host():
            hosting.host(session, message)
        case messages.Look():
            workshop.look(session, message)
        case messages.Check():
            workshop.check(session, message)
        case messages.Generate():
            workshop.generate(session, message)
        case messages.Bench():
            bench.bench(session, message)
        case messages.Audit():
            checks.audit(session, message)
        case messages.Verify():
            checks.verify(session, message)
        case messages.Export():
            export.export(session, message)
        case messages.Preview():
            preview.preview(session, message)
        case _:
            session.complain("this is no message to begin with")
