"""Functions of numbers as operations of `arith` and `math`: one table, for scalars and for the elements of tiles.

Integers divide as Python's do, rounded towards minus infinity, and the remainder has the divisor's sign.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType, UnitAttr, VectorType, f32, i1, i64
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from weft.dialects.arith.predicates import FLOAT_PREDICATES, INTEGER_PREDICATES
from weft.errors import CompileError

FLUSHED = "weft.flush"
"""The attribute of a function whose results below the least normal number are 0."""
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
_CONTRACT = arith.FastMathFlagsAttr((FastMathFlag.ALLOW_CONTRACT,))
_APPROXIMATE = arith.FastMathFlagsAttr((FastMathFlag.ALLOW_CONTRACT, FastMathFlag.APPROX_FUNC))
_WRAP = arith.IntegerOverflowAttr("none")

_FLOAT: dict[str, type[Operation]] = {
    "add": arith.AddfOp, "sub": arith.SubfOp, "mul": arith.MulfOp, "div": arith.DivfOp, "max": arith.MaxnumfOp,
    "min": arith.MinnumfOp, "neg": arith.NegfOp, "fma": math.FmaOp,
}  # fmt: skip
_APPROXIMATED: dict[str, type[Operation]] = {
    "abs": math.AbsFOp, "exp": math.ExpOp, "exp2": math.Exp2Op, "log": math.LogOp, "log2": math.Log2Op,
    "sqrt": math.SqrtOp, "rsqrt": math.RsqrtOp, "tanh": math.TanhOp, "sin": math.SinOp, "cos": math.CosOp,
    "exp2_flushed": math.Exp2Op, "floor": math.FloorOp,
    "ceil": math.CeilOp, "trunc": math.TruncOp, "round": math.RoundEvenOp,
}  # fmt: skip
_WRAPPING: dict[str, type[Operation]] = {
    "add": arith.AddiOp, "sub": arith.SubiOp, "mul": arith.MuliOp, "shl": arith.ShLIOp,
}  # fmt: skip
_BITWISE: dict[str, type[Operation]] = {"and": arith.AndIOp, "or": arith.OrIOp, "xor": arith.XOrIOp}
_BY_SIGN: dict[str, tuple[type[Operation], type[Operation]]] = {
    "div": (arith.FloorDivSIOp, arith.DivUIOp),
    "rem": (arith.RemSIOp, arith.RemUIOp),
    "shr": (arith.ShRSIOp, arith.ShRUIOp),
    "max": (arith.MaxSIOp, arith.MaxUIOp),
    "min": (arith.MinSIOp, arith.MinUIOp),
}
_FLOAT_PREDICATES = {"eq": "oeq", "gt": "ogt", "ge": "oge", "lt": "olt", "le": "ole", "ne": "une"}

UNARY = ("copy", "cast", "neg", *_APPROXIMATED)
BINARY = ("add", "sub", "mul", "div", "rem", "max", "min", "and", "or", "xor", "shl", "shr")
FUNCTIONS = dict.fromkeys(UNARY, 1) | dict.fromkeys((*BINARY, *COMPARISONS), 2) | {"fma": 3, "where": 3}
"""The functions of numbers, with how many they take."""
FLOAT_FUNCTIONS = frozenset(_APPROXIMATED) - {"abs"}
"""The functions that there are of floating-point numbers only."""


class Arithmetic:
    """Functions of numbers, put where `emit` puts operations; `constant` makes (or finds) a constant."""

    def __init__(self, emit: Callable[[Operation], SSAValue], constant: Callable[[Attribute], SSAValue]) -> None:
        self._emit = emit
        self._constant = constant

    def apply(self, function: str, operands: list[SSAValue], *, unsigned: bool = False) -> SSAValue:
        """A function of `FUNCTIONS` but for `cast`; comparisons give an i1.  `unsigned` is how integers are read.

        Raises:
            CompileError: there is no such function of the operands' type.
        """
        if function == "copy":
            return operands[0]
        if function == "where":
            return self._select(operands)
        kind = operands[0].type
        if function in COMPARISONS:
            return self._compare(function, operands, unsigned=unsigned)
        if _is_integer(kind):
            return self._integer(function, operands, kind, unsigned=unsigned)
        return self._float(function, operands, kind)

    def convert(self, value: SSAValue, result: Attribute, *, unsigned: bool) -> SSAValue:
        """A number as one of another type: floats to nearest even, floats to integers towards zero; to i1, whether
        it is not 0.  `unsigned` is how the integer of the two is read.
        """
        source = value.type
        if source == result:
            return value
        if result == i1:
            return self._compare("ne", [value, self.zero(source)], unsigned=unsigned)
        if not (_is_integer(source) or _is_integer(result)) and _bits(source) == _bits(result):
            return self._between_floats(self._between_floats(value, f32), result)
        made = _conversion(source, result, unsigned=unsigned)
        return self._emit(made.create(operands=[value], result_types=[result]))

    def zero(self, kind: Attribute) -> SSAValue:
        """The number 0 of a type."""
        if _is_integer(kind):
            return self._constant(IntegerAttr(0, cast("IntegerType", kind)))
        return self._constant(FloatAttr(0.0, cast("AnyFloat", kind)))

    def _between_floats(self, value: SSAValue, result: Attribute) -> SSAValue:
        made = arith.ExtFOp if _bits(result) > _bits(value.type) else arith.TruncFOp
        return self._emit(made.create(operands=[value], result_types=[result]))

    def _select(self, operands: list[SSAValue]) -> SSAValue:
        condition = self.convert(operands[0], i1, unsigned=True)
        return self._emit(arith.SelectOp.create(operands=[condition, *operands[1:]], result_types=[operands[1].type]))

    def _compare(self, function: str, operands: list[SSAValue], *, unsigned: bool) -> SSAValue:
        made: type[Operation] = arith.CmpiOp
        if _is_integer(operands[0].type):
            name = function if function in ("eq", "ne") else ("u" if unsigned else "s") + function
            predicate = INTEGER_PREDICATES.index(name)
            properties: dict[str, Any] = {"predicate": IntegerAttr(predicate, i64)}
        else:
            made = arith.CmpfOp
            _check_wide(function, operands[0].type)
            properties = {
                "predicate": IntegerAttr(FLOAT_PREDICATES.index(_FLOAT_PREDICATES[function]), i64),
                "fastmath": _CONTRACT,
            }
        return self._emit(made.create(operands=operands, result_types=[i1], properties=properties))

    def _float(self, function: str, operands: list[SSAValue], kind: Attribute) -> SSAValue:
        _check_wide(function, kind)
        approximated = _APPROXIMATED.get(function)
        made = approximated or _FLOAT.get(function)
        if made is None:
            raise CompileError(f"there is no '{function}' of floating-point numbers")
        flags = _CONTRACT if approximated is None else _APPROXIMATE
        attributes: dict[str, Attribute] = {FLUSHED: UnitAttr()} if function.endswith("_flushed") else {}
        return self._emit(
            made.create(operands=operands, result_types=[kind], properties={"fastmath": flags}, attributes=attributes)
        )

    def _integer(self, function: str, operands: list[SSAValue], kind: Attribute, *, unsigned: bool) -> SSAValue:
        match function:
            case "neg":
                return self._integer("sub", [self.zero(kind), operands[0]], kind, unsigned=unsigned)
            case "abs" if unsigned:
                return operands[0]
            case "abs":
                return self._emit(math.AbsIOp.create(operands=operands, result_types=[kind]))
            case "fma":
                product = self._integer("mul", operands[:2], kind, unsigned=unsigned)
                return self._integer("add", [product, operands[2]], kind, unsigned=unsigned)
            case "rem" if not unsigned:
                quotient = self._integer("div", operands, kind, unsigned=False)
                product = self._integer("mul", [quotient, operands[1]], kind, unsigned=False)
                return self._integer("sub", [operands[0], product], kind, unsigned=False)
            case _:
                return self._emit(_integer_operation(function, operands, kind, unsigned=unsigned))


def _integer_operation(function: str, operands: list[SSAValue], kind: Attribute, *, unsigned: bool) -> Operation:
    wrapping = _WRAPPING.get(function)
    if wrapping is not None:
        return wrapping.create(operands=operands, result_types=[kind], properties={"overflowFlags": _WRAP})
    made = _BITWISE.get(function)
    if made is None:
        pair = _BY_SIGN.get(function)
        if pair is None:
            raise CompileError(f"there is no '{function}' of integers", hint="convert to f32 first")
        made = pair[unsigned]
    return made.create(operands=operands, result_types=[kind])


def _element(kind: Attribute) -> Attribute:
    """A type, or that of a vector's elements."""
    return cast("VectorType[Attribute]", kind).element_type if isinstance(kind, VectorType) else kind


def _is_integer(kind: Attribute) -> bool:
    return isinstance(kind, IntegerType)


def _check_wide(function: str, kind: Attribute) -> None:
    if _bits(_element(kind)) < 16:
        raise CompileError(f"there is no '{function}' of {kind}", hint="convert to f16 or f32 first")


def _conversion(source: Attribute, result: Attribute, *, unsigned: bool) -> type[Operation]:
    wide, narrow = _bits(source), _bits(result)
    match _is_integer(source), _is_integer(result):
        case False, False:
            return arith.ExtFOp if narrow > wide else arith.TruncFOp
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
