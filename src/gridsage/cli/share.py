"""A recorded game as a file that others can open: a page, a film, a picture, a recording of a terminal."""

from __future__ import annotations

import io
import re
from collections.abc import Generator
from contextlib import closing
from itertools import groupby, islice, zip_longest
from operator import itemgetter
from pathlib import Path

import msgspec

from gridsage.cli import output
from gridsage.core.errors import OptionError, unknown
from gridsage.core.frame import Frame
from gridsage.core.game import Closing, Thoughts
from gridsage.core.room import NamedLevel, Room
from gridsage.core.trace import Trace
from gridsage.games import catalog
from gridsage.pictures import recorded

KINDS = ("html", "gif", "png", "svg", "cast")
OF_A_POSITION = ("html", "png", "svg")  # --step means something for them
PAINTED = ("gif", "png", "svg")  # --thoughts and --theme do
ESCAPE, PLAIN = "\x1b", "\x1b[0m"
PARTS = re.compile(r"\x1b\[[0-9;]*m|.")  # of a line as a terminal is sent it
GROUND = re.compile(r"[\[;](?:4[0-8]|10[0-7]|7)[;m]")  # a style that is seen on a space: a ground, or one turned around
Cell = tuple[str, str]  # a style and a character
USUAL_SPEED = 4.0  # steps per second where somebody asks for as fast as possible


class Wish(msgspec.Struct, frozen=True):
    """A file that is wanted: `html`, `gif`, `png`, `svg` or `cast`, and its path."""

    kind: str
    path: Path


class Manner(msgspec.Struct, frozen=True):
    """How files are to look."""

    step: int | None = None  # the position that a picture or a page shows
    speed: float = USUAL_SPEED  # steps per second
    thoughts: bool = False  # what the agent thought is drawn over pictures and films, where that was kept
    theme: str = recorded.USUAL_THEME
    language: str = "en"


def check(wishes: list[Wish], manner: Manner, found: Trace) -> None:
    """Refuse with a sentence what cannot be written, before anything is played."""
    kinds = {wish.kind for wish in wishes}
    if manner.thoughts and not kinds & set(PAINTED):
        raise OptionError("--thoughts are drawn over a picture: use it with --png, --svg or --gif")
    if manner.theme not in recorded.themes():
        raise unknown("theme", manner.theme, recorded.themes())
    if manner.theme != recorded.USUAL_THEME and not kinds & set(PAINTED):
        raise OptionError("--theme is how a picture looks: use it with --png, --svg or --gif")
    if manner.language != Manner().language:
        _check_language(manner.language, kinds)
    _check_paths(wishes)
    if manner.step is None:
        return
    if not kinds & set(OF_A_POSITION):
        raise OptionError("--step chooses a position: use it with --png, --svg or --html")
    if manner.step > len(found.actions):
        raise OptionError(f"--step {manner.step}: this game has the steps 0 to {len(found.actions)}")


def _check_language(language: str, kinds: set[str]) -> None:
    from gridsage.web import single_file

    if language not in single_file.LANGUAGES:
        raise unknown("language", language, single_file.LANGUAGES)
    if "html" not in kinds:
        raise OptionError("--language is that of a page: use it with --html")


def _check_paths(wishes: list[Wish]) -> None:
    for kind, path in ((wish.kind, wish.path) for wish in wishes):
        if path.suffix.lower() != f".{kind}":
            raise OptionError(f"--{kind} {path}: the name of the file has to end with .{kind}")
        if not path.parent.is_dir():
            raise OptionError(f"--{kind} {path}: there is no folder {path.parent}")


def write(wish: Wish, found: Trace, manner: Manner) -> int:
    """Write one file and return its size in bytes."""
    room = output.ready(found.game)
    data = _made(wish.kind, room, found, manner)
    try:
        wish.path.write_bytes(data)
    except OSError as error:
        raise OptionError(f"--{wish.kind} {wish.path}: {error.strerror}") from None
    return len(data)


def write_level(room: Room, level: NamedLevel, path: Path, seed: int) -> int:
    """Write the first position of a level as a page or a picture, and return the size of the file in bytes."""
    kind = path.suffix.lower().lstrip(".")
    if kind not in OF_A_POSITION:
        raise OptionError(f"{path}: the name of the file has to end with .{', .'.join(OF_A_POSITION)}")
    game = room.rules.game()
    try:
        state = game.start(game.parse(level.text), catalog.options(room, {}), seed)
        if kind == "html":
            from gridsage.web import single_file

            data = single_file.level_document(room, level, state).encode()
        else:
            data = recorded.still(kind, room, room.view.frame(state))
    finally:
        if isinstance(game, Closing):
            game.close()
    return _written(path, data)


def _written(path: Path, data: bytes) -> int:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise OptionError(f"{path}: {error.strerror}") from None
    return len(data)


def _made(kind: str, room: Room, found: Trace, manner: Manner) -> bytes:
    if kind == "html":
        from gridsage.web import single_file

        return single_file.document(room, found, manner.step, manner.language).encode()
    if kind == "cast":
        return _cast(room, found, manner.speed or USUAL_SPEED).encode()
    with closing(_frames(room, found)) as frames:
        told = dict(found.thoughts) if manner.thoughts else {}
        if kind == "gif":
            return recorded.film(room, frames, manner.speed or USUAL_SPEED, told, manner.theme)
        wanted = len(found.actions) if manner.step is None else manner.step
        frame = next(islice(frames, wanted, None))
        return recorded.still(kind, room, frame, told.get(wanted), manner.theme)


def _frames(room: Room, found: Trace) -> Generator[Frame, None, None]:
    return recorded.frames(room, found, catalog.options(room, found.options))


def _cast(room: Room, found: Trace, speed: float) -> str:
    """Return the game as the terminal shows it, in asciinema's format of version 2."""
    game, thoughts = room.rules.game(), dict(found.thoughts)
    labels = ["start", *(game.label(action) for action in found.actions)]
    with closing(_frames(room, found)) as frames:
        screens = [
            _screen(room, frame, thoughts.get(step - 1), f"step {step}: {labels[step]}")
            for step, frame in enumerate(frames)
        ]
    width = max(len(line) for plain, _ in screens for line in plain)
    height = max(len(plain) for plain, _ in screens)
    header = {"version": 2, "width": width, "height": height, "title": f"{room.title}: {found.level_name}"}
    lines = [msgspec.json.encode(header)]
    before: list[str] = []
    for step, (_, drawn) in enumerate(screens):
        lines.append(msgspec.json.encode([round(step / speed, 3), "o", changes(before, drawn)]))
        before = drawn
    return "".join(f"{line.decode()}\n" for line in lines)


def changes(before: list[str], after: list[str]) -> str:
    """Return what a terminal that shows one screen is sent to show the next: of each line the part that differs."""
    rows = enumerate(zip_longest(before, after, fillvalue=""), start=1)
    return "".join(_changed(row, _cells(old), _cells(new)) for row, (old, new) in rows if old != new)


def _cells(line: str) -> list[Cell]:
    """Return the characters of a line with their styles; what cannot be seen at its end is left out."""
    found: list[Cell] = []
    style = ""
    for part in PARTS.findall(line):
        if part.startswith(ESCAPE):
            style = "" if part == PLAIN else part
        else:  # the colour of a space is not seen, unless it has a ground
            found.append(("", " ") if part == " " and not GROUND.search(style) else (style, part))
    while found and found[-1] == ("", " "):
        found.pop()
    return found


def _changed(row: int, old: list[Cell], new: list[Cell]) -> str:
    """Return the part of a line in which all its changes lie, with a jump to where it begins."""
    first = next((col for col, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    last = len(new)
    if len(old) == len(new):
        last = max((col + 1 for col in range(first, last) if old[col] != new[col]), default=first)
    if first == last == len(old):
        return ""
    runs = (
        f"{style}{''.join(character for _, character in run)}{PLAIN if style else ''}"
        for style, run in groupby(new[first:last], key=itemgetter(0))
    )
    return f"\x1b[{row};{first + 1}H{''.join(runs)}" + ("\x1b[K" if len(new) < len(old) else "")


def _screen(room: Room, frame: Frame, thoughts: Thoughts | None, words: str) -> tuple[list[str], list[str]]:
    """Return the lines of a frame as plain text, and as a terminal is sent them."""
    from rich.console import Console

    from gridsage.cli.screen import draw

    text = draw(frame, room.view.glyphs, thoughts)
    text.append(f"{words}\n", "dim")
    told = io.StringIO()
    Console(file=told, force_terminal=True, color_system="truecolor", width=10_000, highlight=False).print(
        text, end="", soft_wrap=True
    )
    return text.plain.split("\n"), told.getvalue().split("\n")
