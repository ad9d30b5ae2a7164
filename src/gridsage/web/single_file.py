"""A game as one HTML file: the page's own player with the whole recording in it, which asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
import html
import re
import zlib
from collections.abc import Sequence
from contextlib import closing

import msgspec

from gridsage.core.errors import TraceMismatch
from gridsage.core.room import Room
from gridsage.core.trace import Trace
from gridsage.web import texts
from gridsage.web.assets import Assets
from gridsage.web.games import replay
from gridsage.web.messages import Answer

ENTRY = "pages/file.js"
IMPORT = re.compile(r"""^import\s+([^'"]+?)\s+from\s+['"][^'"]+['"];\n""", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
NEVER = re.compile(r"</(script|style)|<!--", re.IGNORECASE)  # would end or confuse the element a text stands in

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="{icon}" type="image/svg+xml">
<style>{style}</style>
</head>
<body>
<div class="gridsage"></div>
<noscript>{noscript}</noscript>
<script type="application/octet-stream" id="game">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def document(room: Room, recorded: Trace, start: int | None = None) -> str:
    """Return a recorded game as an HTML file.

    Args:
        start: the step that is shown first; by default the game is played from its beginning.
    """
    return _filled(recorded_messages(room, recorded), _title(room, recorded), start)


def recorded_messages(room: Room, recorded: Trace) -> list[Answer]:
    """Return everything that a browser is told of a recorded game, played again and checked on the way."""
    found: list[Answer] = []
    mismatch = ""
    try:
        with closing(replay.told(room, recorded)) as answers:
            found.extend(answers)
    except TraceMismatch as problem:
        mismatch = str(problem)
    return [*found, replay.last_word(recorded, mismatch)]


def _title(room: Room, recorded: Trace) -> str:
    return f"{room.title}: {recorded.level_name}, {', '.join(str(agent) for agent in recorded.agents)}"


def _filled(messages: Sequence[Answer], title: str, start: int | None) -> str:
    assets = Assets()
    script, style = joined(assets, ENTRY), assets.text("style.css")
    assert not NEVER.search(script + style)
    kept = msgspec.json.encode({"texts": texts.BROWSER, "messages": messages, "start": start})
    return PAGE.format(
        policy=policy(script, style),
        title=html.escape(title),
        icon=assets.inline("icon.svg"),
        style=style,
        noscript=html.escape(texts.NO_SCRIPT),
        data=base64.b64encode(zlib.compress(kept, 9)).decode(),  # letters and digits: nothing in it can end the element
        script=script,
    )


def policy(script: str, style: str) -> str:
    """Return the content policy of a file: this script and this style, pictures inside it, and nothing else."""
    rules = [
        "default-src 'none'",
        f"script-src '{_digest(script)}'",
        f"style-src '{_digest(style)}'",
        "img-src data: blob:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join(rules)


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def joined(assets: Assets, entry: str) -> str:
    """Return a module and all that it imports as one script, each in a function of its own, which opens the file."""
    order = _ordered(assets, entry)
    number = {name: f"$m{at}" for at, name in enumerate(order)}
    parts = [_wrapped(assets, name, number) for name in order]
    call = f"{number[entry]}.open(document.querySelector('.gridsage'), document.getElementById('game').textContent);"
    return "\n".join(["'use strict';", *parts, call, ""])


def _ordered(assets: Assets, entry: str) -> list[str]:
    """Return the modules, each after those that it imports."""
    found: dict[str, None] = {}

    def visit(name: str) -> None:
        for imported in assets.imports(name):
            if imported not in found:
                visit(imported)
        found[name] = None

    visit(entry)
    return list(found)


def _wrapped(assets: Assets, name: str, number: dict[str, str]) -> str:
    """Return a module as a function that is called once and returns what the module exports."""
    source = assets.text(name)
    homes = iter(assets.imports(name))
    body = IMPORT.sub(lambda found: _bound(found[1], number[next(homes)]), source)
    exported = EXPORT.findall(body)
    return f"const {number[name]} = (() => {{\n{EXPORT.sub('', body)}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _bound(names: str, home: str) -> str:
    """`{ h, t as text }` from a module, as the names of a function."""
    renamed = re.sub(r"(\w+) as (\w+)", r"\1: \2", names)
    return f"const {renamed} = {home};\n"
