"""The rules of a mission: slide robots until the right one stands on the target."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.errors import IllegalAction
from gridsage.core.game import Action, Event, Outcome, action_labelled
from gridsage.games.ricochet.level import ANY_ROBOT, DIRECTIONS, LETTERS, MAX_ROBOTS, ROBOTS, Level, Options, parse
from gridsage.games.ricochet.state import TURNED, UNMOVED, State

GIVE_UP: Action = MAX_ROBOTS * 4  # after the slides: robot * 4 + direction
SOLO = 0
SLIDES = [f"{robot} {direction}" for robot in ROBOTS for direction in DIRECTIONS]
ACTION_OF = {label: action for action, label in enumerate([*SLIDES, "give up"])}


class Ricochet:
    """Ricochet Robots for one player; the score is minus the moves, and one less than the worst when it is lost."""

    name = "ricochet"
    rules_version = 1

    def parse(self, text: str) -> Level:
        return parse(text)

    def start(self, level: Level, options: Options, seed: int) -> State:
        return State(level, options, level.robots, (UNMOVED,) * len(level.robots))

    def seat(self, state: State) -> int:
        return SOLO

    def slides(self, state: State) -> list[Action]:
        """The moves that move a robot."""
        if self.outcome(state) is not None:
            return []
        robots, ways = state.robots, state.level.ways
        if state.level.deflectors:
            return [
                robot * 4 + direction
                for robot, cell in enumerate(robots)
                for direction in range(4)
                if slide(state.level, robots, robot, direction) != cell
            ]
        return [
            robot * 4 + direction
            for robot, cell in enumerate(robots)
            for direction in range(4)
            if ways[direction][cell] and ways[direction][cell][0] not in robots
        ]

    def legal(self, state: State) -> Sequence[Action]:
        return [] if self.outcome(state) is not None else [*self.slides(state), GIVE_UP]

    def step(self, state: State, action: Action) -> State:
        if self.outcome(state) is not None:
            raise IllegalAction(f"{self.label(action)}: the mission is over")
        if action == GIVE_UP:
            return State(state.level, state.options, state.robots, state.headings, state.moves, gave_up=True)
        robot, direction = divmod(action, 4)
        if not 0 <= robot < len(state.robots):
            raise IllegalAction(f"{self.label(action)}: the board has {counted(len(state.robots), 'robot')}")
        stop = slide(state.level, state.robots, robot, direction)
        if stop == state.robots[robot]:
            row, col = divmod(stop, state.level.cols)
            raise IllegalAction(f"{self.label(action)}: it is blocked at row {row}, column {col}")
        robots = (*state.robots[:robot], stop, *state.robots[robot + 1 :])
        bent = bool(state.level.deflectors) and is_turned(state.level, state.robots, action)
        straight = state.headings[robot] in (UNMOVED, direction) and not bent
        heading = direction if straight else TURNED
        headings = (*state.headings[:robot], heading, *state.headings[robot + 1 :])
        return State(state.level, state.options, robots, headings, state.moves + 1)

    def outcome(self, state: State) -> Outcome | None:
        if is_solved(state):
            return Outcome("solved", (-float(state.moves),), winner=SOLO)
        lost = (-float(state.options.max_moves + 1),)
        if state.gave_up:
            return Outcome("gave up", lost)
        if state.moves >= state.options.max_moves:
            return Outcome("out of moves", lost)
        return None

    def observe(self, state: State, seat: int) -> State:
        return state

    def events(self, before: State, action: Action, after: State) -> Sequence[Event]:
        if action == GIVE_UP:
            return [Event("gave up")]
        robot = action // 4
        events = [Event("moved", before.robots[robot], after.robots[robot], LETTERS[robot])]
        if is_solved(after):
            events.append(Event("arrived", after.robots[robot], who=LETTERS[robot]))
        return events

    def label(self, action: Action) -> str:
        if action == GIVE_UP:
            return "give up"
        if not 0 <= action < GIVE_UP:
            return f"action {action}"
        return f"{ROBOTS[action // 4]} {DIRECTIONS[action % 4]}"

    def action(self, label: str) -> Action:
        return action_labelled(label, ACTION_OF, self.name)

    def key(self, state: State) -> object:
        """The position: how many moves it took to come here does not matter to where one can go."""
        return (state.robots, state.headings) if state.options.must_ricochet else state.robots

    def fingerprint(self, state: State) -> bytes:
        level = state.level
        goals = [(goal.cell, goal.robot, goal.shape) for goal in level.goals]
        board: tuple[object, ...] = (level.rows, level.cols, level.walls, level.robots, goals, level.mission.cell)
        if level.deflectors:
            board += tuple((each.cell, each.robot, each.rises) for each in level.deflectors)
        rule = (state.options.must_ricochet, state.options.max_moves)
        return msgspec.json.encode((board, rule, state.robots, state.headings, state.moves, state.gave_up))


def slide(level: Level, robots: Sequence[int], robot: int, direction: int) -> int:
    """The cell where the robot stops: before a wall or another robot; its own cell when it cannot move.

    Deflectors turn it on its way. One that they lead round and round does not move.
    """
    start = stop = robots[robot]
    for cell in level.ways_of(robot)[direction][start]:
        if cell in robots and cell != start:
            break
        stop = cell
    return stop


def is_turned(level: Level, robots: Sequence[int], action: Action) -> bool:
    """Return True if a deflector turns the robot before it stops."""
    robot, direction = divmod(action, 4)
    bends = {each.cell for each in level.deflectors if each.robot != robot}
    if not bends:
        return False
    start = robots[robot]
    for cell in level.ways_of(robot)[direction][start]:
        if cell in robots and cell != start:
            break
        if cell in bends:
            return True
    return False


def is_solved(state: State) -> bool:
    """Return True if a robot of the mission stands on its target, and has ricocheted where that is the rule."""
    goal = state.level.mission
    if goal.cell not in state.robots:
        return False
    robot = state.robots.index(goal.cell)
    if goal.robot not in (robot, ANY_ROBOT):
        return False
    return not state.options.must_ricochet or state.headings[robot] == TURNED
