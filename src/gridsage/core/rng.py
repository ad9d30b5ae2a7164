"""Seeds: every random choice of a game or an agent comes from one number in the trace."""

from __future__ import annotations

import hashlib
import random

MASK = (1 << 64) - 1


def child_seed(seed: int, *path: object) -> int:
    """A 64-bit seed for one use of `seed`, the same on every machine: `child_seed(7, "agent", 0)`."""
    words = "/".join([str(seed), *map(str, path)])
    return int.from_bytes(hashlib.blake2b(words.encode(), digest_size=8).digest(), "little")


def generator(seed: int, *path: object) -> random.Random:
    """Python's own generator on a child seed; its methods give the same numbers on every machine."""
    return random.Random(child_seed(seed, *path))


def split_mix(state: int) -> tuple[int, int]:
    """The next state and number of the SplitMix64 sequence, for rules that carry their randomness in the state."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, z ^ (z >> 31)
