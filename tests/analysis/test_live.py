"""Liveness and register pressure against their definition by paths, and beside what ptxas needs."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given

import weft
from tests.analysis.programs import Step, following, programs, text
from tests.conftest import ROOT
from weft.ptx.analysis import liveness

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"


def live_before(program: list[Step], register: str) -> set[int]:
    """The steps before which a register is live: some way leads to a read with no sure write on it."""
    after = following(program)
    found: set[int] = set()
    for start in range(len(program)):
        seen: set[int] = set()
        todo = [start]
        while todo:
            step = todo.pop()
            if step in seen:
                continue
            seen.add(step)
            if register in program[step].reads:
                found.add(start)
                break
            if register not in program[step].kills:
                todo.extend(after[step])
    return found


def weight(register: str) -> int:
    return 2 if register.startswith("%rd") else 0 if register.startswith("%p") else 1


@given(programs())
def test_liveness_by_paths(program: list[Step]) -> None:
    live = liveness(weft.parse(text(program)).kernels[0])
    names = {name for step in program for name in step.reads | step.writes}
    before = {name: live_before(program, name) for name in names}
    for block in live.flow.blocks:
        assert {r.name for r in live.entering(block.index)} == {n for n in names if block.start in before[n]}
        leaving = {
            name for name in names for target in live.flow.successors[block.index]
            if live.flow.blocks[target].start in before[name]
        }  # fmt: skip
        assert {r.name for r in live.leaving(block.index)} == leaving


@given(programs())
def test_pressure_by_paths(program: list[Step]) -> None:
    pressure = liveness(weft.parse(text(program)).kernels[0]).pressure
    names = {name for step in program for name in step.reads | step.writes}
    before = {name: live_before(program, name) for name in names}
    after = following(program)
    most = flags = 0
    for n, step in enumerate(program):
        there = {name for name in names if n in before[name]}
        then = {name for name in names if any(m in before[name] for m in after[n])} | step.writes
        most = max(most, sum(map(weight, there)), sum(map(weight, then)))
        flags = max(flags, *(sum(name.startswith("%p") for name in names) for names in (there, then)))
    assert (pressure.registers, pressure.predicates) == (most, flags)
    assert (pressure.at is None) == (most == 0)


def test_shadowed_names_are_different_registers() -> None:
    module = weft.parse(
        f"{HEAD}.entry k()\n{{\n.reg .b32 %a; .reg .b64 %b;\nmov.u32 %a, 1;\n{{ .reg .b64 %a;\nmov.u64 %a, 2;\n"
        "mov.u64 %b, %a; }\nst.global.u32 [%b], %a;\n}\n"
    )
    live = liveness(module.kernels[0])
    assert sorted((r.name, r.type) for r in live.registers) == [("%a", "b32"), ("%a", "b64"), ("%b", "b64")]
    assert live.pressure.registers == 3


def test_components_of_vectors() -> None:
    module = weft.parse(
        f"{HEAD}.entry k()\n{{\n.reg .v4 .b32 %v; .reg .b32 %r;\nmov.u32 %v.x, 1;\nmov.u32 %r, %v.y;\n}}\n"
    )
    live = liveness(module.kernels[0])
    assert [r.name for r in live.entering(0)] == ["%v"]  # %v.y keeps what it was
    assert live.pressure.registers == 4


def test_the_peak_is_found() -> None:
    lines = [f"mov.u32 %r{n}, {n};" for n in range(6)] + [f"add.u32 %r0, %r0, %r{n};" for n in range(6)]
    module = weft.parse(f"{HEAD}.entry k()\n{{\n.reg .b32 %r<6>;\n" + "\n".join(lines) + "\n}\n")
    pressure = liveness(module.kernels[0]).pressure
    assert pressure.registers == 6
    assert str(pressure.at.operands[0]) == "%r5"


def test_ptxas_needs_about_as_many(ptxas: object, tmp_path: Path) -> None:
    """Only that both go the same way: over the examples, more live registers come with more registers in the cubin."""
    pairs: list[tuple[int, int]] = []
    for path in sorted((ROOT / "examples").glob("*.mlir")):
        if path.stem.endswith("sm90a"):
            continue
        module = weft.compile(path.read_text(), target="sm_80")
        cubin = weft.assemble(module)
        for kernel in module.kernels:
            found = {k.name: k.registers for k in cubin.kernels}
            pairs.append((liveness(kernel).pressure.registers, found[kernel.name]))
    assert len(pairs) >= 3
    ours, theirs = zip(*sorted(pairs), strict=True)
    assert theirs[-1] == max(theirs)  # the kernel with the most live values needs the most registers
    assert all(mine <= 3 * judged for mine, judged in zip(ours, theirs, strict=True))
