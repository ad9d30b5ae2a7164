"""A trace as the community's files: a ttyrec3 of the terminal and a line of xlogfile, made by playing it again.

python -m gridsage.games.nethack.recording game.trace folder
"""

from __future__ import annotations

import argparse
import bz2
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

from gridsage.core.complaints import ended
from gridsage.core.errors import TraceError
from gridsage.core.room import parse_options
from gridsage.core.trace import Trace, load, states
from gridsage.games.nethack.level import Options
from gridsage.games.nethack.rules import NetHack
from gridsage.games.nethack.session.protocol import SCORE_PREFIX, TTYREC

XLOGFILE = f"{SCORE_PREFIX}xlogfile"
FRAME = struct.Struct("<iiiB")  # seconds, microseconds, bytes that follow, channel
SCREEN, KEYS, SCORE = 0, 1, 2


def record(trace: Trace, folder: Path) -> tuple[Path, Path]:
    """Write a ttyrec3 and an xlogfile of `trace` into `folder` and return their paths; `nle.dataset` knows such names.

    A game that ended from outside (stuck, turn limit) is quit at its end, so that it has a line in the xlogfile.
    """
    if trace.game != NetHack.name:
        raise TraceError(f"a trace of {trace.game} has no ttyrec, only NetHack's have")
    folder.mkdir(parents=True, exist_ok=True)
    for name in (TTYREC, XLOGFILE):
        (folder / name).unlink(missing_ok=True)
    game = NetHack(recording=folder.resolve())
    try:
        for _ in states(trace, game, parse_options(Options, trace.options, "nethack")):
            pass
    finally:
        game.close()
    lines = (folder / XLOGFILE).read_text("latin-1").splitlines()
    (folder / XLOGFILE).write_text("".join(f"{line}\tttyrecname={TTYREC}\n" for line in lines), "latin-1")
    return folder / TTYREC, folder / XLOGFILE


def frames(path: Path) -> Iterator[tuple[int, bytes]]:
    """Channel and bytes of every frame of a ttyrec3."""
    data = bz2.decompress(path.read_bytes())
    at = 0
    while at + FRAME.size <= len(data):
        _, _, length, channel = FRAME.unpack_from(data, at)
        at += FRAME.size
        yield channel, data[at : at + length]
        at += length


def main() -> None:
    """`python -m gridsage.games.nethack.recording TRACE FOLDER`."""
    parser = argparse.ArgumentParser(description="Write a ttyrec3 and an xlogfile of a recorded game of NetHack.")
    parser.add_argument("trace", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    print(*record(load(given.trace), given.folder), sep="\n")


if __name__ == "__main__":
    sys.exit(ended(main))
