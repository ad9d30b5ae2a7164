"""Puts the levels of a `.des` file into a copy of the game's data, with the compilers that nle brings."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

TOOLS = "nethackdir"
SOURCE = "gridsage.des"  # what the compiler reads; nobody has a file of that name
FIRST_DUNGEON = "ALIGNMENT:"  # after this line the main dungeon lists its levels
COMPILE_SECONDS = 20


def tools_folder() -> Path:
    """The folder inside nle with lev_comp, dgn_comp, dlb and nhdat."""
    spec = importlib.util.find_spec("nle")  # found, not imported: that would load the game
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("nle is not installed")
    return Path(next(iter(spec.submodule_search_locations))) / TOOLS


def check(text: str, names: tuple[str, ...]) -> None:
    """Compile the levels of `text` and throw the result away.

    Raises:
        ValueError: the compiler's own words about what it did not like.
    """
    with tempfile.TemporaryDirectory(prefix="gridsage-des-") as folder:
        work = Path(folder) / "des"
        work.mkdir()
        _compile(tools_folder(), text, names, work)


def patched_folder(text: str, names: tuple[str, ...], folder: Path) -> Path:
    """A new folder below `folder` whose nhdat has the levels of `text` as dungeon levels 1, 2, ...

    Raises:
        ValueError: the compiler's own words about what it did not like.
    """
    tools = tools_folder()
    work = folder / "des"
    work.mkdir()
    _compile(tools, text, names, work)
    _run([str(tools / "dlb"), "xf", str(tools / "nhdat")], work, "nle's nhdat cannot be unpacked")
    _patch_dungeon(tools, work, names)
    _run([str(tools / "lev_comp"), SOURCE], work, "the .des file does not compile")
    files = sorted(path.name for path in work.iterdir() if path.suffix not in (".des", ".pdf"))
    _run([str(tools / "dlb"), "cf", "nhdat", *files], work, "the levels cannot be packed")
    return work


def _compile(tools: Path, text: str, names: tuple[str, ...], work: Path) -> None:
    (work / SOURCE).write_text(text if text.endswith("\n") else text + "\n", "latin-1")
    _run([str(tools / "lev_comp"), SOURCE], work, "the .des file does not compile")
    made = sorted(path.name for path in work.glob("*.lev"))
    missing = [name for name in names if f"{name}.lev" not in made]
    if missing:
        raise ValueError(
            f"the .des file names {', '.join(missing)}, but the compiler made {', '.join(made) or 'nothing'}"
        )


def _patch_dungeon(tools: Path, work: Path, names: tuple[str, ...]) -> None:
    lines = (tools / "dat" / "dungeon.def").read_text("latin-1").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith(FIRST_DUNGEON)) + 1
    own = [f'LEVEL:\t\t"{name}" "none" @ ({number},0)' for number, name in enumerate(names, 1)]
    (work / "dungeon.pdf").write_text("\n".join([*lines[:at], *own, *lines[at:]]) + "\n", "latin-1")
    _run([str(tools / "dgn_comp"), "dungeon.pdf"], work, "the dungeon description does not compile")


def _run(command: list[str], folder: Path, trouble: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False)
    words = " ".join((done.stdout + done.stderr).replace(f"{SOURCE}: ", "").replace(SOURCE, "the file").split())
    if done.returncode != 0 or "error" in words.lower():
        raise ValueError(f"{trouble}: {words}" if words else trouble)
    if words:
        print(words, file=sys.stderr)
