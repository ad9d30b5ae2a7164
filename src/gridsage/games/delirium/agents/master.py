"""The master: plans to the exit on the exact model, waits and thinks where it is safe, and keeps a plan that holds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gridsage.core.amounts import counted
from gridsage.core.budget import Meter
from gridsage.core.game import Action, Budget, Decision, Thoughts
from gridsage.games.delirium.agents.memory import MineMemory
from gridsage.games.delirium.agents.planner import STAGES, Planner, Waypoint, new_meter
from gridsage.games.delirium.agents.window import LARGE, Scene, scene
from gridsage.games.delirium.kernels import plan as search
from gridsage.games.delirium.kernels import tick as kernels
from gridsage.games.delirium.level import Options, parse
from gridsage.games.delirium.level.cells import DIAMOND, EXIT, KIND_MASK, UNKNOWN
from gridsage.games.delirium.rules import STAY, WIDEN, arrays
from gridsage.games.delirium.state import DIAMONDS, LABELS, MINER_AT, PLAYING, STATUS, WON, Observation

HEAT_TICKS = 8  # how far the danger told in the thoughts looks ahead
WAIT_BLOCK = 25  # ticks waited at once to think, where no clock runs
MOST_WAITING = 25  # ticks of a game spent waiting for a better idea: 400 won no more caves, and more slowly
WIDEN_TIME = 120  # with less time left than this a view is not widened


class Master:
    """Looks many ticks ahead: goals in every order, waiting, pushing, undermining, stones dropped on monsters.

    Args:
        patience: ticks it may stand still in one game to find a plan to the very end, if no time limit runs.
    """

    name = "master"

    def __init__(self, patience: int = MOST_WAITING) -> None:
        if patience < 0:
            raise ValueError(f"patience={patience}: expected 0 or more ticks")
        self.patience = patience
        self.memory = MineMemory()
        self.planner: Planner | None = None
        self.plan: deque[Action] = deque()
        self.options: Options | None = None
        self.end = (np.zeros(0, dtype=np.uint8), np.zeros(0, dtype=np.int64))  # the position after the plan
        self.tail: Waypoint | None = None  # the same as a node of the planner's tree; the search goes on from there
        self.is_final = False  # the plan leads out of the gallery

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        meter = new_meter(budget)
        self.options = observation.options
        if not self.memory.see(observation):
            self._revise()
        planner, memory = self._planner(), self.memory
        text = "on the way"
        if not self.is_final:
            self._think(planner, meter)
        if not self.plan:
            text = self._extend(observation, planner, meter)
        action = self.plan.popleft() if self.plan else STAY
        action, text = self._checked(action, text, meter)
        thoughts = self._thoughts(observation, action, text, meter)
        if memory.act(action) not in (PLAYING, WON):
            self.plan.clear()
        return Decision(action, thoughts)

    def _planner(self) -> Planner:
        """The planner for the position at the end of the plan; a new tree where that position is new."""
        if self.tail is None:
            self.plan.clear()
            self.is_final = False
            self._restart(self.memory.cells, self.memory.facts)
        assert self.planner is not None
        return self.planner

    def _restart(self, cells: NDArray[np.uint8], facts: NDArray[np.int64]) -> None:
        """Begin a new tree at the end of the plan, which is this position."""
        self.end = (cells.copy(), facts.copy())
        planner, part = self._ready(cells, facts)
        planner.explores = bool((part[0] == UNKNOWN).any())
        self.tail = planner.start(part[0], part[1])

    def _ready(self, cells: NDArray[np.uint8], facts: NDArray[np.int64]) -> tuple[Planner, Scene]:
        """The planner with arrays of the right lengths for what it is shown of this position."""
        assert self.options is not None
        part = scene(cells, facts, self.memory.rules, self.options)
        shape = (len(part[0]), len(part[1]))
        if self.planner is None:
            self.planner = Planner(part[2], shape[1])
        elif (self.planner.pool.shape[1], self.planner.fact_pool.shape[1]) != shape:
            self.planner.fit(part[2], shape[1])
            self.tail = None
        self.planner.rules = part[2]
        return self.planner, part

    def _followed(self, actions: list[Action]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The position after more actions at the end of the plan, on the whole map."""
        cells, facts = self.end[0].copy(), self.end[1].copy()
        line = np.array(actions, dtype=np.int64)
        search.follow(cells, facts, self.memory.rules, self.memory.journal, line)
        return cells, facts

    def _revise(self) -> None:
        """The picture was not what was predicted: keep the plan only if it still leads to the same place alive."""
        plan, old = list(self.plan), self.end
        self.tail, self.is_final = None, False
        if not plan or len(old[0]) != len(self.memory.cells):
            return
        self.end = (self.memory.cells, self.memory.facts)
        cells, facts = self._followed(plan)
        if facts[STATUS] == WON:
            self._planner()
            self.plan, self.is_final = deque(plan), True
        elif facts[STATUS] == PLAYING and facts[MINER_AT] == old[1][MINER_AT]:
            self._restart(cells, facts)
            self.plan = deque(plan)

    def _think(self, planner: Planner, meter: Meter) -> None:
        assert self.tail is not None
        won = planner.think(meter)
        if won is not None:
            line = won.line(self.tail)
            if self._followed(line)[1][STATUS] == WON:
                self.plan.extend(line)
                self.is_final = True

    def _extend(self, observation: Observation, planner: Planner, meter: Meter) -> str:
        """No plan to the end is known yet and the old one is played: look around, wait and think, or go a step on."""
        tail = self.tail
        assert tail is not None
        if observation.can_widen and not 0 <= observation.time < WIDEN_TIME and self._is_safe([WIDEN], meter):
            self._append([WIDEN])
            return "looking further"
        unhurried = observation.time < 0 and not planner.explores
        if unhurried and self.patience >= WAIT_BLOCK and not planner.is_idle:
            waits = [STAY] * WAIT_BLOCK
            if self._is_safe(waits, meter):
                self.patience -= WAIT_BLOCK
                self._append(waits)
                return "waiting in a safe place to think"
        while (chosen := self._best_child(tail)) is not None:
            cells, facts = self._followed(list(chosen.actions))
            if facts[STATUS] != PLAYING:  # only where the planner saw a part of the map
                tail.children.remove(chosen)
                continue
            self.plan.extend(chosen.actions)
            if len(cells) == len(chosen.cells):
                self.end, self.tail = (cells, facts), chosen
                planner.keep_below(chosen)
            else:
                self._restart(cells, facts)
            return f"going for the next goal, {counted(len(chosen.actions), 'tick')} away"
        self._append([self._safest(meter)])
        return "no goal in reach yet"

    def _append(self, actions: list[Action]) -> None:
        """Add actions to the plan and search on from where they end."""
        self.plan.extend(actions)
        self._restart(*self._followed(actions))

    def _is_safe(self, actions: list[Action], meter: Meter) -> bool:
        cells, facts = self._followed(actions)
        meter.take(len(actions))
        if facts[STATUS] != PLAYING:
            return False
        tail = self.tail
        planner, part = self._ready(cells, facts)
        safe = planner.survives(part[0], part[1], meter)
        if self.tail is None and tail is not None:  # another planner was made for this look: come back
            self._restart(*self.end)
        elif tail is not None:
            self._ready(*self.end)
        return safe

    def _best_child(self, tail: Waypoint) -> Waypoint | None:
        """The child on the way to the most promising node found so far."""
        best: tuple[float, Waypoint] | None = None
        compass = self._compass() if len(self.end[0]) > LARGE else None
        for child in tail.children:
            lowest = child.lowest if compass is None else child.value
            if compass is not None and child.facts[DIAMONDS] == tail.facts[DIAMONDS]:
                steps = int(compass[self._followed(list(child.actions))[1][MINER_AT]])
                lowest += steps if steps >= 0 else len(compass)
            if best is None or lowest < best[0]:
                best = (lowest, child)
        return best[1] if best is not None else None

    def _compass(self) -> NDArray[np.int64]:
        """Steps from every cell of a large map to the goal that lies nearest beyond the window."""
        cells, facts = self.end
        rules = self.memory.rules
        distance, queue = np.zeros(len(cells), dtype=np.int64), np.zeros(len(cells) + 1, dtype=np.int64)
        search.flood(cells, rules, int(facts[MINER_AT]), distance, queue)
        wanted = EXIT if facts[DIAMONDS] >= rules[kernels.NEEDED] else DIAMOND
        goals = np.flatnonzero((cells & KIND_MASK == wanted) & (distance >= 0))
        if len(goals):
            goal = int(goals[np.argmin(distance[goals])])
            search.flood(cells, rules, goal, distance, queue)
        return distance

    def _safest(self, meter: Meter) -> Action:
        """Waiting if one can live on after it, else the first move after which one can."""
        for action in (0, 1, 2, 3, 4):
            if self._is_safe([action], meter):
                return action
        return STAY

    def _checked(self, action: Action, text: str, meter: Meter) -> tuple[Action, str]:
        """A last look at the very next tick: a plan made under other assumptions must not kill."""
        cells, facts = self.memory.cells.copy(), self.memory.facts.copy()
        status = kernels.tick(cells, facts, self.memory.rules, self.memory.journal, action)
        if status in (PLAYING, WON):
            return action, text
        self.plan.clear()
        self.is_final = False
        self._restart(self.memory.cells, self.memory.facts)
        escape = self._safest(meter)
        self.tail = None
        return escape, "escaping"

    def _thoughts(self, observation: Observation, action: Action, text: str, meter: Meter) -> Thoughts:
        actions = [action, *self.plan]
        memory = self.memory
        cells, facts = memory.cells.copy(), memory.facts.copy()
        path = []
        for step in actions:
            kernels.tick(cells, facts, memory.rules, memory.journal, step)
            path.append(int(facts[MINER_AT]))
        heat = np.zeros(len(cells), dtype=np.int64)
        memory.journal[0] = 0
        search.danger(memory.cells.copy(), memory.facts.copy(), memory.rules, memory.journal, heat, HEAT_TICKS)
        if self.is_final:
            text = f"the exit in {counted(len(actions), 'tick')}"
        missing = observation.needed - observation.diamonds
        figures = {"planned": float(len(actions)), "missing": float(max(0, missing))}
        if self.tail is not None:
            figures["goals planned"] = float(max(0, int(self.tail.facts[DIAMONDS]) - observation.diamonds))
            figures["search depth"] = float(min(self.tail.stage, len(STAGES)))
        return Thoughts(
            path=tuple(path),
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
    root = Waypoint(cells, facts, None, ())
    heat = np.zeros(len(cells), dtype=np.int64)
    return [
        ("the tick of the mine", lambda: list(planner.cells_of(root, [STAY]))),
        ("the search for goals", lambda: (planner.start(cells, facts), planner.think(new_meter(Budget(nodes=200))))),
        ("the check that life goes on", lambda: planner.survives(cells, facts, new_meter(Budget(nodes=100)))),
        ("following a plan", lambda: search.follow(cells.copy(), facts.copy(), rules, planner.journal, heat[:1])),
        ("danger", lambda: search.danger(cells.copy(), facts.copy(), rules, planner.journal, heat, 1)),
        ("prospects", lambda: planner.value(root)),
    ]
