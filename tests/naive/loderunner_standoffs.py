"""Standoffs in plain Python, slow and literal: the twin of the compiled table."""

from __future__ import annotations


def reachable(ways, runner, enemy):
    """The cells that lone steps reach from the runner's, never ending one in the enemy's, and the steps between."""
    seen, stack, steps = {runner}, [runner], []
    while stack:
        cell = stack.pop()
        for last, first, *_ in ways[cell].tolist():
            if last < 0 or last == enemy:
                continue
            steps.append((first, last))
            if last not in seen:
                seen.add(last)
                stack.append(last)
    return seen, steps


def lost_goals(chase, cols, ways, goals, runner, enemy):
    """The numbers of the goals that an enemy in that cell shuts off from the runner for good."""
    seen, steps = reachable(ways, runner, enemy)
    neighbours = {1: enemy - cols, 2: enemy + cols, 3: enemy - 1, 4: enemy + 1}
    if runner == enemy or any(chase[enemy, cell] and neighbours[chase[enemy, cell]] != cell for cell in seen):
        return set()
    seen_alone, steps_alone = reachable(ways, runner, -1)
    exit_number = len(goals) - 1
    return {
        number
        for number, goal in enumerate(goals)
        if takes(goal, number == exit_number, seen_alone, steps_alone, cols)
        and not takes(goal, number == exit_number, seen, steps, cols)
    }


def takes(goal, to_exit, seen, steps, cols):
    """Return True if the goal is entered; a bonus also counts where a fall passes it."""
    if to_exit:
        return goal in seen
    return any(first <= goal <= last and goal % cols == last % cols for first, last in steps)
