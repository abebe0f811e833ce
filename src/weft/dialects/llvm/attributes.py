"""Types and attributes of `llvm` without parameters, as `weft.dialects.engine.attributes` reads them."""

from __future__ import annotations

TYPES = ("token", "label", "metadata", "x86_amx", "ppc_fp128")
"""The types without parameters that xDSL lacks."""
ROWS = f"""
{",".join(TYPES)} ! |
di_null_type,zero,undef,poison # |
"""
