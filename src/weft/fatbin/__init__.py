"""PTX in binaries: fatbins in objects, libraries, executables, archives and wheels.

`entries` finds all of it; each entry says where it lies, for which target it is, and gives its PTX.
"""

from weft.fatbin.containers import BINARY, best, choose, entries, holds_ptx
from weft.fatbin.entries import Entry
from weft.fatbin.errors import FatbinError

__all__ = ["BINARY", "Entry", "FatbinError", "best", "choose", "entries", "holds_ptx"]
