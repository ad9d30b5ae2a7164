"""What every search returns, and the way it came there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from gridsage.core.game import Action, Budget, Model

S = TypeVar("S")
Status = Literal["solved", "exhausted", "budget"]
UNLIMITED = Budget()


@dataclass(frozen=True, slots=True)
class Found:
    """How a search ended: `solved` with a plan, `exhausted` when nothing was left to look at, or out of `budget`."""

    status: Status
    plan: tuple[Action, ...]
    nodes: int  # states whose actions were looked at


@dataclass(frozen=True, slots=True, eq=False)
class Node(Generic[S]):
    """A state and how the search came to it."""

    state: S
    parent: Node[S] | None = None
    action: Action = -1

    def plan(self) -> tuple[Action, ...]:
        """Return the actions from the first state to this one."""
        actions: list[Action] = []
        node = self
        while node.parent is not None:
            actions.append(node.action)
            node = node.parent
        return tuple(reversed(actions))


def is_won(model: Model[S], state: S) -> bool:
    """Return True if the game is over in `state` and somebody has won it: in solo games, the player."""
    outcome = model.outcome(state)
    return outcome is not None and outcome.winner is not None
