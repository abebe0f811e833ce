"""Attributes of `dlti` and `llvm.data_layout`: taken and refused as mlir-opt does, with its messages."""

from __future__ import annotations

from random import Random

import pytest

from tests.conftest import llvm_tool
from tests.dialects.oracle import Case, ours, upstream
from weft.errors import MlirError
from weft.mlir import parse_mlir

PARTS = (
    "e", "E", "p:64:64", "p3:32:32", "p4:32:32:32:32", "i64:64", "i128:128:128", "v16:16", "n16:32:64", "S128", "a:0:64",
    "a0:8", "m:e", "A5", "G1", "P1", "ni:4:5", "Fi8", "Fn32", "f80:128", "i8:8", "pu3:64:64", "s0", "i1:8",
)  # fmt: skip
LETTERS = "0123456789:-epivfanSPAGmsFux"


def strings(seed: int, count: int) -> list[str]:
    """Data layouts, most of them with letters changed."""
    rng = Random(seed)
    found: list[str] = []
    for _ in range(count):
        text = list("-".join(rng.sample(PARTS, rng.randint(1, 4))))
        for _ in range(rng.randint(0, 2)):
            at = rng.randrange(len(text) + 1)
            text[at : at + rng.randint(0, 1)] = rng.choice((rng.choice(LETTERS), ""))
        found.append("".join(text))
    return found


def differing(texts: list[str]) -> list[tuple[str, str, str]]:
    """Texts of which weft and mlir-opt say different things, if only in the place; most are wrong, and some are right."""
    given = [Case(text + "\n", 1) for text in texts]
    theirs, mine = upstream(llvm_tool("mlir-opt"), given), ours(given)
    wrong = sum(": " in text.partition("\n")[0] and "module" not in text.partition(" ")[0] for text in theirs)
    assert 0.2 * len(texts) < wrong < 0.9 * len(texts)
    return [(text, a, b) for text, a, b in zip(texts, theirs, mine, strict=True) if a != b]


def test_strings() -> None:
    texts = [f'module attributes {{llvm.data_layout = "{text}"}} {{}}' for text in strings(7, 400)]
    assert not differing(texts)


NAMED = (
    "alloca_memory_space", "program_memory_space", "global_memory_space", "default_memory_space", "stack_alignment",
    "function_pointer_alignment", "mangling_mode", "legal_int_widths", "max_vector_op_width",
)  # fmt: skip
ENTRIES = [
    *(f'module attributes {{dlti.dl_spec = #dlti.dl_spec<"dlti.{name}" = 32 : i64>}} {{}}' for name in NAMED),
    'module attributes {llvm.data_layout = "x"} {}',
    'module attributes {llvm.data_layout = "e-p:64:64-q"} {}',
    "module attributes {llvm.data_layout = 42 : i32} {}",
    'module attributes {llvm.data_layout = "e-i64:64-v16:16-v32:32-n16:32:64"} {}',
    "module attributes {dlti.foo = 1 : i32} {}",
    "module attributes {dlti.dl_spec = 42 : i32} {}",
    'module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<"dlti.unknown", 42>>} {}',
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = "foo">} {}',
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = "little", "dlti.endianness" = "big">} {}',
    "module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = 32, i32 = 64>} {}",
    "module attributes {dlti.target_system_spec = 3 : i32} {}",
    'module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"a" = 3 : ui32>>} {}',
    'module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = 3>} {}',
    'module attributes {dlti.map = #dlti.map<"a" = 3>} {}',
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.alloca_memory_space" = 5>} {}',
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.stack_alignment" = "x">} {}',
    "module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {}",
    'module attributes {dlti.dl_spec = #dlti.dl_spec<index = "a">} {}',
    "module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = 32>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = dense<32> : vector<1xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = dense<[32, 16]> : vector<2xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = dense<[32, 64]> : vector<2xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = dense<[33, 64]> : vector<2xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<i8 = dense<[16, 64]> : vector<2xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<f32 = dense<[32, 64, 3]> : vector<3xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<f32 = 3>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<[64,64,64]> : vector<3xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<[64,64,64]> : vector<3xi32>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<[64,128,64]> : vector<3xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<[64]> : vector<1xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = 3>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.struct<(i8)> = dense<[64,64]> : vector<2xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.struct<()> = dense<[64,64]> : vector<2xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<tensor<3xi8> = dense<[64,64]> : vector<2xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<memref<3xi8> = dense<[64,64]> : vector<2xi64>>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<vector<3xi8> = dense<[64,64]> : vector<2xi64>>} {}",
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"unknown.x" = 3>} {}',
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"foo" = 3>} {}',
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"arith.x" = 3>} {}',
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.alloca_memory_space" = "x">} {}',
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.mangling_mode" = 3>} {}',
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.legal_int_widths" = 3>} {}',
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.function_pointer_alignment" = 3>} {}',
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = 3>} {}',
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"" = 3>} {}',
    "module attributes {dlti.dl_spec = #dlti.dl_spec<3 = 3>} {}",
    "module attributes {dlti.dl_spec = #dlti.dl_spec<>} {}",
    'module attributes {dlti.dl_spec = #dlti.dl_spec<"a" = #dlti.map<"a" = 3>>} {}',
    "module attributes {dlti.map = #dlti.map<>} {}",
    "module attributes {dlti.map = 3} {}",
    'module attributes {dlti.map = #dlti.map<"x" = 3, "x" = 4>} {}',
    'module attributes {dlti.map = #dlti.map<"dlti.foo" = 3>} {}',
    'module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"a" = 3 : ui32>, "CPU" = #dlti.target_device_spec<"a" = 3 : ui32>>} {}',
    'module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"a" = 3 : ui32, "a" = 4>>} {}',
    'module attributes {dlti.target_system_spec = #dlti.target_system_spec<i32 = #dlti.target_device_spec<"a" = 3 : ui32>>} {}',
    'module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<i32 = 3 : ui32>>} {}',
    'module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" : #dlti.target_device_spec<"a" = 3 : ui32>>} {}',
    "module attributes {dlti.target_system_spec = #dlti.target_system_spec<>} {}",
    'func.func @f() attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.unknown" = 3>} { return }',
    "func.func @f() attributes {dlti.dl_spec = 3} { return }",
    "func.func @f() attributes {dlti.foo = 3} { return }",
    "func.func @f() attributes {dlti.map = 3} { return }",
    "func.func @f(%a: i32 {dlti.foo = 3}) { return }",
    'gpu.module @m attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.unknown" = 3>} { }',
    'gpu.module @m attributes {llvm.data_layout = "x"} { }',
    '"builtin.module"() ({ }) {dlti.dl_spec = #dlti.dl_spec<index = 32>} : () -> ()',
]


def test_entries() -> None:
    assert not differing(ENTRIES)


@pytest.mark.parametrize("attribute", ["fastmath = #arith.fastmath<>", "fastmathFlags = #llvm.fastmath<>"])
def test_flags_without_a_flag(attribute: str) -> None:
    op = "llvm.fadd" if "llvm" in attribute else "arith.addf"
    text = f'func.func @f(%a: f32) {{ %0 = "{op}"(%a, %a) <{{{attribute}}}> : (f32, f32) -> f32 return }}'
    with pytest.raises(MlirError, match="expected valid keyword or string"):
        parse_mlir(text)
