"""Stores to the thread's own memory that no load reads: what has been forwarded is not stored either."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from weft.codegen.graph import Addr, Block, Graph, If, Inst, Loop, Value, While, values_in
from weft.codegen.joining import inside
from weft.codegen.window import access_of
from weft.ptx.operands import Symbol

Range = tuple[int, int]


def unread(root: Block, depot: Value) -> list[Inst]:
    """The live stores at constant offsets in the function's own memory whose bytes no live load reads.

    None where its address is used otherwise: in a sum with what is not constant, or as a value.
    """
    assert depot.inst is not None
    symbol = depot.inst.args[1]
    assert isinstance(symbol, Symbol)
    stores: list[tuple[Inst, Range]] = []
    loads: list[Range] = []
    for item in items_in(root):
        access = access_of(item.opcode) if type(item) is Inst else None
        place = None if access is None else _place(item.args[0 if access.stores else 1], depot, symbol.name)
        if access is not None and place is not None and depot not in values_in(item.args[1 if access.stores else 0]):
            span = place, place + access.size * access.elements
            if access.stores:
                stores.append((item, span))
            else:
                loads.append(span)
        # The address escapes: any load through a pointer may then read any of the bytes.
        elif any(_names(operand, depot, symbol.name) for operand in operands_of(item)):
            return []
    return [inst for inst, (a, b) in stores if not any(a < d and c < b for c, d in loads)]


def named(root: Block, depot: Value) -> bool:
    """Whether anything that is live names the function's own memory."""
    assert depot.inst is not None
    name = depot.inst.args[1].name
    return any(_names(operand, depot, name) for item in items_in(root) for operand in operands_of(item))


def _place(operand: Any, depot: Value, name: str) -> int | None:
    """How far an address is from the beginning of the function's own memory, None for other addresses."""
    if type(operand) is not Addr or operand.rest:
        return None
    if operand.base is depot:
        return operand.offset
    if isinstance(operand.base, Symbol) and operand.base.name == name:
        return operand.base.offset + operand.offset
    return None


def _names(operand: Any, depot: Value, name: str) -> bool:
    base = operand.base if type(operand) is Addr else operand
    return (isinstance(base, Symbol) and base.name == name) or depot in values_in(operand)


def items_in(block: Block) -> Iterator[Any]:
    """All that runs: live instructions, branches and loops."""
    for item in block.items:
        if not isinstance(item, Inst) or item.live:
            yield item
        for inner in inside(item):
            yield from items_in(inner)


def operands_of(item: Any) -> Iterator[Any]:
    """What an item reads; the address of the function's own memory is not read where it is made."""
    match item:
        case Inst():
            yield from (arg for arg in item.args if arg not in item.outs and not _makes(item))
            yield from (source for _, source in item.ties)
        case Loop() | While():
            for carried in item.carried:
                yield from (carried.start, carried.next)
            if isinstance(item, While):
                yield from (merge.values[0] for merge in item.results)
        case If():
            yield from (value for merge in item.merges for value in merge.values)
        case Graph():
            yield from (source for basic in item.blocks for edge in basic.edges for _, source in edge.copies)
        case _:
            return


def _makes(inst: Inst) -> bool:
    """Whether an instruction moves an address, of which nothing else is known."""
    return inst.opcode.stem == "mov" and isinstance(inst.args[1], Symbol)
