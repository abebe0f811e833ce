"""`convert-complex-to-standard`: its parts compute what those of mlir-opt's pass do, of all pairs of special numbers."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Operation, SSAValue

from weft.dialects.arith.predicates import FLOAT_PREDICATES
from weft.mlir.module import parse_mlir
from weft.transforms import complex_to_standard

TWO = ("add", "atan2", "div", "eq", "mul", "neq", "pow", "sub")
NAMES = sorted(name.removeprefix("complex.") for name in complex_to_standard.LOWERED)
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.75, -3.5, 400.0, np.inf, -np.inf, np.nan, 1e30, -1e-30)
_ORDERED: dict[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal, "gt": np.greater, "ge": np.greater_equal, "lt": np.less, "le": np.less_equal, "ne": np.not_equal,
    "rd": lambda a, b: np.ones(np.broadcast(a, b).shape, bool),
}  # fmt: skip
_COMPUTED: dict[str, Callable[..., Any]] = {
    "arith.addf": np.add, "arith.subf": np.subtract, "arith.mulf": np.multiply, "arith.divf": np.divide,
    "arith.negf": np.negative, "arith.andi": np.logical_and, "arith.ori": np.logical_or, "arith.xori": np.logical_xor,
    "arith.select": np.where, "arith.maximumf": np.maximum, "arith.minimumf": np.minimum, "math.absf": np.abs,
    "math.atan2": np.arctan2, "math.copysign": np.copysign, "math.cos": np.cos, "math.exp": np.exp,
    "math.expm1": np.expm1, "math.fma": lambda a, b, c: a * b + c, "math.log": np.log, "math.log1p": np.log1p,
    "math.powf": np.power, "math.rsqrt": lambda a: 1 / np.sqrt(a), "math.sin": np.sin, "math.sqrt": np.sqrt,
    "complex.create": lambda re, im: (re, im), "complex.re": lambda a: a[0], "complex.im": lambda a: a[1],
}  # fmt: skip


def compared(predicate: str, a: Any, b: Any) -> Any:
    """What `arith.cmpf` says: of numbers only if it is ordered, of others always if it is not."""
    if predicate in ("ord", "uno"):
        return (np.isnan(a) | np.isnan(b)) == (predicate == "uno")
    known = ~(np.isnan(a) | np.isnan(b))
    found = _ORDERED[predicate[1:]](a, b)
    return found & known if predicate[0] == "o" else found | ~known


def interpreted(op: Operation, values: dict[SSAValue, Any]) -> Any:
    """The value of an operation on arrays."""
    given = [values[each] for each in op.operands]
    match op.name:
        case "arith.constant":
            attribute: Any = op.properties["value"]
            one = attribute.value.data
            return bool(one) if attribute.type == i1 else np.float64(one)
        case "complex.constant":
            parts: Any = op.properties["value"]
            return tuple(np.float64(part.value.data) for part in parts)
        case "arith.cmpf":
            predicate: Any = op.properties["predicate"]
            return compared(FLOAT_PREDICATES[predicate.value.data], *given)
        case "arith.sitofp":
            return given[0].astype(np.float64)
        case "arith.select" if isinstance(given[1], tuple):
            return tuple(np.where(given[0], *parts) for parts in zip(*given[1:], strict=True))
        case name:
            return _COMPUTED[name](*given)


def text(name: str, flags: str) -> str:
    """A function of one operation."""
    whole = "complex<f64>"
    operands, types = (
        ("%x, %y", whole) if name in TWO else ("%x, %n", f"{whole}, i32") if name == "powi" else ("%x", whole)
    )
    result = "f64" if name in ("abs", "angle") else "i1" if name in ("eq", "neq") else whole
    has_flags = name not in ("eq", "neq")
    return f"""func.func @{name}(%x: {whole}, %y: {whole}, %n: i32) -> {result} {{
      %r = complex.{name} {operands}{f" fastmath<{flags}>" if has_flags else ""} : {types}
      return %r : {result} }}
    """


@cache
def theirs(mlir_opt: str) -> dict[str, Operation]:
    """The functions after mlir-opt's pass."""
    given = "".join(text(name, "none") for name in NAMES)
    done = subprocess.run(
        [mlir_opt, "-convert-complex-to-standard"], input=given, capture_output=True, text=True, check=True
    )
    return functions(parse_mlir(done.stdout))


def functions(module: ModuleOp) -> dict[str, Operation]:
    found: dict[str, Any] = {}
    for op in module.ops:
        symbol: Any = op.properties["sym_name"]
        found[symbol.data] = op
    return found


def mine(name: str, flags: str = "none") -> Operation:
    """The function of an operation after weft's pass."""
    module = parse_mlir(text(name, flags))
    complex_to_standard.lower_module(module)
    module.verify()
    return functions(module)[name]


def numbers(count: int) -> tuple[Any, Any]:
    """Numbers of two special parts each, all pairs of them or with `count` others, and random ones."""
    some = np.array([complex(re, im) for re, im in product(SPECIAL, SPECIAL)])
    rng = np.random.default_rng(3)
    drawn = rng.standard_normal((2, 100)) * 3 + 1j * rng.standard_normal((2, 100))
    x, y = np.meshgrid(some, some[:count])
    return np.append(x, drawn[0]), np.append(y, drawn[1])


def results(function: Operation, x: Any, y: Any) -> tuple[Any, ...]:
    """The parts of what a function returns of arrays."""
    (block,) = function.regions[0].blocks
    counts = np.arange(len(x)) % 9 - 4
    values: dict[SSAValue, Any] = dict(zip(block.args, ((x.real, x.imag), (y.real, y.imag), counts), strict=True))
    with np.errstate(all="ignore"):
        for op in block.ops:
            if not op.results:
                found = values[op.operands[0]]
                return found if isinstance(found, tuple) else (found,)
            values[op.results[0]] = interpreted(op, values)
    raise AssertionError


def _same(a: Any, b: Any, bound: float) -> Any:
    """Where two numbers are the same, but for a relative error: if it is none, zeros with their signs."""
    if a.dtype == bool:
        return a == b
    with np.errstate(all="ignore"):
        near = (a == b) | (np.abs(a - b) <= bound * np.abs(b))
    return (np.isnan(a) & np.isnan(b)) | (near & (bool(bound) | (np.signbit(a) == np.signbit(b))))


BOUNDS = {"expm1": 1e-13, "pow": 1e-12, "powi": 1e-12}
"""How far results may be away, where the passes associate otherwise."""


@pytest.mark.parametrize("name", NAMES)
def test_results(name: str, mlir_opt: str) -> None:
    x, y = numbers(1000 if name in TWO else 1)
    for a, b in zip(results(mine(name), x, y), results(theirs(mlir_opt)[name], x, y), strict=True):
        wrong = np.flatnonzero(~_same(a, b, BOUNDS.get(name, 0.0)))
        assert not [(x[i], y[i], a[i], b[i]) for i in wrong]


@pytest.mark.sample(7)
@pytest.mark.parametrize("name", sorted(set(NAMES) - {"eq", "neq"}))
def test_flags_of_fast_mathematics_are_passed_on(name: str) -> None:
    (block,) = mine(name, "contract,nsz").regions[0].blocks
    arithmetic = {op.name: op.properties.get("fastmath") for op in block.ops if op.name.startswith(("arith.", "math."))}
    plain = {"arith.constant", "arith.select", "arith.andi", "arith.ori", "arith.sitofp"}
    wanted: set[Any] = {FastMathFlagsAttr([FastMathFlag.ALLOW_CONTRACT, FastMathFlag.NO_SIGNED_ZEROS])}
    assert {flags for name, flags in arithmetic.items() if name not in plain} <= wanted
    assert {flags for name, flags in arithmetic.items() if name in plain} <= {None}
