"""What a view hands to a screen: sprite names in reading order, things that move, and a few words."""

from __future__ import annotations

import msgspec


class Entity(msgspec.Struct, frozen=True, array_like=True):
    """Something that moves over the cells and keeps its id from frame to frame."""

    id: str
    sprite: str
    row: int
    col: int
    drow: int = 0  # where it looks
    dcol: int = 0
    row_part: float = 0.0  # how far it is from its cell, in parts of a cell, where games move in smaller steps
    col_part: float = 0.0


class Question(msgspec.Struct, frozen=True, array_like=True):
    """Something the game asks in the middle of a turn: `key`, `way` (a direction), `text` (a line) or `menu`."""

    kind: str
    words: str
    answers: tuple[tuple[str, str], ...] = ()  # (key as typed, what it means), the likely ones first


class Bidding(msgspec.Struct, frozen=True):
    """A phase in which seats name numbers: the labels that say so, and how it stands."""

    call: str  # the label of a bid without its number: `claim` for `claim 5`
    wait: str  # the label of a seat that says nothing
    end: str  # the label of the clock that ran out
    phase: str  # another one means that the clock starts anew
    seconds: int = 0  # of this phase; 0: all the time in the world
    standing: bool = False  # somebody has named a number
    words: tuple[str, ...] = ()  # what happened, as short phrases


class Frame(msgspec.Struct, frozen=True):
    """One picture of a game. A sprite named `text:<character>:<colour>` is drawn as that character."""

    rows: int
    cols: int
    cells: tuple[str, ...]  # background sprite of every cell, row by row
    entities: tuple[Entity, ...] = ()
    edges: tuple[int, ...] = ()  # walls on cell sides: bits N=1 E=2 S=4 W=8; empty for games without
    coordinates: tuple[str, str] = ("", "")  # letters of the columns and of the rows, where cells have names
    sides: tuple[str, ...] = ()  # the sprite of each seat's pieces, where seats have pieces
    hands: tuple[tuple[str, ...], ...] = ()  # what each seat holds and all may see: labels of the actions that play it
    status: dict[str, str] = {}  # short words for the panel, in order: {"moves": "3"}
    text: str = ""  # the same in one sentence, for screen readers
    above: tuple[str, ...] = ()  # lines of a fixed font over the board: what a terminal says there
    below: tuple[str, ...] = ()  # and under it
    focus: int = -1  # the cell to keep in sight where the board is larger than the screen
    chosen: tuple[int, ...] = ()  # cells that the turn at hand has named so far
    begun: tuple[str, ...] = ()  # labels of the actions that the turn at hand consists of so far
    bidding: Bidding | None = None  # where seats name numbers
    question: Question | None = None  # what the game waits for before it goes on
    choose: str = ""  # what whoever moves has to choose now: "a card"
    goal: str = ""  # what is to be reached, in a few words
    lasts: float = 0.0  # milliseconds until the next picture, in games that go on by themselves
