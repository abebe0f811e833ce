"""Who comes to a copy: worked out from the conditions around it, or not known."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from operator import eq, ge, gt, le, lt, ne
from typing import Any

import pytest

from weft.mlir import parse_mlir
from weft.transforms.tile_lowering.copy_guards import Values, guard_of

R = '!tile.buffer<32xf32, "local", #tile.layout<"S[32:1@laneid]">>'
S = '!tile.buffer<32xf32, "shared", #tile.layout<"S[32:1]">>'
COPY = f'tile.copy %r, %s {{scope = "warp"}} : {R}, {S}'
THREADS = 128


def guard(body: str) -> list[int] | str | None:
    """The threads that come to the copy in `body`, the reason why that is not known, or None for all."""
    module = parse_mlir(f"""
    gpu.module @m {{
      gpu.func @k(%n: i32, %p: !llvm.ptr<1>) kernel attributes {{known_block_size = array<i32: {THREADS}, 1, 1>}} {{
        %r = tile.alloc : {R}
        %s = tile.alloc : {S}
        %tid = nvvm.read.ptx.sreg.tid.x : i32
        %x = gpu.thread_id x
        %block = gpu.block_id x
        %b = arith.index_cast %block : index to i32
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        %two = arith.constant 2 : i32
        %32 = arith.constant 32 : i32
        %64 = arith.constant 64 : i32
        {body}
        gpu.return
      }}
    }}""")
    (op,) = [op for op in module.walk() if op.name == "tile.copy"]
    found = guard_of(op, THREADS, Values(THREADS))
    if found is None:
        return None
    if found.active is None:
        return found.reason
    return [thread for thread in range(THREADS) if found.active >> thread & 1]


UNCLEAR = "the condition of {} may differ between threads"


def within(condition: str, value: str = "%c", otherwise: bool = False) -> str:
    if otherwise:
        return f"{condition}\nscf.if {value} {{\n}} else {{\n{COPY}\n}}"
    return f"{condition}\nscf.if {value} {{\n{COPY}\n}}"


@pytest.mark.parametrize(
    ("condition", "threads"),
    [
        ("%c = arith.cmpi slt, %tid, %64 : i32", range(64)),
        ("%q = arith.divui %tid, %32 : i32\n%c = arith.cmpi eq, %q, %two : i32", range(64, 96)),
        ("%q = arith.remui %tid, %two : i32\n%c = arith.cmpi eq, %q, %one : i32", range(1, 128, 2)),
        ("%q = arith.xori %tid, %one : i32\n%c = arith.cmpi uge, %q, %64 : i32", range(64, 128)),
        (
            "%a = arith.cmpi slt, %tid, %two : i32\n%true = arith.constant true\n%c = arith.xori %a, %true : i1",
            range(2, 128),
        ),
        ("%i = arith.index_cast %x : index to i32\n%c = arith.cmpi eq, %i, %zero : i32", [0]),
        (
            "%a = arith.cmpi slt, %tid, %64 : i32\n%d = arith.cmpi slt, %b, %n : i32\n%c = arith.andi %a, %d : i1",
            range(64),
        ),
        (
            "%a = arith.cmpi slt, %tid, %32 : i32\n%d = arith.cmpi sge, %tid, %64 : i32\n%c = arith.ori %a, %d : i1",
            [*range(32), *range(64, 128)],
        ),
    ],
)
def test_known(condition: str, threads: range | list[int]) -> None:
    assert guard(within(condition)) == list(threads)
    others = [each for each in range(THREADS) if each not in threads]
    # Of two conditions together, the other may keep all away: then all warps come to what is done otherwise.
    expected = None if "%n : i32" in condition else others
    assert guard(within(condition, otherwise=True)) == expected


def carried(start: str, first: str, second: str, count: str = "%n") -> str:
    """A condition on what a loop leaves that carries two values, each the sum of others in the end."""
    return (
        f"%left:2 = scf.for %i = %zero to {count} step %one iter_args(%a = {start}, %d = %zero) -> (i32, i32) : i32 {{\n"
        f"%e = arith.addi {first}, %d : i32\n%f = arith.addi %d, {second} : i32\nscf.yield %f, %e : i32, i32\n}}\n"
        "%c = arith.cmpi slt, %left#0, %n : i32"
    )


def chosen(condition: str, value: str) -> str:
    """A condition on one of two values."""
    return (
        f"%k = arith.cmpi slt, {condition}, %n : i32\n"
        f"%v = scf.if %k -> (i32) {{\nscf.yield {value} : i32\n}} else {{\nscf.yield %zero : i32\n}}\n"
        "%c = arith.cmpi slt, %v, %n : i32"
    )


@pytest.mark.parametrize(
    "body",
    [
        COPY,
        within("%v = llvm.load %p : !llvm.ptr<1> -> i32\n%c = arith.cmpi slt, %v, %n : i32"),
        within(carried("%b", "%i", "%a")),
        within(carried("%zero", "%a", "%b")),
        within(chosen("%b", "%n")),
        within("%c = arith.cmpi slt, %b, %n : i32"),
        within("%c = arith.cmpi sge, %tid, %zero : i32"),
        f"scf.for %i = %zero to %n step %one : i32 {{\n{COPY}\n}}",
        f"scf.for %i = %zero to %n step %one : i32 {{\n%c = arith.cmpi eq, %i, %two : i32\nscf.if %c {{\n{COPY}\n}}\n}}",
    ],
)
def test_all_or_none(body: str) -> None:
    assert guard(body) is None


@pytest.mark.parametrize(
    "body",
    [
        within("%v = llvm.load volatile %p : !llvm.ptr<1> -> i32\n%c = arith.cmpi slt, %v, %n : i32"),
        within(
            "%v = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32\n"
            "%c = arith.cmpi slt, %v, %n : i32"
        ),
        within(
            "%q = llvm.getelementptr %p[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
            "%v = llvm.load %q : !llvm.ptr<1> -> i32\n%c = arith.cmpi slt, %v, %n : i32"
        ),
        within(carried("%tid", "%a", "%one")),
        within(carried("%zero", "%a", "%tid")),
        within(carried("%zero", "%i", "%one", "%tid")),
        within(chosen("%tid", "%one")),
        within(chosen("%b", "%tid")),
        within("%c = arith.cmpi slt, %tid, %n : i32"),
        within("%a = arith.cmpi slt, %tid, %two : i32\n%d = arith.cmpi slt, %b, %n : i32\n%c = arith.ori %a, %d : i1"),
        within(
            "%q = arith.subi %tid, %two : i32\n%u = arith.extui %q : i32 to i64\n%w = arith.constant 9 : i64\n"
            "%c = arith.cmpi slt, %u, %w : i64"
        ),
        f"scf.for %i = %zero to %64 step %one : i32 {{\n%c = arith.cmpi slt, %tid, %i : i32\nscf.if %c {{\n{COPY}\n}}\n}}",
    ],
)
def test_not_known(body: str) -> None:
    assert guard(body) == UNCLEAR.format("scf.if")


def test_loops_that_threads_leave_at_different_times() -> None:
    assert guard(f"scf.for %i = %tid to %64 step %one : i32 {{\n{COPY}\n}}") == UNCLEAR.format("scf.for")


def test_what_warps_have_in_common() -> None:
    """Whole warps come where a condition differs between warps only."""
    body = "%a = arith.cmpi slt, %tid, %64 : i32\n%d = arith.cmpi slt, %b, %n : i32\n%c = arith.ori %a, %d : i1"
    assert guard(within(body)) is None
    assert guard(within(body).replace('"warp"', '"cta"')) == UNCLEAR.format("scf.if")


def test_branches_are_not_known() -> None:
    body = f"%c = arith.cmpi slt, %tid, %64 : i32\ncf.cond_br %c, ^a, ^b\n^a:\n{COPY}\ncf.br ^b\n^b:"
    assert guard(body) == "a branch may differ between threads"


def test_numbers_of_a_narrow_type_that_wrap_are_not_followed() -> None:
    """9 times the thread's number leaves i8 from thread 15 on."""
    narrow = "%nine = arith.constant 9 : i8\n%zero8 = arith.constant 0 : i8\n%t8 = arith.index_cast %x : index to i8\n"
    product = "%m = arith.muli %t8, %nine : i8\n%c = arith.cmpi sge, %m, %zero8 : i8"
    assert guard(within(narrow + product)) == UNCLEAR.format("scf.if")
    few = "%five = arith.constant 5 : i8\n%q = arith.shrui %t8, %five : i8\n%c = arith.cmpi sgt, %q, %zero8 : i8"
    assert guard(within(narrow + few)) == list(range(32, THREADS))


def wrapped(number: int, bits: int) -> int:
    """A number as a signed integer of so many bits."""
    return (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


COMPUTED: dict[str, Callable[[int, int, int], int]] = {
    "addi": lambda a, b, _: a + b, "subi": lambda a, b, _: a - b, "muli": lambda a, b, _: a * b,
    "andi": lambda a, b, _: a & b, "ori": lambda a, b, _: a | b, "xori": lambda a, b, _: a ^ b,
    "divui": lambda a, b, w: a % (1 << w) // (b % (1 << w)), "remui": lambda a, b, w: a % (1 << w) % (b % (1 << w)),
    "divsi": lambda a, b, _: int(a / b), "remsi": lambda a, b, _: a - b * int(a / b),
    "shrui": lambda a, b, w: a % (1 << w) >> b, "shrsi": lambda a, b, _: a >> b, "shli": lambda a, b, _: a << b,
}  # fmt: skip
"""What operations of `arith` are on numbers of so many bits, before the result is brought back to these."""
COMPARED = {"eq": eq, "ne": ne, "slt": lt, "sle": le, "sgt": gt, "sge": ge, "ult": lt, "ule": le, "ugt": gt, "uge": ge}


def followed(bits: int, constants: tuple[int, ...]) -> dict[tuple[str, int, str], Any]:
    """What is known of each operation on a thread's number, or 60 less, and a constant."""
    type_ = f"i{bits}"
    lines = [f"%c{number} = arith.constant {constant} : {type_}" for number, constant in enumerate(constants)]
    asked = list(product((*COMPUTED, *COMPARED), range(len(constants)), "tl"))
    for word, number, name in asked:
        stem = f"arith.{word} " if word in COMPUTED else f"arith.cmpi {word}, "
        lines.append(f"%{word}{name}{number} = {stem}%{name}, %c{number} : {type_}")
    body = "\n".join(lines)
    module = parse_mlir(f"""func.func @k() {{ %x = gpu.thread_id x
        %t = arith.index_cast %x : index to {type_}
        %far = arith.constant 60 : {type_}
        %l = arith.subi %t, %far : {type_}
        {body}
        return }}""")
    values = Values(THREADS)
    results = [op.results[0] for op in module.walk() if op.results][-len(asked) :]
    return {each: values.of(result) for each, result in zip(asked, results, strict=True)}


@pytest.mark.parametrize("bits", [8, 32, 64])
def test_every_operation_on_threads(bits: int) -> None:
    """What is known is true; and what stays in the type, of numbers that are not negative, is known."""
    constants = (0, 1, 3, 5, -2)
    known = followed(bits, constants)
    for word, number, name in product((*COMPUTED, *COMPARED), range(len(constants)), "tl"):
        b, numbers = constants[number], [thread - 60 * (name == "l") for thread in range(THREADS)]
        found = known[word, number, name]
        if (word.startswith(("div", "rem")) and b == 0) or (word.startswith("sh") and b < 0):
            assert isinstance(found, str) or word.startswith("sh")
            continue
        if word in COMPARED:
            sides = [[x % (1 << bits) if word[0] == "u" else x for x in side] for side in (numbers, [b] * THREADS)]
            exact = [int(COMPARED[word](x, y)) for x, y in zip(*sides, strict=True)]
        else:
            exact = [COMPUTED[word](a, b, bits) for a in numbers]
        true = exact if word in COMPARED else [wrapped(each, bits) for each in exact]
        if not isinstance(found, str):
            assert list(found) == true, (word, b, name)
        elif min(*numbers, b) >= 0:
            assert exact != true, (word, b, name)


def turning(start: str, limit: str, step: str, body: str) -> str:
    """A loop that counts while a number is below a limit."""
    return (
        f"%w = scf.while (%a = {start}) : (i32) -> i32 {{\n%g = arith.cmpi slt, %a, {limit} : i32\n"
        f"scf.condition(%g) %a : i32\n}} do {{\n^bb0(%d: i32):\n{body}\n%e = arith.addi %d, {step} : i32\n"
        "scf.yield %e : i32\n}"
    )


TURNS = [("%zero", "%n", "%one", True), ("%b", "%n", "%b", True), ("%tid", "%n", "%one", False)]
TURNS += [("%zero", "%tid", "%one", False), ("%zero", "%n", "%tid", False)]


@pytest.mark.parametrize(("start", "limit", "step", "alike"), TURNS)
def test_loops_with_a_condition(start: str, limit: str, step: str, alike: bool) -> None:
    """All threads come to what is in the loop, and leave it with one number, where they take as many turns."""
    inside = guard(turning(start, limit, step, COPY))
    behind = guard(within(f"{turning(start, limit, step, '')}\n%c = arith.cmpi slt, %w, %n : i32"))
    within_it = within("%c = arith.cmpi eq, %d, %two : i32")
    chosen = guard(turning(start, limit, step, within_it))
    expected = (None,) * 3 if alike else tuple(UNCLEAR.format(name) for name in ("scf.while", "scf.if", "scf.if"))
    assert (inside, behind, chosen) == expected


def test_numbers_that_warps_have_in_common_in_loops() -> None:
    """The number of the warp is the same in all threads of one, and so is what is added up of it."""
    warp = "%q = arith.divui %tid, %32 : i32\n"
    assert guard(warp + turning("%q", "%n", "%one", COPY)) is None
    assert guard((warp + turning("%q", "%n", "%one", COPY)).replace('"warp"', '"cta"')) == UNCLEAR.format("scf.while")
    assert guard(warp + f"scf.for %i = %q to %n step %one : i32 {{\n{COPY}\n}}") is None


def test_choices_between_known_numbers_are_followed() -> None:
    """By `arith.select`, of either type of number."""
    select = "%a = arith.cmpi slt, %tid, %32 : i32\n%v = arith.select %a, %two, %tid : i32\n"
    assert guard(within(select + "%c = arith.cmpi eq, %v, %two : i32")) == [*range(32)]
    flags = (
        "%a = arith.cmpi slt, %tid, %32 : i32\n%d = arith.extsi %a : i1 to i32\n%c = arith.cmpi slt, %d, %zero : i32"
    )
    assert guard(within(flags)) == [*range(32)]
    assert guard(within(flags.replace("extsi", "extui").replace("slt, %d", "sgt, %d"))) == [*range(32)]


def test_who_comes_as_an_attribute_says() -> None:
    """Where the condition itself is not known: ranges along axes, of which all hold."""
    condition = "%v = llvm.load volatile %p : !llvm.ptr<1> -> i32\n%c = arith.cmpi slt, %v, %n : i32"
    told = within(condition).replace(
        '"warp"}', '"warp", active = {laneid = array<i64: 4, 8>, warpid = array<i64: 1, 3>}}'
    )
    assert guard(told) == [*range(36, 40), *range(68, 72)]
    assert guard(told.replace("warpid", "unknown")) == UNCLEAR.format("scf.if")


KINDS = {
    "block": ("%k{0} = arith.cmpi slt, %b, %n : i32", None),
    "other": ("%k{0} = arith.cmpi sgt, %b, %n : i32", None),
    "warp": ("%q{0} = arith.divui %tid, %32 : i32\n%k{0} = arith.cmpi slt, %q{0}, %n : i32", "warp"),
    "half": ("%k{0} = arith.cmpi slt, %tid, %64 : i32", range(64)),
    "odd": ("%q{0} = arith.remui %tid, %two : i32\n%k{0} = arith.cmpi eq, %q{0}, %one : i32", range(1, 128, 2)),
    "thread": ("%k{0} = arith.cmpi slt, %tid, %n : i32", "thread"),
}
"""Conditions that differ between blocks, between warps or between threads, known or not."""


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_two_conditions_together(first: str, second: str) -> None:
    """Those that a block has in common do not matter; of known ones both; else what is made of them is not known."""
    kinds = [KINDS[first][1], KINDS[second][1]]
    lines = "\n".join(KINDS[each][0].format(at) for at, each in enumerate((first, second)))
    found = guard(within(f"{lines}\n%c = arith.andi %k0, %k1 : i1"))
    left = [kind for kind in kinds if kind is not None]
    known = [set(kind) for kind in left if isinstance(kind, range)]
    if len(known) == len(left):
        threads = sorted(set.intersection(set(range(THREADS)), *known))
        assert found == (threads if len(threads) < THREADS else None)
    elif "thread" in left or range(1, 128, 2) in left:
        assert found == UNCLEAR.format("scf.if")
    else:
        assert found is None


@pytest.mark.parametrize(("scope", "clear"), [("thread", True), ("warp", True), ("warpgroup", False), ("cta", False)])
def test_what_warps_have_in_common_is_enough_for(scope: str, clear: bool) -> None:
    body = within("%q = arith.divui %tid, %32 : i32\n%c = arith.cmpi slt, %q, %n : i32")
    assert guard(body.replace('"warp"', f'"{scope}"')) == (None if clear else UNCLEAR.format("scf.if"))


def test_branches_within_a_region_of_several_blocks_are_not_known() -> None:
    body = f"scf.execute_region {{\ncf.br ^a\n^a:\n{COPY}\nscf.yield\n}}"
    assert guard(body) == UNCLEAR.format("scf.execute_region")


def test_all_threads_read_one_answer_of_the_launch_control() -> None:
    lines = "%p3 = llvm.mlir.zero : !llvm.ptr<3>\n%a = llvm.load %p3 : !llvm.ptr<3> -> i128\n"
    query = "%v = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %a : i32\n"
    assert guard(within(f"{lines}{query}%c = arith.cmpi slt, %v, %n : i32")) is None


REGISTERS = {
    **{f"{name}.{along}": "block" for name in ("ctaid", "nctaid", "ntid", "clusterid", "nclusterid", "cluster.ctaid", "cluster.nctaid")
        for along in "xyz"},
    "cluster.ctarank": "block", "cluster.nctarank": "block", "smid": "block", "gridid": "block",
    "tid.x": range(THREADS), "tid.y": [0] * THREADS, "tid.z": [0] * THREADS, "laneid": [*range(32)] * 4,
    "warpid": "thread", "clock": "thread", "globaltimer.lo": "thread", "lanemask.lt": "thread",
}  # fmt: skip
INDICES = {
    **{f"{name} {along}": "block" for name in ("block_id", "grid_dim", "block_dim", "cluster_id", "cluster_dim") for along in "xyz"},
    "thread_id x": range(THREADS), "thread_id y": [0] * THREADS, "thread_id z": [0] * THREADS, "lane_id": [*range(32)] * 4,
    "global_id x": "thread", "subgroup_id": "thread",
}  # fmt: skip
"""Whether all threads of a block read the same, or what each reads."""


@pytest.mark.parametrize("kind", ["nvvm", "gpu"])
def test_what_is_read_of_the_machine(kind: str) -> None:
    """Numbers of blocks are the same in all threads, and numbers of threads are known; others may be anything."""
    names = REGISTERS if kind == "nvvm" else INDICES
    text = "nvvm.read.ptx.sreg.{} : i32" if kind == "nvvm" else "gpu.{}"
    reads = [f"%v{at} = {text.format(name)}{' : index' * (name == 'subgroup_id')}" for at, name in enumerate(names)]
    module = parse_mlir("func.func @k() {\n" + "\n".join(reads) + "\nreturn\n}")
    values = Values(THREADS)
    for op, (name, known) in zip((op for op in module.walk() if op.results), names.items(), strict=True):
        found = values.of(op.results[0])
        if isinstance(known, str):
            assert found == ("uniform" if known == "block" else "unknown"), name
        else:
            assert list(found) == list(known), name


def test_numbers_of_other_types_are_the_same_numbers() -> None:
    """But where a type has no such number, or a sign is lost."""
    module = parse_mlir("""func.func @k() {
        %x = gpu.thread_id x
        %far = arith.constant 60 : index
        %l = arith.subi %x, %far : index
        %a = arith.index_cast %x : index to i32
        %b = arith.index_castui %x : index to i32
        %c = arith.extui %a : i32 to i64
        %d = arith.extsi %a : i32 to i64
        %e = arith.trunci %d : i64 to i8
        %f = arith.trunci %d : i64 to i7
        %g = arith.index_cast %l : index to i32
        %h = arith.index_castui %l : index to i32
        %i = arith.extsi %g : i32 to i64
        %j = arith.extui %g : i32 to i64
        %k = arith.trunci %g : i32 to i16
        return }""")
    values = Values(THREADS)
    *_, a, b, c, d, e, f, g, h, i, j, k = [values.of(op.results[0]) for op in module.walk() if op.results]
    near, far = [*range(THREADS)], [thread - 60 for thread in range(THREADS)]
    assert [list(each) for each in (a, b, c, d, e)] == [near] * 5
    assert [list(each) for each in (g, i)] == [far] * 2
    assert [f, h, j, k] == ["unknown"] * 4
