"""Right kernels in Gluon, each with a parameter `BUG` that takes one of its steps away or moves it."""

# pyright: basic

from __future__ import annotations

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.blackwell import (
    TensorMemoryLayout,
    allocate_tensor_memory,
    tcgen05_commit,
    tcgen05_mma,
)
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)


@gluon.jit
def barriers(COUNT: gl.constexpr, ARRIVALS: gl.constexpr):
    made = gl.allocate_shared_memory(gl.int64, [COUNT, 1], mbarrier.MBarrierLayout())
    for n in gl.static_range(COUNT):
        mbarrier.init(made.index(n), count=ARRIVALS)
    return made


@gluon.jit
def staged_copies(x, y, BUG: gl.constexpr):
    B: gl.constexpr = 512
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    other: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i, j = gl.arange(0, B, layout), gl.arange(0, B, other)
    ring = gl.allocate_shared_memory(gl.float32, [2, B], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    async_copy.async_load(ring.index(0), x + i)
    async_copy.commit_group()
    for n in range(6):
        if n < 5:
            async_copy.async_load(ring.index((n + 1) % 2), x + (n + 1) * B + i)
        if BUG != "no commit":
            async_copy.commit_group()
        if BUG == "waits for too few":
            async_copy.wait_group(2)
        elif BUG != "no wait":
            async_copy.wait_group(1)
        if BUG == "reads the next":
            value = ring.index((n + 1) % 2).load(other)
        else:
            value = ring.index(n % 2).load(other)
        gl.store(y + n * B + j, value)


@gluon.jit
def copies_at_a_barrier(x, y, BUG: gl.constexpr):
    B: gl.constexpr = 512
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    other: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i, j = gl.arange(0, B, layout), gl.arange(0, B, other)
    tile = gl.allocate_shared_memory(gl.float32, [B], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    full = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(full, count=128)
    for n in range(3):
        async_copy.async_load(tile, x + n * B + i)
        if BUG == "arrives without the copies":
            mbarrier.arrive(full, count=1)
        elif BUG != "no arrival":
            async_copy.mbarrier_arrive(full, increment_count=False)
        if BUG == "waits for the phase before":
            mbarrier.wait(full, (n + 1) & 1)
        elif BUG != "no wait":
            mbarrier.wait(full, n & 1)
        gl.store(y + n * B + j, tile.load(other))


@gluon.jit
def tensor_ring(source, target, COUNT: gl.constexpr, BUG: gl.constexpr):
    S: gl.constexpr = 3
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    ring = gl.allocate_shared_memory(gl.float16, [S, 64, 64], source.layout)
    full = barriers(S, 2 if BUG == "too many arrivals expected" else 1)
    rows, columns = gl.arange(0, 64, gl.SliceLayout(1, layout)), gl.arange(0, 64, gl.SliceLayout(0, layout))
    size: gl.constexpr = source.block_type.nbytes
    expected: gl.constexpr = size * 2 if BUG == "too many bytes" else size // 2 if BUG == "too few bytes" else size
    for n in gl.static_range(S - 1):
        mbarrier.expect(full.index(n), expected)
        tma.async_load(source, [n * 64, 0], full.index(n), ring.index(n))
    for n in range(COUNT):
        m = n + S - 1
        if m < COUNT:
            if BUG != "nothing expected":
                mbarrier.expect(full.index(m % S), expected)
            if BUG == "into the tile that is read":
                tma.async_load(source, [m * 64, 0], full.index(m % S), ring.index(n % S))
            elif BUG == "at another barrier":
                tma.async_load(source, [m * 64, 0], full.index(n % S), ring.index(m % S))
            else:
                tma.async_load(source, [m * 64, 0], full.index(m % S), ring.index(m % S))
        if BUG == "the phase before":
            mbarrier.wait(full.index(n % S), (n // S + 1) & 1)
        elif BUG == "waits once only":
            mbarrier.wait(full.index(n % S), 0)
        elif BUG == "waits for the first only":
            mbarrier.wait(full.index(0), (n // S) & 1)
        elif BUG != "no wait":
            mbarrier.wait(full.index(n % S), (n // S) & 1)
        value = ring.index(n % S).load(layout)
        gl.store(target + (n * 64 + rows)[:, None] * 64 + columns[None, :], value)


@gluon.jit
def staged_stores(source, target, COUNT: gl.constexpr, BUG: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    rows, columns = gl.arange(0, 64, gl.SliceLayout(1, layout)), gl.arange(0, 64, gl.SliceLayout(0, layout))
    ring = gl.allocate_shared_memory(gl.float16, [2, 64, 64], target.layout)
    for n in range(COUNT):
        value = gl.load(source + (n * 64 + rows)[:, None] * 64 + columns[None, :])
        if BUG == "waits for too few":
            tma.store_wait(2)
        elif BUG != "no wait":
            tma.store_wait(1)
        ring.index(n % 2).store(value)
        if BUG != "no fence":
            fence_async_shared()
        tma.async_store(target, [n * 64, 0], ring.index(n % 2))
        if BUG == "overwritten after the copy":
            ring.index(n % 2).store(value + 1)
    if BUG != "no last wait":
        tma.store_wait(0)


@gluon.jit
def loads(source, ring, full, empty, COUNT: gl.constexpr, S: gl.constexpr, BUG: gl.constexpr):
    for n in range(COUNT):
        s = n % S
        if BUG == "the phase of empty slots":
            mbarrier.wait(empty.index(s), (n // S) & 1)
        elif BUG != "no wait for empty slots":
            mbarrier.wait(empty.index(s), (n // S + 1) & 1)
        mbarrier.expect(full.index(s), source.block_type.nbytes)
        if BUG == "into the next slot":
            tma.async_load(source, [n * 64, 0], full.index(s), ring.index((n + 1) % S))
        else:
            tma.async_load(source, [n * 64, 0], full.index(s), ring.index(s))


@gluon.jit
def reads(target, ring, full, empty, COUNT: gl.constexpr, S: gl.constexpr, BUG: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    rows, columns = gl.arange(0, 64, gl.SliceLayout(1, layout)), gl.arange(0, 64, gl.SliceLayout(0, layout))
    for n in range(COUNT):
        s = n % S
        if BUG == "the phase of full slots":
            mbarrier.wait(full.index(s), (n // S + 1) & 1)
        elif BUG == "waits for the next slot":
            if n + 1 < COUNT:
                mbarrier.wait(full.index((n + 1) % S), ((n + 1) // S) & 1)
        elif BUG != "no wait for full slots":
            mbarrier.wait(full.index(s), (n // S) & 1)
        if BUG == "given back before it is read":
            mbarrier.arrive(empty.index(s), count=1)
        value = ring.index(s).load(layout)
        if BUG == "the next slot is given back":
            mbarrier.arrive(empty.index((s + 1) % S), count=1)
        elif BUG == "given back twice":
            mbarrier.arrive(empty.index(s), count=1)
            mbarrier.arrive(empty.index(s), count=1)
        elif BUG != "never given back" and BUG != "given back before it is read":
            mbarrier.arrive(empty.index(s), count=1)
        gl.store(target + (n * 64 + rows)[:, None] * 64 + columns[None, :], value)


@gluon.jit
def two_roles(source, target, COUNT: gl.constexpr, S: gl.constexpr, BUG: gl.constexpr):
    ring = gl.allocate_shared_memory(gl.float16, [S, 64, 64], source.layout)
    full, empty = barriers(S, 1), barriers(S, 2 if BUG == "two arrivals for an empty slot" else 1)
    gl.warp_specialize(
        [(reads, (target, ring, full, empty, COUNT, S, BUG)), (loads, (source, ring, full, empty, COUNT, S, BUG))], [1]
    )


@gluon.jit
def changes(ring, full, done, COUNT: gl.constexpr, S: gl.constexpr, BUG: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    for n in range(COUNT):
        s = n % S
        if BUG != "no wait for the load":
            mbarrier.wait(full.index(s), (n // S) & 1)
        value = ring.index(s).load(layout) * 2
        if BUG == "done before the store":
            mbarrier.arrive(done.index(s), count=1)
        ring.index(s).store(value)
        if BUG != "no fence":
            fence_async_shared()
        if BUG != "done before the store":
            mbarrier.arrive(done.index(s), count=1)


@gluon.jit
def stores(target, ring, done, empty, COUNT: gl.constexpr, S: gl.constexpr, BUG: gl.constexpr):
    for n in range(COUNT):
        s = n % S
        if BUG != "no wait for the change":
            mbarrier.wait(done.index(s), (n // S) & 1)
        tma.async_store(target, [n * 64, 0], ring.index(s))
        if BUG != "no wait for the store":
            tma.store_wait(0)
        mbarrier.arrive(empty.index(s), count=1)


@gluon.jit
def three_roles(source, target, COUNT: gl.constexpr, S: gl.constexpr, BUG: gl.constexpr):
    ring = gl.allocate_shared_memory(gl.float16, [S, 64, 64], source.layout)
    full, done, empty = barriers(S, 1), barriers(S, 1), barriers(S, 1)
    gl.warp_specialize(
        [
            (changes, (ring, full, done, COUNT, S, BUG)),
            (loads, (source, ring, full, empty, COUNT, S, BUG)),
            (stores, (target, ring, done, empty, COUNT, S, BUG)),
        ],
        [1, 1],
    )


@gluon.jit
def writes_shared(x, tile, ready, free, COUNT: gl.constexpr, BUG: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.arange(0, 256, layout)
    for n in range(COUNT):
        value = gl.load(x + n * 256 + i)
        if BUG != "no wait for the reader":
            mbarrier.wait(free, (n + 1) & 1)
        if BUG == "told before the store":
            mbarrier.arrive(ready, count=1)
        tile.store(value)
        if BUG != "told before the store":
            mbarrier.arrive(ready, count=1)


@gluon.jit
def reads_shared(y, tile, ready, free, COUNT: gl.constexpr, BUG: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    i = gl.arange(0, 256, layout)
    for n in range(COUNT):
        if BUG == "the phase before":
            mbarrier.wait(ready, (n + 1) & 1)
        elif BUG != "no wait for the writer":
            mbarrier.wait(ready, n & 1)
        if BUG == "given back before the load":
            mbarrier.arrive(free, count=1)
        value = tile.load(layout)
        if BUG != "given back before the load":
            mbarrier.arrive(free, count=1)
        gl.store(y + n * 256 + i, value)


@gluon.jit
def shared_by_roles(x, y, COUNT: gl.constexpr, BUG: gl.constexpr):
    tile = gl.allocate_shared_memory(gl.float32, [256], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    made = barriers(2, 1)
    ready, free = made.index(0), made.index(1)
    gl.warp_specialize(
        [(writes_shared, (x, tile, ready, free, COUNT, BUG)), (reads_shared, (y, tile, ready, free, COUNT, BUG))], [4]
    )


@gluon.jit
def products(a, b, c, COUNT: gl.constexpr, BUG: gl.constexpr):
    S: gl.constexpr = 3
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16])
    left = gl.allocate_shared_memory(gl.float16, [S, 64, 64], a.layout)
    right = gl.allocate_shared_memory(gl.float16, [S, 64, 64], b.layout)
    full = barriers(S, 1)
    for n in gl.static_range(S - 1):
        mbarrier.expect(full.index(n), a.block_type.nbytes + b.block_type.nbytes)
        tma.async_load(a, [0, n * 64], full.index(n), left.index(n))
        tma.async_load(b, [n * 64, 0], full.index(n), right.index(n))
    acc = gl.zeros((64, 64), gl.float32, layout)
    for n in range(COUNT):
        if BUG == "expects one operand" or BUG != "no wait for the operands":
            mbarrier.wait(full.index(n % S), (n // S) & 1)
        acc = warpgroup_mma(left.index(n % S), right.index(n % S), acc, is_async=True)
        if BUG == "waits for too few":
            acc = warpgroup_mma_wait(num_outstanding=2, deps=(acc,))
        elif BUG != "no wait for the product":
            acc = warpgroup_mma_wait(num_outstanding=1, deps=(acc,))
        m = n + S - 1
        if m < COUNT:
            if BUG == "expects one operand":
                mbarrier.expect(full.index(m % S), a.block_type.nbytes)
            else:
                mbarrier.expect(full.index(m % S), a.block_type.nbytes + b.block_type.nbytes)
            tma.async_load(a, [0, m * 64], full.index(m % S), left.index(m % S))
            if BUG == "over the operand in use":
                tma.async_load(b, [m * 64, 0], full.index(m % S), right.index(n % S))
            else:
                tma.async_load(b, [m * 64, 0], full.index(m % S), right.index(m % S))
    acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc,))
    out = gl.allocate_shared_memory(gl.float16, [64, 64], c.layout)
    out.store(acc.to(gl.float16))
    if BUG != "no fence":
        fence_async_shared()
    tma.async_store(c, [0, 0], out)
    tma.store_wait(0)


@gluon.jit
def loads_both(a, b, left, right, full, empty, COUNT: gl.constexpr, S: gl.constexpr, BUG: gl.constexpr):
    for n in range(COUNT):
        s = n % S
        if BUG != "no wait for empty slots":
            mbarrier.wait(empty.index(s), (n // S + 1) & 1)
        mbarrier.expect(full.index(s), a.block_type.nbytes + b.block_type.nbytes)
        tma.async_load(a, [0, n * 64], full.index(s), left.index(s))
        tma.async_load(b, [n * 64, 0], full.index(s), right.index(s))


@gluon.jit
def multiplies(c, left, right, full, empty, COUNT: gl.constexpr, S: gl.constexpr, BUG: gl.constexpr):
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16])
    acc = gl.zeros((64, 64), gl.float32, layout)
    for n in range(COUNT):
        s = n % S
        if BUG != "no wait for full slots":
            mbarrier.wait(full.index(s), (n // S) & 1)
        acc = warpgroup_mma(left.index(s), right.index(s), acc, is_async=True)
        if BUG == "given back before the product is done":
            mbarrier.arrive(empty.index(s), count=1)
            acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc,))
        elif BUG == "given back while one is under way":
            acc = warpgroup_mma_wait(num_outstanding=1, deps=(acc,))
            mbarrier.arrive(empty.index(s), count=1)
        else:
            acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc,))
            mbarrier.arrive(empty.index(s), count=1)
    acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc,))
    out = gl.allocate_shared_memory(gl.float16, [64, 64], c.layout)
    out.store(acc.to(gl.float16))
    fence_async_shared()
    tma.async_store(c, [0, 0], out)
    if BUG != "no wait for the last store":
        tma.store_wait(0)


@gluon.jit
def products_by_roles(a, b, c, COUNT: gl.constexpr, BUG: gl.constexpr):
    S: gl.constexpr = 2
    left = gl.allocate_shared_memory(gl.float16, [S, 64, 64], a.layout)
    right = gl.allocate_shared_memory(gl.float16, [S, 64, 64], b.layout)
    full, empty = barriers(S, 1), barriers(S, 1)
    gl.warp_specialize(
        [
            (multiplies, (c, left, right, full, empty, COUNT, S, BUG)),
            (loads_both, (a, b, left, right, full, empty, COUNT, S, BUG)),
        ],
        [1],
    )


@gluon.jit
def tensor_products(a, b, c, COUNT: gl.constexpr, BUG: gl.constexpr):
    """One tile of operands, and sums in tensor memory."""
    left = gl.allocate_shared_memory(gl.float16, [128, 64], a.layout)
    right = gl.allocate_shared_memory(gl.float16, [64, 64], b.layout)
    made = barriers(2, 1)
    full, done = made.index(0), made.index(1)
    kept: gl.constexpr = TensorMemoryLayout((128, 64), col_stride=1)
    acc = allocate_tensor_memory(gl.float32, [128, 64], kept)
    for n in range(COUNT):
        mbarrier.expect(full, a.block_type.nbytes + b.block_type.nbytes)
        tma.async_load(a, [0, n * 64], full, left)
        tma.async_load(b, [n * 64, 0], full, right)
        if BUG != "no wait for the operands":
            mbarrier.wait(full, n & 1)
        if BUG == "sums of nothing":
            tcgen05_mma(left, right, acc, use_acc=True)
        else:
            tcgen05_mma(left, right, acc, use_acc=n > 0)
        if BUG != "no commit":
            tcgen05_commit(done)
        if BUG == "waits for the phase before":
            mbarrier.wait(done, (n + 1) & 1)
        elif BUG == "waits for the last one only":
            if n == COUNT - 1:
                mbarrier.wait(done, n & 1)
        elif BUG == "does not wait for the last one":
            if n < COUNT - 1:
                mbarrier.wait(done, n & 1)
        elif BUG != "no wait for the product":
            mbarrier.wait(done, n & 1)
    out = gl.allocate_shared_memory(gl.float16, [128, 64], c.layout)
    out.store(acc.load(acc.get_reg_layout()).to(gl.float16))
    if BUG != "no fence":
        fence_async_shared()
    tma.async_store(c, [0, 0], out)
    tma.store_wait(0)


@gluon.jit
def loads_tiles(
    a, b, left, right, full, empty, TILES: gl.constexpr, COUNT: gl.constexpr, S: gl.constexpr, BUG: gl.constexpr
):
    n = 0
    for tile in range(TILES):
        for k in range(COUNT):
            s = n % S
            if BUG != "no wait for empty slots":
                mbarrier.wait(empty.index(s), (n // S + 1) & 1)
            mbarrier.expect(full.index(s), a.block_type.nbytes + b.block_type.nbytes)
            tma.async_load(a, [tile * 128, k * 64], full.index(s), left.index(s))
            tma.async_load(b, [k * 64, 0], full.index(s), right.index(s))
            n += 1


@gluon.jit
def multiplies_tiles(
    left,
    right,
    acc,
    full,
    empty,
    ready,
    taken,
    TILES: gl.constexpr,
    COUNT: gl.constexpr,
    S: gl.constexpr,
    BUG: gl.constexpr,
):
    n = 0
    for tile in range(TILES):
        t = tile % 2
        if BUG == "the phase of taken sums":
            mbarrier.wait(taken.index(t), (tile // 2) & 1)
        elif BUG != "no wait for taken sums":
            mbarrier.wait(taken.index(t), (tile // 2 + 1) & 1)
        for k in range(COUNT):
            s = n % S
            if BUG != "no wait for full slots":
                mbarrier.wait(full.index(s), (n // S) & 1)
            tcgen05_mma(left.index(s), right.index(s), acc.index(t), use_acc=k > 0)
            if BUG == "given back by an arrival":
                mbarrier.arrive(empty.index(s), count=1)
            else:
                tcgen05_commit(empty.index(s))
            n += 1
        if BUG == "told by an arrival":
            mbarrier.arrive(ready.index(t), count=1)
        elif BUG == "told for the other sums":
            tcgen05_commit(ready.index(1 - t))
        elif BUG != "never told":
            tcgen05_commit(ready.index(t))


@gluon.jit
def takes_tiles(c, acc, ready, taken, TILES: gl.constexpr, BUG: gl.constexpr):
    out = gl.allocate_shared_memory(gl.float16, [128, 64], c.layout)
    for tile in range(TILES):
        t = tile % 2
        if BUG == "the phase of ready sums":
            mbarrier.wait(ready.index(t), (tile // 2 + 1) & 1)
        elif BUG != "no wait for ready sums":
            mbarrier.wait(ready.index(t), (tile // 2) & 1)
        if BUG == "taken before they are read":
            mbarrier.arrive(taken.index(t), count=1)
        value = acc.index(t).load(acc.index(t).get_reg_layout())
        if BUG != "taken before they are read":
            mbarrier.arrive(taken.index(t), count=1)
        if BUG != "no wait for the store":
            tma.store_wait(0)
        out.store(value.to(gl.float16))
        if BUG != "no fence":
            fence_async_shared()
        tma.async_store(c, [tile * 128, 0], out)
    if BUG != "no wait for the last store":
        tma.store_wait(0)


@gluon.jit
def tensor_products_by_roles(a, b, c, TILES: gl.constexpr, COUNT: gl.constexpr, BUG: gl.constexpr):
    S: gl.constexpr = 2
    left = gl.allocate_shared_memory(gl.float16, [S, 128, 64], a.layout)
    right = gl.allocate_shared_memory(gl.float16, [S, 64, 64], b.layout)
    full, empty, ready, taken = barriers(S, 1), barriers(S, 1), barriers(2, 1), barriers(2, 1)
    kept: gl.constexpr = TensorMemoryLayout((128, 64), col_stride=1)
    acc = allocate_tensor_memory(gl.float32, [2, 128, 64], kept)
    gl.warp_specialize(
        [
            (takes_tiles, (c, acc, ready, taken, TILES, BUG)),
            (loads_tiles, (a, b, left, right, full, empty, TILES, COUNT, S, BUG)),
            (multiplies_tiles, (left, right, acc, full, empty, ready, taken, TILES, COUNT, S, BUG)),
        ],
        [1, 1],
    )


@gluon.jit
def stores_sums(x, acc, ready, free, COUNT: gl.constexpr, BUG: gl.constexpr):
    layout: gl.constexpr = acc.get_reg_layout()
    rows, columns = gl.arange(0, 128, gl.SliceLayout(1, layout)), gl.arange(0, 64, gl.SliceLayout(0, layout))
    for n in range(COUNT):
        value = gl.load(x + (n * 128 + rows)[:, None] * 64 + columns[None, :])
        if BUG != "no wait for the reader":
            mbarrier.wait(free, (n + 1) & 1)
        if BUG == "told before the store":
            mbarrier.arrive(ready, count=1)
        acc.store(value)
        if BUG != "told before the store":
            mbarrier.arrive(ready, count=1)


@gluon.jit
def loads_sums(y, acc, ready, free, COUNT: gl.constexpr, BUG: gl.constexpr):
    layout: gl.constexpr = acc.get_reg_layout()
    rows, columns = gl.arange(0, 128, gl.SliceLayout(1, layout)), gl.arange(0, 64, gl.SliceLayout(0, layout))
    for n in range(COUNT):
        if BUG == "the phase before":
            mbarrier.wait(ready, (n + 1) & 1)
        elif BUG != "no wait for the writer":
            mbarrier.wait(ready, n & 1)
        if BUG == "given back before the load":
            mbarrier.arrive(free, count=1)
        value = acc.load(layout)
        if BUG != "given back before the load":
            mbarrier.arrive(free, count=1)
        gl.store(y + (n * 128 + rows)[:, None] * 64 + columns[None, :], value)


@gluon.jit
def tensor_memory_of_roles(x, y, COUNT: gl.constexpr, BUG: gl.constexpr):
    kept: gl.constexpr = TensorMemoryLayout((128, 64), col_stride=1)
    acc = allocate_tensor_memory(gl.float32, [128, 64], kept)
    made = barriers(2, 1)
    ready, free = made.index(0), made.index(1)
    gl.warp_specialize(
        [(stores_sums, (x, acc, ready, free, COUNT, BUG)), (loads_sums, (y, acc, ready, free, COUNT, BUG))], [4]
    )
