"""Types of LLVM without parameters that xDSL lacks."""

from __future__ import annotations

from xdsl.ir import ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition


@irdl_attr_definition
class LLVMTokenType(ParametrizedAttribute, TypeAttribute):
    """`!llvm.token`: ties operations together that must not be taken apart."""

    name = "llvm.token"


@irdl_attr_definition
class LLVMLabelType(ParametrizedAttribute, TypeAttribute):
    """`!llvm.label`: a place in the code."""

    name = "llvm.label"


@irdl_attr_definition
class LLVMMetadataType(ParametrizedAttribute, TypeAttribute):
    """`!llvm.metadata`: what an intrinsic is told about the program."""

    name = "llvm.metadata"


@irdl_attr_definition
class LLVMX86AMXType(ParametrizedAttribute, TypeAttribute):
    """`!llvm.x86_amx`: a tile register of another machine."""

    name = "llvm.x86_amx"


@irdl_attr_definition
class LLVMPPCFP128Type(ParametrizedAttribute, TypeAttribute):
    """`!llvm.ppc_fp128`: two floats of 64 bits, of another machine."""

    name = "llvm.ppc_fp128"
