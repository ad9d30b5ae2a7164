"""Compile the kernels of every room once, two rooms at a time, before test workers would each do it."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from gridsage.games import catalog


def compile_room(name: str) -> str:
    """Compile one room here and say how long it took."""
    room = catalog.room(name)
    if room.rules.missing() is not None or catalog.is_compiled(room):
        return ""
    began = time.perf_counter()
    catalog.ready_room(name)
    return f"{room.title}: kernels compiled in {time.perf_counter() - began:.0f} s"


def rank(name: str) -> int:
    """Rooms with variants come first and these next: a variant uses kernels of its room, and may take longest."""
    bases = {catalog.room(other).variant_of for other in catalog.BUILT_IN}
    if catalog.room(name).variant_of is not None:
        return 1
    return 0 if name in bases else 2


def main() -> None:
    """Compile all that is not compiled yet."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for line in pool.map(compile_room, sorted(catalog.BUILT_IN, key=rank)):
            if line:
                print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
