"""Loops, functions and tuples, functions over elements, random numbers."""

# pyright: basic

from __future__ import annotations

import numpy as np

from tests.tritons.language.drawing import I32, I64, Drawing
from tests.tritons.operations import F32, Case


class Control(Drawing):
    """Kernels of these groups."""

    def loops(self) -> Case:
        """`tl.range` and its options, nested, with loads that may be pipelined."""
        n, count = self.pick(32, 128), int(self.rng.integers(0, 9))
        step = self.pick(1, 1, 2, 3)
        x = self.array(I32, (16, n))
        options = self.pick(
            "", ", num_stages=2", ", num_stages=4", ", loop_unroll_factor=2", ", loop_unroll_factor=4",
            ", flatten=True", ", disallow_acc_multi_buffer=True", ", disable_licm=True",
        )  # fmt: skip
        body = f"""
        i = tl.arange(0, {n})
        total = tl.zeros([{n}], tl.int32)
        count = tl.load(x1)
        for k in tl.range(0, count, {step}{options}):
            row = tl.load(x0 + k * {n} + i)
            for q in range(k, k + 2):
                total += row * q
            if k % 3 == 1:
                total ^= row
        n = 0
        while n < 5 and tl.load(x1) > n:
            n += 2
        tl.store(o0 + i, total)
        tl.store(o1, n)
        """
        total = np.zeros(n, I64)
        for k in range(0, count, step):
            row = x[k].astype(I64)
            total = (total + row * (2 * k + 1)).astype(I32).astype(I64)
            if k % 3 == 1:
                total ^= row
        turns = 0
        while turns < 5 and count > turns:
            turns += 2
        want = [total.astype(I32), np.array([turns], I32)]
        return Case("loops", body, [x, np.array([count], I32)], want, options=self.options())

    def calls(self) -> Case:
        """Functions: several results, nested tuples, named tuples, defaults, early returns, `noinline`, static branches."""
        n = self.pick(32, 64)
        x = self.rng.integers(-50, 50, n).astype(I32)
        helpers = """
from typing import NamedTuple


class Pair(NamedTuple):
    first: tl.tensor
    second: tl.tensor


@triton.jit
def swap(pair):
    return Pair(pair.second, pair.first)


@triton.jit
def early(x, limit: tl.constexpr = 5):
    if limit > 4:
        return x * 2
    else:
        return x * 3


@triton.jit
def late(s):
    if s > 3:
        return s + 100
    return s - 100


@triton.jit(noinline=True)
def apart(s, t):
    return s * t + 1


@triton.jit
def nested(a, rest):
    b, (c, d) = rest
    return (a + b, (c - d, a)), b


@triton.jit
def apply(f: tl.constexpr, x):
    return f(x)


@triton.jit
def negative(x):
    return -x
"""
        body = f"""
        i = tl.arange(0, {n})
        x = tl.load(x0 + i)
        pair = swap(Pair(x, x + 1))
        (p, (q, r)), s = nested(x, (pair.first, (pair.second, early(x))))
        total = tl.sum(x, 0)
        tl.store(o0 + i, p * 3 + q - r + s)
        tl.store(o1 + i, early(x, 2) + apply(negative, x))
        tl.store(o2, late(total) + apart(total, late(2)))
        values = (1, 2, 3)
        for k in tl.static_range(len(values)):
            x = x * values[k] + k
        tl.store(o3 + i, x if tl.constexpr({n}) > 16 else x + 1)
        """
        v = x.astype(I64)
        first, second = v + 1, v
        b, c, d = first, second, v * 2
        total = int(v.sum())
        late_2, late_total = 2 - 100, total + 100 if total > 3 else total - 100
        w = ((v * 1 + 0) * 2 + 1) * 3 + 2
        want = [(v + b) * 3 + (c - d) - v + b, v * 3 - v, np.array([late_total + total * late_2 + 1]), w]
        return Case("calls", body, [x], [w.astype(I32) for w in want], options=self.options(), helpers=helpers)

    def elements(self) -> Case:
        """`tl.map_elementwise` with branches and packs, and assembly of several results and types."""
        n = self.pick(128, 256)
        x = self.rng.integers(-60, 60, n).astype(I32)
        helpers = """
@triton.jit
def choose(x):
    if x > 10:
        return x - 10, x * 0
    elif x < -10:
        return x + 10, x * 0 + 1
    else:
        return -x, x * 0 + 2


@triton.jit
def pairs(a, b):
    return a + 1, b + 1
"""
        body = f"""
        i = tl.arange(0, {n})
        x = tl.load(x0 + i)
        a, b = tl.map_elementwise(choose, x)
        tl.store(o0 + i, a)
        tl.store(o1 + i, b)
        c = tl.map_elementwise(pairs, x, pack=2)
        tl.store(o2 + i, c[0])
        p, q = tl.inline_asm_elementwise(
            "{{{{ cvt.rn.f32.s32 $0, $2; shl.b32 $1, $2, 2; }}}}", "=f,=r,r", [x], dtype=(tl.float32, tl.int32), is_pure=True, pack=1
        )
        tl.store(o3 + i, p)
        tl.store(o4 + i, q)
        """.replace("{{", "{").replace("}}", "}")
        a = np.where(x > 10, x - 10, np.where(x < -10, x + 10, -x))
        b = np.where(x > 10, 0, np.where(x < -10, 1, 2))
        want = [a, b, x + 1, x.astype(F32), x * 4]
        return Case(
            "elements",
            body,
            [x],
            [np.asarray(w).astype(d) for w, d in zip(want, (I32, I32, I32, F32, I32), strict=True)],
            options={"num_warps": self.pick(1, 2)},
            helpers=helpers,
        )

    def random(self) -> Case:
        """Philox, as Salmon and others have it, and what is made of it."""
        n, seed, start = self.pick(32, 128), int(self.rng.integers(1 << 62)), int(self.rng.integers(1 << 20))
        body = f"""
        i = {start} + tl.arange(0, {n})
        a, b, c, d = tl.randint4x({seed}, i)
        k = tl.arange(0, {n})
        tl.store(o0 + k, a)
        tl.store(o1 + k, b)
        tl.store(o2 + k, c)
        tl.store(o3 + k, d)
        tl.store(o4 + k, tl.rand({seed}, i))
        tl.store(o5 + k, tl.randn({seed}, i))
        """
        words = _philox(seed, np.arange(start, start + n, dtype=np.uint64))
        uniform = (
            np.abs(np.where(words[0].view(I32) < 0, -words[0].view(I32).astype(I64) - 1, words[0].view(I32)))
            * 4.6566127342e-10
        )
        u1 = np.maximum(1e-7, uniform)
        second = (
            np.where(words[1].view(I32) < 0, -words[1].view(I32).astype(I64) - 1, words[1].view(I32)) * 4.6566127342e-10
        )
        normal = np.sqrt(-2 * np.log(u1)) * np.cos(2 * np.pi * second)
        want = [*(w.view(I32) for w in words), uniform.astype(F32), normal.astype(F32)]
        return Case("random", body, [], want, 2e-4, options=self.options())


def _philox(seed: int, offset: np.ndarray, rounds: int = 10) -> list[np.ndarray]:
    """Philox4x32: the counter is the offset, the key the seed."""
    mask = np.uint64(0xFFFFFFFF)
    c = [offset & mask, offset >> np.uint64(32), np.zeros_like(offset), np.zeros_like(offset)]
    key = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    for _ in range(rounds):
        a, b = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(b >> np.uint64(32)) ^ c[1] ^ key[0], b & mask, (a >> np.uint64(32)) ^ c[3] ^ key[1], a & mask]
        key = [(key[0] + np.uint64(0x9E3779B9)) & mask, (key[1] + np.uint64(0xBB67AE85)) & mask]
    return [v.astype(np.uint32) for v in c]
