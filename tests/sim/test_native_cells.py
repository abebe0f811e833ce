"""Strict compiled runs know of each byte who has written it: variables of all sizes beside each other, accesses of all widths."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("llvmlite")

from tests.sim.test_native_strict import OWN, both
from weft.sim import Result, engines

REGISTER = {8: "%rs1", 16: "%rs1", 32: "%r6", 64: "%rd5"}


def places() -> list[tuple[int, int, int]]:
    """Bytes of a variable that others follow at 16, and bits and place of an access: the last inside, the first behind."""
    every = [(size, bits, (size + ahead) // (bits // 8) * (bits // 8) - back)
             for size in (1, 2, 3, 4, 6, 8, 12) for bits in (8, 16, 32, 64)
             for ahead, back in ((0, bits // 8), (bits // 8 - 1, 0))]  # fmt: skip
    return [one for one in every if 0 <= one[2] < 16]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("size", "bits", "at"), places())
def test_bytes_of_variables(size: int, bits: int, at: int) -> None:
    """Those of a variable may be written and then read, and those behind it belong to nothing, up to the next one."""
    past = at + bits // 8 > size
    value = REGISTER[bits]
    body = f""".shared .align 16 .b8 first[{size}]; .shared .align 16 .b8 second[16]; {OWN} mov.u32 %r3, first; mov.u32 %r6, 7;
    mov.u16 %rs1, 7; mov.u64 %rd5, 7; setp.eq.u32 %p1, %r2, 0; @!%p1 bra out; st.shared.u64 [second], %rd5;
    st.shared.u{bits} [%r3+{at}], {value}; ld.shared.u{bits} {value}, [%r3+{at}]; out: ret;"""
    result, suspected = both(body)
    assert isinstance(result, Result) != past
    assert suspected == past


@pytest.mark.sample(2)
@pytest.mark.parametrize("space", ["shared", "global"])
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("apart", [0, 1, 2])
def test_neighbours_in_words(space: str, bits: int, apart: int) -> None:
    """A thread stores, one of another warp loads bytes beside those, or one of them."""
    width = bits // 8
    value = REGISTER[bits]
    where = "[%r3]" if space == "shared" else "[%rd3]"
    body = f""".shared .align 16 .b8 tile[1024]; {OWN} mov.u32 %r3, tile; mov.u16 %rs1, 7; mov.u64 %rd5, 7; mov.u32 %r6, 7; mov.u32 %r7, 0;
    mad.lo.u32 %r4, %r2, 16, %r3; st.shared.v4.u32 [%r4], {{%r7, %r7, %r7, %r7}}; bar.sync 0; mov.u64 %rd3, %rd0; mov.u32 %r9, %ctaid.x;
    setp.ne.u32 %p2, %r9, 0; @%p2 bra out; setp.eq.u32 %p1, %r2, 0; @!%p1 bra other; st.{space}.u{bits} {where.replace("]", f"+{8 * width}]")}, {value};
    bra out; other: setp.ne.u32 %p1, %r2, 40; @%p1 bra out;
    ld.{space}.u8 %rs2, {where.replace("]", f"+{8 * width + (-1, width, width - 1)[apart]}]")}; out: ret;"""
    result, suspected = both(body)
    assert isinstance(result, Result) == (apart < 2)
    assert suspected == (apart == 2)


@pytest.fixture(autouse=True)
def _nothing_suspected() -> Any:
    engines._SUSPECTED.clear()  # pyright: ignore[reportPrivateUsage]
