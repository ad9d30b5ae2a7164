"""The keys of the game: which are legal, and the words for them. An action is the code of a key."""

from __future__ import annotations

from gridsage.core.game import Action

# Keys that the game does not have: the player ends the game as stuck, and says why.
GIVE_UP, GIVE_UP_IDLE = 0, 1

# The order is that of a screen's buttons: what is wanted most comes first.
WORDS = {
    ord("k"): "north", ord("l"): "east", ord("j"): "south", ord("h"): "west",
    ord("u"): "northeast", ord("n"): "southeast", ord("b"): "southwest", ord("y"): "northwest",
    ord("s"): "search", ord("."): "wait", ord(","): "pick up", ord("o"): "open", 4: "kick", ord("<"): "up",
    ord(">"): "down", ord("i"): "inventory", ord("e"): "eat", ord("d"): "drop", ord("F"): "fight", ord("t"): "throw",
    ord("w"): "wield", ord("W"): "wear", ord("q"): "quaff", ord("r"): "read", ord("a"): "apply", ord("_"): "travel",
    ord("T"): "take off", ord("z"): "zap", ord(":"): "look", ord("c"): "close", ord("E"): "engrave",
    ord("f"): "fire", ord("P"): "put on", ord("R"): "remove", ord("Z"): "cast", ord("x"): "swap weapons",
    ord(";"): "look there", ord("p"): "pay", ord("Q"): "quiver", ord("?"): "help",
    27: "escape", 13: "enter", 32: "space", 8: "erase", 15: "overview", 18: "redraw",
    20: "teleport", 24: "attributes", GIVE_UP: "give up: no progress", GIVE_UP_IDLE: "give up: no turn passes",
}  # fmt: skip
EXTENDED = {
    0x80 | ord(letter): f"#{word}"
    for letter, word in {
        "a": "adjust", "c": "chat", "d": "dip", "e": "enhance", "f": "force", "i": "invoke", "j": "jump", "l": "loot",
        "m": "monster", "o": "offer", "p": "pray", "q": "quit", "r": "rub", "s": "sit", "t": "turn", "u": "untrap",
        "w": "wipe", "A": "annotate", "C": "conduct", "R": "ride", "T": "tip",
    }.items()
}  # fmt: skip
# Saving, the shell and suspending would leave the game without ending it. Control-p is no key here either: the older
# messages that it shows are not kept by nle, and within a question it kills the game's process.
_FORBIDDEN = {ord("S"), ord("!")}
LEGAL: tuple[Action, ...] = tuple(sorted({*WORDS, *EXTENDED, *range(32, 127)} - _FORBIDDEN))
LABELS = {
    action: WORDS.get(action) or EXTENDED.get(action) or f"key {chr(action)}" for action in LEGAL
}  # fmt: skip

ARROWS = {"up": "north", "right": "east", "down": "south", "left": "west"}
CORNERS = {"home": "northwest", "pageup": "northeast", "end": "southwest", "pagedown": "southeast"}
RUNS = {"shift-up": "key K", "shift-right": "key L", "shift-down": "key J", "shift-left": "key H"}
NAMED = {"kick": "kick", "pray": "#pray", "loot": "#loot", "force": "#force", "backspace": "erase"}


def spelled(action: Action) -> str:
    """A key as people write it: `x`, `enter`, `ctrl-d`, `alt-p`."""
    names = {13: "enter", 27: "escape"}
    if action >= 0x80:
        return f"alt-{chr(action & 0x7F)}"
    return names.get(action) or (chr(action) if action >= 32 else f"ctrl-{chr(action + 96)}")


# What a person types: every printable key is itself, which also answers menus and questions.
TYPED = {
    spelled(action): LABELS[action]
    for action in {**WORDS, **EXTENDED, **LABELS}
    if action in LABELS and action not in (GIVE_UP, GIVE_UP_IDLE)
} | {**ARROWS, **CORNERS, **RUNS, **NAMED}
