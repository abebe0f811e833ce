"""Products with epilogues, of scaled operands, and of several dimensions."""

# pyright: basic

from __future__ import annotations

import numpy as np

from tests.tritons.language.drawing import I8, I32, I64, U8, Drawing, index
from tests.tritons.operations import BF16, F8, F8E5, F16, F32, F64, NAMES, Case


class Products(Drawing):
    """Kernels of these groups."""

    def products(self) -> Case:
        """Products with an epilogue: an accumulator, a bias of rows or columns, a softmax, a second product."""
        kinds = [(F16, F32), (BF16, F32), (F16, F16), (F32, F32), (I8, I32)]
        if self.sm >= 89:
            kinds += [(F8, F32), (F8E5, F32)]
        dtype, out = self.choose(kinds)
        m, n, k = self.pick(16, 32, 64, 128), self.pick(16, 32, 64), self.pick(32, 64, 128)
        epilogue = self.pick("none", "accumulator", "rows", "columns", "softmax", "chain", "transposed")
        if out != F32 and epilogue in ("softmax",):
            epilogue = "none"
        if dtype.itemsize == 1 and epilogue == "chain":
            epilogue = "accumulator"
        a, b = self.array(dtype, (m, k), -1, 1), self.array(dtype, (k, n), -1, 1)
        if dtype == I8:
            a, b = (v // 8 for v in (a, b))
        left, right = self.rng.random() < 0.4, self.rng.random() < 0.4 and dtype.itemsize > 1
        precision = self.pick("ieee", "tf32x3", "tf32", "bf16x3", "bf16x6") if dtype == F32 else ""
        wide = I64 if dtype == I8 else F64
        value = a.astype(wide) @ b.astype(wide)
        inputs, extra = [a, b], ""
        if left:
            inputs[0] = np.ascontiguousarray(a.T)
            load_a = f"tl.trans(tl.load(x0 + tl.arange(0, {k})[:, None] * {m} + tl.arange(0, {m})[None, :]))"
        else:
            load_a = f"tl.load(x0 + i * {k} + tl.arange(0, {k})[None, :])"
        if right:
            inputs[1] = np.ascontiguousarray(b.T)
            load_b = f"tl.load(x1 + tl.arange(0, {n})[None, :] * {k} + tl.arange(0, {k})[:, None])"
        else:
            load_b = f"tl.load(x1 + tl.arange(0, {k})[:, None] * {n} + j)"
        how = f", input_precision='{precision}'" if precision else ""
        lines = [f"i = tl.arange(0, {m})[:, None]", f"j = tl.arange(0, {n})[None, :]", f"a = {load_a}", f"b = {load_b}"]
        if epilogue == "accumulator":
            c = self.rng.integers(-4, 4, (m, n)).astype(out)
            inputs.append(c)
            value, extra = value + c.astype(wide), f", tl.load(x2 + i * {n} + j)"
        lines.append(f"c = tl.dot(a, b{extra}, out_dtype={NAMES[out]}{how})")
        if epilogue in ("rows", "columns"):
            bias = self.rng.integers(-4, 4, m if epilogue == "rows" else n).astype(out)
            inputs.append(bias)
            place = "i" if epilogue == "rows" else "j"
            lines.append(f"c += tl.load(x2 + {place})")
            value = value + (bias[:, None] if epilogue == "rows" else bias[None, :]).astype(wide)
        elif epilogue == "softmax":
            lines.append("c = tl.exp(c - tl.max(c, 1)[:, None])\nc = c / tl.sum(c, 1)[:, None]")
            value = np.exp(value - value.max(1, keepdims=True))
            value /= value.sum(1, keepdims=True)
        elif epilogue == "chain":
            w = self.array(dtype, (n, n), -1, 1)
            inputs.append(w)
            lines.append(f"w = tl.load(x2 + tl.arange(0, {n})[:, None] * {n} + j)")
            lines.append(f"c = tl.dot(c.to({NAMES[dtype]}), w, out_dtype={NAMES[out]}{how})")
            value = value.astype(dtype).astype(F64) @ w.astype(F64)
        if epilogue == "transposed":
            lines.append(f"tl.store(o0 + tl.arange(0, {n})[:, None] * {m} + tl.arange(0, {m})[None, :], tl.trans(c))")
            value = np.ascontiguousarray(value.T)
        else:
            lines.append(f"tl.store(o0 + i * {n} + j, c)")
        tolerance = (
            0.0 if dtype == I8 else 0.08 if out == F16 or precision == "tf32" else 2e-2 if epilogue == "chain" else 2e-3
        )
        if epilogue == "chain" and (out == F16 or dtype == BF16 or precision == "tf32"):
            tolerance = 0.3
        options = {**self.options(), "num_stages": self.pick(1, 2, 3)}
        return Case("products", "\n".join(lines), inputs, [value.astype(out)], tolerance, options=options)

    def scaled(self) -> Case:
        """`tl.dot_scaled` over its formats."""
        m, n, k = self.pick(32, 64, 128), self.pick(32, 64, 128), self.pick(64, 128)
        formats = ["e2m1", "e5m2", "bf16"] + (["e4m3", "fp16"] if self.sm >= 89 else [])  # as Triton's conversions
        left, right = self.choose(formats), self.choose(formats)
        if "fp16" in (left, right) and "bf16" in (left, right):
            right = left
        if left in ("bf16", "fp16") and right in ("bf16", "fp16"):
            left = "e2m1"
        values = {}
        inputs, lines = [], [f"i = tl.arange(0, {m})[:, None]", f"j = tl.arange(0, {n})[None, :]"]
        for name, format_, rows in (("a", left, m), ("b", right, n)):
            packed, value = self._operand(format_, rows, k)
            scale = (
                self.rng.integers(125, 130, (rows, k // 32)).astype(U8) if format_ in ("e2m1", "e5m2", "e4m3") else None
            )
            number = len(inputs)
            width = packed.shape[1]
            if name == "a":
                inputs.append(packed)
                lines.append(f"a = tl.load(x{number} + i * {width} + tl.arange(0, {width})[None, :])")
            else:
                inputs.append(np.ascontiguousarray(packed.T))
                lines.append(f"b = tl.load(x{number} + tl.arange(0, {width})[:, None] * {rows} + j)")
            if scale is None:
                lines.append(f"{name}s = None")
            else:
                inputs.append(scale)
                lines.append(
                    f"{name}s = tl.load(x{number + 1} + tl.arange(0, {rows})[:, None] * {k // 32} + tl.arange(0, {k // 32})[None, :])"
                )
                value = value * np.repeat(2.0 ** (scale.astype(F64) - 127), 32, axis=1)
            values[name] = value
        lines.append(f"c = tl.dot_scaled(a, as_, '{left}', b, bs, '{right}')".replace("as_", "as_"))
        text = "\n".join(lines).replace("as = ", "as_ = ")
        text += f"\ntl.store(o0 + i * {n} + j, c)"
        want = (values["a"] @ values["b"].T).astype(F32)
        tolerance = 2e-2
        return Case("scaled", text, inputs, [want], tolerance, options={"num_warps": self.pick(4, 8)})

    def _operand(self, format_: str, rows: int, k: int) -> tuple[np.ndarray, np.ndarray]:
        if format_ == "e2m1":
            table = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
            codes = self.rng.integers(0, 16, (rows, k))
            value = table[codes & 7] * np.where(codes & 8, -1, 1)
            return (codes[:, ::2] | codes[:, 1::2] << 4).astype(U8), value
        dtype = {"e5m2": F8E5, "e4m3": F8, "bf16": BF16, "fp16": F16}[format_]
        x = self.rng.uniform(-2, 2, (rows, k)).astype(dtype)
        return (x.view(U8) if dtype.itemsize == 1 else x), x.astype(F64)

    def ranks(self) -> Case:
        """Batched products of three and four dimensions, and small ones."""
        dtype = self.pick(F16, BF16, F32, I8)
        batch = self.pick((1,), (2,), (4,), (2, 2))
        m, n, k = self.pick(16, 32), self.pick(16, 32), 32
        a, b = self.array(dtype, (*batch, m, k), -1, 1), self.array(dtype, (*batch, k, n), -1, 1)
        out = I32 if dtype == I8 else F32
        how = ", input_precision='ieee'" if dtype == F32 else ""
        body = f"""
        a = tl.load(x0 + {index(a.shape)})
        b = tl.load(x1 + {index(b.shape)})
        c = tl.dot(a, b, out_dtype={NAMES[out]}{how})
        tl.store(o0 + {index((*batch, m, n))}, c)
        """
        wide = I64 if dtype == I8 else F64
        return Case(
            "ranks", body, [a, b], [(a.astype(wide) @ b.astype(wide)).astype(out)], 0.0 if dtype == I8 else 2e-3,
            options=self.options(),
        )  # fmt: skip
