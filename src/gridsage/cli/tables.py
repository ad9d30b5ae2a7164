"""Tables that stay readable: as wide as they are where there is room, otherwise one block per row."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Sequence

from gridsage.cli import output

GAP = 2  # columns between two cells
INDENT = "  "


def show(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table. Cells may have several lines, which are joined where the screen is wide enough.

    Where the table is wider than the screen every row becomes a block of its own, its first cell the heading.
    """
    screen = output.console()
    lines = laid_out(headings, rows, screen.width)
    for line in [*textwrap.wrap(title, screen.width), *lines]:
        screen.print(line, markup=False, soft_wrap=True)


PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>gridsage</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color-scheme: light dark; }}
div {{ overflow-x: auto; }}
table {{ border-collapse: collapse; margin: 0 0 2rem; }}
caption {{ text-align: left; font-weight: 600; padding: 0.5rem 0; }}
th, td {{ text-align: left; vertical-align: top; padding: 0.3rem 0.8rem; border-bottom: 1px solid #8886; }}
</style>
</head>
<body>
{tables}</body>
</html>
"""


def page(groups: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]]) -> str:
    """Return tables as one HTML file that asks for nothing and runs nothing: each a title, headings and rows."""
    return PAGE.format(tables="".join(_html(*group) for group in groups))


def _html(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f'<th scope="col">{_text(heading)}</th>' for heading in headings)
    lines = "".join(f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>\n" for row in rows)
    return f"<div><table>\n<caption>{_text(title)}</caption>\n<tr>{heads}</tr>\n{lines}</table></div>\n"


def _text(words: str) -> str:
    return html.escape(words).replace("\n", "<br>")


def say(words: str) -> None:
    """Print a sentence, folded at the width of the screen."""
    screen = output.console()
    for line in textwrap.wrap(words, screen.width, subsequent_indent=INDENT):
        screen.print(line, markup=False, soft_wrap=True)


def laid_out(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """The lines of the table, none longer than `width` unless a single word is."""
    stacked = [list(headings), *map(list, rows)]
    for table in ([_on_one_line(row) for row in stacked], stacked):
        columns = range(len(headings))
        widths = [max(len(line) for row in table for line in row[column].split("\n")) for column in columns]
        if sum(widths) + GAP * (len(widths) - 1) <= width:
            ruled = [table[0], ["-" * each for each in widths], *table[1:]]
            return [line for row in ruled for line in _row(row, widths)]
    return [line for row in rows for line in _block(headings, row, width)]


def _on_one_line(cells: Sequence[str]) -> list[str]:
    """The cells with their lines joined: names and counts by commas, an interval to its value by a space."""
    last = len(cells) - 1
    return [(", " if place in (0, last) else " ").join(cell.split("\n")) for place, cell in enumerate(cells)]


def _row(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    parts = [cell.split("\n") for cell in cells]
    last = len(cells) - 1
    lines = []
    for number in range(max(map(len, parts))):
        words = [part[number] if number < len(part) else "" for part in parts]
        padded = [
            word.ljust(width) if place in (0, last) else word.rjust(width)
            for place, (word, width) in enumerate(zip(words, widths, strict=True))
        ]
        lines.append((" " * GAP).join(padded).rstrip())
    return lines


def _block(headings: Sequence[str], cells: Sequence[str], width: int) -> list[str]:
    (_, *names), (title, *values) = _on_one_line(headings), _on_one_line(cells)
    lines = textwrap.wrap(title, width, subsequent_indent=INDENT)
    for name, value in zip(names, values, strict=True):
        lines += textwrap.wrap(f"{name}: {value}", width, initial_indent=INDENT, subsequent_indent=INDENT * 2)
    return [*lines, ""]
