"""The cache of compiled kernels follows their sources."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gridsage.core import jit

ROOM = {
    "pyproject.py": "",
    "gridsage/games/toy/__init__.py": "",
    "gridsage/games/toy/kernels.py": """
        from gridsage.core.jit import kernel
        from gridsage.games.toy.kernels_more import more

        @kernel
        def twice(x):
            return more(x) * 2
        """,
    "gridsage/games/toy/kernels_more.py": """
        from gridsage.core.jit import kernel

        @kernel
        def more(x):
            return x + 1
        """,
}


def make_package(folder: Path) -> None:
    """A copy of our core with one toy room, so that its kernels can be edited."""
    import shutil

    source = Path(jit.__file__).resolve().parent.parent
    shutil.copytree(source / "core", folder / "gridsage" / "core")
    for name in ("__init__.py", "games/__init__.py", "search/__init__.py"):
        (folder / "gridsage" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "gridsage" / name).write_text("")
    for name, text in ROOM.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(textwrap.dedent(text))


def run_twice(folder: Path, cache: Path) -> str:
    code = "from gridsage.games.toy.kernels import twice; print(twice(20), twice.stats.cache_hits.total())"
    env = {**os.environ, "PYTHONPATH": str(folder), "GRIDSAGE_CACHE": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_an_edit_in_another_kernel_file_of_the_room_is_seen(tmp_path):
    make_package(tmp_path / "package")
    cache = tmp_path / "cache"

    def run() -> str:
        return run_twice(tmp_path / "package", cache)

    first = run()
    assert first.startswith("42 ")
    edited = tmp_path / "package/gridsage/games/toy/kernels_more.py"
    edited.write_text(edited.read_text().replace("x + 1", "x + 2"))
    assert run().startswith("44 "), "a stale kernel was taken from the cache"
    assert len(list((cache / "kernels").glob("toy-*"))) == 2


def test_warm_up_tells_its_progress_and_is_remembered(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDSAGE_CACHE", str(tmp_path))
    told: list[tuple[str, int, int]] = []
    assert not jit.is_compiled("toy")
    jit.warm_up("toy", [("one", lambda: None), ("two", lambda: None)], lambda *news: told.append(news))
    assert told == [("one", 0, 2), ("two", 1, 2), ("ready", 2, 2)]
    assert jit.is_compiled("toy")


def test_folders_of_old_sources_are_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDSAGE_CACHE", str(tmp_path))
    old, recent, other = (jit.cache_root() / name for name in ("toy-old", "toy-recent", "other-old"))
    for folder in (old, recent, other):
        folder.mkdir(parents=True)
        (folder / "ready").touch()
    long_ago = time.time() - 2 * jit.OLD_FOLDER_SECONDS
    for folder in (old, other):
        os.utime(folder / "ready", (long_ago, long_ago))
    jit.warm_up("toy", [])
    assert not old.exists() and recent.exists() and other.exists()


def test_kernels_decorated_by_many_threads_at_once_keep_to_their_rooms(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDSAGE_CACHE", str(tmp_path))

    def decorated(number: int) -> tuple[str, str]:
        room = ("one", "two")[number % 2]

        def function(x):
            return x + 1

        function.__module__ = f"gridsage.games.{room}.kernels"
        return room, str(jit.kernel(function).stats.cache_path)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            places = list(pool.map(decorated, range(200)))
    finally:
        sys.setswitchinterval(before)
    assert [path for room, path in places if not path.startswith(str(jit.cache_folder(room)))] == []
