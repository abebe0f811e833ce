"""The operations of `func` that are rows (`weft.dialects.engine.operations`): functions as values."""

from __future__ import annotations

from xdsl.dialects.builtin import FunctionType

from weft.dialects.engine.operations import Table

ROWS = """
call_indirect callee:function callee_operands:any* -> results_:any* | |
    syntax(indirect.call_indirect) | | | call a function that is a value
constant -> result:any | value:ref | attr-dict $value `:` type($result) |
    constant pure indirect.verify_constant | | a function as a value
"""
TABLE = Table("func", ROWS, {"function": FunctionType}, {})
