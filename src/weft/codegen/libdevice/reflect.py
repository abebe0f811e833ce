"""`__nvvm_reflect("__CUDA_FTZ")`: what libdevice asks about how it is compiled, answered as LLVM's NVVMReflect does."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation, SSAValue

from weft.codegen import linear
from weft.codegen.selector import Selector
from weft.dialects.strings import text_bytes
from weft.dialects.traits import inherent
from weft.mlir import compile_error

NAMES = ("__nvvm_reflect", "__nvvm_reflect_ocl")
"""The second is what OpenCL's front end calls it."""
_THROUGH = ("llvm.addrspacecast", "llvm.bitcast", "llvm.getelementptr")
_FLUSH = "nvvm-reflect-ftz"


def select(s: Selector, call: Any) -> None:
    """The answer, a number: whether denormals are flushed (a flag of the module), the target, 0 for anything else."""
    question = _text(call, call.operands[-1])
    answer = 0
    if question == "__CUDA_FTZ":
        answer = _flag(call, _FLUSH)
    elif question == "__CUDA_ARCH":
        answer = 10 * s.module.target.number
    s.values[call.results[0]] = linear.const32(answer)


def _scope(op: Operation) -> list[Operation]:
    """The operations of the module around the function that an operation is in."""
    function: Any = op
    while function.parent_op().name not in ("builtin.module", "gpu.module"):
        function = function.parent_op()
    return list(function.parent_op().regions[0].blocks[0].ops)


def _text(call: Any, pointer: SSAValue) -> str:
    """The string that a pointer points to; raises CompileError."""
    made: Any = pointer.owner
    while getattr(made, "name", "") in _THROUGH:
        made = made.operands[0].owner
    if getattr(made, "name", "") == "llvm.mlir.addressof":
        name = made.properties["global_name"].root_reference.data
        for op in _scope(call):
            if op.name == "llvm.mlir.global" and getattr(inherent(op, "sym_name"), "data", "") == name:
                text = text_bytes(inherent(op, "value"))
                if text is not None:
                    return text.rstrip(b"\0").decode("latin-1")
    raise compile_error(call, "the string that __nvvm_reflect asks for is not a constant")


def _flag(call: Any, name: str) -> int:
    """A flag of the module, 0 if it has none."""
    for op in _scope(call):
        if op.name == "llvm.module_flags":
            flags: Any = inherent(op, "flags")
            for flag in flags.data:
                if flag.key.data == name:
                    return int(flag.value.value.data)
    return 0
