"""The operation of `cf` that is a row (`weft.dialects.engine.operations`): a branch with weights."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase

from weft.dialects.engine.operations import Table

ROWS = """
cond_br cond:i1 then_arguments:any* else_arguments:any* then_block:block else_block:block | branch_weights?:dense |
    syntax(branches.cond_br) | xdsl.ConditionalBranchOp | | one block or another, by a bit
"""
TABLE = Table("cf", ROWS, {}, {"dense": DenseArrayBase})
