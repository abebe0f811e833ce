"""Sorts, gathers, histograms and chains of changes of shape."""

# pyright: basic

from __future__ import annotations

import itertools
import math

import numpy as np

from tests.tritons.language.drawing import I8, I16, I32, I64, U32, Drawing, index
from tests.tritons.operations import BF16, F16, F32, F64, INTEGERS, Case


class Orders(Drawing):
    """Kernels of these groups."""

    def orders(self) -> Case:
        kind = self.pick("sort", "topk", "flip", "gather", "histogram", "swizzle")
        dtype = self.choose(INTEGERS + [F16, F32, F64])
        options = self.options()
        if kind == "histogram":
            n, bins = self.pick(64, 256, 1024), self.pick(2, 8, 64, 256)
            x = self.rng.integers(0, bins, n).astype(self.pick(I32, U32))
            least = int(self.rng.integers(1, n))
            body = f"i = tl.arange(0, {n})\nh = tl.histogram(tl.load(x0 + i), {bins}, mask=i < {least})\ntl.store(o0 + tl.arange(0, {bins}), h)"
            return Case(
                "orders", body, [x], [np.bincount(x[:least].astype(I64), minlength=bins).astype(I32)], options=options
            )
        if kind == "swizzle":
            m, n, g = self.pick(4, 8, 6), self.pick(4, 8, 10), self.pick(1, 2, 4)
            body = f"i = tl.program_id(0)\nj = tl.program_id(1)\na, b = tl.swizzle2d(i, j, {m}, {n}, {g})\ntl.store(o0 + i * {n} + j, a * 100 + b)"
            want = np.zeros((m, n), I32)
            for i, j in itertools.product(range(m), range(n)):
                flat = i * n + j
                group, rest = divmod(flat, g * n)
                size = min(m - group * g, g)
                want[i, j] = (group * g + rest % size) * 100 + rest // size
            return Case("orders", body, [], [want], options=options, grid=(m, n))
        shape = self.shape(self.pick(1, 2, 3), 1024)
        x = self.array(dtype, shape)
        axis = int(self.rng.integers(len(shape)))
        head = f"x = tl.load(x0 + {index(shape)})\n"
        if kind == "flip":
            body, want, inputs = head + f"r = tl.flip(x, {axis})\n", np.flip(x, axis), [x]
        elif kind == "gather":
            other = list(shape)
            other[axis] = self.pick(1, 4, 32)
            at = self.rng.integers(0, shape[axis], other).astype(self.pick(I32, I64))
            body = head + f"r = tl.gather(x, tl.load(x1 + {index(tuple(other))}), {axis})\n"
            want, inputs = np.take_along_axis(x, at.astype(I64), axis), [x, at]
        elif kind == "topk":
            k = self.choose([k for k in (1, 2, 8, 32) if k <= shape[-1]])
            body, inputs = head + f"r = tl.topk(x, {k})\n", [x]
            want = np.flip(np.sort(x, -1), -1)[..., :k]
        else:
            descending = bool(self.rng.random() < 0.5)
            body, inputs = head + f"r = tl.sort(x, descending={descending})\n", [x]
            want = np.flip(np.sort(x, -1), -1) if descending else np.sort(x, -1)
        body += f"tl.store(o0 + {index(want.shape)}, r)"
        return Case("orders", body, inputs, [np.ascontiguousarray(want)], options=options)

    def chains(self) -> Case:
        """A chain of changes of shape."""
        dtype = self.choose([I8, I16, F16, BF16, I32, F32, I64, F64])
        shape = self.shape(self.pick(1, 2, 3), 1024)
        x = self.array(dtype, shape)
        value, lines = x, [f"x = tl.load(x0 + {index(shape)})"]
        for _ in range(int(self.rng.integers(2, 6))):
            kind = self.pick(
                "permute", "reshape", "join", "split", "expand", "interleave", "broadcast", "cat", "squeeze", "trans"
            )
            if kind == "permute" and value.ndim > 1:
                order = [int(v) for v in self.rng.permutation(value.ndim)]
                value, text = value.transpose(order), f"x = tl.permute(x, {order})"
            elif kind == "trans" and value.ndim == 2:
                value, text = value.T, self.pick("x = x.T", "x = tl.trans(x)", "x = tl.trans(x, (1, 0))")
            elif kind == "reshape":
                sizes = self._factored(value.size)
                value, text = value.reshape(sizes), f"x = tl.reshape(x, {list(sizes)})"
            elif kind == "join" and value.size <= 1024 and value.ndim < 4:
                value, text = np.stack([value, value], -1), "x = tl.join(x, x)"
            elif kind == "split" and value.ndim > 1 and value.shape[-1] == 2:
                value, text = value[..., 1], "_, x = tl.split(x)"
            elif kind == "expand" and value.ndim < 4:
                axis = int(self.rng.integers(value.ndim + 1))
                value, text = np.expand_dims(value, axis), f"x = tl.expand_dims(x, {axis})"
            elif kind == "squeeze" and 1 in value.shape and value.ndim > 1:
                axis = value.shape.index(1)
                value, text = value.squeeze(axis), f"x = tl.squeeze(x, {axis})"
            elif kind == "interleave" and value.size <= 1024:
                other = np.flip(value, 0)
                value, text = (
                    np.stack([value, other], -1).reshape(*value.shape[:-1], -1),
                    "x = tl.interleave(x, tl.flip(x, 0))",
                )
            elif kind == "broadcast" and 1 in value.shape and value.size <= 512:
                sizes = tuple(4 if s == 1 else s for s in value.shape)
                if math.prod(sizes) > 4096:
                    continue
                value, text = np.broadcast_to(value, sizes), f"x = tl.broadcast_to(x, {list(sizes)})"
            elif kind == "cat" and value.size <= 1024:
                axis = int(self.rng.integers(value.ndim))
                value, text = np.concatenate([value, value], 0) if value.ndim == 1 else value, "x = tl.cat(x, x)"
                if value.ndim > 1:
                    continue
            else:
                continue
            lines.append(text)
        lines.append(f"tl.store(o0 + {index(value.shape)}, x)")
        return Case("chains", "\n".join(lines), [x], [np.ascontiguousarray(value)], options=self.options())

    def _factored(self, size: int) -> tuple[int, ...]:
        sizes, rest = [], size
        while rest > 1 and len(sizes) < 3:
            factor = 2 ** int(self.rng.integers(0, int(math.log2(rest)) + 1))
            sizes.append(factor)
            rest //= factor
        return (*sizes, rest)
