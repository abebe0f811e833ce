"""What upstream says of `memref.get_global` and the global that it names."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.symbols import lookup
from weft.dialects.traits import inherent


def _get_global(op: Operation) -> None:
    reference = cast("SymbolRefAttr", inherent(op, "name"))
    name = reference.root_reference.data
    found = lookup(op, reference)
    if found is None or found.name != "memref.global":
        raise VerifyException(f"'{name}' does not reference a valid global memref")
    kind, result = inherent(found, "type"), op.results[0].type
    if kind != result:
        raise VerifyException(f"result type '{result}' does not match type '{kind}' of the global memref @{name}")


USERS: dict[str, Callable[[Operation], None]] = {"memref.get_global": _get_global}
