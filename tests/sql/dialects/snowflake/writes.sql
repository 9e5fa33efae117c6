-- id: insert_rows
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 1, 10, 0), ('east', 2, 5 * 4, 1);
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 1, 10, 0), ('east', 2, 20, 1)

-- id: insert_select
INSERT INTO stock (warehouse, product_id, quantity, reserved)
SELECT 'west', id, 0, 0 FROM product WHERE category ILIKE 'OFF%';
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'west', id, 0, 0 FROM product WHERE category = 'office'

-- id: insert_from_cte
INSERT INTO stock (warehouse, product_id, quantity, reserved)
WITH sold AS (SELECT product_id, SUM(quantity) AS n FROM line GROUP BY 1)
SELECT 'sold', product_id, n, 0 FROM sold WHERE n > 3;
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'sold', product_id, sum(quantity), 0 FROM line GROUP BY product_id HAVING sum(quantity) > 3

-- id: insert_missing
INSERT INTO stock (warehouse, product_id, quantity, reserved)
SELECT 'north', p.id, 0, 0 FROM product p WHERE NOT EXISTS (SELECT 1 FROM stock s WHERE s.warehouse = 'north' AND s.product_id = p.id);
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'north', p.id, 0, 0 FROM product p WHERE NOT EXISTS (SELECT 1 FROM stock s WHERE s.warehouse = 'north' AND s.product_id = p.id)

-- id: insert_duplicate
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('north', 1, 1, 1);
-- error: constraint: 

-- id: update_rows
UPDATE product SET price = ROUND(price * 1.1, 2) WHERE category = 'kitchen';
-- postgres: UPDATE product SET price = round(price * 1.1, 2) WHERE category = 'kitchen'

-- id: update_divides
UPDATE stock SET reserved = quantity / 3 WHERE warehouse = 'north';
-- postgres: UPDATE stock SET reserved = round(quantity / 3.0) WHERE warehouse = 'north'

-- id: update_from
UPDATE purchase p SET status = 'vip', note = 'of ' || c.name FROM customer c
WHERE c.id = p.customer_id AND c.tier = 'gold' AND p.status = 'new';
-- postgres: UPDATE purchase p SET status = 'vip', note = 'of ' || c.name FROM customer c WHERE c.id = p.customer_id AND c.tier = 'gold' AND p.status = 'new'

-- id: update_from_subquery
UPDATE customer SET credit = s.paid FROM (SELECT customer_id, SUM(total) AS paid FROM purchase WHERE status = 'paid' GROUP BY 1) s
WHERE s.customer_id = customer.id AND customer.tier = 'silver';
-- postgres: UPDATE customer SET credit = s.paid FROM (SELECT customer_id, sum(total) AS paid FROM purchase WHERE status = 'paid' GROUP BY 1) s WHERE s.customer_id = customer.id AND customer.tier = 'silver'

-- id: update_dates
UPDATE ticket SET closed_at = DATEADD(day, 2, opened_at), status = 'closed' WHERE closed_at IS NULL AND DATEDIFF(day, opened_at, CURRENT_TIMESTAMP()) > 30;
-- postgres: UPDATE ticket SET closed_at = opened_at + interval '2 days', status = 'closed' WHERE closed_at IS NULL AND date '2024-07-01' - opened_at::date > 30

-- id: update_document
UPDATE customer SET profile = OBJECT_CONSTRUCT('tags', profile:tags, 'age', 50) WHERE id = 1;
-- postgres: UPDATE customer SET profile = jsonb_build_object('tags', profile -> 'tags', 'age', 50) WHERE id = 1

-- id: update_without_where
UPDATE stock SET reserved = 0;
-- postgres: UPDATE stock SET reserved = 0

-- id: delete_rows
DELETE FROM payment WHERE amount < 0 OR method = 'voucher';
-- postgres: DELETE FROM payment WHERE amount < 0 OR method = 'voucher'

-- id: delete_using
DELETE FROM line USING purchase p WHERE p.id = line.purchase_id AND p.status = 'cancelled';
-- postgres: DELETE FROM line USING purchase p WHERE p.id = line.purchase_id AND p.status = 'cancelled'

-- id: delete_by_subquery
DELETE FROM ticket WHERE customer_id IN (SELECT id FROM customer WHERE NOT active OR tier = 'bronze');
-- postgres: DELETE FROM ticket WHERE customer_id IN (SELECT id FROM customer WHERE NOT active OR tier = 'bronze')

-- id: returning
DELETE FROM payment WHERE id = 1 RETURNING id;
-- error: sql_syntax: unexpected 'RETURNING'

-- id: merge
MERGE INTO stock t USING product p ON t.product_id = p.id WHEN MATCHED THEN UPDATE SET t.reserved = 0 WHEN NOT MATCHED THEN INSERT (warehouse, product_id, quantity, reserved) VALUES ('new', p.id, 0, 0);
-- alternative: insert_missing

-- id: unknown_target_column
UPDATE stock SET amount = 1 WHERE product_id = 1;
-- error: sql_unknown_name: invalid identifier 'AMOUNT'

-- id: wrong_type
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 5, 'many', 1);
-- error: sql_value: Numeric value 'many' is not recognized

-- id: too_large
UPDATE product SET price = 12345678.9 WHERE id = 1;
-- error: sql_value: 

-- id: truncate
TRUNCATE TABLE stock;
-- error: sql_forbidden: Only SELECT, INSERT, UPDATE and DELETE
