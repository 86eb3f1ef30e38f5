import { DatabaseSync } from 'node:sqlite';
import { splitStatements } from '../../src/sql/text/splitter.ts';

/** A shop with everything that can pass a column on: views, generated columns, indexes, triggers, full text, foreign keys. */
const ddl = `
CREATE TABLE customers (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, city TEXT COLLATE NOCASE, password_hash TEXT,
  domain TEXT AS (substr(email, instr(email, '@') + 1)) VIRTUAL, age INT CHECK (length(email) < 100 AND age < 200)
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INT REFERENCES customers (id), customer_email TEXT REFERENCES customers (email),
  total REAL, note TEXT
);
CREATE TABLE products (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, price REAL, details TEXT);
CREATE TABLE items (
  order_id INT, product_id INT, quantity INT, PRIMARY KEY (order_id, product_id)
) WITHOUT ROWID;
CREATE TABLE accounts (login TEXT PRIMARY KEY, "Password" TEXT, role TEXT) WITHOUT ROWID;
CREATE TABLE "odd ""table" ("from" INT, [group by] TEXT, "it's" TEXT);
CREATE TABLE audit (at TEXT, old_address TEXT);
CREATE TABLE visits (day TEXT, visitors INT);
CREATE INDEX customers_city ON customers (city);
CREATE INDEX customers_city_email ON customers (city, email);
CREATE INDEX customers_lower_email ON customers (lower(email));
CREATE INDEX customers_with_email ON customers (name) WHERE email LIKE '%.org';
CREATE INDEX orders_customer ON orders (customer_id);
CREATE VIEW contacts AS SELECT id, name, email AS contact FROM customers;
CREATE VIEW contact_orders (who, address, amount) AS
  SELECT c.name, c.contact, o.total FROM contacts c JOIN orders o ON o.customer_id = c.id;
CREATE VIEW cities AS WITH counted AS (SELECT city, count(*) AS people FROM main.customers GROUP BY city)
  SELECT city, people FROM counted ORDER BY city;
CREATE VIEW cheap AS SELECT id, name, price FROM products WHERE price < 10;
CREATE VIEW login_roles AS SELECT role, count(*) AS logins FROM accounts GROUP BY role;
CREATE TRIGGER keep_address AFTER UPDATE OF email ON customers BEGIN
  INSERT INTO audit (at, old_address) VALUES ('now', old.email);
END;
CREATE TRIGGER count_orders AFTER INSERT ON orders BEGIN UPDATE visits SET visitors = visitors + 1; END;
CREATE VIRTUAL TABLE manuals USING fts5(title, body);
CREATE VIRTUAL TABLE customers_text USING fts5(name, email, content='customers', content_rowid='id');
CREATE VIRTUAL TABLE customer_names USING fts5(name, city, content='customers', content_rowid='id');
CREATE VIRTUAL TABLE email_words USING fts5vocab(customers_text, 'row');
`;

const ddlStatements = splitStatements(ddl).map(({ start, end }) => ddl.slice(start, end - 1));

/** The columns that an agent must not see. */
export const shopMasks = ['customers.email', '*.password*'] as const;

/** Values of masked columns. They have nothing in common with other values of the shop. */
export const canaries = [
  'Zq7CANARYzq@vvvv.example',
  'Zq3CANARYzq@wwww.example',
  'Zq5CANARYzq@xxxx.example',
  null,
] as const;

/** Other values, with another order and other lengths. A reader that cannot tell the shops apart knows no value. */
export const otherCanaries = ['A', 'Zz9CANARYzq-longer-than-the-others@u.org', null, 'Bq1CANARY@a.org'] as const;

export type Canaries = typeof canaries | typeof otherCanaries;

/** Opens the shop with rows. The caller closes it. */
export function openShop(secrets: Canaries = canaries): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const statement of ddlStatements) database.exec(statement);
  const insert = (table: string, ...rows: readonly (string | number | null)[][]): void => {
    for (const row of rows) {
      const places = row.map(() => '?').join(', ');
      database.prepare(`INSERT INTO ${table} VALUES (${places})`).run(...row);
    }
  };
  insert(
    'customers (id, name, email, city, password_hash, age)',
    [1, 'Ann', secrets[0], 'Oslo', `${secrets[0]}#`, 31],
    [2, 'Bob', secrets[1], 'Oslo', `${secrets[1]}#`, 42],
    [3, 'Cid', secrets[2], 'Lima', `${secrets[2]}#`, null],
    [4, 'Dan', secrets[3], 'lima', secrets[3], 53],
  );
  insert(
    'orders',
    [10, 1, secrets[0], 12.5, 'first'],
    [11, 1, secrets[0], 7.25, null],
    [12, 2, secrets[1], 99, 'big "one"'],
    [13, null, null, 1, ''],
  );
  insert('products', [1, 'pen', 1.5, '{"color":"red","sizes":[1,2]}'], [2, 'ink', 9.5, '{}'], [3, 'desk', 120, null]);
  insert('items', [10, 1, 2], [10, 2, 1], [11, 1, 7], [12, 3, 1]);
  insert('accounts', ['root', secrets[0], 'admin'], ['guest', secrets[1], 'reader'], ['ann', secrets[2], 'reader']);
  insert('"odd ""table"', [1, 'x', 'it is'], [2, 'y', null]);
  insert('audit', ['before', secrets[1]]);
  insert('visits', ['mon', 3], ['tue', 5]);
  insert('manuals', ['How to write', 'Take a pen and ink.'], ['How to sit', 'Take a chair.']);
  database.exec("INSERT INTO customers_text (customers_text) VALUES ('rebuild')");
  database.exec("INSERT INTO customer_names (customer_names) VALUES ('rebuild')");
  database.exec('ANALYZE');
  return database;
}

function statementsOfShop(): string[] {
  using database = openShop();
  const rows = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  return rows.map(({ sql }) => String(sql));
}

/** The statements of the shop, as the catalog reads them. */
export const shopStatements: readonly string[] = statementsOfShop();
