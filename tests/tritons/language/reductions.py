"""Reductions and scans of any type and rank, and of several values."""

# pyright: basic

from __future__ import annotations

import numpy as np

from tests.tritons.language.drawing import I32, I64, U32, Drawing, index
from tests.tritons.operations import BF16, EPSILON, F16, F32, F64, FLOATS, INTEGERS, Case


class Reductions(Drawing):
    """Kernels of these groups."""

    def reductions(self) -> Case:
        shape = self.shape(most=2048)
        dtype = self.choose(INTEGERS + FLOATS)
        axis = self.pick(None, *range(len(shape)), -1)
        x = self.array(dtype, shape)
        keep = bool(self.rng.random() < 0.5)
        kind = self.pick("sum", "max", "min", "argmax", "argmin", "xor_sum", "reduce_or", "max_indices", "min_indices")
        if kind in ("xor_sum", "reduce_or") and dtype.kind not in "iu":
            kind = "sum"
        if "arg" in kind or "indices" in kind:
            axis = axis if axis is not None else 0
            x = np.clip(x.astype(F64), -3, 3).astype(dtype) if dtype.kind != "u" else (x % 5).astype(dtype)
            if dtype.kind == "i":
                x = (self.rng.integers(-3, 4, shape)).astype(dtype)
        extra = f", keep_dims={keep}" + self.pick("", ", tie_break_left=True") * ("arg" in kind)
        wide = dtype
        if kind == "sum":
            # documented: integers below 32 bits are summed as 32, bfloat16 as float32
            if dtype.kind in "iu" and dtype.itemsize < 4:
                wide = I32 if dtype.kind == "i" else U32
            if dtype == BF16:
                wide = F32
        with np.errstate(all="ignore"):
            if kind == "sum":
                want = [np.sum(x.astype(wide if dtype.kind in "iu" else F64), axis, keepdims=keep).astype(wide)]
            elif kind in ("xor_sum", "reduce_or"):
                function = np.bitwise_xor if kind == "xor_sum" else np.bitwise_or
                want = [function.reduce(x, axis, keepdims=keep)]
            elif kind in ("max", "min"):
                want = [getattr(np, kind)(x, axis, keepdims=keep)]
            else:
                place = getattr(np, "argmax" if "max" in kind else "argmin")(x, axis, keepdims=keep).astype(I32)
                value = getattr(np, "max" if "max" in kind else "min")(x, axis, keepdims=keep)
                want = [place] if "arg" in kind else [value, place]
        want = [np.asarray(w) for w in want]
        name = kind.removesuffix("_indices")
        call = f"tl.{name}(x, {axis}{extra}" + (", return_indices=True)" if "indices" in kind else ")")
        place = index(want[0].shape) if want[0].ndim else "0"
        result = "r0" if len(want) == 1 else "r0, r1"
        body = f"x = tl.load(x0 + {index(shape)})\n{result} = {call}\n"
        body += "\n".join(f"tl.store(o{k} + {place}, r{k})" for k in range(len(want)))
        want = [w.reshape(w.shape or (1,)) for w in want]
        tolerance = 0.0 if dtype.kind in "iu" or kind != "sum" else 60 * EPSILON[dtype]
        return Case("reductions", body, [x], want, tolerance, options=self.options())

    def tuples(self) -> Case:
        """Reductions and scans of several tensors by a function of one's own: moments, the last of a kind, affine maps."""
        m, n = self.pick(1, 4, 16), self.pick(8, 32, 128)
        axis = int(self.rng.integers(2))
        x = self.rng.uniform(-2, 2, (m, n)).astype(F32)
        head = f"i = tl.arange(0, {m})[:, None]\nj = tl.arange(0, {n})[None, :]\nx = tl.load(x0 + i * {n} + j)\n"
        rest = n if axis == 0 else m
        kind = self.pick("moments", "affine", "three")
        if kind == "moments":
            helpers = """
@triton.jit
def combine(mean_a, square_a, count_a, mean_b, square_b, count_b):
    delta = mean_b - mean_a
    count = count_a + count_b
    part = count_b / count
    return mean_a + delta * part, square_a + square_b + delta * delta * count_a * part, count
"""
            body = (
                head
                + f"mean, square, count = tl.reduce((x, tl.zeros_like(x), tl.full([{m}, {n}], 1.0, tl.float32)), {axis}, combine)\n"
            )
            body += "\n".join(
                f"tl.store(o{k} + tl.arange(0, {rest}), {name})" for k, name in enumerate(("mean", "square", "count"))
            )
            size = x.shape[axis]
            want = [x.mean(axis), x.var(axis) * size, np.full(rest, size, F32)]
            return Case(
                "tuples", body, [x], [w.astype(F32) for w in want], 1e-4, options=self.options(), helpers=helpers
            )
        if kind == "affine":
            helpers = "@triton.jit\ndef combine(a, b, c, d):\n    return c * a, c * b + d"
            y = self.rng.uniform(0.5, 1.2, (m, n)).astype(F32)
            reverse = bool(self.rng.random() < 0.5)
            body = (
                head
                + f"y = tl.load(x1 + i * {n} + j)\na, b = tl.associative_scan((y, x), {axis}, combine, reverse={reverse})\n"
            )
            body += f"tl.store(o0 + i * {n} + j, a)\ntl.store(o1 + i * {n} + j, b)"
            p, q = np.moveaxis(y.astype(F64), axis, 0), np.moveaxis(x.astype(F64), axis, 0)
            if reverse:
                p, q = p[::-1], q[::-1]
            a, b = [p[0]], [q[0]]
            for c, d in zip(p[1:], q[1:], strict=True):
                a, b = [*a, c * a[-1]], [*b, c * b[-1] + d]
            found = [np.stack(v) for v in (a, b)]
            want = [np.ascontiguousarray(np.moveaxis(v[::-1] if reverse else v, 0, axis)).astype(F32) for v in found]
            return Case("tuples", body, [x, y], want, 1e-4, options=self.options(), helpers=helpers)
        helpers = "@triton.jit\ndef combine(v, k, w, l):\n    return tl.where(w > v, w, v), tl.where(w > v, l, k)"
        body = (
            head
            + f"v, k = tl.reduce((x, tl.broadcast_to(i * {n} + j, x.shape).to(tl.int64)), {axis}, combine, keep_dims=True)\n"
        )
        place = f"tl.arange(0, {rest})" + ("[None, :]" if axis == 0 else "[:, None]")
        body += f"tl.store(o0 + {place}, v)\ntl.store(o1 + {place}, k)"
        best = np.argmax(x, axis)
        flat = best * n + np.arange(n) if axis == 0 else np.arange(m) * n + best
        return Case("tuples", body, [x], [x.max(axis), flat.astype(I64)], options=self.options(), helpers=helpers)

    def scans(self) -> Case:
        shape = self.shape(self.pick(1, 2, 3), 2048)
        dtype = self.choose(INTEGERS + [F16, F32, F64])
        axis = int(self.rng.integers(len(shape)))
        reverse = bool(self.rng.random() < 0.5)
        kind = self.pick("cumsum", "cumprod", "maximum", "minimum", "xor")
        if kind == "xor" and dtype.kind not in "iu":
            kind = "maximum"
        x = self.array(dtype, shape) if dtype.kind in "iu" else self.rng.uniform(0.9, 1.1, shape).astype(dtype)
        flip = (lambda v: np.flip(v, axis)) if reverse else (lambda v: v)
        expression = {"maximum": "tl.maximum(a, b)", "minimum": "tl.minimum(a, b)", "xor": "a ^ b"}.get(kind, "a")
        helpers = f"@triton.jit\ndef combine(a, b):\n    return {expression}"
        with np.errstate(all="ignore"):
            if kind.startswith("cum"):
                # documented: integers below 32 bits are summed as 32
                small = dtype.kind in "iu" and dtype.itemsize < 4 and kind == "cumsum"
                wide = (I32 if dtype.kind == "i" else U32) if small else dtype
                want = flip(getattr(np, kind)(flip(x.astype(wide)), axis, dtype=wide if dtype.kind in "iu" else F64))
                want = want.astype(wide)
                call = f"tl.{kind}(x, {axis}, reverse={reverse})"
            else:
                function = {"maximum": np.maximum, "minimum": np.minimum, "xor": np.bitwise_xor}[kind]
                want = flip(function.accumulate(flip(x), axis))
                call = f"tl.associative_scan(x, {axis}, combine, reverse={reverse})"
        body = f"x = tl.load(x0 + {index(shape)})\ntl.store(o0 + {index(shape)}, {call})"
        tolerance = 0.0 if dtype.kind in "iu" or not kind.startswith("cum") else 300 * EPSILON[dtype]
        return Case(
            "scans", body, [x], [np.ascontiguousarray(want)], tolerance, options=self.options(), helpers=helpers
        )
