"""Dialogue: commands with their answers, and what nobody expected."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH

from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.dialogue import ESCAPE, LONGEST, Dialogue, Phrase, menu_goes_on, menu_lines
from gridsage.games.nethack.agents.hero import Hero
from gridsage.games.nethack.agents.knowledge import knowledge
from gridsage.games.nethack.agents.living import eating
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


def test_the_search_of_a_menu_is_typed_to_its_end_although_the_game_tells_of_no_question():
    dialogue = Dialogue()
    dialogue.open(Phrase("e", (("want to eat", "*:ham\r"),)))
    moments = [
        moment(st.YES_NO, "What do you want to eat? [S or ?*]"),
        moment(st.MENU),
        *(moment(st.NO_PROMPT, f"Search for: {'ham'[:typed]}") for typed in range(4)),
    ]
    assert "".join(chr(dialogue.key(shown)) for shown in moments) == "*:ham\r"
    assert dialogue.key(moment()) is None


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


# The 45th thing of a pack has the letter S, which is no legal key: it would save the game.
HEAP = {
    "?": ("enchant armor", "light", "fire", "earth", "food detection", "gold detection", "taming", "genocide"),
    "!": ("booze", "fruit juice", "see invisible", "sickness", "confusion", "healing", "extra healing", "oil"),
    "=": ("adornment", "protection", "stealth", "warning", "searching", "conflict", "hunger", "levitation"),
    "*": ("ruby", "jade", "opal", "jet", "amber", "topaz", "garnet", "diamond", "emerald", "sapphire", "agate", "rock"),
    "/": ("sleep", "light", "striking"),
}


def test_what_lies_under_the_letter_that_is_no_key_is_eaten_all_the_same(start):
    heap = "".join(f"OBJECT:('{kind}',\"{name}\"),(1,1)\n" for kind, names in HEAP.items() for name in names)
    meal = "OBJECT:('%',\"food ration\"),(2,1)\n"
    game, state = start(ROOM_WITH + heap + meal, pet=False, spawn_monsters=False, character="sam-hum-law-mal")
    dialogue = Dialogue()

    def say(state: State, command: Phrase) -> State:
        key: int | None = dialogue.open(command)
        while key is not None:
            state = game.step(state, key)
            key = dialogue.key(state)
        return state

    pick_up = (("MENU", lambda shown: ",>" if menu_goes_on(shown) else ",\r"), ("trouble lifting", "y"))
    for command in (Phrase(",", pick_up), Phrase("l"), Phrase(",", pick_up)):
        state = say(state, command)
    ration = next(Hero(knowledge()).item_of(letter, words) for letter, _, words in state.pack if "gunyoki" in words)
    assert (ration.letter, ration.name) == ("S", "food ration")
    state = say(state, eating(ration))
    assert not any("gunyoki" in words and "partly" not in words for _, _, words in state.pack)
    assert not dialogue.unexpected
