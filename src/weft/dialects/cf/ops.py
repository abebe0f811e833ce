"""The operation of `cf` that is a row (`weft.dialects.engine.rows`): a branch with weights."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase

from weft.dialects.engine.operations import Table

ROWS = """
assert arg:i1 | msg:string | xdsl | | | the end of the program where a bit is not set
br arguments:any* successor:block | | xdsl | branch terminator | | a block
cond_br cond:i1 then_arguments:any* else_arguments:any* then_block:block else_block:block | branch_weights?:dense |
    syntax(branches.cond_br) | xdsl.ConditionalBranchOp branch terminator | | one block or another, by a bit
switch flag:integer default_operands:any* case_operands:any* default_block:block case_blocks:block* |
    case_operand_segments:i32s case_values?:any | xdsl | branch terminator switch | | the block of a number, or another
"""
TABLE = Table("cf", ROWS, {}, {"dense": DenseArrayBase}, vocabulary="func")
