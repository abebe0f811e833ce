"""The xDSL context that weft parses MLIR in: nothing is imported before a file uses it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import UnregisteredAttr
from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute

from weft.dialects import flags, lazy

flags.install()
_Known = TypeVar("_Known", bound=Attribute)

_FROM_XDSL = {
    "affine": "Affine",
    "arith": "Arith",
    "cf": "Cf",
    "complex": "Complex",
    "func": "Func",
    "math": "Math",
    "scf": "Scf",
    "ub": "UB",
}


class LazyContext(Context):
    """A context that finds the operations, attributes and types of weft's dialects one at a time."""

    def load_op(self, op: type[Operation]) -> None:
        """Load an operation of a whole dialect, unless weft has its own in its place."""
        if not lazy.is_own(op.name):
            super().load_op(op)

    def _get_known_op(self, name: str) -> type[Operation] | None:
        known = self._loaded_ops.get(name)
        if known is not None:
            return known
        found = lazy.operation(name) or _foreign(name)
        if found is None:
            return super()._get_known_op(name)
        self._loaded_ops[name] = found
        return found

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        """The class of a type, by its full name; None if there is none."""
        known = self._loaded_types.get(name)
        if known is not None:
            return self._known(name, known)
        found = lazy.syntax_of_type(name) or lazy.attribute(name)
        if found is None or not issubclass(found, TypeAttribute):
            return _kept(name, is_type=True) or self._known(name, super().get_optional_type(name))
        self._loaded_types[name] = found
        return found

    def _known(self, name: str, found: type[_Known] | None) -> type[_Known] | None:
        """What xDSL's context has found, without what it makes up of a name that a dialect does not have."""
        unknown = found is not None and issubclass(found, UnregisteredAttr)
        dialect = name.partition(".")[0]
        return None if unknown and self.get_optional_dialect(dialect) is not None else found

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        """The class of an attribute, by its full name; None if there is none."""
        known = self._loaded_attrs.get(name)
        if known is not None:
            return self._known(name, known)
        found = lazy.attribute(name)
        if found is None or issubclass(found, TypeAttribute):
            return _kept(name, is_type=False) or self._known(name, super().get_optional_attr(name))
        self._loaded_attrs[name] = found
        return found


def _foreign(name: str) -> type[Operation] | None:
    """The class of an operation of a dialect that is read and printed alone."""
    dialect = name.partition(".")[0]
    if dialect not in lazy.FOREIGN and dialect != "llvm":
        return None
    from weft.dialects.foreign.tables import operation

    return operation(name)


def _kept(name: str, *, is_type: bool) -> type[Any] | None:
    """The class of a type or an attribute of such a dialect, or of any other of MLIR's."""
    if name in ("dlti.dl_spec", "dlti.map", "dlti.target_device_spec", "dlti.target_system_spec", "dlti.dl_entry"):
        return None
    from weft.dialects.foreign.types import is_kept, kept

    return kept(name, is_type=is_type) if is_kept(name, is_type=is_type) else None


def _xdsl_thunk(dialect: str, name: str) -> Callable[[], Dialect]:
    return lambda: getattr(import_module(f"xdsl.dialects.{dialect}"), name)


def _layout() -> Dialect:
    from weft.dialects.foreign.layout import DLTI

    return DLTI


def _own_thunk(dialect: str) -> Callable[[], Dialect]:
    """A dialect with nothing in it, for all of it comes one by one."""
    return lambda: Dialect(dialect)


def context() -> Context:
    """A fresh context with every dialect that weft reads; only `builtin` is imported."""
    from xdsl.dialects.builtin import Builtin

    result = LazyContext()
    result.load_dialect(Builtin)
    for dialect in (*lazy.LAZY_DIALECTS, *lazy.FOREIGN):
        result.register_dialect(dialect, _own_thunk(dialect))
    for dialect, name in _FROM_XDSL.items():
        result.register_dialect(dialect, _xdsl_thunk(dialect, name))
    result.register_dialect("dlti", _layout)
    return result
