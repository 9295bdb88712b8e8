"""What other encoders and decoders do, compared with the grammar."""
