"""Kernels as people write them by hand, in MLIR's text: many dialects, index types, layouts and kinds of control."""

from __future__ import annotations

from quality.emitter import Writer
from quality.kernels import kernel
from quality.template import fill

group = kernel("written")


@group
def volume(w: Writer) -> None:
    """A threshold over a volume by a grid of three dimensions, its edges tested."""
    x, y, z = 8 * w.rng.randrange(2, 4) - 3, 7, 5
    w.launch(((x + 7) // 8, 2, 2), (8, 4, 4))
    a, b = w.memory(w.numbers("f32", z, y, x)), w.memory(w.numbers("f32", z, y, x))
    fill(
        w,
        """
        %tx = gpu.thread_id x
        %ty = gpu.thread_id y
        %tz = gpu.thread_id z
        %bx = gpu.block_id x
        %by = gpu.block_id y
        %bz = gpu.block_id z
        %dx = gpu.block_dim x
        %dy = gpu.block_dim y
        %dz = gpu.block_dim z
        %mx = arith.muli %bx, %dx : index
        %my = arith.muli %by, %dy : index
        %mz = arith.muli %bz, %dz : index
        %x = arith.addi %mx, %tx : index
        %y = arith.addi %my, %ty : index
        %z = arith.addi %mz, %tz : index
        %nz = memref.dim %a, #0 : $a
        %ny = memref.dim %a, #1 : $a
        %nx = memref.dim %a, #2 : $a
        %cx = arith.cmpi slt, %x, %nx : index
        %cy = arith.cmpi slt, %y, %ny : index
        %cz = arith.cmpi slt, %z, %nz : index
        %c = arith.andi %cx, %cy : i1
        %d = arith.andi %c, %cz : i1
        scf.if %d {
        %v = memref.load %a[%z, %y, %x] : $a
        %t = arith.cmpf olt, %v, #0.25:f32 : f32
        %s = arith.mulf %v, #1.5:f32 : f32
        %r = arith.select %t, #0.0:f32, %s : f32
        memref.store %r, %b[%z, %y, %x] : $b
        }""",
        a=a,
        b=b,
    )


@group
def narrow_indices(w: Writer) -> None:
    """Flat places computed in i32, as CUDA programs have them, and cast to index at each access."""
    rows, columns = w.rng.randrange(3, 6), 64
    w.launch(rows, columns)
    a, b = w.memory(w.numbers("f32", rows * columns)), w.memory(w.numbers("f32", rows * columns))
    width = w.scalar("i32", columns)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %b0 = gpu.block_id x
        %i = arith.index_cast %t : index to i32
        %r = arith.index_cast %b0 : index to i32
        %row = arith.muli %r, %width : i32
        %at = arith.addi %row, %i : i32
        %last = arith.subi %width, #1:i32 : i32
        %left = arith.subi %i, #1:i32 : i32
        %l = arith.maxsi %left, #0:i32 : i32
        %right = arith.addi %i, #1:i32 : i32
        %g = arith.minsi %right, %last : i32
        %p = arith.addi %row, %l : i32
        %q = arith.addi %row, %g : i32
        %pi = arith.index_cast %p : i32 to index
        %qi = arith.index_cast %q : i32 to index
        %ai = arith.index_cast %at : i32 to index
        %x = memref.load %a[%pi] : $a
        %y = memref.load %a[%ai] : $a
        %z = memref.load %a[%qi] : $a
        %two = arith.mulf %y, #-2.0:f32 : f32
        %s = arith.addf %x, %z : f32
        %d = arith.addf %s, %two : f32
        memref.store %d, %b[%ai] : $b""",
        a=a,
        b=b,
        width=width,
    )


@group
def row_loop_i32(w: Writer) -> None:
    """Rows summed by a loop over i32, the place a product and a sum of i32."""
    t, rows, columns = w.rng.choice(("f32", "f64", "i32")), 64, w.rng.randrange(20, 60)
    w.launch(1, rows)
    a, b = w.memory(w.numbers(t, rows * columns)), w.memory(w.numbers(t, rows))
    width = w.scalar("i32", columns)
    add = "addi" if t == "i32" else "addf"
    zero = w.const(0, t)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %i = arith.index_cast %t : index to i32
        %from = arith.muli %i, %width : i32
        %sum = scf.for %k = #0:i32 to %width step #1:i32 iter_args(%s = %zero) -> ($T) : i32 {
        %p = arith.addi %from, %k : i32
        %q = arith.index_cast %p : i32 to index
        %x = memref.load %a[%q] : $a
        %n = arith.$add %s, %x : $T
        scf.yield %n : $T
        }
        memref.store %sum, %b[%t] : $b""",
        a=a,
        b=b,
        width=width,
        zero=zero,
        T=t,
        add=add,
    )


@group
def hyperslab(w: Writer) -> None:
    """A window of a matrix of dynamic strides, turned and scaled."""
    n, m = 32, w.rng.randrange(4, 9)
    data = w.numbers("f32", 2 * n * 2 * m)
    a = w.strided(data, (m, n), (2 * n, w.rng.choice((1, 2))))
    b = w.memory(w.numbers("f32", n, m))
    w.launch(1, n)
    rows = w.scalar("index", m)
    fill(
        w,
        """
        %t = gpu.thread_id x
        scf.for %r = #0 to %rows step #1 {
        %x = memref.load %a[%r, %t] : $a
        %y = arith.mulf %x, #0.5:f32 : f32
        %z = math.fma %y, %x, %y : f32
        memref.store %z, %b[%t, %r] : $b
        }""",
        a=a,
        b=b,
        rows=rows,
    )


@group
def points_by_matrix(w: Writer) -> None:
    """Points of three coordinates by a matrix and an offset, as vectors of three."""
    n = 64 * w.rng.randrange(1, 3)
    w.launch(n // 64, 64)
    p, q = w.memory(w.numbers("f32", n, 3)), w.memory(w.numbers("f32", n, 3))
    m = w.memory(w.numbers("f32", 3, 4), dynamic=w.rng.random() < 0.5)
    text = """
        %t = gpu.thread_id x
        %b = gpu.block_id x
        %d = gpu.block_dim x
        %o = arith.muli %b, %d : index
        %i = arith.addi %o, %t : index
        %v = vector.load %p[%i, #0] : $p, vector<3xf32>
        """
    for r in range(3):
        text += f"""
        %r{r} = vector.load %m[#{r}, #0] : $m, vector<3xf32>
        %m{r} = arith.mulf %r{r}, %v : vector<3xf32>
        %s{r} = vector.reduction <add>, %m{r} : vector<3xf32> into f32
        %k{r} = memref.load %m[#{r}, #3] : $m
        %e{r} = arith.addf %s{r}, %k{r} : f32
        """
    text += """
        %out = vector.from_elements %e0, %e1, %e2 : vector<3xf32>
        vector.store %out, %q[%i, #0] : $q, vector<3xf32>"""
    fill(w, text, p=p, q=q, m=m)


@group
def odd_vectors(w: Writer) -> None:
    """Vectors of odd lengths shuffled, summed and cut apart."""
    k, t = w.rng.choice((5, 6, 7)), w.rng.choice(("i16", "i32", "f32", "f16"))
    n = 64
    w.launch(1, n)
    a, b = w.memory(w.numbers(t, n * k + 8)), w.memory(w.numbers(t, n, 4))
    f = "f" if t[0] == "f" else "i"
    order = [w.rng.randrange(2 * k) for _ in range(4)]
    fill(
        w,
        """
        %t = gpu.thread_id x
        %i = arith.muli %t, #$k : index
        %u = vector.load %a[%i] : $a, vector<$kx$T>
        %j = arith.addi %i, #3 : index
        %v = vector.load %a[%j] : $a, vector<$kx$T>
        %s = arith.add$f %u, %v : vector<$kx$T>
        %d = arith.mul$f %s, %u : vector<$kx$T>
        %w = vector.shuffle %s, %d [$order] : vector<$kx$T>, vector<$kx$T>
        vector.store %w, %b[%t, #0] : $b, vector<4x$T>""",
        a=a,
        b=b,
        k=str(k),
        T=t,
        f=f,
        order=", ".join(map(str, order)),
    )


@group
def half_softmax(w: Writer) -> None:
    """Softmax of eight halves a thread and lanes of a group by shuffles, in f32."""
    t, n = w.rng.choice(("f16", "bf16")), 64
    w.launch(w.rng.randrange(1, 3), n)
    blocks = w.grid[0]
    a, b = w.memory(w.numbers(t, blocks * n * 8)), w.memory(w.numbers(t, blocks * n * 8))
    text = """
        %t = gpu.thread_id x
        %g = gpu.block_id x
        %o = arith.muli %g, #64 : index
        %p = arith.addi %o, %t : index
        %i = arith.muli %p, #8 : index
        %h = vector.load %a[%i] : $a, vector<8x$T>
        %v = arith.extf %h : vector<8x$T> to vector<8xf32>
        %m0 = vector.reduction <maximumf>, %v : vector<8xf32> into f32
        """
    for step, by in enumerate((1, 2, 4)):
        text += f"""
        %s{step}, %ok{step} = gpu.shuffle xor %m{step}, #{by}:i32, #32:i32 : f32
        %m{step + 1} = arith.maximumf %m{step}, %s{step} : f32
        """
    text += """
        %mv = vector.broadcast %m3 : f32 to vector<8xf32>
        %d = arith.subf %v, %mv : vector<8xf32>
        %e = math.exp %d $F : vector<8xf32>
        %z0 = vector.reduction <add>, %e : vector<8xf32> into f32
        """
    for step, by in enumerate((1, 2, 4)):
        text += f"""
        %y{step}, %yk{step} = gpu.shuffle xor %z{step}, #{by}:i32, #32:i32 : f32
        %z{step + 1} = arith.addf %z{step}, %y{step} : f32
        """
    text += """
        %r = arith.divf #1.0:f32, %z3 $F : f32
        %rv = vector.broadcast %r : f32 to vector<8xf32>
        %q = arith.mulf %e, %rv : vector<8xf32>
        %n = arith.truncf %q : vector<8xf32> to vector<8x$T>
        vector.store %n, %b[%i] : $b, vector<8x$T>"""
    fill(w, text, a=a, b=b, T=t, F=w.math())


@group
def scaled_bytes(w: Writer) -> None:
    """Vectors of signed bytes with their zero point and scale to halves."""
    k, n = w.rng.choice((4, 8, 16)), 64
    w.launch(1, n)
    a, b, s = w.memory(w.numbers("i8", n, k)), w.memory(w.numbers("f16", n, k)), w.memory(w.numbers("f32", n))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %q = vector.load %a[%t, #0] : $a, vector<$kxi8>
        %x = arith.extsi %q : vector<$kxi8> to vector<$kxi32>
        %z = arith.constant dense<$zero> : vector<$kxi32>
        %d = arith.subi %x, %z : vector<$kxi32>
        %f = arith.sitofp %d : vector<$kxi32> to vector<$kxf32>
        %c = memref.load %s[%t] : $s
        %cv = vector.broadcast %c : f32 to vector<$kxf32>
        %m = arith.mulf %f, %cv : vector<$kxf32>
        %h = arith.truncf %m : vector<$kxf32> to vector<$kxf16>
        vector.store %h, %b[%t, #0] : $b, vector<$kxf16>""",
        a=a,
        b=b,
        s=s,
        k=str(k),
        zero=str(w.rng.randrange(-9, 10)),
    )


@group
def nibbles(w: Writer) -> None:
    """Words taken for eight numbers of four bits, by a bitcast of vectors."""
    n = 64
    w.launch(1, n)
    signed = w.rng.random() < 0.5
    a, x, b = w.memory(w.numbers("i32", n)), w.memory(w.numbers("f32", n, 8)), w.memory(w.numbers("f32", n))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %q = vector.load %a[%t] : $a, vector<1xi32>
        %n = vector.bitcast %q : vector<1xi32> to vector<8xi4>
        %e = arith.$ext %n : vector<8xi4> to vector<8xi32>
        %f = arith.sitofp %e : vector<8xi32> to vector<8xf32>
        %v = vector.load %x[%t, #0] : $x, vector<8xf32>
        %p = arith.mulf %f, %v : vector<8xf32>
        %s = vector.reduction <add>, %p : vector<8xf32> into f32
        memref.store %s, %b[%t] : $b""",
        a=a,
        b=b,
        x=x,
        ext="extsi" if signed else "extui",
    )


@group
def half_sum(w: Writer) -> None:
    """Rows of 16-bit floats summed in f32, and their largest."""
    t, n, k = w.rng.choice(("f16", "bf16")), 64, w.rng.randrange(10, 40)
    w.launch(1, n)
    a, b = w.memory(w.numbers(t, k, n)), w.memory(w.numbers("f32", n))
    rows = w.scalar("index", k)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %s:2 = scf.for %r = #0 to %rows step #1 iter_args(%acc = #0.0:f32, %top = #0.0:$T) -> (f32, $T) {
        %x = memref.load %a[%r, %t] : $a
        %f = arith.extf %x : $T to f32
        %n = arith.addf %acc, %f : f32
        %m = arith.maxnumf %x, %top : $T
        scf.yield %n, %m : f32, $T
        }
        %u = arith.extf %s#1 : $T to f32
        %v = arith.addf %s#0, %u : f32
        memref.store %v, %b[%t] : $b""",
        a=a,
        b=b,
        T=t,
        rows=rows,
    )


@group
def tile_attributions(w: Writer) -> None:
    """A transposition by a padded tile, 8 rows of threads for 32 rows."""
    t, n = w.rng.choice(("f32", "f64", "i16")), 64
    w.launch((n // 32, n // 32), (32, 8))
    a, b = w.memory(w.numbers(t, n, n)), w.memory(w.numbers(t, n, n))
    s = w.shared(t, 32, 33)
    fill(
        w,
        """
        %tx = gpu.thread_id x
        %ty = gpu.thread_id y
        %bx = gpu.block_id x
        %by = gpu.block_id y
        %x0 = arith.muli %bx, #32 : index
        %y0 = arith.muli %by, #32 : index
        %x = arith.addi %x0, %tx : index
        scf.for %j = #0 to #32 step #8 {
        %r = arith.addi %ty, %j : index
        %y = arith.addi %y0, %r : index
        %v = memref.load %a[%y, %x] : $a
        memref.store %v, %s[%r, %tx] : $s
        }
        gpu.barrier
        %u = arith.addi %y0, %tx : index
        scf.for %j = #0 to #32 step #8 {
        %r = arith.addi %ty, %j : index
        %y = arith.addi %x0, %r : index
        %v = memref.load %s[%tx, %r] : $s
        memref.store %v, %b[%y, %u] : $b
        }""",
        a=a,
        b=b,
        s=s,
    )


@group
def whole_reductions(w: Writer) -> None:
    """`gpu.all_reduce`."""
    t, n = w.rng.choice(("i32", "f32")), 128
    w.launch(2, n)
    a, b, c = w.memory(w.numbers(t, 2 * n)), w.memory(w.numbers(t, 2)), w.memory(w.numbers(t, 2 * n))
    kind = w.rng.choice(("add", "maxsi")) if t == "i32" else "add"
    fill(
        w,
        """
        %t = gpu.thread_id x
        %g = gpu.block_id x
        %o = arith.muli %g, #128 : index
        %i = arith.addi %o, %t : index
        %x = memref.load %a[%i] : $a
        memref.store %x, %c[%i] : $c
        %s = gpu.all_reduce $kind %x uniform {} : ($T) -> $T
        %first = arith.cmpi eq, %t, #0 : index
        scf.if %first {
        memref.store %s, %b[%g] : $b
        }""",
        a=a,
        b=b,
        c=c,
        T=t,
        kind=kind,
    )


@group
def wide_bins(w: Writer) -> None:
    """Values put into bins by floor and clamp, counted in i64, weighed in f32."""
    n, bins = 256, w.rng.randrange(10, 40)
    w.launch(2, 128)
    a, wt = w.memory(w.numbers("f32", n)), w.memory(w.numbers("f32", n))
    c, s = w.memory(w.numbers("i64", bins, low=0, high=9)), w.memory(w.numbers("f32", bins))
    last = w.scalar("i32", bins - 1)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %g = gpu.block_id x
        %d = gpu.block_dim x
        %o = arith.muli %g, %d : index
        %i = arith.addi %o, %t : index
        %x = memref.load %a[%i] : $a
        %y = arith.addf %x, #2.0:f32 : f32
        %z = arith.mulf %y, #$scale:f32 : f32
        %f = math.floor %z : f32
        %k = arith.fptosi %f : f32 to i32
        %lo = arith.maxsi %k, #0:i32 : i32
        %hi = arith.minsi %lo, %last : i32
        %j = arith.index_cast %hi : i32 to index
        %q = memref.load %wt[%i] : $wt
        %r0 = memref.atomic_rmw addi #1:i64, %c[%j] : (i64, $c) -> i64
        %r1 = memref.atomic_rmw addf %q, %s[%j] : (f32, $s) -> f32""",
        a=a,
        wt=wt,
        c=c,
        s=s,
        last=last,
        scale=f"{bins / 4:.3f}",
    )


@group
def double_buffer(w: Writer) -> None:
    """Steps of diffusion between two halves of a shared buffer, chosen by the step's parity."""
    n, steps = 64, w.rng.randrange(4, 10)
    w.launch(1, n)
    a, s = w.memory(w.numbers("f32", n)), w.shared("f32", 2, n)
    count = w.scalar("index", steps)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %x = memref.load %a[%t] : $a
        memref.store %x, %s[#0, %t] : $s
        gpu.barrier
        %l0 = arith.addi %t, #63 : index
        %l = arith.andi %l0, #63 : index
        %r0 = arith.addi %t, #1 : index
        %r = arith.andi %r0, #63 : index
        scf.for %k = #0 to %count step #1 {
        %p = arith.remui %k, #2 : index
        %q = arith.subi #1, %p : index
        %u = memref.load %s[%p, %l] : $s
        %v = memref.load %s[%p, %t] : $s
        %y = memref.load %s[%p, %r] : $s
        %uy = arith.addf %u, %y : f32
        %h = arith.mulf %uy, #0.25:f32 : f32
        %z = math.fma %v, #0.5:f32, %h : f32
        memref.store %z, %s[%q, %t] : $s
        gpu.barrier
        }
        %e = arith.remui %count, #2 : index
        %o = memref.load %s[%e, %t] : $s
        memref.store %o, %a[%t] : $a""",
        a=a,
        s=s,
        count=count,
    )


@group
def odd_even_sort(w: Writer) -> None:
    """Odd-even transposition in shared memory."""
    t, n = w.rng.choice(("i32", "f32", "i64")), 32
    w.launch(2, n)
    a, s = w.memory(w.numbers(t, 2 * n)), w.shared(t, n)
    less = "cmpf olt" if t == "f32" else "cmpi slt"
    fill(
        w,
        """
        %t = gpu.thread_id x
        %g = gpu.block_id x
        %o = arith.muli %g, #32 : index
        %i = arith.addi %o, %t : index
        %x = memref.load %a[%i] : $a
        memref.store %x, %s[%t] : $s
        gpu.barrier
        scf.for %k = #0 to #32 step #1 {
        %kt = arith.addi %k, %t : index
        %par = arith.andi %kt, #1 : index
        %even = arith.cmpi eq, %par, #0 : index
        %next = arith.addi %t, #1 : index
        %in = arith.cmpi ult, %next, #32 : index
        %do = arith.andi %even, %in : i1
        scf.if %do {
        %u = memref.load %s[%t] : $s
        %v = memref.load %s[%next] : $s
        %less = arith.$less, %v, %u : $T
        scf.if %less {
        memref.store %v, %s[%t] : $s
        memref.store %u, %s[%next] : $s
        }
        }
        gpu.barrier
        }
        %y = memref.load %s[%t] : $s
        memref.store %y, %a[%i] : $a""",
        a=a,
        s=s,
        T=t,
        less=less,
    )


@group
def insertion_sort(w: Writer) -> None:
    """A row sorted in memory by insertion, a search backwards in `scf.while`."""
    n, k = 32, w.rng.randrange(6, 14)
    w.launch(1, n)
    a, size = w.memory(w.numbers("i32", n, k)), w.scalar("index", k)
    fill(
        w,
        """
        %t = gpu.thread_id x
        scf.for %i = #1 to %size step #1 {
        %key = memref.load %a[%t, %i] : $a
        %end = scf.while (%j = %i) : (index) -> index {
        %some = arith.cmpi sgt, %j, #0 : index
        %more = scf.if %some -> (i1) {
        %h = arith.subi %j, #1 : index
        %v = memref.load %a[%t, %h] : $a
        %c = arith.cmpi sgt, %v, %key : i32
        scf.yield %c : i1
        } else {
        %f = arith.constant false
        scf.yield %f : i1
        }
        scf.condition(%more) %j : index
        } do {
        ^bb0(%j: index):
        %h = arith.subi %j, #1 : index
        %v = memref.load %a[%t, %h] : $a
        memref.store %v, %a[%t, %j] : $a
        scf.yield %h : index
        }
        memref.store %key, %a[%t, %end] : $a
        }""",
        a=a,
        size=size,
    )


@group
def hex_letters(w: Writer) -> None:
    """Words as eight hexadecimal letters."""
    n = 64
    w.launch(1, n)
    a, b = w.memory(w.numbers("i32", n)), w.memory(w.numbers("i8", n * 8))
    upper = w.rng.choice((55, 87))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %x = memref.load %a[%t] : $a
        %o = arith.muli %t, #8 : index
        scf.for %k = #0:i32 to #8:i32 step #1:i32 : i32 {
        %s0 = arith.shli %k, #2:i32 : i32
        %s = arith.subi #28:i32, %s0 : i32
        %y = arith.shrui %x, %s : i32
        %d = arith.andi %y, #15:i32 : i32
        %small = arith.cmpi ult, %d, #10:i32 : i32
        %p = arith.addi %d, #48:i32 : i32
        %q = arith.addi %d, #$upper:i32 : i32
        %r = arith.select %small, %p, %q : i32
        %c = arith.trunci %r : i32 to i8
        %ki = arith.index_cast %k : i32 to index
        %at = arith.addi %o, %ki : index
        memref.store %c, %b[%at] : $b
        }""",
        a=a,
        b=b,
        upper=str(upper),
    )


@group
def code_points(w: Writer) -> None:
    """UTF-8 at each byte: how long the character is, and its number."""
    n = 128
    w.launch(1, n)
    a, b = w.memory(w.numbers("i8", n + 4)), w.memory(w.numbers("i32", n))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %x8 = memref.load %a[%t] : $a
        %x = arith.extui %x8 : i8 to i32
        %one = arith.cmpi ult, %x, #128:i32 : i32
        %r = scf.if %one -> (i32) {
        scf.yield %x : i32
        } else {
        %h = arith.shrui %x, #5:i32 : i32
        %two = arith.cmpi eq, %h, #6:i32 : i32
        %i1 = arith.addi %t, #1 : index
        %y8 = memref.load %a[%i1] : $a
        %y = arith.extui %y8 : i8 to i32
        %ym = arith.andi %y, #63:i32 : i32
        %in = scf.if %two -> (i32) {
        %m = arith.andi %x, #31:i32 : i32
        %ms = arith.shli %m, #6:i32 : i32
        %o = arith.ori %ms, %ym : i32
        scf.yield %o : i32
        } else {
        %i2 = arith.addi %t, #2 : index
        %z8 = memref.load %a[%i2] : $a
        %z = arith.extui %z8 : i8 to i32
        %zm = arith.andi %z, #63:i32 : i32
        %m = arith.andi %x, #15:i32 : i32
        %ms = arith.shli %m, #12:i32 : i32
        %ys = arith.shli %ym, #6:i32 : i32
        %o0 = arith.ori %ms, %ys : i32
        %o1 = arith.ori %o0, %zm : i32
        scf.yield %o1 : i32
        }
        scf.yield %in : i32
        }
        memref.store %r, %b[%t] : $b""",
        a=a,
        b=b,
    )


@group
def adler(w: Writer) -> None:
    """Adler's checksum of each row of bytes."""
    n, k = 64, w.rng.randrange(16, 50)
    w.launch(1, n)
    a, b, size = w.memory(w.numbers("i8", n, k)), w.memory(w.numbers("i32", n)), w.scalar("index", k)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %r:2 = scf.for %k = #0 to %size step #1 iter_args(%p = #1:i32, %q = #0:i32) -> (i32, i32) {
        %x8 = memref.load %a[%t, %k] : $a
        %x = arith.extui %x8 : i8 to i32
        %p0 = arith.addi %p, %x : i32
        %p1 = arith.remui %p0, #65521:i32 : i32
        %q0 = arith.addi %q, %p1 : i32
        %q1 = arith.remui %q0, #65521:i32 : i32
        scf.yield %p1, %q1 : i32, i32
        }
        %h = arith.shli %r#1, #16:i32 : i32
        %s = arith.ori %h, %r#0 : i32
        memref.store %s, %b[%t] : $b""",
        a=a,
        b=b,
        size=size,
    )


@group
def sha_rounds(w: Writer) -> None:
    """Rounds of SHA-256 with the message in the thread's own memory."""
    n, rounds = 32, w.rng.choice((16, 24, 32))
    w.launch(1, n)
    a, b, table = w.memory(w.numbers("i32", n, 16)), w.memory(w.numbers("i32", n, 8)), w.memory(w.numbers("i32", 64))
    own = w.local("i32", 64)
    text = """
        %t = gpu.thread_id x
        scf.for %k = #0 to #16 step #1 {
        %x = memref.load %a[%t, %k] : $a
        memref.store %x, %own[%k] : $own
        }
        scf.for %k = #16 to #$rounds step #1 {
        %k2 = arith.subi %k, #2 : index
        %k7 = arith.subi %k, #7 : index
        %k15 = arith.subi %k, #15 : index
        %k16 = arith.subi %k, #16 : index
        %w2 = memref.load %own[%k2] : $own
        %w7 = memref.load %own[%k7] : $own
        %w15 = memref.load %own[%k15] : $own
        %w16 = memref.load %own[%k16] : $own
        """

    def rotated(name: str, value: str, by: int) -> str:
        return f"""
        %{name}l = arith.shli {value}, #{32 - by}:i32 : i32
        %{name}r = arith.shrui {value}, #{by}:i32 : i32
        %{name} = arith.ori %{name}l, %{name}r : i32
        """

    def crossed(name: str, value: str, by: tuple[int, int], third: str) -> str:
        text = rotated(f"{name}a", value, by[0]) + rotated(f"{name}b", value, by[1]) + third
        return (
            text
            + f"""
        %{name}x = arith.xori %{name}a, %{name}b : i32
        %{name} = arith.xori %{name}x, %{name}c : i32
        """
        )

    text += crossed("s0", "%w15", (7, 18), "%s0c = arith.shrui %w15, #3:i32 : i32\n")
    text += crossed("s1", "%w2", (17, 19), "%s1c = arith.shrui %w2, #10:i32 : i32\n")
    text += """
        %m0 = arith.addi %w16, %s0 : i32
        %m1 = arith.addi %m0, %w7 : i32
        %m2 = arith.addi %m1, %s1 : i32
        memref.store %m2, %own[%k] : $own
        }
        """
    letters = "abcdefgh"
    text += "".join(f"%i{c} = memref.load %b[%t, #{n}] : $b\n" for n, c in enumerate(letters))
    carried = ", ".join(f"%v{c} = %i{c}" for c in letters)
    text += f"%r:8 = scf.for %k = #0 to #$rounds step #1 iter_args({carried}) -> ({', '.join(['i32'] * 8)}) {{\n"
    text += crossed("e1", "%ve", (6, 11), rotated("e1c", "%ve", 25))
    text += crossed("e0", "%va", (2, 13), rotated("e0c", "%va", 22))
    text += """
        %ef = arith.andi %ve, %vf : i32
        %ne = arith.xori %ve, #-1:i32 : i32
        %neg = arith.andi %ne, %vg : i32
        %ch = arith.xori %ef, %neg : i32
        %ab = arith.andi %va, %vb : i32
        %ac = arith.andi %va, %vc : i32
        %bc = arith.andi %vb, %vc : i32
        %mj0 = arith.xori %ab, %ac : i32
        %mj = arith.xori %mj0, %bc : i32
        %kk = memref.load %table[%k] : $table
        %wk = memref.load %own[%k] : $own
        %t0 = arith.addi %vh, %e1 : i32
        %t1 = arith.addi %t0, %ch : i32
        %t2 = arith.addi %t1, %kk : i32
        %t3 = arith.addi %t2, %wk : i32
        %t4 = arith.addi %e0, %mj : i32
        %na = arith.addi %t3, %t4 : i32
        %nee = arith.addi %vd, %t3 : i32
        scf.yield %na, %va, %vb, %vc, %nee, %ve, %vf, %vg : i32, i32, i32, i32, i32, i32, i32, i32
        }
        """
    text += "".join(f"memref.store %r#{n}, %b[%t, #{n}] : $b\n" for n in range(8))
    fill(w, text, a=a, b=b, table=table, own=own, rounds=str(rounds))
