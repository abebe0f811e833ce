"""Atomics with what they return, locks, descriptors, and masked accesses."""

# pyright: basic

from __future__ import annotations

import math

import numpy as np

from tests.tritons.language.drawing import I8, I16, I32, I64, U8, U32, U64, WHOLE, Drawing, index
from tests.tritons.operations import BF16, EPSILON, F16, F32, F64, FLOATS, INTEGERS, NAMES, Case


class Memory(Drawing):
    """Kernels of these groups."""

    def atomics(self) -> Case:
        """What atomics return, on tensors and scalars, with masks, where each element has its own place."""
        name = self.pick("add", "max", "min", "and", "or", "xor", "xchg", "cas", "load", "store")
        whole = [I32, I64, U32, U64]
        floats = (
            [F16, BF16, F32, F64]
            if name == "add"
            else [F32, F64]
            if name in ("max", "min", "xchg", "load", "store")
            else []
        )
        dtype = self.choose(whole + floats)
        n = self.pick(32, 64, 256)
        sems = {"load": ["acquire", "relaxed"], "store": ["release", "relaxed"]}.get(
            name, ["relaxed", "acquire", "release", "acq_rel"]
        )
        how = self.pick(
            "", f", sem='{self.choose(sems)}'", f", sem='{self.choose(sems)}', scope='{self.pick('cta', 'gpu', 'sys')}'"
        )
        start = self.array(dtype, (n,))
        x = self.array(dtype, (n,))
        least = int(self.rng.integers(1, n + 1))
        masked = name != "cas" and self.rng.random() < 0.6
        mask = np.arange(n) < (least if masked else n)
        extra = (f", mask=i < {least}" if masked else "") + how
        head = f"i = tl.arange(0, {n})\nx = tl.load(x0 + i)\n"
        kept = f"tl.store(o1 + i, r, mask=i < {least if masked else n})"
        with np.errstate(all="ignore"):
            if name == "cas":
                expected = np.where(self.rng.random(n) < 0.5, start, x)
                body = head + f"r = tl.atomic_cas(o0 + i, tl.load(x1 + i), x{how})\n" + kept
                want = np.where(start == expected, x, start).astype(dtype)
                return Case(
                    "atomics",
                    body,
                    [x, expected],
                    [want, start],
                    outputs=[start, np.zeros(n, dtype)],
                    options=self.options(),
                )
            if name == "load":
                body, want = head + f"r = tl.atomic_load(o0 + i{extra})\n" + kept, start
            elif name == "store":
                body, want = head + f"tl.atomic_store(o0 + i, x{extra})\nr = x\n" + kept, np.where(mask, x, start)
                return Case(
                    "atomics",
                    body,
                    [x],
                    [want.astype(dtype), np.where(mask, x, 0).astype(dtype)],
                    outputs=[start, np.zeros(n, dtype)],
                    options=self.options(),
                )
            else:
                body = head + f"r = tl.atomic_{name}(o0 + i, x{extra})\n" + kept
                changed = x if name == "xchg" else WHOLE[name](start, x)
                want = np.where(mask, changed, start)
        old = np.where(mask, start, 0).astype(dtype)
        return Case(
            "atomics",
            body,
            [x],
            [want.astype(dtype), old],
            EPSILON.get(dtype, 0.0),
            [start, np.zeros(n, dtype)],
            self.options(),
        )

    def scalars(self) -> Case:
        """Atomics of a program on one place, and locks between programs."""
        programs = self.pick(1, 5, 17)
        dtype = self.pick(I32, I64, F32)
        kind = self.pick("add", "lock", "count")
        name = NAMES[dtype]
        if kind == "add":
            body = f"p = tl.program_id(0)\ntl.atomic_add(o0, (p + 1).to({name}))\nold = tl.atomic_max(o1, p)"
            want = [np.array([programs * (programs + 1) // 2], dtype), np.array([programs - 1], I32)]
        elif kind == "lock":
            body = """
            while tl.atomic_cas(o1, 0, 1) == 1:
                pass
            tl.store(o0, tl.load(o0) + 2)
            tl.debug_barrier()
            tl.atomic_xchg(o1, 0)
            """
            want = [np.array([2 * programs], dtype), np.array([0], I32)]
        else:
            body = f"""
            p = tl.program_id(0)
            tl.store(x0 + p, p + 1)
            tl.debug_barrier()
            count = tl.atomic_add(o1, 1)
            if count == {programs - 1}:
                i = tl.arange(0, 32)
                tl.store(o0, tl.sum(tl.load(x0 + i, mask=i < {programs}, other=0), 0).to({name}))
            """
            want = [np.array([programs * (programs + 1) // 2], dtype), np.array([programs], I32)]
        inputs = [np.zeros(32, I32)]
        return Case("scalars", body, inputs, want, options=self.options(), grid=(programs,))

    def described(self) -> Case:
        """Descriptors of two to five dimensions, partly outside, and their reductions."""
        rank = self.pick(1, 2, 3, 4, 5)
        dtype = self.choose([I8, U8, F16, BF16, I32, F32, I64, F64, I16])
        lane = 16 // dtype.itemsize
        block = [int(2 ** self.rng.integers(0, 3)) for _ in range(rank - 1)] + [
            int(self.pick(lane, 2 * lane, 4 * lane))
        ]
        shape = [max(1, b * int(self.rng.integers(1, 3)) - int(self.rng.integers(0, 2))) for b in block]
        pitch = -(-shape[-1] // lane) * lane
        whole = self.array(dtype, (*shape[:-1], pitch))
        x = whole[..., : shape[-1]]
        offsets = [int(self.rng.integers(0, max(1, s))) for s in shape[:-1]] + [int(self.pick(0, lane))]
        strides = [math.prod([*shape[a + 1 : -1], pitch]) for a in range(rank - 1)] + [1]
        want = np.zeros(block, dtype)
        part = x[tuple(slice(o, o + b) for o, b in zip(offsets, block, strict=True))]
        want[tuple(slice(0, s) for s in part.shape)] = part
        kind = self.pick("load", "store", "reduce") if self.sm >= 90 else self.pick("load", "store")
        make = f"d = tl.make_tensor_descriptor({{}}, {shape}, {strides}, {block})\n"
        if kind == "load":
            body = make.format("x0") + f"tl.store(o0 + {index(tuple(block))}, d.load({offsets}))"
            return Case("described", body, [whole], [want], options=self.options())
        value = self.array(dtype, tuple(block))
        start = np.zeros_like(whole)
        operator = "store"
        if kind == "reduce":
            choices = {
                F16: "add max min",
                BF16: "add max min",
                F32: "add",
                I32: "add max min and or xor",
                I64: "and or xor",
                F64: "",
            }
            choices |= {U32: "add max min and or xor"}
            names = choices.get(dtype, "").split()
            if names:
                operator = "atomic_" + self.choose(names)
                start = whole.copy()
                if dtype.kind not in "iu":
                    start, value = ((np.round(v.astype(F32)) + 0.0).astype(dtype) for v in (start, value))
        body = f"v = tl.load(x0 + {index(tuple(block))})\n" + make.format("o0") + f"d.{operator}({offsets}, v)"
        wanted = start.copy()
        place = wanted[..., : shape[-1]][tuple(slice(o, o + b) for o, b in zip(offsets, block, strict=True))]
        inside = value[tuple(slice(0, s) for s in place.shape)]
        with np.errstate(all="ignore"):
            place[...] = inside if operator == "store" else WHOLE[operator[7:]](place, inside).astype(dtype)
        return Case("described", body, [value], [wanted], 0.0, [start], self.options())

    def gathered(self) -> Case:
        """Descriptors that gather and scatter rows; emulated below sm_100."""
        dtype = self.pick(F16, I8, F32, BF16)
        rows, columns, count = 32, self.pick(32, 64), self.pick(8, 16, 32)
        least = 32 // dtype.itemsize
        width = max(32, least)
        columns = max(columns, width)
        x = self.array(dtype, (rows, columns))
        at = self.rng.permutation(rows)[:count].astype(I32)
        start = int(self.pick(0, 16))
        if self.rng.random() < 0.5:
            body = f"""
            d = tl.make_tensor_descriptor(x0, [{rows}, {columns}], [{columns}, 1], [1, {width}])
            v = d.gather(tl.load(x1 + tl.arange(0, {count})), {start})
            tl.store(o0 + {index((count, width))}, v)
            """
            want = np.zeros((count, width), dtype)
            part = x[at][:, start : start + width]
            want[:, : part.shape[1]] = part
            return Case("gathered", body, [x, at], [want], options=self.options())
        body = f"""
        d = tl.make_tensor_descriptor(o0, [{rows}, {columns}], [{columns}, 1], [1, {width}])
        d.scatter(tl.load(x0 + {index((count, width))}), tl.load(x1 + tl.arange(0, {count})), {start})
        """
        value = self.array(dtype, (count, width))
        want = np.zeros((rows, columns), dtype)
        size = min(width, columns - start)
        want[at, start : start + size] = value[:, :size]
        return Case("gathered", body, [value, at], [want], options=self.options())

    def masks(self) -> Case:
        """Loads with others of other types, stores with masks, pointers cast, of ranks 1 to 3."""
        dtype = self.choose(INTEGERS + FLOATS)
        shape = self.shape(self.pick(1, 2, 3), 1024)
        x = self.array(dtype, shape)
        keep = self.rng.random(shape) < 0.6
        other = self.pick(0, 1, 7)
        modifier = self.pick(
            "", ", cache_modifier='.ca'", ", cache_modifier='.cg'", ", eviction_policy='evict_last'", ", volatile=True"
        )
        store = self.pick("", ", cache_modifier='.wb'", ", cache_modifier='.cs'", ", eviction_policy='evict_first'")
        body = f"""
        i = {index(shape)}
        m = tl.load(x1 + i) != 0
        x = tl.load(x0 + i, mask=m, other={other}{modifier})
        tl.store(o0 + i, x{store})
        tl.store(o1 + i, x, mask=m{store})
        tl.store(o2 + i, m)
        """
        first = np.where(keep, x, np.array(other).astype(dtype)).astype(dtype)
        want = [first, np.where(keep, x, np.zeros(1, dtype)).astype(dtype), keep]
        return Case("masks", body, [x, keep.astype(I8)], want, options=self.options())
