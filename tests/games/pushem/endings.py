"""Random card endings, and the slow proof of what the master claims about them."""

from __future__ import annotations

import random

from gridsage.games.pushem.agents.engine import Engine, Version
from gridsage.games.pushem.kernels.tree import WIN, WIN_BOUND
from gridsage.games.pushem.level import CARD_NAMES, PRESETS, SIZE, Level, Options, parse, write
from gridsage.games.pushem.rules import GAME
from gridsage.games.pushem.state import State
from naive import pushem_twin as naive

LONGEST = 5  # turns of a claim that is proved


def random_ending(seed: int) -> Level:
    """A few pawns of both sides, some cards in both hands, near the plies where rings crack."""
    draw = random.Random(seed)
    cells = draw.sample([cell for cell in range(SIZE * SIZE) if 0 < cell % SIZE < 7 and 0 < cell // SIZE < 7], 8)
    own, enemies = draw.randint(1, 4), draw.randint(1, 4)
    hands = [sum(1 << card for card in draw.sample(range(len(CARD_NAMES)), draw.randint(0, 3))) for _ in range(2)]
    return Level(
        first=sum(1 << cell for cell in cells[:own]),
        second=sum(1 << cell for cell in cells[own : own + enemies]),
        abyss=1 << cells[-1] if draw.random() < 0.3 else 0,
        frozen=0,
        turn=draw.randrange(2),
        ply=draw.choice([20, 28, 40, 48, 60, 69, 90]),
        first_hand=hands[0],
        second_hand=hands[1],
    )


def twin_of(level: Level) -> naive.Twin:
    preset = PRESETS["r1"]
    names = [
        frozenset(name for card, name in enumerate(CARD_NAMES) if hand >> card & 1)
        for hand in (level.first_hand or 0, level.second_hand or 0)
    ]
    return naive.from_level(level, frozenset(), preset.rings, preset.last_ply, (names[0], names[1]))


def start(level: Level) -> State:
    return GAME.start(parse(write(level)), Options(), 1)


def claimed_turns(level: Level, nodes: int, version: Version = "v2") -> int:
    """How many turns to a certain end the master reports: positive if it wins, negative if it loses, 0 if neither."""
    found = Engine(version=version).think(start(level), nodes=nodes)
    if found.score > WIN_BOUND:
        return WIN - found.score
    return -(WIN + found.score) if found.score < -WIN_BOUND else 0


def wins(twin: naive.Twin, turns: int, known: dict[object, bool]) -> bool:
    """Return True if the side at turn can win within `turns` turns of both, by trying everything."""
    key = (
        frozenset(twin.pawns.items()),
        twin.abyss,
        twin.frozen,
        twin.turn,
        twin.ply,
        twin.hands,
        twin.reversed,
        turns,
    )
    if key not in known:
        seat = twin.turn
        after = [position for _, position in naive.turns(twin)]
        known[key] = any(position.result == 1 - seat for position in after) or (
            turns >= 2
            and any(
                loses(position, turns - 1, known)
                for position in sorted(after, key=lambda one: enemies_left(one, seat))
                if position.result is None
            )
        )
    return known[key]


def loses(twin: naive.Twin, turns: int, known: dict[object, bool]) -> bool:
    """Return True if every turn of the side at turn loses within `turns` turns of both."""
    for _, after in naive.turns(twin):
        if after.result is not None:
            if after.result != twin.turn:
                return False
        elif turns < 2 or not wins(after, turns - 1, known):
            return False
    return True


def enemies_left(twin: naive.Twin, seat: int) -> int:
    return sum(1 for owner in twin.pawns.values() if owner != seat)
