"""Addresses of copies: which bits a thread's part can have, and how wide accesses are at offsets that a kernel computes."""

from __future__ import annotations

import re
from random import Random

import pytest

import weft
from weft.layout import SwizzleLayout
from weft.mlir import parse_mlir
from weft.transforms.copy_dispatch.plan import Digit, Sum
from weft.transforms.tile_lowering import lower_module
from weft.transforms.tile_lowering.copy_addresses import _field, possible_bits

THREADS = 256
EVERYTHING = (1 << 32) - 1


def found_bits(sum: Sum, threads: int = THREADS) -> int:
    """The bits that the sum has in some thread."""
    bits = 0
    for thread in range(threads):
        bits |= sum.value(thread)
    return bits


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(30))
def test_bits_of_a_sum(seed: int) -> None:
    """All that some thread has are possible."""
    random = Random(seed)
    for _ in range(40):
        terms = tuple(
            (
                random.choice([0, 1, 2, 3, 4, 8, 12, 24, 64, 256]),
                Digit(
                    random.choice(["laneid", "tx", "warpid", "tid_in_wg", "wid_in_wg", "wgid"]),
                    random.choice([1, 2, 4, 8, 3]),
                    random.choice([0, 2, 4, 8, 3]),
                ),
            )
            for _ in range(random.randint(0, 3))
        )
        sum = Sum(terms, random.choice([0, 0, 1, 8, 9, 512]))
        assert found_bits(sum) & ~possible_bits(sum, THREADS) == 0, sum


def digit(source: str, divide: int = 1, modulus: int = 0) -> Digit:
    return Digit(source, divide, modulus)


@pytest.mark.parametrize(
    ("terms", "constant", "bits"),
    [
        ((), 0, 0),
        ((), 12, 12),
        (((8, digit("laneid")),), 0, 0xF8),
        (((8, digit("laneid", 1, 4)),), 0, 0x18),
        (((8, digit("laneid", 4)),), 0, 0x38),
        (((1, digit("tx")),), 0, 0xFF),
        (((1, digit("tx", 3)),), 0, 0x7F),
        (((1, digit("warpid")),), 0, 7),
        (((16, digit("wgid")),), 0, 16),
        (((2, digit("wid_in_wg")),), 0, 6),
        (((1, digit("tid_in_wg")),), 0, 0x7F),
        (((64, digit("laneid", 8)), (2, digit("laneid", 1, 8))), 0, 0xCE),
        (((64, digit("laneid", 8)), (2, digit("laneid", 1, 8))), 1, 0xCF),
        (((0, digit("tx")),), 0, 0),
        (((5, digit("wgid", 2)),), 0, 0),
        (((12, digit("laneid", 1, 2)),), 0, 12),
        (((-1, digit("laneid")),), 0, EVERYTHING),
        (((-1, digit("wgid", 2)),), 0, 0),
        (((1, Digit(Sum(((1, digit("tx")),), 3))),), 0, (1 << 31) - 1),
        (((1, Digit(Sum(((1, digit("tx")),), 3), 1, 8)),), 0, 7),
        # Two terms that can set a bit can carry into all above it.
        (((4, digit("laneid", 1, 4)), (8, digit("laneid", 4, 2))), 0, EVERYTHING & ~3),
        (((4, digit("laneid", 1, 4)),), 8, EVERYTHING & ~3),
    ],
)
def test_bits_of_simple_sums(terms: tuple[tuple[int, Digit], ...], constant: int, bits: int) -> None:
    assert possible_bits(Sum(terms, constant), THREADS) == bits


@pytest.mark.parametrize("inner", [False, True])
@pytest.mark.parametrize(("element", "length", "atom"), [(3, 3, 3), (3, 1, 3), (0, 2, 4), (2, 2, 2)])
def test_bits_that_a_swizzle_changes(element: int, length: int, atom: int, inner: bool) -> None:
    swizzle = SwizzleLayout(element, length, atom, inner)
    changed = 0
    for place in range(1 << 12):
        changed |= place ^ swizzle.place(place)
    assert _field(swizzle) == changed


# -- offsets that a kernel computes -------------------------------------------------------------------------------

ANY = "-9223372036854775808"


def access(row: int | str, offsets: str, divisors: str, space: str, stride: int = 1) -> int:
    """The bytes of an access to 32 x 8 elements of f16 in a buffer of such rows, from an offset on."""
    rows = f"(1@ld,1)" if row == "ld" else f"({row},1)"  # noqa: F541
    whole = f'!tile.buffer<64x64xf16, "{space}", #tile.layout<"S[(64,64):{rows}]">>'
    part = f'!tile.buffer<32x8xf16, "{space}", #tile.layout<"S[(32,8):{rows}]">>'
    own = '!tile.buffer<32x8xf16, "local", #tile.layout<"S[(32,8):(1@laneid,1)]">>'
    axes = f'axes = ["ld"], divisors = array<i64: {stride}>' if row == "ld" else "axes = [], divisors = array<i64>"
    number = 3 if space == "shared" else 1
    view = f"tile.view %p {'strides [%ld : i32] ' if row == 'ld' else ''}{{{axes}, alignment = 16 : i64}}"
    known = f", divisors = array<i64: {divisors}>" if divisors else ""
    dynamic = ", ".join("%i" for word in offsets.split(", ") if word == ANY)
    types = ", ".join("i32" for word in offsets.split(", ") if word == ANY)
    module = parse_mlir(f"""
    gpu.module @m {{
      gpu.func @k(%p: !llvm.ptr<{number}>, %q: !llvm.ptr<1>, %i: i32, %ld: i32) kernel
          attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
        %s = {view} : !llvm.ptr<{number}> -> {whole}
        %v = tile.subview %s[{dynamic} : {types}] {{static_offsets = array<i64: {offsets}>, sizes = array<i64: 32, 8>{known}}}
          : {whole} -> {part}
        %r = tile.alloc : {own}
        tile.copy %r, %v {{scope = "warp"}} : {own}, {part}
        %o = tile.view %q {{axes = [], divisors = array<i64>, alignment = 16 : i64}} : !llvm.ptr<1> -> {part.replace(space, "global").replace(rows, "(8,1)")}
        tile.copy %o, %r {{scope = "warp"}} : {part.replace(space, "global").replace(rows, "(8,1)")}, {own}
        gpu.return
      }}
    }}""")
    lower_module(module, "sm_80")
    found = re.findall(rf"ld\.{space}\.(?:v(\d)\.)?[bu](\d+)", weft.compile(module, target="sm_80").to_ptx())
    (width,) = {int(count or 1) * int(bits) // 8 for count, bits in found}
    return width


@pytest.mark.sample(9)
@pytest.mark.parametrize("space", ["shared", "global"])
@pytest.mark.parametrize(
    ("row", "offsets", "divisors", "stride", "width"),
    [
        (64, f"0, {ANY}", "", 1, 2),
        (64, f"0, {ANY}", "1", 1, 2),
        (64, f"0, {ANY}", "2", 1, 4),
        (64, f"0, {ANY}", "4", 1, 8),
        (64, f"0, {ANY}", "8", 1, 16),
        (64, f"0, {ANY}", "24", 1, 16),
        (64, f"0, {ANY}", "6", 1, 4),
        (64, f"{ANY}, 0", "", 1, 16),
        (68, f"{ANY}, 0", "", 1, 8),
        (68, f"{ANY}, 0", "2", 1, 8),
        (66, f"{ANY}, 0", "", 1, 4),
        (67, f"{ANY}, 0", "", 1, 2),
        (64, f"{ANY}, {ANY}", "1, 4", 1, 8),
        ("ld", f"{ANY}, 0", "", 1, 2),
        ("ld", f"{ANY}, 0", "", 4, 8),
        ("ld", f"{ANY}, 0", "4", 2, 4),
        ("ld", f"{ANY}, {ANY}", "1, 2", 8, 4),
        ("ld", f"{ANY}, 0", "", 8, 16),
    ],
)
def test_accesses_are_as_wide_as_offsets_are_known_to_allow(
    row: int | str, offsets: str, divisors: str, stride: int, width: int, space: str
) -> None:
    assert access(row, offsets, divisors, space, stride) == width
