"""Arrays whose operations write code: the semantics of `weft.sim.semantics` run on them, and leave LLVM IR behind.

A `Traced` has an element for each lane of a warp, or several (the halves of packed words: lanes by elements).  What
machines have no instruction for is done by NumPy's own inner loop, called on the elements in memory: same results.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from weft.sim.abstract import Abstract
from weft.sim.native.code import LANES, Code, NotTraced, constant, vector
from weft.sim.native.context import CONTEXT
from weft.sim.native.functions import FUNCTIONS
from weft.sim.types import BOOL, Dtype

_WORD = np.dtype(np.uint32)
_CANONICAL_F32 = np.uint32(0x7FFF_FFFF).view(np.float32)

_COMPARE = {
    "equal": ("eq", "eq", "oeq"),
    "not_equal": ("ne", "ne", "une"),
    "less": ("slt", "ult", "olt"),
    "less_equal": ("sle", "ule", "ole"),
    "greater": ("sgt", "ugt", "ogt"),
    "greater_equal": ("sge", "uge", "oge"),
}
_ARITHMETIC = {
    "add": ("add", "fadd"),
    "subtract": ("sub", "fsub"),
    "multiply": ("mul", "fmul"),
    "divide": ("", "fdiv"),
}
_BITS = {f"{kind}_{operation}": operation for kind in ("bitwise", "logical") for operation in ("and", "or", "xor")}
_ROUND = frozenset({"floor", "ceil", "trunc", "rint", "sqrt"})


class Traced(NDArrayOperatorsMixin, Abstract):
    """The value `name` of the code: elements of a dtype, in rows as `shape` says."""

    __slots__ = ("code", "dtype", "name", "shape")

    def __init__(self, code: Code, name: str, dtype: Dtype, shape: tuple[int, ...] = (LANES,)) -> None:
        self.code = code
        self.name = name
        self.dtype = dtype
        self.shape = shape

    # -- what an array is -------------------------------------------------------------------------------------

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return self.dtype.itemsize

    @property
    def type(self) -> str:
        """The LLVM type."""
        return vector(self.dtype, self.size)

    @property
    def typed(self) -> str:
        """The type and the value, as an operand."""
        return f"{self.type} {self.name}"

    def like(self, name: str, dtype: Dtype | None = None, shape: tuple[int, ...] | None = None) -> Traced:
        """A value of the same code."""
        return Traced(self.code, name, self.dtype if dtype is None else dtype, self.shape if shape is None else shape)

    def reshape(self, *shape: Any) -> Traced:
        """The same elements in other rows."""
        wanted: Any = shape[0] if len(shape) == 1 else shape  # pyright: ignore[reportUnknownVariableType]
        return self.like(self.name, shape=np.empty(self.shape, np.bool_).reshape(wanted).shape)

    def view(self, dtype: Any) -> Traced:
        """The bits as another type."""
        to = np.dtype(dtype)
        if to == self.dtype:
            return self
        if self.dtype == BOOL and to.itemsize == 1:
            return self.astype(to)
        if BOOL in (self.dtype, to):
            raise NotTraced("bits of booleans")
        shape = np.empty(self.shape, self.dtype).view(to).shape
        if vector(to, prod(shape)) == self.type:
            return self.like(self.name, to, shape)
        return self.like(self.code.pure(f"bitcast {self.typed} to {vector(to, prod(shape))}"), to, shape)

    def astype(self, dtype: Any, **_: Any) -> Traced:
        """The values as another type, converted as NumPy does."""
        to = np.dtype(dtype)
        if to == self.dtype:
            return self
        if self.dtype == np.float64 and to == np.float16:
            from weft.sim.values import odd_f32

            return odd_f32(self).astype(to)  # pyright: ignore[reportArgumentType, reportReturnType]
        if self.dtype == np.float16 and to == np.float64:
            return self.astype(np.float32).astype(to)
        if to == BOOL:
            return self != self.dtype.type(0)
        operation = _conversion(self.dtype, to)
        if not operation:
            return self.like(self.name, to)
        return self.like(self.code.pure(f"{operation} {self.typed} to {vector(to, self.size)}"), to)

    def copy(self) -> Traced:
        """Itself: values do not change."""
        return self

    def byteswap(self) -> Traced:
        """The bytes of each element in reverse order."""
        name = f"llvm.bswap.v{self.size}i{8 * self.itemsize}"
        return self.like(self.code.intrinsic(name, self.type, (self.type, self.name)))

    def sum(self, axis: int) -> Traced:
        """The sum along the last axis."""
        if self.ndim != 2 or axis not in (1, -1):
            raise NotTraced("a sum over lanes")
        wide = self.astype(np.zeros(0, self.dtype).sum().dtype)
        total = wide[:, 0]
        for number in range(1, self.shape[1]):
            total = total + wide[:, number]
        return total

    def __getitem__(self, key: Any) -> Traced:
        chosen: Any = np.arange(self.size).reshape(self.shape)[key]
        if np.ndim(chosen) == 0:
            raise NotTraced("one lane's element")
        if chosen.size == self.size and (chosen.reshape(-1) == np.arange(self.size)).all():
            return self.like(self.name, shape=chosen.shape)
        mask = constant(chosen, _WORD, chosen.size)
        name = self.code.pure(f"shufflevector {self.typed}, {self.type} poison, <{chosen.size} x i32> {mask}")
        return self.like(name, shape=chosen.shape)

    def __bool__(self) -> bool:
        raise NotTraced("a decision that depends on values")

    def __int__(self) -> int:
        raise NotTraced("a number that depends on values")

    __index__ = __int__

    # -- NumPy's functions ------------------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "reduce" and ufunc is np.add and options.get("axis") is None:
            return np.float64("nan")  # Asks whether there is a NaN at all: there may be.
        if method == "reduce" and isinstance(options.get("axis"), int):
            return self._reduced(ufunc, inputs[0], options["axis"], options.get("dtype"))
        dtype = options.pop("dtype", None)
        if method != "__call__" or options.keys() - {"casting"}:
            raise NotTraced(f"{ufunc.__name__}.{method}")
        kinds = tuple(_kind(one) for one in inputs)
        types = _resolved(ufunc, kinds, None if dtype is None else np.dtype(dtype))
        shape = np.broadcast_shapes(*(getattr(one, "shape", ()) for one in inputs))
        sources = [self.lift(one, to, shape) for one, to in zip(inputs, types, strict=False)]
        results = _apply(self.code, ufunc, sources, types, shape)
        return results[0] if len(results) == 1 else tuple(results)

    def _reduced(self, ufunc: np.ufunc, x: Traced, axis: int, dtype: Any) -> Traced:
        """The elements along an axis put together, by halves."""
        if x.dtype.kind == "f" and ufunc is np.add:
            raise NotTraced("a sum of floats in NumPy's order")
        whole: Any = x if dtype is None else x.astype(dtype)
        while whole.shape[axis] > 1:
            size: int = whole.shape[axis]
            if size % 2:
                raise NotTraced(f"a reduction of {size}")
            places: Any = _np.arange(whole.size).reshape(whole.shape)
            halves = [_np.take(places, np.arange(size // 2) + start, axis=axis) for start in (0, size // 2)]
            whole = ufunc(*(whole.reshape(-1)[half.reshape(-1)].reshape(half.shape) for half in halves))
        return whole.reshape(tuple(extent for number, extent in enumerate(whole.shape) if number != axis % whole.ndim))

    def any(self, axis: int) -> Traced:
        """Whether one is true along an axis."""
        return self._reduced(np.logical_or, self, axis, None)

    def lift(self, value: Any, dtype: Dtype, shape: tuple[int, ...]) -> Traced:
        """A source as values of a dtype and shape: constants become vectors."""
        if isinstance(value, Traced):
            wide = value.astype(dtype)
            if wide.shape != shape and wide.size == prod(shape):
                return wide.reshape(shape)
            if wide.shape != shape:
                index = np.broadcast_to(np.arange(wide.size).reshape(wide.shape), shape)
                wide = self.like(wide.name, wide.dtype, wide.shape).reshape(-1)[index.reshape(-1)].reshape(shape)
            return wide
        array = np.asarray(value)
        with np.errstate(all="ignore"):
            array = array.astype(dtype) if array.dtype != dtype else array
        if array.ndim:
            array = array.reshape(shape) if array.size == prod(shape) else np.broadcast_to(array, shape)
        return Traced(self.code, constant(array, dtype, prod(shape)), dtype, shape)

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        found = FUNCTIONS.get(function)
        if found is None:
            raise NotTraced(f"np.{function.__name__}")
        return found(self, *inputs, **options)

    def primitive(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """See `weft.sim.abstract`."""
        if name == "count_ones":
            wide = arguments[0] if arguments[0].dtype.itemsize in (4, 8) else arguments[0].astype(np.uint64)
            intrinsic = f"llvm.ctpop.v{wide.size}i{8 * wide.itemsize}"
            counted = wide.like(self.code.intrinsic(intrinsic, wide.type, (wide.type, wide.name)))
            return counted.view(f"u{wide.itemsize}").astype(np.uint32)
        if name == "fma32" or (name == "fma64" and (len(arguments) == 3 or arguments[3] == "rn")):
            dtype = np.dtype(np.float32 if name == "fma32" else np.float64)
            a, b, c = (self.lift(one, dtype, self.shape) for one in arguments[:3])
            intrinsic = f"llvm.fma.v{a.size}f{8 * dtype.itemsize}"
            total = a.like(self.code.intrinsic(intrinsic, a.type, *((one.type, one.name) for one in (a, b, c))))
            return total if name == "fma64" else _np.where(_np.isnan(total), _CANONICAL_F32, total)
        return None


def _kind(value: Any) -> Any:
    """What NumPy chooses types by: the dtype, or the type of a number of Python's."""
    if isinstance(value, bool):
        return BOOL
    type_of: Any = type
    return getattr(value, "dtype", type_of(value))


@cache
def _resolved(ufunc: np.ufunc, kinds: tuple[Any, ...], dtype: Dtype | None) -> tuple[Dtype, ...]:
    """The types of a function's operands and results, as NumPy chooses them."""
    outputs = (None,) * ufunc.nout
    more: Any = {} if dtype is None else {"signature": (None,) * ufunc.nin + (dtype,) * ufunc.nout}
    try:
        return tuple(ufunc.resolve_dtypes((*kinds, *outputs), **more))
    except (TypeError, ValueError) as error:
        raise NotTraced(f"{ufunc.__name__} of {kinds}") from error


def _conversion(of: Dtype, to: Dtype) -> str:
    """The instruction that converts; empty where bits stay as they are."""
    if of.kind == "f" and to.kind == "f":
        return "fpext" if to.itemsize > of.itemsize else "fptrunc"
    if of.kind == "f":
        return "fptosi" if to.kind == "i" else "fptoui"
    if to.kind == "f":
        return "sitofp" if of.kind == "i" else "uitofp"
    if of == BOOL or to.itemsize > of.itemsize:
        return "sext" if of.kind == "i" else "zext"
    return "trunc" if to.itemsize < of.itemsize else ""


_np: Any = np


def _apply(
    code: Code, ufunc: np.ufunc, sources: list[Traced], types: tuple[Dtype, ...], shape: tuple[int, ...]
) -> list[Traced]:
    """The results of a function of values."""
    name, dtype, out = ufunc.__name__, types[0], types[-1]
    type_, names = sources[0].type, [source.name for source in sources]
    text = _operation(name, dtype, type_, names)
    if text is not None:
        return [Traced(code, code.pure(text), out, shape)]
    if name in ("left_shift", "right_shift"):
        return [_shift(code, name, sources)]
    if name == "positive":
        return sources
    float_ = dtype.kind == "f"
    kind = f"v{sources[0].size}{'f' if float_ else 'i'}{8 * dtype.itemsize}"
    if name == "absolute":
        if dtype.kind == "u":
            return sources
        more = [] if float_ else [("i1", "false")]
        absolute = f"llvm.{'fabs' if float_ else 'abs'}.{kind}"
        return [Traced(code, code.intrinsic(absolute, type_, (type_, names[0]), *more), out, shape)]
    if name in ("minimum", "maximum") and dtype.kind in "iu":
        intrinsic = f"llvm.{'s' if dtype.kind == 'i' else 'u'}{name[:3]}.{kind}"
        return [Traced(code, code.intrinsic(intrinsic, type_, *((type_, n) for n in names)), out, shape)]
    if name == "copysign" and float_:  # LLVM 22 makes wrong code of its own operation behind a select.
        word = np.dtype(f"u{dtype.itemsize}")
        sign = word.type(1 << 8 * dtype.itemsize - 1)
        magnitude, signed = (one.view(word) for one in sources)
        return [((magnitude & ~sign) | (signed & sign)).view(dtype)]
    if name in _ROUND and float_ and dtype != np.float16:
        intrinsic = f"llvm.{name}.{kind}"
        return [Traced(code, code.intrinsic(intrinsic, type_, *((type_, n) for n in names)), out, shape)]
    if name in ("isfinite", "isinf") and float_:
        size = abs(sources[0])
        return [size < np.inf if name == "isfinite" else size == np.inf]
    if name == "signbit" and float_:
        return [sources[0].view(f"i{dtype.itemsize}") < 0]
    return _looped(code, ufunc, sources, types, shape)


def _operation(name: str, dtype: Dtype, type_: str, names: list[str]) -> str | None:
    """The operation of one instruction."""
    float_, operands = dtype.kind == "f", ", ".join(names)
    if name in _COMPARE:
        signed, unsigned, ordered = _COMPARE[name]
        return (
            f"fcmp {ordered} {type_} {operands}"
            if float_
            else (f"icmp {signed if dtype.kind == 'i' else unsigned} {type_} {operands}")
        )
    if name in _ARITHMETIC and dtype != BOOL:
        return f"{_ARITHMETIC[name][float_]} {type_} {operands}"
    if name in _BITS:
        return f"{_BITS[name]} {type_} {operands}"
    if dtype == BOOL and name in ("add", "multiply"):
        return f"{'or' if name == 'add' else 'and'} {type_} {operands}"
    if name in ("invert", "logical_not"):
        return (
            f"xor {type_} {operands}, {'splat (i1 true)' if dtype == BOOL else f'splat ({type_.split()[2][:-1]} -1)'}"
        )
    if name == "negative":
        return f"fneg {type_} {operands}" if float_ else f"sub {type_} zeroinitializer, {operands}"
    if name == "isnan" and float_:
        return f"fcmp uno {type_} {names[0]}, {names[0]}"
    return None


def _shift(code: Code, name: str, sources: list[Traced]) -> Traced:
    """NumPy's shifts are defined for all amounts: nothing is left, or the sign, when they are past the width."""
    value, amount = sources
    dtype, bits = value.dtype, 8 * value.itemsize
    signed = name == "right_shift" and dtype.kind == "i"
    operation = "shl" if name == "left_shift" else "ashr" if signed else "lshr"
    known = amount.name.startswith("splat") and int(amount.name.split()[-1][:-1])
    if known is not False and 0 <= known < bits:
        return value.like(code.pure(f"{operation} {value.typed}, {amount.name}"))
    unsigned = amount.view(f"u{value.itemsize}")
    if signed:
        least = _np.minimum(unsigned, unsigned.dtype.type(bits - 1))
        return value.like(code.pure(f"{operation} {value.typed}, {least.name}"))
    inside: Any = unsigned < unsigned.dtype.type(bits)
    amount = unsigned & unsigned.dtype.type(bits - 1)
    shifted = value.like(code.pure(f"{operation} {value.typed}, {amount.name}"))
    return _np.where(inside, shifted, dtype.type(0))


def _looped(
    code: Code, ufunc: np.ufunc, sources: list[Traced], types: tuple[Dtype, ...], shape: tuple[int, ...]
) -> list[Traced]:
    """A call of NumPy's inner loop, through scratch memory."""
    loop_of(ufunc, types)  # Says so where there is none.
    number = code.loops.setdefault((ufunc.__name__, "".join(dtype.char for dtype in types)), len(code.loops))
    count = prod(shape)
    places: list[str] = []
    offset = 0
    for dtype in types:
        places.append(code.pure(f"getelementptr i8, ptr %scratch, i64 {offset}"))
        offset += count * dtype.itemsize
    code.scratch = max(code.scratch, offset)
    for source, place in zip(sources, places, strict=False):
        stored = source.astype(np.uint8) if source.dtype == BOOL else source
        code.line(f"store {stored.typed}, ptr {place}, align 64")
    offsets = ", ".join(f"ptr {place}, i64 {dtype.itemsize}" for place, dtype in zip(places, types, strict=True))
    many = len(types)
    parameters = ", ".join(f"ptr %p{i}, i64 %s{i}" for i in range(many))
    stores = "\n".join(
        f"  %a{i} = getelementptr i64, ptr %args, i64 {i}\n  store ptr %p{i}, ptr %a{i}\n"
        f"  %b{i} = getelementptr i64, ptr %steps, i64 {i}\n  store i64 %s{i}, ptr %b{i}"
        for i in range(many)
    )
    code.declare(_LOOP.format(many=many, at=CONTEXT["loops"], parameters=parameters, stores=stores))
    code.line(f"call void @loop{many}(ptr %ctx, i64 {number}, i64 {count}, {offsets})")
    results: list[Traced] = []
    for dtype, place in list(zip(types, places, strict=True))[len(sources) :]:
        memory = np.dtype(np.uint8) if dtype == BOOL else dtype
        loaded = Traced(code, code.value(f"load {vector(memory, count)}, ptr {place}, align 64"), memory, shape)
        results.append(loaded.astype(BOOL) if dtype == BOOL else loaded)
    return results


_LOOP = """define internal void @loop{many}(ptr %ctx, i64 %number, i64 %count, {parameters}) noinline {{
  %args = alloca [{many} x i64]
  %steps = alloca [{many} x i64]
  %dims = alloca i64
  store i64 %count, ptr %dims
{stores}
  %t = getelementptr i64, ptr %ctx, i64 {at}
  %table = load ptr, ptr %t
  %n = shl i64 %number, 1
  %f = getelementptr i64, ptr %table, i64 %n
  %function = load ptr, ptr %f
  %d = getelementptr i64, ptr %f, i64 1
  %data = load ptr, ptr %d
  call void %function(ptr %args, ptr %dims, ptr %steps, ptr %data)
  ret void
}}"""


@cache
def loop_of(ufunc: np.ufunc, types: tuple[Dtype, ...]) -> tuple[int, int]:
    """The addresses of a ufunc's inner loop for some types, and of its data: fields of NumPy's `PyUFuncObject`."""
    import ctypes

    for number, text in enumerate(ufunc.types):
        chars = text.replace("->", "")
        if "O" not in chars and tuple(np.dtype(char) for char in chars) == types:
            words = (ctypes.c_int64 * 6).from_address(id(ufunc) + 16)
            functions, data = words[2], words[3]
            at = (ctypes.c_int64 * (number + 1)).from_address
            return at(functions)[number], at(data)[number] if data else 0
    raise NotTraced(f"{ufunc.__name__} of {types}")
