"""The page offers what its owner has listed, by name; a path from a visitor is never taken."""

from __future__ import annotations

import pytest
from toys import nim, stroll

from external.bots import class_file, script
from gridsage.arena import match
from gridsage.arena.conditions import Conditions
from gridsage.arena.external.seats import Guest
from gridsage.arena.guard import Dark, Fault, Seat
from gridsage.arena.recorder import Recorder
from gridsage.arena.tournament import episode
from gridsage.core.errors import UnknownName
from gridsage.core.game import Briefing, Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec
from gridsage.games import catalog
from gridsage.web import describe, levels


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a class, a program, a kit's folder, and things that are no agents."""
    listed = tmp_path / "bots"
    class_file(listed, "def decide(self, o, b): return Decision(1)")
    (listed / "agent.py").rename(listed / "mine.py")
    (listed / "run").write_text("#!/bin/sh\n")
    (listed / "run").chmod(0o755)
    class_file(listed / "kit", "def decide(self, o, b): return Decision(1)", "Kit")
    (listed / "kit" / "agent.py").rename(listed / "kit" / "kit.py")
    (listed / "notes.txt").write_text("nothing")
    (listed / "broken.py").write_text("class Bot(:")
    monkeypatch.setenv(catalog.LISTED, str(listed))
    return listed


def test_the_page_offers_what_is_listed(folder, home):
    assert set(catalog.listed_agents()) == {"mine.Bot", "run", "kit.Kit"}
    assert levels.agent_spec(stroll.ROOM, "mine.Bot") == AgentSpec(f"{folder / 'mine.py'}:Bot")
    offered = [agent["name"] for agent in describe.whole("stroll", home)["agents"]]
    assert offered[-3:] == ["kit.Kit", "mine.Bot", "run"]


@pytest.mark.parametrize("visitors", ["{0}/mine.py:Bot", "{0}/run", "cmd:true", "python x.py", "../mine.Bot"])
def test_a_path_or_command_from_a_visitor_is_refused(folder, visitors):
    with pytest.raises(UnknownName, match="no agent of stroll"):
        levels.agent_spec(stroll.ROOM, visitors.format(folder))


def test_a_listed_class_plays(folder, conditions):
    game = episode(
        stroll.ROOM, NamedLevel("line", "S..X"), [catalog.listed_agents()["mine.Bot"]], 1, {}, Budget(nodes=5)
    )
    assert match.play(game, conditions=conditions).trace.outcome.reason == "arrived"


def at_table(agent: str, conditions: Conditions) -> tuple[Guest, Recorder]:
    game = episode(
        nim.ROOM, NamedLevel("heap", "9"), [AgentSpec("modulo"), AgentSpec(agent)], 1, {}, Budget(seconds=0.3)
    )
    recorder = Recorder(game, nim.ROOM)
    place = Seat(Briefing("nim", nim.Options(), 1, 7), Budget(seconds=0.3), conditions, Dark())
    return Guest(recorder, place, lambda: recorder.state), recorder


def test_a_stranger_plays_at_a_table_with_people_and_takes_back_moves(conditions, tmp_path):
    guest, recorder = at_table(script(tmp_path / "bot", at_turn="act(m, m['legal'][0])"), conditions)
    try:
        assert [guest.decide(recorder.state, Budget()).action for _ in range(3)] == [1, 1, 1]
    finally:
        guest.close()


def test_a_stranger_at_a_table_is_held_to_the_clock(conditions, tmp_path):
    guest, recorder = at_table(script(tmp_path / "bot", at_turn="time.sleep(99)"), conditions)
    try:
        with pytest.raises(Fault, match="the bank is empty"):
            guest.decide(recorder.state, Budget())
    finally:
        guest.close()
