"""Which registers code needs where: those that a path reads before it certainly writes them."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("llvmlite")

from tests.effort import draws
from tests.sim.test_machine import machine
from weft.sim.native.dispatch import words
from weft.sim.native.live import Lives

REGISTERS = [f"%r{n}" for n in range(4)] + ["%p0", "%p1"]
KINDS = {
    "add.u32 D, A, B;": True, "mov.b32 D, A;": True, "ld.global.u32 D, [%a];": True, "ldu.global.u32 D, [%a];": True,
    "atom.global.add.u32 D, [%a], A;": True, "st.global.u32 [%a], A;": True, "selp.b32 D, A, B, P;": True, "setp.lt.u32 Q, A, B;": True,
    "shfl.sync.idx.b32 D, A, B, 31, -1;": False, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {D}, [A];": False,
}  # fmt: skip
"""Instructions, and whether they surely write where no guard stands before them; what others write counts as read, too."""


def drawn(rng: random.Random, count: int) -> list[tuple[str, set[str], set[str], list[int]]]:
    """Statements, what each reads, what it surely replaces, and where it leads."""
    program: list[tuple[str, set[str], set[str], list[int]]] = []
    for number in range(count):
        guard = rng.choice(("%p0", "%p1", "", ""))
        head, reads = f"@{rng.choice(('', '!'))}{guard} " if guard else "", {guard} - {""}
        if rng.random() < 0.25:
            to = rng.randrange(count + 1)
            program.append((f"{head}bra L{to};", reads, set(), [to, *([number + 1] if guard else [])]))
            continue
        text, sure = rng.choice(list(KINDS.items()))
        names = {"D": rng.choice(REGISTERS[:4]), "A": rng.choice(REGISTERS[:4]), "B": rng.choice(REGISTERS[:4])}
        names |= {"P": rng.choice(REGISTERS[4:]), "Q": rng.choice(REGISTERS[4:])}
        operands = text.split(" ", 1)[1]
        used = {letter: name for letter, name in names.items() if letter in operands}
        for letter, name in used.items():
            operands = operands.replace(letter, name)
        written = {used[letter] for letter in "DQ" if letter in used}
        reads |= {used[letter] for letter in "ABP" if letter in used}
        replaced = written if sure and not guard else set[str]()
        reads |= set[str]() if sure else written
        program.append((f"{head}{text.split(' ', 1)[0]} {operands}", reads, replaced, [number + 1]))
    return program


def needed(program: list[tuple[str, set[str], set[str], list[int]]], start: int) -> set[str]:
    """The registers that some path from a statement on reads before it replaces them."""
    found: set[str] = set()
    for register in REGISTERS:
        todo, seen = [start], set[int]()
        while todo:
            at = todo.pop()
            if at in seen or at == len(program):
                continue
            seen.add(at)
            _, reads, replaced, ways = program[at]
            if register in reads:
                found.add(register)
            elif register not in replaced:
                todo += ways
    return found


def test_registers_that_are_needed() -> None:
    rng = random.Random(5)
    for _ in range(draws(6, 200)):
        program = drawn(rng, 14)
        text = "\n".join(f"L{number}: {statement}" for number, (statement, *_) in enumerate(program))
        one = machine(f".entry k() {{ .reg .b32 %r<4>; .reg .pred %p<2>; .reg .b64 %a; {text}\nL14: ret; }}").kernel
        lives = Lives(one)
        rows = {name: one.names.rows[name] for name in REGISTERS if name in one.names.rows}
        wanted = [needed(program, at) & rows.keys() for at in range(len(program) + 1)]
        for number, block in one.blocks.items():
            assert {name for name, row in rows.items() if lives.before(block)(id(row))} == wanted[min(number, 14)]
        for block in one.every_block():
            numbers = [lives.numbers[id(site)] for site in block.sites]
            if numbers:
                at_end = {name for name, row in rows.items() if lives.at_end(block)(id(row))}
                assert at_end == wanted[numbers[-1]]
        for number, site in enumerate(one.sites[:-1]):
            if not program[number][0].split()[-2].endswith("bra"):
                unused = {name for name, row in rows.items() if lives.unused_after(site, row)}
                assert unused == rows.keys() - wanted[number + 1]


def test_words_of_sets_of_blocks() -> None:
    assert [words(count) for count in (1, 63, 64, 65, 128, 129)] == [1, 1, 1, 2, 2, 3]
