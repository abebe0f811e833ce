"""Which type may be declared where, and which declarations of one name go together."""

from __future__ import annotations

from collections.abc import Iterator

from tests.verifier.matrices.probe import Probe, probe
from weft.isa.types import TYPES

NO_TYPES = ("b4", "u128", "s128", "f8", "u1", "bf8", "e4m3x8", "string", "sampler", "texture")

PLACES = (
    ".func f() {{ .reg .{t} x; ret; }}",
    ".func f() {{ .reg .{t} x<4>; ret; }}",
    ".func f() {{ .reg .v2 .{t} x; ret; }}",
    ".func f() {{ .reg .v4 .{t} x; ret; }}",
    ".func f() {{ .reg .v8 .{t} x; ret; }}",
    ".func f() {{ .reg .align 8 .{t} x; ret; }}",
    ".global .{t} x;",
    ".global .{t} x[4];",
    ".global .align 8 .{t} x[4];",
    ".global .v2 .{t} x;",
    ".global .v4 .{t} x[2];",
    ".global .v8 .{t} x;",
    ".global .{t} x<4>;",
    ".global .{t} x = 1;",
    ".global .{t} x = 1.0;",
    ".global .{t} x = 0f3F800000;",
    ".global .{t} x[2] = {{1, 0x10}};",
    ".global .b32 y; .global .{t} x = y;",
    ".extern .global .{t} x[];",
    ".visible .global .{t} x;",
    ".weak .global .{t} x;",
    ".common .global .{t} x;",
    ".global .attribute(.managed) .{t} x;",
    ".const .{t} x;",
    ".const .{t} x[4];",
    ".const .{t} x = 1;",
    ".const .v2 .{t} x;",
    ".extern .const .{t} x[];",
    ".shared .{t} x;",
    ".shared .{t} x[4];",
    ".shared .v2 .{t} x;",
    ".extern .shared .{t} x[];",
    ".extern .shared .{t} x;",
    ".shared .{t} x[];",
    ".local .{t} x;",
    ".param .{t} x;",
    ".tex .{t} x;",
    ".func f() {{ .local .{t} x; ret; }}",
    ".func f() {{ .local .{t} x[4]; ret; }}",
    ".func f() {{ .local .v2 .{t} x; ret; }}",
    ".func f() {{ .local .v4 .{t} x; ret; }}",
    ".func f() {{ .shared .{t} x; ret; }}",
    ".func f() {{ .shared .{t} x[4]; ret; }}",
    ".func f() {{ .shared .{t} x[]; ret; }}",
    ".func f() {{ .global .{t} x; ret; }}",
    ".func f() {{ .const .{t} x; ret; }}",
    ".func f() {{ .param .{t} x; ret; }}",
    ".func f() {{ .param .{t} x[4]; ret; }}",
    ".func f() {{ .param .{t} x[]; ret; }}",
    ".func f() {{ .param .align 8 .{t} x[8]; ret; }}",
    ".func f() {{ .param .v2 .{t} x; ret; }}",
    ".func f() {{ .param .v4 .{t} x; ret; }}",
    ".func f() {{ .param .{t} x<4>; ret; }}",
    ".entry e(.param .{t} x) {{ ret; }}",
    ".entry e(.param .{t} x[4]) {{ ret; }}",
    ".entry e(.param .align 4 .{t} x) {{ ret; }}",
    ".entry e(.param .align 4 .{t} x[4]) {{ ret; }}",
    ".entry e(.param .v2 .{t} x) {{ ret; }}",
    ".entry e(.param .{t} x[]) {{ ret; }}",
    ".entry e(.param .{t} .ptr x) {{ ret; }}",
    ".entry e(.param .{t} .ptr .global .align 8 x) {{ ret; }}",
    ".entry e(.reg .{t} x) {{ ret; }}",
    ".func f(.param .{t} x) {{ ret; }}",
    ".func f(.param .{t} x[4]) {{ ret; }}",
    ".func f(.param .align 4 .{t} x) {{ ret; }}",
    ".func f(.param .align 4 .{t} x[4]) {{ ret; }}",
    ".func f(.param .v2 .{t} x) {{ ret; }}",
    ".func f(.param .{t} x[]) {{ ret; }}",
    ".func f(.param .{t} .ptr x) {{ ret; }}",
    ".func f(.reg .{t} x) {{ ret; }}",
    ".func f(.reg .v2 .{t} x) {{ ret; }}",
    ".func f(.reg .v4 .{t} x) {{ ret; }}",
    ".func f(.reg .{t} x[4]) {{ ret; }}",
    ".func (.param .{t} r) f() {{ ret; }}",
    ".func (.param .{t} r[4]) f() {{ ret; }}",
    ".func (.param .align 4 .{t} r[4]) f() {{ ret; }}",
    ".func (.param .v2 .{t} r) f() {{ ret; }}",
    ".func (.param .{t} r[]) f() {{ ret; }}",
    ".func (.reg .{t} r) f() {{ ret; }}",
    ".func (.reg .v2 .{t} r) f() {{ ret; }}",
    ".extern .func f(.param .{t} x);",
    ".extern .func (.param .{t} r) f();",
    ".extern .func f(.param .align 8 .{t} x[8]);",
    ".func f() {{ p: .callprototype _ (.param .{t} _); ret; }}",
    ".func f() {{ p: .callprototype _ (.param .align 4 .{t} _[4]); ret; }}",
    ".func f() {{ p: .callprototype _ (.param .{t} _[]); ret; }}",
    ".func f() {{ p: .callprototype (.param .{t} _) _ (); ret; }}",
    ".func f() {{ p: .callprototype (.reg .{t} _) _ (.reg .{t} _); ret; }}",
    ".func f() {{ p: .callprototype _ (.reg .v2 .{t} _); ret; }}",
)

ELSEWHERE = (("9.5", "sm_103a"), ("7.8", "sm_75"), ("6.0", "sm_60"), ("3.0", "sm_20"), ("1.4", "sm_13"))
"""Where the declarations of the commonest places are asked about as well."""


def declarations() -> Iterator[Probe]:
    """Type by place at one version; the types that can be declared at all at others as well."""
    for type_ in (*TYPES, *NO_TYPES):
        for place in PLACES:
            yield probe(place.format(t=type_))
    for version, target in ELSEWHERE:
        for type_ in ("pred", "b8", "b64", "b128", "u16", "s32", "f16", "f16x2", "f32", "f64", "bf16", "texref"):
            for place in PLACES:
                yield probe(place.format(t=type_), version, target)


LINKAGES = ("", ".visible ", ".extern ", ".weak ", ".common ")


def linkages() -> Iterator[Probe]:
    """Pairs of declarations and definitions of one name with all linkages, in both orders."""
    functions = [f"{linkage}.func x(){body}" for linkage in LINKAGES for body in (";", " { ret; }")]
    entries = [f"{linkage}.entry x(){body}" for linkage in LINKAGES for body in (";", " { ret; }")]
    variables = [
        f"{linkage}.{space} .b32 x{rest};"
        for linkage in LINKAGES
        for space in ("global", "shared", "const")
        for rest in ("", "[2]", "[]", " = 1")
    ]
    for kind in (functions, entries):
        for one in (*kind, ""):
            for other in kind:
                yield probe(f"{one} {other}")
    for version, target in (("9.0", "sm_90a"), ("3.0", "sm_30")):
        for one in variables:
            yield probe(one, version, target)
    for one in variables:
        for other in variables:
            if "[2]" not in one or "const" not in other:
                yield probe(f"{one} {other}")
    for one in (functions[0], entries[1], variables[0]):
        for other in (functions[1], entries[0], variables[0], ".extern .func x();", ".extern .global .b32 x;"):
            yield probe(f"{one} {other}")
    for linkage in LINKAGES:
        yield probe(f".func f() {{ {linkage}.func x(); ret; }}")
        yield probe(f".func f() {{ {linkage}.global .b32 x; ret; }}")
        yield probe(f"{linkage}.global .texref x;")
        yield probe(f".func f() {{ ret; }} {linkage}.func x(); .alias x, f;")
        yield probe(f"{linkage}.func f() {{ ret; }} .func x(); .alias x, f;")
