"""Values of which nothing is known."""
