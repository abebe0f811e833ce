"""Operations with arguments drawn from their definitions: each value of each enum, operands present or not, other types.

`python -m tests.dialects.arguments DIALECT COUNT SEED` compares COUNT of them with mlir-opt: the text that both print,
or the error that both report at the same place.
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
        results = (
            self.results[0]
            if len(self.results) == 1 and not self.results[0].startswith("(")
            else f"({', '.join(self.results)})"
        )
        bound = f"%r{f':{len(self.results)}' if len(self.results) > 1 else ''} = " if self.results else ""
        line = f'{bound}"{self.name}"({", ".join(names)}){properties} : ({", ".join(types)}) -> {results}'
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
    if match := re.fullmatch(r"LLVM pointer in address space (\d+)", summary):
        return (f"!llvm.ptr<{match[1]}>" if match[1] != "0" else "!llvm.ptr",)
    if match := re.fullmatch(r"(\d+)-bit signless integer", summary):
        return (f"i{match[1]}",)
    if match := re.fullmatch(r"(\d+)-bit float", summary):
        return (f"f{match[1]}",)
    if summary == "bfloat16 type":
        return ("bf16",)
    return POOL


def values_of(argument: Argument) -> tuple[str, ...]:
    """What a property may be."""
    return argument.values or _ATTRIBUTES.get(argument.summary, ("unit",))


def drawn(rng: Random, op: Definition) -> Instance:
    """An operation with arguments of the kinds that its definition names."""
    groups = tuple(_group(rng, argument) for argument in op.operands)
    properties = {
        argument.name: rng.choice(values_of(argument))
        for argument in op.properties
        if not argument.optional or rng.random() < 0.5
    }
    results = tuple(kind for argument in op.results for kind in _group(rng, argument))
    return Instance(op.name, groups, properties, results, op.segmented)


def _group(rng: Random, argument: Argument) -> tuple[str, ...]:
    if argument.optional and rng.random() < 0.5:
        return ()
    kind = rng.choice(types_of(argument))
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
        if groups[place] and (rng.random() < 0.8 or not (op.operands[place].optional or op.operands[place].variadic)):
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


def main(dialect: str, count: str, seed: str) -> None:
    """Compare."""
    from tests.conftest import llvm_tool

    texts = dict.fromkeys(instance.text() for instance in everything(dialect, int(count), int(seed)))
    given = [oracle.Case(text, 0) for text in texts]
    found = list(differences(llvm_tool("mlir-opt"), given))
    print("\n".join(found))
    print(len(given), "operations,", len(found), "differences")


if __name__ == "__main__":
    main(*sys.argv[1:])
