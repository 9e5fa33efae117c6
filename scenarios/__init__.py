"""Authoring: scenarios as files, their drafts and versions, and the work done on them in the background."""
