"""A quick look at a module that is most likely valid: it finds nothing wrong, or it raises.

What is wrong, and where, is for xDSL's verifier to say.  Two things make this one quicker: what the definition of an
operation says of its types and attributes is asked once for the same types and attributes, and the structure of blocks
is checked in one walk.  What depends on more than that (traits, verifiers of operations, attributes of dialects) is
asked every time.
"""
# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from xdsl.ir import Block, Operation, Region
from xdsl.ir.core import ErasedSSAValue
from xdsl.irdl import IRDLOperation, OpDef, traits_def
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, OpTrait
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.definitions import definition

_MOST = 512


class Remembered:
    """A check that depends on the types and attributes of an operation alone.

    What it has found valid it finds valid again without looking, by the identity of types and attributes, which it
    keeps alive.
    """

    def __init__(self, verify: Callable[[Operation], None]) -> None:
        self._verify = verify
        self._valid: dict[tuple[Any, ...], Any] = {}

    def __call__(self, op: Operation) -> None:
        """Check an operation.

        Raises:
            VerifyException: it is refused.
        """
        types = [value._type for value in op._operands]
        results = [value._type for value in op.results]
        properties, attributes = op.properties, op.attributes
        key = (
            *map(id, types),
            None,
            *map(id, results),
            len(op._successors),
            len(properties),
            *properties,
            *map(id, properties.values()),
            *attributes,
            *map(id, attributes.values()),
        )
        if key not in self._valid:
            self._verify(op)
            if len(self._valid) > _MOST:
                self._valid.clear()
            self._valid[key] = types, results, [*properties.values()], [*attributes.values()]


class RememberedDefinition:
    """Verifies operations against a definition, as `OpDef.verify` does, whose place it takes."""

    def __init__(self, definition: OpDef) -> None:
        self._definition = definition
        self._bare = replace(definition, traits=traits_def())
        self._alone = Remembered(self._bare.verify)
        self._all: frozenset[OpTrait] = frozenset()
        self._traits: list[Callable[[Operation], None]] = []

    def __call__(self, op: Operation) -> None:
        """Check an operation.

        Raises:
            VerifyException: the definition does not allow it.
        """
        if op.regions:
            self._bare.verify(op)
        else:
            self._alone(op)
        traits = self._definition.traits.traits
        if traits is not self._all:
            self._all = traits
            self._traits = [
                _check_closed if type(trait) is IsolatedFromAbove else trait.verify
                for trait in traits
                if type(trait).verify is not OpTrait.verify
            ]
        for verify in self._traits:
            verify(op)


def _check_closed(op: Operation) -> None:
    """Refuse values from outside of an operation in its regions, as `IsolatedFromAbove` does, at once."""
    pending = list(op.regions)
    inside = set(pending)
    while pending:
        block = pending.pop().first_block
        while block is not None:
            inner = block._first_op
            while inner is not None:
                for value in inner._operands:
                    owner = value.owner
                    home = owner if isinstance(owner, Block) else owner.parent
                    if home is None or home.parent not in inside:
                        raise VerifyException("a value comes from outside")
                if inner.regions and not inner.has_trait(IsolatedFromAbove):
                    pending += inner.regions
                    inside.update(inner.regions)
                inner = inner._next_op
            block = block._next_block


@cache
def _is_terminator(cls: type[Operation]) -> bool:
    """Whether operations of a class end blocks; and its definition remembers from now on what it found valid."""
    if issubclass(cls, IRDLOperation):
        definition = cls.get_irdl_definition()
        if "verify" not in vars(definition):
            vars(definition)["verify"] = RememberedDefinition(definition)
    return cls.has_trait(IsTerminator)


def check(op: Operation, check_attributes: Callable[[Operation], None]) -> None:
    """Look at an operation that stands alone and at everything in it; `check_attributes` looks at each operation too.

    Raises:
        Exception: something is wrong, and xDSL's verifier will say what; or it finds that nothing is.
    """
    _is_terminator(type(op))
    for region in op.regions:
        _check_region(region, check_attributes)
    _check_itself(op, check_attributes)


def _check_itself(op: Operation, check_attributes: Callable[[Operation], None]) -> None:
    check_attributes(op)
    cls = type(op)
    _own_check(cls)(op)
    if op.regions and cls.has_trait(IsolatedFromAbove):
        _check_closed(op)


@cache
def _own_check(cls: type[Operation]) -> Callable[[Operation], None]:
    """What an operation of a class must be by itself: by its whole definition if it has one, else by xDSL's."""
    whole = definition(cls.name)
    if whole is None:
        return cls.verify_
    own = (cls.verify_,) if whole.more else ()
    if whole.regions:
        of_types, rest = whole.verify, (*whole.endings, *own)
    elif whole.of_types:
        of_types, rest = Remembered(whole.verify), own
    else:
        of_types, rest = Remembered(replace(whole, traits=()).verify), (*whole.traits, *own)

    def verify(op: Operation) -> None:
        of_types(op)
        for trait in rest:
            trait(op)

    return verify


def _check_region(region: Region, check_attributes: Callable[[Operation], None]) -> None:
    first = region.first_block
    if first is None:
        return
    if first.uses:
        raise VerifyException("the first block has predecessors")
    parent = region.parent
    alone = first is region.last_block
    open_ended = alone and (parent is None or parent.has_trait(NoTerminator))
    block: Block | None = first
    while block is not None:
        if block.parent is not region:
            raise VerifyException("a block is in another region")
        if block._first_op is None and not open_ended:
            raise VerifyException("an empty block has no terminator")
        _check_block(block, open_ended, check_attributes)
        block = block._next_block


def _check_block(block: Block, open_ended: bool, check_attributes: Callable[[Operation], None]) -> None:
    op = block._first_op
    last = block._last_op
    while op is not None:
        ends = _is_terminator(type(op))
        if op.parent is not block or (op is last and not ends and not open_ended):
            raise VerifyException("an operation is in another block, or ends this one and may not")
        for value in op._operands:
            if type(value) is ErasedSSAValue:
                raise VerifyException("an erased value is used")
        if op._successors and (op is not last or any(target.parent is not block.parent for target in op._successors)):
            raise VerifyException("a branch does not end its block, or leads out of its region")
        for region in op.regions:
            _check_region(region, check_attributes)
        _check_itself(op, check_attributes)
        op = op._next_op
