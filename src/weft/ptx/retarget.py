"""Moving a module to another target: what is in the way, or the text with another header."""

from __future__ import annotations

from weft.dataclass import dataclass
from weft.errors import Diagnostic, Severity, WeftError, position_at
from weft.isa.target import NEWEST, TARGETS, VERSIONS, Version, Window, governing
from weft.isa.target import target as find_target
from weft.ptx.ast import Module
from weft.ptx.header import Header, find_header
from weft.ptx.requirements import Requirement, Requirements, requires


@dataclass(frozen=True, slots=True)
class Retargeting:
    """The way to another target at PTX `version`: free when both lists are empty.

    `obstacles` are the things that do not exist there, with where they first are and the windows that they need;
    `complaints` is what `weft.verify` finds there and did not find before, rendered.
    """

    target: str
    version: Version
    obstacles: tuple[Requirement, ...]
    complaints: tuple[str, ...] = ()

    @property
    def free(self) -> bool:
        """Whether nothing stands in the way."""
        return not self.obstacles and not self.complaints


def retarget(
    module: Module, target: str, version: str | Version | None = None, need: Requirements | None = None
) -> Retargeting:
    """What keeps a module from a target.

    Without `version` it is the module's own where that has the target and all that the module uses, else the least
    that does; when none does, the newest.  Raises WeftError for a target or version that does not exist.
    """
    from weft.ptx.verifier import verify

    known = find_target(target)
    target = known.name
    need = need or requires(module)
    chosen = _version(module, target, version, need)
    obstacles = need.obstacles(target, chosen)
    if chosen < known.least:
        obstacles = [r for r in obstacles if not any(target in w.targets and w.ptx <= chosen for w in r.windows)]
        obstacles.insert(0, _target_itself(module, target))
    complaints: tuple[str, ...] = ()
    if not obstacles:
        after = _errors(verify(module, target, str(chosen)))
        before = {(d.code, d.message) for d in _errors(verify(module))} if after else set[tuple[str, str]]()
        complaints = tuple(d.render() for d in after if (d.code, d.message) not in before)
    return Retargeting(target, chosen, tuple(obstacles), complaints)


def _errors(findings: list[Diagnostic]) -> list[Diagnostic]:
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def _version(module: Module, target: str, version: str | Version | None, need: Requirements) -> Version:
    if version is not None:
        chosen = Version.parse(version)
        if chosen not in VERSIONS:
            raise WeftError(f"unknown PTX version {chosen}", hint=f"the newest is {NEWEST}")
        return chosen
    own = Version.parse(module.version)
    least = need.targets.get(target, NEWEST)
    return max(own, least)


def _target_itself(module: Module, target: str) -> Requirement:
    source = module.source or ""
    position = position_at(source, _architecture(_header(source))[0], module.filename)
    return Requirement(f".target {target}", (Window(TARGETS[target].least, frozenset({target})),), position)


def rewrite_header(text: str, target: str, version: Version) -> str:
    """The text of a module with another version and architecture; everything else stays as it was.

    Of several words of `.target` (`sm_80, debug`) the one that names an architecture is replaced.
    """
    header = _header(text)
    (version_start, version_end), (target_start, target_end) = header.version, _architecture(header)
    return f"{text[:version_start]}{version}{text[version_end:target_start]}{target}{text[target_end:]}"


def _header(text: str) -> Header:
    header = find_header(text)
    if header is None:
        raise WeftError("the module has no header to change", position_at(text, 0))
    return header


def _architecture(header: Header) -> tuple[int, int]:
    """Where the word of `.target` is that names an architecture."""
    name = governing([word for word, _, _ in header.targets])
    return next((start, end) for word, start, end in reversed(header.targets) if word == name)
