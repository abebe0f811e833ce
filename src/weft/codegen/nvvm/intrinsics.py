"""`llvm.call_intrinsic "llvm.nvvm.x"`: LLVM's intrinsics for NVIDIA's GPUs, by their names.

Most are one instruction whose opcode follows from the name; `_RULES` says how.  `mlir-translate --import-llvm` leaves
them so where the `nvvm` dialect has no operation of the same form.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from weft.codegen import linear
from weft.codegen.access import generic, memory_type
from weft.codegen.graph import B32, PRED, Addr, PairOut, Value
from weft.codegen.nvvm.fragments import counts, outputs, registers
from weft.codegen.selector import Selector, handles
from weft.codegen.types import layout, pointer_space
from weft.mlir import compile_error

PREFIX = "llvm.nvvm."

_ALTERNATIVES = {
    "rnd": "rn|rz|rm|rp", "ftz": r"(?:\.ftz)?", "sat": r"(?:\.sat)?", "relu": r"(?:\.relu)?", "nan": r"(?:\.nan)?",
    "xorsign": r"(?:\.xorsign\.abs)?", "finite": r"(?:\.satfinite)?", "F": "f|d", "I": "us|s|ui|i|ull|ll",
    "J": "ui|i|ull|ll", "H": "f16x2|bf16x2|f16|bf16", "X": "f16x2|f16|f32|f64|bf16x2|bf16", "S": "s|u", "Z": "s|u",
    "relaxed": r"(?:\.relaxed)?", "aligned": r"(?:\.aligned)?", "shared": r"(?:\.shared)?",
}  # fmt: skip
"""What may stand for `<name>` in a rule."""

_TYPES = {"f": "f32", "d": "f64", "us": "u16", "s": "s16", "ui": "u32", "i": "s32", "ull": "u64", "ll": "s64"}
_ROUNDED = {"floor": "cvt.rmi", "ceil": "cvt.rpi", "round": "cvt.rni", "trunc": "cvt.rzi", "saturate": "cvt.sat"}

_RULES: tuple[tuple[str, str], ...] = (
    *((f"{name}.<rnd><ftz><sat>.<F>", f"{name}.<rnd><ftz><sat>.<F>") for name in ("add", "mul", "fma", "div")),
    *((f"{name}.<rnd><ftz>.<F>", f"{name}.<rnd><ftz>.<F>") for name in ("rcp", "sqrt")),
    *(
        (f"{name}.approx<ftz>.<F>", f"{name}.approx<ftz>.<F>")
        for name in ("rcp", "sqrt", "rsqrt", "lg2", "sin", "cos", "div")
    ),
    ("div.full<ftz>", "div.full<ftz>.f32"),
    ("sqrt.f", "sqrt.rn.f32"),
    ("ex2.approx<ftz>.<X>", "ex2.approx<ftz>.<X>"),
    ("tanh.approx.<X>", "tanh.approx.<X>"),
    *((f"f{name}<ftz><nan><xorsign>.<F>", f"{name}<ftz><nan><xorsign>.<F>") for name in ("min", "max")),
    *((f"f{name}<ftz><nan><xorsign>.<H>", f"{name}<ftz><nan><xorsign>.<H>") for name in ("min", "max")),
    ("fma.rn<ftz><sat><relu>.<H>", "fma.rn<ftz><sat><relu>.<H>"),
    ("fabs<ftz>.<X>", "abs<ftz>.<X>"),
    ("neg.<H>", "neg.<H>"),
    *((f"{name}<ftz>.<F>", f"{opcode}<ftz>.<F>.<F>") for name, opcode in _ROUNDED.items()),
    ("mulhi.<I>", "mul.hi.<I>"),
    ("mul24.<I>", "mul24.lo.<I>"),
    ("sad.<I>", "sad.<I>"),
    ("prmt", "prmt.b32"),
    ("idp4a.<S>.<Z>", "dp4a.<S>32.<Z>32"),
    ("fns", "fns.b32"),
    ("d2f.<rnd><ftz>", "cvt.<rnd><ftz>.f32.f64"),
    ("d2<J>.<rnd>", "cvt.<rnd>i.<J>.f64"),
    ("f2<J>.<rnd><ftz>", "cvt.<rnd>i<ftz>.<J>.f32"),
    ("<J>2<F>.<rnd>", "cvt.<rnd>.<F>.<J>"),
    ("ff2f16x2.<rnd><relu>", "cvt.<rnd><relu>.f16x2.f32"),
    ("ff2bf16x2.<rnd><relu>", "cvt.<rnd><relu>.bf16x2.f32"),
    ("f2bf16.<rnd><relu>", "cvt.<rnd><relu>.bf16.f32"),
    ("f2tf32.rna<finite>", "cvt.rna<finite>.tf32.f32"),
    ("bar.warp.sync", "bar.warp.sync"),
    ("barrier.cta.sync.aligned.all", "bar.sync"),
    ("barrier.cta.sync.aligned.count", "bar.sync"),
    ("barrier.cta.sync.all", "barrier.sync"),
    ("barrier.cta.sync.count", "barrier.sync"),
    ("barrier.cta.arrive.aligned.count", "bar.arrive"),
    ("barrier.cta.arrive.count", "barrier.arrive"),
    ("barrier.cluster.arrive<relaxed><aligned>", "barrier.cluster.arrive<relaxed><aligned>"),
    ("barrier.cluster.wait<aligned>", "barrier.cluster.wait<aligned>"),
    *((f"membar.{scope}", f"membar.{scope}") for scope in ("cta", "gl", "sys")),
    ("fence.sc.cluster", "fence.sc.cluster"),
    ("fence.mbarrier_init.release.cluster", "fence.mbarrier_init.release.cluster"),
    ("nanosleep", "nanosleep.u32"),
    ("exit", "exit"),
    ("activemask", "activemask.b32"),
    ("cp.async.commit.group", "cp.async.commit_group"),
    ("cp.async.wait.group", "cp.async.wait_group"),
    ("cp.async.wait.all", "cp.async.wait_all"),
    ("mbarrier.pending.count", "mbarrier.pending_count.b64"),
)
"""Names, and the opcodes that take the operands and the result as the intrinsic does."""


def _compiled(rule: str) -> re.Pattern[str]:
    parts = re.split(r"<(\w+)>", rule)
    text = "".join(
        re.escape(part) if index % 2 == 0 else f"(?P<{part}>{_ALTERNATIVES[part]})" for index, part in enumerate(parts)
    )
    return re.compile(text)


_PATTERNS = [(_compiled(rule), opcode) for rule, opcode in _RULES]


def opcode_of(name: str) -> str | None:
    """The opcode that a rule gives for a name."""
    for pattern, opcode in _PATTERNS:
        match = pattern.fullmatch(name)
        if match is not None:
            return _filled(opcode, match.groupdict())
    return None


def _filled(opcode: str, found: dict[str, str]) -> str:
    return re.sub(r"<(\w+)>", lambda slot: _spelled(slot[1], found[slot[1]]), opcode)


def _spelled(slot: str, text: str) -> str:
    if slot == "nan":
        return text.replace("nan", "NaN")
    return _TYPES[text] if slot in ("F", "I", "J") else text


_Family = Callable[[Selector, Any, re.Match[str]], None]
_FAMILIES: list[tuple[re.Pattern[str], _Family]] = []


def _family(pattern: str) -> Callable[[_Family], _Family]:
    def register(function: _Family) -> _Family:
        _FAMILIES.append((re.compile(pattern), function))
        return function

    return register


@handles("llvm.call_intrinsic")
def select_intrinsic(s: Selector, op: Any) -> None:
    """An intrinsic by its name."""
    full: str = op.properties["intrin"].data
    name = full.removeprefix(PREFIX)
    opcode = opcode_of(name) if full.startswith(PREFIX) else None
    if opcode is not None:
        outs = outputs(s, op) if op.results else ()
        s.emit(opcode, *outs, *(_operand(s, value) for value in op.operands), outs=outs)
        return
    for pattern, family in _FAMILIES if full.startswith(PREFIX) else ():
        match = pattern.fullmatch(name)
        if match is not None:
            family(s, op, match)
            return
    raise compile_error(op, f"weft does not know the intrinsic '{full}'")


def _operand(s: Selector, value: Any) -> Any:
    """A value as an operand."""
    kind = layout(value.type).scalars[0]
    if kind.kind == "test":
        return s.register(s.test(value), PRED)
    if kind.kind == "int":
        return s.operand(s.int(value))
    return s.as_register(s.flatten(s.get(value))[0], kind.cls)


def _destination(outs: tuple[Value, ...]) -> Value | PairOut:
    """A result, or one with a predicate beside it."""
    first, *rest = outs
    return PairOut(first, rest[0]) if rest else first


def _place(s: Selector, value: Any) -> tuple[Addr, str]:
    """A pointer as a place in memory, and its state space as a modifier."""
    space = pointer_space(value.type)
    pointer = s.int(value)
    return s.address(pointer if space else generic(s, pointer)), f".{space}" if space else ""


# -- the warp and the block -----------------------------------------------------------------------------------------


@_family(r"shfl\.sync\.(up|down|bfly|idx)\.[if]32(p?)")
def _shuffle(s: Selector, op: Any, name: re.Match[str]) -> None:
    mask, value, *rest = op.operands
    outs = outputs(s, op)
    source = s.as_register(s.flatten(s.get(value))[0], B32)
    operands = [*(_operand(s, x) for x in rest), _operand(s, mask)]
    to = _destination(outs)
    s.emit(f"shfl.sync.{name[1]}.b32", to, source, *operands, outs=outs)


@_family(r"vote\.(all|any|uni|ballot)\.sync")
def _vote(s: Selector, op: Any, name: re.Match[str]) -> None:
    mask, test = op.operands
    outs = outputs(s, op)
    type_ = "b32" if name[1] == "ballot" else "pred"
    s.emit(f"vote.sync.{name[1]}.{type_}", *outs, _operand(s, test), _operand(s, mask), outs=outs)


@_family(r"match\.(any|all)\.sync\.i(32|64)p?")
def _match(s: Selector, op: Any, name: re.Match[str]) -> None:
    mask, value = op.operands
    outs = outputs(s, op)
    source = s.int_value(s.int(value))
    to = _destination(outs)
    s.emit(f"match.{name[1]}.sync.b{name[2]}", to, source, _operand(s, mask), outs=outs)


@_family(r"elect\.sync")
def _elect(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    s.emit("elect.sync", _destination(outs), _operand(s, op.operands[0]), outs=outs)


@_family(r"redux\.sync\.(u?)(min|max|add|and|or|xor)")
def _redux(s: Selector, op: Any, name: re.Match[str]) -> None:
    type_ = "b32" if name[2] in ("and", "or", "xor") else "u32" if name[1] else "s32"
    outs = outputs(s, op)
    value, mask = op.operands
    s.emit(f"redux.sync.{name[2]}.{type_}", *outs, s.int_value(s.int(value)), _operand(s, mask), outs=outs)


@_family(r"barrier\.cta\.red\.(popc|and|or)(\.aligned)?\.(?:all|count)")
def _reduce(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    type_ = "u32" if name[1] == "popc" else "pred"
    stem = "bar.red" if name[2] else "barrier.red"
    s.emit(f"{stem}.{name[1]}.{type_}", *outs, *(_operand(s, value) for value in op.operands), outs=outs)


# -- registers ------------------------------------------------------------------------------------------------------


@_family(r"lohi\.i2d")
def _joined(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    s.emit("mov.b64", *outs, tuple(s.int_value(s.int(value)) for value in op.operands), outs=outs)


@_family(r"d2i\.(lo|hi)")
def _half(s: Selector, op: Any, name: re.Match[str]) -> None:
    halves = (s.value(B32), s.value(B32))
    s.emit("mov.b64", halves, _operand(s, op.operands[0]), outs=halves)
    s.values[op.results[0]] = linear.of(halves[name[1] == "hi"])


@_family(r"move\.\w+(\.p\d)*")
def _same(s: Selector, op: Any, name: re.Match[str]) -> None:
    s.values[op.results[0]] = s.get(op.operands[0])


# -- memory ---------------------------------------------------------------------------------------------------------


@_family(r"isspacep\.(const|global|local|shared|shared\.cluster)")
def _in_space(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    space = name[1].replace("shared.", "shared::")
    s.emit(f"isspacep.{space}", *outs, s.int_value(generic(s, s.int(op.operands[0]))), outs=outs)


@_family(r"ldu\.global\.[ifp]\..*")
def _uniform_load(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    place, _ = _place(s, op.operands[0])
    kind = layout(op.results[0].type).scalars[0]
    vector = f"v{len(outs)}." if len(outs) > 1 else ""
    s.read(f"ldu.global.{vector}{memory_type(kind)}", outs if vector else _destination(outs), place, outs=outs)


@_family(r"atomic\.(add|exch|max|min|inc|dec|and|or|xor|cas)\.gen\.([if])\.(cta|sys)\..*")
def _atomic(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    width = layout(op.results[0].type).scalars[0].width
    letter = "b" if name[1] in ("exch", "and", "or", "xor", "cas") else "f" if name[2] == "f" else "u"
    if name[1] in ("max", "min"):
        letter = "s"
    place, _ = _place(s, op.operands[0])
    values = [_operand(s, value) for value in op.operands[1:]]
    s.emit(f"atom.{name[3]}.{name[1]}.{letter}{width}", *outs, place, *values, outs=outs)


@_family(r"cp\.async\.(ca|cg)\.shared\.global\.(4|8|16)(\.s)?")
def _copy(s: Selector, op: Any, name: re.Match[str]) -> None:
    (to, _), (source, _) = (_place(s, value) for value in op.operands[:2])
    size = [_operand(s, value) for value in op.operands[2:]]
    s.emit(f"cp.async.{name[1]}.shared.global", to, source, int(name[2]), *size)


@_family(
    r"mbarrier\.(init|inval|arrive|arrive\.drop|arrive\.noComplete|arrive\.drop\.noComplete|test\.wait)(\.shared)?"
)
def _barrier(s: Selector, op: Any, name: re.Match[str]) -> None:
    action = name[1].replace("arrive.drop", "arrive_drop").replace("test.wait", "test_wait")
    place, space = _place(s, op.operands[0])
    outs = outputs(s, op) if op.results else ()
    rest = [_operand(s, value) for value in op.operands[1:]]
    s.emit(f"mbarrier.{action}{space}.b64", *outs, place, *rest, outs=outs)


# -- matrices -------------------------------------------------------------------------------------------------------


@_family(r"ldmatrix\.sync\.aligned\.(\w+)\.(x\d)(\.trans)?\.(b\w+)\.p\d")
def _load_matrix(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    place, space = _place(s, op.operands[0])
    s.read(f"ldmatrix.sync.aligned.{name[1]}.{name[2]}{name[3] or ''}{space}.{name[4]}", outs, place, outs=outs)


@_family(r"wmma\.(\w+)\.load\.([abc])\.(row|col)(?:\.stride)?\.(\w+)\.p\d")
def _load_fragment(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    place, space = _place(s, op.operands[0])
    stride = [_operand(s, value) for value in op.operands[1:]]
    text = f"wmma.load.{name[2]}.sync.aligned.{name[3]}.{name[1]}{space}.{name[4]}"
    s.read(text, outs, place, *stride, outs=outs)


@_family(r"wmma\.(\w+)\.store\.d\.(row|col)(\.stride)?\.(\w+)\.p\d")
def _store_fragment(s: Selector, op: Any, name: re.Match[str]) -> None:
    place, space = _place(s, op.operands[0])
    values = list(op.operands[1:])
    stride = [_operand(s, values.pop())] if name[3] else []
    text = f"wmma.store.d.sync.aligned.{name[2]}.{name[1]}{space}.{name[4]}"
    s.emit(text, place, registers(s, values), *stride)


@_family(r"(wmma\.|)(mma\.)?(m\d+n\d+k\d+)\.(mma\.)?(row|col)\.(row|col)(\.satfinite)?\.([\w.]+?)(\.satfinite)?")
def _product(s: Selector, op: Any, name: re.Match[str]) -> None:
    wide = bool(name[1])
    types = name[8].split(".")
    finite = ".satfinite" if name[7] or name[9] else ""
    if types[0] in ("f16", "f32") and len(types) == 2 and set(types) <= {"f16", "f32"}:
        spelled = ".".join(types) if wide else f"{types[0]}.f16.f16.{types[1]}"
    else:
        factor, other = types[0], types[-1]
        total = "s32" if factor[0] in "su" or factor == "b1" else "f64" if factor == "f64" else "f32"
        spelled = f"{total}.{factor}.{other}.{total}"
    shape, layouts = name[3], f"{name[5]}.{name[6]}"
    if wide:
        text = f"wmma.mma.sync.aligned.{layouts}.{shape}.{spelled}{finite}"
    else:
        text = f"mma.sync.aligned.{shape}.{layouts}{finite}.{spelled}"
    found = counts(text)
    values = registers(s, op.operands)
    if sum(found.get(part, 0) for part in "abc") != len(values):
        raise compile_error(op, f"'{text}' does not take {len(values)} registers")
    a, b = found["a"], found["a"] + found["b"]
    outs = outputs(s, op)
    s.read(text, outs, values[:a], values[a:b], values[b:], outs=outs)
