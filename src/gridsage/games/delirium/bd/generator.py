"""Fresh caves by the filler of 1984."""

from __future__ import annotations

from gridsage.core.errors import OptionError
from gridsage.core.rng import generator
from gridsage.core.room import NamedLevel

MOST_SEED = 2**31
# Of 256: space, boulders, diamonds, fireflies; needed diamonds and seconds, easiest first.
RECIPES = ((60, 40, 12, 1, 8, 150), (60, 50, 10, 2, 10, 120), (55, 55, 9, 3, 10, 100), (50, 60, 9, 4, 12, 80))


def generate(seed: int, difficulty: int = 1, rows: int = 22, cols: int = 40) -> NamedLevel:
    """Return a cave of the filler with inbox and exit at its ends.

    Args:
        difficulty: 1 to 4, more boulders and flies and less time; the five difficulties of the cave itself differ in
            the seed of the filler.
    """
    for name, value, least, most in (
        ("seed", seed, 0, MOST_SEED),
        ("difficulty", difficulty, 1, len(RECIPES)),
        ("rows", rows, 8, 200),
        ("cols", cols, 12, 200),
    ):
        if not least <= value <= most:
            raise OptionError(f"{name} {value}: expected {least} to {most}")
    random = generator(seed, "cave", difficulty)
    space, boulder, diamond, firefly, needed, time = RECIPES[difficulty - 1]
    seeds = " ".join(str(random.randrange(1, 256)) for _ in range(5))
    lines = [
        "[cave]",
        f"Name=Cave {seed}",
        f"Size={cols} {rows}",
        f"DiamondsRequired={needed}",
        "DiamondValue=10 15",
        f"CaveTime={time}",
        "CaveScheduling=bd1",
        "PALTiming=true",
        "CaveDelay=12 6 3 1 0",
        f"RandSeed={seeds}",
        f"RandomFill=SPACE {space} BOULDER {boulder} DIAMOND {diamond} FIREFLYl {firefly}",
        "[objects]",
        f"Point=2 {random.randrange(2, rows - 2)} INBOX",
        f"Point={cols - 2} {random.randrange(2, rows - 2)} OUTBOX",
        "[/objects]",
        "[/cave]",
    ]
    return NamedLevel(f"cave-{seed}", "\n".join(lines) + "\n")
