"""Every attribute that is one of some words, given another one, nothing, and what is not a word: mlir-opt's errors."""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute

from tests.dialects import oracle
from weft.dialects import lazy

DIALECTS = ("arith", "gpu", "llvm", "nvgpu", "nvvm", "vector")
OTHERWISE = {"llvm.tailcallkind", "llvm.framePointerKind", "vector.kind"}
"""Of which MLIR lists the words in an order of its own, or with quotes, or xDSL reads what is in them."""
WRONG = ("nonsense", "", '"a b"')


def test_wrong_words(mlir_opt: str) -> None:
    enums = [one for dialect in DIALECTS for one in lazy.attributes(dialect) if issubclass(one, EnumAttribute)]
    assert len(enums) > 40
    given: list[oracle.Case] = []
    for cls in enums:
        if cls.name in OTHERWISE:
            continue
        dialect, _, name = cls.name.partition(".")
        for word in WRONG:
            given.append(oracle.Case(f"module attributes {{test.a = #{dialect}.{name}<{word}>}} {{}}\n", 1))
    theirs, ours = oracle.upstream(mlir_opt, given), oracle.ours(given)
    wrong = [(case.text, a, b) for case, a, b in zip(given, ours, theirs, strict=True) if a != b]
    assert not wrong, f"{len(wrong)} of {len(given)}: {wrong[:3]}"
