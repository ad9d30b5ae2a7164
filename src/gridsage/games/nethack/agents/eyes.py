"""Floating eyes that bar the only way: they flee before the word, one square in twelve turns."""

from __future__ import annotations

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import Offer
from gridsage.games.nethack.agents.body import Body, Spot, bid_of, key_of
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.world import World

EYE = "floating eye"
PATIENCE = 120  # turns beside an eye that does not move before it is struck instead
BOUT = 5  # turns between two looks at the word


class Eyes:
    """Drives an eye along a corridor: a blow is answered by a gaze of some seventy turns, in which its wounds close."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._spot: Spot | None = None  # where the word is written
        self._words, self._since = 0, 0
        self._read_turn = -1

    def drive(self, world: World) -> Offer | None:
        """Return the next step of driving away an eye near by, once no other way was found for long."""
        body = self._body
        if not body.walled_in or arms.missiles(body) or arms.spare_things(body):
            return None  # what can be thrown is thrown first
        eye = next((foe for foe in body.foes.hostile if foe.kind.name == EYE and foe.distance <= 2), None)
        if eye is None:
            return None
        if eye.beside:
            return self._scare(world)
        way = body.way_towards(eye.cell)
        if way < 0 or int(kn.entry_cost(world.memory, world.hero, way, world.turn, world.brave)) != 1:
            return None
        return bid_of(self._priority, "follow", world.hero, Phrase(key_of(way)))

    def _scare(self, world: World) -> Offer | None:
        """Write the word beside the eye, read it, and wait until the eye has moved."""
        body, here = self._body, (world.level.key, world.hero)
        if self._spot != here:
            self._spot, self._words, self._since = here, 0, world.turn
        if world.turn - self._since > PATIENCE:
            return None
        written = self._words > 0 or body.elbereth == here
        if written and self._read_turn < world.turn:
            self._read_turn = world.turn
            return bid_of(self._priority, "read the word", world.turn, Phrase(":"))
        if body.elbereth != here and arms.can_write(body) and not body.is_muted("write the word"):
            self._words += 1
            return bid_of(self._priority, "write the word", world.turn * 8 + self._words, arms.engraving("Elbereth"))
        return bid_of(self._priority, "drive away", world.turn, Phrase(f"{BOUT}s"))
