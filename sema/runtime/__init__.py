"""The machine: threads, ONNX Runtime, batches, bounded caches, checksums."""
