"""Tokens rewritten so that sqlglot keeps what was written.

sqlglot gives each function it knows a node of its own and normalises the arguments on the way (``to_char`` templates,
``date_part`` or ``extract``); it drops what it does not understand of an interval's text, reads ``f(doc -> 'key')`` as
an anonymous function. So function names get a prefix that is taken off again
in the tree, intervals and keys of JSON documents become calls of functions only this module knows.
"""

from __future__ import annotations

from functools import lru_cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import Token, TokenType

from simulator.sql.dialects.strictness import Reading

PREFIX = "fn\u00b7"
INTERVAL_CALL = "\u00b7interval"
KEY_CALL = "\u00b7key"

# Written with words or operators between their arguments: sqlglot must read them itself.
_OWN_SYNTAX = frozenset(
    """
    ALL AND ANY ARRAY CASE CAST CONVERT EXISTS EXTRACT FILTER IF IN JSON_OBJECT JSON_TABLE MATCH NOT OR OVERLAY POSITION
    ROW SAFE_CAST SOME SUBSTRING TRIM TRY_CAST TRY_CONVERT UNNEST VALUES XMLELEMENT XMLTABLE
    """.split()  # noqa: SIM905
)
_UNITS = frozenset("YEAR MONTH DAY HOUR MINUTE SECOND YEARS MONTHS DAYS HOURS MINUTES SECONDS WEEK WEEKS".split())  # noqa: SIM905
_KEY_OPERATORS = {TokenType.ARROW: TokenType.HASH_ARROW, TokenType.DARROW: TokenType.DHASH_ARROW}


def _is_key(token: Token) -> bool:
    return token.token_type in (TokenType.STRING, TokenType.NUMBER)


def hidden(reader: SqlglotDialect, tokens: list[Token], reading: Reading) -> list[Token]:
    """The tokens to parse."""
    known = _known_functions(reader.parser_class) - reading.own_syntax
    result: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        is_interval = reading.interval_texts and token.token_type == TokenType.INTERVAL and following is not None
        if is_interval and (count := _interval(tokens, index, result)):
            index += count
            continue
        if reading.json_keys and token.token_type in _KEY_OPERATORS and (count := _key(tokens, index, result)):
            index += count
            continue
        before = tokens[index - 1].token_type if index else None
        if (
            following is not None
            and following.token_type == TokenType.L_PAREN
            and token.text.upper() in known
            and token.token_type not in (TokenType.STRING, TokenType.IDENTIFIER)
            and before not in (TokenType.DCOLON, TokenType.ALIAS)
            and not _is_no_call(token, before, reading)
        ):
            token = _like(token, TokenType.VAR, PREFIX + token.text)
        result.append(token)
        index += 1
    return result


def _is_no_call(token: Token, before: TokenType | None, reading: Reading) -> bool:
    """``* EXCEPT (a) REPLACE (…)`` and ``THEN INSERT (…)`` of MERGE."""
    if token.text.upper() == "REPLACE":
        return reading.star_replace and before in (TokenType.STAR, TokenType.R_PAREN)
    return token.token_type == TokenType.INSERT and before == TokenType.THEN


@lru_cache(maxsize=16)
def _known_functions(parser: type[Parser]) -> frozenset[str]:
    return (frozenset(parser.FUNCTIONS) | frozenset(parser.FUNCTION_PARSERS)) - _OWN_SYNTAX


def _like(token: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)


def _call(name: str, at: Token, arguments: list[Token]) -> list[Token]:
    inside = [arguments[0]]
    for argument in arguments[1:]:
        inside += [_like(argument, TokenType.COMMA, ","), argument]
    last = arguments[-1]
    return [
        _like(at, TokenType.VAR, name), _like(at, TokenType.L_PAREN, "("), *inside, _like(last, TokenType.R_PAREN, ")"),
    ]  # fmt: skip


def _interval(tokens: list[Token], index: int, result: list[Token]) -> int:
    """``INTERVAL '3' DAY`` as a call; how many tokens it took, 0 for a form that is left to the parser."""
    if tokens[index + 1].token_type != TokenType.STRING:
        return 0
    unit = tokens[index + 2] if index + 2 < len(tokens) else None
    if unit is None or unit.text.upper() not in _UNITS or unit.token_type in (TokenType.STRING, TokenType.IDENTIFIER):
        result += _call(INTERVAL_CALL, tokens[index], [tokens[index + 1]])
        return 2
    if index + 3 < len(tokens) and tokens[index + 3].text.upper() in ("TO", "("):
        return 0
    result += _call(INTERVAL_CALL, tokens[index], [tokens[index + 1], _like(unit, TokenType.STRING, unit.text)])
    return 3


def _key(tokens: list[Token], index: int, result: list[Token]) -> int:
    """``-> 'key'`` and ``->> -1`` as ``#>`` and ``#>>`` of a call."""
    operator = _like(tokens[index], _KEY_OPERATORS[tokens[index].token_type], tokens[index].text)
    after = tokens[index + 1 : index + 3]
    if after and _is_key(after[0]):
        result += [operator, *_call(KEY_CALL, after[0], [after[0]])]
        return 2
    if len(after) == 2 and after[0].token_type == TokenType.DASH and after[1].token_type == TokenType.NUMBER:
        number = _like(after[1], TokenType.STRING, "-" + after[1].text)
        result += [operator, *_call(KEY_CALL, after[0], [number, _like(after[1], TokenType.STRING, "from the end")])]
        return 3
    return 0


def restore(tree: exp.Expr) -> None:
    """Take the prefix off again."""
    for node in tree.walk():
        if isinstance(node, exp.Anonymous | exp.Identifier | exp.Var) and isinstance(node.this, str):
            node.set("this", node.this.removeprefix(PREFIX))
