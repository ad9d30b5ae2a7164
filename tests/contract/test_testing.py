"""The checks for authors of plug-ins find what is broken, and say it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from toys import nim, stroll

from gridsage import testing
from gridsage.core.frame import Entity, Frame
from gridsage.core.game import Event, Outcome


def broken(method: str, code, room=nim.ROOM):
    """The toy room with one method of its game replaced."""
    rules = type(room.rules)
    game = type("Broken", (type(room.rules.game()),), {method: code})
    return replace(room, rules=type("BrokenRules", (rules,), {"game": lambda self: game()})())


GAMES = [
    ("fingerprint", lambda self, state: random.randbytes(8), "same_seed_same_game: two games with the same seed"),
    ("fingerprint", lambda self, state: b"", "fingerprints_tell_states_apart: two states with different keys"),
    ("key", lambda self, state: state.heap % 5, "equal_keys_equal_futures: two states with the same key"),
    ("name", "nym", "names_agree: the game is called 'nym', the room 'nim'"),
    ("outcome", lambda self, state: Outcome("", (0.0,), 7), "outcomes_are_complete: an outcome has no reason"),
    ("outcome", lambda self, state: Outcome("x", (0.0,), 7), "outcomes_are_complete: 1 score for 2 seats"),
    ("outcome", lambda self, state: Outcome("x", (0.0, 0.0), 7), "outcomes_are_complete: seat 7 wins"),
    ("outcome", lambda self, state: Outcome("x", (0.0, 0.0), 0), "levels_can_be_read: level heap is over before"),
    ("legal", lambda self, state: [1, 1], "legal_actions_are_accepted: a legal action is listed twice"),
    ("label", lambda self, action: "", "labels_lead_back: action 1 has no label"),
    ("label", lambda self, action: "take 1", "labels_lead_back: action('take 1') is 1, not 2"),
    ("action", lambda self, label: int(label[-1]) if label[-1].isdigit() else 0, "raises no UnknownName"),
    ("step", lambda self, state, action: nim.State(state.heap - 1), "step accepts the action 1000000007"),
    ("events", lambda self, *given: [Event("moved", 99)], "events_are_on_the_board: the event 'moved' is outside"),
    ("observe", lambda self, state, seat: state, "observations_survive_json: TypeError: observe of nim must name"),
]


@pytest.mark.parametrize(("method", "code", "words"), GAMES, ids=[words[:60] for _, _, words in GAMES])
def test_a_broken_game_is_found(method, code, words):
    with pytest.raises(testing.BrokenPromise) as caught:
        testing.check_game(broken(method, code))
    assert words in str(caught.value)


def test_a_key_that_never_changes_is_found():
    one_by_one = broken("legal", lambda self, state: [1])
    with pytest.raises(testing.BrokenPromise, match="the key never changes"):
        testing.check_game(broken("key", lambda self, state: 0, one_by_one))


class Impure(nim.Nim):
    """Its state is a list that `step` changes."""

    def start(self, level, options, seed):
        return [level, 0]

    def legal(self, state):
        return list(range(1, min(3, state[0]) + 1))

    def seat(self, state):
        return state[1]

    def step(self, state, action):
        super().step(nim.State(*state), action)
        state[:] = [state[0] - action, 1 - state[1]]
        return state

    def outcome(self, state):
        return super().outcome(nim.State(*state))

    def key(self, state):
        return tuple(state)

    def fingerprint(self, state):
        return bytes(state)


def test_a_step_that_changes_its_state_is_found():
    rules = type("ImpureRules", (nim.NimRules,), {"game": lambda self: Impure()})()
    with pytest.raises(testing.BrokenPromise, match="step_is_pure"):
        testing.check_game(replace(nim.ROOM, rules=rules))


FRAMES = [
    (Frame(1, 2, ("floor",), text="x"), "the frame has 1 cell, expected 2"),
    (Frame(1, 1, ("floor",)), "the frame has no sentence"),
    (Frame(1, 1, ("flor",), text="x"), "no glyph for ['flor']"),
    (Frame(1, 1, ("floor",), edges=(1, 2), text="x"), "the frame has not one edge per cell"),
    (Frame(1, 1, ("floor",), (Entity("a", "floor", 0, 3),), text="x"), "entities stand outside the board: ['a']"),
    (Frame(1, 1, ("floor",), (Entity("a", "floor", 0, 0),) * 2, text="x"), "two entities have the same id"),
]


@pytest.mark.parametrize(("frame", "words"), FRAMES, ids=[words for _, words in FRAMES])
def test_a_frame_that_cannot_be_drawn_is_found(frame, words):
    view = type("BrokenView", (nim.NimView,), {"frame": lambda self, state: frame})()
    with pytest.raises(testing.BrokenPromise) as caught:
        testing.check_game(replace(nim.ROOM, view=view))
    assert f"states_can_be_drawn: {words}" in str(caught.value)


def test_a_room_that_promises_what_is_not_there_is_found():
    players = type("BrokenPlayers", (nim.NimPlayers,), {"default": "nobody"})()
    view = type("BrokenView", (nim.NimView,), {"keys": {"x": "take 9"}})()
    levels = type("BrokenLevels", (nim.NimLevels,), {"aliases": {"old": "new"}})()
    for part, words in (
        ({"players": players}, "the default agent 'nobody' is none of"),
        ({"view": view}, "no key of the view means an action that is legal"),
        ({"levels": levels}, "the level name 'old' leads to 'new', which is not there"),
    ):
        with pytest.raises(testing.BrokenPromise) as caught:
            testing.check_game(replace(nim.ROOM, **part))
        assert words in str(caught.value)


class Lossy(nim.NimRules):
    """Forgets on the way whose turn it is."""

    def decode(self, data):
        return replace(super().decode(data), seat=0)


def test_an_observation_that_loses_something_by_wire_is_found():
    with pytest.raises(testing.BrokenPromise, match="decode gives another observation"):
        testing.check_game(replace(nim.ROOM, rules=Lossy()))


def test_the_toys_keep_their_promises():
    testing.check_game("stroll")
    testing.check_game(nim.ROOM)
    testing.check_agent("nim", "modulo")


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("crashing", "answers_on_nothing: agent crashed: ZeroDivisionError: no luck"),
        ("backwards", "answers_on_nothing: illegal action: cannot go left"),
    ],
)
def test_a_broken_agent_is_found(agent, words):
    with pytest.raises(testing.BrokenPromise) as caught:
        testing.check_agent("stroll", agent)
    assert words in str(caught.value)


def test_an_agent_that_is_not_the_same_twice_or_looks_behind_the_curtain_is_found(tmp_path):
    (tmp_path / "bots.py").write_text(
        "import random\n"
        "from gridsage import Decision\n"
        "from toys.stroll import LEFT, RIGHT\n"
        "class Moody:\n"
        "    name = 'moody'\n"
        "    def decide(self, seen, budget):\n"  # it never arrives: so many choices are not the same twice
        "        return Decision(random.choice([LEFT, RIGHT]) if seen.col == 1 else LEFT if seen.col else RIGHT)\n"
        "class Curious:\n"
        "    name = 'curious'\n"
        "    last = None\n"
        "    def decide(self, seen, budget):\n"
        "        known, self.last = self.last, seen.options\n"
        "        return Decision(LEFT if seen.col and known is not seen.options else RIGHT)\n"
    )
    with pytest.raises(testing.BrokenPromise, match="repeats_and_verifies: two games"):
        testing.check_agent("stroll", f"{tmp_path / 'bots.py'}:Moody")
    with pytest.raises(testing.BrokenPromise, match="plays_by_wire: the agent plays another game"):
        testing.check_agent(stroll.ROOM, f"{tmp_path / 'bots.py'}:Curious")
