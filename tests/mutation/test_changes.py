"""What is changed, and what is left alone."""

from __future__ import annotations

import ast

from tests.mutation.changes import changes

TABLE = """
_SEMANTICS = "d = bits of a"
FAMILY = Family("stem", "Count the bits.", forms=(form("a.type d", types="u32 s32"),), semantics="d = bits of a")
OTHER = _helper("other", "Shift left", slots={"type": "b32"}, manual="an-anchor", effects=Effects(reads="shared"))
"""


def test_documentation_is_left_alone() -> None:
    found = {change.what.partition(" -> ")[0] for change in changes(ast.parse(TABLE))}
    assert found == {"'stem'", "'a.type d'", "'u32 s32'", "'other'", "'type'", "'b32'", "'shared'"}


CODE = """
__slots__ = ("left", "right")
Pair: TypeAlias = "int | str"


class Options:
    limit: int = 1000


if TYPE_CHECKING:
    PAIRS = 7


class Named:
    def __repr__(self):
        return "<" + self.name * 2


@overload
def pairs(a, *, most=3, b=1): ...


@lru_cache(256)
def pairs(a, b, *, most=3):
    report("it is not so", "drop one, or say more")
    if len(a) != len(b):
        self.fail("they differ", hint="take others")
    return zip(a, cast("list[int]", b), strict=True)
"""


def test_what_right_code_does_not_depend_on_is_left_alone() -> None:
    assert [change.what for change in changes(ast.parse(CODE))] == ["NotEq -> Eq"]


LETTERS = """
rows = mask.reshape(-1, columns)
told = kind in "ab" or kind == "ab"
kinds = frozenset("cd"), dict.fromkeys("ef", 3), set("")
"""


def test_a_set_of_letters_loses_one_and_a_negative_extent_is_any() -> None:
    """NumPy finds the extent that is negative, and nobody asks for a letter that is none of the others."""
    said = {change.what for change in changes(ast.parse(LETTERS))}
    assert said == {
        "In -> NotIn",
        "'ab' -> 'a'",
        "Or -> And",
        "Eq -> NotEq",
        "'ab' -> 'abx'",
        "'cd' -> 'c'",
        "'ef' -> 'e'",
        "3 -> 4",
    }


def test_a_name_that_only_one_variable_has_is_left_alone() -> None:
    code = ast.parse('TABLE = VarConstraint("A", one), VarConstraint("T", one), VarConstraint("T", two)')
    assert [change.what for change in changes(code)] == ["'T' -> 'Tx'"] * 2


RAISING = """
def check(shape):
    count = shape[1]
    if count > 2:
        extents = shape[:3]
        raise Wrong(f"{extents}")
"""


def test_what_is_assigned_for_an_exception_is_left_alone() -> None:
    assert sorted(change.what for change in changes(ast.parse(RAISING))) == ["1 -> 2", "2 -> 3", "Gt -> GtE"]


def test_comments_in_other_languages_are_left_alone() -> None:
    code = ast.parse('TEXT = """\nint x; /* a number */\nint /* of */ y;\n"""')
    assert [change.what.rpartition(": ")[2] for change in changes(code)] == ["xx", "intx"]


ROWS = """
T = '''
cancel address:ptr3 | multicast? |
    `,` $address |
    | ask to take over. The answer is written to
    shared memory
one | two
    three
'''
"""


def test_summaries_of_rows_that_go_on_are_left_alone() -> None:
    found = [change.what.rpartition(": ")[2] for change in changes(ast.parse(ROWS))]
    assert found == ["addressx", "addressx", "onex", "threex"]
