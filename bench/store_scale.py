"""What a store of many games costs: `python bench/store_scale.py [GAMES ...]` prints a table with its growth.

The games are synthetic: five games, four agents and two budgets each, with the figures and lengths that real ones have.
Seconds are processor seconds of the one process that does the work, so that a busy machine changes little.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gridsage.core.game import Budget, Outcome
from gridsage.core.trace import AgentSpec, Result, Trace, content_hash
from gridsage.store import Check, Store, Wanted
from gridsage.store.files import Draft, notes_of
from gridsage.store.schema import entry

BATCH = 500
GAMES = ("ricochet", "loderunner", "delirium", "nethack", "pushem")
AGENTS = ("random", "baseline", "careful", "master")
OUTCOMES = (("won", 0), ("lost", None), ("cut off", None))
FIGURES = ("moves", "waits", "kills", "pushes", "bonuses", "share", "depth", "turns")
LEVELS = 60
PIECE_SECONDS = 240.0
MARKS = {
    "put per s": 2_000,
    "newest 50, worst ms": 50,
    "stats of one game s": 2,
    "Parquet s": 60,
    "memory MB": 500,
}


def game(number: int, chance: random.Random) -> Result:
    """One synthetic game; its seed, level and agents follow from its number."""
    name = GAMES[number % len(GAMES)]
    turn = number // len(GAMES)
    agent, rival = AGENTS[turn % 4], AGENTS[turn // 4 % 4]
    seats = (agent, rival) if name == "pushem" else (agent,)
    nodes = (1_000, 100_000)[turn // 16 % 2]
    seed = turn // 32
    level = f"seed-{seed}" if name == "ricochet" else f"level-{seed % LEVELS}"
    reason, winner = OUTCOMES[min(2, int(chance.expovariate(1.0)))]
    steps = 10 + int(chance.expovariate(1 / 50))
    figures: dict[str, float | str] = {figure: float(chance.randrange(100)) for figure in FIGURES}
    if winner is None:
        figures["death"] = chance.choice(("fell", "starved", "was caught"))
    trace = Trace(
        game=name,
        rules_version=1,
        options={} if turn % 7 else {"strict": "true"},
        level_name=level,
        level="#" * 20 + "\n" + ("#" + "." * 18 + "#\n") * 12 + "#" * 20,
        seed=seed,
        agents=tuple(AgentSpec(seat) for seat in seats),
        budgets=(Budget(nodes=nodes),) * len(seats),
        actions=tuple(chance.choices(range(8), k=steps)),
        hashes=tuple((step, f"{chance.getrandbits(64):016x}") for step in range(0, steps, 10)),
        outcome=Outcome(reason, tuple(float(winner == seat) for seat in range(len(seats))), winner),
        episode=f"{number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128:032x}",
    )
    spent = chance.random()
    times = {"p50": spent / 50, "p95": spent / 20, "max": spent / 10, "nodes": float(nodes * steps)}
    return Result(trace, figures, spent, times, code="0123456789abcdef")


def games(many: int, first: int = 0) -> Iterator[list[Result]]:
    for start in range(first, many, BATCH):
        chance = random.Random(start)
        yield [game(number, chance) for number in range(start, min(many, start + BATCH))]


# One measurement each, in a process of its own


def put(home: Path, many: int) -> dict[str, float]:
    store, spent, wall = Store(home), 0.0, 0.0
    for batch in games(many):
        began, clock = time.process_time(), time.perf_counter()
        store.put_many(batch)
        spent += time.process_time() - began
        wall += time.perf_counter() - clock
    return {"put per s": many / spent, "put per s, by the wall clock": many / wall}


def rows(home: Path, many: int) -> dict[str, float]:
    """Fill the index alone, from where it stands, for at most some minutes: enough for what reads no files."""
    store, began = Store(home), time.perf_counter()
    first = _total(store, Wanted())
    for batch in games(many, first):
        drafts = [Draft(content_hash(each.trace), each.trace, notes_of(each, time.time())) for each in batch]
        store.insert([entry(draft) for draft in drafts])
        if time.perf_counter() - began > PIECE_SECONDS:
            break
    return {"rows": _total(store, Wanted())}


def newest(home: Path, many: int) -> dict[str, float]:
    store = Store(home)
    row = store.rows(limit=1)[0]
    store.put_check(Check(row.trace, 1.0, 1, "today", "differs"))
    codes = {"codes": dict.fromkeys(GAMES, "today")}
    filters: dict[str, dict[str, Any]] = {
        "all": {},
        "game": {"game": "nethack"},
        "agent": {"agent": "master"},
        "opponents": {"agent": "master", "opponent": "random"},
        "game and agent": {"game": "delirium", "agent": "careful"},
        "level": {"level": "level-7"},
        "level that no game has": {"level": "level-777"},
        "level of one game": {"level": f"seed-{many // 300}"},
        "level and agent": {"level": "level-7", "agent": "baseline", "game": "loderunner"},
        "outcome": {"outcome": "cut off"},
        "lost by master": {"won": False, "agent": "master"},
        "seed": {"seeds": [7]},
        "ten seeds": {"seeds": range(10, 20)},
        "half of the seeds": {"seeds": range(many // 320)},
        "old seeds of one agent": {"seeds": range(many // 640), "agent": "random", "game": "pushem"},
        "old seeds of one game": {"seeds": range(many // 640), "game": "nethack"},
        "old seeds that were won": {"seeds": range(many // 640), "won": True},
        "old seeds on a level": {"seeds": range(many // 640), "level": "level-7"},
        "old seeds, not imported": {"seeds": range(many // 640), "imported": False},
        "every third old seed": {"seeds": list(range(0, many // 640, 3))},
        "not imported": {"imported": False},
        "one line": {"line": lambda line: line.options == {"strict": "true"} and line.game == "pushem"},
        "imported": {"imported": True},
        "before": {"before": row.stored},
        "differs": {"verdict": "differs", **codes},
        "unchecked": {"verdict": "", **codes},
        "verified (none)": {"verdict": "verified", **codes},
    }
    spent, best = {}, {}
    for name, wanted in filters.items():
        times = _all_seconds(lambda wanted=wanted: store.rows(Wanted(**wanted), limit=50), 7)
        spent[name], best[name] = 1e3 * statistics.median(times), 1e3 * min(times)
        spent[f"{name}: count"] = 1e3 * _seconds(lambda wanted=wanted: _total(store, Wanted(**wanted)))
    spent["page 200"] = 1e3 * _seconds(lambda: store.rows(Wanted(game="nethack"), limit=50, offset=10_000))
    spent["most steps"] = 1e3 * _seconds(lambda: store.rows(Wanted(game="nethack"), limit=50, order="-steps"))
    lists = {name: value for name, value in spent.items() if not name.endswith(("count", "200", "steps"))}
    worst = max(lists, key=lambda name: lists[name])
    print(f"    the slowest list is {worst!r}: {lists[worst]:.1f} ms, at best {best[worst]:.1f} ms", file=sys.stderr)
    for name, value in sorted(spent.items(), key=lambda item: -item[1])[:8]:
        print(f"    {value:8.1f} ms  {name}", file=sys.stderr)
    counts = max(value for name, value in spent.items() if name.endswith("count"))
    found = {"newest 50, worst ms": lists[worst], "newest 50, worst at its best ms": max(best.values())}
    return {**found, "page 200 ms": spent["page 200"], "count, worst ms": counts, "most steps ms": spent["most steps"]}


def _total(store: Store, wanted: Wanted) -> int:
    with store.selected(wanted) as found:
        return found.total()


def _seconds(work: Callable[[], object], times: int = 3) -> float:
    """Processor seconds, the median of several times."""
    return statistics.median(_all_seconds(work, times))


def _all_seconds(work: Callable[[], object], times: int) -> list[float]:
    spent = []
    for _ in range(times):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return spent


def stats(home: Path, many: int) -> dict[str, float]:
    """What `gridsage stats nethack` and `gridsage stats` compute."""
    from gridsage.arena import stats as numbers
    from gridsage.store.lines import summaries
    from gridsage.store.queries import ENDS

    def sum_up(wanted: Wanted) -> None:
        with store.selected(wanted) as found:
            named = store.line_names(wanted.game)
            for line in summaries(found, named, lambda game: FIGURES[:3], ENDS):
                numbers.win_rate(line.wins, line.games)
                numbers.median(line.numbers["score"])
                numbers.median(line.numbers["steps"])

    store = Store(home)
    one = _seconds(lambda: sum_up(Wanted(game="nethack", imported=False)))
    return {"stats of one game s": one, "stats of all games s": _seconds(lambda: sum_up(Wanted(imported=False)), 1)}


def page(home: Path, many: int) -> dict[str, float]:
    """What the lists and the Compare page ask for."""
    from gridsage.web import compare, kept, messages

    store = Store(home)
    asked = messages.Audit(game="nethack")
    names = [compare.line_id(name) for name in kept.line_names(store, "nethack").values()]
    return {
        "page: list ms": 1e3 * _seconds(lambda: kept.listing(store, asked, "-stored", 0, 100)),
        "page: compare one game s": _seconds(lambda: compare.summary(store, asked), 1),
        "page: two lines s": _seconds(lambda: compare.paired(store, asked, *names[:2])),
        "page: compare a match game s": _seconds(lambda: compare.summary(store, messages.Audit(game="pushem")), 1),
    }


def parquet(home: Path, many: int) -> dict[str, float]:
    return {"Parquet s": _exported(home, "out.parquet")}


def csv(home: Path, many: int) -> dict[str, float]:
    return {"CSV s": _exported(home, "out.csv")}


def _exported(home: Path, name: str) -> float:
    from gridsage.store.export import write

    began = time.process_time()
    write(Store(home), home.parent / name)
    return time.process_time() - began


def rebuild(home: Path, many: int) -> dict[str, float]:
    for path in home.glob("index.sqlite*"):
        path.unlink()
    began = time.process_time()
    assert _total(Store(home), Wanted()) == many
    return {"rebuild s": time.process_time() - began}


def merge(home: Path, many: int) -> dict[str, float]:
    from gridsage.store.merge import merge as join

    target = Store(home.parent / "merged")
    began = time.process_time()
    assert join(target, home).added == many
    spent = time.process_time() - began
    assert join(target, home).known == many
    return {"merged per s": many / spent}


def size(home: Path, many: int) -> dict[str, float]:
    blocks = sum(path.stat().st_blocks * 512 for path in home.glob("traces/*/*"))
    found = sum(path.stat().st_size for path in home.glob("traces/*/*"))
    index = sum(path.stat().st_size for path in home.glob("index.sqlite*"))
    return {"index MB": index / 1e6, "files MB": found / 1e6, "files on disk MB": blocks / 1e6}


STEPS = (put, newest, stats, page, parquet, csv, merge, size, rebuild)
PIECES = (rows,)  # chosen by name: `--steps rows` again and again, then `newest`, `stats`, `page` and exports


def one_step(name: str, home: Path, many: int) -> None:
    """Print what one step has measured as JSON; the most memory it needed goes with it."""
    (step,) = (step for step in (*STEPS, *PIECES) if step.__name__ == name)
    found = step(home, many)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(json.dumps({**found, f"memory MB, {name}": memory}))


def measured(many: int, folder: Path, steps: list[str]) -> dict[str, float]:
    """Everything that a store of `many` games costs; each step has a process of its own."""
    home, found = folder / "home", dict[str, float]()
    for name in steps:
        command = [sys.executable, __file__, "--step", name, "--home", str(home), str(many)]
        answer = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
        found |= json.loads(answer)
    found["memory MB"] = max(value for name, value in found.items() if name.startswith("memory"))
    return found


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("many", nargs="*", type=int, default=[10_000, 100_000, 1_000_000])
    reader.add_argument("--step", help="for the processes that this one starts")
    reader.add_argument("--steps", default=",".join(step.__name__ for step in STEPS))
    reader.add_argument("--home", type=Path)
    reader.add_argument("--keep", action="store_true", help="use and keep the folder named by --home")
    asked = reader.parse_args()
    if asked.step:
        one_step(asked.step, asked.home, asked.many[0])
        return
    table: dict[int, dict[str, float]] = {}
    for many in asked.many:
        folder = Path(asked.home or tempfile.mkdtemp(prefix="gridsage-scale-"))
        try:
            table[many] = measured(many, folder, asked.steps.split(","))
        finally:
            if not asked.keep:
                shutil.rmtree(folder)
    _show(table)


def _show(table: dict[int, dict[str, float]]) -> None:
    sizes = list(table)
    print(f"{'':34}" + "".join(f"{many:>12,}" for many in sizes) + f"{'mark':>10}")
    for name in table[sizes[-1]]:
        values = [table[many].get(name) for many in sizes]
        cells = "".join(f"{'-' if value is None else f'{value:,.1f}':>12}" for value in values)
        print(f"{name:34}{cells}{MARKS.get(name, ''):>10}")


if __name__ == "__main__":
    main()
