"""Pieces of compiled search that know no game: a prefetch hint, a hash of numbers, and tables of integer keys."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from gridsage.core.jit import kernel

# Knuth's multiplicative hashing: 2**64 divided by the golden ratio; the top bits of the product depend on all key bits.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
EMPTY = 0
Numba = Any  # an object of Numba's compiler, which has no types

Array = TypeVar("Array")


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(_typing: Numba, array: Numba, index: Numba) -> Numba:
    """Ask the processor to fetch `array[index]` for writing while other work goes on."""

    def generate(context: Numba, builder: Numba, signature: Numba, arguments: Numba) -> Numba:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        word, byte_pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte_pointer)
        hint_type = ir.FunctionType(ir.VoidType(), [byte_pointer, word, word, word])
        hint = cgutils.get_or_insert_function(builder.module, hint_type, "llvm.prefetch.p0i8")
        for_writing, keep_in_all_caches, is_data = word(1), word(3), word(1)
        builder.call(hint, [address, for_writing, keep_in_all_caches, is_data])
        return context.get_dummy_value()

    return types.void(array, index), generate


@intrinsic  # type: ignore[untyped-decorator]
def _borrowed(_typing: Numba, array: Numba) -> Numba:
    def generate(context: Numba, builder: Numba, signature: Numba, arguments: Numba) -> Numba:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), generate


def borrowed(array: Array) -> Array:
    """Return the same array without its owner, for use inside the kernel that was given it.

    Numba counts references at every call that passes an array on; without an owner there is nothing to count. The
    ticks of the classic Lode Runner ran 1.9 times as fast.
    """
    return array


@overload(borrowed)  # type: ignore[untyped-decorator]
def _borrowed_in_kernels(array: Numba) -> Numba:
    def inside(array: Numba) -> Numba:
        return _borrowed(array)

    return inside


@kernel
def signed(value: Any) -> Any:
    """`value` as a signed machine integer: where signed and unsigned ones meet, Numba makes a float of them."""
    return np.int64(value)


@kernel
def mixed(value: int) -> int:
    """Return a 31-bit hash of a small number; products stay below 2 to the 63."""
    value = (value ^ (value >> 16)) & 0x7FFFFFFF
    value = (value * 0x45D9F3B) & 0x7FFFFFFF
    value = value ^ (value >> 16)
    value = (value * 0x45D9F3B) & 0x7FFFFFFF
    return value ^ (value >> 16)


@kernel
def home_slot(key: int, bits: int) -> Any:
    """The slot at which the search for `key` begins in a table of 2**bits slots."""
    return np.int64((np.uint64(key) * GOLDEN) >> np.uint64(64 - bits))


@kernel
def add_key(table: Any, bits: int, key: int) -> bool:
    """Put `key` (not zero) into the first 2**bits slots of `table`; false if it was there already."""
    slot = home_slot(key, bits)
    last = (1 << bits) - 1
    while True:
        found = signed(table[slot])
        if found == key:
            return False
        if found == EMPTY:
            table[slot] = key
            return True
        slot = (slot + 1) & last


@kernel
def add_stamped(table: Any, stamp: int, key: int) -> bool:
    """Put `key` into a table of (key, stamp) with a power of two of slots; return True if it was new.

    Slots of other stamps count as empty, so a new search needs a new stamp and no clearing.
    """
    last = table.shape[0] - 1
    slot = (key ^ (key >> 23)) & last
    while table[slot, 1] == stamp:
        if table[slot, 0] == key:
            return False
        slot = (slot + 1) & last
    table[slot, 0] = key
    table[slot, 1] = stamp
    return True


@kernel
def slot_of(table: Any, key: int) -> int:
    """Return the slot of a table of (key, value) that holds `key` (not zero), or the empty one where it belongs."""
    last = table.shape[0] - 1
    slot = (key ^ (key >> 29)) & last
    while table[slot, 0] != EMPTY and table[slot, 0] != key:
        slot = (slot + 1) & last
    return int(slot)
