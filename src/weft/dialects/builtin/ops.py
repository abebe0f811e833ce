"""The only operation of `builtin` that a module is checked by (`weft.dialects.engine.rows`)."""

from __future__ import annotations

from weft.dialects.engine.operations import Table

ROWS = """
module body:region.single=bodyRegion | sym_name?:string sym_visibility?:string | xdsl | module | | a module
"""
TABLE = Table("builtin", ROWS, {}, {}, vocabulary="func")
