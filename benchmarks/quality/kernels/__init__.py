"""The generators, by group."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random

from quality.emitter import Kernel, Writer

Generator = Callable[[Writer], None]
GROUPS: dict[str, dict[str, Generator]] = {}
FILES = ("streaming", "dense", "stencils", "reductions", "sorts", "control", "integers", "functions", "packing",
         "models", "texts", "physics", "transforms", "everyday",
         "routines", "simulations", "lowered", "views", "written", "programs", "algorithms",
         "frontends")  # fmt: skip
"""The modules of this package."""


def kernel(group: str) -> Callable[[Generator], Generator]:
    """Register a generator in a group by the name of its function."""

    def register(make: Generator) -> Generator:
        GROUPS.setdefault(group, {})[make.__name__.rstrip("_")] = make
        return make

    return register


def draw(group: str, name: str, seed: str, *, fast: bool = False) -> Kernel | None:
    """A kernel by its generator and a seed; the fast one is None where it is the exact one."""
    writer = Writer(Random(f"{name} {seed}"), fast=fast)
    GROUPS[group][name](writer)
    if fast and not writer.touched:
        return None
    return Kernel(name, group, writer.text(), writer.grid, writer.block, writer.given, writer.operations)


for _file in FILES:
    import_module(f"quality.kernels.{_file}")
