import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { readRelations } from '../../src/model/catalog/relations.ts';
import { quoteIdentifier } from '../../src/sql/text/quoting.ts';
import { oneOf, type Random, seeded, upTo } from '../fuzz/random.ts';
import { seedsOf } from '../support/seeds.ts';
import { startTestService } from '../support/testService.ts';

const service = await startTestService();
const project = service.client.project(service.projectId);
const run = async (sql: string): Promise<void> => {
  await service.client.execSql(service.projectId, { sql });
};

const names = ['a', 'B', 'ab c', 'Ünï', 'order', 'x"y', 'missing one'];
const columnNames = ['id', 'Key', 'two words', 'é', 'z'];

/** A table with keys to tables that exist, to itself, and to missing ones. */
function randomTable(random: Random, name: string): string {
  const columns = columnNames.slice(0, 2 + upTo(random, 4));
  const list = (count: number): string =>
    Array.from({ length: count }, (_, index) => quoteIdentifier(columns[index % columns.length]!)).join(', ');
  const otherCase = (text: string): string => (random() < 0.5 ? text.toUpperCase() : text);
  const parts = columns.map(column => `${quoteIdentifier(column)} INTEGER${random() < 0.4 ? ' NOT NULL' : ''}`);
  if (random() < 0.7) parts.push(`PRIMARY KEY (${list(1 + upTo(random, 2))})`);
  if (random() < 0.4) parts.push(`UNIQUE (${list(1 + upTo(random, 2))})`);
  for (let key = 0; key < upTo(random, 4); key++) {
    const count = 1 + upTo(random, Math.min(3, columns.length));
    const target = quoteIdentifier(otherCase(oneOf(random, names)));
    const targets = random() < 0.5 ? '' : ` (${otherCase(list(count))})`;
    parts.push(`FOREIGN KEY (${list(count)}) REFERENCES ${target}${targets}`);
  }
  return `CREATE TABLE ${quoteIdentifier(name)} (${parts.join(', ')})`;
}

const lower = (text: unknown): string => String(text).replaceAll(/[A-Z]/g, letter => letter.toLowerCase());

test('the foreign keys of random tables are those of PRAGMA foreign_key_list', async () => {
  for (const seed of seedsOf({ few: 10, all: 300 })) {
    const random = seeded(seed);
    const statements = names.slice(0, -1).map(name => randomTable(random, name));
    using database = new DatabaseSync(':memory:');
    for (const sql of statements) {
      database.exec(sql);
      await run(sql);
    }
    const relations = await readRelations(project);
    for (const name of names.slice(0, -1)) {
      const table = relations.find(relation => relation.name === name)!;
      const keys = Map.groupBy(
        database.prepare(`PRAGMA foreign_key_list(${quoteIdentifier(name)})`).all(),
        row => row['id'],
      );
      const expected = [...keys]
        .toSorted(([one], [other]) => Number(one) - Number(other))
        .map(([, parts]) => ({
          columns: parts.map(({ from }) => from),
          table: lower(parts[0]!['table']),
          targets: parts.flatMap(({ to }) => (to === null ? [] : [lower(to)])),
        }));
      assert.deepEqual(
        table.keys.map(({ columns, table: target, targets }, index) => ({
          columns,
          table: lower(target),
          // Without target columns, the pragma names none.
          targets: expected[index]?.targets.length === 0 ? [] : targets.map(lower),
        })),
        expected,
        statements.join(';\n'),
      );
    }
    for (const name of names.slice(0, -1)) await run(`DROP TABLE ${quoteIdentifier(name)}`);
  }
});

test('the cardinality of a key comes from NOT NULL and UNIQUE', async () => {
  await run(`CREATE TABLE parent (a INTEGER, b TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID`);
  await run(`CREATE TABLE child (id INTEGER PRIMARY KEY REFERENCES child, b TEXT NOT NULL, a INTEGER, x INTEGER UNIQUE REFERENCES gone,
    y INTEGER NOT NULL REFERENCES gone (k), FOREIGN KEY (b, a) REFERENCES PARENT)`);
  await run('CREATE UNIQUE INDEX child_y ON child (y) WHERE y > 0');
  await run(`CREATE TABLE plain_key (t TEXT PRIMARY KEY REFERENCES gone, w TEXT, UNIQUE (w, t))`);
  const relations = await readRelations(project);
  const keysOf = (name: string): unknown[][] =>
    relations
      .find(table => table.name === name)!
      .keys.map(({ columns, table, targets, isRequired, isUnique }) => [
        columns.join(),
        table,
        targets.join(),
        isRequired ? 'required' : 'optional',
        isUnique ? 'unique' : 'many',
      ])
      .toSorted(([one], [other]) => String(one).localeCompare(String(other)));
  assert.deepEqual(keysOf('child'), [
    ['b,a', 'parent', 'b,a', 'optional', 'many'],
    ['id', 'child', 'id', 'required', 'unique'],
    ['x', 'gone', '', 'optional', 'unique'],
    // A partial index lets other rows be the same.
    ['y', 'gone', 'k', 'required', 'many'],
  ]);
  // SQLite lets a primary key that is no row id be NULL.
  assert.deepEqual(keysOf('plain_key'), [['t', 'gone', '', 'optional', 'unique']]);
  const parent = relations.find(({ name }) => name === 'parent')!;
  assert.deepEqual(parent.columns, [
    { name: 'a', type: 'INTEGER', isPrimary: true, isNotNull: true },
    { name: 'b', type: 'TEXT', isPrimary: true, isNotNull: true },
  ]);
});

test('the cardinality of random keys is what their rows can be', async () => {
  for (const seed of seedsOf({ few: 10, all: 200 })) {
    const random = seeded(seed);
    const statement = randomTable(random, 'a');
    using database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
    database.exec(statement);
    await run(statement);
    const table = (await readRelations(project)).find(({ name }) => name === 'a');
    let value = 0;
    /** Inserts a row of new values, except for some columns. Returns whether the table takes it. */
    const takes = (given: ReadonlyMap<string, number | null>): boolean => {
      const values = table!.columns.map(({ name }) => (given.has(name) ? given.get(name)! : ++value));
      try {
        database.prepare(`INSERT INTO a VALUES (${values.map(() => '?').join(', ')})`).run(...values);
        return true;
      } catch {
        return false;
      }
    };
    const hasNull = (column: string): boolean =>
      database.prepare(`SELECT 1 FROM a WHERE ${quoteIdentifier(column)} IS NULL`).get() !== undefined;
    for (const { columns, isRequired, isUnique } of table!.keys) {
      const canBeNull = columns.some(column => takes(new Map([[column, null]])) && hasNull(column));
      assert.equal(isRequired, !canBeNull, statement);
      const same = new Map(columns.map(column => [column, ++value]));
      assert.ok(takes(same), statement);
      assert.equal(isUnique, !takes(same), statement);
    }
    await run('DROP TABLE a');
  }
});
