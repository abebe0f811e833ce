"""Literals: their forms and ranges by operand type and place."""

from __future__ import annotations

from collections.abc import Iterator

from tests.verifier.matrices.probe import Probe, probe

_LITERALS = (
    "0 1 -1 +1 -0 5 07 08 09 0b1 0b2 0x 0xF 0xg 0XF 1U 1u -1U 0xFU 07U 0b1U 1L 1UL 127 128 255 256 -128 -129 32767 32768 "
    "65535 65536 -32769 2147483647 2147483648 -2147483648 -2147483649 4294967295 4294967296 -4294967296 "
    "9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 "
    "18446744073709551615U 18446744073709551616 99999999999999999999 -99999999999999999999 0xFFFFFFFFFFFFFFFF "
    "0x10000000000000000 0x00000000000000000001 01777777777777777777777 02000000000000000000000 "
    "1.0 -1.0 .5 1. 1e5 1E5 1e-5 1.5e+3 1e400 1.5e400 1e-400 1.0f 1f 1.e5 e5 0f3F800000 0F3F800000 0f3F80000 0f3F8000000 "
    "-0f3F800000 0d3FF0000000000000 0D3FF0000000000000 0d3FF000000000000 inf nan 'a' \"a\" true WARP_SZ -WARP_SZ (1) ((1)) "
    "(1+2) 1+2 1-2 1*2 6/2 5%3 1<<3 -8>>1 1<2 1==1 5&3 5|3 5^3 !1 ~1 -~1 --1 1/0 1%0 1/0.0 1?2:3 (1?2:3) (.s64)1 (.u64)-1 "
    "(.s32)1 (.f32)1 1.0+2.0 1.0+2 1+2.0 1.0*2.0 1.0/2.0 1.0<2.0 !1.0 ~1.0 -(1.0) 1.0?1:2 1&&0 1||0 1.0&&0 (1 (1+ 1) 0x1.8p3 "
    "1_000 1'000 $ % @ 1..2 1.2.3"
)
LITERALS = _LITERALS.split()

PLACES = (
    *(f".entry e() {{{{ .reg .{t} x; mov.{t} x, {{v}}; ret; }}}}" for t in ("b16", "u16", "s16", "b32", "u32", "s32")),
    *(f".entry e() {{{{ .reg .{t} x; mov.{t} x, {{v}}; ret; }}}}" for t in ("b64", "u64", "s64", "f32", "f64", "b128")),
    *(f".entry e() {{{{ .reg .{t} x; add.{t} x, x, {{v}}; ret; }}}}" for t in ("s16", "u32", "s64", "f32", "f64", "f16")),
    ".entry e() {{ .reg .pred x; mov.pred x, {v}; ret; }}",
    ".entry e() {{ .reg .b32 x; and.b32 x, x, {v}; ret; }}",
    ".entry e() {{ .reg .b64 x; shl.b64 x, x, {v}; ret; }}",
    ".entry e() {{ .reg .pred p; .reg .f16 x; setp.eq.f16 p, x, {v}; ret; }}",
    ".entry e() {{ .reg .b32 x; bfe.u32 x, x, {v}, 4; ret; }}",
    ".entry e() {{ .reg .b32 x; prmt.b32 x, x, x, {v}; ret; }}",
    ".entry e() {{ .reg .b32 x; lop3.b32 x, x, x, x, {v}; ret; }}",
    ".entry e() {{ .reg .b32 x; shfl.sync.up.b32 x, x, {v}, 0, -1; ret; }}",
    ".entry e() {{ .reg .b64 x; cvt.u64.u32 x, {v}; ret; }}",
    ".entry e() {{ .reg .f32 x; cvt.rn.f32.s32 x, {v}; ret; }}",
    ".entry e() {{ .reg .b64 a; .reg .b32 x; ld.global.b32 x, [a+{v}]; ret; }}",
    ".entry e() {{ .reg .b64 a; st.global.b8 [a], {v}; ret; }}",
    ".entry e() {{ .reg .b64 a; st.global.u32 [a], {v}; ret; }}",
    ".entry e() {{ .reg .b64 a; st.global.f32 [a], {v}; ret; }}",
    ".entry e() {{ .reg .b64 a; .reg .b32 r; st.global.v2.b32 [a], {{{{r, {v}}}}}; ret; }}",
    ".entry e() {{ .reg .b64 a; cp.async.ca.shared.global [a], [a], {v}; ret; }}",
    ".entry e() {{ bar.sync {v}; ret; }}",
    ".entry e() {{ bar.sync 0, {v}; ret; }}",
    ".entry e() {{ .reg .f32 x; fma.rn.f32 x, x, {v}, {v}; ret; }}",
    ".func f(.param .b32 p) {{ ret; }} .entry e() {{ call f, ({v}); ret; }}",
    ".func f(.param .f64 p) {{ ret; }} .entry e() {{ call f, ({v}); ret; }}",
    ".global .u8 g = {v};",
    ".global .s32 g = {v};",
    ".global .b64 g = {v};",
    ".global .f32 g = {v};",
    ".global .f64 g = {v};",
    ".global .b16 g = {v};",
    ".global .b32 g[2] = {{{{1, {v}}}}};",
    ".global .b8 g[{v}];",
    ".global .align {v} .b8 g[16];",
    ".entry e() {{ .reg .b32 r<{v}>; ret; }}",
    ".entry e() .maxntid {v} {{ ret; }}",
    ".entry e() .maxnreg {v} {{ ret; }}",
    ".entry e(.param .align {v} .b8 p[16]) {{ ret; }}",
    ".file {v} \"a\"",
    ".file 1 \"a\"\n.entry e() {{ .loc 1 {v} 1\n ret; }}",
    ".section .debug_abbrev {{ .b8 {v} }}",
    ".section .debug_abbrev {{ .b64 {v} }}",
)  # fmt: skip

SLOW = (("r<", "2147483647"), ("r<", "2147483648"), ("r<", "4294967295"), (".maxntid", "4294967295"))
"""What ptxas does not survive."""


def literals() -> Iterator[Probe]:
    """Every literal in every place."""
    for place in PLACES:
        for value in LITERALS:
            survives = not any(mark in place and value == literal for mark, literal in SLOW)
            if survives and not (".align" in place and len(value) > 9):
                yield probe(place.format(v=value))
