"""What the learning page shows of a game: its guide, with every picture as frames."""

from __future__ import annotations

from functools import cache

import msgspec

from gridsage.core.errors import UnknownName
from gridsage.core.game import Closing, Model
from gridsage.core.guide import Lesson, Rule
from gridsage.core.room import Room
from gridsage.games import catalog
from gridsage.web import feed, texts
from gridsage.web.games.screen import looks
from gridsage.web.messages import Answer


@cache
def told(name: str, language: str = texts.FIRST) -> Answer:
    """Return the guide of a game for the browser; an UnknownName error where there is none."""
    room = catalog.room(name)
    guide = room.help.guide(language)
    if guide is None:
        raise UnknownName(f"nobody has written a guide to {room.title} yet")
    return {
        "goal": guide.goal,
        "lessons": [msgspec.to_builtins(lesson) | {"size": _size(room, lesson)} for lesson in guide.lessons],
        "rules": [{"title": rule.title, "text": rule.text, "picture": _picture(room, rule)} for rule in guide.rules],
        "cards": [msgspec.to_builtins(card) for card in guide.cards],
    }


def _size(room: Room, lesson: Lesson) -> tuple[int, int] | None:
    """Return the columns and rows of a lesson's board; None where a game would have to be started to know them."""
    game = room.rules.game()
    if not isinstance(game, Model):
        return None
    state = game.start(game.parse(lesson.level), catalog.options(room, lesson.options), lesson.seed)
    frame = room.view.frame(state)
    return frame.cols, frame.rows


def _picture(room: Room, rule: Rule) -> Answer | None:
    """Return the board of a rule and the steps that follow, as the messages of a recording."""
    if not rule.level:
        return None
    game = room.rules.game()
    try:
        state = game.start(game.parse(rule.level), catalog.options(room, rule.options), rule.seed)
        feeder = feed.Feed()
        frame = room.view.frame(state)
        hello, frames = feeder.hello(room.name, frame, title=room.title, **looks(room)), [feeder.frame(0, frame)]
        for step, label in enumerate(rule.actions, 1):
            state = game.step(state, game.action(label))
            frames.append(feeder.frame(step, room.view.frame(state)))
        return {"hello": hello, "frames": frames}
    finally:
        if isinstance(game, Closing):
            game.close()
