"""Element-wise functions: on packed words where the tiles agree, element by element elsewhere."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import arith, llvm, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType, VectorType, i1, i32, i64
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from weft.dialects.tile.compute import COMPARISONS
from weft.dialects.tile.memory import buffer_type
from weft.dialects.tile.types import BufferType
from weft.errors import CompileError
from weft.transforms.tile_lowering.lowering import Lowering, handles
from weft.transforms.tile_lowering.places import sources
from weft.transforms.tile_lowering.words import element_value, packed, packed_word, word_count

_CONTRACT = arith.FastMathFlagsAttr((FastMathFlag.ALLOW_CONTRACT,))
_APPROXIMATE = arith.FastMathFlagsAttr((FastMathFlag.ALLOW_CONTRACT, FastMathFlag.APPROX_FUNC))
_FLOAT: dict[str, type[Operation]] = {
    "add": arith.AddfOp, "sub": arith.SubfOp, "mul": arith.MulfOp, "div": arith.DivfOp, "max": arith.MaxnumfOp,
    "min": arith.MinnumfOp, "neg": arith.NegfOp,
}  # fmt: skip
_APPROXIMATED: dict[str, type[Operation]] = {
    "abs": math.AbsFOp, "exp": math.ExpOp, "exp2": math.Exp2Op, "log": math.LogOp, "log2": math.Log2Op,
    "sqrt": math.SqrtOp, "rsqrt": math.RsqrtOp, "tanh": math.TanhOp, "sin": math.SinOp, "cos": math.CosOp,
    "erf": math.ErfOp,
}  # fmt: skip
_INTEGER: dict[str, type[Operation]] = {
    "add": arith.AddiOp, "sub": arith.SubiOp, "mul": arith.MuliOp, "and": arith.AndIOp, "or": arith.OrIOp,
    "xor": arith.XOrIOp, "shl": arith.ShLIOp,
}  # fmt: skip
_BY_SIGN: dict[str, tuple[type[Operation], type[Operation]]] = {
    "div": (arith.DivSIOp, arith.DivUIOp),
    "rem": (arith.RemSIOp, arith.RemUIOp),
    "shr": (arith.ShRSIOp, arith.ShRUIOp),
    "max": (arith.MaxSIOp, arith.MaxUIOp),
    "min": (arith.MinSIOp, arith.MinUIOp),
}
_INT_PREDICATES = {"eq": (0, 0), "ne": (1, 1), "lt": (2, 6), "le": (3, 7), "gt": (4, 8), "ge": (5, 9)}
_FLOAT_PREDICATES = {"eq": 1, "gt": 2, "ge": 3, "lt": 4, "le": 5, "ne": 13}
_PACKED = frozenset({"add", "sub", "mul", "max", "min", "neg", "abs", "fma", "exp2", "tanh"})
"""Functions that there are instructions for on two 16-bit floats at once."""


@handles("tile.elementwise")
def lower_elementwise(env: Lowering, op: Any) -> None:
    """Apply a function to every element."""
    function, unsigned = op.function.data, op.unsigned is not None
    dst = buffer_type(op.dst)
    maps = [
        sources(dst.layout, dst.shape, type.layout, type.shape) if isinstance(type := x.type, BufferType) else None
        for x in op.sources
    ]
    if _wordwise(dst, op.sources, maps, function):
        _by_words(env, op, function)
    else:
        _by_elements(env, op, function, maps, unsigned=unsigned)
    env.remove(op)


def _wordwise(dst: BufferType, operands: Any, maps: list[Any], function: str) -> bool:
    """Whether the function applies to whole words of two 16-bit floats, or just moves them."""
    same = all(
        x is None or (x == tuple(range(len(x))) and operand.type.element == dst.element)
        for x, operand in zip(maps, operands, strict=True)
    )
    if not same:
        return False
    if function == "copy":
        return True
    return dst.element_bits == 16 and not isinstance(dst.element, IntegerType) and function in _PACKED


def _by_words(env: Lowering, op: Any, function: str) -> None:
    dst = buffer_type(op.dst)
    if function == "copy":
        env.set_words(op.dst, list(env.words(op.sources[0])))
        return
    vector = VectorType(dst.element, [2])
    constants = [
        env.emit(llvm.BitcastOp.create(operands=[packed_word(env, dst, [x, x])], result_types=[vector]))
        if not isinstance(x.type, BufferType)
        else None
        for x in op.sources
    ]
    for at in range(word_count(dst)):
        operands: list[SSAValue] = []
        for x, constant in zip(op.sources, constants, strict=True):
            if constant is not None:
                operands.append(constant)
                continue
            word = env.words(x)[at]
            word = env.undefined(i32) if word is None else word
            operands.append(env.emit(llvm.BitcastOp.create(operands=[word], result_types=[vector])))
        value = env.emit(_float_operation(function, operands, vector))
        env.set_word(op.dst, at, env.emit(llvm.BitcastOp.create(operands=[value], result_types=[i32])))


def _by_elements(env: Lowering, op: Any, function: str, maps: list[Any], *, unsigned: bool) -> None:
    dst = buffer_type(op.dst)
    snapshot = [list(env.words(x)) if isinstance(x.type, BufferType) else None for x in op.sources]
    each = packed(dst)
    for at in range(word_count(dst)):
        elements: list[SSAValue] = []
        written = False
        for place in range(at * each, at * each + each):
            operands: list[SSAValue] | None = []
            for x, words, found in zip(op.sources, snapshot, maps, strict=True):
                if words is None:
                    operands.append(x)
                    continue
                source = found[place] if place < len(found) else None
                if source is None:
                    operands = None
                    break
                operands.append(element_value(env, buffer_type(x), words, source))
            if operands is None:
                elements.append(env.undefined(dst.element))
                continue
            written = True
            elements.append(apply(env, function, operands, dst.element, unsigned=unsigned))
        if written:
            env.set_word(op.dst, at, packed_word(env, dst, elements))


def apply(
    env: Lowering, function: str, operands: list[SSAValue], result: Attribute, *, unsigned: bool = False
) -> SSAValue:
    """A function of elements."""
    if function == "copy":
        return operands[0]
    if function == "cast":
        return _cast(env, operands[0], result, unsigned=unsigned)
    if function == "where":
        condition = operands[0]
        if condition.type != i1:
            condition = _compare(env, "ne", [condition, _zero(env, condition.type)], unsigned=False)
        return env.emit(arith.SelectOp.create(operands=[condition, *operands[1:]], result_types=[result]))
    if function in COMPARISONS:
        test = _compare(env, function, operands, unsigned=unsigned)
        return env.emit(arith.ExtUIOp.create(operands=[test], result_types=[result]))
    kind = operands[0].type
    if _is_integer(kind):
        return env.emit(_integer_operation(env, function, operands, kind, unsigned=unsigned))
    return env.emit(_float_operation(function, operands, kind))


def _is_integer(kind: Attribute) -> bool:
    return isinstance(kind, IntegerType)


def _zero(env: Lowering, kind: Attribute) -> SSAValue:
    if isinstance(kind, IntegerType):
        return env.constant(0, kind.width.data)
    value = FloatAttr(0.0, cast("AnyFloat", kind))
    return env.emit(arith.ConstantOp.create(properties={"value": value}, result_types=[value.type]))


def _compare(env: Lowering, function: str, operands: list[SSAValue], *, unsigned: bool) -> SSAValue:
    if isinstance(operands[0].type, IntegerType):
        predicate = IntegerAttr(_INT_PREDICATES[function][unsigned], i64)
        return env.emit(arith.CmpiOp.create(operands=operands, result_types=[i1], properties={"predicate": predicate}))
    properties = {"predicate": IntegerAttr(_FLOAT_PREDICATES[function], i64), "fastmath": _CONTRACT}
    return env.emit(arith.CmpfOp.create(operands=operands, result_types=[i1], properties=properties))


def _float_operation(function: str, operands: list[SSAValue], kind: Attribute) -> Operation:
    if function == "fma":
        return math.FmaOp.create(operands=operands, result_types=[kind], properties={"fastmath": _CONTRACT})
    approximated = _APPROXIMATED.get(function)
    if approximated is not None:
        return approximated.create(operands=operands, result_types=[kind], properties={"fastmath": _APPROXIMATE})
    made = _FLOAT.get(function)
    if made is None:
        raise CompileError(f"there is no '{function}' of floating-point numbers")
    return made.create(operands=operands, result_types=[kind], properties={"fastmath": _CONTRACT})


def _integer_operation(
    env: Lowering, function: str, operands: list[SSAValue], kind: Attribute, *, unsigned: bool
) -> Operation:
    flags: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}
    if function == "neg":
        function, operands = "sub", [_zero(env, kind), operands[0]]
    if function == "abs":
        return math.AbsIOp.create(operands=operands, result_types=[kind])
    if function == "fma":
        product = env.emit(arith.MuliOp.create(operands=operands[:2], result_types=[kind], properties=flags))
        function, operands = "add", [product, operands[2]]
    made = _INTEGER.get(function)
    if made is not None:
        properties = flags if function in ("add", "sub", "mul", "shl") else {}
        return made.create(operands=operands, result_types=[kind], properties=properties)
    signed = _BY_SIGN.get(function)
    if signed is None:
        raise CompileError(f"there is no '{function}' of integers", hint="convert the tile to f32 first")
    return signed[unsigned].create(operands=operands, result_types=[kind])


def _cast(env: Lowering, value: SSAValue, result: Attribute, *, unsigned: bool) -> SSAValue:
    source = value.type
    if source == result:
        return value
    made = _conversion(source, result, unsigned=unsigned)
    if made is None:
        raise CompileError(f"there is no conversion of {source} to {result}", hint="go through f32")
    return env.emit(made.create(operands=[value], result_types=[result]))


def _conversion(source: Attribute, result: Attribute, *, unsigned: bool) -> type[Operation] | None:
    wide, narrow = _bits(source), _bits(result)
    match isinstance(source, IntegerType), isinstance(result, IntegerType):
        case False, False:
            return None if wide == narrow else (arith.ExtFOp if narrow > wide else arith.TruncFOp)
        case True, True:
            if narrow < wide:
                return arith.TruncIOp
            return arith.ExtUIOp if unsigned else arith.ExtSIOp
        case True, False:
            return arith.UIToFPOp if unsigned else arith.SIToFPOp
        case _:
            return arith.FPToUIOp if unsigned else arith.FPToSIOp


def _bits(kind: Attribute) -> int:
    return kind.bitwidth if hasattr(kind, "bitwidth") else kind.width.data  # type: ignore[attr-defined]
