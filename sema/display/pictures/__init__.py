"""Pictures of plain data as SVG and HTML: scene graphs, word links, an item with its evidence."""
