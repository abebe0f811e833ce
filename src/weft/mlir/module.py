"""A text of MLIR as a module: parsed, verified, and refused in weft's words."""

from __future__ import annotations

from threading import local

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, UnknownLoc
from xdsl.utils.exceptions import ParseError

from weft.collecting import paused
from weft.dialects.context import context
from weft.errors import MlirError, position_at
from weft.mlir import wording
from weft.mlir.parser import MlirParser
from weft.mlir.positions import remember_text
from weft.mlir.verification import check_order, verify_module

_CONTEXTS = local()


def shared_context() -> Context:
    """The context of this thread: the dialects that one text needs stay loaded for the next."""
    if not hasattr(_CONTEXTS, "known"):
        _CONTEXTS.known = context()
    return _CONTEXTS.known


def parse_mlir(
    text: str, filename: str = "<string>", *, verify: bool = True, allow_unregistered: bool = False
) -> ModuleOp:
    """Parse MLIR text into a `builtin.module` (put around the operations when the text has none), and verify it.

    Operations keep their place in the text: `weft.mlir.position(op)`.  Those of dialects that weft does not know are
    refused, unless `allow_unregistered`.  A byte order mark in front is left out.

    Raises:
        MlirError: the text does not parse or does not verify, with file, line, column and the source line.
    """
    parser: MlirParser | None = None
    text = text.removeprefix("\ufeff")
    try:
        known = shared_context()
        if allow_unregistered:
            known = context()
            known.allow_unregistered = True
        with paused():
            parser = MlirParser(known, text, filename)
            module = ModuleOp([]) if parser.at_end() else parser.parse_module()
    except ParseError as error:
        use = None if parser is None else parser.first_undeclared()
        raise wording.syntax_error(error, text, filename, use) from error
    except RecursionError as error:
        raise MlirError("the nesting is too deep", position_at(text, 0, filename)) from error
    except wording.BUGS:
        raise
    except Exception as error:
        # xDSL builds operations while it parses, so bad input can fail any check of any constructor.
        start = parser.operation_start if parser is not None else 0
        raise MlirError(wording.message_of(error), position_at(text, start, filename)) from error
    if isinstance(module.location, UnknownLoc):
        module.location = FileLineColLoc(StringAttr(filename), IntAttr(0), IntAttr(0))
    remember_text(module, filename, text)
    if verify:
        verify_module(module)
        if parser.saw_forward_reference:
            check_order(module)
    return module
