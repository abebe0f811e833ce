"""`async [%dependencies]`: operations of the host that a token orders, and the memory operations among them."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IndexType,
    MemRefType,
    UnitAttr,
    UnrankedMemRefType,
    i32,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.gpu.types import AsyncTokenType

TOKEN = AsyncTokenType()


@irdl_custom_directive
class AsyncDependencies(CustomDirective):
    """`async` where the operation gives a token, and the tokens that it waits for in brackets."""

    token: TypeDirective
    dependencies: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse `async? [%a, %b]?`."""
        given = parser.parse_optional_keyword("async") is not None
        self.token.set(state, (TOKEN,) if given else ())
        square = parser.Delimiter.SQUARE
        listed = parser.parse_optional_comma_separated_list(square, parser.parse_unresolved_operand)
        self.dependencies.set(state, listed or ())

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print `async? [%a, %b]?`."""
        given = bool(self.token.get(op))
        printer.print_string(" async" if given else " ")
        dependencies = self.dependencies.get(op)
        if dependencies:
            printer.print_string(" [" if given else "[")
            printer.print_list(dependencies, printer.print_ssa_value)
            printer.print_string("]")
        state.last_was_punctuation = False
        state.should_emit_space = True


ASYNC = "custom<AsyncDependencies>(type($async_token), $async_dependencies)"
"""How the formats of these operations begin."""


@irdl_op_definition
class WaitOp(IRDLOperation):
    """`gpu.wait async? [%tokens]`: wait for the tokens, or make a token that waits for them."""

    name = "gpu.wait"

    async_dependencies = var_operand_def(TOKEN)
    async_token = opt_result_def(TOKEN)

    custom_directives = (AsyncDependencies,)
    assembly_format = f"{ASYNC} attr-dict"


@irdl_op_definition
class AllocOp(IRDLOperation):
    """`gpu.alloc async? [%tokens] host_shared? (%sizes) : memref`: memory of the device."""

    name = "gpu.alloc"

    async_dependencies = var_operand_def(TOKEN)
    dynamic_sizes = var_operand_def(IndexType())
    symbol_operands = var_operand_def(IndexType())
    host_shared = opt_prop_def(UnitAttr, prop_name="hostShared")
    memref = result_def(MemRefType)
    async_token = opt_result_def(TOKEN)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (AsyncDependencies,)
    assembly_format = (
        f"{ASYNC} (` ` `host_shared` $hostShared^)? ` ` `(` $dynamic_sizes `)` "
        "(`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)"
    )

    def verify_(self) -> None:
        """As many sizes as are not known, and no symbols: weft's layouts have none."""
        found, expected = len(self.dynamic_sizes), sum(size == DYNAMIC_INDEX for size in self.memref.type.get_shape())
        if found != expected:
            raise VerifyException(f"incorrect number of dynamic sizes, has {found}, expected {expected}")
        layout: Attribute = self.memref.type.layout
        symbols = layout.data.num_symbols if isinstance(layout, AffineMapAttr) else 0
        if len(self.symbol_operands) != symbols:
            raise VerifyException("symbol operand count does not equal memref symbol count")


@irdl_op_definition
class DeallocOp(IRDLOperation):
    """`gpu.dealloc async? [%tokens] %memref : memref`: give memory of the device back."""

    name = "gpu.dealloc"

    async_dependencies = var_operand_def(TOKEN)
    memref = operand_def(MemRefType)
    async_token = opt_result_def(TOKEN)

    custom_directives = (AsyncDependencies,)
    assembly_format = f"{ASYNC} $memref attr-dict `:` type($memref)"


@irdl_op_definition
class MemcpyOp(IRDLOperation):
    """`gpu.memcpy async? [%tokens] %dst, %src : memref, memref`: copy a buffer."""

    name = "gpu.memcpy"

    async_dependencies = var_operand_def(TOKEN)
    dst = operand_def(MemRefType)
    src = operand_def(MemRefType)
    async_token = opt_result_def(TOKEN)

    custom_directives = (AsyncDependencies,)
    assembly_format = f"{ASYNC} $dst `,` $src `:` type($dst) `,` type($src) attr-dict"

    def verify_(self) -> None:
        """The same elements and shape."""
        dst, src = narrow.memref(self.dst.type), narrow.memref(self.src.type)
        assert dst is not None
        assert src is not None
        if dst.element_type != src.element_type:
            raise VerifyException("arguments have incompatible element type")
        pairs = zip(dst.get_shape(), src.get_shape(), strict=False)
        if dst.get_num_dims() != src.get_num_dims() or any(-1 not in pair and pair[0] != pair[1] for pair in pairs):
            raise VerifyException("arguments have incompatible shape")


@irdl_op_definition
class MemsetOp(IRDLOperation):
    """`gpu.memset async? [%tokens] %dst, %value : memref, T`: fill a buffer."""

    name = "gpu.memset"

    async_dependencies = var_operand_def(TOKEN)
    dst = operand_def(MemRefType)
    value = operand_def()
    async_token = opt_result_def(TOKEN)

    custom_directives = (AsyncDependencies,)
    assembly_format = f"{ASYNC} $dst `,` $value `:` type($dst) `,` type($value) attr-dict"

    def verify_(self) -> None:
        """A value of the buffer's elements."""
        dst = narrow.memref(self.dst.type)
        assert dst is not None
        if dst.element_type != self.value.type:
            raise VerifyException("failed to verify that all of {dst, value} have same element type")


_UNRANKED = base(UnrankedMemRefType)


@irdl_op_definition
class HostRegisterOp(IRDLOperation):
    """`gpu.host_register %memref : memref<*xT>`: let the device read memory of the host."""

    name = "gpu.host_register"

    value = operand_def(_UNRANKED)

    assembly_format = "$value attr-dict `:` type($value)"


@irdl_op_definition
class HostUnregisterOp(IRDLOperation):
    """`gpu.host_unregister %memref : memref<*xT>`: no longer let the device read it."""

    name = "gpu.host_unregister"

    value = operand_def(_UNRANKED)

    assembly_format = "$value attr-dict `:` type($value)"


@irdl_op_definition
class SetDefaultDeviceOp(IRDLOperation):
    """`gpu.set_default_device %index`: the device of later launches."""

    name = "gpu.set_default_device"

    dev_index = operand_def(i32)

    assembly_format = "attr-dict $dev_index"
