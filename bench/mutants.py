"""Change the code in one place at a time and see whether a test notices: `python bench/mutants.py --count 60`.

Mutants are drawn by seed over core, arena, store and the rules, a quarter each; within an area every kind (comparison,
arithmetic, constant, return, deletion) is equally likely. Each runs in a copy of the tree against the tests of its
area, changed kernels as plain Python, and is dead at the first failure. Results are appended to bench/out, so a run
that was stopped goes on; a smaller `--count` is the beginning of a larger one.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = PROJECT / "src" / "gridsage"
OUT = PROJECT / "bench" / "out"
SLOW_WITHOUT_COMPILER = "test_there_are_194_first_turns_on_average_over_all_deals"
# Tests that the judges of other files leave out: of the cache itself, and one that fails without the compiler.
NEEDS_COMPILER = "(test_jit or test_one_bad_position)"
PLAYERS = (
    "_agents.py",
    "_machine.py",
    "_proofs.py",
    "_proof.py",
    "_explorer.py",
    "_solver.py",
    "_generator.py",
)  # slow
CONTRACTS = [f"tests/contract/test_{name}.py" for name in ("games", "wire", "sheets", "guides")]
CLUSTERS = ["test_ray", "test_same_bytes"]  # they take minutes, and judge only what is the cluster's own
KINDS = ("comparison", "arithmetic", "constant", "return", "deletion")
MOST_SECONDS = (
    400.0  # a mutant whose tests run longer than this is dead; the slowest set takes a minute when all is well
)
CACHE_FILES = ("core/jit.py", "core/kernel_cache.py")  # their tests make caches of their own
MATCH = ["tests/arena/test_match.py", "tests/arena/test_faults.py"]
NEAR = {  # by file or else by area: the tests that most mutants do not survive
    "core": ["tests/core/test_words.py", "tests/core/test_trace.py", *MATCH],
    "arena": [*MATCH, "tests/arena/test_tournament.py", "tests/arena/test_stats.py"],
    "store": ["tests/store/test_store.py", "tests/store/test_filters.py"],
    "executors": ["tests/arena/test_batches.py", *MATCH],
    "external": ["tests/external/test_protocol.py", "tests/external/test_commands.py", "tests/external/test_faults.py"],
    "ray": ["tests/arena/test_luggage.py", "tests/arena/test_ray.py"],
    "kits": ["tests/external/test_kits.py"],
}
# Folders whose tests take part beside those of the area.
BESIDE = {
    "arena": ["tests/cli/test_verbs.py"],
    "core": ["tests/store/test_versions.py", "tests/cli/test_bounds.py", "tests/contract/test_guides.py"],
    "store": ["tests/cli/test_store.py", "tests/cli/test_export.py"],
}
# A changed line may kill whom it should not: let the tests see no process but their own, where this is possible.
APART = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"] if shutil.which("unshare") else []
APART += ["--user", "--map-root-user"] if APART and os.getuid() else []
APART += ["sh", "-c", '"$@"; exit $?', "sh"] if APART else []  # the first process has to bury orphans
WITHOUT_KERNELS = "stroll or nim"  # games whose contract is quick to check

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Add,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift, ast.Pow: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    area: str
    kind: str
    file: str  # relative to the package
    line: int
    before: str
    after: str
    start: int  # offsets of the changed text, in bytes
    end: int

    @property
    def key(self) -> str:
        """What names it in the file of results."""
        return f"{self.file}:{self.line}:{self.start}: {self.before} -> {self.after}"

    @property
    def keeps_kernels(self) -> bool:
        """True if compiled kernels stay valid; otherwise the tests run faster without the compiler."""
        return "kernels" not in self.file and (self.area != "core" or self.file in CACHE_FILES)

    def slowness(self) -> int:
        """Return how long its tests take, roughly: a run that has to be stopped has judged the quick ones by then."""
        waits_for_clocks = (self.area == "arena") + ("external" in self.file) + 4 * ("/ray/" in self.file)
        return waits_for_clocks + 2 * (self.file in CACHE_FILES) + (not self.keeps_kernels and self.area == "rules")


def areas() -> dict[str, list[Path]]:
    """Return the files of each area, in order."""
    rules = [
        *PACKAGE.glob("games/*/rules.py"),
        *PACKAGE.glob("games/*/rules/*.py"),
        *PACKAGE.glob("games/*/*/rules.py"),
    ]
    kernels = ("ricochet/kernels/slide", "loderunner/kernels/rounds", "delirium/kernels/tick", "pushem/kernels/board")
    more = ("pushem/kernels/actions", "pushem/kernels/turns")
    rules += [PACKAGE / "games" / f"{name}.py" for name in (*kernels, *more)]
    found = {area: list((PACKAGE / area).rglob("*.py")) for area in ("core", "arena", "store")}
    return {area: sorted(files) for area, files in {**found, "rules": rules}.items()}


def tests_of(mutant: Mutant) -> list[list[str]]:
    """Return arguments of pytest, the nearest tests first: whoever survives them faces the next."""
    if mutant.area == "rules":
        return _tests_of_rules(mutant)
    if mutant.file in CACHE_FILES:
        return [["tests/core/test_jit.py"]]
    path = Path(mutant.file)
    folder = path.parent.name
    near = [f"tests/{folder}/test_{path.stem}.py", *NEAR.get(path.stem, NEAR.get(folder, NEAR[mutant.area]))]
    quick = [name for name in dict.fromkeys(near) if (PROJECT / name).exists()]
    beside = BESIDE.get(mutant.area, [])
    chosen = " or ".join([mutant.area, "test_values", WITHOUT_KERNELS, *(Path(name).stem for name in beside)])
    left_out = " or ".join([NEEDS_COMPILER, *([] if folder == "ray" else CLUSTERS)])
    if "external" in path.parts:
        return [quick, ["tests/external", *beside]]
    return [quick, [f"tests/{mutant.area}", *beside, "tests/contract", "-k", f"not ({left_out}) and ({chosen})"]]


def _tests_of_rules(mutant: Mutant) -> list[list[str]]:
    room = "/".join(mutant.file.split("/")[1:3])
    folder = f"tests/games/{room if (PROJECT / 'tests' / 'games' / room).is_dir() else room.split('/')[0]}"
    names = ["test_rules.py", "test_events.py", "test_ends.py", "test_kernels.py", "test_level.py", "test_ticks.py"]
    names += [f"test_{Path(room).name}_{name}.py" for name in ("rules", "level")]
    deselected = ["--deselect", f"{folder}/test_rules.py::{SLOW_WITHOUT_COMPILER}"]
    near = [*(f"{folder}/{name}" for name in names if (PROJECT / folder / name).exists()), *deselected]
    if not mutant.keeps_kernels:
        return [near]
    others = sorted(str(path.relative_to(PROJECT)) for path in (PROJECT / folder).glob("test_*.py"))
    rest = [name for name in others if name not in near and not name.endswith(PLAYERS)]
    return [near, rest, [*CONTRACTS, "-k", room.split("/")[0]]]


def sites(path: Path, area: str) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    source = path.read_bytes()
    tree = ast.parse(source)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _mutable(tree):
        for kind, changed in _changes(node):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            before, after = source[start:end].decode(), ast.unparse(ast.fix_missing_locations(changed))
            if isinstance(node, ast.expr) and isinstance(changed, ast.expr):
                after = f"({after})" if kind != "constant" else after
            name = str(path.relative_to(PACKAGE))
            yield Mutant(area, kind, name, node.lineno, before, after, start, end)


def _mutable(tree: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield nodes that decide something at run time: no annotations, docstrings, imports or texts."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr | ast.arg | ast.Raise):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.expr | ast.stmt):
            yield node
        if isinstance(node, ast.AnnAssign):
            if node.value is not None:
                yield from _mutable(ast.Expression(node.value))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _mutable(ast.Module(node.body, []))
        else:
            yield from _mutable(node)


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    changed = copy.deepcopy(node)
    if isinstance(changed, ast.Compare) and type(changed.ops[0]) in COMPARISONS:
        changed.ops[0] = COMPARISONS[type(changed.ops[0])]()
        yield "comparison", changed
    elif isinstance(changed, ast.BinOp) and type(changed.op) in ARITHMETIC:
        words = (ast.JoinedStr, ast.List, ast.Tuple)
        if not (isinstance(changed.left, words) or isinstance(changed.right, words) or _is_text(changed)):
            changed.op = ARITHMETIC[type(changed.op)]()
            yield "arithmetic", changed
    elif isinstance(changed, ast.AugAssign) and type(changed.op) in ARITHMETIC:
        changed.op = ARITHMETIC[type(changed.op)]()
        yield "arithmetic", changed
        yield "deletion", ast.Pass()
    elif isinstance(changed, ast.Constant) and isinstance(changed.value, bool | int | float):
        changed.value = not changed.value if isinstance(changed.value, bool) else changed.value + 1
        yield "constant", changed
    elif isinstance(changed, ast.Return) and changed.value is not None and not _is_none(changed.value):
        no = isinstance(changed.value, ast.Constant) and changed.value.value is False  # None would mean the same
        yield "return", ast.Return(ast.Constant(True if no else None))
    elif _is_deletable(changed):
        yield "deletion", ast.Pass()


def _is_deletable(node: ast.AST) -> bool:
    """Return True for a call, a jump, and an assignment to something that outlives the function."""
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Attribute | ast.Subscript)
    return isinstance(node, ast.Continue | ast.Break) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_text(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(isinstance(side, ast.Constant) and isinstance(side.value, str | bytes) for side in sides)


def drawn(seed: int, count: int) -> list[Mutant]:
    """Return the first `count` mutants of this seed, the areas in turn."""
    queues = []
    for area, files in areas().items():
        chance = random.Random(f"{seed} {area}")
        by_kind: dict[str, list[Mutant]] = {kind: [] for kind in KINDS}
        for path in files:
            for mutant in sites(path, area):
                by_kind[mutant.kind].append(mutant)
        for found in by_kind.values():
            chance.shuffle(found)
        queues.append(_in_turn([by_kind[kind] for kind in KINDS]))
    return _in_turn(queues)[:count]


def _in_turn(queues: list[list[Mutant]]) -> list[Mutant]:
    longest = max(map(len, queues))
    return [queue[place] for place in range(longest) for queue in queues if place < len(queue)]


class Workshop:
    """A copy of the tree in which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sound: dict[str, bool] = {}  # tests that killed -> do they pass on the code as it is?
        for name in ("src", "tests", "examples", "docs"):
            shutil.copytree(PROJECT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        for path in [*PROJECT.glob("*.md"), *PROJECT.glob("*.toml"), PROJECT / "Makefile"]:
            shutil.copy(path, folder)

    def judge(self, mutant: Mutant) -> dict[str, object]:
        """Return the verdict on a mutant: killed or survived, by which test, in how many seconds."""
        began = time.monotonic()
        path = self.folder / "src" / "gridsage" / mutant.file
        source = path.read_bytes()
        answer = ""
        for tests in tests_of(mutant):
            path.write_bytes(source[: mutant.start] + mutant.after.encode() + source[mutant.end :])
            try:
                answer = self._failure(tests, MOST_SECONDS, mutant.keeps_kernels)
            finally:
                path.write_bytes(source)
            if answer and self._is_sound(answer, mutant.keeps_kernels):
                break
            answer = ""
        verdict = "killed" if answer else "survived"
        return {**asdict(mutant), "verdict": verdict, "by": answer, "seconds": round(time.monotonic() - began, 1)}

    def _is_sound(self, answer: str, with_compiler: bool) -> bool:
        """Return True if the test that failed passes on the code as it is; a busy machine may be late once."""
        test = answer.partition(" ")[2].partition(" - ")[0]
        if not answer.startswith(("FAILED", "ERROR")) or "::" not in test:
            return True  # the change kept pytest from running, or it ran for ever
        if test not in self.sound:
            passes = not self._failure([test], MOST_SECONDS, with_compiler)
            self.sound[test] = passes or not self._failure([test], MOST_SECONDS, with_compiler)
        return self.sound[test]

    def _failure(self, tests: list[str], patience: float, with_compiler: bool) -> str:
        """Return the first test that fails, or nothing if all pass."""
        env = {**os.environ, "PYTHONPATH": str(self.folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        if not with_compiler:
            env["NUMBA_DISABLE_JIT"] = "1"
        command = [*APART, sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", *tests]
        process = subprocess.Popen(
            command, cwd=self.folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            output = process.communicate(timeout=patience)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return "time ran out"
        if process.returncode == 0:
            return ""
        failed = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return failed[0][:400] if failed else f"pytest ended with {process.returncode}: {output[-200:]}"


def summary(records: list[dict[str, object]]) -> Iterator[str]:
    """Yield the account of these mutants: shares by area and kind, and who lives."""
    for heading in ("area", "kind"):
        total = Counter(str(record[heading]) for record in records)
        dead = Counter(str(record[heading]) for record in records if record["verdict"] == "killed")
        yield ", ".join(f"{name} {dead[name]}/{total[name]}" for name in total)
    for record in records:
        if record["verdict"] == "survived":
            before, after = (" ".join(str(record[name]).split())[:90] for name in ("before", "after"))
            yield f"  {record['file']}:{record['line']}: {before}  ->  {after}"
    killed = sum(record["verdict"] == "killed" for record in records)
    yield f"{killed} of {len(records)} mutants killed ({100 * killed / max(1, len(records)):.1f} %)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--again", action="store_true", help="judge survivors of earlier runs again")
    parser.add_argument("--jobs", type=int, default=1, help="how many mutants are judged at a time")
    parser.add_argument("--only", default="", help="only files whose name contains this")
    arguments = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    path = OUT / f"mutants-{arguments.seed}.jsonl"
    known: dict[str, dict[str, object]] = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        record = json.loads(line)
        known[record["key"]] = record
    wanted = [mutant for mutant in drawn(arguments.seed, arguments.count) if arguments.only in mutant.file]

    def waits(mutant: Mutant) -> bool:
        return mutant.key not in known or (arguments.again and known[mutant.key]["verdict"] == "survived")

    waiting = sorted(filter(waits, wanted), key=Mutant.slowness)
    with tempfile.TemporaryDirectory() as folder, path.open("a") as file:
        workshops: SimpleQueue[Workshop] = SimpleQueue()
        for number in range(arguments.jobs):
            workshops.put(Workshop(Path(folder) / f"project{number}"))

        def judged(mutant: Mutant) -> dict[str, object]:
            workshop = workshops.get()
            try:
                return {"key": mutant.key, **workshop.judge(mutant)}
            finally:
                workshops.put(workshop)

        with ThreadPoolExecutor(arguments.jobs) as pool:
            verdicts = as_completed([pool.submit(judged, mutant) for mutant in waiting])
            for number, record in enumerate((verdict.result() for verdict in verdicts), 1):
                known[str(record["key"])] = record
                file.write(json.dumps(record) + "\n")
                file.flush()
                verdict = f"{record['verdict']} in {record['seconds']} s"
                print(f"{number}/{len(waiting)} {verdict}: {record['key']}", file=sys.stderr)
    print("\n".join(summary([known[mutant.key] for mutant in wanted])))


if __name__ == "__main__":
    main()
