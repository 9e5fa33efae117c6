from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sql.agent.office import Office, office


@pytest.fixture(scope="session")
def the_office() -> Iterator[Office]:
    """One office for all tests: every statement is undone."""
    with office() as place:
        yield place
