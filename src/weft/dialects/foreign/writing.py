"""Print operations of foreign dialects by the formats of their rows, with spaces where MLIR's printers put them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, StringAttr, UnregisteredAttr, f64
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.printer import Printer

from weft.dialects.declared import segments
from weft.dialects.foreign.format import AnyOrder, Directive, Element, Group, Literal, Space, Variable
from weft.dialects.foreign.reading import DENSE, INTEGERS
from weft.dialects.foreign.rows import Inherent, Row, Values

_ELSEWHERE = ("operandSegmentSizes", "resultSegmentSizes")


def split(
    groups: Sequence[Values], values: Sequence[SSAValue], sizes: Sequence[int] | None
) -> dict[str, Sequence[SSAValue]]:
    """The values of each group; `sizes` says how many each has where several may have any number."""
    found: dict[str, Sequence[SSAValue]] = {}
    loose = sum(group.count != "" for group in groups)
    more = len(values) - len(groups) + loose
    start = 0
    for place, group in enumerate(groups):
        size = 1
        if sizes is not None and place < len(sizes):
            size = sizes[place]
        elif group.count:
            loose -= 1
            size = more if not loose else min(1, more)
            more -= size
        found[group.name] = values[start : start + size]
        start += size
    return found


class Writing:
    """A printer of one operation by its row."""

    def __init__(self, printer: Printer, op: Operation, row: Row) -> None:
        self.printer = printer
        self.op = op
        self.row = row
        self._space = True
        self._punctuated = False
        self._written: set[str] = set()
        sizes = segments(op) if "segments" in row.traits else None
        self.values = split(row.operands, op.operands, sizes) | split(row.results, op.results, None)

    # What the operation has

    def attribute(self, name: str) -> Attribute | None:
        """An attribute of the operation's own."""
        return self.op.properties.get(name, self.op.attributes.get(name))

    def regions(self, name: str) -> Sequence[Region]:
        """The regions of a name."""
        place = [region.rstrip("*") for region in self.row.regions].index(name)
        if self.row.regions[place].endswith("*"):
            return self.op.regions[place:]
        return self.op.regions[place : place + 1]

    def _present(self, element: Element | None) -> bool:
        if isinstance(element, Variable):
            name = element.name
            if name in self.values:
                return bool(self.values[name])
            if name in self.row.attributes:
                value = self.attribute(name)
                return value is not None and not _is_default(self.row.attributes[name], value)
            return any(region.blocks for region in self.regions(name))
        if isinstance(element, Directive):
            if element.name == "results":
                return bool(self.op.results)
            if element.name == "operands":
                return bool(self.op.operands)
            return any(self._present(argument) for argument in element.arguments)
        return False

    # Elements

    def all(self, given: Sequence[Element]) -> None:
        """Print elements."""
        for element in given:
            self._one(element)

    def text(self, text: str) -> None:
        """Print text."""
        self.printer.print_string(text)

    def _one(self, element: Element) -> None:
        if isinstance(element, Literal):
            self._literal(element.text)
        elif isinstance(element, Space):
            self.text(element.text)
            self._punctuated = not element.text
            self._space = False
        elif isinstance(element, Group):
            self.all(element.elements if self._present(element.anchor) else element.otherwise)
        elif isinstance(element, AnyOrder):
            for clause in element.clauses:
                if any(self._present(part) for part in clause):
                    self.all(clause)
        elif isinstance(element, Directive) and element.name == "prop-dict":
            if self.op.properties:
                self.text(" <")
                self.printer.print_attr_dict(self.op.properties)
                self.text(">")
            self._punctuated = False
        elif isinstance(element, Directive) and element.name.startswith("attr-dict"):
            self._dictionary(keyword=element.name.endswith("keyword"))
            self._punctuated = False
        else:
            self._spaced(element)

    def _spaced(self, element: Variable | Directive) -> None:
        unit = isinstance(element, Variable) and element.name in self.row.attributes
        if unit and self.row.attributes[cast("Variable", element).name].kind == "unit":
            self._written.add(cast("Variable", element).name)
            return
        if self._space or not self._punctuated:
            self.text(" ")
        self._punctuated, self._space = False, True
        if isinstance(element, Variable):
            self._variable(element.name)
        else:
            self._directive(element)

    def _literal(self, text: str) -> None:
        if self._space and _spaced_before(text, punctuated=self._punctuated):
            self.text(" ")
        self.text(text)
        self._space = len(text) != 1 or text not in "<({["
        self._punctuated = text[0] != "_" and not text[0].isalpha()

    def _variable(self, name: str) -> None:
        printer = self.printer
        if name in self.values:
            printer.print_list(self.values[name], printer.print_ssa_value)
        elif name in self.row.attributes:
            self._written.add(name)
            value = self.attribute(name)
            declared = self.row.attributes[name]
            if value is not None:
                self.inherent(declared, value)
            elif declared.default is not None:
                self.text(declared.default)
        elif name in (region.rstrip("*") for region in self.row.regions):
            printer.print_list(self.regions(name), self.region)
        else:
            printer.print_block_name(self.op.successors[0])

    def region(self, region: Region) -> None:
        """Print a region, without the terminator that it has anyway."""
        implicit = next((trait for trait in self.row.traits if trait.startswith("implicit=")), None)
        last = region.blocks.last.last_op if region.blocks.last is not None else None
        shown = implicit is None or last is None or bool(last.operands or last.attributes or last.properties)
        self.printer.print_region(region, print_block_terminators=shown)

    def inherent(self, declared: Inherent, value: Attribute) -> None:
        """Print an attribute where the format has it."""
        printer, kind = self.printer, declared.kind
        if kind in INTEGERS and isinstance(value, IntegerAttr):
            self.text(str(value.value.data))
        elif kind == "words":
            word = _word(declared, value)
            self.text(f'"{word}"' if "-" in word else word)
        elif kind == "angle" and isinstance(value, UnregisteredAttr):
            self.text(f"<{value.value.data}>")
        elif kind == "f64" and isinstance(value, FloatAttr):
            printer.print_float(cast("Any", value).value.data, f64)
        elif kind == "sym" and isinstance(value, StringAttr):
            printer.print_symbol_name(value.data)
        elif kind in DENSE and isinstance(value, DenseArrayBase):
            numbers = cast("Sequence[int]", cast("Any", value).get_values())
            self.text("[" + ", ".join(_number(number, kind) for number in numbers) + "]")
        else:
            printer.print_attribute(value)

    def _directive(self, directive: Directive) -> None:
        printer, name = self.printer, directive.name
        if name in ("type", "qualified"):
            given = directive.arguments[0]
            if isinstance(given, Directive) and given.name == "type":
                given = given.arguments[0]
            self.types(given, qualified=name == "qualified")
        elif name == "functional-type":
            operands, results = (self._of(argument) for argument in directive.arguments)
            self.function_type([value.type for value in operands], [value.type for value in results])
        elif name == "operands":
            printer.print_list(self.op.operands, printer.print_ssa_value)
        elif name == "regions":
            printer.print_list(self.op.regions, self.region)
        else:
            from weft.dialects.foreign.directives import WRITTEN

            named = [argument for argument in directive.arguments if isinstance(argument, Variable)]
            self._written.update(argument.name for argument in named)
            WRITTEN[name.removeprefix("custom<").removesuffix(">")](self, directive.arguments)

    def function_type(self, inputs: Sequence[Attribute], outputs: Sequence[Attribute]) -> None:
        """Print a type of a function."""
        self.printer.print_function_type(inputs, outputs)

    def _of(self, given: Element) -> Sequence[SSAValue]:
        if isinstance(given, Variable):
            return self.values[given.name]
        assert isinstance(given, Directive)
        return self.op.results if given.name == "results" else self.op.operands

    def types(self, given: Element, *, qualified: bool = False) -> None:
        """Print the types of values."""
        stripped = isinstance(given, Variable) and not qualified and self._is_stripped(given.name)
        kinds = [value.type for value in self._of(given)]
        if stripped and isinstance(kinds[0], UnregisteredAttr):
            self.text(f"<{kinds[0].value.data}>")
        else:
            self.printer.print_list(kinds, self.printer.print_attribute)

    def _is_stripped(self, name: str) -> bool:
        return any(
            group.name == name and group.type.startswith(":<") for group in (*self.row.operands, *self.row.results)
        )

    def _dictionary(self, *, keyword: bool) -> None:
        written = self._mentioned()
        if "prop-dict" in self.row.format:
            written |= set(self.row.attributes)
        shown = dict(self.op.attributes)
        for name, value in self.op.properties.items():
            declared = self.row.attributes.get(name)
            if declared is None or not _is_default(declared, value):
                shown[name] = value
        for name in (*written, *_ELSEWHERE):
            shown.pop(name, None)
        self.printer.print_op_attributes(shown, print_keyword=keyword)

    def _mentioned(self) -> set[str]:
        """The attributes that the format has somewhere."""
        from weft.dialects.foreign.format import elements

        found: set[str] = set()
        pending: list[Element] = [*elements(self.row.format)]
        while pending:
            element = pending.pop()
            if isinstance(element, Variable):
                found.add(element.name)
            elif isinstance(element, Directive):
                pending += element.arguments
            elif isinstance(element, Group):
                pending += [*element.elements, *element.otherwise]
            elif isinstance(element, AnyOrder):
                pending += [part for clause in element.clauses for part in clause]
        return found


def _spaced_before(text: str, *, punctuated: bool) -> bool:
    if len(text) != 1 and text != "->":
        return True
    return text[0] not in ">)}]," if punctuated else text[0] not in "<>(){}[],"


def _number(value: int, kind: str) -> str:
    return ("true" if value else "false") if kind == "bools" else str(value)


def _word(declared: Inherent, value: Attribute) -> str:
    if isinstance(value, StringAttr):
        return value.data
    if isinstance(value, IntegerAttr):
        place: int = cast("Any", value).value.data
        return declared.words[place] if place < len(declared.words) else str(place)
    return str(value)


def _is_default(declared: Inherent, value: Attribute) -> bool:
    if declared.default is None:
        return False
    if isinstance(value, IntegerAttr):
        number: int = cast("Any", value).value.data
        return declared.default in (str(number), str(bool(number)).lower() if declared.kind == "bool" else "")
    if isinstance(value, StringAttr):
        return declared.default.strip('"') == value.data
    held = getattr(value, "data", ())
    return declared.default == "[]" and not getattr(held, "data", held)
