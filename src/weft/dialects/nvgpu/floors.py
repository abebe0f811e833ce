"""From which PTX version and target on an nvgpu operation exists: what the ISA table says of its instruction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType
from xdsl.ir import Attribute, Operation

from weft.isa import decode
from weft.isa.registry import stem_of
from weft.isa.target import Window

_FENCED = "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned"
_REPLACE = "tensormap.replace.tile.{}.shared::cta.b1024.{}"
_WGMMA = "wgmma.fence.sync.aligned"
_ELEMENTS: dict[type[Attribute], str] = {
    Float16Type: "f16",
    BFloat16Type: "bf16",
    Float32Type: "tf32",
    Float64Type: "f64",
}


def _attribute(op: Operation, name: str) -> Any:
    return cast("Any", op.properties[name])


def _element(element: Attribute) -> str:
    return f"s{element.bitwidth}" if isinstance(element, IntegerType) else _ELEMENTS.get(type(element), "")


def _product(op: Operation, stem: str) -> str:
    m, n, k = (size.value.data for size in _attribute(op, "mmaShape"))
    types = [cast("Any", operand.type).element_type for operand in op.operands[:3]]
    multiplicand, accumulator = _element(types[0]), _element(types[2])
    wide = {"tf32": "f32"}.get(accumulator, accumulator)
    return f"{stem}.sync.aligned.m{m}n{n}k{k}.row.col.{wide}.{multiplicand}.{multiplicand}.{wide}"


def _rank(op: Operation) -> int:
    descriptor = next(o.type for o in op.operands if o.type.name == "nvgpu.tensormap.descriptor")
    return cast("Any", descriptor).tensor.get_num_dims()


def _reduce(op: Operation) -> str:
    kind = _attribute(op, "redop").data.value
    return f"cp.reduce.async.bulk.tensor.{_rank(op)}d.global.shared::cta.{kind}.tile.bulk_group"


_PACKED = {
    "f8E4M3FN": "e4m3x2",
    "f8E5M2": "e5m2x2",
    "f8E8M0FNU": "ue8m0x2",
    "f6E2M3FN": "e2m3x2",
    "f6E3M2FN": "e3m2x2",
    "f4E2M1FN": "e2m1x2",
}


def _widen(op: Operation) -> str:
    packed = _PACKED[_attribute(op, "srcType").name]
    return f"cvt.rn.{'bf16x2' if packed == 'ue8m0x2' else 'f16x2'}.{packed}"


def _narrow(op: Operation) -> str:
    packed = _PACKED[_attribute(op, "dstTy").name]
    return f"cvt.{'rz' if packed == 'ue8m0x2' else 'rn'}.satfinite.{packed}.f32"


_OPCODES: dict[str, str | Callable[[Operation], str]] = {
    "device_async_copy": "cp.async.ca.shared.global",
    "device_async_create_group": "cp.async.commit_group",
    "device_async_wait": "cp.async.wait_group",
    "ldmatrix": "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
    "stmatrix": "stmatrix.sync.aligned.m8n8.x1.shared.b16",
    "mma.sync": lambda op: _product(op, "mma"),
    "mma.sp.sync": lambda op: _product(op, "mma.sp"),
    "rcp": "rcp.approx.ftz.f32",
    "mbarrier.init": "mbarrier.init.shared.b64",
    "mbarrier.inval": "mbarrier.inval.shared.b64",
    "mbarrier.arrive": "mbarrier.arrive.shared.b64",
    "mbarrier.arrive.nocomplete": "mbarrier.arrive.noComplete.shared.b64",
    "mbarrier.arrive.expect_tx": "mbarrier.arrive.expect_tx.shared.b64",
    "mbarrier.test.wait": "mbarrier.test_wait.shared.b64",
    "mbarrier.try_wait.parity": "mbarrier.try_wait.parity.shared.b64",
    "tma.async.load": lambda op: (
        f"cp.async.bulk.tensor.{_rank(op)}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
    ),
    "tma.async.store": lambda op: f"cp.async.bulk.tensor.{_rank(op)}d.global.shared::cta.tile.bulk_group",
    "tma.async.reduce": _reduce,
    "tma.prefetch.descriptor": "prefetch.tensormap",
    "tma.fence.descriptor": "fence.proxy.tensormap::generic.acquire.sys",
    "tensormap.create.descriptor": _FENCED,
    "tensormap.update.global_address": _REPLACE.format("global_address", "b64"),
    "tensormap.update.box_dim": _REPLACE.format("box_dim", "b32"),
    "tensormap.update.element_stride": _REPLACE.format("element_stride", "b32"),
    "warpgroup.generate.descriptor": _WGMMA,
    "warpgroup.mma": _WGMMA,
    "warpgroup.mma.store": _WGMMA,
    "warpgroup.mma.init.accumulator": _WGMMA,
    "cvt_fpext": _widen,
    "cvt_fptrunc": _narrow,
    "fma.packed.f32x2": "fma.rn.f32x2",
    "mul.packed.f32x2": "mul.rn.f32x2",
}


_BUILT = {
    "mma.sync": "mma",
    "mma.sp.sync": "mma.sp",
    "tma.async.load": "cp.async.bulk.tensor",
    "tma.async.store": "cp.async.bulk.tensor",
    "tma.async.reduce": "cp.reduce.async.bulk.tensor",
    "cvt_fpext": "cvt",
    "cvt_fptrunc": "cvt",
    "warpgroup.mma": "wgmma.mma_async",
}
"""The families of instructions that depend on an operation's attributes."""

STEMS: dict[str, str] = _BUILT | {
    name: stem
    for name, text in _OPCODES.items()
    if isinstance(text, str) and text != _WGMMA and (stem := stem_of(text)) is not None
}
"""The family of the instruction of each operation, both by name."""


def opcode(op: Operation) -> str | None:
    """The PTX instruction that decides where an operation exists; None for one that becomes none of its own."""
    found = _OPCODES.get(op.name.removeprefix("nvgpu."))
    return found(op) if callable(found) else found


def windows(op: Operation) -> tuple[Window, ...]:
    """Where the operation exists; nothing for one that becomes no instruction, or none that PTX has."""
    text = opcode(op)
    decoded = decode(text) if text is not None else None
    return () if decoded is None or not decoded.valid else tuple(decoded.variants[0].windows())


def refusal(op: Operation, target: str) -> str | None:
    """Why an operation does not exist on a target (`sm_80`), naming what it needs; None when it does."""
    found = windows(op)
    if not found or any(target in window.targets for window in found):
        return None
    return f"needs {' or '.join(map(str, found))}, and is compiled for {target}"
