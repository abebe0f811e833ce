"""What is checked of operations of foreign dialects beside their rows, by the words of rows for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    FunctionType,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects import traits
from weft.dialects.foreign import linalg
from weft.dialects.foreign.handles import check_handles
from weft.dialects.foreign.tensors import agree, dynamic, element, extents
from weft.dialects.foreign.tiles import check_tiles
from weft.dialects.gpu.binary import name_of
from weft.dialects.kinds import Trait
from weft.dialects.symbols import lookup
from weft.dialects.verification import PlainVerifyException


def _is_future(kind: Attribute) -> bool:
    return name_of(kind) == "async.value"


def _is_token(kind: Attribute) -> bool:
    return name_of(kind) == "async.token"


def _is_pointer(kind: Attribute) -> bool:
    return name_of(kind) == "ptr.ptr"


def _same(op: Operation) -> None:
    if not op.operands:
        raise VerifyException("expected 1 or more operands, but found 0")
    if len({value.type for value in (*op.operands, *op.results)}) > 1:
        raise VerifyException("requires the same type for all operands and results")


def _function(op: Operation) -> None:
    traits.symbol(op)
    if op.name == "async.func":
        traits.public_declaration(op)
    kind = cast("FunctionType", traits.inherent(op, "function_type"))
    traits.check_function(op, kind.inputs.data, kind.outputs.data)
    if op.name == "async.func":
        _check_results(kind.outputs.data)


def _check_results(kinds: Sequence[Attribute]) -> None:
    """What an asynchronous function returns is a token, values, or a token and then values."""
    if not kinds:
        raise VerifyException("result is expected to be at least of size 1, but got 0")
    for place, kind in enumerate(kinds):
        if not (_is_token(kind) or _is_future(kind)):
            raise VerifyException(f"result type must be async value type or async token type, but got '{kind}'")
        if place and _is_token(kind):
            said = "results' (optional) async token type is expected to appear as the 1st return value"
            raise VerifyException(f" {said}, but got {place + 1}")


def _returned(op: Operation) -> None:
    """What a function returns is what its values hold."""
    around = op.parent_op()
    assert around is not None
    kinds = cast("FunctionType", traits.inherent(around, "function_type")).outputs.data
    held = [cast("Any", kind).value.data for kind in kinds if _is_future(kind)]
    if held != [str(value.type) for value in op.operands]:
        raise VerifyException("operand types do not match the types returned from the parent FuncOp")


def _called(op: Operation) -> None:
    callee = cast("SymbolRefAttr", traits.inherent(op, "callee"))
    found = lookup(op, callee)
    if found is None or found.name != "async.func":
        raise VerifyException(f"'{callee.root_reference.data}' does not reference a valid async function")


def _awaited(op: Operation) -> None:
    """What a value holds is the result; a token gives none."""
    source = op.operands[0].type
    if _is_future(source):
        held, found = cast("Any", source).value.data, [str(value.type) for value in op.results]
        if found and found != [held]:
            raise VerifyException(f"result type '{found[0]}' does not match async value type '{held}'")
    elif op.results:
        raise VerifyException("awaiting on a token must have empty result")


def _changed(op: Operation) -> None:
    """One side of a cast is no `!ptr.ptr`."""
    if op.name == "ptr.from_ptr" and _is_pointer(op.results[0].type):
        raise PlainVerifyException("the result type cannot be `!ptr.ptr`")
    if op.name == "ptr.to_ptr" and _is_pointer(op.operands[0].type):
        raise PlainVerifyException("the input value cannot be of type `!ptr.ptr`")


def _cast(op: Operation) -> None:
    source, target = op.operands[0].type, op.results[0].type
    same = op.name == "tensor.bitcast" or element(source) == element(target)
    if not same or not agree(extents(source), extents(target)):
        raise VerifyException(f"operand type '{source}' and result type '{target}' are cast incompatible")


def _allocated(op: Operation) -> None:
    """An extent for each that is dynamic."""
    wanted, given = dynamic(op.results[0].type), len(op.operands)
    if wanted != given:
        raise VerifyException(f"incorrect number of dynamic sizes, has {given}, expected {wanted}")


def _subscripts(tensor: int, message: str) -> Trait:
    """As many indices behind the tensor as it has dimensions."""

    def trait(op: Operation) -> None:
        if len(op.operands) - tensor - 1 != len(extents(op.operands[tensor].type) or ()):
            raise VerifyException(message)

    return trait


def _extracted(op: Operation) -> None:
    if op.results[0].type != element(op.operands[0].type):
        raise VerifyException("failed to verify that result type matches element type of tensor")


def _inserted(op: Operation) -> None:
    scalar, dest = op.operands[0].type, op.operands[1].type
    if op.results[0].type != dest:
        raise VerifyException("failed to verify that result type matches type of dest")
    if scalar != element(dest):
        raise VerifyException("failed to verify that scalar type matches element type of dest")


def _spread(op: Operation) -> None:
    """A scalar in all places, with an extent for each dynamic one."""
    if op.operands[0].type != element(op.results[0].type):
        raise VerifyException("failed to verify that operand type matches element type of result")
    wanted, given = dynamic(op.results[0].type), len(op.operands) - 1
    if wanted != given:
        raise VerifyException(f"incorrect number of dynamic sizes, has {given}, expected {wanted}")


def _elements(op: Operation) -> None:
    """The scalars of a tensor of fixed shape."""
    kind = op.results[0].type
    count = 1
    for extent in extents(kind) or ():
        count *= extent
    if len(op.operands) != count or any(value.type != element(kind) for value in op.operands):
        raise VerifyException("failed to verify that operand types match result element type")


def _into(op: Operation) -> None:
    """A slice put into a tensor gives a tensor of the same type."""
    if op.results and op.results[0].type != op.operands[1].type:
        raise VerifyException("failed to verify that expected result type to match dest type")


def _buffered(op: Operation) -> None:
    """A tensor and a memref of the same extents and elements."""
    source, result = op.operands[0].type, op.results[0].type
    if not agree(extents(source), extents(result)):
        raise PlainVerifyException("shapes do not match")
    if element(source) != element(result):
        raise PlainVerifyException("element types do not match")


CHECKS: Mapping[str, Trait] = {
    "awaited_value": _awaited,
    "called": _called,
    "changed": _changed,
    "function": _function,
    "handles": check_handles,
    "indexed": linalg.check_index,
    "returned": _returned,
    "same": _same,
    "tiles": check_tiles,
    "yielded": linalg.check_yield,
    "allocated": _allocated,
    "buffered": _buffered,
    "cast": _cast,
    "elements": _elements,
    "extracted": _extracted,
    "extracts": _subscripts(0, "incorrect number of indices for extract_element"),
    "inserted": _inserted,
    "inserts": _subscripts(1, "incorrect number of indices"),
    "into": _into,
    "spread": _spread,
    "terminator": traits.terminator,
}
"""By the words in rows."""
