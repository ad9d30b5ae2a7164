"""The server without a browser: what it answers, whom it refuses, and that it leaves nothing behind."""

from __future__ import annotations

import asyncio
import gzip
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
import psutil
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from gridsage.arena import executors, tournament
from gridsage.core import trace
from gridsage.core.errors import GridsageError
from gridsage.core.game import Budget, Outcome
from gridsage.games import catalog
from gridsage.store import NOT_CHECKABLE, VERIFIED, Store
from gridsage.web import messages
from gridsage.web.crew import Crew
from web.page_server import Server, start_server

PATIENCE = 60.0  # seconds: a busy machine is no failure
WALK = {"m": "watch", "game": "stroll", "level": "short", "agents": ["straight"], "nodes": 10}
# A corridor whose bonus nobody can reach: two thousand rounds.
CORRIDOR = "WWWWWWWWWW\nWR......XW\nWWWWWWWWWW\nWWWWBWWWWW\nWWWWWWWWWW\n"
ENDLESS = {"m": "watch", "game": "loderunner", "text": CORRIDOR, "agents": ["random"], "nodes": 1}


def board(server: Server, **more: Any) -> ClientConnection:
    return connect(f"{server.address.replace('http', 'ws')}/ws", open_timeout=30, close_timeout=1, **more)


def say(socket: ClientConnection, message: dict[str, Any]) -> None:
    socket.send(msgspec.json.encode(message).decode())


def hear(socket: ClientConnection) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(socket.recv(timeout=60))
    return found


def until(socket: ClientConnection, kind: str) -> list[dict[str, Any]]:
    heard = [hear(socket)]
    while heard[-1]["m"] != kind:
        assert heard[-1]["m"] != "error", heard[-1]
        heard.append(hear(socket))
    return heard


def soon(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)  # polls another process, which cannot be waited for
    return False


def test_a_game_is_told_as_hello_frames_and_end(server: Server) -> None:
    with board(server) as socket:
        say(socket, WALK)
        heard = until(socket, "end")
    hello, *frames, end = [message for message in heard if message["m"] != "progress"]
    assert (hello["m"], hello["w"], hello["h"], hello["players"]) == ("hello", 5, 1, ["straight"])
    assert [frame["t"] for frame in frames] == [0, 1, 2, 3, 4]
    assert len(frames[0]["k"]) == 5
    assert [frame["e"][0][2] for frame in frames] == [0, 1, 2, 3, 4]
    assert (end["reason"], end["winner"]) == ("arrived", 0)


def test_the_server_stays_at_most_sixty_frames_ahead_of_the_ack(server: Server) -> None:
    with board(server) as socket:
        say(socket, ENDLESS)
        heard = until(socket, "frame")
        while heard[-1].get("t", 0) < 61:
            heard.append(hear(socket))
        with pytest.raises(TimeoutError):
            socket.recv(timeout=1)
        say(socket, {"m": "ack", "t": heard[-1]["t"]})
        assert hear(socket)["t"] == heard[-1]["t"] + 1


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ("this is no JSON", "not a message"),
        ('{"m":"ack","t":1}', "first message"),
        ('{"m":"nonsense"}', "not a message"),
        ('{"m":"watch","game":"stroll","nodes":-1}', "not a message"),
        ('{"m":"watch","game":"stroll","extra":1}', "not a message"),
        ('{"m":"watch","game":"stroll","seconds":1e9}', "not a message"),
        (f'{{"m":"generate","game":"loderunner","settings":{{"rows":{10**30}}}}}', "not a message"),
        (f'{{"m":"watch","game":"stroll","options":{{"patience":{10**20}}}}}', "not a message"),
        (f'{{"m":"watch","game":"stroll","options":{{"patience":{-(10**20)}}}}}', "not a message"),
        ("[" * 50_000, "not a message"),
    ],
)
def test_a_malformed_message_ends_its_connection_with_a_reason_and_nothing_else(
    server: Server, sent: str, reason: str
) -> None:
    with board(server) as other, board(server) as socket:
        socket.send(sent)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=30)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1003
        assert reason in closed.value.rcvd.reason
        say(other, WALK)
        assert until(other, "end")[-1]["reason"] == "arrived"


def test_wrong_names_are_answered_in_words(server: Server) -> None:
    for wish, words in (
        ({"game": "strol"}, "did you mean stroll"),
        ({"agents": ["straigt"]}, "did you mean straight"),
        ({"agents": ["/etc/passwd.py:Agent"]}, "no agent of stroll"),
        ({"level": "../../etc/passwd"}, "no level of stroll"),
        ({"level": "own/../../secret"}, "a level's name is letters"),
        ({"options": {"patienc": 3}}, "did you mean patience"),
        ({"text": "no level"}, "is no cell"),
    ):
        with board(server) as socket:
            say(socket, WALK | wish)
            answer = hear(socket)
            assert answer["m"] == "error"
            assert words in answer["text"]


def test_a_foreign_origin_or_host_is_refused(server: Server) -> None:
    with pytest.raises(InvalidStatus):
        board(server, origin="http://evil.example")
    answer = httpx.get(server.address, timeout=PATIENCE, headers={"host": "evil.example"})
    assert answer.status_code == 403
    posted = httpx.post(
        f"{server.address}/api/traces", content=b"x", timeout=PATIENCE, headers={"origin": "http://evil.example"}
    )
    assert posted.status_code == 403


def test_a_page_may_run_the_script_that_it_names_and_no_other(server: Server) -> None:
    answer = httpx.get(f"{server.address}/watch/stroll", timeout=PATIENCE)
    policy = dict(rule.split(" ", 1) for rule in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["style-src"] == "'self'"
    host = server.address.removeprefix("http://")
    (named,) = policy["script-src"].split(" ")
    assert re.fullmatch(rf"{host}/static/[0-9a-f]{{12}}/bundle/watch\.js", named)
    assert [host + script for script in re.findall(r'<script type="module" src="([^"]+)"', answer.text)] == [named]


def test_what_is_no_page_may_run_nothing(server: Server) -> None:
    for path in ("/api/traces", "/api/preview/nosuch"):
        policy = httpx.get(server.address + path, timeout=PATIENCE).headers["content-security-policy"]
        assert policy == "default-src 'none'; frame-ancestors 'none'"


def test_a_name_in_an_address_cannot_end_the_data_of_its_page(server: Server) -> None:
    evil = "</script><script>alert(1)</script>"
    for path in (f"/replay/{quote(evil, safe='')}", f"/{quote(evil, safe='')}"):
        answer = httpx.get(server.address + path, timeout=PATIENCE)
        assert answer.text.count("<script") == 2  # ours, and the data
        assert answer.text.count("</script>") == 2


def test_head_answers_like_get_without_the_page(server: Server) -> None:
    for path in ("/", "/watch/stroll", "/replays"):
        head, whole = (httpx.request(method, server.address + path, timeout=PATIENCE) for method in ("HEAD", "GET"))
        assert head.status_code == whole.status_code == 200
        assert head.content == b"" and head.headers["content-type"] == whole.headers["content-type"]


def test_every_page_has_a_title_of_its_own(server: Server) -> None:
    paths = (
        "/",
        "/watch/stroll",
        "/play/stroll",
        "/edit/stroll",
        "/replays",
        "/replay/1234",
        "/compare",
        "/help",
        "/no",
    )
    pages = [httpx.get(server.address + path, timeout=PATIENCE).text for path in paths]
    titles = [re.findall("<title>([^<]*)</title>", page)[0] for page in pages]
    assert len(set(titles)) == len(paths)
    assert "Watch Stroll · gridsage" in titles


def test_files_travel_compressed_and_are_kept_by_their_content(server: Server) -> None:
    page = httpx.get(f"{server.address}/", timeout=PATIENCE)
    assert page.headers["content-encoding"] == "gzip" and page.headers["cache-control"] == "no-cache"
    style = re.findall(r'href="(/static/[^"]+style.css)"', page.text)[0]
    kept = httpx.get(server.address + style, timeout=PATIENCE)
    assert "immutable" in kept.headers["cache-control"]
    assert kept.headers["content-encoding"] == "gzip" and "--accent" in kept.text
    plain = httpx.get(server.address + style, timeout=PATIENCE, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.text == kept.text
    old = httpx.get(server.address + re.sub("/static/[^/]+", "/static/0123", style), timeout=PATIENCE)
    assert old.headers["cache-control"] == "no-cache" and old.text == kept.text


def test_files_outside_their_folder_are_not_served(server: Server) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/api/traces/..%2f..%2findex"):
        assert httpx.get(server.address + path, timeout=PATIENCE).status_code in (403, 404)


def test_an_upload_that_unpacks_to_too_much_is_refused(server: Server) -> None:
    bomb = gzip.compress(b" " * 100_000_000, compresslevel=9)
    answer = httpx.post(f"{server.address}/api/traces", content=bomb, timeout=PATIENCE)
    assert answer.status_code == 400
    assert "larger than" in answer.json()["text"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"a":' * 1_000_000, "forest.trace is not a gridsage trace: it is nested too deeply"),
        (b"\x89PNG\r\n", "forest.trace is not a gridsage trace: it is not JSON"),
        (b'{"version":1}', "forest.trace is not a gridsage trace: it lacks `game`"),
        (
            b'{"version":"one"}',
            "forest.trace is not a gridsage trace: `version`: expected a whole number, found a text",
        ),
        (b"[1, 2]", "forest.trace is not a gridsage trace: expected named values, found a list"),
        (gzip.compress(b"{}" * 999, mtime=0)[:-9], "forest.trace: damaged compression"),
    ],
)
def test_an_upload_that_is_no_trace_is_refused_in_words(server: Server, data: bytes, words: str) -> None:
    head = {"x-file-name": "forest.trace"}
    answer = httpx.post(f"{server.address}/api/traces", content=data, headers=head, timeout=PATIENCE)
    assert (answer.status_code, answer.json()["text"]) == (400, words)


def test_a_generator_that_takes_long_says_how_long_it_may_take(server: Server) -> None:
    with board(server) as socket:
        say(socket, {"m": "generate", "game": "ricochet", "settings": {"moves": 30}})
        making = until(socket, "making")[-1]
        assert making["seconds"] == 1 < making["of"]
        assert until(socket, "making")[-1]["seconds"] == 2


def test_a_generator_that_finds_nothing_ends_with_a_sentence(server: Server) -> None:
    with board(server) as socket:
        say(socket, {"m": "generate", "game": "ricochet", "settings": {"moves": 30}, "seconds": 2})
        heard = [hear(socket) for _ in range(3)]
    assert [message["m"] for message in heard] == ["making", "making", "error"]
    assert heard[-1]["text"] == "no level like that was found in 2 seconds: ask for less"


def test_two_games_at_once_do_not_mix(server: Server) -> None:
    with board(server) as one, board(server) as two:
        say(one, WALK)
        say(two, WALK | {"text": "S......X"})
        assert until(two, "end")[-2]["e"][0][2] == 7
        assert until(one, "end")[-2]["e"][0][2] == 4


def test_fifty_viewers_see_every_frame(server: Server) -> None:
    with ExitStack() as stack:
        sockets = [stack.enter_context(board(server)) for _ in range(50)]
        for seed, socket in enumerate(sockets):
            say(socket, WALK | {"agents": ["drunk"], "level": "trap", "seed": seed})
        for socket in sockets:
            times = [message["t"] for message in until(socket, "end") if message["m"] == "frame"]
            assert times == list(range(len(times)))
            assert len(times) > 1


def test_fifty_viewers_of_masters_in_real_games_lose_no_frame(server: Server) -> None:
    with ExitStack() as stack:
        sockets = [stack.enter_context(board(server)) for _ in range(50)]
        for number, socket in enumerate(sockets):
            game = ("loderunner", "delirium", "ricochet", "pushem")[number % 4]
            say(socket, {"m": "watch", "game": game, "seed": number, "nodes": 300})
        for socket in sockets:
            heard, times = hear(socket), list[int]()
            while heard["m"] != "end":
                if heard["m"] == "frame":
                    times.append(heard["t"])
                    say(socket, {"m": "ack", "t": heard["t"]})
                heard = hear(socket)
            assert times == list(range(len(times)))
            assert len(times) > 1


def test_a_key_answers_while_an_agent_thinks(server: Server) -> None:
    with board(server) as thinker, board(server) as player:
        say(thinker, {"m": "watch", "game": "ricochet", "level_seed": 1, "agents": ["dfs"], "seconds": 30})
        until(thinker, "frame")
        say(player, {"m": "play", "game": "stroll", "level": "short", "agents": ["human"]})
        until(player, "turn")
        began = time.perf_counter()
        say(player, {"m": "action", "seq": 7, "action": 1})
        assert until(player, "frame")[-1]["q"] == 7
        assert time.perf_counter() - began < 5  # the agent would take 30


def test_questions_that_cannot_be_answered_get_a_sentence(server: Server) -> None:
    with board(server) as socket:
        say(socket, {"m": "play", "game": "stroll", "level": "short", "agents": ["human"]})
        until(socket, "turn")
        for question, words in (
            ({"m": "hint"}, "Stroll has no hints"),
            ({"m": "solutions", "t": 0}, "Stroll has no solver"),
            ({"m": "analyse", "t": 0, "agent": "straigt"}, "did you mean straight"),
            ({"m": "analyse", "t": 0, "agent": "crashing"}, "there is no answer here"),
            ({"m": "takeover", "agent": "/tmp/agent.py:Agent"}, "no agent of stroll"),
            ({"m": "takeover", "agent": "straight:foo=1"}, "no setting of agent straight"),
            ({"m": "takeover", "agent": "straight:stop_at=-1"}, "must not be negative"),
            ({"m": "takeover", "agent": "human"}, "choose an agent"),
        ):
            say(socket, question)
            assert words in until(socket, "refused")[-1]["text"]
        say(socket, {"m": "position", "t": 0})
        assert until(socket, "position")[-1]["text"] == ""
        say(socket, {"m": "analyse", "t": 10_000_000, "agent": "straight"})
        answer = until(socket, "analysis")[-1]
        assert answer["a"] == "right"
        assert [frame["t"] for frame in answer["line"]["frames"]] == list(range(len(answer["line"]["labels"]) + 1))


def test_an_agent_that_fails_gives_the_game_back(server: Server) -> None:
    with board(server) as socket:
        say(socket, {"m": "play", "game": "stroll", "level": "short", "agents": ["human"]})
        until(socket, "turn")
        say(socket, {"m": "takeover", "agent": "crashing"})
        assert "crashing failed, the game is yours again" in until(socket, "refused")[-1]["text"]
        legal = until(socket, "turn")[-1]["legal"]
        say(socket, {"m": "action", "seq": 1, "action": legal[0][0]})
        assert until(socket, "frame")[-1]["q"] == 1


def test_a_move_that_is_refused_is_answered_with_the_turn(server: Server) -> None:
    with board(server) as socket:
        say(socket, {"m": "play", "game": "stroll", "level": "short", "agents": ["human"]})
        legal = until(socket, "turn")[-1]["legal"]
        say(socket, {"m": "action", "seq": 1, "action": 99})
        until(socket, "refused")
        assert until(socket, "turn")[-1]["legal"] == legal


def test_an_opponent_does_not_show_its_thoughts(server: Server) -> None:
    options = {"rounds": 1}
    with board(server) as socket:
        opening = {"m": "play", "game": "ricochet-rounds", "seed": 1, "agents": ["human", "astar"], "nodes": 5000}
        say(socket, opening | {"options": options})
        legal = {label: action for action, label, *_ in until(socket, "turn")[-1]["legal"]}
        say(socket, {"m": "action", "seq": 1, "action": legal["wait"]})
        theirs = until(socket, "frame")
        while theirs[-1].get("t") != 2:
            theirs.append(hear(socket))
        assert set(theirs[-1].get("o", {})) <= {"ms"}


def test_a_crash_of_a_worker_ends_its_game_with_a_sentence(server: Server) -> None:
    with board(server) as socket:
        say(socket, WALK | {"agents": ["deadly"]})
        heard = [hear(socket)]
        while heard[-1]["m"] != "error":
            heard.append(hear(socket))
        assert "has died" in heard[-1]["text"]
    with board(server) as socket:
        say(socket, WALK)
        assert until(socket, "end")[-1]["reason"] == "arrived"


def test_a_closed_tab_ends_its_work_and_the_server_ends_its_workers(tmp_path: Path) -> None:
    server = start_server(tmp_path)
    try:
        with board(server) as socket:
            say(socket, ENDLESS)
            hear(socket)
        workers = server.workers
        assert workers
        assert soon(lambda: all(len(worker.threads()) <= 4 for worker in server.workers))
    finally:
        server.end()
    assert soon(lambda: not any(worker.is_running() for worker in workers))


def test_workers_end_even_when_the_server_is_killed(tmp_path: Path) -> None:
    server = start_server(tmp_path)
    try:
        with board(server) as socket:
            say(socket, WALK)
            until(socket, "end")
            workers = server.workers
            server.process.kill()
        assert soon(lambda: not any(_runs(worker) for worker in workers))
    finally:
        server.end()


def _runs(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def test_another_host_needs_the_token(tmp_path: Path) -> None:
    call = "serve('0.0.0.0', 0, False, token='open-sesame-1')"
    program = f"if __name__ == '__main__':\n    from gridsage.web.app import serve\n    {call}\n"
    server = start_server(tmp_path, program)
    try:
        address = server.address.split("/?")[0].replace("0.0.0.0", "127.0.0.1")
        assert httpx.get(address, timeout=PATIENCE).status_code == 403
        assert httpx.get(f"{address}/?token=wrong", timeout=PATIENCE).status_code == 403
        with httpx.Client(timeout=PATIENCE) as client:
            welcome = client.get(f"{address}/?token=open-sesame-1")
            assert welcome.status_code == 303
            assert welcome.headers["location"] == "/"
            assert client.get(address).status_code == 200
        with pytest.raises(InvalidStatus):
            connect(f"{address.replace('http', 'ws')}/ws")
    finally:
        server.end()


def block_traces(home: Path) -> list[Path]:
    """Let every write of a trace fail: where its folder would be, there is a file."""
    (home / "traces").mkdir(parents=True, exist_ok=True)
    blocks = [home / "traces" / f"{number:02x}" for number in range(256)]
    for block in blocks:
        block.write_bytes(b"")
    return blocks


def test_a_game_that_cannot_be_written_is_told_and_goes_on(tmp_path: Path) -> None:
    server = start_server(tmp_path)
    try:
        blocks = block_traces(server.home)
        with board(server) as socket:
            say(socket, {"m": "play", "game": "stroll", "level": "short", "agents": ["human"]})
            until(socket, "turn")
            say(socket, {"m": "keep"})
            assert "cannot be kept" in until(socket, "refused")[-1]["text"]
            say(socket, {"m": "action", "seq": 1, "action": 1})
            assert until(socket, "frame")[-1]["t"] == 1
        with board(server) as socket:
            say(socket, {"m": "bench", "game": "stroll", "agents": ["straight"], "last_seed": 2, "nodes": 10})
            heard = hear(socket)
            while heard["m"] in ("progress", "plan"):
                heard = hear(socket)
            assert heard["m"] == "error"
            assert "cannot be kept" in heard["text"]
        played = executors.run(straight_games(1))[0].trace
        answer = httpx.post(f"{server.address}/api/traces", content=trace.encode(played), timeout=PATIENCE)
        assert answer.status_code == 400
        assert "cannot be kept" in answer.json()["text"]
        (server.home / "levels").write_bytes(b"")
        answer = httpx.post(f"{server.address}/api/levels/stroll/keep/full", content=b"S.X", timeout=PATIENCE)
        assert answer.status_code == 503
        assert "cannot be kept" in answer.json()["text"]
        with board(server) as socket:
            say(socket, WALK)
            until(socket, "end")
            say(socket, {"m": "keep"})
            heard = hear(socket)
            assert heard["m"] == "error"
            assert "cannot be kept" in heard["text"]
            for block in blocks:
                block.unlink()
            say(socket, {"m": "keep"})
            assert until(socket, "kept")[-1]["id"]
    finally:
        server.end()


def straight_games(last_seed: int) -> list[trace.Episode]:
    seeds = range(1, last_seed + 1)
    return tournament.bench_episodes(
        catalog.room("stroll"), None, [trace.AgentSpec("straight")], seeds, {}, Budget(nodes=10)
    )


def test_a_message_that_cannot_be_sent_leaves_no_session_behind(tmp_path: Path) -> None:
    async def attempt() -> int:
        crew = Crew(tmp_path, size=1)
        try:
            with pytest.raises(ValueError, match="too large"):
                crew.open(messages.Watch("stroll", options={"patience": 10**20}))
            return crew.load
        finally:
            crew.close()

    with ThreadPoolExecutor(1) as pool:  # the thread of the tests may have a loop of its own: the browser's
        assert pool.submit(lambda: asyncio.run(attempt())).result() == 0


def test_an_agent_that_cannot_be_made_does_not_take_over_a_real_game(server: Server) -> None:
    with board(server) as socket:
        say(socket, {"m": "play", "game": "ricochet", "seed": 1, "agents": ["human"]})
        until(socket, "turn")
        for agent in ("master:foo=1", "master:threads=-1", "bfs:visit_once=7"):
            say(socket, {"m": "takeover", "agent": agent})
            until(socket, "refused")
        say(socket, {"m": "position", "t": 0})
        assert until(socket, "position")[-1]["text"]


def test_a_closed_tab_ends_the_analysis_it_asked_for(tmp_path: Path) -> None:
    server = start_server(tmp_path)
    try:
        with board(server) as socket:
            say(socket, {"m": "play", "game": "pushem", "seed": 1, "agents": ["human"]})
            until(socket, "turn")
            thinkers = [worker for worker in server.workers if "spawn_main" in " ".join(worker.cmdline())]
            say(socket, {"m": "analyse", "t": 0, "agent": "master", "seconds": 60})
            say(socket, {"m": "position", "t": 0})
            until(socket, "position")  # the question before it has begun
        assert soon(lambda: not all(_runs(worker) for worker in thinkers), 20)
    finally:
        server.end()


def test_an_upload_that_claims_what_nobody_can_check_is_refused(server: Server) -> None:
    honest = executors.run(straight_games(1))[0].trace
    begun = msgspec.structs.replace(
        honest, actions=(), hashes=honest.hashes[:1], outcome=Outcome(trace.STOPPED, (0.0,)), episode="f" * 32
    )
    master, budget = honest.agents[0], honest.budgets[0]
    for changes, words in (
        ({"outcome": Outcome(trace.STOPPED, (1e9,))}, "nobody has scored"),
        ({"outcome": Outcome(trace.STOPPED, (1e9,), 0)}, "cannot be shown"),
        ({"outcome": Outcome(trace.CRASHED, (1.0,), 0)}, "cannot be shown"),
        ({"agents": (master,) * 1000}, "1,000 agents sat there"),
        ({"budgets": (budget,) * 2}, "2 budgets for 1 seat"),
        ({"agents": (trace.AgentSpec(""),)}, "need names"),
        ({"level_name": ""}, "need names"),
    ):
        forged = trace.encode(msgspec.structs.replace(begun, **changes))
        answer = httpx.post(f"{server.address}/api/traces", content=forged, timeout=PATIENCE)
        assert answer.status_code == 400, changes
        assert words in answer.json()["text"]
    answer = httpx.post(f"{server.address}/api/traces", content=trace.encode(begun), timeout=PATIENCE)
    assert answer.json()["m"] == "verified"


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("ricochet", "x" * 190_000),
        ("ricochet", "x y " * 40_000),
        ("ricochet", "+" + "-" * 190_000),
        ("pushem", "x" * 190_000),
        ("pushem", "ply: " + "x" * 190_000),
        ("nethack", "x" * 190_000),
        ("nethack", 'MAZE: "' + "x" * 190_000 + '", random'),
        ("nethack", "x" * 190_000 + " = 1"),
        ("loderunner", "W" * 190_000 + "\nW"),
        ("delirium", "x" * 190_000),
        ("delirium", "x" * 190_000 + ": 1"),
    ],
)
def test_a_sentence_about_a_long_line_is_short(game: str, text: str) -> None:
    with pytest.raises(GridsageError) as problem:
        catalog.room(game).rules.game().parse(text)
    assert len(str(problem.value)) < 1_000


def test_bad_level_files_and_names_are_answered_in_words(server: Server) -> None:
    address = f"{server.address}/api/levels"
    deep = httpx.post(
        f"{address}/loderunner/read", content=b"[" * 100_000, timeout=PATIENCE, headers={"x-file-name": "a.jsonl"}
    )
    assert deep.status_code == 400
    assert "no logged game" in deep.json()["text"]
    for name, status in (("a%20", 400), ("a%20b", 200), ("b", 200), ("x" * 60, 200), ("x" * 61, 400)):
        assert httpx.post(f"{address}/stroll/keep/{name}", content=b"S.X", timeout=PATIENCE).status_code == status
    assert httpx.get(f"{address}/stroll/text", params={"seed": 10**30}, timeout=PATIENCE).status_code == 400


def test_an_audit_finds_files_that_were_damaged_after_they_were_verified(tmp_path: Path) -> None:
    store = Store(tmp_path / "home")
    names = [store.put(result) for result in executors.run(straight_games(3))]
    server = start_server(tmp_path)

    def audit() -> list[dict[str, Any]]:
        with board(server) as socket:
            say(socket, {"m": "audit", "game": "stroll"})
            return [message for message in until(socket, "audited") if message["m"] == "checked"]

    try:
        assert [message["verdict"] for message in audit()] == [VERIFIED] * 3
        assert audit() == []
        damaged = server.home / "traces" / names[0][:2] / f"{names[0]}.trace"
        damaged.write_bytes(damaged.read_bytes()[:30])
        (found,) = audit()
        assert (found["id"], found["verdict"]) == (names[0], NOT_CHECKABLE)
        assert audit() == []
    finally:
        server.end()


# What a library says is for whoever wrote the program, not for whoever sent the file.
RAW = re.compile(r"Expected `|codec|Errno|Expecting|[Tt]runcated|malformed|has no attribute|sqlite|/tmp/|Traceback")


NO_LEVELS = {
    "picture.txt": b"\x89PNG\r\n\x1a\n\xff\xfe",
    "record.json": b'{"rows": 5, "walls": "9", "robots": ["a"]}',
    "forest.json": b"[" * 100_000,
    "map.xml": b"<map><layer width='x'></map>",
    "cave.txt": b"[cave]\nSize=a b\n[map]\n",
}


def test_a_file_tells_whose_rules_it_is_made_for(server: Server) -> None:
    cave = b"[cave]\nName=Shaft\nSize=6 4\nDiamondsRequired=1\n[map]\nWWWWWW\nWP...W\nW..d.X\nWWWWWW\n[/map]\n[/cave]\n"
    mine = b"name: Cave\ndiamonds: 1\n#######\n#@....#\n#..d.X#\n#######\n"
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        for game, data, home in (
            ("delirium", cave, "delirium-bd"),
            ("delirium-bd", cave, None),
            ("delirium", mine, None),
        ):
            answer = client.post(f"/api/levels/{game}/read", content=data, headers={"x-file-name": "one.txt"}).json()
            assert len(answer["levels"]) == 1
            assert (answer["home"] and answer["home"]["name"]) == home


def test_files_that_are_no_levels_are_refused_in_our_words(server: Server) -> None:
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        for game in ("ricochet", "loderunner", "loderunner-classic", "delirium", "delirium-bd", "pushem"):
            for name, data in NO_LEVELS.items():
                answer = client.post(f"/api/levels/{game}/read", content=data, headers={"x-file-name": name})
                assert answer.status_code == 400, (game, name)
                assert RAW.search(answer.json()["text"]) is None, (game, name, answer.text)


def test_messages_of_the_wrong_form_are_refused_in_our_words(server: Server) -> None:
    for sent, words in (
        ({"m": "watch", "game": 7}, "`game`: expected a text, found a whole number"),
        ({"m": "watch"}, "it lacks `game`"),
        ({"m": "watch", "game": "stroll", "nodes": -1}, "`nodes`: expected 0 or more"),
        ({"m": "watch", "game": "stroll", "faster": True}, "`faster` is unknown"),
        ({"m": "watch", "game": "s" * 201}, "`game`: it is longer than 200"),
        ({"m": "bench", "game": "stroll", "agents": []}, "`agents`: expected at least 1 of them"),
        ({"m": "dance"}, "`m`: 'dance' is unknown"),
    ):
        with board(server) as socket:
            say(socket, sent)
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(timeout=30)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.reason == f"not a message of this page: {words}"


def test_wishes_that_make_no_sense_are_refused_in_our_words(server: Server) -> None:
    for sent, words in (
        (WALK | {"options": {"patience": "nine"}}, "patience='nine' of stroll: expected a whole number, found a text"),
        (WALK | {"level": "", "text": "\x00"}, ""),
        ({"m": "generate", "game": "ricochet", "settings": {"moves": "many"}}, "moves 'many': expected a whole number"),
        ({"m": "look", "game": "ricochet", "text": '{"walls": 1}'}, "`walls`: expected a text, found a whole number"),
        ({"m": "look", "game": "ricochet", "text": "{"}, "not a position in JSON: it is not JSON"),
        ({"m": "replay", "id": "../../etc/passwd"}, ""),
    ):
        with board(server) as socket:
            say(socket, sent)
            heard = hear(socket)
            while heard["m"] == "progress":
                heard = hear(socket)
        assert heard["m"] == "error", sent
        assert words in heard["text"] and RAW.search(heard["text"]) is None
