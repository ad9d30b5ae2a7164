"""Every text is there in every language, is used, and is found for what rooms and the server say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec
import pytest

import gridsage
from gridsage.core.guide import Guide, Rule, Translation, Words, translated
from gridsage.core.room import Room
from gridsage.games import catalog
from gridsage.web import assets, describe, messages, texts
from gridsage.web.texts.phrasebook import PLACE, Phrasebook

WEB = Path(describe.__file__).parent
SOURCE = WEB.parent
OTHERS = [language for language in texts.LANGUAGES if language != texts.FIRST]
FRENCH_SPACES = re.compile(r" [:;!?»%]|« ")  # a line must not break there
STEPS = 60  # of a game that is listened to
AS_THEY_ARE = re.compile(  # squares, notations, names of agents and levels
    r"[a-h][1-8](:[a-h][1-8])?|r1"
)


def built_in() -> list[str]:
    return [name for name in catalog.BUILT_IN if catalog.room(name).rules.missing() is None]


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_texts_of_the_first_and_no_others(language: str) -> None:
    first, other = texts.of_page(texts.FIRST), texts.of_page(language)
    assert list(other) == list(first)  # in the same order too: a translator finds them side by side
    for name, words in first.items():
        assert set(PLACE.findall(other[name])) == set(PLACE.findall(words)), name
        assert other[name].count("|") == words.count("|"), name
        assert other[name].count("\n") == words.count("\n"), name


def test_every_text_of_the_page_is_used_and_every_text_used_is_there() -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in (WEB / "static").rglob("*.js"))
    server = "".join(path.read_text(encoding="utf-8") for path in WEB.rglob("*.py"))
    known = set(texts.of_page(texts.FIRST))
    named = set(re.findall(r"['\"]([a-z][a-z_]+)['\"]", scripts + server))
    beginnings = tuple(set(re.findall(r"[`\"]([a-z]+_)\$?\{", scripts + server)))
    assert {name for name in known - named if not name.startswith(beginnings)} == set()
    assert set(re.findall(r"(?<![\w.])t\('([a-z_]+)'", scripts)) <= known


def test_a_page_is_sent_the_texts_of_its_script_and_no_others() -> None:
    known, files = texts.of_page(texts.FIRST), assets.Assets()
    sent = {page: files.used(page, known) for page in ("help", "play", "edit", "compare")}
    assert sent["play"]["way_up"] == known["way_up"]  # by its beginning
    assert sent["play"]["reason_left"] == known["reason_left"]
    assert sent["edit"]["more_top"] == known["more_top"]
    assert "bench_title" in sent["compare"] and "bench_title" not in sent["play"]
    assert len(sent["help"]) < len(known) / 4
    for page, words in sent.items():
        script = files.joined("shell.js", f"pages/{page}.js")
        assert set(re.findall(r"(?<![\w.])t\('([a-z_]+)'", script)) <= set(words)


def translations() -> Iterator[tuple[str, str]]:
    for language in OTHERS:
        yield from texts.of_page(language).items()
        yield from texts.spoken(language).items()
        for name in catalog.BUILT_IN:
            found = catalog.room(name).help
            yield from [*found.described(language).items(), *found.said(language).items()]
            guide = found.guide(language)
            assert guide is not None
            for part in (*guide.lessons, *guide.rules, *guide.cards):
                yield from [(part.title, part.title), (part.text, part.text), (part.title, getattr(part, "done", ""))]


def test_french_signs_keep_to_their_words() -> None:
    assert [key for key, words in translations() if FRENCH_SPACES.search(words)] == []


@cache
def constants(*folders: Path) -> str:
    """Everything between quotes in the sources of these folders."""
    found = []
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return "\0".join(found)


def unused(phrases: Mapping[str, str], sources: str) -> list[str]:
    """Phrases with a part that nobody says."""
    told = sources.lower().replace("_", " ").replace("-", " ")
    parts = [
        (key, part)
        for key in phrases
        for part in PLACE.sub("\0", key).lower().replace("_", " ").replace("-", " ").split("\0")
    ]
    return [key for key, part in parts if not is_said(part.strip(" "), told)]


def is_said(part: str, told: str) -> bool:
    """Return True if a part of a phrase is in the sources, whole or put together from two pieces."""
    if not part.strip(".;:,") or part in told:
        return True
    return any(part[:at].strip() in told and part[at:].strip() in told for at in range(1, len(part)))


@pytest.mark.parametrize("language", OTHERS)
def test_every_phrase_is_said_by_the_server_or_by_its_room(language: str) -> None:
    shared = [SOURCE / "core", SOURCE / "arena", SOURCE / "web", SOURCE / "store", SOURCE / "games"]
    assert unused(texts.spoken(language), constants(*shared)) == []
    for name in catalog.BUILT_IN:
        room = catalog.room(name)
        phrases = dict(room.help.described(language)) | dict(room.help.said(language))
        own = constants(SOURCE / "games" / room.folder, SOURCE / "core")
        assert unused(phrases, own + "\0" + str(describe.whole(name, Path("nowhere")))) == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", built_in())
def test_what_a_room_says_of_itself_is_translated(name: str, language: str) -> None:
    room = catalog.room(name)
    book = Phrasebook(dict(texts.spoken(language, room)) | described(room, language), language)
    told = describe.whole(name, Path("nowhere"))
    sentences = [room.title, room.summary, *(entry.summary for entry in catalog.agent_entries(room).values())]
    sentences += room.view.meanings.values()
    for field in [*told["options"], *told["generate"]]:  # type: ignore[misc]
        sentences += [field["title"], field["note"], *map(str, field["choices"])]
    sheet = room.levels.sheet
    for part in () if sheet is None else (*sheet.tiles, *sheet.entries):
        sentences += [part.name, getattr(part, "note", "")]
    missing(book, sentences)


def described(room: Room, language: str) -> dict[str, str]:
    rooms = [room] if room.variant_of is None else [catalog.room(room.variant_of), room]
    return {key: words for each in rooms for key, words in each.help.described(language).items()}


def missing(book: Phrasebook, sentences: list[str]) -> None:
    """Fail with the parts of these sentences that nobody has translated."""
    for sentence in sentences:
        book.said(sentence)
    assert sorted(part for part in book.missed if not AS_THEY_ARE.fullmatch(part)) == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", [name for name in built_in() if name != "nethack"])  # which speaks for itself
def test_what_is_said_while_a_game_is_played_is_translated(name: str, language: str) -> None:
    texts.book.cache_clear()  # a book remembers what it was asked before
    book = texts.book(language, name)
    room = catalog.room(name)
    for agent in (next(iter(catalog.agent_entries(room))), room.players.default):
        played = gridsage.play(name, agent, seed=1, nodes=300, max_steps=STEPS)
        missing(book, list(spoken_in(room, played.trace)))


def spoken_in(room: Room, trace: gridsage.Trace) -> Iterator[str]:
    """Everything that a page shows of a game in words."""
    from gridsage.web.single_file import recorded_messages

    for message in recorded_messages(room, trace):
        told = msgspec.to_builtins(message)
        yield from told.get("s", {})
        yield from told.get("s", {}).values()
        yield from [told.get("x", ""), told.get("choose", ""), told.get("goal", ""), told.get("a", "")]
        yield from [kind for kind, *_ in told.get("ev", [])]
        thoughts = told.get("o", {})
        yield from [thoughts.get("text", ""), *thoughts.get("line", [])]
        yield from [name.replace("_", " ") for name in thoughts.get("figures", {})]
        yield from told.get("bid", {}).get("words", [])
        yield told.get("reason", "")
    game = room.rules.game()
    state = game.start(game.parse(trace.level), catalog.options(room, trace.options), trace.seed)
    yield from room.view.words(game.observe(state, 0)).split("\n")
    yield from room.help.hints(state) if room.help.hints is not None else []
    if room.help.solutions is not None:
        yield room.help.solutions(state, 1.0).text


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", catalog.BUILT_IN)
def test_a_guide_has_the_same_boards_in_every_language(name: str, language: str) -> None:
    first, other = (catalog.room(name).help.guide(each) for each in (texts.FIRST, language))
    assert first is not None and other is not None
    assert first.goal != other.goal
    for one, two in zip((*first.lessons, *first.rules), (*other.lessons, *other.rules), strict=True):
        assert (one.level, one.actions, one.options) == (two.level, two.actions, two.options)
        assert one.text != two.text
    for card, twin in zip(first.cards, other.cards, strict=True):
        assert (card.name, card.sign) == (twin.name, twin.sign)
        assert card.text != twin.text


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "fr-FR,fr;q=0.9,en;q=0.8", "fr"),
        ("", "en-US,en;q=0.9,fr;q=0.8", "en"),
        ("", "de-DE,de;q=0.9,fr;q=0.5,en;q=0.4", "fr"),
        ("", "de, FR", "fr"),
        ("", "fr;q=0, en", "en"),
        ("", "fr;q=none", "en"),
        ("", "*", "en"),
        ("en", "fr", "en"),
        ("fr", "en", "fr"),
        ("../../etc", "fr", "fr"),
    ],
)
def test_the_choice_on_the_page_goes_before_the_browsers(chosen: str, accepted: str, language: str) -> None:
    assert texts.preferred(chosen, accepted) == language


def test_a_phrase_is_found_whole_by_its_pattern_or_part_by_part() -> None:
    given = msgspec.json.decode((Path(__file__).parents[1] / "browser" / "phrases.json").read_bytes())
    book = Phrasebook(given["phrases"], "fr")
    for text, words in given["cases"]:
        assert book.said(text) == words


def test_a_guide_that_has_grown_keeps_its_own_words_where_there_are_no_others() -> None:
    first = Guide("Win.", rules=(Rule("One", "First."), Rule("Two", "Second.")))
    other = translated(first, Translation(rules=(Words("Un", "D'abord."),)))
    assert other.goal == "Win."
    assert [(rule.title, rule.text) for rule in other.rules] == [("Un", "D'abord."), ("Two", "Second.")]


def test_a_level_keeps_its_names_and_a_room_without_french_stays_english(tmp_path: Path) -> None:
    told = describe.whole("ricochet", tmp_path, "fr")
    assert told["levels"] == describe.whole("ricochet", tmp_path)["levels"]
    assert told["summary"] != describe.whole("ricochet", tmp_path)["summary"]
    assert describe.whole("stroll", tmp_path, "fr")["summary"] == describe.whole("stroll", tmp_path)["summary"]


def test_an_export_knows_every_language() -> None:
    for language in texts.LANGUAGES:
        wish = {"m": "export", "id": "abcd", "form": "html", "language": language}
        assert msgspec.convert(wish, messages.Export).language == language
