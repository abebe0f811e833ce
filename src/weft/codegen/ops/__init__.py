"""Selection of the operations of each dialect, one module for each kind."""
