"""`gridsage solve ricochet` as scripts call it."""

from __future__ import annotations

import json

import pytest

from cli.test_verbs import gridsage, records

# An open 4x4 board with no wall but the rim.
OPEN = {"width": 4, "height": 4, "walls": "911380028002c446", "robots": [15, 12]}
EASY = {**OPEN, "id": "easy", "target": 3, "target_robot": 0}
NEVER = {**OPEN, "id": "never", "robots": [15], "target": 5, "target_robot": 0}


@pytest.fixture
def positions(tmp_path):
    path = tmp_path / "positions.jsonl"
    path.write_text("\n".join(json.dumps(position) for position in (EASY, NEVER)) + "\n")
    return str(path)


def test_a_file_of_positions_is_answered_in_order(positions):
    easy, never = records(gridsage("solve", "ricochet", "--positions", positions, "--json").stdout)
    assert (easy["id"], easy["status"], easy["length"]) == ("easy", "solved", 1)
    assert easy["moves"] == ["red up"]
    assert (never["id"], never["status"], never["length"]) == ("never", "unsolvable", None)
    assert {"seconds", "nodes"} <= set(never)


@pytest.mark.parametrize("words", [["--must-ricochet"], ["--must-ricochet", "--json"], ["-o", "must_ricochet=true"]])
def test_the_ricochet_rule_is_heard_wherever_the_flag_stands(positions, words):
    out = gridsage(
        "solve", "ricochet", "--positions", positions, *words, *(["--json"] if "--json" not in words else [])
    ).stdout
    easy = records(out)[0]
    assert easy["rule"] != "plain" and easy["length"] > 1


def test_a_bad_line_is_named_and_the_others_answered(positions, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"walls": "zz"}\n' + json.dumps(EASY) + "\n")
    first, second = records(gridsage("solve", "ricochet", "--positions", str(bad), "--json", code=2).stdout)
    assert first["status"] == "error" and "line 1" in first["error"]
    assert second["length"] == 1


def test_people_read_a_line_for_each_position(tmp_path):
    path = tmp_path / "some.jsonl"
    path.write_text("\n".join(["{}", json.dumps(EASY), json.dumps(NEVER)]) + "\n")
    bad, easy, never, total = gridsage("solve", "ricochet", "--positions", str(path), code=2).stdout.splitlines()[-4:]
    assert bad.startswith("line 1: ") and "None" not in bad
    assert easy == "line 2 (easy): 1 move: red up"
    assert never == "line 3 (never): no solution exists"
    assert total == "error 1, solved 1, unsolvable 1"


def test_claims_are_listed_in_the_order_of_their_numbers():
    out = gridsage("play", "ricochet-rounds", "--seed", "4", stdin="moves\nquit\n").stdout
    assert "claim 2 (2), claim 3 (3)" in out and "claim 9 (9), claim 10 (10), claim 11 (11)" in " ".join(out.split())


def test_a_level_is_solved_and_drawn():
    out = gridsage("solve", "ricochet", "--seed", "3").stdout
    assert "and no fewer" in out
