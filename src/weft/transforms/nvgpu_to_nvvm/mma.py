"""`nvgpu.mma.sync` to `nvvm.mma.sync`; `nvgpu.mma.sp.sync` to inline assembly, as there is no nvvm operation for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    VectorType,
    bf16,
    f16,
    f32,
    f64,
    i8,
    i32,
    i64,
)
from xdsl.dialects.llvm import LLVMStructType
from xdsl.ir import Attribute, Operation, SSAValue

from weft.dialects import narrow
from weft.dialects.engine.attributes import attr
from weft.dialects.engine.operations import op_class
from weft.dialects.narrow import Vector
from weft.dialects.nvvm.matrix_attributes import ShapeAttr
from weft.isa import legal_opcode
from weft.mlir.positions import compile_error
from weft.transforms.nvgpu_to_nvvm.fragments import Fragment
from weft.transforms.nvgpu_to_nvvm.layout import array_type
from weft.transforms.nvgpu_to_nvvm.lowering import Lower, Lowering

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu

_ROW = attr("nvvm.mma_layout", "row")
_COL = attr("nvvm.mma_layout", "col")
_SATFINITE = attr("nvvm.mma_int_overflow", "satfinite")
_MULTIPLICANDS: dict[Attribute, str] = {f16: "f16", bf16: "bf16", f64: "f64", i8: "s8", IntegerType(4): "s4"}
_ACCUMULATORS: dict[Attribute, str] = {f16: "f16", f32: "f32", f64: "f64", i32: "s32"}


def operand_type(op: Operation, element: Attribute, *, tf32: bool) -> str:
    """The PTX element type of a multiplicand.

    Raises:
        CompileError: `mma` has none for this element type.
    """
    found = "tf32" if element == f32 and tf32 else _MULTIPLICANDS.get(element)
    if found is None:
        hint = "add tf32Enabled to multiply f32 as tf32" if element == f32 else ""
        raise compile_error(op, "failed to deduce operand PTX types", hint)
    return found


def multiplicand(fragment: Fragment, kind: str) -> list[SSAValue]:
    """The registers of A or B: pairs of f16, f64 numbers, or words."""
    if kind == "f16":
        return fragment.rows()
    return fragment.scalars() if kind == "f64" else fragment.words()


def accumulator(fragment: Fragment) -> list[SSAValue]:
    """The registers of C: pairs of f16, or single numbers."""
    return fragment.rows() if fragment.element == f16 else fragment.scalars()


def result_struct(registers: Sequence[SSAValue]) -> LLVMStructType:
    """The struct that D comes in: the registers of C over again."""
    return _struct(registers[0].type, len(registers))


@cache
def _struct(register: Attribute, count: int) -> LLVMStructType:
    return LLVMStructType.from_type_list([register] * count)


@cache
def _mma_properties(
    kinds: tuple[str, str], shape: tuple[int, int, int], counts: tuple[int, int, int]
) -> dict[str, Attribute]:
    """The properties of `nvvm.mma.sync`, the same for every product of one kind in a kernel."""
    properties: dict[str, Attribute] = {
        "layoutA": _ROW,
        "layoutB": _COL,
        "multiplicandAPtxType": attr("nvvm.mma_type", kinds[0]),
        "multiplicandBPtxType": attr("nvvm.mma_type", kinds[1]),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, counts),
        "shape": ShapeAttr.of(*shape),
    }
    if kinds[0] in ("s8", "s4"):
        properties["intOverflowBehavior"] = _SATFINITE
    return properties


def define_result(lowering: Lowering, result: SSAValue, struct: SSAValue, registers: Sequence[SSAValue]) -> None:
    """Take the struct apart into the result's fragment."""
    vector = narrow.vector(result.type)
    assert vector is not None
    if not lowering.shared:
        _define_array(lowering, result, vector, struct, registers)
        return
    fields = [lowering.extract_value(struct, register.type, index) for index, register in enumerate(registers)]
    last = fields[-1].owner
    assert isinstance(last, Operation)
    if vector.element_type == f16:
        fragment = Fragment(lowering, vector, last, rows=fields)
    else:
        width = vector.get_shape()[1]
        groups = [fields[start : start + width] for start in range(0, len(fields), width)]
        fragment = Fragment(lowering, vector, last, elements=groups)
    lowering.define(result, fragment)


def _define_array(
    lowering: Lowering, result: SSAValue, vector: Vector, struct: SSAValue, registers: Sequence[SSAValue]
) -> None:
    """Take the struct apart, and put its fields into the array of rows that the result becomes."""
    width = vector.get_shape()[1]
    row_type = VectorType(vector.element_type, [width])
    if vector.element_type == f16:
        rows = [lowering.extract_value(struct, register.type, index) for index, register in enumerate(registers)]
    else:
        rows: list[SSAValue] = []
        for start in range(0, len(registers), width):
            row = lowering.poison(row_type)
            fields = [
                lowering.extract_value(struct, registers[start + index].type, start + index) for index in range(width)
            ]
            rows.append(lowering.fill(row, fields))
    array = lowering.pack(array_type(vector), rows)
    owner = array.owner
    assert isinstance(owner, Operation)
    lowering.define(result, Fragment(lowering, vector, owner, array=array))


def lower_mma(lowering: Lowering, op: nvgpu.MmaSyncOp) -> None:
    """`nvvm.mma.sync` with row-major A and column-major B; integers saturate, as upstream has it."""
    fragment_a, fragment_b = lowering.fragment(op.matrix_a), lowering.fragment(op.matrix_b)
    tf32 = op.tf32_enabled is not None
    kind_a = operand_type(op, fragment_a.element, tf32=tf32)
    kind_b = operand_type(op, fragment_b.element, tf32=tf32)
    a, b = multiplicand(fragment_a, kind_a), multiplicand(fragment_b, kind_b)
    c = accumulator(lowering.fragment(op.matrix_c))
    properties = _mma_properties(
        (kind_a, kind_b), tuple(size.value.data for size in op.mma_shape), (len(a), len(b), len(c))
    )
    struct = lowering.value(op_class("nvvm.mma.sync"), [*a, *b, *c], result_struct(c), properties)
    define_result(lowering, op.res, struct, c)


def _sparse_assembly(op: nvgpu.MmaSpSyncOp, kind: str, result: str, counts: Sequence[int], selector: int) -> str:
    """The text of `mma.sp.sync`, with `$n` for the n-th register: D, A, B, C, then the metadata."""
    m, n, k = (size.value.data for size in op.mma_shape)
    types = {"dtype": result, "atype": kind, "btype": kind, "ctype": result}
    saturate = kind in ("s8", "s4")
    code = legal_opcode("mma.sp", shape=f"m{m}n{n}k{k}", alayout="row", blayout="col", satfinite=saturate, **types)
    if code is None:
        raise compile_error(op, f"PTX has no sparse product of shape {m}x{n}x{k} of {kind} into {result}")
    text = f"{code} "
    register = 0
    for count in counts:
        text += "{" + ",".join(f"${index}" for index in range(register, register + count)) + "},"
        register += count
    return f"{text}${register},0x{selector:x};"


def lower_sparse_mma(lowering: Lowering, op: nvgpu.MmaSpSyncOp) -> None:
    """Inline assembly; the metadata of two i16 is one register."""
    fragment_a, fragment_b = lowering.fragment(op.matrix_a), lowering.fragment(op.matrix_b)
    tf32 = op.tf32_enabled is not None
    kind = operand_type(op, fragment_a.element, tf32=tf32)
    a = multiplicand(fragment_a, kind)
    b = multiplicand(fragment_b, operand_type(op, fragment_b.element, tf32=tf32))
    fragment_c = lowering.fragment(op.matrix_c)
    c = accumulator(fragment_c)
    metadata = lowering.bitcast(op.sparse_metadata, i32)
    result = _ACCUMULATORS[fragment_c.element]
    counts = (len(c), len(a), len(b), len(c))
    selector = op.sparsity_selector.value.data
    constraints = ",".join(["=r"] * len(c) + ["r"] * (len(a) + len(b) + len(c) + 1))
    properties: dict[str, Attribute] = {
        "asm_dialect": IntegerAttr(0, i64),
        "asm_string": StringAttr(_sparse_assembly(op, kind, result, counts, selector)),
        "constraints": StringAttr(constraints),
        "has_side_effects": UnitAttr(),
    }
    struct = lowering.value(llvm.InlineAsmOp, [*a, *b, *c, metadata], result_struct(c), properties)
    define_result(lowering, op.res, struct, c)


LOWERINGS: dict[str, Lower] = {"nvgpu.mma.sync": lower_mma, "nvgpu.mma.sp.sync": lower_sparse_mma}
