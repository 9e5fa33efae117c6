"""People: users, workspaces, who may do what in them, and the record of what was done."""
