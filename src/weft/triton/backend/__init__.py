"""What Triton finds by the entry point `weft` of `triton.backends`: it looks at `compiler` and `driver` at its import.

Both load nothing else and depend on no more of Triton than its two base classes, so that Triton starts as fast, and as
surely, with weft installed as without.
"""
