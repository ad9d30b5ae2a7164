"""Play a list of episodes for a verb: stored, with a progress bar, resumed where a run was interrupted."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gridsage.cli import output
from gridsage.core.trace import Episode, Result, Sink, Trace, decode

if TYPE_CHECKING:
    from gridsage.store import Store


def played(episodes: Sequence[Episode], words: str, *, jobs: int, as_json: bool, fresh: bool = False) -> list[Result]:
    """Return results in the order of the episodes; stored ones are played again only if `fresh`."""
    from gridsage.arena import executors
    from gridsage.store import Store

    store = Store()
    sink: Sink = _Replacing(store) if fresh else store
    with output.progress(words, len(episodes)) as advance:
        results = executors.run(episodes, jobs=jobs or os.cpu_count() or 1, sink=sink, done=lambda result: advance(1))
    for warning in store.warnings:
        output.console(stderr=True).print(f"warning: {warning}", markup=False)
    if as_json:
        for result in results:
            output.print_json(output.episode_record(result))
    return results


def find_trace(text: str) -> Trace:
    """Return a trace by its id in the store, or from a file."""
    from pathlib import Path

    from gridsage.core.errors import TraceError
    from gridsage.store import Store

    if not text:
        raise TraceError("expected the id of a stored game or a file, got nothing")
    path = Path(text)
    if path.suffix or path.exists() or "/" in text:
        try:
            return decode(path.read_bytes(), text)
        except OSError as error:
            raise TraceError(f"{text}: {error.strerror}") from None
    return Store().load(text)


class _Replacing:
    """A sink that knows nothing and overwrites what was stored."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def known(self, ids: list[str]) -> dict[str, Result]:
        return {}

    def put(self, result: Result) -> None:
        self._store.put(result, replace=True)
