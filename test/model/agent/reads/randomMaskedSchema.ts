import { DatabaseSync } from 'node:sqlite';
import { oneOf, type Random, seeded, upTo } from '../../../fuzz/random.ts';

/*
 * Random tables `t` and `u` with a masked column `s`, with keys, indexes, generated columns, views and triggers that may pass
 * it on. Triggers write to `d` of these tables and to the plain tables `p` and `q`.
 */

export const randomMasks: readonly string[] = ['t.s', 'u.s'];

const columns = ['a', 'b', 'c', 's'];
const types = ['TEXT', 'INT', '', 'TEXT COLLATE NOCASE'];
const keyTypes = ['INTEGER', 'INT', 'TEXT', '"INTEGER"'];
const generated = ['s || a', 'a || b', 'length(s)', 'lower(c)'];
const indexed = ['a', 's', 'b, s', 's, b', 'lower(s)', 'g', 'c, a', 's DESC', 'b || s', 'c, g'];
const conditions = ["s > 'm'", 'a > 1', 's IS NOT NULL'];
const expressions = ['a', 'b', 'c', 's', 'g', 'lower(s)', 'length(g)', 'a || s'];
const shown = ['a', 'a', 'b', 'c', 'c', 'd', 'd', 'g', 's'];
const relations = ['t', 'u', 'v0', 'v1', 'v2', 'p', 'q'];
const tables = ['t', 'u', 'p', 'q'];
const written = ['new.s', 'new.a', 'new.rowid', '(SELECT s)', 's', "s || 'x'", 'a', '7'];

const rowCount = 8;

export class RandomMaskedSchema {
  readonly #random: Random;
  readonly #seed: number;
  readonly statements: readonly string[];

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = seeded(seed);
    const plain = ['p', 'q'].map(name => `CREATE TABLE ${name} (a INTEGER PRIMARY KEY, b, c, g, s, d)`);
    this.statements = [...this.#table('t'), ...this.#table('u'), ...plain, ...this.#views(), ...this.#triggers()];
  }

  /** The schema with rows. Only the values of `s` depend on `secret`. Undefined if SQLite refuses the schema or a trigger. */
  open(secret: number): DatabaseSync | undefined {
    const database = new DatabaseSync(':memory:');
    try {
      for (const sql of this.statements) database.exec(sql);
      this.#fill(database, secret);
      return database;
    } catch {
      database.close();
      return undefined;
    }
  }

  query(): string {
    const x = oneOf(this.#random, relations);
    const y = oneOf(this.#random, relations);
    const ofX = (): string => `x.${oneOf(this.#random, shown)}`;
    const ofY = (): string => `y.${oneOf(this.#random, shown)}`;
    const queries: readonly (() => string)[] = [
      () => `SELECT ${ofX()} FROM ${x} x`,
      () => `SELECT ${ofX()}, ${ofX()} FROM ${x} x WHERE ${ofX()} > ${oneOf(this.#random, ['1', "'k'", "'5'"])}`,
      () => `SELECT ${ofX()} FROM ${x} x WHERE ${ofX()} = 'x' OR ${ofX()} = 'l'`,
      () => `SELECT ${ofX()}, ${ofY()} FROM ${x} x JOIN ${y} y ON ${ofX()} = ${ofY()}`,
      () => `SELECT ${ofX()} FROM ${x} x LEFT JOIN ${y} y USING (${oneOf(this.#random, ['a', 'c', 'g'])}) LIMIT 4`,
      () => `SELECT * FROM ${x} NATURAL JOIN ${y}`,
      () => `SELECT ${ofX()}, count(*), group_concat(${ofX()}) FROM ${x} x GROUP BY ${ofX()}`,
      () => `SELECT DISTINCT ${ofX()} FROM ${x} x`,
      () => `SELECT ${ofX()} FROM ${x} x ORDER BY ${ofX()} LIMIT 3`,
      () => `SELECT min(${ofX()}), max(${ofX()}) FROM ${x} x`,
      () => `SELECT row_number() OVER (), ${ofX()} FROM ${x} x`,
      () => `SELECT ${ofX()} FROM ${x} x WHERE ${ofX()} IN (SELECT ${ofY()} FROM ${y} y)`,
      () => `EXPLAIN QUERY PLAN SELECT ${ofX()} FROM ${x} x JOIN ${y} y ON ${ofX()} = ${ofY()}`,
    ];
    return oneOf(this.#random, queries)();
  }

  #fill(database: DatabaseSync, secret: number): void {
    const visible = seeded(this.#seed);
    const hidden = seeded(this.#seed * 100 + secret);
    database.exec(
      "INSERT OR IGNORE INTO p (a, b) VALUES (1, 'x'); INSERT OR IGNORE INTO q (a, c) VALUES (1, 'k'), (2, 'l')",
    );
    for (const table of ['t', 'u']) {
      const insert = database.prepare(`INSERT OR IGNORE INTO ${table} (a, b, c, s) VALUES (?, ?, ?, ?)`);
      for (let row = 0; row < rowCount; row++) {
        const a = row + 10 * upTo(visible, 3);
        const b = oneOf(visible, ['x', 'y', 'Y', null, 3, 4]);
        const c = oneOf(visible, ['k', 'l', 'M', 7]);
        insert.run(a, b, c, `${upTo(hidden, 1000)} ${'canary'.repeat(1 + upTo(hidden, 3))} ${row}`);
      }
    }
    database.exec('INSERT OR IGNORE INTO p (a) VALUES (3); INSERT OR IGNORE INTO q (a) VALUES (4)');
    if (this.#seed % 2 === 0) database.exec('ANALYZE');
  }

  #table(name: string): string[] {
    const hasKey = this.#chance(0.7);
    const key = hasKey ? oneOf(this.#random, ['a', 'a', 'b', 's']) : undefined;
    const definitions = columns.map(column =>
      column === key
        ? `${column} ${oneOf(this.#random, column === 'a' ? keyTypes : types)} PRIMARY KEY`
        : `${column} ${oneOf(this.#random, types)}${this.#chance(0.15) ? ' UNIQUE' : ''}`,
    );
    definitions.push('d');
    definitions.push(
      this.#chance(0.5) ? `g AS (${oneOf(this.#random, generated)}) ${this.#chance(0.5) ? 'STORED' : ''}` : 'g',
    );
    if (!hasKey && this.#chance(0.4))
      definitions.push(`PRIMARY KEY (${oneOf(this.#random, ['a, s', 's, a', 'a, b', 's'])})`);
    if (this.#chance(0.2)) definitions.push(`UNIQUE (${oneOf(this.#random, ['a, s', 'b, c', 's, b', 'g, a'])})`);
    const options = hasKey && this.#chance(0.3) ? ' WITHOUT ROWID' : '';
    const indexes = Array.from({ length: upTo(this.#random, 4) }, (_, index) => {
      const condition = this.#chance(0.2) ? ` WHERE ${oneOf(this.#random, conditions)}` : '';
      return `CREATE INDEX ${name}${index} ON ${name} (${oneOf(this.#random, indexed)})${condition}`;
    });
    return [`CREATE TABLE ${name} (${definitions.join(', ')})${options}`, ...indexes];
  }

  #views(): string[] {
    return [0, 1, 2].map(index => {
      const source = oneOf(this.#random, ['t', 'u', 'main.t', ...relations.slice(2, 2 + index)]);
      const values = [this.#expression(), this.#expression(), 'c', 'a', 'g', 'd'].map(
        (value, place) => `${value} AS ${'abcsgd'[place]}`,
      );
      return `CREATE VIEW v${index} AS SELECT ${values.join(', ')} FROM ${source}${this.#chance(0.3) ? ' ORDER BY 1' : ''}`;
    });
  }

  /** No trigger fires itself again. How many rows there are does not depend on masked values. */
  #triggers(): string[] {
    return Array.from({ length: upTo(this.#random, 4) }, (_, index) => {
      const [owner, target] = [oneOf(this.#random, tables), oneOf(this.#random, tables)];
      const value = oneOf(this.#random, written);
      const command = oneOf(this.#random, [
        `UPDATE ${target} SET d = ${value}`,
        `UPDATE ${target} SET (c, d) = (SELECT max(s), 1 FROM t)`,
        `INSERT INTO q (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET d = ${value.replace('(SELECT s)', 'last_insert_rowid()')}`,
      ]);
      return `CREATE TRIGGER w${index} AFTER INSERT ON ${owner} BEGIN ${command}; END`;
    });
  }

  #expression(): string {
    return oneOf(this.#random, expressions);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }
}
