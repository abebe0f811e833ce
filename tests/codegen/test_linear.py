"""Linear expressions, their bounds and their materialisation, against Python's integers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weft.codegen import linear
from weft.codegen.copies import sequentialise
from weft.codegen.graph import B32, B64, BITS, Block, Const, If, Inst, Value
from weft.codegen.integers import Integers
from weft.codegen.linear import Lin

MASK = {32: (1 << 32) - 1, 64: (1 << 64) - 1}


def evaluate(operand: Any, env: dict[Value, int]) -> int:
    """The value of a register that the builder made, from the values of the inputs; 64 bits, unsigned."""
    if isinstance(operand, int):
        return operand
    if isinstance(operand, Const):
        return operand.pattern
    if isinstance(operand, tuple):  # The parts of a register, the lowest first.
        parts: tuple[Value, ...] = operand
        return sum(evaluate(part, env) << BITS[part.cls] * place for place, part in enumerate(parts))
    if operand in env:
        return env[operand]
    inst = operand.inst
    if len(inst.outs) > 1:
        width = BITS[operand.cls]
        env[operand] = evaluate(inst.args[1], env) >> width * inst.outs.index(operand) & (1 << width) - 1
        return env[operand]
    args = [evaluate(arg, env) for arg in inst.args[1:]]
    stem, *rest = inst.opcode.text.split(".")
    type_ = rest[-1]
    bits = int(type_[1:]) if type_[1:].isdigit() else 1
    result = _compute(stem, rest, [_read(a, type_, bits) for a in args], args, bits)
    env[operand] = result & ((1 << BITS[operand.cls]) - 1)
    return env[operand]


def decide(block: Block, env: dict[Value, int]) -> None:
    """Evaluate what branches of the block (those of long divisions) merge."""
    for item in block.items:
        if isinstance(item, If):
            side = 0 if evaluate(item.test, env) else 1
            for merge in item.merges:
                env.setdefault(merge.value, evaluate(merge.values[side], env))


def _read(value: int, type_: str, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if type_[0] == "s" and value >> (bits - 1) else value


def _compute(stem: str, rest: list[str], typed: list[int], raw: list[int], bits: int) -> int:
    match stem:
        case "add":
            return typed[0] + typed[1]
        case "sub":
            return typed[0] - typed[1]
        case "neg":
            return -typed[0]
        case "mul" if rest[0] in ("lo", "wide"):
            return typed[0] * typed[1]
        case "mul":
            return typed[0] * typed[1] >> bits
        case "mad":
            return typed[0] * typed[1] + raw[2]
        case "shl":
            return typed[0] << min(raw[1], 64)
        case "shr":
            return typed[0] >> raw[1]
        case "and":
            return typed[0] & typed[1]
        case "or":
            return typed[0] | typed[1]
        case "xor":
            return typed[0] ^ typed[1]
        case "div":
            return _divide(typed)[0]
        case "rem":
            return _divide(typed)[1]
        case "min":
            return min(typed)
        case "max":
            return max(typed)
        case "mov":
            return typed[0]
        case "cvt":
            return _read(raw[0], rest[-1], int(rest[-1][1:]))
        case "selp":
            return raw[0] if raw[2] else raw[1]
        case "setp":
            a, b = typed
            return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[rest[0]]
        case "not":
            return ~raw[0]
        case "abs":
            return abs(typed[0])
        case "bfe":
            return typed[0] >> raw[1] & (1 << raw[2]) - 1
        case "shf":
            low, high, by = raw
            return ((high & MASK[32]) << 32 | low & MASK[32]) >> 32 - (by & 31) & MASK[32]
        case "prmt":
            bytes_ = (raw[1] & 0xFFFF_FFFF) << 32 | raw[0] & 0xFFFF_FFFF
            chosen = [(bytes_ >> 8 * (raw[2] >> 4 * i & 7) & 0xFF, raw[2] >> 4 * i & 8) for i in range(4)]
            return sum(((byte >> 7) * 0xFF if sign else byte) << 8 * i for i, (byte, sign) in enumerate(chosen))
    raise AssertionError(stem)


def _divide(typed: list[int]) -> tuple[int, int]:
    a, b = typed
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b


class Inputs:
    """A builder with input registers: thread ids, unknown 32- and 64-bit values."""

    def __init__(self) -> None:
        self.b = Integers()
        root = self.b.root
        self.narrow = [
            Value(B32, root, None, 0, 127),
            Value(B32, root, None, 0, 65535),
            Value(B32, root, None, -50, 50),
        ]
        self.wide = [Value(B64, root), Value(B64, root, None, 0, (1 << 48) - 1)]

    def leaves(self) -> list[Lin]:
        return [self.b.extended(linear.of(v), signed=True) for v in self.narrow] + [linear.of(v) for v in self.wide]


def signed(value: int, bits: int = 64) -> int:
    return linear.wrap(value, bits)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "add",
                "sub",
                "mul",
                "div",
                "rem",
                "and",
                "or",
                "xor",
                "shl",
                "shr",
                "sar",
                "min",
                "max",
                "umin",
                "select",
                "offset",
            ]
        ),
        st.integers(0, 30),
        st.integers(0, 30),
        st.sampled_from([0, 1, 2, 3, 7, 8, 16, 40, 64, 1 << 33, -1, -8]),
    ),
    min_size=1,
    max_size=8,
)


def apply(b: Integers, step: tuple[str, int, int, int], values: list[tuple[Lin, int]]) -> tuple[Lin, int]:
    """One operation on earlier results (or a constant), and what it means."""
    name, i, j, k = step
    (x, u) = values[i % len(values)]
    (y, v) = values[j % len(values)] if j % 3 else (linear.const(k), k)
    su, sv, uu, uv = signed(u), signed(v), u & MASK[64], v & MASK[64]
    match name:
        case "add":
            return b.add(x, y), u + v
        case "sub":
            return b.sub(x, y), u - v
        case "offset":
            return linear.offset(x, k), u + k
        case "mul":
            return b.mul(x, y), u * v
        case "div" | "rem":
            y, uv = (y, uv) if uv else (linear.const(5), 5)
            exact = uu // uv if name == "div" else uu % uv
            function = b.div if name == "div" else b.rem
            return function(x, y, signed=False), exact
        case "and" | "or" | "xor":
            return b.bitwise(name, x, y), {"and": u & v, "or": u | v, "xor": u ^ v}[name]
        case "shl":
            return b.shift_left(x, linear.const(k & 63)), u << (k & 63)
        case "shr":
            return b.shift_right(x, k & 63, signed=False), uu >> (k & 63)
        case "sar":
            return b.shift_right(x, k & 63, signed=True), su >> (k & 63)
        case "min" | "max":
            return b.extreme(name, x, y, signed=True), (min if name == "min" else max)(su, sv)
        case "umin":
            return b.extreme("min", x, y, signed=False), min(uu, uv)
        case _:
            test = b.compare("lt", x, y, signed=bool(k % 2))
            holds = su < sv if k % 2 else uu < uv
            return b.choose(test, x, y), u if holds else v


@pytest.mark.slow
@given(STEPS, st.data())
def test_index_arithmetic(steps: list[tuple[str, int, int, int]], data: st.DataObject) -> None:
    """Any sequence of 64-bit operations gives, in registers, what the integers modulo 2^64 give."""
    inputs = Inputs()
    env: dict[Value, int] = {}
    for value in (*inputs.narrow, *inputs.wide):
        drawn = data.draw(st.integers(value.lo, value.hi))
        env[value] = drawn & MASK[32 if value.cls == B32 else 64]
    values = [(x, signed(evaluate(inputs.b.int_value(x), env))) for x in inputs.leaves()]
    for step in steps:
        found, exact = apply(inputs.b, step, values)
        register = inputs.b.operand(found)
        decide(inputs.b.root, env)
        assert evaluate(register, env) & MASK[64] == exact & MASK[64], step
        assert found.lo <= signed(exact) <= found.hi or not found.exact, "the bounds must hold"
        low = inputs.b.operand(inputs.b.truncated(found))
        assert evaluate(low, env) & MASK[32] == exact & MASK[32]
        values.append((found, signed(exact)))


def test_division_of_a_sum_uses_its_coefficients() -> None:
    b = Integers()
    row, lane = (linear.of(b.widened(Value(B32, b.root, None, 0, hi), signed=False)) for hi in (100, 3))
    total = b.add(linear.scaled(row, 4), lane)
    assert b.div(total, linear.const(4), signed=False) == row
    assert b.rem(total, linear.const(4), signed=False) == lane


def test_small_sums_are_computed_in_32_bits() -> None:
    b = Integers()
    tid, block = Value(B32, b.root, None, 0, 127), Value(B32, b.root, None, 0, 65535)
    total = b.add(linear.scaled(linear.of(b.widened(block, signed=False)), 64), linear.of(b.widened(tid, signed=False)))
    value = b.int_value(linear.offset(total, 32))
    assert value.narrow is not None
    assert value.inst is not None
    assert value.inst.opcode.text == "cvt.u64.u32"


def test_long_sums_keep_few_terms() -> None:
    b = Integers()
    total = linear.const(0)
    for _ in range(1000):
        total = b.add(total, linear.of(Value(B64, b.root)))
        assert len(total.terms) <= linear.MAX_TERMS


def test_invariant_sums_leave_the_loop() -> None:
    b = Integers()
    outside = Value(B64, b.root)
    body = Block(b.root, loop=True)
    inside = Value(B64, body)
    with b.at(body):
        value = b.int_value(b.add(linear.scaled(linear.of(outside), 3), linear.of(inside)))
    assert value.block is body
    assert len(b.root.items) == 1


@pytest.mark.parametrize("bits", [32, 64])
def test_wrap(bits: int) -> None:
    assert linear.wrap(1 << (bits - 1), bits) == -(1 << (bits - 1))
    assert linear.wrap(-1, bits) == -1


@settings(deadline=None)
@given(st.dictionaries(st.integers(0, 7), st.integers(0, 9)))
def test_parallel_copies(copies: dict[int, int]) -> None:
    """Made one after another, the copies leave every place as if they had happened at once."""
    fresh = iter(range(100, 200))
    before = {place: f"v{place}" for place in range(200)}
    after = dict(before)
    for destination, source in sequentialise(copies.items(), lambda _: next(fresh)):
        after[destination] = after[source]
    for place in range(10):
        assert after[place] == before[copies.get(place, place)]


def _address(lin: Lin, b: Integers) -> tuple[int, int, list[str]]:
    """The offset of an address, the number in its register's sum, and the instructions."""
    found = b.address(lin)
    base = found.base
    inside = base.sum.const if isinstance(base, Value) and base.sum is not None else 0
    return found.offset, inside, [item.opcode.text for item in b.root.items if isinstance(item, Inst)]


def test_numbers_are_offsets_of_addresses_as_far_as_these_go() -> None:
    for number, offset in (
        (0, 0), (4, 4), (-4, -4), ((1 << 31) - 1, (1 << 31) - 1), (1 << 31, 0), (-(1 << 31), -(1 << 31)),
        (-(1 << 31) - 1, 0),
    ):  # fmt: skip
        b = Integers()
        pointer = Value(B64, b.root)
        pointer.space = "global"
        found, inside, stems = _address(linear.offset(linear.of(pointer), number), b)
        assert (found, inside) == (offset, number - offset), number
        assert stems == ([] if offset == number else ["add.s64"])


def test_registers_of_local_addresses_are_not_before_the_variable() -> None:
    """Of an index from -8 on, eight stay in the register: by itself it would be a negative address."""
    for space, low, number, inside in (
        ("local", -8, 20, 8), ("local", -8, 5, 5), ("local", -8, 0, 0), ("local", -8, -4, 0), ("local", 0, 20, 0),
        ("local", -20, 20, 20), ("global", -8, 20, 0), ("", -8, 20, 0), ("shared", -8, 20, 0),
    ):  # fmt: skip
        b = Integers()
        pointer = Value(B64, b.root)
        pointer.space = space
        index = linear.of(b.widened(Value(B32, b.root, None, low, 100), signed=True))
        found, kept, _ = _address(linear.offset(linear.add(linear.of(pointer), index), number), b)
        assert (found, kept) == (number - inside, inside), (space, low, number)


def test_numbers_by_themselves_are_in_registers() -> None:
    for bits in (32, 64):
        b = Integers()
        assert _address(linear.const(4096, bits), b) == (0, 0, [f"mov.b{bits}"])
