"""Puzzles for the page: which days there are, how good the best way of each is, and those with ratings."""

from __future__ import annotations

import datetime

from gridsage.core.errors import GridsageError
from gridsage.games import daily, rated
from gridsage.web import levels
from gridsage.web.messages import Answer

SHOWN_DAYS = 28  # of the calendar
WEEKDAYS = 7


def today() -> datetime.date:
    """Return the day that everybody has now: that of Greenwich."""
    return datetime.datetime.now(datetime.UTC).date()


def told(now: datetime.date | None = None) -> Answer:
    """Return the calendar: whole weeks up to today, each day with the best steps of every game."""
    now = now or today()
    monday = now - datetime.timedelta(days=now.weekday())
    first = monday - datetime.timedelta(days=SHOWN_DAYS - WEEKDAYS)
    dates = [first + datetime.timedelta(days=number) for number in range((now - first).days + 1)]
    puzzles = {game: [daily.puzzle(game, day).best for day in dates] for game in daily.games()}
    ratings = {game: [one.rating for one in found] for game, found in rated.puzzles().rooms.items()}
    return {"today": str(now), "dates": [str(day) for day in dates], "puzzles": puzzles, "ratings": ratings}


def of_room(game: str, level: str) -> Answer | None:
    """Return the day that the page of a game is about, today unless a level names one; None if it has none."""
    try:
        day = levels.daily_of(level) or today()
        return {"date": str(day), "best": daily.puzzle(game, day).best}
    except (GridsageError, OverflowError):
        return None


def practice(game: str, level: str) -> Answer | None:
    """Return the rated puzzle that the page of a game is about; None if it is about something else."""
    try:
        number = levels.puzzle_of(level)
        if number is None:
            return None
        best = rated.puzzle(game, number).best
    except GridsageError:
        return None
    return {"number": number, "best": best, "ratings": [one.rating for one in rated.of_game(game)]}
