"""Whole definitions of operations in upstream's terms, and what is wrong with an operation by its own.

xDSL's definitions of some dialects ask less than upstream's and word it differently.  These are read from the rows of
the operations (`weft.dialects.engine.definitions`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from weft.dataclass import dataclass
from weft.dialects.kinds import Kind, Trait


@dataclass(frozen=True, slots=True)
class AttributeKind:
    """What an attribute can be: the class that upstream stores it as, and its constraint beyond that."""

    summary: str
    stored: Callable[[Attribute], bool]
    holds: Callable[[Attribute], bool] = lambda _: True
    noun: str = "attribute"
    """How MLIR calls it in an error; "property" where upstream stores no attribute."""


@dataclass(frozen=True, slots=True)
class Values:
    """A group of operands or results: one (``""``), at most one (``"?"``) or any number (``"*"``)."""

    kind: Kind
    count: str


@dataclass(frozen=True, slots=True)
class Region:
    """A region: with any number of blocks, `one`, at `most` one, or a `single` one by the trait of this name."""

    name: str
    blocks: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the words in the rows of a dialect mean."""

    types: Mapping[str, Kind]
    attributes: Mapping[str, AttributeKind]
    """By the names of properties, or by words for kinds."""
    traits: Mapping[str, Trait]
    of_types: bool = False
    """Whether all traits ask for nothing but types and attributes, so that what fits once always fits."""
    of_table: bool = False
    """Whether words that are not here mean what the table says of them: constraints of xDSL, in upstream's words."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition, read from a row."""

    operands: Sequence[Values]
    results: Sequence[Values]
    attributes: Mapping[str, tuple[AttributeKind, bool]]
    """The kind of each, and whether it must be there; in the order of the names."""
    regions: Sequence[Region] = ()
    successors: Sequence[str] = ()
    traits: Sequence[Trait] = ()
    endings: Sequence[Trait] = ()
    """What is checked behind the operations in the regions."""
    segments: bool = False
    """Whether `operandSegmentSizes` says how many operands each group has."""
    result_segments: bool = False
    """Whether `resultSegmentSizes` says so of the results."""
    more: bool = False
    """Whether the operation's class checks more, behind what is here."""
    of_types: bool = False
    """Whether the traits ask for nothing but types and attributes (`Vocabulary.of_types`)."""

    def verify(self, op: Operation) -> None:
        """Check an operation.

        Raises:
            VerifyException: it is none by this definition, in upstream's words.
        """
        self._check_counts(op)
        if self.attributes:
            self._check_attributes(op)
        _check_values("operand", self.operands, op.operands, self._sizes(op))
        sizes = (segments(op, "result") or None) if self.result_segments else None  # None: all as many.
        _check_values("result", self.results, op.results, sizes)
        last = len(self.regions) - 1
        for index, found in enumerate(op.regions):
            _check_region(index, self.regions[min(index, last)], len(found.blocks))
        for trait in self.traits:
            trait(op)

    def verify_regions(self, op: Operation) -> None:
        """Check what asks for the contents of an operation's regions.

        Raises:
            VerifyException: they are not what the operation needs.
        """
        for trait in self.endings:
            trait(op)

    def _check_counts(self, op: Operation) -> None:
        wanted = len(self.regions)
        if len(op.regions) != wanted and not any(region.name.endswith("*") for region in self.regions):
            said = {0: "requires zero regions", 1: "requires one region"}
            raise VerifyException(said.get(wanted, f"expected {wanted} regions"))
        _check_results(self.results, len(op.results))
        _check_successors(self.successors, len(op.successors))
        _check_operands(self.operands, len(op.operands))
        if self.segments:
            _check_segments(op, len(self.operands))

    def _check_attributes(self, op: Operation) -> None:
        properties, attributes = op.properties, op.attributes
        for name, (_, required) in self.attributes.items():
            if required and name not in properties and name not in attributes:
                raise VerifyException(f"requires attribute '{name}'")
        for name, (kind, _) in self.attributes.items():
            for place in (properties, attributes):
                value = place.get(name)
                if value is None or (kind.noun == "property" and place is attributes):
                    continue  # In the dictionary the name of a property means nothing.
                if not (kind.stored(value) and kind.holds(value)):
                    raise VerifyException(f"{kind.noun} '{name}' failed to satisfy constraint: {kind.summary}")

    def _sizes(self, op: Operation) -> Sequence[int] | None:
        return segments(op) if self.segments else None


_ZERO_OR_ONE = {0: "zero", 1: "one"}


def segments(op: Operation, which: str = "operand") -> Sequence[int]:
    """How many operands (or results) each group of an operation has, as its `operandSegmentSizes` says."""
    name = f"{which}SegmentSizes"
    given = op.properties.get(name, op.attributes.get(name))
    return given.get_values() if isinstance(given, DenseArrayBase) else ()


def _check_results(groups: Sequence[Values], found: int) -> None:
    least = sum(group.count == "" for group in groups)
    if least == len(groups):
        if found != least:
            said = _ZERO_OR_ONE.get(least)
            raise VerifyException(
                f"expected {least} results" if said is None else f"requires {said} result{'s' * (not least)}"
            )
    elif found < least:
        raise VerifyException(f"expected {least} or more results")


def _check_successors(groups: Sequence[str], found: int) -> None:
    wanted = len(groups)
    if "*" in groups:
        if found < wanted - 1:
            raise VerifyException(f"requires at least {wanted - 1} successors but found {found}")
    elif found != wanted:
        raise VerifyException(f"requires {wanted} successor{'s' * (wanted != 1)} but found {found}")


def _check_operands(groups: Sequence[Values], found: int) -> None:
    least = sum(group.count == "" for group in groups)
    if least == len(groups):
        if found != least:
            few = {0: "requires zero operands", 1: "requires a single operand"}
            raise VerifyException(few.get(least, f"expected {least} operands, but found {found}"))
    elif found < least:
        raise VerifyException(f"expected {least} or more operands, but found {found}")


def _check_segments(op: Operation, groups: int) -> None:
    sizes = segments(op) or [0] * groups
    if len(sizes) != groups:
        raise VerifyException(
            f"'operandSegmentSizes' attribute for specifying operand segments must have {groups} elements, "
            f"but got {len(sizes)}"
        )
    if any(size < 0 for size in sizes):
        raise VerifyException("'operandSegmentSizes' attribute cannot have negative elements")
    if sum(sizes) != len(op.operands):
        raise VerifyException(
            f"operand count ({len(op.operands)}) does not match with the total size ({sum(sizes)}) specified in "
            "attribute 'operandSegmentSizes'"
        )


def _check_values(
    which: str, groups: Sequence[Values], values: Sequence[SSAValue], sizes: Sequence[int] | None
) -> None:
    index = 0
    loose = sum(group.count != "" for group in groups)
    more = (len(values) - len(groups) + loose) // loose if loose else 0
    for place, group in enumerate(groups):
        size = sizes[place] if sizes is not None else more if group.count else 1
        if group.count == "?" and size > 1:
            raise VerifyException(f"{which} group starting at #{index} requires 0 or 1 element, but found {size}")
        for value in values[index : index + size]:
            if not group.kind.holds(value.type):
                prefix = "variadic of " if group.count == "*" else ""
                raise VerifyException(f"{which} #{index} must be {prefix}{group.kind.summary}, but got '{value.type}'")
            index += 1


def _check_region(index: int, region: Region, blocks: int) -> None:
    if region.blocks == "single" and blocks > 1:
        raise VerifyException(f"expects region #{index} to have 0 or 1 blocks")
    if region.blocks in {"one", "single"} and blocks != 1:
        said = "region with 1 blocks"
    elif region.blocks == "most" and blocks > 1:
        said = "region with at most 1 blocks"
    else:
        return
    raise VerifyException(f"region #{index} ('{region.name.rstrip('*')}') failed to verify constraint: {said}")
