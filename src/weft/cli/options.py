"""What several commands' options share: targets, versions, and codes of findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from weft.report import Code


def known_code(code: str, codes: Mapping[str, Code]) -> None:
    """Wrong usage when there is no such code."""
    from weft.errors import meant, near_names

    if code not in codes:
        hint = meant(near_names(code, codes), "--explain all lists all codes")
        raise click.UsageError(f"unknown code '{code}': {hint}")


def explains(
    explain: str | None, disable: Sequence[str], codes: Mapping[str, Code], listed: Mapping[str, Code], title: str
) -> bool:
    """Print what `--explain` asks for, if it does; wrong usage when it or `--disable` names no code."""
    for code in (*disable, *([explain] if explain and explain != "all" else ())):
        known_code(code, codes)
    if explain is None:
        return False
    click.echo(explained(explain, codes, listed, title))
    return True


def explained(name: str, codes: Mapping[str, Code], listed: Mapping[str, Code], title: str) -> str:
    """What a code means; for `all`, what each of those listed does, as Markdown."""
    if name == "all":
        return "\n\n".join([f"# {title}", *(f"## {explained(one, codes, listed, title)}" for one in sorted(listed))])
    code = codes[name]
    example = "\n".join(f"    {line}" for line in code.example.splitlines())
    return f"{name}\n\n{code.summary[0].upper()}{code.summary[1:]}. {code.detail}\n{code.fix}\n\n{example}"


def checked_target(given: str | None, option: str = "--target") -> str | None:
    """The name of a target as the table has it; wrong usage when it has none such."""
    return _checked(option, given, _target_name)


def target_option(_: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """The callback of an option that names a target."""
    return checked_target(given, option.opts[-1])


def version_option(_: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """The callback of an option that names a PTX version: it is spelt as the table has it, or wrong usage."""
    return _checked(option.opts[-1], given, _version_name)


def _checked(option: str, given: str | None, read: Callable[[str], str]) -> str | None:
    from weft.errors import WeftError

    if given is None:
        return None
    try:
        return read(given)
    except WeftError as error:
        raise click.UsageError(f"{option}: {error.message}" + (f": {error.hint}" if error.hint else "")) from None


def _target_name(given: str) -> str:
    from weft.isa.target import target

    return target(given).name


def _version_name(given: str) -> str:
    from weft.errors import IsaError
    from weft.isa.target import VERSIONS, Version

    version = Version.parse(given)
    if version not in VERSIONS:
        near = min(VERSIONS, key=lambda one: (abs(one.major - version.major), abs(one.minor - version.minor)))
        raise IsaError(f"unknown PTX version {version}", hint=f"did you mean {near}?")
    return str(version)
