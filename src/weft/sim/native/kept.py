"""Code that was written once and is found again by what it was made from, in this process or on disk."""

from __future__ import annotations

import marshal
import sys
from collections import OrderedDict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from weft.ptx.printer import print_function
from weft.sim.block import Block
from weft.sim.native.cuts import divided
from weft.sim.native.jit import Function as Code
from weft.sim.native.jit import digest, folder, host, keep, kept
from weft.sim.native.region import Recipe, recipe_of

if TYPE_CHECKING:
    from weft.sim.program import Activation, Program

_BARRIERS = ("bar", "barrier")
MOST = 256
"""Functions that stay loaded."""
_LOADED: OrderedDict[str, tuple[Recipe, Code | None]] = OrderedDict()


def code_of(activation: Activation) -> tuple[Recipe, Code | None, list[Block]]:
    """The code of an activation, its function (None when nothing of it is code), and its blocks, split as it needs."""
    key = _key(activation)
    loaded = _LOADED.pop(key, None)
    blocks: list[Block] | None = None
    if loaded is None:
        data = kept(key)
        if data is not None:
            recipe = Recipe(*marshal.loads(data))
        else:
            recipe, blocks = recipe_of(activation)
            keep(key, marshal.dumps(tuple(recipe)))
            machine = activation.machine
            if activation.function is machine.program.kernel:
                keep(_mark(machine.program.once(_text), machine.strict), b"")
        loaded = recipe, Code(recipe.objects) if recipe.objects else None
    _LOADED[key] = loaded
    while len(_LOADED) > MOST:
        _LOADED.popitem(last=False)
    return (*loaded, divided(activation, loaded[0].cuts) if blocks is None else blocks)


def known(program: Program, *, strict: bool) -> bool:
    """Whether code of a program's kernel is kept, for some launch."""
    place = folder()
    return place is not None and (place / _mark(program.once(_text), strict)).exists()


def _text(program: Program) -> str:
    return print_function(program.kernel)


def _mark(text: str, strict: bool) -> str:
    """The name of what says so, of fast or of strict runs."""
    return digest(host(), _sources(), text, f"kernel {strict}")


def _key(activation: Activation) -> str:
    """The name of what the code of an activation depends on."""
    machine = activation.machine
    blocks = [(block.order & 0xFFFF_FFFF, len(block.steps), block.plain) for block in activation.every_block()]
    spaces = sorted((name, place.space) for name, place in machine.program.globals.places.items())
    guard = None if machine.native is None or machine.native.guard is None else tuple(machine.native.guard.layout)
    counted = any(len(one.operands) > 1 for one in activation.function.instructions() if one.opcode.stem in _BARRIERS)
    others = (
        machine.launch.cluster_ctas,
        machine.launch.warps * counted,
        machine.mma,
        machine.memory.arena.base,
        machine.async_,
        guard,
    )
    return digest(host(), _sources(), print_function(activation.function), f"{blocks} {spaces} {others}")


@cache
def _sources() -> str:
    """A text that changes with the simulator and what it is made of."""
    files = sorted(Path(__file__).parents[1].rglob("*.py"))
    stats = [(file.name, file.stat()) for file in files]
    tags = np.__version__, str(sys.implementation.cache_tag)
    return digest(*tags, *(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats))
