"""The one place that knows Numba's flags: the `@kernel` decorator, its disk cache, and the announced first compilation.

Numba compiles the constants of imported modules into a kernel, and its own cache does not see when they change. So each
room has a cache folder of its own, named by a digest of all our sources that its kernels import, directly or not, and
of everything else that decides about machine code: the versions of Python, Numba and NumPy, and the processor.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import platformdirs

Function = TypeVar("Function", bound=Callable[..., Any])
Progress = Callable[[str, int, int], None]

PACKAGE = Path(__file__).resolve().parent.parent
KERNEL_FILES = ("kernels*.py", "kernels/**/*.py")
OLD_FOLDER_SECONDS = 14 * 24 * 3600.0
SHARED = "shared"  # the folder of the kernels in search/, which several rooms use


class Compiled(msgspec.Struct, frozen=True):
    """What a finished warm-up leaves behind: the files it needs, and the sources of kernels that are not ours."""

    files: list[str]  # relative to the root of the cache
    sources: dict[str, str]  # path of a plug-in's package -> digest of its sources


def cache_root() -> Path:
    """Return the folder that holds every compiled kernel: `GRIDSAGE_CACHE`, or the user's cache folder."""
    return (
        Path(os.environ.get("GRIDSAGE_CACHE") or platformdirs.user_cache_dir("gridsage", appauthor=False)) / "kernels"
    )


def kernel_sources(room: str) -> list[Path]:
    """Return every file of ours whose edit may change the compiled kernels of `room`: the closure of their imports.

    Variants of a room live in folders below its own and share its cache.
    """
    folder = PACKAGE / "search" if room == SHARED else PACKAGE / "games" / room
    roots = [path for place in ("", "*/") for form in KERNEL_FILES for path in folder.glob(place + form)]
    return sorted({*_import_closure(roots), Path(__file__).resolve(), PACKAGE / "core" / "kernel_cache.py"})


def cache_folder(room: str) -> Path:
    """Return the cache folder of `room` for exactly these sources, versions and this processor."""
    return cache_root() / f"{room}-{_digest(room)}"


def kernel(function: Function) -> Function:
    """Compile `function` on its first call, without the GIL, and keep the machine code in the room's cache folder."""
    return _compiled(function, counts_references=True)


def borrowing_kernel(function: Function) -> Function:
    """As `kernel`, but count no references: for functions that make and return no arrays, nor call one that does.

    Otherwise each call adds to and subtracts from a counter of every array that it passes, atomically: a quarter of the
    time of a search whose kernels pass ten arrays. Numba refuses to compile it if it makes an array after all.
    """
    return _compiled(function, counts_references=False)


def _compiled(function: Function, *, counts_references: bool) -> Function:
    import numba

    options = {} if counts_references else {"_nrt": False}
    compiled: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if compiled is not function:  # it is where NUMBA_DISABLE_JIT is set
        from gridsage.core.kernel_cache import KernelCache

        compiled._cache = KernelCache(function, _folder_of(function.__module__))
    made: Function = compiled
    return made


def inlined(function: Function) -> Function:
    """Compile `function` into every kernel that calls it: for small pieces called in the innermost loops."""
    import numba

    compiled: Function = numba.njit(inline="always", nogil=True, error_model="numpy")(function)
    return compiled


def is_compiled(room: str, variant: str | None = None) -> bool:
    """Return True if a warm-up of `room` has left all its kernels here, for exactly these sources and undamaged.

    Args:
        variant: a game that lives in the folder of `room` and has kernels of its own there.
    """
    from gridsage.core.kernel_cache import content_of

    ready = _read_ready(_ready_file(room, variant))
    if ready is None:
        return False
    if any(_digest_of([Path(path)]) != digest for path, digest in ready.sources.items()):
        return False
    damaged = [name for name in ready.files if content_of(cache_root() / name) is None]
    return not damaged


def warm_up(
    room: str,
    steps: Sequence[tuple[str, Callable[[], object]]],
    progress: Progress | None = None,
    variant: str | None = None,
) -> None:
    """Run every step once so that each kernel is compiled or loaded, and remember that it was.

    Args:
        steps: what is compiled, in words, and a call that makes Numba compile it.
        progress: called with (words, steps done, steps in all), before each step and once at the end.
        variant: whose steps these are, if it is a game that lives in the folder of `room`.
    """
    import numba

    for done, (words, call) in enumerate(steps):
        if progress is not None:
            progress(words, done, len(steps))
        call()
    if progress is not None:
        progress("ready", len(steps), len(steps))
    if not numba.config.DISABLE_JIT:
        _leave_ready(room, variant)
        _remove_old_folders(room)


def _folder_of(module: str) -> Path:
    """`gridsage.games.ricochet.kernels` -> the folder of ricochet; a plug-in has one for its whole package."""
    parts = module.split(".")
    if parts[0] != "gridsage":
        return _plug_in_folder(parts[0])
    return cache_folder(parts[2] if parts[1:2] == ["games"] and len(parts) > 2 else SHARED)


_plug_ins: dict[str, Path] = {}  # packages outside gridsage that have kernels -> where they are


def _plug_in_folder(name: str) -> Path:
    if name not in _plug_ins:
        module = sys.modules[name]
        file = Path(module.__file__ or next(iter(module.__path__))).resolve()
        _plug_ins[name] = file.parent if file.name == "__init__.py" else file
    return cache_root() / f"{name}-{_digest_of([_plug_ins[name]], _machine())[:16]}"


@functools.cache
def _digest(room: str) -> str:
    return _digest_of(kernel_sources(room), _machine())[:16]


@functools.cache
def _machine() -> str:
    """Return in words what decides about machine code besides the sources."""
    from llvmlite import binding  # type: ignore[import-untyped]

    versions = [str(sys.version_info[:2]), *(version(name) for name in ("numba", "llvmlite", "numpy"))]
    return " ".join([*versions, binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()])


def _digest_of(places: Iterable[Path], salt: str = "") -> str:
    """Return a digest of the content of these files, and of all Python files in these folders."""
    digest = hashlib.sha256(salt.encode())
    for place in places:
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(path.read_bytes() if path.exists() else b"")
            digest.update(b"\0")
    return digest.hexdigest()


# An import may be indented (inside a function) and its names may go over several lines in parentheses.
_COMMENT = re.compile(r"#[^\n]*")
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\S+)[ \t]+import[ \t]*(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))", re.MULTILINE
)
_NAME = re.compile(r"([\w.]+)(?:\s+as\s+\w+)?")


def _import_closure(roots: Iterable[Path]) -> set[Path]:
    """Return `roots` and every file of this package that they import, directly or not.

    The text is searched rather than parsed, which takes a millisecond instead of forty; it may find too much (a line of
    a docstring that reads like an import), never too little.
    """
    found: set[Path] = set()
    waiting = [path.resolve() for path in roots]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(_imported_files(path))
    return found


def _imported_files(path: Path) -> list[Path]:
    files: list[Path] = []
    for source, names, plain in _IMPORT.findall(_COMMENT.sub("", path.read_text(encoding="utf-8"))):
        if plain:
            modules = _NAME.findall(plain)
        else:
            base = _absolute(source, path)
            modules = [base, *(f"{base}.{name}" for name in _NAME.findall(names))]
        files.extend(file for module in modules if (file := _file_of(module)) is not None)
    return files


def _absolute(source: str, path: Path) -> str:
    """`.cells` in games/toy/level/text.py -> gridsage.games.toy.level.cells."""
    rest = source.lstrip(".")
    dots = len(source) - len(rest)
    if dots == 0:
        return source
    package = ".".join(["gridsage", *path.relative_to(PACKAGE).parts[:-dots]])
    return f"{package}.{rest}" if rest else package


def _file_of(module: str) -> Path | None:
    """Return the file of a module of this package; None for other packages and for names that are no modules."""
    parts = module.split(".")
    if parts[0] != "gridsage":
        return None
    place = PACKAGE.joinpath(*parts[1:])
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if file.is_file():
            return file
    return None


def _ready_file(room: str, variant: str | None) -> Path:
    """Return where a finished warm-up is noted: variants share a folder, and each is compiled when it is needed."""
    return cache_folder(room) / ("ready" if variant in (None, room) else f"ready-{variant}")


def _read_ready(path: Path) -> Compiled | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Compiled)
    except (OSError, msgspec.DecodeError):
        return None


def _folders(room: str) -> dict[str, Path]:
    """Return the cache folders that a warm-up of `room` may use, by the name that stands before their digest."""
    folders = {room: cache_folder(room), SHARED: cache_folder(SHARED)}
    if not (PACKAGE / "games" / room).is_dir():
        folders.update((name, _plug_in_folder(name)) for name in list(_plug_ins))
    return folders


def _leave_ready(room: str, variant: str | None) -> None:
    """Write down what the warm-up used, unless it stands there already or something could not be written."""
    from gridsage.core.kernel_cache import unsaved, used

    folders = _folders(room)
    if any(path.parent in folders.values() for path in unsaved):
        return
    files = sorted(path for path in used if path.parent in folders.values())
    sources = {str(_plug_ins[name]): _digest_of([_plug_ins[name]]) for name in folders if name in _plug_ins}
    ready = Compiled([str(path.relative_to(cache_root())) for path in files], sources)
    folder, note = folders[room], _ready_file(room, variant)
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if ready != _read_ready(note):
            part = note.with_name(f"{note.name}.{os.getpid()}.part")
            part.write_bytes(msgspec.json.encode(ready))
            os.replace(part, note)
        for place in {folder, *(path.parent for path in files)}:
            os.utime(place)  # still in use: not to be removed as old


def _remove_old_folders(room: str) -> None:
    now = time.time()
    for name, current in _folders(room).items():
        for folder in cache_root().glob(f"{name}-*"):
            with contextlib.suppress(OSError):
                if folder != current and now - folder.stat().st_mtime > OLD_FOLDER_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)
