"""What is shown for a word: something for all that the tables know, nothing for anything else."""

from __future__ import annotations

from weft.isa.directives import DIRECTIVES
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.types import TYPES
from weft.lsp.manual import word_page


def test_every_word_of_the_tables_has_a_page_and_no_other() -> None:
    types = {f".{name}" for name in TYPES}
    known = {*SPECIAL_REGISTERS, *DIRECTIVES, *types}
    for word in known:
        page = word_page(word)
        assert page.startswith(f"**{word}**"), word
        assert word in DIRECTIVES or word in SPECIAL_REGISTERS or f"{TYPES[word[1:]].bits} bits" in page
    others = {word[1:] for word in known} | {f"{word}x" for word in known} | {f".{word[1:]}x" for word in known}
    others |= {f".{name}" for name in SPECIAL_REGISTERS} | {"", "."}
    assert not [word for word in others - known if word_page(word)]
