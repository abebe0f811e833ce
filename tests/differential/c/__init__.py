"""Random C through clang, nvcc and weft: the same program, as each of them compiles it, run on the simulator."""
