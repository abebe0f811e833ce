"""The operation of MLIR's `ub` of which xDSL takes more than upstream does."""

from __future__ import annotations

from xdsl.dialects.ub import PoisonAttr
from xdsl.dialects.ub import PoisonOp as _PoisonOp
from xdsl.utils.exceptions import VerifyException

from weft.dialects.redefinition import redefinition


@redefinition()
class PoisonOp(_PoisonOp):
    """A value that nothing may depend on."""

    name = "ub.poison"

    def verify_(self) -> None:
        """Hold the value to the one attribute of upstream's that says how much of it is poison."""
        if not isinstance(self.value, PoisonAttr):
            raise VerifyException("attribute 'value' failed to satisfy constraint: PoisonAttrInterface instance")
