"""Small programs of many fields: searches, graphs, numbers of several words, matrices, signals, words of bits."""

from __future__ import annotations

from quality.emitter import Writer
from quality.kernels import kernel
from quality.template import fill

group = kernel("programs")


@group
def mandelbrot(w: Writer) -> None:
    """Steps of `complex` numbers until they leave the circle."""
    n, most = 64, w.rng.randrange(20, 60)
    w.launch(1, n)
    re, im, b, steps = (
        w.memory(w.numbers("f32", n)),
        w.memory(w.numbers("f32", n)),
        w.memory(w.numbers("i32", n)),
        w.scalar("i32", most),
    )
    fill(
        w,
        """
        %t = gpu.thread_id x
        %x = memref.load %re[%t] : $re
        %y = memref.load %im[%t] : $im
        %c = complex.create %x, %y : complex<f32>
        %zero = complex.create #0.0:f32, #0.0:f32 : complex<f32>
        %r:2 = scf.while (%z = %zero, %k = #0:i32) : (complex<f32>, i32) -> (complex<f32>, i32) {
        %u = complex.re %z : complex<f32>
        %v = complex.im %z : complex<f32>
        %uu = arith.mulf %u, %u : f32
        %vv = arith.mulf %v, %v : f32
        %s = arith.addf %uu, %vv : f32
        %in = arith.cmpf olt, %s, #4.0:f32 : f32
        %left = arith.cmpi slt, %k, %steps : i32
        %go = arith.andi %in, %left : i1
        scf.condition(%go) %z, %k : complex<f32>, i32
        } do {
        ^bb0(%z: complex<f32>, %k: i32):
        %q = complex.mul %z, %z : complex<f32>
        %n = complex.add %q, %c : complex<f32>
        %k1 = arith.addi %k, #1:i32 : i32
        scf.yield %n, %k1 : complex<f32>, i32
        }
        memref.store %r#1, %b[%t] : $b""",
        re=re,
        im=im,
        b=b,
        steps=steps,
    )


@group
def inverse_4x4(w: Writer) -> None:
    """The inverse of small matrices by Gauss and Jordan, unrolled, all in registers."""
    t, n, k = w.rng.choice(("f32", "f64")), 32, w.rng.choice((2, 3, 4))
    w.launch(1, n)
    a, b = w.memory(w.numbers(t, n, k, k, low=0.5)), w.memory(w.numbers(t, n, k, k))
    i = w.thread()
    m = [[w.load(a, i, r, c) for c in range(k)] for r in range(k)]
    for r in range(k):
        m[r][r] = m[r][r] + 5.0
    e = [[w.const(float(r == c), t) for c in range(k)] for r in range(k)]
    for p in range(k):
        by = w.const(1.0, t) / m[p][p]
        m[p] = [x * by for x in m[p]]
        e[p] = [x * by for x in e[p]]
        for r in range(k):
            if r != p:
                f = m[r][p]
                m[r] = [x - f * y for x, y in zip(m[r], m[p], strict=True)]
                e[r] = [x - f * y for x, y in zip(e[r], e[p], strict=True)]
    for r in range(k):
        for c in range(k):
            w.store(e[r][c], b, i, r, c)


@group
def xoshiro(w: Writer) -> None:
    """xoshiro256 in four words of 64 bits, numbers of f64."""
    n, k = 32, w.rng.randrange(8, 20)
    w.launch(1, n)
    s, b, count = w.memory(w.numbers("i64", n, 4)), w.memory(w.numbers("f64", k, n)), w.scalar("index", k)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %s0 = memref.load %s[%t, #0] : $s
        %s1 = memref.load %s[%t, #1] : $s
        %s2 = memref.load %s[%t, #2] : $s
        %s3 = memref.load %s[%t, #3] : $s
        %r:4 = scf.for %k = #0 to %count step #1 iter_args(%a = %s0, %d = %s1, %c = %s2, %e = %s3) ...
        -> (i64, i64, i64, i64) {
        %m5 = arith.muli %d, #5:i64 : i64
        %l7 = arith.shli %m5, #7:i64 : i64
        %h7 = arith.shrui %m5, #57:i64 : i64
        %o7 = arith.ori %l7, %h7 : i64
        %m9 = arith.muli %o7, #9:i64 : i64
        %x17 = arith.shli %d, #17:i64 : i64
        %c1 = arith.xori %c, %a : i64
        %e1 = arith.xori %e, %d : i64
        %d1 = arith.xori %d, %c1 : i64
        %a1 = arith.xori %a, %e1 : i64
        %c2 = arith.xori %c1, %x17 : i64
        %l45 = arith.shli %e1, #45:i64 : i64
        %h45 = arith.shrui %e1, #19:i64 : i64
        %e2 = arith.ori %l45, %h45 : i64
        %top = arith.shrui %m9, #11:i64 : i64
        %f = arith.uitofp %top : i64 to f64
        %u = arith.mulf %f, #1.1102230246251565e-16:f64 : f64
        memref.store %u, %b[%k, %t] : $b
        scf.yield %a1, %d1, %c2, %e2 : i64, i64, i64, i64
        }
        memref.store %r#0, %s[%t, #0] : $s
        memref.store %r#1, %s[%t, #1] : $s
        memref.store %r#2, %s[%t, #2] : $s
        memref.store %r#3, %s[%t, #3] : $s""",
        s=s,
        b=b,
        count=count,
    )


@group
def sobol(w: Writer) -> None:
    """Sobol's sequence: the direction numbers of the bits that are set."""
    n, first = 128, w.rng.randrange(1, 5000)
    w.launch(1, n)
    v, b, base = w.memory(w.numbers("i32", 32)), w.memory(w.numbers("f32", n)), w.scalar("i32", first)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %ti = arith.index_cast %t : index to i32
        %i = arith.addi %ti, %base : i32
        %sh = arith.shrui %i, #1:i32 : i32
        %gray = arith.xori %i, %sh : i32
        %r:3 = scf.while (%g = %gray, %x = #0:i32, %k = #0) : (i32, i32, index) -> (i32, i32, index) {
        %some = arith.cmpi ne, %g, #0:i32 : i32
        scf.condition(%some) %g, %x, %k : i32, i32, index
        } do {
        ^bb0(%g: i32, %x: i32, %k: index):
        %bit = arith.andi %g, #1:i32 : i32
        %set = arith.cmpi eq, %bit, #1:i32 : i32
        %d = memref.load %v[%k] : $v
        %y = arith.xori %x, %d : i32
        %z = arith.select %set, %y, %x : i32
        %g1 = arith.shrui %g, #1:i32 : i32
        %k1 = arith.addi %k, #1 : index
        scf.yield %g1, %z, %k1 : i32, i32, index
        }
        %f = arith.uitofp %r#1 : i32 to f32
        %u = arith.mulf %f, #2.3283064365386963e-10:f32 : f32
        memref.store %u, %b[%t] : $b""",
        v=v,
        b=b,
        base=base,
    )


@group
def ell(w: Writer) -> None:
    """A sparse matrix of rows of equal length, columns of -1 skipped."""
    t, rows, k = w.rng.choice(("f32", "f64")), 128, w.rng.randrange(5, 20)
    w.launch(2, 64)
    columns = w.numbers("i32", k, rows, low=-3, high=rows - 1)
    c, v, x, y = (
        w.memory(columns),
        w.memory(w.numbers(t, k, rows)),
        w.memory(w.numbers(t, rows)),
        w.memory(w.numbers(t, rows)),
    )
    fill(
        w,
        """
        %t = gpu.thread_id x
        %g = gpu.block_id x
        %d = gpu.block_dim x
        %o = arith.muli %g, %d : index
        %i = arith.addi %o, %t : index
        %k = memref.dim %c, #0 : $c
        %s = scf.for %j = #0 to %k step #1 iter_args(%acc = #0.0:$T) -> ($T) {
        %col = memref.load %c[%j, %i] : $c
        %real = arith.cmpi sge, %col, #0:i32 : i32
        %n = scf.if %real -> ($T) {
        %ci = arith.index_cast %col : i32 to index
        %vv = memref.load %v[%j, %i] : $v
        %xx = memref.load %x[%ci] : $x
        %p = arith.mulf %vv, %xx : $T
        %q = arith.addf %acc, %p : $T
        scf.yield %q : $T
        } else {
        scf.yield %acc : $T
        }
        scf.yield %n : $T
        }
        memref.store %s, %y[%i] : $y""".replace("$T", t),
        c=c,
        v=v,
        x=x,
        y=y,
    )


@group
def coordinates(w: Writer) -> None:
    """A sparse product by coordinates and additions in memory."""
    n, rows = 256, 40
    w.launch(2, 128)
    r, c = w.memory(w.numbers("i32", n, low=0, high=rows - 1)), w.memory(w.numbers("i32", n, low=0, high=rows - 1))
    v, x, y = w.memory(w.numbers("f32", n)), w.memory(w.numbers("f32", rows)), w.memory(w.numbers("f32", rows))
    size = w.scalar("index", n - w.rng.randrange(1, 20))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %g = gpu.block_id x
        %d = gpu.block_dim x
        %o = arith.muli %g, %d : index
        %i = arith.addi %o, %t : index
        %in = arith.cmpi ult, %i, %size : index
        scf.if %in {
        %r0 = memref.load %r[%i] : $r
        %c0 = memref.load %c[%i] : $c
        %r1 = arith.index_cast %r0 : i32 to index
        %c1 = arith.index_cast %c0 : i32 to index
        %v0 = memref.load %v[%i] : $v
        %x0 = memref.load %x[%c1] : $x
        %p = arith.mulf %v0, %x0 : f32
        %old = memref.atomic_rmw addf %p, %y[%r1] : (f32, $y) -> f32
        }""",
        r=r,
        c=c,
        v=v,
        x=x,
        y=y,
        size=size,
    )


@group
def kahan(w: Writer) -> None:
    """A sum in f32 with its error carried."""
    t, n, k = w.rng.choice(("f32", "f64")), 64, w.rng.randrange(15, 50)
    w.launch(1, n)
    a, b, size = w.memory(w.numbers(t, n, k)), w.memory(w.numbers(t, n)), w.scalar("index", k)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %r:2 = scf.for %k = #0 to %size step #1 iter_args(%s = #0.0:$T, %c = #0.0:$T) -> ($T, $T) {
        %x = memref.load %a[%t, %k] : $a
        %y = arith.subf %x, %c : $T
        %u = arith.addf %s, %y : $T
        %d = arith.subf %u, %s : $T
        %e = arith.subf %d, %y : $T
        scf.yield %u, %e : $T, $T
        }
        memref.store %r#0, %b[%t] : $b""".replace("$T", t),
        a=a,
        b=b,
        size=size,
    )


@group
def runge_kutta(w: Writer) -> None:
    """Steps of the fourth order of two oscillators' equations, in f64 or f32."""
    t, n, k = w.rng.choice(("f32", "f64")), 32, w.rng.randrange(5, 12)
    w.launch(1, n)
    p, v = w.memory(w.numbers(t, n)), w.memory(w.numbers(t, n))
    h, mu, count = w.scalar(t, 0.01), w.scalar(t, 1.3), w.scalar("index", k)
    i = w.thread()

    def slope(x, y):  # type: ignore[no-untyped-def]
        return y, mu * (1.0 - x * x) * y - x

    with w.loop(0, count, 1, [w.load(p, i), w.load(v, i)]) as loop:
        x, y = loop.carried
        half = h * 0.5
        a0, a1 = slope(x, y)
        b0, b1 = slope(x + half * a0, y + half * a1)
        c0, c1 = slope(x + half * b0, y + half * b1)
        d0, d1 = slope(x + h * c0, y + h * c1)
        sixth = h * (1.0 / 6.0)
        loop.yields = [x + sixth * (a0 + b0 * 2.0 + c0 * 2.0 + d0), y + sixth * (a1 + b1 * 2.0 + c1 * 2.0 + d1)]
    w.store(loop.results[0], p, i)
    w.store(loop.results[1], v, i)


@group
def dates(w: Writer) -> None:
    """Days since 1970 as year, month and day, by divisions."""
    n, t = 128, w.rng.choice(("i32", "i64"))
    w.launch(1, n)
    a, b = w.memory(w.numbers(t, n, low=0, high=60000)), w.memory(w.numbers(t, 3, n))
    i = w.thread()
    z = w.load(a, i) + 719468
    era = z // 146097
    doe = z - era * 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (yoe * 365 + yoe // 4 - yoe // 100)
    mp = (doy * 5 + 2) // 153
    day = doy - (mp * 153 + 2) // 5 + 1
    month = w.select(mp.is_("<", 10), mp + 3, mp - 9)
    year = yoe + era * 400
    year = w.select(month.is_("<=", 2), year + 1, year)
    for r, one in enumerate((year, month, day)):
        w.store(one, b, r, i)


@group
def roots_of_sets(w: Writer) -> None:
    """The root of each node of a forest, paths halved on the way."""
    n = 128
    w.launch(1, n)
    parents = w.numbers("i32", n)
    for at in range(n):
        parents[at] = w.rng.randrange(max(0, at - 20), at + 1)
    p, b = w.memory(parents), w.memory(w.numbers("i32", n))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %ti = arith.index_cast %t : index to i32
        %r:2 = scf.while (%x = %ti) : (i32) -> (i32, i32) {
        %xi = arith.index_cast %x : i32 to index
        %q = memref.load %p[%xi] : $p
        %up = arith.cmpi ne, %q, %x : i32
        scf.condition(%up) %x, %q : i32, i32
        } do {
        ^bb0(%x: i32, %q: i32):
        %qi = arith.index_cast %q : i32 to index
        %g = memref.load %p[%qi] : $p
        scf.yield %g : i32
        }
        memref.store %r#1, %b[%t] : $b""",
        p=p,
        b=b,
    )


@group
def life_bits(w: Writer) -> None:
    """Life on words of bits: neighbours added by adders of bits."""
    t, n = w.rng.choice(("i32", "i64")), 64
    w.launch(1, n)
    a, b = w.memory(w.numbers(t, n + 2)), w.memory(w.numbers(t, n))
    i = w.thread()
    rows = [w.load(a, i + k) for k in range(3)]
    cells = []
    for k, row in enumerate(rows):
        cells += [row << 1, row.two("shrui", 1)] + ([row] if k != 1 else [])
    ones = twos = fours = w.const(0, t)
    for cell in cells:
        carry = ones & cell
        ones = ones ^ cell
        more = twos & carry
        twos = twos ^ carry
        fours = fours | more
    alive = (fours ^ -1) & twos & (ones | rows[1])
    w.store(alive, b, i)


@group
def common_subsequence(w: Writer) -> None:
    """The length of the longest common subsequence by words of 64 bits."""
    n, k = 32, w.rng.randrange(10, 30)
    w.launch(1, n)
    masks, text, b, size = (
        w.memory(w.numbers("i64", 4)),
        w.memory(w.numbers("i8", k, n, low=0, high=3)),
        w.memory(w.numbers("i32", n)),
        w.scalar("index", k),
    )
    fill(
        w,
        """
        %t = gpu.thread_id x
        %r = scf.for %k = #0 to %size step #1 iter_args(%v = #-1:i64) -> (i64) {
        %c8 = memref.load %text[%k, %t] : $text
        %c = arith.index_castui %c8 : i8 to index
        %m = memref.load %masks[%c] : $masks
        %u = arith.andi %v, %m : i64
        %s = arith.addi %v, %u : i64
        %d = arith.subi %v, %u : i64
        %o = arith.ori %s, %d : i64
        scf.yield %o : i64
        }
        %z = arith.xori %r, #-1:i64 : i64
        %p = math.ctpop %z : i64
        %q = arith.trunci %p : i64 to i32
        memref.store %q, %b[%t] : $b""",
        masks=masks,
        text=text,
        b=b,
        size=size,
    )


@group
def fixed_point(w: Writer) -> None:
    """A polynomial in 16.16 fixed point, products in 64 bits, the sum saturated."""
    n = 128
    w.launch(1, n)
    a, b, c = w.memory(w.numbers("i32", n)), w.memory(w.numbers("i32", n)), w.memory(w.numbers("i32", 5))
    i = w.thread()
    x = w.load(a, i).to("extsi", "i64")
    s = w.load(c, 4).to("extsi", "i64")
    for k in reversed(range(4)):
        s = (s * x + (1 << 15)).two("shrsi", 16) + w.load(c, k).to("extsi", "i64")
        s = s.two("maxsi", -(1 << 31)).two("minsi", (1 << 31) - 1)
    w.store(s.to("trunci", "i32"), b, i)


@group
def sobel(w: Writer) -> None:
    """Sobel's edges of bytes, the sum of sizes held to 255."""
    width, rows = 64, w.rng.randrange(4, 7)
    w.launch((1, rows), width)
    a, b = w.memory(w.numbers("i8", rows + 2, width + 2)), w.memory(w.numbers("i8", rows, width))
    x, y = w.thread(), w.program("y")
    p = [[w.load(a, y + r, x + c).to("extui", "i32") for c in range(3)] for r in range(3)]
    gx = p[0][2] + p[1][2] * 2 + p[2][2] - p[0][0] - p[1][0] * 2 - p[2][0]
    gy = p[2][0] + p[2][1] * 2 + p[2][2] - p[0][0] - p[0][1] * 2 - p[0][2]
    size = w.call("absi", gx) + w.call("absi", gy)
    w.store(size.two("minui", 255).to("trunci", "i8"), b, y, x)


@group
def median_3x3(w: Writer) -> None:
    """The middle of nine by exchanges of smaller and larger."""
    t, width, rows = w.rng.choice(("i8", "f32", "i16")), 64, 3
    w.launch((1, rows), width)
    a, b = w.memory(w.numbers(t, rows + 2, width + 2)), w.memory(w.numbers(t, rows, width))
    x, y = w.thread(), w.program("y")
    p = [w.load(a, y + r, x + c) for r in range(3) for c in range(3)]
    least, most = ("minimumf", "maximumf") if t == "f32" else ("minui", "maxui")
    for i, j in ((1, 2), (4, 5), (7, 8), (0, 1), (3, 4), (6, 7), (1, 2), (4, 5), (7, 8), (0, 3), (5, 8), (4, 7), (3, 6),
                 (1, 4), (2, 5), (4, 7), (4, 2), (6, 4), (4, 2)):  # fmt: skip
        p[i], p[j] = p[i].two(least, p[j]), p[i].two(most, p[j])
    w.store(p[4], b, y, x)


@group
def blocks_of_flow(w: Writer) -> None:
    """A small machine in blocks of `cf`: a switch in a loop."""
    n, k = 64, w.rng.randrange(20, 50)
    w.launch(1, n)
    code, a, size = w.memory(w.numbers("i8", k, low=0, high=4)), w.memory(w.numbers("i32", n)), w.scalar("i32", k)
    add, by = str(w.rng.randrange(3, 99)), str(w.rng.randrange(3, 99))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %x0 = memref.load %a[%t] : $a
        cf.br ^head(%x0, #0:i32 : i32, i32)
        ^head(%x: i32, %k: i32):
        %more = arith.cmpi slt, %k, %size : i32
        cf.cond_br %more, ^body, ^end
        ^body:
        %ki = arith.index_cast %k : i32 to index
        %op8 = memref.load %code[%ki] : $code
        %op = arith.extui %op8 : i8 to i32
        %k1 = arith.addi %k, #1:i32 : i32
        cf.switch %op : i32, [
        default: ^head(%x, %k1 : i32, i32),
        0: ^plus,
        1: ^times,
        2: ^turn,
        3: ^less
        ]
        ^plus:
        %p = arith.addi %x, #$add:i32 : i32
        cf.br ^head(%p, %k1 : i32, i32)
        ^times:
        %m = arith.muli %x, #$by:i32 : i32
        cf.br ^head(%m, %k1 : i32, i32)
        ^turn:
        %l = arith.shli %x, #5:i32 : i32
        %h = arith.shrui %x, #27:i32 : i32
        %o = arith.ori %l, %h : i32
        cf.br ^head(%o, %k1 : i32, i32)
        ^less:
        %neg = arith.cmpi slt, %x, #0:i32 : i32
        %s = arith.subi #0:i32, %x : i32
        %abs = arith.select %neg, %s, %x : i32
        cf.br ^head(%abs, %k1 : i32, i32)
        ^end:
        memref.store %x, %a[%t] : $a""",
        code=code,
        a=a,
        size=size,
        add=add,
        by=by,
    )


@group
def polar(w: Writer) -> None:
    """`complex` quotients, lengths and exponentials."""
    n, t = 64, "f32"
    w.launch(1, n)
    a, b, c = w.memory(w.numbers(t, n, 2)), w.memory(w.numbers(t, n, 2, low=0.5)), w.memory(w.numbers(t, n, 2))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %ar = memref.load %a[%t, #0] : $a
        %ai = memref.load %a[%t, #1] : $a
        %br = memref.load %b[%t, #0] : $b
        %bi = memref.load %b[%t, #1] : $b
        %x = complex.create %ar, %ai : complex<f32>
        %y = complex.create %br, %bi : complex<f32>
        %z = complex.mul %x, %y : complex<f32>
        %j = complex.conj %z : complex<f32>
        %e = complex.exp %j : complex<f32>
        %s = complex.sub %e, %x : complex<f32>
        %r = complex.re %s : complex<f32>
        %i = complex.im %s : complex<f32>
        memref.store %r, %c[%t, #0] : $c
        memref.store %i, %c[%t, #1] : $c""",
        a=a,
        b=b,
        c=c,
    )


@group
def long_addition(w: Writer) -> None:
    """Numbers of several words added and multiplied by a word, carries by `addui_extended`."""
    n, k, t = 32, w.rng.choice((4, 6, 8)), w.rng.choice(("i32", "i64"))
    w.launch(1, n)
    a, b, c = w.memory(w.numbers(t, k, n)), w.memory(w.numbers(t, k, n)), w.memory(w.numbers(t, k, n))
    text = "%t = gpu.thread_id x\n%m = memref.load %b[#0, %t] : $b\n"
    text += "%h0 = arith.addi #0:$T, #0:$T : $T\n%k0 = arith.addi #0:$T, #0:$T : $T\n"
    for i in range(k):
        text += f"""
        %a{i} = memref.load %a[#{i}, %t] : $a
        %b{i} = memref.load %b[#{i}, %t] : $b
        %p{i}, %q{i} = arith.mului_extended %a{i}, %m : $T
        %s{i}, %o{i} = arith.addui_extended %p{i}, %k{i} : $T, i1
        %w{i} = arith.extui %o{i} : i1 to $T
        %k{i + 1} = arith.addi %q{i}, %w{i} : $T
        %u{i}, %v{i} = arith.addui_extended %s{i}, %b{i} : $T, i1
        %x{i}, %y{i} = arith.addui_extended %u{i}, %h{i} : $T, i1
        %z{i} = arith.ori %v{i}, %y{i} : i1
        %h{i + 1} = arith.extui %z{i} : i1 to $T
        memref.store %x{i}, %c[#{i}, %t] : $c
        """
    fill(w, text.replace("$T", t), a=a, b=b, c=c)


@group
def rounded_divisions(w: Writer) -> None:
    """Floor and ceiling divisions of whole numbers by arguments and literals."""
    t, n = w.rng.choice(("i32", "i64", "index")), 128
    w.launch(1, n)
    inner = "i64" if t == "index" else t
    a, b = w.memory(w.numbers(inner, n)), w.memory(w.numbers(inner, 4, n))
    d = w.scalar("i64" if t == "index" else t, w.rng.randrange(3, 99))
    cast = (
        "" if t != "index" else "%xi = arith.index_cast %x : i64 to index\n%di = arith.index_cast %d : i64 to index\n"
    )
    x, y = ("%xi", "%di") if t == "index" else ("%x", "%d")
    text = f"%t = gpu.thread_id x\n%x = memref.load %a[%t] : $a\n{cast}"
    by = w.rng.choice((7, 8, 12, 100))
    for k, (kind, other) in enumerate(
        (("floordivsi", y), ("ceildivsi", f"#{by}:{t}"), ("remsi", y), ("floordivsi", f"#{by}:{t}"))
    ):
        text += f"%r{k} = arith.{kind} {x}, {other} : {t}\n"
        text += f"%s{k} = arith.index_cast %r{k} : index to i64\n" if t == "index" else ""
        text += f"memref.store %{'s' if t == 'index' else 'r'}{k}, %b[#{k}, %t] : $b\n"
    fill(w, text, a=a, b=b, d=d)


@group
def masked_gather(w: Writer) -> None:
    """Vectors gathered by places under a mask of the rest."""
    n, size = 64, 200
    w.launch(1, n)
    x, p, y, left = (
        w.memory(w.numbers("f32", size)),
        w.memory(w.numbers("i32", n, 4, low=0, high=size - 1)),
        w.memory(w.numbers("f32", n, 4)),
        w.scalar("index", 4 * n - w.rng.randrange(1, 12)),
    )
    fill(
        w,
        """
        %t = gpu.thread_id x
        %at = vector.load %p[%t, #0] : $p, vector<4xi32>
        %o = arith.muli %t, #4 : index
        %r = arith.subi %left, %o : index
        %m = vector.create_mask %r : vector<4xi1>
        %z = arith.constant dense<0.0> : vector<4xf32>
        %g = vector.gather %x[#0] [%at], %m, %z : $x, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
        %d = arith.addf %g, %g : vector<4xf32>
        vector.maskedstore %y[%t, #0], %m, %d : $y, vector<4xi1>, vector<4xf32>""",
        x=x,
        p=p,
        y=y,
        left=left,
    )


@group
def structures(w: Writer) -> None:
    """Records of several types behind pointers of `llvm`."""
    n = 64
    w.launch(1, n)
    data, b = w.memory(w.numbers("i8", n * 24)), w.memory(w.numbers("f64", n))
    fill(
        w,
        """
        %t = gpu.thread_id x
        %ti = arith.index_cast %t : index to i64
        %raw = memref.extract_aligned_pointer_as_index %data : $data -> index
        %ri = arith.index_cast %raw : index to i64
        %base = llvm.inttoptr %ri : i64 to !llvm.ptr
        %p0 = llvm.getelementptr %base[%ti, 0] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i16, i16, i64, i64)>
        %p1 = llvm.getelementptr %base[%ti, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i16, i16, i64, i64)>
        %p2 = llvm.getelementptr %base[%ti, 2] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i16, i16, i64, i64)>
        %p3 = llvm.getelementptr %base[%ti, 3] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i16, i16, i64, i64)>
        %x0 = llvm.load %p0 : !llvm.ptr -> i32
        %x1 = llvm.load %p1 : !llvm.ptr -> i16
        %x2 = llvm.load %p2 : !llvm.ptr -> i16
        %x3 = llvm.load %p3 : !llvm.ptr -> i64
        %f0 = arith.sitofp %x0 : i32 to f64
        %f1 = arith.sitofp %x1 : i16 to f64
        %f2 = arith.uitofp %x2 : i16 to f64
        %f3 = arith.sitofp %x3 : i64 to f64
        %s0 = arith.mulf %f0, %f1 : f64
        %s1 = arith.addf %s0, %f2 : f64
        %s2 = arith.addf %s1, %f3 : f64
        memref.store %s2, %b[%t] : $b
        %n0 = arith.addi %x0, #1:i32 : i32
        llvm.store %n0, %p0 : i32, !llvm.ptr""",
        data=data,
        b=b,
    )


@group
def affine_tiles(w: Writer) -> None:
    """A product by tiles of `affine` loops with ends by a minimum."""
    n, k = 48, 20
    w.launch(1, n)
    a, b, c = (
        w.memory(w.numbers("f32", k, k), dynamic=False),
        w.memory(w.numbers("f32", k, n), dynamic=False),
        w.memory(w.numbers("f32", k, n), dynamic=False),
    )
    tile = str(w.rng.choice((4, 6, 8)))
    fill(
        w,
        """
        %t = gpu.thread_id x
        affine.for %i = 0 to 20 step $tile {
        affine.for %k = 0 to 20 step $tile {
        affine.for %ii = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0) -> (d0 + $tile, 20)>(%i) {
        %s = memref.load %c[%ii, %t] : $c
        %r = affine.for %kk = affine_map<(d0) -> (d0)>(%k) to min affine_map<(d0) -> (d0 + $tile, 20)>(%k) ...
        iter_args(%acc = %s) -> (f32) {
        %x = affine.load %a[%ii, %kk] : $a
        %y = memref.load %b[%kk, %t] : $b
        %p = arith.mulf %x, %y : f32
        %q = arith.addf %acc, %p : f32
        affine.yield %q : f32
        }
        memref.store %r, %c[%ii, %t] : $c
        }
        }
        }""",
        a=a,
        b=b,
        c=c,
        tile=tile,
    )


@group
def heap(w: Writer) -> None:
    """A number sifted down a heap in memory."""
    n, size = 32, w.rng.randrange(15, 31)
    w.launch(1, n)
    a, count = w.memory(w.numbers("i32", size, n)), w.scalar("index", size)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %key = memref.load %a[#0, %t] : $a
        %end = scf.while (%i = #0) : (index) -> index {
        %two = arith.muli %i, #2 : index
        %l = arith.addi %two, #1 : index
        %in = arith.cmpi ult, %l, %count : index
        scf.condition(%in) %i : index
        } do {
        ^bb0(%i: index):
        %two = arith.muli %i, #2 : index
        %l = arith.addi %two, #1 : index
        %r = arith.addi %two, #2 : index
        %x = memref.load %a[%l, %t] : $a
        %inr = arith.cmpi ult, %r, %count : index
        %c:2 = scf.if %inr -> (index, i32) {
        %y = memref.load %a[%r, %t] : $a
        %more = arith.cmpi sgt, %y, %x : i32
        %m = arith.select %more, %r, %l : index
        %v = arith.select %more, %y, %x : i32
        scf.yield %m, %v : index, i32
        } else {
        scf.yield %l, %x : index, i32
        }
        %down = arith.cmpi sgt, %c#1, %key : i32
        %next = scf.if %down -> (index) {
        memref.store %c#1, %a[%i, %t] : $a
        memref.store %key, %a[%c#0, %t] : $a
        scf.yield %c#0 : index
        } else {
        scf.yield %count : index
        }
        scf.yield %next : index
        }""",
        a=a,
        count=count,
    )


@group
def indexed_cases(w: Writer) -> None:
    """An operation chosen by `scf.index_switch`."""
    n, t = 128, w.rng.choice(("f32", "f64"))
    w.launch(1, n)
    a, op, b = (
        w.memory(w.numbers(t, n, low=0.5)),
        w.memory(w.numbers("i8", n, low=0, high=4)),
        w.memory(w.numbers(t, n)),
    )
    fill(
        w,
        """
        %t = gpu.thread_id x
        %x = memref.load %a[%t] : $a
        %o = memref.load %op[%t] : $op
        %k = arith.index_castui %o : i8 to index
        %r = scf.index_switch %k -> $T
        case 0 {
        %y = arith.mulf %x, %x : $T
        scf.yield %y : $T
        }
        case 1 {
        %y = arith.addf %x, #1.0:$T : $T
        scf.yield %y : $T
        }
        case 2 {
        %y = arith.negf %x : $T
        scf.yield %y : $T
        }
        case 3 {
        %y = arith.subf #2.0:$T, %x : $T
        scf.yield %y : $T
        }
        default {
        scf.yield %x : $T
        }
        memref.store %r, %b[%t] : $b""".replace("$T", t),
        a=a,
        op=op,
        b=b,
    )


@group
def grid_points(w: Writer) -> None:
    """Trilinear samples of a volume, places by floor and clamp in f32."""
    n, d = 64, w.rng.randrange(5, 9)
    w.launch(1, n)
    v, p, b = (
        w.memory(w.numbers("f32", d, d, d)),
        w.memory(w.numbers("f32", n, 3, low=0.0, high=d - 1.01)),
        w.memory(w.numbers("f32", n)),
    )
    last = w.scalar("i32", d - 1)
    i = w.thread()
    low, high, part = [], [], []
    for k in range(3):
        x = w.load(p, i, k)
        f = w.call("floor", x)
        part.append(x - f)
        at = f.to("fptosi", "i32")
        low.append(w.index(at))
        high.append(w.index((at + 1).two("minsi", last)))

    def mixed(a, b, by):  # type: ignore[no-untyped-def]
        return a + by * (b - a)

    lines = [
        [mixed(w.load(v, z, y, low[0]), w.load(v, z, y, high[0]), part[0]) for y in (low[1], high[1])]
        for z in (low[2], high[2])
    ]
    faces = [mixed(one[0], one[1], part[1]) for one in lines]
    w.store(mixed(faces[0], faces[1], part[2]), b, i)


@group
def givens(w: Writer) -> None:
    """Rows of a small matrix turned to zeros by rotations, with square roots and quotients."""
    t, n, k = w.rng.choice(("f32", "f64")), 32, 3
    w.launch(1, n)
    a = w.memory(w.numbers(t, n, k, k, low=0.5))
    i = w.thread()
    m = [[w.load(a, i, r, c) for c in range(k)] for r in range(k)]
    for c in range(k):
        for r in range(c + 1, k):
            x, y = m[c][c], m[r][c]
            size = w.call("sqrt", x * x + y * y)
            co, si = x / size, y / size
            m[c], m[r] = (
                [co * p + si * q for p, q in zip(m[c], m[r], strict=True)],
                [co * q - si * p for p, q in zip(m[c], m[r], strict=True)],
            )
    for r in range(k):
        for c in range(k):
            w.store(m[r][c], a, i, r, c)


@group
def runs(w: Writer) -> None:
    """The longest run of equal numbers in each row, branches carried."""
    t, n, k = w.rng.choice(("i8", "i32", "i16")), 64, w.rng.randrange(20, 60)
    w.launch(1, n)
    a, b, size = w.memory(w.numbers(t, n, k, low=0, high=2)), w.memory(w.numbers("i32", n)), w.scalar("index", k)
    fill(
        w,
        """
        %t = gpu.thread_id x
        %first = memref.load %a[%t, #0] : $a
        %r:3 = scf.for %k = #1 to %size step #1 iter_args(%p = %first, %run = #1:i32, %best = #1:i32) ...
        -> ($T, i32, i32) {
        %x = memref.load %a[%t, %k] : $a
        %same = arith.cmpi eq, %x, %p : $T
        %longer = arith.addi %run, #1:i32 : i32
        %now = arith.select %same, %longer, #1:i32 : i32
        %more = arith.cmpi sgt, %now, %best : i32
        %new = arith.select %more, %now, %best : i32
        scf.yield %x, %now, %new : $T, i32, i32
        }
        memref.store %r#2, %b[%t] : $b""",
        a=a,
        b=b,
        size=size,
        T=t,
    )
