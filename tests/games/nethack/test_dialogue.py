"""Dialogue: commands with their answers, and what nobody expected."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.dialogue import ESCAPE, LONGEST, Dialogue, Phrase, menu_goes_on, menu_lines
from gridsage.games.nethack.keys import LEGAL
from gridsage.games.nethack.state import State


def moment(prompt: int = st.NO_PROMPT, *messages: str, screen: tuple[str, ...] = ()) -> State:
    """A state with that prompt, these messages and this terminal."""
    record = np.zeros((), st.RECORD)
    record["prompt"] = prompt
    record["message"] = "\n".join(messages).encode("latin-1")
    for row, line in enumerate(screen):
        record["screen"][row] = np.frombuffer(line.ljust(st.SCREEN_COLS).encode("latin-1"), np.uint8)
    return State(record.tobytes(), 1)


def test_a_question_is_answered_and_the_dialogue_ends_with_it():
    dialogue = Dialogue()
    keys = [dialogue.open(Phrase("e", (("eat it?", "n"), ("want to eat", "f"))))]
    keys.append(dialogue.key(moment(st.YES_NO, "There is a newt corpse here; eat it? [ynq]")))
    keys.append(dialogue.key(moment(st.YES_NO, "What do you want to eat? [af or ?*]")))
    assert [chr(key) for key in keys] == ["e", "n", "f"]
    assert dialogue.key(moment()) is None
    assert not dialogue.is_speaking


def test_what_nobody_expected_is_escaped_and_counted_with_its_words():
    dialogue = Dialogue()
    dialogue.open(Phrase("e", (("want to eat", "f"),)))
    assert dialogue.key(moment(st.YES_NO, "Really attack the newt?")) == ESCAPE
    assert dialogue.unexpected == {"Really attack the newt?": 1}
    assert not dialogue.is_speaking


def test_damage_done_to_a_shop_is_paid_in_the_midst_of_any_command():
    dialogue = Dialogue()
    dialogue.open(arms.digging("m", "h"))
    asked = '"Minx!  You did 180 zorkmids worth of damage!"  Pay? [yn] (n)'
    assert dialogue.key(moment(st.YES_NO, asked)) == ord("y")
    assert not dialogue.unexpected


def test_the_rest_of_a_typed_answer_is_dropped_when_its_question_is_gone():
    dialogue = Dialogue()
    dialogue.open(Phrase("E", (("write in the dust", "Elbereth\r"),)))
    assert dialogue.key(moment(st.LINE, "What do you want to write in the dust here?")) == ord("E")
    assert dialogue.key(moment(st.LINE, "What do you want to write in the dust here? E")) == ord("l")
    assert dialogue.key(moment(st.NO_PROMPT, "You stop engraving.")) is None


@pytest.mark.parametrize("seed", range(20))
def test_no_interruption_makes_it_send_a_wrong_key_or_go_on_for_ever(seed):
    chance = random.Random(seed)
    dialogue = Dialogue()
    questions = ("What do you want to write with?", "add to the", "write in the dust here?", "Really?", "direction?")
    for _ in range(20):
        assert dialogue.open(arms.engraving("Elbereth")) == ord("E")
        keys = 0
        while keys < 3 * LONGEST:
            keys += 1
            prompt = chance.choice((st.NO_PROMPT, st.YES_NO, st.LINE, st.MENU))
            key = dialogue.key(moment(prompt, chance.choice(questions)))
            if key is None or not dialogue.is_speaking:
                break
            assert key in LEGAL
        assert keys < 2 * LONGEST


def test_menus_are_read_from_the_screen():
    shown = moment(
        st.MENU,
        screen=("   Pick up what?", "   Weapons", "   a - a dagger", "   b + 3 darts", "   (1 of 2)"),
    )
    assert menu_lines(shown) == [("a", "a dagger"), ("b", "3 darts")]
    assert menu_goes_on(shown)
    assert not menu_goes_on(moment(st.MENU, screen=("   a - a dagger", "   (2 of 2)")))


def test_elbereth_is_written_and_read_in_the_real_game(start):
    """In the best of five: a finger misspells one engraving in four."""
    for seed in range(1, 6):
        game, state = start(seed=seed, character="val-hum-neu-fem", pet=False)
        state = spoken(game, state, Phrase("j"))
        state = spoken(game, state, arms.engraving("Elbereth"))
        state = spoken(game, state, Phrase(":"))
        if 'You read: "Elbereth"' in " ".join(state.messages):
            return
    pytest.fail("no Elbereth could be read")


def spoken(game, state: State, command: Phrase) -> State:
    """The state after a whole command."""
    dialogue = Dialogue()
    key: int | None = dialogue.open(command)
    while key is not None:
        state = game.step(state, key)
        key = dialogue.key(state)
    return state
