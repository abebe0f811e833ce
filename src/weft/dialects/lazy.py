"""Which module defines each operation, attribute and type of the dialects that weft replaces or adds.

A class takes a tenth of a millisecond to define, and there are a thousand; so the context asks here for one at a time,
and a file that uses one family of operations imports that family only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TypeVar

from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute

from weft.dialects.engine import attributes as words

_Named = TypeVar("_Named", Operation, Attribute)

_ATTRIBUTE_MODULES: dict[str, dict[str, str]] = {
    "nvgpu": {
        "weft.dialects.nvgpu.types": (
            "device.async.token mbarrier.token mbarrier.group tensormap.descriptor warpgroup.descriptor "
            "warpgroup.accumulator"
        )
    },
    "nvvm": {
        "weft.dialects.nvvm.matrix_attributes": "shape ld_st_matrix_shape",
        "weft.dialects.nvvm.target_attribute": "target",
    },
    "tile": {"weft.dialects.tile.types": "layout buffer"},
    "gpu": {
        "weft.dialects.gpu.binary": "select_object kernel_metadata kernel_table object",
        "weft.dialects.gpu.mapping": "mask",
        "weft.dialects.gpu.matrix_types": "mma_matrix",
    },
    "index": {},
    "memref": {},
    "vector": {"xdsl.dialects.vector": "kind"},
    "llvm": {
        "xdsl.dialects.llvm": (
            "struct ptr array void func linkage overflow tailcallkind cconv framePointerKind target_features fastmath"
        ),
        "weft.dialects.llvm.module": "mlir.module_flag",
        "weft.dialects.llvm.ranges": "constant_range",
        "weft.dialects.llvm.unwind": "uwtableKind",
    },
}

FOREIGN = ("async", "bufferization", "linalg", "ptr", "tensor", "transform")
"""Dialects that are read and printed, and not compiled."""

LAZY_DIALECTS: Sequence[str] = tuple(_ATTRIBUTE_MODULES)
"""The dialects of which all operations are looked up here; of others, only those that replace xDSL's."""


_ATTRIBUTES = {
    f"{dialect}.{name}": module
    for dialect, modules in _ATTRIBUTE_MODULES.items()
    for module, names in modules.items()
    for name in names.split()
}


def _named(module: str, kind: type[_Named]) -> Iterator[type[_Named]]:
    """The classes that a module defines (does not import) and that carry a name of their own."""
    for value in vars(import_module(module)).values():
        # `issubclass` comes last: of abstract classes it asks all their subclasses.
        if isinstance(value, type) and value.__module__ == module and "name" in vars(value) and issubclass(value, kind):
            yield value


TABLES = (
    "affine", "arith", "builtin", "cf", "complex", "func", "gpu", "index", "llvm", "math", "memref", "nvgpu", "nvvm",
    "scf", "tile", "ub", "vector",
)  # fmt: skip
"""The dialects some of whose operations are rows."""


def operation(name: str) -> type[Operation] | None:
    """The class of the operation with this full name (`nvgpu.ldmatrix`), or None; imports its family."""
    if name.partition(".")[0] not in TABLES:
        return None
    from weft.dialects.engine.operations import row_class

    return row_class(name)


def attribute(name: str) -> type[Attribute] | None:
    """The class of an attribute or a type with this full name (`gpu.async.token`), or None; imports its family."""
    module = _ATTRIBUTES.get(name)
    if module is not None:
        return next(cls for cls in _named(module, Attribute) if cls.name == name)
    dialect = name.partition(".")[0]
    if words.is_row(name):
        return words.attr_class(name)
    if dialect != "llvm":
        return None
    from weft.dialects.llvm.descriptions import attribute as llvm_attribute

    found = llvm_attribute(name.removeprefix("llvm."))
    if found is None:
        from weft.dialects.llvm.debug import WRITTEN

        return WRITTEN.get(name)
    return found


def syntax_of_type(name: str) -> type[TypeAttribute] | None:
    """What reads a type of which xDSL knows a part only, by its full name, or None."""
    if name not in ("llvm.struct", "llvm.ptr", "llvm.array"):
        return None
    from weft.dialects.llvm.types import StructSyntax

    return StructSyntax if name == "llvm.struct" else None


def is_own(name: str) -> bool:
    """Whether an operation is a row."""
    if name.partition(".")[0] not in TABLES:
        return False
    from weft.dialects.engine.operations import table_of

    return table_of(name) is not None


def is_made(name: str) -> bool:
    """Whether the class of an operation is made of its row."""
    if not is_own(name):
        return False
    from weft.dialects.engine.operations import table_of

    table = table_of(name)
    return table is not None and table.is_made(name.partition(".")[2])


def operation_names(dialect: str) -> list[str]:
    """The full names of all operations of a dialect."""
    if dialect not in TABLES:
        return []
    from weft.dialects.engine.operations import tables

    return sorted(f"{dialect}.{name}" for table in tables(dialect) for name in table.names)


def attributes(dialect: str) -> list[type[Attribute]]:
    """The attribute and type classes of a dialect."""
    names = [name for name in _ATTRIBUTES if name.startswith(dialect + ".")]
    if dialect in words.DIALECTS:
        names += [f"{dialect}.{mnemonic}" for mnemonic in words.rows(dialect)]
    return [found for name in names if (found := attribute(name)) is not None]


def whole(dialect: str) -> Dialect:
    """A dialect with all its operations, attributes and types."""
    operations = [found for name in operation_names(dialect) if (found := operation(name)) is not None]
    return Dialect(dialect, operations, attributes(dialect))
