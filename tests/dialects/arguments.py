"""Operations with arguments drawn from their definitions: each value of each enum, operands present or not, other types.

`python -m tests.dialects.arguments DIALECT COUNT SEED` compares COUNT of each with mlir-opt: the text that both print,
or the error that both report at the same place.  `... DIALECT COUNT SEED cases` begins with the valid cases of
`ops/DIALECT*.ops` instead, and changes one or two arguments.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from tests.dialects import definitions, oracle
from tests.dialects.definitions import Argument, Definition

SHARED = "memref<16x16xf16, #gpu.address_space<workgroup>>"
GROUP = "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>"
DESCRIPTOR = (
    "!nvgpu.tensormap.descriptor<tensor = memref<16x16xf16, 3>, swizzle = none, l2promo = none, oob = zero, "
    "interleave = none>"
)
_ATOMS: dict[str, tuple[str, ...]] = {
    "index": ("index",),
    "any type": ("i32", "f32", "!llvm.ptr<3>"),
    "LLVM pointer type": tuple(f"!llvm.ptr<{space}>" if space else "!llvm.ptr" for space in range(8)),
    "LLVM structure type": ("!llvm.struct<(i32, i32)>", "!llvm.struct<(f32, f32, f32, f32)>"),
    "LLVM struct type": ("!llvm.struct<(i32, i1)>", "!llvm.struct<(f32, i1)>"),
    "LLVM dialect-compatible type": ("i32", "i64", "f32"),
    "device async token type": ("!nvgpu.device.async.token",),
    "mbarrier barrier type": (GROUP,),
    "TensorMap descriptor": (DESCRIPTOR,),
    "Integer or Float": ("i32", "f32", "f16", "i1"),
    "unranked.memref of any type values": ("memref<*xf16>", "memref<*xf32, 3>"),
    "": (SHARED, "memref<16x16xf16>", "!nvgpu.mbarrier.token"),
    "signless integer": ("i32", "i1", "i64", "i7"),
    "signless-integer-like": ("i32", "vector<4xi8>", "vector<[4]xi32>", "tensor<?xi64>", "index", "vector<2xindex>"),
    "signless-fixed-width-integer-like": ("i32", "vector<4xi8>", "vector<[4]xi32>", "tensor<?xi64>", "vector<2xindex>"),
    "floating-point-like": ("f32", "vector<4xf16>", "vector<[4]xf64>", "tensor<?x3xbf16>", "f80", "vector<f32>"),
    "bool-like": ("i1", "vector<4xi1>", "tensor<?xi1>", "vector<[4]xi1>"),
    "floating-point": ("f32", "f16", "f64", "bf16"),
    "complex type with floating-point elements": ("complex<f32>", "complex<f64>", "complex<bf16>"),
    "complex-type": ("complex<f32>", "complex<i32>"),
    "vector": ("vector<4xf32>", "vector<[4]xf32>", "vector<2x3xi32>", "vector<f32>", "vector<1xindex>"),
    "vector of any type values": (
        "vector<4xf32>",
        "vector<[4]xf32>",
        "vector<2x3xi32>",
        "vector<f32>",
        "vector<1x4xf32>",
    ),
    "vector of 1-bit signless integer values": ("vector<4xi1>", "vector<[4]xi1>", "vector<2x3xi1>", "vector<1x4xi1>"),
    "memref of any type values": (
        "memref<4x8xf32>",
        "memref<?xf32>",
        "memref<f32>",
        "memref<?x4xf32, strided<[?, 1], offset: ?>>",
        "memref<4x8xf32, 3>",
        "memref<*xf32>",
        "memref<8x4xf32, affine_map<(d0, d1) -> (d1, d0)>>",
    ),
    "ranked tensor of any type values": ("tensor<4x8xf32>", "tensor<?x8xf32>", "tensor<f32>", "tensor<4xi1>"),
    "tensor of any type values": ("tensor<4x8xf32>", "tensor<?x8xf32>", "tensor<*xf32>", "tensor<4xindex>"),
    "LLVM dialect-compatible vector of 1-bit signless integer": ("vector<4xi1>", "vector<[4]xi1>"),
    "LLVM dialect-compatible vector of signless integer": ("vector<4xi32>", "vector<[4]xi8>", "vector<3xi7>"),
    "LLVM dialect-compatible vector of floating-point": ("vector<4xf32>", "vector<[4]xf16>", "vector<2xf64>"),
    "LLVM dialect-compatible vector of floating point LLVM type": ("vector<4xf32>", "vector<[4]xf16>"),
    "LLVM dialect-compatible vector of LLVM pointer type": ("vector<4x!llvm.ptr>", "vector<2x!llvm.ptr<1>>"),
    "LLVM dialect-compatible vector type": ("vector<4xi32>", "vector<[4]xf32>", "vector<2x!llvm.ptr>"),
    "LLVM aggregate type": ("!llvm.struct<(i32, i1)>", "!llvm.array<4 x i32>", "!llvm.struct<(struct<(i8)>, f32)>"),
    "floating point LLVM type": ("f32", "f64", "f16", "bf16", "f80", "f128", "!llvm.ppc_fp128"),
    "LLVM token type": ("!llvm.token",),
    "primitive LLVM type": ("i32", "f32", "vector<4xf32>", "!llvm.ptr"),
    "integer": ("i32", "si8", "ui16"),
    "function type": ("() -> ()", "(i32) -> f32"),
    "async token type": ("!gpu.async.token", "!async.token"),
    "async value type": ("!async.value<f32>", "!async.value<memref<4xf32>>"),
    "async group type": ("!async.group",),
    "coroutine handle": ("!async.coro.handle",),
    "saved coroutine state": ("!async.coro.state",),
    "switched-resume coroutine identifier": ("!async.coro.id",),
    "pointer type": ("!ptr.ptr<#ptr.generic_space>",),
    "PtrLikeTypeInterface instance": ("!ptr.ptr<#ptr.generic_space>", "memref<4xf32, #ptr.generic_space>"),
    "Pointer metadata type": ("!ptr.ptr_metadata<memref<4xf32, #ptr.generic_space>>",),
    "TransformHandleTypeInterface instance": ("!transform.any_op", '!transform.op<"scf.for">', "!transform.any_op"),
    "TransformParamTypeInterface instance": ("!transform.param<i64>", "!transform.any_param", "!transform.type"),
    "TransformValueHandleTypeInterface instance": ("!transform.any_value",),
    "transform any param type or any handle type": ("!transform.any_op", "!transform.param<i64>"),
    "transform operation or value handle": ("!transform.any_op", "!transform.any_value"),
    "any transform handle or parameter": ("!transform.any_op", "!transform.any_value", "!transform.param<i64>"),
    "any transform handle": ("!transform.any_op", "!transform.any_value"),
}
POOL = (
    "i1", "i8", "i16", "i32", "i64", "i128", "f16", "bf16", "f32", "f64", "index", "ui32", "si32", "vector<2xf16>",
    "vector<2xbf16>", "vector<4xi8>", "vector<2xi16>", "vector<4xf32>", "vector<[4]xi32>", "!llvm.ptr", "!llvm.ptr<1>",
    "!llvm.ptr<3>", "!llvm.ptr<6>", "!llvm.ptr<7>", "!llvm.struct<(i32, i32)>", "memref<16xf32>", SHARED,
    "!nvgpu.device.async.token", "vector<2x2xf16>", "tuple<i32>",
)  # fmt: skip
"""Types that may be put in the place of any operand's or result's."""

CRASH = "mlir-opt crashes"
_WRONG = ("unit", "42 : i32", "7 : i64", '"text"', "true", "f32", "[1, 2]", "#nvvm.mem_scope<gpu>", "-1 : i32")
_ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "i64 dense array attribute": ("array<i64: 0>", "array<i64: 0, 1>", "array<i64>", "array<i64: 4, 8>", "array<i64: -1>"),
    "i32 dense array attribute": ("array<i32: 0>", "array<i32: 0, 1>", "array<i32>", "array<i32: 4, 8>"),
    "Array of dictionary attributes": ("[{}]", "[{llvm.noundef}, {}]", "[]", "[{a = 1 : i32}]"),
    "AffineMap attribute": ("affine_map<(d0) -> (d0)>", "affine_map<(d0, d1)[s0] -> (d1 + s0)>", "affine_map<() -> (0)>"),
    "flat symbol reference attribute": ("@f", "@none", "@f::@g"),
    "symbol reference attribute": ("@f", "@none", "@f::@g"),
    "array attribute": ("[]", "[1]", '["a", 2]', "[[0, 1], [2]]", "[[0], [1]]"),
    "Array of 64-bit integer array attributes": ("[]", "[[0], [1]]", "[[0, 1], [2]]"),
    "LLVM dialect alias scope array": ("[]", "[#llvm.alias_scope<id = 1 : i64, domain = <id = 2 : i64>>]"),
    "any attribute": ("1 : i32", "unit", '"text"', "3.0 : f32", "dense<1> : vector<4xi32>"),
    "TypedAttr instance": ("1 : i32", "2.0 : f32", "dense<1> : vector<4xi32>", "0 : index"),
    "integer elements attribute": ("dense<1> : vector<4xi32>", "dense<[1, 2]> : tensor<2xi64>"),
    "32-bit signless integer elements attribute": ("dense<1> : vector<4xi32>", "dense<[1, 2]> : tensor<2xi32>"),
    "flat symbol ref array attribute": ("[@f]", "[]", "[@f, @g]"),
    "32-bit integer array attribute": ("[1 : i32]", "[]", "[1 : i32, 2 : i32]"),
    "1-bit boolean array attribute": ("[true]", "[false, true]", "[]"),
    "string array attribute": ('["a"]', "[]"),
    "type attribute of function type": ("() -> ()", "(i32) -> i32"),
    "type attribute of LLVM function type": ("!llvm.func<void ()>", "!llvm.func<i32 (i32, ...)>"),
    "64-bit float attribute": ("0.5 : f64", "2.0 : f64"),
    "8-bit signless integer attribute": ("1 : i8",),
    "arbitrary integer attribute": ("1 : i32", "4 : i64", "8 : index"),
    "IntegerSet attribute": ("affine_set<(d0) : (d0 >= 0)>", "affine_set<() : (0 == 0)>"),
    "unit attribute": ("unit",),
    "bool attribute": ("true", "false"),
    "1-bit signless integer attribute": ("true", "false"),
    "16-bit signless integer attribute": ("0 : i16", "15 : i16", "-1 : i16"),
    "32-bit signless integer attribute": tuple(f"{n} : i32" for n in (0, 1, 2, 4, 8, 16, 24, 32, 256, -1)),
    "32-bit signless integer attribute whose minimum value is 0": ("0 : i32", "7 : i32"),
    "64-bit signless integer attribute": ("0 : i64", "7 : i64"),
    "index attribute": ("4 : index", "8 : index", "1 : index"),
    "any type attribute": (
        "f32", "i32", "f16", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN", "f8E4M3"
    ),
    "string attribute": ('"membar.gl;"',),
    "Attribute for MMA operation shape.": tuple(
        f"#nvvm.shape<m = {m}, n = {n}, k = {k}>"
        for m, n, k in ((16, 8, 16), (16, 8, 32), (16, 8, 64), (8, 8, 4), (16, 8, 8), (16, 8, 4), (64, 8, 16), (64, 256, 8), (16, 8, 128))
    ),
    "Matrix shape for ldmatrix and stmatrix": tuple(
        f"#nvvm.ld_st_matrix_shape<m = {m}, n = {n}>" for m, n in ((8, 8), (8, 16), (16, 16), (16, 8))
    ),
    "A range of two integers, corresponding to LLVM's ConstantRange": (
        "#llvm.constant_range<i32, 0, 32>",
        "#llvm.constant_range<i64, 0, 1024>",
    ),
    "64-bit integer array attribute": ("[16, 8, 16]", "[16, 8, 8]", "[16, 8, 32]", "[8, 8, 4]"),
}  # fmt: skip


@dataclass(frozen=True)
class Instance:
    """An operation: the types of its operands by group, its properties as text, and the types of its results."""

    name: str
    operands: tuple[tuple[str, ...], ...]
    properties: dict[str, str] = field(default_factory=dict[str, str])
    results: tuple[str, ...] = ()
    segmented: bool = False
    regions: int = 0

    def text(self) -> str:
        """A function of the operation in generic form."""
        types = [kind for group in self.operands for kind in group]
        names = [f"%a{number}" for number in range(len(types))]
        arguments = ", ".join(f"{name}: {kind}" for name, kind in zip(names, types, strict=True))
        given = dict(self.properties)
        if self.segmented:
            given["operandSegmentSizes"] = f"array<i32: {', '.join(str(len(group)) for group in self.operands)}>"
        inside = ", ".join(name if value == "unit" else f"{name} = {value}" for name, value in given.items())
        properties = f" <{{{inside}}}>" if inside else ""
        regions = f" ({', '.join(['{}'] * self.regions)})" if self.regions else ""
        results = (
            self.results[0]
            if len(self.results) == 1 and not self.results[0].startswith("(")
            else f"({', '.join(self.results)})"
        )
        bound = f"%r{f':{len(self.results)}' if len(self.results) > 1 else ''} = " if self.results else ""
        line = f'{bound}"{self.name}"({", ".join(names)}){properties}{regions} : ({", ".join(types)}) -> {results}'
        return f"func.func @f({arguments}) {{\n  {line}\n  return\n}}\n"


def types_of(argument: Argument) -> tuple[str, ...]:
    """The types that a summary names."""
    return _types(argument.summary)


def _types(summary: str) -> tuple[str, ...]:
    if summary in _ATOMS:
        return _ATOMS[summary]
    if " or vector of" not in summary and " values of length " in summary:
        element, _, lengths = re.sub(r"^(fixed-length )?vector of ", "", summary).partition(" values of length ")
        return tuple(f"vector<{length}x{_types(element)[0]}>" for length in lengths.split("/"))
    if " or " in summary:
        return tuple(kind for part in summary.split(" or ") for kind in _types(part))
    if match := re.fullmatch(r"Transform IR handle to (\S+) operations", summary):
        return (f'!transform.op<"{match[1]}">',)
    if match := re.fullmatch(r"(\d)D tensor of any type values", summary):
        return (f"tensor<{'x'.join('2' * int(match[1]))}xf32>",)
    if match := re.fullmatch(r"LLVM pointer in address space (\d+)", summary):
        return (f"!llvm.ptr<{match[1]}>" if match[1] != "0" else "!llvm.ptr",)
    if match := re.fullmatch(r"(\d+)-bit signless integer", summary):
        return (f"i{match[1]}",)
    if match := re.fullmatch(r"(\d+)-bit float", summary):
        return (f"f{match[1]}",)
    if match := re.match(r"(?:strided |statically shaped |ranked or unranked )?memref of (.*?) values", summary):
        return _ATOMS["memref of any type values"]
    if match := re.match(r"(?:fixed-length )?vector of (.*?) values", summary):
        return tuple(f"vector<{shape}x{_types(match[1])[0]}>" for shape in ("4", "[4]", "2x3"))
    if match := re.match(r"(?:ranked )?tensor of (.*?) values", summary):
        return tuple(f"tensor<{shape}x{_types(match[1])[0]}>" for shape in ("4", "?", "2x3"))
    if summary == "bfloat16 type":
        return ("bf16",)
    return POOL


def values_of(argument: Argument) -> tuple[str, ...]:
    """What a property may be."""
    return argument.values or _ATTRIBUTES.get(argument.summary, ("unit",))


def drawn(rng: Random, op: Definition) -> Instance:
    """An operation with arguments of the kinds that its definition names."""
    likely = {argument.summary: rng.choice(types_of(argument)) for argument in (*op.operands, *op.results)}
    groups = tuple(_group(rng, argument, likely) for argument in op.operands)
    properties = {
        argument.name: rng.choice(values_of(argument))
        for argument in op.properties
        if not argument.optional or rng.random() < 0.5
    }
    results = tuple(kind for argument in op.results for kind in _group(rng, argument, likely))
    return Instance(op.name, groups, properties, results, op.segmented, op.regions)


def _group(rng: Random, argument: Argument, likely: dict[str, str]) -> tuple[str, ...]:
    """Types of an operand or result; mostly the same for what may be the same, as many operations demand."""
    if argument.optional and rng.random() < 0.5:
        return ()
    kind = likely[argument.summary] if rng.random() < 0.8 else rng.choice(types_of(argument))
    return (kind,) * (rng.choice((0, 1, 1, 2, 2, 3, 4, 5)) if argument.variadic else 1)


def varied(rng: Random, op: Definition, given: Instance) -> Instance:
    """The same operation with one argument wrong."""
    choice = rng.random()
    if choice < 0.4 and op.properties:
        argument = rng.choice(op.properties)
        properties = dict(given.properties)
        if rng.random() < 0.4:
            properties.pop(argument.name, None)
        elif rng.random() < 0.5:
            properties[argument.name] = rng.choice(values_of(argument))
        else:
            properties[argument.name] = rng.choice(_WRONG)
        return replace(given, properties=properties)
    if choice < 0.8 and given.operands:
        groups = [list(group) for group in given.operands]
        place = rng.randrange(len(groups))
        single = len(groups) != len(op.operands) or not (op.operands[place].optional or op.operands[place].variadic)
        if groups[place] and (rng.random() < 0.8 or single):
            groups[place][rng.randrange(len(groups[place]))] = rng.choice(POOL)
        elif groups[place] and rng.random() < 0.5:
            groups[place].pop()
        else:
            groups[place].append(rng.choice(POOL))
        return replace(given, operands=tuple(tuple(group) for group in groups))
    if not given.results or rng.random() < 0.2:
        return replace(given, results=(*given.results, rng.choice(POOL)))
    results = list(given.results)
    results[rng.randrange(len(results))] = rng.choice(POOL)
    return replace(given, results=tuple(results) if rng.random() < 0.9 else ())


_SHAPES = ("16x16", "64x64", "64x128", "128x64", "?x16", "128", "4x8x16", "1x1x4x8x16", "2x1x1x4x8x16", "8x8", "64x16")
_SPACES = ("", ", 3", ", 1", ", #gpu.address_space<workgroup>", ", #gpu.address_space<global>", ', "shared"')
_LAYOUTS = ("", "", "", ", strided<[64, 1], offset: ?>", ", strided<[1, 16]>", ", affine_map<(d0, d1) -> (d1, d0)>")
_ELEMENTS = ("f16", "f32", "bf16", "f64", "i8", "i4", "i32", "f8E4M3FN", "i1", "tf32", "index")


def special(rng: Random, near: str) -> str:
    """A type of the class of another, or of any class."""
    element = rng.choice(_ELEMENTS)
    if near.startswith("memref"):
        shape = rng.choice(_SHAPES)
        layout = rng.choice(_LAYOUTS) if shape.count("x") == 1 else ""
        return f"memref<{shape}x{element}{layout}{rng.choice(_SPACES)}>"
    if near.startswith("vector"):
        shape = rng.choice(
            ("4x2", "2x2", "1x2", "2x1", "4x1", "1x1", "4x4", "2x4", "4x8", "2x8", "8", "2", "[2]x2", "2x2x2")
        )
        return f"vector<{shape}x{element}>"
    tensor = special(rng, "memref")
    if near.startswith("!nvgpu.tensormap"):
        swizzle = rng.choice(("none", "swizzle_32b", "swizzle_64b", "swizzle_128b"))
        promo = rng.choice(("none", "l2promo_64b", "l2promo_128b", "l2promo_256b"))
        leave = rng.choice(("none", "none", "none", "interleave_16b", "interleave_32b"))
        return (
            f"!nvgpu.tensormap.descriptor<tensor = {tensor}, swizzle = {swizzle}, l2promo = {promo}, "
            f"oob = {rng.choice(('zero', 'nan'))}, interleave = {leave}>"
        )
    if near.startswith("!nvgpu.warpgroup.descriptor"):
        return f"!nvgpu.warpgroup.descriptor<tensor = {tensor}>"
    if near.startswith("!nvgpu.warpgroup.accumulator"):
        shape = rng.choice(("64x64", "128x128", "64x8", "64x256", "64x264", "32x64", "64x60", "128", "192x96"))
        return f"!nvgpu.warpgroup.accumulator<fragmented = vector<{shape}x{element}>>"
    return rng.choice(POOL)


def stored(mlir_opt: str, name: str, step: int = 1) -> list[Instance]:
    """Every so manyth of the valid cases of `ops/NAME*.ops`, as mlir-opt prints them in generic form."""
    valid: list[oracle.Case] = []
    for path in sorted(oracle.FOLDER.glob(f"{name}*.ops")):
        given = zip(oracle.cases(path), oracle.stored(path), strict=True)
        valid += [case for case, outcome in given if re.match(r"\d+:\d+: ", outcome) is None]
    return [
        instance
        for text in upstream(mlir_opt, valid[::step], "--mlir-print-op-generic")
        if (instance := _read(text.splitlines()[3:-3])) is not None
    ]


def _read(lines: list[str]) -> Instance | None:
    """The operation on the only line of a function's body."""
    match = re.fullmatch(r'\s*(?:%\S+ = )?"([\w.]+)"\([^()]*\)(?: <\{(.*)\}>)? : \((.*?)\) -> (.*)', "\n".join(lines))
    if match is None:
        return None
    name, given, types, results = match.groups()
    properties = dict(_entry(item) for item in split(given or ""))
    values = split(types)
    sizes = re.findall(r"\d+", properties.pop("operandSegmentSizes", "").partition(":")[2])
    operands: list[tuple[str, ...]] = []
    for size in map(int, sizes):
        operands.append(tuple(values[:size]))
        values = values[size:]
    if not sizes:
        operands = [(kind,) for kind in values]
    found = split(results[1:-1]) if results.startswith("(") else [results]
    return Instance(name, tuple(operands), properties, tuple(found), bool(sizes))


def _entry(text: str) -> tuple[str, str]:
    name, equals, value = text.partition(" = ")
    return name, value if equals else "unit"


def split(text: str) -> list[str]:
    """A list at its commas, outside of brackets."""
    parts, depth, last = [""], 0, ""
    for character in text:
        depth += character in "<([{"
        depth -= (character in ">)]}") and not (character == ">" and last == "-")
        last = character
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def changed(rng: Random, op: Definition, given: Instance) -> Instance:
    """The same operation with one argument of another type of its class, or another value."""
    choice = rng.random()
    if choice < 0.35:
        return varied(rng, op, given)
    if choice < 0.5 and given.results:
        return replace(given, results=tuple(special(rng, kind) for kind in given.results))
    if choice < 0.6 and op.properties:
        argument = rng.choice(op.properties)
        return replace(given, properties=given.properties | {argument.name: rng.choice(values_of(argument))})
    groups = [list(group) for group in given.operands]
    filled = [group for group in groups if group]
    if not filled:
        return given
    group = rng.choice(filled)
    place = rng.randrange(len(group))
    group[place] = special(rng, group[place])
    return replace(given, operands=tuple(tuple(group) for group in groups))


def cases_changed(mlir_opt: str, dialect: str, count: int, seed: int = 0, step: int = 1) -> Iterator[Instance]:
    """`count` variants of every so manyth valid case of a dialect."""
    by_name = {op.name: op for op in definitions.operations(dialect)}
    for number, instance in enumerate(stored(mlir_opt, dialect, step)):
        if instance.name not in by_name:
            continue
        rng = Random(f"{instance.name} {number} {seed}")
        for _ in range(count):
            found = changed(rng, by_name[instance.name], instance)
            yield changed(rng, by_name[instance.name], found) if rng.random() < 0.4 else found


def everything(dialect: str, count: int, seed: int = 0) -> Iterator[Instance]:
    """`count` operations of each definition, a third of them with something wrong."""
    for op in definitions.operations(dialect):
        rng = Random(f"{op.name} {seed}")
        for number in range(count if op.operands or op.properties else 6):
            instance = drawn(rng, op)
            yield varied(rng, op, instance) if number % 3 == 2 else instance


def upstream(mlir_opt: str, given: list[oracle.Case], *passes: str) -> list[str]:
    """mlir-opt's outcomes; where it crashes, `CRASH`."""
    try:
        return oracle.upstream(mlir_opt, given, *passes)
    except AssertionError:
        if len(given) == 1:
            return [CRASH]
        half = len(given) // 2
        return upstream(mlir_opt, given[:half], *passes) + upstream(mlir_opt, given[half:], *passes)


def differences(mlir_opt: str, given: list[oracle.Case], passes: str = "") -> Iterator[str]:
    """What weft says otherwise than mlir-opt, where that does not crash."""
    step = 200
    for start in range(0, len(given), step):
        some = given[start : start + step]
        options = [f"--{passes}"] if passes else []
        for case, ours, theirs in zip(some, oracle.ours(some, passes), upstream(mlir_opt, some, *options), strict=True):
            if ours != theirs and theirs != CRASH:
                yield f"{case.text}  theirs: {theirs}\n  ours:   {ours}\n"


def main(dialect: str, count: str, seed: str, start: str = "") -> None:
    """Compare."""
    from tests.conftest import llvm_tool

    mlir_opt = llvm_tool("mlir-opt")
    instances = (
        cases_changed(mlir_opt, dialect, int(count), int(seed)) if start else everything(dialect, int(count), int(seed))
    )
    given = [oracle.Case(text, 0) for text in dict.fromkeys(instance.text() for instance in instances)]
    found = list(differences(mlir_opt, given))
    print("\n".join(found))
    print(len(given), "operations,", len(found), "differences")


if __name__ == "__main__":
    main(*sys.argv[1:])
