"""Traits of upstream's operations that look beyond operand types: terminators, branches, symbols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import segments
from weft.dialects.kinds import element
from weft.dialects.verification import PlainVerifyException


def inherent(op: Operation, name: str) -> Attribute | None:
    """An attribute of an operation's own, None when it is absent."""
    return op.properties.get(name, op.attributes.get(name))


def inherent_number(op: Operation, name: str, default: int = 0) -> int:
    """The number that an inherent attribute of an operation is, or the default where there is none."""
    found = inherent(op, name)
    return cast("int", cast("Any", found).value.data) if isinstance(found, IntegerAttr) else default


def terminator(op: Operation) -> None:
    """`Terminator`: the last operation of its block."""
    block = op.parent
    if block is None or block.last_op is not op:
        raise VerifyException("must be the last operation in the parent block")


def single_block(op: Operation) -> None:
    """`SingleBlock`."""
    for index, region in enumerate(op.regions):
        if len(region.blocks) > 1:
            raise VerifyException(f"expects region #{index} to have 0 or 1 blocks")


def no_arguments(op: Operation) -> None:
    """`NoRegionArguments`."""
    for index, region in enumerate(op.regions):
        for block in region.blocks:
            if block.args:
                more = f"region #{index}" if len(op.regions) > 1 else "region"
                raise VerifyException(f"{more} should have no arguments")


def same_operand_elements(op: Operation) -> None:
    """`SameOperandsElementType`."""
    if len({element(kind) for kind in op.operand_types}) > 1:
        raise VerifyException("requires the same element type for all operands")


def same_element_types(op: Operation) -> None:
    """`SameOperandsAndResultElementType`."""
    if len({element(value.type) for value in (*op.operands, *op.results)}) > 1:
        raise VerifyException("requires the same element type for all operands and results")


def _edges(op: Operation) -> Sequence[int]:
    """Where the operands of each successor begin, and the end of the last: each group follows the one before."""
    sizes = list(segments(op))
    cases = inherent(op, "case_operand_segments")
    if isinstance(cases, DenseArrayBase):
        sizes[2:] = list(cases.get_values())
    if not sizes:
        return (0, len(op.operands))
    starts = [sum(sizes) - sum(sizes[-len(op.successors) :])]
    for size in sizes[-len(op.successors) :]:
        starts.append(starts[-1] + size)
    return starts


def branch(op: Operation) -> None:
    """`BranchOpInterface`: each block is given what it takes; and as many weights as there are blocks."""
    edges = _edges(op)
    for index, target in enumerate(op.successors):
        given = op.operands[edges[index] : edges[index + 1]]
        if len(given) != len(target.args):
            raise PlainVerifyException(
                f"branch has {len(given)} operands for successor #{index}, but target block has {len(target.args)}"
            )
        for place, (value, argument) in enumerate(zip(given, target.args, strict=True)):
            if value.type != argument.type:
                raise PlainVerifyException(f"type mismatch for bb argument #{place} of successor #{index}")
    weights = inherent(op, "branch_weights")
    if isinstance(weights, DenseArrayBase):
        found = len(cast("DenseArrayBase[Any]", weights).get_values())
        if found and found != len(op.successors):
            raise PlainVerifyException(
                f"expects number of branch weights to match number of successors: {found} vs {len(op.successors)}"
            )


_VISIBILITIES = ("public", "private", "nested")


def symbol(op: Operation) -> None:
    """`Symbol`: a name, a visibility that there is, and a symbol table around it."""
    if not isinstance(inherent(op, "sym_name"), StringAttr):
        raise VerifyException("requires string attribute 'sym_name'")
    visibility = inherent(op, "sym_visibility")
    if isinstance(visibility, StringAttr) and visibility.data not in _VISIBILITIES:
        listed = ", ".join(f'"{word}"' for word in _VISIBILITIES)
        raise VerifyException(f'visibility expected to be one of [{listed}], but got "{visibility.data}"')
    parent = op.parent_op()
    if parent is not None and not parent.has_trait(SymbolTable, value_if_unregistered=True):
        raise VerifyException("symbol's parent must have the SymbolTable trait")


def public_declaration(op: Operation) -> None:
    """A symbol that is only declared is not public."""
    visibility = inherent(op, "sym_visibility")
    public = not isinstance(visibility, StringAttr) or visibility.data == "public"
    if public and not op.regions[0].blocks:
        raise VerifyException("symbol declaration cannot have public visibility")


def _check_notes(op: Operation, name: str, what: str, kinds: Sequence[Attribute]) -> None:
    notes = inherent(op, name)
    if notes is None:
        return
    listed = cast("Any", notes).data
    if len(listed) != len(kinds):
        raise VerifyException(
            f"expects {what} attribute array to have the same number of elements as the number of function {what}s, "
            f"got {len(listed)}, but expected {len(kinds)}"
        )
    for kind, entries in zip(kinds, listed, strict=True):
        for entry, value in sorted(entries.data.items()):
            if "." not in entry:
                raise VerifyException(f"{what}s may only have dialect attributes")
            if entry.startswith("llvm."):
                from weft.dialects.llvm.parameters import check_parameter

                check_parameter(kind, entry, value, result=what == "result")


def check_function(op: Operation, inputs: Sequence[Attribute], results: Sequence[Attribute]) -> None:
    """`FunctionOpInterface`: attributes for each argument and result, and a first block of the function's arguments.

    Raises:
        VerifyException: the function has none.
    """
    _check_notes(op, "arg_attrs", "argument", inputs)
    _check_notes(op, "res_attrs", "result", results)
    entry = op.regions[0].blocks.first
    if entry is None:
        return
    if len(entry.args) != len(inputs):
        raise VerifyException(f"entry block must have {len(inputs)} arguments to match function signature")
    for index, (argument, kind) in enumerate(zip(entry.args, inputs, strict=True)):
        if argument.type != kind:
            raise VerifyException(
                f"type of entry block argument #{index}('{argument.type}') must match the type of the corresponding "
                f"argument in function signature('{kind}')"
            )


def in_parent(name: str, op: Operation) -> None:
    """`HasParent`: the operation around it is the one of this full name."""
    parent = op.parent_op()
    if parent is None or parent.name != name:
        raise VerifyException(f"expects parent op '{name}'")
