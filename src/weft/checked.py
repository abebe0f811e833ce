"""Arguments of public functions held to their annotations: a wrong one is an error that names it."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from operator import index
from reprlib import repr as short
from types import NoneType, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, cast, get_args, get_origin

from weft.errors import WeftError, nearest

P = ParamSpec("P")
R = TypeVar("R")
_Test = Callable[[Any], bool]


class ArgumentError(WeftError, TypeError):
    """An argument that is not of the kind that a function takes, or that it has not."""


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Hold what a function is called with to its annotations.

    Integers are what has `__index__`, and NumPy's become Python's, which do not overflow; floats are what `float`
    takes; classes that are imported for types only are known by their names.  Items are looked at where a sequence is
    one of plain values.  Which words, sizes and dtypes are good is the function's own to say.
    """
    code: Any = getattr(function, "__code__")  # noqa: B009
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    places = names[: code.co_argcount]
    open_ended = bool(code.co_flags & 0x08)  # It has **options.
    kinds: dict[str, Any] = {}
    tests: dict[str, _Test] = {}

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        narrow: dict[str, int] = {}
        if not kinds:
            kinds.update(_kinds(function, names))
            named = (name for name, kind in kinds.items() if get_origin(kind) is not Literal)
            tests.update({name: _test(kinds[name]) for name in named})
        for name, value in (*zip(places, args, strict=False), *kwargs.items()):
            test = tests.get(name)
            if test is None:
                if open_ended or name in kinds:  # Which words there are is the function's own to say.
                    continue
                raise ArgumentError(f"{_called(function)} has no argument '{name}'", hint=nearest(name, names))
            if not test(value):
                what = "None" if value is None else f"{short(value)}, of type {type(value).__name__}"
                hint = f"it takes {' or '.join(dict.fromkeys(_words(kinds[name])))}"
                raise ArgumentError(f"{_called(function)}: {name} is {what}", hint=hint)
            if _is_narrow(value) and _takes_integers(kinds[name]):
                narrow[name] = index(cast(Any, value))
        if narrow:
            wide = cast(Callable[..., R], function)
            known = [narrow.pop(name, value) for name, value in zip(places, args, strict=False)]
            return wide(*known, *args[len(known) :], **{**kwargs, **narrow})
        return function(*args, **kwargs)

    return call


def _called(function: Callable[..., object]) -> str:
    return function.__qualname__.removesuffix(".__init__")


def _kinds(function: Callable[..., object], names: Sequence[str]) -> dict[str, Any]:
    """What the annotations of parameters stand for; anything where there is none."""
    known = _Names({**vars(builtins), **getattr(function, "__globals__"), "DTypeLike": Any})  # noqa: B009
    written = function.__annotations__
    return {name: eval(written[name], {}, known) if name in written else Any for name in names}


class _Names(dict[str, Any]):
    """The names of a module; one that it has for types only is a class of that name."""

    def __missing__(self, name: str) -> type:
        return type(name, (), {})


def _test(kind: Any) -> _Test:
    """What tells whether a value is of a kind."""
    plain = _TESTS.get(kind)
    if plain is not None:
        return plain
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        tests = [_test(one) for one in inside]
        return lambda value: any(test(value) for test in tests)
    if origin is Literal:
        return _TESTS[str]
    if origin is Callable or kind is Callable:
        return callable
    if origin in (Sequence, Iterable, tuple, list):
        if inside[0] is Any:
            return lambda value: _is_series(value, origin)
        item = _test(inside[0])
        if origin is Iterable and inside[0] is str:  # A string is one of strings.
            return lambda value: isinstance(value, str) or (_is_series(value, origin) and all(map(item, _items(value))))
        return lambda value: _is_series(value, origin) and all(map(item, _items(value)))
    wanted = origin or kind
    if getattr(wanted, "__module__", "") == __name__:  # It is imported for types only.
        return lambda value: any(base.__name__ == wanted.__name__ for base in type(value).__mro__)
    return lambda value: not isinstance(wanted, type) or isinstance(value, wanted)


def has(value: object, *methods: str) -> bool:
    """Whether the class of a value has methods: a class is not what its objects are."""
    return all(hasattr(type(value), method) for method in methods)


def _is_series(value: Any, origin: Any) -> bool:
    if isinstance(value, (str, bytes, bytearray, Mapping)):
        return False
    if origin is Iterable:
        return isinstance(value, Iterable) and getattr(cast(Any, value), "ndim", 1) != 0
    return has(value, "__len__", "__getitem__") and getattr(value, "ndim", 1) == 1


def _items(value: Any) -> Iterator[Any]:
    """The items to look at: not those of an iterator, which would be used up."""
    return iter(value if has(value, "__len__") else ())


def _is_integer(value: Any) -> bool:
    try:
        index(value)
    except TypeError:
        return False
    return True


def _is_narrow(value: Any) -> bool:
    """Whether a value is an integer of NumPy's: no array, though one of no dimensions has `__index__`."""
    return (
        type(value) is not int
        and type(value).__module__ == "numpy"
        and has(value, "__index__")
        and not has(value, "__setitem__")
    )


def _takes_integers(kind: Any) -> bool:
    return kind is int or (get_origin(kind) in (Union, UnionType) and int in get_args(kind))


def _is_number(value: Any) -> bool:
    if isinstance(value, (str, bytes, bytearray)) or type(value).__name__ == "ndarray":
        return False
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    except OverflowError:
        pass
    return True


_TESTS: dict[Any, _Test] = {
    Any: lambda _: True,
    object: lambda _: True,
    NoneType: lambda value: value is None,
    None: lambda value: value is None,
    bool: lambda value: type(value).__name__ in ("bool", "bool_") or isinstance(value, int),
    int: lambda value: type(value) is int or _is_integer(value),
    float: _is_number,
    str: lambda value: isinstance(value, str),
}
_WORDS = {int: "an integer", str: "a string", float: "a number", bool: "True or False", NoneType: "None", None: "None"}


def _words(kind: Any) -> Iterator[str]:
    """What a kind is called, each of those that it is made of."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        for one in inside:
            yield from _words(one)
    elif origin in (Sequence, Iterable, tuple, list) and inside[0] is Any:
        yield "a sequence"
    elif origin in (Sequence, Iterable, tuple, list):
        yield f"a sequence of {' or '.join(map(_plural, _words(inside[0])))}"
    elif origin is Callable or kind is Callable:
        yield "a function"
    else:
        yield _WORDS.get(kind) or f"a {getattr(origin or kind, '__name__', kind)}"


def _plural(words: str) -> str:
    """Many of what the words call one: of `an integer`, `integers`; values, as `True or False`, as they are."""
    article, _, noun = words.partition(" ")
    return f"{noun}s" if article in ("a", "an") and noun and " " not in noun else words
