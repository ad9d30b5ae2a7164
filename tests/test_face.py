"""The names that `import gridsage` offers, and what one can do with them in a few lines."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pandas
import polars
import pytest

import gridsage
from gridsage.core.errors import LevelError, MissingPart, OptionError, UnknownName

NAMES = [
    "Agent", "Briefing", "Budget", "Decision", "Game", "GridsageError", "Model", "Outcome", "Played", "Results", "Room",
    "Store", "Thoughts", "Trace", "agent_names", "bench", "draw", "game_names", "levels", "load_level", "match", "play",
    "replay", "room", "search", "show", "testing", "verify",
]  # fmt: skip


def test_exactly_these_names_are_offered():
    assert gridsage.__all__ == sorted(NAMES)
    assert set(NAMES) <= set(dir(gridsage))


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_documented(name):
    assert len(inspect.getdoc(getattr(gridsage, name)) or "") > 10


def test_a_name_that_is_not_offered_is_answered_with_those_that_are():
    with pytest.raises(AttributeError, match=r"gridsage has no 'solve'; it offers Agent, .* verify"):
        _ = gridsage.solve


def test_importing_gridsage_loads_nothing_else():
    code = (
        "import sys, gridsage; loaded = set(sys.modules); gridsage.game_names; "
        "print(*sorted({'numpy', 'numba', 'msgspec', 'typer', 'gridsage.api'} & loaded))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_master_plays_level_1_in_three_lines():
    game = gridsage.play("loderunner", "master", level=1, nodes=2_000)
    assert game.won and game.outcome.reason == "won"
    board, ending = str(game).rstrip().rsplit("\n", 1)
    assert board.splitlines()[0] == "█" * len(board.splitlines()[0])
    assert "R" in board and "state won" in board
    assert ending == f"master on 01_first_steps: won after {len(game.moves)} steps"
    assert gridsage.verify(game.trace) == len(game.moves)


def test_play_takes_objects_files_and_one_agent_per_seat():
    class Greedy:
        name = "greedy"

        def decide(self, observation, budget):
            return gridsage.Decision(min(3, observation.heap))

    game = gridsage.play("nim", [Greedy(), "modulo"], nodes=10)
    assert [str(agent) for agent in game.trace.agents] == ["greedy", "modulo"]
    assert game.moves[0] == "take 3"
    with pytest.raises(OptionError, match="nim has 2 seats, got 1 agent"):
        gridsage.play("nim", [Greedy()])


def test_a_state_is_drawn_for_a_name_a_room_or_a_game():
    room = gridsage.room("stroll")
    game = room.rules.game()
    state = game.start(game.parse("S..X"), room.rules.options(), 1)
    boards = {gridsage.draw(how, state) for how in ("stroll", room, game)}
    assert boards == {"@..X\nsteps 0\n"}


def test_a_replay_yields_every_state():
    trace = gridsage.play("stroll", "straight", "short").trace
    assert [state.col for state in gridsage.replay(trace)] == [0, 1, 2, 3, 4]


def test_levels_are_found_by_name_number_file_and_text(tmp_path):
    assert gridsage.levels("stroll") == ["short", "trap"]
    assert gridsage.load_level("stroll", 2).text == gridsage.load_level("stroll", "trap").text == "XS.T"
    (tmp_path / "mine.txt").write_text("S.X")
    assert gridsage.load_level("stroll", tmp_path / "mine.txt").name == "mine"
    assert gridsage.load_level("stroll", str(tmp_path / "mine.txt")).text == "S.X"
    assert gridsage.load_level("stroll", "SX").text == "SX"
    long = "S" + "." * 5_000 + "X"
    assert gridsage.load_level("stroll", long).text == long, "no file has such a name"
    assert gridsage.load_level("stroll", seed=3).name == "line-3"
    with pytest.raises(LevelError, match="stroll has no level 3: expected 1 to 2"):
        gridsage.load_level("stroll", 3)
    with pytest.raises(LevelError, match="no level of stroll 'shirt'; did you mean short"):
        gridsage.load_level("stroll", "shirt")


def test_names_of_games_and_agents():
    assert gridsage.game_names()[:2] == ["ricochet", "ricochet-rounds"]
    assert gridsage.agent_names("loderunner") == ["random", "baseline", "master"]
    with pytest.raises(UnknownName, match="did you mean loderunner"):
        gridsage.agent_names("loadrunner")


def test_a_bench_is_a_sequence_a_table_and_a_data_frame():
    results = gridsage.bench("stroll", ["straight", "drunk"], seeds=3, nodes=5)
    assert len(results) == 6 and len(results[:2]) == 2
    assert [line.agent for line in results.table()] == ["straight", "drunk"]
    assert str(results).splitlines()[0] == "straight: 3 of 3 won"
    frame = results.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.groupby("agent_0")["won"].sum()["straight"] == 3
    assert list(frame["seed"]) == [1, 2, 3, 1, 2, 3]
    same = results.to_polars()
    assert isinstance(same, polars.DataFrame)
    assert same.columns == list(frame.columns)
    assert same["figure_lefts"].to_list() == list(frame["figure_lefts"])


def test_columns_that_only_some_games_have_are_empty_elsewhere():
    results = gridsage.Results(
        [*gridsage.bench("stroll", "straight", seeds=1, nodes=1), *gridsage.bench("nim", "modulo", seeds=1, nodes=1)]
    )
    first, second = results.records()
    assert list(first) == list(second)
    assert (first["agent_1"], second["agent_1"]) == (None, "modulo")
    assert (first["figure_lefts"], second["figure_lefts"]) == (0.0, None)
    assert results.to_polars()["score_1"].to_list()[0] is None


def test_a_bench_plays_only_what_the_store_does_not_hold():
    store = gridsage.Store()
    first = gridsage.bench("stroll", "straight", "short", seeds=[4, 5], nodes=5, store=store)
    again = gridsage.bench("stroll", "straight", "short", seeds=[4, 5], nodes=5, store=gridsage.Store())
    assert [result.seconds for result in first] == [result.seconds for result in again]


def test_a_match_gives_its_account():
    summary = gridsage.match("nim", "modulo", "anyhow", games=4, nodes=5)
    assert (summary.games, summary.first, summary.second) == (4, "modulo", "anyhow")
    assert summary.wins + summary.draws + summary.losses == 4
    with pytest.raises(OptionError, match="stroll is not a game for two: use bench"):
        gridsage.match("stroll", "straight", "drunk")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_missing_library_is_named_with_the_command_that_installs_it(library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingPart, match=f"pip install {library}"):
        getattr(gridsage.Results([]), f"to_{library}")()


def test_a_played_game_shows_itself_in_a_notebook():
    game = gridsage.play("loderunner", "random", nodes=10, max_steps=3)
    shown = game._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts" ') and shown.endswith("</iframe>")
    assert shown.count("<") == 2, "the document is an attribute, nothing in it is an element of the notebook"
    assert "Content-Security-Policy" in shown
    assert game._repr_svg_().startswith("<svg ")


def test_an_agent_that_does_not_exist_is_told_before_any_game_begins():
    for attempt in (
        lambda: gridsage.play("stroll", "nobody"),
        lambda: gridsage.bench("stroll", ["drunk", "nobody"], seeds=1),
        lambda: gridsage.match("nim", "modulo", "nobody"),
    ):
        with pytest.raises(UnknownName, match=r"no agent of (stroll|nim) 'nobody'; known: "):
            attempt()
