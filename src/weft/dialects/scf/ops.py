"""The operations of `scf` that are rows (`weft.dialects.engine.operations`); the others derive from xDSL's."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.irdl import base

from weft.dialects.engine.operations import Table
from weft.dialects.verification import Described

ROWS = """
forall dynamic_lower_bound:index* dynamic_upper_bound:index* dynamic_step:index* outputs:tensor* region:body ->
    results_:any* | staticLowerBound:array staticUpperBound:array staticStep:array mapping?:list |
    syntax(forall.forall) | recursive forall.verify_forall | |
    run the body once for each point of a box, in any order or at once
forall.in_parallel region:body | | syntax(forall.in_parallel) |
    parent=scf.forall terminator no_terminator pure forall.verify_in_parallel | |
    the end of the body of `scf.forall`, which says what becomes of the tensors
"""
TABLE = Table("scf", ROWS, {"tensor": Described(base(TensorType), "ranked tensor of any type values")}, {})
