"""Operations made without xDSL's constructors: what these would check has been checked, or comes from a definition.

xDSL's own way (`irdl_op_init`, the dataclass constructors of results and uses) costs some 20 us an operation.
`install` puts this one in the place of `Operation.create`.
"""
# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import TypeVar

from xdsl.dialects.builtin import UNKNOWN_LOC, DenseArrayBase, IntegerType, LocationAttr, i32
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue, SSAValues, Use
from xdsl.irdl import IRDLOperation, OptionalDef

_Op = TypeVar("_Op", bound=Operation)
_new = object.__new__


def build(
    cls: type[_Op],
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute],
    properties: dict[str, Attribute],
    attributes: dict[str, Attribute],
    location: LocationAttr,
    regions: Sequence[Region] = (),
    successors: Sequence[Block] = (),
) -> _Op:
    """The operation that `cls.create` makes of the same; it takes the two dictionaries as they are."""
    op = _new(cls)
    uses: list[Use] = []
    for index, value in enumerate(operands):
        use = _new(Use)
        use._operation = op
        use._index = index
        use._prev_use = None
        first = use._next_use = value.first_use
        if first is not None:
            first._prev_use = use
        value.first_use = use
        uses.append(use)
    op._operands = SSAValues(operands)
    op._operand_uses = tuple(uses)
    results: list[OpResult] = []
    for index, kind in enumerate(result_types):
        result = _new(OpResult)
        result.first_use = None
        result._name = None
        result._type = kind
        result.op = op
        result.index = index
        results.append(result)
    op.results = SSAValues(results)
    op.properties = properties
    op.attributes = attributes
    op.location = location
    if successors:
        op.successors = successors
    else:
        op._successors = op._successor_uses = ()
    op.regions = ()
    for region in regions:
        op.add_region(region)
    for is_property, name, value in defaults(cls):
        (properties if is_property else attributes).setdefault(name, value)
    if cls.__post_init__ is not IRDLOperation.__post_init__:
        op.__post_init__()
    return op


def _create(
    cls: type[_Op],
    *,
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] | None = None,
    attributes: Mapping[str, Attribute] | None = None,
    location: LocationAttr | None = None,
    successors: Sequence[Block] = (),
    regions: Sequence[Region] = (),
) -> _Op:
    """`Operation.create`."""
    own, others = dict(properties) if properties else {}, dict(attributes) if attributes else {}
    return build(cls, operands, result_types, own, others, location or UNKNOWN_LOC, regions, successors)


def install() -> None:
    """Let `create` of all operations make them without xDSL's constructors."""
    Operation.create = classmethod(_create)  # pyright: ignore[reportAttributeAccessIssue]


@cache
def defaults(cls: type[Operation]) -> Sequence[tuple[bool, str, Attribute]]:
    """What an operation is given where its text has nothing: whether it is a property, the name, the value."""
    if not issubclass(cls, IRDLOperation):
        return ()
    definition = cls.get_irdl_definition()
    rules = ((True, definition.properties), (False, definition.attributes))
    return [
        (is_property, name, rule.default_value)
        for is_property, named in rules
        for name, rule in named.items()
        if rule.default_value is not None and not isinstance(rule, OptionalDef)
    ]


NO_ATTRIBUTES = frozenset({"noWrapFlags", "overflowFlags"})
"""Properties of `llvm` that upstream stores as no attributes: in a dictionary these names mean nothing."""


def take_properties(op: IRDLOperation) -> None:
    """Make properties of what is in the dictionary under their names: `addf %a, %b {fastmath = ...}`."""
    declared = op.get_irdl_definition().properties
    for name in [name for name in op.attributes if name in declared]:
        if name not in NO_ATTRIBUTES or not op.name.startswith("llvm."):
            op.properties[name] = op.attributes.pop(name)


def append(block: Block, op: Operation) -> None:
    """Put a new operation at the end of a block."""
    last = block._last_op
    op.parent = block
    op._prev_op = last
    if last is None:
        block._first_op = op
    else:
        last._next_op = op
    block._last_op = op


@lru_cache(1024)
def segment_sizes(sizes: tuple[int, ...]) -> DenseArrayBase[IntegerType]:
    """The attribute that counts the operands, or the results, of each definition."""
    return DenseArrayBase.from_list(i32, sizes)
