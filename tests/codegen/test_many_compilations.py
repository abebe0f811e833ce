"""A process that compiles many modules: the last one is compiled as the first was."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from weft.codegen import compile_module

TEXT = """
gpu.module @m {{
  memref.global "private" @s{n} : memref<4xf32, #gpu.address_space<workgroup>>
  gpu.func @k{n}(%a: memref<32xf32>) kernel {{
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<32xf32>
    %c = arith.constant {n}.0 : f32
    %r = arith.addf %v, %c : f32
    memref.store %r, %a[%i] : memref<32xf32>
    gpu.return
  }}
}}
"""


def deepest(n: int) -> int:
    """How deep the stack gets in one compilation."""
    depth = most = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal depth, most
        depth += (event == "call") - (event == "return")
        most = max(most, depth)

    text = TEXT.format(n=n)
    sys.setprofile(count)
    try:
        compile_module(text, "sm_80")
    finally:
        sys.setprofile(None)
    return most


def test_the_stack_does_not_grow() -> None:
    """What a compilation wraps (xDSL's methods) it wraps once in a process, not once more each time."""
    deepest(0)
    before = deepest(10_001)  # Numbers that no other test has had read, which goes deeper than looking them up.
    for n in range(10_002, 10_012):
        compile_module(TEXT.format(n=n), "sm_80")
    assert deepest(10_012) <= before


@pytest.mark.slow
def test_eleven_hundred_modules() -> None:
    for n in range(1100):
        module = compile_module(TEXT.format(n=n), ("sm_80", "sm_90a", "sm_100a")[n % 3])
        assert [kernel.name for kernel in module.kernels] == [f"k{n}"]
