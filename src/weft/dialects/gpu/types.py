"""Attributes of `gpu` that xDSL lacks: address spaces and shuffle modes."""

from __future__ import annotations

from xdsl.ir import ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition


@irdl_attr_definition
class AsyncTokenType(ParametrizedAttribute, TypeAttribute):
    """`!gpu.async.token`: orders asynchronous host operations."""

    name = "gpu.async.token"
