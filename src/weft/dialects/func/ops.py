"""The operations of `func` that are rows (`weft.dialects.engine.rows`): functions as values."""

from __future__ import annotations

from xdsl.dialects.builtin import FunctionType

from weft.dialects.engine.operations import Table

ROWS = """
call arguments:any* -> res:any* | arg_attrs?:list callee:ref no_inline? res_attrs?:list | xdsl | | | a function called
call_indirect callee:function callee_operands:any* -> results_:any* | arg_attrs?:list res_attrs?:list |
    syntax(indirect.call_indirect) | indirect | | call a function that is a value
constant -> result:any | value:ref | attr-dict $value `:` type($result) |
    constant pure | | a function as a value
func body:region | arg_attrs?:list function_type:type no_inline? res_attrs?:list sym_name:symbol
    sym_visibility?:string | class(function.FuncOp) | function | | a function
return arguments:any* | | xdsl | in_function terminator return | | the end of a function
"""
TABLE = Table("func", ROWS, {"function": FunctionType}, {}, vocabulary="func")
