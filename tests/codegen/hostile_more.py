"""More texts that ask for much: nests of each operation with regions, resources, locations, maps, thousands of small things."""

from __future__ import annotations

from tests.codegen.hostile import case, family, function, kernel

DEEP = 150


def around(head: str, tail: str, body: str = "memref.store %f, %m[%c0] : memref<64xf32>", depth: int = DEEP) -> str:
    """Something inside so many of an operation; `#` is how deep it is."""
    heads = "".join(f"{head.replace('#', str(i))}\n" for i in range(depth))
    tails = "".join(f"{tail.replace('#', str(i))}\n" for i in reversed(range(depth)))
    return f"{heads}{body}\n{tails}"


family(
    "nest_of",
    {
        "branches": kernel(around("%t# = arith.cmpi eq, %c0, %c1 : index\nscf.if %t# {", "} else { memref.store %f, %m[%c1] : memref<64xf32> }")),
        "whiles": kernel(around("scf.while : () -> () { %t# = arith.cmpi eq, %c0, %c1 : index\n scf.condition(%t#) } do {", "scf.yield }")),
        "switches": kernel(around("scf.index_switch %c1 case 0 {", "scf.yield } default { scf.yield }")),
        "parallel_loops": kernel(around("scf.parallel (%i#) = (%c0) to (%c1) step (%c1) {", "scf.reduce }")),
        "regions": kernel(around("scf.execute_region {", "scf.yield }")),
        "scopes": kernel(around("memref.alloca_scope {", "}")),
        "affine_loops": kernel(around("affine.for %i# = 0 to 2 {", "}", depth=100)),
        "affine_tests": kernel(around("affine.if affine_set<() : (0 == 0)>() {", "}")),
        "lanes": kernel(around("gpu.warp_execute_on_lane_0(%c0)[32] {", "}")),
        "modules": around("builtin.module {", "}", ""),
        "sequences": "module attributes {transform.with_named_sequence} { transform.named_sequence @f(%a: !transform.any_op) {"
        + around("transform.sequence %a : !transform.any_op failures(propagate) { ^bb0(%b#: !transform.any_op):", "transform.yield }", "")
        + "transform.yield } }",
        "unknown_operations": around('"a.b"() ({', "}) : () -> ()", ""),
    },
)  # fmt: skip
family(
    "much",
    {
        "resource": f'module attributes {{a.x = dense_resource<blob> : tensor<1000000xf32>}} {{}}\n{{-# dialect_resources: {{ builtin: {{ blob: "0x04000000{"00" * 4_000_000}" }} }} #-}}',
        "bytes_escaped": f'llvm.mlir.global internal constant @s("{chr(92)}00{chr(92)}FF")\nllvm.mlir.global internal constant @t("{(chr(92) + "00") * 300_000}")',
        "keys": "module attributes {" + ", ".join(f"a.k{i} = {i}" for i in range(20_000)) + "} {}",
        "brackets_in_attributes": f"module attributes {{a.x = {'[' * 900}{']' * 900}}} {{}}",
        "numbers_in_an_attribute": f"module attributes {{a.x = [{', '.join(['1'] * 100_000)}]}} {{}}",
        "callers": "func.func @f() { return loc(" + "callsite(unknown at " * 400 + "unknown" + ")" * 400 + ") }",
        "fused_places": "func.func @f() { return loc(" + "fused[unknown, " * 400 + "unknown" + "]" * 400 + ") }",
        "aliased_places": "func.func @f() { return loc(#l199) }\n#l0 = loc(\"a\":1:1)\n" + "".join(f"#l{i} = loc(fused[#l{i - 1}, #l{i - 1}])\n" for i in range(1, 200)),
        "kernels": "gpu.module @m {" + "".join(f"gpu.func @k{i}() kernel {{ gpu.return }}\n" for i in range(1500)) + "}",
        "tables": "gpu.module @m {" + "".join(f"memref.global constant @t{i} : memref<4xi32> = dense<{i}>\n" for i in range(1500)) + "}",
        "dimensions_of_a_map": kernel("%z = affine.apply affine_map<(" + ", ".join(f"d{i}" for i in range(1500)) + ") -> (d0 + d1499)>(" + ", ".join(["%c1"] * 1500) + ")\nmemref.store %f, %m[%z] : memref<64xf32>"),
        "quotients_in_a_map": kernel("%z = affine.apply affine_map<(d0) -> (" + "(" * 300 + "d0" + " floordiv 2)" * 300 + ")>(%c1)\nmemref.store %f, %m[%z] : memref<64xf32>"),
        "remainders_in_a_map": kernel("%z = affine.apply affine_map<(d0) -> (" + " + ".join(f"(d0 + {i}) mod {i + 3}" for i in range(600)) + ")>(%c1)\nmemref.store %f, %m[%z] : memref<64xf32>"),
        "steps_of_an_address": function("%z = llvm.getelementptr %p[" + ", ".join(["0"] * 600) + "] : (!llvm.ptr) -> !llvm.ptr, " + "!llvm.array<1 x " * 599 + "i8" + ">" * 599),
        "operands_of_asm": function('llvm.inline_asm has_side_effects "// ", "' + ",".join(["r"] * 1500) + '" ' + ", ".join(["%x"] * 1500) + " : (" + ", ".join(["i32"] * 1500) + ") -> ()"),
        "lines_of_asm": function('llvm.inline_asm has_side_effects "' + "membar.gl;" * 20_000 + '", "" : () -> ()'),
        "wide_products": function("%w0 = llvm.zext %x : i32 to i128\n" + "".join(f"%w{i + 1} = llvm.mul %w{i}, %w{i} : i128\n" for i in range(300)) + "llvm.store %w300, %p : i128, !llvm.ptr"),
        "quotients": function("%w0 = llvm.zext %x : i32 to i128\n" + "".join(f"%w{i + 1} = llvm.udiv %w{i}, %w0 : i128\n" for i in range(20)) + "llvm.store %w20, %p : i128, !llvm.ptr"),
        "reductions": kernel("".join(f"%r{i} = gpu.all_reduce add %x uniform {{}} : (i32) -> (i32)\n" for i in range(60))),
        "shuffled_elements": kernel("%v = vector.broadcast %f : f32 to vector<2xf32>\n%w = vector.shuffle %v, %v [" + ", ".join(str(i % 4) for i in range(20_000)) + "] : vector<2xf32>, vector<2xf32>\n%e = vector.extract %w[7] : f32 from vector<20000xf32>\nmemref.store %e, %m[%c0] : memref<64xf32>"),
        "axes_of_a_transpose": kernel("%v = vector.broadcast %f : f32 to vector<" + "2x" * 12 + "f32>\n%w = vector.transpose %v, [" + ", ".join(map(str, reversed(range(12)))) + "] : vector<" + "2x" * 12 + "f32> to vector<" + "2x" * 12 + "f32>\n%e = vector.multi_reduction <add>, %w, %f [" + ", ".join(map(str, range(12))) + "] : vector<" + "2x" * 12 + "f32> to f32\nmemref.store %e, %m[%c0] : memref<64xf32>"),
        "copied": kernel("%a = memref.alloca() : memref<16777216xf32>\n%b = memref.alloca() : memref<16777216xf32>\nmemref.copy %a, %b : memref<16777216xf32> to memref<16777216xf32>"),
        "carried": kernel("%r:1500 = scf.for %i = %c0 to %c1 step %c1 iter_args(" + ", ".join(f"%a{i} = %f" for i in range(1500)) + ") -> (" + ", ".join(["f32"] * 1500) + ") { scf.yield " + ", ".join(f"%a{(i + 1) % 1500}" for i in range(1500)) + " : " + ", ".join(["f32"] * 1500) + " }\nmemref.store %r#7, %m[%c0] : memref<64xf32>"),
        "printed": kernel('gpu.printf "' + "%d " * 800 + '", ' + ", ".join(["%c1"] * 800) + " : " + ", ".join(["index"] * 800)),
        "members_of_members": "llvm.func @f(%a: " + "!llvm.struct<(i8, " * 250 + "i8" + ")>" * 250 + ") { llvm.return }",
        "views_of_views": kernel("%v0 = memref.cast %m : memref<64xf32> to memref<?xf32, strided<[?], offset: ?>>\n" + "".join(f"%v{i + 1} = memref.subview %v{i}[%c1] [%c1] [%c1] : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>\n" for i in range(400)) + "memref.store %f, %v400[%c0] : memref<?xf32, strided<[?], offset: ?>>"),
    },
)  # fmt: skip


@case
def types_in_a_circle() -> str:
    return "!a = !b\n!b = tuple<!a>\nfunc.func private @f(!a)"


@case
def attributes_in_a_circle() -> str:
    return "#a = [#b]\n#b = [#a]\nmodule attributes {a.x = #a} {}"


@case
def places_in_a_circle() -> str:
    return "func.func @f() { return loc(#a) }\n#a = loc(fused[#b])\n#b = loc(fused[#a])"


@case
def structs_in_a_circle() -> str:
    return 'llvm.func @f(%p: !llvm.ptr) { %0 = llvm.load %p : !llvm.ptr -> !llvm.struct<"a", (struct<"b", (struct<"a">)>)> llvm.return }'


@case
def functions_that_call_each_other() -> str:
    return "".join(
        f"llvm.func @f{i}() {{ llvm.call @f{(i + 1) % 800}() : () -> () llvm.return }}\n" for i in range(800)
    )
