"""NetHack: the real game in a process of its own, a bot in the place of the interface, and a referee that counts."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gridsage.core.errors import LevelError
from gridsage.core.extras import missing_extra
from gridsage.core.frame import Frame
from gridsage.core.game import Game, Tally
from gridsage.core.room import (
    AgentEntry,
    Help,
    NamedLevel,
    Players,
    Room,
    Rules,
    ShippedLevels,
    Showcase,
    View,
    WarmUp,
    Wire,
    shipped,
)
from gridsage.games.nethack.keys import TYPED
from gridsage.games.nethack.level import Level, Options

if TYPE_CHECKING:
    from gridsage.games.nethack.state import State

LEVELS = Path(__file__).parent / "levels"
# Of the game's sixteen colours, in their order.
COLOUR_NAMES = (
    "dark", "red", "green", "brown", "blue", "magenta", "cyan", "grey",
    "no colour", "orange", "bright green", "yellow", "bright blue", "bright magenta", "bright cyan", "white",
)  # fmt: skip
KEYS_PER_GAME = 1_000_000  # a game of 20,000 turns takes some 30,000 keys; prompts and menus take no turn


class NetHackRules(Rules[Level, Options, "State"]):
    """The rules, as the arena wants them."""

    options = Options
    max_steps = KEYS_PER_GAME
    main_figures = ("depth", "turns", "experience", "progression")

    def game(self) -> Game[Level, Options, State]:
        from gridsage.games.nethack.rules import NetHack

        return NetHack()

    def tally(self, game: Game[Level, Options, State]) -> Tally[State]:
        from gridsage.games.nethack.rules import NetHack
        from gridsage.games.nethack.tally import NetHackTally

        assert isinstance(game, NetHack)  # the referee is asked

        return NetHackTally(game)

    def wire(self) -> Wire:
        from gridsage.games.nethack.wire import WIRE

        return WIRE

    def warm_up(self) -> WarmUp:
        from gridsage.games.nethack.agents.warm_up import steps

        return steps()

    def missing(self) -> str | None:
        return missing_extra("NetHack", "nethack") if importlib.util.find_spec("nle") is None else None


class NetHackLevels(ShippedLevels):
    """Levels of a seed, and small ones described in des files."""

    folder = LEVELS
    suffix = ".des"
    aliases = {name[1:]: name for name, _ in shipped(LEVELS, ".des")}  # their numbers had one digit once

    def of_seed(self, seed: int) -> NamedLevel:
        return NamedLevel(f"dungeon {seed}", "")

    def read(self, path: Path) -> list[NamedLevel]:
        from gridsage.games.nethack.level import parse

        try:
            text = path.read_text("latin-1")
            if "\0" in text:
                raise LevelError("it is no text; expected a .des file, or lines of `option = value`")
            level = parse(text)
            if not level.des and not level.changes:
                raise LevelError(
                    "nothing in it; expected `option = value` lines, or levels that begin with MAZE: or LEVEL:"
                )
            if level.des and importlib.util.find_spec("nle") is not None:
                from gridsage.games.nethack.session import des

                des.check(level.des, level.names)  # the compiler's own words about what it does not like
        except (OSError, LevelError, ValueError) as error:
            raise LevelError(f"{path}: {error}") from None
        return [NamedLevel(path.stem, text)]


class NetHackPlayers(Players):
    """The bots."""

    default = "survivor"
    aliases = {"report": "baseline"}

    def agents(self) -> Mapping[str, AgentEntry]:
        from gridsage.games.nethack.agents import agents

        return agents()


class _Glyphs(Mapping[str, tuple[str, str]]):
    """The table of coloured characters, made when somebody looks into it."""

    def _table(self) -> Mapping[str, tuple[str, str]]:
        from gridsage.games.nethack.view import glyphs

        return glyphs()

    def __getitem__(self, sprite: str) -> tuple[str, str]:
        return self._table()[sprite]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table())

    def __len__(self) -> int:
        return len(self._table())


class NetHackView(View["State"]):
    """The screen of the terminal as a picture."""

    glyphs = _Glyphs()
    takes = ("new level",)
    keys = TYPED
    showcase = Showcase(seed=2, skip=240, steps=50)
    contest = "level"

    def frame(self, state: State) -> Frame:
        from gridsage.games.nethack.view import frame

        return frame(state)

    def called(self, sprite: str) -> str:
        """A letter and its colour, as players say them."""
        from gridsage.games.nethack.view import COLOURS

        letter, code = sprite[len("text:")], sprite[len("text:") + 2 :]
        names = {colour: name for (colour, _), name in zip(COLOURS, COLOUR_NAMES, strict=True)}
        return "blank" if letter == " " else f"{names.get(code, 'white')} {letter}"


ROOM = Room(
    name="nethack",
    title="NetHack",
    summary="The real NetHack 3.6.7: a dungeon that cannot be cloned, explored with memory and needs.",
    rules=NetHackRules(),
    levels=NetHackLevels(),
    players=NetHackPlayers(),
    view=NetHackView(),
    help=Help(Path(__file__).parent / "guide.toml"),
)
