"""`wmma`: matrices of a warp in fragments whose layout is the hardware's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import f64
from xdsl.dialects.llvm import LLVMStructType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from weft.dialects.nvvm.pointers import GENERIC, GLOBAL, SHARED
from weft.dialects.nvvm.products import register_type, registers

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm


def _verify_pointer(pointer: SSAValue, subject: str) -> None:
    if pointer.type not in (GENERIC, GLOBAL, SHARED):
        raise VerifyException(f"expected {subject} in memory space 0, 1, 3")


def _registers(stem: str, **slots: str) -> Mapping[str, int]:
    """The registers of an instruction's operands, which must exist."""
    found = registers(stem, **slots)
    if found is None:
        raise VerifyException("invalid attribute combination")
    return found


def _verify_result(result: Attribute, count: int, register: Attribute) -> None:
    if result != LLVMStructType.from_type_list([register] * count):
        raise VerifyException(f"expected destination type is a structure of {count} elements of type '{register}'")


def load(op: nvvm.WmmaLoadOp) -> None:
    """There is such a load, and its result is the fragment's registers; one f64 stands alone."""
    _verify_pointer(op.ptr, "source pointer")
    shape = f"m{op.m.value.data}n{op.n.value.data}k{op.k.value.data}"
    matrix, element = op.frag.data.value, op.eltype.data.value
    found = _registers("wmma.load", matrix=matrix, layout=op.layout.data.value, shape=shape, type=element)
    count = found["r"]
    if count == 1 and element == "f64":
        if op.res.type != f64:
            raise VerifyException("expected destination type to be f64")
        return
    _verify_result(op.res.type, count, register_type(element))


def store(op: nvvm.WmmaStoreOp) -> None:
    """There is such a store, and its data are the fragment's registers."""
    _verify_pointer(op.ptr, "operands to be a source pointer")
    shape = f"m{op.m.value.data}n{op.n.value.data}k{op.k.value.data}"
    element = op.eltype.data.value
    found = _registers("wmma.store", matrix="d", layout=op.layout.data.value, shape=shape, type=element)
    if len(op.args) != found["r"]:
        raise VerifyException(f"expected {found['r']} data operands")
    register = register_type(element)
    if any(operand.type != register for operand in op.args):
        raise VerifyException(f"expected data operands of type '{register}'")


def product(op: nvvm.WmmaMmaOp) -> None:
    """There is such a product, and its operands are its registers."""
    element, accumulator = op.eltype_a.data.value, op.eltype_b.data.value
    layouts = {"alayout": op.layout_a.data.value, "blayout": op.layout_b.data.value}
    shape = f"m{op.m.value.data}n{op.n.value.data}k{op.k.value.data}"
    types = {"dtype": accumulator, "ctype": accumulator}
    if element != "f16":  # Which needs no saying.
        types |= {"atype": element, "btype": element}
    found = _registers("wmma.mma", **layouts, shape=shape, **types)
    multiplicands = [register_type(element)] * (found["a"] + found["b"])
    expected = multiplicands + [register_type(accumulator)] * found["c"]
    if len(op.args) != len(expected):
        raise VerifyException(f"expected {len(expected)} arguments")
    for index, (operand, register) in enumerate(zip(op.args, expected, strict=True)):
        if operand.type != register:
            raise VerifyException(f"expected argument {index} to be of type '{register}'")
    _verify_result(op.res.type, found["d"], register_type(accumulator))
