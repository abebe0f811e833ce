"""`wgmma`: asynchronous products of a warpgroup, sm_90a only."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from xdsl.dialects.llvm import LLVMStructType
from xdsl.utils.exceptions import VerifyException

from weft.isa import legal_opcode

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm


def product(op: nvvm.WgmmaMmaAsyncOp) -> None:
    """There is such a product, its layouts are those of its type, and its result is its accumulator's registers."""
    _verify_product(op)
    _verify_layouts(op)
    _verify_registers(op)
    if op.satfinite is not None and op.satfinite.data == "satfinite":
        accumulator = op.type_d.data.value
        if accumulator != "s32":
            raise VerifyException(
                f" `satfinite` can be only used with s32 accumulator, however the current accumulator is {accumulator}"
            )


_TRANSPOSABLE = ("f16", "bf16")
_DEPTHS = (8, 16, 32, 256)


@cache
def _exists(d: str, a: str, b: str, n: int, k: int) -> bool:
    """Whether the ISA table has such a wgmma; MLIR lets bf16 products go into f16, as those of f16 do."""
    accumulator = "f32" if (d, a, b) == ("f16", "bf16", "bf16") else d
    types = {"dtype": accumulator, "atype": a, "btype": b, "bitop": "and" if a == "b1" else ""}
    return legal_opcode("wgmma.mma_async", shape=f"m64n{n}k{k}", **types) is not None


def _verify_product(op: nvvm.WgmmaMmaAsyncOp) -> None:
    if op.inouts.type != op.results_.type:
        raise VerifyException("failed to verify that input struct and result struct must be the same type")
    d, a, b = op.type_d.data.value, op.type_a.data.value, op.type_b.data.value
    if d not in ("f32", "f16", "s32"):
        raise VerifyException(f"does not support the given output type {d}")
    if d == "s32" and any(scale.data == "neg" for scale in (op.scale_a, op.scale_b)):
        raise VerifyException("has s32 output, scaleA and scaleB cannot be neg")
    depth = next((k for k in _DEPTHS if _exists(d, a, b, 8, k)), None)
    if depth is None:
        raise VerifyException(f"{d} += {a} * {b}, it is not supported.")
    m, n, k = op.shape.sizes
    if m != 64:
        raise VerifyException("shape 'm' must be 64")
    if k != depth:
        raise VerifyException(f"shape 'k' must be {depth} for input type {a}")
    if not _exists(d, a, b, n, k):
        raise VerifyException(f"has input type {a} n is set to {n}, it is not supported.")


def _verify_layouts(op: nvvm.WgmmaMmaAsyncOp) -> None:
    a, b = op.type_a.data.value, op.type_b.data.value
    layouts = (op.layout_a.data.value, op.layout_b.data.value)
    if a not in _TRANSPOSABLE and layouts != ("row", "col"):
        raise VerifyException(
            f"given layouts layout_a = {layouts[0]} and layout_b = {layouts[1]} for input types {a} and {b} "
            "requires transpose. However, this is only supported for: f16 and bf16"
        )


def _verify_registers(op: nvvm.WgmmaMmaAsyncOp) -> None:
    result = op.results_.type
    assert isinstance(result, LLVMStructType)
    types = list(result.types)
    other = next((found for found in types if found != types[0]), None)
    if other is not None:
        raise VerifyException(f"all elements in struct must be same type but there is '{other}'")
    expected = op.shape.sizes[1] // (4 if op.type_d.data.value == "f16" else 2)
    if len(types) != expected:
        raise VerifyException(f"results {expected}, however output struct has {len(types)} elements")
