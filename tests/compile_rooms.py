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


def main() -> None:
    """Compile all that is not compiled yet."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        names = sorted(catalog.BUILT_IN, key=lambda name: catalog.room(name).variant_of is not None)
        for line in pool.map(compile_room, names):
            if line:
                print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
