"""From which PTX version and target on an nvgpu operation exists: what the ISA table says of its instruction."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType
from xdsl.ir import Attribute, Operation

from weft.isa import Opcode, deferred, legal_opcode
from weft.isa.target import Window

_FENCED = deferred("tensormap.cp_fenceproxy", dst="global", src="shared::cta", scope="gpu")
_WGMMA = deferred("wgmma.fence")


def _replace(field: str, type_: str) -> partial[Opcode]:
    return deferred("tensormap.replace", mode="tile", field=field, ss="shared::cta", type=type_)


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


def _product(op: Operation, stem: str) -> Opcode | None:
    m, n, k = (size.value.data for size in _attribute(op, "mmaShape"))
    types = [cast("Any", operand.type).element_type for operand in op.operands[:3]]
    multiplicand, accumulator = _element(types[0]), _element(types[2])
    wide = {"tf32": "f32"}.get(accumulator, accumulator)
    types_ = {"dtype": wide, "atype": multiplicand, "btype": multiplicand, "ctype": wide}
    return legal_opcode(stem, shape=f"m{m}n{n}k{k}", alayout="row", blayout="col", **types_)


def _rank(op: Operation) -> int:
    descriptor = next(o.type for o in op.operands if o.type.name == "nvgpu.tensormap.descriptor")
    return cast("Any", descriptor).tensor.get_num_dims()


def _reduce(op: Operation) -> Opcode | None:
    kind = _attribute(op, "redop").data.value
    return legal_opcode(
        "cp.reduce.async.bulk.tensor",
        dim=f"{_rank(op)}d",
        dst="global",
        src="shared::cta",
        redop=kind,
        load_mode="tile",
        completion="bulk_group",
    )


_PACKED = {
    "f8E4M3FN": "e4m3x2",
    "f8E5M2": "e5m2x2",
    "f8E8M0FNU": "ue8m0x2",
    "f6E2M3FN": "e2m3x2",
    "f6E3M2FN": "e3m2x2",
    "f4E2M1FN": "e2m1x2",
}


def _widen(op: Operation) -> Opcode | None:
    packed = _PACKED[_attribute(op, "srcType").name]
    return legal_opcode("cvt", rnd="rn", type="bf16x2" if packed == "ue8m0x2" else "f16x2", atype=packed)


def _narrow(op: Operation) -> Opcode | None:
    packed = _PACKED[_attribute(op, "dstTy").name]
    return legal_opcode("cvt", rnd="rz" if packed == "ue8m0x2" else "rn", satfinite=True, type=packed, atype="f32")


_OPCODES: dict[str, partial[Opcode] | Callable[[Operation], Opcode | None]] = {
    "device_async_copy": deferred("cp.async", cop="ca", dst="shared", src="global"),
    "device_async_create_group": deferred("cp.async.commit_group"),
    "device_async_wait": deferred("cp.async.wait_group"),
    "ldmatrix": deferred("ldmatrix", shape="m8n8", num="x1", ss="shared", type="b16"),
    "stmatrix": deferred("stmatrix", shape="m8n8", num="x1", ss="shared", type="b16"),
    "mma.sync": lambda op: _product(op, "mma"),
    "mma.sp.sync": lambda op: _product(op, "mma.sp"),
    "rcp": deferred("rcp", rnd="approx", ftz=True, type="f32"),
    "mbarrier.init": deferred("mbarrier.init", ss="shared", type="b64"),
    "mbarrier.inval": deferred("mbarrier.inval", ss="shared", type="b64"),
    "mbarrier.arrive": deferred("mbarrier.arrive", ss="shared", type="b64"),
    "mbarrier.arrive.nocomplete": deferred("mbarrier.arrive", noComplete=True, ss="shared", type="b64"),
    "mbarrier.arrive.expect_tx": deferred("mbarrier.arrive", expect_tx=True, ss="shared", type="b64"),
    "mbarrier.test.wait": deferred("mbarrier.test_wait", ss="shared", type="b64"),
    "mbarrier.try_wait.parity": deferred("mbarrier.try_wait", parity=True, ss="shared", type="b64"),
    "tma.async.load": lambda op: legal_opcode(
        "cp.async.bulk.tensor",
        dim=f"{_rank(op)}d",
        dst="shared::cluster",
        src="global",
        load_mode="tile",
        completion="mbarrier::complete_tx::bytes",
    ),
    "tma.async.store": lambda op: legal_opcode(
        "cp.async.bulk.tensor",
        dim=f"{_rank(op)}d",
        dst="global",
        src="shared::cta",
        load_mode="tile",
        completion="bulk_group",
    ),
    "tma.async.reduce": _reduce,
    "tma.prefetch.descriptor": deferred("prefetch", tensormap=True),
    "tma.fence.descriptor": deferred("fence.proxy", proxykind="tensormap::generic", sem="acquire", scope="sys"),
    "tensormap.create.descriptor": _FENCED,
    "tensormap.update.global_address": _replace("global_address", "b64"),
    "tensormap.update.box_dim": _replace("box_dim", "b32"),
    "tensormap.update.element_stride": _replace("element_stride", "b32"),
    "warpgroup.generate.descriptor": _WGMMA,
    "warpgroup.mma": _WGMMA,
    "warpgroup.mma.store": _WGMMA,
    "warpgroup.mma.init.accumulator": _WGMMA,
    "cvt_fpext": _widen,
    "cvt_fptrunc": _narrow,
    "fma.packed.f32x2": deferred("fma", rnd="rn", type="f32x2"),
    "mul.packed.f32x2": deferred("mul", rnd="rn", type="f32x2"),
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
    name: row.args[0] for name, row in _OPCODES.items() if isinstance(row, partial) and row is not _WGMMA
}
"""The family of the instruction of each operation, both by name."""


def opcode_of(op: Operation) -> Opcode | None:
    """The instruction that decides where an operation exists; None for one that becomes none of its own, or that PTX
    does not have.
    """
    row = _OPCODES.get(op.name.removeprefix("nvgpu."))
    if row is None:
        return None
    return cast("Opcode", row()) if isinstance(row, partial) else row(op)


def windows(op: Operation) -> tuple[Window, ...]:
    """Where the operation exists; nothing for one that becomes no instruction, or none that PTX has."""
    found = opcode_of(op)
    return () if found is None else tuple(found.variants[0].windows())


def refusal(op: Operation, target: str) -> str | None:
    """Why an operation does not exist on a target (`sm_80`), naming what it needs; None when it does."""
    found = windows(op)
    if not found or any(target in window.targets for window in found):
        return None
    return f"needs {' or '.join(map(str, found))}, and is compiled for {target}"
