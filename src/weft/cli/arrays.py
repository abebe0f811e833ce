"""Kernel arguments as they are written on the command line, and arrays as files.

    TYPE=NUMBER            a scalar: u32=1024, f32=2.5, b64=0x10
    TYPE[SHAPE]=CONTENTS   an array: f32[1024]=arange, f16[64,64]=normal, u8[16]=1,2,3, bf16[8,8]=@a.npy
    @FILE.npy              an array as it is in the file
    same(N)                the array of argument N once more
    memref:ARRAY           an array as compiled MLIR takes a memref: pointers, offset, sizes and strides
    tensormap[BOX]:ARRAY   a tensor map of an array, with its box, as in 64,64, and its swizzle, as in 64,64;128B

TYPE is PTX's (u8 ... u64, s8 ..., b8 ..., f16, bf16, f32, f64, e4m3, e5m2, ...) or NumPy's name. CONTENTS is arange,
zeros, ones, full(X), random (floats in [0, 1), integers of all values), normal, numbers with commas, or @FILE.npy.
"""

from __future__ import annotations

import io
import math
import re
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from weft.cli import files
from weft.errors import Position, WeftError
from weft.isa.tensor_map import TensorMap
from weft.sim.values import SMALL_FLOATS, small_dtype

Array = npt.NDArray[Any]
Dtype = np.dtype[Any]

_ARRAY = re.compile(r"(?P<type>\w+)\[(?P<shape>[\d\s,x]*)\](?:=(?P<contents>.+))?$", re.DOTALL)
_SCALAR = re.compile(r"(?P<type>\w+)=(?P<value>[^@].*)$")
_MAP = re.compile(r"tensormap\[(?P<box>[\d\s,x]*)(;(?P<swizzle>\w+))?\]:(?P<array>.+)$", re.DOTALL)
_CALL = re.compile(r"(\w+)\((.*)\)$")
_KINDS = {"u": "u", "b": "u", "s": "i", "i": "i", "f": "f"}


class ArgumentError(WeftError):
    """An argument is not written as it must be."""

    def __init__(self, text: str, message: str, hint: str = "") -> None:
        super().__init__(f"--arg {text}: {message}", hint=hint)


def dtype_of(name: str) -> Dtype | None:
    """The dtype of a PTX type or of a NumPy name; None for what is neither."""
    import ml_dtypes

    if name in SMALL_FLOATS:
        return small_dtype(name)
    match = re.fullmatch(r"([ubsif])(8|16|32|64)", name)
    if match and (match[1] != "f" or match[2] != "8"):
        return np.dtype(f"{_KINDS[match[1]]}{int(match[2]) // 8}")
    try:
        dtype = np.dtype(getattr(ml_dtypes, name, name))
    except TypeError:
        return None
    return dtype if dtype.kind in "biufc" or dtype.isbuiltin == 2 else None


def parse(text: str, before: list[list[Any]], random: np.random.Generator) -> list[Any]:
    """The values that one `--arg` passes: one, or for a memref several; `before` holds those of the earlier ones."""
    text = text.strip()
    if text.startswith("memref:"):
        found = array_of([_one(text, text.removeprefix("memref:"), before, random)])
        if found is None:
            raise ArgumentError(text, "write a memref with a type, a shape and contents")
        return [found, found, 0, *found.shape, *(stride // found.itemsize for stride in found.strides)]
    if match := _MAP.match(text):
        found = array_of([_one(text, match["array"], before, random)])
        if found is None:
            raise ArgumentError(text, "write a tensor map with the array that it describes")
        box = [int(part) for part in re.split(r"[,x\s]+", match["box"].strip()) if part]
        return [TensorMap(found, box, swizzle=cast(Any, match["swizzle"] or "NONE"))]
    return [_one(text, text, before, random)]


def array_of(values: list[Any]) -> Array | None:
    """The array among the values of one argument."""
    if isinstance(values[0], TensorMap):
        return values[0].array
    return cast(Array, values[0]) if isinstance(values[0], np.ndarray) else None


def _one(whole: str, text: str, before: list[list[Any]], random: np.random.Generator) -> Any:
    if text.startswith("@"):
        return load(text[1:])
    if match := re.fullmatch(r"same\((\d+)\)", text):
        number = int(match[1])
        array = array_of(before[number]) if number < len(before) else None
        if array is None:
            raise ArgumentError(whole, f"there is no earlier array argument {number}")
        return array
    if match := _ARRAY.match(text):
        return _array(whole, match["type"], match["shape"], match["contents"], random)
    if match := re.fullmatch(r"(\w+)=(@.+)", text):
        return _typed(whole, load(match[2][1:]), _known(whole, match[1]))
    if match := _SCALAR.match(text):
        return _scalar(whole, _known(whole, match["type"]), match["value"])
    raise ArgumentError(
        whole,
        "not TYPE=NUMBER, TYPE[SHAPE]=CONTENTS or @FILE.npy",
        "write f32[1024]=arange, u32=1024 or f16[64,64]=@a.npy",
    )


def _known(whole: str, name: str) -> Dtype:
    dtype = dtype_of(name)
    if dtype is None:
        raise ArgumentError(
            whole, f"unknown type '{name}'", "use u8 to u64, s8 to s64, f16, bf16, f32, f64, e4m3, e5m2, ..."
        )
    return dtype


def _number(whole: str, text: str, dtype: Dtype) -> Any:
    try:
        if dtype.kind in "iu":
            number = int(text, 0)
            info = np.iinfo(dtype)
            if not int(info.min) <= number <= int(info.max):
                raise ArgumentError(whole, f"{text} does not fit {dtype.name}")
            return dtype.type(number)
        wide = float(text)
        with np.errstate(over="ignore"):
            number = np.array(wide).astype(dtype)[()]
        if dtype.kind != "c" and math.isfinite(wide) and not math.isfinite(float(number)):
            raise ArgumentError(whole, f"{text} does not fit {dtype.name}")
        return number
    except ValueError:
        raise ArgumentError(whole, f"'{text}' is not a number of type {dtype.name}") from None


def _scalar(whole: str, dtype: Dtype, text: str) -> Any:
    return _number(whole, text, dtype)


def _array(whole: str, name: str, shape: str, contents: str | None, random: np.random.Generator) -> Array:
    dtype = _known(whole, name)
    extents = tuple(int(part) for part in re.split(r"[,x\s]+", shape.strip()) if part)
    if contents is None:
        raise ArgumentError(
            whole, "an array needs contents", "use arange, zeros, ones, full(X), random, normal or @FILE.npy"
        )
    if contents.startswith("@"):
        array = _typed(whole, load(contents[1:]), dtype)
        if array.shape != extents:
            raise ArgumentError(whole, f"{contents[1:]} has shape {array.shape}")
        return array
    try:
        return _filled(whole, dtype, math.prod(extents), contents, random).reshape(extents)
    except (MemoryError, ValueError):
        raise ArgumentError(whole, "the array does not fit in memory") from None


def _filled(whole: str, dtype: Dtype, size: int, contents: str, random: np.random.Generator) -> Array:
    if contents == "arange":
        return np.arange(size).astype(dtype)
    if contents in ("zeros", "ones"):
        return np.full(size, int(contents == "ones")).astype(dtype)
    if contents == "random" and dtype.kind in "iu":
        info = np.iinfo(dtype)
        return random.integers(info.min, info.max, size, dtype=dtype, endpoint=True)
    if contents == "random":
        return random.random(size).astype(dtype)
    if contents == "normal":
        return random.standard_normal(size).astype(dtype)
    if (match := _CALL.match(contents)) and match[1] == "full":
        return np.full(size, _number(whole, match[2], dtype))
    numbers = [_number(whole, part.strip(), dtype) for part in contents.split(",")]
    if len(numbers) != size:
        raise ArgumentError(whole, f"{len(numbers)} values are given for {size} elements")
    return np.array(numbers, dtype)


def _typed(whole: str, array: Array, dtype: Dtype) -> Array:
    """An array from a file as a type: .npy files hold bf16 and fp8 as bytes without a type."""
    if array.dtype == dtype:
        return array
    if array.dtype.kind == "V" and array.dtype.itemsize == dtype.itemsize:
        return array.view(dtype)
    raise ArgumentError(whole, f"the file contains {array.dtype.name}, not {dtype.name}")


def load(name: str) -> Array:
    """The array of a .npy file, writable and in C order. Raises WeftError where the file holds none."""
    try:
        loaded: Array = np.load(name, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise WeftError(f"not a .npy file of numbers: {error}", Position(file=name)) from None
    if not isinstance(loaded, np.ndarray):  # pyright: ignore[reportUnnecessaryIsInstance] (.npz archives)
        raise WeftError("an archive of several arrays, not a .npy file", Position(file=name))
    return np.array(loaded, order="C")


def save(name: str, array: Array) -> None:
    """Write an array as a .npy file; bf16 and fp8 become bytes without a type, as NumPy has none for them."""
    data = io.BytesIO()
    np.save(data, array.view(f"V{array.itemsize}") if array.dtype.isbuiltin == 2 else array)
    files.write(name, data.getvalue())


def summary(array: Array) -> str:
    """Type, shape, extremes and first elements of an array, on one line."""
    shape = ",".join(map(str, array.shape))
    wide = array.astype(np.float64) if array.dtype.kind in "fV" else array
    head = " ".join(_short(value) for value in wide.reshape(-1)[:8])
    more = " ..." if array.size > 8 else ""
    name = next((short for short, long in SMALL_FLOATS.items() if long == array.dtype.name), array.dtype.name)
    span = f" min {_short(wide.min())} max {_short(wide.max())}" if array.size else ""
    return f"{name}[{shape}]{span}: {head}{more}"


def _short(value: Any) -> str:
    return f"{value:g}" if np.asarray(value).dtype.kind == "f" else str(value)
