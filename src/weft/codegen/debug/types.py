"""Entries of types, and of the scopes that functions, variables and types lie in, as LLVM's `DwarfUnit` makes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.codegen.debug import entries
from weft.codegen.debug.entries import Entry, Value, reference
from weft.codegen.debug.metadata import MOST_SCOPES, field, integer, listed, number, path_of, text, true, words

_ENCODINGS = {
    "DW_ATE_address": 1, "DW_ATE_boolean": 2, "DW_ATE_complex_float": 3, "DW_ATE_float": 4, "DW_ATE_signed": 5,
    "DW_ATE_signed_char": 6, "DW_ATE_unsigned": 7, "DW_ATE_unsigned_char": 8, "DW_ATE_imaginary_float": 9,
    "DW_ATE_packed_decimal": 10, "DW_ATE_numeric_string": 11, "DW_ATE_edited": 12, "DW_ATE_signed_fixed": 13,
    "DW_ATE_unsigned_fixed": 14, "DW_ATE_decimal_float": 15, "DW_ATE_UTF": 16, "DW_ATE_UCS": 17, "DW_ATE_ASCII": 18,
}  # fmt: skip
_CONVENTIONS = {
    "DW_CC_program": 2, "DW_CC_nocall": 3, "DW_CC_pass_by_reference": 4, "DW_CC_pass_by_value": 5,
    "DW_CC_LLVM_SpirFunction": 0xC6, "DW_CC_LLVM_DeviceKernel": 0xC7, "DW_CC_LLVM_OpenCLKernel": 0xC7,
}  # fmt: skip
_PROTOTYPED = frozenset({"DW_LANG_C89", "DW_LANG_C99", "DW_LANG_C11", "DW_LANG_C17", "DW_LANG_C", "DW_LANG_ObjC"})
_FIRST = {"DW_LANG_C89": 0, "DW_LANG_C": 0, "DW_LANG_C_plus_plus": 0, "DW_LANG_Fortran77": 1, "DW_LANG_Fortran90": 1}
"""Where arrays begin that do not say it, in the languages that DWARF 2 knows."""
_FORTRAN = frozenset({"DW_LANG_Fortran77", "DW_LANG_Fortran90", "DW_LANG_Fortran95", "DW_LANG_Fortran03",
                      "DW_LANG_Fortran08", "DW_LANG_Fortran18"})  # fmt: skip
_WITHOUT_SIZE = frozenset({"DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type",
                           "DW_TAG_ptr_to_member_type"})  # fmt: skip
_UNKNOWN = frozenset({"DW_TAG_restrict_type", "DW_TAG_atomic_type"})
"""What DWARF 2 does not know of: it says nothing of these."""
_LOCAL = frozenset({"llvm.di_composite_type", "llvm.di_subprogram", "llvm.di_lexical_block"})
"""Scopes whose types are in no table of names."""
_NAMELESS = "(anonymous namespace)"
_INDEX = "__ARRAY_SIZE_TYPE__"
_PLUS_UCONST = 0x23
MOST_TYPES = 4096
"""Types of one unit beyond these are left out."""
UNSIGNED = frozenset({"DW_ATE_address", "DW_ATE_boolean", "DW_ATE_unsigned", "DW_ATE_unsigned_char", "DW_ATE_UTF"})
_NAMING = frozenset({"llvm.di_namespace", "llvm.di_composite_type", "llvm.di_subprogram", "llvm.di_lexical_block"})


class Types:
    """The types of a unit whose entry is `root`; `file` numbers a file by its path.

    Unless they are `nested`, functions lie in the unit whatever their scope is.
    """

    def __init__(self, root: Entry, language: str, file: Callable[[str], int], *, nested: bool) -> None:
        self._root = root
        self._language = language
        self._file = file
        self._nested = nested
        self._known: dict[Any, Entry | None] = {}
        self._recursive: dict[Any, Entry] = {}
        self._spaces: dict[Any, Entry] = {}
        self._index: Entry | None = None
        self.names: dict[str, Entry] = {}
        """The types that have a name, with the namespaces around them."""
        self.spaces: dict[str, Entry] = {}
        """The namespaces."""

    # -- scopes -----------------------------------------------------------------------------------------------------

    def around(self, scope: Any) -> tuple[Entry, str]:
        """The entry that something of a scope lies in, and what is before its name."""
        if not self._nested:
            return self._root, self._qualifier(scope)
        if scope is not None and scope.name == "llvm.di_namespace":
            found = self._spaces.get(scope)
            outer, prefix = self.around(field(scope, "scope")) if len(self._spaces) < MOST_SCOPES else (self._root, "")
            name = text(scope, "name")
            if self._language.startswith("DW_LANG_C_plus_plus"):
                prefix += f"{name or _NAMELESS}::"
            if found is None:
                values = [entries.named(entries.NAME, name)] if name else []
                if true(scope, "exportSymbols"):
                    values.append(entries.flag(entries.EXPORTED))
                found = self._spaces[scope] = entries.new("namespace", values)
                outer.children.append(found)
                self.spaces[prefix[:-2] or name or _NAMELESS] = found
            return found, prefix
        if scope is not None and scope.name == "llvm.di_composite_type":
            found, outer = self.type(scope), self.around(field(scope, "scope"))
            own = f"{text(scope, 'name')}::" if self._language.startswith("DW_LANG_C_plus_plus") else ""
            return (found, outer[1] + own) if found is not None else outer
        return self._root, self._qualifier(scope)

    def _qualifier(self, scope: Any) -> str:
        """What is before a name in scopes that have no entries of their own."""
        parts: list[str] = []
        while scope is not None and scope.name in _NAMING and len(parts) < MOST_SCOPES:
            name = text(scope, "name") or (_NAMELESS if scope.name == "llvm.di_namespace" else "")
            parts.append(f"{name}::" if name else "")
            scope = field(scope, "scope")
        return "".join(reversed(parts)) if self._language.startswith("DW_LANG_C_plus_plus") else ""

    def declared(self, attribute: Any) -> list[Value]:
        """The file and the line of something; nothing where there is no line."""
        line = number(attribute, "line")
        if not line:
            return []
        path = path_of(field(attribute, "file"))
        return [entries.data(entries.FILE, self._file(path)), entries.data(entries.LINE, line)]

    # -- types ------------------------------------------------------------------------------------------------------

    def type(self, attribute: Any) -> Entry | None:
        """The entry of a type; None for none, and for what is not described."""
        if attribute is None or attribute in self._known:
            return self._known.get(attribute)
        if integer(field(attribute, "isRecSelf")):
            return self._recursive.get(field(attribute, "recId"))
        kind = "subroutine" if attribute.name == "llvm.di_subroutine_type" else text(attribute, "tag")
        if kind in _UNKNOWN:
            self._known[attribute] = self.type(field(attribute, "baseType"))
            return self._known[attribute]
        if kind not in entries.TAGS or len(self._known) > MOST_TYPES:
            self._known[attribute] = None
            return None
        entry = self._known[attribute] = entries.new(kind)
        if (own := field(attribute, "recId")) is not None:
            self._recursive[own] = entry
        outer, prefix = self.around(field(attribute, "scope"))
        outer.children.append(entry)
        made = {"llvm.di_basic_type": self._basic, "llvm.di_derived_type": self._derived,
                "llvm.di_composite_type": self._composite, "llvm.di_subroutine_type": self._subroutine,
                "llvm.di_string_type": self._basic}.get(attribute.name)  # fmt: skip
        if made is not None:
            made(attribute, entry, kind)
        inside = getattr(field(attribute, "scope"), "name", "") in _LOCAL
        if (name := text(attribute, "name")) and not inside and not _is_declared(attribute):
            self.names[prefix + name] = entry
        return entry

    def of(self, attribute: Any, name: str = "type") -> list[Value]:
        """The attribute that is the type of something."""
        return reference(entries.TYPE, self.type(field(attribute, name)))

    def _named(self, attribute: Any, entry: Entry) -> None:
        if name := text(attribute, "name"):
            entry.values.append(entries.named(entries.NAME, name))

    def _aligned(self, attribute: Any, entry: Entry) -> None:
        if bits := number(attribute, "alignInBits"):
            entry.values.append(entries.unsigned(entries.ALIGNMENT, bits // 8))

    def _basic(self, attribute: Any, entry: Entry, kind: str) -> None:
        self._named(attribute, entry)
        if kind == "DW_TAG_unspecified_type":
            return
        if kind != "DW_TAG_string_type":
            entry.values.append(entries.data(entries.ENCODING, _ENCODINGS.get(text(attribute, "encoding"), 0)))
        entry.values.append(entries.data(entries.SIZE, number(attribute, "sizeInBits") // 8))

    def _derived(self, attribute: Any, entry: Entry, kind: str) -> None:
        entry.values += self.of(attribute, "baseType")
        self._named(attribute, entry)
        size = number(attribute, "sizeInBits") // 8
        if size and kind not in _WITHOUT_SIZE:
            entry.values.append(entries.data(entries.SIZE, size))
        if space := number(attribute, "dwarfAddressSpace"):
            entry.values.append(entries.fixed(entries.ADDRESS_CLASS, space))

    def _composite(self, attribute: Any, entry: Entry, kind: str) -> None:
        if kind == "DW_TAG_array_type":
            self._array(attribute, entry)
        else:
            self._record(attribute, entry, kind)
        self._named(attribute, entry)
        if kind == "DW_TAG_array_type":
            return
        self._aligned(attribute, entry)
        declared, size = _is_declared(attribute), number(attribute, "sizeInBits") // 8
        if not declared or (size and kind == "DW_TAG_enumeration_type"):
            entry.values.append(entries.data(entries.SIZE, size))
        if declared:
            entry.values.append(entries.flag(entries.DECLARATION))
        else:
            entry.values += self.declared(attribute)

    def _array(self, attribute: Any, entry: Entry) -> None:
        if "Vector" in words(attribute, "flags"):
            entry.values.append(entries.flag(entries.VECTOR))
            if _elements_bits(attribute) != (bits := number(attribute, "sizeInBits")):
                entry.values.append(entries.data(entries.SIZE, bits // 8))  # It is padded.
        entry.values += self.of(attribute, "baseType")
        for element in listed(attribute, "elements"):
            if element.name == "llvm.di_subrange":
                entry.children.append(self._subrange(element))

    def _subrange(self, attribute: Any) -> Entry:
        if self._index is None:
            kind = _ENCODINGS["DW_ATE_signed" if self._language in _FORTRAN else "DW_ATE_unsigned"]
            self._index = entries.new("DW_TAG_base_type", [
                entries.named(entries.NAME, _INDEX), entries.data(entries.SIZE, 8),
                entries.data(entries.ENCODING, kind),
            ])  # fmt: skip
            self._root.children.append(self._index)
        found = entries.new("subrange", reference(entries.TYPE, self._index))
        lower, count, upper, stride = (
            integer(field(attribute, name)) for name in ("lowerBound", "count", "upperBound", "stride")
        )
        if lower is not None and lower != _FIRST.get(self._language):
            found.values.append(entries.signed(entries.LOWER, lower))
        if count is not None and count != -1:
            found.values.append(entries.data(entries.COUNT, count))
        found.values += [
            entries.signed(name, value)
            for name, value in ((entries.UPPER, upper), (entries.STRIDE, stride))
            if value is not None
        ]
        return found

    def _record(self, attribute: Any, entry: Entry, kind: str) -> None:
        """A structure's members, or what an enumeration is of."""
        if kind == "DW_TAG_enumeration_type":
            entry.values += self.of(attribute, "baseType")
            return
        for element in listed(attribute, "elements"):
            if element.name == "llvm.di_derived_type" and text(element, "tag") in (
                "DW_TAG_member",
                "DW_TAG_inheritance",
            ):
                entry.children.append(self._member(element))

    def _member(self, attribute: Any) -> Entry:
        found = entries.new(text(attribute, "tag"))
        self._named(attribute, found)
        found.values += self.of(attribute, "baseType")
        self._aligned(attribute, found)
        offset = entries.numbers((_PLUS_UCONST, *entries.leb(number(attribute, "offsetInBits") // 8)))
        found.values.append(entries.block(entries.OFFSET, [offset]))
        return found

    def _subroutine(self, attribute: Any, entry: Entry, _: str) -> None:
        types = listed(attribute, "types")
        entry.values += self.result(types)
        for given in types[1:]:
            entry.children.append(entries.new("parameter", reference(entries.TYPE, self.type(given))))
        if self._language in _PROTOTYPED:
            entry.values.append(entries.flag(entries.PROTOTYPED))
        entry.values += convention(attribute)

    def result(self, types: Any) -> list[Value]:
        """The type of what a function gives, of its types."""
        return reference(entries.TYPE, self.type(types[0])) if types else []


def _is_declared(attribute: Any) -> bool:
    """Whether what a type is made of is not known here."""
    return "FwdDecl" in words(attribute, "flags")


def convention(attribute: Any) -> list[Value]:
    """How functions of a type are called, if that is out of the ordinary."""
    found = _CONVENTIONS.get(text(attribute, "callingConvention"))
    return [entries.data(entries.CONVENTION, found)] if found else []


def _elements_bits(array: Any) -> int:
    """The bits of all elements of an array."""
    total = number(field(array, "baseType"), "sizeInBits")
    for element in listed(array, "elements"):
        total *= number(element, "count")
    return total


def is_unsigned(attribute: Any) -> bool:
    """Whether constants of a type count without a sign: as LLVM has it, all that are not of a signed basic type."""
    for _ in range(MOST_SCOPES):
        if attribute is None or attribute.name == "llvm.di_basic_type":
            break
        if attribute.name == "llvm.di_derived_type" and text(attribute, "tag") not in _WITHOUT_SIZE:
            attribute = field(attribute, "baseType")
            continue
        return text(attribute, "tag") != "DW_TAG_enumeration_type" or is_unsigned(field(attribute, "baseType"))
    return attribute is not None and text(attribute, "encoding") in UNSIGNED
