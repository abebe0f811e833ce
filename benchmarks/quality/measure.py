"""What one side's PTX of a kernel comes to: assembled, run, counted."""

from __future__ import annotations

import copy
import os
import pickle
import re
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

import weft
from quality.emitter import Kernel
from quality.machine_code import Executed, executed
from quality.ptx_counts import counts_of
from weft.isa.target import target as find_target
from weft.tracing.occupancy import occupancy

_SLOW = (
    (re.compile(r"D(ADD|MUL|FMA|SETP|MNMX)"), 2.0, 64.0),
    (re.compile(r"MUFU|[FI]2[FI]|F2F|FRND|POPC|FLO|BREV|I2F\w*|F2I\w*"), 4.0, 4.0),
    (re.compile(r"SHFL|LD\w|ST\w|ATOM\w*|RED\w*"), 2.0, 2.0),
)
"""Issue slots of a warp's instruction by its pipe: where f64 is at half rate, and at 1/64. Others take 1."""
_CONSUMER = (86, 89, 120, 121)
_MEMORY = re.compile(r"(LDG|STG|LDS|STS|LDL|STL|LD|ST)\b")
_WIDTH = re.compile(r"\.(U8|S8|U16|S16|64|128|256|ENL2\.256)\b")


@dataclass
class Figures:
    """One side of a kernel.

    `executed` and `cycles` are for warps of 32 lanes; `blocks` are those of a multiprocessor; `accesses` are executed
    accesses to memory by width; `outputs` what the kernel left in memory.
    """

    executed: float
    cycles: float
    registers: int
    warps: int
    spills: int
    stack: int
    static: int
    accesses: dict[str, float]
    misfit: float
    outputs: list[Any] = field(repr=False)
    run: Executed = field(repr=False)


_KEPT = Path(tempfile.gettempdir()) / "weft-quality"
_STATE = "4"
"""Changes where the same PTX would be measured otherwise: what was measured before is forgotten."""


def measure(ptx: str, kernel: Kernel, target: str) -> Figures:
    """Assemble and run the PTX of a kernel; figures of the same text and data are kept, so that a table goes on."""
    data = sha256(f"{_STATE} {target} {kernel.entry} {kernel.grid} {kernel.block} {kernel.shared} {ptx}".encode())
    for one in kernel.arguments:
        data.update(one.tobytes() if isinstance(one, np.ndarray) else repr(one).encode())
    arrays = len({id(one) for one in kernel.arguments if isinstance(one, np.ndarray)})
    kept = _KEPT / f"{data.hexdigest()}.figures"
    if kept.exists() and len((found := pickle.loads(kept.read_bytes())).outputs) == arrays:
        return found
    found = _measured(ptx, kernel, target)
    _KEPT.mkdir(exist_ok=True)
    part = kept.with_suffix(f".{os.getpid()}.part")  # Others may measure the same at the same time.
    part.write_bytes(pickle.dumps(found))
    part.rename(kept)
    return found


def _measured(ptx: str, kernel: Kernel, target: str) -> Figures:
    module = weft.parse(ptx)
    cubin = weft.assemble(ptx, target, options=("-lineinfo",))
    used = cubin.kernel(kernel.entry)
    arguments, arrays = _copied(kernel.arguments)
    result = weft.run(
        module, kernel.entry, kernel.grid, kernel.block, arguments, check="fast", counters=True,
        shared_bytes=kernel.shared,
    )  # fmt: skip
    assert result.counters is not None
    threads = int(np.prod(kernel.block)) * int(np.prod(kernel.grid))
    known = counts_of(module, kernel.entry, result.counters.lines)
    ran = executed(cubin.data, kernel.entry, known, threads)
    return Figures(
        ran.total, _cycles(ran, target), used.registers, _warps(used, kernel, target),
        used.spill_store_bytes + used.spill_load_bytes, used.stack_bytes, len(ran.code.instructions), _accesses(ran),
        ran.misfit, arrays, ran,
    )  # fmt: skip


def _copied(arguments: list[Any]) -> tuple[list[Any], list[Any]]:
    """The arguments with arrays of their own, one for each array that was given, and these arrays."""
    copies: dict[int, Any] = {}
    for one in arguments:
        if isinstance(one, np.ndarray) and id(one) not in copies:
            copies[id(one)] = copy.deepcopy(one)
    return [copies.get(id(one), one) for one in arguments], list(copies.values())


def _cycles(ran: Executed, target: str) -> float:
    slow = find_target(target).number in _CONSUMER
    total = 0.0
    for one, count in ran.instructions():
        weights = next((row for row in _SLOW if row[0].match(one.opcode)), None)
        total += count * (1.0 if weights is None else weights[2] if slow else weights[1])
    return total


def _warps(used: Any, kernel: Kernel, target: str) -> int:
    """The warps that a multiprocessor holds."""
    threads = int(np.prod(kernel.block))
    found = occupancy(target, threads, used.registers, used.shared_bytes + kernel.shared)
    return found.warps


def _accesses(ran: Executed) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for one, count in ran.instructions():
        match = _MEMORY.match(one.opcode.partition(".")[0])
        if match is not None:
            width = _WIDTH.search(one.opcode)
            found[f"{match[1]}.{width[1] if width else '32'}"] += count
    return dict(found)
