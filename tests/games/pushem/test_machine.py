"""Laws that hold in every game of Push'em All, whatever is played."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gridsage.core.errors import IllegalAction
from gridsage.games.pushem.level import Options, parse
from gridsage.games.pushem.rules import GAME
from gridsage.games.pushem.state import ACTIONS, CHOOSE_STEP, LINE_ACTIONS, PROPAGANDA, State, bits

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


def side_of_pawns(state: State) -> dict[int, int]:
    """Which side each numbered pawn is on."""
    boards = (state.first, state.second)
    return {state.roster[cell]: side for side, pawns in enumerate(boards) for cell in bits(pawns)}


class AnyGame(RuleBasedStateMachine):
    """Plays legal actions and compares each state with the one before it."""

    @initialize(
        seed=st.integers(0, 10_000),
        cards=st.integers(0, 10),
        hands=st.sampled_from(["same", "different"]),
        ply=st.sampled_from([0, 27, 47, 67]),
    )
    def begin(self, seed: int, cards: int, hands: Any, ply: int) -> None:
        self.options = Options(cards=cards, hands=hands)
        self.text, self.seed = f"ply: {ply}\n{START}", seed
        self.state = GAME.start(parse(self.text), self.options, seed)
        self.actions: list[int] = []

    @precondition(lambda self: GAME.outcome(self.state) is None)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        before = self.state
        action = data.draw(st.sampled_from(GAME.legal(before)))
        self.state = GAME.step(before, action)
        self.actions.append(action)
        self._compare(before, action, self.state)

    @precondition(lambda self: GAME.outcome(self.state) is not None)
    @rule(action=st.integers(0, ACTIONS - 1))
    def refuse_after_the_end(self, action: int) -> None:
        with pytest.raises(IllegalAction, match="the game is over"):
            GAME.step(self.state, action)

    def _compare(self, before: State, action: int, after: State) -> None:
        pawns_before = (before.first | before.second).bit_count()
        assert (after.first | after.second).bit_count() <= pawns_before, "pawns are never created"
        assert after.abyss & before.abyss == before.abyss, "an abyss never fills"
        sides = [side_of_pawns(before), side_of_pawns(after)]
        turned = [pawn for pawn, side in sides[1].items() if sides[0][pawn] != side]
        converts = before.card == PROPAGANDA and before.choosing != CHOOSE_STEP
        assert not turned or (converts and len(turned) == 1), "only Propaganda changes sides"
        own = before.second if before.turn else before.first
        for cell in bits(before.frozen & own):
            kept = after.roster[cell] == before.roster[cell]
            bombed = action >= LINE_ACTIONS and before.roster[cell] not in after.roster
            assert kept or bombed, "a frozen pawn of the mover never moves"

    @invariant()
    def boards_do_not_overlap(self) -> None:
        state = self.state
        assert state.first & state.second == 0
        assert (state.first | state.second) & state.abyss == 0
        assert state.frozen & ~(state.first | state.second) == 0
        assert bits(state.first | state.second) == [cell for cell in range(64) if state.roster[cell]]

    def teardown(self) -> None:
        if hasattr(self, "state"):
            again = GAME.start(parse(self.text), self.options, self.seed)
            for action in self.actions:
                again = GAME.step(again, action)
            assert again == self.state, "replay equals play"


AnyGame.TestCase.settings = settings(max_examples=20, stateful_step_count=40, deadline=None)
TestAnyGame = AnyGame.TestCase
