"""Random expressions of masks, shifts, `xor`, `or`, sums and packed vectors, as NumPy computes them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.codegen.support import launch
from weft.codegen import compile_module

THREADS = 64
INPUTS = 3


class _Program:
    """A kernel of one expression a step: thread t reads words t of the inputs and writes one word a step."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.lines: list[str] = []
        self.values: list[tuple[str, np.ndarray]] = []
        self.data = [np.array([self._word() for _ in range(THREADS)], np.uint32) for _ in range(INPUTS)]
        for i, data in enumerate(self.data):
            self._add(f"memref.load %in{i}[%t] : memref<{THREADS}xi32>", data)
        self._add("arith.index_cast %t : index to i32", np.arange(THREADS, dtype=np.uint32))
        self._add("arith.index_cast %b : index to i32", np.zeros(THREADS, np.uint32))

    def _word(self) -> int:
        return self.rng.choice(
            [self.rng.getrandbits(32), self.rng.getrandbits(9), 0, 0xFFFFFFFF, 1 << self.rng.randrange(32)]
        )

    def _add(self, text: str, data: np.ndarray) -> None:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        self.values.append((name, data.astype(np.uint32)))

    def _constant(self, number: int) -> str:
        name = f"%c{len(self.lines)}"
        signed = number - (1 << 32) if number >> 31 else number
        self.lines.append(f"{name} = arith.constant {signed} : i32")
        return name

    def _mask(self) -> int:
        low, width = self.rng.randrange(32), self.rng.randrange(1, 12)
        mask = ((1 << width) - 1) << low & 0xFFFFFFFF
        return self.rng.choice([mask, mask, mask ^ 0xFFFFFFFF, 0xFF << 8 * self.rng.randrange(4), 0xFFFF, 0xFFFF0000])

    def step(self) -> None:
        rng = self.rng
        (a, x), (b, y) = (rng.choice(self.values[-8:] + self.values[:5]) for _ in range(2))
        match rng.randrange(11):
            case 0 | 1:
                mask = self._mask()
                self._add(f"arith.andi {a}, {self._constant(mask)} : i32", x & np.uint32(mask))
            case 2:
                by = rng.choice([1, 2, 3, 4, 5, 8, 16, 24, rng.randrange(32)])
                self._add(f"arith.shli {a}, {self._constant(by)} : i32", x << np.uint32(by))
            case 3:
                by = rng.choice([1, 2, 3, 4, 5, 8, 16, 24, rng.randrange(32)])
                self._add(f"arith.shrui {a}, {self._constant(by)} : i32", x >> np.uint32(by))
            case 4:
                by = rng.choice([8, 16, 24, rng.randrange(32)])
                self._add(f"arith.shrsi {a}, {self._constant(by)} : i32", (x.view(np.int32) >> by).view(np.uint32))
            case 5:
                self._add(f"arith.xori {a}, {b} : i32", x ^ y)
            case 6:
                self._add(f"arith.ori {a}, {b} : i32", x | y)
            case 7:
                mask = self._mask()
                name, apply = rng.choice([("xori", np.bitwise_xor), ("ori", np.bitwise_or), ("addi", np.add)])
                self._add(f"arith.{name} {a}, {self._constant(mask)} : i32", apply(x, np.uint32(mask)))
            case 8:
                self._add(f"arith.addi {a}, {b} : i32", x + y)
            case 9:
                self._extended(a, x)
            case _:
                self._packed(a, x, b, y)

    def _extended(self, a: str, x: np.ndarray) -> None:
        """The upper half, twice, of a word with a constant added, extended to 64 bits, times four."""
        number, n = self._mask(), len(self.lines)
        name, apply = self.rng.choice([("addi", np.add), ("ori", np.bitwise_or), ("xori", np.bitwise_xor)])
        signed = self.rng.random() < 0.5
        self.lines.append(f"%a{n} = arith.{name} {a}, {self._constant(number)} : i32")
        self.lines.append(f"%w{n} = arith.{'extsi' if signed else 'extui'} %a{n} : i32 to i64")
        self.lines += [f"%f{n} = arith.constant 2 : i64", f"%g{n} = arith.constant 31 : i64"]
        self.lines += [f"%x{n} = arith.shli %w{n}, %f{n} : i64", f"%y{n} = arith.shrui %x{n}, %g{n} : i64"]
        word = apply(x, np.uint32(number))
        wide = word.view(np.int32).astype(np.int64).view(np.uint64) if signed else word.astype(np.uint64)
        self._add(f"arith.trunci %y{n} : i64 to i32", (wide << np.uint64(2)) >> np.uint64(31) & np.uint64(0xFFFFFFFF))

    def _packed(self, a: str, x: np.ndarray, b: str, y: np.ndarray) -> None:
        """Elements of two words seen as vectors, in any order."""
        count, type_ = self.rng.choice([(4, "i8"), (2, "i16"), (2, "f16")])
        dtype = {4: np.uint8, 2: np.uint16}[count]
        order = [self.rng.randrange(2 * count) for _ in range(count)]
        n = len(self.lines)
        vector = f"vector<{count}x{type_}>"
        for name, word in (("p", a), ("q", b)):
            self.lines.append(f"%{name}{n}w = vector.broadcast {word} : i32 to vector<1xi32>")
            self.lines.append(f"%{name}{n} = vector.bitcast %{name}{n}w : vector<1xi32> to {vector}")
        self.lines.append(f"%s{n} = vector.shuffle %p{n}, %q{n} {order} : {vector}, {vector}")
        self.lines.append(f"%r{n} = vector.bitcast %s{n} : {vector} to vector<1xi32>")
        both = np.concatenate([w.view(dtype).reshape(THREADS, count) for w in (x, y)], axis=1)
        self._add(f"vector.extract %r{n}[0] : i32 from vector<1xi32>", both[:, order].copy().view(np.uint32)[:, 0])

    def text(self) -> str:
        stores = [
            f"%o{i} = arith.constant {i} : index\nmemref.store {name}, %out[%o{i}, %t] : memref<{len(self.values)}x{THREADS}xi32>"
            for i, (name, _) in enumerate(self.values)
        ]
        inputs = "".join(f"%in{i}: memref<{THREADS}xi32>, " for i in range(INPUTS))
        body = "\n".join([*self.lines, *stores])
        return f"""gpu.module @m {{ gpu.func @k({inputs}%out: memref<{len(self.values)}x{THREADS}xi32>) kernel
            attributes {{known_block_size = array<i32: {THREADS}, 1, 1>}} {{
            %t = gpu.thread_id x\n%b = gpu.block_id x\n{body}\ngpu.return }} }}"""


def check(seed: int) -> None:
    program = _Program(seed)
    for _ in range(40):
        program.step()
    out = np.zeros((len(program.values), THREADS), np.uint32)
    launch(compile_module(program.text(), "sm_80"), "k", 1, THREADS, [*program.data, out])
    for (name, want), found in zip(program.values, out, strict=True):
        assert (want == found).all(), (seed, name, [line for line in program.lines if f"{name} " in line])


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(6))
def test_expressions(seed: int) -> None:
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_more_expressions(seed: int) -> None:
    for sub in range(10):
        check(10 * seed + sub)
