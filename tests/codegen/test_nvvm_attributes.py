"""No attribute of an operation of `nvvm` is without effect: another value gives other PTX, or is refused."""

from __future__ import annotations

import enum
import random
from collections import defaultdict
from functools import cache
from typing import Any

import pytest
from xdsl.dialects.builtin import BoolAttr, IntegerAttr, ModuleOp, UnitAttr, i1
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from tests.codegen.test_nvvm_all import CASES, Case
from tests.codegen.trace import bodies
from tests.effort import one_in
from weft.codegen import compile_module
from weft.dialects.nvvm.sregs import PREFIX
from weft.errors import WeftError
from weft.mlir import parse_mlir

TRIED = 10
"""Values that are tried for an attribute of a case."""


@cache
def by_operation() -> dict[str, list[Case]]:
    """The cases of each operation, in random order."""
    found: dict[str, list[Case]] = defaultdict(list)
    for case in CASES:
        if not case.op.startswith(PREFIX):
            found[case.op].append(case)
    rng = random.Random(1)
    for cases in found.values():
        rng.shuffle(cases)
    return found


def operation(module: ModuleOp, name: str) -> Operation:
    return [op for op in module.walk() if op.name == name][-1]


@cache
def seen() -> dict[str, set[Attribute]]:
    """The values that attributes have in the cases: of one class, or of one name if they are types."""
    found: dict[str, set[Attribute]] = defaultdict(set)
    for cases in by_operation().values():
        for case in cases[:5]:
            for name, value in operation(parse_mlir(case.module()), case.op).properties.items():
                found[kind(name, value)].add(value)
    return found


def kind(name: str, value: Attribute) -> str:
    return name if name in ("dstTy", "srcType") else type(value).__name__


def alternatives(name: str, value: Any) -> list[Attribute | None]:
    """Other values of an attribute; None leaves it out."""
    if isinstance(value, UnitAttr):
        return [None]
    found = set(seen()[kind(name, value)])
    if isinstance(value, IntegerAttr):
        found = {a for a in found if isinstance(a, IntegerAttr) and a.type == value.type}
        if value.type == i1:
            found |= {BoolAttr.from_bool(False), BoolAttr.from_bool(True)}
    elif isinstance(getattr(value, "data", None), enum.Enum):
        found |= {type(value)(member) for member in type(value.data)}
    return sorted(found - {value}, key=str)[:TRIED]  # pyright: ignore[reportReturnType]


def ptx(module: ModuleOp, target: str) -> Any:
    return bodies(compile_module(module, target).to_ptx())["f"]


def silent(case: Case) -> list[str]:
    """The changes of attributes that change nothing."""
    module = parse_mlir(case.module())
    before = ptx(module, case.target)
    found: list[str] = []
    for name, value in operation(module, case.op).properties.items():
        if name == "operandSegmentSizes":
            continue
        for other in alternatives(name, value):
            changed = module.clone()
            properties = operation(changed, case.op).properties
            if other is None:
                del properties[name]
            else:
                properties[name] = other
            try:
                changed.verify()
                after = ptx(changed, case.target)
            except (VerifyException, WeftError):
                continue
            if after == before:
                found.append(f"{case.module()}: {name} = {other}")
    return found


def check(first: int, last: int, step: int = 1) -> None:
    every = list(by_operation().values())[::step]
    found = [line for cases in every for case in cases[first:last] for line in silent(case)]
    assert not found, "\n".join(found[:5])


def test_every_attribute() -> None:
    check(0, 1, one_in(3))


@pytest.mark.slow
def test_every_attribute_of_more_cases() -> None:
    check(1, 5)
