"""The operations of `scf` that are rows (`weft.dialects.engine.rows`); the others derive from xDSL's."""

from __future__ import annotations

from weft.dialects.engine.operations import Table

ROWS = """
condition condition:i1 args:any* | | xdsl | own | | whether a `scf.while` goes on, and with what
execute_region region:region -> outs:any* | no_inline? | syntax(regions.execute_region) |
    xdsl.ExecuteRegionOp regions.verify_execute_region own | | run a region of any number of blocks once
for lb:number ub:number step:number iter_args:any* body:region.single=region -> res:any* | unsignedCmp? |
    syntax(loops.for) | xdsl.ForOp alike loops.verify_for own | | a loop from a bound to another by steps
forall dynamic_lower_bound:index* dynamic_upper_bound:index* dynamic_step:index* outputs:tensor* region:region.single ->
    results_:any* | staticLowerBound:array staticUpperBound:array staticStep:array mapping?:list |
    syntax(forall.forall) | recursive forall.verify_forall own | |
    run the body once for each point of a box, in any order or at once
forall.in_parallel region:region.single | | syntax(forall.in_parallel) |
    parent=scf.forall terminator no_terminator pure forall.verify_in_parallel own | |
    the end of the body of `scf.forall`, which says what becomes of the tensors
if cond:i1 true_region:region.single=thenRegion false_region:region.most=elseRegion -> output:any* | |
    syntax(loops.if) | xdsl.IfOp loops.verify_if own | | one region or another, by a bit
index_switch arg:index default_region:region.single=defaultRegion case_regions:region.single=caseRegions* ->
    output:any* | cases:array | syntax(regions.index_switch) | xdsl.IndexSwitchOp regions.verify_index_switch own | |
    the region of a number, or another
parallel lowerBound:index* upperBound:index* step:index* initVals:any* body:region.single=region -> res:any* | |
    syntax(parallel.parallel) | xdsl.ParallelOp parallel.verify_parallel own | | the body once for each point of a
    box, in any order, and reductions
reduce args:any* reductions:region.single* | | syntax(parallel.reduce) | xdsl.ReduceOp parallel.verify_reduce own | |
    values combined over a `scf.parallel`
reduce.return result:any | | $result attr-dict `:` type($result) |
    xdsl.ReduceReturnOp parallel.verify_reduce_return own | | what the region of a reduction gives
while arguments:any* before_region:region.single=before after_region:region.single=after -> res:any* | |
    syntax(loops.while) |
    xdsl.WhileOp loops.verify_while own | | run the second region as long as the first one says so
"""
TABLE = Table(
    "scf",
    ROWS,
    {},
    {},
    vocabulary="scf",
)
