from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the source tree."""
    return Path(__file__).parents[2]
