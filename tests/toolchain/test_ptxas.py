"""Assembling: resources, errors with their lines, and what happens without the tool."""

from __future__ import annotations

import pytest

from weft.errors import Severity, ToolError
from weft.ptx.parser import parse
from weft.toolchain import Tool, assemble, find
from weft.toolchain.ptxas import parse_messages, parse_statistics, target_of

KERNEL = """\
.version 8.0
.target sm_80
.address_size 64

.visible .entry copy(.param .u64 dst, .param .u64 src)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<5>;
    .shared .align 4 .b8 tile[512];
    ld.param.u64 %rd1, [dst];
    ld.param.u64 %rd2, [src];
    mov.u32 %r1, tile;
    ld.global.u32 %r2, [%rd2];
    st.shared.u32 [%r1], %r2;
    bar.sync 0;
    ld.shared.u32 %r2, [%r1+4];
    st.global.u32 [%rd1], %r2;
    ret;
}
"""

STATISTICS = """\
ptxas info    : 4 bytes gmem, 16 bytes cmem[4]
ptxas info    : Compiling entry function 'one' for 'sm_80'
ptxas info    : Function properties for one
    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 24 registers, used 1 barriers, 8 bytes cumulative stack size, \
512 bytes smem, 360 bytes cmem[0], 8 bytes cmem[2]
ptxas info    : Compile time = 3.356 ms
ptxas info    : Compiling entry function 'two' for 'sm_80'
ptxas info    : Function properties for two
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 72 registers, used 0 barriers, 360 bytes cmem[0]
ptxas info    : Function properties for helper
    32 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
"""


def test_resources(ptxas: Tool) -> None:
    cubin = assemble(KERNEL)
    kernel = cubin.kernel("copy")
    assert cubin.data[:4] == b"\x7fELF"
    assert cubin.target == "sm_80"
    assert kernel.shared_bytes == 512
    assert kernel.barriers == 1
    assert kernel.spills == kernel.stack_bytes == 0
    assert 4 <= kernel.registers <= 32


def test_target_overrides_the_header(ptxas: Tool) -> None:
    assert assemble(KERNEL, "sm_90").target == "sm_90"


def test_errors_have_lines(ptxas: Tool) -> None:
    text = KERNEL.replace("bar.sync 0;", "bar.snyc 0;").replace("ret;", "mov.u32 %q, 1;")
    with pytest.raises(ToolError) as caught:
        assemble(text, file="copy.ptx")
    lines = {item.line for item in caught.value.diagnostics}
    assert {15, 18} <= lines
    assert caught.value.position.line == 15
    assert "copy.ptx:15" in str(caught.value)
    assert "bar.snyc 0;" in str(caught.value)


def test_errors_of_a_module_have_the_lines_of_its_text(ptxas: Tool) -> None:
    text = "// a comment\n" + KERNEL.replace("st.shared.u32", "st.shared.u33")
    module = parse(text, "copy.ptx")
    with pytest.raises(ToolError) as caught:
        assemble(module)
    assert str(caught.value.position) == "copy.ptx:15"
    module.kernels[0].name = "other"  # The text says something else now.
    with pytest.raises(ToolError) as caught:
        assemble(module)
    assert caught.value.position.file == "<ptx>"


def test_a_header_on_one_line(ptxas: Tool) -> None:
    text = KERNEL.replace("\n.target", " .target").replace("\n.address", " .address")
    assert target_of(text) == "sm_80"
    assert assemble(text).target == "sm_80"


def test_statistics_are_by_kernel() -> None:
    one, two = parse_statistics(STATISTICS)
    assert (one.name, one.registers, one.shared_bytes, one.constant_bytes) == ("one", 24, 512, 368)
    assert (one.stack_bytes, one.spill_store_bytes, one.spill_load_bytes, one.spills) == (8, 12, 16, 28)
    assert (two.name, two.registers, two.barriers, two.spills) == ("two", 72, 0, 0)


def test_remarks_keep_their_code() -> None:
    output = "ptxas info    : (C7514) Potential Performance Loss: wgmma.mma_async instructions are serialized\n"
    (remark,) = parse_messages(output + STATISTICS, "")
    assert (remark.code, remark.severity) == ("C7514", Severity.NOTE)
    assert remark.message.startswith("Potential Performance Loss")


def test_text_without_target() -> None:
    with pytest.raises(ToolError, match=r"no \.target"):
        target_of(".version 8.0\n")


def test_missing_tool_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_PTXAS", "/no/such/ptxas")
    find.cache_clear()
    try:
        with pytest.raises(ToolError, match="WEFT_PTXAS"):
            assemble(KERNEL)
    finally:
        monkeypatch.undo()
        find.cache_clear()
