"""The operations of `memref` that are rows (`weft.dialects.engine.operations`); what is asked of them is in `rules`."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AnyFloatConstr,
    DenseIntOrFPElementsAttr,
    MemRefType,
    SignlessIntegerConstraint,
    UnitAttr,
    UnrankedMemRefType,
)
from xdsl.dialects.utils.dynamic_index_list import DynamicIndexList
from xdsl.irdl import AnyAttr, RangeOf, RangeVarConstraint, VarConstraint, base

from weft.dialects.arith.directives import PropertyWord
from weft.dialects.engine.operations import Table
from weft.dialects.verification import Described

ROWS = """
alloca_scope scope:region -> res:any* | | syntax(scopes.scope) |
    xdsl.AllocaScopeOp scopes.verify_scope | | what `memref.alloca` takes inside is given back at the end
alloca_scope.return ops:any* | | attr-dict ($ops^ `:` type($ops))? |
    xdsl.AllocaScopeReturnOp | | the end of a `memref.alloca_scope`
atomic_rmw value:number memref:numbers indices:index* -> result:number | kind:i64 |
    custom<PropertyWord>($kind) $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)`
    `->` type($result) |
    reads writes | | an element combined with a value; the result is what it was before
atomic_yield result:any -> | | $result attr-dict `:` type($result) |
    terminator | | the new element, at the end of `memref.generic_atomic_rmw`
cast source:both -> dest:both | | $source TYPES type($dest) |
    no_effect | | the same buffer with more or less known statically
copy source:both target:both -> | | $source `,` $target attr-dict `:` type($source) `to` type($target) |
    reads writes | | the elements of a buffer written to another
distinct_objects buffers:buffers* -> same:buffers* | | $buffers attr-dict `:` type($buffers) |
    | | the same buffers, known not to overlap
dma_start values:any* | | syntax(transfers.start) | | | the start of a transfer
dma_wait tag:memref tag_indices:index* num_elements:index -> | |
    $tag `[` $tag_indices `]` `,` $num_elements attr-dict `:` type($tag) | | | wait for a transfer
extract_aligned_pointer_as_index source:both -> aligned_pointer:index | |
    $source `:` type($source) `->` type(results) attr-dict |
    no_effect | | the address of element 0, before the layout's offset
generic_atomic_rmw memref:of_elements indices:index* atomic_body:region -> result:element | |
    $memref `[` $indices `]` `:` type($memref) $atomic_body attr-dict |
    reads writes | | an element combined by a region; the result is what it was before
global | sym_name:symbol sym_visibility?:string type:buffer initial_value?:initial constant? alignment?:i64 |
    syntax(memory.global) | symbol memory.verify_global | |
    a buffer of the module: a declaration without a value, with unknown content where it is `uninitialized`
memory_space_cast source:both -> dest:both | | $source TYPES type($dest) |
    no_effect | | the same buffer seen through another memory space
prefetch memref:memref indices:index* | isWrite:bool localityHint:i32 isDataCache:bool |
    syntax(memory.prefetch) | | | a hint to load a line into the cache
rank memref:both -> rank:index | | $memref attr-dict `:` type($memref) | no_effect | | the number of dimensions
realloc source:memref dynamic_result_size:index? -> result:memref | alignment?:i64 |
    $source (`` `(` $dynamic_result_size^ `)`)? TYPES type(results) |
    | | a buffer of another size with the same beginning
reinterpret_cast source:both offsets:index* sizes:index* strides:index* -> result:memref |
    static_offsets:array static_sizes:array static_strides:array |
    $source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets) `` `,`
    `sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes) `` `,`
    `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides) TYPES type($result) |
    no_effect | | the same buffer with another offset, other sizes and strides
reshape source:both shape:memref -> result:both | |
    $source `` `(` $shape `)` attr-dict `:` functional-type(operands, results) |
    | | the same elements under a shape known at run time
transpose source:memref -> result:memref | permutation:map |
    syntax(views.transpose) | no_effect | | the same buffer with its dimensions in another order
"""

_ELEMENT = VarConstraint("E", AnyAttr())
_NUMBER = VarConstraint("T", AnyFloatConstr | SignlessIntegerConstraint)

TABLE = Table(
    "memref",
    ROWS,
    {
        "both": Described(base(MemRefType) | base(UnrankedMemRefType), "ranked or unranked memref of any type values"),
        "buffers": RangeVarConstraint("BUFFERS", RangeOf(base(MemRefType))),
        "element": _ELEMENT,
        "memref": MemRefType,
        "of_elements": MemRefType.constr(_ELEMENT),
        "number": _NUMBER,
        "numbers": MemRefType.constr(_NUMBER),
    },
    {"buffer": MemRefType, "initial": base(UnitAttr) | base(DenseIntOrFPElementsAttr)},
    (DynamicIndexList, PropertyWord),
    parts={"TYPES": "attr-dict `:` type($source) `to`"},
)
