import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conflict } from '../../../src/model/editing/conflicts.ts';
import { openEditedTable, text } from '../../support/editedTable.ts';
import type { TestDocument } from '../../support/tableDocument.ts';

/** Another client changes rows before and while the user decides on them. */

const table = await openEditedTable();
const { rename, names, execute } = table;

async function setNameAndAge({ document }: TestDocument, id: number, name: string, age: string): Promise<void> {
  const [row] = await execute(`SELECT * FROM pets WHERE id = ${id}`);
  const target = { kind: 'table', row: row! } as const;
  await document.edit('Edit', () =>
    document.editing.setCells([
      { row: target, column: 'name', value: text(name) },
      { row: target, column: 'age', value: { kind: 'integer', text: age } },
    ]),
  );
}

const rowOf = async (id: number): Promise<unknown> =>
  Object.values((await execute(`SELECT name, age FROM pets WHERE id = ${id}`))[0]!);

const columnsOf = (conflicts: readonly Conflict[]): unknown[] =>
  conflicts.map(conflict => (conflict.kind === 'cell' ? conflict.column : conflict.kind));

const giveUp = async (): Promise<ReadonlySet<Conflict>> => new Set();

/** Answers in the place of the user, one answer for each question. */
function answerQuestions(
  answers: readonly ((conflicts: readonly Conflict[]) => Promise<ReadonlySet<Conflict> | undefined>)[],
): unknown[][] {
  const questions: unknown[][] = [];
  table.host.resolve = conflicts => {
    questions.push(columnsOf(conflicts));
    return answers[questions.length - 1]!(conflicts);
  };
  return questions;
}

test("a row that changes again while the user keeps their value is asked about again, and the user's value is saved", async () => {
  const questions = answerQuestions([
    async conflicts => {
      await execute(`UPDATE pets SET name = 'theirs 2' WHERE id = 1`);
      return new Set(conflicts);
    },
    async conflicts => new Set(conflicts),
  ]);
  const opened = await table.open();
  await rename(opened, 1, 'mine');
  await execute(`UPDATE pets SET name = 'theirs 1' WHERE id = 1`);
  await opened.save();
  assert.deepEqual(questions, [['name'], ['name']]);
  assert.deepEqual(await names(), ['mine', 'b']);
});

test('a value that changes while the question is open is not given up unseen', async () => {
  const questions = answerQuestions([
    async () => {
      await execute(`UPDATE pets SET age = 5 WHERE id = 1`);
      return new Set();
    },
    async conflicts => new Set(conflicts),
  ]);
  const opened = await table.open();
  await setNameAndAge(opened, 1, 'mine', '7');
  await execute(`UPDATE pets SET name = 'theirs' WHERE id = 1`);
  await opened.save();
  assert.deepEqual(questions, [['name'], ['age']]);
  assert.deepEqual(await rowOf(1), ['theirs', 7]);
});

test('a value that the user gives up is not saved, although the table has its old value again', async () => {
  answerQuestions([
    async () => {
      await execute(`UPDATE pets SET name = 'a' WHERE id = 1`);
      return new Set();
    },
  ]);
  const opened = await table.open();
  await rename(opened, 1, 'mine');
  await execute(`UPDATE pets SET name = 'theirs' WHERE id = 1`);
  await opened.save();
  assert.deepEqual(await names(), ['a', 'b']);
  assert.ok(!opened.document.isDirty);
});

test('one of two cells of a row may be kept and the other given up', async () => {
  answerQuestions([async conflicts => new Set(conflicts.filter(({ kind }, index) => kind === 'cell' && index === 1))]);
  const opened = await table.open();
  await setNameAndAge(opened, 1, 'mine', '7');
  await rename(opened, 2, 'other');
  await execute(`UPDATE pets SET name = 'theirs', age = 5 WHERE id = 1`);
  await opened.save();
  assert.deepEqual(await rowOf(1), ['theirs', 7]);
  assert.deepEqual(await rowOf(2), ['other', null]);
});

test('a row that is gone loses its edits, and a row that somebody changed is deleted only if the user says so', async () => {
  const questions = answerQuestions([giveUp, giveUp]);
  const opened = await table.open();
  const { document } = opened;
  await rename(opened, 1, 'mine');
  const [, second] = await execute('SELECT * FROM pets ORDER BY id');
  await document.edit('Delete', () => document.editing.delete([{ kind: 'table', row: second! }]));
  await execute('DELETE FROM pets WHERE id = 1');
  await execute(`UPDATE pets SET name = 'changed' WHERE id = 2`);
  await opened.save();
  assert.deepEqual(new Set(questions.flat()), new Set(['missing', 'name']));
  assert.deepEqual(await names(), ['changed']);
  assert.ok(!document.isDirty);
});
