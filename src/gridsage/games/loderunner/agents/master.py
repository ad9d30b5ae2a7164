"""The player that looks ahead: exact positions of runner, enemies and holes, many rounds deep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from gridsage.core.budget import Meter
from gridsage.core.game import Budget, Decision, Thoughts
from gridsage.games.loderunner.agents.distances import Distances, Watch, begun_guide
from gridsage.games.loderunner.agents.plans import (
    DICE_AHEAD,
    PLAN_DETOURS,
    UNKNOWN,
    Leanings,
    Plan,
    Scene,
    played,
    prices,
)
from gridsage.games.loderunner.kernels import draws, lookahead, rounds
from gridsage.games.loderunner.rules import Tables, pack, tables
from gridsage.games.loderunner.state import BOMB_LEFT, LABELS, NONE, Observation

MOST_LAYERS = 600  # rounds a plan can be long
MOST_WIDTH = 512
SEEN_PLACES = 1 << 18
MOST_NODES = SEEN_PLACES // 2  # of one search: the table of known positions stays half empty
POSITIONS_AT_A_TIME = 800  # between two looks at the clock: some 3 ms
TIME_SHARE = 0.65  # of the seconds given: the rest is for what is not search
WEIGHING_SHARE = 8  # one of so many nodes is kept for weighing the draws of what was found
DUEL_SHARE = 0.35  # of the seconds given, until all duels of the level are played
POST_SHARE = 0.05  # of the seconds given: a table of a post that is begun later would leave too few for the search
DEFAULT_NODES = 100_000
LINE = 12  # actions of the plan that are told
AHEAD = 16  # rounds of the plan whose digs and enemies are told
HEAT_STEP = 16  # heat lost with each step an enemy is farther away
LEAST_WIDTH = 8
NODES_PER_WIDTH = 500  # some hundred rounds deep with five actions each
LEAST_NODES = 2500  # of a further search: with fewer it does not see as far as SAFE_ROUNDS
STAND = 5  # a search keeps this part of its width per cell while somebody is on a harmful post: there he has to fight
CAREFUL = 6  # times the price of luck in every second search
MOST_SEARCHES = 12  # of one decision
WEIGHING = 4  # one of so many positions of a search is for weighing draws


def _meter(budget: Budget) -> Meter:
    return Meter(budget, share=TIME_SHARE, nodes=DEFAULT_NODES if budget.seconds is None else None)


def _search_nodes(meter: Meter) -> int:
    """The nodes that are left for searches: draws are weighed even when these are spent."""
    kept = 0 if meter.limit is None else meter.limit // WEIGHING_SHARE
    return max(0, meter.left(MOST_NODES) - kept)


@dataclass(frozen=True)
class RoundLook:
    """What one of the searches that take turns prefers beside the leanings of all."""

    width: int
    luck: int = 1  # times the price of a respawn
    detours: int = 0
    curiosity: int = 0


LOOKS = (
    RoundLook(64),
    RoundLook(64, detours=25, curiosity=4),
    RoundLook(64, luck=CAREFUL),
    RoundLook(64, detours=50, curiosity=1),
    RoundLook(192),
    RoundLook(64, detours=25),
    RoundLook(192, luck=CAREFUL, curiosity=2),
)
PLAIN_LOOKS = (RoundLook(64), RoundLook(64, luck=CAREFUL), RoundLook(192), RoundLook(192, luck=CAREFUL))


class Beam:
    """The arrays a search works on, kept from decision to decision."""

    def __init__(self, row: int, visits: tuple[int, int]) -> None:
        self.rows = np.zeros((MOST_WIDTH, row + lookahead.PAST), np.int16)
        self.pool = np.zeros((MOST_WIDTH * rounds.ACTIONS, row + lookahead.PAST), np.int16)
        self.links = np.zeros((MOST_LAYERS, MOST_WIDTH), np.int32)
        self.seen = np.zeros((SEEN_PLACES, 2), np.int64)
        self.visits = np.zeros(visits, np.int32)
        self.meters = np.zeros(lookahead.METERS, np.int64)
        self.weighed = 0  # rounds played to weigh draws since `begin`

    def begin(self, start: rounds.Row, width: int, seed: int, nodes: int, leanings: Leanings) -> None:
        """Set the beam on one position."""
        stamp = self.meters[lookahead.STAMP] + 1
        self.rows[0, : len(start)] = start
        self.rows[0, len(start) :] = 0
        self.meters[:] = 0
        self.meters[lookahead.STAMP] = stamp
        self.meters[lookahead.WIDTH] = width
        self.meters[lookahead.NODE_LIMIT] = min(nodes, MOST_NODES)
        self.meters[lookahead.SEED] = seed
        self.meters[lookahead.LAST_SIZE] = 1
        self.meters[lookahead.QUOTA] = leanings.quota
        self.meters[lookahead.DANGER] = leanings.danger
        self.meters[lookahead.LUCK] = leanings.luck
        self.meters[lookahead.RISK] = leanings.risk
        self.meters[lookahead.STANDOFF] = leanings.standoff
        self.meters[lookahead.DETOURS] = leanings.detours
        self.meters[lookahead.CURIOSITY] = leanings.curiosity
        self.visits[:] = 0
        self.weighed = 0

    @property
    def nodes(self) -> int:
        """Positions looked at since `begin`."""
        return int(self.meters[lookahead.NODES])

    def grow(self, scene: Scene, layers: int) -> int:
        """Grow by so many rounds; returns how that ended, in the words of the kernel."""
        known = self.seen, self.visits
        return lookahead.grow(
            scene.level, scene.distances, self.rows, self.pool, self.links, known, self.meters, layers
        )

    def weigh_layer(self, scene: Scene) -> None:
        """Weigh the draws of the round just played, while that has not taken more than its share of the search."""
        left = int(self.meters[lookahead.NODE_LIMIT]) // WEIGHING - self.weighed
        if left <= 0:
            return
        counts = np.zeros(draws.COUNTS, np.int64)
        size = int(self.meters[lookahead.LAST_SIZE])
        draws.weigh_layer(scene.level, scene.distances, self.rows, size, left, counts)
        self.weighed += int(counts[draws.NODES])
        self.meters[lookahead.NODES] += counts[draws.NODES]

    def best_line(self) -> list[int]:
        """The actions that lead to the win that was found, or to the best position of the last layer."""
        actions: list[int] = []
        last, place = int(self.meters[lookahead.LAYER]), 0
        if self.meters[lookahead.WIN_LAYER] > 0:
            link = int(self.meters[lookahead.WIN_LINK])
            actions.append(link & 7)
            last, place = int(self.meters[lookahead.WIN_LAYER]) - 1, link >> 3
        for layer in range(last - 1, -1, -1):
            link = int(self.links[layer, place])
            actions.append(link & 7)
            place = link >> 3
        return actions[::-1]


class Master:
    """Keeps a plan while it holds; otherwise searches for one that wins, or at least lives.

    Args:
        danger: how much the search shuns enemies that are near, 0 not at all.
        quota: positions kept per cell of the runner and layer.
        foresight: shun places where enemies would stand in the only way for good, and bury enemies rather than wait.
    """

    name = "master"

    def __init__(self, danger: int = 4, quota: int = 3, foresight: bool = True) -> None:
        if danger < 0 or quota < 1:
            raise ValueError("danger must be 0 or more, quota 1 or more")
        self._leanings = (
            Leanings(danger, quota, detours=PLAN_DETOURS) if foresight else Leanings(danger, quota, standoff=0)
        )
        self._foresight = foresight
        self._plan: Plan | None = None
        self._beam: Beam | None = None
        self._watch, self._is_watched = Watch(), False
        self._searches = 0
        self._bonuses, self._progress = UNKNOWN, 0  # bonuses left, and the round in which that number was new

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        """The first action of the best plan known."""
        meter = _meter(budget)
        found = tables(observation.level, observation.options)
        scene = Scene(found, begun_guide(observation.level, observation.options))
        if self._foresight:
            early, at_once = Meter(budget, share=DUEL_SHARE), Meter(budget, share=POST_SHARE)
            scene.hints.duels.play(lambda: early.in_time)
            waiting = _waiting(observation, found)
            self._watch.look(found, scene.hints.duels, waiting, lambda: at_once.in_time)
            self._is_watched = self._watch.is_manned(waiting)
            scene = replace(scene, posts=self._watch.posts)
        row = pack(observation, found)
        if len(observation.bonuses) != self._bonuses:
            self._bonuses, self._progress = len(observation.bonuses), observation.round
        plan = self._kept_plan(row, scene)
        if plan is None or not plan.holds or (self._foresight and not plan.won):
            plan = self._better_plan(plan, row, scene, meter)
        self._plan = plan
        action = plan.actions[0] if plan is not None else NONE
        return Decision(action, _thoughts(plan, scene, observation, meter.spent))

    def _kept_plan(self, row: rounds.Row, scene: Scene) -> Plan | None:
        """The old plan without the action just played; played again from here where the dice surprised it."""
        if self._plan is None or len(self._plan.actions) < 2:
            return None
        rest = self._plan.rest()
        if np.array_equal(rest.positions[0], row):
            return rest
        return played(rest.actions, row, scene, self._leanings)

    def _better_plan(self, plan: Plan | None, row: rounds.Row, scene: Scene, meter: Meter) -> Plan | None:
        """The best of the plan given and those that searches of growing width and care find."""
        if self._beam is None or self._beam.visits.shape != scene.hints.walk.shape:
            self._beam = Beam(len(row), scene.hints.walk.shape)
        luck, risk, pace = prices(int(row[rounds.ROUND]) - self._progress if self._foresight else 0)
        self._leanings = replace(self._leanings, luck=luck, risk=risk, pace=pace)
        if plan is not None:
            plan.luck_cost, plan.risk_cost, plan.pace = luck, risk, pace
        self._weigh(plan, scene, meter)
        for number, look in enumerate(self._looks()):
            if _search_nodes(meter) <= (LEAST_NODES if number else 0) or (plan is not None and plan.is_certain):
                break
            new = self._search(self._beam, look, row, scene, meter)
            self._weigh(new, scene, meter)
            if new is not None and (plan is None or new.worth > plan.worth):
                plan = new
        return plan

    def _looks(self) -> Iterator[RoundLook]:
        """The searches of one decision; with foresight they go on where those of the decision before ended."""
        if not self._foresight:
            yield from PLAIN_LOOKS
            return
        for _ in range(MOST_SEARCHES):
            yield LOOKS[self._searches % len(LOOKS)]

    def _search(self, beam: Beam, look: RoundLook, row: rounds.Row, scene: Scene, meter: Meter) -> Plan | None:
        """The best line of one beam."""
        self._searches += 1
        left = _search_nodes(meter)
        width = min(look.width, max(LEAST_WIDTH, left // NODES_PER_WIDTH))
        luck = look.luck * self._leanings.luck
        quota = max(2 * self._leanings.quota, width // STAND) if self._is_watched else self._leanings.quota
        leanings = replace(self._leanings, quota=quota, luck=luck, detours=look.detours, curiosity=look.curiosity)
        most = width * NODES_PER_WIDTH if self._foresight else left
        beam.begin(row, width, self._searches, min(left, most), leanings)
        ended = lookahead.GROWN
        for _ in range(DICE_AHEAD if self._foresight else 0):
            if ended == lookahead.GROWN and meter.in_time:
                ended = beam.grow(scene, 1)
                beam.weigh_layer(scene)
        while ended == lookahead.GROWN and meter.in_time:
            ended = beam.grow(scene, max(1, POSITIONS_AT_A_TIME // width))
        meter.take(beam.nodes)
        line = beam.best_line()
        if not line:
            return None
        plan = played(line, row, scene, self._leanings, self._searches)
        if plan is not None and ended == lookahead.ALL_DIE and not plan.won:
            plan.lives = False
        return plan

    def _weigh(self, plan: Plan | None, scene: Scene, meter: Meter) -> None:
        """Find the plan's risk, if somebody reappears soon: after how many of a thousand draws he is lost."""
        if plan is None or plan.risk != UNKNOWN or not 0 < plan.dice_round <= DICE_AHEAD:
            return
        before, action = plan.positions[plan.dice_round - 1], plan.actions[plan.dice_round - 1]
        rest = np.array(plan.actions[plan.dice_round :], np.int64)
        counts = np.zeros(draws.COUNTS, np.int64)
        draws.deadly_draws(scene.level, scene.distances, before, action, rest, counts)
        plan.risk = int(draws.THOUSAND * counts[draws.DEADLY] // max(1, counts[draws.ALLOWED]))
        meter.take(int(counts[draws.NODES]))


def _waiting(seen: Observation, found: Tables) -> list[int]:
    """The cells of the enemies who have no way to the runner and wait."""
    holes = {hole.cell for hole in seen.holes}
    cells = [enemy.cell for enemy in seen.enemies if enemy.cell not in holes]
    return [cell for cell in cells if found.chase[cell, seen.runner] == NONE]


def _thoughts(plan: Plan | None, scene: Scene, seen: Observation, nodes: int) -> Thoughts:
    heat = _heat(scene.hints, seen)
    if plan is None:
        return Thoughts(heat=heat, nodes=nodes, text="no action is known to be survived")
    return Thoughts(
        path=tuple(int(position[rounds.RUNNER]) for position in plan.positions),
        heat=heat,
        values=tuple(_marks(plan, scene.found)),
        line=tuple(LABELS[action] for action in plan.actions[:LINE]),
        nodes=nodes,
        text=plan.sentence,
    )


def _heat(hints: Distances, seen: Observation) -> tuple[int, ...]:
    """Danger of every cell: how soon an enemy that is free could be there."""
    holes = {hole.cell for hole in seen.holes}
    free = [enemy.cell for enemy in seen.enemies if enemy.cell not in holes]
    if not free:
        return (0,) * len(seen.level.cells)
    nearest = hints.steps[free].min(axis=0).astype(np.int64)
    return tuple(np.maximum(0, 255 - HEAT_STEP * nearest).tolist())


def _marks(plan: Plan, found: Tables) -> Iterator[tuple[int, str]]:
    """Where the plan digs, and where it expects every enemy in the rounds to come."""
    cols, enemies = int(found.info[rounds.COLS]), int(found.info[rounds.ENEMIES])
    first = rounds.FIRST_BONUS + int(found.info[rounds.BONUS_WORDS])
    for action, position in zip(plan.actions[:AHEAD], plan.positions, strict=False):
        if action >= BOMB_LEFT:
            yield int(position[rounds.RUNNER]) + cols + (-1 if action == BOMB_LEFT else 1), "dig"
    for number in range(first, first + enemies):
        path = {int(position[number]): None for position in plan.positions[:AHEAD]}
        yield from ((cell, f"e{number - first}") for cell in path)
