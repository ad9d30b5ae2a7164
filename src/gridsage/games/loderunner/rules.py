"""The rules of the turn-based Lode Runner as a Game and a Model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np

from gridsage.core.errors import IllegalAction
from gridsage.core.game import Action, Event, Outcome, action_labelled
from gridsage.core.rng import child_seed
from gridsage.games.loderunner import level as level_module
from gridsage.games.loderunner.kernels import rounds
from gridsage.games.loderunner.level import FLOOR, PATH, Level, Options
from gridsage.games.loderunner.state import (
    ALIVE,
    BOMB_LEFT,
    LABELS,
    NO_ACTION_YET,
    REASONS,
    WON,
    Enemy,
    Hole,
    Observation,
    State,
)

RULES_VERSION = 1
ACTION_OF = {label: action for action, label in enumerate(LABELS)}


class Tables(NamedTuple):
    """A level as the kernels want it."""

    board: rounds.Board
    chase: rounds.Chase
    info: rounds.Info


@lru_cache(maxsize=16)
def tables(level: Level, options: Options) -> Tables:
    """The arrays of a level: cell codes, bonus numbers, respawn cells, the chase, and a few numbers."""
    size = level.rows * level.cols
    board = np.full((3, size), -1, np.int16)
    board[rounds.CODE] = np.frombuffer(level.cells, np.uint8)
    board[rounds.BONUS, list(level.bonuses)] = np.arange(len(level.bonuses))
    spawns = [
        cell
        for cell in range(level.cols, size - level.cols)
        if 0 < cell % level.cols < level.cols - 1
        and level.cells[cell] == PATH
        and level.cells[cell + level.cols] == FLOOR
    ]
    board[rounds.SPAWN, : len(spawns)] = spawns
    info = np.zeros(8, np.int64)
    info[rounds.COLS] = level.cols
    info[rounds.ROWS] = level.rows
    info[rounds.EXIT_CELL] = level.exit
    info[rounds.ENEMIES] = len(level.enemies)
    info[rounds.BONUS_WORDS] = -(-len(level.bonuses) // rounds.BITS)
    info[rounds.SPAWNS] = len(spawns)
    info[rounds.NOOP] = options.illegal == "noop"
    info[rounds.TURN_CAP] = options.turn_cap
    return Tables(board, rounds.chase_table(board, info), info)


def pack(seen: Observation, found: Tables, status: int = ALIVE) -> rounds.Row:
    """The position as the kernels want it."""
    words, enemies = int(found.info[rounds.BONUS_WORDS]), len(seen.enemies)
    row = np.zeros(rounds.FIRST_BONUS + words + 2 * enemies, np.int16)
    row[rounds.RUNNER] = seen.runner
    row[rounds.ROUND] = seen.round
    row[rounds.BONUSES_LEFT] = len(seen.bonuses)
    row[rounds.STATUS] = status
    row[rounds.HOLES] = len(seen.holes)
    for number, hole in enumerate(reversed(seen.holes)):
        row[rounds.FIRST_HOLE + 2 * number] = hole.cell
        row[rounds.FIRST_HOLE + 2 * number + 1] = hole.delay
    for cell in seen.bonuses:
        number = int(found.board[rounds.BONUS, cell])
        row[rounds.FIRST_BONUS + number // rounds.BITS] |= 1 << (number % rounds.BITS)
    first = rounds.FIRST_BONUS + words
    for number, enemy in enumerate(seen.enemies):
        row[first + number] = enemy.cell
        row[first + enemies + number] = enemy.action
    return row


def unpack(row: rounds.Row, level: Level, options: Options) -> Observation:
    """The position of a kernel's row."""
    values: list[int] = row.tolist()
    words, enemies = -(-len(level.bonuses) // rounds.BITS), len(level.enemies)
    first = rounds.FIRST_BONUS + words
    bonuses = tuple(
        cell
        for number, cell in enumerate(level.bonuses)
        if values[rounds.FIRST_BONUS + number // rounds.BITS] >> (number % rounds.BITS) & 1
    )
    last = rounds.FIRST_HOLE + 2 * values[rounds.HOLES]
    holes = tuple(Hole(values[at], values[at + 1]) for at in range(last - 2, rounds.FIRST_HOLE - 1, -2))
    return Observation(
        level=level,
        options=options,
        runner=values[rounds.RUNNER],
        enemies=tuple(Enemy(values[first + n], values[first + enemies + n]) for n in range(enemies)),
        bonuses=bonuses,
        holes=holes,
        round=values[rounds.ROUND],
    )


def legal_actions(seen: Observation) -> list[Action]:
    """The actions that are not illegal there; `none` always is legal."""
    found = tables(seen.level, seen.options)
    return [action for action in range(rounds.ACTIONS) if rounds.is_legal(found.board, found.info, seen.runner, action)]


def share_earned(state: State) -> float:
    """The score so far: every bonus counts the same, and so does the exit; 1 is a win."""
    total = len(state.seen.level.bonuses) + 1
    return (total - len(state.seen.bonuses) - (state.status != WON)) / total


class LodeRunner:
    """The turn-based game of the course engine, exact to its quirks."""

    name = "loderunner"
    rules_version = RULES_VERSION

    def parse(self, text: str) -> Level:
        """The level drawn in `text`."""
        return level_module.parse(text)

    def start(self, level: Level, options: Options, seed: int) -> State:
        """The first position; the seed decides all respawns."""
        seen = Observation(
            level=level,
            options=options,
            runner=level.runner,
            enemies=tuple(Enemy(cell, NO_ACTION_YET) for cell in level.enemies),
            bonuses=level.bonuses,
            holes=(),
            round=0,
        )
        return State(seen, ALIVE, child_seed(seed, "respawns") & rounds.MASK32 or 1)

    def seat(self, state: State) -> int:
        """Always the runner's turn."""
        return 0

    def legal(self, state: State | Observation) -> Sequence[Action]:
        """The actions that do not kill by being illegal; a player may ask with what it sees."""
        if isinstance(state, Observation):
            return legal_actions(state)
        return [] if state.status != ALIVE else legal_actions(state.seen)

    def step(self, state: State, action: Action) -> State:
        """The position after a round; an illegal action is death (option illegal=noop: a lost round)."""
        if not 0 <= action < rounds.ACTIONS:
            raise IllegalAction(f"no action {action}: expected 0 to 6 ({', '.join(LABELS)})")
        return self.play(state, action)

    def play(self, state: State, action: Action, respawns: Sequence[int] = ()) -> State:
        """The position after a round in which the respawned reappear in the cells given (others at random).

        Here any number is an action, as in the original: one outside 0 to 6 is illegal.
        """
        if state.status != ALIVE:
            raise IllegalAction(f"{self.label(action)} after the end of the game ({REASONS[state.status]})")
        seen = state.seen
        found = tables(seen.level, seen.options)
        row = pack(seen, found, state.status)
        chance = np.zeros(rounds.CHANCES, np.int64)
        chance[0] = state.chance
        for place, cell in enumerate(respawns, 1):
            chance[place] = cell + 1
        number = action if 0 <= action < rounds.ACTIONS else rounds.ACTIONS
        status = rounds.play_round(found.board, found.chase, found.info, row, number, chance)
        return State(unpack(row, seen.level, seen.options), int(status), int(chance[0]))

    def outcome(self, state: State) -> Outcome | None:
        """How it ended; the score is 1 for a win, otherwise the share of bonuses taken, below 1."""
        if state.status == ALIVE:
            return None
        return Outcome(REASONS[state.status], (share_earned(state),), 0 if state.status == WON else None)

    def observe(self, state: State, seat: int) -> Observation:
        """Everything but the respawns to come."""
        return state.seen

    def events(self, before: State, action: Action, after: State) -> Sequence[Event]:
        """What a person would notice in this round."""
        return list(_events(before, action, after))

    def label(self, action: Action) -> str:
        """The action in words."""
        return LABELS[action] if 0 <= action < len(LABELS) else f"action {action}"

    def action(self, label: str) -> Action:
        """The action of these words."""
        return action_labelled(label, ACTION_OF, self.name)

    def fingerprint(self, state: State) -> bytes:
        """Bytes that differ whenever positions of one level differ."""
        seen = state.seen
        return msgspec.msgpack.encode(
            (seen.runner, seen.enemies, seen.bonuses, seen.holes, seen.round, state.status, state.chance)
        )

    def key(self, state: State) -> State:
        """The state itself is hashable."""
        return state


def _events(before: State, action: Action, after: State) -> list[Event]:
    old, new = before.seen, after.seen
    found = []
    if old.runner != new.runner:
        fell = new.runner // new.level.cols - old.runner // old.level.cols > 1
        found.append(Event("fell" if fell else "moved", old.runner, new.runner, "runner"))
    if action >= BOMB_LEFT and len(new.holes) and new.holes[0].delay == rounds.HOLE_ROUNDS - 1:
        found.append(Event("dug", new.holes[0].cell, who="runner"))
    found += [Event("collected", cell, who="runner") for cell in old.bonuses if cell not in new.bonuses]
    was_open, is_open = {hole.cell for hole in old.holes}, {hole.cell for hole in new.holes}
    for number, (enemy, now) in enumerate(zip(old.enemies, new.enemies, strict=True)):
        name = f"enemy{number}"
        if enemy.cell == now.cell:
            continue
        if enemy.cell in was_open and _closes(old, enemy.cell):
            found.append(Event("respawned", enemy.cell, now.cell, name))
        else:
            found.append(Event("moved", enemy.cell, now.cell, name))
            if now.cell in is_open:
                found.append(Event("trapped", now.cell, who=name))
    found += [Event("closed", cell) for cell in sorted(was_open - is_open)]
    if after.status == WON:
        found.append(Event("won", new.runner, who="runner"))
    elif after.status != ALIVE:
        found.append(Event("died", new.runner, who="runner"))
    return found


def _closes(seen: Observation, cell: int) -> bool:
    """Return True if a bomb in that cell ends with the coming round."""
    return any(hole.cell == cell and hole.delay == 1 for hole in seen.holes)
