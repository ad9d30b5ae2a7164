"""RoundsState -> Frame: the board as in a mission, with claims and scores as status."""

from __future__ import annotations

from gridsage.core.amounts import counted
from gridsage.core.frame import Bidding, Frame
from gridsage.games.ricochet.level import ANY_ROBOT, ROBOTS
from gridsage.games.ricochet.rounds.state import (
    CALL,
    HOURGLASS,
    OVER,
    SHOWING,
    THINKING,
    TIME_WORD,
    WAIT_WORD,
    RoundsState,
)
from gridsage.games.ricochet.view import cells, entities, place


def frame(table: RoundsState) -> Frame:
    """The picture of a match."""
    level = table.level
    robots = table.showing.robots if table.showing is not None else level.robots
    status = {
        "round": f"{table.round} of {table.options.rounds}",
        "mission": str(level.mission),
        "phase": table.phase,
        "claims": ", ".join(f"player {claim.seat + 1}: {claim.moves}" for claim in table.claims) or "none",
        "score": " : ".join(map(str, table.scores)),
    }
    if table.news:
        status["last round"] = table.news
    if table.showing is not None:
        status["moves"] = f"{table.showing.moves} of {table.showing.options.max_moves}"
    return Frame(
        rows=level.rows,
        cols=level.cols,
        cells=cells(level, level.mission),
        entities=entities(level, robots),
        edges=level.walls,
        status=status,
        goal=status["mission"],
        text=_sentence(table),
        bidding=_bidding(table),
    )


def _bidding(table: RoundsState) -> Bidding | None:
    """The labels of a claim and what was claimed so far; None while a solution is shown."""
    if table.phase not in (THINKING, HOURGLASS):
        return None
    options, standing = table.options, table.phase == HOURGLASS
    claims = ", ".join(f"player {claim.seat + 1}: {claim.moves}" for claim in table.claims)
    words = (table.news, f"score {' : '.join(map(str, table.scores))}", f"claimed: {claims}" if claims else "")
    return Bidding(
        call=CALL,
        wait=WAIT_WORD,
        end=TIME_WORD,
        phase=f"{table.round} {table.phase}",
        seconds=options.hourglass_seconds if standing else options.think_seconds,
        standing=standing,
        words=tuple(filter(None, words)),
    )


def _sentence(table: RoundsState) -> str:
    level, goal = table.level, table.level.mission
    news = f"{table.news[0].upper()}{table.news[1:]}. " if table.news else ""
    score = f"Score: {', '.join(map(str, table.scores))}."
    if table.phase == OVER:
        return f"{news}The match is over. {score}"
    who = "any robot" if goal.robot == ANY_ROBOT else f"the {ROBOTS[goal.robot]} robot"
    mission = f"Round {table.round}: bring {who} to {place(level, goal.cell)}."
    best = table.best
    if table.phase == SHOWING and best is not None and table.showing is not None:
        now = f"Player {best.seat + 1} shows a solution in {best.moves}; {counted(table.showing.moves, 'move')} made."
    elif best is not None:
        now = f"The hourglass runs; the lowest claim is {best.moves}, by player {best.seat + 1}."
    else:
        now = "Nobody has claimed yet."
    return f"{news}{mission} {now} {score}"
