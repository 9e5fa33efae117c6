"""The rules, a module for each kind of expression: those that dialects share, and in ``of_…`` those of one alone.

Each exports ``RULES`` by node type and ``FUNCTIONS`` by name, or what a dialect's own tables are made of.
"""
