"""A process that reads one module after the other holds few dead ones: none grows old for ever."""

from __future__ import annotations

import gc

import weft
from weft.ptx.operands import Vector

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
KERNEL = ".entry k{n}(.param .u64 p) {{ .reg .b32 %r<9>; .reg .b64 %rd<2>; {body} bra out; out: ret; }}\n"
BODY = "ld.global.v2.b32 {%r1, %r2}, [%rd1+{k}];"


def vectors() -> int:
    return sum(isinstance(each, Vector) for each in gc.get_objects())


def test_dead_modules_are_collected() -> None:
    body = " ".join(BODY.replace("{k}", str(k)) for k in range(0, 320, 8))
    text = HEAD + "".join(KERNEL.format(n=n, body=body) for n in range(40))
    made = most = 0
    for _ in range(60):
        module = weft.parse(text)
        assert sum(1 for kernel in module.kernels for _ in kernel.instructions()) == 40 * 42
        made = made or vectors()
        most = max(most, vectors())
    assert made and most < 30 * made
    assert gc.isenabled()
