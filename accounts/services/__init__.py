"""What is done to people's rows, as plain functions."""
