import type { DatabaseSync } from 'node:sqlite';
import { isSameName, keyOf } from '../sql/text/names.ts';
import { quoteIdentifier } from '../sql/text/quoting.ts';
import type { RowOrder } from './fileRows.ts';
import type { MovedTable } from './movedTable.ts';

/**
 * Services check foreign keys with each statement, so parents are written first. No order suits the tables of `inCircle`: their
 * rows refer to each other.
 */
export function tableOrder(database: DatabaseSync, tables: readonly MovedTable[]) {
  const parents = new Map(tables.map(table => [keyOf(table.name), parentsOf(database, table)]));
  const ordered: MovedTable[] = [];
  const placed = new Set<string>();
  let remaining = tables;
  for (;;) {
    const isFree = ({ name }: MovedTable): boolean =>
      [...parents.get(keyOf(name))!].every(parent => placed.has(parent) || !parents.has(parent));
    const free = remaining.filter(isFree);
    if (free.length === 0) return { tables: ordered, inCircle: remaining };
    ordered.push(...free);
    for (const { name } of free) placed.add(keyOf(name));
    remaining = remaining.filter(({ name }) => !placed.has(keyOf(name)));
  }
}

/** The other tables that the rows refer to. A foreign key that no row uses does not count. */
function parentsOf(database: DatabaseSync, { name, foreignKeys }: MovedTable): ReadonlySet<string> {
  const others = foreignKeys.filter(({ table }) => !isSameName(table, name));
  const used = others.filter(({ columns }) => {
    const isSet = columns.map(column => `${quoteIdentifier(column)} IS NOT NULL`).join(' AND ');
    return database.prepare(`SELECT 1 FROM ${quoteIdentifier(name)} WHERE ${isSet} LIMIT 1`).get() !== undefined;
  });
  return new Set(used.map(({ table }) => keyOf(table)));
}

/** `circle`: some rows refer to each other. `later`: a table without row ids has rows that refer to later ones. */
type RowOrderFault = 'circle' | 'later';

/**
 * The order for rows that refer to rows of the same table. Undefined if the order of the key suits them. A temporary table
 * holds the order: that takes disk space instead of memory.
 */
export function rowOrder(database: DatabaseSync, table: MovedTable, nth: number): RowOrder | RowOrderFault | undefined {
  const own = table.foreignKeys.filter(key => isSameName(key.table, table.name));
  if (own.length === 0) return undefined;
  const name = quoteIdentifier(table.name);
  const joins = own.map(({ columns, targets }) =>
    columns
      .map((column, place) => `p.${quoteIdentifier(targets[place] ?? '')} = c.${quoteIdentifier(column)}`)
      .join(' AND '),
  );
  const later = isLater(table);
  const hasLater = joins.some(join =>
    database.prepare(`SELECT 1 FROM ${name} AS c JOIN ${name} AS p ON ${join} WHERE ${later} LIMIT 1`).get(),
  );
  if (!hasLater) return undefined;
  if (!table.isByRowId) return 'later';
  const id = quoteIdentifier(table.key[0]!.name);
  const order = `temp.order${nth}`;
  const parents = `temp.parents${nth}`;
  database.exec(`CREATE TABLE ${order} (n INTEGER PRIMARY KEY, id INTEGER UNIQUE)`);
  database.exec(`CREATE TABLE ${parents} (child INTEGER, parent INTEGER)`);
  for (const join of joins) {
    database.exec(
      `INSERT INTO ${parents} SELECT c.${id}, p.${id} FROM ${name} AS c JOIN ${name} AS p ON ${join} WHERE c.${id} <> p.${id}`,
    );
  }
  database.exec(`CREATE INDEX temp.byChild${nth} ON parents${nth} (child)`);
  database.exec(`CREATE INDEX temp.byParent${nth} ON parents${nth} (parent)`);
  database.exec(
    `INSERT INTO ${order} (id) SELECT ${id} FROM ${name} WHERE ${id} NOT IN (SELECT child FROM ${parents}) ORDER BY ${id}`,
  );
  addChildren(database, order, parents);
  const count = (from: string): unknown => database.prepare(`SELECT count(*) AS n FROM ${from}`).get()!['n'];
  return count(order) === count(name) ? { table: order } : 'circle';
}

/** Adds rows whose parents all have a position, generation by generation. */
function addChildren(database: DatabaseSync, order: string, parents: string): void {
  const last = database.prepare(`SELECT coalesce(max(n), 0) AS n FROM ${order}`);
  const add = database.prepare(
    `INSERT INTO ${order} (id) SELECT DISTINCT e.child FROM ${order} AS o JOIN ${parents} AS e ON e.parent = o.id
      WHERE o.n > ? AND o.n <= ? AND NOT EXISTS (
        SELECT 1 FROM ${parents} AS other WHERE other.child = e.child AND other.parent NOT IN (SELECT id FROM ${order}))
      AND e.child NOT IN (SELECT id FROM ${order}) ORDER BY e.child`,
  );
  let from = 0;
  for (let to = Number(last.get()!['n']); to > from;) {
    add.run(from, to);
    from = to;
    to = Number(last.get()!['n']);
  }
}

/** SQL for: the parent `p` comes after its child `c` in the order of the key. */
function isLater({ key }: MovedTable): string {
  const terms = (alias: string): string =>
    key
      .map(({ name, collation }) => `${alias}.${quoteIdentifier(name)} COLLATE ${quoteIdentifier(collation)}`)
      .join(', ');
  return `(${terms('p')}) > (${terms('c')})`;
}
