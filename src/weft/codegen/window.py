"""What memory is known to hold where a block has got to: loads find what was stored or loaded there before.

A block is read up to where it is when a load asks, each instruction once.  What a store may have changed is forgotten,
and everything at what may let other threads go on: barriers, fences, atomics, calls.  A branch starts with what is
known before it, a loop with nothing.  Loads are plain ones: a program in which another thread changes what they read
without a barrier between has a race.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from weft.codegen import linear
from weft.codegen.graph import BITS, Addr, Block, Graph, If, Inst, Loop, Value, While
from weft.codegen.linear import Lin
from weft.isa.opcode import decode
from weft.ptx.operands import Symbol

if TYPE_CHECKING:
    from weft.isa.opcode import Opcode

MOST_REGIONS, MOST_PLACES = 32, 64
"""Sums of terms for which places are kept, and places of each; more are forgotten."""
_SPACES = frozenset(("", "global", "shared", "local"))
_TOKENS = frozenset(("ld", "st", "global", "shared", "local", "v2", "v4", "nc"))
_HARMLESS = frozenset(("shfl", "vote", "match", "activemask", "redux", "elect", "prefetch", "prefetchu"))
"""What has an effect, but none on memory and none on its order."""
_ORDERING = frozenset(("bar", "bar.warp", "barrier", "barrier.cluster", "membar", "fence", "atom", "red"))
"""What lets other threads change memory, but nothing of a thread's own."""


class Access(NamedTuple):
    """A plain load or store: its state space, and the type, the size in bytes and the number of its elements."""

    stores: bool
    space: str
    type: str
    size: int
    elements: int


class Region(NamedTuple):
    """The addresses that are a sum of terms plus a number, in a state space.

    `root` is the variable or the argument that they point into, None where it is not known.
    """

    space: str
    root: Value | str | None
    bits: int
    terms: tuple[linear.Term, ...]


class Held(NamedTuple):
    """What is at a place: the operand, and the type that it was stored or loaded with."""

    size: int
    type: str
    operand: Any
    stored: bool


class Memory:
    """What memory holds, by region and distance; `upto` of the block's items have been read."""

    __slots__ = ("kept", "upto")

    def __init__(self) -> None:
        self.kept: _Kept = {}
        self.upto = 0


_Kept = dict[Region, dict[int, Held]]


class Placed(NamedTuple):
    """An instruction that loads or stores, and where."""

    inst: Inst
    access: Access
    address: Addr
    region: Region
    start: int

    def is_of(self, load: Placed) -> bool:
        """Whether it moves the registers that a load moves: the same bytes, in registers of just their size."""
        if (self.region, self.start) != (load.region, load.start) or self.access[2:] != load.access[2:]:
            return False
        what: Any = self.inst.args[1] if self.access.stores else self.inst.args[0]
        moved = cast("tuple[Any, ...]", what) if isinstance(what, tuple) else (what,)
        return all(
            BITS[value.cls] == 8 * load.access.size and (type(x) is not Value or x.cls == value.cls)
            for x, value in zip(moved, load.inst.outs, strict=True)
        )


@cache
def access_of(code: Opcode) -> Access | None:
    """What a plain load or store moves; None for all other instructions."""
    *words, type_ = code.text.split(".")
    if code.stem not in ("ld", "st") or not _TOKENS.issuperset(words):
        return None
    space = next((word for word in words if word in _SPACES), "")
    count = next((int(word[1]) for word in words if word in ("v2", "v4")), 1)
    return Access(code.stem == "st", space, type_, int(type_[1:]) // 8, count)


class Window:
    """What is known of memory in one function.

    `objects` are the variables that no other name reaches, `pointers` the arguments that point to memory, with whether
    they alone do (`noalias`).
    """

    def __init__(self) -> None:
        self.objects: set[str] = set()
        self.pointers: dict[Value, bool] = {}

    def held(self, block: Block, address: Addr, space: str, distance: int) -> Held | None:
        """What is known to be in memory so far behind an address where a block has got to."""
        kept = self._current(block).kept
        if not kept:
            return None
        region, start = self._place(address, space)
        places = kept.get(region)
        return None if places is None else places.get(start + distance)

    def again(self, body: Block) -> Iterator[tuple[Inst, Inst]]:
        """The loads of a loop's body from where a store at its end has put what the next turn loads; with that store.

        No other store of the body may change what is there.
        """
        found = self._accesses(body)
        stores = [one for one in found if one.access.stores]
        if len(stores) > MOST_REGIONS:
            return
        for at, one in enumerate(found):
            if not _is_fixed(one, body):
                continue
            meeting = [other for other in stores if self.meets(one, other)]
            if not meeting or any(not other.is_of(one) for other in meeting) or any(x in meeting for x in found[:at]):
                continue
            if all(other is one or not other.is_of(one) for other in found if not other.access.stores):
                yield one.inst, meeting[-1].inst

    def unchanged(self, body: Block) -> list[Inst]:
        """The loads of a loop's body from where it stores nothing, at addresses that are the same in every turn."""
        found = self._accesses(body)
        stores = [one for one in found if one.access.stores]
        return [one.inst for one in found if _is_fixed(one, body) and not any(self.meets(one, x) for x in stores)]

    def stores_alone(self, body: Block, store: Inst) -> list[Inst]:
        """The stores of a loop's body to where a store of it puts something, if nothing else in it meets them."""
        found = self._accesses(body)
        own = next((one for one in found if one.inst is store), None)
        if own is None:
            return []
        meeting = [one for one in found if self.meets(own, one)]
        place = (own.access, own.region, own.start)
        return [one.inst for one in meeting] if all((x.access, x.region, x.start) == place for x in meeting) else []

    def _accesses(self, body: Block) -> list[Placed]:
        """The loads and stores of a block, if it is nothing but these and what is computed."""
        found: list[Placed] = []
        for item in body.items:
            if type(item) is not Inst:
                return []
            access = access_of(item.opcode)
            if access is None:
                if item.effect and item.opcode.stem not in _HARMLESS:
                    return []
                continue
            at = item.args[0] if access.stores else item.args[1]
            if type(at) is not Addr or at.rest or item.guard is not None or (item.effect and not access.stores):
                return []
            found.append(Placed(item, access, at, *self._place(at, access.space)))
        return found

    def placed(self, inst: Inst) -> Placed | None:
        """Where a plain load or store that always runs moves something; None for others."""
        access = access_of(inst.opcode)
        if access is None or inst.guard is not None or (inst.effect and not access.stores):
            return None
        at = inst.args[0] if access.stores else inst.args[1]
        return Placed(inst, access, at, *self._place(at, access.space)) if type(at) is Addr and not at.rest else None

    def meets(self, one: Placed, other: Placed) -> bool:
        """Whether two accesses may be of the same bytes."""
        apart = self._distance(one.region, other.region)
        sizes = [x.access.size * x.access.elements for x in (one, other)]
        return apart is not None and _meet(apart, one.start - other.start, *sizes)

    def _place(self, address: Addr, space: str) -> tuple[Region, int]:
        """The region of an address, and how far it is from the sum of the region's terms."""
        base = address.base
        if isinstance(base, Value):
            lin = base.sum if base.sum is not None else linear.of(base)
            root, terms = self._rooted(lin.terms)
            return Region(space, root, lin.bits, terms), lin.const + address.offset
        if isinstance(base, Symbol):
            return Region(space, base.name, 32 if space == "shared" else 64, ()), base.offset + address.offset
        return Region(space, None, 64, ()), base + address.offset

    def _rooted(self, terms: tuple[linear.Term, ...]) -> tuple[Value | str | None, tuple[linear.Term, ...]]:
        """The object that a sum points into, None where it is not known, and the other terms."""
        for value, coefficient in terms:
            if coefficient == 1:
                root = value if value in self.pointers else _symbol(value)
                if root is not None:
                    return root, tuple(term for term in terms if term[0] is not value)
        return None, terms

    def _current(self, block: Block) -> Memory:
        """The memory of a block, brought up to its last item."""
        memory = block.memory
        if memory is None:
            memory = block.memory = Memory()
            if block.follows and block.parent is not None:
                memory.kept = {region: dict(places) for region, places in self._current(block.parent).kept.items()}
        items = block.items
        for at in range(memory.upto, len(items)):
            item = items[at]
            if type(item) is Inst and not item.effect and item.opcode.stem != "ld":
                continue
            self._pass(memory.kept, item, learns=True)
        memory.upto = len(items)
        return memory

    def _pass(self, kept: _Kept, item: Any, *, learns: bool) -> None:
        """Change what is kept by one item; what is inside of branches and loops is not learned."""
        if type(item) is not Inst:
            for inner in _inside(item):
                if kept:
                    self._pass(kept, inner, learns=False)
            return
        access = access_of(item.opcode)
        if access is None:
            if item.effect and item.opcode.stem not in _HARMLESS:
                _forget(kept, own=item.opcode.stem not in _ORDERING)
            return
        at = item.args[0] if access.stores else item.args[1]
        if type(at) is not Addr or at.rest or (item.effect and not access.stores):
            _forget(kept, own=True)
            return
        region, start = self._place(at, access.space)
        if access.stores:
            self._clobber(kept, region, start, access.size * access.elements)
        if learns and item.guard is None:
            what: Any = item.args[1] if access.stores else item.args[0]
            operands = cast("tuple[Any, ...]", what) if isinstance(what, tuple) else (what,)
            _learn(kept, region, start, access, operands)

    def _clobber(self, kept: _Kept, region: Region, start: int, size: int) -> None:
        """Forget what a store may have changed."""
        for other in list(kept):
            apart = self._distance(region, other)
            if apart is None:
                continue
            places = kept[other]
            for at in [at for at, found in places.items() if _meet(apart, start - at, size, found.size)]:
                del places[at]
            if not places:
                del kept[other]

    def _distance(self, a: Region, b: Region) -> Apart | None:
        """How far the first region is from the second, None where they are never the same memory."""
        if a.space != b.space and "" not in (a.space, b.space):
            return None
        if a.root is not b.root and a.root != b.root:
            return None if self._distinct(a.root, b.root) else _ANYWHERE
        if a.bits != b.bits or a.space != b.space:
            return _ANYWHERE
        if a.terms == b.terms:
            return Apart(0, 0, 0)
        apart = linear.add(Lin(a.bits, a.terms, 0), Lin(b.bits, b.terms, 0), -1)
        step = gcd(*(coefficient for _, coefficient in apart.terms))
        if not apart.exact:
            return Apart(_ANYWHERE.lo, _ANYWHERE.hi, step & -step)
        return Apart(apart.lo, apart.hi, step)

    def _distinct(self, a: Value | str | None, b: Value | str | None) -> bool:
        """Whether two roots are never the same object."""
        if a is None or b is None:
            return False
        if isinstance(a, str) and isinstance(b, str):
            return a in self.objects and b in self.objects
        return any(isinstance(root, Value) and self.pointers[root] for root in (a, b))


def _is_fixed(one: Placed, body: Block) -> bool:
    """Whether it is a load, at an address that a loop leaves alone."""
    base = one.address.base
    return not one.access.stores and not (isinstance(base, Value) and base.block.nested >= body.nested)


def _symbol(value: Value) -> str | None:
    """The variable whose address a value is."""
    inst = value.inst
    if inst is None or inst.opcode.stem != "mov" or not isinstance(symbol := inst.args[1], Symbol) or symbol.offset:
        return None
    return symbol.name


def _inside(item: Any) -> Iterator[Any]:
    """What runs, at most, where an item does."""
    match item:
        case If():
            blocks = [item.then, item.otherwise]
        case Loop():
            blocks = [item.body]
        case While():
            blocks = [item.before, item.after]
        case Graph():
            blocks = [basic.block for basic in item.blocks]
        case _:  # Statements of inline PTX.
            yield Inst(_ANYTHING, (), (), effect=True)
            return
    for block in blocks:
        yield from block.items


_ANYTHING = decode("call")


def _forget(kept: _Kept, *, own: bool) -> None:
    for region in [region for region in kept if own or region.space != "local"]:
        del kept[region]


def _learn(kept: _Kept, region: Region, start: int, access: Access, what: tuple[Any, ...]) -> None:
    places = kept.get(region)
    if places is None:
        if len(kept) >= MOST_REGIONS:
            del kept[next(iter(kept))]
        places = kept[region] = {}
    for number, operand in enumerate(what):
        if len(places) >= MOST_PLACES:
            del places[next(iter(places))]
        places[start + number * access.size] = Held(access.size, access.type, operand, access.stores)


class Apart(NamedTuple):
    """How far a region is from another: in these bounds, and by a number modulo `step` where that is not 0."""

    lo: int
    hi: int
    step: int


def _meet(apart: Apart, by: int, size: int, other: int) -> bool:
    """Whether `size` bytes may overlap `other` bytes that begin `by` less than `apart` before them."""
    if apart.lo + by >= other or apart.hi + by + size <= 0:
        return False
    if not apart.step:
        return True
    rest = by % apart.step
    return rest < other or rest + size > apart.step


_ANYWHERE = Apart(-1 << 70, 1 << 70, 0)
