"""What a name stands for where it has no value that holds."""

from __future__ import annotations

from typing import Any, NoReturn

from weft.tile.operators import Operators
from weft.tile.trace import error


class Unbound(Operators):
    """A name that only some paths have assigned, or that a loop cannot carry: all that is done with it is refused."""

    def __init__(self, name: str, why: str, hint: str = "assign it before") -> None:
        self._message = f"'{name}' {why}"
        self._hint = hint

    def refuse(self, *_: Any) -> NoReturn:
        """Raise the CompileError that says why there is no value."""
        raise error(self._message, self._hint)

    def _operate(self, name: str, *operands: Any) -> NoReturn:
        self.refuse()

    __bool__ = __repr__ = __len__ = __iter__ = __index__ = __getitem__ = __setitem__ = __enter__ = refuse
    __call__ = __contains__ = refuse

    def __exit__(self, *_: object) -> None:
        """Never reached: `__enter__` refuses."""

    def __getattr__(self, name: str) -> Any:
        self.refuse()
