"""Faults of tile kernels name lines of Python: that of the instruction, and that of the other access of a race."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import weft
from weft.sim import KernelFault
from weft.tile import Global, f32, shared, sync, thread_id


@weft.kernel(threads=64, grid=1)
def turned(x: Global(f32, 64), y: Global(f32, 64), *, ordered: bool = False):  # pyright: ignore
    s = shared((64,), f32)
    t = thread_id()
    s[t] = x[t]  # stored
    if ordered:
        sync()
    y[t] = s[63 - t]  # loaded


@weft.kernel(threads=64, grid=1)
def beyond(x: Global(f32, 64), y: Global(f32, 64)):  # pyright: ignore
    t = thread_id()
    y[t + 1] = x[t]  # beyond


def line_of(mark: str) -> int:
    lines = inspect.getsource(inspect.getmodule(line_of)).splitlines()  # pyright: ignore
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"# {mark}"))


def arrays() -> tuple[np.ndarray[tuple[int], np.dtype[np.float32]], ...]:
    return np.ones(64, np.float32), np.zeros(64, np.float32)


def test_a_race_has_both_lines() -> None:
    turned.run(*arrays(), options={"ordered": True})
    with pytest.raises(KernelFault) as caught:
        turned.run(*arrays())
    fault = caught.value
    assert fault.kind == "race"
    assert fault.position.file == __file__
    assert fault.position.line == line_of("loaded")
    assert "y[t] = s[63 - t]" in str(fault)
    assert fault.other_origin is not None
    assert fault.other_origin.line == line_of("stored")
    assert fault.other_value == 0x3F80_0000
    assert "this access reads 0x3f800000" in fault.hint


def test_faults_that_end_a_run_have_a_line() -> None:
    with pytest.raises(KernelFault, match="out") as caught:
        beyond.run(*arrays())
    assert caught.value.position.line == line_of("beyond")


def test_faults_of_compiled_modules_name_the_source_of_loc() -> None:
    text = turned.module("sm_80").to_ptx()
    assert ".loc" not in text
    module = weft.parse(
        """.version 8.0
.target sm_80
.address_size 64
.file 1 "kernel.py"
.visible .entry k(.param .u64 a)
{
  .reg .b64 %d; .reg .b32 %t;
  ld.param.u64 %d, [a]; mov.u32 %t, %ctaid.x;
  .loc 1 7 3
  st.global.u32 [%d], %t;
  ret;
}
"""
    )
    with pytest.raises(KernelFault) as caught:
        weft.run(module, "k", 2, 32, [np.zeros(1, np.uint32)])
    fault = caught.value
    assert fault.position.line == 10
    assert fault.origin is not None
    assert (fault.origin.file, fault.origin.line, fault.origin.column) == ("kernel.py", 7, 3)
    assert "compiled from kernel.py:7:3" in fault.hint
    assert (fault.value, fault.other_value) == (0, 1)
