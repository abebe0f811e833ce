"""The arguments of a call: the sizes and types that arrays give, and the values of the PTX parameters."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, cast

from weft.dataclass import dataclass
from weft.errors import WeftError
from weft.tile.dtypes import DType, dtype, u8
from weft.tile.parameters import INDEX, MULTIPLE, Global, Specialization

if TYPE_CHECKING:
    from weft.tile.kernel import Kernel


@dataclass(frozen=True)
class Call:
    """A call of a kernel: what to compile, the grid, the values of the PTX parameters in order; sizes, and tensors."""

    to: Specialization
    grid: tuple[int, ...]
    values: list[Any] = field(default_factory=list[Any])
    sizes: dict[str, int] = field(default_factory=dict[str, int])
    arrays: dict[str, Any] = field(default_factory=dict[str, Any])


def bind(
    kernel: Kernel, arguments: Sequence[Any], grid: int | Sequence[int] | None, options: Mapping[str, Any] | None
) -> Call:
    """A call: the specialisation that the arguments allow, the grid, the values of the PTX parameters."""
    arguments = [*arguments, *_defaults(kernel, len(arguments))]
    if len(arguments) != len(kernel.parameters):
        names = ", ".join(kernel.parameters)
        raise WeftError(f"'{kernel.name}' takes {len(kernel.parameters)} arguments ({names}), not {len(arguments)}")
    sizes: dict[str, int] = {}
    options = dict(options or {})
    given = [
        (name, kind, argument) for (name, kind), argument in zip(kernel.parameters.items(), arguments, strict=True)
    ]
    for name, parameter, argument in given:
        if isinstance(parameter, Global):
            _bind_sizes(kernel, name, parameter, argument, sizes)
            _bind_type(kernel, name, parameter, argument, options)
        elif name in {n for p in kernel.parameters.values() if isinstance(p, Global) for n in p.names}:
            sizes[name] = int(_number(kernel, name, parameter, argument))
    multiples = {name: _power(sizes[name]) for name in kernel.sizes}
    to = kernel.specialize(None, {n: x for n, x in multiples.items() if x > 1}, options)
    values = [
        argument if isinstance(parameter, Global) else _number(kernel, name, parameter, argument)
        for name, parameter, argument in given
    ]
    values += [INDEX.numpy.type(sizes[name]) for name in kernel.sizes]
    arrays = {name: argument for name, parameter, argument in given if isinstance(parameter, Global)}
    return Call(to, kernel.grid(grid, sizes, dict(to.options)), values, sizes, arrays)


def _defaults(kernel: Kernel, given: int) -> list[Any]:
    """The defaults of the parameters after the first ones, as far as there are any."""
    found = [kernel.signature.parameters[name].default for name in list(kernel.parameters)[given:]]
    return found if inspect.Parameter.empty not in found else []


def _number(kernel: Kernel, name: str, kind: DType, argument: Any) -> Any:
    """An argument as a number of its parameter's type; raises WeftError where it is none."""
    try:
        found = kind.numpy.type(argument)
    except (TypeError, ValueError, OverflowError) as failure:
        raise WeftError(f"argument '{name}' of '{kernel.name}' must be of type {kind}, not {argument!r}") from failure
    if kind.kind in ("int", "uint") and found != argument:
        raise WeftError(f"argument '{name}' of '{kernel.name}' must be of type {kind}, not {argument!r}")
    return found


def _bind_sizes(kernel: Kernel, name: str, parameter: Global, argument: Any, sizes: dict[str, int]) -> None:
    shape = getattr(argument, "shape", None)
    if shape is None:
        raise WeftError(f"argument '{name}' of '{kernel.name}' is not an array: {type(argument).__name__}")
    shape = tuple(int(x) for x in shape)
    if len(shape) != len(parameter.shape):
        raise WeftError(f"argument '{name}' of '{kernel.name}' has {len(shape)} dimensions, not {len(parameter.shape)}")
    strides = _strides(argument, shape)
    expected = parameter.strides
    if expected is None:
        wanted = _row_major(shape)
        if any(a != b for a, b, extent in zip(strides, wanted, shape, strict=True) if extent > 1):
            raise WeftError(
                f"argument '{name}' of '{kernel.name}' is not contiguous", hint="pass a contiguous copy of it"
            )
        expected = ()
    for what, given in (*zip(parameter.shape, shape, strict=True), *zip(expected, strides, strict=False)):
        known = sizes.setdefault(what, given) if isinstance(what, str) else what
        if known != given:
            raise WeftError(f"argument '{name}' of '{kernel.name}': {what} is {known} elsewhere, {given} here")


def _bind_type(kernel: Kernel, name: str, parameter: Global, argument: Any, options: dict[str, Any]) -> None:
    """Hold an array's type to the parameter's, or take it for an option that nothing has said yet."""
    given = getattr(argument, "dtype", None)
    if given is None:
        return
    kind = dtype(str(given).removeprefix("torch."))
    known = options.setdefault(parameter.dtype, kind) if isinstance(parameter.dtype, str) else parameter.dtype
    if dtype(known) is not kind and not (dtype(known).kind == "narrow" and kind is u8):
        raise WeftError(f"argument '{name}' of '{kernel.name}' has elements of type {given}, not {known}")


def _power(size: int) -> int:
    """The largest power of two up to `MULTIPLE` that divides a size."""
    return min(MULTIPLE, size & -size) if size else MULTIPLE


def _row_major(shape: Sequence[int]) -> tuple[int, ...]:
    strides = [1] * len(shape)
    for at in range(len(shape) - 2, -1, -1):
        strides[at] = strides[at + 1] * shape[at + 1]
    return tuple(strides)


def _strides(argument: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of an array in elements: NumPy and the CUDA array interface have bytes, PyTorch elements."""
    given = getattr(argument, "strides", None)
    if given is None:
        method = getattr(argument, "stride", None)
        found: Any = method() if callable(method) else _row_major(shape)
        return tuple(found)
    return tuple(int(x) // argument.itemsize for x in given)


def memory(argument: Any) -> Any:
    """What the simulator gets for an argument: of an array with gaps, all the memory from its first element on."""
    import numpy as np

    if not isinstance(argument, np.ndarray):
        return argument
    array = cast("np.ndarray[Any, np.dtype[Any]]", argument)
    if array.flags.c_contiguous or not array.size:
        return array
    if any(stride < 0 for stride in array.strides):
        raise WeftError("an array with negative strides starts at its end", hint="pass a contiguous copy of it")
    held = sum((extent - 1) * stride for extent, stride in zip(array.shape, array.strides, strict=True))
    count = held // array.itemsize + 1
    words = np.lib.stride_tricks.as_strided(array.view(f"u{array.itemsize}"), (count,), (array.itemsize,))
    return words.view(array.dtype)
