"""Fragment layouts against the manual's formulas, written out shape by shape, and against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from weft.errors import IsaError
from weft.isa import Opcode, decode, opcode
from weft.isa.compiled import CompiledForm
from weft.isa.fragments import Place, element, fragment
from weft.isa.registry import compiled_forms

OPERANDS = {"mma": "abcd", "ldmatrix": "r", "stmatrix": "r", "movmatrix": "ad"}


def legal(form: CompiledForm) -> Iterator[Opcode]:
    slots = [element for element in form.elements if element.slot]
    choices = [(*element.tokens, *([""] if element.optional else [])) for element in slots]
    for tokens in product(*choices):
        chosen = {element.slot: token for element, token in zip(slots, tokens, strict=True)}
        if form.windows(chosen):
            yield decode(form.spell(chosen))


@pytest.mark.sample(1)
@pytest.mark.parametrize("stem", OPERANDS)
def test_every_fragment_holds_every_element_once(stem: str) -> None:
    for form in compiled_forms(stem):
        counts = {spec.name: spec for spec in form.operands}
        for code in legal(form):
            for operand in OPERANDS[stem]:
                held = fragment(code, operand)
                assert held.registers == max(1, counts[operand].count(code.slots)), code
                holders = held.holders()
                assert len(holders) == 32 * held.registers * held.packed == held.matrices * held.rows * held.columns
                assert all(
                    p.matrix < held.matrices and p.row < held.rows and p.column < held.columns for p in holders
                ), (code, operand)


Formula = Callable[[int, int, int], tuple[int, int]]
"""Group (lane / 4), thread in group (lane % 4) and index i of the element in the fragment to row and column."""

# The manual's formulas by shape and multiplicand type: for A, B and the accumulators.
MANUAL: dict[tuple[str, str], tuple[Formula, Formula, Formula]] = {
    ("m8n8k4", "f64"): (
        lambda g, t, i: (g, t),
        lambda g, t, i: (t, g),
        lambda g, t, i: (g, t * 2 + (i & 1)),
    ),
    ("m8n8k16", "s8"): (
        lambda g, t, i: (g, t * 4 + i),
        lambda g, t, i: (t * 4 + i, g),
        lambda g, t, i: (g, t * 2 + i),
    ),
    ("m8n8k32", "u4"): (
        lambda g, t, i: (g, t * 8 + i),
        lambda g, t, i: (t * 8 + i, g),
        lambda g, t, i: (g, t * 2 + i),
    ),
    ("m8n8k128", "b1"): (
        lambda g, t, i: (g, t * 32 + i),
        lambda g, t, i: (t * 32 + i, g),
        lambda g, t, i: (g, t * 2 + i),
    ),
    ("m16n8k4", "tf32"): (
        lambda g, t, i: (g if i == 0 else g + 8, t),
        lambda g, t, i: (t, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    ("m16n8k4", "f64"): (
        lambda g, t, i: (g if i == 0 else g + 8, t),
        lambda g, t, i: (t, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    ("m16n8k8", "f16"): (
        lambda g, t, i: (g if i in (0, 1) else g + 8, t * 2 + (i & 1)),
        lambda g, t, i: (t * 2 + i, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    ("m16n8k8", "tf32"): (
        lambda g, t, i: (g if i in (0, 2) else g + 8, t if i in (0, 1) else t + 4),
        lambda g, t, i: (t if i == 0 else t + 4, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    ("m16n8k8", "f64"): (
        lambda g, t, i: (g if i in (0, 2) else g + 8, t if i in (0, 1) else t + 4),
        lambda g, t, i: (t if i == 0 else t + 4, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    ("m16n8k16", "bf16"): (
        lambda g, t, i: (g if i < 2 or 4 <= i < 6 else g + 8, t * 2 + (i & 1) + (0 if i < 4 else 8)),
        lambda g, t, i: (t * 2 + (i & 1) + (0 if i < 2 else 8), g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    ("m16n8k16", "f64"): (
        lambda g, t, i: (g if i % 2 == 0 else g + 8, i * 2 + t if i % 2 == 0 else i * 2 - 2 + t),
        lambda g, t, i: (t + 4 * i, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    ("m16n8k16", "u8"): (
        lambda g, t, i: (g if i < 4 else g + 8, t * 4 + (i & 3)),
        lambda g, t, i: (t * 4 + i, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    ("m16n8k32", "s8"): (
        lambda g, t, i: (g if i < 4 or 8 <= i < 12 else g + 8, t * 4 + (i & 3) + (0 if i < 8 else 16)),
        lambda g, t, i: (t * 4 + (i & 3) + (0 if i < 4 else 16), g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    ("m16n8k32", "s4"): (
        lambda g, t, i: (g if i < 8 else g + 8, t * 8 + (i & 7)),
        lambda g, t, i: (t * 8 + i, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    ("m16n8k64", "u4"): (
        lambda g, t, i: (g if i < 8 or 16 <= i < 24 else g + 8, t * 8 + (i & 7) + (0 if i < 16 else 32)),
        lambda g, t, i: (t * 8 + (i & 7) + (0 if i < 8 else 32), g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    ("m16n8k128", "b1"): (
        lambda g, t, i: (g if i < 32 else g + 8, t * 32 + (i & 31)),
        lambda g, t, i: (t * 32 + i, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    ("m16n8k256", "b1"): (
        lambda g, t, i: (g if i < 32 or 64 <= i < 96 else g + 8, t * 32 + (i & 31) + (0 if i < 64 else 128)),
        lambda g, t, i: (t * 32 + (i & 31) + (0 if i < 32 else 128), g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
}


def product_of(shape: str, type_: str, sums: str = "") -> Opcode:
    sums = sums or {"f64": "f64", "f16": "f32", "bf16": "f32", "tf32": "f32", "e4m3": "f32"}.get(type_, "s32")
    bits = {"bitop": "xor"} if type_ == "b1" else {}
    return opcode(
        "mma", shape=shape, alayout="row", blayout="col", dtype=sums, atype=type_, btype=type_, ctype=sums, **bits
    )


def check(code: Opcode, operand: str, formula: Formula) -> None:
    held = fragment(code, operand)
    for lane, register, position, place in held.elements():
        index = register * held.packed + position
        assert place == Place(0, *formula(lane >> 2, lane % 4, index)), (code, operand, lane, index)


@pytest.mark.parametrize(("shape", "type_"), MANUAL)
def test_mma_fragments_are_those_of_the_manual(shape: str, type_: str) -> None:
    code = product_of(shape, type_)
    for operand, formula in zip("abcd", (*MANUAL[shape, type_], MANUAL[shape, type_][2]), strict=True):
        check(code, operand, formula)


def test_half_accumulators_are_packed_in_the_same_order() -> None:
    code = product_of("m16n8k16", "f16", "f16")
    assert fragment(code, "d").registers == 2
    check(code, "d", MANUAL["m16n8k16", "bf16"][2])


def test_fp8_is_laid_out_as_bytes() -> None:
    for operand, formula in zip("ab", MANUAL["m16n8k32", "s8"], strict=False):
        check(product_of("m16n8k32", "e4m3"), operand, formula)


@pytest.mark.parametrize(("alayout", "blayout"), list(product(("row", "col"), repeat=2)))
@pytest.mark.parametrize("sums", ["f16", "f32"])
def test_four_products_of_quarter_warps(alayout: str, blayout: str, sums: str) -> None:
    code = decode(f"mma.sync.aligned.m8n8k4.{alayout}.{blayout}.{sums}.f16.f16.{sums}")

    def matrix_a(lane: int, i: int) -> tuple[int, int]:
        if alayout == "row":
            return (lane % 4 if lane < 16 else lane % 4 + 4), i
        return (i % 4 if lane < 16 else i % 4 + 4), lane % 4

    def matrix_b(lane: int, i: int) -> tuple[int, int]:
        if blayout == "row":
            return lane % 4, (i if lane < 16 else i + 4)
        return i, (lane % 4 if lane < 16 else lane % 4 + 4)

    def accumulators(lane: int, i: int) -> tuple[int, int]:
        if sums == "f16":
            return (lane % 4 if lane < 16 else lane % 4 + 4), i
        x = (lane & 0b1) + (i & 0b10)
        return (x if lane < 16 else x + 4), (i & 0b100) + (lane & 0b10) + (i & 0b1)

    participants = [(*range(4 * n, 4 * n + 4), *range(16 + 4 * n, 20 + 4 * n)) for n in range(4)]
    for operand, formula in (("a", matrix_a), ("b", matrix_b), ("c", accumulators), ("d", accumulators)):
        held = fragment(code, operand)
        for lane, register, position, place in held.elements():
            assert lane in participants[place.matrix]
            assert (place.row, place.column) == formula(lane, register * held.packed + position)


def test_four_loaded_matrices_are_the_multiplicand_of_a_product() -> None:
    """`ldmatrix.x4` of the quarters of A, and `.x4.trans` of those of a B stored by rows, feed mma as they come."""
    multiplicand = fragment(product_of("m16n8k16", "f16"), "a")
    loaded = fragment(decode("ldmatrix.sync.aligned.m8n8.x4.shared.b16"), "r")
    for lane, register, position, place in loaded.elements():
        row, column = place.row + 8 * (place.matrix % 2), place.column + 8 * (place.matrix // 2)
        assert multiplicand.element(lane, register, position) == Place(0, row, column)
    second = fragment(product_of("m16n8k16", "f16"), "b")
    transposed = fragment(decode("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"), "r")
    for lane, register, position, place in transposed.elements():
        assert second.element(lane, register, position) == Place(0, place.row + 8 * place.matrix, place.column)


def test_bytes_loaded_by_columns_are_the_second_multiplicand() -> None:
    """A 16x16 tile of bytes, stored by rows of K, gives half of B for eight columns in each of its registers."""
    second = fragment(product_of("m16n8k16", "u8"), "b")
    loaded = fragment(decode("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8"), "r")
    assert (loaded.matrices, loaded.rows, loaded.columns, loaded.registers) == (2, 16, 16, 4)
    for lane, register, position, place in loaded.elements():
        assert place.matrix == register // 2
        held = second.element(lane, 0, position)
        assert (place.row, place.column) == (held.row, held.column + 8 * (register % 2))


def test_stored_bytes_are_the_transpose_of_accumulator_tiles() -> None:
    sums = fragment(product_of("m16n8k16", "u8"), "d")
    stored = fragment(decode("stmatrix.sync.aligned.m16n8.x4.trans.shared.b8"), "r")
    for lane, register, position, place in stored.elements():
        held = sums.element(lane, position)
        assert place == Place(register, held.column, held.row)


def test_narrow_formats_widen_to_the_layout_of_bytes() -> None:
    for source in ("b6x16_p32", "b4x16_p64"):
        loaded = fragment(decode(f"ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.{source}"), "r")
        for lane, register, position, place in loaded.elements():
            assert place == Place(register, lane >> 2, 4 * (lane % 4) + position)


def test_movmatrix_transposes() -> None:
    code = opcode("movmatrix", shape="m8n8", type="b16")
    for lane, register, position, place in fragment(code, "a").elements():
        other = element(code, "d", lane, register, position)
        assert (place.row, place.column) == (other.column, other.row)


def test_what_has_no_fragment_is_refused() -> None:
    code = product_of("m16n8k16", "f16")
    with pytest.raises(IsaError, match="no fragment 'e'"):
        fragment(code, "e")
    with pytest.raises(IsaError, match="register 4"):
        element(code, "a", 0, 4)
    with pytest.raises(IsaError, match="lane 32"):
        element(code, "a", 32, 0)
    with pytest.raises(IsaError, match="known layout"):
        fragment(decode("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"), "a")
    with pytest.raises(IsaError, match="known layout"):
        fragment(decode("ldmatrix.sync.aligned.m16n16.x4.trans.b8"), "r")
