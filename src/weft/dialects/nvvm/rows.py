"""The rows of `weft.dialects.nvvm.ops`: see there for what stands in them."""

from __future__ import annotations

ROWS: dict[str, str] = {
    "barrier0": "| | | bar action=sync, 0 | all threads of the block wait at barrier 0",
    "bar.warp.sync": "mask:i32 | | $mask attr-dict `:` type($mask) | bar.warp.sync | the lanes of the mask wait",
    "breakpoint": "| | | brkpt | stop in a debugger",
    "cluster.arrive": "| aligned | | barrier.cluster action=arrive | arrive at the cluster's barrier",
    "cluster.arrive.relaxed": (
        "| aligned | | barrier.cluster action=arrive sem=relaxed | arrive at the cluster's barrier, ordering no memory"
    ),
    "cluster.wait": "| aligned | | barrier.cluster action=wait | wait for all threads of the cluster",
    "cp.async.bulk.commit.group": "| | | cp.async.bulk.commit_group | the bulk stores issued so far form a group",
    "cp.async.commit.group": "| | | cp.async.commit_group | the copies issued so far form a group",
    "exit": "| | | exit | end the thread",
    "fence.mbarrier.init": (
        "| | | fence op_restrict=mbarrier_init sem=release scope=cluster | make `mbarrier.init` visible to the cluster"
    ),
    "fence.sc.cluster": "| | | fence sem=sc scope=cluster | order all accesses of the cluster's threads, sequentially",
    "nanosleep": "duration:i32 | | attr-dict $duration | nanosleep type=u32 | sleep for about that many nanoseconds",
    "wgmma.commit.group.sync.aligned": "| | | wgmma.commit_group | the products issued so far form a group",
}


def stem(name: str) -> str:
    """The family of the instruction that the row of an operation names."""
    return ROWS[name].split("|")[3].partition(",")[0].split()[0]
