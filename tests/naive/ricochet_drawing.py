"""Ricochet Robots played on the drawing itself, character by character: slow, and with nothing of the room in it."""

from __future__ import annotations

ROBOTS = "RGBYK"
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}


class Twin:
    """A drawn board; a position is one (row, col) a robot, in the order R G B Y K."""

    def __init__(self, drawing: str) -> None:
        lines = drawing.splitlines()
        self.lines = [line for line in lines if line[:1] in ("+", "|")]
        self.mission = next((line.split(":")[1].strip() for line in lines if line.startswith("mission:")), "")
        self.start = tuple(place for letter in ROBOTS for place in self.places(letter, 1))

    def places(self, sign: str, offset: int) -> list[tuple[int, int]]:
        """Every cell that has `sign` as its character number `offset` (1 robot, 2 colour, 3 shape)."""
        return [
            (index // 2, at // 4)
            for index, line in enumerate(self.lines)
            if index % 2
            for at in range(offset, len(line), 4)
            if line[at] == sign
        ]

    def is_wall(self, place: tuple[int, int], side: str) -> bool:
        row, col = place
        line, at = {
            "N": (2 * row, 4 * col + 2),
            "S": (2 * row + 2, 4 * col + 2),
            "W": (2 * row + 1, 4 * col),
            "E": (2 * row + 1, 4 * col + 4),
        }[side]
        return self.lines[line][at] in "-|"

    def stop(self, position, robot: int, side: str) -> tuple[int, int]:
        place = position[robot]
        while not self.is_wall(place, side):
            ahead = place[0] + STEPS[side][0], place[1] + STEPS[side][1]
            if ahead in position:
                break
            place = ahead
        return place

    def moves(self, position) -> list[tuple[str, tuple]]:
        """(compact move, position after it) for every move that moves a robot."""
        found = []
        for robot in range(len(position)):
            for side in "NESW":
                stop = self.stop(position, robot, side)
                if stop != position[robot]:
                    found.append((ROBOTS[robot] + side, (*position[:robot], stop, *position[robot + 1 :])))
        return found

    def count_positions(self, depth: int) -> list[int]:
        """How many new positions appear at depth 0, 1, ... when no mission stops anybody."""
        seen, layer, counts = {self.start}, [self.start], [1]
        for _ in range(depth):
            layer = list({after: None for position in layer for _, after in self.moves(position) if after not in seen})
            seen.update(layer)
            counts.append(len(layer))
        return counts

    def fewest_moves(self, target: tuple[int, int], robot: int, must_ricochet: bool, limit: int) -> int | None:
        """The shortest solution by trying everything; None when there is none of at most `limit` moves.

        Args:
            robot: its number, or -1 when any may serve.
        """
        begin = (self.start, ("",) * len(self.start))  # with each robot's last direction, "*" once it has turned
        seen, layer = {begin}, [begin]
        for length in range(limit + 1):
            for position, headings in layer:
                for number, place in enumerate(position):
                    serves = place == target and robot in (number, -1)
                    if serves and (not must_ricochet or headings[number] == "*"):
                        return length
            after = {}
            for position, headings in layer:
                for move, moved in self.moves(position):
                    number, side = ROBOTS.index(move[0]), move[1]
                    new = headings
                    if must_ricochet:
                        heading = side if headings[number] in ("", side) else "*"
                        new = (*headings[:number], heading, *headings[number + 1 :])
                    if (moved, new) not in seen:
                        after[moved, new] = None
            layer = list(after)
            seen.update(layer)
            if not layer:
                return None
        return None
