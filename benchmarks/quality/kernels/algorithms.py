"""Kernels of the textbooks that the other groups do not have: shared tiles of volumes, sorts across lanes, dynamic
programming, random numbers by counters, transforms of images, training steps.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from quality.emitter import Loop, Value, Writer
from quality.kernels import kernel
from quality.template import fill

group = kernel("algorithms")


@group
def marching_heat(w: Writer) -> None:
    """A 7-point stencil that marches along z, with a plane and its halo in shared memory and z in registers."""
    n, deep = 16, w.rng.randrange(5, 9)
    w.launch((1, 1), (n, n))
    a, b = w.memory(w.numbers("f32", deep, n, n)), w.memory(w.numbers("f32", deep, n, n))
    s = w.shared("f32", n + 2, n + 2)
    fill(
        w,
        """
        %x = gpu.thread_id x
        %y = gpu.thread_id y
        %nz = memref.dim %a, #0 : $a
        %x1 = arith.addi %x, #1 : index
        %y1 = arith.addi %y, #1 : index
        %x2 = arith.addi %x, #2 : index
        %y2 = arith.addi %y, #2 : index
        %west = arith.cmpi eq, %x, #0 : index
        %east = arith.cmpi eq, %x, #15 : index
        %north = arith.cmpi eq, %y, #0 : index
        %south = arith.cmpi eq, %y, #15 : index
        %last = arith.subi %nz, #1 : index
        %below0 = memref.load %a[#0, %y, %x] : $a
        %here0 = memref.load %a[#1, %y, %x] : $a
        %r:2 = scf.for %z = #1 to %last step #1 iter_args(%below = %below0, %here = %here0) -> (f32, f32) {
        %z1 = arith.addi %z, #1 : index
        %above = memref.load %a[%z1, %y, %x] : $a
        memref.store %here, %s[%y1, %x1] : $s
        scf.if %west {
        memref.store %here, %s[%y1, #0] : $s
        }
        scf.if %east {
        memref.store %here, %s[%y1, #17] : $s
        }
        scf.if %north {
        memref.store %here, %s[#0, %x1] : $s
        }
        scf.if %south {
        memref.store %here, %s[#17, %x1] : $s
        }
        gpu.barrier
        %l = memref.load %s[%y1, %x] : $s
        %g = memref.load %s[%y1, %x2] : $s
        %u = memref.load %s[%y, %x1] : $s
        %d = memref.load %s[%y2, %x1] : $s
        gpu.barrier
        %lg = arith.addf %l, %g : f32
        %ud = arith.addf %u, %d : f32
        %ab = arith.addf %above, %below : f32
        %p = arith.addf %lg, %ud : f32
        %q = arith.addf %p, %ab : f32
        %six = arith.mulf %here, #-6.0:f32 : f32
        %lap = arith.addf %q, %six : f32
        %new = math.fma %lap, #0.125:f32, %here : f32
        memref.store %new, %b[%z, %y, %x] : $b
        scf.yield %here, %above : f32, f32
        }""",
        a=a,
        b=b,
        s=s,
    )


@group
def warp_histograms(w: Writer) -> None:
    """Bins of bytes, a copy for each warp in shared memory, added up at the end."""
    warps, bins = 4, 1 << w.rng.randrange(4, 7)
    w.launch(2, 32 * warps)
    a, out = w.memory(w.numbers("i8", 2048)), w.memory(w.numbers("i32", bins, low=0, high=0))
    s = w.shared("i32", warps, bins)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %b = gpu.block_id x
        %n = gpu.block_dim x
        %warp = arith.divui %t, #32 : index
        %lane = arith.remui %t, #32 : index
        scf.for %i = %lane to #$bins step #32 {
        memref.store #0:i32, %s[%warp, %i] : $s
        }
        gpu.barrier
        %len = memref.dim %a, #0 : $a
        %first = arith.muli %b, %n : index
        %start = arith.addi %first, %t : index
        %step = arith.muli %n, #2 : index
        scf.for %i = %start to %len step %step {
        %v = memref.load %a[%i] : $a
        %w = arith.extui %v : i8 to i32
        %k = arith.andi %w, #$mask:i32 : i32
        %ki = arith.index_cast %k : i32 to index
        %old = memref.atomic_rmw addi #1:i32, %s[%warp, %ki] : (i32, $s) -> i32
        }
        gpu.barrier
        scf.for %i = %t to #$bins step %n {
        %sum = scf.for %j = #0 to #4 step #1 iter_args(%c = #0:i32) -> (i32) {
        %x = memref.load %s[%j, %i] : $s
        %y = arith.addi %c, %x : i32
        scf.yield %y : i32
        }
        %old = memref.atomic_rmw addi %sum, %o[%i] : (i32, $o) -> i32
        }""".replace("#$bins", f"#{bins}").replace("#$mask", f"#{bins - 1}"),
        a=a,
        o=out,
        s=s,
    )


@group
def radix_pass(w: Writer) -> None:
    """A pass of a radix sort by one bit at a time in a block: counted by a scan in shared memory, scattered."""
    bit = w.rng.randrange(0, 12)
    w.launch(1, 128)
    a, s, c = w.memory(w.numbers("i32", 128)), w.shared("i32", 128), w.shared("i32", 128)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %k = memref.load %a[%t] : $a
        memref.store %k, %s[%t] : $s
        gpu.barrier
        scf.for %pass = #0 to #4 step #1 {
        %x = memref.load %s[%t] : $s
        %p = arith.index_cast %pass : index to i32
        %by = arith.addi %p, #$bit:i32 : i32
        %h = arith.shrui %x, %by : i32
        %one = arith.andi %h, #1:i32 : i32
        %zero = arith.xori %one, #1:i32 : i32
        memref.store %zero, %c[%t] : $c
        gpu.barrier
        scf.for %l = #0 to #7 step #1 {
        %d = arith.shli #1, %l : index
        %has = arith.cmpi uge, %t, %d : index
        %add = scf.if %has -> (i32) {
        %at = arith.subi %t, %d : index
        %v = memref.load %c[%at] : $c
        scf.yield %v : i32
        } else {
        scf.yield #0:i32 : i32
        }
        gpu.barrier
        %mine = memref.load %c[%t] : $c
        %sum = arith.addi %mine, %add : i32
        memref.store %sum, %c[%t] : $c
        gpu.barrier
        }
        %zeros = memref.load %c[#127] : $c
        %upto = memref.load %c[%t] : $c
        %ti = arith.index_cast %t : index to i32
        %ones = arith.subi %ti, %upto : i32
        %behind = arith.addi %zeros, %ones : i32
        %isone = arith.cmpi eq, %one, #1:i32 : i32
        %front = arith.subi %upto, #1:i32 : i32
        %to = arith.select %isone, %behind, %front : i32
        %toi = arith.index_cast %to : i32 to index
        memref.store %x, %s[%toi] : $s
        gpu.barrier
        }
        %r = memref.load %s[%t] : $s
        memref.store %r, %a[%t] : $a""".replace("#$bit", f"#{bit}"),
        a=a,
        s=s,
        c=c,
    )


@group
def bitonic_lanes(w: Writer) -> None:
    """A warp's 32 numbers sorted by exchanges between lanes."""
    t = w.rng.choice(("i32", "f32"))
    w.launch(2, 64)
    a = w.memory(w.numbers(t, 128))
    x = w.load(a, w.everywhere())
    lane = w.thread().two("remui", 32)
    low, high = ("minsi", "maxsi") if t == "i32" else ("minimumf", "maximumf")
    for size in (2, 4, 8, 16, 32):
        distance = size // 2
        while distance:
            other = w.shuffle(x, distance)
            up = (lane & size).is_("==", 0) if size < 32 else None
            first = (lane & distance).is_("==", 0)
            least, most = x.two(low, other), x.two(high, other)
            if up is None:
                x = w.select(first, least, most)
            else:
                x = w.select(w.op(f"arith.cmpi eq, {up.name}, {first.name}", "i1"), least, most)
            distance //= 2
    w.store(x, a, w.everywhere())


@group
def smith_waterman(w: Writer) -> None:
    """A row of local alignment with affine gaps for each thread; the row before lies in memory."""
    length = w.rng.randrange(9, 17)
    w.launch(1, 64)
    q, d = w.memory(w.numbers("i8", 64, length, low=0, high=3)), w.memory(w.numbers("i8", length, low=0, high=3))
    h, e = w.memory(w.numbers("i32", length, 64, low=0, high=20)), w.memory(w.numbers("i32", length, 64, low=0, high=9))
    best = w.memory(w.numbers("i32", 64))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %n = memref.dim %d, #0 : $d
        %r:4 = scf.for %j = #0 to %n step #1 iter_args(%diag = #0:i32, %left = #0:i32, %f = #0:i32, ...
          %most = #0:i32) -> (i32, i32, i32, i32) {
        %c = memref.load %q[%t, %j] : $q
        %g = memref.load %d[%j] : $d
        %same = arith.cmpi eq, %c, %g : i8
        %score = arith.select %same, #3:i32, #-2:i32 : i32
        %m = arith.addi %diag, %score : i32
        %up = memref.load %h[%j, %t] : $h
        %eold = memref.load %e[%j, %t] : $e
        %e1 = arith.subi %eold, #1:i32 : i32
        %e2 = arith.subi %up, #4:i32 : i32
        %enew = arith.maxsi %e1, %e2 : i32
        %f1 = arith.subi %f, #1:i32 : i32
        %f2 = arith.subi %left, #4:i32 : i32
        %fnew = arith.maxsi %f1, %f2 : i32
        %a = arith.maxsi %m, %enew : i32
        %b = arith.maxsi %a, %fnew : i32
        %new = arith.maxsi %b, #0:i32 : i32
        memref.store %new, %h[%j, %t] : $h
        memref.store %enew, %e[%j, %t] : $e
        %next = arith.maxsi %most, %new : i32
        scf.yield %up, %new, %fnew, %next : i32, i32, i32, i32
        }
        memref.store %r#3, %o[%t] : $o""",
        q=q,
        d=d,
        h=h,
        e=e,
        o=best,
    )


@group
def fft_lanes(w: Writer) -> None:
    """A transform of 32 complex numbers, one a lane, by exchanges between lanes and twiddles of functions."""
    w.launch(1, 64)
    re, im = w.memory(w.numbers("f32", 64)), w.memory(w.numbers("f32", 64))
    lane = w.thread().to("index_cast", "i32") & 31
    x, y = w.load(re, w.thread()), w.load(im, w.thread())
    for level in range(5):
        half = 16 >> level
        a, b = w.shuffle(x, half), w.shuffle(y, half)
        upper = (lane & half).is_("!=", 0)
        angle = (lane & (half - 1)).to("sitofp", "f32") * (-3.14159265358979 / half)
        c, s = w.call("cos", angle), w.call("sin", angle)
        dx, dy = a - x, b - y
        x, y = w.select(upper, dx * c - dy * s, x + a), w.select(upper, dx * s + dy * c, y + b)
    w.store(x, re, w.thread())
    w.store(y, im, w.thread())


@group
def k_means(w: Writer) -> None:
    """The nearest of the centres in shared memory for each point, and sums of a cluster by atomics."""
    dims, k = w.rng.choice((2, 3, 4, 6)), w.rng.randrange(5, 12)
    w.launch(2, 64)
    points, centres = w.memory(w.numbers("f32", 128, dims)), w.memory(w.numbers("f32", k, dims))
    sums, labels = w.memory(w.numbers("f32", k, dims, low=0, high=0)), w.memory(w.numbers("i32", 128))
    s = w.shared("f32", k, dims)
    with w.loop(w.thread(), k * dims, 64) as fill_:
        row, column = fill_.counter.two("divui", dims), fill_.counter.two("remui", dims)
        w.store(w.load(centres, row, column), s, row, column)
    w.barrier()
    i = w.everywhere()
    with w.loop(0, k, start=(w.const(1e30, "f32"), w.const(-1, "i32"))) as best:
        with w.loop(0, dims, start=(w.const(0.0, "f32"),)) as inner:
            d = w.load(points, i, inner.counter) - w.load(s, best.counter, inner.counter)
            inner.yields = [w.op(f"math.fma {d.name}, {d.name}, {inner.carried[0].name}", "f32")]
        near = inner.results[0].is_("<", best.carried[0])
        best.yields = [
            w.select(near, inner.results[0], best.carried[0]),
            w.select(near, best.counter.to("index_cast", "i32"), best.carried[1]),
        ]
    w.store(best.results[1], labels, i)
    chosen = w.index(best.results[1])
    with w.loop(0, dims) as out:
        w.atomic("addf", w.load(points, i, out.counter), sums, chosen, out.counter)


@group
def welford_rows(w: Writer) -> None:
    """Layer norm of f16 rows by a warp each: Welford's moments merged between lanes."""
    columns = 32 * w.rng.randrange(2, 6)
    w.launch(2, 64)
    a, b = w.memory(w.numbers("f16", 4, columns)), w.memory(w.numbers("f16", 4, columns))
    g = w.memory(w.numbers("f32", columns))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %blk = gpu.block_id x
        %warp = arith.shrui %t, #5 : index
        %lane = arith.andi %t, #31 : index
        %b2 = arith.shli %blk, #1 : index
        %row = arith.addi %b2, %warp : index
        %n = memref.dim %a, #1 : $a
        %m:3 = scf.for %i = %lane to %n step #32 iter_args(%c = #0.0:f32, %mean = #0.0:f32, %v = #0.0:f32) ...
          -> (f32, f32, f32) {
        %h = memref.load %a[%row, %i] : $a
        %x = arith.extf %h : f16 to f32
        %c1 = arith.addf %c, #1.0:f32 : f32
        %d = arith.subf %x, %mean : f32
        %q = arith.divf %d, %c1 : f32
        %m1 = arith.addf %mean, %q : f32
        %e = arith.subf %x, %m1 : f32
        %v1 = math.fma %d, %e, %v : f32
        scf.yield %c1, %m1, %v1 : f32, f32, f32
        }
        %w:3 = scf.for %k = #0 to #5 step #1 iter_args(%c = %m#0, %mean = %m#1, %v = %m#2) -> (f32, f32, f32) {
        %k32 = arith.index_cast %k : index to i32
        %by = arith.shli #1:i32, %k32 : i32
        %oc, %p0 = gpu.shuffle xor %c, %by, #32:i32 : f32
        %om, %p1 = gpu.shuffle xor %mean, %by, #32:i32 : f32
        %ov, %p2 = gpu.shuffle xor %v, %by, #32:i32 : f32
        %cc = arith.addf %c, %oc : f32
        %d = arith.subf %om, %mean : f32
        %f = arith.divf %oc, %cc : f32
        %mm = math.fma %d, %f, %mean : f32
        %dd = arith.mulf %d, %d : f32
        %cf = arith.mulf %c, %f : f32
        %vs = arith.addf %v, %ov : f32
        %vv = math.fma %dd, %cf, %vs : f32
        scf.yield %cc, %mm, %vv : f32, f32, f32
        }
        %var = arith.divf %w#2, %w#0 : f32
        %vare = arith.addf %var, #1.0e-5:f32 : f32
        %rs = math.rsqrt %vare : f32
        scf.for %i = %lane to %n step #32 {
        %h = memref.load %a[%row, %i] : $a
        %x = arith.extf %h : f16 to f32
        %gi = memref.load %g[%i] : $g
        %y = arith.subf %x, %w#1 : f32
        %z = arith.mulf %y, %rs : f32
        %u = arith.mulf %z, %gi : f32
        %r = arith.truncf %u : f32 to f16
        memref.store %r, %b[%row, %i] : $b
        }""",
        a=a,
        b=b,
        g=g,
    )


@group
def gemv_int8(w: Writer) -> None:
    """Rows of bytes by a vector of f16, each row with its scale, a warp a row, 16 bytes at once."""
    columns = 512 * w.rng.randrange(1, 3)
    w.launch(2, 64)
    m, x = w.memory(w.numbers("i8", 4, columns), dynamic=False), w.memory(w.numbers("f16", columns), dynamic=False)
    scales, y = w.memory(w.numbers("f32", 4)), w.memory(w.numbers("f32", 4))
    lane = w.thread().two("remui", 32)
    row = w.program() * 2 + w.thread().two("divui", 32)
    with w.loop(lane * 16, columns, 512, start=(w.const(0.0, "vector<16xf32>"),)) as loop:
        bytes_ = w.vector(m, 16, row, loop.counter).to("sitofp", "vector<16xf32>")
        halves = w.vector(x, 16, loop.counter).to("extf", "vector<16xf32>")
        loop.yields = [w.op(f"math.fma {bytes_.name}, {halves.name}, {loop.carried[0].name}", "vector<16xf32>")]
    total = w.put(f"vector.reduction <add>, {loop.results[0].name} : vector<16xf32> into f32", "f32")
    for distance in (16, 8, 4, 2, 1):
        total = total + w.shuffle(total, distance, "down")
    with w.when(lane.is_("==", 0)):
        w.store(total * w.load(scales, row), y, row)


@group
def top_four(w: Writer) -> None:
    """The four largest numbers of a row and where they are, kept in order by a thread."""
    columns = w.rng.randrange(20, 40)
    w.launch(1, 64)
    a, v = w.memory(w.numbers("f32", 64, columns)), w.memory(w.numbers("f32", 64, 4))
    at = w.memory(w.numbers("i32", 64, 4))
    low, none = w.const(-1e30, "f32"), w.const(-1, "i32")
    t = w.thread()
    n = w.put(f"memref.dim {a.name}, {w.const(1).name} : {a.type}", "index")
    with w.loop(0, n, start=(low, low, low, low, none, none, none, none)) as loop:
        x, k = w.load(a, t, loop.counter), loop.counter.to("index_cast", "i32")
        values, places = list(loop.carried[:4]), list(loop.carried[4:])
        for i in range(4):
            above = x.is_(">", values[i])
            values[i], x = w.select(above, x, values[i]), w.select(above, values[i], x)
            places[i], k = w.select(above, k, places[i]), w.select(above, places[i], k)
        loop.yields = [*values, *places]
    for i in range(4):
        w.store(loop.results[i], v, t, i)
        w.store(loop.results[4 + i], at, t, i)


@group
def philox(w: Writer) -> None:
    """Philox 4x32: ten rounds, and normal numbers of its words."""
    rounds = w.rng.choice((7, 10))
    w.launch(1, 64)
    out = w.memory(w.numbers("f32", 64, 4))
    key0, key1 = w.scalar("i32", 0x1234567), w.scalar("i32", 0x7654321)
    c = [w.everywhere().to("index_cast", "i32"), w.const(0, "i32"), w.const(1, "i32"), w.const(2, "i32")]
    for turn in range(rounds):
        parts: list[tuple[Value, Value]] = []
        for word, by in ((c[0], -766435501), (c[2], -845247145)):
            name = f"%m{turn}_{len(parts)}"
            w.line(f"{name}:2 = arith.mului_extended {word.name}, {w.const(by, 'i32').name} : i32")
            parts.append((Value(w, f"{name}#0", "i32"), Value(w, f"{name}#1", "i32")))
        (low0, high0), (low1, high1) = parts
        c = [high1 ^ c[1] ^ key0, low1, high0 ^ c[3] ^ key1, low0]
        key0, key1 = key0 + -1640531527, key1 + -1150833019
    for i in (0, 2):
        u = w.call("fma", c[i].to("uitofp", "f32"), 2.3283064e-10, 1.1641532e-10)
        v = c[i + 1].to("uitofp", "f32") * 1.4629180e-9
        r = w.call("sqrt", w.call("log", u) * -2.0)
        w.store(r * w.call("cos", v), out, w.thread(), i)
        w.store(r * w.call("sin", v), out, w.thread(), i + 1)


@group
def crc_slices(w: Writer) -> None:
    """CRC-32 of words by four tables."""
    words = w.rng.randrange(6, 12)
    w.launch(1, 64)
    a, tables = w.memory(w.numbers("i32", 64, words)), w.memory(w.numbers("i32", 4, 256))
    o = w.memory(w.numbers("i32", 64))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %n = memref.dim %a, #1 : $a
        %r = scf.for %i = #0 to %n step #1 iter_args(%crc = #-1:i32) -> (i32) {
        %x = memref.load %a[%t, %i] : $a
        %v = arith.xori %x, %crc : i32
        %b0 = arith.andi %v, #255:i32 : i32
        %s1 = arith.shrui %v, #8:i32 : i32
        %b1 = arith.andi %s1, #255:i32 : i32
        %s2 = arith.shrui %v, #16:i32 : i32
        %b2 = arith.andi %s2, #255:i32 : i32
        %b3 = arith.shrui %v, #24:i32 : i32
        %i0 = arith.index_castui %b0 : i32 to index
        %i1 = arith.index_castui %b1 : i32 to index
        %i2 = arith.index_castui %b2 : i32 to index
        %i3 = arith.index_castui %b3 : i32 to index
        %t0 = memref.load %T[#3, %i0] : $T
        %t1 = memref.load %T[#2, %i1] : $T
        %t2 = memref.load %T[#1, %i2] : $T
        %t3 = memref.load %T[#0, %i3] : $T
        %x0 = arith.xori %t0, %t1 : i32
        %x1 = arith.xori %t2, %t3 : i32
        %x2 = arith.xori %x0, %x1 : i32
        scf.yield %x2 : i32
        }
        %e = arith.xori %r, #-1:i32 : i32
        memref.store %e, %o[%t] : $o""",
        a=a,
        T=tables,
        o=o,
    )


@group
def find_word(w: Writer) -> None:
    """The first place of a word in a text: a search with an early exit from both loops."""
    n, m = w.rng.randrange(24, 40), w.rng.randrange(2, 4)
    w.launch(1, 64)
    a, p = (w.memory(w.numbers("i8", *shape, low=97, high=98)) for shape in ((64, n), (m,)))
    o = w.memory(w.numbers("i32", 64))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %n = memref.dim %a, #1 : $a
        %m = memref.dim %p, #0 : $p
        %end = arith.subi %n, %m : index
        %r = scf.while (%i = #0) : (index) -> (index) {
        %in = arith.cmpi sle, %i, %end : index
        %go = scf.if %in -> (i1) {
        %k = scf.while (%j = #0) : (index) -> (index) {
        %more = arith.cmpi slt, %j, %m : index
        %same = scf.if %more -> (i1) {
        %at = arith.addi %i, %j : index
        %c = memref.load %a[%t, %at] : $a
        %d = memref.load %p[%j] : $p
        %e = arith.cmpi eq, %c, %d : i8
        scf.yield %e : i1
        } else {
        scf.yield %more : i1
        }
        scf.condition(%same) %j : index
        } do {
        ^bb0(%j: index):
        %j1 = arith.addi %j, #1 : index
        scf.yield %j1 : index
        }
        %whole = arith.cmpi slt, %k, %m : index
        scf.yield %whole : i1
        } else {
        scf.yield %in : i1
        }
        scf.condition(%go) %i : index
        } do {
        ^bb0(%i: index):
        %i1 = arith.addi %i, #1 : index
        scf.yield %i1 : index
        }
        %f = arith.cmpi sle, %r, %end : index
        %ri = arith.index_cast %r : index to i32
        %v = arith.select %f, %ri, #-1:i32 : i32
        memref.store %v, %o[%t] : $o""",
        a=a,
        p=p,
        o=o,
    )


@group
def spheres(w: Writer) -> None:
    """The nearest of some spheres along a ray, its normal and light."""
    n = w.rng.randrange(5, 9)
    w.launch((2, 2), (8, 8))
    s, o = w.memory(w.numbers("f32", n, 4, low=0.2, high=2.0)), w.memory(w.numbers("f32", 16, 16))
    x, y = w.everywhere("x"), w.everywhere("y")
    u, v = (one.to("index_cast", "i32").to("sitofp", "f32") * 0.125 for one in (x, y))
    length = w.call("rsqrt", u * u + v * v + 1.0)
    dx, dy, dz = u * length, v * length, length
    count = w.put(f"memref.dim {s.name}, {w.const(0).name} : {s.type}", "index")
    zero = w.const(0.0, "f32")
    with w.loop(0, count, start=(w.const(1e30, "f32"), zero, zero, zero)) as loop:
        cx, cy, cz, r = (w.load(s, loop.counter, k) for k in range(4))
        b = cx * dx + cy * dy + cz * dz
        c = cx * cx + cy * cy + cz * cz - r * r
        disc = b * b - c

        def hit(
            loop: Loop = loop, b: Value = b, disc: Value = disc, r: Value = r, centre: tuple[Value, ...] = (cx, cy, cz)
        ) -> list[Value]:
            t = b - w.call("sqrt", disc)
            near = w.op(f"arith.andi {t.is_('>', 0.001).name}, {t.is_('<', loop.carried[0]).name}", "i1")
            inv = 1.0 / r
            normal = [(d * t - q) * inv for d, q in zip((dx, dy, dz), centre, strict=True)]
            return [w.select(near, p, q) for p, q in zip([t, *normal], loop.carried, strict=True)]

        loop.yields = w.either(disc.is_(">", 0.0), hit, lambda loop=loop: list(loop.carried))
    t, nx, ny, nz = loop.results
    light = (nx * 0.57735 + ny * 0.57735 - nz * 0.57735).two("maximumf", 0.0)
    w.store(w.select(t.is_("<", 1e29), light, zero), o, y, x)


@group
def lu_pivoted(w: Writer) -> None:
    """The determinant of a small matrix of the thread's own by elimination with pivots."""
    n, t = 4, w.rng.choice(("f32", "f64"))
    w.launch(1, 32)
    a, o = w.memory(w.numbers(t, 32, n, n)), w.memory(w.numbers(t, 32))
    m = w.local(t, n, n)
    i = w.thread()
    for r in range(n):
        for c in range(n):
            w.store(w.load(a, i, r, c), m, r, c)
    with w.loop(0, n, start=(w.const(1.0, t),)) as k:
        with w.loop(k.counter + 1, n, start=(k.counter, w.call("absf", w.load(m, k.counter, k.counter)))) as p:
            v = w.call("absf", w.load(m, p.counter, k.counter))
            more = v.is_(">", p.carried[1])
            p.yields = [w.select(more, p.counter, p.carried[0]), w.select(more, v, p.carried[1])]
        pivot = p.results[0]
        with w.loop(k.counter, n) as c:
            x, y = w.load(m, k.counter, c.counter), w.load(m, pivot, c.counter)
            w.store(y, m, k.counter, c.counter)
            w.store(x, m, pivot, c.counter)
        d = w.load(m, k.counter, k.counter)
        signed = w.select(pivot.is_("==", k.counter), d, 0.0 - d)
        with w.loop(k.counter + 1, n) as r:
            f = w.load(m, r.counter, k.counter) / d
            with w.loop(k.counter + 1, n) as c:
                w.store(w.load(m, r.counter, c.counter) - f * w.load(m, k.counter, c.counter), m, r.counter, c.counter)
        k.yields = [k.carried[0] * signed]
    w.store(k.results[0], o, i)


@group
def floyd_tile(w: Writer) -> None:
    """All shortest paths within a tile in shared memory."""
    t = w.rng.choice(("i32", "f32"))
    w.launch(1, (16, 16))
    a = w.memory(w.numbers(t, 48, 48, low=1, high=50))
    s = w.shared(t, 16, 16)
    x, y = w.thread("x"), w.thread("y")
    off = w.scalar("index", 16)
    w.store(w.load(a, off + y, off + x), s, y, x)
    w.barrier()
    with w.loop(0, 16) as k:
        through = w.load(s, y, k.counter) + w.load(s, k.counter, x)
        old = w.load(s, y, x)
        new = old.two("minsi" if t == "i32" else "minnumf", through)
        w.barrier()
        w.store(new, s, y, x)
        w.barrier()
    w.store(w.load(s, y, x), a, off + y, off + x)


@group
def lattice_boltzmann(w: Writer) -> None:
    """A step of D2Q9: streaming from wrapped neighbours, collision towards equilibrium."""
    nx, ny = 16, w.rng.randrange(6, 10)
    w.launch((1, ny), (16, 1))
    f, g = w.memory(w.numbers("f32", 9, ny, nx, low=0.05, high=0.2)), w.memory(w.numbers("f32", 9, ny, nx))
    x, y = w.everywhere("x"), w.everywhere("y")
    sx = w.put(f"memref.dim {f.name}, {w.const(2).name} : {f.type}", "index")
    sy = w.put(f"memref.dim {f.name}, {w.const(1).name} : {f.type}", "index")
    moves = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
    weights = (4 / 9, *(1 / 9,) * 4, *(1 / 36,) * 4)
    values = []
    for k, (cx, cy) in enumerate(moves):
        px = (x - cx + sx) % sx
        py = (y - cy + sy) % sy
        values.append(w.load(f, k, py, px))
    rho = values[0]
    for v in values[1:]:
        rho = rho + v
    ux = (values[1] - values[3] + values[5] - values[6] - values[7] + values[8]) / rho
    uy = (values[2] - values[4] + values[5] + values[6] - values[7] - values[8]) / rho
    square = (ux * ux + uy * uy) * 1.5
    for k, (cx, cy) in enumerate(moves):
        cu = (ux * float(cx) + uy * float(cy)) * 3.0
        eq = rho * weights[k] * (cu * cu * 0.5 + cu + 1.0 - square)
        w.store(values[k] + (eq - values[k]) * 0.6, g, k, y, x)


@group
def monte_carlo_pi(w: Writer) -> None:
    """Points in a circle by a linear congruence each thread, counted by a block."""
    n = w.rng.randrange(10, 30)
    w.launch(2, 64)
    o = w.memory(w.numbers("i32", 1, low=0, high=0))
    trials = w.scalar("i32", n)
    s = w.shared("i32", 64)
    seed = w.everywhere().to("index_cast", "i32") * 747796405 + 12345
    with w.loop(w.const(0, "i32"), trials, w.const(1, "i32"), start=(seed, w.const(0, "i32")), kind="i32") as loop:
        a = loop.carried[0] * 1664525 + 1013904223
        b = a * 1664525 + 1013904223
        x = a.two("shrui", 8).to("uitofp", "f32") * 5.9604645e-8
        y = b.two("shrui", 8).to("uitofp", "f32") * 5.9604645e-8
        inside = (x * x + y * y).is_("<=", 1.0)
        loop.yields = [b, loop.carried[1] + inside.to("extui", "i32")]
    t = w.thread()
    w.store(loop.results[1], s, t)
    w.barrier()
    for half in (32, 16, 8, 4, 2, 1):
        with w.when(t.is_("<", half, unsigned=True)):
            w.store(w.load(s, t) + w.load(s, t + half), s, t)
        w.barrier()
    with w.when(t.is_("==", 0)):
        w.atomic("addi", w.load(s, 0), o, 0)


@group
def haar(w: Writer) -> None:
    """All levels of Haar's wavelets of a row in shared memory."""
    n = 64
    w.launch(2, n)
    a, s = w.memory(w.numbers("f32", 2, n)), w.shared("f32", n)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %b = gpu.block_id x
        %x = memref.load %a[%b, %t] : $a
        memref.store %x, %s[%t] : $s
        gpu.barrier
        %r = scf.while (%n = #64) : (index) -> (index) {
        %more = arith.cmpi ugt, %n, #1 : index
        scf.condition(%more) %n : index
        } do {
        ^bb0(%n: index):
        %half = arith.divui %n, #2 : index
        %in = arith.cmpi ult, %t, %half : index
        %pair:2 = scf.if %in -> (f32, f32) {
        %i = arith.muli %t, #2 : index
        %j = arith.addi %i, #1 : index
        %u = memref.load %s[%i] : $s
        %v = memref.load %s[%j] : $s
        scf.yield %u, %v : f32, f32
        } else {
        scf.yield #0.0:f32, #0.0:f32 : f32, f32
        }
        gpu.barrier
        scf.if %in {
        %p = arith.addf %pair#0, %pair#1 : f32
        %q = arith.subf %pair#0, %pair#1 : f32
        %ps = arith.mulf %p, #0.70710678:f32 : f32
        %qs = arith.mulf %q, #0.70710678:f32 : f32
        %at = arith.addi %half, %t : index
        memref.store %ps, %s[%t] : $s
        memref.store %qs, %s[%at] : $s
        }
        gpu.barrier
        scf.yield %half : index
        }
        %y = memref.load %s[%t] : $s
        memref.store %y, %a[%b, %t] : $a""",
        a=a,
        s=s,
    )


@group
def cosines_8x8(w: Writer) -> None:
    """A block of 8 x 8 bytes by cosines in both directions, a thread a row, then a column; quantised."""
    w.launch(2, 8)
    a, o = w.memory(w.numbers("i8", 2, 8, 8)), w.memory(w.numbers("i16", 2, 8, 8))
    q, s = w.memory(w.numbers("i16", 8, 8, low=1, high=40)), w.shared("f32", 8, 8)
    t, b = w.thread(), w.program()

    def transform(x: list[Value]) -> list[Value]:
        s07, d07, s16, d16 = x[0] + x[7], x[0] - x[7], x[1] + x[6], x[1] - x[6]
        s25, d25, s34, d34 = x[2] + x[5], x[2] - x[5], x[3] + x[4], x[3] - x[4]
        a0, a3, a1, a2 = s07 + s34, s07 - s34, s16 + s25, s16 - s25
        z = (a2 + a3) * 0.707106781
        b0, b1, b2 = d34 + d25, d25 + d16, d16 + d07
        z5 = (b0 - b2) * 0.382683433
        z2, z4, z3 = b0 * 0.5411961 + z5, b2 * 1.306562965 + z5, b1 * 0.707106781
        p, m = d07 + z3, d07 - z3
        return [a0 + a1, p + z4, a3 + z, m - z2, a0 - a1, m + z2, a3 - z, p - z4]

    row = [w.load(a, b, t, i).to("extui", "i32").to("sitofp", "f32") - 128.0 for i in range(8)]
    for i, y in enumerate(transform(row)):
        w.store(y, s, t, i)
    w.barrier()
    for i, y in enumerate(transform([w.load(s, i, t) for i in range(8)])):
        by = w.load(q, i, t).to("sitofp", "f32")
        w.store(w.op(f"math.roundeven {(y / by).name}", "f32").to("fptosi", "i16"), o, b, i, t)


@group
def pooled_places(w: Writer) -> None:
    """Maximal pooling with padding and the place of the maximum, in i64."""
    size, stride, pad = w.rng.choice((2, 3)), 2, 1
    w.launch((1, 8, 2), (8, 1, 1))
    a, o = w.memory(w.numbers("f32", 2, 14, 15)), w.memory(w.numbers("f32", 2, 8, 8))
    at = w.memory(w.numbers("i64", 2, 8, 8))
    x, y, c = w.everywhere("x"), w.program("y"), w.program("z")
    h = w.put(f"memref.dim {a.name}, {w.const(1).name} : {a.type}", "index")
    wd = w.put(f"memref.dim {a.name}, {w.const(2).name} : {a.type}", "index")
    with w.loop(0, size, start=(w.const(-1e30, "f32"), w.const(-1, "i64"))) as ky:
        with w.loop(0, size, start=ky.carried) as kx:
            iy, ix = y * stride + ky.counter - pad, x * stride + kx.counter - pad
            ok = [iy.is_(">=", 0), iy.is_("<", h), ix.is_(">=", 0), ix.is_("<", wd)]
            test = ok[0]
            for one in ok[1:]:
                test = w.op(f"arith.andi {test.name}, {one.name}", "i1")

            def inside(kx: Loop = kx, iy: Value = iy, ix: Value = ix) -> list[Value]:
                v = w.load(a, c, iy, ix)
                more = v.is_(">", kx.carried[0])
                place = (iy * wd + ix).to("index_cast", "i64")
                return [w.select(more, v, kx.carried[0]), w.select(more, place, kx.carried[1])]

            kx.yields = w.either(test, inside, lambda kx=kx: list(kx.carried))
        ky.yields = kx.results
    w.store(ky.results[0], o, c, y, x)
    w.store(ky.results[1], at, c, y, x)


@group
def products_f64(w: Writer) -> None:
    """Batches of small products of f64, sizes known as they run, beta and alpha."""
    m, n, k = w.rng.randrange(4, 8), 8, w.rng.randrange(5, 11)
    w.launch(3, (n, m))
    a, b, c = (w.memory(w.numbers("f64", 3, *s)) for s in ((m, k), (k, n), (m, n)))
    alpha, beta = w.scalar("f64", 1.25), w.scalar("f64", 0.5)
    z, i, j = w.program(), w.thread("y"), w.thread("x")
    size = w.put(f"memref.dim {a.name}, {w.const(2).name} : {a.type}", "index")
    with w.loop(0, size, start=(w.const(0.0, "f64"),)) as loop:
        loop.yields = [w.load(a, z, i, loop.counter) * w.load(b, z, loop.counter, j) + loop.carried[0]]
    w.store(loop.results[0] * alpha + w.load(c, z, i, j) * beta, c, z, i, j)


@group
def blurred_bytes(w: Writer) -> None:
    """A separable blur of bytes with rounding, rows then columns in shared memory, edges clamped."""
    w.launch(2, (16, 8))
    a, o = w.memory(w.numbers("i8", 2, 8, 16)), w.memory(w.numbers("i8", 2, 8, 16))
    s = w.shared("i16", 8, 16)
    x, y, b = w.thread("x"), w.thread("y"), w.program()
    taps = (1, 4, 6, 4, 1)
    total = w.const(0, "i32")
    for d, tap in zip(range(-2, 3), taps, strict=True):
        at = (x + d).two("maxsi", 0).two("minsi", 15)
        total = total + w.load(a, b, y, at).to("extui", "i32") * tap
    w.store(total.to("trunci", "i16"), s, y, x)
    w.barrier()
    total = w.const(128, "i32")
    for d, tap in zip(range(-2, 3), taps, strict=True):
        at = (y + d).two("maxsi", 0).two("minsi", 7)
        total = total + w.load(s, at, x).to("extui", "i32") * tap
    w.store(total.two("shrui", 8).to("trunci", "i8"), o, b, y, x)


@group
def noise(w: Writer) -> None:
    """Gradient noise of two dimensions, several octaves."""
    octaves = w.rng.randrange(2, 5)
    w.launch(2, 64)
    table, o = w.memory(w.numbers("i32", 256, low=0, high=255)), w.memory(w.numbers("f32", 128))
    i = w.everywhere()
    i32 = i.to("index_cast", "i32")
    x0, y0 = (i32 & 15).to("sitofp", "f32") * 0.37, i32.two("shrui", 4).to("uitofp", "f32") * 0.61
    one = w.const(1.0, "f32")

    def corner(ix: Value, iy: Value, dx: Value, dy: Value) -> Value:
        h = w.load(table, w.index(w.load(table, w.index(ix & 255)) + iy & 255)) & 3
        u = w.select((h & 1).is_("==", 0), dx, 0.0 - dx)
        v = w.select((h & 2).is_("==", 0), dy, 0.0 - dy)
        return u + v

    def fade(t: Value) -> Value:
        return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)

    with w.loop(0, octaves, start=(w.const(0.0, "f32"), x0, y0, one)) as loop:
        sum_, x, y, size = loop.carried
        fx, fy = w.call("floor", x), w.call("floor", y)
        ix, iy, dx, dy = fx.to("fptosi", "i32"), fy.to("fptosi", "i32"), x - fx, y - fy
        u, v = fade(dx), fade(dy)
        a, b = corner(ix, iy, dx, dy), corner(ix + 1, iy, dx - 1.0, dy)
        c, d = corner(ix, iy + 1, dx, dy - 1.0), corner(ix + 1, iy + 1, dx - 1.0, dy - 1.0)
        p, q = a + u * (b - a), c + u * (d - c)
        loop.yields = [sum_ + size * (p + v * (q - p)), x * 2.0, y * 2.0, size * 0.5]
    w.store(loop.results[0], o, i)


@group
def bit_distance(w: Writer) -> None:
    """Myers' edit distance of a word of 32 letters by bits of i64."""
    n = w.rng.randrange(10, 24)
    w.launch(1, 64)
    peq, text = w.memory(w.numbers("i64", 4)), w.memory(w.numbers("i8", 64, n, low=0, high=3))
    o = w.memory(w.numbers("i32", 64))
    m = w.rng.choice((31, 47, 63))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %n = memref.dim %a, #1 : $a
        %r:3 = scf.for %j = #0 to %n step #1 iter_args(%pv = #-1:i64, %mv = #0:i64, %score = #$m:i32) ...
          -> (i64, i64, i32) {
        %c = memref.load %a[%t, %j] : $a
        %ci = arith.index_cast %c : i8 to index
        %eq = memref.load %p[%ci] : $p
        %xv = arith.ori %eq, %mv : i64
        %e1 = arith.andi %eq, %pv : i64
        %e2 = arith.addi %e1, %pv : i64
        %e3 = arith.xori %e2, %pv : i64
        %xh = arith.ori %e3, %eq : i64
        %o1 = arith.ori %xh, %pv : i64
        %not = arith.xori %o1, #-1:i64 : i64
        %ph = arith.ori %mv, %not : i64
        %mh = arith.andi %pv, %xh : i64
        %pb = arith.shrui %ph, #$m:i64 : i64
        %p1 = arith.andi %pb, #1:i64 : i64
        %mb = arith.shrui %mh, #$m:i64 : i64
        %m1 = arith.andi %mb, #1:i64 : i64
        %pi = arith.trunci %p1 : i64 to i32
        %mi = arith.trunci %m1 : i64 to i32
        %s1 = arith.addi %score, %pi : i32
        %s2 = arith.subi %s1, %mi : i32
        %ph1 = arith.shli %ph, #1:i64 : i64
        %ph2 = arith.ori %ph1, #1:i64 : i64
        %mh2 = arith.shli %mh, #1:i64 : i64
        %x1 = arith.ori %xv, %ph2 : i64
        %x2 = arith.xori %x1, #-1:i64 : i64
        %pv2 = arith.ori %mh2, %x2 : i64
        %mv2 = arith.andi %ph2, %xv : i64
        scf.yield %pv2, %mv2, %s2 : i64, i64, i32
        }
        memref.store %r#2, %o[%t] : $o""".replace("#$m", f"#{m}"),
        a=text,
        p=peq,
        o=o,
    )


@group
def long_product(w: Writer) -> None:
    """The product of two numbers of four words of 32 bits with carries, by constant loops over arrays."""
    n = w.rng.choice((3, 4))
    w.launch(1, 64)
    a, b, o = (w.memory(w.numbers("i32", words, 64)) for words in (n, n, 2 * n))
    t, m = w.thread(), w.local("i32", 2 * n)
    for k in range(2 * n):
        w.store(0, m, k)
    with w.loop(0, n) as i:
        x = w.load(a, i.counter, t).to("extui", "i64")
        with w.loop(0, n, start=(w.const(0, "i64"),)) as j:
            at = i.counter + j.counter
            y = w.load(b, j.counter, t).to("extui", "i64")
            z = x * y + w.load(m, at).to("extui", "i64") + j.carried[0]
            w.store(z.to("trunci", "i32"), m, at)
            j.yields = [z.two("shrui", 32)]
        w.store(j.results[0].to("trunci", "i32"), m, i.counter + n)
    for k in range(2 * n):
        w.store(w.load(m, k), o, k, t)


@group
def cipher_round(w: Writer) -> None:
    """Rounds of a cipher by tables: words of shuffled bytes, rotated, with keys."""
    rounds = w.rng.randrange(3, 10)
    w.launch(1, 64)
    table, keys, a = (w.memory(w.numbers("i32", *shape)) for shape in ((256,), (12, 4), (64, 4)))
    s = w.shared("i32", 256)
    t = w.thread()
    with w.loop(t, 256, 64) as loop:
        w.store(w.load(table, loop.counter), s, loop.counter)
    w.barrier()
    state = [w.load(a, t, k) for k in range(4)]
    number = w.scalar("index", rounds)
    with w.loop(0, number, start=state) as loop:
        new: list[Value] = []
        for k in range(4):
            word = w.load(keys, loop.counter, k)
            for j in range(4):
                byte = loop.carried[(k + j) % 4].two("shrui", 24 - 8 * j) & 255
                entry = w.load(s, byte.to("index_castui", "index"))
                word = word ^ (entry if j == 0 else entry.two("shrui", 8 * j) | entry << (32 - 8 * j))
            new.append(word)
        loop.yields = new
    for k in range(4):
        w.store(loop.results[k], a, t, k)


@group
def gated_bf16(w: Writer) -> None:
    """SwiGLU of bf16 by vectors."""
    lanes = w.rng.choice((2, 4, 8))
    w.launch(2, 64)
    g, u, o = (w.memory(w.numbers("bf16", 128 * lanes)) for _ in range(3))
    i = w.everywhere() * lanes
    x = w.vector(g, lanes, i).to("extf", f"vector<{lanes}xf32>")
    y = w.vector(u, lanes, i).to("extf", f"vector<{lanes}xf32>")
    e = w.call("exp", 0.0 - x) + 1.0
    w.store_vector((x / e * y).to("truncf", f"vector<{lanes}xbf16>"), o, i)


@group
def cross_entropy(w: Writer) -> None:
    """The loss of a row and its gradient, labels in i64, by a block."""
    classes = w.rng.randrange(70, 200)
    w.launch(2, 64)
    x, labels = w.memory(w.numbers("f32", 2, classes)), w.memory(w.numbers("i64", 2, low=0, high=classes - 1))
    loss, grad = w.memory(w.numbers("f32", 2)), w.memory(w.numbers("f32", 2, classes))
    s = w.shared("f32", 2)
    row, t = w.program(), w.thread()
    n = w.put(f"memref.dim {x.name}, {w.const(1).name} : {x.type}", "index")
    warp, lane = t.two("divui", 32), t.two("remui", 32)

    def whole(value: Value, combine: Callable[[Value, Value], Value]) -> Value:
        for distance in (16, 8, 4, 2, 1):
            value = combine(value, w.shuffle(value, distance))
        with w.when(lane.is_("==", 0)):
            w.store(value, s, warp)
        w.barrier()
        value = combine(w.load(s, 0), w.load(s, 1))
        w.barrier()
        return value

    with w.loop(t, n, 64, start=(w.const(-1e30, "f32"),)) as loop:
        loop.yields = [loop.carried[0].two("maximumf", w.load(x, row, loop.counter))]
    most = whole(loop.results[0], lambda a, b: a.two("maximumf", b))
    with w.loop(t, n, 64, start=(w.const(0.0, "f32"),)) as loop:
        loop.yields = [loop.carried[0] + w.call("exp", w.load(x, row, loop.counter) - most)]
    total = whole(loop.results[0], lambda a, b: a + b)
    label = w.index(w.load(labels, row))
    inverse = 1.0 / total
    with w.loop(t, n, 64) as loop:
        p = w.call("exp", w.load(x, row, loop.counter) - most) * inverse
        w.store(w.select(loop.counter.is_("==", label), p - 1.0, p), grad, row, loop.counter)
    with w.when(t.is_("==", 0)):
        w.store(w.call("log", total) + most - w.load(x, row, label), loss, row)


@group
def adam(w: Writer) -> None:
    """A step of Adam with decay, moments in f32, weights in f32 and bf16, a loop over the grid."""
    n = w.rng.randrange(300, 500)
    w.launch(2, 64)
    p, g, m, v = (w.memory(w.numbers("f32", n, low=0.0, high=1.0)) for _ in range(4))
    h = w.memory(w.numbers("bf16", n))
    rate, c1, c2 = w.scalar("f32", 1e-3), w.scalar("f32", 0.1), w.scalar("f32", 0.05)
    size = w.put(f"memref.dim {p.name}, {w.const(0).name} : {p.type}", "index")
    step = w.put("gpu.grid_dim x", "index") * w.put("gpu.block_dim x", "index")
    with w.loop(w.everywhere(), size, step) as loop:
        i = loop.counter
        grad = w.load(g, i)
        m1 = w.load(m, i) * 0.9 + grad * 0.1
        v1 = w.load(v, i) * 0.999 + grad * grad * 0.001
        w.store(m1, m, i)
        w.store(v1, v, i)
        old = w.load(p, i)
        new = old - rate * ((m1 / c1) / (w.call("sqrt", v1 / c2) + 1e-8) + old * 0.01)
        w.store(new, p, i)
        w.store(new.to("truncf", "bf16"), h, i)


@group
def embedding_bag(w: Writer) -> None:
    """Sums of rows of a table that lists of places choose, four columns a thread."""
    dim = 4 * w.rng.choice((8, 16))
    w.launch(3, dim // 4)
    table, places = w.memory(w.numbers("f32", 20, dim)), w.memory(w.numbers("i32", 40, low=0, high=19))
    starts, o = w.memory(np.array((0, 9, 17, 40), np.int32)), w.memory(w.numbers("f32", 3, dim))
    bag, column = w.program(), w.thread() * 4
    first, last = w.index(w.load(starts, bag)), w.index(w.load(starts, bag + 1))
    with w.loop(first, last, start=(w.const(0.0, "vector<4xf32>"),)) as loop:
        row = w.index(w.load(places, loop.counter))
        loop.yields = [loop.carried[0] + w.vector(table, 4, row, column)]
    w.store_vector(loop.results[0], o, bag, column)


@group
def bilateral(w: Writer) -> None:
    """A bilateral filter of 5 x 5 with clamped edges."""
    n = 12
    w.launch((1, n), (n, 1))
    a, o = w.memory(w.numbers("f32", n, n)), w.memory(w.numbers("f32", n, n))
    x, y = w.everywhere("x"), w.everywhere("y")
    c = w.load(a, y, x)
    zero = w.const(0.0, "f32")
    with w.loop(-2, 3, start=(zero, zero)) as dy:
        with w.loop(-2, 3, start=dy.carried) as dx:
            iy = (y + dy.counter).two("maxsi", 0).two("minsi", n - 1)
            ix = (x + dx.counter).two("maxsi", 0).two("minsi", n - 1)
            v = w.load(a, iy, ix)
            d = v - c
            r = (dx.counter * dx.counter + dy.counter * dy.counter).to("index_cast", "i32").to("sitofp", "f32")
            weight = w.call("exp", r * -0.22 - d * d * 3.0)
            dx.yields = [dx.carried[0] + weight, dx.carried[1] + weight * v]
        dy.yields = dx.results
    w.store(dy.results[1] / dy.results[0], o, y, x)
