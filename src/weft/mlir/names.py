"""The names that mlir-opt gives to values and blocks when it prints: `%0`, `%arg1`, `%c4_i32`, `^bb2`.

A region's values are named before those of the regions inside it, so the numbers of a nested region go on behind the
last one of the region around it; two regions side by side use the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntAttr

ResultNames: TypeAlias = Iterable[tuple[int, str]]
"""Which results of an operation begin a group of a name of its own, and the name."""


def _constant(op: Operation) -> ResultNames:
    value = op.properties.get("value")
    if not isinstance(value, IntegerAttr):
        return ((0, "cst"),)
    data: IntAttr = value.value
    kind = value.type  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if isinstance(kind, IntegerType):
        width = kind.bitwidth
        return ((0, f"c{data.data}_i{width}" if width > 1 else "true" if data.data else "false"),)
    assert isinstance(kind, IndexType)
    return ((0, f"c{data.data}"),)


def _index_constant(op: Operation) -> ResultNames:
    value = op.properties.get("value")
    assert isinstance(value, IntegerAttr)
    data: IntAttr = value.value
    if op.name == "index.constant":
        return ((0, f"idx{data.data}"),)
    return ((0, "true" if data.data else "false"),)


def _dimension(op: Operation) -> ResultNames:
    axis = getattr(op.properties["dimension"], "data", None)
    return ((0, f"{op.name.removeprefix('gpu.')}_{axis}"),)


def _metadata(op: Operation) -> ResultNames:
    rank = (len(op.results) - 2) // 2
    yield 0, "base_buffer"
    yield 1, "offset"
    if rank:
        yield 2, "sizes"
        yield 2 + rank, "strides"


def _defined(op: Operation) -> ResultNames:
    """The names in the definition of an operation that has several results of its own."""
    named = getattr(op, "named_results", None)
    if named is not None:
        return named()
    fields = _result_fields(type(op))
    return [(op.results.index(first), shown) for name, shown in fields if (first := _first(getattr(op, name)))]


@cache
def _result_fields(cls: type[Operation]) -> Sequence[tuple[str, str]]:
    """The results of a definition that has several, by their names here and in MLIR."""
    if not issubclass(cls, IRDLOperation):
        return ()
    names = [name for name, _ in cls.get_irdl_definition().results]
    return [(name, _camel(name)) for name in names] if len(names) > 1 else ()


def _first(results: SSAValue | Sequence[SSAValue] | None) -> SSAValue | None:
    if results is None or isinstance(results, SSAValue):
        return results
    return results[0] if results else None


def _camel(name: str) -> str:
    if name in _UNDERSCORED:
        return name
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


# Results whose name upstream spells with an underscore too.
_UNDERSCORED = frozenset({"accumulated_value"})
_FIXED = {
    "complex.constant": "cst",
    "memref.alloc": "alloc",
    "memref.alloca": "alloca",
    "memref.assume_alignment": "assume_align",
    "memref.cast": "cast",
    "memref.collapse_shape": "collapse_shape",
    "memref.dim": "dim",
    "memref.expand_shape": "expand_shape",
    "memref.extract_aligned_pointer_as_index": "intptr",
    "memref.memory_space_cast": "memspacecast",
    "memref.reinterpret_cast": "reinterpret_cast",
    "memref.reshape": "reshape",
    "memref.subview": "subview",
    "memref.transpose": "transpose",
    "memref.view": "view",
    "vector.vscale": "vscale",
    "func.constant": "f",
    "linalg.broadcast": "broadcasted",
    "linalg.map": "mapped",
    "linalg.pack": "pack",
    "linalg.reduce": "reduced",
    "linalg.transpose": "transposed",
    "linalg.unpack": "unpack",
    "tensor.cast": "cast",
    "tensor.collapse_shape": "collapsed",
    "tensor.concat": "concat",
    "tensor.dim": "dim",
    "tensor.expand_shape": "expanded",
    "tensor.extract": "extracted",
    "tensor.extract_slice": "extracted_slice",
    "tensor.from_elements": "from_elements",
    "tensor.gather": "gather",
    "tensor.generate": "generated",
    "tensor.insert": "inserted",
    "tensor.insert_slice": "inserted_slice",
    "tensor.pad": "padded",
    "tensor.rank": "rank",
    "tensor.reshape": "reshape",
    "tensor.scatter": "scatter",
    "tensor.splat": "splat",
}

_NAMED: dict[str, Callable[[Operation], ResultNames]] = {
    "arith.constant": _constant,
    "index.constant": _index_constant,
    "index.bool.constant": _index_constant,
    "memref.extract_strided_metadata": _metadata,
    **dict.fromkeys(
        (
            "gpu.thread_id",
            "gpu.block_id",
            "gpu.block_dim",
            "gpu.grid_dim",
            "gpu.global_id",
            "gpu.cluster_id",
            "gpu.cluster_dim",
            "gpu.cluster_dim_blocks",
            "gpu.cluster_block_id",
        ),
        _dimension,
    ),
}


def result_names(op: Operation) -> ResultNames:
    """The names that an operation suggests for its results; nothing for most operations."""
    fixed = _FIXED.get(op.name)
    if fixed is not None:
        return ((0, fixed),)
    named = _NAMED.get(op.name)
    if named is not None:
        return named(op)
    return _defined(op)


class Names:
    """Names for all values and blocks inside an operation."""

    def __init__(self, root: Operation, *, generic: bool = False) -> None:
        self.values: dict[SSAValue, str] = {}
        """The name of each value, `0`, `arg1`, `c4`, or `0#1` for a later result of a group."""
        self.blocks: dict[Block, str] = {}
        """The name of each block, `bb0`."""
        self.groups: dict[Operation, list[int]] = {}
        """The first results of the groups, of each operation that has several groups."""
        self._generic = generic
        self._next = self._next_argument = self._next_conflict = 0
        self._used: set[str] = set()
        pending = [(region, 0, 0, 0, self._used) for region in reversed(root.regions)]
        while pending:
            region, values, arguments, conflicts, used = pending.pop()
            if not generic:  # The generic form numbers values through the whole text.
                self._next, self._next_argument, self._next_conflict = values, arguments, conflicts
            self._used = set(used)
            self._number(region)
            state = (self._next, self._next_argument, self._next_conflict, self._used)
            pending += [(inner, *state) for block in region.blocks for op in block.ops for inner in op.regions]

    def _number(self, region: Region) -> None:
        parent = region.parent
        named = getattr(parent, "argument_names", None)
        for index, block in enumerate(region.blocks):
            self.blocks[block] = f"bb{index}"
            for place, argument in enumerate(block.args):
                if named is not None and not index:
                    self._set(argument, named(place))
                elif index:
                    self._set(argument, "")
                else:
                    self._set(argument, f"arg{self._next_argument}")
                    self._next_argument += 1
            for op in block.ops:
                if op.results:
                    self._number_results(op)

    def _number_results(self, op: Operation) -> None:
        results = op.results
        groups = [0]
        if not self._generic:
            for index, name in result_names(op):
                self._set(results[index], name)
                if index:
                    groups.append(index)
        if results[0] not in self.values:
            self._set(results[0], "")
        if len(groups) > 1:
            self.groups[op] = groups
        if len(results) > len(groups):
            for start, end in zip(groups, [*groups[1:], len(results)], strict=True):
                head = self.values[results[start]]
                if end - start > 1:
                    self.values.update({results[index]: f"{head}#{index - start}" for index in range(start, end)})

    def _set(self, value: SSAValue, name: str) -> None:
        if not name:
            self.values[value] = str(self._next)
            self._next += 1
            return
        unique = name
        while unique in self._used:
            unique = f"{name}_{self._next_conflict}"
            self._next_conflict += 1
        self._used.add(unique)
        self.values[value] = unique
