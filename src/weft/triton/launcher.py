"""Launches: what Triton calls with a grid and the arguments of a kernel."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

from weft.sim.faults import SimulationError
from weft.triton.descriptors import expanded
from weft.triton.execution import Argument, Geometry
from weft.triton.faults import source_of
from weft.triton.loading import Loaded
from weft.triton.packing import Value, flat_names, flat_types, flat_values, packed, pointer
from weft.triton.seam import DRIVER, expand_signature, scratch_allocator, wrap_handle_tensordesc

Hook = Callable[[Any], object]


class Launcher:
    """The launcher of one compiled kernel; Triton makes it from the source and the metadata of the compilation."""

    def __init__(self, src: Any, metadata: Any) -> None:
        signature: dict[Any, Any] = dict(src.signature)
        described = getattr(metadata, "tensordesc_meta", None)
        self._signature: list[Any] = expand_signature(signature.values(), described, "nvTmaDesc")
        self._types = flat_types(self._signature)
        self._names = _names(signature, self._signature)
        self._launch: Any = wrap_handle_tensordesc(self._start, signature, described, expanded)
        self._source = source_of(getattr(src, "fn", None))
        self._metadata = metadata
        self._ctas: int = getattr(metadata, "num_ctas", 1)

    def __call__(
        self,
        x: int,
        y: int,
        z: int,
        stream: int,
        kernel: Loaded,
        packed_metadata: tuple[int, int, int],
        launch_metadata: Any,
        enter: Hook | None,
        leave: Hook | None,
        *arguments: Any,
    ) -> None:
        """Run the kernel on a grid of `x * y * z` programs, between Triton's two hooks.

        Raises `TritonFault` for what the kernel does wrong, `SimulationError` for a launch that does not fit it.
        """
        metadata = self._metadata
        try:
            x, y, z = index(x), index(y), index(z)
        except TypeError:
            message = f"kernel '{kernel.name}' has no grid ({x!r}, {y!r}, {z!r})"
            raise SimulationError(message, hint="the sizes of a grid are integers") from None
        programs = x * y * z * self._ctas
        scratch = [
            _scratch(metadata.global_scratch_size * programs, metadata.global_scratch_align, stream, False),
            _scratch(metadata.profile_scratch_size * programs, metadata.profile_scratch_align, stream, True),
        ]
        if enter is not None:
            enter(launch_metadata)
        if programs > 0:
            self._launch((x, y, z), kernel, packed_metadata[0], scratch, arguments)
        if leave is not None:
            leave(launch_metadata)

    def _start(
        self, grid: tuple[int, int, int], kernel: Loaded, warps: int, scratch: list[Any], arguments: tuple[Any, ...]
    ) -> None:
        wanted = kernel.parameters
        missing = wanted - len(self._types)
        if not 0 <= missing <= len(scratch):
            message = f"kernel '{kernel.name}' takes {wanted} arguments, got {len(self._types)}"
            raise SimulationError(message)
        given = zip(self._types, self._names, flat_values(self._signature, arguments), strict=True)
        found = [Argument(name, type_, self._packed(type_, name, value)) for type_, name, value in given]
        found += [Argument("scratch memory", "*i8", pointer(buffer)) for buffer in scratch[:missing]]
        x, y, z = grid
        geometry = Geometry(
            (x * self._ctas, y, z),
            (32 * warps, 1, 1),
            (self._ctas, 1, 1) if self._ctas > 1 else None,
            kernel.shared,
            bool(self._metadata.launch_cooperative_grid),
        )
        DRIVER.active.launch(kernel, geometry, found, self._source)

    @staticmethod
    def _packed(type_: str, name: str, value: Any) -> Value:
        try:
            return packed(type_, value, name)
        except (TypeError, ValueError, OverflowError) as error:
            raise TypeError(f"argument '{name}' is {type_}: {error}") from None


def _names(signature: dict[Any, Any], types: list[Any]) -> list[str]:
    """The arguments' names in Python, for messages; a descriptor makes several parameters of one argument."""
    found: list[str] = []
    rest = list(types)
    for name, type_ in signature.items():
        count = 1
        if isinstance(type_, str) and type_.startswith("tensordesc"):
            count = len(expand_signature([type_], rest[0] == "nvTmaDesc", "nvTmaDesc"))
        found += [str(name)] * count
        del rest[:count]
    return flat_names(found, types)


def _scratch(size: int, align: int, stream: int, profile: bool) -> Any:
    """Memory that a kernel asks for beside its arguments, from Triton's allocator; None where it asks for none."""
    if size <= 0:
        return None
    allocate = scratch_allocator(profile)
    if allocate is None:
        return DRIVER.active.allocate_default_profile_scratch(size, align, stream)
    return allocate(size, align, stream)
