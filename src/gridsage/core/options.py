"""Rule options that explain themselves: `Annotated[bool, note("what it does")]` in a room's options."""

from __future__ import annotations

import msgspec


def note(words: str, *, ge: int | None = None, le: int | None = None) -> msgspec.Meta:
    """What an option does, in a few words for forms and help, with its limits (`ge=`, `le=`)."""
    return msgspec.Meta(description=words, ge=ge, le=le)
