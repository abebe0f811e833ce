"""What roles and pipelines are made of: barriers in shared memory, fences, elections, and choices of one thread."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from xdsl.dialects import llvm, scf
from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Block, Operation, Region, SSAValue

from weft.dialects.engine.making import new
from weft.dialects.nvvm.pointers import SHARED, SHARED_CLUSTER
from weft.tile.dtypes import boolean
from weft.tile.dtypes import i32 as int32
from weft.tile.scalars import Scalar, scalar
from weft.tile.trace import current, error

BARRIERS = 16
"""Barriers that a block has."""
FIRST_NAMED = 9
TICKS = 10_000_000
"""How long a look at a barrier may suspend the thread, in the hardware's unit; then it looks again."""


@contextmanager
def only_if(condition: Scalar) -> Generator[Block]:
    """What threads do for which a condition holds."""
    trace = current()
    block = Block()
    with trace.inside(block):
        yield block
        trace.add(scf.YieldOp.create())
    trace.add(scf.IfOp.create(operands=[condition.value], regions=[Region([block]), Region()]))


def constant(value: int) -> SSAValue:
    """A 32-bit constant."""
    return current().constant(value, int32)


def elected() -> Scalar:
    """Whether the thread is the one of its warp that is chosen; all lanes must come."""
    return Scalar(current().value(new("nvvm.elect.sync", results=[i1])), boolean)


def initialize(barrier: SSAValue, arrivals: int) -> None:
    """Make a barrier of so many arrivals."""
    current().add(new("nvvm.mbarrier.init", barrier, constant(arrivals)))


def fence_initialized() -> None:
    """Let the cluster, and copies, see barriers that were made."""
    current().add(new("nvvm.fence.mbarrier.init"))


def wait_phase(barrier: SSAValue, parity: Scalar) -> None:
    """Wait until the barrier's phase of a parity is over."""
    current().add(new("nvvm.mbarrier.try_wait.parity", barrier, scalar(parity, int32).value, constant(TICKS)))


def arrive(barrier: SSAValue) -> None:
    """Arrive at a barrier of the own block."""
    current().add(new("nvvm.mbarrier.arrive", barrier, scope="cta", relaxed=False))


def arrive_remote(barrier: SSAValue, rank: Any, *, see: bool = False) -> None:
    """Arrive at the barrier at the same place in another block of the cluster; it may `see` what was written before."""
    trace = current()
    place = trace.value(new("nvvm.mapa", barrier, scalar(rank, int32).value, results=[SHARED_CLUSTER]))
    trace.add(new("nvvm.mbarrier.arrive", place, scope="cluster" if see else "cta", relaxed=False))


def of_leader(place: SSAValue, rank: Any) -> SSAValue:
    """The place of a barrier in the memory of the block that leads the pair, as one of the own block's: what tensor
    copies of a pair count at.
    """
    trace = current()
    there = trace.value(new("nvvm.mapa", place, scalar(rank, int32).value, results=[SHARED_CLUSTER]))
    number = trace.value(llvm.PtrToIntOp.create(operands=[there], result_types=[i32]))
    return trace.value(llvm.IntToPtrOp.create(operands=[number], result_types=[SHARED]))


def expecting(barrier: SSAValue, size: int, predicate: Scalar) -> Operation:
    """An arrival that tells how many bytes are to come."""
    return new("nvvm.mbarrier.arrive.expect_tx", barrier, constant(size), predicate.value, scope="cta", relaxed=False)


def prefetch_map(pointer: SSAValue) -> None:
    """Bring a tensor map near."""
    current().add(new("nvvm.prefetch", pointer, tensormap=True))


def fence_async() -> None:
    """Let the async proxy (TMA, wgmma) see what the thread has written to shared memory."""
    current().add(new("nvvm.fence.proxy", kind="async.shared", space="cta"))


def sync_warp() -> None:
    """The warp's lanes wait for each other."""
    current().add(new("nvvm.bar.warp.sync", constant(-1)))


def barrier_number() -> int:
    """A number of a barrier that nothing else in the kernel has: warpgroups have 1 to 8, the block has 0."""
    extra = current().extra
    number = extra["barriers"] = extra.get("barriers", FIRST_NAMED - 1) + 1
    if number >= BARRIERS:
        raise error(f"the kernel has more than {BARRIERS - FIRST_NAMED} named barriers and store pipelines")
    return number


class NamedBarrier:
    """A barrier for some threads of a block: see `named_barrier`."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._number = barrier_number()

    def sync(self) -> None:
        """Wait until all threads of the barrier have come, and see what they wrote before."""
        sync_named(self._number, self._threads)

    def arrive(self) -> None:
        """Come to the barrier without waiting: what was written before is seen by those who wait there."""
        arrive_named(self._number, self._threads)


def named_barrier(threads: int) -> NamedBarrier:
    """A barrier (`bar.sync`, `bar.arrive`) for a number of threads, which may be in different roles.

    Raises:
        CompileError: the number is not a multiple of 32, or there are more barriers than the hardware has.
    """
    if not isinstance(threads, int) or threads % 32 or not 32 <= threads <= 1024:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise error(f"invalid number of threads {threads!r} for a barrier", "use a multiple of 32")
    return NamedBarrier(threads)


def sync_named(number: Any, threads: int) -> None:
    """So many threads wait at the block's barrier of a number."""
    current().add(new("nvvm.barrier", scalar(number, int32).value, constant(threads)))


def arrive_named(number: Any, threads: int) -> None:
    """Arrive at the block's barrier of a number without waiting."""
    current().add(new("nvvm.barrier.arrive", scalar(number, int32).value, constant(threads)))


def cluster_sync() -> None:
    """All threads of the cluster wait for each other."""
    current().add(new("nvvm.cluster.arrive", aligned=True))
    current().add(new("nvvm.cluster.wait", aligned=True))


def commit_stores() -> None:
    """Make a group of the tensor stores that the thread has started."""
    current().add(new("nvvm.cp.async.bulk.commit.group"))


def wait_stores(groups: int) -> None:
    """Wait until at most so many groups of the thread's tensor stores have still to read shared memory."""
    current().add(new("nvvm.cp.async.bulk.wait_group", group=groups, read=True))


def commit_products() -> None:
    """Make a group of the products that the warpgroup has started."""
    current().add(new("nvvm.wgmma.commit.group.sync.aligned"))


def wait_products(groups: int) -> None:
    """Wait until at most so many groups of the warpgroup's products are under way."""
    current().add(new("nvvm.wgmma.wait.group.sync.aligned", group=groups))


def set_registers(count: int, *, increase: bool) -> None:
    """Give registers back, or get more (`setmaxnreg`)."""
    action = "increase" if increase else "decrease"
    current().add(new("nvvm.setmaxregister", reg_count=count, action=action))
