"""Bad MLIR text ends in a `MlirError` with a place, never in another exception."""

from __future__ import annotations

import random
import re
import subprocess
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from tests.dialects.oracle import Case, ours, upstream
from weft.errors import MlirError
from weft.mlir import parse_mlir, position, verification

ROOT = Path(__file__).parents[2]
GEMM = (Path(__file__).parent / "snippets" / "gemm_sm80.mlir").read_text()

BAD = {
    "func.func @f() {\n  cf.br foo\n}": (2, 8, "expected block name"),
    "func.func @f() {\n  %a:x = arith.constant 1 : i32\n  return\n}": (2, 6, "expected integer number of results"),
    "func.func @f() {\n  %a, = arith.constant 1 : i32\n  return\n}": (2, 6, "expected valid ssa identifier"),
    "module {": (1, 7, "expected operation name in quotes"),
    "gpu.module @m { foo.bar }": (1, 17, "Dialect `foo' not found for custom op 'foo.bar'"),
    "gpu.module @m { gpu.foo }": (1, 17, "custom op 'gpu.foo' is unknown"),
    "func.func @f() {\n  %x = gpu.thread_id w\n  return\n}": (
        2,
        22,
        "custom op 'gpu.thread_id' expected ::mlir::gpu::Dimension to be one of: x, y, z",
    ),
    "func.func @f() {\n  %a = arith.addi %b, %b : i32\n  return\n}": (2, 19, "use of undeclared SSA value name"),
    "func.func @f(%a: i32, %b: i64) {\n  %c = arith.addi %a, %b : i32\n  return\n}": (
        2,
        23,
        "use of value '%b' expects different type than prior uses: 'i32' vs 'i64'",
    ),
    "func.func @f(%i: i32) {\n  %a = arith.addi %b, %i : i32\n  %b = arith.addi %i, %i : i32\n  return\n}": (
        2,
        8,
        "operand #0 does not dominate this use",
    ),
    "func.func @f(%i: i32) {\n  %a, %b = arith.addi %i, %i : i32\n  return\n}": (
        2,
        3,
        "operation defines 1 results but was provided 2 to bind",
    ),
}


@pytest.mark.parametrize("text", BAD)
def test_place_and_message(text: str) -> None:
    with pytest.raises(MlirError) as caught:
        parse_mlir(text, "bad.mlir")
    error = caught.value
    assert (error.position.line, error.position.column, error.message) == BAD[text]
    first, source, caret = error.render().splitlines()[:3]
    assert first.startswith(f"bad.mlir:{error.position.line}:{error.position.column}: error: ")
    assert source == text.splitlines()[error.position.line - 1]
    assert caret == " " * (error.position.column - 1) + "^"


@pytest.mark.sample(1)
@pytest.mark.parametrize("text", BAD)
def test_mlir_opt_says_the_same(text: str, mlir_opt: str) -> None:
    done = subprocess.run([mlir_opt], input=text, capture_output=True, text=True, check=False)
    line, column, message = BAD[text]
    assert done.stderr.splitlines()[0].rstrip() == f"<stdin>:{line}:{column}: error: {message}"


def test_nothing_is_an_empty_module() -> None:
    assert not parse_mlir("// nothing\n").body.block.ops


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", range(60))
def test_damaged_text(seed: int) -> None:
    generator = random.Random(seed)
    place = generator.randrange(len(GEMM))
    if seed % 3 == 0:
        text = GEMM[:place]
    else:
        text = GEMM[:place] + generator.choice('%@{}<>()x019 ,:"\0') + GEMM[place + generator.randrange(3) :]
    try:
        parse_mlir(text)
    except MlirError as error:
        assert error.position.line > 0


def test_operations_know_their_place() -> None:
    module = parse_mlir(GEMM, "gemm.mlir")
    lines = GEMM.splitlines()
    for op in list(module.walk())[1:]:
        place = position(op)
        assert place.file == "gemm.mlir"
        assert place.source == lines[place.line - 1]
        around = op.parent_op()
        assert around is not None
        # A yield that no text names stands where the operation is that it belongs to.
        implicit = op.name == "scf.yield" and op.location == around.location
        name = around.name if implicit else op.name
        assert lines[place.line - 1][place.column - 1 :].startswith((name, name.removeprefix("func.")))


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.mlir")), ids=lambda path: path.stem)
def test_what_is_right_is_found_right_at_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slower checks, which say what is wrong, are not asked."""

    def asked(_: object) -> None:
        pytest.fail("modules that are right take the slower checks")

    monkeypatch.setattr(verification, "verification_errors", asked)
    verification.verify_module(parse_mlir(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("kind", [AttributeError, IndexError, KeyError, ValueError])
def test_rules_that_go_wrong_are_not_hidden(monkeypatch: pytest.MonkeyPatch, kind: type[Exception]) -> None:
    """What a rule raises of a module that nothing is wrong with is a defect of the rule, and is told as one."""

    def broken(*_: object) -> None:
        raise kind("broken")

    text = "gpu.module @m { gpu.func @k() kernel { gpu.return } }"
    module = parse_mlir(text)
    verification.verify_module(module)
    monkeypatch.setattr(verification, "check", broken)
    with pytest.raises(kind, match="broken"):
        verification.verify_module(module)
    operation = next(op for op in module.walk() if op.name == "gpu.return")
    operation.detach()
    with pytest.raises(MlirError):  # Here something is.
        verification.verify_module(module)


def _outside(indices: list[list[int]], shape: list[int]) -> list[int] | None:
    """The first index that is no place of a shape."""
    return next((each for each in indices if any(not 0 <= at < n for at, n in zip(each, shape, strict=True))), None)


def test_sparse_values_stand_inside_their_shape() -> None:
    """Shapes of one to three dimensions, and indices at each end of these and just beyond."""
    for shape in ([1], [3], [2, 3], [3, 1, 2]):
        places = [list(each) for each in product(*((-1, 0, n - 1, n) for n in shape))]
        for indices in ([each, [0] * len(shape)] for each in places):
            kind = f"tensor<{'x'.join(map(str, shape))}xi32>"
            text = f'"test.op"() {{a = sparse<{indices}, [7, 9]> : {kind}}} : () -> ()'
            wrong = _outside(indices, shape)
            if wrong is None:
                parse_mlir(text, allow_unregistered=True)
                continue
            with pytest.raises(MlirError, match=re.escape(f"with index={wrong}, and type='{kind}'")):
                parse_mlir(text, allow_unregistered=True)


_BROKEN = {
    "bracket of a memref": "func.func @f(%m: memref 4xf32>)",
    "memref inside": "func.func @f(%m: memref<4xvector<4xf32, 3>)",
    "memref goes on": "func.func @f(%m: memref<4xf32 %i)",
    "tensor goes on": "func.func @f(%m: tensor<4xf32 %i)",
    "complex goes on": "func.func @f(%m: complex<f32 %i)",
    "tuple goes on": "func.func @f(%m: tuple<f32 3)",
    "negative extent": "func.func @f(%m: vector<[-4]xf32>)",
    "no x": "func.func @f(%m: tensor<4?f32>)",
    "scalable": "func.func @f(%m: vector<[4xf32>)",
    "no type of an operation": '"func.func"() ({}) ) : () -> ()',
    "type of an operation": '"func.func"() ({}) : i32',
    "no result types": '"func.func"() ({}) : ()',
    "operands": '"func.func"( ({}) : () -> ()',
    "map": "func.func @f(%m: memref<4xf32, affine_map<(d0) -> (d0>>)",
    "dictionary": "func.func @f() attributes {a = 3",
}


@pytest.mark.parametrize("name", _BROKEN)
def test_broken_types_in_upstreams_words(name: str, mlir_opt: str) -> None:
    (theirs,), (own,) = (run([Case(_BROKEN[name] + "\n", 1)]) for run in (partial(upstream, mlir_opt), ours))
    assert own == theirs
