"""Integers whose bounds are known, as floats: what is just within what a float or 32 bits hold, and what is beyond."""

from __future__ import annotations

import ml_dtypes
import numpy as np

import weft

BOUNDS = ((1 << 24) - 1, 1 << 24, (1 << 24) + 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32)
FLOATS = {
    "bf16": (8, ml_dtypes.bfloat16, np.uint16),
    "f32": (24, np.float32, np.uint32),
    "f64": (53, np.float64, np.uint64),
}


def _rounded(number: int, digits: int) -> int:
    """The nearest integer of so many binary digits; the even one of two."""
    cut = max(0, abs(number).bit_length() - digits)
    whole, rest = divmod(abs(number), 1 << cut)
    whole += 2 * rest > 1 << cut or (2 * rest == 1 << cut and whole & 1)
    return (whole << cut) * (-1 if number < 0 else 1)


def _cases() -> list[tuple[str, int, int, str]]:
    """Operations that bound a number, the bounds, and how it is read."""
    found: list[tuple[str, int, int, str]] = []
    for bound in BOUNDS:
        text = f"%c = llvm.mlir.constant({bound} : i64) : i64\n%r = llvm.intr.umin(%a, %c) : (i64, i64) -> i64"
        found += [(text, 0, bound, letter) for letter in "us"]
        for low in (-bound, -bound - 1):
            text = f"""%c = llvm.mlir.constant({bound} : i64) : i64
              %l = llvm.mlir.constant({low} : i64) : i64
              %m = llvm.intr.smin(%a, %c) : (i64, i64) -> i64
              %r = llvm.intr.smax(%m, %l) : (i64, i64) -> i64"""
            found.append((text, low, bound, "s"))
    return found


def test_integers_with_bounds() -> None:
    numbers = sorted({sign * (bound + by) for bound in BOUNDS for by in (-1, 0, 1) for sign in (1, -1)} | {0, 1, -7})
    cases = [(*case, name) for case in _cases() for name in FLOATS]
    lines: list[str] = []
    for at, (text, _, _, letter, name) in enumerate(cases):
        for word in ("c", "l", "m", "r"):
            text = text.replace(f"%{word}", f"%{word}{at}")
        lines += [
            text,
            f"%f{at} = llvm.{letter}itofp %r{at} : i64 to {name}",
            f"%o{at} = llvm.getelementptr %out[%t, {at}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<{len(cases)} x f64>",
            f"llvm.store %f{at}, %o{at} : {name}, !llvm.ptr<1>",
        ]
    body = "\n".join(lines)
    module = weft.compile(
        f"""llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
          %t = nvvm.read.ptx.sreg.tid.x : i32
          %p = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
          %a = llvm.load %p : !llvm.ptr<1> -> i64
          {body}
          llvm.return
        }}""",
        "sm_80",
    )
    out = np.zeros((len(numbers), len(cases)), np.uint64)
    weft.run(module, "k", 1, len(numbers), [np.array(numbers, np.int64), out], check="fast")
    for number, row in zip(numbers, out, strict=True):
        for (text, low, high, letter, name), found in zip(cases, row, strict=True):
            given = number % (1 << 64) if low == 0 else number
            digits, type_, bits = FLOATS[name]
            wanted = _rounded(max(low, min(high, given)), digits)
            assert int(np.array(int(found), bits).view(type_).astype(np.float64)) == wanted, (
                text,
                letter,
                name,
                number,
            )
