"""State -> Frame: the map as coloured characters, the status line and the messages in words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from gridsage.core.frame import Frame
from gridsage.games.nethack import state as st
from gridsage.games.nethack.level import COLS, ROWS
from gridsage.games.nethack.state import State

# The game's sixteen colours: a name that browsers know, and the terminal's style. Black is unreadable on black.
COLOURS = (
    ("dimgray", "bright_black"), ("indianred", "red"), ("green", "green"), ("peru", "yellow"), ("royalblue", "blue"),
    ("mediumorchid", "magenta"), ("darkcyan", "cyan"), ("silver", "white"), ("gray", "bright_black"),
    ("orange", "bright_red"), ("lime", "bright_green"), ("yellow", "bright_yellow"), ("deepskyblue", "bright_blue"),
    ("violet", "bright_magenta"), ("cyan", "bright_cyan"), ("white", "bright_white"),
)  # fmt: skip
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
    if state.prompt == st.MENU:
        lines = [line.ljust(COLS)[:COLS] for line in state.screen[:ROWS]]
        cells = tuple(_SPRITES[7][ord(char)] if char != " " else BLANK for line in lines for char in line)
    else:
        cells = tuple(
            BLANK if char == 32 else _SPRITES[colour & 15][char]
            for char, colour in zip(state.chars.tolist(), state.colors.tolist(), strict=True)
        )
    status = status_words(state)
    said = " ".join(state.messages)
    words = ", ".join(f"{key} {value}" for key, value in status.items() if key != "message")
    return Frame(ROWS, COLS, cells, status=status, text=f"{said} {words}".strip())


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
