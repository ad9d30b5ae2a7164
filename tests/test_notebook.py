"""The notebook among the examples runs, and shows players and pictures instead of words."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[1] / "examples" / "games.ipynb"


def test_the_notebook_shows_players_and_a_picture(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("jupyter-execute")
    if not command.exists():
        pytest.skip("nbclient is not installed: `pip install nbclient ipykernel`")
    copy = shutil.copy(NOTEBOOK, tmp_path)
    done = subprocess.run(
        [command, "--inplace", "--timeout=240", copy], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    cells = json.loads(Path(copy).read_text(encoding="utf-8"))["cells"]
    shown = [cell["outputs"][0]["data"] for cell in cells if cell["cell_type"] == "code"]
    players = ["".join(data.get("text/html", "")) for data in shown]
    assert [player.startswith('<iframe sandbox="allow-scripts"') for player in players] == [True, True, False]
    assert "".join(shown[2]["image/svg+xml"]).startswith("<svg")
