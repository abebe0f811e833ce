"""The function of an activation: its blocks as code that a warp runs until it must leave.

A warp has lanes at several blocks when its ways part: the earliest block runs first, as everywhere in the simulator.
Lanes leave at blocks that are not code and at ends that wait; the registers that are needed there go to their rows.
Where every lane goes the same way, and none is elsewhere, blocks follow each other directly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from weft.ptx.operands import Integer, Register, Sink
from weft.sim.barriers import COUNT
from weft.sim.block import Block
from weft.sim.lanes import WARP
from weft.sim.native import cells, clocks, mbarriers, steps
from weft.sim.native.code import LANES, Code, NotTraced
from weft.sim.native.cuts import in_order, members_of, split
from weft.sim.native.dispatch import PEND, dispatch, words
from weft.sim.native.emit import Body, Emitter
from weft.sim.native.jit import objects
from weft.sim.native.live import Lives
from weft.sim.native.traced import Traced
from weft.sim.native.transfer import declare, field
from weft.sim.native.turns import SLOTS, STAYS, WAITS, WAYS, turns
from weft.sim.site import Site
from weft.sim.types import BOOL

if TYPE_CHECKING:
    from weft.sim.program import Activation


class Recipe(NamedTuple):
    """What an activation's code consists of, apart from where things are; `marshal` can write it.

    `cuts` say for each block in turn after how many instructions it is split, `native` which of the blocks that there
    are then are code; `rows` are registers by number (special ones by name), `symbols` the addresses that code looks
    up, each an instruction's number, a name there and an offset, `caches` counts its accesses; `frame` and `scratch`
    are bytes, `loops` NumPy's inner loops by the names and types of their functions; `objects` is the code.
    """

    cuts: list[int]
    native: list[int]
    rows: list[int | str]
    symbols: list[tuple[int, str, int]]
    caches: int
    frame: int
    scratch: int
    loops: list[tuple[str, str]]
    objects: list[bytes]


def named(block: Block) -> bool:
    """Whether a block begins with a collective of lanes that a register names."""
    return block.gate is not None and isinstance(members_of(block.gate.site), Register)


class Writer:
    """Writes the function of an activation's blocks, and splits those of which only a part can be written."""

    def __init__(self, activation: Activation) -> None:
        self.code = Code()
        self.lives = Lives(activation)
        native = activation.machine.native
        guard = None if native is None or native.guard is None else native.guard.layout
        self.emitter = Emitter(self.code, self.lives, guard)
        self.activation = activation
        self.blocks: list[Block] = []
        self.cuts: list[int] = []
        self.written: dict[Block, tuple[list[str], Body]] = {}
        self.exits: set[tuple[int, int]] = set()
        self.gates: set[Block] = set()
        self.yields: set[Block] = set()
        self.results: dict[Block, tuple[str, int, int]] = {}
        todo = in_order(activation)
        while todo:
            block = todo.pop()
            self.cuts.append(self._instructions(block))
            self.blocks.append(block)
            if self.cuts[-1]:
                todo.append(split(block, self.cuts[-1]))
        self.numbers = {block: number for number, block in enumerate(self.blocks)}
        self.native = sorted(self.written, key=lambda block: block.order)
        self.places = {block: place for place, block in enumerate(self.native)}
        self.meets = has_plain_barriers(activation)
        self.components = self._components()

    def _components(self) -> dict[Block, int]:
        """Numbers of the sets of blocks that lead to each other without leaving."""
        found = dict(self.places)
        changed = True
        while changed:
            changed = False
            for block in self.native:
                passed = self._passed(block)
                for target in (passed,) if block.ways is None else (block.ways.taken, block.ways.other):
                    if target in found and found[target] != found[block]:
                        found[target] = found[block] = min(found[target], found[block])
                        changed = True
        return found

    def _passed(self, block: Block) -> Block | None:
        """Where a CTA may go on behind the block without leaving code: behind its barrier, or its wait."""
        if not block.sites or block.ways is not None:
            return None
        last = block.sites[-1]
        if mbarriers.waits(block) or (self._is_barrier(last) and self.meets):
            return last.after if last.after in self.places else None
        return None

    def _instructions(self, block: Block) -> int:
        """Write the instructions of a block but its end; after how many it must be split, 0 where it is whole."""
        count = len(block.starts)
        if block.gate is not None and count and block.gate.warpgroup:
            return int(count > 1 or block.ways is not None)
        code = self.code
        before, code.lines = code.lines, []
        code.label(f"B{id(block)}.")
        mask = code.value("load i32, ptr %mask.p")
        self.emitter.begin(mask)
        if block.gate is not None:
            self._gate(block, mask)
        done = 0
        for site, plain in zip(block.sites, block.plain, strict=False):
            if not plain or not self._instruction(site):
                break
            done += 1
            if self.emitter.guard is not None and named(block):  # NumPy enters it, but not what may access memory.
                break
        waits = mbarriers.waits(block) and self._written(lambda: self._wait(block, mask))
        lines, code.lines = code.lines, before
        cut = 0
        if done < count:
            cut = done or int(count > 1 or block.ways is not None)
        elif len(block.steps) > (block.starts[-1] + 1 if count else 0):  # What its end needs done before.
            cut = count
            if not count:
                return 0
        if done or waits or (not count and (block.ways is not None or any(map(self._is_barrier, block.sites)))):
            self.written[block] = lines, self.emitter.keep()
        return cut

    def _gate(self, block: Block, mask: str) -> None:
        """Lanes leave before a collective of which not all are here, in strict runs unless these are whole warps."""
        assert block.gate is not None
        code, number = self.code, len(self.blocks)
        site, whole = block.gate.site, code.value(f"icmp eq i32 {mask}, -1")
        barrier = site.opcode.stem in ("bar", "barrier")
        given: Any = block.gate.mask
        some = named(block) or (given is not None and given != 0xFFFF_FFFF)
        if barrier:
            whole = code.value(f"icmp eq i32 {mask}, {steps.existing(code)}")
        elif some:
            complete = steps.complete(self.emitter, site, mask)
            if self.emitter.guard is not None and site.opcode.stem == "bar.warp.sync":  # It orders what whole warps do.
                complete = steps.named_all(self.emitter, site)
            whole = complete if self.emitter.guard is None else code.value(f"and i1 {complete}, {whole}")
        code.line(f"br i1 {whole}, label %g{number}, label %x{number}")
        code.label(f"x{number}")
        code.line(f"call void @leave(ptr %ctx, i64 %warp, i32 {number}, i32 {mask}, ptr @out.COMPONENT.{number})")
        self.gates.add(block)
        code.line(f"br i1 {self._alone()}, label %warps, label %dispatch")
        code.label(f"g{number}")
        if not barrier and (self.emitter.guard is not None or not some):
            self.emitter.enter_whole()

    def _wait(self, block: Block, mask: str) -> None:
        """Lanes that wait for the phase of an mbarrier leave before the block, unless it has completed for all."""
        code, number = self.code, len(self.blocks)
        done, address = mbarriers.wait(self.emitter, block.sites[0])
        code.line(f"br i1 {done}, label %g{number}, label %x{number}")
        code.label(f"x{number}")
        code.line(f"call void @rest(ptr %ctx, i64 %warp, i32 {number}, i32 {mask}, ptr @out.COMPONENT.{number})")
        self.gates.add(block)
        code.line(f"br i1 {self._alone()}, label %warps, label %dispatch")
        code.label(f"g{number}")
        mbarriers.waited(self.emitter, block.sites[0], address)

    def _instruction(self, site: Site) -> bool:
        """Write an instruction; False where that cannot be done."""
        return self._written(lambda: self.emitter.instruction(site))

    def _written(self, write: Callable[[], None]) -> bool:
        """Write something; False where that cannot be done."""
        mark, state = self.code.mark(), self.emitter.keep()
        try:
            write()
        except (NotTraced, TypeError, ValueError, AttributeError, IndexError, KeyError):
            self.code.undo(mark)
            self.emitter.resume(state)
            return False
        return True

    def body(self, block: Block) -> None:
        """The code of a block."""
        code, place = self.code, self.places[block]
        lines, body = self.written[block]
        code.forget()
        self.component = self.components[block]
        code.lines += [f"b{place}:", *(line.replace("COMPONENT", str(self.component)) for line in lines[1:])]
        if block in self.gates:
            self.exits.add((self.component, self.numbers[block]))
        self.emitter.resume(body)
        mask = body.mask
        self._count(self.numbers[block], mask)
        ways = block.ways
        if ways is None and mbarriers.waits(block):
            after = block.sites[0].after
            self.emitter.end(self.lives.before(after))
            self._go(block, after, mask)
        elif ways is None:
            self.emitter.end(self.lives.at_end(block))
            if self._passed(block) is not None and block.sites[-1].opcode.get("action") == "red":
                self._vote(block, mask)
            self._exit(len(self.blocks) + self.numbers[block], mask, "leave" if self._passed(block) is None else "rest")
        elif ways.guard is None:
            self.emitter.end(self.lives.before(ways.taken))
            self._go(block, ways.taken, mask)
        else:
            assert ways.other is not None
            holds = self.emitter.read_row(ways.guard)
            self.emitter.end(self.lives.before(ways.taken, ways.other))
            bits = code.pure(f"bitcast {holds.typed} to i32")
            if ways.negated:
                bits = code.pure(f"xor i32 {bits}, -1")
            self._branch(block, place, ways.taken, ways.other, mask, code.value(f"and i32 {bits}, {mask}"))

    def _is_barrier(self, site: Site) -> bool:
        return is_barrier(site, WARP * self.activation.machine.launch.warps)

    def _vote(self, block: Block, mask: str) -> None:
        """Lanes vote at a barrier, whose result the turns write to the frame."""
        code, site = self.code, block.sites[-1]
        result, predicate = site.operands[0], site.operands[-1]
        votes: Any = self.emitter.source(site, "pred", predicate)
        if not isinstance(votes, Traced):
            votes = self.emitter.lanes().lift(votes, BOOL, (LANES,))
        yes = code.value(f"and i32 {code.pure(f'bitcast {votes.typed} to i32')}, {mask}")
        for name, word in (("votes", yes), ("voters", mask)):
            place = code.value(field(name))
            count = code.value(f"zext i32 {code.value(f'call i32 @llvm.ctpop.i32(i32 {word})')} to i64")
            old = code.value(f"load i64, ptr {place}")
            code.line(f"store i64 {code.value(f'add i64 {old}, {count}')}, ptr {place}")
        if not isinstance(result, Sink):
            row = site.row(result)
            slot = self.emitter.slot(id(row), row.array)
            self.results[block] = site.opcode.get("op"), id(row), slot.offset

    def _branch(self, block: Block, place: int, taken: Block, other: Block, mask: str, some: str) -> None:
        code = self.code
        code.line(f"br i1 {code.value(f'icmp eq i32 {some}, {mask}')}, label %all{place}, label %notall{place}")
        code.label(f"notall{place}")
        code.line(f"br i1 {code.value(f'icmp eq i32 {some}, 0')}, label %none{place}, label %part{place}")
        code.label(f"all{place}")
        self._go(block, taken, mask)
        code.label(f"none{place}")
        self._go(block, other, mask)
        code.label(f"part{place}")
        rest = code.value(f"xor i32 {some}, {mask}")
        for target, lanes in ((taken, some), (other, rest)):
            if target in self.places:
                code.line(
                    f"call void @pend(ptr %pending, ptr %set, ptr %rest.p, i32 {self.places[target]}, i32 {lanes})"
                )
            else:
                self._leave(self.numbers[target], lanes)
        code.line("br label %dispatch")

    def _count(self, number: int, mask: str) -> None:
        code = self.code
        lanes = code.value(f"call i32 @llvm.ctpop.i32(i32 {mask})")
        wide = code.value(f"zext i32 {lanes} to i64")
        place = code.value(f"getelementptr i64, ptr %counts, i64 {number}")
        before = code.value(f"load i64, ptr {place}")
        code.line(f"store i64 {code.value(f'add i64 {before}, {wide}')}, ptr {place}")

    def _go(self, block: Block, target: Block, mask: str) -> None:
        """All lanes of a block go on at one target."""
        code = self.code
        if target not in self.places:
            self._exit(self.numbers[target], mask)
            return
        place = self.places[target]
        code.line(f"store i32 {mask}, ptr %mask.p")
        if target.order <= block.order:
            self.yields.add(target)
            code.line(f"br label %back{place}")
        else:
            code.line(f"br i1 {self._alone()}, label %b{place}, label %pend{place}")

    def _alone(self) -> str:
        return self.code.value(f"icmp eq i32 {self.code.value('load i32, ptr %rest.p')}, 0")

    def _exit(self, number: int, mask: str, how: str = "leave") -> None:
        """Lanes leave; others of the warp go on."""
        self._leave(number, mask, how)
        self.code.line(f"br i1 {self._alone()}, label %warps, label %dispatch")

    def _leave(self, number: int, mask: str, how: str = "leave") -> None:
        self.exits.add((self.component, number))
        table = f"@out.{self.component}.{number}"
        self.code.line(f"call void @{how}(ptr %ctx, i64 %warp, i32 {number}, i32 {mask}, ptr {table})")

    def _arrivals(self) -> None:
        """Where lanes come that are not alone, and those that come back to a block."""
        code = self.code
        for block, place in self.places.items():
            if block in self.yields:
                code.label(f"back{place}")
                fuel = code.value("load i64, ptr %fuel.p")
                left = code.value(f"sub i64 {fuel}, 1")
                code.line(f"store i64 {left}, ptr %fuel.p")
                code.line(f"br i1 {code.value(f'icmp sle i64 {left}, 0')}, label %yield{place}, label %stay{place}")
                code.label(f"stay{place}")
                code.line(f"br i1 {self._alone()}, label %b{place}, label %pend{place}")
                code.label(f"yield{place}")
                self._pend(place)
                code.line(f"store i32 {place + 1}, ptr %yielded.p")
                code.line("br label %pass.by")
            code.label(f"pend{place}")
            self._pend(place)
            code.line("br label %dispatch")

    def _pend(self, place: int) -> None:
        mask = self.code.value("load i32, ptr %mask.p")
        self.code.line(f"call void @pend(ptr %pending, ptr %set, ptr %rest.p, i32 {place}, i32 {mask})")

    def module(self) -> str:
        """All of it, once the blocks are written."""
        self._arrivals()
        entries = "\n".join(f"    i32 {self.numbers[block]}, label %b{place}" for block, place in self.places.items())
        numbers = ", ".join(f"i32 {2 * len(self.blocks) + self.numbers[block]}" for block in self.native)
        self.exits |= {(self.components[block], self.numbers[block]) for block in self.native}
        body = "\n".join(self.code.lines)
        return f"""{self._tables(numbers)}
{self._nexts()}
{PEND}
define i32 @run(ptr %ctx, i32 %entry, i64 %lo, i64 %hi, ptr %masks) #0 {{
{self._starts()}\
{turns(self._passes(), self.emitter.frame, votes=bool(self.results))}  switch i32 %entry.now, label %warps [
{entries}
  ]
{dispatch(len(self.native))}{body}
}}
"""

    def _starts(self) -> str:
        """What lives through the function, and where it finds the rest."""
        count = len(self.native)
        loads = "\n".join(
            f"  %{name}.at = {field(name)}\n  %{name} = load ptr, ptr %{name}.at"
            for name in ("counts", "symbols", "caches", "frames", "scratch")
        )
        return f"""start:
  %mask.p = alloca i32
  %rest.p = alloca i32
{SLOTS}\
  %set = alloca [{words(count)} x i64], align 64
  %pending = alloca [{count} x i32], align 64
  %out = alloca [{self.emitter.out} x i8], align 64
{loads}
  %fuel.p = {field("fuel")}
  %fault.p = {field("fault")}
  %phases.to = {field("phases")}
  %steps.to = {field("steps")}
  store [{words(count)} x i64] zeroinitializer, ptr %set
  store [{count} x i32] zeroinitializer, ptr %pending
  store i32 0, ptr %rest.p
"""

    def _passes(self) -> str:
        """Tell the warps' stamps of a barrier."""
        if self.emitter.guard is None:
            return ""
        if self.emitter.guard.clocked:
            clocks.declare(self.code)
        else:
            self.code.declare(cells.passes())
        return "  call void @passes(ptr %ctx, i64 %round.cta)\n"

    def _nexts(self) -> str:
        """Where CTAs go on of which all threads have left by an exit, at one barrier (`turns`)."""
        table = [STAYS] * (3 * len(self.blocks))
        for block in self.native:
            if mbarriers.waits(block):
                table[self.numbers[block]] = WAITS
            elif (after := self._passed(block)) is not None:
                table[len(self.blocks) + self.numbers[block]] = self.numbers[after]
        lists = ["ptr null"] * len(table)
        for number, goes in enumerate(table):
            if goes != STAYS:
                component = self.components[self.blocks[number % len(self.blocks)]]
                lists[number] = f"ptr @out.{component}.{number}"
                self.exits.add((component, number))
        ways = [(0, 0)] * len(table)
        for block, (op, _, offset) in self.results.items():
            ways[len(self.blocks) + self.numbers[block]] = WAYS[op], offset
        results = ", ".join(f"[2 x i32] [i32 {way}, i32 {offset}]" for way, offset in ways)
        return (
            f"@results = internal constant [{len(ways)} x [2 x i32]] [{results}]\n"
            f"@nexts = internal constant [{len(table)} x i32] [{', '.join(f'i32 {n}' for n in table)}]\n"
            "@nothing = internal constant { i64, ptr } zeroinitializer\n"
            f"@keeps = internal constant [{len(lists)} x ptr] [{', '.join(lists)}]"
        )

    def _tables(self, numbers: str) -> str:
        """Which registers are read where lanes enter, and written where they leave."""
        used: dict[int, set[int | str]] = {}
        written: dict[int, set[int | str]] = {}
        for block, (_, body) in self.written.items():
            used.setdefault(self.components[block], set()).update(body.values)
            written.setdefault(self.components[block], set()).update(body.dirty)
            if block in self.results:
                for table in (used, written):
                    table[self.components[block]].add(self.results[block][1])
        total = len(self.native)
        yields = (f"ptr @out.{self.components[block]}.{self.numbers[block]}" for block in self.native)
        text = [
            f"@numbers = internal constant [{total} x i32] [{numbers}]",
            f"@yields = internal constant [{total} x ptr] [{', '.join(yields)}]",
        ]
        known: dict[str, str] = {}

        def moves(keys: set[int | str], live: Callable[[int], bool]) -> str:
            chosen = [
                slot for key, slot in self.emitter.slots.items() if key in keys and (isinstance(key, str) or live(key))
            ]
            words = ", ".join(f"i32 {slot.number}, i32 {slot.offset}, i32 {slot.bits // 8}" for slot in chosen)
            if not chosen:
                return "{ i64, ptr } { i64 0, ptr null }"
            name = known.get(words)
            if name is None:
                name = known[words] = f"@moves{len(known)}"
                text.append(f"{name} = internal constant [{3 * len(chosen)} x i32] [{words}]")
            return f"{{ i64, ptr }} {{ i64 {len(chosen)}, ptr {name} }}"

        rows: list[str] = []
        for block in self.blocks:
            component = self.components.get(block)
            rows.append(moves(set() if component is None else used[component], self.lives.before(block)))
        text.append(f"@moves.in = internal constant [{len(rows)} x {{ i64, ptr }}] [{', '.join(rows)}]")
        for component, number in sorted(self.exits):
            block = self.blocks[number % len(self.blocks)]
            live = self.lives.before(block) if number < len(self.blocks) else self.lives.at_end(block)
            text.append(f"@out.{component}.{number} = internal constant {moves(written[component], live)}")
        return "\n".join(text)


def is_barrier(site: Site, threads: int) -> bool:
    """Whether all threads of a CTA wait at an instruction: of so many, in whole warps."""
    action = site.opcode.get("action")
    if site.opcode.stem not in ("bar", "barrier") or action == "arrive":
        return False
    numbers = site.operands[1:-1] if action == "red" else site.operands
    known = [one.value for one in numbers if isinstance(one, Integer)]
    return len(known) == len(numbers) and 0 <= known[0] < COUNT and known[1:] in ([], [threads])


def has_plain_barriers(activation: Activation) -> bool:
    """Whether threads that have come to a barrier wait there, in whichever kernel's function."""
    return not any(
        one.opcode.stem in ("bar", "barrier") and one.opcode.get("action") == "arrive"
        for one in activation.machine.program.instructions()
    )


def recipe_of(activation: Activation) -> tuple[Recipe, list[Block]]:
    """What the code of an activation consists of, and its blocks."""
    writer = Writer(activation)
    emitter, code = writer.emitter, writer.code
    for block in writer.native:
        writer.body(block)
    declare(code, writer.emitter.guard)
    parts = objects(writer.module(), code.declared) if writer.native else []
    numbers = {id(row): number for number, row in enumerate(activation.rows())}
    recipe = Recipe(
        writer.cuts,
        [writer.numbers[block] for block in writer.native],
        [key if isinstance(key, str) else numbers[key] for key in emitter.slots],
        list(emitter.symbols),
        emitter.caches,
        emitter.frame,
        code.scratch,
        list(code.loops),
        parts,
    )
    return recipe, writer.blocks
