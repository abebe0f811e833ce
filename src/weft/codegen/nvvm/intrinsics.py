"""`llvm.call_intrinsic "llvm.nvvm.x"`: LLVM's intrinsics for NVIDIA's GPUs, by their names.

Most are one instruction whose opcode follows from the name; `intrinsics_rules.RULES` says how.  `mlir-translate
--import-llvm` leaves them so where the `nvvm` dialect has no operation of the same form.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.access import generic, memory_type
from weft.codegen.asm import append
from weft.codegen.graph import B16, B32, PRED, Addr, PairOut, Value
from weft.codegen.nvvm.fragments import half, outputs, read_product, registers
from weft.codegen.nvvm.intrinsics_rules import Rule, rule_of
from weft.codegen.selector import Selector, handles
from weft.codegen.sinking import FUNCTIONS
from weft.codegen.types import layout, pointer_space
from weft.dialects.narrow import text
from weft.isa import Opcode, opcode
from weft.mlir import compile_error

if TYPE_CHECKING:
    from weft.dialects import rows

PREFIX = "llvm.nvvm."

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
def select_intrinsic(s: Selector, op: rows.llvm.CallIntrinsicOp) -> None:
    """An intrinsic by its name."""
    full: str = op.intrin.data
    name = full.removeprefix(PREFIX)
    if full.startswith(PREFIX):
        known = rule_of(name)
        if known is not None:
            _by_rule(s, op, *known)
            return
        for file in (_ELSEWHERE.get(name.partition(".")[0]), "words"):
            if file is not None:
                import_module(f"weft.codegen.nvvm.intrinsics_{file}")
        for pattern, select in reversed(FAMILIES):  # Those of the other files are the narrower ones.
            match = pattern.fullmatch(name)
            if match is not None:
                select(s, op, match)
                return
    elif import_module("weft.codegen.ops.llvm_named").select_named(s, op):
        return
    raise compile_error(op, f"unknown intrinsic '{full}'")


_PART = re.compile(r"d|\{(\d+)\.\.(\d+)\}|\[(\d+)\]|(\d+)|#(\d+)")


def _by_rule(s: Selector, op: Operation, rule: Rule, found: dict[str, str]) -> None:
    """One instruction; words of 16 bits are in registers of that width."""
    if rule.order == "mma":
        read_product(s, op, rule.opcode(found))
        return
    short = s.value(B16) if op.results and str(op.results[0].type) == "i16" else None
    outs = (short,) if short is not None else outputs(s, op) if op.results else ()
    if rule.order:
        given, found["ss"] = _arranged(s, op, rule.order, outs)
    else:
        given = [*outs, *(_given(s, value) for value in op.operands)]
    code = rule.opcode(found)
    if outs and "e2m1x2" in (code.get("type"), code.get("atype")):
        _nibbles(s, op, code, outs, given[1:])
    elif len(outs) == 1 and short is None and not rule.order and code.stem in FUNCTIONS:
        (kind,) = layout(op.results[0].type).scalars
        s.values[op.results[0]] = s.wrapped(s.pure(code, outs[0].cls, *given[1:]), kind)
    else:
        s.emit(code, *given, outs=outs)
    if short is not None:
        bind_narrow(s, op, short)


def _given(s: Selector, value: Any) -> Any:
    return half(s, value) if str(value.type) == "i16" else operand(s, value)


def _arranged(s: Selector, op: Operation, order: str, outs: tuple[Value, ...]) -> tuple[list[Any], str]:
    """The operands in an order as rules have it, and the state space of the first place in memory."""
    found: list[Any] = []
    space = ""
    for part in _PART.finditer(order):
        first, last, place, index, literal = part.groups()
        if part[0] == "d":
            found.append(destination(outs))
        elif first is not None:
            found.append(registers(s, op.operands[int(first) : int(last)]))
        elif place is not None:
            address, its = place_of(s, op.operands[int(place)])
            space = space or its
            found.append(address)
        else:
            found.append(_given(s, op.operands[int(index)]) if literal is None else int(literal))
    return found, space


def _nibbles(s: Selector, op: Operation, code: Opcode, outs: tuple[Value, ...], given: list[Any]) -> None:
    """A conversion to or from two floats of 4 bits, which are a `.b8` register made of a wider one."""
    if code.get("type") == "e2m1x2":
        append(s, op, f"{{ .reg .b8 byte; {code} byte, $1, $2; cvt.u16.u8 $0, byte; }}", outs, *given)
    else:
        append(s, op, f"{{ .reg .b8 byte; cvt.u8.u16 byte, $1; {code} $0, byte; }}", outs, *given)


def bind_narrow(s: Selector, op: Operation, value: Value) -> None:
    """Bind the result to a register of 16 bits."""
    s.values[op.results[0]] = linear.of(s.pure(opcode("cvt", type="u32", atype="u16"), B32, value, lo=0, hi=0xFFFF))


def number(op: Operation, value: Any) -> int:
    """An operand that has to be a constant."""
    attribute = getattr(value.owner, "properties", {}).get("value")
    found = getattr(getattr(attribute, "value", None), "data", None)
    if not isinstance(found, int):
        raise compile_error(op, f"this operand of '{text(op.properties['intrin'])}' must be a constant")
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
def _shuffle(s: Selector, op: Operation, name: re.Match[str]) -> None:
    mask, value, *rest = op.operands
    outs = outputs(s, op)
    source = s.as_register(s.flatten(s.get(value))[0], B32)
    operands = [*(operand(s, x) for x in rest), operand(s, mask)]
    to = destination(outs)
    s.emit(opcode("shfl", mode=name[1], type="b32"), to, source, *operands, outs=outs)


@family(r"match\.(any|all)\.sync\.i(32|64)p?")
def _match(s: Selector, op: Operation, name: re.Match[str]) -> None:
    mask, value = op.operands
    outs = outputs(s, op)
    source = s.int_value(s.int(value))
    to = destination(outs)
    s.emit(opcode("match", mode=name[1], type=f"b{name[2]}"), to, source, operand(s, mask), outs=outs)


@family(r"redux\.sync\.(u?)(min|max|add|and|or|xor)")
def _redux(s: Selector, op: Operation, name: re.Match[str]) -> None:
    type_ = "b32" if name[2] in ("and", "or", "xor") else "u32" if name[1] else "s32"
    outs = outputs(s, op)
    value, mask = op.operands
    s.emit(opcode("redux", op=name[2], type=type_), *outs, s.int_value(s.int(value)), operand(s, mask), outs=outs)


@family(r"barrier\.cta\.red\.(popc|and|or)(\.aligned)?\.(?:all|count)")
def _reduce(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    type_ = "u32" if name[1] == "popc" else "pred"
    code = opcode("bar" if name[2] else "barrier", action="red", op=name[1], type=type_)
    s.emit(code, *outs, *(operand(s, value) for value in op.operands), outs=outs)


# -- registers ------------------------------------------------------------------------------------------------------


@family(r"lohi\.i2d")
def _joined(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    s.emit(opcode("mov", type="b64"), *outs, tuple(s.int_value(s.int(value)) for value in op.operands), outs=outs)


@family(r"d2i\.(lo|hi)")
def _half(s: Selector, op: Operation, name: re.Match[str]) -> None:
    halves = (s.value(B32), s.value(B32))
    s.emit(opcode("mov", type="b64"), halves, operand(s, op.operands[0]), outs=halves)
    s.values[op.results[0]] = linear.of(halves[name[1] == "hi"])


@family(r"move\.\w+(\.p\d)*")
def _same(s: Selector, op: Operation, name: re.Match[str]) -> None:
    s.values[op.results[0]] = s.get(op.operands[0])


# -- memory ---------------------------------------------------------------------------------------------------------


@family(r"isspacep\.(const|global|local|shared|shared\.cluster)")
def _in_space(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    space = name[1].replace("shared.", "shared::")
    s.emit(opcode("isspacep", ss=space), *outs, s.int_value(generic(s, s.int(op.operands[0]))), outs=outs)


@family(r"ldu\.global\.[ifp]\..*")
def _uniform_load(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    place, _ = place_of(s, op.operands[0])
    kind = layout(op.results[0].type).scalars[0]
    vector = f"v{len(outs)}" if len(outs) > 1 else ""
    code = opcode("ldu", ss="global", vec=vector, type=memory_type(kind))
    s.read(code, outs if vector else destination(outs), place, outs=outs)


@family(r"atomic\.(add|exch|max|min|inc|dec|and|or|xor|cas)\.gen\.([if])\.(cta|sys)\..*")
def _atomic(s: Selector, op: Operation, name: re.Match[str]) -> None:
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
def _copy(s: Selector, op: Operation, name: re.Match[str]) -> None:
    (to, _), (source, _) = (place_of(s, value) for value in op.operands[:2])
    size = [operand(s, value) for value in op.operands[2:]]
    s.emit(opcode("cp.async", cop=name[1], dst="shared", src="global"), to, source, int(name[2]), *size)


@family(r"mbarrier\.(init|inval|arrive|arrive\.drop|arrive\.noComplete|arrive\.drop\.noComplete|test\.wait)(\.shared)?")
def _barrier(s: Selector, op: Operation, name: re.Match[str]) -> None:
    action, _, without = name[1].replace("arrive.drop", "arrive_drop").replace("test.wait", "test_wait").partition(".")
    place, space = place_of(s, op.operands[0])
    outs = outputs(s, op) if op.results else ()
    rest = [operand(s, value) for value in op.operands[1:]]
    s.emit(opcode(f"mbarrier.{action}", noComplete=bool(without), ss=space, type="b64"), *outs, place, *rest, outs=outs)


# -- matrices -------------------------------------------------------------------------------------------------------


@family(r"ldmatrix\.sync\.aligned\.(\w+)\.(x\d)(\.trans)?\.(b\w+)\.p\d")
def _load_matrix(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    place, space = place_of(s, op.operands[0])
    code = opcode("ldmatrix", shape=name[1], num=name[2], trans=bool(name[3]), ss=space, type=name[4])
    s.read(code, outs, place, outs=outs)


@family(r"wmma\.(\w+)\.load\.([abc])\.(row|col)(?:\.stride)?\.(\w+)\.p\d")
def _load_fragment(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    place, space = place_of(s, op.operands[0])
    stride = [operand(s, value) for value in op.operands[1:]]
    text = opcode("wmma.load", matrix=name[2], layout=name[3], shape=name[1], ss=space, type=name[4])
    s.read(text, outs, place, *stride, outs=outs)


@family(r"wmma\.(\w+)\.store\.d\.(row|col)(\.stride)?\.(\w+)\.p\d")
def _store_fragment(s: Selector, op: Operation, name: re.Match[str]) -> None:
    place, space = place_of(s, op.operands[0])
    values = list(op.operands[1:])
    stride = [operand(s, values.pop())] if name[3] else []
    text = opcode("wmma.store", matrix="d", layout=name[2], shape=name[1], ss=space, type=name[4])
    s.emit(text, place, registers(s, values), *stride)
