"""Modules that between them hold every construct of the PTX language; ptxas takes each of them as it stands."""

from __future__ import annotations

HEADER = ".version 8.4\n.target sm_90\n.address_size 64\n"
KERNEL = ".visible .entry k() { ret; }\n"


def module(text: str, version: str = "8.4", target: str = "sm_90") -> str:
    """A module with a header."""
    return f".version {version}\n.target {target}\n.address_size 64\n{text}\n"


def body(statements: str) -> str:
    """A kernel around statements, with registers, a global array `gg`, a shared array `sh`, and its result stored."""
    return module(
        ".global .align 16 .b32 gg[64];\n.global .texref tt;\n"
        ".visible .entry k(.param .u64 p0, .param .u32 p1) {\n"
        ".reg .b32 a, b, c, %r<9>; .reg .b64 %rd<9>; .reg .pred p, q; .reg .f32 f1, f2, f3, f4; .reg .f64 d1;\n"
        ".reg .v4 .b32 vv; .reg .b16 h1, h2; .shared .b32 sh[32];\n"
        "mov.u32 a, %tid.x; mov.u32 b, %ctaid.x; mov.u32 c, %ntid.y; ld.param.u64 %rd1, [p0];\n"
        f"{statements}\n"
        "st.global.u32 [%rd1+64], a; st.global.u32 [%rd1+68], b;\nret;\n}"
    )


STATEMENTS = {
    "blank in an opcode": "add .u32 a, b, c; ld\n.global\n.u32 b, [%rd1];",
    "comment in an opcode": "add/* x */.u32 a, b, c; ld.global // y\n.u32 b, [%rd1];",
    "several on a line": "mov.b32 a , b ; mov.b32 b,c;add.u32 a,b,c;",
    "over many lines": "mad.lo.u32\n a\n,\n b // one\n, c, /* two */ 5\n;",
    "no blank before operands": "mov.b64{a,b},%rd1;",
    "integers": "mov.b32 a, 010; add.u32 a, a, 0x1F; add.u32 a, a, 0b101; add.u32 a, a, 5U; add.s32 a, a, -7;",
    "more integers": "add.u32 b, b, 0X1FU; add.u32 a, a, 0B11U; mov.b64 %rd2, 0xFFFFFFFFFFFFFFFF; mov.u32 a, +1;",
    "floats": "mov.f32 f1, 0f3F800000; add.f32 f1, f1, 1.5; add.f32 f1, f1, 1e5; mov.b32 a, f1;",
    "more floats": "mov.f32 f2, .5; add.f32 f2, f2, 1.; add.f32 f2, f2, -2.5E-3; mov.b32 b, f2; mov.f64 d1, 0D3FF0000000000000;",
    "constant expressions": "add.u32 a, a, 1+2*3; add.u32 a, a, (1<<4)|3; add.u32 b, b, 5 > 3 ? 7 : 2; xor.b32 a, a, ~1;",
    "more constant expressions": "add.u32 a, a, !1; add.u32 a, a, (.s64)4+2; add.u32 b, b, 7/2; add.u32 a, a, 1?2:3?4:5;",
    "signs in expressions": "add.u32 a, a, 1--1; add.u32 b, b, - -3; add.u32 a, a, (5); add.u32 b, b, ((2)+(3))*2;",
    "warp size": "add.u32 a, a, WARP_SZ; add.u32 b, b, WARP_SZ-1; add.u32 b, b, WARP_SZ<<1;",
    "addresses": "ld.global.u32 a, [gg]; ld.global.u32 b, [gg+4]; ld.global.u32 c, [%rd1+-4]; add.u32 a, a, c;",
    "more addresses": "ld.global.u32 a, [%rd1+0x10]; ld.global.u32 b, [%rd1+4*4]; ld.global.u32 c, [ %rd1 + 4+4 ];",
    "zero offsets": "ld.global.u32 a, [%rd1+0]; mov.u64 %rd2, gg+0; st.global.u64 [gg+0], %rd2;",
    "immediate addresses": "ld.local.u32 a, [16]; st.local.u32 [0x10+4], b;",
    "symbols": "mov.u64 %rd2, gg; mov.u64 %rd3, gg+4; mov.u64 %rd4, gg + 4+4; st.global.v2.u64 [gg+16], {%rd2, %rd3};",
    "elements": "ld.global.u32 a, gg[2]; ld.global.u32 b, gg[a]; mov.u64 %rd2, gg [ 1+1 ]; st.global.u64 [gg], %rd2;",
    "register plus offset": "mov.u32 a, b+1;",
    "vectors": "mov.b64 {a, b}, %rd1; mov.b64 %rd2, {1, 2}; mov.b64 {a, _}, %rd2; ld.global.v4.u32 {a,b,c,_}, [%rd1];",
    "vector registers": "ld.global.v4.u32 vv, [%rd1]; mov.b32 a, vv.x; mov.b32 b, vv .w; mov.b32 c, vv.r;",
    "special registers": "mov.u32 a, %tid.x; mov.u32 b, %tid .y; mov.u32 c, %laneid; mov.u64 %rd2, %clock64;",
    "guards": "setp.eq.u32 p, a, b; @p mov.u32 a,b; @!p mov.u32 b, 3; @ p mov.u32 c,a; @! p add.u32 a,a,c;",
    "pairs": "setp.eq.u32 p|q, a, b; setp.eq.and.u32 p | q, a, c, !q; setp.ne.u32 _|q, a, b; setp.ne.u32 p|_, a, b; @q mov.u32 a, 1;",
    "negation": "setp.eq.u32 p, a, b; setp.eq.and.u32 q, a, c, ! p; @q mov.u32 a, 9; vmad.s32.s32.s32 b, a, c, -a;",
    "video selectors": "vadd.s32.s32.s32 a.b0, b.h1, c.b2, a; vset.s32.s32.eq b, a.b0, c.h1;",
    "labels": "L1: L2: mov.b32 a, b; setp.lt.u32 p, a, 5; @p bra L1; bra.uni $L_x; L3 : mov.b32 b, 4; $L_x:",
    "scopes": "{ } {{{ mov.b32 a, 5; }}} { .reg .b32 a; mov.b32 a, 1; st.global.u32 [%rd1], a; }",
    "labelled scope": "L1: { add.u32 a, a, 1; } setp.lt.u32 p, a, 9; @p bra L1;",
    "shadowed registers": "{ .shared .b32 a; mov.u64 %rd2, a; st.global.u64 [gg], %rd2; } { .param .b32 b; st.param.b32 [b], c; }",
    "register lists": ".reg .b32 r<4> , zq; .reg .v2 .b32 w<3>; .reg.b32 rr; .reg .b32 %q0, %q1<2>; mov.b32 r3, a; mov.b32 zq, r3; mov.b32 b, zq;",
    "odd registers": ".reg .pred %z<0>; .reg .b32 n < 0x4 >; .reg .align 4 .b32 al; .reg .b32; mov.b32 n03, 5; mov.b32 al, n03; mov.b32 b, al;",
    "opcode as a name": ".reg .b32 add, ret; mov.b32 add, 5; mov.b32 ret, add; add.u32 a, ret, add;",
    "all types": ".reg .u8 t1; .reg .s16 t2; .reg .f16 t3; .reg .f16x2 t4; .reg .b128 t5; .reg .s64 t6; .reg .u64 t7;",
    "variables": ".local .align 16 .b8 loc[16]; .local .b32 x, y, z; .shared .align 4 .b8 s2[4][5]; .shared .v4 .f32 s4; .const .b32 cc = 5; mov.u32 b, 1; st.local.u32 [y], b; ld.local.u32 a, [y];",
    "pragma": '.pragma "nounroll"; LP: add.u32 a, a, 1; setp.lt.u32 p, a, b; @p bra LP;',
    "branch targets": "and.b32 c, c, 1; ts: .branchtargets A0,\n A1\n; brx.idx c, ts; A0: mov.u32 a, 5; A1: mov.u32 b, 6;",
    "line markers": '#line 5 "x"\nmov.b32 a, b;\n# 7 "y.h" 3 4\nmov.b32 b,\n#line 3 "z"\nc;',
    "texture": "tex.2d.v4.f32.f32 {f1, f2, f3, f4}, [tt, {f1,f2}]; mov.b32 a, f1; tex.2d.v4.f32.s32 {f1,f2,f3,f4}, [tt, {a, b}];",
    "block comments": "/* a /* b */ mov.b32 a,b; // é \\\nmov.b32 b, 3; /***/ /**/ add.u32 a, a, /* ; } */ b;",
    "indirect call": "pr: .callprototype (.param .b32 _) _ (.param .b64 _);\n{ .param .b32 rv; .param .b64 q0; st.param.b64 [q0], %rd1; call (rv), %rd1, (q0), pr; ld.param.b32 a, [rv]; }",
}
"""Statements by what they show; each goes into `body`."""

MODULES = {
    "one line": ".version 8.4 .target sm_90 .address_size 64 .entry k() {ret;}",
    "no address size": ".version 8.4\n.target sm_90\n.entry k() {ret;}",
    "header over lines": ".version 8.4\n.target\nsm_90 ,\n texmode_independent\n.address_size\t0x40\n.entry k {ret;}",
    "carriage returns": ".version 8.4\r\n.target sm_90\r\n.entry k() {\r\nret;\r\n}\r\n",
    "two targets": ".version 8.4\n.target sm_90\n.target sm_90\n.entry k() {ret;}",
    "no functions": ".version 8.4\n.target sm_90\n",
    "values": module(
        ".global .b32 g1 = 5; .global .b32 g2[] = {1,2,3}; .global .b32 g3[2][2] = {{1,2},{3,4}};"
        ".global .b32 g4[4] = {1,2}; .global .f32 g5[2] = {0f3f800000, 1e5}; .global .b32 g6 = 1+2*3;"
        ".global .u32 g7 = 5U; .global .align 8 .v2 .f32 g8 = {1.0,2.0}; .global .f32 g9 = -1.0;"
        ".global .b32 ga[3] = {1+1,(2),-(3)}; .global .u64 gb = 18446744073709551616; .global .s8 gc=-0x1;" + KERNEL
    ),
    "addresses as values": module(
        ".global .u64 h[2]; .global .u64 a1 = h; .global .u64 a2 = h+8; .global .u64 a3[2] = {generic(h), generic(h)+8};"
        ".global .u8 a4[4] = {0xff(h), 0xff00(h), 0xff0000(h), 0xff000000(h)}; .global .u8 a5[2] = {0xff(generic(h)), 5};"
        ".global .u8 a6[2] = {0xff(generic(h)+4), 0xFF(h+4)}; .global .u64 a7 = h + -8; .global .u64 a8 = h+4*2;"
        + KERNEL
        + ".global .u64 a9[2] = {k, k};"
    ),
    "variables": module(
        ".global .b32 v1, v2, v3[3]; .global .b32 v4=1, v5=2; .align 8 .global .b32 v6; .global .v4 .b32 v7;"
        ".visible .global .b32 v8; .extern .shared .align 16 .b8 sm[]; .weak .global .b32 v9; .common .global .b32 va;"
        ".shared .b32 vb; .global .b32 vc<5>; .const .align 4 .b32 vd = 3; .global .b32 ve[0x4]; .global .b128 vf;"
        ".extern .global .b32 vg[]; .global .v2 .b32 vh[4]; .global .b32;" + KERNEL
    ),
    "attributes": module(
        ".visible .global .attribute(.managed) .b32 m1; .global .attribute ( .managed ) .align 4 .b32 m2;"
        ".visible .global .attribute(.managed, .unified(1,2)) .b32 m3; .func .attribute(.unified(1,2)) f() {ret;}"
        + KERNEL
    ),
    "opaque types": module(
        ".global .texref t1; .global .surfref s1; .entry k(.param .texref t, .param .surfref s) {ret;}"
    ),
    "samplers": ".version 8.4 .target sm_90, texmode_independent .address_size 64 "
    ".global .samplerref s = { addr_mode_0 = clamp_to_edge, filter_mode = nearest, force_unnormalized_coords = 1 };"
    ".global .texref t = {width = 5, channel_data_type = 0x10}; .entry k(){ret;}",
    "parameters": module(
        ".entry k(.param .u64 .ptr .global .align 16 a, .param .u64 .ptr b, .param .u64 .ptr .align 8 c,"
        ".param .u64 .ptr .shared d, .param .align 8 .b8 e[16], .param .b32 f[4], .param .align 8 .u64 g) {ret;}"
    ),
    "functions": module(
        ".visible .func (.reg .b32 rv) f1 (.reg .b32 x, .reg .b32 %y) { add.u32 rv, x, %y; ret; }"
        ".func (.param .b32 rv) f2 (.param .align 8 .b8 x[12]) { ret; } .func f3 { ret; } .func () f4 () { ret; }"
        ".extern .func (.param .b32 rv) f5 (.param .b32 a, .param .align 8 .b8 b[]) ; .weak .func f6(.reg .v2 .b32 x) { ret; }"
        ".extern .func f7() .noreturn ; .func f8() .noreturn { trap; } .func f1b(.param .b32 f1) { .reg .b32 f2; ld.param.b32 f2, [f1]; ret; }"
        ".entry k { .reg .b32 a; .param .b32 r; call (a), f1, (3, 4); call.uni f4; call f8; ret; }"
    ),
    "percent names": module(
        ".global .b32 %g; .func f(.param .b64 %p) { .reg .b32 %r; .reg .b64 %a; ld.param.u64 %a, [%p]; "
        "ld.global.u32 %r, [%g+4]; st.global.u32 [%a], %r; ret; } .entry %k() { ret; }"
    ),
    "kernel directives": module(
        '.entry k() .pragma "nounroll"; .maxntid 3,4 , 5 .minnctapersm 0x4 .maxnreg 32 { ret; }'
        ".entry k2() .reqntid 128 .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }"
        ".entry k3() .reqntid 128U .maxclusterrank 8 { ret; }"
    ),
    "clusters": module(".entry k() .reqntid 128,1,1 .reqnctapercluster 2 .blocksareclusters { ret; }", "9.0"),
    "abi": module(
        ".func f() .abi_preserve 8 .abi_preserve_control 3 { ret; } .entry k() { .reg .b64 a; mov.u64 a, f;"
        "pr: .callprototype _ () .abi_preserve 8; call a, (), pr; ret; }",
        "9.0",
    ),
    "alias": module(".visible .func f(.param .b32 x) {ret;} .visible .func g(.param .b32 x); .alias g, f;" + KERNEL),
    "prototypes": module(
        KERNEL
        + ".entry e() { p1: .callprototype _; p2: .callprototype ()_ (); p3 : .callprototype _ (.param .b64 _) .noreturn;"
        "p4: .callprototype (.reg .b32 _) _ (.reg .b64 _, .param .align 8 .b8 _[16]); ct: .calltargets k; ret; }"
    ),
    "debug": module(
        '.file 1 "a.cu", 1, 2\n.file 2 "b.cu"\n.visible .entry k() {\n.reg .b32 %r<3>;\n.loc 1 5 3\nmov.u32 %r1, %tid.x;\n'
        ".loc 2 7 1, function_name $str, inlined_at 1 5 3\nadd.u32 %r2, %r1, 1;\n"
        ".loc 2 8 1 , function_name $str+4,inlined_at 1 5 3 st.global.u32 [0], %r2;\n.loc 1 0x9 0 L1: ret;\n}\n"
        ".section .debug_str { $str: .b8 102,111 , 111 .b8 0,98,97,0 x: .b32 5 .b64 x .b64 x+4 .b32 y-x .b32 .debug_str\n"
        ".b32 .debug_str+5 /* } */ .b16 3 // }\n.b8 -1, 0x10\ny:\n}\n.section .debug_loc { }"
    ).replace("st.global.u32 [0], %r2;", "membar.gl;"),
    "nested deeply": module(".entry k() {" + "{" * 300 + "ret;" + "}" * 300 + "}"),
    "banner": "//\n// Generated by hand\n//\n\n" + module(KERNEL),
}
"""Whole modules by what they show."""


def everything() -> dict[str, str]:
    """Every module of this file by name."""
    return {**{f"statement: {name}": body(text) for name, text in STATEMENTS.items()}, **MODULES}
