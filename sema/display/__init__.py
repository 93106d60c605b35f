"""What people see: text and tables for the terminal, pictures (SVG, HTML), reports."""
