"""What CUDA's device runtime gives kernels to allocate, copy and fill memory, as PTX.

A copy is a grid that the kernel launches, as any other: it comes in the order of its stream, and what it accesses is
checked. Copies between arrays (`cudaArray_t`) are refused.

Source: CUDA C++ Programming Guide, "Device-side API", of the section on dynamic parallelism.
"""

from __future__ import annotations

_THREADS, _CHUNK = 128, 16
_LAUNCH = f"""
.extern .func (.param .b64 buffer) __cudaCDP2GetParameterBufferV2
  (.param .b64 kernel, .param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 shared);
.extern .func (.param .b32 status) __cudaCDP2LaunchDeviceV2(.param .b64 buffer, .param .b64 stream);

.func (.param .b32 status) weft_device_launch(.param .b64 kernel, .param .b64 to, .param .b64 to_row,
  .param .b64 to_slice, .param .b64 from, .param .b64 from_row, .param .b64 from_slice, .param .b64 width,
  .param .b64 height, .param .b64 depth, .param .b64 stream)
{{
  .reg .b64 %k, %n, %b, %h, %d, %s, %v; .reg .b32 %r; .reg .pred %none;
  mov.u32 %r, 0;
  ld.param.b64 %n, [width]; ld.param.b64 %h, [height]; ld.param.b64 %d, [depth];
  mul.lo.u64 %b, %n, %h; mul.lo.u64 %b, %b, %d;
  setp.eq.u64 %none, %b, 0; @%none bra done;
  add.u64 %n, %n, {_THREADS * _CHUNK - 1};
  shr.u64 %n, %n, {(_THREADS * _CHUNK).bit_length() - 1}; min.u64 %n, %n, 65535;
  ld.param.b64 %k, [kernel];
  {{ .param .b64 buffer; .param .b64 kernel_; .param .align 4 .b8 grid[12]; .param .align 4 .b8 block[12];
    .param .b32 shared;
    st.param.b64 [kernel_], %k; st.param.u32 [grid], %h; st.param.u32 [grid+4], %d; st.param.u32 [grid+8], %n;
    st.param.b32 [block], {_THREADS}; st.param.b32 [block+4], 1; st.param.b32 [block+8], 1; st.param.b32 [shared], 0;
    call (buffer), __cudaCDP2GetParameterBufferV2, (kernel_, grid, block, shared); ld.param.b64 %b, [buffer]; }}
  mov.u32 %r, 701;
  setp.eq.u64 %none, %b, 0; @%none bra done;
  ld.param.b64 %v, [to]; st.u64 [%b], %v; ld.param.b64 %v, [to_row]; st.u64 [%b+8], %v;
  ld.param.b64 %v, [to_slice]; st.u64 [%b+16], %v; ld.param.b64 %v, [from]; st.u64 [%b+24], %v;
  ld.param.b64 %v, [from_row]; st.u64 [%b+32], %v; ld.param.b64 %v, [from_slice]; st.u64 [%b+40], %v;
  ld.param.b64 %v, [width]; st.u64 [%b+48], %v; ld.param.b64 %s, [stream];
  {{ .param .b32 state; .param .b64 buffer; .param .b64 queue;
    st.param.b64 [buffer], %b; st.param.b64 [queue], %s;
    call (state), __cudaCDP2LaunchDeviceV2, (buffer, queue); ld.param.b32 %r, [state]; }}
done:
  st.param.b32 [status], %r; ret;
}}
"""


def _grid(name: str, begin: str, whole: str, part: str) -> str:
    """A kernel whose CTAs have a row each, in x, and a slice, in y, and whose threads have 16 bytes each: what they do
    with all of them where both addresses are aligned to that, and with one byte of what is not.
    """
    return f"""
.visible .entry {name}(.param .u64 to, .param .u64 to_row, .param .u64 to_slice, .param .u64 from,
  .param .u64 from_row, .param .u64 from_slice, .param .u64 width)
{{
  .reg .b64 %to, %from, %n, %at, %end, %step, %row, %slice, %v; .reg .b32 %i, %j, %a, %b, %c, %d; .reg .pred %p;
  mov.u32 %i, %ctaid.x; cvt.u64.u32 %row, %i; mov.u32 %i, %ctaid.y; cvt.u64.u32 %slice, %i;
  ld.param.u64 %to, [to]; ld.param.u64 %v, [to_row]; mad.lo.u64 %to, %row, %v, %to;
  ld.param.u64 %v, [to_slice]; mad.lo.u64 %to, %slice, %v, %to;
  ld.param.u64 %from, [from]; ld.param.u64 %v, [from_row]; mad.lo.u64 %from, %row, %v, %from;
  ld.param.u64 %v, [from_slice]; mad.lo.u64 %from, %slice, %v, %from;
  ld.param.u64 %n, [width];
  mov.u32 %i, %ctaid.z; mov.u32 %j, %tid.x; mad.lo.u32 %i, %i, {_THREADS}, %j; mul.wide.u32 %at, %i, {_CHUNK};
  mov.u32 %i, %nctaid.z; mul.wide.u32 %step, %i, {_THREADS * _CHUNK};
  {begin}
next:
  setp.ge.u64 %p, %at, %n; @%p bra done;
  add.u64 %to, %to, %at; add.u64 %from, %from, %at; sub.u64 %end, %n, %at; min.u64 %end, %end, {_CHUNK};
  or.b64 %v, %to, %from; and.b64 %v, %v, {_CHUNK - 1};
  setp.ne.u64 %p, %v, 0; @%p bra bytes;
  setp.ne.u64 %p, %end, {_CHUNK}; @%p bra bytes;
  {whole}
  bra.uni chunk;
bytes:
  add.u64 %end, %to, %end; mov.u64 %row, %to; mov.u64 %slice, %from;
byte:
  {part}
  add.u64 %row, %row, 1; add.u64 %slice, %slice, 1; setp.lt.u64 %p, %row, %end; @%p bra byte;
chunk:
  sub.u64 %to, %to, %at; sub.u64 %from, %from, %at; add.u64 %at, %at, %step; bra.uni next;
done:
  ret;
}}
"""


GRIDS = (
    _grid(
        "weft_device_copy",
        "",
        "ld.v4.b32 {%a, %b, %c, %d}, [%from]; st.v4.b32 [%to], {%a, %b, %c, %d};",
        "ld.u8 %a, [%slice]; st.u8 [%row], %a;",
    )
    + _grid(
        "weft_device_fill",
        "cvt.u32.u64 %a, %from; prmt.b32 %a, %a, %a, 0; mov.u64 %from, 0; mov.u64 %slice, 0;",
        "st.v4.b32 [%to], {%a, %a, %a, %a};",
        "st.u8 [%row], %a;",
    )
    + _LAUNCH
)
"""What all copies need."""

_COPIES = {
    "MemcpyAsync": ("copy", "to from width kind queue", "to 0 0 from 0 0 width 1 1"),
    "Memcpy2DAsync": (
        "copy",
        "to pitch from from_pitch width height kind queue",
        "to pitch 0 from from_pitch 0 width height 1",
    ),
    "MemsetAsync": ("fill", "to value width queue", "to 0 0 value 0 0 width 1 1"),
    "Memset2DAsync": ("fill", "to row value width height queue", "to row 0 value 0 0 width height 1"),
}
"""The grid, the parameters, and what they give it: place and pitches of rows and slices, of both sides, and extents."""

_ARRAYS = """
  ld.u64 %a, [%p]; ld.u64 %b, [%p+64]; or.b64 %a, %a, %b; mov.u32 %r, 1; setp.ne.u64 %bad, %a, 0; @%bad bra done;
"""


def _side(name: str, at: int) -> str:
    """The place and the pitches of one side of a `cudaMemcpy3DParms`, whose position lies at an offset."""
    return f"""
  ld.u64 %a, [%p+{at + 24}]; ld.u64 %{name}1, [%p+{at + 32}]; ld.u64 %b, [%p+{at + 48}];
  mul.lo.u64 %{name}2, %{name}1, %b;
  ld.u64 %b, [%p+{at}]; add.u64 %a, %a, %b; ld.u64 %b, [%p+{at + 8}]; mad.lo.u64 %a, %b, %{name}1, %a;
  ld.u64 %b, [%p+{at + 16}]; mad.lo.u64 %{name}0, %b, %{name}2, %a;"""


_COPY_3D = (
    ".param .b64 pointer, .param .b64 queue",
    "ld.param.b64 %p, [pointer];"
    + _ARRAYS
    + _side("to", 72)
    + _side("from", 8)
    + "ld.u64 %e0, [%p+128]; ld.u64 %e1, [%p+136]; ld.u64 %e2, [%p+144];",
)
_FILL_3D = (
    ".param .align 8 .b8 place[32], .param .b32 value, .param .align 8 .b8 extent[24], .param .b64 queue",
    """
  ld.param.u64 %to0, [place]; ld.param.u64 %to1, [place+8]; ld.param.u64 %to2, [place+24]; mul.lo.u64 %to2, %to2, %to1;
  ld.param.u32 %r, [value]; cvt.u64.u32 %from0, %r; mov.u64 %from1, 0; mov.u64 %from2, 0;
  ld.param.u64 %e0, [extent]; ld.param.u64 %e1, [extent+8]; ld.param.u64 %e2, [extent+16];""",
)
_STARTED = ("to0", "to1", "to2", "from0", "from1", "from2", "e0", "e1", "e2")


def _flat(parameters: str, given: str) -> tuple[str, str]:
    """The parameters and the loads of a copy of one or two dimensions."""
    names = parameters.split()
    declared = ", ".join(f".param .{'b32' if name in ('kind', 'value') else 'b64'} {name}" for name in names)
    loads = {"value": "ld.param.u32 %r, [value]; cvt.u64.u32 %{to}, %r;"}
    plain = "ld.param.u64 %{to}, [{name}];"
    body = [
        f"mov.u64 %{to}, {name};" if name.isdecimal() else loads.get(name, plain).format(to=to, name=name)
        for to, name in zip(_STARTED, given.split(), strict=True)
    ]
    return declared, " ".join(body)


_BODIES = {
    **{name: (grid, *_flat(parameters, given)) for name, (grid, parameters, given) in _COPIES.items()},
    "Memcpy3DAsync": ("copy", *_COPY_3D),
    "Memset3DAsync": ("fill", *_FILL_3D),
}


def copying(name: str) -> str:
    """One of the functions that copy and fill, by its name without `__cudaCDP2`."""
    grid, parameters, body = _BODIES[name.removesuffix("_ptsz")]
    given = ["k", *_STARTED, "s"]
    places = " ".join(f".param .b64 q{number};" for number in range(len(given)))
    stores = " ".join(f"st.param.b64 [q{number}], %{value};" for number, value in enumerate(given))
    return f"""
.visible .func (.param .b32 status) __cudaCDP2{name}({parameters})
{{
  .reg .b64 %p, %a, %b, %s, %k, %{", %".join(_STARTED)}; .reg .b32 %r; .reg .pred %bad;
  {body}
  ld.param.b64 %s, [queue]; mov.u64 %k, weft_device_{grid};
  {{ .param .b32 state; {places} {stores}
    call (state), weft_device_launch, ({", ".join(f"q{number}" for number in range(len(given)))});
    ld.param.b32 %r, [state]; }}
done:
  st.param.b32 [status], %r; ret;
}}
"""


COPYING = frozenset(name + suffix for name in _BODIES for suffix in ("", "_ptsz"))
"""The functions that copy and fill."""

HEAP = {
    "Malloc": """
.extern .func (.param .b64 place) malloc(.param .b64 size);
.visible .func (.param .b32 status) __cudaCDP2Malloc(.param .b64 pointer, .param .b64 size)
{
  .reg .b64 %p, %n, %a; .reg .b32 %r; .reg .pred %none;
  ld.param.b64 %p, [pointer]; ld.param.b64 %n, [size];
  { .param .b64 place; .param .b64 bytes; st.param.b64 [bytes], %n;
    call (place), malloc, (bytes); ld.param.b64 %a, [place]; }
  st.u64 [%p], %a; setp.eq.u64 %none, %a, 0; selp.u32 %r, 2, 0, %none; st.param.b32 [status], %r; ret;
}
""",
    "Free": """
.extern .func free(.param .b64 place);
.visible .func (.param .b32 status) __cudaCDP2Free(.param .b64 pointer)
{
  .reg .b64 %p;
  ld.param.b64 %p, [pointer]; { .param .b64 place; st.param.b64 [place], %p; call free, (place); }
  st.param.b32 [status], 0; ret;
}
""",
}
"""Memory on the device's heap; 2 says that it has no room."""
