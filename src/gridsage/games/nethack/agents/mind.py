"""What the bot tells of itself: its bids in words, its memory as a map, and the levels it knows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.amounts import counted
from gridsage.core.game import Bid, Memory, Place
from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.agents.world import GEHENNOM, MINES, QUEST, SOKOBAN, LevelMemory, World
from gridsage.games.nethack.level import COLS, ROWS

# What a bid would do, by its name. {way} and {place} are filled in from its goal.
WORDS = {
    "pray": "pray for help",
    "fight": "strike {way}",
    "obey": "do what the guard says",
    "recover": "wait until the senses are clear",
    "eat": "eat {item}",
    "rest": "rest until the wounds close",
    "shake": "a few random steps out of a rut",
    "throw": "throw a weapon at what must not be touched",
    "kick": "kick the door {way}",
    "other stairs": "leave a dead end by {place}",
    "fall": "fall through {place}",
    "give up": "give the game up",
    "leave": "leave this branch by {place}",
    "explore": "see what is beyond {place}",
    "descend": "take the stairs down at {place}",
    "peek": "look under what lies at {place}",
    "await the pet": "wait on the stairs for the pet",
    "hold": "hold the stairs while foes come",
    "step back": "step back to {place} and throw",
    "feed": "throw food to the animal at {place}",
    "put on": "put on {item}",
    "grab": "pick up what digs",
    "advance": "raise a skill",
    "to the keeper": "go to the shopkeeper who bars the way out",
    "wait for the keeper": "wait until the shopkeeper makes room",
    "pay": "pay what is owed",
    "follow": "follow what flees along the corridor",
    "drive away": "wait on the word until the eye has moved",
    "burrow": "dig through the rock where no way leads on",
    "dig on": "dig on, whoever strikes",
    "try a wand": "write with {item} to learn what it does",
    "zap oneself": "zap ourselves with {item}",
    "dip": "dip the long sword into the fountain at {place}",
    "widen": "dig at a gap that is too tight",
    "squeeze": "leave everything behind to squeeze past a boulder",
    "search": "search for hidden ways from {place}",
    "wander": "a step at random",
}
WAYS = ("north", "east", "south", "west", "northeast", "southeast", "southwest", "northwest")
BRANCHES = {0: "Dungeons of Doom", GEHENNOM: "Gehennom", MINES: "Gnomish Mines", QUEST: "Quest", SOKOBAN: "Sokoban"}
LONG_SEARCH = 2 * kn.BOUT  # turns: after these, one secret in a hundred beside the searcher is still hidden

(
    UNKNOWN, ROCK, SEEN, TRODDEN, EDGE, DOOR, SHUT, UP, DOWN, COVERED, TRAP, MONSTER, SHOP, WATER, SEARCHED,
    SEARCHED_LONG,
) = range(16)  # fmt: skip
KINDS = (
    ("unknown", "blank"), ("wall or rock", "solid"), ("seen", "open"), ("walked", "done"),
    ("edge of the unknown", "edge"), ("door", "door"), ("shut door", "shut"), ("stairs up", "up"),
    ("stairs down", "down"), ("covered, never seen bare", "covered"), ("trap", "danger"), ("monster", "danger"),
    ("shop, kept out", "avoid"), ("water or lava", "avoid"), ("searched", "worked"), ("searched long", "worn"),
)  # fmt: skip
_BY_TERRAIN = np.full(kn.OBSTACLE + 1, ROCK, np.uint8)
_BY_TERRAIN[kn.UNKNOWN] = UNKNOWN
_BY_TERRAIN[[kn.FLOOR, kn.CORRIDOR]] = SEEN
_BY_TERRAIN[[kn.DOORWAY, kn.OPEN_DOOR]] = DOOR
_BY_TERRAIN[[kn.CLOSED_DOOR, kn.LOCKED_DOOR]] = SHUT
_BY_TERRAIN[kn.UP], _BY_TERRAIN[kn.DOWN] = UP, DOWN
_BY_TERRAIN[kn.COVERED], _BY_TERRAIN[kn.WATER] = COVERED, WATER


def words(name: str, goal: int) -> str:
    """What the bid `name` with `goal` would do."""
    way = WAYS[goal] if 0 <= goal < len(WAYS) else "around"
    place = f"row {goal // COLS}, column {goal % COLS}" if goal >= 0 else "here"
    item = f"item {chr(goal)}" if 0 < goal < 128 else "something"
    return WORDS.get(name, name).format(way=way, place=place, item=item)


class Bids:
    """The needs of one bot, the most urgent first, and what became of them at the last decision."""

    def __init__(self, needs: list[tuple[str, int]]) -> None:
        self._needs = needs
        self._silent = tuple(Bid(name, priority) for name, priority in needs)
        self._unasked = tuple(Bid(name, priority, state="unasked") for name, priority in needs)
        self._told: tuple[object, ...] = ()
        self.now: tuple[Bid, ...] = ()

    def acts(self, index: int, name: str, goal: int, spoke: tuple[tuple[int, str, int], ...] = ()) -> None:
        """Need `index` acts with the bid `name`; those of `spoke` had wanted to, and had no key to send."""
        told = (index, name, goal, spoke)
        if told == self._told:
            return  # the same for many keys: nothing is made anew
        self._told = told
        bids = [*self._silent[:index], self._bid(index, name, goal, "acts"), *self._unasked[index + 1 :]]
        for other, its_name, its_goal in spoke:
            bids[other] = self._bid(other, its_name, its_goal, "spoke")
        self.now = tuple(bids)

    def answers(self) -> None:
        """A question that no plan had asked for is left; nobody was asked."""
        self._told = ()
        self.now = (Bid("answer", self._needs[0][1], "leave a question that no plan asked for", "acts"), *self._unasked)

    def _bid(self, index: int, name: str, goal: int, state: str) -> Bid:
        need, priority = self._needs[index]
        return Bid(need, priority, words(name, goal), state)


def memory(world: World) -> Memory:
    """The level around the hero as the bot believes it to be, and all levels it knows."""
    planes = world.memory
    terrain = planes[kn.TERRAIN]
    kinds = _BY_TERRAIN[terrain]
    searched = planes[kn.SEARCHED]
    kinds[(kinds == SEEN) & (planes[kn.WALKED] > 0)] = TRODDEN
    bare = kinds <= TRODDEN
    kinds[bare & (searched > 0)] = SEARCHED
    kinds[bare & (searched >= LONG_SEARCH)] = SEARCHED_LONG
    unwalked = (terrain > kn.WALL) & (terrain < kn.WATER) & (planes[kn.WALKED] == 0)
    kinds[unwalked & (kinds != UP) & (kinds != DOWN) & _beside_unknown(terrain)] = EDGE
    kinds[planes[kn.SHUNNED] > 0] = SHOP
    kinds[planes[kn.TRAP] > 0] = TRAP
    kinds[planes[kn.MONSTER] > 0] = MONSTER
    places = tuple(_place(level, level is world.level) for _, level in sorted(world.levels.items()))
    return Memory(ROWS, COLS, KINDS, kinds.tobytes(), places)


def _beside_unknown(terrain: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which squares have a neighbour that was never seen; column 0 is no part of the map."""
    unknown = np.zeros((ROWS + 2, COLS + 2), np.bool_)
    unknown[1:-1, 2:-1] = terrain.reshape(ROWS, COLS)[:, 1:] == kn.UNKNOWN
    beside = np.zeros((ROWS, COLS), np.bool_)
    for row in range(3):
        for col in range(3):
            beside |= unknown[row : row + ROWS, col : col + COLS]
    return beside.ravel()


def _place(level: LevelMemory, here: bool) -> Place:
    branch, number = level.key
    terrain = level.memory[kn.TERRAIN]
    stairs = [
        f"{word} at row {cell // COLS}, column {cell % COLS}"
        for kind, word in ((kn.UP, "up"), (kn.DOWN, "down"))
        for cell in np.flatnonzero(terrain == kind).tolist()
    ]
    facts = [f"{counted(level.known, 'square')} known", f"stairs {', '.join(stairs)}" if stairs else "no stairs known"]
    if level.searched_turns:
        facts.append(f"searched {counted(level.searched_turns, 'turn')}")
    if level.exhausted:
        facts.append("given up")
    return Place(f"{BRANCHES.get(branch, f'branch {branch}')} {number}", ", ".join(facts), here)
