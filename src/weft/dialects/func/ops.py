"""The operations of `func` that are rows (`weft.dialects.engine.rows`): functions as values."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType

from weft.dialects.engine.operations import Table

ROWS = """
call arguments:any* -> res:any* | arg_attrs?:notes callee:ref no_inline? res_attrs?:notes | xdsl | | | a function called
call_indirect callee:function callee_operands:any* -> results_:any* | arg_attrs?:notes res_attrs?:notes |
    syntax(indirect.call_indirect) | indirect | | call a function that is a value
constant -> result:any | value:ref | attr-dict $value `:` type($result) |
    constant pure | | a function as a value
func body:region | arg_attrs?:notes function_type no_inline? res_attrs?:notes sym_name:symbol
    sym_visibility?:string | syntax(function.function) | xdsl.FuncOp function | | a function
return arguments:any* | | xdsl | in_function terminator return | | the end of a function
"""
TABLE = Table(
    "func",
    ROWS,
    {"function": FunctionType},
    {"function_type": FunctionType, "notes": ArrayAttr[DictionaryAttr]},
    vocabulary="func",
)
