"""The instruction that one operation of `nvvm` becomes, asked of the selection itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xdsl.ir import Operation

from weft.codegen.asm import Asm
from weft.codegen.asm import instructions as inline
from weft.codegen.frame import FunctionSelector
from weft.codegen.graph import Block, Inst, Loop, Value
from weft.codegen.module import ModuleCompiler
from weft.codegen.types import layout
from weft.dialects.nvvm.instructions import INSTRUCTIONS
from weft.isa import Opcode, target
from weft.mlir import compile_error

_CONSTANTS = ("llvm.mlir.constant", "arith.constant")


def instruction(op: Operation, target_name: str = "sm_100a") -> Opcode:
    """The opcode that an operation of `nvvm` is selected to for a target, which need not have it: `opcode.windows` says
    where it exists, `opcode.slots` what the operation's attributes are in PTX.

    Raises CompileError for operations that are no instruction, and for what PTX has no instruction for.
    """
    stems = INSTRUCTIONS.get(op.name)
    if stems is None:
        raise compile_error(op, "this operation does not lower to a single instruction")
    compiler = ModuleCompiler(target(target_name), None, bare_pointers=False)
    s = FunctionSelector(compiler, op, "f", 0, kernel=False)
    for operand in op.operands:
        owner: Any = operand.owner
        if getattr(owner, "name", "") in _CONSTANTS:
            s.select(owner)
        elif operand not in s.values:
            scalars = tuple(s.wrapped(Value(kind.cls, s.root), kind) for kind in layout(operand.type).scalars)
            s.values[operand] = s.unflatten(operand.type, scalars)
    s.select(op)
    for opcode in _opcodes(s.root):
        if opcode.stem in stems and (opcode.stem != "cvt" or _is_conversion(opcode)):
            return opcode
    raise compile_error(op, "this operation lowers to no instruction")


def _is_conversion(opcode: Opcode) -> bool:
    """Whether a `cvt` has a float type, as those that move registers about have not."""
    return any("f" in opcode.get(slot) or "e" in opcode.get(slot) for slot in ("type", "atype"))


def _opcodes(block: Block) -> Iterator[Opcode]:
    for item in block.items:
        if isinstance(item, Asm):
            yield from (statement.opcode for statement in inline(item.statements))
        elif isinstance(item, Inst):
            yield item.opcode
        elif isinstance(item, Loop):
            yield from _opcodes(item.body)
