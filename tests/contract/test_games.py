"""Every game keeps the same promises. One file, all rooms."""

from __future__ import annotations

import dataclasses
import json
import re
import time
from collections import Counter

import numpy as np
import pytest

from gridsage.core.errors import IllegalAction, ObservationError, UnknownName
from gridsage.core.game import Closing, Model
from gridsage.core.rng import generator
from gridsage.core.room import NamedLevel, Room
from gridsage.core.trace import state_hash
from gridsage.games import catalog

STEPS = 60
NO_ACTION = 1_000_000_007


def some_level(room: Room) -> NamedLevel:
    names = room.levels.names()
    if names:
        return NamedLevel(names[0], room.levels.text(names[0]))
    assert room.levels.of_seed is not None, f"{room.name} has neither levels nor seeds that make them"
    return room.levels.of_seed(1)


@pytest.fixture(params=catalog.names())
def room(request: pytest.FixtureRequest) -> Room:
    found = catalog.room(request.param)
    if (sentence := found.rules.missing()) is not None:
        pytest.skip(sentence)
    return catalog.ready_room(request.param)


@pytest.fixture
def game(room: Room):
    made = room.rules.game()
    yield made
    if isinstance(made, Closing):
        made.close()


def random_play(room: Room, game, seed: int):
    """Yield (action or None, state) of a game played at random."""
    random = generator(seed, "contract")
    state = game.start(game.parse(some_level(room).text), room.rules.options(), seed)
    yield None, state
    for _ in range(STEPS):
        if game.outcome(state) is not None:
            return
        action = random.choice(list(game.legal(state)))
        state = game.step(state, action)
        yield action, state


def is_pure(game) -> bool:
    return isinstance(game, Model)


def test_the_same_seed_gives_the_same_game(room, game):
    def run():
        return [(action, state_hash(game, state)) for action, state in random_play(room, game, 7)]

    assert run() == run()


def test_step_leaves_the_given_state_alone(room, game):
    if not is_pure(game):
        pytest.skip(f"{room.name} is no Model: step consumes its state")
    for _, state in random_play(room, game, 3):
        if game.outcome(state) is not None:
            break
        before = (game.key(state), game.fingerprint(state))
        for action in game.legal(state):
            game.step(state, action)
        assert (game.key(state), game.fingerprint(state)) == before


def test_equal_keys_mean_equal_futures(room, game):
    if not is_pure(game):
        pytest.skip(f"{room.name} is no Model")
    met: dict[object, object] = {}
    for seed in range(1, 6):
        for _, state in random_play(room, game, seed):
            if game.outcome(state) is not None:
                break
            future = {action: game.key(game.step(state, action)) for action in game.legal(state)}
            assert met.setdefault(game.key(state), future) == future, "two states of the same key have other futures"
    assert len(met) > 1, "the key never changes"


def test_fingerprints_differ_whenever_keys_do(room, game):
    key = game.key if is_pure(game) else game.fingerprint
    seen: dict[bytes, object] = {}
    for seed in range(1, 4):
        for _, state in random_play(room, game, seed):
            assert seen.setdefault(game.fingerprint(state), key(state)) == key(state)
    assert len(seen) > 1, "the fingerprint never changes"


def test_the_room_says_the_truth_about_itself(room, game):
    assert game.name == room.name
    assert room.players.default in catalog.agent_entries(room)
    _, state = next(random_play(room, game, 1))
    labels = {game.label(action) for action in game.legal(state)}
    assert not room.view.keys or labels & set(room.view.keys.values()), "no key of the room means a legal action"
    if room.levels.of_seed is not None:
        for seed in (1, 2, 3):
            assert game.parse(room.levels.of_seed(seed).text) is not None


def test_legal_actions_are_accepted_and_have_words(room, game):
    for _, state in random_play(room, game, 11):
        if game.outcome(state) is not None:
            break
        legal = list(game.legal(state))
        assert legal, "a game that goes on has a legal action"
        assert len(set(legal)) == len(legal)
        for action in legal:
            assert isinstance(game.label(action), str) and game.label(action)
            if is_pure(game):
                game.step(state, action)
        if not is_pure(game):
            break


def test_the_words_of_every_legal_action_lead_back_to_it(room, game):
    for _, state in random_play(room, game, 12):
        for action in game.legal(state):
            assert game.action(game.label(action)) == action
    with pytest.raises(UnknownName, match="no action of"):
        game.action("fly to the moon")


def test_an_observation_survives_json(room, game):
    for _, state in random_play(room, game, 5):
        seen = game.observe(state, game.seat(state))
        data = room.rules.encode(seen)
        again = room.rules.decode(json.loads(json.dumps(data)))
        assert type(again) is type(seen)
        assert plain(again) == plain(seen)
        assert room.rules.encode(again) == data
        assert room.view.words(again) == room.view.words(seen)


def test_data_that_is_no_observation_is_refused_with_a_sentence(room):
    for data in ({}, [], "nothing"):
        with pytest.raises(ObservationError, match=f"no observation of {room.name}"):
            room.rules.decode(data)


def test_the_schema_names_what_is_sent(room, game):
    schema = room.rules.schema()
    sent = room.rules.encode(game.observe(next(random_play(room, game, 1))[1], 0))
    described = schema["$defs"][schema["$ref"].rpartition("/")[2]]
    assert set(described["properties"]) == set(sent)
    assert json.loads(json.dumps(schema)) == schema


def test_the_words_of_a_picture_name_every_square(room, game):
    for _, state in random_play(room, game, 6):
        frame = room.view.seen_frame(game.observe(state, game.seat(state)))
        said = read_words(room.view.words(game.observe(state, game.seat(state))), frame)
        expected = Counter(
            (kind, cell, room.view.called(sprite))
            for kind, cell, sprite in (
                *(("Ground", cell, sprite) for cell, sprite in enumerate(frame.cells)),
                *(("On the board", e.row * frame.cols + e.col, e.sprite) for e in frame.entities),
            )
        )
        assert said == expected


def read_words(text, frame):
    """What somebody who cannot see the board knows of it after reading the words."""
    usual = re.search(r"Squares that are not named are (.+)\.", text)[1]
    said, named = Counter(), set()
    for kind, name, squares in re.findall(r"^(Ground|On the board), (.+?): ([a-h0-9].*|row .*)\.$", text, re.M):
        for cell in read_squares(squares, frame):
            said[kind, cell, name] += 1
            if kind == "Ground":
                named.add(cell)
    said.update(("Ground", cell, usual) for cell in range(len(frame.cells)) if cell not in named)
    return said


def read_squares(text, frame):
    if frame.coordinates[0]:
        return [
            frame.coordinates[1].index(n[1]) * frame.cols + frame.coordinates[0].index(n[0]) for n in text.split(", ")
        ]
    cells = []
    for row, first, last in re.findall(r"row (\d+) columns? (\d+)(?: to (\d+))?", text):
        cells += [int(row) * frame.cols + col for col in range(int(first), int(last or first) + 1)]
    return cells


def plain(thing):
    """The fields of an observation, those of arrays too, so that they can be compared."""
    if dataclasses.is_dataclass(thing):
        fields = [getattr(thing, field.name) for field in dataclasses.fields(thing)]
        return [value.tolist() if isinstance(value, np.ndarray) else value for value in fields]
    return thing


def test_a_board_has_a_line_for_every_row(room, game):
    _, state = next(random_play(room, game, 1))
    seen = game.observe(state, 0)
    frame = room.view.seen_frame(seen)
    board = room.view.board(seen)
    lines = board.splitlines()
    rows = frame.rows * 2 + 1 if frame.edges else frame.rows
    assert len(lines) == len(frame.above) + rows + bool(frame.coordinates[0]) + len(frame.below) + 1
    for entity in frame.entities:
        at = len(frame.above) + (2 * entity.row + 1 if frame.edges else entity.row)
        col = 4 * entity.col + 2 if frame.edges else entity.col + 2 * bool(frame.coordinates[1])
        assert lines[at][col] == room.view.glyphs[entity.sprite][0]


def test_an_action_that_does_not_exist_is_refused_by_name(room, game):
    _, state = next(random_play(room, game, 1))
    with pytest.raises(IllegalAction) as caught:
        game.step(state, NO_ACTION)
    assert str(NO_ACTION) in str(caught.value)


def test_outcomes_have_a_reason_and_a_score_per_seat(room, game):
    for seed in range(1, 4):
        for _, state in random_play(room, game, seed):
            outcome = game.outcome(state)
        if outcome is not None:
            assert outcome.reason and len(outcome.scores) == room.rules.seats
            assert outcome.winner is None or 0 <= outcome.winner < room.rules.seats


def test_every_state_can_be_drawn(room, game):
    for _, state in random_play(room, game, 2):
        frame = room.view.frame(state)
        assert len(frame.cells) == frame.rows * frame.cols
        assert not frame.edges or len(frame.edges) == len(frame.cells)
        assert frame.text, "screen readers need a sentence"
        names = {*frame.cells, *(entity.sprite for entity in frame.entities)}
        drawable = {name for name in names if not name.startswith("text:")}
        assert drawable <= set(room.view.glyphs), f"no glyph for {drawable - set(room.view.glyphs)}"
        ids = [entity.id for entity in frame.entities]
        assert len(set(ids)) == len(ids)
        for entity in frame.entities:
            assert 0 <= entity.row < frame.rows and 0 <= entity.col < frame.cols


def test_events_speak_of_cells_on_the_board(room, game):
    before = None
    for action, state in random_play(room, game, 4):
        if action is not None and is_pure(game):
            frame = room.view.frame(state)
            for event in game.events(before, action, state):
                assert event.kind
                assert -1 <= event.cell < frame.rows * frame.cols
        before = state


def test_shipped_levels_can_be_read_and_started(room, game):
    for name in room.levels.names():
        state = game.start(game.parse(room.levels.text(name)), room.rules.options(), 1)
        assert game.outcome(state) is None, f"level {name} is over before it starts"
        if isinstance(game, Closing):
            break


def test_importing_a_room_is_quick_enough_to_list_games(room):
    began = time.perf_counter()
    catalog.room(room.name)
    assert time.perf_counter() - began < 1.0
