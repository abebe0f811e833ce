"""The machine layer over the ISA table: packed operands, print shapes, string pools, and modules as bytes."""
