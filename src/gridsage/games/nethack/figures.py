"""The four figures of the course project from our own games: tables first, and drawings of them as plain SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from gridsage.core.amounts import counted

# The report tells stuck, monsters, hunger and traps apart; what it did not meet is told by its own name.
CAUSES = {
    "killed": "monsters",
    "starved": "hunger",
    "trap": "traps",
}
PERFORMANCE = (
    ("squares", "squares", "squares_seen"),
    ("closed doors opened", "closed_doors", "closed_doors_opened"),
    ("secret doors", "secret_doors", "secret_doors_found"),
)
SECRETS = (
    ("secret doors", "secret_doors", "secret_doors_found"),
    ("secret corridors", "secret_corridors", "secret_corridors_found"),
    ("stairs down", "stairs_down", "stairs_down_seen"),
)
EVERYTHING = (
    ("squares", "squares", "squares_seen"),
    ("reachable without secrets", "open_squares", "open_squares_seen"),
    ("doors", "doors", "doors_seen"),
    *PERFORMANCE[1:],
    *SECRETS[1:],
)
ALL_GAMES = "all games"

Row = Mapping[str, Any]  # the figures of one game, as the tally gives them


@dataclass(frozen=True)
class Figure:
    """One figure: groups of bars, each a label and a share from 0 to 1."""

    number: str
    title: str
    groups: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]


def figures(rows: Sequence[Row]) -> list[Figure]:
    """The four figures of these games."""
    by_cause: dict[str, list[Row]] = {}
    for row in rows:
        cause = str(row.get("cause", "?")).partition(":")[0]
        by_cause.setdefault(CAUSES.get(cause, cause), []).append(row)
    causes = sorted(by_cause, key=lambda cause: -len(by_cause[cause]))
    ends = tuple((f"{cause} ({len(by_cause[cause])})", len(by_cause[cause]) / len(rows)) for cause in causes)
    return [
        Figure("13.1", f"How {counted(len(rows), 'game')} ended", (("share of games", ends),)),
        Figure("13.2", "What was discovered, by how the game ended", _groups(by_cause, causes, PERFORMANCE)),
        Figure("13.3", "Secrets and stairs found, by how the game ended", _groups(by_cause, causes, SECRETS)),
        Figure("13.4", "Means over all games", ((ALL_GAMES, shares(rows, EVERYTHING)),)),
    ]


def shares(rows: Sequence[Row], wanted: Sequence[tuple[str, str, str]]) -> tuple[tuple[str, float], ...]:
    """Found over existing, summed over all games; what exists nowhere is left out."""
    found = []
    for label, total, seen in wanted:
        existing = sum(float(row.get(total, 0)) for row in rows)
        if existing:
            found.append((label, sum(float(row.get(seen, 0)) for row in rows) / existing))
    return tuple(found)


def _groups(
    by_cause: Mapping[str, Sequence[Row]], causes: Sequence[str], wanted: Sequence[tuple[str, str, str]]
) -> tuple[tuple[str, tuple[tuple[str, float], ...]], ...]:
    return tuple((f"{cause} ({len(by_cause[cause])})", shares(by_cause[cause], wanted)) for cause in causes)


def table(figure: Figure) -> str:
    """The figure as lines of text."""
    lines = [f"{figure.number} {figure.title}"]
    for group, bars in figure.groups:
        lines.append(f"  {group}")
        lines += [f"    {label:<28}{share:7.1%}" for label, share in bars]
    return "\n".join(lines) + "\n"


WIDTH, LABEL, BAR, LINE, TOP = 640, 220, 340, 22, 46
HUES = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#888888")


def svg(figure: Figure) -> str:
    """The figure as horizontal bars with their numbers written beside them."""
    parts: list[str] = []
    y = TOP
    for group, bars in figure.groups:
        parts.append(f'<text x="12" y="{y}" font-weight="bold">{escape(group)}</text>')
        for number, (label, share) in enumerate(bars):
            y += LINE
            length = max(1, round(BAR * share))
            parts.append(f'<text x="{LABEL - 8}" y="{y}" text-anchor="end">{escape(label)}</text>')
            hue = HUES[number % len(HUES)]
            parts.append(f'<rect x="{LABEL}" y="{y - 13}" width="{length}" height="16" fill="{hue}"/>')
            parts.append(f'<text x="{LABEL + length + 6}" y="{y}">{share:.1%}</text>')
        y += LINE + 10
    title = f'<text x="12" y="22" font-size="16">{figure.number} {escape(figure.title)}</text>'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" '
        f'font-family="sans-serif" font-size="13" role="img" aria-label="{escape(figure.title)}">'
    )
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', title, *parts, "</svg>"]) + "\n"
