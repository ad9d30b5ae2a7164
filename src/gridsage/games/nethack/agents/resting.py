"""Getting well again: rest on stairs or on the word, and clear senses."""

from __future__ import annotations

from functools import partial

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import Offer, walk
from gridsage.games.nethack.agents.body import Body, bid_of, stairs_key
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.living import HUNGRY, WEAK, fasts, is_foraging
from gridsage.games.nethack.agents.personality import Personality
from gridsage.games.nethack.agents.watchdog import Watchdog
from gridsage.games.nethack.agents.world import BLIND, CONFUSED, HALLUCINATING, STUNNED, LevelKey, World

BOLTS = 1  # spells of force that a wizard rests for
HASTY = 0.5  # share of hit points up to which a hungry hero without food rests
CALM_DEPTH = 10  # the depth down to which a diver may rest without the word
HUNTED_TURNS = 15  # turns since a foe was seen within which a diver does not rest
DIVE_REST = 0.5  # share of hit points below which even a diver rests
HELD_BELOW, HELD_TURNS, HELD_WORDS = 0.5, 200, 2  # below which share the word is sought, how long, words written
UNREAD_WORDS = 4  # words written in one blindness
WARDED_BELOW, WARD_WORDS = 0.6, 3  # below which share of hit points a rest begins with the word; words written
REFUGE_STEPS, BESET = 40, 0.1  # how far stairs may be to rest on; the risk behind them from which on others are better
WATCHED = 400  # turns for which a beast, which it may be for 999, stays with what fell off it; the second time half
PRIZE_STEPS = 3  # how far a pile is looked through before a rest


class Convalesce:
    """Search on the spot until the wounds have closed; where nothing hostile is in sight."""

    def __init__(self, body: Body, watchdog: Watchdog, priority: int, personality: Personality) -> None:
        self._body, self._watchdog, self._priority = body, watchdog, priority
        self._below, self._until = personality.rest_below, personality.rest_until
        self._resting = False
        self._held_at: tuple[LevelKey, int] = ((-1, -1), -1)  # where, and since when, the word holds somebody off
        self._held_turn = 0
        self._words = 0
        self._unread = False
        self._warded: tuple[LevelKey, int] = ((-1, -1), -1)  # where the word is written before a rest
        self._ward_tries, self._ward_unread = 0, False
        self._read_turn = -1  # when the word rested on was read last
        self._watches: set[int] = set()  # turns in which weapon and armour fell off

    def bid(self, world: World) -> Offer | None:
        stats, body = world.stats, self._body
        share = stats[st.HP] / max(1, stats[st.HP_MAX])
        if body.doomed or body.overdue or stats[st.HUNGER] >= WEAK:
            self._resting = False
            return self._fast(world) if fasts(body) else None
        if not body.is_quiet():
            self._resting = False
            return self._held(world) if share < HELD_BELOW and not body.diving else None
        if not body.diving and not body.desperate and (watch := self._watch_belongings(world)) is not None:
            return watch
        level, turn = body.fled
        if level != world.level.key and world.turn - turn < 5:
            self._resting = True  # whoever fled comes back in full strength
        hunted = world.level.depth > CALM_DEPTH or world.turn - body.seen_turn < HUNTED_TURNS
        if body.diving and (share > DIVE_REST or hunted):
            return None  # on the way down the next hole is safer than a rest: the word wears off
        until = min(self._until, HASTY) if is_foraging(body) else self._until
        self._resting = share < (until if self._resting else min(until, self._below)) or self._needs_power(world)
        if not self._resting or self._has_prize(world):
            return None
        if body.is_under_fire():
            return self._leave_line(world)
        self._watchdog.excuse(world)
        if (care := self._care(world)) is not None:
            return care
        if share < WARDED_BELOW and (ward := self._ward(world)) is not None:
            return ward
        refuge = self._refuge(world)
        if refuge >= 0 and not body.is_muted("to a refuge") and not body.is_on_word:
            return Offer(self._priority, "to a refuge", refuge, partial(walk, world, refuge))
        if body.is_on_word and self._read_turn != world.turn:
            self._read_turn, self._ward_tries = world.turn, 0  # each foe that it scares may wipe it out
            return bid_of(self._priority, "read the word", world.turn, Phrase(":"))
        bout = "5s" if body.foes.hostile else "20s"  # who is in sight already does not interrupt
        return bid_of(self._priority, "rest", world.turn, Phrase(bout))

    def _fast(self, world: World) -> Offer:
        """Lie still on the word: those who faint wake up again, if nobody comes meanwhile."""
        self._watchdog.excuse(world)
        if (ward := self._ward(world)) is not None:
            return ward
        bout = "5s" if self._body.foes.hostile else "20s"  # who is in sight already does not interrupt
        return bid_of(self._priority, "fast", world.turn, Phrase(bout))

    def _watch_belongings(self, world: World) -> Offer | None:
        """Stay with weapon and armour that fell off: a beast is human again where it dies, and naked elsewhere."""
        body = self._body
        spot = body.belongings()
        if spot is None or spot[0] != world.level.key:
            return None
        if spot[1] != world.hero:
            reached = int(world.paths()[spot[1]]) < kn.FAR and not body.is_muted("to belongings")
            return Offer(self._priority, "to belongings", spot[1], partial(walk, world, spot[1])) if reached else None
        if not body.hero.beast:
            return None  # they are taken up
        self._watches.add(body.dropped_turn)
        if world.turn - body.dropped_turn > WATCHED // len(self._watches):
            return None
        self._watchdog.excuse(world)
        return bid_of(self._priority, "rest", world.turn, Phrase("10s"))

    def _has_prize(self, world: World) -> bool:
        """Return True if somebody fell beside us who may have carried a pick-axe: that is looked at before a rest."""
        body = self._body
        hunted = world.turn - body.seen_turn < HUNTED_TURNS and world.stats[st.HP] * 3 < world.stats[st.HP_MAX]
        if body.hero.digger is not None or body.is_under_fire() or hunted:
            return False
        near = [cell for level, cell in body.piles if level == world.level.key]
        return any(arms.distance(cell, world.hero) <= PRIZE_STEPS for cell in near)

    def _care(self, world: World) -> Offer | None:
        """Return a healer's spell instead of a long rest, which costs more food."""
        spell = arms.care(self._body)
        return None if spell is None else bid_of(self._priority, "heal", world.turn, spell)

    def _leave_line(self, world: World) -> Offer | None:
        """Leave over stairs where somebody unseen shoots; without stairs near by walk on."""
        if key := stairs_key(world, world.hero):
            self._body.fled = (world.level.key, world.turn)
            return bid_of(self._priority, "stairs", 0, Phrase(key))
        refuge = self._refuge(world)
        if refuge < 0 or self._body.is_muted("to a refuge"):
            return None
        return Offer(self._priority, "to a refuge", refuge, partial(walk, world, refuge))

    def _held(self, world: World) -> Offer | None:
        """Rest on the word, or write it, where a foe is near that does not come: walking on would meet it weak."""
        body, here = self._body, (world.level.key, world.hero)
        if self._held_at != here or world.turn > self._held_turn + HELD_TURNS:
            self._held_at, self._held_turn, self._words, self._unread = here, world.turn, 0, False
        if body.elbereth == here:
            self._watchdog.excuse(world)
            return bid_of(self._priority, "rest", world.turn, Phrase("3s"))
        if stairs_key(world, world.hero) and world.turn < self._held_turn + HELD_TURNS:
            return bid_of(self._priority, "rest", world.turn, Phrase("2s"))  # here the fight can be left
        if not arms.can_write(body) or body.is_muted("write the word"):
            return None
        if self._unread:
            self._unread = False
            return bid_of(self._priority, "read the word", world.turn, Phrase(":"))
        if self._words >= HELD_WORDS:
            return None
        self._words += 1
        self._unread = True
        return bid_of(self._priority, "write the word", world.turn * 8 + self._words, arms.engraving("Elbereth"))

    def _ward(self, world: World) -> Offer | None:
        """Write the word before a long rest, and read it: whoever comes meanwhile would meet us weak."""
        body, here = self._body, (world.level.key, world.hero)
        if body.elbereth == here or body.diving or not arms.can_write(body) or body.is_muted("write the word"):
            return None
        if self._warded != here:
            self._warded, self._ward_tries, self._ward_unread = here, 0, False
        if self._ward_unread:
            self._ward_unread, self._read_turn = False, world.turn
            return bid_of(self._priority, "read the word", world.turn, Phrase(":"))
        if self._ward_tries >= WARD_WORDS:
            return None
        self._ward_tries += 1
        self._ward_unread = True
        return bid_of(self._priority, "write the word", world.turn * 8 + self._ward_tries, arms.engraving("Elbereth"))

    def _refuge(self, world: World) -> int:
        """Return stairs near by to rest on, because every fight can be left there; -1 if none or if we are there."""
        if stairs_key(world, world.hero) and self._waiting(world, world.hero) < BESET:
            return -1
        dist = world.paths()
        kinds = (kn.UP, kn.DOWN) if world.level.depth > 1 else (kn.DOWN,)
        near = [int(kn.nearest_of(world.memory, dist, kn.TERRAIN, kind)) for kind in kinds]
        near = [cell for cell in near if cell >= 0 and dist[cell] <= REFUGE_STEPS]
        best = min(near, key=lambda cell: (round(self._waiting(world, cell), 1), int(dist[cell])), default=-1)
        return -1 if best == world.hero else best

    def _waiting(self, world: World, cell: int) -> float:
        """Return the risk of those who wait behind stairs: between two foes no fight can be left."""
        leads = world.level.leads_to.get(cell)
        return 0.0 if leads is None else self._body.ambush_risk(leads)

    def _needs_power(self, world: World) -> bool:
        stats = world.stats
        wanted = min(BOLTS * arms.BOLT_POWER, stats[st.POWER_MAX]) if self._resting else arms.BOLT_POWER
        return self._body.hero.role == "wiz" and stats[st.POWER] < wanted and stats[st.HUNGER] < HUNGRY


class Clear:
    """Wait until the senses are clear, as long as nothing attacks; the blind wait on the word, written unread."""

    LONGEST = 150

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._since = -1
        self._words = 0  # written in this blindness

    def bid(self, world: World) -> Offer | None:
        clouded = world.stats[st.CONDITION] & (BLIND | STUNNED | CONFUSED | HALLUCINATING)
        if not clouded or (self._body.diving and self._digs_on(world, clouded)):
            self._since, self._words = -1, 0
            return None
        if self._since < 0:
            self._since = world.turn
        if world.turn - self._since > self.LONGEST or self._body.is_under_fire():
            return None
        quiet = self._body.is_quiet()
        if clouded & BLIND and (word := self._blind_word(world)) is not None:
            return word
        if not quiet and not clouded & BLIND:
            return None
        return bid_of(self._priority, "recover", world.turn, Phrase("5s" if quiet else "s"))  # the blind do not roam

    def _digs_on(self, world: World, clouded: int) -> bool:
        """Return True if a diver does not wait: a hole can be dug with closed eyes, and the hungry have no time."""
        return (clouded == BLIND and world.level.depth > CALM_DEPTH) or world.stats[st.HUNGER] >= HUNGRY

    def _blind_word(self, world: World) -> Offer | None:
        """Write the word before somebody comes: the blind lose against a crowd that they do not see."""
        body, here = self._body, (world.level.key, world.hero)
        if body.elbereth == here or body.diving or self._words >= UNREAD_WORDS or stairs_key(world, world.hero):
            return None
        if not arms.can_write(body, blindly=True) or body.is_muted("write the word"):
            return None
        self._words += 1
        body.elbereth = here  # until a wound tells otherwise
        return bid_of(self._priority, "write the word", world.turn * 8 + self._words, arms.engraving("Elbereth"))
