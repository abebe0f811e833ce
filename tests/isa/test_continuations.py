"""What may follow the beginning of an opcode is what some legal opcode has there."""

from __future__ import annotations

import pytest

from weft.isa.continuations import continuations
from weft.isa.registry import compiled_forms, stems
from weft.ptx.sample import sample_variants


@pytest.mark.sample(48)
@pytest.mark.parametrize("stem", list(stems()))
def test_every_beginning_of_a_legal_opcode_goes_on(stem: str) -> None:
    for form in compiled_forms(stem):
        for variant in sample_variants(form):
            text = variant.compiled.spell(variant.slots)
            words = text[len(stem) :].split(".")[1:]
            written = stem
            while words:
                offered = continuations(written)
                longer = (".".join(words[:count]) for count in range(len(words), 0, -1))
                word = next((one for one in longer if one in offered), None)
                assert word is not None, f"{written} offers {sorted(offered)}, not {words[0]}"
                written = f"{written}.{word}"
                words = words[word.count(".") + 1 :]


def test_only_what_goes_with_the_words_before() -> None:
    assert list(continuations("ldmatrix.sync.aligned.m16n16")) == ["x1", "x2"]
    assert "b16" not in continuations("ldmatrix.sync.aligned.m16n16.x1.trans")
    assert set(continuations("mma.sync.aligned.m16n8k16.row.col.f32")) == {"f16", "bf16", "e4m3", "e5m2"}
    assert continuations("bra.uni") == {} and continuations("nothing") == {}
    assert {"async", "reduce"} <= set(continuations("cp"))
