"""Pragmas: which ones ptxas refuses; those that it does not know it mostly passes over.

Sources: PTX manual, section "Pragma Strings"; the refusals are ptxas's own.
"""

from __future__ import annotations

import re

from weft.ptx.directive_nodes import Pragma
from weft.ptx.verifier.context import Context

_ARGUMENT = {
    "frequency": re.compile(r"\s*+\+?(?:0++[1-7][0-7]*+|[1-9]\d*+|0[xX]0*+[1-9A-Fa-f][0-9A-Fa-f]*+)", re.ASCII),
    "used_bytes_mask": re.compile(r"\s*+[-+]?(?:0[0-7]*+|[1-9]\d*+|0[xX][0-9A-Fa-f]++)", re.ASCII),
}
"""Numbers as C's strtoull reads them."""

SPILLING = "enable_smem_spilling"
_IN_BODIES = frozenset({*_ARGUMENT, SPILLING})
_OF_MODULES = frozenset({"nounroll"})


def check_pragma(context: Context, pragma: Pragma, where: str) -> None:
    """Checks a pragma that is in a `module`, before an `entry`'s body, or in an `entry body` or `func body`."""
    for text in pragma.texts:
        problem = _problem(text, where)
        if text == SPILLING and not problem:
            context.spilling.setdefault(context.function, pragma.pos)
        if problem:
            message = f'.pragma "{text}": {problem}'
            context.report("directive", message, pragma.pos, token=f'"{text}"')


def _problem(text: str, where: str) -> str:
    name, _, argument = text.partition(" ")  # With a blank in front it is another, that ptxas does not know.
    in_body = where.endswith("body")
    if name in _IN_BODIES and not in_body:
        return "it is allowed only in function bodies"
    if where == "module" and text not in _OF_MODULES:
        return "it is not allowed in a module"
    if name == SPILLING and where == "func body":
        return "it is allowed only in kernel bodies"
    pattern = _ARGUMENT.get(name)
    if pattern is None or pattern.fullmatch(argument) is not None:
        return ""
    if name == "used_bytes_mask" and where == "func body":  # ptxas reads it in kernels only
        return ""
    if not argument.strip():
        return "it needs a value"
    return f"'{argument.strip()}' is not a valid value"
