import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allStatements } from '../../../src/host/documents/selectedStatements.ts';
import { Preparation, type PreparedStatement } from '../../../src/host/running/preparation.ts';
import { ParameterMemory } from '../../../src/model/parameters/parameterMemory.ts';
import type { TypedValue } from '../../../src/model/parameters/parameterValues.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import type { Protection } from '../../../src/protocol/projectFields.ts';
import type { SchemaColumn } from '../../../src/sql/tables/schemaTable.ts';
import { StatementIndex } from '../../../src/sql/text/statementIndex.ts';
import { RecordedPrompts } from '../../support/recordedPrompts.ts';

const profileWith = (protection: Protection, name = 'Shop') =>
  makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'settings', name, protection });

interface FixtureOptions {
  readonly protection?: Protection;
  readonly columnsOf?: (table: string) => Promise<readonly SchemaColumn[]>;
}

/** A preparation for one project, with prompts that record. */
class Fixture {
  readonly prompts = new RecordedPrompts();
  readonly profile;
  readonly preparation: Preparation;

  constructor({ protection = 'open', columnsOf = () => Promise.resolve([]) }: FixtureOptions = {}) {
    this.profile = profileWith(protection);
    const stored = new Map<string, unknown>();
    const storage = {
      get: (key: string) => stored.get(key),
      update: async (key: string, value: unknown) => void stored.set(key, value),
    };
    this.preparation = new Preparation({
      prompts: this.prompts,
      memory: new ParameterMemory({ storage, savesValues: () => true }),
      countRows: () => Promise.resolve(2),
      columnsOf: (_profile, table) => columnsOf(table),
    });
  }

  prepare(text: string): Promise<readonly PreparedStatement[] | undefined> {
    const statements = allStatements(new StatementIndex(text));
    return this.preparation.prepare(
      this.profile,
      statements.map(selected => ({ selected })),
    );
  }

  prepareFor(text: string, ...protections: readonly Protection[]) {
    const [selected] = allStatements(new StatementIndex(text));
    const profiles = protections.map((protection, at) => profileWith(protection, `Shop ${at + 1}`));
    return this.preparation.prepareForProjects(profiles, { selected: selected! });
  }

  /** Fills forms with texts, one for each `?`. */
  fillWith(...texts: readonly string[]): void {
    const values = texts.map((text): TypedValue => ({ type: 'text', text }));
    this.prompts.fillForm = () => values;
  }

  refusesOtherProject(text: string): boolean {
    const statements = new StatementIndex(text);
    return this.preparation.refuseOtherProject(this.profile, statements, allStatements(statements).slice(-1));
  }
}

const sqlOf = (prepared: readonly PreparedStatement[] | undefined) => prepared?.map(({ sql }) => sql);
const paramsOf = (prepared: readonly PreparedStatement[] | undefined) => prepared?.map(({ params }) => params);

test('a statement without parameters runs without a question', async () => {
  const fixture = new Fixture();
  assert.deepEqual(sqlOf(await fixture.prepare('SELECT 1;')), ['SELECT 1;']);
  assert.deepEqual(fixture.prompts.calls, []);
});

test('a line above a statement gives the values of its parameters, with all digits', async () => {
  const fixture = new Fixture();
  const prepared = await fixture.prepare('-- @params [9007199254740993, "x", null]\nSELECT ?, ?, ?;');
  assert.deepEqual(paramsOf(prepared), [[9007199254740993n, 'x', null]]);
  assert.deepEqual(fixture.prompts.calls, []);
});

test('a line with a wrong number of values runs nothing and says how many are missing', async () => {
  const fixture = new Fixture();
  assert.equal(await fixture.prepare('-- @params [1]\nSELECT ?, ?;'), undefined);
  assert.deepEqual(fixture.prompts.calls, ['showParamsLineFault']);
  assert.deepEqual(fixture.prompts.details, [{ kind: 'wrongCount', expectedCount: 2, actualCount: 1 }]);
});

for (const name of [':name', '@name', '$name', '?1']) {
  test(`a parameter ${name} that is used twice is asked for once and bound twice`, async () => {
    const fixture = new Fixture();
    fixture.fillWith('Ann', 'Bo');
    assert.deepEqual(paramsOf(await fixture.prepare(`SELECT ${name}, ?, ${name}, ':name' -- :name`)), [
      ['Ann', 'Bo', 'Ann'],
    ]);
    assert.deepEqual(
      fixture.prompts.forms.map(({ fields }) => fields.all.length),
      [2],
    );
    await fixture.prepare(`SELECT ${name}, ?, ${name}, ':name' -- :name`);
    assert.deepEqual(
      fixture.prompts.forms[1]?.fields.values?.map(({ text }) => text),
      ['Ann', 'Bo'],
      'remembered',
    );
  });
}

test('a form asks for the values of each statement and says which of the script it is', async () => {
  const fixture = new Fixture();
  fixture.fillWith('Ann');
  const prepared = await fixture.prepare('SELECT 1; SELECT ?; SELECT ? AS b;');
  assert.deepEqual(paramsOf(prepared), [[], ['Ann'], ['Ann']]);
  assert.deepEqual(
    fixture.prompts.forms.map(({ number, totalCount }) => `${number} of ${totalCount}`),
    ['2 of 3', '3 of 3'],
  );
});

test('a form that is cancelled runs nothing and asks nothing more', async () => {
  const fixture = new Fixture({ protection: 'confirmWrites' });
  assert.equal(await fixture.prepare('DELETE FROM pets WHERE id = ?; SELECT ?;'), undefined);
  assert.deepEqual(fixture.prompts.calls, ['promptForValues']);
});

test('the form shows the last values of the statement', async () => {
  const fixture = new Fixture();
  fixture.fillWith('Ann');
  await fixture.prepare('SELECT ?;');
  await fixture.prepare('SELECT\n  ?;');
  const [first, second] = fixture.prompts.forms;
  assert.equal(first?.fields.values, undefined);
  assert.deepEqual(second?.fields.values, [{ type: 'text', text: 'Ann' }]);
});

test('the form opens before columns are known and takes their types when they arrive', async () => {
  const columns = Promise.withResolvers<readonly SchemaColumn[]>();
  const fixture = new Fixture({ columnsOf: () => columns.promise });
  const form = Promise.withResolvers<void>();
  const types: (string | undefined)[] = [];
  fixture.prompts.fillForm = ({ fields }) => {
    types.push(fields.all[0]?.type);
    fields.onHintsChanged(() => {
      types.push(fields.all[0]?.type);
      form.resolve();
    });
    return undefined;
  };
  await fixture.prepare('SELECT * FROM pets WHERE id = ?;');
  columns.resolve([{ name: 'id', type: 'INTEGER' }]);
  await form.promise;
  assert.deepEqual(types, ['text', 'integer']);
});

test('the form works without columns when the project does not list them', async () => {
  const fixture = new Fixture({ columnsOf: () => Promise.reject(new Error('no such table')) });
  fixture.fillWith('7');
  assert.deepEqual(paramsOf(await fixture.prepare('SELECT * FROM pets WHERE id = ?;')), [['7']]);
});

test('nobody enters values for a statement that the protection refuses', async () => {
  const fixture = new Fixture({ protection: 'readOnly' });
  assert.equal(await fixture.prepare('DELETE FROM pets WHERE name = ?;'), undefined);
  assert.deepEqual(fixture.prompts.calls, ['showRefusal']);
});

test('the confirmation comes last, when the values are known', async () => {
  const fixture = new Fixture({ protection: 'confirmWrites' });
  fixture.fillWith('Ann');
  const prepared = await fixture.prepare('DELETE FROM pets WHERE name = ?;');
  assert.deepEqual(fixture.prompts.calls, ['promptForValues', 'confirmRun']);
  assert.deepEqual(paramsOf(prepared), [['Ann']]);
});

test('a statement that runs again keeps its values and meets the protection that the project has now', async () => {
  const first = new Fixture();
  first.fillWith('Ann');
  const prepared = (await first.prepare('DELETE FROM pets WHERE name = ?;')) ?? [];
  const confirming = new Fixture({ protection: 'confirmWrites' });
  const again = await confirming.preparation.prepare(confirming.profile, prepared);
  assert.deepEqual(paramsOf(again), [['Ann']]);
  assert.deepEqual(confirming.prompts.calls, ['confirmRun']);
  const refusing = new Fixture({ protection: 'readOnly' });
  assert.equal(await refusing.preparation.prepare(refusing.profile, prepared), undefined);
  assert.deepEqual(refusing.prompts.calls, ['showRefusal']);
});

const sessionScripts = {
  'BEGIN;': 'transaction',
  'BEGIN; COMMIT;': 'transaction',
  "BEGIN; INSERT INTO pets VALUES ('Ann'); ROLLBACK;": 'transaction',
  "INSERT INTO pets VALUES ('Ann'); ROLLBACK;": 'rollback',
  'CREATE TEMP TABLE t (a); SELECT 1;': 'temporary',
  'PRAGMA foreign_keys = ON;': 'setting',
  "ATTACH 'x.db' AS x;": 'attachment',
} as const;

for (const [text, part] of Object.entries(sessionScripts)) {
  test(`nothing of this text is sent, since it needs a connection of its own: ${text}`, async () => {
    const fixture = new Fixture();
    assert.equal(await fixture.prepare(text), undefined);
    assert.deepEqual(fixture.prompts.calls, ['showSessionStatement']);
    assert.equal(fixture.prompts.sessionStatements[0]?.part, part);
  });
}

const transaction = "BEGIN; INSERT INTO pets VALUES ('Ann'); INSERT INTO pets VALUES ('Bob'); COMMIT;";

test('a script in a transaction runs without it when the user agrees', async () => {
  const fixture = new Fixture();
  assert.deepEqual(sqlOf(await fixture.prepare(transaction)), [
    "INSERT INTO pets VALUES ('Ann');",
    "INSERT INTO pets VALUES ('Bob');",
  ]);
  assert.deepEqual(fixture.prompts.calls, ['confirmWithoutTransaction']);
});

test('a script in a transaction does not run when the user refuses', async () => {
  const fixture = new Fixture();
  fixture.prompts.isConfirmed = false;
  assert.equal(await fixture.prepare(transaction), undefined);
  assert.deepEqual(fixture.prompts.calls, ['confirmWithoutTransaction']);
});

const assignments: Readonly<Record<string, boolean>> = {
  'SELECT 1;\n-- @project Other\nSELECT 2;': true,
  'SELECT 1;\n-- @project Other\nSELECT 2;\nSELECT 3;': true,
  'SELECT 1;\n-- @project Other\nSELECT 2;\n-- @project Shop\nSELECT 3;': false,
  '-- @project Shop\nSELECT 1;': false,
  '-- @project p1\nSELECT 1;': false,
  'SELECT 1;\n/*\n-- @project Other\n*/\nSELECT 2;': false,
  "SELECT '\n-- @project Other\n';\nSELECT 2;": false,
};

for (const [text, isRefused] of Object.entries(assignments)) {
  const verb = isRefused ? 'is refused' : 'runs';
  test(`in the project Shop, the last statement ${verb}: ${JSON.stringify(text)}`, () => {
    const fixture = new Fixture();
    assert.equal(fixture.refusesOtherProject(text), isRefused);
    assert.deepEqual(fixture.prompts.details, isRefused ? [{ inLine: 'Other', ofDocument: 'Shop' }] : []);
  });
}

test('parameters of a read on several projects are asked for once, also for read-only ones', async () => {
  const fixture = new Fixture();
  fixture.fillWith('Rex');
  const prepared = await fixture.prepareFor('SELECT * FROM pets WHERE name = ?', 'open', 'readOnly', 'confirmWrites');
  assert.deepEqual(fixture.prompts.calls, ['promptForValues']);
  assert.equal(fixture.prompts.forms[0]?.profile.name, 'Shop 1, Shop 2, Shop 3');
  assert.deepEqual([prepared?.profiles.length, prepared?.statement.params], [3, ['Rex']]);
});

test('a write on several projects is one question, and goes to no read-only one', async () => {
  const fixture = new Fixture();
  const prepared = await fixture.prepareFor('DELETE FROM pets', 'open', 'readOnly', 'confirmWrites');
  assert.deepEqual(fixture.prompts.calls, ['confirmRun']);
  const [question] = fixture.prompts.questions;
  assert.deepEqual(
    question?.places?.map(({ profile, touchedRows }) => [profile.name, touchedRows?.kind]),
    [
      ['Shop 1', 'rows'],
      ['Shop 2', undefined],
      ['Shop 3', 'rows'],
    ],
  );
  assert.equal(question?.profile.name, 'Shop 3');
  assert.deepEqual(
    prepared?.profiles.map(({ name }) => name),
    ['Shop 1', 'Shop 3'],
  );
  fixture.prompts.isConfirmed = false;
  assert.equal(await fixture.prepareFor('DELETE FROM pets', 'open'), undefined);
});

test('a write on read-only projects alone is refused', async () => {
  const fixture = new Fixture();
  assert.equal(await fixture.prepareFor('DELETE FROM pets', 'readOnly', 'readOnly'), undefined);
  assert.deepEqual(fixture.prompts.calls, ['showRefusal']);
});
