"""What MLIR demands in the name of `gpu` beyond the definitions of its operations, and which types are combined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import AnyFloat, DenseArrayBase, IntegerType, Signedness, i32
from xdsl.ir import Attribute, Operation
from xdsl.irdl import AttrConstraint, IntConstraint
from xdsl.irdl.constraints import VerificationContext
from xdsl.utils.exceptions import VerifyException

from weft.dataclass import dataclass
from weft.dialects import narrow
from weft.dialects.verification import Described, PlainVerifyException

_SIZES = ("gpu.known_block_size", "gpu.known_grid_size", "gpu.known_cluster_size")


@dataclass(frozen=True)
class _Number(AttrConstraint[Attribute]):
    """An integer or a float; with `vectors`, also a vector of them of one dimension and fixed length."""

    vectors: bool

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Refuse other types.

        Raises:
            VerifyException: the type is another.
        """
        vector = narrow.vector(attr)
        kind = attr
        if self.vectors and vector is not None and vector.get_num_dims() == 1 and not vector.get_num_scalable_dims():
            kind = vector.element_type
        signed = isinstance(kind, IntegerType) and cast("Any", kind).signedness.data is not Signedness.SIGNLESS
        if signed or not isinstance(kind, IntegerType | AnyFloat):
            raise VerifyException(f"expected an integer or a float, but got {attr}")

    def mapping_type_vars(self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]) -> _Number:
        """Itself: there are no variables in it."""
        return self


NUMBER = Described(_Number(vectors=False), "Integer or Float")
"""What the threads of a block can combine."""

NUMBERS = Described(
    _Number(vectors=True), "Integer or Float or fixed-length vector of Integer or Float values of ranks 1"
)
"""What the lanes of a warp can exchange or combine."""

_OF_FLOATS = ("add", "mul", "minnumf", "maxnumf", "minimumf", "maximumf")
_OF_INTEGERS = ("add", "mul", "minui", "minsi", "maxui", "maxsi", "and", "or", "xor")


def verify_reduction(kind: str, combined: Attribute) -> None:
    """Check that a reduction is one of a type.

    Raises:
        VerifyException: it combines other types.
    """
    vector = narrow.vector(combined)
    element = combined if vector is None else vector.element_type
    if kind not in (_OF_INTEGERS if isinstance(element, IntegerType) else _OF_FLOATS):
        raise PlainVerifyException(f"`{kind}` reduction operation is not compatible with type '{element}'")


def verify(op: Operation) -> None:
    """Check the attributes `gpu.*` of an operation.

    Raises:
        VerifyException: one has another form, or stands on another operation.
    """
    for name, value in sorted(op.attributes.items()):
        if name == "gpu.container_module" and op.name != "builtin.module":
            raise PlainVerifyException(f"expected '{name}' attribute to be attached to 'builtin.module'")
        if name in _SIZES:
            if not isinstance(value, DenseArrayBase) or cast("Any", value).elt_type != i32:
                raise VerifyException(f"{name} must be a dense i32 array")
            if len(cast("Any", value)) != 3:
                raise VerifyException(f"{name} must contain exactly 3 elements")
