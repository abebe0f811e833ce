"""LLVM pointer types by memory, with NVPTX's numbering of address spaces."""

from __future__ import annotations

from xdsl.dialects.builtin import IntAttr
from xdsl.dialects.llvm import LLVMPointerType

GENERIC = LLVMPointerType()
"""A generic address: `!llvm.ptr`."""

GLOBAL = LLVMPointerType(IntAttr(1))
"""Global memory: `!llvm.ptr<1>`."""

SHARED = LLVMPointerType(IntAttr(3))
"""The block's shared memory: `!llvm.ptr<3>`."""

CONSTANT = LLVMPointerType(IntAttr(4))
"""Constant memory: `!llvm.ptr<4>`."""

LOCAL = LLVMPointerType(IntAttr(5))
"""One thread's own memory: `!llvm.ptr<5>`."""

TENSOR = LLVMPointerType(IntAttr(6))
"""Tensor memory: `!llvm.ptr<6>`."""

SHARED_CLUSTER = LLVMPointerType(IntAttr(7))
"""The shared memory of any block of the cluster: `!llvm.ptr<7>`."""
