"""More random kernels over `triton.language`, from its documentation: what `operations.py` leaves out.

Operands of two types, numbers beside tensors, roundings of casts, reductions and scans of several values and of any
type and rank, atomics with what they return, orders of memory, descriptors of any rank, loops with their options,
random numbers, functions over elements, and the kinds of arguments.
"""

# pyright: basic

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.tritons.language.control import Control
from tests.tritons.language.elements import Elements
from tests.tritons.language.memory import Memory
from tests.tritons.language.orders import Orders
from tests.tritons.language.products import Products
from tests.tritons.language.reductions import Reductions
from tests.tritons.operations import Case


class Language(Elements, Reductions, Orders, Products, Memory, Control):
    """Kernels of the groups below, drawn like those of `operations.Generator`."""

    GROUPS = (
        "mixed", "divisions", "numbers", "roundings", "functions", "bits", "reductions", "tuples", "scans", "orders", "chains",
        "products", "scaled", "ranks", "atomics", "scalars", "described", "gathered", "masks", "loops", "calls", "elements",
        "random",
    )  # fmt: skip


def cases(seed: int, target: str, groups: tuple[str, ...] = Language.GROUPS) -> Iterator[Case]:
    """Cases without end, of the groups in turn."""
    generator = Language(seed, target)
    if generator.sm // 10 == 9:  # Triton has no gathers there: its compiler writes those of sm_100.
        groups = tuple(group for group in groups if group != "gathered")
    for group in itertools.cycle(groups):
        yield getattr(generator, group)()
