"""Make the five books of Ricochet Robots' levels: `python bench/ricochet_books.py [BOARDS]`.

Boards come from the room's own generator, one per seed from 1. Of every mission on them the solver tells the fewest
moves, and the fewest robots that move in such a solution; each book takes thirty, so many of each length, one per seed
at most. The lines of a book are moves, robots and the position, easiest first.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from gridsage.core.rng import generator
from gridsage.games import catalog
from gridsage.games.ricochet import missions
from gridsage.games.ricochet.books import FOLDER, Graded, to_line
from gridsage.games.ricochet.level import Level, Options
from gridsage.games.ricochet.level import to_line as position_line
from gridsage.games.ricochet.level.chance import FIRST_EDITION, printed_level

BOARDS = 3000
ROBOTS = 4
NODES = 30_000_000  # for one mission
SOLUTIONS = 100_000  # to look through for those that move the fewest robots: the most seen were 14,157
# For each book how many levels of which length, and how many robots have to move at least.
WANTED: dict[int, dict[tuple[int, int], int]] = {
    1: {(2, 1): 6, (3, 1): 10, (4, 1): 14},
    2: {(5, 1): 14, (6, 2): 16},
    3: {(7, 2): 15, (8, 2): 15},
    4: {(9, 2): 14, (10, 2): 10, (11, 3): 6},
    5: {(12, 3): 12, (13, 3): 9, (14, 3): 6, (15, 3): 3},
}


def rated(level: Level) -> list[Graded]:
    """Return every mission on the board with its proved length and robots, as far as some book wants it."""
    found = []
    for goal, fewest in missions.rate_missions(level, missions.RATING_DEPTH).items():
        if fewest is not None and not wanted(fewest, ROBOTS):
            continue
        wished = replace(level, mission=goal)
        solution = missions.solution(
            missions.start_of(wished, Options()), all_solutions=True, max_nodes=NODES, max_solutions=SOLUTIONS
        )
        if solution.length and wanted(solution.length, ROBOTS):
            used = min(len(missions.robots_used(each)) for each in solution.solutions)
            found.append(Graded(solution.length, used, position_line(wished)))
    return found


def wanted(moves: int, robots: int) -> int | None:
    """Return the book that still lacks a level of that length; None if there is none."""
    for book, kinds in WANTED.items():
        for (length, least), lacking in kinds.items():
            if length == moves and robots >= least and lacking > 0:
                return book
    return None


def main() -> int:
    catalog.ready_room("ricochet")
    books: dict[int, list[Graded]] = {book: [] for book in WANTED}
    for seed in range(1, int(sys.argv[1] if len(sys.argv) > 1 else BOARDS) + 1):
        level = printed_level(generator(seed, "books"), ROBOTS, FIRST_EDITION)
        fitting = [entry for entry in rated(level) if wanted(entry.moves, entry.robots)]
        if fitting:
            entry = max(fitting, key=lambda each: (each.moves, each.robots, each.position))  # long ones are rare
            book = wanted(entry.moves, entry.robots)
            assert book is not None
            books[book].append(entry)
            key = next(key for key in WANTED[book] if key[0] == entry.moves)
            WANTED[book][key] -= 1
        lacking = sum(sum(kinds.values()) for kinds in WANTED.values())
        print(f"\r{seed} boards, {lacking} levels are lacking ", end="", file=sys.stderr, flush=True)
        if not lacking:
            break
    print(file=sys.stderr)
    FOLDER.mkdir(exist_ok=True)
    for book, entries in books.items():
        lines = "".join(to_line(entry) + "\n" for entry in sorted(entries))
        (FOLDER / f"book_{book}.txt").write_text(lines, encoding="utf-8")
    return int(bool(lacking))


if __name__ == "__main__":
    sys.exit(main())
