"""The operation of `ub` (`weft.dialects.engine.rows` says what is in a row)."""

from __future__ import annotations

from weft.dialects.engine.operations import Table

ROWS = """
poison -> result:any | value?:poison | xdsl | | | a value that nothing may depend on
"""
TABLE = Table("ub", ROWS, {}, {}, vocabulary="ub")
