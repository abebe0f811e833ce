"""`@weft.kernel`: a Python function as a GPU kernel.

The function is traced for the sizes it is specialised to, its tiles are lowered, and the result is a `ptx.Module`
like any other: printed, verified, run on the simulator, launched on a GPU.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from weft.errors import WeftError
from weft.tile.arguments import bind, memory
from weft.tile.dtypes import DType, dtype
from weft.tile.parameters import Global, Parameter, Persistent, Specialization, processors

if TYPE_CHECKING:
    from weft.ptx.ast import Module
    from weft.sim import KernelFault, Result
    from weft.tile.build import Built
    from weft.tile.report import Report
    from weft.tile.source import Source


class Kernel:
    """A kernel written in Python.

    Positional parameters are the GPU's: tensors (`Global(f16, ("M", "K"))`) and numbers (a type, such as `f32`), as
    annotations or in `Annotated`.  Keyword-only parameters are options, known at compile time.  `threads` and `grid`
    are numbers, or functions of the options and sizes by name.  `around` has the names that annotations may use
    besides the function's globals.
    """

    def __init__(
        self,
        function: Callable[..., None],
        threads: int | Callable[..., int] | None,
        grid: int | Sequence[Any] | Callable[..., Any] | Persistent | None,
        around: Mapping[str, Any] | None = None,
        cluster: int | Sequence[int] | Callable[..., Any] | None = None,
    ) -> None:
        self.signature = inspect.signature(function, eval_str=True, locals=around)
        self.function = function
        self.name = function.__name__
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self._threads = threads
        self._grid = grid
        self._cluster = cluster
        self._built: dict[Specialization, Built] = {}
        self._modules: dict[tuple[Specialization, str], Module] = {}
        self._loaded: dict[tuple[Specialization, str, int], Any] = {}

    def __repr__(self) -> str:
        return f"<kernel {self.name}({', '.join(self.parameters)})>"

    def __call__(self, *_: Any, **__: Any) -> None:
        """A kernel is not called: raises WeftError."""
        raise WeftError(
            f"'{self.name}' is a kernel and cannot be called",
            hint="use .run(...) for the simulator or .launch(...) for a GPU",
        )

    @cached_property
    def source(self) -> Source:
        """The function's statements, ready to be traced; raises WeftError where they cannot be had."""
        from weft.tile.source import read

        return read(self.function)

    # -- signature ----------------------------------------------------------------------------------------------

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters of the kernel by name; raises WeftError for one without a type."""
        found: dict[str, Parameter] = {}
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                continue
            if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
                raise WeftError(f"'{self.name}' cannot take a variable number of arguments '{name}'")
            given = parameter.annotation
            given = next(iter(getattr(given, "__metadata__", ())), given)
            if isinstance(given, Global):
                self._check_type(name, given)
                found[name] = given
                continue
            if given is inspect.Parameter.empty:
                raise WeftError(
                    f"parameter '{name}' of '{self.name}' has no type",
                    hint=f'write {name}: Global(f16, ("M", "N")), or {name}: i32',
                )
            found[name] = dtype(given)
        return found

    def _check_type(self, name: str, given: Global) -> None:
        """A type that is not known is an option that has one by default."""
        if isinstance(given.dtype, str) and not isinstance(self.options.get(given.dtype), DType):
            raise WeftError(
                f"unknown type '{given.dtype}' of '{name}': '{self.name}' has no such option",
                hint=f"declare an option with a type as its default: *, {given.dtype}: DType = f16",
            )

    def element(self, parameter: Global, options: Mapping[str, Any]) -> DType:
        """The type of a tensor's elements with these options."""
        return options[parameter.dtype] if isinstance(parameter.dtype, str) else parameter.dtype

    @cached_property
    def sizes(self) -> tuple[str, ...]:
        """The names of sizes and strides that tensors have, in order; each is a 32-bit parameter unless it is
        constant.
        """
        names: dict[str, None] = {}
        for parameter in self.parameters.values():
            if isinstance(parameter, Global):
                names.update(dict.fromkeys(parameter.names))
        return tuple(name for name in names if name not in self.parameters)

    @cached_property
    def options(self) -> dict[str, Any]:
        """The compile-time options with their defaults."""
        keyword = [p for p in self.signature.parameters.values() if p.kind is inspect.Parameter.KEYWORD_ONLY]
        for parameter in keyword:
            if parameter.default is inspect.Parameter.empty:
                raise WeftError(f"option '{parameter.name}' of '{self.name}' has no default")
        return {parameter.name: parameter.default for parameter in keyword}

    def specialize(
        self,
        sizes: Mapping[str, int] | None = None,
        multiples: Mapping[str, int] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Specialization:
        """What to compile for; raises WeftError for a name that the kernel does not have."""
        given = dict(options or {})
        for name in given:
            if name not in self.options:
                raise WeftError(
                    f"'{self.name}' has no option '{name}'", hint=f"options: {', '.join(self.options) or 'none'}"
                )
        for name in (*(sizes or ()), *(multiples or ())):
            if name not in self.sizes:
                raise WeftError(f"'{self.name}' has no size '{name}'", hint=f"sizes: {', '.join(self.sizes) or 'none'}")
        for name, value in (*(sizes or {}).items(), *(multiples or {}).items()):
            if not isinstance(value, int) or value < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
                raise WeftError(f"size '{name}' of '{self.name}' must be at least 1, not {value!r}")
        for name, default in self.options.items():
            if isinstance(default, DType) and name in given:
                given[name] = dtype(given[name])
        found = Specialization(
            tuple(sorted((sizes or {}).items())),
            tuple(sorted((multiples or {}).items())),
            tuple({**self.options, **given}.items()),
        )
        try:
            hash(found)
        except TypeError as failure:
            raise WeftError(f"an option of '{self.name}' is mutable: {failure}", hint="a tuple, say") from failure
        return found

    # -- compiling ----------------------------------------------------------------------------------------------

    def build(self, to: Specialization) -> Built:
        """The kernel in the tile dialect; traced once for each specialisation.

        Raises:
            CompileError: the function does something that a kernel cannot; with its Python line.
        """
        found = self._built.get(to)
        if found is None:
            from weft.tile.build import build

            found = self._built[to] = build(self, to)
        return found

    def mlir(
        self, *, sizes: Mapping[str, int] | None = None, multiples: Mapping[str, int] | None = None, **options: Any
    ) -> str:
        """The kernel in the tile dialect, as MLIR text."""
        from weft.mlir import print_mlir

        return print_mlir(self.build(self.specialize(sizes, multiples, options)).module)

    def module(
        self,
        target: str = "sm_80",
        *,
        sizes: Mapping[str, int] | None = None,
        multiples: Mapping[str, int] | None = None,
        **options: Any,
    ) -> Module:
        """The kernel compiled for a target.

        `sizes` makes sizes constants (`{"K": 4096}`); `multiples` promises what divides others (`{"K": 8}`), which is
        what wide accesses need: 16-byte copies of f16 rows need rows of a multiple of 8 elements.

        Raises:
            CompileError: the kernel cannot be traced, or a copy, a product or an instruction is not to be had on the
                target; with its Python line.
        """
        to = self.specialize(sizes, multiples, self.aimed(options, target))
        self._refuse_loss(to)
        return self._module(to, target)

    def aimed(self, options: Mapping[str, Any] | None, target: str) -> dict[str, Any]:
        """Options with the target, where one is called `target` and nothing is said for it."""
        return {**({"target": target} if "target" in self.options else {}), **(options or {})}

    def _refuse_loss(self, to: Specialization) -> None:
        """What is for a GPU has nothing that ptxas would answer with a loss of performance."""
        loss = self.build(to).loss
        if loss is not None:
            raise loss

    def _module(self, to: Specialization, target: str) -> Module:
        found = self._modules.get((to, target))
        if found is None:
            from weft.tile.build import compile_built

            found = self._modules[to, target] = compile_built(self.build(to), target)
        return found

    def ptx(
        self,
        target: str = "sm_80",
        *,
        sizes: Mapping[str, int] | None = None,
        multiples: Mapping[str, int] | None = None,
        **options: Any,
    ) -> str:
        """The kernel's PTX for a target; arguments and errors as for `module`."""
        return self.module(target, sizes=sizes, multiples=multiples, **options).to_ptx()

    def explain(
        self,
        target: str = "sm_80",
        *,
        sizes: Mapping[str, int] | None = None,
        multiples: Mapping[str, int] | None = None,
        **options: Any,
    ) -> str:
        """For every copy of the kernel: which variants were tried, why they declined, what was chosen."""
        from weft.tile.build import explain_built

        return explain_built(self.build(self.specialize(sizes, multiples, self.aimed(options, target))), target)

    def report(self, target: str = "sm_90a", *, sizes: Mapping[str, int] | None = None, **options: Any) -> Report:
        """What the kernel takes on a target, and a static model of its loops; `sizes` are those of a launch.

        Raises:
            ToolError: there is no ptxas or nvdisasm.
            CompileError: the kernel cannot be compiled, as for `module`.
        """
        from weft.tile.report import report

        return report(self, target, sizes, options)

    def autotune(
        self,
        target: str,
        *,
        sizes: Mapping[str, int],
        choices: Iterable[Mapping[str, Any]],
        arguments: Sequence[Any] | None = None,
    ) -> list[Report]:
        """The reports of several options for a launch of these sizes, the best first: by the static model, or, with
        the `arguments` of a launch and a GPU of this target, by the time that it takes there (`seconds`).

        Options that do not compile (for want of shared memory or registers, say) are left out.
        """
        from weft.tile.report import autotune

        return autotune(self, target, sizes, choices, arguments)

    # -- running ------------------------------------------------------------------------------------------------

    def run(
        self,
        *arguments: Any,
        grid: int | Sequence[int] | None = None,
        target: str = "sm_90a",
        options: Mapping[str, Any] | None = None,
        **run_options: Any,
    ) -> Result:
        """Run the kernel on the CPU; arrays (NumPy) are changed in place.

        `grid` is needed where the kernel does not say it; `options` are the kernel's own; others are those of
        `weft.run` (`async_`, `check`, `seed`, `counters`, ...).

        Raises:
            WeftError: the arguments are not those of the kernel.
            KernelFault: the kernel does something illegal.
        """
        from weft.sim import KernelFault, run

        call = bind(self, arguments, grid, self.aimed(options, target))
        values = [memory(x) for x in call.values]
        module = self._module(call.to, target)
        built = self.build(call.to)
        values += [each.of(call.arrays[each.parameter]) for each in built.maps]
        blocks = call.grid or built.blocks(call.sizes, processors(target))
        try:
            return run(
                module, self.name, blocks, built.threads, values, shared_bytes=built.shared[target], **run_options
            )
        except KernelFault as fault:
            self._name_lines(fault, call.to, target)
            raise

    def _name_lines(self, fault: KernelFault, to: Specialization, target: str) -> None:
        """Tell a fault its lines of Python: the kernel compiled again with them has the same instructions."""
        from weft.ptx.lines import locations
        from weft.sim.program import origin_of
        from weft.tile.build import compile_built
        from weft.tile.trace import with_source

        if fault.position.line or fault.place is None:
            return
        known = locations(compile_built(self.build(to), target, debug="lines"))
        origin, other = (origin_of(known, place) for place in (fault.place, fault.other_place))
        fault.came_from(None if origin is None else with_source(origin), other)

    def launch(
        self,
        *arguments: Any,
        grid: int | Sequence[int] | None = None,
        options: Mapping[str, Any] | None = None,
        stream: Any = None,
        device: int = 0,
    ) -> None:
        """Launch the kernel on a GPU, on arrays that speak DLPack or `__cuda_array_interface__`.

        Raises:
            ToolError: `cuda-core` is not installed (``pip install 'weft[gpu]'``), or there is no GPU.
            WeftError: the arguments are not those of the kernel.
        """
        from weft.toolchain.launch import Device

        gpu = Device(device)
        call = bind(self, arguments, grid, self.aimed(options, gpu.target))
        built = self.build(call.to)
        self._refuse_loss(call.to)
        module = self._module(call.to, gpu.target)
        key = (call.to, gpu.target, device)
        if key not in self._loaded:
            self._loaded[key] = gpu.load(module, self.name, built.shared[gpu.target])
        values = [
            *call.values,
            *(gpu.tensor_map(call.arrays[m.parameter], m.box, m.mode, m.window) for m in built.maps),
        ]
        blocks = call.grid or built.blocks(call.sizes, gpu.processors)
        gpu.launch(self._loaded[key], blocks, built.threads, values, built.shared[gpu.target], stream)

    def grid(
        self, given: int | Sequence[int] | None, sizes: Mapping[str, int], options: Mapping[str, Any]
    ) -> tuple[int, ...]:
        """The grid of a launch, () where it depends on the GPU; raises WeftError where nothing says it."""
        grid: Any = given if given is not None else self._grid
        if isinstance(grid, Persistent):
            return ()
        if grid is None:
            raise WeftError(f"'{self.name}' does not define a grid", hint="pass grid=..., or give one to @weft.kernel")
        if callable(grid):
            grid = called(grid, {**sizes, **options}, f"the grid of '{self.name}'")
        return (int(grid),) if isinstance(grid, int) else tuple(int(x) for x in grid)

    @property
    def dynamic(self) -> bool:
        """Whether blocks take over the tiles of others."""
        return isinstance(self._grid, Persistent) and self._grid.dynamic

    def cluster(self, options: Mapping[str, Any]) -> tuple[int, ...]:
        """The blocks of a cluster along each axis, () without clusters."""
        given: Any = self._cluster
        if callable(given):
            given = called(given, options, f"the cluster of '{self.name}'")
        found: tuple[int, ...] = (given,) if isinstance(given, int) else tuple(int(x) for x in given or ())
        if len(found) > 3 or any(x < 1 for x in found):
            raise WeftError(f"invalid cluster {given!r}", hint="give up to three numbers of blocks: cluster=(2, 1)")
        return found

    def threads(self, options: Mapping[str, Any]) -> int | None:
        """The number of threads of a block; None where the roles decide."""
        count = self._threads
        if count is None:
            return None
        if callable(count):
            count = called(count, options, f"the threads of '{self.name}'")
        if not 1 <= count <= 1024:
            raise WeftError(f"a block must have 1 to 1024 threads, not {count}")
        return count


def called(function: Callable[..., Any], known: Mapping[str, Any], what: str) -> Any:
    """Call a function with those of the known values that its parameters name."""
    names = inspect.signature(function).parameters
    missing = [name for name in names if name not in known]
    if missing:
        raise WeftError(
            f"{what} depends on '{missing[0]}', which is neither a size nor an option", hint=", ".join(known)
        )
    return function(**{name: known[name] for name in names})


def kernel(
    function: Callable[..., None] | None = None,
    /,
    *,
    threads: int | Callable[..., int] | None = None,
    grid: int | Sequence[Any] | Callable[..., Any] | Persistent | None = None,
    cluster: int | Sequence[int] | Callable[..., Any] | None = None,
) -> Any:
    """Make a Python function a kernel (`Kernel`); `@kernel` and `@kernel(...)` decorate it.

    Args:
        function: its parameters are tensors (`Global`) and numbers, its keyword-only parameters options with defaults.
        threads: threads of a block, or a function of the options by name.  By default what the kernel's roles need, or
            128.
        grid: blocks of the grid along up to three axes, or a function of sizes and options by name, such as `lambda M,
            N, tile: (cdiv(N, tile), cdiv(M, tile))`; `persistent` for as many blocks as the GPU holds at once, but no
            more than `raster` has tiles; `dynamic` for one block per tile, where running blocks take over the tiles of
            those that have not started (sm_100a).
        cluster: blocks of a cluster along each axis, such as `(2, 1)`, or a function of the options by name.
    """
    # Annotations may be text, with names of the function that defines the kernel.
    around = sys._getframe(1).f_locals  # pyright: ignore[reportPrivateUsage]
    if function is not None:
        return Kernel(function, threads, grid, around, cluster)

    def decorate(function: Callable[..., None]) -> Kernel:
        return Kernel(function, threads, grid, around, cluster)

    return decorate


def cdiv(a: Any, b: Any) -> Any:
    """a / b rounded up, for a >= 0 and b > 0."""
    return (a + (b - 1)) // b
