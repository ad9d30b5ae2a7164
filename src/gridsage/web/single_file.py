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
from gridsage.core.game import Own
from gridsage.core.room import NamedLevel, Room
from gridsage.core.trace import Trace
from gridsage.web import feed, texts
from gridsage.web.assets import Assets
from gridsage.web.games import replay
from gridsage.web.games.screen import looks
from gridsage.web.messages import Answer

ENTRY = "pages/file.js"
LANGUAGES = tuple(texts.LANGUAGES)  # that a file can be written in
OPEN = (
    f"""loaded['{ENTRY}'].open(document.querySelector('.gridsage'), document.getElementById('game').textContent);\n"""
)
NEVER = re.compile(r"</(script|style)|<!--", re.IGNORECASE)  # would end or confuse the element a text stands in

PAGE = """<!doctype html>
<html lang="{language}">
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


def document(room: Room, recorded: Trace, start: int | None = None, language: str = texts.FIRST) -> str:
    """Return a recorded game as an HTML file.

    Args:
        start: the step that is shown first; by default the game is played from its beginning.
        language: of the words around the game, one of `texts.LANGUAGES`.
    """
    return _filled(room, recorded_messages(room, recorded), _title(room, recorded), start, language)


def level_document(room: Room, level: NamedLevel, state: Own) -> str:
    """Return a level as an HTML file: its first position.

    Args:
        state: where it begins.
    """
    feeder, frame = feed.Feed(), room.view.frame(state)
    hello = feeder.hello(room.name, frame, title=room.title, level=level.name, text=level.text, **looks(room))
    return _filled(room, [hello, feeder.frame(0, frame)], f"{room.title}: {level.name}", 0, texts.FIRST)


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


def _filled(room: Room, messages: Sequence[Answer], title: str, start: int | None, language: str) -> str:
    assets = Assets()
    script, style = assets.joined(ENTRY) + OPEN, assets.text("style.css")
    assert not NEVER.search(script + style)
    words = texts.of_page(language)
    phrases = texts.spoken(language, room) | {room.title: texts.book(language, room.name).said(room.title)}
    kept = msgspec.json.encode({"texts": words, "phrases": phrases, "messages": messages, "start": start})
    return PAGE.format(
        policy=policy(script, style),
        language=language,
        title=html.escape(title),
        icon=assets.inline("icon.svg"),
        style=style,
        noscript=html.escape(words["no_script"]),
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
