"""The rules, a module for each kind of expression. Each exports ``RULES`` by node type and ``FUNCTIONS`` by name."""
