"""Plain arithmetic on text, for ``calculate('12.5 * (3 + 4)')``: four operations, brackets, nothing else.

A small recursive-descent parser over a bounded text; never ``eval``.
"""

from __future__ import annotations

import math
import re

MAX_LENGTH = 1_000
MAX_DEPTH = 64

_TOKEN = re.compile(r"\s*+(?:([0-9]++(?:\.[0-9]*+)?|\.[0-9]++)|([-+*/()])|$)")


class ArithmeticProblem(ValueError):
    """The text is not plain arithmetic, or has no finite result."""


def calculate(text: str) -> float:
    """The value of an expression of numbers, ``+ - * /`` and brackets.

    Raises :class:`ArithmeticProblem` for anything else, for division by zero and for results beyond a float.
    """
    if len(text) > MAX_LENGTH:
        raise ArithmeticProblem(f"the expression has more than {MAX_LENGTH} characters")
    value = _Parser(text).parse()
    if not math.isfinite(value):
        raise ArithmeticProblem("the result is too large")
    return value


class _Parser:
    """One expression. Precedence: ``* /`` over ``+ -``; a sign binds tightest."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._next = 0
        self._depth = 0

    def parse(self) -> float:
        value = self._sum()
        if self._peek():
            raise ArithmeticProblem(f"{self._peek()!r} is not expected there")
        return value

    def _peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._next += 1
        return token

    def _sum(self) -> float:
        value = self._product()
        while (operator := self._peek()) in ("+", "-"):
            self._next += 1
            term = self._product()
            value = value + term if operator == "+" else value - term
        return value

    def _product(self) -> float:
        value = self._factor()
        while (operator := self._peek()) in ("*", "/"):
            self._next += 1
            factor = self._factor()
            if operator == "*":
                value *= factor
            elif factor:
                value /= factor
            else:
                raise ArithmeticProblem("division by zero")
        return value

    def _factor(self) -> float:
        symbol = self._take()
        if symbol in ("+", "-", "("):
            self._depth += 1
            if self._depth > MAX_DEPTH:
                raise ArithmeticProblem(f"signs and brackets are nested more than {MAX_DEPTH} deep")
            value = self._sum() if symbol == "(" else self._factor()
            if symbol == "(" and self._take() != ")":
                raise ArithmeticProblem("a bracket is never closed")
            self._depth -= 1
            return -value if symbol == "-" else value
        if not symbol:
            raise ArithmeticProblem("the expression ends too early")
        if symbol in ("*", "/", ")"):
            raise ArithmeticProblem(f"{symbol!r} is not expected there")
        return float(symbol)


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ArithmeticProblem(f"{text[position:].strip()[:20]!r} is not arithmetic")
        position = match.end()
        if token := match.group(1) or match.group(2):
            tokens.append(token)
    return tokens
