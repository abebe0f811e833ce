"""Attributes of `index` that are one word, as `weft.dialects.engine.attributes` reads them."""

from __future__ import annotations

ROWS = """
cmp_predicate - IndexCmpPredicate eq ne slt sle sgt sge ult ule ugt uge | index comparison predicate kind
"""
