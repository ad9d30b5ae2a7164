"""The master: plans to the exit on the exact model, waits and thinks where it is safe, and keeps a plan that holds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from gridsage.core.game import Action, Budget, Decision, Thoughts
from gridsage.games.delirium.agents.memory import Memory
from gridsage.games.delirium.agents.planner import STAGES, Meter, Node, Planner
from gridsage.games.delirium.kernels import plan as search
from gridsage.games.delirium.kernels import tick as kernels
from gridsage.games.delirium.level import Options, parse
from gridsage.games.delirium.rules import LABELS, STAY, WIDEN, arrays
from gridsage.games.delirium.state import DIAMONDS, MINER_AT, PLAYING, STATUS, WON, Observation

HEAT_TICKS = 8  # how far the danger told in the thoughts looks ahead
WAIT_BLOCK = 25  # ticks waited at once to think, where no clock runs
MOST_WAITING = 400  # ticks of a game spent waiting for a better idea
WIDEN_TIME = 120  # with less time left than this a view is not widened


class MasterMiner:
    """Looks many ticks ahead: goals in every order, waiting, pushing, undermining, stones dropped on monsters.

    Args:
        patience: ticks it may stand still in one game to find a plan to the very end, if no time limit runs.
    """

    name = "master"

    def __init__(self, patience: int = MOST_WAITING) -> None:
        if patience < 0:
            raise ValueError(f"patience={patience}: expected 0 or more ticks")
        self.patience = patience
        self.memory = Memory()
        self.planner: Planner | None = None
        self.plan: deque[Action] = deque()
        self.tail: Node | None = None  # where the plan ends; the search goes on from there
        self.is_final = False  # the plan leads out of the gallery

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        meter = Meter(budget)
        if not self.memory.see(observation):
            self._revise()
        planner, memory = self._planner(), self.memory
        text = "on the way"
        if not self.is_final:
            self._think(planner, meter)
        if not self.plan:
            text = self._extend(observation, planner, meter)
        action = self.plan.popleft() if self.plan else STAY
        action, text = self._checked(planner, action, text, meter)
        thoughts = self._thoughts(observation, planner, action, text, meter)
        if memory.act(action) not in (PLAYING, WON):
            self.plan.clear()
        return Decision(action, thoughts)

    def _planner(self) -> Planner:
        """The planner for the arrays as they are now; a new one only where their lengths changed."""
        rules, facts = self.memory.rules, self.memory.facts
        if (
            self.planner is None
            or self.planner.fact_pool.shape[1] != len(facts)
            or self.planner.pool.shape[1] != len(self.memory.cells)
        ):
            self.planner = Planner(rules, len(facts))
            self.tail = None
        self.planner.rules = rules
        self.planner.explores = self.memory.has_unknown
        if self.tail is None:
            self.plan.clear()
            self.is_final = False
            self.tail = self.planner.start(self.memory.cells, self.memory.facts)
        return self.planner

    def _revise(self) -> None:
        """The picture was not what was foretold: keep the plan only if it still leads to the same place alive."""
        old, plan = self.tail, list(self.plan)
        self.tail, self.is_final = None, False
        if old is None or not plan or len(old.cells) != len(self.memory.cells):
            return
        cells, facts = self.memory.cells.copy(), self.memory.facts.copy()
        journal = self.memory.journal
        search.follow(cells, facts, self.memory.rules, journal, np.array(plan, dtype=np.int64))
        planner = self._planner()
        if facts[STATUS] == WON or (facts[STATUS] == PLAYING and facts[MINER_AT] == old.facts[MINER_AT]):
            self.plan = deque(plan)
            self.is_final = bool(facts[STATUS] == WON)
            self.tail = planner.start(cells, facts) if not self.is_final else self.tail

    def _think(self, planner: Planner, meter: Meter) -> None:
        assert self.tail is not None
        won = planner.think(meter)
        if won is not None:
            self.plan.extend(won.line(self.tail))
            self.is_final = True

    def _extend(self, observation: Observation, planner: Planner, meter: Meter) -> str:
        """No plan to the end is known yet and the old one is played: look around, wait and think, or go a step on."""
        tail = self.tail
        assert tail is not None
        if observation.can_widen and not 0 <= observation.time < WIDEN_TIME and self._is_safe([WIDEN], planner, meter):
            self._append([WIDEN], planner)
            return "looking further"
        unhurried = observation.time < 0 and not self.memory.has_unknown
        if unhurried and self.patience >= WAIT_BLOCK and not planner.is_idle:
            waits = [STAY] * WAIT_BLOCK
            if self._is_safe(waits, planner, meter):
                self.patience -= WAIT_BLOCK
                self._append(waits, planner)
                return "waiting in a safe place to think"
        chosen = self._best_child(tail)
        if chosen is not None:
            self.plan.extend(chosen.actions)
            self.tail = chosen
            planner.keep_below(chosen)
            return f"going for the next goal, {len(chosen.actions)} ticks away"
        self._append([self._safest(planner, meter)], planner)
        return "no goal in reach yet"

    def _append(self, actions: list[Action], planner: Planner) -> None:
        """Add actions to the plan and search on from where they end."""
        assert self.tail is not None
        self.plan.extend(actions)
        cells, facts = self.tail.cells.copy(), self.tail.facts.copy()
        search.follow(cells, facts, planner.rules, planner.journal, np.array(actions, dtype=np.int64))
        self.tail = planner.start(cells, facts)

    def _is_safe(self, actions: list[Action], planner: Planner, meter: Meter) -> bool:
        assert self.tail is not None
        cells, facts = self.tail.cells.copy(), self.tail.facts.copy()
        search.follow(cells, facts, planner.rules, planner.journal, np.array(actions, dtype=np.int64))
        meter.take(len(actions))
        return bool(facts[STATUS] == PLAYING) and planner.survives(cells, facts, meter)

    def _best_child(self, tail: Node) -> Node | None:
        """The child on the way to the most promising node found so far."""
        best: tuple[float, Node] | None = None
        for child in tail.children:
            lowest, waiting = child.value, [child]
            while waiting:
                node = waiting.pop()
                lowest = min(lowest, node.value)
                waiting.extend(node.children)
            if best is None or lowest < best[0]:
                best = (lowest, child)
        return best[1] if best is not None else None

    def _safest(self, planner: Planner, meter: Meter) -> Action:
        """Waiting if one can live on after it, else the first move after which one can."""
        for action in (0, 1, 2, 3, 4):
            if self._is_safe([action], planner, meter):
                return action
        return STAY

    def _checked(self, planner: Planner, action: Action, text: str, meter: Meter) -> tuple[Action, str]:
        """A last look at the very next tick: a plan made under other assumptions must not kill."""
        cells, facts = self.memory.cells.copy(), self.memory.facts.copy()
        status = kernels.tick(cells, facts, planner.rules, planner.journal, action)
        if status in (PLAYING, WON):
            return action, text
        self.plan.clear()
        self.is_final = False
        self.tail = planner.start(self.memory.cells, self.memory.facts)
        escape = self._safest(planner, meter)
        self.tail = None
        return escape, "escaping"

    def _thoughts(
        self, observation: Observation, planner: Planner, action: Action, text: str, meter: Meter
    ) -> Thoughts:
        actions = [action, *self.plan]
        here = Node(self.memory.cells, self.memory.facts, None, ())
        path = tuple(planner.cells_of(here, actions))
        heat = np.zeros(len(here.cells), dtype=np.int64)
        planner.journal[0] = 0
        search.danger(here.cells.copy(), here.facts.copy(), planner.rules, planner.journal, heat, HEAT_TICKS)
        if self.is_final:
            text = f"the exit in {len(actions)} ticks"
        missing = observation.needed - observation.diamonds
        figures = {"planned": float(len(actions)), "missing": float(max(0, missing))}
        if self.tail is not None:
            figures["goals planned"] = float(max(0, int(self.tail.facts[DIAMONDS]) - observation.diamonds))
            figures["search depth"] = float(min(self.tail.stage, len(STAGES)))
        return Thoughts(
            path=path,
            heat=tuple(heat.tolist()),
            line=tuple(LABELS[step] for step in actions[:20]),
            nodes=meter.spent,
            text=text,
            figures=figures,
        )


def warm_up() -> list[tuple[str, Callable[[], object]]]:
    """Steps that compile or load every kernel of the room."""
    cells, facts, rules = arrays(parse("diamonds: 1\n@.dX\n").galleries[0], Options())
    planner = Planner(rules, len(facts), pool_bytes=1)
    root = Node(cells, facts, None, ())
    heat = np.zeros(len(cells), dtype=np.int64)
    return [
        ("the tick of the mine", lambda: list(planner.cells_of(root, [STAY]))),
        ("the search for goals", lambda: (planner.start(cells, facts), planner.think(Meter(Budget(nodes=200))))),
        ("the check that life goes on", lambda: planner.survives(cells, facts, Meter(Budget(nodes=100)))),
        ("following a plan", lambda: search.follow(cells.copy(), facts.copy(), rules, planner.journal, heat[:1])),
        ("danger", lambda: search.danger(cells.copy(), facts.copy(), rules, planner.journal, heat, 1)),
        ("prospects", lambda: planner.value(root)),
    ]
