"""Push'em All once more, slowly and plainly: pawns in a dictionary, lines walked cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gridsage.games.pushem.level import Level

Cell = tuple[int, int]  # row from the top, col
STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}
BOARD = [(row, col) for row in range(8) for col in range(8)]
ON_BOARD = frozenset(BOARD)


@dataclass(frozen=True)
class Twin:
    pawns: dict[Cell, int]  # cell -> seat
    abyss: frozenset[Cell]
    frozen: frozenset[Cell]
    turn: int
    ply: int
    hands: tuple[frozenset[str], frozenset[str]]
    reversed: bool
    rings: tuple[int, ...]
    last_ply: int
    result: float | None = None  # score of First once the game is over


def from_level(
    level: Level,
    hand: frozenset[str],
    rings: tuple[int, ...],
    last_ply: int,
    hands: tuple[frozenset[str], frozenset[str]] | None = None,
) -> Twin:
    """The position with `hand` on both sides, or with `hands`."""
    pawns = dict.fromkeys(cells_of(level.first), 0) | dict.fromkeys(cells_of(level.second), 1)
    twin = Twin(
        pawns,
        frozenset(cells_of(level.abyss)),
        frozenset(cells_of(level.frozen)),
        level.turn,
        level.ply,
        hands or (hand, hand),
        bool(level.reversed),
        rings,
        last_ply,
    )
    return crack(twin)


def cells_of(board: int) -> list[Cell]:
    return [(row, col) for row, col in BOARD if board >> (row * 8 + col) & 1]


def board_of(cells: object) -> int:
    return sum(1 << (row * 8 + col) for row, col in cells)  # type: ignore[attr-defined]


def name(cell: Cell) -> str:
    return "abcdefgh"[cell[1]] + "87654321"[cell[0]]


def cell_named(text: str) -> Cell:
    return 8 - int(text[1]), "abcdefgh".index(text[0])


def ahead(cell: Cell, direction: str) -> Cell:
    return cell[0] + STEPS[direction][0], cell[1] + STEPS[direction][1]


def ring_of(cell: Cell) -> int:
    row, col = cell
    return min(row, col, 7 - row, 7 - col)


def crack(twin: Twin) -> Twin:
    if twin.ply < twin.rings[0]:
        return twin
    broken = {
        cell
        for cell in BOARD
        if ring_of(cell) < len(twin.rings) and twin.ply >= twin.rings[ring_of(cell)] and cell not in twin.pawns
    }
    return replace(twin, abyss=twin.abyss | broken)


def step(twin: Twin, direction: str) -> Twin:
    """A mover goes, and so does who has a mover behind it in a gapless line; a frozen own pawn stops its line."""
    stuck = {cell for cell, seat in twin.pawns.items() if seat == twin.turn and cell in twin.frozen}

    def has_mover_behind(cell: Cell) -> bool:
        while cell in twin.pawns and cell not in stuck:
            if twin.pawns[cell] == twin.turn:
                return True
            cell = ahead(cell, OPPOSITE[direction])
        return False

    def meets_stuck(cell: Cell) -> bool:
        while cell in twin.pawns:
            if cell in stuck:
                return True
            cell = ahead(cell, direction)
        return False

    pawns: dict[Cell, int] = {}
    frozen: set[Cell] = set()
    for cell, seat in twin.pawns.items():
        goes = has_mover_behind(cell) and not meets_stuck(cell)
        place = ahead(cell, direction) if goes else cell
        if place not in ON_BOARD or place in twin.abyss:
            continue
        pawns[place] = seat
        if cell in twin.frozen:
            frozen.add(place)
    return crack(replace(twin, pawns=pawns, frozen=frozenset(frozen)))


def landing(twin: Twin, cell: Cell, direction: str) -> Cell | None:
    if twin.pawns.get(cell) != twin.turn or cell in twin.frozen or ring_of(cell) == 0:
        return None
    place = ahead(cell, direction)
    while place in twin.pawns or place in twin.abyss:
        place = ahead(place, direction)
    return place if place in ON_BOARD else None


def turns(twin: Twin) -> Iterator[tuple[str, Twin]]:
    """Every legal turn as (notation, position after it)."""
    if twin.result is not None:
        return
    hand = frozenset() if twin.reversed else twin.hands[twin.turn]
    if "sleep" in hand:
        yield "sleep", finish(twin, twin, "sleep")
    for written in "URDL":
        direction = OPPOSITE[written] if twin.reversed else written
        stepped = step(twin, direction)
        yield written, finish(twin, stepped, None)
        for card in hand - {"sleep"}:
            for target, played in card_plays(stepped, card, direction):
                text = f"{written},{target}" if card == "replay" else f"{written}+{card}{target}"
                yield text, finish(twin, crack(played), card)


def card_plays(twin: Twin, card: str, direction: str) -> Iterator[tuple[str, Twin]]:
    own = [cell for cell, seat in twin.pawns.items() if seat == twin.turn]
    enemies = [cell for cell, seat in twin.pawns.items() if seat != twin.turn]
    movable = [cell for cell in own if cell not in twin.frozen]
    if card == "replay":
        for second in "URDL":
            yield second, step(twin, second)
    elif card == "reverse":
        yield "", twin
    elif card == "shinigami":
        for cell in enemies:
            yield "@" + name(cell), without(twin, [cell])
    elif card == "propaganda":
        for cell in enemies:
            yield "@" + name(cell), replace(twin, pawns={**twin.pawns, cell: twin.turn}, frozen=twin.frozen - {cell})
    elif card == "freeze":
        for cell in enemies:
            yield "@" + name(cell), replace(twin, frozen=twin.frozen | {cell})
    elif card == "jump":
        for cell in movable:
            place = landing(twin, cell, direction)
            if place is not None:
                pawns = {key: seat for key, seat in twin.pawns.items() if key != cell}
                yield "@" + name(cell), replace(twin, pawns={**pawns, place: twin.turn})
    elif card == "bomb":
        for row in range(8):
            hit = [cell for cell in twin.pawns if cell[0] == row]
            if hit:
                yield f"@{8 - row}", without(twin, hit)
        for col in range(8):
            hit = [cell for cell in twin.pawns if cell[1] == col]
            if hit:
                yield f"@{'abcdefgh'[col]}", without(twin, hit)
    elif card == "swap":
        for one in movable:
            for other in enemies:
                frozen = twin.frozen - {other} | ({one} if other in twin.frozen else set())
                pawns = {**twin.pawns, one: 1 - twin.turn, other: twin.turn}
                yield f"@{name(one)}:{name(other)}", replace(twin, pawns=pawns, frozen=frozen)
    elif card == "abysses":
        for cell in BOARD:
            if cell not in twin.pawns and cell not in twin.abyss:
                yield "@" + name(cell), replace(twin, abyss=twin.abyss | {cell})


def without(twin: Twin, cells: list[Cell]) -> Twin:
    pawns = {cell: seat for cell, seat in twin.pawns.items() if cell not in cells}
    return replace(twin, pawns=pawns, frozen=twin.frozen - set(cells))


def finish(before: Twin, after: Twin, card: str | None) -> Twin:
    hands = list(after.hands)
    if card is not None:
        hands[after.turn] = hands[after.turn] - {card}
    done = crack(
        replace(
            after,
            turn=1 - after.turn,
            ply=after.ply + 1,
            hands=(hands[0], hands[1]),
            reversed=card == "reverse",
            frozen=frozenset(cell for cell in after.frozen if after.pawns[cell] != after.turn),
        )
    )
    return replace(done, result=result(before, done))


def result(before: Twin, after: Twin) -> float | None:
    left = [list(after.pawns.values()).count(seat) for seat in (0, 1)]
    if left == [0, 0]:
        left = [list(before.pawns.values()).count(seat) for seat in (0, 1)]
    elif 0 not in left and after.ply < after.last_ply:
        return None
    return 0.5 if left[0] == left[1] else float(left[0] > left[1])


def perft(twin: Twin, depth: int) -> int:
    """How many lines of `depth` turns there are; a finished game has none further."""
    if depth == 1:
        return sum(1 for _ in turns(twin))
    return sum(perft(after, depth - 1) for _, after in turns(twin))
