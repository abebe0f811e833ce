"""`tile.copy` by the dispatch's plan: loads, stores, matrix instructions, asynchronous copies."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from xdsl.dialects import arith, llvm, scf
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, i32, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from weft.dialects.engine.attributes import attr
from weft.dialects.engine.making import new
from weft.dialects.engine.operations import op_class
from weft.dialects.nvvm.matrix_attributes import LdStMatrixShapeAttr
from weft.dialects.rows import tile
from weft.errors import PerformanceWarning
from weft.isa import Opcode
from weft.isa.target import Target
from weft.mlir import compile_error
from weft.transforms.copy_dispatch import Address, Copy, Instruction, Plan, dispatch
from weft.transforms.copy_dispatch.plan import Condition, Digit, Sum
from weft.transforms.copy_dispatch.request import LOCAL
from weft.transforms.tile_lowering.copy_addresses import Addresses, both, met, number
from weft.transforms.tile_lowering.copy_registers import Words, load, matrices, movmatrix, store, zero
from weft.transforms.tile_lowering.copy_request import block_size, request_of
from weft.transforms.tile_lowering.integers import plus
from weft.transforms.tile_lowering.lowering import Lowering

BATCH = 8
"""Loads of a copy between memories that are in flight before the first store."""
_SAID: dict[str, dict[str | tuple[str, type[Warning], int], int]] = {}
"""By file, what has been warned of: a loop that is unrolled has a copy many times, which `warnings` says once."""


def lower_copy(op: tile.CopyOp | tile.CopyAsyncOp, env: Lowering) -> None:
    """Emit a copy's instructions before it.

    Raises CopyError when no variant can do it, with the reasons of each.
    """
    copy = request_of(op, env.target, env.block_size)
    plan = dispatch(copy)
    if copy.asynchronous and plan.variant != "ldgsts":
        _warn_synchronous(op, plan)
    Emission(env, op, copy, plan).run()


def _warn_synchronous(op: tile.CopyOp | tile.CopyAsyncOp, plan: Plan) -> None:
    """Say that an asynchronous copy is none, and why."""
    place = compile_error(op, "").position
    reason = next((each.reason for each in plan.trail if each.variant == "ldgsts"), "")
    size = f"{plan.vector_bytes} byte{'s' * (plan.vector_bytes != 1)} at a time" if plan.vector_bytes else "at once"
    message = f"this copy_async is a synchronous copy, {size}: {reason}"
    file = place.file or "<tile>"
    warnings.warn_explicit(message, PerformanceWarning, file, place.line or 1, registry=_SAID.setdefault(file, {}))


def explain_copy(op: tile.CopyOp | tile.CopyAsyncOp, target: Target) -> str:
    """What was tried for a copy, and what was chosen."""
    from weft.transforms.copy_dispatch.explain import explain

    return explain(request_of(op, target, block_size(op)), op.note.data if op.note is not None else "")


class Emission:
    """The instructions of one copy."""

    def __init__(self, env: Lowering, op: tile.CopyOp | tile.CopyAsyncOp, copy: Copy, plan: Plan) -> None:
        self.env = env
        self.op = op
        self.copy = copy
        self.plan = plan
        local = {LOCAL: op.dst} if copy.dst.space == LOCAL else {LOCAL: op.src} if copy.src.space == LOCAL else {}
        self.words = Words(env, local[LOCAL]) if local else None
        self.dst = Addresses(env, op.dst, copy.dst) if copy.dst.space != LOCAL else None
        self.src = Addresses(env, op.src, copy.src) if copy.src.space != LOCAL else None
        self._inside: dict[Address, SSAValue | None] = {}

    def run(self) -> None:
        """Emit the plan for the threads that take part."""
        if self.copy.spaces == (LOCAL, LOCAL):
            self._between_registers()
            return
        condition = met(self.env, self.plan.conditions)
        if self.copy.dst.space == LOCAL:
            self._loads(condition)
        elif condition is None:
            self._all()
        else:
            self._only_if(condition, self._all)

    def _all(self) -> None:
        if self.plan.instructions[0].opcode.stem == "cp.async":
            for each in self.plan.instructions:
                self._guarded(each, lambda each=each: self._copy_async(each))
        elif self.plan.turn is not None:
            self._store_turned(*self.plan.turn)
        elif self.words is not None:
            for each in self.plan.instructions:
                self._guarded(each, lambda each=each: self._store_registers(each))
        else:
            pairs = list(zip(self.plan.instructions[::2], self.plan.instructions[1::2], strict=True))
            for first in range(0, len(pairs), BATCH):
                self._moves(pairs[first : first + BATCH])

    # -- memory to memory ---------------------------------------------------------------------------------------

    def _moves(self, pairs: Sequence[tuple[Instruction, Instruction]]) -> None:
        """A batch of loads, then their stores."""
        loaded = [(self._loaded(read), write) for read, write in pairs if not read.conditions]
        for values, write in loaded:
            self._stored(write, values)
        for read, write in pairs:
            if read.conditions:
                self._guarded(read, lambda read=read, write=write: self._move(read, write), also=write)

    def _move(self, read: Instruction, write: Instruction) -> None:
        self._stored(write, self._loaded(read))

    def _loaded(self, each: Instruction) -> list[SSAValue]:
        """What an instruction loads; zeros outside the bounds."""
        scalar, count = (i32, each.bytes // 4) if each.bytes >= 4 else (IntegerType(8 * each.bytes), 1)
        return self._load_within(each, scalar, count, whole=True)

    def _load_within(self, each: Instruction, scalar: Attribute, count: int, *, whole: bool = False) -> list[SSAValue]:
        """What an instruction loads, zeros outside the bounds; `whole` may leave it as one value."""
        assert self.src is not None and each.src is not None
        within = self._within(each)
        pointer = self.src.pointer(each.src)

        def loads(whole: bool = False) -> list[SSAValue]:
            return load(self.env, pointer, scalar, count, opcode=each.opcode if self.copy.cache else None, whole=whole)

        if within is None:
            return loads(whole)
        return self._either(within, loads, [zero(self.env, scalar)] * count)

    def _stored(self, each: Instruction, values: list[SSAValue]) -> None:
        assert self.dst is not None and each.dst is not None
        pointer = self.dst.pointer(each.dst)
        self._if(self._within(each), lambda: store(self.env, pointer, values))

    def _copy_async(self, each: Instruction) -> None:
        assert self.src is not None and self.dst is not None and each.src is not None and each.dst is not None
        wide = "cg" if each.bytes == 16 else "ca"
        size = self._valid_bytes(each)
        self.env.add(
            new(
                "nvvm.cp.async.shared.global",
                self.dst.pointer(each.dst),
                self.src.pointer(each.src),
                *([] if size is None else [size]),
                size=each.bytes,
                modifier=wide,
            )
        )

    # -- registers ----------------------------------------------------------------------------------------------

    def _loads(self, condition: SSAValue | None) -> None:
        """Everything into registers, by the threads that take part."""
        assert self.words is not None
        if condition is None:
            touched = self._load_all()
            values = self.words.flush()
        else:
            touched, values = self._loaded_if(condition)
        for index, value in zip(touched, values, strict=True):
            self.env.set_word(self.words.buffer, index, value)

    def _between_registers(self) -> None:
        """Renamed registers, or transposed matrices."""
        assert self.words is not None
        source = Words(self.env, self.op.src)
        for each in self.plan.instructions:
            (start,), (origin,) = each.registers, each.sources
            if self.plan.form == "movmatrix":
                value = movmatrix(self.env, source.read(origin, 4, i32))
            else:
                value = source.read(origin, each.bytes)
            self.words.write(start, each.bytes, value)
        touched = self.words.written()
        for index, value in zip(touched, self.words.flush(), strict=True):
            self.env.set_word(self.words.buffer, index, value)

    def _load_all(self) -> list[int]:
        assert self.words is not None
        for each in self.plan.instructions:
            assert each.src is not None and self.src is not None
            if each.opcode.stem == "ldmatrix":
                values, step = self._matrices(each), 4
            else:
                scalar = self.words.scalar(each.bytes)
                step = min(each.bytes, self.words.bytes)
                values = self._load_within(each, scalar, each.bytes // step)
            starts = each.registers if step == 4 else range(each.registers[0], each.registers[0] + each.bytes, step)
            for start, value in zip(starts, values, strict=True):
                self.words.write(start, step, value)
        return self.words.written()

    def _loaded_if(self, condition: SSAValue) -> tuple[list[int], list[SSAValue]]:
        """The words that are written, as loaded where a condition holds and as they were elsewhere."""
        assert self.words is not None
        words = self.words
        touched = sorted({start // words.bytes for each in self.plan.instructions for start in each.registers})

        def loads() -> list[SSAValue]:
            found = self._load_all()
            values = dict(zip(found, words.flush(), strict=True))
            return [values[index] for index in touched]

        return touched, self._either(condition, loads, [words.old(index) for index in touched])

    def _matrices(self, each: Instruction) -> list[SSAValue]:
        assert self.src is not None and each.src is not None
        count = each.bytes // 4
        value = self.env.emit(
            op_class("nvvm.ldmatrix").create(
                operands=[self.src.pointer(each.src)],
                properties={"num": IntegerAttr(int(each.opcode["num"][1:]), i32), **_matrix_properties(each.opcode)},
                result_types=[matrices(count)],
            )
        )
        if count == 1:
            return [value]
        return [
            self.env.emit(
                llvm.ExtractValueOp.create(operands=[value], properties={"position": _position(at)}, result_types=[i32])
            )
            for at in range(count)
        ]

    def _store_registers(self, each: Instruction) -> None:
        assert self.words is not None and self.dst is not None and each.dst is not None
        pointer = self.dst.pointer(each.dst)
        if each.opcode.stem == "stmatrix":
            values = [self.words.read(start, 4, i32) for start in each.registers]
            self.env.add(
                op_class("nvvm.stmatrix").create(
                    operands=[pointer, *values], properties=dict(_matrix_properties(each.opcode))
                )
            )
            return
        self._if(self._within(each), lambda: store(self.env, pointer, self._held(each)))

    def _held(self, each: Instruction) -> list[SSAValue]:
        """What a thread stores by an instruction."""
        assert self.words is not None
        step = min(each.bytes, self.words.bytes)
        return [self.words.read(each.registers[0] + at, step) for at in range(0, each.bytes, step)]

    def _store_turned(self, digit: Digit, distance: int) -> None:
        """Stores of which threads with a digit of 1 do another one of the same kind."""
        assert self.dst is not None
        other = met(self.env, (Condition(Sum(((1, digit),), -1), 1),))
        assert other is not None
        places = [each.dst for each in self.plan.instructions if each.dst is not None]
        held = [[self.dst.pointer(at), *self._held(e)] for at, e in zip(places, self.plan.instructions, strict=True)]
        for at, mine in enumerate(held):
            pointer, *values = (
                self.env.emit(arith.SelectOp(other, theirs, own))
                for theirs, own in zip(held[at ^ distance], mine, strict=True)
            )
            store(self.env, pointer, values)

    # -- who, and what exists -----------------------------------------------------------------------------------

    def _guarded(self, each: Instruction, emit: Callable[[], None], also: Instruction | None = None) -> None:
        """Emit an instruction for the threads that meet its conditions; what others share is computed before."""
        condition = met(self.env, each.conditions)
        for one in (each, also) if also is not None else (each,):
            self._within(one)
            for side, address in ((self.src, one.src), (self.dst, one.dst)):
                if side is not None and address is not None:
                    side.pointer(address)
        self._if(condition, emit)

    def _within(self, each: Instruction) -> SSAValue | None:
        """Whether what an instruction moves exists; None where that is sure."""
        if each.coordinates is None:
            return None
        found = self._inside.get(each.coordinates)
        if found is None:
            for dimension, bound in enumerate(self.op.bounds):
                test = self.env.emit(arith.CmpiOp(self._coordinate(each.coordinates, dimension), bound, "slt"))
                found = test if found is None else both(self.env, found, test)
            self._inside[each.coordinates] = found
        return found

    def _coordinate(self, address: Address, dimension: int) -> SSAValue:
        axis = f"coordinate{dimension}"
        constant = self.env.constant(dict(address.constant).get(axis, 0))
        thread = dict(address.thread).get(axis)
        return constant if thread is None else plus(self.env, number(self.env, thread), constant)

    def _valid_bytes(self, each: Instruction) -> SSAValue | None:
        """How many bytes of an asynchronous copy exist (i32); None for all."""
        if each.coordinates is None:
            return None
        env = self.env
        length = each.bytes * 8 // self.copy.src.bits
        along = self.plan.vector_dimension
        whole = None
        size: SSAValue = env.constant(each.bytes)
        for dimension, bound in enumerate(self.op.bounds):
            coordinate = self._coordinate(each.coordinates, dimension)
            if dimension == along and self.copy.bounds and self.copy.bounds[dimension] % length:
                left = env.emit(
                    arith.SubiOp.create(operands=[bound, coordinate], result_types=[i32], properties=_flags())
                )
                left = env.emit(arith.MaxSIOp.create(operands=[left, env.constant(0)], result_types=[i32]))
                left = env.emit(arith.MinSIOp.create(operands=[left, env.constant(length)], result_types=[i32]))
                size = env.emit(
                    arith.MuliOp.create(
                        operands=[left, env.constant(self.copy.src.bits // 8)], result_types=[i32], properties=_flags()
                    )
                )
                continue
            test = env.emit(arith.CmpiOp(coordinate, bound, "slt"))
            whole = test if whole is None else both(env, whole, test)
        if whole is None:
            return size
        return env.emit(arith.SelectOp(whole, size, env.constant(0)))

    def _if(self, condition: SSAValue | None, emit: Callable[[], None]) -> None:
        if condition is None:
            emit()
        else:
            self._only_if(condition, emit)

    def _only_if(self, condition: SSAValue, emit: Callable[[], None]) -> None:
        def nothing() -> list[SSAValue]:
            emit()
            return []

        self._either(condition, nothing, [])

    def _either(
        self, condition: SSAValue, emit: Callable[[], list[SSAValue]], otherwise: list[SSAValue]
    ) -> list[SSAValue]:
        """What `emit` makes where a condition holds, other values elsewhere."""
        env = self.env
        end = scf.YieldOp.create()
        block = Block([end])
        branch = scf.IfOp.create(
            operands=[condition], result_types=[value.type for value in otherwise], regions=[Region(block), Region()]
        )
        env.add(branch)
        before = env.move_to(block)
        made = emit()
        env.resume(before)
        if otherwise:
            end.detach()
            block.add_op(scf.YieldOp.create(operands=made))
            branch.regions[1].add_block(Block([scf.YieldOp.create(operands=otherwise)]))
        return list(branch.results)


def _flags() -> dict[str, Attribute]:
    return {"overflowFlags": arith.IntegerOverflowAttr("none")}


@cache
def _position(at: int) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(i64, [at])


@cache
def _matrix_properties(opcode: Opcode) -> Mapping[str, Any]:
    """The properties that matrix operations share."""
    rows, columns = (int(each) for each in opcode["shape"][1:].split("n"))
    layout = "col" if opcode["trans"] else "row"
    formats = [opcode.get(slot) for slot in ("type", "dst_fmt", "src_fmt")]
    element = ".".join(filter(None, formats))
    return {
        "layout": attr("nvvm.mma_layout", layout),
        "shape": LdStMatrixShapeAttr.of(rows, columns),
        "eltType": attr("nvvm.ld_st_matrix_elt_type", element),
    }
