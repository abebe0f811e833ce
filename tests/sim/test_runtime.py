"""The device runtime (printf, assertions, malloc), the stack of alloca, and instructions without a file of their own."""

from __future__ import annotations

import ctypes
import math
import random
import struct
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, Array, apply, integers, launch, module
from weft.sim import KernelFault, SimulationError, run, runtime

DECLARED = """
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .func (.param .b64 r) malloc (.param .b64 a);
.extern .func free (.param .b64 a);
.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
"""


def text(name: str, value: str) -> str:
    data = [*value.encode(), 0]
    return f".global .align 1 .b8 {name}[{len(data)}] = {{{', '.join(map(str, data))}}};\n"


def c_format(format_: str, *values: object) -> str:
    """What the C library prints."""
    buffer = ctypes.create_string_buffer(4096)
    ctypes.CDLL(None).snprintf(buffer, 4096, format_.encode(), *values)
    return buffer.value.decode()


FORMATS: list[tuple[str, str, object, object]] = [
    ("%d|", "st.local.u32 [depot], -7;", -7, ctypes.c_int(-7)),
    ("%u %%|", "st.local.u32 [depot], -7;", -7, ctypes.c_int(-7)),
    ("%08.3f|", "st.local.f64 [depot], 0d400921FB54442D18;", np.pi, ctypes.c_double(np.pi)),
    ("%-12e|", "st.local.f64 [depot], 0dC0C81CD6E631F8A1;", None, ctypes.c_double(-12345.6789)),
    ("%+g|", "st.local.f64 [depot], 0d3FB999999999999A;", 0.1, ctypes.c_double(0.1)),
    ("%#llx|", "st.local.u64 [depot], 12345678901234;", None, ctypes.c_longlong(12345678901234)),
    ("%lld|", "st.local.u64 [depot], -5;", None, ctypes.c_longlong(-5)),
    ("%5c|", "st.local.u32 [depot], 65;", None, ctypes.c_int(65)),
    ("%hhd|", "st.local.u32 [depot], 511;", None, ctypes.c_int(511)),
    ("%o|", "st.local.u32 [depot], 8;", None, ctypes.c_int(8)),
]


@pytest.mark.parametrize(("format_", "store", "_", "value"), FORMATS)
def test_printf_is_c(format_: str, store: str, _: object, value: object) -> None:
    body = f""".local .align 8 .b8 depot[8]; .reg .b64 %rd<9>; .reg .b32 %r<4>; {store}
    mov.u64 %rd1, depot; cvta.local.u64 %rd1, %rd1; mov.u64 %rd2, fmt; cvta.global.u64 %rd2, %rd2;
    {{ .param .b64 p; .param .b64 q; .param .b32 back; st.param.b64 [p], %rd2; st.param.b64 [q], %rd1;
    call.uni (back), vprintf, (p, q); ld.param.b32 %r1, [back]; }} ret;"""
    kernel = module(DECLARED + text("fmt", format_) + f".visible .entry k()\n{{\n{body}\n}}")
    assert run(kernel, "k", 1, 1, []).output == c_format(format_, value)


INTEGERS = (0, 1, -1, 7, -5, 100, 0x7FFF_FFFF_FFFF_FFFF, -(1 << 63), 0xDEAD_BEEF, 0x1_8080)
REALS = (0.0, -0.0, 1.0, 1.5, -0.1, 12345.6789, 1e100, 5e-324, 1.9999999, math.inf, -math.inf, math.nan)


def formats(rng: random.Random) -> tuple[str, list[tuple[int, str, object]], list[object]]:
    """A conversion that C defines: the sizes, codes and values that it takes, and these for the C library."""
    kind = rng.choice("diouxXcsfFeEgGaAp%")
    if kind == "%":
        return "%%", [], []
    flags = (
        "-+ #0"
        if kind in "fFeEgGaA"
        else "-#0"
        if kind in "oxX"
        else "-+ 0"
        if kind in "di"
        else "-0"
        if kind == "u"
        else "-"
    )
    text, taken, given = (
        "%" + "".join(flag for flag in flags if rng.random() < 0.4),
        list[tuple[int, str, object]](),
        list[object](),
    )
    for choices in (("", "1", "9", "23", "*"), ("", ".", ".0", ".1", ".4", ".17", ".*") if kind not in "cp" else ("",)):
        part = rng.choice(choices)
        text += part
        if "*" in part:
            extent = rng.randint(0 if "0" in text else -6, 20)  # What zeros do on the right, C leaves open.
            taken.append((4, "i", extent))
            given.append(ctypes.c_int(extent))
    if kind in "diouxX":
        length = rng.choice(("hh", "h", "", "l", "ll", "j", "z", "t"))
        bits = {"hh": 32, "h": 32, "": 32}.get(length, 64)
        value = rng.choice(INTEGERS) & (1 << bits) - 1
        taken.append((bits // 8, "I" if bits == 32 else "Q", value))
        given.append((ctypes.c_uint if bits == 32 else ctypes.c_ulonglong)(value))
        return f"{text}{length}{kind}", taken, given
    if kind == "c":
        return f"{text}c", [*taken, (4, "i", 0x141)], [*given, ctypes.c_int(0x141)]
    if kind in "sp":
        address = rng.choice((0x7000_0000_1230, 0)) if kind == "p" else 0x40
        return (
            text + kind,
            [*taken, (8, "Q", address)],
            [*given, ctypes.c_void_p(address) if kind == "p" else ctypes.c_char_p(b"weft runs")],
        )
    real = rng.choice(REALS)
    return text + kind, [*taken, (8, "d", real)], [*given, ctypes.c_double(real)]


def test_printf_of_all_conversions_is_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flags, widths, precisions and lengths as C has them; each value is aligned to its size."""
    rng = random.Random(5)
    library = ctypes.CDLL(None)
    buffer = ctypes.create_string_buffer(4096)
    for _ in range(400):
        some = [formats(rng) for _ in range(rng.randint(1, 3))]
        format_, data = " | ".join(text for text, *_ in some), b""
        for size, code, value in (each for _, taken, _ in some for each in taken):
            data += bytes(-len(data) % size) + struct.pack(f"<{code}", value)
        texts = {0x40: "weft runs", 0x10: format_}
        monkeypatch.setattr(runtime, "read", lambda _, lane, at, size, data=data: data[at - 96 : at - 96 + size])
        monkeypatch.setattr(runtime, "text_at", lambda _, lane, at, texts=texts: texts[at])
        printed: list[str] = []
        site: Any = SimpleNamespace(
            machine=SimpleNamespace(program=SimpleNamespace(runtime=SimpleNamespace(output=printed)))
        )
        count = runtime.vprintf(site, 0, [0x10, 96])
        library.snprintf(buffer, 4096, format_.encode(), *(value for *_, given in some for value in given))
        wanted = buffer.raw[
            : library.snprintf(None, 0, format_.encode(), *(value for *_, given in some for value in given))
        ]
        assert "".join(printed) == wanted.decode().replace("-nan", "nan"), (format_, data)
        assert count == sum(len(taken) for _, taken, _ in some)


class Room:
    """A heap, byte by byte: of each the number of what was allocated there, 0 where nothing is."""

    def __init__(self, size: int) -> None:
        self.size, self.taken = size, dict[int, int]()

    def place(self, size: int) -> int:
        """The first place that has room."""
        at = 0
        for start in sorted(self.taken):
            if start - at >= size:
                return at
            at = start + self.taken[start]
        return at if self.size - at >= size else -1


def test_the_heap_gives_the_first_place_that_has_room() -> None:
    """In units of 16 bytes; what is given back is joined with its neighbours, and nothing is given back twice."""
    rng = random.Random(3)
    base, units = 0x7000_0000_4000, runtime.HEAP_BYTES // 16
    for _ in range(4):
        heap, model = runtime.Runtime(), Room(runtime.HEAP_BYTES)
        heap.start(base)
        kept: tuple[Any, dict[int, int]] | None = None
        for step in range(120):
            if model.taken and rng.random() < 0.45:
                start = rng.choice([*model.taken])
                assert heap.release(base + start)
                assert not heap.release(base + start)
                del model.taken[start]
            else:
                wanted = rng.choice((0, 1, 16, 17, 100, runtime.HEAP_BYTES // rng.choice((3, 5, 9))))
                size = max(1, -(-wanted // 16)) * 16
                start = model.place(size)
                assert heap.allocate(wanted) == (base + start if start >= 0 else 0)
                if start >= 0:
                    model.taken[start] = size
            assert not heap.release(base + 8)
            if step == 60:
                kept = heap.save(), dict(model.taken)
            if step == 90 and kept is not None:
                kept[0]()
                model.taken = kept[1]
        for start in [*model.taken]:
            assert heap.release(base + start)
        assert heap.allocate(16 * units) == base and heap.allocate(1) == 0
        heap.output.append("text")
        heap.restart()
        assert heap.output == [] and heap.allocate(16 * units) == base
        assert not runtime.Runtime().allocate(1)


def test_printf_of_many_threads_and_values() -> None:
    """Values are aligned to their sizes; threads print in order; the call gives the number of values."""
    out = np.zeros(64, np.uint32)
    body = f""".local .align 8 .b8 depot[32]; .reg .b64 %rd<9>; .reg .b32 %r<128>; {INDEX}
    ld.param.u64 %rd5, [p0]; mul.wide.u32 %rd6, %r0, 4; add.u64 %rd5, %rd5, %rd6;
    st.local.u32 [depot], %r0; mov.u64 %rd3, word; cvta.global.u64 %rd3, %rd3; st.local.u64 [depot+8], %rd3;
    st.local.u32 [depot+16], 6; st.local.f64 [depot+24], 0d3FE0000000000000;
    mov.u64 %rd1, depot; cvta.local.u64 %rd1, %rd1; mov.u64 %rd2, fmt; cvta.global.u64 %rd2, %rd2;
    {{ .param .b64 p; .param .b64 q; .param .b32 back; st.param.b64 [p], %rd2; st.param.b64 [q], %rd1;
    call.uni (back), vprintf, (p, q); ld.param.b32 %r1, [back]; }} st.global.u32 [%rd5], %r1; ret;"""
    kernel = module(
        DECLARED
        + text("fmt", "%d %s %*.1f\n")
        + text("word", "weft")
        + f".visible .entry k(.param .u64 p0)\n{{\n{body}\n}}"
    )
    printed = run(kernel, "k", 2, 32, [out]).output
    assert printed == "".join(f"{i} weft {0.5:6.1f}\n" for i in range(64))
    assert (out == 4).all()


def test_assertion() -> None:
    body = """.reg .b64 %rd<9>; .reg .pred %p1; .reg .b32 %r1; mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 3;
    @%p1 bra done; mov.u64 %rd1, what; cvta.global.u64 %rd1, %rd1; mov.u64 %rd2, file; cvta.global.u64 %rd2, %rd2;
    mov.u64 %rd3, who; cvta.global.u64 %rd3, %rd3;
    { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; st.param.b64 [a], %rd1;
    st.param.b64 [b], %rd2; st.param.b32 [c], 17; st.param.b64 [d], %rd3; st.param.b64 [e], 1;
    call.uni __assertfail, (a, b, c, d, e); } done: ret;"""
    strings = text("what", "x > 0") + text("file", "k.cu") + text("who", "void k()")
    with pytest.raises(KernelFault, match=r"k\.cu:17: void k\(\): assertion `x > 0` failed") as caught:
        run(module(DECLARED + strings + f".visible .entry k()\n{{\n{body}\n}}"), "k", 1, 32, [])
    assert caught.value.kind == "assert"
    assert caught.value.thread is not None
    assert caught.value.thread.lane == 3


def heap_kernel(frees: int) -> str:
    """Each thread fills memory of its own, which others do not touch, and sums it up."""
    free = "{ .param .b64 a; st.param.b64 [a], %rd2; call.uni free, (a); }" * frees
    body = f""".reg .b64 %rd<9>; .reg .b32 %r<128>; .reg .pred %p1; {INDEX} ld.param.u64 %rd5, [p0];
    {{ .param .b64 a; .param .b64 r; st.param.b64 [a], 40; call.uni (r), malloc, (a); ld.param.b64 %rd2, [r]; }}
    mov.u32 %r1, 0; fill: mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd3, %rd2; mad.lo.u32 %r2, %r0, 10, %r1;
    st.u32 [%rd3], %r2; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 10; @%p1 bra fill; mov.u32 %r1, 0; mov.u32 %r3, 0;
    bar.sync 0; sum: mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd3, %rd2; ld.u32 %r2, [%rd3]; add.u32 %r3, %r3, %r2;
    add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 10; @%p1 bra sum; {free}
    mul.wide.u32 %rd6, %r0, 4; add.u64 %rd5, %rd5, %rd6; st.global.u32 [%rd5], %r3; ret;"""
    return DECLARED + f".visible .entry k(.param .u64 p0)\n{{\n{body}\n}}"


def test_heap() -> None:
    out = np.zeros(128, np.uint32)
    run(module(heap_kernel(1)), "k", 2, 64, [out])
    assert (out == [sum(10 * i + j for j in range(10)) for i in range(128)]).all()
    with pytest.raises(KernelFault, match="not allocated"):
        run(module(heap_kernel(2)), "k", 1, 32, [out])


STACK = """
.func (.reg .b32 r) f(.reg .b32 n)
{
  .reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %p1;
  mul.wide.u32 %rd1, n, 4; alloca.u64 %rd2, %rd1, 16; st.local.u32 [%rd2], n;
  setp.eq.u32 %p1, n, 1; mov.u32 r, 1; @%p1 bra done;
  sub.u32 %r1, n, 1; call (%r2), f, (%r1); ld.local.u32 %r3, [%rd2]; mul.lo.u32 r, %r2, %r3;
  done: ret;
}
"""


def test_alloca_in_a_recursive_function() -> None:
    """Each depth keeps its own number on the stack; the stack is as it was when the calls return."""
    out = np.zeros((32, 2), np.uint64)
    body = f"""{INDEX} ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 16, %rd1; and.b32 %r1, %r0, 7;
    add.u32 %r1, %r1, 1; stacksave.u64 %rd2; call (%r2), f, (%r1); stacksave.u64 %rd3; sub.u64 %rd3, %rd3, %rd2;
    cvt.u64.u32 %rd4, %r2; st.global.u64 [%rd1], %rd4; st.global.u64 [%rd1+8], %rd3; ret;"""
    launch(body, [out], extra=STACK)
    assert (out[:, 0] == [np.prod(np.arange(1, 2 + i % 8)) for i in range(32)]).all()
    assert (out[:, 1] == 0).all()


def test_stackrestore_frees_and_alignment_holds() -> None:
    out = np.zeros((32, 3), np.uint64)
    body = f"""{INDEX} ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 24, %rd1; stacksave.u64 %rd2;
    add.u32 %r1, %r0, 1; cvt.u64.u32 %rd3, %r1; alloca.u64 %rd4, %rd3, 64; stackrestore.u64 %rd2;
    alloca.u64 %rd5, %rd3, 64; sub.u64 %rd6, %rd2, %rd5; st.global.u64 [%rd1], %rd4; st.global.u64 [%rd1+8], %rd5;
    st.global.u64 [%rd1+16], %rd6; ret;"""
    launch(body, [out])
    assert (out[:, 0] == out[:, 1]).all()
    assert (out[:, 0] % 64 == 0).all()
    assert (out[:, 2] >= np.arange(1, 33)).all()


def test_too_large_a_stack() -> None:
    with pytest.raises(KernelFault) as caught:
        launch("mov.u64 %rd1, 10000000; alloca.u64 %rd2, %rd1; ret;", [])
    assert caught.value.kind == "stack"


@pytest.mark.parametrize("mode", ["lo", "hi"])
def test_clmad(mode: str) -> None:
    a, b, c = (integers(np.uint64, 100, seed=s) for s in (1, 2, 3))
    got = apply(f"clmad.{mode}.u64 {{d}}, {{a}}, {{b}}, {{c}};", np.zeros(1, np.uint64), a, b, c, target="sm_80")

    def product(x: int, y: int) -> int:
        total = 0
        for bit in range(64):
            total ^= (x << bit) if y >> bit & 1 else 0
        return total >> 64 if mode == "hi" else total & (1 << 64) - 1

    assert got.tolist() == [product(int(x), int(y)) ^ int(z) for x, y, z in zip(a, b, c, strict=True)]


def test_discarded_lines_lose_their_value() -> None:
    data: Array = np.zeros(256, np.float32)
    launch("ld.param.u64 %rd1, [p0]; discard.global.L2 [%rd1+512], 128; ret;", [data])
    assert np.isnan(data[128:160]).all()
    assert (data[:128] == 0).all()
    assert (data[160:] == 0).all()


def test_fma_ignores_the_fill_of_tensor_copies() -> None:
    a = np.array([0x7FF7, 0x3C00, 0x4000, 0x7E00], np.uint16)
    b = np.array([0x3C00, 0x7FF7, 0x4200, 0x3C00], np.uint16)
    got = apply("fma.rn.oob.f16 {d}, {a}, {b}, {a};", np.zeros(1, np.uint16), a, b, target="sm_90")
    assert got[:3].tolist() == [0, 0, 0x4800]
    assert np.isnan(got.view(np.float16)[3])


STRUCTURE = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .align 16 .b8 s[48])
{
  .reg .b64 %a, %b, %t; .reg .b32 %n, %m, %i; .reg .b16 %h;
  ld.param.u32 %n, [s]; ld.param.u64 %a, [s+8]; ld.param.u16 %h, [s+16]; ld.param.u64 %b, [s+24]; ld.param.u32 %m, [s+32];
  cvt.u32.u16 %i, %h; add.u32 %n, %n, %i; add.u32 %n, %n, %m; ld.global.u32 %m, [%a]; add.u32 %n, %n, %m;
  st.global.u32 [%b], %n; ret;
}
"""


def test_structures_from_their_fields() -> None:
    a, b = np.full(4, 4, np.uint32), np.zeros(4, np.uint32)
    run(weft.parse(STRUCTURE), "k", 1, 1, [(np.uint32(1000), a, np.uint16(300), b, bytes([20, 0, 0, 0]), bytes(4))])
    assert b[0] == 1324
    with pytest.raises(SimulationError, match="int has no fixed size"):
        run(weft.parse(STRUCTURE), "k", 1, 1, [(1000, a)])
    with pytest.raises(SimulationError, match="has 48 bytes, but 16 are given"):
        run(weft.parse(STRUCTURE), "k", 1, 1, [(np.uint32(1000), a)])


def test_printf_takes_registers_as_arguments() -> None:
    text = r"""
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 words[7] = {37, 100, 32, 104, 105, 10, 0};
.visible .entry k() {
  .local .align 8 .b8 depot[8]; .reg .b64 %rd<5>; .reg .b32 %r<3>; .param .b32 r;
  mov.b64 %rd0, depot; cvta.local.u64 %rd1, %rd0; mov.b64 %rd2, words; cvta.global.u64 %rd3, %rd2;
  st.local.b32 [%rd0], 7; call.uni (r), vprintf, (%rd3, %rd1); ret; }
"""
    assert run(weft.parse(text), "k", 1, 1, []).output == "7 hi\n"
