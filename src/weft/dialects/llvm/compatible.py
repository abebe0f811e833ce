"""The types that operations near LLVM take: those that LLVM IR has a type for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IntegerType,
    Signedness,
)
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, IntConstraint
from xdsl.irdl.constraints import VerificationContext
from xdsl.utils.exceptions import VerifyException

from weft.dataclass import dataclass
from weft.dialects import narrow
from weft.dialects.verification import Described

_FLOATS = (BFloat16Type, Float16Type, Float32Type, Float64Type, Float80Type, Float128Type)


@dataclass(frozen=True)
class _Compatible(AttrConstraint[Attribute]):
    """A type of the `llvm` dialect, a signless integer, a float that LLVM has, or a vector of one dimension."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Refuse other types.

        Raises:
            VerifyException: LLVM has no such type.
        """
        if attr.name.startswith("llvm.") or isinstance(attr, _FLOATS):
            return
        vector = narrow.vector(attr)
        if isinstance(attr, IntegerType) and cast("Any", attr).signedness.data is Signedness.SIGNLESS:
            return
        if vector is None or vector.get_num_dims() != 1:
            raise VerifyException(f"expected a type of LLVM, but got {attr}")

    def mapping_type_vars(self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]) -> _Compatible:
        """Itself: there are no variables in it."""
        return self


COMPATIBLE = Described(_Compatible(), "LLVM dialect-compatible type")
"""What MLIR calls an LLVM dialect-compatible type."""
