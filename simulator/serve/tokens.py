"""The tokens of agents: each opens one episode and nothing else. What was not signed here is no token.

A token is ``ww1.EPISODE.SIGNATURE``, the signature an HMAC-SHA256 (RFC 2104) under a key that follows from the
server's. So a token of an episode that is gone is told from one
that never was, without keeping all that were given out.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

_VERSION = "ww1"
_LONGEST = 200
_SIGNATURE = 24  # bytes of the 32


class Tokens:
    """Signs and reads the tokens of one server; ``key`` is the server's."""

    def __init__(self, key: str) -> None:
        self._key = hashlib.sha256(b"worldwright agent token\0" + key.encode()).digest()
        self._server = hashlib.sha256(key.encode()).digest()

    def sign(self, episode: str) -> str:
        """The token of an episode."""
        return f"{_VERSION}.{episode}.{self._signature(episode)}"

    def episode_of(self, token: str) -> str | None:
        """The episode that a token opens, None for what is no token of this server."""
        version, _, rest = token.partition(".")
        episode, _, signature = rest.rpartition(".")
        if len(token) > _LONGEST or version != _VERSION or not episode:
            return None
        signed = hmac.compare_digest(signature.encode(errors="replace"), self._signature(episode).encode())
        return episode if signed else None

    def is_server_key(self, given: str) -> bool:
        """Whether this is the server's key."""
        return hmac.compare_digest(hashlib.sha256(given.encode(errors="replace")).digest(), self._server)

    def _signature(self, episode: str) -> str:
        digest = hmac.digest(self._key, episode.encode(errors="replace"), "sha256")
        return base64.urlsafe_b64encode(digest[:_SIGNATURE]).decode()
