"""Which bytes of a result are written, against what the instruction computes: those that no unwritten byte changes."""

from __future__ import annotations

import random
from collections import defaultdict
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import weft
from tests.sim.harness import HEADER, REGISTERS
from weft.ptx.operands import Integer
from weft.ptx.signature import bind
from weft.sim import partial, semantics
from weft.sim.types import DTYPES

semantics.load_all()
TRIES = 24
_BY = (0, 1, 8, 12, 16, 23, 24, 31, 32, 40)
_MASKS = ("255", "0xff00", "0x00ff00ff", "0xffff0000", "0xf0f0f0f0", "-1", "0")
EXACT = [
    *(f"{op}.{type_} r, r, {by};" for op, type_ in (("shl", "b32"), ("shr", "u32"), ("shr", "s32")) for by in _BY),
    *(f"{op}.{type_} d, d, {by};" for op, type_ in (("shl", "b64"), ("shr", "u64"), ("shr", "s64")) for by in (8, 33, 48, 63, 64)),
    *(f"{op}.{type_} h, h, {by};" for op, type_ in (("shl", "b16"), ("shr", "u16"), ("shr", "s16")) for by in (0, 3, 8, 15, 16)),
    *(f"{op}.b32 r, r, {mask};" for op in ("and", "or", "xor") for mask in _MASKS),
    *(f"{op}.b64 d, d, 0xff0000ffff00ff00;" for op in ("and", "or", "xor")),
    *(f"{op}.b16 h, h, 0xff00;" for op in ("and", "or", "xor")),
    *(f"{op}.b32 r, 0x00ff00ff, r;" for op in ("and", "or")),
    *(f"{op}.b32 r, r, r;" for op in ("xor", "and", "or")),
    *(f"prmt.b32 r, r, r, {selector};" for selector in ("0x3210", "0x7654", "0x5140", "0x6271", "0x8888", "0xb3c4", "0x0fe1")),
    "cvt.u32.u16 r, h;", "cvt.s32.s16 r, h;", "cvt.u64.u32 d, r;", "cvt.s64.s32 d, r;", "cvt.u16.u32 h, r;", "cvt.s64.s16 d, h;",
    "cvt.u32.u64 r, d;", "cvt.u32.u8 r, r;", "cvt.s32.s8 r, r;", "cvt.u64.s16 d, h;", "cvt.s16.u64 h, d;",
    *(f"bfi.b32 r, r, r, {at}, {size};" for at, size in ((0, 8), (8, 16), (16, 16), (24, 8), (0, 32), (8, 0), (16, 24))),
    "bfi.b64 d, d, d, 24, 16;",
    "add.u32 r, r, r;", "sub.s32 r, r, r;", "mul.lo.u32 r, r, r;", "mad.lo.s32 r, r, r, r;", "neg.s32 r, r;",
    "add.s16 h, h, h;", "not.b32 r, r;", "not.b16 h, h;", "lop3.b32 r, r, r, r, 0x96;",
]  # fmt: skip
"""Instructions whose results have just the bytes that are written; `r`, `h`, `d` stand for registers."""
SAFE = [
    *(f"bfe.{type_} r, r, {at}, {size};" for type_ in ("u32", "s32") for at, size in ((0, 8), (8, 8), (4, 8), (12, 12), (0, 32), (16, 0), (31, 9))),
    "bfe.u64 d, d, 20, 30;", "add.u64 d, d, d;", "lop3.b32 r, r, r, r, 0xca;", "add.u16x2 r, r, r;", "min.s16x2 r, r, r;", "max.u16x2 r, r, r;",
    "add.rn.f16x2 r, r, r;", "fma.rn.f16x2 r, r, r, r;", "neg.f16x2 r, r;", "cvt.rn.f16x2.f32 r, r, r;", "cvt.rn.bf16x2.f32 r, r, r;",
    "add.rn.f32x2 d, d, d;", "mul.rn.f32x2 d, d, d;",
]  # fmt: skip
"""Those of which fewer may be said to be written."""
WHOLE = [
    "add.sat.s32 r, r, r;", "mul.hi.u32 r, r, r;", "mad.hi.u32 r, r, r, r;", "prmt.b32 r, r, r, r;", "shl.b32 r, r, r;", "shr.u32 r, r, r;",
    "prmt.b32.f4e r, r, r, 1;", "bfe.u32 r, r, r, 8;", "bfe.u32 r, r, 8, r;", "bfi.b32 r, r, r, 4, 8;", "bfi.b32 r, r, r, 8, 4;",
    "bfi.b32 r, r, r, r, 8;", "cvt.sat.u16.u32 h, r;", "cvt.rn.f32.u32 r, r;", "cvt.rzi.u32.f32 r, r;", "min.u32 r, r, r;", "popc.b32 r, r;",
    "mul.wide.u32 d, r, r;", "add.f32 r, r, r;", "mad.wide.u16 r, h, h, r;",
]  # fmt: skip
"""Those that need all that they read."""


def parsed(text: str) -> Any:
    """An instruction with registers of its own for each operand."""
    names = {"r": "%r", "h": "%rs", "d": "%rd"}
    opcode, _, rest = text.rstrip(";").partition(" ")
    operands = [f"{names[one]}{number}" if one in names else one for number, one in enumerate(rest.split(", "))]
    if ".f32" in opcode and "x2" not in opcode:
        operands = [one.replace("%r", "%f") for one in operands]
    body = f".entry k()\n{{\n{REGISTERS}\n{opcode} {', '.join(operands)};\nret;\n}}\n"
    return next(iter(weft.parse(HEADER.format(target="sm_100a") + body).functions[0].instructions()))


def transfer(instruction: Any) -> Any:
    """How masks pass through it."""
    slots = defaultdict(str, dict(instruction.opcode.slots))
    site = SimpleNamespace(opcode=instruction.opcode, operands=instruction.operands, slots=lambda: slots)
    return partial.transfer_of(cast(Any, site))


def sizes(text: str) -> list[int]:
    """The bytes of the operands that are registers."""
    return [{"r": 4, "h": 2, "d": 8}.get(one, 0) for one in text.rstrip(";").partition(" ")[2].split(", ")]


def computed(instruction: Any, types: list[str], words: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    slots = defaultdict(str, dict(instruction.opcode.slots))
    sources: list[Any] = []
    for operand, type_ in zip(instruction.operands[1:], types, strict=True):
        if isinstance(operand, Integer):
            dtype = DTYPES[type_]
            sources.append(np.array(operand.value & (1 << 8 * dtype.itemsize) - 1, f"u{dtype.itemsize}").view(dtype))
        else:
            word = words.pop(0)
            dtype = DTYPES[type_]
            sources.append(np.ascontiguousarray(word[:, : dtype.itemsize]).view(dtype).reshape(-1))
    with np.errstate(all="ignore"):
        return np.asarray(semantics.ALU[instruction.opcode.stem](cast(Any, slots))(*sources))


def reads(instruction: Any) -> list[str]:
    """The types of what an instruction reads, by its form."""
    return [str(one.type) for one in bind(instruction) if one.spec.arg.access == "r"]


@pytest.mark.sample(15)
@pytest.mark.parametrize("text", [*EXACT, *SAFE])
def test_bytes_that_nothing_unwritten_changes(text: str) -> None:
    instruction = parsed(text)
    passes = transfer(instruction)
    assert passes is not None
    target, *sources = sizes(text)
    given = [size for size in sources if size]
    rng, data = random.Random(text), np.random.default_rng(5)
    types = reads(instruction)
    for _ in range(6):
        masks = [rng.choice([(1 << size) - 1, rng.randrange(1 << size), rng.randrange(1 << size)]) for size in given]
        stable = (1 << target) - 1
        for _ in range(2):
            # Many times the same bytes where they are written; zeros and ones make carries run far.
            words = [np.repeat(telling(data, (TRIES, size)), TRIES, axis=0) for size in given]
            for word, mask, size in zip(words, masks, given, strict=True):
                for byte in range(size):
                    if not mask >> byte & 1:
                        word[:, byte] = telling(data, (len(word),))
            found = computed(instruction, types, list(words))
            out = np.ascontiguousarray(found).view(np.uint8).reshape(TRIES, TRIES, -1)[:, :, :target]
            same = (out == out[:, :1]).all(axis=(0, 1))
            stable &= sum(1 << byte for byte in range(len(same)) if same[byte]) | -1 << len(same)
        told = int(passes([np.int64(mask) for mask in _padded(masks, sources)])) & (1 << target) - 1
        assert told & ~stable == 0, (masks, told, stable)
        assert text in SAFE or told == stable, (masks, told, stable)
    assert int(passes([np.int64((1 << (size or 8)) - 1) for size in sources])) & (1 << target) - 1 == (1 << target) - 1


def telling(data: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    found = data.integers(0, 256, shape, np.uint8)
    kind = data.integers(0, 4, shape)
    return np.where(kind == 0, 0, np.where(kind == 1, 255, found)).astype(np.uint8)


def _padded(masks: list[int], sources: list[int]) -> list[int]:
    """Masks of all operands: numbers are written."""
    rest = list(masks)
    return [rest.pop(0) if size else 0xFF for size in sources]


@pytest.mark.parametrize("text", WHOLE)
def test_what_needs_all_that_it_reads(text: str) -> None:
    assert transfer(parsed(text)) is None
