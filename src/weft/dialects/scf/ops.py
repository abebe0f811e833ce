"""The operations of `scf` that are rows (`weft.dialects.engine.operations`); the others derive from xDSL's."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.irdl import base

from weft.dialects.engine.operations import Table
from weft.dialects.verification import Described

ROWS = """
execute_region region:region -> outs:any* | no_inline? | syntax(regions.execute_region) |
    xdsl.ExecuteRegionOp regions.verify_execute_region | | run a region of any number of blocks once
forall dynamic_lower_bound:index* dynamic_upper_bound:index* dynamic_step:index* outputs:tensor* region:body ->
    results_:any* | staticLowerBound:array staticUpperBound:array staticStep:array mapping?:list |
    syntax(forall.forall) | recursive forall.verify_forall | |
    run the body once for each point of a box, in any order or at once
forall.in_parallel region:body | | syntax(forall.in_parallel) |
    parent=scf.forall terminator no_terminator pure forall.verify_in_parallel | |
    the end of the body of `scf.forall`, which says what becomes of the tensors
reduce.return result:any | | $result attr-dict `:` type($result) |
    xdsl.ReduceReturnOp parallel.verify_reduce_return | | what the region of a reduction gives
while arguments:any* before_region:body after_region:body -> res:any* | | syntax(loops.while) |
    xdsl.WhileOp loops.verify_while | | run the second region as long as the first one says so
"""
TABLE = Table("scf", ROWS, {"tensor": Described(base(TensorType), "ranked tensor of any type values")}, {})
