"""What is a command, what are its files, and what the command line makes of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from toys import stroll

from external.bots import class_file, script
from gridsage.arena.external import seats
from gridsage.cli import flags
from gridsage.core import jit
from gridsage.core.errors import OptionError, UnknownName
from gridsage.core.trace import AgentSpec
from gridsage.games import catalog, commands


@pytest.mark.parametrize(
    ("text", "is_command"),
    [
        ("master", False),
        ("astar:sum_robots=true", False),
        ("bot:personality=folder/file.toml", False),
        ("my/bot.py:Bot", False),
        ("my/bot.py:Bot:depth=3", False),
        ("./mybot", True),
        ("mybot --fast", True),
        ("python my_bot.py", True),
        ("cmd:mybot", True),
        ("java -cp a:b Bot", True),
    ],
)
def test_a_command_is_told_from_a_name_and_a_class(text, is_command):
    assert commands.is_command(text) == is_command


def test_an_edit_of_an_agents_files_makes_another_episode(tmp_path):
    bot = script(tmp_path / "bot")
    before = catalog.code_digest(stroll.ROOM, (AgentSpec(bot),))
    assert catalog.code_digest(stroll.ROOM, (AgentSpec(bot),)) == before
    (tmp_path / "bot" / "weights.txt").write_text("1")
    between = catalog.code_digest(stroll.ROOM, (AgentSpec(bot),))
    (tmp_path / "bot" / "weights.txt").write_text("2")
    assert len({before, between, catalog.code_digest(stroll.ROOM, (AgentSpec(bot),))}) == 3


def test_a_class_finds_the_package_where_it_is_not_installed(tmp_path):
    command = seats.command_of(stroll.ROOM, AgentSpec(class_file(tmp_path, "def decide(self): ...")))
    uninstalled = [sys.executable, "-S", "-c", "import gridsage; print(gridsage.__file__)"]
    found = subprocess.run(uninstalled, env=command.environment, capture_output=True, text=True, cwd=tmp_path)
    assert found.stdout.strip() == str(jit.PACKAGE / "__init__.py"), found.stderr


def test_a_home_is_nobodys_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert not commands.is_own(tmp_path) and not commands.is_own(tmp_path.parent)
    (tmp_path / "bot").mkdir()
    assert commands.is_own(tmp_path / "bot")


def test_a_file_is_checked_without_running_it(tmp_path):
    bomb = tmp_path / "bomb.py"
    bomb.write_text("import os\nos._exit(1)\nclass Bot: ...\n")
    catalog.check_agent(stroll.ROOM, AgentSpec(f"{bomb}:Bot"))
    with pytest.raises(UnknownName, match=r"no class in .*bomb\.py 'Bott'; did you mean Bot"):
        catalog.check_agent(stroll.ROOM, AgentSpec(f"{bomb}:Bott"))


def test_a_path_that_no_file_can_have_is_unknown():
    for text in ("a" * 5000 + ".py:Bot", "x y " + "a/" * 3000 + "b.py", "a\0b.py:Bot"):
        spec = catalog.parse_agent(text)
        if not commands.is_command(text):
            with pytest.raises(UnknownName, match="no file"):
                catalog.check_agent(stroll.ROOM, spec)
        catalog.code_digest(stroll.ROOM, (spec,))


@pytest.mark.parametrize("text", ["cmd:", "python 'x"])
def test_a_command_without_words_is_explained(text):
    with pytest.raises(OptionError):
        catalog.parse_agent(text)


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ([], []),
        (["bench", "--salt"], ["bench", "--salt", "new"]),
        (["bench", "--salt", "--json"], ["bench", "--salt", "new", "--json"]),
        (["bench", "--salt", "7"], ["bench", "--salt", "7"]),
    ],
)
def test_a_salt_without_a_number_is_drawn(words, completed, capsys):
    assert flags.with_salt_value(words) == completed
    drawn = flags.salt("new")
    assert drawn is not None and f"give --salt {drawn} " in capsys.readouterr().err
    with pytest.raises(OptionError, match="expected a number below"):
        flags.salt(str(2**64))


def gridsage(home, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "GRIDSAGE_HOME": str(home)}
    command = [sys.executable, "-m", "gridsage", *words]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done


def test_json_is_never_mixed_with_what_agents_print(home, tmp_path):
    loud = class_file(
        tmp_path / "bot", "def decide(self, o, b):\n    print('loud')\n    os.write(1, b'LOUD')\n    return Decision(1)"
    )
    for more in ((), ("--trust",)):
        words = ("bench", "stroll", "--agent", loud, "--seeds", "2", "--nodes", "5", "--json", "--fresh", *more)
        lines = [json.loads(line) for line in gridsage(home, *words).stdout.splitlines()]
        assert [line.get("outcome") for line in lines] == ["arrived", "arrived", None]
        assert ("trusted" in lines[0]["figures"]["walls"]) == bool(more)


def test_a_bench_with_a_command_that_is_not_there_plays_the_others(home):
    words = ("bench", "stroll", "--agents", "straight", "--agent", "./nosuchbot", "--seeds", "2", "--jobs", "1")
    done = gridsage(home, *words)
    assert "arrived 2" in done.stdout and "refused to start 2" in done.stdout
    assert "2 x ./nosuchbot: refused to start: no file './nosuchbot'" in done.stdout
    assert done.stderr.startswith("walls around agents that are not ours: an own session")


def test_new_check_and_schema_work_from_the_command_line(home, tmp_path):
    told = gridsage(home, "agents", "new", "python", "mybot", "--folder", str(tmp_path)).stdout
    assert "gridsage agents check 'python mybot.py'" in told
    bot = f"python {tmp_path / 'mybot' / 'mybot.py'}"
    assert gridsage(home, "agents", "check", bot, "--game", "nim").stdout.count("good  nim") == 5
    (tmp_path / "mybot" / "mybot.py").write_text("import sys\nsys.exit('no luck')\n")
    wrong = gridsage(home, "agents", "check", bot, "--game", "nim", code=1)
    assert "wrong nim, a short game: refused to start at turn 0" in wrong.stdout and "no luck" in wrong.stdout
    assert json.loads(gridsage(home, "agents", "schema", "stroll").stdout)["$defs"]
    assert "straight" in gridsage(home, "agents", "stroll").stdout


def test_the_log_is_kept_with_the_game_and_the_agents_prove_their_moves(home, tmp_path):
    bot = script(tmp_path / "bot", at_turn="print('column', m['observation']['col'], file=sys.stderr); act(m)")
    done = gridsage(home, "bench", "stroll", "--agent", bot, "--seeds", "1", "--nodes", "5", "--json")
    name = json.loads(done.stdout.splitlines()[0])["trace"]
    assert gridsage(home, "replay", name[:12], "--log").stdout == "column 1\ncolumn 2\n"
    proved = gridsage(home, "replay", name[:12], "--verify", "--agents").stdout
    assert proved == "verified: stroll line-1, 2 steps, arrived; its agents make the same moves\n"
    (tmp_path / "bot" / "bot.py").write_text("raise SystemExit(1)")
    changed = gridsage(home, "replay", name[:12], "--verify", "--agents", code=1)
    assert "move 1: its agents end there with 'refused to start'" in changed.stderr
