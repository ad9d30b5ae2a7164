"""A win that the master reports is one: claims in card endings against a search that tries everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.pushem.endings import LONGEST, claimed_turns, loses, random_ending, twin_of, wins
from gridsage.games.pushem.level import Level, parse

NODES = 20_000
# Second's bomb seems to win: only a card far down the list of First's 200 replies holds.
TEMPTING = """
turn: second
ply: 60
first: replay sleep abysses
second: bomb swap
........
.....x..
........
.#......
....ox..
....x.x.
........
........
"""


def holds(level: Level, turns: int) -> bool:
    """Return True if the claim of a win (or, negative, of a loss) in so many turns is true."""
    return wins(twin_of(level), turns, {}) if turns > 0 else loses(twin_of(level), -turns, {})


def false_claims(seeds: range) -> tuple[int, list[int]]:
    """How many claims of at most LONGEST turns the master makes, and the seeds where they are false."""
    made, false = 0, []
    for seed in seeds:
        level = random_ending(seed)
        turns = claimed_turns(level, NODES)
        if 0 < abs(turns) <= LONGEST:
            made += 1
            false += [] if holds(level, turns) else [seed]
    return made, false


def test_claims_in_card_endings_are_true() -> None:
    made, false = false_claims(range(60))
    assert made > 20
    assert false == []


@pytest.mark.long
def test_claims_in_five_hundred_card_endings_are_true() -> None:
    made, false = false_claims(range(500))
    assert made > 200
    assert false == []


def test_a_reply_beyond_the_width_is_tried_before_a_win_is_claimed() -> None:
    level = parse(TEMPTING)
    assert not wins(twin_of(level), 3, {})
    assert claimed_turns(level, NODES, "v1") == 3, "the first master was wrong here"
    assert claimed_turns(level, NODES) != 3


def test_the_position_of_the_review_is_not_claimed(shared_data: Path) -> None:
    level = parse((shared_data.parent / "review" / "pushem_false_win.txt").read_text())
    assert claimed_turns(level, 200_000, "v1") == 3
    turns = claimed_turns(level, 200_000)
    assert turns == 0 or holds(level, turns)


@pytest.mark.parametrize("nodes", [50, 200, 1_000, 5_000])
def test_a_search_that_was_cut_off_claims_no_loss_that_it_has_not_proved(nodes: int) -> None:
    for seed in range(40):
        level = random_ending(seed)
        turns = claimed_turns(level, nodes)
        assert not -LONGEST <= turns < 0 or holds(level, turns), seed
