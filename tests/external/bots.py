"""Scripts that play over the line protocol, well or badly; each is a body for what happens at one moment."""

from __future__ import annotations

import textwrap
from pathlib import Path

SCRIPT = """
import json, os, signal, socket, sys, threading, time

def say(**message):
    print(json.dumps(message), flush=True)

def act(m, action=None):
    say(type="act", turn=m["turn"], action=m["legal"][-1] if action is None else action)

{at_import}
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "begin":
{at_begin}
    elif m["type"] == "turn":
{at_turn}
    else:
{at_end}
"""
READY = 'say(type="ready", name="bot")'


def script(
    folder: Path, *, at_import: str = "", at_begin: str = READY, at_turn: str = "act(m)", at_end: str = "break"
) -> str:
    """Write a bot into a folder and return its command."""

    def inner(body: str) -> str:
        return textwrap.indent(textwrap.dedent(body).strip() or "pass", " " * 8)

    folder.mkdir(exist_ok=True)
    path = folder / "bot.py"
    text = SCRIPT.format(
        at_import=textwrap.dedent(at_import), at_begin=inner(at_begin), at_turn=inner(at_turn), at_end=inner(at_end)
    )
    path.write_text(text, encoding="utf-8")
    return f"python {path}"


def class_file(folder: Path, body: str, name: str = "Bot") -> str:
    """Write a class whose methods are `body` into a folder and return the agent's name."""
    folder.mkdir(exist_ok=True)
    path = folder / "agent.py"
    head = (
        "import os, signal, sys, time\nfrom gridsage.core.game import Decision, Thoughts\n\n\n"
        f"class {name}:\n    name = 'bot'\n\n"
    )
    path.write_text(head + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n", encoding="utf-8")
    return f"{path}:{name}"
