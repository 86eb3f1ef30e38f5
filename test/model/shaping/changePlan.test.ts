import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameTableDesign } from '../../../src/model/shaping/canonicalDesign.ts';
import { planOn } from '../../../src/model/shaping/changePlan.ts';
import type { ChangePlan } from '../../../src/model/shaping/plan.ts';
import { undoStatements } from '../../../src/model/shaping/planBuilder.ts';
import { Rehearsal } from '../../../src/model/shaping/rehearsal.ts';
import type { ColumnDesign, TableDesign } from '../../../src/protocol/tableDesign.ts';
import {
  newColumn,
  newIndex,
  newTableDesign,
  removeColumn,
  renameColumn,
  withTableName,
} from '../../../src/model/shaping/tableDesign.ts';
import { ShapedDatabase } from '../../support/shapedDatabase.ts';

const withColumn = (design: TableDesign, name: string, changes: Partial<ColumnDesign>): TableDesign => ({
  ...design,
  columns: design.columns.map(column => (column.name === name ? Object.assign({ ...column }, changes) : column)),
});

const idOf = (design: TableDesign, name: string): string => design.columns.find(column => column.name === name)!.id;

const sqlOf = ({ steps }: ChangePlan): string[] => steps.map(({ sql }) => sql);

const family = `
  CREATE TABLE parent (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, up INTEGER REFERENCES parent ON DELETE RESTRICT);
  CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parent (id) ON DELETE CASCADE, t TEXT);
  CREATE TABLE grandchild (child INTEGER REFERENCES child ON DELETE SET NULL, b BLOB);
  CREATE UNIQUE INDEX parent_name ON parent (name);
  CREATE VIEW names AS SELECT name FROM parent;
  CREATE TRIGGER names_insert INSTEAD OF INSERT ON names BEGIN INSERT INTO parent (name) VALUES (new.name); END;
  CREATE TRIGGER child_gone AFTER DELETE ON child BEGIN UPDATE parent SET name = name || '!' WHERE id = old.parent; END;
  INSERT INTO parent VALUES (1, 'one', NULL), (2, 'two', 1), (3, 'three', 3), (90, 'gone', 1);
  DELETE FROM parent WHERE id = 90;
  INSERT INTO child VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 2, 'c');
  INSERT INTO grandchild VALUES (1, x'00'), (3, NULL)`;

/** A change that ALTER TABLE cannot make. */
const withCheck = (design: TableDesign): TableDesign => ({
  ...design,
  checks: [...design.checks, { expression: "name <> ''" }],
});

const familyRows = (database: ShapedDatabase): unknown =>
  ['parent', 'child', 'grandchild'].map(table => database.query(`SELECT rowid, * FROM ${table} ORDER BY rowid`));

test('SQLite makes all possible changes in place', async () => {
  using database = new ShapedDatabase(family);
  const before = database.design('parent');
  const renamed = renameColumn(withTableName(before, 'person'), idOf(before, 'up'), 'their boss');
  const after = {
    ...renamed,
    columns: [...renamed.columns, { ...newColumn('age'), type: 'INT', notNull: {}, defaultValue: '0' }],
    indexes: [{ ...newIndex('by_age'), parts: [{ column: idOf(renamed, 'their boss') }] }],
  };
  const plan = await database.plan(before, after);
  assert.deepEqual(plan.refusals, []);
  assert.equal(plan.way, 'alter');
  assert.deepEqual(sqlOf(plan), [
    'ALTER TABLE parent RENAME TO person',
    'ALTER TABLE person RENAME COLUMN up TO "their boss"',
    'DROP INDEX parent_name',
    'ALTER TABLE person ADD COLUMN age INT NOT NULL DEFAULT 0',
    'CREATE INDEX by_age ON person ("their boss")',
  ]);
  database.apply(plan);
  assert.ok(isSameTableDesign(database.design('person'), after));
  assert.equal(database.count('SELECT count(*) FROM names'), 3);
  assert.equal(database.count('SELECT count(*) FROM child'), 3);
});

test('names that change places, or only their case, are renamed through others', async () => {
  using database = new ShapedDatabase(`CREATE TABLE t (a TEXT, b TEXT, c TEXT); INSERT INTO t VALUES ('a', 'b', 'c')`);
  const before = database.design('t');
  const swapped = before.columns.map(column =>
    Object.assign({ ...column }, { name: { a: 'b', b: 'a', c: 'C' }[column.name] }),
  );
  const plan = await database.plan(before, { ...before, name: 'T', columns: swapped });
  assert.deepEqual(plan.refusals, []);
  assert.equal(plan.way, 'alter');
  database.apply(plan);
  assert.deepEqual(database.query('SELECT b, a, C FROM T'), [['a', 'b', 'c']]);
  assert.ok(database.schema.some(({ name }) => name === 'T'));
});

test('a rebuild keeps the rows of tables that refer to the table, whatever their actions', async () => {
  using database = new ShapedDatabase(family);
  const rows = familyRows(database);
  const before = database.design('parent');
  const after = withCheck(before);
  const plan = await database.plan(before, after);
  assert.equal(plan.way, 'rebuild');
  assert.deepEqual(
    plan.warnings.filter(({ code }) => code === 'tableRebuilt').map(({ subject }) => subject),
    ['child', 'grandchild'],
  );
  database.apply(plan);
  assert.deepEqual(familyRows(database), rows);
  assert.ok(isSameTableDesign(database.design('parent'), after));
  assert.deepEqual(database.query('PRAGMA foreign_key_check'), []);
  // The keys, views and triggers work as before.
  database.run(`INSERT INTO names VALUES ('four')`);
  assert.deepEqual(database.query(`SELECT id FROM parent WHERE name = 'four'`), [[91n]]);
  database.run('DELETE FROM child WHERE id = 3');
  assert.deepEqual(database.query('SELECT name FROM parent WHERE id = 2'), [['two!']]);
  assert.deepEqual(database.query('SELECT child FROM grandchild ORDER BY rowid'), [[1n], [null]]);
  assert.throws(() => database.run(`INSERT INTO parent (name) VALUES ('')`), /CHECK constraint failed/);
});

test('a rebuild can be taken back until the new table takes writes', async () => {
  using probe = new ShapedDatabase(family);
  const { steps } = await probe.plan(probe.design('parent'), withCheck(probe.design('parent')));
  const last = steps.findIndex(({ undo }) => undo === undefined);
  assert.equal(steps[last]?.code, 'unlockTable');
  for (let count = 0; count <= last; count++) {
    using database = new ShapedDatabase(family);
    const rows = familyRows(database);
    const schema = database.schema.map(({ sql }) => sql.replaceAll('"', '')).toSorted();
    for (const { sql } of steps.slice(0, count)) database.run(sql);
    for (const sql of undoStatements(steps, count)!) database.run(sql);
    assert.deepEqual(familyRows(database), rows, `taken back after ${count} steps`);
    assert.deepEqual(database.schema.map(({ sql }) => sql.replaceAll('"', '')).toSorted(), schema);
    database.run(`INSERT INTO names VALUES ('new')`);
  }
  assert.equal(undoStatements(steps, last + 1), undefined);
});

test('a write during a rebuild is refused, or it is in the new table', async () => {
  using probe = new ShapedDatabase(family);
  const { steps } = await probe.plan(probe.design('parent'), withCheck(probe.design('parent')));
  let refused = 0;
  for (let stop = 0; stop <= steps.length; stop++) {
    using database = new ShapedDatabase(family);
    const accepted: string[] = [];
    const write = (sql: string, check: string): void => {
      try {
        database.run(sql);
        accepted.push(check);
      } catch {
        refused++;
      }
    };
    for (const { sql } of steps.slice(0, stop)) database.run(sql);
    write(`INSERT INTO parent (id, name) VALUES (1000, 'late')`, `SELECT count(*) FROM parent WHERE id = 1000`);
    write(`INSERT INTO child VALUES (1001, 3, 'late')`, `SELECT count(*) FROM child WHERE id = 1001`);
    write(`UPDATE parent SET name = 'changed' WHERE id = 3`, `SELECT count(*) FROM parent WHERE name = 'changed'`);
    write('DELETE FROM parent WHERE id = 2', 'SELECT (SELECT count(*) FROM parent WHERE id = 2) = 0');
    for (const { sql } of steps.slice(stop)) database.run(sql);
    for (const check of accepted) assert.equal(database.count(check), 1, `${check} after step ${stop}`);
  }
  assert.ok(refused > steps.length, `${refused} writes were refused`);
});

test('a table that refers to the old one since the plan was made stops the plan, and keeps its rows', async () => {
  for (const late of [
    'CREATE TABLE late (parent INTEGER REFERENCES parent ON DELETE CASCADE)',
    'CREATE VIEW late AS SELECT 7 AS seven FROM parent LIMIT 1',
  ]) {
    using database = new ShapedDatabase(family);
    const { steps } = await database.plan(database.design('parent'), withCheck(database.design('parent')));
    database.run(late);
    if (late.includes('TABLE')) database.run('INSERT INTO late VALUES (1), (2)');
    const rows = database.query('SELECT * FROM late');
    const check = steps.findIndex(({ code }) => code === 'checkUses');
    for (const { sql } of steps.slice(0, check)) database.run(sql);
    assert.throws(() => database.run(steps[check]!.sql), /still used by: late'/);
    for (const sql of undoStatements(steps, check)!) database.run(sql);
    assert.deepEqual(database.query('SELECT * FROM late'), rows);
    database.run(`INSERT INTO names VALUES ('new')`);
  }
});

test('rows that do not fit stop a rebuild before the table is touched', async () => {
  using database = new ShapedDatabase(
    `CREATE TABLE t (a TEXT, b INT UNIQUE); INSERT INTO t VALUES ('x', 1), (NULL, 2)`,
  );
  const before = database.design('t');
  const plan = await database.plan(before, withColumn(before, 'a', { notNull: { onConflict: 'IGNORE' } }));
  const [warning] = plan.warnings;
  assert.equal(warning?.code, 'nullsRefused');
  assert.equal(database.count(warning.countSql!), 1);
  // The conflict clause must not drop the row silently.
  assert.throws(() => database.apply(plan), /NOT NULL constraint failed/);
  const failed = plan.steps.findIndex(({ code }) => code === 'copyRows');
  for (const sql of undoStatements(plan.steps, failed)!) database.run(sql);
  assert.deepEqual(database.query('SELECT * FROM t'), [
    ['x', 1n],
    [null, 2n],
  ]);
  database.run(`INSERT INTO t VALUES ('y', 3)`);
});

test('a copy that differs from its table stops the plan', async () => {
  using database = new ShapedDatabase(
    `CREATE TABLE t (a, b); INSERT INTO t VALUES (1, -0.0), ('1', 9223372036854775807)`,
  );
  const before = database.design('t');
  const { steps } = await database.plan(before, { ...before, columns: before.columns.toReversed() });
  const compare = steps.findIndex(({ code }) => code === 'compareRows');
  for (const { sql } of steps.slice(0, compare)) database.run(sql);
  database.run(steps[compare]!.sql);
  for (const change of [
    `UPDATE sqlproject_copy_t SET a = '1' WHERE a = 1`,
    `UPDATE sqlproject_copy_t SET b = 1 WHERE rowid = 2`,
    `DELETE FROM sqlproject_copy_t WHERE rowid = 1`,
  ]) {
    database.sqlite.exec('SAVEPOINT s');
    database.run(change);
    assert.throws(() => database.run(steps[compare]!.sql), /malformed JSON/);
    database.sqlite.exec('ROLLBACK TO s; RELEASE s');
  }
});

test('a rebuild keeps row ids, and AUTOINCREMENT continues after the last number', async () => {
  using database = new ShapedDatabase(`
    CREATE TABLE plain (a TEXT); INSERT INTO plain (rowid, a) VALUES (7, 'x'), (-3, 'y');
    CREATE TABLE shadowed (rowid TEXT, a TEXT); INSERT INTO shadowed (_rowid_, rowid, a) VALUES (5, 'r', 'x');
    CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO counted VALUES (41); DELETE FROM counted`);
  for (const table of ['plain', 'shadowed', 'counted']) {
    const before = database.design(table);
    const plan = await database.plan(before, { ...before, checks: [{ expression: 'TRUE' }] });
    assert.equal(plan.way, 'rebuild');
    database.apply(plan);
  }
  assert.deepEqual(database.query('SELECT rowid, a FROM plain ORDER BY rowid'), [
    [-3n, 'y'],
    [7n, 'x'],
  ]);
  assert.deepEqual(database.query('SELECT _rowid_, rowid, a FROM shadowed'), [[5n, 'r', 'x']]);
  database.run('INSERT INTO counted DEFAULT VALUES');
  assert.deepEqual(database.query('SELECT id FROM counted'), [[42n]]);
});

test('a column with the name of a dropped one does not get its values', async () => {
  using database = new ShapedDatabase(
    `CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE); INSERT INTO t VALUES (1, 'old')`,
  );
  const before = database.design('t');
  const without = removeColumn(before, idOf(before, 'a'));
  const after = { ...without, columns: [...without.columns, newColumn('a')] };
  const plan = await database.plan(before, after);
  const [warning] = plan.warnings;
  assert.deepEqual([warning?.code, warning?.subject, database.count(warning!.countSql!)], ['columnDropped', 'a', 1]);
  database.apply(plan);
  assert.deepEqual(database.query('SELECT * FROM t'), [[1n, null]]);
});

test('warnings count the rows that they concern', async () => {
  using database = new ShapedDatabase(`
    CREATE TABLE other (id INTEGER PRIMARY KEY); INSERT INTO other VALUES (1);
    CREATE TABLE t (n INTEGER, s TEXT, k TEXT, r INTEGER);
    INSERT INTO t VALUES (1, '12', 'a', 1), (2, 'twelve', 'a', 2), (3, '1e2', 'b', NULL)`);
  const before = database.design('t');
  let after = withColumn(before, 'n', { type: 'TEXT' });
  after = withColumn(after, 's', { type: 'REAL' });
  after = withColumn(after, 'k', { unique: {} });
  after = withColumn(after, 'r', { references: { table: 'other', columns: [] }, checks: [{ expression: 'r <> 1' }] });
  const { warnings } = await database.plan(before, after);
  const counts = warnings
    .filter(({ countSql }) => countSql !== undefined)
    .map(({ code, countSql }) => [code, database.count(countSql!)]);
  assert.deepEqual(counts, [
    ['valuesConverted', 3],
    ['valuesConverted', 2],
    ['keysRepeated', 1],
    ['checkBroken', 1],
    ['referenceMissing', 1],
  ]);
});

async function refusalOf(
  script: string,
  table: string,
  change: (design: TableDesign) => TableDesign,
): Promise<readonly string[]> {
  using database = new ShapedDatabase(script);
  const before = database.design(table);
  const { refusals } = await database.plan(before, change(before));
  return refusals.map(({ code, subject }) => `${code} ${subject}`);
}

const withTypeOfA =
  (type: string) =>
  (design: TableDesign): TableDesign =>
    withColumn(design, 'a', { type });

const changedType = (design: TableDesign): TableDesign => ({
  ...design,
  columns: design.columns.map(column => Object.assign({ ...column }, { type: 'ANY' })),
});

test('a plan says why it is refused', async () => {
  const cycle = 'CREATE TABLE a (b REFERENCES b); CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a (b))';
  assert.deepEqual(await refusalOf(cycle, 'a', changedType), ['foreignKeyCycle a']);
  assert.deepEqual(await refusalOf('CREATE TABLE t (a TEXT); CREATE TABLE sqlproject_old_t (a)', 't', changedType), [
    'unfinishedRebuild t',
  ]);
  assert.deepEqual(
    await refusalOf('CREATE TABLE t (a); CREATE VIEW v AS SELECT 1', 't', design => withTableName(design, 'V')),
    ['nameTaken v'],
  );
  assert.deepEqual(
    await refusalOf('CREATE TABLE t (a TEXT); CREATE VIEW v AS SELECT x FROM missing', 't', design =>
      withTableName(design, 'u'),
    ),
    ['refusedBySqlite t'],
  );
  const locked = `CREATE TABLE t (a TEXT); CREATE TRIGGER sqlproject_hold_insert_t BEFORE INSERT ON t BEGIN SELECT 1; END`;
  assert.deepEqual(await refusalOf(locked, 't', changedType), ['unfinishedRebuild t']);
  for (const sql of ['DROP TABLE t', 'CREATE TRIGGER y AFTER INSERT ON t BEGIN SELECT 1; END; DROP TABLE t']) {
    const withTrigger = (design: TableDesign): TableDesign => ({ ...design, triggers: [{ id: 'y', name: 'y', sql }] });
    assert.deepEqual(await refusalOf('CREATE TABLE t (a)', 't', withTrigger), [
      sql.startsWith('DROP') ? 'unreadableTrigger y' : 'refusedBySqlite y',
    ]);
  }
  assert.deepEqual(await refusalOf('CREATE TABLE t (a)', 't', withTypeOfA('TEXT, b TEXT')), ['unreadableType a']);
  // The view gives its column the new name, which its trigger does not know.
  const trigger = `CREATE TABLE t (a TEXT); CREATE VIEW v AS SELECT a FROM t;
    CREATE TRIGGER v_insert INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (new.a); END`;
  assert.deepEqual(await refusalOf(trigger, 't', design => renameColumn(design, idOf(design, 'a'), 'b')), [
    'refusedBySqlite a',
  ]);
  assert.deepEqual(
    await refusalOf('CREATE TABLE t (a)', 't', design => ({ ...design, checks: [{ expression: 'a) + (1' }] })),
    ['unreadableExpression a) + (1'],
  );
  assert.deepEqual(
    await refusalOf('CREATE TABLE t (a TEXT)', 't', design => ({ ...design, checks: [{ expression: 'b > 1' }] })),
    ['refusedBySqlite t'],
  );
  assert.deepEqual(await refusalOf('CREATE TABLE t (a)', 't', design => ({ ...design, withoutRowid: true })), [
    'noKeyForWithoutRowid t',
  ]);
});

test('statements that would not give the table its form are refused', async () => {
  using database = new ShapedDatabase('CREATE TABLE t (a)');
  const before = database.design('t');
  using rehearsal = await Rehearsal.open(database.schema);
  const { refusals } = planOn(rehearsal, before, withColumn(before, 'a', { type: 'TEXT, b TEXT' }));
  assert.deepEqual(refusals, [{ code: 'resultDiffers', subject: 't' }]);
});

test('a plan for a table that has changed since is refused', async () => {
  using database = new ShapedDatabase('CREATE TABLE t (a)');
  const before = database.design('t');
  database.run('ALTER TABLE t ADD COLUMN b');
  const { refusals } = await database.plan(before, withTableName(before, 'u'));
  assert.deepEqual(refusals, [{ code: 'tableChanged', subject: 't' }]);
});

test('a view that loses its column is named before the plan runs', async () => {
  using database = new ShapedDatabase(
    `CREATE TABLE t (a, b); CREATE VIEW v AS SELECT b FROM t; INSERT INTO t VALUES (1, 2)`,
  );
  const before = database.design('t');
  const plan = await database.plan(before, removeColumn(before, idOf(before, 'b')));
  assert.equal(plan.way, 'rebuild');
  assert.ok(plan.warnings.some(({ code, subject }) => code === 'brokenObject' && subject === 'v'));
  database.apply(plan);
  assert.deepEqual(database.query('SELECT * FROM t'), [[1n]]);
});

test('a new table is created with its indexes', async () => {
  using database = new ShapedDatabase('CREATE TABLE other (a)');
  const design = newTableDesign('select');
  const [key] = design.columns;
  const name = { ...newColumn('full name'), notNull: {}, defaultValue: "''" };
  const after = {
    ...design,
    columns: [key!, name],
    indexes: [{ ...newIndex('by name'), unique: true, parts: [{ expression: 'lower("full name")' }] }],
  };
  const plan = await database.plan(undefined, after);
  assert.equal(plan.way, 'create');
  assert.deepEqual(sqlOf(plan), [
    `CREATE TABLE "select" (\n  id INTEGER PRIMARY KEY,\n  "full name" TEXT NOT NULL DEFAULT ''\n)`,
    'CREATE UNIQUE INDEX "by name" ON "select" (lower("full name"))',
  ]);
  database.apply(plan);
  assert.ok(isSameTableDesign(database.design('select'), after));
});

test('an entry of a schema that does not create its object is left out', async () => {
  const others = ['INSERT INTO t VALUES (1)', 'CREATE TABLE u (a); INSERT INTO t VALUES (1)', 'SELECT 1'];
  using rehearsal = await Rehearsal.open([
    { kind: 'table', name: 't', table: 't', sql: 'CREATE TABLE t (a)' },
    ...others.map(sql => ({ kind: 'view' as const, name: 'v', table: 'v', sql })),
  ]);
  assert.deepEqual(
    rehearsal.entries().map(({ name }) => name),
    ['t'],
  );
  assert.equal(rehearsal.query('SELECT count(*) AS n FROM t')[0]!['n'], 0);
});
