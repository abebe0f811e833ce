"""Which reader reads the operations of a class: one written for it, one made of its format, or none."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from xdsl.irdl import IRDLOperation

from weft.mlir.reader.formatted import reader_of_format

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from weft.mlir.reader.reader import Read

# The written ones are for what no format says: names of arguments, regions with implicit ends, symbols, words in any
# order. Sums of `llvm` with their flags could be a format; that is a tenth slower, and they are most of an input.
_WRITTEN = {
    "affine": "affine",
    "arith": "arith",
    "builtin": "containers",
    "cf": "llvm",
    "func": "containers",
    "gpu": "containers",
    "llvm": "llvm",
    "nvvm": "nvvm",
    "scf": "scf",
}
"""The dialects whose operations have a syntax of their own, and the module `quick_` that reads them."""
_OF_FORMAT = "parse_with_format"
"""The method that xDSL gives a class with a format; one with another name is the class's own."""


@cache
def reader_of(cls: type[Operation]) -> Read | None:
    """The reader of the operations of a class; None when only xDSL's parser can read them."""
    dialect = cls.name.partition(".")[0]
    module = _WRITTEN.get(dialect)
    if module is not None:
        make = import_module(f"weft.mlir.reader.quick_{module}").READERS.get(cls.name)
        if make is not None:
            return make(cls)
    if not issubclass(cls, IRDLOperation) or cls.parse.__name__ != _OF_FORMAT or hasattr(cls, "read_format"):
        return None  # A table's own language of formats is not known here.
    text = cls.get_irdl_definition().assembly_format
    return None if text is None else reader_of_format(cls, text)
