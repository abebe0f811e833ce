"""Kernels that weft ships: complete, documented, and meant to be read."""

from weft.tile.kernels.gemm import gemm
from weft.tile.kernels.softmax import softmax

__all__ = ["gemm", "softmax"]
