"""Random changes of the sources, and whether a test notices."""
