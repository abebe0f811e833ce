"""Python's operators, for whatever numbers and tiles make of them."""

from __future__ import annotations

from typing import Any


class Operators:
    """Every operator as a call of `_operate` with the name of a function of numbers."""

    __slots__ = ()
    __array_ufunc__ = None
    __hash__ = object.__hash__

    def _operate(self, name: str, *operands: Any) -> Any:
        raise NotImplementedError

    def __add__(self, other: Any) -> Any:
        return self._operate("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return self._operate("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return self._operate("sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self._operate("sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return self._operate("mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self._operate("mul", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self._operate("truediv", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._operate("truediv", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return self._operate("div", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._operate("div", other, self)

    def __mod__(self, other: Any) -> Any:
        return self._operate("rem", self, other)

    def __rmod__(self, other: Any) -> Any:
        return self._operate("rem", other, self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __pow__(self, other: Any) -> Any:
        return self._operate("pow", self, other)

    def __and__(self, other: Any) -> Any:
        return self._operate("and", self, other)

    def __rand__(self, other: Any) -> Any:
        return self._operate("and", other, self)

    def __or__(self, other: Any) -> Any:
        return self._operate("or", self, other)

    def __ror__(self, other: Any) -> Any:
        return self._operate("or", other, self)

    def __xor__(self, other: Any) -> Any:
        return self._operate("xor", self, other)

    def __rxor__(self, other: Any) -> Any:
        return self._operate("xor", other, self)

    def __lshift__(self, other: Any) -> Any:
        return self._operate("shl", self, other)

    def __rlshift__(self, other: Any) -> Any:
        return self._operate("shl", other, self)

    def __rshift__(self, other: Any) -> Any:
        return self._operate("shr", self, other)

    def __rrshift__(self, other: Any) -> Any:
        return self._operate("shr", other, self)

    def __neg__(self) -> Any:
        return self._operate("neg", self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self._operate("abs", self)

    def __invert__(self) -> Any:
        return self._operate("invert", self)

    def __lt__(self, other: Any) -> Any:
        return self._operate("lt", self, other)

    def __le__(self, other: Any) -> Any:
        return self._operate("le", self, other)

    def __gt__(self, other: Any) -> Any:
        return self._operate("gt", self, other)

    def __ge__(self, other: Any) -> Any:
        return self._operate("ge", self, other)

    def __eq__(self, other: object) -> Any:
        return self._operate("eq", self, other)

    def __ne__(self, other: object) -> Any:
        return self._operate("ne", self, other)
