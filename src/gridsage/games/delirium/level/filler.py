"""The published cave filler of 1984: two 8-bit registers, and every seed gives another cave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

STEP = 0x13  # added to the low register at each number


def filler_numbers(seed: int) -> Iterator[int]:
    """The endless bytes of a seed: seed % 256 in the low register, as the original has it, the rest in the high one."""
    high, low = seed >> 8 & 0xFF, seed & 0xFF
    while True:
        high, low = next_registers(high, low)
        yield high


def next_registers(high: int, low: int) -> tuple[int, int]:
    """One turn of the filler."""
    high_half = (high & 1) << 7
    low_half = (low >> 1) & 0x7F
    low_carry = (low & 1) << 7
    total = low + low_carry
    carry = total > 0xFF
    total = (total & 0xFF) + carry + STEP
    carry = total > 0xFF
    low = total & 0xFF
    total = high + carry + high_half
    carry = total > 0xFF
    total = (total & 0xFF) + carry + low_half
    return total & 0xFF, low


def filled(
    rows: int, cols: int, numbers: Iterator[int], shares: Sequence[tuple[int, int]], otherwise: int
) -> list[list[int]]:
    """A grid filled from the second row to the last but one, all columns, each byte with its share of 256."""
    grid = [[otherwise] * cols for _ in range(rows)]
    for row in range(1, rows - 1):
        for col in range(cols):
            number, bound = next(numbers), 0
            for byte, share in shares:
                bound += share
                if number < bound:
                    grid[row][col] = byte
                    break
    return grid


def filled_by_bounds(
    rows: int, cols: int, numbers: Iterator[int], bounds: Sequence[tuple[int, int]], otherwise: int
) -> list[list[int]]:
    """As the caves of 1984 are coded: of all bounds that the number is below, the last one wins."""
    grid = [[otherwise] * cols for _ in range(rows)]
    for row in range(1, rows - 1):
        for col in range(cols):
            number = next(numbers)
            for byte, bound in bounds:
                if number < bound:
                    grid[row][col] = byte
    return grid
