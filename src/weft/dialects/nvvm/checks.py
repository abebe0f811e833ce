"""Checks of operations of `nvvm` that are one instruction: copies, fences, barriers, warps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import f32, i1, i32
from xdsl.dialects.llvm import LLVMStructType
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.engine.attributes import attr_class
from weft.dialects.nvvm.pointers import SHARED_CLUSTER
from weft.dialects.verification import PlainVerifyException

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from weft.dialects.rows import nvvm

_MASK_AND_AGREEMENT = LLVMStructType.from_type_list([i32, i1])


def permute(op: nvvm.PrmtOp) -> None:
    """`default`, `f4e` and `b4e` pick from two words, the others from one."""
    mode = op.mode.data.value
    if mode in ("default", "f4e", "b4e"):
        if op.hi is None:
            raise PlainVerifyException(f"mode '{mode}' requires 'hi' operand.")
    elif op.hi is not None:
        raise PlainVerifyException(f"mode '{mode}' does not accept 'hi' operand.")


def async_copy(op: nvvm.CpAsyncSharedGlobalOp) -> None:
    """Only 4, 8 and 16 bytes; `.cg` only 16."""
    size, modifier = op.size.value.data, op.modifier.data
    if modifier not in ("ca", "cg"):
        raise PlainVerifyException("Only CG and CA cache modifiers are supported.")
    if size not in (4, 8, 16):
        raise PlainVerifyException("expected byte size to be either 4, 8 or 16.")
    if modifier == "cg" and size != 16:
        raise PlainVerifyException("CG cache modifier is only support for 16 bytes copy.")


def fence(op: nvvm.FenceProxyOp) -> None:
    """A space is for `async.shared`, and required there."""
    kind = op.kind.data
    if kind in ("tensormap", "generic"):
        verb = "is not" if kind == "tensormap" else "not"
        raise VerifyException(f"{kind} proxy {verb} a supported proxy kind")
    if kind == "async.shared" and op.space is None:
        raise VerifyException("async_shared fence requires space attribute")
    if kind != "async.shared" and op.space is not None:
        raise VerifyException("only async_shared fence can have space attribute")


def to_tensormap(op: nvvm.FenceProxyAcquireOp | nvvm.FenceProxyReleaseOp) -> None:
    """From the generic proxy to that of tensor maps."""
    if op.from_proxy.data != "generic":
        raise VerifyException("uni-directional proxies only support generic for from_proxy attribute")
    if op.to_proxy.data != "tensormap":
        raise VerifyException("uni-directional proxies only support tensormap for to_proxy attribute")


def ordered(op: nvvm.FenceProxySyncRestrictOp | nvvm.FenceSyncRestrictOp) -> None:
    """`acquire` or `release`."""
    if op.order.data not in ("acquire", "release"):
        raise VerifyException("only acquire and release semantics are supported")


def to_async(op: nvvm.FenceProxySyncRestrictOp) -> None:
    """From the generic proxy to the async one."""
    if op.from_proxy.data != "generic":
        raise VerifyException("only generic is support for from_proxy attribute")
    if op.to_proxy.data != "async":
        raise VerifyException("only async is supported for to_proxy attribute")


def arrival(
    op: nvvm.MbarrierArriveOp
    | nvvm.MbarrierArriveExpectTxOp
    | nvvm.MbarrierArriveDropExpectTxOp
    | nvvm.MbarrierArriveDropOp,
) -> None:
    """No state of a barrier of another block."""
    if op.operands[0].type == SHARED_CLUSTER and op.res is not None:
        raise PlainVerifyException("mbarrier in shared_cluster space cannot return any value")


def predicated(op: nvvm.MbarrierArriveExpectTxOp) -> None:
    """With a predicate there is no state, and the barrier is the block's own."""
    if op.predicate is None:
        return
    if op.scope.data != "cta":
        raise PlainVerifyException("mbarrier scope must be CTA when using predicate")
    if op.addr.type == SHARED_CLUSTER:
        raise PlainVerifyException("mbarrier in shared_cluster space is not supported when using predicate")
    if op.res is not None:
        raise PlainVerifyException("return-value is not supported when using predicate")
    if op.relaxed.value.data:
        raise PlainVerifyException("mbarrier with relaxed semantics is not supported when using predicate")


def barrier_scope(op: Operation) -> None:
    """The scope of a block or a cluster."""
    if narrow.word(op.properties["scope"]) not in ("cta", "cluster"):
        raise PlainVerifyException("mbarrier scope must be either CTA or Cluster")


def barrier(op: nvvm.BarrierOp) -> None:
    """A number of threads needs an id; a reduction needs a result."""
    if op.number_of_threads is not None and op.barrier_id is None:
        raise VerifyException("barrier id is missing, it should be set between 0 to 15")
    if op.barrier_id is not None and (op.reduction_op is not None or op.reduction_predicate is not None):
        raise VerifyException("reduction are only available when id is 0")
    if (op.reduction_op is None) != (op.reduction_predicate is None):
        raise VerifyException("reduction predicate and reduction operation must be specified together")


def registers(op: nvvm.SetmaxregisterOp) -> None:
    """A multiple of 8 from 24 to 256."""
    count = op.reg_count.value.data
    if count % 8:
        raise VerifyException("new register size must be multiple of 8")
    if not 24 <= count <= 256:
        raise VerifyException("new register size must be in between 24 to 256")


def event(op: nvvm.PmeventOp) -> None:
    """An event from 0 to 15, or a mask."""
    if op.event_id is None and op.masked_event_id is None:
        raise VerifyException("either `id` or `mask` must be set")
    if op.event_id is None:
        return
    if op.masked_event_id is not None:
        raise VerifyException("`id` and `mask` cannot be set at the same time")
    if not 0 <= op.event_id.value.data <= 15:
        raise VerifyException("`id` must be between 0 and 15")


def fill(op: nvvm.StBulkOp) -> None:
    """Zero is the only value."""
    if op.init_val.value.data:
        raise VerifyException(f"only 0 is supported for initVal, got {op.init_val.value.data}")


def query(op: nvvm.ClusterlaunchcontrolQueryCancelOp) -> None:
    """i1 for `is_canceled`, i32 for the coordinates."""
    if op.query_type.data == "is_canceled":
        if op.res.type != i1:
            raise VerifyException("is_canceled query type returns an i1")
    elif op.res.type != i32:
        kinds = attr_class("nvvm.cluster_launch_control_query_type").enum_type
        names = ", ".join(kind.value for kind in kinds if kind.value != "is_canceled")
        raise VerifyException(f"{names} query types return an i32")


def shuffle(op: nvvm.ShflSyncOp) -> None:
    """The result has the type of the value; with `return_value_and_is_valid` it is a struct of that and an i1."""
    result, value = op.res.type, op.val.type
    if op.return_value_and_is_valid is None:
        if isinstance(result, LLVMStructType):
            raise VerifyException(
                '"return_value_and_is_valid" attribute must be specified when the return type is a struct type'
            )
        if result != value:
            raise VerifyException(f"expected return type to be of type '{value}' but got '{result}' instead")
        return
    if not isinstance(result, LLVMStructType) or len(result.types) != 2:
        raise VerifyException("expected return type to be a two-element struct")
    for place, expected, found in zip(("first", "second"), (value, i1), result.types, strict=True):
        if found != expected:
            raise VerifyException(
                f"expected {place} element in the returned struct to be of type '{expected}' but got '{found}' instead"
            )


def vote(op: nvvm.VoteSyncOp) -> None:
    """The result type goes with the kind."""
    if op.kind.data == "ballot":
        if op.res.type != i32:
            raise VerifyException("vote.sync 'ballot' returns an i32")
    elif op.res.type != i1:
        raise VerifyException("vote.sync 'any', 'all' and 'uni' returns an i1")


def match(op: nvvm.MatchSyncOp) -> None:
    """`any` gives a mask, `all` also whether all lanes agree."""
    if op.kind.data == "any":
        if op.res.type != i32:
            raise VerifyException("match.sync 'any' returns an i32")
    elif op.res.type != _MASK_AND_AGREEMENT:
        raise VerifyException(
            "match.sync 'all' returns a two element struct with first element as i32 and second element as i1"
        )


def reduction(op: nvvm.ReduxSyncOp) -> None:
    """The type goes with the kind; `abs` and `nan` are for floating point."""
    kind, found = op.kind.data.value, op.val.type
    if op.res.type != found:
        raise VerifyException("failed to verify that all of {res, val} have same type")
    for name, given in (("abs", op.abs), ("nan", op.nan)):
        if found != f32 and given.value.data:
            raise VerifyException(f"{name} attribute is supported only for f32 type")
    expected = f32 if kind in ("fmin", "fmax") else i32
    if found != expected:
        raise VerifyException(
            f"'{kind}' redux kind unsupported with '{found}' type. Only supported type is '{expected}'."
        )
