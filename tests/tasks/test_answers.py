import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simulator.scenario.models import AnswerCheck
from simulator.tasks import answer_problems, expected_answers
from simulator.tasks.answers import answer_failure
from tests.tasks.desks import database, world


def judged(form, answer, expected=None):
    check = AnswerCheck.model_validate(form)
    if expected is None:
        expected = next((form[name] for name in ("exact", "number", "set", "list") if name in form), None)
    return answer_failure(check, expected, answer) == ""


@pytest.mark.parametrize(
    ("form", "right", "wrong"),
    [
        ({"exact": "Billing"}, ["Billing", " billing\n", '"BILLING"'], ["Billings", "", '["Billing"]', None]),
        ({"exact": "007"}, ["007"], ["7", "7.0"]),
        ({"exact": 25}, ["25", "25.0", "2.5e1", '"25"', "+25"], ["25.1", "x", "true", ""]),
        ({"exact": True}, ["true", "True"], ["1", "yes", "false"]),
        ({"exact": None}, ["null", "none"], [None, "", "0"]),
        ({"number": 1234.5}, ["1234.5", "1,234.50", "1234.500"], ["1234", "1.234,5", "12,34.5", "1234.5 €", "NaN"]),
        ({"number": 0.30000000000000004}, ["0.3"], ["0.31"]),
        ({"number": 10**15}, ["1000000000000000"], ["1000000000000001"]),
        (
            {"number": 1.0, "tolerance": 0.01},
            ["1.01", "0.99", "1"],
            ["1.011", "0.98", "inf", "1e999", "1e-999999999999"],
        ),
        (
            {"set": [1, "b", 2.0]},
            ['[2, "B", 1]', '[1, 1, 2, "b"]'],
            ["[1, 2]", '[1, 2, "b", 3]', '{"1": 1}', "1, b, 2"],
        ),
        ({"list": [1, 2]}, ["[1, 2.0]", '["1", 2]'], ["[2, 1]", "[1, 2, 2]", "[1]", "[1, 2"]),
        ({"list": [["a", 1], None]}, ['[["A", 1.0], null]'], ['[[1, "a"], null]']),
        ({"pattern": "T-[0-9]+"}, ["T-1"], ["T-", "xT-1", "T-1 ", "T-1\n"]),
        (
            {"schema": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "minimum": 1}}}},
            ['{"n": 1}'],
            ['{"n": 0}', "{}", "n", '{"n": 1, "n": 2}', None],
        ),
        ({"schema": {"type": "string", "pattern": "^a+$"}}, ['"aa"'], ['"b"', "aa"]),
        ({"schema": {"type": "array", "uniqueItems": True}}, ["[1, 2]"], ["[1, 1]", '[{"a": 1}, {"a": 1}]']),
    ],
)
def test_answers(form, right, wrong):
    assert [answer for answer in right if not judged(form, answer)] == []
    assert [answer for answer in wrong if judged(form, answer)] == []


@pytest.mark.parametrize(
    "form",
    [{"exact": "x"}, {"number": 1}, {"set": [1]}, {"list": [1]}, {"schema": {"type": "array"}}, {"pattern": "(a|a)*b"}],
)
@given(st.text(max_size=50))
@example("[" * 50_000)
@example("a" * 60_000)
@example("9" * 5_000)
@example("9" * 200_000)
@example("\ud800")
@example("\x00")
@settings(max_examples=20)
def test_no_answer_of_any_kind_is_more_than_wrong(form, answer):
    assert isinstance(judged(form, answer), bool)


def expected(answer, draw="select 'invoice' as topic, 2 as team, '{x}' as odd"):
    of = world({"ask": {"instruction": "?", "draw": draw, "checks": {"told": {"answer": answer}}}})
    (task,) = of.tasks()
    with database(of) as opened:
        return expected_answers(opened, of.scenario.document.tasks["ask"], task)["told"]


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ({"number": {"sql": "select count(*) from ticket where topic = :topic"}}, 4),
        ({"exact": {"sql": "select name from team where id = :team"}}, "Network"),
        ({"exact": {"sql": "select urgent from ticket where id = 1"}}, True),
        ({"exact": {"sql": "select name from team where false"}}, None),
        ({"list": {"sql": "select name from team order by id"}}, ["Billing", "Network"]),
        ({"set": {"sql": "select id, name from team order by id"}}, [[1, "Billing"], [2, "Network"]]),
        ({"set": {"sql": "select id from team where false"}}, []),
        ({"number": "{team}"}, 2),
        ({"exact": "{topic}s of {odd}"}, "invoices of {x}"),
        ({"list": ["{team}", "{topic}"]}, [2, "invoice"]),
        ({"pattern": "{topic}"}, None),
    ],
)
def test_what_is_expected_is_written_or_computed_at_the_start(answer, value):
    assert expected(answer) == value


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"pattern": "(a"}, "answer_pattern"),
        ({"pattern": "(?=a)"}, "answer_pattern"),
        ({"schema": {"type": "nonsense"}}, "answer_schema"),
        ({"schema": {"$ref": "https://example.org/schema"}}, "answer_schema"),
        ({"schema": {"properties": {"a": {"$ref": "#"}}}}, "answer_schema"),
        ({"schema": {"patternProperties": {"(a+)+b": {}}}}, "answer_schema"),
        ({"schema": {"items": {"pattern": "(?=a)"}}}, "answer_pattern"),
    ],
)
def test_a_check_that_cannot_be_judged_safely_is_reported(form, code):
    problems = list(answer_problems(AnswerCheck.model_validate(form), "tasks.ask.checks.told.answer"))
    assert [problem.code for problem in problems] == [code]
    assert problems[0].path.startswith("tasks.ask.checks.told.answer.")
