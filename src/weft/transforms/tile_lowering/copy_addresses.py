"""Addresses of a plan as operations: what depends on the thread once for all instructions, constants in the access.

A swizzle is linear over bits: where a constant shares no bit with what depends on the thread, the swizzled sum is the
swizzled thread part, exclusive-or the constant's bits in the swizzle's field, plus the rest of the constant.  So each
distinct constant field costs one exclusive or, outside of loops, and all else is the access's own offset.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import i8, i32
from xdsl.ir import SSAValue

from weft.dialects.llvm.pointers import element_pointer
from weft.layout import SwizzleLayout
from weft.transforms.copy_dispatch import Address, Condition, Digit, Operand, Sum
from weft.transforms.tile_lowering.integers import multiple, plus, swizzled, wide_product
from weft.transforms.tile_lowering.lowering import Lowering

# -- numbers of the thread ----------------------------------------------------------------------------------------


def number(env: Lowering, sum: Sum) -> SSAValue:
    """A sum (i32) for the running thread."""
    return env.once(sum, lambda: _number(env, sum))


def _number(env: Lowering, sum: Sum) -> SSAValue:
    total: SSAValue | None = None
    for factor, digit in sum.terms:
        term = multiple(env, _digit(env, digit), factor)
        total = term if total is None else plus(env, total, term)
    if total is None:
        return env.constant(sum.constant)
    return plus(env, total, env.constant(sum.constant)) if sum.constant else total


def _digit(env: Lowering, digit: Digit) -> SSAValue:
    value = env.thread(digit.source) if isinstance(digit.source, str) else number(env, digit.source)
    if digit.divide > 1:
        by = env.constant(digit.divide)
        value = env.emit(arith.DivUIOp.create(operands=[value, by], result_types=[value.type]))
    if digit.modulus:
        by = env.constant(digit.modulus)
        value = env.emit(arith.RemUIOp.create(operands=[value, by], result_types=[value.type]))
    return value


def met(env: Lowering, conditions: tuple[Condition, ...]) -> SSAValue | None:
    """Whether the running thread meets conditions (i1); None where there are none."""
    result: SSAValue | None = None
    for condition in conditions:
        test = env.once(condition, lambda condition=condition: _test(env, condition))
        result = test if result is None else both(env, result, test)
    return result


def both(env: Lowering, a: SSAValue, b: SSAValue) -> SSAValue:
    """Whether two conditions hold."""
    return env.emit(arith.AndIOp.create(operands=[a, b], result_types=[a.type]))


def _test(env: Lowering, condition: Condition) -> SSAValue:
    below = env.constant(condition.below)
    return env.emit(arith.CmpiOp(number(env, condition.sum), below, "ult"))


# -- pointers -----------------------------------------------------------------------------------------------------


class Addresses:
    """The addresses of one operand in memory."""

    def __init__(self, env: Lowering, buffer: SSAValue, operand: Operand) -> None:
        self.env = env
        self.buffer = buffer
        self.operand = operand
        self.bytes = operand.bits // 8
        self.offset = env.offset(buffer)
        self._pointers: dict[object, SSAValue] = {}

    def pointer(self, address: Address) -> SSAValue:
        """The pointer for the running thread."""
        swizzle = self.operand.swizzle
        if swizzle is not None:
            return self._swizzled(address, swizzle)
        constant = dict(address.constant)
        base = self._cached(address.thread, lambda: self._base(address))
        for axis, value in constant.items():
            if axis != "m":
                base = self._cached(
                    (axis, value, base),
                    lambda axis=axis, value=value, base=base: self._moved(
                        base, self._product(self.env.constant(value), axis)
                    ),
                )
        by = constant.get("m", 0) * self.bytes
        return self.env.byte_advanced(base, by) if by else base

    def _cached(self, key: object, build: Callable[[], SSAValue]) -> SSAValue:
        found = self._pointers.get(key)
        if found is None:
            found = self._pointers[key] = build()
        return found

    def _base(self, address: Address) -> SSAValue:
        """The storage's pointer, moved by what depends on the thread and by the buffer's own offset."""
        pointer = self.env.pointer(self.buffer)
        for axis, sum in address.thread:
            if axis == "m":
                pointer = self._moved(pointer, number(self.env, sum))
            else:
                pointer = self._moved(pointer, self._product(number(self.env, sum), axis))
        return self._moved(pointer, self.offset) if self.offset is not None else pointer

    def _product(self, steps: SSAValue, axis: str) -> SSAValue:
        """Elements (i64) of some steps of a stride that only the kernel knows."""
        return wide_product(self.env, steps, self.env.runtime_stride(self.buffer, axis))

    def _moved(self, pointer: SSAValue, elements: SSAValue) -> SSAValue:
        return self._moved_bytes(pointer, multiple(self.env, elements, self.bytes))

    def _moved_bytes(self, pointer: SSAValue, count: SSAValue) -> SSAValue:
        return self.env.emit(element_pointer(pointer, count, i8))

    # -- through a swizzle --------------------------------------------------------------------------------------

    def _swizzled(self, address: Address, swizzle: SwizzleLayout) -> SSAValue:
        thread = dict(address.thread).get("m", Sum())
        constant = dict(address.constant).get("m", 0)
        outside = self.operand.divisor % swizzle.block == 0  # No offset is a multiple of 0.
        bits = possible_bits(thread, self.env.block_size)
        if not outside or bits & constant:
            return self._swizzled_as_a_whole(thread, constant, swizzle, outside=outside)
        moved = swizzle.place(constant)
        field = _field(swizzle)
        within, rest = moved & field, moved & ~field
        base = self._cached((thread, within), lambda: self._swizzled_base(thread, within, swizzle))
        return self.env.byte_advanced(base, rest * self.bytes) if rest else base

    def _swizzled_base(self, thread: Sum, within: int, swizzle: SwizzleLayout) -> SSAValue:
        env = self.env

        def build() -> SSAValue:
            value = swizzled(env, number(env, thread), swizzle)
            if within:
                value = env.emit(arith.XOrIOp.create(operands=[value, env.constant(within)], result_types=[i32]))
            return multiple(env, value, self.bytes)

        pointer = env.pointer(self.buffer)
        if thread.terms or thread.constant or within:
            pointer = self._moved_bytes(pointer, env.once((thread, within, swizzle, self.bytes), build))
        return self._moved(pointer, self.offset) if self.offset is not None else pointer

    def _swizzled_as_a_whole(self, thread: Sum, constant: int, swizzle: SwizzleLayout, *, outside: bool) -> SSAValue:
        """The pointer where constants carry into what depends on the thread; `outside`: the offset is no part of it."""
        env = self.env

        def build() -> SSAValue:
            value = number(env, thread)
            return plus(env, value, env.constant(constant)) if constant else value

        pointer = env.pointer(self.buffer)
        if outside:
            key = (thread, constant, swizzle)
            pointer = self._moved(pointer, env.once(key, lambda: swizzled(env, build(), swizzle)))
            return self._moved(pointer, self.offset) if self.offset is not None else pointer
        assert self.offset is not None
        return self._moved(pointer, swizzled(env, plus(env, build(), self.offset), swizzle))


def _field(swizzle: SwizzleLayout) -> int:
    """The bits of an element's number that the swizzle changes."""
    low = swizzle.per_element + (0 if swizzle.inner else swizzle.atom_len)
    return ((1 << swizzle.swizzle_len) - 1) << low


def possible_bits(sum: Sum, threads: int) -> int:
    """Bits that may be set in a sum of a thread's digits, in a block of `threads` threads.

    All above the first that two terms could both set.
    """
    reached = sum.constant
    for factor, digit in sum.terms:
        term = _digit_limit(digit, threads)
        bits = _multiple_bits(factor, term)
        if bits & reached:
            low = (bits & reached & -(bits & reached)).bit_length() - 1
            bits = (1 << 32) - (1 << low) | bits
        reached |= bits
    return reached


_EXTENTS = {"laneid": 32, "tid_in_wg": 128, "wid_in_wg": 4}
_STEPS = {"tx": 1, "warpid": 32, "wgid": 128}


def _digit_limit(digit: Digit, threads: int) -> int:
    """One more than the largest value of a digit, as far as is known."""
    if digit.modulus:
        return digit.modulus
    if isinstance(digit.source, str):
        extent = _EXTENTS.get(digit.source) or -(-threads // _STEPS[digit.source])
        return -(-extent // digit.divide)
    return 1 << 31


def _multiple_bits(factor: int, limit: int) -> int:
    """Bits that may be set in `factor` times a number below `limit`."""
    if factor == 0 or limit == 1:
        return 0
    if factor < 0:
        return (1 << 32) - 1
    largest = factor * (limit - 1)
    low = (factor & -factor).bit_length() - 1
    return ((1 << largest.bit_length()) - 1) >> low << low
