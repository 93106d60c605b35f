"""Reports of runs and statistics: HTML, Markdown, figures, tables, questionnaires."""
