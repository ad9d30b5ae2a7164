"""Numbers as sentences and tables show them: in full, and with the noun they count."""

from __future__ import annotations

import math

DIGITS = 4  # that count, of a number that is not whole
MOST_DECIMALS = 15  # what is smaller than they can say is nothing


def amount(value: float, digits: int = DIGITS) -> str:
    """Return a number in full, never in powers of ten: `1,000,132`, `12.34`, `0.0005`."""
    if not math.isfinite(value):
        return f"{value:g}"
    if value == int(value):
        return f"{int(value):,}"
    decimals = min(MOST_DECIMALS, max(0, digits - 1 - math.floor(math.log10(abs(value)))))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def counted(number: float, noun: str, many: str = "", *, digits: int = DIGITS) -> str:
    """Return how many there are of something: `1 game`, `2,000 games`.

    Args:
        many: the plural, where it is not the noun with an s.
    """
    return f"{amount(number, digits)} {noun if number == 1 else many or f'{noun}s'}"
