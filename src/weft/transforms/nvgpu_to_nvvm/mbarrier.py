"""`nvgpu.mbarrier.*`: the barrier objects are a global in shared memory, each operation addresses one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, StringAttr, SymbolRefAttr, i32, i64
from xdsl.dialects.memref import GetGlobalOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import SymbolTable

from weft.dialects.engine.operations import op_class
from weft.dialects.nvgpu.types import MBarrierGroupType
from weft.transforms.nvgpu_to_nvvm.layout import barrier_buffer
from weft.transforms.nvgpu_to_nvvm.lowering import Lower, Lowering

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu


def barrier_address(lowering: Lowering, barriers: SSAValue, index: SSAValue) -> SSAValue:
    """The address of one barrier object of a group."""
    return lowering.element_pointer(barriers, [index])


def _symbol_table(op: Operation) -> Operation:
    table = op.parent_op()
    while table is not None and not table.has_trait(SymbolTable):
        table = table.parent_op()
    assert table is not None
    return table


def _fresh_name(table: Operation) -> str:
    taken = {
        symbol.data
        for op in table.regions[0].blocks[0].ops
        if isinstance(symbol := op.properties.get("sym_name", op.attributes.get("sym_name")), StringAttr)
    }
    name, count = "__mbarrier", 0
    while name in taken:
        name, count = f"__mbarrier_{count}", count + 1
    return name


def lower_create(lowering: Lowering, op: nvgpu.MbarrierCreateOp) -> None:
    """A private `memref.global` at the start of the module, and its address."""
    group = op.barriers.type
    assert isinstance(group, MBarrierGroupType)
    buffer = barrier_buffer(group)
    table = _symbol_table(op)
    name = _fresh_name(table)
    block = table.regions[0].blocks[0]
    properties = {
        "sym_name": StringAttr(name),
        "sym_visibility": StringAttr("private"),
        "type": buffer,
        "alignment": IntegerAttr(8, i64),
    }
    assert block.first_op is not None
    variable = op_class("memref.global").create(properties=properties, location=op.location)
    block.insert_op_before(variable, block.first_op)
    address = lowering.value(GetGlobalOp, (), buffer, {"name": SymbolRefAttr(name)})
    lowering.substitute(op.barriers, address)


def lower_get(lowering: Lowering, op: nvgpu.MbarrierGetOp) -> None:
    """The address as an integer."""
    address = barrier_address(lowering, op.barriers, op.mbar_id)
    op.mbarrier_pointer.replace_all_uses_with(lowering.value(llvm.PtrToIntOp, [address], op.mbarrier_pointer.type))


def lower_init(lowering: Lowering, op: nvgpu.MbarrierInitOp) -> None:
    """`nvvm.mbarrier.init`."""
    operands = [barrier_address(lowering, op.barriers, op.mbar_id), lowering.index_as_i32(op.count)]
    lowering.new("nvvm.mbarrier.init", *operands, op.predicate)


def lower_inval(lowering: Lowering, op: nvgpu.MbarrierInvalOp) -> None:
    """`nvvm.mbarrier.inval`."""
    lowering.new("nvvm.mbarrier.inval", barrier_address(lowering, op.barriers, op.mbar_id))


def lower_arrive(lowering: Lowering, op: nvgpu.MbarrierArriveOp) -> None:
    """`nvvm.mbarrier.arrive`."""
    address = barrier_address(lowering, op.barriers, op.mbar_id)
    lowering.substitute(op.token, lowering.new("nvvm.mbarrier.arrive", address, results=[i64]).results[0])


def lower_arrive_nocomplete(lowering: Lowering, op: nvgpu.MbarrierArriveNocompleteOp) -> None:
    """`nvvm.mbarrier.arrive.nocomplete`."""
    operands = [barrier_address(lowering, op.barriers, op.mbar_id), lowering.index_as_i32(op.count)]
    lowering.substitute(op.token, lowering.new("nvvm.mbarrier.arrive.nocomplete", *operands, results=[i64]).results[0])


def lower_arrive_expect_tx(lowering: Lowering, op: nvgpu.MbarrierArriveExpectTxOp) -> None:
    """`nvvm.mbarrier.arrive.expect_tx`, whose state nobody reads."""
    operands = [barrier_address(lowering, op.barriers, op.mbar_id), lowering.index_as_i32(op.txcount)]
    lowering.new("nvvm.mbarrier.arrive.expect_tx", *operands, op.predicate)


def lower_test_wait(lowering: Lowering, op: nvgpu.MbarrierTestWaitOp) -> None:
    """`nvvm.mbarrier.test.wait`."""
    operands = [barrier_address(lowering, op.barriers, op.mbar_id), op.token]
    op.wait_complete.replace_all_uses_with(
        lowering.new("nvvm.mbarrier.test.wait", *operands, results=[op.wait_complete.type]).results[0]
    )


def lower_try_wait(lowering: Lowering, op: nvgpu.MbarrierTryWaitParityOp) -> None:
    """`nvvm.mbarrier.try_wait.parity`."""
    address = barrier_address(lowering, op.barriers, op.mbar_id)
    ticks = lowering.index_as_i32(op.ticks)
    lowering.new("nvvm.mbarrier.try_wait.parity", address, lowering.zext(op.phase_parity, i32), ticks)


LOWERINGS: dict[str, Lower] = {
    "nvgpu.mbarrier.create": lower_create,
    "nvgpu.mbarrier.get": lower_get,
    "nvgpu.mbarrier.init": lower_init,
    "nvgpu.mbarrier.inval": lower_inval,
    "nvgpu.mbarrier.arrive": lower_arrive,
    "nvgpu.mbarrier.arrive.nocomplete": lower_arrive_nocomplete,
    "nvgpu.mbarrier.arrive.expect_tx": lower_arrive_expect_tx,
    "nvgpu.mbarrier.test.wait": lower_test_wait,
    "nvgpu.mbarrier.try_wait.parity": lower_try_wait,
}
