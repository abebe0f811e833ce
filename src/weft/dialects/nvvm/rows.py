"""The rows of `weft.dialects.nvvm.ops`: see there for what stands in them."""

from __future__ import annotations

ROWS: dict[str, str] = {
    "bar.warp.sync": "mask:i32 | | $mask attr-dict `:` type($mask) | bar.warp.sync | the lanes of the mask wait",
    "breakpoint": "| | | brkpt | stop in a debugger",
    "cluster.arrive.relaxed": (
        "| aligned | | barrier.cluster action=arrive sem=relaxed | arrive at the cluster's barrier, ordering no memory"
    ),
    "exit": "| | | exit | end the thread",
    "fence.sc.cluster": "| | | fence sem=sc scope=cluster | order all accesses of the cluster's threads, sequentially",
    "nanosleep": "duration:i32 | | attr-dict $duration | nanosleep type=u32 | sleep for about that many nanoseconds",
    "wgmma.commit.group.sync.aligned": "| | | wgmma.commit_group | the products issued so far form a group",
}


def stem(name: str) -> str:
    """The family of the instruction that the row of an operation names."""
    return ROWS[name].split("|")[3].partition(",")[0].split()[0]
