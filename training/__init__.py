"""What makes weights, tables and scales; never packaged."""
