"""`gridsage store`, `stats` and `bench --shard` as people and scripts meet them."""

from __future__ import annotations

import json

import msgspec
import pytest
from typer.testing import CliRunner, Result

from gridsage.cli import tables
from gridsage.cli.app import app
from gridsage.core.errors import OptionError, UnknownName
from gridsage.store import Store, Wanted
from store.games import FIRST_VERSION, damage, many, results


def gridsage(*words: str, code: int = 0, stdin: str = "") -> Result:
    done = CliRunner().invoke(app, list(words), input=stdin)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    return done


def records(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_info_says_where_how_many_and_in_which_formats(home):
    store = Store(home)
    store.put_many(many(20))
    store.put_many(results("straight", seeds=[4]))
    store.add_foreign(results("straight", seeds=[5])[0].trace)
    out = gridsage("store", "info").stdout
    assert f"22 games in {home}" in out and "format 2" in out and "1 imported game:" in out
    (told,) = records(gridsage("store", "info", "--json").stdout)
    assert (told["games"], told["single"], told["packs"], told["by_game"]["stroll"][0]) == (22, 2, 1, 22)


def test_check_names_what_is_damaged_and_what_is_unknown(home):
    store = Store(home)
    names = [store.put(result) for result in results()]
    assert "3 games checked, 0 damaged, 0 unknown" in gridsage("store", "check").stdout
    damage(store, names[0])
    store.files.path(names[1]).unlink()
    (home / "traces" / "zz").mkdir()
    (home / "traces" / "zz" / "holiday.jpg").write_bytes(b"nothing")
    out = gridsage("store", "check", code=1).stdout
    assert names[0] in out and f"{names[1]}: the file is missing" in out and "holiday" in out
    (told,) = records(gridsage("store", "check", "--json", code=1).stdout)
    assert len(told["damaged"]) == 2 and len(told["unknown"]) == 1


def test_deaths_without_depth_and_role_are_told_without_them(home):
    store = Store(home)
    for result in results(seeds=[1, 2]):
        store.put(msgspec.structs.replace(result, figures={"death": "out of time"}))
    out = gridsage("stats", "--deaths").stdout
    assert out.startswith("stroll: 2 out of time; gridsage replay ")


def test_scores_of_tables_are_written_in_full(home):
    store = Store(home)
    for result, score in zip(results(seeds=[1, 2]), (1_000_132.0, 1_000_133.0), strict=True):
        outcome = msgspec.structs.replace(result.trace.outcome, scores=(score,))
        store.put(msgspec.structs.replace(result, trace=msgspec.structs.replace(result.trace, outcome=outcome)))
    assert "[1,000,132; 1,000,133]" in " ".join(gridsage("stats").stdout.split())


def test_rebuild_takes_out_what_is_damaged_also_if_the_index_is(home):
    store = Store(home)
    names = [store.put(result) for result in results()]
    damage(store, names[0])
    out = gridsage("store", "rebuild").stdout
    assert "skipped" in out and names[0] in out and "made anew: 2 games" in out
    assert len(store.rows()) == 2
    store.close()
    for path in home.glob("index.sqlite-*"):
        path.unlink()
    (home / "index.sqlite").write_bytes(b"no database" * 1000)
    (told,) = records(gridsage("store", "rebuild", "--json").stdout)
    assert told["games"] == 2 and len(Store(home).rows()) == 2


def test_prune_asks_first_and_deletes_what_was_named(home):
    Store(home).put_many([*results("drunk"), *results("straight")])
    assert "nothing was deleted" in gridsage("store", "prune", "--agent", "drunk", stdin="n\n", code=1).output
    assert len(Store(home).rows()) == 6
    assert "3 games deleted" in gridsage("store", "prune", "--agent", "drunk", stdin="y\n").output
    assert {row.agents for row in Store(home).rows()} == {("straight",)}
    assert "0 games deleted" in gridsage("store", "prune", "--older-than", "1h").output
    assert records(gridsage("store", "prune", "--game", "stroll", "--yes", "--json").stdout) == [{"removed": 3}]
    with pytest.raises(OptionError, match="say which games"):
        gridsage("store", "prune")
    with pytest.raises(OptionError, match="such as 12h, 30d"):
        gridsage("store", "prune", "--older-than", "soon")
    with pytest.raises(UnknownName, match="no game 'strol'"):
        gridsage("store", "prune", "--game", "strol")


def test_pack_gathers_single_games(home):
    Store(home).put_many(results())
    assert "3 games gathered" in gridsage("store", "pack").stdout
    assert len(list(home.glob("traces/packs/*.pack"))) == 1


def test_shards_are_played_apart_and_merged_to_what_one_run_gives(home, tmp_path, monkeypatch):
    bench = ["bench", "stroll", "--agents", "straight,drunk", "--seeds", "5", "--nodes", "10", "--jobs", "1"]
    for part in (1, 2, 3):
        gridsage(*bench, "--shard", f"{part}/3")
    shards = sorted((home / "shards").iterdir())
    assert [shard.name for shard in shards] == ["1-of-3", "2-of-3", "3-of-3"]
    assert sorted(len(Store(shard).rows()) for shard in shards) == [3, 3, 4]
    out = gridsage("store", "merge", *map(str, shards)).stdout
    assert out.count("games added") == 3 and "played again" in out
    merged = {row.trace for row in Store(home).rows()}
    table = gridsage("stats", "--json").stdout
    monkeypatch.setenv("GRIDSAGE_HOME", str(tmp_path / "alone"))
    gridsage(*bench)
    assert {row.trace for row in Store().rows()} == merged
    assert gridsage("stats", "--json").stdout == table
    for words in ("0/3", "4/3", "3", "x/y", "1/0", "-1/3", "1/9999999"):
        with pytest.raises(OptionError, match="such as 3/16"):
            gridsage(*bench, "--shard", words)


def test_merge_of_what_conflicts_says_so_and_exits_with_1(home, tmp_path):
    import msgspec

    (game,) = results(seeds=[3])
    other = Store(tmp_path / "other")
    other.put(msgspec.structs.replace(game, trace=msgspec.structs.replace(game.trace, level_name="elsewhere")))
    Store(home).put(game)
    out = gridsage("store", "merge", str(tmp_path / "other"), code=1).stdout
    assert "conflict: stroll line-3 seed 3 drunk went differently" in out
    (told,) = records(gridsage("store", "merge", str(tmp_path / "other"), "--json", code=1).stdout)
    assert told["added"] == 0 and len(told["conflicts"]) == 1
    with pytest.raises(OptionError, match="no folder"):
        gridsage("store", "merge", str(tmp_path / "nowhere"))


def test_merge_refuses_games_that_do_not_replay(home, tmp_path):
    import msgspec

    from gridsage.core.errors import StoreError

    (game,) = results(seeds=[3])
    forged = msgspec.structs.replace(game.trace, hashes=((0, "0" * 16), game.trace.hashes[-1]))
    Store(tmp_path / "other").put(msgspec.structs.replace(game, trace=forged))
    with pytest.raises(StoreError, match="nothing was merged"):
        gridsage("store", "merge", str(tmp_path / "other"))
    assert "1 game added" in gridsage("store", "merge", "--verify", "0", str(tmp_path / "other")).stdout


# Statistics


def test_stats_leaves_imported_games_out_unless_they_are_asked_for(home):
    store = Store(home)
    store.put_many(results("drunk"))
    forged = results("drunk", seeds=[9])[0].trace
    store.add_foreign(forged)
    (line,) = records(gridsage("stats", "--json").stdout)
    assert line["episodes"] == 3
    own, brought = records(gridsage("stats", "--json", "--imported").stdout)
    assert (own["episodes"], brought["episodes"], brought["rules"]) == (3, 1, "standard, imported")
    assert len(store.rows(Wanted(imported=True))) == 1


def test_stats_of_a_store_of_the_first_version(home):
    import shutil

    shutil.copytree(FIRST_VERSION, home)
    lines = records(gridsage("stats", "--json").stdout)
    told = {(line["game"], line["agents"], line["rules"]): line["episodes"] for line in lines}
    assert told == {
        ("loderunner", "baseline", "standard"): 1,
        ("stroll", "crashing", "standard"): 2,
        ("stroll", "drunk", "patience=7"): 1,
        ("stroll", "drunk", "standard"): 2,
    }


def test_stats_knows_a_game_that_is_stored_and_not_installed(home):
    store = Store(home)
    store.put_many(many(1, game="gone"))
    assert "gone" in gridsage("stats", "gone").stdout
    with pytest.raises(UnknownName, match="no game 'gnoe'"):
        gridsage("stats", "gnoe")


@pytest.mark.parametrize("width", [40, 80, 200])
def test_tables_fit_the_screen(home, monkeypatch, width):
    """Under 40 columns only a single long word may stick out."""
    store = Store(home)
    store.put_many([*results("drunk"), *results("straight"), *results("crashing")])
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr("gridsage.cli.output.PIPE_COLUMNS", width)
    for words in (["stats"], ["bench", "stroll", "--agents", "drunk,straight", "--seeds", "3", "--jobs", "1"]):
        out = gridsage(*words).stdout
        assert max(map(len, out.splitlines())) <= width, out
        assert "score" in out and "100.0 %" in out and "straight" in out
    assert "arrived 3" in out


def test_a_table_has_a_line_per_row_or_stacked_cells_or_a_block_per_row():
    headings, rows = ["agent", "won", "ends"], [["master", "95 %\n[91; 97]", "won 3\nlost 1"]]
    assert tables.laid_out(headings, rows, 36) == [
        "agent             won  ends",
        "------  -------------  -------------",
        "master  95 % [91; 97]  won 3, lost 1",
    ]
    assert tables.laid_out(headings, rows, 35) == [
        "agent        won  ends",
        "------  --------  ------",
        "master      95 %  won 3",
        "        [91; 97]  lost 1",
    ]
    assert tables.laid_out(headings, rows, 20) == ["master", "  won: 95 % [91; 97]", "  ends: won 3, lost", "    1", ""]
