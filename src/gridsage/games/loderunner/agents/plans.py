"""What a search prefers, and what its plans are worth."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gridsage.core.amounts import counted
from gridsage.games.loderunner.agents.distances import NO_POSTS, Distances
from gridsage.games.loderunner.kernels import draws, lookahead, posts, rounds
from gridsage.games.loderunner.rules import Tables
from gridsage.games.loderunner.state import ALIVE, WON

DICE_AHEAD = 12  # a plan is thought over again so many rounds before its first guess
SAFE_ROUNDS = 40  # a plan that lives so long is as good as one that lives longer
# What an early end costs a plan that does not win, in rounds: that every line of its search died, and for each round
# less than SAFE_ROUNDS, where they died and where the search was only cut short.
END_COST, DEATH_COST, CUT_COST = 25, 40, 20
PATIENCE = 60  # rounds without a bonus after which a respawn costs nothing
SIEGE_PACE = 4  # after PATIENCE so many rounds of a plan count as one: a way out of a siege is long
BOLDNESS = 2  # times that a deadly draw counts less after twice PATIENCE rounds without a bonus
RISK_COST = 6  # rounds a plan may be longer if one draw of a thousand less kills
PLAN_DETOURS = 25  # percent of what enemies on the way cost by themselves, in the judgement of a plan
UNKNOWN = -1


@dataclass(frozen=True)
class Scene:
    """A level as the kernels want it, with its distances."""

    found: Tables
    hints: Distances
    posts: posts.Posts = NO_POSTS

    @property
    def level(self) -> tuple[rounds.Board, rounds.Chase, rounds.Info]:
        """What `grow` plays on."""
        return self.found.board, self.found.chase, self.found.info

    @property
    def distances(self) -> lookahead.Hints:
        """What `grow` is guided by."""
        return self.hints.hints(self.posts)

    def to_go(self, state: rounds.Row, detours: int) -> int:
        """Rounds that are still needed, with so many percent of what the enemies cost on the way to the next goal."""
        return lookahead.rounds_to_go(self.found.info, self.distances, state, detours)

    def shut_out(self, state: rounds.Row) -> int:
        """The number of enemies who stand in the only way to something for good."""
        return posts.shut_out(self.found.info, self.hints.duels.places, self.hints.duels.lost, self.posts, state)

    def play(self, state: rounds.Row, action: int, chance: NDArray[np.int64]) -> int:
        """One round on `state` in place; returns its status."""
        return rounds.play_round(self.found.board, self.found.chase, self.found.info, state, action, chance)


@dataclass(frozen=True)
class Leanings:
    """What a search prefers."""

    danger: int
    quota: int
    luck: int = lookahead.LUCK_COST  # rounds a line may be longer for one respawn less
    risk: int = RISK_COST  # the same for one draw less that kills
    standoff: int = lookahead.STANDOFF_COST  # the same for one enemy in the only way
    detours: int = 0  # percent of the rounds that enemies on the way are taken to cost
    curiosity: int = 0  # how much it shuns cells where it has been often
    pace: int = 1  # rounds of a plan that count as one


def prices(waited: int) -> tuple[int, int, int]:
    """The prices of a respawn and a deadly draw, and the rounds that count as one, after so many without a bonus.

    A small risk is better than to wait for the last round. But a burial never earns anything: when it did, he went
    on burying although a win was at hand.
    """
    if waited < PATIENCE:
        return lookahead.LUCK_COST, RISK_COST, 1
    return 0, RISK_COST if waited < 2 * PATIENCE else RISK_COST // BOLDNESS, SIEGE_PACE


@dataclass
class Plan:
    """Actions, the positions they are expected to lead to, and what that is worth."""

    actions: list[int]
    positions: list[rounds.Row]  # positions[n] is expected before actions[n]; one more at the end
    won: bool
    lives: bool  # nobody is known to catch him at its end
    luck: int  # respawns on the way: their cells are guesses
    to_go: int  # rounds a lone runner would need after it
    wasted: int  # rounds longer than a lone runner would have needed for what it achieves
    shut_out: int  # enemies who stand in the only way for good at its end
    luck_cost: int = lookahead.LUCK_COST  # rounds it may be longer for one respawn less
    risk: int = UNKNOWN  # of a thousand draws for its first guess, how many kill
    risk_cost: int = RISK_COST  # rounds it may be longer for one such draw less
    bonuses_left: int = 0  # at its end
    reach: int = 0  # actions that it had when it was found: to have followed it makes it no worse
    pace: int = 1  # so many of its rounds count as one

    @property
    def dice_round(self) -> int:
        """The number of actions after which somebody reappears, or 0."""
        return next(
            (number for number, position in enumerate(self.positions) if number and position[rounds.RESPAWNS]), 0
        )

    @property
    def is_certain(self) -> bool:
        """Return True if it wins whatever the dice say."""
        return self.won and self.luck == 0

    @property
    def worth(self) -> tuple[int, int]:
        """Sure wins, then whatever costs least: rounds, luck, bonuses left, draws that kill, an early end."""
        cost = len(self.actions) // self.pace + self.to_go + self.luck_cost * self.luck
        cost += lookahead.STANDOFF_COST * self.shut_out + lookahead.BONUS_COST * self.bonuses_left
        if not self.won:  # what it wasted, it is taken to waste again
            cost += self.wasted // self.pace + self._end_cost
        if self.risk > 0:
            cost += self.risk_cost * self.risk
        return (int(self.is_certain), -cost)

    @property
    def _end_cost(self) -> int:
        """What its early end costs: more where that is death than where it is unknown."""
        missing = max(0, SAFE_ROUNDS - max(self.reach, len(self.actions)))
        if self.lives:
            return CUT_COST * missing
        sure_death = self.risk_cost * draws.THOUSAND if self.luck == 0 else 0
        return END_COST + DEATH_COST * missing + sure_death

    @property
    def holds(self) -> bool:
        """Return True if it can be followed blindly: it wins or lives long, and no dice are thrown soon."""
        if not self.won and len(self.actions) < SAFE_ROUNDS:
            return False
        return self.lives and not 0 < self.dice_round <= DICE_AHEAD

    @property
    def sentence(self) -> str:
        """What it promises, in words."""
        length = len(self.actions)
        if self.is_certain:
            return f"a sure win in {counted(length, 'round')}"
        if self.won:
            times = "once" if self.luck == 1 else f"{self.luck} times"
            return f"a win in {counted(length, 'round')} if enemies reappear well, {times}"
        if self.lives and self.shut_out:
            return f"alive for {counted(length, 'round')}, but an enemy will stand in the only way for good"
        if self.lives:
            return f"alive for {counted(length, 'round')}, some {self.to_go} more to the exit"
        return f"caught in {counted(length + 1, 'round')} unless somebody reappears well"

    def rest(self) -> Plan:
        """What is left of it after its first action."""
        rest = replace(self, actions=self.actions[1:], positions=self.positions[1:])
        if self.positions[1][rounds.RESPAWNS]:
            rest.luck, rest.risk = self.luck - 1, UNKNOWN
        return rest


def played(actions: list[int], row: rounds.Row, scene: Scene, leanings: Leanings, seed: int = 1) -> Plan | None:
    """The plan of these actions from here, as far as the runner lives; None if it kills him at once."""
    state = row.copy()
    positions = [row]
    chance: NDArray[np.int64] = np.zeros(rounds.CHANCES, np.int64)
    status = ALIVE
    for number, action in enumerate(actions):
        lookahead.guess(scene.level, scene.hints.steps, state, seed, number, chance)
        status = scene.play(state, action, chance)
        if status not in (ALIVE, WON):
            break
        positions.append(state.copy())
        if status == WON:
            break
    if status == ALIVE and leanings.standoff:
        positions = positions[: _best_end(positions, scene, leanings.pace) + 1]
    done = actions[: len(positions) - 1]
    if not done:
        return None
    to_go = 0 if status == WON else scene.to_go(positions[-1], leanings.detours)
    return Plan(
        list(done),
        positions,
        won=status == WON,
        lives=status in (ALIVE, WON),
        luck=sum(int(position[rounds.RESPAWNS] > 0) for position in positions[1:]),
        to_go=to_go,
        wasted=len(done) + to_go - scene.to_go(row, leanings.detours) if leanings.standoff else 0,
        shut_out=scene.shut_out(positions[-1]) if leanings.standoff else 0,
        luck_cost=leanings.luck,
        risk_cost=leanings.risk,
        bonuses_left=int(positions[-1][rounds.BONUSES_LEFT]),
        reach=len(done),
        pace=leanings.pace,
    )


def _best_end(positions: list[rounds.Row], scene: Scene, pace: int) -> int:
    """The number of actions after which a line that only lives has come farthest; later rounds led nowhere."""
    return min(
        range(min(SAFE_ROUNDS, len(positions) - 1), len(positions)),
        key=lambda number: (
            number // (2 * pace)
            + scene.to_go(positions[number], PLAN_DETOURS)
            + lookahead.BONUS_COST * int(positions[number][rounds.BONUSES_LEFT])
            + lookahead.STANDOFF_COST * scene.shut_out(positions[number])
        ),
    )
