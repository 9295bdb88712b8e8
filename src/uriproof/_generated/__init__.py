"""What tools/build_grammars.py compiled from grammars/; do not edit."""
