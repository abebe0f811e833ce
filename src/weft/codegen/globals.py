"""Variables of a module: `memref.global` and `llvm.mlir.global`, with their initial values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, UnitAttr
from xdsl.ir import Attribute, Operation

from weft.codegen.constants import pattern
from weft.codegen.directives import find
from weft.codegen.linkage import EXTERNAL, linkage_of, variable_word
from weft.codegen.names import ptx_name
from weft.codegen.records import places, spanned
from weft.codegen.references import managed, opaque
from weft.codegen.types import (
    SHARED,
    UnsupportedTypeError,
    align_of,
    element_types,
    is_memref,
    is_vector,
    is_wide,
    lanes_of,
    layout,
    memory_space,
    padded_size,
    scalar,
    struct_offsets,
)
from weft.dialects import narrow
from weft.dialects.narrow import known_memref
from weft.dialects.strings import text_bytes
from weft.mlir import compile_error
from weft.ptx.ast import Variable
from weft.ptx.constants import literal
from weft.ptx.operands import Integer, Symbol
from weft.ptx.values import Address, AddressByte, GenericAddress, Value, ValueList

_SPACES = {0: "global", 1: "global", 3: SHARED, 4: "const"}
WORD = 8
DYNAMIC_INDEX = -(1 << 31)
"""What is in `rawConstantIndices` for an operand."""


MOST_BYTES = 1 << 26
"""What is written of a variable's initial value at most."""


class Image:
    """The initial bytes of a variable: numbers, and the addresses of other variables by their offset."""

    def __init__(self, size: int) -> None:
        if size > MOST_BYTES:
            raise UnsupportedTypeError(f"an initial value of {size} bytes: the limit is {MOST_BYTES}")
        self.data = bytearray(size)
        self.symbols: dict[int, Address] = {}

    def put(self, offset: int, part: Image) -> None:
        """Copy another image to an offset."""
        self.data[offset : offset + len(part.data)] = part.data
        end = offset + len(part.data)
        kept = {at: symbol for at, symbol in self.symbols.items() if not offset <= at < end}
        self.symbols = kept | {offset + at: symbol for at, symbol in part.symbols.items()}

    def value(self) -> tuple[str, int, ValueList | None]:
        """The element type, the number of elements and the initialiser (None when everything is zero)."""
        if not self.symbols:
            length = len(self.data.rstrip(b"\0"))
            return "b8", len(self.data), ValueList(self.data[:length]) if length else None
        if any(at % WORD for at in (*self.symbols, len(self.data))):
            return self._masked()
        words: list[Address | int] = []
        for at in range(0, len(self.data), WORD):
            number = int.from_bytes(self.data[at : at + WORD], "little")
            words.append(self.symbols.get(at, number))
        return "u64", len(words), ValueList(words)

    def _masked(self) -> tuple[str, int, ValueList]:
        """The bytes one by one, those of addresses as PTX writes a byte of an address: `0xFF00(name)`."""
        values: list[Value | int] = [*self.data]
        for at, symbol in self.symbols.items():
            values[at : at + WORD] = [AddressByte(_mask(byte), symbol) for byte in range(WORD)]
        return "u8", len(values), ValueList(values)

    def plain(self, type_: str) -> Value | None:
        """The initialiser of one number or address of a type (None when it is zero)."""
        number = int.from_bytes(self.data, "little")
        if self.symbols:
            return self.symbols[0]
        if not number:
            return None
        if type_ in ("f32", "f64"):
            return literal(f"0{'f' if type_ == 'f32' else 'd'}{number:0{2 * len(self.data)}X}")
        return Integer(int.from_bytes(self.data, "little", signed=True))


def memref_variable(op: Operation) -> Variable:
    """The variable that a `memref.global` is; raises CompileError."""
    name = ptx_name(find(op, "sym_name").data)
    type_ = known_memref(op.properties["type"])
    try:
        space = memory_space(type_)
    except UnsupportedTypeError as error:
        raise compile_error(op, str(error)) from None
    space = space or "global"
    if space not in ("global", "const", SHARED):
        raise compile_error(op, f"a global cannot be in the {space} space")
    element = type_.element_type
    count = 1
    for extent in type_.get_shape():
        count *= extent
    alignment = narrow.stated(op, "alignment", align_of(element))
    value: Any = op.properties.get("initial_value")
    if space == SHARED and count * padded_size(element) >= 16:
        alignment = max(alignment, 16)
    initial: ValueList | None = None
    if isinstance(value, DenseIntOrFPElementsAttr):
        if space == SHARED:
            raise compile_error(op, "shared memory cannot be initialised")
        if any(value.data.data):
            if count > MOST_BYTES // padded_size(element):
                size = count * padded_size(element)
                raise compile_error(op, f"an initial value of {size} bytes is too large: the limit is {MOST_BYTES}")
            initial = _elements(value, element)
    elif value is not None and not isinstance(value, UnitAttr):
        raise compile_error(op, f"the initial value {value} has no lowering")
    if space == SHARED and count == 0:
        return Variable(space, "b8", name, align=max(alignment, 16), dims=(-1,), linkage="extern")
    linkage = linkage_of(op)
    bits = 8 * padded_size(element)
    kind, per = (f"b{bits}", 1) if bits in (8, 16, 32, 64) else ("b8", bits // 8)
    return Variable(
        space, kind, name, align=alignment, dims=(count * per,), initializer=initial,
        linkage=variable_word(linkage, space, defined=value is not None), attributes=managed(op, space),
    )  # fmt: skip


def _elements(value: Any, element: Any) -> ValueList:
    numbers: list[Any] = list(value.get_values())
    if element.name == "complex":
        part = scalar(element.element_type)
        numbers = [pattern(re, part) | pattern(im, part) << 8 * part.bytes for re, im in numbers]
    elif not is_wide(element):
        kind = scalar(element)
        return ValueList(pattern(number, kind) for number in numbers)
    size = padded_size(element)
    if size <= WORD:
        return ValueList(numbers)
    return ValueList(b"".join((number & (1 << 8 * size) - 1).to_bytes(size, "little") for number in numbers))


def llvm_variable(op: Operation, spaces: dict[str, str]) -> Variable:
    """The variable that an `llvm.mlir.global` is; `spaces` are the state spaces of the module's symbols.

    Raises CompileError.
    """
    name = ptx_name(find(op, "sym_name").data)
    type_ = op.properties["global_type"]
    linkage = linkage_of(op)
    reference = opaque(op, name, linkage)
    if reference is not None:
        return reference
    space = space_of_global(op)
    try:
        image = _initial(op, type_, spaces)
        size, alignment = padded_size(type_), align_of(type_)
    except UnsupportedTypeError as error:
        raise compile_error(op, str(error)) from None
    alignment = narrow.stated(op, "alignment", alignment)
    defined = image is not None
    word = variable_word(linkage, space, defined=defined or linkage != EXTERNAL)
    if not defined and size == 0:
        return Variable(space, "b8", name, align=alignment, dims=(-1,), linkage=word or "extern")
    kind, count, initial = image.value() if image is not None else ("b8", size, None)
    if space == SHARED and initial is not None:
        raise compile_error(op, "shared memory cannot be initialised")
    dims: tuple[int, ...] = (max(count, 1),)
    plain = _plain_type(type_)
    value: Value | None = initial
    if plain:
        kind, dims, value = plain, (), image.plain(plain) if image is not None else None
    return Variable(space, kind, name, align=max(alignment, WORD if kind == "u64" else 1), dims=dims,
                    initializer=value, linkage=word, attributes=managed(op, space))  # fmt: skip


def _plain_type(type_: Any) -> str:
    """The type of a variable that is one number or address, as LLVM has it; empty for what is an array of bytes."""
    bits = 8 * padded_size(type_)
    if bits not in (8, 16, 32, 64) or (found := layout(type_)).composite:
        return ""
    if found.scalars[0].kind != "float":
        return f"u{bits}"
    return "b16" if bits == 16 else f"f{bits}"


def space_of_global(op: Operation) -> str:
    """The state space of an `llvm.mlir.global`."""
    space = _SPACES.get(narrow.stated(op, "addr_space", 0))
    if space is None:
        raise compile_error(op, "a global in this address space has no lowering")
    return space


def _initial(op: Operation, type_: Any, spaces: dict[str, str]) -> Image | None:
    """The initial value, None when there is none."""
    value = op.properties.get("value")
    if value is not None:
        return constant_image(op, value, type_)
    region = op.regions[0] if op.regions else None
    if region is None or not region.blocks:
        return None
    found: dict[Any, Image] = {}
    for inner in region.blocks[0].ops:
        if inner.name == "llvm.return":
            return found[inner.operands[0]]
        found[inner.results[0]] = _evaluated(inner, found, spaces)
    return None


def _evaluated(op: Operation, found: dict[Any, Image], spaces: dict[str, str]) -> Image:
    """The bytes of one operation of an initialiser."""
    type_ = op.results[0].type
    if op.name == "llvm.mlir.constant":
        return constant_image(op, op.properties["value"], type_)
    if op.name in ("llvm.mlir.zero", "llvm.mlir.undef", "llvm.mlir.poison"):
        return Image(padded_size(type_))
    if op.name == "llvm.insertvalue":
        image = Image(padded_size(op.operands[0].type))
        image.put(0, found[op.operands[0]])
        image.put(_offset(op.operands[0].type, narrow.numbers(op.properties["position"])), found[op.operands[1]])
        return image
    if op.name in ("llvm.mlir.addressof", "llvm.getelementptr", "llvm.addrspacecast"):
        return _address(op, found, spaces)
    raise compile_error(op, "the value of this operation is known only at run time")


def _space_number(type_: Attribute) -> int:
    return getattr(getattr(type_, "addr_space", None), "data", 0)


def _address(op: Operation, found: dict[Any, Image], spaces: dict[str, str]) -> Image:
    image = Image(WORD)
    if op.name == "llvm.mlir.addressof":
        name = ptx_name(narrow.symbol(op.properties["global_name"]))
        if name not in spaces:
            raise compile_error(op, f"undefined global or function '{name}'")
        number = _space_number(op.results[0].type)
        image.symbols[0] = GenericAddress(Symbol(name)) if spaces[name] and not number else Symbol(name)
        return image
    image.put(0, found[op.operands[0]])
    if op.name == "llvm.addrspacecast":
        if not image.symbols:
            return image
        symbol = image.symbols[0]
        symbol = symbol.symbol if isinstance(symbol, GenericAddress) else symbol
        image.symbols[0] = symbol if _space_number(op.results[0].type) else GenericAddress(symbol)
        return image
    offset = 0
    type_: Any = op.properties["elem_type"]
    indices = narrow.numbers(op.properties["rawConstantIndices"])
    dynamic = [int.from_bytes(found[operand].data, "little", signed=True) for operand in op.operands[1:]]
    indices = [dynamic.pop(0) if index == DYNAMIC_INDEX else index for index in indices]
    for position, index in enumerate(indices):
        if position == 0:
            offset += index * padded_size(type_)
        else:
            offset += _offset(type_, (index,))
            type_ = element_types(type_)[0 if type_.name != "llvm.struct" else index]
    if image.symbols:
        image.symbols[0] = _moved(image.symbols[0], offset)
    else:
        image.data[:] = ((int.from_bytes(image.data, "little") + offset) % (1 << 8 * WORD)).to_bytes(WORD, "little")
    return image


def _mask(byte: int) -> Integer:
    bits = 0xFF << 8 * byte
    return Integer(bits, f"0x{bits:X}")


def _moved(address: Address, offset: int) -> Address:
    if isinstance(address, GenericAddress):
        return GenericAddress(Symbol(address.symbol.name, address.symbol.offset + offset))
    return Symbol(address.name, address.offset + offset)


def _offset(type_: Any, position: Sequence[int]) -> int:
    """The offset of a member of an aggregate."""
    offset = 0
    for index in position:
        members: tuple[Any, ...] = element_types(type_)
        if type_.name == "llvm.struct":
            offset += struct_offsets(type_)[index]
            type_ = members[index]
        else:
            type_ = members[0]
            offset += index * padded_size(type_)
    return offset


def constant_image(op: Operation, value: Any, type_: Any) -> Image:
    """The bytes of a constant attribute of a type; raises CompileError."""
    image = Image(padded_size(type_))
    if (raw := text_bytes(value)) is not None:
        image.data[: len(raw)] = raw[: len(image.data)]
        return image
    if isinstance(value, UnitAttr) or is_memref(type_):
        raise compile_error(op, f"the constant {value} has no lowering")
    if isinstance(value, (IntegerAttr, FloatAttr)):
        size = padded_size(type_)
        data = value.value.data
        number = int(data) & ((1 << 8 * size) - 1) if layout(type_).composite else pattern(data, scalar(type_))
        image.data[:] = number.to_bytes(size, "little")
        return image
    if isinstance(value, ArrayAttr):
        members: tuple[Any, ...] = element_types(type_)
        entries: tuple[Any, ...] = tuple(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        for index, (member, entry) in enumerate(zip(members, entries, strict=True)):
            image.put(_offset(type_, (index,)), constant_image(op, entry, member))
        return image
    if isinstance(value, (DenseIntOrFPElementsAttr, DenseArrayBase)):
        dense = cast("Any", value)
        element: Any = dense.elt_type if isinstance(value, DenseArrayBase) else dense.type.element_type
        _put_elements(op, image, list(value.get_values()), type_, wide=is_wide(element))
        return image
    raise compile_error(op, f"the constant {value} has no lowering")


def _put_elements(op: Operation, image: Image, numbers: list[Any], type_: Any, *, wide: bool) -> None:
    spots = places(type_)
    packed = lanes_of(type_) if is_vector(type_) else None
    if packed is not None:
        kind, width = scalar(type_.element_type), packed.width
        bits = range(0, 8 * len(image.data), width)
        spots = tuple((at // 8, replace(kind, bit=at % 8) if width < 8 else kind) for at in bits)
    if wide:  # Each is two scalars.
        numbers = [half for number in numbers for half in (number, number >> 64)]
    if len(numbers) != len(spots):
        raise compile_error(op, f"{len(numbers)} numbers given for the {len(spots)} elements of {type_}")
    for (offset, kind), number in zip(spots, numbers, strict=True):
        if kind.bit is not None:
            bits = (pattern(number, kind) & ((1 << kind.width) - 1)) << kind.bit
            for at, byte in enumerate(bits.to_bytes(spanned(kind), "little"), offset):
                image.data[at] |= byte
            continue
        image.data[offset : offset + kind.bytes] = pattern(number, kind).to_bytes(kind.bytes, "little")
