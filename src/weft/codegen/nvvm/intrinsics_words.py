"""Intrinsics of LLVM whose opcode depends on more than their name: words, and special registers."""

from __future__ import annotations

import re

from xdsl.ir import Operation

from weft.codegen.nvvm.fragments import outputs
from weft.codegen.nvvm.intrinsics import family, number, operand
from weft.codegen.selector import Selector
from weft.isa import opcode
from weft.ptx.operands import Register


@family(r"vote\.(all|any|uni|ballot)")
def _vote(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    code = opcode("vote", mode=name[1], type="b32" if name[1] == "ballot" else "pred").unsynchronised
    s.emit(code, *outs, operand(s, op.operands[0]), outs=outs)


@family(r"flo\.([su])\.i(32|64)")
def _leading(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    code = opcode("bfind", shiftamt=bool(number(op, op.operands[1])), type=f"{name[1]}{name[2]}")
    s.emit(code, *outs, operand(s, op.operands[0]), outs=outs)


@family(r"idp2a\.([su])\.([su])")
def _dot(s: Selector, op: Operation, name: re.Match[str]) -> None:
    a, b, high, c = op.operands
    outs = outputs(s, op)
    code = opcode("dp2a", mode="hi" if number(op, high) else "lo", atype=f"{name[1]}32", btype=f"{name[2]}32")
    s.emit(code, *outs, *(operand(s, v) for v in (a, b, c)), outs=outs)


@family(r"read\.ptx\.sreg\.((?:cluster\.)?\w+)\.w|read\.ptx\.sreg\.(pm\d)|is_explicit_cluster")
def _special(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    register = f"%{name[1].replace('.', '_')}.w" if name[1] else f"%{name[2]}" if name[2] else "%is_explicit_cluster"
    code = opcode("mov", type="pred" if register == "%is_explicit_cluster" else "u32")
    s.read(code, *outs, Register(register), outs=outs)
