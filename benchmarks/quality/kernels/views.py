"""Kernels in the words of MLIR that are above loads and stores: `affine` loops and maps, views of memory, transfers."""

from __future__ import annotations

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("views")


def _lines(w: Writer, text: str) -> None:
    for line in text.strip().splitlines():
        w.line(line.strip())


def _matrix(w: Writer, type_: str, *shape: int) -> Value:
    return w.memory(w.numbers(type_, *shape))


@group
def affine_product(w: Writer) -> None:
    """A product of matrices by `affine.for`, its sum carried."""
    t, m, n, k = w.rng.choice(("f32", "f64")), w.rng.randrange(5, 9), 64, w.rng.randrange(20, 60)
    a, b, c = _matrix(w, t, m, k), _matrix(w, t, k, n), _matrix(w, t, m, n)
    w.launch((1, m), n)
    i, j, zero = w.program("y"), w.thread(), w.const(0.0, t)
    w.const(1)
    _lines(
        w,
        f"""
        %depth = memref.dim {a.name}, {w.const(1).name} : {a.type}
        %sum = affine.for %k = 0 to %depth iter_args(%acc = {zero.name}) -> ({t}) {{
        %x = memref.load {a.name}[{i.name}, %k] : {a.type}
        %y = memref.load {b.name}[%k, {j.name}] : {b.type}
        %p = arith.mulf %x, %y : {t}
        %s = arith.addf %acc, %p : {t}
        affine.yield %s : {t}
        }}
        memref.store %sum, {c.name}[{i.name}, {j.name}] : {c.type}""",
    )


@group
def row_views(w: Writer) -> None:
    """A row's view, its maximum, and the row divided by it."""
    t, rows, columns = "f32", 64, w.rng.randrange(20, 70)
    a, c = w.memory(w.numbers(t, rows, columns, low=0.5)), _matrix(w, t, rows, columns)
    w.launch(1, rows)
    i, zero, one, size, low = w.thread(), w.const(0), w.const(1), w.scalar("index", columns), w.const(0.0, t)
    row = f"memref<?x{t}, strided<[1], offset: ?>>"
    _lines(
        w,
        f"""
        %from = memref.subview {a.name}[{i.name}, 0] [1, {size.name}] [1, 1] : {a.type} to {row}
        %to = memref.subview {c.name}[{i.name}, 0] [1, {size.name}] [1, 1] : {c.type} to {row}
        %most = scf.for %k = {zero.name} to {size.name} step {one.name} iter_args(%m = {low.name}) -> ({t}) {{
        %x = memref.load %from[%k] : {row}
        %n = arith.maximumf %m, %x : {t}
        scf.yield %n : {t}
        }}
        scf.for %k = {zero.name} to {size.name} step {one.name} {{
        %x = memref.load %from[%k] : {row}
        %q = arith.divf %x, %most{w.math()} : {t}
        memref.store %q, %to[%k] : {row}
        }}""",
    )


@group
def padded_transfers(w: Writer) -> None:
    """Vectors read with padding beyond the end, scaled and written."""
    t, n = w.rng.choice(("f32", "f16")), w.rng.randrange(200, 250)
    x, y = _matrix(w, t, n), _matrix(w, t, n)
    w.launch(1, 64)
    i, zero, by = w.thread() * 4, w.const(0.0, t), w.const(1.5, f"vector<4x{t}>")
    _lines(
        w,
        f"""
        %v = vector.transfer_read {x.name}[{i.name}], {zero.name} : {x.type}, vector<4x{t}>
        %s = arith.mulf %v, {by.name} : vector<4x{t}>
        vector.transfer_write %s, {y.name}[{i.name}] : vector<4x{t}>, {y.type}""",
    )


@group
def transferred_rows(w: Writer) -> None:
    """A product by a vector, four elements at a time, then summed."""
    rows, columns = 64, 4 * w.rng.randrange(5, 15)
    a, x, y = _matrix(w, "f32", rows, columns), _matrix(w, "f32", columns), _matrix(w, "f32", rows)
    w.launch(1, rows)
    i, low, size, four = w.thread(), w.const(0), w.scalar("index", columns), w.const(4)
    start, zero = w.const(0.0, "vector<4xf32>"), w.const(0.0, "f32")
    _lines(
        w,
        f"""
        %sums = scf.for %k = {low.name} to {size.name} step {four.name} iter_args(%s = {start.name}) -> (vector<4xf32>) {{
        %u = vector.transfer_read {a.name}[{i.name}, %k], {zero.name} {{in_bounds = [true]}} : {a.type}, vector<4xf32>
        %v = vector.transfer_read {x.name}[%k], {zero.name} {{in_bounds = [true]}} : {x.type}, vector<4xf32>
        %f = vector.fma %u, %v, %s : vector<4xf32>
        scf.yield %f : vector<4xf32>
        }}
        %sum = vector.reduction <add>, %sums : vector<4xf32> into f32
        memref.store %sum, {y.name}[{i.name}] : {y.type}""",
    )


@group
def clamped_blur(w: Writer) -> None:
    """A mean of 3 x 3 neighbours, those beyond the edges clamped by `affine.min` and `affine.max`."""
    rows, columns = w.rng.randrange(5, 9), 64
    a, c = _matrix(w, "f32", rows, columns), _matrix(w, "f32", rows, columns)
    w.launch((1, rows), columns)
    i, j, m, n = w.program("y"), w.thread(), w.scalar("index", rows), w.scalar("index", columns)
    total: Value = w.const(0.0, "f32")
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            names: list[str] = []
            for number, (at, size, by) in enumerate(((i, m, dy), (j, n, dx))):
                name = f"%c{'mzp'[dy + 1]}{'mzp'[dx + 1]}{number}"
                w.line(f"{name}l = affine.max affine_map<(d0) -> (d0 + {by}, 0)>({at.name})")
                w.line(f"{name} = affine.min affine_map<(d0)[s0] -> (d0, s0 - 1)>({name}l)[{size.name}]")
                names.append(name)
            total = total + w.put(f"memref.load {a.name}[{', '.join(names)}] : {a.type}", "f32")
    w.store(total * (1 / 9), c, i, j)


@group
def bounded_convolution(w: Writer) -> None:
    """A convolution in one dimension whose neighbours are asked for by `affine.if`."""
    n, k = 256, w.rng.choice((5, 7))
    x, f, y = _matrix(w, "f32", n), _matrix(w, "f32", k), _matrix(w, "f32", n)
    w.launch(2, 128)
    i, size, zero = w.everywhere(), w.scalar("index", n), w.const(0.0, "f32")
    _lines(
        w,
        f"""
        %sum = affine.for %k = 0 to {k} iter_args(%acc = {zero.name}) -> (f32) {{
        %at = arith.addi {i.name}, %k : index
        %low = arith.constant {k // 2} : index
        %place = arith.subi %at, %low : index
        %above = arith.cmpi sge, %place, {w.const(0).name} : index
        %below = arith.cmpi slt, %place, {size.name} : index
        %inside = arith.andi %above, %below : i1
        %r = scf.if %inside -> (f32) {{
        %v = memref.load {x.name}[%place] : {x.type}
        %g = memref.load {f.name}[%k] : {f.type}
        %p = arith.mulf %v, %g : f32
        scf.yield %p : f32
        }} else {{
        scf.yield {zero.name} : f32
        }}
        %s = arith.addf %acc, %r : f32
        affine.yield %s : f32
        }}
        memref.store %sum, {y.name}[{i.name}] : {y.type}""",
    )


@group
def collapsed(w: Writer) -> None:
    """A matrix as one row, by a loop with the grid's stride."""
    t, rows, columns = w.rng.choice(("f32", "f16", "i32")), w.rng.randrange(8, 14), w.rng.randrange(30, 50)
    a, b = _matrix(w, t, rows, columns), _matrix(w, t, rows, columns)
    w.launch(2, 64)
    i, size = w.everywhere(), w.scalar("index", rows * columns)
    add = f"arith.addi %x, {w.const(3, t).name} : {t}" if t == "i32" else f"arith.mulf %x, {w.const(3, t).name} : {t}"
    _lines(
        w,
        f"""
        %u = memref.collapse_shape {a.name} [[0, 1]] : {a.type} into memref<?x{t}>
        %v = memref.collapse_shape {b.name} [[0, 1]] : {b.type} into memref<?x{t}>
        %dim = gpu.block_dim x
        %blocks = gpu.grid_dim x
        %step = arith.muli %dim, %blocks : index
        scf.for %k = {i.name} to {size.name} step %step {{
        %x = memref.load %u[%k] : memref<?x{t}>
        %y = {add}
        memref.store %y, %v[%k] : memref<?x{t}>
        }}""",
    )


@group
def byte_vectors(w: Writer) -> None:
    """Rows of bytes by a row of bytes, sixteen at a time."""
    rows, columns = 64, 16 * w.rng.randrange(2, 6)
    a, x, y = _matrix(w, "i8", rows, columns), _matrix(w, "i8", columns), _matrix(w, "i32", rows)
    w.launch(1, rows)
    i, low, size, step, start = w.thread(), w.const(0), w.scalar("index", columns), w.const(16), w.const(0, "i32")
    _lines(
        w,
        f"""
        %sum = scf.for %k = {low.name} to {size.name} step {step.name} iter_args(%s = {start.name}) -> (i32) {{
        %u = vector.load {a.name}[{i.name}, %k] : {a.type}, vector<16xi8>
        %v = vector.load {x.name}[%k] : {x.type}, vector<16xi8>
        %p = arith.extsi %u : vector<16xi8> to vector<16xi32>
        %q = arith.extsi %v : vector<16xi8> to vector<16xi32>
        %m = arith.muli %p, %q : vector<16xi32>
        %t = vector.reduction <add>, %m, %s : vector<16xi32> into i32
        scf.yield %t : i32
        }}
        memref.store %sum, {y.name}[{i.name}] : {y.type}""",
    )


@group
def forward_solve(w: Writer) -> None:
    """A lower triangular system for each thread, an inner loop up to the outer counter."""
    n, count = w.rng.randrange(8, 16), 64
    a, b = w.memory(w.numbers("f32", n, n, low=1, high=2)), _matrix(w, "f32", n, count)
    w.launch(1, count)
    i, low, one, size = w.thread(), w.const(0), w.const(1), w.scalar("index", n)
    _lines(
        w,
        f"""
        scf.for %r = {low.name} to {size.name} step {one.name} {{
        %first = memref.load {b.name}[%r, {i.name}] : {b.type}
        %sum = scf.for %c = {low.name} to %r step {one.name} iter_args(%s = %first) -> (f32) {{
        %x = memref.load {a.name}[%r, %c] : {a.type}
        %y = memref.load {b.name}[%c, {i.name}] : {b.type}
        %p = arith.mulf %x, %y : f32
        %d = arith.subf %s, %p : f32
        scf.yield %d : f32
        }}
        %diagonal = memref.load {a.name}[%r, %r] : {a.type}
        %q = arith.divf %sum, %diagonal{w.math()} : f32
        memref.store %q, {b.name}[%r, {i.name}] : {b.type}
        }}""",
    )


@group
def permuted_view(w: Writer) -> None:
    """A view with its axes changed, of which rows are summed."""
    t, rows, columns = w.rng.choice(("f32", "f16")), 64, w.rng.randrange(20, 50)
    a, y = _matrix(w, t, columns, rows), _matrix(w, t, rows)
    w.launch(1, rows)
    i, low, one, size, zero = w.thread(), w.const(0), w.const(1), w.scalar("index", columns), w.const(0.0, t)
    view = f"memref<?x?x{t}, strided<[1, ?]>>"
    _lines(
        w,
        f"""
        %v = memref.transpose {a.name} (d0, d1) -> (d1, d0) : {a.type} to {view}
        %sum = scf.for %k = {low.name} to {size.name} step {one.name} iter_args(%s = {zero.name}) -> ({t}) {{
        %x = memref.load %v[{i.name}, %k] : {view}
        %n = arith.addf %s, %x : {t}
        scf.yield %n : {t}
        }}
        memref.store %sum, {y.name}[{i.name}] : {y.type}""",
    )


@group
def cast_windows(w: Writer) -> None:
    """Overlapping windows of a row by `reinterpret_cast`, each with its largest."""
    n, size, step = 300, w.rng.randrange(5, 9), w.rng.randrange(2, 5)
    x, y = _matrix(w, "f32", n), _matrix(w, "f32", 64)
    w.launch(1, 64)
    i, by = w.thread(), w.scalar("index", step)
    view = f"memref<{size}xf32, strided<[1], offset: ?>>"
    low = w.const(-10.0, "f32")
    _lines(
        w,
        f"""
        %at = arith.muli {i.name}, {by.name} : index
        %v = memref.reinterpret_cast {x.name} to offset: [%at], sizes: [{size}], strides: [1] : {x.type} to {view}
        %most = affine.for %k = 0 to {size} iter_args(%m = {low.name}) -> (f32) {{
        %e = memref.load %v[%k] : {view}
        %n = arith.maximumf %m, %e : f32
        affine.yield %n : f32
        }}
        memref.store %most, {y.name}[{i.name}] : {y.type}""",
    )


@group
def summed_in_place(w: Writer) -> None:
    """A histogram of rows' products with weights, added up in memory, by two loops."""
    rows, columns, depth = 64, w.rng.randrange(3, 6), w.rng.randrange(8, 20)
    a, b, c = _matrix(w, "f32", rows, depth), _matrix(w, "f32", depth, columns), _matrix(w, "f32", rows, columns)
    w.launch(1, rows)
    i, low, one = w.thread(), w.const(0), w.const(1)
    n, k = w.scalar("index", columns), w.scalar("index", depth)
    _lines(
        w,
        f"""
        scf.for %j = {low.name} to {n.name} step {one.name} {{
        scf.for %k = {low.name} to {k.name} step {one.name} {{
        %x = memref.load {a.name}[{i.name}, %k] : {a.type}
        %y = memref.load {b.name}[%k, %j] : {b.type}
        %s = memref.load {c.name}[{i.name}, %j] : {c.type}
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        memref.store %t, {c.name}[{i.name}, %j] : {c.type}
        }}
        }}""",
    )
