"""Every recording of the classic game must end at exactly its tick.

python bench/loderunner_classic_proof.py RECORDINGS LEVELS [--twin]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.files import read
from gridsage.games.loderunner.classic.kernels import ticks
from gridsage.games.loderunner.classic.level import Options, parse
from gridsage.games.loderunner.classic.recordings import Recording, read_recordings
from gridsage.games.loderunner.classic.rules import first_row

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "loderunner"
LATE = 400  # ticks played beyond the expected end


def fed_by(recording: Recording) -> ticks.Fed:
    fed = np.full((2, max(len(recording.carries), len(recording.births), 1)), -1, np.int16)
    fed[0, : len(recording.carries)] = recording.carries
    fed[1, : len(recording.births)] = recording.births
    return fed


def replayed(recording: Recording, text: str) -> tuple[int, int]:
    """Return the status and the ticks at which the recording ends on that level."""
    row = first_row(parse(text), Options(ai=recording.ai, tick_cap=30_000), 1)  # type: ignore[arg-type]
    presses = np.array(recording.presses, np.int64).reshape(-1, 2)
    played = ticks.play_recording(row, presses, recording.time + LATE, fed_by(recording))
    return int(row[layout.STATUS]), played


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recordings", nargs="?", type=Path, default=DATA / "recordings.jsonl")
    parser.add_argument("levels", nargs="?", type=Path, default=DATA / "classic")
    given = parser.parse_args()
    for path in (given.recordings, given.levels):
        if not path.exists():
            print(f"no file or folder {path}: name recordings and levels")
            return 2
    if given.levels.is_dir():
        levels = {int(path.stem[-3:]): read(path)[0].text for path in given.levels.glob("*.txt")}
    else:
        levels = {number: level.text for number, level in enumerate(read(given.levels), 1)}
    recordings = read_recordings(given.recordings.read_text(), str(given.recordings))
    began, exact, played = time.process_time(), 0, 0
    for recording in recordings:
        status, tick = replayed(recording, levels[recording.level])
        played += tick
        if status == layout.WON and tick == recording.time:
            exact += 1
        else:
            print(f"level {recording.level}: {layout.REASONS[status] or 'alive'} at {tick}, expected {recording.time}")
    spent = time.process_time() - began
    print(f"{exact} of {len(recordings)} recordings end at exactly their tick ({played} ticks), {spent:.1f} s")
    return 0 if exact == len(recordings) else 1


if __name__ == "__main__":
    raise SystemExit(main())
