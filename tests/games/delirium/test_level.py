"""Levels in all their formats, the clean ones and the broken ones."""

from __future__ import annotations

import os
from itertools import islice

import pytest

from gridsage.core.errors import LevelError, OptionError
from gridsage.games import catalog
from gridsage.games.delirium.generator import generate
from gridsage.games.delirium.level import level_text, parse
from gridsage.games.delirium.level.cells import BLUE, DIAMOND, EXIT, KIND_MASK, MINER, RED, STONE, STURDY
from gridsage.games.delirium.level.files import read
from gridsage.games.delirium.level.filler import filler_numbers
from gridsage.games.delirium.level.xml import read_xml, write_xml

MAP = """<Map Name="small" Width="4" Height="2">
<Data>
" ,.,Diam,Exit"
"StW,Stone,M1,M2"
</Data>
<Parameters GameDifficulty="Easy">
  <Gateways>
    "1,1"
  </Gateways>
  <Goals Time="30">
    <Goal Gather="1" Item="Diam" Points="2" />
  </Goals>
</Parameters>
</Map>
"""


def lines_of(level) -> list[str]:
    return [line for line in level_text(level).splitlines() if ":" not in line]


@pytest.mark.parametrize("name", catalog.room("delirium").levels.names())
def test_text_survives_reading_and_writing(name):
    text = catalog.room("delirium").levels.text(name)
    level = parse(text)
    assert parse(level_text(level)) == level


def test_a_map_without_a_border_gets_one():
    assert lines_of(parse("@.X\n")) == ["#####", "#@.X#", "#####"]


def test_an_exit_may_stand_in_the_border():
    assert lines_of(parse("#####\n#@..X\n#####\n")) == ["#####", "#@..X", "#####"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["line 1", "no map"]),
        ("#####\n#..X#\n#####\n", ["no miner", "'@'"]),
        ("#####\n#@@X#\n#####\n", ["2 miners", "row 1 column 1", "remove"]),
        ("#####\n#@?X#\n#####\n", ["line 2 column 3", "'?'", "known"]),
        ("#####\n#@X#\n#####\n", ["line 2 has 4 cells, expected 5"]),
        ("#####\n#@.X##\n#####\n", ["line 2 has 6 cells, expected 5"]),
        ("diamonds: many\n@X\n", ["line 1", "'many'", "whole number"]),
        ("diamonds: -3\n@X\n", ["line 1", "-3"]),
        ("time: 0\n@X\n", ["line 1", "-1 means no limit"]),
        ("colour: red\n@X\n", ["line 1", "'colour'", "diamonds"]),
        ("@" + "." * 400 + "X\n", ["404 columns", "at most 256"]),
        ("@X\n===\n..X\n", ["line 3", "no miner"]),
    ],
)
def test_bad_text_is_refused_with_its_line(text, words):
    with pytest.raises(LevelError) as caught:
        parse(text)
    for word in words:
        assert word in str(caught.value)


def test_an_xml_map_is_read_with_its_border_outside():
    level, warnings = read_xml(MAP)
    assert lines_of(level) == ["######", "#@.dX#", "#sobr#", "######"]
    assert (level.galleries[0].needed, level.galleries[0].time, warnings) == (1, 30, [])


def test_xml_survives_writing_and_reading():
    for name in ("01_first_steps", "12_double_wall", "16_the_colourful_six"):
        level = parse(catalog.room("delirium").levels.text(name))
        again, warnings = read_xml(write_xml(level_text(level)))
        assert (again, warnings) == (level, [])


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("StW,", "Stw,", 4, "'Stw' is read as StW"),
        ("StW,", "S1W1,", 4, "'S1W1' is read as 'SlW1'"),
        ('M2"', 'M2, "', 4, "5 cells, Width is 4"),
        (",M2", "", 4, "3 cells, Width is 4"),
        ('Height="2"', 'Height="3"', 4, "void rows are added"),
        ('"1,1"', '"1,1"\n"9,9"', 9, "outside of the map"),
        ('"1,1"', '"1,1"\n"' + "9" * 5000 + ',1"', 9, "is not 'column,row' and is ignored"),
        ("Diam,", "DIAM,", 3, "'DIAM' is read as 'Diam'"),
        ('"StW', "StW", 4, "not in quotes"),
        (' Width="4"', "", 1, "no Width"),
    ],
)
def test_dirty_xml_is_repaired_with_a_warning_that_names_the_line(old, new, line, words):
    assert old in MAP
    _, warnings = read_xml(MAP.replace(old, new, 1))
    assert any(warning.startswith(f"line {line}:") and words in warning for warning in warnings), warnings


@pytest.mark.parametrize("word", ["SlW1", "SlW2", "S1W1", "S1W2"])
def test_the_solid_walls_of_the_platform_are_indestructible(word):
    level, _ = read_xml(MAP.replace("StW,", f"{word},", 1))
    assert lines_of(level) == ["######", "#@.dX#", "##obr#", "######"]
    again, warnings = read_xml(write_xml(level_text(level)))
    assert (again, warnings) == (level, [])


def test_tags_and_their_text_may_share_a_line():
    one_line = MAP.replace('\n    "1,1"\n  ', '"3,1"').replace("<Data>\n", "<Data>").replace("\n</Data>", "</Data>")
    level, warnings = read_xml(one_line.replace("Diam,Exit", " ,Exit"))
    assert lines_of(level) == ["######", "# .@X#", "#sobr#", "######"]
    assert warnings == []


def test_the_older_format_with_difficulties_is_read():
    blocks = "".join(
        f'<Infos GameDifficulty="{word}">\n<Goals Player="1" Time="{time}">\n<Goal Gather="1" Item="Diam" />\n'
        f"</Goals>\n</Infos>\n"
        for word, time in (("Easy", 80), ("Hard", 20))
    )
    text = MAP[: MAP.index("<Parameters")].replace('" ,', '"Avatar1,') + blocks + "</Map>"
    level, warnings = read_xml(text)
    assert level.galleries[0].time == 80
    assert any("differ by difficulty" in warning for warning in warnings)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<Map", ["line 1", "broken tag"]),
        ("<Other></Other>", ["no <Map"]),
        (MAP.replace("</Data>", ""), ["<Data> is not closed"]),
        (MAP.replace("Stone", "Lava"), ["line 4", "'Lava'", "known"]),
        (MAP.replace("Stone", "Avatar2").replace('" ,', '"Avatar1,'), ["line 4", "Avatar2", "remove"]),
        (MAP.replace('"1,1"', ""), ["no miner"]),
        (MAP.replace('Width="4"', 'Width="100000"'), ["line 1", "Width is 100000"]),
        (MAP.replace('Gather="1"', 'Gather="x"'), ["line 11", "Gather"]),
    ],
)
def test_xml_that_cannot_be_understood_is_refused(text, words):
    with pytest.raises(LevelError) as caught:
        read_xml(text)
    for word in words:
        assert word in str(caught.value)


def test_a_level_that_cannot_be_won_is_read_with_a_doubt(tmp_path):
    path = tmp_path / "poor.xml"
    path.write_text(MAP.replace('Gather="1"', 'Gather="99"').replace("Exit", " "))
    (level,) = read(path)
    assert any("no exit" in warning for warning in level.warnings)
    assert any("it asks for 99 diamonds, 1 lies in" in warning for warning in level.warnings)


def test_caves_of_bdcff_are_read_and_missing_elements_are_listed(tmp_path):
    path = tmp_path / "two.bd"
    path.write_text(
        "[BDCFF]\n[game]\n[cave]\nName=Drawn\nSize=6 4\nDiamondsRequired=1\nCaveTime=10\n[map]\n"
        "WWWWWW\nWP.aXW\nWrdQbW\nWWWWWW\n[/map]\n[/cave]\n"
        "[cave]\nName=Filled\nSize=12 8\nRandSeed=10 11\nRandomFill=SPACE 60 BOULDER 50 DIAMOND 9\n"
        "[objects]\nLine=1 4 10 4 WALL\nPoint=2 2 INBOX\nPoint=9 6 OUTBOX\n[/objects]\n[/cave]\n[/game]\n[/BDCFF]\n"
    )
    first, second = read(path)
    assert lines_of(parse(first.text)) == ["######", "#@..X#", "#odrb#", "######"]
    assert any("AMOEBA" in warning and "line 3" in warning for warning in first.warnings)
    kinds = [byte & KIND_MASK for byte in parse(second.text).galleries[0].cells]
    assert kinds.count(STURDY) == 10 and MINER in kinds and EXIT in kinds


def test_the_filler_is_the_published_one():
    # Worked out on paper: 0,10 -> 5,29 -> 147,176 -> 108,195 -> 205,87.
    assert list(islice(filler_numbers(10), 4)) == [5, 147, 108, 205]


def test_the_first_cave_of_1984_comes_out_of_its_seed(tmp_path):
    path = tmp_path / "a.bd"
    path.write_text(
        "[cave]\nSize=40 22\nRandSeed=10\nRandomFill=SPACE 60 BOULDER 50 DIAMOND 9 SPACE 0\n"
        "[objects]\nPoint=3 2 INBOX\nPoint=38 16 OUTBOX\n[/objects]\n[/cave]\n"
    )
    (level,) = read(path)
    # The top row as everyone who played it remembers it.
    assert lines_of(parse(level.text))[1] == "#...... ..d.o .....o.o....... ....o....#"


def test_the_cave_of_the_benchmark_follows_its_recipe():
    text = generate(7).text
    gallery = parse(text).galleries[0]
    kinds = [byte & KIND_MASK for byte in gallery.cells]
    assert (gallery.rows, gallery.cols, gallery.needed) == (22, 40, 12)
    assert (kinds.count(RED), kinds.count(BLUE), kinds.count(EXIT), kinds.count(MINER)) == (2, 2, 1, 1)
    assert 100 < kinds.count(STONE) < 250 and kinds.count(DIAMOND) >= 12
    assert generate(7).text == text != generate(8).text


@pytest.mark.parametrize("difficulty", range(1, 6))
def test_every_difficulty_makes_levels_that_can_be_read(difficulty):
    for seed in range(1, 6):
        parse(generate(seed, difficulty).text)


@pytest.mark.parametrize("wish", [{"rows": 5}, {"stone": 300}, {"difficulty": 9}, {"collect": 9999}, {"seed": -1}])
def test_a_wish_that_cannot_be_met_is_named(wish):
    with pytest.raises(OptionError, match=next(iter(wish))):
        generate(**{"seed": 1, **wish})


def test_a_scenario_lists_level_files(tmp_path):
    (tmp_path / "a.xml").write_text(MAP)
    (tmp_path / "b.txt").write_text("@X\n")
    path = tmp_path / "tour.scenario"
    path.write_text("scenario: A tour\n// easy first\nb.txt\na.xml\n")
    (level,) = read(path)
    assert [gallery.name for gallery in parse(level.text).galleries] == ["gallery 1", "small"]
    path.write_text("scenario:\nmissing.txt\n")
    with pytest.raises(LevelError, match=r"line 2: .*missing\.txt"):
        read(path)


def test_real_maps_are_read(shared_data):
    files = sorted((shared_data / "delirium" / "maps").glob("*.xml"))
    assert files
    for path in files:
        for level in read(path):
            parse(level.text)


def test_a_file_that_is_no_text_is_refused_by_name(tmp_path):
    path = tmp_path / "noise.xml"
    path.write_bytes(b"\x00\x01\x02")
    with pytest.raises(LevelError, match=r"noise\.xml"):
        read(path)


def test_a_named_pipe_is_refused_at_once(tmp_path):
    path = tmp_path / "pipe.xml"
    os.mkfifo(path)
    with pytest.raises(LevelError, match=r"pipe\.xml is no regular file"):
        read(path)
