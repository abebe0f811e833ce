"""Moving modules to other targets, with ptxas as the judge of where they can go."""

from __future__ import annotations

from pathlib import Path

import pytest

import weft
from tests.conftest import ROOT
from tests.ptx.oracle import assemble
from weft.errors import WeftError
from weft.isa.target import Version
from weft.ptx.retarget import retarget, rewrite_header

HEADER = """\
// .version 1.0
/* .target sm_10 */
.version\t7.8 // seven
.target  /* here: */ sm_80 , debug
.address_size 64
"""
KERNEL = "\n.entry k() {\n\t.reg .b32 %r;\n\tmov.u32 %r, %tid.x;  // .target sm_80\n\tret; }\n"
ASYNC = KERNEL.replace("ret;", "cp.async.wait_all;\n\tret;")


def test_only_the_header_changes() -> None:
    text = HEADER + KERNEL
    found = rewrite_header(text, "sm_90a", Version(8, 0))
    assert found == text.replace("7.8 // seven", "8.0 // seven").replace("sm_80 , debug", "sm_90a , debug")


def test_the_version_rises_only_as_far_as_it_must() -> None:
    module = weft.parse(HEADER + KERNEL)
    assert retarget(module, "sm_86").version == (7, 8)
    assert retarget(module, "sm_90a").version == (8, 0)
    assert retarget(module, "sm_90a", "8.3").version == (8, 3)
    assert retarget(module, "90").target == "sm_90"


def test_what_stands_in_the_way() -> None:
    module = weft.parse(HEADER + ASYNC, filename="k.ptx")
    way = retarget(module, "sm_75")
    assert not way.free
    assert [(r.text, r.position.line) for r in way.obstacles] == [("cp.async.wait_all", 10)]
    way = retarget(module, "sm_100", "8.0")
    assert [r.text for r in way.obstacles] == [".target sm_100"]


@pytest.mark.parametrize(("target", "version"), [("sm_1", None), ("sm_80", "99.9"), ("sm_80", "new")])
def test_a_target_that_does_not_exist(target: str, version: str | None) -> None:
    with pytest.raises(WeftError):
        retarget(weft.parse(HEADER + KERNEL), target, version)


@pytest.mark.sample(1)
@pytest.mark.parametrize("target", ["sm_75", "sm_80", "sm_86", "sm_90", "sm_90a", "sm_100a", "sm_121"])
def test_ptxas_agrees(target: str, tmp_path: Path) -> None:
    texts = {path.stem: weft.compile(path.read_text(), target="sm_80").to_ptx() for path in
             (ROOT / "examples" / "gemm_sm80.mlir", ROOT / "examples" / "saxpy.mlir")}  # fmt: skip
    texts["async"] = (HEADER + ASYNC).replace(", debug", "")
    for name, text in texts.items():
        way = retarget(weft.parse(text), target)
        found = assemble(rewrite_header(text, target, way.version), tmp_path, target=target)
        assert isinstance(found, dict) == way.free, f"{name}: {found}"
