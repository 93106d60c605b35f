"""A language and metrics put together: scorer and results."""
