"""Past a boulder that cannot be pushed: whoever carries next to nothing squeezes by (hack.c), and leaves the rest.

Where nothing leads on from the boulder's square, the way on is searched for from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import SEARCH, Offer, Plan, digits, walk
from gridsage.games.nethack.agents.body import Body, Spot
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.gear import worn
from gridsage.games.nethack.agents.hero import AMULET, CLOAK, RING, SHIRT, SUIT, Item
from gridsage.games.nethack.agents.world import SOKOBAN, STEP_OF_WAY, World
from gridsage.games.nethack.level import CELLS

STRAIGHT = 4  # the first ways are those along rows and columns: past its corners no boulder is squeezed by
SPARE, MOST_CARRIED = 850, 1000  # units of weight (hack.c)
JEWELLERY = (RING, AMULET)
BOUTS = 3  # of searching on the boulder's square
PIECES = 12  # of armour and jewellery that are laid off at most


class Squeeze:
    """Go beside a boulder pushed at in vain, lay off and drop everything, and push once more; once for each boulder.

    Only where nothing has led on for long, and by those who cannot break the boulder.
    """

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._tried: set[Spot] = set()
        self._bouts = 0

    def bid(self, world: World) -> Offer | None:
        body, (level, boulder) = self._body, world.jammed
        if (world.level.key, world.hero) in self._tried and self._bouts and kn.is_dead_end(world.memory, world.hero):
            return Offer(self._priority, "squeeze", world.hero, partial(self._search, world))
        if level != world.level.key or not body.desperate or body.hero.digger is not None or not body.is_quiet():
            return None
        if level[0] == SOKOBAN or (level, boulder) in self._tried or world.memory[kn.OBJECT, boulder] != kn.BOULDER + 1:
            return None
        if self._load_left() > self._load_borne(world):
            return None
        dist = world.paths()
        ways = [way for way in range(STRAIGHT) if 0 <= boulder - STEP_OF_WAY[way] < CELLS]
        way = min(ways, key=lambda way: int(dist[boulder - STEP_OF_WAY[way]]), default=-1)
        if way < 0 or dist[boulder - STEP_OF_WAY[way]] >= kn.FAR:
            return None
        return Offer(self._priority, "squeeze", boulder, partial(self._plan, world, boulder, way))

    def _load_borne(self, world: World) -> int:
        """Return the weight with which one squeezes by: all but 850 units of what one can carry."""
        carries = min(MOST_CARRIED, 25 * (world.stats[st.STRENGTH] + world.stats[st.CONSTITUTION]) + 50)
        return max(0, carries - SPARE)

    def _load_left(self) -> int:
        """Return the weight of what cannot be laid off: it is cursed, or below a cursed cloak."""
        cloak = worn(self._body, CLOAK)
        below = (SUIT, SHIRT) if cloak is not None and cloak.cursed else ()
        covered = [worn(self._body, slot) for slot in below]
        held = [item for item in self._body.hero.items if item.worn and (item.cursed or item in covered)]
        return sum(self._body.lore.object(item.number).weight for item in held if item.number >= 0)

    def _plan(self, world: World, boulder: int, way: int) -> Plan:
        yield from walk(world, boulder - STEP_OF_WAY[way])
        if world.hero != boulder - STEP_OF_WAY[way]:
            return
        self._body.abandoned.add((world.level.key, world.hero))
        for _, piece in zip(range(PIECES), self._pieces(), strict=False):
            ring = piece.kind in JEWELLERY
            yield Phrase("R" if ring else "T", (("remove" if ring else "take off", piece.letter),))
        yield Phrase("D", (("MENU", arms.everything),))
        self._tried.add((world.level.key, boulder))
        self._bouts = BOUTS
        yield world.try_step(way)

    def _search(self, world: World) -> Plan:
        """Search beside the boulder: what it did not budge against is often a hidden piece of the corridor."""
        self._bouts -= 1
        kn.note_search(world.memory, world.hero, kn.BOUT)
        yield from digits(kn.BOUT, SEARCH)

    def _pieces(self) -> Iterator[Item]:
        """Yield what is worn and can be laid off, one after the other: the cloak before what is below it."""
        tried: set[str] = set()
        while True:
            pieces = [
                item for item in self._body.hero.items if item.worn and not item.cursed and item.letter not in tried
            ]
            cloak = worn(self._body, CLOAK)
            if not pieces:
                return
            first = cloak if cloak in pieces else pieces[0]
            tried.add(first.letter)
            yield first
