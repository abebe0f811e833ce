"""Asynchronous products of a warpgroup: `nvvm.wgmma.*`, sm_90a."""

from __future__ import annotations

from typing import Any

from weft.codegen.selector import Selector, handles
from weft.codegen.types import layout
from weft.isa.opcode import opcode

_PLAIN = {
    "nvvm.wgmma.fence.aligned": "wgmma.fence.sync.aligned",
    "nvvm.wgmma.commit.group.sync.aligned": "wgmma.commit_group.sync.aligned",
}


@handles(*_PLAIN)
def select_plain(s: Selector, op: Any) -> None:
    """Order registers and memory before the products; close their group."""
    s.emit(_PLAIN[op.name])


@handles("nvvm.wgmma.wait.group.sync.aligned")
def select_wait(s: Selector, op: Any) -> None:
    """Wait until at most n groups are under way."""
    s.emit("wgmma.wait_group.sync.aligned", op.properties["group"].value.data)


_TRANSPOSABLE = ("f16", "bf16")
_FLOATS = (*_TRANSPOSABLE, "tf32", "e4m3", "e5m2")


@handles("nvvm.wgmma.mma_async")
def select_mma(s: Selector, op: Any) -> None:
    """Start D = A * B (+ D): the accumulators stay in the registers they are in."""
    accumulators, a, b = op.operands
    properties = op.properties
    m, n, k = properties["shape"].sizes
    types = {name: properties[f"type{name[0].upper()}"].data.value for name in ("dtype", "atype", "btype")}
    satfinite = properties.get("satfinite")
    slots: dict[str, Any] = {"shape": f"m{m}n{n}k{k}", **types}
    if satfinite is not None and satfinite.data.value == "satfinite":
        slots["satfinite"] = True
    if types["atype"] == "b1":
        slots["bitop"] = "and"
    tail: list[int] = []
    if types["atype"] in _FLOATS:
        tail += [int(properties[f"scale{x}"].data.value == "one") * 2 - 1 for x in "AB"]
    if types["atype"] in _TRANSPOSABLE:
        tail += [int(properties["layoutA"].data.value == "col"), int(properties["layoutB"].data.value == "row")]
    result = op.results[0]
    kinds = layout(result.type).scalars
    outs = tuple(s.value(kind.cls) for kind in kinds)
    scale_d = int(properties["scaleD"].data.value == "one")
    inst = s.emit(
        opcode("wgmma.mma_async", **slots).text,
        outs,
        s.int_value(s.int(a)),
        s.int_value(s.int(b)),
        scale_d,
        *tail,
        outs=outs,
    )
    inst.ties = tuple(zip(outs, map(s.as_operand, s.flatten(s.get(accumulators))), strict=True))
    s.values[result] = s.unflatten(result.type, tuple(s.wrapped(v, kind) for v, kind in zip(outs, kinds, strict=True)))
