"""What upstream says of `gpu.launch_func` and the kernel that it names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.symbols import lookup
from weft.dialects.traits import inherent

_CONTAINER = "gpu.container_module"


def container(op: Operation) -> Operation | None:
    """The module around a launch that says that it contains kernels.

    Raises:
        VerifyException: the closest module does not say so.
    """
    module = op.parent_op()
    while module is not None and module.name != "builtin.module":
        module = module.parent_op()
    if module is not None and _CONTAINER not in module.attributes:
        raise VerifyException(f"expected the closest surrounding module to have the '{_CONTAINER}' attribute")
    return module


def _inputs(kernel: Operation) -> Sequence[Attribute]:
    return cast("Any", inherent(kernel, "function_type")).inputs.data


def _launch(op: Operation) -> None:
    module = container(op)
    reference = cast("SymbolRefAttr", inherent(op, "kernel"))
    if module is None:
        return
    name = reference.root_reference.data
    holder = lookup(module, SymbolRefAttr(name))
    if holder is None:
        raise VerifyException(f"kernel container '{name}' is undefined")
    if holder.name == "gpu.binary":
        return
    if holder.name != "gpu.module":
        raise VerifyException(f"kernel module '{name}' is undefined")
    kernel = lookup(module, reference)
    if kernel is None:
        raise VerifyException(f"kernel function '{reference}' is undefined")
    if kernel.name not in {"gpu.func", "llvm.func"} or (
        inherent(kernel, "gpu.kernel") is None and inherent(kernel, "kernel") is None
    ):
        raise VerifyException("kernel function is missing the 'gpu.kernel' attribute")
    if kernel.name != "gpu.func":
        return  # A memref is several arguments of a function that is lowered already.
    given = list(cast("Any", op).kernel_operands)
    wanted = _inputs(kernel)
    if len(given) != len(wanted):
        raise VerifyException(f"got {len(given)} kernel operands but expected {len(wanted)}")
    for index, (value, kind) in enumerate(zip(given, wanted, strict=True)):
        if value.type != kind:
            raise VerifyException(f"type of function argument {index} does not match")


USERS: dict[str, Callable[[Operation], None]] = {"gpu.launch_func": _launch}
