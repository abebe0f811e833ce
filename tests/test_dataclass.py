"""weft's dataclasses are the standard library's: the same fields, methods, errors and hashes."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import itertools
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import KW_ONLY, FrozenInstanceError, InitVar, field, fields
from typing import Any, ClassVar

import pytest

from weft.dataclass import dataclass, installed

Decorate = Callable[..., Any]

BOTH = pytest.mark.parametrize("decorate", [dataclasses.dataclass, dataclass], ids=["standard", "weft"])
FLAGS = [
    dict(zip(("init", "repr", "eq", "frozen", "slots", "unsafe_hash", "kw_only"), values, strict=True))
    for values in itertools.product((True, False), repeat=7)
]


def shape(decorate: Decorate, **flags: bool) -> type[Any]:
    """A class with all that fields can be."""

    class Shape:
        first: int
        second: str = "b"
        third: list[int] = field(default_factory=list[int])
        fixed: int = field(default=7, init=False)
        made: dict[str, int] = field(default_factory=dict[str, int], init=False)
        quiet: int = field(default=1, repr=False, compare=False)
        hashed: int = field(default=2, hash=False)
        late: int = field(default=5, kw_only=True)
        count: ClassVar[int] = 3

        def __post_init__(self) -> None:
            assert type(self).count == 3

    return decorate(**flags)(Shape)


def result(call: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """What a call gives, or how it fails."""
    try:
        return call(*arguments, **named)
    except Exception as error:
        return type(error)


@pytest.mark.sample(42)
@pytest.mark.parametrize("flags", FLAGS, ids=lambda flags: "-".join(name for name in flags if flags[name]) or "none")
def test_as_the_standard_library(flags: dict[str, bool]) -> None:
    given = [
        ((1,), {}), ((1, "c"), {}), ((1, "c", [4]), {"quiet": 9}), ((1,), {"late": 4}), ((), {"first": 1}), ((), {}),
        ((1, "b", [], 4, 5, 6), {}), ((1,), {"unknown": 1}),
    ]  # fmt: skip
    ours, theirs = shape(dataclass, **flags), shape(dataclasses.dataclass, **flags)
    assert [(f.name, f.type, f.init, f.kw_only) for f in fields(ours)] == [
        (f.name, f.type, f.init, f.kw_only) for f in fields(theirs)
    ]
    assert ours.__match_args__ == theirs.__match_args__
    assert repr(ours.__dataclass_params__) == repr(theirs.__dataclass_params__)
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)
    assert getattr(ours, "__slots__", ()) == getattr(theirs, "__slots__", ())
    for arguments, named in given:
        mine, other = (result(cls, *arguments, **named) for cls in (ours, theirs))
        if isinstance(mine, type):
            assert mine is other
            continue
        for look in (
            lambda value: repr(value).replace(hex(id(value)), ""),
            lambda value: value == copy.copy(value),
            lambda value: value == copy.deepcopy(value),
            lambda value: value == 3,
            lambda value: hash(value) == hash(copy.copy(value)),
            lambda value: setattr(value, "first", 2),
            lambda value: (flags["frozen"] and flags["slots"]) or setattr(value, "other", 2),  # CPython's gh-90562
            lambda value: delattr(value, "first"),
            lambda value: dataclasses.asdict(value),
            lambda value: repr(dataclasses.replace(value, first=3)).partition(" ")[0],
        ):
            assert result(look, mine) == result(look, other)
        assert [getattr(mine, f.name, None) for f in fields(mine)] == [
            getattr(other, f.name, None) for f in fields(other)
        ]


@BOTH
def test_derived_frozen_classes(decorate: Decorate) -> None:
    @decorate(frozen=True)
    class Base:
        a: int
        b: int = 2

    @decorate(frozen=True, init=False)
    class Silent(Base):
        pass

    @decorate(frozen=True)
    class Derived(Silent):
        b: int = 3
        c: int = 4

    @dataclasses.dataclass(frozen=True)
    class Standard(Derived):
        d: int = 5

    value = Standard(1)
    assert (value, Derived(1), Silent(1)) == (Standard(1, 3, 4, 5), Derived(1, 3, 4), Silent(1, 2))
    assert {Derived(1), Derived(1, 3), Derived(1, 4)} == {Derived(1), Derived(1, 4)}
    assert Derived(1) != Base(1)
    assert repr(value).endswith("Standard(a=1, b=3, c=4, d=5)")
    for changed in (value, Derived(1), Silent(1)):
        with pytest.raises(FrozenInstanceError, match="cannot assign to field 'a'"):
            changed.a = 2
        with pytest.raises(FrozenInstanceError, match="cannot delete field 'b'"):
            del changed.b
    with pytest.raises(TypeError, match="cannot inherit non-frozen"):
        decorate(type("Thawed", (Base,), {}))


@BOTH
def test_methods_of_the_class_stay(decorate: Decorate) -> None:
    @decorate(frozen=True)
    class Own:
        a: int

        def __init__(self, a: str) -> None:
            object.__setattr__(self, "a", int(a))

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 5

    assert (Own("3").a, repr(Own("3")), Own("3") == 4, hash(Own("3"))) == (3, "own", True, 5)


@BOTH
def test_what_is_out_of_the_ordinary(decorate: Decorate) -> None:
    @decorate(order=True)
    class Ordered:
        a: int

    @decorate
    class Argument:
        a: int
        scale: InitVar[int]
        _: KW_ONLY
        b: int = 1

        def __post_init__(self, scale: int) -> None:
            self.a *= scale

    assert Ordered(1) < Ordered(2)
    assert Argument(2, 3, b=4).a == 6
    with pytest.raises(ValueError, match="mutable default"):
        decorate(type("Mutable", (), {"__annotations__": {"a": list}, "a": []}))


@BOTH
def test_cycles_and_documentation(decorate: Decorate) -> None:
    @decorate
    class Node:
        next: object = None

    node = Node()
    node.next = node
    assert repr(node).endswith("Node(next=...)")


def test_a_wrapped_method_stays_wrapped() -> None:
    @dataclass
    class Wrapped:
        a: int

    made = Wrapped.__init__
    calls: list[int] = []

    def wrapper(self: Any, a: int) -> None:
        calls.append(a)
        made(self, a)

    Wrapped.__init__ = wrapper
    assert [Wrapped(1).a, Wrapped(2).a] == [1, 2] == calls


@dataclass(frozen=True, slots=True)
class Pickled:
    a: int
    b: str = "x"


def test_pickle() -> None:
    assert pickle.loads(pickle.dumps(Pickled(3))) == Pickled(3)


def test_installed_only_inside() -> None:
    standard = dataclasses.dataclass
    with installed():
        assert dataclasses.dataclass is not standard
    assert dataclasses.dataclass is standard


def test_the_standard_library_stays_itself_after_an_import() -> None:
    check = (
        "import dataclasses; before = dataclasses.dataclass; import weft.mlir; import xdsl.ir;"
        "assert dataclasses.dataclass is before and xdsl.ir.core.__dict__['dataclass'] is not before"
    )
    subprocess.run([sys.executable, "-c", check], check=True)


def test_every_dataclass_of_xdsl_can_be_made() -> None:
    """Methods that are made late are made without errors."""
    import xdsl.dialects.builtin as builtin

    from weft.dialects import context

    assert context
    for name, cls in vars(builtin).items():
        if inspect.isclass(cls) and dataclasses.is_dataclass(cls) and cls.__init__.__module__ == "weft.dataclass":
            with pytest.raises(TypeError, match=r"missing|takes|abstract|positional"):
                cls(*range(50)), name
