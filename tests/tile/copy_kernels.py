"""A copy as a whole kernel: bytes staged in, copied by the lowering's instructions, every byte read out again.

Every byte of global memory, shared memory and registers starts with a number of its own; what a byte holds afterwards tells
where it came from.  Kernels run on the simulator once for each byte of those numbers.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i8, i32, i64
from xdsl.ir import Operation, SSAValue

import weft
from weft.dialects import rows
from weft.dialects.engine.operations import op_class
from weft.dialects.tile.memory import buffer_type
from weft.dialects.tile.types import BufferType
from weft.isa.target import target as find_target
from weft.layout import ComposeLayout, SwizzleLayout
from weft.mlir import parse_mlir, print_mlir
from weft.transforms.copy_dispatch import Copy, Operand
from weft.transforms.tile_lowering import functions
from weft.transforms.tile_lowering.lowering import Lowering

_MARK = '!tile.buffer<4xi8, "shared", #tile.layout<"S[4:1]">>'
_FLAGS = {"overflowFlags": arith.IntegerOverflowAttr("none")}


@dataclass(frozen=True)
class Case:
    """A copy, with a condition over `tid`, `lane`, `warp` around it."""

    copy: Copy
    condition: str = ""


class Staged(Lowering):
    """A lowering that fills every register before the copy and writes it out afterwards."""

    def __init__(self, function: Operation, target: Any) -> None:
        super().__init__(function, target)
        self.tiles: list[SSAValue] = []

    def bind_alloc(self, op: rows.tile.AllocOp, pointer: SSAValue | None) -> None:
        super().bind_alloc(op, pointer)
        if buffer_type(op.buffer).space.data == "local":
            self.tiles.append(op.buffer)
            for index in range(len(self.words(op.buffer))):
                load = op_class("llvm.load").create(
                    operands=[self._register(op.buffer, index)],
                    properties={"ordering": IntegerAttr(0, i64)},
                    result_types=[self.word_type(op.buffer)],
                )
                self.set_word(op.buffer, index, self.emit(load))

    def remove(self, op: Operation) -> None:  # type: ignore[override]
        if op.name == "tile.address" and "out" in op.attributes:
            for tile in self.tiles:
                for index, word in enumerate(self.words(tile)):
                    assert word is not None
                    self.add(
                        op_class("llvm.store").create(
                            operands=[word, self._register(tile, index)], properties={"ordering": IntegerAttr(0, i64)}
                        )
                    )
        super().remove(op)

    def _register(self, tile: SSAValue, index: int) -> SSAValue:
        count = len(self.words(tile))
        size = 8 if self.word_type(tile).bitwidth == 64 else 4  # type: ignore[attr-defined]
        start = self.emit(
            arith.MuliOp.create(
                operands=[self.thread("tx"), self.constant(count * size)], result_types=[i32], properties=_FLAGS
            )
        )
        pointer = self.emit(
            llvm.GEPOp.create(
                operands=[self.entry.args[2], start],
                result_types=[self.entry.args[2].type],
                properties={"rawConstantIndices": DenseArrayBase.from_list(i32, [-(1 << 31)]), "elem_type": i8},
            )
        )
        return self.byte_advanced(pointer, index * size)


def type_of(operand: Operand) -> BufferType:
    text = f'!tile.buffer<{"".join(f"{n}x" for n in operand.shape)}{operand.element}, "{operand.space}", '
    text += f'#tile.layout<"{operand.layout}">>'
    module = parse_mlir(f"func.func private @f({text})")
    return next(iter(module.body.blocks[0].ops)).properties["function_type"].inputs.data[0]  # type: ignore[attr-defined]


def kernel_text(case: Case) -> str:
    """The kernel in the tile dialect: arguments are the bytes of global memory, of shared memory, and of registers."""
    copy = case.copy
    lines = ["gpu.module @m {", "  gpu.func @k(%g: !llvm.ptr<1>, %h: !llvm.ptr<1>, %r: !llvm.ptr<1>) kernel"]
    lines[-1] += f" attributes {{known_block_size = array<i32: {copy.threads}, 1, 1>}} {{"
    lines += [
        "    %tid = nvvm.read.ptx.sreg.tid.x : i32",
        f"    %n = arith.constant {copy.threads} : i32",
        "    %zero = arith.constant 0 : i32",
        "    %one = arith.constant 1 : i32",
    ]
    shared: list[tuple[str, str, int, int]] = []
    at = 0
    types: dict[str, str] = {}
    for name, operand in (("dst", copy.dst), ("src", copy.src)):
        type = type_of(operand)
        types[name] = str(type)
        if operand.space == "global":
            lines.append(f"    %{name} = tile.view %g {{alignment = 128 : i64}} : !llvm.ptr<1> -> {type}")
            continue
        lines.append(f"    %{name} = tile.alloc : {type}")
        if operand.space == "shared":
            lines.append(f"    %p{name} = tile.address %{name} : {type} -> !llvm.ptr<3>")
            shared.append((name, f"%p{name}", at, type.storage_bytes))
            at += -(-type.storage_bytes // 4) * 4
    for name, pointer, first, count in shared:
        lines += _moved(name + "in", pointer, first, count, load=False)
    lines.append("    gpu.barrier")
    lines += _copy_lines(case, types)
    lines.append("    gpu.barrier")
    for name, pointer, first, count in shared:
        lines += _moved(name + "out", pointer, first, count, load=True)
    if "local" in copy.spaces:
        lines.append(f"    %mark = tile.alloc : {_MARK}")
        lines.append(f"    %end = tile.address %mark {{out}} : {_MARK} -> !llvm.ptr<3>")
    return "\n".join([*lines, "    gpu.return", "  }", "}"])


def _moved(name: str, pointer: str, first: int, count: int, load: bool) -> list[str]:
    """All threads copy shared words, or bytes, from or to the second argument."""
    kind, size = ("i32", 4) if count % 4 == 0 else ("i8", 1)
    source, target, a, b = (pointer, "%h", 3, 1) if load else ("%h", pointer, 1, 3)
    indices = {"%h": f"%b{name}", pointer: f"%a{name}"}
    return [
        f"    %c{name} = arith.constant {count // size} : i32",
        f"    %f{name} = arith.constant {first // size} : i32",
        f"    scf.for %i{name} = %tid to %c{name} step %n : i32 {{",
        f"      %s{name} = arith.addi %i{name}, %f{name} : i32",
        f"      %a{name} = llvm.getelementptr {pointer}[%i{name}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, {kind}",
        f"      %b{name} = llvm.getelementptr %h[%s{name}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {kind}",
        f"      %v{name} = llvm.load {indices[source]} : !llvm.ptr<{a}> -> {kind}",
        f"      llvm.store %v{name}, {indices[target]} : {kind}, !llvm.ptr<{b}>",
        "    }",
    ]


def _copy_lines(case: Case, types: dict[str, str]) -> list[str]:
    copy = case.copy
    properties = [f'scope = "{copy.scope}"']
    if copy.cache:
        properties.append(f'cache = "{copy.cache}"')
    if copy.variant:
        properties.append(f'variant = "{copy.variant}"')
    for name, operand in (("dst", copy.dst), ("src", copy.src)):
        edges = ", ".join(f"{begin}, {end}" for begin, end in operand.region)
        properties.append(f"{name}_region = array<i64: {edges}>")
    condition, test = condition_lines(case.condition)
    lines = [*condition]
    operation = "tile.copy_async" if copy.asynchronous else "tile.copy"
    body = f"{operation} %dst, %src {{{', '.join(properties)}}} : {types['dst']}, {types['src']}"
    if copy.asynchronous:
        body += "\n tile.async_commit\n tile.async_wait {groups = 0 : i32}"
    lines += ["    scf.if " + test + " {", body, "    }"] if test else [body]
    return lines


def condition_lines(text: str) -> tuple[list[str], str]:
    """A condition over `tid`, `lane` and `warp` as operations, and its value."""
    if not text:
        return [], ""
    lines: list[str] = []
    fresh = iter(range(1000))

    def emit(op: str, type: str = "i32") -> str:
        name = f"%q{next(fresh)}"
        lines.append(f"    {name} = {op} : {type}")
        return name

    operators = {ast.Mod: "remui", ast.FloorDiv: "divui", ast.Add: "addi", ast.Mult: "muli", ast.Sub: "subi"}
    compare = {ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge", ast.Eq: "eq", ast.NotEq: "ne"}

    def value(node: ast.expr) -> str:
        match node:
            case ast.Constant(value=number):
                return emit(f"arith.constant {number}")
            case ast.Name(id="tid"):
                return "%tid"
            case ast.Name(id=name):
                size = emit("arith.constant 32")
                return emit(f"arith.{'remui' if name == 'lane' else 'divui'} %tid, {size}")
            case ast.BinOp(left=left, op=op, right=right):
                a, b = value(left), value(right)
                return emit(f"arith.{operators[type(op)]} {a}, {b}")
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                a, b = value(left), value(right)
                return emit(f"arith.cmpi {compare[type(op)]}, {a}, {b}")
            case ast.BoolOp(op=op, values=values):
                first, *rest = [value(each) for each in values]
                for each in rest:
                    first = emit(f"arith.{'andi' if isinstance(op, ast.And) else 'ori'} {first}, {each}", "i1")
                return first
            case _:
                raise NotImplementedError(ast.unparse(node))

    return lines, value(ast.parse(text, mode="eval").body)


def compiled(case: Case) -> Any:
    """The kernel as a PTX module; raises what the lowering raises."""
    module = parse_mlir(kernel_text(case))
    with patch.object(functions, "Lowering", Staged):
        functions.lower_functions(module, find_target(case.copy.target))
    return weft.compile(parse_mlir(print_mlir(module)), target=case.copy.target)


class Memory:
    """The bytes of a kernel's memories, in one numbering: global, shared (both operands), registers."""

    def __init__(self, copy: Copy) -> None:
        self.copy = copy
        self.sizes = {"global": 16, "shared": 16, "local": 16}
        self.starts: dict[str, int] = {}
        self.held: dict[str, int] = {}
        """The bytes of an operand that each thread has in registers."""
        for name, operand in (("dst", copy.dst), ("src", copy.src)):
            type = type_of(operand)
            if operand.space == "local":
                size = 8 if operand.bits == 64 else 4
                self.starts[name] = self.sizes["local"] if self.held else 0
                self.held[name] = -(-type.storage_bytes // size) * size
                self.sizes["local"] = self.starts[name] + self.held[name] * copy.threads
            elif operand.space == "global":
                self.sizes["global"] = type.storage_bytes
            else:
                if self.sizes["shared"] == 16:
                    self.sizes["shared"] = 0
                self.starts[name] = self.sizes["shared"]
                self.sizes["shared"] += -(-type.storage_bytes // 4) * 4

    def base(self, space: str) -> int:
        order = ["global", "shared", "local"]
        return sum(self.sizes[each] for each in order[: order.index(space)])

    def registers(self, name: str, thread: int) -> int:
        """The first byte that a thread has in registers of an operand."""
        return self.base("local") + self.starts[name] + self.held[name] * thread

    @property
    def total(self) -> int:
        return sum(self.sizes.values())


def locations(case: Case, memory: Memory, name: str) -> list[list[int]]:
    """For each element of the region, the first bytes of the places that hold it, in the memory's numbering."""
    copy = case.copy
    operand = copy.dst if name == "dst" else copy.src
    layout = operand.layout.over(operand.shape) if isinstance(operand.layout, SwizzleLayout) else operand.layout
    tile = layout.tile_layout if isinstance(layout, ComposeLayout) else layout
    width = operand.bits // 8
    found: list[list[int]] = []
    axes = sorted({axis.name for axis in tile.axes} - {"m"})
    holders: dict[tuple[int, ...], list[int]] = {}
    for thread in active_threads(case):
        holders.setdefault(tuple(_axis(axis, thread) for axis in axes), []).append(thread)
    for coordinates in np.ndindex(*operand.extents):
        at = [begin + c for (begin, _), c in zip(operand.region, coordinates, strict=True)]
        flat = int(np.ravel_multi_index(at, operand.shape))
        places: list[int] = []
        for shift in np.ndindex(*(each.extent for each in tile.replica)):
            point = {axis.name: value for axis, value in tile.apply(flat).items()}
            for count, each in zip(shift, tile.replica, strict=True):
                point[each.axis.name] = point.get(each.axis.name, 0) + count * each.stride
            element = point.pop("m", 0)
            if isinstance(layout, ComposeLayout):
                element = layout.swizzle.place(element)
            if operand.space != "local":
                places.append(memory.base(operand.space) + memory.starts.get(name, 0) + element * width)
                continue
            for thread in holders.get(tuple(point.get(axis, 0) for axis in axes), ()):
                places.append(memory.registers(name, thread) + element * width)
        found.append(places)
    return found


def _axis(name: str, thread: int) -> int:
    return {
        "laneid": thread % 32,
        "warpid": thread // 32,
        "tx": thread,
        "wgid": thread // 128,
        "tid_in_wg": thread % 128,
        "wid_in_wg": thread // 32 % 4,
    }[name]


def active_threads(case: Case) -> list[int]:
    tree = compile(case.condition or "True", "<condition>", "eval")
    return [
        thread
        for thread in range(case.copy.threads)
        if eval(tree, {"tid": thread, "lane": thread % 32, "warp": thread // 32})
    ]


def run(case: Case, module: Any | None = None, check: Any = "strict") -> list[str]:
    """Run a case's kernel; what is wrong with the bytes afterwards."""
    module = compiled(case) if module is None else module
    memory = Memory(case.copy)
    tags = np.arange(memory.total, dtype=np.int64)
    after = np.zeros_like(tags)
    for plane in range(2 if memory.total <= 1 << 16 else 3):
        parts: list[np.ndarray[Any, Any]] = []
        for space in ("global", "shared", "local"):
            part = np.zeros(-(-memory.sizes[space] // 16) * 16, np.uint8)
            begin = memory.base(space)
            part[: memory.sizes[space]] = tags[begin : begin + memory.sizes[space]] >> (8 * plane) & 255
            parts.append(part)
        dynamic = memory.sizes["shared"] + 4096 if memory.sizes["shared"] > 40_000 else 0
        weft.run(module, "k", grid=(1,), block=(case.copy.threads,), args=parts, check=check, shared_bytes=dynamic)
        joined = [part[: memory.sizes[space]] for part, space in zip(parts, ("global", "shared", "local"), strict=True)]
        after |= np.concatenate(joined).astype(np.int64) << (8 * plane)
    return wrong(case, memory, after)


def wrong(case: Case, memory: Memory, after: np.ndarray[Any, Any]) -> list[str]:
    """What is wrong with the tags that the bytes have after a copy."""
    width = case.copy.dst.bits // 8
    allowed: dict[int, set[int]] = {}
    for dst, src in zip(locations(case, memory, "dst"), locations(case, memory, "src"), strict=True):
        for place in dst:
            for byte in range(width):
                allowed.setdefault(place + byte, set()).update(source + byte for source in src)
    problems: list[str] = []
    bad = sum(int(after[place]) not in sources for place, sources in allowed.items())
    if bad:
        problems.append(f"{bad} of {len(allowed)} destination bytes are wrong")
    changed = np.flatnonzero(after != np.arange(memory.total))
    foreign = [int(place) for place in changed if int(place) not in allowed]
    if foreign:
        problems.append(f"{len(foreign)} bytes outside the destination were written, the first is {foreign[0]}")
    return problems
