"""Files of agents travel with a run: played from a folder of ours, a game is the same as where they lie."""

from __future__ import annotations

import shutil

import pytest
from toys import stroll

from external.bots import class_file, script
from gridsage.arena import executors, tournament
from gridsage.arena.conditions import Conditions
from gridsage.arena.executors.ray.luggage import Unpacked, pack
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import Result
from gridsage.games import catalog

LINE = NamedLevel("line", "S......X")
FAILING = "def decide(self, o, b): raise ValueError(__file__)"


def episode(agent: str):
    (made,) = tournament.bench_episodes(stroll.ROOM, [LINE], [catalog.parse_agent(agent)], [1], {}, Budget(nodes=5))
    return made


def played(todo) -> Result:
    (result,) = executors.run([todo], conditions=Conditions(walls="none"))
    return result


def away_from_home(agent: str, folder) -> tuple[Result, Result]:
    """Return the result where the files lie, and where they have been brought to."""
    todo = episode(agent)
    here, luggage = played(todo), pack([todo])
    shutil.rmtree(folder)
    files = Unpacked(luggage)
    try:
        assert catalog.code_digest(stroll.ROOM, todo.agents, files.content) == todo.code
        moved = files.episode(todo)
        assert moved.agents != todo.agents
        return here, files.result(played(moved), todo)
    finally:
        files.delete()


@pytest.mark.parametrize(
    "make", [script, lambda folder: class_file(folder, "def decide(self, o, b): return Decision(1)")]
)
def test_commands_and_classes_play_the_same_game_from_their_luggage(make, tmp_path):
    here, there = away_from_home(make(tmp_path / "bot"), tmp_path / "bot")
    assert here.trace.outcome.reason == "arrived"
    assert (there.trace, there.figures, there.code) == (here.trace, here.figures, here.code)


def test_files_beside_an_agent_and_files_of_its_settings_come_along(tmp_path):
    folder = tmp_path / "bot"
    body = (
        "def __init__(self, plan: str = ''):\n    self.action = int(open(plan).read())\n"
        "def decide(self, o, b):\n    import beside\n    return Decision(beside.same(self.action))"
    )
    agent = class_file(folder, body)
    (folder / "beside.py").write_text("def same(action): return action\n")
    (tmp_path / "elsewhere").mkdir()
    plan = tmp_path / "elsewhere" / "plan.toml"
    plan.write_text("1")
    todo = episode(f"{agent}:plan={plan}")
    packed = {file.path for file in pack([todo]).files}
    assert packed == {str(plan), str(folder / "beside.py"), str(folder / "agent.py")}


def test_a_fault_names_the_file_as_its_owner_does(tmp_path):
    here, there = away_from_home(class_file(tmp_path / "bot", FAILING), tmp_path / "bot")
    assert here.trace.outcome.reason == "agent crashed"
    assert there.figures == here.figures and str(tmp_path / "bot" / "agent.py") in str(here.figures["fault"])


def test_files_that_are_here_already_are_played_where_they_lie(tmp_path):
    todo = episode(script(tmp_path / "bot"))
    assert Unpacked(pack([todo])).episode(todo) == todo


def test_agents_of_a_room_bring_nothing():
    assert pack([episode("straight"), episode("straight:stop_at=3")]).files == []
