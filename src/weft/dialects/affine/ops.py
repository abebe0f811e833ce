"""The operations of `affine` that are rows (`weft.dialects.engine.operations`): memory at indices that a map gives."""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr, MemRefType, VectorType
from xdsl.irdl import AnyAttr, VarConstraint

from weft.dialects.affine.access import Access
from weft.dialects.engine.operations import Table
from weft.dialects.memref.directives import Choice

ROWS = """
load memref:memref indices:index* -> result:element | map:map |
    PLACE attr-dict `:` type($memref) | xdsl.LoadOp access.subscripts | | an element
prefetch memref:memref indices:index* | isWrite:bool localityHint:i32 isDataCache:bool map:map |
    PLACE `,` custom<Choice>($isWrite) `,` `locality` `` `<` $localityHint `>` `,` custom<Choice>($isDataCache)
    attr-dict `:` type($memref) |
    access.prefetch | | a hint to load a line into the cache
store value:element memref:memref indices:index* | map:map |
    $value `,` PLACE attr-dict `:` type($memref) | xdsl.StoreOp access.subscripts | | an element, written
vector_load memref:memref indices:index* -> result:vector | map:map |
    PLACE attr-dict `:` type($memref) `,` type($result) | xdsl.VectorLoadOp access.subscripts | | some elements
vector_store value:vector memref:memref indices:index* | map:map |
    $value `,` PLACE attr-dict `:` type($memref) `,` type($value) |
    xdsl.VectorStoreOp access.subscripts | | some elements, written
"""

_ELEMENT = VarConstraint("T", AnyAttr())

TABLE = Table(
    "affine",
    ROWS,
    {"element": _ELEMENT, "memref": MemRefType.constr(_ELEMENT), "vector": VectorType.constr(_ELEMENT)},
    {"map": AffineMapAttr},
    (Access, Choice),
    parts={"PLACE": "custom<Access>($memref, $map, $indices)"},
)
