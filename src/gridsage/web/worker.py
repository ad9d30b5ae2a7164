"""A child process of the page: it plays, replays and checks games, each in a thread of its own.

Kernels release the GIL, so games in one process do not wait for each other while they search.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import queue
import signal
import struct
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from gridsage.arena import match
from gridsage.core import jit, trace
from gridsage.core.errors import GridsageError, OptionError, TraceError, TraceMismatch
from gridsage.core.game import Closing
from gridsage.core.room import Room, generator_settings
from gridsage.games import catalog
from gridsage.games.levels import is_shipped, shipped_level
from gridsage.store import DIFFERS, NOT_CHECKABLE, VERIFIED, Store
from gridsage.web import benches, feed, kept, levels, messages, uploads
from gridsage.web.follower import Follower
from gridsage.web.screens import Preview, Screen, about, cropped, ending, error, glyphs, lively_part

AHEAD = 60  # frames the server may be ahead of the browser's last ack
CHECK_SECONDS = 20.0
LONGEST_LINK = 6_000  # characters of a level that still go into an address
ENDED = b""  # the last message of a session
SESSION_ID = struct.Struct("<I")
HOUSEKEEPING = 0  # the session number of messages about the process itself
COMPILING, COMPILED = b"compiling", b"compiled"

_encoder = msgspec.json.Encoder()
_compiling = threading.Lock()
_importing = threading.Lock()  # rooms import their parts late; two threads at once would see half a module
log = logging.getLogger(__name__)


class Stopped(Exception):
    """The tab was closed, or the server asks the session to end."""


class Session:
    """One conversation with one tab, seen from the worker."""

    def __init__(self, pipe: Connection, sending: threading.Lock, number: int, home: Path) -> None:
        self._pipe, self._sending, self._number = pipe, sending, number
        self.home = home
        self.inbox: queue.SimpleQueue[messages.FromServer | None] = queue.SimpleQueue()
        self.stopped = threading.Event()
        self.thoughts_wanted = True
        self._acked = 0
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []

    def start(self, work: Callable[[], object]) -> None:
        """Do `work` in a thread of this session."""

        def run() -> None:
            with contextlib.suppress(Stopped):
                work()

        thread = threading.Thread(target=run, daemon=True)
        self._threads = [*(other for other in self._threads if other.is_alive()), thread]
        thread.start()

    def send(self, message: dict[str, Any] | bytes) -> None:
        data = message if isinstance(message, bytes) else _encoder.encode(message)
        self._pass_on(self._number, data)

    def _pass_on(self, number: int, data: bytes) -> None:
        with self._sending:
            try:
                self._pipe.send_bytes(SESSION_ID.pack(number) + data)
            except OSError:
                raise Stopped from None  # the server is gone, and with it whoever waited

    def tell(self, message: messages.FromServer) -> None:
        """A message from the tab; called by the process's reading thread."""
        if isinstance(message, messages.Ack):
            with self._changed:
                self._acked = max(self._acked, message.t)
                self._changed.notify_all()
        elif isinstance(message, messages.Overlay):
            self.thoughts_wanted = message.on
        else:
            self.inbox.put(message)
            with self._changed:
                self._changed.notify_all()

    def stop(self) -> None:
        self.stopped.set()
        self.inbox.put(None)
        with self._changed:
            self._changed.notify_all()

    def wait_for_room(self, t: int, ahead: int | None = None, *, listening: bool = False) -> bool:
        """Wait until frame `t` may be sent; False when the session has to end, or to hear a message if `listening`."""

        def heard() -> bool:
            return self.stopped.is_set() or (listening and not self.inbox.empty())

        with self._changed:
            self._changed.wait_for(lambda: heard() or t - self._acked <= (AHEAD if ahead is None else ahead))
        return not heard()

    def receive(self) -> messages.FromServer:
        """The next message of the tab; Stopped when there will be none."""
        message = self.inbox.get()
        if message is None:
            raise Stopped
        return message

    def ready_room(self, name: str) -> Room:
        """The room with its kernels; the browser sees the progress of a first compilation."""

        def progress(words: str, done: int, total: int) -> None:
            self.send({"m": "progress", "words": words, "done": done, "total": total})

        room = load(name)
        if room.rules.missing() is None and room.rules.warm_up is not None:
            with _importing:
                room.rules.warm_up()
        if room.rules.missing() is None and room.rules.warm_up is not None and not jit.is_compiled(room.folder):
            self.send({"m": "progress", "words": room.title, "done": 0, "total": 1})
            with _compiling:
                self._keep_house(COMPILING)
                try:
                    return catalog.ready_room(name, progress)
                finally:
                    self._keep_house(COMPILED)
        with _compiling:
            return catalog.ready_room(name)

    def _keep_house(self, state: bytes) -> None:
        self._pass_on(HOUSEKEEPING, state)

    # The kinds of session

    def run(self, message: messages.FromServer) -> None:
        """Do what the first message asks, tell errors in words, and say when it is over."""
        with contextlib.suppress(Stopped):
            self._converse(message)
        for thread in self._threads:
            thread.join()  # a session that still thinks has not ended: the server ends a process that nobody watches
        with contextlib.suppress(Stopped):
            self.send(ENDED)

    def _converse(self, message: messages.FromServer) -> None:
        try:
            game = getattr(message, "game", "")
            if game in catalog.names():
                load(game)
            match message:
                case messages.Watch():
                    self._watch(message)
                case messages.Replay():
                    self._replay(Store(self.home).load(message.id))
                case messages.Play():
                    from gridsage.web.table import Table

                    Table(self, message).run()
                case messages.Look():
                    self._look(message)
                case messages.Check():
                    self._check(message)
                case messages.Generate():
                    self._generate(message)
                case messages.Bench():
                    self._bench(message)
                case messages.Audit():
                    self._audit(message)
                case messages.Preview():
                    self._preview(message)
                case messages.Verify():
                    self._verify(message)
                case _:
                    self.send(error("this is no message to begin with"))
        except Stopped:
            raise
        except GridsageError as problem:
            self.send(error(str(problem)))
        except OSError as problem:
            log.exception("session %s failed", self._number)
            self.send(error(f"a file cannot be read or written: {problem}"))
        except Exception as problem:  # our own mistake must not take the other games of this process along
            log.exception("session %s failed", self._number)
            self.send(error(f"gridsage itself failed here ({type(problem).__name__}: {problem}); please report it"))

    def _watch(self, message: messages.Watch) -> None:
        room = catalog.room(message.game)
        if (sentence := room.rules.missing()) is not None:
            self.send(error(sentence))
            return
        episode = levels.episode(room, message, self.home)
        if levels.HUMAN in (spec.name for spec in episode.agents):
            self.send(error("people play on the play page; choose agents here"))
            return
        screen = Screen(self, room, episode)
        if room.rules.warm_up is not None:
            screen.first(_first_state(room, episode))  # the board is seen while kernels load
        self.ready_room(message.game)
        result = match_play(episode, screen)
        self.send(ending(result.trace.outcome, result.figures, result.seconds, result.decisions))
        while isinstance(self.receive(), messages.Keep):
            try:
                self.send({"m": "kept", "id": Store(self.home).put(result, replace=True)})
            except GridsageError as problem:  # it may be tried again
                self.send(error(str(problem)))

    def _replay(self, recorded: trace.Trace) -> None:
        if recorded.game not in catalog.names():
            raise TraceError(f"this is a game of {recorded.game!r}, which is not installed here")
        room = self.ready_room(recorded.game)
        game = room.rules.game()
        feeder, before, verified = feed.Feed(), None, ""
        thoughts = dict(recorded.thoughts)
        options = catalog.options(room, recorded.options)
        follower = Follower(room, recorded, options)
        t = 0
        try:
            for t, state in enumerate(trace.verified_states(recorded, game, options)):
                frame = room.view.frame(state)
                if t == 0:
                    more = about(room, recorded) | {"total": len(recorded.actions), "where": _where(room, recorded)}
                    ended = msgspec.to_builtins(recorded.outcome)
                    self.send(feeder.hello(room.name, frame, **more, outcome=ended))
                if not self.wait_for_room(t):
                    raise Stopped
                action = recorded.actions[t - 1] if t else None
                happened = [] if action is None else feed.events(game.events(before, action, state))
                told = thoughts.get(t - 1)
                memory = None if action is None else follower.memory(game.observe(before, 0), action, told)
                self.send(
                    feeder.frame(
                        t,
                        frame,
                        ev=happened,
                        o=feed.overlay(told, memory=memory),
                        a="" if action is None else game.label(action),
                        by=game.seat(before) if before is not None and len(recorded.agents) > 1 else None,
                    )
                )
                before = state
        except TraceMismatch as problem:
            verified = str(problem)
        finally:
            if isinstance(game, Closing):
                game.close()
        verdict = DIFFERS if verified else VERIFIED
        kept.remember(Store(self.home), trace.content_hash(recorded), recorded.game, verdict, verified)
        self.send(ending(recorded.outcome, {}, None, {}) | {"verified": verified == "", "mismatch": verified})

    def _look(self, message: messages.Look) -> None:
        room = catalog.room(message.game)
        if (sentence := room.rules.missing()) is not None:
            self.send(error(sentence))
            return
        episode = levels.episode(room, message, self.home)
        feeder, frame = feed.Feed(), room.view.frame(_first_state(room, episode))
        doubts = [] if room.levels.doubts is None else list(room.levels.doubts(episode.level))
        self.send(
            feeder.hello(
                room.name, frame, glyphs=glyphs(room), level=episode.level_name, text=episode.level, doubts=doubts
            )
        )
        self.send(feeder.frame(0, frame))

    def _check(self, message: messages.Check) -> None:
        room = self.ready_room(message.game)
        if room.levels.check is None:
            self.send(error(f"{room.title} has no solver that says whether a level can be won"))
            return
        level = levels.chosen(room, message, self.home)
        room.rules.game().parse(level.text)
        seconds = CHECK_SECONDS if message.seconds is None else message.seconds
        self.send({"m": "solving", "seconds": seconds})
        report = room.levels.check(level.text, catalog.options(room, dict(message.options)), seconds)
        self.send({"m": "report", "verdict": report.verdict, "text": report.text, "steps": len(report.plan)})
        if report.plan:
            self._show_plan(room, message, level.text, report.plan, report.seed)

    def _show_plan(self, room: Room, message: messages.Check, text: str, plan: Sequence[int], seed: int) -> None:
        game, feeder = room.rules.game(), feed.Feed()
        state = game.start(game.parse(text), catalog.options(room, dict(message.options)), seed)
        frame = room.view.frame(state)
        self.send(feeder.hello(room.name, frame, glyphs=glyphs(room), total=len(plan)))
        self.send(feeder.frame(0, frame))
        for t, action in enumerate(plan, 1):
            if not self.wait_for_room(t):
                raise Stopped
            after = game.step(state, action)
            happened = feed.events(game.events(state, action, after))
            state = after
            self.send(feeder.frame(t, room.view.frame(state), a=game.label(action), ev=happened))
        self.send({"m": "end", "reason": "", "steps": len(plan)})

    def _generate(self, message: messages.Generate) -> None:
        room = self.ready_room(message.game)
        if room.levels.generate is None:
            raise OptionError(f"{room.title} has no generator of levels")
        made = room.levels.generate(**generator_settings(room.levels.generate, message.settings, room.name))
        self.send({"m": "made", "name": made.name, "text": made.text})

    def _bench(self, message: messages.Bench) -> None:
        """What is kept already first, then progress and a growing table, until all is played or the tab is gone."""
        room = self.ready_room(message.game)
        run = benches.Run(benches.plan(room, message, self.home), Store(self.home), message.match, self.send)
        if not run.play(self.stopped.is_set):
            raise Stopped

    def _audit(self, message: messages.Audit) -> None:
        """Play kept games again, one after the other, and remember what each has shown."""
        store = Store(self.home)
        rows = kept.chosen(store, message)
        marks = kept.verdicts(store, rows)
        todo = {row.trace: row for row in rows if _is_to_check(store, row.trace, marks[row.trace]["verdict"])}
        skipped = len({row.trace for row in rows}) - len(todo)
        self.send({"m": "audit", "total": len(todo), "skipped": skipped})
        for done, row in enumerate(todo.values(), 1):
            if self.stopped.is_set():
                raise Stopped
            verdict, text = self._verdict(store, row.trace)
            kept.remember(store, row.trace, row.game, verdict, text)
            self.send(
                {"m": "checked", "id": row.trace, "verdict": verdict, "text": text, "done": done, "total": len(todo)}
            )
        self.send({"m": "audited", "total": len(todo), "skipped": skipped})

    def _verdict(self, store: Store, name: str) -> tuple[str, str]:
        try:
            recorded = store.load(name)
            if recorded.game in catalog.names():
                self.ready_room(recorded.game)
        except GridsageError as problem:
            return NOT_CHECKABLE, str(problem)
        return kept.checked(recorded)

    def _preview(self, message: messages.Preview) -> None:
        """The room's showcase as one answer; a still one is its first position, which needs no kernels."""
        room = catalog.room(message.game) if message.still else self.ready_room(message.game)
        shown = room.view.showcase
        setting = messages.Watch(message.game, level=shown.level, seed=shown.seed, nodes=shown.nodes)
        episode = levels.episode(room, setting, self.home)
        if message.still:
            frames = [room.view.frame(_first_state(room, episode))]
        else:
            screen = Preview(self, room, episode)
            match_play(episode, screen)
            frames = screen.pictures
        feeder, lively = feed.Feed(), lively_part(frames)
        cut = frames if lively is None else [cropped(frame, *lively) for frame in frames]
        hello = feeder.hello(room.name, cut[0], glyphs=glyphs(room))
        told = [feeder.frame(t, frame) for t, frame in enumerate(cut)]
        self.send({"m": "preview", "hello": hello, "frames": told, "still": message.still})

    def _verify(self, message: messages.Verify) -> None:
        source = message.source
        recorded = trace.decode(uploads.unpacked(message.data, source), source)
        if recorded.game not in catalog.names():
            raise TraceError(f"{source} is a game of {recorded.game!r}, which is not installed here")
        if problem := uploads.unbelievable(recorded):
            raise TraceError(f"{source}: {problem}")
        self.ready_room(recorded.game)
        verdict, text = kept.checked(recorded)
        if verdict != VERIFIED:
            raise TraceError(f"{source}: {text}")
        store = Store(self.home)
        name = store.add_foreign(recorded)
        kept.remember(store, name, recorded.game, verdict, text)
        self.send({"m": "verified", "id": name, "steps": len(recorded.actions), "game": recorded.game})


def load(name: str) -> Room:
    """The room with its rules and agents imported, by one thread at a time."""
    with _importing:
        room = catalog.room(name)
        if room.rules.missing() is None:
            room.rules.game()
            catalog.agent_entries(room)
        return room


def match_play(episode: trace.Episode, screen: Screen) -> trace.Result:
    """Play `episode` before `screen`; a stop from outside becomes Stopped."""
    result = match.play(episode, watch=screen, keep_thoughts=True)
    if screen.session.stopped.is_set():
        raise Stopped
    return result


def _is_to_check(store: Store, name: str, verdict: str) -> bool:
    """Whether a game is to be played again; the file of one found true may have been damaged since."""
    return verdict == kept.UNCHECKED or (verdict == VERIFIED and not store.is_whole(name))


def _where(room: Room, recorded: trace.Trace) -> dict[str, str]:
    """The level of a recorded game as the watch and play pages take it: by name or seed if that is the same text."""
    if is_shipped(room, recorded.level_name):
        level = shipped_level(room, recorded.level_name)
        if level.text == recorded.level:
            return {"level": level.name}
    if room.levels.of_seed is not None and room.levels.of_seed(recorded.seed).text == recorded.level:
        return {}
    return {"text": recorded.level} if len(recorded.level) <= LONGEST_LINK else {"level": recorded.level_name}


def _first_state(room: Room, episode: trace.Episode) -> Any:
    game = room.rules.game()
    try:
        return game.start(game.parse(episode.level), catalog.options(room, episode.options), episode.seed)
    finally:
        if isinstance(game, Closing):
            game.close()


# The process


class Order(msgspec.Struct):
    """From the server to a worker: a message of session `number`, or its end."""

    number: int
    message: messages.FromServer | None = None


def serve(pipe: Connection, home: str) -> None:
    """The loop of a worker process; it ends when the server closes the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C is the server's business
    threading.Thread(target=_end_with_parent, daemon=True).start()
    decoder, sending = msgspec.msgpack.Decoder(Order), threading.Lock()
    sessions: dict[int, Session] = {}
    while True:
        try:
            order = decoder.decode(pipe.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)  # threads may still be thinking; nobody waits for their answer
        session = sessions.get(order.number)
        if session is None and order.message is not None:
            session = sessions[order.number] = Session(pipe, sending, order.number, Path(home))
            threading.Thread(target=session.run, args=(order.message,), daemon=True).start()
        elif session is not None and order.message is not None:
            session.tell(order.message)
        elif session is not None:
            session.stop()
            del sessions[order.number]


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
