"""Measure the line protocol: round trips per second, start times, and the cost of the walls side by side.

python bench/protocol.py. Ratios within one run are worth more than the figures: machines are noisy.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

import psutil

from gridsage.arena.conditions import Conditions
from gridsage.arena.external import protocol, seats, walls
from gridsage.arena.external.process import Process
from gridsage.core.errors import MissingPart
from gridsage.core.trace import AgentSpec
from gridsage.games import catalog

STARTS = 9
SECONDS = 1.5  # of round trips for each size of board
ECHO = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "begin":
        print('{"type":"ready","name":"echo"}', flush=True)
    elif m["type"] == "turn":
        print(json.dumps({"type": "act", "turn": m["turn"], "action": m["legal"][0]}), flush=True)
"""
CLASS = """
from gridsage.core.game import Decision
class Bot:
    name = "bot"
    def decide(self, observation, budget):
        return Decision(0)
"""
BEGIN = {"type": "begin", "game": "ricochet", "rules": 1, "seat": 0, "seats": 1, "seed": 1, "options": {}}
BEGIN |= {"budget": {"nodes": 5, "seconds": None}, "bank": 0.0, "limits": {}, "protocol": 1}


def processor_seconds() -> float:
    """Return the processor time of this process and of its children so far, the living included."""
    total = time.process_time()
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            times = child.cpu_times()
            total += times.user + times.system
    return total


def started(command: walls.Command, conditions: Conditions) -> tuple[Process, float, float]:
    """Return a process that is ready, how long that took, and how much of a processor."""
    began, spent = time.perf_counter(), processor_seconds()
    process = Process(command, conditions)
    deadline = time.monotonic() + 20
    process.write(json.dumps(BEGIN).encode() + b"\n", deadline)
    answer = process.line(deadline, protocol.MOST_LINE)
    assert b"ready" in answer, answer
    return process, time.perf_counter() - began, processor_seconds() - spent


def round_trips(process: Process, board: int) -> tuple[float, float]:
    """Return round trips per second with a board of so many bytes, by the clock and by processor time."""
    count, began, spent = 0, time.perf_counter(), processor_seconds()
    while time.perf_counter() - began < SECONDS:
        deadline = time.monotonic() + 5
        turn = protocol.Turn(count, {"cells": "x" * board}, "", [0, 1, 2], ["a", "b", "c"], 0.0)
        process.write(protocol.encode(turn), deadline)
        answer = protocol.decode(process.line(deadline, protocol.MOST_LINE))
        assert isinstance(answer, protocol.Act) and answer.turn == count
        count += 1
    return count / (time.perf_counter() - began), count / (processor_seconds() - spent)


def main() -> None:
    room = catalog.ready_room("ricochet")
    with tempfile.TemporaryDirectory(prefix="gridsage-protocol-") as name:
        Path(name, "echo.py").write_text(ECHO)
        Path(name, "bot.py").write_text(CLASS)
        script = seats.command_of(room, AgentSpec(f"python {name}/echo.py"))
        own = seats.command_of(room, AgentSpec(f"{name}/bot.py:Bot"))
        for mode in ("none", "auto"):
            conditions = Conditions(walls=mode)  # type: ignore[arg-type]
            try:
                words = ", ".join(walls.standing(conditions.walls).standing)
            except MissingPart as error:
                print(f"walls {mode}: {error}")
                continue
            times: dict[str, list[float]] = {"script": [], "class": []}
            work: dict[str, list[float]] = {"script": [], "class": []}
            gone = []
            for kind, command in (("script", script), ("class", own)):
                for _ in range(STARTS):
                    process, seconds, spent = started(command, conditions)
                    times[kind].append(seconds)
                    work[kind].append(spent)
                    began = time.perf_counter()
                    process.kill()
                    gone.append(time.perf_counter() - began)
            process, *_ = started(script, conditions)
            rates = ["{:,.0f} ({:,.0f})".format(*round_trips(process, size)) for size in (0, 1_000, 14_000)]
            process.kill()
            ready = [
                f"{kind} {1000 * statistics.median(times[kind]):.0f} ms ({1000 * statistics.median(work[kind]):.0f})"
                for kind in times
            ]
            print(f"walls {mode} ({words}), by the clock (by processor time):")
            print(f"  ready after: {', '.join(ready)}; gone after {1000 * statistics.median(gone):.0f} ms")
            print(f"  round trips per second with boards of 0, 1,000, 14,000 bytes: {', '.join(rates)}")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
