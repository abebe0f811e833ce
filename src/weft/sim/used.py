"""Whether anything looks at what an atomic has found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.ptx.operands import Register, Sink
from weft.sim.stores import registers

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
        instruction is not site.instruction and result.name in registers(instruction.operands)
        for instruction, _ in site.activation.items
    )
