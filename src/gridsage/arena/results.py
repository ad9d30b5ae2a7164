"""Results of many games as one thing: a sequence, a table per agent, and a data frame in one call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

from gridsage.arena import tournament
from gridsage.arena.standings import AgentLine
from gridsage.core.errors import MissingPart
from gridsage.core.trace import Result, content_hash

if TYPE_CHECKING:
    import pandas
    import polars

Value = str | int | float | bool | None


class Results(Sequence[Result]):
    """Played games in their order."""

    def __init__(self, results: Iterable[Result]) -> None:
        self._results = tuple(results)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Results: ...
    def __getitem__(self, index: int | slice) -> Result | Results:
        """Return one result, or some of them."""
        return Results(self._results[index]) if isinstance(index, slice) else self._results[index]

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    def __str__(self) -> str:
        lines = [f"{line.agent}: {line.wins} of {line.episodes} won" for line in self.table()]
        return "\n".join(lines)

    def table(self) -> list[AgentLine]:
        """Return one line per agent: rates and medians with their intervals."""
        return tournament.bench_table(self._results)

    def records(self) -> list[dict[str, Value]]:
        """Return one flat record per game, all with the same keys in the same order."""
        found = [_record(result) for result in self._results]
        keys = dict.fromkeys(key for record in found for key in record)
        return [{key: record.get(key) for key in keys} for record in found]

    def to_pandas(self) -> pandas.DataFrame:
        """Return the records as a pandas data frame."""
        try:
            import pandas
        except ModuleNotFoundError:
            raise MissingPart("to_pandas needs pandas: pip install pandas") from None
        return pandas.DataFrame.from_records(self.records())

    def to_polars(self) -> polars.DataFrame:
        """Return the records as a polars data frame."""
        try:
            import polars
        except ModuleNotFoundError:
            raise MissingPart("to_polars needs polars: pip install polars") from None
        return polars.from_dicts(self.records(), infer_schema_length=None)


def _record(result: Result) -> dict[str, Value]:
    """One game as columns; agents, scores, options, times and figures have columns of their own."""
    trace = result.trace
    record: dict[str, Value] = {
        "episode": trace.episode,
        "trace": content_hash(trace),
        "game": trace.game,
        "rules_version": trace.rules_version,
        "level": trace.level_name,
        "seed": trace.seed,
        "outcome": trace.outcome.reason,
        "won": trace.outcome.winner == 0,
        "winner": trace.outcome.winner,
        "steps": len(trace.actions),
        "seconds": result.seconds,
    }
    record |= {f"agent_{seat}": str(agent) for seat, agent in enumerate(trace.agents)}
    record |= {f"score_{seat}": score for seat, score in enumerate(trace.outcome.scores)}
    record |= {f"option_{key}": _column(value) for key, value in trace.options.items()}
    record |= {f"decision_{key}": value for key, value in result.decisions.items()}
    return record | {f"figure_{key}": value for key, value in result.figures.items()}


def _column(value: object) -> Value:
    return value if value is None or isinstance(value, str | int | float) else str(value)
