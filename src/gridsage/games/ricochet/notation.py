"""Moves in writing: arrows `R^ B>`, words `red up, blue right`, and the compact `RNBE`; read and written alike."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gridsage.core.errors import IllegalAction
from gridsage.core.game import Action
from gridsage.games.ricochet.level import ARROWS, COMPASS, DIRECTIONS, LETTERS, ROBOTS

_WORDS = re.compile(rf"({'|'.join(ROBOTS)})\s+({'|'.join(DIRECTIONS)})\b", re.IGNORECASE)
_ARROWS = re.compile(rf"([{LETTERS}{LETTERS.lower()}])\s*([{re.escape(ARROWS)}])")
_COMPACT = re.compile(rf"([{LETTERS}])([{COMPASS}])")


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
        elif found := _WORDS.match(text, at):
            actions.append(move(ROBOTS.index(found[1].lower()), DIRECTIONS.index(found[2].lower())))
            at = found.end()
        elif found := _ARROWS.match(text, at):
            actions.append(move(LETTERS.index(found[1].upper()), ARROWS.index(found[2])))
            at = found.end()
        elif found := _COMPACT.match(text, at):
            actions.append(move(LETTERS.index(found[1]), COMPASS.index(found[2])))
            at = found.end()
        else:
            raise IllegalAction(
                f"column {at + 1}: expected a move like R^, 'red up' or RN, found {text[at : at + 12]!r} in {text!r}"
            )
    return tuple(actions)
