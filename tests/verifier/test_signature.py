"""Operands by the manual's names, and what instructions read and write."""

from __future__ import annotations

import pytest

import weft

HEAD = ".version 8.6\n.target sm_90a\n.visible .entry k()\n{\n"


@pytest.mark.parametrize(
    ("statement", "named", "reads", "writes"),
    [
        ("add.s32 %r1, %r2, 5;", {"d": "%r1", "a": "%r2", "b": "5"}, "%r2", "%r1"),
        ("@!%p1 st.global.u32 [%rd1+4], %r1;", {"a": "[%rd1+4]", "b": "%r1"}, "%p1 %rd1 %r1", ""),
        ("setp.lt.and.f32 %p1|%p2, %f1, %f2, !%p3;", {"p": "%p1", "q": "%p2", "a": "%f1", "b": "%f2", "c": "!%p3"}, "%f1 %f2 %p3", "%p1 %p2"),
        ("ld.global.v2.f32 {%f1, %f2}, [%rd1];", {"d": "{%f1, %f2}", "a": "[%rd1]"}, "%rd1", "%f1 %f2"),
        ("atom.shared.cas.b32 %r1, [%r2], %r3, %r4;", {"d": "%r1", "a": "[%r2]", "b": "%r3", "c": "%r4"}, "%r2 %r3 %r4", "%r1"),
        (
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1}, {%r2}, {%f0, %f1, %f2, %f3};",
            {"d": "{%f0, %f1, %f2, %f3}", "a": "{%r0, %r1}", "b": "{%r2}", "c": "{%f0, %f1, %f2, %f3}"},
            "%r0 %r1 %r2 %f0 %f1 %f2 %f3",
            "%f0 %f1 %f2 %f3",
        ),
        ("mov.b64 {%r1, %r2}, %rd1;", {"d": "{%r1, %r2}", "a": "%rd1"}, "%rd1", "%r1 %r2"),
        ("mov.b64 %rd1, {%r1, %r2};", {"d": "%rd1", "a": "{%r1, %r2}"}, "%r1 %r2", "%rd1"),
    ],
)  # fmt: skip
def test_names_reads_and_writes(statement: str, named: dict[str, str], reads: str, writes: str) -> None:
    module = weft.parse(HEAD + statement + "\n}\n")
    (instruction,) = module.kernels[0].instructions()
    assert {name: str(operand) for name, operand in instruction.named.items()} == named
    assert " ".join(map(str, instruction.reads)) == reads
    assert " ".join(map(str, instruction.writes)) == writes
