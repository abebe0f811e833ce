"""The assembly of CCCL's headers of PTX, judged by the verifier as by ptxas, where its comments say and beside that."""

from __future__ import annotations

import re
import sysconfig
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.isa.statements import refusals
from tests.isa.test_table_against_ptxas import BATCH, accepted_whole, our_errors
from weft.isa.target import NEWEST, TARGETS, VERSIONS, Version
from weft.lint.statements import branches, defined_strings, found_tokens, read, spellings
from weft.lint.template import decoded
from weft.toolchain import Tool

HEADERS = Path(sysconfig.get_path("purelib"), "nvidia/cu13/include/cccl/cuda/__ptx/instructions/generated")
_SINCE = re.compile(r"PTX ISA (\d)(\d)(?:-\d+)?(?:,\s+SM_(\w+))?")
_CLASSES = {"h": "h", "r": "r", "l": "rd", "f": "f", "d": "fd", "q": "rq", "c": "c"}


def statements(text: str) -> Iterator[tuple[str, Version, str]]:
    """Each statement as one line of PTX, with the version and the first target of the comment before it."""
    macros = defined_strings(text)
    for keyword, found in found_tokens(text):
        said = list(_SINCE.finditer(text, 0, keyword.start))
        if not said:
            continue
        version = min(max(Version(int(said[-1][1]), int(said[-1][2])), VERSIONS[0]), NEWEST)
        target = f"sm_{said[-1][3] or '50'}"
        for way in branches(found):
            for chosen in spellings(way, macros):
                statement = read(keyword, way, chosen)
                letters = [operand.letters[-1:] for operand in statement.operands]
                names = [f"%{_CLASSES[x]}{i + 1}" if x in _CLASSES else "32" for i, x in enumerate(letters)]
                line = " ".join(re.sub(r"//[^\n]*", "", decoded(statement.template, chosen).text).split())
                line = re.sub(r"%(\d+)", lambda match, names=names: names[int(match[1])], line)
                yield line.replace("%%", "%"), max(version, TARGETS[target].least), target


def points(version: Version, target: str) -> set[tuple[str, Version]]:
    """Where a statement is asked of: as it is said, a version earlier, and on targets that might not have it."""
    plain = re.sub(r"[af]$", "", target)
    earlier = VERSIONS[VERSIONS.index(version) - 1]
    asked = {(target, version), (target, earlier), (plain, version), *((t, NEWEST) for t in ("sm_107a", "sm_80"))}
    return {(name, at) for name, at in asked if at >= TARGETS[name].least}


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_headers_are_judged_as_by_ptxas(ptxas: Tool) -> None:
    if not HEADERS.is_dir():
        pytest.skip("CCCL's headers are not installed")
    asked: dict[tuple[str, Version], dict[str, str]] = defaultdict(dict)
    for header in sorted(HEADERS.glob("*.h")):
        for line, version, target in statements(header.read_text()):
            for point in points(version, target):
                asked[point][line] = header.name
    assert sum(map(len, asked.values())) > 8000
    classes: Counter[tuple[str, str, str, str]] = Counter()
    for (target, version), lines in asked.items():
        texts = list(lines)
        for start in range(0, len(texts), BATCH):
            part = texts[start : start + BATCH]
            refused = refusals(part, target, version)
            for index, text in enumerate(part):
                ours = our_errors([text], target, version)
                if bool(ours) == (index in refused):
                    continue
                if not ours or accepted_whole(text, target, version):
                    why = ours[0].partition(" in ")[0] if ours else refused[index]
                    classes[lines[text], f"{target} {version}", re.sub(r"'[^']*'", "...", why), text] += 1
    for (name, where, why, text), _ in classes.items():
        print(f"{name} {where}: {why}: {text}")
    assert not classes
