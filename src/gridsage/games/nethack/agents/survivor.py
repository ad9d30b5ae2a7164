"""The survivor: fights by weighing danger, lives on what it finds, and goes deeper when it is strong enough."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents import behaviours as bh
from gridsage.games.nethack.agents.arms import TARGETS, is_affordable
from gridsage.games.nethack.agents.body import Body
from gridsage.games.nethack.agents.bot import Bot
from gridsage.games.nethack.agents.camping import Camp, Hold
from gridsage.games.nethack.agents.companion import Companion
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.digging import DigDown
from gridsage.games.nethack.agents.foes import Foes
from gridsage.games.nethack.agents.gear import Equip, Loot
from gridsage.games.nethack.agents.hunting import Hunt
from gridsage.games.nethack.agents.journey import Journey
from gridsage.games.nethack.agents.knowledge import knowledge
from gridsage.games.nethack.agents.living import Dine, Worship
from gridsage.games.nethack.agents.personality import Personality
from gridsage.games.nethack.agents.resting import Clear, Convalesce
from gridsage.games.nethack.agents.rings import Adorn
from gridsage.games.nethack.agents.shops import LeaveShop
from gridsage.games.nethack.agents.squeezing import Squeeze
from gridsage.games.nethack.agents.stairways import Ascend, Downstairs, Outlook, Travel, UnwantedBranch
from gridsage.games.nethack.agents.tactics import BREAK_PEACE, STONING, Tactics
from gridsage.games.nethack.agents.wands import Assay
from gridsage.games.nethack.agents.watchdog import Watchdog
from gridsage.games.nethack.agents.world import HALLUCINATING, STEP_OF_WAY, WAY_OF_KEY, World
from gridsage.games.nethack.level import CELLS
from gridsage.games.nethack.state import State

ACTS_PER_TURN, MUTE_TURNS = 6, 30
WALLED_IN = 300  # turns without progress after which whoever can dig leaves through the floor
CAST = ord("Z")
DARING = 45  # turns of searching on a level after which ways lead over known traps, if there are no others
DESPERATE = 400  # turns without progress; the watchdog gives up after 1,450, and an eye's gaze takes 100 each time
STAIRS = frozenset({ord("<"), ord(">")})
BY_STAIRS = frozenset({"travel", "leave", "descend", "ascend"})
GUARD_ASKS = re.compile(r'who are you\?" -\s*$')  # before a letter of the answer was typed
CURSOR_OPEN = "Unknown direction"  # said while the cursor that looks around was left open: no command is heard
ATTRIBUTES = 24  # the key of the page that tells the race


class LookAround:
    """Ask what the screen does not say and the game answers at no cost: our race, and who is peaceful."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._asked: tuple[int, int] = (-1, -1)
        self._looks = (-1, 0)

    def bid(self, world: World) -> bh.Offer | None:
        hero, foes = self._body.hero, self._body.foes
        if not hero.race:
            return bh.Offer(self._priority, "look", 0, self._attributes)
        if foes.unknown < 0 or world.stats[st.CONDITION] & HALLUCINATING:
            return None
        turn, count = self._looks
        self._looks = (world.turn, count + 1 if turn == world.turn else 0)
        if self._looks[1] > 12:
            return None
        return bh.Offer(self._priority, "look", foes.unknown, lambda: self._look(world, foes))

    def _attributes(self) -> bh.Plan:
        yield Phrase(chr(ATTRIBUTES), (("MENU", self._read),))
        if not self._body.hero.race:
            self._body.hero.race = "human"

    def _read(self, state: State) -> str:
        self._body.hero.read_attributes(state)
        return chr(bh.ESCAPE)

    def _look(self, world: World, foes: Foes) -> bh.Plan:
        cell = foes.unknown
        if cell < 0:
            return  # the answer just learned was the last one missing
        assert world.state is not None
        glyph = int(world.state.glyphs[cell])
        yield foes.look(world)
        foes.learn(world, cell, glyph)
        foes.update(world)


class Obedience(bh.Obey):
    """Do what a vault guard says, unless the way out leads through the floor."""

    def __init__(self, personality: Personality, body: Body) -> None:
        super().__init__(personality)
        self._body = body

    def bid(self, world: World) -> bh.Offer | None:
        if self._body.diving:
            return None
        offer = super().bid(world)
        guard = self._guard(world)
        if offer is None or offer.goal == 0 or guard < 0 or arms.distance(guard, world.hero) <= 1:
            return offer
        dist = world.paths()  # the guard grows angry when we do not come close
        near = [guard + step for step in STEP_OF_WAY if 0 <= guard + step < CELLS]
        best = min(near, key=lambda cell: int(dist[cell]))
        if dist[best] >= kn.FAR:
            return offer
        return bh.Offer(offer.priority, "obey", best, lambda: bh.walk(world, best))

    def _guard(self, world: World) -> int:
        """Return the square of the guard in sight, or -1."""
        assert world.state is not None
        kinds, glyphs = self._body.lore.kinds, world.state.glyphs
        return next((cell for cell in self._body.foes.peaceful if kinds[int(glyphs[cell])].name == "guard"), -1)


class Survivor(Bot):
    """A bot that wants to live long and grow."""

    def __init__(self, personality: str = "survivor") -> None:
        super().__init__(personality)

    def _needs(self, chance: random.Random) -> Sequence[tuple[str, int, bh.Behaviour]]:
        mind = self._personality
        want = mind.priorities
        self.body = body = Body(self.world, knowledge())
        self._acts: tuple[int, Counter[str]] = (-1, Counter())  # bids that acted within the turn
        self._count_open = False  # a command is being spelled: its keys are no steps
        self._last_target = -1  # the square that a blow or step aimed at last
        self.journey = journey = Journey(body, mind)
        self.companion = Companion(body, want.companion)
        self.assay = Assay(body, mind)
        equip = Equip(body, want.equip)
        self.tactics = Tactics(body, want.tactics, equip.change)
        watchdog: Watchdog = self.watchdog
        watchdog.bold = False  # floating eyes stay untouched, and weapons in the pack
        return [
            ("look", want.look, LookAround(body, want.look)),
            ("tactics", want.tactics, self.tactics),
            ("pray", want.pray, Worship(body, want.pray)),
            ("obey", want.obey, Obedience(mind, body)),
            ("recover", want.recover, Clear(body, want.recover)),
            ("shop", want.eat, journey.larder),
            ("eat", want.eat, Dine(body, want.eat)),
            ("equip", want.equip, equip),
            ("adorn", want.equip, Adorn(body, want.equip)),
            ("try wands", want.equip, self.assay),
            ("rest", want.rest, Convalesce(body, watchdog, want.rest, mind)),
            ("hunt", want.hunt, Hunt(body, want.hunt)),
            ("dig", want.dig, DigDown(body, journey, want.dig)),
            ("loot", want.loot, Loot(body, want.loot)),
            ("plunder", want.plunder, journey.plunder),
            ("hold", want.hold, Hold(body, journey, watchdog, want.hold)),
            ("leave shop", want.unstick, LeaveShop(body, want.unstick)),
            ("squeeze", want.unstick, Squeeze(body, want.unstick)),
            ("unstick", want.unstick, watchdog),
            ("dip", want.dip, journey.lake),
            ("companion", want.companion, self.companion),
            ("ascend", want.ascend, Ascend(journey, want.ascend)),
            ("travel", want.travel, Travel(journey, want.travel)),
            ("leave branch", want.leave_branch, UnwantedBranch(mind, journey)),
            ("explore", want.explore, Outlook(mind, journey)),
            ("descend", want.descend, Downstairs(mind, journey)),
            ("camp", want.camp, Camp(body, journey, watchdog, want.camp)),
            ("peek", want.peek, bh.Peek(mind)),
            ("search", want.search, bh.Search(mind)),
            ("last resort", want.last_resort, bh.LastResort(mind, chance)),
        ]

    def _take_in(self, state: State) -> None:
        asked = state.prompt == st.YES_NO and "Really attack" in " ".join(state.messages)
        if asked and self._bid[0] not in ("hunt", BREAK_PEACE):
            self.body.foes.spare(self.world, self._last_target)
        quiet = self.watchdog.quiet_turns(self.world)
        self.body.desperate, self.body.walled_in = quiet >= DESPERATE, quiet >= WALLED_IN
        self.body.overdue = self.watchdog.is_overdue(self.world)
        if self.body.desperate and self.world.brave == 2:
            self.world.brave = 3  # somebody peaceful may bar the only way
            self.world.stale()
        if self.world.level.searched_turns >= DARING and not self.world.brave:
            self.world.brave = 1
            self.world.stale()
        if not self.dialogue.is_open:
            self.body.update()
            self.companion.note(self.world)
            self.assay.note(self.world, self.dialogue.is_speaking)
            self.journey.note(self.world)

    def _next_key(self, state: State) -> int:
        if not state.prompt and state.messages and state.messages[-1].startswith(CURSOR_OPEN):
            self.dialogue.close()
            return bh.ESCAPE
        if state.prompt == st.LINE and state.messages and GUARD_ASKS.search(state.messages[-1]):
            # Guards believe Croesus and go; whoever cannot dig needs them to show the way out.
            return self.dialogue.open(Phrase("Agent\r" if self.body.hero.digger is None else "Croesus\r"))
        return super()._next_key(state)

    def _is_muted(self, bid: bh.Offer) -> bool:
        """Count how often a bid acts within one turn: what passes no time is refused, and is muted for a while."""
        world, body = self.world, self.body
        if self._acts[0] != world.turn:
            self._acts = (world.turn, Counter())
        count = self._acts[1]
        count[bid.name] += 1
        if count[bid.name] > ACTS_PER_TURN and bid.name not in ("look", "give up"):
            body.muted[bid.name] = world.turn + MUTE_TURNS
        return body.is_muted(bid.name) or (bid.name in BY_STAIRS and (body.is_shaken() or self._is_ambushed(bid)))

    def _is_ambushed(self, bid: bh.Offer) -> bool:
        """Return True if the stairs that a bid aims at lead to a pack that once drove us away."""
        leads = self.world.level.leads_to.get(bid.goal)
        if leads is None or (bid.name == "descend" and self.journey.diving(self.world)):
            return False
        return self.journey.is_ambushed(self.world, leads)

    def _checked(self, key: int, state: State) -> int:
        """Never step onto what must not be touched, whoever asked for it, nor leave a pet that may still come."""
        if self._takes_stairs(key, state) and self.companion.is_missed(self.world):
            self.companion.call(self.world)
            return bh.SEARCH
        if key not in WAY_OF_KEY or state.prompt or self._count_open:
            return key
        if self.body.reels_beside_friends():
            return bh.SEARCH
        cell = self.world.hero + STEP_OF_WAY[WAY_OF_KEY[key]]
        glyph = int(state.glyphs[cell]) if 0 <= cell < CELLS else kn.PET
        if glyph >= kn.PET:
            return key
        kind = self.body.lore.kinds[glyph]
        touchable = not kind.forbidden or is_affordable(kind, self.world.stats[st.HP])
        if kind.name in STONING and self.body.hero.weapon is None:
            return bh.SEARCH
        touchable = touchable or (self.body.desperate and kind.name in TARGETS)
        return key if touchable and cell not in self.body.foes.peaceful else bh.SEARCH

    def _takes_stairs(self, key: int, state: State) -> bool:
        """Return True if a key takes stairs by choice, not in flight, and is no direction of a command."""
        spoken = state.prompt or self.dialogue.is_open
        return key in STAIRS and not spoken and self._bid[0] in BY_STAIRS

    def _sent(self, key: int) -> None:
        self._count_open = self.dialogue.is_open
        if key in WAY_OF_KEY:
            self._last_target = self.world.hero + STEP_OF_WAY[WAY_OF_KEY[key]]
        if key == bh.PRAY:
            self.body.hero.prayed = self.world.turn
        if key == CAST and self.world.state is not None and not self.world.state.prompt:
            self.body.hero.note_spell(self.world.stats[st.INTELLIGENCE])
