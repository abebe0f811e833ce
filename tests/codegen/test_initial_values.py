"""The initial bytes of variables, numbers and addresses of others: as LLVM lays them out."""

from __future__ import annotations

import re
from functools import cache
from math import prod
from typing import Any

import numpy as np
import pytest

import weft
from tests.codegen.oracle import llvm_ptx
from tests.codegen.test_linkage import users
from weft.ptx.addresses import AddressByte, GenericAddress
from weft.ptx.ast import Module, Variable
from weft.ptx.operands import Float, Integer, Symbol
from weft.ptx.values import ValueList

NUMBERS = {
    "i8": ("0", "1", "-1", "-128", "127"),
    "i16": ("258", "-2"),
    "i32": ("16909060", "-2", "-2147483648"),
    "i64": ("72623859790382856", "-3"),
    "i128": ("1", "-2", "1339673755198158349044581307228491536"),
    "f32": ("0.0", "-0.0", "1.5", "0x7FC00000", "3.4e38"),
    "f64": ("1.5", "-0.0", "1.0e300"),
    "!llvm.array<4 x i8>": ("dense<[1, 2, 3, -4]> : tensor<4xi8>", "dense<7> : tensor<4xi8>"),
    "!llvm.array<3 x i16>": ("dense<[1, -2, 3]> : tensor<3xi16>",),
    "!llvm.array<2 x i64>": ("dense<[1, -2]> : tensor<2xi64>",),
    "!llvm.array<2 x i128>": ("dense<[1, -2]> : tensor<2xi128>",),
    "!llvm.array<2 x f16>": ("dense<[1.0, -2.0]> : tensor<2xf16>",),
    "!llvm.array<3 x f64>": ("dense<[1.0, -2.0, 0.0]> : tensor<3xf64>",),
    "!llvm.array<2 x array<2 x i32>>": ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", "dense<9> : tensor<2x2xi32>"),
    "!llvm.array<3 x i1>": ("dense<[true, false, true]> : tensor<3xi1>",),
    "!llvm.array<6 x i8>": ('"hi\\0Ayou"',),
    "vector<4xi8>": ("dense<[1, 2, 3, -4]> : vector<4xi8>",),
    "vector<3xi32>": ("dense<[1, 2, 3]> : vector<3xi32>",),
    "vector<2xf16>": ("dense<[1.0, -2.0]> : vector<2xf16>",),
    "vector<4xf32>": ("dense<1.5> : vector<4xf32>",),
    "vector<8xi1>": ("dense<[true, false, true, true, false, false, false, true]> : vector<8xi1>",),
    "vector<8xi4>": ("dense<[1, -2, 3, 4, 5, 6, 7, -8]> : vector<8xi4>", "dense<-2> : vector<8xi4>"),
    "vector<16xi4>": ("dense<[1, -2, 3, 4, 5, 6, 7, -8, 0, 1, 2, 3, 4, 5, 6, 7]> : vector<16xi4>",),
    "vector<2xi128>": ("dense<36893488147419103235> : vector<2xi128>", "dense<[1, -2]> : vector<2xi128>"),
    "!llvm.struct<(i32, f32)>": ("[7 : i32, 1.5 : f32]",),
    "!llvm.struct<(i8, i64, i16)>": ("[1 : i8, -2 : i64, 3 : i16]",),
    "!llvm.struct<packed (i8, i64, i16)>": ("[1 : i8, -2 : i64, 3 : i16]",),
    "!llvm.array<2 x struct<(i8, f64)>>": ("[[1 : i8, 1.5 : f64], [2 : i8, 2.5 : f64]]",),
}
"""Values by their types."""

_NESTED = "!llvm.struct<(ptr, struct<(ptr, ptr)>, ptr)>"


def _inserted(type_: str, *puts: tuple[str, str]) -> str:
    """A region that puts pointers into a structure, one after the other: some take the place of others."""
    lines = [
        "%near = llvm.mlir.addressof @near : !llvm.ptr",
        "%r = llvm.mlir.addressof @far : !llvm.ptr<1>",
        "%far = llvm.addrspacecast %r : !llvm.ptr<1> to !llvm.ptr",
        "%none = llvm.mlir.zero : !llvm.ptr",
        "%u = llvm.mlir.zero : !llvm.struct<(ptr, ptr)>",
        "%half = llvm.insertvalue %near, %u[0] : !llvm.struct<(ptr, ptr)>",
        "%pair = llvm.insertvalue %far, %half[1] : !llvm.struct<(ptr, ptr)>",
        f"%s0 = llvm.mlir.zero : {type_}",
    ]
    for count, (what, place) in enumerate(puts):
        lines.append(f"%s{count + 1} = llvm.insertvalue %{what}, %s{count}[{place}] : {type_}")
    return "\n".join([*lines, f"llvm.return %s{len(puts)} : {type_}"])


COMPUTED = {
    "!llvm.ptr": (
        "%r = llvm.mlir.addressof @far : !llvm.ptr<1>\n%c = llvm.addrspacecast %r : !llvm.ptr<1> to !llvm.ptr\nllvm.return %c : !llvm.ptr",
        "%r = llvm.mlir.addressof @near : !llvm.ptr\nllvm.return %r : !llvm.ptr",
        "%r = llvm.mlir.addressof @near : !llvm.ptr\n%s = llvm.getelementptr %r[3] : (!llvm.ptr) -> !llvm.ptr, i32\nllvm.return %s : !llvm.ptr",
        "%r = llvm.mlir.addressof @near : !llvm.ptr\n%n = llvm.mlir.constant(-2 : i32) : i32\n%s = llvm.getelementptr %r[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i64\nllvm.return %s : !llvm.ptr",
        "%r = llvm.mlir.addressof @near : !llvm.ptr\n%s = llvm.getelementptr %r[1, 1, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, array<4 x i16>)>\nllvm.return %s : !llvm.ptr",
        "%r = llvm.mlir.addressof @near : !llvm.ptr\n%s = llvm.getelementptr %r[0, 1, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x vector<4xi32>>\nllvm.return %s : !llvm.ptr",
        "%r = llvm.mlir.addressof @f : !llvm.ptr\nllvm.return %r : !llvm.ptr",
        "%r = llvm.mlir.zero : !llvm.ptr\nllvm.return %r : !llvm.ptr",
        "%r = llvm.mlir.zero : !llvm.ptr<1>\n%c = llvm.addrspacecast %r : !llvm.ptr<1> to !llvm.ptr\nllvm.return %c : !llvm.ptr",
        "%r = llvm.mlir.zero : !llvm.ptr\n%s = llvm.getelementptr %r[3] : (!llvm.ptr) -> !llvm.ptr, i32\n%t = llvm.getelementptr %s[1] : (!llvm.ptr) -> !llvm.ptr, i16\nllvm.return %t : !llvm.ptr",
        "%r = llvm.mlir.zero : !llvm.ptr\n%s = llvm.getelementptr %r[-1] : (!llvm.ptr) -> !llvm.ptr, i32\nllvm.return %s : !llvm.ptr",
    ),
    "!llvm.ptr<1>": (
        "%r = llvm.mlir.addressof @near : !llvm.ptr\n%c = llvm.addrspacecast %r : !llvm.ptr to !llvm.ptr<1>\nllvm.return %c : !llvm.ptr<1>",
        "%r = llvm.mlir.addressof @far : !llvm.ptr<1>\n%c = llvm.addrspacecast %r : !llvm.ptr<1> to !llvm.ptr\n%d = llvm.addrspacecast %c : !llvm.ptr to !llvm.ptr<1>\nllvm.return %d : !llvm.ptr<1>",
        "%r = llvm.mlir.addressof @far : !llvm.ptr<1>\nllvm.return %r : !llvm.ptr<1>",
        "%r = llvm.mlir.addressof @far : !llvm.ptr<1>\n%s = llvm.getelementptr %r[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\nllvm.return %s : !llvm.ptr<1>",
    ),
    "!llvm.struct<(i32, ptr, i8)>": (
        (
            "%u = llvm.mlir.undef : !llvm.struct<(i32, ptr, i8)>\n%n = llvm.mlir.constant(5 : i32) : i32\n%b = llvm.mlir.constant(-1 : i8) : i8\n"
            "%r = llvm.mlir.addressof @near : !llvm.ptr\n%x = llvm.insertvalue %n, %u[0] : !llvm.struct<(i32, ptr, i8)>\n"
            "%y = llvm.insertvalue %r, %x[1] : !llvm.struct<(i32, ptr, i8)>\n%z = llvm.insertvalue %b, %y[2] : !llvm.struct<(i32, ptr, i8)>\n"
            "llvm.return %z : !llvm.struct<(i32, ptr, i8)>"
        ),
    ),
    "!llvm.struct<packed (i16, ptr, i8)>": (
        (
            "%u = llvm.mlir.zero : !llvm.struct<packed (i16, ptr, i8)>\n%n = llvm.mlir.constant(772 : i16) : i16\n"
            "%r = llvm.mlir.addressof @near : !llvm.ptr\n%x = llvm.insertvalue %n, %u[0] : !llvm.struct<packed (i16, ptr, i8)>\n"
            "%y = llvm.insertvalue %r, %x[1] : !llvm.struct<packed (i16, ptr, i8)>\nllvm.return %y : !llvm.struct<packed (i16, ptr, i8)>"
        ),
    ),
    "!llvm.array<2 x struct<(ptr, i64)>>": (
        (
            "%u = llvm.mlir.zero : !llvm.array<2 x struct<(ptr, i64)>>\n%n = llvm.mlir.constant(772 : i64) : i64\n"
            "%r = llvm.mlir.addressof @near : !llvm.ptr\n%x = llvm.insertvalue %n, %u[1, 1] : !llvm.array<2 x struct<(ptr, i64)>>\n"
            "%y = llvm.insertvalue %r, %x[1, 0] : !llvm.array<2 x struct<(ptr, i64)>>\nllvm.return %y : !llvm.array<2 x struct<(ptr, i64)>>"
        ),
    ),
    "!llvm.struct<(ptr, struct<(ptr, ptr)>, ptr)>": (
        _inserted(_NESTED, ("near", "2"), ("far", "1, 1"), ("near", "1, 0"), ("far", "0")),
        _inserted(_NESTED, *(("near", place) for place in ("0", "1, 0", "1, 1", "2")), ("none", "1, 0")),
        _inserted(_NESTED, ("near", "0"), ("near", "2"), ("pair", "1"), ("far", "1, 1"), ("none", "2")),
    ),
    "!llvm.struct<packed (ptr, i8)>": (_inserted("!llvm.struct<packed (ptr, i8)>", ("near", "0")),),
}
"""What the regions of variables compute, by their types."""


def globals_() -> str:
    """All of them, in global and constant memory, some with an alignment of their own."""
    lines = [
        "llvm.mlir.global external @near(dense<1> : tensor<16xi32>) : !llvm.array<16 x i32>",
        "llvm.mlir.global external @far(dense<1> : tensor<16xi32>) {addr_space = 1 : i32} : !llvm.array<16 x i32>",
        "llvm.func @f() { llvm.return }",
    ]
    used = [("near", 0), ("far", 1)]
    for place, (type_, value) in enumerate((t, v) for t, values in NUMBERS.items() for v in values):
        space = (1, 4)[place % 2]
        aligned = ", alignment = 32 : i64" if place % 5 == 0 else ""
        typed = value if type_[0] in "!v" else f"{value} : {type_}"
        lines.append(f"llvm.mlir.global external @v{place}({typed}) {{addr_space = {space} : i32{aligned}}} : {type_}")
        used.append((f"v{place}", space))
    for place, (type_, region) in enumerate((t, v) for t, values in COMPUTED.items() for v in values):
        lines.append(f"llvm.mlir.global external @c{place}() {{addr_space = 1 : i32}} : {type_} {{\n{region}\n}}")
        used.append((f"c{place}", 1))
    return "\n".join(lines) + "\n" + users(used)


def image(variable: Variable) -> list[Any]:
    """The bytes of a variable, each a number, or an address and which of its bytes; zero where nothing is said."""
    size = int(variable.type.lstrip("bufs")) // 8
    found: list[Any] = [0] * (size * prod(variable.dims))
    start: Any = variable.initializer
    values = list(start.leaves()) if isinstance(start, ValueList) else [start] if start is not None else []
    for place, value in enumerate(values):
        found[place * size : (place + 1) * size] = _bytes(value, size)
    return found


def _bytes(value: Any, size: int) -> list[Any]:
    match value:
        case Integer():
            return list((value.value & (1 << 8 * size) - 1).to_bytes(size, "little"))
        case Float():
            return list(int(value.text[2:], 16).to_bytes(size, "little"))
        case AddressByte():
            return [(_address(value.address), (value.mask.value.bit_length() - 1) // 8)]
        case _:
            return [(_address(value), byte) for byte in range(size)]


def _address(value: Any) -> tuple[str, int, bool]:
    symbol: Symbol = value.symbol if isinstance(value, GenericAddress) else value
    return symbol.name, symbol.offset, isinstance(value, GenericAddress)


def images(module: Module) -> dict[str, tuple[str, int, list[Any]]]:
    """The space, the alignment and the bytes of all variables."""
    return {v.name: (v.space, v.align or 1, image(v)) for v in module.variables}


@cache
def ours() -> dict[str, tuple[str, int, list[Any]]]:
    """Those that weft makes of all of them."""
    return images(weft.compile(globals_(), "sm_90a"))


def test_variables_begin_as_with_llvm() -> None:
    """LLVM aligns structures to more than it must, does not write the padding of a vector, and of elements of less than a byte
    writes each as a byte, as many as there is room for.
    """
    text = globals_()
    written = llvm_ptx(text, "sm_90a", "86").replace(")-", ")+-")  # Behind `generic` ptxas takes no minus.
    theirs = images(weft.parse(written))
    assert len(theirs) > 50
    structures = {
        line.split("@")[1].split("(")[0] for line in text.splitlines() if "@" in line and ": !llvm.struct<" in line
    }
    split = {line.split("@")[1].split("(")[0] for line in text.splitlines() if line.endswith(("xi1>", "xi4>"))}
    for name, (space, alignment, data) in theirs.items():
        if name in split:
            continue
        mine = ours()[name]
        assert (mine[0], mine[2][: len(data)]) == (space, data), name
        assert not any(mine[2][len(data) :])
        assert alignment % mine[1] == 0 if name in structures else mine[1] == alignment, name


HALVES = {
    "1.5 : f16": 0x3E00, "-0.0 : f16": 0x8000, "0x7C00 : f16": 0x7C00, "1.5 : bf16": 0x3FC0, "0x7FC0 : bf16": 0x7FC0,
    "0.0 : f16": 0,
}  # fmt: skip
"""Halves and their bits; LLVM writes them as doubles."""


def test_halves_begin_with_their_bits() -> None:
    lines = [
        f"llvm.mlir.global external @h{place}({text}) : {text[-4:].strip(' :')}" for place, text in enumerate(HALVES)
    ]
    found = images(weft.compile("\n".join(lines), "sm_80"))
    assert [int.from_bytes(data, "little") for _, _, data in found.values()] == list(HALVES.values())
    assert {v.type for v in weft.compile("\n".join(lines), "sm_80").variables} == {"b16"}


_MEMREFS = {
    "4xi8": ("[1, 2, 3, -4]", np.int8), "2xi16": ("[1, -2]", np.int16), "2x2xi32": ("[[1, 2], [3, 4]]", np.int32),
    "2xi64": ("[1, -2]", np.int64), "3xindex": ("[1, -2, 3]", np.int64), "2xf16": ("[1.0, -2.0]", np.float16),
    "2xf32": ("[1.5, -0.0]", np.float32), "2xf64": ("[1.5, -0.0]", np.float64), "3xi1": ("[true, false, true]", np.int8),
    "2xcomplex<f32>": ("[(1.0, 2.0), (3.0, -4.0)]", np.float32), "2xcomplex<i32>": ("[(1, 2), (3, -4)]", np.int32),
    "2xcomplex<f64>": ("[(1.0, -0.5), (0.0, 2.0)]", np.float64),
}  # fmt: skip


@pytest.mark.parametrize("splat", [False, True], ids=["each", "all alike"])
def test_globals_of_memrefs_begin_as_numpy_lays_them_out(splat: bool) -> None:
    lines: list[str] = []
    wanted: dict[str, list[int]] = {}
    for place, (type_, (value, dtype)) in enumerate(_MEMREFS.items()):
        numbers = np.array(eval(value, {"true": 1, "false": 0})).astype(dtype)
        if splat:
            (first, *_), count = re.findall(r"\(.*?\)|[^,\[\]]+", value), prod(map(int, re.findall(r"(\d+)x", type_)))
            value, numbers = first, np.tile(numbers.reshape(count, -1)[0], count)
        lines.append(f"memref.global @g{place} : memref<{type_}> = dense<{value}>")
        wanted[f"g{place}"] = list(numbers.tobytes())
    found = images(weft.compile("gpu.module @m {\n" + "\n".join(lines) + "\n}", "sm_80"))
    assert {name: data for name, (_, _, data) in found.items()} == wanted


def test_constants_in_code_are_those_of_variables() -> None:
    """What a kernel stores of a constant are the bytes that a variable of it begins with."""
    found = ours()
    numbered = enumerate((type_, value) for type_, values in NUMBERS.items() for value in values)
    every = {place: case for place, case in numbered if case[0] != "!llvm.array<2 x i128>"}  # Dense ones are refused.
    lines: list[str] = []
    for place, (type_, value) in every.items():
        typed = value if type_[0] in "!v" else f"{value} : {type_}"
        lines.append(
            f"llvm.func @k{place}(%p: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{\n"
            f"%c = llvm.mlir.constant({typed}) : {type_}\n"
            f"llvm.store %c, %p {{alignment = 16 : i64}} : {type_}, !llvm.ptr<1>\nllvm.return }}"
        )
    module = weft.compile("\n".join(lines), "sm_90a")
    for place, (type_, value) in every.items():
        wanted = found[f"v{place}"][2]
        data = np.full(48, 0x55, np.uint8)
        weft.run(module, f"k{place}", grid=(1,), block=(1,), args=[data], check="fast")
        defined = [number for at, number in enumerate(data.tolist()) if at < len(wanted) and not _is_padding(type_, at)]
        assert defined == [number for at, number in enumerate(wanted) if not _is_padding(type_, at)], (type_, value)
        assert data[len(wanted) :].tolist() == [0x55] * (48 - len(wanted))


def _is_padding(type_: str, at: int) -> bool:
    """Whether a byte lies between the members of a structure, or behind a vector of three."""
    if type_ == "!llvm.struct<(i8, i64, i16)>":
        return 1 <= at < 8 or at >= 18
    if "struct<(i8, f64)>" in type_:
        return 1 <= at % 16 < 8
    return type_ == "vector<3xi32>" and at >= 12
