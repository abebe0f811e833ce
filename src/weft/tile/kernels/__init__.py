"""Kernels that weft ships: complete, documented, and meant to be read."""

from weft.tile.kernels.attention import attention, packed_attention
from weft.tile.kernels.attention_backward import (
    attention_backward_kv,
    attention_backward_q,
    packed_attention_backward_kv,
    packed_attention_backward_q,
)
from weft.tile.kernels.attention_backward_tma import (
    attention_backward_kv_tma,
    attention_backward_q_tma,
    packed_attention_backward_kv_tma,
    packed_attention_backward_q_tma,
)
from weft.tile.kernels.attention_tma import attention_tma, packed_attention_tma
from weft.tile.kernels.block_scaled import block_scaled_gemm, block_scaled_gemm_sm100a
from weft.tile.kernels.cross_entropy import cross_entropy
from weft.tile.kernels.gemm import gemm, linear, split_gemm, stream_gemm
from weft.tile.kernels.gemm_tma import gemm_tma, linear_tma, scaled_gemm_tma, split_gemm_tma, stream_gemm_tma
from weft.tile.kernels.grouped import expert_gemm, grouped_gemm
from weft.tile.kernels.grouped_tma import expert_gemm_tma, grouped_gemm_tma
from weft.tile.kernels.norms import layer_norm, layer_norm_backward, rms_norm, rms_norm_backward
from weft.tile.kernels.running import cumulative_sum, top_k
from weft.tile.kernels.scaled import scaled_gemm
from weft.tile.kernels.softmax import softmax

__all__ = [
    "attention",
    "attention_backward_kv",
    "attention_backward_kv_tma",
    "attention_backward_q",
    "attention_backward_q_tma",
    "attention_tma",
    "block_scaled_gemm",
    "block_scaled_gemm_sm100a",
    "cross_entropy",
    "cumulative_sum",
    "expert_gemm",
    "expert_gemm_tma",
    "gemm",
    "gemm_tma",
    "grouped_gemm",
    "grouped_gemm_tma",
    "layer_norm",
    "layer_norm_backward",
    "linear",
    "linear_tma",
    "packed_attention",
    "packed_attention_backward_kv",
    "packed_attention_backward_kv_tma",
    "packed_attention_backward_q",
    "packed_attention_backward_q_tma",
    "packed_attention_tma",
    "rms_norm",
    "rms_norm_backward",
    "scaled_gemm",
    "scaled_gemm_tma",
    "softmax",
    "split_gemm",
    "split_gemm_tma",
    "stream_gemm",
    "stream_gemm_tma",
    "top_k",
]
