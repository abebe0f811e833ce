"""`gpu.shuffle`, `gpu.rotate` and reductions of small blocks, held to what the dialect says of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled, launch

LANES = 32
WIDTHS = (1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 24, 31, 32)
OFFSETS = (0, 1, 2, 3, 4, 5, 8, 9, 12, 15, 16, 17, 30, 31, 32, 33, 40, 63, 64)
MODES = ("xor", "up", "down", "idx")


def source(mode: str, lane: int, offset: int) -> int:
    """The lane that is read."""
    return {"xor": lane ^ offset, "up": lane - offset, "down": lane + offset, "idx": offset}[mode]


def expected(mode: str, lane: int, offset: int, width: int) -> int | None:
    """The lane whose value a shuffle returns; None where `valid` is false."""
    found = source(mode, lane, offset)
    return found if lane < width and 0 <= found < width else None


def shuffle(mode: str, offset: str, width: str, type_: str = "i32") -> str:
    return f"%r, %v = gpu.shuffle {mode} %a, {offset}, {width} : {type_}"


def kernel(lines: list[str], type_: str = "i32") -> Any:
    """Kernel k<i> stores what line i gives and whether it is valid; its operands are dynamic or constants."""
    functions = "".join(
        f"""gpu.func @k{i}(%in: memref<32x{type_}>, %out: memref<32x{type_}>, %ok: memref<32xi32>, %d: i32, %w: i32) kernel {{
          %i = gpu.thread_id x
          %a = memref.load %in[%i] : memref<32x{type_}>
          {line}
          %z = arith.extui %v : i1 to i32
          memref.store %r, %out[%i] : memref<32x{type_}>
          memref.store %z, %ok[%i] : memref<32xi32>
          gpu.return
        }}
        """
        for i, line in enumerate(lines)
    )
    return compiled(f"gpu.module @m {{ {functions} }}", "sm_80")


def cases() -> Iterator[tuple[int, int]]:
    for width in WIDTHS:
        for offset in OFFSETS:
            yield width, offset


def check(out: Any, ok: Any, values: Any, mode: str, offset: int, width: int, threads: int) -> None:
    for lane in range(threads):
        want = expected(mode, lane, offset, width)
        assert ok[lane] == (want is not None), (mode, offset, width, lane)
        if want is not None:
            assert out[lane] == values[want], (mode, offset, width, lane)


def test_shuffles_of_any_width() -> None:
    """Operands known only as it runs, a block for each; and blocks of the first `width` lanes only."""
    lines = "".join(
        f"""%r{mode}, %v{mode} = gpu.shuffle {mode} %a, %d, %w : i32
          %z{mode} = arith.extui %v{mode} : i1 to i32
          %c{mode} = arith.constant {number} : index
          memref.store %r{mode}, %out[%c{mode}, %b, %i] : memref<4x?x32xi32>
          memref.store %z{mode}, %ok[%c{mode}, %b, %i] : memref<4x?x32xi32>
        """
        for number, mode in enumerate(MODES)
    )
    module = compiled(
        f"""gpu.module @m {{ gpu.func @k(%in: memref<32xi32>, %out: memref<4x?x32xi32>, %ok: memref<4x?x32xi32>,
            %ds: memref<?xi32>, %ws: memref<?xi32>) kernel {{
          %i = gpu.thread_id x
          %b = gpu.block_id x
          %a = memref.load %in[%i] : memref<32xi32>
          %d = memref.load %ds[%b] : memref<?xi32>
          %w = memref.load %ws[%b] : memref<?xi32>
          {lines}
          gpu.return
        }} }}""",
        "sm_80",
    )
    values = np.arange(100, 132, dtype=np.int32)
    launches = [(LANES, list(cases()))] + [(width, [(width, offset) for offset in OFFSETS]) for width in (1, 6, 13, 31)]
    for threads, given in launches:
        widths, offsets = np.array(given, np.int32).T.copy()
        out, ok = np.zeros((4, len(given), 32), np.int32), np.full((4, len(given), 32), 9, np.int32)
        launch(module, "k", len(given), threads, [values, out, ok, offsets, widths])
        for number, mode in enumerate(MODES):
            for i, (width, offset) in enumerate(given):
                check(out[number, i], ok[number, i], values, mode, offset, width, threads)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_shuffles_of_constants(mode: str) -> None:
    chosen = [case for i, case in enumerate(cases()) if i % 5 == MODES.index(mode)]
    constants = "%o{i} = arith.constant {} : i32\n%n{i} = arith.constant {} : i32\n"
    lines = [
        constants.format(offset, width, i=i) + shuffle(mode, f"%o{i}", f"%n{i}")
        for i, (width, offset) in enumerate(chosen)
    ]
    module = kernel(lines)
    values = np.arange(100, 132, dtype=np.int32)
    for i, (width, offset) in enumerate(chosen):
        out, ok = np.zeros(32, np.int32), np.full(32, 9, np.int32)
        launch(module, f"k{i}", 1, LANES, [values, out, ok, 0, 0])
        check(out, ok, values, mode, offset, width, LANES)


@pytest.mark.parametrize("type_", ["i64", "f64", "f16", "i8"])
def test_shuffles_where_only_the_first_lanes_come(type_: str) -> None:
    dtype = {"i64": np.int64, "f64": np.float64, "f16": np.float16, "i8": np.int8}[type_]
    line = f"""%n = arith.constant 13 : i32
      %c = arith.constant 13 : index
      %o = arith.constant 3 : i32
      %few = arith.cmpi ult, %i, %c : index
      %no = arith.constant false
      %r, %v = scf.if %few -> ({type_}, i1) {{
        %x, %y = gpu.shuffle down %a, %o, %n : {type_}
        scf.yield %x, %y : {type_}, i1
      }} else {{
        scf.yield %a, %no : {type_}, i1
      }}"""
    values = np.arange(60, 92).astype(dtype)
    out, ok = np.zeros(32, dtype), np.full(32, 9, np.int32)
    launch(kernel([line], type_), "k0", 1, LANES, [values, out, ok, 0, 0])
    check(out, ok, values, "down", 3, 13, LANES)


def test_rotations() -> None:
    chosen = [(width, offset) for width in (1, 2, 4, 8, 16, 32) for offset in range(0, width, max(1, width // 4))]
    module = kernel([f"%r, %v = gpu.rotate %a, {offset}, {width} : i32" for width, offset in chosen])
    values = np.arange(100, 132, dtype=np.int32)
    for i, (width, offset) in enumerate(chosen):
        out, ok = np.zeros(32, np.int32), np.full(32, 9, np.int32)
        launch(module, f"k{i}", 1, LANES, [values, out, ok, 0, 0])
        assert ok.tolist() == [1] * width + [0] * (LANES - width)
        assert out[:width].tolist() == [100 + (lane + offset) % width for lane in range(width)]


SMALL = (
    (1, 1, 1),
    (2, 1, 1),
    (6, 1, 1),
    (3, 2, 1),
    (31, 1, 1),
    (5, 3, 2),
    (32, 1, 1),
    (33, 1, 1),
    (7, 5, 3),
    (2, 2, 16),
)
OPERATIONS = {
    "i32": ("add", "mul", "minui", "minsi", "maxui", "maxsi", "and", "or", "xor"),
    "i64": ("add", "maxsi", "minui"),
    "i8": ("add", "maxsi", "minui"),
    "f32": ("add", "minnumf", "maximumf"),
    "f64": ("mul", "minimumf", "maxnumf"),
    "f16": ("add", "maxnumf"),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("block", SMALL)
def test_reductions_of_blocks_of_a_known_size(block: tuple[int, int, int]) -> None:
    """Every thread gets the result, in a known block of any size and shape."""
    count = int(np.prod(block))
    numpy = {"add": np.add.reduce, "mul": np.multiply.reduce, "minui": np.min, "minsi": np.min, "minnumf": np.min,
             "minimumf": np.min, "maxui": np.max, "maxsi": np.max, "maxnumf": np.max, "maximumf": np.max,
             "and": np.bitwise_and.reduce, "or": np.bitwise_or.reduce, "xor": np.bitwise_xor.reduce}  # fmt: skip
    cases = [(type_, name) for type_, names in OPERATIONS.items() for name in names]
    functions = "".join(
        f"""gpu.func @k{i}(%in: memref<?x{type_}>, %out: memref<?x{type_}>) kernel
            attributes {{known_block_size = array<i32: {", ".join(map(str, block))}>}} {{
          %x = gpu.thread_id x
          %y = gpu.thread_id y
          %z = gpu.thread_id z
          %nx = gpu.block_dim x
          %ny = gpu.block_dim y
          %u = arith.muli %z, %ny : index
          %v = arith.addi %u, %y : index
          %w = arith.muli %v, %nx : index
          %i = arith.addi %w, %x : index
          %a = memref.load %in[%i] : memref<?x{type_}>
          %r = gpu.all_reduce {name} %a uniform {{}} : ({type_}) -> ({type_})
          memref.store %r, %out[%i] : memref<?x{type_}>
          gpu.return
        }}
        """
        for i, (type_, name) in enumerate(cases)
    )
    module = compiled(f"gpu.module @m {{ {functions} }}", "sm_80")
    rng = np.random.default_rng(count)
    for i, (type_, name) in enumerate(cases):
        dtype = np.dtype({"i8": "i1", "i32": "i4", "i64": "i8", "f16": "f2", "f32": "f4", "f64": "f8"}[type_])
        values = rng.integers(1, 4, count) if type_[0] == "f" else rng.integers(-128, 128, count)
        values = values.astype(dtype)
        if name in ("mul",):
            values = (rng.integers(0, 2, count) * 2 - 1).astype(dtype)
        seen = values.view(f"u{dtype.itemsize}") if name.endswith("ui") else values
        want = dtype.type(numpy[name](seen).astype(seen.dtype).view(dtype)) if type_[0] == "i" else numpy[name](values)
        out = np.zeros(count, dtype)
        launch(module, f"k{i}", 1, block, [values, out])
        assert out.tolist() == [want] * count, (type_, name)


@pytest.mark.parametrize("width", [7, 32])
def test_a_shuffle_whose_result_is_the_next_offset(width: int) -> None:
    """What lanes that take no part keep is copied to the result before the offset is read: not into its register."""
    line = """%n0 = arith.constant 0 : index
      %n1 = arith.constant 1 : index
      %n5 = arith.constant 5 : index
      %t = arith.constant true
      %r, %v = scf.for %j = %n0 to %n5 step %n1 iter_args(%x = %d, %y = %t) -> (i32, i1) {
        %p, %q = gpu.shuffle idx %a, %x, %w : i32
        %o = arith.andi %y, %q : i1
        scf.yield %p, %o : i32, i1
      }"""
    values = np.random.default_rng(width).permutation(width).astype(np.int32)
    values = np.concatenate([values, np.zeros(32 - width, np.int32)])
    at = 3
    for _ in range(5):
        at = values[at]
    out, ok = np.zeros(32, np.int32), np.zeros(32, np.int32)
    launch(kernel([line]), "k0", 1, LANES, [values, out, ok, 3, width])
    assert out[:width].tolist() == [at] * width and ok[:width].all()
