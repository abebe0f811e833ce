"""Definitions that are put off come out as xDSL makes them, and none of them is broken."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, IntegerAttr, IntegerType, UnitAttr, i32
from xdsl.ir import Block, Dialect, Operation, Region
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    attr_def,
    operand_def,
    operations,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    successor_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import FormatProgram
from xdsl.parser import Parser
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import PyRDLOpDefinitionError, VerifyException
from xdsl.utils.test_value import create_ssa_value

from weft.dialects import lazy
from weft.dialects.context import context
from weft.dialects.deferred import irdl_op_definition

Decorator = Callable[[type[IRDLOperation]], type[IRDLOperation]]

BOTH = pytest.mark.parametrize("decorator", [operations.irdl_op_definition, irdl_op_definition])


def written(decorator: Decorator) -> type[IRDLOperation]:
    """An operation of every kind of field, with a format, traits from two classes and a verifier."""

    class Base(IRDLOperation):
        traits = traits_def(Pure())
        first = operand_def(IntegerType)

    class Op(Base):
        name = "test.op"
        second = opt_operand_def(i32)
        third = opt_operand_def(i32)
        many = var_operand_def(i32)
        size = prop_def(IntegerAttr)
        quiet = opt_prop_def(UnitAttr)
        result = result_def(i32)
        traits = traits_def(IsTerminator())
        irdl_options = (AttrSizedOperandSegments(as_property=True),)
        assembly_format = "$first `:` type($first) (`,` $second^)? (`third` $third^)? (`many` $many^)? `size` $size (`quiet` $quiet^)? attr-dict"

        def verify_(self) -> None:
            if self.size.value.data < 0:
                raise VerifyException("size is negative")

    return decorator(Op)


@BOTH
def test_format_accessors_and_verifier(decorator: Decorator) -> None:
    cls = written(decorator)
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.load_dialect(Dialect("test", [cls]))
    text = '%a, %b = "builtin.unrealized_conversion_cast"() : () -> (i8, i32)\n'
    line = "%r = test.op %a : i8 third %b many %b, %b size 5 : i32 quiet {tag}"
    module = Parser(ctx, text + line).parse_module()
    op = module.body.block.last_op
    assert isinstance(op, cls)
    assert (op.first.type, op.second, op.third, len(op.many)) == (IntegerType(8), None, op.operands[1], 2)
    assert (op.size.value.data, op.quiet, list(op.attributes)) == (5, UnitAttr(), ["tag"])
    assert line in str(module)
    op.verify_()
    op.size = IntegerAttr(-1, i32)
    with pytest.raises(VerifyException, match="size is negative"):
        op.verify_()
    del op.properties["size"]
    with pytest.raises(VerifyException, match="size"):
        op.verify_()


def test_same_definition() -> None:
    eager, late = (written(decorator) for decorator in (operations.irdl_op_definition, irdl_op_definition))
    theirs, ours = eager.get_irdl_definition(), late.get_irdl_definition()
    assert set(theirs.traits) == set(ours.traits) == {Pure(), IsTerminator()}
    assert set(eager.traits) == set(late.traits)
    theirs.traits = ours.traits
    assert theirs == ours
    assert late.get_irdl_definition() is ours


@BOTH
def test_regions_successors_and_attributes(decorator: Decorator) -> None:
    class Op(IRDLOperation):
        name = "test.op"
        body = region_def()
        to = successor_def()
        mark = attr_def(UnitAttr)

    block = Block()
    made = decorator(Op)(regions=[Region()], successors=[block], attributes={"mark": UnitAttr()})
    assert isinstance(made, Op)
    assert (made.body, made.to, made.mark) == (made.regions[0], block, UnitAttr())
    assert not set(made.traits)


@BOTH
def test_derived_class(decorator: Decorator) -> None:
    """A class derived from a definition, without one of its own, is that operation."""

    class Op(IRDLOperation):
        name = "test.op"
        value = operand_def(i32)

    derived = type("Derived", (decorator(Op),), {})
    value = create_ssa_value(i32)
    assert derived.create(operands=[value]).value is value


def test_broken_format_is_an_error_of_its_first_use() -> None:
    class Op(IRDLOperation):
        name = "test.op"
        value = operand_def(i32)
        assembly_format = "$valu attr-dict"

    cls = irdl_op_definition(Op)
    op = cls(operands=[create_ssa_value(i32)])
    with pytest.raises(PyRDLOpDefinitionError, match="assembly format"):
        str(op)


def test_broken_definition_is_an_error_of_its_first_use() -> None:
    class Op(IRDLOperation):
        name = "test.op"
        value = 3

    cls = irdl_op_definition(Op)
    for _ in range(2):
        with pytest.raises(PyRDLOpDefinitionError, match="is neither a function"):
            cls.get_irdl_definition()


@BOTH
def test_format_and_printer_exclude_each_other(decorator: Decorator) -> None:
    class Op(IRDLOperation):
        name = "test.op"
        assembly_format = "attr-dict"

        def print(self, printer: object) -> None: ...

    with pytest.raises(PyRDLOpDefinitionError, match="Cannot define both"):
        decorator(Op)


def operations_of(dialect: str) -> list[type[Operation]]:
    if dialect in lazy.LAZY_DIALECTS:
        return list(lazy.whole(dialect).operations)
    found = context().get_dialect(dialect)
    own = [lazy.operation(name) for name in lazy.operation_names(dialect)]
    return [*found.operations, *(cls for cls in own if cls is not None)]


@pytest.mark.parametrize("dialect", sorted(context().registered_dialect_names))
def test_every_definition_and_format_is_sound(dialect: str) -> None:
    for cls in operations_of(dialect):
        if issubclass(cls, IRDLOperation):
            definition = cls.get_irdl_definition()
            if definition.assembly_format is not None:
                FormatProgram.from_str(definition.assembly_format, definition)
