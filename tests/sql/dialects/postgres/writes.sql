-- id: insert_one
INSERT INTO product (id, sku, name, category, price, weight, launched, discontinued) VALUES (8, 'SKU-008', 'Tray', 'kitchen', 15.5, NULL, '2024-07-01', false);

-- id: insert_default_key
INSERT INTO payment (purchase_id, amount, method, paid_at) VALUES (103, 12.5, 'card', '2024-07-01 09:00') RETURNING id, amount;

-- id: insert_default_word
INSERT INTO payment (id, purchase_id, amount, method, paid_at) VALUES (DEFAULT, 103, 1, 'card', now()) RETURNING *;

-- id: insert_many
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 1, 10, 0), ('east', 2, 20, 1), ('east', 3, 30, 2);

-- id: insert_without_columns
INSERT INTO stock VALUES ('east', 7, 1, 0);

-- id: insert_select
INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'west', id, 0, 0 FROM product WHERE category = 'office';

-- id: insert_rounds
INSERT INTO payment (id, purchase_id, amount, method, paid_at) VALUES (50, 101, 10.005, 'cash', '2024-07-01') RETURNING amount;

-- id: insert_casts
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', '5', 2.5, 1.4) RETURNING quantity, reserved;

-- id: insert_wrong_type
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 5, true, 1);

-- id: insert_bad_literal
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 5, 'many', 1);

-- id: insert_duplicate_key
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('north', 1, 1, 1);

-- id: insert_null
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 5, NULL, 1);

-- id: insert_overflow
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 5, 3000000000, 1);

-- id: insert_too_many_values
INSERT INTO stock (warehouse, product_id) VALUES ('east', 5, 1);

-- id: insert_unknown_column
INSERT INTO stock (warehouse, product, quantity, reserved) VALUES ('east', 5, 1, 1);

-- id: insert_boolean_and_json
INSERT INTO customer (id, name, tier, joined, active, profile) VALUES (9, 'Ida', 'gold', '2024-07-01', 't', '{"tags": ["new"]}') RETURNING active, profile;

-- id: upsert_nothing
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('north', 1, 1, 1), ('east', 1, 1, 1) ON CONFLICT (warehouse, product_id) DO NOTHING RETURNING warehouse;

-- id: upsert_nothing_any
INSERT INTO stock VALUES ('north', 1, 1, 1) ON CONFLICT DO NOTHING;

-- id: upsert_update
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('north', 1, 5, 0), ('east', 9, 5, 0) ON CONFLICT (warehouse, product_id) DO UPDATE SET quantity = stock.quantity + EXCLUDED.quantity RETURNING warehouse, quantity;

-- id: upsert_where
INSERT INTO stock AS s (warehouse, product_id, quantity, reserved) VALUES ('north', 1, 5, 0), ('south', 1, 9, 9) ON CONFLICT (warehouse, product_id) DO UPDATE SET quantity = excluded.quantity, reserved = s.reserved + 1 WHERE s.quantity < 10;

-- id: upsert_twice
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('north', 1, 5, 0), ('north', 1, 6, 0) ON CONFLICT (warehouse, product_id) DO UPDATE SET quantity = excluded.quantity;

-- id: upsert_select
INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'north', id, 1, 0 FROM product WHERE id < 4 ON CONFLICT (warehouse, product_id) DO UPDATE SET quantity = stock.quantity + 100;

-- id: upsert_ambiguous
INSERT INTO stock VALUES ('north', 1, 5, 0) ON CONFLICT (warehouse, product_id) DO UPDATE SET quantity = quantity + 1;

-- id: upsert_constraint
INSERT INTO stock VALUES ('north', 1, 5, 0) ON CONFLICT ON CONSTRAINT stock_pkey DO NOTHING;
-- alternative: upsert_nothing

-- id: update_one
UPDATE purchase SET status = 'paid' WHERE id = 103;

-- id: update_expression
UPDATE product SET price = price * 1.075 WHERE category = 'office' RETURNING id, price;

-- id: update_many_columns
UPDATE ticket SET status = 'closed', closed_at = opened_at + interval '1 day 2 hours' WHERE status = 'open' RETURNING id, closed_at;

-- id: update_now
UPDATE ticket SET closed_at = now(), status = 'closed' WHERE id = 3;

-- id: update_tuple
UPDATE stock SET (quantity, reserved) = (quantity - 1, reserved + 1) WHERE warehouse = 'north' AND quantity > 0;

-- id: update_from_subquery_tuple
UPDATE stock s SET (quantity, reserved) = (SELECT coalesce(sum(l.quantity), 0), count(*) FROM line l WHERE l.product_id = s.product_id) WHERE s.warehouse = 'south';

-- id: update_subquery
UPDATE purchase p SET total = (SELECT sum(l.quantity * l.unit_price) FROM line l WHERE l.purchase_id = p.id) WHERE p.id IN (105, 108) RETURNING p.id, p.total;

-- id: update_from
UPDATE purchase SET note = c.name FROM customer c WHERE c.id = purchase.customer_id AND c.tier = 'gold' AND purchase.note IS NULL;

-- id: update_from_alias
UPDATE purchase AS p SET status = 'paid', note = 'settled' FROM (SELECT purchase_id, sum(amount) AS paid FROM payment GROUP BY purchase_id) y WHERE y.purchase_id = p.id AND y.paid >= p.total AND p.status <> 'paid' RETURNING p.id, p.status;

-- id: update_from_join
UPDATE line l SET discount = 0.2 FROM purchase p JOIN customer c ON c.id = p.customer_id WHERE p.id = l.purchase_id AND c.tier = 'silver' AND p.status = 'new';

-- id: update_returning_other
UPDATE purchase p SET note = 'x' FROM customer c WHERE c.id = p.customer_id AND p.id = 101 RETURNING c.name;
-- alternative: update_from_alias

-- id: update_case
UPDATE customer SET tier = CASE tier WHEN 'bronze' THEN 'silver' WHEN 'silver' THEN 'gold' ELSE tier END WHERE active RETURNING id, tier;

-- id: update_null
UPDATE customer SET credit = NULL, city = DEFAULT WHERE id = 2 RETURNING credit, city;

-- id: update_boolean
UPDATE customer SET active = NOT active WHERE tier = 'bronze' RETURNING id, active;

-- id: update_swap
UPDATE stock SET quantity = reserved, reserved = quantity WHERE product_id = 1;

-- id: update_no_rows
UPDATE purchase SET total = 0 WHERE id = 999 RETURNING id;

-- id: update_everything
UPDATE employee SET bonus = coalesce(bonus, 0) + 10;

-- id: update_wrong_type
UPDATE purchase SET total = 'a lot' WHERE id = 101;

-- id: update_text_from_number
UPDATE purchase SET note = total WHERE id = 101;

-- id: update_date_from_timestamp
UPDATE purchase SET shipped_on = placed_at + interval '2 days' WHERE id = 103 RETURNING shipped_on;

-- id: update_unknown_column
UPDATE purchase SET state = 'paid' WHERE id = 101;

-- id: update_with_cte
WITH late AS (SELECT id FROM purchase WHERE status = 'new' AND placed_at < '2024-06-01') UPDATE purchase SET status = 'cancelled' WHERE id IN (SELECT id FROM late);

-- id: update_json
UPDATE customer SET profile = jsonb_set(profile, '{age}', '42') WHERE id = 1 RETURNING profile ->> 'age' AS age;

-- id: update_divides_by_zero
UPDATE stock SET reserved = 10 / quantity;

-- id: update_twice_same_column
UPDATE stock SET quantity = 1, quantity = 2;

-- id: delete_one
DELETE FROM payment WHERE id = 10;

-- id: delete_returning
DELETE FROM payment WHERE amount < 0 RETURNING id, purchase_id, amount;

-- id: delete_using
DELETE FROM line USING purchase p WHERE p.id = line.purchase_id AND p.status = 'cancelled';

-- id: delete_using_alias
DELETE FROM ticket t USING customer c WHERE c.id = t.customer_id AND NOT c.active OR c.id = t.customer_id AND c.tier = 'bronze' AND t.status = 'closed' RETURNING t.id;

-- id: delete_subquery
DELETE FROM stock WHERE product_id IN (SELECT id FROM product WHERE discontinued);

-- id: delete_not_exists
DELETE FROM product p WHERE NOT EXISTS (SELECT 1 FROM line l WHERE l.product_id = p.id) AND NOT EXISTS (SELECT 1 FROM stock s WHERE s.product_id = p.id) RETURNING name;

-- id: delete_duplicates
DELETE FROM employee a USING employee b WHERE a.salary = b.salary AND a.id > b.id RETURNING a.id;

-- id: delete_old
DELETE FROM purchase WHERE placed_at < date_trunc('year', timestamp '2024-07-01');

-- id: merge
MERGE INTO stock s USING product p ON p.id = s.product_id WHEN MATCHED THEN UPDATE SET quantity = 0;
-- alternative: upsert_update

-- id: insert_yesterday
INSERT INTO payment (id, purchase_id, amount, method, paid_at) VALUES (60, 101, 1, 'card', 'yesterday');
-- alternative: insert_default_word

-- id: insert_select_returning
INSERT INTO ticket (id, customer_id, priority, status, opened_at, subject) SELECT 100 + id, id, 3, 'open', now(), 'Review ' || name FROM customer WHERE tier = 'gold' RETURNING id, subject;

-- id: insert_from_values_cte
WITH new(w, p, q) AS (VALUES ('east', 1, 3), ('east', 2, 4)) INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT w, p, q, 0 FROM new;
