"""Moves in writing: arrows `R^ B>`, words `red up, blue right`, and the compact `RNBE`; read and written alike."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gridsage.core.errors import IllegalAction
from gridsage.core.game import Action
from gridsage.games.ricochet.level import ARROWS, COMPASS, DIRECTIONS, LETTERS, ROBOTS

_MOVE = re.compile(
    rf"(?P<robot>{'|'.join(ROBOTS)}|[{LETTERS}])\s*(?P<direction>{'|'.join(DIRECTIONS)}|[{COMPASS}{re.escape(ARROWS)}])",
    re.IGNORECASE,
)


def move(robot: int, direction: int) -> Action:
    """The action that slides `robot` in `direction`."""
    return robot * 4 + direction


def words(actions: Sequence[Action]) -> str:
    """`red up, blue right`."""
    return ", ".join(f"{ROBOTS[action // 4]} {DIRECTIONS[action % 4]}" for action in actions)


def arrows(actions: Sequence[Action]) -> str:
    """`R^ B>`."""
    return " ".join(LETTERS[action // 4] + ARROWS[action % 4] for action in actions)


def compact(actions: Sequence[Action]) -> str:
    """`RNBE`: a letter for the robot and one for the side of the board it moves to."""
    return "".join(LETTERS[action // 4] + COMPASS[action % 4] for action in actions)


def parse_moves(text: str) -> tuple[Action, ...]:
    """The moves in any of the three writings, or an IllegalAction that names the column."""
    actions: list[Action] = []
    at = 0
    while at < len(text):
        if text[at] in " ,;\t\n":
            at += 1
            continue
        found = _MOVE.match(text, at)
        if found is None:
            raise IllegalAction(
                f"column {at + 1}: expected a move like R^, 'red up' or RN, found {text[at : at + 10]!r} in {text!r}"
            )
        actions.append(move(_index(found["robot"], ROBOTS, LETTERS), _direction(found["direction"])))
        at = found.end()
    return tuple(actions)


def _index(word: str, names: Sequence[str], letters: str) -> int:
    return letters.index(word.upper()) if len(word) == 1 else names.index(word.lower())


def _direction(word: str) -> int:
    # `v` is the arrow down; no side of the compass has that letter.
    return ARROWS.index(word.lower()) if word.lower() in ARROWS else _index(word, DIRECTIONS, COMPASS)
