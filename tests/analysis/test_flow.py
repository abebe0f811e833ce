"""Basic blocks, edges, dominators and loops against their definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weft
from tests.analysis.programs import Step, following, programs, text
from weft.ptx.analysis import cfg
from weft.ptx.analysis.dominance import dominators, reverse_postorder

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"


def flow_of(body: str):
    return cfg(weft.parse(f"{HEAD}.entry k()\n{{\n{body}\n}}\n").kernels[0])


@pytest.mark.slow
@given(programs())
def test_steps_follow_each_other_as_the_text_says(program: list[Step]) -> None:
    flow = cfg(weft.parse(text(program)).kernels[0])
    found: list[set[int]] = [set() for _ in program]
    for block in flow.blocks:
        for n in range(block.start, block.end - 1):
            found[n].add(n + 1)
        found[block.end - 1] |= {flow.blocks[target].start for target in flow.successors[block.index]}
    assert found == [set(targets) for targets in following(program)]
    assert [n for block in flow.blocks for n in range(block.start, block.end)] == list(range(len(program)))


def reaches(successors: list[list[int]], start: int, without: int | None = None) -> set[int]:
    found, todo = set(), [start]
    while todo:
        node = todo.pop()
        if node not in found and node != without:
            found.add(node)
            todo.extend(successors[node])
    return found


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    count = draw(st.integers(1, 9))
    return [draw(st.lists(st.integers(0, count - 1), max_size=3, unique=True)) for _ in range(count)]


@given(graphs())
def test_dominators_are_what_every_way_goes_through(successors: list[list[int]]) -> None:
    predecessors = [[s for s, ts in enumerate(successors) if t in ts] for t in range(len(successors))]
    reached = reaches(successors, 0)
    order = reverse_postorder(successors)
    assert set(order) == reached
    found = dominators(order, predecessors)
    for block in reached:
        chain = [block]
        while found[chain[-1]] != chain[-1]:
            chain.append(found[chain[-1]])
        assert set(chain) == {d for d in reached if block not in reaches(successors, 0, without=d)}


def test_a_loop_with_two_ways_back() -> None:
    flow = flow_of(
        ".reg .pred %p; .reg .b32 %r;\nTOP: add.u32 %r, %r, 1; setp.lt.u32 %p, %r, 8;\n@%p bra TOP;\n"
        "add.u32 %r, %r, 2;\n@!%p bra TOP;\nret;"
    )
    (loop,) = flow.loops
    assert flow.blocks[loop.header].name == "TOP"
    assert loop.back == (0, 1)
    assert flow.loop_blocks(loop) == {0, 1}
    assert not flow.irreducible
    assert [(e.source, e.target, e.kind) for e in flow.edges] == [
        (0, 0, "taken"), (0, 1, "next"), (1, 0, "taken"), (1, 2, "next")
    ]  # fmt: skip


def test_a_cycle_with_two_ways_in_is_no_loop() -> None:
    flow = flow_of(".reg .pred %p;\n@%p bra B;\nA: @%p bra B;\nret;\nB: @%p bra A;\nret;")
    assert flow.loops == ()
    assert flow.irreducible


def test_tables_and_scopes() -> None:
    flow = flow_of(
        ".reg .b32 %r;\nT: .branchtargets A, B, A;\nbrx.idx %r, T;\nA: { bra C;\nret;\nC: ret; }\nC: ret;\nB: trap;"
    )
    by_name = {block.name: block for block in flow.blocks if block.labels}
    assert [e.kind for e in flow.edges if e.source == 0] == ["table", "table"]
    assert set(flow.successors[0]) == {by_name["A"].index, by_name["B"].index}
    inner, outer = (block.index for block in flow.blocks if block.labels == ("C",))
    assert flow.successors[by_name["A"].index] == (inner,)  # the nearer of the two labels called C
    assert outer not in flow.order
    assert flow.successors[by_name["B"].index] == ()


def test_a_label_that_does_not_exist_has_no_edge() -> None:
    assert flow_of("bra NOWHERE;").edges == ()


def test_a_declaration_has_one_empty_block() -> None:
    flow = cfg(weft.parse(f"{HEAD}.extern .func f();\n").functions[0])
    assert [(b.start, b.end) for b in flow.blocks] == [(0, 0)]
    assert flow.loops == ()


def test_deep_nesting_is_no_recursion() -> None:
    flow = flow_of("{" * 1000 + ".reg .b32 %r; mov.u32 %r, 1;" + "}" * 1000)
    assert len(flow.instructions) == 1
