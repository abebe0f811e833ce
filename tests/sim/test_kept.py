"""Launching again: kernels stay bound, and a launch leaves nothing behind for the next one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, REGISTERS, kernel
from tests.sim.hazards.case import Kernel
from tests.sim.hazards.corpus import KERNELS
from weft.isa import decode
from weft.ptx.operands import Integer
from weft.sim import KernelFault, kept
from weft.sim.program import Program

SUM = kernel(
    REGISTERS + INDEX + "ld.param.u64 %rd1, [p0]; ld.param.u32 %r5, [p1]; mad.wide.u32 %rd2, %r0, 4, %rd1;"
    "ld.global.u32 %r1, [%rd2]; add.u32 %r1, %r1, %r5; add.u32 %r1, %r1, 1; st.global.u32 [%rd2], %r1; ret;",
    ["u64", "u32"],
)


@pytest.fixture
def bound(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kernels that are bound from here on."""
    names: list[str] = []
    make = Program.__init__

    def noted(self: Program, module: Any, function: Any, *rest: Any) -> None:
        names.append(function.name)
        make(self, module, function, *rest)

    monkeypatch.setattr(Program, "__init__", noted)
    return names


def add(more: int, count: int = 64, module: Any = SUM, **options: Any) -> int:
    data = np.arange(count, dtype=np.uint32)
    result = weft.run(module, "k", 1, count, [data, more], **options)
    assert result.thread_instructions == count * 12
    assert result.bytes_stored["global"] == 4 * count
    assert (data - np.arange(count) == data[0]).all()
    return int(data[0])


def test_the_same_launch_is_bound_once(bound: list[str]) -> None:
    module = weft.parse(SUM.to_ptx())
    assert [add(more, module=module) for more in (1, 7, 30)] == [2, 8, 31]
    assert len(bound) == 1
    assert add(1, 32, module) == 2
    assert add(1, module=module, check="fast") == 2
    assert add(1, module=module, async_="random", seed=3) == 2
    assert add(1, module=module, async_="random", seed=4) == 2
    assert len(bound) == 4
    assert weft.run(module, "k", 1, 64, [np.zeros(64, np.uint32), 1], counters=True).counters is not None
    assert add(2, module=module) == 3


def test_what_was_changed_is_bound_again() -> None:
    module = weft.parse(SUM.to_ptx())
    assert add(0, module=module) == 1
    increment = [i for i in module.kernels[0].instructions() if i.opcode.stem == "add"][-1]
    increment.operands = (*increment.operands[:2], Integer(9))
    assert add(0, module=module) == 9
    increment.opcode = decode("sub.u32")
    data = np.full(64, 20, np.uint32)
    weft.run(module, "k", 1, 64, [data, 0])
    assert (data == 11).all()


def test_variables_and_registers_begin_anew() -> None:
    text = """.version 8.0\n.target sm_80\n.address_size 64\n.global .u32 count = 5; .global .u32 zero;
    .visible .entry k(.param .u64 out) { .reg .b64 %o; .reg .b32 %r<4>; ld.param.u64 %o, [out]; mov.u64 %o, %o;
    atom.global.add.u32 %r1, [count], 1; atom.global.add.u32 %r2, [zero], 1; add.u32 %r1, %r1, %r2; st.global.u32 [%o], %r1; ret; }"""
    module = weft.parse(text)
    for _ in range(3):
        out = np.zeros(1, np.uint32)
        weft.run(module, "k", 1, 1, [out])
        assert out[0] == 5


@pytest.mark.sample(5)
@pytest.mark.parametrize("case", [k for k in KERNELS if k.name != "last block"], ids=lambda k: k.name)
def test_right_kernels_run_twice(case: Kernel) -> None:
    module = weft.parse(case.text)
    for _ in range(2):
        arguments = case.inputs()
        weft.run(module, "k", case.grid, case.block, arguments, cluster=case.cluster, shared_bytes=case.shared_bytes)
        assert case.correct(arguments)


def test_a_fault_comes_again() -> None:
    body = REGISTERS + INDEX + ".shared .align 4 .b8 s[512]; mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 4, %r1;"
    body += "st.shared.u32 [%r2], %r0; xor.b32 %r3, %r2, 256; ld.shared.u32 %r4, [%r3]; ret;"
    module = kernel(body, [])
    for _ in range(3):
        with pytest.raises(KernelFault) as caught:
            weft.run(module, "k", 1, 128, [])
        assert caught.value.kind in ("race", "uninitialised-memory")


def test_what_is_kept_has_room_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kernel counts with its memory: one that has too much alone is not kept, and the oldest goes for others."""
    monkeypatch.setattr(kept, "_KEPT", found := type(kept._KEPT)())
    modules = [weft.parse(SUM.to_ptx()) for _ in range(4)]
    add(1, module=modules[0])
    (size,) = {kept.held(bound) for bound in found.values()}
    assert [bound.size for bound in found.values()] == [size] and size > 64 * 4
    for most, count in ((size - 1, 0), (size, 1), (2 * size, 2), (3 * size - 1, 2)):
        found.clear()
        monkeypatch.setattr(kept, "MOST_BYTES", most)
        for module in modules:
            add(1, module=module)
        assert [bound.module for bound in found.values()] == modules[len(modules) - count :]


def test_many_threads() -> None:
    module = weft.parse(SUM.to_ptx())
    with ThreadPoolExecutor(4) as executor:
        assert list(executor.map(lambda more: add(more, module=module), range(40))) == list(range(1, 41))


def test_calls_come_back_again() -> None:
    text = """
.version 8.0
.target sm_80
.address_size 64
.func (.reg .u32 %out) more(.reg .u32 %in) { add.u32 %out, %in, 3; ret; }
.visible .entry k(.param .u64 p)
{
  .reg .b64 %d; .reg .b32 %v;
  ld.param.u64 %d, [p]; mov.u32 %v, 2; call (%v), more, (%v); st.global.u32 [%d], %v; ret;
}
"""
    module = weft.parse(text)
    for _ in range(3):
        out = np.zeros(1, np.uint32)
        weft.run(module, "k", 1, 1, [out])
        assert out[0] == 5
