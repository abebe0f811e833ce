"""Random kernels through weft and through LLVM, run on the simulator with the same data."""
