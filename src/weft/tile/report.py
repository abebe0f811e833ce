"""`Kernel.report`: what a kernel's machine code takes, and a static model of its loops, without a GPU."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from math import ceil, inf, prod
from time import perf_counter
from typing import TYPE_CHECKING, Any

from weft.dataclass import dataclass
from weft.dialects.tile.memory import buffer_type
from weft.tile.parameters import MULTIPLE, processors
from weft.tracing.loops import SHARED_BYTES, LoopModel, TensorProduct, loops_of
from weft.tracing.machine import read_machine
from weft.tracing.occupancy import occupancy

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from weft.tile.build import Built
    from weft.tile.kernel import Kernel
    from weft.toolchain.ptxas import Cubin


ROUNDS = 5
"""Launches of each of several options that are measured, after one that loads it."""
_WAITS = 8
"""Instructions of a loop that does nothing but wait."""


@dataclass(frozen=True)
class Report:
    """What a kernel takes on a target, and what its loops cost; see `LoopModel`.

    `steady` has the cycles that each unit of a multiprocessor is busy while all roles do a turn of their inner loops
    with products and tensor copies; `chain` in it is the longest of them.  `waves` are how often the GPU's
    multiprocessors are filled, `tiles` how many tiles a block of a persistent kernel does at most.
    """

    kernel: str
    target: str
    options: dict[str, Any]
    threads: int
    registers: int
    roles: tuple[tuple[int, int, int | None], ...]
    spill_bytes: int
    shared_bytes: int
    tensor_columns: int
    blocks: int
    limited_by: tuple[str, ...]
    losses: tuple[str, ...]
    loops: tuple[LoopModel, ...]
    grid: tuple[int, ...] = ()
    waves: float | None = None
    tiles: float | None = None
    unknown: tuple[str, ...] = field(default=())
    seconds: float | None = None
    """How long a launch takes, where it was measured."""

    @property
    def steady(self) -> dict[str, float]:
        """Cycles of a turn of all roles."""
        inner = [each for each in self.loops if each.innermost and (each.feeds or each.counts.get("tensor"))]
        found: dict[str, float] = {}
        for each in inner:
            for name, cycles in each.cycles.items():
                found[name] = max(found.get(name, 0.0), cycles) if name == "chain" else found.get(name, 0.0) + cycles
        return found

    @property
    def efficiency(self) -> float | None:
        """The part of the time in which the tensor cores work by this model; None where there are no products.

        Blocks that a multiprocessor holds at once share its units, and wait side by side.
        """
        steady = {name: x if name == "chain" else x * self.blocks for name, x in self.steady.items()}
        if not steady.get("tensor"):
            return None
        rounds = self.tiles if self.tiles is not None else self.waves
        full = rounds / ceil(rounds) if rounds else 1.0
        return steady["tensor"] / max(steady.values()) * full

    def to_json(self) -> str:
        """As JSON."""
        names = [name for name in self.__dataclass_fields__ if name != "loops"]  # type: ignore[attr-defined]
        data = {name: getattr(self, name) for name in names}
        data |= {"loops": [each.to_json() for each in self.loops], "steady": self.steady, "efficiency": self.efficiency}
        return json.dumps(data, indent=2, default=str)

    def __str__(self) -> str:
        lines = [
            f"{self.kernel} on {self.target}: {self.threads} threads, {self.registers} registers, "
            f"{self.shared_bytes} bytes of shared memory"
            + (f", {self.tensor_columns} columns of tensor memory" if self.tensor_columns else ""),
            f"{self.blocks} blocks per multiprocessor, limited by {', '.join(self.limited_by)}",
        ]
        for first, warps, registers in self.roles:
            lines.append(
                f"role: warps {first} to {first + warps - 1}" + (f", {registers} registers" if registers else "")
            )
        if self.spill_bytes:
            lines.append(f"spilled: {self.spill_bytes} bytes")
        lines += [f"ptxas: {each}" for each in self.losses]
        if self.grid:
            lines.append(f"grid {' x '.join(map(str, self.grid))}: {_rounds(self.waves, self.tiles)}")
        for each in self.loops:
            if each.innermost and each.instructions > _WAITS:
                cycles = ", ".join(f"{name} {each.cycles[name]:g}" for name in each.order if each.cycles[name])
                counts = ", ".join(
                    f"{count} {kind}" for kind, count in sorted(each.counts.items(), key=lambda x: -x[1])
                )
                lines += [
                    f"loop of {each.instructions} instructions, {each.warps} warps: {counts}",
                    f"  cycles: {cycles}",
                ]
                lines += [f"  unknown: {one}" for one in each.unknown]
        if self.efficiency is not None:
            steady = ", ".join(f"{name} {x:g}" for name, x in sorted(self.steady.items(), key=lambda x: -x[1]) if x)
            lines.append(f"a turn of all roles: {steady}; tensor cores {self.efficiency:.0%}")
        return "\n".join(lines)


def _rounds(waves: float | None, tiles: float | None) -> str:
    return f"{waves:.2f} waves" if tiles is None else f"{tiles:.2f} tiles a block"


def report(kernel: Kernel, target: str, sizes: Mapping[str, int] | None, options: Mapping[str, Any]) -> Report:
    """The report of a kernel; see `Kernel.report`."""
    from weft.toolchain import assemble

    multiples = {name: min(MULTIPLE, size & -size) for name, size in (sizes or {}).items()}
    multiples = {name: value for name, value in multiples.items() if value > 1}
    to = kernel.specialize(None, multiples, kernel.aimed(options, target))
    module = kernel.module(target, multiples=multiples, **options)
    built = kernel.build(to)
    cubin = assemble(module)
    resources = cubin.kernel(kernel.name)
    operations = list(built.module.walk())
    shared = resources.shared_bytes + built.shared[target]
    found = occupancy(target, built.threads, resources.registers, shared)
    made = Report(
        kernel.name,
        target,
        dict(to.options),
        built.threads,
        resources.registers,
        built.roles,
        resources.spill_store_bytes + resources.spill_load_bytes,
        shared,
        built.tensor_columns,
        found.blocks,
        found.limited_by,
        tuple(f"{each.code} {each.message}" for each in cubin.remarks),
        _loops(cubin, kernel.name, target, built, operations),
    )
    return made if sizes is None else _placed(made, kernel, built, sizes)


_INTO_TENSOR_MEMORY = ("tile.gemm_tensor", "tile.gemm_scaled")


def _loops(
    cubin: Cubin, name: str, target: str, built: Built, operations: Sequence[Operation]
) -> tuple[LoopModel, ...]:
    code = read_machine(cubin.data).functions[name]
    groups = sum(warps // 4 for _, warps, _ in built.roles if warps % 4 == 0)
    products = {_product(each) for each in operations if each.name in _INTO_TENSOR_MEMORY}
    one = products.pop() if len(products) == 1 else None
    loops = loops_of(code, target, built.threads // 32, tensor=one, groups=groups)
    sizes = _copied(operations)
    copying = [each for each in loops if each.innermost and "the bytes of tensor copies" in each.unknown]
    if len(sizes) == len(copying) == 1:
        busy = copying[0].cycles | {"shared": sizes[0] / SHARED_BYTES}
        loops = [replace(each, cycles=busy, unknown=()) if each is copying[0] else each for each in loops]
    return tuple(loops)


def _product(op: Operation) -> TensorProduct:
    """One `tcgen05.mma`: 128 rows of this block, the columns of D, 32 bytes along K."""
    *_, columns = buffer_type(op.operands[0]).shape
    columns, halves = min(columns, 256), 1 + ("pair" in op.properties)
    return TensorProduct(128 * columns * 16, (128 + columns // halves) * 32)


def _copied(operations: Iterable[Operation]) -> list[int]:
    """The bytes that tensor copies bring in a turn of each innermost loop that has some."""
    found: dict[Any, int] = {}
    for op in operations:
        if op.name == "tile.tensor_load":
            around = op.parent_op()
            while around is not None and around.name != "scf.for":
                around = around.parent_op()
            type = buffer_type(op.operands[0])
            found[around] = found.get(around, 0) + prod(type.shape) * type.element_bits // 8
    return list(found.values())


def _placed(made: Report, kernel: Kernel, built: Built, sizes: Mapping[str, int]) -> Report:
    """The report with the grid of a launch of these sizes."""
    count = processors(made.target)
    grid = kernel.grid(None, sizes, made.options)
    if grid:
        return replace(made, grid=grid, waves=prod(grid) / (count * made.blocks))
    blocks = built.blocks(sizes, count)
    tiles = built.tiles(sizes)
    return replace(made, grid=blocks, waves=1.0, tiles=None if tiles is None else tiles / prod(blocks))


def autotune(
    kernel: Kernel,
    target: str,
    sizes: Mapping[str, int],
    choices: Iterable[Mapping[str, Any]],
    arguments: Sequence[Any] | None = None,
) -> list[Report]:
    """The reports of a kernel's options, the best first; options that do not compile are left out."""
    from weft.errors import CompileError, ToolError
    from weft.toolchain.launch import Device

    found: list[Report] = []
    for options in choices:
        try:
            made = report(kernel, target, sizes, options)
        except (CompileError, ToolError):
            continue
        found.append(made)
    device = None
    if arguments is not None:
        with suppress(ToolError):
            device = Device()
    if arguments is None or device is None or device.target != target:
        return sorted(found, key=lambda each: (bool(each.spill_bytes or each.losses), -(each.efficiency or 0.0)))
    best = [inf] * len(found)
    for _ in range(1 + ROUNDS):  # All options in turn, so that the clock is the same for all.
        for at, each in enumerate(found):
            start = perf_counter()
            kernel.launch(*arguments, options=each.options)
            device.synchronize()
            best[at] = min(best[at], perf_counter() - start)
    return sorted(
        (replace(x, seconds=t) for x, t in zip(found, best, strict=True)), key=lambda each: each.seconds or 0.0
    )
