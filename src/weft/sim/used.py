"""Whether anything looks at what an atomic has found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from weft.ptx.operands import Pair, Register, Sink

if TYPE_CHECKING:
    from weft.sim.site import Site


def is_used(site: Site) -> bool:
    """Whether the old value that an atomic gives may be looked at: any other mention of its register counts."""
    result = site.operands[0]
    if isinstance(result, Sink):
        return False
    if not isinstance(result, Register):
        return True
    return any(
        instruction is not site.instruction and any(result.name in _registers(o) for o in instruction.operands)
        for instruction, _ in site.activation.items
    )


def _registers(operand: Any) -> Iterable[str]:
    if isinstance(operand, Register):
        yield operand.name
    elif isinstance(operand, Pair):
        yield from (*_registers(operand.first), *_registers(operand.second))
    else:
        for name in ("base", "operand", "index"):
            if hasattr(operand, name):
                yield from _registers(getattr(operand, name))
        for name in ("elements", "rest"):
            for part in getattr(operand, name, ()):
                yield from _registers(part)
