"""What the editor asks about a level: how it looks, if it can be won, and for another one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait

from gridsage.core.amounts import counted
from gridsage.core.errors import OptionError
from gridsage.core.game import Action, Own
from gridsage.core.room import LevelReport, NamedLevel, Room, generator_settings
from gridsage.games import catalog
from gridsage.web import feed, levels, messages
from gridsage.web.games.screen import first_state, looks
from gridsage.web.games.session import Session, Stopped, playable

CHECK_SECONDS = 20.0


def look(session: Session, message: messages.Look) -> None:
    """Send the first picture of a level and what speaks against it."""
    room = playable(message.game)
    episode = levels.episode(room, message, session.home)
    feeder, frame = feed.Feed(), room.view.frame(first_state(room, episode))
    doubts = [] if room.levels.doubts is None else list(room.levels.doubts(episode.level))
    more = {**looks(room), "level": episode.level_name, "text": episode.level, "doubts": doubts}
    session.send(feeder.hello(room.name, frame, **more))
    session.send(feeder.frame(0, frame))


def check(session: Session, message: messages.Check) -> None:
    """Let the room's solver say if a level can be won, and show its plan."""
    room = session.ready_room(message.game)
    if room.levels.check is None:
        raise OptionError(f"{room.title} has no solver that says whether a level can be won")
    level = levels.chosen(room, message, session.home)
    game, options = room.rules.game(), catalog.options(room, dict(message.options))
    parsed = game.parse(level.text)
    seconds = CHECK_SECONDS if message.seconds is None else message.seconds
    session.send({"m": "solving", "seconds": seconds})
    report = room.levels.check(level.text, options, seconds)
    session.send({"m": "report", "verdict": report.verdict, "text": report.text, "steps": len(report.plan)})
    if report.plan:
        _show_plan(session, room, game.start(parsed, options, report.seed), report)


def _show_plan(session: Session, room: Room, state: Own, report: LevelReport) -> None:
    feeder, frame = feed.Feed(), room.view.frame(state)
    session.send(feeder.hello(room.name, frame, **looks(room), total=len(report.plan)))
    session.send(feeder.frame(0, frame))
    for t, action in enumerate(report.plan, 1):
        if not session.wait_for_room(t):
            raise Stopped
        state = _show_step(session, room, feeder, t, state, action)
    session.send({"m": "end", "reason": "", "steps": len(report.plan)})


def _show_step(session: Session, room: Room, feeder: feed.Feed, t: int, state: Own, action: Action) -> Own:
    game = room.rules.game()
    after = game.step(state, action)
    happened = feed.events(game.events(state, action, after))
    session.send(feeder.frame(t, room.view.frame(after), a=game.label(action), ev=happened))
    return after


def generate(session: Session, message: messages.Generate) -> None:
    """Make a level with the room's generator, and say how long it takes; one that finds nothing is given up."""
    room = session.ready_room(message.game)
    make = room.levels.generate
    if make is None:
        raise OptionError(f"{room.title} has no generator of levels")
    settings = generator_settings(make, message.settings, room.name)
    made: Future[NamedLevel] = Future()
    session.start(lambda: _fulfil(made, lambda: make(**settings)))
    for second in range(message.seconds):
        done, _ = wait([made], timeout=1)
        if done:
            level = made.result()
            session.send({"m": "made", "name": level.name, "text": level.text})
            return
        if session.stopped.is_set():
            raise Stopped
        session.send({"m": "making", "seconds": second + 1, "of": message.seconds})
    raise OptionError(f"no level like that was found in {counted(message.seconds, 'second')}: ask for less")


def _fulfil(promise: Future[NamedLevel], work: Callable[[], NamedLevel]) -> None:
    """Do `work`, whose result or error is what was promised."""
    try:
        promise.set_result(work())
    except Exception as problem:
        promise.set_exception(problem)
