"""State -> Frame: the screen of a terminal, line for line: messages, the map in colours, the two status lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from gridsage.core.frame import Frame, Question
from gridsage.games.nethack import state as st
from gridsage.games.nethack.level import CELLS, COLS, ROWS
from gridsage.games.nethack.state import State

# The game's sixteen colours on a dark ground: the browser's, and the terminal's style. Its black would be unreadable
# on black and stands for ground that is remembered, not seen: dim, but to be read.
COLOURS = (
    ("#6a7488", "bright_black"), ("#e5645c", "red"), ("#4fb865", "green"), ("#c08a4e", "yellow"),
    ("#6d94ff", "blue"), ("#cf7fe8", "magenta"), ("#39b9bd", "cyan"), ("#ccd2dd", "white"),
    ("#8a94a6", "bright_black"), ("#ff9d4d", "bright_red"), ("#83ec83", "bright_green"), ("#ffe25c", "bright_yellow"),
    ("#7cc4ff", "bright_blue"), ("#ff9df2", "bright_magenta"), ("#74f0f2", "bright_cyan"), ("#ffffff", "bright_white"),
)  # fmt: skip
SILVER = 7
MENU_REACH = 14  # columns from the cursor, which stands after "(end)", to what a menu says
HUNGER = ("Satiated", "", "Hungry", "Weak", "Fainting", "Fainted", "Starved")
CONDITIONS = (
    "Stone",
    "Slime",
    "Strangled",
    "FoodPois",
    "TermIll",
    "Blind",
    "Deaf",
    "Stun",
    "Conf",
    "Hallu",
    "Lev",
    "Fly",
    "Ride",
)
BLANK = "text: :white"

_SPRITES = [[f"text:{chr(code)}:{name}" for code in range(256)] for name, _ in COLOURS]
_BOTTOM = 1 + ROWS  # the first line of the terminal below the map; line 0 is the one above it

_WAYS = "hjklyubn.<>"
_WAY_WORDS = dict(
    zip(
        _WAYS,
        ("west", "south", "north", "east", "northwest", "northeast", "southwest", "southeast", "here", "up", "down"),
        strict=True,
    )
)
_CHOICES = re.compile(r"\[([^\]]+)\]")
_MENU_LINE = re.compile(r"(?:^|\s)([a-zA-Z$#*]) [-+#] (.+)")
_YES_NO = {"y": "yes", "n": "no", "q": "no, and stop asking", "a": "all"}
_ITEMS = {"-": "hands", "$": "gold", "?": "list", "*": "list everything"}
_MENU_ENDS = ((">", "next page"), ("<", "page before"), ("enter", "done"), ("escape", "leave"))


@cache
def glyphs() -> Mapping[str, tuple[str, str]]:
    """Character and terminal style of every sprite."""
    return {
        _SPRITES[number][code]: (chr(code), style)
        for number, (_, style) in enumerate(COLOURS)
        for code in range(32, 127)
    } | {BLANK: (" ", "")}


def frame(state: State) -> Frame:
    """The picture of one moment; an open menu covers the map as it does for a player."""
    chars, colours = state.chars.tolist(), state.colors.tolist()
    screen = state.screen
    if state.prompt == st.MENU:
        shown = [ord(char) for line in screen[1:_BOTTOM] for char in line.ljust(COLS)[:COLS]]
        colours = [colour if char == code else SILVER for char, code, colour in zip(shown, chars, colours, strict=True)]
        chars = shown
    cells = tuple(
        BLANK if char == 32 else _SPRITES[colour & 15][char] for char, colour in zip(chars, colours, strict=True)
    )
    status = status_words(state)
    question = asked(state)
    said = question.words if question is not None and question.kind == "text" else " ".join(state.messages)
    words = ", ".join(f"{key} {value}" for key, value in status.items() if key != "message")
    return Frame(
        ROWS,
        COLS,
        cells,
        status=status,
        text=f"{said} {words}".strip(),
        above=screen[:1] if state.prompt in (st.MENU, st.LINE) else state.messages,
        below=screen[_BOTTOM : _BOTTOM + 2],
        focus=_cursor(state),
        question=question,
    )


def asked(state: State) -> Question | None:
    """What the game waits for, with the keys that answer it and what they mean."""
    if state.status != st.RUNNING or not state.prompt:
        return None
    if state.prompt == st.MENU:
        lines = [found for line in state.screen[:_BOTTOM] if (found := _MENU_LINE.search(line))]
        entries = tuple((found[1], found[2].strip()) for found in lines)
        return Question("menu", state.screen[0].strip(), entries + _MENU_ENDS)
    words = state.messages[-1].strip() if state.messages else state.screen[0].strip()
    if state.prompt == st.LINE:
        return Question("text", state.screen[0].strip() or words, (("enter", "done"), ("escape", "leave")))
    choices = _CHOICES.search(words)
    if choices is None:
        ways = tuple(_WAY_WORDS.items()) if "direction" in words else ()
        return Question("way" if ways else "key", words, (*ways, ("escape", "leave")))
    carried = {letter: text for letter, _, text in state.pack}
    keys = dict.fromkeys(_offered(choices[1]))
    meanings = _ITEMS | carried if words.startswith("What do you want") else _YES_NO
    return Question("key", words, (*((key, meanings.get(key, "")) for key in keys), ("escape", "leave")))


def _offered(choices: str) -> Iterator[str]:
    """The keys in brackets after a question: `$a-c or ?*` are $, a, b, c, ? and *."""
    text = choices.replace(" or ", "").replace(" ", "")
    at = 0
    while at < len(text):
        if at + 2 < len(text) and text[at + 1] == "-" and text[at].isalpha() and text[at + 2].isalpha():
            yield from map(chr, range(ord(text[at]), ord(text[at + 2]) + 1))
            at += 3
        else:
            yield text[at]
            at += 1


def _cursor(state: State) -> int:
    """The cell under the terminal's cursor, the beginning of a menu, or the hero's cell."""
    row, col = np.frombuffer(state.data, np.uint8, 2, st.OFFSETS["cursor"]).tolist()
    if state.prompt == st.MENU:
        row, col = 1, min(col + MENU_REACH, COLS - 1)
    cell = (row - 1) * COLS + col
    return cell if state.prompt in (st.NO_PROMPT, st.MENU) and 0 <= cell < CELLS and col < COLS else state.cell


def status_words(state: State) -> dict[str, str]:
    """The status lines, shortened."""
    stats = state.stats
    troubles = [HUNGER[stats[st.HUNGER]]] if 0 <= stats[st.HUNGER] < len(HUNGER) else []
    troubles += [name for bit, name in enumerate(CONDITIONS) if stats[st.CONDITION] >> bit & 1]
    found = {
        "level": f"{stats[st.DEPTH]}",
        "turn": f"{stats[st.TURN]}",
        "hp": f"{stats[st.HP]}/{stats[st.HP_MAX]}",
        "experience": f"{stats[st.EXPERIENCE]}",
        "gold": f"{stats[st.GOLD]}",
        "condition": " ".join(word for word in troubles if word) or "well",
        "message": " ".join(state.messages),
    }
    if state.status != st.RUNNING:
        found["end"] = f"{st.REASONS[state.status]} {state.death}".strip()
    return found
