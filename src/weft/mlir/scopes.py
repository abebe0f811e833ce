"""The errors of a module in the order in which mlir-opt finds them.

An operation is looked at before what is in its regions; the ends of blocks, and what asks for the contents of a region,
after them.  Functions and other operations that are closed to values from above are looked at side by side once the
operation around them is through, each up to its first error; then come the symbols of that operation.
"""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

from xdsl.ir import Block, Operation, Region
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator

from weft.dialects.symbols import check_users, is_table, name_of, redefined
from weft.dialects.verification import PlainVerifyException
from weft.errors import MlirError
from weft.mlir.dominance import from_outside, undominated
from weft.mlir.positions import mlir_error, position
from weft.mlir.wording import memory_spaces

OwnError = Callable[[Operation], MlirError | None]
"""What is wrong with an operation by itself, or with what its regions hold."""


def errors(scope: Operation, own: OwnError, ending: OwnError) -> list[MlirError]:
    """The errors of an operation that is closed to values from above: its first, or those of the closed ones in it.

    `own` looks at an operation before its regions, `ending` after them.
    """
    found = _within(scope, own, ending)
    if found:
        return found
    last = dominance_error(scope)
    return [] if last is None else [last]


def _within(op: Operation, own: OwnError, ending: OwnError) -> list[MlirError]:
    """The errors of an operation and of what is in it, before dominance is asked for."""
    first = own(op)
    if first is None and op.regions and op.has_trait(IsolatedFromAbove):
        user = from_outside(op)
        first = None if user is None else mlir_error(user, "using value defined outside the region")
    if first is not None:
        return [first]
    closed: list[Operation] = []
    for region in op.regions:
        found = _in_region(op, region, own, ending, closed)
        if found:
            return found
    found = [error for inner in closed for error in errors(inner, own, ending)]
    if found:
        return found
    last = ending(op) or symbol_error(op)
    return [] if last is None else [last]


def _in_region(
    scope: Operation, region: Region, own: OwnError, ending: OwnError, closed: list[Operation]
) -> list[MlirError]:
    entry = region.blocks.first
    if entry is not None and any(True for _ in entry.predecessors()):
        return [MlirError("entry block of region may not have predecessors", position(scope))]
    for block in region.blocks:
        error = _entered(scope, block)
        if error is not None:
            return [error]
        for op in block.ops:
            if op.regions and op.has_trait(IsolatedFromAbove):
                closed.append(op)
            elif found := _within(op, own, ending):
                return found
        error = _left(block)
        if error is not None:
            return [error]
    return []


def _open_ended(block: Block) -> bool:
    """Whether a block may be without a terminator."""
    region = block.parent
    if region is None or len(region.blocks) != 1:
        return False
    parent = region.parent
    return parent is None or parent.has_trait(NoTerminator, value_if_unregistered=True)


def _entered(scope: Operation, block: Block) -> MlirError | None:
    if block.first_op is None and not _open_ended(block):
        return MlirError("empty block: expect at least a terminator", position(scope))
    for op in block.ops:
        if op.successors and op is not block.last_op:
            return MlirError("operation with block successors must terminate its parent block", position(op))
    return None


def _left(block: Block) -> MlirError | None:
    last = block.last_op
    if last is None:
        return None
    if any(target.parent is not block.parent for target in last.successors):
        return mlir_error(last, "branching to block of a different region")
    if _open_ended(block) or last.has_trait(IsTerminator, value_if_unregistered=True):
        return None
    return MlirError(f"block with no terminator, has {_generic(last)}", position(last))


def _generic(op: Operation) -> str:
    """The text of an operation in the generic form, with the names that its values have in the whole text."""
    from weft.mlir.printer import MlirPrinter

    root: Operation = op
    while (parent := root.parent_op()) is not None and not root.has_trait(IsolatedFromAbove):
        root = parent
    stream = StringIO()
    printer = MlirPrinter(stream, root)
    printer.print_generic_format = True
    printer.print_op(op)
    return stream.getvalue().partition("\n")[0]


def symbol_error(scope: Operation) -> MlirError | None:
    """The first thing that is wrong with the symbols of a table and their users; None if `scope` is no table."""
    if not is_table(scope):
        return None
    for op in redefined(scope):
        return MlirError(f"redefinition of symbol named '{name_of(op)}'", position(op))
    found = check_users(scope)
    if found is None:
        return None
    op, error = found
    plain, message = isinstance(error, PlainVerifyException), memory_spaces(str(error))
    return MlirError(message, position(op)) if plain else mlir_error(op, message)


def dominance_error(scope: Operation) -> MlirError | None:
    """The first use of a value, in a scope, that the value's definition does not dominate."""
    found = undominated(scope)
    if found is None:
        return None
    op, index = found
    return MlirError(f"operand #{index} does not dominate this use", position(op))
