"""Calls of libdevice's functions, held to libdevice itself: nvcc's PTX of the same calls, both on the simulator."""

from __future__ import annotations

import math
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.codegen.libdevice_cases import CASES, DTYPES, MLIR, Case, values
from tests.effort import one_in
from weft import parse
from weft.codegen import compile_module
from weft.codegen.libdevice import is_known
from weft.codegen.libdevice.signatures import signatures
from weft.errors import CompileError
from weft.ptx.ast import Module
from weft.sim import run
from weft.toolchain import find

COUNT = 4096
FEW = 512
_APPROXIMATE = """
acos acosh asin asinh atan atan2 atanh cbrt cos cosh cospi erf erfc exp exp10 exp2 expm1 hypot log log10 log1p log2
erfcinv erfcx erfinv cyl_bessel_i0 cyl_bessel_i1 lgamma norm3d norm4d normcdf normcdfinv pow rcbrt rhypot rnorm3d rnorm4d rsqrt sin sincos sincospi sinh sinpi tan tanh tgamma
"""
APPROXIMATE = set(_APPROXIMATE.split())
"""Functions that both sides compute within some units in the last place."""
UNITS = 8.0
BESSEL = {"j0": 8, "j1": 8, "jn": 40, "y0": 8, "y1": 8, "yn": 340}
"""Units that the Bessel functions may be apart, of orders up to 130; CUDA bounds the absolute error of small ones, which
those of high order multiply."""
ABSOLUTE = {"float32": 2.2e-6, "float64": 5e-12}
UNLIKE = ("powi", "powif")
"""Where libdevice loses a unit with each of |n| products, and weft does not (`test_extreme_floats`)."""
NAMES = [name for name in CASES if name not in UNLIKE]


@cache
def theirs(folder: Path) -> Module:
    """nvcc's PTX of all of them."""
    nvcc = find("nvcc")
    if nvcc is None:
        pytest.skip("nvcc is not installed")
    source = folder / "calls.cu"
    source.write_text("\n".join(case.cuda() for case in CASES.values()))
    out = source.with_suffix(".ptx")
    subprocess.run([nvcc.path, "-arch=sm_80", "-ptx", "-o", out, source], check=True, capture_output=True)
    return parse(out.read_text())


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Module:
    return theirs(tmp_path_factory.mktemp("libdevice"))


def outputs(module: Module, kernel: str, case: Case, operands: list[np.ndarray]) -> list[np.ndarray]:
    found = [np.zeros(len(operands[0]), DTYPES[kind]) for kind in case.outputs]
    run(module, kernel, len(operands[0]) // 256, 256, [*operands, *found])
    return found


def is_approximate(name: str) -> bool:
    if name.startswith("fast_"):  # The quotient that the tangent is comes from another instruction.
        return name == "fast_tanf"
    return name in APPROXIMATE or name.removesuffix("f") in APPROXIMATE


def differing(case: Case, ours: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Where two results are not the same: any NaN is any other; approximations may be some units apart."""
    if ours.dtype.kind != "f":
        return ours != wanted
    same = (ours == wanted) & (np.signbit(ours) == np.signbit(wanted)) | np.isnan(ours) & np.isnan(wanted)
    bessel = BESSEL.get(case.name.removesuffix("f"))
    if bessel:
        with np.errstate(all="ignore"):
            bound = np.maximum(bessel * np.spacing(np.abs(wanted)), ABSOLUTE[wanted.dtype.name])
            near = np.abs(ours - wanted) <= np.maximum(bound, 5e-11 * np.abs(wanted))
        return ~(same | near)
    if is_approximate(case.name):
        # libdevice gives infinity for some lengths that are the largest float.
        most = np.finfo(wanted.dtype).max
        with np.errstate(all="ignore"):
            unit = np.spacing(np.maximum(np.abs(wanted), np.finfo(wanted.dtype).tiny))
            same |= np.abs(ours - wanted) <= UNITS * unit
        same |= np.isinf(wanted) & (np.abs(ours) == most)
    return ~same


def wrong(name: str, peer: Module, count: int) -> list[object]:
    """Operands with results that are not libdevice's."""
    case = CASES[name]
    operands = [values(kind, count, 7 + i) for i, kind in enumerate(case.operands)]
    if name.removesuffix("f") in ("jn", "yn"):  # Both take as many steps as the order.
        operands[0] = np.where(operands[0] > 130, operands[0] % 130, operands[0])
        # Beside zero libdevice's jn has no number, and yn of -0 the infinity of either sign.
        operands[1][np.abs(operands[1]) < 1e-12] = 0.5
    ours = outputs(compile_module(case.mlir(), "sm_80"), "k", case, operands)
    wanted = outputs(peer, f"k_{name}", case, operands)
    found: list[object] = []
    for a, b in zip(ours, wanted, strict=True):
        differs = differing(case, a, b)
        if name.startswith("lgamma"):  # CUDA's bound leaves out -11 to -2.26, where its zeros are.
            near = (operands[0] > -11.01) & (operands[0] < -2.26)
            with np.errstate(invalid="ignore"):
                differs &= ~(near & (np.abs(a - b) <= UNITS * np.finfo(a.dtype).eps))
        found += [(name, *(x[i] for x in operands), a[i], b[i]) for i in np.flatnonzero(differs)[:4]]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_gives_what_libdevice_gives(name: str, peer: Module) -> None:
    assert not wrong(name, peer, COUNT)


@pytest.mark.slow
def test_approximations_are_what_libdevice_gives(peer: Module) -> None:
    """All of them, each of some hundred values, so that a wrong coefficient is seen."""
    assert not [
        found for name in NAMES if is_approximate(name) or name.startswith("fast_") for found in wrong(name, peer, FEW)
    ]


def test_all_are_compiled() -> None:
    """Those that few runs compute: every name becomes instructions that the verifier takes."""
    assert [name for name in CASES if not is_known(f"__nv_{name}")] == []
    for name in NAMES[:: one_in(3)]:
        assert list(compile_module(CASES[name].mlir(), "sm_80").kernels), name


@pytest.mark.sample(20)
@pytest.mark.parametrize("name", signatures())
@pytest.mark.parametrize("wrong", ["an operand more", "another operand", "another result"])
def test_other_signatures_are_errors(name: str, wrong: str) -> None:
    result, operands = signatures()[name]
    types = MLIR | {"v": "()"}
    kinds = [types[kind] for kind in operands]
    given = {"an operand more": [*kinds, "i32"], "another operand": ["f16", *kinds[1:]]}.get(wrong, kinds)
    found = "f16" if wrong == "another result" else types[result]
    arguments = ", ".join(f"%a{i}" for i in range(len(given)))
    parameters = ", ".join(f"%a{i}: {kind}" for i, kind in enumerate(given))
    text = f"""llvm.func @__nv_{name}({", ".join(given)}){"" if found == "()" else f" -> {found}"}
        llvm.func @k({parameters}) {{
        {"" if found == "()" else "%r = "}llvm.call @__nv_{name}({arguments}) : ({", ".join(given)}) -> {found}
        llvm.return }}"""
    with pytest.raises(CompileError, match=f"libdevice's '__nv_{name}' has type "):
        compile_module(text, "sm_80")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("expm1", 0.34, 0.5), ("expm1", -1.1, -0.3), ("log1p", 0.42, 0.5), ("log1p", -0.4, -0.25), ("rcbrt", 1.0, 8.0)],
)
def test_within_a_unit_of_the_rounded_result(name: str, low: float, high: float) -> None:
    """CUDA's bound, where errors of the reduction count most: large reduced arguments, small significands."""
    mpmath: Any = pytest.importorskip("mpmath")
    x = np.random.default_rng(4).uniform(low, high, 1024)
    (found,) = outputs(compile_module(CASES[name].mlir(), "sm_80"), "k", CASES[name], [x])
    with mpmath.workprec(120):
        references = {"expm1": mpmath.expm1, "log1p": mpmath.log1p, "rcbrt": lambda v: 1 / mpmath.cbrt(v)}
        exact = [references[name](mpmath.mpf(v)) for v in x.tolist()]
        assert max(abs(y - e) / math.ulp(e) for y, e in zip(found.tolist(), exact, strict=True)) < 1.25


def _long_powers(random: np.random.Generator) -> list[np.ndarray]:
    """Bases around one, and exponents with results at either end of the range."""
    x = np.exp2(random.uniform(-0.5, 0.5, 1024))
    return [x, random.choice([1023.5, -1021.5], 1024) / np.log2(x)]


def _vectors(count: int) -> Any:
    """Vectors with one element much larger than the others, whose rounded squares then count most, or with like ones."""

    def drawn(random: np.random.Generator) -> list[np.ndarray]:
        others = [random.uniform(-1, 1, 1024) * random.choice([1e-5, 1.0], 1024) for _ in range(count - 1)]
        return [random.uniform(0.98, 1.02, 1024), *others]

    return drawn


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("name", "drawn", "bound"),
    [("pow", _long_powers, 2), ("rhypot", _vectors(2), 1), ("rnorm3d", _vectors(3), 1), ("rnorm4d", _vectors(4), 1)],
)
def test_several_arguments_are_within_cudas_bound(name: str, drawn: Any, bound: int) -> None:
    mpmath: Any = pytest.importorskip("mpmath")
    operands = drawn(np.random.default_rng(2))
    (found,) = outputs(compile_module(CASES[name].mlir(), "sm_80"), "k", CASES[name], operands)
    with mpmath.workprec(160):
        for y, *x in zip(found.tolist(), *(o.tolist() for o in operands), strict=True):
            numbers = [mpmath.mpf(v) for v in x]
            exact = numbers[0] ** numbers[1] if name == "pow" else 1 / mpmath.sqrt(sum(v * v for v in numbers))
            assert abs(y - exact) / math.ulp(exact) < bound + 0.5, x


@pytest.mark.parametrize(("kind", "dtype"), [("f32", np.float32), ("f64", np.float64)])
def test_norms_of_arrays(kind: str, dtype: type[np.floating]) -> None:
    """Arrays of any length, with elements whose squares are out of range."""
    suffix = "f" if kind == "f32" else ""
    module = compile_module(
        f"""llvm.func @__nv_norm{suffix}(i32, !llvm.ptr) -> {kind}
        llvm.func @__nv_rnorm{suffix}(i32, !llvm.ptr) -> {kind}
        llvm.func @k(%n: i32, %p: !llvm.ptr, %o: !llvm.ptr) attributes {{nvvm.kernel}} {{
          %r = llvm.call @__nv_norm{suffix}(%n, %p) : (i32, !llvm.ptr) -> {kind}
          %q = llvm.call @__nv_rnorm{suffix}(%n, %p) : (i32, !llvm.ptr) -> {kind}
          %s = llvm.getelementptr %o[1] : (!llvm.ptr) -> !llvm.ptr, {kind}
          llvm.store %r, %o : {kind}, !llvm.ptr
          llvm.store %q, %s : {kind}, !llvm.ptr
          llvm.return }}""",
        "sm_80",
    )
    big, random = float(np.finfo(dtype).max), np.random.default_rng(1)
    cases = [[], [3.0, -4.0], [big / 4] * 3, [np.sqrt(np.finfo(dtype).tiny) / 8] * 5, [np.inf, np.nan], [1.0, np.nan]]
    for values_ in [*cases, list(random.normal(size=33))]:
        given = np.array([*values_, 7.0], dtype)
        out = np.zeros(2, dtype)
        run(module, "k", 1, 1, [len(values_), given, out])
        with np.errstate(all="ignore"):
            exact = np.sqrt(np.sum(given[:-1].astype(np.longdouble) ** 2))
            wanted = np.array([np.inf if np.isinf(given[:-1]).any() else exact, 0.0], np.longdouble)
            wanted[1] = 1 / wanted[0]
            np.testing.assert_allclose(out, wanted.astype(dtype), rtol=4 * float(np.finfo(dtype).eps))
