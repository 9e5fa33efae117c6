-- id: insert_rows
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 1, 10, 0), ('east', 2, 5 * 4, 1);
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 1, 10, 0), ('east', 2, 20, 1)

-- id: insert_select
INSERT INTO main.stock (warehouse, product_id, quantity, reserved) SELECT 'west', id, 0, 0 FROM product WHERE STARTS_WITH(category, 'off');
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'west', id, 0, 0 FROM product WHERE category = 'office'

-- id: insert_missing
INSERT INTO stock (warehouse, product_id, quantity, reserved)
SELECT 'north', p.id, 0, 0 FROM product p WHERE NOT EXISTS (SELECT 1 FROM stock s WHERE s.warehouse = 'north' AND s.product_id = p.id);
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'north', p.id, 0, 0 FROM product p WHERE NOT EXISTS (SELECT 1 FROM stock s WHERE s.warehouse = 'north' AND s.product_id = p.id)

-- id: insert_duplicate
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('north', 1, 1, 1);
-- error: constraint: 

-- id: insert_wrong_type
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 5, '10', 1);
-- error: sql_syntax: Value has type STRING which cannot be inserted into column quantity, which has type INT64

-- id: update_rows
UPDATE product SET price = ROUND(price * 1.1, 2) WHERE category = 'kitchen';
-- postgres: UPDATE product SET price = round(price * 1.1, 2) WHERE category = 'kitchen'

-- id: update_from
UPDATE purchase p SET status = 'vip', note = CONCAT('of ', c.name) FROM customer c WHERE c.id = p.customer_id AND c.tier = 'gold' AND p.status = 'new';
-- postgres: UPDATE purchase p SET status = 'vip', note = 'of ' || c.name FROM customer c WHERE c.id = p.customer_id AND c.tier = 'gold' AND p.status = 'new'

-- id: update_from_subquery
UPDATE customer SET credit = s.paid FROM (SELECT customer_id, SUM(total) AS paid FROM purchase WHERE status = 'paid' GROUP BY customer_id) s WHERE s.customer_id = customer.id AND customer.tier = 'silver';
-- postgres: UPDATE customer SET credit = s.paid FROM (SELECT customer_id, sum(total) AS paid FROM purchase WHERE status = 'paid' GROUP BY 1) s WHERE s.customer_id = customer.id AND customer.tier = 'silver'

-- id: update_from_several_rows
UPDATE purchase SET note = 'x' FROM line l WHERE l.purchase_id = purchase.id;
-- error: sql_value: UPDATE/MERGE must match at most one source row for each target row

-- id: update_dates
UPDATE ticket SET closed_at = TIMESTAMP_ADD(opened_at, INTERVAL 2 DAY), status = 'closed' WHERE closed_at IS NULL AND TIMESTAMP_DIFF(CURRENT_TIMESTAMP(), opened_at, DAY) >= 30;
-- postgres: UPDATE ticket SET closed_at = opened_at + interval '2 days', status = 'closed' WHERE closed_at IS NULL AND timestamp '2024-07-01 09:30' - opened_at >= interval '30 days'

-- id: update_without_where
UPDATE stock SET reserved = 0;
-- error: sql_syntax: UPDATE must have a WHERE clause

-- id: update_all
UPDATE stock SET reserved = 0 WHERE true;
-- postgres: UPDATE stock SET reserved = 0

-- id: delete_rows
DELETE FROM payment WHERE amount < 0 OR method = "voucher";
-- postgres: DELETE FROM payment WHERE amount < 0 OR method = 'voucher'

-- id: delete_by_subquery
DELETE FROM line WHERE purchase_id IN (SELECT id FROM purchase WHERE status = 'cancelled');
-- postgres: DELETE FROM line WHERE purchase_id IN (SELECT id FROM purchase WHERE status = 'cancelled')

-- id: delete_without_where
DELETE FROM stock;
-- error: sql_syntax: DELETE must have a WHERE clause

-- id: delete_using
DELETE FROM line USING purchase p WHERE p.id = line.purchase_id;
-- error: sql_syntax: Syntax error: Unexpected "USING"

-- id: merge
MERGE INTO stock t USING product p ON t.product_id = p.id WHEN MATCHED THEN UPDATE SET reserved = 0;
-- alternative: update_from

-- id: unknown_target_column
UPDATE stock SET amount = 1 WHERE product_id = 1;
-- error: sql_unknown_name: Column amount is not present in table stock

-- id: returning
DELETE FROM payment WHERE id = 1 RETURNING id;
-- error: sql_syntax: Syntax error: Unexpected "RETURNING"

-- id: script
DECLARE x INT64 DEFAULT 1;
-- error: sql_forbidden: Only SELECT, INSERT, UPDATE and DELETE
