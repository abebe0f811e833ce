"""What loops carry from turn to turn, and what they must leave alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from math import gcd
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, cast

from xdsl.ir import Attribute, SSAValue

from weft.dataclass import dataclass
from weft.dialects.tile.types import LOCAL
from weft.errors import WeftError
from weft.tile import scalars
from weft.tile.buffers import Buffer, register
from weft.tile.choices import assign
from weft.tile.scalars import Scalar, is_number, plain, scalar
from weft.tile.unbound import Unbound

Names = dict[str, Any]


@dataclass
class Number:
    """A number that a loop carries: its value before, and what holds of it in every turn."""

    name: str
    first: Scalar
    divisor: int
    nonnegative: bool

    def scalar(self, value: SSAValue) -> Scalar:
        """The number in some turn."""
        return Scalar(value, self.first.dtype, divisor=self.divisor, nonnegative=self.nonnegative)

    def weaken(self, last: Scalar) -> bool:
        """Assume no more than what also holds of the value at a turn's end; whether that is less than before."""
        known = (gcd(self.divisor, last.divisor), self.nonnegative and last.nonnegative)
        less = known != (self.divisor, self.nonnegative)
        self.divisor, self.nonnegative = known
        return less


@dataclass
class Carried:
    """The names that a loop changes: numbers it carries, tiles, each with a place that every turn writes, and `others`.

    The others cannot be carried: one that a turn changes must not be read before it.  `unsettled` when the body is to
    be traced again: an assumption about a number did not hold, or another name turned out to be changed.
    """

    numbers: list[Number] = field(default_factory=list[Number])
    tiles: dict[str, Buffer] = field(default_factory=dict[str, Buffer])
    others: dict[str, Any] = field(default_factory=Names)
    unsettled: bool = False

    @staticmethod
    def of(names: Names, assigned: Sequence[str], targets: Sequence[str]) -> Carried:
        """What a loop carries that assigns these names, and its targets."""
        carried = Carried()
        for name in assigned:
            value = plain(names.get(name))
            if name in targets or value is None:
                continue
            if is_number(value):
                first = scalar(value, scalars.common(value, value))
                carried.numbers.append(Number(name, first, first.divisor, first.nonnegative))
            elif isinstance(value, Buffer) and value.space == LOCAL:
                home = register(value.shape, value.dtype, value.layout)
                assign(home, value)
                carried.tiles[name] = home
            else:
                carried.others[name] = value
        return carried

    @property
    def types(self) -> list[Attribute]:
        """The types of the values that are carried."""
        return [number.first.value.type for number in self.numbers]

    @property
    def first(self) -> list[SSAValue]:
        """The values before the loop."""
        return [number.first.value for number in self.numbers]

    def enter(self, names: Names, values: Sequence[SSAValue]) -> None:
        """Bind the names at a turn's beginning, or after the loop."""
        for number, value in zip(self.numbers, values, strict=True):
            names[number.name] = number.scalar(value)
        names.update(self.tiles)
        names.update(self.others)

    def next(self, names: Names, fail: Callable[..., WeftError]) -> list[SSAValue]:
        """The values of the carried names at a turn's end; tiles are copied to their places."""
        for name, value in self.others.items():
            if names.get(name) is not value and not isinstance(value, Unbound):
                self.others[name] = Unbound(
                    name,
                    "is changed by the loop, which carries only numbers and register tiles between iterations",
                    "use one tile with an extra dimension, tile[i % 2, :, :]",
                )
                self.unsettled = True
        lost = {name for name in (*(n.name for n in self.numbers), *self.tiles) if isinstance(names[name], Unbound)}
        if lost:  # An inner loop counts by that name: a turn must not read it before.
            self.others.update((name, names[name]) for name in lost)
            self.numbers = [number for number in self.numbers if number.name not in lost]
            self.tiles = {name: home for name, home in self.tiles.items() if name not in lost}
            self.unsettled = True
        self._keep_tiles(names, fail)
        return [self._last(number, plain(names[number.name]), fail) for number in self.numbers]

    def _keep_tiles(self, names: Names, fail: Callable[..., WeftError]) -> None:
        """Copy tiles to their places, those that are in another's place first."""
        changed = {name: names[name] for name, home in self.tiles.items() if names[name] is not home}
        for name, value in changed.items():
            home = self.tiles[name]
            if not isinstance(value, Buffer):
                raise fail(f"'{name}' is a tile before this loop, and {value!r} after an iteration")
            if (value.shape, value.dtype) != (home.shape, home.dtype):
                raise fail(f"'{name}' is {home!r} before this loop and {value!r} after an iteration")
        homes = list(self.tiles.values())
        for name, value in changed.items():
            if any(value is home for home in homes):
                changed[name] = register(value.shape, value.dtype, value.layout)
                assign(changed[name], value)
        for name, value in changed.items():
            assign(self.tiles[name], value)

    def _last(self, number: Number, value: Any, fail: Callable[..., WeftError]) -> SSAValue:
        """The value of a number at a turn's end."""
        kind = number.first.dtype
        if not is_number(value):
            hint = "use axis None: sum, max and min of a whole tile are numbers" if isinstance(value, Buffer) else None
            raise fail(f"'{number.name}' is a number before this loop, and {value!r} after an iteration", hint)
        found = scalars.common(value, value)
        fits = not isinstance(value, Scalar) and scalars.common(value, number.first) is kind
        if found is not kind and not fits:
            raise fail(
                f"'{number.name}' is {kind} before this loop and {found} after an iteration",
                f'fix its type before the loop: {number.name} = convert(..., "{found}")',
            )
        last = scalar(value, kind)
        self.unsettled |= number.weaken(last)
        return last.value


class Mutables:
    """The lists, dictionaries, sets and objects that names stand for, to be told when something changes them."""

    def __init__(self, names: Names, mentioned: frozenset[str]) -> None:
        self._held = [(name, names[name], _contents(names[name])) for name in mentioned if name in names]

    def changed(self) -> str | None:
        """The name of one that is not as it was."""
        for name, value, before in self._held:
            now = _contents(value)
            if len(now) != len(before) or any(a is not b for a, b in zip(now, before, strict=True)):
                return name
        return None


def _package(value: object) -> str:
    return getattr(type(value), "__module__", "").partition(".")[0]


_OPAQUE = (ModuleType, FunctionType, BuiltinFunctionType, type)


def _contents(value: Any) -> list[Any]:
    """What a mutable value holds, to be compared by identity."""
    if isinstance(value, list | set):
        return list(cast("list[Any]", value))
    if isinstance(value, dict):
        found = cast("dict[Any, Any]", value)
        return [*found, *found.values()]
    if isinstance(value, _OPAQUE) or _package(value) in ("weft", "numpy"):
        return []
    attributes: Mapping[str, Any] = getattr(value, "__dict__", {})
    return [*attributes, *attributes.values()]
