"""Shops: the way out of one whose keeper stands before the door."""

from __future__ import annotations

from functools import partial

import numpy as np

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import SEARCH, Offer, walk
from gridsage.games.nethack.agents.body import Body, bid_of
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.world import STEP_OF_WAY, World
from gridsage.games.nethack.level import CELLS

PAY_AGAIN = 20  # turns between two offers to pay
WAITED, AWAY = 60, 60  # turns of waiting beside the keeper, and then at the other end: a gas spore may bar the door


class LeaveShop:
    """Pay, and stand beside a keeper who bars the only way out: he makes room for those who owe nothing."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._paid_turn = -1000
        self._waited = 0  # turns spent beside the keeper
        self._away_until = -1

    def bid(self, world: World) -> Offer | None:
        keeper = self._keeper(world)
        if keeper < 0 or not world.memory[kn.SHUNNED, world.hero] or is_way_out(world):
            self._waited = 0
            return None
        if (unpaid := next((item for item in self._body.hero.items if "unpaid" in item.notes), None)) is not None:
            return bid_of(self._priority, "put back", world.turn, Phrase("d", (("drop", unpaid.letter),)))
        if world.turn < self._away_until:
            return self._stand_back(world, keeper)
        if arms.distance(keeper, world.hero) == 1:
            self._waited += 1
            if self._waited > WAITED:
                self._waited, self._away_until = 0, world.turn + AWAY
            if world.turn - self._paid_turn < PAY_AGAIN:
                return bid_of(self._priority, "wait for the keeper", world.turn, Phrase(chr(SEARCH)))
            self._paid_turn = world.turn
            return bid_of(self._priority, "pay", world.turn, Phrase("p", (("temized", "n"), ("Pay", "y"))))
        dist = world.paths()
        near = [keeper + step for step in STEP_OF_WAY if 0 <= keeper + step < CELLS]
        best = min(near, key=lambda cell: int(dist[cell]))
        if dist[best] >= kn.FAR or self._body.is_muted("to the keeper"):
            return None
        return Offer(self._priority, "to the keeper", best, partial(walk, world, best))

    def _stand_back(self, world: World, keeper: int) -> Offer:
        """Walk to the other end of the shop and wait there: who bars the door comes after us."""
        dist = world.paths()
        inside = np.flatnonzero((dist < kn.FAR) & (world.memory[kn.SHUNNED] != 0)).tolist()
        target = max(inside, key=lambda cell: arms.distance(cell, keeper), default=world.hero)
        if arms.distance(world.hero, keeper) >= arms.distance(target, keeper):
            return bid_of(self._priority, "stand back", world.turn, Phrase(chr(SEARCH)))
        return Offer(self._priority, "stand back", target, partial(walk, world, target))

    def _keeper(self, world: World) -> int:
        """Return the square of a peaceful shopkeeper in sight, or -1."""
        assert world.state is not None
        kinds, glyphs = self._body.lore.kinds, world.state.glyphs
        return next((cell for cell in self._body.foes.peaceful if kinds[int(glyphs[cell])].name == "shopkeeper"), -1)


def is_way_out(world: World) -> bool:
    """Return True if some ground that no shop stands on can be reached."""
    reached = world.paths() < kn.FAR
    return bool(np.any(reached & (world.memory[kn.SHUNNED] == 0)))
