"""A personality: the priorities and habits of a bot, read from a TOML file that a user can write."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

from gridsage.core.complaints import in_words
from gridsage.core.errors import OptionError, shown, unknown
from gridsage.core.files import NO_FILE, is_other_than_a_file

LARGEST = 1_000_000  # turns, hit points and weights beyond it mean nothing
LEAST_WORTHY = 5  # the experience level from which a fountain may give Excalibur
FOLDER = Path(__file__).parent / "personalities"


class Priorities(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How strongly each behaviour bids, 1 to 100; 0 switches it off. The highest bid acts."""

    pray: int = 95
    fight: int = 90
    obey: int = 85
    recover: int = 80
    eat: int = 75
    rest: int = 0
    unstick: int = 70
    leave_branch: int = 65
    explore: int = 60
    descend: int = 50
    peek: int = 45
    search: int = 40
    last_resort: int = 10
    look: int = 0
    tactics: int = 0
    equip: int = 0
    dig: int = 0
    plunder: int = 0
    hunt: int = 0
    loot: int = 0
    hold: int = 0
    camp: int = 0
    travel: int = 0
    ascend: int = 0
    companion: int = 0
    dip: int = 0


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Extra turns by which each kind of frontier seems farther away than it is."""

    floor: int = 0
    corridor: int = 0
    doorway: int = 0
    closed_door: int = 2
    locked_door: int = 15


class Milestones(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a bot that grows goes where."""

    strength_per_level: float = 28.0  # hit points, armour counted in, that each level of monsters asks for
    growth_depth: int = 8  # the deepest level on which those who fight well grow
    weak_depth: int = 8  # the same for the others; one level less before experience level 5
    mines_strength: int = 1000  # hit points, armour counted in, from which a pick-axe is sought in the Mines
    strong_mines_level: int = 1  # experience level from which those who fight well seek one there
    deep_mines: int = 5  # levels of the Mines that those who fight well search for one
    dive_level: int = 31  # experience level from which a hero with a pick-axe digs down for good
    strong_dive_level: int = 31  # the same for those who fight well from the first: they gain more by growing
    dive_turn: int = 1_000_000  # turn from which a hero with a pick-axe digs down whatever its level
    strong_dive_turn: int = 1_000_000  # the same for those who fight well from the first
    born_dive: bool = False  # an Archeologist digs from the first turn: growing first brought half the depth
    excalibur_level: int = LEAST_WORTHY  # experience level, 5 or more, from which a lawful hero dips its long sword
    excalibur_depth: int = 4  # the deepest level whose fountains are gone to
    excalibur_deeper: int = 0  # how many levels deeper whoever has it grows, as its experience allows
    writes_with_wands: bool = False  # unknown wands are written with once, which tells what they do
    last_turn: int = 1_000_000  # turn from which everybody goes down for good


class Personality(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a personality file can say."""

    name: str
    summary: str = ""
    mines: bool = False  # whether the Gnomish Mines are a place to go down
    search_turns: int = 1200  # turns of searching on one level before any other way out is taken
    give_up_turns: int = 1450  # turns without any progress after which the game is given up
    rest_below: float = 0.0  # share of hit points below which `rest` bids
    rest_until: float = 1.0  # share of hit points at which a rest is over
    priorities: Priorities = Priorities()
    weights: Weights = Weights()
    milestones: Milestones = Milestones()


def shipped() -> list[str]:
    """Names of the personalities that come with the room."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name: str) -> Personality:
    """The personality of that name, or of that TOML file."""
    path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
    if is_other_than_a_file(path):
        raise OptionError(f"{path} {NO_FILE}")
    if not path.is_file():
        if name.endswith(".toml"):
            raise OptionError(f"no such file: {shown(name)}")
        raise OptionError(f"{unknown('personality', name, shipped())}; or path/to/file.toml")
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"{path}: {in_words(error)}") from None
    return parse(text, str(path))


def parse(text: str, source: str) -> Personality:
    """The personality a TOML text describes; every complaint names the key and the cure."""
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # numbers of 5,000 digits and tables in tables among them
        raise OptionError(f"{source}: not TOML: {error}") from None
    _check_keys(raw, Personality, source, "")
    for table, kind in (("priorities", Priorities), ("weights", Weights), ("milestones", Milestones)):
        if isinstance(raw.get(table), dict):
            _check_keys(raw[table], kind, source, f"{table}.")
    if "name" not in raw:
        raise OptionError(f'{source}: it has no name: begin it with `name = "..."`')
    try:
        found = msgspec.convert(raw, Personality)
    except msgspec.ValidationError as error:
        raise OptionError(f"{source}: {in_words(error)}") from None
    if troubles := contradictions(found):
        raise OptionError(f"{source}: {'; '.join(troubles)}")
    return found


def contradictions(found: Personality) -> list[str]:
    """What in a personality cannot be meant, each with its cure."""
    wanted = found.priorities
    troubles = _out_of_bounds(found)
    for name in Priorities.__struct_fields__:
        value = getattr(wanted, name)
        if not 0 <= value <= 100:
            troubles.append(f"priorities.{name} is {value}: choose 0 (off) to 100")
    if wanted.explore == 0 and wanted.descend == 0:
        troubles.append("priorities.explore and priorities.descend are both 0: the bot would never move, raise one")
    if wanted.search >= wanted.explore > 0:
        troubles.append(
            f"priorities.search ({wanted.search}) is not below priorities.explore ({wanted.explore}): "
            "the bot would search walls before it has seen them, lower search"
        )
    if wanted.search >= wanted.descend > 0:
        troubles.append(
            f"priorities.search ({wanted.search}) is not below priorities.descend ({wanted.descend}): "
            "the bot would never take stairs it knows, lower search"
        )
    if found.rest_below > 0 and wanted.rest == 0:
        troubles.append("rest_below is set but priorities.rest is 0: raise it or remove rest_below")
    if wanted.rest > 0 and not 0 < found.rest_below <= 1:
        troubles.append("priorities.rest is set, so rest_below must be a share of hit points above 0 and up to 1")
    if found.search_turns >= found.give_up_turns:
        troubles.append(
            f"search_turns ({found.search_turns}) is not below give_up_turns ({found.give_up_turns}): "
            "the bot gives up before it has searched, lower search_turns"
        )
    same: dict[int, str] = {}
    for name in Priorities.__struct_fields__:
        value = getattr(wanted, name)
        if value and value in same:
            troubles.append(f"priorities.{name} and priorities.{same[value]} are both {value}: make them differ")
        same[value] = name
    return troubles


def _out_of_bounds(found: Personality) -> list[str]:
    """Return a sentence for each number that no game can mean."""
    troubles = [] if found.name.strip() else ["name is empty: write what the personality is called"]
    for table, values in (("weights", found.weights), ("milestones", found.milestones)):
        for name in values.__struct_fields__:
            value = getattr(values, name)
            if not 0 <= value <= LARGEST:
                troubles.append(f"{table}.{name} is {value}: choose 0 to {LARGEST}")
    for name in ("search_turns", "give_up_turns"):
        if not 1 <= getattr(found, name) <= LARGEST:
            troubles.append(f"{name} is {getattr(found, name)}: choose 1 to {LARGEST}")
    for name in ("rest_below", "rest_until"):
        if not 0 <= getattr(found, name) <= 1:
            troubles.append(f"{name} is {getattr(found, name)}: choose a share from 0 to 1")
    if found.milestones.strength_per_level == 0:
        troubles.append("milestones.strength_per_level is 0: choose a number above it")
    if found.milestones.excalibur_level < LEAST_WORTHY:
        level = found.milestones.excalibur_level
        troubles.append(f"milestones.excalibur_level is {level}: no fountain gives it before {LEAST_WORTHY}")
    return troubles


def _check_keys(raw: dict[str, object], kind: type[msgspec.Struct], source: str, prefix: str) -> None:
    for key in raw:
        if key not in kind.__struct_fields__:
            raise OptionError(f"{source}: {unknown('key', prefix + key, [prefix + k for k in kind.__struct_fields__])}")
