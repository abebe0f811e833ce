"""Checks of packed conversions and arithmetic: narrow floats in a word, and two f32 at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType, bf16, f16, f32
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu

HALVES = VectorType(f16, [2])
BRAINS = VectorType(bf16, [2])
SINGLES = VectorType(f32, [2])

_SCALE = "f8E8M0FNU"
"""The format of scales, which goes with bf16 and not with f16."""
_NARROW = ("f8E4M3FN", "f8E5M2", _SCALE, "f6E2M3FN", "f6E3M2FN", "f4E2M1FN")
_ROUNDINGS = ("rn", "rz", "rm", "rp")


def _formats(op: Operation, narrow: Attribute, wide: Attribute) -> None:
    if narrow.name not in _NARROW:
        raise VerifyException(f"expected a packed format of {', '.join(_NARROW)}, got '{narrow}'")
    if wide == HALVES and narrow.name == _SCALE:
        raise VerifyException("f8E8M0FNU is converted from and to bf16 and f32 only")
    if wide == BRAINS and narrow.name != _SCALE:
        raise VerifyException(f"{narrow.name} is converted from and to f16 and f32 only")


def _relu(op: nvgpu.CvtFpextOp | nvgpu.CvtFptruncOp, narrow: Attribute) -> None:
    if op.relu.value.data and narrow.name == _SCALE:
        raise VerifyException("relu is not supported for f8E8M0FNU")


def extension(op: nvgpu.CvtFpextOp) -> None:
    """A format that the wide type goes with; `relu` is not for scales."""
    _formats(op, op.src_type, op.out.type)
    _relu(op, op.src_type)


def truncation(op: nvgpu.CvtFptruncOp) -> None:
    """A format that the wide type goes with, and its rounding."""
    _formats(op, op.dst_ty, op.in_.type)
    name, rounding = op.dst_ty.name, op.rnd.data.value
    allowed = ("rz", "rp") if name == _SCALE else ("rn",)
    if rounding not in allowed:
        raise VerifyException(f"expected rnd to be {' or '.join(allowed)} for {name}, got {rounding}")
    _relu(op, op.dst_ty)


def rounding(op: nvgpu.MulPackedF32X2Op | nvgpu.FmaPackedF32X2Op) -> None:
    """A rounding mode of arithmetic."""
    if op.rnd.data.value not in _ROUNDINGS:
        raise VerifyException(f"expected rnd to be {' or '.join(_ROUNDINGS)}, got {op.rnd.data.value}")
