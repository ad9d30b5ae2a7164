"""The rules of Push'em All, drawn."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from gridsage.core.errors import IllegalAction, TraceError
from gridsage.core.game import Outcome
from gridsage.core.trace import Trace, verify
from gridsage.games.pushem.level import CARD_NAMES, PRESETS, Options, board_text, parse, parse_hand
from gridsage.games.pushem.rules import GAME, parse_turn, turn_text
from gridsage.games.pushem.state import CHOOSE_STEP, State, cell_name
from naive import pushem_twin as naive

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


def test_the_sides_are_asked_in_turn_and_a_card_is_finished_by_who_played_it() -> None:
    state = position(START)
    assert GAME.seat(state) == 0
    begun = GAME.step(state, parse_turn("R", state)[0])
    assert begun.choosing != CHOOSE_STEP and GAME.seat(begun) == 0
    state = after(state, "R")
    assert GAME.seat(state) == 1 and GAME.seat(after(state, "L")) == 0


def count_turns(state: State) -> int:
    found = 0
    for action in GAME.legal(state):
        following = GAME.step(state, action)
        found += 1 if following.choosing == CHOOSE_STEP else count_turns(following)
    return found


EMPTY_ROWS = "........\n"


def in_row_4(row: str) -> str:
    """A board with one row of its own; a side that the row lacks has a pawn in a corner, a8 or h8."""
    top = ("." if "x" in row.lower() else "x") + "......" + ("." if "o" in row.lower() else "o")
    return f"{top}\n{EMPTY_ROWS * 3}{row}\n{EMPTY_ROWS * 3}"


def row_4(state: State) -> str:
    return drawn(state).splitlines()[5]


@pytest.mark.parametrize(
    ("before", "after_right"),
    [
        ("..x.....", "...x...."),
        ("..xo....", "...xo..."),
        ("..xoxo..", "...xoxo."),
        ("..ox.o..", "..o.xo.."),  # who stands behind a mover, or after a gap, stays
        ("....xoxo", ".....xox"),  # the last one falls from the edge
        ("..xo#...", "...x#..."),  # or into an abyss, which stays
        ("..x#o...", "...#o..."),  # own pawns fall too
        (".xoX.o..", ".xoX.o.."),  # a frozen own pawn blocks the line behind it and stays
        (".xoXxo..", ".xoX.xo."),  # and movers ahead of it go
        ("..xO....", "...xO..."),  # an enemy's frozen pawn is pushed all the same
    ],
)
def test_a_step_to_the_right(before: str, after_right: str) -> None:
    stepped = after(position(in_row_4(before), cards=0), "R")
    assert row_4(stepped).lower() == after_right.lower()


@pytest.mark.parametrize("turn", ["U", "R", "D", "L"])
def test_the_whole_team_moves_in_the_direction_that_is_named(turn: str) -> None:
    board = """
........
........
..x..o..
........
........
..o..x..
........
........
"""
    moved = {
        "U": "........,..x.....,.....o..,........,.....x..,..o.....",
        "R": "........,........,...x.o..,........,........,..o...x.",
        "D": "........,........,.....o..,..x.....,........,..o.....,.....x..",
        "L": "........,........,.x...o..,........,........,..o.x...",
    }[turn]
    shown = drawn(after(position(board, cards=0), turn)).split()
    assert shown[: len(moved.split(","))] == moved.split(",")


@pytest.mark.parametrize(
    ("card", "turn", "before", "then"),
    [
        ("replay", "R,R", "..x.....", "....x..."),
        ("replay", "R,L", "..xo....", "..x.o..."),
        ("sleep", "sleep", "..xo....", "..xo...."),
        ("shinigami", "R+shinigami@e4", "..xo....", "...x...."),
        ("propaganda", "R+propaganda@e4", "..xo....", "...xx..."),
        ("freeze", "R+freeze@e4", "..xo....", "...xO..."),
        ("jump", "R+jump@d4", "..x.....", "....x..."),
        ("jump", "R+jump@d4", "..xo....", "....ox.."),
        ("bomb", "R+bomb@4", "..xo.x.o", "........"),
        ("bomb", "R+bomb@e", "..xo.x.o", "...x..xo"),
        ("swap", "R+swap@d4:e4", "..xo....", "...ox..."),
        ("abysses", "R+abysses@c4", "..xo....", "..#xo..."),
    ],
)
def test_a_card_is_played_on_the_board_after_the_step(card: str, turn: str, before: str, then: str) -> None:
    state = position(in_row_4(before), deal=card)
    assert row_4(after(state, turn)) == then
    assert not after(state, turn).first_hand, "the card is spent"


def test_a_jump_leaps_over_pawns_and_abysses_and_harms_nobody() -> None:
    state = after(position(in_row_4(".xo.#o.."), deal="jump"), "R+jump@c4")
    assert row_4(state) == "...o#ox."


def test_reverse_inverts_the_next_turn_and_forbids_cards() -> None:
    state = after(position(in_row_4("..x...o."), deal="reverse+bomb"), "R+reverse")
    with pytest.raises(IllegalAction, match="bomb cannot be played"):
        parse_turn("R+bomb@4", state)
    state = after(state, "R")
    assert row_4(state) == "...x.o..", "he chose right and went left"
    assert row_4(after(state, "U", "L"))[4] == "o", "then all is as before"


def test_a_frozen_pawn_stands_still_for_one_turn_of_its_side() -> None:
    state = after(position(in_row_4(".x...o.."), deal="freeze"), "R+freeze@f4")
    assert row_4(state) == "..x..O.."
    state = after(state, "L")
    assert row_4(state) == "..x..o..", "it stood still, and thaws at the end of that turn"
    assert row_4(after(state, "L", "L")) == ".x..o..."


def test_a_frozen_pawn_can_neither_jump_nor_be_swapped_by_its_own_side() -> None:
    state = position(in_row_4("..Xx...o"), deal="jump+swap")
    with pytest.raises(IllegalAction, match="c4 is frozen: jump needs a pawn that can move"):
        parse_turn("R+jump@c4", state)
    with pytest.raises(IllegalAction, match="c4 is frozen: swap needs a pawn that can move"):
        parse_turn("L+swap@c4:h4", state)


def test_rings_crack_cell_by_cell_as_soon_as_they_are_free() -> None:
    board = """
ply: 29
x......o
........
........
..x..o..
........
........
........
........
"""
    state = after(position(board, cards=0), "D")
    assert (
        drawn(state)
        == """
#######o
x......#
#......#
#....o.#
#.x....#
#......#
#......#
########
"""
    )
    assert (
        drawn(after(state, "L"))
        == """
########
x......#
#......#
#...o..#
#.x....#
#......#
#......#
########
"""
    ), "the pawn that held h8 fell into g8"


def test_a_pawn_that_enters_a_cracked_cell_falls() -> None:
    state = position("ply: 30\n" + in_row_4(".x....o."), cards=0)
    outcome = GAME.outcome(after(state, "L"))
    assert outcome is not None
    assert (outcome.reason, outcome.winner) == ("first has no pawn left", 1)


@pytest.mark.parametrize(
    ("row", "turn", "reason", "scores"),
    [
        (".x.x..o.", "R+bomb@4", "both sides fell", (1.0, 0.0)),
        (".x....o.", "R+bomb@4", "both sides fell", (0.5, 0.5)),
        ("......xo", "R", "second has no pawn left", (1.0, 0.0)),
        ("x......o", "L", "first has no pawn left", (0.0, 1.0)),
    ],
)
def test_the_game_ends_when_a_side_has_no_pawn(row: str, turn: str, reason: str, scores: tuple[float, float]) -> None:
    outcome = GAME.outcome(after(position(in_row_4(row), deal="bomb"), turn))
    assert outcome is not None
    assert (outcome.reason, outcome.scores) == (reason, scores)


@pytest.mark.parametrize(
    ("row_3", "row_4", "scores"),
    [
        ("..o.....", "...xx...", (1.0, 0.0)),
        ("..o..o..", "...x....", (0.0, 1.0)),
        ("..o.....", "...x....", (0.5, 0.5)),
    ],
)
def test_pawns_are_counted_at_the_last_ply(row_3: str, row_4: str, scores: tuple[float, float]) -> None:
    board = f"{EMPTY_ROWS * 4}{row_4}\n{row_3}\n{EMPTY_ROWS * 2}"
    for preset, last_ply in (("r1", 120), ("classic", 80)):
        outcome = GAME.outcome(after(position(f"ply: {last_ply - 1}\n{board}", cards=0, preset=preset), "U"))
        assert outcome is not None
        assert (outcome.reason, outcome.scores) == (f"pawns counted at ply {last_ply}", scores)


def test_both_hold_the_same_cards_or_different_ones() -> None:
    same = [GAME.start(parse(START), Options(), seed) for seed in range(30)]
    assert all(state.first_hand == state.second_hand and state.first_hand.bit_count() == 3 for state in same)
    assert len({state.first_hand for state in same}) > 10
    different = [GAME.start(parse(START), Options(hands="different", cards=5), seed) for seed in range(30)]
    assert all(state.first_hand & state.second_hand == 0 for state in different)
    assert position(START, cards=10).first_hand == 0b11_1111_1111
    assert position(START, deal="bomb+swap").second_hand == parse_hand("bomb swap", "test")


def test_an_opening_is_drawn_from_the_seed_and_costs_both_sides_the_same() -> None:
    states = [GAME.start(parse(START), Options(opening=4), seed) for seed in range(20)]
    assert len({(state.first, state.second) for state in states}) > 5
    for state in states:
        assert (state.ply, state.turn, state.choosing) == (4, 0, CHOOSE_STEP)
        assert state.first.bit_count() == state.second.bit_count()


@pytest.mark.parametrize(
    ("deal", "turn", "reason"),
    [
        ("shinigami", "U+shinigami@d5", "d5 is your own pawn: shinigami needs an enemy pawn"),
        ("propaganda", "U+propaganda@a1", "a1 is empty: propaganda needs an enemy pawn"),
        ("freeze", "U+freeze@d5", "d5 is your own pawn: freeze needs an enemy pawn"),
        ("swap", "U+swap@a1:d6", "a1 is empty: swap needs a pawn of your own"),
        ("swap", "U+swap@d5:a1", "a1 is empty: swap needs an enemy pawn"),
        ("abysses", "U+abysses@d5", "d5 is your own pawn: abysses needs a free cell of ground"),
        ("bomb", "U+bomb@8", "row 8 has no pawn: bomb needs a row or column with at least one"),
        ("bomb", "U+bomb@d4", "'d4' is not a row 1 to 8 or a column a to h"),
        ("bomb", "U+swap@d5:d6", "swap is not in your hand: you hold bomb"),
        ("bomb", "sleep", "sleep is not in your hand: you hold bomb"),
        ("sleep+bomb", "U+sleep", "sleep replaces the step: write 'sleep' alone"),
        ("replay+bomb", "U+replay", "replay is written with its two directions"),
        ("bomb", "X", "'X' is not a direction; known: U, R, D, L, or 'sleep'"),
        ("bomb", "U+bom@4", "no card 'bom'; did you mean bomb"),
        ("bomb", "U+bomb", "names 0 targets, bomb needs 1: 'R\\+bomb@4'"),
        ("swap", "U+swap@d5", "names 1 target, swap needs 2"),
        ("reverse", "U+reverse@d5", "reverse has no target"),
        ("jump", "U+jump@z9", "'z9' is not a cell a1 to h8"),
    ],
)
def test_an_illegal_turn_names_the_reason(deal: str, turn: str, reason: str) -> None:
    with pytest.raises(IllegalAction, match=reason):
        parse_turn(turn, position(START, deal=deal))


def test_a_pawn_on_the_border_or_without_a_free_cell_ahead_cannot_jump() -> None:
    with pytest.raises(IllegalAction, match="a4 stands on the outer border: jump needs a pawn further inside"):
        parse_turn("L+jump@a4", position(in_row_4(".x.x..o."), deal="jump"))
    full_row = position(f"{EMPTY_ROWS * 4}..xxoooo\n..x.....\n{EMPTY_ROWS * 2}", deal="jump")
    with pytest.raises(IllegalAction, match="d4 has no free cell to land on in direction R"):
        parse_turn("R+jump@d4", full_row)
    with pytest.raises(IllegalAction, match="jump cannot be played: this side has no playable card"):
        parse_turn("R+jump@d4", position(in_row_4("..xxoooo"), deal="jump"))


def test_an_action_after_the_end_comes_too_late() -> None:
    over = after(position(in_row_4("......xo"), cards=0), "R")
    assert GAME.legal(over) == []
    with pytest.raises(IllegalAction, match="U comes too late: the game is over"):
        GAME.step(over, 0)


def test_an_action_that_does_not_exist_is_refused_with_the_numbers_that_do() -> None:
    with pytest.raises(IllegalAction, match="does not exist: actions are numbered 0 to"):
        GAME.step(position(START), 10_000)


def test_every_turn_is_written_and_read_back_alike() -> None:
    state = position(START, cards=10)
    texts = {turn_text(actions): actions for actions in all_turns(state)}
    assert len(texts) == count_turns(state) == len(list(naive.turns(twin_of(state))))
    for text, actions in texts.items():
        assert parse_turn(text, state) == actions
    assert {text for text, _ in naive.turns(twin_of(state))} == set(texts)


def all_turns(state: State) -> Iterator[tuple[int, ...]]:
    for action in GAME.legal(state):
        following = GAME.step(state, action)
        if following.choosing == CHOOSE_STEP:
            yield (action,)
        else:
            for rest in all_turns(following):
                yield (action, *rest)


CARD = ("card", "", "")


def told(state: State, turn: str) -> list[tuple[str, str, str]]:
    """The events of a whole turn with cell names."""
    found = []
    for action in parse_turn(turn, state):
        following = GAME.step(state, action)
        for event in GAME.events(state, action, following):
            found.append((event.kind, *(cell_name(cell) if cell >= 0 else "" for cell in (event.cell, event.to))))
        state = following
    return found


@pytest.mark.parametrize(
    ("row", "deal", "turn", "events"),
    [
        ("..xo....", "", "R", [("moved", "c4", "d4"), ("pushed", "d4", "e4")]),
        ("...o..xo", "", "R", [("moved", "g4", "h4"), ("fell", "h4", "")]),
        (
            "..x.o...",
            "propaganda",
            "L+propaganda@e4",
            [("moved", "c4", "b4"), CARD, ("converted", "e4", "")],
        ),
        ("..x.o...", "freeze", "L+freeze@e4", [("moved", "c4", "b4"), CARD, ("frozen", "e4", "")]),
        ("..x.o...", "shinigami", "L+shinigami@e4", [("moved", "c4", "b4"), CARD, ("removed", "e4", "")]),
        ("..x.o...", "jump", "R+jump@d4", [("moved", "c4", "d4"), CARD, ("jumped", "d4", "f4")]),
        (
            "..x.o...",
            "swap",
            "L+swap@b4:e4",
            [("moved", "c4", "b4"), CARD, ("swapped", "b4", "e4"), ("swapped", "e4", "b4")],
        ),
        ("..x.o...", "abysses", "L+abysses@a1", [("moved", "c4", "b4"), CARD, ("cracked", "a1", "")]),
    ],
)
def test_events_tell_what_a_person_would_see(
    row: str, deal: str, turn: str, events: list[tuple[str, str, str]]
) -> None:
    state = position(in_row_4(row), **({"deal": deal} if deal else {"cards": 0}))
    assert told(state, turn) == events


def test_targets_list_what_each_card_may_choose() -> None:
    state = position(in_row_4("..x.o.o."), deal="shinigami+bomb+reverse+replay+sleep")
    assert GAME.targets(state) == {"sleep": ()}
    stepped = GAME.step(state, 1)
    named = {card: [GAME.label(action) for action in actions] for card, actions in GAME.targets(stepped).items()}
    assert named == {
        "replay": ["U", "R", "D", "L"],
        "reverse": [],
        "shinigami": ["e4", "g4"],
        "bomb": ["row 4", "column d", "column e", "column g"],
    }
    chosen = GAME.step(stepped, 6 + CARD_NAMES.index("shinigami"))
    assert [GAME.label(action) for action in GAME.targets(chosen)["shinigami"]] == ["e4", "g4"]


def test_a_trace_of_other_rules_says_so() -> None:
    older = Trace(
        game="pushem",
        rules_version=0,
        options={},
        level_name="start",
        level=START,
        seed=1,
        agents=(),
        budgets=(),
        actions=(),
        hashes=(),
        outcome=Outcome("stopped", (0.0, 0.0)),
        episode="",
    )
    with pytest.raises(TraceError, match="recorded with pushem rules v0, this build has v1"):
        verify(older, GAME, Options())
