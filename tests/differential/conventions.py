"""LLVM's functions: structures by value, by a pointer to a copy, results through a pointer; `llvm.switch`."""

from __future__ import annotations

from tests.differential.control import DEEPEST
from tests.differential.generator import Builder, produces
from tests.differential.program import Named, Region
from tests.differential.small_floats import hidden

MEMBERS = ("i8", "i16", "i32", "i64", "f32", "f64", "f16", "i1", "i128", "vector<2xf32>", "vector<4xi32>", "i24")
PLACE = "!llvm.ptr"


def filled(b: Builder, members: list[str]) -> tuple[str, str]:
    """A structure with a value in each place, and its type."""
    struct = f"!llvm.struct<({', '.join(members)})>"
    whole = hidden(b, f"llvm.mlir.undef : {struct}")
    for i, member in enumerate(members):
        whole = hidden(b, f"llvm.insertvalue {b.of(member)}, {whole}[{i}] : {struct}")
    return whole, struct


def in_memory(b: Builder, whole: str, struct: str) -> str:
    """A pointer to a copy in memory of the thread's own."""
    one = hidden(b, "arith.constant 1 : i32")
    place = hidden(b, f"llvm.alloca {one} x {struct} {{alignment = 16 : i64}} : (i32) -> {PLACE}")
    b.emit(f"llvm.store {whole}, {place} : {struct}, {PLACE}", kept=True)
    return place


def member_of(b: Builder, whole: str, struct: str, members: list[str]) -> str:
    """A member of a structure, in scope; its type."""
    i = b.rng.randrange(len(members))
    b.one(f"llvm.extractvalue {whole}[{i}] : {struct}", members[i])
    return members[i]


@produces(4)
def structures(b: Builder) -> None:
    """A call that passes structures in one of three ways, and gives one."""
    if b.device or b.depth >= DEEPEST:
        return
    members, gives = ([b.rng.choice(MEMBERS) for _ in range(b.rng.randint(1, 4))] for _ in range(2))
    value, struct = filled(b, members)
    how = b.rng.choice(("value", "byval", "pointer"))
    out = b.rng.choice(("value", "sret"))
    result = f"!llvm.struct<({', '.join(gives)})>"
    symbol, argument, other, place = b.symbol("s"), b.name(), b.name(), b.name()
    third = b.rng.choice(("i8", "i16", "i32", "f64", "i64"))
    saved = b.scope, b.depth, b.uniform
    b.scope, b.depth, b.device, b.uniform = [[]], DEEPEST - 1, True, False
    with b.inside([(other, third)]) as body:
        whole = argument if how == "value" else hidden(b, f"llvm.load {argument} : {PLACE} -> {struct}")
        for _ in range(2):
            member_of(b, whole, struct, members)
        if how == "byval" and b.rng.random() < 0.5:  # The caller's copy stays as it is.
            changed = hidden(b, f"llvm.insertvalue {b.of(members[0])}, {whole}[0] : {struct}")
            b.emit(f"llvm.store {changed}, {argument} : {struct}, {PLACE}", kept=True)
        b.some(b.rng.randint(1, 3))
        given, _ = filled(b, gives)
        if out == "sret":
            b.emit(f"llvm.store {given}, {place} : {result}, {PLACE}", kept=True)
        body.tail = f"llvm.return {given} : {result}" if out == "value" else "llvm.return"
    (b.scope, b.depth, b.uniform), b.device = saved, False
    kind = struct if how == "value" else PLACE
    note = f" {{llvm.byval = {struct}, llvm.align = 16 : i64}}" if how == "byval" else ""
    head = f"{argument}: {kind}{note}, {other}: {third}"
    if out == "sret":
        head = f"{place}: {PLACE} {{llvm.sret = {result}}}, {head}"
    arrow = f" -> {result}" if out == "value" else ""
    inline = b.rng.choice(("", "", " attributes {no_inline}"))
    b.kernel.functions.append(b.node(f"llvm.func internal {symbol}({head}){arrow}{inline} <<0>>", regions=[body], kept=True))  # fmt: skip
    passed = value if how == "value" else in_memory(b, value, struct)
    x = b.of(third)
    if out == "value":
        got = hidden(b, f"llvm.call {symbol}({passed}, {x}) : ({kind}{note}, {third}) -> {result}")
    else:
        room = in_memory(b, filled(b, gives)[0], result)
        b.emit(f"llvm.call {symbol}({room}, {passed}, {x}) : ({PLACE} {{llvm.sret = {result}}}, {kind}{note}, {third}) -> ()", kept=True)  # fmt: skip
        got = hidden(b, f"llvm.load {room} : {PLACE} -> {result}")
    member_of(b, got, result, gives)
    if how != "value":
        member_of(b, hidden(b, f"llvm.load {passed} : {PLACE} -> {struct}"), struct, members)


@produces(3)
def switches(b: Builder) -> None:
    """A function of blocks that `llvm.switch` chooses between."""
    if b.device or b.depth >= DEEPEST:
        return
    symbol, x, y = b.symbol("w"), b.name(), b.name()
    integer, t = (
        b.rng.choice(("i8", "i16", "i32", "i64", "i1", "i7", "i33")),
        b.rng.choice(("i32", "f32", "i64", "i16")),
    )
    bits = int(integer[1:])
    values = b.rng.sample(range(-(1 << bits - 1), 1 << bits - 1) if bits < 16 else [0, 1, 2, 3, 7, 100, -1, -5, 1 << bits - 2],
                          min(b.rng.randint(1, 5), 1 << bits))  # fmt: skip
    saved = b.scope, b.depth, b.uniform
    b.scope, b.depth, b.device, b.uniform = [[]], DEEPEST - 1, True, False
    body, count = Region(), b.rng.randint(1, 3)
    label = symbol[1:]
    with b.inside([(x, integer), (y, t)]) as first:
        b.some(b.rng.randint(0, 2))
        to = [f"^{label}{b.rng.randrange(count)}({b.of(t)} : {t})" for _ in range(len(values) + 1)]
        chosen = b.of(integer)
    body.nodes.extend(first.nodes)
    cases = ",\n".join(f"  {value}: {block}" for value, block in zip(values, to[1:], strict=True))
    body.nodes.append(b.node(f"llvm.switch {chosen} : {integer}, {to[0]} [\n{cases}\n]", kept=True))
    for i in range(count):
        argument: Named = (b.name(), t)
        with b.inside([argument, (x, integer), (y, t)]) as part:
            b.some(b.rng.randint(1, 2))
            result = b.of(t)
        body.nodes.append(b.node(f"^{label}{i}({argument[0]}: {t}):", kept=True))
        body.nodes.extend(part.nodes)
        body.nodes.append(b.node(f"llvm.return {result} : {t}", kept=True))
    (b.scope, b.depth, b.uniform), b.device = saved, False
    b.kernel.functions.append(b.node(f"llvm.func internal {symbol}({x}: {integer}, {y}: {t}) -> {t} <<0>>", regions=[body], kept=True))  # fmt: skip
    b.one(f"llvm.call {symbol}({b.of(integer)}, {b.of(t)}) : ({integer}, {t}) -> {t}", t)
