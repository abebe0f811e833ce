"""What flows into and out of regions, in MLIR's words."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException


def check_edge(end: Operation | None, given: Sequence[SSAValue], target: str, wanted: Sequence[Attribute]) -> None:
    """Refuse values that do not fit where a terminator, or the operation around a region (None), hands them to.

    Raises:
        VerifyException: there are more or fewer of them, or one is of another type.
    """
    source = "parent" if end is None else f"Operation {end.name}"
    edge = f"along control flow edge from {source} to {target}:"
    if len(given) != len(wanted):
        raise VerifyException(
            f"{edge} region branch point has {len(given)} operands, but region successor needs {len(wanted)} inputs"
        )
    for place, (value, kind) in enumerate(zip(given, wanted, strict=True)):
        if value.type != kind:
            raise VerifyException(
                f"{edge} successor operand type #{place} '{value.type}' should match successor input type #{place} "
                f"'{kind}'"
            )


def terminate(region: Region, end: type[Operation]) -> None:
    """Give a region the terminator that its text leaves out."""
    if not region.blocks:
        region.add_block(Block())
    last = region.blocks.last
    assert last is not None
    if last.last_op is None or not last.last_op.has_trait(IsTerminator, value_if_unregistered=False):
        last.add_op(end.create())
