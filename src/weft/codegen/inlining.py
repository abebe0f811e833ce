"""Calls of functions of the module, selected where they are called: ptxas leaves every call of a function as it is.

A function whose body is one block can be: its operations are selected again for each call. Recursive ones, those that
say that they are not to be, and those that another module may replace remain calls.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from weft.codegen.calls import copied
from weft.codegen.directives import find
from weft.codegen.linkage import EXTERNAL, linkage_of
from weft.codegen.selector import Selector
from weft.codegen.structuring import RETURNS
from weft.dialects import narrow
from weft.mlir.walking import operations_in

MOST_OPERATIONS = 400
"""The most operations of a function that becomes a part of others."""
_IN_ALL = 4000
"""Operations that a function takes in."""
_OWN = frozenset((EXTERNAL, "internal", "private", "linkonce_odr", "weak_odr"))
"""Linkages of functions whose definition is the one that is called."""


def inline(s: Selector, op: Operation, name: str) -> bool:
    """Select the body of a function in place of a call; False where it has to be called."""
    callee = s.module.defined(name)
    if callee is None or not _is_small(s, callee, name) or find(op, "no_inline") is not None or copied(op):
        return False
    block: Any = callee.regions[0].first_block
    if len(block.args) != len(op.operands):
        return False
    for argument, operand in zip(block.args, op.operands, strict=True):
        s.values[argument] = s.get(operand)
    s.inlining.append(name)
    notes, s.notes = s.notes, None  # A debugger looks for variables in the function that is called.
    last = s.select_block(block)
    s.notes = notes
    s.inlining.pop()
    s.source = op
    for result, returned in zip(op.results, last.operands, strict=True):
        s.values[result] = s.get(returned)
    return True


def _is_kept(callee: Operation) -> bool:
    """Whether a function says that it is to be called."""
    passed = find(callee, "passthrough")
    words = {narrow.text(word) for word in passed if isinstance(word, StringAttr)} if passed is not None else set[str]()
    return find(callee, "no_inline", "optimize_none") is not None or not words.isdisjoint(("noinline", "optnone"))


def _is_small(s: Selector, callee: Operation, name: str) -> bool:
    """Whether a function can be selected where it is called, as far as that has not been done too often."""
    if name == s.name or name in s.inlining or len(callee.regions[0].blocks) > 1:
        return False
    last = callee.regions[0].blocks[0].last_op
    if last is None or last.name not in RETURNS or _is_kept(callee):
        return False
    if linkage_of(callee) not in _OWN or copied(callee):
        return False
    size = len(operations_in(callee.regions))
    if size > MOST_OPERATIONS or s.inlined + size > _IN_ALL:
        return False
    s.inlined += size
    return True
