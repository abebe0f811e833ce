"""Inline assembly of every form of the table, and the mistakes that are planted into it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import weft
from weft.isa.registry import compiled_forms, stems
from weft.isa.target import NEWEST
from weft.ptx.analysis.access import registers
from weft.ptx.ast import Function, Instruction
from weft.ptx.sample import sample_statement, sample_variants

LETTERS = {"rs": "h", "r": "r", "rd": "l", "rq": "q", "f": "f", "fd": "d"}
TYPES = {
    "h": "unsigned short",
    "r": "unsigned",
    "l": "unsigned long long",
    "q": "__int128",
    "f": "float",
    "d": "double",
}
REGISTER = re.compile(r"%(rs|rd|rq|r|fd|f)(\d+)\b")
LOCAL = re.compile(r"%(p|c)(\d+)\b")


@dataclass(frozen=True)
class Planted:
    """An asm statement in a function: its instruction with numbered operands, and each operand's constraint."""

    text: str
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    prefix: str = ""
    volatile: bool = True
    clobber: bool = True
    braces: bool = True
    pointer: int = -1

    def cpp(self) -> str:
        operands = self.outputs + self.inputs
        types = [TYPES[letters.lstrip("+=")] for letters in operands]
        declared = [f"{type_}{'*' if n == self.pointer else ''} v{n}" for n, type_ in enumerate(types)]
        body = f"{self.prefix}{self.text};"
        template = f"{{ {body} }}" if self.braces else body
        listed = [
            [f'"{c}"(v{n})' for n, c in part]
            for part in (enumerate(self.outputs), enumerate(self.inputs, len(self.outputs)))
        ]
        sections = " : ".join(", ".join(part) for part in listed)
        volatile = " volatile" if self.volatile else ""
        clobber = ' : "memory"' if self.clobber else ""
        return f'__device__ void f({", ".join(declared)}) {{\n  asm{volatile}("{template}"\n    : {sections}{clobber});\n}}\n'


def statements() -> Iterator[tuple[Instruction, Planted]]:
    """One statement for each row of each form."""
    seen: set[str] = set()
    for stem in stems():
        for form in compiled_forms(stem):
            for variant in sample_variants(form):
                text = sample_statement(variant)
                windows = variant.windows()
                if text in seen or " name" in text or not any(w.until is None for w in windows):
                    continue
                seen.add(text)
                planted = _planted(text)
                if planted is not None:
                    yield planted


def _planted(text: str) -> tuple[Instruction, Planted] | None:
    module = weft.parse(f".version {NEWEST}\n.target sm_90a\n.address_size 64\n.entry k() {{ {text}; }}")
    (function,) = [item for item in module.items if isinstance(item, Function)]
    instruction = (function.body or [])[0]
    if not isinstance(instruction, Instruction):
        return None
    reads, writes = (
        dict.fromkeys(r.name for r in side if REGISTER.fullmatch(r.name)) for side in registers(instruction)
    )
    outputs = list(writes)
    inputs = [name for name in reads if name not in writes]
    numbers = {name: f"%{n}" for n, name in enumerate(outputs + inputs)}
    letter = {name: LETTERS[REGISTER.fullmatch(name)[1]] for name in numbers}  # type: ignore[index]
    local = sorted({(kind, name) for kind, name in LOCAL.findall(text)})
    prefix = "".join(f".reg .{'pred' if kind == 'p' else 'b8'} %%{kind}{number}; " for kind, number in local)
    used = LOCAL.sub(r"%%\g<1>\2", re.sub(r"%(?!rs\d|rd\d|rq\d|r\d|fd\d|f\d|p\d|c\d)", "%%", text))
    used = REGISTER.sub(lambda m: numbers.get(m[0], "%" + m[0]), used)
    if not numbers:  # Without operands % is a character as any other.
        prefix, used = prefix.replace("%%", "%"), used.replace("%%", "%")
    return instruction, Planted(
        used,
        tuple(f"+{letter[n]}" if n in reads else f"={letter[n]}" for n in outputs),
        tuple(letter[n] for n in inputs),
        prefix,
    )


def without_ordering(planted: Planted) -> Planted:
    return replace(planted, volatile=False, clobber=False)
