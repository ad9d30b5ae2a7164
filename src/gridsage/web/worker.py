"""A child process of the page: it plays, replays and checks games, each in a thread of its own.

Kernels release the GIL, so games in one process do not wait for each other while they search.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import itertools
import logging
import multiprocessing
import os
import queue
import signal
import struct
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from gridsage.arena import match
from gridsage.core import jit, trace
from gridsage.core.errors import GridsageError, OptionError, TraceError, TraceMismatch
from gridsage.core.frame import Frame
from gridsage.core.game import Closing, Decision, Outcome
from gridsage.core.room import Room, parse_wishes
from gridsage.games import catalog
from gridsage.store import DIFFERS, NOT_CHECKABLE, VERIFIED, Store
from gridsage.web import benches, feed, kept, levels, messages
from gridsage.web.follower import Follower

AHEAD = 60  # frames the server may be ahead of the browser's last ack
MARGIN_ROWS, MARGIN_COLS = 2, 5  # left around where something happens in the gallery's picture of a large map
CHECK_SECONDS = 20.0
TEXT, BLANK = "text:", "text: "  # how sprites that are characters begin, and those of unknown cells
MAX_UNPACKED_BYTES = 64 * 2**20
MAX_ACTIONS = 1_000_000  # of a game that somebody brings
MAX_NAME = 200  # letters of a level's or an agent's name
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

    def wait_for_room(self, t: int, ahead: int = AHEAD, *, listening: bool = False) -> bool:
        """Wait until frame `t` may be sent; False when the session has to end, or to hear a message if `listening`."""

        def heard() -> bool:
            return self.stopped.is_set() or (listening and not self.inbox.empty())

        with self._changed:
            self._changed.wait_for(lambda: heard() or t - self._acked <= ahead)
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
        if room.missing() is None and room.warm_up is not None:
            with _importing:
                room.warm_up()
        if room.missing() is None and room.warm_up is not None and not jit.is_compiled(room.folder):
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
        if (sentence := room.missing()) is not None:
            self.send(error(sentence))
            return
        episode = levels.episode(room, message, self.home)
        if levels.HUMAN in (spec.name for spec in episode.agents):
            self.send(error("people play on the play page; choose agents here"))
            return
        screen = Screen(self, room, episode)
        if room.warm_up is not None:
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
        game = room.game()
        feeder, before, verified = feed.Feed(), None, ""
        wanted, thoughts = dict(recorded.hashes), dict(recorded.thoughts)
        options = catalog.options(room, recorded.options)
        follower = Follower(room, recorded, options)
        t = 0
        try:
            for t, state in enumerate(trace.states(recorded, game, options)):
                frame = room.frame(state)
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
                if t in wanted and trace.state_hash(game, state) != wanted[t]:
                    verified = f"step {t}: the state differs from the recorded one"
                    break
                before = state
            if not verified:
                found = game.outcome(before)
                mover = game.seat(before) if found is None else 0
                verified = trace.outcome_problem(found, recorded.outcome, len(recorded.agents), mover)
            if not verified and not {0, len(recorded.actions)} <= set(wanted):
                verified = "the trace has no hash of its first or last state: there is nothing to compare with"
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
        if (sentence := room.missing()) is not None:
            self.send(error(sentence))
            return
        episode = levels.episode(room, message, self.home)
        feeder, frame = feed.Feed(), room.frame(_first_state(room, episode))
        doubts = [] if room.doubts is None else list(room.doubts(episode.level))
        self.send(
            feeder.hello(
                room.name, frame, glyphs=glyphs(room), level=episode.level_name, text=episode.level, doubts=doubts
            )
        )
        self.send(feeder.frame(0, frame))

    def _check(self, message: messages.Check) -> None:
        room = self.ready_room(message.game)
        if room.check is None:
            self.send(error(f"{room.title} has no solver that says whether a level can be won"))
            return
        level = levels.chosen(room, message, self.home)
        room.game().parse(level.text)
        seconds = CHECK_SECONDS if message.seconds is None else message.seconds
        self.send({"m": "solving", "seconds": seconds})
        report = room.check(level.text, catalog.options(room, dict(message.options)), seconds)
        self.send({"m": "report", "verdict": report.verdict, "text": report.text, "steps": len(report.plan)})
        if report.plan:
            self._show_plan(room, message, level.text, report.plan, report.seed)

    def _show_plan(self, room: Room, message: messages.Check, text: str, plan: Sequence[int], seed: int) -> None:
        game, feeder = room.game(), feed.Feed()
        state = game.start(game.parse(text), catalog.options(room, dict(message.options)), seed)
        frame = room.frame(state)
        self.send(feeder.hello(room.name, frame, glyphs=glyphs(room), total=len(plan)))
        self.send(feeder.frame(0, frame))
        for t, action in enumerate(plan, 1):
            if not self.wait_for_room(t):
                raise Stopped
            after = game.step(state, action)
            happened = feed.events(game.events(state, action, after))
            state = after
            self.send(feeder.frame(t, room.frame(state), a=game.label(action), ev=happened))
        self.send({"m": "end", "reason": "", "steps": len(plan)})

    def _generate(self, message: messages.Generate) -> None:
        room = self.ready_room(message.game)
        if room.generate is None:
            raise OptionError(f"{room.title} has no generator of levels")
        made = room.generate(**parse_wishes(room.generate, message.wishes, room.name))
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
        shown = room.showcase
        setting = messages.Watch(message.game, level=shown.level, seed=shown.seed, nodes=shown.nodes)
        episode = levels.episode(room, setting, self.home)
        if message.still:
            frames = [room.frame(_first_state(room, episode))]
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
        recorded = trace.decode(_unpacked(message.data, source), source)
        if recorded.game not in catalog.names():
            raise TraceError(f"{source} is a game of {recorded.game!r}, which is not installed here")
        if problem := _unbelievable(recorded):
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
        if room.missing() is None:
            room.game()
            catalog.agent_entries(room)
        return room


class Screen:
    """Watches a match and sends what happens to the tab."""

    def __init__(self, session: Session, room: Room, episode: trace.Episode) -> None:
        self.session, self.room, self.episode = session, room, episode
        self.feeder = feed.Feed()
        self.game = room.game()
        self.seat: int | None = None  # who moves next, in games for several
        self.shown = -1
        self.clock = time.perf_counter()

    def first(self, state: Any) -> None:
        if self.shown < 0:
            frame = self.room.frame(state)
            self.session.send(self.feeder.hello(self.room.name, frame, **about(self.room, self.episode)))
            self.session.send(self.feeder.frame(0, frame))
            self.shown = 0

    def __call__(self, t: int, state: Any, decision: Decision | None, happened: Sequence[Any]) -> bool:
        spent = (time.perf_counter() - self.clock) * 1000
        if decision is None:
            self.first(state)
        else:
            wanted = self.session.thoughts_wanted
            thoughts = feed.overlay(decision.thoughts, spent, decision.memory) if wanted else {}
            self.session.send(
                self.feeder.frame(
                    t,
                    self.room.frame(state),
                    a=self.game.label(decision.action),
                    by=self.seat,
                    o=thoughts,
                    ev=feed.events(happened),
                )
            )
        self.seat = self.game.seat(state) if len(self.episode.agents) > 1 else None
        going_on = self.session.wait_for_room(t)
        self.clock = time.perf_counter()
        return going_on


class Preview(Screen):
    """Keeps the pictures of a showcase instead of sending them."""

    def __init__(self, session: Session, room: Room, episode: trace.Episode) -> None:
        super().__init__(session, room, episode)
        self.pictures: list[Frame] = []

    def __call__(self, t: int, state: Any, decision: Decision | None, happened: Sequence[Any]) -> bool:
        shown = self.room.showcase
        if t >= shown.skip or not self.pictures:
            self.pictures = [*self.pictures, self.room.frame(state)] if t > shown.skip else [self.room.frame(state)]
        return t < shown.skip + shown.steps and not self.session.stopped.is_set()


def lively_part(frames: Sequence[Frame]) -> tuple[int, int, int, int] | None:
    """First and last row and column of where something happens in a map of characters; None for other pictures."""
    rows, cols = frames[0].rows, frames[0].cols
    if any(not frame.cells[0].startswith(TEXT) or (frame.rows, frame.cols) != (rows, cols) for frame in frames):
        return None
    seen = _changed(frames) or [cell for cell, sprite in enumerate(frames[0].cells) if not sprite.startswith(BLANK)]
    if not seen:
        return None
    down, across = [cell // cols for cell in seen], [cell % cols for cell in seen]
    return (
        max(0, min(down) - MARGIN_ROWS),
        min(rows - 1, max(down) + MARGIN_ROWS),
        max(0, min(across) - MARGIN_COLS),
        min(cols - 1, max(across) + MARGIN_COLS),
    )


def _changed(frames: Sequence[Frame]) -> list[int]:
    return [
        cell
        for before, after in itertools.pairwise(frames)
        for cell, (old, new) in enumerate(zip(before.cells, after.cells, strict=True))
        if old != new
    ]


def cropped(frame: Frame, top: int, bottom: int, left: int, right: int) -> Frame:
    """The part of a picture without moving things that lies between these rows and columns, without its lines."""
    rows, cols = range(top, bottom + 1), range(left, right + 1)
    lines = (frame.cells[row * frame.cols + left : row * frame.cols + right + 1] for row in rows)
    row, col = divmod(frame.focus, frame.cols)
    return msgspec.structs.replace(
        frame,
        rows=len(rows),
        cols=len(cols),
        cells=tuple(sprite for line in lines for sprite in line),
        focus=(row - top) * len(cols) + col - left if row in rows and col in cols else -1,
        above=(),
        below=(),
        question=None,
    )


def match_play(episode: trace.Episode, screen: Screen) -> trace.Result:
    """Play `episode` before `screen`; a stop from outside becomes Stopped."""
    result = match.play(episode, watch=screen, keep_thoughts=True)
    if screen.session.stopped.is_set():
        raise Stopped
    return result


def about(room: Room, game: trace.Episode | trace.Trace) -> dict[str, Any]:
    """What a hello tells besides the board."""
    return {
        "title": room.title,
        "level": game.level_name,
        "seed": game.seed,
        "players": [str(agent) for agent in game.agents],
        "options": game.options,
        "keys": dict(room.keys),
        "glyphs": glyphs(room),
        "budgets": msgspec.to_builtins(game.budgets),
    }


def glyphs(room: Room) -> dict[str, tuple[str, str]]:
    """Characters for sprites that have no tile; one that is a character already needs none."""
    return {sprite: glyph for sprite, glyph in room.glyphs.items() if not sprite.startswith("text:")}


def ending(
    outcome: Outcome, figures: dict[str, Any], seconds: float | None, decisions: dict[str, float]
) -> dict[str, Any]:
    """The message after the last frame."""
    return {
        "m": "end",
        "reason": outcome.reason,
        "scores": list(outcome.scores),
        "winner": outcome.winner,
        "figures": figures,
        "seconds": seconds,
        "decisions": decisions,
    }


def error(text: str) -> dict[str, Any]:
    """A sentence for the person before the screen."""
    return {"m": "error", "text": text}


def _is_to_check(store: Store, name: str, verdict: str) -> bool:
    """Whether a game is to be played again; the file of one found true may have been damaged since."""
    return verdict == kept.UNCHECKED or (verdict == VERIFIED and not store.is_whole(name))


def _unpacked(data: bytes, source: str) -> bytes:
    """The bytes of an uploaded file, unpacked no further than a trace can be long."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:  # all of its members: the second one may be the bomb
            plain = packed.read(MAX_UNPACKED_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        return data  # the decoder says in words what is wrong with it
    if len(plain) > MAX_UNPACKED_BYTES:
        raise TraceError(f"{source} unpacks to something larger than {MAX_UNPACKED_BYTES // 2**20} MB")
    return plain


def _unbelievable(recorded: trace.Trace) -> str:
    """What no game of ours says of itself, in words; empty if there is nothing."""
    if not 0 <= recorded.seed <= kept.MAX_SEED:
        return f"its seed {recorded.seed} is not between 0 and {kept.MAX_SEED}"
    if len(recorded.actions) > MAX_ACTIONS:
        return f"it has {len(recorded.actions):,} moves, more than the {MAX_ACTIONS:,} that are played again here"
    names = [recorded.level_name, *(str(agent) for agent in recorded.agents)]
    if not recorded.agents or max(map(len, names)) > MAX_NAME:
        return f"its level and its agents need names of at most {MAX_NAME} letters"
    if not recorded.level_name or not all(agent.name for agent in recorded.agents):
        return "its level and its agents need names"
    room = catalog.room(recorded.game)
    try:
        seats = room.seats_with(catalog.options(room, recorded.options))
    except GridsageError as problem:
        return str(problem)
    if len(recorded.agents) != seats:
        return f"{len(recorded.agents)} agents sat there, but {room.title} has {seats} seat(s) under these options"
    if len(recorded.budgets) not in (0, seats):
        return f"it has {len(recorded.budgets)} budgets for {seats} seat(s)"
    if recorded.outcome.reason in trace.ENDED_FROM_OUTSIDE and recorded.outcome.winner is not None:
        return f"it was won because of {recorded.outcome.reason!r}, which cannot be shown by playing it again"
    return ""


def _where(room: Room, recorded: trace.Trace) -> dict[str, str]:
    """The level of a recorded game as the watch and play pages take it: by name or seed if that is the same text."""
    if recorded.level_name in room.level_names() and room.level(recorded.level_name) == recorded.level:
        return {"level": recorded.level_name}
    if room.level_of_seed is not None and room.level_of_seed(recorded.seed).text == recorded.level:
        return {}
    return {"text": recorded.level} if len(recorded.level) <= LONGEST_LINK else {"level": recorded.level_name}


def _first_state(room: Room, episode: trace.Episode) -> Any:
    game = room.game()
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
