"""Words in the texts of the sources are spelled right: each stands in a second place, in the sources, a test or a document."""

from __future__ import annotations

import ast
import re

from tests.words import strange, texts_of

CODE = '''
def f(a):
    """Told of it."""
    # It isn't "quoted".
    table = """
    one | two
    """
    return {'three': "it's \\nfour"}, f"five {a!r}"
'''


def test_every_word_stands_in_a_second_place() -> None:
    assert strange() == {}, "a word that stands nowhere else: misspelled? If not, `python -m tests.words` notes it"


def test_texts_are_found_as_they_are_written() -> None:
    words = re.findall(r"\w+", texts_of(CODE))
    assert words == ["Told", "of", "it", "one", "two", "three", "it", "s", "four", "five", "a", "r"]
    assert re.findall(r"\w+", texts_of(ast.unparse(ast.parse(CODE)))) == words
