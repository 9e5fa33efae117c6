"""Functions of numbers."""

from __future__ import annotations

from simulator.sql.dialects.calls import Body, Call, FunctionRule, no_such_function, plain, signature
from simulator.sql.dialects.refusals import mistyped
from simulator.sql.dialects.rules.arithmetic import Operator, power, quotient, remainder
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import FLOAT8, INT4, INT8, NUMERIC, Type, numeric
from simulator.sql.dialects.values import Value


def _rounding(function: str) -> Body:
    """``round`` and ``trunc``: of a numeric to digits, of a float to the whole."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if not 1 <= len(values) <= 2 or not values[0].type.is_number:
            raise no_such_function(call, values)
        number = values[0]
        if len(values) == 1:
            if number.type.is_integer or number.type.name == "float8":
                if function == "dx_round":
                    return Value(f"dx_round_float({number.sql})", FLOAT8)
                return Value(f"dx_truncate({number.sql}, 0)", FLOAT8)
            return Value(f"{function}({number.sql}, 0)", numeric(0))
        if number.type.name == "float8" or values[1].type.name not in ("int4", "unknown"):
            raise mistyped(
                f"function {call.name}({number.type.label}, {values[1].type.label}) does not exist", call.node,
                f"Cast the number: {call.name}(x::numeric, 2).",
            )  # fmt: skip
        digits = values[1].constant
        scale = int(digits) if digits is not None and digits.lstrip("-").isdigit() else None
        kind = numeric(max(scale, 0)) if scale is not None else NUMERIC
        return Value(f"{function}({number.sql}, {values[1].sql})", kind)

    return body


def _whole(function: str) -> Body:
    """``floor`` and ``ceil``: a whole number of the argument's kind."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if len(values) != 1 or not values[0].type.is_number:
            raise no_such_function(call, values)
        kind = numeric(0) if values[0].type.name == "numeric" else FLOAT8
        return Value(f"{function}({values[0].sql})", kind)

    return body


def _same_type(sql: str) -> Body:
    """A function whose result has the type of its argument."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if len(values) != 1 or not values[0].type.is_number:
            raise no_such_function(call, values)
        result = sql.format(values[0].sql)
        kind: Type = values[0].type
        return Value(f"dx_{kind.name}({result})" if kind.is_integer else result, kind)

    return body


def _operator(operator: Operator) -> Body:
    """A function that is an operator under another name."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        result = operator(values[0], values[1], call.node) if len(values) == 2 else None
        if result is None:
            raise no_such_function(call, values)
        return result

    return body


def _whole_quotient(left: Value, right: Value, node: object) -> Value | None:
    result = quotient(left, right, node)  # type: ignore[arg-type]
    return None if result is None else Value(f"dx_truncate({result.sql}, 0)", numeric(0))


FUNCTIONS: dict[str, FunctionRule] = {
    "round": FunctionRule(_rounding("dx_round")),
    "trunc": FunctionRule(_rounding("dx_truncate")),
    "floor": FunctionRule(_whole("floor")),
    "ceil": FunctionRule(_whole("ceil")),
    "ceiling": FunctionRule(_whole("ceil")),
    "abs": FunctionRule(_same_type("abs({0})")),
    "mod": FunctionRule(_operator(remainder)),
    "div": FunctionRule(_operator(_whole_quotient)),
    "power": FunctionRule(_operator(power)),
    "pow": FunctionRule(_operator(power)),
    "sign": plain(signature("sign({0})", FLOAT8, FLOAT8), signature("sign({0})", numeric(0), NUMERIC)),
    "sqrt": plain(signature("dx_square_root({0})", FLOAT8, FLOAT8), signature("dx_square_root({0})", NUMERIC, NUMERIC)),
    "width_bucket": plain(
        signature("dx_width_bucket({0}, {1}, {2}, {3})", INT4, NUMERIC, NUMERIC, NUMERIC, INT4),
        signature("dx_width_bucket({0}, {1}, {2}, {3})", INT4, FLOAT8, FLOAT8, FLOAT8, INT4),
    ),
    "gcd": plain(
        signature("dx_greatest_divisor({0}, {1})", INT4, INT4, INT4),
        signature("dx_greatest_divisor({0}, {1})", INT8, INT8, INT8),
    ),
}
