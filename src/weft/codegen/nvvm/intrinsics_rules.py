"""Which instruction an intrinsic of LLVM's is: rules from names to opcodes, by slots, and to orders of operands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import cycle
from typing import NamedTuple

from weft.isa import Opcode, opcode

RULES = r"""
<op:add|mul|fma|div>.<rnd><.ftz><.sat>.<F>  <op> rnd=<rnd> ftz=<ftz> sat=<sat> type=<F>
<op:rcp|sqrt>.<rnd><.ftz>.<F>               <op> rnd=<rnd> ftz=<ftz> type=<F>
<op:rcp|sqrt|rsqrt|div>.approx<.ftz>.<F>    <op> rnd=approx ftz=<ftz> type=<F>
<op:lg2|sin|cos>.approx<.ftz>.<F>           <op> ftz=<ftz> type=<F>
div.full<.ftz>                              div rnd=full ftz=<ftz> type=f32
sqrt.f                                      sqrt rnd=rn type=f32
ex2.approx<.ftz>.<X>                        ex2 ftz=<ftz> type=<X>
ex2.approx<.ftz>.v2<half>                   ex2 ftz=<ftz> type=<half>x2
tanh.approx.<X>                             tanh type=<X>
f<op:min|max><.ftz><.nan><.xorsign.abs>.<F> <op> ftz=<ftz> NaN=<nan>? xorsign=<xorsign>? abs=<xorsign>? type=<F>
f<op:min|max><.ftz><.nan><.xorsign.abs>.<H> <op> ftz=<ftz> NaN=<nan>? xorsign=<xorsign>? abs=<xorsign>? type=<H>
fma.rn<.ftz><.sat><.relu>.<H>               fma rnd=rn ftz=<ftz> sat=<sat> relu=<relu> type=<H>
fabs<.ftz>.<X>                              abs ftz=<ftz> type=<X>
fabs<.ftz>.v2<half>                         abs ftz=<ftz> type=<half>x2
neg.<H>                                     neg type=<H>
<toward><.ftz>.<F>                          cvt rnd=<toward> ftz=<ftz> type=<F> atype=<F>
saturate<.ftz>.<F>                          cvt sat=sat ftz=<ftz> type=<F> atype=<F>
mulhi.<I>                                   mul mode=hi type=<I>
mul24.<I>                                   mul24 mode=lo type=<I>
sad.<I>                                     sad type=<I>
prmt                                        prmt type=b32
prmt.<mode:f4e|b4e>                         prmt type=b32 mode=<mode>
prmt.<mode:ecl|ecr|rc8|rc16>     (d,0,#0,1) prmt type=b32 mode=<mode>
fsh<dir:l|r>.clamp.i32            (d,1,0,2) shf dir=<dir> mode=clamp type=b32
idp4a.<a:s|u>.<b:s|u>                       dp4a atype=<a>32 btype=<b>32
fns                                         fns type=b32
bmsk.<mode:wrap|clamp>                      bmsk mode=<mode> type=b32
<type:s|z>ext.<mode:wrap|clamp>             szext mode=<mode> type=<type>

d2f.<rnd><.ftz>                             cvt rnd=<rnd> ftz=<ftz> type=f32 atype=f64
d2<J>.<rnd>                                 cvt rnd=<rnd>i type=<J> atype=f64
f2<J>.<rnd><.ftz>                           cvt rnd=<rnd>i ftz=<ftz> type=<J> atype=f32
<J>2<F>.<rnd>                               cvt rnd=<rnd> type=<F> atype=<J>
f2h.rn<.ftz>                                cvt rnd=rn ftz=<ftz> type=f16 atype=f32
f2<type:bf16|f16|tf32>.<rnd:rn|rz|rna><.relu><.satfinite> cvt rnd=<rnd> relu=<relu> satfinite=<satfinite> type=<type> atype=f32
ff2<half>x2.<rnd:rn|rz|rs><.relu><.satfinite> cvt rnd=<rnd> relu=<relu> satfinite=<satfinite> type=<half>x2 atype=f32
ff.to.<small>x2.rn<.relu><.satfinite>       cvt rnd=rn satfinite=satfinite relu=<relu> type=<small>x2 atype=f32
ff.to.ue8m0x2.<rnd><.satfinite>             cvt rnd=<rnd> satfinite=<satfinite> type=ue8m0x2 atype=f32
bf16x2.to.ue8m0x2.<rnd><.satfinite>         cvt rnd=<rnd> satfinite=<satfinite> type=ue8m0x2 atype=bf16x2
ue8m0x2.to.bf16x2                           cvt rnd=rn type=bf16x2 atype=ue8m0x2
f16x2.to.<small>x2.rn<.relu>                cvt rnd=rn satfinite=satfinite relu=<relu> type=<small>x2 atype=f16x2
<small>x2.to.f16x2.rn<.relu>                cvt rnd=rn relu=<relu> type=f16x2 atype=<small>x2
f32x4.to.<small>x4.rs<.relu>.satfinite (d,{0..1},1) cvt rnd=rs relu=<relu> satfinite=satfinite type=<small>x4 atype=f32

vote.<mode:all|any|uni>.sync        (d,1,0) vote mode=<mode> type=pred
vote.ballot.sync                    (d,1,0) vote mode=ballot type=b32
elect.sync                            (d,0) elect.sync
redux.sync.f<op:min|max><.abs><.NaN>        redux op=<op> abs=<abs> NaN=<NaN> type=f32
activemask                                  activemask type=b32
bar.warp.sync                               bar.warp.sync
barrier.cta.sync.aligned.<many>             bar action=sync
barrier.cta.sync.<many>                     barrier action=sync
barrier.cta.arrive.aligned.count            bar action=arrive
barrier.cta.arrive.count                    barrier action=arrive
barrier.cluster.arrive<.relaxed><.aligned>  barrier.cluster action=arrive sem=<relaxed> aligned=<aligned>
barrier.cluster.wait<.aligned>              barrier.cluster action=wait aligned=<aligned>
exit                                        exit
nanosleep                                   nanosleep type=u32
pm.event.mask                               pmevent mask=mask
griddepcontrol.wait                         griddepcontrol action=wait
griddepcontrol.launch.dependents            griddepcontrol action=launch_dependents
setmaxnreg.<action:inc|dec>.sync.aligned.u32 setmaxnreg action=<action> type=u32
istypep.sampler                             istypep type=samplerref
istypep.texture                             istypep type=texref
istypep.surface                             istypep type=surfref

membar.<level:cta|gl|sys>                   membar level=<level>
fence.sc.cluster                            fence sem=sc scope=cluster
fence.mbarrier_init.release.cluster         fence op_restrict=mbarrier_init sem=release scope=cluster
fence.proxy.<kind:alias|async>              fence.proxy proxykind=<kind>
fence.proxy.async.global                    fence.proxy proxykind=async ss=global
fence.proxy.async.shared_<which:cta|cluster> fence.proxy proxykind=async ss=shared::<which>
fence.proxy.tensormap_generic.release.<scope> fence.proxy proxykind=tensormap::generic sem=release scope=<scope>
fence.proxy.tensormap_generic.acquire.<scope> ([0],1) fence.proxy proxykind=tensormap::generic sem=acquire scope=<scope>
fence.<sem>.sync_restrict.space.<which>.scope.cluster fence sem=<sem> sync_restrict=sync_restrict::shared::<which> scope=cluster
fence.proxy.async_generic.<sem>.sync_restrict.space.<which>.scope.cluster fence.proxy proxykind=async::generic sem=<sem> sync_restrict=sync_restrict::shared::<which> scope=cluster

cp.async.commit.group                       cp.async.commit_group
cp.async.wait.group                         cp.async.wait_group
cp.async.wait.all                           cp.async.wait_all
cp.async.mbarrier.arrive<.noinc><.shared> ([0]) cp.async.mbarrier.arrive noinc=<noinc> ss=<ss> type=b64
cp.async.bulk.commit.group                  cp.async.bulk.commit_group
cp.async.bulk.wait.group<.read>             cp.async.bulk.wait_group read=<read>
mbarrier.pending.count                      mbarrier.pending_count type=b64
prefetch.tensormap.p<which:0|4|101>   ([0]) prefetch ss=<ss> tensormap=tensormap
prefetch<space:.global|.local|>.<level:L1|L2> ([0]) prefetch ss=<ss> level=<level>
prefetch.global.L2.evict.<how:last|normal> ([0]) prefetch ss=global level=L2::evict_<how>
prefetchu.L1                          ([0]) prefetchu level=L1
applypriority<.global>.L2.evict.normal ([0],1) applypriority ss=<ss> level=L2::evict_normal
discard<.global>.L2                 ([0],1) discard ss=<ss> level=L2
st.bulk                           ([0],1,2) st.bulk
st.bulk.shared.cta                ([0],1,2) st.bulk ss=shared::cta
clusterlaunchcontrol.try_cancel.async<.multicast>.shared ([0],[1]) clusterlaunchcontrol.try_cancel ss=shared::cta completion_mechanism=mbarrier::complete_tx::bytes multicast=<multicast>? type=b128

wgmma.<what:fence|commit_group|wait_group>.sync.aligned wgmma.<what>
mma.<bitop:and|xor>.popc.<shape>.row.col.b1 (mma) mma shape=<shape> alayout=row blayout=col bitop=<bitop> dtype=s32 atype=b1 btype=b1 ctype=s32
mma.<shape>.row.col.<half:f16|f32>.<a>.<b>.<c:f16|f32> (mma) mma shape=<shape> alayout=row blayout=col dtype=<half> atype=<a> btype=<b> ctype=<c>
mma.<shape>.row.col.kind.<kind>.<half:f16|f32>.<a>.<b>.<c:f16|f32> (mma) mma shape=<shape> alayout=row blayout=col kind=kind::<kind> dtype=<half> atype=<a> btype=<b> ctype=<c>
wmma.<shape>.mma.<bitop:and|xor>.popc.row.col.b1 (mma) wmma.mma shape=<shape> alayout=row blayout=col bitop=<bitop> dtype=s32 atype=b1 btype=b1 ctype=s32
wmma.<shape>.mma.<m:row|col>.<n:row|col>.<rnd>.f64 (mma) wmma.mma shape=<shape> alayout=<m> blayout=<n> rnd=<rnd> dtype=f64 atype=f64 btype=f64 ctype=f64
wmma.<shape>.mma.<m:row|col>.<n:row|col>.<half:f16|f32>.<c:f16|f32><.satfinite> (mma) wmma.mma shape=<shape> alayout=<m> blayout=<n> dtype=<half> ctype=<c> satfinite=<satfinite>
mma.<shape>.<m:row|col>.<n:row|col>.<half:f16|f32>.<c:f16|f32> (mma) mma shape=<shape> alayout=<m> blayout=<n> dtype=<half> atype=f16 btype=f16 ctype=<c>
mma.<shape>.row.col.<a:bf16|tf32> (mma) mma shape=<shape> alayout=row blayout=col dtype=f32 atype=<a> btype=<a> ctype=f32
mma.<shape>.row.col.f64 (mma) mma shape=<shape> alayout=row blayout=col dtype=f64 atype=f64 btype=f64 ctype=f64
mma.<shape>.row.col<.satfinite>.<a:[su]\d> (mma) mma shape=<shape> alayout=row blayout=col satfinite=<satfinite> dtype=s32 atype=<a> btype=<a> ctype=s32
mma.<shape>.row.col<.satfinite>.<a:[su]\d>.<b:[su]\d> (mma) mma shape=<shape> alayout=row blayout=col satfinite=<satfinite> dtype=s32 atype=<a> btype=<b> ctype=s32
wmma.<shape>.mma.<m:row|col>.<n:row|col>.<a:bf16|tf32> (mma) wmma.mma shape=<shape> alayout=<m> blayout=<n> dtype=f32 atype=<a> btype=<a> ctype=f32
wmma.<shape>.mma.<m:row|col>.<n:row|col>.f64 (mma) wmma.mma shape=<shape> alayout=<m> blayout=<n> dtype=f64 atype=f64 btype=f64 ctype=f64
wmma.<shape>.mma.<m:row|col>.<n:row|col>.<a:[su]\d><.satfinite> (mma) wmma.mma shape=<shape> alayout=<m> blayout=<n> satfinite=<satfinite> dtype=s32 atype=<a> btype=<a> ctype=s32

tcgen05.alloc.cg<n>                 ([0],1) tcgen05.alloc cta_group=cta_group::<n> type=b32
tcgen05.alloc.shared.cg<n>          ([0],1) tcgen05.alloc cta_group=cta_group::<n> ss=shared::cta type=b32
tcgen05.relinq.alloc.permit.cg<n>           tcgen05.relinquish_alloc_permit cta_group=cta_group::<n>
tcgen05.fence.<when:before|after>.thread.sync tcgen05.fence::<when>_thread_sync
tcgen05.wait.<what:ld|st>                   tcgen05.wait::<what>
tcgen05.commit<.shared>.cg<n>         ([0]) tcgen05.commit cta_group=cta_group::<n> completion=mbarrier::arrive::one ss=shared::cluster type=b64
tcgen05.commit.mc<.shared>.cg<n>    ([0],1) tcgen05.commit cta_group=cta_group::<n> completion=mbarrier::arrive::one ss=shared::cluster multicast=multicast::cluster type=b64
"""  # noqa: E501
"""A line a rule: the name of an intrinsic, the order of its operands in the instruction, and that: a stem and slots.

`<name>` in the name of the intrinsic is one of `_ALTERNATIVES`, or of those that are there (`<name:this|that>`);
`<.name>` what may be left out.  In a slot `<name>` is what stood there, `<name>?` whether anything did; `<ss>` is the
state space of the first place in memory.

The order is that of the intrinsic, the result in front, unless it is given: `d` is the result, `2` an operand, `[2]`
the place in memory it points to, `{0..1}` a vector of those from 0 to 1, without the latter, `#0` a number; `mma` is a
product of matrices.
"""

_ALTERNATIVES = {
    "rnd": "rn|rz|rm|rp", "F": "f|d", "I": "us|s|ui|i|ull|ll", "J": "ui|i|ull|ll", "H": "f16x2|bf16x2|f16|bf16",
    "X": "f16x2|f16|f32|f64|bf16x2|bf16", "half": "f16|bf16", "toward": "floor|ceil|round|trunc", "many": "all|count",
    "small": "e2m1|e2m3|e3m2|e4m3|e5m2", "scope": "cta|cluster|gpu|sys", "sem": "acquire|release",
    "which": "cta|cluster", "shape": r"m\d+n\d+k\d+", "a": r"\w+", "b": r"\w+", "kind": r"\w+", "n": "1|2",
}  # fmt: skip
_INTEGERS = {"us": "u16", "s": "s16", "ui": "u32", "i": "s32", "ull": "u64", "ll": "s64"}
_SPELLED = {
    "F": {"f": "f32", "d": "f64"}, "I": _INTEGERS, "J": _INTEGERS, "type": {"s": "s32", "z": "u32"},
    "toward": {"floor": "rmi", "ceil": "rpi", "round": "rni", "trunc": "rzi"},
}  # fmt: skip
"""How an opcode spells what a name has."""


class Rule(NamedTuple):
    """A line of the table."""

    name: str
    order: str
    stem: str
    slots: Mapping[str, str]

    def opcode(self, found: Mapping[str, str]) -> Opcode:
        """The opcode, with what is in a name; raises IsaError where no target has it."""
        return opcode(_filled(self.stem, found), **{slot: _value(text, found) for slot, text in self.slots.items()})


def _value(text: str, found: Mapping[str, str]) -> str | bool:
    return bool(found[text[1:-2]]) if text.endswith("?") else _filled(text, found)


def _filled(text: str, found: Mapping[str, str]) -> str:
    return re.sub(r"<(\w+)>", lambda group: _SPELLED.get(group[1], {}).get(found[group[1]], found[group[1]]), text)


@cache
def _rules() -> tuple[Rule, ...]:
    found: list[Rule] = []
    for name, *words in map(str.split, filter(None, RULES.splitlines())):
        order = words.pop(0)[1:-1] if words[0].startswith("(") else ""
        stem, *slots = words
        found.append(Rule(name, order, stem, dict(slot.split("=") for slot in slots)))
    return tuple(found)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile("".join(map(_part, re.split(r"<(\.?[^>]*)>", name), cycle((False, True)))))


def _part(text: str, is_slot: bool) -> str:
    if not is_slot:
        return re.escape(text)
    if text.startswith("."):
        return rf"(?:\.(?P<{text[1:].partition('.')[0]}>{re.escape(text[1:])}))?"
    key, _, choices = text.partition(":")
    return f"(?P<{key}>{choices or _ALTERNATIVES[key]})"


def rule_of(name: str) -> tuple[Rule, dict[str, str]] | None:
    """The rule for a name, and what is in it; None where there is none."""
    for rule in _rules():
        if name.startswith(rule.name.partition("<")[0]):
            match = _pattern(rule.name).fullmatch(name)
            if match is not None:
                return rule, match.groupdict(default="")
    return None
