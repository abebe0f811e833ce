"""LLVM's intrinsics that are no operations of the dialect, as `mlir-translate --import-llvm` leaves them.

Weft's PTX and LLVM's are run on the simulator with the same numbers; where LLVM makes no code, a model in Python judges.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.codegen.oracle import VERSIONS, tool
from weft import parse
from weft.codegen import compile_module
from weft.errors import WeftError
from weft.mlir import parse_mlir
from weft.ptx.ast import Module
from weft.sim import run

TARGET, THREADS = "sm_90", 64
V4, V8, M4 = "<4 x i32>", "<8 x i32>", "<4 x i1>"
CASES: dict[str, tuple[str, ...]] = {
    "experimental.cttz.elts.i64.v4i1": ("i64", M4, "i1 0"),
    "experimental.cttz.elts.i32.v8i16": ("i32", "<8 x i16>", "i1 0"),
    "experimental.cttz.elts.i8.v3i64": ("i8", "<3 x i64>", "i1 1"),
    "vector.reverse.v4i32": (V4, V4),
    "vector.reverse.v4f16": ("<4 x half>", "<4 x half>"),
    "vector.reverse.v4i1": (M4, M4),
    "experimental.get.vector.length.i64": ("i32", "i64", "i32 4", "i1 0"),
    "experimental.get.vector.length.i32": ("i32", "i32", "i32 16", "i1 0"),
    "experimental.vector.match.v4i8.v8i8": (M4, "<4 x i8>", "<8 x i8>", M4),
    "experimental.vector.compress.v4i32": (V4, V4, M4, V4),
    "experimental.vector.compress.v8f32": ("<8 x float>", "<8 x float>", "<8 x i1>", "<8 x float>"),
    "smul.fix.i32": ("i32", "i32", "i32", "i32 4"),
    "umul.fix.i16": ("i16", "i16", "i16", "i32 15"),
    "smul.fix.sat.i32": ("i32", "i32", "i32", "i32 30"),
    "umul.fix.sat.v4i8": ("<4 x i8>", "<4 x i8>", "<4 x i8>", "i32 3"),
    **{
        f"fpto{sign}i.sat.{integer}.{name}": (integer, kind)
        for sign in "su"
        for integer in ("i8", "i13", "i32", "i40", "i64")
        for name, kind in (("f16", "half"), ("f32", "float"), ("f64", "double"))
    },
    "fptosi.sat.v4i16.v4f32": ("<4 x i16>", "<4 x float>"),
    "canonicalize.f32": ("float", "float"),
    "canonicalize.v2f64": ("<2 x double>", "<2 x double>"),
    "minimumnum.f32": ("float", "float", "float"),
    "maximumnum.f64": ("double", "double", "double"),
    "maximumnum.v4f16": ("<4 x half>", "<4 x half>", "<4 x half>"),
    "clmul.i32": ("i32", "i32", "i32"),
    "clmul.i16": ("i16", "i16", "i16"),
    "arithmetic.fence.f32": ("float", "float"),
    "fshl.v4i32": (V4, V4, V4, V4),
    "is.fpclass.f32": ("i1", "float", "i32 519"),
    "ctlz.i32": ("i32", "i32", "i1 0"),
    "scmp.i8.i32": ("i8", "i32", "i32"),
    "sshl.sat.i16": ("i16", "i16", "i16"),
}
"""The result and the operands; what has a number is a constant."""
_BYTES = {"i1": 1, "i8": 1, "i13": 2, "i16": 2, "i32": 4, "i40": 8, "i64": 8, "half": 2, "float": 4, "double": 8}


def _is_constant(kind: str) -> bool:
    return re.fullmatch(r"i\d+ -?\d+", kind) is not None


HEAD = 'target triple = "nvptx64-nvidia-cuda"\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n'


def kernel(name: str, result: str, operands: tuple[str, ...], entry: str = "k") -> str:
    """A kernel of LLVM IR in which each thread calls an intrinsic with operands of its own, 64 bytes apart."""
    lines = ["  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "  %w = zext i32 %t to i64"]
    given: list[str] = []
    for number, kind in enumerate(operands):
        if _is_constant(kind):
            given.append(kind)
            continue
        lines.append(f"  %i{number} = mul i64 %w, {64 * len(operands)}")
        lines.append(f"  %j{number} = add i64 %i{number}, {64 * number}")
        lines.append(f"  %p{number} = getelementptr i8, ptr addrspace(1) %in, i64 %j{number}")
        if "x i1>" in kind:
            count = kind[1 : kind.index(" ")]
            lines.append(f"  %b{number} = load <{count} x i8>, ptr addrspace(1) %p{number}, align 64")
            lines.append(f"  %a{number} = trunc <{count} x i8> %b{number} to {kind}")
        elif kind in ("i13", "i40"):
            raise AssertionError(kind)
        else:
            lines.append(f"  %a{number} = load {kind}, ptr addrspace(1) %p{number}, align 64")
        given.append(f"{kind} %a{number}")
    lines.append(f"  %r = call {result} @llvm.{name}({', '.join(given)})")
    stored = result
    if "i1" in result.split() or result == "i1" or result.endswith("x i1>"):
        stored = result.replace("i1", "i8") if result != "i1" else "i8"
        lines.append(f"  %z = zext {result} %r to {stored}")
    elif result in ("i13", "i40"):
        stored = "i64"
        lines.append(f"  %z = sext {result} %r to i64")
    lines.append("  %o = mul i64 %w, 64")
    lines.append("  %q = getelementptr i8, ptr addrspace(1) %out, i64 %o")
    lines.append(f"  store {stored} {'%z' if stored != result else '%r'}, ptr addrspace(1) %q, align 64")
    types = ", ".join(kind.split(" ")[0] if _is_constant(kind) else kind for kind in operands)
    body = "\n".join(lines)
    return (
        f"define ptx_kernel void @{entry}(ptr addrspace(1) %in, ptr addrspace(1) %out) {{\n{body}\n  ret void\n}}\n"
        f"declare {result} @llvm.{name}({types})\n"
    )


_FLOATS = {"half": np.float16, "float": np.float32, "double": np.float64}
_SPECIAL = (0.0, -0.0, 1.5, -1.5, 127.5, -128.9, 65504.0, 2147483648.0, -2147483649.0, 9.3e18, -9.3e18, 1.9e19,
            np.inf, -np.inf, np.nan, 1e-40, 0.99, -0.99, 4294967295.5, 255.9)  # fmt: skip


def numbers(random: np.random.Generator, operands: tuple[str, ...]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """What the threads read: special floats, and integers that are often equal, 0 or at an end."""
    data = np.zeros((THREADS, len(operands), 64), np.uint8)
    for number, kind in enumerate(operands):
        name = kind.strip("<>").split(" ")[-1]
        for thread in range(THREADS):
            if name in _FLOATS:
                with np.errstate(over="ignore"):
                    values = random.choice(_SPECIAL, 8).astype(_FLOATS[name])
                data[thread, number, : 8 * values.itemsize] = values.view(np.uint8)
            else:
                data[thread, number] = random.choice(np.array([0, 0, 1, 2, 127, 128, 255], np.uint8), 64)
                if random.random() < 0.5:
                    data[thread, number] = random.integers(0, 256, 64, np.uint8)
    return data


def executed(module: Module, data: np.ndarray[Any, Any], entry: str = "k") -> np.ndarray[Any, Any]:
    out = np.zeros((THREADS, 64), np.uint8)
    run(module, entry, 1, THREADS, [data.copy(), out], check="fast")
    return out


def translated(text: str) -> str:
    """As MLIR."""
    command = [tool("mlir-translate"), "--import-llvm"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def compiled(text: str) -> Module:
    return parse(compile_module(parse_mlir(translated(HEAD + text)), target=TARGET).to_ptx())


def llvms(text: str) -> Module:
    command = [tool("llc"), "-march=nvptx64", f"-mcpu={TARGET}", f"-mattr=+ptx{VERSIONS[TARGET]}", "-o", "-"]
    return parse(subprocess.run(command, input=HEAD + text, capture_output=True, text=True, check=True).stdout)


@cache
def modules() -> tuple[Module, Module]:
    """All cases as weft and as LLVM compile them."""
    kernels = (kernel(name, *_parted(name), f"k{index}") for index, name in enumerate(CASES))
    lines = dict.fromkeys(line for text in kernels for line in re.split(r"\n(?=declare|define)", text.strip()))
    text = "\n".join(lines) + "\n"
    return compiled(text), llvms(text)


def _parted(name: str) -> tuple[str, tuple[str, ...]]:
    result, *operands = CASES[name]
    return result, tuple(operands)


@pytest.mark.sample(25)
@pytest.mark.parametrize("name", CASES)
def test_as_llvm_computes(name: str) -> None:
    _, operands = _parted(name)
    entry = f"k{list(CASES).index(name)}"
    data = numbers(np.random.default_rng(len(name)), operands)
    found, wanted = (executed(module, data, entry) for module in modules())
    if name.startswith("experimental.cttz") and operands[-1] == "i1 1":  # Nothing is promised where all are 0.
        defined = data[:, 0, : 8 * 3].any(axis=1)
        found, wanted = found[defined], wanted[defined]
    np.testing.assert_array_equal(found, wanted)


def _rows(data: np.ndarray[Any, Any], number: int, dtype: Any, count: int) -> np.ndarray[Any, Any]:
    size = np.dtype(dtype).itemsize * count
    return data[:, number, :size].copy().view(dtype)


def _last(data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    values, mask, other = _rows(data, 0, np.int32, 4), _rows(data, 1, np.uint8, 4) & 1, _rows(data, 2, np.int32, 1)
    places = [np.flatnonzero(row) for row in mask]
    rows = zip(values, places, other, strict=True)
    return np.array([[row[at[-1]] if at.size else spare[0]] for row, at, spare in rows], np.int32)


def _partial(data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    with np.errstate(over="ignore"):
        return _rows(data, 0, np.int32, 4) + _rows(data, 1, np.int32, 8).reshape(-1, 2, 4).sum(axis=1, dtype=np.int32)


def _woven(data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.stack([_rows(data, n, np.int32, 4) for n in range(3)], axis=-1).reshape(len(data), 12)


def _bit(data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return (_rows(data, 0, np.float32, 1) >= 1).astype(np.uint8)


MODELS: dict[str, tuple[tuple[str, ...], Callable[[Any], Any]]] = {
    "experimental.vector.extract.last.active.v4i32": (("i32", V4, M4, "i32"), _last),
    "vector.partial.reduce.add.v4i32.v8i32": ((V4, V4, V8), _partial),
    "fptoui.sat.i1.f32": (("i1", "float"), _bit),  # LLVM 22 gives the opposite.
    "vector.interleave3.v12i32": (("<12 x i32>", V4, V4, V4), _woven),
}


@pytest.mark.parametrize("name", MODELS)
def test_as_a_model_computes(name: str) -> None:
    (result, *operands), model = MODELS[name]
    data = numbers(np.random.default_rng(1), tuple(operands))
    wanted = model(data)
    found = executed(compiled(kernel(name, result, tuple(operands))), data)
    np.testing.assert_array_equal(found[:, : wanted.shape[1] * wanted.itemsize].copy().view(wanted.dtype), wanted)


def test_parts_of_floats() -> None:
    """`modf` and `sincospi`, by NumPy."""
    for name, model in {
        "modf": np.modf,
        "sincospi": lambda x: (np.sin(np.pi * x), np.cos(np.pi * x)),
    }.items():
        call = f"{{ float, float }} @llvm.{name}.f32(float %a0)"
        text = kernel("canonicalize.f32", "float", ("float",)).replace(
            "%r = call float @llvm.canonicalize.f32(float %a0)",
            f"%b = call {call}\n  %r = extractvalue {{ float, float }} %b, INDEX",
        )
        text = text.replace(
            "declare float @llvm.canonicalize.f32(float)", f"declare {{ float, float }} @llvm.{name}.f32(float)"
        )
        data = np.zeros((THREADS, 1, 64), np.uint8)
        values = np.random.default_rng(2).uniform(-4, 4, THREADS).astype(np.float32)
        data[:, 0, :4] = values.view(np.uint8).reshape(THREADS, 4)
        for index in range(2):
            found = executed(compiled(text.replace("INDEX", str(index))), data)[:, :4].copy().view(np.float32)[:, 0]
            np.testing.assert_allclose(found, model(values.astype(np.float64))[index], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "wanted"), [("add", [6, 3]), ("uadd.sat", [6, 3]), ("umax", [3, 3]), ("umin", [0, 0])]
)
def test_histogram(name: str, wanted: list[int]) -> None:
    """Elements of one thread with the same place are all counted."""
    text = """define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = load <4 x i32>, ptr addrspace(1) %in, align 16
  %p = getelementptr i32, ptr addrspace(1) %out, <4 x i32> %i
  call void @llvm.experimental.vector.histogram.NAME.v4p1.i32(<4 x ptr addrspace(1)> %p, i32 3, <4 x i1> <i1 1, i1 1, i1 0, i1 1>)
  ret void
}
"""
    out = np.zeros(8, np.int32)
    run(compiled(text.replace("NAME", name)), "k", 1, 1, [np.array([2, 5, 5, 2], np.int32), out])
    assert out.tolist() == [0, 0, wanted[0], 0, 0, wanted[1], 0, 0]


def test_histogram_saturates() -> None:
    """A count at its end stays there."""
    text = """define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %p = getelementptr i8, ptr addrspace(1) %out, <2 x i32> <i32 0, i32 1>
  call void @llvm.experimental.vector.histogram.uadd.sat.v2p1.i8(<2 x ptr addrspace(1)> %p, i8 100, <2 x i1> <i1 1, i1 1>)
  ret void
}
"""
    out = np.array([200, 100], np.uint8)
    run(compiled(text), "k", 1, 1, [np.zeros(4, np.int32), out])
    assert out.tolist() == [255, 200]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('"llvm.fshl.i32"(%i, %i) : (i32, i32) -> i32', "'llvm.fshl' takes 3 operands, got 2"),
        ('"llvm.nosuch.i32"(%i) : (i32) -> i32', "unknown intrinsic 'llvm.nosuch.i32'"),
        ('"llvm.abs.i32"(%i, %b) : (i32, i1) -> i32', "must be a constant"),
    ],
)
def test_refused(call: str, message: str) -> None:
    text = f"llvm.func @f(%i: i32, %b: i1) -> i32 {{\n  %r = llvm.call_intrinsic {call}\n  llvm.return %r : i32\n}}"
    with pytest.raises(WeftError, match=re.escape(message)):
        compile_module(parse_mlir(text), target=TARGET)
