"""Functions: parameters, buffers, returns, and the body's control flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Attribute, Operation

from weft.codegen import linear
from weft.codegen.access import load_places
from weft.codegen.blocks import move_block
from weft.codegen.calls import by_value, bytes_at, carrier, received, store_results
from weft.codegen.emit import BodyEmitter
from weft.codegen.graph import B32, B64, Addr, Value
from weft.codegen.linear import Lin
from weft.codegen.memrefs import MAX_EXTENT, MemRef, Unranked, of_static_type
from weft.codegen.records import passed_directly, record
from weft.codegen.selector import Selector
from weft.codegen.types import (
    GENERIC,
    LOCAL,
    SHARED,
    Scalar,
    align_of,
    is_memref,
    is_unranked,
    layout,
    memory_space,
    padded_size,
)
from weft.isa import opcode
from weft.isa.opcode import Opcode
from weft.mlir import compile_error
from weft.mlir.walking import operations_in
from weft.ptx.ast import Function, LabelledDirective, Parameter, RegisterDeclaration, Statement, Variable
from weft.ptx.emit import LOCAL_STACK_POINTER, STACK_POINTER, local_depot
from weft.ptx.operands import Symbol

FEW_VALUES = 20_000
"""Values that every function may make."""
VALUES_OF_AN_OPERATION = 64
"""Those that it may make beyond these for each of its operations; on average they make two or three."""
SHARED_ALIGNMENT = 16
"""The least alignment of a shared buffer of 16 bytes or more: it lets accesses be vectors."""


def _only_read(pointer: Any) -> bool:
    """Whether nothing but loads uses the pointer, and what is computed from it."""
    for use in pointer.uses:
        op = use.operation
        if op.name == "llvm.getelementptr":
            if use.index or not _only_read(op.results[0]):
                return False
        elif op.name != "llvm.load" and not (op.name.startswith("llvm.intr.memcpy") and use.index == 1):
            return False
    return True


class FunctionSelector(Selector):
    """Selects one function and emits it.

    `operation` is the function; `index` numbers it in its module; `bare_pointers` passes a memref of
    static shape as one pointer.
    """

    def __init__(
        self, module: Any, operation: Any, name: str, index: int, *, kernel: bool, bare_pointers: bool = False
    ) -> None:
        super().__init__(module)
        self.operation = operation
        self.source = operation
        self.name = name
        self.kernel = kernel
        self.function = Function(name, kernel, linkage="visible", body=[])
        self._index = index
        self._bare = bare_pointers
        self._buffers: list[Statement] = []
        self._depot: Value | None = None
        self._depot_size = 0
        self._depot_alignment = 8
        self._grown = False
        self._alone = False
        self.allow(FEW_VALUES)

    def grow(self) -> None:
        """Allow the values that the function's length asks for, which is counted only where the first do not do."""
        if self._grown:
            super().grow()
        self._grown = True
        self.allow(VALUES_OF_AN_OPERATION * (1 + len(operations_in(self.operation.regions))))

    # -- parameters ---------------------------------------------------------------------------------------------

    def bind_parameter(self, argument: Any, attributes: dict[str, Attribute]) -> None:
        """Declare the parameters of one argument and bind it to their values."""
        type_ = argument.type
        self._alone = "llvm.noalias" in attributes
        aligned: Any = attributes.get("llvm.align")
        alignment: int = aligned.value.data if aligned is not None else 0
        if is_memref(type_):
            self.values[argument] = self._memref_parameter(argument, alignment)
        elif is_unranked(type_):
            if self.kernel:
                raise compile_error(self.source, f"a kernel cannot take {type_}", "pass a ranked memref")
            self.values[argument] = Unranked(*(self._scalar(kind, 1) for kind in layout(type_).scalars))
        elif "llvm.byval" in attributes:
            kept = "nvvm.grid_constant" in attributes or "tile.grid_constant" in attributes
            self.values[argument] = self._by_value(argument, attributes["llvm.byval"], alignment, kept=kept)
        elif not self.kernel:
            self.values[argument] = self._device_parameter(type_)
        elif layout(type_).composite:
            self.values[argument] = self._aggregate(type_)
        else:
            kind = layout(type_).scalars[0]
            self.values[argument] = self._scalar(kind, alignment or 1)

    def bind_unnamed(self) -> None:
        """Declare the parameter that points to the arguments without names."""
        self.unnamed = self._load(self._declare("b64"), "b64", B64)

    def _declare(self, type_: str, **facts: Any) -> Symbol:
        parameter = Parameter(type_, f"{self.name}_param_{len(self.function.parameters)}", **facts)
        self.function.parameters.append(parameter)
        return Symbol(parameter.name)

    def _load(self, symbol: Symbol, type_: str, cls: str, lo: int = 0, hi: int = -1, offset: int = 0) -> Value:
        return self.pure(opcode("ld", ss="param", type=type_), cls, Addr(symbol, offset), lo=lo, hi=hi)

    def _scalar(self, kind: Scalar, alignment: int, lo: int = 0, hi: int = -1) -> Any:
        if kind.kind == "test":
            value = self._load(self._declare("u8"), "u8", B32, 0, 255)
            return self.to_test(linear.of(value))
        if kind.kind == "pointer":
            return linear.of(self._pointer(kind, alignment))
        type_ = f"u{8 * kind.bytes}" if kind.kind == "int" and kind.width < 32 else f"b{8 * kind.bytes}"
        if kind.kind == "int" and kind.width < 32:
            lo, hi = 0, (1 << 8 * kind.bytes) - 1
        return self.wrapped(self._load(self._declare(type_), type_, kind.cls, lo, hi), kind)

    def _pointer(self, kind: Scalar, alignment: int) -> Value:
        """A pointer parameter; kernels get generic pointers into global memory only."""
        if kind.cls == B32:
            wide = self._load(self._declare("b64"), "b64", B64)
            value = self.narrowed(wide)
        else:
            value = self._load(self._declare("b64"), "b64", B64)
            if kind.name == GENERIC and self.kernel:
                passed = value
                value = self.pure(opcode("cvta", to=True, ss="global", size="u64"), B64, passed)
                value.generic, value.space = passed, "global"
            else:
                value.space = kind.name
        self.alignment[value] = max(alignment, self.alignment.get(value, 1))
        self.window.pointers[value] = self._alone
        return value

    def _memref_parameter(self, argument: Any, alignment: int) -> MemRef:
        type_ = argument.type
        kind = layout(type_).scalars[0]
        alignment = max(alignment, align_of(type_.element_type))
        if self._bare:
            if not type_.has_static_shape():
                raise compile_error(
                    self.source, f"{type_} cannot be passed as a bare pointer", "give it a static shape"
                )
            return of_static_type(type_, linear.of(self._pointer(kind, alignment)))
        index = layout(type_).scalars[2]
        allocated = linear.of(self._pointer(kind, 1))
        aligned = linear.of(self._pointer(kind, alignment))
        rank = len(type_.get_shape())
        rest = [self._scalar(index, 1)]
        rest += [self._scalar(index, 1, 0, MAX_EXTENT) for _ in range(rank)]
        rest += [self._scalar(index, 1) for _ in range(rank)]
        return self.unflatten(type_, (allocated, aligned, *rest))

    def _by_value(self, argument: Any, type_: Any, alignment: int, *, kept: bool) -> Lin:
        """An aggregate that the caller puts into the parameter itself: its address there.

        The address of a device function's parameter is one in local memory.  A kernel's parameters cannot be written:
        what may be, or may go where nobody sees it, is copied, unless it is to be `kept` as it is (a tensor map, say).
        """
        declared = by_value(getattr(type_, "data", type_), alignment)
        symbol = self._declare(declared.type, align=declared.align, dims=declared.dims)
        # `mov.u64` is never folded into an access, where the name would stand for the parameter in the other space.
        value = self.pure(opcode("mov", type="b64" if self.kernel else "u64"), B64, symbol)
        value.space = "param" if self.kernel else "local"
        self.alignment[value] = declared.align
        address = linear.of(value)
        if not self.kernel or kept or _only_read(argument):
            return address
        (size,) = declared.dims
        buffer = self.local_buffer(size, declared.align)
        move_block(self, (buffer, "local"), (address, "param"), size, declared.align)
        return buffer

    def _device_parameter(self, type_: Any) -> Any:
        """A parameter of a device function."""
        bits = passed_directly(type_)
        if not bits:
            return self._aggregate(type_)
        kind = layout(type_).scalars[0]
        return received(self, self._load(self._declare(f"b{bits}"), f"b{bits}", carrier(kind)), kind)

    def _aggregate(self, type_: Any) -> Any:
        found = record([type_])
        symbol = self._declare("b8", align=found.alignment, dims=(found.size,))
        scalars = load_places(self, bytes_at(self, symbol.name), found.places, "param", found.alignment)
        return self.unflatten(type_, tuple(scalars))

    # -- buffers ------------------------------------------------------------------------------------------------

    def shared_buffer(self, size: int, alignment: int) -> Lin:
        """A buffer in shared memory, of the function's own: its 32-bit address."""
        if size >= SHARED_ALIGNMENT:
            alignment = max(alignment, SHARED_ALIGNMENT)
        number = sum(isinstance(b, Variable) and b.space == "shared" for b in self._buffers)
        variable = Variable("shared", "b8", f"__shared_{self.name}_{number}", align=alignment, dims=(size,))
        self._buffers.append(variable)
        self.window.objects.add(variable.name)
        value = self.pure(opcode("mov", type="b32"), B32, Symbol(variable.name))
        self.alignment[value] = alignment
        return linear.of(value)

    def call_buffer(self, declared: Parameter) -> str:
        """The name of a parameter variable for an argument or the results of one call, declared like `declared`."""
        number = sum(isinstance(b, Variable) and b.space == "param" for b in self._buffers)
        name = f"__call_{number}"
        self._buffers.append(Variable("param", declared.type, name, align=declared.align, dims=declared.dims))
        return name

    def call_prototype(self, make: Callable[[str], LabelledDirective]) -> str:
        """The label of the prototype that `make` makes for a label; equal ones are declared once."""
        for statement in self._buffers:
            if isinstance(statement, LabelledDirective) and statement == make(statement.label):
                return statement.label
        label = f"__prototype_{self._index}_{len(self._buffers)}"
        self._buffers.append(make(label))
        return label

    def local_buffer(self, size: int, alignment: int) -> Lin:
        """A buffer in the thread's own memory: its address in the local state space."""
        with self.at(self.root):
            if self._depot is None:
                self._depot = self.pure(opcode("mov", type="b64"), B64, Symbol(f"__local_depot{self._index}"))
                self._depot.space = "local"
                self._depot.register = LOCAL_STACK_POINTER
                self._depot.generic = self.pure(opcode("cvta", ss="local", size="u64"), B64, self._depot)
                self._depot.generic.register = STACK_POINTER
                self.alignment[self._depot] = 16
        if size >= 16:
            alignment = max(alignment, 16)
        offset = -(-self._depot_size // alignment) * alignment
        self._depot_size = offset + max(size, 1)  # What is empty has an address, too.
        # Accesses take the 16 noted above for granted, those joined over several small buffers too.
        self._depot_alignment = max(self._depot_alignment, alignment, 16 if self._depot_size >= 16 else 8)
        return linear.offset(linear.of(self._depot), offset)

    def dynamic_buffer(self, size: Lin, alignment: int) -> Lin:
        """A buffer of `size` bytes on the thread's stack, from here on: its address in the local state space."""
        alignment = max(alignment, 8)
        rounded = self.bitwise("and", linear.offset(size, alignment - 1), linear.const(-alignment))
        value = self.value(B64)
        self.emit(opcode("alloca", type="u64"), value, self.operand(rounded), alignment, outs=(value,))
        value.space = LOCAL
        self.alignment[value] = alignment
        return linear.of(value)

    def bind_buffer(self, argument: Any, attributes: dict[str, Attribute]) -> None:
        """A workgroup or private attribution of a `gpu.func`."""
        type_ = argument.type
        given: Any = attributes.get("llvm.align")
        alignment = given.value.data if given is not None else align_of(type_.element_type)
        size = padded_size(type_.element_type)
        for extent in type_.get_shape():
            size *= extent
        if not type_.has_static_shape():
            raise compile_error(self.source, f"a buffer of type {type_} needs a static shape")
        buffer = self.shared_buffer if memory_space(type_) == SHARED else self.local_buffer
        self.values[argument] = of_static_type(type_, buffer(size, alignment))

    def symbol_address(self, name: str) -> Lin | None:
        """The address of a variable of the module in its own state space, None when there is none."""
        variable: Variable | None = self.module.variable(name)
        if variable is None:
            return None
        narrow = variable.space == "shared"
        type_ = "b32" if narrow else "u64" if variable.type.endswith("ref") else "b64"
        value = self.pure(opcode("mov", type=type_), B32 if narrow else B64, Symbol(name))
        if not narrow:
            value.space = variable.space
        self.alignment[value] = max(variable.align, 1)
        if variable.linkage != "extern":
            self.window.objects.add(name)
        return linear.of(value)

    def descriptor(self, value: Unranked) -> Lin:
        """See `Selector`."""
        from weft.codegen.ops.memref_unranked import descriptor

        return descriptor(self, value)

    def function_address(self, name: str) -> Lin | None:
        """The address of a function of the module, None when there is none."""
        if not self.module.is_function(name):
            return None
        self.module.calls(name)
        return linear.of(self.pure(opcode("mov", type="b64"), B64, Symbol(name)))

    # -- the body -----------------------------------------------------------------------------------------------

    def return_values(self, op: Operation, values: tuple[Any, ...]) -> None:
        """Store the results and return."""
        if self.kernel and values:
            raise compile_error(op, "a kernel cannot return values")
        store_results(self, [value.type for value in values], [self.get(value) for value in values])
        self.emit(opcode("ret"))

    def _twice(self, code: Opcode) -> Opcode | None:
        """What does an instruction's work on two f32."""
        rounding = code.get("rnd") or "rn"
        return self.module.available(code.stem, rnd=rounding, ftz=bool(code.get("ftz")), type="f32x2")

    def emitted(self, origins: dict[int, Any] | None = None) -> Function:
        """The function with its body; `origins` takes the operation that each statement comes from."""
        labels = f"$L__BB{self._index}"
        emitter = BodyEmitter(
            self.root, self.module.check_opcode, labels, self.module.special_register, origins, self.notes
        )
        emitter.products, emitter.aligned, emitter.depot = self.products, self.aligned, self._depot
        emitter.window = self.window
        if self.module.available("fma", rnd="rn", type="f32x2") is not None:
            emitter.twice = self._twice
        statements = emitter.run()
        self.values.clear()
        head, _ = local_depot(self._index, self._depot_size if emitter.depot is not None else 0, self._depot_alignment)
        declarations = [s for s in statements if isinstance(s, RegisterDeclaration)]
        self.function.body = [*head, *declarations, *self._buffers, *statements[len(declarations) :]]
        return self.function
