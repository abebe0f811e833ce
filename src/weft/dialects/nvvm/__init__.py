"""The `nvvm` dialect of MLIR 22 for xDSL: what nvgpu lowers to and what kernels for sm_75 to sm_90 use."""
