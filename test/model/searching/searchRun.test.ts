import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { after, test } from 'node:test';
import { foldAscii } from '../../../src/base/foldAscii.ts';
import { Client } from '../../../src/client/index.ts';
import { RowRandom } from '../../../src/model/generating/random.ts';
import type { StatementRun } from '../../../src/model/results/statementRun.ts';
import { rowsPerSign, type SearchKind } from '../../../src/model/searching/searchStatement.ts';
import { quoteIdentifier } from '../../../src/sql/text/quoting.ts';
import { endlessRows } from '../../support/endlessRows.ts';
import { HandClock } from '../../support/handClock.ts';
import { openCalls } from '../../support/openCalls.ts';
import { startRowsThread } from '../../support/rowsThread.ts';
import { foundRows, openSearch } from '../../support/searchedTables.ts';
import { seedsOf } from '../../support/seeds.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { startTestService } from '../../support/testService.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

const service = await startTestService();
const { client, projectId } = service;
const thread = startRowsThread();
after(() => thread.dispose());
const parts = { client, projectId, folder: temporaryFolder(), thread };

const execute = (...statements: readonly string[]): Promise<void> =>
  statements.reduce<Promise<unknown>>(
    (before, sql) => before.then(() => client.execSql(projectId, { sql })),
    Promise.resolve(),
  ) as Promise<void>;

/** Settles when the condition holds. Checks it with each change of the run. */
async function whenever(run: StatementRun, isTrue: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = run.onChange(() => isTrue() && resolve());
  if (!isTrue()) await promise;
  listener.dispose();
}

const texts = [
  '',
  'a',
  'A',
  'xa%b',
  'a_b',
  'a\\b',
  "it's",
  '"quoted"',
  '42',
  '42.0',
  ' 42',
  'x42',
  '1e3',
  'Ä a',
  'ä',
  '日本 A',
];
const values = [
  ...texts.map(text => `'${text.replaceAll("'", "''")}'`),
  'NULL',
  '42',
  '42.0',
  '-1.5',
  '1000',
  "x'3432'",
  "x''",
];
const wanted = ['a', 'A', '%', '_', '\\', '42', '42.0', "'", '"', 'ä', '.', '1000', '1e3', '日本', "x'3432'", ''];
const kinds: readonly SearchKind[] = ['contains', 'equals', 'startsWith'];

/** Table definitions, with the column that is the key of a row. */
const searched = [
  { name: 'plain', columns: ['a', 'b TEXT', 'c BLOB'], key: 'rowid' },
  {
    name: 'numbered',
    columns: ['id INTEGER PRIMARY KEY', '"sel""ect" INTEGER', "[it's %_\\] REAL", 'd NUMERIC'],
    key: 'id',
  },
  { name: 'keyed "table"', columns: ['"the key" TEXT PRIMARY KEY', 'rowid'], key: 'the key', suffix: ' WITHOUT ROWID' },
  { name: "odd '%_\\", columns: ['rowid', '_rowid_ VARCHAR', '"from" DATE'], key: 'oid' },
  { name: 'view of plain', columns: [], key: undefined },
] as const;

/** The values that a person finds who reads all rows. */
function foundByReading(database: DatabaseSync, kind: SearchKind, text: string): string[] {
  const found: string[] = [];
  for (const { name, key } of searched) {
    const keyValue = key === undefined ? 'NULL' : quoteIdentifier(key);
    for (const row of database.prepare(`PRAGMA table_info(${quoteIdentifier(name)})`).all()) {
      const [column, type] = [String(row['name']), String(row['type'])];
      const quoted = quoteIdentifier(column);
      const sql = `SELECT ${keyValue}, typeof(${quoted}), ${quoted} FROM ${quoteIdentifier(name)}`;
      const rows = database.prepare(sql);
      rows.setReturnArrays(true);
      for (const [keyOfRow, storageClass, value] of rows.all() as unknown as SQLOutputValue[][]) {
        const shown = value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : String(value);
        // Only columns that are meant for them are searched for BLOBs.
        if (storageClass === 'blob' && /INT|CHAR|TEXT|REAL/.test(type)) continue;
        if (!matches(storageClass, shown, kind, text)) continue;
        found.push([name, column, keyOfRow ?? 'null', shown, 'null'].join('|'));
      }
    }
  }
  return found.toSorted();
}

function matches(storageClass: unknown, shown: string, kind: SearchKind, text: string): boolean {
  if (storageClass === 'null') return false;
  if (kind === 'equals') {
    const isNumber = storageClass === 'integer' || storageClass === 'real';
    return isNumber ? text.trim() !== '' && Number(shown) === Number(text) : shown === text;
  }
  if (storageClass === 'blob' || text === '') return storageClass !== 'blob';
  const [value, start] = [foldAscii(shown), foldAscii(text)];
  return kind === 'contains' ? value.includes(start) : value.startsWith(start);
}

for (const seed of seedsOf({ few: 2, all: 20 })) {
  test(`a search finds what a person finds who reads all rows, with seed ${seed}`, async () => {
    for (const { name, columns, ...table } of searched) {
      const quoted = quoteIdentifier(name);
      if (columns.length === 0) {
        await execute(
          `DROP VIEW IF EXISTS ${quoted}`,
          `CREATE VIEW ${quoted} AS SELECT b, a || '' AS joined, 42 AS n FROM plain`,
        );
        continue;
      }
      const suffix = 'suffix' in table ? table.suffix : '';
      await execute(`DROP TABLE IF EXISTS ${quoted}`, `CREATE TABLE ${quoted} (${columns.join(', ')})${suffix}`);
      for (let row = 0; row < 30; row++) {
        const random = new RowRandom(seed, row, name.length);
        const own = columns.map((column, nth) => {
          if (column.startsWith('id ')) return String(row);
          return nth === 0 && suffix !== '' ? `'key ${row}'` : random.oneOf(values);
        });
        await execute(`INSERT INTO ${quoted} VALUES (${own.join(', ')})`);
      }
    }
    const database = new DatabaseSync(join(service.folder, 'projects', `${projectId}.sqlite`), { readOnly: true });
    after(() => database.close());
    for (const kind of kinds) {
      for (const text of wanted) {
        await using run = openSearch({ ...parts, text, kind, tables: searched.map(({ name }) => name) });
        await run.start();
        assert.equal(run.state, 'done', String(run.error));
        assert.deepEqual((await foundRows(run)).toSorted(), foundByReading(database, kind, text), `${kind} ${text}`);
      }
    }
  });
}

test('a search fetches only the part around the match of a long text', async () => {
  await execute(
    'CREATE TABLE long (id INTEGER PRIMARY KEY, body)',
    `INSERT INTO long VALUES (1, printf('%.*c', 3000000, 'x') || 'Needle' || printf('%.*c', 3000000, 'y')), (2, 'needle')`,
  );
  await using run = openSearch({ ...parts, text: 'NEEDLE', tables: ['long'] });
  await run.start();
  const [long, short] = await foundRows(run);
  assert.match(long!, /^long\|body\|1\|…x{30}Needley{164}…\|null$/);
  assert.equal(short, 'long|body|2|needle|null');
  assert.ok(run.sizeBytes < 1000, `${run.sizeBytes} bytes`);
});

test('a table of many columns is searched in all of them', async () => {
  const columns = Array.from({ length: 130 }, (_, nth) => `c${nth}`);
  await execute(
    `CREATE TABLE wide (${columns.join(', ')})`,
    `INSERT INTO wide (c0, c49, c50, c129) VALUES ('here', 'here', 'here', 'here')`,
  );
  await using run = openSearch({ ...parts, text: 'here', tables: ['wide'] });
  await run.start();
  const found = ['c0', 'c49', 'c50', 'c129'].map(column => `wide|${column}|1|here|null`);
  assert.deepEqual(await foundRows(run), found);
  assert.equal(run.cellAt(3)?.columnIndex, 129);
});

test('a table that is dropped, or whose statement fails, has a note, and the search goes on', async () => {
  await execute(
    'CREATE TABLE first (a)',
    'CREATE TABLE dropped (a)',
    'CREATE TABLE last (a)',
    `INSERT INTO first VALUES ('one')`,
    `INSERT INTO last VALUES ('one more')`,
    'CREATE VIEW view_broken AS SELECT missing FROM first',
  );
  const tables = ['gone', 'first', 'dropped', 'view_broken', 'last'];
  const onColumns = async (table: string): Promise<unknown> => table === 'dropped' && execute('DROP TABLE dropped');
  await using run = openSearch({ ...parts, text: 'one', tables, onColumns });
  await run.start();
  assert.equal(run.state, 'done', String(run.error));
  assert.deepEqual(await foundRows(run), [
    'gone|null|null|null|fault',
    'first|a|1|one|null',
    'dropped|null|null|null|fault',
    'view_broken|null|null|null|fault',
    'last|a|1|one more|null',
  ]);
  assert.deepEqual(run.progress(), { text: 'one', column: 3, tables: 5, searched: 5, table: undefined });
});

test('a table that uses up its time is left with what it gave, and a note on what was searched', async () => {
  await execute(
    `CREATE VIEW view_endless AS ${endlessRows}`,
    'CREATE TABLE after_it (a)',
    'INSERT INTO after_it VALUES (777)',
  );
  const clock = new HandClock();
  await using run = openSearch({ ...parts, text: '777', kind: 'equals', tables: ['view_endless', 'after_it'], clock });
  let changes = 0;
  run.onChange(() => changes++);
  const ended = run.start();
  // Each row that shows how far the search is changes the run.
  await whenever(run, () => run.rowCount > 0 && changes > 10);
  assert.equal(run.progress().table, 'view_endless');
  clock.advance(60_000);
  await ended;
  assert.deepEqual(await foundRows(run), [
    'view_endless|i|null|777|null',
    'view_endless|null|null|null|time',
    'after_it|a|1|777|null',
  ]);
  const [note] = run.notes;
  assert.ok(note?.kind === 'time' && note.rows >= rowsPerSign, JSON.stringify(note));
  await waitUntil(async () => (await openCalls(service)) === 0, { what: 'the statement is stopped' });
});

test('a search ends a table after its share of values, and itself after all', async () => {
  await execute('CREATE TABLE many (a, b)', `INSERT INTO many VALUES ('x', 'x'), ('x', 'x'), ('x', 'x')`);
  const tables = ['many', 'many', 'many', 'many'];
  await using run = openSearch({ ...parts, text: 'x', tables, limits: { tableCells: 3, allCells: 5 } });
  await run.start();
  assert.deepEqual(await foundRows(run), [
    ...['many|a|1|x|null', 'many|b|1|x|null', 'many|a|2|x|null'],
    'many|null|null|null|cells',
    ...['many|a|1|x|null', 'many|b|1|x|null'],
    'many|null|null|null|allCells',
  ]);
  assert.deepEqual(run.notes, [{ kind: 'cells' }, { kind: 'allCells', tables: 2 }]);
  await using whole = openSearch({ ...parts, text: 'x', tables: ['many'], limits: { allCells: 6 } });
  await whole.start();
  assert.deepEqual([whole.notes.length, whole.columns.length, run.columns.length], [0, 4, 5]);
});

test('a search that is stopped keeps what it found, and the service stops, too', async () => {
  await execute(`CREATE VIEW view_stopped AS ${endlessRows}`);
  await using run = openSearch({ ...parts, text: '99', kind: 'equals', tables: ['view_stopped', 'first'] });
  const ended = run.start();
  await whenever(run, () => run.rowCount > 0);
  run.controls.cancel();
  await ended;
  assert.equal(run.state, 'cancelled');
  assert.deepEqual(await foundRows(run), ['view_stopped|i|null|99|null']);
  assert.equal(run.progress().searched, 0);
  await waitUntil(async () => (await openCalls(service)) === 0, { what: 'the statement is stopped' });
});

test('a key that is refused ends the search with its fault', async () => {
  await using stranger = new Client({ baseUrl: service.baseUrl, apiKey: 'no such key', retries: 0 });
  await using run = openSearch({ ...parts, client: stranger, text: 'x', tables: ['many', 'first'] });
  await run.start();
  assert.equal(run.state, 'failed');
  assert.equal((run.error as { code?: string }).code, 'unauthenticated');
  assert.equal(run.rowCount, 0);
});
