"""What the packs' worlds are like: they can be made, again and at any scale, and their rows agree with each other."""

import pytest

from simulator.episode import readiness_problems
from simulator.lint import lint_scenario
from simulator.scenario.packs import PACKS
from simulator.scenario.times import parse_timestamp
from simulator.tasks import generate_world
from simulator.world import Database
from tests.packs.minimal import NOW, scenario

SETS = [*((pack,) for pack in PACKS), PACKS]


@pytest.fixture(scope="module")
def worlds():
    made = {}

    def world(*packs):
        if packs not in made:
            made[packs] = generate_world(scenario(*packs), 7)
        return made[packs]

    return world


def ask(world, sql):
    with Database(world.image) as database:
        database.store.now = parse_timestamp(world.scenario.document.world.now)
        return [tuple(row) for row in database.query(sql, {}).rows]


@pytest.mark.parametrize("packs", SETS, ids="+".join)
def test_a_scenario_with_packs_has_no_problem(worlds, packs):
    assert lint_scenario(scenario(*packs)) == ()
    assert readiness_problems(worlds(*packs)) == ()


def test_the_same_seed_makes_the_same_world(worlds):
    assert generate_world(scenario(*PACKS), 7).digest == worlds(*PACKS).digest


@pytest.mark.parametrize("pack", PACKS)
def test_another_seed_makes_another_world(pack):
    first, second = (generate_world(scenario(pack), seed, scale=0.1) for seed in (1, 2))
    assert first.digest != second.digest


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("now", ["2026-01-01 00:30:00", "2028-02-29 23:59:59"])
def test_worlds_can_be_made_at_any_scale_and_time(pack, now):
    for scale in (0.1, 1.3):
        assert generate_world(scenario(pack, world={"now": now}), 3, scale=scale).digest


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("now", [NOW, "2026-01-01 00:30:00"])
def test_nothing_has_happened_after_now(pack, now):
    made = scenario(pack, world={"now": now})
    world = generate_world(made, 11, scale=0.4)
    ends = {"valid_until", "silenced_until"}
    for name, table in made.document.world.tables.items():
        for column, model in table.columns.items():
            if model.type == "timestamp" and column not in ends:
                assert ask(world, f"select {column} from {name} where {column} > '{now}' limit 3") == [], (name, column)


def test_dead_letters_have_used_up_their_attempts_and_say_why(worlds):
    wrong = """
select m.id from queue_message m join queue q on q.name = m.queue left join queue_failure f on f.id =
        m.failure_id
where m.state = 'dead' and (m.attempts <> q.max_attempts or m.last_error is null or f.queue <> m.queue or
        m.finished_at < m.published_at)"""
    assert ask(worlds("queue"), wrong) == []
    ((dead, reasons),) = ask(worlds("queue"), "select count(*), count(distinct error_code) from dead_letter")
    assert (dead > 50, reasons) == (True, 5)


def test_a_broken_payload_is_broken(worlds):
    broken = """
        select count(*), sum(m.body ->> 'currency' is null and m.body ->> 'to' is null) from
        queue_message m join queue_failure f on f.id = m.failure_id where f.code = 'invalid_payload'"""
    ((messages, without),) = ask(worlds("queue"), broken)
    assert messages == without > 5


def test_keys_hold_their_newest_version_and_sums_in_reports_agree(worlds):
    world = worlds("files")
    assert ask(world, "select object_id from object_version group by object_id having max(version) <> count(*)") == []
    assert (
        ask(
            world,
            """
                select v.object_id from object_version v join object_version w on w.object_id =
                v.object_id and w.version = v.version + 1 where w.written_at <= v.written_at""",
        )
        == []
    )
    ((deleted,),) = ask(world, "select count(*) from object_version where delete_marker = 1")
    assert 0 < deleted < 20
    reports = ask(world, "select content from object_version where content like '%total,%'")
    for (content,) in reports:
        *parts, total = [int(line.split(",")[1]) for line in content.strip().splitlines()[1:]]
        assert sum(parts) == total
    assert len(reports) > 20


def test_errors_are_where_and_when_something_is_wrong(worlds):
    own = """
        select avg(l.level = 'ERROR'), avg(l.duration_ms) from log_line l
where {} exists (select 1 from disruption d where d.service = l.service and l.at between d.started_at and
        coalesce(d.ended_at, l.at))"""
    upstream = """
        select avg(l.level = 'ERROR') from log_line l
        where exists (select 1 from disruption d join service_dependency p on p.depends_on = d.service
                      where p.service = l.service and l.at between d.started_at and coalesce(d.ended_at, l.at))"""
    ((inside, slow),) = ask(worlds("logs"), own.format(""))
    ((outside, quick),) = ask(worlds("logs"), own.format("not"))
    ((above,),) = ask(worlds("logs"), upstream)
    assert inside > 0.5 > above > 0.25
    assert outside < 0.05
    assert slow > 5 * quick


def test_the_kind_of_a_disruption_can_be_read_in_the_log(worlds):
    for seed in (1, 2):
        world = generate_world(scenario("logs"), seed)
        ((kind, messages),) = ask(world, """
select d.kind, (select group_concat(l.message) from log_line l where l.service = d.service and l.level =
            'ERROR' and l.at >= d.started_at)
            from disruption d where d.ended_at is null""")  # fmt: skip
        words = ask(world, f"select words from log_pattern where situation = '{kind}' and level = 'ERROR'")
        assert any(text.partition("{")[0] in messages for (text,) in words), (kind, messages)


def test_one_cause_raises_many_alerts_within_minutes_and_false_alarms_pass(worlds):
    storms = ask(worlds("alerts"), """
select c.disruption_id, count(*), max(unixepoch(c.fired_at)) - min(unixepoch(d.started_at)), count(distinct
        c.service)
        from condition_met c join disruption d on d.id = c.disruption_id group by c.disruption_id""")  # fmt: skip
    assert len(storms) > 8
    assert max(count for _, count, _, _ in storms) >= 6
    assert all(seconds < 15 * 60 for _, _, seconds, _ in storms)
    assert any(services > 2 for *_, services in storms)
    false = ask(
        worlds("alerts"),
        """
            select c.fired_at from condition_met c where c.disruption_id is null and (c.cleared_at is
            null or unixepoch(c.cleared_at) - unixepoch(c.fired_at) > 600)""",
    )
    assert false == []


def test_alerts_resolve_when_their_condition_is_gone_and_are_numbered_as_they_fire(worlds):
    world = worlds("alerts")
    assert ask(world, "select a.id from alert a join alert b on b.id = a.id + 1 where b.fired_at < a.fired_at") == []
    assert ask(world, "select id from alert where (status = 'resolved') <> (cleared_at is not null)") == []
    assert (
        ask(
            world,
            """
                select a.id from alert a join alert_event e on e.alert_id = a.id and e.to_state =
                'resolved' where e.at <> a.cleared_at""",
        )
        == []
    )
    ((active,),) = ask(world, "select count(*) from alert where status <> 'resolved'")
    assert active > 0


def test_a_metric_is_above_the_threshold_while_its_service_is_disrupted(worlds):
    told = ask(worlds("alerts"), """
select m.service, min(p.value) > r.threshold from metric_sample p join metric_series m on m.id = p.series_id
        join alert_rule r on r.series_id = m.id
        join disruption d on d.service = m.service and p.at between d.started_at and coalesce(d.ended_at, p.at)
        where m.metric in ('error_rate', 'latency_p95') group by m.id""")  # fmt: skip
    assert told
    assert all(above for _, above in told)


def test_mails_answer_what_came_before_them_in_their_thread(worlds):
    world = worlds("mailbox")
    assert (
        ask(
            world,
            """
                select m.id from mail m left join mail p on p.id = m.in_reply_to where m.position > 0
                and (p.thread_id is not m.thread_id or p.sent_at >= m.sent_at or p.outgoing =
                m.outgoing)""",
        )
        == []
    )
    assert (
        ask(
            world,
            """
                select id from mail where (sender = recipient) or subject like '%{%' or body like '%{%'
                or strftime('%w', sent_at) in ('0', '6')""",
        )
        == []
    )
    ((unread, read),) = ask(world, "select sum(read = 0), sum(read = 1) from mail where folder = 'inbox'")
    assert unread > 0 < read


def test_articles_are_partly_outdated_and_versions_come_in_order(worlds):
    world = worlds("knowledge")
    ((articles, outdated, run_out),) = ask(
        world, "select count(*), sum(outdated), sum(outdated and superseded_by is null) from article_now"
    )
    assert 0 < run_out < outdated < articles / 2
    assert (
        ask(
            world,
            """
                select a.id from article a join article b on b.id = a.superseded_by where b.topic_id <>
                a.topic_id or b.created_at <= a.created_at""",
        )
        == []
    )
    assert (
        ask(
            world,
            """
                select v.article_id from article_version v join article_version w on w.article_id =
                v.article_id and w.version = v.version + 1 where w.written_at <= v.written_at or w.body
                = v.body""",
        )
        == []
    )
    assert ask(world, "select a.id from article_now a where a.valid_until < substr(a.updated_at, 1, 10)") == []
