import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Look } from '../../../src/host/questions.ts';
import type { ProposedWrite } from '../../../src/model/agent/writeProposals.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import type { Protection } from '../../../src/protocol/projectFields.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { window } = await import('vscode');
const { askForWrite, confirmationOf } = await import('../../../src/host/agents/confirmWrite.ts');

const profileWith = (protection: Protection) =>
  makeProfile({
    name: 'Shop',
    baseUrl: 'https://sql.example.com',
    projectId: 'p1',
    protection,
    color: 'red',
    source: 'settings',
  });

function writeWith(fields: Partial<ProposedWrite>, protection: Protection = 'open'): ProposedWrite {
  return {
    agent: 'chat',
    project: {
      id: 'p1',
      name: 'Shop',
      protection,
      isWritingEnabled: true,
      masked: [],
      open: () => Promise.reject(new Error('not needed')),
    },
    sql: 'UPDATE pets SET name = ? WHERE id = ?',
    params: ['Rex', 1],
    touchedRows: 1,
    ...fields,
  };
}

/** Answers dialogs with their first, second or a later button. Gives what they said. */
function answerDialogs(button: number): { message: string; detail: string; buttons: string[] }[] {
  const shown: { message: string; detail: string; buttons: string[] }[] = [];
  const showWarningMessage = async (
    message: string,
    { detail }: { detail: string },
    ...buttons: { title: string }[]
  ): Promise<unknown> => {
    shown.push({ message, detail, buttons: buttons.map(({ title }) => title) });
    return Promise.resolve(buttons[button]);
  };
  Object.assign(window, { showWarningMessage });
  return shown;
}

/** Whether the user has looked at the SQL. */
let hasLooked = false;
const look: Look = { shows: 'sql', run: () => (hasLooked = true) };

const textOf = (write: ProposedWrite): string | undefined => {
  const confirmation = confirmationOf(write, profileWith(write.project.protection));
  const message = confirmation?.message;
  return typeof message === 'object' ? message.value : message;
};

test('the question of the chat shows project, protection, color, rows, the exact SQL and the values', () => {
  const write = writeWith({ params: ['**Rex** <b>', null, 12345678901234567890n, 1.5], touchedRows: 12_345 });
  const text = textOf(write) ?? '';
  for (const part of ['Shop', 'sql.example.com', 'Open', 'red', '12,345', write.sql])
    assert.ok(text.includes(part), part);
  assert.match(
    text.replaceAll('\\', '').replaceAll('  \n', '\n'),
    /Value 1: "\*\*Rex\*\* <b>"\nValue 2: null\nValue 3: 12345678901234567890\nValue 4: 1\.5\n/,
  );
  assert.match(text, /\\\*\\\*Rex/, 'values are not Markdown');
  assert.equal(confirmationOf(write, profileWith('open'))?.title, 'Write to Shop?');
});

test('characters that change how SQL and values look are shown as escapes', () => {
  const text = textOf(
    writeWith({ sql: "DELETE FROM a WHERE b = '\u202ex\u200b'\nAND c = 1", params: ['a\u2066b\u0000'] }),
  );
  assert.match(text ?? '', /'\\u202ex\\u200b'\nAND c = 1/);
  assert.match(text ?? '', /1: "a\\\\u2066b\\\\u0000"/);
});

test('the chat does not ask for what the extension asks for itself, so "Always Allow" allows none of it', () => {
  assert.equal(textOf(writeWith({}, 'confirmWrites')), undefined);
  for (const sql of ['DELETE FROM pets', 'UPDATE pets SET a = 1', 'DROP TABLE pets', 'DROP INDEX i']) {
    assert.equal(textOf(writeWith({ sql, params: [] })), undefined, sql);
  }
});

test('the dialog names the agent and shows everything; only its button allows the write', async () => {
  const write = writeWith({}, 'confirmWrites');
  for (const [button, isAllowed] of [
    [0, false],
    [1, true],
    [2, false],
    [9, false],
  ] as const) {
    const shown = answerDialogs(button);
    hasLooked = false;
    assert.equal(await askForWrite(write, profileWith('confirmWrites'), look), isAllowed);
    assert.equal(hasLooked, button === 0);
    const [{ message, detail, buttons } = { message: '', detail: '', buttons: [] }] = shown;
    assert.equal(message, "Update rows of 'pets' in Shop (sql.example.com)? It affects 1 row.");
    assert.deepEqual(buttons, ['Show SQL', 'Update 1 Row']);
    for (const part of ["'chat'", 'Confirm writes', 'red', write.sql, 'Value 1: "Rex"', 'Value 2: 1']) {
      assert.ok(detail.includes(part), part);
    }
  }
});

test('the name of a lost object of a protected project is typed', async () => {
  answerDialogs(1);
  const drop = writeWith({ sql: 'DROP TABLE pets', params: [] }, 'confirmWrites');
  for (const [typed, isAllowed] of [
    ['pets', true],
    ['', false],
    [undefined, false],
  ] as const) {
    Object.assign(window, { showInputBox: () => Promise.resolve(typed) });
    assert.equal(await askForWrite(drop, profileWith('confirmWrites'), look), isAllowed);
  }
});

test('the dialog says that a dropped table does not come back', async () => {
  const shown = answerDialogs(1);
  await askForWrite(writeWith({ sql: 'DROP TABLE pets', params: [] }), profileWith('open'), look);
  assert.match(shown[0]?.detail ?? '', /This cannot be undone\./);
});

test('the user is not asked about a write that a dialog cannot show as a whole', async () => {
  const shown = answerDialogs(1);
  for (const write of [
    writeWith({ params: ['x'.repeat(3001)] }),
    writeWith({ sql: `DELETE FROM ${'a'.repeat(3001)}` }),
    writeWith({ sql: `${'\n'.repeat(100)}DELETE FROM pets` }),
  ]) {
    await assert.rejects(askForWrite(write, profileWith('confirmWrites'), look), { code: 'too_long_to_confirm' });
  }
  assert.deepEqual(shown, []);
});
