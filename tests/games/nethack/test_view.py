"""Frames of real games, and the referee's numbers against a level that is known by heart."""

from __future__ import annotations

import subprocess
import sys

from gridsage.games.nethack import ROOM
from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.tally import figures_of, levels_of, stats_text
from gridsage.games.nethack.view import COLOURS, frame


def test_the_frame_shows_the_map_in_colours_and_the_status_in_words(start):
    _, state = start(ROOM.levels.text("01_door"), pet=False, spawn_monsters=False)
    picture = frame(state)
    assert (picture.rows, picture.cols, len(picture.cells)) == (21, 79, 21 * 79)
    assert picture.cells[state.cell].startswith("text:@:")
    assert picture.status["level"] == "1" and picture.status["hp"] == "16/16"
    assert "turn 1" in picture.text
    assert all(sprite in ROOM.view.glyphs for sprite in picture.cells)


def test_an_open_menu_covers_the_map(start):
    game, state = start()
    picture = frame(game.step(state, ord("i")))
    words = "".join(sprite.split(":")[1] for sprite in picture.cells)
    assert picture.above[0].strip() == "Weapons" and "a - " in words


def keys(game, state, typed):
    for key in typed:
        state = game.step(state, ord(key))
    return state


def test_the_frame_is_the_whole_terminal(start):
    _, state = start()
    picture = frame(state)
    assert picture.above == state.messages
    assert picture.below[0].startswith("Agent the") and picture.below[1].startswith("Dlvl:1 ")
    assert (picture.focus, picture.question) == (state.cell, None)


def test_doors_are_brown_and_walls_are_not(start):
    _, state = start(ROOM.levels.text("01_door"), pet=False, spawn_monsters=False)
    colours = {sprite.split(":")[1]: sprite.split(":")[2] for sprite in frame(state).cells}
    assert colours["+"] == COLOURS[3][0] != colours["|"]


def test_a_question_offers_its_answers_with_what_they_mean(start):
    game, state = start()
    state = keys(game, state, "d")
    drop = frame(state).question
    carried = [(letter, words) for letter, _, words in state.pack]
    assert drop.kind == "key" and drop.words.startswith("What do you want to drop?")
    assert list(drop.answers[: len(carried)]) == carried
    assert drop.answers[-1] == ("escape", "leave")
    way = frame(keys(game, state, "\x1bo")).question
    assert way.kind == "way" and ("l", "east") in way.answers


def test_a_line_of_text_shows_what_was_typed(start):
    game, state = start()
    state = keys(game, state, "E-")
    while frame(state).question.kind != "text":
        state = keys(game, state, "n")
    state = keys(game, state, "abc\x08d")
    assert frame(state).above[0].endswith("abd") and frame(state).question.words.endswith("abd")


def test_a_menu_lists_its_entries_and_keeps_the_colours_of_the_map_beside_it(start):
    game, state = start()
    before = frame(state)
    picture = frame(keys(game, state, "i"))
    assert ("a", state.pack[0][2]) in picture.question.answers
    assert picture.cells[state.cell] == before.cells[state.cell]


def test_the_referee_counts_what_the_level_has_before_anything_is_seen(start):
    game, _ = start(ROOM.levels.text("05_secrets"), pet=False, spawn_monsters=False)
    level = game.report().levels[0]
    assert (level.squares, level.squares_seen) == (44, 12)
    assert (level.secret_doors, level.secret_doors_found, level.secret_needed) == (4, 0, True)
    assert (level.stairs_down, level.stairs_down_seen) == (1, 0)


def test_the_stats_text_has_the_reports_lines(start):
    game, state = start(ROOM.levels.text("01_door"), pet=False, spawn_monsters=False)
    figures = figures_of(game.report(), state)
    text = stats_text(figures)
    assert "Level 1 of dungeon 0" in text and "squares: 16 of 39 (41.0 %)" in text
    assert "secret doors: 0 of 0 (none exist)" in text
    assert len(levels_of(figures)) == figures["levels_visited"] == 1


def test_a_turn_that_never_came_is_no_figure(start):
    game, state = start(ROOM.levels.text("01_door"), pet=False, spawn_monsters=False)
    report = game.report()
    assert report.tool_turn == -1 and "tool_turn" not in figures_of(report, state)
    report.tool_turn = 7
    assert figures_of(report, state)["tool_turn"] == 7


def test_glyph_numbers_are_those_of_the_installed_game():
    """Asked of nle in a process of its own: this one shall never load it."""
    program = (
        "from nle import nethack as n\n"
        "print(n.GLYPH_PET_OFF, n.GLYPH_INVISIBLE, n.GLYPH_DETECT_OFF, n.GLYPH_BODY_OFF, n.GLYPH_RIDDEN_OFF,"
        " n.GLYPH_OBJ_OFF, n.GLYPH_CMAP_OFF, n.GLYPH_EXPLODE_OFF, n.GLYPH_SWALLOW_OFF, n.GLYPH_WARNING_OFF,"
        " n.GLYPH_STATUE_OFF, n.MAX_GLYPH)\n"
        "print(n.permonst(28).mname, n.objdescr.from_idx(447).oc_name, n.symdef.from_idx(24).explanation, sep=',')\n"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True)
    numbers, names = done.stdout.splitlines()[:2]
    assert [int(word) for word in numbers.split()] == [
        kn.PET, kn.INVISIBLE, kn.DETECTED, kn.BODY, kn.RIDDEN, kn.THING, kn.MAP, kn.EXPLOSION, kn.SWALLOW, kn.WARNING,
        kn.STATUE, kn.GLYPHS,
    ]  # fmt: skip
    assert names == "floating eye,boulder,staircase down"


def test_every_status_has_words():
    ends = [
        st.STUCK,
        st.TURN_LIMIT,
        st.GAVE_UP,
        st.GAVE_UP_IDLE,
        st.DIED_PROCESS,
        st.HUNG_PROCESS,
        *range(st.KILLED, st.BROKEN + 1),
    ]
    assert set(ends) == set(st.REASONS)
