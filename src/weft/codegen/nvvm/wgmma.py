"""Asynchronous products of a warpgroup: `nvvm.wgmma.*`, sm_90a."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen.asm import Asm, instructions
from weft.codegen.graph import B32, PRED, Inst, Value, values_in
from weft.codegen.linear import Lin
from weft.codegen.nvvm.fragments import outputs
from weft.codegen.selector import Selector, handles
from weft.codegen.types import layout
from weft.dialects import narrow
from weft.isa.opcode import opcode

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm

FENCE = "wgmma.fence"
PRODUCT = "wgmma.mma_async"


def behind_fence(s: Selector, scalars: Iterable[Any], classes: Iterable[str]) -> list[Value]:
    """Registers for accumulators and fragments of A, written before the `wgmma.fence` in front of the next product.

    A product may only read registers that were written before the last fence, or by a product before it; what the
    registers are made of (a constant, a sum) is known to the selector, and only here put into them.  So the copies go
    in front of the fence.  Where that cannot be, for there is none or it comes before what is copied, a new one does.
    """
    wanted = list(zip(scalars, classes, strict=True))
    items = s.block.items
    at = next((i for i in reversed(range(len(items))) if _has(items[i], FENCE)), None)
    later = items[at:] if at is not None else []
    written = {value for item in later if isinstance(item, Inst) for value in item.outs}
    products = {value for item in later if isinstance(item, Inst) and _has(item, PRODUCT) for value in item.outs}
    if all(isinstance(x, Value) and x in products for x, _ in wanted):
        return [x for x, _ in wanted]
    # The copies move up over all that is behind the fence: straight code that makes none of what is copied.
    fence = items[at] if at is not None else None
    movable = all(isinstance(item, Inst) for item in later) and not any(
        v in written for x, _ in wanted for v in _parts(x)
    )
    if not isinstance(fence, Inst) or not movable:
        fence = s.emit(opcode(FENCE))
        at, later = len(items) - 1, [fence]
    assert at is not None
    del items[at:]
    # With the rest of the block cut off, `operand` writes what it needs in front of the fence.
    sources = [s.operand(x) if isinstance(x, Lin) else x for x, _ in wanted]
    items += later
    kept = [s.value(cls) for _, cls in wanted]
    fence.outs += tuple(kept)
    fence.ties += tuple(zip(kept, sources, strict=True))
    return kept


def _has(item: Any, stem: str) -> bool:
    """Whether an instruction, or one of inline PTX, is of a family or its sparse twin."""
    stems = (stem, f"{stem}.sp")
    if isinstance(item, Asm):
        return any(inner.opcode.stem in stems for inner in instructions(item.statements))
    return type(item) is Inst and item.opcode.stem in stems


def _parts(scalar: Any) -> Iterable[Value]:
    return (value for value, _ in scalar.terms) if isinstance(scalar, Lin) else values_in(scalar)


@handles("nvvm.wgmma.fence.aligned")
def select_fence(s: Selector, op: Operation) -> None:
    """Order registers and memory before the products."""
    s.emit(opcode(FENCE))


@handles("nvvm.wgmma.wait.group.sync.aligned")
def select_wait(s: Selector, op: nvvm.WgmmaWaitGroupSyncAlignedOp) -> None:
    """Wait until at most n groups are under way."""
    s.emit(opcode("wgmma.wait_group"), op.group.value.data)


_TRANSPOSABLE = ("f16", "bf16")
_FLOATS = (*_TRANSPOSABLE, "tf32", "e4m3", "e5m2")


@handles("nvvm.wgmma.mma_async")
def select_mma(s: Selector, op: nvvm.WgmmaMmaAsyncOp) -> None:
    """Start D = A * B (+ D): the accumulators stay in the registers they are in."""
    accumulators, a, b = op.operands
    m, n, k = op.shape.sizes
    types = {"dtype": op.type_d.data.value, "atype": op.type_a.data.value, "btype": op.type_b.data.value}
    satfinite = op.satfinite
    slots: dict[str, Any] = {"shape": f"m{m}n{n}k{k}", **types}
    if satfinite is not None and satfinite.data.value == "satfinite":
        slots["satfinite"] = True
    if types["atype"] == "b1":
        slots["bitop"] = "and"
    tail: list[int] = []
    if types["atype"] in _FLOATS:
        tail += [1 if scale.data.value == "one" else -1 for scale in (op.scale_a, op.scale_b)]
    if types["atype"] in _TRANSPOSABLE:
        tail += [int(op.layout_a.data.value == "col"), int(op.layout_b.data.value == "row")]
    outs = outputs(s, op)
    address_a, address_b = s.int_value(s.int(a)), s.int_value(s.int(b))
    before = behind_fence(s, s.flatten(s.get(accumulators)), [value.cls for value in outs])
    scale_d = int(op.scale_d.data.value == "one")
    inst = s.emit(opcode("wgmma.mma_async", **slots), outs, address_a, address_b, scale_d, *tail, outs=outs)
    inst.ties = tuple(zip(outs, before, strict=True))
    s.products = True


@handles("wgmma.product")
def select_tile_product(s: Selector, op: Operation) -> None:
    """Start D = A * B (+ D where a condition holds), A by a descriptor or in registers; sums stay where they are."""
    sizes, properties = narrow.segments(op), op.properties
    count, held = sizes[0], sizes[1]
    sums, a = op.operands[:count], op.operands[count : count + held]
    b, *further = op.operands[count + held :]
    add, metadata = further[: sizes[3]], further[sizes[3] :]
    n, k = (narrow.number(properties[name]) for name in "nk")
    types = {name: narrow.text(properties[name]) for name in ("dtype", "atype", "btype")}
    by_address = str(a[0].type) == "i64"
    tail: list[Any] = []
    if types["atype"] in _FLOATS:
        tail += [1, 1]
    if types["atype"] in _TRANSPOSABLE:
        flags = ("transpose_a", "transpose_b") if by_address else ("transpose_b",)
        tail += [int(name in properties) for name in flags]
    kinds = [layout(value.type).scalars[0] for value in sums]
    outs = tuple(s.value(kind.cls) for kind in kinds)
    address_b = s.int_value(s.int(b))
    left: Any = s.int_value(s.int(a[0])) if by_address else tuple(s.as_register(s.get(v), B32) for v in a)
    before = behind_fence(s, [s.get(value) for value in sums], [kind.cls for kind in kinds])
    scale: Any = s.register(s.test(add[0]), PRED) if add else int("fresh" not in properties)
    sparse: list[Any] = []
    if metadata:
        sparse = [s.as_register(s.get(metadata[0]), B32), narrow.number(properties["selector"])]
    text = opcode(f"{PRODUCT}.sp" if metadata else PRODUCT, shape=f"m64n{n}k{k}", **types)
    inst = s.emit(text, outs, left, address_b, *sparse, scale, *tail, outs=outs)
    inst.ties = tuple(zip(outs, before, strict=True))
    s.products = True
    for result, value, kind in zip(op.results, outs, kinds, strict=True):
        s.values[result] = s.wrapped(value, kind)
