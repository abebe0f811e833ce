"""Handles of textures and samplers: what is told of wrong ones, and lanes that hold several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, REGISTERS, kernel
from weft.sim import KernelFault, run

TEX = "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, %rd2, {%f4, %f5}];"
LINE = "tex.1d.v4.{0}.s32 {{%f0, %f1, %f2, %f3}}, [%rd1, %rd2, {{%r1}}];"


def ran(text: str, things: list[Any], out: Any) -> None:
    """Run an instruction in 32 lanes: of three things the odd lanes hold the first and the third one, the others two."""
    body = f"""{INDEX} ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2]; ld.param.u64 %rd4, [p3];
    and.b32 %r2, %r0, 1; setp.ne.u32 %p1, %r2, 0; MORE and.b32 %r1, %r0, 3; cvt.rn.f32.u32 %f4, %r1; mov.f32 %f5, 0f3F800000;
    {text} mad.wide.u32 %rd4, %r0, 16, %rd4; st.global.v4.f32 [%rd4], {{%f0, %f1, %f2, %f3}}; ret;"""
    body = body.replace("MORE", "@%p1 mov.u64 %rd2, %rd3;" if ".2d" in text else "@%p1 mov.u64 %rd1, %rd3;")
    run(kernel(REGISTERS + body, ["u64"] * 4, "sm_80, texmode_independent"), "k", 1, 32, [*things, out])


IMAGE = np.arange(16, dtype=np.float32).reshape(4, 4)


def test_second_handles_that_are_wrong() -> None:
    """That of the odd lanes is no sampler."""
    with pytest.raises(KernelFault) as caught:
        ran(TEX, [weft.Texture(IMAGE), weft.Sampler(), weft.Texture(IMAGE)], np.zeros((32, 4), np.float32))
    assert caught.value.kind == "descriptor" and "the second handle is not that of a sampler" in caught.value.message
    assert caught.value.thread is not None and caught.value.thread.tid == (1, 0, 0)


def test_lanes_with_samplers_of_their_own() -> None:
    """Some filter between texels, others do not."""
    out = np.zeros((32, 4), np.float32)
    ran(TEX, [weft.Texture(IMAGE), weft.Sampler(), weft.Sampler(filter_mode="linear")], out)
    for lane in range(32):
        x = lane % 4
        linear = [IMAGE[y, max(x - 1, 0)] + IMAGE[y, x] for y in (0, 1)]
        assert out[lane, 0] == (sum(linear) / 4 if lane % 2 else IMAGE[1, x])


def test_lanes_with_textures_of_their_own() -> None:
    """Of one and of four channels: what a texture lacks is 0, and its fourth channel 1."""
    one, four, out = IMAGE[0] + 100, np.arange(16, dtype=np.float32).reshape(4, 4), np.zeros((32, 4), np.float32)
    ran(LINE.format("f32"), [weft.Texture(one), weft.Sampler(), weft.Texture(four)], out)
    for lane in range(32):
        assert out[lane].tolist() == (four[lane % 4].tolist() if lane % 2 else [one[lane % 4], 0, 0, 1])


def test_textures_do_not_see_what_the_kernel_has_stored() -> None:
    """Who fetches a texel of which a byte has been stored to is told so, and nobody else."""
    text = """.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 t, .param .u64 p, .param .u64 o) { .reg .b64 %t, %p, %o; .reg .b32 %i; .reg .f32 %f<4>; .reg .pred %q;
ld.param.u64 %t, [t]; ld.param.u64 %p, [p]; ld.param.u64 %o, [o]; mov.u32 %i, %tid.x; setp.ne.u32 %q, %i, 0; @%q bra L; STORE
L: bar.sync 0; tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%t, {%i}];
mul.wide.u32 %p, %i, 4; add.u64 %o, %o, %p; st.global.f32 [%o], %f0; ret; }
"""
    with weft.Device("sm_80", memory=1 << 22) as device:
        data, beside, out = (device.zeros(16, np.float32) for _ in range(3))
        texture = weft.Texture(data)
        for store, into, texel in (
            *((f"st.global.u32 [%p+{at}], 7;", data, at // 4) for at in (0, 32, 60)),
            ("st.global.u8 [%p+13], 7;", data, 3),
            ("st.global.v4.u32 [%p+16], {7, 7, 7, 7};", data, 4),
            ("st.global.u32 [%p], 7;", beside, 16),
        ):
            kernel = device.load(text.replace("STORE", store)).kernel("k")
            for threads in (texel, max(2, texel + 1)):
                if 0 < threads <= texel:
                    kernel.launch(1, threads, [texture, into, out])
                elif threads and texel < 16:
                    with pytest.raises(KernelFault) as caught:
                        kernel.launch(1, threads, [texture, into, out])
                    message = "reads texels that the kernel has stored: textures do not see stores of the same kernel"
                    thread = f"CTA (0, 0, 0), thread ({texel}, 0, 0) (warp 0, lane {texel})"
                    assert caught.value.kind == "race"
                    assert caught.value.message == f"tex.1d.v4.f32.s32: {message}, in {thread}"
