"""How verifiers word their findings.

MLIR prefixes most messages with the operation (`'nvgpu.mma.sync' op expected ...`) and some not; a verifier raises
`VerifyException` for the former and `PlainVerifyException` for the latter.
"""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, IntegerAttr, IntegerType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException


class PlainVerifyException(VerifyException):
    """A finding that MLIR reports without the name of the operation."""


def is_shared(memory_space: Attribute) -> bool:
    """Whether a memref's memory space is the block's shared memory: 3 or `#gpu.address_space<workgroup>`."""
    if isinstance(memory_space, IntegerAttr):
        return memory_space.value.data == 3
    if memory_space.name != "gpu.address_space":
        return False
    from weft.dialects.gpu.types import AddressSpace, AddressSpaceAttr

    return isinstance(memory_space, AddressSpaceAttr) and memory_space.data is AddressSpace.WORKGROUP


def element_bits(element: Attribute) -> int | None:
    """Bits of an integer or floating-point type; None for other types."""
    if isinstance(element, IntegerType):
        return element.bitwidth
    return element.bitwidth if isinstance(element, AnyFloat) else None
