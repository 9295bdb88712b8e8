"""The audit of other encoders and decoders: their behavior, and where it breaks the grammar."""
