# Written by scripts/row_stubs.py from the rows of operations.
# ruff: noqa
# pyright: basic, reportIncompatibleVariableOverride=false, reportIncompatibleMethodOverride=false
from typing import Any

from xdsl.dialects.builtin import AnyFloat
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, OpResult, ParametrizedAttribute, Region, SSAValue, TypeAttribute
from xdsl.irdl import IRDLOperation, VarOperand, VarOpResult
from xdsl.utils.str_enum import StrEnum

from weft.dialects.gpu.matrix_types import MMAMatrixType as weft_dialects_gpu_matrix_types_MMAMatrixType
from weft.dialects.nvgpu.types import DeviceAsyncTokenType as weft_dialects_nvgpu_types_DeviceAsyncTokenType
from weft.dialects.nvgpu.types import MBarrierGroupType as weft_dialects_nvgpu_types_MBarrierGroupType
from weft.dialects.nvgpu.types import MBarrierTokenType as weft_dialects_nvgpu_types_MBarrierTokenType
from weft.dialects.nvgpu.types import TensorMapDescriptorType as weft_dialects_nvgpu_types_TensorMapDescriptorType
from weft.dialects.nvgpu.types import WarpgroupAccumulatorType as weft_dialects_nvgpu_types_WarpgroupAccumulatorType
from weft.dialects.nvgpu.types import WarpgroupMatrixDescriptorType as weft_dialects_nvgpu_types_WarpgroupMatrixDescriptorType
from weft.dialects.nvvm.matrix_attributes import LdStMatrixShapeAttr as weft_dialects_nvvm_matrix_attributes_LdStMatrixShapeAttr
from weft.dialects.nvvm.matrix_attributes import ShapeAttr as weft_dialects_nvvm_matrix_attributes_ShapeAttr
from xdsl.dialects.arith import CmpfOp as xdsl_dialects_arith_CmpfOp
from xdsl.dialects.arith import CmpiOp as xdsl_dialects_arith_CmpiOp
from xdsl.dialects.arith import DivSIOp as xdsl_dialects_arith_DivSIOp
from xdsl.dialects.arith import DivUIOp as xdsl_dialects_arith_DivUIOp
from xdsl.dialects.arith import ExtFOp as xdsl_dialects_arith_ExtFOp
from xdsl.dialects.arith import ExtSIOp as xdsl_dialects_arith_ExtSIOp
from xdsl.dialects.arith import ExtUIOp as xdsl_dialects_arith_ExtUIOp
from xdsl.dialects.arith import FPToSIOp as xdsl_dialects_arith_FPToSIOp
from xdsl.dialects.arith import FPToUIOp as xdsl_dialects_arith_FPToUIOp
from xdsl.dialects.arith import FastMathFlagsAttr as xdsl_dialects_arith_FastMathFlagsAttr
from xdsl.dialects.arith import IndexCastOp as xdsl_dialects_arith_IndexCastOp
from xdsl.dialects.arith import IntegerOverflowAttr as xdsl_dialects_arith_IntegerOverflowAttr
from xdsl.dialects.arith import SIToFPOp as xdsl_dialects_arith_SIToFPOp
from xdsl.dialects.arith import SelectOp as xdsl_dialects_arith_SelectOp
from xdsl.dialects.arith import ShRSIOp as xdsl_dialects_arith_ShRSIOp
from xdsl.dialects.arith import ShRUIOp as xdsl_dialects_arith_ShRUIOp
from xdsl.dialects.arith import TruncFOp as xdsl_dialects_arith_TruncFOp
from xdsl.dialects.arith import TruncIOp as xdsl_dialects_arith_TruncIOp
from xdsl.dialects.arith import UIToFPOp as xdsl_dialects_arith_UIToFPOp
from xdsl.dialects.builtin import ArrayAttr as xdsl_dialects_builtin_ArrayAttr
from xdsl.dialects.builtin import BFloat16Type as xdsl_dialects_builtin_BFloat16Type
from xdsl.dialects.builtin import DenseArrayBase as xdsl_dialects_builtin_DenseArrayBase
from xdsl.dialects.builtin import Float128Type as xdsl_dialects_builtin_Float128Type
from xdsl.dialects.builtin import Float16Type as xdsl_dialects_builtin_Float16Type
from xdsl.dialects.builtin import Float32Type as xdsl_dialects_builtin_Float32Type
from xdsl.dialects.builtin import Float4E2M1FNType as xdsl_dialects_builtin_Float4E2M1FNType
from xdsl.dialects.builtin import Float64Type as xdsl_dialects_builtin_Float64Type
from xdsl.dialects.builtin import Float6E2M3FNType as xdsl_dialects_builtin_Float6E2M3FNType
from xdsl.dialects.builtin import Float6E3M2FNType as xdsl_dialects_builtin_Float6E3M2FNType
from xdsl.dialects.builtin import Float80Type as xdsl_dialects_builtin_Float80Type
from xdsl.dialects.builtin import Float8E3M4Type as xdsl_dialects_builtin_Float8E3M4Type
from xdsl.dialects.builtin import Float8E4M3B11FNUZType as xdsl_dialects_builtin_Float8E4M3B11FNUZType
from xdsl.dialects.builtin import Float8E4M3FNType as xdsl_dialects_builtin_Float8E4M3FNType
from xdsl.dialects.builtin import Float8E4M3FNUZType as xdsl_dialects_builtin_Float8E4M3FNUZType
from xdsl.dialects.builtin import Float8E4M3Type as xdsl_dialects_builtin_Float8E4M3Type
from xdsl.dialects.builtin import Float8E5M2FNUZType as xdsl_dialects_builtin_Float8E5M2FNUZType
from xdsl.dialects.builtin import Float8E5M2Type as xdsl_dialects_builtin_Float8E5M2Type
from xdsl.dialects.builtin import Float8E8M0FNUType as xdsl_dialects_builtin_Float8E8M0FNUType
from xdsl.dialects.builtin import FloatTF32Type as xdsl_dialects_builtin_FloatTF32Type
from xdsl.dialects.builtin import IndexType as xdsl_dialects_builtin_IndexType
from xdsl.dialects.builtin import IntegerAttr as xdsl_dialects_builtin_IntegerAttr
from xdsl.dialects.builtin import IntegerType as xdsl_dialects_builtin_IntegerType
from xdsl.dialects.builtin import MemRefType as xdsl_dialects_builtin_MemRefType
from xdsl.dialects.builtin import StringAttr as xdsl_dialects_builtin_StringAttr
from xdsl.dialects.builtin import SymbolRefAttr as xdsl_dialects_builtin_SymbolRefAttr
from xdsl.dialects.builtin import UnitAttr as xdsl_dialects_builtin_UnitAttr
from xdsl.dialects.builtin import UnrankedMemRefType as xdsl_dialects_builtin_UnrankedMemRefType
from xdsl.dialects.builtin import VectorType as xdsl_dialects_builtin_VectorType
from xdsl.dialects.llvm import ExtractValueOp as xdsl_dialects_llvm_ExtractValueOp
from xdsl.dialects.llvm import FastMathAttr as xdsl_dialects_llvm_FastMathAttr
from xdsl.dialects.llvm import InsertValueOp as xdsl_dialects_llvm_InsertValueOp
from xdsl.dialects.llvm import LLVMPointerType as xdsl_dialects_llvm_LLVMPointerType
from xdsl.dialects.llvm import LLVMStructType as xdsl_dialects_llvm_LLVMStructType
from xdsl.dialects.vector import CombiningKindAttr as xdsl_dialects_vector_CombiningKindAttr
from xdsl.ir.core import TypeAttribute as xdsl_ir_core_TypeAttribute

class gpu_async_token(ParametrizedAttribute, TypeAttribute): ...
class gpu_sparse_dntensor_handle(ParametrizedAttribute, TypeAttribute): ...
class gpu_sparse_spmat_handle(ParametrizedAttribute, TypeAttribute): ...
class gpu_sparse_spgemmop_handle(ParametrizedAttribute, TypeAttribute): ...
class gpu_lane_MappingId(StrEnum):
    _0 = 'x'
    _1 = 'y'
    _2 = 'z'
    _3 = 'linear_dim_0'
    _4 = 'linear_dim_1'
    _5 = 'linear_dim_2'
    _6 = 'linear_dim_3'
    _7 = 'linear_dim_4'
    _8 = 'linear_dim_5'
    _9 = 'linear_dim_6'
    _10 = 'linear_dim_7'
    _11 = 'linear_dim_8'
    _12 = 'linear_dim_9'
class gpu_lane(EnumAttribute[gpu_lane_MappingId]): ...
class gpu_thread_MappingId(StrEnum):
    _0 = 'x'
    _1 = 'y'
    _2 = 'z'
    _3 = 'linear_dim_0'
    _4 = 'linear_dim_1'
    _5 = 'linear_dim_2'
    _6 = 'linear_dim_3'
    _7 = 'linear_dim_4'
    _8 = 'linear_dim_5'
    _9 = 'linear_dim_6'
    _10 = 'linear_dim_7'
    _11 = 'linear_dim_8'
    _12 = 'linear_dim_9'
class gpu_thread(EnumAttribute[gpu_thread_MappingId]): ...
class gpu_warp_MappingId(StrEnum):
    _0 = 'x'
    _1 = 'y'
    _2 = 'z'
    _3 = 'linear_dim_0'
    _4 = 'linear_dim_1'
    _5 = 'linear_dim_2'
    _6 = 'linear_dim_3'
    _7 = 'linear_dim_4'
    _8 = 'linear_dim_5'
    _9 = 'linear_dim_6'
    _10 = 'linear_dim_7'
    _11 = 'linear_dim_8'
    _12 = 'linear_dim_9'
class gpu_warp(EnumAttribute[gpu_warp_MappingId]): ...
class gpu_warpgroup_MappingId(StrEnum):
    _0 = 'x'
    _1 = 'y'
    _2 = 'z'
    _3 = 'linear_dim_0'
    _4 = 'linear_dim_1'
    _5 = 'linear_dim_2'
    _6 = 'linear_dim_3'
    _7 = 'linear_dim_4'
    _8 = 'linear_dim_5'
    _9 = 'linear_dim_6'
    _10 = 'linear_dim_7'
    _11 = 'linear_dim_8'
    _12 = 'linear_dim_9'
class gpu_warpgroup(EnumAttribute[gpu_warpgroup_MappingId]): ...
class gpu_block_MappingId(StrEnum):
    _0 = 'x'
    _1 = 'y'
    _2 = 'z'
    _3 = 'linear_dim_0'
    _4 = 'linear_dim_1'
    _5 = 'linear_dim_2'
    _6 = 'linear_dim_3'
    _7 = 'linear_dim_4'
    _8 = 'linear_dim_5'
    _9 = 'linear_dim_6'
    _10 = 'linear_dim_7'
    _11 = 'linear_dim_8'
    _12 = 'linear_dim_9'
class gpu_block(EnumAttribute[gpu_block_MappingId]): ...
class gpu_memory_space_AddressSpace(StrEnum):
    _0 = 'global'
    _1 = 'workgroup'
    _2 = 'private'
class gpu_memory_space(EnumAttribute[gpu_memory_space_AddressSpace]): ...
class gpu_mma_element_wise_MMAElementwiseOp(StrEnum):
    _0 = 'addf'
    _1 = 'mulf'
    _2 = 'subf'
    _3 = 'maxf'
    _4 = 'minf'
    _5 = 'divf'
    _6 = 'addi'
    _7 = 'muli'
    _8 = 'subi'
    _9 = 'divs'
    _10 = 'divu'
    _11 = 'negatef'
    _12 = 'negates'
    _13 = 'extf'
class gpu_mma_element_wise(EnumAttribute[gpu_mma_element_wise_MMAElementwiseOp]): ...
class gpu_mat_transpose_mode_TransposeMode(StrEnum):
    _0 = 'NON_TRANSPOSE'
    _1 = 'TRANSPOSE'
    _2 = 'CONJUGATE_TRANSPOSE'
class gpu_mat_transpose_mode(EnumAttribute[gpu_mat_transpose_mode_TransposeMode]): ...
class gpu_prune_2to4_spmat_flag_Prune2To4SpMatFlag(StrEnum):
    _0 = 'NONE'
    _1 = 'PRUNE_ONLY'
    _2 = 'PRUNE_AND_CHECK'
class gpu_prune_2to4_spmat_flag(EnumAttribute[gpu_prune_2to4_spmat_flag_Prune2To4SpMatFlag]): ...
class gpu_spgemm_work_estimation_or_compute_kind_SpGEMMWorkEstimationOrComputeKind(StrEnum):
    _0 = 'WORK_ESTIMATION'
    _1 = 'COMPUTE'
class gpu_spgemm_work_estimation_or_compute_kind(EnumAttribute[gpu_spgemm_work_estimation_or_compute_kind_SpGEMMWorkEstimationOrComputeKind]): ...
class gpu_address_space_AddressSpace(StrEnum):
    _0 = 'global'
    _1 = 'workgroup'
    _2 = 'private'
class gpu_address_space(EnumAttribute[gpu_address_space_AddressSpace]): ...
class gpu_shuffle_mode_ShuffleMode(StrEnum):
    _0 = 'xor'
    _1 = 'up'
    _2 = 'down'
    _3 = 'idx'
class gpu_shuffle_mode(EnumAttribute[gpu_shuffle_mode_ShuffleMode]): ...
class gpu_broadcast_BroadcastType(StrEnum):
    _0 = 'first_active_lane'
    _1 = 'specific_lane'
class gpu_broadcast(EnumAttribute[gpu_broadcast_BroadcastType]): ...
class gpu_all_reduce_op_AllReduceOperation(StrEnum):
    _0 = 'add'
    _1 = 'mul'
    _2 = 'minui'
    _3 = 'minsi'
    _4 = 'minnumf'
    _5 = 'maxui'
    _6 = 'maxsi'
    _7 = 'maxnumf'
    _8 = 'and'
    _9 = 'or'
    _10 = 'xor'
    _11 = 'minimumf'
    _12 = 'maximumf'
class gpu_all_reduce_op(EnumAttribute[gpu_all_reduce_op_AllReduceOperation]): ...
class gpu_dim_Dimension(StrEnum):
    _0 = 'x'
    _1 = 'y'
    _2 = 'z'
class gpu_dim(EnumAttribute[gpu_dim_Dimension]): ...
class index_cmp_predicate_IndexCmpPredicate(StrEnum):
    _0 = 'eq'
    _1 = 'ne'
    _2 = 'slt'
    _3 = 'sle'
    _4 = 'sgt'
    _5 = 'sge'
    _6 = 'ult'
    _7 = 'ule'
    _8 = 'ugt'
    _9 = 'uge'
class index_cmp_predicate(EnumAttribute[index_cmp_predicate_IndexCmpPredicate]): ...
class llvm_token(ParametrizedAttribute, TypeAttribute): ...
class llvm_label(ParametrizedAttribute, TypeAttribute): ...
class llvm_metadata(ParametrizedAttribute, TypeAttribute): ...
class llvm_x86_amx(ParametrizedAttribute, TypeAttribute): ...
class llvm_ppc_fp128(ParametrizedAttribute, TypeAttribute): ...
class llvm_di_null_type(ParametrizedAttribute): ...
class llvm_zero(ParametrizedAttribute): ...
class llvm_undef(ParametrizedAttribute): ...
class llvm_poison(ParametrizedAttribute): ...
class nvgpu_interleave_TensorMapInterleaveKind(StrEnum):
    _0 = 'none'
    _1 = 'interleave_16b'
    _2 = 'interleave_32b'
class nvgpu_interleave(EnumAttribute[nvgpu_interleave_TensorMapInterleaveKind]): ...
class nvgpu_l2promo_TensorMapL2PromoKind(StrEnum):
    _0 = 'none'
    _1 = 'l2promo_64b'
    _2 = 'l2promo_128b'
    _3 = 'l2promo_256b'
class nvgpu_l2promo(EnumAttribute[nvgpu_l2promo_TensorMapL2PromoKind]): ...
class nvgpu_oob_TensorMapOOBKind(StrEnum):
    _0 = 'zero'
    _1 = 'nan'
class nvgpu_oob(EnumAttribute[nvgpu_oob_TensorMapOOBKind]): ...
class nvgpu_rcp_rounding_mode_RcpRoundingMode(StrEnum):
    _0 = 'approx'
    _1 = 'rn'
    _2 = 'rz'
    _3 = 'rm'
    _4 = 'rp'
class nvgpu_rcp_rounding_mode(EnumAttribute[nvgpu_rcp_rounding_mode_RcpRoundingMode]): ...
class nvgpu_swizzle_TensorMapSwizzleKind(StrEnum):
    _0 = 'none'
    _1 = 'swizzle_32b'
    _2 = 'swizzle_64b'
    _3 = 'swizzle_128b'
class nvgpu_swizzle(EnumAttribute[nvgpu_swizzle_TensorMapSwizzleKind]): ...
class nvvm_fp_rnd_mode_FPRoundingMode(StrEnum):
    _0 = 'none'
    _1 = 'rn'
    _2 = 'rm'
    _3 = 'rp'
    _4 = 'rz'
    _5 = 'rna'
    _6 = 'rs'
class nvvm_fp_rnd_mode(EnumAttribute[nvvm_fp_rnd_mode_FPRoundingMode]): ...
class nvvm_sat_mode_SaturationMode(StrEnum):
    _0 = 'none'
    _1 = 'satfinite'
class nvvm_sat_mode(EnumAttribute[nvvm_sat_mode_SaturationMode]): ...
class nvvm_dot_accumulate_type_DotAccumulateType(StrEnum):
    _0 = 'signed'
    _1 = 'unsigned'
class nvvm_dot_accumulate_type(EnumAttribute[nvvm_dot_accumulate_type_DotAccumulateType]): ...
class nvvm_permute_mode_PermuteMode(StrEnum):
    _0 = 'default'
    _1 = 'f4e'
    _2 = 'b4e'
    _3 = 'rc8'
    _4 = 'ecl'
    _5 = 'ecr'
    _6 = 'rc16'
class nvvm_permute_mode(EnumAttribute[nvvm_permute_mode_PermuteMode]): ...
class nvvm_mma_type_MMATypes(StrEnum):
    _0 = 'f16'
    _1 = 'f32'
    _2 = 'tf32'
    _3 = 'bf16'
    _4 = 's8'
    _5 = 'u8'
    _6 = 's32'
    _7 = 's4'
    _8 = 'u4'
    _9 = 'b1'
    _10 = 'f64'
    _11 = 'e4m3'
    _12 = 'e5m2'
    _13 = 'e3m2'
    _14 = 'e2m3'
    _15 = 'e2m1'
class nvvm_mma_type(EnumAttribute[nvvm_mma_type_MMATypes]): ...
class nvvm_mma_layout_MMALayout(StrEnum):
    _0 = 'row'
    _1 = 'col'
class nvvm_mma_layout(EnumAttribute[nvvm_mma_layout_MMALayout]): ...
class nvvm_mma_frag_MMAFrag(StrEnum):
    _0 = 'a'
    _1 = 'b'
    _2 = 'c'
class nvvm_mma_frag(EnumAttribute[nvvm_mma_frag_MMAFrag]): ...
class nvvm_mma_b1op_MMAB1Op(StrEnum):
    _0 = 'none'
    _1 = 'xor_popc'
    _2 = 'and_popc'
class nvvm_mma_b1op(EnumAttribute[nvvm_mma_b1op_MMAB1Op]): ...
class nvvm_mma_int_overflow_MMAIntOverflow(StrEnum):
    _0 = 'satfinite'
    _1 = 'wrapped'
class nvvm_mma_int_overflow(EnumAttribute[nvvm_mma_int_overflow_MMAIntOverflow]): ...
class nvvm_mma_kind_MMAKind(StrEnum):
    _0 = 'f8f6f4'
class nvvm_mma_kind(EnumAttribute[nvvm_mma_kind_MMAKind]): ...
class nvvm_ld_st_matrix_elt_type_LdStMatrixEltType(StrEnum):
    _0 = 'b16'
    _1 = 'b8'
    _2 = 'b8x16.b6x16_p32'
    _3 = 'b8x16.b4x16_p64'
class nvvm_ld_st_matrix_elt_type(EnumAttribute[nvvm_ld_st_matrix_elt_type_LdStMatrixEltType]): ...
class nvvm_wgmma_type_WGMMATypes(StrEnum):
    _0 = 'f16'
    _1 = 'tf32'
    _2 = 'u8'
    _3 = 's8'
    _4 = 'b1'
    _5 = 'bf16'
    _6 = 'e4m3'
    _7 = 'e5m2'
    _8 = 'f32'
    _9 = 's32'
class nvvm_wgmma_type(EnumAttribute[nvvm_wgmma_type_WGMMATypes]): ...
class nvvm_wgmma_scale_in_WGMMAScaleIn(StrEnum):
    _0 = 'one'
    _1 = 'neg'
class nvvm_wgmma_scale_in(EnumAttribute[nvvm_wgmma_scale_in_WGMMAScaleIn]): ...
class nvvm_wgmma_scale_out_WGMMAScaleOut(StrEnum):
    _0 = 'zero'
    _1 = 'one'
class nvvm_wgmma_scale_out(EnumAttribute[nvvm_wgmma_scale_out_WGMMAScaleOut]): ...
class nvvm_scale_vec_size_ScaleVecSize(StrEnum):
    _0 = 'x1'
    _1 = 'x2'
    _2 = 'x4'
class nvvm_scale_vec_size(EnumAttribute[nvvm_scale_vec_size_ScaleVecSize]): ...
class nvvm_block_scale_format_BlockScaleFormat(StrEnum):
    _0 = 'ue8m0'
    _1 = 'ue4m3'
class nvvm_block_scale_format(EnumAttribute[nvvm_block_scale_format_BlockScaleFormat]): ...
class nvvm_load_cache_modifier_LoadCacheModifierKind(StrEnum):
    _0 = 'ca'
    _1 = 'cg'
    _2 = 'cs'
    _3 = 'lu'
    _4 = 'cv'
class nvvm_load_cache_modifier(EnumAttribute[nvvm_load_cache_modifier_LoadCacheModifierKind]): ...
class nvvm_tma_load_mode_TMALoadMode(StrEnum):
    _0 = 'tile'
    _1 = 'im2col'
    _2 = 'im2col_w'
    _3 = 'im2col_w_128'
    _4 = 'tile_gather4'
class nvvm_tma_load_mode(EnumAttribute[nvvm_tma_load_mode_TMALoadMode]): ...
class nvvm_tma_store_mode_TMAStoreMode(StrEnum):
    _0 = 'tile'
    _1 = 'im2col'
    _2 = 'tile_scatter4'
class nvvm_tma_store_mode(EnumAttribute[nvvm_tma_store_mode_TMAStoreMode]): ...
class nvvm_tma_redux_kind_TMAReduxKind(StrEnum):
    _0 = 'add'
    _1 = 'max'
    _2 = 'min'
    _3 = 'inc'
    _4 = 'dec'
    _5 = 'and'
    _6 = 'or'
    _7 = 'xor'
class nvvm_tma_redux_kind(EnumAttribute[nvvm_tma_redux_kind_TMAReduxKind]): ...
class nvvm_prefetch_cache_level_PrefetchCacheLevel(StrEnum):
    _0 = 'L1'
    _1 = 'L2'
class nvvm_prefetch_cache_level(EnumAttribute[nvvm_prefetch_cache_level_PrefetchCacheLevel]): ...
class nvvm_cache_eviction_priority_CacheEvictionPriority(StrEnum):
    _0 = 'evict_normal'
    _1 = 'evict_first'
    _2 = 'evict_last'
    _3 = 'evict_unchanged'
    _4 = 'no_allocate'
class nvvm_cache_eviction_priority(EnumAttribute[nvvm_cache_eviction_priority_CacheEvictionPriority]): ...
class nvvm_shfl_kind_ShflKind(StrEnum):
    _0 = 'bfly'
    _1 = 'up'
    _2 = 'down'
    _3 = 'idx'
class nvvm_shfl_kind(EnumAttribute[nvvm_shfl_kind_ShflKind]): ...
class nvvm_vote_sync_kind_VoteSyncKind(StrEnum):
    _0 = 'any'
    _1 = 'all'
    _2 = 'ballot'
    _3 = 'uni'
class nvvm_vote_sync_kind(EnumAttribute[nvvm_vote_sync_kind_VoteSyncKind]): ...
class nvvm_match_sync_kind_MatchSyncKind(StrEnum):
    _0 = 'any'
    _1 = 'all'
class nvvm_match_sync_kind(EnumAttribute[nvvm_match_sync_kind_MatchSyncKind]): ...
class nvvm_redux_kind_ReduxKind(StrEnum):
    _0 = 'add'
    _1 = 'and'
    _2 = 'max'
    _3 = 'min'
    _4 = 'or'
    _5 = 'umax'
    _6 = 'umin'
    _7 = 'xor'
    _8 = 'fmin'
    _9 = 'fmax'
class nvvm_redux_kind(EnumAttribute[nvvm_redux_kind_ReduxKind]): ...
class nvvm_mem_scope_MemScopeKind(StrEnum):
    _0 = 'cta'
    _1 = 'cluster'
    _2 = 'gpu'
    _3 = 'sys'
class nvvm_mem_scope(EnumAttribute[nvvm_mem_scope_MemScopeKind]): ...
class nvvm_shared_space_SharedSpace(StrEnum):
    _0 = 'cta'
    _1 = 'cluster'
class nvvm_shared_space(EnumAttribute[nvvm_shared_space_SharedSpace]): ...
class nvvm_proxy_kind_ProxyKind(StrEnum):
    _0 = 'alias'
    _1 = 'async'
    _2 = 'async.global'
    _3 = 'async.shared'
    _4 = 'tensormap'
    _5 = 'generic'
class nvvm_proxy_kind(EnumAttribute[nvvm_proxy_kind_ProxyKind]): ...
class nvvm_reduction_BarrierReduction(StrEnum):
    _0 = 'popc'
    _1 = 'and'
    _2 = 'or'
class nvvm_reduction(EnumAttribute[nvvm_reduction_BarrierReduction]): ...
class nvvm_action_SetMaxRegisterAction(StrEnum):
    _0 = 'decrease'
    _1 = 'increase'
class nvvm_action(EnumAttribute[nvvm_action_SetMaxRegisterAction]): ...
class nvvm_grid_dep_action_GridDepActionKind(StrEnum):
    _0 = 'wait'
    _1 = 'launch_dependents'
class nvvm_grid_dep_action(EnumAttribute[nvvm_grid_dep_action_GridDepActionKind]): ...
class nvvm_mem_order_MemOrderKind(StrEnum):
    _0 = 'weak'
    _1 = 'relaxed'
    _2 = 'acquire'
    _3 = 'release'
    _4 = 'acq_rel'
    _5 = 'sc'
    _6 = 'mmio'
    _7 = 'volatile'
class nvvm_mem_order(EnumAttribute[nvvm_mem_order_MemOrderKind]): ...
class nvvm_cluster_launch_control_query_type_ClusterLaunchControlQueryType(StrEnum):
    _0 = 'is_canceled'
    _1 = 'get_first_cta_id_x'
    _2 = 'get_first_cta_id_y'
    _3 = 'get_first_cta_id_z'
class nvvm_cluster_launch_control_query_type(EnumAttribute[nvvm_cluster_launch_control_query_type_ClusterLaunchControlQueryType]): ...
class nvvm_cta_group_CTAGroupKind(StrEnum):
    _0 = 'cta_1'
    _1 = 'cta_2'
class nvvm_cta_group(EnumAttribute[nvvm_cta_group_CTAGroupKind]): ...
class nvvm_tcgen05_fence_Tcgen05FenceKind(StrEnum):
    _0 = 'before'
    _1 = 'after'
class nvvm_tcgen05_fence(EnumAttribute[nvvm_tcgen05_fence_Tcgen05FenceKind]): ...
class nvvm_tcgen05_wait_Tcgen05WaitKind(StrEnum):
    _0 = 'load'
    _1 = 'store'
class nvvm_tcgen05_wait(EnumAttribute[nvvm_tcgen05_wait_Tcgen05WaitKind]): ...
class nvvm_tcgen05_cp_shape_Tcgen05CpShape(StrEnum):
    _0 = 'shape_128x256b'
    _1 = 'shape_4x256b'
    _2 = 'shape_128x128b'
    _3 = 'shape_64x128b'
    _4 = 'shape_32x128b'
class nvvm_tcgen05_cp_shape(EnumAttribute[nvvm_tcgen05_cp_shape_Tcgen05CpShape]): ...
class nvvm_tcgen05_cp_multicast_Tcgen05CpMulticast(StrEnum):
    _0 = 'none'
    _1 = 'warpx2_02_13'
    _2 = 'warpx2_01_23'
    _3 = 'warpx4'
class nvvm_tcgen05_cp_multicast(EnumAttribute[nvvm_tcgen05_cp_multicast_Tcgen05CpMulticast]): ...
class nvvm_tcgen05_cp_src_fmt_Tcgen05CpSrcFormat(StrEnum):
    _0 = 'b6x16_p32'
    _1 = 'b4x16_p64'
class nvvm_tcgen05_cp_src_fmt(EnumAttribute[nvvm_tcgen05_cp_src_fmt_Tcgen05CpSrcFormat]): ...
class nvvm_tcgen05_ldst_shape_Tcgen05LdStShape(StrEnum):
    _0 = 'shape_16x64b'
    _1 = 'shape_16x128b'
    _2 = 'shape_16x256b'
    _3 = 'shape_32x32b'
    _4 = 'shape_16x32bx2'
class nvvm_tcgen05_ldst_shape(EnumAttribute[nvvm_tcgen05_ldst_shape_Tcgen05LdStShape]): ...
class nvvm_tcgen05_mma_kind_Tcgen05MMAKind(StrEnum):
    _0 = 'f8f6f4'
    _1 = 'i8'
    _2 = 'f16'
    _3 = 'tf32'
class nvvm_tcgen05_mma_kind(EnumAttribute[nvvm_tcgen05_mma_kind_Tcgen05MMAKind]): ...
class nvvm_tcgen05_mma_collectorop_Tcgen05MMACollectorOp(StrEnum):
    _0 = 'discard'
    _1 = 'lastuse'
    _2 = 'fill'
    _3 = 'use'
class nvvm_tcgen05_mma_collectorop(EnumAttribute[nvvm_tcgen05_mma_collectorop_Tcgen05MMACollectorOp]): ...
class nvvm_tcgen05_mma_collectorb_Tcgen05MMACollectorBBuffer(StrEnum):
    _0 = 'b0'
    _1 = 'b1'
    _2 = 'b2'
    _3 = 'b3'
class nvvm_tcgen05_mma_collectorb(EnumAttribute[nvvm_tcgen05_mma_collectorb_Tcgen05MMACollectorBBuffer]): ...
class nvvm_tcgen05_mma_block_scale_Tcgen05MMABlockScale(StrEnum):
    _0 = 'default'
    _1 = 'block16'
    _2 = 'block32'
class nvvm_tcgen05_mma_block_scale(EnumAttribute[nvvm_tcgen05_mma_block_scale_Tcgen05MMABlockScale]): ...
class nvvm_block_scale_kind_MMABlockScaleKind(StrEnum):
    _0 = 'mxf8f6f4'
    _1 = 'mxf4'
    _2 = 'mxf4nvf4'
class nvvm_block_scale_kind(EnumAttribute[nvvm_block_scale_kind_MMABlockScaleKind]): ...
class vector_iterator_type_IteratorType(StrEnum):
    _0 = 'parallel'
    _1 = 'reduction'
class vector_iterator_type(EnumAttribute[vector_iterator_type_IteratorType]): ...
class vector_punctuation_PrintPunctuation(StrEnum):
    _0 = 'no_punctuation'
    _1 = 'newline'
    _2 = 'comma'
    _3 = 'open'
    _4 = 'close'
class vector_punctuation(EnumAttribute[vector_punctuation_PrintPunctuation]): ...

class arith:
    class CmpfOp(xdsl_dialects_arith_CmpfOp):
        '`arith.cmpf`: a comparison of floats.'
        lhs: SSAValue[Attribute]
        rhs: SSAValue[Attribute]
        result: OpResult[Attribute]
        predicate: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr
    class CmpiOp(xdsl_dialects_arith_CmpiOp):
        '`arith.cmpi`: a comparison of integers.'
        lhs: SSAValue[Attribute]
        rhs: SSAValue[Attribute]
        result: OpResult[Attribute]
        predicate: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class DivsiOp(xdsl_dialects_arith_DivSIOp):
        '`arith.divsi`: the signed quotient, rounded towards zero.'
        lhs: SSAValue[Attribute]
        rhs: SSAValue[Attribute]
        result: OpResult[Attribute]
        is_exact: xdsl_dialects_builtin_UnitAttr | None
    class DivuiOp(xdsl_dialects_arith_DivUIOp):
        '`arith.divui`: the unsigned quotient.'
        lhs: SSAValue[Attribute]
        rhs: SSAValue[Attribute]
        result: OpResult[Attribute]
        is_exact: xdsl_dialects_builtin_UnitAttr | None
    class ExtfOp(xdsl_dialects_arith_ExtFOp):
        '`arith.extf`: a float widened.'
        input: SSAValue[Attribute]
        result: OpResult[Attribute]
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr | None
    class ExtsiOp(xdsl_dialects_arith_ExtSIOp):
        '`arith.extsi`: an integer widened by its sign.'
        input: SSAValue[Attribute]
        result: OpResult[Attribute]
    class ExtuiOp(xdsl_dialects_arith_ExtUIOp):
        '`arith.extui`: an integer widened by zeros.'
        input: SSAValue[Attribute]
        result: OpResult[Attribute]
    class FptosiOp(xdsl_dialects_arith_FPToSIOp):
        '`arith.fptosi`: a float as a signed integer.'
        input: SSAValue[Attribute]
        result: OpResult[Attribute]
    class FptouiOp(xdsl_dialects_arith_FPToUIOp):
        '`arith.fptoui`: a float as an unsigned integer.'
        input: SSAValue[Attribute]
        result: OpResult[Attribute]
    class IndexCastOp(xdsl_dialects_arith_IndexCastOp):
        '`arith.index_cast`: between `index` and signed integers.'
        input: SSAValue[Attribute]
        result: OpResult[Attribute]
    class IndexCastuiOp(IRDLOperation):
        '`arith.index_castui`: between `index` and unsigned integers.'
        input: SSAValue[Attribute]
        result: OpResult[Attribute]
    class RemfOp(IRDLOperation):
        '`arith.remf`: the remainder of the division, with the sign of `lhs`.'
        lhs: SSAValue[Attribute]
        rhs: SSAValue[Attribute]
        result: OpResult[Attribute]
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr
    class ScalingExtfOp(IRDLOperation):
        '`arith.scaling_extf`: floats widened and multiplied by their scales.'
        input: SSAValue[Attribute]
        scale: SSAValue[Attribute]
        out: OpResult[Attribute]
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr | None
    class ScalingTruncfOp(IRDLOperation):
        '`arith.scaling_truncf`: floats divided by their scales and narrowed.'
        input: SSAValue[Attribute]
        scale: SSAValue[Attribute]
        out: OpResult[Attribute]
        roundingmode: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr | None
    class SelectOp(xdsl_dialects_arith_SelectOp):
        '`arith.select`: one of two values by a bit, or by a bit for each element.'
        cond: SSAValue[Attribute]
        lhs: SSAValue[Attribute]
        rhs: SSAValue[Attribute]
        result: OpResult[Attribute]
    class ShrsiOp(xdsl_dialects_arith_ShRSIOp):
        '`arith.shrsi`: shift right, filled with the sign.'
        lhs: SSAValue[Attribute]
        rhs: SSAValue[Attribute]
        result: OpResult[Attribute]
        is_exact: xdsl_dialects_builtin_UnitAttr | None
    class ShruiOp(xdsl_dialects_arith_ShRUIOp):
        '`arith.shrui`: shift right, filled with zeros.'
        lhs: SSAValue[Attribute]
        rhs: SSAValue[Attribute]
        result: OpResult[Attribute]
        is_exact: xdsl_dialects_builtin_UnitAttr | None
    class SitofpOp(xdsl_dialects_arith_SIToFPOp):
        '`arith.sitofp`: a signed integer as a float.'
        input: SSAValue[Attribute]
        result: OpResult[Attribute]
    class TruncfOp(xdsl_dialects_arith_TruncFOp):
        '`arith.truncf`: a float narrowed.'
        input: SSAValue[Attribute]
        result: OpResult[Attribute]
        roundingmode: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr | None
    class TrunciOp(xdsl_dialects_arith_TruncIOp):
        '`arith.trunci`: an integer narrowed.'
        input: SSAValue[Attribute]
        result: OpResult[Attribute]
        overflow_flags: xdsl_dialects_arith_IntegerOverflowAttr
    class UitofpOp(xdsl_dialects_arith_UIToFPOp):
        '`arith.uitofp`: an unsigned integer as a float.'
        input: SSAValue[Attribute]
        result: OpResult[Attribute]
class gpu:
    class AllReduceOp(IRDLOperation):
        '`gpu.all_reduce`: combine the values of all threads of the block, by name or by a region.'
        value: SSAValue[Attribute]
        result: OpResult[Attribute]
        body: Region
        op: gpu_all_reduce_op | None
        uniform: xdsl_dialects_builtin_UnitAttr | None
    class AllocOp(IRDLOperation):
        '`gpu.alloc`: memory of the device.'
        async_dependencies: VarOperand[gpu_async_token]
        dynamic_sizes: VarOperand[xdsl_dialects_builtin_IndexType]
        symbol_operands: VarOperand[xdsl_dialects_builtin_IndexType]
        memref: OpResult[xdsl_dialects_builtin_MemRefType[Attribute]]
        async_token: OpResult[gpu_async_token] | None
        host_shared: xdsl_dialects_builtin_UnitAttr | None
    class BarrierOp(IRDLOperation):
        "`gpu.barrier`: all threads of the block wait for each other, and see each other's memory operations."
    class BlockDimOp(IRDLOperation):
        '`gpu.block_dim`: threads in a block (`%ntid`).'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        dimension: gpu_dim
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class BlockIdOp(IRDLOperation):
        '`gpu.block_id`: index of the block in the grid (`%ctaid`).'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        dimension: gpu_dim
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class ClusterBlockIdOp(IRDLOperation):
        '`gpu.cluster_block_id`: index of the block in its cluster (`%cluster_ctaid`).'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        dimension: gpu_dim
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class ClusterDimOp(IRDLOperation):
        '`gpu.cluster_dim`: clusters in the grid (`%nclusterid`).'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        dimension: gpu_dim
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class ClusterDimBlocksOp(IRDLOperation):
        '`gpu.cluster_dim_blocks`: blocks in a cluster (`%cluster_nctaid`).'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        dimension: gpu_dim
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class ClusterIdOp(IRDLOperation):
        '`gpu.cluster_id`: index of the cluster in the grid (`%clusterid`).'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        dimension: gpu_dim
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class DeallocOp(IRDLOperation):
        '`gpu.dealloc`: give memory of the device back.'
        async_dependencies: VarOperand[gpu_async_token]
        memref: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        async_token: OpResult[gpu_async_token] | None
    class DynamicSharedMemoryOp(IRDLOperation):
        '`gpu.dynamic_shared_memory`: the shared memory sized at launch, as `memref<?xi8, workgroup>`.'
        result_memref: OpResult[xdsl_dialects_builtin_MemRefType[Attribute]]
    class GlobalIdOp(IRDLOperation):
        '`gpu.global_id`: block index x block size + thread index.'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        dimension: gpu_dim
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class GridDimOp(IRDLOperation):
        '`gpu.grid_dim`: blocks in the grid (`%nctaid`).'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        dimension: gpu_dim
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class HostRegisterOp(IRDLOperation):
        '`gpu.host_register`: let the device read memory of the host.'
        value: SSAValue[xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
    class HostUnregisterOp(IRDLOperation):
        '`gpu.host_unregister`: no longer let the device read it.'
        value: SSAValue[xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
    class LaneIdOp(IRDLOperation):
        '`gpu.lane_id`: index of the thread in its warp (`%laneid`).'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class MemcpyOp(IRDLOperation):
        '`gpu.memcpy`: copy a buffer.'
        async_dependencies: VarOperand[gpu_async_token]
        dst: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        src: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        async_token: OpResult[gpu_async_token] | None
    class MemsetOp(IRDLOperation):
        '`gpu.memset`: fill a buffer.'
        async_dependencies: VarOperand[gpu_async_token]
        dst: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        value: SSAValue[Attribute]
        async_token: OpResult[gpu_async_token] | None
    class NumSubgroupsOp(IRDLOperation):
        '`gpu.num_subgroups`: warps in a block.'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class PrintfOp(IRDLOperation):
        '`gpu.printf`: device-side printf.'
        args: VarOperand[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_IndexType | AnyFloat]
        format: xdsl_dialects_builtin_StringAttr
    class RotateOp(IRDLOperation):
        '`gpu.rotate`: read `value` from lane `(lane + offset) mod width`.'
        value: SSAValue[Attribute]
        rotate_result: OpResult[Attribute]
        valid: OpResult[xdsl_dialects_builtin_IntegerType]
        offset: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        width: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class SetDefaultDeviceOp(IRDLOperation):
        '`gpu.set_default_device`: the device of later launches.'
        dev_index: SSAValue[xdsl_dialects_builtin_IntegerType]
    class ShuffleOp(IRDLOperation):
        '`gpu.shuffle`: read `value` from another lane. `valid` says whether the source lane was in range.'
        value: SSAValue[Attribute]
        offset: SSAValue[xdsl_dialects_builtin_IntegerType]
        width: SSAValue[xdsl_dialects_builtin_IntegerType]
        shuffle_result: OpResult[Attribute]
        valid: OpResult[xdsl_dialects_builtin_IntegerType]
        mode: gpu_shuffle_mode
    class SubgroupBroadcastOp(IRDLOperation):
        '`gpu.subgroup_broadcast`: every lane gets the value of one lane.'
        src: SSAValue[Attribute]
        lane: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        result: OpResult[Attribute]
        broadcast_type: gpu_broadcast
    class SubgroupIdOp(IRDLOperation):
        '`gpu.subgroup_id`: index of the warp in its block, from the linear thread index.'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class SubgroupMmaComputeOp(IRDLOperation):
        '`gpu.subgroup_mma_compute`: A * B + C.'
        op_a: SSAValue[weft_dialects_gpu_matrix_types_MMAMatrixType]
        op_b: SSAValue[weft_dialects_gpu_matrix_types_MMAMatrixType]
        op_c: SSAValue[weft_dialects_gpu_matrix_types_MMAMatrixType]
        res: OpResult[weft_dialects_gpu_matrix_types_MMAMatrixType]
        a_transpose: xdsl_dialects_builtin_UnitAttr | None
        b_transpose: xdsl_dialects_builtin_UnitAttr | None
    class SubgroupMmaElementwiseOp(IRDLOperation):
        '`gpu.subgroup_mma_elementwise`: the same operation on all elements.'
        args: VarOperand[weft_dialects_gpu_matrix_types_MMAMatrixType]
        res: OpResult[weft_dialects_gpu_matrix_types_MMAMatrixType]
        op_type: gpu_mma_element_wise
    class SubgroupMmaExtractThreadLocalOp(IRDLOperation):
        '`gpu.subgroup_mma_extract_thread_local`: element `i` of those that this lane holds.'
        matrix: SSAValue[weft_dialects_gpu_matrix_types_MMAMatrixType]
        indices: VarOperand[xdsl_dialects_builtin_IndexType]
        res: OpResult[Attribute]
    class SubgroupMmaInsertThreadLocalOp(IRDLOperation):
        '`gpu.subgroup_mma_insert_thread_local`: the matrix with element `i` of those that this lane holds replaced.'
        value: SSAValue[Attribute]
        matrix: SSAValue[weft_dialects_gpu_matrix_types_MMAMatrixType]
        indices: VarOperand[xdsl_dialects_builtin_IndexType]
        res: OpResult[weft_dialects_gpu_matrix_types_MMAMatrixType]
    class SubgroupMmaLoadMatrixOp(IRDLOperation):
        '`gpu.subgroup_mma_load_matrix`: load a matrix; `leadDimension` is the distance of rows in elements.'
        src_memref: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        indices: VarOperand[xdsl_dialects_builtin_IndexType]
        res: OpResult[weft_dialects_gpu_matrix_types_MMAMatrixType]
        lead_dimension: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType]
        transpose: xdsl_dialects_builtin_UnitAttr | None
    class SubgroupMmaStoreMatrixOp(IRDLOperation):
        '`gpu.subgroup_mma_store_matrix`: store a matrix.'
        src: SSAValue[weft_dialects_gpu_matrix_types_MMAMatrixType]
        dst_memref: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        indices: VarOperand[xdsl_dialects_builtin_IndexType]
        lead_dimension: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType]
        transpose: xdsl_dialects_builtin_UnitAttr | None
    class SubgroupReduceOp(IRDLOperation):
        '`gpu.subgroup_reduce`: combine the values of the lanes (of clusters of lanes) of a warp.'
        value: SSAValue[Attribute]
        result: OpResult[Attribute]
        op: gpu_all_reduce_op
        uniform: xdsl_dialects_builtin_UnitAttr | None
        cluster_size: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
        cluster_stride: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class SubgroupSizeOp(IRDLOperation):
        '`gpu.subgroup_size`: threads in a warp, 32.'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class ThreadIdOp(IRDLOperation):
        '`gpu.thread_id`: index of the thread in its block (`%tid`).'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        dimension: gpu_dim
        upper_bound: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType] | None
    class WaitOp(IRDLOperation):
        '`gpu.wait`: wait for the tokens, or make a token that waits for them.'
        async_dependencies: VarOperand[gpu_async_token]
        async_token: OpResult[gpu_async_token] | None
    class YieldOp(IRDLOperation):
        '`gpu.yield`: end of a region of `gpu.all_reduce` or `gpu.warp_execute_on_lane_0`.'
        values: VarOperand[Attribute]
    class Create2To4SpmatOp(IRDLOperation):
        '`gpu.create_2to4_spmat`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        rows: SSAValue[xdsl_dialects_builtin_IndexType]
        cols: SSAValue[xdsl_dialects_builtin_IndexType]
        memref: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        sp_mat: OpResult[gpu_sparse_spmat_handle]
        async_token: OpResult[gpu_async_token] | None
        prune_flag: gpu_prune_2to4_spmat_flag
    class CreateBsrOp(IRDLOperation):
        '`gpu.create_bsr`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        brows: SSAValue[xdsl_dialects_builtin_IndexType]
        bcols: SSAValue[xdsl_dialects_builtin_IndexType]
        bnnz: SSAValue[xdsl_dialects_builtin_IndexType]
        r_block_size: SSAValue[xdsl_dialects_builtin_IndexType]
        c_block_size: SSAValue[xdsl_dialects_builtin_IndexType]
        b_row_pos: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        b_col_idxs: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        values: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        spmat: OpResult[gpu_sparse_spmat_handle]
        async_token: OpResult[gpu_async_token] | None
    class CreateCooOp(IRDLOperation):
        '`gpu.create_coo`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        rows: SSAValue[xdsl_dialects_builtin_IndexType]
        cols: SSAValue[xdsl_dialects_builtin_IndexType]
        nnz: SSAValue[xdsl_dialects_builtin_IndexType]
        row_idxs: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        col_idxs: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        values: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        spmat: OpResult[gpu_sparse_spmat_handle]
        async_token: OpResult[gpu_async_token] | None
    class CreateCooAosOp(IRDLOperation):
        '`gpu.create_coo_aos`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        rows: SSAValue[xdsl_dialects_builtin_IndexType]
        cols: SSAValue[xdsl_dialects_builtin_IndexType]
        nnz: SSAValue[xdsl_dialects_builtin_IndexType]
        idxs: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        values: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        spmat: OpResult[gpu_sparse_spmat_handle]
        async_token: OpResult[gpu_async_token] | None
    class CreateCscOp(IRDLOperation):
        '`gpu.create_csc`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        rows: SSAValue[xdsl_dialects_builtin_IndexType]
        cols: SSAValue[xdsl_dialects_builtin_IndexType]
        nnz: SSAValue[xdsl_dialects_builtin_IndexType]
        col_pos: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        row_idxs: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        values: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        spmat: OpResult[gpu_sparse_spmat_handle]
        async_token: OpResult[gpu_async_token] | None
    class CreateCsrOp(IRDLOperation):
        '`gpu.create_csr`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        rows: SSAValue[xdsl_dialects_builtin_IndexType]
        cols: SSAValue[xdsl_dialects_builtin_IndexType]
        nnz: SSAValue[xdsl_dialects_builtin_IndexType]
        row_pos: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        col_idxs: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        values: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        spmat: OpResult[gpu_sparse_spmat_handle]
        async_token: OpResult[gpu_async_token] | None
    class CreateDnTensorOp(IRDLOperation):
        '`gpu.create_dn_tensor`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        memref: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        dims: VarOperand[xdsl_dialects_builtin_IndexType]
        dn_tensor: OpResult[gpu_sparse_dntensor_handle]
        async_token: OpResult[gpu_async_token] | None
    class DestroyDnTensorOp(IRDLOperation):
        '`gpu.destroy_dn_tensor`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        dn_tensor: SSAValue[gpu_sparse_dntensor_handle]
        async_token: OpResult[gpu_async_token] | None
    class DestroySpMatOp(IRDLOperation):
        '`gpu.destroy_sp_mat`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        spmat: SSAValue[gpu_sparse_spmat_handle]
        async_token: OpResult[gpu_async_token] | None
    class SddmmOp(IRDLOperation):
        '`gpu.sddmm`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        dnmat_a: SSAValue[gpu_sparse_dntensor_handle]
        dnmat_b: SSAValue[gpu_sparse_dntensor_handle]
        spmat_c: SSAValue[gpu_sparse_spmat_handle]
        buffer: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        async_token: OpResult[gpu_async_token] | None
        mode_a: gpu_mat_transpose_mode
        mode_b: gpu_mat_transpose_mode
        compute_type: xdsl_ir_core_TypeAttribute
    class SddmmBufferSizeOp(IRDLOperation):
        '`gpu.sddmm_buffer_size`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        dnmat_a: SSAValue[gpu_sparse_dntensor_handle]
        dnmat_b: SSAValue[gpu_sparse_dntensor_handle]
        spmat_c: SSAValue[gpu_sparse_spmat_handle]
        buffer_sz: OpResult[xdsl_dialects_builtin_IndexType]
        async_token: OpResult[gpu_async_token] | None
        mode_a: gpu_mat_transpose_mode
        mode_b: gpu_mat_transpose_mode
        compute_type: xdsl_ir_core_TypeAttribute
    class SetCsrPointersOp(IRDLOperation):
        '`gpu.set_csr_pointers`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        spmat: SSAValue[gpu_sparse_spmat_handle]
        positions: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        coordinates: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        values: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        async_token: OpResult[gpu_async_token] | None
    class SpgemmCopyOp(IRDLOperation):
        '`gpu.spgemm_copy`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        desc: SSAValue[gpu_sparse_spgemmop_handle]
        spmat_a: SSAValue[gpu_sparse_spmat_handle]
        spmat_b: SSAValue[gpu_sparse_spmat_handle]
        spmat_c: SSAValue[gpu_sparse_spmat_handle]
        async_token: OpResult[gpu_async_token] | None
        mode_a: gpu_mat_transpose_mode
        mode_b: gpu_mat_transpose_mode
        compute_type: xdsl_ir_core_TypeAttribute
    class SpgemmCreateDescrOp(IRDLOperation):
        '`gpu.spgemm_create_descr`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        desc: OpResult[gpu_sparse_spgemmop_handle]
        async_token: OpResult[gpu_async_token] | None
    class SpgemmDestroyDescrOp(IRDLOperation):
        '`gpu.spgemm_destroy_descr`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        desc: SSAValue[gpu_sparse_spgemmop_handle]
        async_token: OpResult[gpu_async_token] | None
    class SpgemmWorkEstimationOrComputeOp(IRDLOperation):
        '`gpu.spgemm_work_estimation_or_compute`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        desc: SSAValue[gpu_sparse_spgemmop_handle]
        spmat_a: SSAValue[gpu_sparse_spmat_handle]
        spmat_b: SSAValue[gpu_sparse_spmat_handle]
        spmat_c: SSAValue[gpu_sparse_spmat_handle]
        buffer_sz: SSAValue[xdsl_dialects_builtin_IndexType]
        buffer: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        buffer_sz_new: OpResult[xdsl_dialects_builtin_IndexType]
        async_token: OpResult[gpu_async_token] | None
        mode_a: gpu_mat_transpose_mode
        mode_b: gpu_mat_transpose_mode
        compute_type: xdsl_ir_core_TypeAttribute
        kind: gpu_spgemm_work_estimation_or_compute_kind
    class SpmatGetSizeOp(IRDLOperation):
        '`gpu.spmat_get_size`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        spmat: SSAValue[gpu_sparse_spmat_handle]
        rows: OpResult[xdsl_dialects_builtin_IndexType]
        cols: OpResult[xdsl_dialects_builtin_IndexType]
        nnz: OpResult[xdsl_dialects_builtin_IndexType]
        async_token: OpResult[gpu_async_token] | None
    class SpmmOp(IRDLOperation):
        '`gpu.spmm`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        spmat_a: SSAValue[gpu_sparse_spmat_handle]
        dnmat_b: SSAValue[gpu_sparse_dntensor_handle]
        dnmat_c: SSAValue[gpu_sparse_dntensor_handle]
        buffers: VarOperand[xdsl_dialects_builtin_MemRefType[Attribute]]
        async_token: OpResult[gpu_async_token] | None
        mode_a: gpu_mat_transpose_mode
        mode_b: gpu_mat_transpose_mode
        compute_type: xdsl_ir_core_TypeAttribute
    class SpmmBufferSizeOp(IRDLOperation):
        '`gpu.spmm_buffer_size`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        spmat_a: SSAValue[gpu_sparse_spmat_handle]
        dnmat_b: SSAValue[gpu_sparse_dntensor_handle]
        dnmat_c: SSAValue[gpu_sparse_dntensor_handle]
        buffer_szs: VarOpResult[xdsl_dialects_builtin_IndexType]
        async_token: OpResult[gpu_async_token] | None
        mode_a: gpu_mat_transpose_mode
        mode_b: gpu_mat_transpose_mode
        compute_type: xdsl_ir_core_TypeAttribute
    class SpmvOp(IRDLOperation):
        '`gpu.spmv`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        spmat_a: SSAValue[gpu_sparse_spmat_handle]
        dn_x: SSAValue[gpu_sparse_dntensor_handle]
        dn_y: SSAValue[gpu_sparse_dntensor_handle]
        buffer: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        async_token: OpResult[gpu_async_token] | None
        mode_a: gpu_mat_transpose_mode
        compute_type: xdsl_ir_core_TypeAttribute
    class SpmvBufferSizeOp(IRDLOperation):
        '`gpu.spmv_buffer_size`: cuSPARSE.'
        async_dependencies: VarOperand[gpu_async_token]
        spmat_a: SSAValue[gpu_sparse_spmat_handle]
        dn_x: SSAValue[gpu_sparse_dntensor_handle]
        dn_y: SSAValue[gpu_sparse_dntensor_handle]
        buffer_sz: OpResult[xdsl_dialects_builtin_IndexType]
        async_token: OpResult[gpu_async_token] | None
        mode_a: gpu_mat_transpose_mode
        compute_type: xdsl_ir_core_TypeAttribute
class index:
    class AddOp(IRDLOperation):
        '`index.add`: the sum.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class AndOp(IRDLOperation):
        '`index.and`: bitwise and.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class CastsOp(IRDLOperation):
        '`index.casts`: the sign fills what is wider.'
        input: SSAValue[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_IndexType]
        output: OpResult[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_IndexType]
    class CastuOp(IRDLOperation):
        '`index.castu`: zeros fill what is wider.'
        input: SSAValue[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_IndexType]
        output: OpResult[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_IndexType]
    class CeildivsOp(IRDLOperation):
        '`index.ceildivs`: the signed quotient, rounded up.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class CeildivuOp(IRDLOperation):
        '`index.ceildivu`: the unsigned quotient, rounded up.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class CmpOp(IRDLOperation):
        '`index.cmp`: a comparison.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IntegerType]
        pred: index_cmp_predicate
    class ConstantOp(IRDLOperation):
        '`index.constant`: a number.'
        result: OpResult[xdsl_dialects_builtin_IndexType]
        value: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType]
    class DivsOp(IRDLOperation):
        '`index.divs`: the signed quotient, rounded towards zero.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class DivuOp(IRDLOperation):
        '`index.divu`: the unsigned quotient.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class FloordivsOp(IRDLOperation):
        '`index.floordivs`: the signed quotient, rounded down.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class MaxsOp(IRDLOperation):
        '`index.maxs`: the larger, signed.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class MaxuOp(IRDLOperation):
        '`index.maxu`: the larger, unsigned.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class MinsOp(IRDLOperation):
        '`index.mins`: the smaller, signed.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class MinuOp(IRDLOperation):
        '`index.minu`: the smaller, unsigned.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class MulOp(IRDLOperation):
        '`index.mul`: the product.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class OrOp(IRDLOperation):
        '`index.or`: bitwise or.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class RemsOp(IRDLOperation):
        '`index.rems`: the signed remainder, with the sign of the left operand.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class RemuOp(IRDLOperation):
        '`index.remu`: the unsigned remainder.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class ShlOp(IRDLOperation):
        '`index.shl`: shift left.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class ShrsOp(IRDLOperation):
        '`index.shrs`: shift right, filled with the sign.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class ShruOp(IRDLOperation):
        '`index.shru`: shift right, filled with zeros.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class SizeofOp(IRDLOperation):
        '`index.sizeof`: the bits of an `index`.'
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class SubOp(IRDLOperation):
        '`index.sub`: the difference.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
    class XorOp(IRDLOperation):
        '`index.xor`: bitwise exclusive or.'
        lhs: SSAValue[xdsl_dialects_builtin_IndexType]
        rhs: SSAValue[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IndexType]
class llvm:
    class AddrspacecastOp(IRDLOperation):
        '`llvm.addrspacecast`: the same address in another address space.'
        arg: SSAValue[Attribute]
        res: OpResult[Attribute]
    class AtomicrmwOp(IRDLOperation):
        '`llvm.atomicrmw`: a value in memory combined with another; the old value.'
        ptr: SSAValue[Attribute]
        val: SSAValue[Attribute]
        res: OpResult[Attribute]
        volatile_: xdsl_dialects_builtin_UnitAttr | None
        bin_op: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        syncscope: xdsl_dialects_builtin_StringAttr | None
        ordering: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        alignment: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
    class CmpxchgOp(IRDLOperation):
        '`llvm.cmpxchg`: a value in memory replaced where it is the expected one; the old value, and whether it was.'
        ptr: SSAValue[Attribute]
        cmp: SSAValue[Attribute]
        val: SSAValue[Attribute]
        res: OpResult[xdsl_dialects_llvm_LLVMStructType]
        weak: xdsl_dialects_builtin_UnitAttr | None
        volatile_: xdsl_dialects_builtin_UnitAttr | None
        syncscope: xdsl_dialects_builtin_StringAttr | None
        success_ordering: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        failure_ordering: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        alignment: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
    class ComdatOp(IRDLOperation):
        '`llvm.comdat`: groups of which a linker keeps one.'
        body: Region
        sym_name: xdsl_dialects_builtin_StringAttr
    class ComdatSelectorOp(IRDLOperation):
        '`llvm.comdat_selector`: which of a group a linker keeps.'
        sym_name: xdsl_dialects_builtin_StringAttr
        comdat: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class DsoLocalEquivalentOp(IRDLOperation):
        '`llvm.dso_local_equivalent`: a function of the same module that does the same.'
        res: OpResult[Attribute]
        function_name: xdsl_dialects_builtin_SymbolRefAttr
    class ExtractelementOp(IRDLOperation):
        '`llvm.extractelement`: an element of a vector.'
        vector: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        position: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[Attribute]
    class ExtractvalueOp(xdsl_dialects_llvm_ExtractValueOp):
        '`llvm.extractvalue`: a member of an aggregate.'
        container: SSAValue[Attribute]
        res: OpResult[Attribute]
        position: xdsl_dialects_builtin_DenseArrayBase[xdsl_dialects_builtin_IntegerType]
    class FcmpOp(IRDLOperation):
        '`llvm.fcmp`: a comparison of floats.'
        lhs: SSAValue[Attribute]
        rhs: SSAValue[Attribute]
        res: OpResult[Attribute]
        predicate: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        fastmath_flags: xdsl_dialects_llvm_FastMathAttr
    class FenceOp(IRDLOperation):
        '`llvm.fence`: an order between accesses to memory.'
        syncscope: xdsl_dialects_builtin_StringAttr | None
        ordering: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class FptosiOp(IRDLOperation):
        '`llvm.fptosi`: a float as a signed integer.'
        arg: SSAValue[Attribute]
        res: OpResult[Attribute]
    class FptouiOp(IRDLOperation):
        '`llvm.fptoui`: a float as an unsigned integer.'
        arg: SSAValue[Attribute]
        res: OpResult[Attribute]
    class FreezeOp(IRDLOperation):
        '`llvm.freeze`: the value, or an arbitrary fixed one where it is poison.'
        val: SSAValue[Attribute]
        res: OpResult[Attribute]
    class IcmpOp(IRDLOperation):
        '`llvm.icmp`: a comparison of integers or pointers.'
        lhs: SSAValue[xdsl_dialects_builtin_IntegerType | xdsl_dialects_llvm_LLVMPointerType | xdsl_dialects_builtin_VectorType[xdsl_dialects_builtin_IntegerType | xdsl_dialects_llvm_LLVMPointerType]]
        rhs: SSAValue[xdsl_dialects_builtin_IntegerType | xdsl_dialects_llvm_LLVMPointerType | xdsl_dialects_builtin_VectorType[xdsl_dialects_builtin_IntegerType | xdsl_dialects_llvm_LLVMPointerType]]
        res: OpResult[Attribute]
        predicate: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class InsertvalueOp(xdsl_dialects_llvm_InsertValueOp):
        '`llvm.insertvalue`: an aggregate with a member replaced.'
        container: SSAValue[Attribute]
        value: SSAValue[Attribute]
        res: OpResult[Attribute]
        position: xdsl_dialects_builtin_DenseArrayBase[xdsl_dialects_builtin_IntegerType]
    class IntrDbgDeclareOp(IRDLOperation):
        '`llvm.intr.dbg.declare`: a variable lives at this address.'
        value: SSAValue[Attribute]
        var_info: Attribute
        location_expr: Attribute | None
    class IntrDbgLabelOp(IRDLOperation):
        '`llvm.intr.dbg.label`: a label for a debugger.'
        label: Attribute
    class IntrDbgValueOp(IRDLOperation):
        '`llvm.intr.dbg.value`: a variable has this value from here on.'
        value: SSAValue[Attribute]
        var_info: Attribute
        location_expr: Attribute | None
    class IntrExperimentalNoaliasScopeDeclOp(IRDLOperation):
        '`llvm.intr.experimental.noalias.scope.decl`: where a scope of aliasing begins.'
        scope: Attribute
    class InttoptrOp(IRDLOperation):
        '`llvm.inttoptr`: the pointer to an address.'
        arg: SSAValue[Attribute]
        res: OpResult[Attribute]
        dereferenceable: Attribute | None
    class LinkerOptionsOp(IRDLOperation):
        '`llvm.linker_options`: options of the linker.'
        options: xdsl_dialects_builtin_ArrayAttr[xdsl_dialects_builtin_StringAttr]
    class LoadOp(IRDLOperation):
        '`llvm.load`: a value of memory.'
        addr: SSAValue[Attribute]
        res: OpResult[Attribute]
        volatile_: xdsl_dialects_builtin_UnitAttr | None
        syncscope: xdsl_dialects_builtin_StringAttr | None
        ordering: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
        invariant: xdsl_dialects_builtin_UnitAttr | None
        invariant_group: xdsl_dialects_builtin_UnitAttr | None
        dereferenceable: Attribute | None
        alignment: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
        nontemporal: xdsl_dialects_builtin_UnitAttr | None
        access_groups: xdsl_dialects_builtin_ArrayAttr[Attribute] | None
        alias_scopes: xdsl_dialects_builtin_ArrayAttr[Attribute] | None
        noalias_scopes: xdsl_dialects_builtin_ArrayAttr[Attribute] | None
        tbaa: xdsl_dialects_builtin_ArrayAttr[Attribute] | None
    class MlirAddressofOp(IRDLOperation):
        '`llvm.mlir.addressof`: the address of a global or a function.'
        result: OpResult[Attribute]
        global_name: xdsl_dialects_builtin_SymbolRefAttr
    class MlirConstantOp(IRDLOperation):
        '`llvm.mlir.constant`: a constant; the type of the attribute may differ from that of the result.'
        result: OpResult[Attribute]
        value: Attribute
    class MlirGlobalCtorsOp(IRDLOperation):
        '`llvm.mlir.global_ctors`: what is run at the start.'
        ctors: xdsl_dialects_builtin_ArrayAttr[Attribute]
        priorities: xdsl_dialects_builtin_ArrayAttr[Attribute]
        data: xdsl_dialects_builtin_ArrayAttr[Attribute]
    class MlirGlobalDtorsOp(IRDLOperation):
        '`llvm.mlir.global_dtors`: what is run at the end.'
        dtors: xdsl_dialects_builtin_ArrayAttr[Attribute]
        priorities: xdsl_dialects_builtin_ArrayAttr[Attribute]
        data: xdsl_dialects_builtin_ArrayAttr[Attribute]
    class MlirNoneOp(IRDLOperation):
        '`llvm.mlir.none`: the token that stands for nothing.'
        res: OpResult[Attribute]
    class MlirPoisonOp(IRDLOperation):
        '`llvm.mlir.poison`: a value that nothing may depend on.'
        res: OpResult[Attribute]
    class ModuleFlagsOp(IRDLOperation):
        '`llvm.module_flags`: what a module says about itself.'
        flags: xdsl_dialects_builtin_ArrayAttr[Attribute]
    class PtrtointOp(IRDLOperation):
        '`llvm.ptrtoint`: the address as a number.'
        arg: SSAValue[Attribute]
        res: OpResult[Attribute]
    class StoreOp(IRDLOperation):
        '`llvm.store`: a value put into memory.'
        value: SSAValue[Attribute]
        addr: SSAValue[Attribute]
        volatile_: xdsl_dialects_builtin_UnitAttr | None
        syncscope: xdsl_dialects_builtin_StringAttr | None
        ordering: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
        invariant_group: xdsl_dialects_builtin_UnitAttr | None
        alignment: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
        nontemporal: xdsl_dialects_builtin_UnitAttr | None
        access_groups: xdsl_dialects_builtin_ArrayAttr[Attribute] | None
        alias_scopes: xdsl_dialects_builtin_ArrayAttr[Attribute] | None
        noalias_scopes: xdsl_dialects_builtin_ArrayAttr[Attribute] | None
        tbaa: xdsl_dialects_builtin_ArrayAttr[Attribute] | None
    class TruncOp(IRDLOperation):
        '`llvm.trunc`: the low bits of an integer.'
        arg: SSAValue[Attribute]
        res: OpResult[Attribute]
        overflow_flags: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
    class UitofpOp(IRDLOperation):
        '`llvm.uitofp`: an unsigned integer as a float.'
        arg: SSAValue[Attribute]
        res: OpResult[Attribute]
        non_neg: xdsl_dialects_builtin_UnitAttr | None
    class VaArgOp(IRDLOperation):
        '`llvm.va_arg`: the next variadic argument.'
        arg: SSAValue[Attribute]
        res: OpResult[Attribute]
class math:
    class ClampfOp(IRDLOperation):
        '`math.clampf`: the value, or the bound that it lies outside.'
        value: SSAValue[Attribute]
        min: SSAValue[Attribute]
        max: SSAValue[Attribute]
        result: OpResult[Attribute]
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr
    class ErfcOp(IRDLOperation):
        '`math.erfc`: the complementary error function.'
        operand: SSAValue[Attribute]
        result: OpResult[Attribute]
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr
    class IsfiniteOp(IRDLOperation):
        '`math.isfinite`: whether a number is neither infinite nor NaN.'
        operand: SSAValue[Attribute]
        result: OpResult[Attribute]
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr
    class IsinfOp(IRDLOperation):
        '`math.isinf`: whether a number is infinite.'
        operand: SSAValue[Attribute]
        result: OpResult[Attribute]
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr
    class IsnanOp(IRDLOperation):
        '`math.isnan`: whether something is not a number.'
        operand: SSAValue[Attribute]
        result: OpResult[Attribute]
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr
    class IsnormalOp(IRDLOperation):
        '`math.isnormal`: whether a number is neither zero, subnormal, infinite nor NaN.'
        operand: SSAValue[Attribute]
        result: OpResult[Attribute]
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr
    class SincosOp(IRDLOperation):
        '`math.sincos`: sine and cosine.'
        operand: SSAValue[Attribute]
        sin: OpResult[Attribute]
        cos: OpResult[Attribute]
        fastmath: xdsl_dialects_arith_FastMathFlagsAttr
class memref:
    class AtomicRmwOp(IRDLOperation):
        '`memref.atomic_rmw`: an element combined with a value; the result is what it was before.'
        value: SSAValue[xdsl_dialects_builtin_IntegerType | AnyFloat]
        memref: SSAValue[xdsl_dialects_builtin_MemRefType[xdsl_dialects_builtin_IntegerType | AnyFloat]]
        indices: VarOperand[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_IntegerType | AnyFloat]
        kind: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class AtomicYieldOp(IRDLOperation):
        '`memref.atomic_yield`: the new element, at the end of `memref.generic_atomic_rmw`.'
        result: SSAValue[Attribute]
    class CastOp(IRDLOperation):
        '`memref.cast`: the same buffer with more or less known statically.'
        source: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute] | xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
        dest: OpResult[xdsl_dialects_builtin_MemRefType[Attribute] | xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
    class CopyOp(IRDLOperation):
        '`memref.copy`: the elements of a buffer written to another.'
        source: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute] | xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
        target: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute] | xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
    class DmaWaitOp(IRDLOperation):
        '`memref.dma_wait`: wait for a transfer.'
        tag: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        tag_indices: VarOperand[xdsl_dialects_builtin_IndexType]
        num_elements: SSAValue[xdsl_dialects_builtin_IndexType]
    class ExtractAlignedPointerAsIndexOp(IRDLOperation):
        "`memref.extract_aligned_pointer_as_index`: the address of element 0, before the layout's offset."
        source: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute] | xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
        aligned_pointer: OpResult[xdsl_dialects_builtin_IndexType]
    class MemorySpaceCastOp(IRDLOperation):
        '`memref.memory_space_cast`: the same buffer seen through another memory space.'
        source: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute] | xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
        dest: OpResult[xdsl_dialects_builtin_MemRefType[Attribute] | xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
    class RankOp(IRDLOperation):
        '`memref.rank`: the number of dimensions.'
        memref: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute] | xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
        rank: OpResult[xdsl_dialects_builtin_IndexType]
    class ReallocOp(IRDLOperation):
        '`memref.realloc`: a buffer of another size with the same beginning.'
        source: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        dynamic_result_size: SSAValue[xdsl_dialects_builtin_IndexType] | None
        result: OpResult[xdsl_dialects_builtin_MemRefType[Attribute]]
        alignment: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
    class ReinterpretCastOp(IRDLOperation):
        '`memref.reinterpret_cast`: the same buffer with another offset, other sizes and strides.'
        source: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute] | xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
        offsets: VarOperand[xdsl_dialects_builtin_IndexType]
        sizes: VarOperand[xdsl_dialects_builtin_IndexType]
        strides: VarOperand[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_MemRefType[Attribute]]
        static_offsets: xdsl_dialects_builtin_DenseArrayBase[xdsl_dialects_builtin_IntegerType]
        static_sizes: xdsl_dialects_builtin_DenseArrayBase[xdsl_dialects_builtin_IntegerType]
        static_strides: xdsl_dialects_builtin_DenseArrayBase[xdsl_dialects_builtin_IntegerType]
    class ReshapeOp(IRDLOperation):
        '`memref.reshape`: the same elements under a shape known at run time.'
        source: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute] | xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
        shape: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        result: OpResult[xdsl_dialects_builtin_MemRefType[Attribute] | xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
class nvgpu:
    class CvtFpextOp(IRDLOperation):
        '`nvgpu.cvt_fpext`: the two narrow floats in the low bits of a word, the lowest one first; formats of 8 and 6 bits take a byte each, `f4E2M1FN` half a byte.'
        in_: SSAValue[xdsl_dialects_builtin_IntegerType]
        out: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        src_type: xdsl_ir_core_TypeAttribute
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class CvtFptruncOp(IRDLOperation):
        '`nvgpu.cvt_fptrunc`: two floats in the low bits of a word, the first one lowest; `rnd` is `rn`, for `f8E8M0FNU` `rz` or `rp`, and what is out of range saturates.'
        in_: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        out: OpResult[xdsl_dialects_builtin_IntegerType]
        dst_ty: xdsl_ir_core_TypeAttribute
        rnd: nvvm_fp_rnd_mode
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class DeviceAsyncCopyOp(IRDLOperation):
        '`nvgpu.device_async_copy`: copy `dstElements` elements, 4, 8 or 16 bytes, to shared memory; with `srcElements`, only so many are read and the rest is zeros; `bypassL1` asks for `.cg`.'
        dst: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        dst_indices: VarOperand[xdsl_dialects_builtin_IndexType]
        src: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        src_indices: VarOperand[xdsl_dialects_builtin_IndexType]
        src_elements: SSAValue[xdsl_dialects_builtin_IndexType] | None
        async_token: OpResult[weft_dialects_nvgpu_types_DeviceAsyncTokenType]
        dst_elements: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IndexType]
        bypass_l1: xdsl_dialects_builtin_UnitAttr | None
    class DeviceAsyncCreateGroupOp(IRDLOperation):
        '`nvgpu.device_async_create_group`: the copies issued so far form a group.'
        input_tokens: VarOperand[weft_dialects_nvgpu_types_DeviceAsyncTokenType]
        async_token: OpResult[weft_dialects_nvgpu_types_DeviceAsyncTokenType]
    class DeviceAsyncWaitOp(IRDLOperation):
        '`nvgpu.device_async_wait`: wait until at most `numGroups` groups (0) are in flight.'
        async_dependencies: SSAValue[weft_dialects_nvgpu_types_DeviceAsyncTokenType]
        num_groups: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
    class FmaPackedF32X2Op(IRDLOperation):
        '`nvgpu.fma.packed.f32x2`: `a * b + c`, rounded once.'
        a: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        b: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        c: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        res: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        rnd: nvvm_fp_rnd_mode
        ftz: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class LdmatrixOp(IRDLOperation):
        '`nvgpu.ldmatrix`: the warp loads `numTiles` tiles of 8 rows of 16 bytes from shared memory, of which each lane names one; the result is `vector<numTiles x k x T>` with `k` elements in 32 bits, and `transpose` (16-bit elements only) hands out the tiles transposed.'
        src_memref: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        indices: VarOperand[xdsl_dialects_builtin_IndexType]
        res: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        transpose: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        num_tiles: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class MbarrierArriveOp(IRDLOperation):
        '`nvgpu.mbarrier.arrive`: arrive once; the token names the phase arrived at.'
        barriers: SSAValue[weft_dialects_nvgpu_types_MBarrierGroupType]
        mbar_id: SSAValue[xdsl_dialects_builtin_IndexType]
        token: OpResult[weft_dialects_nvgpu_types_MBarrierTokenType]
    class MbarrierArriveExpectTxOp(IRDLOperation):
        '`nvgpu.mbarrier.arrive.expect_tx`: arrive once and expect `txcount` more bytes in this phase.'
        barriers: SSAValue[weft_dialects_nvgpu_types_MBarrierGroupType]
        txcount: SSAValue[xdsl_dialects_builtin_IndexType]
        mbar_id: SSAValue[xdsl_dialects_builtin_IndexType]
        predicate: SSAValue[xdsl_dialects_builtin_IntegerType] | None
    class MbarrierArriveNocompleteOp(IRDLOperation):
        '`nvgpu.mbarrier.arrive.nocomplete`: arrive `count` times without completing the phase.'
        barriers: SSAValue[weft_dialects_nvgpu_types_MBarrierGroupType]
        mbar_id: SSAValue[xdsl_dialects_builtin_IndexType]
        count: SSAValue[xdsl_dialects_builtin_IndexType]
        token: OpResult[weft_dialects_nvgpu_types_MBarrierTokenType]
    class MbarrierCreateOp(IRDLOperation):
        '`nvgpu.mbarrier.create`: the barrier objects of a group, in shared memory.'
        barriers: OpResult[weft_dialects_nvgpu_types_MBarrierGroupType]
    class MbarrierGetOp(IRDLOperation):
        '`nvgpu.mbarrier.get`: the address of a barrier as an integer.'
        barriers: SSAValue[weft_dialects_nvgpu_types_MBarrierGroupType]
        mbar_id: SSAValue[xdsl_dialects_builtin_IndexType]
        mbarrier_pointer: OpResult[xdsl_dialects_builtin_IntegerType]
    class MbarrierInitOp(IRDLOperation):
        '`nvgpu.mbarrier.init`: make a barrier ready for phases of `count` arrivals.'
        barriers: SSAValue[weft_dialects_nvgpu_types_MBarrierGroupType]
        count: SSAValue[xdsl_dialects_builtin_IndexType]
        mbar_id: SSAValue[xdsl_dialects_builtin_IndexType]
        predicate: SSAValue[xdsl_dialects_builtin_IntegerType] | None
    class MbarrierInvalOp(IRDLOperation):
        '`nvgpu.mbarrier.inval`: the memory of a barrier may be used for something else.'
        barriers: SSAValue[weft_dialects_nvgpu_types_MBarrierGroupType]
        mbar_id: SSAValue[xdsl_dialects_builtin_IndexType]
    class MbarrierTestWaitOp(IRDLOperation):
        '`nvgpu.mbarrier.test.wait`: whether the phase of `token` is complete; does not block.'
        barriers: SSAValue[weft_dialects_nvgpu_types_MBarrierGroupType]
        token: SSAValue[weft_dialects_nvgpu_types_MBarrierTokenType]
        mbar_id: SSAValue[xdsl_dialects_builtin_IndexType]
        wait_complete: OpResult[xdsl_dialects_builtin_IntegerType]
    class MbarrierTryWaitParityOp(IRDLOperation):
        '`nvgpu.mbarrier.try_wait.parity`: block until the phase of a parity is complete; `ticks` is the time, in nanoseconds, that one attempt may suspend the thread.'
        barriers: SSAValue[weft_dialects_nvgpu_types_MBarrierGroupType]
        phase_parity: SSAValue[xdsl_dialects_builtin_IntegerType]
        ticks: SSAValue[xdsl_dialects_builtin_IndexType]
        mbar_id: SSAValue[xdsl_dialects_builtin_IndexType]
    class MmaSpSyncOp(IRDLOperation):
        '`nvgpu.mma.sp.sync`: as `nvgpu.mma.sync`, with `matrix_a` 2:4 sparse; the metadata says what was kept.'
        matrix_a: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        matrix_b: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        matrix_c: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        sparse_metadata: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        res: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        mma_shape: xdsl_dialects_builtin_ArrayAttr[xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]]
        sparsity_selector: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        tf32_enabled: xdsl_dialects_builtin_UnitAttr | None
    class MmaSyncOp(IRDLOperation):
        '`nvgpu.mma.sync`: `matrix_a * matrix_b + matrix_c` of shape `mmaShape` (m, n, k), on fragments `vector<registers x elements in one x T>`; `tf32Enabled` lets f32 operands be read as tf32.'
        matrix_a: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        matrix_b: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        matrix_c: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        res: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        mma_shape: xdsl_dialects_builtin_ArrayAttr[xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]]
        tf32_enabled: xdsl_dialects_builtin_UnitAttr | None
    class MulPackedF32X2Op(IRDLOperation):
        '`nvgpu.mul.packed.f32x2`: `a * b`.'
        a: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        b: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        res: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        rnd: nvvm_fp_rnd_mode
        ftz: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class RcpOp(IRDLOperation):
        '`nvgpu.rcp`: the reciprocal of each element; only `approx, ftz` has an instruction.'
        in_: SSAValue[xdsl_dialects_builtin_VectorType[xdsl_dialects_builtin_Float32Type]]
        out: OpResult[xdsl_dialects_builtin_VectorType[xdsl_dialects_builtin_Float32Type]]
        rounding: nvgpu_rcp_rounding_mode
        ftz: xdsl_dialects_builtin_UnitAttr | None
    class StmatrixOp(IRDLOperation):
        '`nvgpu.stmatrix`: the warp stores tiles of 8 rows of 16 bytes as `nvgpu.ldmatrix` loads them.'
        src: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        dst_memref: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        indices: VarOperand[xdsl_dialects_builtin_IndexType]
        transpose: xdsl_dialects_builtin_UnitAttr | None
    class TensormapCreateDescriptorOp(IRDLOperation):
        '`nvgpu.tensormap.create.descriptor`: write an edited tensor map to global memory; all threads of a warp come to it together.'
        src: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        dst: SSAValue[weft_dialects_nvgpu_types_TensorMapDescriptorType]
    class TensormapUpdateBoxDimOp(IRDLOperation):
        '`nvgpu.tensormap.update.box_dim`: the box of dimension `ord`, 0 the innermost.'
        descriptor: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        value: SSAValue[xdsl_dialects_builtin_IntegerType]
        ord: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class TensormapUpdateElementStrideOp(IRDLOperation):
        '`nvgpu.tensormap.update.element_stride`: the step of dimension `ord`.'
        descriptor: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        value: SSAValue[xdsl_dialects_builtin_IntegerType]
        ord: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class TensormapUpdateGlobalAddressOp(IRDLOperation):
        '`nvgpu.tensormap.update.global_address`: where the tensor starts.'
        descriptor: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        value: SSAValue[xdsl_dialects_builtin_IntegerType]
    class TmaAsyncLoadOp(IRDLOperation):
        '`nvgpu.tma.async.load`: copy the box at `coordinates` (in elements, innermost first) to shared memory; `barriers[mbar_id]` counts the bytes, and `multicast_mask` has a bit for each CTA of the cluster.'
        dst: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        barriers: SSAValue[weft_dialects_nvgpu_types_MBarrierGroupType]
        tensor_map_descriptor: SSAValue[weft_dialects_nvgpu_types_TensorMapDescriptorType]
        coordinates: VarOperand[xdsl_dialects_builtin_IndexType]
        mbar_id: SSAValue[xdsl_dialects_builtin_IndexType]
        multicast_mask: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        predicate: SSAValue[xdsl_dialects_builtin_IntegerType] | None
    class TmaAsyncReduceOp(IRDLOperation):
        "`nvgpu.tma.async.reduce`: combine a box in shared memory with the tensor's, element by element."
        src: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        tensor_map_descriptor: SSAValue[weft_dialects_nvgpu_types_TensorMapDescriptorType]
        coordinates: VarOperand[xdsl_dialects_builtin_IndexType]
        l2_cache_hint: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        redop: nvvm_tma_redux_kind
    class TmaAsyncStoreOp(IRDLOperation):
        '`nvgpu.tma.async.store`: copy a box in shared memory to that at `coordinates`.'
        src: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        tensor_map_descriptor: SSAValue[weft_dialects_nvgpu_types_TensorMapDescriptorType]
        coordinates: VarOperand[xdsl_dialects_builtin_IndexType]
        predicate: SSAValue[xdsl_dialects_builtin_IntegerType] | None
    class TmaCreateDescriptorOp(IRDLOperation):
        '`nvgpu.tma.create.descriptor`: encode a descriptor of a tensor; runs on the host.'
        tensor: SSAValue[xdsl_dialects_builtin_UnrankedMemRefType[Attribute]]
        box_dimensions: VarOperand[xdsl_dialects_builtin_IndexType]
        tensor_map: OpResult[weft_dialects_nvgpu_types_TensorMapDescriptorType]
    class TmaFenceDescriptorOp(IRDLOperation):
        '`nvgpu.tma.fence.descriptor`: make a descriptor in global memory visible to TMA.'
        tensor_map_descriptor: SSAValue[weft_dialects_nvgpu_types_TensorMapDescriptorType]
    class TmaPrefetchDescriptorOp(IRDLOperation):
        '`nvgpu.tma.prefetch.descriptor`: bring a descriptor into the cache.'
        tensor_map_descriptor: SSAValue[weft_dialects_nvgpu_types_TensorMapDescriptorType]
        predicate: SSAValue[xdsl_dialects_builtin_IntegerType] | None
    class WarpgroupGenerateDescriptorOp(IRDLOperation):
        '`nvgpu.warpgroup.generate.descriptor`: the 64-bit wgmma descriptor of a tile that TMA loaded.'
        tensor: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        tensor_map: SSAValue[weft_dialects_nvgpu_types_TensorMapDescriptorType]
        descriptor: OpResult[weft_dialects_nvgpu_types_WarpgroupMatrixDescriptorType]
    class WarpgroupMmaOp(IRDLOperation):
        '`nvgpu.warpgroup.mma`: `A * B + matrix_c`, in instructions of 64 rows; so many wgmma groups as `waitGroup` says may still run after it.'
        descriptor_a: SSAValue[weft_dialects_nvgpu_types_WarpgroupMatrixDescriptorType]
        descriptor_b: SSAValue[weft_dialects_nvgpu_types_WarpgroupMatrixDescriptorType]
        matrix_c: SSAValue[weft_dialects_nvgpu_types_WarpgroupAccumulatorType]
        matrix_d: OpResult[weft_dialects_nvgpu_types_WarpgroupAccumulatorType]
        wait_group: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
        transpose_a: xdsl_dialects_builtin_UnitAttr | None
        transpose_b: xdsl_dialects_builtin_UnitAttr | None
    class WarpgroupMmaInitAccumulatorOp(IRDLOperation):
        '`nvgpu.warpgroup.mma.init.accumulator`: an accumulator full of zeros.'
        matrix_c: OpResult[weft_dialects_nvgpu_types_WarpgroupAccumulatorType]
    class WarpgroupMmaStoreOp(IRDLOperation):
        '`nvgpu.warpgroup.mma.store`: every lane writes its part of the accumulator.'
        matrix_d: SSAValue[weft_dialects_nvgpu_types_WarpgroupAccumulatorType]
        dst_memref: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
class nvvm:
    class BarWarpSyncOp(IRDLOperation):
        '`nvvm.bar.warp.sync`: the lanes of the mask wait.'
        mask: SSAValue[xdsl_dialects_builtin_IntegerType]
    class BarrierOp(IRDLOperation):
        '`nvvm.barrier`: a named barrier.'
        barrier_id: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        number_of_threads: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        reduction_predicate: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        res: OpResult[xdsl_dialects_builtin_IntegerType] | None
        reduction_op: nvvm_reduction | None
    class BarrierArriveOp(IRDLOperation):
        '`nvvm.barrier.arrive`: arrive without waiting.'
        barrier_id: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        number_of_threads: SSAValue[xdsl_dialects_builtin_IntegerType]
    class Barrier0Op(IRDLOperation):
        '`nvvm.barrier0`: all threads of the block wait at barrier 0.'
    class BreakpointOp(IRDLOperation):
        '`nvvm.breakpoint`: stop in a debugger.'
    class ClusterArriveOp(IRDLOperation):
        "`nvvm.cluster.arrive`: arrive at the cluster's barrier."
        aligned: xdsl_dialects_builtin_UnitAttr | None
    class ClusterArriveRelaxedOp(IRDLOperation):
        "`nvvm.cluster.arrive.relaxed`: arrive at the cluster's barrier, ordering no memory."
        aligned: xdsl_dialects_builtin_UnitAttr | None
    class ClusterWaitOp(IRDLOperation):
        '`nvvm.cluster.wait`: wait for all threads of the cluster.'
        aligned: xdsl_dialects_builtin_UnitAttr | None
    class ClusterlaunchcontrolQueryCancelOp(IRDLOperation):
        '`nvvm.clusterlaunchcontrol.query.cancel`: read the answer.'
        try_cancel_response: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType]
        query_type: nvvm_cluster_launch_control_query_type
    class ClusterlaunchcontrolTryCancelOp(IRDLOperation):
        "`nvvm.clusterlaunchcontrol.try.cancel`: ask to take over a cluster's work. The answer, 16 bytes, is written to shared memory; the mbarrier tracks it."
        smem_address: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        mbarrier: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        multicast: xdsl_dialects_builtin_UnitAttr | None
    class ConvertBf16X2ToF8X2Op(IRDLOperation):
        '`nvvm.convert.bf16x2.to.f8x2`: two scales.'
        a: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        dst: OpResult[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_VectorType[Attribute]]
        dst_ty: xdsl_ir_core_TypeAttribute
        rnd: nvvm_fp_rnd_mode
        sat: nvvm_sat_mode
    class ConvertF16X2ToF8X2Op(IRDLOperation):
        '`nvvm.convert.f16x2.to.f8x2`: the first element into the upper byte.'
        a: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        dst: OpResult[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_VectorType[Attribute]]
        dst_ty: xdsl_ir_core_TypeAttribute
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class ConvertF32X2ToBf16X2Op(IRDLOperation):
        '`nvvm.convert.f32x2.to.bf16x2`: a pair, rounded by `random_bits` where `rnd` says so.'
        src_hi: SSAValue[xdsl_dialects_builtin_Float32Type]
        src_lo: SSAValue[xdsl_dialects_builtin_Float32Type]
        random_bits: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        dst: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        rnd: nvvm_fp_rnd_mode
        sat: nvvm_sat_mode
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class ConvertF32X2ToF16X2Op(IRDLOperation):
        '`nvvm.convert.f32x2.to.f16x2`: a pair, rounded by `random_bits` where `rnd` says so.'
        src_hi: SSAValue[xdsl_dialects_builtin_Float32Type]
        src_lo: SSAValue[xdsl_dialects_builtin_Float32Type]
        random_bits: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        dst: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        rnd: nvvm_fp_rnd_mode
        sat: nvvm_sat_mode
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class ConvertF32X2ToF4X2Op(IRDLOperation):
        '`nvvm.convert.f32x2.to.f4x2`: two f32 as nibbles of a byte, `a` the upper.'
        a: SSAValue[xdsl_dialects_builtin_Float32Type]
        b: SSAValue[xdsl_dialects_builtin_Float32Type]
        dst: OpResult[xdsl_dialects_builtin_IntegerType]
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        dst_ty: xdsl_ir_core_TypeAttribute
    class ConvertF32X2ToF6X2Op(IRDLOperation):
        '`nvvm.convert.f32x2.to.f6x2`: two f32 packed as fp6, a byte each.'
        a: SSAValue[xdsl_dialects_builtin_Float32Type]
        b: SSAValue[xdsl_dialects_builtin_Float32Type]
        dst: OpResult[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_VectorType[Attribute]]
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        dst_ty: xdsl_ir_core_TypeAttribute
    class ConvertF32X2ToF8X2Op(IRDLOperation):
        '`nvvm.convert.f32x2.to.f8x2`: two f32 packed as fp8.'
        a: SSAValue[xdsl_dialects_builtin_Float32Type]
        b: SSAValue[xdsl_dialects_builtin_Float32Type]
        dst: OpResult[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_VectorType[Attribute]]
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        dst_ty: xdsl_ir_core_TypeAttribute
        rnd: nvvm_fp_rnd_mode
        sat: nvvm_sat_mode
    class ConvertF32X4ToF4X4Op(IRDLOperation):
        '`nvvm.convert.f32x4.to.f4x4`: four f32 as nibbles, rounded by `rbits`.'
        src: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        rbits: SSAValue[xdsl_dialects_builtin_IntegerType]
        dst: OpResult[xdsl_dialects_builtin_IntegerType]
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        dst_ty: xdsl_ir_core_TypeAttribute
    class ConvertF32X4ToF6X4Op(IRDLOperation):
        '`nvvm.convert.f32x4.to.f6x4`: four f32 as fp6, rounded by `rbits`.'
        src: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        rbits: SSAValue[xdsl_dialects_builtin_IntegerType]
        dst: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        dst_ty: xdsl_ir_core_TypeAttribute
    class ConvertF32X4ToF8X4Op(IRDLOperation):
        '`nvvm.convert.f32x4.to.f8x4`: four f32 as fp8, rounded by `rbits`.'
        src: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        rbits: SSAValue[xdsl_dialects_builtin_IntegerType]
        dst: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        dst_ty: xdsl_ir_core_TypeAttribute
    class ConvertF4X2ToF16X2Op(IRDLOperation):
        '`nvvm.convert.f4x2.to.f16x2`: the nibbles of a byte as a pair.'
        src: SSAValue[xdsl_dialects_builtin_IntegerType]
        dst: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        src_type: xdsl_ir_core_TypeAttribute
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class ConvertF6X2ToF16X2Op(IRDLOperation):
        '`nvvm.convert.f6x2.to.f16x2`: two fp6 as a pair.'
        src: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        dst: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        src_type: xdsl_ir_core_TypeAttribute
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class ConvertF8X2ToBf16X2Op(IRDLOperation):
        '`nvvm.convert.f8x2.to.bf16x2`: two scales as a pair.'
        src: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        dst: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        src_type: xdsl_ir_core_TypeAttribute
    class ConvertF8X2ToF16X2Op(IRDLOperation):
        '`nvvm.convert.f8x2.to.f16x2`: two fp8 as a pair.'
        src: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        dst: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        src_type: xdsl_ir_core_TypeAttribute
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class ConvertFloatToTf32Op(IRDLOperation):
        '`nvvm.convert.float.to.tf32`: an f32 rounded to tf32, as i32 bits.'
        src: SSAValue[xdsl_dialects_builtin_Float32Type]
        res: OpResult[xdsl_dialects_builtin_IntegerType]
        rnd: nvvm_fp_rnd_mode
        sat: nvvm_sat_mode
        relu: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class CpAsyncBulkCommitGroupOp(IRDLOperation):
        '`nvvm.cp.async.bulk.commit.group`: the bulk stores issued so far form a group.'
    class CpAsyncBulkGlobalSharedCtaOp(IRDLOperation):
        '`nvvm.cp.async.bulk.global.shared.cta`: copy bytes out of shared memory.'
        dst_mem: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        src_mem: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        size: SSAValue[xdsl_dialects_builtin_IntegerType]
        l2_cache_hint: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        byte_mask: SSAValue[xdsl_dialects_builtin_IntegerType] | None
    class CpAsyncBulkPrefetchOp(IRDLOperation):
        '`nvvm.cp.async.bulk.prefetch`: bring bytes into L2.'
        src_mem: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        size: SSAValue[xdsl_dialects_builtin_IntegerType]
        l2_cache_hint: SSAValue[xdsl_dialects_builtin_IntegerType] | None
    class CpAsyncBulkSharedClusterGlobalOp(IRDLOperation):
        '`nvvm.cp.async.bulk.shared.cluster.global`: copy bytes into shared memory.'
        dst_mem: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        src_mem: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        mbar: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        size: SSAValue[xdsl_dialects_builtin_IntegerType]
        multicast_mask: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        l2_cache_hint: SSAValue[xdsl_dialects_builtin_IntegerType] | None
    class CpAsyncBulkSharedClusterSharedCtaOp(IRDLOperation):
        "`nvvm.cp.async.bulk.shared.cluster.shared.cta`: copy bytes to another block's memory."
        dst_mem: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        src_mem: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        mbar: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        size: SSAValue[xdsl_dialects_builtin_IntegerType]
    class CpAsyncBulkTensorGlobalSharedCtaOp(IRDLOperation):
        '`nvvm.cp.async.bulk.tensor.global.shared.cta`: TMA store of a box.'
        tma_descriptor: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        src_mem: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        coordinates: VarOperand[xdsl_dialects_builtin_IntegerType]
        l2_cache_hint: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        predicate: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        mode: nvvm_tma_store_mode
    class CpAsyncBulkTensorPrefetchOp(IRDLOperation):
        '`nvvm.cp.async.bulk.tensor.prefetch`: TMA load into L2 only.'
        tma_descriptor: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        coordinates: VarOperand[xdsl_dialects_builtin_IntegerType]
        im2col_offsets: VarOperand[xdsl_dialects_builtin_IntegerType]
        l2_cache_hint: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        mode: nvvm_tma_load_mode
    class CpAsyncBulkTensorReduceOp(IRDLOperation):
        '`nvvm.cp.async.bulk.tensor.reduce`: TMA store that combines.'
        tma_descriptor: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        src_mem: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        coordinates: VarOperand[xdsl_dialects_builtin_IntegerType]
        l2_cache_hint: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        red_kind: nvvm_tma_redux_kind
        mode: nvvm_tma_store_mode
    class CpAsyncBulkTensorSharedClusterGlobalOp(IRDLOperation):
        '`nvvm.cp.async.bulk.tensor.shared.cluster.global`: TMA load of a box.'
        dst_mem: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        tma_descriptor: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        coordinates: VarOperand[xdsl_dialects_builtin_IntegerType]
        mbar: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        im2col_offsets: VarOperand[xdsl_dialects_builtin_IntegerType]
        multicast_mask: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        l2_cache_hint: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        predicate: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        mode: nvvm_tma_load_mode
        is_cta_only: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        group: nvvm_cta_group | None
    class CpAsyncBulkWaitGroupOp(IRDLOperation):
        '`nvvm.cp.async.bulk.wait_group`: wait until at most N groups are in flight (have still to read).'
        group: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        read: xdsl_dialects_builtin_UnitAttr | None
    class CpAsyncCommitGroupOp(IRDLOperation):
        '`nvvm.cp.async.commit.group`: the copies issued so far form a group.'
    class CpAsyncMbarrierArriveOp(IRDLOperation):
        "`nvvm.cp.async.mbarrier.arrive`: the barrier is arrived at when the thread's copies are done."
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        noinc: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class CpAsyncSharedGlobalOp(IRDLOperation):
        '`nvvm.cp.async.shared.global`: copy `size` bytes. With `cp_size` only that many bytes are read; the rest of the destination is zeroed.'
        dst: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        src: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        cp_size: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        size: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        modifier: nvvm_load_cache_modifier
    class CpAsyncWaitGroupOp(IRDLOperation):
        '`nvvm.cp.async.wait.group`: wait until at most N groups are in flight.'
        n: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class DotAccumulate2WayOp(IRDLOperation):
        '`nvvm.dot.accumulate.2way`: c plus the dot product of `a` and two bytes of `b`, the upper ones with `b_hi`.'
        a: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        b: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        c: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType]
        a_type: nvvm_dot_accumulate_type
        b_type: nvvm_dot_accumulate_type
        b_hi: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class DotAccumulate4WayOp(IRDLOperation):
        '`nvvm.dot.accumulate.4way`: c plus the dot product.'
        a: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        b: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        c: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType]
        a_type: nvvm_dot_accumulate_type
        b_type: nvvm_dot_accumulate_type
    class ElectSyncOp(IRDLOperation):
        '`nvvm.elect.sync`: true in one lane of the mask, sm_90 and up.'
        membermask: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        pred: OpResult[xdsl_dialects_builtin_IntegerType]
    class ExitOp(IRDLOperation):
        '`nvvm.exit`: end the thread.'
    class FenceMbarrierInitOp(IRDLOperation):
        '`nvvm.fence.mbarrier.init`: make `mbarrier.init` visible to the cluster.'
    class FenceProxyOp(IRDLOperation):
        '`nvvm.fence.proxy`: order accesses through different proxies.'
        kind: nvvm_proxy_kind
        space: nvvm_shared_space | None
    class FenceProxyAcquireOp(IRDLOperation):
        "`nvvm.fence.proxy.acquire`: the fence that a tensor map's reader needs."
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        size: SSAValue[xdsl_dialects_builtin_IntegerType]
        scope: nvvm_mem_scope
        from_proxy: nvvm_proxy_kind
        to_proxy: nvvm_proxy_kind
    class FenceProxyReleaseOp(IRDLOperation):
        "`nvvm.fence.proxy.release`: the fence that a tensor map's writer needs."
        scope: nvvm_mem_scope
        from_proxy: nvvm_proxy_kind
        to_proxy: nvvm_proxy_kind
    class FenceProxySyncRestrictOp(IRDLOperation):
        '`nvvm.fence.proxy.sync_restrict`: the same between the generic and the async proxy.'
        order: nvvm_mem_order
        from_proxy: nvvm_proxy_kind
        to_proxy: nvvm_proxy_kind
    class FenceScClusterOp(IRDLOperation):
        "`nvvm.fence.sc.cluster`: order all accesses of the cluster's threads, sequentially."
    class FenceSyncRestrictOp(IRDLOperation):
        '`nvvm.fence.sync_restrict`: acquire or release at cluster scope, of shared memory and mbarriers only.'
        order: nvvm_mem_order
    class GriddepcontrolOp(IRDLOperation):
        '`nvvm.griddepcontrol`: programmatic dependent launch.'
        kind: nvvm_grid_dep_action
    class InlinePtxOp(IRDLOperation):
        '`nvvm.inline_ptx`: PTX text, in which `$0`, `$1`, ... stand for the operands, the results first.'
        read_only_args: VarOperand[Attribute]
        read_write_args: VarOperand[Attribute]
        predicate: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        write_only_args: VarOpResult[Attribute]
        ptx_code: xdsl_dialects_builtin_StringAttr
    class LdmatrixOp(IRDLOperation):
        '`nvvm.ldmatrix`: `num` tiles of shared memory; `layout = col` transposes. The result is one `i32`, or a struct of `num` of them.'
        ptr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        res: OpResult[Attribute]
        num: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        layout: nvvm_mma_layout
        shape: weft_dialects_nvvm_matrix_attributes_LdStMatrixShapeAttr
        elt_type: nvvm_ld_st_matrix_elt_type
    class MapaOp(IRDLOperation):
        '`nvvm.mapa`: the address of the same place in block `b` of the cluster.'
        a: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        b: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_llvm_LLVMPointerType]
    class MatchSyncOp(IRDLOperation):
        '`nvvm.match.sync`: which lanes hold the same value.'
        thread_mask: SSAValue[xdsl_dialects_builtin_IntegerType]
        val: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType | xdsl_dialects_llvm_LLVMStructType]
        kind: nvvm_match_sync_kind
    class MbarrierArriveOp(IRDLOperation):
        "`nvvm.mbarrier.arrive`: arrive; no result for a pointer to the cluster's memory."
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        count: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        res: OpResult[xdsl_dialects_builtin_IntegerType] | None
        scope: nvvm_mem_scope
        relaxed: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class MbarrierArriveExpectTxOp(IRDLOperation):
        '`nvvm.mbarrier.arrive.expect_tx`: arrive, and expect bytes.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        txcount: SSAValue[xdsl_dialects_builtin_IntegerType]
        predicate: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        res: OpResult[xdsl_dialects_builtin_IntegerType] | None
        scope: nvvm_mem_scope
        relaxed: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class MbarrierArriveNocompleteOp(IRDLOperation):
        '`nvvm.mbarrier.arrive.nocomplete`: arrive `count` times without completing the phase.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        count: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType]
    class MbarrierArriveDropOp(IRDLOperation):
        '`nvvm.mbarrier.arrive_drop`: arrive, and expect fewer in later phases.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        count: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        res: OpResult[xdsl_dialects_builtin_IntegerType] | None
        scope: nvvm_mem_scope
        relaxed: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class MbarrierArriveDropExpectTxOp(IRDLOperation):
        '`nvvm.mbarrier.arrive_drop.expect_tx`: arrive, expect bytes now and fewer arrivals later.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        txcount: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType] | None
        scope: nvvm_mem_scope
        relaxed: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class MbarrierArriveDropNocompleteOp(IRDLOperation):
        '`nvvm.mbarrier.arrive_drop.nocomplete`: the same, and expect fewer in later phases.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        count: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType]
    class MbarrierCompleteTxOp(IRDLOperation):
        '`nvvm.mbarrier.complete_tx`: count bytes as arrived.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        txcount: SSAValue[xdsl_dialects_builtin_IntegerType]
        scope: nvvm_mem_scope
    class MbarrierExpectTxOp(IRDLOperation):
        '`nvvm.mbarrier.expect_tx`: expect bytes without arriving.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        txcount: SSAValue[xdsl_dialects_builtin_IntegerType]
        scope: nvvm_mem_scope
    class MbarrierInitOp(IRDLOperation):
        '`nvvm.mbarrier.init`: set up a barrier for a number of arrivals.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        count: SSAValue[xdsl_dialects_builtin_IntegerType]
        predicate: SSAValue[xdsl_dialects_builtin_IntegerType] | None
    class MbarrierInvalOp(IRDLOperation):
        '`nvvm.mbarrier.inval`: the memory may be used for something else.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
    class MbarrierTestWaitOp(IRDLOperation):
        '`nvvm.mbarrier.test.wait`: whether a phase is complete: i64 is a state, i32 a parity.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        state_or_phase: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType]
        scope: nvvm_mem_scope
        relaxed: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class MbarrierTryWaitOp(IRDLOperation):
        '`nvvm.mbarrier.try_wait`: the same, and the thread may be suspended for `ticks`.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        state_or_phase: SSAValue[xdsl_dialects_builtin_IntegerType]
        ticks: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        res: OpResult[xdsl_dialects_builtin_IntegerType]
        scope: nvvm_mem_scope
        relaxed: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class MbarrierTryWaitParityOp(IRDLOperation):
        '`nvvm.mbarrier.try_wait.parity`: retry until the phase is complete.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        phase: SSAValue[xdsl_dialects_builtin_IntegerType]
        ticks: SSAValue[xdsl_dialects_builtin_IntegerType]
    class MemoryBarrierOp(IRDLOperation):
        "`nvvm.memory.barrier`: order the thread's memory operations at a scope."
        scope: nvvm_mem_scope
    class NanosleepOp(IRDLOperation):
        '`nvvm.nanosleep`: sleep for about that many nanoseconds.'
        duration: SSAValue[xdsl_dialects_builtin_IntegerType]
    class PmeventOp(IRDLOperation):
        '`nvvm.pmevent`: trigger performance monitor events, one or those of a mask.'
        masked_event_id: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
        event_id: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
    class PrefetchOp(IRDLOperation):
        '`nvvm.prefetch`: bring a line of memory, or a tensor map, into a cache.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        predicate: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        cache_level: nvvm_prefetch_cache_level | None
        evict_priority: nvvm_cache_eviction_priority | None
        tensormap: xdsl_dialects_builtin_UnitAttr | None
        uniform: xdsl_dialects_builtin_UnitAttr | None
        in_param_space: xdsl_dialects_builtin_UnitAttr | None
    class PrmtOp(IRDLOperation):
        '`nvvm.prmt`: bytes of `hi` and `lo` picked by the selector.'
        lo: SSAValue[xdsl_dialects_builtin_IntegerType]
        hi: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        selector: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType]
        mode: nvvm_permute_mode
    class RcpApproxFtzFOp(IRDLOperation):
        '`nvvm.rcp.approx.ftz.f`: an approximate reciprocal.'
        arg: SSAValue[xdsl_dialects_builtin_Float32Type]
        res: OpResult[xdsl_dialects_builtin_Float32Type]
    class ReduxSyncOp(IRDLOperation):
        '`nvvm.redux.sync`: combine over the lanes of a mask, sm_80 and up (floats sm_100a).'
        val: SSAValue[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_Float32Type]
        mask_and_clamp: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_Float32Type]
        kind: nvvm_redux_kind
        abs: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        nan: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class SetmaxregisterOp(IRDLOperation):
        '`nvvm.setmaxregister`: registers of the warps of a warpgroup, sm_90a.'
        reg_count: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        action: nvvm_action
    class ShflSyncOp(IRDLOperation):
        '`nvvm.shfl.sync`: the value of another lane, and with `return_value_and_is_valid` whether there is one.'
        thread_mask: SSAValue[xdsl_dialects_builtin_IntegerType]
        val: SSAValue[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_Float32Type]
        offset: SSAValue[xdsl_dialects_builtin_IntegerType]
        mask_and_clamp: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_Float32Type | xdsl_dialects_llvm_LLVMStructType]
        kind: nvvm_shfl_kind
        return_value_and_is_valid: xdsl_dialects_builtin_UnitAttr | None
    class StBulkOp(IRDLOperation):
        '`nvvm.st.bulk`: fill `size` bytes, a multiple of 8, with zeros.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        size: SSAValue[xdsl_dialects_builtin_IntegerType]
        init_val: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class StmatrixOp(IRDLOperation):
        '`nvvm.stmatrix`: store tiles to shared memory, sm_90 and up.'
        ptr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        sources: VarOperand[xdsl_dialects_builtin_IntegerType]
        layout: nvvm_mma_layout
        shape: weft_dialects_nvvm_matrix_attributes_LdStMatrixShapeAttr
        elt_type: nvvm_ld_st_matrix_elt_type
    class Tcgen05AllocOp(IRDLOperation):
        '`nvvm.tcgen05.alloc`: allocate columns; their address is written to `addr`.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        n_cols: SSAValue[xdsl_dialects_builtin_IntegerType]
        group: nvvm_cta_group
    class Tcgen05CommitOp(IRDLOperation):
        '`nvvm.tcgen05.commit`: an mbarrier tracks what was issued.'
        addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        multicast_mask: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        group: nvvm_cta_group
    class Tcgen05CpOp(IRDLOperation):
        '`nvvm.tcgen05.cp`: shared to tensor memory.'
        taddr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        smem_desc: SSAValue[xdsl_dialects_builtin_IntegerType]
        shape: nvvm_tcgen05_cp_shape
        group: nvvm_cta_group
        multicast: nvvm_tcgen05_cp_multicast
        src_format: nvvm_tcgen05_cp_src_fmt | None
    class Tcgen05DeallocOp(IRDLOperation):
        '`nvvm.tcgen05.dealloc`: give columns back.'
        taddr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        n_cols: SSAValue[xdsl_dialects_builtin_IntegerType]
        group: nvvm_cta_group
    class Tcgen05FenceOp(IRDLOperation):
        '`nvvm.tcgen05.fence`: order tcgen05 operations and a thread synchronisation.'
        kind: nvvm_tcgen05_fence
    class Tcgen05LdOp(IRDLOperation):
        '`nvvm.tcgen05.ld`: tensor memory to registers.'
        tmem_addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        offset: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        res: OpResult[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_VectorType[Attribute]]
        pack: xdsl_dialects_builtin_UnitAttr | None
        shape: nvvm_tcgen05_ldst_shape
    class Tcgen05MmaOp(IRDLOperation):
        '`nvvm.tcgen05.mma`: a product in tensor memory.'
        matrix_d: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        matrix_a: SSAValue[xdsl_dialects_llvm_LLVMPointerType | xdsl_dialects_builtin_IntegerType]
        matrix_b: SSAValue[xdsl_dialects_builtin_IntegerType]
        idesc: SSAValue[xdsl_dialects_builtin_IntegerType]
        enable_input_d: SSAValue[xdsl_dialects_builtin_IntegerType]
        scale_input_d: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        disable_output_lane: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]] | None
        kind: nvvm_tcgen05_mma_kind
        cta_group: nvvm_cta_group
        collector_op: nvvm_tcgen05_mma_collectorop
        a_shift: xdsl_dialects_builtin_UnitAttr | None
    class Tcgen05MmaBlockScaleOp(IRDLOperation):
        '`nvvm.tcgen05.mma.block_scale`: a product whose blocks have scales.'
        matrix_d: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        matrix_a: SSAValue[xdsl_dialects_llvm_LLVMPointerType | xdsl_dialects_builtin_IntegerType]
        matrix_b: SSAValue[xdsl_dialects_builtin_IntegerType]
        idesc: SSAValue[xdsl_dialects_builtin_IntegerType]
        enable_input_d: SSAValue[xdsl_dialects_builtin_IntegerType]
        scale_a: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        scale_b: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        kind: nvvm_block_scale_kind
        cta_group: nvvm_cta_group
        block_scale: nvvm_tcgen05_mma_block_scale
        collector_op: nvvm_tcgen05_mma_collectorop
    class Tcgen05MmaSpOp(IRDLOperation):
        '`nvvm.tcgen05.mma.sp`: A is 2:4 sparse.'
        matrix_d: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        matrix_a: SSAValue[xdsl_dialects_llvm_LLVMPointerType | xdsl_dialects_builtin_IntegerType]
        matrix_b: SSAValue[xdsl_dialects_builtin_IntegerType]
        idesc: SSAValue[xdsl_dialects_builtin_IntegerType]
        enable_input_d: SSAValue[xdsl_dialects_builtin_IntegerType]
        sparse_metadata: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        scale_input_d: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        disable_output_lane: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]] | None
        kind: nvvm_tcgen05_mma_kind
        cta_group: nvvm_cta_group
        collector_op: nvvm_tcgen05_mma_collectorop
        a_shift: xdsl_dialects_builtin_UnitAttr | None
    class Tcgen05MmaSpBlockScaleOp(IRDLOperation):
        '`nvvm.tcgen05.mma.sp.block_scale`: A is sparse, and blocks have scales.'
        matrix_d: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        matrix_a: SSAValue[xdsl_dialects_llvm_LLVMPointerType | xdsl_dialects_builtin_IntegerType]
        matrix_b: SSAValue[xdsl_dialects_builtin_IntegerType]
        idesc: SSAValue[xdsl_dialects_builtin_IntegerType]
        enable_input_d: SSAValue[xdsl_dialects_builtin_IntegerType]
        sparse_metadata: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        scale_a: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        scale_b: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        kind: nvvm_block_scale_kind
        cta_group: nvvm_cta_group
        block_scale: nvvm_tcgen05_mma_block_scale
        collector_op: nvvm_tcgen05_mma_collectorop
    class Tcgen05MmaWsOp(IRDLOperation):
        '`nvvm.tcgen05.mma.ws`: B stays.'
        matrix_d: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        matrix_a: SSAValue[xdsl_dialects_llvm_LLVMPointerType | xdsl_dialects_builtin_IntegerType]
        matrix_b: SSAValue[xdsl_dialects_builtin_IntegerType]
        idesc: SSAValue[xdsl_dialects_builtin_IntegerType]
        enable_input_d: SSAValue[xdsl_dialects_builtin_IntegerType]
        zero_col_mask: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        kind: nvvm_tcgen05_mma_kind
        collector_b_buffer: nvvm_tcgen05_mma_collectorb
        collector_op: nvvm_tcgen05_mma_collectorop
    class Tcgen05MmaWsSpOp(IRDLOperation):
        '`nvvm.tcgen05.mma.ws.sp`: A is sparse, and B stays.'
        matrix_d: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        matrix_a: SSAValue[xdsl_dialects_llvm_LLVMPointerType | xdsl_dialects_builtin_IntegerType]
        matrix_b: SSAValue[xdsl_dialects_builtin_IntegerType]
        idesc: SSAValue[xdsl_dialects_builtin_IntegerType]
        enable_input_d: SSAValue[xdsl_dialects_builtin_IntegerType]
        sparse_metadata: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        zero_col_mask: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        kind: nvvm_tcgen05_mma_kind
        collector_b_buffer: nvvm_tcgen05_mma_collectorb
        collector_op: nvvm_tcgen05_mma_collectorop
    class Tcgen05MmaSmemDescOp(IRDLOperation):
        '`nvvm.tcgen05.mma_smem_desc`: a descriptor.'
        start_addr: SSAValue[xdsl_dialects_builtin_IntegerType]
        leading_dim_offset: SSAValue[xdsl_dialects_builtin_IntegerType]
        stride_dim_offset: SSAValue[xdsl_dialects_builtin_IntegerType]
        base_offset: SSAValue[xdsl_dialects_builtin_IntegerType]
        leading_dim_mode: SSAValue[xdsl_dialects_builtin_IntegerType]
        swizzle_mode: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType]
    class Tcgen05RelinquishAllocPermitOp(IRDLOperation):
        '`nvvm.tcgen05.relinquish_alloc_permit`: this block allocates no more.'
        group: nvvm_cta_group
    class Tcgen05ShiftOp(IRDLOperation):
        '`nvvm.tcgen05.shift`: move rows down by one.'
        taddr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        group: nvvm_cta_group
    class Tcgen05StOp(IRDLOperation):
        '`nvvm.tcgen05.st`: registers to tensor memory.'
        tmem_addr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        val: SSAValue[xdsl_dialects_builtin_IntegerType | xdsl_dialects_builtin_VectorType[Attribute]]
        offset: SSAValue[xdsl_dialects_builtin_IntegerType] | None
        unpack: xdsl_dialects_builtin_UnitAttr | None
        shape: nvvm_tcgen05_ldst_shape
    class Tcgen05WaitOp(IRDLOperation):
        "`nvvm.tcgen05.wait`: wait for the thread's loads or stores of tensor memory."
        kind: nvvm_tcgen05_wait
    class VoteSyncOp(IRDLOperation):
        '`nvvm.vote.sync`: which lanes have a predicate: i32 for `ballot`, else i1.'
        mask: SSAValue[xdsl_dialects_builtin_IntegerType]
        pred: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_builtin_IntegerType]
        kind: nvvm_vote_sync_kind
    class WgmmaCommitGroupSyncAlignedOp(IRDLOperation):
        '`nvvm.wgmma.commit.group.sync.aligned`: the products issued so far form a group.'
    class WgmmaFenceAlignedOp(IRDLOperation):
        '`nvvm.wgmma.fence.aligned`: registers and shared memory written before are seen by wgmma.'
    class WgmmaMmaAsyncOp(IRDLOperation):
        '`nvvm.wgmma.mma_async`: D = A * B (+ D), D in registers.'
        inouts: SSAValue[xdsl_dialects_llvm_LLVMStructType]
        descriptor_a: SSAValue[xdsl_dialects_builtin_IntegerType]
        descriptor_b: SSAValue[xdsl_dialects_builtin_IntegerType]
        results_: OpResult[xdsl_dialects_llvm_LLVMStructType]
        shape: weft_dialects_nvvm_matrix_attributes_ShapeAttr
        type_a: nvvm_wgmma_type
        type_b: nvvm_wgmma_type
        type_d: nvvm_wgmma_type
        scale_d: nvvm_wgmma_scale_out
        scale_a: nvvm_wgmma_scale_in
        scale_b: nvvm_wgmma_scale_in
        layout_a: nvvm_mma_layout
        layout_b: nvvm_mma_layout
        satfinite: nvvm_mma_int_overflow | None
    class WgmmaWaitGroupSyncAlignedOp(IRDLOperation):
        '`nvvm.wgmma.wait.group.sync.aligned`: wait until at most N groups are in flight.'
        group: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class WmmaLoadOp(IRDLOperation):
        '`nvvm.wmma.load`: load fragment a, b or c; `stride` is the distance of rows (columns, for `col`) in elements.'
        ptr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        stride: SSAValue[xdsl_dialects_builtin_IntegerType]
        res: OpResult[xdsl_dialects_llvm_LLVMStructType | xdsl_dialects_builtin_Float64Type]
        m: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        n: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        k: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        layout: nvvm_mma_layout
        eltype: nvvm_mma_type
        frag: nvvm_mma_frag
    class WmmaMmaOp(IRDLOperation):
        '`nvvm.wmma.mma`: D = A * B + C on registers; `eltypeA` is the element type of A and B, `eltypeB` that of C and D.'
        args: VarOperand[Attribute]
        res: OpResult[xdsl_dialects_llvm_LLVMStructType]
        m: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        n: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        k: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        layout_a: nvvm_mma_layout
        layout_b: nvvm_mma_layout
        eltype_a: nvvm_mma_type
        eltype_b: nvvm_mma_type
    class WmmaStoreOp(IRDLOperation):
        '`nvvm.wmma.store`: store fragment d.'
        ptr: SSAValue[xdsl_dialects_llvm_LLVMPointerType]
        args: VarOperand[Attribute]
        stride: SSAValue[xdsl_dialects_builtin_IntegerType]
        m: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        n: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        k: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        layout: nvvm_mma_layout
        eltype: nvvm_mma_type
class vector:
    class CompressstoreOp(IRDLOperation):
        '`vector.compressstore`: the elements of set lanes, one behind the other.'
        base_: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        indices: VarOperand[xdsl_dialects_builtin_IndexType]
        mask: SSAValue[xdsl_dialects_builtin_VectorType[xdsl_dialects_builtin_IntegerType]]
        value_to_store: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        alignment: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
    class ConstantMaskOp(IRDLOperation):
        '`vector.constant_mask`: a mask that is set in the leading box.'
        result: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        mask_dim_sizes: xdsl_dialects_builtin_DenseArrayBase[xdsl_dialects_builtin_IntegerType]
    class DeinterleaveOp(IRDLOperation):
        '`vector.deinterleave`: the even and the odd elements of the last dimension.'
        source: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        res1: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        res2: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
    class ExpandloadOp(IRDLOperation):
        '`vector.expandload`: consecutive elements to set lanes.'
        base_: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        indices: VarOperand[xdsl_dialects_builtin_IndexType]
        mask: SSAValue[xdsl_dialects_builtin_VectorType[xdsl_dialects_builtin_IntegerType]]
        pass_thru: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        result: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        alignment: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
    class ExtractStridedSliceOp(IRDLOperation):
        '`vector.extract_strided_slice`: the box of `sizes` at `offsets` in the leading dimensions of a vector.'
        source: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        result: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        offsets: xdsl_dialects_builtin_ArrayAttr[xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]]
        sizes: xdsl_dialects_builtin_ArrayAttr[xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]]
        strides: xdsl_dialects_builtin_ArrayAttr[xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]]
    class GatherOp(IRDLOperation):
        '`vector.gather`: elements at indices, of set lanes.'
        base_: SSAValue[Attribute]
        offsets: VarOperand[xdsl_dialects_builtin_IndexType]
        indices: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        mask: SSAValue[xdsl_dialects_builtin_VectorType[xdsl_dialects_builtin_IntegerType]]
        pass_thru: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        result: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        alignment: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
    class InsertStridedSliceOp(IRDLOperation):
        '`vector.insert_strided_slice`: `dest` with the box at `offsets` replaced by `value_to_store`.'
        value_to_store: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        dest: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        res: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        offsets: xdsl_dialects_builtin_ArrayAttr[xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]]
        strides: xdsl_dialects_builtin_ArrayAttr[xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]]
    class InterleaveOp(IRDLOperation):
        '`vector.interleave`: a0, b0, a1, b1, ... along the last dimension.'
        lhs: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        rhs: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        result: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
    class LoadOp(IRDLOperation):
        '`vector.load`: consecutive elements of the innermost dimension (n-D: a row-major box).'
        base: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        indices: VarOperand[xdsl_dialects_builtin_IndexType]
        result: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        nontemporal: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
        alignment: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
    class ScalableExtractOp(IRDLOperation):
        '`vector.scalable.extract`: a part of a scalable vector.'
        source: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        res: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        pos: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class ScalableInsertOp(IRDLOperation):
        '`vector.scalable.insert`: a scalable vector with a part replaced.'
        value_to_store: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        dest: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        res: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        pos: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class ScanOp(IRDLOperation):
        '`vector.scan`: running reductions of a dimension.'
        source: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        initial_value: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        dest: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        accumulated_value: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        kind: xdsl_dialects_vector_CombiningKindAttr
        reduction_dim: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
        inclusive: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType]
    class ScatterOp(IRDLOperation):
        '`vector.scatter`: store elements at indices, of set lanes.'
        base_: SSAValue[Attribute]
        offsets: VarOperand[xdsl_dialects_builtin_IndexType]
        indices: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        mask: SSAValue[xdsl_dialects_builtin_VectorType[xdsl_dialects_builtin_IntegerType]]
        value_to_store: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        result: VarOpResult[Attribute]
        alignment: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
    class ShapeCastOp(IRDLOperation):
        '`vector.shape_cast`: the same elements in row-major order under another shape.'
        source: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        result: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
    class StepOp(IRDLOperation):
        '`vector.step`: 0, 1, 2, ... as `vector<nxindex>`.'
        result: OpResult[xdsl_dialects_builtin_VectorType[xdsl_dialects_builtin_IndexType]]
    class StoreOp(IRDLOperation):
        '`vector.store`: store consecutive elements.'
        value_to_store: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        base: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        indices: VarOperand[xdsl_dialects_builtin_IndexType]
        nontemporal: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
        alignment: xdsl_dialects_builtin_IntegerAttr[xdsl_dialects_builtin_IntegerType] | None
    class TransposeOp(IRDLOperation):
        '`vector.transpose`: dimension `i` of the result is dimension `permutation[i]` of the source.'
        vector: SSAValue[xdsl_dialects_builtin_VectorType[Attribute]]
        result: OpResult[xdsl_dialects_builtin_VectorType[Attribute]]
        permutation: xdsl_dialects_builtin_DenseArrayBase[xdsl_dialects_builtin_IntegerType]
    class TypeCastOp(IRDLOperation):
        '`vector.type_cast`: a buffer of elements as a buffer of one vector.'
        memref: SSAValue[xdsl_dialects_builtin_MemRefType[Attribute]]
        result: OpResult[xdsl_dialects_builtin_MemRefType[Attribute]]
    class VscaleOp(IRDLOperation):
        '`vector.vscale`: how many times a scalable vector holds its minimum.'
        res: OpResult[xdsl_dialects_builtin_IndexType]
    class YieldOp(IRDLOperation):
        '`vector.yield`: the end of a masked region.'
        operands_: VarOperand[Attribute]
