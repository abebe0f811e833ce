"""All kernels of the corpus."""

from __future__ import annotations

from importlib import import_module

from tests.sim.hazards.case import Kernel

FAMILIES = (
    "barriers",
    "copies",
    "mbarriers",
    "bulk",
    "atomics",
    "clusters",
    "products",
    "pairs",
    "values",
    "maps",
    "rings",
    "relays",
    "told",
    "fences",
)
KERNELS: tuple[Kernel, ...] = tuple(
    kernel for family in FAMILIES for kernel in import_module(f"tests.sim.hazards.{family}").KERNELS
)
