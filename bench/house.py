"""Print the figures of the house: types, sizes of functions, docstrings, mutants, import time, size of an install.

`python bench/house.py` measures the checkout; `--install` also weighs installs into empty environments.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = PROJECT / "src" / "gridsage"
OUT = PROJECT / "bench" / "out"
LONG_FUNCTION = 60
LONG_FILE = 400
RUNS = 5


@dataclass
class Figures:
    """What is counted over all files."""

    files: int = 0
    lines: int = 0
    any_outside_web: int = 0
    any_in_web: int = 0
    ignores: int = 0
    functions: list[tuple[int, str]] = field(default_factory=list)  # lines, where
    public: int = 0
    documented: int = 0
    long_files: list[tuple[int, str]] = field(default_factory=list)


Function = ast.FunctionDef | ast.AsyncFunctionDef


def counted() -> Figures:
    """Return the figures of every Python file of the package."""
    figures = Figures()
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        name = str(path.relative_to(PACKAGE))
        tree = ast.parse(text)
        figures.files += 1
        figures.lines += text.count("\n")
        figures.ignores += text.count("# type: ignore")
        uses = sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(tree))
        if name.startswith("web/"):
            figures.any_in_web += uses
        else:
            figures.any_outside_web += uses
        if text.count("\n") > LONG_FILE:
            figures.long_files.append((text.count("\n"), name))
        _count_functions(tree, name, figures)
    return figures


def _count_functions(tree: ast.AST, name: str, figures: Figures) -> None:
    for node in ast.walk(tree):
        if isinstance(node, Function):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            figures.functions.append((length, f"{name} {node.name}"))
    for thing in public_things(tree):
        figures.public += 1
        figures.documented += ast.get_docstring(thing) is not None


def public_things(tree: ast.AST) -> Iterator[ast.ClassDef | Function]:
    """Yield public classes and functions, and the public methods of public classes."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public_things(node)


def mutants() -> str:
    """Return the account of the last run of bench/mutants.py on this machine."""
    found = sorted(OUT.glob("mutants-*.jsonl"), key=lambda path: path.stat().st_mtime)
    if not found:
        return "not measured on this machine: make mutants"
    records = {record["key"]: record for record in map(json.loads, found[-1].read_text().splitlines())}
    killed = sum(record["verdict"] == "killed" for record in records.values())
    return f"{killed} of {len(records)} killed ({100 * killed / len(records):.1f} %), {found[-1].name}"


def import_seconds(module: str) -> float:
    """Return the CPU seconds of a process that only imports `module`, the median of several runs, less a bare one."""

    def seconds(code: str) -> float:
        program = f"{code}\nimport time\nprint(time.process_time())"
        runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True) for _ in range(RUNS)]
        return statistics.median(float(run.stdout) for run in runs)

    return seconds(f"import {module}") - seconds("pass")


def installed(extras: str) -> tuple[int, int]:
    """Return the number of packages and the bytes that a fresh install with these extras takes."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [f"{folder}/bin/pip", "--disable-pip-version-check"]
        before = weight(Path(folder))
        target = f"{PROJECT}{extras}"
        constraints = ["--constraint", str(PROJECT / "constraints.txt")]
        subprocess.run([*pip, "install", "--quiet", *constraints, target], check=True, stderr=subprocess.DEVNULL)
        listed = subprocess.run([*pip, "list", "--format=json"], check=True, capture_output=True, text=True).stdout
        own = ("pip", "setuptools", "gridsage")
        packages = [entry for entry in json.loads(listed) if entry["name"] not in own]
        return len(packages), weight(Path(folder)) - before


def weight(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def dependencies() -> int:
    """Return how many packages the core asks for by name."""
    text = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.search(r"\ndependencies = \[(.*?)\]", text, re.DOTALL)
    assert listed is not None
    return listed[1].count('"') // 2


def lines(with_install: bool) -> Iterator[str]:
    """Yield the figures, one line each."""
    figures = counted()
    lengths = sorted(length for length, _ in figures.functions)
    over = sorted((entry for entry in figures.functions if entry[0] > LONG_FUNCTION), reverse=True)
    yield f"files {figures.files}, lines {figures.lines:,}, functions {len(lengths):,}"
    yield f"Any outside web {figures.any_outside_web}, in web {figures.any_in_web}; type: ignore {figures.ignores}"
    p90 = lengths[int(0.9 * len(lengths))]
    yield f"lines per function: median {statistics.median(lengths):g}, p90 {p90}, longest {lengths[-1]}"
    yield f"functions over {LONG_FUNCTION} lines: {len(over)}" + "".join(f"\n  {size} {name}" for size, name in over)
    share = 100 * figures.documented / figures.public
    yield f"public names with a docstring: {share:.0f} % of {figures.public}"
    files = sorted(figures.long_files, reverse=True)
    yield f"files over {LONG_FILE} lines: {len(files)}" + "".join(f"\n  {size} {name}" for size, name in files)
    yield f"mutants: {mutants()}"
    for module in ("gridsage", "gridsage.cli.app"):
        yield f"import {module}: {import_seconds(module):.2f} s of CPU time"
    yield f"packages that the core names: {dependencies()}"
    for extras in ("", "[page]", "[all]") if with_install else ():
        packages, size = installed(extras)
        yield f"install of gridsage{extras}: {packages} packages, {size / 1e6:.0f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", action="store_true", help="install into empty environments and weigh them")
    for line in lines(parser.parse_args().install):
        print(line, flush=True)


if __name__ == "__main__":
    main()
