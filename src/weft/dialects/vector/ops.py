"""The operations of `vector` that weft defines by rows, as `weft.dialects.engine.rows` says."""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IndexType, MemRefType, VectorType, i1
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.irdl import AnyAttr, VarConstraint, base

from weft.dialects.engine.attributes import attr_class
from weft.dialects.engine.operations import Table
from weft.dialects.vector.directives import Combining, Elements
from weft.dialects.verification import Described

ROWS = """
bitcast source:vector -> result:vector | | xdsl | no_effect element_checks.bitcast | | the same bits as other elements
broadcast source:any -> vector:vector | | xdsl | inserted element_checks.broadcast | | a scalar or vector repeated
compressstore base_:memref indices:index* mask:fixed_mask=mask value_to_store:ranked=vector | alignment?:i64 |
    $base_ `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base_) `,` type($mask) `,`
    type($value_to_store) |
    writes checks.compressstore | | the elements of set lanes, one behind the other
constant_mask -> result:bits=vector | mask_dim_sizes:array | $mask_dim_sizes attr-dict `:` type(results) |
    pure masks.verify_constant_mask | | a mask that is set in the leading box
contract lhs:ranked=vector rhs:ranked=vector acc:any -> result:any | indexing_maps:maps iterator_types:iterators
    kind=add |
    syntax(arithmetic.contract) | pure pair_alike acc_alike checks.contract | | a sum of products, as an einsum
create_mask mask_dim_sizes:index* -> mask_vector:bits | | xdsl | no_effect masks.verify_create_mask | | a mask that is
    set in
    the leading box, whose extents are values
deinterleave source:ranked=vector -> res1:ranked=same res2:ranked=same | | $source attr-dict `:` type($source) `->`
    type($res1) |
    pure halves element_checks.deinterleave | | the even and the odd elements of the last dimension
expandload base_:memref indices:index* mask:fixed_mask=mask pass_thru:ranked=vector -> result:ranked=vector |
    alignment?:i64 |
    $base_ `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base_) `,` type($mask) `,` type($pass_thru)
    `into` type($result) |
    reads checks.expandload | | consecutive elements to set lanes
extract vector:vector dynamic_position:index* -> result:any | static_position:array | xdsl | extracted
    element_checks.extract |
    | an element or a subvector
extract_strided_slice source:ranked=vector -> result:ranked=vector | offsets:i64s sizes:i64s strides:i64s |
    $source attr-dict `:` type($source) `to` type($result) |
    pure shapes.extract_slice extracted own | | the box of `sizes` at `offsets` in the leading dimensions of a vector
fma lhs:floats rhs:floats acc:floats -> res:floats | | xdsl | fused fused_acc fused_result | | `lhs * rhs + acc`,
    rounded once
from_elements elements:any* -> dest:fixed=vector | | $elements attr-dict `:` custom<Elements>(type($elements),
    type($dest)) |
    pure element_checks.from_elements | | a vector of scalars in row-major order
gather base_:base offsets:index* indices:places=vector mask:mask pass_thru:ranked=vector -> result:ranked=vector |
    alignment?:i64 |
    $base_ `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base_) `,` type($indices)
    `,` type($mask) `,` type($pass_thru) `into` type($result) | reads checks.gather | | elements at indices, of set
    lanes
insert source:any dest:vector dynamic_position:index* -> result:vector | static_position:array | xdsl | inserted dest
    element_checks.insert | | `dest` with an element or a subvector replaced
insert_strided_slice value_to_store:ranked=vector dest:ranked=same -> res:ranked=same | offsets:i64s strides:i64s |
    $value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` type($dest) |
    pure shapes.insert_slice inserted_slice dest own | | `dest` with the box at `offsets` replaced by `value_to_store`
interleave lhs:vector=same rhs:vector=same -> result:ranked=vector | | $lhs `,` $rhs attr-dict `:` type($lhs) `->`
    type($result) |
    pure both element_checks.interleave | | a0, b0, a1, b1, ... along the last dimension
load base:memref indices:index* -> result:vector | nontemporal?:bool=false alignment?:i64 |
    $base `[` $indices `]` attr-dict `:` type($base) `,` type($result) |
    reads element_checks.load | | consecutive elements of the innermost dimension (n-D: a row-major box)
mask mask:mask passthru:any? mask_region:region.one=maskRegion -> results_:any* | |
    syntax(masked.mask) | recursive masks.verify_mask | | an operation on the set lanes only
maskedload base:memref indices:index* mask:mask pass_thru:ranked -> result:ranked | alignment?:i64 | xdsl |
    reads checks.maskedload | | consecutive elements of set lanes, others from `pass_thru`
maskedstore base:memref indices:index* mask:mask value_to_store:ranked | alignment?:i64 | xdsl | checks.maskedstore |
    | store consecutive elements of set lanes
multi_reduction source:ranked=vector acc:any=combined -> dest:any=combined | kind reduction_dims:array |
    custom<Combining>($kind) `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest) |
    pure dest_acc reduced checks.multi_reduction | | elements combined along dimensions, starting from `acc`
outerproduct lhs:ranked=vector rhs:any acc:ranked=vector? -> result:ranked=vector | kind=add |
    syntax(arithmetic.outerproduct) | pure left_alike right_alike checks.outerproduct | | the outer product of two
    vectors, or a vector times a scalar, plus `acc`
print source:printed? | punctuation?:vector.punctuation=newline stringLiteral?:string |
    ($source^ `:` type($source))? (`str` $stringLiteral^)? (`punctuation` $punctuation^)? attr-dict |
    checks.print_ | | write a vector or a text on the host
reduction vector:vector acc:any? -> dest:any | fastmath?:any kind:kind | xdsl | no_effect reduced started
    element_checks.reduction | |
    the elements of a vector combined
scalable.extract source:scalable=vector -> res:line=vector | pos:i64 |
    $source `[` $pos `]` attr-dict `:` type($res) `from` type($source) | pure scalable_out checks.scalable_extract |
    | a part of a scalable vector
scalable.insert value_to_store:line=vector dest:scalable=same -> res:scalable=same | pos:i64 |
    $value_to_store `,` $dest `[` $pos `]` attr-dict `:` type($value_to_store) `into` type($dest) |
    pure scalable_in dest checks.scalable_insert | | a scalable vector with a part replaced
scan source:ranked=source initial_value:vector=initial -> dest:ranked=source accumulated_value:vector=initial | kind
    reduction_dim:i64
    inclusive:bool |
    custom<Combining>($kind) `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value) |
    pure scanned scanned_end checks.scan | | running reductions of a dimension
scatter base_:base offsets:index* indices:places=vector mask:mask value_to_store:ranked=vector -> result:tensor? |
    alignment?:i64 |
    $base_ `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base_) `,`
    type($indices) `,` type($mask) `,` type($value_to_store) (`->` type($result)^)? | checks.scatter | | store
    elements at indices, of set lanes
shape_cast source:vector -> result:vector | | $source attr-dict `:` type($source) `to` type($result) |
    pure shapes.shape_cast own | | the same elements in row-major order under another shape
shuffle v1:fixed v2:fixed -> result:ranked | mask:array | xdsl | shuffled shuffled_too element_checks.shuffle | |
    elements of
    two vectors in any order
step -> result:step=indices | | attr-dict `:` type($result) | pure | | 0, 1, 2, ... as `vector<nxindex>`
store value_to_store:vector base:memref indices:index* | nontemporal?:bool=false alignment?:i64 |
    $value_to_store `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($value_to_store) |
    writes element_checks.store | | store consecutive elements
to_elements source:vector -> elements:any* | | $source attr-dict `:` custom<Elements>(type($elements), type($source))
    |
    pure element_checks.to_elements | | all scalars of a vector, in row-major order
transfer_read source:shaped indices:index* padding:any mask:mask? -> result:vector | in_bounds:list
    permutation_map:map | syntax(transfers.transfer_read) | xdsl.TransferReadOp reads_buffer transfers.transfer_read | |
    a box of a buffer or a tensor as a vector,
    with padding
    outside
transfer_write vector:vector source:shaped indices:index* mask:mask? -> result:tensor? | in_bounds:list
    permutation_map:map | syntax(transfers.transfer_write) | xdsl.TransferWriteOp transfers.transfer_write | | a vector
    written to a box of a buffer or a tensor
transpose vector:vector -> result:vector | permutation:array |
    $vector `,` $permutation attr-dict `:` type($vector) `to` type($result) |
    pure shapes.transpose extracted own | | dimension `i` of the result is dimension `permutation[i]` of the source
type_cast memref:static=memref -> result:memref | | $memref attr-dict `:` type($memref) `to` type($result) |
    pure checks.type_cast | | a buffer of elements as a buffer of one vector
vscale -> res:index | | | pure | | how many times a scalable vector holds its minimum
yield operands_:any* | | attr-dict ($operands_^ `:` type($operands_))? | terminator pure | | the end of a masked
    region
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
    vocabulary="vector",
)
