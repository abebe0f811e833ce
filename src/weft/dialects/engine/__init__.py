"""Tables of operations and attributes, and the classes that are made of their rows."""
