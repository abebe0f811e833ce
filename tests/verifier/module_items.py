"""Items of modules and what is wrong with each: a code of the verifier, `syntax`, or `-` for nothing."""

INITIAL_VALUES = """\
declaration     .global .b32 g = {1,2};
declaration     .global .b32 g = {1};
-               .global .b32 g = 1;
declaration     .global .b32 g[2] = {1,2,3};
-               .global .b32 g[2] = {1};
declaration     .global .b32 g[2] = 1;
-               .global .b32 g[2] = {};
declaration     .global .b32 g[2] = {{1,2}};
declaration     .global .b32 g[2] = {{1},{2}};
declaration     .global .b32 g[2][2] = {1,2,3,4};
-               .global .b32 g[2][2] = {{1,2},{3,4}};
declaration     .global .b32 g[2][2] = {{1,2},{3,4},{5}};
declaration     .global .b32 g[2][2] = {{1,2,3},{4}};
-               .global .b32 g[2][2] = {{1},{2}};
declaration     .global .b32 g[2][2] = {{1,2},3};
declaration     .global .b32 g[2][2] = {1,{2,3}};
-               .global .b32 g[][2] = {{1,2},{3,4}};
declaration     .global .b32 g[] = 5;
declaration     .global .b32 g[] = {};
declaration     .global .f32 g = 1;
-               .global .f32 g = 1.0;
-               .global .f32 g = 0f3F800000;
-               .global .f32 g = 0d3FF0000000000000;
declaration     .global .f32 g = {1};
declaration     .global .f32 g[2] = {1.0, 2};
declaration     .global .f64 g = 1;
-               .global .f64 g = 1.5;
-               .global .f64 g = 0f3F800000;
declaration     .global .f16 g = 1.0;
declaration     .global .f16 g = 1;
-               .global .b16 g = 1.0;
-               .global .b32 g = 1.0;
declaration     .global .s32 g = 1.5;
declaration     .global .u32 g = 0f3F800000;
-               .global .b64 g = 1.0;
-               .global .b64 g = 0d3FF0000000000000;
declaration     .global .f16x2 g = 1;
declaration     .global .bf16 g = 1;
-               .global .b128 g = 1;
-               .global .u8 g = 300;
-               .global .u8 g = -1;
-               .global .s8 g = 200;
-               .global .u16 g = 70000;
-               .global .u32 g = 4294967296;
-               .global .u32 g = -1;
-               .global .u64 g = 18446744073709551615;
-               .global .v2 .b32 g = {1,2};
declaration     .global .v2 .b32 g = {1,2,3};
declaration     .global .v2 .b32 g = {{1,2}};
declaration     .global .v2 .b32 g = 1;
-               .global .v2 .b32 g[2] = {{1,2},{3,4}};
declaration     .global .v2 .b32 g[2] = {1,2,3,4};
-               .global .v4 .f32 g = {1.0,2.0,3.0,4.0};
declaration     .global .v4 .f32 g = {1,2,3,4};
declaration     .global .b32 x; .global .b64 g = x;
declaration     .global .b32 x; .global .b32 g = x;
declaration     .global .b32 x; .global .u16 g = x;
declaration     .global .b32 x; .global .u8 g = x;
declaration     .global .b32 x; .global .f32 g = x;
declaration     .global .b32 x; .global .f64 g = x;
declaration     .global .b32 x; .global .s64 g = x;
declaration     .global .b32 x[4]; .global .b64 g = x+4;
syntax          .global .b32 x[4]; .global .b64 g = x-4;
declaration     .global .b32 x[4]; .global .b64 g[2] = {x, x+4};
declaration     .global .b32 x; .global .b64 g = generic(x);
declaration     .const .b32 x; .global .b64 g = generic(x);
declaration     .const .b32 x; .global .b64 g = x;
declaration     .shared .b32 x; .global .b64 g = x;
declaration     .shared .b32 x; .global .b64 g = generic(x);
declaration     .global .b64 g = y;
declaration     .global .b64 g = y; .global .b32 y;
declaration     .global .b64 g = k;
declaration     .func f(); .global .b64 g = f;
declaration     .entry e() { ret; } .global .b64 g = e;
declaration     .entry e() { ret; } .global .b64 g = generic(e);
declaration     .extern .func f(); .global .b64 g = f;
declaration     .extern .global .b32 x; .global .b64 g = x;
declaration     .extern .shared .b8 x[]; .global .b64 g = x;
declaration     .global .texref t; .global .b64 g = t;
declaration     .global .b64 g = g;
declaration     .global .b32 x; .global .b8 g[5] = {0xFF(x), 0xFF00(x), 0xFF0000(x), 0xFF000000(x), 1};
declaration     .global .b32 x; .global .b32 g[2] = {0xFF(x), 1};
declaration     .global .b32 x; .global .b8 g = 0xF(x);
declaration     .global .b32 x; .global .b8 g = 0x1FF(x);
declaration     .global .b32 x; .global .b8 g = x;
syntax          .global .b32 x; .global .b64 g = x+1.5;
-               .global .b32 g = 1+2*3;
-               .global .b32 g = (1 == 1) ? 5 : 6;
-               .global .f32 g = 1.0+2.0;
-               .global .b32 g = WARP_SZ;
declaration     .global .b32 g[2] = {1, x};
-               .global .texref t = { channel_data_type = 5 };
declaration     .global .texref t = 5;
declaration     .global .surfref t = {1};
-               .const .b32 g = 5;
-               .const .b32 g[2] = {5};
declaration     .global .b32 g<3> = 5;
-               .global .b32 g = 5, h = 6;
-               .visible .global .b32 g = 5;
-               .weak .global .b32 g = 5;
-               .common .global .b32 g = 5;
syntax          .global .b32 g = 'a';
-               .global .b8 g[4] = {97,98,99,0};
declaration     .global .b32 g[0] = {};
declaration     .global .pred g = 1;
-               .global .u32 g = !1;
-               .global .u32 g = ~1;
-               .global .s32 g = -2147483649;
syntax          .global .b32 x; .global .u64 g = x-4;
-               .global .b32 x[4]; .global .u64 g[2] = {x, x+4};
-               .const .b32 x; .global .u64 g = generic(x);
declaration     .global .u64 g = y; .global .b32 y;
declaration     .global .u64 g = k;
declaration     .global .u64 g = f; .func f() { ret; }
-               .func f() { ret; } .global .u64 g = f;
-               .func f() { ret; } .global .u32 g = f;
declaration     .func f(); .global .u64 g = f;
-               .entry e() { ret; } .global .u64 g = e;
declaration     .entry e(); .global .u64 g = e;
-               .extern .func f(); .global .u64 g = f;
-               .extern .global .b32 x; .global .u64 g = x;
-               .extern .global .b32 x; .global .u64 g = generic(x);
-               .global .u64 g = g;
-               .global .b32 x; .global .u8 g[5] = {0xFF(x), 0xFF00(x), 0xFF0000(x), 0xFF000000(x), 1};
declaration     .global .b32 x; .global .u8 g = 0xF(x);
declaration     .global .b32 x; .global .u8 g = 0x1FF(x);
-               .global .b32 x; .global .u8 g = 0xFF(x+4);
-               .global .b32 x; .global .u8 g = 0xFF(generic(x));
-               .func f(){ret;} .global .u8 g = 0xFF(f);
declaration     .func f(){ret;} .global .u8 g = 0xFF(generic(f));
syntax          .global .b32 x; .global .u64 g = x+1.5;
-               .global .b32 x; .global .u64 g = x+(1+2);
-               .global .b32 g[2][2] = {{},{}};
-               .global .b32 g[2][2] = {{1}};
-               .global .b32 g[2][2] = {};
-               .global .b32 g[][2] = {{1,2},{3,4},{5}};
declaration     .global .b32 g[][2] = {{1,2},{3,4,5}};
-               .global .v2 .b32 g[2] = {{1,2}};
declaration     .global .v2 .b32 g[2] = {{1},{2,3}};
declaration     .global .v2 .b32 g = {};
declaration     .global .v2 .b32 g = {1};
-               .global .v4 .f32 g[] = {{1.0,2.0,3.0,4.0}};
declaration     .global .v2 .u64 g = {1, x};
-               .global .b32 x; .global .v2 .u64 g = {1, x};
-               .global .b32 x; .global .v2 .u64 g = {x, x};
-               .func f() { .global .b32 x; .global .u64 g = x; ret; }
-               .global .b32 x; .func f() { .global .u64 g = x; ret; }
declaration     .func f() { .shared .b32 x; .global .u64 g = x; ret; }
-               .func f() { .global .u64 g = f; ret; }
-               .entry f() { .global .u64 g = f; ret; }
declaration     .func f(.param .b64 p) { .global .u64 g = p; ret; }
-               .global .b32 x; .const .u64 g = x;
-               .global .texref t; .global .u64 g = t;
declaration     .global .samplerref t; .global .u64 g = t;
-               .global .surfref t; .global .u64 g = t+4;
-               .func f() { ret; } .func a(); .alias a, f; .global .u64 g = a;
-               .global .b32 x<3>; .global .u64 g = x1;
declaration     .global .b32 x<3>; .global .u64 g = x3;
declaration     .global .b32 x<3>; .global .u64 g = x;
syntax          .global .b32 g[3] = {1,2,3,};
-               .global .texref t = {channel_data_type = 5};
-               .global .texref t = {width = 5, height = 6};
declaration     .global .texref t = {foo = 5};
-               .global .texref t = {addr_mode_0 = wrap, filter_mode = linear, normalized_coords = 1};
-               .global .texref t[2] = {{width = 5},{height = 6}};
declaration     .global .texref t = {5};
-               .global .texref t = {};
-               .global .align 2 .texref t;
-               .global .u64 t = -9223372036854775809;
-               .global .f32 g = -1.0;
syntax          .global .f32 g = -0f3F800000;
-               .global .b32 g = 0f3F800000;
redeclared      .extern .global .b32 g;.global .b32 g = 5;
redeclared      .global .b32 g = 5;.global .b32 g = 5;
redeclared      .visible .global .b32 g; .visible .global .b32 g;
""".splitlines()

DECLARATIONS = """\
declaration     .shared .e4m3 x;
declaration     .global .e4m3 x;
declaration     .global .v2 .texref x;
operand-type    .func f() { .reg .e3m2x4 x; ret; }
-               .func f() { p: .callprototype _ (.param .pred _); ret; }
declaration     .func f() { p: .callprototype _ (.param .pred _[2]); ret; }
declaration     .extern .func f(.param .pred x[2]);
-               .extern .func f(.param .v2 .b32 x);
declaration     .func f(.param .v2 .b32 x) { ret; }
directive       .func f() .abi_preserve 240 { ret; }
declaration     .entry e(.param .b8 x[2][3]) { ret; }
declaration     .func f() { p: .callprototype _ (.param .b8 _[2][3]); ret; }
syntax          .global .align 4294967296 .b8 x[4];
-               .func f() .abi_preserve 237 { ret; }
directive       .func f() .abi_preserve_control 12 { ret; }
-               .func f() .abi_preserve_control 10 { ret; }
-               .entry e() .maxntid WARP_SZ { ret; }
syntax          .section .debug_abbrev { .b8 -1U }
syntax          .section .debug_abbrev { .b8 1, 08 }
syntax          .section .debug_abbrev { .b64 WARP_SZ }
declaration     .section .debug_abbrev { .b64 99999999999999999999 }
declaration     .section .debug_abbrev { .b8 -0 }
-               .section .debug_abbrev { .b8 - 115, 1, -  5 }
-               .section .debug_abbrev { .b64 -9223372036854775807 }
directive       .entry e() { .loc 1 1 1 .loc 1 2 1, function_name L, inlined_at 1 1 1 L: ret; }
label           .entry e() { bra L+4; L: ret; }
syntax          .entry e() { .reg .b32 %r<3>; mul .lo.s32 %r0, %r1, %r2; ret; }
-               .entry e() { .reg .b32 %r<3>; mul.lo .s32 %r0, %r1, %r2; ret; }
-               .entry e() { fence.sc .cta; ret; }
-               .extern .func f(.param .e4m3 x);
-               .entry e() { .reg .b64 %r<3>; mov.b64 %r0, {%r1}; ret; }
operand-kind    .entry e() { .reg .b32 %r<3>; .reg .b64 %d; atom.global.add.u32 %r0, [%d], {%r1}; ret; }
address         .entry e() { .reg .b16 %h; prefetch.tensormap [%h]; ret; }
declaration     .global .b64 g = f; .func f() { ret; }
declaration     .func f() { ret; } .global .b64 g = f;
declaration     .func f() { ret; } .global .b32 g = f;
declaration     .func f() { ret; } .global .b64 g = generic(f);
declaration     .func f() { L: ret; } .global .b64 g = L;
declaration     .func f() { .reg .b32 %r1; ret; } .global .b64 g = %r1;
declaration     .func f() { .local .b32 x; ret; } .global .b64 g = x;
syntax          .global .b32 g[2+2];
-               .global .texref t[2];
-               .func f() { .global .b32 g = 5; ret; }
declaration     .func f() { .shared .b32 g = 5; ret; }
-               .func f() { .const .b32 g = 5; ret; }
declaration     .func f() { .local .b32 g = 5; ret; }
-               .global .b32 g<3>;
syntax          .global .b32 g[-1];
-               .global .b32 g[3000000000];
declaration     .global .b1 g;
syntax          .global .v3 .b32 g;
declaration     .global .v8 .b32 g;
declaration     .global .v8 .b16 g;
declaration     .global .v4 .b128 g;
declaration     .shared .texref t;
declaration     .const .texref t;
declaration     .func f() { .global .texref t; ret; }
syntax          .global .align 0 .b32 g;
-               .global .align 1024 .b32 g;
-               .global .align 16777216 .b32 g;
-               .shared .align 1024 .b32 g;
declaration     .alias a, f; .func f() { ret; }
-               .func f() { ret; } .func a(); .alias a, f;
declaration     .func f() { ret; } .alias a, f;
declaration     .func a(); .alias a, f; .func f() { ret; }
declaration     .func f() { ret; } .func a() { ret; } .alias a, f;
declaration     .func f(); .func a(); .alias a, f;
declaration     .entry f() { ret; } .func a(); .alias a, f;
declaration     .func f(.param .b32 x) { ret; } .func a(); .alias a, f;
-               .func f() { ret; } .visible .func a(); .alias a, f;
declaration     .global .b32 f; .func a(); .alias a, f;
declaration     .func f() { ret; } .global .b32 a; .alias a, f;
declaration     .func f() { ret; } .func a(); .alias a, f; .alias a, f;
declaration     .func f() { ret; } .func a(); .func b(); .alias a, f; .alias b, a;
declaration     .func f() { ret; } .func a(); .alias f, f;
declaration     .extern .func f(); .func a(); .alias a, f;
declaration     .weak .func f() { ret; } .func a(); .alias a, f;
directive       .func f() .noreturn .noreturn { exit; }
-               .func f() .noreturn { ret; }
declaration     .func f() .noreturn;
directive       .func (.param .b32 r) f() .noreturn { exit; }
directive       .func f() .abi_preserve 4 .abi_preserve 4 { ret; }
-               .func f() .abi_preserve_control 4 { ret; }
directive       .func f() .maxntid 4 { ret; }
directive       .func f() .pragma "nounroll"; { ret; }
directive       .func f() .reqntid 4 { ret; }
directive       .func f() .minnctapersm 4 { ret; }
directive       .func f() .explicitcluster { ret; }
-               .entry e() .maxnreg 16 .maxnreg 32 { ret; }
-               .entry e() .maxntid 16 .maxntid 16 { ret; }
-               .entry e() .reqntid 16,1,1 .reqntid 16 { ret; }
-               .entry e() .minnctapersm 1 .minnctapersm 2 { ret; }
-               .entry e() .reqntid 2000 { ret; }
-               .entry e() .maxntid 2000 { ret; }
-               .entry e() .maxntid 1024,1024 { ret; }
-               .entry e() .reqnctapercluster 100 { ret; }
-               .entry e() .reqnctapercluster 2 .reqnctapercluster 2 { ret; }
-               .entry e() .maxclusterrank 100 { ret; }
-               .entry e() .maxclusterrank 8 .maxclusterrank 8 { ret; }
-               .entry e() .explicitcluster .explicitcluster { ret; }
-               .entry e() .maxnreg 1000000 { ret; }
syntax          .entry e() .maxnreg -1 { ret; }
-               .entry e(.param .b32 a) ; .entry e(.param .b32 a) { ret; }
declaration     .entry e(); .entry e();
-               .extern .entry e();
declaration     .entry e(.param .align 3 .b8 a[4]) { ret; }
-               .entry e(.param .align 256 .b8 a[4]) { ret; }
-               .entry e(.param .b8 a[5000]) { ret; }
declaration     .entry e(.param .b8 a[40000]) { ret; }
-               .entry e(.param .u32 .ptr p) { ret; }
declaration     .entry e(.param .u64 .ptr .shared .align 3 p) { ret; }
-               .entry e(.param .f32 .ptr p) { ret; }
syntax          .entry e(.param .u64 .ptr .param p) { ret; }
declaration     .func f(.param .u64 .ptr .global p) { ret; }
-               .entry e(.param .texref p) { ret; }
declaration     .func f(.param .texref p) { ret; }
declaration     .func f(.reg .texref p) { ret; }
-               .func f(.param .b128 p) { ret; }
declaration     .func f(.param .v2 .b32 p) { ret; }
-               .func f(.reg .v2 .b32 p) { ret; }
-               .func (.param .b32 r) f() { ret; }
declaration     .func (.param .pred r) f() { ret; }
-               .func (.param .align 16 .b8 r[16]) f() { ret; }
declaration     .func f(.param .b8 a[], .param .b32 b) { ret; }
-               .func f(.param .b8 a[0]) { ret; }
declaration     .func f(.param .f16x2 a) { ret; }
-               .func f(.reg .f16x2 a) { ret; }
declaration     .func f();
declaration     .visible .func f();
declaration     .weak .func f();
-               .extern .func f();
declaration     .func f(); .func f();
declaration     .func f(); .func g() { call f; ret; }
redeclared      .extern .func f(); .func f() { ret; }
redeclared      .func f() { ret; } .extern .func f();
declaration     .entry e();
declaration     .visible .entry e();
declaration     .weak .entry e();
declaration     .extern .entry e() { ret; }
redeclared      .func f(.param .b32 x) { ret; } .func f(.param .u32 x);
redeclared      .func f(.param .b32 x) { ret; } .func f(.param .f32 x);
redeclared      .func f(.param .align 8 .b8 x[8]) { ret; } .func f(.param .align 4 .b8 x[8]);
redeclared      .func f(.param .align 8 .b8 x[8]); .func f(.param .b8 x[8]) { ret; }
redeclared      .func f(.param .align 8 .b8 x[8]); .func f(.param .b64 x) { ret; }
redeclared      .func f(.param .b32 x) { ret; } .visible .func f(.param .b32 x);
-               .visible .func f(.param .b32 x); .func f(.param .b32 x) { ret; }
redeclared      .func f() { ret; } .entry f() { ret; }
redeclared      .extern .global .b32 g; .visible .global .u32 g;
redeclared      .extern .global .b32 g; .visible .global .f32 g;
-               .extern .global .b32 g[]; .visible .global .b32 g[4];
redeclared      .extern .global .b32 g[8]; .visible .global .b32 g[4];
redeclared      .extern .global .b32 g; .visible .global .b32 g[1];
-               .extern .global .b32 g; .visible .const .b32 g;
-               .extern .global .align 8 .b32 g; .visible .global .align 4 .b32 g;
-               .extern .shared .b8 s[]; .extern .shared .b8 s[];
redeclared      .extern .shared .b8 s[]; .extern .shared .b32 s[];
-               .extern .shared .align 16 .b8 s[]; .extern .shared .align 8 .b8 s[];
redeclared      .func f() { .reg .b32 x; .reg .b32 x; ret; }
redeclared      .func f() { .reg .b32 x; .local .b32 x; ret; }
redeclared      .func f() { .shared .b32 x; .shared .b32 x; ret; }
-               .global .b32 x; .func f() { .reg .b32 x; ret; }
redeclared      .func f(.param .b32 x) { .reg .b32 x; ret; }
redeclared      .func f() { x: .reg .b32 x; ret; }
-               .func f() { .reg .b32 f; ret; }
declaration     .func f(.param .b8 a[], .param .b8 b[]) { ret; }
-               .func f(.param .b8 a[4], .param .b8 b[]) { ret; }
declaration     .func (.param .b8 a[]) f() { ret; }
declaration     .func f(.param .align 3 .b8 a[4]) { ret; }
syntax          .func f(.param .align 0 .b8 a[4]) { ret; }
declaration     .func f(.param .align 512 .b8 a[4]) { ret; }
-               .func f(.param .align 128 .b8 a[4]) { ret; }
-               .entry e(.param .align 512 .b8 a[4]) { ret; }
-               .entry e(.param .align 1024 .b8 a[4]) { ret; }
syntax          .entry e(.param .u64 .ptr .align 0 p) { ret; }
-               .entry e(.param .u64 .ptr .const p) { ret; }
syntax          .entry e(.param .u64 .ptr .generic p) { ret; }
-               .entry e(.param .u16 .ptr p) { ret; }
-               .entry e(.param .b64 .ptr p[2]) { ret; }
declaration     .func f(.param .surfref p) { ret; }
-               .entry e(.param .surfref p) { ret; }
declaration     .entry e(.param .samplerref p) { ret; }
declaration     .global .v8 .b8 g;
declaration     .global .v8 .u8 g;
-               .global .v4 .u8 g;
-               .global .v4 .b16 g;
declaration     .shared .v8 .b16 g;
operand-kind    .entry e() { .reg .b32 %r<3>; xor.b32 %r1+4, %r2, 1; ret; }
operand-kind    .entry e() { .reg .b32 %r<3>; mov.b32 %r1+0, %r2; ret; }
-               .entry e() { .reg .b32 %r<3>; xor.b32 %r1, %r2+4, 1; ret; }
redeclared      .global .b32 %tid;
redeclared      .func %laneid() { ret; }
redeclared      .extern .global .u32 %clock;
-               .extern .global .b32 %clock;
-               .func f() { .local .b32 %tid; ret; }
declaration     .func f() { .param .align 256 .b8 a[4]; ret; }
declaration     .func f() { .param .v2 .b32 a; ret; }
-               .func f() { .param .v2 .b32 a[3]; ret; }
syntax          .func f() { .local .b32 a<3>[2]; ret; }
syntax          .func f() { .local .b32 a<0>[2]; ret; }
declaration     .func f() { .local .bf16 a<0>; ret; }
-               .func f() { .local .b32 a<0>; ret; }
directive       .pragma " nounroll";
-               .entry e() { .pragma " enable_smem_spilling x"; ret; }
-               .entry e() { .loc 1 9223372036854775808 1 ret; }
directive       .entry e() { .loc 1 4294967296 1 ret; }
-               .section .debug_str { .b8 4294967296 }
declaration     .section .debug_str { .b8 4294967552 }
syntax          .global .b32 .align 4 g;
syntax          .global .v2 .align 4 .b32 g;
syntax          .global .v2 .attribute(.managed) .b32 g;
-               .align 4 .attribute(.managed) .global .v2 .b32 g;
declaration     .shared .attribute(.unified(1,2)) .b32 g;
syntax          .func f() { .reg .b32 .v2 a; ret; }
syntax          .func f(.reg .v2 .align 4 .b32 a) { ret; }
-               .global .b8 g[9223372036854775808];
-               .global .b8 g[18446744073709551617];
declaration     .global .b8 g[18446744073709551616];
declaration     .global .b8 g[18446744073709551615] = {1};
declaration     .const .b8 g[18446744073709551615];
-               .func f() { .local .b32 a[18446744073709551612]; ret; }
-               .func f(.param .b8 a[9223372036854775812]) { ret; }
declaration     .entry e(.param .b8 a[18446744073709551615]) { ret; }
label           .entry e() { _: ret; }
operand-kind    .entry e() { .reg .b32 %r<3>; .reg .pred %p<2>; setp.eq.s32 _|_, %r1, %r2; ret; }
-               .entry e() { .reg .b32 %r<3>; add.s32 %r1|_, %r2, 1; ret; }
operand-kind    .entry e() { .reg .b32 %r<3>; add.s32 %r1, %r2|_, 1; ret; }
operand-kind    .entry e() { .reg .b32 %r<3>; add.s32 %r1|%r2, %r2, 1; ret; }
-               .entry e() { L: bra L|_; }
call            .func f() { ret; } .entry e(.param .b32 f) { call f; ret; }
call            .func f() { ret; } .entry e() { .local .b32 f; call f; ret; }
directive       .extern .shared .b8 d[]; .entry e() { .reg .b64 %r; .pragma "enable_smem_spilling"; mov.b64 %r, d; ret; }
declaration     .func f() { .local .v8 .b16 g; ret; }
declaration     .func f() { .reg .v8 .b16 g; ret; }
declaration     .func f() { .reg .v4 .b64 g; ret; }
declaration     .func f() { .reg .v2 .b128 g; ret; }
declaration     .func f() { .reg .v4 .pred g; ret; }
-               .func f() { .reg .v2 .f16x2 g; ret; }
declaration     .func f() { .shared .texref t; ret; }
declaration     .func f() { .local .surfref t; ret; }
declaration     .shared .surfref t;
-               .extern .global .texref t;
-               .visible .global .texref t;
-               .weak .shared .b32 g;
-               .visible .shared .b32 g;
-               .visible .const .b32 g;
-               .weak .const .b32 g;
declaration     .common .const .b32 g;
-               .func f() .noreturn .abi_preserve 4 { exit; }
redeclared      .func f(); .func f() .abi_preserve 4 { ret; }
redeclared      .func f() .abi_preserve 3; .func f() .abi_preserve 4 { ret; }
-               .func f() .abi_preserve 4; .func f() .abi_preserve 4 { ret; }
directive       .func f() .abi_preserve_control 4 .abi_preserve_control 4 { ret; }
-               .func f() .abi_preserve 4 .abi_preserve_control 4 { ret; }
syntax          .func f() .abi_preserve { ret; }
syntax          .func f() .abi_preserve -1 { ret; }
directive       .func (.reg .b32 r) f() .noreturn { exit; }
directive       .extern .func (.param .b32 r) f() .noreturn;
-               .extern .func f() .noreturn;
redeclared      .func f() .noreturn; .func f() { exit; }
-               .func f() .noreturn; .func f() .noreturn { exit; }
redeclared      .func f(); .func f() .noreturn { exit; }
-               .entry e() .pragma "nounroll"; { ret; }
-               .entry e() .pragma "a"; .maxntid 4 { ret; }
declaration     .func f() { ret; } .func (.param .b32 r) a(); .alias a, f;
declaration     .func f(.param .b32 x) { ret; } .func a(.param .u32 y); .alias a, f;
declaration     .func f(.param .b32 x) { ret; } .func a(.param .f32 y); .alias a, f;
declaration     .func f(.param .b32 x) { ret; } .func a(.param .b64 y); .alias a, f;
-               .visible .func f() { ret; } .func a(); .alias a, f;
-               .visible .func f() { ret; } .visible .func a(); .alias a, f;
-               .visible .func f() { ret; } .weak .func a(); .alias a, f;
-               .visible .func f() { ret; } .extern .func a(); .alias a, f;
-               .func f() { ret; } .extern .func a(); .alias a, f;
declaration     .func f() { ret; } .entry a(); .alias a, f;
-               .func f(); .func a(); .alias a, f; .func f() { ret; }
declaration     .func f() .noreturn { exit; } .func a(); .alias a, f;
""".splitlines()

CALLS = """\
-               .func f(.param .b64 a) { ret; } .entry e() { .param .align 4 .b64 x; call f, (x); ret; }
-               .func f(.param .align 2 .b64 a[2]) { ret; } .entry e() { .param .b64 x[2]; call f, (x); ret; }
call            .func f(.param .b64 a) { ret; } .entry e() { .param .align 16 .b64 x; call f, (x); ret; }
call            .func (.param .b32 r) g() { st.param.b32 [r], 1; ret; } .entry e() { .reg .b32 x; { .param .b32 q; call (q), g; ld.param.b32 x, [q]; } { .param .b32 q; call (_), g; ld.param.b32 x, [q]; } ret; }
-               .func (.param .b32 r) g() { st.param.b32 [r], 1; ret; } .entry e() { .reg .b32 x; { .param .b32 q; call (q), g; { .param .b32 q; } ld.param.b32 x, [q]; } ret; }
call            .func (.param .b32 r) g() { st.param.b32 [r], 1; ret; } .entry e() { .reg .b32 x; .param .b32 q; { .param .b32 q; call (q), g; } ld.param.b32 x, [q]; ret; }
-               .func (.param .b32 r) g() { st.param.b32 [r], 1; ret; } .entry e() { .reg .b32 x; .param .b32 q; { call (q), g; } ld.param.b32 x, [q]; ret; }
-               .func (.reg .v2 .f32 r) g(.reg .v4 .b32 a) { mov.b32 r.x, a.x; ret; } .entry e() { .reg .v4 .f32 v; .reg .v2 .b32 w; .reg .b32 x; call (w), g, (v); ret; }
call            .func (.reg .v2 .f32 r) g(.reg .v4 .b32 a) { mov.b32 r.x, a.x; ret; } .entry e() { .reg .v4 .f32 v; .reg .v2 .b32 w; .reg .b32 x; call (w), g, (w); ret; }
call            .func (.reg .v2 .f32 r) g(.reg .v4 .b32 a) { mov.b32 r.x, a.x; ret; } .entry e() { .reg .v4 .f32 v; .reg .v2 .b32 w; .reg .b32 x; call (w), g, (x); ret; }
call            .func (.reg .v2 .f32 r) g(.reg .v4 .b32 a) { mov.b32 r.x, a.x; ret; } .entry e() { .reg .v4 .f32 v; .reg .v2 .b32 w; .reg .b32 x; call (w), g, (1); ret; }
-               .func (.param .b32 r) g(.param .b32 a) { st.param.b32 [r], 1; ret; } .entry e() { .reg .b32 x; .param .b32 q; .param .b32 w; call (q), g, (w); ld.param.b32 x, [q]; ret; }
call            .func (.param .b32 r) g(.param .b32 a) { st.param.b32 [r], 1; ret; } .entry e() { .reg .b32 x; .param .b32 q; .param .b32 w; ld.param.b32 x, [q]; call (q), g, (w); ret; }
undeclared      .func g() { call f; ret; } .func f() {ret;}
-               .func f(); .func g() { call f; ret; } .func f() {ret;}
undeclared      .func g() { .reg .b64 a; mov.u64 a,x; ret; } .global .b32 x;
undeclared      .func g() { .reg .b32 a; ld.global.u32 a,[x]; ret; } .global .b32 x;
-               .extern .global .b32 x; .func g() { .reg .b32 a; ld.global.u32 a,[x]; ret; } .visible .global .b32 x;
-               .func g() { call g; ret; }
-               .entry g() { .reg .b64 a; mov.u64 a,g; ret; }
call            .func (.param .b32 r) h(); .func (.param .b32 r) f() { call (r),h; ret; } .func (.param .b32 r) h() { ret; }
-               .func (.param .b32 r) f() { .reg .b32 a; st.param.b32 [r],a; ret; }
-               .func (.reg .b32 r) f() { mov.b32 r,5; add.u32 r,r,1; ret; }
-               .func f(.reg .b32 r) { mov.b32 r,5; ret; }
-               .func f(.param .b32 r) { .reg .b64 a; mov.b64 a,r; ret; }
-               .func (.param .b32 r) f() { .reg .b64 a; mov.b64 a,r; ret; }
operand-kind    .func f() { .param .b32 x; .reg .b64 a; mov.b64 a,x; ret; }
label           .func f() { L: { M: bra L; } bra M; }
label           .func f() { { M: ret; } bra M; }
label           .func f() { bra M; { M: ret; } }
-               .func f() { { bra L; } L: ret; }
call            .func f(.param .b32 x) { ret; } .func g() { .param .b16 a; call f,(a); ret; }
-               .func f(.param .b16 x) { ret; } .func g() { .param .u16 a; call f,(a); ret; }
-               .func f(.param .f16 x) { ret; } .func g() { .param .b16 a; call f,(a); ret; }
-               .func f(.param .b16 x) { ret; } .func g() { .reg .b16 a; call f,(a); ret; }
-               .func f(.param .b16 x) { ret; } .func g() { .reg .f16 a; call f,(a); ret; }
call            .func f(.param .b8 x) { ret; } .func g() { .reg .b16 a; call f,(a); ret; }
-               .func f(.param .b8 x) { ret; } .func g() { .reg .b8 a; call f,(a); ret; }
-               .func f(.param .u32 x) { ret; } .func g() { .param .s32 a; call f,(a); ret; }
call            .func f(.param .u32 x) { ret; } .func g() { .param .f32 a; call f,(a); ret; }
-               .func f(.param .f64 x) { ret; } .func g() { .param .b64 a; call f,(a); ret; }
-               .func f(.param .b128 x) { ret; } .func g() { .param .b128 a; call f,(a); ret; }
call            .func f(.param .b64 x) { ret; } .func g() { .param .align 8 .b8 a[8]; call f,(a); ret; }
call            .func f(.param .align 8 .b8 x[8]) { ret; } .func g() { .param .b64 a; call f,(a); ret; }
-               .func f(.param .b64 x) { ret; } .func g() { call f,(5); ret; }
-               .func f(.param .b64 x) { ret; } .func g() { call f,(1.0); ret; }
-               .func f(.param .b32 x) { ret; } .func g() { call f,(1.0); ret; }
-               .func f(.param .b32 x) { ret; } .func g() { call f,(0f3F800000); ret; }
-               .func f(.param .f64 x) { ret; } .func g() { call f,(0f3F800000); ret; }
call            .func f(.param .b64 x) { ret; } .func g() { .reg .pred a; call f,(a); ret; }
call            .func f(.param .b64 x) { ret; } .func g() { call f,(f); ret; }
call            .global .b32 x; .func f(.param .b64 y) { ret; } .func g() { call f,(x); ret; }
call            .func f(.param .b64 y) { ret; } .func g() { call f,(%tid.x); ret; }
call            .func f(.param .b32 y) { ret; } .func g() { call f,(%tid.x); ret; }
call            .func f(.param .b32 y) { ret; } .func g() { .reg .v2 .b32 a; call f,(a.x); ret; }
call            .func f(.param .b32 y) { ret; } .func g() { .reg .v2 .b32 a; call f,(a); ret; }
syntax          .func f(.param .b32 y) { ret; } .func g() { .param .b32 a; call f,(a+4); ret; }
-               .func f(.param .b32 y) { ret; } .func g() { call f,(WARP_SZ); ret; }
call            .func f(.param .b32 y) { ret; } .func g() { call f,(_); ret; }
call            .func f(.param .align 4 .b8 y[]) { ret; } .func g() { .param .align 8 .b8 a[8]; call f,(a); ret; }
call            .func f(.param .align 4 .b8 y[]) { ret; } .func g() { .param .b8 a[8]; call f,(a); ret; }
-               .func f(.param .align 4 .b8 y[]) { ret; } .func g() { .param .align 4 .b32 a[2]; call f,(a); ret; }
call            .func f(.param .align 4 .b8 y[]) { ret; } .func g() { .param .align 4 .b8 a; call f,(a); ret; }
call            .func f(.param .align 4 .b8 y[]) { ret; } .func g() { .reg .b32 a; call f,(a); ret; }
call            .func (.param .f32 r) f() { ret; } .func g() { .reg .u32 a; call (a),f; ret; }
call            .func (.param .f32 r) f() { ret; } .func g() { .param .u32 a; call (a),f; ret; }
-               .func (.param .f32 r) f() { ret; } .func g() { .param .b32 a; call (a),f; ret; }
-               .func (.reg .f32 r) f() { ret; } .func g() { .reg .b32 a; call (a),f; ret; }
-               .func f(.param .align 16 .b8 x[16]) { ret; } .func g() { .param .align 16 .b8 a[16]; call f,(a); ret; }
call            .func f(.param .align 16 .b8 x[16]) { ret; } .func g() { .param .align 8 .b8 a[16]; call f,(a); ret; }
call            .func f(.param .align 16 .b8 x[16]) { ret; } .func g() { .param .b8 a[16]; call f,(a); ret; }
call            .func f(.param .align 8 .b8 x[16]) { ret; } .func g() { .param .align 16 .b8 a[16]; call f,(a); ret; }
call            .func f(.param .b8 x[16]) { ret; } .func g() { .param .align 16 .b8 a[16]; call f,(a); ret; }
call            .func f(.param .b32 x) { ret; } .func g() { .param .align 8 .b32 a; call f,(a); ret; }
-               .func f(.param .b32 x) { ret; } .func g() { .param .u32 a; call f,(a); ret; }
-               .func f(.param .b32 x) { ret; } .func g() { .param .f32 a; call f,(a); ret; }
call            .func f(.param .f32 x) { ret; } .func g() { .param .s32 a; call f,(a); ret; }
call            .func f(.param .b32 x) { ret; } .func g() { .param .b8 a[4]; call f,(a); ret; }
call            .func f(.param .b32 x) { ret; } .func g() { .param .b32 a[1]; call f,(a); ret; }
-               .func f(.param .b32 x) { ret; } .func g() { .reg .b32 a; call f,(a); ret; }
call            .func f(.param .b32 x) { ret; } .func g() { .reg .b64 a; call f,(a); ret; }
-               .func f(.param .b32 x) { ret; } .func g() { .reg .f32 a; call f,(a); ret; }
-               .func f(.param .f32 x) { ret; } .func g() { .reg .b32 a; call f,(a); ret; }
call            .func f(.param .f32 x) { ret; } .func g() { .reg .u32 a; call f,(a); ret; }
-               .func f(.param .b32 x) { ret; } .func g() { call f,(5); ret; }
call            .func f(.param .f32 x) { ret; } .func g() { call f,(5); ret; }
-               .func f(.param .f32 x) { ret; } .func g() { call f,(1.0); ret; }
-               .func f(.reg .b32 x) { ret; } .func g() { .reg .b32 a; call f,(a); ret; }
call            .func f(.reg .b32 x) { ret; } .func g() { .reg .b64 a; call f,(a); ret; }
-               .func f(.reg .b32 x) { ret; } .func g() { .param .b32 a; call f,(a); ret; }
-               .func f(.reg .b32 x) { ret; } .func g() { call f,(5); ret; }
-               .func (.param .b32 r) f() { ret; } .func g() { .param .b32 a; call (a),f; ret; }
-               .func (.param .b32 r) f() { ret; } .func g() { .param .u32 a; call (a),f; ret; }
-               .func (.param .b32 r) f() { ret; } .func g() { .reg .b32 a; call (a),f; ret; }
-               .func (.param .b32 r) f() { ret; } .func g() { .reg .f32 a; call (a),f; ret; }
-               .func (.param .b32 r) f() { ret; } .func g() { call (_),f; ret; }
call            .func (.param .b32 r) f() { ret; } .func g() { call f; ret; }
call            .func (.param .b32 r) f() { ret; } .func g() { call (5),f; ret; }
call            .func (.param .align 16 .b8 r[16]) f() { ret; } .func g() { .param .align 8 .b8 a[16]; call (a),f; ret; }
-               .func (.reg .b32 r) f() { ret; } .func g() { .reg .b32 a; call (a),f; ret; }
call            .func (.reg .b32 r) f() { ret; } .func g() { .reg .b64 a; call (a),f; ret; }
call            .func f(.param .b32 x) { ret; } .func g() { .local .b32 a; call f,(a); ret; }
call            .global .b32 a; .func f(.param .b32 x) { ret; } .func g() { call f,(a); ret; }
call            .global .b32 a; .func f(.param .b64 x) { ret; } .func g() { call f,(a); ret; }
call            .func f(.param .b32 x) { ret; } .func g(.param .b32 a) { call f,(a); ret; }
call            .func f(.param .b32 x) { ret; } .entry g(.param .b32 a) { call f,(a); ret; }
declaration     .func f(.param .pred x) { ret; }
call            .func f() { ret; } .func g() { .reg .b64 a; call a; ret; }
-               .func f() { ret; } .func g() { .reg .b64 a; p: .callprototype _ (); mov.u64 a,f; call a,(),p; ret; }
-               .func f() { ret; } .func g() { .reg .b64 a; p: .callprototype (.param .b32 _) _ (.param .b32 _); .param .b32 x; call (x),a,(x),p; ret; }
call            .func f() { ret; } .func g() { .reg .b64 a; p: .callprototype (.param .b32 _) _ (.param .b32 _); .param .b64 x; call (x),a,(x),p; ret; }
call            .func f() { ret; } .func g() { .reg .b64 a; p: .callprototype _ (.param .b32 _); call a,p; ret; }
-               .func f() { ret; } .func g() { .reg .b64 a; p: .calltargets f; call a,p; ret; }
call            .func f() { ret; } .func g() { .reg .b64 a; p: .calltargets f, h; call a,p; ret; }
call            .func f() { ret; } .func h(.param .b32 x){ret;} .func g() { .reg .b64 a; p: .calltargets f, h; call a,p; ret; }
label           .func g() { p: .branchtargets L, M; .reg .b32 r; brx.idx r,p; L: ret; }
-               .func g() { p: .branchtargets L; .reg .b32 r; brx.idx r,p; L: ret; }
operand-type    .func g() { p: .branchtargets L; .reg .u32 r; .reg .b64 q; brx.idx q,p; L: ret; }
-               .func f() { ret; } .func g() { call.uni f; ret.uni; }
-               .func f() { ret; } .func g() { call f,(); call (),f; call (),f,(); ret; }
call            .entry g() { ret; } .func f() { call g; ret; }
-               .func f() .noreturn { exit; } .func g() { call f; ret; }
label           .func g() { bra g; ret; }
operand-kind    .func g() { .reg .b64 a; mov.u64 a,g; L: mov.u64 a,L; ret; }
undeclared      .func g() { .reg .b64 a; mov.u64 a,k; ret; } .entry k() { ret; }
redeclared      .entry k() { .reg .b64 a; mov.u64 a,k; ret; }
state-space     .func f(.param .b32 x) { .reg .b32 r; st.param.b32 [x],r; ret; }
state-space     .func (.param .b32 x) f() { .reg .b32 r; ld.param.b32 r,[x]; ret; }
state-space     .entry f(.param .b32 x) { .reg .b32 r; st.param.b32 [x],r; ret; }
state-space     .func f(.param .b32 x) { .reg .b32 r; { .param .b32 x; st.param.b32 [x],r; } ret; }
state-space     .entry f(.param .b32 x) { .reg .b32 r; { .param .b32 x; st.param.b32 [x],r; } ret; }
state-space     .func g(.param .b32 a) { ret; } .func (.param .b32 x) f() { .reg .b32 r; { .param .b32 x; ld.param.b32 r,[x]; } ret; }
-               .func (.param .b32 x) f() { .reg .b32 r; { .shared .b32 x; ld.shared.b32 r,[x]; } ret; }
-               .entry f() { .reg .b32 r; ld.shared.b32 r,[%reserved_smem_offset_begin]; ret; }
address         .entry f() { .reg .b32 r; suld.b.1d.b32.trap {r},[%clock64,{r}]; ret; }
address         .entry f() { .reg .b32 r; suld.b.1d.b32.trap {r},[%envreg3,{r}]; ret; }
call            .func (.param .b32 q) g() { ret; } .visible .func f() { .reg .b32 a; { .param .b32 r; ld.param.b32 a,[r]; call (r), g; } ret; } .entry e() { call f; ret; }
-               .entry e() { .reg .b32 a; .reg .pred p; bfi.b32 a,a,a,4,(28); bar.sync (0),(32); selp.b32 a,(1),(2),p; }
immediate       .entry e() { .reg .b32 a; bfi.b32 a,a,a,4,(300); }
operand-kind    .entry e() { .reg .v2 .b32 v; .reg .b32 a; .reg .b64 d; mov.b64 {a,v},d; }
vector-width    .entry e() { .reg .v2 .f32 v; .reg .b32 a; .reg .b64 d; st.global.v2.b32 [d],{a,v}; }
-               .entry e() { .reg .v2 .b32 v; .reg .b32 a; .reg .b64 d; mov.b64 d,{v.x,a}; }
declaration     .func f(.param .b8 x[4294967296]) { ret; }
-               .func f(.param .b8 x[4294967295]) { ret; }
-               .func (.param .b64 r) h() { ret; } .func f(.param .b64 x) { .reg .b64 a; { .param .b64 x; call (x), h; } ld.param.b64 a,[x]; ret; }
-               .func (.param .b64 r) h() { ret; } .func f(.param .b64 x) { .reg .b64 a; ld.param.b64 a,[x]; { .param .b64 x; call (x), h; } ret; }
syntax          .func f(.param .b64 .align 8 x) { ret; }
-               .func f(.param .align 8 .b64 x) { ret; }
-               .entry e(.param .b64 .align 8 x) { ret; }
syntax          .func f() { p: .callprototype _ (.param .b64 .align 8 _); ret; }
operand-kind    .func f() { ret; } .entry e() { .reg .b32 r; .reg .b64 d; st.global.v2.b32 [d],{r,f}; }
""".splitlines()
