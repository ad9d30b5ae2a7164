"""Write perft.json: ten positions with each card, and how many lines of one to three turns the slow engine counts.

python tests/golden/pushem/make_perft.py    # takes some minutes; run it only when the rules change
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from gridsage.games.pushem.level import CARD_NAMES, PRESETS, board_text, parse, parse_hand
from naive import pushem_twin as naive

POSITIONS = 10
HEADERS = [
    "turn: first\nply: 0",
    "turn: second\nply: 7",
    "turn: first\nply: 28",  # the outer ring cracks within these three turns
    "turn: second\nply: 29",
    "turn: first\nply: 49",
    "turn: first\nply: 117",  # the count comes within these three turns
    "turn: second\nply: 118",
    "turn: first\nply: 3\nreversed: yes",
    "turn: second\nply: 68",
    "turn: first\nply: 12",
]


def some_position(number: int) -> str:
    """An island of some sixteen cells with two or three pawns a side, one of them frozen in every third position."""
    draw = random.Random(number)
    rows, cols = draw.choice([(4, 4), (3, 5), (5, 3), (3, 6), (6, 3)])
    top, left = draw.randrange(9 - rows), draw.randrange(9 - cols)
    island = [(row, col) for row in range(top, top + rows) for col in range(left, left + cols)]
    pawns = 2 + number % 2
    places = draw.sample(island, 2 * pawns + 2)
    first, second = naive.board_of(places[:pawns]), naive.board_of(places[pawns : 2 * pawns])
    ground = naive.board_of([cell for cell in island if cell not in places[2 * pawns :]])
    frozen = naive.board_of(places[:1]) if number % 3 == 0 else 0
    board = board_text(first, second, ((1 << 64) - 1) & ~ground & ~(first | second), frozen)
    return f"{HEADERS[number]}\n{board}"


def twin_at(position: str, card: str) -> naive.Twin:
    preset = PRESETS["r1"]
    return naive.from_level(parse(position), frozenset([card]), preset.rings, preset.last_ply)


def main() -> None:
    entries = []
    for number in range(POSITIONS):
        position = some_position(number)
        for card in CARD_NAMES:
            assert parse_hand(card, "perft")
            counts = [naive.perft(twin_at(position, card), depth) for depth in (1, 2, 3)]
            entries.append({"position": position, "card": card, "counts": counts})
            print(number, card, counts, flush=True)
    path = Path(__file__).with_name("perft.json")
    path.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
