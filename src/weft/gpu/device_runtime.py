"""What CUDA's device runtime library (`libcudadevrt.a`, machine code only) gives kernels, as PTX.

The barrier of a grid counts CTAs in one word, as that of cooperative groups does: CTA 0 adds what is missing to the
sign bit, the others one each, so that the bit changes when all have come, and the word serves the next time as it is.
"""

from __future__ import annotations

from weft.ptx.ast import Module
from weft.ptx.linking import link_modules
from weft.ptx.parser import parse

_HEAD = """
.version {version}
.target {target}
.address_size 64
"""
_BARRIER = """
.global .align 4 .u32 weft_grid_barrier;

.visible .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)
{{
  .reg .b64 %r;
  mov.u64 %r, 1; st.param.b64 [handle], %r; ret;
}}

.visible .func (.param .b32 status) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{{
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
}}
"""
_CONDITION = """
.visible .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value)
{{
  .reg .b64 %p; .reg .b32 %v;
  ld.param.b64 %p, [handle]; ld.param.b32 %v, [value]; st.global.b32 [%p], %v; ret;
}}
"""
"""The handle of a condition is the address of its word."""
_SETTING = frozenset({"cudaGraphSetConditional"})
_GRID = frozenset({"cudaCGGetIntrinsicHandle", "cudaCGSynchronize"})
_PREFIX = "__cudaCDP2"
_QUIET: dict[str, tuple[str, int]] = {
    "StreamCreateWithFlags": ("p f", 5),
    "StreamDestroy": ("p", 0),
    "StreamWaitEvent": ("p p f", 0),
    "EventCreateWithFlags": ("p f", 5),
    "EventRecord": ("p p", 0),
    "EventDestroy": ("p", 0),
    "GetLastError": ("", 0),
    "PeekAtLastError": ("", 0),
    "GetDevice": ("p", 0),
    "GetDeviceCount": ("p", 1),
}
"""Functions for kernels that launch: their parameters (64 and 32 bits), and what they write to the first."""
_WRITING = {"StreamCreateWithFlags": "u64", "EventCreateWithFlags": "u64", "GetDevice": "u32", "GetDeviceCount": "u32"}


def _quiet(name: str) -> str:
    """One of those: there is nothing to order, as what kernels launch runs one after the other."""
    kinds, value = _QUIET[name]
    widths = ["b64" if kind == "p" else "b32" for kind in kinds.split()]
    parameters = ", ".join(f".param .{width} p{number}" for number, width in enumerate(widths))
    type_ = _WRITING.get(name)
    write = f"ld.param.b64 %p, [p0]; mov.{type_} %{type_}, {value}; st.{type_} [%p], %{type_};" if type_ else ""
    return f"""
.visible .func (.param .b32 status) {_PREFIX}{name}({parameters})
{{{{
  .reg .b32 %a, %u32; .reg .b64 %p, %u64;
  {write} mov.u32 %a, 0; st.param.b32 [status], %a; ret;
}}}}
"""


NAMES = _GRID | _SETTING | {_PREFIX + name for name in _QUIET}
"""The functions that are there."""


def with_runtime(module: Module) -> Module:
    """The module, linked with the device runtime where it declares functions of that and does not define them."""
    defined = {function.name for function in module.functions if function.defined}
    wanted = {function.name for function in module.functions} & NAMES
    if wanted <= defined:
        return module
    version = ".".join(map(str, max(module.version, (7, 0))))
    source = _HEAD + (_BARRIER if wanted & _GRID else "") + (_CONDITION if wanted & _SETTING else "")
    source += "".join(_quiet(name.removeprefix(_PREFIX)) for name in sorted(wanted - defined - _GRID - _SETTING))
    return link_modules([module, parse(source.format(version=version, target=module.target))])
