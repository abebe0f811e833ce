"""PTX versions and targets: their least versions, their order and families, and sets of them as windows.

Least versions are ptxas 13.5's own answers; the family relations are those of the PTX manual, section "PTX Module
Directives: .target": an `a` target is one architecture only, an `f` target one and the later members of its family.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from weft.dataclass import dataclass
from weft.errors import IsaError, meant, near_names


class Version(NamedTuple):
    """A PTX ISA version; compares as numbers do."""

    major: int
    minor: int

    @staticmethod
    def parse(text: str | tuple[int, int]) -> Version:
        """The version written `8.6`; raises IsaError when it is not one. As in ptxas, tens carry over: 8.10 is 9.0."""
        if isinstance(text, tuple):
            return Version(*text)
        major, dot, minor = text.strip().partition(".")
        if not (dot and major.isdecimal() and minor.isdecimal()):
            raise IsaError(f"invalid PTX version '{text}'", hint="write a PTX version like 8.6")
        return Version(*divmod(10 * int(major) + int(minor), 10))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


_MINORS = {1: 6, 2: 4, 3: 3, 4: 4, 5: 1, 6: 6, 7: 9, 8: 9, 9: 6}
VERSIONS: tuple[Version, ...] = tuple(Version(major, minor) for major, n in _MINORS.items() for minor in range(n))
"""Every PTX version from 1.0 to the newest that ptxas 13.5 takes."""

NEWEST = VERSIONS[-1]


@dataclass(frozen=True, slots=True)
class Target:
    """An architecture such as `sm_90a`: its number, its suffix and the least PTX version that knows it."""

    name: str
    number: int
    suffix: str
    least: Version

    @property
    def family(self) -> int:
        """The number of the family (the major architecture times ten): 100 for sm_100 to sm_110, 120 for sm_12x."""
        return 100 if 100 <= self.number < 120 else self.number // 10 * 10

    def runs(self, wanted: Target) -> bool:
        """Whether a GPU of this architecture runs PTX for a target: of an earlier one, its own or its family's."""
        if wanted.suffix == "a":
            return wanted.number == self.number
        if wanted.suffix == "f":
            return wanted.family == self.family and wanted.number <= self.number
        return wanted.number <= self.number

    def __str__(self) -> str:
        return self.name


_LEAST = """
10 1.0, 11 1.0, 12 1.2, 13 1.2, 20 2.0, 21 2.0, 30 3.0, 32 4.0, 35 3.1, 37 4.1, 50 4.0, 52 4.1, 53 4.2, 60 5.0,
61 5.0, 62 5.0, 70 6.0, 72 6.1, 75 6.3, 80 7.0, 86 7.1, 87 7.4, 88 9.0, 89 7.8, 90 7.8, 90a 8.0,
100 8.6, 100f 8.8, 100a 8.6, 101 8.6, 101f 8.8, 101a 8.6, 103 8.8, 103f 8.8, 103a 8.8, 107 9.4, 107f 9.4, 107a 9.4,
110 9.0, 110f 9.0, 110a 9.0, 120 8.7, 120f 8.8, 120a 8.7, 121 8.8, 121f 8.8, 121a 8.8
"""


def _targets() -> dict[str, Target]:
    table: dict[str, Target] = {}
    for entry in _LEAST.replace("\n", " ").split(","):
        name, least = entry.split()
        number, suffix = int(name.rstrip("af")), name.lstrip("0123456789")
        table[f"sm_{name}"] = Target(f"sm_{name}", number, suffix, Version.parse(least))
    return table


TARGETS: dict[str, Target] = _targets()
"""Every target by name, in the order of their numbers."""

ALL_TARGETS = frozenset(TARGETS)


def governing(words: Sequence[str]) -> str:
    """The word of `.target` directives that says what a module may use: the last architecture; empty when none."""
    return next(filter(is_architecture, reversed(words)), words[0] if words else "")


def is_architecture(word: str) -> bool:
    """Whether a word of `.target` is no option."""
    return word.startswith(("sm_", "compute_"))


def target(name: str) -> Target:
    """The target called `name`; `90a` is short for `sm_90a`.  Raises IsaError for a name that is none."""
    found = TARGETS.get(name) or TARGETS.get(f"sm_{name}") or TARGETS.get(name.replace("compute_", "sm_"))
    if found is None:
        hint = meant(near_names(name, TARGETS, 3), "write a target like sm_80 or sm_90a")
        raise IsaError(f"unknown target '{name}'", hint=hint)
    return found


_ITEM = re.compile(r"(\d+)([af]?)(\+?)$")


@cache
def target_set(text: str) -> frozenset[str]:
    """The set of targets that a short notation names; items are separated by blanks and joined.

    `80+` is sm_80 and every later target; `90a` one target; `100f+` the `a` and `f` targets of the family of sm_100
    from sm_100 on; `100a+` only the `a` targets of that family.
    """
    return frozenset(name for item in text.split() for name in _item(item))


def _item(item: str) -> frozenset[str]:
    match = _ITEM.match(item)
    if match is None:
        raise ValueError(f"bad target set item {item!r}")
    number, suffix, later = int(match[1]), match[2], match[3]
    if not later:
        return frozenset({target(f"sm_{number}{suffix}").name})
    family = target(f"sm_{number}").family
    return frozenset(
        t.name
        for t in TARGETS.values()
        if t.number >= number and (not suffix or (t.family == family and t.suffix in ("a", suffix) and t.suffix))
    )


def describe_targets(names: frozenset[str]) -> str:
    """A set of targets in words: `sm_80 or later`, `sm_90a`, or `one of sm_100a, sm_103a, sm_120a`."""
    ordered = [name for name in TARGETS if name in names]
    if not ordered:
        return "no target"
    if len(ordered) == len(TARGETS):
        return "any target"
    first = TARGETS[ordered[0]]
    if not first.suffix and names == target_set(f"{first.number}+"):
        return f"{first.name} or later"
    plain = [name for name in ordered if not TARGETS[name].suffix]
    if len(plain) == len(ordered) > 3 and ordered == list(TARGETS)[list(TARGETS).index(ordered[0]) :][: len(ordered)]:
        return f"{ordered[0]} to {ordered[-1]}"
    return ordered[0] if len(ordered) == 1 else f"one of {', '.join(ordered)}"


@dataclass(frozen=True, slots=True)
class Window:
    """Where a form exists: from PTX version `ptx` (to `until`, inclusive, when it was removed), on `targets`."""

    ptx: Version
    targets: frozenset[str]
    until: Version | None = None

    def __and__(self, other: Window) -> Window:
        until = min((u for u in (self.until, other.until) if u is not None), default=None)
        return Window(max(self.ptx, other.ptx), self.targets & other.targets, until)

    def least(self, name: str) -> Version | None:
        """The least PTX version at which target `name` has the form; None where it never has."""
        if name not in self.targets:
            return None
        least = max(self.ptx, TARGETS[name].least)
        return least if self.until is None or least <= self.until else None

    def admits(self, name: str, version: tuple[int, int]) -> bool:
        """Whether the form exists at target `name` and PTX `version`."""
        least = self.least(name)
        return least is not None and version >= least and (self.until is None or version <= self.until)

    def __str__(self) -> str:
        parts = [f"PTX {self.ptx}" + (f" to {self.until}" if self.until else "")]
        if self.targets != ALL_TARGETS:
            parts.append(describe_targets(self.targets))
        return " and ".join(parts)


def widest(windows: Iterable[Window]) -> tuple[Window, ...]:
    """The windows without those that another of them contains, in their order."""
    distinct = tuple(dict.fromkeys(windows))
    return tuple(w for w in distinct if not any(_contains(other, w) for other in distinct if other is not w))


def _contains(outer: Window, inner: Window) -> bool:
    return outer.ptx <= inner.ptx and inner.targets <= outer.targets and outer.until in (None, inner.until)


ALWAYS = Window(VERSIONS[0], ALL_TARGETS)


@cache
def window(ptx: str = "1.0", sm: str = "", until: str = "") -> Window:
    """A window in short notation: `window("8.6", "100f+ 120f+")`; an empty `sm` is every target."""
    return Window(Version.parse(ptx), target_set(sm) if sm else ALL_TARGETS, Version.parse(until) if until else None)
