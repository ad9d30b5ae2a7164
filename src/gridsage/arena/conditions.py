"""Under which conditions agents play: walls, limits and the clock. They never change a game that keeps within them."""

from __future__ import annotations

from typing import Literal

import msgspec

from gridsage.core.game import Budget

BANK_BUDGETS = 10  # a game's bank, in budgets of a decision
LEAST_BANK = 1.0  # seconds; a busy machine may stop any process for some tenths of a second
GRACE = 0.05  # seconds of every decision that nobody counts: the way there and back
CLOSE_SECONDS = 0.5  # for saying goodbye
MIB = 1 << 20

Mode = Literal["auto", "strict", "none"]


class Conditions(msgspec.Struct, frozen=True):
    """What an agent may use; everything here has a flag on the command line."""

    walls: Mode = "auto"  # strict: refuse to play when a wall is missing
    trust: bool = False  # classes in files play in the worker, as our own agents do
    memory: int = 1024 * MIB  # bytes of address space of one process
    processes: int = 64
    file_size: int = 16 * MIB
    begin: float = 10.0  # seconds until an agent is ready
    longest_begin: float = 60.0  # what an agent that asks for more may have
    decision: float = 30.0  # seconds of a decision whose budget has nodes only
    bank: float | None = None  # seconds; None: ten budgets, at least one second


DEFAULT = Conditions()


class Clock:
    """The time of one seat in one game: a limit per decision, and a bank that overruns eat."""

    def __init__(self, budget: Budget, conditions: Conditions) -> None:
        self.limit = conditions.decision if budget.seconds is None else budget.seconds
        own = 0.0 if budget.seconds is None else max(BANK_BUDGETS * budget.seconds, LEAST_BANK)
        self.bank = own if conditions.bank is None else conditions.bank

    @property
    def allowance(self) -> float:
        """The seconds that the next decision may last."""
        return self.limit + self.bank + GRACE

    def charge(self, seconds: float) -> bool:
        """Count a decision and return True if the bank could pay for it."""
        self.bank -= max(0.0, seconds - self.limit - GRACE)
        return self.bank >= 0.0
