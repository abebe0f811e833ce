"""Accesses of warps to shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weft.dataclass import dataclass
from weft.errors import LayoutError
from weft.layout.conflicts import BANKS, WORD
from weft.layout.notebook import access_html
from weft.layout.swizzle import SwizzleLayout

if TYPE_CHECKING:
    from weft.layout.iters import Integers

ROW = 16
"""Bytes of a row of a matrix copy."""
LANES = 32


@dataclass(frozen=True, eq=False)
class Access:
    """Accesses of warps to shared memory, one instruction each.

    `addresses` are byte addresses, instructions by lanes (or one row of lanes); `width` the bytes of each lane, a power
    of two up to 16.  With `matrix`, they are the row addresses of an ldmatrix or stmatrix: 8 for each matrix.  `active`
    says which lanes take part (by default, all).  Raises LayoutError for addresses that are not multiples of the width.
    """

    addresses: Integers
    width: int
    matrix: bool = False
    store: bool = False
    active: NDArray[np.bool_] = field(default_factory=lambda: np.ones((), np.bool_))

    _repr_html_ = access_html

    def __post_init__(self) -> None:
        addresses = np.atleast_2d(np.asarray(self.addresses, np.int64))
        active = np.broadcast_to(self.active, addresses.shape)
        if self.width not in (1, 2, 4, 8, 16) or (self.matrix and self.width != ROW):
            raise LayoutError(
                f"an access cannot be {self.width} bytes wide", hint="use 1, 2, 4, 8 or 16; 16 for matrices"
            )
        lanes = addresses.shape[-1]
        if lanes != LANES and not (self.matrix and lanes in (8, 16)):
            raise LayoutError(f"{lanes} addresses for the lanes of an access")
        wrong = np.argwhere((addresses % self.width != 0) & active)
        if len(wrong):
            access, lane = (int(each) for each in wrong[0])
            raise LayoutError(
                f"address {int(addresses[access, lane])} of lane {lane} is not a multiple of its {self.width} bytes"
            )
        object.__setattr__(self, "addresses", addresses)
        object.__setattr__(self, "active", active)

    @property
    def phase_lanes(self) -> int:
        """Lanes of a phase."""
        return 8 if self.matrix else min(LANES, BANKS * WORD // self.width)

    def moved(self, swizzle: SwizzleLayout) -> Access:
        """The access with its byte addresses through a swizzle of bytes."""
        return Access(swizzle.place(self.addresses), self.width, self.matrix, self.store, self.active)

    def __iter__(self) -> Iterator[Access]:
        """The instructions, one by one."""
        for addresses, active in zip(self.addresses, self.active, strict=True):
            yield Access(addresses, self.width, self.matrix, self.store, active)

    def __len__(self) -> int:
        return len(self.addresses)
