"""The choice of a copy's instructions: the published demonstration and its variations, reasons, alignment, targets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_layering import imports
from weft.isa.fragments import fragment
from weft.layout import parse
from weft.transforms.copy_dispatch import Copy, CopyError, Guard, Operand, Plan, dispatch
from weft.transforms.copy_dispatch.explain import explain

FRAGMENT = "S[(8,4,{n},2):(4@laneid,1@laneid,2,1)]"
ALL = -1


def operand(
    space: str, element: str, shape: tuple[int, ...], layout: str, region: object = None, **more: int
) -> Operand:
    box = tuple((0, extent) for extent in shape) if region is None else region
    return Operand(space, element, shape, parse(layout), box, **more)  # type: ignore[arg-type]


def registers(layout: str, shape: tuple[int, ...], element: str = "f16", region: object = None) -> Operand:
    return operand("local", element, shape, layout, region)


def shared(layout: str, shape: tuple[int, ...], element: str = "f16", region: object = None, **more: int) -> Operand:
    return operand("shared", element, shape, layout, region, **more)


def load(
    r: Operand, s: Operand, target: str = "sm_90a", scope: str = "warp", threads: int = 32, **more: object
) -> Plan:
    return dispatch(Copy(r, s, scope, threads, target, **more))  # type: ignore[arg-type]


def opcodes(plan: Plan) -> list[str]:
    return [each.opcode.text for each in plan.instructions]


# -- the demonstration --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num", [1, 2, 4])
@pytest.mark.parametrize("trans", [False, True])
@pytest.mark.parametrize("faithful", [False, True])
def test_how_inputs_change_the_instruction(num: int, trans: bool, faithful: bool) -> None:
    shape = (8, 4, num, 2)
    memory = f"S[(8,4,{num},2):({8 * num},2,8,1)]" if not trans else f"S[(8,4,{num},2):(1,{16 * num},8,{8 * num})]"
    r, s = registers(FRAGMENT.format(n=num), shape), shared(memory, shape)
    suffix = ".trans" if trans else ""
    plan = load(r, s, faithful=faithful)
    assert opcodes(plan) == [f"ldmatrix.sync.aligned.m8n8.x{num}{suffix}.shared.b16"]
    assert (plan.variant, plan.num, plan.trans) == ("ldstmatrix", num, trans)
    (each,) = plan.instructions
    assert each.registers == tuple(range(0, 4 * num, 4))
    assert each.src is not None
    tile = 8
    row = 8 * num
    for lane in range(8 * num):
        assert each.src.element(lane) == lane % 8 * row + lane // 8 * tile
    store = dispatch(Copy(s, r, "warp", 32, "sm_90a", faithful=faithful))
    assert opcodes(store) == [f"stmatrix.sync.aligned.m8n8.x{num}{suffix}.shared.b16"]


@pytest.mark.parametrize(
    ("element", "shape", "layout", "memory", "target", "opcode"),
    [
        ("i8", (16, 16), "S[(4,4,2,8):(1@laneid,1,4,4@laneid)]", "S[(16,16):(16,1)]", "sm_100a", "ldmatrix m16n16 b8"),
        (
            "f4E2M1FN",
            (16, 16),
            "S[(4,4,2,8):(1@laneid,1,4,4@laneid)]",
            "S[(16,16):(16,1)]",
            "sm_100a",
            "ldmatrix m16n16",
        ),
        ("f6E3M2FN", (8, 16), "S[(8,4,4):(4@laneid,1@laneid,1)]", "S[(8,16):(16,1)]", "sm_120a", "ldmatrix m8n16"),
        ("f8E4M3FN", (8, 16), "S[(8,4,4):(4@laneid,1@laneid,1)]", "S[(8,16):(16,1)]", "sm_75", "ldmatrix m8n8 b16"),
        ("f32", (8, 4), "S[(8,4):(4@laneid,1@laneid)]", "S[(8,4):(4,1)]", "sm_75", "ldmatrix m8n8 b16"),
    ],
)
def test_lanes_hold_what_the_fragment_says(
    element: str, shape: tuple[int, int], layout: str, memory: str, target: str, opcode: str
) -> None:
    """Each register's bytes, worked out from the ISA table's fragment, are those that the layouts ask for."""
    r, s = registers(layout, shape, element), shared(memory, shape, element)
    plan = load(r, s, target)
    (each,) = plan.instructions
    assert all(part in each.opcode.text for part in opcode.split())
    held = fragment(each.opcode, "r")
    width = held.bits // 8
    bits = r.bits
    wanted = {}
    for row in range(shape[0]):
        for column in range(shape[1]):
            place = {axis.name: value for axis, value in parse(layout).apply(row, column, shape=shape).items()}  # type: ignore[call-overload]
            start = parse(memory).apply(row, column, shape=shape)  # type: ignore[call-overload]
            (element_at,) = start.values()
            for byte in range(bits // 8):
                wanted[place["laneid"], place.get("m", 0) * bits // 8 + byte] = element_at * bits // 8 + byte
    assert each.src is not None
    for lane, register, position, at in held.elements():
        row_address = each.src.element(held.rows * at.matrix + at.row) * bits // 8
        for byte in range(width):
            key = (lane, each.registers[register] + position * width + byte)
            assert row_address + at.column * width + byte == wanted[key]


# -- matrices -----------------------------------------------------------------------------------------------------


def test_nine_matrices_are_three_instructions() -> None:
    r = registers("S[(3,8,3,4,2):(6,4@laneid,2,1@laneid,1)]", (24, 24))
    plan = load(r, shared("S[(24,24):(24,1)]", (24, 24)))
    assert sorted(plan_num(each) for each in opcodes(plan)) in ([1, 4, 4], [1, 2, 2, 4])
    tall = load(registers("S[(9,8,4,2):(2,4@laneid,1@laneid,1)]", (72, 8)), shared("S[(72,8):(8,1)]", (72, 8)))
    assert [plan_num(each) for each in opcodes(tall)] == [4, 4, 1]
    faithful = load(r, shared("S[(24,24):(24,1)]", (24, 24)), faithful=True)
    assert [plan_num(each) for each in opcodes(faithful)] == [1] * 9


def plan_num(opcode: str) -> int:
    found = re.search(r"\.x(\d)", opcode)
    assert found is not None
    return int(found[1])


def test_registers_of_an_instruction_are_consecutive() -> None:
    r = registers("S[(2,8,8,4,2):(2,4@laneid,4,1@laneid,1)]", (16, 64))
    plan = load(r, shared("swz(3,3,3)@S[(16,64):(64,1)]", (16, 64)))
    assert [each.registers for each in plan.instructions] == [tuple(range(16 * n, 16 * n + 16, 4)) for n in range(4)]


# -- reasons ------------------------------------------------------------------------------------------------------


def reason(plan: Plan, variant: str) -> str:
    (found,) = [each.reason for each in plan.trail if each.variant == variant]
    return found


R16 = registers("S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)]", (16, 16))


@pytest.mark.parametrize(
    ("r", "s", "more", "why"),
    [
        (R16, shared("S[(16,16):(20,1)]", (16, 16)), {}, "strides"),
        (R16, shared("S[(16,16):(16,1)]+4", (16, 16)), {}, "16 bytes"),
        (R16, shared("S[(16,16):(16,1)]", (16, 16), divisor=4), {}, "16 bytes"),
        (R16, shared("S[(16,16):(16,1)]", (16, 16), alignment=8), {}, "16 bytes"),
        (R16, shared("swz(2,3,3)@S[(16,16):(16,1)]", (16, 16)), {}, "per_element=2 < 3"),
        (R16, shared("S[(16,16):(16,1)]", (16, 16)), {"target": "sm_70"}, "needs sm_75 or later"),
        (R16, shared("S[(16,16):(16,1)]", (16, 16)), {"guard": Guard(0xFFFF)}, "laneid narrowed to [0, 16)"),
        (R16, shared("S[(16,16):(16,1)]", (16, 16)), {"guard": Guard(0x55555555)}, "narrowed to 16 threads"),
        (
            R16,
            shared("S[(16,16):(16,1)]", (16, 16)),
            {"guard": Guard(None, "x[i] > 0")},
            "which threads take part is unknown",
        ),
        (registers("S[(8,4,2,2):(4@laneid,1@laneid,3,1)]", (8, 16)), shared("S[(8,16):(16,1)]", (8, 16)), {}, ""),
    ],
)
def test_matrices_decline(r: Operand, s: Operand, more: dict[str, object], why: str) -> None:
    try:
        plan = load(r, s, **more)  # type: ignore[arg-type]
    except CopyError as error:
        assert why in str(error)
        return
    assert plan.variant != "ldstmatrix"
    assert why in reason(plan, "ldstmatrix")


def test_vectors_are_aligned() -> None:
    """A padded row of 24 bytes takes 8-byte accesses, whatever its own length would allow."""
    rows = registers("S[(32,8):(1@laneid,1)]", (32, 8))
    assert opcodes(load(rows, shared("S[(32,8):(12,1)]", (32, 8)))) == ["ld.shared.v2.u32"] * 2
    assert opcodes(load(rows, shared("S[(32,8):(8,1)]", (32, 8)))) == ["ld.shared.v4.u32"]
    runtime = operand("global", "f16", (32, 8), "S[(32,8):(1@ld,1)]", strides=(("ld", 2),))  # type: ignore[arg-type]
    assert opcodes(load(rows, runtime)) == ["ld.global.u32"] * 4


def test_only_holders_take_part() -> None:
    half = registers("S[(16,8):(1@laneid,1)]", (16, 8))
    plan = load(half, shared("S[(16,8):(8,1)]", (16, 8)))
    assert [lane for lane in range(32) if all(c.holds(lane) for c in plan.conditions)] == list(range(16))
    spread = registers("S[(8,8):(4@laneid,1)]+1@laneid", (8, 8))
    plan = load(spread, shared("S[(8,8):(8,1)]", (8, 8)))
    assert [lane for lane in range(32) if all(c.holds(lane) for c in plan.conditions)] == list(range(1, 32, 4))
    one_warp = registers("S[(4,8,4,2):(1@warpid,4@laneid,1@laneid,1)]", (4, 8, 8), region=((2, 3), (0, 8), (0, 8)))
    plan = load(one_warp, shared("S[(8,8):(8,1)]", (8, 8)), scope="cta", threads=128)
    assert [t for t in range(128) if all(c.holds(t) for c in plan.conditions)] == list(range(64, 96))


def test_one_of_those_that_hold_the_same_stores() -> None:
    fragment_of_all = registers("S[(8,4,2):(4@laneid,1@laneid,1)]", (8, 8))
    plan = dispatch(Copy(shared("S[(8,8):(8,1)]", (8, 8)), fragment_of_all, "cta", 128, "sm_90a"))
    assert plan.variant == "ldstmatrix"
    assert [t for t in range(128) if all(c.holds(t) for c in plan.conditions)] == list(range(32))


def test_guards_deal_to_those_who_come() -> None:
    g = operand("global", "f16", (128, 32), "S[(128,32):(32,1)]")
    s = shared("S[(128,32):(32,1)]", (128, 32))
    plan = dispatch(Copy(g, s, "warpgroup", 128, "sm_90a", guard=Guard((1 << 64) - 1)))
    assert plan.variant == "fallback" and plan.rounds == 8
    whole = dispatch(Copy(g, s, "warpgroup", 256, "sm_90a", guard=Guard((1 << 128) - 1)))
    assert whole.variant == "vec_auto"


def test_named_variants() -> None:
    one = operand("global", "f16", (8,), "S[8:1]")
    own = registers("S[8:1]", (8,))
    assert opcodes(load(own, one, scope="thread", threads=1, variant="vec_128b")) == ["ld.global.v4.u32"]
    with pytest.raises(CopyError, match="no variant named 'reg'"):
        load(own, one, scope="thread", threads=1, variant="reg")
    with pytest.raises(CopyError, match="exactly 4 elements"):
        load(own, one, scope="thread", threads=1, variant="vec_64b")
    with pytest.raises(CopyError, match="not aligned to 16 bytes"):
        load(own, operand("global", "f16", (8,), "S[8:1]+4"), scope="thread", threads=1, variant="vec_128b")
    wide, many = operand("global", "f16", (16,), "S[16:1]"), registers("S[16:1]", (16,))
    with pytest.raises(CopyError, match="needs sm_100"):
        load(many, wide, scope="thread", threads=1, variant="vec_256b")
    assert opcodes(load(many, wide, "sm_100a", scope="thread", threads=1, variant="vec_256b")) == ["ld.global.v8.u32"]


def test_cp_async() -> None:
    g = operand("global", "f16", (64, 32), "S[(64,32):(1@ld,1)]", strides=(("ld", 8),))  # type: ignore[arg-type]
    s = shared("swz(3,2,3)@S[(64,32):(32,1)]", (64, 32))
    plan = dispatch(Copy(s, g, "cta", 128, "sm_90a", asynchronous=True))
    assert opcodes(plan) == ["cp.async.cg.shared.global"] * 2
    old = dispatch(Copy(s, g, "cta", 128, "sm_75", asynchronous=True))
    assert old.variant == "vec_auto" and "needs sm_80" in reason(old, "ldgsts")


def test_explanation() -> None:
    text = explain(Copy(R16, shared("S[(16,16):(16,1)]", (16, 16)), "warp", 32, "sm_90a"))
    assert "ldstmatrix  chosen" in text
    assert "num 4, trans false" in text
    assert (
        "8 wavefronts for 1 instruction of a warp, 4 at least; up to 2-way bank conflicts, none with swz(3,1,3)" in text
    )
    refused = explain(Copy(R16, shared("S[(16,16):(16,1)]", (16, 16), "bf16"), "warp", 32, "sm_90a"))
    assert "rejected: the source has elements of type bf16, the destination of type f16" in refused


def test_own_elements_are_loaded_whoever_comes() -> None:
    unknown = Guard(None, "x[i] > 0")
    rows, memory = registers("S[(32,8):(1@laneid,1)]", (32, 8)), shared("S[(32,8):(8,1)]", (32, 8))
    assert load(rows, memory, guard=unknown).variant == "fallback"
    with pytest.raises(CopyError, match="which threads take part is unknown"):
        dispatch(Copy(memory, rows, "warp", 32, "sm_90a", guard=unknown))


HOLDERS: list[tuple[str, str, int, list[int]]] = [
    ("laneid", "warpgroup", 256, [*range(32), *range(128, 160)]), ("laneid", "cta", 256, [*range(32)]),
    ("wid_in_wg", "warpgroup", 256, [*range(0, 256, 32)]), ("wid_in_wg", "cta", 256, [*range(0, 128, 32)]),
    ("tid_in_wg", "cta", 256, [*range(128)]), ("warpid", "cta", 256, [*range(0, 256, 32)]),
    ("wgid", "cta", 256, [0, 128]), ("", "warp", 256, [*range(0, 256, 32)]), ("", "warpgroup", 256, [0, 128]),
    ("", "cta", 256, [0]), ("tx", "cta", 256, [*range(256)]), ("laneid", "warp", 256, [*range(256)]),
    ("tid_in_wg", "warpgroup", 256, [*range(256)]), ("", "thread", 64, [*range(64)]),
    # -- where there is one warp or one warpgroup, it need not be told from others --
    ("laneid", "cta", 32, []), ("laneid", "cta", 64, [*range(32)]), ("tid_in_wg", "cta", 128, []),
    ("wid_in_wg", "cta", 128, [*range(0, 128, 32)]),
]  # fmt: skip


@pytest.mark.parametrize(("axis", "scope", "threads", "expected"), HOLDERS)
def test_first_holders(axis: str, scope: str, threads: int, expected: list[int]) -> None:
    """Of threads that hold the same, the first stores it; no condition is made where all do."""
    extents = {
        "laneid": 32,
        "wid_in_wg": 4,
        "tid_in_wg": 128,
        "tx": threads,
        "warpid": threads // 32,
        "wgid": threads // 128,
    }
    extent = extents.get(axis, 2)
    r = registers(f"S[({extent},2):(1@{axis},1)]" if axis else "S[(2,2):(2,1)]", (extent, 2))
    s = shared(f"S[{extent},2]", (extent, 2))
    plan = dispatch(Copy(s, r, scope, threads, "sm_90a"))
    if not expected:
        assert plan.conditions == ()
        return
    assert [t for t in range(threads) if all(c.holds(t) for c in plan.conditions)] == expected
    assert (plan.conditions == ()) == (len(expected) == threads)
    assert dispatch(Copy(r, s, scope, threads, "sm_90a")).conditions == ()


def test_what_is_not_said_of_an_operand() -> None:
    """All of its buffer, aligned to what allocations are, and never moved by the kernel."""
    whole = ((0, 8), (0, 16))
    expected = Operand("shared", "f16", (8, 16), parse("S[8,16]"), whole, alignment=128, divisor=0, strides=())
    assert Operand.of("shared", "f16", (8, 16), "S[8,16]") == expected
    assert Operand("shared", "f16", (8, 16), parse("S[8,16]"), whole) == expected
    each = Copy(expected, expected, "warp", 32, "sm_90a")
    assert each == Copy(expected, expected, "warp", 32, "sm_90a", None, None, None, False, None, False)


def test_the_dispatch_is_pure() -> None:
    source = Path(__file__).resolve().parents[2] / "src" / "weft" / "transforms" / "copy_dispatch"
    for path in source.glob("*.py"):
        modules = [module for module, _, _ in imports(path)]
        assert not [module for module in modules if module.startswith(("xdsl", "weft.dialects", "weft.codegen"))], path
