"""A whole game as a moving picture: a GIF whose frames hold only the cells that have changed."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gridsage.core.errors import OptionError
from gridsage.core.extras import needs_extra
from gridsage.core.frame import Frame
from gridsage.core.game import Thoughts
from gridsage.pictures.mosaic import Mosaic, Pixels, joined
from gridsage.pictures.svg import Style

with needs_extra("pictures", "pictures"):
    from PIL import GifImagePlugin, Image

COLOURS = 255  # of 256: the last one means "as before"
AS_BEFORE = 255
LEAST_MS = 20  # browsers show shorter ones for a tenth of a second
LAST_MS = 2_000  # the end is seen so long before the film begins anew
MOST_SAMPLED = 1_024  # tiles from which the colours are chosen
LOOP_FOR_EVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"

Numbers = NDArray[np.int32]  # (rows, cols): tiles of a mosaic


def gif(frames: Iterable[Frame], style: Style, speed: float, thoughts: Mapping[int, Thoughts] | None = None) -> bytes:
    """Return the frames of a game as a GIF file.

    Args:
        speed: frames per second, where frames do not say themselves how long they last.
        thoughts: what is drawn over frames, by their number.
    """
    mosaic, shown, lengths = _drawn(frames, style, speed, thoughts or {})
    tiles, palette = _reduced(mosaic.tiles)
    plan = mosaic.plan
    parts = [b"GIF89a", struct.pack("<HHBBB", plan.width, plan.height, 0xF7, 0, 0), palette, LOOP_FOR_EVER]
    parts += _encoded(joined(tiles[shown[0]]), (0, 0), lengths[0])
    for (before, after), length in zip(pairwise(shown), lengths[1:], strict=True):
        parts += _changed(before, after, tiles, length)
    return b"".join([*parts, b";"])


def _drawn(
    frames: Iterable[Frame], style: Style, speed: float, thoughts: Mapping[int, Thoughts]
) -> tuple[Mosaic, list[Numbers], list[int]]:
    """Return every frame as numbers of tiles with its length in milliseconds; frames that look the same are one."""
    mosaic: Mosaic | None = None
    shown: list[Numbers] = []
    lengths: list[int] = []
    for step, frame in enumerate(frames):
        mosaic = mosaic or Mosaic(frame, style)
        numbers = mosaic.numbers(frame, thoughts.get(step))
        length = max(LEAST_MS, round(frame.lasts or 1000 / speed))
        if shown and np.array_equal(shown[-1], numbers):
            lengths[-1] += length
        else:
            shown.append(numbers)
            lengths.append(length)
    if mosaic is None:
        raise OptionError("a film needs a frame")
    lengths[-1] = max(lengths[-1], LAST_MS)
    return mosaic, shown, lengths


def _reduced(tiles: list[Pixels]) -> tuple[Pixels, bytes]:
    """Return all tiles as numbers of at most 255 colours, and these colours."""
    stacked = np.stack(tiles)  # (tiles, tall, wide, 3)
    sample = stacked[:: 1 + len(tiles) // MOST_SAMPLED]
    chosen = _image(sample).quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    numbered = _image(stacked).quantize(palette=chosen, dither=Image.Dither.NONE)
    palette = bytes(chosen.getpalette() or ()).ljust(3 * 256, b"\0")[: 3 * 256]
    return np.asarray(numbered).reshape(stacked.shape[:3]), palette


def _image(tiles: Pixels) -> Image.Image:
    """Return tiles below each other as one image."""
    count, tall, wide, _ = tiles.shape
    return Image.fromarray(np.ascontiguousarray(tiles).reshape(count * tall, wide, 3), "RGB")


def _changed(before: Numbers, after: Numbers, tiles: Pixels, length: int) -> list[bytes]:
    """Return the part of a frame in which all changed cells lie; the others in it stay as they are."""
    changed = before != after
    rows, cols = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    part = np.s_[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    picture = tiles[after[part]]  # (rows, cols, tall, wide)
    picture[(picture == tiles[before[part]]) & ~changed[part][..., None, None]] = AS_BEFORE
    tall, wide = tiles.shape[1:]
    return _encoded(joined(picture), (int(cols[0]) * wide, int(rows[0]) * tall), length)


def _encoded(picture: Pixels, offset: tuple[int, int], length: int) -> list[bytes]:
    image = Image.fromarray(np.ascontiguousarray(picture), "L")
    return [
        bytes(part)
        for part in GifImagePlugin.getdata(image, offset, duration=length, transparency=AS_BEFORE, disposal=1)
    ]
