"""The classes of hazards, each with bugs that show it, all of which the default mode catches."""

from __future__ import annotations

import pytest

from tests.sim.hazards.__main__ import MAX_STEPS
from tests.sim.hazards.corpus import KERNELS

_ROWS = """
1 no barrier between warps | reverse: no barrier | rounds: no barrier after the load | rounds: no barrier after the store
2 no barrier of the warp; a shuffle or vote taken for one | warp tail: no barrier of the warp after the store | warp tail: a shuffle in its place | warp tail: a vote in its place | a lane that speaks for its warp: no barrier of the warp before one lane arrives | a lane that speaks for its warp: no barrier of the warp before the flag
3 several readers, of which one is not ordered | several readers: warp 1 says so before it has read | several readers: the writer waits for two of three
4 bytes | bytes: one byte too far | bytes: stores of two bytes
5 cp.async: no wait, a wrong count, the group of another thread | cp.async: no wait | cp.async in 3 stages: a wait for one group less | cp.async: one warp does not wait
6 tensor and bulk copies: no wait, the wrong mbarrier or phase | bulk load: no wait | TMA pipeline: the consumer waits at the other stage | bulk load: the phase before
7 bulk stores: a source used again, an end too early | bulk store: no wait | bulk store: the next tile overwrites it | a store at the end: no wait before the end
8 counts of bytes and arrivals | bulk load: too few bytes are expected | bulk load: too many bytes are expected | producer and consumer warps: a count that is too low
9 lives of mbarriers | an mbarrier that is used again: init again without inval | an mbarrier that is used again: its storage is used without inval | bulk load: no barrier after the init | bulk load: a copy onto the mbarrier
10 no proxy fence | bulk store: no proxy fence | wgmma: no proxy fence | tcgen05: no proxy fence
11 a proxy fence at the wrong place | bulk store: the fence before the store | bulk store: the fence after the barrier, by another warp | bulk store with the issuer's fence: the fence after the copy
12 stores of the async proxy and of st.async | asynchronous stores: no wait | asynchronous stores: too few bytes are expected
13 wgmma: fence, commit, wait | wgmma: no wgmma.fence | wgmma: no commit | wgmma with two groups: a wait for all but two | wgmma: the accumulators are written after the fence
14 tcgen05: fences around barriers, memory given back in use | tensor memory of two roles: no fence before the barrier | tensor memory of two roles: no fence after the barrier | tcgen05: the memory is given back too early | tcgen05 in two stages by three roles: no fence after it is taken
15 tcgen05: commit, waits for loads and stores | tcgen05: no wait for the commit | tcgen05: no wait for the load | tensor memory of two roles: no wait for the store
16 shared memory of a CTA that has not started, or has left | stores into a peer: before the peer has started | exchange in a cluster: it leaves early
17 a relaxed barrier of the cluster | exchange in a cluster: a relaxed arrival | stores into a peer: relaxed arrivals
18 scopes that are too narrow | a flag between CTAs: a store to the CTA | a flag with fences: a fence of the CTA before the flag | last block: an atomic of the CTA
19 atomics against plain accesses, and other widths | histogram: plain counting | a flag between CTAs: a flag of one byte, read as four | histogram: half of the words are counted with 16 bits
20 plain unlocking; a flag that is read once | lock: unlocking by a plain store | a flag between CTAs: the flag is not waited for
21 read-only loads of what the kernel writes | shift: in place | barrier of the grid: it reads through the read-only cache
22 unwritten memory and registers | local memory: nothing is written | registers on two ways: one way leaves it out | reverse: half of the tile is stored
23 diverging barriers and collectives, membermasks | reduction: the barrier inside the branch | shuffles and votes: a membermask of more than are there | shuffles and votes: a lane that has left
24 deadlocks, counts of named barriers | reverse: a count that is not reached | named barriers: no word that the buffer is free | groups of warps with a barrier each: one barrier for both groups | lock: no unlocking
25 polling around barriers | a poll with barriers in its loop: the flag is never set | lock with barriers in its loop: no barrier after the trial
26 tensor maps that are edited | a map changed for another CTA: no acquire | a map changed in shared memory: changed again under the copy
28 out of bounds, misaligned | reverse: one word beyond the tile | cp.async: a misaligned copy | local memory: a word too far
"""
"""Numbers, classes and bugs (`kernel: bug`).  27, data of an earlier grid, is in `tests/gpu/test_dependent_grids.py`."""

TABLE = {line.split(" | ")[0]: line.split(" | ")[1:] for line in _ROWS.strip().splitlines()}
PLACED = {"race", "uninitialised-memory", "asynchronous-write", "asynchronous-exit", "proxy-fence", "tensor-fence"}
"""Kinds of faults that concern memory, and say where."""
BUGS = {f"{kernel.name}: {bug.name}": (kernel, bug) for kernel in KERNELS for bug in kernel.bugs}


def test_every_class_has_bugs() -> None:
    assert len(TABLE) == 27
    assert not [name for names in TABLE.values() for name in names if name not in BUGS]


@pytest.mark.sample(1)
@pytest.mark.parametrize("row", TABLE)
def test_classes_are_caught(row: str) -> None:
    for name in TABLE[row]:
        kernel, bug = BUGS[name]
        fault = kernel.fault(bug.applied(kernel.text), max_steps=MAX_STEPS)
        assert fault is not None, name
        assert not bug.kinds or fault.kind in bug.kinds, name
        assert fault.thread is not None, name
        assert fault.address is not None or fault.kind not in PLACED, name
