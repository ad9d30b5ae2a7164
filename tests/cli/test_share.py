"""`gridsage replay` writes games as files that others can open, or says in a sentence why not."""

from __future__ import annotations

import json
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest

from cli.test_verbs import gridsage, records
from gridsage.cli import tables
from gridsage.cli.share import changes

BEGINS = {"html": b"<!doctype html>", "gif": b"GIF89a", "png": b"\x89PNG", "svg": b"<svg ", "cast": b'{"version":2,'}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRIDSAGE_HOME", str(folder / "home"))
        out = gridsage("watch", "stroll", "--level", "S...X", "--speed", "0").stdout
        gridsage("replay", out.split()[-1], "--verify", "--save", str(folder / "game.trace"))
    return str(folder / "game.trace")


def test_every_kind_of_file_is_written_at_once(game: str, tmp_path: Path) -> None:
    words = [word for kind in BEGINS for word in (f"--{kind}", str(tmp_path / f"g.{kind}"))]
    told = records(gridsage("replay", game, "--json", *words).stdout)
    for record, (kind, begin) in zip(told, BEGINS.items(), strict=True):
        data = (tmp_path / f"g.{kind}").read_bytes()
        assert data.startswith(begin)
        assert record["file"].endswith(kind) and record["bytes"] == len(data)


def test_a_step_chooses_the_position(game: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{step}.svg" for step in (0, 4, 5)]
    gridsage("replay", game, "--svg", str(paths[0]), "--step", "0")
    gridsage("replay", game, "--svg", str(paths[1]), "--step", "4")
    assert "bytes" in gridsage("replay", game, "--svg", str(paths[2])).stdout
    first, last, usual = (path.read_bytes() for path in paths)
    assert first != last == usual


def test_a_theme_and_a_language_are_those_of_the_file(game: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{theme}.svg" for theme in ("dark", "terminal")]
    for path in paths:
        gridsage("replay", game, "--svg", str(path), "--theme", path.stem)
    dark, terminal = (path.read_text(encoding="utf-8") for path in paths)
    assert "#020d05" in terminal and "#020d05" not in dark
    page = tmp_path / "page.html"
    gridsage("replay", game, "--html", str(page), "--language", "fr")
    assert '<html lang="fr">' in page.read_text(encoding="utf-8")


RED, GROUND, PLAIN = "\x1b[31m", "\x1b[48;5;239m", "\x1b[0m"


@pytest.mark.parametrize(
    ("before", "after", "sent"),
    [
        ([], ["a", "b"], "\x1b[1;1Ha\x1b[2;1Hb"),
        (["a", "b", "c"], ["a", "x"], "\x1b[2;1Hx\x1b[3;1H\x1b[K"),
        (["abcdef"], ["abXdYf"], "\x1b[1;3HXdY"),
        (["abc"], ["abcd"], "\x1b[1;4Hd"),
        (["abcd"], ["aXc"], "\x1b[1;2HXc\x1b[K"),
        (["abc"], [f"a{RED}b{PLAIN}c"], f"\x1b[1;2H{RED}b{PLAIN}"),
        ([f"{RED}ab{PLAIN}c"], [f"{RED}axy{PLAIN}c"], f"\x1b[1;2H{RED}xy{PLAIN}c"),
        (["a"], [f"a{RED}   {PLAIN}"], ""),  # a space has no colour
        (["a  b"], [f"a{GROUND} {PLAIN} b"], f"\x1b[1;2H{GROUND} {PLAIN}"),
        ([f"{GROUND}a{PLAIN}"], ["a"], "\x1b[1;1Ha"),
    ],
)
def test_a_terminal_is_sent_only_what_changes(before: list[str], after: list[str], sent: str) -> None:
    assert changes(before, after) == sent


def shown_after(screen: list[str], sent: str) -> list[str]:
    """What a terminal shows after it was sent jumps, characters and erasures."""
    lines = [list(line.ljust(10)) for line in screen]
    for row, col, words, erase in re.findall(r"\x1b\[(\d+);(\d+)H([^\x1b]*)(\x1b\[K)?", sent):
        line, at = lines[int(row) - 1], int(col) - 1
        line[at : at + len(words)] = words
        if erase:
            line[at + len(words) :] = " " * (10 - at - len(words))
    return ["".join(line).rstrip() for line in lines]


def test_what_a_terminal_is_sent_makes_the_next_screen_of_the_last() -> None:
    dice = random.Random(7)
    screens = [["".join(dice.choices("ab ", k=dice.randrange(9))).rstrip() for _ in range(4)] for _ in range(200)]
    for before, after in pairwise(screens):
        assert shown_after(before, changes(before, after)) == after


def test_a_recording_of_a_terminal_has_every_step_in_its_time(game: str, tmp_path: Path) -> None:
    path = tmp_path / "g.cast"
    gridsage("replay", game, "--cast", str(path), "--speed", "2")
    header, *events = [json.loads(line) for line in path.read_text().splitlines()]
    assert (header["version"], len(events)) == (2, 5)
    assert [time for time, _, _ in events] == [0, 0.5, 1, 1.5, 2]
    assert "step 0: start" in re.sub(r"\x1b\[[0-9;]*m", "", events[0][2])
    assert "3" in events[3][2] and "step" not in events[3][2]  # of the line, what has changed
    assert header["height"] >= events[0][2].count(";1H")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--gif", "game.png"], "--gif game.png: the name of the file has to end with .gif"),
        (["--png", "nowhere/game.png"], "there is no folder nowhere"),
        (["--png", "game.png", "--step", "5"], "--step 5: this game has the steps 0 to 4"),
        (["--gif", "game.gif", "--step", "1"], "--step chooses a position"),
        (["--step", "1"], "--step chooses a position"),
        (["--thoughts", "--html", "game.html"], "--thoughts are drawn over a picture"),
        (["--theme", "paper", "--html", "game.html"], "--theme is how a picture looks"),
        (["--theme", "papyrus", "--png", "game.png"], "no theme 'papyrus'; did you mean paper? known: contrast, dark"),
        (["--language", "fr", "--png", "game.png"], "--language is that of a page"),
        (["--language", "de", "--html", "game.html"], "no language 'de'; known: en, fr"),
    ],
)
def test_what_cannot_be_written_is_refused_in_a_sentence(game: str, words: list[str], sentence: str) -> None:
    assert sentence in gridsage("replay", game, *words, code=2).stderr


def test_a_file_that_cannot_be_written_is_named(game: str, tmp_path: Path) -> None:
    (tmp_path / "taken.svg").mkdir()
    assert "taken.svg: Is a directory" in gridsage("replay", game, "--svg", str(tmp_path / "taken.svg"), code=2).stderr


@pytest.mark.parametrize("kind", ["html", "svg", "png"])
def test_a_level_is_drawn_as_a_file(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"level.{kind}"
    assert str(path) in gridsage("levels", "draw", "stroll", "short", str(path)).stdout
    assert path.read_bytes().startswith(BEGINS[kind])


def test_a_level_is_drawn_into_no_other_file(tmp_path: Path) -> None:
    told = gridsage("levels", "draw", "stroll", "short", str(tmp_path / "level.doc"), code=2).stderr
    assert "has to end with .html, .png, .svg" in told.replace("\n", " ")


def test_a_comparison_is_written_as_a_page_that_runs_nothing(tmp_path: Path) -> None:
    gridsage("bench", "stroll", "--agents", "straight,drunk", "--seeds", "2", "--nodes", "5")
    path = tmp_path / "table.html"
    assert "bytes" in gridsage("stats", "stroll", "--html", str(path)).stdout
    page = path.read_text(encoding="utf-8")
    assert "<td>straight<br>" in page and "<script" not in page and "default-src 'none'" in page
    assert "has to end with .html" in gridsage("stats", "stroll", "--html", str(tmp_path / "x.csv"), code=2).stderr


def test_names_in_a_table_are_text() -> None:
    page = tables.page([("<b>title</b>", ["agents"], [["<script>evil()</script>\nsecond line"]])])
    assert "<td>&lt;script&gt;evil()&lt;/script&gt;<br>second line</td>" in page
    assert "&lt;b&gt;title" in page
