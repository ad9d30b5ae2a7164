"""Where divers dig among water, and how they come there: over narrow water one crawls out on the other side."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import played, said

from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.wading import STEP, UNREACHED, strokes, strokes_through
from gridsage.games.nethack.level import CELLS, COLS

# An islet beside a river one square wide, dry ground beyond it, and the sea around them.
ISLETS = """
MAZE:"islets",' '
GEOMETRY:center,center
MAP
}}}}}}}}}}}}}}}
}}}}}}}.....}}}
}.}}}}}.....}}}
}}.}}.}.....}}}
}}}.}}}.....}}}
}}}}}}}.....}}}
}}}}}}}}}}}}}}}
ENDMAP
REGION:(0,0,14,6),lit,"ordinary"
BRANCH:(5,3,5,3),(0,0,0,0)
"""


def planes(*rows: str) -> tuple[np.ndarray, np.ndarray, dict[tuple[int, int], int]]:
    """Return land and water as drawn, from the second row and column of the map on, and the squares."""
    land, water, cells = np.zeros(CELLS, np.bool_), np.zeros(CELLS, np.bool_), {}
    for row, text in enumerate(rows):
        for col, sign in enumerate(text):
            cell = cells[row, col] = (row + 2) * COLS + col + 2
            land[cell], water[cell] = sign == ".", sign == "}"
    return land, water, cells


@pytest.mark.parametrize(("wet", "expected"), [(0, 20), (1, 50), (3, 140)])
def test_holes_beside_water_take_several_tries(wet, expected):
    assert strokes(np.array([float(wet)]))[0] == pytest.approx(expected)


def test_whoever_wades_may_crawl_out_on_the_wrong_side():
    land, water, cells = planes("  }  ", ".}}}.", "  }  ")
    digging = np.full(CELLS, UNREACHED)
    digging[cells[1, 4]] = 20.0
    assert strokes_through(land, water, digging)[cells[1, 0]] == UNREACHED  # three squares of water lie between
    land, water, cells = planes(".}.")
    digging = np.full(CELLS, UNREACHED)
    digging[cells[0, 2]] = 20.0
    two_tries = 20 + 2 * STEP  # every second one succeeds
    assert strokes_through(land, water, digging)[cells[0, 0]] == pytest.approx(two_tries)


def test_a_step_is_taken_only_where_it_saves_strokes():
    land, water, cells = planes("..")
    digging = np.full(CELLS, UNREACHED)
    digging[cells[0, 0]], digging[cells[0, 1]] = 20.0 + STEP - 1, 20.0
    assert strokes_through(land, water, digging)[cells[0, 0]] == 20.0 + STEP - 1
    digging[cells[0, 0]] += 2
    assert strokes_through(land, water, digging)[cells[0, 0]] == 20.0 + STEP


def test_a_digger_wades_to_dry_ground_and_digs_there(start):
    states, _ = played(start, ISLETS, 400, agent="digger", character="arc-dwa")
    above = [state for state in states if state.stats[st.DEPTH] == 1]
    assert "try to crawl out of the water" in said(above)
    assert "the hole fills" not in said(above) and states[-1].stats[st.DEPTH] > 1
    first, last = above[0].stats[st.COL], above[-1].stats[st.COL]
    assert last - first > 2
