"""Statements drawn at random, right ones and wrong ones: what nvcc refuses is an error, and nothing else is."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path
from signal import SIGSEGV

import pytest

from weft.errors import Severity
from weft.lint import lint
from weft.toolchain import Tool

AROUND = """
__global__ void k{number}(int *o, float *fp) {{
  int l = 0, m = 3, arr[4]; unsigned u = 1; float f = 0; double d = 0; short h = 1; char c = 1; bool b = true;
  long long q = 0; unsigned long long v[2]; __int128 w = 0; float2 pair; const int fixed = 4;
  {statement}
}}
"""
PLACES = ["l", "m", "u", "f", "d", "h", "c", "b", "q", "w", "pair", "arr[1]", "v[0]", "o[2]", "*fp", "*o", "fp[m]"]
VALUES = [
    "1", "-1", "1u", "1ll", "0xffffffff", "4294967296", "1.5", "1.5f", "1e3f", "'x'", "true", "nullptr", "sizeof(m)", "&l",
    "fp", "arr", "fixed", "threadIdx.x", "blockIdx.x * blockDim.x + threadIdx.x", "warpSize", "h + h", "c + 1", "q << 1",
    "1 << q", "m * 1.0f", "m + 1ull", "f * 2", "f * 2.0", "!m", "m < l", "m && l", "m ? q : 1", "~c", "-h", "(short)m",
    "(char)m", "(unsigned long long)m", "static_cast<unsigned>(q)", "reinterpret_cast<int&>(f)", "*(unsigned*)&f",
    "*reinterpret_cast<const unsigned long long*>(fp)", "((int*)fp)[1]", "__float_as_uint(f)", "int(h)", "o - o", "o + 1",
    "__cvta_generic_to_shared(o)", "clock64()", "m++", "-l", "l + 1", "(m)", "(l)", "l++",
]  # fmt: skip
NO_CASTS = [value for value in VALUES if not value.startswith("(") or value in ("(m)", "(l)")]
"""As outputs: nvcc ignores casts there, and says so."""
TYPES = {"h": "b16", "r": "b32", "l": "b64", "f": "f32", "d": "f64", "q": "b128", "b": "pred"}
ODD = ["i", "N", "rl", "r,r", "0", "x", "", " r", "%r", "R"]
CLOBBERS = ['"memory"', '"cc"', '"mem" "ory"', '"memory",']
"""Constraints and clobbers that nvcc does not have are among them."""


class Drawn:
    """Draws one statement."""

    def __init__(self, seed: str) -> None:
        self.choice = random.Random(seed)

    def letter(self) -> str:
        return self.choice.choice(ODD) if self.choice.random() < 0.06 else self.choice.choice("hrlfdqbrrll")

    def text(self) -> str:
        pick = self.choice
        outputs = [(self.letter(), pick.choice(["=", "=", "=&", "+"])) for _ in range(pick.randint(0, 2))]
        inputs = [self.letter() if pick.random() < 0.8 else "n" for _ in range(pick.randint(0, 2))]
        operands = [f'"{sign}{letter}"({self.output(letter)})' for letter, sign in outputs]
        template = "".join(self.move(n, letter) for n, (letter, _) in enumerate(outputs) if letter in TYPES)
        template += (
            pick.choice(["", "", "// 100%% of it", "{ .reg .b32 %x; }", "// %laneid"])
            if operands or inputs
            else "// %r1"
        )
        comma = " " if pick.random() < 0.03 else ", "
        given = comma.join(f'"{letter}"({self.value(letter)})' for letter in inputs)
        clobbers = pick.choice(CLOBBERS) if pick.random() < 0.3 else ""
        end = "," if given and pick.random() < 0.03 else ""
        return f'asm volatile("{template}" : {comma.join(operands)} : {given}{end} : {clobbers});'

    def output(self, letter: str) -> str:
        return self.fitting(letter, PLACES) if self.choice.random() < 0.9 else self.choice.choice(NO_CASTS)

    def value(self, letter: str) -> str:
        return self.fitting(letter, [*PLACES, *VALUES])

    def fitting(self, letter: str, among: list[str]) -> str:
        """Mostly an expression of the type: most wrong ones say the same."""
        good = {
            "h": ["h"],
            "r": ["l", "u", "m"],
            "l": ["q"],
            "f": ["f"],
            "d": ["d"],
            "q": ["w"],
            "b": ["b"],
            "n": ["4"],
        }
        return self.choice.choice(good.get(letter, ["l"]) if self.choice.random() < 0.5 else among)

    def move(self, number: int, letter: str) -> str:
        zero = {"f": "0f00000000", "d": "0d0000000000000000"}.get(letter, "0")
        if letter in "qb":
            return "{ .reg .b64 z; mov.b64 z, 0; mov.b128 %" + f"{number}, {{z, z}}; }} " if letter == "q" else ""
        return f"mov.{TYPES[letter]} %{number}, {zero}; "


def compiled(nvcc: Tool, source: str, folder: Path) -> tuple[int, str]:
    """The status of nvcc, and what it writes, with all errors that there are."""
    path = folder / "k.cu"
    path.write_text(source)
    options = ["-arch=sm_90", "-ptx", "-w", "-Xcudafe", "--error_limit=100000", "-o", str(folder / "k.ptx")]
    done = subprocess.run([str(nvcc.path), *options, str(path)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def refused_by_nvcc(nvcc: Tool, statements: list[str], folder: Path) -> set[int]:
    """The numbers of the statements that nvcc's first stage, which names all of them, refuses; its second takes the rest."""
    text = "".join(AROUND.format(number=n, statement=s).strip() + "\n" for n, s in enumerate(statements))
    lines = len(AROUND.strip().splitlines())
    status, report = compiled(nvcc, text, folder)
    wrong = {(int(line) - 1) // lines for line in re.findall(r"k\.cu\((\d+)\): error", report)}
    assert status and wrong, report
    left = [AROUND.format(number=n, statement=s) for n, s in enumerate(statements) if n not in wrong]
    status, report = compiled(nvcc, "".join(left), folder)
    assert status in (0, 128 + SIGSEGV), report  # Some statements that its first stage takes are too much for it.
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_drawn_statements(nvcc: Tool, seed: int, tmp_path: Path) -> None:
    statements = [Drawn(f"{seed} {number}").text() for number in range(1500)]
    theirs = refused_by_nvcc(nvcc, statements, tmp_path)
    alarms: list[str] = []
    missed: list[str] = []
    for number, statement in enumerate(statements):
        found = lint(AROUND.format(number=number, statement=statement)).findings
        ours = [one for one in found if one.severity is Severity.ERROR and one.code in ("asm", "constraint")]
        if ours and number not in theirs:
            alarms.append(f"{statement} {ours[0].message}")
        if not ours and number in theirs:
            missed.append(statement)
    assert len(theirs) > 300 and not alarms, alarms[:20]
    assert all('"n"(' in one for one in missed), (
        missed
    )  # Whether what a pointer points to is constant nobody knows here.
    assert len(missed) < len(statements) / 100, missed


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("mov.u32 %[l], 1;" : [l] "=r"(l));',
        'asm volatile("mov.u32 %0, 1;" : [l] "=r"(l));',
        'asm volatile("// %r1" : "=r"(l));',
        'asm volatile("// %7" : "=r"(l));',
        'asm volatile("// %r1 %7" ::: "memory");',
        'asm volatile("mov.u32 %0, 0x%1;" : "=r"(l) : "n"(4));',
        'asm volatile("mov.u32 %0, 1%1;" : "=r"(l) : "n"(4));',
        'asm volatile("mov.u32 %0, (%1 * 4);" : "=r"(l) : "n"(4));',
        'asm volatile("mov.u32 %00, 1;" : "=r"(l));',
        'asm volatile("mov.u32 %0, 1;" : "=r"(l) :: "r1");',
        'asm volatile("mov.u32 %0, 1;" : "=r"(l) :: "");',
        'asm volatile("mov.u32 %0, 1;" : "=r"(l) :: "memory" "memory");',
        'asm volatile(L"mov.u32 %0, 1;" : "=r"(l));',
        'asm volatile("mov.u32 %0, 1;" : R"(=r)"(l));',
        'asm volatile("mov.u32 %0, 1;" : "=r"());',
        'asm volatile("mov.u32 %0, 1;" : "=r"(l) : : : );',
    ],
)
def test_templates(nvcc: Tool, statement: str, tmp_path: Path) -> None:
    text = AROUND.format(number=0, statement=statement)
    status, _ = compiled(nvcc, text, tmp_path)
    assert bool(status) == any(one.severity is Severity.ERROR for one in lint(text).findings)
