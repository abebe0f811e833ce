"""Random kernels in Triton's own IR: conversions between layouts, through shared memory, reductions and scans in them.

`cases(seed, target)` gives texts as the compiler writes them behind the choice of layouts, so that layouts are drawn that
no kernel of Python has.
"""

# pyright: basic

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

TYPES = {"f16": "f2", "f32": "f4", "i8": "i1", "i32": "i4", "i64": "i8"}


@dataclass
class Case:
    """A kernel from `%x` to `%z`, and what it gives."""

    kind: str
    text: str
    given: np.ndarray
    want: np.ndarray


class Drawing:
    """A source of kernels on blocks of `m` by `n` elements."""

    def __init__(self, seed: int, target: str) -> None:
        self.rng = np.random.default_rng(seed)
        self.target = target

    def pick(self, *options):
        return options[int(self.rng.integers(len(options)))]

    def blocked(self) -> str:
        threads = self.pick([1, 32], [2, 16], [4, 8], [8, 4], [16, 2], [32, 1])
        sizes, warps = [self.pick(1, 2, 4), self.pick(1, 2, 4, 8)], self.pick([1, 4], [2, 2], [4, 1])
        order = self.pick([0, 1], [1, 0])
        each = f"sizePerThread = {sizes}, threadsPerWarp = {threads}"
        return f"#ttg.blocked<{{{each}, warpsPerCTA = {warps}, order = {order}}}>"

    def case(self) -> Case:
        m, n, type_ = self.pick(16, 32, 64), self.pick(16, 32, 64), self.pick(*TYPES)
        x = self.rng.integers(-50, 50, (m, n)).astype(TYPES[type_])
        kind = self.pick("convert", "shared", "largest", "sum", "scan")
        tensor = f"tensor<{m}x{n}x{type_}"
        load = (
            _addresses("#src", "a", "%x", m, n, type_) + f"%v = tt.load %ap : tensor<{m}x{n}x!tt.ptr<{type_}>, #src>\n"
        )
        store = _addresses("#out", "b", "%z", m, n, type_)
        if kind == "convert":
            there = self.pick("#mma", "#left", "#right", "#other") if type_ != "i64" else "#other"
            body = f"%w = ttg.convert_layout %v : {tensor}, #src> -> {tensor}, {there}>\n"
            body += f"%r = ttg.convert_layout %w : {tensor}, {there}> -> {tensor}, #out>\n"
            want = x
        elif kind == "shared":
            memory = f"!ttg.memdesc<{m}x{n}x{type_}, #shared, #smem>"
            body = f"%w = ttg.local_alloc %v : ({tensor}, #src>) -> {memory}\n"
            body += f"%r = ttg.local_load %w : {memory} -> {tensor}, #out>\n"
            want = x
        else:
            return self._combined(kind, x, type_, load, store)
        return Case(kind, self._module(type_, load + body + store + _stored(m, n, type_)), x, want)

    def _combined(self, kind: str, x: np.ndarray, type_: str, load: str, store: str) -> Case:
        """A reduction or a scan, of numbers whose sums are exact."""
        (m, n), axis = x.shape, self.pick(0, 1)
        x = (x // 25).astype(x.dtype)
        add, largest = ("arith.addf", "arith.maximumf") if type_[0] == "f" else ("arith.addi", "arith.maxsi")
        tensor, reverse = f"tensor<{m}x{n}x{type_}, #src>", self.pick("false", "true")
        name, options = (
            ("scan", f"axis = {axis} : i32, reverse = {reverse}")
            if kind == "scan"
            else ("reduce", f"axis = {axis} : i32")
        )
        rest = x.shape[1 - axis]
        part = f"#ttg.slice<{{dim = {axis}, parent = #src}}>"
        result = tensor if kind == "scan" else f"tensor<{rest}x{type_}, {part}>"
        body = f"""%r{"0" if kind == "scan" else ""} = "tt.{name}"(%v) <{{{options}}}> ({{
^bb0(%p: {type_}, %q: {type_}):
  %c = {largest if kind == "largest" else add} %p, %q : {type_}
  tt.{name}.return %c : {type_}
}}) : ({tensor}) -> {result}
"""
        if kind == "scan":
            body += f"%r = ttg.convert_layout %r0 : {tensor} -> tensor<{m}x{n}x{type_}, #out>\n"
            ahead = (lambda v: np.flip(v, axis)) if reverse == "true" else (lambda v: v)
            want = ahead(np.cumsum(ahead(x), axis, dtype=x.dtype))
            return Case(kind, self._module(type_, load + body + store + _stored(m, n, type_)), x, want)
        places, pointers = f"tensor<{rest}xi32, {part}>", f"tensor<{rest}x!tt.ptr<{type_}>, {part}>"
        body += f"""%i = tt.make_range {{end = {rest} : i32, start = 0 : i32}} : {places}
%zs = tt.splat %z : !tt.ptr<{type_}> -> {pointers}
%zp = tt.addptr %zs, %i : {pointers}, {places}
tt.store %zp, %r : {pointers}
"""
        want = x.max(axis) if kind == "largest" else x.sum(axis, dtype=x.dtype)
        return Case(kind, self._module(type_, load + body), x, want)

    def _module(self, type_: str, body: str) -> str:
        pattern = f"vec = {self.pick(1, 2, 4, 8)}, perPhase = {self.pick(1, 2, 4)}, maxPhase = {self.pick(1, 2, 4, 8)}"
        mma = f"versionMajor = 2, versionMinor = 0, warpsPerCTA = {self.pick([1, 4], [2, 2], [4, 1])}, instrShape = [16, 8]"
        width = self.pick(1, 2, 4)
        architecture = self.target[3:].rstrip("af")
        sizes = '"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32'
        pointer = f"!tt.ptr<{type_}> {{tt.divisibility = 16 : i32}}"
        return f"""#src = {self.blocked()}
#out = {self.blocked()}
#other = {self.blocked()}
#mma = #ttg.nvidia_mma<{{{mma}}}>
#left = #ttg.dot_op<{{opIdx = 0, parent = #mma, kWidth = {width}}}>
#right = #ttg.dot_op<{{opIdx = 1, parent = #mma, kWidth = {width}}}>
#shared = #ttg.swizzled_shared<{{{pattern}, order = {self.pick([0, 1], [1, 0])}}}>
#smem = #ttg.shared_memory
module attributes {{{sizes}, ttg.target = "cuda:{architecture}"}} {{
tt.func public @kernel(%x: {pointer}, %z: {pointer}) {{
{body}tt.return
}}
}}
"""


def _stored(m: int, n: int, type_: str) -> str:
    return f"tt.store %bp, %r : tensor<{m}x{n}x!tt.ptr<{type_}>, #out>\n"


def _addresses(layout: str, name: str, base: str, m: int, n: int, type_: str) -> str:
    """The addresses of a block that lies by rows, in a layout."""
    rows, columns = (f"#ttg.slice<{{dim = {dim}, parent = {layout}}}>" for dim in (1, 0))
    places, pointers = f"tensor<{m}x{n}xi32, {layout}>", f"tensor<{m}x{n}x!tt.ptr<{type_}>, {layout}>"
    upright, flat = f"tensor<{m}x1xi32, {layout}>", f"tensor<1x{n}xi32, {layout}>"
    text = f"""%R = tt.make_range {{end = {m} : i32, start = 0 : i32}} : tensor<{m}xi32, {rows}>
%C = tt.make_range {{end = {n} : i32, start = 0 : i32}} : tensor<{n}xi32, {columns}>
%Re = tt.expand_dims %R {{axis = 1 : i32}} : tensor<{m}xi32, {rows}> -> {upright}
%Ce = tt.expand_dims %C {{axis = 0 : i32}} : tensor<{n}xi32, {columns}> -> {flat}
%K = arith.constant dense<{n}> : {upright}
%M = arith.muli %Re, %K : {upright}
%Mb = tt.broadcast %M : {upright} -> {places}
%Cb = tt.broadcast %Ce : {flat} -> {places}
%o = arith.addi %Mb, %Cb : {places}
%s = tt.splat {base} : !tt.ptr<{type_}> -> {pointers}
%p = tt.addptr %s, %o : {pointers}, {places}
"""
    for old in ("R", "C", "Re", "Ce", "K", "M", "Mb", "Cb", "o", "s", "p"):
        text = text.replace(f"%{old} ", f"%{name}{old} ").replace(f"%{old},", f"%{name}{old},")
    return text


def cases(seed: int, target: str) -> Iterator[Case]:
    """Kernels without end."""
    drawing = Drawing(seed, target)
    while True:
        yield drawing.case()
