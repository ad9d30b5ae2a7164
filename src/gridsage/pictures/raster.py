"""Vectors as pixels, by a rasteriser that needs no browser."""

from __future__ import annotations

import io
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gridsage.core.errors import MissingPart
from gridsage.core.extras import needs_extra

with needs_extra("pictures", "pictures"):
    import resvg_py
    from PIL import Image

NO_FONT = "pictures of characters need a font of fixed width: install DejaVu Sans Mono (Debian: fonts-dejavu-core)"
_PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">'
    '<text y="14" font-size="16" font-family="\'DejaVu Sans Mono\', monospace" fill="#fff">M</text></svg>'
)


def png(document: str) -> bytes:
    """Return an SVG document as a PNG file."""
    if "<text" not in document:
        return bytes(resvg_py.svg_to_bytes(svg_string=document, skip_system_fonts=True))  # fonts cost 2 ms
    return bytes(resvg_py.svg_to_bytes(svg_string=document))


def pixels(document: str) -> NDArray[np.uint8]:
    """Return an SVG document as pixels."""  # (height, width, 4), red green blue alpha
    with Image.open(io.BytesIO(png(document))) as image:
        return np.asarray(image.convert("RGBA"))


@cache
def has_font() -> bool:
    """Return True if letters of a fixed font can be drawn on this machine."""
    return bool(pixels(_PROBE)[..., 3].any())


def require_font() -> None:
    """Refuse with a sentence where a picture of characters would be empty."""
    if not has_font():
        raise MissingPart(NO_FONT)
