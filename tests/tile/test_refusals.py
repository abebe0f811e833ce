"""What a kernel may not say, in whole words and with the hint that says what to write: one limit a case."""

from __future__ import annotations

import pytest

from tests.tile.test_limits import traced
from weft.errors import CompileError

REG = "r = register((8, 4), f32, S[(8, 4) : (4 @ laneid, 1 @ laneid)])\n"
OWN = "o = register((4, 8), i32, S[(4, 8) : (8, 1)])\n"
HELD = "s = shared((16, 8), f32)\n"
FILL = "p = pipeline(2, a=tile(f32, 16, 8){more})\nwith role(warps=1):\n    with p.fill() as q:\n        {body}\n"
TWO = ", b=tile(f32, 16, 8)"
STORE = (
    "p = pipeline(1, kind='store', a=tile(f32, 16, 8))\nwith role(warps=1):\n    with p.fill() as q:\n        {body}\n"
)
TAKE = "p = pipeline(2, a=tile(f32, 16, 8){more})\nwith role(warps=1), p.fill() as q:\n    cta.copy_async(q.a, x)\n{more2}with role(warps=1):\n    {body}\n"
IN_A_SLOT = " is a tensor copy and must load into or store from a pipeline's slot"
SUMS = "r = register((64, 16), f32, wgmma_layout('d', (64, 16)))\na, h = shared((64, 16), f16), shared((16, 16), f16)\n"


def fill(body: str, more: str = "") -> str:
    return FILL.format(body=body, more=more)


def store(body: str) -> str:
    return STORE.format(body=body)


def take(body: str, more: str = "") -> str:
    more2 = "    cta.copy_async(q.b, x)\n" if more else ""
    return TAKE.format(body=body, more=more, more2=more2)


REFUSED: list[tuple[str, str, str]] = [
    # -- tiles --
    (HELD + "v = s[0, None]", "None adds dimensions to tiles in registers only", ""),
    (REG + "v = r[0, 0, None]", "an element of a register tile is held by one thread only",
        "use `tile.storage[i]` for what this thread holds, or copy the tile to memory"),
    (REG + "v = r[..., None]", "None must be combined with slices, as in tile[:, None]", ""),
    (REG + "v = r.transpose()", "only a tile in shared memory can be transposed in place", ""),
    (HELD + "v = s.transpose(0, 0)", "(0, 0) is not a permutation of 2 dimensions", ""),
    (HELD + "v = s.transpose(1)", "(1,) is not a permutation of 2 dimensions", ""),
    (HELD + "v = s[0:4, :].transpose(0, 0)", "(0, 0) is not a permutation of 2 dimensions", ""),
    ("v = x[0:4, :].transpose()", "only a tile in shared memory can be transposed in place", ""),
    ("v = x[0:4, :].reshape(32)", "a region of a tensor cannot be reshaped", "copy it, and reshape the tile"),
    (HELD + "v = s[0:4, :].to(f16)", "a region of memory is not in registers", "copy it into a tile in registers first"),
    (HELD + "v = s[0:4, :] + 'a'", "TypeError: unsupported operand type(s) for +: 'Region' and 'str'", ""),
    (OWN + "v = o + 'a'", "TypeError: unsupported operand type(s) for +: 'Buffer' and 'str'", ""),
    (HELD + "if s[0:4, :]: pass", "a region has no truth value", "copy it into a tile in registers first"),
    ("if x: pass", "a tensor has no truth value", "compare one of its elements"),
    (HELD + "for v in s[0:4, :]: pass", "Python cannot iterate over a region",
        "use `range` over its extents with region[i, j]"),
    (HELD + "v = s[0:4, :]\nv[0:2, :] = 1.0", "cannot assign to a region",
        "use copy(region, tile); only single elements are assigned"),
    ("v = ds(0, 0)", "invalid region size 0", "use a positive Python integer"),
    ("v = ds(0, 1.0)", "invalid region size 1.0", "use a positive Python integer"),
    ("t = shared(4, f32, 3)", "3 is not a layout", ""),
    ("t = shared((16, 64), f16, swizzled((8, 64), f16))",
        "the layout swz(3,3,3) @ S[512:1] has 512 elements, but the shape (16, 64) has 1024", ""),
    ("t = register((8, 64), f16, swizzled((8, 64), f16))",
        "the layout of a tile in registers must be a TileLayout: registers are not swizzled", ""),
    ("t = alloc_buffer(4, f32, 'global')", "a buffer must be in shared memory or registers, not 'global'", ""),
    (OWN + "v = where(o[0:1, :] > 0, o[0:1, :], o[:, 0:1])", "no operand has the shape of the result",
        "combine one with a tile of that shape first"),
    # -- elements, by address and one at a time --
    ("v = address(x[0:4, :])", "a region has no single address", "use address(tile, i, j), the address of an element"),
    ("v = address(n)", "<i32 known when the kernel runs> is not in memory", ""),
    (HELD + "v = address(s, 1)", "1 coordinates for a tile of 2 dimensions", ""),
    (OWN + "v = address(o)", "registers have no addresses", "use an element in memory"),
    ("atomic_add(n, 0, 1)", "<i32 known when the kernel runs> is neither a tensor nor a tile",
        "atomic_add(tensor, (i, j), value)"),
    ("atomic_add(x, 0, 1.0)", "an atomic operation needs a single element", "index every dimension"),
    ("atomic_xor(x, (0, 0), 1)", "no atomic 'xor' exists for f32", "use integers"),
    ("atomic_compare_exchange(x, (0, 0), 1.0, 2.0)", "no atomic compare-and-exchange exists for f32", "use integers"),
    ("v = block_id(3)", "unknown grid axis 3", "use 0, 1 or 2 for x, y or z"),
    ("v = block_id(-1)", "unknown grid axis -1", "use 0, 1 or 2 for x, y or z"),
    # -- gather, scatter, scan, sort --
    ("v = gather(n, 0)", "<i32 known when the kernel runs> is not a tensor, nor a tile in shared memory", ""),
    (OWN + "v = gather(x, o)", "1 indices for 2 dimensions", "give a tile or a number for each"),
    ("v = gather(x, 0, 0)", "indices must be register tiles of integers", "use coordinates(tile, 0), for example"),
    (OWN + "v = gather(x, o.to(f32), 0)", "indices must be register tiles of integers",
        "use coordinates(tile, 0), for example"),
    (OWN + "v = gather(x, o, register((4, 8), i32, S[(4, 8) : (1, 4)]))",
        "index tiles must have the same shape and layout, except for extents of 1, which broadcast", ""),
    (OWN + "scatter(x, o[0:1, :], o, o)", "a scattered value must have the layout of its indices",
        "use value.to(...), and indices with the same layout"),
    (OWN + "accumulate(x, 1.0, o, o)", "an accumulated value must have the layout of its indices",
        "use value.to(...), and indices with the same layout"),
    (OWN + "v = scan((o, o[0:2, :].tile()), 1, max)", "tiles scanned together must have the same shape and layout", ""),
    (OWN + "v = scan(o, 1, 'and')", "unknown scan 'and'", "use add, mul, max, min, or a function of two numbers"),
    (OWN + "v = scan((o, o), 1, 'add')", "unknown scan 'add'", "pass a function of two tuples"),
    ("v = scan(n)", "<i32 known when the kernel runs> is not a tile in registers", ""),
    ("v = argmax(n)", "<i32 known when the kernel runs> is not a tile in registers", ""),
    (OWN + "v = sort(o, 1, values=n)", "<i32 known when the kernel runs> is not a tile in registers", ""),
    (OWN + "v = sort(o, 1, values=o[0:2, :].tile())", "tiles sorted together must have the same shape and layout", ""),
    ("t = register(24, f32, S[24 : 1])\nv = sort(t)", "cannot sort 24 elements: their number must be a power of two",
        "pad with where(inside, x, LARGEST)"),
    ("v = total(n)", "<i32 known when the kernel runs> is not a tile in registers", "use maximum or minimum for two numbers"),
    ("fill(n, 0)", "<i32 known when the kernel runs> is not in registers", "fill a tile in registers and copy it"),
    ("v = exp('a')", "'a' is neither a number nor a tile", ""),
    (OWN + "v = total(o, -3)", "dimension -3 is out of range for a tile of 2 dimensions", ""),
    (OWN + "v = total(o, 1.0)", "dimension 1.0 is out of range for a tile of 2 dimensions", ""),
    # -- scopes --
    ("warpgroup.gemm(x, x, x)", "a warpgroup cannot execute gemm: it is a warp's operation", "use warp.gemm(d, a, b)"),
    ("warp.gemm_async(x, x, x)", "a warp cannot execute gemm_async: it is a warpgroup's operation", ""),
    ("warp.wait()", "a warp has no products to wait for: they belong to a warpgroup", "use wait(n) for cp.async only"),
    ("warpgroup.wait(-1)", "invalid number of groups -1", ""),
    ("warpgroup.wait(1.0)", "invalid number of groups 1.0", ""),
    ("thread.sync()", "a thread cannot wait", ""),
    ("pair.sync()", "a pair cannot wait", ""),
    (HELD + "cluster.copy(s, x)", "a cluster cannot copy: each of its blocks copies", "use cta.copy(...)"),
    (HELD + "pair.copy(s, x)", "a pair cannot copy: each of its blocks copies", "use cta.copy(...)"),
    *((HELD + f"{call}", call.partition("(")[0] + IN_A_SLOT, "") for call in ("cta.copy_async(s, x, share=0)",
        "cta.copy_async(s, x, reduce='add')", "cluster.copy_async(s, x)")),
    (SUMS + "warpgroup.gemm_async(r, a, register((16, 16), f16, S[256 : 1]))",
        "'b' of an asynchronous product must be in shared memory", "copy it there, or use warp.gemm"),
    (SUMS + "warpgroup.gemm_async(a, a, h)", "<64x16 tile of f16 in shared memory> is not in registers",
        'use register(shape, f32, wgmma_layout("d", shape))'),
    (SUMS + "warpgroup.gemm_async(r, a, h[:, 0:8])", "extents do not match: (64, 16) times (16, 8) for (64, 16)", ""),
    (SUMS + "warpgroup.gemm_async(r, a, h[0:8, :])", "extents do not match: (64, 16) times (8, 16) for (64, 16)", ""),
    (SUMS + "warpgroup.gemm_async(r, 3, h)", "'a' of an asynchronous product must be a tile: 3",
        "put it in shared memory or in registers"),
    (SUMS + "warpgroup.gemm_async(r, shared(16, f16), h)", "'a' is not a matrix: <16 tile of f16 in shared memory>", ""),
    (SUMS + "warpgroup.gemm_async(r, a, h, metadata=a)", "metadata must be in registers, distributed over a warpgroup",
        "use register(shape, u32, metadata_layout(shape, warpgroup))"),
    (SUMS + "dot_scaled(r, a, 3, h, a)", "'scale_a' is a tile: 3", "put it in shared memory or in registers"),
    (SUMS + "dot_scaled(r, a, a, h, a)", "'a' must be in registers: <64x16 tile of f16 in shared memory>",
        "put all operands in registers, or the accumulator in tensor memory"),
    # -- slots that are filled --
    (fill("with p.fill() as z: pass"), "only one slot can be filled at a time", ""),
    (fill("cta.copy_async(q.a, x, reduce='add')"), "a load into a slot cannot reduce", ""),
    (fill("cta.copy_async(q.a, x, share=0)"), "a shared tile needs the cluster axis along which blocks share it",
        "use cluster.copy_async(slot.b, B[...], share=0)"),
    (fill("warp.copy_async(q.a, x)"), "a slot belongs to a block: a warp cannot fill it",
        "use cta.copy_async(slot.a, A[...])"),
    (HELD + fill("cta.copy_async(s[0:16, :], x)"),
        "<16x8 region of <16x8 tile of f32 in shared memory>> is not a tile of the slot being filled", ""),
    (fill("pass"), "the slot is never filled", "use cta.copy_async(slot.a, A[...])"),
    (fill("for _ in range(n): cta.copy_async(q.a, x)"),
        "the copies that fill a slot must be directly in the `with`, so that they are the same every time",
        "move them out of loops and of an `if` that depends on run-time values"),
    (fill("cta.copy_async(q.a, 3)"), "a slot must be filled from a region of a tensor, not 3",
        "copy slot.a and A[ds(m, 128), ds(k, 64)]"),
    (fill("cta.copy_async(q.a, x[0:8, :])"), "copy operands must cover identical regions, found (16, 8) and (8, 8)", ""),
    (fill("cta.copy_async(q.a[0, :], b[0:8])"), "the tile has elements of f32, but the tensor of i8", "tile(...) of it"),
    (fill("cta.copy_async(q.c, x)"), "the slot has no tile 'c'", "its tiles: a"),
    (fill("cta.copy_async(q, x)", TWO), "the slot has 2 tiles", "name the tile, as in slot.a"),
    # -- slots that are stored --
    (store("with p.fill() as z: pass"), "only one slot can be filled at a time", ""),
    (store("pass"), "the slot is never stored", "use cta.copy_async(C[...], slot.c)"),
    (store("cta.copy_async(x, q.a, share=0)"), "a tile can be stored only by its own block",
        "use cta.copy_async(C[...], slot.c)"),
    (store("cluster.copy_async(x, q.a)"), "a tile can be stored only by its own block",
        "use cta.copy_async(C[...], slot.c)"),
    (HELD + store("cta.copy_async(x, s[0:16, :])"),
        "<16x8 region of <16x8 tile of f32 in shared memory>> is not a tile of the slot being stored", ""),
    (store("cta.copy_async(3, q.a)"), "a slot must be stored to a region of a tensor, not 3",
        "copy slot.c and A[ds(m, 128), ds(k, 64)]"),
    (store("for _ in range(n): cta.copy_async(x, q.a)"),
        "the copies that store a slot must be directly in the `with`, so that they are the same every time", ""),
    (store("pass") + "    p.take()", "the slot is never stored", "use cta.copy_async(C[...], slot.c)"),
    (store("cta.copy_async(x, q.a)") + "    p.take()", "a pipeline of kind 'store' can only be filled",
        "use pipeline(...) without kind="),
    # -- slots that are taken --
    *((take(f"p.take(behind={behind})"),
        f"2 slots cannot be held {behind} behind: the role that fills them would deadlock",
        "use behind=1 at most, or more stages") for behind in (2, -1, 1.0)),
    (take("p.oldest()"), "no slot has been taken", "write slot = ring.take() first"),
    (take("q = p.take()\n    v = q.c"), "the slot has no tile 'c'", "its tiles: a"),
    (take("q = p.take()\n    v = q[0, 0]", TWO), "the slot has 2 tiles", "name the tile, as in slot.a"),
    (take("q = p.take()\n    if n > 3:\n        with q: v = q.a"), "a slot must be released in the block that took it",
        ""),
    ("p = pipeline(2, kind='x', a=tile(f32, 16, 8))", "unknown pipeline kind 'x'", 'use "load" or "store"'),
    ("p = pipeline(2, a=tile(f32, 16, 8))\nwith role(warps=1):\n    p = pipeline(2, a=tile(f32, 16, 8))",
        "a pipeline must be created in the kernel body, before the roles", ""),
    ("p = pipeline(2, a=tile(f32, 16, 8))\np.take()", "taking from a pipeline is allowed only in a role",
        "put it in `with role(warps=1):`"),
    ("p = pipeline(2, a=tile(f32, 16, 8))\np.fill()", "filling a pipeline is allowed only in a role",
        "put it in `with role(warps=1):`"),
    (fill("cta.copy_async(q.a, x)"), "<pipeline of 2 slots: a> is filled but never taken from: its roles would deadlock",
        ""),
    ("p = pipeline(2, a=tile(f32, 16, 8))\nwith role(warps=1): p.take()",
        "<pipeline of 2 slots: a> is taken from but never filled: its roles would deadlock", ""),
    (take("p.take()\nwith role(warps=1), p.fill() as q: cta.copy_async(q.a, x)"),
        "a pipeline must be filled by a single role", "use another pipeline for the other role"),
    (take("p.take()\n    with p.fill() as q: cta.copy_async(q.a, x)"),
        "a pipeline must be filled by a single role", "use another pipeline for the other role"),
    # -- names after loops --
    (OWN + "for i in range(n): o = 3", "'o' is a tile before this loop, and 3 after an iteration", ""),
    # -- match --
    ("match n, w:\n    case (1, 2, 3): pass", "expected a pattern of 2 values", ""),
    ("match n, w:\n    case 3: pass", "expected a pattern of 2 values", ""),
    ("match (*[n], w):\n    case (1, 2): pass", "the pattern and the matched value must have the same number of elements",
        ""),
    ("match n, w:\n    case (1, v) if v > 3: pass", "a pattern with values and names cannot have a guard in a kernel", ""),
    ("match n:\n    case 1 | [2]: pass", "this pattern is not supported in a kernel: use values and names", ""),
    ("match n:\n    case 1 | _: pass", "alternatives in a kernel must be values", ""),
    # -- what is staged --
    ("v = staged(1, a=tile(f32, 16, 8))", "invalid number of stages 1", "use 2 or more: one is used while others are filled"),
    ("v = staged(2.0, a=tile(f32, 16, 8))", "invalid number of stages 2.0",
        "use 2 or more: one is used while others are filled"),
    ("v = staged(2)", "slots need tiles", "staged(3, a=tile(f16, 128, 32))"),
    (HELD + "v = staged(2, a=s)", "'a' is not a tile of 2 stages", "a=tile(f16, 128, 32)"),
    ("for k, q in staged(2, a=tile(f32, 16, 8)).loop(n, lambda q, k: q.c): pass", "the slot has no tile 'c'", "its tiles: a"),
    ("for k, q in staged(2, a=tile(f32, 16, 8), b=tile(f32, 16, 8)).loop(n, lambda q, k: q[0]): pass",
        "the slot has 2 tiles", "name the tile, as in slot.a"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "said", "hint"), REFUSED)
def test_refusals(body: str, said: str, hint: str) -> None:
    roles = "role(" in body or "tensor_memory" in body or "wgmma" in body
    with pytest.raises(CompileError) as caught:
        traced(body, None if roles else 32)
    assert (caught.value.message, caught.value.hint) == (said, hint)


CLUSTER = ", cluster=(2, 1)"
SHARED = "p = pipeline(2, a=tile({tile}){more})\nwith role(warps=1), p.fill() as q:\n    {body}\nwith role(warps=1{leader}): p.take()"


def among(body: str, tile: str = "f32, 16, 8", more: str = "", leader: str = "") -> str:
    """A pipeline that is filled for blocks of a cluster."""
    return SHARED.format(body=body, tile=tile, more=more, leader=leader)


CLUSTERS: list[tuple[str, str, str]] = [
    (among("cluster.copy_async(q.a, x, share=0)"), "", ""),
    (among("cta.copy_async(q.a, x)", more=", pair=True", leader=", leader=True"), "", ""),
    *((among(f"cluster.copy_async(q.a, x, share={axis})"), f"the cluster has no axis {axis}",
        "axis 0 is the first of @weft.kernel(cluster=(2, 1))") for axis in (2, -1)),
    (among("cluster.copy_async(q.a, x, share=0)\n    cluster.copy_async(q.b, x, share=1)", more=", b=tile(f32, 16, 8)"),
        "tiles of a pipeline must be shared along a single axis of the cluster", ""),
    (("p = pipeline(2, a=tile(f32, 16, 8))\nwith role(warps=1): p.take()\nwith role(warps=1), p.fill() as q:\n"
        "    cluster.copy_async(q.a, x, share=0)"),
        "the role that fills a shared pipeline must come before the roles that take from it", ""),
    (among("cluster.copy_async(q.a, x, share=0)", more=", pair=True", leader=", leader=True"),
        "tiles of a pair's slots cannot be shared with further blocks", ""),
    (among("cta.copy_async(q.a, x)", more=", pair=True"), "only the leading block of a pair can take its slots",
        "use `with role(warps=1, leader=True)`"),
    (among("cluster.copy_async(q.a[0:3, :], x[0:3, :], share=0)"), "3 rows do not divide evenly among 2 blocks", ""),
    (among("cluster.copy_async(q.a, b, share=0)", tile="i8, 16"), ("the tile cannot be split by rows: a row of a box must "
        "be a multiple of 16 bytes, but 8 bytes of the tile are contiguous"), ""),
    (("p = pipeline(1, kind='store', a=tile(f32, 16, 8))\nwith role(warps=1), p.fill() as q:\n"
        "    cta.copy_async(x, q.a, reduce='max')"), "", ""),
    *(((f"p = pipeline(1, kind='store', a=tile(f32, {rows}, 7))\nwith role(warps=1), p.fill() as q:\n"
        f"    cta.copy_async(x[0:{rows}, 0:7], q.a, reduce='{word}')"), said, hint) for rows, word, said, hint in (
            (16, "add", "56 elements do not divide evenly among the lanes of a warp", "wider tiles"),
            (3, "add", "7 elements do not divide evenly among the lanes of a warp", "wider tiles"),
            (16, "max", ("only TMA can reduce by 'max' into memory: a row of a box must be a multiple of 16 bytes, but 28 "
                "bytes of the tile are contiguous"), ""))),
    ("with role(warps=31): thread_id()\nwith role(warps=1): thread_id()", "", ""),
    ("with role(warps=30): thread_id()\nwith role(warps=3): thread_id()",
        "the roles have 35 warps, but a block has at most 32", ""),
]  # fmt: skip


@pytest.mark.parametrize(("body", "said", "hint"), CLUSTERS)
def test_what_blocks_of_a_cluster_share(body: str, said: str, hint: str) -> None:
    if not said:
        traced(body, None, CLUSTER)
        return
    with pytest.raises(CompileError) as caught:
        traced(body, None, CLUSTER)
    assert (caught.value.message, caught.value.hint) == (said, hint)
