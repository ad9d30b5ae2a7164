"""Every command that the documents show works, and prints what they say.

A fenced block `console` is run line by line in a folder of its own document: what stands after `$ ` is the command, the
lines below it are its output, if any are shown. `...` stands for anything, within a line or for whole lines. A comment
`<!-- not run: why -->` before a block keeps it from being run; its commands are still read as `gridsage` reads them.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import typer
from typer.core import TyperGroup

from gridsage.cli import flags
from gridsage.cli.app import app
from gridsage.games import catalog

PROJECT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md")])
BLOCK = re.compile(r"(<!-- not run:[^\n]*-->\n+)?```console\n(.*?)```", re.DOTALL)
LONG_DOCUMENTS = frozenset(
    {"docs/scale.md", "docs/tutorials/honest-comparison.md", "docs/loderunner.md", "docs/ricochet.md"}
)
SHOWN_COLUMNS = 110  # the width of tables in the documents


class Shown(NamedTuple):
    """A command of a document and the output it shows."""

    command: str
    output: str
    is_run: bool


def shown_in(path: Path) -> list[Shown]:
    commands = []
    for mark, block in BLOCK.findall(path.read_text(encoding="utf-8")):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            command, _, output = part.partition("\n")
            commands.append(Shown(command, output.strip("\n"), not mark))
    return commands


def pattern(output: str) -> str:
    """The shown output as a regular expression: `...` alone on a line is any lines, elsewhere any text."""
    lines = []
    for line in output.splitlines():
        words = r"[^\n]*".join(re.escape(part) for part in line.rstrip().split("..."))
        lines.append(r"(?:[^\n]*\n)*?" if line.strip() == "..." else words + r" *\n")
    return "".join(lines)


def title(path: Path) -> str:
    return str(path.relative_to(PROJECT))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what a reader has: the examples of the checkout and a few files of their own."""
    place = tmp_path / "reader"
    shutil.copytree(PROJECT / "examples", place / "examples")
    (place / "tests").mkdir()
    (place / "tests" / "golden").symlink_to(PROJECT / "tests" / "golden")
    for source in (PROJECT / "tests" / "docs").iterdir():
        shutil.copy(source, place)
    return place


def documents(is_run: bool) -> list[object]:
    """The documents that show such commands, named by their path."""
    found = [path for path in DOCUMENTS if any(shown.is_run == is_run for shown in shown_in(path))]
    return [pytest.param(path, id=title(path), marks=long_marks(path) if is_run else ()) for path in found]


def long_marks(path: Path) -> tuple[pytest.MarkDecorator, ...]:
    """Return the mark of the documents whose commands take some half a minute; what readers try first is not there."""
    return (pytest.mark.long,) if title(path) in LONG_DOCUMENTS else ()


@pytest.mark.parametrize("path", documents(is_run=True))
def test_commands_print_what_the_document_shows(path, folder):
    env = {**os.environ, "COLUMNS": str(SHOWN_COLUMNS), "TERM": "dumb", "NO_COLOR": "1"}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
    for shown in shown_in(path):
        if not shown.is_run:
            continue
        done = subprocess.run(
            ["bash", "-c", shown.command],
            cwd=folder,
            env=env,
            input="quit\n",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        expected = 2 if "gridsage: " in shown.output else 0
        assert done.returncode == expected, f"{title(path)}: {shown.command}\n{done.stdout}"
        if shown.output:
            printed = "".join(line.rstrip() + "\n" for line in done.stdout.strip("\n").splitlines())
            assert re.fullmatch(pattern(shown.output), printed), (
                f"{title(path)}: {shown.command} prints\n{printed}\nand the document shows\n{shown.output}"
            )


@pytest.mark.parametrize("path", documents(is_run=False))
def test_commands_that_take_long_are_at_least_right(path, folder, monkeypatch):
    monkeypatch.chdir(folder)
    for shown in shown_in(path):
        words = shlex.split(shown.command, comments=True)
        if not shown.is_run and words[0] == "gridsage":
            understood(words[1:])


def understood(words: list[str]) -> None:
    """Read a command line as `gridsage` does, names of games, agents and options included, and do nothing."""
    command = typer.main.get_command(app)
    context = command.make_context("gridsage", list(words), resilient_parsing=True)
    while isinstance(command, TyperGroup):
        _, command, words = command.resolve_command(context, words)
        inner = list(words)
        context = command.make_context(
            command.name, inner, parent=context, resilient_parsing=isinstance(command, TyperGroup)
        )
    given = context.params
    if given.get("game"):
        room = catalog.room(given["game"])
        if isinstance(given.get("agents"), str):
            for spec in flags.agents(given["agents"], room):
                assert "." in spec.name or spec.name in catalog.agent_entries(room), f"{spec.name} of {words}"
        if "option" in given:
            flags.rule_options_and_level(room, given["option"], context, given.get("level"))


PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=title(path)) for path in DOCUMENTS if PYTHON.search(path.read_text())]
)
def test_python_code_runs(path, folder):
    for code in PYTHON.findall(path.read_text(encoding="utf-8")):
        done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, f"{title(path)}:\n{code}\n{done.stderr}"


def test_the_agents_of_the_tutorial_are_the_example_files():
    shown = PYTHON.findall((PROJECT / "docs/tutorials/first-agent.md").read_text(encoding="utf-8"))
    files = [PROJECT / "examples/agents" / name for name in ("first_agent.py", "patient.py")]
    assert shown == [path.read_text(encoding="utf-8") for path in files]


def test_every_command_stands_in_a_block_that_is_tested():
    for path in DOCUMENTS:
        text = BLOCK.sub("", path.read_text(encoding="utf-8"))
        loose = re.findall(r"(?m)^(?:    |```\w*\n)(?:\$ )?(?:gridsage|python|make) .*", text)
        assert loose == [], f"{title(path)}: write these as ```console blocks"


def test_the_dots_of_an_output_stand_for_anything():
    assert re.fullmatch(pattern("a ... c\n...\nend"), "a b c\nmore\nmore\nend\n")
    assert re.fullmatch(pattern("a\n...\nend"), "a\nend\n")
    assert not re.fullmatch(pattern("a ... c"), "a b\nc\n")
    assert not re.fullmatch(pattern("a"), "a\nb\n")
