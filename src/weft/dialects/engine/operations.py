"""The classes that operations have, made of their rows (`weft.dialects.engine.rows`) when somebody asks for one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from importlib import import_module
from typing import Any

from xdsl.dialects.builtin import (
    I16,
    I32,
    I64,
    AffineMapAttr,
    ArrayAttr,
    BFloat16Type,
    BoolAttr,
    DenseArrayBase,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, OpTrait, OpTraits, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    irdl_to_attr_constraint,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    region_def,
    result_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
    var_successor_def,
)
from xdsl.irdl.declarative_assembly_format import CustomDirective
from xdsl.traits import (
    ConstantLike,
    HasCanonicalizationPatternsTrait,
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    MemoryEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    NoTerminator,
    Pure,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
    SymbolOpInterface,
    SymbolTable,
)

from weft.dialects.definitions import AttributeKind, Definition, Region, Values, Vocabulary
from weft.dialects.effects import AllocatesResult, Assembles, Loads, ReadsBuffer, with_traits
from weft.dialects.engine import attributes
from weft.dialects.engine.rows import (
    Group,
    Property,
    Row,
    RowError,
    groups,
    is_loose,
    properties,
    read_row,
    split_rows,
)
from weft.dialects.engine.wording import attribute_kind, type_kind
from weft.dialects.formats import BareType, OperandTypes, OptionalEnum
from weft.dialects.kinds import Kind
from weft.dialects.traits import in_parent
from weft.dialects.verification import one_of

Check = Callable[[Any], None]
"""Raises VerifyException when an operation is wrong."""

_NAMED: Mapping[str, Any] = {
    "index": IndexType(),
    "bf16": BFloat16Type(),
    "f16": Float16Type(),
    "f32": Float32Type(),
    "f64": Float64Type(),
    "any": Attribute,
}
_KINDS: Mapping[str, Any] = {
    "any": Attribute,
    "array": DenseArrayBase.constr(i64),
    "bool": BoolAttr,
    "i16": IntegerAttr[I16],
    "i32": IntegerAttr[I32],
    "i64": IntegerAttr[I64],
    "i32s": DenseArrayBase.constr(i32),
    "i64s": ArrayAttr[IntegerAttr[I64]],
    "index": IntegerAttr[IndexType],
    "list": ArrayAttr,
    "map": AffineMapAttr,
    "ref": SymbolRefAttr,
    "string": StringAttr,
    "strings": ArrayAttr[StringAttr],
    "symbol": SymbolNameConstraint(),
    "type": TypeAttribute,
    "unit": UnitAttr,
}
TRAITS: Mapping[str, OpTrait] = {
    "allocates": AllocatesResult(),
    "assembles": Assembles(),
    "constant": ConstantLike(),
    "isolated": IsolatedFromAbove(),
    "loads": Loads(),
    "no_effect": NoMemoryEffect(),
    "no_terminator": NoTerminator(),
    "pure": Pure(),
    "reads": MemoryReadEffect(),
    "reads_buffer": ReadsBuffer(),
    "recursive": RecursiveMemoryEffect(),
    "symbol": SymbolOpInterface(),
    "symbols": SymbolTable(),
    "terminator": IsTerminator(),
    "writes": MemoryWriteEffect(),
}
_ONCE = (MemoryEffect, HasCanonicalizationPatternsTrait)
"""Traits that a row states in place of those of the class that the operation derives from."""
_OPERANDS = {"": operand_def, "?": opt_operand_def, "*": var_operand_def}
_RESULTS = {"": result_def, "?": opt_result_def, "*": var_result_def}
_REGION: Mapping[str, Callable[..., Any]] = {"": region_def, "*": var_region_def}
_BODY: Mapping[str, Callable[..., Any]] = {
    "": partial(region_def, "single_block"),
    "*": partial(var_region_def, "single_block"),
}
_PARTS: Mapping[str, Mapping[str, Callable[..., Any]]] = {
    "region": _REGION,
    "region.one": _REGION,
    "region.most": _REGION,
    "region.single": _BODY,
    "block": {"": successor_def, "*": var_successor_def},
}
_DIRECTIVES = (BareType, OperandTypes, OptionalEnum)
_FROM_XDSL = "xdsl"
_GENERIC = "generic"
_OWN = "own"
_XDSL = "xdsl."
_PARENT = "parent="
_SHAPED = re.compile(r"(\d+)x(\w+)|(?:i|ptr)(\d*)")
_WHOLE = re.compile(r"generic|(?:^|\s)operands\s")
"""Formats of all operands at once."""
_SYNTAX = re.compile(r"syntax\((\w+)\.(\w+)\)")


@cache
def type_of(word: str) -> Any:
    """The type, or the constraint of types, that a word of MLIR is."""
    if "/" in word:
        return one_of(*map(type_of, word.split("/")))
    found = _SHAPED.fullmatch(word)
    if found is None:
        return _NAMED[word]
    extent, element, number = found.groups()
    if extent:
        return VectorType(type_of(element), [int(extent)])
    if word[0] == "i":
        return IntegerType(int(number))
    from xdsl.dialects.llvm import LLVMPointerType  # Which most compilations do without.

    return LLVMPointerType(IntAttr(int(number))) if number else LLVMPointerType()


class Table:
    """The operations of a dialect that are rows, by their names without the dialect's.

    `types`, `kinds` and `traits` are the words for types, for what properties are and for traits, beyond those that all
    tables know; `directives` those of formats; `parts` words that stand for a piece of text; `vocabulary` is the
    dialect whose module of this name has upstream's words. No word means two things:
    the table, the class of an operation and its definition raise RowError of one that does, or that means nothing.
    """

    def __init__(
        self,
        dialect: str,
        rows: str,
        types: Mapping[str, Any],
        kinds: Mapping[str, Any],
        directives: Iterable[type[CustomDirective]] = (),
        traits: Mapping[str, OpTrait] | None = None,
        parts: Mapping[str, str] | None = None,
        vocabulary: str = "",
    ) -> None:
        for own, shared in ((types, _NAMED), (kinds, _KINDS), (traits or {}, TRAITS)):
            if both := own.keys() & shared.keys():
                raise RowError(f"{dialect} gives a meaning to words that all tables have: {', '.join(sorted(both))}")
        self._dialect, self._types, self._kinds, self._vocabulary = dialect, types, kinds, vocabulary
        self._package = f"weft.dialects.{dialect}"
        self._traits = {**TRAITS, **(traits or {})}
        self._directives = (*_DIRECTIVES, *directives)
        for word, text in (parts or {}).items():
            rows = rows.replace(word, text)
        self._rows = split_rows(rows)
        self.operation = cache(self._operation)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all operations."""
        return frozenset(self._rows)

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The names of the operations whose classes are made of rows, by those of the classes."""
        return {_title(name): name for name in self._rows if self.is_made(name)}

    def is_made(self, name: str) -> bool:
        """Whether the class of an operation is made of its row."""
        return not self._is_known(self.row(name))

    def row(self, name: str) -> Row:
        """The row of an operation."""
        return read_row(self._rows[name])

    @cached_property
    def words(self) -> Vocabulary:
        """What words mean in upstream's definitions of the operations."""
        if not self._vocabulary:
            return Vocabulary({}, {}, {}, of_table=True)
        return import_module(f"weft.dialects.{self._vocabulary}.vocabulary").WORDS

    def definition(self, name: str) -> Definition:
        """What an operation must look like in upstream's words."""
        words = self.words
        row = self.row(name)
        parts, results = list(groups(row.operands)), list(groups(row.results))
        operands = [group for group in parts if not group.is_part]
        return Definition(
            tuple(Values(self._kind(words, group), group.count) for group in operands),
            tuple(Values(self._kind(words, group), group.count) for group in results),
            dict(sorted(self._attributes(name, words.attributes))),
            tuple(_region(group) for group in parts if group.kind.startswith("region")),
            [group.count for group in parts if group.kind == "block"],
            tuple(self._checks(row, words)),
            tuple(words.traits[word[:-1]] for word in row.words if word.endswith("!")),
            segments=is_loose(operands),
            result_segments=is_loose(results),
            more=_OWN in row.words,
            of_types=words.of_types,
        )

    def _kind(self, words: Vocabulary, group: Group) -> Kind:
        if group.kind in words.types or not words.of_table:
            return words.types[group.kind]
        return type_kind(irdl_to_attr_constraint(self._named_type(group.kind)))

    def _attributes(
        self, name: str, known: Mapping[str, AttributeKind]
    ) -> Iterator[tuple[str, tuple[AttributeKind, bool]]]:
        for found in self.properties(name):
            kind = known.get(found.kind) or known.get(found.name)
            constraint = self._constraint(found.kind) if kind is None else None
            if constraint is not None:
                kind = attribute_kind(irdl_to_attr_constraint(constraint))
            if kind is not None:
                yield found.name, (kind, not (found.optional or found.default))
            else:
                raise RowError(f"{self._dialect}.{name}: nothing says what kind of property {found.kind} is")

    def _checks(self, row: Row, words: Vocabulary) -> Iterator[Check]:
        """What is checked of an operation that has the right values and attributes."""
        for word in row.words:
            if word in words.traits:
                yield words.traits[word]
            elif word.startswith(_PARENT):
                yield partial(in_parent, word.removeprefix(_PARENT))
            elif not self._means(word, words):
                raise RowError(f"{self._dialect}: {word}, which a row says of its operation, means nothing")
        if self._is_known(row) or _OWN not in row.words:
            yield from self._functions(row)

    def _means(self, word: str, words: Vocabulary) -> bool:
        """Whether a word is a trait, a function of a module, or says that something else is known."""
        return word in self._traits or word == _OWN or "." in word or word.removesuffix("!") in words.traits

    def _functions(self, row: Row) -> Iterator[Check]:
        """The checks of a row that are functions of modules."""
        for word in row.words:
            if "." in word and not word.startswith((_XDSL, _PARENT)):
                yield self._named(word)

    def _type(self, group: Group) -> Any:
        if self._vocabulary and not group.rule and not self._has_type(group.kind):
            return AnyAttr()  # Which the definition checks.
        return self._named_type(group.rule or group.kind)

    def _has_type(self, word: str) -> bool:
        try:
            self._named_type(word)
        except RowError:
            return False
        return True

    def _named_type(self, word: str) -> Any:
        """What a word for a type means to xDSL."""
        try:
            return self._types[word] if word in self._types else type_of(word)
        except KeyError:
            raise RowError(f"{self._dialect} has no type {word}") from None

    def _values(self, text: str, defined: Mapping[str, Callable[..., Any]]) -> Iterable[tuple[Group, Any]]:
        for group in groups(text):
            if group.is_part:
                yield group, _PARTS[group.kind][group.count]()
            else:
                yield group, defined[group.count](self._type(group))

    def properties(self, name: str) -> Iterator[Property]:
        """The properties of an operation."""
        return properties(self.row(name))

    def _property(self, found: Property) -> Any:
        constraint = self._constraint(found.kind)
        if constraint is None and not self._vocabulary:
            raise RowError(f"{self._dialect} has no kind of property {found.kind}")
        value = self._default(found.kind, found.default) if found.default else None
        defined = opt_prop_def if found.optional else prop_def
        return defined(AnyAttr() if constraint is None else constraint, default_value=value, prop_name=found.name)

    def _constraint(self, kind: str) -> Any:
        """What xDSL asks of a property of a kind; None where at most the vocabulary says what it is."""
        full = self._full(kind)
        constraint = self._kinds.get(kind, _KINDS.get(kind))
        if not attributes.is_row(full):
            return constraint
        if constraint is not None:
            raise RowError(f"{kind} is a kind of property of {self._dialect}, and the attribute {full}")
        if attributes.is_type(full):
            raise RowError(f"{kind} is no kind of property: {full} is a type")
        return attributes.attr_class(full)

    def _full(self, kind: str) -> str:
        return kind if "." in kind else f"{self._dialect}.{kind}"

    def _named(self, word: str) -> Any:
        """What `module.name` is in a module beside the table."""
        module, _, name = word.partition(".")
        return getattr(import_module(f"{self._package}.{module}"), name)

    def _of_xdsl(self, word: str) -> type[IRDLOperation]:
        return getattr(import_module(f"xdsl.dialects.{self._dialect}"), word.removeprefix(_XDSL))

    def _default(self, kind: str, text: str) -> Attribute:
        if kind in {"bool", "bit"}:
            return BoolAttr.from_bool(text == "true")
        if text.lstrip("-").isdecimal():
            return IntegerAttr(int(text), 32 if self._constraint(kind) == _KINDS["i32"] else 64)
        if text == "[]":
            return DenseArrayBase.from_list(i32 if kind == "i32s" else i64, [])
        if kind == "strings":
            return ArrayAttr([StringAttr(word) for word in text.split(",") if word])
        if kind in self._kinds:
            made = self._kinds[kind]
            return made(made.enum_type(text) if issubclass(made, EnumAttribute) else text)
        return attributes.attr(self._full(kind), text)

    def _operation(self, name: str) -> type[Operation]:
        """The class of an operation.

        Raises:
            KeyError: it has no row.
        """
        row = self.row(name)
        if self._is_known(row):
            return self._known(name, row)
        operands, results = list(self._values(row.operands, _OPERANDS)), list(self._values(row.results, _RESULTS))
        if self._vocabulary and _WHOLE.search(row.format):
            # Of whatever number: the definition, not the parser, says that it is another than it must be.
            operands, results = (
                list(self._values("args:any*", _OPERANDS)),
                list(self._values("results_:any*", _RESULTS)),
            )
        properties = list(self.properties(name))
        options: list[Any] = []
        if is_loose(groups(row.operands)):
            options.append(AttrSizedOperandSegments(as_property=True))
        if is_loose(groups(row.results)):
            options.append(AttrSizedResultSegments(as_property=True))
        syntax = _SYNTAX.fullmatch(row.format)
        if syntax is None and any(not re.search(rf"\${found.name}\b", row.format) for found in properties):
            options.append(ParsePropInAttrDict())
        fields: dict[str, Any] = {
            "name": f"{self._dialect}.{name}",
            "__module__": f"weft.dialects.{self._dialect}.ops",
            "__doc__": f"`{self._dialect}.{name}`: {row.summary}.",
            "irdl_options": tuple(options),
            **{group.name: found for group, found in (*operands, *results)},
            **{found.field: self._property(found) for found in properties},
        }
        if row.format == _GENERIC:
            del fields["irdl_options"]
        elif syntax is not None:
            fields["parse"] = classmethod(self._named(f"{syntax[1]}.parse_{syntax[2]}"))
            fields["print"] = self._named(f"{syntax[1]}.print_{syntax[2]}")
        else:
            fields["assembly_format"] = row.format
            fields["custom_directives"] = tuple(
                directive for directive in self._directives if f"custom<{directive.__name__}>" in row.format
            )
        return self._class(row, _title(name), fields)

    @staticmethod
    def _is_known(row: Row) -> bool:
        """Whether a row is of a class that exists."""
        return row.format == _FROM_XDSL

    def _known(self, name: str, row: Row) -> type[Operation]:
        found = _of_xdsl(self._dialect)[f"{self._dialect}.{name}"]
        traits = (self._traits.get(word) for word in row.words)
        stated = [trait for trait in traits if isinstance(trait, MemoryEffect | ConstantLike)]
        return with_traits(found, stated) if stated else found

    def _class(self, row: Row, title: str, fields: dict[str, Any]) -> type[Operation]:
        """The class of a row with what it defines, its traits and its checks."""
        bases = [self._of_xdsl(word) for word in row.words if word.startswith(_XDSL)]
        traits = [
            self._traits[word] if word in self._traits else HasParent(op_class(word.removeprefix(_PARENT)))
            for word in row.words
            if word in self._traits or word.startswith(_PARENT)
        ]
        stated = tuple(kind for kind in _ONCE if any(isinstance(trait, kind) for trait in traits))
        inherited = (trait for base in bases for trait in base.get_irdl_definition().traits)
        traits += [trait for trait in inherited if trait not in traits and not isinstance(trait, stated)]
        if traits:
            fields["traits"] = traits_def(*traits)
        checks = list(self._functions(row))
        if checks:
            fields["verify_"] = _verifier(checks)
        made = irdl_op_definition(type(title, (IRDLOperation,), fields))
        if not bases:
            return made
        # In front of xDSL's class, so that nothing of its definition, syntax and checks is left.
        known = {key: fields[key] for key in ("__module__", "__doc__")}
        return _ended_last(type(title, (made, *bases), known), checks)


def _ended_last(cls: type[IRDLOperation], checks: Sequence[Check]) -> type[IRDLOperation]:
    """A class that checks how its regions end behind everything else, as upstream does, and not before its `checks`."""
    definition = cls.get_irdl_definition()
    endings = [trait for trait in definition.traits if isinstance(trait, SingleBlockImplicitTerminator)]
    if not endings:
        return cls
    rest = tuple(trait for trait in definition.traits if trait not in endings)
    without = replace(definition, traits=OpTraits(lambda: rest))

    def verify_(self: IRDLOperation) -> None:
        for check in (without.verify, *checks, *(trait.verify for trait in endings)):
            check(self)

    cls.verify_ = verify_
    return cls


def _region(group: Group) -> Region:
    """A region of a whole definition."""
    return Region((group.rule or group.name) + group.count, group.kind.partition(".")[2] or "any")


@cache
def _of_xdsl(dialect: str) -> Mapping[str, type[Operation]]:
    """xDSL's classes of a dialect's operations, by full name."""
    module = import_module(f"xdsl.dialects.{dialect}")
    found = (
        value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__
    )
    # `issubclass` comes last: of abstract classes it asks all their subclasses.
    return {vars(cls)["name"]: cls for cls in found if "name" in vars(cls) and issubclass(cls, Operation)}


def _title(name: str) -> str:
    """The name of the class of an operation: `BarWarpSyncOp` for `bar.warp.sync`."""
    return f"{''.join(word.title() for word in re.split(r'[._]', name))}Op"


def _verifier(checks: Iterable[Check]) -> Check:
    def verify_(self: Any) -> None:
        for check in checks:
            check(self)

    return verify_


_MODULES = {"gpu": ("ops", "sparse"), "llvm": ("ops", "intrinsics")}
"""The modules that have the rows of a dialect, where that is not `ops` alone."""


def table_of(name: str) -> Table | None:
    """The table that has the row of an operation, by its full name; None when it is no row."""
    dialect, _, rest = name.partition(".")
    return next((table for table in tables(dialect) if rest in table.names), None)


def row_class(name: str) -> type[Operation] | None:
    """The class of an operation by its full name; None when it is no row."""
    table = table_of(name)
    return None if table is None else table.operation(name.partition(".")[2])


def properties_of(name: str) -> Iterable[Property]:
    """The properties of an operation that is a row, by its full name."""
    table = table_of(name)
    return () if table is None else table.properties(name.partition(".")[2])


def tables(dialect: str) -> Iterator[Table]:
    """The tables of a dialect that has some, imported one after the other."""
    for module in _MODULES.get(dialect, ("ops",)):
        yield import_module(f"weft.dialects.{dialect}.{module}").TABLE


def op_class(name: str) -> type[Operation]:
    """The class of an operation that is a row, by its full name.

    Raises:
        KeyError: no row is of it.
    """
    found = row_class(name)
    if found is None:
        raise KeyError(name)
    return found
