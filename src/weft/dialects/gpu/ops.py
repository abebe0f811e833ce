"""The operations of `gpu` that are rows (`weft.dialects.engine.rows`): of threads, matrices and the host.

`ASYNC` is how a format begins where an operation may wait for tokens and give one.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AnyFloatConstr,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    Signedness,
    UnrankedMemRefType,
    f16,
    f32,
    f64,
    i8,
    i32,
)
from xdsl.ir import Attribute
from xdsl.irdl import AnyAttr, VarConstraint, base

from weft.dialects import narrow
from weft.dialects.engine.operations import Table
from weft.dialects.gpu.asynchronous import ASYNC, TOKEN, AsyncDependencies
from weft.dialects.gpu.attribute_checks import NUMBER, NUMBERS
from weft.dialects.gpu.checks import BYTES
from weft.dialects.gpu.matrix_types import MMAMatrixType
from weft.dialects.verification import Described, Such

ROWS = """
all_reduce value:number body:region -> result:number | op?:all_reduce_op uniform? |
    custom<OptionalEnum>($op) $value (`uniform` $uniform^)? $body attr-dict `:` functional-type(operands, results) |
    checks.all_reduce | | combine the values of all threads of the block, by name or by a region
alloc async_dependencies:token* dynamic_sizes:index* symbol_operands:index* -> memref:memref async_token:token? |
    hostShared? |
    ASYNC (` ` `host_shared` $hostShared^)? ` ` `(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:`
    type($memref) |
    allocates checks.alloc | | memory of the device
barrier | | | | | all threads of the block wait for each other, and see each other's memory operations
binary | sym_name:symbol offloadingHandler?:any objects:list |
    syntax(binary.binary) | symbol binary.verify_binary | | a module, compiled
block_dim -> result:index | dimension:dim upper_bound?:index | $dimension (`upper_bound` $upper_bound^)? attr-dict |
    pure | | threads in a block (`%ntid`)
block_id -> result:index | dimension:dim upper_bound?:index | $dimension (`upper_bound` $upper_bound^)? attr-dict |
    pure | | index of the block in the grid (`%ctaid`)
cluster_block_id -> result:index | dimension:dim upper_bound?:index |
    $dimension (`upper_bound` $upper_bound^)? attr-dict | pure | | index of the block in its cluster
    (`%cluster_ctaid`)
cluster_dim -> result:index | dimension:dim upper_bound?:index | $dimension (`upper_bound` $upper_bound^)? attr-dict |
    pure | | clusters in the grid (`%nclusterid`)
cluster_dim_blocks -> result:index | dimension:dim upper_bound?:index |
    $dimension (`upper_bound` $upper_bound^)? attr-dict | pure | | blocks in a cluster (`%cluster_nctaid`)
cluster_id -> result:index | dimension:dim upper_bound?:index | $dimension (`upper_bound` $upper_bound^)? attr-dict |
    pure | | index of the cluster in the grid (`%clusterid`)
dealloc async_dependencies:token* memref:memref -> async_token:token? | | ASYNC $memref attr-dict `:` type($memref) |
     | | give memory of the device back
dynamic_shared_memory -> result_memref:bytes | | attr-dict `:` type($result_memref) |
    pure checks.dynamic_memory | | the shared memory sized at launch, as `memref<?xi8, workgroup>`
func body:region | function_type arg_attrs?:notes res_attrs?:notes workgroup_attrib_attrs?:notes
    private_attrib_attrs?:notes known_block_size?:i32s known_grid_size?:i32s known_cluster_size?:i32s |
    syntax(function.func) | isolated symbol parent=gpu.module function.verify_func | | a kernel, or a function of the
    device
global_id -> result:index | dimension:dim upper_bound?:index | $dimension (`upper_bound` $upper_bound^)? attr-dict |
    pure | | block index x block size + thread index
grid_dim -> result:index | dimension:dim upper_bound?:index | $dimension (`upper_bound` $upper_bound^)? attr-dict |
    pure | | blocks in the grid (`%nctaid`)
host_register value:unranked | | $value attr-dict `:` type($value) | | | let the device read memory of the host
host_unregister value:unranked | | $value attr-dict `:` type($value) | | | no longer let the device read it
lane_id -> result:index | upper_bound?:index | (`upper_bound` $upper_bound^)? attr-dict |
    pure | | index of the thread in its warp (`%laneid`)
launch async_dependencies:token* grid_size_x:index grid_size_y:index grid_size_z:index block_size_x:index
    block_size_y:index block_size_z:index cluster_size_x:index? cluster_size_y:index? cluster_size_z:index?
    dynamic_shared_memory_size:i32? body:region -> async_token:token? | module?:ref function?:ref |
    syntax(launch_region.launch) | launch_region.verify_launch | | a kernel written where it is launched
launch_func async_dependencies:token* grid_size_x:any grid_size_y:any grid_size_z:any block_size_x:any block_size_y:any
    block_size_z:any cluster_size_x:any? cluster_size_y:any? cluster_size_z:any? dynamic_shared_memory_size:i32?
    kernel_operands:any* async_object:any? -> async_token:token? | kernel:ref |
    syntax(launch.launch_func) | | | run a kernel
memcpy async_dependencies:token* dst:memref src:memref -> async_token:token? | |
    ASYNC $dst `,` $src `:` type($dst) `,` type($src) attr-dict | checks.copy | | copy a buffer
memset async_dependencies:token* dst:memref value:any -> async_token:token? | |
    ASYNC $dst `,` $value `:` type($dst) `,` type($value) attr-dict | checks.fill | | fill a buffer
module body:region.single | sym_name:symbol targets?:list offloadingHandler?:any | syntax(function.module) |
    isolated no_terminator symbol symbols function.verify_module | | the functions of a device
num_subgroups -> result:index | upper_bound?:index | (`upper_bound` $upper_bound^)? attr-dict `:` type($result) |
    pure | | warps in a block
printf args:printed* | format:string | $format attr-dict (`,` $args^ `:` type($args))? | | | device-side printf
return operands_:any* | | attr-dict ($operands_^ `:` type($operands_))? |
    terminator function.verify_return | | leave a `gpu.func`
rotate value:same -> rotate_result:same valid:i1 | offset:i32 width:i32 |
    $value `,` $offset `,` $width attr-dict `:` type($value) |
    no_effect rotated checks.rotate | | read `value` from lane `(lane + offset) mod width`
set_default_device dev_index:i32 | | attr-dict $dev_index | | | the device of later launches
shuffle value:same offset:i32 width:i32 -> shuffle_result:same valid:i1 | mode:shuffle_mode |
    $mode $value `,` $offset `,` $width attr-dict `:` type($value) |
    no_effect shuffled | | read `value` from another lane. `valid` says whether the source lane was in range
subgroup_broadcast src:alike lane:i32? -> result:alike | broadcast_type:broadcast |
    $src `,` $broadcast_type ($lane^)? attr-dict `:` type($result) |
    no_effect broadcast checks.broadcast | | every lane gets the value of one lane
subgroup_id -> result:index | upper_bound?:index | (`upper_bound` $upper_bound^)? attr-dict `:` type($result) |
    pure | | index of the warp in its block, from the linear thread index
subgroup_mma_compute op_a:multiplicand op_b:multiplicand op_c:accumulator -> res:accumulator | a_transpose? b_transpose?
    |
    $op_a `,` $op_b `,` $op_c attr-dict `:` type($op_a) `,` type($op_b) `->` type($res) |
    pure accumulated checks.compute | | A * B + C
subgroup_mma_constant_matrix value:any -> res:matrix | |
    syntax(subgroup_mma.constant_matrix) | pure | | a matrix of which every element is `value`
subgroup_mma_elementwise args:matrix* -> res:matrix | opType:mma_element_wise |
    $opType $args attr-dict `:` functional-type($args, $res) | pure | | the same operation on all elements
subgroup_mma_extract_thread_local matrix:matrix indices:position* -> res:any | |
    $matrix `` `[` $indices `]` attr-dict `:` type($matrix) `->` type($res) |
    pure checks.extract | | element `i` of those that this lane holds
subgroup_mma_insert_thread_local value:number matrix:matrix indices:position* -> res:matrix | |
    $value `,` $matrix `` `[` $indices `]` attr-dict `:` type($value) `,` type($matrix) `->` type($res) |
    pure checks.insert | | the matrix with element `i` of those that this lane holds replaced
subgroup_mma_load_matrix src_memref:elements indices:position* -> res:matrix | leadDimension:index transpose? |
    $src_memref `` `[` $indices `]` attr-dict `:` type($src_memref) `->` type($res) |
    reads checks.load_matrix | | load a matrix; `leadDimension` is the distance of rows in elements
subgroup_mma_store_matrix src:stored dst_memref:elements indices:position* | leadDimension:index transpose? |
    $src `,` $dst_memref `` `[` $indices `]` attr-dict `:` type($src) `,` type($dst_memref) |
    writes checks.store_matrix | | store a matrix
subgroup_reduce value:numbers -> result:numbers | op:all_reduce_op uniform? cluster_size?:i32 cluster_stride:i32=1 |
    $op $value (`uniform` $uniform^)? (`cluster` `(` `size` `=` $cluster_size^ (`,` `stride` `=` $cluster_stride^)?
    `)`)? attr-dict `:` functional-type(operands, results) |
    checks.subgroup_reduce | | combine the values of the lanes (of clusters of lanes) of a warp
subgroup_size -> result:index | upper_bound?:index | (`upper_bound` $upper_bound^)? attr-dict `:` type($result) |
    pure | | threads in a warp, 32
terminator | | | terminator | | the end of the body of a `gpu.launch`
thread_id -> result:index | dimension:dim upper_bound?:index | $dimension (`upper_bound` $upper_bound^)? attr-dict |
    pure | | index of the thread in its block (`%tid`)
wait async_dependencies:token* -> async_token:token? | | ASYNC attr-dict |
     | | wait for the tokens, or make a token that waits for them
warp_execute_on_lane_0 laneid:index args:any* warp_region:region.single -> results_:any* | warp_size:i64 |
    syntax(warp.on_lane_0) | warp.verify_on_lane_0 | | a region that one lane runs, on vectors joined of the lanes'
yield values:any* | | attr-dict ($values^ `:` type($values))? |
    terminator | | end of a region of `gpu.all_reduce` or `gpu.warp_execute_on_lane_0`
"""

_FLOATS = "32-bit float or 64-bit float"
_SCALARS = f"8-bit signless integer or 32-bit signless integer or 16-bit float or {_FLOATS}"
_SIGNED = "8-bit signed integer or 8-bit unsigned integer"
_ELEMENTS = f"memref of {_SCALARS} or vector of {_SCALARS} values of ranks 1 values"


_FLOAT_TYPES = (f32, f64)
_SCALAR_TYPES = (i8, i32, f16, *_FLOAT_TYPES)
_SIGNED_TYPES = (IntegerType(8, Signedness.SIGNED), IntegerType(8, Signedness.UNSIGNED))


def _has_elements(buffer: MemRefType[Attribute]) -> bool:
    """Whether matrices are loaded from and stored to a buffer: of scalars, or of vectors of them."""
    vector = narrow.vector(buffer.element_type)
    if vector is not None and vector.get_num_dims() == 1:
        return vector.element_type in _SCALAR_TYPES
    return buffer.element_type in _SCALAR_TYPES


def _matrix(elements: str, *types: Attribute) -> Described:
    allowed = (*types, f16, *_FLOAT_TYPES)
    return Described(
        Such(MMAMatrixType, lambda matrix: matrix.element_type in allowed),
        f"gpu.mma_matrix of {elements} or 16-bit float or {_FLOATS} values",
    )


TABLE = Table(
    "gpu",
    ROWS.replace("ASYNC", ASYNC),
    {
        "number": NUMBER,
        "numbers": NUMBERS,
        "same": VarConstraint("T", NUMBERS),
        "alike": VarConstraint("T", AnyAttr()),
        "token": TOKEN,
        "memref": MemRefType,
        "unranked": UnrankedMemRefType,
        "position": IndexType,
        "matrix": MMAMatrixType,
        "bytes": Described(base(MemRefType), BYTES),
        "elements": Described(Such(MemRefType, _has_elements), _ELEMENTS),
        "stored": _matrix(f"{_SIGNED} or 32-bit signless integer", *_SIGNED_TYPES, i32),
        "multiplicand": _matrix(_SIGNED, *_SIGNED_TYPES),
        "accumulator": VarConstraint("C", _matrix("32-bit signless integer", i32)),
        "printed": Described(
            base(IntegerType) | base(IndexType) | AnyFloatConstr, "integer or index or floating-point"
        ),
    },
    {"function_type": FunctionType, "notes": ArrayAttr[DictionaryAttr]},
    (AsyncDependencies,),
    vocabulary="gpu",
)
