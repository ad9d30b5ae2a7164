"""What NetHack's survivor expects of its fights, and what they cost: resumable, one line of JSON per game.

python bench/nethack_fights.py --seeds 5340-5349 --roles bar,mon,sam,val --out bench/out/fights.jsonl
python bench/nethack_fights.py --summary bench/out/fights.jsonl

A fight begins with the first blow and ends when nobody who matters was in reach for eight turns, when its level is
left, or with death. Dives are left out: there the floor is the way out.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gridsage.arena.match import play
from gridsage.core.game import Budget, Decision
from gridsage.core.trace import AgentSpec, Episode
from gridsage.games import catalog
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.flight import fight_loss
from gridsage.games.nethack.agents.foes import Foe, chance_of_death
from gridsage.games.nethack.agents.hero import is_low
from gridsage.games.nethack.agents.survivor import Survivor
from gridsage.games.nethack.state import State

Row = dict[str, Any]
KEYS = 1_000_000
QUIET = 8  # turns without anybody in reach after which a fight is over
SHARES = (0.1, 0.25, 0.5, 0.8)  # expected loss as a share of the hit points: bounds of the table
WAYS_OUT = ("stairs", "to the stairs", "write the word", "pray", "read", "quaff")


@dataclass
class Fight:
    """One fight, as it was expected to go and as it went."""

    turn: int
    depth: int
    level: int  # of experience
    hp: int
    armour: int
    kinds: list[str]  # whoever was in reach when it began
    expected: float  # hit points
    chance: float  # of death, as it was told
    lost: int = 0  # hit points, healing in between left out
    most: int = 1  # foes in reach at once
    nearly_dead: bool = False  # so few hit points that a god would help
    ways_out: list[str] = field(default_factory=list)  # taken, in order
    end: str = "quiet"


class Observed(Survivor):
    """The survivor, with somebody who notes its fights."""

    def __init__(self) -> None:
        super().__init__()
        self.fights: list[Fight] = []
        self._fight: Fight | None = None
        self._seen_turn = self._hp = 0
        self._where = (-1, -1)

    def decide(self, observation: State, budget: Budget) -> Decision:
        """Decide as ever, and look on."""
        decision = super().decide(observation, budget)
        if not observation.prompt:
            self._look_on()
        return decision

    def _look_on(self) -> None:
        world, threats = self.world, self.tactics.threats()
        if self._fight is not None:
            self._follow(self._fight, threats)
        if self._fight is None and threats and self._bid[0] == "fight" and not self.body.diving:
            self._begin(threats)
        self._hp = world.stats[st.HP]

    def _begin(self, threats: list[Foe]) -> None:
        stats, expected = self.world.stats, fight_loss(self.body, threats)
        self._fight = Fight(
            self.world.turn, self.world.level.depth, stats[st.EXPERIENCE], stats[st.HP], stats[st.ARMOUR],
            [foe.kind.name for foe in threats], round(expected, 1), round(chance_of_death(expected, stats[st.HP]), 4),
            most=len(threats),
        )  # fmt: skip
        self._seen_turn, self._where = self.world.turn, self.world.level.key

    def _follow(self, fight: Fight, threats: list[Foe]) -> None:
        world = self.world
        fight.lost += max(0, self._hp - world.stats[st.HP])
        fight.most = max(fight.most, len(threats))
        fight.nearly_dead = fight.nearly_dead or is_low(world.stats)
        if self._bid[0] in WAYS_OUT and self._bid[0] not in fight.ways_out[-1:]:
            fight.ways_out.append(self._bid[0])
        if threats:
            self._seen_turn = world.turn
        left = world.level.key != self._where
        if left or self.body.diving or world.turn - self._seen_turn > QUIET:
            fight.end = "left" if left else "dived" if self.body.diving else "quiet"
            self.finish()

    def finish(self, end: str = "") -> None:
        """Close the fight that is going on, if there is one."""
        if self._fight is not None:
            self._fight.end = end or self._fight.end
            self.fights.append(self._fight)
            self._fight = None


def play_one(seed: int, role: str) -> Row:
    """Play one game and return its fights."""
    observed = Observed()
    options = {"character": role, "max_turns": 100_000, "stuck_turns": 1_500, "spawn_monsters": True}
    episode = Episode("nethack", "", "", seed, (AgentSpec("survivor"),), options=options, max_steps=KEYS)
    result = play(episode, agents=[observed])
    observed.finish(result.trace.outcome.reason)
    return {
        "seed": seed, "role": role, "score": result.trace.outcome.scores[0], "turns": observed.world.turn,
        "fights": [asdict(fight) for fight in observed.fights],
    }  # fmt: skip


def run(seeds: Sequence[int], roles: Sequence[str], out: Path) -> None:
    """Play the games that `out` does not hold yet, the roles in turn."""
    out.parent.mkdir(parents=True, exist_ok=True)
    done = {game["seed"] for game in games_of(out)} if out.exists() else set()
    catalog.ready_room("nethack")
    for number, seed in enumerate(seeds):
        if seed in done:
            continue
        game = play_one(seed, roles[number % len(roles)])
        with out.open("a") as file:
            file.write(json.dumps(game) + "\n")
        print(seed, game["role"], game["score"], game["turns"], f"{len(game['fights'])} fights", flush=True)


def games_of(path: Path) -> list[Row]:
    """Return the games of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def summary(path: Path) -> str:
    """Return two tables: fights by what they were expected to cost, and by how many foes began them."""
    games = games_of(path)
    fights = [Fight(**fight) for game in games for fight in game["fights"]]
    lines = [f"{len(fights)} fights of {len(games)} games"]
    by_share, by_count = defaultdict(list), defaultdict(list)
    for fight in fights:
        share = fight.expected / max(1, fight.hp)
        by_share[sum(share >= bound for bound in SHARES)].append(fight)
        by_count[min(4, len(fight.kinds))].append(fight)
    names = [f"under {SHARES[0]:.0%}", *(f"from {bound:.0%}" for bound in SHARES)]
    lines += table("expected of the hit points", [(names[place], by_share[place]) for place in sorted(by_share)])
    lines += table(
        "foes at the beginning",
        [(f"{count}{' or more' if count == 4 else ''}", by_count[count]) for count in sorted(by_count)],
    )
    return "\n".join(lines)


def table(title: str, groups: Iterable[tuple[str, list[Fight]]]) -> list[str]:
    """Return a table with a line per group."""
    lines = [f"{title:28} fights  expected  lost  told to die  nearly dead  died"]
    for name, fights in groups:
        count = len(fights)
        expected, lost = (sum(getattr(fight, key) for fight in fights) / count for key in ("expected", "lost"))
        told = sum(fight.chance for fight in fights) / count
        near = sum(fight.nearly_dead for fight in fights) / count
        died = sum(fight.end not in ("quiet", "left", "dived") for fight in fights) / count
        lines.append(f"{name:28} {count:6}  {expected:8.1f}  {lost:4.1f}  {told:11.1%}  {near:11.1%}  {died:4.1%}")
    return lines


def main() -> None:
    """Play or summarize."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="1-4")
    parser.add_argument("--roles", default="bar,mon,sam,val")
    parser.add_argument("--out", type=Path, default=Path("bench/out/fights.jsonl"))
    parser.add_argument("--summary", type=Path)
    given = parser.parse_args()
    if given.summary is None:
        first, _, last = given.seeds.partition("-")
        run(range(int(first), int(last or first) + 1), given.roles.split(","), given.out)
    print(summary(given.summary or given.out))


if __name__ == "__main__":
    main()
