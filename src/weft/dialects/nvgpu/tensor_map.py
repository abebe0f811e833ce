"""Checks of what edits a tensor map on the device, in a buffer of 128 bytes in shared memory (`tensormap.replace`).

A tensor map is copied to the buffer, edited there, and written to global memory by
`nvgpu.tensormap.create.descriptor`; who reads it then fences with `nvgpu.tma.fence.descriptor`.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from xdsl.utils.exceptions import VerifyException

from weft.dialects.narrow import known_memref
from weft.dialects.verification import element_bits, is_shared

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu

_BYTES, _MOST_DIMENSIONS = 128, 5


def buffer(
    op: nvgpu.TensormapCreateDescriptorOp
    | nvgpu.TensormapUpdateElementStrideOp
    | nvgpu.TensormapUpdateBoxDimOp
    | nvgpu.TensormapUpdateGlobalAddressOp,
) -> None:
    """The first operand is 128 bytes in shared memory."""
    kind = known_memref(op.operands[0].type)
    if not is_shared(kind.memory_space):
        raise VerifyException("expected the tensor map's buffer in shared memory")
    width = element_bits(kind.element_type)
    if width is None or not kind.has_static_shape() or prod(kind.get_shape()) * width != _BYTES * 8:
        raise VerifyException(f"expected a buffer of {_BYTES} bytes, got '{kind}'")


def dimension(op: nvgpu.TensormapUpdateElementStrideOp | nvgpu.TensormapUpdateBoxDimOp) -> None:
    """`ord` is one of five dimensions."""
    if not 0 <= op.ord.value.data < _MOST_DIMENSIONS:
        raise VerifyException(f"expected ord to be between 0 and {_MOST_DIMENSIONS - 1}, got {op.ord.value.data}")
