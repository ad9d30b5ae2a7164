"""What a game of NetHack starts from: the options, an optional set of `.des` levels, and the seeds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError, OptionError, shown, unknown
from gridsage.core.options import note
from gridsage.core.rng import child_seed
from gridsage.core.room import parse_options

ROWS, COLS = 21, 79
CELLS = ROWS * COLS

# Role, race, alignment and gender words that NetHack accepts after the player's name.
ROLES = ("arc", "bar", "cav", "hea", "kni", "mon", "pri", "rog", "ran", "sam", "tou", "val", "wiz")
RACES = ("hum", "elf", "dwa", "gno", "orc")
ALIGNMENTS = ("law", "neu", "cha")
GENDERS = ("mal", "fem")
RANDOM_CHARACTER = "@"
# What the game allows: the races and alignments of a role, the alignments of a race (None: any), and the gender.
ROLE_RACES = {
    "arc": "hum dwa gno", "bar": "hum orc", "cav": "hum dwa gno", "hea": "hum gno", "kni": "hum", "mon": "hum",
    "pri": "hum elf", "rog": "hum orc", "ran": "hum elf gno orc", "sam": "hum", "tou": "hum", "val": "hum dwa",
    "wiz": "hum elf gno orc",
}  # fmt: skip
ROLE_ALIGNMENTS = {
    "arc": "law neu", "bar": "neu cha", "cav": "law neu", "hea": "neu", "kni": "law", "mon": "law neu cha",
    "pri": "law neu cha", "rog": "cha", "ran": "neu cha", "sam": "law", "tou": "neu", "val": "law neu",
    "wiz": "neu cha",
}  # fmt: skip
RACE_ALIGNMENTS = {"hum": "law neu cha", "elf": "cha", "dwa": "law", "gno": "neu", "orc": "cha"}

SEED_BITS = 31  # nle keeps its seeds in C integers
LEVEL_NAME_LENGTH = 8  # longer names are cut by the game's level compiler
MOST_LEVELS = 4  # the Oracle may claim dungeon level 5


class Options(msgspec.Struct, frozen=True):
    """Rule options of a NetHack game; two games with equal options, seeds and keys are equal."""

    character: Annotated[str, note("role, or role-race-alignment-gender; @ for any")] = "bar"
    spawn_monsters: Annotated[bool, note("off: only those made with a level")] = True
    pet: Annotated[bool, note("begin with a pet")] = True
    pickup: Annotated[str, note("classes of things picked up by walking over them")] = "$"
    max_turns: Annotated[int, note("game turns after which it ends")] = 20_000
    stuck_turns: Annotated[int, note("turns without anything new that end the game as stuck")] = 1_500
    fixed_moon: Annotated[bool, note("moon and Friday the 13th from the seed, not the clock")] = True

    def __post_init__(self) -> None:
        check_character(self.character)
        for name, value in (("max_turns", self.max_turns), ("stuck_turns", self.stuck_turns)):
            if value < 1:
                raise OptionError(f"{name} must be at least 1, got {value}")
        if bad := set(self.pickup) - set('$?!/="+*()[`%_'):
            raise OptionError(f"pickup lists unknown object classes {''.join(sorted(bad))!r}: '$' is gold, '' is none")


@dataclass(frozen=True, slots=True)
class Seeds:
    """The three random streams of one game: play, display and level making."""

    core: int
    disp: int
    lgen: int


@dataclass(frozen=True, slots=True)
class Level:
    """Where the game is played: nothing (the game's own dungeon), or the text of a `.des` file."""

    des: str = ""
    names: tuple[str, ...] = ()  # levels of the .des file; the first becomes dungeon level 1, and so on
    changes: tuple[tuple[str, str], ...] = ()  # options that this level insists on


def seeds_of(seed: int) -> Seeds:
    """The three seeds of an episode: the same number makes the same dungeon for every bot."""
    core, disp, lgen = (child_seed(seed, "nethack", use) % (1 << SEED_BITS) for use in ("core", "disp", "lgen"))
    return Seeds(core, disp, lgen)


def check_character(text: str) -> None:
    """Complain about a character that NetHack would not understand."""
    if text == RANDOM_CHARACTER:
        return
    role, *rest = text.split("-")
    if role not in ROLES:
        raise OptionError(str(unknown("role in character", role, [*ROLES, RANDOM_CHARACTER])))
    for word in rest:
        if word not in (*RACES, *ALIGNMENTS, *GENDERS):
            raise OptionError(
                str(
                    unknown(
                        f"word in character {shown(text)}: race, alignment or gender",
                        word,
                        RACES + ALIGNMENTS + GENDERS,
                    )
                )
            )
    _check_combination(text, role, rest)


def _check_combination(text: str, role: str, words: list[str]) -> None:
    """Complain about a character that NetHack would silently turn into another one."""
    for kinds, what in ((RACES, "race"), (ALIGNMENTS, "alignment"), (GENDERS, "gender")):
        given = [word for word in words if word in kinds]
        if len(given) > 1:
            raise OptionError(f"character {shown(text)} names more than one {what}: {', '.join(given)}; keep one")
    race = next((word for word in words if word in RACES), None)
    side = next((word for word in words if word in ALIGNMENTS), None)
    if race is not None and race not in ROLE_RACES[role].split():
        raise OptionError(f"character {shown(text)}: {role} cannot be {race}, choose from {ROLE_RACES[role]}")
    sides = [name for name in ROLE_ALIGNMENTS[role].split() if race is None or name in RACE_ALIGNMENTS[race].split()]
    if side is not None and side not in sides:
        who = f"{role}-{race}" if race else role
        raise OptionError(f"character {shown(text)}: {who} cannot be {side}, choose from {' '.join(sides)}")
    if role == "val" and "mal" in words:
        raise OptionError(f"character {shown(text)}: val cannot be mal, choose fem")


def parse(text: str) -> Level:
    """The level of a text: empty, lines of `option = value`, or a `.des` file."""
    lines = [line.strip() for line in text.splitlines()]
    significant = [line for line in lines if line and not line.startswith("#")]
    if not significant:
        return Level()
    if re.match(r"(MAZE|LEVEL)\s*:", significant[0]):
        return _parse_des(text)
    known = set(Options.__struct_fields__)
    changes: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            raise LevelError(
                f"line {number}: expected `option = value` or a .des file (MAZE: or LEVEL:), got {shown(line)}"
            )
        if key not in known:
            raise LevelError(f"line {number}: {unknown('option', key, known)}")
        if key in changes:
            raise LevelError(f"line {number}: {key} is set a second time, expected once")
        try:
            parse_options(Options, {key: value}, "nethack")
        except OptionError as error:
            raise LevelError(f"line {number}: {error}") from None
        changes[key] = value
    return Level(changes=tuple(changes.items()))


def with_changes(options: Options, level: Level) -> Options:
    """The options of the game, after those that the level insists on."""
    if not level.changes:
        return options
    try:
        return msgspec.convert(msgspec.structs.asdict(options) | dict(level.changes), Options, strict=False)
    except msgspec.ValidationError as error:
        raise LevelError(f"the level's options: {error}") from None


def _parse_des(text: str) -> Level:
    names: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*(MAZE|LEVEL)\s*:", line)
        if head is None:
            continue
        found = re.match(r'\s*(?:MAZE|LEVEL)\s*:\s*"([A-Za-z0-9_-]+)"', line)
        if found is None:
            raise LevelError(
                f'line {number}: expected {head[1]}: "name", the name of 1 to {LEVEL_NAME_LENGTH} letters, digits, '
                f"- and _, got {shown(line.strip())}"
            )
        name = found[1]
        if len(name) > LEVEL_NAME_LENGTH:
            raise LevelError(
                f"line {number}: level name {shown(name)} has {counted(len(name), 'character')}, at most 8 are kept"
            )
        if name in names:
            raise LevelError(f"line {number}: level name {shown(name)} was used before")
        names.append(name)
    if len(names) > MOST_LEVELS:
        raise LevelError(
            f"{counted(len(names), 'level')} in one .des file, at most {MOST_LEVELS} fit above the game's own"
        )
    return Level(des=text, names=tuple(names))
