"""Input without bounds: one sentence, exit code 2, little memory, no waiting; findings of bench/fuzz.py too."""

from __future__ import annotations

import gzip
import os
import sqlite3
import tracemalloc

import pytest
from typer.testing import CliRunner

from gridsage.cli.app import app
from gridsage.core import trace
from gridsage.core.errors import GridsageError, LevelError, OptionError, TraceError
from gridsage.games import catalog
from gridsage.games.levels import read_levels
from gridsage.games.nethack.agents import personality
from gridsage.games.ricochet.level.record import parse_record
from gridsage.games.ricochet.missions import solve_positions
from gridsage.store import Store, Wanted
from store.games import results

HUGE = "9" * 40
DEEP = 1_000_000


def refusal(*words: str) -> str:
    """The sentence that a command is refused with."""
    done = CliRunner().invoke(app, list(words))
    if isinstance(done.exception, SystemExit):
        assert done.exit_code == 2, done.output
        return done.output
    assert isinstance(done.exception, GridsageError | OSError), done.exception  # `main` has a sentence for both
    return str(done.exception)


@pytest.mark.parametrize(
    "words",
    [
        ["bench", "stroll", "--nodes", HUGE],
        ["bench", "stroll", "--nodes", "-1"],
        ["bench", "stroll", "--seconds", "1e400"],
        ["bench", "stroll", "--seeds", HUGE],
        ["bench", "stroll", "--seeds", f"1-{HUGE}"],
        ["bench", "stroll", "--jobs", HUGE],
        ["bench", "stroll", "--shard", f"1/{HUGE}"],
        ["match", "nim", "modulo", "anyhow", "--games", "999999999999"],
        ["match", "nim", "modulo", "anyhow", "--first-seed", HUGE],
        ["match", "nim", "modulo", "anyhow", "--first-seed", str(2**63 - 2)],
        ["match", "nim", "modulo", "anyhow", "--elo1", HUGE],
        ["watch", "stroll", "--seed", HUGE],
        ["watch", "stroll", "--nodes", HUGE],
        ["replay", "abcd", "--speed", HUGE],
        ["stats", "--lost", "--last", HUGE],
        ["store", "prune", "--older-than", f"{HUGE}d"],
        ["store", "merge", ".", "--verify", HUGE],
        ["export", "out.csv", "--game", "nosuch"],
    ],
)
def test_numbers_and_names_beyond_all_bounds_are_refused(words):
    assert len(refusal(*words)) < 2_000


def test_a_gzip_bomb_is_given_up_early(tmp_path):
    path = tmp_path / "bomb.trace"
    zeros = gzip.compress(bytes(trace.MAX_BYTES), 1)
    path.write_bytes(zeros * 20)  # members one after the other: more than a gigabyte
    tracemalloc.start()
    try:
        with pytest.raises(TraceError, match="unpacks to more than 64 MB"):
            trace.load(path)
        assert tracemalloc.get_traced_memory()[1] < 400_000_000
    finally:
        tracemalloc.stop()


def test_a_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "pipe.txt"
    os.mkfifo(path)
    assert "is no regular file" in refusal("replay", str(path))
    assert "is no regular file" in refusal("solve", "ricochet", "--positions", str(path))
    with pytest.raises(LevelError, match="is no regular file"):
        read_levels(catalog.room("stroll"), path)
    assert refusal("watch", "stroll", "--level", str(path))


def test_json_nested_too_deep_is_no_trace_and_no_position():
    with pytest.raises(TraceError, match="not a gridsage trace"):
        trace.decode(b'{"version":1,"options":' + b"[" * DEEP + b"]" * DEEP + b"}", "file")
    with pytest.raises(LevelError, match="not a position in JSON"):
        parse_record('{"walls":"","robots":[],"target":0,"id":' + "[" * DEEP)
    (answer,) = solve_positions(['{"walls":"","robots":[],"target":0,"id":' + "[" * DEEP])
    assert answer["status"] == "error"


def test_one_bad_position_does_not_end_the_others():
    from gridsage.games.ricochet.level import parse
    from gridsage.games.ricochet.level.record import to_record

    room = catalog.room("ricochet")
    good = to_record(parse(room.levels.text(room.levels.names()[0])))
    bad = good.replace('"target_robot":', '"target_robot":7,"was":')
    first, second = solve_positions([bad, good], max_nodes=1)
    assert first["status"] == "error" and "`target_robot` is 7, expected -1 for any robot or 0 to" in str(
        first["error"]
    )
    assert second["status"] != "error"


def test_a_personality_with_a_number_of_5000_digits_is_a_sentence():
    with pytest.raises(OptionError, match="file: not TOML"):
        personality.parse("a = " + "9" * 5000, "file")


def test_an_option_that_is_no_text_is_a_sentence():
    with pytest.raises(OptionError, match="option patience="):
        catalog.options(catalog.room("stroll"), {"patience": "\udc80"})


def test_a_name_too_long_for_a_file_is_a_sentence():
    long = "/" + "x" * 5000
    assert len(refusal("replay", long)) < 2_000
    assert refusal("bench", "stroll", "--agents", f"{long}.py:Bot")
    assert refusal("watch", "stroll", "--level", long)


def test_a_bad_line_of_the_index_is_named_and_its_games_are_left_out(home):
    store = Store(home)
    store.put_many([*results("drunk"), *results("straight")])
    store.close()
    with sqlite3.connect(home / "index.sqlite") as index:
        index.execute("""UPDATE lines SET options = '{"a' WHERE agents = '["drunk"]'""")
    index.close()
    assert {row.agents for row in store.rows(Wanted(game="stroll"), limit=10)} == {("straight",)}
    assert any("bad value in the index" in warning for warning in store.warnings)
