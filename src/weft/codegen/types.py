"""How MLIR types lie in registers and in memory.

A scalar is an integer (`Lin`), a predicate (`i1`), a float or a pointer.  Vectors, LLVM arrays and structs and memref
descriptors are flat tuples of scalars in row-major order; an i128 is its two halves, the low one first.  Vectors of
4-, 8- and 16-bit elements whose rows fill whole 32-bit registers are tuples of such packed registers ("lanes"), as mma
fragments want them.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from math import prod
from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute

from weft.codegen.graph import B16, B32, B64, PRED
from weft.codegen.linear import DYNAMIC as DYNAMIC
from weft.dataclass import dataclass

MOST_SCALARS = 1 << 14
"""Registers that one value takes at most; a thread has 255, and the time to compile grows with them."""
MOST_MEMBERS = 1 << 20
"""Members of an array in memory that are looked at one by one at most."""
WIDE = 128
"""The width of the integers that take two registers."""

GLOBAL, SHARED, CONST, LOCAL, GENERIC = "global", "shared", "const", "local", ""
TENSOR = "tensor"
"""Tensor memory, whose addresses are 32-bit numbers of their own."""
_SPACES = {0: GENERIC, 1: GLOBAL, 3: SHARED, 4: CONST, 5: LOCAL, 6: TENSOR, 7: "shared::cluster", 101: "param"}
_NAMED_SPACES = {"global": GLOBAL, "workgroup": SHARED, "private": LOCAL}


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar in registers: `kind` is `test`, `int`, `float`, `pointer` or `packed`; `name` its MLIR type.

    `width` is the number of bits it means (of each element, if packed); `cls` the register class that holds it.
    `bit` is where it starts in its byte in memory, if it shares the byte with others.
    """

    kind: str
    cls: str
    width: int
    name: str
    bit: int | None = None

    @property
    def floating(self) -> bool:
        """Whether it is a float: `kind` is `int` for those of 8 bits and fewer, which no register class is for."""
        return self.kind == "float" or (self.kind == "int" and self.name[0] == "f")

    @property
    def bytes(self) -> int:
        """Its size in memory."""
        if self.kind in ("packed", "pointer"):
            return 4 if self.kind == "packed" else 8
        return max(1, 1 << (self.width - 1).bit_length() >> 3)

    @property
    def moved(self) -> int:
        """The bytes of it that a load or a store touches: those of an i24 are three of its four."""
        return -(-self.width // 8) if self.kind == "int" else self.bytes


@dataclass(frozen=True, slots=True)
class Layout:
    """A type in registers: its scalars, and whether it is a tuple of them (or one bare scalar)."""

    scalars: tuple[Scalar, ...]
    composite: bool


class UnsupportedTypeError(Exception):
    """The type has no place in registers."""

    def __str__(self) -> str:
        return f"weft cannot lower {super().__str__()}"


class WideIntegerError(UnsupportedTypeError):
    """An operation has no lowering for an integer of more than 64 bits."""

    def __str__(self) -> str:
        return "integers of more than 64 bits have no lowering here"


_FLOATS = {
    "f16": ("float", B16, 16),
    "bf16": ("float", B16, 16),
    "f32": ("float", B32, 32),
    "tf32": ("float", B32, 32),
    "f64": ("float", B64, 64),
}
_FLOAT_WIDTHS = {"f8": 8, "f6": 8, "f4": 4}


def scalar(type_: Any) -> Scalar:
    """The scalar that a scalar type is; raises UnsupportedTypeError."""
    return _integer(type_.width.data) if type(type_) is IntegerType else _other(type_)


@cache
def _integer(width: int) -> Scalar:
    if width == 1:
        return Scalar("test", PRED, 1, "i1")
    if width > WIDE:
        raise UnsupportedTypeError(f"i{width}")
    return Scalar("wide" if width > 64 else "int", B32 if width <= 32 else B64, width, f"i{width}")


@cache
def _other(type_: Any) -> Scalar:
    """The scalar that a type is which is no integer."""
    if isinstance(type_, IndexType):
        return Scalar("int", B64, 64, "index")
    name = type_.name
    if isinstance(type_, FunctionType):
        return Scalar("pointer", B64, 64, GENERIC)
    if name in _FLOATS:
        kind, cls, width = _FLOATS[name]
        return Scalar(kind, cls, width, name)
    if name[:2] in _FLOAT_WIDTHS:
        return Scalar("int", B32, _FLOAT_WIDTHS[name[:2]], name)
    if name == "llvm.ptr":
        space = pointer_space(type_)
        if space == TENSOR:
            return Scalar("int", B32, 32, TENSOR)
        return Scalar("pointer", B32 if is_narrow(space) else B64, 32 if is_narrow(space) else 64, space)
    if name == "nvgpu.tensormap.descriptor":
        return Scalar("pointer", B64, 64, GENERIC)
    raise UnsupportedTypeError(str(type_))


def is_narrow(space: str) -> bool:
    """Whether addresses of the state space are kept in 32-bit registers."""
    return space.startswith("shared") or space == TENSOR


def pointer_space(type_: Any) -> str:
    """The state space of an `!llvm.ptr<n>`."""
    number: int = getattr(type_.addr_space, "data", 0)
    return _space_of_number(number)


def _space_of_number(number: int) -> str:
    space = _SPACES.get(number)
    if space is None:
        raise UnsupportedTypeError(f"a pointer into address space {number}")
    return space


def memory_space(type_: Any) -> str:
    """The state space of a memref; the default space is generic."""
    space: Any = type_.memory_space
    if isinstance(space, NoneAttr):
        return GENERIC
    if isinstance(space, IntegerAttr):
        return _space_of_number(space.value.data)
    if space.name == "gpu.address_space":
        return _NAMED_SPACES[space.data.value]
    raise UnsupportedTypeError(f"memory space {space}")


def is_wide(type_: Any) -> bool:
    """Whether the type is an integer in two registers."""
    return isinstance(type_, IntegerType) and 64 < type_.bitwidth <= WIDE


def has_wide_elements(type_: Any) -> bool:
    """Whether the type is a vector of integers that are two registers each."""
    return is_vector(type_) and is_wide(type_.element_type)


def is_vector(type_: Any) -> bool:
    """Whether the type is a vector; by its name, since `isinstance` asks the abstract classes of all others."""
    return type_.name == "vector"


def is_memref(type_: Any) -> bool:
    """Whether the type is a ranked memref."""
    return isinstance(type_, MemRefType)


@cache
def lanes_of(type_: Any) -> Scalar | None:
    """The packed scalar that the vector's registers are, None when it has a register for each element."""
    try:
        element = scalar(type_.element_type)
    except UnsupportedTypeError:
        return None
    shape = type_.get_shape()
    if element.width in (4, 8, 16) and shape and shape[-1] * element.width % 32 == 0:
        return Scalar("packed", B32, element.width, element.name)
    return None


def is_unranked(type_: Any) -> bool:
    """Whether the type is a memref of any rank."""
    return isinstance(type_, UnrankedMemRefType)


@cache
def layout(type_: Any) -> Layout:
    """The type in registers; raises UnsupportedTypeError."""
    if is_vector(type_):
        count = prod(type_.get_shape())
        packed = lanes_of(type_)
        if packed is not None:
            return Layout(_repeated((packed,), count * packed.width // 32, type_), True)
        element = scalar(type_.element_type)
        parts = layout(type_.element_type).scalars if element.kind == "wide" else (element,)
        return Layout(_repeated(parts, count, type_), True)
    if is_unranked(type_):
        return Layout((scalar(IndexType()), Scalar("pointer", B64, 64, GENERIC)), True)
    if is_memref(type_):
        pointer = memref_pointer(type_)
        rank = len(type_.get_shape())
        return Layout((pointer, pointer, *(scalar(IndexType()),) * (1 + 2 * rank)), True)
    if type_.name == "llvm.array":
        return Layout(_repeated(layout(type_.type).scalars, type_.size.data, type_), True)
    if type_.name == "complex":
        return Layout((scalar(type_.element_type),) * 2, True)
    if type_.name == "llvm.struct":
        members = [layout(part).scalars for part in element_types(type_)]
        if sum(map(len, members)) > MOST_SCALARS:
            raise _too_large("a struct", sum(map(len, members)))
        return Layout(tuple(chain.from_iterable(members)), True)
    if type_.name == "gpu.mma_matrix":
        return Layout(_fragment(type_), True)
    if is_wide(type_):
        upper = type_.bitwidth - 64
        return Layout((scalar(IntegerType(64)), Scalar("int", B64, upper, f"i{upper}")), True)
    if type_.name == "llvm.void":
        return Layout((), True)
    return Layout((scalar(type_),), False)


def _repeated(scalars: tuple[Scalar, ...], count: int, type_: Any) -> tuple[Scalar, ...]:
    """The registers of so many members of a type."""
    if len(scalars) * count > MOST_SCALARS:
        raise _too_large("an array" if type_.name == "llvm.array" else str(type_), len(scalars) * count)
    return scalars * count


def _too_large(what: str, count: int) -> UnsupportedTypeError:
    return UnsupportedTypeError(f"{what} of {count} registers: the limit is {MOST_SCALARS}")


def _fragment(type_: Any) -> tuple[Scalar, ...]:
    """The registers of a thread for a matrix of a warp: those of `wmma`, where an f16 multiplicand is held twice."""
    rows, columns = type_.sizes
    element = scalar(type_.element_type)
    multiplicand = type_.operand.data != "COp"
    if element.name == "f16":
        packed = Scalar("packed", B32, 16, "f16")
        return _repeated((packed,), 8 if multiplicand else rows * columns // 64, type_)
    if element.kind == "int" and element.width == 8:
        return _repeated((Scalar("packed", B32, 8, "i8"),), rows * columns // 128, type_)
    return _repeated((element,), rows * columns // 32, type_)


def memref_pointer(type_: Any) -> Scalar:
    """The pointers in a memref's descriptor."""
    space = memory_space(type_)
    return Scalar("pointer", B32, 32, space) if is_narrow(space) else Scalar("pointer", B64, 64, space)


def element_types(type_: Any) -> tuple[Attribute, ...]:
    """The types of the members of an LLVM aggregate, of the elements of a vector, of the parts of a complex number."""
    if type_.name == "complex":
        return (type_.element_type,) * 2
    if is_vector(type_):
        return (type_.element_type,) * prod(type_.get_shape())
    if type_.name == "llvm.array":
        if type_.size.data > MOST_MEMBERS:
            raise UnsupportedTypeError(f"an array of {type_.size.data} members: the limit is {MOST_MEMBERS}")
        return (type_.type,) * type_.size.data
    members: ArrayAttr[Attribute] = type_.types
    return members.data


def repeated_type(type_: Any) -> Attribute:
    """The type of each member of an LLVM array, of each element of a vector or part of a complex number."""
    return type_.type if type_.name == "llvm.array" else type_.element_type


@cache
def member(type_: Any, position: tuple[int, ...]) -> tuple[int, int, Attribute]:
    """Where a member of an LLVM aggregate or an array of vectors lies: first scalar, number of scalars, its type.

    The position must not reach into a packed vector.
    """
    start = 0
    for index in position:
        members = element_types(type_)
        if type_.name == "llvm.struct":
            start += sum(len(layout(m).scalars) for m in members[:index])
        else:
            start += index * len(layout(members[0]).scalars)
        type_ = members[index]
    return start, len(layout(type_).scalars), type_


def is_packed(type_: Any) -> bool:
    """Whether the members of an LLVM struct lie side by side, without padding."""
    return getattr(type_, "PACKED", False)


@cache
def size_of(type_: Any) -> int:
    """The size in bytes of a value in memory, as LLVM's data layout for NVPTX has it."""
    if is_vector(type_):
        return -(-prod(type_.get_shape()) * element_bits(type_) // 8)
    if type_.name == "llvm.array":
        return type_.size.data * _padded(type_.type)
    if type_.name == "complex":
        return 2 * _padded(type_.element_type)
    if type_.name == "llvm.struct":
        offset = struct_offsets(type_)[-1]
        align = align_of(type_)
        return -(-offset // align) * align
    return max(1, 1 << (_bits(type_) - 1).bit_length() >> 3)


def element_bits(type_: Any) -> int:
    """The bits from one element of a vector to the next in memory: elements lie side by side, an i1 is one bit."""
    element = type_.element_type
    return element.bitwidth if isinstance(element, IntegerType) else _bits(element)


def _bits(type_: Any) -> int:
    if type_.name == "llvm.ptr":
        return 32 if pointer_space(type_) == TENSOR else 64
    found = scalar(type_)
    return 8 if found.kind == "test" else found.width


def _padded(type_: Any) -> int:
    align = align_of(type_)
    return -(-size_of(type_) // align) * align


def struct_offsets(type_: Any) -> tuple[int, ...]:
    """The byte offset of each member of an LLVM struct, and the end of the last."""
    offsets: list[int] = []
    end = 0
    for part in element_types(type_):
        align = 1 if is_packed(type_) else align_of(part)
        end = -(-end // align) * align
        offsets.append(end)
        end += _padded(part)
    return (*offsets, end)


@cache
def align_of(type_: Any) -> int:
    """The natural alignment in bytes of a value in memory."""
    if is_vector(type_):
        size = size_of(type_)
        return 1 << (size - 1).bit_length()
    if type_.name == "llvm.array":
        return align_of(type_.type)
    if type_.name == "complex":
        return align_of(type_.element_type)
    if type_.name == "llvm.struct":
        return 1 if is_packed(type_) else max((align_of(m) for m in element_types(type_)), default=1)
    return size_of(type_)


def padded_size(type_: Any) -> int:
    """The distance between neighbours in an array of the type, in bytes."""
    return _padded(type_)


def static_strides(type_: Any) -> tuple[tuple[int, ...], int]:
    """A memref's strides and offset in elements, `DYNAMIC` where they are not static; raises UnsupportedTypeError."""
    shape: tuple[int, ...] = type_.get_shape()
    if isinstance(type_.layout, StridedLayoutAttr):
        strides = tuple(DYNAMIC if isinstance(s, NoneAttr) else s.data for s in type_.layout.strides.data)
        offset = type_.layout.offset
        return strides, DYNAMIC if isinstance(offset, NoneAttr) else offset.data
    if isinstance(type_.layout, NoneAttr) or _is_identity(type_.layout):
        strides_list: list[int] = []
        step = 1
        for extent in reversed(shape):
            strides_list.append(step)
            step = DYNAMIC if DYNAMIC in (step, extent) else step * extent
        return tuple(reversed(strides_list)), 0
    from weft.dialects.memref.layouts import strided

    found = strided(type_)
    if found is None:
        raise UnsupportedTypeError(f"the layout of {type_}")
    steps, start = found
    return tuple(DYNAMIC if step is None else step for step in steps), DYNAMIC if start is None else start


def _is_identity(layout_: Any) -> bool:
    data = getattr(layout_, "data", None)
    return (
        data is not None
        and len(data.results) == data.num_dims
        and all(getattr(result, "position", None) == index for index, result in enumerate(data.results))
    )
