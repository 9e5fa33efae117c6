"""What sqlglot reads but the dialect does not, found in the tokens.

The parser serves thirty dialects and is lenient: it takes a trailing comma, reads ``==``, begins with FROM, and of two
WHERE clauses of an UPDATE it keeps the last. A statement the dialect refuses must not run as something else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

from simulator.sql.problems import SqlProblem, line_and_column


@dataclass(frozen=True, slots=True)
class Reading:
    """How a dialect's text is read. ``parser`` is sqlglot's name for it; ``json_keys`` and ``interval_texts`` say
    whether it has ``doc -> 'key'`` and ``INTERVAL '1 day'``; ``own_syntax`` names functions with words between their
    arguments, beside those of standard SQL; ``foreign`` are words and signs that only other dialects have;
    ``bracket_arrays`` says whether ``[1, 2]`` is an array, ``trailing_comma`` whether FROM may follow a comma,
    ``star_replace`` whether there is ``* REPLACE (…)``; ``instead_of_merge`` says what to write instead of MERGE;
    ``insert_set`` whether there is ``INSERT INTO t SET a = 1``; ``retold`` writes tokens anew that sqlglot would not
    understand; ``refused`` finds in the tokens what only this dialect must not have.
    """

    parser: str
    json_keys: bool = False
    interval_texts: bool = False
    own_syntax: frozenset[str] = frozenset()
    foreign: frozenset[str] = frozenset()
    limit_pair: bool = False
    quoted_alias: bool = False
    bracket_arrays: bool = False
    trailing_comma: bool = False
    star_replace: bool = False
    instead_of_merge: str = "Use INSERT … ON CONFLICT DO UPDATE, or UPDATE … FROM and then INSERT."
    insert_set: bool = False
    retold: Callable[[list[Token]], list[Token]] | None = None
    refused: Callable[[str, list[Token]], SqlProblem | None] | None = None


_NOT_AFTER_COMMA = frozenset(
    {
        TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.COMMA, TokenType.FROM, TokenType.WHERE, TokenType.SEMICOLON,
        TokenType.GROUP_BY, TokenType.ORDER_BY, TokenType.LIMIT, TokenType.HAVING, TokenType.RETURNING, TokenType.UNION,
        TokenType.OFFSET,
    }
)  # fmt: skip
_NOT_BEFORE_COMMA = frozenset(
    {
        TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.SELECT, TokenType.DISTINCT, TokenType.FROM, TokenType.WHERE,
        TokenType.SET, TokenType.ORDER_BY, TokenType.GROUP_BY, TokenType.VALUES, TokenType.RETURNING,
    }
)  # fmt: skip
_BEFORE_OPERANDS = frozenset(
    "SELECT DISTINCT WHERE AND OR ON THEN ELSE WHEN IN NOT VALUES SET HAVING LIKE ILIKE BY RETURNING".split()  # noqa: SIM905
)
_ONCE_IN_UPDATE = frozenset({TokenType.SET, TokenType.FROM, TokenType.WHERE, TokenType.RETURNING})


def check_written(sql: str, tokens: list[Token], reading: Reading) -> SqlProblem | None:
    """The first place where the dialect would stop and sqlglot would not."""
    token = (
        _stray_comma(tokens, reading)
        or _foreign(tokens, reading)
        or _odd_pair(tokens, reading)
        or _second_clause_of_update(tokens)
        or _assignment_in_insert(tokens, reading)
    )
    if token is not None:
        place = line_and_column(sql, token.start)
        return SqlProblem("sql_syntax", f'syntax error at or near "{token.text}"', *place, names=(token.text,))
    problem = reading.refused(sql, tokens) if reading.refused is not None else None
    return problem or _read_otherwise(sql, tokens, reading)


def _stray_comma(tokens: list[Token], reading: Reading) -> Token | None:
    if tokens and tokens[-1].token_type == TokenType.COMMA:
        return tokens[-1]
    for token, after in pairwise(tokens):
        if after.token_type == TokenType.FROM and reading.trailing_comma:
            continue
        if token.token_type == TokenType.COMMA and after.token_type in _NOT_AFTER_COMMA:
            return after
        if after.token_type == TokenType.COMMA and token.token_type in _NOT_BEFORE_COMMA:
            return after
    return None


def _foreign(tokens: list[Token], reading: Reading) -> Token | None:
    if tokens and tokens[0].token_type == TokenType.FROM:
        return tokens[0]
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        is_name = token.token_type in (TokenType.STRING, TokenType.IDENTIFIER, TokenType.VAR)
        if not is_name and token.text.lower() in reading.foreign:
            if token.text == "!" and after is not None and after.text.startswith("~") and after.start == token.end + 1:
                continue  # two tokens of one operator
            return token
    return None


def _odd_pair(tokens: list[Token], reading: Reading) -> Token | None:
    for token, after in pairwise(tokens):
        first, second = token.token_type, after.token_type
        if first == TokenType.L_PAREN and second == TokenType.FROM:
            return after
        if first == TokenType.ALIAS and second == TokenType.STRING and not reading.quoted_alias:
            return after
        if second == TokenType.L_BRACKET and not reading.bracket_arrays and not _can_be_indexed(token):
            return after
    for token, after, last in zip(tokens, tokens[1:], tokens[2:], strict=False):
        kinds = (token.token_type, after.token_type, last.token_type)
        if kinds == (TokenType.IN, TokenType.L_PAREN, TokenType.R_PAREN):
            return last
        if kinds[0] == TokenType.LIMIT and kinds[2] == TokenType.COMMA and not reading.limit_pair:
            return last
    return None


def _can_be_indexed(token: Token) -> bool:
    """Whether ``[`` may follow: an expression ends here, or a type, or it is ARRAY."""
    if token.token_type in (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.IDENTIFIER):
        return True
    return token.text[:1].isalpha() and token.text.upper() not in _BEFORE_OPERANDS


def _second_clause_of_update(tokens: list[Token]) -> Token | None:
    """A clause that comes twice in an UPDATE."""
    depth = 0
    seen: set[TokenType] | None = None
    before: TokenType | None = None
    for token in tokens:
        kind = token.token_type
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(kind, 0)
        if depth == 0 and kind == TokenType.UPDATE and before in (None, TokenType.R_PAREN):
            seen = set()
        elif depth == 0 and seen is not None and kind in _ONCE_IN_UPDATE and before != TokenType.DISTINCT:
            if kind in seen:
                return token
            seen.add(kind)
        before = kind
    return None


def _assignment_in_insert(tokens: list[Token], reading: Reading) -> Token | None:
    """``INSERT INTO t SET a = 1``."""
    if reading.insert_set:
        return None
    for index, token in enumerate(tokens):
        if token.token_type == TokenType.INTO:
            following = tokens[index + 2 : index + 5]
            if following and following[0].token_type == TokenType.DOT:
                following = following[2:]
            return following[0] if following and following[0].token_type == TokenType.SET else None
    return None


def _read_otherwise(sql: str, tokens: list[Token], reading: Reading) -> SqlProblem | None:
    """Spellings that the dialect has, but that sqlglot reads otherwise."""
    for token, after in pairwise(tokens):
        if token.token_type == TokenType.NUMBER and after.start == token.end + 1 and _is_word(after):
            place = line_and_column(sql, token.start)
            message = f"The number {token.text}{after.text} is not supported here."
            return SqlProblem("sql_unsupported", message, *place, "Write it without letters and underscores.")
    for operator, key, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        is_arrow = operator.token_type in (TokenType.ARROW, TokenType.DARROW) and reading.json_keys
        is_key = key.token_type in (TokenType.STRING, TokenType.NUMBER)
        if is_arrow and is_key and after.token_type == TokenType.DCOLON:
            place = line_and_column(sql, after.start)
            message = "A cast binds closer than `->>`: this one is of the key."
            return SqlProblem("sql_unsupported", message, *place, "Write brackets: (doc ->> 'key')::integer.")
    return None


def _is_word(token: Token) -> bool:
    return token.text[:1] == "_" or token.text[:1].isalpha()
