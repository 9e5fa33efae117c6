"""``make run``: one foreground process that sets the studio up, starts web and workers, and ends them all."""
