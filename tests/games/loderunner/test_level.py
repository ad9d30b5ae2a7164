from __future__ import annotations

import pytest

from gridsage.core.errors import LevelError, OptionError, UnknownName
from gridsage.core.room import parse_options
from gridsage.games.loderunner import ROOM
from gridsage.games.loderunner.level import MOST_CELLS, Options, parse, read, repair, to_map

SMALL = """\
WWWWWWW
W.R.B.W
WFFLFFW
WE.L.XW
WFFFFFW
WWWWWWW
"""


def test_a_level_is_read_and_written_back():
    level = parse(SMALL)
    assert (level.rows, level.cols) == (6, 7)
    assert level.runner == 9 and level.enemies == (22,) and level.bonuses == (11,) and level.exit == 26
    assert level.text == SMALL
    assert to_map("; a comment\n" + SMALL) == SMALL


def test_enemies_are_listed_in_reverse_reading_order():
    assert parse("WWWWW\nWE.EW\nWRXEW\nWWWWW").enemies == (13, 8, 6)


def test_every_shipped_level_is_in_its_written_form():
    for name in ROOM.levels.names():
        text = ROOM.levels.text(name)
        plain = "".join(line + "\n" for line in text.splitlines() if not line.startswith(";"))
        assert parse(text).text == plain, name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("; only a comment\n", "is empty"),
        ("WWWW\nWRXW\nWWW\n", "line 3 has 3 cells, expected 4: 'WWW'"),
        ("WWWW\nWR?W\nWXXW\nWWWW\n", "line 2, column 3 has '?'"),
        ("WWWW\nWR.W\nWWWW\n", "no exit"),
        ("WWWW\nW.XW\nWWWW\n", "has 0 runners"),
        ("WWWWW\nWRXRW\nWWWWW\n", "has 2 runners (R), expected one: line 2, column 2, line 2, column 4"),
        ("WWWW\nWRX.\nWWWW\n", "line 2, column 4 has '.' on the border"),
        ("WFWW\nWRXW\nWWWW\n", "line 1, column 2 has 'F' on the border"),
        ("WW\nRX\n", "the smallest level"),
        ("W" * 100 + "\n" + ("W" + "." * 98 + "W\n") * 50 + "W" * 100, f"at most {MOST_CELLS}"),
        ("W" * 2_000_000, "no level is larger"),
    ],
)
def test_a_bad_level_is_refused_with_line_and_cure(text, words):
    with pytest.raises(LevelError) as caught:
        parse(text, "bad.map")
    assert words in str(caught.value)
    assert str(caught.value).startswith("bad.map")


def test_a_missing_last_line_end_is_only_a_warning():
    text, warnings = repair(SMALL.rstrip("\n"), "a.map")
    assert text == SMALL and warnings == ["the last line has no line end"]


def test_short_rows_are_filled_with_a_warning_that_names_the_line():
    broken = SMALL.replace("W.R.B.W", "W.R.B")
    text, warnings = repair(broken, "a.map")
    assert text == SMALL
    assert warnings == ["line 2 has 5 cells of 7, filled up: 'W.R.B'"]


def test_a_missing_border_is_added_with_a_warning():
    text, warnings = repair(".R.B.X\nFFFFFF\n", "a.map")
    assert text == "WWWWWWWW\nW.R.B.XW\nWFFFFFFW\nWWWWWWWW\n"
    assert [words.split(": ")[0] for words in warnings] == ["line 1", "line 1", "line 1", "line 2"]


def test_spaces_and_small_letters_are_read_with_a_warning():
    text, warnings = repair(SMALL.replace(".", " ").replace("F", "f"), "a.map")
    assert text == SMALL and len(warnings) == 4


def test_a_second_runner_is_named_by_its_line_in_the_file():
    with pytest.raises(LevelError, match=r"expected one: line 3, column 1, line 3, column 3"):
        repair("; comment\n\nR.RX\nFFFF\n", "a.map")


def test_a_map_full_of_runners_is_refused_in_one_sentence():
    with pytest.raises(LevelError) as caught:
        repair("\n".join(["R" * 64] * 64) + "\n")
    assert str(caught.value).startswith("level has 4096 runners (R), expected one: line 1, column 1, line 1, column 2")
    assert str(caught.value).endswith("line 1, column 5 and 4091 more")


@pytest.mark.parametrize("letter", ["ß", "q", "ﬁ"])
def test_an_unknown_letter_is_quoted_as_it_stands(letter):
    with pytest.raises(LevelError, match=f"line 2, column 3 has '{letter}'"):
        repair(SMALL.replace("R", letter))


def test_unknown_letters_are_never_guessed():
    with pytest.raises(LevelError, match=r"line 2, column 3 has '#'"):
        repair("WWWWW\nWR#XW\nWWWWW\n", "a.map")


def test_several_exits_are_told():
    _, warnings = repair("WWWWW\nWXRXW\nWFFFW\nWWWWW\n", "a.map")
    assert warnings == ["2 exits (X); only the last in reading order counts"]


def test_a_map_file_is_read_under_its_name(tmp_path):
    path = tmp_path / "cellar.map"
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    (found,) = read(path)
    assert (found.name, found.text, found.warnings) == ("cellar", SMALL, ())


def test_a_pack_is_read_in_order_and_complaints_name_the_line_in_the_file(tmp_path):
    path = tmp_path / "pack.txt"
    path.write_text(f"; the first one\n{SMALL}\n{SMALL}\n\n; last\n; of all\n{SMALL}")
    found = read(path)
    assert [level.name for level in found] == ["the first one", "pack-2", "last"]
    assert all(parse(level.text) == parse(SMALL) for level in found)
    path.write_text(f"{SMALL}\n{SMALL.replace('X', '?')}")
    with pytest.raises(LevelError, match=r"pack.txt: line 11, column 6 has '\?'"):
        read(path)


def test_an_empty_line_inside_a_single_map_does_no_harm(tmp_path):
    path = tmp_path / "one.map"
    path.write_text(SMALL.replace("WFFLFFW\n", "WFFLFFW\n\n"))
    assert [level.text for level in read(path)] == [SMALL]


def test_logged_games_are_read_as_levels_each_once(tmp_path):
    path = tmp_path / "games.jsonl"
    rows = str(SMALL.split()).replace("'", '"')
    path.write_text(f'{{"map": "one", "rows": {rows}}}\n{{"map": "again", "rows": {rows}}}\n')
    assert [level.name for level in read(path)] == ["one"]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.map", b"\xff\xfe\x00W", "is not text"),
        ("a.map", b"", "is empty"),
        ("a.map", b"W" * 1_500_000, "no level is larger"),
        ("a.jsonl", b"{oops\n", "line 1 is no logged game"),
        ("a.jsonl", b'{"map": "x"}\n', "line 1 is no logged game"),
        ("a.jsonl", b"[1, 2]\n", "line 1 is no logged game"),
        ("a.jsonl", b"\n", "holds no logged games"),
    ],
)
def test_a_bad_file_is_refused_by_name(tmp_path, name, data, words):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(LevelError) as caught:
        read(path)
    assert words in str(caught.value) and name in str(caught.value)


def test_a_missing_file_or_a_folder_is_refused(tmp_path):
    for path in (tmp_path / "nothing.map", tmp_path):
        with pytest.raises(LevelError, match="cannot be read"):
            read(path)


def test_an_unknown_level_lists_the_known_ones():
    with pytest.raises(UnknownName, match="01_first_steps"):
        ROOM.levels.text("first_step")


@pytest.mark.parametrize(
    "pairs", [{"profile": "enssat"}, {"illegal": "maybe"}, {"turn_cap": "0"}, {"turn_cap": "x"}, {"speed": "1"}]
)
def test_bad_options_are_refused(pairs):
    with pytest.raises(OptionError):
        parse_options(Options, pairs, "loderunner")


def test_a_bad_option_value_lists_the_possible_ones():
    with pytest.raises(OptionError, match="option illegal='foo' of loderunner: expected death or noop"):
        parse_options(Options, {"illegal": "foo"}, "loderunner")


def test_options_are_read_from_text():
    assert parse_options(Options, {"turn_cap": "50", "illegal": "noop"}, "loderunner") == Options(
        illegal="noop", turn_cap=50
    )


def test_a_remark_that_is_a_sentence_is_no_name(tmp_path):
    path = tmp_path / "pack.map"
    remark = "One enemy, two ways round: it comes by the shortest path, at half your speed."
    path.write_text(f"; {remark}\n{SMALL}\n; Mind the gap.\n{SMALL}\n; the gap\n{SMALL}")
    assert [level.name for level in read(path)] == ["pack-1", "pack-2", "the gap"]
