"""What the statistics want to know of a mission: moves made, the fewest possible, and robots that moved."""

from __future__ import annotations

from gridsage.core.game import Action
from gridsage.games.ricochet.rules import GIVE_UP, is_solved
from gridsage.games.ricochet.state import State

NODES = 5_000_000  # the solver's, for the fewest moves; missions that need more have no such figure


class RicochetTally:
    """Remembers the first and the last state; asks the solver only at the end."""

    def __init__(self) -> None:
        self._start: State | None = None
        self._end: State | None = None
        self._robots: set[int] = set()

    def add(self, before: State, action: Action, after: State) -> None:
        """Count one step."""
        self._start = self._start or before
        self._end = after
        if action != GIVE_UP:
            self._robots.add(action // 4)

    def figures(self) -> dict[str, float | str]:
        """`fewest` moves possible, and of solved missions `extra` moves above it and `robots` that moved."""
        from gridsage.games.ricochet.missions import solution

        if self._start is None or self._end is None:
            return {}
        fewest = solution(self._start, max_nodes=NODES).length
        figures: dict[str, float | str] = {} if fewest is None else {"fewest": float(fewest)}
        if is_solved(self._end):
            figures["robots"] = float(len(self._robots))
            if fewest is not None:
                figures["extra"] = float(self._end.moves - fewest)
        return figures
