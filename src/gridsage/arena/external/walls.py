"""The walls around an agent's process: its own session, limits, and on Linux a box made by bubblewrap."""

from __future__ import annotations

import atexit
import functools
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gridsage.arena.conditions import Conditions, Mode
from gridsage.core.errors import MissingPart
from gridsage.games import commands

PATH = "/usr/local/bin:/usr/bin:/bin"
BOX_BYTES = 64 << 20  # of /tmp inside, and of /dev/shm
OPEN_FILES = 256
CPU_SECONDS = 3600  # no clock of ours is that slow: it ends what has escaped all of them
FIRST_USER = 2_000_000_000  # user ids that nobody has
USERS = 100_000_000
TRIAL_SECONDS = 10.0
SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")  # links into /usr on most systems
SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
SESSION, LIMITS, USER, BOX = "an own session", "limits", "an own user", "bubblewrap"


@dataclass(frozen=True)
class Command:
    """What is to be started, and which files it needs."""

    words: tuple[str, ...]
    cwd: Path
    own: tuple[Path, ...] = ()  # the agent's folder or files
    readable: tuple[Path, ...] = ()  # interpreter, package, compiled kernels
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Walls:
    """Which walls stand on this machine, and what is missing in words."""

    standing: tuple[str, ...]
    missing: tuple[str, ...] = ()

    @property
    def has_box(self) -> bool:
        return BOX in self.standing

    def sentence(self) -> str:
        """Return what a user is told once."""
        words = f"walls around agents that are not ours: {', '.join(self.standing) or 'none'}"
        return f"{words}; missing: {'; '.join(self.missing)}" if self.missing else words


@functools.cache
def standing(mode: Mode) -> Walls:
    """Return the walls of this machine; a MissingPart error where `mode` or plain care forbids to play with them."""
    if sys.platform == "win32":
        raise MissingPart("agents that are not ours cannot play on Windows yet, except classes in files with --trust")
    found = Walls((SESSION,), ("all others were switched off",)) if mode == "none" else _found()
    if mode == "strict" and found.missing:
        raise MissingPart(f"--walls strict: {'; '.join(found.missing)}")
    if mode == "auto" and _is_root() and USER not in found.standing:
        raise MissingPart(
            "agents that are not ours are not started as root without bubblewrap: install it "
            "(apt-get install bubblewrap), or be an ordinary user, or say --walls none"
        )
    return found


def _found() -> Walls:
    if not sys.platform.startswith("linux"):
        return Walls((SESSION,), (f"{sys.platform} has neither limits nor a box that we know",))
    walls, missing = [SESSION], []
    if shutil.which("prlimit", path=PATH):
        walls.append(LIMITS)
    else:
        missing.append("limits need the program prlimit of util-linux")
    if (problem := _box_problem()) == "":
        walls.append(BOX)
    else:
        missing.append(problem)
    if _is_root() and _can_drop(BOX in walls):
        walls.append(USER)
    return Walls(tuple(walls), tuple(missing))


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _box_problem() -> str:
    """Return why there is no box, found out by a trial; empty if there is one."""
    if shutil.which("bwrap", path=PATH) is None:
        return "no bubblewrap (apt-get install bubblewrap)"
    trial = _run(["bwrap", *_box(Command((), Path("/"))), "--", "/usr/bin/env", "true"])
    return "" if trial is None else f"bubblewrap does not work here ({trial})"


def _can_drop(has_box: bool) -> bool:
    """Return True if Python itself runs as a user without rights; in a box it does, outside it may be out of reach."""
    if shutil.which("setpriv", path=PATH) is None:
        return False
    return has_box or _run([*_drop(FIRST_USER), sys.executable, "-c", ""]) is None


def _run(words: list[str]) -> str | None:
    """Return what a program complained about, or None if all went well."""
    try:
        done = subprocess.run(words, env={"PATH": PATH}, capture_output=True, timeout=TRIAL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    complaint = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return None if done.returncode == 0 else (complaint or [f"exit code {done.returncode}"])[0]


# What is started


def start_words(command: Command, conditions: Conditions, status_pipe: int) -> list[str]:
    """Return the whole command line, outermost wall first. Nothing of it is our own code: no Python starts twice.

    Args:
        status_pipe: where bubblewrap writes the number of the first process inside.
    """
    walls = standing(conditions.walls)
    words: list[str] = []
    if walls.has_box:
        words += ["bwrap", "--json-status-fd", str(status_pipe), *_box(command), "--"]
    elif LIMITS in walls.standing and shutil.which("setpriv", path=PATH):
        words += ["setpriv", "--pdeathsig", "KILL"]
    if USER in walls.standing:
        words += _drop(_next_user())
    if LIMITS in walls.standing:
        words += _limits(conditions)
    return [*words, *command.words]


_numbers = itertools.count()


def _next_user() -> int:
    """Return a user id of this agent alone: the kernel counts processes per user."""
    return FIRST_USER + (os.getpid() * 64 + next(_numbers) % 64) % USERS


def _drop(user: int) -> list[str]:
    rights = ["--clear-groups", "--no-new-privs", "--bounding-set", "-all", "--inh-caps", "-all"]
    return ["setpriv", "--reuid", str(user), "--regid", str(user), *rights]


def _limits(conditions: Conditions) -> list[str]:
    limits = {
        "as": conditions.memory,
        "fsize": conditions.file_size,
        "nofile": OPEN_FILES,
        "core": 0,
        "cpu": CPU_SECONDS,
        "nproc": conditions.processes + _others(),
    }
    return ["prlimit", *(f"--{name}={limit}" for name, limit in limits.items())]


@functools.cache
def _others() -> int:
    """Return how many processes of this user the limit counts before the agent starts any."""
    counts_inside = standing("auto").has_box and os.uname().release.split(".")[:2] >= ["5", "14"]
    if _is_root() or counts_inside or not hasattr(os, "getuid"):
        return 0
    return sum(1 for path in Path("/proc").glob("[0-9]*") if _owner(path) == os.getuid())


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except OSError:
        return None  # it has just ended


def _box(command: Command) -> list[str]:
    """Return bubblewrap's arguments: a new root with a read-only system, an empty /tmp and the agent's own files."""
    spaces = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    if not _is_root():
        spaces += ["--unshare-user", "--cap-drop", "ALL"]
    words = [*spaces, "--die-with-parent", "--new-session", "--ro-bind", "/usr", "/usr"]
    for part in SYSTEM:
        words += ["--symlink", os.readlink(part), part] if os.path.islink(part) else ["--ro-bind-try", part, part]
    words += ["--perms", "0755", "--dir", "/etc"]
    for setting in (*SETTINGS, *map(str, Path("/etc").glob("java-*"))):
        words += ["--ro-bind-try", setting, setting]
    words += ["--proc", "/proc", "--dev", "/dev"]
    for empty in ("/tmp", "/dev/shm"):
        words += ["--perms", "1777", "--size", str(BOX_BYTES), "--tmpfs", empty]
    binds = [*((path, path) for path in _outermost(command.readable)), *_own_places(command.own)]
    folders = {command.cwd, *command.cwd.parents, *(above for _, place in binds for above in place.parents)}
    for folder in sorted(folders):  # bubblewrap makes them too, but for its own user only
        words += ["--perms", "0755", "--dir", str(folder)]
    for source, place in binds:
        words += ["--ro-bind", str(source), str(place)]
    words += ["--remount-ro", "/", "--remount-ro", "/dev"]
    for name, value in (("PATH", PATH), ("HOME", "/tmp"), ("LANG", "C.UTF-8"), *command.environment.items()):
        words += ["--setenv", name, value]
    return [*words, "--chdir", str(command.cwd)]


def _outermost(paths: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the paths that exist and lie in no other one of them, nor in the system."""
    for path in sorted(set(paths)):
        inside = any(other in path.parents for other in (*paths, Path("/usr")))
        if not inside and path.exists():
            yield path


def _own_places(own: tuple[Path, ...]) -> Iterator[tuple[Path, Path]]:
    """Yield (where the files are, where the agent sees them); for root a copy that a user without rights may read."""
    for path in own:
        yield (_copy(path, _stamp(path)) if _is_root() else path), path


def _stamp(path: Path) -> bytes:
    return commands.digest([path])


@functools.cache
def _copy(path: Path, stamp: bytes) -> Path:
    """Copy a file or folder, once for every content it has, to where everybody may read it."""
    place = _copies() / stamp.hex()
    place.mkdir(exist_ok=True)
    target = place / path.name
    if path.is_dir():
        target.mkdir(exist_ok=True)
        for file in commands.files_below(path):
            copied = target / file.relative_to(path)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copied)
    else:
        shutil.copyfile(path, target)
    for found in (place, target, *target.rglob("*")):
        found.chmod(0o755)
    return target


@functools.cache
def _copies() -> Path:
    """Make this process's folder of copies, and remove those of processes that are gone."""
    root = Path(tempfile.gettempdir())
    for old in root.glob("gridsage-agents-*-*"):
        if not Path(f"/proc/{old.name.split('-')[2]}").exists():
            shutil.rmtree(old, ignore_errors=True)
    made = Path(tempfile.mkdtemp(prefix=f"gridsage-agents-{os.getpid()}-"))
    made.chmod(0o755)
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def environment(command: Command, conditions: Conditions) -> dict[str, str]:
    """Return the environment to start with: an empty one for the box, whose first process shows it to everybody."""
    basic = {"PATH": PATH}
    if standing(conditions.walls).has_box:
        return basic
    return {**basic, "HOME": tempfile.gettempdir(), "LANG": "C.UTF-8", **command.environment}
