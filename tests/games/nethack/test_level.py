"""Options, level texts, seeds and personalities: what is accepted, and what is said about the rest."""

from __future__ import annotations

import os
import sys

import pytest

from gridsage.core.errors import LevelError, OptionError
from gridsage.core.room import parse_options
from gridsage.games.nethack import ROOM
from gridsage.games.nethack import level as lv
from gridsage.games.nethack.agents import personality as pe


def test_an_empty_text_is_the_games_own_dungeon():
    assert lv.parse("") == lv.parse("# nothing but a comment\n") == lv.Level()


def test_a_level_can_insist_on_options():
    level = lv.parse("character = val-dwa\nmax_turns = 500\n")
    options = lv.with_changes(lv.Options(), level)
    assert (options.character, options.max_turns) == ("val-dwa", 500)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello", "line 1: expected"),
        ("\ncharakter = val", "line 2.*did you mean character"),
        (
            'LEVEL:"../../../tmp/evil"',
            'line 1: expected LEVEL: "name", the name of 1 to 8 letters, digits, - and _, got',
        ),
        ("max_turns = -1", "line 1: .*max_turns must be at least 1, got -1"),
        ("pet = false\nmax_turns = many", "line 2: .*max_turns"),
        ("character = xyz", "line 1: .*no role in character 'xyz'"),
        ("pickup = zz", "line 1: .*unknown object classes 'z'"),
        ("pet = false\n\npet = true", "line 3: pet is set a second time"),
    ],
)
def test_bad_level_lines_are_quoted_with_their_number(text, words):
    with pytest.raises(LevelError, match=words):
        lv.parse(text)


def test_a_file_without_anything_is_no_level(tmp_path):
    empty = tmp_path / "empty.des"
    empty.write_text("# nothing but a comment\n")
    with pytest.raises(LevelError, match=r"empty\.des: nothing in it; expected"):
        ROOM.levels.read(empty)


def test_a_bad_value_in_a_level_is_named():
    with pytest.raises(LevelError, match="max_turns"):
        lv.with_changes(lv.Options(), lv.parse("max_turns = many"))


def test_unknown_roles_and_races_list_the_known_ones():
    with pytest.raises(OptionError, match="val"):
        parse_options(lv.Options, {"character": "vak"}, "nethack")
    with pytest.raises(OptionError, match="race, alignment or gender"):
        parse_options(lv.Options, {"character": "val-xyz"}, "nethack")
    assert parse_options(lv.Options, {"character": "@"}, "nethack").character == "@"


@pytest.mark.parametrize(
    ("character", "words"),
    [
        ("arc-dwa-cha", "arc-dwa cannot be cha, choose from law"),
        ("sam-orc", "sam cannot be orc, choose from hum"),
        ("val-mal", "val cannot be mal, choose fem"),
        ("wiz-law", "wiz cannot be law, choose from neu cha"),
        ("bar-hum-orc", "more than one race: hum, orc; keep one"),
    ],
)
def test_impossible_characters_are_refused_instead_of_silently_changed(character, words):
    with pytest.raises(OptionError, match=words):
        parse_options(lv.Options, {"character": character}, "nethack")


def test_possible_characters_are_accepted():
    for character in ("arc-dwa-law", "wiz-elf-cha-fem", "val-dwa", "pri-hum-cha", "ran-gno-neu-mal", "cav-gno"):
        assert lv.Options(character=character).character == character


def test_the_three_seeds_differ_and_repeat():
    one, again, other = lv.seeds_of(1), lv.seeds_of(1), lv.seeds_of(2)
    assert one == again != other
    assert len({one.core, one.disp, one.lgen}) == 3


def test_shipped_levels_parse():
    assert len(ROOM.levels.names()) == 8
    for name in ROOM.levels.names():
        assert lv.parse(ROOM.levels.text(name)).names


def test_a_des_file_that_is_no_text_is_named(tmp_path):
    path = tmp_path / "picture.des"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    with pytest.raises(LevelError, match=r"picture\.des: it is no text"):
        ROOM.levels.read(path)


def test_a_des_file_that_does_not_compile_is_refused_with_the_compilers_words(tmp_path):
    path = tmp_path / "broken.des"
    path.write_text("MAZE:\"broken\",' '\nMONSTER:('e',\"no such thing\"),(1,1)\n")
    with pytest.raises(LevelError, match=r"broken\.des: the \.des file does not compile: .*no such thing") as caught:
        ROOM.levels.read(path)
    assert "gridsage.des" not in str(caught.value), "nobody has a file of that name"


def test_shipped_personalities_are_valid():
    assert pe.shipped() == ["digger", "diver", "explorer", "survivor"]
    for name in pe.shipped():
        assert pe.load(name).name == name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('name = "x"\n[priorities]\nexplor = 3\n', "priorities.explor.*did you mean priorities.explore"),
        ('name = "x"\nmines = "yes"\n', "`mines`: expected true or false, found a text"),
        ('name = "x"\n[priorities]\nexplore = 200\n', "explore is 200: choose 0"),
        ('name = "x"\n[priorities]\nexplore = 0\ndescend = 0\n', "never move"),
        ('name = "x"\n[priorities]\nsearch = 62\n', "lower search"),
        ('name = "x"\nrest_below = 0.5\n', "priorities.rest is 0"),
        ('name = "x"\nsearch_turns = 2000\n', "lower search_turns"),
        ('name = "x"\n[priorities]\npray = 90\n', "both 90"),
        ('name = "x"\n[priorities]\nfight = nan\n', "`priorities.fight`: expected a whole number, .* digits alone"),
        ('name = "x"\nsearch_turns = 1e18\n', "`search_turns`: expected a whole number, .* digits alone"),
        ('name = "x"\n[milestones]\na = 1\n', "no key 'milestones.a'; known: milestones.born_dive"),
        ("name = ", "not TOML"),
        ('name = " "\n', "name is empty: write"),
        ("mines = true\n", "it has no name: begin it with `name = "),
        ('name = "x"\n[weights]\nfloor = 99999999999\n', "weights.floor is 99999999999: choose 0 to"),
        ('name = "x"\n[weights]\ncorridor = -1\n', "weights.corridor is -1: choose 0 to"),
        ('name = "x"\n[milestones]\ndive_levl = 3\n', "milestones.dive_levl.*did you mean milestones.dive_level"),
        ('name = "x"\n[milestones]\ndive_turn = -5\n', "milestones.dive_turn is -5: choose 0 to"),
        ('name = "x"\n[milestones]\nstrength_per_level = 0\n', "strength_per_level is 0: choose a number above"),
        ('name = "x"\n[milestones]\nexcalibur_level = 4\n', "excalibur_level is 4: no fountain gives it before 5"),
        ('name = "x"\nrest_until = 2.0\n', "rest_until is 2.0: choose a share"),
        ('name = "x"\ngive_up_turns = -1\n', "give_up_turns is -1: choose 1 to"),
    ],
)
def test_a_bad_personality_is_refused_with_key_and_cure(text, words):
    with pytest.raises(OptionError, match=words):
        pe.parse(text, "mine.toml")


def test_a_personality_that_is_no_file_is_named(tmp_path):
    folder, pipe = tmp_path / "d.toml", tmp_path / "f.toml"
    folder.mkdir()
    os.mkfifo(pipe)
    for path in (folder, pipe):
        with pytest.raises(OptionError, match=r"\.toml is no regular file$"):
            pe.load(str(path))
    with pytest.raises(OptionError, match=r"^no such file: 'nowhere\.toml'"):
        pe.load("nowhere.toml")


def test_an_unknown_personality_lists_the_known_ones():
    with pytest.raises(OptionError, match="known: digger, diver, explorer, survivor"):
        pe.load("hero")


def test_a_users_own_file_is_read(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nmines = true\n')
    assert pe.load(str(path)).mines


def test_without_nle_the_room_answers_with_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "nle", None)
    sentence = ROOM.rules.missing()
    assert sentence == "NetHack needs packages that are not installed: pip install 'gridsage[nethack]'"


def test_the_survivors_file_has_every_key_of_a_personality_with_a_comment():
    lines = (pe.FOLDER / "survivor.toml").read_text("utf-8").splitlines()
    said = {line.split(" = ")[0] for line in lines if " = " in line and "#" in line}
    said |= {word for line in lines if line.startswith("#") for word in line.split()}
    kinds = (pe.Personality, pe.Priorities, pe.Weights, pe.Milestones)
    keys = {key for kind in kinds for key in kind.__struct_fields__}
    assert keys - said - {"name", "summary", "priorities", "weights", "milestones"} == set()
    assert keys - {line.split(" = ")[0].strip("[]").split("]")[0] for line in lines} == set()
