"""Figures are the same wherever a game was played, and survive every way they travel."""

from __future__ import annotations

import math

import msgspec

from gridsage.core.game import Action
from gridsage.core.trace import Result, plain_figures
from gridsage.store import Store
from store.games import results


def test_whole_numbers_become_floats_and_what_is_no_number_is_left_out():
    found = plain_figures({"whole": 3, "half": 0.5, "yes": True, "word": "fell", "none": math.nan, "far": math.inf})
    assert found == {"whole": 3.0, "half": 0.5, "yes": 1.0, "word": "fell"}
    assert {type(value) for value in found.values()} == {float, str}
    assert msgspec.json.encode(found) == b'{"whole":3.0,"half":0.5,"yes":1.0,"word":"fell"}'


def test_a_tally_that_counts_in_whole_numbers_gives_the_same_bytes_inline_and_from_a_worker(monkeypatch, home):
    """A worker's answer is decoded as floats; inline nothing was, and 3 was printed beside 3.0."""
    from toys import stroll

    class Counting:
        def __init__(self) -> None:
            self.steps = 0

        def add(self, before: object, action: Action, after: object) -> None:
            self.steps += 1

        def figures(self) -> dict[str, float | str]:
            return {"steps": self.steps}

    monkeypatch.setattr(type(stroll.ROOM.rules), "tally", lambda self, game: Counting())
    (inline,) = results(seeds=[1])
    assert inline.figures["steps"] > 0
    travelled = msgspec.msgpack.decode(msgspec.msgpack.encode(inline), type=Result)
    store = Store(home)
    store.put(inline)
    (kept,) = store.known([inline.trace.episode]).values()
    texts = {msgspec.json.encode(result.figures) for result in (inline, travelled, kept)}
    assert len(texts) == 1
