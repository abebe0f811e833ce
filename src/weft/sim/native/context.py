"""What compiled code and the scheduler share: words of a context, one for each thread of the process."""

from __future__ import annotations

CONTEXT = {
    name: number
    for number, name in enumerate(
        (
            "arena_delta",  # What turns a global address into one of this process.
            "regions",  # Starts, ends, whether they are writable (more where stored to) and watched, ascending.
            "region_count",
            "shared",  # Shared memory of the first CTA of the batch.
            "shared_size",
            "shared_stride",
            "shared_base",  # That of the warp's CTA.
            "local",
            "local_size",
            "local_stride",
            "gaps",  # Starts and ends of what lies between variables there.
            "gap_count",
            "local_known",  # From a byte of it to what says whether that has been written.
            "local_base",  # Local memory of the warp's first lane.
            "ctas",
            "where",  # For each lane the number of the exit by which it has left.
            "counts",  # For each block how many lanes have run it.
            "rows",  # Pointers to registers.
            "symbols",  # Addresses of variables.
            "caches",  # The region of the last access of each instruction.
            "frames",  # The registers of the warps of a CTA.
            "frame",  # Those of the warp.
            "loops",  # Pointers to NumPy's inner loops and their data.
            "scratch",
            "fuel",  # Backward branches that are left to the warp.
            "fault",
            "polls",  # Whether the warp has looked at what others change.
            "polled",  # Whether warps have done so until others had their turn,
            "works",  # and whether some have done something else.
            "unchanged",  # Less than 0: bytes that updates have stored as they were.
            "arena_stored",  # Bytes.
            "shared_stored",
            "local_stored",
            "arena_loaded",
            "shared_loaded",
            "local_loaded",
            "first",  # The exit of the first lanes of a warp that have left, -1 before.
            "mixed",  # Whether others have left by another one.
            "lanes",  # Those that the warp runs with.
            "exists",  # Those that there are of it.
            "rests",  # Whether all of them rest, with their registers in the frame.
            "patience",  # See `weft.sim.native.turns`.
            "phases",  # Phases of mbarriers that have completed.
            "arrivals",  # Arrivals of warps at mbarriers.
            "steps",  # Backward branches and turns of the CTA that has taken most.
            "role",  # The first warp of each CTA that runs, and how many.
            "roles",
            "whole",  # Whether these are all its warps.
            "votes",  # True predicates of threads of the CTA that have voted at a barrier, and these threads.
            "voters",
            "last_role",  # The last of all, and its threads.
            "tail",
            "copies",  # The ring of each warp (`weft.sim.native.copies`).
            "stamps",  # For each warp what its accesses leave in cells: of global, and of shared memory.
            "clocks",  # The clock of each CTA (`weft.sim.native.clocks`).
            "clock",  # That of the warp's CTA.
            "known",  # What the warp knows of others.
            "least",  # The least of it.
            "turn",  # The number of the warp in its CTA.
            "passed",  # For each warp how many barriers of its CTA it has passed.
            "arena_stamp",  # Those of the warp.
            "shared_stamp",
            "arena_written",  # Cells (`weft.sim.native.cells`), for addresses from 0 on.
            "arena_read",
            "arena_changed",
            "near_written",  # Cells of shared memory of the first CTA of the batch.
            "near_read",
            "near_changed",
            "near_stride",
            "shared_written",  # Those of the warp's CTA.
            "shared_read",
            "shared_changed",
        )
    )
}


def field(name: str, into: str, type_: str = "i64") -> str:
    """Text that loads a field; its address stays in `into.at`."""
    return (
        f"  %{into}.at = getelementptr i64, ptr %ctx, i64 {CONTEXT[name]}\n  %{into} = load {type_}, ptr %{into}.at\n"
    )
