"""Frames and thoughts: what is not told is nothing, and the same thing is always the same bytes."""

from __future__ import annotations

import msgspec

from gridsage.core.frame import Bidding, Entity, Frame
from gridsage.core.game import Bid, Thoughts


def test_what_a_frame_does_not_tell_is_nothing():
    picture = Frame(1, 1, ("floor",), entities=(Entity("a", "robot", 0, 0),))
    (thing,) = picture.entities
    assert (thing.drow, thing.dcol, thing.row_part, thing.col_part) == (0, 0, 0, 0)
    assert picture.focus == -1 and picture.text == "" and picture.bidding is None
    bidding = Bidding("claim", "wait", "time is up", "first")
    assert (bidding.seconds, bidding.standing) == (0, False)


def test_what_an_agent_does_not_tell_is_nothing():
    thoughts = Thoughts()
    assert (thoughts.nodes, thoughts.score, thoughts.path) == (0, None, ())
    assert msgspec.json.encode(thoughts) == b"{}"


def test_a_whole_number_and_its_like_are_the_same_wish():
    assert msgspec.msgpack.encode(Bid("eat", 60)) == msgspec.msgpack.encode(Bid("eat", 60.0))
