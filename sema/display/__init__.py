"""What people see: text and tables for the terminal, pictures (SVG, HTML), reports."""

PICTURES = {
    "Pictured.html": "sema.display.pictures.classes:picture_page",
    "Alignment.svg": "sema.display.pictures.classes:alignment_picture",
    "SceneGraph.svg": "sema.display.pictures.classes:graph_picture",
    "ItemScore.html": "sema.display.pictures.classes:item_page",
    "ItemResults.html": "sema.display.pictures.classes:items_page",
    "Report.html": "sema.display.pictures.classes:report_page",
}
"""What draws sema's own objects; each is loaded when a picture is asked for."""
