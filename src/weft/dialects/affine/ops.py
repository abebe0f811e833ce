"""The operations of `affine` that are rows (`weft.dialects.engine.rows`): memory at indices that a map gives."""

from __future__ import annotations

from xdsl.dialects.builtin import AffineSetAttr, BoolAttr, MemRefType, UnitAttr, VectorType, i1
from xdsl.irdl import AnyAttr, VarConstraint, base

from weft.dialects.affine.access import Access
from weft.dialects.engine.operations import Table
from weft.dialects.memref.directives import Choice

ROWS = """
apply mapOperands:index* -> result:index | map:map | syntax(maps.apply) |
    xdsl.ApplyOp maps.verify_apply own | | the only result of a map
delinearize_index linear_index:index dynamic_basis:index* -> multi_index:index* | static_basis:array |
    syntax(maps.delinearize) | pure maps.verify_delinearize own | | the digits of an index in a mixed basis
dma_start values:any* | | syntax(dma.dma_start) | dma.verify_dma_start own | | the start of a transfer between buffers
dma_wait values:any* | | syntax(dma.dma_wait) | dma.verify_dma_wait own | | the wait for a transfer
for lowerBoundOperands:index* upperBoundOperands:index* inits:any* body:region.single=region -> res:any* |
    lowerBoundMap:map step:index upperBoundMap:map | syntax(loops.for) | xdsl.ForOp loops.verify_for own bounds! | | a
    loop whose bounds are maps
if args:any* then_region:region.single=thenRegion else_region:region=elseRegion -> res:any* | condition:set |
    syntax(loops.if) | xdsl.IfOp if loops.verify_if own | | one region or another, by a set of integers
linearize_index multi_index:index* dynamic_basis:index* -> linear_index:index | static_basis:array disjoint?:disjoint |
    syntax(maps.linearize) | pure maps.verify_linearize own | | an index from its digits in a mixed basis
load memref:memref indices:index* -> result:any=element | map:map |
    PLACE attr-dict `:` type($memref) | xdsl.LoadOp access.subscripts loaded own | | an element
max arguments:index* -> result:index | map:map | syntax(maps.max) | pure maps.verify_max counts own | | the largest
    result of a map
min arguments:index* -> result:index | map:map | syntax(maps.min) |
    xdsl.MinOp maps.verify_min counts own | | the smallest result of a map
parallel map_operands:index* body:region.single=region -> res:any* | reductions:list lowerBoundsMap:map
    lowerBoundsGroups:any upperBoundsMap:map upperBoundsGroups:any steps:i64s | syntax(loops.parallel) |
    xdsl.ParallelOp loops.verify_parallel own | | the body once for each point of a box, in any order, and reductions
prefetch memref:memref indices:index* | isWrite:bool localityHint:i32 isDataCache:bool map:map |
    PLACE `,` custom<Choice>($isWrite) `,` `locality` `` `<` $localityHint `>` `,` custom<Choice>($isDataCache)
    attr-dict `:` type($memref) |
    access.prefetch own | | a hint to load a line into the cache
store value:any=element memref:memref indices:index* | map:map |
    $value `,` PLACE attr-dict `:` type($memref) | xdsl.StoreOp access.subscripts stored own | | an element, written
vector_load memref:memref indices:index* -> result:vector | map:map |
    PLACE attr-dict `:` type($memref) `,` type($result) | xdsl.VectorLoadOp access.subscripts vector own | | some
    elements
vector_store value:vector memref:memref indices:index* | map:map |
    $value `,` PLACE attr-dict `:` type($memref) `,` type($value) |
    xdsl.VectorStoreOp access.subscripts vector own | | some elements, written
yield arguments:any* | | attr-dict ($arguments^ `:` type($arguments))? |
    xdsl.YieldOp loops.verify_yield own | | the results of the operation around it
"""

_ELEMENT = VarConstraint("T", AnyAttr())

TABLE = Table(
    "affine",
    ROWS,
    {"element": _ELEMENT, "memref": MemRefType.constr(_ELEMENT), "vector": VectorType.constr(_ELEMENT)},
    {"disjoint": base(UnitAttr) | BoolAttr.constr(i1), "set": AffineSetAttr},
    (Access, Choice),
    parts={"PLACE": "custom<Access>($memref, $map, $indices)"},
    vocabulary="affine",
)
