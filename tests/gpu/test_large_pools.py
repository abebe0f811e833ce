"""A kernel in a pool of memory as large as programs take at once: what it doesn't touch costs nothing."""

from __future__ import annotations

import numpy as np
import pytest

import weft

COUNT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry count(.param .u64 pool)
{
	.reg .b64 p;
	.reg .b32 n;
	.reg .b16 byte;
	ld.param.u64 p, [pool];
	atom.global.add.u32 n, [p+64], 1;
	ld.global.u8 byte, [p];
	ld.relaxed.gpu.global.u32 n, [p+64];
	ret;
}
"""


@pytest.mark.slow
def test_tables_of_untouched_memory() -> None:
    """Accesses of single bytes need the finest tables: 40 GiB for all of this pool, of which a few pages are used."""
    with weft.Device("sm_80", memory=3 << 30) as device:
        pool = device.alloc((5 << 30) // 4)
        device.memset(pool, 0, 128)
        device.load(COUNT).kernel("count").launch(4, 128, [pool])
        device.synchronize()
        assert device.view(pool, 128, np.uint32)[16] == 512


def test_arguments_that_are_no_sequence() -> None:
    with weft.Device("sm_80") as device:
        kernel = device.load(COUNT).kernel("count")
        with pytest.raises(weft.WeftError, match=r"args is 3, of type int") as refusal:
            kernel.launch(4, 128, 3)  # pyright: ignore[reportArgumentType]
        assert refusal.value.hint == "it takes a sequence"
