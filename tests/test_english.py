"""Phrases that no message, help text or document has: what a reader stumbles over when it is read aloud."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "weft"
OURS = "dialects/tile"
"""The dialect whose messages are ours: those of the others, and of `mlir`, are MLIR's own, word for word."""

HISTORY = (
    r"\b[Mm]ended\b", r"\b(?:[Tt]he same|[Ll]ater that) (?:day|evening)\b", r"\b[Aa] day later\b", r"\bon states? before\b",
    r"\bthe day before\b", r"\bas many as before\b", r"\(before: ", r"\bsince it was\b",
)  # fmt: skip
"""Words of a diary, which figures do not need: what was true before, and when it changed."""

PHRASES = {
    r"(?<![Tt]here )\b(?:is|are) no (?!such|longer|wider|more\b|other|one\b|way|need|limit|place)[A-Za-z]": "is not a ..., or unknown ...",
    r"\bneither here nor\b": "name the two",
    r"\bwhere there is one, a way out\b": "and suggests a fix",
    r"\bstands? on floors\b": "packages are layered",
    r"\bgives rise to\b": "causes",
    r"\bSay what of\b": "Check which",
    r"\bWhere argument N goes\b": "Write argument N to",
    r"\bcannot be, or be\b": "must be",
    r"\bexpected a test\b": "incomplete query",
    r"\bstands before this one\b": "earlier",
    r"^How\.$": "How findings are printed",
    r"\bthe status says it\b": "report by exit status only",
    r"\bas without it\b": "which is the default",
    r"\b(?:is|are) not there\b(?! to)": "is not supported, or does not exist",
    r"\bnothing has waited for\b": "is still in flight",
    r"\bnothing that orders\b": "without synchronization",
    r"\bcannot both be given\b": "cannot be combined",
    r"\bexclude each other\b": "cannot be combined",
    r"\b(?:is|are) never closed\b": "unclosed ..., or unterminated ...",
    r"\bis not made of\b": "is not a multiple of",
    r"^it comes from\b": "compiled from",
    r"\bthe place is\b": "the address is",
    r"\bis known only when the kernel runs\b": "is known only at run time",
    r"\bthere is no (?:code|pass|module|device|limit|opcode|instruction|data type|resource) [{']": "unknown ...",
    r"\bis called '\{": "no ... named",
    r"\bdoes not fit its\b": "does not match its",
    r"\bwaits? for ever\b": "deadlock",
    r"\b(?:registers|bytes|bits?|lanes?|instructions?|warps|threads|blocks|elements?|words?|steps|cycles) an? "
    r"(?:thread|warp|lane|block|launch|cycle|row|multiprocessor|byte|column|CTA|instruction|element|register)\b": "per",
    r"\b(?:is|are) the (?:least|most)(?: size)?$": "the limit is, or use ... or more",
    r"\bis not possible\b": "cannot",
    r"\bdoes not end$": "unterminated",
    r"\border nothing\b": "do not order",
    r"\bhas no (?:registers|place) for\b": "cannot lower",
    r"\bare the most\b": "the limit is",
    r"\bby way of\b": "through",
    r"\bcannot stand for\b": "cannot be passed as",
    r"\bexists? on no\b": "no ... supports",
    r"\bunder way\b": "in flight",
    r"\bwhere they stood\b": "their positions",
    r"\b(?:in one piece|comes in sixteens)\b": "contiguous",
    r"\bof which any does\b": "that",
    r"\bin the old way\b": "obsolete",
    r"\b(?:one|a) bit a \w": "per",
    r"\b(?:least|most) (?:threads|registers|CTAs|blocks) of\b": "minimum or maximum number of",
    r"\bgives the layout\b": "use ...",
    r"^An approximation of\b": "Approximate",
    r"\b(?:is|are) not legal\b": "illegal",
    r"\bdoes not know '?\{": "does not support, or unknown",
    r"\bis not a (?:naming|kind|target|register prefix)\b": "unknown ...",
    r"\bthere is no (?:global|function|scope|pass|product of)\b": "undefined, or unknown",
    r"\bcome to this\b": "reach this",
    r"^It asks with\b": "name what is not a constant",
}

_BARE = [phrase.strip("^$") for phrase in PHRASES]
_OPENED = [phrase.removeprefix(r"\b") for phrase in _BARE if phrase.startswith(r"\b")]
ANY = re.compile("|".join([rf"\b(?:{'|'.join(_OPENED)})", *(bare for bare in _BARE if not bare.startswith(r"\b"))]))
"""One `\\b` before the most of them: the search looks at their first letters then, and takes a tenth of the time."""
JOINT = re.compile(r"""["']\s*[fr]*["']""")
"""Where one literal ends and the next, which goes on with it, begins."""


def suspect(source: str) -> bool:
    """Whether a module's text has one of the phrases somewhere: only these few are worth parsing."""
    return ANY.search(JOINT.sub("", source)) is not None


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """The string literals of a module but for docstrings, which are not shown to users."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documents = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.lineno, node.value


def awkward(text: str) -> list[str]:
    return [
        f"'{match[0]}': write {better}" for phrase, better in PHRASES.items() for match in re.finditer(phrase, text)
    ]


@pytest.mark.parametrize("package", sorted(path.name for path in SOURCE.iterdir() if path.name != "__pycache__"))
def test_messages(package: str) -> None:
    root = SOURCE / (OURS if package == "dialects" else package)
    if package == "mlir":
        pytest.skip("its messages are MLIR's own")
    for path in [root] if root.suffix == ".py" else root.rglob("*.py"):
        if not suspect(path.read_text(encoding="utf-8")):
            continue
        for line, text in strings(path):
            assert not awkward(text), f"{path}:{line}: {awkward(text)}"


@pytest.mark.parametrize(
    "path", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda path: path.name
)
def test_documents(path: Path) -> None:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        assert not awkward(line), f"{path}:{number}: {awkward(line)}"


@pytest.mark.parametrize("path", sorted((ROOT / "benchmarks").glob("*.md")), ids=lambda path: path.name)
def test_figures_have_no_history(path: Path) -> None:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = re.search("|".join(HISTORY), line)
        assert found is None and not awkward(line), f"{path}:{number}: {found[0] if found else awkward(line)}"


def test_the_list_finds_what_it_is_for() -> None:
    assert awkward("'f31' is no type") and awkward("the bytes are no tensor map")
    assert awkward("it comes from k.cu:3") and awkward("there is no pass '{}'") and awkward("its text is never closed")
    assert suspect("""raise E(\n    f"'f31' is "\n    'no type'\n)""") and not suspect(
        'say(f"there is no barrier {n}")'
    )
    assert not awkward("there is no barrier 3") and not awkward("it is no longer there")
