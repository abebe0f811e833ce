"""Showing things: summaries of modules, manual pages."""
