"""How atomic read-modify-writes are ordered: as LLVM 22's without a scope, as they say with one."""

import re
from itertools import product

import pytest

import weft


def _instructions(operation: str, *, strict: bool = False) -> list[str]:
    """The stems of what an operation on `%p` and `%v` becomes, without registers and types."""
    text = f"""
llvm.func @k(%p: !llvm.ptr<1>, %v: i32, %o: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
  %r = llvm.{operation}
  llvm.store %r, %o : {"!llvm.struct<(i32, i1)>" if operation.startswith("cmpxchg") else "i32"}, !llvm.ptr<1>
  llvm.return
}}"""
    ptx = weft.compile(text, target="sm_80", strict_atomics=strict).to_ptx()
    return re.findall(r"\b((?:atom|red|fence)[.\w]*?)(?:\.[bu]32)? ?(?:;| %| \[)", ptx)


@pytest.mark.parametrize("order", ["seq_cst", "acq_rel", "monotonic"])
def test_an_update_without_a_scope_is_relaxed(order: str) -> None:
    assert _instructions(f"atomicrmw add %p, %v {order} : !llvm.ptr<1>, i32") == ["atom.global.add"]


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("atomicrmw add %p, %v seq_cst", ["fence.sc.sys", "atom.acquire.sys.global.add"]),
        ("atomicrmw add %p, %v acq_rel", ["atom.acq_rel.sys.global.add"]),
        ('atomicrmw add %p, %v syncscope("block") seq_cst', ["fence.sc.cta", "atom.acquire.cta.global.add"]),
        ("atomicrmw add %p, %v monotonic", ["atom.global.add"]),
    ],
)
def test_a_strict_update_is_ordered_as_it_says(operation: str, expected: list[str]) -> None:
    assert _instructions(f"{operation} : !llvm.ptr<1>, i32", strict=True) == expected


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("atomicrmw add %p, %v acquire", ["atom.acquire.sys.global.add"]),
        ('atomicrmw xchg %p, %v syncscope("block") release', ["atom.release.cta.global.exch"]),
        ('atomicrmw add %p, %v syncscope("device") seq_cst', ["fence.sc.gpu", "atom.acquire.gpu.global.add"]),
        ("atomicrmw nand %p, %v seq_cst", ["fence.sc.sys", "atom.acquire.sys.global.cas"]),
        ("cmpxchg %p, %v, %v seq_cst seq_cst", ["fence.sc.sys", "atom.acquire.sys.global.cas"]),
        ("cmpxchg %p, %v, %v acq_rel monotonic", ["atom.acq_rel.sys.global.cas"]),
        ("cmpxchg %p, %v, %v release acquire", ["atom.acq_rel.sys.global.cas"]),
    ],
)
def test_what_names_its_order_keeps_it(operation: str, expected: list[str]) -> None:
    assert _instructions(f"{operation} : !llvm.ptr<1>, i32") == expected


@pytest.mark.parametrize("strict", [False, True])
def test_an_update_whose_result_nothing_reads(strict: bool) -> None:
    """It is a reduction in every order but those that acquire, which no reduction has."""
    orders = ["monotonic", "acquire", "release", "acq_rel", "seq_cst"]
    for kind, scope, order in product(["add", "umax", "_xor", "xchg"], ["", 'syncscope("block") '], orders):
        text = f"""
llvm.func @k(%p: !llvm.ptr<1>, %v: i32) attributes {{nvvm.kernel}} {{
  %r = llvm.atomicrmw {kind} %p, %v {scope}{order} : !llvm.ptr<1>, i32
  llvm.return
}}"""
        ptx = weft.compile(text, target="sm_80", strict_atomics=strict).to_ptx()
        says = strict or bool(scope) or order in ("acquire", "release")
        acquires = kind == "xchg" or (says and order in ("acquire", "acq_rel", "seq_cst"))
        assert ("atom." in ptx, "red." in ptx) == (acquires, not acquires), (kind, scope, order)
