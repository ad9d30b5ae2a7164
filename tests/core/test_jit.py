"""The cache of compiled kernels follows their sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import NumbaError

from gridsage.core import jit
from gridsage.core.kernel_cache import KernelCache, content_of, write_whole

pytestmark = pytest.mark.compiled
ROOM = {
    "gridsage/games/toy/__init__.py": "",
    "gridsage/games/toy/kernels.py": """
        from gridsage.core.jit import kernel
        from gridsage.games.toy.kernels_more import more
        from gridsage.games.toy.level import (
            NOTHING,  # a comment with a bracket )
            STEP,
        )

        @kernel
        def twice(x):
            return more(x) * 2 + NOTHING * STEP
        """,
    "gridsage/games/toy/kernels_more.py": """
        from gridsage.core.jit import kernel
        from gridsage.games.toy import level

        ONE = level.STEP

        @kernel
        def more(x):
            return x + ONE
        """,
    "gridsage/games/toy/level.py": """
        from .sizes import SIZE
        NOTHING = 0
        STEP = SIZE
        """,
    "gridsage/games/toy/sizes.py": "SIZE = 1",
    "gridsage/games/toy/agents.py": "from gridsage.games.toy.kernels import twice",
}
CHECKED = """
from gridsage.core import jit
told = jit.is_compiled("toy")
from gridsage.games.toy.kernels import twice
jit.warm_up("toy", [("twice", lambda: twice(1))])
print(twice(20), "compiled" if told else "not compiled", "loaded" if twice.stats.cache_hits else "made")
"""


def make_package(folder: Path) -> Path:
    """A copy of our core with one toy room, so that its kernels can be edited."""
    source = Path(jit.__file__).resolve().parent.parent
    shutil.copytree(source / "core", folder / "gridsage" / "core")
    for name in ("__init__.py", "games/__init__.py", "search/__init__.py"):
        (folder / "gridsage" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "gridsage" / name).write_text("")
    for name, text in ROOM.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(textwrap.dedent(text))
    return folder


def run(folder: Path, cache: Path, code: str = CHECKED, **more: str) -> str:
    """Return what a new process prints that uses the package in `folder`; nothing may go to its standard error."""
    env = {**os.environ, "PYTHONPATH": str(folder), "GRIDSAGE_CACHE": str(cache), **more}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout.strip()


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> tuple[Path, Path]:
    """A toy package and a cache in which its kernels are compiled; tests work on copies of them."""
    folder = tmp_path_factory.mktemp("toy")
    package, cache = make_package(folder / "package"), folder / "cache"
    assert run(package, cache) == "42 not compiled made"
    return package, cache


@pytest.fixture
def toy(compiled, tmp_path) -> tuple[Path, Path]:
    """A second checkout with equal sources at another place, and a copy of the cache."""
    for source, name in zip(compiled, ("package", "cache"), strict=True):
        shutil.copytree(source, tmp_path / name)
    return tmp_path / "package", tmp_path / "cache"


def test_equal_sources_at_another_place_need_no_compiler(toy):
    assert run(*toy) == "42 compiled loaded"


@pytest.mark.parametrize(
    ("file", "before", "after", "answer"),
    [
        ("kernels_more.py", "x + ONE", "x + ONE + 1", "44"),
        ("level.py", "STEP = SIZE", "STEP = 3", "46"),
        ("sizes.py", "SIZE = 1", "SIZE = 5", "50"),
    ],
)
def test_an_edit_in_anything_the_kernels_import_is_seen(toy, file, before, after, answer):
    package, cache = toy
    edit(package / "gridsage/games/toy" / file, before, after)
    assert run(package, cache) == f"{answer} not compiled made"
    assert run(package, cache) == f"{answer} compiled loaded"
    assert len(list((cache / "kernels").glob("toy-*"))) == 2, "the old sources keep their folder"


def test_an_edit_in_what_kernels_do_not_import_compiles_nothing(toy):
    package, cache = toy
    edit(package / "gridsage/games/toy/agents.py", "twice", "twice as doubled")
    assert run(package, cache) == "42 compiled loaded"


DAMAGE = {
    "truncated": lambda data: data[: len(data) // 2],
    "shortened by a byte": lambda data: data[:-1],
    "flipped": lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :],
    "empty": lambda data: b"",
    "only a checksum": lambda data: data[:16],
    "other": lambda data: b"not a kernel at all",
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_files_are_announced_removed_and_made_again(toy, kind):
    package, cache = toy
    files = sorted((cache / "kernels").rglob("*.nbc"))
    assert len(files) == 2
    for path in files:
        path.write_bytes(DAMAGE[kind](path.read_bytes()))
    assert run(package, cache) == "42 not compiled made"
    assert all(content_of(path) is not None for path in files)


@pytest.mark.parametrize("content", [b"", b"{", b'{"files": 3}', b"\xff\x00"])
def test_a_damaged_list_of_files_is_no_list(toy, content):
    package, cache = toy
    (ready,) = (cache / "kernels").rglob("ready")
    ready.write_bytes(content)
    assert run(package, cache) == "42 not compiled loaded"
    assert b".nbc" in ready.read_bytes()


def test_a_folder_in_the_place_of_a_kernel_is_survived(toy):
    package, cache = toy
    path = next((cache / "kernels").rglob("*.nbc"))
    path.unlink()
    path.mkdir()
    assert run(package, cache).startswith("42 not compiled")


NO_WRITING = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n" + CHECKED


def test_a_complete_cache_is_used_where_nothing_can_be_written(toy):
    package, cache = toy
    for folder in [cache, *cache.rglob("*/")]:
        folder.chmod(0o555)  # for root the limit on file sizes says the same
    try:
        assert run(package, cache, NO_WRITING, PYTHONDONTWRITEBYTECODE="1") == "42 compiled loaded"
    finally:
        for folder in [cache, *cache.rglob("*/")]:
            folder.chmod(0o755)


def test_an_empty_cache_that_cannot_be_written_never_claims_to_be_complete(toy, tmp_path):
    for _ in range(2):
        answer = run(toy[0], tmp_path / "empty", NO_WRITING, PYTHONDONTWRITEBYTECODE="1")
        assert answer == "42 not compiled made"
    assert list((tmp_path / "empty").rglob("*.part")) == []


def test_a_warm_up_without_the_compiler_claims_nothing(toy, tmp_path):
    plain = CHECKED.replace("twice.stats.cache_hits", "False")
    assert run(toy[0], tmp_path / "other", plain, NUMBA_DISABLE_JIT="1") == "42 not compiled made"
    assert run(toy[0], tmp_path / "other") == "42 not compiled made"


def test_the_package_of_a_plug_in_is_watched_as_a_whole(toy):
    package, cache = toy
    shutil.copytree(package / "gridsage/games/toy", package / "outside")
    for path in (package / "outside").glob("*.py"):
        path.write_text(path.read_text().replace("gridsage.games.toy", "outside"))
    code = CHECKED.replace("gridsage.games.toy", "outside").replace('"toy"', '"hop"')
    assert run(package, cache, code) == "42 not compiled made"
    assert run(package, cache, code) == "42 compiled loaded"
    edit(package / "outside/sizes.py", "SIZE = 1", "SIZE = 2")
    assert run(package, cache, code) == "44 not compiled made"


def test_the_sources_of_every_room_reach_its_level_and_state():
    for room in ("ricochet", "loderunner", "delirium", "nethack", "pushem"):
        sources = {str(path.relative_to(jit.PACKAGE)) for path in jit.kernel_sources(room)}
        assert {"core/jit.py", "core/kernel_cache.py"} <= sources
        rooms = [name for name in sources if name.startswith("games/")]
        assert not any("agents" in name or "view" in name for name in rooms), "agents are edited all day long"
    assert "games/loderunner/level.py" in {
        str(path.relative_to(jit.PACKAGE)) for path in jit.kernel_sources("loderunner")
    }


def test_warm_up_tells_its_progress_and_is_remembered(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDSAGE_CACHE", str(tmp_path))
    told: list[tuple[str, int, int]] = []
    assert not jit.is_compiled("toy")
    jit.warm_up("toy", [("one", lambda: None), ("two", lambda: None)], lambda *news: told.append(news))
    assert told == [("one", 0, 2), ("two", 1, 2), ("ready", 2, 2)]
    assert jit.is_compiled("toy")


def test_a_variant_is_compiled_on_its_own_account(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDSAGE_CACHE", str(tmp_path))
    jit.warm_up("toy", [], variant="toy")
    assert jit.is_compiled("toy") and not jit.is_compiled("toy", "toy-fast")
    jit.warm_up("toy", [], variant="toy-fast")
    assert jit.is_compiled("toy", "toy-fast") and jit.is_compiled("toy", "toy")
    assert not jit.is_compiled("toy", "toy-slow")


def test_a_whole_file_that_is_no_kernel_is_removed_and_the_kernels_of_a_function_can_be_forgotten(
    tmp_path, monkeypatch
):
    cache = KernelCache(cache_owner, tmp_path)
    monkeypatch.setattr(cache, "_index_key", lambda signature, codegen: "key", raising=False)
    path = cache._path("key")
    assert write_whole(path, b"no pickle") and content_of(path) == b"no pickle"
    assert cache._load_overload(None, Target()) is None and not path.exists()
    other = tmp_path / "other.kernel-0123.kernel"
    for each in (path, other):
        write_whole(each, b"something")
    cache.flush()
    assert not path.exists() and other.exists()


def cache_owner() -> None:
    """A function that would be compiled."""


class Target:
    """What numba compiles for."""

    def codegen(self) -> None: ...


def test_folders_of_old_sources_are_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDSAGE_CACHE", str(tmp_path))
    old, recent, other = (jit.cache_root() / name for name in ("toy-old", "toy-recent", "other-old"))
    for folder in (old, recent, other):
        folder.mkdir(parents=True)
    day = 24 * 3600
    for folder, days in ((old, 15), (other, 15), (recent, 13)):
        os.utime(folder, (time.time() - days * day,) * 2)
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


def test_a_borrowing_kernel_may_write_into_arrays_and_makes_none(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDSAGE_CACHE", str(tmp_path))

    def add_up(values, total):
        total[0] = values[1:].sum()

    def copied(values):
        return values.copy()

    for function in (add_up, copied):
        function.__module__ = "gridsage.games.one.kernels"
    values, total = np.arange(4), np.zeros(1, np.int64)
    jit.borrowing_kernel(add_up)(values, total)
    assert total[0] == 6
    with pytest.raises(NumbaError, match="returning of array passed"):
        jit.borrowing_kernel(copied)(values)
