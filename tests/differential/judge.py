"""Kernels run on the simulator, as weft and as LLVM compiled them, and what differs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import numpy.typing as npt

from tests.codegen.breadth import Refused, element_pattern, not_a_number, same, shape, stride
from tests.differential.compilers import all_by_llvm, by_llvm, by_weft
from tests.differential.generator import INPUT, OUTPUT
from tests.differential.program import ROW, SHARED_COUNTERS, Kernel, Stored
from weft.errors import WeftError
from weft.ptx.ast import Module
from weft.sim import KernelFault, UnsupportedInstruction, run

Array = npt.NDArray[np.uint8]


@dataclass
class Finding:
    """A kernel that went wrong, and how: `difference`, `fault`, `refused` (by weft), `crash`; or LLVM did (`upstream`)."""

    kernel: Kernel
    kind: str
    message: str


def given(kernel: Kernel) -> Array:
    """The bytes of the input: a value for each place of each thread, edge cases among them."""
    rng = Random(f"data {kernel.seed}")
    data = np.zeros(kernel.threads * INPUT, np.uint8)
    for place in kernel.inputs:
        count, inner, width = shape(place.type)
        size = stride(place.type)
        for thread in range(kernel.threads):
            whole = sum(element_pattern(rng, inner, "") << i * width for i in range(count))
            at = thread * INPUT + place.offset
            data[at : at + size] = np.frombuffer(whole.to_bytes(size, "little"), np.uint8)
    return data


@dataclass
class Results:
    """What a kernel wrote."""

    out: Array
    rows: npt.NDArray[np.int32]
    counters: npt.NDArray[np.int32]


def results(module: Module, kernel: Kernel, data: Array, check: str) -> Results:
    """Run a kernel."""
    threads = kernel.threads
    out = np.zeros(threads * OUTPUT, np.uint8)
    rows = np.arange(threads * ROW, dtype=np.int32).reshape(threads, ROW) * 0x9E3779B % 1000003
    counters = np.arange(SHARED_COUNTERS, dtype=np.int32) * 12345
    args = [data.copy(), out, rows, rows, 0, threads, ROW, ROW, 1, counters, counters, 0, SHARED_COUNTERS, 1]
    run(module, kernel.name, kernel.grid, kernel.block, args, check=check)  # pyright: ignore[reportArgumentType]
    return Results(out, rows, counters)


def _elements(out: Array, place: Stored, thread: int) -> list[int]:
    count, _, width = shape(place.type)
    at = thread * OUTPUT + place.offset
    whole = int.from_bytes(out[at : at + stride(place.type)].tobytes(), "little")
    return [whole >> i * width & (1 << width) - 1 for i in range(count)]


def apart(a: int, b: int, inner: str) -> int:
    """How many floats of the type lie between two of them; a large number for what no bound is given for."""
    if "f" not in inner or not_a_number(a, inner) or not_a_number(b, inner):
        return 1 << 64
    sign = 1 << int(re.sub(r"\D", "", inner)) - 1
    a, b = (sign - x if x & sign else x for x in (a, b))
    return abs(a - b)


def difference(kernel: Kernel, mine: Results, theirs: Results) -> str:
    """The first difference between what two kernels wrote; empty if there is none."""
    if not np.array_equal(mine.out, theirs.out):
        for number, place in enumerate(kernel.outputs):
            inner = shape(place.type)[1]
            for thread in range(kernel.threads):
                pairs = zip(_elements(mine.out, place, thread), _elements(theirs.out, place, thread), strict=True)
                for index, (a, b) in enumerate(pairs):
                    if not (same(a, b, inner) or apart(a, b, inner) <= place.ulps):
                        where = (
                            f"output {number} ({place.type}, byte {place.offset}) of thread {thread}, element {index}"
                        )
                        return f"{where}: weft {a:#x}, LLVM {b:#x}"
    for what, a, b in (("rows", mine.rows, theirs.rows), ("counters", mine.counters, theirs.counters)):
        if not np.array_equal(a, b):
            return f"{what} at {np.argwhere(a != b)[0].tolist()}: weft {a[a != b][0]}, LLVM {b[a != b][0]}"
    return ""


class NotRun(Exception):
    """LLVM's PTX does not run on the simulator: it calls a library, say."""


def judged(kernel: Kernel, mine: Module, theirs: Module, strict: bool = True) -> Finding | None:
    """What is wrong with a kernel as weft has compiled it, None if both agree; raises NotRun."""
    data = given(kernel)
    try:
        expected = results(theirs, kernel, data, "fast")
    except (UnsupportedInstruction, KernelFault) as error:
        raise NotRun(str(error)) from None
    try:
        found = results(mine, kernel, data, "strict" if strict else "fast")
    except KernelFault as fault:
        return Finding(kernel, "fault", str(fault).splitlines()[0])
    message = difference(kernel, found, expected)
    if not message:
        return None
    return Finding(kernel, "upstream" if unoptimized(kernel, data, found) else "difference", message)


def unoptimized(kernel: Kernel, data: Array, found: Results) -> bool:
    """Whether LLVM without optimization computes what was found: then what LLVM does with it is what is wrong."""
    try:
        return not difference(kernel, found, results(by_llvm([kernel], 0), kernel, data, "fast"))
    except (Refused, UnsupportedInstruction, KernelFault):
        return False


def check(kernels: Sequence[Kernel], strict: int = 1) -> tuple[int, list[Finding]]:
    """Compile and run kernels both ways: how many could be compared, and what went wrong.

    Every `strict`th runs under the simulator's checks, which costs as much as compiling it.
    """
    findings: list[Finding] = []
    compiled: dict[str, Module] = {}
    try:
        module = by_weft(kernels)
        compiled = {kernel.name: module for kernel in kernels}
    except Exception:
        for kernel in kernels:
            try:
                compiled[kernel.name] = by_weft([kernel])
            except WeftError as error:
                findings.append(Finding(kernel, "refused", error.message))
            except Exception as error:  # Whatever it is, it is a finding.
                findings.append(Finding(kernel, "crash", f"{type(error).__name__}: {error}"))
    theirs = all_by_llvm(kernels)
    count = 0
    for number, kernel in enumerate(kernels):
        if kernel.name in compiled and kernel.name in theirs:
            try:
                finding = judged(kernel, compiled[kernel.name], theirs[kernel.name], number % strict == 0)
            except NotRun:
                continue
            count += 1
            if finding is not None:
                findings.append(finding)
    return count, findings
