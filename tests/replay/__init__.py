"""The same input through two versions of the compiler: what comes out must be equal, byte for byte."""
