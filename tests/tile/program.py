"""Run a kernel against expected arrays, and assemble it for the architectures that matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import weft
from weft.tile import Kernel
from weft.toolchain import find

RNG = np.random.default_rng(3)
TARGETS = ("sm_80", "sm_90a", "sm_100a", "sm_120a")


def check(
    kernel: Kernel,
    arguments: Sequence[Any],
    expected: Mapping[int, Any],
    *,
    tol: float = 0,
    targets: Sequence[str] = TARGETS,
) -> None:
    """Run a kernel as strictly as the simulator can, its copies as late as they may be, and compare what it wrote."""
    arguments = list(arguments)
    kernel.run(*arguments, check="strict", async_="lazy")
    for at, values in expected.items():
        got, wanted = arguments[at].astype(np.float64), np.asarray(values).astype(np.float64)
        np.testing.assert_allclose(got, wanted, rtol=tol, atol=tol)
    if find("ptxas") is None:
        return
    multiples = dict(kernel.bind(arguments, None, None).to.multiples)
    for target in targets:
        weft.assemble(kernel.module(target, multiples=multiples))
