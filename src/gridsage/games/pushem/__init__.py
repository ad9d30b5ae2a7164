"""Push'em All: two sides push each other off a board that breaks at its edges, with ten cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gridsage.core.errors import unknown
from gridsage.core.game import Game, Tally
from gridsage.core.room import AgentEntry, Features, NamedLevel, Room, Showcase, shipped
from gridsage.core.sheet import Entry, Sheet, Tile
from gridsage.games.pushem import level, view
from gridsage.games.pushem.generator import generate
from gridsage.games.pushem.level import CARD_NAMES, SEATS, SIZE, Options
from gridsage.games.pushem.state import State

LEVELS = Path(__file__).parent / "levels"
START = "start"


def _game() -> Game[level.Level, Options, State]:
    from gridsage.games.pushem.rules import GAME

    return GAME


def _agents() -> Mapping[str, AgentEntry]:
    from gridsage.games.pushem.agents import AGENTS

    return AGENTS


def _level_names() -> Sequence[str]:
    names = [name for name, _ in shipped(LEVELS)]
    return [START, *(name for name in names if name != START)]


def _level(name: str) -> str:
    paths = dict(shipped(LEVELS))
    if name not in paths:
        raise unknown("level of pushem", name, paths)
    return paths[name].read_text(encoding="utf-8")


def _read(path: Path) -> list[NamedLevel]:
    text = path.read_text(encoding="utf-8")
    level.parse(text)
    return [NamedLevel(path.stem, text)]


def _warm_up() -> Sequence[tuple[str, Callable[[], object]]]:
    from gridsage.games.pushem.agents import warm_up_steps

    return warm_up_steps()


def _tally(game: Game[level.Level, Options, State]) -> Tally[State]:
    from gridsage.games.pushem.rules.tally import PushemTally

    return PushemTally()


def _moves(state: State, text: str) -> Sequence[int]:
    """The small actions of a whole turn such as `R+swap@c3:d4`."""
    from gridsage.games.pushem.rules import parse_turn

    return parse_turn(text, state)


def _features() -> Features:
    from gridsage.games.pushem.features import FEATURES

    return FEATURES


SHEET = Sheet(
    tiles=(
        Tile(".", "ground", "ground", "ground"),
        Tile("#", "abyss", "abyss", "ground"),
        Tile("x", "first", "pawn of First", "pawns", needed=True, stands=True),
        Tile("o", "second", "pawn of Second", "pawns", needed=True, stands=True),
        Tile("X", "first_frozen", "frozen pawn of First", "pawns", stands=True),
        Tile("O", "second_frozen", "frozen pawn of Second", "pawns", stands=True),
    ),
    entries=(
        Entry("turn", "To move", "choice", SEATS, usual=SEATS[0]),
        Entry("ply", "Plies played", "number", least=0, most=999, usual="0", note="rings crack at 30, 50 and 70"),
        Entry("first", "Cards of First", "cards", CARD_NAMES, note="dealt from the seed"),
        Entry("second", "Cards of Second", "cards", CARD_NAMES, note="dealt from the seed"),
        Entry("reversed", "Reversed", "choice", ("no", "yes"), usual="no"),
    ),
    fixed=(SIZE, SIZE),
)

ROOM = Room(
    name="pushem",
    title="Push'em All",
    summary="Two sides push each other off a board that breaks at its edges; ten cards bend the rules.",
    game=_game,
    options=Options,
    agents=_agents,
    default_agent="master",
    frame=view.frame,
    glyphs=view.GLYPHS,
    keys=view.KEYS,
    point=view.point,
    area=view.area,
    moves=_moves,
    position=view.position,
    meanings=view.MEANINGS,
    sheet=SHEET,
    showcase=Showcase("start", seed=3, skip=8, steps=60),
    level_names=_level_names,
    level=_level,
    seats=2,
    match_options={"opening": 2},  # random first steps: without them only the 120 deals differ
    read=_read,
    write={"text": lambda text: level.write(level.parse(text))},
    generate=generate,
    warm_up=_warm_up,
    tally=_tally,
    features=_features,
    max_steps=600,  # 120 plies of at most four actions, with room to spare
)
