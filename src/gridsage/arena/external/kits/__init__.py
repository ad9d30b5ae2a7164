"""Starter kits: a small working player in each of seven languages, to begin from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gridsage.core.errors import OptionError, unknown

FOLDER = Path(__file__).parent
NAME = "NAME"  # what the templates call the player
GOOD_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")


@dataclass(frozen=True)
class Kit:
    """What a kit writes, and how its player is built and started."""

    suffix: str
    command: str  # from inside the folder
    tool: str  # the program it cannot do without
    has_makefile: bool = False
    template: str = ""  # its file here, where the name says not which
    script: str = ""  # a template for run.sh


KITS = {
    "python": Kit("py", "python {name}.py", "python3", template="python.txt"),
    "c": Kit("c", "./{name}", "cc", True),
    "cpp": Kit("cpp", "./{name}", "c++", True),
    "javascript": Kit("js", "node {name}.js", "node"),
    "java": Kit("java", "sh ./run.sh", "javac", True, script="java.sh"),
    "rust": Kit("rs", "./{name}", "rustc", True),
    "prolog": Kit("pl", "swipl {name}.pl", "swipl"),
}


def write(language: str, name: str, folder: Path) -> list[Path]:
    """Write a new player into `folder`/`name` and return its files; nothing that is there is overwritten."""
    if language not in KITS:
        raise unknown("starter kit", language, KITS)
    if not GOOD_NAME.fullmatch(name):
        raise OptionError(f"{name!r} cannot name a player: expected a letter, then letters, digits and underscores")
    kit, place = KITS[language], folder / name
    if place.exists():
        raise OptionError(f"{place} is there already: choose another name")
    files = {f"{name}.{kit.suffix}": kit.template or f"{language}.{kit.suffix}"}
    if kit.has_makefile:
        files["Makefile"] = f"{language}.make"
    if kit.script:
        files["run.sh"] = kit.script
    try:
        place.mkdir(parents=True)
        for target, template in files.items():
            text = (FOLDER / template).read_text(encoding="utf-8").replace(NAME, name)
            (place / target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise OptionError(f"{place}: {error.strerror}") from None
    return [place / target for target in files]
