"""English segmentation and dependencies."""
