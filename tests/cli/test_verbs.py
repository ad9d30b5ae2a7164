"""The command line as a person or a script meets it, each verb in a process of its own."""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import signal
import subprocess
import sys

import pytest

from gridsage.cli import output, tables
from gridsage.games import catalog
from gridsage.games.levels import find_level

LINE = "S...X"


def gridsage(*words: str, stdin: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gridsage", *words]
    done = subprocess.run(command, capture_output=True, text=True, input=stdin, timeout=120, env=dict(os.environ))
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done


def records(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_bench_prints_an_object_an_episode_and_then_a_summary():
    *episodes, last = records(
        gridsage("bench", "stroll", "--agents", "straight,drunk", "--seeds", "2-4", "--json").stdout
    )
    assert [(e["agents"], e["seed"]) for e in episodes] == [(["straight"], s) for s in (2, 3, 4)] + [
        (["drunk"], s) for s in (2, 3, 4)
    ]
    assert {"game", "level", "seed", "agents", "outcome", "won", "score", "steps", "seconds"} <= set(episodes[0])
    lines = {line["agent"]: line for line in last["summary"]["agents"]}
    assert lines["straight"]["wins"] == 3 and lines["straight"]["win_rate"]["high"] == 1.0
    assert last["summary"]["paired"][0]["paired"]["pairs"] == 3


def test_bench_without_json_is_a_table():
    out = gridsage("bench", "stroll", "--agents", "straight", "--seeds", "3").stdout
    assert "straight" in out and "100.0 %" in out and "95 % intervals" in out


def test_match_tells_elo_and_sprt():
    *games, last = records(gridsage("match", "nim", "modulo", "anyhow", "--games", "6", "--json").stdout)
    assert len(games) == 6
    assert [game["agents"][0] for game in games[:2]] == ["modulo", "anyhow"], "seats are swapped"
    assert games[0]["seed"] == games[1]["seed"]
    assert last["summary"]["games"] == 6 and last["summary"]["sprt"]["verdict"]
    assert "Elo" in gridsage("match", "nim", "modulo", "anyhow", "--games", "6").stdout


def test_match_refuses_a_game_for_one():
    assert "is a game for one: use `gridsage bench" in gridsage("match", "stroll", "drunk", "drunk", code=2).stderr


def test_watch_then_replay_then_verify_the_same_game(tmp_path):
    out = gridsage("watch", "stroll", "--level", LINE, "--speed", "0").stdout
    assert "...@" not in out.splitlines()[0] and "arrived after 4 steps" in out
    name = out.split()[-1]
    assert "arrived" in gridsage("replay", name, "--speed", "0").stdout
    assert "verified: stroll" in gridsage("replay", name, "--verify").stdout
    saved = tmp_path / "game.trace"
    gridsage("replay", name, "--verify", "--save", str(saved))
    assert records(gridsage("replay", str(saved), "--verify", "--json").stdout)[0]["verified"] is True


def test_a_trace_that_does_not_verify_has_exit_code_1(tmp_path):
    out = gridsage("watch", "stroll", "--level", LINE, "--speed", "0").stdout
    saved = tmp_path / "game.trace"
    gridsage("replay", out.split()[-1], "--verify", "--save", str(saved))
    import gzip

    forged = gzip.decompress(saved.read_bytes()).replace(b'"actions":[1,1,1,1]', b'"actions":[1,1,1,0]')
    saved.write_bytes(forged)
    done = gridsage("replay", str(saved), "--verify", code=1)
    assert "not verified: step 4" in done.stderr


def test_another_agent_plays_the_same_game_as_a_trace():
    name = gridsage("watch", "stroll", "--level", LINE, "--speed", "0", "--patience", "7").stdout.split()[-1]
    again = records(gridsage("bench", "stroll", "--agents", "drunk", "--dungeon-of", name, "--json").stdout)[0]
    assert again["agents"] == ["drunk"] and again["level"] == "typed" and again["steps"] <= 7


def test_every_game_of_a_person_is_kept_with_its_id():
    played = ("play", "stroll", "--level", LINE)
    won = gridsage(*played, stdin="right\nright\nright\nright\n").stdout.split()[-1]
    gridsage(*played, stdin="right\nquit\n")
    assert "verified: stroll typed, 4 steps, arrived" in gridsage("replay", won, "--verify").stdout
    (summary,) = records(gridsage("stats", "stroll", "--agent", "person", "--json").stdout)
    assert (summary["agents"], summary["episodes"]) == ("person", 2)


def test_play_takes_a_whole_turn_as_one_word():
    typed = "L+swap@zz\nL+swap@b3:b4\nquit\n"
    out = gridsage("play", "pushem", "--option", "deal=swap", "--against", "random", stdin=typed).stdout
    assert "'L+swap@zz' names 1 target, swap needs 2" in out
    assert [f"step {n}" in out for n in range(1, 5)] == [True] * 4


def test_play_tells_a_little_more_with_every_hint():
    out = gridsage("play", "ricochet", "--seed", "4", stdin="hint\nhint\nquit\n").stdout
    assert "It takes 6 moves. (type hint again for more)" in out
    assert "Red and green have to move." in out


def test_play_takes_moves_hints_and_mistakes():
    out = gridsage("play", "stroll", "--level", LINE, stdin="right\nhint\nrihgt\nmoves\nquit\n").stdout
    assert "step 1: right" in out
    assert "straight would play right" in out
    assert "no legal move 'rihgt'; did you mean right" in out
    assert "stopped; gridsage replay" in out


def test_a_space_is_a_key_of_its_own():
    out = gridsage("play", "loderunner", "--level", "1", stdin=" \nquit\n").stdout
    assert "step 1: none" in out and "no legal move" not in out


def test_a_wrong_word_among_many_moves_is_answered_in_a_line():
    out = gridsage("play", "pushem", "--against", "random", "--option", "cards=0", stdin="R\nquit\n").stdout
    assert "step 1: R" in out
    out = gridsage("play", "ricochet", "--level", "7", stdin="red upp\n\nquit\n").stdout
    wrong, empty = [line.partition("): ")[2] for line in out.splitlines() if "no legal move" in line]
    assert wrong.startswith("no legal move 'red upp'; did you mean red up") and "type `moves` to see all" in wrong
    assert empty.startswith("no legal move ''; type `moves` to see all")
    assert max(len(wrong), len(empty)) < 160


def test_the_help_of_play_names_the_words_that_are_no_moves():
    shown = " ".join(gridsage("play", "--help").stdout.split())
    assert all(f"`{word}`" in shown or word in shown for word in ("hint", "moves", "undo", "reset", "quit"))
    assert "Enter" in shown


def test_a_person_can_take_moves_back_and_begin_again():
    typed = "undo\nR\nR\nundo\nU\nreset\nD\nquit\n"
    out = gridsage("play", "pushem", "--option", "cards=0", "--against", "random", stdin=typed).stdout
    assert "undo: you have not played yet" in out
    words = [line.rpartition(": ")[2] for line in out.splitlines() if "step " in line]
    first, second, third, again = words[0], words[2], words[5], words[7]
    assert (first, second, third, again) == ("R", "R", "U", "D")
    assert words[4] == words[1], "the other side's answer to the move that stays is the same"
    assert gridsage("replay", out.split()[-1], "--verify").returncode == 0


def test_one_cannot_go_back_against_an_agent_with_a_process_of_its_own(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from gridsage.core.game import Decision\n\n\nclass Upward:\n    name = 'upward'\n\n"
        "    def decide(self, observation, budget):\n        return Decision(0)\n"
    )
    against = ("--option", "cards=0", "--against", f"{file}:Upward")
    out = gridsage("play", "pushem", *against, stdin="R\nundo\nquit\n").stdout
    assert "step 2: U" in out
    assert "undo: this game cannot go back" in out


def test_stats_lists_lost_games_ready_to_be_replayed():
    gridsage("bench", "stroll", "--agents", "crashing,straight", "--seeds", "2", "--json")
    lost = gridsage("stats", "stroll", "--lost").stdout
    assert lost.count("agent crashed; gridsage replay") == 2
    summary = records(gridsage("stats", "--json").stdout)
    assert {(line["agents"], line["episodes"]) for line in summary} == {("crashing", 2), ("straight", 2)}


@pytest.mark.skipif(importlib.util.find_spec("nle") is None, reason="needs NetHack")
def test_stats_groups_the_deaths_of_heroes():
    assert "no death of a hero is stored" in gridsage("stats", "--deaths").stdout
    gridsage("bench", "nethack", "--agents", "diver", "--seeds", "6-7", "--jobs", "1", "--json")
    shown = gridsage("stats", "nethack", "--deaths").stdout
    assert "gridsage replay" in shown and "Bar" in shown and "level" in shown
    found = records(gridsage("stats", "nethack", "--deaths", "--json").stdout)
    assert sum(line["deaths"] for line in found) == 2 == sum(len(line["depths"]) for line in found)


def test_an_empty_store_says_what_to_try():
    assert "try `gridsage bench ricochet`" in gridsage("stats").stdout
    assert "try `gridsage bench stroll`" in gridsage("stats", "stroll", "--agent", "nobody").stdout


def test_export_writes_a_file(tmp_path):
    gridsage("bench", "stroll", "--agents", "straight", "--seeds", "2", "--json")
    assert "2 episodes written" in gridsage("export", str(tmp_path / "out.csv")).stdout


def test_agents_lists_names_and_settings():
    out = gridsage("agents", "stroll").stdout
    assert "straight" in out and "[stop_at=999]" in out and "backwards" in out


def test_levels_are_listed():
    assert gridsage("levels", "list", "stroll").stdout.splitlines() == ["stroll short", "stroll trap"]


def test_your_own_agent_in_a_file_plays(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from gridsage.core.game import Decision\n\n\nclass Bot:\n    name = 'bot'\n\n"
        "    def decide(self, state, budget):\n        return Decision(1)\n"
    )
    done = records(
        gridsage("bench", "stroll", "--agents", f"{bot}:Bot", "--seeds", "2", "--json", "--jobs", "2").stdout
    )
    assert [episode["won"] for episode in done[:2]] == [True, True]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bench", "strol"], "no game 'strol'; did you mean stroll?"),
        (["bench", "stroll", "--agents", "drnk"], "no agent of stroll 'drnk'; did you mean drunk?"),
        (["bench", "stroll", "--agents", "straight:stop=1"], "no setting of agent straight 'stop'"),
        (["bench", "stroll", "--seeds", "x"], "--seeds 'x': expected a number like 20"),
        (["bench", "stroll", "--seeds", "9-3"], "is empty"),
        (["bench", "stroll", "--option", "patience"], "expected key=value"),
        (["bench", "stroll", "--patience", "lots"], "option patience='lots' of stroll"),
        (["bench", "stroll", "--pateince", "3"], "did you mean --patience?"),
        (["bench", "stroll", "--levels", "shrt"], "no level of stroll 'shrt'; did you mean short?"),
        (["watch", "stroll", "--level", "S.?.X"], "no level of stroll"),
        (["watch", "stroll", "--level", "S . X"], "line 1, column 2: ' ' is no cell"),
        (["watch", "ricochet", "--agents", "master:threads=-1"], "threads=-1, expected 1 to 64"),
        (["bench", "stroll", "--agents", ""], "an agent needs a name"),
        (["bench", "stroll", "--agents", "straight:stop_at"], "needs a value"),
        (["bench", "stroll", "--seeds", "1-99999999999"], "at most 1,000,000 seeds"),
        (["watch", "stroll", "--seed", "99999999999999999999999"], "--seed"),
        (["watch", "stroll", "--agents", "straight,drunk"], "names 2 agents, the game has 1 seat"),
        (["watch", "stroll", "--level", "."], "is a folder"),
        (["play", "stroll", "--against", "drunk"], "is a game for one"),
        (["stats", "strol"], "no game 'strol'; did you mean stroll?"),
        (["replay", ""], "expected the id of a stored game"),
        (["replay", "ffff"], "no stored game 'ffff'"),
        (["replay", "nowhere/game.trace"], "No such file"),
        (["solve", "stroll"], "stroll has no solver"),
        (["levels", "solve", "stroll"], "stroll has no solver"),
        (["levels", "generate", "loderunner", "--seconds", "nan"], "seconds 'nan': expected a finite number"),
        (["levels", "generate", "loderunner", "--seconds", "-5"], "seconds=-5.0 is outside 0.001 to 1000000"),
        (["levels", "generate", "loderunner", "--floors=1", "--floors=2"], "--floors is given twice"),
        (["levels", "generate", "loderunner", "--folder", __file__], "is a file, expected a folder"),
        (["levels", "check", "stroll", "--save", f"{__file__}/proofs"], "is a file, expected a folder"),
        (["watch", "stroll", "--patience", "3", "-o", "patience=9"], "patience is given twice, as 9 and as 3"),
        (["bench", "stroll", "-o", "patience=3", "-o", "patience=9"], "patience is given twice, as 3 and as 9"),
        (["stats", "--lost", "--deaths"], "--lost and --deaths ask for different things"),
        (["stats", "--lost", "--html", "x.html"], "--lost and --html ask for different things"),
        (["solve", "stroll", "--positions", "nowhere.jsonl"], "does not solve files"),
        (["levels", "generate", "stroll"], "has no generator"),
        (["export", "out.xlsx"], ".csv or .parquet"),
        (["export", "/tmp"], "cannot export to '/tmp'"),
        (["bench", "stroll", "--jobs", "-1"], "--jobs"),
        (
            ["bench", "stroll", "--executor", "slurm"],
            "no executor 'slurm'; expected inline, pool, ray or ray:HOST:PORT",
        ),
        (["bench", "stroll", "--levels", "1,9"], "stroll has no level 9: expected 1 to 2"),
        (["bench", "stroll", "--levels", "short,shrt"], "no level of stroll 'shrt'; did you mean short?"),
        (["bench", "stroll", "--levels", ""], "'' names no level"),
        (["levels", "check", "stroll", ""], "'' names no level"),
        (["levels", "draw", "stroll", "9", "q.png"], "stroll has no level 9: expected 1 to 2"),
        (["watch", "stroll", "--level", "nowhere.bd"], "gridsage: no such file: 'nowhere.bd'"),
        (["watch", "stroll", "--level", "no/where"], "gridsage: no such file: 'no/where'"),
        (["bench", "stroll", "--salt", "x"], "--salt 'x': expected a number below 2 to the 64th, or nothing"),
        (["bench", "stroll", "--salt=x"], "--salt 'x': expected a number below 2 to the 64th, or nothing"),
        (["bench"], "Missing argument"),
        (["bnech"], "No such command"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(words, sentence):
    assert sentence in " ".join(gridsage(*words, code=2).stderr.replace("│", " ").split())


def test_one_level_of_a_file_is_named_by_its_number_or_its_name(tmp_path):
    pack = tmp_path / "pack.bd"
    room = catalog.room("delirium-bd")
    caves = [room.levels.text(name) for name in room.levels.names()[:3]]
    pack.write_text("\n".join(caves))
    watched = ("watch", "delirium-bd", "--agents", "random", "--nodes", "1", "--speed", "0", "--level")
    first = gridsage(*watched, str(pack))
    assert f"{pack}: level 1 of 3 is taken, pack-1; {pack}#2 names the second" in first.stderr
    for part in ("2", "pack-2"):
        second = gridsage(*watched, f"{pack}#{part}")
        assert f"{pack}: level 2 of 3 is taken, pack-2" in second.stderr
        assert "pack-2," in gridsage("replay", second.stdout.split()[-1], "--verify").stdout
    assert gridsage("levels", "convert", "delirium-bd", f"{pack}#2").stdout == caves[1]
    bench = ("bench", "delirium", "--agents", "random", "--nodes", "1", "--seeds", "1", "--json", "--levels")
    assert records(gridsage(*bench, f"{pack}#3").stdout)[0]["level"] == "pack-3"
    assert f"{pack} has no level 4: expected 1 to 3" in gridsage(*watched, f"{pack}#4", code=2).stderr
    assert "did you mean pack-2" in gridsage(*watched, f"{pack}#pack-22", code=2).stderr
    assert find_level(room, f"{pack}#2").name == "pack-2"


def test_a_level_is_not_written_under_an_ending_that_means_nothing(tmp_path):
    odd = tmp_path / "cave.xyz"
    said = gridsage("levels", "convert", "delirium", "1", str(odd), code=2).stderr
    assert "no ending of a delirium level '.xyz'; known: .txt, .xml; --to names the format" in said and not odd.exists()
    gridsage("levels", "convert", "delirium", "1", str(odd), "--to", "xml")
    gridsage("levels", "convert", "delirium", "1", str(tmp_path / "cave.xml"))
    assert odd.read_text() == (tmp_path / "cave.xml").read_text()


def test_a_level_file_that_is_no_level_is_named(tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_text("S..Q")
    assert f"{bad}: line 1, column 4: 'Q' is no cell" in gridsage("watch", "stroll", "--level", str(bad), code=2).stderr
    bad.write_bytes(b"\xff\x00\xfe")
    assert f"{bad}: not a text file" in gridsage("watch", "stroll", "--level", str(bad), code=2).stderr


def test_a_pipe_or_a_device_is_named_in_one_sentence(tmp_path):
    pipe = tmp_path / "f.map"
    os.mkfifo(pipe)
    for named in (str(pipe), "/dev/null"):
        told = gridsage("levels", "check", "stroll", named, code=2).stderr
        assert told == f"gridsage: {named!r} is no regular file\n"


def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m gridsage bench stroll --agents drunk --seeds 300 --json | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
    assert done.stderr == "" and len(done.stdout.splitlines()) == 1


def test_a_game_whose_board_nobody_reads_any_more_is_stopped_and_kept():
    played = f"{sys.executable} -m gridsage play stroll --level {LINE}"
    command = f"(echo right; sleep 4; echo right; echo right) | {played} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    (kept,) = records(gridsage("stats", "stroll", "--agent", "person", "--json").stdout)
    assert kept["outcomes"] == {"stopped": 1}


def interrupted(words: list[str]) -> tuple[int, str, str]:
    """Return exit code, output and errors of a verb that is sent ctrl-C after the second step that it shows."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "gridsage", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    assert any("step 2" in line for line in process.stdout), "it ended before its second step"
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=30)
    return process.returncode, out, errors


def test_a_watched_game_that_ctrl_c_ends_is_stopped_and_kept():
    words = ["watch", "stroll", "--level", "S" + "." * 99 + "X", "--speed", "20"]
    code, out, errors = interrupted(words)
    assert code == 130 and "goes on from here" not in errors and "Traceback" not in errors
    assert "stopped after" in out
    assert ", stopped" in gridsage("replay", out.split()[-1], "--verify").stdout


def test_a_watched_game_is_kept_although_its_agent_does_not_come_back(tmp_path):
    bot = tmp_path / "deep.py"
    bot.write_text(
        "import time\nfrom gridsage.core.game import Decision\n\n\nclass Bot:\n    name, turns = 'bot', 0\n\n"
        "    def decide(self, state, budget):\n        self.turns += 1\n        while self.turns > 2:\n"
        "            try:\n                time.sleep(99)\n            except BaseException:\n                pass\n"
        "        return Decision(1)\n"
    )
    words = ["watch", "stroll", "--level", "S....X", "--agent", f"{bot}:Bot", "--trust", "--speed", "0"]
    code, out, _ = interrupted(words)
    assert code == 130 and "stopped after 2 steps" in out
    assert ", stopped" in gridsage("replay", out.split()[-1], "--verify").stdout


def test_a_verb_that_begins_again_does_not_promise_to_go_on(capsys):
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as left:
        output.stoppable(interrupted)()
    assert left.value.code == 130 and capsys.readouterr().err.strip() == "gridsage: stopped"


def test_the_same_agent_twice_is_counted_once():
    *episodes, _ = records(gridsage("bench", "stroll", "--agents", "drunk,drunk", "--seeds", "2", "--json").stdout)
    assert len(episodes) == 2


def test_what_an_agent_prints_does_not_mix_with_the_answers(tmp_path):
    bot = tmp_path / "chatty.py"
    bot.write_text(
        "from gridsage.core.game import Decision\n\n\nclass Bot:\n    name = 'bot'\n\n"
        "    def decide(self, state, budget):\n        print('hello')\n        return Decision(1)\n"
    )
    for jobs in ("1", "2"):
        words = ["bench", "stroll", "--agents", f"{bot}:Bot", "--seeds", "3", "--json", "--fresh", "--jobs", jobs]
        assert len(records(gridsage(*words).stdout)) == 4


def test_a_crash_is_told_with_its_reason():
    assert "agent crashed: ZeroDivisionError: no luck" in gridsage("watch", "stroll", "--agents", "crashing").stdout
    out = gridsage("bench", "stroll", "--agents", "crashing", "--seeds", "2").stdout
    assert "2 x crashing: agent crashed: ZeroDivisionError: no luck" in out


def test_a_store_that_cannot_be_used_is_told_before_the_game(monkeypatch):
    monkeypatch.setenv("GRIDSAGE_HOME", "/dev/null/home")
    done = gridsage("play", "stroll", stdin="right\n", code=2)
    assert "cannot be used" in done.stderr and "your move" not in done.stdout


def test_one_broken_package_does_not_hide_the_other_games(tmp_path, monkeypatch):
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[gridsage.games]\nbroken = no_such_module:ROOM\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]]))
    done = gridsage("agents")
    assert "broken: the installed 'broken' (no_such_module:ROOM) cannot be loaded" in done.stderr
    assert "stroll:" in done.stdout
    assert "cannot be loaded" in gridsage("watch", "broken", code=3).stderr


@pytest.mark.parametrize(
    "words",
    [
        ("bench", "stroll", "--nodes", "9" * 40),
        ("match", "nim", "modulo", "anyhow", "--first-seed", "9" * 40),
        ("match", "nim", "modulo", "anyhow", "--games", "999999999999"),
    ],
)
def test_numbers_that_nobody_can_mean_are_refused(words):
    assert "less than or equal to" in " ".join(gridsage(*words, code=2).stderr.split())


def test_a_class_whose_name_is_a_face_is_written_as_it_stands(capsys):
    tables.say("3 x bots.py:Sleepy: timeout")
    assert capsys.readouterr().out == "3 x bots.py:Sleepy: timeout\n"


def test_gridsage_alone_serves_the_page(tmp_path):
    env = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env |= {"GRIDSAGE_HOME": str(tmp_path), "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "gridsage"]
    served = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert served.stdout is not None
        told = list(itertools.takewhile(lambda line: "gridsage is at http://127.0.0.1:" not in line, served.stdout))
        if any("is taken" in line for line in told):
            pytest.skip("another program serves at the page's usual port")
        assert served.poll() is None, "".join(told)
    finally:
        served.send_signal(signal.SIGINT)
        served.communicate(timeout=30)
