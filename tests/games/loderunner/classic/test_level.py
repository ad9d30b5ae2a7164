"""What can be read as a classic level, and what is said of the rest."""

from __future__ import annotations

import json

import pytest

from gridsage.core.errors import LevelError, OptionError
from gridsage.games.loderunner.classic import ROOM
from gridsage.games.loderunner.classic.files import DISK_BYTES, DISK_FIRST, SECTOR, read
from gridsage.games.loderunner.classic.level import SIGNS, Options, parse
from gridsage.games.loderunner.classic.recordings import read_recordings

TEXT = ROOM.levels.text("02_one_guard").split("\n", 1)[1]
FLAT = TEXT.replace("\n", "")


def test_spaces_and_dots_are_empty_and_rows_may_end_early():
    assert parse("\n".join(line.replace(".", " ").rstrip() for line in TEXT.splitlines())) == parse(TEXT)


def test_remarks_are_no_part_of_the_map():
    assert parse("; a name\n" + TEXT).text == TEXT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "level is empty"),
        (TEXT.replace("&", "."), "has 0 runners"),
        (TEXT.replace("$", "&", 1), "has 2 runners"),
        (TEXT.replace("$", "?", 1), r"has '\?', expected one of"),
        ("\n".join(TEXT.splitlines()[:-1]), "has 15 rows of up to 28 cells, expected 16 rows of 28"),
        ("\n".join("." * 32 for _ in range(22)), "has 22 rows of up to 32 cells"),
        ("\n".join(line + "#" for line in TEXT.splitlines()), "line 1 has 29 cells|line 5 has 29 cells"),
        ("\n".join(["&" + "." * 9] + ["#" * 10] * 15), "rows of at most 10 cells, expected 28"),
        (TEXT.replace("$", "\0", 1), "NUL"),
    ],
)
def test_a_bad_map_is_answered_with_one_sentence(text, message):
    with pytest.raises(LevelError, match=message) as caught:
        parse(text)
    assert "\n" not in str(caught.value)


def test_a_sixth_guard_is_a_warning_and_the_first_stays_away(tmp_path):
    crowded = TEXT.replace("..............S..", "00000.........S..", 1) if "..............S.." in TEXT else None
    crowded = crowded or TEXT.replace(".", "0", 5)
    path = tmp_path / "six.txt"
    path.write_text(crowded)
    (level,) = read(path)
    assert crowded.count("0") == 6 and level.text.count("0") == 5
    assert level.text.index("0") > crowded.index("0")
    assert "6 guards" in level.warnings[0]
    assert parse(crowded).guards == parse(level.text).guards


def test_a_pack_is_parted_by_empty_lines_and_named_by_remarks(tmp_path):
    path = tmp_path / "pack.txt"
    path.write_text(f"; one\n{TEXT}\n; two\n{TEXT.replace('.', ' ')}\n{TEXT}")
    levels = read(path)
    assert [level.name for level in levels] == ["one", "two", "pack-3"]
    assert {level.text for level in levels} == {TEXT}


@pytest.mark.parametrize(
    "form",
    [
        lambda: json.dumps([FLAT, FLAT.replace(".", " ")]),
        lambda: f"var levels = [\n'{FLAT}',\n\"{FLAT}\"];",
        lambda: "[" + ",".join("+".join(f'"{row}"' for row in TEXT.split()) for _ in range(2)) + "]",
        lambda: f"{FLAT}\n{FLAT}\n",
    ],
)
def test_lists_of_strings_as_in_javascript_ports_are_read(tmp_path, form):
    path = tmp_path / "list.js"
    path.write_text(form())
    assert [level.text for level in read(path)] == [TEXT, TEXT]


def disk(text, levels=2):
    codes = [SIGNS.index(sign) for sign in text]
    sector = bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True)).ljust(SECTOR, b"\0")
    return (bytes(DISK_FIRST) + sector * levels).ljust(DISK_BYTES, b"\xff")


def test_a_disk_image_is_read_sector_by_sector(tmp_path):
    path = tmp_path / "game.dsk"
    path.write_bytes(disk(FLAT))
    levels = read(path)
    assert [level.name for level in levels] == ["game-001", "game-002"]
    assert levels[1].text == TEXT


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("short.dsk", disk(FLAT)[:-1], "has 143,359 bytes: a disk image has 143,360"),
        ("none.dsk", bytes(DISK_BYTES), "holds no level at byte 12288"),
        ("wide.txt", TEXT.encode("utf-16"), "UTF-16"),
        ("nul.txt", TEXT.replace("$", "\0").encode(), "is not text: byte .* is NUL"),
        ("latin.txt", TEXT.replace("$", "é").encode("latin-1"), "is not text: byte"),
        ("games.jsonl", b"{}", "holds recordings"),
    ],
)
def test_a_bad_file_is_answered_with_one_sentence(tmp_path, name, data, message):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(LevelError, match=message):
        read(path)


def recorded(**changes):
    line = {"level": 1, "ai": 4, "time": 9, "action": [0, 39, 3, 90], "goldDrop": [12], "bornPos": [1, 5]}
    return json.dumps({**line, **changes})


def test_a_recording_is_keys_and_chances():
    (found,) = read_recordings(recorded() + "\n\n", "file")
    assert found.presses == ((0, 4), (3, 5)) and found.carries == (12,) and found.births == (2 * 32 + 6,)
    (found,) = read_recordings(recorded(bornPos=[2, 5, 1]), "file")
    assert found.births == (2 * 32 + 6,)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"action": [5, 39, 3, 90]}, "tick 3 after tick 5"),
        ({"action": [0, 39, 3, 7]}, "has key 7 at tick 3"),
        ({"action": [0]}, "pairs of tick and key"),
        ({"ai": 5}, "has ai 5"),
        ({"time": "soon"}, "is no recording"),
        ({"bornPos": [1, 40]}, "outside the board"),
        ({"bornPos": [3, 1]}, "bornPos"),
    ],
)
def test_a_bad_recording_is_named_with_its_line(changes, message):
    with pytest.raises(LevelError, match=f"file: line 1.*{message}"):
        read_recordings(recorded(**changes), "file")


def test_what_is_written_can_be_read_again(tmp_path):
    for name, write in ROOM.levels.write.items():
        path = tmp_path / f"{name}.txt"
        path.write_text(write(TEXT))
        assert read(path)[0].text == TEXT


def test_options_are_checked():
    with pytest.raises(OptionError, match="tick_cap=0"):
        Options(tick_cap=0)
