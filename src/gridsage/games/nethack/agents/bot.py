"""The bot: one memory, behaviours that bid, the watchdog, and an answer for every prompt."""

from __future__ import annotations

import random
from collections.abc import Sequence

from gridsage.core.game import Briefing, Budget, Decision, Thoughts
from gridsage.core.rng import generator
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import behaviours as bh
from gridsage.games.nethack.agents import personality as pe
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
        made: Sequence[tuple[int, bh.Behaviour]] = [
            (mind.priorities.pray, bh.Pray(mind)),
            (mind.priorities.fight, bh.Fight(mind)),
            (mind.priorities.obey, bh.Obey(mind)),
            (mind.priorities.recover, bh.Recover(mind)),
            (mind.priorities.eat, bh.Eat(mind)),
            (mind.priorities.rest, bh.Rest(mind)),
            (mind.priorities.unstick, self.watchdog),
            (mind.priorities.leave_branch, bh.LeaveBranch(mind)),
            (mind.priorities.explore, bh.Explore(mind)),
            (mind.priorities.descend, bh.Descend(mind)),
            (mind.priorities.peek, bh.Peek(mind)),
            (mind.priorities.search, bh.Search(mind)),
            (mind.priorities.last_resort, bh.LastResort(mind, chance)),
        ]
        # Highest first: the first that bids wins, so the lower ones need not think.
        self._behaviours = [one for priority, one in sorted(made, key=lambda pair: -pair[0]) if priority]
        self._plan: bh.Plan | None = None
        self._bid: tuple[str, int] = ("", 0)
        self._in_command = False  # the plan has sent a part of a command that must be finished

    def decide(self, observation: State, budget: Budget) -> Decision:
        world = self.world
        world.update(observation)
        self.watchdog.watch(world)
        key = self._next_key(observation)
        world.left_by(key)
        name, goal = self._bid
        # The way itself would cost more than the decision: only its end is told.
        path = (goal,) if goal >= 0 and name in _WALKS else ()
        figures = {"unread prompts": float(self.prompts.unread)} if observation.prompt else {}
        return Decision(key, Thoughts(path=path, text=self.watchdog.reason or name, figures=figures))

    def _next_key(self, state: State) -> int:
        asked = self._in_command or (state.prompt == st.YES_NO and self._bid[0] in _ASKING)
        if self._plan is not None and asked and state.prompt != st.LINE:
            key = self._resume()
            if key is not None:
                return key
        if state.prompt:
            self._plan = None
            self._in_command = False
            return self.prompts.answer(self.world, state)
        return self._chosen()

    def _chosen(self) -> int:
        for behaviour in self._behaviours:
            bid = behaviour.bid(self.world)
            if bid is None:
                continue
            if self._plan is None or self._bid != (bid.name, bid.goal):
                self._plan, self._bid = bid.plan(), (bid.name, bid.goal)
            key = self._resume()
            if key is None:  # the plan had nothing left to do: start it again, once
                self._plan = bid.plan()
                key = self._resume()
            if key is not None:
                return key
        return ESCAPE

    def _resume(self) -> int | None:
        assert self._plan is not None
        key = next(self._plan, None)
        if key is None:
            self._plan = None
            self._in_command = False
            return None
        # Counts and prefixes belong to the key after them: nothing may come between.
        self._in_command = key in _PREFIXES
        return key


_WALKS = frozenset({"explore", "descend", "search", "peek", "leave", "other stairs", "fall"})
_ASKING = frozenset({"eat", "pray", "obey", "throw"})  # plans that answer the questions they raise
_PREFIXES = frozenset([*range(ord("0"), ord("9") + 1), bh.KICK, bh.FIGHT, bh.PRAY, bh.EAT, bh.DROP, bh.THROW])
