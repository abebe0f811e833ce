"""What CUDA's device runtime library (`libcudadevrt.a`, machine code only) gives kernels, as PTX.

The barrier of a grid counts CTAs in one word, as that of cooperative groups does: CTA 0 adds what is missing to the
sign bit, the others one each, so that the bit changes when all have come, and the word serves the next time as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from weft.gpu.device_memory import COPYING, GRIDS, HEAP, copying
from weft.gpu.statuses import RUNTIME as CODES
from weft.gpu.statuses import of_runtime
from weft.ptx.ast import Module
from weft.ptx.linking import link_modules
from weft.ptx.parser import parse
from weft.sim.runtime import HEAP_BYTES

VERSION = 13050
"""The version of CUDA that the driver and the runtimes say they are."""
_HEAD = """
.version {version}
.target {target}
.address_size 64
"""
_BARRIER = """
.global .align 4 .u32 weft_grid_barrier;

.visible .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
  .reg .b64 %r;
  mov.u64 %r, 1; st.param.b64 [handle], %r; ret;
}

.visible .func (.param .b32 status) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
  .reg .b32 %a, %x, %y, %z, %nx, %ny, %nz, %old, %new; .reg .pred %first, %all, %wait; .reg .b64 %w;
  barrier.sync 0;
  mov.u32 %x, %tid.x; mov.u32 %y, %tid.y; mov.u32 %z, %tid.z;
  or.b32 %a, %x, %y; or.b32 %a, %a, %z;
  setp.ne.u32 %first, %a, 0;
  @%first bra done;
  mov.u32 %x, %ctaid.x; mov.u32 %y, %ctaid.y; mov.u32 %z, %ctaid.z;
  mov.u32 %nx, %nctaid.x; mov.u32 %ny, %nctaid.y; mov.u32 %nz, %nctaid.z;
  mul.lo.u32 %nx, %nx, %ny; mul.lo.u32 %nx, %nx, %nz;
  or.b32 %a, %x, %y; or.b32 %a, %a, %z;
  setp.eq.u32 %all, %a, 0;
  sub.u32 %nx, 0x80000001, %nx;
  selp.u32 %a, %nx, 1, %all;
  mov.u64 %w, weft_grid_barrier;
  fence.acq_rel.gpu;
  atom.acq_rel.gpu.global.add.u32 %old, [%w], %a;
poll:
  ld.acquire.gpu.global.u32 %new, [%w];
  xor.b32 %new, %new, %old;
  setp.ge.s32 %wait, %new, 0;
  @%wait bra poll;
  fence.acq_rel.gpu;
done:
  barrier.sync 0;
  mov.u32 %a, 0; st.param.b32 [status], %a; ret;
}
"""
_CONDITION = """
.visible .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value)
{
  .reg .b64 %p; .reg .b32 %v;
  ld.param.b64 %p, [handle]; ld.param.b32 %v, [value]; st.global.b32 [%p], %v; ret;
}
"""
"""The handle of a condition is the address of its word."""
_GRID = frozenset({"cudaCGGetIntrinsicHandle", "cudaCGSynchronize"})
_PREFIX = "__cudaCDP2"
_QUIET: dict[str, tuple[str, tuple[int, ...]]] = {
    "StreamCreateWithFlags": ("p f", (64, 5)),
    "StreamDestroy": ("p", ()),
    "StreamWaitEvent": ("p p f", ()),
    "EventCreateWithFlags": ("p f", (64, 5)),
    "EventRecord": ("p p", ()),
    "EventRecordWithFlags": ("p p f", ()),
    "EventDestroy": ("p", ()),
    "GetLastError": ("", ()),
    "PeekAtLastError": ("", ()),
    "GetDevice": ("p", (32, 0)),
    "GetDeviceCount": ("p", (32, 1)),
    "DeviceGetCacheConfig": ("p", (32, 0)),
    "DeviceGetSharedMemConfig": ("p", (32, 1)),
    "RuntimeGetVersion": ("p", (32, VERSION)),
}
"""Functions for kernels that launch: their parameters (64 and 32 bits), and bits and value that the first gets."""
_BY_THREAD = ("StreamWaitEvent", "EventRecord", "EventRecordWithFlags")
"""Those with a second form, for programs in which each thread has a default stream."""


def _quiet(name: str) -> str:
    """One of those: there is nothing to order, as what kernels launch runs one after the other."""
    kinds, written = _QUIET[name.removesuffix("_ptsz")]
    widths = ["b64" if kind == "p" else "b32" for kind in kinds.split()]
    parameters = ", ".join(f".param .{width} p{number}" for number, width in enumerate(widths))
    write = "ld.param.b64 %p, [p0]; mov.u{0} %u{0}, {1}; st.u{0} [%p], %u{0};".format(*written) if written else ""
    return f"""
.visible .func (.param .b32 status) {_PREFIX}{name}({parameters})
{{
  .reg .b32 %a, %u32; .reg .b64 %p, %u64;
  {write} mov.u32 %a, 0; st.param.b32 [status], %a; ret;
}}
"""


def _telling(name: str) -> str:
    """The function that gives the name or the text of a status."""
    which = name == "GetErrorString"
    texts = {code: of_runtime(code)[which] for code in (-1, *CODES)}
    return "".join(
        (
            *(
                f".global .align 1 .b8 weft_{name}_{code + 1}[] = {{{', '.join(map(str, (*text.encode(), 0)))}}};\n"
                for code, text in texts.items()
            ),
            f".visible .func (.param .b64 text) {_PREFIX}{name}(.param .b32 status)\n",
            "{\n  .reg .b64 %a; .reg .b32 %s; .reg .pred %p;\n",
            f"  ld.param.b32 %s, [status]; mov.u64 %a, weft_{name}_0;\n",
            *(f"  setp.eq.u32 %p, %s, {code}; @%p mov.u64 %a, weft_{name}_{code + 1};\n" for code in CODES),
            "  cvta.global.u64 %a, %a; st.param.b64 [text], %a; ret;\n}\n",
        )
    )


LIMITS = {0: 1024, 1: 1 << 20, 2: HEAP_BYTES, 3: 2, 4: 2048}
"""Values by number in `cudaLimit`, as a device has them at first."""
_LIMIT = (
    f"""
.visible .func (.param .b32 status) {_PREFIX}DeviceGetLimit(.param .b64 pointer, .param .b32 limit)
{{
  .reg .b64 %p, %v; .reg .b32 %l, %r; .reg .pred %is;
  ld.param.b64 %p, [pointer]; ld.param.b32 %l, [limit]; mov.u32 %r, 215; mov.u64 %v, 0;
"""
    + "".join(f"  setp.eq.u32 %is, %l, {n}; @%is mov.u64 %v, {v}; @%is mov.u32 %r, 0;\n" for n, v in LIMITS.items())
    + """  setp.eq.u32 %is, %r, 0; @%is st.u64 [%p], %v; st.param.b32 [status], %r; ret;
}
"""
)


_SHARED = dict.fromkeys(_GRID, _BARRIER) | {_PREFIX + name: GRIDS for name in COPYING}
"""What several functions need."""
_TEXTS: dict[str, Callable[[], str]] = {
    **dict.fromkeys(_GRID, str),
    "cudaGraphSetConditional": lambda: _CONDITION,
    **{_PREFIX + name: partial(_quiet, name) for name in (*_QUIET, *(f"{name}_ptsz" for name in _BY_THREAD))},
    **{_PREFIX + name: partial(copying, name) for name in COPYING},
    **{_PREFIX + name: partial(str, text) for name, text in HEAP.items()},
    **{_PREFIX + name: partial(_telling, name) for name in ("GetErrorName", "GetErrorString")},
    _PREFIX + "DeviceGetLimit": lambda: _LIMIT,
}
NAMES = _TEXTS.keys()
"""The functions that are there."""


def with_runtime(module: Module) -> Module:
    """The module, linked with the device runtime where it declares functions of that and does not define them."""
    defined = {function.name for function in module.functions if function.defined}
    wanted = sorted(({function.name for function in module.functions} & NAMES) - defined)
    if not wanted:
        return module
    version = ".".join(map(str, max(module.version, (7, 0))))
    shared = dict.fromkeys(_SHARED[name] for name in wanted if name in _SHARED)
    source = _HEAD.format(version=version, target=module.target)
    return link_modules([module, parse("".join((source, *shared, *(_TEXTS[name]() for name in wanted))))])
