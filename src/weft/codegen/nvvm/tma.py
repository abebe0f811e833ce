"""Bulk and tensor copies (TMA), their groups, prefetches, and addresses in other blocks of the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.access import generic, in_tensor
from weft.codegen.graph import B16, B32, B64, Addr, Const, Value
from weft.codegen.linear import Lin
from weft.codegen.nvvm.fragments import half
from weft.codegen.nvvm.matrix import shared
from weft.codegen.ops.llvm_data import converted
from weft.codegen.selector import Selector, handles
from weft.codegen.types import GENERIC, GLOBAL, pointer_space
from weft.dialects import narrow
from weft.isa.opcode import opcode

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm

CACHE_HINT = "L2::cache_hint"
COMPLETE = "mbarrier::complete_tx::bytes"


class Operands:
    """The operands of an operation by the position of their segment."""

    def __init__(self, op: Operation) -> None:
        self._op = op
        self._sizes: tuple[int, ...] = narrow.segments(op)

    def __getitem__(self, segment: int) -> tuple[Any, ...]:
        start = sum(self._sizes[:segment])
        return tuple(self._op.operands[start : start + self._sizes[segment]])


def cta_group(op: Operation, name: str = "group") -> str:
    """`cta_group::1` or `cta_group::2`."""
    return "cta_group::" + narrow.word(op.properties[name]).removeprefix("cta_")


def guard_of(s: Selector, found: tuple[Any, ...]) -> tuple[bool, Value | None]:
    """Whether an instruction under an optional predicate can run at all, and its guard."""
    if not found:
        return True, None
    test = s.test(found[0])
    if isinstance(test, Const):
        return bool(test.pattern), None
    return True, test


def _generic(s: Selector, pointer: Any) -> Lin:
    """The generic address that a pointer is."""
    return generic(s, converted(s, s.int(pointer), pointer_space(pointer.type), GENERIC))


def _map(s: Selector, descriptor: Any, coordinates: tuple[Any, ...]) -> Addr:
    """`[tensorMap, {coordinates}]`: the map is read through its generic address."""
    return in_tensor(s, _generic(s, descriptor), tuple(s.int_value(s.int(v)) for v in coordinates))


def _hint(s: Selector, found: tuple[Any, ...]) -> tuple[list[Value], str]:
    return ([s.int_value(s.int(found[0]))], CACHE_HINT) if found else ([], "")


_LOAD_MODES = {
    "tile": "", "im2col": "im2col", "im2col_w": "im2col::w", "im2col_w_128": "im2col::w::128",
    "tile_gather4": "tile::gather4",
}  # fmt: skip
_STORE_MODES = {"tile": "", "im2col": "im2col_no_offs", "tile_scatter4": "tile::scatter4"}


def _mode(op: Operation, modes: dict[str, str], coordinates: int) -> dict[str, str]:
    """The slots of the mode and of the dimensions: gathers and scatters of four rows name their rows one by one."""
    mode = modes[narrow.word(op.properties["mode"])]
    return {"load_mode": mode, "dim": "2d" if mode.endswith("4") else f"{coordinates}d"}


@handles("nvvm.cp.async.bulk.tensor.shared.cluster.global")
def select_tensor_load(s: Selector, op: nvvm.CpAsyncBulkTensorSharedClusterGlobalOp) -> None:
    """Start the load of a box of a tensor into shared memory."""
    at = Operands(op)
    runs, guard = guard_of(s, at[7])
    if not runs:
        return
    hint, token = _hint(s, at[6])
    mask = [half(s, v) for v in at[5]]
    offsets = [tuple(s.register(half(s, v), B16) for v in at[4])] if at[4] else []
    own = bool(op.is_cta_only.value.data)
    code = opcode(
        "cp.async.bulk.tensor",
        dst="shared::cta" if own else "shared::cluster",
        src="global",
        **_mode(op, _LOAD_MODES, len(at[2])),
        completion=COMPLETE,
        multicast="multicast::cluster" if mask else "",
        cta_group=cta_group(op) if "group" in op.properties else "",
        cache_hint=token,
    )
    target, barrier = s.address(s.int(at[0][0])), s.address(shared(s, op, at[3][0]))
    s.emit(code, target, _map(s, at[1][0], at[2]), barrier, *offsets, *mask, *hint, guard=guard)


@handles("nvvm.cp.async.bulk.tensor.global.shared.cta")
def select_tensor_store(s: Selector, op: Operation) -> None:
    """Start the store of a box of a tensor."""
    at = Operands(op)
    runs, guard = guard_of(s, at[4])
    if not runs:
        return
    hint, token = _hint(s, at[3])
    code = opcode(
        "cp.async.bulk.tensor",
        dst="global",
        src="shared::cta",
        **_mode(op, _STORE_MODES, len(at[2])),
        completion="bulk_group",
        cache_hint=token,
    )
    s.emit(code, _map(s, at[0][0], at[2]), s.address(shared(s, op, at[1][0])), *hint, guard=guard)


@handles("nvvm.cp.async.bulk.tensor.reduce")
def select_tensor_reduce(s: Selector, op: nvvm.CpAsyncBulkTensorReduceOp) -> None:
    """Start the combination of a box into a tensor."""
    at = Operands(op)
    hint, token = _hint(s, at[3])
    code = opcode(
        "cp.reduce.async.bulk.tensor",
        dst="global",
        src="shared::cta",
        redop=op.red_kind.data.value,
        **_mode(op, _STORE_MODES, len(at[2])),
        completion="bulk_group",
        cache_hint=token,
    )
    s.emit(code, _map(s, at[0][0], at[2]), s.address(shared(s, op, at[1][0])), *hint)


@handles("nvvm.cp.async.bulk.tensor.prefetch")
def select_tensor_prefetch(s: Selector, op: Operation) -> None:
    """Start the load of a box into L2."""
    at = Operands(op)
    hint, token = _hint(s, at[3])
    offsets = [tuple(s.register(half(s, v), B16) for v in at[2])] if at[2] else []
    code = opcode("cp.async.bulk.prefetch.tensor", src="global", **_mode(op, _LOAD_MODES, len(at[1])), cache_hint=token)
    s.emit(code, _map(s, at[0][0], at[1]), *offsets, *hint)


@handles("nvvm.cp.async.bulk.wait_group")
def select_wait(s: Selector, op: nvvm.CpAsyncBulkWaitGroupOp) -> None:
    """Wait until at most n groups are under way, or have still to read."""
    text = opcode("cp.async.bulk.wait_group", read=op.read is not None)
    s.emit(text, op.group.value.data)


@handles("nvvm.cp.async.bulk.shared.cluster.global")
def select_bulk_load(s: Selector, op: Operation) -> None:
    """Start a copy of bytes into shared memory."""
    at = Operands(op)
    hint, token = _hint(s, at[5])
    mask = [half(s, v) for v in at[4]]
    code = opcode(
        "cp.async.bulk",
        dst="shared::cluster",
        src="global",
        completion_mechanism=COMPLETE,
        multicast="multicast::cluster" if mask else "",
        cache_hint=token,
    )
    source = converted(s, s.int(at[1][0]), pointer_space(at[1][0].type), GLOBAL)
    places = [s.address(s.int(at[0][0])), s.address(source)]
    s.emit(code, *places, s.operand(s.int(at[3][0])), s.address(shared(s, op, at[2][0])), *mask, *hint)


@handles("nvvm.cp.async.bulk.shared.cluster.shared.cta")
def select_bulk_move(s: Selector, op: Operation) -> None:
    """Start a copy of bytes into another block's shared memory."""
    target, source, barrier, size = op.operands
    code = opcode("cp.async.bulk", dst="shared::cluster", src="shared::cta", completion_mechanism=COMPLETE)
    places = [s.address(s.int(target)), s.address(shared(s, op, source))]
    s.emit(code, *places, s.operand(s.int(size)), s.address(shared(s, op, barrier)))


@handles("nvvm.cp.async.bulk.global.shared.cta")
def select_bulk_store(s: Selector, op: Operation) -> None:
    """Start a copy of bytes out of shared memory."""
    at = Operands(op)
    hint, token = _hint(s, at[3])
    mask = [half(s, v) for v in at[4]]
    code = opcode(
        "cp.async.bulk",
        dst="global",
        src="shared::cta",
        completion_mechanism="bulk_group",
        cache_hint=token,
        cp_mask=bool(mask),
    )
    target = converted(s, s.int(at[0][0]), pointer_space(at[0][0].type), GLOBAL)
    places = [s.address(target), s.address(shared(s, op, at[1][0]))]
    s.emit(code, *places, s.operand(s.int(at[2][0])), *hint, *mask)


@handles("nvvm.cp.async.bulk.prefetch")
def select_bulk_prefetch(s: Selector, op: Operation) -> None:
    """Start a copy of bytes into L2."""
    hint, token = _hint(s, tuple(op.operands[2:]))
    source = converted(s, s.int(op.operands[0]), pointer_space(op.operands[0].type), GLOBAL)
    code = opcode("cp.async.bulk.prefetch", level="L2", src="global", cache_hint=token)
    s.emit(code, s.address(source), s.operand(s.int(op.operands[1])), *hint)


@handles("nvvm.prefetch")
def select_prefetch(s: Selector, op: nvvm.PrefetchOp) -> None:
    """Fetch a line or a tensor map into a cache."""
    pointer = op.operands[0]
    runs, guard = guard_of(s, tuple(op.operands[1:]))
    if not runs:
        return
    level = op.cache_level
    space = pointer_space(pointer.type)
    if level is None:
        parameter = op.in_param_space is not None
        named = "param" if parameter else "const" if space == "const" else ""
        where = s.int(pointer) if named == "const" else _generic(s, pointer)
        s.emit(opcode("prefetch", ss=named, tensormap=True), s.address(where), guard=guard)
        return
    if op.uniform is not None:
        text = opcode("prefetchu", level=level.data.value)
    else:
        priority = op.evict_priority
        names = [level.data.value] + ([priority.data.value] if priority is not None else [])
        text = opcode("prefetch", ss=space, level="::".join(names))
    s.emit(text, s.address(s.int(pointer)), guard=guard)


@handles("nvvm.mapa")
def select_mapa(s: Selector, op: Operation) -> None:
    """The same place in another block of the cluster."""
    pointer, block = op.operands
    address = s.int(pointer)
    narrow = address.bits == 32
    text = opcode("mapa", ss="shared::cluster" if narrow else "", type="u32" if narrow else "u64")
    value = s.pure(text, B32 if narrow else B64, s.int_value(address), s.operand(s.int(block)))
    s.values[op.results[0]] = linear.of(value)
