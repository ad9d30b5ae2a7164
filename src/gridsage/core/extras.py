"""Parts of gridsage that need more than its core: what each is called and how it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gridsage.core.errors import MissingPart


def missing_extra(what: str, extra: str) -> str:
    """Return the sentence for a part whose packages are not installed."""
    return f"{what} needs packages that are not installed: pip install 'gridsage[{extra}]'"


@contextmanager
def needs_extra(what: str, extra: str) -> Iterator[None]:
    """Turn a failed import of somebody else's package into a MissingPart that says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "gridsage":
            raise
        raise MissingPart(missing_extra(what, extra)) from error
