"""Launches that the hardware would refuse, and options that do not exist: errors with a hint, nothing runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from weft.errors import WeftError
from weft.sim import KernelFault, Sampler, SimulationError, Texture

HEADER = ".version {version}\n.target {target}\n.address_size 64\n"


def refused(body: str = "ret;", parameters: str = "", target: str = "sm_80", version: str = "8.0", **more: Any) -> str:
    text = HEADER.format(version=version, target=target) + f".visible .entry k({parameters}) {{ {body} }}"
    launch: dict[str, Any] = {"grid": 1, "block": 32, "args": [], **more}
    with pytest.raises(SimulationError) as caught:
        weft.run(weft.parse(text), "k", **launch)
    return str(caught.value)


def runs(body: str = "ret;", parameters: str = "", target: str = "sm_80", version: str = "8.0", **more: Any) -> None:
    text = HEADER.format(version=version, target=target) + f".visible .entry k({parameters}) {{ {body} }}"
    weft.run(weft.parse(text), "k", **{"grid": 1, "block": 32, "args": [], **more})


@pytest.mark.parametrize(
    ("options", "near"),
    [
        ({"check": "strickt"}, "did you mean strict?"),
        ({"check": "Strict"}, "did you mean strict?"),
        ({"check": None}, "expected one of"),
        ({"async_": "lasy"}, "did you mean lazy?"),
        ({"async_": "rand"}, "did you mean random?"),
        ({"async_": 1}, "expected one of"),
        ({"report": "every"}, "expected one of first, all"),
        ({"mma": "hardwar"}, "did you mean hardware?"),
        ({"engine": "nativ"}, "did you mean native?"),
    ],
)
def test_options_that_do_not_exist(options: dict[str, Any], near: str) -> None:
    message = refused(**options)
    ((name, value),) = options.items()
    assert f"unknown {name} {value!r}\n" in message
    assert near in message


@pytest.mark.parametrize("field", ["address_mode", "filter_mode", "mipmap_filter_mode"])
def test_modes_of_textures_that_do_not_exist(field: str) -> None:
    word: Any = {field: "poimt"}
    with pytest.raises(WeftError, match=field):
        Sampler(**word)
    with pytest.raises(WeftError, match=field):
        Texture(np.zeros(4, np.float32), **word)


@pytest.mark.parametrize(
    ("target", "kilobytes"), [("sm_70", 96), ("sm_75", 64), ("sm_80", 163), ("sm_86", 99), ("sm_90a", 227),
                              ("sm_100a", 227), ("sm_120a", 99)],
)  # fmt: skip
def test_shared_memory_of_a_target(target: str, kilobytes: int) -> None:
    static = ".shared .align 16 .b8 s[1024];"
    most = (kilobytes - 1) * 1024
    runs(static + " ret;", target=target, version="9.0", shared_bytes=most)
    message = refused(static + " ret;", target=target, version="9.0", shared_bytes=most + 1)
    assert f"at most {kilobytes * 1024:,} bytes" in message


def test_static_shared_memory() -> None:
    runs(".shared .align 16 .b8 s[49152]; ret;")
    assert "49,152 are allowed" in refused(".shared .align 16 .b8 s[49153]; ret;")


def test_extents() -> None:
    assert "along y" in refused(grid=(1, 65536))
    assert "along z" in refused(grid=(1, 1, 65536))
    assert "along z" in refused(block=(1, 1, 65))
    assert "1025 threads" in refused(block=1025)
    runs(block=(2, 2, 64))


def test_clusters() -> None:
    assert "no clusters" in refused(grid=2, cluster=2)
    assert "at most 16" in refused(grid=32, cluster=32, target="sm_90")
    runs(grid=16, cluster=16, target="sm_90")


@pytest.mark.parametrize(
    ("version", "target", "most"), [("8.0", "sm_90", 4096), ("8.1", "sm_60", 4096), ("8.1", "sm_70", 32764)]
)
def test_parameters(version: str, target: str, most: int) -> None:
    runs("ret;", f".param .align 4 .b8 p[{most}]", target, version, args=[bytes(most)])
    message = refused("ret;", f".param .align 4 .b8 p[{most}], .param .u32 q", target, version, args=[bytes(most), 1])
    assert f"{most:,} are allowed" in message


def test_local_and_constant_memory() -> None:
    assert "local memory" in refused(".local .b8 a[524289]; ret;")
    runs(".local .b8 a[524288]; ret;", block=1)
    assert "524,289 bytes" in refused(".local .b8 a[262144]; { .local .b8 a[262145]; } ret;")
    text = HEADER.format(version="8.0", target="sm_80")
    text += ".const .b8 c[{}]; .visible .entry k() {{ .reg .b32 %r; ld.const.b8 %r, [c]; ret; }}"
    weft.run(weft.parse(text.format(65536)), "k", 1, 32, [])
    with pytest.raises(SimulationError, match="65,537 bytes of constants; at most 65,536 are allowed"):
        weft.run(weft.parse(text.format(65537)), "k", 1, 32, [])


def test_variables_of_other_modules() -> None:
    """Of which there is only a declaration: nobody knows what they hold, unless nothing mentions them."""
    text = (
        HEADER.format(version="8.0", target="sm_80")
        + ".extern .global .b32 far; .visible .entry k() { .reg .b32 %r; BODY ret; }"
    )
    weft.run(weft.parse(text.replace("BODY", "")), "k", 1, 32, [])
    with pytest.raises(SimulationError, match="'far' is declared but not defined in the module"):
        weft.run(weft.parse(text.replace("BODY", "ld.global.u32 %r, [far];")), "k", 1, 32, [])


@pytest.mark.parametrize(
    "access", ["ld.global.u32 %r, [%a];", "ld.u32 %r, [%a];", "st.global.u32 [%a], 1;", "atom.global.add.u32 %r, [%a], 1;",
               "red.global.add.u32 [%a], 1;", "prefetch.global.L2 [%a]; ld.u32 %r, [%a+4];"],
)  # fmt: skip
def test_bad_pointers_in_a_kernel_without_buffers(access: str) -> None:
    text = HEADER.format(version="8.0", target="sm_80")
    text += f".visible .entry k() {{ .reg .b64 %a; .reg .b32 %r; mov.u64 %a, 64; {access} ret; }}"
    with pytest.raises(KernelFault) as caught:
        weft.run(weft.parse(text), "k", 1, 32, [])
    assert caught.value.kind == "out-of-bounds"
    assert "no buffers" in str(caught.value)


@pytest.mark.parametrize(("registers", "threads"), [(64, 1024), (128, 512), (255, 256), (168, 384), (72, 896)])
def test_registers(registers: int, threads: int) -> None:
    runs(registers=registers, block=threads)
    message = refused(registers=min(255, registers + 8), block=threads + 32 if registers == 255 else threads)
    assert "a multiprocessor has 65,536" in message


def test_registers_that_kernels_hand_on() -> None:
    """A kernel with `setmaxnreg` starts with what `.maxnreg` says; of others ptxas may use fewer."""
    text = HEADER.format(version="8.0", target="sm_90a") + ".visible .entry k() .maxnreg 168 { BODY ret; }"
    handing = weft.parse(text.replace("BODY", "setmaxnreg.dec.sync.aligned.u32 40;"))
    weft.run(handing, "k", 1, 384, [])
    with pytest.raises(SimulationError, match="registers"):
        weft.run(handing, "k", 1, 512, [])
    weft.run(weft.parse(text.replace("BODY", "")), "k", 1, 1024, [])
