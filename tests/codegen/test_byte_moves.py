"""Where bytes of registers come from, and registers made of bytes: followed, moved and evaluated."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.codegen.test_linear import evaluate
from weft.codegen import bytewise
from weft.codegen.bytewise import Byte
from weft.codegen.graph import B16, B32, B64, BITS, Const, Inst, Value
from weft.codegen.integers import Integers
from weft.isa import opcode
from weft.isa.opcode import Opcode
from weft.ptx.operands import Float

OPCODES: dict[str, Opcode] = {
    **{f"mov{bits}": opcode("mov", type=f"b{bits}") for bits in (16, 32, 64)},
    **{f"shl{bits}": opcode("shl", type=f"b{bits}") for bits in (32, 64)},
    **{f"shr{bits}": opcode("shr", type=f"u{bits}") for bits in (32, 64)},
    **{f"and{bits}": opcode("and", type=f"b{bits}") for bits in (32, 64)},
    **{f"or{bits}": opcode("or", type=f"b{bits}") for bits in (32, 64)},
    **{f"{to}<-{source}": opcode("cvt", type=to, atype=source)
       for to, source in (("u32", "u16"), ("u16", "u32"), ("u64", "u32"), ("u32", "u64"), ("s32", "s8"), ("s32", "s16"))},
    "prmt": opcode("prmt", type="b32"), "mad": opcode("mad", mode="lo", type="s32"),
}  # fmt: skip


class Machine:
    """Two registers of each width, and instructions on them."""

    def __init__(self) -> None:
        self.s = Integers()
        self.r, self.r2 = (Value(B32, self.s.root) for _ in range(2))
        self.h, self.h2 = (Value(B16, self.s.root) for _ in range(2))
        self.w, self.w2 = (Value(B64, self.s.root) for _ in range(2))
        self.small = Value(B32, self.s.root, None, 0, 0x1FF)

    def do(self, name: str, *args: Any, cls: str = "") -> Value:
        code = OPCODES[name]
        return self.s.pure(code, cls or {"16": B16, "32": B32, "64": B64}[code.text[-2:]], *args)

    def apart(self, value: Value, cls: str) -> tuple[Value, ...]:
        """The parts of a register."""
        count = BITS[value.cls] // BITS[cls]
        return self.s.pure_many(OPCODES[f"mov{BITS[value.cls]}"], (cls,) * count, value)

    def numbers(self, rng: random.Random) -> dict[Value, int]:
        """What the registers hold."""
        registers = (self.r, self.r2, self.h, self.h2, self.w, self.w2)
        return {v: rng.getrandbits(BITS[v.cls]) for v in registers} | {self.small: rng.getrandbits(9)}


def _own(value: Value, *places: int) -> tuple[Byte, ...]:
    return tuple((value, place) for place in places)


MOVES: dict[str, Callable[[Machine], tuple[Value, tuple[Byte, ...]]]] = {
    "a register": lambda m: (m.r, _own(m.r, 0, 1, 2, 3)),
    "a small one": lambda m: (m.small, (*_own(m.small, 0, 1), 0, 0)),
    "a copy": lambda m: (m.do("mov32", m.r), _own(m.r, 0, 1, 2, 3)),
    "a number": lambda m: (m.do("mov32", 0x1020304), (4, 3, 2, 1)),
    "a negative number": lambda m: (m.do("mov32", -2), (254, 255, 255, 255)),
    "a float": lambda m: (m.do("mov32", Float(0.0, "0f3FC00000")), (0, 0, 0xC0, 0x3F)),
    "a double": lambda m: (m.do("mov64", Float(0.0, "0d3FF8000000000000")), (0, 0, 0, 0, 0, 0, 0xF8, 0x3F)),
    "two halves": lambda m: (m.do("mov32", (m.h, m.h2)), (*_own(m.h, 0, 1), *_own(m.h2, 0, 1))),
    "two words": lambda m: (m.do("mov64", (m.r, m.r2)), (*_own(m.r, 0, 1, 2, 3), *_own(m.r2, 0, 1, 2, 3))),
    "the upper half": lambda m: (m.apart(m.r, B16)[1], _own(m.r, 2, 3)),
    "the lower half": lambda m: (m.apart(m.r, B16)[0], _own(m.r, 0, 1)),
    "the upper word": lambda m: (m.apart(m.w, B32)[1], _own(m.w, 4, 5, 6, 7)),
    "the third quarter": lambda m: (m.apart(m.w, B16)[2], _own(m.w, 4, 5)),
    "up": lambda m: (m.do("shl32", m.r, 8), (0, *_own(m.r, 0, 1, 2))),
    "up by 24": lambda m: (m.do("shl32", m.r, 24), (0, 0, 0, (m.r, 0))),
    "up by 32": lambda m: (m.do("shl32", m.r, 32), (0, 0, 0, 0)),
    "down": lambda m: (m.do("shr32", m.r, 16), (*_own(m.r, 2, 3), 0, 0)),
    "down by 40": lambda m: (m.do("shr32", m.r, 40), (0, 0, 0, 0)),
    "up a word": lambda m: (m.do("shl64", m.w, 32), (0, 0, 0, 0, *_own(m.w, 0, 1, 2, 3))),
    "down a byte": lambda m: (m.do("shr64", m.w, 8), (*_own(m.w, 1, 2, 3, 4, 5, 6, 7), 0)),
    "masked": lambda m: (m.do("and32", m.r, 0xFF00FF), ((m.r, 0), 0, (m.r, 2), 0)),
    "masked high": lambda m: (m.do("and32", m.r, -65536), (0, 0, *_own(m.r, 2, 3))),
    "masked wide": lambda m: (m.do("and64", m.w, 0xFF0000000000), (0, 0, 0, 0, 0, (m.w, 5), 0, 0)),
    "beside": lambda m: (
        m.do("or32", m.do("shl32", m.r, 16), m.do("and32", m.r2, 0xFFFF)),
        (*_own(m.r2, 0, 1), *_own(m.r, 0, 1)),
    ),
    "beside a number": lambda m: (m.do("or32", m.do("shl32", m.r, 16), 0x4142), (0x42, 0x41, *_own(m.r, 0, 1))),
    "added": lambda m: (m.do("mad", m.r, 65536, m.do("and32", m.r2, 0xFFFF)), (*_own(m.r2, 0, 1), *_own(m.r, 0, 1))),
    "added high": lambda m: (m.do("mad", m.r, 1 << 24, m.do("and32", m.r2, 255)), ((m.r2, 0), 0, 0, (m.r, 0))),
    "picked": lambda m: (m.do("prmt", m.r, m.r2, 0x7043), ((m.r, 3), (m.r2, 0), (m.r, 0), (m.r2, 3))),
    "picked beside 0": lambda m: (m.do("prmt", m.r, 0, 0x4321), (*_own(m.r, 1, 2, 3), 0)),
    "wider": lambda m: (m.do("u32<-u16", m.h, cls=B32), (*_own(m.h, 0, 1), 0, 0)),
    "narrower": lambda m: (m.do("u16<-u32", m.r, cls=B16), _own(m.r, 0, 1)),
    "to 64": lambda m: (m.do("u64<-u32", m.r, cls=B64), (*_own(m.r, 0, 1, 2, 3), 0, 0, 0, 0)),
    "from 64": lambda m: (m.do("u32<-u64", m.w, cls=B32), _own(m.w, 0, 1, 2, 3)),
    "taken apart again": lambda m: (m.apart(m.do("mov32", (m.h, m.h2)), B16)[1], _own(m.h2, 0, 1)),
}
"""Instructions that move whole bytes, and where those of the result come from."""
PARTLY: dict[str, tuple[Callable[[Machine], Value], tuple[int, ...]]] = {
    "signed byte": (lambda m: m.do("s32<-s8", m.r, cls=B32), (1, 2, 3)),
    "signed half": (lambda m: m.do("s32<-s16", m.r, cls=B32), (2, 3)),
    "mask through a byte": (lambda m: m.do("and32", m.r, 0xFF0F), (0,)),
    "both in one byte": (lambda m: m.do("or32", m.r, m.do("and32", m.r2, 255)), (0,)),
    "replicated sign": (lambda m: m.do("prmt", m.r, m.r2, 0x70C3), (1,)),
    "shifted by bits": (lambda m: m.do("shl32", m.r, 4), (0, 1, 2, 3)),
    "masked by a register": (lambda m: m.do("and32", m.r, m.r2), (0, 1, 2, 3)),
    "added with a carry": (lambda m: m.do("mad", m.r, 256, m.r2), (0, 1, 2, 3)),
    "added by no power": (lambda m: m.do("mad", m.r, 257, m.small), (0, 1, 2, 3)),
    "added by bits": (lambda m: m.do("mad", m.r, 512, m.small), (0, 1, 2, 3)),
    "picked by a register": (lambda m: m.do("prmt", m.r, m.r2, m.small), (0, 1, 2, 3)),
}
"""Those that compute some bytes, and which of the result's are its own."""


def _check(m: Machine, value: Value, found: tuple[Byte, ...], rng: random.Random) -> None:
    env = m.numbers(rng)
    number = evaluate(value, env)
    read = [byte if isinstance(byte, int) else evaluate(byte[0], env) >> 8 * byte[1] & 255 for byte in found]
    assert list(number.to_bytes(len(found), "little")) == read


@pytest.mark.parametrize("name", MOVES)
def test_bytes_are_followed_to_where_they_come_from(name: str) -> None:
    m = Machine()
    value, wanted = MOVES[name](m)
    assert bytewise.of_value(value) == wanted
    if "float" not in name and "double" not in name:
        for seed in range(4):
            _check(m, value, wanted, random.Random(seed))


@pytest.mark.parametrize("name", PARTLY)
def test_bytes_that_are_computed_are_the_results_own(name: str) -> None:
    make, places = PARTLY[name]
    m = Machine()
    value = make(m)
    found = bytewise.of_value(value)
    assert tuple(place for place, byte in enumerate(found) if byte == (value, place)) == places
    if "register" not in name:
        for seed in range(4):
            _check(m, value, found, random.Random(seed))


def test_moves_are_followed_through_twelve() -> None:
    for count in range(9, 16):
        m = Machine()
        value = m.r
        for step in range(count):
            value = m.do("and32", value, (1 << 8 * (step % 2 + 2)) - 1)
        assert (bytewise.registers(bytewise.of_value(value)) == [m.r]) == (count <= 12)


def _stems(m: Machine) -> list[str]:
    return [item.opcode.text for item in m.s.root.items if isinstance(item, Inst)]


def _drawn(m: Machine, rng: random.Random) -> list[Byte | None]:
    """Four bytes of a few registers, numbers and what means nothing."""
    sources = rng.sample([m.r, m.r2, m.h, m.h2, m.w], rng.choice((1, 1, 2, 2, 3, 4)))
    kinds: list[str] = rng.choice(
        (["register"], ["register", "zero"], ["register", "register", "zero", "number", "none"])
    )
    found: list[Byte | None] = []
    start = rng.randrange(4)
    straight = rng.random() < 0.5
    for place in range(4):
        source = rng.choice(sources)
        at = (place + start if straight else rng.randrange(8)) % (BITS[source.cls] // 8)
        choices: dict[str, Byte | None] = {"register": (source, at), "zero": 0, "number": 0xA5, "none": None}
        found.append(choices[rng.choice(kinds)])
    return found


@pytest.mark.parametrize("seed", range(10))
def test_words_of_bytes(seed: int) -> None:
    """They hold the bytes; of registers of 32 bits it takes one instruction where two operands have all of them."""
    rng = random.Random(f"words {seed}")
    for _ in range(40):
        m = Machine()
        wanted = _drawn(m, rng)
        lin = bytewise.word(m.s, wanted)
        used = bytewise.registers(wanted)
        if all(register.cls == B32 for register in used):
            operands = len(used) + any(isinstance(byte, int) for byte in wanted)
            assert len(_stems(m)) <= max(operands - 1, 1), wanted
        register = m.s.operand(lin)
        for _ in range(3):
            env = m.numbers(rng)
            number = evaluate(register, env) & 0xFFFFFFFF
            for place, byte in enumerate(wanted):
                if byte is not None:
                    right = byte if isinstance(byte, int) else env[byte[0]] >> 8 * byte[1] & 255
                    assert number >> 8 * place & 255 == right, (wanted, place)
            if None not in wanted:
                signed = number - (1 << 32) if number >> 31 else number
                assert lin.lo <= signed <= lin.hi


WORDS: dict[str, tuple[Callable[[Machine], tuple[Byte | None, ...]], list[str]]] = {
    "all": (lambda m: _own(m.r, 0, 1, 2, 3), []),
    "numbers": (lambda m: (1, 2, None, 4), []),
    "any above": (lambda m: (*_own(m.r, 0, 1), None, None), []),
    "down 1": (lambda m: (*_own(m.r, 1, 2, 3), 0), ["shr.u32"]),
    "down 2": (lambda m: (*_own(m.r, 2, 3), 0, 0), ["shr.u32"]),
    "down 3": (lambda m: ((m.r, 3), 0, 0, 0), ["shr.u32"]),
    "down and any": (lambda m: ((m.r, 3), None, None, None), ["shr.u32"]),
    "up 1": (lambda m: (0, *_own(m.r, 0, 1, 2)), ["shl.b32"]),
    "up 3": (lambda m: (0, 0, 0, (m.r, 0)), ["shl.b32"]),
    "low byte": (lambda m: ((m.r, 0), 0, 0, 0), ["and.b32"]),
    "high half": (lambda m: (0, 0, *_own(m.r, 2, 3)), ["and.b32"]),
    "low three": (lambda m: (*_own(m.r, 0, 1, 2), 0), ["and.b32"]),
    "high three": (lambda m: (0, *_own(m.r, 1, 2, 3)), ["and.b32"]),
    "middle": (lambda m: (0, *_own(m.r, 1, 2), 0), ["prmt.b32"]),
    "reversed": (lambda m: _own(m.r, 3, 2, 1, 0), ["prmt.b32"]),
    "two registers": (lambda m: (*_own(m.r, 0, 1), *_own(m.r2, 0, 1)), ["prmt.b32"]),
    "two and a number": (lambda m: (*_own(m.r, 0, 1), (m.r2, 0), 0), ["prmt.b32", "prmt.b32"]),
    "a half": (lambda m: (*_own(m.h, 0, 1), 0, 0), ["cvt.u32.u16"]),
    "two halves": (lambda m: (*_own(m.h, 0, 1), *_own(m.h2, 0, 1)), ["mov.b32"]),
    "half of a word": (lambda m: (*_own(m.h, 0, 1), *_own(m.r, 2, 3)), ["mov.b32", "mov.b32"]),
    "a word of 64": (lambda m: _own(m.w, 4, 5, 6, 7), ["mov.b64"]),
    "through 64": (lambda m: _own(m.w, 2, 3, 4, 5), ["mov.b64", "prmt.b32"]),
    "half and number": (lambda m: (*_own(m.h, 0, 1), 0x34, 0x12), ["mov.b16", "mov.b32"]),
}
"""Bytes, and the instructions that make a word of them."""


@pytest.mark.parametrize("name", WORDS)
def test_words_take_the_shortest_way(name: str) -> None:
    m = Machine()
    make, stems = WORDS[name]
    bytewise.word(m.s, make(m))
    assert _stems(m) == stems


def test_halves_of_bytes() -> None:
    m = Machine()
    for wanted, found in (
        (_own(m.h, 0, 1), m.h), (((m.h, 0), None), m.h), ((1, 2), Const(B16, 0x201)), ((None, 2), Const(B16, 0x200)),
        (((m.h, 1), 0), None), (_own(m.h, 1, 0), None), (_own(m.r, 1, 2), None), ((0, (m.h, 1)), None),
        (((m.h, 0), (m.h2, 1)), None), (_own(m.w, 3, 4), None),
    ):  # fmt: skip
        assert bytewise.half(m.s, wanted) == found, wanted
    for wanted, place in ((_own(m.r, 0, 1), 0), (_own(m.r, 2, 3), 1), (((m.r, 2), None), 1)):
        value = bytewise.half(m.s, wanted)
        assert isinstance(value, Value)
        assert value.inst is not None
        assert value.inst.outs.index(value) == place
        assert bytewise.of_value(value) == _own(m.r, 2 * place, 2 * place + 1)
    assert bytewise.register16(_own(m.h, 0, 1)) is m.h
    for other in (_own(m.h, 1, 0), ((m.h, 0), (m.h2, 1)), _own(m.r, 0, 1), (0, 0)):
        assert bytewise.register16(other) is None


def test_signed_numbers_of_bytes() -> None:
    for make, stem in (
        (lambda m: _own(m.r, 1), "prmt.b32"), (lambda m: _own(m.r, 3), "prmt.b32"), (lambda m: _own(m.r, 2, 3), "shr.s32"),
        (lambda m: _own(m.h, 0, 1), "cvt.s32.s16"), (lambda m: _own(m.r, 0), ""), (lambda m: _own(m.r, 0, 1), ""),
        (lambda m: _own(m.r, 1, 2), ""), (lambda m: (0,), ""), (lambda m: _own(m.h, 1), ""), (lambda m: ((m.r, 2), 0), ""),
    ):  # fmt: skip
        m = Machine()
        wanted: Any = make(m)
        lin = bytewise.extended(m.s, wanted)
        assert _stems(m) == ([stem] if stem else []), wanted
        for seed in range(5 if lin is not None else 0):
            env = m.numbers(random.Random(seed))
            number = int.from_bytes((env[register] >> 8 * at & 255 for register, at in wanted), "little", signed=True)
            assert lin is not None
            assert evaluate(lin.terms[0][0], dict(env)) == number & 0xFFFFFFFF
            assert (lin.lo, lin.hi) == (-1 << 8 * len(wanted) - 1, (1 << 8 * len(wanted) - 1) - 1)
