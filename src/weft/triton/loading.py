"""Kernels that Triton has compiled, for whatever device they are launched on."""

from __future__ import annotations

from weft.dataclass import dataclass
from weft.ptx.ast import Module
from weft.ptx.parser import parse

LEAST = 16
"""Registers that ptxas gives a thread at least, in practice: what is said of all kernels where it is not asked."""


@dataclass(eq=False)
class Loaded:
    """A compiled kernel: its module and name, and its bytes of dynamic shared memory.

    Triton keeps it for as long as its function lives, longer than a device may be there.
    """

    module: Module
    name: str
    shared: int

    @property
    def parameters(self) -> int:
        """How many parameters the kernel has."""
        return next(len(found.parameters) for found in self.module.kernels if found.name == self.name)


def load(name: str, ptx: bytes, shared: int) -> Loaded:
    """A kernel from its PTX.  Raises PtxSyntaxError where the bytes are not PTX."""
    return Loaded(parse(ptx.decode(), filename=f"{name}.ptx"), name, shared)
