"""Danger: every option is weighed by the chance of dying that it leaves, and the smallest one acts."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import SEARCH, Offer, Plan
from gridsage.games.nethack.agents.body import FLED_TURNS, ROBBED, Body, bid_of, key_of, stairs_key
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.eyes import EYE, Eyes
from gridsage.games.nethack.agents.flight import Flight, Option, fight_loss
from gridsage.games.nethack.agents.foes import LETTER_NYMPH, Foe, chance_of_death
from gridsage.games.nethack.agents.gear import worn
from gridsage.games.nethack.agents.hero import SHIELD, TOOL, WEAPON, is_low
from gridsage.games.nethack.agents.hunting import SACRED
from gridsage.games.nethack.agents.living import lives_on_prey
from gridsage.games.nethack.agents.taming import feeding
from gridsage.games.nethack.agents.word import Word
from gridsage.games.nethack.agents.world import MINES, STEP_OF_WAY, World
from gridsage.games.nethack.level import CELLS

BREAK_PEACE = "break the peace"  # the one bid besides the hunt that attacks the peaceful
STIRRED = 5  # turns after a wound in which nobody is believed to sleep
REACH = 8  # monsters farther away do not matter yet
CALM = 0.04  # a fight this safe is fought without weighing anything else
STAND = 0.08  # the same for a fight on stairs, which is weighed again every turn
PRAYER_DELAY = 0.01
BEHIND, BEHIND_STEPS = 2, 3  # turns since, and steps away from where, somebody was seen who is still with us
ELSEWHERE = 0.1  # the risk of reading oneself to another place on the level
REMEDY, REMEDY_BLIND = 0.34, 0.5  # share of hit points below which something unseen makes us drink what heals
LOSING = 0.5  # share of hit points below which nobody fights something unseen
SPIKES = 0.6  # how much of the chance that one lucky round kills counts
WARY = 0.15  # a fight more dangerous than this is not sought
PEACEFUL_TURNS = 10  # without a wound, before there is time for practice
DIVE_DREAD = 0.25  # the danger from which on a diver meets even a lone foe with the word
SOONER, LAST_STROKES = 0.05, 2  # how much safer it must be to dig on; strokes before which nobody prays
# How many steps of retreat an unhurt hero takes, going back in between, before it makes up its mind, and for how long.
DITHERED, RESOLVED_TURNS, UNHURT = 8, 150, 10
STRANDED, STEPPED_OFF = 0.6, 10  # a fight on stairs that is all but lost; turns in which nobody steps back onto them
RETREATS = frozenset({"to the stairs", "take position", "to a refuge"})
AWAIT_TURNS, AWAIT_MUTE = 20, 100  # how long a foe is waited for at a stretch, and is not waited for then
KITE_RISK = 0.03  # a fight riskier than this is fought from afar against slow foes
TURNED_TO_STONE = 0.5  # the risk of staying beside such a foe without an answer
BLAST = 1  # how far the explosion of a gas spore reaches
# How near a crowd, or somebody dreaded, and a lone foe must be before anything but a fight is thought of.
CROWD_REACH, LONE_REACH, DREADED = 5, 2, 0.5
STILL_FLEEING = 2  # turns after a step towards stairs in which nobody steps back to throw
ARMED = 1.6  # how much better a weapon must be to be taken in hand within a fight
STRAINED = 2  # the load from which on a beast drops all it carries
GRAB_AGAIN = 20  # turns before something underfoot is reached for again
BELOW, LED_ASTRAY = 0.12, 0.4  # the risk of a hole; and in the Mines, which end soon and have one way back
ZAPS = 8  # a wand zapped more often is believed empty
STONING = frozenset({"cockatrice", "chickatrice"})  # never touched with bare hands
BITES = re.compile(r"The [a-z ]*(?:dog|cat|kitten|pony|horse) (?:bites|kicks|claws)")


class Tactics:
    """Bids whenever something dangerous is near."""

    def __init__(self, body: Body, priority: int, pastime: Callable[[World], Offer | None]) -> None:
        self._body, self._priority = body, priority
        self._flight = Flight(body)
        self._eyes = Eyes(body, priority)
        self._word = Word(body, priority)
        self._pastime = pastime  # what can be done on a word that holds
        self._zaps = 0
        self._grab_turn = -1000  # when something underfoot was reached for last
        self._waited = (-1000, -1000)  # since when a foe is waited for, and when last
        self._retreats: list[int] = []  # the squares that were retreated from since the last wound
        self.weighed: tuple[Option, ...] = ()
        self._fled_turn = -1000  # when the last step of a retreat to stairs was made

    def bid(self, world: World) -> Offer | None:
        body = self._body
        if world.swallowed or body.engulfed:
            return bid_of(self._priority, "fight", 0, Phrase("F" + key_of(0)))
        if (tool := self._shed(world) or self._grab_tool(world) or self._take_back(world)) is not None:
            return tool
        if self._is_on_way_down(world) and not body.is_muted("stairs"):
            return bid_of(self._priority, "stairs", 0, Phrase(">"))  # whoever follows: it is the way that we go
        threats = [foe for foe in self.threats() if foe.beside or not body.diving]
        if not threats:
            hunted = not body.diving and body.is_hunted()
            return (self._word.linger(world) if hunted else None) or self._against_unseen(world)
        if body.diving and self._trusts_word(world, threats) and not self._word.is_ignored(world, threats):
            if body.is_on_word:
                return self._word.trust(world)
            pressed = len(threats) > 1 or self._flight.is_in_pit(world) or self.danger(world) > DIVE_DREAD
            if pressed and (word := self._word.while_diving(world) or self._off_stairs(world, threats)) is not None:
                return word
        if body.diving and (hole := self._dig_on(world, threats)) is not None:
            return hole
        if (arm := self._arm_against_stone(threats) or self._arm(threats)) is not None:
            return arm
        options = [option for option in self._options(world, threats) if not body.is_muted(option.name)]
        if world.turn - self._fled_turn <= STILL_FLEEING:  # a step back would lead away from the stairs, and so on
            options = [option for option in options if option.name != "step back"]
        if not options:  # those who cannot come, because an eye bars their way, too
            return self._clear_way(world) or (self._practice(world) if body.walled_in else None)
        best = min(options, key=lambda option: option.risk)
        self.weighed = tuple(options)
        self._note_waiting(world, best)
        self._note_dithering(world, best)
        self._flight.note_step(world, best)
        if best.name == "to the stairs":
            self._fled_turn = world.turn
        if best.name == "write the word":
            self._word.note_writing(world)
        elif best.name == "rest on the word" and (pastime := self._busy_rest(world)) is not None:
            return pastime
        elif best.name == "stairs":
            self._flight.note(world, threats)
        elif best.name == "step off":
            body.muted.update(dict.fromkeys(RETREATS, world.turn + STEPPED_OFF))  # they would lead back
        elif best.name == "feed":
            self._body.foes.befriend(best.goal)
        elif best.name in ("zap", "zap down"):
            self._zaps += 1
            self._body.zapped = str(best.command.replies[0][1])
            if self._zaps > ZAPS:
                self._body.empty.add(self._body.zapped)
                self._zaps = 0
        return bid_of(self._priority, best.name, best.goal, best.command)

    def _trusts_word(self, world: World, threats: list[Foe]) -> bool:
        """Return True if a diver meets these foes with the word: all respect it, and none is wanted as a meal."""
        if not all(foe.kind.respects for foe in threats):
            return False
        return not lives_on_prey(self._body) or self.danger(world) > DIVE_DREAD

    def _busy_rest(self, world: World) -> Offer | None:
        """Return what is done on a word that holds instead of resting: a healing spell, or a change of armour."""
        if (spell := arms.care(self._body)) is not None:
            return bid_of(self._priority, "heal", world.turn, spell)
        return self._pastime(world)

    def _is_on_way_down(self, world: World) -> bool:
        """Return True if a diver stands on stairs that lead down in the main dungeon."""
        body = self._body
        if not body.diving or body.is_held or stairs_key(world, world.hero) != ">":
            return False
        leads = world.level.leads_to.get(world.hero, (0, 0))
        fled, turn = body.fled
        if leads == fled and world.turn - turn < FLED_TURNS:
            return False  # who drove us away waits below; a hole leads elsewhere
        return world.level.key[0] == 0 == leads[0]

    def _grab_tool(self, world: World) -> Offer | None:
        """Pick up what digs from underfoot, whoever is near: it takes one turn and decides the game."""
        body = self._body
        if body.tool_spot != (world.level.key, world.hero) or body.hero.digger is not None:
            return None
        if 0 < world.turn - self._grab_turn < GRAB_AGAIN:
            return None
        self._grab_turn = world.turn
        replies = (("MENU", arms.tool_choice), ("Continue", "y"), ("trouble lifting", "y"))
        return bid_of(self._priority, "grab", world.turn, Phrase(",", replies))

    def _shed(self, world: World) -> Offer | None:
        """Drop the whole pack that a beast collapses under: no step is possible with it, and hunger grows fast."""
        body = self._body
        if not body.hero.beast or world.stats[st.LOAD] < STRAINED or not body.hero.items or body.is_muted("shed"):
            return None
        body.dropped, body.dropped_turn = (world.level.key, world.hero), world.turn
        return bid_of(self._priority, "shed", world.turn, Phrase("D", (("MENU", arms.everything),)))

    def _take_back(self, world: World) -> Offer | None:
        """Take up weapon and armour that fell off a beast, whoever is near: one turn, and bare hands win nothing."""
        body = self._body
        lost = body.dropped == (world.level.key, world.hero) and not body.hero.beast and body.hero.weapon is None
        return self._pastime(world) if lost else None

    def _note_waiting(self, world: World, best: Option) -> None:
        """Wait for a foe only so long: something may bar its way, too."""
        if best.name != "await":
            return
        if world.turn - self._waited[1] > AWAIT_TURNS:
            self._waited = (world.turn, world.turn)
        self._waited = (self._waited[0], world.turn)
        if world.turn - self._waited[0] > AWAIT_TURNS:
            self._body.muted["await"] = world.turn + AWAIT_MUTE

    def _note_dithering(self, world: World, best: Option) -> None:
        """Make up our mind: whoever steps back from a foe again and again, unhurt, stops thinking of retreats."""
        if world.turn - self._body.hurt_turn <= UNHURT:
            self._retreats.clear()
        if best.name in RETREATS:
            self._retreats.append(world.hero)
        if self._retreats.count(world.hero) >= DITHERED:
            self._retreats.clear()
            self._body.muted.update(dict.fromkeys(RETREATS, world.turn + RESOLVED_TURNS))

    def _dig_on(self, world: World, threats: list[Foe]) -> Offer | None:
        """Return the next stroke where the hole is through before the fight would be over, whoever strikes at us."""
        body, tool, stats = self._body, self._body.hero.digger, world.stats
        if tool is None or not self._flight.is_in_pit(world) or body.is_muted("dig on"):
            return None
        warded = body.is_on_word
        striking = [foe for foe in threats if foe.beside and not (warded and foe.kind.respects)]
        turns, fight = body.turns_to_hole(striking), chance_of_death(fight_loss(body, threats), stats[st.HP])
        if is_low(stats) and turns > LAST_STROKES and body.hero.prayer_chance(world.turn) > fight:
            return None
        loss = sum(foe.loss for foe in striking)
        if fight < CALM or chance_of_death(turns * loss, stats[st.HP]) > fight - SOONER:
            return None
        body.begin_stroke()
        return bid_of(self._priority, "dig on", world.turn, arms.digging(tool.letter, ">"))

    def _arm_against_stone(self, threats: list[Foe]) -> Offer | None:
        """Take anything in hand before bare hands touch what turns to stone."""
        hero = self._body.hero
        if hero.weapon is not None or self._body.is_muted("arm"):
            return None
        if not any(foe.kind.name in STONING and foe.distance <= 2 for foe in threats):
            return None
        choices = [
            item for item in hero.items if item.kind in (WEAPON, TOOL) and hero.blow(item)[1] > 1 and not item.worn
        ]
        best = max(choices, key=hero.damage, default=None)
        if best is None:
            return None
        return bid_of(self._priority, "arm", ord(best.letter), Phrase("w", (("wield", best.letter),)))

    def _arm(self, threats: list[Foe]) -> Offer | None:
        """Take the best weapon in hand where a fight is long: neither a pick-axe nor a bow that cannot shoot is one."""
        hero = self._body.hero
        if hero.role == "mon" or not any(foe.beside for foe in threats):
            return None
        carried = arms.missiles(self._body)
        shoots = bool(carried) and arms.best_shot(self._body, threats, 1.0) is not None
        held = max(hero.damage(hero.weapon), arms.volley(self._body, carried[0]) if shoots else 0.0)
        choices = [item for item in hero.items if item.kind == WEAPON and item.number >= 0 and not item.wielded]
        if worn(self._body, SHIELD) is not None:
            choices = [item for item in choices if not self._body.lore.object(item.number).two_handed]
        best = max(choices, key=hero.damage, default=None)
        long = max(foe.blows for foe in threats) > 2.0 or (hero.shoots and not shoots)
        if best is None or not long or hero.damage(best) < ARMED * held or self._body.is_muted("arm"):
            return None
        if hero.weapon is not None and hero.weapon.cursed:
            return None
        return bid_of(self._priority, "arm", ord(best.letter), Phrase("w", (("wield", best.letter),)))

    def _off_stairs(self, world: World, threats: list[Foe]) -> Offer | None:
        """Step off stairs up, where nothing can be written, to the square beside them that fewest foes reach."""
        if stairs_key(world, world.hero) != "<" or self._body.is_held:
            return None
        way = self._way_aside(world, threats)
        return (
            bid_of(self._priority, "step off", world.hero + STEP_OF_WAY[way], Phrase(key_of(way))) if way >= 0 else None
        )

    def _aside_to_write(self, world: World, threats: list[Foe], risk: float) -> Option | None:
        """Return the step off a fountain or stairs, on which nothing can be written, to a square for the word."""
        feature = int(world.memory[kn.FEATURE, world.hero]) in arms.UNWRITABLE
        stranded = risk >= STRANDED and bool(stairs_key(world, world.hero))  # all who are near would come along
        if not (feature or stranded) or self._body.is_held or self._flight.is_in_pit(world):
            return None
        way = self._way_aside(world, threats)
        left = self._word.expected(world, threats, risk, rounds=1)
        if way < 0 or left is None:
            return None
        return Option(left, "step off", world.hero + STEP_OF_WAY[way], Phrase(key_of(way)))

    def _way_aside(self, world: World, threats: list[Foe]) -> int:
        """Return the way to the square of floor beside us that fewest foes reach, or -1."""
        ways = [way for way in range(8) if int(kn.entry_cost(world.memory, world.hero, way, world.turn, 0)) == 1]
        ways = [way for way in ways if world.memory[kn.TERRAIN, world.hero + STEP_OF_WAY[way]] == kn.FLOOR]
        taken = {foe.cell for foe in threats}
        ways = [way for way in ways if world.hero + STEP_OF_WAY[way] not in taken]
        return min(
            ways,
            key=lambda way: sum(arms.distance(world.hero + STEP_OF_WAY[way], cell) <= 1 for cell in taken),
            default=-1,
        )

    def danger(self, world: World) -> float:
        """Return the chance of dying from whoever is in sight, if it is fought out here."""
        threats = self.threats()
        return chance_of_death(fight_loss(self._body, threats), world.stats[st.HP]) if threats else 0.0

    def threats(self) -> list[Foe]:
        """Return the foes in sight that matter now."""
        return [foe for foe in self._body.foes.hostile if self._matters(foe)]

    def _matters(self, foe: Foe) -> bool:
        if foe.kind.forbidden or (foe.dozes and self._body.world.turn - self._body.hurt_turn > STIRRED):
            return False
        return foe.beside if foe.kind.still else foe.distance <= REACH

    def _against_unseen(self, world: World) -> Offer | None:
        body = self._body
        if body.diving and not world.sees and body.unseen_turn >= world.turn - 1:
            warded = body.is_on_word
            if (word := self._word.trust(world) if warded else self._word.while_diving(world)) is not None or warded:
                return word
        if (wild := self._wild_pet(world) or self._clear_way(world) or self._practice(world)) is not None:
            return wild
        if world.turn - body.unseen_turn > 3 or not body.foes.unseen:
            if is_low(world.stats) and world.turn - body.hurt_turn < 3:
                return self._prayer_bid(world)
            return None
        if is_low(world.stats) and (prayer := self._prayer_bid(world)) is not None:
            return prayer
        share = REMEDY if world.sees else REMEDY_BLIND  # what heals also opens the eyes
        if world.stats[st.HP] < share * world.stats[st.HP_MAX] and not body.is_muted("quaff"):
            for _, command, name in arms.remedies(body):
                return bid_of(self._priority, name, 0, command)
        losing = world.stats[st.HP] < LOSING * world.stats[st.HP_MAX] and not body.cornered
        if losing and (refuge := self._from_unseen(world)) is not None:
            return refuge
        if body.hero.weapon is None and "hissing" in " ".join(world.messages):
            return self._word.hide(world)  # a cockatrice, perhaps: bare hands that touch it turn to stone
        way = body.way_towards(body.foes.unseen[0])
        if not world.sees:
            body.elbereth = None  # a blow wipes out the word
        return bid_of(self._priority, "fight", way, Phrase("F" + key_of(way)))

    def _from_unseen(self, world: World) -> Offer | None:
        """Leave over stairs underfoot or near by, or write the word, where something unseen is winning."""
        if self._flight.may_leave_unseen(world):
            if (way := self._flight.to_near_stairs(world)) >= 0:
                return bid_of(self._priority, "to the stairs", world.hero, Phrase(key_of(way)))
            if key := stairs_key(world, world.hero):
                self._flight.note(world, [])
                return bid_of(self._priority, "stairs", 0, Phrase(key))
        if not world.sees:
            return self._word.hide(world)
        word = self._word.option(world, [], 1.0)
        if word is None or self._body.is_muted(word.name) or self._word.tried > 2:
            return None
        if word.name == "write the word":
            self._word.note_writing(world)
        return bid_of(self._priority, word.name, word.goal, word.command)

    def _wild_pet(self, world: World) -> Offer | None:
        """Strike back at a pet gone wild, which the screen shows as a pet until it moves."""
        body = self._body
        if body.hurt_turn != world.turn or not BITES.search(" ".join(world.messages)):
            return None
        ways = [body.way_towards(cell) for cell in body.foes.pets if arms.distance(cell, world.hero) == 1]
        return bid_of(self._priority, "fight", ways[0], Phrase(key_of(ways[0]))) if ways else None

    def _clear_way(self, world: World) -> Offer | None:
        """Strike at a mold, jelly or spore beside us whose answer we can well afford: it may bar the only way."""
        if (drive := self._eyes.drive(world)) is not None:
            return drive
        for foe in self._body.foes.hostile:
            desperate = self._body.desperate and foe.kind.name in arms.TARGETS
            if self._is_blast_near_friends(foe):
                continue
            if foe.beside and (desperate or arms.is_affordable(foe.kind, world.stats[st.HP])):
                if foe.kind.name == EYE and (shot := self._practice(world)) is not None:
                    return shot  # its gaze lasts until its wounds are closed again
                way = self._body.way_towards(foe.cell)
                return bid_of(self._priority, "fight", way, Phrase(key_of(way)))
        return self._break_peace(world)

    def _break_peace(self, world: World) -> Offer | None:
        """Strike at somebody peaceful beside us where nothing has led on for long: it may bar the only way."""
        body = self._body
        if not body.desperate or body.is_muted(BREAK_PEACE):
            return None
        assert world.state is not None
        for cell in body.foes.peaceful:
            name = body.lore.kinds[int(world.state.glyphs[cell])].name
            if arms.distance(cell, world.hero) == 1 and name not in SACRED and leads_on(world, cell):
                return Offer(self._priority, BREAK_PEACE, cell, partial(self._strike_peaceful, world, cell))
        return None

    def _strike_peaceful(self, world: World, cell: int) -> Plan:
        self._body.foes.provoke(world, cell)
        yield Phrase("F" + key_of(self._body.way_towards(cell)), (("Really attack", "y"),))

    def _is_blast_near_friends(self, foe: Foe) -> bool:
        """Return True for a gas spore whose explosion would anger somebody peaceful beside it, or kill a pet."""
        if foe.kind.name != "gas spore":
            return False
        friends = (*self._body.foes.peaceful, *self._body.foes.pets)
        return any(arms.distance(cell, foe.cell) <= BLAST for cell in friends)

    def _practice(self, world: World) -> Offer | None:
        """Shoot at a floating eye, mold or jelly near by: none of them can answer."""
        body = self._body
        targets = [
            foe for foe in body.foes.hostile if foe.kind.name in arms.TARGETS and foe.distance <= arms.THROW_RANGE
        ]
        if not targets or body.is_muted("shoot") or world.turn - body.hurt_turn < PEACEFUL_TURNS:
            return None
        if (body.diving or body.doomed) and not body.desperate:
            return None  # they bar no way through the floor, and there is no time
        carried = arms.missiles(body) or arms.spare_things(body)
        for foe in targets:
            way = body.way_towards(foe.cell)
            if self._is_blast_near_friends(foe) or (foe.kind.name == "gas spore" and foe.distance <= BLAST):
                continue
            if carried and way >= 0 and body.line_is_clear(foe.cell, way, 4):
                replies = (("throw", carried[0].letter), ("direction", key_of(way)))
                return bid_of(self._priority, "shoot", way, Phrase("t", replies))
        return None

    def _prayer_bid(self, world: World) -> Offer | None:
        if self._body.hero.prayer_chance(world.turn) < 0.5 or self._body.hero.beast:
            return None
        return bid_of(self._priority, "pray", 0, arms.prayer(self._body))

    def _options(self, world: World, threats: list[Foe]) -> list[Option]:
        hp, company = self._lives(world), threats + self._close_behind()
        to_the_end = chance_of_death(fight_loss(self._body, company), hp)
        parting = self._flight.parting_risk(world, company, to_the_end)
        calm = CALM if parting >= 1.0 else STAND
        risk = min(to_the_end, parting)
        risk += SPIKES * sum(foe.spike for foe in threats if foe.beside)
        if self._may_be_robbed(threats):
            risk += ROBBED
        options = []
        attack = self._attack(world, threats, risk)
        if attack is not None:
            options.append(attack)
        elif any(foe.beside and foe.kind.name in STONING for foe in threats):
            risk = max(risk, TURNED_TO_STONE)
        if risk > KITE_RISK and (kite := self._flight.step_back(world, threats, risk)) is not None:
            options.append(kite)
        reach = CROWD_REACH if len(company) > 1 or risk >= DREADED else LONE_REACH
        near = any(foe.distance <= reach or foe.kind.ranged for foe in threats)
        if near and (risk >= calm or is_low(world.stats)):
            options += self._defences(world, threats, company, risk)
        return options

    def _close_behind(self) -> list[Foe]:
        """Return those who struck at us a moment ago and are only out of sight, as in a dark corridor."""
        return [foe for foe in self._body.foes.lurking if foe.gone <= BEHIND and foe.distance <= BEHIND_STEPS]

    def _may_be_robbed(self, threats: list[Foe]) -> bool:
        """Return True if a nymph is about to take our armour, and we can leave over the stairs underfoot."""
        nymphs = any(foe.kind.row.letter == LETTER_NYMPH and foe.distance <= 2 for foe in threats)
        return nymphs and self._body.is_clad() and bool(stairs_key(self._body.world, self._body.world.hero))

    def _lives(self, world: World) -> int:
        """Return the hit points that stand between us and death: a beast that is killed is human again."""
        hero = self._body.hero
        return world.stats[st.HP] + (hero.human_hp if hero.beast else 0)

    def _defences(self, world: World, threats: list[Foe], company: list[Foe], risk: float) -> list[Option]:
        body, stats = self._body, world.stats
        found = []
        if is_low(stats) and not body.hero.beast:
            found.append(Option(1 - body.hero.prayer_chance(world.turn) + PRAYER_DELAY, "pray", 0, arms.prayer(body)))
        stairs = self._flight.stairs(world, company)
        if (word := self._word.option(world, threats, risk)) is not None:
            found.append(word)
        elif stairs is None and (aside := self._aside_to_write(world, threats, risk)) is not None:
            found.append(aside)
        if stairs is not None:
            found.append(stairs)
        elif (retreat := self._flight.to_stairs(world, company)) is not None:
            found.append(retreat)
        if (scroll := arms.escape_scroll(body)) is not None:
            found.append(Option(ELSEWHERE, "read", 0, scroll))
        if (hole := arms.escape_hole(body)) is not None:
            found.append(Option(LED_ASTRAY if world.level.key[0] == MINES else BELOW, "zap down", 0, hole))
        if (treat := feeding(body, threats)) is not None:
            found.append(treat)
        for gain, command, name in arms.remedies(body):
            loss = fight_loss(self._body, company) + sum(foe.loss for foe in threats if foe.beside)
            found.append(Option(chance_of_death(loss, stats[st.HP] + gain) * 0.9, name, 0, command))
        for worst in sorted((foe for foe in threats if foe.loss), key=lambda foe: -foe.loss * foe.blows):
            if (sleep := arms.stunning_wand(body, worst.cell, worst.kind)) is not None:
                others = [foe for foe in threats if foe is not worst]
                left = chance_of_death(fight_loss(body, others) + worst.loss, stats[st.HP]) if others else 0.2 * risk
                found.append(Option(left + 0.02, "zap", worst.cell, sleep))
                break
            if (wand := arms.unknown_wand(body, worst.cell)) is not None:
                found.append(Option(0.6 * risk + 0.02, "zap", worst.cell, wand))
                break
        if len(threats) > 1 and (place := self._flight.position(world, threats, risk)) is not None:
            found.append(place)
        return found

    def _attack(self, world: World, threats: list[Foe], risk: float) -> Option | None:
        body = self._body
        worth = [foe for foe in threats if foe.kind.passive < world.stats[st.HP] * 0.5 or not foe.beside]
        if body.hero.weapon is None:
            worth = [foe for foe in worth if foe.kind.name not in STONING]
        beside = [foe for foe in worth if foe.beside]  # doors forbid diagonal steps, not blows
        shot = None if body.is_muted("shoot") else arms.best_shot(body, worth, risk)
        if shot is not None:
            return Option(risk * 0.9, "shoot", shot[0], shot[1])
        if beside and body.reels_beside_friends():
            return Option(risk, "await", beside[0].cell, Phrase(chr(SEARCH)))
        if beside:
            target = min(beside, key=arms.urgency)
            way = body.way_towards(target.cell)
            # A plain step strikes what is seen there, and the game asks before it strikes the peaceful; F does not ask.
            return Option(risk, "fight", way, Phrase(key_of(way)))
        return self._meet(world, worth, risk)

    def _meet(self, world: World, worth: list[Foe], risk: float) -> Option | None:
        """Let a walking foe come, so that we strike first; go to one that shoots or waits."""
        coming = [foe for foe in worth if foe.distance <= 6 and not foe.kind.still]
        if not coming:
            return None
        foe = coming[0]
        path = int(world.paths()[foe.cell])
        if path >= kn.FAR or path > 15:
            return None
        if foe.distance == 2 and foe.kind.row.speed <= 18 and world.turn % 7 and not foe.sleeps:
            return Option(risk, "await", foe.cell, Phrase(chr(SEARCH)))
        hurt = world.stats[st.HP] < 0.6 * world.stats[st.HP_MAX] and foe.loss * foe.blows > 0.15 * world.stats[st.HP]
        if (risk > WARY or hurt) and not foe.kind.ranged and not foe.fire:
            return Option(risk, "await", foe.cell, Phrase(chr(SEARCH)))
        way = world.way_to(foe.cell)
        if way < 0 or world.hero + STEP_OF_WAY[way] in self._body.foes.peaceful:
            return None
        return Option(risk, "approach", foe.cell, Phrase(key_of(way)))


def leads_on(world: World, cell: int) -> bool:
    """Return True if something lies beside a square that no other way leads to, as far as we know."""
    beside = [cell + step for step in STEP_OF_WAY if 0 <= cell + step < CELLS and cell + step != world.hero]
    terrain, dist = world.memory[kn.TERRAIN], world.paths()
    return any(dist[at] >= kn.FAR and (terrain[at] == kn.UNKNOWN or terrain[at] > kn.WALL) for at in beside)
