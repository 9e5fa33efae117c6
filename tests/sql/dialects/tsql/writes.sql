-- id: insert_output
INSERT INTO payment (purchase_id, amount, method, paid_at) OUTPUT inserted.id, inserted.amount VALUES (103, 12.5, 'card', GETDATE());
-- postgres: INSERT INTO payment (purchase_id, amount, method, paid_at) VALUES (103, 12.5, 'card', localtimestamp) RETURNING id, amount

-- id: insert_rows
INSERT stock (warehouse, product_id, quantity, reserved) VALUES (N'east', 1, 10, 0), ('east', 2, 20, 1);
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 1, 10, 0), ('east', 2, 20, 1)

-- id: insert_select
INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'west', id, 0, 0 FROM product WHERE category = 'Office';
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'west', id, 0, 0 FROM product WHERE category = 'office'

-- id: insert_where_not_exists
INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'north', id, 0, 0 FROM product p WHERE NOT EXISTS (SELECT 1 FROM stock s WHERE s.warehouse = 'north' AND s.product_id = p.id);
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'north', id, 0, 0 FROM product p WHERE NOT EXISTS (SELECT 1 FROM stock s WHERE s.warehouse = 'north' AND s.product_id = p.id)

-- id: merge
MERGE INTO stock AS t USING (SELECT 'north' AS w, 1 AS p) AS s ON t.warehouse = s.w AND t.product_id = s.p WHEN MATCHED THEN UPDATE SET quantity = 1;
-- alternative: insert_where_not_exists

-- id: update_rows
UPDATE purchase SET status = 'archived', note = ISNULL(note, '') + '!' WHERE status = 'CANCELLED';
-- postgres: UPDATE purchase SET status = 'archived', note = coalesce(note, '') || '!' WHERE status = 'cancelled'

-- id: update_swaps
UPDATE stock SET quantity = reserved, reserved = quantity WHERE product_id = 1;
-- postgres: UPDATE stock SET quantity = reserved, reserved = quantity WHERE product_id = 1

-- id: update_from
UPDATE p SET p.note = c.tier FROM purchase p JOIN customer c ON c.id = p.customer_id WHERE c.city = 'köln';
-- postgres: UPDATE purchase SET note = c.tier FROM customer c WHERE c.id = purchase.customer_id AND c.city = 'Köln'

-- id: update_from_to_choose
UPDATE customer SET tier = 'vip' FROM customer c INNER JOIN purchase p ON p.customer_id = c.id WHERE p.total > 60;
-- postgres: UPDATE customer SET tier = 'vip' WHERE id IN (SELECT customer_id FROM purchase WHERE total > 60)

-- id: update_output
UPDATE product SET price = ROUND(price * 1.1, 2) OUTPUT inserted.id, inserted.price, deleted.name WHERE category = 'kitchen';
-- postgres: UPDATE product SET price = round(price * 1.1, 2) WHERE category = 'kitchen' RETURNING id, price, name

-- id: update_output_of_old
UPDATE product SET price = 1 OUTPUT deleted.price WHERE id = 1;
-- alternative: update_output

-- id: update_bit
UPDATE product SET discontinued = 1 WHERE id = 7;
-- postgres: UPDATE product SET discontinued = true WHERE id = 7

-- id: delete_output
DELETE FROM payment OUTPUT deleted.* WHERE amount < 0;
-- postgres: DELETE FROM payment WHERE amount < 0 RETURNING *

-- id: delete_join
DELETE l FROM line l JOIN purchase p ON p.id = l.purchase_id WHERE p.status = 'Cancelled';
-- postgres: DELETE FROM line l USING purchase p WHERE p.id = l.purchase_id AND p.status = 'cancelled'

-- id: delete_top
DELETE TOP (2) FROM ticket;
-- alternative: delete_by_key

-- id: delete_by_key
DELETE FROM ticket WHERE id IN (SELECT TOP 2 id FROM ticket ORDER BY opened_at, id);
-- postgres: DELETE FROM ticket WHERE id IN (SELECT id FROM ticket ORDER BY opened_at, id LIMIT 2)

-- id: insert_too_many
INSERT INTO stock (warehouse, product_id) VALUES ('east', 5, 1);
-- error: sql_syntax: Column name or number of supplied values does not match table definition.

-- id: insert_null
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 5, NULL, 1);
-- error: constraint: NOT NULL

-- id: select_into
SELECT * INTO copy FROM customer;
-- error: sql_forbidden: SELECT … INTO is not allowed.

-- id: update_from_another_table_without_where
UPDATE product SET price = e.salary FROM (SELECT TOP 1 salary FROM employee ORDER BY id) AS e;
-- postgres: UPDATE product SET price = 9000
