"""The field's metrics: speed."""
