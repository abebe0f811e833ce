"""The operations of `memref` (`weft.dialects.engine.rows` says what is in a row)."""

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
alloc, alloca dynamic_sizes:index* symbol_operands:index* -> memref:memref | alignment?:i64 | xdsl | allocates
    checks.allocation
    | | a new buffer
alloca_scope scope:region -> res:any* | | syntax(scopes.scope) |
    xdsl.AllocaScopeOp scopes.verify_scope own | | what `memref.alloca` takes inside is given back at the end
alloca_scope.return ops:any* | | attr-dict ($ops^ `:` type($ops))? |
    xdsl.AllocaScopeReturnOp own | | the end of a `memref.alloca_scope`
assume_alignment memref:memref -> result:memref | alignment:aligned | xdsl | unchanged checks.assume_alignment | | the
    same buffer, whose address is known to be a multiple
atomic_rmw value:number memref:memref=numbers indices:index* -> result:number | kind:i64 |
    custom<PropertyWord>($kind) $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref)
    `)`
    `->` type($result) |
    reads writes same updated checks.atomic_rmw | | an element combined with a value; the result is what it was before
atomic_yield result:any -> | | $result attr-dict `:` type($result) |
    terminator checks.atomic_yield | | the new element, at the end of `memref.generic_atomic_rmw`
cast source:both -> dest:both | | $source TYPES type($dest) |
    no_effect checks.known_cast | | the same buffer with more or less known statically
collapse_shape src:strided -> result:strided | reassociation:list | xdsl | checks.reassociation | | the same elements
    with dimensions joined
copy source:both target:both -> | | $source `,` $target attr-dict `:` type($source) `to` type($target) |
    reads writes checks.copied | | the elements of a buffer written to another
dealloc memref:both | | xdsl | | | a buffer given back
dim source:dimmed index:index -> result:index | | xdsl | | | an extent of a buffer
distinct_objects buffers:memref=buffers* -> same:memref=buffers* | | $buffers attr-dict `:` type($buffers) |
    no_effect checks.distinct_objects | | the same buffers, known not to overlap
dma_start values:any* | | syntax(transfers.start) | transfers.verify_start | | the start of a transfer
dma_wait tag:memref tag_indices:index* num_elements:index -> | |
    $tag `[` $tag_indices `]` `,` $num_elements attr-dict `:` type($tag) | checks.dma_wait | | wait for a transfer
expand_shape src:strided output_shape:index* -> result:strided | reassociation:list static_output_shape:array | xdsl |
    checks.reassociation | | the same elements with dimensions split
extract_aligned_pointer_as_index source:both -> aligned_pointer:index | |
    $source `:` type($source) `->` type(results) attr-dict |
    no_effect | | the address of element 0, before the layout's offset
extract_strided_metadata source:strided -> base_buffer:base offset:index sizes:index* strides:index* | | xdsl |
    checks.metadata | | the buffer, offset, sizes and strides that a buffer consists of
generic_atomic_rmw memref:numbers=of_elements indices:index* atomic_body:region -> result:number=element | |
    $memref `[` $indices `]` `:` type($memref) $atomic_body attr-dict |
    reads writes changed checks.generic_atomic_rmw | | an element combined by a region; the result is what it was
    before
get_global -> memref:static | name:ref | xdsl | | | a buffer of the module
global | sym_name:symbol sym_visibility?:string type:buffer initial_value?:initial constant? alignment?:i64 |
    syntax(memory.global) | symbol memory.verify_global own | |
    a buffer of the module: a declaration without a value, with unknown content where it is `uninitialized`
load memref:memref indices:index* -> res:any | alignment?:i64 nontemporal?:bool | xdsl | loaded checks.load | | an
    element
memory_space_cast source:both -> dest:both | | $source TYPES type($dest) |
    no_effect checks.memory_space_cast | | the same buffer seen through another memory space
prefetch memref:memref indices:index* | isWrite:bool localityHint:i32 isDataCache:bool |
    syntax(memory.prefetch) | checks.prefetch | | a hint to load a line into the cache
rank memref:both -> rank:index | | $memref attr-dict `:` type($memref) | no_effect | | the number of dimensions
realloc source:line=memref dynamic_result_size:index? -> result:line=memref | alignment?:i64 |
    $source (`` `(` $dynamic_result_size^ `)`)? TYPES type(results) | checks.realloc | | a buffer of another size with
    the same beginning
reinterpret_cast source:both offsets:index* sizes:index* strides:index* -> result:strided=memref |
    static_offsets:array static_sizes:array static_strides:array |
    $source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets) `` `,`
    `sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes) `` `,`
    `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides) TYPES type($result) |
    no_effect checks.reinterpret_cast | | the same buffer with another offset, other sizes and strides
reshape source:both shape:extents=memref -> result:both | |
    $source `` `(` $shape `)` attr-dict `:` functional-type(operands, results) | reads checks.reshape | | the same
    elements
    under a shape known at run time
store value:any memref:memref indices:index* | alignment?:i64 nontemporal?:bool | xdsl | stored checks.store | | an
    element written
subview source:memref offsets:index* sizes:index* strides:index* -> result:memref | static_offsets:array
    static_sizes:array static_strides:array | xdsl | checks.subview | | the box of a buffer at offsets, with sizes and
    strides
transpose source:strided=memref -> result:strided=memref | permutation:map |
    syntax(views.transpose) | no_effect checks.transpose | | the same buffer with its dimensions in another order
view source:bytes byte_shift:index sizes:index* -> result:memref | | xdsl | checks.view | | some of the bytes of a
    buffer as a buffer of other elements
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
    vocabulary="memref",
)
