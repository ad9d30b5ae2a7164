"""Can a level be won: games of the master, and what can never be reached."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.amounts import counted
from gridsage.core.game import Budget
from gridsage.core.room import LevelReport
from gridsage.games.loderunner.agents.distances import guide
from gridsage.games.loderunner.agents.master import Master
from gridsage.games.loderunner.kernels import sentries
from gridsage.games.loderunner.kernels.lookahead import MOST_TOUR, lone_cells, runner_ways
from gridsage.games.loderunner.kernels.rounds import FAR, SPAWN, SPAWNS, Chase, neighbour
from gridsage.games.loderunner.level import FLOOR, LADDER, PATH, WALL, Level, Options, parse
from gridsage.games.loderunner.rules import LodeRunner, tables
from gridsage.games.loderunner.state import NONE, WON, Observation, State

PROOF_NODES = 20_000  # per decision


def check(text: str, options: Options | None = None, seconds: float = 10.0) -> LevelReport:
    """Try to win the level with one seed after the other until the time is over."""
    options = options or Options()
    level = parse(text)
    if impossible := doubts(text):
        return LevelReport("impossible", impossible[0])
    deadline = time.perf_counter() + seconds
    tried = 0
    while time.perf_counter() < deadline:
        tried += 1
        state, plan = played_by_master(level, options, tried, Budget(nodes=PROOF_NODES), deadline)
        if state.status == WON:
            sentence = f"a game of {counted(len(plan), 'round')} with seed {tried}" + (
                f", after {counted(tried - 1, 'game')} lost" if tried > 1 else ""
            )
            return LevelReport("won", sentence, tuple(plan), tried, {"rounds": float(len(plan)), "tried": float(tried)})
    return LevelReport(
        "not found within budget",
        f"not won in {counted(tried, 'game')} and {counted(seconds, 'second')}{_doubt(level, options)}",
    )


def doubts(text: str) -> list[str]:
    """Why the level can never be won, as far as the way tells; empty if nothing is wrong."""
    level = parse(text)
    found = []
    for cell in out_of_reach(level):
        row, col = divmod(cell, level.cols)
        what = "the exit" if cell == level.exit else "a bonus"
        found.append(f"{what} in row {row}, column {col} cannot be reached even without enemies")
    if not found and len(level.bonuses) <= MOST_TOUR:
        found.extend(_no_tour(level))
    return found or list(_kept_by_sentries(LodeRunner().start(level, Options(), 1).seen, most=1))


def _no_tour(level: Level) -> Iterator[str]:
    """Why no order of the bonuses leads to the exit: for a lone runner, or beside enemies who can never move."""
    found = tables(level, Options())
    cells = np.frombuffer(level.cells, np.uint8)
    thrown = found.board[SPAWN, : int(found.info[SPAWNS])].astype(np.int32)
    inside = (cells == FLOOR) & (np.roll(cells, -level.cols) == LADDER)
    ways = runner_ways(found.board, found.info)
    goals = np.array([*level.bonuses, level.exit], np.int64)

    def tour(enemies: set[int]) -> tuple[bool, NDArray[np.bool_]]:
        blocked = np.isin(np.arange(len(cells)), list(enemies))
        return lone_cells(ways, goals, level.runner, level.cols, blocked, thrown, inside)

    if not tour(set())[0]:
        yield "no order of the bonuses leads to all of them and to the exit, even without enemies"
        return
    still, moving = set(level.enemies), set(level.enemies)
    while still and moving:
        wins, reached = tour(still)
        moving = {enemy for enemy in still if _can_move(found.chase, enemy, reached, still, level.cols)}
        still -= moving
    if still and not wins:
        yield "enemies who can never move stand in every way to all bonuses and the exit"


def lost_for_good(seen: Observation) -> list[str]:
    """What one enemy or two keep from the runner whatever he does; nothing is proved while a hole is open."""
    return [] if seen.holes else list(_kept_by_sentries(seen, sentries.MOST_SENTRIES))


def _kept_by_sentries(seen: Observation, most: int) -> Iterator[str]:
    """What so many enemies together, or fewer, keep from the runner: as few as prove anything."""
    level = seen.level
    board, chase, info = tables(level, seen.options)
    goals = np.array([*seen.bonuses, level.exit], np.int64)
    enemies = sorted({enemy.cell for enemy in seen.enemies})
    for guards in chain.from_iterable(combinations(enemies, count) for count in range(1, most + 1)):
        lost = sentries.out_of_reach(
            (board, chase, info), goals, seen.runner, np.array(guards, np.int64), seen.round & 1
        )
        if lost.any():
            row, col = divmod(int(goals[lost][0]), level.cols)
            what = "the exit" if goals[lost][0] == level.exit else "a bonus"
            places = " and ".join(f"row {guard // level.cols}, column {guard % level.cols}" for guard in guards)
            who = "the enemy in {} keeps" if len(guards) == 1 else "the enemies in {} keep"
            yield (
                f"{what} in row {row}, column {col} can never be reached: {who.format(places)} the way to it and can "
                "neither be lured away nor trapped"
            )
            return


def _can_move(chase: Chase, enemy: int, reached: NDArray[np.bool_], still: set[int], cols: int) -> bool:
    """Return True if a runner on some cell that is reached draws the enemy to a cell where none stands still."""
    ways = {int(way) for way in np.unique(chase[enemy][reached])} - {NONE}
    return any(neighbour(enemy, way, cols) not in still for way in ways)


def _doubt(level: Level, options: Options) -> str:
    """What speaks against the level, in words."""
    walk = guide(level, options).walk
    for number, cell in enumerate((*level.bonuses, level.exit)):
        if walk[number, level.runner] >= FAR:
            row, col = divmod(cell, level.cols)
            what = "the exit" if cell == level.exit else "the bonus"
            return f"; no way is known to {what} in row {row}, column {col}"
    return ""


def played_by_master(
    level: Level,
    options: Options,
    seed: int,
    budget: Budget,
    deadline: float | None = None,
    most: int | None = None,
    player: Master | None = None,
) -> tuple[State, list[int]]:
    """A whole game of the master: its last state and its actions."""
    game, player = LodeRunner(), player or Master()
    state = game.start(level, options, seed)
    plan: list[int] = []
    while game.outcome(state) is None and (most is None or len(plan) < most):
        if deadline is not None and time.perf_counter() >= deadline:
            break
        plan.append(player.decide(game.observe(state, 0), budget).action)
        state = game.step(state, plan[-1])
    return state, plan


def out_of_reach(level: Level) -> list[int]:
    """Bonuses and the exit, where not even a runner who digs at will and needs no footing can come."""
    seen = {level.runner}
    stack = [level.runner]
    while stack:
        for cell in _generous_steps(level, stack.pop()):
            if cell not in seen:
                seen.add(cell)
                stack.append(cell)
    return [cell for cell in (*level.bonuses, level.exit) if cell not in seen]


def _generous_steps(level: Level, cell: int) -> Iterator[int]:
    """More steps than the rules allow, never fewer: what these do not reach, nobody reaches."""
    cells, cols = level.cells, level.cols
    if cells[cell] == LADDER:
        yield cell - cols
        if cells[cell - cols] == FLOOR:  # inside a hole that closes he is put on any floor
            yield from (
                spot for spot in range(cols, len(cells) - cols) if cells[spot] == PATH and cells[spot + cols] == FLOOR
            )
    if cell + cols < len(cells) and cells[cell + cols] != WALL:
        yield cell + cols
    for side in (cell - 1, cell + 1):
        if 0 <= side < len(cells) and cells[side] not in (WALL, FLOOR):
            yield side
