import { DatabaseSync } from 'node:sqlite';

const counts = { customers: 2_000, products: 240, orders: 36_000, orderLines: 100_000 } as const;

/** The statements that create its tables, views and indexes. */
export const sampleSchema = `
  CREATE TABLE categories (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, parent_id INTEGER REFERENCES categories (id)
  );
  CREATE TABLE customers (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE, city TEXT, country TEXT NOT NULL,
    newsletter BOOLEAN NOT NULL DEFAULT FALSE, note TEXT, created_at TEXT NOT NULL
  );
  CREATE TABLE products (
    id INTEGER PRIMARY KEY, category_id INTEGER NOT NULL REFERENCES categories (id), name TEXT NOT NULL,
    barcode INTEGER NOT NULL UNIQUE, price REAL NOT NULL CHECK (price >= 0), stock INTEGER NOT NULL DEFAULT 0,
    attributes TEXT CHECK (attributes IS NULL OR json_valid(attributes))
  );
  CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), tracking INTEGER,
    status TEXT NOT NULL CHECK (status IN ('new', 'paid', 'sent', 'delivered', 'returned')),
    ordered_at TEXT NOT NULL, sent_at TEXT
  );
  CREATE TABLE order_lines (
    order_id INTEGER NOT NULL REFERENCES orders (id), line INTEGER NOT NULL,
    product_id INTEGER NOT NULL REFERENCES products (id),
    quantity INTEGER NOT NULL CHECK (quantity > 0), unit_price REAL NOT NULL, discount REAL,
    PRIMARY KEY (order_id, line)
  );
  CREATE TABLE reviews (
    id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES products (id),
    customer_id INTEGER NOT NULL REFERENCES customers (id), stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5), body TEXT
  );
  CREATE INDEX orders_by_customer ON orders (customer_id);
  CREATE INDEX order_lines_by_product ON order_lines (product_id);
  CREATE VIEW order_totals AS
    SELECT orders.id AS order_id, orders.customer_id, customers.name AS customer, orders.ordered_at, count(*) AS lines,
      round(sum(quantity * unit_price * (1 - coalesce(discount, 0))), 2) AS total
    FROM orders JOIN customers ON customers.id = orders.customer_id JOIN order_lines ON order_lines.order_id = orders.id
    GROUP BY orders.id;
`;

const words = {
  first: 'Ada Bela Carla Deniz Emil Femi Greta Hana Ivo Jun Kofi Lena Mina Noor Olga Pia Quinn Rosa Sven Tomas'.split(
    ' ',
  ),
  last: 'Amsel Birke Castell Dorn Eiche Falk Garten Hafen Ilm Jura Klee Linde Mohn Nebel Ostrow Park Quell Rabe Stein Tal'.split(
    ' ',
  ),
  places: 'Lisboa|PT Łódź|PL Malmö|SE Nairobi|KE Osaka|JP Porto|PT Québec|CA Recife|BR Seoul|KR Tartu|EE'.split(' '),
  made: 'Oak Steel Linen Cork Glass Wool Paper Copper Clay Birch'.split(' '),
  things: 'lamp|chair|kettle|notebook|blanket|mug|shelf|basket|clock|vase|tray|stool'.split('|'),
  categories: 'Home|Kitchen|Office|Garden|Lighting|Storage|Textiles|Gifts'.split('|'),
  statuses: ['new', 'paid', 'sent', 'delivered', 'delivered', 'delivered', 'returned'],
  reviews: [
    'Does what it should.',
    'Smaller than it looks.',
    'Would buy again.\nShipping took a while.',
    'Broken on arrival — replaced at once.',
    '',
  ],
} as const;

/** Makes a database file with a small shop. */
export function createSampleShop(file: string): void {
  const database = new DatabaseSync(file);
  try {
    fillSampleShop(database);
  } finally {
    database.close();
  }
}

/** Fills an empty database. The same data each time: it is drawn from a fixed seed. */
export function fillSampleShop(database: DatabaseSync): void {
  database.exec(`BEGIN; ${sampleSchema}`);
  fill(database);
  database.exec('COMMIT; ANALYZE; PRAGMA optimize');
}

function fill(database: DatabaseSync): void {
  const random = seeded(20_260_101);
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const sometimes = <T>(chance: number, value: () => T): T | null => (random() < chance ? value() : null);
  const day = (): string => new Date(Date.UTC(2023, 0, 1) + below(1095) * 86_400_000).toISOString().slice(0, 10);
  const price = (): number => (199 + below(19_800)) / 100;
  const discount = (): number | null => sometimes(0.15, () => (5 + below(30)) / 100);
  const review = (): string | null => sometimes(0.8, () => pick(words.reviews));
  const insert = (table: string, columns: number) =>
    database.prepare(`INSERT INTO ${table} VALUES (${Array.from({ length: columns }, () => '?').join(', ')})`);

  const categories = insert('categories', 3);
  words.categories.forEach((name, i) => categories.run(i + 1, name, i < 4 ? null : (i % 4) + 1));

  const customers = insert('customers', 8);
  for (let id = 1; id <= counts.customers; id++) {
    const first = pick(words.first);
    const last = pick(words.last);
    const [city = '', country = ''] = pick(words.places).split('|');
    const email = `${first}.${last}.${id}@example.com`.toLowerCase();
    const note = sometimes(0.1, () => pick(['prefers e-mail', 'VIP', '', 'calls "after 5", please']));
    const knownCity = sometimes(0.95, () => city);
    const newsletter = below(2);
    const createdAt = `${day()} 09:${10 + below(50)}:00`;
    customers.run(id, `${first} ${last}`, email, knownCity, country, newsletter, note, createdAt);
  }

  const products = insert('products', 7);
  const prices: number[] = [];
  for (let id = 1; id <= counts.products; id++) {
    const material = pick(words.made);
    const thing = pick(words.things);
    const attributes = sometimes(0.7, () =>
      JSON.stringify({ material, weight_g: 50 + below(4000), colours: ['natural', 'black'] }),
    );
    prices.push(price());
    const barcode = 4_000_000_000_000 + id * 7919;
    products.run(id, 1 + below(8), `${material} ${thing} ${id}`, barcode, prices.at(-1)!, below(400), attributes);
  }

  const orders = insert('orders', 6);
  const lines = insert('order_lines', 6);
  let left: number = counts.orderLines;
  for (let id = 1; id <= counts.orders; id++) {
    const status = pick(words.statuses);
    const sent = status === 'new' || status === 'paid' ? null : day();
    // Carriers' numbers are larger than a double can hold, as they are in life.
    const tracking = sent === null ? null : 9_007_199_254_740_993n + BigInt(id) * 1_000_003n;
    orders.run(id, 1 + below(counts.customers), tracking, status, `${day()} ${10 + below(10)}:00:00`, sent);
    const rest = counts.orders - id;
    const size = rest === 0 ? left : Math.min(1 + below(5), left - rest);
    for (let line = 1; line <= size; line++) {
      const product = 1 + below(counts.products);
      lines.run(id, line, product, 1 + below(6), prices[product - 1]!, discount());
    }
    left -= size;
  }

  const reviews = insert('reviews', 5);
  for (let id = 1; id <= 3_000; id++) {
    reviews.run(id, 1 + below(counts.products), 1 + below(counts.customers), 1 + below(5), review());
  }
}

/** A small generator of even random numbers (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
