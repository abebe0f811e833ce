"""Attributes of `vector` that are one word, as `weft.dialects.engine.attributes` reads them."""

from __future__ import annotations

ROWS = """
iterator_type <> IteratorType parallel reduction |
punctuation <> PrintPunctuation no_punctuation newline comma open close |
"""
