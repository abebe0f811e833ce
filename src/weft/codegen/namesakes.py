"""Symbols of the same name in several `gpu.module`s, which one PTX module cannot have.

Upstream makes a binary of each `gpu.module`, and outlining calls the kernel of every `gpu.launch` in `@main`
`@main_kernel`, in modules `@main_kernel`, `@main_kernel_0`, ...  Here the later ones get the suffixes that the modules
have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, count
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation

from weft.codegen.names import ptx_name
from weft.dialects.traits import inherent


def _name(op: Operation) -> str | None:
    """The name of the symbol that an operation of a `gpu.module` is; None if it is none."""
    name = inherent(op, "sym_name")
    return name.data if isinstance(name, StringAttr) else None


def _defines(op: Operation) -> bool:
    """Whether a symbol is here, rather than elsewhere: functions without a body are declared."""
    return not op.regions or bool(op.regions[0].blocks) or "global" in op.name


def collide(module: ModuleOp) -> bool:
    """Whether two `gpu.module`s define a symbol of the same name."""
    found = [ptx_name(name) for _, ops in _modules(module) for op in ops if (name := _name(op)) and _defines(op)]
    return len(found) != len(set(found))


def _modules(module: ModuleOp) -> list[tuple[Operation, Sequence[Operation]]]:
    device = [op for op in module.body.block.ops if op.name == "gpu.module"]
    return [(op, list(op.regions[0].blocks[0].ops)) for op in device] if len(device) > 1 else []


def rename(module: ModuleOp) -> None:
    """Give symbols that an earlier `gpu.module` has too names of their own, in place.

    One in `@f_2` is `f_2`; others, and those whose module's name is taken, are `f_0`, `f_1`, ...
    """
    taken: set[str] = set()
    everywhere = {ptx_name(name) for _, ops in _modules(module) for op in ops if (name := _name(op))}
    for device, ops in _modules(module):
        names = {name: op for op in ops if (name := _name(op)) and _defines(op)}
        new: dict[str, str] = {}
        for name in names:
            if ptx_name(name) in taken:
                home = _name(device) or ""
                own = [home] if re.fullmatch(rf"{re.escape(name)}_\d+", home) else []
                free = chain(own, (f"{name}_{i}" for i in count()))
                new[name] = next(f for f in free if ptx_name(f) not in taken | everywhere)
        for name, op in names.items():
            taken.add(ptx_name(new.get(name, name)))
            if name in new:
                held = op.properties if "sym_name" in op.properties else op.attributes
                held["sym_name"] = StringAttr(new[name])
        if new:
            _refer(device, new)


def _refer(device: Operation, new: dict[str, str]) -> None:
    """Give every reference in a `gpu.module` the new names."""
    for op in device.walk():
        for held in (op.properties, op.attributes):
            for key, value in held.items():
                held[key] = _renamed(value, new)


def _renamed(value: Attribute, new: dict[str, str]) -> Attribute:
    if isinstance(value, SymbolRefAttr):
        root = value.root_reference.data
        return SymbolRefAttr(new[root], value.nested_references) if root in new else value
    if isinstance(value, ArrayAttr):
        return ArrayAttr([_renamed(cast("Any", part), new) for part in value])  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return value
