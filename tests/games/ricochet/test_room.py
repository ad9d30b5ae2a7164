from __future__ import annotations

import subprocess
import sys

import pytest

from games.ricochet.boards import CORRIDORS, GAME, begin, play
from gridsage.arena.match import play as play_match
from gridsage.arena.tournament import episode
from gridsage.core.errors import LevelError
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec
from gridsage.games import catalog
from gridsage.games.ricochet import ROOM
from gridsage.games.ricochet.level import draw, parse, to_line, to_record
from gridsage.games.ricochet.level.chance import random_position
from gridsage.games.ricochet.rules import GIVE_UP
from gridsage.games.ricochet.tally import RicochetTally


def test_importing_the_room_brings_no_compiler():
    code = "import gridsage.games.ricochet.rounds, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_drawing_is_read_with_its_remarks(tmp_path):
    path = tmp_path / "corridors.txt"
    path.write_text("; mine\n" + CORRIDORS)
    assert ROOM.levels.read(path) == [NamedLevel("corridors", "; mine\n" + CORRIDORS)]


def test_a_file_of_positions_is_read_line_by_line(tmp_path):
    path = tmp_path / "some.jsonl"
    first, second = random_position(1), random_position(2)
    path.write_text(f"{to_record(first)}\n\n{to_line(second)}\n")
    levels = ROOM.levels.read(path)
    assert [level.name for level in levels] == ["some-1", "some-3"]
    assert parse(levels[1].text) == second


def test_a_bad_line_is_named_with_its_file(tmp_path):
    path = tmp_path / "some.jsonl"
    path.write_text(f"{to_record(random_position(1))}\n{{}}\n")
    with pytest.raises(LevelError, match=r"some.jsonl, line 2: not a position in JSON"):
        ROOM.levels.read(path)


def test_an_empty_file_is_told(tmp_path):
    path = tmp_path / "empty.txt"
    path.write_text("\n")
    with pytest.raises(LevelError, match="the level is empty"):
        ROOM.levels.read(path)


@pytest.mark.parametrize("form", ["drawing", "line", "jsonl"])
def test_every_written_form_is_read_back(form):
    written = ROOM.levels.write[form](CORRIDORS)
    level, again = parse(CORRIDORS), parse(written)
    assert (again.walls, again.robots, again.mission.cell) == (level.walls, level.robots, level.mission.cell)


def test_every_key_is_the_label_of_an_action():
    labels = {GAME.label(action) for action in range(GIVE_UP + 1)}
    assert set(ROOM.view.keys.values()) == labels
    assert ROOM.view.keys["r^"] == ROOM.view.keys["ru"] == ROOM.view.keys["rN"] == "red up"


def test_the_level_of_a_seed_is_a_printed_board():
    level = ROOM.levels.of_seed(5)
    assert level.text == draw(random_position(5))
    assert level.text != ROOM.levels.of_seed(6).text


def test_the_statistics_know_the_fewest_moves():
    tally = RicochetTally()
    states = [begin(CORRIDORS)]
    for move in ("Gv", "Rv", "R>", "R^"):
        states.append(play(states[-1], move))
    for before, action, after in zip(states, (6, 2, 1, 0), states[1:], strict=False):
        tally.add(before, action, after)
    assert tally.figures() == {"fewest": 3.0, "robots": 2.0, "extra": 1.0}


def test_the_statistics_of_a_mission_given_up():
    tally = RicochetTally()
    tally.add(begin(CORRIDORS), GIVE_UP, GAME.step(begin(CORRIDORS), GIVE_UP))
    assert tally.figures() == {"fewest": 3.0}


def test_master_needs_no_move_more_than_necessary():
    room = catalog.ready_room("ricochet")
    for seed in range(1, 6):
        result = play_match(
            episode(room, room.levels.of_seed(seed), [AgentSpec("master")], seed, {}, Budget(nodes=1_000_000))
        )
        assert result.trace.outcome.reason == "solved"
        assert result.figures["extra"] == 0
