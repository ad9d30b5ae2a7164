"""What a player behind the walls can reach: its own folder, the interpreter, the package, and nothing else."""

from __future__ import annotations

import hashlib
import json
import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import msgspec
import pytest
from toys import stroll

from external.bots import class_file, script
from gridsage.arena import match, tournament
from gridsage.arena.external import walls
from gridsage.core import jit
from gridsage.core.errors import MissingPart
from gridsage.core.game import Budget
from gridsage.core.rng import child_seed
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec, content_hash, verify
from gridsage.games import catalog

LINE = NamedLevel("line", "S.X")
SEED = 987654321
PROJECT = Path(__file__).resolve().parents[2]


def told(agent: str, conditions, salt: int | None = None):
    """Let an agent print one line of JSON on its first turn, and return it."""
    game = tournament.episode(stroll.ROOM, LINE, [AgentSpec(agent)], SEED, {}, Budget(seconds=5.0))
    (game,) = tournament.salted([game], salt)
    result = match.play(game, conditions=conditions)
    assert result.trace.outcome.reason == "arrived", result.figures
    return json.loads(result.log.splitlines()[0])


def asks(folder: Path, expression: str) -> str:
    return script(folder, at_turn=f"print(json.dumps({expression}), file=sys.stderr); act(m)")


def test_no_file_of_the_host_can_be_read(box, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    places = [str(secret), str(PROJECT / "README.md"), str(PROJECT / "tests"), "/etc/passwd", "/etc/hostname", "/root"]
    places += [str(PROJECT.parent / "shared"), "/home", "/var", "/proc/1/root/etc/passwd", "/sys", "/run"]
    look = f"[p for p in {places!r} if os.path.isfile(p) or (os.path.isdir(p) and os.access(p, 4) and os.listdir(p))]"
    found = set(told(asks(tmp_path / "bot", look), box))
    above_the_interpreter = {str(path) for path in Path(sys.base_prefix).parents}
    assert found <= above_the_interpreter


def test_nothing_can_be_written_but_the_temporary_folder(box, tmp_path):
    places = [str(tmp_path / "bot"), "/usr", "/", "/dev", str(Path(sys.prefix)), str(jit.PACKAGE), "/tmp", "/dev/shm"]
    bot = script(
        tmp_path / "bot",
        at_import="""
def may_write(place):
    try:
        open(place + "/gridsage-tried-to-write", "w").close()
    except OSError:
        return False
    return True
""",
        at_turn=f"print(json.dumps([p for p in {places!r} if may_write(p)]), file=sys.stderr); act(m)",
    )
    assert told(bot, box) == ["/tmp", "/dev/shm"]
    assert not Path("/tmp/gridsage-tried-to-write").exists()


def test_files_have_a_limit(box, tmp_path):
    bot = script(
        tmp_path / "bot",
        at_import="signal.signal(signal.SIGXFSZ, signal.SIG_IGN)",
        at_turn="""
            try:
                open("/tmp/large", "wb").write(b"x" * (20 << 20))
                print('"written"', file=sys.stderr)
            except OSError as error:
                print(json.dumps(error.strerror), file=sys.stderr)
            act(m)
        """,
    )
    assert told(bot, box) == "File too large"


def test_there_is_no_network(box, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        look = f"[socket.socket().connect_ex(('127.0.0.1', {port})) != 0, len(socket.if_nameindex())]"
        assert told(asks(tmp_path / "bot", look), box) == [True, 1]


def test_the_environment_is_empty(box, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "xyzzy")
    bot = script(
        tmp_path / "bot",
        at_import="""
def environments():
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            try:
                yield open(f"/proc/{pid}/environ").read()
            except OSError:
                pass
""",
        at_turn="""
            seen = "".join(environments()) + repr(dict(os.environ))
            print(json.dumps("xyzzy" in seen or "SECRET" in seen), file=sys.stderr)
            act(m)
        """,
    )
    assert told(bot, box) is False


def test_other_processes_cannot_be_seen(box, tmp_path):
    numbers = told(asks(tmp_path / "bot", "[int(p) for p in os.listdir('/proc') if p.isdigit()]"), box)
    assert 1 <= len(numbers) <= 4


def test_as_root_the_player_is_somebody_else_without_rights(box, tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root has to become somebody else")
    look = "[os.getuid() >= 2_000_000_000, open('/proc/self/status').read().split('CapEff:')[1].split()[0]]"
    assert told(asks(tmp_path / "bot", look), box) == [True, "0" * 16]


def test_a_folder_that_only_its_owner_may_enter_works(box, tmp_path):
    folder = tmp_path / "bot"
    bot = asks(folder, "'here'")
    (folder / "bot.py").chmod(0o600)
    folder.chmod(0o700)
    assert told(bot, box) == "here"


HIDDEN_SEED = 987_654_321_987
SEED_HUNTER = """
def begin(self, briefing):
    self.briefing = briefing
def decide(self, o, b):
    import gc, hashlib, json, re
    seen = []
    frame = sys._getframe()
    while frame is not None:
        seen += [repr(value)[:2000] for value in list(frame.f_locals.values())]
        frame = frame.f_back
    seen += [repr(thing)[:2000] for thing in gc.get_objects() if not isinstance(thing, type(sys))]
    for name in ("cmdline", "environ", "maps", "stat"):
        for pid in [p for p in os.listdir("/proc") if p.isdigit()]:
            try:
                seen.append(open("/proc/" + pid + "/" + name, errors="replace").read())
            except OSError:
                pass
    runs = {run for text in seen for run in re.findall("[0-9]{9,}", text)}
    print(json.dumps(sorted({hashlib.sha256(run.encode()).hexdigest() for run in runs} & set(self.WANTED))))
    return Decision(1)
"""


def digest(number):
    return hashlib.sha256(str(number).encode()).hexdigest()


def test_neither_the_seed_nor_what_is_hidden_can_be_found(box, tmp_path):
    salt = 1_122_334_455_667_788
    own = child_seed(HIDDEN_SEED, "agent", 0)
    hidden = [HIDDEN_SEED, salt, child_seed(HIDDEN_SEED, "salt", salt), child_seed(HIDDEN_SEED, "salt", salt) >> 1]
    wanted = [digest(number) for number in (own, *hidden)]  # digests: a number in its own code would be found there
    bot = class_file(tmp_path / "bot", f"WANTED = {wanted!r}\n" + SEED_HUNTER)
    game = tournament.episode(stroll.ROOM, LINE, [AgentSpec(bot)], HIDDEN_SEED, {}, Budget(seconds=9.0))
    for salted in (game, tournament.salted([game], salt)[0]):
        result = match.play(salted, conditions=box)
        assert result.trace.outcome.reason == "arrived", result.figures
        found = json.loads(result.log.splitlines()[0])
        assert found == [digest(own)]  # its own seed it was told, so the hunt does find what is there


def test_the_salt_changes_chance_and_nothing_else(box):
    room = catalog.ready_room("nim")
    level = NamedLevel("heap", "9")
    plain = tournament.episode(room, level, [AgentSpec("modulo")] * 2, 1, {}, Budget(nodes=5))
    salted = [tournament.salted([plain], salt)[0] for salt in range(8)]
    heaps = {match.play(game).trace.hashes[0][1] for game in salted}
    assert len(heaps) > 1, "the heap depends on chance"
    assert len({game.id for game in (plain, *salted)}) == 9
    trace = match.play(salted[3]).trace
    assert trace.salt == 3 and verify(trace, room.rules.game(), room.rules.options()) == len(trace.actions)
    assert content_hash(match.play(salted[3]).trace) == content_hash(trace)
    assert b"salt" not in msgspec.json.encode(match.play(plain).trace)


def test_strict_walls_refuse_in_a_sentence(monkeypatch):
    monkeypatch.setattr(walls, "PATH", "/nonexistent")
    walls.standing.cache_clear()
    try:
        with pytest.raises(MissingPart, match=r"--walls strict: limits need the program prlimit.*no bubblewrap"):
            walls.standing("strict")
        if os.geteuid() == 0:
            with pytest.raises(MissingPart, match="not started as root without bubblewrap"):
                walls.standing("auto")
    finally:
        walls.standing.cache_clear()


AS_SOMEBODY = """
import os, sys, pathlib
sys.path[:0] = {paths!r}
os.environ.update(PYTHONPATH=os.pathsep.join({paths!r}), HOME={home!r}, GRIDSAGE_CACHE={home!r})
from external.bots import script
from toys import stroll
from gridsage.arena import match, tournament, conditions
from gridsage.arena.external import walls
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec
folder = pathlib.Path({home!r}) / "private"
forks = '''
n = 0
try:
    while n < 300:
        if os.fork() == 0:
            time.sleep(99)
        n += 1
except OSError:
    pass
print(os.getuid(), n, file=sys.stderr)
act(m)
'''
bot = script(folder, at_turn=forks)
folder.chmod(0o700)
game = tournament.episode(stroll.ROOM, NamedLevel("line", "S.X"), [AgentSpec(bot)], 1, {{}}, Budget(seconds=5.0))
result = match.play(game, conditions=conditions.Conditions(walls="strict"))
print(walls.standing("strict").standing, result.trace.outcome.reason, result.log.split()[:2], result.figures)
"""


@pytest.fixture
def somebodys_home():
    """A folder of the user nobody; pytest's own temporary folders are closed to others."""
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else; the other tests here show the same")
    with tempfile.TemporaryDirectory() as name:
        nobody = pwd.getpwnam("nobody")
        os.chown(name, nobody.pw_uid, nobody.pw_gid)
        yield Path(name)


def test_an_ordinary_user_has_the_same_walls(box, somebodys_home):
    python = shutil.which("python3", path="/usr/bin")
    if python is None or not _somebody_can_run(python):
        pytest.skip("an ordinary user cannot read the Python that runs these tests, and there is no other with msgspec")
    nobody = pwd.getpwnam("nobody")
    code = AS_SOMEBODY.format(home=str(somebodys_home), paths=_paths())
    become = ["setpriv", "--reuid", str(nobody.pw_uid), "--regid", str(nobody.pw_gid), "--clear-groups"]
    done = subprocess.run(
        [*become, python, "-c", code], capture_output=True, text=True, cwd=somebodys_home, timeout=60, check=False
    )
    assert "arrived" in done.stdout and "bubblewrap" in done.stdout, done.stdout + done.stderr
    user, forks = re.findall(r"'(\d+)'", done.stdout)
    assert int(user) == nobody.pw_uid and 0 < int(forks) <= 64


def _paths() -> list[str]:
    packages = sysconfig.get_path("purelib")
    return [str(PROJECT / "src"), str(PROJECT / "tests"), str(PROJECT / "tests" / "installed"), packages]


def _somebody_can_run(python: str) -> bool:
    """Return True if the system's Python, run by somebody else, can use the packages of ours."""
    code = f"import sys; sys.path[:0] = {_paths()!r}; import msgspec, numpy, gridsage.games.catalog"
    words = ["setpriv", "--reuid", "65534", "--clear-groups", python, "-c", code]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def test_whoever_is_not_root_has_a_box_with_users_of_its_own_and_everybody_the_settings(monkeypatch):
    command = walls.Command((), Path("/"))
    monkeypatch.setattr(walls, "_is_root", lambda: True)
    assert "--unshare-user" not in walls._box(command)
    monkeypatch.setattr(walls, "_is_root", lambda: False)
    words = " ".join(walls._box(command))
    assert "--unshare-user --cap-drop ALL" in words
    assert all(f"--ro-bind-try {setting} {setting}" in words for setting in walls.SETTINGS)


def test_the_users_of_two_processes_are_never_the_same(monkeypatch):
    monkeypatch.setattr(os, "getpid", lambda: 3)
    first = walls.FIRST_USER + 3 * 64
    found = [walls._next_user() for _ in range(130)]
    assert set(found) == set(range(first, first + 64))


def test_the_limit_of_processes_counts_those_of_the_user_where_the_kernel_does(monkeypatch):
    monkeypatch.setattr(walls, "standing", lambda mode: walls.Walls((walls.LIMITS,)))
    others = walls._others.__wrapped__
    monkeypatch.setattr(walls, "_is_root", lambda: True)
    assert others() == 0
    monkeypatch.setattr(walls, "_is_root", lambda: False)
    running = sum(1 for path in Path("/proc").glob("[0-9]*") if walls._owner(path) == os.getuid())
    assert abs(others() - running) < max(3, running // 2)
    monkeypatch.setattr(walls, "_owner", lambda path: os.getuid() + 1)
    assert others() == 0


def test_a_user_without_rights_is_tried_where_there_is_no_box(monkeypatch):
    complaints = ["out of reach", None]
    monkeypatch.setattr(walls, "_run", lambda words: complaints.pop())
    monkeypatch.setattr(walls.shutil, "which", lambda *_, **__: "/usr/bin/setpriv")
    assert walls._can_drop(False) is True
    assert walls._can_drop(False) is False
    assert walls._can_drop(True) is True, "no trial is needed"
    monkeypatch.setattr(walls.shutil, "which", lambda *_, **__: None)
    assert walls._can_drop(True) is False


@pytest.mark.parametrize("problem", ["", "no bubblewrap"])
def test_whether_a_user_can_be_had_depends_on_the_box(monkeypatch, problem):
    asked = []
    monkeypatch.setattr(walls, "_box_problem", lambda: problem)
    monkeypatch.setattr(walls, "_is_root", lambda: True)
    monkeypatch.setattr(walls, "_can_drop", lambda has_box: asked.append(has_box) or True)
    found = walls._found()
    assert asked == [not problem] == [found.has_box]
    assert walls.USER in found.standing and (problem in found.missing) is bool(problem)


def test_a_trial_that_fails_says_what_it_complained_about():
    assert walls._run(["true"]) is None
    assert walls._run(["false"]) == "exit code 1"
    assert walls._run(["sh", "-c", "echo not here >&2; exit 3"]) == "not here"
    assert "No such file" in walls._run(["there-is-no-such-program"])
