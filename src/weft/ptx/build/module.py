"""Modules, built function by function."""

from __future__ import annotations

from collections.abc import Mapping

from weft.errors import Severity, WeftError
from weft.isa.target import TARGETS, Version
from weft.isa.target import target as find_target
from weft.ptx.ast import Function, Module, Parameter, Variable
from weft.ptx.build.body import BodyBuilder
from weft.ptx.build.errors import at_caller, finding, mistake
from weft.ptx.emit import KernelLimits, set_limits
from weft.ptx.values import Value
from weft.ptx.verifier import verify
from weft.ptx.verifier.context import Context, Scope
from weft.ptx.verifier.functions import declare_function
from weft.ptx.verifier.scopes import declare_variable

Parameters = Mapping[str, str | Parameter]
"""Names to types (`"u64"`), or to whole parameters (arrays, `.ptr`)."""


class ModuleBuilder:
    """Builds a module for a target; `version` is the least that has the target unless you say otherwise.

    Raises BuildError, at the line of Python that asks for it, for whatever the target, the version or the language do
    not have.
    """

    def __init__(self, target: str, version: str | None = None) -> None:
        try:
            name = find_target(target).name
            number = Version.parse(version) if version else TARGETS[name].least
        except WeftError as error:
            raise at_caller(error) from None
        if number < TARGETS[name].least:
            raise mistake(f"PTX {number} does not support {name}", f"{name} needs PTX {TARGETS[name].least}")
        self.module = Module((number.major, number.minor), (name,))
        self._context = Context(self.module, name, number)
        self._scope = Scope()
        self._open: list[BodyBuilder] = []

    def kernel(
        self, name: str, parameters: Parameters | None = None, *, limits: KernelLimits | None = None
    ) -> BodyBuilder:
        """A visible kernel; `limits` are what it demands of its launch (`.reqntid` and the like)."""
        function = Function(name, True, _parameters(parameters), linkage="visible", body=[])
        try:
            set_limits(function, limits or KernelLimits())
        except WeftError as error:
            raise at_caller(error) from None
        return self._body(function)

    def function(
        self, name: str, parameters: Parameters | None = None, returns: Parameters | None = None, *, linkage: str = ""
    ) -> BodyBuilder:
        """A device function; pass its `.function` to `BodyBuilder.call`."""
        return self._body(Function(name, False, _parameters(parameters), _parameters(returns), linkage, body=[]))

    def extern(self, name: str, parameters: Parameters | None = None, returns: Parameters | None = None) -> Function:
        """The declaration of a function that somebody else defines."""
        function = Function(name, False, _parameters(parameters), _parameters(returns), "extern")
        self._declared(function)
        return function

    def variable(
        self,
        space: str,
        type_: str,
        name: str,
        *dims: int,
        align: int = 0,
        initializer: Value | None = None,
        linkage: str = "",
    ) -> Variable:
        """A variable of the module in `global`, `const` or `shared`."""
        variable = Variable(space, type_, name, align, dims=dims, initializer=initializer, linkage=linkage)
        self._checked()
        declare_variable(self._context, self._scope, variable)
        self._checked(raising=True)
        self.module.items.append(variable)
        return variable

    def build(self) -> Module:
        """The module, verified as a whole; the builder is done with."""
        for body in self._open:
            body.finish()
        self._open.clear()
        for found in verify(self.module):
            if found.severity is Severity.ERROR:
                raise finding(found)
        return self.module

    def _body(self, function: Function) -> BodyBuilder:
        self._declared(function)
        builder = BodyBuilder(self, function, self._context, self._scope)
        self._open.append(builder)
        return builder

    def _declared(self, function: Function) -> None:
        self._checked()
        declare_function(self._context, self._scope, function)
        self._checked(raising=True)
        self.module.items.append(function)

    def _checked(self, *, raising: bool = False) -> None:
        errors = [found for _, found in self._context.located if found.severity is Severity.ERROR]
        self._context.located.clear()
        if raising and errors:
            raise finding(errors[0])


def _parameters(given: Parameters | None) -> list[Parameter]:
    made: list[Parameter] = []
    for name, what in (given or {}).items():
        made.append(Parameter(what, name) if isinstance(what, str) else what)
    return made
