"""Pages of the documentation that are made from the code while the site is built; used by mkdocs.yml."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from typer.core import TyperCommand, TyperGroup

import gridsage
from gridsage.cli.app import EXIT_CODES, app
from gridsage.core.room import Room
from gridsage.games import catalog

PROJECT = Path(__file__).resolve().parent.parent
ROOT_PAGES = {name: name.lower() for name in ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the made pages to those that are written."""
    pages = {"reference/command-line.md": command_line(), "reference/python.md": python_names()}
    pages |= {f"learn/{name}.md": guide_page(catalog.room(name)) for name in catalog.BUILT_IN}
    for source, target in ROOT_PAGES.items():
        pages[target] = moved((PROJECT / source).read_text(encoding="utf-8"))
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    return files


def moved(text: str) -> str:
    """Return a page of the repository's root with its links as they are in the site."""
    text = re.sub(r"\]\(docs/", "](", text)
    for source, target in ROOT_PAGES.items():
        text = text.replace(f"]({source})", f"]({target})")
    return text


def command_line() -> str:
    """Return the page of all verbs, each with its flags and example."""
    command = typer.main.get_command(app)
    assert isinstance(command, TyperGroup)
    parts = ["# The command line", "This page is made from the code: `gridsage VERB --help` says the same.", EXIT_CODES]
    parts += ["## gridsage", sentence(command), *flags(command)]
    for name, verb in command.commands.items():
        if isinstance(verb, TyperGroup):
            for inner, found in verb.commands.items():
                parts += [f"## gridsage {name} {inner}", *described(found)]
        else:
            parts += [f"## gridsage {name}", *described(verb)]
    return "\n\n".join(parts) + "\n"


def described(verb: TyperCommand) -> Iterator[str]:
    """Yield what one verb does, what it takes, and an example."""
    yield sentence(verb)
    yield from flags(verb)
    if verb.epilog:
        yield re.sub(r"Example: (.*)", r"Example: `\1`", verb.epilog.replace(", or gridsage", "`, or `gridsage"))


def sentence(command: TyperCommand | TyperGroup) -> str:
    """Return the help of a command as one paragraph."""
    return " ".join((command.help or "").split())


def flags(command: TyperCommand | TyperGroup) -> Iterator[str]:
    """Yield a table of the words and flags that a command takes."""
    rows = ["| word or flag | default | meaning |", "|---|---|---|"]
    for parameter in command.params:
        is_flag = parameter.param_type_name == "option"
        name = ", ".join(parameter.opts) if is_flag else str(parameter.name).upper()
        given = parameter.default
        default = "" if given is None or given is False or given is ... or callable(given) else given
        meaning = " ".join((getattr(parameter, "help", None) or "").split()).replace("|", "\\|")
        shown = f"`{default}`" if default != "" else ""
        rows.append(f"| `{name}` | {shown} | {meaning} |")
    yield "\n".join(rows)


def guide_page(room: Room) -> str:
    """Return what a newcomer is told about a game: the same guide that the page plays."""
    guide = room.help.guide()
    assert guide is not None, room.name
    parts = [f"# Learn {room.title}", f"**{guide.goal}**"]
    parts += [f"`gridsage` opens the page: there, at `/learn/{room.name}`, each of these boards can be played."]
    for number, lesson in enumerate(guide.lessons, 1):
        parts += [f"## Lesson {number}: {lesson.title}", lesson.text, drawn(lesson.level)]
        parts += ["One way: " + steps(lesson.actions), lesson.done]
    parts.append("## Rules")
    for rule in guide.rules:
        parts += [f"### {rule.title}", rule.text]
        parts += [drawn(rule.level)] if rule.level else []
    if guide.cards:
        rows = [f"| {card.sign} | {card.title} | {card.text} |" for card in guide.cards]
        parts += ["## Cards", "\n".join(["| sign | card | what it does |", "|---|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


def drawn(level: str) -> str:
    """Return a level's text as it is written in files."""
    return f"```text\n{level.strip(chr(10))}\n```"


def steps(actions: Sequence[str]) -> str:
    """Return actions in words, those that are repeated once."""
    runs = [(label, len(list(same))) for label, same in itertools.groupby(actions)]
    return ", ".join(f"{label} ({times} times)" if times > 1 else label for label, times in runs) + "."


def python_names() -> str:
    """Return the page of every public name, its text taken from the docstrings."""
    parts = ["# Python", "This page is made from the code: every name that `import gridsage` offers."]
    parts += [f"::: gridsage.{name}" for name in public_names()]
    return "\n\n".join(parts) + "\n"


def public_names() -> list[str]:
    """Return the names that users of the package may rely on."""
    return [name for name in getattr(gridsage, "__all__", ["core.game"]) if not name.startswith("__")]
