"""How many copies loops get of what they repeat: up to which sizes, and for which arrays of a thread's own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

import weft


def _kernel(body: str, arguments: str = "") -> str:
    numbers = "\n".join(f"%{n} = arith.constant {n} : index" for n in (0, 1, 2, 3, 4, 8, 16, 17))
    return f"""gpu.module @m {{ gpu.func @k(%out: memref<?xf32>, %x: f32, %n: index{arguments}) kernel {{
      {numbers}
      %t = gpu.thread_id x
      {body}
      gpu.return }} }}"""


def _chain(count: int, start: str, name: str = "y") -> tuple[str, str]:
    """So many multiplications in a row, and what they give."""
    names = [start, *(f"%{name}{at}" for at in range(count))]
    lines = [f"{made} = arith.mulf {held}, %x : f32" for held, made in pairwise(names)]
    return "\n".join(lines), names[-1]


def _loop(trips: int | None, size: int, step: int = 1, extra: str = "", first: int = 0, taken: int = 0) -> str:
    """A loop whose turns store one number, each in a place far from others, by so many operations (`taken` in extra)."""
    chain, last = _chain(size - 2 - taken, "%x")
    end = "%n" if trips is None else "%end"
    return f"""%end = arith.constant {first + (trips or 0) * step} : index
      %first = arith.constant {first} : index
      %step = arith.constant {step} : index
      scf.for %j = %first to {end} step %step {{
        {extra}
        {chain}
        %place = arith.muli %j, %8 : index
        memref.store {last}, %out[%place] : memref<?xf32>
      }}"""


def _copies(body: str, arguments: str = "") -> int:
    return weft.compile(_kernel(body, arguments), "sm_80").to_ptx().count("st.global.b32")


EXP = "%e = math.exp %x : f32"
TWO = f"{EXP}\n%f = math.exp2 %x : f32"
INNER = """%i = scf.for %k = %0 to %{} step %1 iter_args(%z = %x) -> f32 {{
  %q = arith.addf %z, %x : f32
  %r = arith.mulf %q, %q : f32
  scf.yield %r : f32
}}"""


def _sizes() -> Iterator[tuple[str, int]]:
    """Loops, and how often what they repeat is in the code; a loop of several turns at once has another for the rest."""
    # A loop of few turns is unrolled, up to 16 of them and 400 operations, the jump back among them.
    yield _loop(16, 4), 16
    yield _loop(17, 4), 1
    yield _loop(16, 24), 16
    yield _loop(3, 132), 3
    yield _loop(3, 133), 1
    # One that turns as often as is not known makes four turns at once where they take at most 16 operations.
    yield _loop(None, 16), 5
    yield _loop(None, 17), 1
    yield _loop(None, 4, step=2), 1
    # Where the count is known, ptxas copies up to 2000 operations by itself.
    yield _loop(125, 16), 1
    yield _loop(251, 8), 5
    yield _loop(252, 8), 4
    yield _loop(252, 8, step=3), 4
    # A step of 0 is no count: such a loop never ends.
    yield _loop(None, 4, step=0), 1
    yield f"%far = arith.constant 9 : index\n{_loop(None, 4, step=0)}".replace("to %n", "to %far"), 1
    # An elementary function counts as 8; two turns at once up to 40 operations, but a short turn with one makes four.
    yield _loop(None, 12, extra=EXP, taken=8), 5
    yield _loop(None, 13, extra=EXP, taken=8), 3
    yield _loop(None, 40, extra=EXP, taken=8), 3
    yield _loop(252, 40, extra=EXP, taken=8), 2
    yield _loop(253, 40, extra=EXP, taken=8), 3
    yield _loop(None, 41, extra=EXP, taken=8), 1
    yield _loop(None, 18, extra=TWO, taken=16), 3
    # Around loops that are copied whole, of 3 operations each turn: two turns at once from 17 to 72 operations.
    yield _loop(None, 16, extra=INNER.format(4), taken=12), 5
    yield _loop(None, 17, extra=INNER.format(4), taken=12), 3
    yield _loop(None, 72, extra=INNER.format(16), taken=48), 3
    yield _loop(None, 73, extra=INNER.format(16), taken=48), 1
    yield _loop(None, 20, extra=INNER.format(17), taken=12), 1
    yield _loop(None, 20, extra=INNER.format(2), taken=6), 3
    # Where a loop of a known count asks for the low bits of its counter: up to four turns, and 100 operations.
    for mask, copies in ((1, 2), (3, 4)):
        mod = f"%b = arith.constant {mask} : index\n%m = arith.andi %j, %b : index\ngpu.barrier"
        yield _loop(20, 24, extra=mod, taken=2), copies
        yield _loop(20, 25, extra=mod, taken=2), 1 if mask == 3 else 2
        yield _loop(18, 10, extra=mod, taken=2), 2
        yield _loop(19, 10, extra=mod, taken=2), 1
        yield _loop(20, 10, first=2, extra=mod, taken=2), 2
        yield _loop(20, 10, step=2, extra=mod, taken=2), copies // 2


@pytest.mark.sample(24)
@pytest.mark.parametrize(("text", "copies"), [*_sizes()])
def test_sizes_of_loops(text: str, copies: int) -> None:
    assert _copies(text) == copies


ARRAY = "%own = memref.alloca() : memref<64xf32>"
POINTER = "%c64 = arith.constant 64 : i32\n%own = llvm.alloca %c64 x f32 : (i32) -> !llvm.ptr"
NUMBER = "%w = arith.index_cast %j : index to i64\n"
AT = "%p = llvm.getelementptr %own[%w] : (!llvm.ptr, i64) -> !llvm.ptr, f32\n"
STORED = "llvm.store %x, %p : f32, !llvm.ptr"
HELD = "memref.store %x, %own[%j] : memref<64xf32>"


def _arrays() -> Iterator[tuple[str, str, bool]]:
    """What makes an array, what a turn does to it, and whether the turns are copied then."""
    # Up to 256 bytes, whatever they are.
    yield ARRAY, HELD, True
    for count, element, own in ((65, "f32", False), (32, "f64", True), (33, "f64", False), (256, "i8", True)):
        value = {"f32": "%x", "f64": "%x64", "i8": "%x8"}[element]
        made = "%x64 = arith.extf %x : f32 to f64\n%x8 = arith.fptosi %x : f32 to i8\n"
        type_ = f"memref<{count}x{element}>"
        yield f"{made}%own = memref.alloca() : {type_}", f"memref.store {value}, %own[%j] : {type_}", own
        pointer = f"%c = arith.constant {count} : i32\n%own = llvm.alloca %c x {element} : (i32) -> !llvm.ptr"
        at = NUMBER + AT.replace("f32", element)
        yield f"{made}{pointer}", f"{at}llvm.store {value}, %p : {element}, !llvm.ptr", own
    yield (
        "%c = arith.constant 3 : i32\n%own = llvm.alloca %c x !llvm.array<16 x f32> : (i32) -> !llvm.ptr",
        (NUMBER + AT + STORED),
        True,
    )
    yield (
        "%c = arith.constant 5 : i32\n%own = llvm.alloca %c x !llvm.array<16 x f32> : (i32) -> !llvm.ptr",
        (NUMBER + AT + STORED),
        False,
    )
    yield (
        "%c = arith.index_cast %n : index to i32\n%own = llvm.alloca %c x f32 : (i32) -> !llvm.ptr",
        (NUMBER + AT + STORED),
        False,
    )
    # At places that are made of counters and numbers.
    for place, own in (
        ("%p = arith.addi %j, %1 : index", True),
        ("%p = arith.addi %j, %t : index", False),
        ("%q = arith.muli %j, %2 : index\n%p = arith.subi %q, %0 : index", True),
        ("%q = arith.cmpi slt, %j, %2 : index\n%p = arith.select %q, %j, %2 : index", True),
        ("%q = arith.cmpi slt, %j, %n : index\n%p = arith.select %q, %j, %2 : index", False),
        ("%p = arith.remui %j, %3 : index", True),
        ("%p = arith.addi %n, %0 : index", False),
    ):
        yield ARRAY, f"{place}\nmemref.store %x, %own[%p] : memref<64xf32>", own
        cast = "%w = arith.index_cast %p : index to i64\n"
        yield POINTER, f"{place}\n{cast}{AT.replace('%p', '%z')}{STORED.replace('%p', '%z')}", own
    # Pointers that other pointers are made of, and all that uses them.
    more = "%z = llvm.getelementptr %p[%{}] : (!llvm.ptr, i64) -> !llvm.ptr, f32\nllvm.store %x, %z : f32, !llvm.ptr"
    wide = "%n64 = arith.index_cast %n : index to i64\n"
    yield POINTER, NUMBER + AT + more.format("w"), True
    yield POINTER, NUMBER + wide + AT + more.format("n64"), False
    space = "%own1 = llvm.addrspacecast %own : !llvm.ptr to !llvm.ptr<5>"
    to = (
        NUMBER
        + AT.replace("%own", "%own1").replace("llvm.ptr", "llvm.ptr<5>")
        + STORED.replace("llvm.ptr", "llvm.ptr<5>")
    )
    yield f"{POINTER}\n{space}", to, True
    zeros = "%zero = arith.constant 0 : i8\n%all = arith.constant 256 : i64\n"
    clear = '"llvm.intr.memset"(%own, %zero, %all) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()'
    yield f"{POINTER}\n{zeros}{clear}", NUMBER + AT + STORED, True
    yield f"{POINTER}\nllvm.store %own, %keep : !llvm.ptr, !llvm.ptr", NUMBER + AT + STORED, False
    yield f"{POINTER}\n%number = llvm.ptrtoint %own : !llvm.ptr to i64", NUMBER + AT + STORED, False
    yield f"{ARRAY}\n%cast = memref.cast %own : memref<64xf32> to memref<?xf32>", HELD, False
    yield f"{ARRAY}\n%x0 = memref.load %own[%n] : memref<64xf32>", HELD, False
    # In loops: those around that are copied as well, and those whose turns are not known.
    yield (
        "%m = gpu.block_id x\n%own = memref.alloca() : memref<64xf32>",
        (
            "scf.for %k = %0 to %4 step %1 { %q = arith.addi %j, %k : index\nmemref.store %x, %own[%q] : memref<64xf32> }"
        ),
        True,
    )
    yield (
        ARRAY,
        (
            "scf.for %k = %j to %4 step %1 { %q = arith.addi %j, %k : index\nmemref.store %x, %own[%q] : memref<64xf32> }"
        ),
        True,
    )
    yield ARRAY, "scf.for %k = %0 to %2 step %1 { memref.store %x, %own[%k] : memref<64xf32> }", True
    for low, high, own in ((0, 4, True), (0, "n", False)):
        loop = f"""%i:2 = scf.while (%k = %{low}, %z = %x) : (index, f32) -> (index, f32) {{
          %go = arith.cmpi slt, %k, %{high} : index
          scf.condition(%go) %k, %z : index, f32
        }} do {{
        ^bb0(%k: index, %z: f32):
          memref.store %z, %own[%k] : memref<64xf32>
          %next = arith.addi %k, %1 : index
          scf.yield %next, %z : index, f32
        }}"""
        yield ARRAY, loop, own
    yield ARRAY, "scf.for %k = %0 to %17 step %1 { memref.store %x, %own[%k] : memref<64xf32> }", False
    yield ARRAY, "scf.for %k = %0 to %n step %1 { memref.store %x, %own[%k] : memref<64xf32> }", False
    yield (
        ARRAY,
        (
            "%i = scf.for %k = %0 to %4 step %1 iter_args(%z = %0) -> index { memref.store %x, %own[%z] : memref<64xf32>\n"
            "%q = arith.addi %z, %1 : index\nscf.yield %q : index }"
        ),
        False,
    )


@pytest.mark.sample(16)
@pytest.mark.parametrize(("made", "used", "copied"), [*_arrays()])
def test_turns_that_make_registers_of_an_array(made: str, used: str, copied: bool) -> None:
    """More than 400 operations are copied only if that leaves the array with places that are numbers."""
    assert _copies(f"{made}\n{_loop(6, 100, extra=used)}", ", %keep: !llvm.ptr") == (6 if copied else 1)


@pytest.mark.parametrize(("trips", "size", "copies"), [(16, 98, 16), (16, 99, 1)])
def test_most_operations_for_an_array(trips: int, size: int, copies: int) -> None:
    assert _copies(f"{ARRAY}\n{_loop(trips, size, extra=HELD)}") == copies


@pytest.mark.parametrize(("size", "alone"), [(12, 0), (13, 1)])
def test_turns_that_ptxas_is_not_to_copy_again(size: int, alone: int) -> None:
    assert weft.compile(_kernel(_loop(252, size)), "sm_80").to_ptx().count('"nounroll"') == alone
