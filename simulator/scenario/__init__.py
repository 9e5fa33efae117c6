"""The language of scenarios: models, loading, problems."""
