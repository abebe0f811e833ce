"""Making a kernel that goes wrong small, by delta debugging: operations become constants as long as it still does."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from tests.codegen.breadth import Refused
from tests.differential.compilers import by_llvm, by_weft
from tests.differential.judge import Finding, NotRun, judged
from tests.differential.program import Kernel
from weft.errors import WeftError


def still(finding: Finding) -> Callable[[Kernel], bool]:
    """Whether another kernel goes wrong in the same way."""

    def test(kernel: Kernel) -> bool:
        try:
            mine = by_weft([kernel])
        except WeftError as error:
            return finding.kind == "refused" and _kind(error.message) == _kind(finding.message)
        except Exception as error:
            return finding.kind == "crash" and type(error).__name__ == finding.message.partition(":")[0]
        if finding.kind in ("refused", "crash"):
            return False
        try:
            found = judged(kernel, mine, by_llvm([kernel]))
        except (Refused, NotRun):
            return False
        return found is not None and found.kind == finding.kind

    return test


def _kind(message: str) -> str:
    return re.sub(r"\d+", "", message)


def shrunk(finding: Finding, budget: int = 150) -> Kernel:
    """The smallest kernel found with at most `budget` trials."""
    test = still(finding)
    kernel = finding.kernel
    names = [node.number for node in kernel.nodes() if not node.kept]
    size = max(1, len(names) // 2)
    while size and budget > 0:
        at = 0
        while at < len(names) and budget > 0:
            part = [number for number in names[at : at + size] if number not in kernel.removed]
            if part:
                budget -= 1
                smaller = replace(kernel, removed=kernel.removed | frozenset(part))
                if test(smaller):
                    kernel = smaller
            at += size
        size //= 2
    return kernel


def readable(kernel: Kernel) -> str:
    """The text without definitions that nothing reads."""
    text = kernel.text()
    while True:
        lines = text.splitlines()
        kept = []
        for line in lines:
            found = re.match(r"\s*(%\w+) = (?!scf|.*call|.*atomic|.*inline)[^{]*$", line)
            used = found is None or len(re.findall(rf"{re.escape(found[1])}(?!\w)", text)) > 1
            if used:
                kept.append(line)
        if len(kept) == len(lines):
            return text
        text = "\n".join(kept) + "\n"
