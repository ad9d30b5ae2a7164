"""People at several devices play one game: seats and their tokens, clocks, spectators, endings, rematches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from gridsage.core import trace
from gridsage.games import catalog
from gridsage.store import Store
from gridsage.web import messages, tables
from gridsage.web.crew import Crew
from web.boards import ONE_ROBOT
from web.page_server import Server
from web.test_crew import with_crew

ON_THE_EDGE = "........\n" * 3 + "......xo\n" + "........\n" * 4
NIM = {"game": "nim", "text": "5", "agents": ["human", "human"]}
ROUNDS = {"game": "ricochet-rounds", "text": ONE_ROBOT, "options": {"rounds": 1}, "agents": ["human", "human"]}
NOT_ADMITTED = 4003
BAD_MESSAGE = 1003


class Guest:
    """One connection to a table, without a browser."""

    def __init__(self, socket: ClientConnection, table: str, **join: str) -> None:
        self.socket = socket
        self._waiting: list[dict[str, Any]] = []
        self.say(m="join", table=table, **join)

    def say(self, **message: Any) -> None:
        self.socket.send(msgspec.json.encode(message).decode())

    def hear(self, kind: str, until: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
        """Return the next message of this kind that is as wanted."""
        while True:
            while self._waiting:
                message = self._waiting.pop(0)
                assert message["m"] != "error", message
                if message["m"] == kind and until(message):
                    return message
            told = msgspec.json.decode(self.socket.recv(timeout=60))
            self._waiting += told if isinstance(told, list) else [told]

    def turn(self, t: int) -> dict[str, Any]:
        return self.hear("turn", lambda turn: turn["t"] >= t)

    def act(self, label: str, turn: dict[str, Any]) -> None:
        self.say(m="action", seq=1, action=next(action for action, words, *_ in turn["legal"] if words == label))

    def refusal(self) -> tuple[int, str]:
        """Return why the server hangs up."""
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                self.socket.recv(timeout=30)
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code, closed.value.rcvd.reason


@pytest.fixture
def guest(server: Server) -> Iterator[Callable[..., Guest]]:
    with ExitStack() as stack:

        def come(table: str, **join: str) -> Guest:
            address = f"{server.address.replace('http', 'ws')}/ws"
            return Guest(stack.enter_context(connect(address, open_timeout=30)), table, **join)

        yield come


def set_up(server: Server, wish: dict[str, Any], **more: Any) -> dict[str, str]:
    answer = httpx.post(f"{server.address}/api/tables", json={"m": "invite", **wish, **more}, timeout=60)
    assert answer.status_code == 200, answer.text
    made: dict[str, str] = answer.json()
    return made


def both(server: Server, guest: Callable[..., Guest], wish: dict[str, Any], **more: Any) -> tuple[str, Guest, Guest]:
    """Return a table with two people who sit at it."""
    made = set_up(server, wish, **more)
    first = guest(made["id"], token=made["token"])
    chairs = first.hear("seats")["chairs"]
    second = guest(made["id"], invitation=chairs[1]["invitation"], name="Ben")
    return made["id"], first, second


def test_two_people_play_a_game_that_a_third_one_watches(server: Server, guest: Callable[..., Guest]) -> None:
    table, first, second = both(server, guest, NIM, name="Ann")
    spectator = guest(table)
    assert [chair["name"] for chair in spectator.hear("seats")["chairs"]] == ["Ann", "Ben"]
    heap = int(first.hear("frame")["x"].split()[0])
    movers, t = [first, second], 0
    while heap:
        taken = min(3, heap)
        turn = movers[t % 2].turn(t)
        assert turn["legal"]
        assert movers[(t + 1) % 2].turn(t)["legal"] == []
        movers[t % 2].act(f"take {taken}", turn)
        heap, t = heap - taken, t + 1
    over = spectator.hear("turn", lambda one: one["over"] is not None)
    assert over["over"]["winner"] == (t - 1) % 2
    assert over["legal"] == []


def test_a_game_is_kept_with_a_trace_that_holds(server: Server, guest: Callable[..., Guest]) -> None:
    _, first, second = both(server, guest, NIM)
    first.act("take 1", first.turn(0))
    second.turn(1)
    first.say(m="leave")  # also whoever is not at turn
    over = second.hear("turn", lambda one: one["over"] is not None)["over"]
    assert (over["reason"], over["winner"]) == ("left", 1)
    second.say(m="keep")
    kept = Store(server.home).load(second.hear("kept")["id"])
    room = catalog.room("nim")
    assert trace.verify(kept, room.rules.game(), catalog.options(room, {})) == 1
    assert kept.salt  # nobody could know beforehand what the rules draw


def test_whoever_comes_back_with_the_token_sits_there_again(server: Server, guest: Callable[..., Guest]) -> None:
    made = set_up(server, NIM)
    first = guest(made["id"], token=made["token"])
    second = guest(made["id"], invitation=first.hear("seats")["chairs"][1]["invitation"])
    token = second.hear("seats", lambda news: news["you"] == 1)["token"]
    first.act("take 1", first.turn(0))
    second.turn(1)
    second.socket.close()
    first.hear("seats", lambda news: not news["chairs"][1]["there"])
    back = guest(made["id"], token=token)
    assert back.hear("seats")["you"] == 1
    assert back.hear("frame", lambda frame: frame["t"] == 1)["a"] == "take 1"  # the past is told
    back.act("take 2", back.turn(1))
    assert first.turn(2)["legal"]


def test_an_invitation_leads_to_one_seat_once(server: Server, guest: Callable[..., Guest]) -> None:
    made = set_up(server, NIM)
    first = guest(made["id"], token=made["token"])
    invitation = first.hear("seats")["chairs"][1]["invitation"]
    spectator = guest(made["id"])
    assert "invitation" not in spectator.hear("seats")["chairs"][1]
    guest(made["id"], invitation=invitation).hear("hello")
    assert guest(made["id"], invitation=invitation).refusal()[0] == NOT_ADMITTED


@pytest.mark.parametrize("secret", ["x", "A" * 24, "\u00e9"])
def test_a_token_that_was_guessed_or_belongs_elsewhere_gives_no_seat(
    server: Server, guest: Callable[..., Guest], secret: str
) -> None:
    made, other = set_up(server, NIM), set_up(server, NIM)
    assert guest(made["id"], token=secret).refusal()[0] == NOT_ADMITTED
    assert guest(made["id"], invitation=secret).refusal()[0] == NOT_ADMITTED
    assert guest(made["id"], token=other["token"]).refusal()[0] == NOT_ADMITTED
    assert guest("no-such-table").refusal() == (NOT_ADMITTED, "This table is not there any more, or never was.")


@pytest.mark.parametrize(
    "message",
    [{"m": "action", "seq": 1, "action": 1}, {"m": "leave"}, {"m": "rematch"}, {"m": "keep"}, {"m": "undo", "t": 0}],
)
def test_a_spectator_cannot_act(server: Server, guest: Callable[..., Guest], message: dict[str, Any]) -> None:
    table, first, _ = both(server, guest, NIM)
    spectator = guest(table)
    spectator.hear("turn")
    spectator.say(**message)
    assert spectator.refusal() == (BAD_MESSAGE, "spectators cannot act")
    first.act("take 1", first.turn(0))
    assert first.turn(1)["over"] is None


def test_nobody_moves_for_the_other_seat_or_takes_back(server: Server, guest: Callable[..., Guest]) -> None:
    _, first, second = both(server, guest, NIM)
    second.turn(0)
    second.say(m="action", seq=1, action=1)
    assert second.hear("refused")["text"] == "it is not your turn"
    second.say(m="from_seat", seat=0, said={"m": "leave"})
    assert second.refusal()[0] == BAD_MESSAGE
    first.turn(0)
    first.say(m="undo", t=0)
    assert first.refusal() == (BAD_MESSAGE, "this cannot be asked at a table")


@pytest.mark.parametrize(
    "message",
    [
        {"m": "host", "game": "nim", "agents": ["human", "human"], "names": ["a", "b"]},
        {"m": "export", "id": "abcd", "form": "png"},
        {"m": "from_seat", "seat": 0, "said": {"m": "leave"}},
        {"m": "invite", "game": "nim"},
    ],
)
def test_what_only_the_server_says_is_refused_from_a_browser(server: Server, message: dict[str, Any]) -> None:
    with connect(f"{server.address.replace('http', 'ws')}/ws", open_timeout=30) as socket:
        socket.send(msgspec.json.encode(message).decode())
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=30)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == BAD_MESSAGE


def test_only_whoever_made_a_table_lists_it(server: Server, guest: Callable[..., Guest]) -> None:
    def listed() -> list[str]:
        return [game["id"] for game in httpx.get(f"{server.address}/api/running").json()["games"]]

    table, first, second = both(server, guest, NIM)
    first.turn(0)
    assert table not in listed()
    first.say(m="show", listed=True)
    assert second.hear("seats", lambda news: news["listed"])["watching"] == 0
    assert table in listed()
    second.say(m="show", listed=False)
    assert second.refusal() == (BAD_MESSAGE, "only whoever made the table can list it")
    assert table in listed()


def test_a_rematch_swaps_the_seats_when_both_want_it(server: Server, guest: Callable[..., Guest]) -> None:
    table, first, second = both(server, guest, NIM, name="Ann")
    first.turn(0)
    first.say(m="leave")
    second.hear("turn", lambda one: one["over"] is not None)
    first.say(m="rematch")
    assert second.hear("seats", lambda news: news["chairs"][0]["again"])["state"] == "over"
    second.say(m="rematch")
    news = second.hear("seats", lambda one: one["state"] == "playing" and one["you"] == 0)
    assert [chair["name"] for chair in news["chairs"]] == ["Ben", "Ann"]
    second.hear("hello")
    assert second.turn(0)["legal"]
    assert first.hear("turn", lambda one: one["over"] is None and not one["legal"])["mover"] == "Ben"
    late = guest(table)
    assert late.hear("frame")["t"] == 0  # nothing of the first game


def test_time_that_is_up_ends_the_game_by_name(server: Server, guest: Callable[..., Guest]) -> None:
    _, first, second = both(server, guest, NIM, minutes=0.01)
    turn = first.turn(0)
    assert turn["running"] == 0 and 0 < turn["clocks"][0] <= 600 == turn["clocks"][1]
    over = second.hear("turn", lambda one: one["over"] is not None)["over"]
    assert (over["reason"], over["winner"]) == ("timeout", 1)


def test_the_glass_runs_on_the_server_and_its_end_is_an_action(server: Server, guest: Callable[..., Guest]) -> None:
    wish = {**ROUNDS, "options": {"rounds": 1, "hourglass_seconds": 1}}
    table, first, second = both(server, guest, wish)
    spectator = guest(table)
    spectator.turn(0)
    second.act("claim 2", second.turn(0))  # out of turn: the rules ask the first seat first
    turn = spectator.hear("turn", lambda one: one["left"] is not None)
    assert 0 < turn["left"] <= 1000
    showing = second.hear("turn", lambda one: any(label.startswith("red") for _, label, *_ in one["legal"]))
    labels = [first.hear("frame", lambda frame: frame["t"] > 0)["a"] for _ in range(showing["t"])]
    assert labels[:2] == ["wait", "claim 2"]
    assert labels[-1] == "time is up"
    for label in ("red right", "red down"):
        second.act(label, showing)
        showing = second.turn(showing["t"] + 1)
    assert first.hear("turn", lambda one: one["over"] is not None)["over"]["winner"] == 1


def test_nobody_names_a_number_twice_or_ends_the_time(server: Server, guest: Callable[..., Guest]) -> None:
    _, first, second = both(server, guest, ROUNDS)
    first.act("claim 5", first.turn(0))
    turn = first.hear("turn", lambda one: one["t"] > 0)
    labels = [label for _, label, *_ in turn["legal"]]
    assert "claim 4" in labels and "claim 5" not in labels and "time is up" not in labels
    game = catalog.room("ricochet-rounds").rules.game()
    first.say(m="action", seq=2, action=game.action("time is up"))
    assert first.hear("refused")["text"] == "that cannot be said now"
    for one in (first, second):
        one.act("wait", one.turn(turn["t"]))
    showing = first.hear("turn", lambda one: any(label.startswith("red") for _, label, *_ in one["legal"]))
    assert showing["t"] > turn["t"]


def test_an_agent_names_its_number_after_its_patience(server: Server, guest: Callable[..., Guest]) -> None:
    made = set_up(server, {**ROUNDS, "agents": ["human", "astar"], "nodes": 5_000}, patience=1)
    person = guest(made["id"], token=made["token"])
    assert person.turn(0)["left"] is None
    named = person.hear("frame", lambda frame: frame.get("a", "").startswith("claim"))
    assert (named["a"], named["by"]) == ("claim 2", 1)
    assert person.hear("turn", lambda one: one["left"] is not None)["left"] <= 60_000


def test_what_is_hidden_from_a_seat_is_hidden_from_spectators(server: Server, guest: Callable[..., Guest]) -> None:
    made = set_up(server, {**ROUNDS, "seed": 12345})
    first = guest(made["id"], token=made["token"])
    guest(made["id"], invitation=first.hear("seats")["chairs"][1]["invitation"])
    for one in (first, guest(made["id"])):
        hello = one.hear("hello")
        assert "seed" not in hello and "12345" not in str(hello)  # it decides the missions to come


def test_one_client_cannot_fill_the_hall(server: Server, guest: Callable[..., Guest]) -> None:
    held = []
    for _ in range(tables.MOST_OF_CLIENT):
        made = set_up(server, NIM)
        held.append(guest(made["id"], token=made["token"]))
        held[-1].hear("seats")
    answer = httpx.post(f"{server.address}/api/tables", json={"m": "invite", **NIM}, timeout=60)
    assert (answer.status_code, answer.json()["text"]) == (429, "you have 8 tables here: finish a game first")


def test_an_invitation_expires_and_is_renewed_for_whoever_made_the_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tables, "INVITED_SECONDS", 0.0)
    wish = messages.Invite("nim", agents=["human", "human"])
    table = tables.SharedTable(Crew(tmp_path), wish, tables.chairs_for(wish, tmp_path), "here")
    old = table.chairs[1].invitation
    with pytest.raises(tables.NotAdmitted, match="expired"):
        table.admit(messages.Join(table.id, invitation=old))
    monkeypatch.setattr(tables, "INVITED_SECONDS", 60.0)
    told = table.told(table.admit(messages.Join(table.id, token=table.owner.token)))
    new = msgspec.convert(told["chairs"], list[dict[str, Any]])[1]["invitation"]
    assert new != old and len(new) >= 24
    with pytest.raises(tables.NotAdmitted, match="never was one"):
        table.admit(messages.Join(table.id, invitation=old))


def test_whoever_stays_away_too_long_has_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tables, "ABSENT_SECONDS", 0.2)
    wish = messages.Invite("nim", agents=["human", "human"])
    chairs = tables.chairs_for(wish, tmp_path)

    async def work(crew: Crew) -> None:
        table = tables.SharedTable(crew, wish, chairs, "here")
        first = table.admit(messages.Join(table.id, token=table.owner.token))
        second = table.admit(messages.Join(table.id, invitation=chairs[1].invitation))
        while not any('"m":"turn"' in text for text in await first.next()):
            pass
        table.leave(second)
        heard = ""
        while '"over":{' not in heard:
            heard = "".join(await first.next())
        assert '"reason":"left"' in heard and '"winner":0' in heard
        table.close()

    with_crew(tmp_path, work)


def test_a_table_that_cannot_be_is_refused_in_words(server: Server) -> None:
    for wish, words in (
        ({"game": "ricochet", "agents": ["human"]}, "a game for one"),
        ({**NIM, "agents": ["human"]}, "2 seats here, got 1 player"),
        ({**NIM, "agents": ["modulo", "modulo"]}, "nobody at this table is a person"),
        ({**NIM, "text": "many"}, "expected the number of matches"),
        ({**NIM, "name": "x" * 25}, "length <= 24"),
        ({**NIM, "minutes": 1e9}, "<= 180"),
        ({**NIM, "agents": ["human", "/etc/passwd.py:Agent"]}, "no agent of nim"),
    ):
        answer = httpx.post(f"{server.address}/api/tables", json={"m": "invite", **wish}, timeout=60)
        assert answer.status_code == 400
        assert words in answer.json()["text"]
    foreign = httpx.post(f"{server.address}/api/tables", json=NIM, headers={"origin": "http://evil.example"})
    assert foreign.status_code == 403


class Cable:
    """What connects a page to the server, until it is cut."""

    def __init__(self, page: Page) -> None:
        self.mended = True
        self._ends: list[WebSocketRoute] = []
        page.context.route_web_socket("**/ws", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        if self.mended:
            self._ends = [socket, socket.connect_to_server()]
        else:
            socket.close()

    def cut(self) -> None:
        self.mended = False
        for end in self._ends:
            end.close()


def seated(page: Page) -> None:
    expect(page.locator(".table-news[data-state=playing]")).to_be_visible()


def mine(page: Page, t: int) -> None:
    expect(page.locator(f".turn[data-turn='mine-{t}']")).to_be_visible()


def test_two_browsers_play_a_whole_game_and_one_is_cut_off_and_back(new_page: Callable[..., Page]) -> None:
    """Push'em All by two people: one loses the connection in between, one reloads, and a rematch swaps the seats."""
    first = new_page("/play/pushem", apart=True)
    settings = {"game": "pushem", "text": ON_THE_EDGE, "agents": ["human", "human"], "name": "<b>Ann</b>"}
    made = first.evaluate(
        "(wish) => fetch('/api/tables', {method: 'POST', body: JSON.stringify(wish)}).then((answer) => answer.json())",
        {"m": "invite", **settings},
    )
    first.evaluate("([id, token]) => localStorage.setItem(`gridsage-seat-${id}`, token)", [made["id"], made["token"]])
    first.goto(f"/table/{made['id']}")
    expect(first.locator(".chair").nth(0)).to_contain_text("<b>Ann</b>")  # a name is text
    link = first.evaluate("gridsage.seats.invitation(gridsage.table.chairs[1].invitation)")
    second = new_page("/help", width=390, height=844)
    cable = Cable(second)
    second.goto(link)
    second.get_by_label("Your name").fill("Ben")
    second.get_by_role("button", name="Sit down").click()
    seated(first)
    seated(second)
    assert "#" not in second.url  # what was used up is not left in the address
    mine(first, 0)
    first.locator("body").press("ArrowLeft")
    mine(first, 1)
    first.locator("body").press("Enter")
    mine(second, 2)
    cable.cut()
    expect(second.locator(".table-news[data-state=away]")).to_be_visible()
    expect(first.locator(".chair").nth(1)).to_contain_text("away")
    cable.mended = True
    mine(second, 2)
    second.locator("body").press("ArrowLeft")
    mine(second, 3)
    second.reload()
    mine(second, 3)
    second.locator("body").press("Enter")
    play_on(first, second, 4)
    for page in (first, second):
        expect(page.locator(".table-head .verdict")).to_contain_text("wins")
    first.get_by_role("button", name="Rematch").click()
    expect(second.locator(".chair").nth(0)).to_contain_text("wants a rematch")
    second.get_by_role("button", name="Rematch").click()
    mine(second, 0)
    expect(first.locator(".table-news")).to_have_text("You are player 2.")


def sit(page: Page, server: Server, table: str, token: str) -> Page:
    """Come to a table with the token of a seat, as after a reload."""
    page.evaluate("([id, token]) => localStorage.setItem(`gridsage-seat-${id}`, token)", [table, token])
    page.goto(f"{server.address}/table/{table}")
    seated(page)
    return page


def test_a_round_is_claimed_at_one_device_and_seen_at_the_other(
    server: Server, guest: Callable[..., Guest], new_page: Callable[..., Page]
) -> None:
    made = set_up(server, ROUNDS, name="Ann")
    opening = guest(made["id"], token=made["token"])
    invited = guest(made["id"], invitation=opening.hear("seats")["chairs"][1]["invitation"], name="Ben")
    token = invited.hear("seats", lambda news: news["you"] == 1)["token"]
    second = sit(new_page("/help", apart=True), server, made["id"], token)
    first = sit(new_page("/help", width=390, height=844), server, made["id"], made["token"])
    second.get_by_role("spinbutton", name="Moves").fill("2")
    second.get_by_role("button", name="I can do it").click()
    expect(first.locator(".claims")).to_contain_text("claimed: player 2: 2")
    expect(first.locator(".sand")).to_contain_text("seconds left")
    for page in (first, second):
        page.get_by_role("button", name="Nothing to add").click()
    expect(first.locator(".turn")).to_have_text("Ben is thinking…")
    for key in ("ArrowRight", "ArrowDown"):
        expect(second.locator(".turn[data-turn^=mine]")).to_be_visible()
        second.locator("body").press("r")
        second.locator("body").press(key)
    expect(first.locator(".table-head .verdict")).to_have_text("match over. Ben wins.")


def play_on(first: Page, second: Page, t: int) -> None:
    """Let both step to the left, without cards, until somebody is off the board."""
    for move in range(t, t + 60):
        page = [first, second][move // 2 % 2]
        expect(page.locator(f".turn[data-turn='mine-{move}'], .turn[data-turn=over]")).to_be_visible()
        if page.locator(".turn[data-turn=over]").is_visible():
            return
        page.locator("body").press("Enter" if move % 2 else "ArrowLeft")
    raise AssertionError("nobody fell off the board")
