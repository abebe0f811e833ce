"""Memory of a thread's own that is stored as one type and loaded as another, or copied in part: its bytes are what NumPy says.

Where the memory is values instead, they are converted; where it is not, it stays in memory.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import weft
from tests.effort import draws
from weft.codegen import compile_module
from weft.errors import CompileError

HEAD = "llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {\n"
TYPES: dict[int, dict[str, int]] = {
    1: {"i8": 8, "i1": 1, "i4": 4, "vector<8xi1>": 8, "vector<2xi4>": 8},
    2: {"i16": 16, "f16": 16, "bf16": 16, "i9": 9, "vector<2xi8>": 16, "vector<4xi4>": 16},
    4: {"i32": 32, "f32": 32, "i24": 24, "vector<2xf16>": 32, "vector<4xi8>": 32, "vector<8xi4>": 32, "!llvm.ptr<6>": 32},
    8: {"i64": 64, "f64": 64, "i40": 40, "!llvm.ptr": 64, "!llvm.ptr<1>": 64, "!llvm.ptr<3>": 32, "vector<2xi32>": 64,
        "vector<2xf32>": 64, "vector<4xi16>": 64, "!llvm.array<1 x i64>": 64},
    16: {"i128": 128, "vector<2xi64>": 128, "vector<4xf32>": 128, "vector<2x!llvm.ptr>": 128, "i100": 100},
}  # fmt: skip
"""Types by the bytes of memory that they take, and how many bits of these say something."""
SHORT = {"i24": 3, "i40": 5, "i100": 13}
"""Those of which fewer bytes are written than they take."""
PAIRS = [
    (size, a, b) for size, types in TYPES.items() for i, a in enumerate(types) for j, b in enumerate(types)
    if (i + j) % draws(4, 1) == 0 and SHORT.get(a, size) >= SHORT.get(b, size)
]  # fmt: skip


def words(size: int, bits: int) -> int:
    """A number of so many bits."""
    return 0x5A4D3C2B1A09F8E7D6C5B4A392817F01 & ((1 << min(bits, 8 * size)) - 1)


def test_every_type_is_seen_as_every_other_of_its_size() -> None:
    lines = ["%one = llvm.mlir.constant(1 : i32) : i32"]
    given, wanted = bytearray(), bytearray()
    for at, (size, stored, loaded) in enumerate(PAIRS):
        number = words(size, min(TYPES[size][stored], TYPES[size][loaded]))
        given += number.to_bytes(size, "little").ljust(16, b"\0")
        wanted += number.to_bytes(size, "little").ljust(16, b"\0")
        lines += [
            f"%p{at} = llvm.getelementptr %in[{16 * at}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8",
            f"%q{at} = llvm.getelementptr %out[{16 * at}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8",
            f"%x{at} = llvm.alloca %one x !llvm.array<16 x i8> {{alignment = 16 : i64}} : (i32) -> !llvm.ptr",
            f"%v{at} = llvm.load %p{at} {{alignment = 16 : i64}} : !llvm.ptr<1> -> {stored}",
            f"llvm.store %v{at}, %x{at} {{alignment = 16 : i64}} : {stored}, !llvm.ptr",
            f"%w{at} = llvm.load %x{at} {{alignment = 16 : i64}} : !llvm.ptr -> {loaded}",
            f"llvm.store %w{at}, %q{at} {{alignment = 16 : i64}} : {loaded}, !llvm.ptr<1>",
        ]
    out = np.zeros(len(wanted), np.uint8)
    module = compile_module(HEAD + "\n".join(lines) + "\nllvm.return }", "sm_100a")
    weft.run(module, "k", grid=1, block=1, args=[np.frombuffer(given, np.uint8), out])
    found = {pair: out[16 * at : 16 * at + 16].tobytes() for at, pair in enumerate(PAIRS)}
    assert found == {pair: bytes(wanted[16 * at : 16 * at + 16]) for at, pair in enumerate(PAIRS)}


TRUTHS = {
    "a truth, extended": ("llvm.zext %b : i1 to i8", [0, 1]),
    "a number of four bits, extended": ("llvm.zext %four : i4 to i8", [6, 9]),
    "one of two numbers": ("llvm.select %b, %seven, %six : i1, i8", [6, 7]),
    "nothing": ("llvm.mlir.constant(0 : i8) : i8", [0, 0]),
    "one": ("llvm.mlir.constant(1 : i8) : i8", [1, 1]),
    "two": ("llvm.mlir.constant(2 : i8) : i8", [2, 2]),
    "all ones": ("llvm.mlir.constant(-1 : i8) : i8", [255, 255]),
}
"""What is stored in a byte, and the numbers that it is where `%b` is false and true."""


@pytest.mark.parametrize("first", TRUTHS)
def test_a_byte_keeps_what_is_no_truth(first: str) -> None:
    """A byte that only ever is 0 or 1 may be a predicate; what else is stored there makes it a number."""
    lines = ["%one = llvm.mlir.constant(1 : i32) : i32", "%b = llvm.trunc %n : i32 to i1"]
    lines += ["%seven = llvm.mlir.constant(7 : i8) : i8", "%six = llvm.mlir.constant(6 : i8) : i8"]
    lines += ["%three = llvm.mlir.constant(3 : i32) : i32", "%m = llvm.mul %n, %three : i32"]
    lines += ["%o = llvm.add %m, %base : i32", "%four = llvm.trunc %o : i32 to i4"]
    lines = ["%base = llvm.mlir.constant(6 : i32) : i32", *lines, f"%v = {TRUTHS[first][0]}"]
    for at, (text, _) in enumerate(TRUTHS.values()):
        lines += [
            f"%x{at} = llvm.alloca %one x i8 : (i32) -> !llvm.ptr",
            f"%v{at} = {text}",
            f"llvm.store %v{at}, %x{at} : i8, !llvm.ptr",
            f"llvm.cond_br %b, ^b{at}, ^c{at}",
            f"^b{at}:",
            f"llvm.store %v, %x{at} : i8, !llvm.ptr",
            f"llvm.br ^c{at}",
            f"^c{at}:",
            f"%w{at} = llvm.load %x{at} : !llvm.ptr -> i8",
            f"%q{at} = llvm.getelementptr %out[{at}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8",
            f"llvm.store %w{at}, %q{at} : i8, !llvm.ptr<1>",
        ]
    head = "llvm.func @k(%n: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {\n"
    module = compile_module(head + "\n".join(lines) + "\nllvm.return }", "sm_80")
    assert ".local" not in module.to_ptx()
    for flag in (0, 1):
        out = np.zeros(len(TRUTHS), np.uint8)
        weft.run(module, "k", grid=1, block=1, args=[flag, out])
        assert out.tolist() == [(TRUTHS[first][1] if flag else kept)[flag] for _, kept in TRUTHS.values()]


def copied(type_: str, length: int, begin: int = 0, volatile: str = "false") -> tuple[bool, list[int]]:
    """Fill memory with the bytes 0, 1..., copy some of it to memory of zeros, and store that; whether it is memory at all."""
    size = max(int(n) for n in re.findall(r"array<(\d+) x", type_)) if "array" in type_ else 8
    width = 8 if "i64" in type_ else 16 if "i128" in type_ else 4 if "i32" in type_ else 1
    count = size if "array" in type_ else size // width
    number = f"i{8 * width}"
    lines = ["%one = llvm.mlir.constant(1 : i32) : i32", f"%length = llvm.mlir.constant({length} : i64) : i64"]
    lines += [f"%zero = llvm.mlir.zero : {number}"]
    lines += [f"%{name} = llvm.alloca %one x {type_} : (i32) -> !llvm.ptr" for name in "xy"]
    every = [f"[0, 0, {at}]" if "array" in type_ else f"[0, {at}]" for at in range(count)]
    for at, place in enumerate(every):
        lines += [
            f"%p{at} = llvm.getelementptr %in[{at}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, {number}",
            f"%v{at} = llvm.load %p{at} : !llvm.ptr<1> -> {number}",
            f"%x{at} = llvm.getelementptr %x{place} : (!llvm.ptr) -> !llvm.ptr, {type_}",
            f"%y{at} = llvm.getelementptr %y{place} : (!llvm.ptr) -> !llvm.ptr, {type_}",
            f"llvm.store %v{at}, %x{at} : {number}, !llvm.ptr",
            f"llvm.store %zero, %y{at} : {number}, !llvm.ptr",
        ]
    lines += [
        f"%from = llvm.getelementptr %x[{begin}] : (!llvm.ptr) -> !llvm.ptr, i8",
        f"%to = llvm.getelementptr %y[{begin}] : (!llvm.ptr) -> !llvm.ptr, i8",
        f'"llvm.intr.memcpy"(%to, %from, %length) <{{isVolatile = {volatile}}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()',
    ]
    for at in range(count):
        lines += [
            f"%w{at} = llvm.load %y{at} : !llvm.ptr -> {number}",
            f"%q{at} = llvm.getelementptr %out[{at}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, {number}",
            f"llvm.store %w{at}, %q{at} : {number}, !llvm.ptr<1>",
        ]
    module = compile_module(HEAD + "\n".join(lines) + "\nllvm.return }", "sm_80")
    given, out = (
        (np.arange(1, 1 + count * width, dtype=np.uint64) % 251).astype(np.uint8),
        np.zeros(count * width, np.uint8),
    )
    weft.run(module, "k", grid=1, block=1, args=[given, out])
    return ".local" not in module.to_ptx(), out.tolist()


@pytest.mark.parametrize(
    ("type_", "length", "begin", "volatile", "values"),
    [
        ("!llvm.struct<(array<32 x i64>)>", 256, 0, "false", True),
        ("!llvm.struct<(array<32 x i64>)>", 256, 0, "true", False),
        ("!llvm.struct<(array<32 x i64>)>", 8, 248, "false", True),
        ("!llvm.struct<(array<17 x i128>)>", 272, 0, "false", False),
        ("!llvm.struct<(array<33 x i8>)>", 33, 0, "false", False),
        ("!llvm.struct<(array<32 x i8>)>", 0, 0, "false", True),
        ("!llvm.struct<(array<32 x i8>)>", 1, 31, "false", True),
        ("!llvm.struct<(i32, i32)>", 8, 0, "false", True),
        ("!llvm.struct<(i32, i32)>", 6, 0, "false", False),
        ("!llvm.struct<(i32, i32)>", 6, 2, "false", False),
        ("!llvm.struct<(i32, i32)>", 2, 1, "false", False),
        ("!llvm.struct<(i32, i32)>", 4, 4, "false", True),
    ],
)  # fmt: skip
def test_copies_of_whole_members_are_values(type_: str, length: int, begin: int, volatile: str, values: bool) -> None:
    """Of few bytes and few members; all others copy memory."""
    total = {"i64": 8, "i128": 16, "i8": 1}
    element = re.search(r"array<(\d+) x (\w+)>", type_)
    size = int(element[1]) * total[element[2]] if element else 8
    wanted = [(1 + at) % 251 if begin <= at < begin + length else 0 for at in range(size)]
    assert copied(type_, length, begin, volatile) == (values, wanted)


@pytest.mark.parametrize(("parts", "values"), [(64, True), (65, False)])
def test_few_parts_of_memory_are_values(parts: int, values: bool) -> None:
    lines = [
        "%one = llvm.mlir.constant(1 : i32) : i32",
        f"%x = llvm.alloca %one x !llvm.array<{parts} x i32> : (i32) -> !llvm.ptr",
    ]
    for at in range(parts):
        lines += [
            f"%x{at} = llvm.getelementptr %x[{at}] : (!llvm.ptr) -> !llvm.ptr, i32",
            f"%v{at} = llvm.load %in : !llvm.ptr<1> -> i32",
            f"llvm.store %v{at}, %x{at} : i32, !llvm.ptr",
        ]
    lines.append("nvvm.barrier0")
    for at in range(parts):
        lines += [f"%w{at} = llvm.load %x{at} : !llvm.ptr -> i32", f"llvm.store %w{at}, %out : i32, !llvm.ptr<1>"]
    ptx = compile_module(HEAD + "\n".join(lines) + "\nllvm.return }", "sm_80").to_ptx()
    assert (".local" not in ptx) == values


@pytest.mark.parametrize(
    ("stated", "moves"), [("", "u8"), ("llvm.align = 2 : i64", "u16"), ("llvm.align = 4 : i64", "b32")]
)
def test_members_are_copied_by_what_is_said_of_their_alignment(stated: str, moves: str) -> None:
    """A load of four bytes is right only where they are known to be aligned."""
    text = f"""%one = llvm.mlir.constant(1 : i32) : i32
      %length = llvm.mlir.constant(8 : i64) : i64
      %x = llvm.alloca %one x !llvm.struct<(i32, i32)> : (i32) -> !llvm.ptr
      "llvm.intr.memcpy"(%x, %in, %length) <{{isVolatile = false, arg_attrs = [{{}}, {{{stated}}}, {{}}]}}> : (!llvm.ptr, !llvm.ptr<1>, i64) -> ()
      %y = llvm.getelementptr %x[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i32)>
      %v = llvm.load %y : !llvm.ptr -> i32
      llvm.store %v, %out : i32, !llvm.ptr<1>
      llvm.return }}"""
    module = compile_module(HEAD + text, "sm_80")
    assert set(re.findall(r"ld\.global\.(\w+)", module.to_ptx())) == {moves}
    out = np.zeros(1, np.uint32)
    weft.run(module, "k", grid=1, block=1, args=[np.array([1, 0x12345678], np.uint32), out])
    assert out.tolist() == [0x12345678]


def test_jumps_that_pass_nothing_on_are_refused_as_ever() -> None:
    text = """%one = llvm.mlir.constant(1 : i32) : i32
      %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
      llvm.store %one, %x : i32, !llvm.ptr
      %n = llvm.load %in : !llvm.ptr<1> -> i32
      %b = llvm.trunc %n : i32 to i1
      llvm.cond_br %b, ^c, ^a
    ^c:
      %two = llvm.mlir.constant(2 : i32) : i32
      llvm.store %two, %x : i32, !llvm.ptr
      %t = llvm.addrspacecast %out : !llvm.ptr<1> to !llvm.ptr
      llvm.indirectbr %t : !llvm.ptr, [^a]
    ^a:
      %v = llvm.load %x : !llvm.ptr -> i32
      llvm.store %v, %out : i32, !llvm.ptr<1>
      llvm.return }"""
    with pytest.raises(CompileError, match="weft cannot lower this terminator") as refused:
        compile_module(HEAD + text, "sm_80")
    assert "<mlir>:12:" in str(refused.value)


def test_branches_inside_of_blocks_that_jump_store_and_load() -> None:
    """Bit by bit of a number: one variable counts the ones by an `scf.if` that only loads what it stores, another one their runs."""
    text = """gpu.module @m { gpu.func @k(%n: i32, %out: memref<3xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %ones = memref.alloca() : memref<i32>
      %runs = memref.alloca() : memref<i32>
      %inside = memref.alloca() : memref<i32>
      %left = memref.alloca() : memref<i32>
      memref.store %zero, %ones[] : memref<i32>
      memref.store %zero, %runs[] : memref<i32>
      memref.store %zero, %inside[] : memref<i32>
      memref.store %n, %left[] : memref<i32>
      cf.br ^head
    ^head:
      %l = memref.load %left[] : memref<i32>
      %more = arith.cmpi ne, %l, %zero : i32
      cf.cond_br %more, ^body, ^end
    ^body:
      %bit = arith.trunci %l : i32 to i1
      scf.if %bit {
        %a = memref.load %ones[] : memref<i32>
        %b = arith.addi %a, %one : i32
        memref.store %b, %ones[] : memref<i32>
        %i = memref.load %inside[] : memref<i32>
        %new = arith.cmpi eq, %i, %zero : i32
        scf.if %new {
          %r = memref.load %runs[] : memref<i32>
          %s = arith.addi %r, %one : i32
          memref.store %s, %runs[] : memref<i32>
        }
        memref.store %one, %inside[] : memref<i32>
      } else {
        memref.store %zero, %inside[] : memref<i32>
      }
      %h = arith.shrui %l, %one : i32
      memref.store %h, %left[] : memref<i32>
      cf.br ^head
    ^end:
      %x = memref.load %ones[] : memref<i32>
      %y = memref.load %runs[] : memref<i32>
      %z = memref.load %inside[] : memref<i32>
      memref.store %x, %out[%c0] : memref<3xi32>
      memref.store %y, %out[%c1] : memref<3xi32>
      memref.store %z, %out[%c2] : memref<3xi32>
      gpu.return } }"""
    module = compile_module(text, "sm_80")
    assert ".local" not in module.to_ptx()
    for number in (0, 1, 0b1011, 0xF0F0, 0x80000000, 0x7FFFFFFF):
        out = np.zeros(3, np.int32)
        weft.run(module, "k", grid=1, block=1, args=[number, out, out, 0, 3, 1])
        runs = len(re.findall("1+", f"{number:b}"))
        assert out.tolist() == [number.bit_count(), runs, int(number > 0)]
