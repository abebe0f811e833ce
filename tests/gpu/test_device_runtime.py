"""The device runtime in PTX: each function as a kernel sees it, and what is linked with a module at all."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

import weft
from weft.gpu.device_runtime import NAMES, with_runtime
from weft.ptx.parser import parse

GUARD = 0xA5A5A5A5
FORMS = ("", "_ptsz")
"""Of functions that use a stream: the one of the program, or of each thread."""
QUIET: dict[str, tuple[str, Literal[0, 32, 64], int]] = {
    "StreamCreateWithFlags": ("p f", 64, 5),
    "StreamDestroy": ("p", 0, 0),
    "StreamWaitEvent": ("p p f", 0, 0),
    "EventCreateWithFlags": ("p f", 64, 5),
    "EventRecord": ("p p", 0, 0),
    "EventRecordWithFlags": ("p p f", 0, 0),
    "EventDestroy": ("p", 0, 0),
    "GetLastError": ("", 0, 0),
    "PeekAtLastError": ("", 0, 0),
    "GetDevice": ("p", 32, 0),
    "GetDeviceCount": ("p", 32, 1),
    "DeviceGetCacheConfig": ("p", 32, 0),
    "DeviceGetSharedMemConfig": ("p", 32, 1),
    "RuntimeGetVersion": ("p", 32, 13050),
    "StreamWaitEvent_ptsz": ("p p f", 0, 0),
    "EventRecord_ptsz": ("p p", 0, 0),
    "EventRecordWithFlags_ptsz": ("p p f", 0, 0),
}
"""By the headers of CUDA: 64 and 32 bits that they take, bits that they write, and what is in them."""


def head(version: str = "8.0") -> str:
    return f".version {version}\n.target sm_90\n.address_size 64\n"


def declaration(name: str) -> str:
    bits = ["b64" if kind == "p" else "b32" for kind in QUIET[name][0].split()]
    parameters = ", ".join(f".param .{b} q{n}" for n, b in enumerate(bits))
    return f".extern .func (.param .b32 status) __cudaCDP2{name}({parameters});\n"


def calling(name: str) -> str:
    """A kernel that keeps what the function returns in the fourth word, and gives it the place of the first."""
    kinds = QUIET[name][0].split()
    given = [f"q{n}" for n in range(len(kinds))]
    declared = " ".join(f".param .{'b64' if kind == 'p' else 'b32'} {q};" for kind, q in zip(kinds, given, strict=True))
    stored = " ".join(
        f"st.param.b64 [{q}], %p;" if kind == "p" else f"st.param.b32 [{q}], 0;"
        for kind, q in zip(kinds, given, strict=True)
    )
    return f"""
.visible .entry k(.param .u64 out)
{{
  .reg .b64 %p; .reg .b32 %s;
  ld.param.u64 %p, [out]; cvta.to.global.u64 %p, %p;
  {{ .param .b32 status; {declared} {stored}
    call (status), __cudaCDP2{name}, ({", ".join(given)}); ld.param.b32 %s, [status]; }}
  st.global.b32 [%p+12], %s; ret;
}}
"""


def test_every_function_is_here() -> None:
    others = {"Malloc", "Free", "DeviceGetLimit", "GetErrorName", "GetErrorString"}
    copying = {
        f"{what}{kind}Async{form}" for what in ("Memcpy", "Memset") for kind in ("", "2D", "3D") for form in FORMS
    }
    grids = {"cudaCGGetIntrinsicHandle", "cudaCGSynchronize", "cudaGraphSetConditional"}
    assert {*NAMES} == {f"__cudaCDP2{name}" for name in {*QUIET, *others, *copying}} | grids


@pytest.mark.parametrize("name", QUIET)
def test_quiet_functions(name: str) -> None:
    """Each succeeds, and writes so many bits and no more."""
    _, bits, value = QUIET[name]
    out = np.full(4, GUARD, np.uint32)
    weft.Device("sm_90").load(head() + declaration(name) + calling(name)).kernel("k").launch(1, 1, [out])
    written = [value, 0][: bits // 32]
    assert out.tolist() == [*written, *[GUARD] * (3 - len(written)), 0]


BARRIER = """
.extern .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope);
.extern .func (.param .b32 status) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);
.visible .entry k(.param .u64 out, .param .u64 seen)
{
  .reg .b64 %p, %q, %h, %o; .reg .b32 %s, %i, %n, %a, %b, %c, %x, %y, %r; .reg .pred %end;
  ld.param.u64 %p, [out]; ld.param.u64 %q, [seen];
  { .param .b64 handle; .param .b32 scope; st.param.b32 [scope], 1;
    call (handle), cudaCGGetIntrinsicHandle, (scope); ld.param.b64 %h, [handle]; }
  mov.u32 %a, %ctaid.x; mov.u32 %b, %ctaid.y; mov.u32 %x, %nctaid.x; mov.u32 %y, %nctaid.y;
  mad.lo.u32 %a, %b, %x, %a; mov.u32 %c, %ctaid.z; mul.lo.u32 %x, %x, %y; mad.lo.u32 %a, %c, %x, %a;
  mov.u32 %c, %nctaid.z; mul.lo.u32 %n, %x, %c;
  mov.u32 %x, %ntid.x; mul.lo.u32 %n, %n, %x; mov.u32 %y, %tid.x; mad.lo.u32 %a, %a, %x, %y;
  mov.u32 %r, 0;
round:
  mul.wide.u32 %o, %a, 4; add.u64 %o, %p, %o; add.u32 %s, %r, 1; st.global.u32 [%o], %s;
  { .param .b32 status; .param .b64 handle; .param .b32 flags; st.param.b64 [handle], %h; st.param.b32 [flags], 0;
    call (status), cudaCGSynchronize, (handle, flags); ld.param.b32 %i, [status]; }
  sub.u32 %b, %n, %a; sub.u32 %b, %b, 1; mul.wide.u32 %o, %b, 4; add.u64 %o, %p, %o;
  ld.global.u32 %s, [%o]; add.u32 %i, %i, %s;
  { .param .b32 status; .param .b64 handle; .param .b32 flags; st.param.b64 [handle], %h; st.param.b32 [flags], 0;
    call (status), cudaCGSynchronize, (handle, flags); ld.param.b32 %s, [status]; }
  add.u32 %i, %i, %s;
  mad.lo.u32 %b, %r, %n, %a; mul.wide.u32 %o, %b, 4; add.u64 %o, %q, %o; st.global.u32 [%o], %i;
  add.u32 %r, %r, 1; setp.lt.u32 %end, %r, 3; @%end bra round;
  mul.wide.u32 %o, %a, 4; add.u64 %o, %p, %o; cvt.u32.u64 %s, %h; st.global.u32 [%o], %s; ret;
}
"""


@pytest.mark.parametrize(("grid", "block"), [(1, 1), (2, 2), ((2, 1, 2), 3), ((1, 3, 1), 2), ((1, 1, 2), 33)])
def test_the_barrier_of_a_grid(grid: int | tuple[int, int, int], block: int) -> None:
    """Every thread sees what its mirror wrote in the round, in grids of any shape, also when launched again."""
    kernel = weft.Device("sm_90").load(head() + BARRIER).kernel("k")
    threads = int(np.prod(grid)) * block
    for _ in range(2 if threads == 4 else 1):
        out, seen = np.zeros(threads, np.uint32), np.zeros((3, threads), np.uint32)
        kernel.launch(grid, block, [out, seen], cooperative=True)
        assert seen.tolist() == [[turn + 1] * threads for turn in range(3)]
        assert out.tolist() == [1] * threads, "what the handle is"


CONDITION = """
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry k(.param .u64 out)
{
  .reg .b64 %p;
  ld.param.u64 %p, [out];
  { .param .b64 handle; .param .b32 value; st.param.b64 [handle], %p; st.param.b32 [value], 7;
    call cudaGraphSetConditional, (handle, value); }
  ret;
}
"""


def test_conditions() -> None:
    out = np.full(2, GUARD, np.uint32)
    weft.Device("sm_90").load(head() + CONDITION).kernel("k").launch(1, 1, [out])
    assert out.tolist() == [7, GUARD]


def test_what_is_linked() -> None:
    """What the module declares and does not define; a module without such as it is; versions that have the PTX."""
    plain = parse(head() + ".visible .entry k() { ret; }\n")
    assert with_runtime(plain) is plain
    device = ".visible .func (.param .b32 status) __cudaCDP2GetLastError() { st.param.b32 [status], 3; ret; }\n"
    own = parse(head() + device)
    assert with_runtime(own) is own, "its own"
    both = with_runtime(parse(head() + device + declaration("GetDevice")))
    assert sorted(f.name for f in both.functions if f.defined) == ["__cudaCDP2GetDevice", "__cudaCDP2GetLastError"]
    assert not both.variables, "no barrier"
    whole = with_runtime(parse(head() + BARRIER + CONDITION.replace("k(", "c(")))
    names = {"cudaCGGetIntrinsicHandle", "cudaCGSynchronize", "cudaGraphSetConditional"}
    assert {f.name for f in whole.functions if f.defined} == {"k", "c", *names}
    assert [v.name for v in whole.variables] == ["weft_grid_barrier"]
    for version, linked in (("6.4", (7, 0)), ("8.0", (8, 0))):
        module = parse(head(version).replace("sm_90", "sm_70") + declaration("GetDevice"))
        assert with_runtime(module).version == linked
