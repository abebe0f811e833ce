"""Fragments of instructions as tile layouts: which thread holds each element of a matrix, and where in its registers.

The fragments of a warp come from the ISA table's one fact (`weft.isa.fragments`), read as a layout; those of a
warpgroup are four of them below each other.  The metadata of sparse matrices and the shapes of tensor memory, which
that fact does not cover, stand here.

Sources: PTX manual, the sections of `weft.isa.fragments`, "Sparse matrix storage", "Register Fragments" of `wgmma`, and
"Data Movement Shape" of `tcgen05.ld`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from weft.dataclass import dataclass
from weft.errors import LayoutError
from weft.isa import fragments as isa
from weft.isa.compiled import CompiledForm
from weft.isa.opcode import Opcode, decode
from weft.isa.registry import compiled_forms, stem_of
from weft.isa.table._matrix import element_bits, extents
from weft.isa.types import TYPES
from weft.layout.axis import Axis, laneid, m, tid_in_wg
from weft.layout.iters import Iter, Run, fuse
from weft.layout.notebook import fragment_html
from weft.layout.tile import TileLayout

REGISTER = isa.REGISTER


@dataclass(frozen=True)
class FragmentLayout:
    """An operand of an instruction as a layout over `shape`, rows and columns (of several matrices: side by side).

    The layout maps to threads (`laneid`, or `tid_in_wg` for a warpgroup) and to `m`, the number of the element among
    those that the thread holds; `packed` elements of `bits` bits share a register, the first in its lowest bits.
    """

    opcode: Opcode
    operand: str
    shape: tuple[int, ...]
    layout: TileLayout
    bits: int
    packed: int

    _repr_html_ = fragment_html

    @property
    def registers(self) -> int:
        """Registers that each thread has for the operand."""
        return -(-self.layout.span(m) // self.packed)

    @property
    def title(self) -> str:
        """What the fragment is, in a few words."""
        return f"{self.opcode}, operand {self.operand}"


@cache
def fragment_layout(opcode: Opcode | str, operand: str, selector: int = 0) -> FragmentLayout:
    """The layout of an operand of an opcode.

    Operands: `a`, `b`, `c`, `d` of mma and mma.sp; `r` of ldmatrix and stmatrix (matrices as they lie in memory); `a`
    and `d` of movmatrix (the source's elements); `d`, `a` of wgmma; `e`, the metadata of mma.sp and wgmma.sp, whose
    elements are the four bits of a chunk (`selector` is the sparsity selector); `r` of tcgen05.ld and tcgen05.st, with
    columns of 32 bits.  Raises LayoutError for other opcodes and operands; fragments of wmma are nowhere documented.
    """
    code = decode(opcode) if isinstance(opcode, str) else opcode
    stem = code.stem.partition("::")[0]
    if not code.valid:
        raise LayoutError(f"unknown instruction '{code}'", hint=code.problem.message if code.problem else "")
    if stem.startswith("wmma."):
        raise _undocumented()
    makers = {"wgmma.mma_async": "ad", "wgmma.mma_async.sp": "ade", "tcgen05.ld": "r", "tcgen05.st": "r"}
    operands = "e" if stem == "mma.sp" and operand == "e" else makers.get(stem)
    if operands is None:
        return _of_a_warp(code, operand)
    if operand not in tuple(operands):
        raise LayoutError(f"'{code}' has no fragment '{operand}'", hint=f"fragments: {', '.join(operands)}")
    if stem.startswith("tcgen05"):
        return _tensor_memory(code)
    if operand == "e":
        return _metadata(code, selector)
    return _of_a_warpgroup(code, operand)


def _undocumented() -> LayoutError:
    return LayoutError("the layout of wmma fragments is undocumented", hint="use mma, wgmma, ldmatrix or stmatrix")


def _of_a_warp(code: Opcode, operand: str) -> FragmentLayout:
    held = isa.fragment(code, operand)
    matrices, rows, columns = _derive(held)
    layout = TileLayout(rows + (matrices if held.matrices > 1 else ()) + columns)
    return FragmentLayout(code, operand, (held.rows, held.matrices * held.columns), layout, held.bits, held.packed)


def _derive(held: isa.Fragment) -> tuple[Run, Run, Run]:
    """The iters of the matrix number, the row and the column of a fragment.

    Lane and register of an element are sums over the bits of these numbers, which this reads off.
    """
    holders = {place: (lane, register * held.packed + at) for place, (lane, register, at) in held.holders().items()}
    limits = (held.matrices, held.rows, held.columns)
    found: list[Run] = []
    for dimension, limit in enumerate(limits):
        bits: list[Iter] = []
        for bit in reversed(range(limit.bit_length() - 1)):
            lane, index = holders[isa.Place(*(1 << bit if at == dimension else 0 for at in range(3)))]
            bits.append(Iter(2, lane, laneid) if lane else Iter(2, index, m))
        found.append(fuse(bits) or (Iter(1, 1),))
    return found[0], found[1], found[2]


# -- warpgroups -------------------------------------------------------------------------------------------------------


def _of_a_warpgroup(code: Opcode, operand: str) -> FragmentLayout:
    """Sixteen rows a warp, in each of them the fragments of `mma` with eight columns of B side by side."""
    kind, columns, depth = code[f"{operand}type"], *extents(code["shape"])[1:]
    bits = element_bits(kind, "")
    if operand == "a" and code.stem.endswith(".sp"):
        depth //= 2
    warp = named_fragment(f"mma.m16n8k{depth if operand == 'a' else _any_depth(kind)}.{operand}.{kind}")
    count = 1 if operand == "a" else columns // 8
    inner_columns = warp.shape[1]
    each = _on(warp.layout, tid_in_wg)
    outer = TileLayout((Iter(4, 32, tid_in_wg), Iter(count, warp.layout.span(m))))
    layout = each.direct_sum(outer, (4, count), warp.shape)
    return FragmentLayout(code, operand, (64, count * inner_columns), layout, bits, warp.packed)


def _any_depth(kind: str) -> int:
    """A depth that `mma` of 16 x 8 sums of a type has."""
    return 32 if kind == "s32" else 16


def _on(layout: TileLayout, axis: Axis) -> TileLayout:
    """The layout with threads of `axis` for lanes."""
    return TileLayout(Iter(extent, stride, axis if each is laneid else each) for extent, stride, each in layout.shard)


_CHUNK = {4: 8, 8: 4, 16: 4, 32: 2}
"""Bits of an element to the elements that four bits of metadata describe."""


def _metadata(code: Opcode, selector: int) -> FragmentLayout:
    """The codes of the chunks of a sparse A: rows by chunks, four bits each.

    A quad of lanes has those of two rows, eight apart.  Rows of 16- and 32-bit elements lie in halves of a register,
    the upper row's above; those of narrower ones fill registers of lanes next to each other.
    """
    rows, _, depth = extents(code["shape"])
    bits = TYPES[code["atype"]].bits
    chunks = depth // _CHUNK[bits]
    if bits >= 16:
        lanes = max(1, chunks // 4)
        upper, run = Iter(2, 4), (Iter(lanes, 1, laneid), Iter(4, 1))
    else:
        lanes = chunks // 4
        upper, run = Iter(2, 1, laneid), (Iter(chunks // 8, 2, laneid), Iter(8, 1))
    if not 0 <= selector < 4 // lanes:
        raise LayoutError(f"'{code}' has no sparsity selector {selector}", hint=f"0 to {4 // lanes - 1}")
    layout = TileLayout((upper, Iter(8, 4, laneid), *run), offset={laneid: selector * lanes} if selector else {})
    if rows == 64:
        layout = _on(layout, tid_in_wg).direct_sum(TileLayout((Iter(4, 32, tid_in_wg),)), (4, 1), (16, chunks))
        layout += (selector * lanes) @ tid_in_wg
    return FragmentLayout(code, "e", (rows, chunks), layout, 4, 8)


# -- tensor memory ----------------------------------------------------------------------------------------------------


def _tensor_memory(code: Opcode) -> FragmentLayout:
    """Lanes of tensor memory by columns of 32 bits; the two parts of shape 16x32bx2 stand side by side."""
    count = int(code["num"][1:])
    rows, columns, run = {
        "32x32b": (32, count, (Iter(32, 1, laneid), Iter(count, 1))),
        "16x64b": (16, 2 * count, (Iter(2, 1, laneid), Iter(8, 4, laneid), Iter(count, 1), Iter(2, 2, laneid))),
        "16x128b": (16, 4 * count, (Iter(2, 1), Iter(8, 4, laneid), Iter(count, 2), Iter(4, 1, laneid))),
        "16x256b": (16, 8 * count, (Iter(2, 2), Iter(8, 4, laneid), Iter(count, 4), Iter(4, 1, laneid), Iter(2, 1))),
        "16x32bx2": (16, 2 * count, (Iter(16, 1, laneid), Iter(2, 16, laneid), Iter(count, 1))),
    }[code["shape"]]
    return FragmentLayout(code, "r", (rows, columns), TileLayout(run), REGISTER, 1)


# -- names ------------------------------------------------------------------------------------------------------------

_STEMS = {"wgmma": "wgmma.mma_async", "wgmma.sp": "wgmma.mma_async.sp"}
_COPIES = ("ldmatrix", "stmatrix", "tcgen05.ld", "tcgen05.st")


_NAMES = "use a name like mma.m16n8k16.A.f16 or ldmatrix.m8n8.x4.b16"


@cache
def named_fragment(name: str) -> FragmentLayout:
    """The fragment of a short name: family, shape and other modifiers, the operand, and its type.

    `mma.m16n8k16.A.f16`, `wgmma.m64n128k16.D.f32`, `mma.sp.m16n8k32.E.f16` (the metadata of an A of that type; `E2` for
    selector 2), `ldmatrix.m8n8.x4.trans.b16`, `tcgen05.ld.16x64b.x4`.  An opcode's own text, with an operand after a
    colon, is a name too.  What a name leaves open is what comes first in the manual.  Raises LayoutError for others.
    """
    text, _, operand = name.partition(":")
    if operand or (text.startswith(_COPIES) and decode(text).valid):
        return fragment_layout(text, operand or "r")
    stem = next((each for each in ("wgmma.sp", "wgmma", "mma.sp") if text.startswith(each + ".")), None)
    full = _STEMS.get(stem or "", stem) or stem_of(text)
    if text.startswith("wmma."):
        raise _undocumented()
    if full is None:
        raise LayoutError(f"unknown instruction '{name}'", hint=_NAMES)
    parts = text[len(stem or full) :].strip(".").split(".")
    wanted = [part for part in parts if not _is_operand(part)]
    operands = [part for part in parts if _is_operand(part)] or ["a" if full == "movmatrix" else "r"]
    role, selector = operands[0][0].lower(), int(operands[0][1:] or 0)
    typed = "a" if role == "e" else role
    for code in _matching(full, wanted, f"{typed}type"):
        return fragment_layout(code, role, selector)
    raise LayoutError(f"unknown instruction '{name}'", hint=_NAMES)


def _is_operand(part: str) -> bool:
    return (part[:1] in ("A", "B", "C", "D", "E") and (len(part) == 1 or part[1:].isdigit())) or part in tuple("abcder")


def _matching(stem: str, wanted: Sequence[str], typed: str) -> Iterator[Opcode]:
    """The legal opcodes of a family that have all tokens; types are those of the slot `typed`, where there is one."""
    for form in compiled_forms(stem):
        if not set(wanted) <= {token for element in form.elements for token in element.tokens}:
            continue
        choices = list(_choices(form, wanted, typed))
        for tokens in product(*(options for _, options in choices)):
            chosen = {slot: token for (slot, _), token in zip(choices, tokens, strict=True)}
            used = [token for token in tokens if token]
            if all(token in used for token in wanted) and any(window.targets for window in form.windows(chosen)):
                yield decode(form.spell(chosen))


def _choices(form: CompiledForm, wanted: Sequence[str], typed: str) -> Iterator[tuple[str, list[str]]]:
    """The tokens to try in each slot: those that are wanted, and only them where they can be in no other slot."""
    slots = [element for element in form.elements if element.slot]
    has_typed = any(element.slot == typed for element in slots)
    for element in slots:
        tokens = ["", *element.tokens] if element.optional else list(element.tokens)
        given = [token for token in tokens if token in wanted]
        elsewhere = has_typed and element.slot.endswith("type") and element.slot != typed
        yield element.slot, given + [token for token in tokens if token not in given] if elsewhere else given or tokens
