"""Locations are read in every form, kept, and printed as mlir-opt prints them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.dialects import oracle
from weft.errors import MlirError
from weft.mlir import parse_mlir
from weft.mlir.printer import Style, print_mlir
from weft.transforms import run_chunks

FORMS = """\
func.func @f(%a: i32 loc("arg"), %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32 loc("x.py":3:4)
  %1 = arith.addi %0, %b : i32 loc(unknown)
  %2 = arith.addi %1, %b : i32 loc("name"("x.py":3:4))
  %3 = arith.addi %2, %b : i32 loc(callsite("foo" at "x.py":10:8))
  %4 = arith.addi %3, %b : i32 loc(fused["a", "x.py":3:4])
  %5 = "arith.addi"(%4, %b) : (i32, i32) -> i32 loc(fused<"meta">["a", "x.py":3:4])
  %6 = arith.addi %5, %b : i32 loc("x.py":3:4 to 5:6)
  %7 = arith.addi %6, %b : i32 loc("x.py":3:4 to :6)
  cf.br ^bb1(%7 : i32)
^bb1(%z: i32 loc("x.py":1:1)):
  %c = arith.constant true
  scf.if %c {
    %9 = arith.addi %7, %z : i32
  } loc(#loc5)
  return %7 : i32 loc(#loc5)
} loc(#loc6)
#loc5 = loc("y.mlir":1:2)
#loc6 = loc(fused[#loc5, unknown])
"""
NESTED = """\
#map5 = affine_map<(d0)->(d0+4)>
func.func @f(%a: i32 loc(fused["a", "b":1:2]), %i: index) -> i32 {
  %0 = arith.addi %a, %a : i32 loc(fused["a", fused["b":1:2, "c"], callsite("x"("y":1:1) at fused["p", "q"])])
  %m = affine.apply affine_map<(d0)->(d0+1)>(%i) loc("a")
  %m2 = affine.apply affine_map<(d0)->(d0+2)>(%i) {x = affine_map<(d0)->(d0+3)>} loc("a\\22b")
  %m3 = affine.apply affine_map<(d0)->(d0+2)>(%i) {x = loc("qqq")} loc("a")
  %1 = arith.addi %0, %0 : i32 loc("n"("f":1:2 to :3))
  %2 = arith.addi %1, %0 : i32 loc(callsite("f":1:2 to 3:4 at fused["g":1:2 to :3, "h"]))
  return %0 : i32 loc(fused<#map5>["a", "b"])
}
"""
KERNELS = """\
gpu.module @m {
  gpu.func @f(%a: i32, %b: memref<4xf32>) workgroup(%s: memref<4xf32, 3>) private(%p: memref<4xf32, 5>) kernel {
    %c = arith.constant 1 : index
    scf.for %i = %c to %c step %c {
      %r = scf.for %j = %c to %c step %c iter_args(%k = %c) -> index {
        scf.yield %k : index
      }
    }
    gpu.return
  }
}
llvm.func @g(%a: i32) -> i32 {
  llvm.br ^bb1(%a: i32)
^bb1(%q: i32):
  llvm.return %q: i32
}
func.func private @decl(i32, f32 {llvm.noundef})
%c1 = arith.constant 1 : index
gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
    threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
  gpu.terminator
}
"""
TEXTS = {"forms": FORMS, "nested": NESTED, "kernels": KERNELS}
STYLES = {
    "plain": ([], Style()),
    "local": (["--mlir-print-local-scope"], Style(local=True)),
    "debuginfo": (["--mlir-print-debuginfo"], Style(debuginfo=True)),
    "both": (["--mlir-print-debuginfo", "--mlir-print-local-scope"], Style(debuginfo=True, local=True)),
    "generic": (["--mlir-print-op-generic"], Style(generic=True)),
    "all": (["--mlir-print-op-generic", "--mlir-print-debuginfo"], Style(debuginfo=True, generic=True)),
}


def printed(mlir_opt: str, text: str, options: list[str]) -> str:
    """What mlir-opt prints."""
    done = subprocess.run([mlir_opt, *options], input=text, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.sample(3)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", TEXTS)
def test_prints_as_mlir_opt(name: str, style: str, mlir_opt: str) -> None:
    options, ours = STYLES[style]
    theirs = printed(mlir_opt, TEXTS[name], options)
    assert print_mlir(parse_mlir(TEXTS[name], "<stdin>"), ours).strip() == theirs
    assert print_mlir(parse_mlir(theirs, "<stdin>"), ours).strip() == printed(mlir_opt, theirs, options)


@pytest.mark.slow
@pytest.mark.parametrize("path", oracle.FILES, ids=lambda path: path.stem)
def test_locations_of_every_operation(path: Path, mlir_opt: str) -> None:
    outcomes = zip(oracle.cases(path), oracle.stored(path), strict=True)
    given = [case for case, outcome in outcomes if re.match(r"\d+:\d+: ", outcome) is None]
    theirs = oracle.upstream(mlir_opt, given, "--mlir-print-debuginfo")
    text = f"{oracle.MARKER}\n".join(case.text for case in given)
    style = Style(debuginfo=True)
    outcome = run_chunks(text, "", filename="<stdin>", chunked=True, verify_diagnostics=False, style=style)
    for case, ours, expected in zip(given, outcome.text.split(oracle.MARKER), theirs, strict=True):
        assert _without_module(oracle.plain(ours)) == _without_module(expected), f"{path.name}:{case.line}"


def _without_module(text: str) -> str:
    """A text without the module's own location, which mlir-opt takes for the line between two modules."""
    return re.sub(r"(?m)^#loc = .*\n?", "", text)


def test_keeps_the_names_behind_the_text() -> None:
    text = print_mlir(parse_mlir(FORMS), Style(debuginfo=True))
    assert print_mlir(parse_mlir(text), Style(debuginfo=True)) == text


def test_an_error_has_the_place_that_the_text_gives() -> None:
    from weft.errors import MlirError

    with pytest.raises(MlirError) as caught:
        parse_mlir('func.func @f() -> i32 {\n  return loc("k.py":7:9)\n}\n')
    assert (caught.value.position.file, caught.value.position.line, caught.value.position.column) == ("k.py", 7, 9)


@pytest.mark.parametrize("place", ["4294967296:1", "1:4294967296", "1:4 to 4294967296:3", "1:4 to :4294967296", "-1:4"])
def test_numbers_of_lines_and_columns_have_32_bits(place: str) -> None:
    with pytest.raises(MlirError, match="expected integer (line|column) number in FileLineColRange"):
        parse_mlir(f'func.func @f() {{ return }} loc("a":{place})')


@pytest.mark.parametrize("value", ["5 : i32", '"x"', "#arith.fastmath<fast>"])
def test_how_much_is_poison_is_said_by_an_attribute_for_it(value: str) -> None:
    parse_mlir("%0 = ub.poison <#ub.poison> : i32")
    with pytest.raises(MlirError, match="failed to satisfy constraint: PoisonAttrInterface instance"):
        parse_mlir(f"%0 = ub.poison <{value}> : i32")
