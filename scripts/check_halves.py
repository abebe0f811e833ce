"""The largest errors of functions of f16 and bf16 over all 65,536 arguments: `python scripts/check_halves.py exp log`.

`--against 0.51` fails where an error is larger; `--record` keeps what is found in `halves.json` for `measure_math`.
References are computed in f64 by `references.c`; weft's code runs on the simulator.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from check_singles import kernel_of, library, place  # pyright: ignore[reportImplicitRelativeImport]

from weft.dataclass import dataclass
from weft.sim import run

KINDS = {"f16": (11, -14, 15), "bf16": (8, -126, 127)}
"""Bits of the significand, the least and the largest exponent of normal numbers."""
EXACT = {
    "absf": np.abs, "ceil": np.ceil, "floor": np.floor, "round": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x),
    "roundeven": np.rint, "trunc": np.trunc,
}  # fmt: skip
"""Functions with exact results."""
NAMES = (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp10", "exp2",
    "expm1", "log", "log10", "log1p", "log2", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh", *EXACT,
)  # fmt: skip
COUNT, THREADS = 1 << 16, 1024
RECORD = Path(__file__).with_name("halves.json")


@dataclass(frozen=True, slots=True)
class Found:
    """The largest error in units in the last place of the exact result, where it is, how many are not the nearest."""

    ulp: float
    at: float
    unlike: int


@cache
def arguments(kind: str) -> Any:
    """All values of a type, as f32."""
    patterns = np.arange(COUNT, dtype=np.uint32)
    if kind == "bf16":
        return (patterns << 16).view(np.float32)
    return patterns.astype(np.uint16).view(np.float16).astype(np.float32)


def results(name: str, kind: str) -> Any:
    """What weft's code gives for all of them, as f64."""
    patterns, out = np.arange(COUNT, dtype=np.uint32).astype(np.uint16), np.zeros(COUNT, np.uint16)
    operation = f"llvm.intr.{name}" if name == "exp10" else f"math.{name}"
    run(kernel_of(operation, kind), "k", COUNT // THREADS, THREADS, [patterns, out], check="fast", engine="native")
    if kind == "f16":
        return out.view(np.float16).astype(np.float64)
    return (out.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def reference(name: str, x: Any) -> Any:
    """The exact results, nearly."""
    if name in EXACT:
        return EXACT[name](x.astype(np.float64))
    lib, out = library("references.c"), np.zeros(len(x))
    lib.reference(lib.find(name.encode()), place(x), place(x), place(out), len(x))
    return out


def errors(found: Any, wanted: Any, kind: str) -> Any:
    """The errors in units in the last place; infinite where a NaN, an infinity or the sign of a zero is wrong."""
    bits, least, most = KINDS[kind]
    top = 2.0 ** (most + 1)
    with np.errstate(all="ignore"):
        exponent = np.frexp(np.abs(wanted))[1] - 1
        unit = np.exp2(np.clip(exponent, least, most) - bits + 1.0)
        near = np.where(np.isinf(found), np.copysign(top, found), found)
        error = np.abs(near - np.clip(wanted, -top, top)) / unit
        wrong = (np.isnan(found) != np.isnan(wanted)) | (np.isinf(wanted) & (found != wanted))
        wrong |= (wanted == 0) & ((found != 0) | (np.signbit(found) != np.signbit(wanted)))
    return np.where(wrong, np.inf, np.where(np.isnan(wanted), 0.0, error))


def worst(name: str, kind: str) -> Found:
    """The largest error over all arguments."""
    x = arguments(kind)
    error = errors(results(name, kind), reference(name, x), kind)
    at = int(error.argmax())
    return Found(float(error[at]), float(x[at]), int((error > 0.5).sum()))


def recorded() -> dict[str, list[str]]:
    """By function the largest error and how many results are not the nearest, of f16 and of bf16."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def main() -> None:
    """Check and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--against", type=float, default=np.inf)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    failed, rows = False, recorded()
    for name in given.names:
        rows[name] = []
        for kind in KINDS:
            found = worst(name, kind)
            rows[name] += [f"{found.ulp:.4f}", str(found.unlike)]
            failed |= found.ulp > given.against
            print(f"{name} {kind}: {found.ulp:.4f} ulp at {found.at!r}, {found.unlike} not the nearest", flush=True)
        if given.record:
            lines = [f"  {json.dumps(key)}: {json.dumps(rows[key])}" for key in sorted(rows)]
            RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    sys.exit(failed)


if __name__ == "__main__":
    main()
