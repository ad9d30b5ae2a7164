"""The promises of every game, each as a check that plays it at random."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from gridsage.core import picture
from gridsage.core.amounts import counted
from gridsage.core.errors import IllegalAction, ObservationError, UnknownName
from gridsage.core.game import Action, AnyGame, Closing, Model, Observation, Own
from gridsage.core.rng import generator
from gridsage.core.room import Json, NamedLevel, Room
from gridsage.core.trace import state_hash
from gridsage.games import catalog
from gridsage.testing.promises import BrokenPromise, require, some_level, through_json

STEPS = 60  # of a game that is played at random
NO_ACTION: Action = 1_000_000_007  # an action that no game has
NO_LABEL = "fly to the moon"  # nor a label like this


def random_play(
    room: Room, game: AnyGame, seed: int, level: NamedLevel | None = None, options: Own = None
) -> Iterator[tuple[Action | None, Own]]:
    """Yield (action or None, state) of a game of at most STEPS steps, played at random.

    Args:
        level: by default the first shipped one, or that of seed 1.
        options: an options struct of the room; by default the usual ones.
    """
    random = generator(seed, "contract")
    text = (level or some_level(room)).text
    state = game.start(game.parse(text), room.rules.options() if options is None else options, seed)
    yield None, state
    for _ in range(STEPS):
        if game.outcome(state) is not None:
            return
        action = random.choice(list(game.legal(state)))
        state = game.step(state, action)
        yield action, state


def same_seed_same_game(room: Room) -> None:
    """The same seed and actions give the same states."""
    with _game(room) as game:
        runs = [[state_hash(game, state) for _, state in random_play(room, game, 7)] for _ in range(2)]
    require(runs[0] == runs[1], "two games with the same seed and actions have other fingerprints")


def step_is_pure(room: Room) -> None:
    """`step` leaves the state it is given alone; only for a Model."""
    with _game(room) as game:
        if not isinstance(game, Model):
            return
        for _, state in _open_states(room, game, 3):
            before = (game.key(state), game.fingerprint(state))
            for action in game.legal(state):
                game.step(state, action)
            require((game.key(state), game.fingerprint(state)) == before, "step changes the state that it is given")


def equal_keys_equal_futures(room: Room) -> None:
    """States with equal keys have equal futures; only for a Model."""
    with _game(room) as game:
        if not isinstance(game, Model):
            return
        met: dict[object, object] = {}
        for seed in range(1, 6):
            for _, state in _open_states(room, game, seed):
                future = {action: game.key(game.step(state, action)) for action in game.legal(state)}
                same = met.setdefault(game.key(state), future) == future
                require(same, "two states with the same key have different futures")
        require(len(met) > 1, "the key never changes")


def fingerprints_tell_states_apart(room: Room) -> None:
    """Fingerprints differ whenever keys do."""
    with _game(room) as game:
        key = game.key if isinstance(game, Model) else game.fingerprint
        seen: dict[bytes, object] = {}
        for seed in range(1, 4):
            for _, state in random_play(room, game, seed):
                same = seen.setdefault(game.fingerprint(state), key(state)) == key(state)
                require(same, "two states with different keys have the same fingerprint")
        require(len(seen) > 1, "the fingerprint never changes")


def names_agree(room: Room) -> None:
    """The room's name is the game's, its default agent exists, and some key means a legal action."""
    with _game(room) as game:
        require(game.name == room.name, f"the game is called {game.name!r}, the room {room.name!r}")
        known = catalog.agent_entries(room)
        require(room.players.default in known, f"the default agent {room.players.default!r} is none of {list(known)}")
        labels = {game.label(action) for action in game.legal(_first(room, game))}
        typed = set(room.view.keys.values())
        require(not typed or bool(labels & typed), "no key of the view means an action that is legal at the start")


def levels_can_be_read(room: Room) -> None:
    """Shipped levels and those of seeds can be read, and no shipped one is over before it starts."""
    with _game(room) as game:
        if room.levels.of_seed is not None:
            for seed in (1, 2, 3):
                game.parse(room.levels.of_seed(seed).text)
        for name in room.levels.names():
            level = game.parse(room.levels.text(name))
            if not isinstance(game, Closing):  # to start one that holds a process takes long
                over = game.outcome(game.start(level, room.rules.options(), 1)) is not None
                require(not over, f"level {name} is over before it starts")
        for old, new in room.levels.aliases.items():
            require(new in room.levels.names(), f"the level name {old!r} leads to {new!r}, which is not there")


def legal_actions_are_accepted(room: Room) -> None:
    """A game that goes on has legal actions, each once, and `step` takes them."""
    with _game(room) as game:
        for _, state in _open_states(room, game, 11):
            legal = list(game.legal(state))
            require(bool(legal), "a game that goes on has no legal action")
            require(len(set(legal)) == len(legal), "a legal action is listed twice")
            if isinstance(game, Model):
                for action in legal:
                    game.step(state, action)


def labels_lead_back(room: Room) -> None:
    """Every legal action has words, `action` leads from them back to it and refuses words that mean nothing."""
    with _game(room) as game:
        for _, state in _open_states(room, game, 12):
            for action in game.legal(state):
                label = game.label(action)
                require(bool(label), f"action {action} has no label")
                require(game.action(label) == action, f"action({label!r}) is {game.action(label)}, not {action}")
        try:
            game.action(NO_LABEL)
        except UnknownName:
            return
    raise BrokenPromise(f"action({NO_LABEL!r}) raises no UnknownName")


def unknown_actions_are_refused(room: Room) -> None:
    """`step` refuses an action that does not exist with an IllegalAction that names it."""
    with _game(room) as game:
        state = _first(room, game)
        try:
            game.step(state, NO_ACTION)
        except IllegalAction as error:
            require(str(NO_ACTION) in str(error), f"the refusal of {NO_ACTION} does not name it: {error}")
            return
    raise BrokenPromise(f"step accepts the action {NO_ACTION}")


def outcomes_are_complete(room: Room) -> None:
    """An outcome has a reason, a score per seat, and a winner that sits there."""
    with _game(room) as game:
        for seed in range(1, 4):
            for _, state in random_play(room, game, seed):
                outcome = game.outcome(state)
                if outcome is None:
                    continue
                seats = room.rules.seats
                require(bool(outcome.reason), "an outcome has no reason")
                require(
                    len(outcome.scores) == seats,
                    f"{counted(len(outcome.scores), 'score')} for {counted(seats, 'seat')}",
                )
                require(outcome.winner is None or 0 <= outcome.winner < seats, f"seat {outcome.winner} wins")


def states_can_be_drawn(room: Room) -> None:
    """Every frame is complete: cells, glyphs, entities on the board with ids of their own, and a sentence."""
    with _game(room) as game:
        for _, state in random_play(room, game, 2):
            frame = room.view.frame(state)
            cells = frame.rows * frame.cols
            require(len(frame.cells) == cells, f"the frame has {counted(len(frame.cells), 'cell')}, expected {cells}")
            require(not frame.edges or len(frame.edges) == cells, "the frame has not one edge per cell")
            require(bool(frame.text), "the frame has no sentence for screen readers")
            names = {*frame.cells, *(entity.sprite for entity in frame.entities)}
            bare = {name for name in names if not name.startswith(picture.TEXT)} - set(room.view.glyphs)
            require(not bare, f"no glyph for {sorted(bare)}")
            ids = [entity.id for entity in frame.entities]
            require(len(set(ids)) == len(ids), "two entities have the same id")
            outside = [e.id for e in frame.entities if not (0 <= e.row < frame.rows and 0 <= e.col < frame.cols)]
            require(not outside, f"entities stand outside the board: {outside}")


def events_are_on_the_board(room: Room) -> None:
    """Every event has a kind and a cell of the board, or -1."""
    with _game(room) as game:
        if not isinstance(game, Model):
            return
        before = None
        for action, state in random_play(room, game, 4):
            if action is not None:
                frame = room.view.frame(state)
                for event in game.events(before, action, state):
                    require(bool(event.kind), "an event has no kind")
                    inside = -1 <= event.cell < frame.rows * frame.cols
                    require(inside, f"the event {event.kind!r} is outside the board: cell {event.cell}")
            before = state


def observations_survive_json(room: Room) -> None:
    """`decode` gives back what `encode` was given, by way of JSON, and the schema names what is sent."""
    with _game(room) as game:
        for _, state in random_play(room, game, 5):
            observation_survives_json(room, game.observe(state, game.seat(state)))
        sent = room.rules.encode(game.observe(state, game.seat(state)))
        require(set(_properties(room)) >= set(sent if isinstance(sent, dict) else ()), "the schema lacks a field")
        wrong: list[Json] = [{}, [], "nothing"]
        for each in wrong:
            _refuses(room, each)


def observation_survives_json(room: Room, seen: Observation) -> None:
    """Raise a BrokenPromise if the observation is not the same after `encode`, JSON and `decode`."""
    data = room.rules.encode(seen)
    again = room.rules.decode(through_json(data))
    require(type(again) is type(seen), f"decode gives {type(again).__name__}, not {type(seen).__name__}")
    require(_fields(again) == _fields(seen), "decode gives another observation than encode was given")
    require(room.rules.encode(again) == data, "encode writes a decoded observation differently")


def observations_can_be_told(room: Room) -> None:
    """An observation has a board with a line per row, and words."""
    with _game(room) as game:
        for _, state in random_play(room, game, 6):
            seen = game.observe(state, game.seat(state))
            frame = room.view.seen_frame(seen)
            require(len(room.view.board(seen).splitlines()) > frame.rows, "the board has not one line per row")
            require(frame.text in room.view.words(seen), "the words leave out the frame's sentence")


GAME_CHECKS: tuple[Callable[[Room], None], ...] = (
    same_seed_same_game,
    step_is_pure,
    equal_keys_equal_futures,
    fingerprints_tell_states_apart,
    names_agree,
    levels_can_be_read,
    legal_actions_are_accepted,
    labels_lead_back,
    unknown_actions_are_refused,
    outcomes_are_complete,
    states_can_be_drawn,
    events_are_on_the_board,
    observations_survive_json,
    observations_can_be_told,
)


@contextmanager
def _game(room: Room) -> Iterator[AnyGame]:
    game = room.rules.game()
    try:
        yield game
    finally:
        if isinstance(game, Closing):
            game.close()


def _open_states(room: Room, game: AnyGame, seed: int) -> Iterator[tuple[Action | None, Own]]:
    """As `_random_play`, without a state in which the game is over."""
    for action, state in random_play(room, game, seed):
        if game.outcome(state) is None:
            yield action, state


def _first(room: Room, game: AnyGame) -> Own:
    return next(random_play(room, game, 1))[1]


def _fields(thing: Observation) -> object:
    """The fields of an observation, arrays as lists, so that two can be compared."""
    if not dataclasses.is_dataclass(thing):
        return thing
    values = [getattr(thing, field.name) for field in dataclasses.fields(thing)]
    return [value.tolist() if hasattr(value, "tolist") else value for value in values]


def _properties(room: Room) -> dict[str, object]:
    schema = msgspec.convert(room.rules.schema(), _Schema)
    return schema.definitions[schema.ref.rpartition("/")[2]].properties


class _Definition(msgspec.Struct):
    properties: dict[str, object] = {}


class _Schema(msgspec.Struct):
    ref: str = msgspec.field(name="$ref")
    definitions: dict[str, _Definition] = msgspec.field(name="$defs")


def _refuses(room: Room, data: Json) -> None:
    try:
        room.rules.decode(data)
    except ObservationError:
        return
    raise BrokenPromise(f"decode accepts {data!r}")
