"""Random kernels over the operations of `triton.language`, with what NumPy says of them.

`cases(seed, target)` gives kernels of every group in turn: element-wise operations, casts, reductions, scans, sorts,
shapes, products, atomics, control flow and accesses, over types, shapes and numbers of warps.
"""

# pyright: basic

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

F8, F8E5, BF16 = np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(ml_dtypes.float8_e5m2), np.dtype(ml_dtypes.bfloat16)
F16, F32, F64 = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)
SIGNED = [np.dtype(f"i{n}") for n in (1, 2, 4, 8)]
UNSIGNED = [np.dtype(f"u{n}") for n in (1, 2, 4, 8)]
INTEGERS, FLOATS = SIGNED + UNSIGNED, [F16, BF16, F32, F64]
NAMES = {
    **{d: f"tl.int{8 * d.itemsize}" for d in SIGNED}, **{d: f"tl.uint{8 * d.itemsize}" for d in UNSIGNED},
    F16: "tl.float16", BF16: "tl.bfloat16", F32: "tl.float32", F64: "tl.float64", F8: "tl.float8e4nv", F8E5: "tl.float8e5",
}  # fmt: skip
EPSILON = {F16: 1e-3, BF16: 8e-3, F32: 3e-6, F64: 1e-12, F8: 0.07, F8E5: 0.13}


@dataclass
class Case:
    """A kernel: `body` uses x0, x1, ... for inputs and o0, o1, ... for outputs; `want` are the outputs."""

    group: str
    body: str
    inputs: list[np.ndarray]
    want: list[np.ndarray]
    tolerance: float = 0.0
    outputs: list[np.ndarray] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    helpers: str = ""
    grid: tuple[int, ...] = (1,)

    @property
    def source(self) -> str:
        parameters = [f"x{n}" for n in range(len(self.inputs))] + [f"o{n}" for n in range(len(self.want))]
        lines = [line for line in self.body.splitlines() if line.strip()]
        indent = min(len(line) - len(line.lstrip()) for line in lines)
        body = "\n".join("    " + line[indent:] for line in lines)
        return (
            "import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n\n"
            f"{self.helpers}\n\n@triton.jit\ndef kernel({', '.join(parameters)}):\n{body}\n"
        )


def run(case: Case, folder: Path) -> str:
    """Run a case; what is wrong, or an empty text."""
    path = folder / f"case_{abs(hash(case.source)):x}.py"
    path.write_text(case.source)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    outputs = [o.copy() for o in case.outputs or [np.zeros_like(w) for w in case.want]]
    module.kernel[case.grid](*case.inputs, *outputs, **case.options)
    for number, (got, want) in enumerate(zip(outputs, case.want, strict=True)):
        wrong = differences(got, want, case.tolerance)
        if wrong is not None:
            return f"o{number}{list(wrong)}: {got[wrong]} instead of {want[wrong]}"
    return ""


def differences(got: np.ndarray, want: np.ndarray, tolerance: float) -> tuple | None:
    """The index of the first element that is wrong."""
    if got.dtype.kind in "biu" or not tolerance:
        bad = (
            (got.view(f"u{got.itemsize}") != want.view(f"u{want.itemsize}"))
            if got.dtype.kind not in "biu"
            else got != want
        )
        bad &= ~((got != got) & (want != want))
    else:
        a, b = got.astype(np.float64), want.astype(np.float64)
        with np.errstate(all="ignore"):
            close = (np.abs(a - b) <= tolerance * np.maximum(1, np.abs(b))) | (a == b) | (np.isnan(a) & np.isnan(b))
        bad = ~close
    return tuple(map(int, np.argwhere(bad)[0])) if bad.any() else None


class Generator:
    def __init__(self, seed: int, target: str) -> None:
        self.rng = np.random.default_rng(seed)
        self.sm = int(target[3:].rstrip("af"))

    def choose(self, options: Any) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def array(self, dtype: np.dtype, shape: tuple[int, ...], low: float = -4, high: float = 4) -> np.ndarray:
        if dtype.kind in "iu":
            info = np.iinfo(dtype)
            if self.rng.random() < 0.5:
                return self.rng.integers(info.min, info.max, shape, dtype, endpoint=True)
            return self.rng.integers(max(info.min, -20), 20, shape).astype(dtype)
        return self.rng.uniform(low, high, shape).astype(dtype)

    def options(self) -> dict[str, Any]:
        return {"num_warps": self.choose([1, 2, 4, 4, 8])}

    # -- element-wise ------------------------------------------------------------------------------------------

    def unary(self) -> Case:
        n = self.choose([16, 64, 128, 512])
        dtype = self.choose([F32, F32, F64])
        x = self.array(dtype, (n,), 0.1, 6)
        erf = np.vectorize(__import__("math").erf)
        table = {
            "tl.exp(x)": np.exp, "tl.exp2(x)": np.exp2, "tl.log(x)": np.log, "tl.log2(x)": np.log2, "tl.sin(x)": np.sin,
            "tl.cos(x)": np.cos, "tl.sqrt(x)": np.sqrt, "tl.rsqrt(x)": lambda v: 1 / np.sqrt(v), "tl.abs(-x)": np.abs,
            "tl.floor(x)": np.floor, "tl.ceil(x)": np.ceil, "tl.erf(x)": erf, "-x": np.negative,
            "tl.sigmoid(x)": lambda v: 1 / (1 + np.exp(-v)), "libdevice.tanh(x)": np.tanh, "libdevice.round(x)": np.rint,
            "libdevice.log1p(x)": np.log1p, "libdevice.cbrt(x)": np.cbrt, "libdevice.atan(x)": np.arctan,
        }  # fmt: skip
        if dtype == F32:
            table |= {
                "tl.sqrt_rn(x)": np.sqrt,
                "tl.div_rn(1.0, x)": lambda v: 1 / v,
                "tl.fdiv(2.0, x)": lambda v: 2 / v,
            }
        chosen = [self.choose(list(table)) for _ in range(6)]
        body = f"i = tl.arange(0, {n})\nx = tl.load(x0 + i)\n"
        body += "\n".join(f"tl.store(o{k} + i, {e})" for k, e in enumerate(chosen))
        with np.errstate(all="ignore"):
            want = [table[e](x.astype(np.float64)).astype(dtype) for e in chosen]
        # div and round halves aside, these are approximations within some units in the last place
        return Case("unary", body, [x], want, 4e-6 if dtype == F32 else 1e-11, options=self.options())

    def binary(self) -> Case:
        n = self.choose([32, 128, 256])
        dtype = self.choose(INTEGERS + FLOATS)
        x, y = self.array(dtype, (n,)), self.array(dtype, (n,))
        y[y == 0] = 1
        tables: dict[str, Callable] = {
            "x + y": np.add, "x - y": np.subtract, "x * y": np.multiply, "tl.maximum(x, y)": np.maximum,
            "tl.minimum(x, y)": np.minimum, "tl.where(x < y, x, y)": np.minimum, "tl.where(x >= y, y, x)": np.minimum,
            "tl.where((x == y) | (x > y), x, y)": np.maximum,
        }  # fmt: skip
        bits = 8 * dtype.itemsize
        if dtype.kind in "iu":
            shift = (y.view(f"u{dtype.itemsize}") % bits).astype(dtype)
            tables |= {
                "x & y": np.bitwise_and, "x | y": np.bitwise_or, "x ^ y": np.bitwise_xor, "~x": lambda a, b: ~a,
                "x // y": lambda a, b: truncated(a, b)[0], "x % y": lambda a, b: truncated(a, b)[1],
                "x << tl.load(x2 + i)": lambda a, b: np.left_shift(a, shift),
                "x >> tl.load(x2 + i)": lambda a, b: np.right_shift(a, shift),
            }  # fmt: skip
            if dtype in (np.uint32, np.uint64):
                tables["tl.umulhi(x, y)"] = lambda a, b: np.array(
                    [(int(p) * int(q)) >> bits for p, q in zip(a, b, strict=True)], dtype
                )
        else:
            shift = y
            tables |= {"x / y": np.divide, "tl.fma(x, y, x)": lambda a, b: a.astype(F64) * b + a}
            tables |= {"tl.clamp(x, -1.0, 1.5)": lambda a, b: np.clip(a, -1, 1.5)}
        chosen = [self.choose(list(tables)) for _ in range(6)]
        body = f"i = tl.arange(0, {n})\nx = tl.load(x0 + i)\ny = tl.load(x1 + i)\n"
        body += "\n".join(f"tl.store(o{k} + i, {e})" for k, e in enumerate(chosen))
        with np.errstate(all="ignore"):
            want = [np.asarray(tables[e](x, y)).astype(dtype) for e in chosen]
        tolerance = 0.0 if dtype.kind in "iu" else 2 * EPSILON[dtype]
        return Case("binary", body, [x, y, shift], want, tolerance, options=self.options())

    def compare(self) -> Case:
        n = self.choose([32, 128])
        dtype = self.choose(INTEGERS + FLOATS)
        x, y = self.array(dtype, (n,)), self.array(dtype, (n,))
        y[::3] = x[::3]
        if dtype.kind not in "iu":
            x[1::7] = np.nan
        operators = {
            "<": np.less,
            "<=": np.less_equal,
            ">": np.greater,
            ">=": np.greater_equal,
            "==": np.equal,
            "!=": np.not_equal,
        }
        body = f"i = tl.arange(0, {n})\nx = tl.load(x0 + i)\ny = tl.load(x1 + i)\n"
        body += "\n".join(f"tl.store(o{k} + i, (x {o} y).to(tl.int8))" for k, o in enumerate(operators))
        return Case(
            "compare", body, [x, y], [f(x, y).astype(np.int8) for f in operators.values()], options=self.options()
        )

    def cast(self) -> Case:
        n = self.choose([32, 64, 256])
        small = {F8, F8E5} if self.sm >= 89 else {F8E5}
        source, to = (
            self.choose([*INTEGERS, *FLOATS, *sorted(small, key=str)]),
            self.choose([*INTEGERS, *FLOATS, *sorted(small, key=str)]),
        )
        if source in small and (to.kind in "iu" or to in small):
            to = F32
        if F64 in (source, to) and small & {source, to}:  # Triton has no such conversions
            source, to = (F32 if one == F64 else one for one in (source, to))
        if to in small and source.kind in "iu":
            source = F32
        x = self.array(source, (n,), -100, 100)
        if source.kind in "iu" and to in (F16, F8, F8E5):
            x = self.rng.integers(0 if source.kind == "u" else -90, 90, n).astype(source)
        if to.kind in "iu" and source.kind not in "iu":
            x = self.rng.uniform(0 if to.kind == "u" else -90, 90, n).astype(source)
        with np.errstate(all="ignore"):
            want = np.trunc(x.astype(F64)).astype(to) if to.kind in "iu" and source.kind not in "iu" else x.astype(to)
        body = f"i = tl.arange(0, {n})\ntl.store(o0 + i, tl.load(x0 + i).to({NAMES[to]}))"
        return Case("cast", body, [x], [want], options=self.options())

    def bitcast(self) -> Case:
        size = self.choose([1, 2, 4, 8])
        n = self.choose([32, 128])
        x = self.array(np.dtype(f"u{size}"), (n,))
        other = self.choose([d for d in INTEGERS + FLOATS if d.itemsize == size])
        body = f"i = tl.arange(0, {n})\ntl.store(o0 + i, tl.load(x0 + i).to({NAMES[other]}, bitcast=True))"
        return Case("bitcast", body, [x], [x.view(other)], options=self.options())

    # -- reductions, scans, orders -----------------------------------------------------------------------------

    def _shape(self) -> tuple[int, int]:
        return self.choose([1, 2, 8, 16, 32, 64]), self.choose([4, 16, 32, 64, 128])

    def reduction(self) -> Case:
        m, n = self._shape()
        dtype = self.choose([*SIGNED[2:], *UNSIGNED[2:], F16, F32, F64, np.dtype(np.int8)])
        axis = int(self.rng.integers(2))
        x = self.array(dtype, (m, n))
        kind = self.choose(["sum", "max", "min", "argmax", "argmin", "xor_sum", "custom"])
        if kind == "xor_sum" and dtype.kind not in "iu":
            kind = "sum"
        helpers = ""
        wide = (
            dtype if dtype.itemsize >= 4 or kind in ("max", "min") else np.dtype(np.int32) if dtype.kind == "i" else F16
        )
        if kind == "custom":
            helpers = "@triton.jit\ndef combine(a, b):\n    return tl.where(a > b, a, b)"
            expression, want = f"tl.reduce(x, {axis}, combine)", x.max(axis)
        elif kind.startswith("arg"):
            expression, want = f"tl.{kind}(x, {axis})", getattr(np, kind)(x, axis).astype(np.int32)
        elif kind == "xor_sum":
            expression, want = f"tl.xor_sum(x, {axis})", np.bitwise_xor.reduce(x, axis)
        elif kind == "sum":
            with np.errstate(all="ignore"):
                want = x.astype(F64 if dtype.kind == "f" else wide).sum(axis).astype(wide)
            expression = f"tl.sum(x, {axis})"
        else:
            expression, want = f"tl.{kind}(x, {axis})", getattr(x, kind)(axis)
        keep = "" if self.rng.random() < 0.5 else "True"
        rest = n if axis == 0 else m
        body = f"i = tl.arange(0, {m})[:, None]\nj = tl.arange(0, {n})[None, :]\nx = tl.load(x0 + i * {n} + j)\n"
        if keep and kind in ("sum", "max", "min"):
            expression = expression[:-1] + ", keep_dims=True)"
            place = f"tl.arange(0, {rest})" + ("[None, :]" if axis == 0 else "[:, None]")
        else:
            place = f"tl.arange(0, {rest})"
        body += f"tl.store(o0 + {place}, {expression})"
        tolerance = 0.0 if want.dtype.kind in "iu" else 20 * EPSILON[dtype]
        return Case("reduction", body, [x], [want], tolerance, options=self.options(), helpers=helpers)

    def scan(self) -> Case:
        m, n = self._shape()
        dtype = self.choose([np.dtype(np.int32), np.dtype(np.int64), F32, F64, np.dtype(np.uint32)])
        axis, reverse = int(self.rng.integers(2)), bool(self.rng.random() < 0.4)
        x = self.array(dtype, (m, n)) if dtype.kind in "iu" else self.rng.uniform(0.9, 1.1, (m, n)).astype(dtype)
        kind = self.choose(["cumsum", "cumprod", "maximum"])
        flip = (lambda v: np.flip(v, axis)) if reverse else (lambda v: v)
        helpers = "@triton.jit\ndef combine(a, b):\n    return tl.maximum(a, b)"
        with np.errstate(all="ignore"):
            if kind == "maximum":
                expression = f"tl.associative_scan(x, {axis}, combine, reverse={reverse})"
                want = flip(np.maximum.accumulate(flip(x), axis))
            else:
                expression = f"tl.{kind}(x, {axis}, reverse={reverse})"
                want = flip(getattr(np, kind)(flip(x), axis, dtype=dtype))
        body = f"""
        i = tl.arange(0, {m})[:, None]
        j = tl.arange(0, {n})[None, :]
        x = tl.load(x0 + i * {n} + j)
        tl.store(o0 + i * {n} + j, {expression})
        """
        tolerance = 0.0 if dtype.kind in "iu" else 200 * EPSILON[dtype]
        return Case("scan", body, [x], [np.ascontiguousarray(want)], tolerance, options=self.options(), helpers=helpers)

    def order(self) -> Case:
        m, n = self.choose([1, 4, 8]), self.choose([4, 16, 32, 64])
        dtype = self.choose([np.dtype(np.int32), np.dtype(np.int16), F32, F16, np.dtype(np.uint8)])
        x = self.array(dtype, (m, n))
        kind = self.choose(["sort", "descending", "topk", "flip", "gather", "histogram"])
        body = f"i = tl.arange(0, {m})[:, None]\nj = tl.arange(0, {n})[None, :]\nx = tl.load(x0 + i * {n} + j)\n"
        inputs, options = [x], self.options()
        if kind == "sort":
            body, want = body + f"tl.store(o0 + i * {n} + j, tl.sort(x))", np.sort(x, 1)
        elif kind == "descending":
            body += f"tl.store(o0 + i * {n} + j, tl.sort(x, descending=True))"
            want = np.sort(x, 1)[:, ::-1].copy()
        elif kind == "topk":
            k = self.choose([1, 2, 4])
            body += f"tl.store(o0 + i * {k} + tl.arange(0, {k})[None, :], tl.topk(x, {k}))"
            want = np.sort(x, 1)[:, ::-1][:, :k].copy()
        elif kind == "flip":
            body, want = body + f"tl.store(o0 + i * {n} + j, tl.flip(x, 1))", x[:, ::-1].copy()
        elif kind == "gather":
            at = self.rng.integers(0, n, (m, n)).astype(np.int32)
            inputs.append(at)
            body += f"tl.store(o0 + i * {n} + j, tl.gather(x, tl.load(x1 + i * {n} + j), 1))"
            want = np.take_along_axis(x, at, 1)
        else:
            values = self.rng.integers(0, 16, 256).astype(np.int32)
            inputs = [values]
            body = "h = tl.histogram(tl.load(x0 + tl.arange(0, 256)), 16)\ntl.store(o0 + tl.arange(0, 16), h)"
            want = np.bincount(values, minlength=16).astype(np.int32)
        return Case("order", body, inputs, [want], options=options)

    def shapes(self) -> Case:
        m, n = self.choose([2, 4, 16]), self.choose([8, 16, 32])
        dtype = self.choose([np.dtype(np.int8), F16, np.dtype(np.int32), F64])
        x, y = self.array(dtype, (m, n)), self.array(dtype, (m, n))
        head = f"""
        i = tl.arange(0, {m})[:, None]
        j = tl.arange(0, {n})[None, :]
        x = tl.load(x0 + i * {n} + j)
        y = tl.load(x1 + i * {n} + j)
        """
        flat = f"tl.arange(0, {m * n})"
        forms = {
            f"tl.store(o0 + {flat}, tl.reshape(tl.trans(x), [{m * n}]))": x.T.reshape(-1),
            f"tl.store(o0 + {flat}, tl.ravel(tl.permute(tl.reshape(x, [2, {m // 2}, {n}]), [2, 0, 1])))": x.reshape(
                2, m // 2, n
            ).transpose(2, 0, 1).reshape(-1),
            f"tl.store(o0 + tl.arange(0, {2 * m * n}), tl.reshape(tl.join(x, y), [{2 * m * n}]))": np.stack(
                [x, y], 2
            ).reshape(-1),
            f"a, b = tl.split(tl.reshape(x, [{m}, {n // 2}, 2]))\n        "
            f"tl.store(o0 + tl.arange(0, {m * n // 2}), tl.ravel(a))": x.reshape(m, n // 2, 2)[..., 0].reshape(-1),
            f"tl.store(o0 + i * {2 * n} + tl.arange(0, {2 * n})[None, :], tl.interleave(x, y))": np.stack(
                [x, y], 2
            ).reshape(m, 2 * n),
            f"tl.store(o0 + tl.arange(0, {2 * m * n}), tl.cat(tl.ravel(x), tl.ravel(y)))": np.concatenate(
                [x.reshape(-1), y.reshape(-1)]
            ),
            f"tl.store(o0 + i * {n} + j, tl.broadcast_to(tl.expand_dims(tl.load(x0 + tl.arange(0, {n})), 0), [{m}, {n}]))":
                np.broadcast_to(x[0], (m, n)).copy(),
            f"tl.store(o0 + i * {n} + j, x + tl.max(y, 1)[:, None] * 0)": x,
        }  # fmt: skip
        form = self.choose(list(forms))
        return Case("shapes", head + form, [x, y], [np.ascontiguousarray(forms[form])], options=self.options())

    # -- products ----------------------------------------------------------------------------------------------

    def product(self) -> Case:
        kinds = [(F16, F32), (BF16, F32), (F16, F16), (F32, F32), (np.dtype(np.int8), np.dtype(np.int32)), (F64, F64)]
        if self.sm >= 89:
            kinds += [(F8, F32), (F8E5, F32)]
        dtype, out = self.choose(kinds)
        m, n, k = (self.choose([16, 32, 64, 128]) for _ in range(3))
        k = max(k, 32 if dtype.itemsize == 1 else 16)
        if dtype == F64:
            m, n, k = 32, 32, 32
        a, b = self.array(dtype, (m, k), -2, 2), self.array(dtype, (k, n), -2, 2)
        extra, tolerance = "", 0.05 if out == F16 else 1e-3
        if dtype == F32:
            mode = self.choose(["tf32", "ieee", "tf32x3"])
            extra, tolerance = f", input_precision='{mode}'", 0.05 if mode == "tf32" else 1e-3
        elif dtype.kind == "i":
            tolerance = 0.0
        transposed = self.rng.random() < 0.5 and dtype.itemsize > 1
        options = {**self.options(), "num_stages": self.choose([1, 2, 3])}
        if transposed:
            load = f"b = tl.trans(tl.load(x1 + tl.arange(0, {n})[:, None] * {k} + tl.arange(0, {k})[None, :]))"
        else:
            load = f"b = tl.load(x1 + tl.arange(0, {k})[:, None] * {n} + tl.arange(0, {n})[None, :])"
        body = f"""
        i = tl.arange(0, {m})[:, None]
        a = tl.load(x0 + i * {k} + tl.arange(0, {k})[None, :])
        {load}
        c = tl.dot(a, b, out_dtype={NAMES[out]}{extra})
        tl.store(o0 + i * {n} + tl.arange(0, {n})[None, :], c)
        """
        wide = np.int64 if dtype.kind == "i" else F64
        want = (a.astype(wide) @ b.astype(wide)).astype(out)
        return Case(
            "product", body, [a, np.ascontiguousarray(b.T) if transposed else b], [want], tolerance, options=options
        )

    def loop_product(self) -> Case:
        m, n, k = self.choose([32, 64]), self.choose([32, 64]), self.choose([64, 160])
        dtype = self.choose([F16, BF16])
        a, b = self.array(dtype, (m, k), -2, 2), self.array(dtype, (k, n), -2, 2)
        body = f"""
        i = tl.arange(0, {m})[:, None]
        j = tl.arange(0, {n})[None, :]
        c = tl.zeros(({m}, {n}), tl.float32)
        for s in tl.range(0, {k}, 32, num_stages={self.choose([1, 2, 3, 4])}):
            kk = s + tl.arange(0, 32)
            a = tl.load(x0 + i * {k} + kk[None, :], mask=kk[None, :] < {k}, other=0.0)
            b = tl.load(x1 + kk[:, None] * {n} + j, mask=kk[:, None] < {k}, other=0.0)
            c = tl.dot(a, b, c)
        tl.store(o0 + i * {n} + j, c.to({NAMES[dtype]}))
        """
        want = (a.astype(F64) @ b.astype(F64)).astype(dtype)
        return Case("loop_product", body, [a, b], [want], 4 * EPSILON[dtype], options=self.options())

    def batched_product(self) -> Case:
        a, b = self.array(F16, (4, 16, 16), -2, 2), self.array(F16, (4, 16, 32), -2, 2)
        body = """
        z = tl.arange(0, 4)[:, None, None]
        i = tl.arange(0, 16)[None, :, None]
        k = tl.arange(0, 16)[None, None, :]
        j = tl.arange(0, 32)[None, None, :]
        c = tl.dot(tl.load(x0 + z * 256 + i * 16 + k), tl.load(x1 + z * 512 + i * 32 + j))
        tl.store(o0 + z * 512 + i * 32 + j, c)
        """
        want = (a.astype(F64) @ b.astype(F64)).astype(F32)
        return Case("batched_product", body, [a, b], [want], 1e-3, options=self.options())

    # -- atomics -----------------------------------------------------------------------------------------------

    def atomic(self) -> Case:
        name = self.choose(["add", "max", "min", "and", "or", "xor", "xchg", "cas"])
        floats = [F16, BF16, F32, F64] if name == "add" else [F32, F64] if name in ("max", "min") else []
        whole = [np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.uint32), np.dtype(np.uint64)]
        dtype = self.choose(whole + floats)
        n, cells = self.choose([32, 128]), self.choose([1, 4, 16])
        sem, scope = self.choose(["relaxed", "acquire", "release", "acq_rel"]), self.choose(["cta", "gpu", "sys"])
        x = self.rng.integers(1, 4, n).astype(dtype) if dtype.kind not in "iu" else self.array(dtype, (n,))
        start = self.rng.integers(0, 9, cells).astype(dtype)
        at = np.arange(n) % cells
        want = start.copy()
        head = f"i = tl.arange(0, {n})\nx = tl.load(x0 + i)\n"
        how = f"sem='{sem}', scope='{scope}'"
        if name in ("xchg", "cas"):
            cells, at = n, np.arange(n)
            start = self.rng.integers(0, 2, n).astype(dtype)
            if name == "xchg":
                body = head + f"tl.store(o1 + i, tl.atomic_xchg(o0 + i, x, {how}))"
                want = x
            else:
                body = head + f"tl.store(o1 + i, tl.atomic_cas(o0 + i, tl.full([{n}], 1, {NAMES[dtype]}), x, {how}))"
                want = np.where(start == 1, x, start)
            return Case("atomic", body, [x], [want, start], outputs=[start, np.zeros(n, dtype)], options=self.options())
        with np.errstate(all="ignore"):
            operation = {"add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or,
                         "xor": np.bitwise_xor}[name]  # fmt: skip
            masked = self.rng.random() < 0.5
            for k in range(n - 5 if masked else n):
                want[at[k]] = operation(want[at[k]], x[k])
        mask = f", mask=i < {n - 5}" if masked else ""
        body = head + f"tl.atomic_{name}(o0 + i % {cells}, x{mask}, {how})"
        return Case(
            "atomic", body, [x], [want], outputs=[start], options=self.options(), tolerance=EPSILON.get(dtype, 0.0)
        )

    # -- control flow and accesses -----------------------------------------------------------------------------

    def control(self) -> Case:
        n = self.choose([16, 64])
        x = self.rng.integers(0, 30, n).astype(np.int32)
        count = int(self.rng.integers(1, 9))
        helpers = "@triton.jit(noinline=True)\ndef far(a, b):\n    return a * 3 + b\n\n\n@triton.jit\ndef near(a):\n    return a - 1, a + 1"
        body = f"""
        i = tl.arange(0, {n})
        x = tl.load(x0 + i)
        count = tl.load(x1)
        total = tl.zeros([{n}], tl.int32)
        k = 0
        while k < count:
            total += x + k
            if k % 2 == 0:
                total += 1
            else:
                total -= tl.sum(x, 0)
            k += 1
        for q in tl.static_range(3):
            total += q * x
        low, high = near(total)
        for r in range(count, 0, -1):
            if r == 3:
                total += 100
        tl.store(o0 + i, total + low * 2 - high)
        tl.store(o1, far(tl.sum(x, 0), count))
        """
        total = np.zeros(n, np.int64)
        for k in range(count):
            total += x + k
            total += 1 if k % 2 == 0 else -x.sum()
        total += 3 * x
        low, high = total - 1, total + 1
        total = total + (100 if count >= 3 else 0)
        want = (total + low * 2 - high).astype(np.int32)
        scalar = np.array([x.sum() * 3 + count], np.int32)
        inputs = [x, np.array([count], np.int32)]
        return Case("control", body, inputs, [want, scalar], options=self.options(), helpers=helpers)

    def access(self) -> Case:
        m, n = self.choose([8, 16, 32]), self.choose([8, 16, 64])
        rows, columns = int(self.rng.integers(1, m + 1)), int(self.rng.integers(1, n + 1))
        dtype = self.choose([np.dtype(np.int8), F16, F32, np.dtype(np.int64), BF16])
        whole = self.array(dtype, (rows, columns + 3))
        kind = self.choose(["mask", "modifier", "strided", "descriptor"])
        stride = columns + 3
        want = np.zeros((m, n), dtype)
        want[:rows, :columns] = whole[:, 1 : 1 + columns]
        store = f"tl.store(o0 + tl.arange(0, {m})[:, None] * {n} + tl.arange(0, {n})[None, :], x)"
        grid = f"tl.arange(0, {m})[:, None] * {stride} + tl.arange(0, {n})[None, :] + 1"
        mask = f"(tl.arange(0, {m})[:, None] < {rows}) & (tl.arange(0, {n})[None, :] < {columns})"
        inputs = [whole]
        if kind == "mask":
            body = f"x = tl.load(x0 + {grid}, mask={mask}, other=0)\n{store}"
        elif kind == "modifier":
            modifier, policy = self.choose(
                [(".ca", ""), (".cg", ""), (".cv", ""), ("", "evict_first"), ("", "evict_last")]
            )
            body = f"x = tl.load(x0 + {grid}, mask={mask}, other=0, cache_modifier='{modifier}', eviction_policy='{policy}')"
            body += "\n" + store.replace(", x)", f", x, cache_modifier='{self.choose(['.wb', '.cg', '.cs', '.wt'])}')")
        elif kind == "strided":
            inputs = [np.ascontiguousarray(whole.T)]
            place = f"tl.arange(0, {m})[:, None] + (tl.arange(0, {n})[None, :] + 1) * {rows}"
            body = f"x = tl.load(x0 + {place}, mask={mask}, other=0)\n{store}"
        else:
            if dtype == np.int64:
                dtype, whole = F32, whole.astype(F32)
            size = dtype.itemsize
            pitch = -(-columns * size // 16) * 16 // size
            padded = np.zeros((rows, pitch), dtype)
            padded[:, :columns] = whole[:, :columns]
            inputs, want = [padded], np.zeros((m, n), dtype)
            want[:rows, :columns] = padded[:, :columns]
            n_least = max(n, 16 // size)
            if n_least != n:
                return self.access()
            body = f"""
            d = tl.make_tensor_descriptor(x0, [{rows}, {columns}], [{pitch}, 1], [{m}, {n}])
            x = d.load([0, 0])
            {store}
            """
        return Case("access", body, inputs, [want], options=self.options())

    def assembly(self) -> Case:
        n = self.choose([32, 128, 512])
        x = self.array(np.dtype(np.int32), (n,))
        pack = self.choose([1, 2])
        text = "; ".join(f"shf.l.wrap.b32 ${k}, ${pack + k}, ${pack + k}, 7" for k in range(pack))
        constraints = ",".join(["=r"] * pack + ["r"] * pack)
        body = f"""
        i = tl.arange(0, {n})
        x = tl.load(x0 + i)
        y = tl.inline_asm_elementwise("{text};", "{constraints}", [x], dtype=tl.int32, is_pure=True, pack={pack})
        tl.store(o0 + i, y)
        """
        u = x.view(np.uint32)
        options = {"num_warps": self.choose([1, 2])}
        return Case(
            "assembly", body, [x], [((u << np.uint32(7)) | (u >> np.uint32(25))).view(np.int32)], options=options
        )

    def grid(self) -> Case:
        gx, gy, b = self.choose([1, 3, 5]), self.choose([1, 2]), self.choose([16, 64])
        x = self.array(F32, (gx * gy * b,))
        body = f"""
        p = tl.program_id(1) * tl.num_programs(0) + tl.program_id(0)
        i = p * {b} + tl.arange(0, {b})
        x = tl.load(x0 + i)
        tl.store(o0 + i, x * tl.num_programs(1))
        tl.atomic_add(o1, tl.sum((x > 0).to(tl.int32), 0))
        """
        want = [x * np.float32(gy), np.array([(x > 0).sum()], np.int32)]
        return Case("grid", body, [x], want, options=self.options(), grid=(gx, gy))

    GROUPS = (
        *(
            "unary",
            "binary",
            "compare",
            "cast",
            "bitcast",
            "reduction",
            "scan",
            "order",
            "shapes",
            "product",
            "loop_product",
        ),
        *("batched_product", "atomic", "control", "access", "assembly", "grid"),
    )


def truncated(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Quotients and remainders as C has them."""
    pairs = [(int(p), int(q)) for p, q in zip(a, b, strict=True)]
    quotients = [abs(p) // abs(q) * (1 if (p < 0) == (q < 0) else -1) for p, q in pairs]
    bits = 8 * a.dtype.itemsize
    wrapped = [((v + (1 << bits - 1)) % (1 << bits)) - (1 << bits - 1) if a.dtype.kind == "i" else v for v in quotients]
    return np.array(wrapped, a.dtype), np.array(
        [p - q * c for (p, q), c in zip(pairs, quotients, strict=True)], a.dtype
    )


def cases(seed: int, target: str, groups: tuple[str, ...] = Generator.GROUPS) -> Iterator[Case]:
    """Cases without end, of the groups in turn."""
    generator = Generator(seed, target)
    for group in itertools.cycle(groups):
        yield getattr(generator, group)()


def main() -> None:
    """`python -m tests.tritons.operations COUNT [SEED [TARGET [GROUP]]]`: run cases and show those that differ."""
    import sys
    import tempfile
    import traceback

    import triton

    import weft.triton

    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    target = sys.argv[3] if len(sys.argv) > 3 else "sm_80"
    groups = tuple(sys.argv[4:]) or Generator.GROUPS
    failed = 0
    with weft.triton.activate(target), tempfile.TemporaryDirectory() as folder:
        triton.set_allocator(lambda size, alignment, stream: weft.triton.empty(size, np.int8))
        for number, case in enumerate(itertools.islice(cases(seed, target, groups), count)):
            try:
                wrong = run(case, Path(folder))
            except Exception as error:
                wrong = "".join(traceback.format_exception_only(error))[-1500:]
            if wrong:
                failed += 1
                print(
                    f"--- {number}: {case.group} {case.options}\n{case.body}\n{[x.dtype for x in case.inputs]}\n{wrong}",
                    flush=True,
                )
    print(f"{failed} of {count} failed")


if __name__ == "__main__":
    main()
