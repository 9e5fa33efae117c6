-- id: insert_one
INSERT INTO payment (id, purchase_id, amount, method, paid_at) VALUES (20, 103, 12.5, 'card', SYSDATE);
-- postgres: INSERT INTO payment (id, purchase_id, amount, method, paid_at) VALUES (20, 103, 12.5, 'card', localtimestamp)

-- id: insert_dates
INSERT INTO customer (id, name, tier, joined, active) VALUES (9, 'Ida', 'gold', TO_DATE('01/07/2024', 'DD/MM/YYYY'), TRUE);
-- postgres: INSERT INTO customer (id, name, tier, joined, active) VALUES (9, 'Ida', 'gold', '2024-07-01', true)

-- id: insert_select
INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'west', id, 0, 0 FROM product WHERE category = 'office';
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'west', id, 0, 0 FROM product WHERE category = 'office'

-- id: insert_missing
INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'north', p.id, 0, 0 FROM product p WHERE NOT EXISTS (SELECT 1 FROM stock s WHERE s.warehouse = 'north' AND s.product_id = p.id);
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'north', p.id, 0, 0 FROM product p WHERE NOT EXISTS (SELECT 1 FROM stock s WHERE s.warehouse = 'north' AND s.product_id = p.id)

-- id: merge
MERGE INTO stock s USING (SELECT 1 AS id FROM dual) p ON (s.product_id = p.id) WHEN MATCHED THEN UPDATE SET quantity = 1;
-- alternative: insert_missing

-- id: insert_empty
INSERT INTO customer (id, name, tier, joined, active) VALUES (9, '', 'gold', DATE '2024-07-01', TRUE);
-- error: constraint: NOT NULL

-- id: update_rows
UPDATE purchase SET status = 'archived', note = note || '!' WHERE status = 'cancelled';
-- postgres: UPDATE purchase SET status = 'archived', note = coalesce(note, '') || '!' WHERE status = 'cancelled'

-- id: update_to_empty
UPDATE purchase p SET p.note = '' WHERE p.id = 101;
-- postgres: UPDATE purchase SET note = NULL WHERE id = 101

-- id: update_from_subquery
UPDATE purchase SET total = (SELECT SUM(quantity * unit_price) FROM line WHERE line.purchase_id = purchase.id) WHERE id = 105;
-- postgres: UPDATE purchase SET total = (SELECT sum(quantity * unit_price) FROM line WHERE line.purchase_id = purchase.id) WHERE id = 105

-- id: update_row
UPDATE stock SET (quantity, reserved) = (SELECT 9, 8 FROM dual) WHERE warehouse = 'north' AND product_id = 1;
-- postgres: UPDATE stock SET quantity = 9, reserved = 8 WHERE warehouse = 'north' AND product_id = 1

-- id: update_price
UPDATE product SET price = ROUND(price * 1.1, 2), launched = ADD_MONTHS(launched, 1) WHERE id = 3;
-- postgres: UPDATE product SET price = round(price * 1.1, 2), launched = '2022-03-31' WHERE id = 3

-- id: delete_rows
DELETE FROM payment WHERE amount < 0;
-- postgres: DELETE FROM payment WHERE amount < 0

-- id: delete_without_from
DELETE ticket WHERE status = 'waiting';
-- postgres: DELETE FROM ticket WHERE status = 'waiting'

-- id: delete_by_subquery
DELETE FROM line WHERE purchase_id IN (SELECT id FROM purchase WHERE status = 'cancelled');
-- postgres: DELETE FROM line WHERE purchase_id IN (SELECT id FROM purchase WHERE status = 'cancelled')

-- id: returning
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 1, 1, 1) RETURNING quantity INTO :q;
-- alternative: insert_select

-- id: insert_too_many
INSERT INTO stock (warehouse, product_id) VALUES ('east', 5, 1);
-- error: sql_syntax: ORA-00913: too many values
