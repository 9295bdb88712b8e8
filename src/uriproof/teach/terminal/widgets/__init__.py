"""What the explanation is made of: the line that is typed, and the panes below it."""
