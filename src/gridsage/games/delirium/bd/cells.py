"""Cell codes of a Boulder Dash cave and the symbols that stand for them in pictures."""

from __future__ import annotations

SPACE, DIRT, BRICK, STEEL, MAGIC_WALL, EXIT_SHUT, EXIT_OPEN = range(7)
BOULDER, DIAMOND, FALLING_BOULDER, FALLING_DIAMOND = range(7, 11)
AMOEBA, SLIME, GROWING_WALL, INBOX, BIRTH_1, BIRTH_2, BIRTH_3, ROCKFORD = range(11, 19)
# Flies face left, up, right or down: kind + 0 to 3.
FIREFLY, BUTTERFLY = 20, 24
# Four ticks each: kind + 0 to 3. The first leaves space, the second a diamond.
EXPLOSION, DIAMOND_BIRTH = 28, 32
KINDS = 36

KIND_MASK = 63
MARKED = 64  # put here in this very tick
ACTIVE = 128  # the scan has to look at it

SYMBOLS = {
    " ": SPACE,
    ".": DIRT,
    "#": BRICK,
    "S": STEEL,
    "M": MAGIC_WALL,
    "X": EXIT_SHUT,
    "Y": EXIT_OPEN,
    "o": BOULDER,
    "d": DIAMOND,
    "O": FALLING_BOULDER,
    "D": FALLING_DIAMOND,
    "a": AMOEBA,
    "s": SLIME,
    "H": GROWING_WALL,
    "I": INBOX,
    "x": BIRTH_1,
    "y": BIRTH_2,
    "z": BIRTH_3,
    "@": ROCKFORD,
    **{symbol: FIREFLY + facing for facing, symbol in enumerate("1234")},
    **{symbol: BUTTERFLY + facing for facing, symbol in enumerate("5678")},
    **{symbol: EXPLOSION + stage for stage, symbol in enumerate("efgh")},
    **{symbol: DIAMOND_BIRTH + stage for stage, symbol in enumerate("ijkl")},
}
DRAWN = {kind: symbol for symbol, kind in SYMBOLS.items()}


def picture(cells: bytes, cols: int, size: int) -> list[str]:
    """Return the rows of a position as text."""
    symbols = "".join(DRAWN[byte & KIND_MASK] for byte in cells[:size])
    return [symbols[start : start + cols] for start in range(0, size, cols)]
