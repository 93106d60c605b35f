"""Word aligners against links by hand."""
