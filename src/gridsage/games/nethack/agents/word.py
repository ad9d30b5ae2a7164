"""The word in the dust: when Elbereth is written, read, trusted, rested on, and given up."""

from __future__ import annotations

from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import Offer
from gridsage.games.nethack.agents.body import Body, bid_of
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.flight import Option, fight_loss
from gridsage.games.nethack.agents.foes import ATTACKS, Foe, chance_of_death
from gridsage.games.nethack.agents.living import WEAK, eating, urgent_meal
from gridsage.games.nethack.agents.world import LevelKey, World

SPELT_WRONG = 0.27  # share of dust engravings that do not read Elbereth
HEEDLESS = 0.25  # what it costs to rest beside somebody who does not care for the word: nobody fights it meanwhile
WORD_HELD = 0.06  # chance of dying on a word that was read: it wears off, and some shoot
WORD_DELAYS, WRITING_ROUNDS = 0.08, 1.4  # it drives nobody away for good, and is paid for while it is written
HEALTHY = 0.8  # share of hit points from which on nobody has to rest on the word
# A healthy hero stays on the word as long as leaving it is this risky, and not for ever: for so many rests in one
# siege. After so many turns without such a rest the next siege begins.
BESIEGED, SIEGE, SIEGE_GAP = 0.3, 60, 50
BESIEGED_STARVING, SIEGE_STARVING = 0.6, 10  # the same for those who starve
# A bout against those who besiege a word: rounds reckoned with, the share of hit points that they may cost, and the
# share at which the word is written again, and what the god must think of us.
SALLY_ROUNDS, SALLY_SHARE, SALLY_UNTIL, SALLY_PIETY = 4, 0.5, 0.5, 10
SALLY_SOON = 2  # turns within which those come who are reckoned with, too: the word is gone after the first blow
SALLY_STARVING = 0.25  # the same share for those who starve
BLIND_WORDS = 3  # words written without seeing them before it is fought out
IGNORED = 2  # wounds on a word that was read after which a diver fights whoever is beside
DIVE_WORDS = 5  # words written in one pit before it is fought out
PIERCING = 6.0  # hit points per turn from which on a wand or a bow makes the word no shelter
PIERCED = 2  # wounds on a word that holds: somebody shoots, and resting there is no shelter
HOPELESS = 0.6  # a fight more dangerous than this is no way out for somebody shot at on the word
REST_GAP = 6  # turns after which a rest on the word is another one
PIERCED_TURNS = 40  # how long the word is given up then


class Word:
    """What was written where, and whether it holds."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self.tried = 0  # engravings on this spot
        self._at, self._turn = -1, -1000  # where and when the last was written
        self._unread = False  # it was written and not read yet
        self._looked_turn = -1
        self._siege, self._siege_turn = 0, -1000  # rests of a healthy hero in this siege, and when the last was
        self._sally: tuple[LevelKey, int] = ((-1, -1), -1)  # the word left for a bout against those who besiege it
        self._rested: tuple[LevelKey, int] = ((-1, -1), -1)  # the word rested on last, and when
        self._rested_turn = -1000
        self._pierced, self._pierced_turn = 0, -1  # wounds on a word that held, and when the last was counted
        self._ignored: tuple[tuple[LevelKey, int], int, int] = (((-1, -1), -1), -1, 0)  # a diver's word, wounds on it

    def note_writing(self, world: World) -> None:
        self._turn = world.turn
        self.tried += 1
        self._unread = True

    def while_diving(self, world: World) -> Offer | None:
        """Write the word instead of fighting: a blow from a pit hardly hits, and the digging goes on at once."""
        body, here = self._body, (world.level.key, world.hero)
        if not arms.can_write(body) or body.is_muted("write the word"):
            return None
        if self._at != world.hero or world.turn - self._turn > 100:
            self.tried, self._at, self._unread = 0, world.hero, False
        if self._unread and world.sees:
            self._unread = False
            return bid_of(self._priority, "read the word", world.turn, Phrase(":"))
        if self.tried >= DIVE_WORDS:
            return None
        self.note_writing(world)
        if not world.sees:
            body.elbereth = here  # until a wound tells otherwise
        return bid_of(self._priority, "write the word", world.turn * 8 + self.tried, arms.engraving("Elbereth"))

    def trust(self, world: World) -> Offer | None:
        """Read the word underfoot, which takes no time, and let the digging go on while it holds."""
        if not world.sees:
            if self._body.hurt_turn < world.turn:
                return None
            self._body.elbereth = None  # nobody who respects it would have struck
            return self.while_diving(world)
        if self._looked_turn == world.turn:
            return None
        self._looked_turn = world.turn
        self._body.elbereth_turn = -1
        return bid_of(self._priority, "read the word", world.turn, Phrase(":"))

    def is_ignored(self, world: World, threats: list[Foe]) -> bool:
        """Return True if somebody beside us strikes again although the word was read: the blind do not see it."""
        here, turn = (world.level.key, world.hero), world.turn
        if self._body.elbereth != here or self._ignored[0] != here:
            self._ignored = (here, turn, 0)
        _, last, count = self._ignored
        names = {foe.kind.name for foe in threats if foe.beside}
        if self._body.hurt_turn == turn > last and names & set(ATTACKS.findall(" ".join(world.messages))):
            self._ignored = (here, turn, count + 1)
        if self._ignored[2] < IGNORED:
            return False
        self.give_up(world)
        return True

    def linger(self, world: World) -> Offer | None:
        """Read the word just written, and rest on it while wounded: whoever it drove out of sight comes back."""
        body, here = self._body, (world.level.key, world.hero)
        if not world.sees or body.doomed or body.overdue or body.is_muted("rest on the word"):
            return None
        fresh = self._unread and self._at == world.hero and world.turn - self._turn <= REST_GAP
        wounded = world.stats[st.HP] < HEALTHY * world.stats[st.HP_MAX]
        if not fresh and (body.elbereth != here or not wounded):
            return None
        if fresh or self._looked_turn != world.turn:
            self._looked_turn, self._unread = world.turn, False
            return bid_of(self._priority, "read the word", world.turn, Phrase(":"))
        return bid_of(self._priority, "rest on the word", world.turn, Phrase("2s"))

    def hide(self, world: World) -> Offer | None:
        """Write the word blindly and rest on it until a wound tells that it does not hold."""
        body, here = self._body, (world.level.key, world.hero)
        if body.elbereth == here and body.hurt_turn < world.turn:
            return bid_of(self._priority, "rest on the word", world.turn, Phrase("s"))
        if self._at != world.hero or world.turn - self._turn > 100:
            self.tried, self._at = 0, world.hero
        if self.tried >= BLIND_WORDS or not arms.can_write(body, blindly=True):
            return None
        self.note_writing(world)
        body.elbereth, self._unread = here, False
        return bid_of(self._priority, "write the word", world.turn, arms.engraving("Elbereth"))

    def option(self, world: World, threats: list[Foe], risk: float) -> Option | None:
        """Return the option of Elbereth: write it, read it, or rest on it."""
        body = self._body
        beside = [foe for foe in threats if foe.distance <= 2]
        heedless = [foe for foe in threats if foe.fire >= PIERCING or (foe.distance <= 2 and not foe.kind.respects)]
        if not arms.can_write(body) or body.desperate:
            return None  # resting and fighting by turns has led nowhere for long
        if body.diving and any(foe.beside for foe in heedless):
            return None  # it would be struck at all the same, and nothing is dug meanwhile
        left = chance_of_death(fight_loss(body, heedless), world.stats[st.HP]) + HEEDLESS if heedless else 0.0
        here = (world.level.key, world.hero)
        starving = body.doomed or world.stats[st.HUNGER] >= WEAK  # no rest stills hunger
        starving = starving and urgent_meal(body) is None
        if self._at != world.hero or world.turn - self._turn > 100:
            self.tried, self._at = 0, world.hero
        if body.elbereth == here and body.elbereth_turn >= world.turn - 1:
            if starving or world.stats[st.HP] >= HEALTHY * world.stats[st.HP_MAX]:
                self._siege = self._siege + 1 if world.turn - self._siege_turn <= SIEGE_GAP else 1
                self._siege_turn = world.turn
                honest = body.hero.piety >= SALLY_PIETY  # a blow from the word is a sin
                sally = honest and self._may_sally(world, threats)
                besieged, siege = (BESIEGED_STARVING, SIEGE_STARVING) if starving else (BESIEGED, SIEGE)
                if risk < besieged or self._siege > siege or sally:
                    self._sally = here
                    return None
            if self._is_pierced(world) and risk < HOPELESS:
                self.give_up(world)
                return None
            if (meal := urgent_meal(body)) is not None and not body.is_muted("eat"):
                return Option(left + WORD_HELD, "eat", world.turn, eating(meal))
            return Option(left + WORD_HELD, "rest on the word", world.turn, Phrase("2s"))
        if body.elbereth == here and self._looked_turn == world.turn:
            body.elbereth = None  # it cannot be read any more
        if body.elbereth == here or (0 <= world.turn - self._turn <= 2 and self._unread):
            self._looked_turn, self._unread = world.turn, False
            return Option(left + WORD_HELD, "read the word", world.turn, Phrase(":"))
        until = (SALLY_STARVING if starving else SALLY_UNTIL) * world.stats[st.HP_MAX]
        if self._sally == here and world.stats[st.HP] >= until:
            if self._may_sally(world, threats):
                return None  # a siege is not sat out: ever more come, and nobody falls
        else:
            self._sally = ((-1, -1), -1)
        struck = chance_of_death(WRITING_ROUNDS * sum(foe.loss for foe in beside if foe.beside), world.stats[st.HP])
        failing = SPELT_WRONG + min(0.3, 0.06 * self.tried)
        cost = left + WORD_HELD + WORD_DELAYS + struck + failing * max(risk, 0.3)
        return Option(cost, "write the word", world.turn, arms.engraving("Elbereth"))

    def expected(self, world: World, threats: list[Foe], risk: float, rounds: float) -> float | None:
        """Return the chance of dying that a word leaves which is written only after so many rounds; None if in vain."""
        if any(foe.fire >= PIERCING or not foe.kind.respects for foe in threats) or self._body.desperate:
            return None
        if not world.sees or self._body.hero.has_bound_hands() or self._body.is_muted("write the word"):
            return None
        beside = sum(foe.loss for foe in threats if foe.distance <= 2)
        struck = chance_of_death((rounds + WRITING_ROUNDS) * beside, world.stats[st.HP])
        return WORD_HELD + WORD_DELAYS + struck + SPELT_WRONG * max(risk, 0.3)

    def _may_sally(self, world: World, threats: list[Foe]) -> bool:
        """Return True if a few rounds against those around us cost little: the word can be written again."""
        around = [foe for foe in threats if (foe.distance - 1) * 12 <= SALLY_SOON * foe.kind.row.speed]
        if not any(foe.beside for foe in around) or any(foe.spike for foe in around):
            return False
        return 0 < SALLY_ROUNDS * sum(foe.loss for foe in around) < SALLY_SHARE * world.stats[st.HP]

    def _is_pierced(self, world: World) -> bool:
        """Return True if the word holds and wounds come all the same while we rest on it: somebody shoots."""
        here, hurt = (world.level.key, world.hero), self._body.hurt_turn
        if self._rested != here or world.turn - self._rested_turn > REST_GAP:
            self._rested, self._pierced, self._pierced_turn = here, 0, world.turn  # older wounds tell nothing
        self._rested_turn = world.turn
        if hurt > self._pierced_turn:
            self._pierced, self._pierced_turn = self._pierced + 1, hurt
        if self._pierced < PIERCED:
            return False
        self._pierced = 0
        return True

    def give_up(self, world: World) -> None:
        for name in ("write the word", "read the word", "rest on the word"):
            self._body.muted[name] = world.turn + PIERCED_TURNS
