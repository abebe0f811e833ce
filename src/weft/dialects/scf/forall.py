"""`scf.forall` and its terminator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, IntegerType, i32, i64
from xdsl.dialects.utils import parse_assignment, print_assignment
from xdsl.dialects.utils.dynamic_index_list import parse_dynamic_index_list_without_types, print_dynamic_index_list
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.operations import op_class
from weft.dialects.verification import PlainVerifyException

if TYPE_CHECKING:
    from xdsl.ir import SSAValue
    from xdsl.printer import Printer

    from weft.dialects.rows import scf


def _rank(op: scf.ForallOp) -> int:
    """The number of dimensions of the box."""
    return len(op.static_lower_bound.get_values())


def _indices(op: scf.ForallOp) -> Sequence[BlockArgument]:
    """The block arguments that are the indices of a point."""
    return op.region.block.args[: _rank(op)]


def _shared(op: scf.ForallOp) -> Sequence[BlockArgument]:
    """The block arguments that are the shared tensors."""
    return op.region.block.args[_rank(op) :]


def verify_forall(op: scf.ForallOp) -> None:
    """The block's arguments are the indices and outputs; there are as many bounds as dimensions."""
    if len(op.results) != len(op.outputs):
        raise VerifyException(f"produces {len(op.results)} results, but has only {len(op.outputs)} outputs")
    arguments = op.region.block.args
    if len(arguments) != _rank(op) + len(op.outputs):
        raise VerifyException(f"region expects {_rank(op) + len(op.outputs)} arguments")
    for place, index in enumerate(_indices(op)):
        if not isinstance(index.type, IndexType):
            raise VerifyException(f"expects {place}-th block argument to be an index")
    for place, (argument, output) in enumerate(zip(_shared(op), op.outputs, strict=True)):
        if argument.type != output.type:
            raise VerifyException(f"type mismatch between {place}-th output and corresponding block argument")
    _verify_mapping(op)
    bounds = (
        ("lower bound", op.static_lower_bound, op.dynamic_lower_bound),
        ("upper bound", op.static_upper_bound, op.dynamic_upper_bound),
        ("step", op.static_step, op.dynamic_step),
    )
    for what, static, dynamic in bounds:
        _verify_bounds(op, what, static.get_values(), len(dynamic))
    first = len(op.operands) - len(op.outputs)
    for place, (output, result) in enumerate(zip(op.outputs, op.results, strict=True), first):
        if output.type != result.type:
            raise VerifyException(
                f"expected type of operand #{place} ('{output.type}') to match type of corresponding result "
                f"('{result.type}')"
            )


def _verify_mapping(op: scf.ForallOp) -> None:
    if op.mapping is None:
        return
    from weft.dialects.gpu.mapping import DEVICE_MAPPINGS, MappingMaskAttr

    if not all(isinstance(entry, DEVICE_MAPPINGS) for entry in op.mapping):
        raise VerifyException("attribute 'mapping' failed to satisfy constraint: Device Mapping array attribute")
    if sum(not isinstance(entry, MappingMaskAttr) for entry in op.mapping) != _rank(op):
        raise VerifyException("mapping attribute size must match op rank")


def _verify_bounds(op: scf.ForallOp, what: str, static: Sequence[int], dynamic: int) -> None:
    if len(static) != _rank(op):
        raise PlainVerifyException(f"expected {_rank(op)} {what} values, got {len(static)}")
    expected = sum(value == DYNAMIC_INDEX for value in static)
    if expected != dynamic:
        raise PlainVerifyException(f"expected {expected} dynamic {what} values")


def parse_forall(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `scf.forall (%i, %j) in (%n, 16) shared_outs(%o = %t) -> (type) { ... } {mapping = [...]}`."""
    paren = parser.Delimiter.PAREN
    indices = parser.parse_comma_separated_list(paren, lambda: parser.parse_argument(expect_type=False))
    groups = _parse_box(parser, len(indices))
    place = parser.pos
    outputs: list[UnresolvedOperand] = []
    shared: list[Parser.UnresolvedArgument] = []
    types: list[Attribute] = []
    if parser.parse_optional_keyword("shared_outs"):
        for argument, operand in parser.parse_comma_separated_list(paren, lambda: parse_assignment(parser)):
            shared.append(argument)
            outputs.append(operand)
        if outputs:
            parser.parse_punctuation("->")
            types = parser.parse_comma_separated_list(paren, parser.parse_type)
    if len(outputs) != len(types):
        message = f"number of operands and types do not match: got {len(outputs)} operands and {len(types)} types"
        parser.raise_error(f"custom op 'scf.forall' {message}", place, place)
    bounds = [[parser.resolve_operand(value, IndexType()) for value in values] for values, _ in groups]
    tensors = parser.resolve_operands(outputs, types, place)
    arguments = [argument.resolve(IndexType()) for argument in indices]
    arguments += [argument.resolve(kind) for argument, kind in zip(shared, types, strict=True)]
    region = parser.parse_region(arguments)
    _terminate(region)
    attributes = parser.parse_optional_attr_dict()
    sizes = [len(group) for group in (*bounds, tensors)]
    properties: dict[str, Attribute] = {
        "operandSegmentSizes": DenseArrayBase.from_list(i32, sizes),
        "staticLowerBound": DenseArrayBase.from_list(i64, groups[0][1]),
        "staticUpperBound": DenseArrayBase.from_list(i64, groups[1][1]),
        "staticStep": DenseArrayBase.from_list(i64, groups[2][1]),
    }
    if "mapping" in attributes:
        properties["mapping"] = attributes.pop("mapping")
    return cls.create(
        operands=[*(value for group in bounds for value in group), *tensors],
        result_types=types,
        properties=properties,
        attributes=attributes,
        regions=[region],
    )


def print_forall(op: scf.ForallOp, printer: Printer) -> None:
    """Print what `parse_forall` parses."""
    printer.print_string(" ")
    with printer.in_parens():
        printer.print_list(_indices(op), printer.print_ssa_value)
    if _is_normalized(op):
        printer.print_string(" in ")
        _print_bounds(printer, op.dynamic_upper_bound, op.static_upper_bound)
    else:
        printer.print_string(" = ")
        _print_bounds(printer, op.dynamic_lower_bound, op.static_lower_bound)
        printer.print_string(" to ")
        _print_bounds(printer, op.dynamic_upper_bound, op.static_upper_bound)
        printer.print_string(" step ")
        _print_bounds(printer, op.dynamic_step, op.static_step)
    if op.outputs:
        printer.print_string(" shared_outs(")
        pairs = zip(_shared(op), op.outputs, strict=True)
        printer.print_list(pairs, lambda pair: print_assignment(printer, *pair))
        printer.print_string(") -> (")
        printer.print_list(op.result_types, printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(
        op.region,
        print_entry_block_args=False,
        print_empty_block=False,
        print_block_terminators=bool(op.outputs),
    )
    shown = op.attributes if op.mapping is None else {**op.attributes, "mapping": op.mapping}
    printer.print_op_attributes(shown)


def _is_normalized(op: scf.ForallOp) -> bool:
    """Whether all lower bounds are 0 and all steps 1."""
    return all(value == 0 for value in op.static_lower_bound.get_values()) and all(
        value == 1 for value in op.static_step.get_values()
    )


def verify_in_parallel(op: scf.ForallInParallelOp) -> None:
    """Only what combines partial results may be inside."""
    if any(inside.name not in _COMBINING for inside in op.region.block.ops):
        raise VerifyException("expected only ParallelCombiningOpInterface ops")


def parse_in_parallel(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `scf.forall.in_parallel { ... }`."""
    region = parser.parse_region()
    if not region.blocks:
        region.add_block(Block())
    return cls.create(regions=[region], attributes=parser.parse_optional_attr_dict())


def print_in_parallel(op: scf.ForallInParallelOp, printer: Printer) -> None:
    """Print what `parse_in_parallel` parses."""
    printer.print_string(" ")
    printer.print_region(op.region, print_entry_block_args=False, print_empty_block=False)
    printer.print_op_attributes(op.attributes)


_COMBINING = frozenset({"tensor.parallel_insert_slice"})


def _print_bounds(printer: Printer, dynamic: Sequence[SSAValue], static: DenseArrayBase[IntegerType]) -> None:
    print_dynamic_index_list(printer, DYNAMIC_INDEX, dynamic, static.get_values(), delimiter=Parser.Delimiter.PAREN)


def _parse_box(parser: Parser, rank: int) -> list[tuple[Sequence[UnresolvedOperand], Sequence[int]]]:
    """`in (%n, 4)`, or `= (0, %m) to (%n, 4) step (1, 2)`: lower and upper bounds and steps, dynamic and static."""

    def bounds() -> tuple[Sequence[UnresolvedOperand], Sequence[int]]:
        return parse_dynamic_index_list_without_types(parser, DYNAMIC_INDEX, delimiter=parser.Delimiter.PAREN)

    if parser.parse_optional_keyword("in"):
        return [((), [0] * rank), bounds(), ((), [1] * rank)]
    parser.parse_punctuation("=")
    lower = bounds()
    parser.parse_keyword("to")
    upper = bounds()
    parser.parse_keyword("step")
    return [lower, upper, bounds()]


def _terminate(region: Region) -> None:
    """Give the body the terminator that its text leaves out."""
    if not region.blocks:
        region.add_block(Block())
    block = region.blocks[0]
    if block.last_op is None or not block.last_op.has_trait(IsTerminator, value_if_unregistered=False):
        block.add_op(op_class("scf.forall.in_parallel").create(regions=[Region(Block())]))
