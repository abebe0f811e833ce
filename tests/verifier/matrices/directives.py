"""Directives: where they may be, with which arguments, how often, in which order, since when."""

from __future__ import annotations

from collections.abc import Iterator

from tests.verifier.matrices.probe import Probe, header, probe

FUNCTION = (
    ".maxnreg 16", ".maxntid 16", ".maxntid 16, 2, 2", ".reqntid 16", ".reqntid 16, 2, 2", ".minnctapersm 2", ".maxnctapersm 2",
    ".explicitcluster", ".reqnctapercluster 2", ".maxclusterrank 2", ".blocksareclusters", ".noreturn", ".abi_preserve 4",
    ".abi_preserve_control 4", '.pragma "nounroll";', '.pragma "other";', ".local_maxnreg 16", ".perfmon 1", ".weak", ".align 4",
)  # fmt: skip
ARGUMENTS = ("", " 0", " 1", " -1", " 1, 1", " 1, 1, 1", " 1, 1, 1, 1", " 1.0", " 0x10", " 010", " 1+1", " (1)", " x", " 1,", " 1 1",
             " 4294967295", " 4294967296", " 0, 1, 1", " 1, 0, 1", " 1, 1, 0", " WARP_SZ", " 1U", " 2147483648")  # fmt: skip
FRAMES = (
    ".entry e() {d} {{ ret; }}", ".func f() {d} {{ ret; }}", ".func f() {d};", ".extern .func f() {d};",
    ".entry e() {{ {d} ret; }}", ".entry e() {{ ret; {d} }}", "{d}", ".entry {d} e() {{ ret; }}", "{d} .entry e() {{ ret; }}",
    ".entry e() {{ {d}; ret; }}", "{d};", ".func f() {{ p: .callprototype _ () {d}; ret; }}", ".entry e({d}) {{ ret; }}",
)  # fmt: skip
POSITIONAL = (
    '.file 1 "a"', '.file 1 "a", 5, 6', ".loc 1 1 1\n", ".loc 1 1\n", ".loc 1\n", ".loc 1 1 1 1\n", ".loc 1, 1, 1\n",
    ".loc 2 1 1\n", ".loc 1 1 1, function_name L, inlined_at 1 1 1\n", ".section .debug_str { .b8 0 }",
    ".section .debug_str { L: .b8 0 }", ".section .debug_info { .b32 .debug_abbrev }", ".section .debug_none { .b8 0 }",
    ".section .text { .b8 0 }", ".section debug_str { .b8 0 }", ".section .debug_str { .b8 300 }", ".section .debug_str { .b8 -1 }",
    ".section .debug_str { .b32 L }", ".section .debug_str { .b8 }", ".section .debug_str { }", ".section .debug_str { .b8 1, }",
    ".section .debug_str { .u8 1 }", ".section .debug_str { .b8 1; }", ".section .debug_str",
    '.pragma "nounroll";', '.pragma "nounroll"', ".pragma nounroll;", ".pragma ;", '.pragma "a", "b";', '.pragma "";',
    '.pragma "frequency 5";', '.pragma "frequency";', '.pragma "frequency -5";', '.pragma "frequency x";', '.pragma "used_bytes_mask 0xf";',
    '.pragma "used_bytes_mask x";', '.pragma "enable_smem_spilling";', '.pragma "other";',
    ".alias a, b;", ".version 9.0", ".target sm_90a", ".address_size 64", ".address_size 32", ".target sm_80", ".version 8.0",
    ".branchtargets L;", "T: .branchtargets L;", "T: .calltargets k0;", "T: .callprototype _ ();", "T: .branchtargets;",
    ".callprototype _ ();", ".extern .func g();", ".func g();", ".visible .func g();", ".weak .func g();", ".entry g();",
    ".extern .func g()", ".extern .shared .b8 g[];", ".visible .global .b8 g;", ".shared .b8 g;", ".reg .b32 g;", ".local .b8 g;",
    ".param .b8 g;", ".const .b8 g;", ".tex .u32 g;", ".sreg .b32 g;", ".align 4;", ".attribute(.managed) .global .b8 g;",
    ".global .attribute(.managed) .b8 g;", ".global .attribute(.unified(1, 2)) .b8 g;", ".global .attribute(.other) .b8 g;",
    ".global .attribute() .b8 g;", ".global .attribute(.managed, .managed) .b8 g;", ".shared .attribute(.managed) .b8 g;",
    "{ }", "{ { } }", "L2:", "ret;", ";", "@%p ret;", "@@DWARF x\n", "#line 1 \"a\"\n", "//\n", "/* */", "/*", "\f", "\\\n",
)  # fmt: skip
PLACES = ("{d}", ".entry e() {{ {d} L: ret; }}", ".func f() {{ {d} L: ret; }}", ".entry e() {{ L: ret; {d} }}",
          ".entry e() {{ {{ {d} }} L: ret; }}", "{d} {d}", ".entry e() {{ {d} {d} L: ret; }}", '.file 1 "b"\n{d}')  # fmt: skip
HEADERS = (
    "{v}{t}{a}", "{v}{t}", "{v}{a}{t}", "{t}{v}{a}", "{v}", "{t}{a}", "{v}{v}{t}{a}", "{v}{t}{t}{a}", "{v}{t}{a}{a}", "{v}{t}{a}{t}",
    "{v}{t}{a}{v}", "// c\n{v}{t}{a}", "{v}// c\n{t}/* c */{a}", "{v};{t}{a}", "{a}{v}{t}", "",
    "{v}.target sm_90a, debug\n{a}", "{v}.target sm_90a, sm_90\n{a}", "{v}.target sm_80, sm_90\n{a}", "{v}.target debug\n{a}",
    "{v}.target sm_90a, texmode_unified\n{a}", "{v}.target sm_90a texmode_unified\n{a}", "{v}.target texmode_unified, sm_90a\n{a}",
    "{v}.target sm_90a, texmode_unified, texmode_independent\n{a}", "{v}.target sm_90a\n.target texmode_independent\n{a}",
    "{v}.target sm_90a, map_f64_to_f32\n{a}", "{v}.target SM_90A\n{a}", "{v}.target sm_91\n{a}", "{v}.target compute_90\n{a}",
    "{v}.target sm_90b\n{a}", "{v}.target sm_90f\n{a}", "{v}.target\n{a}", "{v}.target sm_90a,\n{a}", "{v}.target sm_90a, sm_90a\n{a}",
    ".version 9\n{t}{a}", ".version 9.\n{t}{a}", ".version 9.9\n{t}{a}", ".version 10.0\n{t}{a}", ".version 09.0\n{t}{a}",
    ".version 9.00\n{t}{a}", ".version 9.0.0\n{t}{a}", ".version 9,0\n{t}{a}", ".version 9 .0\n{t}{a}", ".version -9.0\n{t}{a}",
    ".version 0.9\n{t}{a}", ".version 5.5\n{t}{a}", ".version 6.9\n{t}{a}", ".version\t9.0\n{t}{a}", ".version\n9.0\n{t}{a}",
    "{v}{t}.address_size 32\n", "{v}{t}.address_size 16\n", "{v}{t}.address_size 0x40\n", "{v}{t}.address_size\n",
    "{v}{t}.address_size 64;\n", "{v}{t}.global .b8 g;\n{a}", "\ufeff{v}{t}{a}",
)  # fmt: skip
VERSIONS = (
    ("1.4", "sm_13"),
    ("2.0", "sm_20"),
    ("3.0", "sm_30"),
    ("6.0", "sm_60"),
    ("6.4", "sm_70"),
    ("7.8", "sm_90"),
    ("9.5", "sm_100a"),
)


def directives() -> Iterator[Probe]:
    """Arguments, places, pairs in both orders, versions, and headers."""
    for frame in FRAMES:
        for one in FUNCTION:
            yield probe(frame.format(d=one))
    for one in FUNCTION:
        name = one.split()[0]
        if name != ".pragma":
            for arguments in ARGUMENTS:
                if "4294967295" not in arguments and "2147483648" not in arguments:
                    yield probe(f".entry e() {name}{arguments} {{ ret; }}")
                yield probe(f".func f() {name}{arguments} {{ ret; }}")
        for other in FUNCTION:
            yield probe(f".entry e() {one} {other} {{ ret; }}")
            if "noreturn" in one or "abi" in one:
                yield probe(f".func f() {one} {other} {{ ret; }}")
        for version, target in VERSIONS:
            yield probe(f".entry e() {one} {{ ret; }}", version, target)
            yield probe(f".func f() {one} {{ ret; }}", version, target)
            yield probe(f".entry e() .maxntid 8 {one} {{ ret; }}", version, target)
    for one in POSITIONAL:
        for place in PLACES:
            yield probe(place.format(d=one))
        for version, target in VERSIONS[::2]:
            yield probe(PLACES[0].format(d=one), version, target)
            yield probe(PLACES[1].format(d=one), version, target)
    for layout in HEADERS:
        for version, target in (("9.0", "sm_90a"), ("2.0", "sm_20"), ("4.3", "sm_52")):
            text = layout.format(v=f".version {version}\n", t=f".target {target}\n", a=".address_size 64\n")
            yield Probe(f"{version} {target}: {layout}", f"{text}.visible .entry k0()\n{{ ret; }}\n")
    assert header
