"""From which PTX version and target on an nvgpu operation exists: what the ISA table says of its instruction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType
from xdsl.ir import Attribute, Operation

from weft.dialects.nvgpu.ops import TABLE
from weft.isa import Opcode, legal_opcode, opcode
from weft.isa.target import Window

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


_BY_ATTRIBUTES: dict[str, Callable[[Operation], Opcode | None]] = {
    "mma.sync": lambda op: _product(op, "mma"),
    "mma.sp.sync": lambda op: _product(op, "mma.sp"),
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
    "warpgroup.mma": lambda _: legal_opcode("wgmma.fence"),
    "cvt_fpext": _widen,
    "cvt_fptrunc": _narrow,
}
"""The operations whose instruction depends on what their attributes say."""


def _instructions() -> Iterator[tuple[str, list[str]]]:
    for name in sorted(TABLE.names):
        words = TABLE.row(name).instructions.split()
        if words:
            yield name, words


STEMS: dict[str, str] = {name: words[0] for name, words in _instructions()}
"""The family of the instruction of each operation, both by name."""


def opcode_of(op: Operation) -> Opcode | None:
    """The instruction that decides where an operation exists; None for one that becomes none of its own, or that PTX
    does not have.
    """
    name = op.name.removeprefix("nvgpu.")
    found = _BY_ATTRIBUTES.get(name)
    if found is not None:
        return found(op)
    stem, *slots = TABLE.row(name).instructions.split() or [""]
    given = (slot.partition("=") for slot in slots)
    return opcode(stem, **{slot: value if equals else True for slot, equals, value in given}) if stem else None


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
