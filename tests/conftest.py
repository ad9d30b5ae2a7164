"""Fixtures for every test: the toy games are installed, and nothing is written outside a temporary folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
INSTALLED = PROJECT / "tests" / "installed"
SHARED_DATA = PROJECT.parent / "shared" / "data"

# Found by importlib.metadata here, and by child processes through PYTHONPATH.
sys.path.insert(0, str(INSTALLED))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(INSTALLED), os.environ.get("PYTHONPATH")]))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A store of one's own for each test."""
    folder = tmp_path / "home"
    monkeypatch.setenv("GRIDSAGE_HOME", str(folder))
    yield folder


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of recordings beside the project; tests that need it are skipped elsewhere."""
    if not SHARED_DATA.is_dir():
        pytest.skip(
            f"the recordings are not on this machine: {SHARED_DATA.relative_to(PROJECT.parent)} beside the project"
        )
    return SHARED_DATA


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what takes long, unless it is asked for."""
    if not os.environ.get("GRIDSAGE_LONG"):
        for item in items:
            if item.get_closest_marker("long") is not None:
                item.add_marker(pytest.mark.skip(reason="takes long: `make long` runs it"))
