"""An invitation to a server with a token opens its own table and nothing else, and never carries the token."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from gridsage.web import guests
from web.page_server import Server, start_server
from web.test_guard import TOKEN, ask

TABLE, LIVE = "/table/aB3-_x", "/live/aB3-_x"
KEY = guests.key_of(TOKEN, TABLE)
COOKIE = f"gridsage_guest_aB3-_x={KEY}"


def test_a_key_becomes_a_cookie_that_scripts_and_foreign_requests_do_not_get() -> None:
    status, headers = ask(TABLE, f"guest={KEY}")
    assert (status, headers["location"]) == (303, TABLE)
    assert headers["set-cookie"] == f"{COOKIE}; Path=/; HttpOnly; SameSite=Lax"
    assert TOKEN not in str(headers)


def test_the_token_becomes_such_a_cookie_too() -> None:
    status, headers = ask("/", f"token={TOKEN}")
    assert (status, headers["location"]) == (303, "/")
    assert headers["set-cookie"] == f"gridsage_token={TOKEN}; Path=/; HttpOnly; SameSite=Lax"


@pytest.mark.parametrize("path", [TABLE, "/static/0/style.css", "/favicon.ico"])
def test_a_guest_sees_the_table_and_what_its_page_is_made_of(path: str) -> None:
    assert ask(path, cookie=f"a=b; {COOKIE}; gridsage_guest_other=1")[0] == 200


@pytest.mark.parametrize(
    "path", ["/", LIVE, "/table/other", "/play/ricochet", "/replays", "/api/traces", f"{TABLE}/", "/table/", "/ws"]
)
def test_a_guest_sees_nothing_else(path: str) -> None:
    assert ask(path, cookie=COOKIE)[0] == 403
    assert ask(path, f"guest={KEY}")[0] == 403


def test_a_guest_changes_nothing() -> None:
    assert ask(TABLE, cookie=COOKIE, method="POST")[0] == 403
    assert ask(TABLE, f"guest={KEY}", method="POST")[0] == 403
    assert ask("/static/0/style.css", cookie=COOKIE, method="POST")[0] == 403


@pytest.mark.parametrize(
    "cookie",
    [
        f"gridsage_guest_other={KEY}",
        f"gridsage_guest_aB3-_x={guests.key_of(TOKEN, LIVE)[:-1]}",
        f"gridsage_guest_aB3-_x={guests.key_of('another-token', TABLE)}",
        "gridsage_guest_aB3-_x=",
        f"gridsage_guest_={guests.key_of(TOKEN, '/table/')}",
        f"gridsage_token={KEY}",
    ],
)
def test_a_key_of_something_else_opens_nothing(cookie: str) -> None:
    assert ask(TABLE, cookie=cookie)[0] == 403


def test_an_address_needs_no_key_where_there_is_no_token() -> None:
    assert guests.address(None, TABLE) == TABLE
    assert guests.address(TOKEN, TABLE) == f"{TABLE}?guest={KEY}"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    call = f"serve('0.0.0.0', 0, False, token={TOKEN!r})"
    program = f"if __name__ == '__main__':\n    from gridsage.web.app import serve\n    {call}\n"
    server = start_server(Path(tmp_path_factory.mktemp("guarded")), program)
    port = server.address.split("/?")[0].rpartition(":")[2]
    server.address = f"http://127.0.0.1:{port}"
    yield server
    server.end()


def line(server: Server, cookie: str) -> ClientConnection:
    address = f"{server.address.replace('http', 'ws')}/ws"
    return connect(address, additional_headers={"cookie": cookie}, open_timeout=30)


def test_an_invited_person_plays_without_ever_hearing_the_token(guarded: Server) -> None:
    wish = {"m": "invite", "game": "nim", "text": "5", "agents": ["human", "human"], "name": "Ann"}
    own = {"gridsage_token": TOKEN}
    with httpx.Client(cookies=own, timeout=60) as owner, httpx.Client(timeout=60) as invited:
        made = owner.post(f"{guarded.address}/api/tables", json=wish).json()
        assert TOKEN not in made["address"]
        with line(guarded, f"gridsage_token={TOKEN}") as first:
            first.send(msgspec.json.encode({"m": "join", "table": made["id"], "token": made["token"]}).decode())
            chairs = msgspec.json.decode(first.recv(timeout=60))
            chairs = (chairs[0] if isinstance(chairs, list) else chairs)["chairs"]
            welcome = invited.get(guarded.address + made["address"])
            page = invited.get(f"{guarded.address}/table/{made['id']}")
            assert (welcome.status_code, page.status_code) == (303, 200)
            assert TOKEN not in page.text + str(welcome.headers) + str(page.headers)
            assert invited.get(f"{guarded.address}/").status_code == 403
            cookie = "; ".join(f"{name}={value}" for name, value in invited.cookies.items())
            with line(guarded, cookie) as second:
                join = {"m": "join", "table": made["id"], "invitation": chairs[1]["invitation"], "name": "Ben"}
                second.send(msgspec.json.encode(join).decode())
                seats = msgspec.json.decode(second.recv(timeout=60))
                assert (seats[0] if isinstance(seats, list) else seats)["you"] == 1
            with line(guarded, cookie) as other, pytest.raises(ConnectionClosed, match="opens its own table"):
                other.send(msgspec.json.encode({"m": "play", "game": "nim", "agents": ["human", "human"]}).decode())
                other.recv(timeout=60)
