"""MLIR that is small, or ordinary, and asks for much: sizes, depths, counts, sharing. Each case is made, none is stored."""

from __future__ import annotations

from collections.abc import Callable

Case = Callable[[], str]
CASES: dict[str, Case] = {}
BILLION = 1_000_000_000


def case(function: Case) -> Case:
    """Register a case by the name of the function that makes it."""
    CASES[function.__name__] = function
    return function


def family(name: str, values: dict[str, str]) -> None:
    """Register cases that differ in a part of their text."""
    for key, text in values.items():
        CASES[f"{name}_{key}"] = lambda text=text: text


def kernel(
    body: str, arguments: str = "%m: memref<64xf32>, %n: memref<64xi32>, %x: i32, %f: f32", before: str = ""
) -> str:
    """A kernel with this body, in a `gpu.module` behind `before`."""
    return (
        f"{before}\ngpu.module @m {{\n  gpu.func @k({arguments}) kernel {{\n"
        f"    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n{body}\n    gpu.return\n  }}\n}}\n"
    )


def constants(*numbers: int) -> str:
    """Constants of type index, by their values: `%i64`."""
    return "\n".join(f"%i{n} = arith.constant {n} : index" for n in dict.fromkeys(numbers))


# -- loops ----------------------------------------------------------------------------------------------------------


def nest(bounds: list[int], body: str, op: str = "scf.for") -> str:
    """A nest of loops with constant bounds around a body."""
    text = constants(*bounds) if op == "scf.for" else ""
    for depth, bound in enumerate(bounds):
        head = f"%v{depth} = %c0 to %i{bound} step %c1" if op == "scf.for" else f"%v{depth} = 0 to {bound}"
        text += f"\n{op} {head} {{"
    return text + body + "}" * len(bounds)


ADD = """
  %a = memref.load %m[%v0] : memref<64xf32>
  %b = arith.addf %a, %f : f32
  memref.store %b, %m[%v1] : memref<64xf32>
"""


@case
def convolution_of_six_loops() -> str:
    return kernel(nest([2, 8, 14, 14, 3, 3], ADD))


@case
def convolution_of_affine_loops() -> str:
    return kernel(nest([2, 8, 14, 14, 3, 3], ADD, "affine.for"))


@case
def twelve_loops_of_two() -> str:
    return kernel(nest([2] * 12, ADD))


@case
def twenty_loops_of_four() -> str:
    return kernel(nest([4] * 20, ADD))


@case
def loops_of_a_million() -> str:
    return kernel(nest([1000, 1000], ADD))


@case
def a_loop_of_a_trillion() -> str:
    return kernel(nest([1 << 40, 1 << 40], ADD))


@case
def many_short_loops() -> str:
    one = (
        "scf.for %v = %c0 to %i16 step %c1 {"
        + "".join(
            f"%a{i} = memref.load %m[%v] : memref<64xf32> memref.store %a{i}, %m[%c1] : memref<64xf32>\n"
            for i in range(10)
        )
        + "}\n"
    )
    return kernel(constants(16) + "\n" + one * 60)


@case
def short_loops_with_branches() -> str:
    branch = "%t = arith.cmpi eq, %x, %x : i32\n scf.if %t { memref.store %f, %m[%v0] : memref<64xf32> } else { memref.store %f, %m[%v1] : memref<64xf32> }"
    return kernel(nest([8, 8, 8, 8], branch))


@case
def boxes_of_eight_dimensions() -> str:
    names = ", ".join(f"%v{i}" for i in range(8))
    zeros, ends, ones = (", ".join([n] * 8) for n in ("%c0", "%i8", "%c1"))
    return kernel(f"{constants(8)}\nscf.parallel ({names}) = ({zeros}) to ({ends}) step ({ones}) {{ {ADD} }}")


@case
def carried_values_in_a_deep_nest() -> str:
    types = ", ".join(["f32"] * 40)
    text, inner = "", ["%f"] * 40
    for depth in range(12):
        arguments = ", ".join(f"%a{depth}_{i} = {v}" for i, v in enumerate(inner))
        text += f"%r{depth}:40 = scf.for %v{depth} = %c0 to %i3 step %c1 iter_args({arguments}) -> ({types}) {{\n"
        inner = [f"%a{depth}_{i}" for i in range(40)]
    values = ", ".join(inner[1:] + inner[:1])
    text += f"scf.yield {values} : {types}\n}}\n"
    for depth in range(11, 0, -1):
        text += "scf.yield " + ", ".join(f"%r{depth}#{i}" for i in range(40)) + f" : {types}\n}}\n"
    return kernel(constants(3) + "\n" + text + "memref.store %r0#3, %m[%c0] : memref<64xf32>")


@case
def whiles_inside_each_other() -> str:
    head = "".join(
        f"scf.while : () -> () {{ %t{i} = arith.cmpi slt, %x, %x : i32 scf.condition(%t{i}) }} do {{\n"
        for i in range(60)
    )
    return kernel(head + "memref.store %f, %m[%c0] : memref<64xf32>\n" + "scf.yield\n}\n" * 60)


@case
def a_switch_of_many_cases() -> str:
    cases = "".join(f"case {i} {{ memref.store %f, %m[%c1] : memref<64xf32> scf.yield }}\n" for i in range(2000))
    return kernel(f"scf.index_switch %c1\n{cases}default {{ scf.yield }}")


# -- vectors --------------------------------------------------------------------------------------------------------

HUGE = "vector<1048576xf32>"
family(
    "vector",
    {
        name: kernel(body)
        for name, body in {
            "of_a_million": f"%v = vector.broadcast %f : f32 to {HUGE}\n%w = arith.addf %v, %v : {HUGE}\n%z = vector.reduction <add>, %w : {HUGE} into f32\nmemref.store %z, %m[%c0] : memref<64xf32>",
            "unused_of_a_million": f"%v = vector.broadcast %f : f32 to {HUGE}\n%w = arith.addf %v, %v : {HUGE}",
            "splat_of_a_billion": f"%v = arith.constant dense<1.0> : vector<{BILLION}xf32>\n%w = arith.addf %v, %v : vector<{BILLION}xf32>",
            "splat_of_a_billion_read": f"%v = arith.constant dense<1.0> : vector<{BILLION}xf32>\n%w = vector.extract %v[5] : f32 from vector<{BILLION}xf32>\nmemref.store %w, %m[%c0] : memref<64xf32>",
            "broadcast_to_a_billion": f"%v = vector.broadcast %f : f32 to vector<{BILLION}xf32>",
            "transposed": "%v = vector.broadcast %f : f32 to vector<4096x4096xf32>\n%w = vector.transpose %v, [1, 0] : vector<4096x4096xf32> to vector<4096x4096xf32>",
            "outer_product": "%v = vector.broadcast %f : f32 to vector<4096xf32>\n%w = vector.outerproduct %v, %v : vector<4096xf32>, vector<4096xf32>",
            "contraction": "%v = vector.broadcast %f : f32 to vector<256x256xf32>\n%w = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>} %v, %v, %v : vector<256x256xf32>, vector<256x256xf32> into vector<256x256xf32>\n%z = vector.extract %w[0, 0] : f32 from vector<256x256xf32>\nmemref.store %z, %m[%c0] : memref<64xf32>",
            "steps": "%v = vector.step : vector<1048576xindex>",
            "mask": "%v = vector.create_mask %c1 : vector<1048576xi1>",
            "read": "%v = vector.transfer_read %m[%c0], %f : memref<64xf32>, vector<1048576xf32>\nvector.transfer_write %v, %m[%c0] : vector<1048576xf32>, memref<64xf32>",
            "loaded": "%v = vector.load %m[%c0] : memref<64xf32>, vector<262144xf32>\nvector.store %v, %m[%c0] : memref<64xf32>, vector<262144xf32>",
            "sines": "%v = vector.broadcast %f : f32 to vector<16384xf32>\n%d = arith.extf %v : vector<16384xf32> to vector<16384xf64>\n%w = math.sin %d : vector<16384xf64>\n%z = vector.extract %w[3] : f64 from vector<16384xf64>\n%t = arith.truncf %z : f64 to f32\nmemref.store %t, %m[%c0] : memref<64xf32>",
            "wide_division": "%i = arith.extui %x : i32 to i128\n%v = vector.broadcast %i : i128 to vector<2048xi128>\n%w = arith.divsi %v, %v : vector<2048xi128>\n%z = vector.extract %w[3] : i128 from vector<2048xi128>\n%t = arith.trunci %z : i128 to i32\nmemref.store %t, %n[%c0] : memref<64xi32>",
            "reduced": "%v = vector.broadcast %f : f32 to vector<1024x1024xf32>\n%a = vector.broadcast %f : f32 to vector<1024xf32>\n%w = vector.multi_reduction <add>, %v, %a [1] : vector<1024x1024xf32> to vector<1024xf32>",
            "of_rank_thirty": "%v = vector.broadcast %f : f32 to vector<" + "2x" * 30 + "f32>",
            "shuffled": "%v = vector.broadcast %f : f32 to vector<65536xf32>\n%w = vector.shuffle %v, %v [" + ", ".join(str(i * 7 % 65536) for i in range(20000)) + "] : vector<65536xf32>, vector<65536xf32>",
            "inserted": "%v0 = vector.broadcast %f : f32 to vector<16384xf32>\n" + "".join(f"%v{i + 1} = vector.insert %f, %v{i} [{i}] : f32 into vector<16384xf32>\n" for i in range(500)) + "vector.store %v500, %m[%c0] : memref<64xf32>, vector<16384xf32>",
        }.items()
    },
)  # fmt: skip


# -- constants and memory -------------------------------------------------------------------------------------------

family(
    "global",
    {
        "splat_of_a_billion": kernel("", before="").replace("gpu.func", f"memref.global @g : memref<{BILLION}xf32> = dense<1.0>\n gpu.func", 1),
        "zeros_of_a_billion": kernel("").replace("gpu.func", f"memref.global @g : memref<{BILLION}xf32> = dense<0.0>\n gpu.func", 1),
        "bits_of_a_billion": kernel("").replace("gpu.func", f"memref.global @g : memref<{BILLION}xi1> = dense<true>\n gpu.func", 1),
        "without_value": kernel("").replace("gpu.func", "memref.global @g : memref<9223372036854775807xf32> = uninitialized\n gpu.func", 1),
        "of_many_dimensions": kernel("").replace("gpu.func", f"memref.global @g : memref<{'99999999x' * 20}f32> = dense<1.0>\n gpu.func", 1),
        "llvm_splat": f"llvm.mlir.global external @g(dense<1> : tensor<{BILLION}xi32>) : !llvm.array<{BILLION} x i32>",
        "llvm_zeros": f"llvm.mlir.global external @g(dense<0> : tensor<{BILLION}xi32>) : !llvm.array<{BILLION} x i32>",
        "llvm_zero_region": f"llvm.mlir.global external @g() : !llvm.array<{BILLION} x i32> {{ %0 = llvm.mlir.zero : !llvm.array<{BILLION} x i32> llvm.return %0 : !llvm.array<{BILLION} x i32> }}",
        "llvm_undefined": f"llvm.mlir.global external @g() : !llvm.array<{BILLION} x i32>",
        "shared_of_a_terabyte": "llvm.mlir.global external @g() {addr_space = 3 : i32} : !llvm.array<1099511627776 x i8>",
        "of_many_numbers": kernel("").replace("gpu.func", f"memref.global @g : memref<100000xi32> = dense<[{', '.join(str(i) for i in range(100000))}]>\n gpu.func", 1),
        "of_hexadecimal": kernel("").replace("gpu.func", f"memref.global @g : memref<131072xi32> = dense<\"0x{'0123abcd' * 131072}\">\n gpu.func", 1),
    },
)  # fmt: skip
family(
    "memory",
    {
        name: kernel(body)
        for name, body in {
            "alloca_of_a_terabyte": "%a = memref.alloca() : memref<1099511627776xi8>\n%z = arith.constant 1 : i8\nmemref.store %z, %a[%c0] : memref<1099511627776xi8>",
            "alloca_past_all": "%a = memref.alloca() : memref<4294967296x4294967296x4294967296xf32>",
            "views": "%v0 = memref.cast %m : memref<64xf32> to memref<?xf32>\n" + "".join(f"%v{i + 1} = memref.subview %v{i}[%c0] [%c1] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>\n %w{i} = memref.cast %v{i + 1} : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>\n" if i == 0 else f"%v{i + 1} = memref.subview %v{i}[%c1] [%c1] [1] : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>\n" for i in range(800)) + "memref.store %f, %v800[%c0] : memref<?xf32, strided<[1], offset: ?>>",
            "copy_of_a_billion": f"%a = memref.alloca() : memref<{BILLION}xf32>\n%b = memref.alloca() : memref<{BILLION}xf32>\nmemref.copy %a, %b : memref<{BILLION}xf32> to memref<{BILLION}xf32>",
        }.items()
    },
)  # fmt: skip
ARRAY = f"!llvm.array<{BILLION} x i32>"


def function(body: str, arguments: str = "%p: !llvm.ptr, %q: !llvm.ptr, %x: i32") -> str:
    """A kernel of the `llvm` dialect."""
    return f"llvm.func @k({arguments}) attributes {{nvvm.kernel}} {{\n{body}\nllvm.return\n}}\n"


family(
    "llvm",
    {
        "load_of_a_billion": function(f"%0 = llvm.load %p : !llvm.ptr -> {ARRAY}\nllvm.store %0, %q : {ARRAY}, !llvm.ptr"),
        "zero_of_a_billion": function(f"%0 = llvm.mlir.zero : {ARRAY}\nllvm.store %0, %q : {ARRAY}, !llvm.ptr"),
        "undefined_of_a_billion": function(f"%0 = llvm.mlir.undef : {ARRAY}\n%1 = llvm.insertvalue %x, %0[7] : {ARRAY}\n%2 = llvm.extractvalue %1[7] : {ARRAY}\nllvm.store %2, %q : i32, !llvm.ptr"),
        "constant_of_a_billion": function(f"%0 = llvm.mlir.constant(dense<3> : tensor<{BILLION}xi32>) : {ARRAY}\nllvm.store %0, %q : {ARRAY}, !llvm.ptr"),
        "parameter_of_a_billion": function("", f"%a: {ARRAY}"),
        "copy_of_a_billion": function(f"%n = llvm.mlir.constant({BILLION} : i64) : i64\n\"llvm.intr.memcpy\"(%p, %q, %n) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()"),
        "inserted": function("%v0 = llvm.mlir.undef : !llvm.array<20000 x i32>\n" + "".join(f"%v{i + 1} = llvm.insertvalue %x, %v{i}[{i}] : !llvm.array<20000 x i32>\n" for i in range(1000)) + "%r = llvm.extractvalue %v1000[7] : !llvm.array<20000 x i32>\nllvm.store %r, %q : i32, !llvm.ptr"),
        "struct_of_many": function(f"%0 = llvm.load %p : !llvm.ptr -> !llvm.struct<({', '.join(['i32'] * 20000)})>"),
        "switch": "llvm.func @k(%x: i32) attributes {nvvm.kernel} {\nllvm.switch %x : i32, ^a [\n" + ",\n".join(f"{i}: ^a" for i in range(5000)) + "\n]\n^a:\nllvm.return\n}\n",
        "vector": function("%0 = llvm.load %p : !llvm.ptr -> vector<1048576xi32>\n%1 = llvm.add %0, %0 : vector<1048576xi32>\nllvm.store %1, %q : vector<1048576xi32>, !llvm.ptr"),
    },
)  # fmt: skip


# -- sharing: text of n lines that stands for 2^n things ------------------------------------------------------------


def doubled(first: str, step: str, depth: int) -> str:
    """Aliases of which each has the one before it twice; `{0}` is that one."""
    return f"{first}\n" + "".join(step.format(i, i + 1) + "\n" for i in range(depth))


for _depth in (22, 60):
    family(
        f"shared_{_depth}",
        {
            "arrays": doubled("#a0 = [1, 2]", "#a{1} = [#a{0}, #a{0}]", _depth) + f"module attributes {{a.x = #a{_depth}}} {{}}",
            "dictionaries": doubled("#a0 = {x = 1}", "#a{1} = {{x = #a{0}, y = #a{0}}}", _depth) + f"module attributes {{a.x = #a{_depth}}} {{}}",
            "tuples": doubled("!a0 = tuple<i32>", "!a{1} = tuple<!a{0}, !a{0}>", _depth) + f"func.func private @f(!a{_depth})",
            "functions": doubled("!a0 = () -> i32", "!a{1} = (!a{0}) -> !a{0}", _depth) + f"func.func private @f(!a{_depth})",
            "structs": doubled("!a0 = !llvm.struct<(i32, i8)>", "!a{1} = !llvm.struct<(!a{0}, !a{0})>", _depth) + f"llvm.func @f(%p: !llvm.ptr) {{ %c = llvm.mlir.constant(1 : i32) : i32 %0 = llvm.alloca %c x !a{_depth} : (i32) -> !llvm.ptr llvm.return }}",
            "struct_values": doubled("!a0 = !llvm.struct<(i32, i8)>", "!a{1} = !llvm.struct<(!a{0}, !a{0})>", _depth) + f"llvm.func @f(%p: !llvm.ptr) {{ %0 = llvm.load %p : !llvm.ptr -> !a{_depth} llvm.return }}",
            "arrays_of_arrays": doubled("!a0 = !llvm.array<2 x i32>", "!a{1} = !llvm.array<2 x !a{0}>", _depth) + f"llvm.func @f(%p: !llvm.ptr) {{ %0 = llvm.load %p : !llvm.ptr -> !a{_depth} llvm.return }}",
            "locations": doubled('#a0 = loc("a":1:1)', '#a{1} = loc(callsite(#a{0} at #a{0}))', _depth) + f"func.func private @f() loc(#a{_depth})",
            "fusions": doubled('#a0 = loc("a":1:1)', '#a{1} = loc(fused<"x">[#a{0}, "b":2:{1}])', _depth) + f"func.func private @f() loc(#a{_depth})",
        },
    )  # fmt: skip


@case
def calls_that_double() -> str:
    text = "llvm.func internal @f0(%x: i32) -> i32 { llvm.return %x : i32 }\n"
    for i in range(40):
        text += f"llvm.func internal @f{i + 1}(%x: i32) -> i32 {{ %0 = llvm.call @f{i}(%x) : (i32) -> i32 %1 = llvm.call @f{i}(%0) : (i32) -> i32 llvm.return %1 : i32 }}\n"
    return text + function("%0 = llvm.call @f40(%x) : (i32) -> i32\nllvm.store %0, %p : i32, !llvm.ptr")


@case
def values_that_double() -> str:
    steps = "".join(
        f"%v{i + 1} = arith.muli %v{i}, %v{i} : i32\n%w{i} = arith.addi %v{i + 1}, %v{i} : i32\n" for i in range(300)
    )
    return kernel(f"%v0 = arith.addi %x, %x : i32\n{steps}memref.store %v300, %n[%c0] : memref<64xi32>")


@case
def sums_that_double() -> str:
    steps = "".join(f"%v{i + 1} = arith.addi %v{i}, %v{i} : i32\n" for i in range(2000))
    return kernel(f"%v0 = arith.addi %x, %x : i32\n{steps}memref.store %v2000, %n[%c0] : memref<64xi32>")


@case
def sums_of_many_terms() -> str:
    loads = "".join(
        f"%i{i} = arith.constant {i} : index\n%a{i} = memref.load %n[%i{i}] : memref<64xi32>\n" for i in range(2, 64)
    )
    steps, last = "", "%a2"
    for i in range(1500):
        steps += f"%s{i} = arith.addi {last}, %a{i % 62 + 2} : i32\n%t{i} = arith.muli %s{i}, %k : i32\n"
        last = f"%t{i}"
    return kernel(f"%k = arith.constant 3 : i32\n{loads}{steps}memref.store {last}, %n[%c0] : memref<64xi32>")


# -- depth ----------------------------------------------------------------------------------------------------------


@case
def two_hundred_regions() -> str:
    head = "".join(f"scf.if %t {{\nscf.for %v{i} = %c0 to %i64 step %c1 {{\n" for i in range(100))
    return kernel(
        f"{constants(64)}\n%t = arith.cmpi slt, %x, %x : i32\n{head}memref.store %f, %m[%c0] : memref<64xf32>\n"
        + "}\n" * 200
    )


@case
def two_thousand_regions() -> str:
    return kernel(
        "%t = arith.cmpi slt, %x, %x : i32\n"
        + "scf.if %t {\n" * 2000
        + "memref.store %f, %m[%c0] : memref<64xf32>\n"
        + "}\n" * 2000
    )


@case
def two_hundred_results() -> str:
    head = "".join(f"%r{i} = scf.if %t -> (f32) {{\n" for i in range(200))
    tail = "scf.yield %f : f32\n} else { scf.yield %f : f32 }\n" + "".join(
        f"scf.yield %r{i} : f32\n}} else {{ scf.yield %f : f32 }}\n" for i in range(199, 0, -1)
    )
    return kernel(f"%t = arith.cmpi slt, %x, %x : i32\n{head}{tail}memref.store %r0, %m[%c0] : memref<64xf32>")


family(
    "deep",
    {
        "arrays": f"module attributes {{a.x = {'[' * 3000}1{']' * 3000}}} {{}}",
        "dictionaries": f"module attributes {{a.x = {'{a = ' * 3000}1{'}' * 3000}}} {{}}",
        "tuples": f"func.func private @f({'tuple<' * 3000}i32{'>' * 3000})",
        "structs": f"llvm.func @f({'!llvm.struct<(' * 1500}i32{')>' * 1500})",
        "functions": f"func.func private @f({'() -> (' * 2000}i32{')' * 2000})",
        "modules": "module {\n" * 1000 + "}\n" * 1000,
        "locations": f"func.func private @f() loc({'callsite(' * 2000}unknown{' at unknown)' * 2000})",
        "parentheses": f"func.func private @f(memref<4xf32, affine_map<(d0) -> ({'(' * 3000}d0{')' * 3000})>>)",
        "brackets": "(" * 100_000,
        "angles": "func.func private @f(" + "tensor<" * 50_000,
        "braces": "{" * 100_000,
        "quotients": f"func.func private @f(memref<4xf32, affine_map<(d0) -> ({'(' * 1500}d0{' floordiv 2)' * 1500})>>)",
    },
)  # fmt: skip


# -- length ---------------------------------------------------------------------------------------------------------


@case
def a_long_chain() -> str:
    steps = "".join(
        f"%v{i + 1} = arith.xori %v{i}, %x : i32\n%w{i + 1} = arith.mulf %w{i}, %f : f32\n" for i in range(3000)
    )
    return kernel(
        f"%v0 = arith.addi %x, %x : i32\n%w0 = arith.addf %f, %f : f32\n{steps}memref.store %v3000, %n[%c0] : memref<64xi32>\nmemref.store %w3000, %m[%c0] : memref<64xf32>"
    )


@case
def a_long_chain_of_maps() -> str:
    steps = "".join(
        f"%v{i + 1} = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 2 + d0 mod 5 + 1)>(%v{i})\n"
        for i in range(800)
    )
    return kernel(f"%v0 = gpu.thread_id x\n{steps}memref.store %f, %m[%v800] : memref<64xf32>")


@case
def constants_that_grow() -> str:
    steps = "".join(
        f"%v{i + 1} = arith.muli %v{i}, %v{i} : i64\n%s{i} = arith.shli %v{i + 1}, %v{i} : i64\n" for i in range(1000)
    )
    return kernel(
        f"%v0 = arith.constant 123456789 : i64\n{steps}%r = arith.trunci %v1000 : i64 to i32\nmemref.store %r, %n[%c0] : memref<64xi32>"
    )


@case
def a_chain_of_blocks() -> str:
    blocks = "".join(
        f"^b{i}(%a{i}: i32):\n%s{i} = arith.addi %a{i}, %x : i32\ncf.br ^b{i + 1}(%s{i} : i32)\n" for i in range(1000)
    )
    return kernel(f"cf.br ^b0(%x : i32)\n{blocks}^b1000(%r: i32):\nmemref.store %r, %n[%c0] : memref<64xi32>")


@case
def branches_with_many_values() -> str:
    types = ", ".join(["i32"] * 40)
    text = f"cf.br ^b0({', '.join(['%x'] * 40)} : {types})\n"
    for i in range(100):
        names = [f"%a{i}_{j}" for j in range(40)]
        text += (
            f"^b{i}({', '.join(f'{n}: i32' for n in names)}):\n%t{i} = arith.cmpi slt, {names[0]}, {names[1]} : i32\n"
        )
        turned, back = ", ".join(names[1:] + names[:1]), ", ".join(names)
        text += f"cf.cond_br %t{i}, ^b{i + 1}({turned} : {types}), ^b{max(i - 1, 0)}({back} : {types})\n"
    return kernel(
        text + f"^b100({', '.join(f'%z{j}: i32' for j in range(40))}):\nmemref.store %z0, %n[%c0] : memref<64xi32>"
    )


@case
def a_switch_of_many_blocks() -> str:
    cases = ",\n".join(f"{i}: ^b{i}" for i in range(2000))
    blocks = "".join(f"^b{i}:\nmemref.store %f, %m[%c1] : memref<64xf32>\ncf.br ^end\n" for i in range(2000))
    return kernel(f"cf.switch %x : i32, [default: ^end,\n{cases}]\n{blocks}^end:")


@case
def many_kernels() -> str:
    return (
        "gpu.module @m {\n"
        + "".join(f"gpu.func @k{i}() kernel {{ gpu.barrier gpu.return }}\n" for i in range(800))
        + "}\n"
    )


@case
def many_functions_that_call() -> str:
    text = "llvm.func @f0(%x: i32) -> i32 { llvm.return %x : i32 }\n"
    return text + "".join(
        f"llvm.func @f{i + 1}(%x: i32) -> i32 {{ %0 = llvm.call @f{i}(%x) : (i32) -> i32 llvm.return %0 : i32 }}\n"
        for i in range(500)
    )


@case
def many_globals() -> str:
    return "".join(f"llvm.mlir.global external @g{i}({i} : i32) : i32\n" for i in range(2000))


@case
def many_aliases_of_a_function() -> str:
    text = "llvm.func @f() { llvm.return }\n"
    for i in range(500):
        text += f"llvm.mlir.alias external @a{i} : !llvm.func<void ()> {{ %0 = llvm.mlir.addressof @{f'a{i - 1}' if i else 'f'} : !llvm.ptr llvm.return %0 : !llvm.ptr }}\n"
    return text


@case
def aliases_in_a_circle() -> str:
    return "".join(
        f"llvm.mlir.alias external @{a} : !llvm.func<void ()> {{ %0 = llvm.mlir.addressof @{b} : !llvm.ptr llvm.return %0 : !llvm.ptr }}\n"
        for a, b in (("a", "b"), ("b", "a"))
    )


@case
def many_parameters() -> str:
    return kernel("", ", ".join(f"%a{i}: i32" for i in range(3000)))


family(
    "text",
    {
        "long_integer": kernel(f"%z = arith.constant {'9' * 100_000} : i64"),
        "long_float": kernel(f"%z = arith.constant {'9' * 100_000}.0 : f32"),
        "large_exponent": kernel("%z = arith.constant 1.0e999999999 : f32"),
        "wide_integer": kernel("%z = arith.constant 1 : i16777215\n%y = arith.addi %z, %z : i16777215"),
        "too_wide_integer": kernel("%z = arith.constant 1 : i99999999999"),
        "long_string": f'module attributes {{a.x = "{"a" * 4_000_000}"}} {{}}',
        "long_name": f"func.func private @{'a' * 1_000_000}()",
        "long_comment": "//" + "x" * 4_000_000 + "\nmodule {}",
        "no_end_of_string": 'module attributes {a.x = "' + "a" * 1_000_000,
        "percent_signs": "%" * 200_000,
        "zeros": "module {\0}\n",
        "empty": "",
        "blanks": "\n" * 500_000,
        "rank_of_thousand": f"func.func private @f(memref<{'1x' * 5000}f32>)",
        "large_extents": "func.func private @f(memref<9223372036854775807x9223372036854775807xf32>)",
        "larger_extent": "func.func private @f(memref<99999999999999999999999xf32>)",
        "large_strides": "func.func @f(%m: memref<4x4xf32, strided<[9223372036854775807, 9223372036854775807], offset: 9223372036854775807>>, %i: index) -> f32 { %0 = memref.load %m[%i, %i] : memref<4x4xf32, strided<[9223372036854775807, 9223372036854775807], offset: 9223372036854775807>> return %0 : f32 }",
        "a_map_of_many": "func.func private @f(memref<4xf32, affine_map<(d0) -> (" + " + ".join(["d0"] * 5000) + ")>>)",
        "a_set_of_many": kernel("affine.if affine_set<(d0) : (" + ", ".join(f"d0 - {i} >= 0" for i in range(2000)) + ")>(%c0) { memref.store %f, %m[%c0] : memref<64xf32> }"),
        "a_minimum_of_many": kernel("%z = affine.min affine_map<(d0) -> (" + ", ".join(f"d0 + {i}" for i in range(2000)) + ")>(%c1)\nmemref.store %f, %m[%z] : memref<64xf32>"),
        "steps_that_overflow": kernel("%e = arith.constant 9223372036854775807 : index\nscf.for %v = %c0 to %e step %e { memref.store %f, %m[%v] : memref<64xf32> }"),
        "a_step_of_zero": kernel("scf.for %v = %c0 to %c1 step %c0 { memref.store %f, %m[%v] : memref<64xf32> }"),
    },
)  # fmt: skip
