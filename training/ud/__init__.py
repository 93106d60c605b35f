"""What training Stanza's models needs in any language: editable trees, punctuation, tags, trainers, ONNX graphs."""
