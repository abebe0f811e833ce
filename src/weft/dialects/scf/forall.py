"""`scf.forall` and its terminator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DenseArrayBase, IndexType, IntegerType, TensorType, i32, i64
from xdsl.dialects.utils import parse_assignment, print_assignment
from xdsl.dialects.utils.dynamic_index_list import parse_dynamic_index_list_without_types, print_dynamic_index_list
from xdsl.ir import Attribute, Block, BlockArgument, Region
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.traits import HasParent, IsTerminator, NoTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from weft.dialects.verification import Described, PlainVerifyException

if TYPE_CHECKING:
    from xdsl.ir import SSAValue
    from xdsl.printer import Printer

_TENSOR = Described(base(TensorType), "ranked tensor of any type values")
_I64S = DenseArrayBase.constr(i64)


@irdl_op_definition
class ForallOp(IRDLOperation):
    """`scf.forall (%i, %j) in (%n, 16) shared_outs(%o = %t) -> (type) { ... } {mapping = [...]}`.

    The body runs once for each point of the box, in any order or at once.  The arguments of its block are the indices,
    then the tensors in `outputs`.  Bounds that are values are in the dynamic groups, marked in the static ones.
    """

    name = "scf.forall"

    dynamic_lower_bound = var_operand_def(IndexType())
    dynamic_upper_bound = var_operand_def(IndexType())
    dynamic_step = var_operand_def(IndexType())
    outputs = var_operand_def(_TENSOR)
    static_lower_bound = prop_def(_I64S, prop_name="staticLowerBound")
    static_upper_bound = prop_def(_I64S, prop_name="staticUpperBound")
    static_step = prop_def(_I64S, prop_name="staticStep")
    mapping = opt_prop_def(ArrayAttr)
    results_ = var_result_def()
    region = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @property
    def rank(self) -> int:
        """The number of dimensions of the box."""
        return len(self.static_lower_bound.get_values())

    @property
    def indices(self) -> Sequence[BlockArgument]:
        """The block arguments that are the indices of a point."""
        return self.region.block.args[: self.rank]

    @property
    def shared(self) -> Sequence[BlockArgument]:
        """The block arguments that are the shared tensors."""
        return self.region.block.args[self.rank :]

    def verify_(self) -> None:
        """The block's arguments are the indices and outputs; there are as many bounds as dimensions."""
        if len(self.results) != len(self.outputs):
            raise VerifyException(f"produces {len(self.results)} results, but has only {len(self.outputs)} outputs")
        arguments = self.region.block.args
        if len(arguments) != self.rank + len(self.outputs):
            raise VerifyException(f"region expects {self.rank + len(self.outputs)} arguments")
        for place, index in enumerate(self.indices):
            if not isinstance(index.type, IndexType):
                raise VerifyException(f"expects {place}-th block argument to be an index")
        for place, (argument, output) in enumerate(zip(self.shared, self.outputs, strict=True)):
            if argument.type != output.type:
                raise VerifyException(f"type mismatch between {place}-th output and corresponding block argument")
        self._verify_mapping()
        bounds = (
            ("lower bound", self.static_lower_bound, self.dynamic_lower_bound),
            ("upper bound", self.static_upper_bound, self.dynamic_upper_bound),
            ("step", self.static_step, self.dynamic_step),
        )
        for what, static, dynamic in bounds:
            self._verify_bounds(what, static.get_values(), len(dynamic))
        first = len(self.operands) - len(self.outputs)
        for place, (output, result) in enumerate(zip(self.outputs, self.results, strict=True), first):
            if output.type != result.type:
                raise VerifyException(
                    f"expected type of operand #{place} ('{output.type}') to match type of corresponding result "
                    f"('{result.type}')"
                )

    def _verify_mapping(self) -> None:
        if self.mapping is None:
            return
        from weft.dialects.gpu.mapping import DEVICE_MAPPINGS, MappingMaskAttr

        if not all(isinstance(entry, DEVICE_MAPPINGS) for entry in self.mapping):
            raise VerifyException("attribute 'mapping' failed to satisfy constraint: Device Mapping array attribute")
        if sum(not isinstance(entry, MappingMaskAttr) for entry in self.mapping) != self.rank:
            raise VerifyException("mapping attribute size must match op rank")

    def _verify_bounds(self, what: str, static: Sequence[int], dynamic: int) -> None:
        if len(static) != self.rank:
            raise PlainVerifyException(f"expected {self.rank} {what} values, got {len(static)}")
        expected = sum(value == DYNAMIC_INDEX for value in static)
        if expected != dynamic:
            raise PlainVerifyException(f"expected {expected} dynamic {what} values")

    @classmethod
    def parse(cls, parser: Parser) -> ForallOp:
        """Parse everything after the operation's name."""
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

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.indices, printer.print_ssa_value)
        if self._is_normalized():
            printer.print_string(" in ")
            _print_bounds(printer, self.dynamic_upper_bound, self.static_upper_bound)
        else:
            printer.print_string(" = ")
            _print_bounds(printer, self.dynamic_lower_bound, self.static_lower_bound)
            printer.print_string(" to ")
            _print_bounds(printer, self.dynamic_upper_bound, self.static_upper_bound)
            printer.print_string(" step ")
            _print_bounds(printer, self.dynamic_step, self.static_step)
        if self.outputs:
            printer.print_string(" shared_outs(")
            pairs = zip(self.shared, self.outputs, strict=True)
            printer.print_list(pairs, lambda pair: print_assignment(printer, *pair))
            printer.print_string(") -> (")
            printer.print_list(self.result_types, printer.print_attribute)
            printer.print_string(")")
        printer.print_string(" ")
        printer.print_region(
            self.region,
            print_entry_block_args=False,
            print_empty_block=False,
            print_block_terminators=bool(self.outputs),
        )
        shown = self.attributes if self.mapping is None else {**self.attributes, "mapping": self.mapping}
        printer.print_op_attributes(shown)

    def _is_normalized(self) -> bool:
        """Whether all lower bounds are 0 and all steps 1."""
        return all(value == 0 for value in self.static_lower_bound.get_values()) and all(
            value == 1 for value in self.static_step.get_values()
        )


@irdl_op_definition
class InParallelOp(IRDLOperation):
    """`scf.forall.in_parallel { ... }`: the end of the body of `scf.forall`, which says what becomes of the tensors."""

    name = "scf.forall.in_parallel"

    region = region_def("single_block")

    traits = lazy_traits_def(lambda: (HasParent(ForallOp), IsTerminator(), NoTerminator(), Pure()))

    def verify_(self) -> None:
        """Only what combines partial results may be inside."""
        if any(op.name not in _COMBINING for op in self.region.block.ops):
            raise VerifyException("expected only ParallelCombiningOpInterface ops")

    @classmethod
    def parse(cls, parser: Parser) -> InParallelOp:
        """Parse everything after the operation's name."""
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        return cls.create(regions=[region], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_region(self.region, print_entry_block_args=False, print_empty_block=False)
        printer.print_op_attributes(self.attributes)


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
        block.add_op(InParallelOp.create(regions=[Region(Block())]))
