"""`--allow-unregistered-dialect`: operations, attributes and types of dialects that weft does not know."""

from __future__ import annotations

import subprocess

import pytest

from weft.dialects import lazy
from weft.errors import MlirError
from weft.mlir import parse_mlir
from weft.mlir.printer import print_mlir

TEXT = """\
func.func @f(%a: !foo.bar<i32, "x">) attributes {x = #foo.attr<1, [2]>} {
  %1 = "foo.y"() {a = #foo<bar<1>>, b = #foo<bar>, c = #foo<"x">, d = #foo<[1, 2]>, e = #foo<bar<[1], "x">>,
    f = #foo.bar<1>, g = #foo<bar<1>, 2>, h = #foo<bar.baz<1>>, i = #foo<b$r>, j = !foo<bar<i32>>, k = !foo<bar>} : () -> i32
  %0:2 = "foo.bar"(%1) <{p = 1}> ({
  ^bb0(%x: i32):
    "foo.yield"(%x)[^bb1] : (i32) -> ()
  ^bb1:
    "foo.end"() : () -> ()
  }, {}) {a = affine_map<(d0) -> (2 * d0)>} : (i32) -> (i32, f32)
  return
}
%0 = "bar"() : () -> i32
"""
OPTION = "--allow-unregistered-dialect"


def test_printed_as_mlir_opt_prints(mlir_opt: str) -> None:
    theirs = subprocess.run([mlir_opt, OPTION], input=TEXT, capture_output=True, text=True, check=True).stdout
    ours = print_mlir(parse_mlir(TEXT, allow_unregistered=True))
    assert ours.strip() == theirs.strip()
    assert print_mlir(parse_mlir(ours, allow_unregistered=True)) == ours


@pytest.mark.parametrize("dialect", [*lazy.LAZY_DIALECTS, "scf", "cf", "func", "math", "affine", "ub", "builtin"])
@pytest.mark.parametrize("text", ["func.func private @f(!{}.nosuch)", "module attributes {{x.y = #{}.nosuch}} {{}}"])
def test_names_that_a_known_dialect_does_not_have(dialect: str, text: str) -> None:
    with pytest.raises(MlirError, match="unknown .*(nosuch|type)|no (type|attribute) parsing hook"):
        parse_mlir(text.format(dialect), allow_unregistered=True)


REFUSED = {
    '%0 = "foo.bar"() : () -> i32': "use -allow-unregistered-dialect with the MLIR tool used",
    '%0 = "arith.foo"() : () -> i32': "unregistered operation 'arith.foo' found in dialect ('arith')",
    "%0 = foo.bar : i32": "Dialect `foo' not found for custom op 'foo.bar'",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused_as_mlir_opt_refuses(text: str, mlir_opt: str) -> None:
    done = subprocess.run([mlir_opt], input=text, capture_output=True, text=True, check=False)
    with pytest.raises(MlirError) as caught:
        parse_mlir(text, "<stdin>")
    assert REFUSED[text] in caught.value.message
    place = caught.value.position
    assert f"<stdin>:{place.line}:{place.column}: error: {caught.value.message}" in done.stderr
