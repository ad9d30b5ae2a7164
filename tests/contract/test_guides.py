"""Every guide can be read, its pictures can be drawn, and its lessons end as they promise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from gridsage.core.game import Closing
from gridsage.core.guide import Lesson, Rule, read
from gridsage.core.room import Room
from gridsage.games import catalog

GUIDED = [name for name in catalog.BUILT_IN if catalog.room(name).help.guide() is not None]
LONGEST_SENTENCE = 120


def parts(kind: type[Lesson] | type[Rule]) -> list[tuple[str, Lesson | Rule]]:
    found: list[tuple[str, Lesson | Rule]] = []
    for name in GUIDED:
        guide = catalog.room(name).help.guide()
        assert guide is not None
        found += [(name, part) for part in (*guide.lessons, *guide.rules) if isinstance(part, kind)]
    return found


def played(room: Room, part: Lesson | Rule) -> Iterator[tuple[object, list[str]]]:
    """Every state of the way that the guide shows, with the kinds of events that led to it."""
    game = room.rules.game()
    try:
        state = game.start(game.parse(part.level), catalog.options(room, part.options), part.seed)
        yield game.outcome(state), []
        for label in part.actions:
            action = game.action(label)
            before, state = state, game.step(state, action)
            yield game.outcome(state), [event.kind for event in game.events(before, action, state)]
    finally:
        if isinstance(game, Closing):
            game.close()


def test_every_room_has_a_guide_with_a_goal_lessons_and_rules() -> None:
    assert list(catalog.BUILT_IN) == GUIDED
    for name in GUIDED:
        guide = catalog.room(name).help.guide()
        assert guide is not None
        assert len(guide.goal) <= LONGEST_SENTENCE and guide.goal.endswith(".")
        assert guide.lessons and len(guide.rules) >= 3


@pytest.mark.parametrize(("name", "lesson"), parts(Lesson), ids=lambda part: getattr(part, "title", part))
def test_a_lesson_ends_with_its_last_action_and_not_before(name: str, lesson: Lesson) -> None:
    room = catalog.room(name)
    if room.rules.missing() is not None:
        pytest.skip(str(room.rules.missing()))
    ends = []
    for outcome, events in played(room, lesson):
        won = outcome is not None and getattr(outcome, "winner", None) == 0
        ends.append(lesson.until in events if lesson.until else won)
    assert ends == [False] * len(lesson.actions) + [True]


@pytest.mark.parametrize(("name", "rule"), parts(Rule), ids=lambda part: getattr(part, "title", part))
def test_the_picture_of_a_rule_can_be_played(name: str, rule: Rule) -> None:
    if rule.level:
        assert len(list(played(catalog.room(name), rule))) == len(rule.actions) + 1


def test_the_cards_of_push_em_all_are_those_of_its_rules() -> None:
    guide = catalog.room("pushem").help.guide()
    assert guide is not None
    game = catalog.room("pushem").rules.game()
    labels = {game.label(action) for action in range(6, 16)}
    assert {card.name for card in guide.cards} == labels


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("titel = 1", "titel"),
        ('[[lessons]]\ntitle = "a"\ntext = "b"\ntaks = "c"\nlevel = ""\nactions = []', "taks"),
        ('[[rules]]\ntitle = "a"\ntext = "b"\npicture = "c"', "picture"),
        ('[[cards]]\nname = "a"\ntext = "b"\npower = "c"', "power"),
    ],
)
def test_a_misspelt_key_of_a_guide_is_named(tmp_path: Path, text: str, key: str) -> None:
    path = tmp_path / "guide.toml"
    path.write_text(f'goal = "Win."\n{text}\n', encoding="utf-8")
    with pytest.raises(msgspec.ValidationError, match=key):
        read(path)
