"""Where values, blocks, symbols and aliases of an MLIR text are defined and used, in a text that may be unfinished.

The parser says where values and blocks are defined, and in which regions they are seen.  Where it gives up, a value
is defined where its name is before `=`, or with a type in parentheses or as the variable of a loop; a use means the
nearest definition before it whose braces are still open.  Symbols and aliases are of the whole file.
"""

from __future__ import annotations

import re

from weft.dataclass import dataclass
from weft.mlir.visibility import Scopes, scopes_of
from weft.places import Token, Use, Uses

_TOKEN = re.compile(
    r'(?P<comment>//[^\n]*)|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<value>%[\w$.-]+)|(?P<block>\^[\w$.-]+)'
    r'|(?P<symbol>@(?:"(?:[^"\\\n]|\\.)*"|[\w$.-]+))|(?P<alias>[#!][A-Za-z_][\w$.]*)'
    r"|(?P<operation>(?<![\w.])[a-z_]\w*(?:\.\w+)+)|(?P<type>(?<![\w.])(?:[sui]?i\d+|b?f\d+|tf32|f8\w+|index)(?!\w))"
    r"|(?P<number>(?<![\w.])-?\d[\w.]*)|(?P<word>[A-Za-z_]\w*)|(?P<sign>\S)"
)
_DEFINES_SYMBOL = re.compile(
    r"\b(?:func\.func|gpu\.func|gpu\.module|llvm\.func|module|memref\.global|llvm\.mlir\.global)\b[\w\s<>@\"=.,()]*\Z"
)


@dataclass(frozen=True, slots=True, eq=False)
class Defined:
    """A definition: the name with its sign, its kind (`value`, `block`, `symbol`, `alias`) and offsets."""

    name: str
    kind: str
    start: int
    end: int


class MlirNames:
    """The names of an MLIR text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [Token(match.lastgroup or "", match[0], match.start()) for match in _TOKEN.finditer(text)]
        self.declared: list[Defined] = []
        found: list[Use[Defined]] = []
        scopes = scopes_of(text)
        if scopes is None:
            self._guess(found)
        else:
            self._know(found, scopes)
        self._read_common(found)
        self.uses = Uses(found)

    def of(self, declared: Defined) -> list[Use[Defined]]:
        """Every place where a definition is meant, itself among them."""
        return [use for use in self.uses if use.declared is declared]

    def _know(self, found: list[Use[Defined]], scopes: Scopes) -> None:
        """Values and blocks by the parser's account: a use means what is defined in the innermost region around it."""
        named: dict[str, list[tuple[tuple[int, int], Defined]]] = {}
        places = [token for token in self.tokens if token.kind in ("value", "block")]
        defined = {token.start: self._define(token, token.kind) for token in places if token.start in scopes}
        for start, one in defined.items():
            named.setdefault(one.name, []).append((scopes[start], one))
        for token in places:
            around = [entry for entry in named.get(token.text, ()) if entry[0][0] <= token.start < entry[0][1]]
            means = defined.get(token.start) or max(around, key=lambda entry: entry[0][0], default=(0, None))[1]
            if means is None:  # An argument of a function without a body.
                means = self._define(token, token.kind)
            found.append(Use(token.start, token.end, means))

    def _guess(self, found: list[Use[Defined]]) -> None:
        tokens = [token for token in self.tokens if token.kind != "comment"]
        scopes: list[dict[str, Defined]] = [{}]
        pending: dict[str, Defined] = {}
        blocks: list[tuple[Token, int]] = []
        block_scopes: list[dict[str, Defined]] = [{}]
        scope_of_block: list[dict[str, Defined]] = []
        for index, token in enumerate(tokens):
            following = tokens[index + 1].text if index + 1 < len(tokens) else ""
            previous = tokens[index - 1] if index else None
            if token.text == "{" and token.kind == "sign":
                scopes.append(dict(scopes[-1]) | pending)
                pending = {}
                block_scopes.append({})
            elif token.text == "}" and token.kind == "sign" and len(scopes) > 1:
                scopes.pop()
                block_scopes.pop()
            elif token.kind == "value":
                name = token.text
                if self._defines(tokens, index, following, previous):
                    defined = self._define(token, "value")
                    scopes[-1][name] = defined
                    found.append(Use(token.start, token.end, defined))
                else:
                    found.append(Use(token.start, token.end, scopes[-1].get(name)))
            elif token.kind == "block":
                if self._begins(token) and following in (":", "("):
                    defined = block_scopes[-1][token.text] = self._define(token, "block")
                    found.append(Use(token.start, token.end, defined))
                else:
                    blocks.append((token, len(scope_of_block)))
                    scope_of_block.append(block_scopes[-1])
        for token, number in blocks:
            found.append(Use(token.start, token.end, scope_of_block[number].get(token.text)))

    def _read_common(self, found: list[Use[Defined]]) -> None:
        """Symbols and aliases."""
        common: dict[str, Defined] = {}
        late: list[Token] = []
        for index, token in enumerate(self.tokens):
            if token.kind == "symbol":
                line = self.text[self.text.rfind("\n", 0, token.start) + 1 : token.start]
                if _DEFINES_SYMBOL.search(line) and token.text not in common:
                    common[token.text] = self._define(token, "symbol")
                late.append(token)
            elif token.kind == "alias":
                begins = token.start == 0 or self.text[token.start - 1] == "\n"
                if begins and index + 1 < len(self.tokens) and self.tokens[index + 1].text == "=":
                    common[token.text] = self._define(token, "alias")
                if begins or token.text in common or "." not in token.text:
                    late.append(token)
        for token in late:
            found.append(Use(token.start, token.end, common.get(token.text)))

    def _define(self, token: Token, kind: str) -> Defined:
        defined = Defined(token.text, kind, token.start, token.end)
        self.declared.append(defined)
        return defined

    def _defines(self, tokens: list[Token], index: int, following: str, previous: Token | None) -> bool:
        """Whether the name of a value stands where it is defined."""
        if following == "=":
            return True
        begins = self._begins(tokens[index])
        if begins or (previous is not None and previous.text == ","):  # `%a, %b:2 = ...`
            for token in tokens[index + 1 : index + 64]:
                if token.text == "=" and token.kind == "sign":
                    if begins or self._line(tokens[index].start) == self._line(token.start):
                        return self._only_names(token.start)
                    break
                if token.kind not in ("value", "number") and token.text not in (",", ":"):
                    break
        if previous is not None and previous.text in ("(", ","):
            if following == ":":
                return self._is_argument(tokens, index)
            if following in (",", ")"):  # `(%i, %j) in (...)`, `(%i) = (...)`
                line = self.text[tokens[index].end : self.text.find("\n", tokens[index].end)]
                return re.match(r"[\s%\w$.,-]*\)\s*(?:in\b|=)", line) is not None
        return False

    def _begins(self, token: Token) -> bool:
        """Whether a token is the first of its line, or of a region."""
        before = self.text[self._line(token.start) + 1 : token.start].rstrip()
        return not before or before.endswith("{")

    def _line(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset)

    def _only_names(self, end: int) -> bool:
        line = self.text.rfind("\n", 0, end) + 1
        names = self.text[line:end].strip()
        return names.startswith("%") and re.fullmatch(r"[\s%\w$.,:-]*", names) is not None

    def _is_argument(self, tokens: list[Token], index: int) -> bool:
        """Whether `%x : type` stands in the parentheses behind a symbol or a block's name."""
        depth = 0
        for position in range(index - 1, max(-1, index - 400), -1):
            text = tokens[position].text
            if tokens[position].kind != "sign" or (text == ">" and tokens[position - 1].text == "-"):
                continue
            if text in ")]}>":
                depth += 1
            elif text in "([{<":
                if depth:
                    depth -= 1
                    continue
                before = tokens[position - 1] if position else None
                if text != "(" or before is None:
                    return False
                if before.kind == "block":
                    return self._begins(before)
                return before.kind == "symbol" or before.text in ("workgroup", "private")
        return False
