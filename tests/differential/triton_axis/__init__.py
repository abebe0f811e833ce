"""Random Triton kernels: weft's PTX of Triton's LLVM IR against Triton's own, run on the simulator."""
