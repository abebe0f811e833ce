"""Cases of `breadth_cases` through weft and through LLVM, run on the simulator with the same operands."""

from __future__ import annotations

import math
import random
import re
import subprocess
from collections.abc import Sequence
from typing import Literal

import ml_dtypes
import numpy as np

from tests.codegen.breadth_cases import Case, stored_type
from tests.codegen.oracle import tool
from weft import parse
from weft.codegen import compile_module
from weft.ptx.ast import Module
from weft.sim import UnsupportedInstruction, run

THREADS = 48
_FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
_PIPELINE = "-gpu-lower-to-nvvm-pipeline=cubin-chip={} cubin-features=+ptx86 opt-level=2 cubin-format=isa"


def shape(type_: str) -> tuple[int, str, int]:
    """The number of elements, the element type and the bits of one."""
    found = re.fullmatch(r"vector<(\d+)x(\w+)>|(\w+)", stored_type(type_))
    assert found
    inner = found[2] or found[3]
    return int(found[1] or 1), inner, int(re.sub(r"\D", "", inner))


def stride(type_: str) -> int:
    """The bytes from one value to the next in memory."""
    count, _, width = shape(type_)
    return 1 << (max(1, -(-count * width // 8)) - 1).bit_length()


# -- operands ---------------------------------------------------------------------------------------------------


def _integer(rng: random.Random, width: int) -> int:
    edges = (0, 1, 2, 3, 5, -1, -2, -3, 1 << width - 1, (1 << width - 1) - 1, (1 << width - 1) + 1, 7, 1 << width // 2)
    found = rng.choice(edges) if rng.random() < 0.5 else rng.getrandbits(width)
    return found & (1 << width) - 1


def bits_of(value: float, name: str) -> int:
    """The pattern of a float."""
    dtype = _FLOATS[name]
    with np.errstate(over="ignore"):
        return int(np.asarray(value).astype(dtype).view(f"u{np.dtype(dtype).itemsize}"))


def _float(rng: random.Random, name: str) -> int:
    edges = (0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, math.inf, -math.inf, math.nan, 1e-7, 1e4, -7.75, 1e300,
             1e-310, 1e-40, 6e-8, 65504.0)  # fmt: skip
    if rng.random() < 0.5:
        return bits_of(rng.choice(edges), name)
    if rng.random() < 0.3:
        return rng.getrandbits(int(re.sub(r"\D", "", name)))
    return bits_of(rng.uniform(-8, 8) * 2.0 ** rng.randint(-3, 6), name)


def _in_range(rng: random.Random, name: str, target: str) -> int:
    """A float that an integer type can hold when truncated."""
    width = int(re.sub(r"\D", "", target))
    low, high = (0, 2**width - 1) if target.startswith("u") else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    edge = {"f16": 65000.0, "bf16": 3e38, "f32": 3e38, "f64": 1e300}[name]
    low, high = max(low, -edge), min(high, edge)
    while True:
        exponent = rng.uniform(-2, math.log2(high + 1))
        value = float(np.asarray(rng.choice((1, -1)) * 2**exponent).astype(_FLOATS[name]))
        if low <= math.trunc(value) <= high:
            return bits_of(value, name)


def element_pattern(rng: random.Random, inner: str, domain: str) -> int:
    if inner in _FLOATS:
        if domain.startswith("in "):
            return _in_range(rng, inner, domain[3:])
        return _float(rng, inner)
    return _integer(rng, int(inner[1:]))


def _fixed(case: Case, values: list[list[int]]) -> None:
    """Keep the operands of each element where the operation is defined."""
    if not values:
        return
    _, _, width = shape(case.operands[-1])
    sign = 1 << width - 1
    for i, last in enumerate(values[-1]):
        if "division" in case.domain and last == 0:
            values[-1][i] = 1
        if case.domain == "signed division" and last == 2 * sign - 1 and values[0][i] == sign:
            values[0][i] = 0
        if case.domain == "shift":
            values[-1][i] = last % width
        if case.domain.startswith("below"):
            values[-1][i] = last % int(case.domain.split()[1])
        if case.domain in ("power", "scale"):
            values[-1][i] = last % 12
    if case.domain == "signed division" and width == 1:
        values[0][:] = [0] * len(values[0])


def operands(case: Case, seed: int = 0) -> list[np.ndarray]:
    """The bytes of each operand, for every thread."""
    rng = random.Random(f"{case} {seed}")
    arrays = [np.zeros(THREADS * stride(t), np.uint8) for t in case.operands]
    for thread in range(THREADS):
        values = [
            [element_pattern(rng, inner, case.domain) for _ in range(n)] for n, inner, _ in map(shape, case.operands)
        ]
        _fixed(case, values)
        for type_, array, elements in zip(case.operands, arrays, values, strict=True):
            _, _, width = shape(type_)
            whole = sum(element << i * width for i, element in enumerate(elements))
            size = stride(type_)
            array[thread * size : (thread + 1) * size] = np.frombuffer(whole.to_bytes(size, "little"), np.uint8)
    return arrays


# -- both ways to PTX -------------------------------------------------------------------------------------------


class Refused(Exception):
    """LLVM does not take a module."""


def by_weft(cases: Sequence[Case], target: str) -> Module:
    """All cases in one module, kernels `k0`, `k1`, ..."""
    kernels = "".join(case.kernel(f"k{i}") for i, case in enumerate(cases))
    return compile_module(f"gpu.module @m {{\n{kernels}}}", target)


def by_llvm(cases: dict[str, Case], target: str) -> Module:
    """The same through mlir-opt and LLVM; raises Refused."""
    kernels = "".join(case.kernel(name) for name, case in cases.items())
    text = f"module attributes {{gpu.container_module}} {{ gpu.module @m {{\n{kernels}}} }}"
    command = [tool("mlir-opt"), _PIPELINE.format(target)]
    done = subprocess.run(command, input=text, capture_output=True, check=False, text=True)
    if done.returncode:
        raise Refused(done.stderr[:300])
    found = re.search(r'assembly = "(.*)">\]', done.stdout, re.DOTALL)
    assert found
    return parse(re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), found[1]))


def all_by_llvm(cases: dict[str, Case], target: str) -> dict[str, Module]:
    """The module that holds each case; those that LLVM refuses are left out."""
    try:
        module = by_llvm(cases, target)
    except Refused:
        if len(cases) == 1:
            return {}
        names = list(cases)
        halves = names[: len(names) // 2], names[len(names) // 2 :]
        return {k: v for half in halves for k, v in all_by_llvm({n: cases[n] for n in half}, target).items()}
    return dict.fromkeys(cases, module)


# -- the same results -------------------------------------------------------------------------------------------


def results(
    module: Module, name: str, case: Case, given: list[np.ndarray], check: Literal["strict", "fast"]
) -> list[list[int]]:
    """The elements of each result, thread by thread."""
    out = [np.zeros(THREADS * stride(t), np.uint8) for t in case.results]
    minus = [np.int32(-1)] * case.stained
    run(module, name, 1, THREADS, [*(array.copy() for array in given), *out, *minus], check=check)
    found: list[list[int]] = []
    for type_, array in zip(case.results, out, strict=True):
        count, _, width = shape(type_)
        size, mask = stride(type_), (1 << width) - 1
        wholes = [int.from_bytes(array[at : at + size].tobytes(), "little") for at in range(0, len(array), size)]
        found.append([whole >> i * width & mask for whole in wholes for i in range(count)])
    return found


def not_a_number(pattern: int, inner: str) -> bool:
    """Whether a float's pattern is a NaN."""
    dtype = _FLOATS[inner]
    value = np.asarray(pattern, f"u{np.dtype(dtype).itemsize}").view(dtype)
    return math.isnan(float(value))


def same(a: int, b: int, inner: str) -> bool:
    """Whether two elements are the same, any NaN being like any other."""
    return a == b or (inner in _FLOATS and not_a_number(a, inner) and not_a_number(b, inner))


def differences(cases: Sequence[Case], target: str, batch: int = 120) -> list[str]:
    """What differs between weft's results and LLVM's, one line a case."""
    found: list[str] = []
    for at in range(0, len(cases), batch):
        part = cases[at : at + batch]
        mine = by_weft(part, target)
        theirs = all_by_llvm({f"k{i}": case for i, case in enumerate(part)}, target)
        for i, case in enumerate(part):
            if f"k{i}" in theirs:
                found += _difference(case, f"k{i}", mine, theirs[f"k{i}"])
    return found


def _difference(case: Case, name: str, mine: Module, theirs: Module) -> list[str]:
    given = operands(case)
    a = results(mine, name, case, given, "strict")
    try:
        b = results(theirs, name, case, given, "fast")  # LLVM reads registers that nothing has written, where it may.
    except UnsupportedInstruction:  # A call of CUDA's library of functions.
        return []
    for type_, x, y in zip(case.results, a, b, strict=True):
        count, inner, _ = shape(type_)
        for index, (p, q) in enumerate(zip(x, y, strict=True)):
            if not same(p, q, inner):
                thread = index // count
                values = [
                    bytes(v[thread * stride(t) : (thread + 1) * stride(t)][::-1]).hex()
                    for v, t in zip(given, case.operands, strict=True)
                ]
                where = f"{case.text} : {case.operands} -> {case.results}: element {index % count} of {values}"
                return [f"{where}: {p:#x}, LLVM {q:#x}"]
    return []
