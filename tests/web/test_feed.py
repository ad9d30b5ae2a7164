"""Frames as messages, names of one's own levels, and what a room tells the page."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gridsage.core.errors import GridsageError, LevelError
from gridsage.core.frame import Entity, Frame, Question
from gridsage.core.game import Bid, Memory, Place, Thoughts
from gridsage.games import catalog
from gridsage.web import describe, feed, levels
from gridsage.web.games.screen import Newcomers
from gridsage.web.guard import is_loopback


def line(cells: str, col: int = 0) -> Frame:
    names = {".": "floor", "X": "exit", "#": "wall"}
    return Frame(1, len(cells), tuple(names[cell] for cell in cells), (Entity("a", "hero", 0, col, 0, 1),))


def test_a_frame_carries_only_what_changed() -> None:
    told = feed.Feed()
    hello = told.hello("toy", line("..X"))
    assert (hello["w"], hello["h"], hello["tiles"]) == (3, 1, ["floor", "exit"])
    assert told.frame(0, line("..X"))["k"] == [0, 0, 1]
    second = told.frame(1, line(".#X", col=1))
    assert second["d"] == [1, 2]
    assert second["n"] == ["wall"]
    assert second["e"] == [["a", "hero", 1, 0, 1, 0]]
    assert told.frame(2, line(".#X"))["d"] == []


def test_every_fiftieth_frame_and_a_new_size_carry_everything() -> None:
    told = feed.Feed()
    told.hello("toy", line("..X"))
    told.frame(0, line("..X"))
    assert "k" in told.frame(feed.KEY_EVERY, line("..X"))
    wider = told.frame(feed.KEY_EVERY + 1, line("....X"))
    assert (len(wider["k"]), wider["w"]) == (5, 5)


def test_thoughts_leave_out_what_was_not_told() -> None:
    assert feed.overlay(None) == {}
    told = feed.overlay(Thoughts(path=(3, 4), nodes=7, timings={"search": 0.5}), 1.25)
    assert told == {"path": [3, 4], "nodes": 7, "figures": {"search": 0.5}, "ms": 1.25}


def test_bids_and_memory_go_as_differences_and_now_and_then_whole() -> None:
    eat, walk = Bid("eat", 70), Bid("walk", 60, "to the east", "acts")
    kinds = (("unknown", "blank"), ("floor", "open"))

    def thought(cells: bytes, *bids: Bid) -> dict[str, Any]:
        remembered = Memory(1, 3, kinds, cells, (Place("here", f"{sum(cells)} known", True),))
        return feed.overlay(Thoughts(bids=bids), memory=lambda: remembered)

    told = feed.Feed()

    def heard(t: int, thoughts: dict[str, Any]) -> dict[str, Any]:
        return msgspec.json.decode(msgspec.json.encode(told.frame(t, line("..X"), o=thoughts)))["o"]

    told.hello("toy", line("..X"))
    told.frame(0, line("..X"))
    first = heard(1, thought(b"\1\0\0", eat, walk))
    assert first["bids"] == [["eat", 70, "", "silent"], ["walk", 60, "to the east", "acts"]]
    assert (first["memory"]["k"], first["memory"]["places"]) == ("BAA", [["here", "1 known", True]])
    same = heard(2, thought(b"\1\0\0", eat, walk))
    assert (same["bids"], same["memory"]) == ({"d": []}, {"places": {"d": []}})
    later = heard(3, thought(b"\1\1\0", eat, Bid("walk", 60, "to the west", "acts")))
    assert later["bids"] == {"d": [[1, ["walk", 60, "to the west", "acts"]]]}
    assert later["memory"] == {"d": [1, 1], "places": {"d": [[0, ["here", "2 known", True]]]}}
    told.frame(2, line("..X"), key=True)  # a move was taken back: the browser may have cut what came after
    again = heard(3, thought(b"\1\1\0", eat, walk))
    assert len(again["bids"]) == 2 and again["memory"]["k"] == "BBA"


def test_lines_focus_and_question_of_a_frame_are_told() -> None:
    asking = Frame(1, 1, ("floor",), above=("Really?",), below=("HP 3",), focus=0, question=Question("key", "Really?"))
    message = feed.Feed().frame(0, asking)
    told = msgspec.json.decode(msgspec.json.encode(message))
    assert (told["l"], told["f"], told["ask"]) == ([["Really?"], ["HP 3"]], 0, ["key", "Really?", []])
    assert not {"l", "f", "ask"} & set(feed.Feed().frame(0, line("..X")))


@pytest.mark.parametrize("name", ["../up", "a/b", "", ".hidden", "a" * 61, "nul\0"])
def test_a_level_name_cannot_leave_its_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(GridsageError, match="a level's name is letters"):
        levels.keep_own(tmp_path, "stroll", name, "S.X")
    assert list(tmp_path.rglob("*.txt")) == []


def test_only_levels_that_can_be_read_are_kept(tmp_path: Path) -> None:
    with pytest.raises(LevelError):
        levels.keep_own(tmp_path, "stroll", "bad", "S?X")
    levels.keep_own(tmp_path, "stroll", "good one", "S.X")
    assert levels.own_names(tmp_path, "stroll") == ["good one"]
    assert levels.own_text(tmp_path, "stroll", "good one") == "S.X"


def test_every_room_describes_itself_for_the_page(tmp_path: Path) -> None:
    for name in catalog.names():
        told = describe.whole(name, tmp_path)
        assert told["title"]
        if not told["missing"]:
            assert told["default_agent"] in [agent["name"] for agent in told["agents"]]
            assert all(option["kind"] in ("switch", "number", "choice", "text") for option in told["options"])


@pytest.mark.parametrize(
    ("host", "local"), [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False)]
)
def test_only_loopback_needs_no_token(host: str, local: bool) -> None:
    assert is_loopback(host) is local


def test_newcomers_begin_two_at_a_time_and_whoever_has_a_board_lets_them_go_first() -> None:
    newcomers = Newcomers(seconds=60, settling_seconds=60)
    newcomers.give_way(1)  # nobody is waited for
    newcomers.come(7)
    newcomers.come(8)
    newcomers.give_way(1)  # all have begun
    third = threading.Thread(target=newcomers.come, args=(9,))
    third.start()
    viewer = threading.Thread(target=newcomers.give_way, args=(1,))
    viewer.start()
    third.join(0.2)
    assert third.is_alive() and viewer.is_alive()
    newcomers.give_way(7)  # those who begin do not wait for those who will
    newcomers.settled(7)
    for thread in (third, viewer):
        thread.join(30)
        assert not thread.is_alive()


def test_newcomers_begin_in_the_order_in_which_they_came() -> None:
    newcomers, began = Newcomers(settling_seconds=60), []

    def come(number: int) -> None:
        newcomers.come(number)
        began.append(number)
        newcomers.settled(number)

    newcomers.come(1)
    newcomers.come(2)
    threads = [threading.Thread(target=come, args=(number,)) for number in (5, 4, 3)]
    for thread in threads:
        thread.start()
        time.sleep(0.05)
    newcomers.settled(2)
    for thread in threads:
        thread.join(30)
    assert began == [5, 4, 3]


def test_a_newcomer_whose_frames_never_come_holds_nobody_up_for_long() -> None:
    newcomers = Newcomers(seconds=0.01, settling_seconds=0.01)
    for number in (7, 8, 9):
        newcomers.come(number)
    newcomers.give_way(1)
