"""Linkage: what PTX says of functions, variables and aliases, as LLVM 22's NVPTX says it.

`gpu.func` has none of its own and is external, `func.func` may be given one as `llvm.linkage`, and a `memref.global`
that is not public is private: so upstream's lowerings have them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Operation

from weft.codegen.directives import find
from weft.codegen.names import ptx_name
from weft.dialects import narrow
from weft.mlir import compile_error
from weft.ptx.ast import Directive, Function
from weft.ptx.directive_nodes import Alias

if TYPE_CHECKING:
    from xdsl.dialects.llvm import LinkageAttr

EXTERNAL = "external"
ELSEWHERE = "available_externally"
_LOCAL = frozenset({"internal", "private"})
_METADATA = "llvm.metadata"
"""The section of what is no part of the program."""
_ALIAS_BODY = frozenset({"llvm.mlir.addressof", "llvm.return", "llvm.addrspacecast", "llvm.bitcast"})


def linkage_of(op: Operation) -> str:
    """The linkage of a function, a variable or an alias, by LLVM's name."""
    if op.name == "memref.global":
        visibility = find(op, "sym_visibility")
        return EXTERNAL if visibility is None or visibility.data == "public" else "private"
    if op.name == "gpu.func":
        return EXTERNAL
    found = op.attributes.get("llvm.linkage") if op.name == "func.func" else op.properties.get("linkage")
    return EXTERNAL if found is None else cast("LinkageAttr", found).linkage.data


def function_word(linkage: str, *, defined: bool) -> str:
    """The word in front of `.func` or `.entry`.

    A function that is only declared is `.extern` whatever its linkage: ptxas refuses the `.weak` that LLVM writes.
    """
    if not defined:
        return "extern"
    if linkage in _LOCAL:
        return ""
    return "visible" if linkage == EXTERNAL else "weak"


def variable_word(linkage: str, space: str, *, defined: bool) -> str:
    """The word in front of a variable's state space."""
    if linkage == EXTERNAL:
        return "visible" if defined else "extern"
    if linkage == "common" and space == "global":
        return "common"
    return "" if linkage in _LOCAL or linkage in ("extern_weak", "appending") else "weak"


def is_program(op: Operation) -> bool:
    """Whether a global is a part of the program, and not a note for the compiler (`llvm.used`)."""
    section = op.properties.get("section")
    name = find(op, "sym_name").data
    return not name.startswith(("llvm.", "nvvm.")) and (section is None or narrow.text(section) != _METADATA)


class Aliases:
    """The `llvm.mlir.alias`es of a module: other names of functions."""

    def __init__(self) -> None:
        self._targets: dict[str, tuple[Any, str]] = {}

    def add(self, op: Operation) -> str:
        """Take an alias and give its name; raises CompileError unless it names a function."""
        target = ""
        for inner in op.regions[0].blocks[0].ops:
            if inner.name not in _ALIAS_BODY:
                raise compile_error(
                    op, "an alias of a computed address has no lowering", "name a function: PTX has no other aliases"
                )
            if inner.name == "llvm.mlir.addressof":
                target = ptx_name(narrow.symbol(inner.properties["global_name"]))
        name = ptx_name(find(op, "sym_name").data)
        self._targets[name] = (op, target)
        return name

    def declarations(self, functions: Mapping[str, Function]) -> list[Function]:
        """The declaration of each alias: like its function's, which must have a body; raises CompileError."""
        found: list[Function] = []
        for name, (op, target) in self._targets.items():
            passed = {name}
            while target in self._targets:  # PTX has no aliases of aliases.
                if target in passed:
                    raise compile_error(op, "the alias refers to itself through other aliases")
                passed.add(target)
                target = self._targets[target][1]
            self._targets[name] = (op, target)
            function = functions.get(target)
            if function is None or function.body is None or function.kernel:
                raise compile_error(op, f"'{target}' is not a function with a body", "PTX has no other aliases")
            if function.linkage == "weak":
                raise compile_error(op, f"'{target}' is weak: PTX has no aliases of weak functions")
            linkage = function_word(linkage_of(op), defined=True)
            if linkage == "weak":
                raise compile_error(op, "PTX has no weak aliases")
            found.append(Function(name, False, function.parameters, function.returns, linkage))
        return found

    def directives(self) -> list[Directive]:
        """The `.alias` directives, which are after the functions."""
        return [Alias(name, target) for name, (_, target) in self._targets.items()]

    def targets(self) -> frozenset[str]:
        """The functions that have other names."""
        return frozenset(target for _, target in self._targets.values())
