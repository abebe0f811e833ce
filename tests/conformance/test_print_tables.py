"""Printing through the packed tables against printing from the tree, on every public form that ptxas accepts."""

from __future__ import annotations

import importlib.util
import json

import pytest

import weft
from tests.conformance.test_windows import JUDGE, TABLE
from tests.mc.test_tables import print_alike


def test_public_forms_print_alike() -> None:
    if not (JUDGE.exists() and TABLE.exists()):
        pytest.skip("the table of ptxas's answers is not beside the checkout")
    spec = importlib.util.spec_from_file_location("judge_windows", JUDGE)
    assert spec is not None and spec.loader is not None
    judge = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(judge)
    table = json.loads(TABLE.read_text())
    accepted = [form for form in table["forms"] if form.get("targets")]
    assert len(accepted) > 2000
    for form in accepted:
        print_alike(weft.parse(judge.module_text(form, table["versions"][-1], "sm_100a")))
