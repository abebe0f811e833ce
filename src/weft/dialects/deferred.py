"""Definitions of operations that are worked out when they are first asked for.

xDSL's `irdl_op_definition` reads the class, makes an accessor of each field and compiles the assembly format at once:
up to a millisecond a class.  A dialect's module defines dozens of classes, and a file of MLIR uses a handful.  Here
stands the decorator that leaves this for later: the definition for the first call of `get_irdl_definition` (no
operation is born without it), and the format for the first call of `parse` or `print`.  `install` puts it in the place
of xDSL's, before xDSL's dialects are imported.

What xDSL refuses in a definition is refused with the same error, but when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

import xdsl.irdl
from xdsl.ir import Operation, OpTraits
from xdsl.irdl import IRDLOperation, OpDef, get_accessors_from_op_def
from xdsl.utils.exceptions import ParseError, PyRDLOpDefinitionError

if TYPE_CHECKING:
    from xdsl.irdl.declarative_assembly_format import FormatProgram
    from xdsl.parser import Parser
    from xdsl.printer import Printer

_Op = TypeVar("_Op", bound=IRDLOperation)

_LOCK = RLock()
"""Held while a definition is made: another thread that asks for the same one waits, as it would for an import."""

_NOW = frozenset({"get_irdl_definition", "traits", "verify_"})
"""What the decorator itself puts on a class; the definition adds the rest."""


class _Definition:
    """The definition of an operation class and its format, each made once."""

    def __init__(self, cls: type[IRDLOperation]) -> None:
        self.format = cls.assembly_format
        self._class = cls
        self._known: OpDef | None = None
        self._program: FormatProgram | None = None

    def known(self) -> OpDef:
        """The definition; the first call puts the accessors of its fields on the class.

        Raises:
            PyRDLOpDefinitionError: the class defines no operation.
        """
        if self._known is None:
            with _LOCK:
                if self._known is None:
                    self._known = self._make()
        return self._known

    def _make(self) -> OpDef:
        definition = OpDef.from_pyrdl(self._class)
        for name, value in get_accessors_from_op_def(definition, None).items():
            if name not in _NOW:
                setattr(self._class, name, value)
        definition.traits = self._class.traits
        definition.assembly_format = self.format
        return definition

    def program(self, cls: type[Operation]) -> FormatProgram:
        """The compiled format of a class, which may have a `read_format` of its own.

        Raises:
            PyRDLOpDefinitionError: the format is wrong.
        """
        if self._program is None:
            from xdsl.irdl.declarative_assembly_format import FormatProgram

            assert self.format is not None
            try:
                read: Callable[[str, OpDef], FormatProgram] = getattr(cls, "read_format", FormatProgram.from_str)
                self._program = read(self.format, self.known())
            except ParseError as error:
                raise PyRDLOpDefinitionError("Error during the parsing of the assembly format: ", error.args) from error
        return self._program


def irdl_op_definition(cls: type[_Op]) -> type[_Op]:
    """Decorate an operation class as xDSL's decorator of this name does, without reading its fields yet.

    The text of the format moves from the class into the definition, `assembly_format`.

    Raises:
        PyRDLOpDefinitionError: the class has a format, and methods that parse and print too.
    """
    definition = _Definition(cls)
    custom_verify = cls.verify_

    def get_irdl_definition(_: type[_Op]) -> OpDef:
        return definition.known()

    def verify_(self: _Op) -> None:
        definition.known().verify(self)
        custom_verify(self)

    cls.get_irdl_definition = classmethod(get_irdl_definition)  # pyright: ignore[reportAttributeAccessIssue]
    cls.verify_ = verify_
    cls.traits = _all_traits(cls)
    if definition.format is not None:
        _add_format(cls, definition)
    return cls


def _add_format(cls: type[_Op], definition: _Definition) -> None:
    parse: Any = cls.parse
    default: Any = Operation.parse
    if cls.print is not Operation.print or parse.__func__ is not default.__func__:
        raise PyRDLOpDefinitionError(
            "Cannot define both an assembly format (with the assembly_format variable) and the print and parse methods."
        )

    def parse_with_format(cls: type[_Op], parser: Parser) -> _Op:
        return definition.program(cls).parse(parser, cls)

    def print_with_format(self: _Op, printer: Printer) -> None:
        definition.program(type(self)).print(printer, self)

    cls.assembly_format = None  # Or xDSL would take the two methods for the class's own.
    cls.parse = classmethod(parse_with_format)  # pyright: ignore[reportAttributeAccessIssue]
    cls.print = print_with_format


def _all_traits(cls: type[IRDLOperation]) -> OpTraits:
    """The traits of a class and of its bases."""
    given = [vars(base)["traits"] for base in cls.__mro__ if "traits" in vars(base)]
    if len(given) == 1:
        return given[0]
    return OpTraits(lambda: tuple(trait for traits in given for trait in traits.gen_traits()))


def install() -> None:
    """Make this module's decorator xDSL's, for all classes that are defined from now on."""
    xdsl.irdl.irdl_op_definition = irdl_op_definition
