"""The exported table has columns for every seat."""

from __future__ import annotations

import csv
import subprocess
import sys


def gridsage(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "gridsage", *words], check=True, capture_output=True)


def test_each_seat_has_its_agent_and_its_score(tmp_path):
    gridsage("match", "nim", "modulo", "anyhow", "--games", "4", "--nodes", "5", "--jobs", "1")
    gridsage("export", str(tmp_path / "games.csv"))
    with (tmp_path / "games.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert (
        sorted((row["agent_0"], row["agent_1"]) for row in rows)
        == [("anyhow", "modulo")] * 2 + [("modulo", "anyhow")] * 2
    )
    for row in rows:
        scores = (float(row["score_0"]), float(row["score_1"]))
        assert scores == ((1.0, 0.0) if row["winner"] == "0" else (0.0, 1.0))
