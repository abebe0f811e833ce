"""A module in MLIR that has been lowered to a `ptx.Module`: its functions, variables, and what it needs as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, i64
from xdsl.ir import Attribute, Operation

import weft
from weft.codegen.asm import Asm, instructions
from weft.codegen.calls import copied, parameters, results
from weft.codegen.check import check_inline
from weft.codegen.directives import FUNCTIONS, dimensions, find, is_kernel, limits, never_returns
from weft.codegen.frame import FunctionSelector
from weft.codegen.globals import llvm_variable, memref_variable, space_of_global
from weft.codegen.graph import Value
from weft.codegen.libdevice import is_known
from weft.codegen.linkage import ELSEWHERE, Aliases, function_word, is_program, linkage_of
from weft.codegen.names import ptx_name
from weft.codegen.ops.cf import select_body
from weft.codegen.options import FULL
from weft.codegen.types import UnsupportedTypeError
from weft.dialects import narrow
from weft.errors import CompileError
from weft.isa.opcode import Opcode, legal_opcode
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.target import Target, Version, Window
from weft.mlir import compile_error
from weft.ptx.ast import Directive, Function, Module, Parameter, Section, Variable
from weft.ptx.directive_nodes import File, FunctionDirective
from weft.ptx.emit import banner, set_limits
from weft.ptx.features import INLINED, function_features, statement_features
from weft.ptx.values import ValueList, symbols

if TYPE_CHECKING:
    from typing import TypeAlias

    from weft.codegen.lines import LineTable
    from weft.dialects.rows import func, gpu, llvm

    AnyFunction: TypeAlias = func.FuncOp | gpu.FuncOp | llvm.FuncOp

_DECLARED = ("noreturn",)
"""Directives that a declaration of a function has too."""
SILENT = frozenset(
    {
        "memref.global",
        "llvm.mlir.global",
        "llvm.mlir.alias",
        "llvm.module_flags",
        "llvm.linker_options",
        "llvm.comdat",
    }
)
"""Operations of a module that need no code of their own."""
INTRINSIC = "llvm."
"""What the names of functions begin with that are operations of LLVM IR."""
DYNAMIC_SHARED = "__dynamic_shared"
DYNAMIC_SHARED_ALIGNMENT = 1024
"""What 128-byte swizzled tiles need."""


class ModuleCompiler:
    """Compiles the functions of a module and collects what the module as a whole needs."""

    def __init__(
        self, target: Target, version: str | tuple[int, int] | None, *, bare_pointers: bool,
        strict_atomics: bool = False, debug: str = "",
    ) -> None:  # fmt: skip
        self.target = target
        self.strict_atomics = strict_atomics
        self._asked = Version.parse(version) if version is not None else None
        if self._asked is not None and self._asked < target.least:
            raise CompileError(f"PTX {self._asked} does not support {target}", hint=f"use PTX {target.least} or later")
        self._version = self._asked or target.least
        self._bare = bare_pointers
        self._debug = debug
        self._lines: LineTable | None = None
        if debug:
            from weft.codegen.lines import LineTable

            self._lines = LineTable(inlining=self._asked is None or self._asked >= INLINED.ptx, labels=debug == FULL)
        self._opcodes: set[str] = set()
        self._checked: set[str] = set()
        self._variables: dict[str, Variable] = {}
        self._functions: list[Function] = []
        self._dynamic = False
        self._called: dict[str, int] = {}
        self._symbols: dict[str, str] = {}
        self._library: set[str] = set()
        self._bodies: dict[str, Operation] = {}
        self._outside: set[str] = set()
        """The functions that weft itself calls, which somebody else defines."""
        self._private: set[str] = set()
        """The variables that are there only if something names them."""
        self._named: set[str] = set()
        self._aliases = Aliases()
        self._inline: set[object] = set()
        self._described: list[tuple[str, Any, bool]] = []
        """Variables by their names in PTX, what their metadata says of them, and whether their pointers are generic."""

    def run(self, module: ModuleOp) -> Module:
        """The PTX module."""
        whole = list(_items(module))
        device = [op for op in whole if op.name == "gpu.module"]
        every = [item for op in device for item in _items(op)] if device else whole
        for op in every:
            self._symbol(op)
        for op in every:
            if op.name in ("memref.global", "llvm.mlir.global") and is_program(op):
                self._global(op)
        for op in every:
            self._item(op)
        if self._dynamic:
            name = DYNAMIC_SHARED
            self._variables[name] = Variable(
                "shared", "b8", name, align=DYNAMIC_SHARED_ALIGNMENT, dims=(-1,), linkage="extern"
            )
        functions = {function.name: function for function in self._functions}
        aliases = self._aliases.declarations(functions)
        variables = self._kept_variables()
        stored = {symbol.name for variable in variables for symbol in symbols(variable.initializer)}
        declared = [*self._declarations(stored), *aliases]
        items: list[Function | Variable | Directive | Section] = [
            *(function for function in declared if function.name in stored),
            *variables,
            *(function for function in declared if function.name not in stored),
            *(function for function in self._functions if function.body is not None),
            *self._aliases.directives(),
            *self._debug_items(module, {variable.name: variable.space for variable in variables}),
        ]
        for item in items:
            if not isinstance(item, Function | Section):
                for text, window, _ in statement_features(item):
                    self._need((window,), text, module)
        version = (self._version.major, self._version.minor)
        # Samplers apart from textures exist in one of PTX's two modes only.
        samplers = any(variable.type == "samplerref" for variable in variables)
        words = (("texmode_independent", samplers), ("debug", self._debug == FULL))
        targets = (self.target.name, *(word for word, wanted in words if wanted))
        return Module(version, targets, 64, items, banner=banner(weft.__version__))

    def _symbol(self, op: Operation) -> None:
        """Note the name of a variable, an alias or a function."""
        if op.name == "llvm.mlir.global":
            self._symbols[ptx_name(find(op, "sym_name").data)] = space_of_global(op)
        elif op.name == "llvm.mlir.alias":
            self._symbols[self._aliases.add(op)] = ""
        elif op.name in FUNCTIONS:
            name = ptx_name(find(op, "sym_name").data)
            self._symbols[name] = ""
            if op.regions[0].blocks:
                self._bodies[name] = op
            elif is_known(name):
                self._library.add(name)

    def _debug_items(self, module: ModuleOp, kept: Mapping[str, str]) -> Sequence[File | Section]:
        """The files that line information names, and the sections for a debugger; `kept` are the module's variables."""
        lines = self._lines
        if lines is None:
            return []
        if lines.uses_inlining:
            self._need((INLINED,), ".loc with inlined_at", module)
        if self._debug != FULL:
            return lines.items()
        from weft.codegen.debug.sections import sections

        described = [(what, name, "" if plain else kept[name]) for name, what, plain in self._described if name in kept]
        found = sections(lines, described, f"weft {weft.__version__}")  # They name files, so they come first.
        return [*lines.items(), *found]

    def _kept_variables(self) -> list[Variable]:
        """The variables of the module; private ones that nothing names are left out."""
        found, kept = list(self._variables.values()), set[str]()
        todo = [name for name in self._variables if name not in self._private or name in self._named]
        while todo:
            name = todo.pop()
            if name in self._variables and name not in kept:
                kept.add(name)
                todo += [symbol.name for symbol in symbols(self._variables[name].initializer)]
        return _in_order(variable for variable in found if variable.name in kept)

    def _declarations(self, stored: Collection[str]) -> list[Function]:
        """Declarations of functions elsewhere, and of those that are called before their definitions or `stored`."""
        found: list[Function] = []
        for number, f in enumerate(self._functions):
            called = self._called.get(f.name)
            early = called is not None and (f.body is None or called < number)
            if early or f.name in stored or f.name in self._outside:
                found.append(Function(f.name, False, f.parameters, f.returns, f.linkage, _declared(f.directives)))
        return found

    # -- what functions ask for ---------------------------------------------------------------------------------

    def dynamic_shared(self) -> str:
        """The symbol of the shared memory whose size the launch gives."""
        self._dynamic = True
        return DYNAMIC_SHARED

    def calls(self, name: str) -> None:
        """The function that is being selected calls another."""
        self._called.setdefault(name, len(self._functions))

    def external(self, name: str, parameters: Sequence[Parameter], returned: Sequence[Parameter]) -> None:
        """Declare a function that somebody else defines (`vprintf`), once."""
        if all(function.name != name for function in self._functions):
            self._outside.add(name)
            self._functions.insert(0, Function(name, False, list(parameters), list(returned), "extern"))

    def constant_data(self, data: bytes, align: int = 1) -> str:
        """The name of a variable that holds these bytes; equal ones are kept once."""
        initial = ValueList(data)
        for variable in self._variables.values():
            if variable.initializer == initial and not variable.linkage:
                return variable.name
        name = f"__constant_{len(self._variables)}"
        self._variables[name] = Variable("global", "b8", name, align=align, dims=(len(data),), initializer=initial)
        return name

    def check_inline(self, asm: Asm) -> None:
        """Check statements of inline PTX against the table, each text with its classes of operands once."""
        classes = tuple(x.cls if isinstance(x, Value) else x for x in asm.places.values())
        key = (asm.source.name, asm.text, classes)
        if key not in self._inline:
            for instruction in instructions(asm.statements):
                self.check_opcode(instruction.opcode, asm.source)
            named = [variable for name, variable in self._variables.items() if name in asm.text]
            check_inline(asm, self.target.name, named, self._symbols)
            self._inline.add(key)

    def is_function(self, name: str) -> bool:
        """Whether the module has a function of this name."""
        return self._symbols.get(name) == ""

    def is_library(self, name: str) -> bool:
        """Whether the module declares a function of this name, and the code for it comes from weft."""
        return name in self._library

    def defined(self, name: str) -> Operation | None:
        """The function of this name, if it is not a kernel and its body is known."""
        op = self._bodies.get(name)
        return None if op is None or is_kernel(op) else op

    def variable(self, name: str) -> Variable | None:
        """A variable of the module, which is kept for being asked for."""
        self._named.add(name)
        return self._variables.get(name)

    def check_opcode(self, opcode: Opcode, source: Any) -> None:
        """Check an opcode against the target and the version."""
        if opcode.written not in self._opcodes:
            self._opcodes.add(opcode.written)
            if opcode.problem is not None:
                raise compile_error(source, opcode.problem.message, opcode.problem.hint)
            self._need(opcode.windows, f"'{opcode.text}'", source)

    def special_register(self, name: str, source: Any) -> None:
        """Check a special register against the target and the version."""
        register = SPECIAL_REGISTERS.get(name)
        if register is not None and name not in self._checked:
            self._checked.add(name)
            self._need((register.window,), f"register '{name}'", source)

    def available(self, stem: str, /, **slots: str | bool) -> Opcode | None:
        """The opcode of a family with these slots, None where the target has none at a version that may be used."""
        found = legal_opcode(stem, **slots)
        least = [v for w in found.windows if (v := w.least(self.target.name)) is not None] if found else []
        return found if least and (self._asked is None or min(least) <= self._asked) else None

    def _need(self, windows: tuple[Window, ...], what: str, source: Any) -> None:
        least = [v for w in windows if (v := w.least(self.target.name)) is not None]
        if not least:
            needs = " or ".join(dict.fromkeys(str(w) for w in windows))
            raise compile_error(source, f"{what} does not exist on {self.target}", f"it needs {needs}")
        if self._asked is not None and min(least) > self._asked:
            raise compile_error(
                source, f"{what} needs PTX {min(least)} on {self.target}", f"use PTX {min(least)}, not {self._asked}"
            )
        self._version = max(self._version, min(least))

    # -- items --------------------------------------------------------------------------------------------------

    def _item(self, op: Operation) -> None:
        name = op.name
        if name == "gpu.func":
            self._function(cast("gpu.FuncOp", op), kernel=is_kernel(op))
        elif name in ("func.func", "llvm.func"):
            name = find(op, "sym_name").data
            if not name.startswith(INTRINSIC) and not self.is_library(name):
                self._function(cast("func.FuncOp | llvm.FuncOp", op), kernel=is_kernel(op))
        elif name not in SILENT:
            raise compile_error(op, "weft cannot lower this operation here")

    def _function(self, op: AnyFunction, *, kernel: bool) -> None:
        name = ptx_name(find(op, "sym_name").data)
        selector = FunctionSelector(self, op, name, len(self._functions), kernel=kernel, bare_pointers=self._bare)
        function = selector.function
        try:
            if kernel:
                selector.block_size = dimensions(find(op, "nvvm.reqntid", "known_block_size", "gpu.known_block_size"))
                selector.grid_size = dimensions(find(op, "known_grid_size", "gpu.known_grid_size"))
                _set_limits(function, op)
            self._signature(op, selector)
            if never_returns(op) and not kernel and not function.returns:
                function.directives.append(FunctionDirective("noreturn"))
            linkage = linkage_of(op)
            defined = bool(op.body.blocks) and linkage != ELSEWHERE
            function.linkage = function_word(linkage, defined=defined)
            if not defined:
                function.body = None
            else:
                selector.returns = selector.return_values
                if self._lines is not None and self._debug == FULL:
                    selector.notes = self._lines.notes()
                select_body(selector, op.body)
                origins: dict[int, Any] | None = None if self._lines is None else {}
                function = selector.emitted(origins)
                if self._lines is not None and origins is not None:
                    self._lines.place(op, function, origins, selector.notes)
        except UnsupportedTypeError as error:
            raise compile_error(selector.source, str(error)) from None
        except RecursionError:
            raise compile_error(selector.source or op, "the code is nested too deeply") from None
        for text, window, _ in function_features(function):
            self._need((window,), text, op)
        self._functions.append(function)

    def _signature(self, op: AnyFunction, selector: FunctionSelector) -> None:
        if op.body.blocks:
            arguments = list(op.body.blocks[0].args)
            attributes = narrow.dictionaries(op, "arg_attrs")
            of_gpu = cast("gpu.FuncOp", op) if op.name == "gpu.func" else None
            count = len(arguments) if of_gpu is None else len(of_gpu.function_type.inputs.data)
            for index, argument in enumerate(arguments[:count]):
                selector.bind_parameter(argument, dict(attributes[index]) if index < len(attributes) else {})
            if of_gpu is not None:
                self._buffers(of_gpu, selector)
            elif _is_variadic(op):
                selector.bind_unnamed()
        else:
            inputs = [*_inputs(op), *([i64] if _is_variadic(op) else ())]
            declared = selector.function.parameters = parameters(inputs, selector.name)
            for index, parameter in copied(op).items():
                at = len(parameters(inputs[:index], ""))  # A memref is several.
                parameter.name = declared[at].name
                declared[at] = parameter
        if not selector.kernel:
            selector.function.returns = results(_outputs(op))

    @staticmethod
    def _buffers(op: gpu.FuncOp, selector: FunctionSelector) -> None:
        from weft.dialects.gpu.kernels import private_buffers, workgroup_buffers  # Its syntax has loaded it.

        for buffers, key in (
            (workgroup_buffers(op), "workgroup_attrib_attrs"),
            (private_buffers(op), "private_attrib_attrs"),
        ):
            attributes = narrow.dictionaries(op, key)
            for index, argument in enumerate(buffers):
                selector.bind_buffer(argument, dict(attributes[index]) if index < len(attributes) else {})

    def _global(self, op: Operation) -> None:
        name = ptx_name(find(op, "sym_name").data)
        if op.name == "llvm.mlir.global":
            self._variables[name] = llvm_variable(op, self._symbols)
            described = op.properties.get("dbg_exprs")
            if self._debug == FULL and isinstance(described, ArrayAttr):
                plain = not narrow.stated(op, "addr_space", 0)
                self._described += [(name, each, plain) for each in cast("ArrayAttr[Attribute]", described)]
        else:
            self._variables[name] = memref_variable(op)
        if linkage_of(op) == "private":
            self._private.add(name)


def _items(module: Operation) -> Iterator[Operation]:
    """What is in a module, and in modules inside of it."""
    for op in module.regions[0].blocks[0].ops:
        if op.name == "builtin.module":
            yield from _items(op)
        else:
            yield op


def _in_order(variables: Iterable[Variable]) -> list[Variable]:
    """The variables, each behind those that its value names: PTX has no declarations of what comes later."""
    todo = {variable.name: variable for variable in variables}
    found: list[Variable] = []
    while todo:
        pending = [next(iter(todo.values()))]
        while pending:
            variable = pending[-1]
            todo.pop(variable.name, None)
            before = [todo[symbol.name] for symbol in symbols(variable.initializer) if symbol.name in todo]
            if before:
                pending.append(before[0])
            else:
                found.append(pending.pop())
    return found


def _declared(directives: Sequence[Directive]) -> list[Directive]:
    return [directive for directive in directives if directive.name in _DECLARED]


def _set_limits(function: Function, op: Operation) -> None:
    try:
        set_limits(function, limits(op))
    except CompileError as error:
        raise compile_error(op, error.message, error.hint) from None


def _inputs(op: AnyFunction) -> Sequence[Attribute]:
    return op.function_type.inputs.data


def _is_variadic(op: AnyFunction) -> bool:
    """Whether a function takes arguments without names, to which one parameter more points."""
    return op.name == "llvm.func" and cast("llvm.FuncOp", op).function_type.is_variadic


def _outputs(op: AnyFunction) -> list[Attribute]:
    if op.name == "llvm.func":
        output = cast("llvm.FuncOp", op).function_type.output
        return [] if output.name == "llvm.void" else [output]
    return list(cast("func.FuncOp | gpu.FuncOp", op).function_type.outputs.data)
