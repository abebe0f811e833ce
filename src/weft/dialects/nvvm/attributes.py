"""Attributes of `nvvm` that are one word, as `weft.dialects.engine.attributes` reads them."""

from __future__ import annotations

ROWS = """
fp_rnd_mode <> FPRoundingMode none rn rm rp rz rna rs | NVVM FPRoundingMode kind
sat_mode <> SaturationMode none satfinite | NVVM SaturationMode kind
dot_accumulate_type <> DotAccumulateType signed unsigned | NVVM DotAccumulateType
permute_mode <> PermuteMode default f4e b4e rc8 ecl ecr rc16 | NVVM permute mode
mma_type <> MMATypes f16 f32 tf32 bf16 s8 u8 s32 s4 u4 b1 f64 e4m3 e5m2 e3m2 e2m3 e2m1 | NVVM MMA types
mma_layout <> MMALayout row col | NVVM MMA layout
mma_frag <> MMAFrag a b c | NVVM MMA frag type
mma_b1op <> MMAB1Op none xor_popc and_popc | MMA binary operations
mma_int_overflow <> MMAIntOverflow satfinite wrapped | MMA overflow options
mma_kind <> MMAKind f8f6f4 | MMA operation kind
ld_st_matrix_elt_type <> LdStMatrixEltType b16 b8 b8x16.b6x16_p32 b8x16.b4x16_p64 | Element type for ldmatrix and
    stmatrix
wgmma_type <> WGMMATypes f16 tf32 u8 s8 b1 bf16 e4m3 e5m2 f32 s32 | NVVM WGMMA types
wgmma_scale_in <> WGMMAScaleIn one neg | WGMMA overflow options
wgmma_scale_out <> WGMMAScaleOut zero one | WGMMA input predicate
scale_vec_size <> ScaleVecSize x1 x2 x4 | MMA Scale Vector Sizes
block_scale_format <> BlockScaleFormat ue8m0 ue4m3 | MMA Block Scale Format
load_cache_modifier - LoadCacheModifierKind ca cg cs lu cv | NVVM load cache modifier kind
tma_load_mode <> TMALoadMode tile im2col im2col_w im2col_w_128 tile_gather4 | List of Load-Modes supported for TMA
    Tensor Ops
tma_store_mode <> TMAStoreMode tile im2col tile_scatter4 | NVVM TMA Store Mode
tma_redux_kind <> TMAReduxKind add max min inc dec and or xor | NVVM TMA redux kind
prefetch_cache_level - PrefetchCacheLevel L1 L2 | NVVM Prefetch Cache Level
cache_eviction_priority - CacheEvictionPriority evict_normal evict_first evict_last evict_unchanged no_allocate |
    NVVM Cache Eviction Priority
shfl_kind - ShflKind bfly up down idx | NVVM shuffle kind
vote_sync_kind - VoteSyncKind any all ballot uni | NVVM vote sync kind
match_sync_kind - MatchSyncKind any all | NVVM match sync kind
redux_kind - ReduxKind add and max min or umax umin xor fmin fmax | NVVM redux kind
mem_scope <> MemScopeKind cta cluster gpu sys | NVVM Memory Scope kind
shared_space <> SharedSpace cta cluster | Shared memory space
proxy_kind <> ProxyKind alias async async.global async.shared tensormap generic | Proxy kind
reduction <> BarrierReduction popc and or | NVVM barrier reduction operation
action - SetMaxRegisterAction decrease increase | NVVM set max register action
grid_dep_action - GridDepActionKind wait launch_dependents | Action kind for grid dependency control
mem_order <> MemOrderKind weak relaxed acquire release acq_rel sc mmio volatile | NVVM Memory Ordering kind
cluster_launch_control_query_type - ClusterLaunchControlQueryType is_canceled get_first_cta_id_x get_first_cta_id_y
    get_first_cta_id_z | NVVM ClusterLaunchControlQueryType
cta_group <> CTAGroupKind cta_1 cta_2 | NVVM CTA group kind
tcgen05_fence <> Tcgen05FenceKind before after | NVVM Tcgen05 fence kind
tcgen05_wait <> Tcgen05WaitKind load store | NVVM Tcgen05 wait kind
tcgen05_cp_shape <> Tcgen05CpShape shape_128x256b shape_4x256b shape_128x128b shape_64x128b shape_32x128b | tcgen05
    cp shapes
tcgen05_cp_multicast <> Tcgen05CpMulticast none warpx2_02_13 warpx2_01_23 warpx4 | tcgen05 cp multicast
tcgen05_cp_src_fmt <> Tcgen05CpSrcFormat b6x16_p32 b4x16_p64 | tcgen05 cp source format
tcgen05_ldst_shape <> Tcgen05LdStShape shape_16x64b shape_16x128b shape_16x256b shape_32x32b shape_16x32bx2 |
    allowed 32-bit signless integer cases: 0, 1, 2, 3, 4
tcgen05_mma_kind <> Tcgen05MMAKind f8f6f4 i8 f16 tf32 | tcgen05 MMA Supported Types
tcgen05_mma_collectorop <> Tcgen05MMACollectorOp discard lastuse fill use | tcgen05.mma Collector Buffer Operation
tcgen05_mma_collectorb <> Tcgen05MMACollectorBBuffer b0 b1 b2 b3 | tcgen05 MMA Collector Buffer B Attribute
tcgen05_mma_block_scale <> Tcgen05MMABlockScale default block16 block32 | tcgen05.mma block scale attribute
block_scale_kind <> MMABlockScaleKind mxf8f6f4 mxf4 mxf4nvf4 | Block Scale Kind
"""
