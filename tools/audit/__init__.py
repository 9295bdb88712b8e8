"""The audit of other encoders and decoders: what each does, and where that breaks the grammar."""
