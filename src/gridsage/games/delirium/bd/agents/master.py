"""The master: plans to the exit on the exact model, follows the plan, and looks again when chance decides otherwise."""

from __future__ import annotations

from collections import deque

import numpy as np

from gridsage.core.amounts import counted
from gridsage.core.budget import Meter
from gridsage.core.game import Action, Briefing, Budget, Decision, Thoughts
from gridsage.core.rng import generator
from gridsage.games.delirium.agents.planner import DEFAULT_NODES
from gridsage.games.delirium.bd.agents.explorer import FIRST_DICE, Explorer
from gridsage.games.delirium.bd.agents.fencer import Fencer
from gridsage.games.delirium.bd.agents.planner import Planner, Waypoint
from gridsage.games.delirium.bd.agents.repair import Mended, Mender, Position
from gridsage.games.delirium.bd.cells import AMOEBA, KIND_MASK
from gridsage.games.delirium.bd.kernels import plan as search
from gridsage.games.delirium.bd.kernels import tick as kernels
from gridsage.games.delirium.bd.kernels.tick import NEEDED
from gridsage.games.delirium.bd.rules import STAY, position_arrays
from gridsage.games.delirium.bd.state import (
    AMOEBA_CHANCE,
    DIAMONDS,
    LABELS,
    PLAYING,
    PUSHES,
    ROCKFORD_AT,
    STATUS,
    TICKS,
    TIME,
    WON,
    Observation,
)

HEAT_TICKS = 8  # how far the danger told in the thoughts looks ahead
BIRTH_TICKS = 200  # no cave waits longer for Rockford
FIRST_WAIT = 60  # ticks waited at once to think
NEXT_WAIT = 200  # the same, once it is known that a plan is hard to find, where flies do not return to where they were
LONGEST_ROUND = 240  # ticks of the longest round of flies that is looked for
HELPLESS_WAITS = (48, 16, 4)  # ticks waited at once, the most that are safe, where no goal is in reach
TIME_SHARE = 0.88  # of the seconds that is spent on searching
EXPLORER_SHARE = 4  # the explorer takes all decisions but one in so many
EXPLORER_SHARE_LATER = 12  # where the plan of goals has found nothing for long
LATER = 100  # decisions
KEPT_SHARE = 0.5  # of the cave's clock is never waited for
KEPT_FOR_A_DIAMOND = 12  # ticks, neither are these
KEPT_AT_LEAST = 60
KEPT_OF_KNOWN = 1.25  # times the length of a plan that chance has broken: no more is kept
PATIENCE_FOR_SAFETY = 150  # ticks waited at most while the only plan known leaves something to chance
SHORTEST_WAIT, SHORTEST_WITH_PLAN = 24, 8  # ticks; where a plan is known one like it may be found soon
MOST_TRIALS = 16  # of a plan that is found while he waits, before flies are where it wants them
FOLLOWED = 40  # ticks that a broken plan is followed at once, as far as it holds
FIRST_WAIT_WITH_PLAN = 12  # ticks, doubled with each wait: most broken plans are replaced within three decisions
MEND_SHARE = 4  # one decision in so many goes to the repair of a broken plan after a longer wait
MEND_STEP = 36  # ticks that it is longer each time, as many as one repair can insert
TO_SAFETY = 120  # ticks that a broken plan is followed at most to a place where he can think

LURE_PARTS = 8  # of a way to lead a butterfly to amoeba, which may grow into it: so many are tried, the longest first

DICE_BITS = 61

NOWHERE: Position = (np.zeros(0, dtype=np.uint8), np.zeros(0, dtype=np.int64))


class Master:
    """Looks many ticks ahead: goals in every order, boulders dropped on flies and magic walls, pushes that may fail.

    Args:
        patience: ticks it may stand still in one game to find a plan to the very end, where the clock allows it.
    """

    name = "master"

    def __init__(self, patience: int = 800) -> None:
        if patience < 0:
            raise ValueError(f"patience={patience}: expected 0 or more ticks")
        self.patience = patience
        self.dice = FIRST_DICE  # of the explorer, where nobody gives a seed
        self.planner: Planner | None = None
        self.explorer: Explorer | None = None
        self.mender: Mender | None = None
        self.fencer: Fencer | None = None
        self.turns = 0  # decisions with a search so far: most are the explorer's
        self.plan: deque[Action] = deque()
        self.foreseen: Position = NOWHERE  # the position that the next one should be
        self.expected: bytes = b""  # the kinds of its picture
        self.pushed: Action | None = None  # the last action, if it was a push
        self.end: Position = NOWHERE  # the position after the plan
        self.tail: Waypoint | None = None  # the same as a node of the planner's tree; the search goes on from there
        self.is_final = False  # the plan leads to the exit
        self.known: Mended | None = None  # a plan to the exit that chance has broken, or that leaves too much to it
        self.risks = 0  # pushes of it that must succeed at once
        self.kept_patience = patience - min(patience, PATIENCE_FOR_SAFETY)  # not used up while a winning plan is known
        self.lure: list[Action] = []  # from the end of the plan to where a butterfly has come to amoeba
        self.is_luring = False  # the plan leads a butterfly to amoeba
        self.has_waited = False  # in this game, to think
        self.next_wait = FIRST_WAIT_WITH_PLAN  # ticks, while a plan is known that is broken
        self.mend_at = 0  # tick at which the broken plan is tried next
        self.whole_clock = 0  # ticks that the cave's clock allowed at the beginning

    def begin(self, briefing: Briefing) -> None:
        self.dice = 1 + generator(briefing.seed, "explorer").getrandbits(DICE_BITS)

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        meter = Meter(budget, share=TIME_SHARE, nodes=DEFAULT_NODES)
        now = position_arrays(observation)
        if self.planner is None or self.mender is None or self.fencer is None:
            self.planner = Planner(now[2], len(now[0]))
            self.explorer = Explorer(self.planner.rules, len(now[0]), dice=self.dice)
            self.mender = Mender(self.planner.rules, len(now[0]))
            self.fencer = Fencer(now[2], len(now[0]), self.explorer)
            self.whole_clock = int(search.ticks_left(now[1], self.planner.rules))
        here: Position = (now[0], now[1])
        chance = int(here[1][AMOEBA_CHANCE])
        here[1][AMOEBA_CHANCE] = 0
        if now[1][ROCKFORD_AT] < 0:
            return self._before_birth(here, chance, meter)
        if self.fencer.is_needed(here):
            return self._fence_in(here, chance, meter)
        self.fencer.rest()
        known = self.known
        if self.tail is None or self.expected != self._kinds(here):
            self._revise(here, meter)
        if not self.is_final:
            if not self.plan and self.known is not None and self.known is known:  # not mended just now
                self.known = self.mender.mend(self.end, self.known.line, self.known.marks, meter)
            self._think(here, meter)
        text = "on the way"
        if not self.plan:
            text = self._extend(meter)
            plan = list(self.plan)
            is_barred = self._followed(here, plan)[1][STATUS] not in (PLAYING, WON)  # amoeba has grown into it
            if is_barred and not (self.is_luring and self._follow_lure(here, plan, meter)):
                self.plan.clear()
                self._restart(here)
        action = self.plan.popleft() if self.plan else STAY
        action, text = self._checked(here, action, text, meter)
        thoughts = self._thoughts(here, action, text, meter)
        self._foresee(here, action)
        return Decision(action, thoughts)

    def _kinds(self, position: Position) -> bytes:
        return (position[0] & KIND_MASK).tobytes()

    def _is_as_foreseen(self, here: Position) -> bool:
        """Return True if nothing but amoeba differs from what was foreseen, and the search may go on."""
        if self.tail is None or len(self.expected) != len(here[0]):
            return False
        kinds = here[0] & KIND_MASK
        other = kinds != np.frombuffer(self.expected, dtype=np.uint8)
        return bool((kinds[other] == AMOEBA).all())

    def _before_birth(self, here: Position, chance: int, meter: Meter) -> Decision:
        """Think about the position in which Rockford will be born."""
        assert self.planner is not None and self.fencer is not None
        if not self._is_as_foreseen(here):
            cells, facts = here[0].copy(), here[1].copy()
            for _ in range(BIRTH_TICKS):
                if facts[ROCKFORD_AT] >= 0 or facts[STATUS] != PLAYING:
                    break
                self.planner.tick(cells, facts, STAY)
            if facts[ROCKFORD_AT] >= 0:
                self._restart((cells, facts))
        if self.tail is not None and self.fencer.is_needed(self.end):
            self.fencer.think(self.end, chance, meter)
        elif self.tail is not None and not self.is_final:
            self._think(here, meter)
        self._foresee(here, STAY)
        return Decision(STAY, Thoughts(nodes=meter.spent, text="waiting to be born"))

    def _fence_in(self, here: Position, chance: int, meter: Meter) -> Decision:
        """Shut amoeba in, or wait in a safe place until it has turned into diamonds."""
        assert self.planner is not None and self.fencer is not None
        self.fencer.think(here, chance, meter)
        action = self.fencer.next_action(here)
        text = "shutting amoeba in"
        if action is None:
            text = (
                "waiting until amoeba is shut in"
                if self.fencer.is_shut(here)
                else "looking for a way to shut amoeba in"
            )
            action = self._safest(here, meter)
        self.plan.clear()
        self.tail = None  # all that the searches know is of another position
        action, text = self._checked(here, action, text, meter)
        thoughts = self._thoughts(here, action, text, meter)
        self._foresee(here, action)
        self.tail = None
        return Decision(action, thoughts)

    def _foresee(self, here: Position, action: Action) -> None:
        """Remember what the next picture should be, and whether the action is a push."""
        assert self.planner is not None
        cells, facts = here[0].copy(), here[1].copy()
        self.planner.tick(cells, facts, action)
        self.foreseen = (cells, facts)
        self.expected = self._kinds(self.foreseen)
        self.pushed = action if facts[PUSHES] > here[1][PUSHES] else None

    def _revise(self, here: Position, meter: Meter) -> None:
        """The picture is not what was foreseen: keep the plan only if it still leads where it led."""
        plan, old = list(self.plan), self.end
        if not plan and self._is_as_foreseen(here):
            return  # the tree is good enough to go on with; what it finds is looked at again before it is done
        if self.tail is not None and self.pushed is not None:
            plan.insert(0, self.pushed)  # the push has failed: again
        if plan and len(old[1]) and (self.plan or self.pushed is not None):
            if self._wins(here, plan, meter):
                self._adopt(here, plan)
                return
            if self.is_final:
                self.known = self._mended(here, plan, meter)
                self.mend_at = int(here[1][TICKS]) + MEND_STEP
                if self.known.wins:
                    self._adopt(here, self.known.line)
                    return
            after = self._followed(here, plan)
            alive = after[1][STATUS] == PLAYING and after[1][DIAMONDS] >= old[1][DIAMONDS]
            if alive and not self.is_final and after[1][ROCKFORD_AT] == old[1][ROCKFORD_AT]:
                if not self._is_as_foreseen(here):
                    self._restart(after)
                self.plan = deque(plan)
                return
            if self.is_luring and not self.is_final and self._follow_lure(here, plan, meter):
                return
        self.plan.clear()
        self._restart(here)

    def _follow_lure(self, here: Position, plan: list[Action], meter: Meter) -> bool:
        """Go on with the first part of a way that amoeba has grown into, as far as it is safe; return False if none is.

        A tunnel that is dug in part is worth having.
        """
        for parts in range(LURE_PARTS - 1, 0, -1):
            first = plan[: len(plan) * parts // LURE_PARTS]
            if first and self._is_safe(here, first, meter):
                self._restart(self._followed(here, first))
                self.plan, self.is_luring = deque(first), True
                return True
        return False

    def _mended(self, here: Position, plan: list[Action], meter: Meter) -> Mended:
        """Return a plan that was broken just now with other waits."""
        assert self.mender is not None
        marks = self.mender.marks_of(self.foreseen, list(self.plan))
        if len(plan) > len(self.plan):  # a push comes first, from where he is
            marks = np.concatenate([self.mender.marks_of(here, []), marks])
        return self.mender.mend(here, plan, marks, meter)

    def _wins(self, here: Position, line: list[Action], meter: Meter) -> bool:
        """Return True if a line wins from here."""
        meter.take(len(line))
        return bool(self._followed(here, line)[1][STATUS] == WON)

    def _adopt(self, here: Position, line: list[Action]) -> None:
        """Follow a line that wins."""
        self.plan, self.is_final, self.end, self.known = deque(line), True, self._followed(here, line), None
        self.next_wait = FIRST_WAIT_WITH_PLAN

    def _begin_sooner(self, here: Position, line: list[Action], meter: Meter) -> bool:
        """Adopt a line that was to begin after a wait as soon as it wins; return True if that is before its end."""
        assert self.planner is not None
        waits = len(self.plan)
        if any(action != STAY for action in self.plan):
            return False
        begins = self._kinds(self.end)
        cells, facts = here[0].copy(), here[1].copy()
        trials = 0
        for waited in range(waits):
            is_the_same = self._kinds((cells, facts)) == begins
            if trials < 2 * MOST_TRIALS and (is_the_same or waited % max(1, waits // MOST_TRIALS) == 0):
                trials += 1
                sooner = [STAY] * waited + line
                if self._wins(here, sooner, meter):
                    self.patience += waits - waited
                    self._adopt(here, sooner)
                    return True
            self.planner.tick(cells, facts, STAY)
        return False

    def _restart(self, position: Position) -> None:
        """Begin a new tree at the end of the plan, which is this position."""
        assert self.planner is not None
        self.is_final = self.is_luring = False
        self.end = (position[0].copy(), position[1].copy())
        self.tail = self.planner.start(*self.end)
        self._explore_from(self.end)

    def _explore_from(self, position: Position) -> None:
        self.lure = []
        if self.explorer is not None and position[1][ROCKFORD_AT] >= 0:
            self.explorer.start(*position, self.known.line if self.known is not None else ())

    def _followed(self, start: Position, actions: list[Action]) -> Position:
        """Return the position after actions, as the plans expect them to go."""
        assert self.planner is not None
        cells, facts = start[0].copy(), start[1].copy()
        self.planner.follow(cells, facts, actions)
        return cells, facts

    def _think(self, here: Position, meter: Meter) -> None:
        assert self.planner is not None and self.explorer is not None and self.tail is not None
        self.turns += 1
        if self.turns % MEND_SHARE == 0 and self._mends_later(here, meter):
            return
        share = EXPLORER_SHARE if self.turns < LATER else EXPLORER_SHARE_LATER
        is_explored = self.turns % share != 0 and not self._needs_goal(here)
        if self.end[1][ROCKFORD_AT] >= 0 and (is_explored or self.planner.is_idle):
            line = self.explorer.think(meter)
            self.lure = min(filter(None, (self.lure, self.explorer.lure())), key=len, default=[])
        else:
            won = self.planner.think(meter)
            line = won.line(self.tail) if won is not None else None
        if line is None or self._is_put_off(line):
            return
        after = self._followed(self.end, line)
        if here[1][ROCKFORD_AT] >= 0 and self._begin_sooner(here, line, meter):
            return
        if after[1][STATUS] != WON:
            self._restart(self.end)  # he has waited since the search began, and now it is too late for this line
            return
        self.plan.extend(line)
        self.end, self.is_final, self.known = after, True, None
        self.next_wait = FIRST_WAIT_WITH_PLAN

    def _needs_goal(self, here: Position) -> bool:
        """Return True if he must go on at once, and the planner has not looked for goals from here yet."""
        assert self.tail is not None
        is_at_a_loss = here[1][ROCKFORD_AT] >= 0 and not self.plan and not self.tail.children
        return is_at_a_loss and self._time_to_wait() < SHORTEST_WAIT

    def _mends_later(self, here: Position, meter: Meter) -> bool:
        """Adopt the broken plan if it wins after a longer wait where he stands; each time a longer one is tried."""
        assert self.planner is not None and self.mender is not None
        known = self.known
        if known is None or known.wins or any(action != STAY for action in self.plan):
            return False
        now = int(here[1][TICKS])
        waits = max(0, self.mend_at - now)
        if waits + len(known.line) > search.ticks_left(here[1], self.planner.rules):
            return False
        self.mend_at = now + waits + MEND_STEP
        after = self._followed(here, [STAY] * waits)
        if after[1][STATUS] != PLAYING:
            return False
        mended = self.mender.mend(after, known.line, known.marks, meter)
        if mended.wins:
            self.patience = max(0, self.patience + len(self.plan) - waits)
            self._adopt(here, [STAY] * waits + mended.line)
        return mended.wins

    def _is_put_off(self, line: list[Action]) -> bool:
        """Return True for a line with pushes that must succeed at once; it is kept while a better one may be found."""
        assert self.mender is not None
        risks = self.mender.risks(self.end, line)
        if risks == 0 or self.patience <= self.kept_patience:
            return False
        known = self.known
        if known is None or not known.wins or (risks, len(line)) < (self.risks, len(known.line)):
            self.known = Mended(line, self.mender.marks_of(self.end, line), len(line), wins=True)
            self.risks = risks
        return True

    def _extend(self, meter: Meter) -> str:
        """No plan to the exit is known yet and the old one is played: wait and think, or go on to the best goal."""
        assert self.planner is not None and self.tail is not None
        if self.known is not None and self.known.wins and not self._may_find_safer(self.known):
            self._adopt(self.end, self.known.line)
            return "setting out"
        waits = self._time_to_wait()
        least = SHORTEST_WAIT if self.known is None else SHORTEST_WITH_PLAN
        if waits >= least and self._is_safe(self.end, [STAY] * waits, meter):
            self.patience -= waits
            self.has_waited = True
            self.next_wait = min(2 * self.next_wait, NEXT_WAIT)
            self._wait(waits)
            return "waiting in a safe place to think"
        if self.known is not None and self.known.wins:
            self._adopt(self.end, self.known.line)
            return "setting out"
        if self.known is not None and waits >= least and self._go_to_safety(self.known, waits, meter):
            return "following the old plan to a safe place to think"
        if self.known is not None and self._follow_known(self.known, meter):
            return "following the old plan as far as it holds"
        self.known = None
        if self.lure and self._is_safe(self.end, self.lure, meter):
            self._append(self.lure)
            self.is_luring = True
            return "leading butterflies to amoeba, where they become diamonds"
        chosen = self._best_child(self.tail)
        if chosen is not None:
            self.plan.extend(chosen.actions)
            # the same picture as the node's, with the clock of today if he has waited meanwhile
            self.end, self.tail = self._followed(self.end, list(chosen.actions)), chosen
            self.planner.keep_below(chosen)
            self._explore_from(self.end)
            return f"going for the next goal, {counted(len(chosen.actions), 'tick')} away"
        self._wait_for_luck(meter)
        return "no goal in reach yet"

    def _may_find_safer(self, known: Mended) -> bool:
        """Return True if a plan leaves something to chance and there is time to look for a better one."""
        assert self.mender is not None
        return self.patience > self.kept_patience and self.mender.risks(self.end, known.line) > 0

    def _follow_known(self, known: Mended, meter: Meter) -> bool:
        """Go on with a broken plan to where it is safe and still holds for a while; return False if it cannot be."""
        for steps in range(min(FOLLOWED, known.holds // 2), 0, -4):
            if self._is_safe(self.end, known.line[:steps], meter):
                self._follow(known, steps)
                return True
        return False

    def _go_to_safety(self, known: Mended, waits: int, meter: Meter) -> bool:
        """Go on with a broken plan to the first place where he can stand still for so long; return False if none is."""
        for steps in range(2, min(TO_SAFETY, known.holds), 2):
            if self._is_safe(self.end, known.line[:steps] + [STAY] * waits, meter):
                self._follow(known, steps)
                return True
        return False

    def _follow(self, known: Mended, steps: int) -> None:
        """Go on with a broken plan for so many ticks."""
        self.known = Mended(known.line[steps:], known.marks[steps:], known.holds - steps, wins=False)
        self.mend_at = 0
        self._append(known.line[:steps])

    def _time_to_wait(self) -> int:
        """Return how many ticks patience and the cave's clock allow to stand still.

        Where all flies return to where they were he waits for whole rounds of them, and the searches go on. Elsewhere
        a search begins anew after each wait: so the first one is short, and the others are long enough for some runs
        of the explorer. One wait for all the time there is would leave too little of the cave's clock for the plan.
        """
        assert self.planner is not None
        facts = self.end[1]
        missing = max(0, int(self.planner.rules[NEEDED] - facts[DIAMONDS]))
        left = int(search.ticks_left(facts, self.planner.rules))
        kept = max(KEPT_SHARE * self.whole_clock, KEPT_FOR_A_DIAMOND * missing + KEPT_AT_LEAST)
        length = self._round_of_flies()
        most = FIRST_WAIT if not self.has_waited and self.known is None else NEXT_WAIT
        if self.known is not None:
            kept = min(kept, KEPT_OF_KNOWN * len(self.known.line))
            most = most if length > 0 else self.next_wait
            if self.known.wins:
                most = min(FIRST_WAIT, self.patience - self.kept_patience)
        most = min(most, self.patience, int(left - kept))
        return most if length == 0 or most < length else min(most, max(FIRST_WAIT, length)) // length * length

    def _round_of_flies(self) -> int:
        """Return after how many ticks of waiting everything is where it is at the end of the plan; 0: never."""
        assert self.planner is not None
        cells, facts = self.end[0].copy(), self.end[1].copy()
        begin = self._kinds(self.end)
        for ticks in range(1, LONGEST_ROUND + 1):
            if self.planner.tick(cells, facts, STAY) != PLAYING:
                break
            if self._kinds((cells, facts)) == begin:
                return ticks
        return 0

    def _wait(self, ticks: int) -> None:
        """Stand still; where it changes nothing the searches go on."""
        assert self.explorer is not None
        waits = [STAY] * ticks
        after = self._followed(self.end, waits)
        if self._kinds(after) == self._kinds(self.end):
            self.plan.extend(waits)
            self.explorer.let_pass(ticks, int(self.end[1][TIME] - after[1][TIME]))
            self.end = after
        else:
            self._append(waits)

    def _wait_for_luck(self, meter: Meter) -> None:
        """Nothing is known that leads on: stand still as long as it is safe, or else move as life demands it."""
        length = self._round_of_flies()
        whole_rounds = max(HELPLESS_WAITS) // length * length if length > 0 else 0
        for ticks in (whole_rounds, *HELPLESS_WAITS):
            if ticks > 0 and self._is_safe(self.end, [STAY] * ticks, meter):
                self._wait(ticks)
                return
        self._append([self._safest(self.end, meter)])

    def _append(self, actions: list[Action]) -> None:
        """Add actions to the plan and search on from where they end."""
        after = self._followed(self.end, actions)
        plan = [*self.plan, *actions]
        self._restart(after)
        self.plan = deque(plan)

    def _is_safe(self, start: Position, actions: list[Action], meter: Meter) -> bool:
        """Return True if Rockford lives through the actions, and can live on after them."""
        assert self.planner is not None
        cells, facts = self._followed(start, actions)
        meter.take(len(actions))
        return bool(facts[STATUS] == PLAYING) and self.planner.survives(cells, facts, meter)

    def _best_child(self, tail: Waypoint) -> Waypoint | None:
        """Return the child on the way to the most promising node found so far."""
        best: tuple[float, Waypoint] | None = None
        for child in tail.children:
            lowest, waiting = child.value, [child]
            while waiting:
                node = waiting.pop()
                lowest = min(lowest, node.value)
                waiting.extend(node.children)
            if best is None or lowest < best[0]:
                best = (lowest, child)
        return best[1] if best is not None else None

    def _safest(self, start: Position, meter: Meter) -> Action:
        """Return waiting if one can live on after it, else the first move after which one can."""
        assert self.planner is not None
        for action in range(5):
            if self.planner.may_fail(*start, action, meter):
                return action
        return STAY

    def _checked(self, here: Position, action: Action, text: str, meter: Meter) -> tuple[Action, str]:
        """Look a last time at the very next tick, also for the case that a push fails."""
        assert self.planner is not None
        cells, facts = here[0].copy(), here[1].copy()
        status = self.planner.tick(cells, facts, action)
        good = status in (PLAYING, WON)
        if good and facts[PUSHES] > here[1][PUSHES]:
            good = self.planner.may_fail(*here, action, meter)
        if good:
            return action, text
        escape = self._safest(here, meter)
        self.plan.clear()
        self._restart(self._followed(here, [escape]))
        return escape, "escaping"

    def _thoughts(self, here: Position, action: Action, text: str, meter: Meter) -> Thoughts:
        assert self.planner is not None
        planner, actions = self.planner, [action, *self.plan]
        cells, facts = here[0].copy(), here[1].copy()
        path = []
        for step in actions:
            planner.tick(cells, facts, step)
            path.append(int(facts[ROCKFORD_AT]))
        heat = np.zeros(int(planner.rules[kernels.SIZE]), dtype=np.int64)
        search.danger(here[0].copy(), here[1].copy(), planner.rules, planner.stream, planner.journal, heat, HEAT_TICKS)
        if self.is_final:
            text = f"the exit in {counted(len(actions), 'tick')} if every push succeeds"
        figures = {
            "planned": float(len(actions)),
            "missing": float(max(0, planner.rules[NEEDED] - here[1][DIAMONDS])),
            "goals planned": float(self.end[1][DIAMONDS] - here[1][DIAMONDS]),
            "pushes planned": float(self.end[1][PUSHES] - here[1][PUSHES]),
            "ticks": float(here[1][TICKS]),
        }
        return Thoughts(
            path=tuple(cell for cell in path if cell >= 0),
            heat=tuple(heat.tolist()),
            line=tuple(LABELS[step] for step in actions[:20]),
            nodes=meter.spent,
            text=text,
            figures=figures,
        )
