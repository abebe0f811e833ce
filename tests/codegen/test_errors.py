"""What cannot be compiled is refused with its place, its name and what would do."""

from __future__ import annotations

import pytest

from weft.codegen import compile_module
from weft.errors import CompileError, IsaError, MlirError
from weft.toolchain import Tool, assemble

LDMATRIX = """gpu.module @m {
  gpu.func @k(%s: memref<16x16xf16, 3>) kernel {
    %c0 = arith.constant 0 : index
    %v = nvgpu.ldmatrix %s[%c0, %c0] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x2xf16>
    %z = arith.constant dense<0.0> : vector<2x2xf32>
    %b = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
    %d = nvgpu.mma.sync(%v, %b, %z) {mmaShape = [16, 8, 16]}
      : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    gpu.return
  }
}
"""


def refused(text: str, target: str = "sm_80", **options: object) -> CompileError:
    with pytest.raises(CompileError) as caught:
        compile_module(text, target, filename="k.mlir", **options)  # type: ignore[arg-type]
    return caught.value


def body(lines: str, arguments: str = "%A: memref<?xf32>") -> str:
    return f"gpu.module @m {{\n  gpu.func @k({arguments}) kernel {{\n{lines}\n    gpu.return\n  }}\n}}\n"


STORE = """    %c0 = arith.constant 0 : index
    %x = vector.extract %d[0, 0] : f32 from vector<2x2xf32>
    memref.store %x, %o[%c0] : memref<1xf32>
    gpu.return"""


def test_target_too_old_names_the_form_and_what_it_needs() -> None:
    text = LDMATRIX.replace("(%s:", "(%o: memref<1xf32>, %s:").replace("    gpu.return", STORE.replace("%c0", "%c00"))
    error = refused(text, "sm_75")
    assert "mma.sync" in error.message
    assert "sm_75" in error.message
    assert "sm_80 or later" in error.message + error.hint
    assert (error.position.file, error.position.line) == ("k.mlir", 7)
    assert "^" in error.render()


def test_version_too_old() -> None:
    lines = """    %c = arith.constant 0.0 : f32
    %i = gpu.thread_id x
    %v = memref.load %A[%i] : memref<?xf32>
    %t = math.tanh %v fastmath<afn> : f32
    memref.store %t, %A[%i] : memref<?xf32>"""
    assert compile_module(body(lines), "sm_75").version == (7, 0)
    error = refused(body(lines), "sm_90a", ptx_version="7.8")
    assert "PTX 7.8 does not support sm_90a" in error.message
    elect = """    %p = nvvm.elect.sync -> i1
    %i = arith.extui %p : i1 to i32
    %f = arith.sitofp %i : i32 to f32
    %c0 = arith.constant 0 : index
    memref.store %f, %A[%c0] : memref<?xf32>"""
    error = refused(body(elect), "sm_90", ptx_version="7.8")
    assert "needs PTX 8.0" in error.message
    assert error.position.line == 3


def test_version_is_the_least_that_serves() -> None:
    lines = "    nvvm.fence.mbarrier.init"
    assert compile_module(body(""), "sm_80").version == (7, 0)
    assert compile_module(body(lines), "sm_90").version == (8, 0)
    assert compile_module(body(""), "sm_80", "8.3").version == (8, 3)


def test_unknown_target() -> None:
    with pytest.raises(IsaError, match="sm_81"):
        compile_module(body(""), "sm_81")


def test_operation_without_lowering() -> None:
    lines = """    %i = gpu.thread_id x
    %v = memref.load %A[%i] : memref<?xf32>
    %w = vector.broadcast %v : f32 to vector<4xf32>
    %e = tensor.empty() : tensor<4xf32>"""
    error = refused(body(lines))
    assert "'tensor.empty': weft cannot lower" in error.message
    assert error.position.line == 6


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("    %b = memref.alloc() : memref<16xf32>", "cannot allocate global memory"),
        ("    %c = arith.constant 1 : index\n    %b = memref.alloc(%c) : memref<?xf32, 3>", "static shape"),
        ("    %f = arith.constant 0.0 : f128", "f128"),
        ("    %w = arith.constant 3 : i129\n    %r = arith.sitofp %w : i129 to f32", "i129"),
    ],
)
def test_refusals(lines: str, message: str) -> None:
    error = refused(body(lines))
    assert message in error.message
    assert error.position.line >= 3


def test_memref_in_an_unknown_space() -> None:
    error = refused(body("", "%A: memref<4xf32, 9>"))
    assert "address space 9" in error.message


def test_conflicting_directives() -> None:
    text = """module { llvm.func @k() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>,
      nvvm.cluster_max_blocks = 8 : i32} { llvm.return } }"""
    assert "cannot be combined" in refused(text, "sm_90").message


def test_directives_in_order() -> None:
    text = """module { llvm.func @k() attributes {nvvm.kernel, nvvm.maxnreg = 64 : i32, nvvm.minctasm = 2 : i32,
      nvvm.reqntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 2, 1, 1>} { llvm.return } }"""
    kernel = compile_module(text, "sm_90").kernels[0]
    assert [(d.name, d.arguments) for d in kernel.directives] == [
        ("reqntid", "128"),
        ("minnctapersm", "2"),
        ("maxnreg", "64"),
        ("explicitcluster", ""),
        ("reqnctapercluster", "2, 1, 1"),
    ]


# A signature, its attributes, a target that lacks what they ask for, the lowest that has it and its PTX version there.
LIMITS = [
    ("", "nvvm.cluster_dim = array<i32: 2>", "sm_80", "sm_90", (7, 8)),
    ("", "nvvm.explicit_cluster", "sm_89", "sm_90", (7, 8)),
    (
        "",
        "nvvm.reqntid = array<i32: 32>, nvvm.cluster_dim = array<i32: 2>, nvvm.blocksareclusters",
        "sm_80",
        "sm_90",
        (9, 0),
    ),
    ("%a: !llvm.array<8000 x i8>", "nvvm.maxnreg = 64 : i32", "sm_62", "sm_75", (8, 1)),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("parameters", "attributes", "lacking", "lowest", "version"), LIMITS)
def test_what_a_kernel_asks_of_the_target(
    parameters: str, attributes: str, lacking: str, lowest: str, version: tuple[int, int], ptxas: Tool
) -> None:
    text = f"module {{\n  llvm.func @k({parameters}) attributes {{nvvm.kernel, {attributes}}} {{ llvm.return }}\n}}"
    error = refused(text, lacking)
    assert f"does not exist on {lacking}" in error.message
    assert (error.position.line, error.position.column) == (2, 3)
    module = compile_module(text, lowest)
    assert module.version == version
    assemble(module)


def test_text_that_is_not_mlir() -> None:
    with pytest.raises(MlirError) as caught:
        compile_module("gpu.module @m { gpu.func @k(", "sm_80", filename="k.mlir")
    assert caught.value.position.line == 1
