"""The quick reader makes of a text what xDSL's parser makes of it, and leaves to it what it does not know."""

from __future__ import annotations

import pytest
from xdsl.ir import Operation

from tests.dialects import readings
from weft.errors import MlirError
from weft.mlir import parse_mlir, print_mlir
from weft.mlir.reader.reader import Reader
from weft.mlir.reader.tokens import END, Tokens

PARTS = 8


def differing(texts: list[str]) -> list[str]:
    """The texts of which the two ways make different things."""
    found = ((text, *readings.both(text)) for text in texts)
    return [text for text, quick, slow in found if quick != slow]


def test_reads_as_xdsl() -> None:
    assert not differing(readings.texts()[:: 3 * PARTS])


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_reads_everything_as_xdsl(part: int) -> None:
    assert not differing(readings.texts()[part::PARTS])


LEFT = {
    "affine.for",
    "affine.max",
    "affine.min",
    "cf.switch",
    "gpu.launch",
    "gpu.launch_func",
    "gpu.subgroup_mma_constant_matrix",
    "llvm.alloca",
    "llvm.atomicrmw",
    "llvm.call",
    "llvm.cmpxchg",
    "llvm.fence",
    "llvm.func",
    "llvm.inline_asm",
    "llvm.load",
    "llvm.mlir.global",
    "memref.alloc",
    "memref.extract_strided_metadata",
    "memref.global",
    "memref.prefetch",
    "memref.transpose",
    "scf.execute_region",
    "scf.for",
    "scf.forall",
    "scf.index_switch",
    "scf.parallel",
    "scf.reduce",
    "vector.contract",
    "vector.from_elements",
    "vector.multi_reduction",
    "vector.outerproduct",
    "vector.print",
    "vector.to_elements",
    "vector.transfer_read",
    "vector.transfer_write",
}
"""Operations of which a program has one, at least, that is left to xDSL."""


def test_takes_most_operations() -> None:
    taken, left = readings.shares(readings.programs())
    assert taken.total() > 0.95 * (taken.total() + left.total()), left.most_common(20)
    assert left.keys() <= LEFT


def test_reads_changed_texts_as_xdsl() -> None:
    assert not readings.differences(200)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 11))
def test_reads_many_changed_texts_as_xdsl(seed: int) -> None:
    assert not readings.differences(1000, seed)


NUMBERS = [
    "255 : i8",
    "-129 : i8",
    "300 : i8",
    "-0 : i32",
    "99999999999999999999 : index",
    "1.0e400 : f32",
    "0.1 : f16",
    "70000.0 : f16",
    "-0.0 : f32",
    "1 : f32",
    "true",
    "dense<1> : vector<4xi32>",
]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers(number: str) -> None:
    quick, slow = readings.both(f"func.func @f() {{ %0 = arith.constant {number} return }}")
    assert quick == slow


@pytest.mark.parametrize(
    "text",
    [
        "module { } // the end",
        '// "a\n"a//b" () : () -> () // \n  x.y //\n',
        "%a = arith.addi %b#1, %c : vector<4x[8]xf32> loc(unknown)",
        'memref<4xf32, affine_map<(d0)[s0] -> (d0 * s0)>> !llvm.struct<"a", (i32)> -1.5e-3',
        '\t \u00e9 \\ "',
        "",
    ],
)
def test_tokens_tile_the_text(text: str) -> None:
    tokens = Tokens(text)
    assert tokens.complete
    assert tokens.texts[-4:] == [END] * 4
    for start, token in zip(tokens.starts, tokens.texts[:-4], strict=False):
        assert text.startswith(token, start)
        assert tokens.index(start) == tokens.starts.index(start)


def test_one_token() -> None:
    tokens = Tokens('%a#1 memref<?x4xf32, strided<[1, ?]>> !llvm.ptr<3> #gpu<dim x> "//" // memref<f32>')
    expected = ["%a#1", "memref<?x4xf32, strided<[1, ?]>>", "!llvm.ptr<3>", "#gpu<dim x>", '"//"']
    assert tokens.texts[:-4] == expected


def test_an_error_deep_inside_is_told_once() -> None:
    depth = 40
    text = "func.func @f(%c: i1) {" + "scf.if %c {" * depth + " arith.addi %c : i1 " + "}" * depth + " return }"
    with pytest.raises(MlirError, match="expected ','") as refused:
        parse_mlir(text)
    assert refused.value.position.column == text.index(" : i1 ") + 1


def test_what_a_region_used_is_free_again() -> None:
    """The region of an operation that the quick reader gives up after it leaves no uses."""
    text = """
      func.func @f(%c: i1, %a: i32) {
        scf.if %c { %0 = arith.addi %a, %a : i32 } {"note" = "x{"}
        return
      }
    """
    quick, slow = readings.both(text)
    assert quick == slow


def test_a_bug_of_a_reader_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what a text can cause is read again, slowly."""

    def broken(reader: Reader, index: int) -> Operation:
        raise KeyError("a reader is broken")

    monkeypatch.setattr(Reader, "_find", lambda self, token: broken)
    with pytest.raises(MlirError, match="a reader is broken"):
        parse_mlir("module {}")


def test_blocks_named_by_numbers() -> None:
    """MLIR takes `^0`; found in a file of another project, and refused once."""
    given = "func.func @f(%c: i1) {\n  cf.cond_br %c, ^0, ^12\n^0:\n  cf.br ^12\n^12:\n  return\n}\n"
    assert print_mlir(parse_mlir(given)) == print_mlir(parse_mlir(given.replace("^", "^bb")))


def test_names_without_a_dialect_are_of_the_operation_around_them() -> None:
    """The same name is another operation in another one, whichever was read first."""
    kinds = {"func": "func.func @{}() {{ return }}", "async": "async.func @{}() -> !async.token {{ return }}"}
    for order in (("func", "async", "func"), ("async", "func", "async")):
        module = parse_mlir("\n".join(kinds[kind].format(f"f{n}") for n, kind in enumerate(order)))
        names = [op.name for op in module.walk() if op.name.endswith(".return")]
        assert names == [f"{kind}.return" for kind in order]
