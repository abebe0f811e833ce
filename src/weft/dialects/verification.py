"""How verifiers word their findings.

MLIR prefixes most messages with the operation (`'nvgpu.mma.sync' op expected ...`) and some not; a verifier raises
`VerifyException` for the former and `PlainVerifyException` for the latter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from typing_extensions import TypeVar
from xdsl.dialects.builtin import AnyFloat, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation
from xdsl.irdl import AttrConstraint, IntConstraint, MessageConstraint
from xdsl.irdl.constraints import VerificationContext
from xdsl.utils.exceptions import VerifyException

from weft.dataclass import dataclass
from weft.dialects.engine.attributes import word_of


class PlainVerifyException(VerifyException):
    """A finding that MLIR reports without the name of the operation, and `at` another one if that is given."""

    def __init__(self, message: str, at: Operation | None = None) -> None:
        super().__init__(message)
        self.at = at


def is_shared(memory_space: Attribute) -> bool:
    """Whether a memref's memory space is the block's shared memory: 3 or `#gpu.address_space<workgroup>`."""
    if isinstance(memory_space, IntegerAttr):
        return memory_space.value.data == 3
    return word_of(memory_space, "gpu.address_space") == "workgroup"


def element_bits(element: Attribute) -> int | None:
    """Bits of an integer or floating-point type; None for other types."""
    if isinstance(element, IntegerType):
        return element.bitwidth
    return element.bitwidth if isinstance(element, AnyFloat) else None


class Described(MessageConstraint[Attribute]):
    """A constraint with the summary that MLIR gives of it: `operand #0 must be <summary>, but got 'f32'`."""


@dataclass(frozen=True)
class OneOf(AttrConstraint[Attribute]):
    """One of some types; unlike xDSL's `AnyOf`, of types of one class too, and in order."""

    allowed: tuple[Attribute, ...]

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Refuse other types.

        Raises:
            VerifyException: the type is another.
        """
        if attr not in self.allowed:
            raise VerifyException(f"expected one of {', '.join(map(str, self.allowed))}, but got {attr}")

    def mapping_type_vars(self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]) -> OneOf:
        """Itself: there are no variables in it."""
        return self


@dataclass(frozen=True)
class Such(AttrConstraint[Attribute]):
    """A type of a class for which something holds: what its `Described` says of it."""

    kind: type[Attribute]
    holds: Callable[[Any], bool]

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Refuse other types.

        Raises:
            VerifyException: the type is another.
        """
        if not (isinstance(attr, self.kind) and self.holds(attr)):
            raise VerifyException(f"unexpected {attr}")

    def get_bases(self) -> set[type[Attribute]]:
        """The class."""
        return {self.kind}

    def mapping_type_vars(self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]) -> Such:
        """Itself: there are no variables in it."""
        return self


def one_of(*allowed: Attribute) -> OneOf:
    """One of some types."""
    return OneOf(allowed)
