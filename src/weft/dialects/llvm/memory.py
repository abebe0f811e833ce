"""Loads, stores and atomics of `llvm`, with upstream's `volatile`, `atomic`, `invariant`."""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import I64, ArrayAttr, IntegerAttr, StringAttr, UnitAttr, i1, i64
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.llvm.words import parse_dereferenceable, parse_number, print_dereferenceable

ORDERINGS = ("not_atomic", "unordered", "monotonic", "", "acquire", "release", "acq_rel", "seq_cst")
"""Memory orderings; the position in the tuple is the value of an `ordering` property."""

ATOMIC_OPERATIONS = (
    "xchg",
    "add",
    "sub",
    "_and",
    "nand",
    "_or",
    "_xor",
    "max",
    "min",
    "umax",
    "umin",
    "fadd",
    "fsub",
    "fmax",
    "fmin",
    "uinc_wrap",
    "udec_wrap",
    "usub_cond",
    "usub_sat",
    "fmaximum",
    "fminimum",
)
"""Operations of `llvm.atomicrmw`; the position in the tuple is the value of the `bin_op` property."""


def _parse_scope(parser: Parser, properties: dict[str, Attribute]) -> None:
    if parser.parse_optional_keyword("syncscope"):
        with parser.in_parens():
            properties["syncscope"] = parser.parse_attribute()


def _print_scope(printer: Printer, scope: StringAttr | None) -> None:
    if scope is not None:
        printer.print_string(" syncscope(")
        printer.print_attribute(scope)
        printer.print_string(")")


def _take(attributes: dict[str, Attribute], properties: dict[str, Attribute], names: tuple[str, ...]) -> None:
    properties.update({name: attributes.pop(name) for name in names if name in attributes})


_IN_DICTIONARY = (
    "alignment",
    "nontemporal",
    "access_groups",
    "alias_scopes",
    "noalias_scopes",
    "tbaa",
)


class AccessOperation(IRDLOperation, ABC):
    """What `llvm.load` and `llvm.store` have in common."""

    alignment = opt_prop_def(IntegerAttr[I64])
    volatile_ = opt_prop_def(UnitAttr)
    nontemporal = opt_prop_def(UnitAttr)
    invariant_group = opt_prop_def(UnitAttr, prop_name="invariantGroup")
    ordering = opt_prop_def(IntegerAttr[I64], default_value=IntegerAttr(0, i64))
    syncscope = opt_prop_def(StringAttr)
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)

    @property
    def ordering_name(self) -> str:
        """The memory ordering, one of `ORDERINGS`."""
        return ORDERINGS[self.ordering.value.data]

    def _print_atomic(self, printer: Printer) -> None:
        if self.ordering_name != ORDERINGS[0]:
            printer.print_string(" atomic")
            _print_scope(printer, self.syncscope)
            printer.print_string(f" {self.ordering_name}")

    def _print_dictionary(self, printer: Printer) -> None:
        shown = {name: self.properties[name] for name in _IN_DICTIONARY if name in self.properties}
        printer.print_op_attributes(dict(sorted(shown.items())) | self.attributes)


def _parse_atomic(parser: Parser, properties: dict[str, Attribute]) -> None:
    if parser.parse_optional_keyword("atomic"):
        _parse_scope(parser, properties)
        properties["ordering"] = parse_number(parser, "ordering", ORDERINGS)


@irdl_op_definition
class LoadOp(AccessOperation):
    """`llvm.load volatile? %addr (atomic scope? order)? invariant? {alignment} : !llvm.ptr -> T`."""

    name = "llvm.load"

    addr = operand_def(LLVMPointerType)
    invariant = opt_prop_def(UnitAttr)
    dereferenceable = opt_prop_def()
    res = result_def()

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        """Parse everything after the operation's name."""
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("volatile"):
            properties["volatile_"] = UnitAttr()
        addr = parser.parse_unresolved_operand()
        _parse_atomic(parser, properties)
        for keyword, name in (("invariant", "invariant"), ("invariant_group", "invariantGroup")):
            if parser.parse_optional_keyword(keyword):
                properties[name] = UnitAttr()
        properties |= parse_dereferenceable(parser)
        attributes = parser.parse_optional_attr_dict()
        _take(attributes, properties, (*_IN_DICTIONARY, "dereferenceable"))
        parser.parse_punctuation(":")
        operand = parser.resolve_operand(addr, parser.parse_type())
        parser.parse_punctuation("->")
        result = parser.parse_type()
        return cls.create(operands=[operand], result_types=[result], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" volatile " if self.volatile_ is not None else " ")
        printer.print_ssa_value(self.addr)
        self._print_atomic(printer)
        printer.print_string(" invariant" if self.invariant is not None else "")
        printer.print_string(" invariant_group" if self.invariant_group is not None else "")
        print_dereferenceable(printer, self.dereferenceable)
        self._print_dictionary(printer)
        printer.print_string(" : ")
        printer.print_attribute(self.addr.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.res.type)


@irdl_op_definition
class StoreOp(AccessOperation):
    """`llvm.store volatile? %value, %addr (atomic scope? order)? {alignment} : T, !llvm.ptr`."""

    name = "llvm.store"

    value = operand_def()
    addr = operand_def(LLVMPointerType)

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        """Parse everything after the operation's name."""
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("volatile"):
            properties["volatile_"] = UnitAttr()
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        addr = parser.parse_unresolved_operand()
        _parse_atomic(parser, properties)
        if parser.parse_optional_keyword("invariant_group"):
            properties["invariantGroup"] = UnitAttr()
        attributes = parser.parse_optional_attr_dict()
        _take(attributes, properties, _IN_DICTIONARY)
        parser.parse_punctuation(":")
        operands = [parser.resolve_operand(value, parser.parse_type())]
        parser.parse_punctuation(",")
        operands.append(parser.resolve_operand(addr, parser.parse_type()))
        return cls.create(operands=operands, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" volatile " if self.volatile_ is not None else " ")
        printer.print_list((self.value, self.addr), printer.print_ssa_value)
        self._print_atomic(printer)
        printer.print_string(" invariant_group" if self.invariant_group is not None else "")
        self._print_dictionary(printer)
        printer.print_string(" : ")
        printer.print_list((self.value.type, self.addr.type), printer.print_attribute)


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """`llvm.atomicrmw volatile? op %ptr, %val scope? order : !llvm.ptr, T`: the old value."""

    name = "llvm.atomicrmw"

    ptr = operand_def(LLVMPointerType)
    val = operand_def()
    bin_op = prop_def(IntegerAttr[I64])
    ordering = prop_def(IntegerAttr[I64])
    syncscope = opt_prop_def(StringAttr)
    alignment = opt_prop_def(IntegerAttr[I64])
    volatile_ = opt_prop_def(UnitAttr)
    res = result_def()

    @property
    def operation(self) -> str:
        """The combining operation, one of `ATOMIC_OPERATIONS`."""
        return ATOMIC_OPERATIONS[self.bin_op.value.data]

    @classmethod
    def parse(cls, parser: Parser) -> AtomicRMWOp:
        """Parse everything after the operation's name."""
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("volatile"):
            properties["volatile_"] = UnitAttr()
        properties["bin_op"] = parse_number(parser, "bin_op", ATOMIC_OPERATIONS)
        ptr = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        val = parser.parse_unresolved_operand()
        _parse_scope(parser, properties)
        properties["ordering"] = parse_number(parser, "ordering", ORDERINGS)
        attributes = parser.parse_optional_attr_dict()
        _take(attributes, properties, ("alignment",))
        parser.parse_punctuation(":")
        operands = [parser.resolve_operand(ptr, parser.parse_type())]
        parser.parse_punctuation(",")
        value_type = parser.parse_type()
        operands.append(parser.resolve_operand(val, value_type))
        return cls.create(operands=operands, result_types=[value_type], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" volatile" if self.volatile_ is not None else "")
        printer.print_string(f" {self.operation} ")
        printer.print_list((self.ptr, self.val), printer.print_ssa_value)
        _print_scope(printer, self.syncscope)
        printer.print_string(f" {ORDERINGS[self.ordering.value.data]}")
        shown = {"alignment": self.alignment} if self.alignment is not None else {}
        printer.print_op_attributes({**shown, **self.attributes})
        printer.print_string(" : ")
        printer.print_list((self.ptr.type, self.val.type), printer.print_attribute)


@irdl_op_definition
class AtomicCmpXchgOp(IRDLOperation):
    """`llvm.cmpxchg %ptr, %cmp, %val scope? success failure : !llvm.ptr, T`: struct of the old value and an i1."""

    name = "llvm.cmpxchg"

    ptr = operand_def(LLVMPointerType)
    cmp = operand_def()
    val = operand_def()
    success_ordering = prop_def(IntegerAttr[I64])
    failure_ordering = prop_def(IntegerAttr[I64])
    syncscope = opt_prop_def(StringAttr)
    alignment = opt_prop_def(IntegerAttr[I64])
    weak = opt_prop_def(UnitAttr)
    volatile_ = opt_prop_def(UnitAttr)
    res = result_def(LLVMStructType)

    @classmethod
    def parse(cls, parser: Parser) -> AtomicCmpXchgOp:
        """Parse everything after the operation's name."""
        properties: dict[str, Attribute] = {}
        for keyword, name in (("weak", "weak"), ("volatile", "volatile_")):
            if parser.parse_optional_keyword(keyword):
                properties[name] = UnitAttr()
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        _parse_scope(parser, properties)
        properties["success_ordering"] = parse_number(parser, "success_ordering", ORDERINGS)
        properties["failure_ordering"] = parse_number(parser, "failure_ordering", ORDERINGS)
        attributes = parser.parse_optional_attr_dict()
        _take(attributes, properties, ("alignment",))
        parser.parse_punctuation(":")
        position = parser.pos
        pointer = parser.parse_type()
        parser.parse_punctuation(",")
        value = parser.parse_type()
        operands = parser.resolve_operands(names, (pointer, value, value), position)
        result = LLVMStructType.from_type_list([value, i1])
        return cls.create(operands=operands, result_types=[result], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" weak" if self.weak is not None else "")
        printer.print_string(" volatile " if self.volatile_ is not None else " ")
        printer.print_list(self.operands, printer.print_ssa_value)
        _print_scope(printer, self.syncscope)
        success, failure = self.success_ordering.value.data, self.failure_ordering.value.data
        printer.print_string(f" {ORDERINGS[success]} {ORDERINGS[failure]}")
        shown = {"alignment": self.alignment} if self.alignment is not None else {}
        printer.print_op_attributes({**shown, **self.attributes})
        printer.print_string(" : ")
        printer.print_list((self.ptr.type, self.val.type), printer.print_attribute)


@irdl_op_definition
class FenceOp(IRDLOperation):
    """`llvm.fence scope? order`."""

    name = "llvm.fence"

    ordering = prop_def(IntegerAttr[I64])
    syncscope = opt_prop_def(StringAttr)

    @classmethod
    def parse(cls, parser: Parser) -> FenceOp:
        """Parse everything after the operation's name."""
        properties: dict[str, Attribute] = {}
        _parse_scope(parser, properties)
        properties["ordering"] = parse_number(parser, "ordering", ORDERINGS)
        return cls.create(properties=properties, attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        _print_scope(printer, self.syncscope)
        printer.print_string(f" {ORDERINGS[self.ordering.value.data]}")
        printer.print_op_attributes(self.attributes)
