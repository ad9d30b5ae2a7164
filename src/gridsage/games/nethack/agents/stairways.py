"""Stairs: the ways down, up and to other levels that the journey asks for."""

from __future__ import annotations

from collections import deque
from functools import partial

import numpy as np

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.agents.behaviours import Descend, Explore, LeaveBranch, Offer, Plan, walk
from gridsage.games.nethack.agents.journey import Journey
from gridsage.games.nethack.agents.personality import Personality
from gridsage.games.nethack.agents.wading import has_sea
from gridsage.games.nethack.agents.world import MINES, NO_WEIGHTS, QUEST, SOKOBAN, LevelKey, World

BARRED = 200  # turns before a way to stairs that was barred is looked for again
TO_AND_FRO, TIRED = 40, 400  # turns in which eight flights of stairs are too many, and how long nobody travels then


class Downstairs(Descend):
    """Take the stairs down, as deep as the journey allows."""

    def __init__(self, personality: Personality, journey: Journey) -> None:
        super().__init__(personality)
        self._journey = journey

    def bid(self, world: World) -> Offer | None:
        journey = self._journey
        if journey.finished:
            return None
        if journey.is_seeking(world) and world.frontier(NO_WEIGHTS, -1) >= 0:
            return None
        journey.explored.add(world.level.key)
        if journey.is_searching(world):
            return None
        if world.level.key[0] == MINES and journey.wants_mines(world):
            seen = len([key for key in world.levels if key[0] == MINES])
            if seen >= journey.mine_levels(world):
                journey.mines_searched = seen
                return None
        elif world.level.depth + 1 > journey.deepest(world) or self._leads_astray(world):
            return None
        return super().bid(world)

    def _leads_astray(self, world: World) -> bool:
        """Return True in the Mines when the journey leads elsewhere and the way up may still be found."""
        in_mines = world.level.key[0] == MINES
        return in_mines and self._journey.goal(world) is not None and not world.level.exhausted


class Outlook(Explore):
    """See what is new, unless the way leads down for good and is known."""

    def __init__(self, personality: Personality, journey: Journey) -> None:
        super().__init__(personality)
        self._journey = journey

    def bid(self, world: World) -> Offer | None:
        if world.level.key[0] == 0 and self._journey.diving(world) and not self._journey.finished:
            down = int(kn.nearest_of(world.memory, world.paths(), kn.TERRAIN, kn.DOWN))
            if down >= 0 and world.level.leads_to.get(down, (0, 0))[0] == 0:
                return None
        return super().bid(world)


class UnwantedBranch(LeaveBranch):
    """Leave the Mines and Sokoban, unless the journey leads there, and the quest, which nobody of ours is worthy of."""

    def __init__(self, personality: Personality, journey: Journey) -> None:
        super().__init__(personality)
        self._journey = journey

    def bid(self, world: World) -> Offer | None:
        if self._journey.stays_in_mines(world) or (world.level.key[0] == MINES and self._journey.wants_mines(world)):
            return None
        if world.level.key[0] == QUEST:
            return self._to_portal(world)
        return super().bid(world)

    def _to_portal(self, world: World) -> Offer | None:
        """Return the way back to the magic portal that we came through."""
        if not world.brave:
            world.brave = 1  # it counts as a trap
            world.stale()
        portal = int(kn.nearest_of(world.memory, world.paths(), kn.TRAP, kn.PORTAL))
        return Offer(self._priority, "leave", portal, partial(walk, world, portal)) if portal >= 0 else None


class Travel:
    """Go to another level over stairs that were taken before."""

    def __init__(self, journey: Journey, priority: int) -> None:
        self._journey, self._priority = journey, priority
        self._taken: list[int] = []  # turns in which stairs were taken, the last few
        self._tired_until = 0

    def bid(self, world: World) -> Offer | None:
        goal = self._journey.goal(world)
        if goal is None or world.turn < self._tired_until:
            return None
        self._taken = [turn for turn in self._taken if world.turn - turn < TO_AND_FRO]
        if len(self._taken) > TO_AND_FRO // 5:
            self._tired_until = world.turn + TIRED
            return None
        cell = self._journey.untried(world)[1] if goal == world.level.key else first_stairs(world, goal)
        if cell < 0 and goal[0] == world.level.key[0] and goal[1] < world.level.key[1]:
            cell = stairs_up(world)
        if cell < 0 or (cell != world.hero and world.paths()[cell] >= kn.FAR):
            if goal == world.level.key:
                self._journey.barred[goal, cell] = world.turn + BARRED  # a foe, a boulder or a trap may bar the way
            return None
        return Offer(self._priority, "travel", cell, partial(self._plan, world, cell))

    def _plan(self, world: World, cell: int) -> Plan:
        yield from walk(world, cell)
        if world.hero == cell:
            self._taken.append(world.turn)
            yield ord("<") if world.memory[kn.TERRAIN, cell] == kn.UP else ord(">")


def first_stairs(world: World, goal: LevelKey) -> int:
    """Return the stairs to take first on the shortest known way to the level `goal`, or -1."""
    waiting = deque([(cell, key) for cell, key in world.level.leads_to.items()])
    seen = {world.level.key}
    while waiting:
        cell, key = waiting.popleft()
        if key == goal:
            return cell
        if key not in seen and key in world.levels:
            seen.add(key)
            waiting.extend((cell, further) for further in world.levels[key].leads_to.values())
    return -1


def stairs_up(world: World) -> int:
    """Return the nearest stairs up that are not known to lead to Sokoban, whose only way on is back down, or -1."""
    dist = world.paths()
    stairs = np.flatnonzero((world.memory[kn.TERRAIN] == kn.UP) & (dist < kn.FAR)).tolist()
    stairs = [cell for cell in stairs if world.level.leads_to.get(cell, (0, 0))[0] != SOKOBAN]
    return min(stairs, key=lambda cell: int(dist[cell]), default=-1)


class Ascend:
    """Go back up from a level that is too deep for the hero: after a fall, or after armour was lost.

    Whoever has reached the bottom goes up, too, when a level is seen through: the mazes above the Castle hold some ten
    piles of gold each, and gold is what still adds to the score there.
    """

    def __init__(self, journey: Journey, priority: int) -> None:
        self._journey, self._priority = journey, priority

    def bid(self, world: World) -> Offer | None:
        if world.level.key[0] != 0 or not self._is_too_deep(world):
            return None
        target = stairs_up(world)
        if target < 0:
            return None
        return Offer(self._priority, "ascend", target, partial(self._plan, world, target))

    def _is_too_deep(self, world: World) -> bool:
        journey = self._journey
        if not journey.finished:
            return world.level.depth > journey.deepest(world) + journey.slack(world)
        if world.frontier(NO_WEIGHTS, -1) < 0:
            return True
        above = world.levels.get((0, world.level.key[1] - 1))
        wet = above is not None and has_sea(above.memory)
        return world.level.key in journey.hard_floors and not wet

    def _plan(self, world: World, target: int) -> Plan:
        yield from walk(world, target)
        if world.hero == target:
            yield ord("<")
