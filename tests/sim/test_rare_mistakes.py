"""What is told of mistakes that are rare: wrong handles, calls and addresses; and right uses just beside them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, REGISTERS, kernel, launch, module
from weft.sim import KernelFault, SimulationError, run
from weft.sim.handles import Handles
from weft.sim.textures import Sampler, Surface, Texture

IMAGE = np.arange(16, dtype=np.int32).reshape(4, 4)
START = f"{INDEX} ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, 0;"


def told(body: str, arguments: list[Any], **more: Any) -> tuple[str, str]:
    """The kind of the fault, or that the kernel is refused, and what is said."""
    with pytest.raises((KernelFault, SimulationError, weft.WeftError)) as caught:
        launch(f"{START} {body} ret;", arguments, **more)
    fault = caught.value
    return getattr(fault, "kind", "refused"), fault.message


def test_the_same_thing_has_one_handle() -> None:
    handles = Handles()
    things = [Texture(IMAGE), Sampler(), Surface(IMAGE)]
    numbers = [handles.add(thing) for thing in things]
    assert [handles.add(thing) for thing in reversed(things)] == numbers[::-1]
    assert [handles.get(number) for number in numbers] == things
    assert handles.get(numbers[0] + 1) is handles.get(numbers[0] - (numbers[1] - numbers[0])) is None
    assert handles.get(numbers[2] + (numbers[1] - numbers[0])) is None


@pytest.mark.parametrize(
    ("name", "what"), [("nothing", "is not declared"), ("tile", "is no texture, sampler or surface")]
)
def test_names_that_are_no_textures(name: str, what: str) -> None:
    body = f".shared .b64 tile; tex.1d.v4.s32.s32 {{%r1, %r2, %r3, %r4}}, [{name}, {{%r1}}];"
    assert told(body, [IMAGE, IMAGE]) == ("refused", f"'tex.1d.v4.s32.s32': '{name}' {what}")


@pytest.mark.parametrize("geometry", ["2dms", "a2dms"])
def test_multisampled_textures(geometry: str) -> None:
    body = f"tex.{geometry}.v4.s32.s32 {{%r1, %r2, %r3, %r4}}, [%rd1, {{%r1, %r1, %r1, %r1}}];"
    assert "multisampled textures" in told(body, [IMAGE, IMAGE])[1]


def test_whole_numbers_are_not_filtered() -> None:
    """A texture of integers gives the texel that a point is in, also where its filter is linear."""
    out = np.zeros((4, 4), np.int32)
    body = f"""{START} cvt.rn.f32.u32 %f1, %r0; add.f32 %f1, %f1, 0f3F400000; mov.f32 %f2, 0f40266666;
    tex.2d.v4.s32.f32 {{%r1, %r2, %r3, %r4}}, [%rd1, {{%f1, %f2}}]; mad.wide.u32 %rd2, %r0, 16, %rd2;
    st.global.v4.s32 [%rd2], {{%r1, %r2, %r3, %r4}}; ret;"""
    run(kernel(REGISTERS + body, ["u64", "u64"]), "k", 1, 4, [Texture(IMAGE, filter_mode="linear"), out])
    assert out.tolist() == [[value, 0, 0, 1] for value in IMAGE[2].tolist()]


@pytest.mark.parametrize("channels", [1, 2, 4])
def test_channels_that_there_are_not(channels: int) -> None:
    """Gathered, they are zero."""
    image, out = np.arange(1, 16 * channels + 1, dtype=np.float32).reshape(4, 4, channels), np.zeros((4, 4), np.float32)
    body = START + "mov.f32 %f5, 0f40000000;"
    for number, channel in enumerate("rgba"):
        body += f"tld4.{channel}.2d.v4.f32.f32 {{%f1, %f2, %f3, %f4}}, [%rd1, {{%f5, %f5}}];"
        body += f"st.global.v4.f32 [%rd2+{16 * number}], {{%f1, %f2, %f3, %f4}};"
    run(kernel(f"{REGISTERS}{body} ret;", ["u64", "u64"]), "k", 1, 1, [Texture(image), out])
    for number in range(4):
        there = image[..., number] if number < channels else np.zeros((4, 4))
        assert out[number].tolist() == [there[y, x] for y, x in ((2, 1), (2, 2), (1, 2), (1, 1))]


@pytest.mark.parametrize(
    "call", ["call f, (%r1, %r1);", "call f;", "call (%r1), f, (%r1);", "call (%r1), g, ();", "call g, (%r1);"]
)
def test_calls_unlike_the_declaration(call: str) -> None:
    """Too many or few arguments, or results."""
    name = "f" if " f" in call else "g"
    functions = ".func f(.reg .b32 a) { ret; } .func (.reg .b32 d) g(.reg .b32 a) { mov.u32 d, a; ret; }"
    with pytest.raises(weft.WeftError, match=f"the call does not match the declaration of '{name}'"):
        run(module(f"{functions} .entry k() {{ .reg .b32 %r1; mov.u32 %r1, 1; {call} ret; }}"), "k", 1, 1, [])


CLUSTER = """.reg .b128 %q; .shared .align 16 .b8 answer[16]; .shared .align 8 .b64 bar; mbarrier.init.shared.b64 [bar], 1;
mov.u64 %rd3, answer; cvta.shared.u64 %rd3, %rd3; mov.u64 %rd4, bar; cvta.shared.u64 %rd4, %rd4;"""


@pytest.mark.parametrize(("answer", "bar"), [("%rd1", "%rd4"), ("%rd3", "%rd1")])
def test_answers_elsewhere(answer: str, bar: str) -> None:
    body = f"{CLUSTER} clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 [{answer}], [{bar}];"
    kind, said = told(body, [IMAGE, IMAGE], block=1, target="sm_100a", check="fast")
    assert kind == "out-of-bounds" and "the answer or the mbarrier does not lie in shared memory" in said


WIDE = ".reg .b128 %q<2>; .reg .b64 %x<2>; mov.b64 %rd5, 0x500000004; mov.b64 %rd6, 0x700000006; mov.b128 %q0, {%rd5, %rd6};"
ACCESSES = {
    "st": "st.global.b128 [%rd1+AT], %q0;",
    "ld": "ld.global.b128 %q1, [%rd1+AT]; st.global.b128 [%rd2], %q1;",
    "exch": "atom.global.exch.b128 %q1, [%rd1+AT], %q0; st.global.b128 [%rd2], %q1;",
    "sink": "atom.global.exch.b128 _, [%rd1+AT], %q0;",
    "cas": "atom.global.cas.b128 %q1, [%rd1+AT], %q0, %q0; st.global.b128 [%rd2], %q1;",
}


@pytest.mark.parametrize("what", ACCESSES)
def test_128_bits_at_the_end(what: str) -> None:
    """The last sixteen bytes of a buffer, past them, and not at a multiple of sixteen."""
    data, out = np.arange(10, 18, dtype=np.uint32), np.zeros(4, np.uint32)
    launch(f"{START} {WIDE} {ACCESSES[what].replace('AT', '16')} ret;", [data, out], block=1, target="sm_90")
    stored = [4, 5, 6, 7] if what in ("st", "exch", "sink") else [14, 15, 16, 17]
    assert data.tolist() == [10, 11, 12, 13, *stored]
    assert out.tolist() == ([0] * 4 if what in ("st", "sink") else [14, 15, 16, 17])
    for at, kind in ((32, "out-of-bounds"), (8, "misaligned"), (4, "misaligned")):
        body = f"{WIDE} {ACCESSES[what].replace('AT', str(at))}"
        assert told(body, [data, out], block=1, target="sm_90")[0] == kind


def test_parts_of_128_bits() -> None:
    """Two words of 64 bits, or four of 32."""
    out = np.zeros(8, np.uint32)
    body = f"""{WIDE} mov.b128 {{%r1, %r2, %r3, %r4}}, %q0; st.global.v4.u32 [%rd1], {{%r1, %r2, %r3, %r4}};
    mov.b128 %q1, {{%r4, %r3, %r2, %r1}}; mov.b128 {{%rd7, %rd8}}, %q1; st.global.v2.u64 [%rd1+16], {{%rd7, %rd8}};"""
    launch(f"{START} {body} ret;", [out, out], block=1, target="sm_90")
    assert out.tolist() == [4, 5, 6, 7, 7, 6, 5, 4]


@pytest.mark.parametrize(("address", "who"), [("k", ""), ("f", "f"), ("0x1234", "0x1234")])
def test_what_is_launched_must_be_a_kernel(address: str, who: str) -> None:
    text = f""".version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.func f() {{ ret; }}
.visible .entry k(.param .u64 p0) {{ .reg .b64 %a, %d; .reg .b32 %r; ld.param.u64 %a, [p0]; mov.u64 %d, {address};
{{ .param .b64 r; .param .b64 q; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; st.param.b64 [q], %d;
call (r), __cudaCDP2GetParameterBufferV2, (q, g, b, s); ld.param.b64 %d, [r]; }} st.global.u64 [%a], %d; ret; }}"""
    out = np.zeros(1, np.uint64)
    loaded = weft.Device("sm_90").load(text).kernel("k")
    if not who:
        loaded.launch(1, 1, [out])
        assert out[0] > 0
        return
    with pytest.raises(KernelFault) as caught:
        loaded.launch(1, 1, [out])
    assert caught.value.kind == "call" and "is not the address of a kernel" in caught.value.message
