"""Neighbouring loads and stores that become one access, and those that stay apart."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weft


def _kernel(body: str) -> str:
    return f"""
llvm.func @k(%a: !llvm.ptr {{llvm.align = 16 : i64}}, %b: !llvm.ptr {{llvm.align = 16 : i64}}) attributes {{gpu.kernel, nvvm.kernel}} {{
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %pa = llvm.getelementptr %a[%t] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %pb = llvm.getelementptr %b[%t] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
{body}
  llvm.return
}}"""


def _moves(order: str) -> str:
    """Lines by letters: l3 loads a[3], s2 stores b[2] of a[2], S2 stores a[2] of a[2] + 1, B is a barrier."""
    lines = ["  %one = llvm.mlir.constant(1 : i32) : i32"]
    for number, word in enumerate(order.split()):
        at = word[1:]
        if word == "B":
            lines.append("  nvvm.barrier0")
            continue
        base = "b" if word[0] == "s" else "a"
        lines.append(f"  %p{number} = llvm.getelementptr %p{base}[{at}] : (!llvm.ptr) -> !llvm.ptr, i32")
        align = 16 if at == "0" else 4
        if word[0] == "l":
            lines.append(f"  %x{at} = llvm.load %p{number} {{alignment = {align} : i64}} : !llvm.ptr -> i32")
        elif word[0] == "s":
            lines.append(f"  llvm.store %x{at}, %p{number} {{alignment = {align} : i64}} : i32, !llvm.ptr")
        else:
            lines.append(f"  %y{at} = llvm.add %x{at}, %one : i32")
            lines.append(f"  llvm.store %y{at}, %p{number} {{alignment = {align} : i64}} : i32, !llvm.ptr")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("order", "accesses"),
    [
        ("l0 l1 l2 l3 s0 s1 s2 s3", "ld.v4 st.v4"),
        ("l3 l1 l2 l0 s2 s3 s0 s1", "ld.v4 st.v4"),
        ("l0 l1 s0 s1", "ld.v2 st.v2"),
        ("l0 l1 l2 s0 s1 s2", "ld.v2 ld st.v2 st"),
        ("l1 l2 l3 s1 s2 s3", "ld ld.v2 st st.v2"),
        ("l0 l1 B l2 l3 s0 s1 s2 s3", "ld.v2 ld.v2 st.v4"),
        ("l0 s0 l1 s1", "ld st ld st"),
        ("l0 l1 S0 B S1", "ld.v2 st st"),
        ("l0 l1 l2 l3 s0 s1 S2 s2 s3", "ld.v4 st.v2 st st.v2"),
    ],
)
def test_accesses_are_joined_where_nothing_lies_between(order: str, accesses: str) -> None:
    module = weft.compile(_kernel(_moves(order)), "sm_80")
    found = re.findall(r"(ld|st)\.global(\.v\d)?\.b32", module.to_ptx())
    a, b = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
    expected, before = b.copy(), a.copy()
    weft.run(module, "k", 1, 32, [a, b])
    for word in order.split():
        if word[0] == "s":
            expected[int(word[1:]) :: 4] = before[int(word[1:]) :: 4]
        elif word[0] == "S":
            before[int(word[1:]) :: 4] += 1
    known = [word for word in order.split() if word[0] == "s" and f"S{word[1:]}" not in order]
    for word in known:
        assert (b[int(word[1:]) :: 4] == expected[int(word[1:]) :: 4]).all()
    assert (a == before).all()
    assert " ".join(stem + width for stem, width in found) == accesses


@pytest.mark.parametrize(
    ("kinds", "joined"), [("i64 i64", 16), ("i64 i32 i32", 16), ("i32 i32", 8), ("i64 i64 i64", 16)]
)
def test_small_variables_that_one_access_reaches_lie_where_it_may(kinds: str, joined: int) -> None:
    """Stores to several variables of a thread become one, for which the memory of all of them is aligned."""
    lines = ["  %n = llvm.mlir.constant(1 : i32) : i32"]
    for number, kind in enumerate(kinds.split()):
        size = int(kind[1:]) // 8
        lines += [
            f"  %v{number} = llvm.alloca %n x {kind} {{alignment = {size} : i64}} : (i32) -> !llvm.ptr",
            f"  %x{number} = llvm.load volatile %pa {{alignment = {size} : i64}} : !llvm.ptr -> {kind}",
        ]
    for number, kind in enumerate(kinds.split()):
        lines.append(
            f"  llvm.store %x{number}, %v{number} {{alignment = {int(kind[1:]) // 8} : i64}} : {kind}, !llvm.ptr"
        )
    lines.append("  nvvm.barrier0")
    for number in range(len(kinds.split())):
        lines += [
            f"  %i{number} = llvm.ptrtoint %v{number} : !llvm.ptr to i64",
            f"  llvm.store volatile %i{number}, %pb : i64, !llvm.ptr",
        ]
    text = weft.compile(_kernel("\n".join(lines)), target="sm_90").to_ptx()
    (alignment,) = re.findall(r"\.local \.align (\d+) ", text)
    assert int(alignment) >= joined
    sizes = [int(count) * int(bits) // 8 for count, bits in re.findall(r"st\.local\.v(\d)\.b(\d+)", text)]
    assert max(sizes, default=0) <= int(alignment)


@pytest.mark.sample(1)
@pytest.mark.parametrize("how", ["volatile", ""])
def test_volatile_stores_of_local_memory_stay_apart(how: str) -> None:
    stores = "\n".join(f"""  %p{at} = llvm.getelementptr %v[{4 * at}] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store {how} %x, %p{at} : i32, !llvm.ptr""" for at in range(4))  # fmt: skip
    body = f"""  %n = llvm.mlir.constant(16 : i32) : i32
  %v = llvm.alloca %n x i8 {{alignment = 16 : i64}} : (i32) -> !llvm.ptr
  %x = llvm.load %pa : !llvm.ptr -> i32
{stores}
  %i = llvm.ptrtoint %v : !llvm.ptr to i64
  llvm.store %i, %pb : i64, !llvm.ptr"""
    text = weft.compile(_kernel(body), target="sm_90").to_ptx()
    assert len(re.findall(r"st\.local", text)) == (4 if how else 1)
