"""Operations on elements: of two types, on numbers, casts, functions and bits."""

# pyright: basic

from __future__ import annotations

import math

import numpy as np

from tests.tritons.language.drawing import I8, I32, I64, Drawing, promoted
from tests.tritons.operations import BF16, EPSILON, F8, F8E5, F16, F32, F64, FLOATS, INTEGERS, NAMES, Case, truncated


class Elements(Drawing):
    """Kernels of these groups."""

    def mixed(self) -> Case:
        a, b = self.choose(INTEGERS + FLOATS), self.choose(INTEGERS + FLOATS)
        n = self.pick(32, 128)
        x, y = self.array(a, (n,)), self.array(b, (n,))
        y[y == 0] = 1
        to = promoted(a, b)
        table = {
            "x + y": np.add, "x - y": np.subtract, "x * y": np.multiply, "y - x": lambda p, q: q - p,
            "tl.maximum(x, y)": np.maximum, "tl.minimum(x, y)": np.minimum, "tl.where(x > 0, x, y)": None,
        }  # fmt: skip
        for operator, function in {"<": np.less, "<=": np.less_equal, "==": np.equal, "!=": np.not_equal}.items():
            table[f"(x {operator} y)"] = function
        if to.kind in "iu":
            table |= {"x & y": np.bitwise_and, "x | y": np.bitwise_or, "x ^ y": np.bitwise_xor}
        chosen = [self.choose(list(table)) for _ in range(5)]
        lines, want = [], []
        with np.errstate(all="ignore"):
            p, q = x.astype(to), y.astype(to)
            for k, text in enumerate(chosen):
                result = np.where(x > 0, p, q) if table[text] is None else np.asarray(table[text](p, q))
                lines.append(f"r{k} = {text}")
                if result.dtype == bool:
                    lines[-1] += f"\ntl.static_assert(r{k}.dtype == tl.int1)"
                    result = result.astype(I8)
                else:
                    result = result.astype(to)
                    lines.append(f"tl.static_assert(r{k}.dtype == {NAMES[to]})")
                lines.append(f"tl.store(o{k} + i, r{k})")
                want.append(result)
        body = f"i = tl.arange(0, {n})\nx = tl.load(x0 + i)\ny = tl.load(x1 + i)\n" + "\n".join(lines)
        return Case("mixed", body, [x, y], want, 2 * EPSILON.get(to, 0.0), options=self.options())

    def divisions(self) -> Case:
        """Quotients and remainders, of tensors and of tensors and literals."""
        whole = self.rng.random() < 0.6
        if whole:
            a = self.choose(INTEGERS)
            b = self.choose([d for d in INTEGERS if d.kind == a.kind])
        else:
            a, b = self.choose(INTEGERS + FLOATS), self.choose(FLOATS)
        n = self.pick(32, 128)
        x, y = self.array(a, (n,)), self.array(b, (n,))
        y[y == 0] = 3
        to = promoted(a, b, divides=True)
        real = F32 if to.kind in "iu" else to
        with np.errstate(all="ignore"):
            forms = {"x / y": (x.astype(real).astype(F64) / y.astype(real).astype(F64)).astype(real)}
            if whole:
                quotient, rest = truncated(x.astype(to), y.astype(to))
                forms |= {"x // y": quotient, "x % y": rest, "x // 3": truncated(x, np.full(n, 3, a))[0]}
                forms |= {"x % 7": truncated(x, np.full(n, 7, a))[1]}
                forms["tl.cdiv(x, 4)"] = truncated(x + np.array(3, a), np.full(n, 4, a))[0]
            elif a.kind not in "iu":
                forms["x % y"] = np.fmod(x.astype(to), y.astype(to))
        chosen = [self.choose(list(forms)) for _ in range(4)]
        body = f"i = tl.arange(0, {n})\nx = tl.load(x0 + i)\ny = tl.load(x1 + i)\n"
        body += "\n".join(f"tl.store(o{k} + i, {form})" for k, form in enumerate(chosen))
        want = [forms[form] for form in chosen]
        return Case("divisions", body, [x, y], want, 1e-5 if real == F32 else 1e-12, options=self.options())

    def numbers(self) -> Case:
        """Literals and scalars of the kernel beside tensors."""
        a = self.choose(INTEGERS + FLOATS)
        n = 64
        x = self.array(a, (n,))
        lines, want = [], []
        with np.errstate(all="ignore"):
            for k in range(5):
                literal = self.pick(3, -2, 100, 2.5, -0.25, 7)
                operator, function = self.pick(("+", np.add), ("-", np.subtract), ("*", np.multiply))
                real = isinstance(literal, float)
                to = a if not (real and a.kind in "iu") else F32
                if not real and a.kind == "u" and literal < 0:
                    literal = -literal
                value = np.array(literal).astype(to)
                if self.rng.random() < 0.5:
                    text, result = f"x {operator} {literal}", function(x.astype(to), value)
                else:
                    text, result = f"({literal}) {operator} x", function(value, x.astype(to))
                lines.append(f"r{k} = {text}\ntl.static_assert(r{k}.dtype == {NAMES[to]})\ntl.store(o{k} + i, r{k})")
                want.append(np.asarray(result).astype(to))
        body = f"i = tl.arange(0, {n})\nx = tl.load(x0 + i)\n" + "\n".join(lines)
        tolerance = 0.0 if all(w.dtype.kind in "iu" for w in want) else 2 * EPSILON.get(a, 3e-6)
        return Case("numbers", body, [x], want, tolerance, options=self.options())

    def roundings(self) -> Case:
        """Casts to narrower floats with both roundings, of numbers over all binades, halves, infinities and NaN."""
        n = 256
        source = self.pick(F32, F32, F64, F16, BF16)
        narrow = {F32: [F16, BF16], F64: [F32, F16, BF16], F16: [], BF16: []}[source]
        small = [F8E5] + ([F8] if self.sm >= 89 else [])
        to = self.choose(narrow + (small if source != F64 else []))
        modes = ["", ", fp_downcast_rounding='rtne'"]
        if to in (F16, BF16) and source == F32:
            modes.append(", fp_downcast_rounding='rtz'")
        mode = self.choose(modes)
        x = self.rng.standard_normal(n) * 2.0 ** self.rng.integers(-28, 20, n)
        if to in small:
            x = self.rng.standard_normal(n) * 2.0 ** self.rng.integers(-12, 8, n)
        x[:6] = [0.0, -0.0, 1.0, -1.5, 0.75, -0.125]
        x = x.astype(source)
        if to in (F16, BF16, F32):
            x[6:9] = [np.inf, -np.inf, np.nan]
        with np.errstate(all="ignore"):
            want = x.astype(to)
            if "rtz" in mode:
                over = np.abs(want.astype(F64)) > np.abs(x.astype(F64))
                word = want.view(f"u{to.itemsize}")
                word[over] -= 1
        if to == F8:
            keep = np.isfinite(want.astype(F32)) & (np.abs(x.astype(F64)) <= 448)
            x, want = np.where(keep, x, 1).astype(source), np.where(keep, want, 1).astype(to)
        body = f"i = tl.arange(0, {n})\ntl.store(o0 + i, tl.load(x0 + i).to({NAMES[to]}{mode}))"
        return Case("roundings", body, [x], [want], options=self.options())

    def functions(self) -> Case:
        """Libdevice's functions of one to three arguments."""
        dtype = self.pick(F32, F64)
        n = 64
        one = {
            "acos": (np.arccos, -1, 1), "acosh": (np.arccosh, 1, 9), "asin": (np.arcsin, -1, 1),
            "asinh": (np.arcsinh, -9, 9), "atanh": (np.arctanh, -0.9, 0.9), "ceil": (np.ceil, -9, 9),
            "cosh": (np.cosh, -4, 4), "cospi": (lambda v: np.cos(np.pi * v), -2, 2), "erfc": (np.vectorize(math.erfc), -2, 2),
            "exp10": (lambda v: 10.0**v, -2, 2), "expm1": (np.expm1, -2, 2), "floor": (np.floor, -9, 9),
            "tgamma": (np.vectorize(math.gamma), 0.5, 5), "lgamma": (np.vectorize(math.lgamma), 0.5, 5),
            "log10": (np.log10, 0.1, 9), "nearbyint": (np.rint, -9, 9), "rcbrt": (lambda v: 1 / np.cbrt(v), 0.2, 9),
            "rint": (np.rint, -9, 9), "sinh": (np.sinh, -4, 4), "sinpi": (lambda v: np.sin(np.pi * v), -2, 2),
            "tan": (np.tan, -1, 1), "trunc": (np.trunc, -9, 9), "exp2": (np.exp2, -3, 3), "log2": (np.log2, 0.1, 9),
            "normcdf": (lambda v: 0.5 * np.vectorize(math.erfc)(-v / math.sqrt(2)), -2, 2),
        }  # fmt: skip
        two = {
            "pow": np.power, "atan2": np.arctan2, "hypot": np.hypot, "fmod": np.fmod, "copysign": np.copysign,
            "fdim": lambda a, b: np.maximum(a - b, 0), "nextafter": None,
        }  # fmt: skip
        lines, want, inputs = [], [], []
        for k in range(3):
            name = self.choose(list(one))
            function, low, high = one[name]
            x = self.rng.uniform(low, high, n).astype(dtype)
            lines.append(f"tl.store(o{k} + i, libdevice.{name}(tl.load(x{k} + i)))")
            inputs.append(x)
            want.append(function(x.astype(F64)).astype(dtype))
        for k in (3, 4):
            name = self.choose(list(two))
            x, y = self.rng.uniform(0.5, 3, n).astype(dtype), self.rng.uniform(-3, 3, n).astype(dtype)
            place = len(inputs)
            lines.append(f"tl.store(o{k} + i, libdevice.{name}(tl.load(x{place} + i), tl.load(x{place + 1} + i)))")
            inputs += [x, y]
            exact = np.nextafter(x, y) if two[name] is None else two[name](x.astype(F64), y.astype(F64))
            want.append(exact.astype(dtype))
        body = f"i = tl.arange(0, {n})\n" + "\n".join(lines)
        return Case("functions", body, inputs, want, 5e-6 if dtype == F32 else 1e-12, options=self.options())

    def bits(self) -> Case:
        """Functions of integers: population count, leading zeros, reversals, products' upper halves."""
        n = 64
        dtype = self.pick(I32, I64)
        x = self.array(dtype, (n,))
        size = 8 * dtype.itemsize
        words = [int(v) & ((1 << size) - 1) for v in x]
        y = self.array(dtype, (n,))
        suffix = {
            "popc": [bin(w).count("1") for w in words],
            "clz": [size - w.bit_length() for w in words],
            "ffs": [(w & -w).bit_length() for w in words],
            "brev": [int(f"{w:0{size}b}"[::-1], 2) for w in words],
        }
        lines = [f"tl.store(o{k} + i, libdevice.{name}(x).to({NAMES[dtype]}))" for k, name in enumerate(suffix)]

        def signed(v):
            return (v + (1 << size - 1)) % (1 << size) - (1 << size - 1)

        want = [np.array([signed(v) for v in values], dtype) for values in suffix.values()]
        lines.append(f"tl.store(o4 + i, libdevice.mulhi(x, y).to({NAMES[dtype]}))")
        want.append(np.array([(int(p) * int(q)) >> size for p, q in zip(x, y, strict=True)], dtype))
        body = f"i = tl.arange(0, {n})\nx = tl.load(x0 + i)\ny = tl.load(x1 + i)\n" + "\n".join(lines)
        return Case("bits", body, [x, y], want, options=self.options())
