"""The documentation builds without a warning, every link in it leads somewhere, and it fetches nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import gridsage
from gridsage.cli import flags

PROJECT = Path(__file__).resolve().parent.parent
MOST_PICTURE_BYTES = 400_000


class Links(HTMLParser):
    """Collects what a page links to and what it loads by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") not in ("canonical", "prev", "next"):
            self.loaded.append(given.get("href") or "")
        elif tag in ("script", "img", "iframe", "source", "video") and given.get("src"):
            self.loaded.append(given["src"])


def read(path: Path) -> Links:
    page = Links()
    page.feed(path.read_text(encoding="utf-8"))
    return page


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return folder


def test_every_link_leads_to_a_page_and_a_place_on_it(site):
    pages = {path: read(path) for path in site.rglob("*.html") if path.name != "404.html"}
    assert len(pages) > 12
    broken = []
    for path, page in pages.items():
        for link in page.links:
            place, _, anchor = unquote(link).partition("#")
            if re.match(r"[a-z]+:", place):
                continue
            target = (path.parent / place).resolve() if place else path
            if not target.exists() or (anchor and target in pages and anchor not in pages[target].ids):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_no_page_loads_anything_from_another_machine(site):
    for path in site.rglob("*.html"):
        foreign = [address for address in read(path).loaded if re.match(r"(https?:)?//", address)]
        assert foreign == [], path.name
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", style.read_text(encoding="utf-8")), style.name


def test_the_reference_has_every_verb_and_every_public_name(site):
    verbs = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
    for verb in ("play", "watch", "solve", "bench", "match", "replay", "stats", "agents", "export", "levels check"):
        assert f"gridsage {verb}" in verbs
    assert flags.LEVELS_HELP.split("`")[0] in verbs
    names = read(site / "reference" / "python.html").ids
    for name in getattr(gridsage, "__all__", []):
        assert name.startswith("__") or any(found.endswith(f".{name}") for found in names), name


def test_the_start_page_has_a_small_moving_picture(site):
    assert "pictures/moving.gif" in read(site / "index.html").loaded
    picture = (site / "pictures" / "moving.gif").read_bytes()
    assert picture[:6] == b"GIF89a" and picture.count(b"\x21\xf9\x04") > 10, "several pictures"
    assert len(picture) <= MOST_PICTURE_BYTES
