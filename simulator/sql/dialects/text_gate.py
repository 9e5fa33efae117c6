"""The gate for dialects other than SQLite's: the same limits, counted on the very tokens the parser will see."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from simulator.sql.gate import FOREIGN_BLANK, MAX_DEPTH, MAX_PREFIX_OPERATORS
from simulator.sql.problems import SqlCode, SqlProblem, line_and_column

_OPENING = {
    TokenType.L_PAREN: TokenType.R_PAREN,
    TokenType.L_BRACKET: TokenType.R_BRACKET,
    TokenType.L_BRACE: TokenType.R_BRACE,
    TokenType.CASE: TokenType.END,
}
_CLOSING = (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE)
# Words and signs that are followed by one more operand or table before they are complete: each costs the parser depth.
_PREFIXES = frozenset(
    {
        TokenType.NOT, TokenType.DASH, TokenType.PLUS, TokenType.TILDE, TokenType.DPIPE_SLASH, TokenType.PIPE_SLASH,
        TokenType.PARAMETER, TokenType.INTERVAL, TokenType.EXISTS, TokenType.ANY, TokenType.ALL, TokenType.SOME,
        TokenType.LATERAL, TokenType.SELECT, TokenType.DISTINCT, TokenType.WITH, TokenType.FROM, TokenType.ARROW,
        TokenType.FARROW,
    }
)  # fmt: skip
_BEFORE_SUBSCRIPT = (TokenType.R_BRACKET, TokenType.R_PAREN, TokenType.VAR, TokenType.IDENTIFIER)
MAX_JOINS = 40
MAX_SUBSCRIPTS = 100


def check_tokens(sql: str, tokens: list[Token]) -> SqlProblem | None:
    """The first reason not to parse: foreign blanks, ``U&`` and ``/*!``, nesting deeper than 64 of brackets, CASE and
    prefix operators together, brackets that do not match, more than 40 joins or 100 subscripts.
    """
    return _check_between(sql, tokens) or _check_literals(sql, tokens) or _check_nesting(sql, tokens)


def _check_between(sql: str, tokens: list[Token]) -> SqlProblem | None:
    end = 0
    for start, after in [*((token.start, token.end + 1) for token in tokens), (len(sql), len(sql))]:
        between = sql[end:start]
        if "/*!" in between:
            return _at(sql, end, "sql_forbidden", "Comments that are executed (/*! … */) are not allowed.")
        if "--" not in between and "/*" not in between and (blank := FOREIGN_BLANK.search(between)):
            return _at(sql, end + blank.start(), "sql_forbidden", "This character is not a blank in SQL.")
        end = after
    for token in tokens:
        if token.token_type != TokenType.STRING and (blank := FOREIGN_BLANK.search(token.text)):
            return _at(sql, token.start, "sql_forbidden", "This character is not a blank in SQL.")
    return None


def _check_literals(sql: str, tokens: list[Token]) -> SqlProblem | None:
    for first, second, third in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (
            first.text.lower() == "u"
            and second.token_type == TokenType.AMP
            and third.token_type in (TokenType.STRING, TokenType.IDENTIFIER)
            and first.end + 1 == second.start
            and second.end + 1 == third.start
        ):
            return _at(sql, first.start, "sql_forbidden", "`U&` literals are not supported; write the characters.")
    return None


def _check_nesting(sql: str, tokens: list[Token]) -> SqlProblem | None:
    opened: list[tuple[TokenType, int, Token]] = []  # what closes it, its depth, where it opens
    depth = prefixes = joins = subscripts = 0
    before: TokenType | None = None
    for token in tokens:
        kind = token.token_type
        # sqlglot types what stands before a subscript anew for each.
        subscripts += kind == TokenType.L_BRACKET and before in _BEFORE_SUBSCRIPT
        before = kind
        if subscripts > MAX_SUBSCRIPTS:
            return _at(sql, token.start, "sql_limit", f"There are more than {MAX_SUBSCRIPTS} subscripts.")
        joins += kind == TokenType.JOIN
        if joins > MAX_JOINS:
            return _at(sql, token.start, "sql_limit", f"There are more than {MAX_JOINS} joins.")
        if kind in _PREFIXES:
            prefixes += 1
            if prefixes > MAX_PREFIX_OPERATORS or depth + prefixes > MAX_DEPTH:
                return _at(sql, token.start, "sql_limit", "Too many prefix operators follow each other here.")
            continue
        if kind in _OPENING:
            opened.append((_OPENING[kind], 1 + prefixes, token))
            depth += 1 + prefixes
            if depth > MAX_DEPTH:
                message = f"Brackets, CASE and prefix operators are nested more than {MAX_DEPTH} deep."
                return _at(sql, token.start, "sql_limit", message)
        elif opened and kind == opened[-1][0]:
            depth -= opened.pop()[1]
        elif kind in _CLOSING:
            return _at(sql, token.start, "sql_syntax", f'syntax error at or near "{token.text}"')
        prefixes = 0
    if opened:
        return _at(sql, opened[-1][2].start, "sql_syntax", "This bracket or CASE is never closed.")
    return None


def _at(sql: str, offset: int, code: SqlCode, message: str) -> SqlProblem:
    return SqlProblem(code, message, *line_and_column(sql, offset))
