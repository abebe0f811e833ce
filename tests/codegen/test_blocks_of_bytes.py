"""Blocks of bytes that are copied, moved and filled, in every state space, of lengths that are known and that are not."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weft

SIZE = 48
SPACES = {"global": 1, "shared": 3, "generic": 0}
UNKNOWN = "%n64"


def _kernel(body: str) -> weft.Module:
    """A kernel with a block in every space; the shared one begins as a copy of the global one."""
    return weft.compile(
        f"""
        llvm.mlir.global internal @held() {{addr_space = 3 : i32}} : !llvm.array<{SIZE} x i8>
        llvm.func @k(%global: !llvm.ptr<1>, %generic: !llvm.ptr, %shown: !llvm.ptr<1>, %n: i32) attributes {{nvvm.kernel}} {{
          %shared = llvm.mlir.addressof @held : !llvm.ptr<3>
          %n64 = llvm.zext %n : i32 to i64
          %size = llvm.mlir.constant({SIZE} : i64) : i64
          "llvm.intr.memcpy"(%shared, %global, %size) <{{isVolatile = false}}> : (!llvm.ptr<3>, !llvm.ptr<1>, i64) -> ()
          {body}
          "llvm.intr.memcpy"(%shown, %shared, %size) <{{isVolatile = false}}> : (!llvm.ptr<1>, !llvm.ptr<3>, i64) -> ()
          llvm.return
        }}""",
        "sm_80",
    )


def _run(module: weft.Module, count: int) -> dict[str, list[int]]:
    first = _before()
    blocks = [*(np.array(first[name], np.uint8) for name in ("global", "generic")), np.zeros(SIZE, np.uint8)]
    weft.run(module, "k", 1, 1, [*blocks, np.int32(count)])
    return dict(zip(("global", "generic", "shared"), (block.tolist() for block in blocks), strict=True))


def _before() -> dict[str, list[int]]:
    block = list(range(100, 100 + SIZE))
    return {"global": block, "generic": [at * 7 % 100 for at in range(SIZE)], "shared": list(block)}


def _at(name: str, space: str, place: int) -> str:
    type_ = f"!llvm.ptr<{SPACES[space]}>".replace("<0>", "")
    return f"%{name} = llvm.getelementptr %{space}[{place}] : ({type_}) -> {type_}, i8"


@pytest.mark.sample(5)
@pytest.mark.parametrize("length", [0, 1, 3, 8, 13, UNKNOWN])
@pytest.mark.parametrize(("to", "source"), [("global", "shared"), ("shared", "global"), ("generic", "generic")])
def test_copies(to: str, source: str, length: int | str) -> None:
    count = 5 if length == UNKNOWN else int(length)
    number = "" if length == UNKNOWN else f"%c = llvm.mlir.constant({length} : i64) : i64"
    types = [f"!llvm.ptr<{SPACES[space]}>".replace("<0>", "") for space in (to, source)]
    module = _kernel(f"""{_at("to", to, 4)}
      {_at("from", source, 25)}
      {number}
      "llvm.intr.memcpy"(%to, %from, {"%c" if number else UNKNOWN}) <{{isVolatile = false}}> : ({types[0]}, {types[1]}, i64) -> ()""")
    wanted = _before()
    wanted[to][4 : 4 + count] = wanted[source][25 : 25 + count]
    assert _run(module, count) == wanted


@pytest.mark.sample(4)
@pytest.mark.parametrize("space", ["global", "shared"])
@pytest.mark.parametrize(("to", "source"), [(4, 7), (7, 4), (5, 5)])
@pytest.mark.parametrize("known", [True, False])
def test_moves_of_blocks_that_overlap(space: str, to: int, source: int, known: bool) -> None:
    type_, count = f"!llvm.ptr<{SPACES[space]}>", 11
    module = _kernel(f"""{_at("to", space, to)}
      {_at("from", space, source)}
      %c = llvm.mlir.constant({count} : i64) : i64
      "llvm.intr.memmove"(%to, %from, {"%c" if known else UNKNOWN}) <{{isVolatile = false}}> : ({type_}, {type_}, i64) -> ()""")
    wanted = _before()
    wanted[space][to : to + count] = wanted[space][source : source + count]
    assert _run(module, count) == wanted


@pytest.mark.sample(4)
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("length", [0, 7, 16, UNKNOWN])
def test_fills(space: str, length: int | str) -> None:
    count = 9 if length == UNKNOWN else int(length)
    type_ = f"!llvm.ptr<{SPACES[space]}>".replace("<0>", "")
    module = _kernel(f"""{_at("to", space, 8)}
      %c = llvm.mlir.constant({count} : i64) : i64
      %byte = llvm.trunc %n : i32 to i8
      "llvm.intr.memset"(%to, %byte, {UNKNOWN if length == UNKNOWN else "%c"}) <{{isVolatile = false}}> : ({type_}, i8, i64) -> ()""")
    wanted, value = _before(), count if length == UNKNOWN else 201
    wanted[space][8 : 8 + count] = [value] * count
    assert _run(module, value) == wanted


@pytest.mark.sample(4)
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("place", [0, 5, 10, 15])
def test_bytes_are_updated_at_once(space: str, place: int) -> None:
    """A byte has no atomic instruction of its own: its neighbours in the word stay as they are."""
    type_ = f"!llvm.ptr<{SPACES[space]}>".replace("<0>", "")
    module = _kernel(f"""{_at("to", space, place)}
      %byte = llvm.trunc %n : i32 to i8
      %old = llvm.atomicrmw add %to, %byte monotonic : {type_}, i8
      {_at("behind", space, 40)}
      llvm.store %old, %behind : i8, {type_}""")
    wanted = _before()
    wanted[space][40] = wanted[space][place]
    wanted[space][place] = (wanted[space][place] + 200) % 256
    assert _run(module, 200) == wanted


@pytest.mark.parametrize(
    ("element", "most"),
    [
        ("i8", 1), ("i16", 2), ("f32", 4), ("i64", 8), ("vector<4xi16>", 2), ("!llvm.array<3 x i32>", 4),
        ("!llvm.struct<(i64, i16)>", 2), ("!llvm.struct<(array<2 x f64>)>", 8), ("!llvm.struct<()>", 8),
    ],
)  # fmt: skip
@pytest.mark.parametrize("moved", [False, True])
def test_arrays_of_the_thread_are_accessed_by_element(element: str, most: int, moved: bool) -> None:
    """ptxas keeps what is accessed element by element in registers, so nothing wider than one moves at once."""
    pointer, type_ = ("%cast", "!llvm.ptr<5>") if moved else ("%own", "!llvm.ptr")
    text = f"""
    llvm.func @k(%out: !llvm.ptr<1>, %byte: i8) attributes {{nvvm.kernel}} {{
      %c16 = llvm.mlir.constant(16 : i64) : i64
      %own = llvm.alloca %c16 x {element} {{alignment = 16 : i64}} : (i64) -> !llvm.ptr
      %cast = llvm.addrspacecast %own : !llvm.ptr to !llvm.ptr<5>
      %to = llvm.getelementptr {pointer}[16] : ({type_}) -> {type_}, i8
      "llvm.intr.memset"(%to, %byte, %c16) <{{isVolatile = false}}> : ({type_}, i8, i64) -> ()
      llvm.store %own, %out : !llvm.ptr, !llvm.ptr<1>
      llvm.return
    }}"""
    stores = re.findall(r"st\.local\.(?:v(\d)\.)?[bu](\d+)", weft.compile(text, "sm_80").to_ptx())
    assert {int(bits) // 8 for _, bits in stores} == {most}


@pytest.mark.parametrize(("length", "loops"), [(128, False), (129, True)])
def test_long_blocks_are_moved_by_loops(length: int, loops: bool) -> None:
    for call in ('memcpy"(%a, %b, %n) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<1>, i64)',
                 'memset"(%a, %x, %n) <{isVolatile = false}> : (!llvm.ptr<1>, i8, i64)'):  # fmt: skip
        text = f"""llvm.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %x: i8) attributes {{nvvm.kernel}} {{
          %n = llvm.mlir.constant({length} : i64) : i64
          "llvm.intr.{call} -> ()
          llvm.return
        }}"""
        assert ("bra" in weft.compile(text, "sm_80").to_ptx()) == loops
