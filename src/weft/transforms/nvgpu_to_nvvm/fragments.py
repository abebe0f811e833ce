"""Register fragments: an nvgpu vector of shape `registers x k` as its registers, in the form each user wants.

A fragment remembers every form in which its registers are known: rows (`vector<kxT>`), words (the 32 bits of a row) and
elements.  A form that is asked for is made right behind the fragment's definition, so it serves all users; or, where
nothing is shared, made of the array of rows again for each user.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.builtin import VectorType, i32
from xdsl.ir import Attribute, Operation, SSAValue

from weft.dialects.narrow import Vector
from weft.transforms.nvgpu_to_nvvm.builder import Builder
from weft.transforms.nvgpu_to_nvvm.layout import array_type


@cache
def _row_type(element: Attribute, width: int) -> VectorType[Attribute]:
    return VectorType(element, [width])


class Fragment:
    """The registers of one vector value of two dimensions."""

    def __init__(
        self,
        builder: Builder,
        vector: Vector,
        last: Operation,
        *,
        array: SSAValue | None = None,
        rows: Sequence[SSAValue] = (),
        words: Sequence[SSAValue] = (),
        elements: Sequence[Sequence[SSAValue]] = (),
    ) -> None:
        self.builder = builder
        self.vector = vector
        self.count, self.width = vector.get_shape()
        self.element: Attribute = vector.element_type
        self.row_type = _row_type(self.element, self.width)
        self._last = last
        self._array = array
        self._rows = dict(enumerate(rows))
        self._words = dict(enumerate(words))
        self._elements = dict(enumerate(elements))

    def rows(self) -> list[SSAValue]:
        """Every register as `vector<kxT>`."""
        with _Behind(self):
            return [self._row(index) for index in range(self.count)]

    def words(self) -> list[SSAValue]:
        """Every register as `i32`."""
        with _Behind(self):
            return [self._word(index) for index in range(self.count)]

    def scalars(self) -> list[SSAValue]:
        """All elements, register by register."""
        with _Behind(self):
            return [element for index in range(self.count) for element in self._scalars(index)]

    def array(self) -> SSAValue:
        """The fragment as an `llvm` array of rows."""
        if self._array is None:
            with _Behind(self):
                rows = [self._row(index) for index in range(self.count)]
                self._array = self.builder.pack(array_type(self.vector), rows)
        return self._array

    def value(self) -> SSAValue:
        """The fragment as the vector value it was."""
        return self.builder.cast(self.array(), self.vector)

    def _row(self, index: int) -> SSAValue:
        if not self.builder.shared:
            return self.builder.extract_value(self.array(), self.row_type, index)
        if index not in self._rows:
            if index in self._words:
                row = self.builder.bitcast(self._words[index], self.row_type)
            elif index in self._elements:
                row = self.builder.pack_vector(self.row_type, self._elements[index])
            else:
                assert self._array is not None
                row = self.builder.extract_value(self._array, self.row_type, index)
            self._rows[index] = row
        return self._rows[index]

    def _word(self, index: int) -> SSAValue:
        if not self.builder.shared:
            return self.builder.bitcast(self._row(index), i32)
        if index not in self._words:
            self._words[index] = self.builder.bitcast(self._row(index), i32)
        return self._words[index]

    def _scalars(self, index: int) -> Sequence[SSAValue]:
        if not self.builder.shared:
            return self._take_apart(self._row(index))
        if index not in self._elements:
            self._elements[index] = self._take_apart(self._row(index))
        return self._elements[index]

    def _take_apart(self, row: SSAValue) -> Sequence[SSAValue]:
        return [self.builder.extract_element(row, position, self.element) for position in range(self.width)]


class _Behind:
    """While it is entered, the builder emits behind a fragment's definition and what was made there before."""

    def __init__(self, fragment: Fragment) -> None:
        self._fragment = fragment

    def __enter__(self) -> None:
        self._moves = self._fragment.builder.shared
        if not self._moves:
            return
        following = self._fragment._last.next_op  # pyright: ignore[reportPrivateUsage]
        assert following is not None
        self._place = self._fragment.builder.place(following)

    def __exit__(self, *_: object) -> None:
        if not self._moves:
            return
        builder = self._fragment.builder
        made = builder.anchor.prev_op
        assert made is not None
        self._fragment._last = made  # pyright: ignore[reportPrivateUsage]
        builder.place(self._place)
