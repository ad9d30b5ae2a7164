"""The game's process: exact repetition, what crosses the pipe, and processes that die or hang."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from gridsage.core.errors import IllegalAction
from gridsage.games.nethack import ROOM
from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.level import CELLS, COLS
from gridsage.games.nethack.session.child import BIRTHDAY
from gridsage.games.nethack.session.protocol import Failure, LevelCount, Report
from gridsage.games.nethack.session.referee import STONE_GLYPH, Referee

MOVES = [ord(key) for key in "hjklyubn" * 6 + "ss>,e:i"] + [4, 13, 27]


def random_keys(number: int, seed: int = 5) -> list[int]:
    chance = random.Random(seed)
    return [chance.choice(MOVES) for _ in range(number)]


def records(start, keys, **options):
    game, state = start(**options)
    found = [state.data]
    for key in keys:
        if game.outcome(state) is not None:
            break
        state = game.step(state, key)
        found.append(state.data)
    return found


def test_the_same_seeds_and_keys_give_the_same_2000_steps_in_two_processes(start):
    keys = random_keys(2000)
    first, second = (records(start, keys, seed=3, character="val-dwa") for _ in range(2))
    assert len(first) > 1500
    assert first == second


def test_another_seed_gives_another_dungeon(start):
    _, one = start(seed=1)
    _, two = start(seed=2)
    assert one.data != two.data


def test_every_field_that_crosses_the_pipe_is_on_a_players_screen():
    assert st.RECORD.names == (
        "status", "prompt", "folded", "cursor", "reserved", "stats", "glyphs", "chars", "colors", "message", "death",
        "screen", "pack_letters", "pack_classes", "pack_texts",
    )  # fmt: skip


TREASURY = """MAZE:"treasury",' '
GEOMETRY:center,center
MAP
---------
|.......|
|.......|
---------
ENDMAP
REGION:(1,1,7,2),lit,"ordinary"
BRANCH:(1,2,1,2),(0,0,0,0)
STAIR:(7,2),down
OBJECT:('(',"oil lamp"),(2,1)
OBJECT:('(',"magic lamp"),(3,1)
OBJECT:('*',"diamond"),(4,1)
OBJECT:('*',"worthless piece of white glass"),(5,1)
OBJECT:('*',"flint"),(6,1)
OBJECT:('*',"loadstone"),(7,1)
"""


def test_things_that_look_alike_have_the_same_glyph(start):
    _, state = start(TREASURY, pet=False, pickup="")
    above = state.cell - COLS
    lamp, magic_lamp, diamond, glass, flint, loadstone = state.glyphs[above + 1 : above + 7].tolist()
    assert (lamp, diamond, flint) == (magic_lamp, glass, loadstone)
    assert len({lamp, diamond, flint}) == 3
    assert bytes(state.chars[above + 1 : above + 7]) == b"((****"


def test_shopkeepers_do_not_depend_on_the_clock():
    code = (
        "import ctypes, sys, tempfile, time\n"
        "from nle import nethack\n"
        "from gridsage.games.nethack.session import child, des\n"
        "game = nethack.Nethack(ttyrec=None, hackdir=str(des.tools_folder()))\n"
        "game.reset()\n"
        "birthday = lambda: ctypes.c_long.in_dll(ctypes.CDLL(game.dlpath), 'ubirthday').value\n"
        "assert abs(birthday() - time.time()) < 60\n"
        "child.set_birthday(game.dlpath)\n"
        "print(birthday())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split()[-1:] == [str(BIRTHDAY)], done.stderr


def test_control_p_is_no_key_because_it_kills_the_game_within_a_question(start):
    game, state = start()
    with pytest.raises(IllegalAction):
        game.step(state, 16)


def test_what_else_crosses_the_pipe_is_asked_for_by_the_statistics_only():
    """A failure to start, and the referee's report that no agent can ask for."""
    assert Failure.__struct_fields__ == ("error",)
    assert Report.__struct_fields__ == (
        "levels", "keys", "turns", "folded", "prompts", "depth", "experience", "progress_turn", "game_seconds",
        "progression", "tool_turn", "last_line",
    )  # fmt: skip
    assert LevelCount.__struct_fields__ == (
        "dungeon", "level", "depth", "arrived", "turns", "visits", "squares", "squares_seen", "open_squares",
        "open_squares_seen",
        "doors", "doors_seen", "closed_doors", "closed_doors_seen", "closed_doors_opened", "secret_doors",
        "secret_doors_found", "secret_corridors", "secret_corridors_found", "stairs_down", "stairs_down_seen",
        "secret_needed", "left_down", "fell",
    )  # fmt: skip


def test_hidden_things_are_not_in_the_record(start):
    """Three rooms behind secret doors: the record shows one lit room, walls all around, and nothing beyond."""
    _, state = start(ROOM.levels.text("05_secrets"), pet=False, spawn_monsters=False)
    glyphs = state.glyphs.reshape(21, 79)
    shown = glyphs != kn.MAP
    rows, cols = shown.any(axis=1).nonzero()[0], shown.any(axis=0).nonzero()[0]
    assert (rows[-1] - rows[0] + 1, cols[-1] - cols[0] + 1) == (5, 6)
    hero_row, hero_col = divmod(state.cell, 79)
    secret_door = glyphs[hero_row, hero_col + 3]
    assert secret_door == kn.MAP + 1, "it looks like the wall it stands in"


def test_a_record_holds_nothing_outside_its_fields(start):
    _, state = start()
    assert len(state.data) == st.RECORD.itemsize
    assert state.data[st.OFFSETS["reserved"] : st.OFFSETS["reserved"] + 3] == b"\0\0\0"


def test_the_bots_process_never_loads_the_games_library():
    program = (
        "import sys\n"
        "from gridsage.games.nethack.rules import NetHack\n"
        "from gridsage.games.nethack.agents.bot import Bot\n"
        "from gridsage.games.nethack.level import Options\n"
        "from gridsage.core.game import Budget\n"
        "game, bot = NetHack(), Bot()\n"
        "state = game.start(game.parse(''), Options(), 1)\n"
        "for _ in range(30):\n"
        "    state = game.step(state, bot.decide(state, Budget()).action)\n"
        "game.close()\n"
        "assert not [name for name in sys.modules if name.split('.')[0] == 'nle'], 'nle was imported'\n"
        "assert not [name for name in sys.modules if name.endswith('referee')], 'the referee was imported'\n"
        "maps = open('/proc/self/maps').read()\n"
        "assert 'nethack.so' not in maps and 'nle.so' not in maps\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_dead_process_ends_the_game_with_a_named_outcome(start):
    game, state = start()
    os.kill(game.process_id, signal.SIGKILL)
    state = game.step(state, ord("s"))
    assert game.outcome(state).reason == "game process died"
    assert game.report() is None


def test_a_killed_game_leaves_no_folder_behind(start, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    game, state = start()
    assert list(tmp_path.iterdir())
    os.kill(game.process_id, signal.SIGKILL)
    game.step(state, ord("s"))
    game.close()
    assert not list(tmp_path.iterdir())


def test_a_hung_process_ends_the_game_with_a_named_outcome(start):
    game, state = start(patience=0.3)
    os.kill(game.process_id, signal.SIGSTOP)
    state = game.step(state, ord("s"))
    assert game.outcome(state).reason == "game process hung"


def test_a_consumed_state_cannot_be_played_again(start):
    game, first = start()
    game.step(first, ord("s"))
    with pytest.raises(IllegalAction, match="consumed"):
        game.step(first, ord("s"))


def test_closing_ends_the_process(start):
    game, _ = start()
    number = game.process_id
    game.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_more_is_folded_into_the_list_of_messages(start):
    game, state = start(seed=1)
    folded = 0
    for key in random_keys(600):
        if game.outcome(state) is not None:
            break
        state = game.step(state, key)
        folded += len(state.messages) > 1
        assert not any("--More--" in line for line in state.screen) or state.status != st.RUNNING
    assert folded > 0


def test_open_prompts_are_told(start):
    game, state = start()
    state = game.step(state, ord("i"))
    assert state.prompt == st.MENU
    state = game.step(state, 27)
    assert state.prompt == st.NO_PROMPT
    state = game.step(state, 4)
    assert state.prompt == st.YES_NO and "direction" in state.messages[-1]
    state = game.step(state, 27)
    assert state.prompt == st.NO_PROMPT


def test_giving_up_is_stuck(start):
    game, state = start()
    assert game.outcome(game.step(state, 0)).reason == "stuck: gave up, no progress"


def test_the_turn_limit_is_an_outcome_of_its_own(start):
    game, state = start(max_turns=50, seed=4, spawn_monsters=False)
    for key in map(ord, "20s" * 60):
        if game.outcome(state) is not None:
            break
        state = game.step(state, key)
    assert game.outcome(state).reason == "turn limit"


def test_keys_without_a_turn_passing_are_stuck(start):
    game, state = start(spawn_monsters=False)
    for _ in range(3100):
        if game.outcome(state) is not None:
            break
        state = game.step(state, 27)
    assert game.outcome(state).reason == "stuck" and state.stats[st.TURN] < 5


def test_turns_without_progress_are_stuck(start):
    game, state = start(stuck_turns=30, seed=4, spawn_monsters=False)
    for key in map(ord, "20s" * 60):
        if game.outcome(state) is not None:
            break
        state = game.step(state, key)
    assert game.outcome(state).reason == "stuck"


def test_a_step_and_a_stair_are_seen_as_events(start):
    game, state = start(seed=3, character="val-hum-fem-law")
    steps = []
    for _ in range(40):
        key = next(key for key in map(ord, "lhjkyubn") if key in game.legal(state))
        after = game.step(state, key)
        moved = [event for event in game.events(state, key, after) if event.kind == "moved"]
        assert bool(moved) == (state.cell != after.cell)
        steps += [(event.cell, event.to, event.who) for event in moved]
        state = after
    assert steps and all(was != now and who == "hero" for was, now, who in steps)


def test_what_a_drained_hero_wins_back_is_progress():
    referee = Referee.__new__(Referee)
    referee._glyphs = np.full(CELLS, STONE_GLYPH, np.int16)
    referee._pack = referee._things = np.zeros(1, np.int16)
    referee._here = SimpleNamespace(best_seen=0)
    referee._best_items = referee._items = referee._points = referee._progress_turn = 0
    progress = []
    for turn, points in enumerate([20, 20, 5, 6, 6], start=1):
        referee._turn = turn
        stats = [0] * st.STATS
        stats[st.POINTS] = points
        referee._note_progress(stats)
        progress.append(referee._progress_turn)
    assert progress == [1, 1, 1, 4, 4]
