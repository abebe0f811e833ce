"""The documentation site: Sphinx over the Markdown of this folder (`make docs`)."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "src")]

_project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
project = "weft"
author = _project["authors"][0]["name"]
copyright = author
release = version = _project["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click", "weft_pages"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}
default_role = "code"
highlight_language = "none"
nitpicky = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
suppress_warnings = ["config.cache"]

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # Else attributes of dataclasses are described twice.

html_theme = "furo"
html_title = f"weft {release}"
html_static_path: list[str] = []
html_extra_path = ["inspect.schema.json", "ptx.schema.json", "trace.schema.json"]
pygments_style = "default"
pygments_dark_style = "monokai"
