"""Values that share values, wide types, matrices, debug data, control flow: small texts that ask for much once more."""

from __future__ import annotations

from tests.codegen.hostile import case, family, function, kernel

DEEP = 400


def chain(step: str, first: str = "%x", depth: int = DEEP, type_: str = "i32", last: str = "") -> str:
    """A kernel of `llvm` in which each value is made of the one before, `{0}`, more than once."""
    lines = "".join(step.format(first if i == 0 else f"%v{i - 1}", i) + "\n" for i in range(depth))
    return function(f"{lines}{last}llvm.store %v{depth - 1}, %p : {type_}, !llvm.ptr")


ONE = "%c1 = llvm.mlir.constant(1 : i32) : i32\n"
TEST = '%t{1} = llvm.icmp "slt" {0}, %x : i32\n'
family(
    "sharing",
    {
        "halves": chain("%h{1} = llvm.lshr {0}, %x : i32\n%v{1} = llvm.and {0}, %h{1} : i32"),
        "choices": chain(TEST + "%m{1} = llvm.mul {0}, {0} : i32\n%v{1} = llvm.select %t{1}, {0}, %m{1} : i1, i32"),
        "extremes": chain("%m{1} = llvm.xor {0}, %x : i32\n%v{1} = llvm.intr.smax({0}, %m{1}) : (i32, i32) -> i32"),
        "quotients": chain("%m{1} = llvm.udiv {0}, %x : i32\n%v{1} = llvm.sub {0}, %m{1} : i32"),
        "widths": chain("%w{1} = llvm.sext {0} : i32 to i64\n%s{1} = llvm.mul %w{1}, %w{1} : i64\n%v{1} = llvm.trunc %s{1} : i64 to i32"),
        "rotations": chain("%v{1} = llvm.intr.fshl({0}, {0}, {0}) : (i32, i32, i32) -> i32"),
        "floats": chain("%f{1} = llvm.sitofp {0} : i32 to f32\n%g{1} = llvm.fmul %f{1}, %f{1} : f32\n%h{1} = llvm.fadd %g{1}, %f{1} : f32\n%v{1} = llvm.fptosi %h{1} : f32 to i32"),
        "overflows": chain('%s{1} = "llvm.intr.sadd.with.overflow"({0}, {0}) : (i32, i32) -> !llvm.struct<(i32, i1)>\n%v{1} = llvm.extractvalue %s{1}[0] : !llvm.struct<(i32, i1)>'),
        "wide_squares": chain("%w{1} = llvm.zext {0} : i32 to i512\n%s{1} = llvm.mul %w{1}, %w{1} : i512\n%v{1} = llvm.trunc %s{1} : i512 to i32", depth=40),
        "vectors": chain("%v{1} = llvm.shufflevector {0}, {0} [7, 0, 1, 2, 3, 4, 5, 6] : vector<8xi32>", first="%z", type_="vector<8xi32>").replace("{\n%v0", "{\n%z = llvm.load %q : !llvm.ptr -> vector<8xi32>\n%v0"),
        "structs": chain("%a{1} = llvm.extractvalue {0}[0] : !llvm.struct<(i32, i32)>\n%b{1} = llvm.insertvalue %a{1}, {0}[1] : !llvm.struct<(i32, i32)>\n%v{1} = llvm.insertvalue %a{1}, %b{1}[0] : !llvm.struct<(i32, i32)>", first="%z", type_="!llvm.struct<(i32, i32)>").replace("{\n%a0", "{\n%z = llvm.load %q : !llvm.ptr -> !llvm.struct<(i32, i32)>\n%a0"),
    },
)  # fmt: skip


def blocks(count: int, jump: str, first: str = "") -> str:
    """A function of `llvm` with so many blocks; `#` is the number of each."""
    body = "".join(f"^b{i}(%a{i}: i32):\n{jump.replace('#', str(i))}\n" for i in range(count))
    return f"llvm.func @k(%p: !llvm.ptr, %x: i32) attributes {{nvvm.kernel}} {{\n{first}llvm.br ^b0(%x : i32)\n{body}^end:\nllvm.return\n}}\n"


ALL = ", ".join(f"{i}: ^b{i}(%a# : i32)" for i in range(60))
ROTATED = ", ".join(f"%a{(i + 1) % 800}" for i in range(800))
family(
    "flow",
    {
        "from_each_block_to_each": blocks(60, f"llvm.switch %a# : i32, ^end [{ALL}]"),
        "two_entries_of_each_loop": blocks(200, '%t# = llvm.icmp "eq" %a#, %x : i32\nllvm.cond_br %t#, ^b@(%x : i32), ^end').replace("^b@", "^b7"),
        "blocks_that_nothing_reaches": blocks(3000, "llvm.br ^end"),
        "values_turned_round": "llvm.func @k(%p: !llvm.ptr, %x: i32) attributes {nvvm.kernel} {\nllvm.br ^b(" + ", ".join(["%x"] * 800) + " : " + ", ".join(["i32"] * 800) + ")\n^b(" + ", ".join(f"%a{i}: i32" for i in range(800)) + '):\n%t = llvm.icmp "eq" %a0, %x : i32\nllvm.store %a0, %p : i32, !llvm.ptr\nllvm.cond_br %t, ^b(' + ROTATED + " : " + ", ".join(["i32"] * 800) + "), ^e\n^e:\nllvm.return\n}\n",
        "cases_of_an_index": kernel("scf.index_switch %c1 " + " ".join(f"case {i} {{ memref.store %f, %m[%c0] : memref<64xf32> scf.yield }}" for i in range(4000)) + " default { scf.yield }"),
        "calls_of_three": "".join(f"func.func private @g{i}(%a: i32) -> i32 {{\n" + (f"%0 = func.call @g{i - 1}(%a) : (i32) -> i32\n%1 = func.call @g{i - 1}(%0) : (i32) -> i32\n%2 = func.call @g{i - 1}(%1) : (i32) -> i32\nreturn %2 : i32" if i else "return %a : i32") + "\n}\n" for i in range(25)) + "func.func @k(%a: i32) -> i32 {\n%0 = func.call @g24(%a) : (i32) -> i32\nreturn %0 : i32\n}\n",
        "barriers": kernel("gpu.barrier\nmemref.store %f, %m[%c0] : memref<64xf32>\n" * 4000),
        "stores_side_by_side": function("".join(f"%g{i} = llvm.getelementptr %p[{i * 7919 % 6000}] : (!llvm.ptr) -> !llvm.ptr, i8\nllvm.store %b, %g{i} : i8, !llvm.ptr\n" for i in range(6000))).replace("{\n%g0", "{\n%b = llvm.trunc %x : i32 to i8\n%g0"),
        "loads_side_by_side": function("".join(f"%g{i} = llvm.getelementptr %q[{i}] : (!llvm.ptr) -> !llvm.ptr, i32\n%l{i} = llvm.load %g{i} : !llvm.ptr -> i32\n%h{i} = llvm.getelementptr %p[{i}] : (!llvm.ptr) -> !llvm.ptr, i32\nllvm.store %l{i}, %h{i} : i32, !llvm.ptr\n" for i in range(3000))),
    },
)  # fmt: skip
family(
    "large",
    {
        "matrix": kernel('%z = gpu.subgroup_mma_constant_matrix %f : !gpu.mma_matrix<100000x100000xf32, "COp">'),
        "accumulator": kernel("%z = nvgpu.warpgroup.mma.init.accumulator -> <fragmented = vector<64000000x256xf32>>"),
        "parallel_of_sixty": kernel("scf.parallel (" + ", ".join(f"%i{i}" for i in range(60)) + ") = (" + ", ".join(["%c0"] * 60) + ") to (" + ", ".join(["%c1"] * 60) + ") step (" + ", ".join(["%c1"] * 60) + ") { memref.store %f, %m[%i59] : memref<64xf32> scf.reduce }"),
        "affine_parallel": kernel("affine.parallel (" + ", ".join(f"%i{i}" for i in range(20)) + ") = (" + ", ".join(["0"] * 20) + ") to (" + ", ".join(["9"] * 20) + ") { memref.store %f, %m[%i0] : memref<64xf32> }"),
        "power": kernel("%e = arith.constant 2147483647 : i32\n%z = math.ipowi %x, %e : i32\nmemref.store %z, %n[%c0] : memref<64xi32>\n%y = math.fpowi %f, %e : f32, i32\nmemref.store %y, %m[%c0] : memref<64xf32>"),
        "integers": kernel("%z = arith.extui %x : i32 to i8192\n%y = arith.divui %z, %z : i8192\n%w = arith.trunci %y : i8192 to i32\nmemref.store %w, %n[%c0] : memref<64xi32>"),
        "small_floats": kernel("%v = vector.broadcast %f : f32 to vector<4096xf32>\n%w = arith.truncf %v : vector<4096xf32> to vector<4096xf8E4M3FN>\n%y = arith.addf %w, %w : vector<4096xf8E4M3FN>\n%z = vector.extract %y[7] : f8E4M3FN from vector<4096xf8E4M3FN>\n%e = arith.extf %z : f8E4M3FN to f32\nmemref.store %e, %m[%c0] : memref<64xf32>"),
        "masked_box": kernel("%k = vector.create_mask %c1, %c1, %c1, %c1, %c1, %c1 : vector<16x16x16x16x16x16xi1>\n%v = vector.broadcast %f : f32 to vector<16x16x16x16x16x16xf32>\n%z = vector.multi_reduction <add>, %v, %f [0, 1, 2, 3, 4, 5] : vector<16x16x16x16x16x16xf32> to f32\nmemref.store %z, %m[%c0] : memref<64xf32>"),
        "elements": kernel("%v = vector.from_elements " + ", ".join(["%f"] * 30_000) + " : vector<30000xf32>\nvector.store %v, %m[%c0] : memref<64xf32>, vector<30000xf32>"),
        "steps_of_a_pointer": function("%g = llvm.getelementptr %p[9223372036854775807] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4611686018427387904 x i64>\nllvm.store %x, %g : i32, !llvm.ptr"),
        "attributions": "gpu.module @m { gpu.func @k() workgroup(" + ", ".join(f"%w{i} : memref<4096xf32, 3>" for i in range(3000)) + ") kernel { gpu.return } }",
        "view_of_many_dimensions": "func.func @f(%m: memref<" + "2x" * 60 + "f32>) {\n%v = memref.subview %m[" + ", ".join(["0"] * 60) + "][" + ", ".join(["1"] * 60) + "][" + ", ".join(["1"] * 60) + "] : memref<" + "2x" * 60 + "f32> to memref<" + "1x" * 60 + "f32, strided<[" + ", ".join(str(2**i) for i in reversed(range(60))) + "]>>\nreturn }",
        "numbers_of_maps": kernel("%z = affine.apply affine_map<(d0) -> (((d0 * 9223372036854775807) floordiv 9223372036854775807) mod 9223372036854775807 + (d0 ceildiv -1))>(%c1)"),
        "quotient_by_zero": kernel("%z = affine.apply affine_map<(d0) -> (d0 floordiv 0 + d0 mod 0)>(%c1)"),
        "lists_in_lists": f"module attributes {{a.x = dense<{'[' * 2000}1{']' * 2000}> : tensor<{'1x' * 2000}i32>}} {{}}",
        "places": 'func.func private @f() loc("a":99999999999999:99999999999999)',
        "region_of_a_global": "llvm.mlir.global internal @g() : !llvm.array<4000 x i32> {\n%v0 = llvm.mlir.undef : !llvm.array<4000 x i32>\n%c = llvm.mlir.constant(3 : i32) : i32\n" + "".join(f"%v{i + 1} = llvm.insertvalue %c, %v{i}[{i}] : !llvm.array<4000 x i32>\n" for i in range(4000)) + "llvm.return %v4000 : !llvm.array<4000 x i32>\n}\n",
        "boxes_of_constants": function("%c = llvm.mlir.constant(dense<7> : tensor<1000x1000x1000xi8>) : !llvm.array<1000 x array<1000 x array<1000 x i8>>>\n%e = llvm.extractvalue %c[3, 4, 5] : !llvm.array<1000 x array<1000 x array<1000 x i8>>>\nllvm.store %e, %p : i8, !llvm.ptr"),
    },
)  # fmt: skip


@case
def debug_types_in_a_row() -> str:
    text = (
        '#t0 = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>\n'
    )
    for i in range(DEEP):
        text += f"#t{i + 1} = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #t{i}, sizeInBits = 64>\n"
    return (
        f'{text}#file = #llvm.di_file<"a.c" in "">\n#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = Full>\n'
        f"#type = #llvm.di_subroutine_type<types = #t{DEEP}, #t{DEEP}>\n"
        '#sub = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "k", file = #file, subprogramFlags = Definition, type = #type>\n'
        "llvm.func @k() attributes {nvvm.kernel} { llvm.return loc(#at) } loc(#at)\n#line = loc(\"a.c\":1:1)\n#at = loc(fused<#sub>[#line])\n"
    )  # fmt: skip


@case
def assembly_beside_variables() -> str:
    """Each text of assembly is checked by itself, not with all variables."""
    variables = "".join(f"llvm.mlir.global internal @g{i}(1 : i32) : i32\n" for i in range(1000))
    lines = "".join(
        f"%g{i} = llvm.mlir.addressof @g{i} : !llvm.ptr\nllvm.store %x, %g{i} : i32, !llvm.ptr\n"
        f'%r{i} = llvm.inline_asm "add.s32 $0, $1, {i};", "=r,r" %x : (i32) -> i32\n'
        f"llvm.store volatile %r{i}, %p : i32, !llvm.ptr\n"
        for i in range(500)
    )
    return variables + function(lines)


@case
def variables_that_name_each_other() -> str:
    """Each stands behind the next in PTX."""
    return (
        "".join(
            f"llvm.mlir.global internal @g{i}() : !llvm.ptr "
            f"{{ %p = llvm.mlir.addressof @g{i + 1} : !llvm.ptr llvm.return %p : !llvm.ptr }}\n"
            for i in range(1000)
        )
        + "llvm.mlir.global internal @g1000(1 : i32) : i32\n"
        + function("%g = llvm.mlir.addressof @g0 : !llvm.ptr\nllvm.store %g, %p : !llvm.ptr, !llvm.ptr")
    )


@case
def arguments_without_names() -> str:
    kinds = ", ".join(["i32"] * 3000)
    return "llvm.func @f(i32, ...)\n" + function(
        f"llvm.call @f(%x, {', '.join(['%x'] * 3000)}) vararg(!llvm.func<void (i32, ...)>) : (i32, {kinds}) -> ()"
    )


@case
def wide_elements() -> str:
    return function(
        "%v = llvm.load %p : !llvm.ptr -> vector<1024xi128>\n%w = llvm.mul %v, %v : vector<1024xi128>\n"
        "llvm.store %w, %p : vector<1024xi128>, !llvm.ptr"
    )
