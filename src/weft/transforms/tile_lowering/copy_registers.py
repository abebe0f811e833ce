"""Values of a copy: 32-bit registers in and out of a tile's words, parts of words put together, loads and stores."""

from __future__ import annotations

from functools import cache

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import (
    IntegerType,
    VectorType,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from weft.dialects.engine.making import new
from weft.isa import Opcode
from weft.transforms.copy_dispatch.moves import MOVMATRIX
from weft.transforms.tile_lowering.lowering import Lowering

_FLAGS = {"overflowFlags": arith.IntegerOverflowAttr("none")}


class Words:
    """The words of a tile in registers, as byte ranges of the thread's storage.

    What is written is kept aside until `flush`, so that halves and bytes of a word are put together once.
    """

    def __init__(self, env: Lowering, buffer: SSAValue) -> None:
        self.env = env
        self.buffer = buffer
        self.type = env.word_type(buffer)
        self.bytes = 8 if self.type in (i64, f64) else 4
        self._parts: dict[int, dict[int, tuple[SSAValue, int]]] = {}

    def scalar(self, count: int) -> Attribute:
        """The type in which `count` bytes are moved as one."""
        return self.type if count >= self.bytes else IntegerType(8 * count)

    def read(self, start: int, count: int, kind: Attribute | None = None) -> SSAValue:
        """`count` bytes from byte `start` on, at most a word; of type `kind` where that is given."""
        word = self._current(start // self.bytes)
        if count < self.bytes:
            word = self._part(self.as_type(word, IntegerType(8 * self.bytes)), start % self.bytes, count)
        return self.as_type(word, kind) if kind is not None else word

    def write(self, start: int, count: int, value: SSAValue) -> None:
        """Write `count` bytes from byte `start` on, at most a word."""
        self._parts.setdefault(start // self.bytes, {})[start % self.bytes] = (value, count)

    def written(self) -> list[int]:
        """The words that were written since the last flush."""
        return list(self._parts)

    def flush(self) -> list[SSAValue]:
        """The words that were written, put together."""
        found = [self._assembled(index, parts) for index, parts in self._parts.items()]
        self._parts = {}
        return found

    def old(self, index: int) -> SSAValue:
        """A word as it was; undefined where nothing was written."""
        return self._current(index)

    def _current(self, index: int) -> SSAValue:
        found = self.env.words(self.buffer)[index]
        return self.env.undefined(self.type) if found is None else found

    def _assembled(self, index: int, parts: dict[int, tuple[SSAValue, int]]) -> SSAValue:
        if 0 in parts and parts[0][1] == self.bytes:
            return self.as_type(parts[0][0], self.type)
        env = self.env
        kind = IntegerType(8 * self.bytes)
        total: SSAValue | None = None
        kept = (1 << 8 * self.bytes) - 1
        for at, (value, count) in sorted(parts.items()):
            wide = env.emit(arith.ExtUIOp.create(operands=[value], result_types=[kind]))
            if at:
                places = env.constant(8 * at, 8 * self.bytes)
                wide = env.emit(arith.ShLIOp.create(operands=[wide, places], result_types=[kind], properties=_FLAGS))
            total = wide if total is None else env.emit(arith.OrIOp.create(operands=[total, wide], result_types=[kind]))
            kept &= ~(((1 << 8 * count) - 1) << 8 * at)
        assert total is not None
        if kept and env.words(self.buffer)[index] is not None:
            mask = env.constant(kept - (1 << 8 * self.bytes) if kept >> (8 * self.bytes - 1) else kept, 8 * self.bytes)
            before = self.as_type(self._current(index), kind)
            rest = env.emit(arith.AndIOp.create(operands=[before, mask], result_types=[kind]))
            total = env.emit(arith.OrIOp.create(operands=[total, rest], result_types=[kind]))
        return self.as_type(total, self.type)

    def _part(self, word: SSAValue, at: int, count: int) -> SSAValue:
        env = self.env
        if at:
            places = env.constant(8 * at, 8 * self.bytes)
            word = env.emit(arith.ShRUIOp.create(operands=[word, places], result_types=[word.type]))
        return env.emit(arith.TruncIOp.create(operands=[word], result_types=[IntegerType(8 * count)]))

    def as_type(self, value: SSAValue, kind: Attribute) -> SSAValue:
        """The same bits as another type."""
        if value.type == kind:
            return value
        return self.env.emit(llvm.BitcastOp.create(operands=[value], result_types=[kind]))


@cache
def vector(scalar: Attribute, count: int) -> Attribute:
    """The type of `count` scalars together."""
    return scalar if count == 1 else VectorType(scalar, [count])


def load(
    env: Lowering,
    pointer: SSAValue,
    scalar: Attribute,
    count: int,
    *,
    opcode: Opcode | None = None,
    whole: bool = False,
) -> list[SSAValue]:
    """Load `count` scalars that lie one after another, in one access; `whole` leaves them together.

    `opcode` is given for a load that says how it is cached.
    """
    if opcode is not None:
        return _load_as(env, pointer, scalar, count, opcode)
    kind = vector(scalar, count)
    value = env.emit(new("llvm.load", pointer, results=[kind], ordering=0))
    if count == 1 or whole:
        return [value]
    return [env.emit(new("llvm.extractelement", value, env.constant(at), results=[scalar])) for at in range(count)]


def _load_as(env: Lowering, pointer: SSAValue, scalar: Attribute, count: int, opcode: Opcode) -> list[SSAValue]:
    """A load as PTX text; a byte comes in a register of 16 bits."""
    single = scalar == i8
    kind: Attribute = i16 if single else scalar
    bits = 64 if scalar in (i64, f64) else scalar.bitwidth if isinstance(scalar, IntegerType) else 32
    names = ", ".join(f"${at}" for at in range(count))
    code = opcode.replace(vec=f"v{count}" if count > 1 else "", type=f"b{bits}")
    text = f"{code} $0, [$1];" if count == 1 else f"{code} {{{names}}}, [${count}];"
    op = new("nvvm.inline_ptx", [pointer], results=[kind] * count, ptx_code=text)
    env.add(op)
    if not single:
        return list(op.results)
    return [env.emit(arith.TruncIOp.create(operands=[op.results[0]], result_types=[i8]))]


def store(env: Lowering, pointer: SSAValue, values: list[SSAValue]) -> None:
    """Store scalars one after another, in one access."""
    value = values[0]
    if len(values) > 1:
        kind = vector(values[0].type, len(values))
        value = env.undefined(kind)
        for at, each in enumerate(values):
            operands = [value, each, env.constant(at)]
            value = env.emit(llvm.InsertElementOp.create(operands=operands, result_types=[kind]))
    env.add(new("llvm.store", value, pointer, ordering=0))


def zero(env: Lowering, kind: Attribute) -> SSAValue:
    """Zero of a type."""
    if isinstance(kind, IntegerType):
        return env.constant(0, kind.bitwidth)
    return env.emit(llvm.BitcastOp.create(operands=[env.constant(0, 32 if kind == f32 else 64)], result_types=[kind]))


@cache
def matrices(count: int) -> Attribute:
    """The result type of an `ldmatrix` of `count` registers."""
    return i32 if count == 1 else llvm.LLVMStructType.from_type_list([i32] * count)


def movmatrix(env: Lowering, value: SSAValue) -> SSAValue:
    """The transpose of a matrix of 16-bit elements, of which each lane holds two (i32)."""
    return env.emit(new("nvvm.inline_ptx", [value], results=[i32], ptx_code=f"{MOVMATRIX} $0, $1;"))
