"""Intrinsics of LLVM that are one instruction, spelled as it is: words, small floats, fences; operands by number.

A rule is the name of an intrinsic and the spelling of the opcode, where `<name>` stands for the same in both.
"""

from __future__ import annotations

import re
from typing import Any

from weft.codegen.asm import append
from weft.codegen.graph import B16
from weft.codegen.nvvm.fragments import outputs, registers
from weft.codegen.nvvm.intrinsics import bind_narrow, destination, direct, family, narrow, number, operand, place_of
from weft.codegen.selector import Selector
from weft.isa import Opcode, decode, opcode
from weft.ptx.operands import Register

_ALTERNATIVES = {
    "rnd": "rn|rz|rp", "round": "rn|rz|rs", "ftz": r"(?:\.ftz)?", "sat": r"(?:\.sat)?", "relu": r"(?:\.relu)?",
    "nan": r"(?:\.NaN)?", "finite": r"(?:\.satfinite)?", "small": "e2m1|e2m3|e3m2|e4m3|e5m2", "fp8": "e4m3|e5m2",
    "way": "wrap|clamp", "abs": r"(?:\.abs)?", "scope": "cta|cluster|gpu|sys",
}  # fmt: skip
"""What may stand for `<name>` in a rule."""

_RULES: tuple[tuple[str, str], ...] = (
    *((f"fma.rn<ftz><sat><relu>.{t}", f"fma.rn<ftz><sat><relu>.{t}") for t in ("f16", "bf16")),
    ("bmsk.<way>", "bmsk.<way>.b32"),
    ("sext.<way>", "szext.<way>.s32"),
    ("zext.<way>", "szext.<way>.u32"),
    ("lg2.approx.d", "lg2.approx.f64"),
    ("sad.s", "sad.s16"),
    ("sad.us", "sad.u16"),
    ("mulhi.s", "mul.hi.s16"),
    ("mulhi.us", "mul.hi.u16"),
    *((f"prmt.{mode}", f"prmt.b32.{mode}") for mode in ("f4e", "b4e")),
    ("redux.sync.fmin<abs><nan>", "redux.sync.min<abs><nan>.f32"),
    ("redux.sync.fmax<abs><nan>", "redux.sync.max<abs><nan>.f32"),
    ("vote.all", "vote.all.pred"),
    ("vote.any", "vote.any.pred"),
    ("vote.uni", "vote.uni.pred"),
    ("vote.ballot", "vote.ballot.b32"),
    ("f2bf16.<rnd><relu><finite>", "cvt.<rnd><relu><finite>.bf16.f32"),
    ("f2f16.<rnd><relu><finite>", "cvt.<rnd><relu><finite>.f16.f32"),
    ("f2h.rn<ftz>", "cvt.rn<ftz>.f16.f32"),
    ("f2tf32.<rnd><relu><finite>", "cvt.<rnd><relu><finite>.tf32.f32"),
    *((f"ff2{t}.<round><relu><finite>", f"cvt.<round><relu><finite>.{t}.f32") for t in ("f16x2", "bf16x2")),
    ("ff.to.<fp8>x2.rn<relu>", "cvt.rn.satfinite<relu>.<fp8>x2.f32"),
    ("ff.to.<small>x2.rn<relu>.satfinite", "cvt.rn.satfinite<relu>.<small>x2.f32"),
    ("ff.to.ue8m0x2.<rnd><finite>", "cvt.<rnd><finite>.ue8m0x2.f32"),
    ("bf16x2.to.ue8m0x2.<rnd><finite>", "cvt.<rnd><finite>.ue8m0x2.bf16x2"),
    ("ue8m0x2.to.bf16x2", "cvt.rn.bf16x2.ue8m0x2"),
    ("f16x2.to.<fp8>x2.rn<relu>", "cvt.rn.satfinite<relu>.<fp8>x2.f16x2"),
    ("<small>x2.to.f16x2.rn<relu>", "cvt.rn<relu>.f16x2.<small>x2"),
    ("griddepcontrol.wait", "griddepcontrol.wait"),
    ("griddepcontrol.launch.dependents", "griddepcontrol.launch_dependents"),
    ("setmaxnreg.inc.sync.aligned.u32", "setmaxnreg.inc.sync.aligned.u32"),
    ("setmaxnreg.dec.sync.aligned.u32", "setmaxnreg.dec.sync.aligned.u32"),
    ("pm.event.mask", "pmevent.mask"),
    ("istypep.sampler", "istypep.samplerref"),
    ("istypep.texture", "istypep.texref"),
    ("istypep.surface", "istypep.surfref"),
    ("fence.proxy.alias", "fence.proxy.alias"),
    ("fence.proxy.async", "fence.proxy.async"),
    ("fence.proxy.async.global", "fence.proxy.async.global"),
    ("fence.proxy.async.shared_cluster", "fence.proxy.async.shared::cluster"),
    ("fence.proxy.async.shared_cta", "fence.proxy.async.shared::cta"),
    ("fence.proxy.tensormap_generic.release.<scope>", "fence.proxy.tensormap::generic.release.<scope>"),
    ("fence.acquire.sync_restrict.space.cluster.scope.cluster", "fence.acquire.sync_restrict::shared::cluster.cluster"),
    ("fence.release.sync_restrict.space.cta.scope.cluster", "fence.release.sync_restrict::shared::cta.cluster"),
    (
        "fence.proxy.async_generic.acquire.sync_restrict.space.cluster.scope.cluster",
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
    ),
    (
        "fence.proxy.async_generic.release.sync_restrict.space.cta.scope.cluster",
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
    ),
    ("wgmma.fence.sync.aligned", "wgmma.fence.sync.aligned"),
    ("wgmma.commit_group.sync.aligned", "wgmma.commit_group.sync.aligned"),
    ("wgmma.wait_group.sync.aligned", "wgmma.wait_group.sync.aligned"),
    ("cp.async.bulk.commit.group", "cp.async.bulk.commit_group"),
    ("cp.async.bulk.wait.group", "cp.async.bulk.wait_group"),
    ("cp.async.bulk.wait.group.read", "cp.async.bulk.wait_group.read"),
)


def _rule(name: str, spelling: str) -> None:
    parts = re.split(r"<(\w+)>", name)
    pattern = "".join(
        re.escape(part) if index % 2 == 0 else f"(?P<{part}>{_ALTERNATIVES[part]})" for index, part in enumerate(parts)
    )

    @family(pattern)
    def select(s: Selector, op: Any, match: re.Match[str]) -> None:
        _direct(s, op, decode(re.sub(r"<(\w+)>", lambda group: match[group[1]], spelling)))


def _direct(s: Selector, op: Any, code: Opcode) -> None:
    if op.results and ".e2m1x2" in code.text:
        _nibbles(
            s, op, code, [narrow(s, value) if str(value.type) == "i16" else operand(s, value) for value in op.operands]
        )
    else:
        direct(s, op, code)


def _nibbles(s: Selector, op: Any, code: Opcode, given: list[Any]) -> None:
    """A conversion to or from two floats of 4 bits, which are a `.b8` register made of a wider one."""
    if str(op.results[0].type) == "i16":
        byte = s.value(B16)
        text = f"{{ .reg .b8 byte; {code} byte, $1, $2; cvt.u16.u8 $0, byte; }}"
        append(s, op, text, (byte,), *given)
        bind_narrow(s, op, byte)
    else:
        outs = outputs(s, op)
        append(s, op, f"{{ .reg .b8 byte; cvt.u8.u16 byte, $1; {code} $0, byte; }}", outs, *given)


for _name, _spelling in _RULES:
    _rule(_name, _spelling)


# -- operands by their numbers -------------------------------------------------------------------------------------

_PART = re.compile(r"\{d\}|d|\{(\d+)\.\.(-?\d*)\}|\[(\d+)\]|(-?\d+)|#(\d+)")


def row(pattern: str, spelling: str, shape: str, *, loads: bool = False) -> None:
    """Register intrinsics whose operands stand in the instruction as `shape` says.

    In it `d` is the result, `{d}` a result of several registers, `2` an operand (`-1` the last), `[2]` the place in
    memory it points to, `{2..}` a vector of those from 2 on (`{2..-1}` without the last), `#0` a number.  In the
    spelling `{1}` is the first group of the pattern; `{ss}` the space of the first place.  With `loads` the instruction
    may go when nothing reads its result.
    """

    @family(pattern)
    def select(s: Selector, op: Any, name: re.Match[str]) -> None:
        outs = outputs(s, op) if op.results else ()
        found: list[Any] = []
        space = ""
        for part in _PART.finditer(shape):
            if part[0] in ("d", "{d}"):
                found.append(outs if part[0] == "{d}" else destination(outs))
            elif part[1] is not None:
                found.append(registers(s, op.operands[int(part[1]) : int(part[2]) if part[2] else None]))
            elif part[3] is not None:
                place, space_ = place_of(s, op.operands[int(part[3])])
                space = space or (space_ and f".{space_}")
                found.append(place)
            elif part[4] is not None:
                found.append(operand(s, op.operands[int(part[4])]))
            else:
                found.append(int(part[5]))
        groups = [group or "" for group in name.groups()]
        code = decode(spelling.format(name[0], *groups, ss=space))
        inst = s.emit(code, *found, outs=outs)
        if loads:
            inst.effect = False


# -- words and small floats -----------------------------------------------------------------------------------------


@family(r"f32x4\.to\.(\w+)\.rs(\.relu)?\.satfinite")
def _narrowed(s: Selector, op: Any, name: re.Match[str]) -> None:
    vector, bits = op.operands
    four = name[1] == "e2m1x4"
    outs = (s.value(B16),) if four else outputs(s, op)
    code = decode(f"cvt.rs{name[2] or ''}.satfinite.{name[1]}.f32")
    s.emit(code, *outs, registers(s, [vector]), operand(s, bits), outs=outs)
    if four:
        bind_narrow(s, op, outs[0])


@family(r"(fabs|ex2\.approx)(\.ftz)?\.(?:v2)?(f16|bf16)")
def _pairs(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    stem = "abs" if name[1] == "fabs" else name[1]
    wide = "x2" if ".v2" in name[0] else ""
    s.emit(decode(f"{stem}{name[2] or ''}.{name[3]}{wide}"), *outs, operand(s, op.operands[0]), outs=outs)


@family(r"flo\.([su])\.i(32|64)")
def _leading(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    amount = ".shiftamt" if number(op, op.operands[1]) else ""
    s.emit(decode(f"bfind{amount}.{name[1]}{name[2]}"), *outs, operand(s, op.operands[0]), outs=outs)


@family(r"fsh([lr])\.clamp\.i32")
def _funnel(s: Selector, op: Any, name: re.Match[str]) -> None:
    high, low, by = (operand(s, value) for value in op.operands)
    outs = outputs(s, op)
    s.emit(decode(f"shf.{name[1]}.clamp.b32"), *outs, low, high, by, outs=outs)


@family(r"idp2a\.([su])\.([su])")
def _dot(s: Selector, op: Any, name: re.Match[str]) -> None:
    a, b, high, c = op.operands
    outs = outputs(s, op)
    part = "hi" if number(op, high) else "lo"
    s.emit(decode(f"dp2a.{part}.{name[1]}32.{name[2]}32"), *outs, *(operand(s, v) for v in (a, b, c)), outs=outs)


@family(r"prmt\.(ecl|ecr|rc8|rc16)")
def _permuted(s: Selector, op: Any, name: re.Match[str]) -> None:
    value, selector = (operand(s, v) for v in op.operands)
    outs = outputs(s, op)
    s.emit(decode(f"prmt.b32.{name[1]}"), *outs, value, 0, selector, outs=outs)


@family(r"read\.ptx\.sreg\.((?:cluster\.)?\w+)\.w|read\.ptx\.sreg\.(pm\d)|is_explicit_cluster")
def _special(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    register = f"%{name[1].replace('.', '_')}.w" if name[1] else f"%{name[2]}" if name[2] else "%is_explicit_cluster"
    code = opcode("mov", type="pred" if register == "%is_explicit_cluster" else "u32")
    s.read(code, *outs, Register(register), outs=outs)
