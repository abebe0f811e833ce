"""The standard library's dataclasses, defined several times faster: no method is compiled before it is called.

`dataclasses.dataclass` writes the source of up to six methods and compiles it: a third of a millisecond a class, of
which xDSL and weft define some 250 between the start of a process and its first kernel.  Here freezing needs no
source, and the other methods are compiled when they are first called, as few of them are.  Fields are collected by the
standard library: what inspects dataclasses, or derives one from another, works as ever.

`installed` puts this decorator in the place of the standard one while xDSL is imported.
"""

from __future__ import annotations

import abc
import dataclasses
import inspect
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass

_STANDARD: Callable[..., Any] = dataclasses.dataclass

_PARAMS = "__dataclass_params__"
_FIELDS = "__dataclass_fields__"


def _dataclass(
    cls: type[Any] | None = None,
    /,
    *,
    init: bool = True,
    repr: bool = True,
    eq: bool = True,
    unsafe_hash: bool = False,
    frozen: bool = False,
    kw_only: bool = False,
    slots: bool = False,
    **rare: Any,
) -> Any:
    """What `dataclasses.dataclass` does; a class that is out of the ordinary is left to that."""
    flags = {"init": init, "repr": repr, "eq": eq, "unsafe_hash": unsafe_hash, "frozen": frozen}

    def decorate(cls: type[Any]) -> type[Any]:
        frozen_bases = any(getattr(base, _PARAMS).frozen for base in cls.__mro__[1:] if hasattr(base, _PARAMS))
        if rare or _has_arguments(cls) or (frozen_bases and (slots or not frozen)):
            return _STANDARD(cls, **flags, kw_only=kw_only, slots=slots, **rare)
        explicit_hash = "__hash__" in vars(cls) and not (cls.__hash__ is None and "__eq__" in vars(cls))
        documented = cls.__doc__
        cls.__doc__ = documented or "-"  # Or the standard library would write a signature, which takes long.
        if frozen_bases:
            _inherit_fields(cls, kw_only)
        else:
            cls = _STANDARD(cls, init=False, repr=False, eq=False, kw_only=kw_only, slots=slots)
        cls.__doc__ = documented
        for name, value in flags.items():
            setattr(getattr(cls, _PARAMS), name, value)
        _add_methods(cls, slots, explicit_hash)
        abc.update_abstractmethods(cls)
        return cls

    return decorate if cls is None else decorate(cls)


if not TYPE_CHECKING:
    dataclass = _dataclass


@contextmanager
def installed() -> Generator[None]:
    """Inside, modules that import `dataclass` from the standard library get this one."""
    dataclasses.dataclass = _dataclass
    try:
        yield
    finally:
        dataclasses.dataclass = _STANDARD


def _has_arguments(cls: type[Any]) -> bool:
    """Whether `__init__` takes what is no field, or nothing is known before annotations can be evaluated."""
    try:
        return any("InitVar" in str(kind) for kind in inspect.get_annotations(cls).values())
    except NameError:  # Python 3.14 evaluates them only now.
        return True


def _inherit_fields(cls: type[Any], kw_only: bool) -> None:
    """Collect the fields of a class with frozen bases.

    The standard library would freeze it, with methods of their own; so it sees the new fields in a class without bases.
    """
    annotations = inspect.get_annotations(cls)
    members: dict[str, Any] = {name: getattr(cls, name) for name in annotations if hasattr(cls, name)}
    members |= {"__module__": cls.__module__, "__annotations__": annotations, "__doc__": "-"}
    alone = _STANDARD(type(cls.__name__, (), members), init=False, repr=False, eq=False, kw_only=kw_only)
    every: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        every |= getattr(base, _FIELDS, {})
    own: dict[str, Field[Any]] = getattr(alone, _FIELDS)
    for name, value in own.items():
        if isinstance(getattr(cls, name, None), Field):
            if value.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, value.default)
    setattr(cls, _FIELDS, every | own)
    setattr(cls, _PARAMS, getattr(alone, _PARAMS))
    if "__match_args__" not in vars(cls):
        cls.__match_args__ = tuple(found.name for found in fields(cls) if found.init and not found.kw_only)


def _add_methods(cls: type[Any], slots: bool, explicit_hash: bool) -> None:
    flags, every, own = getattr(cls, _PARAMS), fields(cls), vars(cls)
    if flags.init and "__init__" not in own:
        _add_late(cls, "__init__", lambda: _init(cls, slots))
    if flags.repr and "__repr__" not in own:
        _add_late(cls, "__repr__", lambda: _repr([found.name for found in every if found.repr]))
    if flags.eq and "__eq__" not in own:
        _add_late(cls, "__eq__", lambda: _eq([found.name for found in every if found.compare]))
    if flags.unsafe_hash or (flags.eq and flags.frozen and not explicit_hash):
        hashed = [found.name for found in every if (found.compare if found.hash is None else found.hash)]
        _add_late(cls, "__hash__", lambda: _hash(hashed))
    elif flags.eq and not explicit_hash:
        _add(cls, "__hash__", None)
    if flags.frozen:
        _freeze(cls, frozenset(found.name for found in every))
        if slots:
            _add(cls, "__getstate__", own.get("__getstate__", _get_state))
            _add(cls, "__setstate__", own.get("__setstate__", _set_state))


def _add(cls: type[Any], name: str, member: Any) -> None:
    setattr(cls, name, member)


def _add_late(cls: type[Any], name: str, make: Callable[[], Callable[..., Any]]) -> None:
    """Give a class a method that is made when it is first called."""

    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        made = make()
        made.__qualname__ = f"{cls.__qualname__}.{name}"  # Which messages of wrong arguments name.
        if vars(cls).get(name) is method:
            setattr(cls, name, made)
        return made(self, *arguments, **named)

    _add(cls, name, method)


def _init(cls: type[Any], slots: bool) -> Callable[..., None]:
    positional: list[str] = []
    named: list[str] = []
    body: list[str] = []
    scope: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
    frozen = getattr(cls, _PARAMS).frozen
    for found in fields(cls):
        name = value = found.name
        default = f"_default_{name}"
        parameter = name
        if found.default_factory is not MISSING:
            scope[default] = found.default_factory
            parameter = f"{name}=_missing"
            value = f"{default}() if {name} is _missing else {name}" if found.init else f"{default}()"
        elif found.default is not MISSING:
            scope[default] = found.default
            parameter = f"{name}={default}"
            value = name if found.init else default
        if found.init:
            (named if found.kw_only else positional).append(parameter)
        elif value == name or (found.default is not MISSING and not slots):
            continue  # Left to `__post_init__`, or to the class attribute.
        body.append(f"_set(_self, {name!r}, {value})" if frozen else f"_self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("_self.__post_init__()")
    head = ", ".join(["_self", *positional, *(["*", *named] if named else [])])
    return _compiled(f"__init__({head})", body or ["pass"], scope)


def _repr(names: list[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def described(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return described


def _tuple(value: str, names: list[str]) -> str:
    return "(" + "".join(f"{value}.{name}, " for name in names) + ")"


def _eq(names: list[str]) -> Callable[[Any, object], Any]:
    test = f"{_tuple('self', names)} == {_tuple('other', names)}"
    return _compiled("__eq__(self, other)", [f"return {test} if other.__class__ is self.__class__ else NotImplemented"])


def _hash(names: list[str]) -> Callable[[Any], int]:
    return _compiled("__hash__(self)", [f"return hash({_tuple('self', names)})"])


def _compiled(head: str, body: list[str], scope: dict[str, Any] | None = None) -> Callable[..., Any]:
    scope = {} if scope is None else scope
    exec(f"def {head}:\n " + "\n ".join(body), scope)
    return scope[head.partition("(")[0]]


def _freeze(cls: type[Any], names: frozenset[str]) -> None:
    def assign(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    _add(cls, "__setattr__", assign)
    _add(cls, "__delattr__", delete)


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, found.name) for found in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for found, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, found.name, value)
