"""GLib's random stream: MT19937, and numbers below a bound by rejection. Numbers are int64 that hold 32 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import borrowing_kernel

Number = Any  # an int64 inside compiled code
Stream = NDArray[np.int64]  # (WORDS + 1,): the words and the index of the next; or (1,): a small stream for planners

WORDS = 624
SHIFTED = 397
WORD_MASK = 0xFFFFFFFF
MATRIX = 0x9908B0DF
UPPER, LOWER = 0x80000000, 0x7FFFFFFF
IN_A_MILLION = 1_000_000
LAST_WORD = WORD_MASK - (WORD_MASK + 1) % IN_A_MILLION  # the last one that makes all numbers below it equally likely


def stream_of(seed: int) -> Stream:
    """Return the stream of a seed, as GLib makes it."""
    key = np.random.RandomState(seed & WORD_MASK).get_state(legacy=False)["state"]["key"]
    return np.append(key.astype(np.int64), np.int64(WORDS))


@borrowing_kernel
def twist(stream: Stream) -> None:
    """Make the next words of the stream."""
    for i in range(WORDS):
        value = (stream[i] & UPPER) | (stream[(i + 1) % WORDS] & LOWER)
        stream[i] = stream[(i + SHIFTED) % WORDS] ^ (value >> 1) ^ (MATRIX if value & 1 else 0)
    stream[WORDS] = 0


@borrowing_kernel
def next_word(stream: Stream) -> Number:
    """Return the next 32 bits."""
    if len(stream) == 1:  # xorshift: a planner's guess at chance needs to be small, not good
        value = stream[0]
        value ^= value << 13 & WORD_MASK
        value ^= value >> 17
        value ^= value << 5 & WORD_MASK
        stream[0] = value
        return value
    if stream[WORDS] >= WORDS:
        twist(stream)
    value = stream[stream[WORDS]]
    stream[WORDS] += 1
    value ^= value >> 11
    value ^= value << 7 & 0x9D2C5680
    value ^= value << 15 & 0xEFC60000
    return value ^ value >> 18


@borrowing_kernel
def number_below(stream: Stream, bound: int) -> Number:
    """Return a number from 0 to bound - 1, all equally likely."""
    limit = WORD_MASK - (WORD_MASK + 1) % bound
    while True:
        word = next_word(stream)
        if word <= limit:
            return word % bound


@borrowing_kernel
def millionth(stream: Stream) -> Number:
    """Return a number below a million, as `number_below` does: the divisor is known to the compiler."""
    while True:
        word = next_word(stream)
        if word <= LAST_WORD:
            return word % IN_A_MILLION
