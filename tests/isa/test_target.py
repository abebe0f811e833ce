"""Targets, versions and windows; the least versions are checked against ptxas itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.errors import IsaError, ToolError
from weft.isa.target import (
    NEWEST,
    TARGETS,
    VERSIONS,
    Version,
    describe_targets,
    target,
    target_set,
    window,
)
from weft.toolchain import Tool, assemble

KERNEL = ".version {}\n.target {}\n.visible .entry k() {{ ret; }}\n"


def accepted(version: Version, name: str) -> bool:
    """Whether ptxas takes a module header (assembled for sm_75 where it can be, else for the target itself)."""
    found = TARGETS[name]
    arch = "sm_75" if found.number <= 75 else name.replace("sm_101", "sm_110")
    try:
        assemble(KERNEL.format(version, name), target=arch)
    except ToolError as error:
        assert "does not support .target" in error.output or "Unsupported .target" in error.output, error.output
        return False
    return True


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["sm_52", "sm_75", "sm_80", "sm_90a", "sm_100a", "sm_103f", "sm_110", "sm_120a"])
def test_least_versions_are_those_of_ptxas(ptxas: Tool, name: str) -> None:
    found = target(name)
    below = VERSIONS[VERSIONS.index(found.least) - 1]
    assert accepted(found.least, name)
    assert not accepted(below, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_every_least_version_is_that_of_ptxas(ptxas: Tool, name: str) -> None:
    found = target(name)
    assert accepted(found.least, name)
    index = VERSIONS.index(found.least)
    assert index == 0 or not accepted(VERSIONS[index - 1], name)


def test_the_newest_version_is_the_newest_that_ptxas_takes(ptxas: Tool) -> None:
    assert accepted(NEWEST, "sm_90")
    with pytest.raises(ToolError, match="Unsupported .version"):
        assemble(KERNEL.format(Version(NEWEST.major, NEWEST.minor + 1), "sm_90"))


def test_family_relations() -> None:
    assert target_set("90a") == {"sm_90a"}
    assert target_set("120f+") == {"sm_120f", "sm_120a", "sm_121f", "sm_121a"}
    assert "sm_110a" in target_set("100f+") and "sm_100" not in target_set("100f+")
    assert "sm_100a" not in target_set("103f+") and "sm_103a" in target_set("103f+")
    assert "sm_90a" in target_set("80+") and "sm_75" not in target_set("80+")


def test_windows_say_what_is_needed() -> None:
    assert str(window("8.6", "100a 103a 120a")) == "PTX 8.6 and one of sm_100a, sm_103a, sm_120a"
    assert str(window("7.0", "80+")) == "PTX 7.0 and sm_80 or later"
    assert str(window("6.0", "50+", "6.3")) == "PTX 6.0 to 6.3 and sm_50 or later"
    assert describe_targets(frozenset(TARGETS)) == "any target"


def test_a_window_knows_each_targets_least_version() -> None:
    narrow = window("8.6", "100f+ 120f+")
    assert narrow.least("sm_100a") == (8, 6)
    assert narrow.least("sm_120a") == (8, 7)
    assert narrow.least("sm_120f") == (8, 8)
    assert narrow.least("sm_90a") is None
    assert window("6.0", "70+", "6.3").admits("sm_70", (6, 3))
    assert not window("6.0", "70+", "6.3").admits("sm_70", (6, 4))


windows = st.builds(
    window,
    st.sampled_from([str(v) for v in VERSIONS]),
    st.sampled_from(["", "75+", "80+", "90a", "100f+", "100f+ 120f+"]),
)


@given(windows, windows, st.sampled_from(sorted(TARGETS)), st.sampled_from(VERSIONS))
def test_joining_windows_is_and(one: object, other: object, name: str, version: Version) -> None:
    both = one & other  # type: ignore[operator]
    assert both.admits(name, version) == (one.admits(name, version) and other.admits(name, version))  # type: ignore[attr-defined]


@pytest.mark.parametrize("bad", ["sm_", "sm_93", "gfx90a", "sm_90b", ""])
def test_an_unknown_target_is_refused_with_a_hint(bad: str) -> None:
    with pytest.raises(IsaError) as raised:
        target(bad)
    assert raised.value.hint


@pytest.mark.parametrize("bad", ["8", "8.x", "", "eight", "8.6.1"])
def test_a_bad_version_is_refused(bad: str) -> None:
    with pytest.raises(IsaError):
        Version.parse(bad)
