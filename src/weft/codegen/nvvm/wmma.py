"""Matrices of a warp in fragments of the hardware's own layout: `nvvm.wmma.*`."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from weft.codegen.access import generic
from weft.codegen.nvvm.fragments import outputs, read_product, registers
from weft.codegen.selector import Selector, handles
from weft.codegen.types import pointer_space
from weft.dialects import narrow
from weft.isa import opcode


def _shape(op: Operation) -> str:
    return "".join(f"{x}{narrow.number(op.properties[x])}" for x in "mnk")


def _word(op: Operation, name: str) -> str:
    return narrow.word(op.properties[name])


def _place(s: Selector, op: Operation) -> tuple[Any, str]:
    """The matrix's address, and its state space."""
    pointer = op.operands[0]
    space = pointer_space(pointer.type)
    address = s.int(pointer)
    return s.address(address if space else generic(s, address)), space


@handles("nvvm.wmma.load")
def select_load(s: Selector, op: Operation) -> None:
    """A matrix from memory."""
    where, space = _place(s, op)
    text = opcode(
        "wmma.load",
        matrix=_word(op, "frag"),
        layout=_word(op, "layout"),
        shape=_shape(op),
        ss=space,
        type=_word(op, "eltype"),
    )
    outs = outputs(s, op)
    s.read(text, outs, where, s.operand(s.int(op.operands[1])), outs=outs)


@handles("nvvm.wmma.store")
def select_store(s: Selector, op: Operation) -> None:
    """A matrix to memory."""
    where, space = _place(s, op)
    text = opcode(
        "wmma.store", matrix="d", layout=_word(op, "layout"), shape=_shape(op), ss=space, type=_word(op, "eltype")
    )
    stride = op.operands[-1]
    s.emit(text, where, registers(s, op.operands[1:-1]), s.operand(s.int(stride)))


@handles("nvvm.wmma.mma")
def select_mma(s: Selector, op: Operation) -> None:
    """D = A * B + C."""
    multiplicand, accumulator = _word(op, "eltypeA"), _word(op, "eltypeB")
    slots = {"dtype": accumulator, "ctype": accumulator}
    if multiplicand != "f16":  # Which needs no saying.
        slots |= {"atype": multiplicand, "btype": multiplicand}
    layouts = {"alayout": _word(op, "layoutA"), "blayout": _word(op, "layoutB")}
    read_product(s, op, opcode("wmma.mma", **layouts, shape=_shape(op), **slots))
