"""Which bytes of a result are written: those that nothing else in the unwritten bytes of the sources could change."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace

import pytest

import weft
from weft.ptx.operands import Register
from weft.sim.partial import full, transfer_of
from weft.sim.site import Site

Function = Callable[[list[int]], int]
REGISTERS = ".reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p;"
BITS = {"h": 16, "r": 32, "d": 64}


def _signed(value: int, bits: int) -> int:
    return (value & ((1 << bits) - 1) ^ 1 << (bits - 1)) - (1 << (bits - 1))


def _permuted(a: int, b: int, selector: int) -> int:
    whole = (b & 0xFFFF_FFFF) << 32 | a & 0xFFFF_FFFF
    return sum((whole >> 8 * (selector >> 4 * n & 7) & 0xFF) << 8 * n for n in range(4))


def _exact() -> dict[str, Function]:
    """Statements, and what they compute of the registers that they read: every bit of which a result may hang on."""
    found: dict[str, Function] = {
        "and.b32 %r0, %r1, %r2;": lambda x: x[0] & x[1],
        "or.b32 %r0, %r1, %r2;": lambda x: x[0] | x[1],
        "xor.b64 %d0, %d1, %d2;": lambda x: x[0] ^ x[1],
        "not.b32 %r0, %r1;": lambda x: ~x[0],
        "lop3.b32 %r0, %r1, %r2, %r3, 0x96;": lambda x: x[0] ^ x[1] ^ x[2],
    }
    for constant in (0, 0xFF, 0xFF00, 0xFFFF_FF00, 0x0F0F_FF00, 0xFF0F_00FF):
        found[f"and.b32 %r0, %r1, {constant};"] = lambda x, c=constant: x[0] & c
        found[f"or.b32 %r0, %r1, {constant};"] = lambda x, c=constant: x[0] | c
        found[f"xor.b32 %r0, %r1, {constant};"] = lambda x, c=constant: x[0] ^ c
    for kind, bits in BITS.items():
        for by in (0, 1, 8, 9, 16, 24, 31, 32, 40, 63, 64, 99):
            most = min(by, bits)
            found[f"shl.b{bits} %{kind}0, %{kind}1, {by};"] = lambda x, n=most: x[0] << n
            found[f"shr.u{bits} %{kind}0, %{kind}1, {by};"] = lambda x, n=most: x[0] >> n
            found[f"shr.s{bits} %{kind}0, %{kind}1, {by};"] = lambda x, n=most, b=bits: _signed(x[0], b) >> n
        for to, width in BITS.items():
            for letter in "us":
                statement = f"cvt.{letter}{width}.{letter}{bits} %{to}0, %{kind}1;"
                found[statement] = lambda x, b=bits, s=letter == "s": _signed(x[0], b) if s else x[0]
    for selector in (0x3210, 0x7654, 0x4051, 0x3333, 0x1074):
        found[f"prmt.b32 %r0, %r1, %r2, {selector};"] = lambda x, s=selector: _permuted(x[0], x[1], s)
    for kind in "rd":
        for position, length in ((0, 8), (8, 16), (16, 16), (24, 8), (8, 0)):
            field = ((1 << length) - 1) << position
            statement = f"bfi.b{BITS[kind]} %{kind}0, %{kind}1, %{kind}2, {position}, {length};"
            found[statement] = lambda x, f=field, p=position: (x[0] << p & f) | (x[1] & ~f)
    return found


def _careful() -> dict[str, Function]:
    """And those that may be told to know less: carries seldom go far, and a field is there as a whole or not at all."""
    found: dict[str, Function] = {
        "add.u32 %r0, %r1, %r2;": lambda x: x[0] + x[1],
        "sub.s64 %d0, %d1, %d2;": lambda x: x[0] - x[1],
        "mul.lo.u32 %r0, %r1, %r2;": lambda x: x[0] * x[1],
        "mad.lo.s32 %r0, %r1, %r2, %r3;": lambda x: x[0] * x[1] + x[2],
        "neg.s32 %r0, %r1;": lambda x: -x[0],
        "min.u16x2 %r0, %r1, %r2;": lambda x: sum(min(x[0] >> n & 0xFFFF, x[1] >> n & 0xFFFF) << n for n in (0, 16)),
        "add.u16x2 %r0, %r1, %r2;": lambda x: sum(((x[0] >> n) + (x[1] >> n) & 0xFFFF) << n for n in (0, 16)),
    }
    for position, length in ((0, 8), (3, 5), (8, 1), (7, 2), (20, 12), (31, 1), (0, 32)):
        mask = (1 << length) - 1
        found[f"bfe.u32 %r0, %r1, {position}, {length};"] = lambda x, p=position, m=mask: x[0] >> p & m
    return found


EXACT, CAREFUL = _exact(), _careful()


def _transfer(statement: str) -> tuple[Callable[[list[int]], int], list[int], int]:
    """How masks pass through a statement; the widths of its sources, and of its result. Constants are there as a whole."""
    text = f".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k() {{ {REGISTERS} {statement} ret; }}"
    instruction = next(iter(weft.parse(text).kernels[0].instructions()))
    site = Site(SimpleNamespace(deferred=False), instruction, SimpleNamespace())  # pyright: ignore[reportArgumentType]
    widths = [BITS[one.name[1]] for one in instruction.operands if isinstance(one, Register)]
    run, constants = transfer_of(site), len(instruction.operands) - len(widths)
    assert run is not None
    return (lambda masks: int(run([*masks, *[full(64)] * constants])) & full(widths[0])), widths[1:], widths[0]


def _changing(function: Function, widths: list[int], bits: int, masks: list[int], random_: random.Random) -> int:
    """The bytes of the result that other unwritten bytes change."""
    found = 0
    unwritten = [
        sum(0xFF << 8 * n for n in range(width // 8) if not mask >> n & 1)
        for width, mask in zip(widths, masks, strict=True)
    ]
    for _ in range(8):
        values = [random_.getrandbits(width) for width in widths]
        for _ in range(4):
            others = [v ^ random_.getrandbits(64) & u for v, u in zip(values, unwritten, strict=True)]
            changed = (function(values) ^ function(others)) & ((1 << bits) - 1)
            found |= sum(1 << n for n in range(bits // 8) if changed >> 8 * n & 0xFF)
    return found


_TWO = ("u16x2", "s16x2", "f16x2", "bf16x2")
PACKED = [
    *(f"{op}.{type_} %r0, %r1, %r2;" for op in ("min", "max", "add") for type_ in _TWO),
    *(f"{op}.{type_} %r0, %r1, %r2;" for op in ("sub", "mul") for type_ in _TWO[2:]),
    *(f"{op}.{type_} %r0, %r1;" for op in ("abs", "neg") for type_ in _TWO[2:]),
    *(f"fma.rn.{type_} %r0, %r1, %r2, %r3;" for type_ in _TWO[2:]),
    *(
        f"{op} %r0, %r1;"
        for op in ("ex2.approx.f16x2", "ex2.approx.ftz.bf16x2", "tanh.approx.f16x2", "tanh.approx.bf16x2")
    ),
    *(f"set.lt.{type_}.{type_} %r0, %r1, %r2;" for type_ in _TWO[2:]),
    *(f"{op}.rn.f32x2 %d0, %d1, %d2;" for op in ("add", "sub", "mul")),
    "fma.rn.f32x2 %d0, %d1, %d2, %d3;",
]
"""What computes with the elements of a register, each by itself."""


@pytest.mark.parametrize("size", [2, 4])
def test_elements_are_written_that_have_all_their_sources(size: int) -> None:
    random_ = random.Random(size)
    statements = [one for one in PACKED if ("%d" in one) == (size == 4)]
    for statement in statements:
        transfer, widths, bits = _transfer(statement)
        part = full(8 * size)
        for _ in range(12):
            masks = [random_.getrandbits(8) | random_.choice((0, part, part << size)) for _ in widths]
            masks = [mask & full(bits) for mask in masks]
            there = [at for at in range(0, bits // 8, size) if all(mask >> at & part == part for mask in masks)]
            assert transfer(masks) == sum(part << at for at in there), (statement, masks)


@pytest.mark.parametrize(
    "statement",
    ["mul.hi.u32 %r0, %r1, %r2;", "mad.hi.s32 %r0, %r1, %r2, %r3;", "mul.wide.u32 %d0, %r1, %r2;", "add.sat.s32 %r0, %r1, %r2;",
     "sub.sat.s32 %r0, %r1, %r2;", "abs.s32 %r0, %r1;", "min.u32 %r0, %r1, %r2;", "add.rn.f32 %r0, %r1, %r2;", "popc.b32 %r0, %r1;",
     "shl.b32 %r0, %r1, %r2;", "shr.u32 %r0, %r1, %r2;", "prmt.b32.f4e %r0, %r1, %r2, 1;", "prmt.b32 %r0, %r1, %r2, %r3;",
     "bfe.u32 %r0, %r1, %r2, 4;", "bfe.u32 %r0, %r1, 4, %r2;", "bfi.b32 %r0, %r1, %r2, 4, 8;", "bfi.b32 %r0, %r1, %r2, 8, 4;",
     "bfi.b32 %r0, %r1, %r2, %r3, 8;", "cvt.sat.u8.s32 %r0, %r1;", "cvt.rn.f32.u32 %r0, %r1;", "cvt.rzi.u32.f32 %r0, %r1;",
     "and.pred %p, %p, %p;", "not.pred %p, %p;", "cvt.rn.satfinite.e4m3x2.f16x2 %h0, %r1;"],
)  # fmt: skip
def test_what_needs_its_sources_whole(statement: str) -> None:
    """Of the result nothing is known where any byte of a source is missing."""
    text = f".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k() {{ {REGISTERS} {statement} ret; }}"
    instruction = next(iter(weft.parse(text).kernels[0].instructions()))
    site = Site(SimpleNamespace(deferred=False), instruction, SimpleNamespace())  # pyright: ignore[reportArgumentType]
    assert transfer_of(site) is None


@pytest.mark.parametrize("exact", [True, False])
def test_bytes_that_nothing_unwritten_changes_are_written(exact: bool) -> None:
    random_ = random.Random(3)
    for statement, function in (EXACT if exact else CAREFUL).items():
        transfer, widths, bits = _transfer(statement)
        for _ in range(12):
            masks = [random_.getrandbits(8) & full(width) for width in widths]
            if random_.random() < 0.3:
                masks = [full(width) for width in widths]
                masks[random_.randrange(len(masks))] ^= 1 << random_.randrange(widths[0] // 8)
                masks = [mask & full(width) for mask, width in zip(masks, widths, strict=True)]
            written = transfer(masks)
            changing = _changing(function, widths, bits, masks, random_)
            assert not written & changing, (statement, masks, bin(written), bin(changing))
            assert not exact or written | changing == full(bits), (statement, masks, bin(written), bin(changing))
        assert transfer([full(width) for width in widths]) == full(bits), statement
