"""Who does something together: `warp.copy(...)`, `cta.copy_async(...)`, `cta.sync()`."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

from weft.dialects.engine.making import new
from weft.dialects.tile.memory import copy as copy_of
from weft.dialects.tile.types import LOCAL, SHARED, TENSOR
from weft.layout.wgmma import wgmma_fragment
from weft.tile.buffers import Buffer, register
from weft.tile.dtypes import DType, boolean, f32, i32
from weft.tile.machine import cluster_sync, commit_products, wait_products
from weft.tile.regions import Region
from weft.tile.scalars import Scalar, scalar
from weft.tile.six import SIX
from weft.tile.tensors import Tensor
from weft.tile.trace import current, error

Operand = "Buffer | Region | Tensor"


class Scope:
    """A group of threads that act together: ``thread``, ``warp``, ``warpgroup`` (4 warps) or ``cta`` (the block).

    All threads of the group must reach what they do together.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def copy(
        self,
        dst: Any,
        src: Any,
        *,
        dispatch: str | None = None,
        cache: str | None = None,
        inbounds: bool = False,
        note: str = "",
    ) -> None:
        """Copy a region to a region of the same extents; element i goes to element i, whatever the layouts.

        `dispatch` names the only variant to try; `cache="nc"` reads global memory through the read-only path;
        `inbounds=True` promises that regions of tensors lie inside them; `note` is shown where the copy is explained.

        Raises:
            CompileError: the extents differ, or (when the kernel is compiled) no variant takes the copy, with the
            reasons.
        """
        self._copy("copy", dst, src, dispatch, cache, inbounds, note)

    def copy_async(
        self,
        dst: Any,
        src: Any,
        *,
        dispatch: str | None = None,
        inbounds: bool = False,
        share: int | None = None,
        reduce: str | None = None,
    ) -> None:
        """Start to copy from global to shared memory (`cp.async`): done when `wait` has waited for its group.

        Into a slot that is filled, and out of one that is stored, it is a tensor copy (TMA), which one thread starts
        for its role; `cluster.copy_async(..., share=axis)` loads a tile that the blocks of the cluster along an axis
        share, each a part of it for all; `reduce="add"` combines what is stored with what is there.
        """
        slot = current().extra.get("open")
        if slot is not None:
            if self.name not in ("cta", "cluster"):
                raise error(
                    f"a slot belongs to a block: a {self.name} cannot fill it", "use cta.copy_async(slot.a, A[...])"
                )
            slot.copy(dst, src, share=share, reduce=reduce, cluster=self.name == "cluster")
            return
        if share is not None or reduce is not None or self.name == "cluster":
            raise error(f"{self.name}.copy_async is a tensor copy and must load into or store from a pipeline's slot")
        self._copy("copy_async", dst, src, dispatch, None, inbounds)

    def _copy(
        self, name: str, dst: Any, src: Any, dispatch: str | None, cache: str | None, inbounds: bool, note: str = ""
    ) -> None:
        if self.name in ("cluster", "pair"):
            raise error(f"a {self.name} cannot copy: each of its blocks copies", "use cta.copy(...)")
        trace = current()
        target, to_bounds, to_shape = _resolve(dst)
        source, from_bounds, from_shape = _resolve(src)
        spaces = [getattr(value.type, "space", None) for value in (target, source)]
        in_tensor_memory = [space is not None and space.data == TENSOR for space in spaces]
        if [x for x in to_shape if x != 1] != [x for x in from_shape if x != 1]:
            raise error(f"copy operands must cover identical regions, found {to_shape} and {from_shape}")
        if any(in_tensor_memory):
            if all(in_tensor_memory) or LOCAL not in [x.data for x in spaces if x] or self.name != "warpgroup":
                raise error(
                    "only a warpgroup can access tensor memory, from and to its registers",
                    "use warpgroup.copy(register(shape, f32, tensor_layout(shape)), t.d)",
                )
            transfer = "tile.tensor_write" if in_tensor_memory[0] else "tile.tensor_read"
            kinds = [whole_region(x).dtype for x in (src, dst)]
            if kinds[0] is not kinds[1]:
                raise error(f"a copy cannot convert {kinds[0]} to {kinds[1]}", "use x.to(...)")
            trace.add(new(transfer, target, source))
            return
        bounds = [] if inbounds else (to_bounds or from_bounds)
        op = copy_of(
            name,
            target,
            source,
            self.name,
            variant=dispatch,
            cache=cache,
            bounds=[x.value for x in bounds],
            bound_divisors=[x.divisor for x in bounds] if bounds else None,
            note=note or None,
        )
        trace.add(op)

    def gemm(self, d: Buffer, a: Buffer, b: Buffer, *, metadata: Buffer | None = None) -> None:
        """d += a @ b by `mma.sync`: tiles in the registers of a warp, laid out as its fragments.

        With `metadata` (`metadata_layout`), `a` is sparse: the half of its columns that is stored (`compressed`).

        Raises:
            CompileError: the extents do not meet; when the kernel is compiled, the layouts are no fragments, or the
                target has no such product.
        """
        if self.name != "warp":
            raise error(f"a {self.name} cannot execute gemm: it is a warp's operation", "use warp.gemm(d, a, b)")
        for tile in (d, a, b, *([] if metadata is None else [metadata])):
            if not isinstance(tile, Buffer) or tile.space != "local":  # pyright: ignore[reportUnnecessaryIsInstance]
                raise error(f"{tile!r} is not in registers", "copy it into a tile with a fragment's layout first")
        matrices = all(len(tile.shape) == 2 for tile in (d, a, b))
        depth = a.shape[-1] * _stored(metadata)
        if not matrices or (*d.shape, depth) != (a.shape[0], b.shape[1], b.shape[0]):
            raise error(f"extents do not match: {a.shape} times {b.shape} for {d.shape}")
        unsigned_a, unsigned_b = (x.dtype.kind == "uint" for x in (a, b))
        words = None if metadata is None else metadata.value
        refuse_narrow(*[x.dtype for x in (a, b) if x.dtype not in SIX])
        types = None if SIX.keys().isdisjoint((a.dtype, b.dtype)) else f"{a.dtype},{b.dtype}"
        if types and metadata is not None:
            raise error(
                "sparse products of 6-bit floats are not supported", "use x.to(e4m3), which represents every e2m3"
            )
        flags: Any = {"unsigned_a": unsigned_a, "unsigned_b": unsigned_b, "types": types}
        current().add(new("tile.gemm", d.value, a.value, b.value, words, **flags))

    def gemm_async(
        self, d: Buffer | Region | None, a: Any, b: Any, *, add: Any = True, metadata: Buffer | None = None
    ) -> Buffer:
        """Start d += a @ b (d = a @ b where `add` does not hold).

        `warpgroup.gemm_async` is `wgmma`, and gives the sums, which are there once they have been waited for.
        `cta.gemm_async`, in a role of one warp, is `tcgen05.mma` (sm_100a): `d` is 128 rows in tensor memory, `b` is in
        shared memory, `a` in either; the slots of pipelines that they are of are given on when it is done.
        `pair.gemm_async` multiplies for two blocks of a cluster: each has 128 rows of `a` and `d`, and half the columns
        of `b`.

        Of `wgmma`: `d` is in the warpgroup's registers, laid out as `wgmma_layout("d", ...)`, or None for new sums; `a`
        is in shared memory or in registers, `b` in shared memory.  Nothing may touch `d`, nor `a` in registers, before
        `wait` (or the end of the `take` that it is in).  With `metadata` (`metadata_layout`, in registers), `a` is
        sparse: the half of its columns that is stored (`compressed`).

        Raises:
            CompileError: the extents do not meet; when the kernel is compiled, the layouts are not what the product
                reads, or the target has no such product.
        """
        if metadata is not None and (self.name != "warpgroup" or getattr(metadata, "space", "") != LOCAL):
            raise error(
                "metadata must be in registers, distributed over a warpgroup",
                "use register(shape, u32, metadata_layout(shape, warpgroup))",
            )
        if self.name in ("cta", "pair"):
            return _gemm_tensor(d, a, b, add, pair=self.name == "pair")
        if self.name != "warpgroup":
            raise error(f"a {self.name} cannot execute gemm_async: it is a warpgroup's operation")
        left, right = (matrix_of(x, name) for x, name in ((a, "a"), (b, "b")))
        refuse_narrow(left.dtype, right.dtype)
        if right.space == LOCAL:
            raise error("'b' of an asynchronous product must be in shared memory", "copy it there, or use warp.gemm")
        shape = (extents_of(left)[0], extents_of(right)[1])
        if d is None:
            kind, name = (i32, "s32") if left.dtype.kind in ("int", "uint") else (f32, "f32")
            d, add = register(shape, kind, wgmma_fragment("d", name, shape)), False
        if not isinstance(d, Buffer) or d.space != LOCAL:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise error(f"{d!r} is not in registers", 'use register(shape, f32, wgmma_layout("d", shape))')
        if d.shape != shape or extents_of(left)[1] * _stored(metadata) != extents_of(right)[0]:
            raise error(f"extents do not match: {extents_of(left)} times {extents_of(right)} for {d.shape}")
        always = isinstance(add, bool | int)
        op = new(
            "tile.gemm_async",
            d.value,
            left.value,
            right.value,
            None if always else scalar(add, boolean).value,
            None if metadata is None else metadata.value,
            fresh=always and not add,
            unsigned_a=left.dtype.kind == "uint",
            unsigned_b=right.dtype.kind == "uint",
        )
        trace = current()
        trace.add(op)
        trace.extra["products"] = True
        if not trace.extra.get("taken"):
            commit_products()
        return d

    def wait(self, groups: int = 0) -> None:
        """Wait until at most `groups` groups of the warpgroup's products are under way: each `gemm_async` outside of a
        `take`, or all of one `take`, are a group.  Slots whose products are done are given back.
        """
        if self.name != "warpgroup":
            raise error(
                f"a {self.name} has no products to wait for: they belong to a warpgroup",
                "use wait(n) for cp.async only",
            )
        if not isinstance(groups, int) or groups < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise error(f"invalid number of groups {groups!r}")
        if current().extra.get("taken"):
            commit_products()
        wait_products(groups)
        settle = current().extra.get("settle")
        if settle is not None:
            settle(groups)

    def sync(self) -> None:
        """Wait for each other, and see each other's writes to memory."""
        if self.name in ("thread", "pair"):
            raise error(f"a {self.name} cannot wait")
        if self.name == "cluster":
            cluster_sync()
            return
        current().add(new("tile.sync", scope=self.name))


thread = Scope("thread")
warp = Scope("warp")
warpgroup = Scope("warpgroup")
cta = Scope("cta")
pair = Scope("pair")
cluster = Scope("cluster")


def copy(dst: Any, src: Any, **options: Any) -> None:
    """`thread.copy`: each thread copies on its own."""
    thread.copy(dst, src, **options)


def sync() -> None:
    """`cta.sync`: the block's barrier."""
    cta.sync()


def commit() -> None:
    """Make a group of the thread's asynchronous copies since the last one (`cp.async.commit_group`)."""
    current().add(new("tile.async_commit"))


def wait(groups: int = 0) -> None:
    """Wait until at most `groups` of the thread's groups of asynchronous copies are pending (`cp.async.wait_group`)."""
    current().add(new("tile.async_wait", groups=groups))


def _resolve(given: Any) -> tuple[SSAValue, list[Scalar], tuple[int, ...]]:
    """The buffer that a copy's operand is, the bounds of its dimensions, and its extents."""
    given = whole_region(given)
    if isinstance(given, Buffer):
        return given.value, [], given.shape
    if isinstance(given, Tensor):
        if any(isinstance(extent, Scalar) for extent in given.shape):
            raise error(
                "the extents of the whole tensor must be constants", "copy a region of it: A[i:i + 64, k:k + 32]"
            )
        given = given[tuple(slice(None) for _ in given.shape)]
    if not isinstance(given, Region):
        raise error(f"{given!r} cannot be copied", "use tiles, or regions of tiles and tensors")
    buffer = given.buffer
    if isinstance(buffer, Tensor):
        value, bounds = buffer.view(given.starts, given.sizes, given.kept)
        return value, bounds, given.sizes
    return buffer.view(given.starts, given.sizes), [], given.sizes


def whole_region(given: Any) -> Any:
    """What stands for a tile: a slot with one tile is that tile's region."""
    found = getattr(given, "as_region", None)
    return given if found is None else found()


def _stored(metadata: Buffer | None) -> int:
    """Of how many elements along K `a` has one."""
    return 1 if metadata is None else 2


def _gemm_tensor(d: Any, a: Any, b: Any, add: Any, *, pair: bool) -> Buffer:
    """A product into tensor memory, started by one thread of the role."""
    from weft.tile.roles import multiplying_role

    trace = current()
    role = multiplying_role(pair=pair)
    sums, left, right = (matrix_of(x, name) for x, name in ((d, "d"), (a, "a"), (b, "b")))
    refuse_narrow(left.dtype, right.dtype)
    if (sums.space, right.space) != (TENSOR, SHARED) or left.space not in (SHARED, TENSOR):
        raise error(
            "the accumulator must be in tensor memory, 'b' in shared memory, 'a' in either",
            "use tensor_memory((128, 256), f32), or the slot of a pipeline of these",
        )
    (m, k), (depth, n) = extents_of(left), extents_of(right)
    if extents_of(sums) != (m, n * (1 + pair)) or k != depth:
        of = ", where each block has half of the columns" if pair else ""
        raise error(f"extents do not match: {(m, k)} times {(depth, n)} for {extents_of(sums)}{of}")
    always = isinstance(add, bool | int)
    added = None if always else scalar(add, boolean).value
    made = new(
        "tile.gemm_tensor",
        sums.value,
        left.value,
        right.value,
        added,
        None,
        fresh=always and not add,
        unsigned_a=left.dtype.kind == "uint",
        unsigned_b=right.dtype.kind == "uint",
        pair=pair,
    )
    with role.one_lane():
        trace.add(made)
    return sums


def refuse_narrow(*kinds: DType) -> None:
    """Refuse what asynchronous products do not read, a byte each: floats of 4 and of 6 bits."""
    for kind in kinds:
        if kind.kind == "narrow":
            hint = (
                "use e4m3 for e2m3, and e5m2 for e3m2: they represent every value" if kind in SIX else "use dot_scaled"
            )
            raise error(f"{kind} cannot be multiplied here", hint)


def matrix_of(given: Any, name: str) -> Buffer:
    """An operand of an asynchronous product: a tile, or a region of one."""
    given = whole_region(given)
    if isinstance(given, Region) and isinstance(given.buffer, Buffer):
        given = Buffer(given.buffer.view(given.starts, given.sizes), given.dtype)
    if not isinstance(given, Buffer):
        raise error(
            f"'{name}' of an asynchronous product must be a tile: {given!r}", "put it in shared memory or in registers"
        )
    if len(extents_of(given)) != 2:
        raise error(f"'{name}' is not a matrix: {given!r}")
    return given


def extents_of(tile: Buffer) -> tuple[int, ...]:
    """The extents of a matrix, dimensions of extent 1 in front left out."""
    shape = tile.shape
    while len(shape) > 2 and shape[0] == 1:
        shape = shape[1:]
    return shape
