"""Many random programs in one kernel, so that they cost little: each CTA runs the program that an array names for it.

Instructions come from all forms of the table that need no more than registers, memory of the thread and its warp; what
threads do together (barriers of all kinds, mbarriers, copies, clusters) is written here.  Right programs of a bundle
run in one launch; one with a fault runs alone.  Both engines must leave the same memory (where every program stores
its registers in the end), count the same, and tell the same faults.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np

import weft
from tests.isa.statements import statement
from tests.sim.harness import Array
from tests.sim.programs import FUNCTIONS, OWN, POOLS, Writer, dumped, inputs, pools
from weft.isa import decode, families
from weft.isa.compiled import CompiledForm
from weft.isa.form import Slots
from weft.isa.registry import compiled_forms
from weft.sim import KernelFault, Result, engines, semantics
from weft.sim.engines import Engine

HERE = {
    "bar": "written here",
    "barrier": "written here",
    "barrier.cluster.arrive": "written here",
    "barrier.cluster.wait": "written here",
    "bra": "written here",
    "brx.idx": "written here",
    "call": "written here",
    "exit": "written here",
    "ret": "written here",
    "trap": "planted",
    "brkpt": "ends a run",
    "cvta": "written here",
    "mapa": "written here, in clusters",
    "getctarank": "needs an address of a cluster",
    "istypep": "needs a handle",
    "cp.async.commit_group": "written here",
    "cp.async.wait_group": "written here",
    "cp.async.wait_all": "written here",
    "cp.async": "written here",
    "cp.async.mbarrier.arrive": "written here",
    "cp.async.bulk": "written here",
    "cp.async.bulk.commit_group": "written here",
    "cp.async.bulk.wait_group": "written here",
    "setmaxnreg": "needs a warpgroup",
    "ldmatrix": "written here",
    "stmatrix": "written here",
    "activemask": "depends on how warps part",
}
"""Families that are drawn otherwise than from the table, or not at all, and why."""
WHOLE = ("mbarrier.", "tex", "tld4", "txq", "suld", "suq", "sured", "sust", "tcgen05.", "wgmma.", "tensormap.", "multimem.", "cp.", "st.async",
         "red.async", "st.bulk", "clusterlaunchcontrol", "stack", "alloca", "griddepcontrol", "fabric")  # fmt: skip
"""Beginnings of families that need objects set up: one function of NumPy's has them in both engines, but mbarriers."""
WARPS = frozenset({"shfl", "vote", "match", "redux", "elect.sync", "bar.warp.sync", "mma", "mma.sp",
                   "mma.sp::ordered_metadata", "movmatrix", "wmma.load", "wmma.mma", "wmma.store"})  # fmt: skip
"""Families for whole warps."""
_NAME = re.compile(r"%(rd|p|h|r|f|c|rq)(\d+)\b")
_BASE = re.compile(r"\[%(?:rd|r)\d+")
_PLAIN_MEMORY = re.compile(r"(ld|st|ldu)(\.weak)?(\.global|\.shared|\.shared::cta|\.const)?(\.nc)?[.\w:]*?")
FAULTS = ("out-of-bounds", "misaligned", "read-only", "shared", "local", "membermask", "barrier", "trap", "atomic",
          "vector", "copy", "matrix", "count")  # fmt: skip
STRICT_FAULTS = ("register", "unwritten", "race", "global race", "exited")


@cache
def drawn_forms(*, pure: bool) -> list[tuple[str, int, CompiledForm]]:
    """The forms that statements are drawn from, pure ones or others."""
    semantics.load_all()
    have = semantics.ALU if pure else semantics.STEPS
    return [
        (stem, number, form)
        for stem in sorted(families())
        if stem in have and stem not in HERE and (stem in semantics.ALU or not stem.startswith(WHOLE))
        for number, form in enumerate(compiled_forms(stem))
    ]


@cache
def slots_of(stem: str, number: int) -> list[Slots]:
    """Legal slots of a form."""
    form = compiled_forms(stem)[number]
    rng, found = random.Random(f"{stem} {number}"), dict[str, Slots]()
    elements = [element for element in form.elements if element.slot]
    for _ in range(200):
        slots = {e.slot: "" if e.optional and rng.random() < 0.5 else rng.choice(e.tokens) for e in elements}
        if form.form.rows and rng.random() < 0.8:
            wanted = rng.choice(form.form.rows).when.items()
            slots |= {name: rng.choice(tokens.split("|")) for name, tokens in wanted if isinstance(tokens, str)}
        text = form.spell(slots)
        if text not in found and form.windows(slots) and decode(text).valid:
            found[text] = slots
    return list(found.values())


REASONS: dict[tuple[str, int], str] = {}
"""Why forms are not drawn."""
DRAWN: Counter[tuple[str, int]] = Counter()
"""How often forms have been drawn."""


@cache
def runs(text: str) -> str:
    """Why the simulator does not take a statement; empty where it does."""
    start = (
        "ld.param.u64 %w2, [p1]; mov.u32 %meta, 1145324612; mov.u32 %l0, %laneid; mad.wide.u32 %a1, %l0, 128, %w2;"
        "mov.u32 %w1, room; mad.lo.u32 %s1, %l0, 128, %w1; cvt.u64.u32 %a2, %s1; cvta.shared.u64 %a2, %a2;"
    )
    try:
        module = weft.parse(f"{declared(32, plain=False)} {start} {text} ret; }}")
        if wrong := [one.message for one in weft.verify(module) if "operand" in one.message]:
            return f"verifier: {wrong[0]}"
        arrays = [np.zeros(4096, np.uint8) for _ in range(5)]
        weft.run(module, "k", 1, 32, arrays, check="fast", engine="numpy")
    except (weft.WeftError, KernelFault) as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0][:120]}"
    return ""


class Drawer(Writer):
    """Draws from all of the table."""

    def __init__(self, rng: random.Random, *, block: int, plain: bool, cluster: int, number: int, plant: str) -> None:
        super().__init__(rng.randrange(1 << 30), plant, strict=plain, plain=plain)
        self.block, self.cluster, self.grid = block, cluster, 1
        self.whole = block % 32 == 0
        self.labels = 1000 * number
        self.polls = False

    def piece(self, depth: int, together: bool) -> None:
        """A piece of a program."""
        draw = self.rng.random()
        if draw < 0.45:
            return self.form(together)
        if draw < 0.53 and together and depth == 0:
            return self.rng.choice((self.barrier, self.barrier, self.phases, self.rows, self.bulk, self.neighbour))()
        return super().piece(depth, together)

    # -- the table --------------------------------------------------------------------------------------------

    def form(self, together: bool) -> None:
        """A statement of any form that there is."""
        forms = drawn_forms(pure=self.rng.random() < 0.5)
        for _ in range(30):
            stem, number, form = self.rng.choice(forms)
            key, choices = (stem, number), slots_of(stem, number)
            if not choices:
                REASONS[key] = "no legal slots found"
                continue
            warp = stem in WARPS or stem.startswith("wmma")
            if warp and not (together and self.whole):
                continue
            made = statement(form, self.rng.choice(choices), self.rng)
            if made is None:
                REASONS.setdefault(key, "operands that name directives")
                continue
            text = self.placed(made.text)
            if self.plain and not self.simple(stem, text):
                continue
            safe = stem in semantics.ALU and not any(spec.optional for spec in form.operands)
            if why := ("" if safe else runs(text)):
                REASONS[key] = why
                continue
            DRAWN[key] += 1
            carries = stem in WARPS or form.effects.carry
            return self.put(("" if carries else self.guard()) + text)

    def call(self) -> None:
        """A call, which strict runs compile too."""
        plain, self.plain = self.plain, False
        super().call()
        self.plain = plain

    def atomic(self) -> None:
        """An atomic; in programs that strict runs compile an update of what all update, of which order changes nothing."""
        if not self.plain:
            return super().atomic()
        word, other = f"%a4+{4 * self.rng.randrange(4)}", self.reg("r")
        return self.put(
            self.guard()
            + self.rng.choice(
                (
                    f"red.global.add.u32 [{word}], {other};",
                    f"atom.relaxed.gpu.global.xor.b32 _, [%a4+{16 + 4 * self.rng.randrange(4)}], {other};",
                    f"red.shared.max.u32 [sums+{4 * self.rng.randrange(4)}], {other};",
                    f"red.global.add.f32 [%a4+48], 0f{self.rng.choice(('3F800000', '40000000', 'C0400000'))};",
                )
            )
        )

    def simple(self, stem: str, text: str) -> bool:
        """Whether strict runs compile it."""
        if "%rq" in text:
            return False
        if stem in semantics.ALU or stem in ("mov", "shfl", "vote", "match", "redux", "elect.sync", "mma"):
            return True
        return stem in ("ld", "ldu", "st") and not any(
            word in text for word in (".volatile", ".relaxed", ".acquire", ".release", ".mmio", "cluster")
        )

    def placed(self, text: str) -> str:
        """A statement with registers of the pools, and addresses of the thread's own memory."""
        offset = 32 * self.rng.randrange(OWN // 32)
        opcode = text.split(" ", 1)[0]
        if ".shared" in opcode:
            base = "%s1"
        elif ".local" in opcode:
            base = "mine"
        elif ".const" in opcode:
            base, offset = "fixed", 0
        elif any(f".{space}" in opcode for space in ("global", "nc")):
            base = self.rng.choice(("%a1", "%a1", "%a1"))
        else:
            base = self.rng.choice(("%a1", "%a2", "%a3"))
        if opcode.startswith(("wmma", "ldmatrix", "stmatrix")):
            base, offset = "%w2" if base.startswith("%a") else "%w1", 0
        text = _BASE.sub(f"[{base}+{offset}" if not opcode.startswith("wmma") else f"[{base}", text)
        text = text.replace("[cmem", "[fixed").replace("[lmem", "[mine").replace("[kp1", "[p0").replace("[pmem", "[p0")
        if opcode.startswith("wmma"):
            text = re.sub(r"\], %r\d+;", "], 32;", text)
        if opcode.startswith("mma"):  # Metadata and selectors of scales have few legal values.
            text = re.sub(r"\{(?:\d|%h\d+), (?:\d|%h\d+)\}", "{0, 0}", text)
            text = re.sub(r"%r\d+, (\d)(;|, %r)", r"%meta, \1\2", text) if ".sp" in opcode else text
        elif opcode.startswith(tuple(WARPS - {"movmatrix"})):
            text = re.sub(r"%r\d+;$", "-1;", text)
        chosen: dict[str, str] = {}
        kinds = {"f": "r", "c": "h"}

        def other(match: re.Match[str]) -> str:
            kind = kinds.get(match[1], match[1])
            if (match[1] == "c" and int(match[2]) == 0) or kind == "rq":
                return match[0] if kind == "rq" and int(match[2]) < 3 else "%rq0"
            if match[0] not in chosen:
                every = {f"%{kind}{i}" for i in range(POOLS[kind])}
                chosen[match[0]] = self.rng.choice(sorted(every - set(chosen.values())) or sorted(every))
            return chosen[match[0]]

        return _NAME.sub(other, text)

    # -- what threads do together -----------------------------------------------------------------------------

    def warps(self) -> str:
        """Threads of a barrier."""
        return str(-(-self.block // 32) * 32)

    def barrier(self) -> None:
        """Barriers of all kinds; some threads may only arrive."""
        p, q, r, number = self.reg("p"), self.reg("p"), self.reg("r"), self.rng.randrange(1, 16)
        name, count = self.rng.choice(("bar", "barrier", "bar.cta", "barrier.cta")), f", {self.warps()}"
        if (self.plain and self.rng.random() < 0.7) or not self.whole:
            count = ""
        aligned = self.rng.choice((".aligned", "")) if name.startswith("barrier") else ""
        way = self.rng.randrange(5)
        if way == 0:
            self.put(f"{name}.red.popc{aligned}.u32 {r}, {number}{count}, {self.rng.choice(('', '!'))}{p};")
        elif way == 1:
            self.put(f"{name}.red.{self.rng.choice(('and', 'or'))}{aligned}.pred {q}, {number}{count}, {p};")
        elif way == 2 and not self.plain and self.whole and self.block > 32:
            end, other = self.label(), self.label()
            self.put(f"setp.lt.u32 %q0, %t1, {32 * self.rng.randrange(1, self.block // 32)};", f"@%q0 bra {other};")
            self.put(f"{name}.arrive{aligned} {number}, {self.warps()};", f"bra {end};", f"{other}:")
            self.put(f"{name}.sync{aligned} {number}, {self.warps()};", f"{end}:", "bar.sync 0;")
        elif way == 3 and not self.plain and self.whole:
            self.put(f"mov.u32 %x0, {number};", f"{name}.sync{aligned} %x0{count};")
        elif way == 4 and self.whole and self.block > 32:  # A part of the warps, of which each has its own barrier.
            end, half = self.label(), 32 * self.rng.randrange(1, self.block // 32)
            self.put(f"setp.ge.u32 %q0, %t1, {half};", f"@%q0 bra {end};")
            self.put(f"{name}.sync{aligned} {number}, {half};", f"{end}:")
        else:
            self.put(f"{name}.sync{aligned} {number}{count};")

    def phases(self) -> None:
        """Phases of an mbarrier of all threads, a few rounds; bytes may belong to them."""
        self.polls = True
        again, wait, rounds = self.label(), self.label(), self.rng.randrange(1, 4)
        way = self.rng.randrange(3)
        self.put("setp.eq.u32 %q0, %t1, 0;", f"@%q0 mbarrier.init.shared.b64 [bars], {self.block};", "bar.sync 0;")
        self.put("mov.u32 %x1, 0;", f"{again}:")
        if way == 0 and not self.plain:
            self.put("@%q0 mbarrier.expect_tx.relaxed.cta.shared.b64 [bars], 16;")
            self.put("mbarrier.arrive.shared.b64 %y0, [bars];")
            self.put("@%q0 mbarrier.complete_tx.relaxed.cta.shared.b64 [bars], 16;")
        elif way == 1 and not self.plain:
            self.put("@%q0 mbarrier.arrive.expect_tx.shared.b64 %y0, [bars], 8;")
            self.put("@!%q0 mbarrier.arrive.shared::cta.b64 %y0, [bars];")
            self.put("@%q0 mbarrier.complete_tx.shared.b64 [bars], 8;")
        else:
            self.put(f"mbarrier.arrive.{self.rng.choice(('', 'release.cta.'))}shared.b64 %y0, [bars];")
        what = self.rng.choice(("try_wait", "try_wait", "test_wait"))
        if self.rng.random() < 0.5:
            self.put("and.b32 %x0, %x1, 1;", f"{wait}: mbarrier.{what}.parity.shared.b64 %q1, [bars], %x0;")
        else:
            self.put(f"{wait}: mbarrier.{what}.shared.b64 %q1, [bars], %y0;")
        self.put(f"@!%q1 bra {wait};", "add.u32 %x1, %x1, 1;", f"setp.lt.u32 %q1, %x1, {rounds};", f"@%q1 bra {again};")
        self.put("bar.sync 0;", "@%q0 mbarrier.inval.shared.b64 [bars];", "bar.sync 0;")

    def rows(self) -> None:
        """Loads and stores of matrices by whole warps."""
        if not self.whole:
            return self.barrier()
        names = [f"%r{i}" for i in self.rng.sample(range(POOLS["r"]), 4)]
        count = self.rng.choice((1, 2, 4))
        which = f"m8n8.x{count}{self.rng.choice(('', '.trans'))}.shared.b16"
        chosen = f"{{{', '.join(names[:count])}}}"
        self.put("bar.warp.sync -1;", f"mad.lo.u32 %x0, %l0, {OWN}, %w0;")
        if self.plain or self.rng.random() < 0.5:
            self.put(f"ldmatrix.sync.aligned.{which} {chosen}, [%x0];")
        else:
            self.put(f"stmatrix.sync.aligned.{which} [%x0], {chosen};")
        return self.put("bar.warp.sync -1;")

    def bulk(self) -> None:
        """A bulk copy of the input to shared memory and back to own memory, or copies that arrive at an mbarrier."""
        if self.plain:
            return self.copy()
        self.polls = True
        wait, size = self.label(), 16 * self.rng.randrange(1, 5)
        self.put("setp.eq.u32 %q0, %t1, 0;", f"@%q0 mbarrier.init.shared.b64 [bars], {self.block};", "bar.sync 0;")
        if self.rng.random() < 0.5:
            self.put(f"@%q0 mbarrier.expect_tx.relaxed.cta.shared.b64 [bars], {size};")
            self.put(
                "@%q0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                f"[landing], [%a0], {size}, [bars];"
            )
        else:
            self.put("cp.async.ca.shared.global [%s1+16], [%a0], 16;")
            self.put("cp.async.mbarrier.arrive.noinc.shared.b64 [bars];")
            self.put("cp.async.mbarrier.arrive.shared.b64 [bars];") if self.rng.random() < 0.2 else None
            self.put(
                f"{wait}: mbarrier.try_wait.parity.shared.b64 %q1, [bars], 0;", f"@!%q1 bra {wait};", "bar.sync 0;"
            )
            return self.put("@%q0 mbarrier.inval.shared.b64 [bars];", "bar.sync 0;")
        self.put("mbarrier.arrive.shared.b64 _, [bars];")
        self.put(f"{wait}: mbarrier.try_wait.parity.shared.b64 %q1, [bars], 0;", f"@!%q1 bra {wait};")
        self.put(f"ld.shared.b32 {self.reg('r')}, [landing+{4 * self.rng.randrange(size // 4)}];", "bar.sync 0;")
        self.put(
            f"@%q0 cp.async.bulk.global.shared::cta.bulk_group [%a1], [landing], {size};",
            "@%q0 cp.async.bulk.commit_group;",
            "@%q0 cp.async.bulk.wait_group 0;",
        )
        return self.put("bar.sync 0;", "@%q0 mbarrier.inval.shared.b64 [bars];", "bar.sync 0;")

    def neighbour(self) -> None:
        """Loads, stores and updates of shared memory of the other CTA of a cluster."""
        if self.cluster == 1 or self.plain:
            return self.barrier()
        r = self.reg("r")
        self.put("barrier.cluster.arrive;", "barrier.cluster.wait;", "mov.u32 %x0, %cluster_ctarank;")
        self.put("xor.b32 %x0, %x0, 1;", "mapa.shared::cluster.u32 %x0, %s1, %x0;")
        self.put(
            self.rng.choice(
                (
                    f"ld.shared::cluster.b32 {r}, [%x0+4];",
                    f"st.shared::cluster.b32 [%x0+120], {r};",
                    f"atom.shared::cluster.add.u32 {r}, [%x0+116], {self.reg('r')};",
                )
            )
        )
        return self.put("barrier.cluster.arrive;", "barrier.cluster.wait;")

    def wrong(self) -> None:
        """What is planted."""
        lane = self.rng.randrange(self.block)
        lines = {
            "atomic": ("add.u64 %y1, %a1, 2;", "@%q3 atom.global.add.u32 %r0, [%y1], 1;"),
            "vector": ("@%q3 ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%a1+8];",),
            "copy": ("@%q3 cp.async.ca.shared.global [%s1+4], [%a0], 16;", "cp.async.wait_all;"),
            "matrix": ("selp.b32 %x1, 1, 0, %q3;", "add.u32 %x1, %x1, %s0;",
                       "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%x1];"),
            "local": ("mov.u64 %y1, mine;", f"add.u64 %y1, %y1, {self.rng.choice((OWN, OWN, 1 << 20))};",
                      "@%q3 st.local.u32 [%y1], %r0;"),
            "count": ("@%q3 mbarrier.init.shared.b64 [bars], 1;", "bar.sync 0;",
                      "mbarrier.arrive.shared.b64 %y0, [bars];", "mbarrier.arrive.shared.b64 %y0, [bars];"),
        }.get(self.plant)  # fmt: skip
        if lines is None:
            return super().wrong()
        return self.put(f"setp.{self.rng.choice(('eq', 'ge', 'le'))}.u32 %q3, %t1, {lane};", *lines)


def declared(block: int, *, plain: bool) -> str:
    """The beginning of a module, up to the first instruction."""
    return f""".version 9.5
.target sm_107a
.address_size 64
.const .align 32 .b32 fixed[16] = {{1, 2, 3, 4}};
{FUNCTIONS}
.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, .param .u64 p4) {{
{pools()}
.reg .b32 %t<2>; .reg .b32 %x<2>; .reg .b64 %y<2>; .reg .b64 %a<5>; .reg .b32 %s<2>; .reg .b32 %n<10>; .reg .pred %q<4>;
.reg .b32 %m<2>; .reg .b32 %l0; .reg .b32 %w<2>; .reg .b64 %w2; .reg .b32 %u0; .reg .b32 %which; .reg .b32 %meta; .reg .pred %go;
{"" if plain else ".reg .b128 %rq<3>;"}
.shared .align 128 .b8 room[{max(block, 64) * OWN + 1024}]; .shared .align 16 .b32 sums[4];
.shared .align 16 .b32 empty[4]; .shared .align 8 .b64 bars[2]; .shared .align 128 .b8 landing[128];
.local .align 32 .b8 mine[{OWN}]; mov.u64 %a3, mine; cvta.local.u64 %a3, %a3;"""


def kernel(block: int, bodies: list[list[str]], *, plain: bool) -> str:
    """The module of some programs."""
    size = sum(8 * count for count in POOLS.values())
    start = [f"ld.global.b32 %r{n}, [%y0+{4 * n}];" for n in range(POOLS["r"])]
    start += [f"ld.global.b64 %rd{n}, [%y0+{8 * n}];" for n in range(POOLS["rd"])]
    start += [f"ld.global.b16 %h{n}, [%y0+{2 * n + 20}];" for n in range(POOLS["h"])]
    start += [f"and.b32 %x0, %r{n}, {1 << n + 2}; setp.ne.u32 %p{n}, %x0, 0;" for n in range(POOLS["p"])]
    spaces = ("shared", "%s1"), ("local", "mine")
    clears = [
        f"st.{space}.v4.b32 [{base}+{offset}], {{%x0, %x0, %x0, %x0}};"
        for space, base in spaces
        for offset in range(0, OWN, 16)
    ]
    return f"""{declared(block, plain=plain)}
ld.param.u64 %a0, [p0]; ld.param.u64 %a1, [p1]; ld.param.u64 %a4, [p2]; ld.param.u64 %y1, [p4];
mov.u32 %t1, %tid.x; mov.u32 %x0, %ctaid.x; mad.lo.u32 %t0, %x0, {block}, %t1; mov.u32 %l0, %laneid;
mad.wide.u32 %y0, %x0, 4, %y1; ld.global.b32 %which, [%y0];
mad.wide.u32 %a1, %t0, {OWN}, %a1; mov.u32 %s0, room; mad.lo.u32 %s1, %t1, {OWN}, %s0; cvt.u64.u32 %a2, %s1;
cvta.shared.u64 %a2, %a2; mad.wide.u32 %y0, %t0, 64, %a0; and.b32 %n9, %which, 3;
sub.u32 %w0, %t1, %l0; mul.wide.u32 %w2, %l0, {OWN}; sub.u64 %w2, %a1, %w2; mad.lo.u32 %w0, %w0, {OWN}, %s0;
mov.u32 %meta, 1145324612; mov.u32 %w1, %w0; sub.u32 %x1, %t1, %l0; sub.u32 %x1, {block}, %x1; min.u32 %x1, %x1, 32; bmsk.clamp.b32 %m0, 0, %x1;
{" ".join(start)}
{"" if plain else "mov.b128 %rq0, {%rd0, %rd1}; mov.b128 %rq1, {%rd2, %rd3}; mov.b128 %rq2, {%rd4, %rd5};"}
mov.u32 %x0, 0; {" ".join(clears)}
setp.lt.u32 %q0, %t1, 4; mov.u32 %x1, sums; mad.lo.u32 %x1, %t1, 4, %x1; @%q0 st.shared.u32 [%x1], 0; bar.sync 0;
{chr(10).join(_tree(bodies, 0, len(bodies)))}
FINISH:
{"" if plain else "mov.b128 {%rd0, %y0}, %rq0; xor.b64 %rd0, %rd0, %y0;"}
ld.param.u64 %y1, [p3]; mad.wide.u32 %y1, %t0, {size}, %y1;
{" ".join(dumped(plain=False))}
ret;
}}
"""


def _tree(bodies: list[list[str]], first: int, last: int) -> Iterator[str]:
    """Branches to the program that the CTA runs."""
    if last - first == 1:
        yield f"setp.ne.u32 %go, %which, {first};"
        yield "@%go bra FINISH;"
        yield from bodies[first]
        yield "bra FINISH;"
        return
    middle = (first + last) // 2
    yield f"setp.ge.u32 %go, %which, {middle};"
    yield f"@%go bra GO{first}_{last};"
    yield from _tree(bodies, first, middle)
    yield f"GO{first}_{last}:"
    yield from _tree(bodies, middle, last)


class Bundle:
    """Some programs in a kernel, with their launches."""

    def __init__(self, seed: int, count: int, size: int, *, strict: bool) -> None:
        rng = random.Random(f"bundle {seed} {count} {size} {strict}")
        self.seed, self.strict = seed, strict
        self.block = rng.choice((32, 32, 64, 96, 128, 50, 7))
        self.cluster = 2 if not strict and rng.random() < 0.1 else 1
        plain = strict and rng.random() < 0.9
        kinds = FAULTS + (STRICT_FAULTS if strict else ())
        self.plants, self.polls, bodies = list[str](), list[bool](), list[list[str]]()
        for number in range(count):
            plant = rng.choice(kinds) if rng.random() < 0.1 else ""
            made = Drawer(rng, block=self.block, plain=plain, cluster=self.cluster, number=number, plant=plant)
            half = rng.randrange(size + 1)
            made.body(half, 0, together=True)
            if plant:
                made.wrong()
            made.body(size - half, 0, together=True)
            if rng.random() < 0.1:
                made.put(f"{made.guard(1)}exit;")
            self.plants.append(plant)
            self.polls.append(made.polls)
            bodies.append(made.lines)
        self.text = kernel(self.block, bodies, plain=plain)
        self.module = weft.parse(self.text)
        self.grid = self.cluster * count
        self.arrays = inputs(self.grid * self.block, seed)

    def launches(self) -> list[list[int]]:
        """Programs that run together: those that are right, then each of the others."""
        wrong = [[number] for number, plant in enumerate(self.plants) if plant]
        return [[number for number, plant in enumerate(self.plants) if not plant], *wrong]

    def run(self, engine: Engine, programs: list[int]) -> tuple[Result | tuple[str, str], list[Array]]:
        """What some of the programs give together, or their fault, and what memory holds then."""
        grid = self.cluster * len(programs)
        which = np.repeat(np.array(programs, np.uint32), self.cluster)
        arrays, check = [array.copy() for array in self.arrays], "strict" if self.strict else "fast"
        cluster = self.cluster if self.cluster > 1 else None
        with np.errstate(all="ignore"):
            try:
                return weft.run(
                    *(self.module, "k", grid, self.block, [*arrays, which]), cluster=cluster, check=check, engine=engine
                ), arrays
            except KernelFault as fault:
                return (fault.kind, str(fault)), arrays

    def differences(self) -> Iterator[str]:
        """What the engines do not do alike."""
        for programs in self.launches():
            if not programs:
                continue
            engines._SUSPECTED.clear()  # pyright: ignore[reportPrivateUsage]
            found = self._difference(programs)
            if self.strict and len(programs) > 1:
                FAULTED["left to NumPy" if engines._SUSPECTED else "compiled"] += 1  # pyright: ignore[reportPrivateUsage]
            if found and len(programs) > 1:
                alone = [(number, self._difference([number])) for number in programs]
                named = [f"program {number}: {text}" for number, text in alone if text]
                found = "; ".join(named) or f"together only: {found}"
            if found:
                yield f"bundle {self.seed}, {programs if len(programs) < 2 else len(programs)}: {found}"

    def _difference(self, programs: list[int]) -> str:
        native, numpy = self.run("native", programs), self.run("numpy", programs)
        if isinstance(numpy[0], tuple) or isinstance(native[0], tuple):
            FAULTED[numpy[0][0] if isinstance(numpy[0], tuple) else "only native"] += 1
            if numpy[0] != native[0]:
                return f"({self.plants[programs[0]]}) {numpy[0]} in NumPy, {native[0]} compiled"
        elif numpy[0] != native[0] and not any(self.polls[number] for number in programs):
            return f"counts {numpy[0]} and {native[0]}"
        for number, (one, other) in enumerate(zip(numpy[1], native[1], strict=True)):
            if not np.array_equal(one, other):
                at = np.flatnonzero(one.view(np.uint8) != other.view(np.uint8))
                return f"array {number} differs at bytes {at[:8].tolist()}"
        return ""


FAULTED: Counter[str] = Counter()
"""Faults by kind, and how many strict launches of right programs were compiled."""


def report() -> Iterator[str]:
    """Forms that were never drawn, and why."""
    semantics.load_all()
    lacking = sorted(set(families()) - {*semantics.ALU, *semantics.STEPS, *semantics.ENDS})
    yield f"not in the simulator: {' '.join(lacking)}"
    here = [stem for stem in sorted(families()) if stem in HERE]
    yield "not from the table: " + "; ".join(f"{stem} ({HERE[stem]})" for stem in here)
    yield f"objects set up by hand elsewhere: {' '.join(s for s in sorted(families()) if s.startswith(WHOLE))}"
    forms = [(stem, number) for pure in (True, False) for stem, number, _ in drawn_forms(pure=pure)]
    yield f"forms of the rest: {len(forms)}, drawn {sum(key in DRAWN for key in forms)}, {sum(DRAWN.values())} times"
    for key in forms:
        if key not in DRAWN:
            stem, number = key
            yield f"  never: {compiled_forms(stem)[number].form.syntax}: {REASONS.get(key, 'by chance')}"


def main() -> int:
    """`python -m tests.sim.bundles FIRST LAST [strict]`: a campaign of bundles of 16 programs."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim.bundles", description=main.__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("check", nargs="?", choices=("fast", "strict"), default="fast")
    asked = parser.parse_args()
    wrong, programs, start = 0, 0, time.process_time()
    kinds: Counter[str] = Counter()
    for seed in range(asked.first, asked.last):
        bundle = Bundle(seed, 16, 5, strict=asked.check == "strict")
        programs += len(bundle.plants)
        kinds.update(plant or "right" for plant in bundle.plants)
        for found in bundle.differences():
            wrong += 1
            print(found, flush=True)
        if seed % 20 == 19:
            spent = time.process_time() - start
            print(f"at {seed}: {programs} programs, {wrong} differ, {spent / programs:.3f} s each", flush=True)
    print(f"{programs} programs, {wrong} differ; {dict(kinds)}; faults {dict(FAULTED)}")
    print(*report(), sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
