/** The SQL file that the sample project opens with. Each statement shows something else, and the first one runs at once. */
export const sampleStatements = `-- Put the cursor into a statement and press Ctrl+Enter (Cmd+Enter on a Mac).
-- The sample project is on this machine. Its service ends with VS Code.

-- 1. The best customers. order_totals is a view. Several customers have the same name.
SELECT customer_id, customer, count(*) AS orders, round(sum(total), 2) AS spent
FROM order_totals
GROUP BY customer_id, customer
ORDER BY spent DESC
LIMIT 20;

-- 2. 100,000 rows, shown as they arrive. Sort, filter and search them in the grid.
SELECT * FROM order_lines;

-- 3. A parameter. Its value is asked for.
SELECT id, name, email, city
FROM customers
WHERE country = ?
ORDER BY name;

-- 4. Integers that a double cannot hold, NULL, and text with line breaks. Press Space to see a row as a record.
SELECT orders.id, tracking, sent_at, (
    SELECT body FROM reviews
    WHERE reviews.customer_id = orders.customer_id
    ORDER BY reviews.id DESC
    LIMIT 1
  ) AS latest_review
FROM orders
ORDER BY orders.id
LIMIT 50;

-- 5. A write. The result says how many rows it changed.
UPDATE products SET stock = stock + 10 WHERE stock < 10;
`;
