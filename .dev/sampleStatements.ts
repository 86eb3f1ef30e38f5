/** What the sample workspace opens with: a few statements worth running. */
export const sampleStatements = `-- Put the cursor into a statement and press Ctrl+Enter (Cmd+Enter on a Mac).

SELECT * FROM customers LIMIT 5;

-- 100,000 rows, shown as they arrive.
SELECT * FROM order_lines;

-- The best customers.
SELECT customer, count(*) AS orders, round(sum(total), 2) AS spent
FROM order_totals
GROUP BY customer
ORDER BY spent DESC
LIMIT 20;

-- Numbers larger than a double can hold, NULL, and text with line breaks.
SELECT orders.id, tracking, sent_at, reviews.body
FROM orders
JOIN reviews USING (customer_id)
LIMIT 50;
`;

/** What the sample workspace shows first. */
export const sampleReadme = `# Sample shop

1. Open the **SQL Projects** view on the left: the project **Sample Shop** and its tables are there.
2. Open [shop.sql](shop.sql), put the cursor into a statement and press **Ctrl+Enter** (**Cmd+Enter** on a Mac).
3. The rows appear in **SQL Results** below, as they arrive.
`;
