"""Random programs over the ISA table, which every engine must run alike: memory, registers, counts and faults.

A thread stores only where no other looks, but for exchanges through shared memory between barriers and atomics whose
order does not matter; in the end it stores all its registers.  What a program may do wrong is planted.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

import weft
from tests.isa.statements import statement
from tests.sim.harness import Array, floats
from weft.isa.compiled import CompiledForm
from weft.isa.form import Slots
from weft.isa.registry import compiled_forms
from weft.sim import KernelFault, Result, engines, semantics
from weft.sim.engines import Engine

POOLS = {"p": 4, "h": 6, "r": 8, "rd": 6}
"""Registers of each class that instructions are drawn with."""
OWN, INPUTS = 128, 16
"""Bytes of a thread in the output and in shared memory, and its words of input."""
_WIDTH = {"h": 16, "r": 32, "rd": 64}
FUNCTIONS = """
.func (.param .b32 out) twice (.param .b32 in) { .reg .b32 %v; ld.param.b32 %v, [in]; add.u32 %v, %v, %v;
st.param.b32 [out], %v; ret; }
.func (.param .b32 out) count (.param .b32 in) { .reg .b32 %v<3>; .reg .pred %p; ld.param.b32 %v0, [in]; mov.u32 %v1, 0;
and.b32 %v0, %v0, 255; more: setp.eq.u32 %p, %v0, 0; @%p bra done; sub.u32 %v2, %v0, 1; and.b32 %v0, %v0, %v2;
add.u32 %v1, %v1, 1; bra more; done: st.param.b32 [out], %v1; ret; }
"""
"""What programs call."""
LEFT_OUT = frozenset({"mapa", "cvta", "isspacep", "mbarrier.pending_count"})
"""Pure instructions that are drawn elsewhere, or need a cluster."""
_NAME = re.compile(r"%(rd|p|h|r|f|c|rq)(\d+)\b")
FAULTS = ("out-of-bounds", "misaligned", "read-only", "shared", "local", "membermask", "barrier", "trap")
STRICT_FAULTS = ("register", "unwritten", "race", "global race", "exited")


@cache
def opcodes(stem: str) -> list[tuple[CompiledForm, Slots]]:
    """Legal slots of a pure family, and their forms: a few hundred."""
    rng, found = random.Random(stem), dict[str, tuple[CompiledForm, Slots]]()
    for form in compiled_forms(stem):
        slots_of = [element for element in form.elements if element.slot]
        for _ in range(400):
            slots = {e.slot: rng.choice((*e.tokens, *[""] * e.optional)) for e in slots_of}
            text = form.spell(slots)
            if text not in found and form.windows(slots):
                found[text] = form, slots
    return list(found.values())


@dataclass
class Program:
    """A kernel `k` with its launch; `planted` is what is wrong with it."""

    text: str
    grid: int
    block: int
    seed: int
    planted: str = ""
    arrays: list[Array] = field(default_factory=list[Array])

    def run(self, engine: Engine, **options: Any) -> tuple[Result | tuple[str, str], list[Array]]:
        """What the program gives, or its fault, and what memory holds then."""
        arrays = [array.copy() for array in self.arrays]
        try:
            module = weft.parse(self.text)
            return weft.run(module, "k", self.grid, self.block, arrays, engine=engine, **options), arrays
        except KernelFault as fault:
            return (fault.kind, str(fault)), arrays


class Writer:
    """Draws the statements of a program."""

    def __init__(self, seed: int, plant: str = "", strict: bool = False, plain: bool = False) -> None:
        semantics.load_all()
        self.rng = random.Random(seed)
        self.seed, self.plant, self.strict, self.plain = seed, plant, strict, plain
        self.lines: list[str] = []
        self.labels = 0
        self.counters = 0
        self.stems = sorted(set(semantics.ALU) - LEFT_OUT)
        self.grid = self.rng.choice((1, 1, 2, 3))
        self.block = self.rng.choice((32, 32, 64, 96, 128, 50, 7))
        self.whole = self.block % 32 == 0

    # -- pieces -----------------------------------------------------------------------------------------------

    def put(self, *lines: str) -> None:
        self.lines += lines

    def reg(self, kind: str) -> str:
        return f"%{kind}{self.rng.randrange(POOLS[kind])}"

    def guard(self, odds: float = 0.25) -> str:
        if self.rng.random() >= odds:
            return ""
        return f"@{self.rng.choice(('', '!'))}{self.reg('p')} "

    def label(self) -> str:
        self.labels += 1
        return f"L{self.labels}"

    def pooled(self, text: str) -> str:
        """A statement with registers of the pools, distinct ones where the statement's are."""
        chosen: dict[str, str] = {}
        kinds = {"f": "r", "c": "h"}

        def other(match: re.Match[str]) -> str:
            name, kind = match[0], kinds.get(match[1], match[1])
            if name not in chosen:
                free = sorted({f"%{kind}{i}" for i in range(POOLS[kind])} - set(chosen.values()))
                chosen[name] = self.rng.choice(free)
            return chosen[name]

        return _NAME.sub(other, text)

    def alu(self) -> None:
        """A pure instruction."""
        for _ in range(20):
            stem = self.rng.choice(self.stems)
            form, slots = self.rng.choice(opcodes(stem))
            made = statement(form, slots, self.rng)
            if made is None or "%rq" in made.text or "mem" in made.text:
                continue
            text = self.pooled(made.text)
            if self.rng.random() < 0.4 and not form.effects.carry:  # A destination may be a source too.
                text = self._shared_names(text)
            return self.put(self.guard() + text)

    def _shared_names(self, text: str) -> str:
        head, _, rest = text.partition(" ")
        found = _NAME.findall(rest)
        kinds = {kind for kind, _ in found}
        kind = self.rng.choice(sorted(kinds))
        names = [f"%{k}{n}" for k, n in found if k == kind]
        if len(names) > 1 and "{" not in rest and "|" not in rest:
            rest = re.sub(re.escape(names[-1]) + r"\b", names[0], rest)
        return f"{head} {rest}"

    def immediate(self) -> None:
        """Arithmetic with constants, and moves."""
        r, rd, h = (lambda: self.reg("r")), (lambda: self.reg("rd")), (lambda: self.reg("h"))
        n = self.rng.choice((0, 1, 2, 3, 31, 32, 255, -1, 0x7FFFFFFF, self.rng.randrange(1 << 32)))
        self.put(
            self.guard()
            + self.rng.choice(
                (
                    f"add.s32 {r()}, {r()}, {n};",
                    f"and.b32 {r()}, {r()}, {n};",
                    f"shl.b32 {r()}, {r()}, {n & 63};",
                    f"shr.s64 {rd()}, {rd()}, {n & 127};",
                    f"setp.{self.rng.choice(('lt', 'ge', 'eq'))}.s32 {self.reg('p')}, {r()}, {n};",
                    f"mov.b64 {rd()}, {{{r()}, {r()}}};",
                    f"mov.b32 {{{'%h0'}, {'%h1'}}}, {r()};",
                    f"mov.u32 {r()}, {self.rng.choice(('%tid.x', '%laneid', '%ctaid.x', '%warpid', '%ntid.x'))};",
                    f"mov.b64 {rd()}, {rd()};",
                    f"cvt.u16.u32 {h()}, {r()};",
                    f"selp.b32 {r()}, {r()}, {n}, {self.reg('p')};",
                    f"fma.rn.f32 {r()}, {r()}, 0f{self.rng.randrange(1 << 32):08X}, {r()};",
                    f"cvta.shared.u64 {rd()}, %a2;",
                )
            )
        )

    # -- memory -----------------------------------------------------------------------------------------------

    def _vector(self, kind: str, count: int) -> str:
        names = self.rng.sample(range(POOLS[kind]), count)
        parts = [f"%{kind}{n}" for n in names]
        return parts[0] if count == 1 else "{" + ", ".join(parts) + "}"

    def _shape(self) -> tuple[str, str, int]:
        """The suffix of an access, its registers, and its bytes."""
        bits, count = self.rng.choice(((8, 1), (16, 1), (32, 1), (32, 2), (32, 4), (64, 1), (64, 2), (16, 2), (16, 4)))
        kind = {8: "h", 16: "h", 32: "r", 64: "rd"}[bits]
        letter = self.rng.choice("us" if bits == 8 else "bus")
        vector = f".v{count}" if count > 1 else ""
        return f"{vector}.{letter}{bits}", self._vector(kind, count), bits // 8 * count

    def load_input(self) -> None:
        """A load of what nobody writes: anywhere, one after the other, all the same."""
        suffix, registers, size = self._shape()
        slots = self.grid * self.block * INPUTS * 4 // size
        way = self.rng.randrange(4)
        if way == 0:
            self.put(f"rem.u32 %x0, {self.reg('r')}, {slots};")
        elif way == 1:
            self.put(f"add.u32 %x0, %t0, {self.rng.randrange(max(1, slots - self.grid * self.block))};")
        elif way == 2:
            self.put(f"mov.u32 %x0, {self.rng.randrange(slots)};")
        else:
            self.put(f"sub.u32 %x0, {slots - 1}, %t0;")
        space = self.rng.choice((".global", ".global", "", ".global.nc"))
        self.put(
            f"mad.wide.u32 %y0, %x0, {size}, %a0;",
            f"{self.guard()}ld{space}{suffix} {registers}, [%y0];",
        )

    def own(self) -> None:
        """A store, or a load, where the thread alone looks."""
        suffix, registers, size = self._shape()
        offset = self.rng.randrange(OWN // size) * size
        where = self.rng.choice(
            (("global", "%a1"), ("", "%a1"), ("shared", "%s1"), ("", "%a2"))
            if self.plain
            else (("global", "%a1"), ("", "%a1"), ("shared", "%s1"), ("", "%a2"), ("local", "mine"), ("", "%a3"))
        )
        space = f".{where[0]}" if where[0] else ""
        address = f"[{where[1]}+{offset}]"
        if self.rng.random() < 0.5:
            self.put(f"{self.guard()}st{space}{suffix} {address}, {registers};")
        else:
            self.put(f"{self.guard()}ld{space}{suffix} {registers}, {address};")

    def atomic(self) -> None:
        """An atomic on own memory, or a sum of all threads."""
        if self.plain:
            return self.own()
        r, rd = self.reg("r"), self.reg("rd")
        op = self.rng.choice(("add", "min", "max", "and", "or", "xor", "exch", "inc", "dec"))
        type_ = "b32" if op in ("and", "or", "xor", "exch") else "u32"
        other = self.reg("r")
        self.put(
            self.guard()
            + self.rng.choice(
                (
                    f"atom.global.{op}.{type_} {r}, [%a1+4], {other};",
                    f"atom.shared.{op}.{type_} {r}, [%s1+8], {other};",
                    f"red.global.add.u64 [%a1+16], {rd};",
                    f"atom.global.cas.b32 {r}, [%a1+4], {other}, {self.reg('r')};",
                    f"atom.add.f32 {r}, [%a2+12], {other};",
                    f"red.global.add.u32 [%a4+{4 * self.rng.randrange(4)}], {other};",
                    f"red.shared.max.u32 [sums+{4 * self.rng.randrange(4)}], {other};",
                    f"red.global.xor.b32 [%a4+{16 + 4 * self.rng.randrange(4)}], {other};",
                    f"atom.global.add.noftz.f16x2 {r}, [%a1+20], {other};",
                    f"red.shared.{self.rng.choice(('add', 'min', 'max'))}.s32 [%s1+16], {other};",
                    f"red.{self.rng.choice(('and', 'or', 'xor'))}.b64 [%a1+24], {rd};",
                    f"atom.shared.max.s32 _, [%s1+20], {other};",
                )
            )
        )
        return None

    def copy(self) -> None:
        """An asynchronous copy into own shared memory, waited for."""
        size = self.rng.choice((4, 8, 16))
        self.put(
            f"rem.u32 %x0, {self.reg('r')}, {self.grid * self.block * INPUTS * 4 // size};",
            f"mad.wide.u32 %y0, %x0, {size}, %a0;",
            f"{self.guard()}cp.async.{'cg' if size == 16 and self.rng.random() < 0.5 else 'ca'}.shared.global "
            f"[%s1+{self.rng.randrange(OWN // size) * size}], [%y0], {size}"
            f"{self.rng.choice(('', f', {self.rng.randrange(size + 1)}'))};",
            *(("cp.async.commit_group;", "cp.async.wait_group 0;") if self.rng.random() < 0.7 else ()),
            "cp.async.wait_all;",
        )

    def exchange(self) -> None:
        """Threads read what others have stored to shared memory, between barriers."""
        suffix, registers, size = self._shape()
        offset = self.rng.randrange(OWN // size) * size
        self.put("bar.sync 0;", f"add.u32 %x0, %t1, {self.rng.randrange(self.block)};")
        self.put(f"rem.u32 %x0, %x0, {self.block};", f"mad.lo.u32 %x0, %x0, {OWN}, %s0;")
        self.put(f"{self.guard()}ld.shared{suffix} {registers}, [%x0+{offset}];", "bar.sync 0;")

    # -- warps ------------------------------------------------------------------------------------------------

    def collective(self, mask: str = "") -> None:
        """An instruction of a whole warp, or of the lanes that a register names."""
        r, p = (lambda: self.reg("r")), (lambda: self.reg("p"))
        mask = mask or ("-1" if self.whole else "%m0")
        lanes = self.rng.choice((f"{self.rng.randrange(32)}", r()))
        partial = mask == "%m1"
        chosen = self.rng.choice(
            (
                f"{self._shuffle()}, {lanes}, {self.rng.choice((0, 31, 0x1C1F, 0x181F))}, {mask};",
                f"vote.sync.{self.rng.choice(('any', 'all', 'uni'))}.pred {p()}, {p()}, {mask};",
                f"vote.sync.ballot.b32 {r()}, {p()}, {mask};",
                f"match.any.sync.b32 {r()}, {r()}, {mask};",
                f"match.all.sync.b64 {r()}|{p()}, {self.reg('rd')}, {mask};",
                f"redux.sync.{self.rng.choice(('add', 'min', 'max'))}.{self.rng.choice('us')}32 {r()}, {r()}, {mask};",
                f"redux.sync.xor.b32 {r()}, {r()}, {mask};",
                f"elect.sync {r()}|{p()}, {mask};",
                f"bar.warp.sync {mask};",
            )
        )
        if partial and self.strict and chosen.startswith("shfl"):  # It takes values of lanes that go the other way.
            chosen = f"bar.warp.sync {mask};"
        self.put(chosen)

    def _shuffle(self) -> str:
        way = self.rng.choice(("up", "down", "bfly", "idx"))
        return f"shfl.sync.{way}.b32 {self.reg('r')}|{self.reg('p')}, {self.reg('r')}"

    def product(self) -> None:
        """A product of matrices, or a load of them, by a whole warp."""
        names = [f"%r{i}" for i in self.rng.sample(range(POOLS["r"]), 8)]
        if self.rng.random() < 0.5:
            self.put("bar.warp.sync -1;", f"mad.lo.u32 %x0, %l0, {OWN}, %w0;")
            count = self.rng.choice((1, 2, 4))
            self.put(
                f"ldmatrix.sync.aligned.m8n8.x{count}{self.rng.choice(('', '.trans'))}.shared.b16 "
                f"{{{', '.join(names[:count])}}}, [%x0];",
                "bar.warp.sync -1;",
            )
            return
        d, a, b = "{" + ", ".join(names[:4]) + "}", "{" + ", ".join(names[:4]) + "}", "{" + ", ".join(names[4:6]) + "}"
        shape, types = self.rng.choice(
            (("m16n8k16", "f32.f16.f16.f32"), ("m16n8k16", "f32.bf16.bf16.f32"), ("m16n8k32", "s32.s8.u8.s32"))
        )
        self.put(f"mma.sync.aligned.{shape}.row.col.{types} {d}, {a}, {b}, {d};")

    # -- control ----------------------------------------------------------------------------------------------

    def body(self, count: int, depth: int, together: bool) -> None:
        """So many pieces; `together` says that all threads of the CTA are here."""
        for _ in range(count):
            self.piece(depth, together)

    def piece(self, depth: int, together: bool) -> None:
        draw = self.rng.random()
        plain: list[tuple[float, Callable[[], None]]] = [
            (0.38, self.alu), (0.12, self.immediate), (0.1, self.load_input), (0.16, self.own), (0.02, self.atomic),
            (0.02, self.copy), (0.01, self.call), (0.01, self.chosen),
        ]  # fmt: skip
        for odds, what in plain:
            if draw < odds:
                return what()
            draw -= odds
        if draw < 0.06 and together:
            return self.collective()
        if draw < 0.08 and together:
            return self.exchange()
        if draw < 0.1 and together and self.whole:
            return self.product()
        if depth < 3:
            return self.rng.choice((self.either, self.either, self.loop, self.skip, self.some))(depth, together)
        return self.alu()

    def either(self, depth: int, together: bool) -> None:
        """One way or the other, or one way or none; now and then for all threads alike."""
        p, other, end = self.reg("p"), self.label(), self.label()
        uniform = self.rng.random() < 0.2
        if uniform:
            self.put(f"setp.lt.u32 %q0, %n9, {self.rng.randrange(0, 2)};")
            p = "%q0"
        self.put(f"@{self.rng.choice(('', '!'))}{p} bra{self.rng.choice(('', '.uni')) if uniform else ''} {other};")
        self.body(self.rng.randrange(1, 5), depth + 1, together and uniform)
        self.put(f"bra {end};", f"{other}:")
        if self.rng.random() < 0.7:
            self.body(self.rng.randrange(1, 5), depth + 1, together and uniform)
        self.put(f"{end}:")

    def loop(self, depth: int, together: bool) -> None:
        """A loop that each thread goes round a few times, or all as often."""
        counter, start, end = f"%n{self.counters}", self.label(), self.label()
        self.counters += 1
        uniform, leaves = self.rng.random() < 0.4, self.rng.random() < 0.2
        self.put(f"and.b32 {counter}, {'%n9' if uniform else self.reg('r')}, 3;", f"{start}:")
        self.body(self.rng.randrange(1, 5), depth + 1, together and uniform and not leaves)
        if leaves:
            self.put(f"@{self.reg('p')} bra {end};")
        self.put(
            f"sub.s32 {counter}, {counter}, 1;", f"setp.ge.s32 %q1, {counter}, 0;", f"@%q1 bra {start};", f"{end}:"
        )
        self.counters -= 1

    def skip(self, depth: int, together: bool) -> None:
        """Lanes go past a few instructions."""
        end = self.label()
        self.put(f"{self.guard(1)}bra {end};")
        self.body(self.rng.randrange(1, 4), depth + 1, together=False)
        self.put(f"{end}:")

    def some(self, depth: int, together: bool) -> None:
        """A collective of the lanes that go one way."""
        if not together:
            return self.alu()
        end, mask = self.label(), "-1" if self.whole else "%m0"
        self.put(
            f"vote.sync.ballot.b32 %m1, {self.reg('p')}, {mask};", "shr.u32 %x1, %m1, %l0;", "and.b32 %x1, %x1, 1;"
        )
        self.put("setp.eq.u32 %q2, %x1, 0;", f"@%q2 bra {end};")
        self.collective("%m1")
        self.put(f"{end}:")
        return None

    def call(self) -> None:
        """A function of the module, with or without a loop in it."""
        if self.plain:
            return self.alu()
        name = self.rng.choice(("twice", "count"))
        self.put(
            "{ .param .b32 in; .param .b32 out;",
            f"st.param.b32 [in], {self.reg('r')};",
            f"{self.guard()}call (out), {name}, (in);",
            f"ld.param.b32 {self.reg('r')}, [out]; }}",
        )
        return None

    def chosen(self) -> None:
        """A branch to one of several labels."""
        labels = [self.label() for _ in range(3)]
        end, table = self.label(), self.label()
        self.put(f"and.b32 %x1, {self.reg('r')}, 3;", "min.u32 %x1, %x1, 2;")
        self.put(f"{table}: .branchtargets {', '.join(labels)};", f"brx.idx %x1, {table};")
        for label in labels:
            self.put(f"{label}:")
            self.alu()
            self.put(f"bra {end};")
        self.put(f"{end}:")

    # -- what is wrong ----------------------------------------------------------------------------------------

    def wrong(self) -> None:
        """What is planted: for some lanes, or all."""
        lane = self.rng.randrange(self.block)
        self.put(f"setp.{self.rng.choice(('eq', 'ge', 'le'))}.u32 %q3, %t1, {lane};")
        far = self.rng.choice((1 << 20, -(1 << 20), 1 << 40))
        lines = {
            "out-of-bounds": (f"add.u64 %y1, %a1, {far};", "@%q3 ld.global.u32 %r0, [%y1];"),
            "misaligned": (f"@%q3 st.global.u32 [%a1+{self.rng.choice((1, 2, 3))}], %r0;",),
            "read-only": ("mov.u64 %y1, fixed;", "cvta.const.u64 %y1, %y1;", "@%q3 st.u32 [%y1], %r0;"),
            "shared": (f"add.u32 %x1, %s1, {1 << 20};", "@%q3 ld.shared.u32 %r0, [%x1];"),
            "local": ()
            if self.plain
            else ("mov.u64 %y1, mine;", f"add.u64 %y1, %y1, {1 << 20};", "@%q3 st.local.u32 [%y1], %r0;"),
            "membermask": ("selp.b32 %x1, 0, -1, %q3;", "bar.warp.sync %x1;"),
            "barrier": (f"@%q3 bra {self.label()};", "bar.sync 1;", f"L{self.labels}:", "bar.sync 0;"),
            "trap": ("@%q3 trap;",),
            "register": ("@%q3 add.u32 %r0, %u0, 1;",),
            "unwritten": ("@%q3 ld.shared.u32 %r0, [empty];", "add.u32 %r0, %r0, 1;"),
            "race": ("@%q3 st.shared.u32 [empty+4], %t1;", "@!%q3 st.shared.u32 [empty+4], %t1;"),
            "global race": ("st.global.u32 [%a4+32], %t0;",),
            "exited": ("@%q3 exit;", "bar.sync 0;"),
        }[self.plant]
        self.put(*lines)

    # -- the whole --------------------------------------------------------------------------------------------

    def program(self, size: int) -> Program:
        """A program of about so many pieces."""
        half = self.rng.randrange(size + 1)
        self.body(half, 0, together=True)
        if self.plant:
            self.wrong()
        self.body(size - half, 0, together=True)
        if self.rng.random() < 0.15:
            self.put(f"{self.guard(1)}exit;")
        return Program(self._text(), self.grid, self.block, self.seed, self.plant, self._arrays())

    def _arrays(self) -> list[Array]:
        return inputs(self.grid * self.block, self.seed)

    def _text(self) -> str:
        start: list[str] = []
        for number in range(POOLS["r"]):
            start.append(f"ld.global.b32 %r{number}, [%y0+{4 * number}];")
        for number in range(POOLS["rd"]):
            start.append(f"ld.global.b64 %rd{number}, [%y0+{8 * number}];")
        for number in range(POOLS["h"]):
            start.append(f"ld.global.b16 %h{number}, [%y0+{2 * number + 20}];")
        for number in range(POOLS["p"]):
            start.append(f"setp.lt.u32 %p{number}, %t1, {(self.seed >> number & 1) * 9 + 5 * number};")
        clears = [
            f"st.{space}.v4.b32 [{base}+{offset}], {{%x0, %x0, %x0, %x0}};"
            for space, base in (("shared", "%s1"), *(() if self.plain else (("local", "mine"),)))
            for offset in range(0, OWN, 16)
        ]
        return f"""
.version 8.8
.target sm_100a
.address_size 64
.const .align 4 .b32 fixed[4] = {{1, 2, 3, 4}};
{"" if self.plain else FUNCTIONS}
.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3) {{
{pools()}
.reg .b32 %t<2>; .reg .b32 %x<2>; .reg .b64 %y<2>; .reg .b64 %a<5>; .reg .b32 %s<2>; .reg .b32 %n<10>; .reg .pred %q<4>;
.reg .b32 %m<2>; .reg .b32 %l0; .reg .b32 %w0; .reg .b32 %u0;
.shared .align 16 .b8 room[{self.block * OWN + 1024}]; .shared .align 16 .b32 sums[4]; .shared .align 16 .b32 empty[4];
{"" if self.plain else f".local .align 16 .b8 mine[{OWN}]; mov.u64 %a3, mine; cvta.local.u64 %a3, %a3;"}
ld.param.u64 %a0, [p0]; ld.param.u64 %a1, [p1]; ld.param.u64 %a4, [p2]; ld.param.u64 %y1, [p3];
mov.u32 %t1, %tid.x; mov.u32 %x0, %ctaid.x; mad.lo.u32 %t0, %x0, {self.block}, %t1; mov.u32 %l0, %laneid;
mad.wide.u32 %a1, %t0, {OWN}, %a1; mov.u32 %s0, room; mad.lo.u32 %s1, %t1, {OWN}, %s0; cvt.u64.u32 %a2, %s1;
cvta.shared.u64 %a2, %a2; mad.wide.u32 %y0, %t0, {4 * INPUTS}, %a0;
sub.u32 %w0, %t1, %l0; mad.lo.u32 %w0, %w0, {OWN}, %s0; mov.u32 %n9, {self.seed & 3};
sub.u32 %x1, %t1, %l0; sub.u32 %x1, {self.block}, %x1; min.u32 %x1, %x1, 32; bmsk.clamp.b32 %m0, 0, %x1;
{" ".join(start)}
mov.u32 %x0, 0; {" ".join(clears)}
setp.lt.u32 %q0, %t1, 4; mov.u32 %x1, sums; mad.lo.u32 %x1, %t1, 4, %x1; @%q0 st.shared.u32 [%x1], 0; bar.sync 0;
{chr(10).join(self.lines)}
{f"ld.param.u64 %y1, [p3]; mad.wide.u32 %y1, %t0, {sum(POOLS[kind] * 8 for kind in POOLS)}, %y1;"}
{" ".join(dumped(self.plain))}
ret;
}}
"""


def pools() -> str:
    """The declarations of the pools."""
    kinds = {kind: "pred" if kind == "p" else f"b{_WIDTH[kind]}" for kind in POOLS}
    return " ".join(f".reg .{kinds[kind]} %{kind}<{count}>;" for kind, count in POOLS.items())


def inputs(threads: int, seed: int) -> list[Array]:
    """What so many threads read; what they write, the words that all write, and what takes their registers."""
    rng = np.random.default_rng(seed)
    words = np.frombuffer(rng.bytes(threads * INPUTS * 4), np.uint32).copy()
    words[::5] = rng.integers(0, 40, len(words[::5]))
    few = words[1::7]
    few[:] = np.resize(floats(np.float32, 400, seed=seed).view(np.uint32), len(few))
    registers = sum(POOLS[kind] * 8 for kind in POOLS)
    return [
        words,
        np.zeros(threads * OWN, np.uint8),
        np.zeros(16, np.uint32),
        np.zeros(threads * registers, np.uint8),
    ]


def dumped(plain: bool) -> list[str]:
    """Every register goes to memory at `%y1`, and what shared and local memory hold."""
    lines: list[str] = []
    offset = 0
    for kind, count in POOLS.items():
        for number in range(count):
            if kind == "p":
                lines.append(f"selp.b32 %x0, 1, 0, %p{number}; st.global.b32 [%y1+{offset}], %x0;")
            else:
                lines.append(f"st.global.b{_WIDTH[kind]} [%y1+{offset}], %{kind}{number};")
            offset += 8
    for number in range(0, OWN, 32):
        lines.append(
            f"ld.shared.b32 %x0, [%s1+{number}]; "
            + ("" if plain else f"ld.local.b32 %x1, [mine+{number}]; xor.b32 %x0, %x0, %x1;")
        )
        lines.append(f"st.global.b32 [%y1+{offset - 4 - number // 4}], %x0;")
    return lines


def program(seed: int, size: int = 24, faults: float = 0.25, strict: bool = False) -> Program:
    """The program of a seed; of strict ones most are such as strict runs compile."""
    rng = random.Random(seed)
    kinds = FAULTS + (STRICT_FAULTS if strict else ())
    plain = strict and rng.random() < 0.8
    return Writer(seed, rng.choice(kinds) if rng.random() < faults else "", strict, plain).program(size)


def difference(made: Program, **options: Any) -> str:
    """What the two engines do not do alike; empty where they agree."""
    numpy, native = made.run("numpy", **options), made.run("native", **options)
    if isinstance(numpy[0], tuple) or isinstance(native[0], tuple):
        if numpy[0] != native[0]:
            return f"seed {made.seed} ({made.planted}): {numpy[0]} in NumPy, {native[0]} compiled"
    elif numpy[0] != native[0]:
        return f"seed {made.seed}: counts {numpy[0]} and {native[0]}"
    for number, (one, other) in enumerate(zip(numpy[1], native[1], strict=True)):
        if not np.array_equal(one, other):
            at = np.flatnonzero(one.view(np.uint8) != other.view(np.uint8))
            return f"seed {made.seed} ({made.planted}): array {number} differs at bytes {at[:8].tolist()}"
    return ""


def main() -> int:
    """`python -m tests.sim.programs FIRST LAST [strict]`: a campaign."""
    first, last, *more = sys.argv[1:]
    check: Any = more[0] if more else "fast"
    wrong: list[str] = []
    kinds: Counter[str] = Counter()
    for seed in range(int(first), int(last)):
        if seed % 100 == 0:
            print(f"at {seed}, {len(engines._SUSPECTED)} suspected", flush=True)  # pyright: ignore[reportPrivateUsage]
        made = program(seed, strict=check == "strict")
        kinds[made.planted or "right"] += 1
        found = difference(made, check=check)
        if found:
            wrong.append(found)
            print(found, flush=True)
    print(f"{int(last) - int(first)} programs, {len(wrong)} differ; {dict(kinds)}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
