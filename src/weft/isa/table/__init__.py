"""The declarations of the ISA, one file a family of like instructions; `weft.isa.registry` collects them."""
