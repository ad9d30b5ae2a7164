"""BDCFF caves, the clean ones and the broken ones, replays, and the shipped caves with their stored wins."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gridsage.cli import flags
from gridsage.cli.app import app
from gridsage.core.errors import LevelError, OptionError
from gridsage.core.trace import decode, verify
from gridsage.games import catalog
from gridsage.games.delirium.bd.bdcff import level_text, parse, parsed, write_bdcff
from gridsage.games.delirium.bd.cells import picture
from gridsage.games.delirium.bd.files import read
from gridsage.games.delirium.bd.generator import generate
from gridsage.games.delirium.bd.replay import MAX_MOVES, actions_of, recordings_of
from gridsage.games.delirium.bd.rules import WON_SCORE

GOLDEN = Path(__file__).parents[2] / "golden" / "delirium-bd"
ROOM = catalog.room("delirium-bd")
CAVE = """[cave]
Name=Small
Size=6 4
DiamondsRequired=1 2
DiamondValue=10 15
CaveTime=20 10
CaveScheduling=bd1
PALTiming=true
CaveDelay=12 6
MagicWallTime=5
AmoebaGrowthProb=0.1 0.5
SlimePermeability=0.25
[map]
WWWWWW
WP.aXW
WrdQBW
WWWWWW
[/map]
[/cave]
"""


def test_a_cave_is_read_with_its_numbers_at_each_difficulty():
    level = parse(CAVE)
    first, second, last = level.caves[0], level.caves[1], level.caves[4]
    assert picture(first.kinds, 6, 24) == ["SSSSSS", "SI.aXS", "Sod18S", "SSSSSS"]
    assert (first.needed, second.needed, last.needed) == (1, 2, 2)
    assert (first.time, second.time, first.second) == (24_000, 12_000, 1200)
    assert (first.value, first.extra_value, first.delay, last.delay) == (10, 15, 12, 6)
    assert (first.magic_time, first.amoeba_slow, first.amoeba_fast) == (6_000, 100_000, 500_000)
    assert (first.slime_predictable, first.slime_chance) == (False, 250_000)


def test_a_filled_cave_differs_by_difficulty_and_its_slime_goes_on_from_the_filler():
    text = "[cave]\nSize=12 8\nRandSeed=10 11\nRandomFill=SPACE 60 BOULDER 50\n[objects]\nPoint=2 2 INBOX\n"
    level = parse(text + "[/objects]\n[/cave]\n")
    assert level.caves[0].kinds != level.caves[1].kinds == level.caves[4].kinds
    assert level.caves[0].slime_state != level.caves[1].slime_state != (0, 0x1E)


@pytest.mark.parametrize("name", ROOM.levels.names())
def test_every_shipped_cave_is_exported_and_reads_back_equal(name, tmp_path):
    text = ROOM.levels.text(name)
    path = tmp_path / "out.bd"
    path.write_text(write_bdcff(text))
    (again,) = read(path)
    assert parse(again.text) == parse(text)


def test_a_cave_written_from_its_numbers_reads_back_equal():
    cave = parse(CAVE).caves[0]
    assert parse(level_text(cave)).caves == (cave,) * 1 + parse(level_text(cave)).caves[1:]


def test_the_caves_of_1984_are_those_of_the_recordings(shared_data):
    import json

    levels = read(shared_data / "delirium" / "bdcff" / "Boulder_Dash_1.bd")
    assert len(levels) == 20
    for line in (shared_data / "delirium" / "bd_recordings.jsonl").read_text().splitlines():
        record = json.loads(line)
        if record["set"] == "bd1":
            cave = parse(levels[record["cave"]].text).caves[record["level"] - 1]
            assert picture(cave.kinds, cave.cols, cave.size) == record["rows"]
            assert (cave.needed, cave.time, cave.delay) == (record["needed"], record["time"], record["delay"])


def test_an_edge_that_is_not_steel_gets_steel_around_it():
    level, warnings = parsed(CAVE.replace("WWWWWW\nWP", "WWW.WW\nWP"))
    assert (level.caves[0].rows, level.caves[0].cols) == (6, 8)
    assert any("steel is put around it" in warning for warning in warnings)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("bd1", "warp", ["line 7", "'warp'", "bd1, bd2"]),
        ("0.25", "1.5", ["line 12", "SlimePermeability", "0 to 1"]),
        ("0.1 0.5", "0.1 x", ["line 11", "'x'"]),
        (".aXW", "PaXW", ["2 inboxes", "row 1 column 1"]),
        ("WP.", "W..", ["line 14: 0 inboxes"]),
        ("rdQ", "r?Q", ["line 16 column 3", "'?'"]),
        ("WrdQBW", "WrdQBWW", ["line 16 has 7 cells, expected 6"]),
        ("20 10", "0", ["line 6", "CaveTime is 0"]),
        ("6 4", "6 100000", ["line 3", "Size"]),
        ("true", "maybe", ["line 8", "'maybe'"]),
        ("[cave]", "[cavern]", ["0 [cave] sections"]),
        ("[map]", "[objects]\nPoint=1 1 LAVA\n[/objects]\n[map]", ["line 14", "'LAVA'", "known"]),
    ],
)
def test_a_broken_cave_is_refused_with_its_line(old, new, words):
    with pytest.raises(LevelError) as caught:
        parse(CAVE.replace(old, new, 1))
    for word in words:
        assert word in str(caught.value)


def test_complaints_name_the_line_of_the_file(tmp_path):
    path = tmp_path / "two.bd"
    path.write_text("[BDCFF]\n[game]\n" + CAVE + CAVE.replace("bd1", "warp") + "[/game]\n")
    with pytest.raises(LevelError, match=r"two\.bd: line 28: CaveScheduling"):
        read(path)


def test_a_missing_inbox_is_reported_at_the_map_of_its_cave(tmp_path):
    path = tmp_path / "two.bd"
    path.write_text(CAVE + CAVE.replace("WP.", "W.."))
    with pytest.raises(LevelError, match=r"two\.bd: line 33: 0 inboxes"):
        read(path)


@pytest.mark.parametrize("pair", [{"difficulty": "6"}, {"difficulty": "0"}, {"push": "1.5"}])
def test_an_option_out_of_its_range_is_refused(pair):
    with pytest.raises(OptionError, match=next(iter(pair))):
        catalog.options(ROOM, pair)


def test_moves_are_read_as_gdash_writes_them():
    assert actions_of(".2 u r ul dR L U3", "moves") == [0, 0, 2, 1, 3, 5, 7, 6, 6, 6]


@pytest.mark.parametrize(
    ("text", "words"), [("r q2", "'q2'"), ("", "no moves"), ("r1000000000", "more than"), ("uuu", "'uuu'")]
)
def test_broken_moves_are_refused_and_need_no_memory(text, words):
    with pytest.raises(LevelError, match=f"line 9: .*{words}"):
        actions_of(text, "line 9")
    assert MAX_MOVES < 10**6


def with_replay(lines: str) -> str:
    text = ROOM.levels.text("01_first_dig")
    return text.replace("[/cave]\n", f"[replay]\n{lines}\n[/replay]\n[/cave]\n")


def test_a_replay_in_a_cave_is_a_trace_that_verifies(tmp_path):
    stored = decode((GOLDEN / "01_first_dig.trace").read_bytes(), "golden")
    letters = "".join({0: ".", 1: "r", 2: "u", 3: "l", 4: "d"}[a] + " " for a in stored.actions)
    path = tmp_path / "played.bd"
    path.write_text(with_replay(f"Level=1\nRandomSeed={stored.seed}\nPlayer=somebody\nMovements={letters} .5"))
    (recording,) = recordings_of(path)
    trace = recording.trace
    assert recording.compared == () and recording.difference == ""
    assert trace.actions == stored.actions and trace.outcome == stored.outcome
    assert verify(trace, ROOM.rules.game(), catalog.options(ROOM, trace.options)) == len(trace.actions)
    assert trace.agents[0].name == "somebody"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("Level=6\nMovements=r", "Level is 6, expected 1 to 5"),
        ("Colour=red\nMovements=r", "unknown key 'Colour'"),
        ("Level=1", "no moves"),
        ("Movements=r1000000000", "more than"),
        ("Movements=r k", "'k' is no move"),
        ("RandomSeed=-1\nMovements=r", "RandomSeed is -1"),
        ("Success=banana\nMovements=r", "Success is 'banana', expected true or false"),
        ("Score=x\nMovements=r", "Score is 'x', expected a whole number"),
        ("Movements=r\nMovements=l", r"a second Movements, expected one in a \[replay\]; line \d+ has it"),
        ("Foo=1\nMovements=r", "unknown key 'Foo' .* known: CheckSum, Comment,"),
    ],
)
def test_a_broken_replay_is_refused_with_its_line(lines, words, tmp_path):
    path = tmp_path / "broken.bd"
    path.write_text(with_replay(lines))
    with pytest.raises(LevelError, match=rf"broken\.bd: line \d+: .*{words}"):
        recordings_of(path)


@pytest.mark.parametrize(
    ("claims", "code", "words"),
    [
        ("", 0, "played: delirium-bd"),
        ("Success=true", 0, "Success as it says"),
        ("Success=false", 1, "not verified: line"),
    ],
)
def test_verify_says_verified_only_where_something_was_compared(claims, code, words, tmp_path):
    stored = decode((GOLDEN / "01_first_dig.trace").read_bytes(), "golden")
    letters = "".join({0: ".", 1: "r", 2: "u", 3: "l", 4: "d"}[a] + " " for a in stored.actions)
    path = tmp_path / "played.bd"
    path.write_text(
        with_replay(f"RandomSeed={stored.seed}\nMovements={letters}\n{claims}\n[/replay]\n[replay]\nMovements=r")
    )
    done = CliRunner().invoke(app, ["replay", str(path), "--verify"])
    assert done.exit_code == code and words in done.output
    assert "holds 2 recorded games; this is the first: the [replay] in line" in done.output
    assert ("the recording says nothing to compare with" in done.output) == (not claims)


@pytest.mark.parametrize(
    ("claims", "difference"),
    [
        ("Success=true\nScore={right}", ""),
        ("Success=false", "Success is false, its moves lead to true"),
        ("Score={wrong}", "Score is {wrong}, its moves lead to {right}"),
    ],
)
def test_what_a_replay_says_is_compared_with_what_its_moves_lead_to(claims, difference, tmp_path):
    stored = decode((GOLDEN / "01_first_dig.trace").read_bytes(), "golden")
    letters = "".join({0: ".", 1: "r", 2: "u", 3: "l", 4: "d"}[a] + " " for a in stored.actions)
    right = int(stored.outcome.scores[0] - WON_SCORE)
    words = {"right": right, "wrong": right + 1}
    path = tmp_path / "played.bd"
    path.write_text(with_replay(f"RandomSeed={stored.seed}\nMovements={letters}\n{claims.format(**words)}"))
    (recording,) = recordings_of(path)
    assert recording.difference.partition(": ")[2] == difference.format(**words)
    assert set(recording.compared) == {line.partition("=")[0] for line in claims.splitlines()}


def test_at_least_ten_caves_are_shipped():
    assert len(ROOM.levels.names()) >= 10


@pytest.mark.parametrize("name", ROOM.levels.names())
def test_the_stored_game_wins_the_shipped_cave(name):
    trace = decode((GOLDEN / f"{name}.trace").read_bytes(), name)
    assert trace.level == ROOM.levels.text(name), "the cave was changed after its game was stored"
    assert verify(trace, ROOM.rules.game(), catalog.options(ROOM, trace.options)) == len(trace.actions)
    assert trace.outcome.winner == 0


def test_the_generator_makes_the_same_cave_twice_and_refuses_what_it_cannot_make():
    assert generate(7).text == generate(7).text != generate(8).text
    for difficulty in range(1, 5):
        assert len(parse(generate(3, difficulty).text).caves) == 5
    with pytest.raises(OptionError, match="rows"):
        generate(1, rows=3)


def test_boulder_dash_files_are_played_under_their_own_rules_by_default(tmp_path, capsys):
    cave = str(ROOM.levels.folder / "01_first_dig.bd")
    assert flags.room_for("delirium", cave).name == "delirium-bd"
    said = capsys.readouterr().err
    assert f"{cave} is made for delirium-bd and is played there, under its own rules." in said
    assert f"`gridsage levels convert delirium {cave} level.xml`" in said
    assert flags.room_for("delirium", "--difficulty", "2", str(ROOM.levels.folder / "*.bd")).name == "delirium-bd"
    assert flags.room_for("delirium-bd", cave).name == "delirium-bd"
    capsys.readouterr()
    (mine := tmp_path / "mine.txt").write_text("diamonds: 0\n#####\n#@.X#\n#####\n")
    (broken := tmp_path / "broken.bd").write_bytes(b"\xff\xfe\x00")
    (tour := tmp_path / "tour.txt").write_text("scenario: Tour\n[cave]\n")
    for words in ((str(mine),), (str(mine), cave), (str(broken),), (str(tour),), ("01_tutorial",), (None,)):
        assert flags.room_for("delirium", *words).name == "delirium", words
    assert capsys.readouterr().err == ""


def test_a_converted_cave_is_played_under_the_rules_of_the_mine(tmp_path):
    target = tmp_path / "cave.xml"
    done = CliRunner().invoke(
        app, ["levels", "convert", "delirium", str(ROOM.levels.folder / "01_first_dig.bd"), str(target)]
    )
    assert done.exit_code == 0, done.output
    assert flags.room_for("delirium", str(target)).name == "delirium"


def test_reading_a_cave_takes_as_long_wherever_it_stands_in_a_file(tmp_path):
    """Each cave was once read with as many empty lines before it as its file had lines."""

    def seconds_of(count: int) -> float:
        path = tmp_path / f"{count}.bd"
        path.write_text("[BDCFF]\n[game]\n" + CAVE * count)
        began = time.process_time()
        assert len(read(path)) == count
        return time.process_time() - began

    assert seconds_of(1200) < 15 * seconds_of(200), "6 times are expected, it was 36"
