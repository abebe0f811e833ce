"""`vector.load` and `vector.store`, with upstream's `alignment` and `nontemporal`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import I64, BoolAttr, IndexType, IntegerAttr, MemRefType, VectorType
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow

if TYPE_CHECKING:
    from xdsl.ir import Attribute


def _verify_access(base_type: Attribute, vector_type: Attribute, indices: int, what: str) -> None:
    memref, vector = narrow.memref(base_type), narrow.vector(vector_type)
    assert memref is not None
    assert vector is not None
    if memref.element_type not in (vector.element_type, vector):
        raise VerifyException("base and " + what + " element types should match")
    if memref.get_num_dims() != indices:
        raise VerifyException(f"requires {memref.get_num_dims()} indices")


@irdl_op_definition
class LoadOp(IRDLOperation):
    """`vector.load %base[indices]`: consecutive elements of the innermost dimension (n-D: a row-major box)."""

    name = "vector.load"

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr[I64])
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"

    def verify_(self) -> None:
        """Element types must match; one index for each dimension."""
        _verify_access(self.base.type, self.result.type, len(self.indices), "result")


@irdl_op_definition
class StoreOp(IRDLOperation):
    """`vector.store %value, %base[indices]`."""

    name = "vector.store"

    value_to_store = operand_def(VectorType)
    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr[I64])

    traits = traits_def(MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$value_to_store `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($value_to_store)"

    def verify_(self) -> None:
        """Element types must match; one index for each dimension."""
        _verify_access(self.base.type, self.value_to_store.type, len(self.indices), "valueToStore")
