"""The memory of a bench's own process: `python bench/driver_memory.py [EPISODES ...] [--executor pool]`.

The toy game of the tests is played, three moves each, so that nothing but the number of episodes counts. Told is the
most that the process itself ever held, without its workers, and what the last size needs more per episode.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOYS = Path(__file__).resolve().parent.parent / "tests" / "installed"
PEAK = re.compile(r"VmHWM:\s+(\d+) kB")
LOOK_SECONDS = 0.2


def peak(episodes: int, executor: str) -> float:
    """Return the most megabytes that a bench of so many episodes held."""
    words = ["bench", "stroll", "--agents", "straight", "--seeds", str(episodes), "--nodes", "5"]
    command = [sys.executable, "-m", "gridsage", *words, "--jobs", "2", "--executor", executor]
    path = os.pathsep.join(filter(None, [str(TOYS), os.environ.get("PYTHONPATH", "")]))
    most = 0.0
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "PYTHONPATH": path, "GRIDSAGE_HOME": home}
        process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            found = PEAK.search(Path(f"/proc/{process.pid}/status").read_text())
            most = max(most, int(found[1]) / 1e3 if found else 0.0)
            time.sleep(LOOK_SECONDS)
    assert process.returncode == 0, f"the bench ended with exit code {process.returncode}"
    return most


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("episodes", nargs="*", type=int, default=[2_000, 20_000, 200_000])
    reader.add_argument("--executor", default="pool")
    asked = reader.parse_args()
    peaks: dict[int, float] = {}
    for episodes in asked.episodes:
        peaks[episodes] = peak(episodes, asked.executor)
        print(f"{episodes:>10,} episodes: {peaks[episodes]:7.1f} MB", flush=True)
    first, last = asked.episodes[0], asked.episodes[-1]
    if last > first:
        print(f"{1e6 * (peaks[last] - peaks[first]) / (last - first):.0f} bytes more per episode")


if __name__ == "__main__":
    main()
