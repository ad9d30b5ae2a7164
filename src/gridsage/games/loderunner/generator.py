"""New levels of Lode Runner that the master has won."""

from __future__ import annotations

import itertools
import random
import time

from gridsage.core.amounts import counted
from gridsage.core.errors import OptionError
from gridsage.core.game import Budget
from gridsage.core.progress import tell
from gridsage.core.rng import child_seed, generator
from gridsage.core.room import NamedLevel
from gridsage.games.loderunner.agents.master import Master
from gridsage.games.loderunner.checker import PROOF_NODES, out_of_reach, played_by_master
from gridsage.games.loderunner.level import MOST_CELLS, Options, parse
from gridsage.games.loderunner.state import WON

TRIES = 400  # drafts before the generator gives up
PROOFS = 10  # seeds with which a generated level has been won: 1, 2, ...
PROOF_ROUNDS = 600
PUZZLE_ROWS, PUZZLE_COLS = 14, 28
SMALLEST = "WWWWW\nWR.XW\nWFFFW\nWWWWW\n"
LEAST_APART = 6  # cells between the runner and an enemy at the start


def generate(
    seed: int = 1,
    rows: int = 14,
    cols: int = 28,
    floors: int = 4,
    enemies: int = 3,
    bonuses: int = 6,
    proofs: int = PROOFS,
    seconds: float = 120.0,
) -> NamedLevel:
    """A level that the master has won with ten seeds; the same settings give the same level, or none in time.

    Args:
        rows: height, walls included.
        floors: storeys; each needs three rows.
        proofs: seeds with which the master has to win it.
        seconds: time after which the search is given up.
    """
    _check_settings(rows, cols, floors, enemies, bonuses, proofs, seconds)
    played_by_master(parse(SMALLEST), Options(), 1, Budget(nodes=1), most=1)  # compiled before the clock starts
    deadline = time.perf_counter() + seconds
    dice = generator(child_seed(seed, "loderunner", rows, cols, floors, enemies, bonuses))
    tried, most = 0, 0
    while tried < TRIES and time.perf_counter() < deadline:
        tried += 1
        text = _draft(dice, rows, cols, floors, enemies, bonuses)
        won = 0 if text is None else _times_won(text, proofs, tried, deadline)
        if text is not None and won == proofs:
            return NamedLevel(f"generated-{seed}-{rows}x{cols}-{enemies}", text)
        most = max(most, won)
    spent = counted(tried, "draft") if tried == TRIES else f"{counted(seconds, 'second')} with {tried} tried"
    raise OptionError(
        f"no level with {counted(enemies, 'enemy', 'enemies')} and {counted(bonuses, 'bonus', 'bonuses')} in "
        f"{rows} x {cols} cells was won with all of {counted(proofs, 'seed')} in {spent} "
        f"(the best one with {most}): ask for fewer enemies, more room or more time"
    )


def drawn(seed: int) -> NamedLevel:
    """Return a level of the usual size that nobody has won yet: no change of the master changes it."""
    dice = generator(child_seed(seed, "loderunner puzzle"))
    for _ in range(TRIES):
        text = _draft(dice, PUZZLE_ROWS, PUZZLE_COLS, 4, dice.randint(1, 4), dice.randint(4, 8))
        if text is not None:
            return NamedLevel(f"drawn-{seed}", text)
    raise OptionError(f"seed {seed} draws no level")


def _check_settings(rows: int, cols: int, floors: int, enemies: int, bonuses: int, proofs: int, seconds: float) -> None:
    for name, value, least, most in (
        ("rows", rows, 6, 64),
        ("cols", cols, 10, 64),
        ("floors", floors, 1, 20),
        ("enemies", enemies, 0, 20),
        ("bonuses", bonuses, 0, 60),
        ("proofs", proofs, 1, 100),
        ("seconds", seconds, 0.001, 1_000_000),
    ):
        if not least <= value <= most:
            raise OptionError(f"{name}={value} is outside {least} to {most}")
    if rows < 3 * floors + 2:
        raise OptionError(f"floors={floors} needs at least {3 * floors + 2} rows, got rows={rows}")
    if rows * cols > MOST_CELLS:
        raise OptionError(f"{rows} rows of {cols} cells are more than {MOST_CELLS} cells")


def _times_won(text: str, proofs: int, number: int, deadline: float) -> int:
    """The seeds with which the draft of that number is won, up to the first that loses it.

    The player is the one without foresight: what it wins the other wins, and levels stay what they were.
    """
    level = parse(text)
    if out_of_reach(level):
        return 0
    for seed in range(1, proofs + 1):
        tell(f"draft {number}, won with {seed - 1} of {proofs} seeds")
        player = Master(foresight=False)
        state, _ = played_by_master(
            level, Options(), seed, Budget(nodes=PROOF_NODES), deadline, most=PROOF_ROUNDS, player=player
        )
        if state.status != WON:
            return seed - 1
    return proofs


def _draft(dice: random.Random, rows: int, cols: int, floors: int, enemies: int, bonuses: int) -> str | None:
    """A drawn level of storeys with ladders, gaps and cables; None when there is too little room."""
    grid = [["."] * cols for _ in range(rows)]
    heights = _heights(dice, rows, floors)
    for number, height in enumerate(heights):
        _lay_floor(dice, grid, height, is_ground=number == 0)
    for lower, upper in itertools.pairwise(heights):
        _raise_ladders(dice, grid, lower, upper)
    for row in range(rows):
        grid[row][0] = grid[row][-1] = "W"
    grid[0] = ["W"] * cols
    grid[-1] = ["W"] * cols
    top = heights[-1] - 1
    places = [col for col in range(2, cols - 2) if grid[top][col] == "." and grid[top + 1][col] in "FL"]
    if not places:
        return None
    grid[top][dice.choice(places)] = "X"
    return _populated(dice, grid, enemies, bonuses)


def _heights(dice: random.Random, rows: int, floors: int) -> list[int]:
    """Rows of the floors, the ground first; at least two free rows between two floors."""
    spare = rows - 2 - 3 * floors
    heights = [rows - 2]
    for _ in range(floors - 1):
        extra = dice.randint(0, min(spare, 2)) if spare > 0 else 0
        spare -= extra
        heights.append(heights[-1] - 3 - extra)
    return heights


def _lay_floor(dice: random.Random, grid: list[list[str]], height: int, is_ground: bool) -> None:
    cols = len(grid[0])
    for col in range(1, cols - 1):
        grid[height][col] = "F"
    if is_ground:
        return
    for _ in range(dice.randint(1, 3)):
        width = dice.randint(2, max(2, cols // 4))
        start = dice.randint(1, cols - 1 - width)
        has_cable = dice.random() < 0.6
        for col in range(start, start + width):
            grid[height][col] = "."
            if has_cable and height >= 3:
                grid[height - 2][col] = "C"
    for _ in range(dice.randint(0, 2)):
        col = dice.randint(2, cols - 3)
        if grid[height][col] == "F":
            grid[height][col] = "W"


def _raise_ladders(dice: random.Random, grid: list[list[str]], lower: int, upper: int) -> None:
    cols = len(grid[0])
    places = [col for col in range(1, cols - 1) if grid[upper][col] == "F" and grid[lower][col] in "FL"]
    for col in dice.sample(places, min(len(places), dice.randint(1, 3))):
        for row in range(upper, lower):
            grid[row][col] = "L"


def _populated(dice: random.Random, grid: list[list[str]], enemies: int, bonuses: int) -> str | None:
    """The level with runner, enemies and bonuses on free cells over a floor."""
    rows, cols = len(grid), len(grid[0])
    free = [
        (row, col)
        for row in range(1, rows - 1)
        for col in range(1, cols - 1)
        if grid[row][col] == "." and grid[row + 1][col] == "F"
    ]
    dice.shuffle(free)
    if len(free) < 1 + enemies + bonuses:
        return None
    runner = max(free, key=lambda place: place[0])
    free.remove(runner)
    far = [place for place in free if abs(place[0] - runner[0]) + abs(place[1] - runner[1]) >= LEAST_APART]
    if len(far) < enemies:
        return None
    for row, col in far[:enemies]:
        grid[row][col] = "E"
    left = [place for place in free if grid[place[0]][place[1]] == "."]
    for row, col in left[:bonuses]:
        grid[row][col] = "B"
    grid[runner[0]][runner[1]] = "R"
    return "\n".join("".join(row) for row in grid) + "\n"
