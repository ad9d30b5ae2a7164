"""Where games come from: one prepared process forks for each of them, is replaced when it dies, and leaves nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import psutil

from gridsage.games.nethack.session import nursery

TWO_GAMES = """
import os, signal, sys
from gridsage.games.nethack.level import Options
from gridsage.games.nethack.rules import NetHack
from gridsage.games.nethack.session import nursery
games = [NetHack(), NetHack()]
for game in games:
    game.start(game.parse(""), Options(), 1)
print(nursery.cradle_id(), *(game.process_id for game in games), flush=True)
if sys.argv[1] == "hung":
    os.kill(games[0].process_id, signal.SIGSTOP)
if sys.argv[1] != "ended":
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_every_game_has_a_process_of_its_own_from_the_same_cradle(start):
    games = [start(seed=seed)[0] for seed in (1, 2, 3)]
    cradle = psutil.Process(nursery.cradle_id())
    assert len({game.process_id for game in games}) == 3
    assert {game.process_id for game in games} <= {process.pid for process in cradle.children()}


def test_what_a_game_begins_with_does_not_depend_on_the_games_before_it(start):
    first, again = start(seed=7)[1], [start(seed=seed)[1] for seed in (8, 7)][1]
    assert again.data == first.data


def test_the_cradle_keeps_nothing_of_a_game_that_is_over(start):
    game, _ = start()
    game.close()
    assert psutil.Process(nursery.cradle_id()).children() == []


def test_a_killed_cradle_is_replaced_and_its_games_play_on(start):
    game, state = start(seed=1)
    before = nursery.cradle_id()
    os.kill(before, signal.SIGKILL)
    other, _ = start(seed=1)
    assert nursery.cradle_id() != before
    assert game.outcome(game.step(state, ord("s"))) is None
    orphan = psutil.Process(game.process_id)
    game.close()
    assert psutil.wait_procs([orphan], timeout=10)[1] == []
    assert other.process_id != game.process_id


def runs(number: int) -> bool:
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def left_behind(ending: str, folder: str) -> tuple[list[int], list[str]]:
    """Processes and files that a program with two games has left behind after ten seconds."""
    environment = {**os.environ, "TMPDIR": folder}
    done = subprocess.run([sys.executable, "-c", TWO_GAMES, ending], env=environment, capture_output=True, check=False)
    numbers = [int(word) for word in done.stdout.split()]
    assert len(set(numbers)) == 3, done.stderr
    deadline = time.monotonic() + 10
    while (any(map(runs, numbers)) or os.listdir(folder)) and time.monotonic() < deadline:
        time.sleep(0.05)  # nobody can wait for the children of a program that is gone
    return list(filter(runs, numbers)), os.listdir(folder)


def test_nothing_outlives_a_program_that_ends_without_closing_its_games(tmp_path):
    assert left_behind("ended", str(tmp_path)) == ([], [])


def test_nothing_outlives_a_program_that_is_killed(tmp_path):
    assert left_behind("killed", str(tmp_path)) == ([], [])


def test_a_game_that_hangs_does_not_outlive_its_program(tmp_path):
    assert left_behind("hung", str(tmp_path)) == ([], [])
