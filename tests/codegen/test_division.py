"""Division by constants and the short way of divisions of 64 bits: against Python's integers."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

import weft
from weft.codegen.division import signed_multiplier, unsigned_multiplier

OPERATIONS = ("divui", "divsi", "remui", "remsi", "floordivsi", "ceildivsi", "ceildivui")


@pytest.mark.parametrize("width", [6, 8])
def test_multipliers_of_all_divisors(width: int) -> None:
    for divisor in range(2, 1 << width):
        for bits in (width, width - 2):
            multiplier, power = unsigned_multiplier(divisor, bits, width)
            assert all(a * multiplier >> power == a // divisor for a in range(1 << bits))
        if divisor < 1 << width - 1:
            multiplier, power = signed_multiplier(divisor, width)
            for a in range(-1 << width - 1, 1 << width - 1):
                assert (a * multiplier >> power) + (a < 0) == abs(a) // divisor * (-1 if a < 0 else 1)


def _signed(number: int, width: int) -> int:
    return number - (1 << width) if number >> width - 1 else number


def _expected(name: str, x: int, y: int) -> int:
    towards_zero = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return {"div": towards_zero, "rem": x - towards_zero * y, "floordiv": x // y, "ceildiv": -(-x // y)}[name]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_quotients(width: int, known: bool) -> None:
    rng = Random(f"{width} {known}")
    whole = 1 << width
    divisors = [rng.choice((rng.randrange(1, 100), rng.randrange(1, whole), whole - rng.randrange(1, 50),
                            (1 << rng.randrange(1, width)) + rng.choice((-1, 0, 1)))) % whole for _ in range(8)]  # fmt: skip
    names = [rng.choice(OPERATIONS) for _ in divisors]
    memory = f"memref<?xi{width}>"
    lines = ["%i = gpu.thread_id x", f"%x = memref.load %a[%i] : {memory}"]
    for k, (name, divisor) in enumerate(zip(names, divisors, strict=True)):
        lines.append(f"%k{k} = arith.constant {k} : index")
        lines.append(f"%d{k} = arith.constant {_signed(divisor, width)} : i{width}" if known
                     else f"%d{k} = memref.load %b[%k{k}] : {memory}")  # fmt: skip
        lines.append(f"%q{k} = arith.{name} %x, %d{k} : i{width}")
        lines.append(f"memref.store %q{k}, %out[%k{k}, %i] : memref<8x64xi{width}>")
    text = f"gpu.module @m {{ gpu.func @k(%a: {memory}, %b: {memory}, %out: memref<8x64xi{width}>) kernel {{\n"
    module = weft.compile(text + "\n".join(lines) + "\ngpu.return } }", "sm_80")
    dtype = np.dtype(f"u{width // 8}")
    numbers = [rng.choice((rng.randrange(whole), rng.randrange(300), whole - 1 - rng.randrange(300),
                           rng.choice(divisors) * rng.randrange(9) + rng.randrange(2))) % whole for _ in range(64)]  # fmt: skip
    a, b, out = np.array(numbers, dtype), np.array(divisors, dtype), np.zeros((8, 64), dtype)
    weft.run(module, "k", 1, 64, [a, a, 0, 64, 1, b, b, 0, 8, 1, out, out, 0, 8, 64, 64, 1], check="fast")
    for k, (name, divisor) in enumerate(zip(names, divisors, strict=True)):
        for i, number in enumerate(numbers):
            x, y = (number, divisor) if name.endswith("ui") else (_signed(number, width), _signed(divisor, width))
            if (x, y) != (-1 << width - 1, -1):
                assert out[k, i] == _expected(name[:-2], x, y) % whole, (name, x, y)


@pytest.mark.parametrize("type_", ["i32", "i64"])
@pytest.mark.parametrize("name", ["div", "rem"])
def test_signed_quotients_of_what_is_not_negative_are_unsigned_ones(name: str, type_: str) -> None:
    """Indices, sizes of blocks and bytes: their signs are not taken off and put back, and zero is one of them."""
    registers = {"%x": "gpu.thread_id x", "%y": "gpu.thread_id y", "%z": "gpu.block_id x", "%n": "gpu.block_dim x"}
    lines = [f"{to} = {op}\n{to}i = arith.index_cast {to} : index to {type_}" for to, op in registers.items()]
    lines += [f"%g = memref.load %p[%x] : memref<64xi8>\n%gi = arith.extui %g : i8 to {type_}"]
    lines += [f"%k{number} = arith.constant {number} : {type_}" for number in (7, 8)]
    for a, b in product(("%xi", "%zi", "%ni", "%gi"), ("%k7", "%k8", "%yi", "%ni", "%gi")):
        texts = [
            f"""gpu.module @m {{ gpu.func @k(%o: memref<64x{type_}>, %p: memref<64xi8>) kernel {{
            {chr(10).join(lines)}
            %r = arith.{name}{sign}i {a}, {b} : {type_}
            memref.store %r, %o[%x] : memref<64x{type_}>
            gpu.return }} }}"""
            for sign in "su"
        ]
        signed, unsigned = (weft.compile(text, "sm_80", bare_pointers=True).to_ptx() for text in texts)
        assert signed == unsigned, (a, b)
