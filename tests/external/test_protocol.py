"""The words on the wire: one golden line per message, plain lines as their twin, and nothing that observe hides."""

from __future__ import annotations

import json

import pytest
from toys import stroll

from external.bots import script
from gridsage.arena import match, tournament
from gridsage.arena.external import protocol
from gridsage.core.game import Budget, Outcome, Thoughts
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec

TURN = protocol.Turn(
    4, {"col": 2, "robots": [3, 5], "names": ["a b", "c"], "on": True}, "ab\n.X", [0, 7], ["left", "red up"], 0.5
)


def test_messages_are_single_lines_of_json():
    assert protocol.encode(TURN) == (
        b'{"type":"turn","turn":4,"observation":{"col":2,"robots":[3,5],"names":["a b","c"],"on":true},'
        b'"board":"ab\\n.X","legal":[0,7],"labels":["left","red up"],"bank":0.5}\n'
    )
    begin = protocol.Begin("stroll", 1, 0, 1, 77, {"patience": 3}, Budget(nodes=5), 0.0, {"begin": 10.0})
    assert protocol.encode(begin) == (
        b'{"type":"begin","game":"stroll","rules":1,"seat":0,"seats":1,"seed":77,"options":{"patience":3},'
        b'"budget":{"nodes":5,"seconds":null},"bank":0.0,"limits":{"begin":10.0},"protocol":1}\n'
    )
    end = protocol.end_of(Outcome("arrived", (1.0,), 0))
    assert protocol.encode(end) == b'{"type":"end","outcome":"arrived","scores":[1.0],"winner":0}\n'


def test_plain_messages_are_the_same_as_lines():
    assert protocol.encode_plain(TURN).decode() == (
        "type turn\nturn 4\nobservation.col 2\nobservation.robots 3 5\nobservation.names.0 a b\nobservation.names.1 c\n"
        "observation.on true\nboard ab\nboard .X\nlegal 0 left\nlegal 7 red up\nbank 0.5\n\n"
    )


def test_plain_answers_are_read_like_json():
    assert protocol.decode_plain([b"type act", b"turn 3", b"action red up"]) == protocol.Act(3, "red up")
    thoughts = protocol.decode_plain([b"type info", b"nodes 12", b"path 1 2 3", b"line left, red up", b"text a plan"])
    assert isinstance(thoughts, protocol.Info)
    assert thoughts.thoughts() == Thoughts(nodes=12, path=(1, 2, 3), line=("left", "red up"), text="a plan")


@pytest.mark.parametrize(
    "line",
    [b"", b"[]", b"{}", b'{"type":"act"}', b'{"type":"wait","seconds":-1}', b'{"type":"act","turn":1e99,"action":1}'],
)
def test_what_is_no_answer_is_garbled(line):
    with pytest.raises(protocol.Garbled):
        protocol.decode(line)


def test_unknown_fields_are_ignored():
    assert protocol.decode(b'{"type":"ready","name":"x","colour":"red"}') == protocol.Ready("x")


def test_the_wire_never_tells_more_than_the_observation(conditions, tmp_path):
    talker = script(
        tmp_path / "bot", at_begin='sys.stderr.write(line); say(type="ready")', at_turn="sys.stderr.write(line); act(m)"
    )
    trap = NamedLevel("a-name-that-tells-of-trap-T", "XS.T")
    game = tournament.episode(stroll.ROOM, trap, [AgentSpec(talker)], 4242, {}, Budget(seconds=3.0))
    log = match.play(game, conditions=conditions).log
    begin, first, *_ = (json.loads(line) for line in log.splitlines())
    assert first["observation"]["level"]["text"] == "XS.."
    assert first["board"].startswith("X@..")
    assert "T" not in first["board"] and "tells-of" not in log and '"level":"' not in json.dumps(begin)
    assert 4242 not in (begin["seed"], *first.values()) and "4242" not in log
    known = "type protocol game rules seat seats seed options budget bank limits"
    assert set(begin) == set(known.split())


def test_an_agent_may_act_by_label_and_tell_its_thoughts(conditions, tmp_path):
    bot = script(
        tmp_path / "bot",
        at_turn="say(type='info', text='hm'); say(type='info', nodes=5, line=['right']); act(m, 'right')",
    )
    game = tournament.episode(stroll.ROOM, NamedLevel("line", "S..X"), [AgentSpec(bot)], 1, {}, Budget(seconds=3.0))
    result = match.play(game, conditions=conditions, keep_thoughts=True)
    assert result.trace.actions == (1, 1, 1)
    assert result.trace.thoughts[1] == (1, Thoughts(nodes=5, line=("right",)))
    assert result.decisions["nodes"] == 15


def test_a_slow_starter_may_ask_for_more_time(conditions, tmp_path):
    slow = script(tmp_path / "bot", at_begin='say(type="wait", seconds=20); time.sleep(1.2); say(type="ready")')
    game = tournament.episode(stroll.ROOM, NamedLevel("line", "S..X"), [AgentSpec(slow)], 1, {}, Budget(seconds=3.0))
    patient = conditions.__class__(walls=conditions.walls, begin=1.0)
    assert match.play(game, conditions=patient).trace.outcome.reason == "arrived"


def test_a_log_keeps_its_beginning_and_its_end(conditions, tmp_path):
    loud = script(
        tmp_path / "bot", at_turn="sys.stderr.write('first' + 'x' * 200_000 + 'last'); sys.stderr.flush(); act(m)"
    )
    game = tournament.episode(stroll.ROOM, NamedLevel("line", "SX"), [AgentSpec(loud)], 1, {}, Budget(seconds=3.0))
    log = match.play(game, conditions=conditions).log
    assert log.startswith("first") and "bytes left out" in log and log.endswith("last")
    assert len(log) <= 64 << 10
