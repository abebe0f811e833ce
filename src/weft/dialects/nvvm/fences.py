"""Fences: memory order within a scope, between proxies, and of what synchronises a cluster."""

from __future__ import annotations

from xdsl.dialects.builtin import i32
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.nvvm.pointers import GENERIC
from weft.dialects.nvvm.sync_attributes import (
    MemOrderKind,
    MemOrderKindAttr,
    MemScopeKindAttr,
    ProxyKind,
    ProxyKindAttr,
    SharedSpaceAttr,
)

_GENERIC_PROXY = ProxyKindAttr(ProxyKind.GENERIC)
_TENSORMAP_PROXY = ProxyKindAttr(ProxyKind.TENSORMAP)
_ASYNC_PROXY = ProxyKindAttr(ProxyKind.ASYNC)


def _verify_direction(from_proxy: ProxyKindAttr, to_proxy: ProxyKindAttr) -> None:
    if from_proxy != _GENERIC_PROXY:
        raise VerifyException("uni-directional proxies only support generic for from_proxy attribute")
    if to_proxy != _TENSORMAP_PROXY:
        raise VerifyException("uni-directional proxies only support tensormap for to_proxy attribute")


def _verify_order(order: MemOrderKindAttr) -> None:
    if order.data not in (MemOrderKind.ACQUIRE, MemOrderKind.RELEASE):
        raise VerifyException("only acquire and release semantics are supported")


@irdl_op_definition
class FenceProxyOp(IRDLOperation):
    """`nvvm.fence.proxy {kind, space}`: order accesses through different proxies."""

    name = "nvvm.fence.proxy"

    kind = prop_def(ProxyKindAttr)
    space = opt_prop_def(SharedSpaceAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        """A space is for `async.shared`, and required there."""
        kind = self.kind.data
        if kind in (ProxyKind.TENSORMAP, ProxyKind.GENERIC):
            verb = "is not" if kind is ProxyKind.TENSORMAP else "not"
            raise VerifyException(f"{kind.value} proxy {verb} a supported proxy kind")
        if kind == ProxyKind.ASYNC_SHARED and self.space is None:
            raise VerifyException("async_shared fence requires space attribute")
        if kind != ProxyKind.ASYNC_SHARED and self.space is not None:
            raise VerifyException("only async_shared fence can have space attribute")


@irdl_op_definition
class FenceProxyAcquireOp(IRDLOperation):
    """`nvvm.fence.proxy.acquire scope %addr, %size`: the fence that a tensor map's reader needs."""

    name = "nvvm.fence.proxy.acquire"

    addr = operand_def(GENERIC)
    size = operand_def(i32)
    scope = prop_def(MemScopeKindAttr)
    from_proxy = prop_def(ProxyKindAttr, prop_name="fromProxy", default_value=_GENERIC_PROXY)
    to_proxy = prop_def(ProxyKindAttr, prop_name="toProxy", default_value=_TENSORMAP_PROXY)

    assembly_format = "$scope $addr `,` $size (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict"

    def verify_(self) -> None:
        """From the generic proxy to that of tensor maps."""
        _verify_direction(self.from_proxy, self.to_proxy)


@irdl_op_definition
class FenceProxyReleaseOp(IRDLOperation):
    """`nvvm.fence.proxy.release scope`: the fence that a tensor map's writer needs."""

    name = "nvvm.fence.proxy.release"

    scope = prop_def(MemScopeKindAttr)
    from_proxy = prop_def(ProxyKindAttr, prop_name="fromProxy", default_value=_GENERIC_PROXY)
    to_proxy = prop_def(ProxyKindAttr, prop_name="toProxy", default_value=_TENSORMAP_PROXY)

    assembly_format = "$scope (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict"

    def verify_(self) -> None:
        """From the generic proxy to that of tensor maps."""
        _verify_direction(self.from_proxy, self.to_proxy)


@irdl_op_definition
class MembarOp(IRDLOperation):
    """`nvvm.memory.barrier scope`: order the thread's memory operations at a scope."""

    name = "nvvm.memory.barrier"

    scope = prop_def(MemScopeKindAttr)

    assembly_format = "$scope attr-dict"


@irdl_op_definition
class FenceSyncRestrictOp(IRDLOperation):
    """`nvvm.fence.sync_restrict {order}`: acquire or release at cluster scope, of shared memory and mbarriers only."""

    name = "nvvm.fence.sync_restrict"

    order = prop_def(MemOrderKindAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        """`acquire` or `release`."""
        _verify_order(self.order)


@irdl_op_definition
class FenceProxySyncRestrictOp(IRDLOperation):
    """`nvvm.fence.proxy.sync_restrict {order}`: the same between the generic and the async proxy."""

    name = "nvvm.fence.proxy.sync_restrict"

    order = prop_def(MemOrderKindAttr)
    from_proxy = prop_def(ProxyKindAttr, prop_name="fromProxy", default_value=_GENERIC_PROXY)
    to_proxy = prop_def(ProxyKindAttr, prop_name="toProxy", default_value=_ASYNC_PROXY)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        """`acquire` or `release`, from the generic proxy to the async one."""
        _verify_order(self.order)
        if self.from_proxy != _GENERIC_PROXY:
            raise VerifyException("only generic is support for from_proxy attribute")
        if self.to_proxy != _ASYNC_PROXY:
            raise VerifyException("only async is supported for to_proxy attribute")
