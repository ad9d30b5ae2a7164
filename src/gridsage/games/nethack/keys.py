"""The keys of the game: which are legal, and the words for them. An action is the code of a key."""

from __future__ import annotations

from gridsage.core.game import Action

# Keys that the game does not have: the player ends the game as stuck, and says why.
GIVE_UP, GIVE_UP_IDLE = 0, 1

WORDS = {
    GIVE_UP: "give up: no progress",
    GIVE_UP_IDLE: "give up: no turn passes",
    4: "kick", 13: "enter", 15: "overview", 18: "redraw", 20: "teleport", 24: "attributes", 27: "escape", 32: "space",
    ord("k"): "north", ord("l"): "east", ord("j"): "south", ord("h"): "west",
    ord("u"): "northeast", ord("n"): "southeast", ord("b"): "southwest", ord("y"): "northwest",
    ord("<"): "up", ord(">"): "down", ord("."): "wait", ord("s"): "search", ord("F"): "fight",
    ord("o"): "open", ord("c"): "close", ord("e"): "eat", ord(","): "pick up", ord("d"): "drop",
    ord("w"): "wield", ord("W"): "wear", ord("T"): "take off", ord("q"): "quaff", ord("r"): "read", ord("z"): "zap",
    ord("i"): "inventory", ord(":"): "look", ord("_"): "travel", ord("t"): "throw", ord("a"): "apply",
}  # fmt: skip
EXTENDED = {
    0x80 | ord(letter): f"#{word}"
    for letter, word in {
        "a": "adjust", "c": "chat", "d": "dip", "e": "enhance", "f": "force", "i": "invoke", "j": "jump", "l": "loot",
        "m": "monster", "o": "offer", "p": "pray", "q": "quit", "r": "rub", "s": "sit", "t": "turn", "u": "untrap",
        "w": "wipe", "A": "annotate", "C": "conduct", "R": "ride", "T": "tip",
    }.items()
}  # fmt: skip
# Saving, the shell and suspending would leave the game without ending it.
_FORBIDDEN = {ord("S"), ord("!")}
LEGAL: tuple[Action, ...] = tuple(sorted({*WORDS, *EXTENDED, *range(32, 127)} - _FORBIDDEN))
LABELS = {
    action: WORDS.get(action) or EXTENDED.get(action) or f"key {chr(action)}" for action in LEGAL
}  # fmt: skip

ARROWS = {"up": "north", "right": "east", "down": "south", "left": "west"}
NAMED = {"escape": "escape", "enter": "enter", "kick": "kick", "pray": "#pray", "loot": "#loot", "force": "#force"}
# What a person types: every printable key is itself, which also answers menus and questions.
TYPED = ARROWS | NAMED | {chr(action): LABELS[action] for action in LEGAL if 32 <= action < 127}
