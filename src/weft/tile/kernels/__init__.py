"""Kernels that weft ships: complete, documented, and meant to be read."""

from weft.tile.kernels.attention import attention
from weft.tile.kernels.cross_entropy import cross_entropy
from weft.tile.kernels.gemm import gemm, linear, split_gemm
from weft.tile.kernels.norms import layer_norm, layer_norm_backward, rms_norm, rms_norm_backward
from weft.tile.kernels.running import cumulative_sum, top_k
from weft.tile.kernels.softmax import softmax

__all__ = [
    "attention",
    "cross_entropy",
    "cumulative_sum",
    "gemm",
    "layer_norm",
    "layer_norm_backward",
    "linear",
    "rms_norm",
    "rms_norm_backward",
    "softmax",
    "split_gemm",
    "top_k",
]
