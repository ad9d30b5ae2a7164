"""The bot: one memory, behaviours that bid, the watchdog, and an answer for every prompt."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from gridsage.core.game import Briefing, Budget, Decision, Thoughts
from gridsage.core.rng import generator
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import behaviours as bh
from gridsage.games.nethack.agents import mind as md
from gridsage.games.nethack.agents import personality as pe
from gridsage.games.nethack.agents.dialogue import Dialogue, Phrase, standing_answer
from gridsage.games.nethack.agents.watchdog import Watchdog
from gridsage.games.nethack.agents.world import World
from gridsage.games.nethack.state import State

ESCAPE = 27


class Prompts:
    """Standard answers for questions that no plan asked for. None of them can block; strange ones are counted."""

    def __init__(self) -> None:
        self.unread = 0

    def answer(self, world: World, state: State) -> int:
        """The key that leaves this prompt."""
        said = " ".join(state.messages)
        if state.prompt == st.YES_NO and "Really attack" in said:
            world.note_peaceful()
            return ESCAPE
        if state.prompt == st.YES_NO and "direction" in said:
            return ESCAPE
        if state.prompt == st.YES_NO and (reply := standing_answer(said)) is not None:
            return ord(reply)
        self.unread += 1
        return ESCAPE


class Bot:
    """A NetHack player made of a personality."""

    def __init__(self, personality: str = "explorer") -> None:
        self._personality = pe.load(personality)
        self.name = self._personality.name
        self._prepare(random.Random(0))

    def begin(self, briefing: Briefing) -> None:
        self._prepare(generator(briefing.seed, "nethack bot"))

    def _prepare(self, chance: random.Random) -> None:
        mind = self._personality
        self.world = World()
        self.watchdog = Watchdog(mind, chance)
        self.prompts = Prompts()
        self.dialogue = Dialogue()
        # Highest first: the first that bids wins, so the lower ones need not think.
        wanted = [need for need in sorted(self._needs(chance), key=lambda need: -need[1]) if need[1]]
        self._behaviours = [behaviour for _, _, behaviour in wanted]
        self._bids = md.Bids([(name, priority) for name, priority, _ in wanted])
        self._plan: bh.Plan | None = None
        self._bid: tuple[str, int] = ("", 0)
        self._in_command = False  # the plan has sent a part of a command that must be finished
        self._step = 0  # keys sent in the game when the bot is asked next, if nobody else plays

    def _needs(self, chance: random.Random) -> Sequence[tuple[str, int, bh.Behaviour]]:
        """Return every need with its priority."""
        mind = self._personality
        return [
            ("pray", mind.priorities.pray, bh.Pray(mind)),
            ("fight", mind.priorities.fight, bh.Fight(mind)),
            ("obey", mind.priorities.obey, bh.Obey(mind)),
            ("recover", mind.priorities.recover, bh.Recover(mind)),
            ("eat", mind.priorities.eat, bh.Eat(mind)),
            ("rest", mind.priorities.rest, bh.Rest(mind)),
            ("unstick", mind.priorities.unstick, self.watchdog),
            ("leave branch", mind.priorities.leave_branch, bh.LeaveBranch(mind)),
            ("explore", mind.priorities.explore, bh.Explore(mind)),
            ("descend", mind.priorities.descend, bh.Descend(mind)),
            ("peek", mind.priorities.peek, bh.Peek(mind)),
            ("search", mind.priorities.search, bh.Search(mind)),
            ("last resort", mind.priorities.last_resort, bh.LastResort(mind, chance)),
        ]

    def _take_in(self, state: State) -> None:
        """Let a richer bot look at the new observation; the world is up to date."""

    def _is_muted(self, bid: bh.Offer) -> bool:
        """Return True if a bid shall not act, because the game refused it again and again."""
        return False

    def _checked(self, key: int, state: State) -> int:
        """Let a richer bot replace a key that would harm."""
        return key

    def _sent(self, key: int) -> None:
        """Let a richer bot note what it sends."""

    def decide(self, observation: State, budget: Budget) -> Decision:
        world = self.world
        if observation.step != self._step:
            self._start_anew()
        self._step = observation.step + 1
        world.update(observation)
        self.watchdog.watch(world)
        self._take_in(observation)
        key = self._checked(self._next_key(observation), observation)
        self._sent(key)
        world.left_by(0 if observation.prompt else key)  # an answer, `>` for digging, is no stairs taken
        name, goal = self._bid
        # The way itself would cost more than the decision: only its end is told.
        path = (goal,) if goal >= 0 and name in _WALKS else ()
        figures = {"unread prompts": float(self.prompts.unread)} if observation.prompt else {}
        thoughts = Thoughts(path=path, text=self.watchdog.reason or name, figures=figures, bids=self._bids.now)
        return Decision(key, thoughts, partial(md.memory, world))

    def _start_anew(self) -> None:
        """Somebody else played: plans begun are of no use, and what is remembered has to be seen again."""
        self._plan = None
        self._in_command = False
        self.dialogue.close()
        self.world.attempt = None
        self.world.left_by(0)
        self.world.stale()

    def _next_key(self, state: State) -> int:
        if self.dialogue.is_speaking:
            spoken = self.dialogue.key(state)
            if spoken is not None:
                return spoken
        asked = self._in_command or (state.prompt == st.YES_NO and self._bid[0] in _ASKING)
        if self._plan is not None and asked and state.prompt != st.LINE:
            key = self._resume()
            if key is not None:
                return key
        if state.prompt:
            self._plan = None
            self._in_command = False
            self._bids.answers()
            return self.prompts.answer(self.world, state)
        return self._chosen()

    def _chosen(self) -> int:
        spoke: tuple[tuple[int, str, int], ...] = ()
        for index, behaviour in enumerate(self._behaviours):
            bid = behaviour.bid(self.world)
            if bid is None or self._is_muted(bid):
                continue
            if self._plan is None or self._bid != (bid.name, bid.goal):
                self._plan, self._bid = bid.plan(), (bid.name, bid.goal)
            key = self._resume()
            if key is None:  # the plan had nothing left to do: start it again, once
                self._plan = bid.plan()
                key = self._resume()
            if key is not None:
                self._bids.acts(index, bid.name, bid.goal, spoke)
                return key
            spoke = (*spoke, (index, bid.name, bid.goal))
        return bh.SEARCH  # whatever is refused now may be possible when a turn has passed

    def _resume(self) -> int | None:
        assert self._plan is not None
        key = next(self._plan, None)
        if key is None:
            self._plan = None
            self._in_command = False
            return None
        if isinstance(key, Phrase):
            self._in_command = False
            return self.dialogue.open(key)
        # Counts and prefixes belong to the key after them: nothing may come between.
        self._in_command = key in _PREFIXES
        return key


_WALKS = frozenset({"explore", "descend", "search", "peek", "leave", "other stairs", "fall"})
_ASKING = frozenset({"eat", "pray", "obey", "throw"})  # plans that answer the questions they raise
_PREFIXES = frozenset([*range(ord("0"), ord("9") + 1), bh.KICK, bh.FIGHT, bh.PRAY, bh.EAT, bh.DROP, bh.THROW])
