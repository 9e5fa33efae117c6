-- id: interval_arithmetic
SELECT id, placed_at + interval '1 month' AS next_month, placed_at - interval '2 days 03:00' AS before FROM purchase ORDER BY id;

-- id: month_end_clamp
SELECT date '2024-01-31' + interval '1 month' AS a, timestamp '2024-03-31 10:00' - interval '1 month' AS b, date '2024-02-29' + interval '1 year' AS c;

-- id: interval_units
SELECT timestamp '2024-01-01' + interval '90 minutes' AS a, timestamp '2024-01-01' + interval '1 year 2 mons 3 days' AS b, timestamp '2024-01-01' + interval '2 weeks' AS c, timestamp '2024-01-01' + interval '1.5 hours' AS d;

-- id: interval_unit_outside
SELECT placed_at + interval '3' day AS later FROM purchase WHERE id = 101;

-- id: interval_output
SELECT interval '1 year 2 months 3 days 04:05:06' AS a, interval '36 hours' AS b, interval '-1 day' AS c, interval '1 week' AS d, interval '90 seconds' AS e;

-- id: interval_multiply
SELECT placed_at + id * interval '1 day' AS later, 2 * interval '3 hours' AS six, interval '1 day' / 2 AS half FROM purchase WHERE id = 101;

-- id: interval_sum
SELECT interval '1 day' + interval '2 hours' AS a, interval '1 day' - interval '2 hours' AS b, -interval '5 minutes' AS c;

-- id: interval_compare
SELECT id FROM ticket WHERE closed_at - opened_at > interval '1 day' ORDER BY id;

-- id: interval_order
SELECT id FROM ticket ORDER BY closed_at - opened_at DESC NULLS LAST, id;

-- id: interval_from_column
SELECT id, (priority || ' days')::interval AS due, opened_at + (priority || ' days')::interval AS due_at FROM ticket ORDER BY id;

-- id: make_interval
SELECT opened_at + make_interval(days => priority, hours => 2) AS due FROM ticket ORDER BY id;

-- id: timestamp_difference
SELECT id, closed_at - opened_at AS took FROM ticket ORDER BY id;

-- id: date_difference
SELECT id, shipped_on - placed_at::date AS days FROM purchase WHERE shipped_on IS NOT NULL ORDER BY id;

-- id: date_plus_integer
SELECT joined + 30 AS a, joined - 1 AS b, 7 + joined AS c FROM customer ORDER BY id;

-- id: date_minus_literal
SELECT joined - '2022-01-01' AS days FROM customer ORDER BY id;

-- id: date_minus_timestamp
SELECT id, shipped_on - placed_at AS waited FROM purchase WHERE id IN (101, 105) ORDER BY id;

-- id: date_trunc_units
SELECT date_trunc('year', placed_at) AS y, date_trunc('quarter', placed_at) AS q, date_trunc('month', placed_at) AS m, date_trunc('week', placed_at) AS w, date_trunc('day', placed_at) AS d, date_trunc('hour', placed_at) AS h, date_trunc('minute', placed_at) AS mi FROM purchase ORDER BY id;

-- id: date_trunc_date
SELECT date_trunc('month', joined)::date AS month, count(*) FROM customer GROUP BY 1 ORDER BY 1;

-- id: last_day_of_month
SELECT id, (date_trunc('month', placed_at) + interval '1 month - 1 day')::date AS last FROM purchase ORDER BY id;

-- id: last_day_of_month_two_steps
SELECT id, (date_trunc('month', placed_at) + interval '1 month' - interval '1 day')::date AS last FROM purchase ORDER BY id;

-- id: extract_fields
SELECT extract(year FROM placed_at) AS y, extract(month FROM placed_at) AS m, extract(day FROM placed_at) AS d, extract(hour FROM placed_at) AS h, extract(minute FROM placed_at) AS mi, extract(second FROM placed_at) AS s FROM purchase ORDER BY id;

-- id: extract_calendar
SELECT id, extract(dow FROM placed_at) AS dow, extract(isodow FROM placed_at) AS isodow, extract(doy FROM placed_at) AS doy, extract(week FROM placed_at) AS week, extract(isoyear FROM placed_at) AS isoyear, extract(quarter FROM placed_at) AS quarter FROM purchase ORDER BY id;

-- id: extract_epoch
SELECT id, extract(epoch FROM placed_at) AS at, extract(epoch FROM closed) AS took FROM (SELECT p.id, p.placed_at, p.placed_at - timestamp '2024-01-01' AS closed FROM purchase p) x ORDER BY id;

-- id: extract_date
SELECT extract(year FROM joined), extract(epoch FROM joined), extract(century FROM joined), extract(decade FROM joined) FROM customer ORDER BY id;

-- id: extract_interval
SELECT extract(day FROM interval '40 days 5 hours') AS d, extract(hour FROM interval '40 days 5 hours') AS h, extract(month FROM interval '14 months') AS m, extract(epoch FROM interval '1 hour 30 seconds') AS e;

-- id: hours_to_close
SELECT id, round(extract(epoch FROM closed_at - opened_at) / 3600, 2) AS hours FROM ticket WHERE closed_at IS NOT NULL ORDER BY id;

-- id: date_part
SELECT date_part('year', placed_at) AS y, date_part('dow', placed_at) AS d FROM purchase ORDER BY id;

-- id: age_two
SELECT id, age(timestamp '2024-07-01', joined) AS age FROM customer ORDER BY id;

-- id: age_negative
SELECT age(timestamp '2024-01-31', timestamp '2024-03-01 12:00') AS a, age(date '2024-03-31', date '2024-02-29') AS b, age(timestamp '2024-03-01', timestamp '2024-01-31 18:30') AS c;

-- id: age_one
SELECT id, age(placed_at) AS age FROM purchase ORDER BY id;

-- id: age_years
SELECT name, extract(year FROM age(date '2024-07-01', hired)) AS years FROM employee ORDER BY id;

-- id: now_difference
SELECT id FROM purchase WHERE placed_at > now() - interval '30 days' ORDER BY id;

-- id: current_date_filter
SELECT id FROM purchase WHERE placed_at::date >= current_date - 16 ORDER BY id;

-- id: current_timestamp_filter
SELECT count(*) FROM ticket WHERE opened_at < current_timestamp AND closed_at IS NULL;

-- id: days_since
SELECT id, current_date - placed_at::date AS days FROM purchase ORDER BY id;

-- id: to_char_dates
SELECT to_char(placed_at, 'YYYY-MM') AS ym, to_char(placed_at, 'DD.MM.YYYY HH24:MI:SS') AS de, to_char(placed_at, 'Mon DD, YYYY') AS us, to_char(placed_at, 'YYYY"W"IW') AS week FROM purchase ORDER BY id;

-- id: to_char_names
SELECT to_char(placed_at, 'Day') AS day, to_char(placed_at, 'FMDay, FMDDth FMMonth YYYY') AS long, to_char(placed_at, 'DY MON') AS short, to_char(placed_at, 'HH12:MI am') AS clock, to_char(placed_at, 'Q') AS quarter FROM purchase ORDER BY id;

-- id: to_char_more
SELECT to_char(joined, 'YY DDD D ID IYYY') AS a, to_char(placed_at, 'MONTH') AS b, to_char(placed_at, 'WW W') AS c FROM customer c JOIN purchase p ON p.customer_id = c.id ORDER BY p.id;

-- id: to_char_unknown_pattern
SELECT to_char(placed_at, 'J') FROM purchase WHERE id = 101;
-- alternative: to_char_dates

-- id: to_date
SELECT to_date('31.01.2024', 'DD.MM.YYYY') AS a, to_date('2024-06', 'YYYY-MM') AS b, to_timestamp('2024-06-05 07:08', 'YYYY-MM-DD HH24:MI')::timestamp AS c;

-- id: to_timestamp_epoch
SELECT to_timestamp(1719826200)::timestamp AS t;

-- id: make_date
SELECT make_date(2024, 2, 29) AS d, make_timestamp(2024, 1, 2, 3, 4, 5.5) AS t;

-- id: make_date_wrong
SELECT make_date(2023, 2, 29);

-- id: date_cast
SELECT id, placed_at::date AS day, placed_at::time AS clock, CAST(placed_at AS text) AS text FROM purchase ORDER BY id;

-- id: date_function
SELECT count(*) FROM purchase WHERE date(placed_at) = '2024-06-30';

-- id: date_literal_wrong
SELECT id FROM purchase WHERE shipped_on = '2024-02-30';

-- id: timestamp_text_cast
SELECT '2024-05-06 07:08:09'::timestamp AS t, '2024-05-06'::date AS d, '2024-05-06T07:08'::timestamp AS iso;

-- id: at_time_zone_utc
SELECT id, placed_at AT TIME ZONE 'UTC' AS z FROM purchase WHERE id = 101;

-- id: at_time_zone_other
SELECT placed_at AT TIME ZONE 'Europe/Berlin' FROM purchase WHERE id = 101;
-- alternative: at_time_zone_utc

-- id: series_dates
SELECT d::date AS day FROM generate_series(date '2024-02-27', date '2024-03-02', interval '1 day') AS d ORDER BY d;

-- id: series_months
SELECT m::date AS month, count(p.id) AS n, coalesce(sum(p.total), 0) AS total FROM generate_series(timestamp '2024-01-01', timestamp '2024-06-01', interval '1 month') AS g(m) LEFT JOIN purchase p ON date_trunc('month', p.placed_at) = g.m GROUP BY m ORDER BY m;

-- id: series_numbers
SELECT i, i * 10 AS ten FROM generate_series(1, 5) AS g(i) ORDER BY i;

-- id: series_step
SELECT i FROM generate_series(10, 1, -3) AS i ORDER BY i;

-- id: series_in_list
SELECT generate_series(1, 3) AS n;

-- id: series_lateral
SELECT l.purchase_id, n FROM line l CROSS JOIN LATERAL generate_series(1, l.quantity) AS n WHERE l.purchase_id IN (101, 105) ORDER BY 1, l.position, 2;

-- id: series_too_long
SELECT count(*) FROM generate_series(1, 3) g WHERE g > 1;

-- id: overlaps
SELECT (date '2024-01-01', date '2024-02-01') OVERLAPS (date '2024-01-15', date '2024-03-01');
-- alternative: overlap_by_hand

-- id: overlap_by_hand
SELECT date '2024-01-01' < date '2024-03-01' AND date '2024-01-15' < date '2024-02-01' AS overlaps;

-- id: date_bin
SELECT date_bin('15 minutes', placed_at, timestamp '2024-01-01') FROM purchase;
-- alternative: bins_by_epoch

-- id: bins_by_epoch
SELECT id, to_timestamp(floor(extract(epoch FROM placed_at) / 900) * 900)::timestamp AS bin FROM purchase ORDER BY id;

-- id: justify
SELECT justify_hours(interval '50 hours') AS a, justify_days(interval '35 days') AS b, justify_interval(interval '1 mon 40 days 30 hours') AS c;

-- id: greatest_dates
SELECT id, greatest(shipped_on, date '2024-03-01') AS d, least(placed_at, timestamp '2024-02-01') AS t FROM purchase ORDER BY id;

-- id: date_in_text
SELECT 'on ' || shipped_on AS text FROM purchase WHERE id = 101;

-- id: week_start_count
SELECT date_trunc('week', opened_at)::date AS week, count(*) FROM ticket GROUP BY 1 ORDER BY 1;

-- id: same_month_last_year
SELECT id FROM customer WHERE joined >= date_trunc('month', timestamp '2024-06-30') - interval '13 months' AND joined < date_trunc('month', timestamp '2024-06-30') ORDER BY id;

-- id: weekday_name_group
SELECT to_char(placed_at, 'FMDay') AS weekday, count(*) FROM purchase GROUP BY 1 ORDER BY 2 DESC, 1;

-- id: date_equals_cast_text
SELECT id FROM purchase WHERE placed_at::text LIKE '2024-06%' ORDER BY id;

-- id: current_time_kept
SELECT current_date = date '2024-07-01' AS today, now() = timestamp '2024-07-01 09:30:00' AS now;
