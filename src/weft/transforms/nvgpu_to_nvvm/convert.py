"""Packed conversions to `nvvm.convert.*`; arithmetic on two f32 to PTX, for which nvvm has no operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import llvm
from xdsl.dialects.builtin import VectorType, f32, i8, i16, i32, i64
from xdsl.ir import Attribute, SSAValue

from weft.dialects.engine.attributes import attr
from weft.dialects.engine.operations import op_class
from weft.dialects.nvgpu.convert import BRAINS, HALVES, SINGLES
from weft.transforms.nvgpu_to_nvvm.lowering import Lower, Lowering

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu

_BYTES = VectorType(i8, [2])
_SATFINITE = attr("nvvm.sat_mode", "satfinite")


def _family(element: Attribute) -> str:
    """`f8`, `f6` or `f4`."""
    return element.name[:2]


def lower_fpext(lowering: Lowering, op: nvgpu.CvtFpextOp) -> None:
    """A conversion to f16 (scales: to bf16), and for f32 from there: each narrow float is an f16 (a scale a bf16)."""
    element, result = op.src_type, op.out.type
    scale = element.name == "f8E8M0FNU"
    wide = BRAINS if scale else HALVES
    properties: dict[str, Attribute] = {"srcType": element}
    if not scale:
        properties["relu"] = op.relu
    if _family(element) == "f4":
        packed = lowering.trunc(op.in_, i8)
        value = lowering.value(op_class("nvvm.convert.f4x2.to.f16x2"), [packed], wide, properties)
    else:
        packed = lowering.bitcast(lowering.trunc(op.in_, i16), _BYTES)
        cls = (
            op_class("nvvm.convert.f6x2.to.f16x2")
            if _family(element) == "f6"
            else op_class("nvvm.convert.f8x2.to.f16x2")
        )
        value = lowering.value(op_class("nvvm.convert.f8x2.to.bf16x2") if scale else cls, [packed], wide, properties)
    if result == SINGLES:
        value = lowering.value(llvm.FPExtOp, [value], SINGLES)
    op.out.replace_all_uses_with(value)


def _singles(lowering: Lowering, value: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The two floats of a vector as f32, the upper one first."""
    low, high = (lowering.extract_element(value, index, value.type.element_type) for index in (0, 1))  # pyright: ignore
    if value.type == SINGLES:
        return high, low
    return lowering.value(llvm.FPExtOp, [high], f32), lowering.value(llvm.FPExtOp, [low], f32)


def lower_fptrunc(lowering: Lowering, op: nvgpu.CvtFptruncOp) -> None:
    """A conversion of two f32, or of the pair as it is where there is one; the upper bits of the word are zero."""
    element, source = op.dst_ty, op.in_
    family, scale = _family(element), element.name == "f8E8M0FNU"
    properties: dict[str, Attribute] = {"dstTy": element}
    if scale:
        properties |= {"rnd": op.rnd, "sat": _SATFINITE}
    else:
        properties["relu"] = op.relu
    if source.type == BRAINS:
        packed = lowering.value(op_class("nvvm.convert.bf16x2.to.f8x2"), [source], i16, properties)
    elif source.type == HALVES and family == "f8":
        packed = lowering.value(op_class("nvvm.convert.f16x2.to.f8x2"), [source], i16, properties)
    elif family == "f4":
        packed = lowering.value(op_class("nvvm.convert.f32x2.to.f4x2"), _singles(lowering, source), i8, properties)
    elif family == "f6":
        packed = lowering.value(op_class("nvvm.convert.f32x2.to.f6x2"), _singles(lowering, source), i16, properties)
    else:
        properties |= {"rnd": op.rnd, "sat": _SATFINITE}
        packed = lowering.value(op_class("nvvm.convert.f32x2.to.f8x2"), _singles(lowering, source), i16, properties)
    op.out.replace_all_uses_with(lowering.zext(packed, i32))


def _packed(lowering: Lowering, op: nvgpu.FmaPackedF32X2Op | nvgpu.MulPackedF32X2Op, name: str) -> None:
    """Each pair of f32 is a register of 64 bits."""
    pairs = [lowering.bitcast(operand, i64) for operand in op.operands]
    flush = ".ftz" if op.ftz.value.data else ""
    registers = ", ".join(f"${index}" for index in range(len(pairs) + 1))
    (result,) = lowering.inline_ptx(f"{name}.{op.rnd.data.value}{flush}.f32x2 {registers};", pairs, [i64])
    op.res.replace_all_uses_with(lowering.bitcast(result, SINGLES))


def lower_fma(lowering: Lowering, op: nvgpu.FmaPackedF32X2Op) -> None:
    """`fma.rn.f32x2`."""
    _packed(lowering, op, "fma")


def lower_mul(lowering: Lowering, op: nvgpu.MulPackedF32X2Op) -> None:
    """`mul.rn.f32x2`."""
    _packed(lowering, op, "mul")


LOWERINGS: dict[str, Lower] = {
    "nvgpu.cvt_fpext": lower_fpext,
    "nvgpu.cvt_fptrunc": lower_fptrunc,
    "nvgpu.fma.packed.f32x2": lower_fma,
    "nvgpu.mul.packed.f32x2": lower_mul,
}
