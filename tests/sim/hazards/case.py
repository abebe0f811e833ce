"""A right kernel with its launch, and small edits of its text that make it wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import weft
from weft.sim import KernelFault

Array = np.ndarray[Any, np.dtype[Any]]

REGISTERS = """\
.reg .pred %p<16>; .reg .pred %q; .reg .b16 %h<16>; .reg .b32 %r<64>; .reg .b64 %rd<32>; .reg .b64 %state;
.reg .b32 %t, %w, %l, %b; .reg .f32 %f<64>;
mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; shr.u32 %w, %t, 5; and.b32 %l, %t, 31;
"""
"""`%t` is the thread of the CTA, `%w` its warp, `%l` its lane, `%b` the CTA."""

MEMORY = frozenset({"race", "uninitialised-memory"})
"""What a missing order between threads may be reported as."""
ASYNC = MEMORY | {"asynchronous-read", "asynchronous-write", "asynchronous-exit", "proxy-fence"}
"""The same where asynchronous operations take part."""
HANG = frozenset({"deadlock", "barrier", "step-limit", "time-limit", "divergent-collective", "mbarrier"})
ANY: frozenset[str] = frozenset()
"""Any fault will do."""


@dataclass(frozen=True, slots=True)
class Bug:
    """An edit: the one place where `old` is becomes `new`.

    `hazard` is the class that it belongs to, `kinds` the kinds of fault that name it (empty: any).
    """

    name: str
    old: str
    new: str
    hazard: str
    kinds: frozenset[str] = ANY

    def applied(self, text: str) -> str:
        """The wrong kernel."""
        count = text.count(self.old)
        if count != 1:
            raise ValueError(f"bug '{self.name}': its anchor stands {count} times in the kernel: {self.old!r}")
        return text.replace(self.old, self.new)


@dataclass(frozen=True)
class Kernel:
    """A right kernel `k`: `inputs` makes its arguments, `correct` judges them once it has run.

    `harmless` are places of the text whose deletion by the mutations changes nothing, with the reason.
    """

    name: str
    text: str
    inputs: Callable[[], list[Any]]
    correct: Callable[[list[Any]], bool]
    grid: int = 1
    block: int = 128
    cluster: int | None = None
    shared_bytes: int = 0
    bugs: Sequence[Bug] = ()
    harmless: dict[str, str] = field(default_factory=dict[str, str])

    def run(self, text: str | None = None, **options: Any) -> list[Any]:
        """Run the kernel, or another text in its place; the arguments afterwards.  Raises KernelFault."""
        module = weft.parse(text or self.text, filename=f"{self.name}.ptx")
        arguments = self.inputs()
        weft.run(
            module, "k", self.grid, self.block, arguments,
            cluster=self.cluster, shared_bytes=self.shared_bytes, **options,
        )  # fmt: skip
        return arguments

    def fault(self, text: str, **options: Any) -> KernelFault | None:
        """What the simulator says of a text in the place of the kernel; None when it says nothing."""
        try:
            self.run(text, **options)
        except KernelFault as fault:
            return fault
        return None


def ptx(body: str, parameters: str = "out", target: str = "sm_90a", outside: str = "", directives: str = "") -> str:
    """A module with a kernel `k`; a parameter is a pointer, or `name:type`."""
    listed: list[str] = []
    for parameter in parameters.split():
        name, _, type_ = parameter.partition(":")
        listed.append(f".param .align 64 .b8 {name}[128]" if type_ == "map" else f".param .{type_ or 'u64'} {name}")
    version = "8.8"
    return (
        f".version {version}\n.target {target}\n.address_size 64\n{outside}\n"
        f".visible .entry k({', '.join(listed)}) {directives}\n{{\n{REGISTERS}{body}\n}}\n"
    )


def words(count: int, seed: int = 0) -> Array:
    """Random numbers below a million."""
    return np.random.default_rng(seed).integers(1, 1_000_000, count).astype(np.uint32)


def zeros(count: int, dtype: Any = np.uint32) -> Array:
    """Zeros."""
    return np.zeros(count, dtype)
