"""Read MLIR text into xDSL operations, with positions on every operation and weft's own diagnostics.

xDSL's parser does the grammar; what stands beside this module replaces parts of it.
"""

from __future__ import annotations

import re
import struct
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp, StringAttr, UnregisteredAttr, UnregisteredOp
from xdsl.ir import Attribute, Block, Data, Operation, ParametrizedAttribute, Region, SSAValue
from xdsl.ir.affine import AffineMap, AffineSet
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser, ParserState
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind
from xdsl.utils.str_enum import StrEnum

from weft.dialects.building import take_properties
from weft.dialects.engine.unchecked import unchecked_formats
from weft.mlir import wording
from weft.mlir.lexer import FastLexer, FastTokens
from weft.mlir.literals import LiteralParser
from weft.mlir.locations import LocationParser, place_terminators
from weft.mlir.positions import LineTable
from weft.mlir.reader.reader import Reader
from weft.mlir.repeated import RepeatedParser
from weft.mlir.shaped import ShapedParser
from weft.mlir.unregistered import modest

_Element = TypeVar("_Element")

_INTEGER_TYPE = re.compile(r"[su]?i\d+")


_IMPLIED = {
    "async.func": "async", "builtin.module": "builtin", "func.func": "func", "tile.kernel": "tile",
    "transform.sequence": "transform",
}  # fmt: skip
"""The operations in whose regions names may lack the dialect, and the dialect."""
_NO_SYNTAX: Any = Operation.parse
_UNREGISTERED = (
    "operation being parsed with an unregistered dialect. If this is intended, please use "
    "-allow-unregistered-dialect with the MLIR tool used"
)
_BEGINNINGS = (MLIRTokenKind.PERCENT_IDENT, MLIRTokenKind.BARE_IDENT, MLIRTokenKind.STRING_LIT)


def _subject(cls: type[Operation]) -> str:
    """What errors of an operation begin with."""
    return f"custom op '{cls.name}' "


_ALIASES = frozenset((MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT))
_BEYOND = 1 << 31
_OF_TESTS = "test."
"""How the names of mlir-opt's own dialect for tests begin, which takes any operation."""


class MlirParser(FastTokens, RepeatedParser, LocationParser, ShapedParser, LiteralParser, Parser):
    """xDSL's parser over the fast lexer; every operation gets its place in the text."""

    reader = Reader
    """What reads most operations."""

    def __init__(self, ctx: Context, text: str, filename: str) -> None:
        super().__init__(ctx, "", filename)
        self._parser_state = ParserState(FastLexer(Input(text, filename)))
        self._text = text
        self.lines = LineTable(text, filename)
        """The places of the text."""
        self.remember()
        self._reader = self.reader(self, text)
        self.operation_start = 0
        """Offset of the name of the operation that was begun last: where an error without a place belongs."""
        self._subject = ""
        """What errors of the operation that is being parsed begin with."""
        self._entry_places = []
        self._wide: list[tuple[int, int]] = []
        """Numbers of the operation that is being parsed that do not fit 32 bits, and where they are."""
        self._generic: type[Operation] = ModuleOp
        self._given: dict[str, Attribute] = {}
        """The class of the operation in generic form that is being parsed."""
        self.implied = ["builtin"]
        """For each operation in custom form around the text: the dialect of the names without one in its regions."""
        self.saw_forward_reference = False
        """Whether a value was used in the text before it was defined."""
        self._stand_ins: list[tuple[SSAValue, Span[str]]] = []
        """What stood for values that were used before they were defined, and where they were defined."""

    def parse_optional_attribute(self) -> Attribute | None:
        """Parse an attribute, if there is one: not the location behind an operation."""
        if self._parser_state.current_token.text == "loc":
            return None
        return super().parse_optional_attribute()

    def parse_attribute(self) -> Attribute:
        """Parse an attribute.

        Raises:
            ParseError: there is none.
        """
        return self.parse_optional_location() or super().parse_attribute()

    def at_end(self) -> bool:
        """Whether nothing is left to parse."""
        return self._parser_state.current_token.kind is MLIRTokenKind.EOF

    # Operations

    def parse_operation(self) -> Operation:
        """Parse one operation and note the place of its name on it.

        Raises:
            ParseError: the text is no operation of a known dialect.
        """
        return self._reader.operation() or self._parse_slowly()

    def parse_optional_slowly(self) -> Operation | None:
        """Parse an operation, if there is one, as xDSL's parser does.

        Raises:
            ParseError: the text is no operation of a known dialect.
        """
        return self._parse_slowly() if self._parser_state.current_token.kind in _BEGINNINGS else None

    def _parse_slowly(self) -> Operation:
        state = self._parser_state
        first = state.current_token
        results = self._parse_op_result_list() if first.kind is MLIRTokenKind.PERCENT_IDENT else ()
        token = state.current_token
        start = self.operation_start = token.span.start
        if token.kind is MLIRTokenKind.BARE_IDENT:
            self._consume_token()
            op_type = self._operation_class(token.text, token)
            state.dialect_stack.append(op_type.dialect_name())
            self.implied.append(_IMPLIED.get(op_type.name, ""))
            op = self._parse_custom(op_type)
            self.implied.pop()
            state.dialect_stack.pop()
            if op.attributes and isinstance(op, IRDLOperation):
                take_properties(op)
            if op.regions:
                place_terminators(op.regions, self.lines.location(start))
            explicit = self.parse_optional_location()
            op.location = self.lines.location(start) if explicit is None else explicit
        else:
            name = self.expect(self.parse_optional_str_literal, "operation name expected")
            op_type = self._operation_class(name, token)
            state.dialect_stack.append(op_type.dialect_name())
            self._generic, self._given = op_type, dict[str, Attribute]()
            op = self._parse_generic_operation(op_type)
            state.dialect_stack.pop()
            if isinstance(op, IRDLOperation) and op.get_irdl_definition().options:
                from weft.mlir.properties import complete as complete_sizes

                complete_sizes(op)
            if name.startswith("llvm."):
                from weft.dialects.llvm.defaults import complete

                complete(op, self._given)
            elif name in ("memref.load", "memref.store") and "alignment" in op.properties:
                # xDSL's classes have no such property; it is printed and checked where it is in the custom form.
                op.attributes["alignment"] = op.properties.pop("alignment")
            if not self.has_location:
                op.location = self.lines.location(start)
        self._bind_results(op, results, first)
        return op

    # What the quick reader asks for

    @property
    def dialects(self) -> list[str]:
        """The dialects of the operations around the text that is being parsed, the innermost last."""
        return self._parser_state.dialect_stack

    def known(self, name: str) -> type[Operation] | None:
        """The class of the operation with this full name; None when there is none."""
        return self.ctx.get_optional_op(name)

    def resume(self, offset: int) -> None:
        """Go on parsing at an offset."""
        self._resume_from(offset)

    def define(self, name: str, values: Sequence[SSAValue], span: Span[str]) -> None:
        """Note values by their name.

        Raises:
            ParseError: there is another value of the name, or it was used with another type.
        """
        self._register_ssa_definition(name, values, span)

    def successor(self, span: Span[str]) -> Block:
        """The block that is named at a place; it may be defined later."""
        return self._get_block_from_name(span)

    def region_of(self, cls: type[Operation], arguments: Sequence[Parser.Argument] | None) -> Region:
        """Parse a region of an operation of a class.

        Raises:
            ParseError: something in it is wrong.
        """
        dialects = self._parser_state.dialect_stack
        dialects.append(cls.dialect_name())
        self.implied.append(_IMPLIED.get(cls.name, ""))
        subject, self._subject = self._subject, _subject(cls)
        region = self.parse_region(arguments)
        self._subject = subject
        self.implied.pop()
        dialects.pop()
        return region

    # Regions

    def _parse_block_body(self, block: Block) -> None:
        self._reader.block(block)

    def parse_optional_region(self, arguments: Iterable[Parser.Argument] | None = None) -> Region | None:
        """Parse a region, if there is one; the values that are defined in it are forgotten after it.

        Raises:
            ParseError: something in it is wrong.
        """
        if self.parse_optional_punctuation("{") is None:
            return None
        region = Region()
        outer = self.blocks, self.forward_block_references
        self.blocks, self.forward_block_references = {}, defaultdict(list)
        defined = self._reader.defined
        first = len(defined)
        state = self._parser_state
        if arguments is not None:
            self._parse_entry(region, list(arguments))
        elif state.current_token.kind not in (MLIRTokenKind.CARET_IDENT, MLIRTokenKind.R_BRACE):
            region.add_block(entry := Block())
            self._parse_block_body(entry)
        while self.parse_optional_punctuation("}") is None:
            region.add_block(self._parse_block())
        if self.forward_block_references:
            self._refuse_missing_blocks()
        for name in defined[first:]:
            self.ssa_values.pop(name, None)
        del defined[first:]
        self.blocks, self.forward_block_references = outer
        return region

    def _parse_entry(self, region: Region, arguments: list[Parser.Argument]) -> None:
        """Parse the first block of a region, whose arguments stand in front of the region."""
        if self._parser_state.current_token.kind is MLIRTokenKind.CARET_IDENT:
            self.raise_error("invalid block name in region with named arguments")
        entry = Block(arg_types=[argument.type for argument in arguments])
        for value, argument in zip(entry.args, arguments, strict=True):
            self._register_ssa_definition(argument.name.text[1:], (value,), argument.name)
            given = argument.location
            value.location = self.lines.location(argument.name.start) if given is None else given
        self._parse_block_body(entry)
        region.add_block(entry)

    def _refuse_missing_blocks(self) -> NoReturn:
        first = min(
            (span for found in self.forward_block_references.values() for span in found), key=lambda at: at.start
        )
        self.raise_error("reference to an undefined block", first)

    # Errors in MLIR's words

    def parse_optional_properties_dict(self) -> dict[str, Attribute]:
        """Parse `<{...}>` of the operation in generic form that is being parsed.

        Raises:
            ParseError: a property is nothing that the operation can hold.
        """
        properties = super().parse_optional_properties_dict()
        self._given = dict(properties)  # xDSL adds what is in the dictionary.
        if properties:
            from weft.mlir.properties import conversion_error

            error = conversion_error(self._generic, properties)
            if error is not None:
                self.raise_error(error, self.operation_start, self.operation_start)
        return properties

    def parse_keyword(self, keyword: str, context_msg: str = "") -> str:
        """Parse a given word.

        Raises:
            ParseError: something else stands there.
        """
        if self.parse_optional_keyword(keyword) is None:
            self.raise_error(f"{self._subject}expected '{keyword}'{context_msg}")
        return keyword

    def parse_symbol_name(self) -> StringAttr:
        """Parse `@name`.

        Raises:
            ParseError: no symbol stands there.
        """
        found = self.parse_optional_symbol_name()
        if found is None:
            place = self.pos
            self.raise_error(f"{self._subject}expected valid '@'-identifier for symbol name", place, place)
        return found

    def _raise_wrong_str_enum_value_error(self, enum_type: type[StrEnum], span: Span[str]) -> NoReturn:
        self.raise_error(self._subject + wording.wrong_keyword(enum_type, span.text), span)

    def _parse_dialect_type_or_attribute_body(
        self, attr_name: str, is_type: bool, is_opaque: bool, starting_opaque_pos: int | None
    ) -> UnregisteredAttr | ParametrizedAttribute | Data[Any]:
        subject, self._subject = self._subject, ""
        start = self.pos
        try:
            parsed = super()._parse_dialect_type_or_attribute_body(attr_name, is_type, is_opaque, starting_opaque_pos)
        except ValueError as error:
            # xDSL makes attributes of what it read without looking whether it is there, or among an enum's values.
            said = wording.message_of(error) if self._text.startswith("<", start) else "expected '<'"
            self.raise_error(said, start, start)
        self._subject = subject
        return parsed

    def _parse_custom(self, op_type: type[Operation]) -> Operation:
        """Parse what is after the name of an operation.

        xDSL's formats check types while they parse; an operation that fails is parsed again without that, so that it is
        refused by its verifier, in MLIR's words.
        """
        outer, self._wide = self._wide, []
        try:
            op = self._parse_own_form(op_type)
        except (ValueError, struct.error) as error:  # xDSL makes attributes of numbers that do not fit their types.
            wrong = wording.out_of_range(str(error))
            if wrong is not None or isinstance(error, struct.error):
                self._refuse_wide_numbers(wrong)
            raise
        self._wide = outer
        return op

    def _parse_own_form(self, op_type: type[Operation]) -> Operation:
        start, place = self.pos, self.operation_start
        if getattr(op_type.parse, "__func__", None) is _NO_SYNTAX.__func__:
            self.raise_error(f"{_subject(op_type)}has no custom assembly form", place, place)
        subject, self._subject = self._subject, _subject(op_type)
        op: Operation | None = None
        wrong = ""
        try:
            op = op_type.parse(self)
        except ValueError as error:
            wrong = wording.not_a_value(error)
            if not wrong:
                raise
        except VerifyException:
            self._resume_from(start)
            try:
                with unchecked_formats():
                    op = op_type.parse(self)
            except VerifyException as error:
                # Said here and now: an operation around this one would take it for its own and be parsed again.
                self.raise_error(wording.message_of(error), place, place)
            except ValueError as error:
                if not str(error).startswith("Cannot infer attribute"):
                    raise
                self.raise_error("a type cannot be inferred from those given", place, place)
        if op is None:
            self.raise_error(self._subject + wrong, self.pos, self.pos)
        self._subject = subject
        return op

    def parse_optional_integer(self, allow_boolean: bool = True, allow_negative: bool = True) -> int | None:
        """Parse an integer, if there is one, and remember one that may not fit where it belongs."""
        place = self.pos
        found = super().parse_optional_integer(allow_boolean, allow_negative)
        if found is not None and not -_BEYOND <= found < _BEYOND:
            self._wide.append((found, place))
        return found

    def _refuse_wide_numbers(self, wrong: int | None) -> None:
        """Refuse the number that did not fit, or the widest of the operation's."""
        wide = [one for one in self._wide if wrong is None or one[0] == wrong]
        if wide:
            _, place = max(wide, key=lambda one: abs(one[0]))
            self.raise_error(f"{self._subject}integer value too large", place, place)

    def _parse_block(self) -> Block:
        """A block, whose name is not kept: xDSL would keep no number, as `^0`, which MLIR takes."""
        span = self._parse_token(MLIRTokenKind.CARET_IDENT, " in block definition").span
        name = span.text[1:]
        if name in self.blocks and name not in self.forward_block_references:
            self.raise_error(f"redefinition of block '^{name}'", span)
        block = self.blocks[name][0] if name in self.blocks else Block()
        self.blocks[name] = (block, span)
        self.forward_block_references.pop(name, None)
        self._parse_optional_block_arg_list(block)
        self.parse_punctuation(":")
        self._parse_block_body(block)
        return block

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span[str]) -> None:
        used = self.forward_ssa_references.get(name)
        if used is not None:
            self.saw_forward_reference = True
            self._stand_ins += [(value, span) for value in used.values()]
        self._reader.defined.append(name)
        super()._register_ssa_definition(name, values, span)

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse a whole text.

        Raises:
            ParseError: it is no MLIR, or a value has no definition that is known where it is used.
        """
        while self._parser_state.current_token.kind in _ALIASES:
            self._parse_alias_def()
        module = ModuleOp([]) if self.at_end() else super().parse_module(allow_implicit_module)
        for value, definition in self._stand_ins:
            for use in value.uses:
                # The region of an operation defined the name while the operation, which uses it, was not made yet.
                place = use.operation.location
                start = (
                    self.lines.offset(place.line.data, place.column.data) if isinstance(place, FileLineColLoc) else 0
                )
                mentions = re.compile(re.escape(definition.text) + r"(?![\w$.-])").finditer(self._text, start)
                found = next((mention.start() for mention in mentions if mention.start() != definition.start), start)
                self.raise_error("use of undeclared SSA value name", found, found)
        return module

    def first_undeclared(self) -> int | None:
        """Where the operation begins that uses first, of all values without a definition, the one named first."""
        for values in self.forward_ssa_references.values():
            places = [use.operation.location for value in values.values() for use in value.uses]
            found = [place for place in places if isinstance(place, FileLineColLoc)]
            if found:
                first = min(found, key=lambda place: (place.line.data, place.column.data))
                return self.lines.offset(first.line.data, first.column.data)
        return None

    def _bind_results(self, op: Operation, results: Sequence[tuple[Span[str], int]], first: MLIRToken) -> None:
        values = op.results
        bound = sum(size for _, size in results)
        if results and not values:
            self.raise_error("cannot name an operation with no results", first.span)
        if results and bound != len(values):
            message = f"operation defines {len(values)} results but was provided {bound} to bind"
            self.raise_error(message, first.span)
        index = 0
        for span, size in results:
            self._register_ssa_definition(span.text[1:], values[index : index + size], span)
            index += size

    def _operation_class(self, name: str, token: MLIRToken) -> type[Operation]:
        generic = token.kind is MLIRTokenKind.STRING_LIT
        implied = self.implied[-1]
        full = name if generic or "." in name else f"{implied}.{name}"
        if not full:
            self.raise_error("empty operation name is invalid", token.span)
        found = self.ctx.get_optional_op(full) if full[0] != "." else None
        if found is None and generic and name.startswith(_OF_TESTS):
            found = UnregisteredOp.with_name(name)
        if found is None or (issubclass(found, UnregisteredOp) and not self._may_be_unknown(name, generic=generic)):
            dialect, _, rest = name.partition(".")
            known = bool(rest) and self.ctx.get_optional_dialect(dialect) is not None
            if generic and known:
                message = f"unregistered operation '{name}' found in dialect ('{dialect}') that does not allow unknown"
                self.raise_error(f"{message} operations", token.span)
            if generic:
                self.raise_error(_UNREGISTERED, self.pos, self.pos)
            if rest and self.ctx.get_optional_dialect(dialect) is None:
                self.raise_error(f"Dialect `{dialect}' not found for custom op '{name}'", token.span)
            if _INTEGER_TYPE.fullmatch(name):  # No identifier to MLIR.
                self.raise_error("expected operation name in quotes", token.span)
            tried = f" (tried '{full}' as well)" if not rest else ""
            if tried and not implied:
                self.raise_error(f"Dialect `' not found for custom op '{name}' {tried}", token.span)
            self.raise_error(f"custom op '{name}' is unknown{tried}", token.span)
        return modest(found) if issubclass(found, UnregisteredOp) else found

    def _may_be_unknown(self, name: str, *, generic: bool) -> bool:
        """Whether an operation may be of a dialect that nobody knows: only in the generic form."""
        dialect, dot, _ = name.partition(".")
        return generic and (not dot or self.ctx.get_optional_dialect(dialect) is None)

    def parse_comma_separated_list(
        self, delimiter: Parser.Delimiter, parse: Callable[[], _Element], context_msg: str = ""
    ) -> list[_Element]:
        """Parse a list; `scf` may leave out the parentheses of one result type, and the arguments of `while`."""
        state = self._parser_state
        kind = state.current_token.kind
        if (
            delimiter is Parser.Delimiter.PAREN
            and kind is not MLIRTokenKind.L_PAREN
            and state.dialect_stack[-1] == "scf"
        ):
            if parse in (self.parse_type, self.parse_attribute):
                return [parse()]
            if kind is MLIRTokenKind.COLON:
                return []
        return super().parse_comma_separated_list(delimiter, parse, context_msg)

    def parse_optional_comma_separated_list(
        self, delimiter: Parser.Delimiter, parse: Callable[[], _Element], context_msg: str = ""
    ) -> list[_Element] | None:
        """Parse a list, if there is one; in braces stand the entries of a dictionary of attributes."""
        if delimiter is Parser.Delimiter.BRACES:
            context_msg = context_msg or " in attribute dictionary"
        return super().parse_optional_comma_separated_list(delimiter, parse, context_msg)

    def parse_affine_map(self) -> AffineMap:
        """Parse an affine map, folded as MLIR folds it."""
        from weft.dialects.affine.syntax import parse_map

        return parse_map(self)

    def parse_affine_set(self) -> AffineSet:
        """Parse an integer set, folded as MLIR folds it."""
        from weft.dialects.affine.syntax import parse_set

        return parse_set(self)
