"""Every intrinsic `llvm.nvvm.*` as `mlir-translate --import-llvm` leaves it: weft's PTX does what LLVM's does."""

from __future__ import annotations

import os
import re
import subprocess
from collections import defaultdict
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest

from tests.codegen.llvm_intrinsics import functions
from tests.codegen.oracle import VERSIONS, tool
from tests.codegen.trace import between_commas, bodies, traced
from weft.codegen import compile_module, nvvm
from weft.codegen.nvvm import intrinsics
from weft.codegen.nvvm.intrinsics_rules import RULES, Rule, rule_of
from weft.errors import WeftError

TARGETS = ("sm_100a", "sm_90a", "sm_120a")
OF_TARGET = {"tcgen05": "sm_100a", "wgmma": "sm_90a", "mma": "sm_120a"}
"""The target to try alone, by the first word of intrinsics."""
HEAD = 'target triple = "nvptx64-nvidia-cuda"\n'
FAMILIES = (
    "tex", "tld4|txq|suq|suld", "sust", r"cp\.async\.bulk\.tensor\.g2s", r"cp\.(?!async\.bulk\.tensor\.g2s)", "mbarrier",
    "tensormap|prefetch|applypriority|discard|st|mapa|getctarank|clusterlaunchcontrol|fence|griddepcontrol|setmaxnreg",
    r"tcgen05\.(?!mma)", r"tcgen05\.mma\.(shared|ws)", r"tcgen05\.mma\.(sp|tensor)", r"mma\.(?!sp)", r"mma\.sp",
    r"wmma\.m16", r"wmma\.(?!m16)", "ldmatrix|stmatrix|wgmma", "shfl|vote|match|elect|redux|bar|barrier|membar|activemask",
    "read|is_explicit|istypep|isspacep|pm|nanosleep|exit|fns|bmsk|flo|fsh|prmt|sad|sext|zext|idp|mul|lohi|d2i", "atomic|ldu",
    "f|d2|i2|ll2|u|e\\dm|bf16x2|add|div|ex2|lg2|neg|rcp|round|rsqrt|saturate|sin|cos|sqrt|tanh|trunc|ceil",
)  # fmt: skip

NO_PTX = (
    r"sust\.p\.[\w.]*i(8|16)\.",  # `sust.p` takes words of 32 bits.
    r"fma\.rn\.(ftz\.)?(sat|relu)?\.?bf16|fma\.rn\.ftz\.(relu|sat)\.bf16|lg2\.approx\.d$",
    r"vote\.(all|any|uni|ballot)$",  # Without a mask until sm_70.
    r"wmma\.[\w.]*\.(f16|f32)\.(f16|f32)\.satfinite",  # Until sm_89.
    r"applypriority",  # Of 128 bytes only.
    r"tensormap\.replace\.(box\.dim|element\.stride|global\.dim|global\.stride)",  # The fifth of four dimensions, say.
)
"""Intrinsics, or numbers in them, of which LLVM makes PTX that ptxas refuses."""
OTHERWISE = (
    r"atomic\.",  # LLVM loses the state space: it takes a pointer to shared memory for a generic one.
    r"getctarank\.shared\.cluster",  # An address of shared memory has 32 bits here.
    r"ldu\.global\.i\.i(8|16)",  # `.u8` for `.b8`.
)


UNSELECTED = re.compile(
    r"discard\..*i64 (0|1|2)\)|ex2\.approx\.((ftz\.)?f64|(v2)?bf16|ftz\.v2f16)\(|f(max|min)\.ftz\..*bf16|st\.bulk.*i64 [1-9]\d*\)"
    r"|(ld|st)matrix\..*p1\("
)
"""Calls that LLVM has no instruction for on any target."""


def llvm_bodies(given: dict[str, str], target: str) -> dict[str, str]:
    """The bodies that llc makes of functions; those it cannot are left out."""
    command = [tool("llc"), "-march=nvptx64", f"-mcpu={target}", "-O1", f"-mattr=+ptx{VERSIONS[target]}", "-o", "-"]
    quiet = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1", "LLVM_DISABLE_CRASH_REPORT": "1"}
    done = subprocess.run(
        command, input=HEAD + "".join(given.values()), capture_output=True, text=True, check=False, env=quiet
    )
    if done.returncode == 0:
        return bodies(done.stdout)
    if len(given) == 1:
        return {}
    names = list(given)
    dead = re.search(r"on function '@(\w+)'", done.stderr)
    at = names.index(dead[1]) if dead is not None else len(names) // 2
    found: dict[str, str] = {}
    for part in (names[:at], names[at + (dead is not None) :]):
        found |= llvm_bodies({name: given[name] for name in part}, target) if part else {}
    return found


def imported(given: dict[str, str]) -> dict[str, str]:
    """The functions as MLIR."""
    command = [tool("mlir-translate"), "--import-llvm"]
    text = HEAD + "".join(given.values())
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    _, *parts = re.split(r"(?m)^  (?=llvm\.func @f\d+\()", done.stdout.rstrip().removesuffix("}"))
    return {re.findall(r"@(f\d+)\(", part)[0]: part for part in parts}


def compiled(given: dict[str, str], target: str) -> tuple[dict[str, str], dict[str, str]]:
    """The bodies that weft makes of functions of MLIR, and why it makes none of others."""
    text = "module {\n" + "".join(given.values()) + "}\n"
    try:
        return bodies(compile_module(text, target, f"{VERSIONS[target][:-1]}.{VERSIONS[target][-1]}").to_ptx()), {}
    except WeftError as error:
        if len(given) == 1:
            return {}, dict.fromkeys(given, error.message)
    names = list(given)
    halves = names[: len(names) // 2], names[len(names) // 2 :]
    first, second = (compiled({name: given[name] for name in half}, target) for half in halves)
    return first[0] | second[0], first[1] | second[1]


def effect(body: str) -> list[str]:
    """What a body does; ptxas does not mind the order of an opcode's modifiers."""
    return sorted(re.sub(r"^\S+", lambda m: ".".join(sorted(m[0].split("."))), line) for line in traced(body))


def wrong(given: dict[str, str]) -> list[str]:
    """Functions that weft refuses or compiles to something else than LLVM does."""
    found: list[str] = []
    left = given
    for target in TARGETS:
        some = {
            name: text for name, text in left.items() if OF_TARGET.get(called(text).partition(".")[0], target) == target
        }
        theirs = llvm_bodies(some, target) if some else {}
        left = {name: text for name, text in left.items() if name not in theirs}
        functions = imported({name: given[name] for name in theirs}) if theirs else {}
        possible = {n: not any(re.match(each, called(given[n])) for each in NO_PTX) for n in functions}
        for group in (True, False):  # Those that may be refused apart, so that the others are compiled at once.
            some = {name: text for name, text in functions.items() if possible[name] == group}
            ours, refused = compiled(some, target) if some else ({}, {})
            found += [f"{_call(given[name])}: {why}" for name, why in refused.items() if group]
            for name, body in ours.items():
                same = effect(body) == effect(theirs[name])
                if not same and not any(re.match(each, called(given[name])) for each in OTHERWISE):
                    found.append(f"{_call(given[name])}: {traced(body)}, {traced(theirs[name])}")
    return found


def _call(text: str) -> str:
    """The line of a function that calls the intrinsic."""
    return text.splitlines()[1]


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_all_of_a_family(family: str) -> None:
    """Each intrinsic, with each value of each of its numbers."""
    given = functions(lambda name: re.match(rf"(?:{family})", name) is not None)
    assert given
    assert not wrong(given)


def called(text: str) -> str:
    """The intrinsic that a function calls."""
    return re.findall(r"@llvm\.nvvm\.([\w.]+)", text)[0]


def selected(name: str) -> list[tuple[str, dict[Any, Any]]]:
    """What selects an intrinsic, and with which first word, unless that is a rule; and what it finds in the name."""
    known = rule_of(name)
    if known is not None:
        return [(known[0].name, known[1])]
    first, matches = name.partition(".")[0], [each.fullmatch(name) for each, _ in intrinsics.FAMILIES]
    return [(f"{first} {each.re.pattern}", dict(enumerate(each.groups()))) for each in matches if each is not None]


def telling() -> dict[str, str]:
    """The functions with a word or a number that none before had of what selects their intrinsic."""
    import_families()
    seen: defaultdict[str, set[str]] = defaultdict(set)
    found: dict[str, str] = {}
    for name, text in functions().items():
        intrinsic = called(text)
        operands = between_commas(_call(text).partition("(")[2])
        numbers = {f"{at} {each}" for at, each in enumerate(reversed(operands)) if re.match(r"i\d+ [\dtf]", each)}
        for by, parts in selected(intrinsic):
            left_out = {f"no {part}" for part, word in parts.items() if not word}
            words = {*intrinsic.split("."), *numbers, *left_out}
            if words - seen[by] and not UNSELECTED.search(_call(text)):
                found[name] = text
                seen[by] |= words
    return found


def test_each_word_of_each_rule_and_family() -> None:
    some = telling()
    assert len(some) > 700
    assert not wrong(some)


ILLEGAL = re.compile(r"(lg2|ex2)\.|f(abs|max|min|ma)\.[\w.]*(ftz|sat)[\w.]*(bf16|f64)")
"""Intrinsics of no instruction: ptxas has no such `.ftz`, or no such type."""
SPACES = ("", "global", "shared", "shared::cta", "shared::cluster")


def is_legal(rule: Rule, found: dict[str, str]) -> bool:
    """Whether some target has the instruction, of a place in some state space."""
    for space in SPACES:
        with suppress(WeftError):
            return bool(rule.opcode(found | {"ss": space}).stem)
    return False


def import_families() -> None:
    """Those of all files."""
    for module in iter_modules(nvvm.__path__):
        if module.name.startswith("intrinsics_"):
            import_module(f"weft.codegen.nvvm.{module.name}")


@pytest.mark.slow
def test_every_rule_and_family_is_of_intrinsics_of_llvm() -> None:
    """And what rules make of these is legal."""
    given = functions()
    assert len(given) > 4000
    names = set(map(called, given.values()))
    import_families()
    used: set[str] = set()
    illegal: list[str] = []
    for name in names:
        known = rule_of(name)
        if known is not None:
            rule, found = known
            used.add(rule.name)
            illegal += [] if is_legal(rule, found) else [name]
        used |= {pattern.pattern for pattern, _ in intrinsics.FAMILIES if pattern.fullmatch(name)}
    assert all(map(ILLEGAL.match, illegal)), illegal
    every = {line.split()[0] for line in RULES.splitlines() if line} | {each.pattern for each, _ in intrinsics.FAMILIES}
    assert every - used == {"tanh.approx.<X>"}  # Of any type: LLVM's library does not list it by these.
