"""Matrices of a warp in `gpu`: `gpu.subgroup_mma_*`, as `wmma`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen import floats, linear
from weft.codegen.linear import Lin
from weft.codegen.memrefs import element_address
from weft.codegen.nvvm.fragments import outputs, registers
from weft.codegen.ops.arith_cast import refloated
from weft.codegen.ops.llvm_data import pick, replaced
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, layout, padded_size, scalar
from weft.codegen.vectors import join, split
from weft.errors import counted
from weft.isa import opcode
from weft.mlir import compile_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import MemRefType
    from xdsl.ir import Attribute, SSAValue

    from weft.dialects.gpu.matrix_types import MMAMatrixType
    from weft.dialects.rows import gpu

_WIDTHS = {16: 16, 8: 32, 32: 8}
"""Rows of A by columns of B, for the shapes with a depth of 16."""


def _shape(op: Operation, type_: MMAMatrixType) -> str:
    """The shape of the products that a matrix takes part in."""
    rows, columns = type_.sizes
    element, operand = str(type_.element_type), type_.operand.data
    if element == "f64":
        return "m8n8k4"
    if operand != "COp" and element == "f32":
        return "m16n16k8"
    depth = {"AOp": columns, "BOp": rows, "COp": 16}[operand]
    m = rows if operand != "BOp" else _WIDTHS.get(columns, 0)
    n = columns if operand != "AOp" else _WIDTHS.get(rows, 0)
    if depth != 16 or _WIDTHS.get(m) != n:
        raise compile_error(op, f"no instruction takes a matrix of type {type_}")
    return f"m{m}n{n}k16"


_ELEMENTS = {"si8": "s8", "ui8": "u8", "i8": "s8", "i32": "s32", "f16": "f16", "f32": "f32", "f64": "f64"}


def _element(type_: MMAMatrixType) -> str:
    """The element type in PTX; an f32 multiplicand is used as tf32."""
    name = _ELEMENTS[str(type_.element_type)]
    return "tf32" if name == "f32" and type_.operand.data != "COp" else name


def _layout(op: Operation, flag: str) -> str:
    return "col" if op.properties.get(flag) is not None else "row"


def _place(
    s: Selector,
    op: gpu.SubgroupMmaLoadMatrixOp | gpu.SubgroupMmaStoreMatrixOp,
    memref: SSAValue[MemRefType[Attribute]],
    indices: Sequence[SSAValue],
    type_: MMAMatrixType,
) -> tuple[Any, str, Lin]:
    """The address of the matrix, its state space, and the distance of its rows in elements."""
    found = s.memref(memref)
    element = memref.type.element_type
    address = element_address(s, found, tuple(s.int(v) for v in indices), element)
    stride = op.lead_dimension.value.data
    if layout(element).composite:
        # A memref of vectors: rows are counted in its elements, the matrix in scalars.
        stride = stride * padded_size(element) // padded_size(type_.element_type)
    space = next((v.space for v, c in address.terms if c == 1 and v.space), "") or found.space
    return s.address(address), space, linear.const32(stride)


@handles("gpu.subgroup_mma_load_matrix")
def select_load(s: Selector, op: gpu.SubgroupMmaLoadMatrixOp) -> None:
    """A matrix from memory."""
    type_ = op.res.type
    where, space, stride = _place(s, op, op.src_memref, op.indices, type_)
    matrix = type_.operand.data[0].lower()
    text = opcode(
        "wmma.load",
        matrix=matrix,
        layout=_layout(op, "transpose"),
        shape=_shape(op, type_),
        ss=space,
        type=_element(type_),
    )
    outs = outputs(s, op)
    s.read(text, outs, where, s.operand(stride), outs=outs)


@handles("gpu.subgroup_mma_store_matrix")
def select_store(s: Selector, op: gpu.SubgroupMmaStoreMatrixOp) -> None:
    """A matrix to memory."""
    type_ = op.src.type
    where, space, stride = _place(s, op, op.dst_memref, op.indices, type_)
    text = opcode(
        "wmma.store",
        matrix="d",
        layout=_layout(op, "transpose"),
        shape=_shape(op, type_),
        ss=space,
        type=_element(type_),
    )
    s.emit(text, where, registers(s, op.operands[:1]), s.operand(stride))


@handles("gpu.subgroup_mma_compute")
def select_compute(s: Selector, op: gpu.SubgroupMmaComputeOp) -> None:
    """D = A * B + C."""
    a, b, c = op.operands
    m, k = op.op_a.type.sizes
    n = op.op_b.type.sizes[1]
    first, second, accumulator = (_element(v.type) for v in (op.op_a, op.op_b, op.op_c))
    types = {"dtype": accumulator, "ctype": accumulator}
    if first != "f16":  # Which needs no saying.
        types |= {"atype": first, "btype": second}
    layouts = {"alayout": _layout(op, "a_transpose"), "blayout": _layout(op, "b_transpose")}
    groups = [registers(s, [v]) for v in (a, b, c)]
    outs = outputs(s, op)
    s.read(opcode("wmma.mma", **layouts, shape=f"m{m}n{n}k{k}", **types), outs, *groups, outs=outs)


@handles("gpu.subgroup_mma_constant_matrix")
def select_constant(s: Selector, op: Operation) -> None:
    """A matrix with all elements the same."""
    type_ = op.results[0].type
    value = s.get(op.operands[0])
    found: list[Any] = []
    for kind in layout(type_).scalars:
        if kind.kind == "packed":
            parts = [value] * (32 // kind.width)
            found.append(join(s, parts, kind))
        else:
            found.append(value)
    s.values[op.results[0]] = tuple(found)


_UNARY = frozenset({"extf", "negatef", "negates"})
_FLOATS = {"addf": "add", "mulf": "mul", "subf": "sub", "maxf": "maximum", "minf": "minimum", "divf": "div"}


def _apply(s: Selector, op: Operation, name: str, operands: tuple[Any, ...], kind: Scalar) -> Any:
    """One element of the result."""
    if name in _FLOATS:
        a, b = operands
        return floats.binary(s, _FLOATS[name], a, b, kind)
    if name == "negatef":
        return floats.unary(s, "neg", operands[0], kind)
    if name == "negates":
        return s.sub(linear.const(0, operands[0].bits), operands[0])
    integers: dict[str, Any] = {"addi": s.add, "subi": s.sub, "muli": s.mul}
    if name in integers:
        return integers[name](*operands)
    if name in ("divs", "divu"):
        signed = name == "divs"
        a, b = (s.exactly(x, kind.width, signed=signed) for x in operands)
        return s.div(a, b, signed=signed)
    raise compile_error(op, f"'{name}' has no lowering")


@handles("gpu.subgroup_mma_elementwise")
def select_elementwise(s: Selector, op: gpu.SubgroupMmaElementwiseOp) -> None:
    """An operation on each element."""
    name = op.op_type.data.value
    result = op.results[0]
    count = 1 if name in _UNARY else 2
    if len(op.operands) != count:  # Which upstream's verifier does not ask.
        raise compile_error(op, f"'{name}' takes {count} matri{'x' if count == 1 else 'ces'}, not {len(op.operands)}")
    columns = [_elements(s, v) for v in op.operands]
    kind = scalar(op.args[0].type.element_type)
    if name == "extf":
        wide = scalar(op.res.type.element_type)
        out = [refloated(s, x, kind, wide) for x in columns[0]]
    else:
        out = [_apply(s, op, name, row, kind) for row in zip(*columns, strict=True)]
    s.values[result] = _packed(s, out, result.type)


def _elements(s: Selector, value: Any) -> list[Any]:
    """The elements of a matrix that this thread holds."""
    found: list[Any] = []
    for part, kind in zip(s.get(value), layout(value.type).scalars, strict=True):
        found += split(s, part, kind) if kind.kind == "packed" else [part]
    return found


def _packed(s: Selector, parts: list[Any], type_: Any) -> tuple[Any, ...]:
    """The registers of a matrix from its elements."""
    kinds = layout(type_).scalars
    per = len(parts) // len(kinds)
    if per == 1:
        return tuple(parts)
    return tuple(join(s, parts[i * per : (i + 1) * per], kind) for i, kind in enumerate(kinds))


def _flat(s: Selector, op: Operation, indices: Any, count: int) -> Lin:
    """The number of the element: threads hold theirs in one row."""
    index = s.int(indices[-1])
    if index.is_const and not 0 <= index.const < count:
        raise compile_error(op, f"index {index.const} is out of range: a thread holds {counted(count, 'element')}")
    return index


@handles("gpu.subgroup_mma_extract_thread_local")
def select_extract(s: Selector, op: Operation) -> None:
    """An element of those that the thread holds."""
    parts = _elements(s, op.operands[0])
    s.values[op.results[0]] = pick(s, tuple(parts), _flat(s, op, op.operands[1:], len(parts)))


@handles("gpu.subgroup_mma_insert_thread_local")
def select_insert(s: Selector, op: Operation) -> None:
    """A matrix with one of the thread's elements replaced."""
    value, matrix = op.operands[:2]
    parts = _elements(s, matrix)
    new = replaced(s, tuple(parts), s.get(value), _flat(s, op, op.operands[2:], len(parts)))
    s.values[op.results[0]] = _packed(s, new, op.results[0].type)
