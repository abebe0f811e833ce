"""Names of operations that lack their dialect, in the regions of operations that imply one and of those that do not."""

from __future__ import annotations

from tests.dialects import oracle

REGIONS = {
    "async.func": "async.func @f() -> !async.token { @ }",
    "builtin.module": "builtin.module { @ }",
    "func.func": "func.func @f() { @ }",
    "gpu.module": "gpu.module @m { @ }",
    "gpu.func": "gpu.module @m { gpu.func @f() { @ } }",
    "llvm.func": "llvm.func @f() { @ }",
    "scf.execute_region": "func.func @f() { scf.execute_region { @ } return }",
}
ENDS = (
    "return",
    "yield",
    "module {}",
    "async.return",
    "func.return",
    "transform.yield",
    "llvm.return",
    "func @g() {}",
)


def test_as_mlir_opt(mlir_opt: str) -> None:
    given = [oracle.Case(text.replace("@ }", f"{end}\n}}") + "\n", 1) for text in REGIONS.values() for end in ENDS]
    theirs, ours = oracle.upstream(mlir_opt, given), oracle.ours(given)
    # Where mlir-opt leaves the dialect away again is another matter.
    plain = [[text.replace("async.return", "return") for text in side] for side in (ours, theirs)]
    wrong = [(case.text, a, b) for case, a, b in zip(given, *plain, strict=True) if a != b]
    assert not wrong, wrong[:3]
