"""The rules of Push'em All, drawn."""

from __future__ import annotations

import random

import pytest
from tests.naive import pushem_twin as naive

from gridsage.core.errors import IllegalAction
from gridsage.games.pushem.level import CARD_NAMES, PRESETS, Options, board_text, parse, parse_hand
from gridsage.games.pushem.rules import GAME, parse_turn
from gridsage.games.pushem.state import CHOOSE_STEP, State

START = """
........
........
..oxox..
..xoxo..
..oxox..
..xoxo..
........
........
"""


def position(text: str, **options: object) -> State:
    return GAME.start(parse(text), Options(**options), 1)  # type: ignore[arg-type]


def after(state: State, *turns: str) -> State:
    for turn in turns:
        for action in parse_turn(turn, state):
            state = GAME.step(state, action)
    return state


def drawn(state: State) -> str:
    return "\n" + board_text(state.first, state.second, state.abyss, state.frozen)


def twin_of(state: State) -> naive.Twin:
    """The same position for the slow engine."""
    hands = tuple(
        frozenset(name for number, name in enumerate(CARD_NAMES) if hand >> number & 1)
        for hand in (state.first_hand, state.second_hand)
    )
    pawns = dict.fromkeys(naive.cells_of(state.first), 0) | dict.fromkeys(naive.cells_of(state.second), 1)
    return naive.Twin(
        pawns,
        frozenset(naive.cells_of(state.abyss)),
        frozenset(naive.cells_of(state.frozen)),
        state.turn,
        state.ply,
        (hands[0], hands[1]),
        bool(state.reversed),
        (state.ring1, state.ring2, state.ring3),
        state.last_ply,
    )


def assert_alike(state: State, twin: naive.Twin) -> None:
    assert state.choosing == CHOOSE_STEP
    assert naive.cells_of(state.first) == sorted(cell for cell, seat in twin.pawns.items() if seat == 0)
    assert naive.cells_of(state.second) == sorted(cell for cell, seat in twin.pawns.items() if seat == 1)
    assert set(naive.cells_of(state.abyss)) == twin.abyss
    assert set(naive.cells_of(state.frozen)) == twin.frozen
    assert (state.turn, state.ply, bool(state.reversed)) == (twin.turn, twin.ply, twin.reversed)
    for hand, names in zip((state.first_hand, state.second_hand), twin.hands, strict=True):
        assert hand == parse_hand(" ".join(names), "twin")
    outcome = GAME.outcome(state)
    assert (outcome.scores[0] if outcome else None) == twin.result


@pytest.mark.parametrize("seed", range(12))
def test_random_games_go_as_in_the_slow_engine(seed: int) -> None:
    random_turn = random.Random(seed)
    options = Options(
        cards=seed % 11, hands="different" if seed % 2 else "same", preset="classic" if seed % 3 else "r1"
    )
    state = GAME.start(parse(START), options, seed)
    preset = PRESETS[options.preset]
    twin = twin_of(state)
    assert (state.ring1, state.ring2, state.last_ply) == (*preset.rings[:2], preset.last_ply)
    while twin.result is None:
        choices = list(naive.turns(twin))
        text, twin = random_turn.choice(choices)
        state = after(state, text)
        assert_alike(state, twin)


def test_there_are_194_first_turns_on_average_over_all_deals() -> None:
    from itertools import combinations

    counts = [count_turns(position(START, deal="+".join(cards))) for cards in combinations(CARD_NAMES, 3)]
    assert (min(counts), max(counts), round(sum(counts) / len(counts))) == (25, 488, 194)


def count_turns(state: State) -> int:
    found = 0
    for action in GAME.legal(state):
        following = GAME.step(state, action)
        found += 1 if following.choosing == CHOOSE_STEP else count_turns(following)
    return found


def test_an_illegal_target_names_what_stands_there() -> None:
    state = position(START, deal="shinigami")
    with pytest.raises(IllegalAction, match="d5 is your own pawn: shinigami needs an enemy pawn"):
        parse_turn("U+shinigami@d5", state)
