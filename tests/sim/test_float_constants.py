"""Floating-point constants are the words that ptxas writes: initial values asked of it, operands by the same rule."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import weft
from tests.sim.harness import kernel
from weft.sim import image, run
from weft.toolchain import Tool

FLOATS = [
    "0.1",
    "1.5",
    "-2.5",
    "3.4e38",
    "1e300",
    "1e-40",
    "16777217.0",
    "123456789.123",
    "0f3F800001",
    "0f7FC00001",
    "0f00000001",
    "0f80000000",
    "0d3FF0000000000001",
    "0d7FF8000000000001",
    "0dFFF0000000000000",
    "1.0/3.0",
    "1.0+2.5",
    "-(1.5)",
    "0.1*0.1",
]
WIDTHS = {"f32": 4, "f64": 8, "b8": 1, "b16": 2, "b32": 4, "b64": 8}


@pytest.mark.parametrize("type_", WIDTHS)
def test_initial_values(ptxas: Tool, type_: str) -> None:
    """Untyped variables take floats as well: those of 32 bits as .f32, others as the low bits of the .f64."""
    head = ".version 8.0\n.target sm_80\n.address_size 64\n"
    mark = 0x1122334455667788
    values = ", ".join(FLOATS)
    text = f"{head}.visible .global .{type_} g[{len(FLOATS)}] = {{{values}}};\n"
    module = weft.parse(f"{text}.visible .global .u64 mark = {mark};\n.visible .entry k() {{ ret; }}\n")
    assert not weft.verify(module)
    data = weft.assemble(module).data
    assert struct.pack("<Q", mark) in data
    (variable,) = (one for one in module.variables if one.name == "g")
    assert bytes(image.initial_bytes(variable, lambda name: 0)) in data


@pytest.mark.sample(5)
@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize(
    ("type_", "text", "word"),
    [
        ("f32", "0d3FF8000000000001", 0x3FC00000),
        ("f32", "1e300", 0x7F800000),
        ("b32", "0fC0200000", 0xC0200000),
        ("b64", "1.0+2.5", 0x400C000000000000),
        ("b64", "-2.5", 0xC004000000000000),
        ("f64", "0f3F800001", 0x3F800001),
        ("f64", "0d7FF8000000000001", 0x7FF8000000000001),
        ("f32", "0F3F800001", 0x3F800001),
        ("f64", "0D7FF8000000000001", 0x7FF8000000000001),
    ],
)
def test_operands(type_: str, text: str, word: int, engine: str) -> None:
    """`0f...` stands for its own bits, also where 64 are wanted, of which the verifier warns."""
    bits = type_[1:]
    body = f".reg .b64 p; .reg .{type_} c; ld.param.u64 p, [p0]; mov.{type_} c, {text};"
    made = kernel(f"{body} st.global.b{bits} [p], c; st.global.{type_} [p+8], {text};", ["u64"])
    short = type_ == "f64" and text.startswith("0f")
    assert [one.code for one in weft.verify(made)] == ["tolerated"] * 2 * short
    out = np.zeros(2, np.uint64)
    run(made, "k", 1, 1, [out], engine=engine)
    assert out.tolist() == [word, word]
