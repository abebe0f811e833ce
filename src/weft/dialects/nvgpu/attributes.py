"""Attributes of `nvgpu` that are one word, as `weft.dialects.engine.attributes` reads them."""

from __future__ import annotations

ROWS = """
interleave - TensorMapInterleaveKind none interleave_16b interleave_32b |
l2promo - TensorMapL2PromoKind none l2promo_64b l2promo_128b l2promo_256b |
oob - TensorMapOOBKind zero nan |
rcp_rounding_mode - RcpRoundingMode approx rn rz rm rp |
swizzle - TensorMapSwizzleKind none swizzle_32b swizzle_64b swizzle_128b |
"""
