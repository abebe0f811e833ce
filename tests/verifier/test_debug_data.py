"""What debug sections, `.loc` and pragmas hold: units, sums of labels, numbers; beside ptxas."""

from __future__ import annotations

import pytest

from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
from weft.toolchain import Tool

UNIT = ".b32 8 .b8 2, 0, 0, 0, 0, 0, 8, 0"
ABBREVIATIONS = ".section .debug_abbrev { .b8 0 }"


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("data", "accepted"),
    [
        ("", True),
        (UNIT, True),
        (f"{UNIT} {UNIT}", True),
        (".b8 8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 8, 0", True),
        (f"{UNIT} .b8 0", False),
        (UNIT.removesuffix(", 0"), False),
        (UNIT.replace("8", "7", 1), False),
        (f"{UNIT} {UNIT.replace('8', '9', 1)}", False),
        ("x: .b32 x .b8 2, 0, 0, 0, 0, 0, 8, 0", False),
    ],
)
def test_units(ptxas: Tool, data: str, accepted: bool) -> None:
    for target, sections in (("sm_90, debug", ABBREVIATIONS), ("sm_90, debug", ""), ("sm_90", ABBREVIATIONS)):
        text = f".version 8.0\n.target {target}\n.address_size 64\n{sections} .section .debug_info {{ {data} }}\n"
        expected = accepted or "debug" not in target or not sections
        assert accepted_by_us(text) == accepted_by_ptxas(text) == expected, text


@pytest.mark.sample(8)
@pytest.mark.parametrize("form", [1, 2, 3, 5, 8, 9, 11, 15, 16, 19, 24, 25, 26, 62])
@pytest.mark.parametrize(
    "entry",
    [
        "1, 65, 0",
        "1, 3, 0, 0, 0",
        "1, 65, 65",
        "1, 255",
        "7, 1, 1",
        "0, 1, 0, 0, 0, 0, 0, 0, 0, 0",
        "1",
        "1, 65, 0, 1, 255",
        "1, 65, 0, 0, 1, 255",
    ],
)
def test_entries(ptxas: Tool, form: int, entry: str) -> None:
    length = 7 + entry.count(",") + 1
    abbreviations = f".section .debug_abbrev {{ .b8 1, 17, 0, 3, {form}, 0, 0, 0 }}"
    unit = f".section .debug_info {{ .b32 {length} .b8 2, 0, 0, 0, 0, 0, 8, {entry} }}"
    text = f".version 8.0\n.target sm_90, debug\n.address_size 64\n{abbreviations} {unit}\n"
    assert accepted_by_ptxas(text) in (accepted_by_us(text), None), text


@pytest.mark.parametrize("version", range(7))
def test_versions_of_units(ptxas: Tool, version: int) -> None:
    unit = UNIT.replace("2,", f"{version},")
    text = f".version 8.0\n.target sm_90, debug\n.address_size 64\n{ABBREVIATIONS} .section .debug_info {{ {unit} }}\n"
    assert accepted_by_us(text) == accepted_by_ptxas(text), text


MODULE = """.version 9.0
.target sm_80
.address_size 64
.file 1 "a.c"
.global .b32 g;
.func f() {{ ret; }}
.entry k()
{{
code:
{0}
ret;
}}
.section .debug_str {{ first: .b8 65, 0 second: .b8 0 }}
.section .debug_loc {{ {1} other: .b8 0 }}
"""
TAILS = (
    "",
    "+3",
    "-3",
    "+first",
    "-first",
    "-second",
    "-other",
    "+.debug_str",
    "-.debug_str",
    " .debug_str",
    " + 0x3",
    "+-3",
    "+WARP_SZ",
)
NAMES = ("f", "g", "code", "first", "other", ".debug_str", ".debug_abbrev", "nothing")
VALUES = ("0", "08", "017", "0x1", "1U", "+1", "-1", " 1", "1 ", "18446744073709551616", "", "x")


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", NAMES)
def test_sums_of_labels(ptxas: Tool, name: str) -> None:
    texts = [MODULE.format("", f"{type_} {name}{tail}") for type_ in (".b32", ".b64") for tail in TAILS]
    texts += [text.replace("sm_80", "sm_80, debug") for text in texts]
    assert [text for text in texts if accepted_by_us(text) != accepted_by_ptxas(text)] == []


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("version", "target"), [("2.3", "sm_20"), ("3.1", "sm_30"), ("3.2", "sm_30"), ("7.4", "sm_80")]
)
def test_versions_of_sums_and_of_inlined_places(ptxas: Tool, version: str, target: str) -> None:
    around = MODULE.replace("9.0", version).replace("sm_80", target).replace("first:", "").replace("second:", "")
    around = around.replace("other:", "")
    data = [".b32 a-b", ".b64 a+3", ".b32 .debug_str+3", ".b32 .debug_str", ".b32 code", "a: .b32 a"]
    line = ".loc 1 2 3\n.loc 1 5 3, function_name a, inlined_at 1 2 3"
    texts = [around.format("", text) for text in data] + [around.format(line, "")]
    assert [text for text in texts if accepted_by_us(text) != accepted_by_ptxas(text)] == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("tail", ["", *TAILS[1:3], *TAILS[-4:]])
def test_names_of_inlined_functions(ptxas: Tool, tail: str) -> None:
    line = ".loc 1 2 3\n.loc 1 5 3, function_name {}, inlined_at 1 2 3"
    texts = [MODULE.format(line.format(name + tail), "") for name in NAMES]
    assert [text for text in texts if accepted_by_us(text) != accepted_by_ptxas(text)] == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["frequency", "used_bytes_mask"])
def test_numbers_of_pragmas(ptxas: Tool, name: str) -> None:
    texts = [MODULE.format(f'.pragma "{name} {value}";', "") for value in VALUES]
    assert [text for text in texts if accepted_by_us(text) != accepted_by_ptxas(text)] == []


@pytest.mark.parametrize("mark", ['# 1 "a.c"', '#line 5 "a.c"', "# 1", "#"])
def test_line_marks_in_sections(ptxas: Tool, mark: str) -> None:
    text = f".version 8.0\n.target sm_90\n.address_size 64\n.section .debug_str\n{{\n.b8 65\n{mark}\n.b8 0\n}}\n"
    assert accepted_by_us(text) == accepted_by_ptxas(text), text
