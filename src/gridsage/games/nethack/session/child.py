"""A game's own process: it alone loads NetHack. Keys come in on one pipe, records and reports go out on another."""

from __future__ import annotations

import _ctypes
import ctypes
import importlib
import os
import shutil
import sys
import tempfile
import time
import types
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridsage.games.nethack import state as st
from gridsage.games.nethack.keys import GIVE_UP, GIVE_UP_IDLE
from gridsage.games.nethack.level import ALIGNMENTS, GENDERS, RACES, RANDOM_CHARACTER, Options
from gridsage.games.nethack.session.protocol import (
    END,
    KEY,
    LENGTH,
    REPORT,
    SCORE_PREFIX,
    START,
    TTYREC,
    Failure,
    Setup,
    packed,
)

SURRENDERS = {GIVE_UP: st.GAVE_UP, GIVE_UP_IDLE: st.GAVE_UP_IDLE}
# How the game ended, by nle's number.
HOW = {3: st.STARVED, 11: st.BROKEN, 12: st.BROKEN, 13: st.QUIT, 14: st.ESCAPED, 15: st.ASCENDED}
# Words of a death, or of the last messages before it, that tell of a trap.
TRAP_WORDS = ("trap", "falling rock", "land mine", "into a pit", "iron spikes", "rolling boulder", "tower of flame")
TRAP_MESSAGES = ("shoots out at you", "rolling boulder trap", "trap door in the ceiling", "KAABLAMM", "booby-trapped")
MORE = b"--More--"
ENTER, ESCAPE, SPACE, QUIT_KEY = 13, 27, 32, 0x80 | ord("q")
OPENING_KEYS = 100  # questions and texts before the first move; 3 at most were seen
BIRTHDAY = 1_000_000_000  # seconds; any number does
CLOSING_KEYS = 200  # the same after death
FIELDS = (
    ("chars", "chars"), ("colors", "colors"), ("blstats", "stats"), ("tty_chars", "screen"),
    ("tty_cursor", "cursor"), ("inv_letters", "pack_letters"), ("inv_oclasses", "pack_classes"),
    ("inv_strs", "pack_texts"),
)  # fmt: skip
KEYS_READ = (*(name for name, _ in FIELDS), "glyphs", "message", "misc", "program_state", "inv_glyphs")


class GameProcess:
    """The live game with its buffers, and the referee beside it."""

    def __init__(self, setup: Setup, folder: Path) -> None:
        load()
        from nle import nethack

        from gridsage.games.nethack.session import des
        from gridsage.games.nethack.session.referee import Referee

        self.recorded = bool(setup.recording)
        hackdir = des.patched_folder(setup.des, setup.level_names, folder) if setup.des else des.tools_folder()
        recording: dict[str, Any] = {"ttyrec": None}
        if setup.recording:
            target = Path(setup.recording)
            target.mkdir(parents=True, exist_ok=True)
            recording = {"ttyrec": str(target / TTYREC), "scoreprefix": str(target / SCORE_PREFIX)}
        self.game = nethack.Nethack(
            observation_keys=KEYS_READ,
            playername="Agent-" + setup.options.character,
            options=game_options(setup.options),
            spawn_monsters=setup.options.spawn_monsters,
            fix_moon_phase=setup.options.fixed_moon,
            hackdir=str(hackdir),
            **recording,
        )
        self.score_files = [Path(setup.recording)] if setup.recording else [*folder.glob("nle*")]
        self.game.set_initial_seeds(setup.core, setup.disp, False, setup.lgen)
        self.live: dict[str, Any] = dict(zip(KEYS_READ, self.game.reset(), strict=True))
        if setup.options.fixed_moon:
            set_birthday(self.game.dlpath)
        self.record = np.zeros((), st.RECORD)
        self.views = [(self.live[source], self.record[target]) for source, target in FIELDS]
        self.appearances = appearances(nethack)
        self.over = False
        self.keys = self.folded = self.prompts = 0
        messages: list[str] = []
        for _ in range(OPENING_KEYS):
            if self.live["program_state"][3]:
                break
            self._raw(SPACE)
        self._fold(messages)
        self._copy(messages)
        live = self.live
        self.referee = Referee(
            self.game.dlpath, live["blstats"], live["glyphs"], live["inv_letters"], live["inv_glyphs"], setup.options
        )

    def press(self, key: int) -> None:
        """Play one key and refresh the record. After the end nothing changes any more."""
        self.keys += 1
        if self.record["status"]:
            return
        if key in SURRENDERS:
            self.record["status"] = SURRENDERS[key]
            return
        messages: list[str] = []
        self._raw(key)
        self._fold(messages)
        if self.over:
            self._end(messages)
        else:
            self._copy(messages)
            self.record["status"] = self.referee.look()

    def report(self) -> bytes:
        """The referee's report as JSON with its length."""
        if not self.over:
            self.referee.finish(died=False)
        return packed(self.referee.report(self.keys, self.folded, self.prompts, time.process_time()))

    def close(self) -> None:
        """End the game. A recorded one that still runs is quit, because only ended games get a line in the xlogfile."""
        if self.recorded and not self.over:
            for key in (ESCAPE, ESCAPE, QUIT_KEY, ord("y")):
                if not self.over:
                    self._raw(key)
            self._fold([])
        self.game.close()

    def _raw(self, key: int) -> None:
        _, done = self.game.step(key)
        self.over = bool(done)

    def _fold(self, messages: list[str]) -> None:
        """Pass over every --More--, keeping what was said; after death also over the last questions."""
        live, folded = self.live, 0
        while not self.over:
            dying = live["program_state"][0]
            misc = live["misc"]
            if misc[2]:
                screen = live["tty_chars"].tobytes()
                at = screen.find(MORE)
                if at < 0 and not dying:
                    break
                self._keep(messages, screen, at)
                self._raw(ENTER)
            elif dying:
                self._raw(ESCAPE)
            else:
                break
            folded += 1
            if folded > CLOSING_KEYS:
                break
        self._keep_topline(messages)
        self.folded += folded
        self.record["folded"] = min(folded, 255)

    def _keep(self, messages: list[str], screen: bytes, at: int) -> None:
        row, col = divmod(max(at, 0), st.SCREEN_COLS)
        if row <= 1:
            self._keep_topline(messages)
            return
        for line in range(row):  # a text window lies over the map
            text = screen[line * st.SCREEN_COLS + col : (line + 1) * st.SCREEN_COLS].decode("latin-1").strip()
            if text:
                messages.append(text)

    def _keep_topline(self, messages: list[str]) -> None:
        raw = self.live["message"]
        if raw[0]:
            text = raw.tobytes().split(b"\0", 1)[0].decode("latin-1")
            if not messages or messages[-1] != text:
                messages.append(text)

    def _copy(self, messages: list[str]) -> None:
        record = self.record
        for source, target in self.views:
            target[...] = source
        np.take(self.appearances, self.live["glyphs"], out=record["glyphs"])
        self._tell(messages)
        yes_no, line, waiting = self.live["misc"].tolist()
        record["prompt"] = st.YES_NO if yes_no else st.LINE if line else st.MENU if waiting else st.NO_PROMPT
        if record["prompt"]:
            self.prompts += 1

    def _tell(self, messages: list[str]) -> None:
        text = "\n".join(messages)[: st.MESSAGE_BYTES]
        self.record["message"] = text.encode("latin-1", "replace") if messages else b""

    def _end(self, messages: list[str]) -> None:
        """The last record keeps map and status line of the moment before: after death the game clears them."""
        self._tell(messages)
        self.record["prompt"] = st.NO_PROMPT
        line = self.referee.last_line = self._score_line()
        self.record["stats"][st.SCORE] = int(line.get("points", 0))
        self.record["status"], self.record["death"] = self._ending(" ".join(messages), line.get("death", ""))
        self.referee.finish(died=True)

    def _score_line(self) -> dict[str, str]:
        """The game's own last line of its xlogfile."""
        for folder in self.score_files:
            for path in folder.glob("*xlogfile"):
                if lines := path.read_text("latin-1").splitlines():
                    return dict(part.split("=", 1) for part in lines[-1].split("\t") if "=" in part)
        return {}

    def _ending(self, said: str, death: str) -> tuple[int, bytes]:
        how = int(self.game.how_done())
        if how in HOW:
            return HOW[how], death.encode("latin-1")[:127]
        if any(word in death for word in TRAP_WORDS) or any(word in said for word in TRAP_MESSAGES):
            return st.TRAPPED, death.encode("latin-1")[:127]
        return st.KILLED if how in (0, 2) else st.OTHER_DEATH, death.encode("latin-1")[:127]


def load() -> None:
    """Import the game and the referee; a cradle does so before it forks."""
    # nle's package imports its gymnasium environments, half a second of code that nothing here uses.
    sys.modules.setdefault("nle.env", types.ModuleType("nle.env"))
    importlib.import_module("nle.nethack")
    importlib.import_module("gridsage.games.nethack.session.referee")
    importlib.import_module("gridsage.games.nethack.session.des")


def appearances(nethack: Any) -> NDArray[np.int16]:
    """Return for every glyph the first one that looks the same on a screen: a magic lamp's is an oil lamp's."""
    found = np.arange(nethack.MAX_GLYPH, dtype=np.int16)
    first: dict[tuple[object, str], int] = {}
    for number in range(nethack.NUM_OBJECTS):
        look = nethack.objdescr.from_idx(number).oc_descr
        if look:
            kind = nethack.objclass(number).oc_class
            found[nethack.GLYPH_OBJ_OFF + number] = nethack.GLYPH_OBJ_OFF + first.setdefault((kind, look), number)
    return found


def set_birthday(library: str) -> None:
    """Set the hero's birthday, which the clock gave: the names and the sexes of shopkeepers are drawn from it.

    The first level never has a shop, so nothing has been drawn yet.
    """
    handle = ctypes.CDLL(library)
    ctypes.c_long.in_dll(handle, "ubirthday").value = BIRTHDAY
    _ctypes.dlclose(handle._handle)  # a handle kept across a reset aborts the process


def game_options(options: Options) -> list[str]:
    """NetHack's own option words for these options."""
    words = [
        "color", "disclose:-i -a -v -g -c -o", "mention_walls", "nobones", "nocmdassist", "nolegacy", "nosparkle",
        "pickup_burden:unencumbered", "runmode:teleport", "showexp", "showscore", "time", "!tombstone",
    ]  # fmt: skip
    words += ["autopickup", f"pickup_types:{options.pickup}"] if options.pickup else ["!autopickup"]
    if not options.pet:
        words.append("pettype:none")
    if options.character != RANDOM_CHARACTER:
        given = options.character.split("-")[1:]
        for name, choices in (("race", RACES), ("align", ALIGNMENTS), ("gender", GENDERS)):
            if not any(word in choices for word in given):
                words.append(f"{name}:random")
    return words


def _read(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def serve(stream: BinaryIO, out: int, folder: Path) -> None:
    """Answer orders until the end or until whoever plays is gone.

    Args:
        out: the file descriptor that records and reports are written to.
        folder: made by whoever plays, who removes it too, also after we had to be killed.
    """
    tempfile.tempdir = str(folder)  # nle makes its game folder below it
    try:
        order = _read(stream, 1)  # outside the assertion, which `python -O` leaves out
        assert order == START
        (size,) = LENGTH.unpack(_read(stream, LENGTH.size))
        setup = msgspec.json.decode(_read(stream, size), type=Setup)
        try:
            game = GameProcess(setup, folder)
        except Exception as error:  # whatever it is, whoever plays shall hear it in words
            _write(out, packed(Failure(f"the game cannot start: {error}")))
            return
        _write(out, packed(Failure("")))
        _write(out, game.record.tobytes())
        while (order := stream.read(1)) and order != END:
            if order == KEY:
                game.press(_read(stream, 1)[0])
                _write(out, game.record.tobytes())
            elif order == REPORT:
                _write(out, game.report())
        game.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # where whoever plays was killed


def _write(out: int, data: bytes) -> None:
    while data:
        data = data[os.write(out, data) :]
