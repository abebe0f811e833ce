"""Instruction selection: walks MLIR operations in order and builds the machine graph.

Operations are dispatched by name to handlers, which are registered by `handles`.  When an operation is met that has
none, the modules of its dialect are imported, one after the other, until one has.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Attribute, Operation, Region, SSAValue

from weft.codegen import linear
from weft.codegen.graph import B32, B64, Const, Value
from weft.codegen.integers import Integers, Test
from weft.codegen.lifetimes import Place
from weft.codegen.linear import Lin
from weft.codegen.memrefs import MemRef, Unranked, from_scalars
from weft.codegen.types import (
    Layout,
    Scalar,
    UnsupportedTypeError,
    WideIntegerError,
    has_wide_elements,
    is_wide,
    layout,
    scalar,
)
from weft.codegen.window import Window
from weft.errors import WeftError
from weft.mlir import compile_error
from weft.ptx.ast import LabelledDirective, Parameter

if TYPE_CHECKING:
    from weft.codegen.debug.notes import Notes

Handler = Callable[["Selector", Any], None]

_HANDLERS: dict[str, Handler] = {}
_MODULES = {
    "affine": ("weft.codegen.ops.affine",),
    "arith": (
        "weft.codegen.ops.arith_int",
        "weft.codegen.ops.arith_float",
        "weft.codegen.ops.arith_cast",
        "weft.codegen.ops.arith_recast",
    ),
    "builtin": ("weft.codegen.ops.llvm_data",),
    "complex": ("weft.codegen.ops.complex",),
    "cf": ("weft.codegen.ops.cf", "weft.codegen.ops.messages"),
    "func": ("weft.codegen.ops.func", "weft.codegen.ops.gpu"),
    "gpu": (
        "weft.codegen.ops.gpu",
        "weft.codegen.ops.warp",
        "weft.codegen.ops.warp_reduce",
        "weft.codegen.ops.block_reduce",
        "weft.codegen.ops.messages",
        "weft.codegen.ops.subgroup_mma",
        "weft.codegen.ops.lane0",
    ),
    "index": ("weft.codegen.ops.arith_int", "weft.codegen.ops.arith_cast"),
    "llvm": (
        "weft.codegen.ops.llvm_data",
        "weft.codegen.ops.llvm_memory",
        "weft.codegen.ops.llvm_intrinsics",
        "weft.codegen.ops.llvm_blocks",
        "weft.codegen.ops.inline",
        "weft.codegen.ops.arith_int",
        "weft.codegen.ops.arith_float",
        "weft.codegen.ops.arith_cast",
        "weft.codegen.ops.arith_recast",
        "weft.codegen.ops.math",
        "weft.codegen.ops.integer_powers",
        "weft.codegen.ops.float_parts",
        "weft.codegen.ops.llvm_vp",
        "weft.codegen.ops.gpu",
        "weft.codegen.ops.func",
        "weft.codegen.nvvm.intrinsics",
    ),
    "math": (
        "weft.codegen.ops.math",
        "weft.codegen.ops.integer_powers",
        "weft.codegen.ops.arith_float",
        "weft.codegen.ops.float_parts",
    ),
    "memref": (
        "weft.codegen.ops.memref",
        "weft.codegen.ops.memref_views",
        "weft.codegen.ops.llvm_data",
        "weft.codegen.ops.scf",
    ),
    "nvvm": (
        "weft.codegen.nvvm.matrix",
        "weft.codegen.nvvm.async_copy",
        "weft.codegen.nvvm.rows",
        "weft.codegen.nvvm.sync",
        "weft.codegen.nvvm.warp",
        "weft.codegen.nvvm.mbarrier",
        "weft.codegen.nvvm.arith",
        "weft.codegen.nvvm.convert",
        "weft.codegen.nvvm.shared",
        "weft.codegen.nvvm.wmma",
        "weft.codegen.nvvm.products",
        "weft.codegen.nvvm.tcgen05",
        "weft.codegen.nvvm.tcgen05_mma",
        "weft.codegen.nvvm.sregs",
        "weft.codegen.ops.inline",
        "weft.codegen.nvvm.tma",
        "weft.codegen.nvvm.wgmma",
    ),
    "scf": ("weft.codegen.ops.scf",),
    "wgmma": ("weft.codegen.nvvm.wgmma",),
    "wide": ("weft.codegen.ops.wide",),
    "words": ("weft.codegen.nvvm.words",),
    "ub": ("weft.codegen.ops.llvm_data", "weft.codegen.ops.llvm_intrinsics"),
    "vector": (
        "weft.codegen.ops.vector",
        "weft.codegen.ops.vector_memory",
        "weft.codegen.ops.vector_masked",
        "weft.codegen.ops.vector_scan",
        "weft.codegen.ops.memref_views",
        "weft.codegen.ops.arith_cast",
        "weft.codegen.ops.arith_recast",
        "weft.codegen.ops.arith_float",
    ),
}


def handles(*names: str, wide: bool = False) -> Callable[[Handler], Handler]:
    """Register the decorated function as the selection of the named operations.

    With `wide`, those of integers of 128 bits go to `weft.codegen.ops.wide` instead.
    """

    def register(handler: Handler) -> Handler:
        for name in names:
            _HANDLERS[name] = or_wide(handler) if wide else handler
        return handler

    return register


def handler_of(name: str) -> Handler | None:
    """The selection of the operation `name`, None when there is none."""
    found = _HANDLERS.get(name)
    for module in () if found else _MODULES.get(name.partition(".")[0], ()):
        import_module(module)
        found = _HANDLERS.get(name)
        if found is not None:
            break
    return found


WIDE = "wide.operation"
"""The name under which the selection of operations of wide integers is registered."""


def or_wide(handler: Handler) -> Handler:
    """What hands operations of integers of 128 bits to `weft.codegen.ops.wide`, and all others to `handler`."""

    def select(s: Selector, op: Operation) -> None:
        first, result = op.operands[0].type, op.results[0].type
        if is_wide(first) or is_wide(result) or has_wide_elements(first) or has_wide_elements(result):
            wide = handler_of(WIDE)
            assert wide is not None
            wide(s, op)
        else:
            handler(s, op)

    return select


class Selector(Integers):
    """Selects the operations of one function; `values` maps SSA values to what holds them.

    An integer, index or pointer is a `Lin`; a float, a predicate or a packed register a `Value` or `Const`; a memref a
    `MemRef`; anything composite a flat tuple of these.  `module` is what is known of the module around the function.
    """

    def __init__(self, module: Any) -> None:
        super().__init__()
        self.module = module
        self.values: dict[SSAValue, Any] = {}
        self.alignment: dict[Value, int] = {}
        self.halves: dict[Value, tuple[Value, str]] = {}
        """What single floats were widened from, and its type."""
        self.window = Window()
        self.block_size: tuple[int, int, int] | None = None
        self.grid_size: tuple[int, int, int] | None = None
        self.local: list[Any] = []
        self.shared: list[Any] = []
        self.returns: Callable[[Any, tuple[SSAValue, ...]], None] | None = None
        self.name = ""
        self.unnamed: Value | None = None
        """The pointer to the arguments without names."""
        self.places: dict[Region, dict[Operation, Place]] = {}
        """By a region, where allocations in it lie that may share a place."""
        self.unrolled = 0
        """Operations that loops were unrolled to so far."""
        self.inlining: list[str] = []
        """The functions around the next operation that are selected in place of calls."""
        self.inlined = 0
        """Operations of such functions so far."""
        self.products = False
        """Whether products of a warpgroup write their sums in the background."""
        self.unrolling = 0
        """The unrolled loops around the next operation."""
        self.mask: tuple[Any, ...] | None = None
        """The predicates of the `vector.mask` around the next operation."""
        self.notes: Notes | None = None
        """Where variables of a source are noted, for debuggers."""

    # -- dispatch -----------------------------------------------------------------------------------------------

    def select(self, op: Operation) -> None:
        """Select one operation; raises CompileError, with its place, when that cannot be done."""
        handler = _HANDLERS.get(op.name) or handler_of(op.name)
        self.source = op
        if handler is None:
            raise compile_error(op, "weft cannot lower this operation")
        try:
            for result in op.results:
                if result.type.name == "vector":
                    layout(result.type)  # Refuses those of too many elements before anything is made of them.
            handler(self, op)
        except UnsupportedTypeError as error:
            raise compile_error(op, str(error)) from None
        except WeftError as error:
            if error.position.line:
                raise
            raise compile_error(op, error.message, error.hint) from None

    def select_block(self, block: Any) -> Operation:
        """Select every operation of an MLIR block but its terminator, which is returned."""
        last = block.last_op
        for op in block.ops:
            if op is last:
                break
            self.select(op)
        return last

    # -- values -------------------------------------------------------------------------------------------------

    def get(self, value: SSAValue) -> Any:
        """What holds an SSA value."""
        return self.values[value]

    def int(self, value: SSAValue) -> Lin:
        """The expression that an integer, index or pointer is; above the width of a narrow integer, bits are anything.

        Raises:
            WideIntegerError: an integer of more than 64 bits.
        """
        found = self.values[value]
        if isinstance(found, Lin):
            return found
        if isinstance(found, tuple):
            raise WideIntegerError
        return self.from_test(found, 32)

    def number(self, value: SSAValue, *, signed: bool, low: bool = False) -> Lin:
        """The number that an integer of any type is, for operands that count something or name a place.

        Of an integer of more than 64 bits it is the lower half where `low` says that this is all that matters.

        Raises:
            WideIntegerError: an integer of more than 64 bits, all of which matter.
        """
        return self.as_number(self.values[value], value.type, signed=signed, low=low)

    def as_number(self, found: Any, type_: Attribute, *, signed: bool, low: bool = False) -> Lin:
        """The same of what holds an integer of a type, an element of a vector, say."""
        if isinstance(found, tuple):
            if not low:
                raise WideIntegerError
            return cast("tuple[Lin, Lin]", found)[0]
        if not isinstance(found, Lin):
            return self.from_test(found, 32, signed=signed)
        kind = scalar(type_)
        return self.exactly(found, kind.width, signed=signed) if kind.kind == "int" else found

    def test(self, value: SSAValue) -> Test:
        """The predicate that an `i1` is."""
        return self.values[value]

    def memref(self, value: SSAValue) -> MemRef:
        """The memref."""
        return self.values[value]

    def layout(self, value: SSAValue) -> Layout:
        """The registers of the value's type."""
        return layout(value.type)

    def as_operand(self, scalar: Any) -> Any:
        """A scalar as an operand: a register or an immediate."""
        return self.operand(scalar) if isinstance(scalar, Lin) else scalar

    def as_register(self, scalar: Any, cls: str) -> Value:
        """A scalar in a register."""
        return self.int_value(scalar) if isinstance(scalar, Lin) else self.register(scalar, cls)

    @staticmethod
    def wrapped(value: Value | Const, kind: Scalar) -> Any:
        """A register (or constant) as the scalar of a type: a `Lin` for integers and pointers."""
        if kind.kind in ("int", "pointer"):
            if isinstance(value, Const):
                return linear.const(value.pattern, 32 if value.cls == B32 else 64)
            return linear.of(value)
        return value

    # -- scalars of any value -----------------------------------------------------------------------------------

    def flatten(self, value: Any) -> tuple[Any, ...]:
        """The scalars of a value, in the order of its type's layout."""
        if type(value) is tuple:
            return cast("tuple[Any, ...]", value)
        if isinstance(value, MemRef):
            return value.scalars()
        if isinstance(value, Unranked):
            return value.rank, self.descriptor(value)
        return (value,)

    def unflatten(self, type_: Attribute, scalars: tuple[Any, ...]) -> Any:
        """The value of a type from its scalars."""
        if type_.name == "memref":
            return from_scalars(type_, scalars)
        if type_.name == "unranked_memref":
            return Unranked(*scalars)
        return scalars if layout(type_).composite else scalars[0]

    # -- what the function around provides ------------------------------------------------------------------------

    def shared_buffer(self, size: int, alignment: int) -> Lin:
        """A buffer in shared memory: its 32-bit address."""
        raise NotImplementedError

    def local_buffer(self, size: int, alignment: int) -> Lin:
        """A buffer in the thread's own memory: its address in the local state space."""
        raise NotImplementedError

    def dynamic_buffer(self, size: Lin, alignment: int) -> Lin:
        """A buffer of `size` bytes on the thread's stack, from here on: its address in the local state space."""
        raise NotImplementedError

    def descriptor(self, value: Unranked) -> Lin:
        """The generic address of a descriptor of a memref of any rank."""
        raise NotImplementedError

    def call_buffer(self, declared: Parameter) -> str:
        """The name of a parameter variable for an argument or the results of one call, declared like `declared`."""
        raise NotImplementedError

    def call_prototype(self, make: Callable[[str], LabelledDirective]) -> str:
        """The label of the prototype that `make` makes for a label; equal ones are declared once."""
        raise NotImplementedError

    def symbol_address(self, name: str) -> Lin | None:
        """The address of a variable of the module in its own state space, None when there is none."""
        raise NotImplementedError

    def function_address(self, name: str) -> Lin | None:
        """The address of a function of the module, None when there is none."""
        raise NotImplementedError

    # -- blocks -------------------------------------------------------------------------------------------------

    @staticmethod
    def cls_of(scalar: Any, kind: Scalar) -> str:
        """The register class that carries a scalar: narrower than the type's when the value's bounds allow it."""
        if isinstance(scalar, Lin):
            return B32 if scalar.bits == 32 else B64
        return kind.cls
