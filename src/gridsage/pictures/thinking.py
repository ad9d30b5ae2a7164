"""What an agent told about a decision, drawn over a position as the page does: its path, and the danger of cells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gridsage.core.game import Thoughts
from gridsage.pictures.svg import Layout

FAINTEST = 8  # of 255: less danger is not seen
VEIL, HATCHING = "#e228a0", "#ffbeeb"
PATH, RIM = "#ffe27a", "#0c1119"


def drawn(thoughts: Thoughts, plan: Layout, rows_above: int = 0) -> str:
    """Return the path and the danger as a part of an SVG document.

    Args:
        rows_above: lines of a terminal over the board, which are no cells of it.
    """
    return _danger(thoughts.heat, plan, rows_above) + _path(thoughts.path, plan, rows_above)


def _danger(heat: Sequence[int], plan: Layout, above: int) -> str:
    parts = []
    for cell, danger in enumerate(heat):
        if danger <= FAINTEST:
            continue
        x, y, strength = cell % plan.cols * plan.wide, (cell // plan.cols + above) * plan.tall, danger / 255
        veil = f'<rect x="{x}" y="{y}" width="{plan.wide}" height="{plan.tall}" fill="{VEIL}"'
        parts.append(f'{veil} opacity="{0.1 + 0.4 * strength:.2f}"/>')
        line = f"M{x + plan.wide * 0.3:g} {y + plan.tall * 0.8:g}l{plan.wide * 0.4:g} {-plan.tall * 0.6:g}"
        width = max(1.0, plan.tall * 0.05)
        parts.append(
            f'<path d="{line}" stroke="{HATCHING}" stroke-width="{width:g}" opacity="{0.15 + 0.6 * strength:.2f}"/>'
        )
    return "".join(parts)


def _path(path: Sequence[int], plan: Layout, above: int) -> str:
    if not path:
        return ""
    points = [_centre(cell, plan, above) for cell in path]
    moves = ["M{:g} {:g}".format(*points[0])]
    for (before, cell), point in zip(pairwise(path), points[1:], strict=True):
        straight = before % plan.cols == cell % plan.cols or before // plan.cols == cell // plan.cols
        moves.append(("L" if straight else "M") + "{:g} {:g}".format(*point))
    thick, line = max(3.0, plan.tall * 0.2), "".join(moves)
    pen = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    dashes = f"{plan.tall * 0.28:g} {plan.tall * 0.24:g}"
    x, y = points[-1]
    return (
        f'<path d="{line}" {pen} stroke="{RIM}" stroke-opacity="0.75" stroke-width="{thick:g}"/>'
        f'<path d="{line}" {pen} stroke="{PATH}" stroke-width="{thick * 0.55:g}" stroke-dasharray="{dashes}"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{plan.tall * 0.2:g}" fill="{PATH}" stroke="{RIM}"/>'
    )


def _centre(cell: int, plan: Layout, above: int) -> tuple[float, float]:
    return (cell % plan.cols + 0.5) * plan.wide, (cell // plan.cols + above + 0.5) * plan.tall
