"""What is done to scenarios, as plain functions with keyword arguments. Views and tasks call these and nothing else."""
