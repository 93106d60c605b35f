"""What learned scores say beside people, and of texts that are wrong."""
