"""Run a kernel against expected arrays, and assemble it for the architectures that matter."""

from __future__ import annotations

import linecache
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import weft
from weft.errors import CompileError
from weft.tile import Kernel
from weft.tile.arguments import bind
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
    multiples = dict(bind(kernel, arguments, None, None).to.multiples)
    for target in targets:
        weft.assemble(kernel.module(target, multiples=multiples))


RING = (
    "import weft\nfrom weft.tile import *\n\n@weft.kernel(grid=1)\ndef kernel(A: Global(f16, ('M', 64))):\n"
    "    ring = pipeline(2, a=tile(f16, 64, 64))\n"
)
"""The beginning of kernels that a test refuses: a tensor, and a ring of its tiles."""


def refused(head: str, body: str, said: str, target: str) -> None:
    """A kernel with this body, behind the head, is refused in these words at its line that has a `#`."""
    text = head + "".join(f"    {line}\n" for line in body.splitlines())
    name = f"<refused {hash(body)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {}
    exec(compile(text, name, "exec"), names)
    with pytest.raises(CompileError, match=said) as caught:
        names["kernel"].ptx(target)
    assert "#" in text.splitlines()[caught.value.position.line - 1]
