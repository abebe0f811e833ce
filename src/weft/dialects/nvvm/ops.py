"""The operations of `nvvm`, but for those of `weft.dialects.nvvm.grouped` and the special registers.

What is in a row says `weft.dialects.engine.rows`. `ptrN` is a pointer to the address space of this number.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, f32, f64, i1, i32
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType
from xdsl.irdl import AnyOf, AtLeast, EqAttrConstraint, base

from weft.dialects.engine.operations import Table, type_of
from weft.dialects.llvm.compatible import COMPATIBLE
from weft.dialects.llvm.ranges import ConstantRangeAttr
from weft.dialects.nvvm.matrix_attributes import LdStMatrixShapeAttr, ShapeAttr
from weft.dialects.nvvm.sregs import CHANGING, SPECIAL_REGISTERS, operations
from weft.dialects.verification import Described, one_of

ROWS = """
bar.warp.sync mask:i32 | | $mask attr-dict `:` type($mask) | | = bar.warp.sync | the lanes of the mask wait
barrier barrier_id:i32? number_of_threads:i32? reduction_predicate:i32? -> res:i32? | reductionOp?:reduction |
    (`id` `=` $barrier_id^)? (`number_of_threads` `=` $number_of_threads^)? (qualified($reductionOp)^
    $reduction_predicate)? (`->` type($res)^)? attr-dict |
    checks.barrier | bar | a named barrier
barrier.arrive barrier_id:i32? number_of_threads:i32 | |
    (`id` `=` $barrier_id^)? `number_of_threads` `=` $number_of_threads attr-dict | | bar | arrive without waiting
barrier0 | | | | = bar action=sync, 0 | all threads of the block wait at barrier 0
breakpoint | | | | = brkpt | stop in a debugger
cluster.arrive | aligned? | | | = barrier.cluster action=arrive | arrive at the cluster's barrier
cluster.arrive.relaxed | aligned? | |
     | = barrier.cluster action=arrive sem=relaxed | arrive at the cluster's barrier, ordering no memory
cluster.wait | aligned? | | | = barrier.cluster action=wait | wait for all threads of the cluster
clusterlaunchcontrol.query.cancel try_cancel_response:i128 -> res:i1/i32 | query_type:cluster_launch_control_query_type
    |
    `query` `=` $query_type `,` $try_cancel_response attr-dict `:` type($res) |
    checks.query | clusterlaunchcontrol.query_cancel | read the answer
clusterlaunchcontrol.try.cancel smem_address:ptr3 mbarrier:ptr3 | multicast? |
    (`multicast` $multicast^ `,`)? $smem_address `,` $mbarrier attr-dict |
    | clusterlaunchcontrol.try_cancel | ask to take over a cluster's work. The answer, 16 bytes, is written to
    shared memory; the mbarrier tracks it
convert.bf16x2.to.f8x2 a:2xbf16 -> dst:i16/2xi8 | dstTy:type rnd:fp_rnd_mode=none sat:sat_mode=none |
    $a attr-dict `:` type($a) `->` type($dst) `` `(` $dstTy `)` | convert.formats convert.scales | cvt | two
    scales
convert.f16x2.to.f8x2 a:2xf16 -> dst:i16/2xi8 | dstTy:type relu:bool=false |
    $a attr-dict `:` type($a) `->` type($dst) `` `(` $dstTy `)` |
    convert.formats | cvt | the first element into the upper byte
convert.f32x2.to.bf16x2 src_hi:f32 src_lo:f32 random_bits:i32? -> dst:2xbf16 | rnd:fp_rnd_mode=none sat:sat_mode=none
    relu:bool=false |
    $src_hi `,` $src_lo (`,` $random_bits^)? attr-dict `:` type($dst) |
    pure convert.random | cvt | a pair, rounded by `random_bits` where `rnd` says so
convert.f32x2.to.f16x2 src_hi:f32 src_lo:f32 random_bits:i32? -> dst:2xf16 | rnd:fp_rnd_mode=none sat:sat_mode=none
    relu:bool=false |
    $src_hi `,` $src_lo (`,` $random_bits^)? attr-dict `:` type($dst) |
    pure convert.random | cvt | a pair, rounded by `random_bits` where `rnd` says so
convert.f32x2.to.f4x2 a:f32 b:f32 -> dst:i8 | relu:bool=false dstTy:type |
    $a `,` $b attr-dict `:` type($dst) `` `(` $dstTy `)` |
    convert.formats | cvt | two f32 as nibbles of a byte, `a` the upper
convert.f32x2.to.f6x2 a:f32 b:f32 -> dst:i16/2xi8 | relu:bool=false dstTy:type |
    $a `,` $b attr-dict `:` type($dst) `` `(` $dstTy `)` |
    convert.formats | cvt | two f32 packed as fp6, a byte each
convert.f32x2.to.f8x2 a:f32 b:f32 -> dst:i16/2xi8 | relu:bool=false dstTy:type rnd:fp_rnd_mode=none sat:sat_mode=none |
    $a `,` $b attr-dict `:` type($dst) `` `(` $dstTy `)` |
    convert.formats convert.to_bytes | cvt | two f32 packed as fp8
convert.f32x4.to.f4x4 src:4xf32 rbits:i32 -> dst:i16 | relu:bool=false dstTy:type |
    $src `,` $rbits attr-dict `:` type($src) `->` type($dst) `` `(` $dstTy `)` |
    pure convert.formats | cvt | four f32 as nibbles, rounded by `rbits`
convert.f32x4.to.f6x4 src:4xf32 rbits:i32 -> dst:4xi8 | relu:bool=false dstTy:type |
    $src `,` $rbits attr-dict `:` type($src) `->` type($dst) `` `(` $dstTy `)` |
    pure convert.formats | cvt | four f32 as fp6, rounded by `rbits`
convert.f32x4.to.f8x4 src:4xf32 rbits:i32 -> dst:4xi8 | relu:bool=false dstTy:type |
    $src `,` $rbits attr-dict `:` type($src) `->` type($dst) `` `(` $dstTy `)` |
    pure convert.formats | cvt | four f32 as fp8, rounded by `rbits`
convert.f4x2.to.f16x2 src:i8 -> dst:2xf16 | srcType:type relu:bool=false |
    $src attr-dict `:` type($src) `` `(` $srcType `)` `->` type($dst) |
    convert.formats | cvt | the nibbles of a byte as a pair
convert.f6x2.to.f16x2 src:2xi8 -> dst:2xf16 | srcType:type relu:bool=false |
    $src attr-dict `:` type($src) `` `(` $srcType `)` `->` type($dst) | convert.formats | cvt | two fp6 as a
    pair
convert.f8x2.to.bf16x2 src:2xi8 -> dst:2xbf16 | srcType:type |
    $src attr-dict `:` type($src) `` `(` $srcType `)` `->` type($dst) |
    convert.formats | cvt | two scales as a pair
convert.f8x2.to.f16x2 src:2xi8 -> dst:2xf16 | srcType:type relu:bool=false |
    $src attr-dict `:` type($src) `` `(` $srcType `)` `->` type($dst) | convert.formats | cvt | two fp8 as a
    pair
convert.float.to.tf32 src:f32 -> res:i32 | rnd:fp_rnd_mode=none sat:sat_mode=none relu:bool=false | $src attr-dict |
    convert.tf32 | cvt | an f32 rounded to tf32, as i32 bits
cp.async.bulk.commit.group | | | | = cp.async.bulk.commit_group | the bulk stores issued so far form a group
cp.async.bulk.global.shared.cta dst_mem:ptr1 src_mem:ptr3 size:i32 l2_cache_hint:i64? byte_mask:i16? | |
    $dst_mem `,` $src_mem `,` $size (`l2_cache_hint` `=` $l2_cache_hint^)? (`byte_mask` `=` $byte_mask^)? attr-dict
    `:` custom<BareType>(type($dst_mem)) `,` custom<BareType>(type($src_mem)) |
    | cp.async.bulk | copy bytes out of shared memory
cp.async.bulk.prefetch src_mem:ptr1 size:i32 l2_cache_hint:i64? | |
    $src_mem `,` $size (`l2_cache_hint` `=` $l2_cache_hint^)? attr-dict `:` custom<BareType>(type($src_mem)) |
    | cp.async.bulk.prefetch | bring bytes into L2
cp.async.bulk.shared.cluster.global dst_mem:ptr3/ptr7 src_mem:ptr1 mbar:ptr3 size:i32 multicast_mask:i16?
    l2_cache_hint:i64? | |
    $dst_mem `,` $src_mem `,` $mbar `,` $size (`multicast_mask` `=` $multicast_mask^)? (`l2_cache_hint` `=`
    $l2_cache_hint^)? attr-dict `:` type($dst_mem) `,` custom<BareType>(type($src_mem)) |
    tma.multicast | cp.async.bulk | copy bytes into shared memory
cp.async.bulk.shared.cluster.shared.cta dst_mem:ptr7 src_mem:ptr3 mbar:ptr3 size:i32 | |
    $dst_mem `,` $src_mem `,` $mbar `,` $size attr-dict `:` custom<BareType>(type($dst_mem)) `,`
    custom<BareType>(type($src_mem)) |
    | cp.async.bulk | copy bytes to another block's memory
cp.async.bulk.tensor.global.shared.cta tma_descriptor:ptr src_mem:ptr3 coordinates:i32* l2_cache_hint:i64? predicate:i1?
    | mode:tma_store_mode=tile |
    $tma_descriptor `,` $src_mem `,` `box` `[` $coordinates `]` (`l2_cache_hint` `=` $l2_cache_hint^)? (`,`
    `predicate` `=` $predicate^)? attr-dict `:` type($tma_descriptor) `,` custom<BareType>(type($src_mem)) |
    tma.store | cp.async.bulk.tensor | TMA store of a box
cp.async.bulk.tensor.prefetch tma_descriptor:ptr coordinates:i32* im2col_offsets:i16* l2_cache_hint:i64? |
    mode:tma_load_mode=tile |
    $tma_descriptor `,` `box` `[` $coordinates `]` (`im2col` `[` $im2col_offsets^ `]`)? (`l2_cache_hint` `=`
    $l2_cache_hint^)? attr-dict `:` type($tma_descriptor) |
    tma.box | cp.async.bulk.prefetch.tensor | TMA load into L2 only
cp.async.bulk.tensor.reduce tma_descriptor:pointer src_mem:ptr3 coordinates:i32* l2_cache_hint:i64? |
    redKind:tma_redux_kind mode:tma_store_mode=tile |
    $tma_descriptor `,` $src_mem `,` `box` `[` $coordinates `]` (`l2_cache_hint` `=` $l2_cache_hint^)? attr-dict `:`
    custom<BareType>(type($tma_descriptor)) `,` custom<BareType>(type($src_mem)) |
    tma.reduce | cp.reduce.async.bulk.tensor | TMA store that combines
cp.async.bulk.tensor.shared.cluster.global dst_mem:ptr3/ptr7 tma_descriptor:ptr coordinates:i32* mbar:ptr3
    im2col_offsets:i16* multicast_mask:i16? l2_cache_hint:i64? predicate:i1? | mode:tma_load_mode=tile
    isCTAOnly:bool=false group?:cta_group |
    $dst_mem `,` $tma_descriptor `,` $mbar `,` `box` `[` $coordinates `]` (`im2col` `[` $im2col_offsets^ `]`)?
    (`multicast_mask` `=` $multicast_mask^)? (`l2_cache_hint` `=` $l2_cache_hint^)? (`predicate` `=` $predicate^)?
    attr-dict `:` type($dst_mem) `,` type($tma_descriptor) |
    tma.load | cp.async.bulk.tensor | TMA load of a box
cp.async.bulk.wait_group | group:count read? | $group attr-dict |
    | cp.async.bulk.wait_group | wait until at most N groups are in flight (have still to read)
cp.async.commit.group | | | | = cp.async.commit_group | the copies issued so far form a group
cp.async.mbarrier.arrive addr:ptr/ptr3 | noinc:bit=false | $addr attr-dict `:` type(operands) |
    | cp.async.mbarrier.arrive | the barrier is arrived at when the thread's copies are done
cp.async.shared.global dst:ptr3 src:ptr1 cp_size:i32? | size:i32 modifier:load_cache_modifier |
    $dst `,` $src `,` $size `,` `cache` `=` $modifier (`,` $cp_size^)? attr-dict `:` type(operands) |
    checks.async_copy | cp.async | copy `size` bytes. With `cp_size` only that many bytes are read; the rest of the
    destination is zeroed
cp.async.wait.group | n:i32 | $n attr-dict | | cp.async.wait_group | wait until at most N groups are in flight
dot.accumulate.2way a:2xi16 b:4xi8 c:i32 -> res:i32 | a_type:dot_accumulate_type b_type:dot_accumulate_type b_hi:bool |
    $a $a_type `,` $b $b_type `,` $c attr-dict `:` type($a) `,` type($b) |
    | dp2a | c plus the dot product of `a` and two bytes of `b`, the upper ones with `b_hi`
dot.accumulate.4way a:4xi8 b:4xi8 c:i32 -> res:i32 | a_type:dot_accumulate_type b_type:dot_accumulate_type |
    $a $a_type `,` $b $b_type `,` $c attr-dict `:` type($a) `,` type($b) | | dp4a | c plus the dot product
elect.sync membermask:i32? -> pred:i1 | | ($membermask^)? attr-dict `->` type(results) |
    | elect.sync | true in one lane of the mask, sm_90 and up
exit | | | | = exit | end the thread
fence.mbarrier.init | | |
     | = fence op_restrict=mbarrier_init sem=release scope=cluster | make `mbarrier.init` visible to the cluster
fence.proxy | kind:proxy_kind space?:shared_space | |
    checks.fence | fence.proxy | order accesses through different proxies
fence.proxy.acquire addr:ptr size:i32 | scope:mem_scope fromProxy:proxy_kind=generic toProxy:proxy_kind=tensormap |
    $scope $addr `,` $size (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict |
    checks.to_tensormap | fence.proxy | the fence that a tensor map's reader needs
fence.proxy.release | scope:mem_scope fromProxy:proxy_kind=generic toProxy:proxy_kind=tensormap |
    $scope (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict |
    checks.to_tensormap | fence.proxy | the fence that a tensor map's writer needs
fence.proxy.sync_restrict | order:mem_order fromProxy:proxy_kind=generic toProxy:proxy_kind=async | |
    checks.ordered checks.to_async | fence.proxy | the same between the generic and the async proxy
fence.sc.cluster | | | | = fence sem=sc scope=cluster | order all accesses of the cluster's threads, sequentially
fence.sync_restrict | order:mem_order | |
    checks.ordered | fence | acquire or release at cluster scope, of shared memory and mbarriers only
griddepcontrol | kind:grid_dep_action | $kind attr-dict | | griddepcontrol | programmatic dependent launch
inline_ptx read_only_args:any* read_write_args:any* predicate:i1? -> write_only_args:any* | ptxCode:string |
    $ptxCode (`ro` `(` $read_only_args^ `:` type($read_only_args) `)`)? (`rw` `(` $read_write_args^ `:`
    type($read_write_args) `)`)? (`,` `predicate` `=` $predicate^)? attr-dict (`->` type($write_only_args)^)? |
    | | PTX text, in which `$0`, `$1`, ... stand for the operands, the results first
ldmatrix ptr:ptr3 -> res:any | num:i32 layout:mma_layout shape:ld_st_matrix_shape eltType:ld_st_matrix_elt_type |
    $ptr attr-dict `:` functional-type($ptr, $res) |
    matrix.load | ldmatrix | `num` tiles of shared memory; `layout = col` transposes. The result is one `i32`,
    or a struct of `num` of them
mapa a:ptr/ptr3 b:i32 -> res:ptr/ptr7 | | $a `,` $b attr-dict `:` type($a) `->` type($res) |
    tma.mapa | mapa | the address of the same place in block `b` of the cluster
match.sync thread_mask:i32 val:i32/i64 -> res:matched | kind:match_sync_kind |
    $kind $thread_mask `,` $val attr-dict `:` type($val) `->` type($res) |
    checks.match | match | which lanes hold the same value
mbarrier.arrive addr:ptr/ptr3/ptr7 count:i32? -> res:i64? | scope:mem_scope=cta relaxed:bool=false |
    $addr (`,` $count^)? attr-dict `:` type($addr) (`->` type($res)^)? |
    checks.barrier_scope checks.arrival | mbarrier.arrive | arrive; no result for a pointer to the cluster's memory
mbarrier.arrive.expect_tx addr:ptr/ptr3/ptr7 txcount:i32 predicate:i1? -> res:i64? | scope:mem_scope=cta
    relaxed:bool=false |
    $addr `,` $txcount (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands) (`->` type($res)^)? |
    checks.predicated checks.barrier_scope checks.arrival | mbarrier.arrive | arrive, and expect bytes
mbarrier.arrive.nocomplete addr:ptr/ptr3 count:i32 -> res:i64 | |
    $addr `,` $count attr-dict `:` type(operands) `->` type($res) |
    | mbarrier.arrive | arrive `count` times without completing the phase
mbarrier.arrive_drop addr:ptr/ptr3/ptr7 count:i32? -> res:i64? | scope:mem_scope=cta relaxed:bool=false |
    $addr (`,` $count^)? attr-dict `:` type($addr) (`->` type($res)^)? |
    checks.barrier_scope checks.arrival | mbarrier.arrive_drop | arrive, and expect fewer in later phases
mbarrier.arrive_drop.expect_tx addr:ptr/ptr3/ptr7 txcount:i32 -> res:i64? | scope:mem_scope=cta relaxed:bool=false |
    $addr `,` $txcount attr-dict `:` type(operands) (`->` type($res)^)? |
    checks.barrier_scope checks.arrival | mbarrier.arrive_drop | arrive, expect bytes now and fewer arrivals later
mbarrier.arrive_drop.nocomplete addr:ptr/ptr3 count:i32 -> res:i64 | |
    $addr `,` $count attr-dict `:` type(operands) `->` type($res) |
    | mbarrier.arrive_drop | the same, and expect fewer in later phases
mbarrier.complete_tx addr:ptr3/ptr7 txcount:i32 | scope:mem_scope=cta |
    $addr `,` $txcount attr-dict `:` type(operands) |
    checks.barrier_scope | mbarrier.complete_tx | count bytes as arrived
mbarrier.expect_tx addr:ptr3/ptr7 txcount:i32 | scope:mem_scope=cta | $addr `,` $txcount attr-dict `:` type(operands) |
    checks.barrier_scope | mbarrier.expect_tx | expect bytes without arriving
mbarrier.init addr:ptr/ptr3 count:i32 predicate:i1? | |
    $addr `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands) |
    | mbarrier.init | set up a barrier for a number of arrivals
mbarrier.inval addr:ptr/ptr3 | | $addr attr-dict `:` type(operands) |
    | mbarrier.inval | the memory may be used for something else
mbarrier.test.wait addr:ptr/ptr3 state_or_phase:i64/i32 -> res:i1 | scope:mem_scope=cta relaxed:bool=false |
    $addr `,` $state_or_phase attr-dict `:` type(operands) `->` type($res) |
    checks.barrier_scope | mbarrier.test_wait | whether a phase is complete: i64 is a state, i32 a parity
mbarrier.try_wait addr:ptr/ptr3 state_or_phase:i64/i32 ticks:i32? -> res:i1 | scope:mem_scope=cta relaxed:bool=false |
    $addr `,` $state_or_phase (`,` $ticks^)? attr-dict `:` type(operands) `->` type($res) |
    checks.barrier_scope | mbarrier.try_wait | the same, and the thread may be suspended for `ticks`
mbarrier.try_wait.parity addr:ptr/ptr3 phase:i32 ticks:i32 | |
    $addr `,` $phase `,` $ticks attr-dict `:` type(operands) | | mbarrier.try_wait | retry until the phase is
    complete
memory.barrier | scope:mem_scope | $scope attr-dict | | fence membar | order the thread's memory operations at a scope
mma.block_scale operand_a:compatible* operand_b:compatible* operand_c:compatible* scale_a_data:i32 byte_id_a:i16
    thread_id_a:i16 scale_b_data:i32 byte_id_b:i16 thread_id_b:i16 -> res:struct | scaleVecSize:scale_vec_size
    blockScaleFormat:block_scale_format kind:block_scale_kind shape multiplicandAPtxType?:mma_type
    multiplicandBPtxType?:mma_type | syntax(grouped.product) | block_scale.product | mma | a product of small matrices
    with scales
mma.sp.block_scale operand_a:compatible* operand_b:compatible* operand_c:compatible* sparse_metadata:i32
    sparsity_selector:i32 scale_a_data:i32 byte_id_a:i16 thread_id_a:i16 scale_b_data:i32 byte_id_b:i16 thread_id_b:i16
    -> res:struct | orderedMetadata? scaleVecSize:scale_vec_size blockScaleFormat:block_scale_format
    kind:block_scale_kind shape multiplicandAPtxType?:mma_type multiplicandBPtxType?:mma_type | syntax(grouped.product)
    | block_scale.sparse_product | mma.sp::ordered_metadata | a product of small matrices with scales, the first with
    zeros
mma.sp.sync operand_a:compatible* operand_b:compatible* operand_c:compatible* sparse_metadata:i32 sparsity_selector:i32
    -> res:struct | intOverflowBehavior?:mma_int_overflow kind?:mma_kind orderedMetadata? shape
    multiplicandAPtxType?:mma_type multiplicandBPtxType?:mma_type | syntax(grouped.product) | matrix.sparse_product |
    mma.sp mma.sp::ordered_metadata | a product of small matrices, the first with zeros
mma.sync operand_a:compatible* operand_b:compatible* operand_c:compatible* -> res:struct | b1Op?:mma_b1op
    intOverflowBehavior?:mma_int_overflow layoutA:mma_layout layoutB:mma_layout shape multiplicandAPtxType?:mma_type
    multiplicandBPtxType?:mma_type | syntax(grouped.product) | matrix.product | mma | a product of small matrices by a
    warp
nanosleep duration:i32 | | attr-dict $duration | | = nanosleep type=u32 | sleep for about that many nanoseconds
pmevent | maskedEventId?:i16 eventId?:i32 | attr-dict (`id` `=` $eventId^)? (`mask` `=` $maskedEventId^)? |
    checks.event | pmevent | trigger performance monitor events, one or those of a mask
prefetch addr:ptr1/ptr5/ptr/ptr4 predicate:i1? | cacheLevel?:prefetch_cache_level evictPriority?:cache_eviction_priority
    tensormap? uniform? in_param_space? |
    (`level` `=` $cacheLevel^ (`uniform` $uniform^)? `,`)? (`tensormap` $tensormap^ (`in_param_space`
    $in_param_space^)? `,`)? (`evict_priority` `=` $evictPriority^ `,`)? $addr (`,` `predicate` `=` $predicate^)?
    attr-dict `:` type(operands) |
    tma.prefetch | prefetch prefetchu | bring a line of memory, or a tensor map, into a cache
prmt lo:i32 hi:i32? selector:i32 -> res:i32 | mode:permute_mode |
    $mode $selector `,` $lo (`,` $hi^)? attr-dict `:` type($res) |
    pure checks.permute | prmt | bytes of `hi` and `lo` picked by the selector
rcp.approx.ftz.f arg:f32 -> res:f32 | | $arg attr-dict `:` type($res) | pure | rcp | an approximate reciprocal
REGISTERS READ | pure sregs.bounds | mov | a special register
CLOCKS READ | sregs.bounds | mov | a special register that counts
redux.sync val:i32/f32 mask_and_clamp:i32 -> res:i32/f32 | kind:redux_kind abs:bool=false nan:bool=false |
    $kind $val `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res) |
    checks.reduction | redux | combine over the lanes of a mask, sm_80 and up (floats sm_100a)
setmaxregister | regCount:i32 action | $action $regCount attr-dict |
    checks.registers | setmaxnreg | registers of the warps of a warpgroup, sm_90a
shfl.sync thread_mask:i32 val:i32/f32 offset:i32 mask_and_clamp:i32 -> res:shuffled | kind:shfl_kind
    return_value_and_is_valid? |
    $kind $thread_mask `,` $val `,` $offset `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res) |
    checks.shuffle | shfl | the value of another lane, and with `return_value_and_is_valid` whether there is one
st.bulk addr:ptr/ptr3 size:i64 | initVal:i64=0 |
    $addr `,` `size` `=` $size (`,` `init` `=` $initVal^)? attr-dict `:` type($addr) |
    checks.fill | st.bulk | fill `size` bytes, a multiple of 8, with zeros
stmatrix ptr:ptr3 sources:i32* | layout:mma_layout shape:ld_st_matrix_shape eltType:ld_st_matrix_elt_type |
    $ptr `,` $sources attr-dict `:` type(operands) |
    writes matrix.store | stmatrix | store tiles to shared memory, sm_90 and up
tcgen05.alloc addr:shared n_cols:i32 | group:cta_group=cta_1 | $addr `,` $n_cols attr-dict `:` type(operands) |
    | tcgen05.alloc | allocate columns; their address is written to `addr`
tcgen05.commit addr:shared multicast_mask:i16? | group:cta_group=cta_1 |
    $addr (`,` `multicast_mask` `=` $multicast_mask^)? attr-dict `:` type(operands) |
    | tcgen05.commit | an mbarrier tracks what was issued
tcgen05.cp taddr:ptr6 smem_desc:i64 | shape:tcgen05_cp_shape group:cta_group=cta_1 multicast:tcgen05_cp_multicast=none
    srcFormat?:tcgen05_cp_src_fmt |
    $taddr `,` $smem_desc attr-dict | tcgen05.copy | tcgen05.cp | shared to tensor memory
tcgen05.dealloc taddr:ptr6 n_cols:i32 | group:cta_group=cta_1 | $taddr `,` $n_cols attr-dict `:` type(operands) |
    | tcgen05.dealloc | give columns back
tcgen05.fence | kind:tcgen05_fence | $kind attr-dict |
    | tcgen05.fence::after_thread_sync tcgen05.fence::before_thread_sync | order tcgen05 operations and a thread
    synchronisation
tcgen05.ld tmem_addr:ptr6 offset:i64? -> res:registers | pack? shape:tcgen05_ldst_shape |
    $tmem_addr (`,` $offset^)? (`pack` $pack^)? attr-dict `:` type($res) |
    tcgen05.load | tcgen05.ld | tensor memory to registers
tcgen05.mma matrix_d:ptr6 matrix_a:ptr6/i64 matrix_b:i64 idesc:i32 enable_input_d:i1 scale_input_d:i64?
    disable_output_lane:lanes? | kind:tcgen05_mma_kind ctaGroup:cta_group collectorOp:tcgen05_mma_collectorop=discard
    aShift? |
    $matrix_d `,` $matrix_a `,` $matrix_b `,` $idesc `,` $enable_input_d (`scale` `=` $scale_input_d^)? (`mask` `=`
    $disable_output_lane^)? attr-dict `:` `(` custom<OperandTypes>(type($matrix_a), type($disable_output_lane)) `)`
    |
    tcgen05.lanes tcgen05.shift | tcgen05.mma | a product in tensor memory
tcgen05.mma.block_scale matrix_d:ptr6 matrix_a:ptr6/i64 matrix_b:i64 idesc:i32 enable_input_d:i1 scale_a:ptr6
    scale_b:ptr6 | kind:block_scale_kind ctaGroup:cta_group blockScale:tcgen05_mma_block_scale=default
    collectorOp:tcgen05_mma_collectorop=discard |
    $matrix_d `,` $matrix_a `,` $matrix_b `,` $idesc `,` $enable_input_d `,` $scale_a `,` $scale_b attr-dict `:` `(`
    type(operands) `)` |
    tcgen05.scales | tcgen05.mma | a product whose blocks have scales
tcgen05.mma.sp matrix_d:ptr6 matrix_a:ptr6/i64 matrix_b:i64 idesc:i32 enable_input_d:i1 sparse_metadata:ptr6
    scale_input_d:i64? disable_output_lane:lanes? | kind:tcgen05_mma_kind ctaGroup:cta_group
    collectorOp:tcgen05_mma_collectorop=discard aShift? |
    $matrix_d `,` $matrix_a `,` $matrix_b `,` $idesc `,` $enable_input_d `,` $sparse_metadata (`scale` `=`
    $scale_input_d^)? (`mask` `=` $disable_output_lane^)? attr-dict `:` `(` custom<OperandTypes>(type($matrix_a),
    type($disable_output_lane)) `)` |
    tcgen05.lanes tcgen05.shift | tcgen05.mma.sp | A is 2:4 sparse
tcgen05.mma.sp.block_scale matrix_d:ptr6 matrix_a:ptr6/i64 matrix_b:i64 idesc:i32 enable_input_d:i1 sparse_metadata:ptr6
    scale_a:ptr6 scale_b:ptr6 | kind:block_scale_kind ctaGroup:cta_group blockScale:tcgen05_mma_block_scale=default
    collectorOp:tcgen05_mma_collectorop=discard |
    $matrix_d `,` $matrix_a `,` $matrix_b `,` $idesc `,` $enable_input_d `,` $sparse_metadata `,` $scale_a `,`
    $scale_b attr-dict `:` `(` type(operands) `)` |
    tcgen05.scales | tcgen05.mma.sp | A is sparse, and blocks have scales
tcgen05.mma.ws matrix_d:ptr6 matrix_a:ptr6/i64 matrix_b:i64 idesc:i32 enable_input_d:i1 zero_col_mask:i64? |
    kind:tcgen05_mma_kind collectorBBuffer:tcgen05_mma_collectorb=b0 collectorOp:tcgen05_mma_collectorop=discard |
    $matrix_d `,` $matrix_a `,` $matrix_b `,` $idesc `,` $enable_input_d (`,` $zero_col_mask^)? attr-dict `:` `(`
    type(operands) `)` |
    | tcgen05.mma.ws | B stays
tcgen05.mma.ws.sp matrix_d:ptr6 matrix_a:ptr6/i64 matrix_b:i64 idesc:i32 enable_input_d:i1 sparse_metadata:ptr6
    zero_col_mask:i64? | kind:tcgen05_mma_kind collectorBBuffer:tcgen05_mma_collectorb=b0
    collectorOp:tcgen05_mma_collectorop=discard |
    $matrix_d `,` $matrix_a `,` $matrix_b `,` $idesc `,` $enable_input_d `,` $sparse_metadata (`,` $zero_col_mask^)?
    attr-dict `:` `(` type(operands) `)` |
    | tcgen05.mma.ws.sp | A is sparse, and B stays
tcgen05.mma_smem_desc start_addr:i32 leading_dim_offset:i32 stride_dim_offset:i32 base_offset:i8 leading_dim_mode:i1
    swizzle_mode:i8 -> res:i64 | |
    `(` operands `)` attr-dict `:` `(` type(operands) `)` `->` type($res) | | | a descriptor
tcgen05.relinquish_alloc_permit | group:cta_group=cta_1 | |
    | tcgen05.relinquish_alloc_permit | this block allocates no more
tcgen05.shift taddr:ptr6 | group:cta_group=cta_1 | $taddr attr-dict `:` type(operands) |
    | tcgen05.shift | move rows down by one
tcgen05.st tmem_addr:ptr6 val:registers offset:i64? | unpack? shape:tcgen05_ldst_shape |
    $tmem_addr `,` $val (`,` $offset^)? (`unpack` $unpack^)? attr-dict `:` type($val) |
    tcgen05.store | tcgen05.st | registers to tensor memory
tcgen05.wait | kind:tcgen05_wait | $kind attr-dict |
    | tcgen05.wait::ld tcgen05.wait::st | wait for the thread's loads or stores of tensor memory
vote.sync mask:i32 pred:i1 -> res:i32/i1 | kind:vote_sync_kind | $kind $mask `,` $pred attr-dict `->` type($res) |
    checks.vote | vote | which lanes have a predicate: i32 for `ballot`, else i1
wgmma.commit.group.sync.aligned | | | | = wgmma.commit_group | the products issued so far form a group
wgmma.fence.aligned | | | | wgmma.fence | registers and shared memory written before are seen by wgmma
wgmma.mma_async inouts:struct descriptor_a:i64 descriptor_b:i64 -> results_:struct | shape typeA:wgmma_type
    typeB:wgmma_type typeD:wgmma_type scaleD:wgmma_scale_out scaleA:wgmma_scale_in scaleB:wgmma_scale_in
    layoutA:mma_layout layoutB:mma_layout satfinite?:mma_int_overflow |
    $descriptor_a `,` $descriptor_b `,` $inouts `,` $shape `,` `D` `` `[` $typeD `,` $scaleD (`,` $satfinite^)? `]`
    `,` `A` `` `[` $typeA `,` $scaleA `,` $layoutA `]` `,` `B` `` `[` $typeB `,` $scaleB `,` $layoutB `]` attr-dict
    `:` type($inouts) `->` type($results_) |
    wgmma.product | wgmma.mma_async | D = A * B (+ D), D in registers
wgmma.wait.group.sync.aligned | group:i64 | attr-dict $group |
    | wgmma.wait_group | wait until at most N groups are in flight
wmma.load ptr:pointer stride:i32 -> res:fragment | m:i32 n:i32 k:i32 layout:mma_layout eltype:mma_type frag:mma_frag |
    $ptr `,` $stride attr-dict `:` functional-type($ptr, $res) |
    wmma.load | wmma.load | load fragment a, b or c; `stride` is the distance of rows (columns, for `col`) in
    elements
wmma.mma args:compatible* -> res:struct | m:i32 n:i32 k:i32 layoutA:mma_layout layoutB:mma_layout eltypeA:mma_type
    eltypeB:mma_type |
    $args attr-dict `:` functional-type($args, $res) |
    wmma.product | wmma.mma | D = A * B + C on registers; `eltypeA` is the element type of A and B, `eltypeB`
    that of C and D
wmma.store ptr:pointer args:compatible* stride:i32 | m:i32 n:i32 k:i32 layout:mma_layout eltype:mma_type |
    $ptr `,` $stride `,` $args attr-dict `:` type($ptr) `,` type($args) |
    writes wmma.store | wmma.store | store fragment d
"""

_STRUCT = Described(LLVMStructType, "LLVM struct type")
_REGISTERS = "32-bit signless integer or vector of 32-bit signless integer values of length 2/4/8/16/32/64/128"
_LANES = "fixed-length vector of 32-bit signless integer values of length 4/8"

TABLE = Table(
    "nvvm",
    ROWS,
    {
        "pointer": LLVMPointerType,
        "struct": LLVMStructType,
        "compatible": COMPATIBLE,
        "shared": Described(LLVMPointerType, "LLVM pointer type or LLVM pointer in address space 3"),
        "registers": Described(one_of(i32, *(type_of(f"{1 << power}xi32") for power in range(1, 8))), _REGISTERS),
        "lanes": Described(type_of("4xi32/8xi32"), _LANES),
        "fragment": AnyOf((base(LLVMStructType), EqAttrConstraint(f64))),
        "shuffled": AnyOf((EqAttrConstraint(i32), EqAttrConstraint(f32), _STRUCT)),
        "matched": AnyOf((EqAttrConstraint(i32), _STRUCT)),
    },
    {
        "bit": Described(IntegerAttr.constr(EqAttrConstraint(i1)), "1-bit signless integer attribute"),
        "constant_range": ConstantRangeAttr,
        "count": IntegerAttr.constr(EqAttrConstraint(i32), value=AtLeast(0)),
        "shape": ShapeAttr,
        "ld_st_matrix_shape": LdStMatrixShapeAttr,
    },
    parts={
        "REGISTERS": operations(name for name in SPECIAL_REGISTERS if name not in CHANGING),
        "CLOCKS": operations(CHANGING),
        "READ": "-> res:compatible | range?:constant_range | (`range` $range^)? attr-dict `:` type($res)",
    },
)
