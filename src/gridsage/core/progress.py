"""What long work has come to, told to whoever shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


def _nobody(_: str) -> None:
    """Show nothing."""


_listener: ContextVar[Callable[[str], None]] = ContextVar("listener", default=_nobody)


def tell(words: str) -> None:
    """Show these words where progress is shown, and nowhere else."""
    _listener.get()(words)


@contextmanager
def heard_by(listener: Callable[[str], None]) -> Iterator[None]:
    """Pass whatever is told inside to the listener."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
