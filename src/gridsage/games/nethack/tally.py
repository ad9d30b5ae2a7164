"""What the statistics keep of a game: the referee's counts as figures, and the report's STATS as text.

    python -m gridsage.games.nethack.tally game.trace

plays a trace again under the referee's eyes and prints its STATS.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.complaints import ended
from gridsage.core.errors import TraceError
from gridsage.core.game import Action
from gridsage.core.room import parse_options
from gridsage.core.trace import Trace, load, states
from gridsage.games.nethack import state as st
from gridsage.games.nethack.level import Options
from gridsage.games.nethack.rules import NetHack
from gridsage.games.nethack.session.protocol import LevelCount, Report
from gridsage.games.nethack.state import State

PAIRS = (
    ("squares", "squares_seen"),
    ("open_squares", "open_squares_seen"),
    ("doors", "doors_seen"),
    ("closed_doors", "closed_doors_opened"),
    ("secret_doors", "secret_doors_found"),
    ("secret_corridors", "secret_corridors_found"),
    ("stairs_down", "stairs_down_seen"),
)


class NetHackTally:
    """Follows a game and asks the referee at its end."""

    def __init__(self, game: NetHack) -> None:
        self._game = game
        self._last: State | None = None

    def add(self, before: State, action: Action, after: State) -> None:
        self._last = after

    def figures(self) -> dict[str, float | str]:
        report = self._game.report()
        if report is None:
            return {"levels": "[]"}
        return figures_of(report, self._last)


def figures_of(report: Report, last: State | None) -> dict[str, float | str]:
    """One flat table of a game; `levels` holds the counts of each level as JSON."""
    levels = report.levels
    found: dict[str, float | str] = {
        "depth": report.depth,
        "turns": report.turns,
        "keys": report.keys,
        "experience": report.experience,
        "levels_visited": len(levels),
        "folded": report.folded,
        "prompts": report.prompts,
        "progress_turn": report.progress_turn,
        "progression": report.progression,
    }
    if report.tool_turn >= 0:  # else never, which is no turn that a mean could count
        found["tool_turn"] = report.tool_turn
    line = report.last_line
    if line:
        found["character"] = "-".join(line.get(part, "?") for part in ("role", "race", "align0", "gender0"))
        found["helpless"] = line.get("while", "")
        found["achieve"] = line.get("achieve", "")
    for total, seen in PAIRS:
        found[total] = sum(getattr(level, total) for level in levels)
        found[seen] = sum(getattr(level, seen) for level in levels)
    found["secret_needed"] = sum(level.secret_needed for level in levels)
    left = [level for level in levels if level.left_down and not level.fell]
    found["levels_left_down"] = len(left)
    found["levels_fallen"] = sum(level.left_down and level.fell for level in levels)
    found["left_open_squares"] = sum(level.open_squares for level in left)
    found["left_open_squares_seen"] = sum(level.open_squares_seen for level in left)
    if last is not None:
        found["cause"] = st.REASONS.get(last.status, "cut off")
        found["death"] = last.death
        found["death_depth"] = last.stats[st.DEPTH]
    found["levels"] = msgspec.json.encode(levels).decode()
    return found


def levels_of(figures: dict[str, Any]) -> list[LevelCount]:
    """The counts per level that `figures_of` packed."""
    return msgspec.json.decode(str(figures.get("levels", "[]")), type=list[LevelCount])


def stats_text(figures: dict[str, Any]) -> str:
    """The report's STATS: squares, doors and secrets of every level with percentages, then the totals."""
    lines = []
    levels = levels_of(figures)
    for level in levels:
        lines.append(
            f"Level {level.level} of dungeon {level.dungeon} (depth {level.depth}), {counted(level.turns, 'turn')}"
        )
        lines += _shares(level)
        lines.append(f"  a secret was needed: {'yes' if level.secret_needed else 'no'}")
    lines.append(f"Levels visited: {len(levels)}")
    total = LevelCount(0, 0, 0)
    for level in levels:
        for pair in PAIRS:
            for name in pair:
                setattr(total, name, getattr(total, name) + getattr(level, name))
    lines += _shares(total)
    lines.append(f"End: {figures.get('cause', '?')} {figures.get('death', '')}".rstrip())
    return "\n".join(lines) + "\n"


def _shares(level: LevelCount) -> list[str]:
    lines = []
    for total, seen in PAIRS:
        existing, found = getattr(level, total), getattr(level, seen)
        share = f"{100 * found / existing:.1f} %" if existing else "none exist"
        lines.append(f"  {total.replace('_', ' ')}: {found} of {existing} ({share})")
    return lines


def stats_of_trace(trace: Trace) -> str:
    """The STATS of a recorded game, counted by the referee while it is played again."""
    if trace.game != NetHack.name:
        raise TraceError(f"a trace of {trace.game} has no STATS, only NetHack's have")
    game = NetHack()
    try:
        *_, last = states(trace, game, parse_options(Options, trace.options, "nethack"))
        report = game.report()
        assert report is not None
        return stats_text(figures_of(report, last))
    finally:
        game.close()


def main() -> None:
    """`python -m gridsage.games.nethack.tally TRACE`."""
    parser = argparse.ArgumentParser(description="Print the STATS of a recorded game of NetHack.")
    parser.add_argument("trace", type=Path)
    print(stats_of_trace(load(parser.parse_args().trace)), end="")


if __name__ == "__main__":
    sys.exit(ended(main))
