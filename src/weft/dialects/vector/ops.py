"""The operations of `vector` that weft defines by rows, as `weft.dialects.engine.operations` says."""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IndexType, MemRefType, VectorType, i1
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.irdl import AnyAttr, VarConstraint, base

from weft.dialects.engine.attributes import attr_class
from weft.dialects.engine.operations import Table
from weft.dialects.vector.directives import Combining, Elements
from weft.dialects.verification import Described

ROWS = """
compressstore base_:memref indices:index* mask:mask value_to_store:vector | alignment?:i64 |
    $base_ `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base_) `,` type($mask) `,`
    type($value_to_store) |
    writes | | the elements of set lanes, one behind the other
constant_mask -> result:vector | mask_dim_sizes:array | $mask_dim_sizes attr-dict `:` type(results) |
    pure | | a mask that is set in the leading box
contract lhs:vector rhs:vector acc:any -> result:any | indexing_maps:maps iterator_types:iterators kind:kind |
    syntax(arithmetic.contract) | pure | | a sum of products, as an einsum
deinterleave source:vector -> res1:same res2:same | | $source attr-dict `:` type($source) `->` type($res1) |
    pure | | the even and the odd elements of the last dimension
expandload base_:memref indices:index* mask:mask pass_thru:vector -> result:vector | alignment?:i64 |
    $base_ `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base_) `,` type($mask) `,` type($pass_thru)
    `into` type($result) |
    reads | | consecutive elements to set lanes
extract_strided_slice source:vector -> result:vector | offsets:i64s sizes:i64s strides:i64s |
    $source attr-dict `:` type($source) `to` type($result) |
    pure shapes.extract_slice | | the box of `sizes` at `offsets` in the leading dimensions of a vector
from_elements elements:any* -> dest:vector | | $elements attr-dict `:` custom<Elements>(type($elements), type($dest)) |
    pure | | a vector of scalars in row-major order
gather base_:any offsets:index* indices:vector mask:mask pass_thru:vector -> result:vector | alignment?:i64 |
    $base_ `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base_) `,` type($indices)
    `,` type($mask) `,` type($pass_thru) `into` type($result) |
     | | elements at indices, of set lanes
insert_strided_slice value_to_store:vector dest:same -> res:same | offsets:i64s strides:i64s |
    $value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` type($dest) |
    pure shapes.insert_slice | | `dest` with the box at `offsets` replaced by `value_to_store`
interleave lhs:same rhs:same -> result:vector | | $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result) |
    pure | | a0, b0, a1, b1, ... along the last dimension
load base:memref indices:index* -> result:vector | nontemporal?:bool=false alignment?:i64 |
    $base `[` $indices `]` attr-dict `:` type($base) `,` type($result) |
    reads | | consecutive elements of the innermost dimension (n-D: a row-major box)
mask mask:mask passthru:any? mask_region:region -> results_:any* | |
    syntax(masked.mask) | | | an operation on the set lanes only
multi_reduction source:vector acc:combined -> dest:combined | kind reduction_dims:array |
    custom<Combining>($kind) `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest) |
    pure | | elements combined along dimensions, starting from `acc`
outerproduct lhs:vector rhs:any acc:vector? -> result:vector | kind=add |
    syntax(arithmetic.outerproduct) | pure | | the outer product of two vectors, or a vector times a scalar, plus `acc`
print source:any? | punctuation?:vector.punctuation=newline stringLiteral?:string |
    ($source^ `:` type($source))? (`str` $stringLiteral^)? (`punctuation` $punctuation^)? attr-dict |
    | | write a vector or a text on the host
scalable.extract source:vector -> res:vector | pos:i64 |
    $source `[` $pos `]` attr-dict `:` type($res) `from` type($source) | pure | | a part of a scalable vector
scalable.insert value_to_store:vector dest:same -> res:same | pos:i64 |
    $value_to_store `,` $dest `[` $pos `]` attr-dict `:` type($value_to_store) `into` type($dest) |
    pure | | a scalable vector with a part replaced
scan source:source initial_value:initial -> dest:source accumulated_value:initial | kind reduction_dim:i64
    inclusive:bool |
    custom<Combining>($kind) `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value) |
    pure | | running reductions of a dimension
scatter base_:any offsets:index* indices:vector mask:mask value_to_store:vector -> result:any* | alignment?:i64 |
    $base_ `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base_) `,`
    type($indices) `,` type($mask) `,` type($value_to_store) (`->` type($result)^)? |
     | | store elements at indices, of set lanes
shape_cast source:vector -> result:vector | | $source attr-dict `:` type($source) `to` type($result) |
    pure shapes.shape_cast | | the same elements in row-major order under another shape
step -> result:indices | | attr-dict `:` type($result) | pure | | 0, 1, 2, ... as `vector<nxindex>`
store value_to_store:vector base:memref indices:index* | nontemporal?:bool=false alignment?:i64 |
    $value_to_store `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($value_to_store) |
    writes | | store consecutive elements
to_elements source:vector -> elements:any* | | $source attr-dict `:` custom<Elements>(type($elements), type($source)) |
    pure | | all scalars of a vector, in row-major order
transpose vector:vector -> result:vector | permutation:array |
    $vector `,` $permutation attr-dict `:` type($vector) `to` type($result) |
    pure shapes.transpose | | dimension `i` of the result is dimension `permutation[i]` of the source
type_cast memref:memref -> result:memref | | $memref attr-dict `:` type($memref) `to` type($result) |
    pure | | a buffer of elements as a buffer of one vector
vscale -> res:index | | | pure | | how many times a scalable vector holds its minimum
yield operands_:any* | | attr-dict ($operands_^ `:` type($operands_))? | terminator pure | | the end of a masked region
"""

TABLE = Table(
    "vector",
    ROWS,
    {
        "vector": VectorType,
        "memref": MemRefType,
        "mask": VectorType.constr(i1),
        "combined": VarConstraint("COMBINED", AnyAttr()),
        "same": VarConstraint("T", base(VectorType)),
        "source": VarConstraint("SOURCE", base(VectorType)),
        "initial": VarConstraint("INITIAL", base(VectorType)),
        "indices": Described(VectorType.constr(IndexType()), "vector of index values of ranks 1"),
    },
    {
        "iterators": ArrayAttr[attr_class("vector.iterator_type")],
        "kind": CombiningKindAttr,
        "maps": ArrayAttr[AffineMapAttr],
    },
    (Combining, Elements),
)
