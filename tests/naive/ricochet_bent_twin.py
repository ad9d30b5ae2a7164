"""Slow plain twin of Ricochet Robots with deflectors: one cell at a time, breadth-first over everything."""

from __future__ import annotations

STEPS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
NAMES = tuple(STEPS)
BITS = {"up": 1, "right": 2, "down": 4, "left": 8}
MIRROR = {
    "/": {"up": "right", "right": "up", "down": "left", "left": "down"},
    "\\": {"up": "left", "left": "up", "down": "right", "right": "down"},
}


def slide(level, robots, mover, name):
    """Where the robot stops, and whether it was turned; a robot that comes round to where it began stays there."""
    row, col = divmod(robots[mover], level.cols)
    mirrors = {each.cell: "/" if each.rises else "\\" for each in level.deflectors if each.robot != mover}
    others = {cell for robot, cell in enumerate(robots) if robot != mover}
    began, turned = (row, col, name), False
    while not level.walls[row * level.cols + col] & BITS[name]:
        ahead = row + STEPS[name][0], col + STEPS[name][1]
        if ahead[0] * level.cols + ahead[1] in others:
            break
        row, col = ahead
        if row * level.cols + col in mirrors:
            name, turned = MIRROR[mirrors[row * level.cols + col]][name], True
        if (row, col, name) == began:
            break
    return row * level.cols + col, turned


def moves(level, robots, headings):
    """Every move that moves a robot, with robots and headings after it."""
    for mover in range(len(robots)):
        for number, name in enumerate(NAMES):
            cell, turned = slide(level, robots, mover, name)
            if cell == robots[mover]:
                continue
            heading = number if headings[mover] in (-1, number) and not turned else 4
            after = (*robots[:mover], cell, *robots[mover + 1 :])
            yield mover * 4 + number, after, (*headings[:mover], heading, *headings[mover + 1 :])


def is_solved(level, robots, headings, must_ricochet):
    return any(
        cell == level.mission.cell
        and level.mission.robot in (-1, robot)
        and (not must_ricochet or headings[robot] == 4)
        for robot, cell in enumerate(robots)
    )


def all_shortest(level, must_ricochet):
    """Every shortest solution; empty if there is none."""
    start = (level.robots, (-1,) * len(level.robots))
    layer, seen = {start: [()]}, {start}
    while layer:
        solved = [ways for node, ways in layer.items() if is_solved(level, *node, must_ricochet)]
        if solved:
            return {way for ways in solved for way in ways}
        following = {}
        for (robots, headings), ways in layer.items():
            for action, after, turned in moves(level, robots, headings):
                node = (after, turned)
                if node not in seen:
                    following.setdefault(node, []).extend((*way, action) for way in ways)
        seen |= following.keys()
        layer = following
    return set()
