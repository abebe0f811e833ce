"""Kernels that are right, and the bugs that can be planted in them: what judges the simulator's checks."""
