"""Matrix products of a warp in `nvvm`: every shape, type and option, as cases like those of `nvvm_cases`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.codegen.nvvm_cases import struct


class Product(NamedTuple):
    """A product (or the load or store of a fragment) whose operands are all that its function takes."""

    target: str
    text: str
    """The operation, with `{0}`, `{1}`... for its operands."""
    operands: tuple[str, ...]
    result: str = ""
    before: str = ""

    @property
    def op(self) -> str:
        return self.text.split()[0]

    def module(self, name: str = "f") -> str:
        """The function as MLIR text."""
        arguments = ", ".join(f"%a{i}: {type_}" for i, type_ in enumerate(self.operands))
        body = self.text.format(*(f"%a{i}" for i in range(len(self.operands))))
        if not self.result:
            return f"llvm.func @{name}({arguments}) {{\n  {self.before}\n  {body}\n  llvm.return\n}}\n"
        tail = f"%r = {body}\n  llvm.return %r : {self.result}"
        return f"llvm.func @{name}({arguments}) -> {self.result} {{\n  {self.before}\n  {tail}\n}}\n"


PAIR = "vector<2xf16>"
REGISTERS = {"f16": PAIR, "f32": "f32", "f64": "f64"}


def register(element: str) -> str:
    """The type of the registers that hold elements."""
    return REGISTERS.get(element, "i32")


def places(start: int, count: int) -> str:
    return ", ".join("{" + str(i) + "}" for i in range(start, start + count))


def _wmma_counts(element: str, shape: tuple[int, int, int], matrix: str) -> int:
    m, n, k = shape
    bits = {
        "f16": 16,
        "bf16": 16,
        "tf32": 32,
        "s8": 8,
        "u8": 8,
        "s4": 4,
        "u4": 4,
        "b1": 1,
        "f64": 64,
        "f32": 32,
        "s32": 32,
    }[element]
    if element == "f16" and matrix in "ab":
        return 8
    rows, columns = {"a": (m, k), "b": (k, n)}.get(matrix, (m, n))
    width = 64 if element == "f64" else 32
    return max(1, rows * columns * bits // width // 32)


WMMA = (
    [("f16", acc, shape) for acc in ("f16", "f32") for shape in ((16, 16, 16), (8, 32, 16), (32, 8, 16))]
    + [("bf16", "f32", shape) for shape in ((16, 16, 16), (8, 32, 16), (32, 8, 16))]
    + [(t, "s32", shape) for t in ("s8", "u8") for shape in ((16, 16, 16), (8, 32, 16), (32, 8, 16))]
    + [("tf32", "f32", (16, 16, 8)), ("f64", "f64", (8, 8, 4)), ("s4", "s32", (8, 8, 32)), ("u4", "s32", (8, 8, 32))]
)


def wmma() -> Iterator[Product]:
    """`wmma`: loads, stores and products."""
    for multiplicand, accumulator, shape in WMMA:
        m, n, k = shape
        sizes = f"m = {m} : i32, n = {n} : i32, k = {k} : i32"
        fixed = multiplicand in ("s4", "u4")
        for matrix, element in (("a", multiplicand), ("b", multiplicand), ("c", accumulator)):
            for layout in ("row", "col"):
                if fixed and matrix in "ab" and layout != {"a": "row", "b": "col"}[matrix]:
                    continue
                count = _wmma_counts(element, shape, matrix)
                result = struct(*[register(element)] * count)
                if element == "f64" and count == 1:
                    result = "f64"
                for pointer in ("!llvm.ptr", "!llvm.ptr<1>", "!llvm.ptr<3>"):
                    attributes = f"eltype = #nvvm.mma_type<{element}>, frag = #nvvm.mma_frag<{matrix}>, layout = #nvvm.mma_layout<{layout}>, {sizes}"
                    yield Product(
                        "sm_80",
                        f"nvvm.wmma.load {{0}}, {{1}} {{{{{attributes}}}}} : ({pointer}) -> {result}",
                        (pointer, "i32"),
                        result,
                    )
        count = _wmma_counts(accumulator, shape, "d")
        types = ", ".join([register(accumulator)] * count)
        for layout in ("row", "col"):
            attributes = f"eltype = #nvvm.mma_type<{accumulator}>, layout = #nvvm.mma_layout<{layout}>, {sizes}"
            yield Product(
                "sm_80",
                f"nvvm.wmma.store {{0}}, {{1}}, {places(2, count)} {{{{{attributes}}}}} : !llvm.ptr<3>, {types}",
                ("!llvm.ptr<3>", "i32", *[register(accumulator)] * count),
            )
        groups = [(_wmma_counts(multiplicand, shape, x), register(multiplicand)) for x in "ab"] + [
            (count, register(accumulator))
        ]
        operands = tuple(type_ for number, type_ in groups for _ in range(number))
        result = struct(*[register(accumulator)] * count)
        for a in ("row", "col"):
            for b in ("row", "col"):
                if fixed and (a, b) != ("row", "col"):
                    continue
                attributes = f"eltypeA = #nvvm.mma_type<{multiplicand}>, eltypeB = #nvvm.mma_type<{accumulator}>, layoutA = #nvvm.mma_layout<{a}>, layoutB = #nvvm.mma_layout<{b}>, {sizes}"
                yield Product(
                    "sm_80",
                    f"nvvm.wmma.mma {places(0, len(operands))} {{{{{attributes}}}}} : ({', '.join(operands)}) -> {result}",
                    operands,
                    result,
                )


def _grouped(groups: tuple[tuple[int, str], ...]) -> tuple[list[str], tuple[str, ...]]:
    """The placeholders of each group of registers, and all their types."""
    shown: list[str] = []
    at = 0
    for count, _ in groups:
        shown.append(places(at, count))
        at += count
    return shown, tuple(type_ for count, type_ in groups for _ in range(count))


MMA: tuple[tuple[tuple[int, int, int], str, str, tuple[int, int, int]], ...] = (
    ((8, 8, 4), "f16", "f16", (2, 2, 4)), ((8, 8, 4), "f16", "f32", (2, 2, 8)), ((16, 8, 8), "f16", "f16", (2, 1, 2)),
    ((16, 8, 8), "f16", "f32", (2, 1, 4)), ((16, 8, 16), "f16", "f16", (4, 2, 2)), ((16, 8, 16), "f16", "f32", (4, 2, 4)),
    ((16, 8, 8), "bf16", "f32", (2, 1, 4)), ((16, 8, 16), "bf16", "f32", (4, 2, 4)), ((16, 8, 4), "tf32", "f32", (2, 1, 4)),
    ((16, 8, 8), "tf32", "f32", (4, 2, 4)), ((8, 8, 4), "f64", "f64", (1, 1, 2)), ((16, 8, 4), "f64", "f64", (2, 1, 4)),
    ((16, 8, 8), "f64", "f64", (4, 2, 4)), ((16, 8, 16), "f64", "f64", (8, 4, 4)),
    *((shape, t, "s32", counts) for t in ("s8", "u8") for shape, counts in (((8, 8, 16), (1, 1, 2)), ((16, 8, 16), (2, 1, 4)), ((16, 8, 32), (4, 2, 4)))),
    *((shape, t, "s32", counts) for t in ("s4", "u4") for shape, counts in (((8, 8, 32), (1, 1, 2)), ((16, 8, 32), (2, 1, 4)), ((16, 8, 64), (4, 2, 4)))),
    *((shape, "b1", "s32", counts) for shape, counts in (((8, 8, 128), (1, 1, 2)), ((16, 8, 128), (2, 1, 4)), ((16, 8, 256), (4, 2, 4)))),
)  # fmt: skip


def mma() -> Iterator[Product]:
    """`mma.sync`."""
    for (m, n, k), element, accumulator, (a, b, c) in MMA:
        groups = ((a, register(element)), (b, register(element)), (c, register(accumulator)))
        shown, operands = _grouped(groups)
        result = struct(*[register(accumulator)] * c)
        options = [""]
        if element[0] in "su":
            options = [f", intOverflowBehavior = #nvvm.mma_int_overflow<{x}>" for x in ("wrapped", "satfinite")]
        elif element == "b1":
            options = [f", b1Op = #nvvm.mma_b1op<{x}>" for x in ("xor_popc", "and_popc")]
        layouts = [("row", "col")]
        if (m, n, k) == (8, 8, 4) and element == "f16":
            layouts = [(x, y) for x in ("row", "col") for y in ("row", "col")]
        for option in options:
            for first, second in layouts:
                attributes = f"layoutA = #nvvm.mma_layout<{first}>, layoutB = #nvvm.mma_layout<{second}>, shape = #nvvm.shape<m = {m}, n = {n}, k = {k}>, multiplicandAPtxType = #nvvm.mma_type<{element}>, multiplicandBPtxType = #nvvm.mma_type<{element}>{option}"
                types = ", ".join(type_ for _, type_ in groups)
                yield Product(
                    "sm_90" if element == "f64" else "sm_80",
                    f"nvvm.mma.sync A[{shown[0]}] B[{shown[1]}] C[{shown[2]}] {{{{{attributes}}}}} : ({types}) -> {result}",
                    operands,
                    result,
                )


SPARSE: tuple[tuple[tuple[int, int, int], str, str, tuple[int, int, int]], ...] = (
    ((16, 8, 16), "f16", "f16", (2, 2, 2)), ((16, 8, 16), "f16", "f32", (2, 2, 4)), ((16, 8, 32), "f16", "f16", (4, 4, 2)),
    ((16, 8, 32), "f16", "f32", (4, 4, 4)), ((16, 8, 16), "bf16", "f32", (2, 2, 4)), ((16, 8, 32), "bf16", "f32", (4, 4, 4)),
    ((16, 8, 8), "tf32", "f32", (2, 2, 4)), ((16, 8, 16), "tf32", "f32", (4, 4, 4)),
    *((shape, t, "s32", counts) for t in ("s8", "u8") for shape, counts in (((16, 8, 32), (2, 2, 4)), ((16, 8, 64), (4, 4, 4)))),
    *((shape, t, "s32", counts) for t in ("s4", "u4") for shape, counts in (((16, 8, 64), (2, 2, 4)), ((16, 8, 128), (4, 4, 4)))),
    *(((16, 8, 64), t, "f32", (4, 4, 4)) for t in ("e4m3", "e5m2")),
)  # fmt: skip


def sparse() -> Iterator[Product]:
    """`mma.sp.sync`."""
    for (m, n, k), element, accumulator, (a, b, c) in SPARSE:
        groups = ((a, register(element)), (b, register(element)), (c, register(accumulator)), (1, "i32"))
        shown, operands = _grouped(groups)
        result = struct(*[register(accumulator)] * c)
        options = [""]
        if element[0] in "su":
            options = [f", intOverflowBehavior = #nvvm.mma_int_overflow<{x}>" for x in ("wrapped", "satfinite")]
        for option in options:
            for ordered in ("", ", orderedMetadata"):
                kinds = ["", ", kind = #nvvm.mma_kind<f8f6f4>"] if element in ("e4m3", "e5m2") and ordered else [""]
                for kind in kinds:
                    attributes = f"shape = #nvvm.shape<m = {m}, n = {n}, k = {k}>, multiplicandAPtxType = #nvvm.mma_type<{element}>, multiplicandBPtxType = #nvvm.mma_type<{element}>{option}{ordered}{kind}"
                    types = ", ".join(type_ for _, type_ in groups[:3])
                    target = "sm_120a" if kind else "sm_90"
                    yield Product(
                        target,
                        f"nvvm.mma.sp.sync A[{shown[0]}] B[{shown[1]}] C[{shown[2]}] sparseMetadata[{shown[3]}] selector[%zero] {{{{{attributes}}}}} : ({types}) -> {result}",
                        operands,
                        result,
                        "%zero = llvm.mlir.constant(0 : i32) : i32",
                    )


def wgmma() -> Iterator[Product]:
    """`wgmma` and what orders it."""
    yield Product("sm_90a", "nvvm.wgmma.fence.aligned", ())
    yield Product("sm_90a", "nvvm.wgmma.commit.group.sync.aligned", ())
    for count in (0, 1, 7):
        yield Product("sm_90a", f"nvvm.wgmma.wait.group.sync.aligned {count}", ())
    kinds = (
        [("f16", 16, acc) for acc in ("f16", "f32")] + [("bf16", 16, "f32"), ("tf32", 8, "f32")]
        + [(t, 32, acc) for t in ("e4m3", "e5m2") for acc in ("f16", "f32")]
        + [(t, 32, "s32") for t in ("s8", "u8")] + [("b1", 256, "s32")]
    )  # fmt: skip
    for element, k, accumulator in kinds:
        for n in (8, 64, 256):
            register_count = n // 2 if accumulator != "f16" else n // 4
            type_ = "f32" if accumulator == "f32" else "i32"
            result = struct(*[type_] * register_count)
            layouts = [("row", "col"), ("col", "row")] if element in ("f16", "bf16") and n == 64 else [("row", "col")]
            scales = (
                [("one", "one"), ("neg", "one")]
                if element[0] in "fbte" and element != "b1" and n == 64
                else [("one", "one")]
            )
            for first, second in layouts:
                for scale in scales:
                    for zero in ("zero", "one"):
                        overflow = ", <wrapped>" if accumulator == "s32" else ""
                        text = f"nvvm.wgmma.mma_async {{0}}, {{1}}, {{2}}, <m = 64, n = {n}, k = {k}>, D [<{accumulator}>, #nvvm.wgmma_scale_out<{zero}>{overflow}], A [<{element}>, #nvvm.wgmma_scale_in<{scale[0]}>, <{first}>], B [<{element}>, #nvvm.wgmma_scale_in<{scale[1]}>, <{second}>] : {result} -> {result}"
                        yield Product("sm_90a", text, ("i64", "i64", result), result)


SCALED = (
    ("mxf8f6f4", "x1", "ue8m0", 32, ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1")),
    ("mxf4", "x2", "ue8m0", 64, ("e2m1",)),
    ("mxf4nvf4", "x2", "ue8m0", 64, ("e2m1",)),
    ("mxf4nvf4", "x4", "ue4m3", 64, ("e2m1",)),
)


def block_scaled() -> Iterator[Product]:
    """`mma.block_scale`, and the same with a sparse A of twice the depth."""
    before = "%byte = llvm.mlir.constant(0 : i16) : i16\n  %thread = llvm.mlir.constant(1 : i16) : i16"
    before += "\n  %zero = llvm.mlir.constant(0 : i32) : i32"
    result = struct(*["f32"] * 4)
    for kind, size, form, depth, elements in SCALED:
        for a in elements:
            for b in elements:
                for is_sparse in (False, True):
                    groups = (
                        (4, "i32"),
                        (4 if is_sparse else 2, "i32"),
                        (4, "f32"),
                        (1, "i32"),
                        (1, "i32"),
                        (1, "i32"),
                    )
                    shown, operands = _grouped(groups[: 6 if is_sparse else 5])
                    scales = f"scaleA[{shown[-2]}, %byte, %thread] scaleB[{shown[-1]}, %byte, %thread]"
                    metadata = f"sparseMetadata[{shown[3]}] selector[%zero] " if is_sparse else ""
                    stem = "nvvm.mma.sp.block_scale" if is_sparse else "nvvm.mma.block_scale"
                    attributes = f"shape = #nvvm.shape<m = 16, n = 8, k = {2 * depth if is_sparse else depth}>, multiplicandAPtxType = #nvvm.mma_type<{a}>, multiplicandBPtxType = #nvvm.mma_type<{b}>, scaleVecSize = #nvvm.scale_vec_size<{size}>, blockScaleFormat = #nvvm.block_scale_format<{form}>, kind = #nvvm.block_scale_kind<{kind}>{', orderedMetadata' if is_sparse else ''}"
                    yield Product(
                        "sm_120a",
                        f"{stem} A[{shown[0]}] B[{shown[1]}] C[{shown[2]}] {metadata}{scales} {{{{{attributes}}}}} : (i32, i32, f32) -> {result}",
                        operands,
                        result,
                        before,
                    )


def everything() -> list[Product]:
    """All of them."""
    return [case for make in (wmma, mma, sparse, block_scaled, wgmma) for case in make()]
