"""The operations of `nvgpu` (`weft.dialects.engine.rows` says what is in a row).

MLIR 22 has neither `stmatrix`, `mbarrier.inval`, `tma.async.reduce` nor what edits tensor maps, converts narrow floats
and computes with pairs; their formats follow those beside them. The instructions are what decides where an operation
exists (`weft.dialects.nvgpu.floors`).
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, MemRefType, UnrankedMemRefType, VectorType, f32, i16
from xdsl.irdl import EqAttrConstraint, VarConstraint

from weft.dialects.engine.operations import Table
from weft.dialects.nvgpu.types import (
    DeviceAsyncTokenType,
    MBarrierGroupType,
    MBarrierTokenType,
    TensorMapDescriptorType,
    WarpgroupAccumulatorType,
    WarpgroupMatrixDescriptorType,
)
from weft.dialects.verification import Described

ROWS = """
cvt_fpext in_:i32 -> out:2xf16/2xbf16/2xf32 | srcType:type relu:bool=false |
    $in_ attr-dict `:` type($in_) `(` $srcType `)` `->` type($out) |
    pure convert.extension | cvt | the two narrow floats in the low bits of a word, the lowest one first; formats of 8
    and 6 bits take a byte each, `f4E2M1FN` half a byte
cvt_fptrunc in_:2xf16/2xbf16/2xf32 -> out:i32 | dstTy:type rnd:nvvm.fp_rnd_mode=rn relu:bool=false |
    $in_ attr-dict `:` type($in_) `->` type($out) `(` $dstTy `)` |
    pure convert.truncation | cvt | two floats in the low bits of a word, the first one lowest; `rnd` is `rn`, for
    `f8E8M0FNU` `rz` or `rp`, and what is out of range saturates
device_async_copy dst:memref dst_indices:position* src:memref src_indices:position* src_elements:position? ->
    async_token:copy_token | dstElements:index bypassL1? |
    $src `[` $src_indices `]` `,` $dst `[` $dst_indices `]` `,` $dstElements (`,` $src_elements^)? attr-dict `:`
    type($src) `to` type($dst) |
    checks.async_copy | cp.async cop=ca dst=shared src=global | copy `dstElements` elements, 4, 8 or 16 bytes, to shared
    memory; with `srcElements`, only so many are read and the rest is zeros; `bypassL1` asks for `.cg`
device_async_create_group input_tokens:copy_token* -> async_token:copy_token | | $input_tokens attr-dict |
    | cp.async.commit_group | the copies issued so far form a group
device_async_wait async_dependencies:copy_token | numGroups?:i32 | $async_dependencies attr-dict |
    | cp.async.wait_group | wait until at most `numGroups` groups (0) are in flight
fma.packed.f32x2 a:2xf32 b:2xf32 c:2xf32 -> res:2xf32 | rnd:nvvm.fp_rnd_mode=rn ftz:bool=false |
    $a `,` $b `,` $c attr-dict `:` type($res) | pure convert.rounding | fma rnd=rn type=f32x2 | `a * b + c`, rounded
    once
ldmatrix src_memref:memref indices:position* -> res:vector | transpose:bool numTiles:i32 |
    $src_memref `[` $indices `]` attr-dict `:` type($src_memref) `->` type($res) |
    reads checks.ldmatrix | ldmatrix shape=m8n8 num=x1 ss=shared type=b16 | the warp loads `numTiles` tiles of 8 rows
    of 16 bytes from shared memory, of which each lane names one; the result is `vector<numTiles x k x T>` with `k`
    elements in 32 bits, and `transpose` (16-bit elements only) hands out the tiles transposed
mbarrier.arrive barriers:group mbar_id:index -> token:phase | |
    $barriers `[` $mbar_id `]` attr-dict `:` bare($barriers) `->` type($token) |
    | mbarrier.arrive ss=shared type=b64 | arrive once; the token names the phase arrived at
mbarrier.arrive.expect_tx barriers:group txcount:index mbar_id:index predicate:i1? | |
    $barriers `[` $mbar_id `]` `,` $txcount (`,` `predicate` `=` $predicate^)? attr-dict `:` bare($barriers) |
    | mbarrier.arrive expect_tx ss=shared type=b64 | arrive once and expect `txcount` more bytes in this phase
mbarrier.arrive.nocomplete barriers:group mbar_id:index count:index -> token:phase | |
    $barriers `[` $mbar_id `]` `,` $count attr-dict `:` bare($barriers) `->` type($token) |
    | mbarrier.arrive noComplete ss=shared type=b64 | arrive `count` times without completing the phase
mbarrier.create -> barriers:group | | attr-dict `->` bare($barriers) |
    | | the barrier objects of a group, in shared memory
mbarrier.get barriers:group mbar_id:index -> mbarrier_pointer:i32/i64 | |
    $barriers `[` $mbar_id `]` attr-dict `:` bare($barriers) `->` type($mbarrier_pointer) |
    | | the address of a barrier as an integer
mbarrier.init barriers:group count:index mbar_id:index predicate:i1? | |
    $barriers `[` $mbar_id `]` `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` bare($barriers) |
    | mbarrier.init ss=shared type=b64 | make a barrier ready for phases of `count` arrivals
mbarrier.inval barriers:group mbar_id:index | | $barriers `[` $mbar_id `]` attr-dict `:` bare($barriers) |
    | mbarrier.inval ss=shared type=b64 | the memory of a barrier may be used for something else
mbarrier.test.wait barriers:group token:phase mbar_id:index -> wait_complete:i1 | |
    $barriers `[` $mbar_id `]` `,` $token attr-dict `:` bare($barriers) `,` type($token) |
    | mbarrier.test_wait ss=shared type=b64 | whether the phase of `token` is complete; does not block
mbarrier.try_wait.parity barriers:group phase_parity:i1 ticks:index mbar_id:index | |
    $barriers `[` $mbar_id `]` `,` $phase_parity `,` $ticks attr-dict `:` bare($barriers) |
    | mbarrier.try_wait parity ss=shared type=b64 | block until the phase of a parity is complete; `ticks` is the time,
    in nanoseconds, that one attempt may suspend the thread
mma.sp.sync matrix_a:vector matrix_b:vector matrix_c:vector sparse_metadata:metadata -> res:vector |
    mmaShape:i64s sparsitySelector:i32=0 tf32Enabled? |
    `` `(` $matrix_a `,` $matrix_b `,` $matrix_c `)` `metadata` `` `(` $sparse_metadata `)` attr-dict `:` `(`
    type($matrix_a) `,` type($matrix_b) `,` type($matrix_c) `)` `->` type($res) |
    pure checks.sparse_mma | mma.sp | as `nvgpu.mma.sync`, with `matrix_a` 2:4 sparse; the metadata says what was kept
mma.sync matrix_a:vector matrix_b:vector matrix_c:vector -> res:vector | mmaShape:i64s tf32Enabled? |
    `` `(` $matrix_a `,` $matrix_b `,` $matrix_c `)` attr-dict `:` `(` type($matrix_a) `,` type($matrix_b) `,`
    type($matrix_c) `)` `->` type($res) |
    pure checks.mma | mma | `matrix_a * matrix_b + matrix_c` of shape `mmaShape` (m, n, k), on fragments
    `vector<registers x elements in one x T>`; `tf32Enabled` lets f32 operands be read as tf32
mul.packed.f32x2 a:2xf32 b:2xf32 -> res:2xf32 | rnd:nvvm.fp_rnd_mode=rn ftz:bool=false |
    $a `,` $b attr-dict `:` type($res) | pure convert.rounding | mul rnd=rn type=f32x2 | `a * b`
rcp in_:floats -> out:floats | rounding:rcp_rounding_mode ftz? |
    $in_ `{` `rounding` `=` $rounding (`,` `ftz` $ftz^)? `}` attr-dict `:` type($out) |
    pure same checks.rcp | rcp rnd=approx ftz type=f32 | the reciprocal of each element; only `approx, ftz` has an
    instruction
stmatrix src:vector dst_memref:memref indices:index* | transpose? |
    $src `,` $dst_memref `[` $indices `]` attr-dict `:` type($src) `,` type($dst_memref) |
    writes checks.stmatrix | stmatrix shape=m8n8 num=x1 ss=shared type=b16 | the warp stores tiles of 8 rows of 16
    bytes as `nvgpu.ldmatrix` loads them
tensormap.create.descriptor src:memref dst:map | | $src `to` $dst attr-dict `:` type($src) `->` bare($dst) |
    tensor_map.buffer | tensormap.cp_fenceproxy dst=global src=shared::cta scope=gpu | write an edited tensor map to
    global memory; all threads of a warp come to it together
tensormap.update.box_dim descriptor:memref value:i32 | ord:i32 |
    $descriptor `,` $value attr-dict `:` type($descriptor) |
    tensor_map.buffer tensor_map.dimension | tensormap.replace mode=tile ss=shared::cta field=box_dim type=b32 | the box
    of dimension `ord`, 0 the
    innermost
tensormap.update.element_stride descriptor:memref value:i32 | ord:i32 |
    $descriptor `,` $value attr-dict `:` type($descriptor) |
    tensor_map.buffer tensor_map.dimension | tensormap.replace mode=tile ss=shared::cta field=element_stride type=b32 |
    the step of dimension `ord`
tensormap.update.global_address descriptor:memref value:i64 | |
    $descriptor `,` $value attr-dict `:` type($descriptor) |
    tensor_map.buffer | tensormap.replace mode=tile ss=shared::cta field=global_address type=b64 | where the tensor
    starts
tma.async.load dst:memref barriers:group tensor_map_descriptor:map coordinates:index* mbar_id:index multicast_mask:i16?
    predicate:i1? | |
    $tensor_map_descriptor `[` $coordinates `]` `,` $barriers `[` $mbar_id `]` `to` $dst (`multicast_mask` `=`
    $multicast_mask^)? (`,` `predicate` `=` $predicate^)? attr-dict `:` bare($tensor_map_descriptor) `,` bare($barriers)
    `->` type($dst) |
    checks.tma_load | cp.async.bulk.tensor | copy the box at `coordinates` (in elements, innermost first) to shared
    memory; `barriers[mbar_id]` counts the bytes, and `multicast_mask` has a bit for each CTA of the cluster
tma.async.reduce src:memref tensor_map_descriptor:map coordinates:index* l2_cache_hint:i64? |
    redop:nvvm.tma_redux_kind |
    $src `to` $tensor_map_descriptor `[` $coordinates `]` (`l2_cache_hint` `=` $l2_cache_hint^)? attr-dict `:`
    type($src) `->` bare($tensor_map_descriptor) |
    checks.tma_store | cp.reduce.async.bulk.tensor | combine a box in shared memory with the tensor's, element by
    element
tma.async.store src:memref tensor_map_descriptor:map coordinates:index* predicate:i1? | |
    $src `to` $tensor_map_descriptor `[` $coordinates `]` (`,` `predicate` `=` $predicate^)? attr-dict `:` type($src)
    `->`
    bare($tensor_map_descriptor) |
    checks.tma_store | cp.async.bulk.tensor | copy a box in shared memory to that at `coordinates`
tma.create.descriptor tensor:unranked box_dimensions:index* -> tensor_map:map | |
    $tensor `box` `[` $box_dimensions `]` attr-dict `:` type($tensor) `->` bare($tensor_map) |
    checks.tma_box | | encode a descriptor of a tensor; runs on the host
tma.fence.descriptor tensor_map_descriptor:map | | $tensor_map_descriptor attr-dict `:` bare($tensor_map_descriptor) |
    | fence.proxy proxykind=tensormap::generic sem=acquire scope=sys | make a descriptor in global memory visible to TMA
tma.prefetch.descriptor tensor_map_descriptor:map predicate:i1? | |
    $tensor_map_descriptor (`,` `predicate` `=` $predicate^)? attr-dict `:` bare($tensor_map_descriptor) |
    | prefetch tensormap | bring a descriptor into the cache
warpgroup.generate.descriptor tensor:memref tensor_map:map -> descriptor:tile | |
    $tensor `,` $tensor_map attr-dict `:` type($tensor) `,` bare($tensor_map) `->` bare($descriptor) |
    reads checks.warpgroup_descriptor | wgmma.fence | the 64-bit wgmma descriptor of a tile that TMA loaded
warpgroup.mma descriptor_a:tile descriptor_b:tile matrix_c:accumulator -> matrix_d:accumulator |
    waitGroup?:i64=1 transposeA? transposeB? |
    $descriptor_a `,` $descriptor_b `,` $matrix_c attr-dict `:` bare($descriptor_a) `,` bare($descriptor_b) `,`
    bare($matrix_c) `->` bare($matrix_d) |
    checks.warpgroup_mma | wgmma.mma_async | `A * B + matrix_c`, in instructions of 64 rows; so many wgmma groups as
    `waitGroup` says may still run after it
warpgroup.mma.init.accumulator -> matrix_c:accumulator | | attr-dict `->` bare($matrix_c) |
    checks.warpgroup_accumulator | wgmma.fence | an accumulator full of zeros
warpgroup.mma.store matrix_d:accumulator dst_memref:memref | |
    $matrix_d `,` $dst_memref attr-dict `:` bare($matrix_d) `to` type($dst_memref) |
    checks.warpgroup_store | wgmma.fence | every lane writes its part of the accumulator
"""

_PAIR = Described(
    EqAttrConstraint(VectorType(i16, [2])), "fixed-length vector of 16-bit signless integer values of length 2"
)

TABLE = Table(
    "nvgpu",
    ROWS,
    {
        "memref": MemRefType,
        "unranked": UnrankedMemRefType,
        "vector": VectorType,
        "position": IndexType,
        "metadata": _PAIR,
        "floats": VarConstraint("T", Described(VectorType.constr(f32), "vector of 32-bit float values")),
        "copy_token": DeviceAsyncTokenType(),
        "group": MBarrierGroupType,
        "phase": MBarrierTokenType(),
        "map": TensorMapDescriptorType,
        "tile": WarpgroupMatrixDescriptorType,
        "accumulator": WarpgroupAccumulatorType,
    },
    {},
    vocabulary="nvgpu",
)
