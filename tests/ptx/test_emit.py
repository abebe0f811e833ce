"""What surrounds generated code: directives in slot order, refused combinations, register lines, the frame."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.ptx.oracle import assemble
from weft.errors import CompileError
from weft.isa import decode
from weft.isa.registers import CLASSES, Naming
from weft.ptx import parse
from weft.ptx.ast import Function, Instruction, Module, Parameter, Statement
from weft.ptx.emit import KernelLimits, banner, kernel_directives, local_depot, register_declarations, set_limits

FIELDS: dict[str, object] = {
    "reqntid": (128, 1, 1),
    "maxntid": (256,),
    "minnctapersm": 2,
    "maxnreg": 64,
    "explicitcluster": True,
    "reqnctapercluster": (2, 1),
    "blocksareclusters": True,
    "maxclusterrank": 8,
}


def kernel(limits: KernelLimits) -> Module:
    function = Function("k", True, body=[Instruction(decode("ret"))])
    set_limits(function, limits)
    return Module((9, 0), ("sm_90",), items=[function])


def test_slots_come_in_order_and_absent_ones_are_skipped() -> None:
    limits = KernelLimits((128, 1, 1), (), 2, 64, True, (2, 1, 1), True)
    assert [str(d) for d in kernel_directives(limits)] == [
        ".reqntid 128, 1, 1",
        ".minnctapersm 2",
        ".maxnreg 64",
        ".explicitcluster",
        ".reqnctapercluster 2, 1, 1",
        ".blocksareclusters",
    ]
    assert [d.name for d in kernel_directives(KernelLimits(maxntid=(4,), maxclusterrank=8))] == [
        "maxntid",
        "maxclusterrank",
    ]
    assert kernel_directives(KernelLimits()) == []


@pytest.mark.slow
@pytest.mark.parametrize("count", range(len(FIELDS) + 1))
def test_exactly_what_ptxas_refuses_is_refused(count: int, tmp_path: Path) -> None:
    for chosen in itertools.combinations(FIELDS, count):
        limits = KernelLimits(**{name: FIELDS[name] for name in chosen})  # pyright: ignore[reportArgumentType]
        lines = "".join(f".{name} {_spelled(FIELDS[name])}\n" for name in chosen)
        text = f".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{lines}{{ ret; }}"
        accepted = isinstance(assemble(text, tmp_path), dict)
        try:
            module = kernel(limits)
        except CompileError:
            assert not accepted, chosen
        else:
            assert accepted, chosen
            assert isinstance(assemble(module.to_ptx(), tmp_path), dict)


def _spelled(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "" if value is True else str(value)


@pytest.mark.parametrize(
    ("limits", "message", "hint"),
    [
        (KernelLimits(reqntid=(1,), maxntid=(1,)), ".reqntid and .maxntid", "exact"),
        (KernelLimits(reqnctapercluster=(1,), maxclusterrank=1), ".maxclusterrank", "exact"),
        (KernelLimits(blocksareclusters=True), "block and cluster dimensions", ".reqntid and .reqnctapercluster"),
        (KernelLimits(blocksareclusters=True, reqntid=(1,)), "block and cluster", "add .reqnctapercluster"),
        (KernelLimits(blocksareclusters=True, reqnctapercluster=(1,), maxntid=(1,)), "block and", "add .reqntid"),
        (KernelLimits(reqntid=(1, 1, 1, 1)), "one to three", ""),
        (KernelLimits(maxntid=(0,)), "positive", ""),
        (KernelLimits(maxnreg=-1), "positive", ""),
    ],
)
def test_refused_combinations(limits: KernelLimits, message: str, hint: str) -> None:
    with pytest.raises(CompileError) as caught:
        kernel_directives(limits, "mykernel")
    assert message in caught.value.message
    assert "mykernel" in caught.value.message
    assert hint in caught.value.hint


def test_device_functions_take_none() -> None:
    with pytest.raises(CompileError, match="device function"):
        set_limits(Function("f", False, body=[]), KernelLimits(maxnreg=8))
    set_limits(Function("f", False, body=[]), KernelLimits())


def test_one_register_line_per_class_in_use() -> None:
    counts = dict.fromkeys(CLASSES, 0) | {CLASSES[3]: 5, CLASSES[0]: 2, CLASSES[4]: 7}
    assert [str(d) for d in register_declarations(counts)] == [".reg .pred %p<2>;", ".reg .b32 %r<7>;"]
    assert [str(d) for d in register_declarations(counts, Naming.CLASSIC)] == [
        ".reg .pred %p<2>;",
        ".reg .b32 %r<5>;",
        ".reg .f32 %f<7>;",
    ]
    assert register_declarations({}) == []


@pytest.mark.parametrize("generic", [True, False])
def test_frame(generic: bool, tmp_path: Path) -> None:
    declarations, setup = local_depot(3, 20, 16, generic)
    body: list[Statement] = [*declarations, *setup, Instruction(decode("ret"))]
    module = Module((8, 4), ("sm_90",), items=[Function("k", True, [Parameter("b64", "p")], body=body)])
    text = module.to_ptx()
    assert "\t.local .align 16 .b8 __local_depot3[20];\n" in text
    assert ("cvta.local.u64 %SP, %SPL;" in text) is generic
    assert parse(text) == module
    assert isinstance(assemble(text, tmp_path), dict)
    assert local_depot(0, 0, 1) == ([], [])


def test_banner() -> None:
    module = kernel(KernelLimits())
    module.banner = banner("1.2.3")
    text = module.to_ptx()
    assert text.startswith("//\n// Generated by weft\n//\n// weft 1.2.3\n//\n\n.version 9.0\n")
    assert parse(text).to_ptx() == text
    assert parse(text) == module
