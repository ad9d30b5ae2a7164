"""How many games a server plays at once, and for whom."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gridsage.web import messages
from gridsage.web.app import address_to_open
from gridsage.web.crew import NEW_ROOM_LOAD, Crew, TooMany

WALK = messages.Watch("stroll", level="short", agents=["straight"], nodes=10)


def with_crew(folder: Path, work: Callable[[Crew], Coroutine[Any, Any, None]], size: int = 1) -> None:
    """Run `work` with a crew of so many processes, in a loop of its own."""

    async def run() -> None:
        crew = Crew(folder, size=size)
        crew.most_per_client, crew.most_in_all = 2, 3
        try:
            await work(crew)
        finally:
            crew.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(run())).result()


def test_a_client_opens_so_many_games_and_no_more_until_one_is_closed(tmp_path: Path) -> None:
    async def work(crew: Crew) -> None:
        first, _ = crew.open(WALK, "10.0.0.1"), crew.open(WALK, "10.0.0.1")
        with pytest.raises(TooMany, match="you have 2 games open here"):
            crew.open(WALK, "10.0.0.1")
        crew.open(WALK)  # the server's own work is not counted
        first.close()
        crew.open(WALK, "10.0.0.1")

    with_crew(tmp_path, work)


def test_all_clients_together_open_so_many_games_and_no_more(tmp_path: Path) -> None:
    async def work(crew: Crew) -> None:
        for client in ("10.0.0.1", "10.0.0.1", "10.0.0.2"):
            crew.open(WALK, client)
        with pytest.raises(TooMany, match="3 games are open on this server"):
            crew.open(WALK, "10.0.0.3")

    with_crew(tmp_path, work)


def test_a_server_that_is_ending_opens_nothing_and_answers_with_nothing(tmp_path: Path) -> None:
    async def work(crew: Crew) -> None:
        crew.close()
        with pytest.raises(TooMany, match="the server is ending"):
            crew.open(WALK)
        assert await crew.ask(WALK) == b""

    with_crew(tmp_path, work)


def test_a_game_goes_to_the_process_that_knows_its_room_unless_that_one_has_much_to_do(tmp_path: Path) -> None:
    async def work(crew: Crew) -> None:
        first, second = crew.open(WALK), crew.open(messages.Preview("climb"))
        climbing = [crew.open(messages.Preview("climb")) for _ in range(NEW_ROOM_LOAD)]
        assert {link.helper for link in climbing} == {second.helper}
        assert second.helper is not first.helper
        assert crew.open(messages.Preview("climb")).helper is first.helper  # the other one has enough
        assert crew.open(WALK).helper is first.helper

    with_crew(tmp_path, work, size=2)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "[::]"])
def test_the_address_to_open_is_one_that_can_be_opened(host: str) -> None:
    address = address_to_open(host, 8080, None)
    assert "0.0.0.0" not in address and "::" not in address
    assert address.endswith(":8080/")
