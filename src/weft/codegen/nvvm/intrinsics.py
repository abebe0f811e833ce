"""`llvm.call_intrinsic "llvm.nvvm.x"`: LLVM's intrinsics for NVIDIA's GPUs, by their names.

Most are one instruction whose opcode follows from the name; `_RULES` says how.  `mlir-translate --import-llvm` leaves
them so where the `nvvm` dialect has no operation of the same form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from weft.codegen import linear
from weft.codegen.access import generic, memory_type
from weft.codegen.graph import B16, B32, PRED, Addr, PairOut, Value
from weft.codegen.nvvm.fragments import outputs, read_product, registers
from weft.codegen.selector import Selector, handles
from weft.codegen.types import layout, pointer_space
from weft.isa import Opcode, opcode
from weft.mlir import compile_error

PREFIX = "llvm.nvvm."

_ALTERNATIVES = {
    "rnd": "rn|rz|rm|rp", "ftz": r"(?:\.ftz)?", "sat": r"(?:\.sat)?", "relu": r"(?:\.relu)?", "nan": r"(?:\.nan)?",
    "xorsign": r"(?:\.xorsign\.abs)?", "finite": r"(?:\.satfinite)?", "F": "f|d", "I": "us|s|ui|i|ull|ll",
    "J": "ui|i|ull|ll", "H": "f16x2|bf16x2|f16|bf16", "X": "f16x2|f16|f32|f64|bf16x2|bf16", "S": "s|u", "Z": "s|u",
    "relaxed": r"(?:\.relaxed)?", "aligned": r"(?:\.aligned)?", "scope": "cluster",
}  # fmt: skip
"""What may stand for `<name>` in a rule."""

_TYPES = {"f": "f32", "d": "f64", "us": "u16", "s": "s16", "ui": "u32", "i": "s32", "ull": "u64", "ll": "s64"}
_ROUNDED = {"floor": "rmi", "ceil": "rpi", "round": "rni", "trunc": "rzi"}
_FTZ = {"ftz": "<ftz>?"}
_EXTREME = {**_FTZ, "NaN": "<nan>?", "xorsign": "<xorsign>?", "abs": "<xorsign>?"}
_Rule = tuple[str, str, Mapping[str, str]]


def _rule(name: str, stem: str, /, **slots: str) -> _Rule:
    return name, stem, slots


_RULES: tuple[_Rule, ...] = (
    *(
        _rule(f"{name}.<rnd><ftz><sat>.<F>", name, rnd="<rnd>", **_FTZ, sat="<sat>?", type="<F>")
        for name in ("add", "mul", "fma", "div")
    ),
    *(_rule(f"{name}.<rnd><ftz>.<F>", name, rnd="<rnd>", **_FTZ, type="<F>") for name in ("rcp", "sqrt")),
    *(
        _rule(f"{name}.approx<ftz>.<F>", name, rnd="approx", **_FTZ, type="<F>")
        for name in ("rcp", "sqrt", "rsqrt", "div")
    ),
    *(_rule(f"{name}.approx<ftz>.<F>", name, **_FTZ, type="<F>") for name in ("lg2", "sin", "cos")),
    _rule("div.full<ftz>", "div", rnd="full", **_FTZ, type="f32"),
    _rule("sqrt.f", "sqrt", rnd="rn", type="f32"),
    _rule("ex2.approx<ftz>.<X>", "ex2", **_FTZ, type="<X>"),
    _rule("tanh.approx.<X>", "tanh", type="<X>"),
    *(
        _rule(f"f{name}<ftz><nan><xorsign>.<{letter}>", name, **_EXTREME, type=f"<{letter}>")
        for name in ("min", "max")
        for letter in "FH"
    ),
    _rule("fma.rn<ftz><sat><relu>.<H>", "fma", rnd="rn", **_FTZ, sat="<sat>?", relu="<relu>?", type="<H>"),
    _rule("fabs<ftz>.<X>", "abs", **_FTZ, type="<X>"),
    _rule("neg.<H>", "neg", type="<H>"),
    *(_rule(f"{name}<ftz>.<F>", "cvt", rnd=mode, **_FTZ, type="<F>", atype="<F>") for name, mode in _ROUNDED.items()),
    _rule("saturate<ftz>.<F>", "cvt", sat="sat", **_FTZ, type="<F>", atype="<F>"),
    _rule("mulhi.<I>", "mul", mode="hi", type="<I>"),
    _rule("mul24.<I>", "mul24", mode="lo", type="<I>"),
    _rule("sad.<I>", "sad", type="<I>"),
    _rule("prmt", "prmt", type="b32"),
    _rule("idp4a.<S>.<Z>", "dp4a", atype="<S>32", btype="<Z>32"),
    _rule("fns", "fns", type="b32"),
    _rule("d2f.<rnd><ftz>", "cvt", rnd="<rnd>", **_FTZ, type="f32", atype="f64"),
    _rule("d2<J>.<rnd>", "cvt", rnd="<rnd>i", type="<J>", atype="f64"),
    _rule("f2<J>.<rnd><ftz>", "cvt", rnd="<rnd>i", **_FTZ, type="<J>", atype="f32"),
    _rule("<J>2<F>.<rnd>", "cvt", rnd="<rnd>", type="<F>", atype="<J>"),
    _rule("ff2f16x2.<rnd><relu>", "cvt", rnd="<rnd>", relu="<relu>?", type="f16x2", atype="f32"),
    _rule("ff2bf16x2.<rnd><relu>", "cvt", rnd="<rnd>", relu="<relu>?", type="bf16x2", atype="f32"),
    _rule("f2bf16.<rnd><relu>", "cvt", rnd="<rnd>", relu="<relu>?", type="bf16", atype="f32"),
    _rule("f2tf32.rna<finite>", "cvt", rnd="rna", satfinite="<finite>?", type="tf32", atype="f32"),
    _rule("bar.warp.sync", "bar.warp.sync"),
    *(_rule(f"barrier.cta.sync.aligned.{which}", "bar", action="sync") for which in ("all", "count")),
    *(_rule(f"barrier.cta.sync.{which}", "barrier", action="sync") for which in ("all", "count")),
    _rule("barrier.cta.arrive.aligned.count", "bar", action="arrive"),
    _rule("barrier.cta.arrive.count", "barrier", action="arrive"),
    _rule(
        "barrier.cluster.arrive<relaxed><aligned>",
        "barrier.cluster",
        action="arrive",
        sem="<relaxed>",
        aligned="<aligned>?",
    ),
    _rule("barrier.cluster.wait<aligned>", "barrier.cluster", action="wait", aligned="<aligned>?"),
    *(_rule(f"membar.{scope}", "membar", level=scope) for scope in ("cta", "gl", "sys")),
    _rule("fence.sc.<scope>", "fence", sem="sc", scope="<scope>"),
    _rule("fence.mbarrier_init.release.<scope>", "fence", op_restrict="mbarrier_init", sem="release", scope="<scope>"),
    _rule("nanosleep", "nanosleep", type="u32"),
    _rule("exit", "exit"),
    _rule("activemask", "activemask", type="b32"),
    _rule("cp.async.commit.group", "cp.async.commit_group"),
    _rule("cp.async.wait.group", "cp.async.wait_group"),
    _rule("cp.async.wait.all", "cp.async.wait_all"),
    _rule("mbarrier.pending.count", "mbarrier.pending_count", type="b64"),
)
"""Names, and the opcodes that take the operands and the result as the intrinsic does: family and slots.

`<name>` in a slot is what stood there in the name, `<name>?` whether anything did.
"""


def _compiled(rule: str) -> re.Pattern[str]:
    parts = re.split(r"<(\w+)>", rule)
    text = "".join(
        re.escape(part) if index % 2 == 0 else f"(?P<{part}>{_ALTERNATIVES[part]})" for index, part in enumerate(parts)
    )
    return re.compile(text)


_PATTERNS = [(_compiled(name), stem, slots) for name, stem, slots in _RULES]


def opcode_of(name: str) -> Opcode | None:
    """The opcode that a rule gives for a name; raises IsaError where no target has it."""
    for pattern, stem, slots in _PATTERNS:
        match = pattern.fullmatch(name)
        if match is not None:
            return opcode(stem, **{slot: _filled(value, match.groupdict()) for slot, value in slots.items()})
    return None


def _filled(value: str, found: dict[str, str]) -> str | bool:
    if value.endswith("?"):
        return bool(found[value[1:-2]])
    return re.sub(r"<(\w+)>", lambda group: _spelled(group[1], found[group[1]]), value)


def _spelled(group: str, text: str) -> str:
    return _TYPES[text] if group in ("F", "I", "J") else text.removeprefix(".")


Family = Callable[[Selector, Any, re.Match[str]], None]
FAMILIES: list[tuple[re.Pattern[str], Family]] = []


def family(pattern: str) -> Callable[[Family], Family]:
    """Register the selection of the intrinsics whose names, behind `llvm.nvvm.`, match a pattern."""

    def register(function: Family) -> Family:
        FAMILIES.append((re.compile(pattern), function))
        return function

    return register


_ELSEWHERE = {
    "tex": "textures", "tld4": "textures", "txq": "textures", "suq": "textures", "suld": "textures", "sust": "textures",
    "cp": "copies", "prefetch": "copies", "prefetchu": "copies", "tensormap": "copies", "applypriority": "copies",
    "discard": "copies", "st": "copies", "mbarrier": "copies", "clusterlaunchcontrol": "copies", "fence": "copies",
    "mapa": "copies", "getctarank": "copies", "tcgen05": "tensor_memory", "mma": "matrices", "wmma": "matrices",
    "stmatrix": "matrices", "ldmatrix": "matrices",
}  # fmt: skip
"""The files that have families of intrinsics, by the first word of these, beside those in this one."""


@handles("llvm.call_intrinsic")
def select_intrinsic(s: Selector, op: Any) -> None:
    """An intrinsic by its name."""
    full: str = op.properties["intrin"].data
    name = full.removeprefix(PREFIX)
    found = opcode_of(name) if full.startswith(PREFIX) else None
    if found is not None:
        direct(s, op, found)
        return
    if full.startswith(PREFIX):
        for file in (_ELSEWHERE.get(name.partition(".")[0]), "words"):
            if file is not None:
                import_module(f"weft.codegen.nvvm.intrinsics_{file}")
        for pattern, select in reversed(FAMILIES):  # Those of the other files are the narrower ones.
            match = pattern.fullmatch(name)
            if match is not None:
                select(s, op, match)
                return
    raise compile_error(op, f"weft does not know the intrinsic '{full}'")


def direct(s: Selector, op: Any, code: Opcode) -> None:
    """One instruction that takes and gives what the intrinsic does; words of 16 bits are in registers of that width."""
    given = [narrow(s, value) if str(value.type) == "i16" else operand(s, value) for value in op.operands]
    if not op.results:
        s.emit(code, *given)
        return
    short = str(op.results[0].type) == "i16"
    outs = (s.value(B16),) if short else outputs(s, op)
    s.emit(code, *outs, *given, outs=outs)
    if short:
        bind_narrow(s, op, outs[0])


def narrow(s: Selector, value: Any) -> Any:
    """An integer of 16 bits in a register of 16, or a number."""
    word = s.int(value)
    return word.const if word.is_const else s.pure(opcode("cvt", type="u16", atype="u32"), B16, s.int_value(word))


def bind_narrow(s: Selector, op: Any, value: Value) -> None:
    """Bind the result to a register of 16 bits."""
    s.values[op.results[0]] = linear.of(s.pure(opcode("cvt", type="u32", atype="u16"), B32, value, lo=0, hi=0xFFFF))


def number(op: Any, value: Any) -> int:
    """An operand that has to be a constant."""
    attribute = getattr(value.owner, "properties", {}).get("value")
    found = getattr(getattr(attribute, "value", None), "data", None)
    if not isinstance(found, int):
        raise compile_error(op, f"'{op.properties['intrin'].data}' takes a constant here")
    return found


def operand(s: Selector, value: Any) -> Any:
    """A value as an operand."""
    kind = layout(value.type).scalars[0]
    if kind.kind == "test":
        return s.register(s.test(value), PRED)
    if kind.kind == "int":
        return s.operand(s.int(value))
    return s.as_register(s.flatten(s.get(value))[0], kind.cls)


def destination(outs: tuple[Value, ...]) -> Value | PairOut:
    """A result, or one with a predicate beside it."""
    first, *rest = outs
    return PairOut(first, rest[0]) if rest else first


def place_of(s: Selector, value: Any) -> tuple[Addr, str]:
    """A pointer as a place in memory, and its state space."""
    space = pointer_space(value.type)
    pointer = s.int(value)
    return s.address(pointer if space else generic(s, pointer)), space


# -- the warp and the block -----------------------------------------------------------------------------------------


@family(r"shfl\.sync\.(up|down|bfly|idx)\.[if]32(p?)")
def _shuffle(s: Selector, op: Any, name: re.Match[str]) -> None:
    mask, value, *rest = op.operands
    outs = outputs(s, op)
    source = s.as_register(s.flatten(s.get(value))[0], B32)
    operands = [*(operand(s, x) for x in rest), operand(s, mask)]
    to = destination(outs)
    s.emit(opcode("shfl", mode=name[1], type="b32"), to, source, *operands, outs=outs)


@family(r"vote\.(all|any|uni|ballot)\.sync")
def _vote(s: Selector, op: Any, name: re.Match[str]) -> None:
    mask, test = op.operands
    outs = outputs(s, op)
    type_ = "b32" if name[1] == "ballot" else "pred"
    s.emit(opcode("vote", mode=name[1], type=type_), *outs, operand(s, test), operand(s, mask), outs=outs)


@family(r"match\.(any|all)\.sync\.i(32|64)p?")
def _match(s: Selector, op: Any, name: re.Match[str]) -> None:
    mask, value = op.operands
    outs = outputs(s, op)
    source = s.int_value(s.int(value))
    to = destination(outs)
    s.emit(opcode("match", mode=name[1], type=f"b{name[2]}"), to, source, operand(s, mask), outs=outs)


@family(r"elect\.sync")
def _elect(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    s.emit(opcode("elect.sync"), destination(outs), operand(s, op.operands[0]), outs=outs)


@family(r"redux\.sync\.(u?)(min|max|add|and|or|xor)")
def _redux(s: Selector, op: Any, name: re.Match[str]) -> None:
    type_ = "b32" if name[2] in ("and", "or", "xor") else "u32" if name[1] else "s32"
    outs = outputs(s, op)
    value, mask = op.operands
    s.emit(opcode("redux", op=name[2], type=type_), *outs, s.int_value(s.int(value)), operand(s, mask), outs=outs)


@family(r"barrier\.cta\.red\.(popc|and|or)(\.aligned)?\.(?:all|count)")
def _reduce(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    type_ = "u32" if name[1] == "popc" else "pred"
    code = opcode("bar" if name[2] else "barrier", action="red", op=name[1], type=type_)
    s.emit(code, *outs, *(operand(s, value) for value in op.operands), outs=outs)


# -- registers ------------------------------------------------------------------------------------------------------


@family(r"lohi\.i2d")
def _joined(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    s.emit(opcode("mov", type="b64"), *outs, tuple(s.int_value(s.int(value)) for value in op.operands), outs=outs)


@family(r"d2i\.(lo|hi)")
def _half(s: Selector, op: Any, name: re.Match[str]) -> None:
    halves = (s.value(B32), s.value(B32))
    s.emit(opcode("mov", type="b64"), halves, operand(s, op.operands[0]), outs=halves)
    s.values[op.results[0]] = linear.of(halves[name[1] == "hi"])


@family(r"move\.\w+(\.p\d)*")
def _same(s: Selector, op: Any, name: re.Match[str]) -> None:
    s.values[op.results[0]] = s.get(op.operands[0])


# -- memory ---------------------------------------------------------------------------------------------------------


@family(r"isspacep\.(const|global|local|shared|shared\.cluster)")
def _in_space(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    space = name[1].replace("shared.", "shared::")
    s.emit(opcode("isspacep", ss=space), *outs, s.int_value(generic(s, s.int(op.operands[0]))), outs=outs)


@family(r"ldu\.global\.[ifp]\..*")
def _uniform_load(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    place, _ = place_of(s, op.operands[0])
    kind = layout(op.results[0].type).scalars[0]
    vector = f"v{len(outs)}" if len(outs) > 1 else ""
    code = opcode("ldu", ss="global", vec=vector, type=memory_type(kind))
    s.read(code, outs if vector else destination(outs), place, outs=outs)


@family(r"atomic\.(add|exch|max|min|inc|dec|and|or|xor|cas)\.gen\.([if])\.(cta|sys)\..*")
def _atomic(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    width = layout(op.results[0].type).scalars[0].width
    letter = "b" if name[1] in ("exch", "and", "or", "xor", "cas") else "f" if name[2] == "f" else "u"
    if name[1] in ("max", "min"):
        letter = "s"
    place, space = place_of(s, op.operands[0])
    values = [operand(s, value) for value in op.operands[1:]]
    code = opcode("atom", scope=name[3], ss=space, op=name[1], type=f"{letter}{width}")
    s.emit(code, *outs, place, *values, outs=outs)


@family(r"cp\.async\.(ca|cg)\.shared\.global\.(4|8|16)(\.s)?")
def _copy(s: Selector, op: Any, name: re.Match[str]) -> None:
    (to, _), (source, _) = (place_of(s, value) for value in op.operands[:2])
    size = [operand(s, value) for value in op.operands[2:]]
    s.emit(opcode("cp.async", cop=name[1], dst="shared", src="global"), to, source, int(name[2]), *size)


@family(r"mbarrier\.(init|inval|arrive|arrive\.drop|arrive\.noComplete|arrive\.drop\.noComplete|test\.wait)(\.shared)?")
def _barrier(s: Selector, op: Any, name: re.Match[str]) -> None:
    action, _, without = name[1].replace("arrive.drop", "arrive_drop").replace("test.wait", "test_wait").partition(".")
    place, space = place_of(s, op.operands[0])
    outs = outputs(s, op) if op.results else ()
    rest = [operand(s, value) for value in op.operands[1:]]
    s.emit(opcode(f"mbarrier.{action}", noComplete=bool(without), ss=space, type="b64"), *outs, place, *rest, outs=outs)


# -- matrices -------------------------------------------------------------------------------------------------------


@family(r"ldmatrix\.sync\.aligned\.(\w+)\.(x\d)(\.trans)?\.(b\w+)\.p\d")
def _load_matrix(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    place, space = place_of(s, op.operands[0])
    code = opcode("ldmatrix", shape=name[1], num=name[2], trans=bool(name[3]), ss=space, type=name[4])
    s.read(code, outs, place, outs=outs)


@family(r"wmma\.(\w+)\.load\.([abc])\.(row|col)(?:\.stride)?\.(\w+)\.p\d")
def _load_fragment(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    place, space = place_of(s, op.operands[0])
    stride = [operand(s, value) for value in op.operands[1:]]
    text = opcode("wmma.load", matrix=name[2], layout=name[3], shape=name[1], ss=space, type=name[4])
    s.read(text, outs, place, *stride, outs=outs)


@family(r"wmma\.(\w+)\.store\.d\.(row|col)(\.stride)?\.(\w+)\.p\d")
def _store_fragment(s: Selector, op: Any, name: re.Match[str]) -> None:
    place, space = place_of(s, op.operands[0])
    values = list(op.operands[1:])
    stride = [operand(s, values.pop())] if name[3] else []
    text = opcode("wmma.store", matrix="d", layout=name[2], shape=name[1], ss=space, type=name[4])
    s.emit(text, place, registers(s, values), *stride)


@family(r"(wmma\.|)(mma\.)?(m\d+n\d+k\d+)\.(mma\.)?(row|col)\.(row|col)(\.satfinite)?\.([\w.]+?)(\.satfinite)?")
def _product(s: Selector, op: Any, name: re.Match[str]) -> None:
    types = name[8].split(".")
    if types[0] in ("f16", "f32") and len(types) == 2 and set(types) <= {"f16", "f32"}:
        elements = {"dtype": types[0], "ctype": types[1]}
        if not name[1]:  # `wmma` does not say it.
            elements |= {"atype": "f16", "btype": "f16"}
    else:
        factor, other = types[0], types[-1]
        total = "s32" if factor[0] in "su" or factor == "b1" else "f64" if factor == "f64" else "f32"
        elements = {"dtype": total, "atype": factor, "btype": other, "ctype": total}
    layouts = {"alayout": name[5], "blayout": name[6]}
    stem, finite = "wmma.mma" if name[1] else "mma", bool(name[7] or name[9])
    read_product(s, op, opcode(stem, shape=name[3], **layouts, satfinite=finite, **elements))
