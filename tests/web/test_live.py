"""One game for many eyes: whoever opens its address watches the same game with its past, and can do nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import msgspec
import pytest
from playwright.sync_api import Page, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from gridsage.web.broadcast import EVERYBODY, FRAME, HELLO, KEY, LATEST, MOST_BEHIND, PLAIN, Broadcast, Told, Viewer
from web.page_server import Server

STROLL = {"m": "play", "game": "stroll", "level": "short", "agents": ["human"]}
WALK = {"m": "watch", "game": "stroll", "level": "short", "agents": ["straight"], "nodes": 10}


def board(server: Server) -> connect:
    return connect(f"{server.address.replace('http', 'ws')}/ws", open_timeout=30)


def say(socket: ClientConnection, **message: Any) -> None:
    socket.send(msgspec.json.encode(message).decode())


def until(socket: ClientConnection, kind: str) -> list[dict[str, Any]]:
    """Return what is heard up to the first message of this kind."""
    heard: list[dict[str, Any]] = []
    while kind not in [message["m"] for message in heard]:
        told = msgspec.json.decode(socket.recv(timeout=60))
        heard += told if isinstance(told, list) else [told]
    return heard


def shown(socket: ClientConnection, listed: bool = False) -> str:
    """Let others watch, and return the name of the game."""
    say(socket, m="show", listed=listed)
    address: str = until(socket, "shown")[-1]["address"]
    return address.removeprefix("/live/")


def test_whoever_comes_later_sees_the_same_game_with_its_past(server: Server) -> None:
    with board(server) as owner, board(server) as viewer:
        say(owner, **WALK)
        heard = until(owner, "end")
        say(viewer, m="join", table=shown(owner))
        seen = until(viewer, "end")
    assert seen == [message for message in heard if message["m"] != "progress"]
    assert [frame["t"] for frame in seen if frame["m"] == "frame"] == [0, 1, 2, 3, 4]


def test_viewers_follow_a_person_but_hear_no_answer_to_their_questions(server: Server) -> None:
    with board(server) as owner, board(server) as viewer:
        say(owner, **STROLL)
        turn = until(owner, "turn")[-1]
        say(viewer, m="join", table=shown(owner))
        until(viewer, "turn")
        say(owner, m="words", t=0)
        until(owner, "words")
        say(owner, m="action", seq=1, action=turn["legal"][0][0])
        assert "words" not in [message["m"] for message in until(viewer, "turn")]


@pytest.mark.parametrize("message", [{"m": "action", "seq": 1, "action": 0}, {"m": "keep"}, {"m": "show"}, WALK])
def test_a_viewer_cannot_act(server: Server, message: dict[str, Any]) -> None:
    with board(server) as owner, board(server) as viewer:
        say(owner, **STROLL)
        until(owner, "turn")
        say(viewer, m="join", table=shown(owner))
        until(viewer, "turn")
        say(viewer, **message)
        with pytest.raises(ConnectionClosed) as closed:
            viewer.recv(timeout=30)
        assert closed.value.rcvd is not None and closed.value.rcvd.reason == "spectators cannot act"


def test_what_is_not_shown_any_more_cannot_be_found(server: Server) -> None:
    with board(server) as owner, board(server) as viewer, board(server) as late:
        say(owner, **STROLL)
        until(owner, "turn")
        name = shown(owner)
        assert httpx.get(f"{server.address}/live/{name}").status_code == 200
        say(viewer, m="join", table=name)
        until(viewer, "turn")
        say(owner, m="show", on=False)
        until(owner, "shown")
        with pytest.raises(ConnectionClosed):
            viewer.recv(timeout=30)
        assert httpx.get(f"{server.address}/live/{name}").status_code == 404
        say(late, m="join", table=name)
        with pytest.raises(ConnectionClosed):
            late.recv(timeout=30)
        assert shown(owner) != name


def test_only_games_that_people_chose_to_list_run_in_public(server: Server, new_page: Callable[..., Page]) -> None:
    with board(server) as owner, board(server) as other:
        for socket in (owner, other):
            say(socket, **STROLL)
            turn = until(socket, "turn")[-1]
        name, hidden = shown(owner, listed=True), shown(other)
        listed = httpx.get(f"{server.address}/api/running").json()["games"]
        assert [(game["id"], game["kind"], game["players"]) for game in listed] == [(name, "game", ["human"])]
        page = new_page("/", width=390, height=844)
        assert hidden not in page.content()
        page.get_by_role("region", name="Running now").get_by_role("link").click()
        expect(page.locator("canvas[data-ready=yes]")).to_have_attribute("data-t", "0")
        say(owner, m="action", seq=1, action=turn["legal"][0][0])
        expect(page.locator("canvas[data-ready=yes]")).to_have_attribute("data-t", "1")
        owner.close()
        expect(page.locator(".live-news")).to_contain_text("It is over")


def test_a_bench_is_watched_while_it_runs(server: Server, new_page: Callable[..., Page]) -> None:
    bench = {"m": "bench", "game": "nim", "agents": ["anyhow"], "last_seed": 5_000, "nodes": 77}
    with board(server) as owner:
        say(owner, **bench)
        page = new_page(f"/live/{shown(owner)}")
        expect(page.locator(".bench-words")).to_contain_text("of 5,000")
        expect(page.locator("table.list")).to_contain_text("anyhow")
        owner.close()
        expect(page.locator(".live-news")).to_contain_text("It is over")


def told(text: str, kind: int) -> Told:
    return Told(f'{{"m":"{text}","n":0}}', EVERYBODY, kind)


def test_a_viewer_far_behind_is_shown_the_newest_whole_position_and_loses_no_other_message() -> None:
    broadcast = Broadcast()
    viewer = Viewer(broadcast)
    for t in range(MOST_BEHIND):
        broadcast.tell(told(f"frame{t}", KEY if t % 50 == 0 else FRAME))
    broadcast.tell(told("kept", PLAIN))
    newest = [told(f"last{t}", FRAME if t else KEY) for t in range(3)]
    for one in newest:
        broadcast.tell(one)
    assert viewer.waiting() == [told("kept", PLAIN).text, *(one.text for one in newest)]
    assert viewer.skipped == MOST_BEHIND
    assert viewer.waiting() == []


def test_a_viewer_who_comes_late_is_told_all_of_the_past_in_parts() -> None:
    broadcast = Broadcast()
    frames = [told("hello", HELLO), *(told(f"frame{t}", FRAME if t else KEY) for t in range(3 * MOST_BEHIND))]
    for one in frames:
        broadcast.tell(one)
    viewer, heard = Viewer(broadcast), list[str]()
    while part := viewer.waiting():
        assert len(part) <= 64
        heard += part
    assert heard == [one.text for one in frames]
    assert viewer.skipped == 0


def test_only_the_last_turn_is_told_to_whoever_comes_later() -> None:
    broadcast = Broadcast()
    for number in range(3):
        broadcast.tell(Told(f'{{"m":"turn","n":{number}}}', EVERYBODY, LATEST))
    broadcast.tell(told("played", LATEST))
    assert Viewer(broadcast).waiting() == ['{"m":"turn","n":2}', told("played", LATEST).text]


def test_a_past_that_is_too_long_begins_with_its_greeting_and_a_whole_position() -> None:
    broadcast = Broadcast(most_bytes=4_000)
    broadcast.tell(told("hello", HELLO))
    for t in range(500):
        broadcast.tell(told(f"frame{t}", KEY if t % 20 == 0 else FRAME))
    heard = Viewer(broadcast).waiting()
    assert heard[0] == told("hello", HELLO).text
    number = int(heard[1].split('"')[3].removeprefix("frame"))
    assert number > 200 and number % 20 == 0
