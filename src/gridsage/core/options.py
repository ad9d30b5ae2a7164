"""Rule options that explain themselves: `Annotated[bool, note("what it does")]` in a room's options."""

from __future__ import annotations

from typing import Any

import msgspec


def note(words: str, **limits: Any) -> msgspec.Meta:
    """What an option does, in a few words for forms and help, with its limits (`ge=`, `le=`)."""
    return msgspec.Meta(description=words, **limits)
