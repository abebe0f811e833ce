"""Products of matrices in registers as code: each dense form of the table does what it does in NumPy."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tests.sim.harness import INDEX, Array, kernel
from tests.sim.tiers import counted
from weft.isa import decode
from weft.isa.fragments import fragment
from weft.isa.types import TYPES
from weft.sim import run

HEAD = ".reg .b32 %x<24>; .reg .b32 %y<24>; .reg .b64 %rd<4>; .reg .b32 %r<110>;"
LANES = 32


FLOATS = {
    "m16n8k4": ("f32.tf32.tf32.f32",),
    "m16n8k8": ("f32.tf32.tf32.f32", "f32.bf16.bf16.f32", "f32.f16.f16.f32", "f16.f16.f16.f16"),
    "m16n8k16": ("f32.bf16.bf16.f32", "f32.f16.f16.f32", "f16.f16.f16.f16"),
    "m16n8k32": tuple(f"{d}.{a}.{b}.{d}" for d in ("f32", "f16") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")),
}
PRODUCTS = [f"mma.sync.aligned.{shape}.row.col.{types}" for shape, each in FLOATS.items() for types in each] + [
    f"mma.sync.aligned.{shape}.row.col{clamp}.s32.{a}.{b}.s32"
    for shape in ("m8n8k16", "m16n8k16", "m16n8k32")
    for clamp in ("", ".satfinite")
    for a in ("u8", "s8")
    for b in ("u8", "s8")
]


def statement(text: str, registers: dict[str, int], into: str) -> str:
    """`d, a, b, c` from the registers `%x0` on."""
    names, first = dict[str, list[str]](), 0
    for name in "abc":
        names[name] = [f"%x{first + n}" for n in range(registers[name])]
        first += registers[name]
    listed = ([f"{into}{n}" for n in range(registers["d"])], names["a"], names["b"], names["c"])
    return f"{text} {', '.join('{' + ', '.join(one) + '}' for one in listed)};"


def operands(text: str, registers: dict[str, int]) -> Array:
    """Registers of a warp: elements of all kinds in A, B and C, of floats no infinities but in few lanes."""
    rng = np.random.default_rng(zlib.crc32(text.encode()))
    opcode = decode(text)
    parts: list[Array] = []
    for name in "abc":
        type_ = TYPES[opcode.get(f"{name}type")]
        words = rng.integers(0, 1 << 32, (registers[name], LANES), dtype=np.uint32)
        if (type_.kind == "f" and type_.bits == 32) or str(type_.name) == "tf32":
            words = (rng.uniform(-8, 8, words.shape)).astype(np.float32).view(np.uint32)
        elif type_.bits == 16:
            halves = rng.uniform(-8, 8, (*words.shape, 2)).astype(np.float32)
            narrow = halves.view(np.uint32) >> 16 if type_.name == "bf16" else halves.astype(np.float16).view(np.uint16)
            words = np.ascontiguousarray(narrow.astype(np.uint16)).view(np.uint32)[..., 0]
        elif name == "c":
            words[:, ::2] = rng.choice([0x7FFF_FFF0, 0x8000_0003, 5], words[:, ::2].shape)
        parts.append(words)
    return np.concatenate(parts)


def multiplied(text: str, given: Array, **options: Any) -> Array:
    """The words of D that a warp computes from its registers of A, B and C."""
    registers = {name: fragment(decode(text), name).registers for name in "abcd"}
    loads = "".join(f"ld.global.b32 %x{n}, [%rd1+{4 * LANES * n}];" for n in range(len(given)))
    puts = "".join(f"st.global.b32 [%rd2+{4 * LANES * n}], %y{n};" for n in range(registers["d"]))
    body = f"""{HEAD} {INDEX} ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd1, %r0, 4, %rd1;
    mad.wide.u32 %rd2, %r0, 4, %rd2; {loads} {statement(text, registers, "%y")} {puts} ret;"""
    out: Any = np.zeros((registers["d"], LANES), np.uint32)
    run(kernel(body, ["u64", "u64"], "sm_90"), "k", 1, LANES, [given.copy(), out], check="fast", **options)
    return out


def test_products_are_rounded_as_asked_for() -> None:
    """Once, or as tensor cores do it."""
    text = PRODUCTS[3]
    given = operands(text, {name: fragment(decode(text), name).registers for name in "abc"})
    exact, *hardware = (
        multiplied(text, given, engine=engine, mma=mma)
        for mma, engine in (("exact", "native"), ("hardware", "native"), ("hardware", "numpy"))
    )
    assert (hardware[0] == hardware[1]).all()
    assert (hardware[0] != exact).any()


@pytest.mark.sample(2)
@pytest.mark.parametrize("text", PRODUCTS)
def test_dense_products_are_those_of_numpy(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All words of D; without leaving code but for narrow floats, and sums of halves."""
    calls = counted(monkeypatch)
    given = operands(text, {name: fragment(decode(text), name).registers for name in "abc"})
    numpy, native = (multiplied(text, given, engine=engine) for engine in ("numpy", "native"))
    assert (numpy == native).all()
    assert numpy.any()
    assert len(calls) == (2 if ".e4m3" in text or ".e5m2" in text or ".f16.f16.f16.f16" in text else 1)
