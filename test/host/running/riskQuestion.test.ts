import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectError } from '../../../src/base/errors.ts';
import { analyze } from '../../../src/host/running/boundStatement.ts';
import type { TouchedRows } from '../../../src/model/touchedRows.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import type { Protection } from '../../../src/protocol/projectFields.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { riskQuestion } = await import('../../../src/host/running/riskQuestion.ts');
const { confirmRisk } = await import('../../../src/host/running/riskQuestion.ts');

const profileWith = (protection: Protection) =>
  makeProfile({
    name: 'Sample Shop',
    baseUrl: 'http://127.0.0.1:8080/sql',
    projectId: 'p1',
    source: 'settings',
    protection,
  });

const risky = (sql: string, touchedRows?: TouchedRows) => ({ ...analyze(sql), touchedRows });
const rows = (count: number): TouchedRows => ({ kind: 'rows', count });
const values = (count: number): TouchedRows => ({ kind: 'values', count });

function ask(sql: string, touchedRows?: TouchedRows, protection: Protection = 'open') {
  return riskQuestion({
    profile: profileWith(protection),
    statements: [risky(sql, touchedRows)],
    riskyCount: 1,
    totalCount: 1,
  });
}

const noWhere = 'There is no WHERE clause.';
const alwaysTrue = ' The WHERE clause is always true.';
const cases: readonly (readonly [
  sql: string,
  TouchedRows | undefined,
  action: string,
  reason: string,
  deed: string,
])[] = [
  [
    'DELETE FROM pets',
    rows(3000),
    "Delete all rows of 'pets'",
    ` It affects 3,000 rows. ${noWhere}`,
    'Delete 3,000 Rows',
  ],
  ['DELETE FROM pets', rows(1), "Delete all rows of 'pets'", ` It affects 1 row. ${noWhere}`, 'Delete 1 Row'],
  ['DELETE FROM pets WHERE true', { kind: 'cancelled' }, "Delete all rows of 'pets'", alwaysTrue, 'Delete Rows'],
  ['DELETE FROM pets WHERE id = 1', rows(1), "Delete rows of 'pets'", ' It affects 1 row.', 'Delete 1 Row'],
  ['DELETE FROM pets WHERE id < 0', rows(0), "Delete rows of 'pets'", ' It affects no row now.', 'Delete Rows'],
  ['UPDATE pets SET age = 5', rows(2), "Update all rows of 'pets'", ` It affects 2 rows. ${noWhere}`, 'Update 2 Rows'],
  ['DROP TABLE ux_tmp', rows(0), "Drop table 'ux_tmp'", ' It affects no row now.', 'Drop Table'],
  ['DROP TABLE ux_tmp', rows(2), "Drop table 'ux_tmp'", ' It affects 2 rows.', 'Drop Table'],
  ['DROP VIEW v', undefined, "Drop view 'v'", '', 'Drop View'],
  ['ALTER TABLE pets DROP COLUMN age', values(7), "Drop column 'age' of 'pets'", ' It affects 7 rows.', 'Drop Column'],
  ['INSERT INTO pets VALUES (1)', undefined, "Insert rows into 'pets'", '', 'Insert Rows'],
  ['CREATE TABLE pets (id)', undefined, "Create table 'pets'", '', 'Create Table'],
  ['SELEC 1', undefined, 'Run this statement', ' It can change data.', 'Run Statement'],
];

for (const [sql, touched, action, reason, deed] of cases) {
  test(`the question before ${sql} (${touched && 'count' in touched ? touched.count : 'no'} rows)`, () => {
    const question = ask(sql, touched);
    assert.deepEqual([question.question, question.deed], [`${action} in Sample Shop (127.0.0.1)?${reason}`, deed]);
    assert.ok(question.detail.endsWith(`http://127.0.0.1:8080/sql\n\n${sql}`), question.detail);
  });
}

test('the detail says why rows were not counted', () => {
  const error = new ProjectError('service', 'sql_error', 'no such table: pets');
  assert.match(ask('DROP TABLE pets', { kind: 'failed', error }).detail, /could not be counted: .*pets/);
  assert.match(ask('DELETE FROM pets', { kind: 'cancelled' }).detail, /were not counted/);
  assert.match(ask('DROP TABLE IF EXISTS pets', { kind: 'missing' }).detail, /The table does not exist now\./);
});

test('a project that confirms writes asks for the name of what is lost, and only there', () => {
  assert.equal(ask('DROP TABLE pets', rows(2), 'confirmWrites').typedName, 'pets');
  assert.equal(ask('DELETE FROM pets', rows(2), 'confirmWrites').typedName, 'pets');
  assert.equal(ask('DELETE FROM pets WHERE id = 1', rows(1), 'confirmWrites').typedName, undefined);
  assert.equal(ask('UPDATE pets SET a = 1', rows(2), 'confirmWrites').typedName, undefined);
  assert.equal(ask('DROP TABLE pets', rows(2), 'open').typedName, undefined);
});

test('a script says what each risky statement does, and asks for the project if several tables are lost', () => {
  const question = riskQuestion({
    profile: profileWith('confirmWrites'),
    statements: [risky('DELETE FROM pets', rows(3000)), risky('DROP TABLE owners', rows(0))],
    riskyCount: 3,
    totalCount: 4,
  });
  assert.equal(question.question, 'Run 4 statements in Sample Shop (127.0.0.1)? Check 3 statements first.');
  assert.equal(question.deed, 'Run 4 Statements');
  assert.equal(question.typedName, 'Sample Shop');
  assert.deepEqual(question.detail.split('\n\n'), [
    'http://127.0.0.1:8080/sql',
    `DELETE FROM pets\nDelete all rows of 'pets'. It affects 3,000 rows. ${noWhere}`,
    "DROP TABLE owners\nDrop table 'owners'. It affects no row now. This cannot be undone.",
    '… and 1 more',
  ]);
});

interface Answered {
  readonly confirmed: boolean;
  readonly buttons: readonly string[];
  readonly hasLooked: boolean;
}

/** Answers the dialog with a button, and the prompt for a name with a text. */
async function answer(button: string, name?: string): Promise<Answered> {
  let buttons: readonly string[] = [];
  let hasLooked = false;
  const window = vscode.window as unknown as Record<string, unknown>;
  window['showWarningMessage'] = (_message: string, _options: object, ...items: { title: string }[]) => {
    buttons = items.map(({ title }) => title);
    return Promise.resolve(items.find(({ title }) => title === button));
  };
  window['showInputBox'] = () => Promise.resolve(name);
  const question = ask('DROP TABLE pets', rows(2), name === undefined ? 'open' : 'confirmWrites');
  const confirmed = await confirmRisk(question, { shows: 'rows', run: () => (hasLooked = true) });
  return { confirmed, buttons, hasLooked };
}

test('the first button shows the rows and confirms nothing, and only the one that names the change confirms', async () => {
  const buttons = ['Show Rows', 'Drop Table'];
  assert.deepEqual(await answer('Drop Table'), { confirmed: true, buttons, hasLooked: false });
  assert.deepEqual(await answer('Show Rows'), { confirmed: false, buttons, hasLooked: true });
  assert.deepEqual(await answer('none'), { confirmed: false, buttons, hasLooked: false });
});

test('another name than that of the table confirms nothing', async () => {
  assert.equal((await answer('Drop Table', 'pets')).confirmed, true);
  assert.equal((await answer('Drop Table', 'pet')).confirmed, false);
  assert.equal((await answer('Show Rows', 'pets')).confirmed, false);
});

const named = (name: string, protection: Protection) => ({ ...profileWith(protection), name });

test('a write on several projects lists each with its rows, and those that it is not sent to', () => {
  const sql = 'DELETE FROM pets';
  const open = named('A', 'open');
  const guarded = named('B', 'confirmWrites');
  const askFor = (inB: TouchedRows) =>
    riskQuestion({
      profile: guarded,
      statements: [risky(sql)],
      riskyCount: 1,
      totalCount: 1,
      places: [
        { profile: open, touchedRows: rows(1) },
        { profile: guarded, touchedRows: inB },
        { profile: named('C', 'readOnly'), touchedRows: undefined },
      ],
    });
  assert.deepEqual(askFor(rows(2000)), {
    question: "Delete all rows of 'pets' in 2 projects? There is no WHERE clause.",
    detail: 'A (127.0.0.1): 1 row\nB (127.0.0.1): 2,000 rows\nNot sent to C, which is read-only.\n\nDELETE FROM pets',
    deed: 'Delete Rows',
    typedName: 'pets',
  });
  const error = new ProjectError('transport', 'connect_failed', 'No connection.');
  const { detail } = askFor({ kind: 'failed', error });
  assert.match(detail, /\nB \(127\.0\.0\.1\): The affected rows could not be counted: /);
});
