import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneOf, type Random, seeded, upTo } from '../../fuzz/random.ts';
import { addGenerated, generatedFile } from '../../support/generatedRows.ts';
import { ImportFolder } from '../../support/importSource.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const folder = new ImportFolder();
const tables = 30;

/** A table that others can refer to, with the columns of its keys. */
interface Target {
  readonly name: string;
  readonly columns: readonly string[];
  readonly types: readonly string[];
}

const checks: Readonly<Record<string, readonly string[]>> = {
  INTEGER: [
    '# BETWEEN 3 AND 9000',
    '# > -5',
    '# IN (1, 2, 3, 5, 8)',
    '# % 3 = 0',
    '# >= 10 AND # < 5000',
    '# IS NULL OR # > 100',
  ],
  TEXT: [
    "# IN ('a', 'b', 'it''s')",
    'length(#) > 2',
    'length(#) BETWEEN 5 AND 12',
    "# LIKE 'x%'",
    "# GLOB '[A-F][0-9]*'",
    "# <> 'a'",
    'length(#) = 6',
  ],
  REAL: ['# > 0', '# BETWEEN 0 AND 1', '# < 1e6'],
  BLOB: ['length(#) <= 20', 'length(#) >= 4'],
};
const names = [
  'email',
  'name',
  'price',
  'quantity',
  'created_at',
  'birth_date',
  'is_open',
  'note',
  'x',
  'Größe',
  'order',
  'city',
];

/** The statement of a random table, and the keys that others can refer to. */
function randomTable(random: Random, number: number, targets: readonly Target[]) {
  const name = `t${number}`;
  const isStrict = random() < 0.3;
  const columns: string[] = [];
  const parts: string[] = [];
  const own: { name: string; type: string; isRare: boolean }[] = [];
  for (let nth = 0; nth < 1 + upTo(random, 5); nth++) {
    const type = oneOf(random, [
      'INTEGER',
      'TEXT',
      'REAL',
      'BLOB',
      ...(isStrict ? [] : ['DATE', 'VARCHAR(30)', 'BOOLEAN', 'NUMERIC', '']),
    ]);
    const column = `${oneOf(random, names)}${nth}`;
    const check = random() < 0.4 ? oneOf(random, checks[type] ?? ['# IS NOT NULL']) : undefined;
    const notNull = random() < 0.5 ? 'NOT NULL' : '';
    columns.push(
      `"${column}" ${type} ${notNull} ${check === undefined ? '' : `CHECK (${check.replaceAll('#', `"${column}"`)})`}`,
    );
    own.push({ name: column, type, isRare: check !== undefined || type === 'BOOLEAN' });
  }
  const references: string[] = [];
  for (let nth = 0; nth < upTo(random, 3) && targets.length > 0; nth++) {
    const target = oneOf(random, targets);
    const local = target.columns.map((_column, place) => `f${nth}_${place}`);
    for (const [place, column] of local.entries()) {
      columns.push(`${column} ${target.types[place]!} ${random() < 0.5 ? 'NOT NULL' : ''}`);
    }
    references.push(...local.slice(0, 1));
    parts.push(
      `FOREIGN KEY (${local.join(', ')}) REFERENCES ${target.name} (${target.columns.map(column => `"${column}"`).join(', ')})`,
    );
  }
  if (random() < 0.3)
    columns.push(
      `g AS ("${own[0]!.name}" || 'g') ${isStrict ? 'TEXT' : ''}`.replace(/^g AS (.*) TEXT$/, 'g TEXT AS $1'),
    );
  const kind = upTo(random, 4);
  const keys: Target[] = [];
  const plain = own.filter(({ isRare }) => !isRare);
  if (kind === 0) columns.unshift(`id INTEGER PRIMARY KEY ${random() < 0.5 ? 'AUTOINCREMENT' : ''}`);
  if (kind === 0) keys.push({ name, columns: ['id'], types: ['INTEGER'] });
  const keyed = oneOf(random, own);
  let suffix = isStrict ? 'STRICT' : '';
  if (kind === 1 && plain.length > 1) {
    const pair = plain.slice(0, 2);
    parts.unshift(`PRIMARY KEY (${pair.map(column => `"${column.name}"`).join(', ')})`);
    if (random() < 0.5) suffix = isStrict ? 'STRICT, WITHOUT ROWID' : 'WITHOUT ROWID';
    keys.push({ name, columns: pair.map(column => column.name), types: pair.map(({ type }) => type) });
  }
  if (kind === 2) parts.push(`UNIQUE ("${keyed.name}"${references.length > 0 ? `, ${references[0]!}` : ''})`);
  if (kind === 3 && plain.length > 0) {
    parts.push(`UNIQUE ("${plain[0]!.name}" COLLATE NOCASE)`);
  }
  return { sql: `CREATE TABLE ${name} (${[...columns, ...parts].join(', ')}) ${suffix}`, name, keys };
}

test(`the service takes all rows that are generated for ${tables} random tables, and the same seed gives the same rows`, async context => {
  const random = seeded(20_251);
  const targets: Target[] = [];
  const counts = { tables: 0, rows: 0, limited: 0 };
  for (let number = 0; number < tables; number++) {
    const { sql, name, keys } = randomTable(random, number, targets);
    await client.execSql(projectId, { sql });
    const choice = {
      client,
      projectId,
      folder: folder.path,
      table: name,
      seed: upTo(random, 1e6),
      count: 1 + upTo(random, 80),
    };
    const file = await generatedFile(choice);
    assert.equal(file.definitionFault, undefined, sql);
    if (file.limit)
      assert.ok(['keysExhausted', 'keyTaken'].includes(file.limit.kind), `${JSON.stringify(file.limit)} ${sql}`);
    assert.ok(file.rowCount > 0, sql);
    assert.deepEqual((await generatedFile(choice)).rows, file.rows, sql);
    assert.deepEqual(await addGenerated(choice, file), [], sql);
    // A second time, the table has rows.
    const again = { ...choice, count: 20 };
    const more = await generatedFile(again);
    assert.deepEqual(await addGenerated(again, more), [], sql);
    counts.tables++;
    counts.rows += file.rowCount + more.rowCount;
    if (file.limit || more.limit) counts.limited++;
    targets.push(...keys);
  }
  const faults = await client.execSql(projectId, { sql: 'SELECT count(*) AS n FROM pragma_foreign_key_check' });
  assert.deepEqual(faults.rows, [{ n: 0 }]);
  context.diagnostic(JSON.stringify(counts));
});
