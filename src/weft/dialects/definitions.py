"""Whole definitions of operations in upstream's terms, and what is wrong with an operation by its own.

xDSL's definitions of some dialects ask less than upstream's and word it differently.  Here a line states a definition:

    operands -> results | attributes | regions | successors | traits

A value is a kind of type, with `?` or `*` after it where there may be none or any number. An attribute is a name,
with `?` where it may be absent; its kind follows from the name, or stands after a colon. A region is `name:any`,
`name:one` (block), `name:most` (one block at most) or `name:single` (one, by a trait); `name*` is any number of them.
A trait with `!` is looked at behind what is in the regions; among them stand `segments` (of operands), `own` (the class
checks more) and `types` (they ask for types and attributes only).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import cast

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
    """What the words in the definitions of a dialect mean."""

    types: Mapping[str, Kind]
    attributes: Mapping[str, AttributeKind]
    traits: Mapping[str, Trait]


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition, read from its line."""

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
    more: bool = False
    """Whether the operation's class checks more, behind what is here."""
    of_types: bool = False
    """Whether the traits ask for nothing but types and attributes, so that what fits once always fits."""

    def verify(self, op: Operation) -> None:
        """Check an operation.

        Raises:
            VerifyException: it is none by this definition, in upstream's words.
        """
        self._check_counts(op)
        if self.attributes:
            self._check_attributes(op)
        _check_values("operand", self.operands, op.operands, self._sizes(op))
        _check_values("result", self.results, op.results, None)
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


def segments(op: Operation) -> Sequence[int]:
    """How many operands each group of an operation has, as its `operandSegmentSizes` says."""
    given = op.properties.get("operandSegmentSizes", op.attributes.get("operandSegmentSizes"))
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


def _groups(text: str, kinds: Mapping[str, Kind]) -> Iterator[Values]:
    for word in text.split():
        name = word.rstrip("?*")
        yield Values(kinds[name], word[len(name) :])


def _attribute(word: str, kinds: Mapping[str, AttributeKind]) -> tuple[str, tuple[AttributeKind, bool]]:
    name, _, kind = word.partition(":")
    bare = name.rstrip("?")
    return bare, (kinds[kind or bare], bare == name)


_NOTES = frozenset({"segments", "own", "types"})
"""What stands among traits and is none."""


def read(line: str, words: Vocabulary) -> Definition:
    """The definition that a line states."""
    parts = [part.strip() for part in line.split("|")]
    values, attributes, regions, successors, traits = parts + [""] * (5 - len(parts))
    operands, _, results = values.partition("->")
    listed = traits.split()
    return Definition(
        tuple(_groups(operands, words.types)),
        tuple(_groups(results, words.types)),
        dict(sorted(_attribute(word, words.attributes) for word in attributes.split())),
        tuple(Region(*cast("tuple[str, str]", tuple(word.split(":")))) for word in regions.split()),
        successors.split(),
        tuple(words.traits[word] for word in listed if word not in _NOTES and not word.endswith("!")),
        tuple(words.traits[word[:-1]] for word in listed if word.endswith("!")),
        "segments" in listed,
        "own" in listed,
        "types" in listed,
    )


def of_types(dialect: str, lines: Mapping[str, str]) -> dict[str, str]:
    """The lines of operations by their full names, whose classes say what their properties are: `types | traits`."""
    split = {name: line.split("|") for name, line in lines.items()}
    return {f"{dialect}.{name}": f"{types}| | | | {traits} types own" for name, (types, traits) in split.items()}


_FOREIGN = "weft.dialects.foreign.definitions"
_MODULES = {
    "arith": "weft.dialects.arith.definitions",
    "async": _FOREIGN,
    "bufferization": _FOREIGN,
    "builtin": "weft.dialects.func.definitions",
    "cf": "weft.dialects.func.definitions",
    "func": "weft.dialects.func.definitions",
    "llvm": "weft.dialects.llvm.definitions",
    "affine": "weft.dialects.affine.definitions",
    "linalg": _FOREIGN,
    "math": "weft.dialects.math.definitions",
    "memref": "weft.dialects.memref.definitions",
    "ptr": _FOREIGN,
    "scf": "weft.dialects.scf.definitions",
    "tensor": _FOREIGN,
    "transform": _FOREIGN,
    "vector": "weft.dialects.vector.definitions",
}
"""The dialects whose operations have whole definitions, and the module that has the lines of each and their words."""
_RULES = {"memref": "weft.dialects.memref.rules", "vector": "weft.dialects.vector.rules"}
"""The modules that have rules for operations which fit their lines."""


def definition(name: str) -> Definition | None:
    """The whole definition of an operation by its full name, None when it has none but xDSL's."""
    known = _KNOWN.get(name, _ABSENT)
    if known is _ABSENT:
        known = _KNOWN[name] = _definition(name)
    return cast("Definition | None", known)


def _definition(name: str) -> Definition | None:
    dialect = name.partition(".")[0]
    place = _MODULES.get(dialect)
    if place is None:
        return None
    module = import_module(place)
    line = module.LINES.get(name)
    if line is None:
        return module.further(name) if place == _FOREIGN else None
    found = read(line, module.WORDS)
    rule = import_module(_RULES[dialect]).RULES.get(name) if dialect in _RULES else None
    return found if rule is None else replace(found, traits=(*found.traits, rule))


_KNOWN: dict[str, object] = {}
_ABSENT = object()


def kept(name: str, written: Mapping[str, Attribute]) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """What of a dictionary becomes properties, and what stays; MLIR drops what it would have to store otherwise."""
    whole = definition(name)
    declared: Mapping[str, tuple[AttributeKind, bool]] = whole.attributes if whole is not None else {}
    properties = {key: value for key, value in written.items() if key in declared and declared[key][0].stored(value)}
    return properties, {key: value for key, value in written.items() if key not in declared}
