"""Selection of matrix copies: every spelling against ptxas, every intrinsic's number and name against LLVM."""

from __future__ import annotations

from itertools import product

import pytest

from tests.isa.statements import refusals
from weft.errors import IsaError
from weft.isa import decode, opcode
from weft.isa.matrix_copy import (
    SPACES,
    Layout,
    LdMatrix,
    MovMatrix,
    Shape,
    StMatrix,
    copies,
    copy_of_intrinsic,
    decode_properties,
    intrinsic_id,
    intrinsic_name,
    intrinsic_table,
    properties,
    seed_table,
    select,
)
from weft.isa.target import NEWEST
from weft.toolchain import Tool

COPIES = list(copies())


def statement(code: str, registers: int) -> str:
    fragment = "{" + ", ".join(f"%r{i}" for i in range(registers)) + "}"
    if code.startswith("stmatrix"):
        return f"{code} [%rd1], {fragment};"
    return "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;" if "mov" in code else f"{code} {fragment}, [%rd1];"


def registers(copy: object) -> int:
    return copy.num if isinstance(copy, LdMatrix | StMatrix) else 1


def test_every_spelling_is_reachable_and_ptxas_takes_it(ptxas: Tool) -> None:
    made = [(select(copy, ss), registers(copy)) for copy in COPIES[:-1] for ss in SPACES] + [(select(MovMatrix()), 1)]
    assert len({code.text for code, _ in made}) == (18 + 9) * 3 + 1
    statements = [statement(code.text, count) for code, count in made]
    assert refusals(statements, "sm_100a", NEWEST) == {}


def test_no_other_ldmatrix_is_legal(ptxas: Tool) -> None:
    """All products of the modifiers: the table and ptxas agree on which are instructions."""
    elements = ("b16", "b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64")
    shapes, nums = ("m8n8", "m8n16", "m16n8", "m16n16"), (1, 2, 4)
    texts, counts = [], []
    for family, shape, num, trans, element in product(("ldmatrix", "stmatrix"), shapes, nums, ("", ".trans"), elements):
        texts.append(f"{family}.sync.aligned.{shape}.x{num}{trans}.{element}")
        counts.append(num * 2 if shape == "m16n16" and num < 4 else num)
    refused = refusals([statement(text, n) for text, n in zip(texts, counts, strict=True)], "sm_100a", NEWEST)
    taken = {text for i, text in enumerate(texts) if i not in refused}
    assert taken == {select(copy).text for copy in COPIES[:-1]}
    assert {text for text in texts if decode(text).valid} == taken


def test_selection_and_its_inverse() -> None:
    for copy in COPIES:
        assert properties(select(copy, "" if isinstance(copy, MovMatrix) else "shared")) == copy
    with pytest.raises(IsaError, match="unknown matrix-copy family"):
        properties(opcode("mma", shape="m16n8k8", alayout="row", blayout="col", dtype="f32", atype="f16", btype="f16",
                          ctype="f32"))  # fmt: skip


@pytest.mark.parametrize(
    ("copy", "text"),
    [
        (LdMatrix(4, Shape.M8N8, 0, 1), "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"),
        (LdMatrix(4, Shape.M8N8, 0, 0, Layout.COL), "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"),
        (LdMatrix(2, Shape.M8N16, 1), "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64"),
        (LdMatrix(2, Shape.M16N16, 2, 0, Layout.COL), "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8"),
        (LdMatrix(4, Shape.M16N16, 0, 0, Layout.COL), "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b6x16_p32"),
        (StMatrix(1, Shape.M8N8), "stmatrix.sync.aligned.m8n8.x1.shared.b16"),
        (StMatrix(4, Shape.M16N8, 1), "stmatrix.sync.aligned.m16n8.x4.trans.shared.b8"),
    ],
)
def test_records_give_their_mnemonics(copy: LdMatrix | StMatrix, text: str) -> None:
    assert select(copy, "shared").text == text


@pytest.mark.parametrize(
    ("copy", "message"),
    [
        (LdMatrix(1, Shape.M8N16, 0, 1), "Transposed layout is not supported for m8n16 shape for nvvm.ldmatrix"),
        (LdMatrix(1, Shape.M8N16, 0, 0, Layout.COL), "Transposed layout is not supported for m8n16 shape"),
        (LdMatrix(1, Shape.M16N16, 0, 0, Layout.COL), "m16n16 ldmatrix requires num=2 or num=4"),
        (LdMatrix(2, Shape.M16N16), "requires the col layout"),
        (LdMatrix(1, Shape.M16N8), "ldmatrix does not support shape"),
        (LdMatrix(3, Shape.M8N8), "requires num=1, num=2 or num=4"),
        (LdMatrix(8, Shape.M8N8), "requires num=1, num=2 or num=4"),
        (LdMatrix(1, Shape.M8N8, 2), "size code 2"),
        (LdMatrix(1, Shape.M8N16, 2), "size code 2"),
        (LdMatrix(1, 7), "ldmatrix does not support shape"),
        (StMatrix(1, Shape.M8N16, 1), "stmatrix does not support shape"),
        (StMatrix(1, Shape.M16N16, 1), "stmatrix does not support shape"),
        (StMatrix(1, Shape.M16N8), "requires trans"),
        (StMatrix(3, Shape.M8N8), "requires num=1, num=2 or num=4"),
    ],
)
def test_illegal_records_are_explained(copy: LdMatrix | StMatrix, message: str) -> None:
    with pytest.raises(IsaError) as error:
        select(copy)
    assert message in error.value.message
    with pytest.raises(IsaError):
        intrinsic_id(copy)


def test_property_blobs() -> None:
    assert decode_properties("ldmatrix", (2, 3, 2, 0, 1)) == LdMatrix(2, Shape.M16N16, 2, 0, Layout.COL)
    assert decode_properties("stmatrix", [4, 0, 1]) == StMatrix(4, Shape.M8N8, 1)
    assert decode_properties("movmatrix", ()) == MovMatrix()
    with pytest.raises(IsaError, match="unknown matrix-copy family"):
        decode_properties("matrixcopy", ())
    with pytest.raises(IsaError, match="5 properties, found 3"):
        decode_properties("ldmatrix", (1, 0, 0))


def test_intrinsics_are_numbered_by_name() -> None:
    """Two runs of numbers, each in the alphabetical order of the intrinsics' names."""
    table = intrinsic_table()
    assert list(table) == [*range(9153, 9171), *range(9858, 9867)]
    for family in (LdMatrix, StMatrix):
        names = [str(intrinsic_name(copy)) for copy in table.values() if isinstance(copy, family)]
        assert names == sorted(names)
    for number, copy in table.items():
        assert intrinsic_id(copy) == number
        assert copy_of_intrinsic(number) == copy
    assert intrinsic_id(MovMatrix()) is None
    assert intrinsic_name(MovMatrix()) is None
    with pytest.raises(IsaError, match="8366"):
        copy_of_intrinsic(8366)


def test_llvm_prints_the_same_mnemonics() -> None:
    llvm = pytest.importorskip("llvmlite.binding", reason="llvmlite is not here")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target = llvm.Target.from_triple("nvptx64-nvidia-cuda")
    except RuntimeError:
        pytest.skip("llvmlite has no NVPTX target")
    machine = target.create_target_machine(cpu="sm_100a", features="+ptx86")
    for number, copy in intrinsic_table().items():
        name, count = intrinsic_name(copy), registers(copy)
        words = ", ".join(["i32"] * count)
        if isinstance(copy, StMatrix):
            values = ", ".join(f"i32 %v{i}" for i in range(count))
            text = (
                f"declare void @{name}(ptr addrspace(3), {words})\n"
                f"define void @f(ptr addrspace(3) %p, {values}) {{\n"
                f"call void @{name}(ptr addrspace(3) %p, {values})\nret void\n}}"
            )
        else:
            result = words if count == 1 else f"{{{words}}}"
            text = (
                f"declare {result} @{name}(ptr addrspace(3))\n"
                f"define {result} @f(ptr addrspace(3) %p) {{\n"
                f"%r = call {result} @{name}(ptr addrspace(3) %p)\nret {result} %r\n}}"
            )
        module = llvm.parse_assembly(f'target triple = "nvptx64-nvidia-cuda"\n{text}')
        ptx = machine.emit_assembly(module)
        assert f"{select(copy, 'shared')} " in ptx, (number, name)


def test_every_row_of_the_printed_table(ptxas: Tool) -> None:
    rows = seed_table()
    assert len(rows) == 6 + 6 + 6 + 6 + 3 + 1
    assert {row.number for row in rows} == {None, *intrinsic_table()}
    assert [row.printed for row in rows if row.agrees] == [
        *(f"ldmatrix.sync.aligned.m8n8.x{n}{trans}.b16" for n in (1, 2, 4) for trans in ("", ".trans")),
        "movmatrix.sync.aligned.m8n8.trans.b16",
    ]
    texts = [statement(row.printed, max(1, *row.values[:1], 1) if row.values else 1) for row in rows]
    refused = refusals(texts, "sm_100a", NEWEST)
    for index, row in enumerate(rows):
        assert decode(row.printed).valid == (index not in refused), row.printed


def test_printed_property_values_select_the_numbered_instruction() -> None:
    """The values of a load's row select its number; a store's row has the opposite transposition."""
    for row in seed_table():
        copy = decode_properties(row.family, row.values)
        if row.family == "stmatrix" and row.shape == Shape.M8N8:
            assert isinstance(copy, StMatrix)
            copy = StMatrix(copy.num, copy.shape, 1 - copy.trans)
        assert select(copy) == row.opcode
