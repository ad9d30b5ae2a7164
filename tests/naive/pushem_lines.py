"""What the lines of Push'em All's board are worth, once more, cell by cell."""

from __future__ import annotations

from naive.pushem_twin import Cell, ring_of

PHASES, LATEST, CLOCK_WORDS, PATTERNS = 4, 20, 5, 3**8
STAGE_WORDS = 4 * PATTERNS


def clock_of(ply: int, rings: tuple[int, ...], last_ply: int) -> tuple[int, int]:
    """Rings that are cracking, and plies until the next one cracks or pawns are counted."""
    phase = sum(ply >= ring for ring in rings)
    following = [ring for ring in (*rings, last_ply) if ring > ply]
    return phase, min(following, default=ply) - ply


def worth(own: set[Cell], enemy: set[Cell], clock: tuple[int, int], learned: list[int]) -> int:
    """Clock and lines, from a flat list of weights."""
    phase, left = clock
    begin = (phase * (LATEST + 1) + min(left, LATEST)) * CLOCK_WORDS
    total = learned[begin + 4]
    total += sum(learned[begin + ring_of(cell)] for cell in own) - sum(learned[begin + ring_of(cell)] for cell in enemy)
    stage = 2 * phase + (left <= 8)
    tables = PHASES * (LATEST + 1) * CLOCK_WORDS + stage * STAGE_WORDS
    for number in range(8):
        for line in ([(number, place) for place in range(8)], [(place, number) for place in range(8)]):
            pattern = sum(
                3**place * (1 if cell in own else 2 if cell in enemy else 0) for place, cell in enumerate(line)
            )
            total += learned[tables + min(number, 7 - number) * PATTERNS + pattern]
    return total
