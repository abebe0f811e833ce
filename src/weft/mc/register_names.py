"""The register-name pool: the names that class 0 prints, and the printing of any 32-bit register.

The seven virtual prefixes and the parameter prefixes come with the numbers 0 to 4, the environment registers 0 to
31, then the frame's three: 90 names, 586 bytes with their NULs, which is what the notes count.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.errors import IsaError
from weft.mc.records import CLASS_SHIFT, NUMBER_MASK, PREFIXES

_EXEMPLARS = ("%p", "%rs", "%r", "%rd", "%rq", "%h", "%hh", "%ia", "%la", "%fa", "%da")

NAMES: tuple[str, ...] = (
    *(f"{prefix}{number}" for prefix in _EXEMPLARS for number in range(5)),
    *(f"%envreg{number}" for number in range(32)),
    "%SP",
    "%SPL",
    "%Depot",
)
"""The pool's names; register number `n` of class 0 is `NAMES[n - 1]`."""


def print_reg_name(register: int, names: Sequence[str] = NAMES) -> str:
    """The name of a 32-bit register: prefix and number for classes 1 to 7, a name of the pool for class 0.

    Raises IsaError for 0, which is no register, and for what the pool does not have.
    """
    number = register & NUMBER_MASK
    prefix = PREFIXES[register >> CLASS_SHIFT] if 0 <= register >> CLASS_SHIFT < len(PREFIXES) else None
    if prefix is None or (not prefix and not 0 < number <= len(names)):
        raise IsaError(f"{register:#x} is not a register")
    return f"{prefix}{number}" if prefix else names[number - 1]
