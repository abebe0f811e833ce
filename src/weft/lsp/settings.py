"""What an editor's user sets: `initializationOptions`, and `weft` of `workspace/didChangeConfiguration`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from weft.dataclass import dataclass
from weft.isa.target import TARGETS


@dataclass(frozen=True, slots=True)
class Settings:
    """`target` is what PTX and asm are judged for and compiled to (empty: what the file says, or any), `diagnostics`
    whether texts are checked, `disable` the codes of findings that do not count.
    """

    target: str = ""
    diagnostics: bool = True
    disable: frozenset[str] = frozenset()


DEFAULT = Settings()


def read_settings(given: object) -> tuple[Settings, list[str]]:
    """The settings of what a client sends, and what is wrong with it; settings of others are passed over."""
    values = _mapping(given)
    values = _mapping(values["weft"]) if "weft" in values else values
    wrong = list(_wrong(values))
    target, diagnostics, disable = (values.get(name) for name in ("target", "diagnostics", "disable"))
    codes = cast("list[object]", disable) if isinstance(disable, list) else []
    return Settings(
        target if isinstance(target, str) and target in TARGETS else "",
        diagnostics if isinstance(diagnostics, bool) else True,
        frozenset(code for code in codes if isinstance(code, str)),
    ), wrong


def _mapping(given: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", given) if isinstance(given, Mapping) else {}


def _wrong(values: Mapping[str, object]) -> Iterator[str]:
    from weft.lint import CODES as LINT_CODES
    from weft.ptx.verifier import CODES

    target, diagnostics, disable = (values.get(name) for name in ("target", "diagnostics", "disable"))
    if target not in (None, "", *TARGETS):
        yield f"weft.target: unknown target {target!r}"
    if not isinstance(diagnostics, bool | None):
        yield "weft.diagnostics: expected true or false"
    if not isinstance(disable, list | None):
        yield "weft.disable: expected a list of codes"
        return
    for code in cast("list[object]", disable or []):
        if code not in CODES and code not in LINT_CODES and code != "mlir":
            yield f"weft.disable: unknown code {code!r}"
