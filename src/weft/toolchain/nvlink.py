"""Linking objects with NVIDIA's nvlink: what `assemble(..., relocatable=True)`, `nvcc -dc` and `ptxas -c` make."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from weft.errors import Diagnostic, Position, Severity, ToolError
from weft.toolchain import elf
from weft.toolchain.find import need, run
from weft.toolchain.ptxas import Cubin, Resources

_MESSAGE = re.compile(r"^nvlink (?P<severity>fatal|error|warning) *: (?P<text>.*)$", re.MULTILINE)
_PROPERTIES = re.compile(r"Function properties for '([^']+)':\n.*?used (\d+) registers(.*)")


def link(
    objects: Sequence[Cubin | bytes] | Mapping[str, Cubin | bytes],
    target: str | None = None,
    *,
    relocatable: bool = False,
    options: tuple[str, ...] = (),
) -> Cubin:
    """Link objects to a cubin with nvlink.

    Args:
        objects: results of `assemble(..., relocatable=True)`, or a mapping from the names that messages use to them.
        target: the architecture; by default that of the first `Cubin`.
        relocatable: make an object, whose names may stay undefined.
        options: passed to nvlink.

    Raises:
        ToolError: nvlink is missing or rejects the objects, as for a name that is undefined or defined twice.
    """
    named = objects if isinstance(objects, Mapping) else {f"object {i + 1}": o for i, o in enumerate(objects)}
    if not named:
        raise ToolError("there are no objects to link")
    chip = target or next((o.target for o in named.values() if isinstance(o, Cubin)), None)
    if chip is None:
        raise ToolError("unknown target", hint="give the target to link for")
    tool = need("nvlink")
    with tempfile.TemporaryDirectory(prefix="weft-") as folder:
        called: dict[str, str] = {}
        for number, (name, contents) in enumerate(named.items()):
            data = contents if isinstance(contents, bytes) else contents.data
            try:
                elf.sections(data)
            except ToolError as error:
                raise ToolError(f"{name}: {error.message}") from None
            path = Path(folder, f"{number}.cubin")
            path.write_bytes(data)
            called[str(path)] = name
        result = Path(folder, "linked.cubin")
        words = ["-r"] if relocatable else []
        done = run([tool.path, "-v", f"-arch={chip}", *words, *options, *called, "-o", str(result)])
        output = done.stderr + done.stdout
        for path, name in called.items():
            output = output.replace(path, name)
        diagnostics = _messages(output)
        if done.returncode or not result.exists():
            errors = [item for item in diagnostics if item.severity is Severity.ERROR]
            more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
            said = f"nvlink: {errors[0].message}{more}" if errors else f"nvlink failed: {output.strip()[:500]}"
            raise ToolError(said, diagnostics=diagnostics, output=output)
        return Cubin(result.read_bytes(), chip, _resources(output), diagnostics)


def _messages(output: str) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(
            "nvlink",
            match["text"].strip(),
            Severity.WARNING if match["severity"] == "warning" else Severity.ERROR,
            Position(file=""),
        )
        for match in _MESSAGE.finditer(output)
    )


def _resources(output: str) -> tuple[Resources, ...]:
    """The resources of each kernel, as `nvlink -v` says them; spills it does not tell."""

    def count(pattern: str, text: str) -> int:
        found = re.search(pattern, text)
        return int(found[1]) if found else 0

    return tuple(
        Resources(
            name=match[1],
            registers=int(match[2]),
            shared_bytes=count(r"(\d+) bytes smem", match[3]),
            stack_bytes=count(r"(\d+) stack", match[3]),
            barriers=count(r"used (\d+) barriers", match[3]),
            constant_bytes=sum(map(int, re.findall(r"(\d+) bytes cmem", match[3]))),
        )
        for match in _PROPERTIES.finditer(re.sub(r"nvlink info +: ", "", output))
    )
