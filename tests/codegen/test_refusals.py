"""Variables, aliases and types that cannot be compiled, each beside the nearest ones that can."""

from __future__ import annotations

from typing import Any

import pytest

import weft
from weft.codegen.types import MOST_MEMBERS, MOST_SCALARS, UnsupportedTypeError, element_types, layout
from weft.mlir import parse_mlir

_GLOBAL = "llvm.mlir.global external @g"
_BODY = "llvm.func @f() { llvm.return }\n"


def _alias(name: str, of: str, linkage: str = "external") -> str:
    inside = f"%0 = llvm.mlir.addressof @{of} : !llvm.ptr\nllvm.return %0 : !llvm.ptr"
    return f"llvm.mlir.alias {linkage} @{name} : !llvm.ptr {{ {inside} }}\n"


COMPUTED = (
    "llvm.mlir.alias external @a : !llvm.ptr { %0 = llvm.mlir.addressof @f : !llvm.ptr\n"
    "%1 = llvm.getelementptr %0[4] : (!llvm.ptr) -> !llvm.ptr, i8\nllvm.return %1 : !llvm.ptr }\n"
)
SUM = "%c = llvm.mlir.constant(1 : i32) : i32\n%d = llvm.add %c, %c : i32\nllvm.return %d : i32"
REFUSED = {
    _GLOBAL + "() {addr_space = 5 : i32} : i32": "a global in this address space has no lowering",
    _GLOBAL + "(1 : i32) {addr_space = 3 : i32} : i32": "shared memory cannot be initialised",
    _GLOBAL + "(unit) : i32": "the constant unit has no lowering",
    _GLOBAL + "(@f) : !llvm.ptr\n" + _BODY: "the constant @f has no lowering",
    _GLOBAL + f"() : i32 {{ {SUM} }}": "the value of this operation is known only at run time",
    _GLOBAL + "(dense<1> : tensor<4xi32>) : !llvm.array<100000000 x i32>": "an initial value of 400000000 bytes",
    _GLOBAL + "() {nvvm.texture, nvvm.surface} : i64": "one global cannot be texref and surfref",
    _GLOBAL + "(0 : i32) {addr_space = 4 : i32, nvvm.managed} : i32": "a variable in the const space cannot be managed",
    "gpu.module @m { memref.global @g : memref<4xi32, 3> = dense<1> }": "shared memory cannot be initialised",
    "gpu.module @m { memref.global @g : memref<4xi32, 5> = uninitialized }": "a global cannot be in the local space",
    "gpu.module @m { memref.global @g : memref<4xi32, 9> = uninitialized }": "a pointer into address space 9",
    _alias("a", "f") + "llvm.func @f()": "'f' is not a function with a body",
    _alias("a", "f") + "llvm.func @f() attributes {nvvm.kernel} { llvm.return }": "'f' is not a function with a body",
    _alias("a", "f") + "llvm.func weak @f() { llvm.return }": "'f' is weak: PTX has no aliases of weak functions",
    _alias("a", "f", "weak") + _BODY: "PTX has no weak aliases",
    _alias("a", "b") + _alias("b", "a"): "the alias refers to itself through other aliases",
    COMPUTED + _BODY: "an alias of a computed address has no lowering",
    "llvm.func @f(%a: !llvm.ptr<9>) { llvm.return }": "a pointer into address space 9",
    "gpu.module @m { gpu.func @k(%a: tensor<4xf32>) kernel { gpu.return } }": "weft cannot lower tensor<4xf32>",
    "gpu.module @m { gpu.func @k(%a: memref<*xf32>) kernel { gpu.return } }": "a kernel cannot take memref<*xf32>",
    "gpu.module @m { gpu.func @k() kernel { %x = tensor.empty() : tensor<4xf32>\ngpu.return } }": "weft cannot lower this",
}
TAKEN = {
    _GLOBAL + "(0 : i32) {addr_space = 3 : i32} : i32": [".visible .shared .align 4 .u32 g;"],
    _GLOBAL + "() {addr_space = 3 : i32} : i32": [".extern .shared .align 4 .u32 g;"],
    _GLOBAL + "() {nvvm.texture} : i64": [".extern .global .texref g;"],
    _GLOBAL + "(0 : i32) {nvvm.managed} : i32": [".visible .global .attribute(.managed) .align 4 .u32 g;"],
    _GLOBAL + "(dense<0> : tensor<4xi32>) {addr_space = 3 : i32} : !llvm.array<4 x i32>": [
        ".visible .shared .align 4 .b8 g[16];"
    ],
    "gpu.module @m { memref.global @g : memref<4xi32, 3> = uninitialized }": [".visible .shared .align 16 .b32 g[4];"],
    "gpu.module @m { memref.global @g : memref<3xi32, 3> = uninitialized }": [".visible .shared .align 4 .b32 g[3];"],
    "gpu.module @m { memref.global @g : memref<0xi32, 3> = uninitialized }": [".extern .shared .align 16 .b8 g[];"],
    'gpu.module @m { memref.global "private" @g : memref<4xf64> = dense<0.0> }': [],
    "gpu.module @m { memref.global @g : memref<4xf64> }": [".extern .global .align 8 .b64 g[4];"],
    "gpu.module @m { memref.global constant @g : memref<2xi16, 4> = dense<-1> {alignment = 64} }": [
        ".visible .const .align 64 .b16 g[2] = {65535, 65535};"
    ],
    _alias("a", "b") + _alias("b", "f") + _BODY: [".alias a, f;", ".alias b, f;"],
}
"""The declarations that a module has at least."""


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(weft.CompileError) as caught:
        weft.compile(text, "sm_90a")
    assert REFUSED[text] in caught.value.message
    assert caught.value.position is not None


def test_what_is_taken() -> None:
    for text, wanted in TAKEN.items():
        module = weft.compile(text, "sm_90a")
        assert [line for line in wanted if line not in module.to_ptx().splitlines()] == [], (text, module.to_ptx())


def _type(text: str) -> Any:
    (function,) = parse_mlir(f"func.func private @f({text})").ops
    type_: Any = function.properties["function_type"]
    return type_.inputs.data[0]


LIMITS = {
    f"!llvm.array<{MOST_SCALARS} x i32>": MOST_SCALARS,
    f"!llvm.array<{MOST_SCALARS + 1} x i32>": 0,
    f"!llvm.array<{MOST_SCALARS // 4} x struct<(i32, i8, f32, ptr)>>": MOST_SCALARS,
    f"!llvm.array<{MOST_SCALARS // 4 + 1} x struct<(i32, i8, f32, ptr)>>": 0,
    f"!llvm.struct<(array<{MOST_SCALARS // 2} x i32>, array<{MOST_SCALARS // 2} x f32>)>": MOST_SCALARS,
    f"!llvm.struct<(array<{MOST_SCALARS // 2} x i32>, array<{MOST_SCALARS // 2} x f32>, i8)>": 0,
    f"vector<{MOST_SCALARS}xf64>": MOST_SCALARS,
    f"vector<{MOST_SCALARS + 1}xf64>": 0,
}


@pytest.mark.parametrize("text", LIMITS)
def test_registers_of_a_type(text: str) -> None:
    type_ = _type(text)
    if LIMITS[text]:
        assert len(layout(type_).scalars) == LIMITS[text]
    else:
        with pytest.raises(UnsupportedTypeError, match=f"registers: the limit is {MOST_SCALARS}"):
            layout(type_)


def test_members_of_an_array() -> None:
    assert len(element_types(_type(f"!llvm.array<{MOST_MEMBERS} x i64>"))) == MOST_MEMBERS
    with pytest.raises(UnsupportedTypeError, match=f"the limit is {MOST_MEMBERS}"):
        element_types(_type(f"!llvm.array<{MOST_MEMBERS + 1} x i64>"))
