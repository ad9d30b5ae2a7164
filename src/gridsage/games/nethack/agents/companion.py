"""The pet: it fights at the side of those who fight worst, so that they do not leave it behind on other levels."""

from __future__ import annotations

from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.arms import distance
from gridsage.games.nethack.agents.behaviours import Offer
from gridsage.games.nethack.agents.body import Body, bid_of
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.living import WEAK
from gridsage.games.nethack.agents.world import LevelKey, World

# The roles that live longer beside it; per 1,000 turns more than 0.13 of them die without. Cavemen, Knights, Rangers,
# Rogues and Wizards do not, and it eats what they might eat.
WEAKEST = frozenset({"hea", "pri", "tou"})
GROWN_UP = 8  # the experience level from which on the hero does without
STRAYED = 100  # turns after which a pet that was not seen is given up
PATIENCE = 60  # turns that a pet is waited for on one visit to a level


class Companion:
    """Wait for the pet before stairs are taken by choice: only whoever stands beside us comes along."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._home: LevelKey = (-1, -1)  # the level on which the pet was seen last
        self._seen_turn = -1000
        self._visited: LevelKey = (-1, -1)
        self._waited = 0  # turns, on this visit
        self._called_turn = -1000  # when the hero was last about to take stairs without its pet

    def note(self, world: World) -> None:
        """Take in where the pet is."""
        if world.level.key != self._visited:
            self._visited, self._waited = world.level.key, 0
        if self._body.foes.pets:
            self._home, self._seen_turn = world.level.key, world.turn

    def is_missed(self, world: World) -> bool:
        """Return True if the pet is on this level, not beside us, and may still come."""
        body, stats = self._body, world.stats
        if not self._priority or body.hero.role not in WEAKEST:
            return False
        if self._home != world.level.key or world.turn - self._seen_turn > STRAYED or self._waited >= PATIENCE:
            return False
        if not body.is_quiet() or not world.sees or body.diving or body.doomed or stats[st.HUNGER] >= WEAK:
            return False
        if stats[st.EXPERIENCE] >= GROWN_UP:
            return False
        return not any(distance(cell, world.hero) == 1 for cell in body.foes.pets)

    def call(self, world: World) -> None:
        """Begin to wait: the hero stands on the stairs that it wants to take."""
        self._called_turn = world.turn

    def bid(self, world: World) -> Offer | None:
        if world.turn - self._called_turn > 1 or not self.is_missed(world):
            return None
        self._called_turn = world.turn
        self._waited += 1
        return bid_of(self._priority, "await the pet", world.turn, Phrase("s"))
