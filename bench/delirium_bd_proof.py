"""Replay recorded games of Boulder Dash and compare every tick's picture, the points and the clock.

    python bench/delirium_bd_proof.py FILE.jsonl [--engine kernel|twin] [--json]

Each line of FILE is a recording: the start picture, the cave's numbers, the seed of the random stream, the moves, and
a checksum of the picture after every tick. Printed are how many agree to the end and, of the others, the first tick
that differs and how.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "naive")]

import bench_input  # noqa: E402
from gridsage.core.complaints import ended  # noqa: E402
from gridsage.games.delirium.bd.cells import SYMBOLS, picture  # noqa: E402
from gridsage.games.delirium.bd.level import PACES, Cave, time_points  # noqa: E402
from gridsage.games.delirium.bd.replay import actions_of  # noqa: E402

# After each tick: picture, clock, diamonds, points, has he left through the exit?
Tick = tuple[list[str], int, int, int, bool]
Engine = Callable[[dict[str, Any]], Iterator[Tick]]
RECORD = ("id", "name", "rows", "cols", "scheduling", "seed", "push", "moves", "ticks", "crc", "every50", "score")


def cave_of(record: dict[str, Any]) -> Cave:
    """Return the cave of a recording."""
    rows = record["rows"]
    return Cave(
        name=record["name"],
        rows=len(rows),
        cols=record["cols"],
        kinds=bytes(SYMBOLS[symbol] for row in rows for symbol in row),
        pace=PACES[record["scheduling"]],
        hatch_ticks=record["hatch_frames"],
        is_intermission=bool(record["intermission"]),
        amoeba_at_once=bool(record["amoeba_at_once"]),
        slime_predictable=bool(record["slime_predictable"]),
        slime_mask=record["slime_c64"],
        slime_chance=record["slime"],
        slime_state=tuple(record.get("slime_state", (0, 0x1E))),
        **{
            key: record[key]
            for key in (
                *("needed", "value", "extra_value", "time", "second", "second_value", "hatch", "delay", "frame_ms"),
                *("magic_time", "amoeba_time", "amoeba_max", "amoeba_slow", "amoeba_fast"),
            )
        },
    )


def kernel_ticks(record: dict[str, Any]) -> Iterator[Tick]:
    from gridsage.games.delirium.bd.kernels.chance import stream_of
    from gridsage.games.delirium.bd.kernels.tick import tick
    from gridsage.games.delirium.bd.rules import arrays, journal_of
    from gridsage.games.delirium.bd.state import DIAMONDS, POINTS, TIME, WON

    cave = cave_of(record)
    cells, facts, rules = arrays(cave, record["push"] / 1_000_000)
    stream, journal = stream_of(record["seed"]), journal_of(cave)
    for action in actions_of(record["moves"], "the recording"):
        status = tick(cells, facts, rules, stream, journal, action)
        drawn = picture(cells.tobytes(), cave.cols, cave.size)
        yield drawn, int(facts[TIME]), int(facts[DIAMONDS]), int(facts[POINTS]), status == WON


def twin_ticks(record: dict[str, Any]) -> Iterator[Tick]:
    from delirium_bd_twin import Twin

    twin = Twin(cave_of(record), record["rows"], record["push"], record["seed"])
    for action in actions_of(record["moves"], "the recording"):
        twin.tick(action)
        yield twin.picture(), twin.time, twin.diamonds, twin.points, twin.won


def difference(record: dict[str, Any], engine: Engine) -> tuple[int, str]:
    """Return the first tick that differs and how, or 0 if the whole recording agrees."""
    every50 = {tick: tuple(rest) for tick, *rest in record["every50"]}
    number, clock, points, won = 0, 0, 0, False
    for number, (rows, clock, diamonds, points, won) in enumerate(engine(record), 1):
        crc = zlib.crc32("".join(row + "\n" for row in rows).encode()) & 0xFFFF
        if f"{crc:04x}" != record["crc"][4 * number - 4 : 4 * number]:
            return number, "another picture"
        if every50.get(number, (clock, diamonds, points)) != (clock, diamonds, points):
            return number, f"clock, diamonds, points are {(clock, diamonds, points)}, recorded {every50[number]}"
        if won:
            break
    total = points + time_points(cave_of(record), clock)
    ours, theirs = (won, number, clock, total), (True, record["ticks"], record["time_left"], record["score"])
    return (0, "") if ours == theirs else (number, f"won, ticks, clock, score are {ours}, recorded {theirs}")


ENGINES: dict[str, Engine] = {"kernel": kernel_ticks, "twin": twin_ticks}


def records_of(path: Path) -> list[dict[str, Any]]:
    """Return the recordings of a file."""
    return bench_input.records(path, *RECORD)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare our tick with recorded games of Boulder Dash.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--engine", choices=sorted(ENGINES), default="kernel")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    exact = ticks = 0
    records = records_of(arguments.file)
    for record in records:
        number, words = difference(record, ENGINES[arguments.engine])
        exact += number == 0
        ticks += number - 1 if number else record["ticks"]
        if number and not arguments.json:
            print(f"{record['id']} {record['name']}: first difference at tick {number} of {record['ticks']}: {words}")
    if arguments.json:
        print(json.dumps({"recordings": len(records), "exact": exact, "ticks": ticks, "engine": arguments.engine}))
    else:
        print(f"{exact} of {len(records)} recordings exact to the end, {ticks} ticks, engine {arguments.engine}")
    return 0 if exact == len(records) else 1


if __name__ == "__main__":
    sys.exit(ended(main))
