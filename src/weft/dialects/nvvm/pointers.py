"""LLVM pointer types by memory, with NVPTX's numbering of address spaces."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

GENERIC = LLVMPointerType()
"""A generic address: `!llvm.ptr`."""

GLOBAL = LLVMPointerType(IntAttr(1))
"""Global memory: `!llvm.ptr<1>`."""

SHARED = LLVMPointerType(IntAttr(3))
"""The block's shared memory: `!llvm.ptr<3>`."""

SHARED_CLUSTER = LLVMPointerType(IntAttr(7))
"""The shared memory of any block of the cluster: `!llvm.ptr<7>`."""

TENSOR = LLVMPointerType(IntAttr(6))
"""Tensor memory: `!llvm.ptr<6>`."""

_SPACES = {GENERIC: 0, GLOBAL: 1, SHARED: 3, TENSOR: 6, SHARED_CLUSTER: 7}


def verify_space(value: SSAValue, index: int, allowed: Sequence[LLVMPointerType]) -> None:
    """Check that operand `index` is a pointer into one of the memories that are allowed.

    Raises:
        VerifyException: it is not.
    """
    if value.type in allowed:
        return
    spaces = " or ".join(f"LLVM pointer in address space {_SPACES[pointer]}" for pointer in allowed)
    raise VerifyException(f"operand #{index} must be {spaces}, but got '{value.type}'")
