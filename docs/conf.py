"""How Sphinx builds the documentation: `make docs`, offline, every warning an error."""

import sys
from pathlib import Path

from sphinx.util import logging

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "parsers"), str(ROOT / "lexicons"), str(ROOT / "apps"), str(ROOT / "docs")]

import generate  # noqa: E402

import sema  # noqa: E402

project = "sema"
author = "The sema maintainers"
copyright = author
release = version = sema.__version__
html_title = f"sema {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
# Furo's own stack has no Chinese font: the browser would choose any font for titles.
FONTS = (
    'system-ui, -apple-system, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", '
    '"Microsoft YaHei", "WenQuanYi Zen Hei", sans-serif'
)
html_theme_options = {
    f"{shade}_css_variables": {"font-stack": FONTS, "font-stack--headings": FONTS} for shade in ("light", "dark")
}
html_show_sphinx = False
smartquotes_action = "q"  # two hyphens begin an option
pygments_style = "tango"
pygments_dark_style = "monokai"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
# The libraries of the plugs need not be installed to build their pages.
autodoc_mock_imports = ["inspect_ai", "torch", "torchmetrics"]


def add_links(app, page, source):
    """Put the lists of pages and links to what a number means into a page; its other links lead to the site's pages."""
    text = generate.with_contents(page, generate.with_meanings(page, source[0]))
    generated = page.startswith("_generated/")
    source[0] = text if generated else generate.with_links(page, text, ROOT, Path(app.srcdir) / "_generated")


def warn_of_backticks(app, page, template, context, doctree):
    """Warn of what a page shows as it stands."""
    for line in generate.raw_backticks(context.get("body", "")):
        logging.getLogger(__name__).warning("shows a raw backtick: %s", line, location=page)


def setup(app):
    """Write the pages that come from other files before the sources are read; tables link to what a number means."""
    app.connect("builder-inited", lambda app: generate.everything(ROOT, Path(app.srcdir) / "_generated"))
    app.connect("source-read", add_links)
    app.connect("html-page-context", warn_of_backticks)
