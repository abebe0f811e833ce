"""The module."""
