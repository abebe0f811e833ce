"""ptxas's answers to the matrices, kept: `python -m tests.verifier.matrices.kept` asks again and writes them.

With `--ours` it keeps what ptxas said, and looks again where the verifier answers otherwise.

`answers.json` holds, by matrix and as hexadecimal digits of one bit a probe: `accepted`; `unknown`, where ptxas crashed
or ran out of time; and `different`, where the verifier answers otherwise.  `differences.txt` has each of these by its
class, with the reason of the class (`tests.verifier.matrices.reasons`).
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import weft
from tests.verifier.matrices import MATRICES
from tests.verifier.matrices.probe import Probe
from tests.verifier.matrices.reasons import REASONS, reason_of
from weft.errors import PtxSyntaxError, Severity, ToolError
from weft.toolchain import assemble, find
from weft.toolchain.ptxas import target_of

ANSWERS = Path(__file__).with_name("answers.json")
DIFFERENCES = Path(__file__).with_name("differences.txt")


def accepted_by_us(text: str) -> bool:
    try:
        found = weft.verify(weft.parse(text))
    except PtxSyntaxError:
        return False
    return all(item.severity is not Severity.ERROR for item in found)


def accepted_by_ptxas(text: str) -> bool | None:
    """Whether ptxas assembles a module, one that misses a function as one to be linked; None when it crashed."""
    try:
        target = target_of(text)
    except (ToolError, PtxSyntaxError):
        target = "sm_75"
    if target.removeprefix("sm_").rstrip("af").isdigit() and int(target.removeprefix("sm_").rstrip("af")) < 75:
        target = "sm_75"
    try:
        assemble(text, target=target, options=("-O0",))
    except ToolError as error:
        output = error.output
        if "nresolved" in output:
            try:
                assemble(text, target=target, options=("-O0", "-c"))
            except ToolError as again:
                return True if "Compile only" in again.output else _refused(again.output)
            return True
        return _refused(output)
    return True


def _refused(output: str) -> bool | None:
    """False where ptxas says why, None where it crashed."""
    return False if "error" in output or "fatal" in output else None


def bits(values: Sequence[bool]) -> str:
    return f"{int('1' + ''.join('01'[value] for value in values), 2):x}"


def unpacked(text: str) -> list[bool]:
    return [digit == "1" for digit in f"{int(text, 16):b}"[1:]]


def write(answers: dict[str, list[bool | None]]) -> None:
    """Write ptxas's answers, and where the verifier's are others."""
    kept: dict[str, dict[str, str]] = {}
    for name, given in answers.items():
        ours = [accepted_by_us(probe.text) for probe in MATRICES[name]()]
        kept[name] = {
            "accepted": bits([answer is True for answer in given]),
            "unknown": bits([answer is None for answer in given]),
            "different": bits([a is not None and a != o for a, o in zip(given, ours, strict=True)]),
        }
    tool = find("ptxas")
    version = ".".join(map(str, tool.version)) if tool is not None else ""
    ANSWERS.write_text(json.dumps({"ptxas": version, "answers": kept}, indent=1) + "\n")
    DIFFERENCES.write_text(explained(kept))


def differences(name: str, kept: dict[str, str]) -> list[tuple[Probe, bool]]:
    """The probes of a matrix on which the verifier answers otherwise, and whether ptxas accepts them."""
    marked = zip(MATRICES[name](), unpacked(kept["accepted"]), unpacked(kept["different"]), strict=True)
    return [(probe, accepted) for probe, accepted, different in marked if different]


def explained(answers: dict[str, dict[str, str]]) -> str:
    """Every difference, by its class."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, kept in answers.items():
        for probe, accepted in differences(name, kept):
            reason = reason_of(probe.label, accepted=accepted)
            found["" if reason is None else reason.name].append(f"    {name}: {probe.label!r}")
    sections = [
        f"{reason.name} ({len(found[reason.name])}; {'ptxas accepts' if reason.accepted else 'ptxas refuses'}):\n"
        f"  {reason.why}\n" + "\n".join(found[reason.name])
        for reason in REASONS
        if found[reason.name]
    ]
    return "\n\n".join([*sections, *found[""]]) + "\n"


def kept_answers() -> dict[str, list[bool | None]]:
    """What ptxas said of each probe."""
    kept: dict[str, dict[str, str]] = json.loads(ANSWERS.read_text())["answers"]
    return {
        name: [
            None if unknown else accepted
            for accepted, unknown in zip(unpacked(found["accepted"]), unpacked(found["unknown"]), strict=True)
        ]
        for name, found in kept.items()
    }


def ask(probes: Sequence[Probe]) -> list[bool | None]:
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(accepted_by_ptxas, [probe.text for probe in probes]))


if __name__ == "__main__":
    write(kept_answers() if "--ours" in sys.argv else {name: ask(list(matrix())) for name, matrix in MATRICES.items()})
