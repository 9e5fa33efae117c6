"""Faults: what goes wrong in the world through nobody's mistake, to teach retries, idempotency and backoff."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from simulator.scenario.models.words import Duration, Identifier, Model

_KEYS = {
    "timeout": ("effect",),
    "server_error": (),
    "rate_limit": ("retry_after",),
    "stale_read": ("behind",),
    "outage": ("from_step", "to_step"),
}  # the keys of one kind alone; `share` is for all but the outage


class Fault(Model):
    """Something that strikes calls of some operations. Which calls is decided by a hash: forks and replays agree."""

    tools: Identifier | list[Identifier] = Field(description="The operations it strikes.")
    kind: Literal["timeout", "server_error", "rate_limit", "stale_read", "outage"] = Field(
        description="What happens: no answer in time; an error; too many requests; an answer from data of an earlier "
        "moment; nothing works for some steps."
    )
    share: float = Field(0.1, gt=0, le=1, description="How many calls it strikes; an outage strikes them all.")
    effect: Literal["before", "after"] = Field(
        "before", description="For a timeout: whether it comes before the effect took place, or after."
    )
    retry_after: Duration = Field("30s", description="For a rate limit: how long every call is turned away.")
    behind: int = Field(2, ge=1, le=20, description="For a stale read: how many steps its data are behind.")
    from_step: int | None = Field(None, ge=1, description="For an outage: its first step.")
    to_step: int | None = Field(None, ge=1, description="For an outage: its last step.")

    @model_validator(mode="after")
    def _keys_of_its_kind(self) -> Fault:
        own = {*_KEYS[self.kind], *(() if self.kind == "outage" else ("share",))}
        others = ("share", *(name for names in _KEYS.values() for name in names))
        strange = [
            name for name in others if name not in own and getattr(self, name) != type(self).model_fields[name].default
        ]
        if strange:
            raise ValueError(f"`{strange[0]}` says nothing of the kind {self.kind}; take it out")
        if self.kind == "outage":
            if self.from_step is None or self.to_step is None:
                raise ValueError("an outage has a `from_step` and a `to_step`")
            if self.to_step < self.from_step:
                raise ValueError("`to_step` comes before `from_step`")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The operations it strikes, each once."""
        return tuple(dict.fromkeys([self.tools] if isinstance(self.tools, str) else self.tools))


__all__ = ["Fault"]
