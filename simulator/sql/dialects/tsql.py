"""SQL Server 2022's Transact-SQL, with its usual collation.

What it means, beside PostgreSQL:

- Texts compare, sort, group and match LIKE without case but with accents, blanks at the end aside
  (``Latin1_General_CI_AS``); by code point with ``COLLATE Latin1_General_BIN2``. Texts are ``nvarchar(max)``,
  timestamps ``datetime2(0)``; what GETDATE() gives is a ``datetime``, which becomes a text only by CONVERT.
- Bits are 0 and 1, and there are no booleans: a condition is no value, and a value no condition.
- ``/`` of whole numbers is a whole number, ``AVG`` of them too. Decimals divide to the digits that their precision
  gives, cut off; where the precision cannot be told, the quotient is refused. SUM of int overflows as int does.
- ``+`` joins texts, NULL with NULL; a text beside a number is refused (SQL Server would read the text as a number).
- NULLs come first ascending. DATEDIFF counts boundaries, weeks beginning on Sunday. LEN passes over blanks at the end.
- OUTPUT gives what was inserted or deleted, and of an UPDATE the new values, and old ones of columns it does not set.
- Locking hints and OPTION (MAXRECURSION n) are left out: nobody else writes meanwhile.
- MERGE, PIVOT, TOP WITH TIES, variables, temporary tables and batches there are not.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from simulator.sql.dialects.calls import FunctionRule
from simulator.sql.dialects.catalogue import TableCatalogue
from simulator.sql.dialects.conditions import TEXT_CALL as _TEXT_CALL
from simulator.sql.dialects.conditions import literals_as_texts, misplaced, text_of_literal
from simulator.sql.dialects.naming import Naming, output_name
from simulator.sql.dialects.refusals import mistyped, refuse, unsupported
from simulator.sql.dialects.reshaping import (
    delete_with_tables,
    joined_tables,
    mark_recursive,
    name_of,
    unqualified,
    update_with_tables,
)
from simulator.sql.dialects.rules import (
    aggregates,
    arithmetic,
    comparison,
    conditional,
    literals,
    numbers,
    of_tsql,
    texts,
)
from simulator.sql.dialects.scopes import folded
from simulator.sql.dialects.strictness import Reading
from simulator.sql.dialects.translator import Dialect
from simulator.sql.dialects.wording import Wording, near_column, said, unlike_operands, unlike_types
from simulator.sql.problems import SqlProblem

_UNNAMED = "\u00b7"
_HINTS = frozenset("NOLOCK READUNCOMMITTED READCOMMITTED ROWLOCK UPDLOCK HOLDLOCK READPAST PAGLOCK TABLOCK".split())  # noqa: SIM905

# -- Tokens ------------------------------------------------------------------------------------------------------------

_ENDS_OUTPUT = frozenset({TokenType.WHERE, TokenType.FROM, TokenType.VALUES, TokenType.SELECT, TokenType.WITH})


def _retold(tokens: list[Token]) -> list[Token]:
    """OUTPUT at the end of its statement, where the parser reads it wherever it stands."""
    start = next((i for i, token in enumerate(tokens) if token.token_type == TokenType.RETURNING), -1)
    if start < 0 or tokens[0].token_type == TokenType.SELECT:
        return tokens
    end, depth = start + 1, 0
    while end < len(tokens):
        kind = tokens[end].token_type
        if depth == 0 and (kind in _ENDS_OUTPUT or kind in (TokenType.SEMICOLON, TokenType.INTO)):
            break
        depth += (kind == TokenType.L_PAREN) - (kind == TokenType.R_PAREN)
        end += 1
    rest = tokens[end:]
    closing = rest[-1:] if rest and rest[-1].token_type == TokenType.SEMICOLON else []
    return [*tokens[:start], *rest[: len(rest) - len(closing)], *tokens[start:end], *closing]


# -- Trees -------------------------------------------------------------------------------------------------------------


def _adapted(tree: exp.Expr, _sql: str, catalogue: TableCatalogue) -> exp.Expr:
    for call in list(tree.find_all(exp.Anonymous)):
        if call.name.upper() == "IIF" and len(call.expressions) == 3:
            condition, first, second = call.expressions
            call.replace(exp.Case(ifs=[exp.If(this=condition, true=first)], default=second))
    _check_forms(tree)
    _check_groups(tree, catalogue)
    _check_bits(tree, catalogue)
    _leave_hints_out(tree)
    literals_as_texts(tree)
    if isinstance(tree, exp.Update):
        _update(tree)
    elif isinstance(tree, exp.Delete):
        _delete(tree)
    if isinstance(tree, exp.Insert | exp.Update | exp.Delete):
        _output(tree)
    for node, wants_truth in misplaced(tree):
        if isinstance(node, exp.Boolean):
            name = "TRUE" if node.this else "FALSE"
            raise refuse("sql_unknown_name", f"Invalid column name '{name}'.", node, "Write 1 or 0.", [name])
        if wants_truth:
            message = "An expression of non-boolean type specified in a context where a condition is expected"
            raise mistyped(message, node, "Compare it: x = 1.")
        raise mistyped(
            'syntax error at or near "="', node, "A condition is no value; write CASE WHEN … THEN 1 ELSE 0 END."
        )
    mark_recursive(tree)
    return tree


def _check_forms(tree: exp.Expr) -> None:
    for select in tree.find_all(exp.Select):
        if select.args.get("into") is not None:
            raise refuse("sql_forbidden", "SELECT … INTO is not allowed.", select)
        limit = select.args.get("limit")
        if isinstance(limit, exp.Limit):
            options = limit.args.get("limit_options")
            if options is not None and (options.args.get("percent") or options.args.get("with_ties")):
                raise unsupported("TOP … WITH TIES or PERCENT", limit, "Use RANK() OVER (ORDER BY …) in a subquery.")
            limit.set("limit_options", None)
        if select.args.get("offset") is not None and select.args.get("order") is None:
            raise mistyped('syntax error at or near "OFFSET"', select, "OFFSET needs ORDER BY.")
    for join in tree.find_all(exp.Join):
        if join.args.get("using"):
            raise mistyped('syntax error at or near "USING"', join, "Write JOIN … ON a.id = b.id.")
        if isinstance(join.this, exp.Lateral) and join.this.args.get("cross_apply") is not None:
            _apply(join, is_outer=not join.this.args["cross_apply"])
    for table in tree.find_all(exp.Table, exp.Subquery):
        if table.args.get("pivots"):
            raise unsupported("PIVOT", table, "Use SUM(CASE WHEN status = 'paid' THEN total END) for each column.")
        if isinstance(table, exp.Table) and isinstance(table.this, exp.Identifier) and table.this.args.get("temporary"):
            raise refuse(
                "sql_unknown_name", f'relation "#{table.name}" does not exist', table, "Use WITH.", [table.name]
            )


def _check_groups(tree: exp.Expr, catalogue: TableCatalogue) -> None:
    """GROUP BY names no column of the list, by its number or alias."""
    columns = {column.name for table in catalogue.tables.values() for column in table.columns}
    for group in tree.find_all(exp.Group):
        listed = group.parent.expressions if isinstance(group.parent, exp.Select) else []
        aliases = {folded(item.args["alias"]) for item in listed if isinstance(item, exp.Alias)}
        for item in group.expressions:
            if isinstance(item, exp.Literal):
                message = "Each GROUP BY expression must contain at least one column that is not an outer reference."
                raise mistyped(message, item, "Repeat the expression.")
            if isinstance(item, exp.Column) and not item.args.get("table") and isinstance(item.this, exp.Identifier):
                name = folded(item.this)
                if name in aliases and name not in columns and tree.find(exp.Subquery, exp.CTE) is None:
                    message = f'column "{name}" does not exist'
                    raise refuse("sql_unknown_name", message, item, "Repeat the expression.", [name])


def _check_bits(tree: exp.Expr, catalogue: TableCatalogue) -> None:
    """Bits are neither added up nor the greatest. Past this they are whole numbers like others."""
    columns = [column for table in catalogue.tables.values() for column in table.columns]
    others = {column.name for column in columns if column.value_type.name != "boolean"}
    renamed = {folded(alias.args["alias"]) for alias in tree.find_all(exp.Alias)}
    bits = {column.name for column in columns} - others - renamed
    for call in tree.find_all(exp.Anonymous):
        name = call.name.lower()
        summed = call.expressions[0] if name in ("sum", "avg", "min", "max") and call.expressions else None
        if isinstance(summed, exp.Column) and isinstance(summed.this, exp.Identifier) and folded(summed.this) in bits:
            message = f"Operand data type bit is invalid for {name} operator."
            raise mistyped(message, call, f"Cast it: {name.upper()}(CAST({summed.name} AS int)).")


def _apply(join: exp.Join, *, is_outer: bool) -> None:
    """``CROSS APPLY`` and ``OUTER APPLY`` as joins with LATERAL."""
    join.this.set("cross_apply", None)
    for name in ("kind", "method"):
        join.set(name, None)
    join.set("side" if is_outer else "kind", "LEFT" if is_outer else "CROSS")
    if is_outer:
        join.set("on", exp.Boolean(this=True))


def _leave_hints_out(tree: exp.Expr) -> None:
    for table in tree.find_all(exp.Table):
        hints = table.args.get("hints") or []
        words = [item.name.upper() for hint in hints for item in hint.expressions]
        if all(isinstance(hint, exp.WithTableHint) for hint in hints) and set(words) <= _HINTS:
            table.set("hints", None)
    for select in tree.find_all(exp.Select):
        options = select.args.get("options") or []
        if all(isinstance(item, exp.QueryOption) and item.name.upper() == "MAXRECURSION" for item in options):
            select.set("options", None)


def _target(name: str, tables: list[exp.Expr], node: exp.Expr) -> exp.Expr:
    """The table of FROM that a write names by its alias or its name."""
    found = [table for table in tables if name_of(table) == name]
    found = found or [
        table for table in tables if isinstance(table.this, exp.Identifier) and folded(table.this) == name
    ]
    if len(found) != 1:
        raise refuse("sql_unknown_name", f'relation "{name}" does not exist', node, "Name a table of FROM.", [name])
    return found[0]


def _update(node: exp.Update) -> None:
    for item in node.expressions:
        if isinstance(item, exp.EQ):
            item.set("this", unqualified(item.this))
    source = node.args.get("from_")
    if source is None or not isinstance(node.this, exp.Table):
        return
    written = name_of(node.this)
    tables, joined = joined_tables(source.this)
    if any(
        written in (name_of(table), folded(table.this)) for table in tables if isinstance(table.this, exp.Identifier)
    ):
        target = _target(written, tables, node)
        others = [table for table in tables if table is not target]
    else:
        target, others = node.this, tables
    node.set("from_", None)
    update_with_tables(node, target, others, joined)


def _delete(node: exp.Delete) -> None:
    named = node.args.get("tables") or []
    if not named:
        return
    if len(named) != 1 or named[0].args.get("alias") is not None:
        raise unsupported("This DELETE", node, "Write DELETE FROM table WHERE …; choose rows by their key in WHERE.")
    tables, joined = joined_tables(node.this)
    target = _target(name_of(named[0]), tables, node)
    delete_with_tables(node, target, [table for table in tables if table is not target], joined)


def _output(node: exp.Expr) -> None:
    """``inserted.x`` and ``deleted.x`` as the columns they are of."""
    clause = node.args.get("returning")
    if clause is None:
        return
    if clause.args.get("into"):
        raise refuse("sql_forbidden", "OUTPUT … INTO is not allowed.", node)
    written = {item.this.name.lower() for item in node.expressions if isinstance(node, exp.Update)}
    for item in clause.expressions:
        for column in [item] if isinstance(item, exp.Column) else list(item.find_all(exp.Column)):
            row = column.table.lower()
            is_there = row == "inserted" if isinstance(node, exp.Insert) else row in ("inserted", "deleted")
            if not is_there or (isinstance(node, exp.Delete) and row != "deleted"):
                raise mistyped(f'missing FROM-clause entry for table "{row}"', column, "Write inserted.x or deleted.x.")
            is_old = row == "deleted" and isinstance(node, exp.Update)
            if is_old and (isinstance(column.this, exp.Star) or column.name.lower() in written):
                raise unsupported("The old value of a column that is set", column, "SELECT it before the UPDATE.")
            column.set("table", None)
            if isinstance(column.this, exp.Star):
                column.replace(exp.Star())


# -- Words -------------------------------------------------------------------------------------------------------------


def _names(items: list[exp.Expr]) -> list[str]:
    return [
        output_name(item) if isinstance(item, exp.Alias | exp.Column) else f"{_UNNAMED}{index}"
        for index, item in enumerate(items)
    ]


def _invalid_column(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    name = match[1].strip('"').rpartition(".")[2]
    hint = near_column(problem.suggestion)
    return replace(problem, message=f"Invalid column name '{name}'.", suggestion=hint)


_WORDING = Wording(
    messages=(
        (re.compile(r'^column ("[^"]+"|\S+)(?: of relation "[^"]+")? does not exist$'), _invalid_column),
        (re.compile(r'^column ("[^"]+") specified in USING clause'), _invalid_column),
        (
            re.compile(r'^missing FROM-clause entry for table "([^"]+)"$'),
            said("The multi-part identifier '{1}' could not be bound."),
        ),
        (re.compile(r'^relation "([^"]+)" does not exist$'), said("Invalid object name '{1}'.")),
        (re.compile(r'^column reference "([^"]+)" is ambiguous$'), said("Ambiguous column name '{1}'.")),
        (re.compile(r'^ORDER BY "([^"]+)" is ambiguous$'), said("Ambiguous column name '{1}'.")),
        (
            re.compile(r'^table name "([^"]+)" specified more than once$'),
            said("The correlation name '{1}' is specified multiple times in a FROM clause."),
        ),
        (
            re.compile(r'^column "([^"]+)" must appear in the GROUP BY clause'),
            said(
                "Column '{1}' is invalid in the select list because it is not contained in either an aggregate "
                "function or the GROUP BY clause.",
                "Group by it, or put it into an aggregate such as MIN() or MAX().",
            ),
        ),
        (
            re.compile(r"^aggregate functions are not allowed in (.+)$"),
            said("An aggregate may not appear in {1}."),
        ),
        (
            re.compile(r"^window functions are not allowed in (.+)$"),
            said(
                "Windowed functions can only appear in the SELECT or ORDER BY clauses.",
                "Compute it in a subquery, and filter around it.",
            ),
        ),
        (re.compile(r'^syntax error at or near "(.*)"$', re.DOTALL), said("Incorrect syntax near '{1}'.")),
        (re.compile(r"^syntax error at end of input$"), said("Incorrect syntax near the end of the statement.")),
        unlike_operands("Cast one of them: CAST(x AS int), CAST(x AS decimal(10,2)), CAST(x AS varchar(20))."),
        unlike_types("Cast them to one type, for instance CAST(x AS varchar(20))."),
        (
            re.compile(r'^invalid input syntax for type (date|timestamp)'),
            said("Conversion failed when converting date and/or time from character string."),
        ),
        (
            re.compile(r'^invalid input syntax for type ([a-z ]+): "(.*)"$', re.DOTALL),
            said("Conversion failed when converting the varchar value '{2}' to data type {1}."),
        ),
        (
            re.compile(r"^function (\w+)\((.*)\) does not exist$"),
            said("The {1} function does not take these arguments: {2}.", "Cast the arguments."),
        ),
        (
            re.compile(r"^INSERT has more|^VALUES lists must all be the same length"),
            said("Column name or number of supplied values does not match table definition."),
        ),
        (
            re.compile(r"^each (UNION ALL|UNION|INTERSECT|EXCEPT) query must have the same number of columns$"),
            said(
                "All queries combined using a UNION, INTERSECT or EXCEPT operator must have an equal number of "
                "expressions in their target lists."
            ),
        ),
        (re.compile(r"^division by zero$"), said("Divide by zero error encountered.")),
    ),
    types={
        "integer": "int", "bigint": "bigint", "numeric": "decimal", "double precision": "float", "text": "varchar",
        "timestamp without time zone": "datetime2", "timestamp with time zone": "datetime", "jsonb": "json",
        "boolean": "condition",
    },
    suggestions={
        "Write it with CASE, coalesce(), the text functions, date_trunc() and extract().":
            "Write it with CASE, COALESCE(), CONCAT(), SUBSTRING(), DATEPART() and DATEADD().",
    },
    finish=lambda problem: problem,
)  # fmt: skip

_INSTEAD = {
    **dict.fromkeys(("ifnull", "nvl"), "Use ISNULL(x, y) or COALESCE(x, y)."),
    **dict.fromkeys(("length", "char_length", "datalength"), "Use LEN(x)."),
    **dict.fromkeys(("to_char", "date_format", "strftime"), "Use FORMAT(x, 'yyyy-MM-dd')."),
    **dict.fromkeys(("to_date", "to_timestamp", "str_to_date"), "Use CAST(x AS date)."),
    **dict.fromkeys(("date_trunc", "trunc"), "Use DATETRUNC(month, x)."),
    **dict.fromkeys(("date_add", "date_sub", "add_months", "age"), "Use DATEADD(day, 1, x) and DATEDIFF(day, a, b)."),
    **dict.fromkeys(("now", "curdate", "sysdate", "current_date"), "Use GETDATE(), or CAST(GETDATE() AS date)."),
    **dict.fromkeys(("group_concat", "listagg"), "Use STRING_AGG(x, ', ') WITHIN GROUP (ORDER BY x)."),
    **dict.fromkeys(("strpos", "instr", "locate", "patindex"), "Use CHARINDEX(part, text), or LIKE."),
    **dict.fromkeys(("if", "decode"), "Use IIF(condition, a, b) or CASE."),
    **dict.fromkeys(("substr", "mid"), "Use SUBSTRING(text, 1, 3)."),
    **dict.fromkeys(("lpad", "rpad", "str"), "Use RIGHT(CONCAT('0000', x), 4)."),
    **dict.fromkeys(("split_part", "string_split"), "Use CHARINDEX() with LEFT() and SUBSTRING()."),
    **dict.fromkeys(("last_day",), "Use EOMONTH(x)."),
    **dict.fromkeys(("ceil",), "Use CEILING(x)."),
    **dict.fromkeys(("mod",), "Use a % b."),
    **dict.fromkeys(("json_extract", "openjson", "isjson", "json_modify"), "Use JSON_VALUE(doc, '$.key')."),
    **dict.fromkeys(("percentile_cont", "percentile_disc", "median"), "Number the rows with ROW_NUMBER()."),
    **dict.fromkeys(("exp", "log", "log10", "sin", "cos", "tan", "pi", "radians", "degrees"),
                    "Its last digits differ between machines; use + - * / and SQRT()."),
    **dict.fromkeys(("newid", "newsequentialid", "rand", "checksum", "binary_checksum", "hashbytes"),
                    "A world is the same in every run; choose by a column, or give the key yourself."),
    **dict.fromkeys(("scope_identity", "ident_current"), "Ask for the key with OUTPUT inserted.id."),
    **dict.fromkeys(("object_id", "db_name", "user_name", "suser_sname", "host_name", "serverproperty",
                     "openrowset", "openquery", "opendatasource", "fn_my_permissions", "is_srvrolemember"),
                    "Only the tables can be read."),
    **dict.fromkeys(("isnumeric", "isdate"), "Use TRY_CAST(x AS int) IS NOT NULL."),
}  # fmt: skip

FUNCTIONS: dict[str, FunctionRule] = {
    **{name: conditional.FUNCTIONS[name] for name in ("coalesce", "nullif", "greatest", "least")},
    **{name: numbers.FUNCTIONS[name] for name in ("abs", "sign", "sqrt", "power")},
    "ascii": texts.FUNCTIONS["ascii"],
    **of_tsql.FUNCTIONS,
    _TEXT_CALL: FunctionRule(text_of_literal),
}  # fmt: skip

_SHARED = {
    **literals.RULES, **arithmetic.RULES, **comparison.RULES, **conditional.RULES, **texts.RULES, **aggregates.RULES,
}  # fmt: skip
_NOT_HERE = (
    exp.Pow, exp.DPipe, exp.ByteString, exp.RawString, exp.AtTimeZone, exp.Localtimestamp, exp.Overlay, exp.NullSafeEQ,
    exp.StrPosition, exp.CurrentDate, exp.ILike, exp.RegexpLike, exp.RegexpILike,
)  # fmt: skip

TSQL = Dialect(
    name="tsql",
    reading=Reading(
        parser="tsql",
        own_syntax=frozenset({"STRING_AGG", "APPLY"}),
        foreign=frozenset(
            {"::", "ilike", "similar", "qualify", "limit", "returning", "||", "==", "~", "<=>", "natural"}
        ),
        quoted_alias=True,
        instead_of_merge="Use UPDATE … FROM, and then INSERT … WHERE NOT EXISTS.",
        retold=_retold,
    ),
    rules={kind: rule for kind, rule in {**_SHARED, **of_tsql.RULES}.items() if kind not in _NOT_HERE},
    functions=FUNCTIONS,
    table_functions={},
    default_schema="dbo",
    alternatives=_INSTEAD,
    naming=Naming(
        lambda items: _names(list(items)), lambda name, _: "" if name.startswith(_UNNAMED) else name
    ),
    habits=frozenset({"one_source_row", "truth_is_a_number"}),
    messages=_WORDING,
    adapted=_adapted,
    collation="dx_ci_as",
)  # fmt: skip

__all__ = ["TSQL"]
