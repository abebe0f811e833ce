"""Every operation of `nvvm`, in several variants each: what `test_nvvm_all` compiles and compares with LLVM.

A case is a target, the body of a function and the type of its result `%r` (empty for none).  The function's parameters
are those of `ARGUMENTS` that the body names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

ARGUMENTS = {
    "p": "!llvm.ptr", "g": "!llvm.ptr<1>", "s": "!llvm.ptr<3>", "q": "!llvm.ptr<3>", "c": "!llvm.ptr<7>",
    "t": "!llvm.ptr<6>", "u": "!llvm.ptr<6>", "i": "i32", "j": "i32", "k": "i32", "l": "i64", "m": "i64", "h": "i16", "h2": "i16",
    "b": "i8", "b2": "i8", "x": "i1", "f": "f32", "f2": "f32", "d": "f64", "w": "i128", "v4f": "vector<4xf32>", "v2h": "vector<2xf16>",
    "v2b": "vector<2xbf16>", "v2i8": "vector<2xi8>", "v4i8": "vector<4xi8>", "v2i16": "vector<2xi16>",
    "v4i": "vector<4xi32>", "v8i": "vector<8xi32>", "cst": "!llvm.ptr<4>",
}  # fmt: skip


class Case(NamedTuple):
    """One function."""

    target: str
    body: str
    result: str = ""

    @property
    def op(self) -> str:
        """The operation that it is about: the last of `nvvm` in it."""
        return re.findall(r"nvvm\.[\w.]+", re.sub(r"#nvvm\.[\w.]+", "", self.body))[-1]

    def module(self, name: str = "f") -> str:
        """The function as MLIR text."""
        named = [n for n in ARGUMENTS if re.search(rf"%{n}\b", self.body)]
        arguments = ", ".join(f"%{n}: {ARGUMENTS[n]}" for n in named)
        back = f"llvm.return %r : {self.result}" if self.result else "llvm.return"
        arrow = f" -> {self.result}" if self.result else ""
        return f"llvm.func @{name}({arguments}){arrow} {{\n  {self.body}\n  {back}\n}}\n"


def attribute(name: str, value: str) -> str:
    return f"#nvvm.{name}<{value}>"


def struct(*types: str) -> str:
    return f"!llvm.struct<({', '.join(types)})>"


def registers() -> Iterator[Case]:
    """Special registers."""
    plain = [
        "tid.x",
        "tid.y",
        "tid.z",
        "ntid.x",
        "ntid.y",
        "ntid.z",
        "ctaid.x",
        "ctaid.y",
        "ctaid.z",
        "nctaid.x",
        "nctaid.y",
        "nctaid.z",
        "laneid",
        "warpid",
        "nwarpid",
        "smid",
        "nsmid",
        "gridid",
        "warpsize",
        "clock",
        "globaltimer.lo",
        "lanemask.eq",
        "lanemask.le",
        "lanemask.lt",
        "lanemask.ge",
        "lanemask.gt",
    ]
    for name in [*plain, *(f"envreg{i}" for i in range(32))]:
        yield Case("sm_80", f"%r = nvvm.read.ptx.sreg.{name} : i32", "i32")
    for name in ("clock64", "globaltimer"):
        yield Case("sm_80", f"%r = nvvm.read.ptx.sreg.{name} : i64", "i64")
    for name in ("total.smem.size", "dynamic.smem.size", "aggr.smem.size"):
        yield Case("sm_90", f"%r = nvvm.read.ptx.sreg.{name} : i32", "i32")
    for stem in ("clusterid", "nclusterid", "cluster.ctaid", "cluster.nctaid"):
        for axis in "xyz":
            yield Case("sm_90", f"%r = nvvm.read.ptx.sreg.{stem}.{axis} : i32", "i32")
    for name in ("cluster.ctarank", "cluster.nctarank"):
        yield Case("sm_90", f"%r = nvvm.read.ptx.sreg.{name} : i32", "i32")
    yield Case("sm_80", "%r = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32", "i32")
    yield Case("sm_80", "%r = nvvm.read.ptx.sreg.laneid range <i32, 0, 32> : i32", "i32")
    yield Case("sm_80", "%r = nvvm.read.ptx.sreg.ntid.y range <i32, 1, 65> : i32", "i32")


def barriers() -> Iterator[Case]:
    """Barriers of blocks, warps and clusters."""
    yield Case("sm_80", "nvvm.barrier0")
    yield Case("sm_80", "nvvm.barrier")
    yield Case("sm_80", "nvvm.barrier id = %i")
    yield Case("sm_80", "nvvm.barrier id = %i number_of_threads = %j")
    for name in ("popc", "and", "or"):
        yield Case("sm_80", f"%r = nvvm.barrier #nvvm.reduction<{name}> %i -> i32", "i32")
    yield Case("sm_80", "nvvm.barrier.arrive number_of_threads = %i")
    yield Case("sm_80", "nvvm.barrier.arrive id = %i number_of_threads = %j")
    yield Case("sm_80", "nvvm.bar.warp.sync %i : i32")
    for name in ("arrive", "arrive.relaxed", "wait"):
        yield Case("sm_90", f"nvvm.cluster.{name}")
        yield Case("sm_90", f"nvvm.cluster.{name} {{aligned}}")
    for name in ("wait", "launch_dependents"):
        yield Case("sm_90", f"nvvm.griddepcontrol {name}")
    for action, count in (("increase", 232), ("decrease", 40), ("increase", 24)):
        yield Case("sm_90a", f"nvvm.setmaxregister {action} {count}")
    yield Case("sm_80", "nvvm.nanosleep %i")
    yield Case("sm_80", "nvvm.pmevent id = 10")
    yield Case("sm_80", "nvvm.pmevent mask = 7")
    yield Case("sm_80", "nvvm.exit")
    yield Case("sm_80", "nvvm.breakpoint")


def fences() -> Iterator[Case]:
    """Fences."""
    yield Case("sm_90", "nvvm.fence.sc.cluster")
    yield Case("sm_90", "nvvm.fence.mbarrier.init")
    for kind in ("alias", "async", "async.global"):
        yield Case("sm_90", f"nvvm.fence.proxy {{kind = #nvvm.proxy_kind<{kind}>}}")
    for space in ("cta", "cluster"):
        yield Case(
            "sm_90", f"nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<{space}>}}"
        )
    for scope in ("cta", "cluster", "gpu", "sys"):
        size = "%z = llvm.mlir.constant(128 : i32) : i32\n  "
        yield Case("sm_90", f"{size}nvvm.fence.proxy.acquire #nvvm.mem_scope<{scope}> %p, %z")
        yield Case("sm_90", f"nvvm.fence.proxy.release #nvvm.mem_scope<{scope}>")
        yield Case("sm_90", f"nvvm.memory.barrier #nvvm.mem_scope<{scope}>")
    for order in ("acquire", "release"):
        yield Case("sm_90", f"nvvm.fence.sync_restrict {{order = #nvvm.mem_order<{order}>}}")
        yield Case("sm_90", f"nvvm.fence.proxy.sync_restrict {{order = #nvvm.mem_order<{order}>}}")


def warps() -> Iterator[Case]:
    """Exchanges of a warp."""
    for kind in ("bfly", "up", "down", "idx"):
        yield Case("sm_80", f"%r = nvvm.shfl.sync {kind} %i, %f, %j, %k : f32 -> f32", "f32")
        yield Case("sm_80", f"%r = nvvm.shfl.sync {kind} %i, %j, %k, %i : i32 -> i32", "i32")
        for type_, value in (("f32", "%f"), ("i32", "%k")):
            yield Case(
                "sm_80",
                f"%r = nvvm.shfl.sync {kind} %i, {value}, %j, %i {{return_value_and_is_valid}} : {type_} -> {struct(type_, 'i1')}",
                struct(type_, "i1"),
            )
    for kind in ("any", "all", "uni"):
        yield Case("sm_80", f"%r = nvvm.vote.sync {kind} %i, %x -> i1", "i1")
    yield Case("sm_80", "%r = nvvm.vote.sync ballot %i, %x -> i32", "i32")
    for kind, result in (("any", "i32"), ("all", struct("i32", "i1"))):
        yield Case("sm_80", f"%r = nvvm.match.sync {kind} %i, %j : i32 -> {result}", result)
        yield Case("sm_80", f"%r = nvvm.match.sync {kind} %i, %l : i64 -> {result}", result)
    for kind in ("add", "umax", "umin", "min", "max", "and", "or", "xor"):
        yield Case("sm_80", f"%r = nvvm.redux.sync {kind} %i, %j : i32 -> i32", "i32")
    for kind in ("fmin", "fmax"):
        for flags in ("", " {abs = true}", " {nan = true}", " {abs = true, nan = true}"):
            yield Case("sm_100a", f"%r = nvvm.redux.sync {kind} %f, %j{flags} : f32 -> f32", "f32")
    yield Case("sm_90", "%r = nvvm.elect.sync -> i1", "i1")
    yield Case("sm_90", "%r = nvvm.elect.sync %i -> i1", "i1")


def arithmetic() -> Iterator[Case]:
    """Approximations, dot products, permutes, addresses in clusters."""
    yield Case("sm_80", "%r = nvvm.rcp.approx.ftz.f %f : f32", "f32")
    for a in ("signed", "unsigned"):
        for b in ("signed", "unsigned"):
            yield Case(
                "sm_80",
                f"%r = nvvm.dot.accumulate.4way %v4i8 <{a}>, %v4i8 <{b}>, %i : vector<4xi8>, vector<4xi8>",
                "i32",
            )
            for high in ("true", "false"):
                yield Case(
                    "sm_80",
                    f"%r = nvvm.dot.accumulate.2way %v2i16 <{a}>, %v4i8 <{b}>, %i {{b_hi = {high}}} : vector<2xi16>, vector<4xi8>",
                    "i32",
                )
    for mode in ("default", "f4e", "b4e"):
        yield Case("sm_80", f"%r = nvvm.prmt #nvvm.permute_mode<{mode}> %i, %j, %k : i32", "i32")
    for mode in ("rc8", "ecl", "ecr", "rc16"):
        yield Case("sm_80", f"%r = nvvm.prmt #nvvm.permute_mode<{mode}> %i, %j : i32", "i32")
    yield Case("sm_90", "%r = nvvm.mapa %p, %i : !llvm.ptr -> !llvm.ptr", "!llvm.ptr")
    yield Case("sm_90", "%r = nvvm.mapa %s, %i : !llvm.ptr<3> -> !llvm.ptr<7>", "!llvm.ptr<7>")
    yield Case("sm_80", '%r = nvvm.inline_ptx "ex2.approx.ftz.f32 $0, $1;" ro(%f : f32) -> f32', "f32")
    yield Case("sm_80", 'nvvm.inline_ptx "prefetch.global.L2 [$0];" ro(%g : !llvm.ptr<1>), predicate = %x')
    yield Case(
        "sm_80", '%r = nvvm.inline_ptx "mad.lo.s32 $0, $1, $2, $3;" ro(%i, %j, %k : i32, i32, i32) -> i32', "i32"
    )


def conversions() -> Iterator[Case]:
    """Conversions to and from packed floats."""
    for mode in ("rn", "rz"):
        yield Case("sm_90", f"%r = nvvm.convert.float.to.tf32 %f {{rnd = #nvvm.fp_rnd_mode<{mode}>}}", "i32")
        yield Case(
            "sm_90", f"%r = nvvm.convert.float.to.tf32 %f {{rnd = #nvvm.fp_rnd_mode<{mode}>, relu = true}}", "i32"
        )
    yield Case(
        "sm_100",
        "%r = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>}",
        "i32",
    )
    yield Case("sm_80", "%r = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>}", "i32")
    yield Case("sm_100a", "%r = nvvm.convert.f32x2.to.f4x2 %f, %f2 : i8 (f4E2M1FN)", "i8")
    yield Case("sm_100a", "%r = nvvm.convert.f32x2.to.f4x2 %f, %f2 {relu = true} : i8 (f4E2M1FN)", "i8")
    for type_ in ("f6E2M3FN", "f6E3M2FN"):
        for relu in ("", " {relu = true}"):
            for out in ("i16", "vector<2xi8>"):
                yield Case("sm_100a", f"%r = nvvm.convert.f32x2.to.f6x2 %f, %f2{relu} : {out} ({type_})", out)
            yield Case(
                "sm_100a",
                f"%r = nvvm.convert.f6x2.to.f16x2 %v2i8{relu} : vector<2xi8> ({type_}) -> vector<2xf16>",
                "vector<2xf16>",
            )
    for type_ in ("f8E4M3FN", "f8E5M2"):
        for relu in ("", ", relu = true"):
            for out in ("i16", "vector<2xi8>"):
                yield Case(
                    "sm_90",
                    f"%r = nvvm.convert.f32x2.to.f8x2 %f, %f2 {{rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>{relu}}} : {out} ({type_})",
                    out,
                )
                only = f" {{{relu.removeprefix(', ')}}}" if relu else ""
                yield Case(
                    "sm_90", f"%r = nvvm.convert.f16x2.to.f8x2 %v2h{only} : vector<2xf16> -> {out} ({type_})", out
                )
            yield Case(
                "sm_90",
                f"%r = nvvm.convert.f8x2.to.f16x2 %v2i8{only} : vector<2xi8> ({type_}) -> vector<2xf16>",
                "vector<2xf16>",
            )
    for mode in ("rz", "rp"):
        for sat in ("", ", sat = #nvvm.sat_mode<satfinite>"):
            yield Case(
                "sm_100a",
                f"%r = nvvm.convert.f32x2.to.f8x2 %f, %f2 {{rnd = #nvvm.fp_rnd_mode<{mode}>{sat}}} : i16 (f8E8M0FNU)",
                "i16",
            )
            yield Case(
                "sm_100a",
                f"%r = nvvm.convert.bf16x2.to.f8x2 %v2b {{rnd = #nvvm.fp_rnd_mode<{mode}>{sat}}} : vector<2xbf16> -> vector<2xi8> (f8E8M0FNU)",
                "vector<2xi8>",
            )
    yield Case(
        "sm_100a",
        "%r = nvvm.convert.f8x2.to.bf16x2 %v2i8 : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>",
        "vector<2xbf16>",
    )
    for relu in ("", " {relu = true}"):
        yield Case(
            "sm_100a", f"%r = nvvm.convert.f4x2.to.f16x2 %b{relu} : i8 (f4E2M1FN) -> vector<2xf16>", "vector<2xf16>"
        )
    for half in ("f16", "bf16"):
        for mode in ("rn", "rz"):
            for rest in (
                "",
                ", relu = true",
                ", sat = #nvvm.sat_mode<satfinite>",
                ", relu = true, sat = #nvvm.sat_mode<satfinite>",
            ):
                yield Case(
                    "sm_90",
                    f"%r = nvvm.convert.f32x2.to.{half}x2 %f, %f2 {{rnd = #nvvm.fp_rnd_mode<{mode}>{rest}}} : vector<2x{half}>",
                    f"vector<2x{half}>",
                )
        for rest in ("", ", relu = true", ", sat = #nvvm.sat_mode<satfinite>"):
            yield Case(
                "sm_100a",
                f"%r = nvvm.convert.f32x2.to.{half}x2 %f, %f2, %i {{rnd = #nvvm.fp_rnd_mode<rs>{rest}}} : vector<2x{half}>",
                f"vector<2x{half}>",
            )
    for relu in ("", " {relu = true}"):
        for type_ in ("f8E4M3FN", "f8E5M2"):
            yield Case(
                "sm_100a",
                f"%r = nvvm.convert.f32x4.to.f8x4 %v4f, %i{relu} : vector<4xf32> -> vector<4xi8> ({type_})",
                "vector<4xi8>",
            )
        for type_ in ("f6E2M3FN", "f6E3M2FN"):
            yield Case(
                "sm_100a",
                f"%r = nvvm.convert.f32x4.to.f6x4 %v4f, %i{relu} : vector<4xf32> -> vector<4xi8> ({type_})",
                "vector<4xi8>",
            )
        yield Case(
            "sm_100a", f"%r = nvvm.convert.f32x4.to.f4x4 %v4f, %i{relu} : vector<4xf32> -> i16 (f4E2M1FN)", "i16"
        )


def mbarriers() -> Iterator[Case]:
    """Barriers that count arrivals and bytes."""
    for pointer, type_ in (("%p", "!llvm.ptr"), ("%s", "!llvm.ptr<3>")):
        yield Case("sm_80", f"nvvm.mbarrier.init {pointer}, %i : {type_}, i32")
        yield Case("sm_80", f"nvvm.mbarrier.init {pointer}, %i, predicate = %x : {type_}, i32, i1")
        yield Case("sm_80", f"nvvm.mbarrier.inval {pointer} : {type_}")
        yield Case("sm_80", f"%r = nvvm.mbarrier.arrive {pointer} : {type_} -> i64", "i64")
        yield Case("sm_90", f"%r = nvvm.mbarrier.arrive {pointer}, %i : {type_} -> i64", "i64")
        yield Case("sm_80", f"%r = nvvm.mbarrier.arrive_drop {pointer} : {type_} -> i64", "i64")
        yield Case("sm_90", f"%r = nvvm.mbarrier.arrive_drop {pointer}, %i {{relaxed = true}} : {type_} -> i64", "i64")
        for scope in ("cta", "cluster"):
            for relaxed in ("true", "false"):
                flags = f"{{scope = #nvvm.mem_scope<{scope}>, relaxed = {relaxed}}}"
                yield Case("sm_90", f"%r = nvvm.mbarrier.arrive {pointer} {flags} : {type_} -> i64", "i64")
                yield Case(
                    "sm_90", f"%r = nvvm.mbarrier.arrive.expect_tx {pointer}, %i {flags} : {type_}, i32 -> i64", "i64"
                )
                yield Case(
                    "sm_90",
                    f"%r = nvvm.mbarrier.arrive_drop.expect_tx {pointer}, %i {flags} : {type_}, i32 -> i64",
                    "i64",
                )
                yield Case("sm_90", f"%r = nvvm.mbarrier.test.wait {pointer}, %l {flags} : {type_}, i64 -> i1", "i1")
                yield Case("sm_90", f"%r = nvvm.mbarrier.test.wait {pointer}, %i {flags} : {type_}, i32 -> i1", "i1")
                yield Case("sm_90", f"%r = nvvm.mbarrier.try_wait {pointer}, %l {flags} : {type_}, i64 -> i1", "i1")
                yield Case(
                    "sm_90", f"%r = nvvm.mbarrier.try_wait {pointer}, %i, %j {flags} : {type_}, i32, i32 -> i1", "i1"
                )
        yield Case("sm_80", f"%r = nvvm.mbarrier.arrive.nocomplete {pointer}, %i : {type_}, i32 -> i64", "i64")
        yield Case("sm_80", f"%r = nvvm.mbarrier.arrive_drop.nocomplete {pointer}, %i : {type_}, i32 -> i64", "i64")
        yield Case("sm_90", f"nvvm.mbarrier.arrive.expect_tx {pointer}, %i : {type_}, i32")
        yield Case("sm_90", f"nvvm.mbarrier.arrive.expect_tx {pointer}, %i, predicate = %x : {type_}, i32, i1")
        yield Case("sm_80", f"%r = nvvm.mbarrier.test.wait {pointer}, %l : {type_}, i64 -> i1", "i1")
        yield Case("sm_90", f"nvvm.mbarrier.try_wait.parity {pointer}, %i, %j : {type_}, i32, i32")
        yield Case("sm_80", f"nvvm.cp.async.mbarrier.arrive {pointer} : {type_}")
        yield Case("sm_80", f"nvvm.cp.async.mbarrier.arrive {pointer} {{noinc = true}} : {type_}")
    for type_, pointer in (("!llvm.ptr<3>", "%s"), ("!llvm.ptr<7>", "%c")):
        for scope in ("cta", "cluster"):
            yield Case(
                "sm_90", f"nvvm.mbarrier.expect_tx {pointer}, %i {{scope = #nvvm.mem_scope<{scope}>}} : {type_}, i32"
            )
            yield Case(
                "sm_90", f"nvvm.mbarrier.complete_tx {pointer}, %i {{scope = #nvvm.mem_scope<{scope}>}} : {type_}, i32"
            )
    for op in ("arrive %c", "arrive %c, %i", "arrive_drop %c"):
        yield Case("sm_90", f"nvvm.mbarrier.{op} {{scope = #nvvm.mem_scope<cluster>}} : !llvm.ptr<7>")
    for op in ("arrive.expect_tx", "arrive_drop.expect_tx"):
        yield Case("sm_90", f"nvvm.mbarrier.{op} %c, %i {{scope = #nvvm.mem_scope<cluster>}} : !llvm.ptr<7>, i32")


def copies() -> Iterator[Case]:
    """`cp.async`, bulk copies and their groups, prefetches."""
    for size in (4, 8, 16):
        yield Case("sm_80", f"nvvm.cp.async.shared.global %s, %g, {size}, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>")
        yield Case(
            "sm_80", f"nvvm.cp.async.shared.global %s, %g, {size}, cache = ca, %i : !llvm.ptr<3>, !llvm.ptr<1>, i32"
        )
    yield Case("sm_80", "nvvm.cp.async.shared.global %s, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>")
    yield Case("sm_80", "nvvm.cp.async.shared.global %s, %g, 16, cache = cg, %i : !llvm.ptr<3>, !llvm.ptr<1>, i32")
    yield Case("sm_80", "nvvm.cp.async.commit.group")
    for count in (0, 3):
        yield Case("sm_80", f"nvvm.cp.async.wait.group {count}")
        yield Case("sm_90", f"nvvm.cp.async.bulk.wait_group {count}")
        yield Case("sm_90", f"nvvm.cp.async.bulk.wait_group {count} {{read}}")
    yield Case("sm_90", "nvvm.cp.async.bulk.commit.group")
    for hint in ("", " l2_cache_hint = %l"):
        for mask in ("", " multicast_mask = %h"):
            yield Case(
                "sm_90",
                f"nvvm.cp.async.bulk.shared.cluster.global %c, %g, %s, %i{mask}{hint} : !llvm.ptr<7>, !llvm.ptr<1>",
            )
        yield Case(
            "sm_90", f"nvvm.cp.async.bulk.shared.cluster.global %s, %g, %q, %i{hint} : !llvm.ptr<3>, !llvm.ptr<1>"
        )
        for mask in ("", " byte_mask = %h"):
            yield Case(
                "sm_100", f"nvvm.cp.async.bulk.global.shared.cta %g, %s, %i{hint}{mask} : !llvm.ptr<1>, !llvm.ptr<3>"
            )
        yield Case("sm_90", f"nvvm.cp.async.bulk.prefetch %g, %i{hint} : !llvm.ptr<1>")
    yield Case("sm_90", "nvvm.cp.async.bulk.shared.cluster.shared.cta %c, %s, %q, %i : !llvm.ptr<7>, !llvm.ptr<3>")
    for level in ("L1", "L2"):
        for pointer, type_ in (("%p", "!llvm.ptr"), ("%g", "!llvm.ptr<1>")):
            yield Case("sm_80", f"nvvm.prefetch level = {level}, {pointer} : {type_}")
    yield Case("sm_80", "nvvm.prefetch level = L1 uniform, %p : !llvm.ptr")
    for policy in ("evict_last", "evict_normal"):
        yield Case("sm_80", f"nvvm.prefetch level = L2, evict_priority = {policy}, %g : !llvm.ptr<1>")
    yield Case("sm_90", "nvvm.prefetch tensormap, %p : !llvm.ptr")
    yield Case("sm_90", "nvvm.prefetch tensormap, %cst : !llvm.ptr<4>")
    yield Case("sm_90", "nvvm.prefetch tensormap in_param_space, %p : !llvm.ptr")
    yield Case("sm_90", "nvvm.prefetch tensormap, %p, predicate = %x : !llvm.ptr, i1")
    for pointer, type_ in (("%p", "!llvm.ptr"), ("%s", "!llvm.ptr<3>")):
        yield Case("sm_100", f"nvvm.st.bulk {pointer}, size = %l : {type_}")
        yield Case("sm_100", f"nvvm.st.bulk {pointer}, size = %l, init = 0 : {type_}")
    yield Case("sm_100a", "nvvm.clusterlaunchcontrol.try.cancel %s, %q")
    yield Case("sm_100a", "nvvm.clusterlaunchcontrol.try.cancel multicast, %s, %q")
    yield Case("sm_100a", "%r = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %w : i1", "i1")
    for axis in "xyz":
        yield Case(
            "sm_100a", f"%r = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_{axis}, %w : i32", "i32"
        )


def tensors() -> Iterator[Case]:
    """Tensor copies."""
    box = ("%i", "%j", "%k", "%i", "%j")
    stem = "nvvm.cp.async.bulk.tensor"
    for dims in range(1, 6):
        where = f"box[{', '.join(box[:dims])}]"
        for mask in ("", " multicast_mask = %h"):
            for hint in ("", " l2_cache_hint = %l"):
                yield Case(
                    "sm_90", f"{stem}.shared.cluster.global %c, %p, %s, {where}{mask}{hint} : !llvm.ptr<7>, !llvm.ptr"
                )
        yield Case(
            "sm_90", f"{stem}.shared.cluster.global %c, %p, %s, {where} predicate = %x : !llvm.ptr<7>, !llvm.ptr"
        )
        yield Case(
            "sm_90", f"{stem}.shared.cluster.global %s, %p, %q, {where} {{isCTAOnly = true}} : !llvm.ptr<3>, !llvm.ptr"
        )
        for group in ("cta_1", "cta_2"):
            for mask in ("", " multicast_mask = %h"):
                yield Case(
                    "sm_100a",
                    f"{stem}.shared.cluster.global %c, %p, %s, {where}{mask} {{group = #nvvm.cta_group<{group}>}} "
                    ": !llvm.ptr<7>, !llvm.ptr",
                )
        for hint in ("", " l2_cache_hint = %l"):
            yield Case("sm_90", f"{stem}.global.shared.cta %p, %s, {where}{hint} : !llvm.ptr, !llvm.ptr<3>")
            yield Case("sm_90", f"{stem}.prefetch %p, {where}{hint} : !llvm.ptr")
        yield Case("sm_90", f"{stem}.global.shared.cta %p, %s, {where}, predicate = %x : !llvm.ptr, !llvm.ptr<3>")
        for op in ("add", "min", "max", "inc", "dec", "and", "or", "xor"):
            yield Case(
                "sm_90",
                f"{stem}.reduce %p, %s, {where} {{redKind = #nvvm.tma_redux_kind<{op}>}} : !llvm.ptr, !llvm.ptr<3>",
            )
        yield Case(
            "sm_90",
            f"{stem}.reduce %p, %s, {where} l2_cache_hint = %l {{redKind = #nvvm.tma_redux_kind<add>}} : !llvm.ptr, !llvm.ptr<3>",
        )
        if dims >= 3:
            offsets = f"im2col[{', '.join(['%h', '%h2', '%h'][: dims - 2])}]"
            mode = "{mode = #nvvm.tma_load_mode<im2col>}"
            for hint in ("", " l2_cache_hint = %l"):
                yield Case(
                    "sm_90",
                    f"{stem}.shared.cluster.global %c, %p, %s, {where} {offsets}{hint} {mode} : !llvm.ptr<7>, !llvm.ptr",
                )
                yield Case("sm_90", f"{stem}.prefetch %p, {where} {offsets}{hint} {mode} : !llvm.ptr")
            yield Case(
                "sm_90",
                f"{stem}.global.shared.cta %p, %s, {where} {{mode = #nvvm.tma_store_mode<im2col>}} : !llvm.ptr, !llvm.ptr<3>",
            )
            yield Case(
                "sm_90",
                f"{stem}.reduce %p, %s, {where} {{redKind = #nvvm.tma_redux_kind<min>, mode = #nvvm.tma_store_mode<im2col>}} : !llvm.ptr, !llvm.ptr<3>",
            )
            for name in ("im2col_w", "im2col_w_128"):
                wide = f"{{mode = #nvvm.tma_load_mode<{name}>}}"
                yield Case(
                    "sm_100a",
                    f"{stem}.shared.cluster.global %c, %p, %s, {where} im2col[%h, %h2] {wide} : !llvm.ptr<7>, !llvm.ptr",
                )
                yield Case("sm_100a", f"{stem}.prefetch %p, {where} im2col[%h, %h2] {wide} : !llvm.ptr")
    where = f"box[{', '.join(box)}]"
    gather = "{mode = #nvvm.tma_load_mode<tile_gather4>}"
    yield Case("sm_100a", f"{stem}.shared.cluster.global %c, %p, %s, {where} {gather} : !llvm.ptr<7>, !llvm.ptr")
    yield Case(
        "sm_100a",
        f"{stem}.shared.cluster.global %c, %p, %s, {where} multicast_mask = %h l2_cache_hint = %l {gather} : !llvm.ptr<7>, !llvm.ptr",
    )
    yield Case("sm_100a", f"{stem}.prefetch %p, {where} {gather} : !llvm.ptr")
    yield Case(
        "sm_100a",
        f"{stem}.global.shared.cta %p, %s, {where} {{mode = #nvvm.tma_store_mode<tile_scatter4>}} : !llvm.ptr, !llvm.ptr<3>",
    )


def tiles() -> Iterator[Case]:
    """`ldmatrix` and `stmatrix`."""

    def attributes(element: str, layout: str, m: int, n: int, num: str = "") -> str:
        return (f"{{eltType = #nvvm.ld_st_matrix_elt_type<{element}>, layout = #nvvm.mma_layout<{layout}>, {num}"
                f"shape = #nvvm.ld_st_matrix_shape<m = {m}, n = {n}>}}")  # fmt: skip

    def loads(target: str, element: str, layout: str, m: int, n: int, nums: tuple[int, ...]) -> Iterator[Case]:
        for num in nums:
            count = num * (2 if m == 16 else 1)
            result = "i32" if count == 1 else struct(*["i32"] * count)
            yield Case(
                target,
                f"%r = nvvm.ldmatrix %s {attributes(element, layout, m, n, f'num = {num} : i32, ')} : (!llvm.ptr<3>) -> {result}",
                result,
            )

    for layout in ("row", "col"):
        yield from loads("sm_80", "b16", layout, 8, 8, (1, 2, 4))
        for count in (1, 2, 4):
            sources = ", ".join(["%i", "%j", "%k", "%i"][:count])
            types = ", ".join(["i32"] * count)
            yield Case(
                "sm_90", f"nvvm.stmatrix %s, {sources} {attributes('b16', layout, 8, 8)} : !llvm.ptr<3>, {types}"
            )
            if layout == "col":
                yield Case(
                    "sm_100a", f"nvvm.stmatrix %s, {sources} {attributes('b8', layout, 16, 8)} : !llvm.ptr<3>, {types}"
                )
    for element in ("b8x16.b6x16_p32", "b8x16.b4x16_p64"):
        yield from loads("sm_100a", element, "row", 8, 16, (1, 2, 4))
        yield from loads("sm_100a", element, "col", 16, 16, (1, 2))
    yield from loads("sm_100a", "b8", "col", 16, 16, (1, 2))


TENSOR_SHAPES = {"16x64b": 1, "16x128b": 2, "16x256b": 4, "32x32b": 1, "16x32bx2": 1}


def tensor_memory() -> Iterator[Case]:
    """`tcgen05` without products."""
    for group in ("", " {group = #nvvm.cta_group<cta_1>}", " {group = #nvvm.cta_group<cta_2>}"):
        yield Case("sm_100a", f"nvvm.tcgen05.alloc %p, %i{group} : !llvm.ptr, i32")
        yield Case("sm_100a", f"nvvm.tcgen05.alloc %s, %i{group} : !llvm.ptr<3>, i32")
        yield Case("sm_100a", f"nvvm.tcgen05.dealloc %t, %i{group} : !llvm.ptr<6>, i32")
        yield Case("sm_100a", f"nvvm.tcgen05.relinquish_alloc_permit{group}")
        for pointer, type_ in (("%p", "!llvm.ptr"), ("%s", "!llvm.ptr<3>")):
            yield Case("sm_100a", f"nvvm.tcgen05.commit {pointer}{group} : {type_}")
            yield Case("sm_100a", f"nvvm.tcgen05.commit {pointer}, multicast_mask = %h{group} : {type_}, i16")
        yield Case("sm_100a", f"nvvm.tcgen05.shift %t{group} : !llvm.ptr<6>")
    for kind in ("before", "after"):
        yield Case("sm_100a", f"nvvm.tcgen05.fence #nvvm.tcgen05_fence<{kind}>")
    for kind in ("load", "store"):
        yield Case("sm_100a", f"nvvm.tcgen05.wait #nvvm.tcgen05_wait<{kind}>")
    for shape, multicast in (
        ("128x256b", ""), ("4x256b", ""), ("128x128b", ""), ("64x128b", "warpx2_02_13"), ("64x128b", "warpx2_01_23"),
        ("32x128b", "warpx4"),
    ):  # fmt: skip
        for group in ("", ", group = #nvvm.cta_group<cta_2>"):
            for source in (
                "",
                ", srcFormat = #nvvm.tcgen05_cp_src_fmt<b6x16_p32>",
                ", srcFormat = #nvvm.tcgen05_cp_src_fmt<b4x16_p64>",
            ):
                cast = f", multicast = #nvvm.tcgen05_cp_multicast<{multicast}>" if multicast else ""
                yield Case(
                    "sm_100a",
                    f"nvvm.tcgen05.cp %t, %l {{shape = #nvvm.tcgen05_cp_shape<shape_{shape}>{cast}{group}{source}}}",
                )
    for shape, words in TENSOR_SHAPES.items():
        offset, prefix = "", ""
        if shape == "16x32bx2":
            offset, prefix = ", %o", "%o = llvm.mlir.constant(2 : i64) : i64\n  "
        for num in (1, 2, 4, 8, 16, 32, 64, 128):
            count = words * num
            if count > 128:
                continue
            type_ = "i32" if count == 1 else f"vector<{count}xi32>"
            for flag in ("", " pack"):
                yield Case(
                    "sm_100a",
                    f"{prefix}%r = nvvm.tcgen05.ld %t{offset}{flag} {{shape = #nvvm.tcgen05_ldst_shape<shape_{shape}>}} : {type_}",
                    type_,
                )
                if count <= 8 and count != 2:
                    value = {1: "%i", 4: "%v4i", 8: "%v8i"}[count]
                    store = flag and " unpack"
                    yield Case(
                        "sm_100a",
                        f"{prefix}nvvm.tcgen05.st %t, {value}{offset}{store} {{shape = #nvvm.tcgen05_ldst_shape<shape_{shape}>}} : {type_}",
                    )
    yield Case(
        "sm_100a",
        "%r = nvvm.tcgen05.mma_smem_desc (%i, %j, %k, %b, %x, %b2) : (i32, i32, i32, i8, i1, i8) -> i64",
        "i64",
    )


def tensor_products() -> Iterator[Case]:
    """`tcgen05.mma` in all its forms."""
    sides = (("%l", "i64"), ("%u", "!llvm.ptr<6>"))
    for kind in ("f16", "tf32", "f8f6f4", "i8"):
        for group in ("cta_1", "cta_2"):
            for a, type_ in sides:
                for collector in ("discard", "lastuse", "fill", "use"):
                    common = f"kind = #nvvm.tcgen05_mma_kind<{kind}>, ctaGroup = #nvvm.cta_group<{group}>, collectorOp = #nvvm.tcgen05_mma_collectorop<{collector}>"
                    yield Case(
                        "sm_100a",
                        f"nvvm.tcgen05.mma %t, {a}, %m, %i, %x {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1)",
                    )
                    yield Case(
                        "sm_100a",
                        f"nvvm.tcgen05.mma.sp %t, {a}, %m, %i, %x, %u {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1, !llvm.ptr<6>)",
                    )
                common = f"kind = #nvvm.tcgen05_mma_kind<{kind}>, ctaGroup = #nvvm.cta_group<{group}>"
                mask, vector = ("%v4i", "vector<4xi32>") if group == "cta_1" else ("%v8i", "vector<8xi32>")
                yield Case(
                    "sm_100a",
                    f"nvvm.tcgen05.mma %t, {a}, %m, %i, %x mask = {mask} {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1, {vector})",
                )
                yield Case(
                    "sm_100a",
                    f"nvvm.tcgen05.mma.sp %t, {a}, %m, %i, %x, %u mask = {mask} {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1, !llvm.ptr<6>, {vector})",
                )
                if a == "%u":
                    yield Case(
                        "sm_100a",
                        f"nvvm.tcgen05.mma %t, {a}, %m, %i, %x {{{common}, aShift}} : (!llvm.ptr<6>, {type_}, i64, i32, i1)",
                    )
                    yield Case(
                        "sm_100a",
                        f"nvvm.tcgen05.mma.sp %t, {a}, %m, %i, %x, %u mask = {mask} {{{common}, aShift}} : (!llvm.ptr<6>, {type_}, i64, i32, i1, !llvm.ptr<6>, {vector})",
                    )
                if kind in ("f16", "tf32"):
                    scale = "%z = llvm.mlir.constant(2 : i64) : i64\n  "
                    yield Case(
                        "sm_100a",
                        f"{scale}nvvm.tcgen05.mma %t, {a}, %m, %i, %x scale = %z {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1, i64)",
                    )
                    yield Case(
                        "sm_100a",
                        f"{scale}nvvm.tcgen05.mma %t, {a}, %m, %i, %x scale = %z mask = {mask} {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1, i64, {vector})",
                    )
                    yield Case(
                        "sm_100a",
                        f"{scale}nvvm.tcgen05.mma.sp %t, {a}, %m, %i, %x, %u scale = %z {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1, !llvm.ptr<6>, i64)",
                    )
        for a, type_ in sides:
            for buffer in ("b0", "b1", "b2", "b3"):
                for collector in ("discard", "lastuse", "fill", "use"):
                    common = f"kind = #nvvm.tcgen05_mma_kind<{kind}>, collectorBBuffer = #nvvm.tcgen05_mma_collectorb<{buffer}>, collectorOp = #nvvm.tcgen05_mma_collectorop<{collector}>"
                    yield Case(
                        "sm_100a",
                        f"nvvm.tcgen05.mma.ws %t, {a}, %m, %i, %x {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1)",
                    )
            common = f"kind = #nvvm.tcgen05_mma_kind<{kind}>"
            yield Case(
                "sm_100a",
                f"nvvm.tcgen05.mma.ws %t, {a}, %m, %i, %x, %m {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1, i64)",
            )
            yield Case(
                "sm_100a",
                f"nvvm.tcgen05.mma.ws.sp %t, {a}, %m, %i, %x, %u {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1, !llvm.ptr<6>)",
            )
            yield Case(
                "sm_100a",
                f"nvvm.tcgen05.mma.ws.sp %t, {a}, %m, %i, %x, %u, %m {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1, !llvm.ptr<6>, i64)",
            )
    for kind, scales in (
        ("mxf8f6f4", ("", "block32")),
        ("mxf4", ("", "block32")),
        ("mxf4nvf4", ("block16", "block32")),
    ):
        for group in ("cta_1", "cta_2"):
            for a, type_ in sides:
                for scale in scales:
                    size = f", blockScale = #nvvm.tcgen05_mma_block_scale<{scale}>" if scale else ""
                    for collector in ("discard", "use"):
                        common = f"kind = #nvvm.block_scale_kind<{kind}>, ctaGroup = #nvvm.cta_group<{group}>, collectorOp = #nvvm.tcgen05_mma_collectorop<{collector}>{size}"
                        yield Case(
                            "sm_100a",
                            f"nvvm.tcgen05.mma.block_scale %t, {a}, %m, %i, %x, %u, %t {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)",
                        )
                        yield Case(
                            "sm_100a",
                            f"nvvm.tcgen05.mma.sp.block_scale %t, {a}, %m, %i, %x, %u, %t, %u {{{common}}} : (!llvm.ptr<6>, {type_}, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)",
                        )


def everything() -> list[Case]:
    """All cases but matrix products of a warp, which `product_cases` has."""
    makers = (
        registers, barriers, fences, warps, arithmetic, conversions, mbarriers, copies, tensors, tiles, tensor_memory,
        tensor_products,
    )  # fmt: skip
    return [case for make in makers for case in make()]
