"""The running sum of integers, one block of 128 threads: shuffles within warps, shared memory between them."""

import weft
from weft.tile import Global, convert, cta, function, i32, lane_id, shared, shuffle_up, thread_id, warp_id

THREADS = 128
WARPS = THREADS // 32


@function
def sum_up_to_lane(value):
    for distance in (1, 2, 4, 8, 16):
        other = shuffle_up(value, distance)
        if lane_id() >= distance:
            value = value + other
    return value


@weft.kernel(threads=THREADS, grid=1)
def prefix_sum(x: Global(i32, "N"), y: Global(i32, "N")):
    of_warps = shared(WARPS, i32)
    before = convert(0, i32)
    for start in range(0, x.shape[0], THREADS):
        at = start + thread_id()
        value = sum_up_to_lane(x[at] if at < x.shape[0] else 0)
        if lane_id() == 31:
            of_warps[warp_id()] = value
        cta.sync()
        for warp in range(WARPS):
            if warp < warp_id():
                value += of_warps[warp]
        if at < y.shape[0]:
            y[at] = before + value
        for warp in range(WARPS):
            before += of_warps[warp]
        cta.sync()
