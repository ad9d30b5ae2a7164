"""Replay logs of the 2009 engine through our tick and count the transitions that agree exactly.

    python bench/delirium_proof.py FOLDER [--engine twin|kernel] [--json] [--set option=value ...]

Every *.jsonl file of FOLDER is one log, a line an iteration: `it`, `origin`, `miner`, `rows`, `head`. A transition
counts if iterations i-1, i, i+1 are consecutive and the miner moved at most one cell; a cell counts if the cells
dx -2..2, dy -2..1 around it were seen and no monster of unknown heading is within one cell. Each transition that
differs is listed with what was expected, what the log shows, and a reason where one can be told from the log itself.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "naive")]

from gridsage.core.room import parse_options  # noqa: E402
from gridsage.games.delirium.level import cells as codes  # noqa: E402

SYMBOLS = {
    " ": codes.VOID,
    ".": codes.CLAY,
    "d": codes.DIAMOND,
    "o": codes.STONE,
    "2": codes.WALL,
    "s": codes.STURDY,
    "X": codes.EXIT,
    "@": codes.MINER,
    "b": codes.BLUE,
    "r": codes.RED,
}
# A burning blast is drawn as void in the logs.
BLASTS = (codes.BLAST_VOID, codes.BLAST_DIAMOND, codes.BLAST_STONE)
DRAWN = {code: symbol for symbol, code in SYMBOLS.items()} | {codes.BORDER: "2"} | dict.fromkeys(BLASTS, " ")
ACTION_OF_HEAD = {(0, 0): 0, (1, 0): 1, (0, -1): 2, (-1, 0): 3, (0, 1): 4}
HEADING_OF_STEP = {(0, -1): 0, (1, 0): 1, (0, 1): 2, (-1, 0): 3}
STEPS = ((0, 0), (0, -1), (1, 0), (0, 1), (-1, 0))
MARGIN = 3  # unknown cells kept around the seen window

Spot = tuple[int, int]  # column, row in the world


@dataclass
class Look:
    """One iteration: what the miner saw, by world position."""

    number: int
    miner: Spot
    head: Spot | None
    seen: dict[Spot, int]

    @classmethod
    def read(cls, line: str) -> Look:
        data = json.loads(line)
        col, row = data["origin"]
        seen = {(col + x, row + y): SYMBOLS[s] for y, text in enumerate(data["rows"]) for x, s in enumerate(text)}
        head = data["head"]
        return cls(data["it"], tuple(data["miner"]), tuple(head) if head else None, seen)

    def monsters(self) -> dict[Spot, int]:
        return {spot: kind for spot, kind in self.seen.items() if kind in codes.MONSTERS}


@dataclass
class Transition:
    """From `now` to `after`, with what `before` tells about headings and falling things."""

    before: Look
    now: Look
    after: Look
    headings: dict[Spot, int] = field(default_factory=dict)
    unknown: set[Spot] = field(default_factory=set)
    falling: set[Spot] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._match_monsters()
        self._find_falling()

    @property
    def counts(self) -> bool:
        numbers = (self.before.number, self.now.number, self.after.number)
        near = all(
            abs(a.miner[0] - b.miner[0]) + abs(a.miner[1] - b.miner[1]) <= 1
            for a, b in ((self.before, self.now), (self.now, self.after))
        )
        return near and numbers == (numbers[0], numbers[0] + 1, numbers[0] + 2)

    def _match_monsters(self) -> None:
        """A heading is known when exactly one monster of that kind can have come here, and it moved."""
        past, present = self.before.monsters(), self.now.monsters()
        for spot, kind in present.items():
            sources = [
                (spot[0] - dx, spot[1] - dy) for dx, dy in STEPS if past.get((spot[0] - dx, spot[1] - dy)) == kind
            ]
            if len(sources) == 1 and sources[0] != spot:
                source = sources[0]
                self.headings[spot] = HEADING_OF_STEP[spot[0] - source[0], spot[1] - source[1]]
            else:
                self.unknown.add(spot)

    def _find_falling(self) -> None:
        """What stands where something else was seen one iteration earlier is falling, unless the miner pushed it."""
        dx, dy = self.now.miner[0] - self.before.miner[0], self.now.miner[1] - self.before.miner[1]
        pushed = set()
        if (dx, dy) != (0, 0) and self.before.seen.get(self.now.miner) == codes.STONE:
            spot = (self.now.miner[0] + dx, self.now.miner[1] + dy)
            while self.now.seen.get(spot) == codes.STONE:
                pushed.add(spot)
                spot = (spot[0] + dx, spot[1] + dy)
        for spot, kind in self.now.seen.items():
            if kind in (codes.STONE, codes.DIAMOND) and spot not in pushed:
                was = self.before.seen.get(spot)
                if was is not None and was != kind:
                    self.falling.add(spot)

    def counted_cells(self) -> list[Spot]:
        return [
            spot
            for spot in self.after.seen
            if all((spot[0] + dx, spot[1] + dy) in self.now.seen for dx in range(-2, 3) for dy in range(-2, 2))
            and not any(abs(spot[0] - x) <= 1 and abs(spot[1] - y) <= 1 for x, y in self.unknown)
        ]


class Window:
    """The seen part of the world as a small closed gallery, unknown cells being border wall."""

    def __init__(self, look: Look, burning: dict[Spot, int]) -> None:
        columns = [spot[0] for spot in look.seen]
        lines = [spot[1] for spot in look.seen]
        self.left, self.top = min(columns) - MARGIN, min(lines) - MARGIN
        self.cols, self.rows = max(columns) + MARGIN + 1 - self.left, max(lines) + MARGIN + 1 - self.top
        cells = bytearray([codes.BORDER]) * (self.rows * self.cols)
        for spot, kind in look.seen.items():
            # The log's own position of the miner decides where a picture shows two.
            cells[self.cell(spot)] = codes.VOID if kind == codes.MINER else burning.get(spot, kind)
        cells[self.cell(look.miner)] = codes.MINER
        self.gallery = codes.Gallery("log", self.rows, self.cols, bytes(cells), 0)

    def cell(self, spot: Spot) -> int:
        return (spot[1] - self.top) * self.cols + spot[0] - self.left


def predicted_by_twin(step: Transition, window: Window, options: codes.Options) -> bytes:
    from delirium_twin import Twin

    world = Twin(window.gallery, options)
    for monster in world.monsters:
        monster.heading = next((h for spot, h in step.headings.items() if window.cell(spot) == monster.cell), None)
    world.ticks = step.now.number
    world.falling = {window.cell(spot) for spot in step.falling}
    world.tick(ACTION_OF_HEAD[step.now.head or (0, 0)])
    return world.cell_bytes()


def predicted_by_kernel(step: Transition, window: Window, options: codes.Options) -> bytes:
    import numpy as np

    from gridsage.games.delirium.kernels import tick as kernels
    from gridsage.games.delirium.rules import arrays, journal_length
    from gridsage.games.delirium.state import FIRST_MONSTER, MONSTER_COUNT, TICKS

    cells, facts, rules = arrays(window.gallery, options)
    for spot in step.falling:
        cells[window.cell(spot)] |= codes.FALLING
    headings = {window.cell(spot): heading for spot, heading in step.headings.items()}
    for number in range(FIRST_MONSTER, FIRST_MONSTER + rules[MONSTER_COUNT]):
        cell = int(facts[number]) >> 3
        if cell in headings:
            facts[number] = cell << 3 | headings[cell]
    facts[rules[kernels.EVEN_MAP] :] = 0
    facts[TICKS] = step.now.number
    kernels.mark_all(cells, facts, rules)
    kernels.tick(
        cells, facts, rules, np.zeros(journal_length(rules), np.int64), ACTION_OF_HEAD[step.now.head or (0, 0)]
    )
    return cells.tobytes()


@dataclass
class Difference:
    """A transition that does not agree, and why if the log itself tells."""

    log: str
    step: Transition
    wrong: list[tuple[Spot, int, int]]  # where, ours, theirs

    @property
    def reason(self) -> str:
        step = self.step
        if other_map(step.now, step.after) or step.now.seen.get(step.after.miner) == codes.EXIT:
            return "level change: the next picture is of another map"
        if other_map(step.before, step.now) or step.before.seen.get(step.now.miner) == codes.EXIT:
            return "just after a level change: what was falling or heading where cannot be known"
        if any(ours in codes.MONSTERS or theirs in codes.MONSTERS for _, ours, theirs in self.wrong):
            return "a monster went elsewhere"
        return "stones or diamonds moved in another order or to another side"

    def __str__(self) -> str:
        cells = ", ".join(f"{spot}: ours {DRAWN[a & 31]!r} log {DRAWN[b]!r}" for spot, a, b in self.wrong[:6])
        more = f" and {len(self.wrong) - 6} more" if len(self.wrong) > 6 else ""
        return (
            f"{self.log} iteration {self.step.now.number}, head {self.step.now.head}: {self.reason}\n    {cells}{more}"
        )


def other_map(one: Look, two: Look) -> bool:
    """Return True if the two pictures disagree about walls, which nothing but an explosion changes."""
    fixed = (codes.WALL, codes.EXIT)
    shared = [spot for spot in one.seen if spot in two.seen and spot != two.miner]
    return any(
        (one.seen[spot] in fixed or two.seen[spot] in fixed) and one.seen[spot] != two.seen[spot] for spot in shared
    )


@dataclass
class Score:
    """What was counted so far."""

    iterations: int = 0
    transitions: int = 0
    cells: int = 0
    explosions: int = 0
    differences: list[Difference] = field(default_factory=list)

    @property
    def exact(self) -> int:
        return self.transitions - len(self.differences)


def check_log(path: Path, predict: Predictor, options: codes.Options, score: Score) -> None:
    """Walk one log; blasts, which the log draws as void, are carried from our own prediction."""
    looks = [Look.read(line) for line in path.read_text().splitlines() if line.strip()]
    score.iterations += len(looks)
    burning: dict[Spot, int] = {}
    for before, now, after in zip(looks, looks[1:], looks[2:], strict=False):
        step = Transition(before, now, after)
        if not step.counts:
            burning = {}
            continue
        window = Window(now, burning)
        cells = predict(step, window, options)
        counted = step.counted_cells()
        wrong = [
            (spot, cells[window.cell(spot)], step.after.seen[spot])
            for spot in counted
            if DRAWN.get(cells[window.cell(spot)] & codes.KIND_MASK) != DRAWN[step.after.seen[spot]]
        ]
        after_blasts = {
            spot: cells[window.cell(spot)]
            for spot, kind in after.seen.items()
            if kind == codes.VOID and spot in now.seen and cells[window.cell(spot)] & codes.KIND_MASK in BLASTS
        }
        score.explosions += bool(after_blasts) and not burning
        burning = after_blasts
        if counted:
            score.transitions += 1
            score.cells += len(counted)
            if wrong:
                score.differences.append(Difference(path.name, step, wrong))


def check_folder(folder: Path, predict: Predictor, options: codes.Options) -> Score:
    score = Score()
    for path in sorted(folder.glob("*.jsonl")):
        check_log(path, predict, options, score)
    return score


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare our tick with logs of the 2009 engine.")
    parser.add_argument("folder", type=Path, help="a folder of *.jsonl logs")
    parser.add_argument("--engine", choices=sorted(ENGINES), default="kernel")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="another rule option")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if not any(arguments.folder.glob("*.jsonl")):
        print(f"no *.jsonl files in {str(arguments.folder)!r}", file=sys.stderr)
        return 2
    pairs = {"blue_rests": "false"} | dict(text.split("=", 1) for text in arguments.set)
    options = parse_options(codes.Options, pairs, "delirium")
    score = check_folder(arguments.folder, ENGINES[arguments.engine], options)
    share = score.exact / max(score.transitions, 1)
    if arguments.json:
        reasons = Counter(difference.reason for difference in score.differences)
        print(json.dumps({"transitions": score.transitions, "exact": score.exact, "share": share, "reasons": reasons}))
        return 0
    for difference in score.differences:
        print(difference)
    print(
        f"{score.exact} of {score.transitions} transitions exact ({100 * share:.2f} %), {score.cells} cells compared, "
        f"{score.explosions} explosions, {score.iterations} iterations, engine {arguments.engine}"
    )
    return 0


Predictor = Callable[[Transition, Window, codes.Options], bytes]
ENGINES: dict[str, Predictor] = {"kernel": predicted_by_kernel, "twin": predicted_by_twin}

if __name__ == "__main__":
    sys.exit(main())
