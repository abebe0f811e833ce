"""Matrices of a warp in fragments of the hardware's own layout: `nvvm.wmma.*`."""

from __future__ import annotations

from typing import Any

from weft.codegen.nvvm.fragments import counts, outputs, registers
from weft.codegen.selector import Selector, handles
from weft.codegen.types import pointer_space
from weft.mlir import compile_error


def _shape(op: Any) -> str:
    return "".join(f"{x}{op.properties[x].value.data}" for x in "mnk")


def _word(op: Any, name: str) -> str:
    return op.properties[name].data.value


def _place(s: Selector, op: Any) -> tuple[Any, str]:
    """The matrix's address, and its state space as a modifier."""
    pointer = op.operands[0]
    space = pointer_space(pointer.type)
    return s.address(s.int(pointer)), f".{space}" if space else ""


@handles("nvvm.wmma.load")
def select_load(s: Selector, op: Any) -> None:
    """A matrix from memory."""
    where, space = _place(s, op)
    text = f"wmma.load.{_word(op, 'frag')}.sync.aligned.{_word(op, 'layout')}.{_shape(op)}{space}.{_word(op, 'eltype')}"
    outs = outputs(s, op)
    s.read(text, outs, where, s.operand(s.int(op.operands[1])), outs=outs)


@handles("nvvm.wmma.store")
def select_store(s: Selector, op: Any) -> None:
    """A matrix to memory."""
    where, space = _place(s, op)
    text = f"wmma.store.d.sync.aligned.{_word(op, 'layout')}.{_shape(op)}{space}.{_word(op, 'eltype')}"
    stride = op.operands[-1]
    s.emit(text, where, registers(s, op.operands[1:-1]), s.operand(s.int(stride)))


_BITS = "b1"


@handles("nvvm.wmma.mma")
def select_mma(s: Selector, op: Any) -> None:
    """D = A * B + C."""
    multiplicand, accumulator = _word(op, "eltypeA"), _word(op, "eltypeB")
    types = f"{accumulator}.{multiplicand}.{multiplicand}.{accumulator}"
    if multiplicand == "f16":
        types = f"{accumulator}.{accumulator}"
    stem = "wmma.mma.xor.popc" if multiplicand == _BITS else "wmma.mma"
    text = f"{stem}.sync.aligned.{_word(op, 'layoutA')}.{_word(op, 'layoutB')}.{_shape(op)}.{types}"
    found = counts(text)
    values = registers(s, op.operands)
    if sum(found.get(name, 0) for name in "abc") != len(values):
        raise compile_error(op, f"'{text}' does not take {len(values)} registers")
    a, b = found["a"], found["a"] + found["b"]
    outs = outputs(s, op)
    s.read(text, outs, values[:a], values[a:b], values[b:], outs=outs)
