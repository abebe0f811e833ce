"""Small PTX functions made at random, with what each instruction reads and writes known without the ISA table."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

REGISTERS = 5
PREDICATES = 2


@dataclass(frozen=True)
class Step:
    """One instruction: its text, what it reads and surely overwrites, and the numbers of the steps that may follow."""

    text: str
    reads: frozenset[str]
    writes: frozenset[str]
    kills: frozenset[str]
    jump: int | None = None
    falls: bool = True


registers = st.integers(0, REGISTERS - 1).map(lambda n: f"%r{n}")
wides = st.integers(0, 1).map(lambda n: f"%rd{n}")
predicates = st.integers(0, PREDICATES - 1).map(lambda n: f"%p{n}")


@st.composite
def steps(draw: st.DrawFn, count: int) -> Step:
    kind = draw(st.sampled_from(["add", "add", "setp", "select", "wide", "load", "bra", "bra.if", "ret.if", "exit"]))
    guard = draw(st.one_of(st.none(), st.none(), predicates))
    a, b, d = draw(registers), draw(registers), draw(registers)
    p, w = draw(predicates), draw(wides)
    made = {
        "add": (f"add.u32 {d}, {a}, {b};", {a, b}, {d}),
        "setp": (f"setp.lt.s32 {p}, {a}, {b};", {a, b}, {p}),
        "select": (f"selp.b32 {d}, {a}, 7, {p};", {a, p}, {d}),
        "wide": (f"mul.wide.u32 {w}, {a}, {b};", {a, b}, {w}),
        "load": (f"ld.global.v2.u32 {{{d}, {a}}}, [{w}+8];", {w}, {d, a}),
    }
    if kind in made:
        text, reads, writes = made[kind]
        if guard is None:
            return Step(text, frozenset(reads), frozenset(writes), frozenset(writes))
        return Step(f"@{guard} {text}", frozenset(reads | {guard}), frozenset(writes), frozenset())
    if kind == "ret.if":
        return Step(f"@!{p} ret;", frozenset({p}), frozenset(), frozenset())
    if kind == "exit":
        return Step("exit;", frozenset(), frozenset(), frozenset(), falls=False)
    target = draw(st.integers(0, count - 1))
    if kind == "bra":
        return Step(f"bra L{target};", frozenset(), frozenset(), frozenset(), target, falls=False)
    return Step(f"@{p} bra L{target};", frozenset({p}), frozenset(), frozenset(), target)


@st.composite
def programs(draw: st.DrawFn) -> list[Step]:
    count = draw(st.integers(1, 14))
    return [draw(steps(count)) for _ in range(count)]


def following(program: list[Step]) -> list[list[int]]:
    """By step, the steps that may come next."""
    return [
        ([step.jump] if step.jump is not None else []) + ([n + 1] if step.falls and n + 1 < len(program) else [])
        for n, step in enumerate(program)
    ]


def text(program: list[Step]) -> str:
    targets = {step.jump for step in program}
    lines = [f"{f'L{n}: ' if n in targets else ''}{step.text}" for n, step in enumerate(program)]
    return (
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
        f".reg .b32 %r<{REGISTERS}>;\n.reg .pred %p<{PREDICATES}>;\n.reg .b64 %rd<2>;\n" + "\n".join(lines) + "\n}\n"
    )
