"""The Chinese tables that ship."""
