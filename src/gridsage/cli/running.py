"""Play a list of episodes for a verb: kept in the store, with a progress bar, resumed where a run was cut off."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gridsage.cli import output
from gridsage.core.trace import Episode, Result, Sink, Trace, decode

if TYPE_CHECKING:
    from gridsage.store import Store


def played(episodes: Sequence[Episode], words: str, *, jobs: int, as_json: bool, fresh: bool = False) -> list[Result]:
    """Results in the order of the episodes; stored ones are not played again unless `fresh`."""
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
    """A trace by its id in the store, or in a file."""
    from gridsage.core.errors import TraceError
    from gridsage.store import Store

    if not text:
        raise TraceError("expected the id of a stored game or a file, got nothing")
    path = Path(text)
    if path.suffix or path.exists() or "/" in text:
        if (recorded := _recorded(path)) is not None:
            return recorded
        try:
            return decode(path.read_bytes(), text)
        except OSError as error:
            raise TraceError(f"{text}: {error.strerror}") from None
    return Store().load(text)


def _recorded(path: Path) -> Trace | None:
    """Return the first game in a file of a form that only its room knows, such as a BDCFF cave with a [replay]."""
    from gridsage.games import catalog

    for name in catalog.BUILT_IN:
        levels = catalog.room(name).levels
        if levels.replays is not None and path.suffix == levels.replay_suffix:
            return levels.replays(path)[0]
    return None


class _Replacing:
    """A sink that knows nothing and overwrites what was stored."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def known(self, ids: list[str]) -> dict[str, Result]:
        return {}

    def put(self, result: Result) -> None:
        self._store.put(result, replace=True)
