"""Properties of devices by their target: the table of technical specifications per compute capability, CUDA programming guide."""

from __future__ import annotations

import pytest

from weft.gpu.properties import properties_of

SPECIFICATIONS = """
target  shared of a multiprocessor  blocks  threads  f32 for an f64
sm_52   96   32  2048  32
sm_53   64   32  2048  32
sm_60   64   32  2048  2
sm_61   96   32  2048  32
sm_62   64   32  2048  32
sm_70   96   32  2048  2
sm_75   64   16  1024  32
sm_80   164  32  2048  2
sm_86   100  16  1536  64
sm_89   100  24  1536  64
sm_90   228  32  2048  2
sm_100  228  32  2048  2
sm_103  228  32  2048  64
sm_120  100  24  1536  64
"""


@pytest.mark.parametrize("row", SPECIFICATIONS.strip().splitlines()[1:])
def test_as_the_programming_guide_has_them(row: str) -> None:
    target, shared, blocks, threads, ratio = row.split()
    found = properties_of(target, 1 << 30)
    assert found.shared_per_multiprocessor == int(shared) * 1024
    assert found.blocks_per_multiprocessor == int(blocks)
    assert found.threads_per_multiprocessor == int(threads)
    assert found.single_to_double == int(ratio)


def test_what_a_multiprocessor_holds_at_once() -> None:
    found = properties_of("sm_90", 1 << 30)
    assert [found.ctas_together(threads, 0) for threads in (1, 32, 33, 64, 1023, 1024)] == [32, 32, 32, 32, 2, 2]
    assert [found.ctas_together(128, shared) for shared in (13 << 10, 14 << 10, 113 << 10, 114 << 10, 227 << 10)] == [
        16, 15, 2, 1, 1,
    ]  # fmt: skip
    assert found.ctas_together(128, 228 << 10) == 0


@pytest.mark.parametrize(("target", "persisting", "window"), [("sm_75", 0, 0), ("sm_80", 30 << 20, 128 << 20)])
def test_what_stays_in_the_cache(target: str, persisting: int, window: int) -> None:
    found = properties_of(target, 1 << 30)
    assert (found.persisting_l2_bytes, found.access_window_bytes) == (persisting, window)
