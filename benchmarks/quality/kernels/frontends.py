"""Kernels in the manner of compilers that write MLIR: blocks with arguments, pointers, i64 for every number, variables
in memory, workgroups with affine maps, transfers of vectors.
"""

from __future__ import annotations

import numpy as np

from quality.emitter import Writer
from quality.kernels import kernel
from quality.template import fill

group = kernel("frontends")


@group
def rows_of_blocks(w: Writer) -> None:
    """A matrix by a vector: two loops of blocks, counters of i64."""
    rows, columns = 64, w.rng.randrange(9, 30)
    w.launch(1, 32)
    a, x, y = (w.memory(w.numbers("f32", *shape)) for shape in ((rows, columns), (columns,), (rows,)))
    n, m = w.scalar("i64", rows), w.scalar("i64", columns)
    fill(
        w,
        """
        %c0 = arith.constant 0 : i64
        %c1 = arith.constant 1 : i64
        %zero = arith.constant 0.0 : f32
        %tid = gpu.thread_id x
        %dim = gpu.block_dim x
        %t = arith.index_cast %tid : index to i64
        %d = arith.index_cast %dim : index to i64
        cf.br ^head(%t : i64)
        ^head(%i: i64):
        %go = arith.cmpi slt, %i, %n : i64
        cf.cond_br %go, ^inner(%c0, %zero : i64, f32), ^exit
        ^inner(%k: i64, %sum: f32):
        %more = arith.cmpi slt, %k, %m : i64
        cf.cond_br %more, ^body, ^after
        ^body:
        %ii = arith.index_cast %i : i64 to index
        %ki = arith.index_cast %k : i64 to index
        %p = memref.load %a[%ii, %ki] : $a
        %q = memref.load %x[%ki] : $x
        %f = arith.mulf %p, %q : f32
        %s = arith.addf %sum, %f : f32
        %k1 = arith.addi %k, %c1 : i64
        cf.br ^inner(%k1, %s : i64, f32)
        ^after:
        %oi = arith.index_cast %i : i64 to index
        memref.store %sum, %y[%oi] : $y
        %next = arith.addi %i, %d : i64
        cf.br ^head(%next : i64)
        ^exit:""",
        a=a,
        x=x,
        y=y,
        n=n,
        m=m,
    )


@group
def steps_to_one(w: Writer) -> None:
    """Collatz: how many steps each number takes, by blocks."""
    w.launch(2, 32)
    start, most = w.rng.randrange(3, 99), w.scalar("i64", 60)
    o = w.memory(w.numbers("i64", 64))
    first = w.scalar("i64", start)
    fill(
        w,
        """
        %c0 = arith.constant 0 : i64
        %c1 = arith.constant 1 : i64
        %c2 = arith.constant 2 : i64
        %c3 = arith.constant 3 : i64
        %tid = gpu.thread_id x
        %bid = gpu.block_id x
        %dim = gpu.block_dim x
        %b = arith.muli %bid, %dim : index
        %g = arith.addi %b, %tid : index
        %gi = arith.index_cast %g : index to i64
        %n0 = arith.addi %gi, %first : i64
        cf.br ^head(%n0, %c0 : i64, i64)
        ^head(%n: i64, %count: i64):
        %one = arith.cmpi sgt, %n, %c1 : i64
        %few = arith.cmpi slt, %count, %most : i64
        %go = arith.andi %one, %few : i1
        cf.cond_br %go, ^step, ^exit
        ^step:
        %count1 = arith.addi %count, %c1 : i64
        %rem = arith.remsi %n, %c2 : i64
        %odd = arith.cmpi ne, %rem, %c0 : i64
        cf.cond_br %odd, ^odd, ^even
        ^odd:
        %t = arith.muli %n, %c3 : i64
        %t1 = arith.addi %t, %c1 : i64
        cf.br ^head(%t1, %count1 : i64, i64)
        ^even:
        %h = arith.divsi %n, %c2 : i64
        cf.br ^head(%h, %count1 : i64, i64)
        ^exit:
        memref.store %count, %o[%g] : $o""",
        o=o,
        first=first,
        most=most,
    )


_POINTER = """%{0}a = memref.extract_aligned_pointer_as_index %{0} : ${0} -> index
%{0}i = arith.index_cast %{0}a : index to i64
%{0}p = llvm.inttoptr %{0}i : i64 to !llvm.ptr<1>
"""


def _pointers(*names: str) -> str:
    return "".join(_POINTER.format(name) for name in names)


@group
def pointers_in_strides(w: Writer) -> None:
    """y = a x + y by pointers in a loop over the grid, everything in i64."""
    n = w.rng.randrange(200, 400)
    w.launch(2, 64)
    x, y = w.memory(w.numbers("f32", n)), w.memory(w.numbers("f32", n))
    a, size = w.scalar("f32", 1.5), w.scalar("i64", n)
    fill(
        w,
        _pointers("x", "y")
        + """
        %tid = nvvm.read.ptx.sreg.tid.x : i32
        %bid = nvvm.read.ptx.sreg.ctaid.x : i32
        %dim = nvvm.read.ptx.sreg.ntid.x : i32
        %grid = nvvm.read.ptx.sreg.nctaid.x : i32
        %b = llvm.mul %bid, %dim : i32
        %g = llvm.add %b, %tid : i32
        %i0 = llvm.sext %g : i32 to i64
        %s0 = llvm.mul %grid, %dim : i32
        %step = llvm.sext %s0 : i32 to i64
        cf.br ^head(%i0 : i64)
        ^head(%i: i64):
        %go = llvm.icmp "slt" %i, %size : i64
        cf.cond_br %go, ^body, ^exit
        ^body:
        %xp1 = llvm.getelementptr inbounds %xp[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
        %yp1 = llvm.getelementptr inbounds %yp[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
        %u = llvm.load %xp1 : !llvm.ptr<1> -> f32
        %v = llvm.load %yp1 : !llvm.ptr<1> -> f32
        %m = llvm.fmul %u, %a : f32
        %r = llvm.fadd %m, %v : f32
        llvm.store %r, %yp1 : f32, !llvm.ptr<1>
        %next = llvm.add %i, %step overflow<nsw> : i64
        cf.br ^head(%next : i64)
        ^exit:""",
        x=x,
        y=y,
        a=a,
        size=size,
    )


@group
def records(w: Writer) -> None:
    """Particles as structures of floats and a number, by pointers to members."""
    n = 64
    w.launch(1, n)
    p, o = w.memory(w.numbers("f32", n, 5)), w.memory(w.numbers("i32", n, low=0, high=0))
    dt, count = w.scalar("f32", 0.1), w.scalar("i64", w.rng.randrange(5, 20))
    kind = "!llvm.struct<(f32, f32, f32, f32, i32)>"
    fill(
        w,
        _pointers("p")
        + """
        %c0 = llvm.mlir.constant(0 : i64) : i64
        %c1 = llvm.mlir.constant(1 : i64) : i64
        %eps = llvm.mlir.constant(0.01 : f32) : f32
        %zero = llvm.mlir.constant(0.0 : f32) : f32
        %tid = nvvm.read.ptx.sreg.tid.x : i32
        %t = llvm.sext %tid : i32 to i64
        %ti = arith.index_cast %t : i64 to index
        %mx = llvm.getelementptr %pp[%t, 0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, KIND
        %my = llvm.getelementptr %pp[%t, 1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, KIND
        %mm = llvm.getelementptr %pp[%t, 3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, KIND
        %x = llvm.load %mx : !llvm.ptr<1> -> f32
        %y = llvm.load %my : !llvm.ptr<1> -> f32
        cf.br ^head(%c0, %zero, %zero : i64, f32, f32)
        ^head(%i: i64, %fx: f32, %fy: f32):
        %go = llvm.icmp "slt" %i, %count : i64
        cf.cond_br %go, ^body, ^exit
        ^body:
        %qx = llvm.getelementptr %pp[%i, 0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, KIND
        %qy = llvm.getelementptr %pp[%i, 1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, KIND
        %qm = llvm.getelementptr %pp[%i, 3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, KIND
        %ux = llvm.load %qx : !llvm.ptr<1> -> f32
        %uy = llvm.load %qy : !llvm.ptr<1> -> f32
        %um = llvm.load %qm : !llvm.ptr<1> -> f32
        %dx = llvm.fsub %ux, %x : f32
        %dy = llvm.fsub %uy, %y : f32
        %xx = llvm.fmul %dx, %dx : f32
        %yy = llvm.fmul %dy, %dy : f32
        %rr = llvm.fadd %xx, %yy : f32
        %re = llvm.fadd %rr, %eps : f32
        %s = llvm.fdiv %um, %re : f32
        %gx = llvm.fmul %dx, %s : f32
        %gy = llvm.fmul %dy, %s : f32
        %nx = llvm.fadd %fx, %gx : f32
        %ny = llvm.fadd %fy, %gy : f32
        %i1 = llvm.add %i, %c1 : i64
        cf.br ^head(%i1, %nx, %ny : i64, f32, f32)
        ^exit:
        gpu.barrier
        %ax = llvm.fmul %fx, %dt : f32
        %ay = llvm.fmul %fy, %dt : f32
        %wx = llvm.fadd %x, %ax : f32
        %wy = llvm.fadd %y, %ay : f32
        llvm.store %wx, %mx : f32, !llvm.ptr<1>
        llvm.store %wy, %my : f32, !llvm.ptr<1>
        %sum = llvm.fadd %wx, %wy : f32
        %bits = llvm.bitcast %sum : f32 to i32
        memref.store %bits, %o[%ti] : $o""".replace("KIND", kind),
        p=p,
        o=o,
        dt=dt,
        count=count,
    )


@group
def variables_in_memory(w: Writer) -> None:
    """A do loop with its counter and sums in variables, places counted from one, as a Fortran compiler writes it."""
    n = w.rng.randrange(12, 30)
    w.launch(1, 64)
    a, b, o = w.memory(w.numbers("f64", n, 64)), w.memory(w.numbers("f64", n)), w.memory(w.numbers("f64", 64))
    size = w.scalar("i32", n)
    fill(
        w,
        """
        %i = memref.alloca() : memref<i32>
        %sum = memref.alloca() : memref<f64>
        %big = memref.alloca() : memref<f64>
        %one = arith.constant 1 : i32
        %one64 = arith.constant 1 : i64
        %zero = arith.constant 0.0 : f64
        %tid = gpu.thread_id x
        memref.store %zero, %sum[] : memref<f64>
        memref.store %zero, %big[] : memref<f64>
        memref.store %one, %i[] : memref<i32>
        %lb = arith.index_cast %one : i32 to index
        %ub = arith.index_cast %size : i32 to index
        %c1 = arith.constant 1 : index
        %end = arith.addi %ub, %c1 : index
        %last = scf.for %k = %lb to %end step %c1 iter_args(%iv = %one) -> (i32) {
        memref.store %iv, %i[] : memref<i32>
        %i0 = memref.load %i[] : memref<i32>
        %i1 = arith.extsi %i0 : i32 to i64
        %i2 = arith.subi %i1, %one64 : i64
        %at = arith.index_cast %i2 : i64 to index
        %x = memref.load %a[%at, %tid] : $a
        %j0 = memref.load %i[] : memref<i32>
        %j1 = arith.extsi %j0 : i32 to i64
        %j2 = arith.subi %j1, %one64 : i64
        %bt = arith.index_cast %j2 : i64 to index
        %y = memref.load %b[%bt] : $b
        %p = arith.mulf %x, %y : f64
        %s = memref.load %sum[] : memref<f64>
        %s1 = arith.addf %s, %p : f64
        memref.store %s1, %sum[] : memref<f64>
        %g = memref.load %big[] : memref<f64>
        %more = arith.cmpf ogt, %x, %g : f64
        scf.if %more {
        memref.store %x, %big[] : memref<f64>
        }
        %v = memref.load %i[] : memref<i32>
        %next = arith.addi %v, %one : i32
        scf.yield %next : i32
        }
        %s = memref.load %sum[] : memref<f64>
        %g = memref.load %big[] : memref<f64>
        %r = arith.divf %s, %g : f64
        memref.store %r, %o[%tid] : $o""",
        a=a,
        b=b,
        o=o,
        size=size,
    )


@group
def byte_codes(w: Writer) -> None:
    """An interpreter of byte codes: a loop of blocks around a switch."""
    n = w.rng.randrange(9, 20)
    w.launch(1, 64)
    code = w.memory(w.numbers("i8", n, low=0, high=5))
    x = w.memory(w.numbers("i32", 64))
    size = w.scalar("i64", n)
    fill(
        w,
        """
        %c0 = arith.constant 0 : i64
        %c1 = arith.constant 1 : i64
        %one = arith.constant 1 : i32
        %three = arith.constant 3 : i32
        %five = arith.constant 5 : i32
        %t = gpu.thread_id x
        %v0 = memref.load %x[%t] : $x
        cf.br ^head(%c0, %v0, %one : i64, i32, i32)
        ^head(%pc: i64, %a: i32, %b: i32):
        %go = arith.cmpi slt, %pc, %size : i64
        cf.cond_br %go, ^fetch, ^exit
        ^fetch:
        %at = arith.index_cast %pc : i64 to index
        %op = memref.load %code[%at] : $code
        %flag = arith.extui %op : i8 to i32
        %pc1 = arith.addi %pc, %c1 : i64
        cf.switch %flag : i32, [
        default: ^head(%pc1, %a, %b : i64, i32, i32),
        0: ^add,
        1: ^mul,
        2: ^swap,
        3: ^shift
        ]
        ^add:
        %s = arith.addi %a, %b : i32
        cf.br ^head(%pc1, %s, %b : i64, i32, i32)
        ^mul:
        %m = arith.muli %a, %five : i32
        %m1 = arith.xori %m, %b : i32
        cf.br ^head(%pc1, %m1, %b : i64, i32, i32)
        ^swap:
        cf.br ^head(%pc1, %b, %a : i64, i32, i32)
        ^shift:
        %h = arith.shrui %b, %three : i32
        %h1 = arith.addi %h, %one : i32
        cf.br ^head(%pc1, %a, %h1 : i64, i32, i32)
        ^exit:
        memref.store %a, %x[%t] : $x""",
        code=code,
        x=x,
        size=size,
    )


@group
def chained(w: Writer) -> None:
    """Chains of entries in an array of links, followed by blocks until a key is found."""
    n = 128
    w.launch(1, 64)
    links = np.array([w.rng.randrange(k) if k else -1 for k in range(n)], np.int64)
    next_, keys, o = w.memory(links), w.memory(w.numbers("i32", n, low=0, high=9)), w.memory(w.numbers("i64", 64))
    fill(
        w,
        _pointers("h", "k")
        + """
        %none = llvm.mlir.constant(0 : i64) : i64
        %wanted = llvm.mlir.constant(3 : i32) : i32
        %tid = gpu.thread_id x
        %t = arith.index_cast %tid : index to i64
        %far = llvm.mlir.constant(64 : i64) : i64
        %start = llvm.add %t, %far : i64
        llvm.br ^head(%start : i64)
        ^head(%at: i64):
        %in = llvm.icmp "sge" %at, %none : i64
        llvm.cond_br %in, ^look, ^exit(%at : i64)
        ^look:
        %kp1 = llvm.getelementptr %kp[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
        %key = llvm.load %kp1 : !llvm.ptr<1> -> i32
        %found = llvm.icmp "eq" %key, %wanted : i32
        llvm.cond_br %found, ^exit(%at : i64), ^go
        ^go:
        %lp1 = llvm.getelementptr %hp[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
        %next = llvm.load %lp1 : !llvm.ptr<1> -> i64
        llvm.br ^head(%next : i64)
        ^exit(%r: i64):
        memref.store %r, %o[%tid] : $o""",
        h=next_,
        k=keys,
        o=o,
    )


@group
def workgroup_product(w: Writer) -> None:
    """A product by workgroups: affine maps, views of tiles, transfers of vectors, outer products."""
    k = 4 * w.rng.randrange(3, 8)
    w.launch((2, 2), (8, 4))
    a, b, c = (w.memory(w.numbers("f32", *s), dynamic=False) for s in ((32, k), (k, 64), (32, 64)))
    fill(
        w,
        """
        %zero = arith.constant 0.0 : f32
        %c0 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %k = arith.constant KK : index
        %acc0 = arith.constant dense<0.0> : vector<4x4xf32>
        %bx = gpu.block_id x
        %by = gpu.block_id y
        %tx = gpu.thread_id x
        %ty = gpu.thread_id y
        %row = affine.apply affine_map<(d0)[s0] -> (d0 * 16 + s0 * 4)>(%by)[%ty]
        %col = affine.apply affine_map<(d0)[s0] -> (d0 * 32 + s0 * 4)>(%bx)[%tx]
        %va = memref.subview %a[%row, 0] [4, KK] [1, 1] : $a to memref<4xKKxf32, strided<[KK, 1], offset: ?>>
        %vb = memref.subview %b[0, %col] [KK, 4] [1, 1] : $b to memref<KKx4xf32, strided<[64, 1], offset: ?>>
        %vc = memref.subview %c[%row, %col] [4, 4] [1, 1] : $c to memref<4x4xf32, strided<[64, 1], offset: ?>>
        %r = scf.for %i = %c0 to %k step %c4 iter_args(%acc = %acc0) -> (vector<4x4xf32>) {
        %x = vector.transfer_read %va[%c0, %i], %zero {in_bounds = [true, true]} ...
          : memref<4xKKxf32, strided<[KK, 1], offset: ?>>, vector<4x4xf32>
        %y = vector.transfer_read %vb[%i, %c0], %zero {in_bounds = [true, true]} ...
          : memref<KKx4xf32, strided<[64, 1], offset: ?>>, vector<4x4xf32>
        %z = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, ...
          affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], ...
          kind = #vector.kind<add>} %x, %y, %acc : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
        scf.yield %z : vector<4x4xf32>
        }
        vector.transfer_write %r, %vc[%c0, %c0] {in_bounds = [true, true]} ...
          : vector<4x4xf32>, memref<4x4xf32, strided<[64, 1], offset: ?>>""".replace("KK", str(k)),
        a=a,
        b=b,
        c=c,
    )


@group
def workgroup_elementwise(w: Writer) -> None:
    """Four elements a thread by affine maps: vectors of f32 through a chain of operations, an edge."""
    n = 4 * w.rng.randrange(50, 64)
    w.launch(1, 64)
    a, b, o = (w.memory(w.numbers("f32", n)) for _ in range(3))
    fill(
        w,
        """
        %zero = arith.constant 0.0 : f32
        %zeros = arith.constant dense<0.0> : vector<4xf32>
        %six = arith.constant dense<6.0> : vector<4xf32>
        %scale = arith.constant dense<0.17> : vector<4xf32>
        %c0 = arith.constant 0 : index
        %n = memref.dim %a, %c0 : $a
        %b0 = gpu.block_id x
        %t = gpu.thread_id x
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 256 + d1 * 4)>(%b0, %t)
        %left = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%n]
        %some = arith.cmpi sgt, %left, %c0 : index
        scf.if %some {
        %x = vector.transfer_read %a[%i], %zero {in_bounds = [true]} : $a, vector<4xf32>
        %y = vector.transfer_read %b[%i], %zero {in_bounds = [true]} : $b, vector<4xf32>
        %s = arith.addf %x, %y : vector<4xf32>
        %m = arith.maximumf %s, %zeros : vector<4xf32>
        %l = arith.minimumf %m, %six : vector<4xf32>
        %h = arith.mulf %l, %scale : vector<4xf32>
        %g = arith.cmpf ogt, %y, %x : vector<4xf32>
        %r = arith.select %g, %h, %s : vector<4xi1>, vector<4xf32>
        vector.transfer_write %r, %o[%i] {in_bounds = [true]} : vector<4xf32>, $o
        }""",
        a=a,
        b=b,
        o=o,
    )


@group
def workgroup_reduction(w: Writer) -> None:
    """Rows by warps: vectors of four summed lane by lane, then across lanes."""
    columns = 128 * w.rng.randrange(1, 4)
    w.launch(2, 64)
    a, o = w.memory(w.numbers("f16", 4, columns), dynamic=False), w.memory(w.numbers("f32", 4))
    fill(
        w,
        """
        %zero = arith.constant 0.0 : f16
        %acc0 = arith.constant dense<0.0> : vector<4xf32>
        %c0 = arith.constant 0 : index
        %c128 = arith.constant 128 : index
        %n = arith.constant NN : index
        %f0 = arith.constant 0.0 : f32
        %b = gpu.block_id x
        %t = gpu.thread_id x
        %row = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 floordiv 32)>(%b, %t)
        %lane = affine.apply affine_map<(d0) -> ((d0 mod 32) * 4)>(%t)
        %v = scf.for %k = %c0 to %n step %c128 iter_args(%acc = %acc0) -> (vector<4xf32>) {
        %i = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%k, %lane)
        %x = vector.transfer_read %a[%row, %i], %zero {in_bounds = [true]} : $a, vector<4xf16>
        %y = arith.extf %x : vector<4xf16> to vector<4xf32>
        %q = arith.mulf %y, %y : vector<4xf32>
        %z = arith.addf %acc, %q : vector<4xf32>
        scf.yield %z : vector<4xf32>
        }
        %r0 = vector.reduction <add>, %v, %f0 : vector<4xf32> into f32
        %w = arith.constant 32 : i32
        %d1 = arith.constant 1 : i32
        %d2 = arith.constant 2 : i32
        %d4 = arith.constant 4 : i32
        %d8 = arith.constant 8 : i32
        %d16 = arith.constant 16 : i32
        %o1, %p1 = gpu.shuffle down %r0, %d16, %w : f32
        %r1 = arith.addf %r0, %o1 : f32
        %o2, %p2 = gpu.shuffle down %r1, %d8, %w : f32
        %r2 = arith.addf %r1, %o2 : f32
        %o3, %p3 = gpu.shuffle down %r2, %d4, %w : f32
        %r3 = arith.addf %r2, %o3 : f32
        %o4, %p4 = gpu.shuffle down %r3, %d2, %w : f32
        %r4 = arith.addf %r3, %o4 : f32
        %o5, %p5 = gpu.shuffle down %r4, %d1, %w : f32
        %r = arith.addf %r4, %o5 : f32
        %first = affine.apply affine_map<(d0) -> (d0 mod 32)>(%t)
        %is = arith.cmpi eq, %first, %c0 : index
        scf.if %is {
        memref.store %r, %o[%row] : $o
        }""".replace("NN", str(columns)),
        a=a,
        o=o,
    )


@group
def buffers_in_turn(w: Writer) -> None:
    """Tiles of a product in two buffers of shared memory, which a remainder chooses; the number of tiles is known."""
    tiles, n = w.rng.choice((20, 24, 36)), 8
    w.launch(1, (n, n))
    a, b, c = (w.memory(w.numbers("f32", *s)) for s in ((n, n * tiles), (n * tiles, n), (n, n)))
    s, t = w.shared("f32", 2, n, n), w.shared("f32", 2, n, n)
    x, y = w.thread("x"), w.thread("y")
    w.store(w.load(a, y, x), s, 0, y, x)
    w.store(w.load(b, y, x), t, 0, y, x)
    w.barrier()
    with w.loop(1, tiles + 1, start=(w.const(0.0, "f32"),)) as loop:
        now, then = (loop.counter - 1).two("remui", 2), loop.counter.two("remui", 2)
        with w.when(loop.counter.is_("<", tiles)):
            w.store(w.load(a, y, loop.counter * n + x), s, then, y, x)
            w.store(w.load(b, loop.counter * n + y, x), t, then, y, x)
        total = loop.carried[0]
        for k in range(n):
            total = total + w.load(s, now, y, k) * w.load(t, now, k, x)
        w.barrier()
        loop.yields = [total]
    w.store(loop.results[0], c, y, x)


@group
def buffers_flipped(w: Writer) -> None:
    """A wave through two rows of shared memory that are exchanged by a carried number, a known number of steps."""
    steps = w.rng.choice((20, 32, 40))
    w.launch(1, 64)
    a, s = w.memory(w.numbers("f32", 64)), w.shared("f32", 2, 64)
    t = w.thread()
    left, right = (t - 1).two("maxsi", 0), (t + 1).two("minsi", 63)
    w.store(w.load(a, t), s, 0, t)
    w.barrier()
    zero = w.const(0)
    with w.loop(0, steps, start=(zero,)) as loop:
        (now,) = loop.carried
        then = 1 - now
        middle = w.load(s, now, t)
        new = middle + (w.load(s, now, left) + w.load(s, now, right) - middle * 2.0) * 0.2
        w.store(new, s, then, t)
        w.barrier()
        loop.yields = [then]
    w.store(w.load(s, loop.results[0], t), a, t)


@group
def affine_edges(w: Writer) -> None:
    """Affine loops with bounds of several maps and affine conditions, symbols for sizes."""
    n = w.rng.randrange(10, 16)
    w.launch(1, n)
    a, o = w.memory(w.numbers("f32", n, n)), w.memory(w.numbers("f32", n, n))
    fill(
        w,
        """
        %c0 = arith.constant 0 : index
        %zero = arith.constant 0.0 : f32
        %n = memref.dim %a, %c0 : $a
        %i = gpu.thread_id x
        affine.for %j = 0 to %n {
        %s = affine.for %k = max affine_map<(d0) -> (0, d0 - 2)>(%j) to ...
          min affine_map<(d0)[s0] -> (s0, d0 + 3)>(%j)[%n] iter_args(%acc = %zero) -> (f32) {
        %x = memref.load %a[%i, %k] : $a
        %y = arith.addf %acc, %x : f32
        affine.yield %y : f32
        }
        memref.store %s, %o[%i, %j] : $o
        }""",
        a=a,
        o=o,
    )


@group
def counted_by_while(w: Writer) -> None:
    """Loops of C as `scf.while` with counters of i32 that are cast at each access."""
    n, m = w.rng.randrange(8, 20), 64
    w.launch(1, m)
    a, o = w.memory(w.numbers("f32", n, m)), w.memory(w.numbers("f32", m))
    b = w.memory(w.numbers("i32", n, low=0, high=m - 1))
    size = w.scalar("i32", n)
    fill(
        w,
        """
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %zero = arith.constant 0.0 : f32
        %tid = gpu.thread_id x
        %r:2 = scf.while (%i = %c0, %s = %zero) : (i32, f32) -> (i32, f32) {
        %go = arith.cmpi slt, %i, %size : i32
        scf.condition(%go) %i, %s : i32, f32
        } do {
        ^bb0(%i: i32, %s: f32):
        %ii = arith.index_cast %i : i32 to index
        %p = memref.load %b[%ii] : $b
        %pi = arith.index_cast %p : i32 to index
        %x = memref.load %a[%ii, %tid] : $a
        %y = memref.load %a[%ii, %pi] : $a
        %q = arith.mulf %x, %y : f32
        %t = arith.addf %s, %q : f32
        %n = arith.addi %i, %c1 : i32
        scf.yield %n, %t : i32, f32
        }
        memref.store %r#1, %o[%tid] : $o""",
        a=a,
        b=b,
        o=o,
        size=size,
    )
