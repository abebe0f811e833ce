"""A batch of C programs through clang and weft, clang and llc, and nvcc; run on the simulator with the same data."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt

from tests.codegen.oracle import tool
from tests.differential.c.writer import RESULTS, WORDS, Program
from weft import parse
from weft.codegen import compile_module
from weft.errors import WeftError
from weft.ptx.ast import Module
from weft.sim import KernelFault, UnsupportedInstruction, run
from weft.toolchain import find

TARGET = "sm_90"
ours = TARGET
"""What weft compiles for."""
LEVELS = (0, 1, 2, 3)
"""clang's; 4 makes vectors of what stands side by side, 5 of loops, and from 6 on each is another list of LLVM's passes."""
SIDE_BY_SIDE, LOOPS, LISTS = 4, 5, 6
_SLP = ("-slp-threshold=-100", "-slp-min-reg-size=8", "-slp-max-reg-size=256")
_BEFORE_LOOPS = (
    "sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),loop(indvars)"
)
_PASSES = (
    "sroa", "reg2mem", "instcombine<no-verify-fixpoint>", "simplifycfg", "gvn", "newgvn", "early-cse", "jump-threading", "reassociate",
    "correlated-propagation", "loop(loop-rotate)", "loop(indvars)", "loop(loop-idiom)", "loop-unroll", "sink", "dse",
    "memcpyopt", "adce", "bdce", "sccp", "constraint-elimination", "structurizecfg", "scalarizer", "lower-switch",
    "mergereturn", "float2int", "aggressive-instcombine", "vector-combine", "slsr", "separate-const-offset-from-gep",
    "nary-reassociate", "flatten-cfg", "div-rem-pairs", "load-store-vectorizer", "speculative-execution",
    "infer-address-spaces", "break-crit-edges", "fix-irreducible", "unify-loop-exits", "mldst-motion", "gvn-hoist",
    "gvn-sink", "slp-vectorizer", "loop-vectorize", "loop-mssa(licm)", "loop-mssa(simple-loop-unswitch<nontrivial>)",
    "tailcallelim", "mem2reg", "loop-fusion", "loop-distribute", "callsite-splitting",
)  # fmt: skip
HEADER = Path(__file__).with_name("random_c.h")
Words = npt.NDArray[np.uint64]


@dataclass
class Finding:
    """A program of which two compilers' PTX differ, or which weft refuses."""

    program: Program
    kind: str
    message: str


def source(programs: Sequence[Program]) -> str:
    """The C of some programs."""
    return f'#include "{HEADER}"\n' + "\n".join(program.text() for program in programs)


def _output(*command: str, text: str = "") -> str:
    return subprocess.run(command, input=text, capture_output=True, check=True, text=True).stdout


def llvm_ir(programs: Sequence[Program], level: int) -> str:
    """The LLVM IR that clang and LLVM's passes make of programs at a level."""
    passes = ("-O2", "-Xclang", "-disable-llvm-passes") if level >= SIDE_BY_SIDE else (f"-O{level}",)
    options = ("--target=nvptx64-nvidia-cuda", f"-march={TARGET}", "-nogpulib", "-w", "-ffp-contract=off", *passes,
               "-Xclang", "-target-feature", "-Xclang", "+ptx86", "-x", "c")  # fmt: skip
    ir = _output(tool("clang"), *options, "-emit-llvm", "-S", "-o", "-", "-", text=source(programs))
    return ir if level < SIDE_BY_SIDE else _output(tool("opt"), *_pipeline(level), "-S", "-o", "-", text=ir)


def _pipeline(level: int) -> tuple[str, ...]:
    """The options of `opt` at a level."""
    if level == SIDE_BY_SIDE:
        return ("-passes=default<O2>", *_SLP)
    if level == LOOPS:
        vectors = f"cgscc(inline),function({_BEFORE_LOOPS},loop-vectorize,slp-vectorizer,instcombine<no-verify-fixpoint>,simplifycfg)"
        return (f"-passes={vectors}", "-force-vector-width=4", "-force-vector-interleave=2")
    rng = Random(f"passes {level}")
    some = ",".join(rng.choice(_PASSES) for _ in range(rng.randint(3, 14)))
    inlined = rng.choice(("cgscc(inline),", ""))
    return (f"-passes={inlined}function({some})", f"-force-vector-width={rng.choice((2, 4, 8))}", *_SLP)


def by_weft(ir: str) -> Module:
    """LLVM IR imported into MLIR and compiled by weft."""
    mlir = _output(tool("mlir-translate"), "--import-llvm", text=ir)
    return compile_module(mlir, ours)


def by_llvm(ir: str, level: int) -> Module:
    """What LLVM's back end makes of the same."""
    return parse(
        _output(
            tool("llc"), "-march=nvptx64", f"-mcpu={TARGET}", "-mattr=+ptx86", f"-O{min(level, 3)}", "-o", "-", text=ir
        )
    )


def by_nvcc(programs: Sequence[Program]) -> dict[str, Module]:
    """The module that has each program as nvcc compiles it as CUDA; those that it fails on or has not all of are left out."""
    nvcc, programs = find("nvcc"), [program for program in programs if program.portable]
    if nvcc is None or not programs:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.cu"
        path.write_text(source(programs))
        out = path.with_suffix(".ptx")
        try:
            _output(nvcc.path, "-ptx", f"-arch={TARGET}", "-fmad=false", "-w", "-o", str(out), str(path))
        except subprocess.CalledProcessError:
            half = len(programs) // 2
            return by_nvcc(programs[:half]) | by_nvcc(programs[half:]) if half else {}
        return dict.fromkeys((program.name for program in programs), parse(out.read_text()))


def given(program: Program) -> Words:
    """The words that a program reads."""
    rng = Random(f"words {program.seed}")
    edges = (0, 1, 2, 3, 7, (1 << 64) - 1, 1 << 63, (1 << 63) - 1, 0x3F800000, 0x7F800000, 0x7FC00000, 0x3FF0000000000000,
             0x80000000, 0xFFFFFFFF, 0x7FFFFFFF, 0x8000000080000000, 0xC0490FDB40490FDB)  # fmt: skip
    count = program.threads * WORDS
    return np.array([rng.choice(edges) if rng.random() < 0.3 else rng.getrandbits(64) for _ in range(count)], np.uint64)


def result(module: Module, program: Program, check: str) -> Words:
    """What a program writes."""
    out = np.zeros(program.threads * RESULTS, np.uint64)
    run(module, program.name, 1, program.threads, [given(program), out], check=check)  # pyright: ignore[reportArgumentType]
    return out


def difference(a: Words, b: Words) -> str:
    """Where two results differ first; empty if nowhere."""
    places = np.flatnonzero(a != b)
    if not len(places):
        return ""
    at = int(places[0])
    return f"word {at % RESULTS} of thread {at // RESULTS}: {int(a[at]):#x}, {int(b[at]):#x}"


def judged(program: Program, mine: dict[int, Module], others: dict[str, Module]) -> list[Finding]:
    """What differs between weft's PTX of clang's LLVM IR, by level, and the others'."""
    findings: list[Finding] = []
    expected: dict[str, Words] = {}
    for name, module in others.items():
        try:
            expected[name] = result(module, program, "fast")
        except (UnsupportedInstruction, KernelFault) as error:
            findings.append(Finding(program, "oracle", f"{name}: {str(error).splitlines()[0]}"))
    names = list(expected)
    for one, other in pairwise(names):
        if message := difference(expected[one], expected[other]):
            findings.append(Finding(program, "oracles", f"{one} and {other}: {message}"))
    for level, module in mine.items():
        try:
            found = result(module, program, "strict")
        except KernelFault as fault:
            if not _reads_padding(others[f"llc -O{level}"], program):
                findings.append(Finding(program, "fault", f"weft of -O{level}: {str(fault).splitlines()[0]}"))
                continue
            found = result(module, program, "fast")
        for name, words in expected.items():
            if message := difference(found, words):
                findings.append(Finding(program, "difference", f"weft of -O{level} and {name}: {message}"))
                break
    return findings


def _reads_padding(module: Module, program: Program) -> bool:
    """Whether LLVM's PTX is faulted too: a bit field is read with the padding beside it, which nothing has written."""
    try:
        result(module, program, "strict")
    except KernelFault:
        return True
    return False


def check(programs: Sequence[Program], levels: Sequence[int] = LEVELS) -> tuple[int, list[Finding]]:
    """Compile programs every way, with clang at these levels: how many were compared, and what went wrong."""
    findings: list[Finding] = []
    mine: dict[int, Module] = {}
    others: dict[str, Module] = {}
    for level in levels:
        ir = llvm_ir(programs, level)
        try:
            mine[level] = by_weft(ir)
        except Exception as error:
            if len(programs) > 1:
                half = len(programs) // 2
                counts, found = zip(*(check(part, levels) for part in (programs[:half], programs[half:])), strict=True)
                return sum(counts), [finding for part in found for finding in part]
            kind = "refused" if isinstance(error, WeftError) else "crash"
            findings.append(Finding(programs[0], kind, f"weft of -O{level}: {type(error).__name__}: {error}"))
            continue
        others[f"llc -O{level}"] = by_llvm(ir, level)
    by_program = by_nvcc(programs)
    for program in programs:
        module = by_program.get(program.name)
        findings += judged(program, mine, others if module is None else {**others, "nvcc": module})
    return len(programs) if mine else 0, findings


def shrunk(finding: Finding, levels: Sequence[int] = LEVELS, budget: int = 120) -> Program:
    """The smallest program found, with at most `budget` trials, that goes wrong in the same way."""
    program = finding.program
    head = re.sub(r"\d+", "", finding.message.partition(":")[0])

    def still(candidate: Program) -> bool:
        try:
            _, found = check([candidate], levels)
        except subprocess.CalledProcessError:
            return False
        return any(f.kind == finding.kind and re.sub(r"\d+", "", f.message.partition(":")[0]) == head for f in found)

    numbers = program.numbers()
    size = max(1, len(numbers) // 2)
    while size and budget > 0:
        for at in range(0, len(numbers), size):
            part = frozenset(numbers[at : at + size]) - program.removed
            if part and budget > 0:
                budget -= 1
                smaller = replace(program, removed=program.removed | part)
                if still(smaller):
                    program = smaller
        size //= 2
    return program
