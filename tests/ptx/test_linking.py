"""Several modules as one: what is private, shared, weak, common and external, held to runs and to ptxas."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.ptx.linking import LinkError, link_modules

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
CALLER = (
    HEAD
    + """
.extern .global .align 4 .u32 shared_value;
.extern .func (.param .b32 r) helper(.param .b32 x);
.global .align 4 .u32 mine = 1;
.visible .entry k(.param .u64 out)
{
  .reg .b64 %p; .reg .b32 %a, %b;
  ld.param.u64 %p, [out]; ld.global.u32 %a, [shared_value]; ld.global.u32 %b, [mine]; add.u32 %a, %a, %b;
  { .param .b32 x; .param .b32 r; st.param.b32 [x], %a; call.uni (r), helper, (x); ld.param.b32 %a, [r]; }
  st.global.u32 [%p], %a; ret;
}
"""
)
CALLEE = (
    HEAD.replace("sm_80", "sm_90").replace("8.0", "8.3")
    + """
.visible .global .align 4 .u32 shared_value = 5;
.global .align 4 .u32 mine = 10;
.visible .func (.param .b32 r) helper(.param .b32 x)
{
  .reg .b32 %a, %b;
  ld.param.b32 %a, [x]; ld.global.u32 %b, [mine]; add.u32 %a, %a, %b; st.param.b32 [r], %a; ret;
}
"""
)


def linked(*texts: str) -> weft.Module:
    return link_modules([weft.parse(text) for text in texts])


@pytest.mark.parametrize("order", [(CALLER, CALLEE), (CALLEE, CALLER)])
def test_names_are_resolved_and_private_ones_kept_apart(order: tuple[str, str]) -> None:
    module = linked(*order)
    assert (module.version, module.target) == ((8, 3), "sm_90")
    assert weft.verify(module) == []
    out = np.zeros(1, np.uint32)
    weft.run(module, "k", 1, 1, [out])
    assert out[0] == 16


def test_ptxas_takes_what_is_linked() -> None:
    pytest.importorskip("nvidia")
    assert weft.assemble(linked(CALLER, CALLEE)).kernel("k").name == "k"


def test_devices_link() -> None:
    with weft.Device("sm_90", memory=1 << 28) as device:
        module = device.load([CALLER, CALLEE])
        out = device.zeros(1, np.uint32)
        module.symbol("shared_value").write(np.uint32(100).tobytes())
        module.kernel("k").launch(1, 1, [out])
        assert out[0] == 111
        with pytest.raises(weft.sim.SimulationError, match="'shared_value' is declared but not defined"):
            device.load(CALLER).kernel("k").launch(1, 1, [out])


def test_weak_and_common() -> None:
    weak = HEAD + ".weak .global .align 4 .u32 v = 1;\n"
    strong = HEAD + ".visible .global .align 4 .u32 v = 2;\n"
    common = HEAD + ".common .global .align 4 .b8 c[{size}];\n"
    for texts in ((weak, strong), (strong, weak), (weak, weak, strong)):
        (variable,) = linked(*texts).variables
        assert variable.linkage == "visible" and "= 2" in str(variable)
    (variable,) = linked(weak, weak.replace("= 1", "= 3")).variables
    assert "= 1" in str(variable)
    (variable,) = linked(common.format(size=4), common.format(size=16), common.format(size=8)).variables
    assert variable.dims == (16,)


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        (".visible .global .u32 v;", ".visible .global .u32 v;", "'v' is defined twice"),
        (".visible .global .u32 v;", ".visible .func v() { ret; }", "conflicting declarations of 'v'"),
        (".visible .global .u32 v;", ".extern .const .u32 v;", "conflicting declarations of 'v'"),
        (".visible .func f() { ret; }", ".extern .func f(.param .b32 x);", "conflicting declarations of 'f'"),
        (".visible .entry k() { ret; }", ".visible .entry k() { ret; }", "'k' is defined twice"),
    ],
)
def test_what_does_not_fit(one: str, other: str, message: str) -> None:
    with pytest.raises(LinkError, match=message):
        linked(HEAD + one, HEAD + other)


def test_files_of_locations_are_numbered_anew() -> None:
    body = '.visible .entry {name}() {{\n.loc 1 {line} 1\nret;\n}}\n.file 1 "{file}"\n'
    module = linked(
        HEAD + body.format(name="a", line=5, file="a.cu"), HEAD + body.format(name="b", line=7, file="b.cu")
    )
    text = module.to_ptx()
    assert '.file 1 "a.cu"' in text and '.file 2 "b.cu"' in text and ".loc 1 5 1" in text and ".loc 2 7 1" in text
